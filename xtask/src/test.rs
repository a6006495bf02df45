//! `cargo xtask test`: our own PHP programs, tests/php/AREA/NAME.php, with what they must print, NAME.out.
//!
//! The convention (settings, `%DIR%`, `.exit`, helpers under `inc/`) is written down in tests/php/README.md. Expected
//! output comes from stock PHP alone: `--bless` runs stock, never Jumbo.

use crate::asan;
use crate::engine::{Engine, Sapi};
use crate::process::{self, Exit, Outcome};
use crate::{Failure, Verdict, repository};
use similar::TextDiff;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const HELP: &str = "\
cargo xtask test [OPTIONS] [FILTER...]

Runs tests/php/**/*.php under Jumbo and compares with the .out files. FILTER: only paths that contain one of them.

  --modes LIST     execution modes, separated by commas: default, interp, jit, preempt,
                   collect, cancel, or all (default: default)
  --binary PATH    this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
  --profile NAME   build profile of Jumbo (default dev)
  --jobs N         how many at a time (default: cores)
  --list           names of failing tests only
  --update         write what fails now to tests/php/known-failures.txt
  --bless          write the .out and .exit files of the tests from what stock PHP prints
  --stock          run the tests under stock PHP, to check the .out files themselves
  --asan           build with AddressSanitizer (target/asan; ten minutes the first time) and run under it, the request heap included: any
                   report fails the run; with --binary this binary, which was built so
";

/// A distribution's php.ini differs in these; tests/php/README.md lists the same.
pub const SETTINGS: &[&str] = &[
    "display_errors=1",
    "error_reporting=-1",
    "html_errors=0",
    "log_errors=0",
    "precision=14",
    "serialize_precision=-1",
    "zend.assertions=1",
    "zend.exception_ignore_args=0",
    "zend.exception_string_param_max_len=15",
    "short_open_tag=0",
    "memory_limit=128M",
    "variables_order=EGPCS",
];

/// How Jumbo is made to execute: name, and the environment that chooses it.
const MODES: &[(&str, &[(&str, &str)])] = &[
    ("default", &[]),
    ("interp", &[("JUMBO_JIT", "off")]),
    ("jit", &[("JUMBO_JIT", "always")]),
    ("preempt", &[("JUMBO_STRESS", "preempt")]),
    ("collect", &[("JUMBO_STRESS", "collect")]),
    ("cancel", &[("JUMBO_STRESS", "cancel")]),
];

pub type Mode = (&'static str, &'static [(&'static str, &'static str)]);

struct Options {
    filters: Vec<String>,
    modes: Vec<Mode>,
    binary: Option<PathBuf>,
    profile: String,
    jobs: usize,
    list: bool,
    bless: bool,
    stock: bool,
    update: bool,
    asan: bool,
}

fn options(arguments: Vec<OsString>) -> Result<Option<Options>, Failure> {
    use lexopt::prelude::*;
    let mut options = Options {
        filters: Vec::new(),
        modes: vec![MODES[0]],
        binary: None,
        profile: "dev".to_owned(),
        jobs: thread::available_parallelism().map_or(1, usize::from),
        list: false,
        bless: false,
        stock: false,
        update: false,
        asan: false,
    };
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("modes") => options.modes = modes(&parser.value()?.string()?)?,
            Long("binary") => options.binary = Some(parser.value()?.into()),
            Long("profile") => options.profile = parser.value()?.string()?,
            Long("release") => options.profile = "release".to_owned(),
            Long("jobs") | Short('j') => options.jobs = parser.value()?.parse()?,
            Long("list") => options.list = true,
            Long("bless") => options.bless = true,
            Long("stock") => options.stock = true,
            Long("update") => options.update = true,
            Long("asan") => options.asan = true,
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(None);
            }
            Value(filter) => options.filters.push(filter.string()?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    Ok(Some(options))
}

