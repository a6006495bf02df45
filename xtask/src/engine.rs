//! The two engines that tests run under: stock PHP in the oracle's chroot, and Jumbo from the build tree.
//!
//! Both see a file under the same absolute path: folders are bind-mounted into the chroot where they stand outside,
//! in a mount table private to this process. So paths in messages are equal and nothing has to be rewritten.

use crate::asan;
use crate::oracle;
use crate::process::{self, Job, Stderr};
use crate::{Failure, repository};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// The wall limit of one script under Jumbo; stock PHP gets six times as much, since its results are facts that are
/// committed and must not depend on how busy the machine was.
const WALL_MAX: Duration = Duration::from_secs(10);
const STOCK_WALL_FACTOR: u32 = 6;
/// Far above every memory_limit in the tests, low enough that a runaway allocation cannot take the machine down.
const ADDRESS_SPACE_MAX: u64 = 16 << 30;

#[derive(Clone)]
pub enum Engine {
    Stock { root: PathBuf },
    /// `asan_reports`: the binary was built with AddressSanitizer, and its reports go to this folder.
    Jumbo { binary: PathBuf, asan_reports: Option<PathBuf> },
}

/// The interface a script runs under.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sapi {
    Cli,
    Cgi,
}

impl Engine {
    /// Stock PHP, with `folders` made visible under their own paths. The mount table must be private already.
    pub fn stock(folders: &[&Path]) -> Result<Engine, Failure> {
        let root = oracle::root();
        if !root.join("usr/bin/php8.4").exists() {
            return Err(Failure::new(format!(
                "stock PHP is not installed in {}: run `cargo xtask oracle install` as root",
                root.display()
            )));
        }
        for (name, sign) in [("proc", "self"), ("dev", "urandom"), ("dev/pts", "ptmx")] {
            let inside = root.join(name);
            if inside.join(sign).symlink_metadata().is_err() {
                process::mount(&["--bind", &format!("/{name}"), &inside.to_string_lossy()])
                    .map_err(|e| Failure::new(format!("cannot mount /{name} in {}: {e}", root.display())))?;
            }
        }
        // A distribution's php.ini changes defaults; what Jumbo is compared with is PHP's own. The files that load
        // the extensions stay.
        for sapi in ["cli", "cgi"] {
            let ini = root.join("etc/php/8.4").join(sapi).join("php.ini");
            if ini.exists() {
                process::mount(&["--bind".as_ref(), "/dev/null".as_ref(), ini.as_os_str()])
                    .map_err(|e| Failure::new(format!("cannot cover {}: {e}", ini.display())))?;
            }
        }
        for folder in folders {
            let Ok(relative) = folder.strip_prefix("/") else {
                return Err(Failure::new(format!("{} is not an absolute path", folder.display())));
            };
            let inside = root.join(relative);
            fs::create_dir_all(&inside).map_err(|e| Failure::io(&inside, &e))?;
            process::mount(&["--rbind".as_ref(), folder.as_os_str(), inside.as_os_str()])
                .map_err(|e| Failure::new(format!("cannot mount {} for stock PHP: {e}", folder.display())))?;
        }
        Ok(Engine::Stock { root })
    }

    /// Jumbo: the given binary, or that of `profile`, built first.
    pub fn jumbo(binary: Option<PathBuf>, profile: &str) -> Result<Engine, Failure> {
        let binary = match binary {
            Some(binary) => fs::canonicalize(&binary).map_err(|e| Failure::io(&binary, &e))?,
            None => build(profile)?,
        };
        Ok(Engine::Jumbo { binary, asan_reports: None })
    }

    /// The same engine, which was built with AddressSanitizer; reports go to a folder, named after the scripts.
    pub fn reporting_to(self, folder: &Path) -> Engine {
        match self {
            Engine::Jumbo { binary, .. } => Engine::Jumbo { binary, asan_reports: Some(folder.to_path_buf()) },
            stock => stock,
        }
    }

