//! The servers under test: what they are called, how they are started, what they are told, and how they are ended.
//!
//! An engine's name says all that sets it apart: `jumbo`, `jumbo:4` (executors), `fpm` (php-fpm behind nginx, opcache on, JIT off), `fpm-jit`
//! (tracing JIT), `fpm:16` (pool of 16), `fpm-keep` (nginx keeps its connections to php-fpm), `frankenphp`, `roadrunner`, or the URL
//! of a server that runs already.
//!
//! Parity: all get the same site, the same php.ini directives (opcache's apart), the same time zone and locale, no access log, the same cores,
//! files that are looked at for changes every two seconds. What differs is in [`Server::settings`], which is saved with the results.

mod frankenphp;
mod jumbo;
mod nginx_fpm;
mod roadrunner;

use crate::load::{self, Answer};
use crate::place::{Mount, Place, make_folder, tail, write_file};
use crate::procs;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use serde_json::{Value, json};
use std::fmt;
use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a server may take until its first answer: on a busy machine, with a database and a cold disk.
const START_WAIT_MAX: Duration = Duration::from_secs(120);
/// How long it may take to end when it is told to; under callgrind, which then writes down what it has counted.
const STOP_WAIT_MAX: Duration = Duration::from_secs(5);
const COUNTED_STOP_WAIT_MAX: Duration = Duration::from_secs(120);

/// The name that every engine is asked by and knows itself by, so that links in pages are equal.
pub const HOST: &str = "bench.test";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Jumbo { executors: Option<usize> },
    Fpm { jit: bool, keep: bool, children: Option<usize> },
    /// nginx alone, for static files: to calibrate the generator with.
    Nginx,
    FrankenPhp,
    RoadRunner,
    Url { host: String, address: SocketAddr },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Engine {
    pub name: String,
    pub kind: Kind,
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Engine {
    pub fn parse(name: &str) -> Result<Engine, String> {
        if let Some(rest) = name.strip_prefix("http://") {
            let host = rest.split('/').next().unwrap_or(rest).to_owned();
            let with_port = if host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()) { host.clone() } else { format!("{host}:80") };
            let mut addresses = with_port.to_socket_addrs().map_err(|e| format!("{name}: {e}"))?;
            let address = addresses.next().ok_or_else(|| format!("{name}: no address"))?;
            return Ok(Engine { name: format!("http://{host}"), kind: Kind::Url { host, address } });
        }
        let (base, number) = match name.split_once(':') {
            None => (name, None),
            Some((base, number)) => match number.parse::<usize>() {
                Ok(n) if n > 0 => (base, Some(n)),
                _ => return Err(format!("{name}: the number after the colon is not one above 0")),
            },
        };
        let fpm = |jit, keep| Kind::Fpm { jit, keep, children: number };
        let kind = match base {
            "jumbo" => Kind::Jumbo { executors: number },
            "fpm" => fpm(false, false),
            "fpm-jit" => fpm(true, false),
            "fpm-keep" => fpm(false, true),
            "fpm-jit-keep" => fpm(true, true),
            "nginx" => Kind::Nginx,
            "frankenphp" => Kind::FrankenPhp,
            "roadrunner" => Kind::RoadRunner,
            _ => return Err(format!("{name}: no such engine; there are jumbo[:N], fpm[-jit][-keep][:N], frankenphp, roadrunner, http://HOST:PORT")),
        };
        if number.is_some() && !matches!(kind, Kind::Jumbo { .. } | Kind::Fpm { .. }) {
            return Err(format!("{name}: this engine takes no number"));
        }
        Ok(Engine { name: name.to_owned(), kind })
    }

    /// Whether it is stock PHP, the reference for bodies.
    pub fn is_stock(&self) -> bool {
        matches!(self.kind, Kind::Fpm { jit: false, .. })
    }

    /// The extensions that its PHP has or, if it is stock PHP, could load; in lower case. None where that cannot be known.
    pub fn extensions(&self, place: &Place, options: &Options) -> Option<Vec<String>> {
        match self.kind {
            Kind::Jumbo { .. } => jumbo::extensions(place, options),
            Kind::Fpm { .. } => Some([nginx_fpm::built_in(place)?, nginx_fpm::loadable(place)].concat()),
            Kind::FrankenPhp => frankenphp::extensions(place),
            Kind::Nginx | Kind::RoadRunner | Kind::Url { .. } => None,
        }
    }

    /// A name for folders.
    pub fn folder(&self) -> String {
        self.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect()
    }
}

