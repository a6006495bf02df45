//! `cargo xtask fuzz`: coverage-guided fuzzing of what takes bytes from outside, with libFuzzer.
//!
//! The targets stand in fuzz/, a workspace of its own. Stable Rust suffices: the instrumentation is LLVM's, asked for with the same
//! flags that cargo-fuzz uses. Corpus and finds are kept in .work/fuzz/TARGET; seeds are our own PHP programs, and texts below.

mod seeds;

use crate::{Failure, Verdict, repository, said, test};
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const HELP: &str = "\
cargo xtask fuzz [OPTIONS] TARGET [-- LIBFUZZER OPTIONS]

TARGET: source (lexer, parser, compiler, verifier), data (unserialize, json_decode), packets (what a MySQL server says), dates (times, formats,
intervals, periods, zones), sessions (session data in the three formats), compressed (zlib, at once and in pieces), bodies (multipart and forms).

  --minutes N    how long (default 10)
  --asan         with AddressSanitizer (needs the nightly toolchain)
  --build        build only
  --record       write the run into conformance/fuzz-targets.md

What is found is written to .work/fuzz/TARGET/found; `cargo xtask fuzz TARGET -- FILE` runs one file.
";

const TARGETS: &[&str] = &["source", "data", "packets", "dates", "sessions", "compressed", "bodies"];

/// LLVM's edge coverage with comparisons, as libFuzzer wants it.
const INSTRUMENTATION: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "--cfg=fuzzing",
];

/// An input that takes longer is a hang; memory beyond the limit is a find, too.
const TIMEOUT_S: u32 = 20;
const RSS_MIB_MAX: u32 = 3072;
const INPUT_BYTES_MAX: u32 = 8192;

struct Options {
    target: String,
    minutes: u64,
    asan: bool,
    build: bool,
    record: bool,
    more: Vec<OsString>,
}

fn options(arguments: Vec<OsString>) -> Result<Option<Options>, Failure> {
    use lexopt::prelude::*;
    let mut options = Options { target: String::new(), minutes: 10, asan: false, build: false, record: false, more: Vec::new() };
    let mut arguments = arguments.into_iter();
    let own: Vec<OsString> = arguments.by_ref().take_while(|a| a != "--").collect();
    options.more = arguments.collect();
    let mut parser = lexopt::Parser::from_args(own);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("minutes") => options.minutes = parser.value()?.parse()?,
            Long("asan") => options.asan = true,
            Long("build") => options.build = true,
            Long("record") => options.record = true,
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(None);
            }
            Value(target) if options.target.is_empty() => options.target = target.string()?,
            _ => return Err(argument.unexpected().into()),
        }
    }
    if !TARGETS.contains(&options.target.as_str()) {
        return Err(Failure::new(HELP));
    }
    Ok(Some(options))
}

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    let Some(options) = options(arguments)? else { return Ok(Verdict::Fine) };
    let program = build(&options)?;
    if options.build {
        println!("{}", program.display());
        return Ok(Verdict::Fine);
    }
    let folder = repository().join(".work/fuzz").join(&options.target);
    let (corpus, found) = (folder.join("corpus"), folder.join("found"));
    for path in [&corpus, &found] {
        fs::create_dir_all(path).map_err(|e| Failure::io(path, &e))?;
    }
    let single = options.more.iter().any(|a| Path::new(a).is_file());
    let mut command = Command::new(&program);
    command.arg(format!("-artifact_prefix={}/", found.display()));
    command.arg(format!("-timeout={TIMEOUT_S}")).arg(format!("-rss_limit_mb={RSS_MIB_MAX}"));
    if !single {
        seed(&options.target, &corpus)?;
        command.arg(format!("-max_total_time={}", options.minutes * 60));
        command.arg(format!("-max_len={INPUT_BYTES_MAX}"));
        command.args(["-print_final_stats=1", "-reload=0"]);
        let words = repository().join("fuzz").join(format!("{}.dict", options.target));
        if words.exists() {
            command.arg(format!("-dict={}", words.display()));
        }
        command.arg(&corpus);
    }
    command.args(&options.more);
    // Its statistics are at the end of what it says on standard error.
    let mut child = command.stderr(Stdio::piped()).spawn().map_err(|e| Failure::io(&program, &e))?;
    let mut executions = None;
    if let Some(errors) = child.stderr.take() {
        for line in BufReader::new(errors).split(b'\n') {
            let line = line.map_err(|e| Failure::io(&program, &e))?;
            let text = String::from_utf8_lossy(&line);
            eprintln!("{text}");
            if let Some(number) = text.strip_prefix("stat::number_of_executed_units:") {
                executions = Some(number.trim().to_owned());
            }
        }
    }
    let status = child.wait().map_err(|e| Failure::io(&program, &e))?;
    if options.record && !single {
        let executions = executions.ok_or_else(|| Failure::new("the fuzzer has not told how much it did: nothing is recorded"))?;
        record(&options, &executions, status.success())?;
    }
    Ok(Verdict::fine_if(status.success()))
}

