//! `cargo xtask siege`: hostile requests for a long time, beside a page and a file that somebody waits for.
//!
//! Several clients request the scripts of `tests/attack/siege` in a random order, and leave some before the answer. Meanwhile a page and a
//! static file are requested again and again, each on a connection of its own; what their answers take is written down, and what the
//! server holds (memory, descriptors, threads) before and after. A program with a recorded result, no test: it depends on the machine.

use super::client::{self, Client};
use super::server::{Server, Start, wait_for};
use super::{Wrong, folder};
use crate::engine::{Engine, Sapi};
use crate::{Failure, Verdict, repository, said};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const HELP: &str = "\
cargo xtask siege [OPTIONS]

Hostile requests (tests/attack/siege) against `jumbo serve`, beside a page and a file; prints what became of them.

  --minutes N      how long (default 60)
  --clients N      hostile requests at a time (default 16)
  --executors N    of the server (default 2)
  --only NAME      only hostile scripts whose name contains this
  --binary PATH    this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
  --record         writes the result into conformance/siege.md
";

/// The page and the file that must be answered: what they contain.
const HEALTHY: [(&str, &str); 2] = [("/site/page.php", "the page is whole"), ("/site/alive.txt", "the file is here")];
/// Between two healthy requests.
const PAUSE: Duration = Duration::from_millis(10);
/// What a healthy answer may take.
const HEALTHY_MAX: Duration = Duration::from_millis(500);
const HEALTHY_P99: Duration = Duration::from_millis(50);
/// What the server may hold more at the end, in memory.
const GROWTH_MAX: f64 = 1.2;
const SERVER_OPTIONS: &[&str] = &["--terminate-after-ms", "3000", "-d", "memory_limit=128M", "-d", "max_execution_time=2"];

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    use lexopt::prelude::*;
    let (mut minutes, mut clients, mut executors, mut only, mut binary, mut record) = (60.0, 16u32, 2u32, String::new(), None, false);
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("minutes") => minutes = parser.value()?.parse()?,
            Long("clients") => clients = parser.value()?.parse()?,
            Long("executors") => executors = parser.value()?.parse()?,
            Long("only") => only = parser.value()?.string()?,
            Long("binary") => binary = Some(parser.value()?.into()),
            Long("record") => record = true,
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(Verdict::Fine);
            }
            _ => return Err(argument.unexpected().into()),
        }
    }
    let scripts: Vec<String> = scripts()?.into_iter().filter(|name| name.contains(&only)).collect();
    let engine = Engine::jumbo(binary, "release")?;
    let siege = Siege { scripts, clients, executors, length: Duration::from_secs_f64(minutes * 60.0) };
    let result = siege.lay(engine.program(Sapi::Cli)).map_err(Failure::new)?;
    let report = siege.report(&result)?;
    print!("{report}");
    if record {
        let path = repository().join("conformance/siege.md");
        fs::write(&path, &report).map_err(|e| Failure::io(&path, &e))?;
    }
    Ok(Verdict::fine_if(result.is_fine()))
}

/// The hostile scripts' names.
fn scripts() -> Result<Vec<String>, Failure> {
    let path = folder().join("siege");
    let entries = fs::read_dir(&path).map_err(|e| Failure::io(&path, &e))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<_> = names.filter(|name| name.ends_with(".php")).collect();
    names.sort();
    Ok(names)
}

struct Siege {
    scripts: Vec<String>,
    clients: u32,
    executors: u32,
    length: Duration,
}

/// What the server holds.
struct Holds {
    resident_kib: u64,
    descriptors: usize,
    threads: u64,
}

struct Outcome {
    /// Hostile requests: script and what came of it, how often.
    hostile: BTreeMap<(String, String), u64>,
    /// For each of [`HEALTHY`] what the answers took, sorted.
    healthy: [Vec<Duration>; 2],
    lost: Vec<String>,
    before: Holds,
    after: Holds,
    panics: Vec<String>,
}