/// The site to be served.
#[derive(Debug, Clone, Default)]
pub struct Site {
    /// The document root, inside.
    pub document_root: PathBuf,
    /// The script for paths that name no file.
    pub front_controller: Option<String>,
    /// What the server sees besides, or instead of, what is there.
    pub mounts: Vec<Mount>,
    /// php.ini directives.
    pub ini: Vec<(String, String)>,
    /// Extensions that stock PHP loads, in this order.
    pub extensions: Vec<String>,
    /// A data folder of MariaDB on the machine, to be served at its socket.
    pub database: Option<PathBuf>,
}

/// What the tool was told about servers.
#[derive(Debug, Clone)]
pub struct Options {
    /// The Jumbo binary on the machine.
    pub jumbo: Option<PathBuf>,
    /// Cores that servers may use; None: all.
    pub cores: Option<Vec<usize>>,
    /// In the `workers` mode: requests that are worked on at once.
    pub workers: Option<usize>,
    /// PHP runs under callgrind, which leaves its counts in the engine's folder when it ends.
    pub callgrind: bool,
}

impl Options {
    pub fn core_count(&self) -> usize {
        self.cores.as_ref().map_or_else(machine_cores, Vec::len)
    }
}

pub fn machine_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What an engine's module needs for a start.
struct Start<'a> {
    place: &'a Place,
    site: &'a Site,
    options: &'a Options,
    /// The engine's folder for configuration, sockets and logs, inside.
    folder: PathBuf,
    port: u16,
}

impl Start<'_> {
    /// Writes a file of configuration into the engine's folder, and notes it in the settings; its path inside.
    fn write(&self, server: &mut Server, name: &str, text: &str) -> Result<PathBuf, String> {
        let inside = self.folder.join(name);
        write_file(&self.place.host(&inside), text)?;
        server.settings["files"][inside.display().to_string()] = json!(text);
        Ok(inside)
    }

    /// The php.ini that all engines have in common.
    fn common_ini(&self) -> String {
        let mut text = String::new();
        for (name, value) in COMMON_INI.iter().map(|(n, v)| (*n, *v)) {
            if !self.site.ini.iter().any(|(own, _)| own == name) {
                text.push_str(&format!("{name} = \"{value}\"\n"));
            }
        }
        for (name, value) in &self.site.ini {
            text.push_str(&format!("{name} = \"{value}\"\n"));
        }
        text
    }

    /// Starts a process of the server.
    fn spawn(&self, server: &mut Server, label: &'static str, mounts: &[Mount], program: &str, arguments: &[String]) -> Result<(), String> {
        let (mut program, mut arguments) = (program, arguments);
        let counted: Vec<String>;
        if self.options.callgrind && ![DATABASE, FRONT].contains(&label) {
            let files = self.folder.join("callgrind.%p");
            let options = ["--tool=callgrind", "--max-threads=2000", "--max-stackframe=100000000"].map(str::to_owned);
            counted = options.into_iter().chain([format!("--callgrind-out-file={}", files.display()), program.to_owned()]).chain(arguments.iter().cloned()).collect();
            (program, arguments) = ("valgrind", &counted);
        }
        let all: Vec<Mount> = self.site.mounts.iter().chain(mounts).cloned().collect();
        let mut command = self.place.command(&all, program, arguments)?;
        let log = self.place.host(self.folder.join(format!("{label}.log")));
        let file = File::create(&log).map_err(|e| format!("{}: {e}", log.display()))?;
        command.stdout(file.try_clone().map_err(|e| e.to_string())?).stderr(file).process_group(0);
        // PHP's own files and directories of Debian's configuration are not read: php.ini is the one that is written here.
        command.env("PHP_INI_SCAN_DIR", "");
        let child = with_affinity(self.options.cores.as_deref(), || command.spawn())?.map_err(|e| format!("{program}: {e}"))?;
        let line: Vec<&str> = std::iter::once(program).chain(arguments.iter().map(String::as_str)).collect();
        server.settings["commands"][label] = json!(line.join(" "));
        server.parts.push(Part { label, child, log, stop_wait_max: if self.options.callgrind { COUNTED_STOP_WAIT_MAX } else { STOP_WAIT_MAX } });
        Ok(())
    }
}

