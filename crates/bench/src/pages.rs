//! Single pages: the CPU time that PHP takes for one, Jumbo's beside php-fpm's, and the instructions of a warm request.
//!
//! As many executors as php-fpm has workers: one for each core. CPU time is that of the processes that run PHP, nginx and the database apart,
//! the median of the runs. Instructions are counted by callgrind with one executor or worker, one request at a time: what a number of requests
//! costs beyond those that warm the server up.

use crate::cli::Arguments;
use crate::engines::{Engine, HOST, Options, Server};
use crate::extensions::{self, Plan};
use crate::load;
use crate::place::Place;
use crate::run::round;
use crate::session::{Group, Session};
use crate::summary;
use crate::stats::Summary;
use crate::targets::{self, Target};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Requests that warm a server up.
const WARM: u64 = 8;

/// The requests that are counted take about so long, without callgrind: starts differ by some thousands of instructions.
const COUNTED_MS: f64 = 200.0;

/// Under callgrind everything takes fifty times as long.
const ANSWER_WAIT_MAX: Duration = Duration::from_secs(300);

/// Measures the pages whose names contain one of those that were asked for; the document.
pub fn run(arguments: &Arguments, place: &Place, stop: &Arc<AtomicBool>) -> Result<Value, String> {
    let cores = arguments.options.core_count();
    let pair = |count: usize| [format!("jumbo:{count}"), format!("fpm:{count}")].map(|name| Engine::parse(&name));
    let [jumbo, fpm] = pair(cores);
    let [one_jumbo, one_fpm] = pair(1);
    let (jumbo, fpm, one_jumbo, one_fpm) = (jumbo?, fpm?, one_jumbo?, one_fpm?);
    let mut wanted = targets::pages();
    wanted.retain(|page| arguments.names.is_empty() || arguments.names.iter().any(|name| page.name.contains(name.as_str())));
    if wanted.is_empty() {
        let names: Vec<String> = targets::pages().into_iter().map(|page| page.name).collect();
        return Err(format!("no such page; there are {}", names.join("; ")));
    }
    let mut pages = Vec::new();
    for target in wanted {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let group = Group { target: target.clone(), engines: vec![jumbo.clone(), fpm.clone()], clients: Vec::new(), options: arguments.options.clone() };
        let session = Session::run("pages", &arguments.settings, place, &[group], stop.clone());
        let cell = |engine: &Engine| {
            let cells = session["cells"].as_array().into_iter().flatten();
            cells.into_iter().find(|cell| cell["engine"] == json!(engine.name)).cloned().unwrap_or_default()
        };
        let (of_jumbo, of_fpm) = (cell(&jumbo), cell(&fpm));
        let void = [&of_jumbo, &of_fpm].into_iter().find(|cell| cell["void"].is_string()).map(|cell| cell["void"].clone());
        let cpu_ms = |cell: &Value| Summary::of(&summary::values(cell, "php_cpu.us_per_request")).map(|s| s.median / 1e3);
        let mut page = json!({
            "page": target.name,
            "void": void,
            "cpu_ms": cpu_ms(&of_jumbo).map(|ms| round(ms, 4)),
            "fpm_cpu_ms": cpu_ms(&of_fpm).map(|ms| round(ms, 4)),
            "first_answer_ms": of_jumbo["startup"]["first_answer_ms"],
            "fpm_first_answer_ms": of_fpm["startup"]["first_answer_ms"],
            "private_mib": of_jumbo["summary"]["private_mib"]["median"],
            "fpm_private_mib": of_fpm["summary"]["private_mib"]["median"],
            "warnings": of_jumbo["warnings"],
        });
        if arguments.instructions && page["void"].is_null() {
            let mut alike = target.clone();
            let having = extensions::of_engines(&[one_jumbo.clone(), one_fpm.clone()], place, &arguments.options);
            alike.extensions = Plan::of(&target, &having).load;
            let more = cpu_ms(&of_fpm).map_or(1, |ms| (COUNTED_MS / ms.max(0.01)).ceil() as u64).clamp(4, 2000);
            for (name, engine) in [("instructions", &one_jumbo), ("fpm_instructions", &one_fpm)] {
                match instructions(&alike, engine, more, place, &arguments.options, stop) {
                    Ok(count) => page[name] = json!(count),
                    Err(why) => page["void"] = json!(format!("counting instructions on {engine}: {why}")),
                }
            }
        }
        pages.push(page);
    }
    let environment = crate::environment::capture();
    Ok(json!({"mode": "pages", "cores": cores, "environment": environment, "started": crate::environment::now(), "pages": pages}))
}

