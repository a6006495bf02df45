//! `cargo xtask bench pages`: `jumbo bench pages` of a release build, with what it needs set up first, and its figures recorded.

use super::{PAGES, append, commit, date, geometric_mean, machine};
use crate::engine::{Engine, Sapi};
use crate::{Failure, Verdict, repository};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What the pages are of, as `jumbo bench setup` calls it.
const APPLICATIONS: [&str; 4] = ["dokuwiki", "wordpress", "symfony", "laravel"];

pub fn run(jumbo: &Engine, pages: &[String], runs: usize, instructions: bool, record: Option<&String>) -> Result<Verdict, Failure> {
    let program = jumbo.program(Sapi::Cli);
    bench(program, &["setup"], &APPLICATIONS.map(str::to_owned))?;
    let folder = repository().join("target");
    let file = folder.join("pages.json");
    let runs = runs.to_string();
    let name = file.to_string_lossy();
    let mut options = vec!["pages", "--runs", &runs, "--json", &name];
    if instructions {
        options.push("--instructions");
    }
    bench(program, &options, pages)?;
    let text = fs::read_to_string(&file).map_err(|e| Failure::io(&file, &e))?;
    let document: Value = serde_json::from_str(&text).map_err(|e| Failure::new(format!("{}: {e}", file.display())))?;
    let measured: Vec<&Value> = document["pages"].as_array().into_iter().flatten().collect();
    let ratios = |own: &str, stock: &str| -> Vec<f64> {
        measured.iter().filter_map(|page| Some(page[own].as_f64()? / page[stock].as_f64()?)).collect()
    };
    let (cpu, counts) = (ratios("cpu_ms", "fpm_cpu_ms"), ratios("instructions", "fpm_instructions"));
    let mean = |ratios: &[f64]| (geometric_mean(ratios.iter().copied()) * 1000.0).round() / 1000.0;
    println!("{} pages: {} of php-fpm's CPU time (geometric mean)", cpu.len(), mean(&cpu));
    if !counts.is_empty() {
        println!("{} pages: {} of its instructions", counts.len(), mean(&counts));
    }
    if let Some(profile) = record {
        let of = |page: &&Value| Some((page["page"].as_str()?.to_owned(), (*page).clone()));
        let pages: Map<String, Value> = measured.iter().filter_map(of).collect();
        append(PAGES, &json!({ "commit": commit(), "date": date(), "machine": machine(), "profile": profile, "cpu": mean(&cpu), "pages": pages }))?;
    }
    Ok(Verdict::fine_if(measured.iter().all(|page| page["void"].is_null())))
}

/// Runs `jumbo bench`.
fn bench(program: &Path, options: &[&str], names: &[String]) -> Result<(), Failure> {
    let status = Command::new(program).arg("bench").args(options).args(names).status();
    let status = status.map_err(|e| Failure::new(format!("{}: {e}", program.display())))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("jumbo bench {} failed", options.first().unwrap_or(&"")))) }
}
