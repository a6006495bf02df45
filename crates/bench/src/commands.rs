//! What the commands of `jumbo bench` do.

use crate::calibrate::Verdict;
use crate::cli::{self, Arguments, Command};
use crate::engines::{self, Engine, Kind, Options};
use crate::place::{Place, write_file};
use crate::session::{Group, Session};
use crate::targets::{self, Target};
use crate::{calibrate, pages, report, setup, text};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SWEEP: &[usize] = &[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const SWEEP_QUICK: &[usize] = &[1, 4, 16, 64, 256];
const WORKERS: &[usize] = &[1, 2, 4, 8, 16, 50, 100, 200];
const WORKERS_QUICK: &[usize] = &[1, 2, 4, 8];

/// Runs a command; the exit status: 0, 1 when nothing could be measured or figures do not agree, 2 for wrong use.
/// `own`: the Jumbo binary that is measured unless another is named.
pub fn run(arguments: Vec<OsString>, own: Option<PathBuf>) -> i32 {
    let arguments = match cli::parse(arguments) {
        Ok(mut arguments) => {
            arguments.options.jumbo = arguments.options.jumbo.or(own);
            arguments
        }
        Err(why) => {
            eprintln!("jumbo bench: {why}\nTry: jumbo bench --help");
            return 2;
        }
    };
    match execute(arguments) {
        Ok(status) => status,
        Err(why) => {
            eprintln!("jumbo bench: {why}");
            1
        }
    }
}

fn execute(mut arguments: Arguments) -> Result<i32, String> {
    match arguments.command {
        Command::Help => {
            print!("{}", cli::HELP);
            Ok(0)
        }
        Command::Setup => setup::run(&arguments.names, arguments.root.as_deref()).map(|()| 0),
        Command::Targets => {
            for target in targets::all() {
                println!("{:<18} {}", target.name, target.title);
            }
            println!("{:<18} a site of your own, with --url PATH for each page", "./FOLDER");
            Ok(0)
        }
        Command::Engines => {
            let place = Place::find(arguments.root.as_deref())?;
            for (name, found) in engines::available(&place, &arguments.options) {
                println!("{name:<12} {}", found.unwrap_or_else(|why| format!("not here: {why}")));
            }
            Ok(0)
        }
        Command::Compare => {
            let [one, other] = arguments.names.as_slice() else { return Err("compare takes two files: A.json B.json".into()) };
            print!("{}", text::compare(&read(one)?, &read(other)?)?);
            Ok(0)
        }
        Command::Report => {
            if arguments.names.is_empty() {
                return Err("report takes the JSON files of sessions".into());
            }
            let documents: Vec<Value> = arguments.names.iter().map(|name| read(name)).collect::<Result<_, _>>()?;
            let file = arguments.html.unwrap_or_else(|| Path::new(&arguments.names[0]).with_extension("html"));
            write_file(&file, report::html(&documents))?;
            println!("{}", file.display());
            Ok(0)
        }
        Command::Calibrate => {
            let (stop, place) = begin(&mut arguments)?;
            let _lock = place.lock()?;
            let (found, verdict) = calibrate::run(&arguments.settings, &place, &arguments.options, &stop)?;
            for server in found.as_array().into_iter().flatten() {
                let (rate, p50) = (text::ratio(&server["requests_per_second"]), text::ratio(&server["latency_p50"]));
                println!("{:<8} requests/s, ours / wrk's: {rate}; median latency: {p50}", server["server"].as_str().unwrap_or(""));
            }
            let told = match verdict {
                Verdict::Agree => "they agree within 3 %",
                Verdict::Differ => "they do NOT agree within 3 %",
                Verdict::TooNoisy => "too noisy to tell: more runs, or a quieter machine",
            };
            println!("{told}");
            if let Some(file) = &arguments.json {
                write_json(file, &json!({"calibration": found, "environment": crate::environment::capture()}))?;
            }
            Ok(i32::from(verdict != Verdict::Agree))
        }
        Command::Run => session("run", arguments, |a, targets| Ok(groups(a, targets, &[]))),
        Command::Pages => {
            let (stop, place) = begin(&mut arguments)?;
            let _lock = place.lock()?;
            let measured = pages::run(&arguments, &place, &stop)?;
            print!("{}", pages::table(&measured));
            if let Some(file) = &arguments.json {
                write_json(file, &measured)?;
            }
            Ok(i32::from(measured["pages"].as_array().is_none_or(|pages| pages.iter().any(|page| !page["void"].is_null()))))
        }
        Command::Sweep => session("sweep", arguments, |a, targets| {
            let standard = if a.quick { SWEEP_QUICK } else { SWEEP };
            let points = if a.points.is_empty() { standard.to_vec() } else { a.points.clone() };
            Ok(groups(a, targets, &points))
        }),
        Command::Workers => {
            if arguments.names.is_empty() {
                arguments.names.push("openssl".into());
            }
            session("workers", arguments, |a, targets| grid(a, targets))
        }
    }
}

/// What all measuring commands do first: a way to stop, enough descriptors, and the place of the servers.
fn begin(arguments: &mut Arguments) -> Result<(Arc<AtomicBool>, Place), String> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The second one ends the program at once; the first lets it keep what is finished.
        signal_hook::flag::register_conditional_shutdown(signal, 130, stop.clone()).map_err(|e| e.to_string())?;
        signal_hook::flag::register(signal, stop.clone()).map_err(|e| e.to_string())?;
    }
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).map_err(|e| format!("descriptors: {e}"))?;
    Ok((stop, Place::find(arguments.root.as_deref())?))
}

