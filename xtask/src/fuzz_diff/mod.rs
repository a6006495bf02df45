//! `cargo xtask fuzz-diff`: generated programs under stock PHP and under Jumbo, compared byte for byte.
//!
//! [`grammar`] makes a program out of a seed and a number, as a [`tree`]; [`run`] runs programs in batches; what differs is run again
//! alone, sorted out by [`known`], and made small by [`shrink`]. Differences are told once for each subject (the first line that
//! differs, without names and numbers); the rest is counted.

mod grammar;
mod known;
mod rng;
mod run;
mod shrink;
mod tree;

use crate::engine::Engine;
use crate::{Failure, Verdict, process, repository};
use grammar::library::Library;
use known::Known;
use rng::Rng;
use run::{Pair, Runner};
use similar::TextDiff;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tree::Node;

const HELP: &str = "\
cargo xtask fuzz-diff [OPTIONS]

Generates PHP programs, runs them under stock PHP and Jumbo, and shows what differs, made as small as possible.

  --seed S         the same seed makes the same programs (default 1)
  --programs N     how many (default 1000)
  --from N         begin with this program of the seed (default 0)
  --jobs J         batches at a time (default 1)
  --time SECONDS   stop after so long
  --keep DIR       where finds are written (default .work/fuzz-diff/found)
  --focus NAME     language, loops (what the optimiser looks at), library (builtins' arguments), all (default)
  --shrink N       finds to make small, at most (default 20)
  --print          print the programs, run nothing
  --binary PATH    this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
  --profile NAME   build profile of Jumbo (default dev)

Known differences stand in conformance/fuzz-known.txt with their reasons, and those of single programs, defects that are open, in
conformance/fuzz-open.txt. Runs as root (stock PHP is in a chroot).
";

/// Programs in one process of each engine.
const BATCH: u64 = 100;
/// Steps of shrinking tried in one batch.
const TRIES_AT_A_TIME: usize = 60;
/// A find is shrunk for so long at most.
const SHRINK_MAX: Duration = Duration::from_secs(90);

/// What programs are to be about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focus {
    All,
    Language,
    Loops,
    Library,
}

impl Focus {
    const ALL: [Focus; 4] = [Focus::All, Focus::Language, Focus::Loops, Focus::Library];

    fn name(self) -> &'static str {
        match self {
            Focus::All => "all",
            Focus::Language => "language",
            Focus::Loops => "loops",
            Focus::Library => "library",
        }
    }
}

struct Options {
    seed: u64,
    programs: u64,
    from: u64,
    jobs: usize,
    time: Option<Duration>,
    keep: PathBuf,
    focus: Focus,
    shrink: usize,
    print: bool,
    binary: Option<PathBuf>,
    profile: String,
}

fn options(arguments: Vec<OsString>) -> Result<Option<Options>, Failure> {
    use lexopt::prelude::*;
    let mut options = Options {
        seed: 1,
        programs: 1000,
        from: 0,
        jobs: 1,
        time: None,
        keep: repository().join(".work/fuzz-diff/found"),
        focus: Focus::All,
        shrink: 20,
        print: false,
        binary: None,
        profile: "dev".to_owned(),
    };
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("seed") => options.seed = parser.value()?.parse()?,
            Long("programs") => options.programs = parser.value()?.parse()?,
            Long("from") => options.from = parser.value()?.parse()?,
            Long("jobs") => options.jobs = parser.value()?.parse()?,
            Long("time") => options.time = Some(Duration::from_secs(parser.value()?.parse()?)),
            Long("keep") => options.keep = std::path::absolute(PathBuf::from(parser.value()?)).map_err(|e| Failure::new(e.to_string()))?,
            Long("shrink") => options.shrink = parser.value()?.parse()?,
            Long("focus") => {
                let name = parser.value()?.string()?;
                options.focus = Focus::ALL.into_iter().find(|focus| focus.name() == name).ok_or_else(|| Failure::new(HELP))?;
            }
            Long("print") => options.print = true,
            Long("binary") => options.binary = Some(parser.value()?.into()),
            Long("profile") => options.profile = parser.value()?.string()?,
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(None);
            }
            _ => return Err(argument.unexpected().into()),
        }
    }
    Ok(Some(options))
}

/// What a run has found.
#[derive(Default)]
struct Findings {
    known: BTreeMap<String, u64>,
    /// Numbers of the programs, by subject.
    new: BTreeMap<String, Vec<u64>>,
    shrunk: usize,
    /// Programs that ran too long to be compared.
    slow: u64,
}