/// Directives for all engines: php.ini-production's where they matter.
const COMMON_INI: &[(&str, &str)] = &[
    ("date.timezone", "UTC"),
    ("display_errors", "0"),
    ("error_reporting", "22527"),
    ("expose_php", "0"),
    ("html_errors", "0"),
    ("log_errors", "1"),
    ("max_execution_time", "60"),
    ("memory_limit", "256M"),
    ("output_buffering", "4096"),
    ("session.gc_probability", "0"),
    ("short_open_tag", "0"),
    ("variables_order", "GPCS"),
];

/// Does something with the threads and processes that it makes bound to cores. The binding of this thread is undone.
pub fn with_affinity<T>(cores: Option<&[usize]>, what: impl FnOnce() -> T) -> Result<T, String> {
    let Some(cores) = cores else { return Ok(what()) };
    let before = sched_getaffinity(None).map_err(|e| e.to_string())?;
    let mut set = CpuSet::new();
    for &core in cores {
        if core >= CpuSet::MAX_CPU {
            return Err(format!("there is no core {core}"));
        }
        set.set(core);
    }
    sched_setaffinity(None, &set).map_err(|e| format!("cores {cores:?}: {e}"))?;
    let result = what();
    sched_setaffinity(None, &before).map_err(|e| e.to_string())?;
    Ok(result)
}

struct Part {
    label: &'static str,
    child: Child,
    log: PathBuf,
    stop_wait_max: Duration,
}

/// A server that runs. Dropping it ends its processes.
pub struct Server {
    pub engine: Engine,
    pub address: SocketAddr,
    pub host: String,
    /// Commands, files of configuration, versions, numbers of workers: saved with the results.
    pub settings: Value,
    /// From the start of the first process to the first answer.
    pub started_in: Duration,
    parts: Vec<Part>,
}

/// The label of the database among a server's processes.
pub const DATABASE: &str = "database";
/// That of what stands in front of PHP.
const FRONT: &str = "nginx";

