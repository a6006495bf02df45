//! `cargo xtask ci`: everything that must be in order before a change is merged. `.ci/run` calls it.
//!
//! Every step runs even when an earlier one failed, so that one run shows all that is wrong. PHP's own tests need the
//! oracle's source package: as root it is installed, without privileges that step is left out and said so.

use crate::{Failure, Verdict, oracle, repository};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const HELP: &str = "\
cargo xtask ci [STEPS...]

Steps, in this order: build, tidy, unit, test, sites, attack, phpt, handlers, release. Without any: all.
";

type Step = fn() -> Result<Outcome, Failure>;

const STEPS: &[(&str, Step)] =
    &[
        ("build", build),
        ("tidy", tidy),
        ("unit", unit),
        ("test", test),
        ("sites", sites),
        ("attack", attack),
        ("phpt", phpt),
        ("handlers", handlers),
        ("release", release),
    ];

/// The folders of PHP's tests that every change must keep.
const PHPT_FOLDERS: &[&str] = &["Zend", "tests"];

/// Downloads are tried this often: an archive that does not answer for a moment is no defect of the change.
const DOWNLOAD_ATTEMPTS: u32 = 3;

enum Outcome {
    Passed,
    Failed,
    /// Not run, with the reason.
    LeftOut(String),
}

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    let mut wanted = Vec::new();
    for argument in arguments {
        match argument.to_str() {
            Some("--help" | "-h") => {
                print!("{HELP}");
                return Ok(Verdict::Fine);
            }
            Some(step) if STEPS.iter().any(|(name, _)| *name == step) => wanted.push(step.to_owned()),
            _ => return Err(Failure::new(HELP)),
        }
    }
    let mut summary = Vec::new();
    let mut fine = true;
    for (name, step) in STEPS {
        if !wanted.is_empty() && !wanted.iter().any(|step| step == name) {
            continue;
        }
        println!("=== {name}");
        let started = Instant::now();
        let result = match step() {
            Ok(Outcome::Passed) => "passed".to_owned(),
            Ok(Outcome::Failed) => {
                fine = false;
                "FAILED".to_owned()
            }
            Ok(Outcome::LeftOut(reason)) => format!("not run: {reason}"),
            Err(Failure(message)) => {
                fine = false;
                format!("FAILED: {message}")
            }
        };
        summary.push(format!("{name:<6} {:>5.0} s  {result}", started.elapsed().as_secs_f64()));
    }
    println!("=== summary");
    for line in summary {
        println!("{line}");
    }
    Ok(Verdict::fine_if(fine))
}

fn cargo(args: &[&str]) -> Result<Outcome, Failure> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    status(command.args(args))
}

/// Through cargo: a build of the whole workspace may have replaced the running program.
fn xtask(args: &[&str]) -> Result<Outcome, Failure> {
    let mut all = vec!["run", "--quiet", "--package", "xtask", "--"];
    all.extend(args);
    cargo(&all)
}

fn status(command: &mut Command) -> Result<Outcome, Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.current_dir(repository()).status().map_err(|e| Failure::io(Path::new(&name), &e))?;
    Ok(if status.success() { Outcome::Passed } else { Outcome::Failed })
}

fn build() -> Result<Outcome, Failure> {
    cargo(&["build", "--workspace", "--locked"])
}

fn tidy() -> Result<Outcome, Failure> {
    xtask(&["tidy"])
}

fn unit() -> Result<Outcome, Failure> {
    cargo(&["test", "--workspace", "--locked", "--no-fail-fast"])
}

fn test() -> Result<Outcome, Failure> {
    let all = xtask(&["test", "--modes", "default,preempt,collect"])?;
    // Programs that run long are started too often.
    let cancelled = xtask(&["test", "--modes", "cancel", "language", "reentrancy"])?;
    Ok(if matches!(all, Outcome::Passed) { cancelled } else { all })
}

fn handlers() -> Result<Outcome, Failure> {
    xtask(&["handlers"])
}

/// Our programs on the optimised binary, which `handlers` has built: its handlers follow each other in another way.
fn release() -> Result<Outcome, Failure> {
    xtask(&["test", "--binary", "target/release/jumbo"])
}

fn attack() -> Result<Outcome, Failure> {
    xtask(&["attack"])
}

fn sites() -> Result<Outcome, Failure> {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        return Ok(Outcome::LeftOut("the driver of the example site needs python3".to_owned()));
    }
    xtask(&["apps", "guestbook"])
}

fn phpt() -> Result<Outcome, Failure> {
    if !oracle::php_sources().join("Zend/tests").is_dir() {
        if !is_root() {
            return Ok(Outcome::LeftOut("PHP's sources are missing, and installing them needs root".to_owned()));
        }
        // Stock PHP itself is not needed: its results are committed.
        download("sources")?;
    }
    // A test at the edge of its time limit may pass on one machine and not on another: a loss fails, a gain is only shown.
    let mut args = vec!["phpt", "--lenient"];
    args.extend(PHPT_FOLDERS);
    xtask(&args)
}

fn download(step: &str) -> Result<(), Failure> {
    for attempt in 1..=DOWNLOAD_ATTEMPTS {
        if matches!(xtask(&["oracle", step])?, Outcome::Passed) {
            return Ok(());
        }
        if attempt < DOWNLOAD_ATTEMPTS {
            eprintln!("oracle {step}: attempt {attempt} failed, trying again");
            std::thread::sleep(Duration::from_secs(10));
        }
    }
    Err(Failure::new(format!("oracle {step} failed {DOWNLOAD_ATTEMPTS} times")))
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
