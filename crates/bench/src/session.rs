//! A session: targets on engines, measured in turns, and what comes out of it as one JSON document.
//!
//! For a target all its engines are started, checked and warmed up; then they are measured in turns (A, B, C, then B, C, A, …), so that what changes
//! on the machine meets all of them. Engines that wait use no CPU time. A *cell* is a target on an engine with a number of clients; a cell in
//! which any request failed, was wrong, or could not be made at all is void, with the reason, and its figures count for nothing.
//!
//! Interrupting keeps what is finished: whole runs, no half ones.

use crate::engines::{self, Engine, Kind, Server};
use crate::environment;
use crate::extensions;
use crate::load::{Load, Pace, Request};
use crate::place::Place;
use crate::progress::Progress;
use crate::run::{self, GENERATOR_BUSY_MAX, OTHERS_MAX, round};
use crate::sanity::{self, Bodies};
use crate::summary;
use crate::targets::Target;
use crate::warmup;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The version of the JSON document.
pub const FORMAT: u64 = 1;

/// How to measure.
#[derive(Debug, Clone)]
pub struct Settings {
    /// None: the target's own number, else [`CLIENTS`].
    pub clients: Option<usize>,
    pub threads: usize,
    pub pace: Pace,
    pub duration: Duration,
    pub runs: usize,
    pub timeout: Duration,
    pub warmup: warmup::Plan,
    /// What was changed from the standard, in words: the results are not canonical then.
    pub changed: Vec<String>,
    pub quiet: bool,
}

/// The standard's number of clients.
pub const CLIENTS: usize = 200;

impl Settings {
    /// What results must be made with to be called canonical.
    pub fn standard() -> Settings {
        Settings {
            clients: None,
            threads: crate::load::threads_default(engines::machine_cores()),
            pace: Pace::Closed,
            duration: Duration::from_secs(10),
            runs: 10,
            timeout: Duration::from_secs(60),
            warmup: warmup::Plan { single: Duration::from_secs(2), window: Duration::from_secs(1), max: Duration::from_secs(60) },
            changed: Vec::new(),
            quiet: false,
        }
    }

    /// For a first look: seconds instead of minutes.
    pub fn quick(mut self) -> Settings {
        self.duration = Duration::from_secs(2);
        self.runs = 3;
        self.warmup = warmup::Plan { single: Duration::from_millis(500), window: Duration::from_millis(250), max: Duration::from_secs(8) };
        self.changed.push("quick".into());
        self
    }

    fn clients_for(&self, target: &Target) -> usize {
        self.clients.or(target.clients).unwrap_or(CLIENTS)
    }

    /// With the target's own standard, unless something else was asked for.
    fn for_target(&self, target: &Target) -> Settings {
        let mut own = self.clone();
        if let Some(duration) = target.duration
            && !["quick", "duration"].iter().any(|name| self.changed.iter().any(|c| c == name))
        {
            own.duration = own.duration.min(duration);
            own.warmup = warmup::Plan { single: own.warmup.single.min(duration / 2), window: own.warmup.window.min(duration / 4), ..own.warmup };
        }
        own
    }

    fn describe(&self) -> Value {
        json!({
            "clients": self.clients,
            "clients_standard": CLIENTS,
            "rate": if let Pace::Open(rate) = self.pace { json!(rate) } else { Value::Null },
            "duration_s": self.duration.as_secs_f64(),
            "runs": self.runs,
            "timeout_s": self.timeout.as_secs_f64(),
            "generator_threads": self.threads,
            "warmup_window_s": self.warmup.window.as_secs_f64(),
            "warmup_max_s": self.warmup.max.as_secs_f64(),
        })
    }
}

/// Engines that are measured together, and with what.
#[derive(Debug, Clone)]
pub struct Group {
    pub target: Target,
    pub engines: Vec<Engine>,
    /// Numbers of clients, one cell each; empty: that of the settings.
    pub clients: Vec<usize>,
    pub options: engines::Options,
}

pub struct Session<'a> {
    /// Those of the target that is being measured.
    settings: Settings,
    place: &'a Place,
    stop: Arc<AtomicBool>,
    progress: Progress,
    cells: Vec<Value>,
    targets: Value,
}

/// An engine that is up.
struct Live {
    server: Server,
    requests: Vec<Request>,
}