/// The modes of a list like `preempt,collect`.
pub fn modes(list: &str) -> Result<Vec<Mode>, Failure> {
    let mut modes = Vec::new();
    for name in list.split(',') {
        let before = modes.len();
        modes.extend(MODES.iter().filter(|mode| name == "all" || mode.0 == name));
        if modes.len() == before {
            return Err(Failure::new(format!(
                "no mode {name:?}: default, interp, jit, preempt, collect, cancel or all"
            )));
        }
    }
    Ok(modes)
}

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    let Some(options) = options(arguments)? else { return Ok(Verdict::Fine) };
    let root = repository().join("tests/php");
    let root = fs::canonicalize(&root).map_err(|e| Failure::io(&root, &e))?;
    let mut scripts = scripts(&root)?;
    if !options.filters.is_empty() {
        scripts.retain(|script| {
            let path = script.to_string_lossy();
            options.filters.iter().any(|filter| path.contains(filter.trim_end_matches(".php")))
        });
    }
    let engine = if options.bless || options.stock {
        process::private_mounts().map_err(|e| Failure::new(format!("stock PHP runs in a chroot, as root: {e}")))?;
        Engine::stock(&[&root])?
    } else {
        let binary = match &options.binary {
            None if options.asan => Some(asan::build()?),
            given => given.clone(),
        };
        Engine::jumbo(binary, &options.profile)?
    };
    let reports = if options.asan { Some(asan::Reports::new()?) } else { None };
    let engine = match &reports {
        Some(reports) => engine.reporting_to(reports.folder()),
        None => engine,
    };
    let modes: &[Mode] = if engine.is_stock() { &MODES[..1] } else { &options.modes };

    let exceptions = lines(&root.join(STRESS_EXCEPTIONS))?;
    let work: Vec<(&PathBuf, Mode)> = modes
        .iter()
        .flat_map(|&mode| scripts.iter().map(move |s| (s, mode)))
        .filter(|(script, mode)| !exceptions.contains(&format!("{} {}", mode.0, relative(&root, script))))
        .collect();
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while let Some(&(script, mode)) = work.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = match &reports {
                        _ if options.bless => bless(&engine, script),
                        Some(reports) => reports.check(&engine, script, mode),
                        None => check(&engine, script, mode),
                    };
                    if let Err(complaint) = result {
                        let name = relative(&root, script);
                        complaints.lock().unwrap_or_else(PoisonError::into_inner).push((name, mode.0, complaint));
                    }
                }
            });
        }
    });
    let mut complaints = complaints.into_inner().unwrap_or_else(PoisonError::into_inner);
    complaints.sort();
    if let Some(reports) = &reports {
        // What a program prints is judged without the sanitizer.
        for (name, mode, complaint) in &complaints {
            println!("ASAN {name} in mode {mode}: {complaint}");
        }
        println!("{} programs without a report, {} with one ({})", work.len() - complaints.len(), complaints.len(), reports.folder().display());
        return Ok(Verdict::fine_if(complaints.is_empty()));
    }
    let judged = !engine.is_stock();
    let known = if judged { known_failures(&root)? } else { BTreeSet::new() };
    let failing: BTreeSet<&str> = complaints.iter().map(|(name, ..)| name.as_str()).collect();
    let now_passing: Vec<String> = scripts
        .iter()
        .map(|script| relative(&root, script))
        .filter(|name| known.contains(name) && !failing.contains(name.as_str()))
        .collect();
    let expected = complaints.iter().filter(|(name, ..)| known.contains(name)).count();
    for (name, mode, complaint) in complaints.iter().filter(|(name, ..)| options.list || !known.contains(name)) {
        match (options.list, modes.len()) {
            (true, _) => println!("{name}"),
            (false, 1) => println!("FAIL {name}: {complaint}"),
            (false, _) => println!("FAIL {name} in mode {mode}: {complaint}"),
        }
    }
    if judged && options.update {
        let mut names = known;
        names.retain(|name| !now_passing.contains(name));
        names.extend(failing.iter().map(|name| (*name).to_owned()));
        let text: String = names.iter().map(|name| format!("{name}\n")).collect();
        let path = root.join(KNOWN_FAILURES);
        fs::write(&path, text).map_err(|e| Failure::io(&path, &e))?;
        println!("{} passed, 0 failed, {} known to fail", work.len() - complaints.len(), complaints.len());
        return Ok(Verdict::Fine);
    }
    for name in &now_passing {
        println!("PASSES NOW {name}: take it out of tests/php/{KNOWN_FAILURES} (cargo xtask test --update)");
    }
    let failed = complaints.len() - expected + now_passing.len();
    let verb = if options.bless { "blessed" } else { "passed" };
    if expected != 0 {
        println!("{expected} known to fail (tests/php/{KNOWN_FAILURES})");
    }
    println!("{} {verb}, {failed} failed", work.len() - complaints.len() - now_passing.len());
    Ok(Verdict::fine_if(failed == 0))
}

/// Programs that fail for a known reason, one a line: the list must be exact, so a fix takes its line out.
const KNOWN_FAILURES: &str = "known-failures.txt";

/// Programs that rightly print something else under a stress, one a line: mode and name.
const STRESS_EXCEPTIONS: &str = "stress-exceptions.txt";

fn known_failures(root: &Path) -> Result<BTreeSet<String>, Failure> {
    lines(&root.join(KNOWN_FAILURES))
}

/// The lines of a file that need not be there.
fn lines(path: &Path) -> Result<BTreeSet<String>, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(e) => Err(Failure::io(path, &e)),
    }
}

/// The programs below `root`, sorted; helpers under `inc/` are not programs.
pub fn scripts(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Failure::io(&folder, &e))? {
            let path = entry.map_err(|e| Failure::io(&folder, &e))?.path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "inc") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "php") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn relative(root: &Path, script: &Path) -> String {
    script.strip_prefix(root).unwrap_or(script).to_string_lossy().into_owned()
}

