//! The report: one HTML file with everything in it, charts drawn here as SVG. It needs no network and no script to be read.
//!
//! It is made from the JSON documents alone, so a report can be made again, and from several sessions at once.

mod charts;
mod svg;

use crate::text::{number, ratio};
use serde_json::Value;
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");

/// Text for HTML.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A value as text: strings without their quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "not known".into(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The whole page.
pub fn html(documents: &[Value]) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>jumbo bench</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>jumbo bench</h1>\n"
    );
    for document in documents {
        session(&mut out, document);
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn session(out: &mut String, document: &Value) {
    let mode = plain(&document["mode"]);
    let environment = &document["environment"];
    let _ = writeln!(
        out,
        "<section>\n<h2>{} <small>{}</small></h2>\n<p>{} cores of {}, {}, kernel {}, {} of memory{}.</p>",
        escape(&mode),
        escape(&plain(&document["started"])),
        plain(&environment["cores"]),
        escape(&plain(&environment["cpu"])),
        escape(&plain(&environment["system"])),
        escape(&plain(&environment["kernel"])),
        escape(&plain(&environment["memory"])),
        if environment["hypervisor"] == Value::Bool(true) { ", a virtual machine" } else { "" },
    );
    if document["canonical"] == Value::Bool(true) {
        out.push_str("<p class=\"good\">Canonical: nothing was changed from the standard.</p>\n");
    } else {
        let changed: Vec<String> = document["changed"].as_array().into_iter().flatten().map(plain).collect();
        let _ = writeln!(out, "<p class=\"bad\">Not canonical; changed: {}.</p>", escape(&changed.join(", ")));
    }
    let cells: Vec<&Value> = document["cells"].as_array().into_iter().flatten().collect();
    void_cells(out, &cells);
    let mut targets: Vec<String> = Vec::new();
    for cell in &cells {
        let target = plain(&cell["target"]);
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    for target in &targets {
        let of_target: Vec<&Value> = cells.iter().copied().filter(|cell| plain(&cell["target"]) == *target).collect();
        let title = plain(&document["targets"][target]["title"]);
        let _ = writeln!(out, "<h3>{} <small>{}</small></h3>", escape(target), escape(&title));
        for line in crate::text::extensions_of(&document["targets"][target]) {
            let _ = writeln!(out, "<p>Stated difference: {}.</p>", escape(&line));
        }
        match mode.as_str() {
            "sweep" => out.push_str(&charts::sweep(&of_target)),
            "workers" => workers(out, &of_target),
            _ => run(out, &of_target),
        }
        if mode != "workers" {
            table(out, &of_target);
        }
        comparisons(out, document, target);
    }
    warnings(out, &cells);
    settings(out, document, &cells);
    out.push_str("</section>\n");
}

fn is_valid(cell: &&Value) -> bool {
    cell["void"].is_null()
}

fn void_cells(out: &mut String, cells: &[&Value]) {
    let void: Vec<&&Value> = cells.iter().filter(|cell| !cell["void"].is_null()).collect();
    if void.is_empty() {
        return;
    }
    let _ = writeln!(out, "<h3>Void cells</h3>\n<table class=\"left\"><tr><th>target<th>engine<th>reason</tr>");
    for cell in void {
        let _ = writeln!(
            out,
            "<tr><td>{}<td>{}{}<td>{}</tr>",
            escape(&plain(&cell["target"])),
            escape(&plain(&cell["engine"])),
            if cell["workers"].is_null() { String::new() } else { format!(", {} workers, {} cores", cell["workers"], cell["cores"]) },
            escape(&plain(&cell["void"]))
        );
    }
    out.push_str("</table>\n");
}

fn run(out: &mut String, cells: &[&Value]) {
    let valid: Vec<&Value> = cells.iter().copied().filter(is_valid).collect();
    if valid.is_empty() {
        return;
    }
    out.push_str("<div class=\"charts\">\n");
    for (title, path, dots) in [
        ("requests per second (each dot a run)", "requests_per_second", "requests_per_second"),
        ("latency, median, ms", "latency_ms.p50", "latency_ms.p50"),
        ("latency, 99 %, ms", "latency_ms.p99", "latency_ms.p99"),
        ("CPU time per request, µs", "cpu_us_per_request", "cpu.us_per_request"),
        ("memory (PSS), MiB", "pss_mib", "memory.pss_mib"),
        ("start to first answer, ms", "startup.first_answer_ms", ""),
    ] {
        out.push_str(&charts::bars(title, &valid, path, dots));
    }
    out.push_str(&charts::distributions(&valid));
    out.push_str(&charts::warmups(&valid));
    out.push_str("</div>\n");
}

fn table(out: &mut String, cells: &[&Value]) {
    let valid: Vec<&Value> = cells.iter().copied().filter(is_valid).collect();
    if valid.is_empty() {
        return;
    }
    out.push_str(
        "<table><tr><th>engine<th>clients<th>requests/s<th>± sd<th>runs<th>mean ms<th>p50<th>p90<th>p95<th>p99<th>p99.9<th>max<th>CPU µs/request\
         <th>database µs<th>PSS MiB<th>private MiB<th>answers<th>warm-up s</tr>\n",
    );
    for cell in valid {
        let s = &cell["summary"];
        let rate = &s["requests_per_second"];
        let mut fields = vec![escape(&plain(&cell["engine"])), plain(&cell["clients"]), number(&rate["mean"]), number(&rate["sd"]), plain(&rate["n"])];
        for name in ["mean", "p50", "p90", "p95", "p99", "p999", "max"] {
            fields.push(number(&s["latency_ms"][name]["mean"]));
        }
        for name in ["cpu_us_per_request", "database_cpu_us_per_request", "pss_mib", "private_mib"] {
            fields.push(number(&s[name]["mean"]));
        }
        fields.push(number(&s["completed"]));
        fields.push(number(&cell["warmup"]["seconds"]));
        let _ = writeln!(out, "<tr><td>{}</tr>", fields.join("<td>"));
    }
    out.push_str("</table>\n");
}

/// Pagely's columns.
fn workers(out: &mut String, cells: &[&Value]) {
    out.push_str(&charts::grid(cells));
    out.push_str("<table><tr><th>engine<th>cores<th>workers<th>average ms<th>min<th>median<th>max<th>p90<th>p95<th>requests/s<th>CPU µs/request</tr>\n");
    for cell in cells.iter().filter(|cell| is_valid(cell)) {
        let s = &cell["summary"];
        let mut fields = vec![escape(&plain(&cell["engine"])), plain(&cell["cores"]), plain(&cell["workers"])];
        for name in ["mean", "min", "p50", "max", "p90", "p95"] {
            fields.push(number(&s["latency_ms"][name]["mean"]));
        }
        fields.push(number(&s["requests_per_second"]["mean"]));
        fields.push(number(&s["cpu_us_per_request"]["mean"]));
        let _ = writeln!(out, "<tr><td>{}</tr>", fields.join("<td>"));
    }
    out.push_str("</table>\n");
}

fn comparisons(out: &mut String, document: &Value, target: &str) {
    let found: Vec<&Value> = document["comparisons"].as_array().into_iter().flatten().filter(|c| plain(&c["target"]) == target).collect();
    if found.is_empty() {
        return;
    }
    out.push_str("<table><caption>Ratios with 95 % confidence intervals, of runs in turns; bold: the interval leaves out 1</caption>\n");
    out.push_str("<tr><th>engine / baseline<th>clients<th>requests/s<th>CPU time/request<th>p50<th>p99<th>memory</tr>\n");
    for comparison in found {
        let mut name = format!("{} / {}", plain(&comparison["engine"]), plain(&comparison["baseline"]));
        if !comparison["workers"].is_null() {
            let _ = write!(name, ", {} workers, {} cores", comparison["workers"], comparison["cores"]);
        }
        let _ = write!(out, "<tr><td>{}<td>{}", escape(&name), plain(&comparison["clients"]));
        for name in ["requests_per_second", "cpu_us_per_request", "latency_p50", "latency_p99", "pss_mib"] {
            let value = &comparison["ratios"][name];
            let text = ratio(value);
            let _ = if value["certain"] == Value::Bool(true) { write!(out, "<td><b>{text}</b>") } else { write!(out, "<td>{text}") };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table>\n");
}

fn warnings(out: &mut String, cells: &[&Value]) {
    let mut lines: Vec<String> = Vec::new();
    for cell in cells {
        let own = cell["warnings"].as_array().into_iter().flatten().chain(Some(&cell["settings"]["warning"]).filter(|w| w.is_string()));
        for warning in own {
            let line = format!("{} on {}: {}", plain(&cell["target"]), plain(&cell["engine"]), plain(warning));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    if !lines.is_empty() {
        out.push_str("<h3>Warnings</h3>\n<ul>\n");
        for line in lines {
            let _ = writeln!(out, "<li>{}", escape(&line));
        }
        out.push_str("</ul>\n");
    }
}

/// Everything that the figures depend on, folded away.
fn settings(out: &mut String, document: &Value, cells: &[&Value]) {
    let pretty = |value: &Value| escape(&serde_json::to_string_pretty(value).unwrap_or_default());
    let command: Vec<String> = document["command"].as_array().into_iter().flatten().map(plain).collect();
    let _ = writeln!(out, "<details><summary>Settings and environment</summary>\n<p><code>{}</code></p>", escape(&command.join(" ")));
    let _ = writeln!(out, "<pre>{}</pre>\n<pre>{}</pre>", pretty(&document["settings"]), pretty(&document["environment"]));
    out.push_str("</details>\n");
    let mut shown: Vec<&Value> = Vec::new();
    for cell in cells.iter().filter(|cell| cell["settings"].is_object()) {
        if shown.contains(&&cell["settings"]) {
            continue;
        }
        shown.push(&cell["settings"]);
        let name = format!("{} for {}", plain(&cell["engine"]), plain(&cell["target"]));
        let _ = writeln!(out, "<details><summary>How {} was started</summary>", escape(&name));
        for (label, line) in cell["settings"]["commands"].as_object().into_iter().flatten() {
            let _ = writeln!(out, "<p>{}: <code>{}</code></p>", escape(label), escape(&plain(line)));
        }
        if let Some(names) = cell["settings"]["extensions"].as_array() {
            let _ = writeln!(out, "<p>extensions: {}</p>", escape(&names.iter().map(plain).collect::<Vec<_>>().join(", ")));
        }
        for (label, version) in cell["settings"]["versions"].as_object().into_iter().flatten() {
            let _ = writeln!(out, "<p>{}: {}</p>", escape(label), escape(&plain(version)));
        }
        for (file, text) in cell["settings"]["files"].as_object().into_iter().flatten() {
            let _ = writeln!(out, "<h4>{}</h4>\n<pre>{}</pre>", escape(file), escape(&plain(text)));
        }
        out.push_str("</details>\n");
    }
    let _ = writeln!(out, "<details><summary>Requests and what was normalised</summary><pre>{}</pre></details>", pretty(&document["targets"]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(mode: &str) -> Value {
        let cell = |engine: &str, clients: u64, rate: f64| {
            let runs: Vec<Value> = (0..3)
                .map(|n| {
                    json!({"requests_per_second": rate + f64::from(n), "latency_ms": {"p50": 1.0, "p99": 5.0}, "latency_counts_us": [[100, 5], [1000, 3], [90000, 1]],
                    "cpu": {"us_per_request": 10.0}})
                })
                .collect();
            let mut cell = json!({"target": "hello<script>", "engine": engine, "clients": clients, "void": null, "runs": runs, "warnings": ["a & b"],
                "warmup": {"requests_per_second": [1.0, 2.0, 3.0], "seconds": 3}, "startup": {"first_answer_ms": 12.0},
                "settings": {"commands": {"x": "run <it>"}, "files": {}, "versions": {}}, "workers": 2, "cores": clients});
            cell["summary"] = crate::summary::of_cell(&cell);
            cell
        };
        let mut cells = vec![cell("jumbo", 1, 100.0), cell("fpm", 1, 50.0), cell("jumbo", 100, 150.0), cell("fpm", 100, 60.0)];
        cells.push(json!({"target": "hello<script>", "engine": "fpm-jit", "void": "it said <no>", "runs": []}));
        let mut document = json!({"jumbo_bench": 1, "mode": mode, "canonical": false, "changed": ["quick"], "targets": {}, "environment": {}, "cells": cells});
        document["comparisons"] = crate::summary::comparisons(&document["cells"]);
        document
    }

    #[test]
    fn each_mode_has_its_report() {
        for mode in ["run", "sweep", "workers"] {
            let page = html(&[document(mode)]);
            assert!(page.contains("<svg"), "{mode} has charts");
            assert!(page.contains("it said &lt;no&gt;"), "{mode} tells void cells");
            assert!(!page.contains("<script"), "{mode}: nothing of the data is markup, and there are no scripts");
            assert!(!page.contains("http://") && !page.contains("https://"), "{mode} needs no network");
            assert!(!page.contains("NaN") && !page.contains("inf"), "{mode}");
            for tag in ["svg", "table", "section", "details", "div"] {
                assert_eq!(page.matches(&format!("<{tag}")).count(), page.matches(&format!("</{tag}>")).count(), "{mode}: {tag}");
            }
        }
    }

    #[test]
    fn an_empty_document_is_no_panic() {
        assert!(html(&[json!({})]).contains("</html>"));
        assert!(html(&[json!({"mode": "sweep", "cells": [{}, 3, null]})]).contains("</html>"));
    }
}