impl Server {
    /// Starts an engine with a site, and waits until it answers `first`.
    pub fn start(engine: &Engine, place: &Place, site: &Site, options: &Options, first: &[u8], stop: &AtomicBool) -> Result<(Server, Answer), String> {
        let mut server = Server {
            engine: engine.clone(),
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            host: String::new(),
            settings: json!({"files": {}, "commands": {}, "versions": {}}),
            started_in: Duration::ZERO,
            parts: Vec::new(),
        };
        let mut began = Instant::now();
        if let Kind::Url { host, address } = &engine.kind {
            (server.address, server.host) = (*address, host.clone());
            server.settings["note"] = json!("a server that ran already: its settings are not known, its processes are not counted");
        } else {
            let port = free_port()?;
            let folder = place.work().join("run").join(engine.folder());
            make_folder(&place.host(&folder))?;
            server.address = SocketAddr::from(([127, 0, 0, 1], port));
            server.host = HOST.into();
            let start = Start { place, site, options, folder, port };
            if let Some(data) = &site.database {
                crate::database::start(data, place, &site.mounts, |label, program, arguments| {
                    start.spawn(&mut server, label, &[], program, arguments)
                })?;
            }
            began = Instant::now();
            match &engine.kind {
                Kind::Jumbo { executors } => jumbo::start(&start, &mut server, *executors)?,
                Kind::Fpm { jit, keep, children } => nginx_fpm::start(&start, &mut server, *jit, *keep, *children)?,
                Kind::Nginx => nginx_fpm::start_static(&start, &mut server)?,
                Kind::FrankenPhp => frankenphp::start(&start, &mut server)?,
                Kind::RoadRunner => roadrunner::start(&start, &mut server)?,
                Kind::Url { .. } => {}
            }
        }
        let answer = server.wait_until_up(first, began, stop)?;
        server.started_in = began.elapsed();
        Ok((server, answer))
    }

