//! The daily commands of the project: `cargo xtask COMMAND`.
//!
//! One file per command. Commands print what they found and end with exit code 0 (fine), 1 (the thing checked is not
//! in order) or 2 (wrong use).

mod apps;
mod asan;
mod attack;
mod bench;
mod ci;
mod diff;
mod engine;
mod fuzz;
mod fuzz_diff;
mod generate;
mod handlers;
mod mariadb;
mod oracle;
mod phpt;
mod process;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask COMMAND

  ci                     everything the project requires of a change (build, tidy, tests, phpt)
  test [FILTER]          our own PHP programs with expected output (tests/php)
  phpt [PATHS...]        PHP's own tests, compared with the committed scores (conformance/)
  diff FILES...          output of PHP files under stock PHP and Jumbo
  handlers               do the interpreter's handlers follow each other by jumps (optimised binary)
  apps [SITE...]         whole sites, driven through HTTP (guestbook, dokuwiki)
  attack [FILTER...]     hostile requests, scripts and signals against `jumbo serve` (tests/attack)
  siege                  hostile requests for an hour, beside a page and a file
  fuzz TARGET            coverage-guided fuzzing of what takes bytes from outside
  fuzz-diff              generated programs under stock PHP and Jumbo
  tidy                   the rules of the house that a program can check
  gen                    builtins' descriptors and adapters from ext/*/stubs
  bench [FILTER]         benchmarks as ratios against stock PHP
  mariadb start|stop|... a database server for the tests of mysqli and pdo_mysql
  oracle install|php|... stock PHP to compare with, in a chroot

Each command explains itself with --help.
";

/// Why a command did not do its work; printed as is.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    pub fn new(message: impl Into<String>) -> Failure {
        Failure(message.into())
    }

    pub fn io(path: &Path, error: &std::io::Error) -> Failure {
        Failure(format!("{}: {error}", path.display()))
    }
}

impl From<lexopt::Error> for Failure {
    fn from(error: lexopt::Error) -> Failure {
        Failure(error.to_string())
    }
}

/// What a command found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Fine,
    Broken,
}

impl Verdict {
    pub fn fine_if(fine: bool) -> Verdict {
        if fine { Verdict::Fine } else { Verdict::Broken }
    }
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// The first line that a program prints, run at the root of the repository.
pub fn said(program: &str, arguments: &[&str]) -> Result<String, Failure> {
    let output = std::process::Command::new(program).args(arguments).current_dir(repository()).output();
    let output = output.map_err(|e| Failure::new(format!("cannot run {program}: {e}")))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
}

/// A reader that has seen enough (`| head`) ends the command without a word.
fn end_quietly_on_broken_pipe() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload().downcast_ref::<String>().is_some_and(|text| text.contains("Broken pipe")) {
            std::process::exit(141);
        }
        report(panic);
    }));
}

fn main() -> ExitCode {
    end_quietly_on_broken_pipe();
    let mut arguments = std::env::args_os().skip(1);
    let command = arguments.next().unwrap_or_default();
    let arguments: Vec<_> = arguments.collect();
    let result = match command.to_str() {
        Some("apps") => apps::run(arguments),
        Some("attack") => attack::run(arguments),
        Some("bench") => bench::run(arguments),
        Some("ci") => ci::run(arguments),
        Some("diff") => diff::run(arguments),
        Some("fuzz") => fuzz::run(arguments),
        Some("fuzz-diff") => fuzz_diff::run(arguments),
        Some("gen") => generate::run(arguments),
        Some("handlers") => handlers::run(arguments),
        Some("mariadb") => mariadb::run(arguments),
        Some("oracle") => oracle::run(arguments),
        Some("phpt") => phpt::run(arguments),
        Some("siege") => attack::siege::run(arguments),
        Some("test") => test::run(arguments),
        Some("tidy") => tidy::run(arguments),
        Some("help" | "--help" | "-h") => {
            print!("{HELP}");
            Ok(Verdict::Fine)
        }
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(Verdict::Fine) => ExitCode::SUCCESS,
        Ok(Verdict::Broken) => ExitCode::FAILURE,
        Err(Failure(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}