struct Session<'o> {
    options: &'o Options,
    library: Library,
    known: Known,
    next: AtomicU64,
    done: AtomicU64,
    started: Instant,
    findings: Mutex<Findings>,
}

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    let Some(options) = options(arguments)? else { return Ok(Verdict::Fine) };
    let known = Known::read()?;
    let work = repository().join(".work/fuzz-diff").join(std::process::id().to_string());
    for folder in [&work, &options.keep] {
        fs::create_dir_all(folder).map_err(|e| Failure::io(folder, &e))?;
    }
    let jumbo = Engine::jumbo(options.binary.clone(), &options.profile)?;
    process::private_mounts().map_err(|e| Failure::new(format!("stock PHP runs in a chroot, as root: {e}")))?;
    let stock = Engine::stock(&[&work])?;
    let library = Library::of_both(&Runner::new(&stock, &jumbo, &work.join("0"))?)?;
    let session = Session {
        options: &options,
        library,
        known,
        next: AtomicU64::new(options.from),
        done: AtomicU64::new(0),
        started: Instant::now(),
        findings: Mutex::default(),
    };
    let result = if options.print {
        (options.from..options.from + options.programs).for_each(|number| println!("{}", session.program(number).print()));
        Ok(())
    } else {
        thread::scope(|scope| {
            let jobs: Vec<_> = (0..options.jobs.max(1))
                .map(|job| {
                    let runner = Runner::new(&stock, &jumbo, &work.join(job.to_string()));
                    let session = &session;
                    scope.spawn(move || session.batches(&runner?))
                })
                .collect();
            jobs.into_iter().try_for_each(|job| job.join().unwrap_or_else(|_| Err(Failure::new("a job panicked"))))
        })
    };
    // A leftover folder harms nobody: what matters is the result.
    drop(fs::remove_dir_all(&work));
    result?;
    Ok(if options.print { Verdict::Fine } else { session.report() })
}