impl Outcome {
    fn is_fine(&self) -> bool {
        let quick = |all: &Vec<Duration>| percentile(all, 99.0) < HEALTHY_P99 && all.last().is_some_and(|d| *d < HEALTHY_MAX);
        self.lost.is_empty() && self.panics.is_empty() && self.healthy.iter().all(quick) && self.growth() <= GROWTH_MAX && self.after.descriptors <= self.before.descriptors
            && self.after.threads <= self.before.threads
    }
    fn growth(&self) -> f64 {
        self.after.resident_kib as f64 / self.before.resident_kib as f64
    }
}

fn percentile(sorted: &[Duration], percent: f64) -> Duration {
    let at = (sorted.len() as f64 * percent / 100.0) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

/// Numbers that look random, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

impl Siege {
    fn lay(&self, binary: &Path) -> Result<Outcome, Wrong> {
        let executors = self.executors.to_string();
        let mut options = vec!["--executors", executors.as_str()];
        options.extend(SERVER_OPTIONS);
        let server = Start::new(binary).options(&options).start()?;
        // What is started or kept after a first time is no growth.
        for script in &self.scripts {
            self.attack(&server, script, None);
        }
        for (target, _) in HEALTHY {
            for _ in 0..200 {
                client::get(server.address, target)?;
            }
        }
        rest();
        let before = holds(&server)?;
        let over = AtomicBool::new(false);
        let hostile = Mutex::new(BTreeMap::new());
        let lost = Mutex::new(Vec::new());
        let healthy = std::thread::scope(|scope| {
            for number in 1..=self.clients {
                let (hostile, over, server) = (&hostile, &over, &server);
                scope.spawn(move || self.besiege(server, Random(u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15)), over, hostile));
            }
            let waiting = HEALTHY.map(|healthy| {
                let (over, server, lost) = (&over, &server, &lost);
                scope.spawn(move || wait_upon(server, healthy, over, lost))
            });
            let end = Instant::now() + self.length;
            while Instant::now() < end && server.ended().is_none() {
                std::thread::sleep(Duration::from_millis(500));
            }
            over.store(true, Ordering::Relaxed);
            waiting.map(|thread| thread.join().unwrap_or_default())
        });
        if let Some(status) = server.ended() {
            return Err(format!("the server has ended, {status}:\n{}", server.log()));
        }
        rest();
        let log = server.log();
        let panics = log.lines().filter(|line| line.contains("internal error") || line.contains("panicked at")).map(str::to_owned).collect();
        let after = holds(&server)?;
        server.signal("TERM")?;
        server.must_end()?;
        let take = |mutex: Mutex<Vec<String>>| mutex.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Outcome { hostile: hostile.into_inner().unwrap_or_else(PoisonError::into_inner), healthy, lost: take(lost), before, after, panics })
    }

    fn besiege(&self, server: &Server, mut random: Random, over: &AtomicBool, outcomes: &Mutex<BTreeMap<(String, String), u64>>) {
        while !over.load(Ordering::Relaxed) {
            let script = &self.scripts[random.below(self.scripts.len() as u64) as usize];
            // Every fourth client does not wait for its answer.
            let leaves_after = (random.below(4) == 0).then(|| Duration::from_millis(random.below(500)));
            let outcome = self.attack(server, script, leaves_after);
            *outcomes.lock().unwrap_or_else(PoisonError::into_inner).entry((script.clone(), outcome)).or_default() += 1;
        }
    }

    /// One hostile request: what came of it.
    fn attack(&self, server: &Server, script: &str, leaves_after: Option<Duration>) -> String {
        let answer = Client::connect(server.address).and_then(|mut client| {
            // Some leave while they send, some while the script runs.
            let body = if leaves_after.is_some_and(|pause| pause.as_millis() % 2 == 0) { "Content-Length: 100000\r\n\r\nhalf of it" } else { "Content-Length: 0\r\n\r\n" };
            let head = format!("POST /siege/{script} HTTP/1.1\r\nHost: attack.test\r\nConnection: close\r\n{body}");
            client.send(head.as_bytes()).map_err(|e| format!("cannot send: {e}"))?;
            match leaves_after {
                Some(pause) => {
                    std::thread::sleep(pause);
                    Ok(None)
                }
                None => client.answer(false).map(Some),
            }
        });
        match answer {
            Ok(Some(answer)) => answer.status.to_string(),
            Ok(None) => "left".to_owned(),
            Err(why) => why,
        }
    }

    fn report(&self, result: &Outcome) -> Result<String, Failure> {
        let commit = said("git", &["rev-parse", "--short", "HEAD"])?;
        let date = said("date", &["+%Y-%m-%d"])?;
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "# Under siege\n\nRecorded by `cargo xtask siege --minutes {:.0} --clients {} --executors {}` at {commit}, {date}.\n",
            self.length.as_secs_f64() / 60.0,
            self.clients,
            self.executors
        );
        let _ = writeln!(text, "| beside it | answers | p50, ms | p99, ms | p99.9, ms | longest, ms |\n|---|---:|---:|---:|---:|---:|");
        for ((target, _), took) in HEALTHY.iter().zip(&result.healthy) {
            let ms = |percent| percentile(took, percent).as_secs_f64() * 1000.0;
            let _ = writeln!(text, "| {target} | {} | {:.1} | {:.1} | {:.1} | {:.1} |", took.len(), ms(50.0), ms(99.0), ms(99.9), ms(100.0));
        }
        let _ = writeln!(text, "\nLost: {}. Panics: {}.", result.lost.len(), result.panics.len());
        for line in result.lost.iter().take(20).chain(result.panics.iter().take(20)) {
            let _ = writeln!(text, "- {line}");
        }
        let _ = writeln!(text, "\n| the server holds | before | after |\n|---|---:|---:|");
        let mib = |holds: &Holds| holds.resident_kib as f64 / 1024.0;
        let _ = writeln!(text, "| memory, MiB | {:.1} | {:.1} ({:.2}) |", mib(&result.before), mib(&result.after), result.growth());
        let _ = writeln!(text, "| descriptors | {} | {} |", result.before.descriptors, result.after.descriptors);
        let _ = writeln!(text, "| threads | {} | {} |", result.before.threads, result.after.threads);
        let _ = writeln!(text, "\n| hostile script | what came of it | how often |\n|---|---|---:|");
        for ((script, outcome), count) in &result.hostile {
            let _ = writeln!(text, "| {script} | {outcome} | {count} |");
        }
        Ok(text)
    }
}

/// Requests the page or the file again and again: what the answers took, sorted.
fn wait_upon(server: &Server, (target, text): (&str, &str), over: &AtomicBool, lost: &Mutex<Vec<String>>) -> Vec<Duration> {
    let mut took = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let began = Instant::now();
        match client::get(server.address, target) {
            Ok(body) if body.contains(text) => took.push(began.elapsed()),
            Ok(_) => lost.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{target}: another body")),
            Err(why) => lost.lock().unwrap_or_else(PoisonError::into_inner).push(why),
        }
        std::thread::sleep(PAUSE);
    }
    took.sort();
    took
}

/// Nothing is requested for a while, in which threads without work end and memory goes back.
fn rest() {
    std::thread::sleep(Duration::from_secs(30));
}

fn holds(server: &Server) -> Result<Holds, Wrong> {
    let folder = format!("/proc/{}", server.id());
    wait_for("the server's status", || {
        let status = fs::read_to_string(format!("{folder}/status")).ok()?;
        let number = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok());
        let descriptors = fs::read_dir(format!("{folder}/fd")).ok()?.count();
        Some(Holds { resident_kib: number("VmRSS:")?, descriptors, threads: number("Threads:")? })
    })
}