impl<'a> Session<'a> {
    /// Measures the groups one after another; the document.
    pub fn run(mode: &str, settings: &Settings, place: &'a Place, groups: &[Group], stop: Arc<AtomicBool>) -> Value {
        let mut environment = environment::capture();
        environment["place"] = json!(place.root().map_or("/".to_owned(), |root| root.display().to_string()));
        let started = environment::now();
        let planned = groups.iter().map(|group| Session::planned(&settings.for_target(&group.target), group)).sum();
        let progress = Progress::new(planned, settings.quiet);
        let mut session = Session { settings: settings.clone(), place, stop, progress, cells: Vec::new(), targets: json!({}) };
        if environment::load_average() > 0.5 * engines::machine_cores() as f64 {
            session.progress.note("warning: the machine is busy (load average); figures will vary");
        }
        for group in groups {
            if session.stopped() {
                break;
            }
            session.settings = settings.for_target(&group.target);
            session.group(group);
        }
        session.progress.end();
        let interrupted = session.stopped();
        let mut changed = settings.changed.clone();
        if interrupted {
            changed.push("interrupted".into());
        }
        if cfg!(debug_assertions) {
            changed.push("the benchmark itself is a debug build".into());
        }
        if session.cells.iter().any(|cell| cell["settings"]["warning"].is_string()) {
            changed.push("a debug build of Jumbo".into());
        }
        let mut document = json!({
            "jumbo_bench": FORMAT,
            "mode": mode,
            "canonical": changed.is_empty(),
            "changed": changed,
            "started": started,
            "ended": environment::now(),
            "command": std::env::args().collect::<Vec<_>>(),
            "environment": environment,
            "settings": settings.describe(),
            "targets": session.targets,
            "cells": session.cells,
        });
        document["comparisons"] = summary::comparisons(&document["cells"]);
        document
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Seconds of an engine's preparation, of its warm-up, and of one run, as planned.
    fn plan(settings: &Settings) -> (f64, f64, f64) {
        let warmup = settings.warmup.single.as_secs_f64() + settings.warmup.window.as_secs_f64() * 11.0;
        (1.0, warmup, settings.duration.as_secs_f64() + 0.1)
    }

    fn planned(settings: &Settings, group: &Group) -> f64 {
        let (start, warmup, run) = Session::plan(settings);
        group.engines.len() as f64 * (start + warmup + run * (settings.runs * group.clients.len().max(1)) as f64)
    }

    fn group(&mut self, group: &Group) {
        let having = extensions::of_engines(&group.engines, self.place, &group.options);
        let plan = extensions::Plan::of(&group.target, &having);
        let mut group = group.clone();
        group.target.extensions.clone_from(&plan.load);
        let group = &group;
        let mut told = group.target.describe();
        told["extensions"] = plan.describe();
        told["duration_s"] = json!(self.settings.duration.as_secs_f64());
        self.targets[&group.target.name] = told;
        let (start, warmup, run_planned) = Session::plan(&self.settings);
        let points = if group.clients.is_empty() { vec![self.settings.clients_for(&group.target)] } else { group.clients.clone() };
        // Stock PHP is checked first: it is the reference. Cells stand in the order that was asked for.
        let mut order: Vec<usize> = (0..group.engines.len()).collect();
        order.sort_by_key(|&n| !group.engines[n].is_stock());
        let mut cells: Vec<Value> = group.engines.iter().map(|engine| self.new_cell(group, engine)).collect();
        let mut live: Vec<Option<Live>> = group.engines.iter().map(|_| None).collect();
        let mut reference: Option<Bodies> = None;
        for n in order {
            let engine = &group.engines[n];
            let what = format!("{} on {engine}", group.target.name);
            if self.stopped() {
                cells[n]["void"] = json!("interrupted");
                continue;
            }
            self.progress.step(&format!("{what}: start and check"));
            let began = self.begin(group, engine, &having, &mut cells[n], &mut reference).and_then(|mut up| {
                self.progress.done(start);
                let clients = points.iter().copied().max().unwrap_or(1).min(if points.len() > 1 { 50 } else { usize::MAX });
                let load = load(&self.settings, &self.stop, &up, clients);
                cells[n]["warmup"] = self.progress.during(&format!("{what}: warm-up"), warmup, || warmup::warm(&load, self.settings.warmup))?;
                if cells[n]["warmup"]["steady"] == json!(false) {
                    warn(&mut cells[n], "the warm-up ended before the throughput was steady".into());
                }
                up.server.ended().map_or(Ok(up), Err)
            });
            self.progress.done(warmup);
            match began {
                Ok(up) => live[n] = Some(up),
                Err(mut why) => {
                    let known = having.iter().find(|h| h.engine == engine.name);
                    let missing = known.map(|h| extensions::missing(&group.target, &h.extensions)).unwrap_or_default();
                    if !missing.is_empty() {
                        why = format!("{engine} has no {}, and: {why}", missing.join(", "));
                    }
                    self.progress.note(&format!("{what}: void: {why}"));
                    cells[n]["void"] = json!(why);
                    self.progress.done(run_planned * (self.settings.runs * points.len()) as f64);
                }
            }
        }
        for &clients in &points {
            let mut at: Vec<Value> = cells.clone();
            at.iter_mut().for_each(|cell| cell["clients"] = json!(clients));
            self.measure(group, clients, &mut live, &mut at);
            for mut cell in at {
                cell["summary"] = summary::of_cell(&cell);
                self.cells.push(cell);
            }
            // The start and the settings are told once, with the first cell.
            for cell in &mut cells {
                if points.len() > 1
                    && let Some(cell) = cell.as_object_mut()
                {
                    cell.retain(|name, _| !matches!(name.as_str(), "settings" | "warmup" | "startup"));
                    cell.insert("warnings".into(), json!([]));
                }
            }
        }
    }

    fn new_cell(&self, group: &Group, engine: &Engine) -> Value {
        let mut cell = json!({"target": group.target.name, "engine": engine.name, "void": null, "warnings": [], "runs": []});
        if let Pace::Open(rate) = self.settings.pace {
            cell["rate"] = json!(rate);
        }
        if let Some(workers) = group.options.workers {
            cell["workers"] = json!(workers);
            cell["cores"] = json!(group.options.core_count());
        }
        cell
    }

    /// Starts an engine and checks its answers.
    fn begin(
        &self, group: &Group, engine: &Engine, having: &[extensions::Having], cell: &mut Value, reference: &mut Option<Bodies>,
    ) -> Result<Live, String> {
        let target = &group.target;
        let site = target.prepare(self.place, engine)?;
        let host = if let Kind::Url { host, .. } = &engine.kind { host } else { crate::engines::HOST };
        let first = target.pages.first().map(|page| page.request(host)).unwrap_or_default();
        let (server, answer) = Server::start(engine, self.place, &site, &group.options, &first, &self.stop)?;
        let processes = server.processes();
        cell["settings"] = server.settings.clone();
        if let (Value::Null, Some(own)) = (&cell["settings"]["extensions"], having.iter().find(|h| h.engine == engine.name)) {
            cell["settings"]["extensions"] = json!(own.extensions);
        }
        cell["startup"] = json!({
            "first_answer_ms": round(server.started_in.as_secs_f64() * 1e3, 1),
            "first_request_ms": round(answer.took.as_secs_f64() * 1e3, 1),
            "memory": run::describe_memory(crate::procs::memory(&processes.trees().0)),
        });
        let checked = sanity::check(&server, target, reference.as_ref(), self.settings.timeout)?;
        checked.warnings.into_iter().for_each(|text| warn(cell, text));
        cell["compared_with"] = json!(reference.as_ref().map(|r| r.engine.clone()));
        if reference.is_none() {
            *reference = Some(checked.bodies);
        }
        Ok(Live { server, requests: checked.requests })
    }

    /// All runs of all engines with a number of clients, in turns.
    fn measure(&mut self, group: &Group, clients: usize, live: &mut [Option<Live>], cells: &mut [Value]) {
        let (_, _, planned) = Session::plan(&self.settings);
        let count = live.len();
        for number in 0..self.settings.runs {
            for turn in 0..count {
                let n = (turn + number) % count;
                let Some(up) = live[n].as_mut() else { continue };
                if self.stopped() {
                    return;
                }
                let what = format!("{} on {}, {clients} clients: run {} of {}", group.target.name, group.engines[n], number + 1, self.settings.runs);
                let processes = up.server.processes();
                let load = load(&self.settings, &self.stop, up, clients);
                let result = self.progress.during(&what, planned, || run::measure(&load, &processes));
                self.progress.done(planned);
                let void = match result {
                    Ok(run) if run.outcome.interrupted => return,
                    Ok(run) => {
                        look_at_others(&mut cells[n], &run.value);
                        if let Some(runs) = cells[n]["runs"].as_array_mut() {
                            runs.push(run.value);
                        }
                        run.void
                    }
                    Err(why) => Some(why),
                };
                if let Some(why) = up.server.ended().or(void) {
                    self.progress.note(&format!("{} on {}: void: {why}", group.target.name, group.engines[n]));
                    cells[n]["void"] = json!(why);
                    live[n] = None;
                    self.progress.done(planned * (self.settings.runs - number - 1) as f64);
                }
            }
        }
        // One that failed with fewer clients is not asked again with more.
        for (n, up) in live.iter().enumerate() {
            if up.is_none() && cells[n]["void"].is_null() {
                cells[n]["void"] = json!("it failed before");
            }
        }
    }
}

fn load<'l>(settings: &Settings, stop: &'l AtomicBool, up: &'l Live, clients: usize) -> Load<'l> {
    let Settings { threads, pace, duration, timeout, .. } = *settings;
    Load { address: up.server.address, requests: &up.requests, clients, threads, pace, duration, timeout, stop }
}

fn warn(cell: &mut Value, text: String) {
    if let Some(warnings) = cell["warnings"].as_array_mut()
        && !warnings.iter().any(|w| w.as_str() == Some(&text))
    {
        warnings.push(json!(text));
    }
}

/// A run with fewer answers says little about requests a second.
const COMPLETED_MIN: u64 = 20;

/// Says what else may have made a run's figures.
fn look_at_others(cell: &mut Value, run: &Value) {
    if run["completed"].as_u64().is_some_and(|n| n < COMPLETED_MIN) {
        warn(cell, format!("fewer than {COMPLETED_MIN} answers in a run: its requests/s mean little, look at the latency or take a longer --duration"));
    }
    if run["generator"]["busy"].as_f64().is_some_and(|busy| busy > GENERATOR_BUSY_MAX) {
        warn(cell, "the load generator was the limit: a thread of it was busy all the time (try --threads)".into());
    }
    if run["others_share"].as_f64().is_some_and(|share| share > OTHERS_MAX) {
        warn(cell, format!("other processes used more than {:.0} % of the machine", OTHERS_MAX * 100.0));
    }
}