    pub fn is_stock(&self) -> bool {
        matches!(self, Engine::Stock { .. })
    }

    pub fn name(&self) -> &'static str {
        match self {
            Engine::Stock { .. } => "stock",
            Engine::Jumbo { .. } => "jumbo",
        }
    }

    /// The program as a script sees it (`PHP_BINARY`), inside the chroot for stock.
    pub fn program(&self, sapi: Sapi) -> &Path {
        match (self, sapi) {
            (Engine::Stock { .. }, Sapi::Cli) => Path::new("/usr/bin/php8.4"),
            (Engine::Stock { .. }, Sapi::Cgi) => Path::new("/usr/bin/php-cgi8.4"),
            (Engine::Jumbo { binary, .. }, _) => binary,
        }
    }

    /// A job that runs the engine with `args` in `cwd`. Standard error is dropped, standard input is empty.
    pub fn job(&self, sapi: Sapi, args: Vec<OsString>, cwd: &Path) -> Job {
        let mut all = Vec::with_capacity(args.len() + 1);
        match (self, sapi) {
            (Engine::Jumbo { .. }, Sapi::Cgi) => all.push("--cgi".into()),
            // php-cgi must not look at the folder of its binary for the document root.
            (Engine::Stock { .. }, Sapi::Cgi) => all.push("-C".into()),
            (_, Sapi::Cli) => {}
        }
        all.extend(args);
        let (chroot, wall_max) = match self {
            Engine::Stock { root } => (Some(root.clone()), WALL_MAX * STOCK_WALL_FACTOR),
            Engine::Jumbo { .. } => (None, WALL_MAX),
        };
        let mut job = Job {
            program: self.program(sapi).to_path_buf(),
            args: all,
            env: environment(),
            cwd: cwd.to_path_buf(),
            chroot,
            stdin: Vec::new(),
            stdout_captured: true,
            stderr: Stderr::Null,
            wall_max,
            address_space_max: ADDRESS_SPACE_MAX,
        };
        if let Engine::Jumbo { asan_reports: Some(folder), .. } = self {
            asan::prepare(&mut job, folder);
        }
        job
    }
}

/// The environment of every script: small and the same on every machine.
fn environment() -> Vec<(OsString, OsString)> {
    [
        ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        ("HOME", "/root"),
        ("LANG", "C.UTF-8"),
        ("TERM", "dumb"),
    ]
    .into_iter()
    .map(|(k, v)| (k.into(), v.into()))
    .collect()
}

/// Builds the `jumbo` binary and returns its path. `$JUMBO_BINARY` overrides both.
fn build(profile: &str) -> Result<PathBuf, Failure> {
    if let Some(binary) = std::env::var_os("JUMBO_BINARY") {
        let binary = PathBuf::from(binary);
        return fs::canonicalize(&binary).map_err(|e| Failure::io(&binary, &e));
    }
    let root = repository();
    let started = SystemTime::now();
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--package", "jumbo", "--profile", profile])
        .current_dir(&root)
        .status()
        .map_err(|e| Failure::new(format!("cannot run cargo: {e}")))?;
    if !status.success() {
        return Err(Failure::new("the build failed".to_owned()));
    }
    if let Ok(took) = started.elapsed()
        && took > Duration::from_secs(5)
    {
        eprintln!("built jumbo ({profile}) in {:.0} s", took.as_secs_f64());
    }
    let folder = if profile == "dev" { "debug" } else { profile };
    let binary = target_folder(&root).join(folder).join("jumbo");
    fs::canonicalize(&binary).map_err(|e| Failure::io(&binary, &e))
}

/// Cargo's target folder: the one this program stands in, so that an overridden folder is honoured.
pub fn target_folder(root: &Path) -> PathBuf {
    if let Some(folder) = std::env::var_os("CARGO_TARGET_DIR") {
        let folder = PathBuf::from(folder);
        return if folder.is_absolute() { folder } else { root.join(folder) };
    }
    root.join("target")
}
