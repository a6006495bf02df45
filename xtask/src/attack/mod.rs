//! `cargo xtask attack`: what hostile clients, scripts and signals do to `jumbo serve`, and what must come of it.
//!
//! Three kinds of cases, a file each: raw HTTP requests (`tests/attack/http/*.http`, see [`http`]), scripts
//! (`tests/attack/scripts/*.php`, see [`scripts`]), and what needs a program: signals, limits of the system, many connections
//! ([`process`]). After every case the server must still answer a static file and a script, and must not have panicked. Nothing here
//! is measured: every wait is a limit far beyond what a busy machine needs.

mod case;
mod client;
mod http;
mod process;
mod scripts;
mod server;
pub mod siege;

use crate::engine::{Engine, Sapi};
use crate::{Failure, Verdict, repository};
use case::Facts;
use server::{Server, Start};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const HELP: &str = "\
cargo xtask attack [FILTER...] [OPTIONS]

Starts `jumbo serve` and attacks it; with FILTER only the cases whose name (http/NAME, scripts/NAME, process/NAME) contains one.

  --binary PATH    this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
  --profile NAME   build profile of Jumbo (default dev)
  --list           the names of the cases
";

/// How long anything may take that must come at all.
pub const ANSWER_WAIT_MAX: Duration = Duration::from_secs(30);

/// Why a case failed; printed below its name.
type Wrong = String;

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    use lexopt::prelude::*;
    let (mut filters, mut binary, mut profile, mut list) = (Vec::new(), None, "dev".to_owned(), false);
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("binary") => binary = Some(parser.value()?.into()),
            Long("profile") => profile = parser.value()?.string()?,
            Long("list") => list = true,
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(Verdict::Fine);
            }
            Value(filter) => filters.push(filter.string()?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    let cases: Vec<Case> = all_cases()?.into_iter().filter(|case| filters.is_empty() || filters.iter().any(|f| case.name.contains(f.as_str()))).collect();
    if list {
        cases.iter().for_each(|case| println!("{}", case.name));
        return Ok(Verdict::Fine);
    }
    if cases.is_empty() {
        return Err(Failure::new("no case has such a name: see cargo xtask attack --list"));
    }
    let engine = Engine::jumbo(binary, &profile)?;
    let binary = engine.program(Sapi::Cli);
    let (started, count) = (Instant::now(), cases.len());
    let mut failed = Vec::new();
    let mut servers = Servers { binary: binary.to_path_buf(), running: BTreeMap::new() };
    for case in cases {
        let outcome = match case.kind {
            Kind::Http(script) => servers.attack(&script.facts.options, |server| http::attack(&script, server)),
            Kind::Script(facts) => servers.attack(&facts.options, |server| scripts::attack(&case.name, &facts, server)),
            Kind::Process(attack) => attack(binary),
        };
        match outcome {
            Ok(()) => println!("fine  {}", case.name),
            Err(why) => {
                println!("WRONG {}: {why}", case.name);
                failed.push(case.name);
            }
        }
    }
    println!("attack: {} of {count} cases fine, {:.0} s", count - failed.len(), started.elapsed().as_secs_f64());
    Ok(Verdict::fine_if(failed.is_empty()))
}

struct Case {
    /// `http/NAME`, `scripts/NAME` or `process/NAME`.
    name: String,
    kind: Kind,
}

enum Kind {
    Http(http::RawCase),
    Script(Facts),
    Process(fn(&Path) -> Result<(), Wrong>),
}

/// The folder of the cases; it is also the document root of the servers.
pub fn folder() -> PathBuf {
    repository().join("tests/attack")
}

fn all_cases() -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for (name, path) in files("http", "http")? {
        let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, &e))?;
        let case = http::parse(&text).map_err(|why| Failure::new(format!("{}: {why}", path.display())))?;
        cases.push(Case { name, kind: Kind::Http(case) });
    }
    for (name, path) in files("scripts", "php")? {
        let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, &e))?;
        let facts = scripts::parse(&text).map_err(|why| Failure::new(format!("{}: {why}", path.display())))?;
        cases.push(Case { name, kind: Kind::Script(facts) });
    }
    for (name, attack) in process::CASES {
        cases.push(Case { name: format!("process/{name}"), kind: Kind::Process(*attack) });
    }
    Ok(cases)
}

/// The files of a folder of cases, as `FOLDER/NAME` and path, in the order of their names.
fn files(kind: &str, extension: &str) -> Result<Vec<(String, PathBuf)>, Failure> {
    let folder = folder().join(kind);
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|e| Failure::io(&folder, &e))? {
        let path = entry.map_err(|e| Failure::io(&folder, &e))?.path();
        if path.extension().is_some_and(|e| e == extension)
            && let Some(name) = path.file_stem()
        {
            found.push((format!("{kind}/{}", name.to_string_lossy()), path.clone()));
        }
    }
    found.sort();
    Ok(found)
}

/// A running server for each set of options that cases want: starting one for each case would be most of the time.
struct Servers {
    binary: PathBuf,
    running: BTreeMap<Vec<String>, Server>,
}

impl Servers {
    /// Runs one case against a server with these options, which must be sound afterwards; one that is not is replaced.
    fn attack(&mut self, options: &[String], case: impl FnOnce(&Server) -> Result<(), Wrong>) -> Result<(), Wrong> {
        if !self.running.contains_key(options) {
            let server = Start::new(&self.binary).options(options).start()?;
            self.running.insert(options.to_vec(), server);
        }
        let Some(server) = self.running.get(options) else { return Err("no server".to_owned()) };
        let outcome = case(server).and_then(|()| server.must_be_sound());
        if let Err(why) = outcome {
            let log = server.log();
            self.running.remove(options);
            return Err(if log.is_empty() { why } else { format!("{why}\n  the server's log:\n{log}") });
        }
        server.forget_log();
        Ok(())
    }
}
