//! What the runs of a cell say together, and what cells say about each other.

use crate::run::{PERCENTILES, round};
use crate::stats::{Ratio, Summary, paired_ratio};
use serde_json::{Value, json};

/// The values of a figure over the runs of a cell. `path` are names joined by dots.
pub fn values(cell: &Value, path: &str) -> Vec<f64> {
    let runs = cell["runs"].as_array().into_iter().flatten();
    runs.filter_map(|run| path.split('.').try_fold(run, |value, name| value.get(name))?.as_f64()).collect()
}

fn describe(values: &[f64], digits: i32) -> Value {
    Summary::of(values).map_or(Value::Null, |s| {
        let r = |v| round(v, digits);
        json!({"n": s.n, "mean": r(s.mean), "sd": r(s.sd), "min": r(s.min), "median": r(s.median), "max": r(s.max)})
    })
}

/// Figures that are summed up, with the number of digits that are kept.
const FIGURES: &[(&str, &str, i32)] = &[
    ("requests_per_second", "requests_per_second", 2),
    ("cpu_us_per_request", "cpu.us_per_request", 2),
    ("php_cpu_us_per_request", "php_cpu.us_per_request", 2),
    ("database_cpu_us_per_request", "database_cpu.us_per_request", 2),
    ("pss_mib", "memory.pss_mib", 2),
    ("private_mib", "memory.private_mib", 2),
    ("pss_peak_mib", "memory_peak.pss_mib", 2),
    ("instructions_per_request", "instructions_per_request", 0),
    ("generator_busy", "generator.busy", 3),
    ("others_share", "others_share", 4),
];

/// Of all the runs of a cell.
pub fn of_cell(cell: &Value) -> Value {
    if !cell["void"].is_null() {
        return Value::Null;
    }
    let mut summary = json!({});
    for (name, path, digits) in FIGURES {
        let found = values(cell, path);
        if !found.is_empty() {
            summary[*name] = describe(&found, *digits);
        }
    }
    for name in ["min", "mean", "max"].into_iter().chain(PERCENTILES.iter().map(|(name, _)| *name)) {
        summary["latency_ms"][name] = describe(&values(cell, &format!("latency_ms.{name}")), 3);
    }
    let sum = |name: &str| values(cell, name).iter().sum::<f64>();
    summary["completed"] = json!(sum("completed"));
    summary["bytes"] = json!(sum("bytes"));
    summary
}

/// Whether two cells differ in nothing but the engine.
fn same_point(one: &Value, other: &Value) -> bool {
    ["target", "clients", "rate", "workers", "cores"].iter().all(|name| one[*name] == other[*name])
}

/// The figures that engines are compared by: requests a second (more is better), and what costs.
pub const COMPARED: &[(&str, &str)] = &[
    ("requests_per_second", "requests_per_second"),
    ("cpu_us_per_request", "cpu.us_per_request"),
    ("latency_p50", "latency_ms.p50"),
    ("latency_p99", "latency_ms.p99"),
    ("pss_mib", "memory.pss_mib"),
];

/// Each cell beside the baseline of its point: stock php-fpm without JIT, or the first engine.
pub fn comparisons(cells: &Value) -> Value {
    let cells: Vec<&Value> = cells.as_array().into_iter().flatten().filter(|cell| cell["void"].is_null()).collect();
    let mut found = Vec::new();
    for (n, cell) in cells.iter().enumerate() {
        // The first of a point makes the comparisons of all of them.
        if cells[..n].iter().any(|before| same_point(before, cell)) {
            continue;
        }
        let point: Vec<&&Value> = cells.iter().filter(|other| same_point(other, cell)).collect();
        let is_stock = |c: &&&&Value| c["engine"].as_str().is_some_and(|name| name == "fpm" || name.starts_with("fpm:"));
        let Some(&baseline) = point.iter().find(is_stock).or(point.first()) else { continue };
        for other in point.iter().filter(|other| other["engine"] != baseline["engine"]) {
            let mut ratios = json!({});
            for (name, path) in COMPARED {
                if let Some(ratio) = paired_ratio(&values(other, path), &values(baseline, path)) {
                    ratios[*name] = describe_ratio(&ratio);
                }
            }
            let mut comparison = json!({"engine": other["engine"], "baseline": baseline["engine"], "ratios": ratios});
            for name in ["target", "clients", "rate", "workers", "cores"] {
                if !cell[name].is_null() {
                    comparison[name] = cell[name].clone();
                }
            }
            found.push(comparison);
        }
    }
    Value::Array(found)
}

pub fn describe_ratio(ratio: &Ratio) -> Value {
    let (low, high) = ratio.interval.map_or((Value::Null, Value::Null), |(low, high)| (round(low, 4), round(high, 4)));
    json!({"ratio": round(ratio.ratio, 4), "low": low, "high": high, "pairs": ratio.n, "certain": ratio.is_certain()})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(engine: &str, clients: u64, values: &[f64]) -> Value {
        let runs: Vec<Value> = values.iter().map(|v| json!({"requests_per_second": v, "latency_ms": {"p50": 10.0}})).collect();
        json!({"target": "hello", "engine": engine, "clients": clients, "void": null, "runs": runs})
    }

    #[test]
    fn engines_are_compared_with_stock_at_the_same_point() {
        let mut void = cell("fpm-jit", 10, &[1.0]);
        void["void"] = json!("a reason");
        let cells = json!([cell("jumbo", 10, &[20.0, 40.0]), cell("fpm", 10, &[10.0, 20.0]), void, cell("jumbo", 20, &[5.0])]);
        let found = comparisons(&cells);
        assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
        assert_eq!(found[0]["engine"], "jumbo");
        assert_eq!(found[0]["baseline"], "fpm");
        assert_eq!(found[0]["ratios"]["requests_per_second"]["ratio"], 2.0);
        assert_eq!(found[0]["ratios"]["latency_p50"]["ratio"], 1.0);
    }

    #[test]
    fn void_cells_have_no_summary() {
        let mut void = cell("fpm", 1, &[1.0]);
        void["void"] = json!("status 500");
        assert!(of_cell(&void).is_null());
        assert_eq!(of_cell(&cell("fpm", 1, &[1.0, 3.0]))["requests_per_second"]["mean"], 2.0);
    }
}
