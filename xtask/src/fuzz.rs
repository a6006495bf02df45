//! `cargo xtask fuzz`: coverage-guided fuzzing of what takes bytes from outside, with libFuzzer.
//!
//! The targets stand in fuzz/, a workspace of its own. Stable Rust suffices: the instrumentation is LLVM's, asked for with the same
//! flags that cargo-fuzz uses. Corpus and finds are kept in .work/fuzz/TARGET; seeds are our own PHP programs, and texts below.

use crate::{Failure, Verdict, repository, test};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const HELP: &str = "\
cargo xtask fuzz [OPTIONS] TARGET [-- LIBFUZZER OPTIONS]

TARGET: source (lexer, parser, compiler, verifier), data (unserialize, json_decode) or packets (what a MySQL server says).

  --minutes N    how long (default 10)
  --asan         with AddressSanitizer (needs the nightly toolchain)
  --build        build only

What is found is written to .work/fuzz/TARGET/found; `cargo xtask fuzz TARGET -- FILE` runs one file.
";

const TARGETS: &[&str] = &["source", "data", "packets"];

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

/// Seeds of `data`: the first byte says what the rest is (fuzz/data.php).
const DATA_SEEDS: &[&str] = &[
    "ui:-5;",
    "ud:0.1;",
    "ud:-INF;",
    "ub:1;",
    "uN;",
    "us:5:\"a\"b\u{e9};\";",
    "uS:4:\"a\\62c\";",
    "ua:2:{i:0;s:1:\"x\";s:1:\"k\";a:0:{}}",
    "ua:2:{i:0;a:0:{}i:1;R:2;}",
    "ua:3:{i:0;O:3:\"Any\":1:{s:1:\"a\";i:1;}i:1;r:2;i:2;R:2;}",
    "uO:3:\"Any\":5:{s:1:\"a\";N;s:4:\"\0*\0b\";i:1;s:6:\"\0Any\0c\";a:0:{}s:5:\"typed\";r:1;s:6:\"number\";i:7;}",
    "uO:5:\"Hooks\":2:{i:0;i:1;s:1:\"x\";R:1;}",
    "uO:7:\"Sleeper\":1:{s:4:\"kept\";s:1:\"v\";}",
    "uC:3:\"Old\":4:{i:1;}",
    "uE:11:\"Suit:Hearts\";",
    "uO:8:\"stdClass\":1:{s:1:\"p\";O:8:\"stdClass\":0:{}}",
    "uO:11:\"ArrayObject\":4:{i:0;i:0;i:1;a:1:{i:0;i:1;}i:2;a:0:{}i:3;N;}",
    "uO:16:\"SplObjectStorage\":2:{i:0;a:2:{i:0;O:8:\"stdClass\":0:{}i:1;N;}i:1;a:0:{}}",
    "uO:13:\"SplFixedArray\":1:{i:0;i:1;}",
    "uO:9:\"Exception\":1:{s:10:\"\0*\0message\";s:1:\"m\";}",
    "aO:3:\"Any\":0:{}",
    "aO:5:\"Hooks\":0:{}",
    "j{\"a\":[1,2.5e3,true,false,null,\"\\u00e9\\ud83d\\ude00\\n\"],\"\":{}}",
    "j[[[[]]],-0,1E-7,123456789012345678901234567890]",
    "J{\"k\":\"\u{e9}\",\"n\":9223372036854775808}",
    "v{\"a\":1}",
];

struct Options {
    target: String,
    minutes: u64,
    asan: bool,
    build: bool,
    more: Vec<OsString>,
}

fn options(arguments: Vec<OsString>) -> Result<Option<Options>, Failure> {
    use lexopt::prelude::*;
    let mut options = Options { target: String::new(), minutes: 10, asan: false, build: false, more: Vec::new() };
    let mut arguments = arguments.into_iter();
    let own: Vec<OsString> = arguments.by_ref().take_while(|a| a != "--").collect();
    options.more = arguments.collect();
    let mut parser = lexopt::Parser::from_args(own);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("minutes") => options.minutes = parser.value()?.parse()?,
            Long("asan") => options.asan = true,
            Long("build") => options.build = true,
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
    let status = command.status().map_err(|e| Failure::io(&program, &e))?;
    Ok(Verdict::fine_if(status.success()))
}

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

/// Conversations as fuzz/lib.rs reads them: a byte of options, then packets after their length; one without content waits for the client.
fn conversations() -> Vec<Vec<u8>> {
    let greeting = [
        b"\x0a5.5.5-10.11.6-MariaDB\0\x01\0\0\0abcdefgh\0".as_slice(),
        b"\xff\xf7\x2d\x02\0\xff\x81\x15\0\0\0\0\0\0\0\0\0\0ijklmnopqrst\0mysql_native_password\0",
    ]
    .concat();
    let (done, end): (&[u8], &[u8]) = (b"\0\0\0\x02\0\0\0", b"\xfe\0\0\x02\0");
    let more: &[u8] = b"\xfe\0\0\x0a\0";
    let error: &[u8] = b"\xff\x48\x04#HY000No";
    let column = |kind: u8| {
        let head: &[u8] = b"\x03def\0\x01t\x01t\x01a\x01a\x0c\x21\0\xff\0\0\0";
        [head, &[kind], b"\x01\0\0\0\0"].concat()
    };
    let (int, text) = (column(3), column(253));
    let (row, binary_row): (&[u8], &[u8]) = (b"\x0215\x03abc", b"\0\0\x0f\0\0\0\x03abc");
    let prepared: &[u8] = b"\0\x01\0\0\0\x02\0\x01\0\0\0\0";
    let wait: &[u8] = b"";
    let result: Vec<&[u8]> = vec![b"\x02", &int, &text, end, row, b"\xfb\xfb", end];
    let signed_in: Vec<&[u8]> = vec![&greeting, wait, done, wait];
    let mut whole = [signed_in.clone(), result.clone()].concat();
    whole.extend([wait, prepared, &text, end, &int, &text, end, wait, b"\x02", &int, &text, end, binary_row, end]);
    whole.extend([wait, wait, done, wait, b"Uptime: 1", wait, b"\x02", &int, &text, end, row, more, done]);
    let switched: Vec<&[u8]> = vec![&greeting, wait, b"\xfecaching_sha2_password\0abcdefghijklmnopqrst\0", wait, b"\x01\x03", done];
    let refused: Vec<&[u8]> = vec![&greeting, wait, error];
    let file = [signed_in, vec![b"\xfb/etc/passwd", done]].concat();
    let encode = |list: Vec<&[u8]>| list.iter().fold(vec![3], |all, packet| [all.as_slice(), &[packet.len() as u8], packet].concat());
    vec![encode(whole), encode(switched), encode(refused), encode(file), encode(vec![error]), encode(vec![&greeting])]
}

fn seed(target: &str, corpus: &Path) -> Result<(), Failure> {
    let write = |name: String, bytes: &[u8]| {
        let path = corpus.join(name);
        fs::write(&path, bytes).map_err(|e| Failure::io(&path, &e))
    };
    if target == "data" {
        for (n, text) in DATA_SEEDS.iter().enumerate() {
            write(format!("seed-{n}"), text.as_bytes())?;
        }
        return Ok(());
    }
    if target == "packets" {
        for (n, bytes) in conversations().iter().enumerate() {
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
