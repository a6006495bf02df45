//! Which charts are drawn of which cells.

use super::plain;
use super::svg::{Axis, Bar, Curve, bars as draw_bars, curves as draw_curves};
use crate::summary::values;
use serde_json::Value;

/// The engines of cells in their order, so that each keeps its colour within a target.
fn engines(cells: &[&Value]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for cell in cells {
        let name = plain(&cell["engine"]);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, name| value.get(name))
}

/// One bar for each cell. `path` is a figure of the summary, or of the cell itself; `dots` the figure of each run.
pub fn bars(title: &str, cells: &[&Value], path: &str, dots: &str) -> String {
    let engines = engines(cells);
    let bar = |cell: &&Value| {
        let in_summary = at(&cell["summary"], path);
        let value = match in_summary {
            Some(summary) => summary["mean"].as_f64()?,
            None => at(cell, path)?.as_f64()?,
        };
        let name = plain(&cell["engine"]);
        Some(Bar {
            colour: engines.iter().position(|e| *e == name).unwrap_or(0),
            label: name,
            value,
            sd: in_summary.and_then(|s| s["sd"].as_f64()).unwrap_or(0.0),
            dots: if dots.is_empty() { Vec::new() } else { values(cell, dots) },
        })
    };
    let found: Vec<Bar> = cells.iter().filter_map(bar).collect();
    if found.is_empty() { String::new() } else { draw_bars(title, &found) }
}

/// Latencies of all runs together, as share of requests that took no longer.
pub fn distributions(cells: &[&Value]) -> String {
    let curve = |(colour, cell): (usize, &&Value)| {
        let mut counts: std::collections::BTreeMap<u64, u64> = std::collections::BTreeMap::new();
        for run in cell["runs"].as_array().into_iter().flatten() {
            for pair in run["latency_counts_us"].as_array().into_iter().flatten() {
                if let (Some(us), Some(count)) = (pair[0].as_u64(), pair[1].as_u64()) {
                    *counts.entry(us).or_default() += count;
                }
            }
        }
        let all: u64 = counts.values().sum();
        let mut below = 0;
        let points = counts.iter().map(|(us, count)| {
            below += count;
            (*us as f64 / 1000.0, below as f64 / all.max(1) as f64 * 100.0)
        });
        Curve { label: plain(&cell["engine"]), colour, points: points.collect() }
    };
    let curves: Vec<Curve> = cells.iter().enumerate().map(curve).collect();
    draw_curves("latency: % of requests within", "ms", &curves, Axis::Logarithmic, Axis::Linear)
}

/// Throughput of the windows of the warm-up.
pub fn warmups(cells: &[&Value]) -> String {
    let curve = |(colour, cell): (usize, &&Value)| {
        let windows = cell["warmup"]["requests_per_second"].as_array().into_iter().flatten().filter_map(Value::as_f64);
        Curve { label: plain(&cell["engine"]), colour, points: windows.enumerate().map(|(n, rate)| ((n + 1) as f64, rate)).collect() }
    };
    let curves: Vec<Curve> = cells.iter().enumerate().map(curve).collect();
    draw_curves("warm-up: requests per second", "window", &curves, Axis::Linear, Axis::Linear)
}

/// One curve for each engine over the number of clients.
fn over_clients(title: &str, cells: &[&Value], path: &str, y_axis: Axis) -> String {
    let valid: Vec<&Value> = cells.iter().copied().filter(|cell| cell["void"].is_null()).collect();
    let engines = engines(cells);
    let curve = |(colour, engine): (usize, &String)| {
        let own = valid.iter().filter(|cell| plain(&cell["engine"]) == *engine);
        let points = own.filter_map(|cell| Some((cell["clients"].as_f64()?, at(&cell["summary"], path)?["mean"].as_f64()?)));
        Curve { label: engine.clone(), colour, points: points.collect() }
    };
    let curves: Vec<Curve> = engines.iter().enumerate().map(curve).collect();
    draw_curves(title, "clients", &curves, Axis::Logarithmic, y_axis)
}

/// The curves of the `sweep` mode.
pub fn sweep(cells: &[&Value]) -> String {
    let mut out = String::from("<div class=\"charts\">\n");
    out.push_str(&over_clients("requests per second", cells, "requests_per_second", Axis::Linear));
    out.push_str(&over_clients("latency, median, ms", cells, "latency_ms.p50", Axis::Logarithmic));
    out.push_str(&over_clients("latency, 99 %, ms", cells, "latency_ms.p99", Axis::Logarithmic));
    out.push_str(&over_clients("CPU time per request, µs", cells, "cpu_us_per_request", Axis::Linear));
    out.push_str(&over_clients("memory (PSS), MiB", cells, "pss_mib", Axis::Linear));
    out.push_str("</div>\n");
    out
}

/// The curves of the `workers` mode: one for each engine and number of cores.
pub fn grid(cells: &[&Value]) -> String {
    let mut lines: Vec<(String, String)> = Vec::new();
    for cell in cells {
        let line = (plain(&cell["engine"]), plain(&cell["cores"]));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let draw = |title: &str, path: &str, axis: Axis| {
        let curve = |(colour, (engine, cores)): (usize, &(String, String))| {
            let own = cells.iter().filter(|c| c["void"].is_null() && plain(&c["engine"]) == *engine && plain(&c["cores"]) == *cores);
            let points = own.filter_map(|cell| Some((cell["workers"].as_f64()?, at(&cell["summary"], path)?["mean"].as_f64()?)));
            Curve { label: format!("{engine}, {cores} cores"), colour, points: points.collect() }
        };
        let curves: Vec<Curve> = lines.iter().enumerate().map(curve).collect();
        draw_curves(title, "workers", &curves, Axis::Logarithmic, axis)
    };
    let mut out = String::from("<div class=\"charts\">\n");
    out.push_str(&draw("requests per second", "requests_per_second", Axis::Linear));
    out.push_str(&draw("latency, mean, ms", "latency_ms.mean", Axis::Logarithmic));
    out.push_str("</div>\n");
    out
}
