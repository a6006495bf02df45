//! AddressSanitizer for `cargo xtask test --asan`: the build, and the reports of the programs that ran under it.
//!
//! The sanitizer is a flag that stable compilers keep back; `RUSTC_BOOTSTRAP` asks for it. The request heap tells the sanitizer what is free
//! in it (`--cfg jumbo_asan`, crates/value/src/asan.rs). Leaks are not looked for: a request's memory goes as a whole.

use crate::engine::{Engine, target_folder};
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

    /// Runs a program; complains when the sanitizer did, or when the program was killed.
    pub fn check(&self, engine: &Engine, script: &Path) -> Result<(), String> {
        let name = format!(
            "{}.{}",
            script.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy(),
            script.file_stem().unwrap_or_default().to_string_lossy()
        );
        let log = self.folder.join(&name);
        let options = format!("detect_leaks=0:detect_stack_use_after_return=0:log_path={}", log.display());
        let outcome = test::execute(engine, script, &[("ASAN_OPTIONS", &options)])?;
        let report = fs::read_dir(&self.folder)
            .map_err(|e| e.to_string())?
            .filter_map(Result::ok)
            .find(|entry| entry.file_name().to_string_lossy().rsplit_once('.').is_some_and(|(n, _)| n == name));
        match report {
            Some(entry) => {
                let text = fs::read_to_string(entry.path()).unwrap_or_default();
                let headline = text.lines().find(|line| line.contains("ERROR: AddressSanitizer")).unwrap_or("a report").to_owned();
                Err(format!("{headline}\n    {}", entry.path().display()))
            }
            None if matches!(outcome.exit, crate::process::Exit::Code(_)) => Ok(()),
            None => Err(outcome.exit.to_string()),
        }
    }
}
