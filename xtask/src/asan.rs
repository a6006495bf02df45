//! AddressSanitizer for `cargo xtask test --asan`: the build, and the reports of the programs that ran under it.
//!
//! The sanitizer is a flag that stable compilers keep back; `RUSTC_BOOTSTRAP` asks for it. The request heap tells the sanitizer what is free
//! in it (`--cfg jumbo_asan`, crates/value/src/asan.rs). Leaks are not looked for: a request's memory goes as a whole.

use crate::engine::{Engine, target_folder};
use crate::process::Job;
use crate::{Failure, repository, test};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Builds the command line with the sanitizer, in a target folder of its own.
pub fn build() -> Result<PathBuf, Failure> {
    let root = repository();
    let folder = target_folder(&root).join("asan");
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--package", "jumbo", "--target", TARGET])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Zsanitizer=address --cfg jumbo_asan")
        .env("CARGO_TARGET_DIR", &folder)
        .current_dir(&root)
        .status()
        .map_err(|e| Failure::new(format!("cannot run cargo: {e}")))?;
    if !status.success() {
        return Err(Failure::new("the build with AddressSanitizer failed".to_owned()));
    }
    Ok(folder.join(TARGET).join("debug/jumbo"))
}

/// How much longer a script may take.
const WALL_FACTOR: u32 = 12;

/// Prepares a job of a binary that was built with the sanitizer: its notes take much address space, and all of it takes time. A report's
/// file is named like the script: folder and file, then the number of the process.
pub fn prepare(job: &mut Job, folder: &Path) {
    let script = job.args.iter().rev().map(Path::new).find(|path| path.extension().is_some_and(|e| e == "php"));
    let path = job.cwd.join(script.unwrap_or(Path::new("-")));
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let name = format!("{}.{}", part(path.parent().and_then(Path::file_name)), part(path.file_stem()));
    job.address_space_max = 0;
    job.wall_max *= WALL_FACTOR;
    // SQLite's source has equal constants of one name in several functions, which the linker makes one.
    let options = format!("detect_leaks=0:detect_stack_use_after_return=0:detect_odr_violation=0:log_path={}", folder.join(name).display());
    job.env.push(("ASAN_OPTIONS".into(), options.into()));
}

/// The line of a report that says what was found. None: it is a mere warning (the compiler unwinds on a stack that the sanitizer does not
/// know of).
fn headline(report: &Path) -> Option<String> {
    let text = fs::read_to_string(report).unwrap_or_default();
    text.lines().find(|line| line.contains("ERROR: AddressSanitizer")).map(str::to_owned)
}

/// A folder of reports, one file for each program that has one.
pub struct Reports {
    folder: PathBuf,
}

impl Reports {
    pub fn new() -> Result<Reports, Failure> {
        let folder = target_folder(&repository()).join("asan-reports");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(|e| Failure::io(&folder, &e))?;
        Ok(Reports { folder })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All reports, each with the name of its script.
    pub fn all(&self) -> Result<Vec<String>, Failure> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(|e| Failure::io(&self.folder, &e))? {
            let path = entry.map_err(|e| Failure::io(&self.folder, &e))?.path();
            let Some(headline) = headline(&path) else { continue };
            found.push(format!("{}: {headline}", path.file_name().unwrap_or_default().to_string_lossy()));
        }
        found.sort();
        Ok(found)
    }

    /// Runs a program; complains when the sanitizer did, or when the program was killed. `mode`: as of `test --modes`.
    pub fn check(&self, engine: &Engine, script: &Path, mode: test::Mode) -> Result<(), String> {
        let known = self.files_of(script)?;
        let outcome = test::execute(engine, script, mode.1)?;
        let mut new = self.files_of(script)?.into_iter().filter(|file| !known.contains(file));
        match new.find_map(|file| headline(&file).map(|headline| (file, headline))) {
            Some((file, headline)) => Err(format!("{headline}\n    {}", file.display())),
            None if matches!(outcome.exit, crate::process::Exit::Code(_)) => Ok(()),
            None => Err(outcome.exit.to_string()),
        }
    }

    /// Reports about a script so far.
    fn files_of(&self, script: &Path) -> Result<Vec<PathBuf>, String> {
        let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("{}.{}", part(script.parent().and_then(Path::file_name)), part(script.file_stem()));
        let files = fs::read_dir(&self.folder).map_err(|e| e.to_string())?.filter_map(Result::ok).map(|entry| entry.path());
        Ok(files.filter(|file| file.file_stem().is_some_and(|stem| stem.to_string_lossy() == name)).collect())
    }
}