/// Runs a program in its own folder; the output has `%DIR%` in place of that folder.
pub fn execute(engine: &Engine, script: &Path, env: &[(&str, &str)]) -> Result<Outcome, String> {
    let folder = script.parent().unwrap_or(Path::new("/"));
    let mut args: Vec<OsString> = Vec::with_capacity(SETTINGS.len() * 2 + 1);
    for setting in SETTINGS {
        args.push("-d".into());
        args.push(setting.into());
    }
    args.push(script.file_name().unwrap_or_default().to_owned());
    let mut job = engine.job(Sapi::Cli, args, folder);
    job.env.extend(env.iter().map(|(name, value)| (name.into(), value.into())));
    let mut outcome = job.run().map_err(|e| format!("cannot run {}: {e}", engine.name()))?;
    outcome.output = replace_folder(&outcome.output, folder);
    Ok(outcome)
}

fn replace_folder(output: &[u8], folder: &Path) -> Vec<u8> {
    let folder = folder.as_os_str().as_encoded_bytes();
    let mut replaced = Vec::with_capacity(output.len());
    let mut rest = output;
    while let Some(at) = rest.windows(folder.len()).position(|window| window == folder) {
        replaced.extend_from_slice(&rest[..at]);
        replaced.extend_from_slice(b"%DIR%");
        rest = &rest[at + folder.len()..];
    }
    replaced.extend_from_slice(rest);
    replaced
}

/// Whether a dumped string of the expected output begins with the program's folder: `string(58) "%DIR%/…`, `s:58:"%DIR%/…`.
fn states_length_of_folder(expected: &[u8]) -> bool {
    const FOLDER: &[u8] = b"\"%DIR%";
    let mut strings = expected.windows(FOLDER.len()).enumerate().filter(|(_, window)| *window == FOLDER);
    strings.any(|(at, _)| {
        let stated = expected[..at].strip_suffix(b") ").or_else(|| expected[..at].strip_suffix(b":"));
        stated.and_then(<[u8]>::last).is_some_and(u8::is_ascii_digit)
    })
}

fn check(engine: &Engine, script: &Path, mode: Mode) -> Result<(), String> {
    let expected_path = script.with_extension("out");
    let expected = fs::read(&expected_path).map_err(|e| format!("{}: {e}", expected_path.display()))?;
    let exit_path = script.with_extension("exit");
    let expected_exit = if exit_path.exists() {
        let text = fs::read_to_string(&exit_path).map_err(|e| format!("{}: {e}", exit_path.display()))?;
        text.trim().parse().map_err(|_| format!("{}: not a number", exit_path.display()))?
    } else {
        0
    };
    if states_length_of_folder(&expected) {
        return Err(format!("{}: states the length of a path, which holds in this folder only", expected_path.display()));
    }
    let outcome = execute(engine, script, mode.1)?;
    if outcome.output != expected {
        return Err(format!("output differs ({})\n{}", outcome.exit, difference(&expected, &outcome.output)));
    }
    if outcome.exit != Exit::Code(expected_exit) {
        return Err(format!("{}, expected exit code {expected_exit}", outcome.exit));
    }
    Ok(())
}

fn bless(engine: &Engine, script: &Path) -> Result<(), String> {
    let outcome = execute(engine, script, &[])?;
    let Exit::Code(code) = outcome.exit else { return Err(format!("stock PHP: {}", outcome.exit)) };
    let write = |path: PathBuf, bytes: &[u8]| fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()));
    write(script.with_extension("out"), &outcome.output)?;
    let exit_path = script.with_extension("exit");
    if code != 0 {
        return write(exit_path, format!("{code}\n").as_bytes());
    }
    match fs::remove_file(&exit_path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(format!("{}: {e}", exit_path.display())),
        _ => Ok(()),
    }
}

/// The first differing place, as a unified diff.
pub fn difference(expected: &[u8], output: &[u8]) -> String {
    let diff = TextDiff::from_lines(expected, output);
    match diff.unified_diff().context_radius(3).iter_hunks().next() {
        Some(hunk) => hunk.to_string(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{difference, replace_folder, states_length_of_folder};
    use std::path::Path;

    #[test]
    fn folder_is_replaced() {
        assert_eq!(replace_folder(b"in /a/b/c.php and /a/b", Path::new("/a/b")), b"in %DIR%/c.php and %DIR%");
        assert_eq!(replace_folder(b"", Path::new("/a")), b"");
    }

    #[test]
    fn lengths_of_paths_are_refused() {
        assert!(states_length_of_folder(b"string(9) \"%DIR%/a.php\""));
        assert!(states_length_of_folder(b"a:1:{i:0;s:9:\"%DIR%/a.php\";}"));
        assert!(!states_length_of_folder(b"include(\"%DIR%/a.php\"): %DIR%"));
    }

    #[test]
    fn only_the_first_difference() {
        let expected: String = (0..100).map(|i| format!("{i}\n")).collect();
        let output = expected.replace("\n5\n", "\nfive\n").replace("\n95\n", "\nninety-five\n");
        let shown = difference(expected.as_bytes(), output.as_bytes());
        assert!(shown.contains("-5\n+five\n"), "{shown}");
        assert!(!shown.contains("ninety"), "{shown}");
    }
}