impl Session<'_> {
    fn program(&self, number: u64) -> Node {
        grammar::program(Rng::new(self.options.seed, number), self.options.focus, &self.library)
    }

    fn batches(&self, runner: &Runner) -> Result<(), Failure> {
        let end = self.options.from + self.options.programs;
        loop {
            let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= end || self.options.time.is_some_and(|time| self.started.elapsed() > time) {
                return Ok(());
            }
            let numbers: Vec<u64> = (first..end.min(first + BATCH)).collect();
            let trees: Vec<Node> = numbers.iter().map(|&number| self.program(number)).collect();
            let texts: Vec<String> = trees.iter().map(Node::print).collect();
            let pairs = runner.pairs(&texts)?;
            for (((number, tree), text), pair) in numbers.iter().zip(&trees).zip(&texts).zip(&pairs) {
                if pair.stock.is_none() || pair.differs() {
                    self.look_closer(runner, *number, tree, text, pair)?;
                } else if pair.stock.as_ref().is_some_and(|stock| stock.timed_out()) {
                    self.findings().slow += 1;
                }
            }
            let done = self.done.fetch_add(numbers.len() as u64, Ordering::Relaxed) + numbers.len() as u64;
            if done % (BATCH * 20) == 0 {
                let findings = self.findings();
                let (new, known) = (findings.new.values().map(Vec::len).sum::<usize>(), findings.known.values().sum::<u64>());
                eprintln!("{done} programs in {} s: {new} new, {known} known differences", self.started.elapsed().as_secs());
            }
        }
    }

    fn findings(&self) -> std::sync::MutexGuard<'_, Findings> {
        self.findings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A program that differed in its batch (`beside` the others), or that a batch did not come to because one before it printed without
    /// end: alone, then in small.
    fn look_closer(&self, runner: &Runner, number: u64, tree: &Node, text: &str, beside: &Pair) -> Result<(), Failure> {
        let pair = runner.pair(text)?;
        if pair.stock.as_ref().is_none_or(|stock| stock.timed_out()) {
            self.findings().slow += 1;
            return Ok(());
        }
        if !pair.differs() {
            if beside.stock.is_some() && beside.jumbo.is_some() {
                // It differed beside others only: worth telling, and never seen where forks are clean.
                self.note("(differs in a batch, not alone)", number);
            }
            return Ok(());
        }
        let difference = known::first_difference(&pair);
        let open = || self.known.open(self.options.focus.name(), self.options.seed, number);
        if let Some(reason) = self.known.reason(&difference).or_else(open) {
            *self.findings().known.entry(reason.to_owned()).or_default() += 1;
            return Ok(());
        }
        let (is_first, may_shrink) = {
            let is_first = self.note(&known::subject(&difference), number);
            let mut findings = self.findings();
            let may_shrink = is_first && findings.shrunk < self.options.shrink;
            findings.shrunk += usize::from(may_shrink);
            (is_first, may_shrink)
        };
        if is_first {
            let small = if may_shrink { self.smallest(runner, tree, &pair)? } else { tree.clone() };
            self.tell(runner, number, &small, !may_shrink)?;
        }
        Ok(())
    }

    /// Counts a difference; is it the first of its subject?
    fn note(&self, subject: &str, number: u64) -> bool {
        let mut findings = self.findings();
        let numbers = findings.new.entry(subject.to_owned()).or_default();
        numbers.push(number);
        numbers.len() == 1
    }

    fn smallest(&self, runner: &Runner, tree: &Node, pair: &Pair) -> Result<Node, Failure> {
        let started = Instant::now();
        let mut best = tree.clone();
        let refused = refused_by_stock(pair);
        'steps: loop {
            let candidates = shrink::candidates(&best);
            for few in candidates.chunks(TRIES_AT_A_TIME) {
                if started.elapsed() > SHRINK_MAX {
                    return Ok(best);
                }
                let texts: Vec<String> = few.iter().map(Node::print).collect();
                let pairs = runner.pairs(&texts)?;
                let smaller = few.iter().zip(&pairs).find(|(_, pair)| {
                    // A mistake in the candidate must not take the place of the difference looked for.
                    pair.differs()
                        && (refused || !refused_by_stock(pair))
                        && self.known.reason(&known::first_difference(pair)).is_none()
                });
                if let Some((smaller, _)) = smaller {
                    best = smaller.clone();
                    continue 'steps;
                }
            }
            return Ok(best);
        }
    }

    fn tell(&self, runner: &Runner, number: u64, small: &Node, whole: bool) -> Result<(), Failure> {
        let text = small.print();
        let pair = runner.pair(&text)?;
        let with_stderr = runner.jumbo_with_stderr(&text)?;
        let stock = pair.stock.map(|e| e.output).unwrap_or_default();
        let jumbo = with_stderr.map(|e| [e.output, format!("\n(status {})\n", e.status).into_bytes()].concat()).unwrap_or_default();
        let name = format!("{}-{number}", self.options.seed);
        let mut report = format!("=== seed {} program {number}{}\n", self.options.seed, if whole { " (not made smaller)" } else { "" });
        if !whole {
            report.push_str(&text);
            report.push('\n');
        }
        let diff = TextDiff::from_lines(stock.as_slice(), jumbo.as_slice());
        report.push_str(&diff.unified_diff().context_radius(3).header("stock", "jumbo").to_string());
        println!("{report}");
        for (suffix, bytes) in [("php", text.as_bytes()), ("stock", &stock), ("jumbo", &jumbo)] {
            let path = self.options.keep.join(format!("{name}.{suffix}"));
            fs::write(&path, bytes).map_err(|e| Failure::io(&path, &e))?;
        }
        Ok(())
    }

    fn report(&self) -> Verdict {
        let findings = self.findings();
        println!("--- differences by their first line");
        let mut subjects: Vec<_> = findings.new.iter().collect();
        subjects.sort_by_key(|(_, numbers)| std::cmp::Reverse(numbers.len()));
        for (subject, numbers) in subjects {
            let listed: Vec<String> = numbers.iter().map(u64::to_string).collect();
            println!("{:6}  first {}: {subject}", numbers.len(), listed.join(", "));
        }
        for (reason, count) in &findings.known {
            println!("{count:6}  known: {reason}");
        }
        println!(
            "seed {}, {} programs from {}, {} s: {} new differences of {} subjects, {} known, {} too slow to compare",
            self.options.seed,
            self.done.load(Ordering::Relaxed),
            self.options.from,
            self.started.elapsed().as_secs(),
            findings.new.values().map(Vec::len).sum::<usize>(),
            findings.new.len(),
            findings.known.values().sum::<u64>(),
            findings.slow,
        );
        Verdict::fine_if(findings.new.is_empty())
    }
}

/// Does stock PHP refuse the program before it runs?
fn refused_by_stock(pair: &Pair) -> bool {
    pair.stock.as_ref().is_some_and(|stock| {
        let starts = |start: &[u8]| stock.output.starts_with(start);
        starts(b"\nParse error") || (starts(b"\nFatal error") && !starts(b"\nFatal error: Uncaught"))
    })
}
