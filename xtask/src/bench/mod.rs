//! `cargo xtask bench`: times PHP programs under Jumbo and under stock PHP with opcache.
//!
//! Results are ratios of medians of CPU time (user and system), Jumbo's over stock's, from runs that alternate between the engines.
//! CPU time and not wall time: what else the machine does then counts less. The time of an empty script is taken off first, so that
//! nobody's start is measured. `--record` appends them to benches/results.jsonl with commit and machine. `--instructions` counts Jumbo's
//! instructions instead (benches/instructions.jsonl), and `--report` shows two commits beside each other. `bench ops` times single operations, `bench pages`
//! pages of applications beside php-fpm.

mod instructions;
mod ops;
mod pages;
mod report;

use crate::engine::{Engine, Sapi};
use crate::process::{self, Exit, Job, Outcome};
use crate::test::SETTINGS;
use crate::{Failure, Verdict, oracle, repository};
use serde_json::json;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const HELP: &str = "\
cargo xtask bench [OPTIONS] [FILTER...]
cargo xtask bench ops [OPTIONS] [FILTER]
cargo xtask bench pages [OPTIONS] [FILTER...]

Times benches/*.php, and bench.php and micro_bench.php of PHP's sources, under Jumbo and stock PHP with opcache.
FILTER: only benchmarks whose name contains one of them.

ops: times the operations of benches/ops/ops.php instead, the worst first (six minutes); FILTER: only those whose name contains it.
pages: the CPU time of pages of applications beside php-fpm's, as root (ten minutes; `jumbo bench setup` first, if need be: three more).

  --rounds N       runs of each benchmark under each engine, alternating (default 5)
  --instructions   instead, the instructions that Jumbo executes (under callgrind; some ten minutes); pages: also those of both engines (half an hour)
  --record         append the ratios to benches/results.jsonl (of ops and pages: benches/ops.jsonl, benches/pages.jsonl), or the instructions to benches/instructions.jsonl
  --report A B     from the records, two commits beside each other; nothing is measured
  --binary PATH    this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
  --profile NAME   build profile of Jumbo (default release)
";

/// Stock as it is deployed for the web: opcache, no JIT. Files written a moment ago are cached, and so optimised, too.
const STOCK_SETTINGS: &[&str] = &["opcache.enable_cli=1", "opcache.jit=disable", "opcache.file_update_protection=0"];

const RESULTS: &str = "benches/results.jsonl";
const INSTRUCTIONS: &str = "benches/instructions.jsonl";
const OPERATIONS: &str = "benches/ops.jsonl";
const PAGES: &str = "benches/pages.jsonl";

const WALL_MAX: Duration = Duration::from_secs(300);

struct Benchmark {
    name: String,
    script: PathBuf,
    /// Whether both engines must print the same: PHP's own benchmarks print times.
    same_output: bool,
}

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    use lexopt::prelude::*;
    let (mut filters, mut binary, mut profile) = (Vec::new(), None, "release".to_owned());
    let (mut rounds, mut record, mut instructions) = (5_usize, false, false);
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("rounds") => rounds = parser.value()?.parse()?,
            Long("record") => record = true,
            Long("instructions") => instructions = true,
            Long("report") => {
                let (before, after) = (parser.value()?.string()?, parser.value()?.string()?);
                print!("{}", report::table(&before, &after)?);
                return Ok(Verdict::Fine);
            }
            Long("binary") => binary = Some(parser.value()?.into()),
            Long("profile") => profile = parser.value()?.string()?,
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(Verdict::Fine);
            }
            Value(filter) => filters.push(filter.string()?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    if filters.first().is_some_and(|first| first == "ops") {
        let jumbo = Engine::jumbo(binary, &profile)?;
        let stock = stock(&[])?;
        return ops::run(&stock, &jumbo, filters.get(1), rounds.max(1), record.then_some(&profile));
    }
    if filters.first().is_some_and(|first| first == "pages") {
        let jumbo = Engine::jumbo(binary, &profile)?;
        return pages::run(&jumbo, &filters[1..], rounds.max(1), instructions, record.then_some(&profile));
    }
    let mut benchmarks = benchmarks()?;
    benchmarks.retain(|b| filters.is_empty() || filters.iter().any(|filter| b.name.contains(filter.as_str())));
    if benchmarks.is_empty() {
        return Err(Failure::new("no such benchmark"));
    }
    let jumbo = Engine::jumbo(binary, &profile)?;
    if instructions {
        return count(&benchmarks, &jumbo, record.then_some(&profile));
    }
    let stock = stock(&benchmarks)?;

    let empty = repository().join("benches/empty.inc");
    let empty = Benchmark { name: "start".to_owned(), script: empty, same_output: true };
    let start = measure(&empty, &stock, &jumbo, rounds.max(5), (0.0, 0.0)).map_err(Failure::new)?;
    println!("{:<24} {:>10} {:>10} {:>7}", "", "stock ms", "jumbo ms", "ratio");
    println!("{:<24} {:>10.1} {:>10.1}", "start (taken off)", start.0, start.1);
    let mut ratios = serde_json::Map::new();
    let mut broken = 0;
    for benchmark in &benchmarks {
        match measure(benchmark, &stock, &jumbo, rounds.max(1), start) {
            Ok((stock_ms, jumbo_ms)) => {
                let ratio = jumbo_ms / stock_ms;
                println!("{:<24} {stock_ms:>10.1} {jumbo_ms:>10.1} {ratio:>7.2}", benchmark.name);
                ratios.insert(benchmark.name.clone(), json!((ratio * 1000.0).round() / 1000.0));
            }
            Err(reason) => {
                println!("{:<24} {reason}", benchmark.name);
                broken += 1;
            }
        }
    }
    let mean = geometric_mean(ratios.values().filter_map(serde_json::Value::as_f64));
    println!("{:<24} {:>10} {:>10} {mean:>7.2}   geometric mean of {}", "", "", "", ratios.len());
    if record {
        let line = json!({
            "commit": commit(),
            "date": date(),
            "machine": machine(),
            "stock": STOCK_SETTINGS.join(" "),
            "profile": profile,
            "rounds": rounds,
            "geometric_mean": (mean * 1000.0).round() / 1000.0,
            "ratios": ratios,
        });
        append(RESULTS, &line)?;
    }
    println!("{} measured, {broken} failed", benchmarks.len() - broken);
    Ok(Verdict::fine_if(broken == 0))
}

/// Stock PHP, which sees the benchmarks.
fn stock(benchmarks: &[Benchmark]) -> Result<Engine, Failure> {
    let mut folders: Vec<PathBuf> = benchmarks.iter().filter_map(|b| b.script.parent()).map(Path::to_path_buf).collect();
    folders.push(repository().join("benches"));
    folders.sort();
    folders.dedup();
    process::private_mounts().map_err(|e| Failure::new(format!("stock PHP runs in a chroot, as root: {e}")))?;
    Engine::stock(&folders.iter().map(PathBuf::as_path).collect::<Vec<_>>())
}

/// `--instructions`. `record`: the profile, if the counts are to be recorded.
fn count(benchmarks: &[Benchmark], jumbo: &Engine, record: Option<&String>) -> Result<Verdict, Failure> {
    let mut counts = serde_json::Map::new();
    for benchmark in benchmarks {
        match instructions::count(benchmark, jumbo) {
            Ok(count) => {
                println!("{:<24} {:>10.1} million", benchmark.name, count as f64 / 1e6);
                counts.insert(benchmark.name.clone(), json!(count));
            }
            Err(reason) => println!("{:<24} {reason}", benchmark.name),
        }
    }
    let broken = benchmarks.len() - counts.len();
    println!("{} measured, {broken} failed", counts.len());
    if let Some(profile) = record {
        append(INSTRUCTIONS, &json!({ "commit": commit(), "date": date(), "profile": profile, "instructions": counts }))?;
    }
    Ok(Verdict::fine_if(broken == 0))
}

/// Adds a record to a file of them.
fn append(file: &str, record: &serde_json::Value) -> Result<(), Failure> {
    let path = repository().join(file);
    let file = OpenOptions::new().create(true).append(true).open(&path);
    file.and_then(|mut file| writeln!(file, "{record}")).map_err(|e| Failure::io(&path, &e))
}

fn benchmarks() -> Result<Vec<Benchmark>, Failure> {
    let mut found = Vec::new();
    let folder = repository().join("benches");
    if folder.is_dir() {
        for entry in fs::read_dir(&folder).map_err(|e| Failure::io(&folder, &e))? {
            let script = entry.map_err(|e| Failure::io(&folder, &e))?.path();
            if script.extension().is_some_and(|extension| extension == "php") {
                let name = script.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                found.push(Benchmark { name, script, same_output: true });
            }
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    for name in ["bench", "micro_bench"] {
        let script = oracle::php_sources().join("Zend").join(format!("{name}.php"));
        if script.exists() {
            let script = fs::canonicalize(&script).map_err(|e| Failure::io(&script, &e))?;
            found.push(Benchmark { name: format!("Zend/{name}"), script, same_output: false });
        }
    }
    Ok(found)
}

/// The medians of the CPU times in milliseconds beyond those of `start`, stock's first.
fn measure(
    benchmark: &Benchmark,
    stock: &Engine,
    jumbo: &Engine,
    rounds: usize,
    start: (f64, f64),
) -> Result<(f64, f64), String> {
    let (mut stock_ms, mut jumbo_ms) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let start = process::children_cpu();
        let expected = once(benchmark, stock)?;
        let between = process::children_cpu();
        let found = once(benchmark, jumbo)?;
        let end = process::children_cpu();
        if benchmark.same_output && expected.output != found.output {
            return Err("prints something else than under stock PHP".to_owned());
        }
        stock_ms.push((between - start).as_secs_f64() * 1e3);
        jumbo_ms.push((end - between).as_secs_f64() * 1e3);
    }
    Ok(((median(&mut stock_ms) - start.0).max(0.1), (median(&mut jumbo_ms) - start.1).max(0.1)))
}

fn job(script: &Path, engine: &Engine) -> Job {
    let mut args: Vec<OsString> = Vec::new();
    let extra = if engine.is_stock() { STOCK_SETTINGS } else { &[] };
    // Assertions are off in production.
    for setting in SETTINGS.iter().filter(|s| !s.starts_with("zend.assertions")).chain(extra).chain(&["zend.assertions=-1"]) {
        args.push("-d".into());
        args.push(setting.into());
    }
    args.push(script.as_os_str().to_owned());
    let mut job = engine.job(Sapi::Cli, args, script.parent().unwrap_or(Path::new("/")));
    job.wall_max = WALL_MAX;
    job.address_space_max = 0;
    job
}

fn once(benchmark: &Benchmark, engine: &Engine) -> Result<Outcome, String> {
    let outcome = job(&benchmark.script, engine).run().map_err(|e| format!("cannot run {}: {e}", engine.name()))?;
    match outcome.exit {
        Exit::Code(0) => Ok(outcome),
        exit => {
            let last = String::from_utf8_lossy(&outcome.output).trim().lines().last().unwrap_or_default().to_owned();
            Err(format!("{}: {exit}: {last}", engine.name()))
        }
    }
}

fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = ratios.map(f64::ln).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

/// The short commit, with `+` if the tree has changes.
fn commit() -> String {
    let root = repository();
    let git = |args: &[&str]| words(Command::new("git").args(args).current_dir(&root));
    let dirty = !git(&["status", "--porcelain", "--untracked-files=no"]).is_empty();
    format!("{}{}", git(&["rev-parse", "--short", "HEAD"]), if dirty { "+" } else { "" })
}

fn date() -> String {
    words(Command::new("date").args(["-u", "+%F"]))
}

fn machine() -> serde_json::Value {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    json!({
        "cores": std::thread::available_parallelism().map_or(1, usize::from),
        "cpu": model.trim_start_matches([' ', '\t', ':']),
    })
}

/// What a command prints, trimmed; empty if it cannot be run.
fn words(command: &mut Command) -> String {
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn medians() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(&mut []), 0.0);
    }
}
