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
    let mut table = Table::new(&["target, engine", "clients", "requests/s", "±sd", "p50 ms", "p99 ms", "max ms", "CPU µs/req", "PSS MiB", "start ms", "steady s"]);
    let cells: Vec<&Value> = document["cells"].as_array().into_iter().flatten().collect();
    for cell in &cells {
        let mut name = format!("{}, {}", text(&cell["target"]), text(&cell["engine"]));
        if !cell["workers"].is_null() {
            name.push_str(&format!(" {} workers {} cores", cell["workers"], cell["cores"]));
        }
        if let Some(why) = cell["void"].as_str() {
            table.row(vec![name, format!("void: {why}")]);
            continue;
        }
        let s = &cell["summary"];
        let mean = |value: &Value| number(&value["mean"]);
        table.row(vec![
            name,
            cell["clients"].to_string(),
            mean(&s["requests_per_second"]),
            number(&s["requests_per_second"]["sd"]),
            mean(&s["latency_ms"]["p50"]),
            mean(&s["latency_ms"]["p99"]),
            mean(&s["latency_ms"]["max"]),
            mean(&s["cpu_us_per_request"]),
            mean(&s["pss_mib"]),
            number(&cell["startup"]["first_answer_ms"]),
            number(&cell["warmup"]["steady_after_s"]),
        ]);
    }
    out.push_str(&table.to_string());
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
