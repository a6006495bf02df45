//! Results as tables of plain text.

use crate::summary;
use serde_json::Value;

/// A table whose first column is text and whose others are numbers.
#[derive(Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(head: &[&str]) -> Table {
        Table { rows: vec![head.iter().map(|&h| h.to_owned()).collect()] }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        // A row of one or two cells (a reason) does not widen the columns.
        let width = |column: usize| {
            self.rows.iter().filter(|row| row.len() == columns).filter_map(|row| row.get(column)).map(|c| c.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (n, cell) in row.iter().enumerate() {
                let width = widths[n];
                line.push_str(&if n == 0 || row.len() < columns { format!("{cell:<width$}  ") } else { format!("{cell:>width$}  ") });
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// A number with three or four digits that matter.
pub fn number(value: &Value) -> String {
    match value.as_f64() {
        None => "-".into(),
        Some(v) if v.abs() >= 1000.0 => thousands(v),
        Some(v) if v.abs() >= 100.0 => format!("{v:.0}"),
        Some(v) if v.abs() >= 10.0 => format!("{v:.1}"),
        Some(v) => format!("{v:.2}"),
    }
}

fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut out = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if value < 0.0 { format!("-{out}") } else { out }
}

/// A ratio with its interval.
pub fn ratio(value: &Value) -> String {
    let Some(ratio) = value["ratio"].as_f64() else { return "-".into() };
    match (value["low"].as_f64(), value["high"].as_f64()) {
        (Some(low), Some(high)) => format!("{ratio:.2} [{low:.2}, {high:.2}]"),
        _ => format!("{ratio:.2}"),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The whole document, for the terminal.
pub fn document(document: &Value) -> String {
    let mut out = String::new();
    let environment = &document["environment"];
    out.push_str(&format!(
        "{} cores of {}, {}, kernel {}\n",
        environment["cores"],
        text(&environment["cpu"]),
        text(&environment["system"]),
        text(&environment["kernel"])
    ));
    let changed: Vec<String> = document["changed"].as_array().into_iter().flatten().map(text).collect();
    if !changed.is_empty() {
        out.push_str(&format!("not canonical: {}\n", changed.join(", ")));
    }
    out.push('\n');
    let cells: Vec<&Value> = document["cells"].as_array().into_iter().flatten().collect();
    out.push_str(&engines(&cells));
    out.push('\n');
    out.push_str(&figures(&cells, document["mode"] == "workers").to_string());
    out.push_str(&extensions(document));
    let comparisons = document["comparisons"].as_array().cloned().unwrap_or_default();
    if !comparisons.is_empty() {
        out.push_str("\nRatios with 95 % confidence intervals, of runs in turns\n");
        let mut table = Table::new(&["", "clients", "requests/s", "CPU/request", "p50", "p99"]);
        for c in &comparisons {
            let r = &c["ratios"];
            let mut name = format!("{}: {} / {}", text(&c["target"]), text(&c["engine"]), text(&c["baseline"]));
            if !c["workers"].is_null() {
                name.push_str(&format!(", {} workers {} cores", c["workers"], c["cores"]));
            }
            table.row(vec![
                name,
                c["clients"].to_string(),
                ratio(&r["requests_per_second"]),
                ratio(&r["cpu_us_per_request"]),
                ratio(&r["latency_p50"]),
                ratio(&r["latency_p99"]),
            ]);
        }
        out.push_str(&table.to_string());
    }
    let mut warnings = String::new();
    for cell in &cells {
        for warning in cell["warnings"].as_array().into_iter().flatten() {
            let line = format!("{} on {}: {}\n", text(&cell["target"]), text(&cell["engine"]), text(warning));
            if !warnings.contains(&line) {
                warnings.push_str(&line);
            }
        }
        if let Some(warning) = cell["settings"]["warning"].as_str() {
            warnings.push_str(&format!("{}: {warning}\n", text(&cell["engine"])));
        }
    }
    if !warnings.is_empty() {
        out.push_str(&format!("\nWarnings\n{warnings}"));
    }
    out
}

/// How each engine was started, in a line; all of it is in the JSON document and in the report.
fn engines(cells: &[&Value]) -> String {
    let (mut out, mut known) = (String::new(), Vec::new());
    for cell in cells.iter().filter(|cell| cell["settings"].is_object()) {
        let (name, settings) = (text(&cell["engine"]), &cell["settings"]);
        if known.contains(&name) {
            continue;
        }
        let versions: Vec<String> = settings["versions"].as_object().into_iter().flatten().map(|(_, version)| text(version)).collect();
        let numbers = ["children", "executors", "threads", "workers", "nginx_worker_processes", "in_flight_max", "cores"];
        let numbers: Vec<String> = numbers.iter().filter(|n| !settings[**n].is_null()).map(|n| format!("{} {}", n.replace('_', " "), settings[*n])).collect();
        let note = settings["note"].as_str().unwrap_or_default();
        out.push_str(&format!("{name}: {}\n", [versions.join(", "), numbers.join(", "), note.to_owned()].into_iter().filter(|s| !s.is_empty()).collect::<Vec<_>>().join("; ")));
        known.push(name);
    }
    out
}

/// One row for each cell; in the `workers` mode with Pagely's columns.
fn figures(cells: &[&Value], workers: bool) -> Table {
    let mut head = vec!["target, engine"];
    head.extend(if workers {
        ["cores", "workers", "requests/s", "mean ms", "min ms", "median ms", "max ms", "p90 ms", "p95 ms", "CPU µs/req"].as_slice()
    } else {
        &["clients", "requests/s", "±sd", "p50 ms", "p99 ms", "max ms", "CPU µs/req", "PSS MiB", "start ms", "steady s"]
    });
    let mut table = Table::new(&head);
    for cell in cells {
        let name = format!("{}, {}", text(&cell["target"]), text(&cell["engine"]));
        if let Some(why) = cell["void"].as_str() {
            let point = if workers { format!(", {} cores, {} workers", cell["cores"], cell["workers"]) } else { String::new() };
            table.row(vec![name + &point, format!("void: {why}")]);
            continue;
        }
        let s = &cell["summary"];
        let mean = |value: &Value| number(&value["mean"]);
        let latency = |name: &str| mean(&s["latency_ms"][name]);
        let mut row = vec![name];
        if workers {
            row.extend([cell["cores"].to_string(), cell["workers"].to_string(), mean(&s["requests_per_second"])]);
            row.extend(["mean", "min", "p50", "max", "p90", "p95"].map(latency));
            row.push(mean(&s["cpu_us_per_request"]));
        } else {
            row.extend([cell["clients"].to_string(), mean(&s["requests_per_second"]), number(&s["requests_per_second"]["sd"])]);
            row.extend(["p50", "p99", "max"].map(latency));
            row.extend([mean(&s["cpu_us_per_request"]), mean(&s["pss_mib"])]);
            row.extend([number(&cell["startup"]["first_answer_ms"]), number(&cell["warmup"]["steady_after_s"])]);
        }
        table.row(row);
    }
    table
}

/// In which extensions the PHPs of a target were made equal, and in which they could not be.
pub fn extensions_of(target: &Value) -> Vec<String> {
    let list = |name: &str| -> Vec<String> {
        let names = target["extensions"][name].as_object().into_iter().flatten();
        names.map(|(extension, engines)| format!("{extension} ({})", engines.as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join(", "))).collect()
    };
    let (left_out, only_in) = (list("left_out"), list("only_in"));
    let mut lines = Vec::new();
    if !left_out.is_empty() {
        lines.push(format!("stock PHP was run without extensions that others lack: {}", left_out.join(", ")));
    }
    if !only_in.is_empty() {
        lines.push(format!("extensions that only some have: {}", only_in.join(", ")));
    }
    lines
}

fn extensions(document: &Value) -> String {
    let targets = document["targets"].as_object().into_iter().flatten();
    let lines: Vec<String> = targets.flat_map(|(name, target)| extensions_of(target).into_iter().map(move |line| format!("{name}: {line}\n"))).collect();
    if lines.is_empty() { String::new() } else { format!("\nExtensions\n{}", lines.concat()) }
}

/// Two sessions beside each other, cell by cell.
pub fn compare(one: &Value, other: &Value) -> Result<String, String> {
    let mut table = Table::new(&["target, engine", "clients", "requests/s before", "after", "ratio", "p50", "p99", "CPU/request", "PSS"]);
    let mut met = 0;
    for after in other["cells"].as_array().into_iter().flatten() {
        let same = |before: &&Value| ["target", "engine", "clients", "rate", "workers", "cores"].iter().all(|name| before[*name] == after[*name]);
        let Some(before) = one["cells"].as_array().into_iter().flatten().find(same) else { continue };
        met += 1;
        let name = format!("{}, {}", text(&after["target"]), text(&after["engine"]));
        if let Some(why) = after["void"].as_str().or(before["void"].as_str()) {
            let when = if after["void"].is_null() { "before" } else { "after" };
            table.row(vec![name, format!("void {when}: {why}")]);
            continue;
        }
        let compared = |path: &str| {
            let found = crate::stats::unpaired_ratio(&summary::values(after, path), &summary::values(before, path));
            found.map_or("-".into(), |r| ratio(&summary::describe_ratio(&r)))
        };
        table.row(vec![
            name,
            after["clients"].to_string(),
            number(&before["summary"]["requests_per_second"]["mean"]),
            number(&after["summary"]["requests_per_second"]["mean"]),
            compared("requests_per_second"),
            compared("latency_ms.p50"),
            compared("latency_ms.p99"),
            compared("cpu.us_per_request"),
            compared("memory.pss_mib"),
        ]);
    }
    if met == 0 {
        return Err("the two have no cell in common".into());
    }
    let mut out = table.to_string();
    out.push_str("\nRatios are after / before, with 95 % confidence intervals of unrelated runs.\n");
    for name in ["cpu", "cores", "kernel", "memory"] {
        let (a, b) = (&one["environment"][name], &other["environment"][name]);
        if a != b {
            out.push_str(&format!("The machines differ: {name} {} and {}.\n", text(a), text(b)));
        }
    }
    for (name, target) in other["targets"].as_object().into_iter().flatten() {
        let (a, b) = (&one["targets"][name]["extensions"]["loaded"], &target["extensions"]["loaded"]);
        if one["targets"].get(name).is_some() && a != b {
            out.push_str(&format!("{name}: stock PHP had other extensions: {a} and {b}.\n"));
        }
    }
    if one["settings"] != other["settings"] {
        out.push_str("The settings differ.\n");
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(number(&json!(1_234_567.4)), "1,234,567");
        assert_eq!(number(&json!(999.6)), "1000");
        assert_eq!(number(&json!(12.34)), "12.3");
        assert_eq!(number(&json!(0.123)), "0.12");
        assert_eq!(number(&Value::Null), "-");
        assert_eq!(ratio(&json!({"ratio": 2.0, "low": 1.5, "high": 2.5})), "2.00 [1.50, 2.50]");
    }

    #[test]
    fn sessions_are_compared_by_cell() {
        let session = |values: [f64; 3]| {
            let runs: Vec<Value> = values.iter().map(|v| json!({"requests_per_second": v})).collect();
            json!({"environment": {"cores": 2}, "cells": [{"target": "hello", "engine": "fpm", "clients": 10, "void": null, "runs": runs,
                "summary": {"requests_per_second": {"mean": 1.0}}}]})
        };
        let told = compare(&session([100.0, 101.0, 99.0]), &session([200.0, 202.0, 198.0])).unwrap();
        assert!(told.contains("2.00 ["), "{told}");
        assert!(compare(&session([1.0; 3]), &json!({"cells": []})).is_err());
    }
}
