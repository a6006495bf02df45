//! Two commits beside each other, from the records in benches/: the table of `--report`, in Markdown.

use super::{INSTRUCTIONS, RESULTS};
use crate::{Failure, repository};
use serde_json::{Map, Value};
use std::fmt::Write;
use std::fs;

/// The table of what was recorded of both commits.
pub fn table(before: &str, after: &str) -> Result<String, Failure> {
    let (times_before, times_after) = (recorded(RESULTS, "ratios", before)?, recorded(RESULTS, "ratios", after)?);
    let (counts_before, counts_after) = (recorded(INSTRUCTIONS, "instructions", before)?, recorded(INSTRUCTIONS, "instructions", after)?);
    let mut text = format!(
        "# Benchmarks of {before} and of {after}\n\nWritten by `cargo xtask bench --report {before} {after}` from the records: CPU time as a ratio to stock PHP's (opcache, no JIT), and \
         instructions of Jumbo in millions (callgrind), in each commit.\n\n\
         | benchmark | time before | time after | instructions before | after | after / before |\n|---|---:|---:|---:|---:|---:|\n",
    );
    let mut logarithms = Vec::new();
    for (name, after) in &times_after {
        let time = |value: Option<&Value>| value.and_then(Value::as_f64).map_or("".to_owned(), |ratio| format!("{ratio:.2}"));
        let millions = |value: Option<f64>| value.map_or("".to_owned(), |n| format!("{:.0}", n / 1e6));
        let count = |counts: &Map<String, Value>| counts.get(name).and_then(Value::as_f64);
        let (count_before, count_after) = (count(&counts_before), count(&counts_after));
        let change = count_before.zip(count_after).map(|(before, after)| after / before);
        logarithms.extend(change.map(f64::ln));
        let change = change.map_or("".to_owned(), |change| format!("{change:.2}"));
        let (before, after) = (time(times_before.get(name)), time(Some(after)));
        let _ = writeln!(text, "| {name} | {before} | {after} | {} | {} | {change} |", millions(count_before), millions(count_after));
    }
    let mean = |values: Vec<f64>| (values.iter().sum::<f64>() / values.len().max(1) as f64).exp();
    let time = |times: &Map<String, Value>| mean(times.values().filter_map(Value::as_f64).map(f64::ln).collect());
    let (before, after, change) = (time(&times_before), time(&times_after), mean(logarithms));
    let _ = writeln!(text, "| geometric mean | {before:.2} | {after:.2} | | | {change:.2} |");
    Ok(text)
}

/// The last record of a commit in a file of records.
fn recorded(file: &str, what: &str, commit: &str) -> Result<Map<String, Value>, Failure> {
    let path = repository().join(file);
    let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, &e))?;
    let record = text.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok()).find(|record| record["commit"] == commit);
    match record.as_ref().and_then(|record| record[what].as_object()) {
        Some(values) => Ok(values.clone()),
        None => Err(Failure::new(format!("{file} has no record of {commit}: `cargo xtask bench --record` makes one (also with --instructions)"))),
    }
}