/// The instructions that PHP's processes execute for one warm request, the kernel's apart: what so many requests more cost.
fn instructions(target: &Target, engine: &Engine, more: u64, place: &Place, options: &Options, stop: &AtomicBool) -> Result<u64, String> {
    let few = all_instructions(target, engine, WARM, place, options, stop)?;
    let many = all_instructions(target, engine, WARM + more, place, options, stop)?;
    Ok(many.saturating_sub(few) / more)
}

/// Those of a server from its start to its end, with so many requests.
fn all_instructions(target: &Target, engine: &Engine, requests: u64, place: &Place, options: &Options, stop: &AtomicBool) -> Result<u64, String> {
    let options = Options { callgrind: true, ..options.clone() };
    let site = target.prepare(place, engine)?;
    let page = target.pages.first().ok_or("it has no page")?;
    let request = page.request(HOST);
    let folder = place.host(place.work().join("run").join(engine.folder()));
    let files = || fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| path.to_string_lossy().contains("callgrind."));
    files().for_each(|file| drop(fs::remove_file(file)));
    let (server, _) = Server::start(engine, place, &site, &options, &request, stop)?;
    for _ in 1..requests {
        let answer = load::fetch(server.address, &request, ANSWER_WAIT_MAX)?;
        if answer.status != page.status {
            return Err(format!("status {}: {}", answer.status, server.log_tail(300)));
        }
    }
    drop(server);
    match files().filter_map(|file| total(&fs::read_to_string(file).ok()?)).sum() {
        0 => Err("callgrind has counted nothing".into()),
        total => Ok(total),
    }
}

/// The sum of what a file of callgrind's counts.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().rev().find_map(|line| line.strip_prefix("totals:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// For the terminal.
pub fn table(document: &Value) -> String {
    let mut out = format!("{:<24} {:>9} {:>9} {:>6} {:>11} {:>11} {:>6}\n", "", "cpu, ms", "fpm's", "ratio", "M instr.", "fpm's", "ratio");
    for page in document["pages"].as_array().into_iter().flatten() {
        let name = page["page"].as_str().unwrap_or_default();
        if let Some(why) = page["void"].as_str() {
            out.push_str(&format!("{name:<24} void: {why}\n"));
            continue;
        }
        let figures = |of_jumbo: &str, of_fpm: &str, unit: f64, digits: usize| {
            let (a, b) = (page[of_jumbo].as_f64(), page[of_fpm].as_f64());
            let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{:.digits$}", value / unit));
            (shown(a), shown(b), a.zip(b).map_or("-".to_owned(), |(a, b)| format!("{:.2}", a / b)))
        };
        let (cpu, fpm_cpu, ratio) = figures("cpu_ms", "fpm_cpu_ms", 1.0, 3);
        let (count, fpm_count, counts) = figures("instructions", "fpm_instructions", 1e6, 2);
        out.push_str(&format!("{name:<24} {cpu:>9} {fpm_cpu:>9} {ratio:>6} {count:>11} {fpm_count:>11} {counts:>6}\n"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callgrind_totals() {
        assert_eq!(total("events: Ir\n\nfn=(1)\n1 5\ntotals: 12345\n"), Some(12345));
        assert_eq!(total("events: Ir\nsummary: 0\n"), None);
    }

    #[test]
    fn pages_without_figures() {
        let document = json!({"pages": [{"page": "a", "void": null, "cpu_ms": 1.5, "fpm_cpu_ms": 3.0}, {"page": "b", "void": "it burns"}]});
        let text = table(&document);
        assert!(text.contains("0.50") && text.contains("void: it burns"), "{text}");
    }
}