/// One line a run; newest last.
fn record(options: &Options, executions: &str, clean: bool) -> Result<(), Failure> {
    let path = repository().join("conformance/fuzz-targets.md");
    let mut log = match fs::read_to_string(&path) {
        Ok(log) => log,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => LOG_HEAD.to_owned(),
        Err(e) => return Err(Failure::io(&path, &e)),
    };
    let found = if clean { "none" } else { "a find: it ended the run" };
    log += &format!("| {} | {} | {} | {} | {executions} | {found} |\n", said("date", &["-u", "+%F"])?, said("git", &["log", "-1", "--format=%h"])?, options.target, options.minutes);
    fs::write(&path, log).map_err(|e| Failure::io(&path, &e))
}

const LOG_HEAD: &str = "\
# Runs of the fuzz targets

`cargo xtask fuzz TARGET --minutes N --record` writes them: debug assertions and overflow checks on, inputs of up to 8 KiB, a request heap of 64 MiB. A
find is a panic, a wrong answer, 20 s for one input, or 3 GiB for the process.

| date | commit | target | minutes | executions | finds |
|---|---|---|---|---|---|
";


/// Builds for an explicit target, so that build scripts and procedural macros are not instrumented.
fn build(options: &Options) -> Result<PathBuf, Failure> {
    let triple = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let root = repository();
    let target_dir = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from).join("fuzz");
    let mut flags = INSTRUMENTATION.join(" ");
    let mut command = Command::new("cargo");
    if options.asan {
        flags.push_str(" -Zsanitizer=address");
        command.arg("+nightly");
    }
    command.args(["build", "--release", "--target", &triple, "--bin", &options.target, "--manifest-path"]);
    command.arg(root.join("fuzz/Cargo.toml")).env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", &target_dir);
    let status = command.status().map_err(|e| Failure::new(format!("cannot run cargo: {e}")))?;
    if !status.success() {
        return Err(Failure::new("the fuzz targets do not build"));
    }
    Ok(target_dir.join(triple).join("release").join(&options.target))
}

fn seed(target: &str, corpus: &Path) -> Result<(), Failure> {
    let write = |name: String, bytes: &[u8]| {
        let path = corpus.join(name);
        fs::write(&path, bytes).map_err(|e| Failure::io(&path, &e))
    };
    if target != "source" {
        for (n, bytes) in seeds::of(target).iter().enumerate() {
            write(format!("seed-{n}"), bytes)?;
        }
        return Ok(());
    }
    for script in test::scripts(&repository().join("tests/php"))? {
        let bytes = fs::read(&script).map_err(|e| Failure::io(&script, &e))?;
        let name = script.file_name().unwrap_or_default().to_string_lossy();
        // Whole programs are long; the fuzzer learns more from their pieces.
        for (n, piece) in bytes.split(|&b| b == b'\n').collect::<Vec<_>>().chunks(40).enumerate() {
            let mut text = if n == 0 { Vec::new() } else { b"<?php\n".to_vec() };
            text.extend_from_slice(&piece.join(&b'\n'));
            write(format!("seed-{name}-{n}"), &text)?;
        }
    }
    Ok(())
}
