//! `cargo xtask bench ops`: what single operations cost beside stock PHP (benches/ops/ops.php).
//!
//! Each round runs the whole table in a fresh process of each engine, in turns. An operation's time is the median of its rounds, and within a
//! round the best of three: what else the machine does only adds. Nothing is taken off: the loop is part of each operation, in both engines.

use super::{OPERATIONS, append, commit, date, geometric_mean, job, machine, median};
use crate::engine::Engine;
use crate::process::Exit;
use crate::{Failure, Verdict, repository};
use serde_json::{Map, json};
use std::collections::HashMap;
use std::path::Path;

/// An operation above this is one to work on.
const ABOVE: f64 = 1.25;

/// The operations' names in the table's order, and of each the times of all rounds in nanoseconds.
#[derive(Default)]
struct Times {
    names: Vec<String>,
    of: HashMap<String, Vec<f64>>,
}

impl Times {
    fn add(&mut self, engine: &Engine, script: &Path, arguments: &[String]) -> Result<(), Failure> {
        let mut job = job(script, engine);
        job.args.extend(arguments.iter().map(Into::into));
        let outcome = job.run().map_err(|e| Failure::new(format!("cannot run {}: {e}", engine.name())))?;
        let text = String::from_utf8_lossy(&outcome.output);
        if outcome.exit != Exit::Code(0) {
            return Err(Failure::new(format!("{}: {}: {}", engine.name(), outcome.exit, text.lines().last().unwrap_or_default())));
        }
        for line in text.lines() {
            let parsed = line.split_once('\t').and_then(|(name, ns)| Some((name, ns.parse::<f64>().ok()?)));
            let Some((name, ns)) = parsed else { return Err(Failure::new(format!("{} prints: {line}", engine.name()))) };
            let times = self.of.entry(name.to_owned()).or_insert_with(|| {
                self.names.push(name.to_owned());
                Vec::new()
            });
            times.push(ns);
        }
        Ok(())
    }

    fn median(&mut self, name: &str) -> Option<f64> {
        self.of.get_mut(name).map(|times| median(times))
    }
}

/// Prints the table, the worst first. `record`: the profile, if the ratios are to be recorded.
pub fn run(stock: &Engine, jumbo: &Engine, filter: Option<&String>, rounds: usize, record: Option<&String>) -> Result<Verdict, Failure> {
    let script = repository().join("benches/ops/ops.php");
    let arguments: Vec<String> = filter.cloned().into_iter().collect();
    let (mut expected, mut found) = (Times::default(), Times::default());
    for _ in 0..rounds {
        expected.add(stock, &script, &arguments)?;
        found.add(jumbo, &script, &arguments)?;
    }
    let mut rows = Vec::new();
    for name in expected.names.clone() {
        let stock_ns = expected.median(&name).unwrap_or_default();
        let Some(jumbo_ns) = found.median(&name) else { return Err(Failure::new(format!("jumbo does not measure {name}"))) };
        rows.push((jumbo_ns / stock_ns, jumbo_ns, stock_ns, name));
    }
    if rows.is_empty() {
        return Err(Failure::new("no such operation"));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{:>7} {:>10} {:>10}", "ratio", "jumbo ns", "stock ns");
    for (ratio, jumbo_ns, stock_ns, name) in &rows {
        println!("{ratio:>7.2} {jumbo_ns:>10.1} {stock_ns:>10.1}  {name}");
    }
    let mean = geometric_mean(rows.iter().map(|row| row.0));
    let above = rows.iter().filter(|row| row.0 > ABOVE).count();
    println!("{} operations: {mean:.3} of stock's time (geometric mean), {above} above {ABOVE}", rows.len());
    if let Some(profile) = record {
        let ratios: Map<_, _> = rows.iter().map(|(ratio, _, _, name)| (name.clone(), json!((ratio * 100.0).round() / 100.0))).collect();
        let record = json!({
            "commit": commit(),
            "date": date(),
            "machine": machine(),
            "profile": profile,
            "rounds": rounds,
            "geometric_mean": (mean * 1000.0).round() / 1000.0,
            "above": above,
            "ratios": ratios,
        });
        append(OPERATIONS, &record)?;
    }
    Ok(Verdict::Fine)
}