/// Measures and tells.
fn session(mode: &str, mut arguments: Arguments, plan: impl FnOnce(&Arguments, &[Target]) -> Result<Vec<Group>, String>) -> Result<i32, String> {
    let (stop, place) = begin(&mut arguments)?;
    if arguments.engines.is_empty() {
        arguments.engines = ["jumbo", "fpm", "fpm-jit"].iter().map(|name| Engine::parse(name)).collect::<Result<_, _>>()?;
    }
    let only_urls = arguments.engines.iter().all(|engine| matches!(engine.kind, Kind::Url { .. }));
    let mut targets: Vec<Target> = Vec::new();
    for name in &arguments.names {
        for target in targets::find(name, &arguments.urls)? {
            if !targets.iter().any(|t| t.name == target.name) {
                targets.push(target);
            }
        }
    }
    if targets.is_empty() {
        if !only_urls {
            return Err("which target? `jumbo bench targets` lists them".into());
        }
        targets.push(targets::of_url(&arguments.urls));
    }
    let groups = plan(&arguments, &targets)?;
    let _lock = if only_urls { None } else { Some(place.lock()?) };
    let mut document = Session::run(mode, &arguments.settings, &place, &groups, stop);
    document["environment"]["jumbo_binary"] = json!(arguments.options.jumbo);
    print!("{}", text::document(&document));
    if let Some(file) = &arguments.json {
        write_json(file, &document)?;
    }
    if let Some(file) = &arguments.html {
        write_file(file, report::html(std::slice::from_ref(&document)))?;
    }
    let measured = document["cells"].as_array().into_iter().flatten().any(|cell| cell["void"].is_null());
    Ok(i32::from(!measured))
}

fn groups(arguments: &Arguments, targets: &[Target], clients: &[usize]) -> Vec<Group> {
    let group = |target: &Target| Group { target: target.clone(), engines: arguments.engines.clone(), clients: clients.to_vec(), options: arguments.options.clone() };
    targets.iter().map(group).collect()
}

/// Numbers of workers times numbers of cores.
fn grid(arguments: &Arguments, targets: &[Target]) -> Result<Vec<Group>, String> {
    let machine = engines::machine_cores();
    let mut cores = arguments.cores.clone();
    if cores.is_empty() {
        cores = std::iter::successors(Some(1), |n| Some(n * 2)).take_while(|&n| n < machine).chain([machine]).collect();
    }
    if let Some(too_many) = cores.iter().find(|&&n| n == 0 || n > machine) {
        return Err(format!("--cores {too_many}: this machine has {machine}"));
    }
    let standard = if arguments.quick { WORKERS_QUICK } else { WORKERS };
    let workers = if arguments.workers.is_empty() { standard } else { &arguments.workers };
    let mut groups = Vec::new();
    for target in targets {
        for &count in &cores {
            for &workers in workers {
                let options = Options { cores: Some((0..count).collect()), workers: Some(workers), ..arguments.options.clone() };
                // A client for each worker: latency is that of the work, and not of a queue before it.
                let clients = if arguments.settings.clients.is_none() { vec![workers] } else { Vec::new() };
                groups.push(Group { target: target.clone(), engines: arguments.engines.clone(), clients, options });
            }
        }
    }
    Ok(groups)
}

fn read(name: &str) -> Result<Value, String> {
    let text = std::fs::read_to_string(name).map_err(|e| format!("{name}: {e}"))?;
    let document: Value = serde_json::from_str(&text).map_err(|e| format!("{name}: {e}"))?;
    match document["jumbo_bench"].as_u64() {
        Some(crate::session::FORMAT) => Ok(document),
        Some(other) => Err(format!("{name}: format {other}; this program reads {}", crate::session::FORMAT)),
        None => Err(format!("{name}: not a result of jumbo bench")),
    }
}

/// One line for each cell and its runs, so that the file can be read and compared by lines and is not large.
fn write_json(file: &Path, document: &Value) -> Result<(), String> {
    let mut text = String::from("{\n");
    let fields: Vec<(&String, &Value)> = document.as_object().into_iter().flatten().collect();
    for (n, (name, value)) in fields.iter().enumerate() {
        let end = if n + 1 < fields.len() { "," } else { "" };
        match value.as_array().filter(|list| *name == "cells" && !list.is_empty()) {
            Some(cells) => {
                let lines: Vec<String> = cells.iter().map(|cell| format!("  {cell}")).collect();
                text.push_str(&format!("{}: [\n{}\n]{end}\n", json!(name), lines.join(",\n")));
            }
            None => text.push_str(&format!("{}: {value}{end}\n", json!(name))),
        }
    }
    text.push_str("}\n");
    write_file(file, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_read_as_they_were_written() {
        let document = json!({"jumbo_bench": 1, "mode": "run", "cells": [{"target": "a\n\"b\""}, {"target": "c"}], "empty": []});
        let file = std::env::temp_dir().join(format!("jumbo-bench-test-{}.json", std::process::id()));
        write_json(&file, &document).unwrap();
        assert_eq!(read(&file.display().to_string()).unwrap(), document);
        write_json(&file, &json!({"jumbo_bench": 99})).unwrap();
        assert!(read(&file.display().to_string()).is_err());
        std::fs::remove_file(&file).unwrap();
    }
}