    fn wait_until_up(&mut self, request: &[u8], began: Instant, stop: &AtomicBool) -> Result<Answer, String> {
        loop {
            // A front end may be up before what is behind it.
            let why = match load::fetch(self.address, request, START_WAIT_MAX) {
                Ok(answer) if !matches!(answer.status, 502..=504) => return Ok(answer),
                Ok(answer) => format!("status {}", answer.status),
                Err(why) => why,
            };
            for part in &mut self.parts {
                if let Ok(Some(status)) = part.child.try_wait() {
                    let label = part.label;
                    return Err(format!("{label} has ended ({status}): {}", self.log_tail(400)));
                }
            }
            if stop.load(Ordering::Relaxed) {
                return Err("interrupted".into());
            }
            if began.elapsed() > START_WAIT_MAX {
                return Err(format!("no answer within {} s ({why}): {}", START_WAIT_MAX.as_secs(), self.log_tail(400)));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The processes, those of the database apart.
    pub fn processes(&self) -> Processes {
        let roots = |of: &dyn Fn(&str) -> bool| self.parts.iter().filter(|p| of(p.label)).map(|p| p.child.id()).collect::<Vec<_>>();
        Processes { server: roots(&|label| label != DATABASE), php: roots(&|label| ![DATABASE, FRONT].contains(&label)), database: roots(&|label| label == DATABASE) }
    }

    /// Whether one of its processes has ended by itself.
    pub fn ended(&mut self) -> Option<String> {
        let found = self.parts.iter_mut().find_map(|part| part.child.try_wait().ok().flatten().map(|status| (part.label, status)));
        found.map(|(label, status)| format!("{label} has ended ({status}): {}", self.log_tail(400)))
    }

    /// The end of what its processes have logged.
    pub fn log_tail(&self, characters_max: usize) -> String {
        let logs = self.parts.iter().filter(|part| part.label != DATABASE).map(|part| fs::read(&part.log).unwrap_or_default());
        tail(&logs.collect::<Vec<_>>().concat(), characters_max)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The front end first, the database last; each group together.
        for part in self.parts.iter_mut().rev() {
            end_group_within(&mut part.child, part.stop_wait_max);
        }
    }
}

/// Ends a process and its group: politely, then not.
pub fn end_group(child: &mut Child) {
    end_group_within(child, STOP_WAIT_MAX);
}

fn end_group_within(child: &mut Child, wait_max: Duration) {
    let Some(group) = Pid::from_raw(child.id() as i32) else { return };
    if !matches!(child.try_wait(), Ok(None)) {
        return;
    }
    let _ = kill_process_group(group, Signal::TERM);
    let until = Instant::now() + wait_max;
    while (matches!(child.try_wait(), Ok(None)) || test_kill_process_group(group).is_ok()) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
}

/// The roots of a server's process trees.
#[derive(Debug, Clone, Default)]
pub struct Processes {
    pub server: Vec<u32>,
    /// Those of the server that run PHP.
    pub php: Vec<u32>,
    pub database: Vec<u32>,
}

impl Processes {
    /// CPU time of the processes that run PHP so far.
    pub fn php_usage(&self) -> procs::Usage {
        if self.php.is_empty() { procs::Usage::default() } else { procs::usage(&procs::tree(&self.php)) }
    }
    /// All processes of the server now, and of its database.
    pub fn trees(&self) -> (Vec<u32>, Vec<u32>) {
        let of = |roots: &[u32]| if roots.is_empty() { Vec::new() } else { procs::tree(roots) };
        (of(&self.server), of(&self.database))
    }
}

/// A port that is free now.
pub fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| format!("no free port: {e}"))?;
    listener.local_addr().map(|a| a.port()).map_err(|e| e.to_string())
}

/// The first line that a program says about its version.
fn version(place: &Place, mounts: &[Mount], program: &str, argument: &str) -> String {
    told(place, mounts, program, &[argument]).map_or_else(|why| why, |text| text.lines().next().unwrap_or("").trim().to_owned())
}

/// What a program says, on both channels.
fn told(place: &Place, mounts: &[Mount], program: &str, arguments: &[&str]) -> Result<String, String> {
    let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
    let output = place.command(mounts, program, &arguments)?.output().map_err(|e| format!("{program}: {e}"))?;
    Ok(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

/// A binary of the machine, seen inside as one under [`Place::work`].
fn binary_mount(place: &Place, binary: &Path, name: &str) -> (Vec<Mount>, String) {
    if place.root().is_none() {
        return (Vec::new(), binary.display().to_string());
    }
    let inside = place.work().join("bin").join(name);
    (vec![Mount { host: binary.to_path_buf(), inside: inside.clone() }], inside.display().to_string())
}

/// A program on the machine's PATH.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// What can be started here, for `jumbo bench engines`.
pub fn available(place: &Place, options: &Options) -> Vec<(&'static str, Result<String, String>)> {
    let inside = |program: &str, missing: &str| match place.program(program) {
        Some(path) => Ok(version(place, &[], &path.display().to_string(), "-v")),
        None => Err(missing.to_owned()),
    };
    let php = inside("php-fpm8.4", "no php-fpm8.4: `jumbo bench setup`").and_then(|php| inside("nginx", "no nginx: `jumbo bench setup`").map(|nginx| format!("{php}; {nginx}")));
    let outside = |name: &str| on_path(name).map(|p| p.display().to_string()).ok_or_else(|| format!("no {name} on PATH"));
    vec![
        ("jumbo", jumbo::binary(options).map(|path| path.display().to_string())),
        ("fpm", php.clone()),
        ("fpm-jit", php),
        ("frankenphp", outside("frankenphp")),
        ("roadrunner", outside("rr")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_engines() {
        assert_eq!(Engine::parse("fpm-jit:8").unwrap().kind, Kind::Fpm { jit: true, keep: false, children: Some(8) });
        assert_eq!(Engine::parse("jumbo").unwrap().kind, Kind::Jumbo { executors: None });
        let url = Engine::parse("http://127.0.0.1:8080/x").unwrap();
        assert_eq!(url.name, "http://127.0.0.1:8080");
        assert_eq!(url.folder(), "http___127_0_0_1_8080");
        for wrong in ["fpm:0", "fpm:x", "php -S", "frankenphp:3", ""] {
            assert!(Engine::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn affinity_is_given_and_taken_back() {
        let before = sched_getaffinity(None).unwrap();
        let core = (0..CpuSet::MAX_CPU).find(|&core| before.is_set(core)).unwrap();
        let count = with_affinity(Some(&[core]), || sched_getaffinity(None).unwrap().count()).unwrap();
        assert_eq!(count, 1);
        assert_eq!(sched_getaffinity(None).unwrap().count(), before.count());
    }
}
