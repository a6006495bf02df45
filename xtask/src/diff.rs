//! `cargo xtask diff`: runs PHP files under stock PHP and under Jumbo and shows where standard output or the exit code
//! differ.

use crate::engine::Engine;
use crate::process;
use crate::test;
use crate::{Failure, Verdict, repository};
use similar::TextDiff;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

const HELP: &str = "\
cargo xtask diff [OPTIONS] FILES OR FOLDERS...

Runs each PHP file in its own folder under both engines (with the settings of `cargo xtask test`) and prints the first
difference of what they print, and of their exit codes.

  -r CODE          compare this code (without <?php)
  --full           the whole difference
  --show           print what stock PHP prints when there is no difference
  --binary PATH    this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
  --profile NAME   build profile of Jumbo (default dev)
";

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    use lexopt::prelude::*;
    let (mut paths, mut code, mut binary) = (Vec::<PathBuf>::new(), Vec::<String>::new(), None);
    let (mut full, mut show, mut profile) = (false, false, "dev".to_owned());
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Short('r') => code.push(parser.value()?.string()?),
            Long("full") => full = true,
            Long("show") => show = true,
            Long("binary") => binary = Some(parser.value()?.into()),
            Long("profile") => profile = parser.value()?.string()?,
            Long("release") => profile = "release".to_owned(),
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(Verdict::Fine);
            }
            Value(path) => paths.push(path.into()),
            _ => return Err(argument.unexpected().into()),
        }
    }
    if paths.is_empty() && code.is_empty() {
        return Err(Failure::new(HELP));
    }

    let mut scripts = Vec::new();
    for path in &paths {
        let path = fs::canonicalize(path).map_err(|e| Failure::io(path, &e))?;
        if path.is_dir() {
            scripts.extend(test::scripts(&path)?);
        } else {
            scripts.push(path);
        }
    }
    let snippets = repository().join(".work/diff").join(std::process::id().to_string());
    for (number, code) in code.iter().enumerate() {
        fs::create_dir_all(&snippets).map_err(|e| Failure::io(&snippets, &e))?;
        let file = snippets.join(format!("code{}.php", number + 1));
        fs::write(&file, format!("<?php\n{code}\n")).map_err(|e| Failure::io(&file, &e))?;
        scripts.push(file);
    }
    let result = compare(&scripts, binary, &profile, full, show);
    if !code.is_empty() {
        fs::remove_dir_all(&snippets).map_err(|e| Failure::io(&snippets, &e))?;
    }
    result
}

fn compare(
    scripts: &[PathBuf],
    binary: Option<PathBuf>,
    profile: &str,
    full: bool,
    show: bool,
) -> Result<Verdict, Failure> {
    let jumbo = Engine::jumbo(binary, profile)?;
    process::private_mounts().map_err(|e| Failure::new(format!("stock PHP runs in a chroot, as root: {e}")))?;
    let stock = Engine::stock(&folders(scripts))?;
    let mut different = 0;
    for script in scripts {
        let run = |engine| test::execute(engine, script, &[]).map_err(Failure::new);
        let (expected, found) = (run(&stock)?, run(&jumbo)?);
        let name = script.display();
        if expected.output == found.output && expected.exit == found.exit {
            if show {
                print!("{}", String::from_utf8_lossy(&expected.output));
            }
            continue;
        }
        different += 1;
        if expected.output != found.output {
            println!("--- {name} under stock PHP\n+++ {name} under Jumbo");
            if full {
                let diff = TextDiff::from_lines(expected.output.as_slice(), found.output.as_slice());
                print!("{}", diff.unified_diff().context_radius(3));
            } else {
                print!("{}", test::difference(&expected.output, &found.output));
            }
        }
        if expected.exit != found.exit {
            println!("{name}: {} under stock PHP, {} under Jumbo", expected.exit, found.exit);
        }
    }
    println!("{} equal, {different} different", scripts.len() - different);
    Ok(Verdict::fine_if(different == 0))
}

/// What must be visible to both engines: the repository for files in it (they may include each other), else the file's
/// folder. A folder within another one is left out.
fn folders(scripts: &[PathBuf]) -> Vec<&Path> {
    let repository = repository();
    let mut all: Vec<&Path> = scripts
        .iter()
        .map(|script| {
            let in_repository = script.ancestors().find(|ancestor| **ancestor == repository);
            in_repository.or(script.parent()).unwrap_or(Path::new("/"))
        })
        .collect();
    all.sort();
    all.dedup_by(|inner, outer| inner.starts_with(outer));
    all
}

