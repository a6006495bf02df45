//! The command line of `jumbo bench`.

use crate::engines::{Engine, Options};
use crate::load::Pace;
use crate::session::Settings;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

pub const HELP: &str = "\
jumbo bench measures PHP servers side by side on this machine.

  jumbo bench run TARGET...         requests a second, latency, CPU time and memory of each target on each engine
  jumbo bench ./site --url /        the same for a folder of your own (PATH*3: three times as often; --url may be repeated)
  jumbo bench sweep TARGET...       the same from 1 to 1,000 clients
  jumbo bench workers [TARGET]      numbers of workers x numbers of cores, on a page that only counts (openssl)
  jumbo bench pages [PAGE...]       CPU time of single pages beside php-fpm's, and instructions (--instructions)
  jumbo bench compare A.json B.json two sessions: what has changed
  jumbo bench report FILE.json...   one HTML file with charts (-o FILE)
  jumbo bench calibrate             the load generator beside wrk, on nginx
  jumbo bench setup [WHAT...]       installs what is compared with (root): base sources dokuwiki wordpress mediawiki symfony laravel, or all
  jumbo bench targets | engines     what there is

  --engines LIST     jumbo, jumbo:N (executors), fpm, fpm-jit, fpm:N (pool), fpm-keep, frankenphp, roadrunner, http://HOST:PORT
                     (default jumbo,fpm,fpm-jit)
  --quick            a first look: 3 runs of 2 s
  --clients N        clients of the closed loop (default 200; 1 for micro/*; workers: as many as workers); of the open loop, connections at most
  --rate N           open loop: N requests a second, latency from when they were due
  --duration S       seconds of a run (default 10; sweep 5; micro/* 2)
  --runs N           runs of each engine, in turns (default 10; sweep 3)
  --timeout S        how long an answer may take (default 60)
  --warmup-max S     how long to wait for a steady state (default 60)
  --points LIST      sweep: numbers of clients (default 1,2,5,10,20,50,100,200,500,1000)
  --workers LIST     workers: numbers of requests worked on at once (default 1,2,4,8,16,50,100,200)
  --cores LIST       workers: numbers of cores; elsewhere the cores that servers may use (0,1)
  --threads N        threads of the load generator (default: one for each 8 cores)
  --instructions     pages: also count the instructions of a warm request with callgrind (valgrind must be where php-fpm is)
  --json FILE        write everything: settings, environment, every run
  --html FILE        write the report
  --jumbo PATH       the Jumbo binary (default: this one)
  --root DIR         where php-fpm and nginx are installed (default /opt/jumbo-bench when it is there, else the system: /)
  --quiet            no progress

Results are canonical when nothing was changed from the standard. How they are made: docs/benchmark.md.
";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Run,
    Sweep,
    Workers,
    Pages,
    Compare,
    Report,
    Calibrate,
    Setup,
    Targets,
    Engines,
    Help,
}

#[derive(Debug)]
pub struct Arguments {
    pub command: Command,
    /// Targets, files, or what is to be set up.
    pub names: Vec<String>,
    pub engines: Vec<Engine>,
    pub urls: Vec<String>,
    pub settings: Settings,
    pub quick: bool,
    pub instructions: bool,
    pub points: Vec<usize>,
    pub workers: Vec<usize>,
    pub cores: Vec<usize>,
    pub options: Options,
    pub json: Option<PathBuf>,
    pub html: Option<PathBuf>,
    pub root: Option<PathBuf>,
}

/// Parses the arguments behind `jumbo bench`.
pub fn parse(arguments: Vec<OsString>) -> Result<Arguments, String> {
    use lexopt::prelude::*;
    let error = |e: lexopt::Error| e.to_string();
    let mut command = None;
    let mut names: Vec<String> = Vec::new();
    let mut engines: Vec<Engine> = Vec::new();
    let (mut urls, mut points, mut workers, mut cores) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut clients, mut rate, mut duration, mut runs, mut timeout, mut warmup_max, mut threads) = (None, None, None, None, None, None, None);
    let (mut quick, mut quiet, mut instructions) = (false, false, false);
    let (mut json, mut html, mut root, mut jumbo) = (None, None, None, None);
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next().map_err(error)? {
        let name = match argument {
            Long(name) => name.to_owned(),
            Short('o') => "html".to_owned(),
            Short('h') => "help".to_owned(),
            Value(value) => {
                let word = value.string().map_err(error)?;
                let known = match word.as_str() {
                    "run" => Some(Command::Run),
                    "sweep" => Some(Command::Sweep),
                    "workers" => Some(Command::Workers),
                    "pages" => Some(Command::Pages),
                    "compare" => Some(Command::Compare),
                    "report" => Some(Command::Report),
                    "calibrate" => Some(Command::Calibrate),
                    "setup" => Some(Command::Setup),
                    "targets" => Some(Command::Targets),
                    "engines" => Some(Command::Engines),
                    "help" => Some(Command::Help),
                    _ => None,
                };
                match (known, &command) {
                    (Some(known), None) if names.is_empty() => command = Some(known),
                    _ => names.push(word),
                }
                continue;
            }
            other => return Err(other.unexpected().to_string()),
        };
        let mut text = || parser.value().and_then(|v| v.string()).map_err(|e| e.to_string());
        match name.as_str() {
            "engines" => {
                for name in text()?.split(',').filter(|n| !n.is_empty()) {
                    let engine = Engine::parse(name)?;
                    if !engines.contains(&engine) {
                        engines.push(engine);
                    }
                }
            }
            "url" => urls.push(text()?),
            "quick" => quick = true,
            "quiet" => quiet = true,
            "instructions" => instructions = true,
            "clients" => clients = Some(whole("--clients", &text()?)?),
            "rate" => rate = Some(positive("--rate", &text()?)?),
            "duration" => duration = Some(seconds("--duration", &text()?)?),
            "timeout" => timeout = Some(seconds("--timeout", &text()?)?),
            "warmup-max" => warmup_max = Some(seconds("--warmup-max", &text()?)?),
            "runs" => runs = Some(whole("--runs", &text()?)?),
            "threads" => threads = Some(whole("--threads", &text()?)?),
            "points" => points = list("--points", &text()?, 1)?,
            "workers" => workers = list("--workers", &text()?, 1)?,
            "cores" => cores = list("--cores", &text()?, 0)?,
            "json" => json = Some(PathBuf::from(text()?)),
            "html" => html = Some(PathBuf::from(text()?)),
            "root" => root = Some(PathBuf::from(text()?)),
            "jumbo" => jumbo = Some(PathBuf::from(text()?)),
            "help" => command = Some(Command::Help),
            other => return Err(format!("--{other}: no such option")),
        }
    }
    // A folder alone is a run; nothing at all asks for help.
    let command = command.unwrap_or(if names.is_empty() && engines.is_empty() { Command::Help } else { Command::Run });
    let mut settings = Settings::standard();
    if command == Command::Sweep {
        settings.duration = Duration::from_secs(5);
        settings.runs = 3;
    }
    if command == Command::Pages {
        settings.clients = Some(16);
        settings.duration = Duration::from_secs(5);
        settings.runs = 3;
    }
    if command == Command::Workers {
        settings.runs = 3;
        settings.timeout = Duration::from_secs(300);
    }
    if quick {
        settings = settings.quick();
        if command != Command::Run {
            settings.duration = Duration::from_secs(1);
            settings.runs = 1;
        }
    }
    settings.quiet = quiet;
    let mut changed = |name: &str| settings.changed.push(name.to_owned());
    [("clients", clients.is_some()), ("rate", rate.is_some()), ("duration", duration.is_some()), ("runs", runs.is_some())]
        .iter()
        .chain(&[("timeout", timeout.is_some()), ("warmup-max", warmup_max.is_some()), ("threads", threads.is_some())])
        .chain(&[("points", !points.is_empty()), ("workers", !workers.is_empty()), ("cores", !cores.is_empty())])
        .filter(|(_, given)| *given)
        .for_each(|(name, _)| changed(name));
    settings.clients = clients.or(settings.clients);
    settings.pace = rate.map_or(Pace::Closed, Pace::Open);
    settings.duration = duration.unwrap_or(settings.duration);
    settings.runs = runs.unwrap_or(settings.runs);
    settings.timeout = timeout.unwrap_or(settings.timeout);
    settings.threads = threads.unwrap_or(settings.threads);
    settings.warmup.max = warmup_max.unwrap_or(settings.warmup.max);
    if settings.threads > 64 {
        return Err("--threads: 64 at most".into());
    }
    if clients.is_some_and(|n| n > 20_000) || points.iter().any(|&n| n > 20_000) {
        return Err("20,000 clients at most: a machine has not more ports for one address".into());
    }
    let server_cores = (command != Command::Workers && !cores.is_empty()).then(|| cores.clone());
    let options = Options { jumbo, cores: server_cores, workers: None, callgrind: false };
    Ok(Arguments { command, names, engines, urls, settings, quick, instructions, points, workers, cores, options, json, html, root })
}

fn whole(name: &str, text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0 && n <= 1_000_000).ok_or_else(|| format!("{name} {text}: a whole number above 0 is wanted"))
}

fn positive(name: &str, text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&n: &f64| n > 0.0 && n <= 1e7).ok_or_else(|| format!("{name} {text}: a number above 0 is wanted"))
}

fn seconds(name: &str, text: &str) -> Result<Duration, String> {
    positive(name, text.trim_end_matches('s')).ok().filter(|&s| s <= 86_400.0).map(Duration::from_secs_f64).ok_or_else(|| format!("{name} {text}: seconds are wanted"))
}

fn list(name: &str, text: &str, min: usize) -> Result<Vec<usize>, String> {
    let numbers: Option<Vec<usize>> = text.split(',').map(|n| n.trim().parse().ok().filter(|&n| n >= min && n <= 100_000)).collect();
    numbers.filter(|n| !n.is_empty()).ok_or_else(|| format!("{name} {text}: numbers with commas between them are wanted"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Arguments, String> {
        parse(line.split_whitespace().map(OsString::from).collect())
    }

    #[test]
    fn the_standard_is_canonical_and_options_are_not() {
        let arguments = parsed("run hello --engines jumbo,fpm,fpm --json x.json").unwrap();
        assert_eq!((arguments.command, arguments.settings.changed.len(), arguments.engines.len()), (Command::Run, 0, 2));
        let arguments = parsed("run hello --clients 50 --rate 10.5 --quick").unwrap();
        assert_eq!(arguments.settings.changed, ["quick", "clients", "rate"]);
        assert_eq!(arguments.settings.pace, Pace::Open(10.5));
    }

    #[test]
    fn a_folder_is_run() {
        let arguments = parsed("./site --url / --url /a*3").unwrap();
        assert_eq!((arguments.command, arguments.names, arguments.urls.len()), (Command::Run, vec!["./site".to_owned()], 2));
        assert_eq!(parsed("").unwrap().command, Command::Help);
        assert_eq!(parsed("run report").unwrap().names, ["report"]);
    }

    #[test]
    fn wrong_use_is_said() {
        for wrong in ["run --clients 0", "run --rate -1", "run --duration x", "sweep --points 1,x", "run --engines php", "run --frobnicate", "run --clients 1000000"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
