//! One measured run: load on a server, and everything that it cost, as JSON.

use crate::engines::Processes;
use crate::load::{self, Failure, Load, Outcome, Pace};
use crate::procs::{self, Memory, Usage};
use hdrhistogram::Histogram;
use serde_json::{Map, Value, json};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// How often memory is looked at during a run.
const MEMORY_EVERY: Duration = Duration::from_millis(1000);

/// The generator is taken for the limit when one of its threads was busy for more than this.
pub const GENERATOR_BUSY_MAX: f64 = 0.85;

/// What other processes of the machine may use during a run, as a share of its cores.
pub const OTHERS_MAX: f64 = 0.05;

/// A run and what is wrong with it.
pub struct Run {
    pub value: Value,
    pub outcome: Outcome,
    /// Why the cell is void, if it is.
    pub void: Option<String>,
}

/// Puts the load on, and measures.
pub fn measure(load: &Load, processes: &Processes) -> Result<Run, String> {
    let (server, database) = processes.trees();
    let before = (procs::usage(&server), procs::usage(&database), processes.php_usage());
    let machine_before = procs::machine_seconds();
    let peak = Mutex::new(Memory::default());
    let over = AtomicBool::new(false);
    let (outcome, instructions) = std::thread::scope(|scope| {
        let counter = Instructions::start(&server);
        scope.spawn(|| {
            // A short sleep at a time, so that the end of a run does not wait for this thread.
            let mut slept = Duration::ZERO;
            while !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(20));
                slept += Duration::from_millis(20);
                if slept >= MEMORY_EVERY && !processes.server.is_empty() {
                    slept = Duration::ZERO;
                    let now = procs::memory(&procs::tree(&processes.server));
                    if let Ok(mut peak) = peak.lock() {
                        *peak = peak.max(now);
                    }
                }
            }
        });
        let outcome = load::run(load);
        over.store(true, Ordering::Relaxed);
        (outcome, counter.map(Instructions::stop))
    });
    let outcome = outcome?;
    let machine_after = procs::machine_seconds();
    // Processes that were born during the run belong to it, with all that they have used; those that died have left it to their parents.
    let (server_after, database_after) = processes.trees();
    let usage = (procs::usage(&server_after) - before.0, procs::usage(&database_after) - before.1);
    let php_usage = processes.php_usage() - before.2;
    let memory = (procs::memory(&server_after), procs::memory(&database_after));
    let peak = peak.into_inner().unwrap_or_default().max(memory.0);

    let known = usage.0.seconds() + usage.1.seconds() + outcome.generator_cpu.as_secs_f64();
    let all = machine_after.1 - machine_before.1;
    let others = if all > 0.0 && !processes.server.is_empty() { ((machine_after.0 - machine_before.0 - known) / all).max(0.0) } else { 0.0 };
    // Answers after the end of the run cost CPU time too.
    let answered = outcome.latency_ns.len();
    let mut value = describe(&outcome, load.pace != Pace::Closed);
    if !processes.server.is_empty() {
        value["cpu"] = describe_usage(usage.0, answered);
        value["php_cpu"] = describe_usage(php_usage, answered);
        value["memory"] = describe_memory(memory.0);
        value["memory_peak"] = describe_memory(peak);
        value["others_share"] = round(others, 4);
    }
    if !processes.database.is_empty() {
        value["database_cpu"] = describe_usage(usage.1, answered);
        value["database_memory"] = describe_memory(memory.1);
    }
    if let Some(count) = instructions.flatten() {
        value["instructions"] = json!(count);
        value["instructions_per_request"] = json!(count / answered.max(1));
    }
    let void = verdict(&outcome);
    Ok(Run { value, outcome, void })
}

/// Why a run cannot count.
fn verdict(outcome: &Outcome) -> Option<String> {
    if outcome.failed() > 0 {
        let kinds: Vec<String> = outcome.failures.iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
        let example = outcome.failures.keys().next().and_then(|kind| outcome.examples.get(kind)).cloned().unwrap_or_default();
        return Some(format!("failed requests: {} ({example})", kinds.join(", ")));
    }
    (outcome.latency_ns.is_empty() && !outcome.interrupted).then(|| "no request was answered".into())
}

pub fn round(value: f64, digits: i32) -> Value {
    let scale = 10_f64.powi(digits);
    if value.is_finite() { json!((value * scale).round() / scale) } else { Value::Null }
}

fn describe(outcome: &Outcome, open: bool) -> Value {
    let failures: Map<String, Value> =
        Failure::ALL.iter().filter_map(|kind| Some((kind.name().to_owned(), json!(outcome.failures.get(kind)?)))).collect();
    let examples: Map<String, Value> = outcome.examples.iter().map(|(kind, text)| (kind.name().to_owned(), json!(text))).collect();
    let statuses: Map<String, Value> = outcome.statuses.iter().map(|(status, count)| (status.to_string(), json!(count))).collect();
    let page = |p: &load::RequestOutcome| {
        let mean = if p.completed > 0 { p.latency_ns_sum as f64 / p.completed as f64 / 1e6 } else { 0.0 };
        json!({"completed": p.completed, "bodies_compared": p.compared, "latency_ms_mean": round(mean, 3), "body_bytes": p.body_bytes_last})
    };
    let mut value = json!({
        "requests_per_second": round(outcome.requests_per_second(), 2),
        "elapsed_s": round(outcome.elapsed.as_secs_f64(), 3),
        "sent": outcome.sent,
        "completed": outcome.completed,
        "bytes": outcome.bytes,
        "connects": outcome.connects,
        "statuses": statuses,
        "failures": failures,
        "latency_ms": latencies(&outcome.latency_ns),
        "latency_counts_us": counts(&outcome.latency_ns),
        "completed_each_100ms": outcome.ticks,
        "pages": outcome.requests.iter().map(page).collect::<Vec<_>>(),
        "generator": {"cpu_s": round(outcome.generator_cpu.as_secs_f64(), 3), "busy": round(outcome.generator_busy, 3)},
    });
    if !examples.is_empty() {
        value["failure_examples"] = Value::Object(examples);
    }
    if open {
        value["service_ms"] = latencies(&outcome.service_ns);
    }
    if outcome.interrupted {
        value["interrupted"] = json!(true);
    }
    value
}

/// The percentiles that are reported, by name.
pub const PERCENTILES: &[(&str, f64)] = &[("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99), ("p999", 0.999)];

fn latencies(histogram: &Histogram<u64>) -> Value {
    let ms = |ns: f64| round(ns / 1e6, 3);
    let mut value = json!({"min": ms(histogram.min() as f64), "mean": ms(histogram.mean()), "sd": ms(histogram.stdev()), "max": ms(histogram.max() as f64)});
    for (name, quantile) in PERCENTILES {
        value[*name] = ms(histogram.value_at_quantile(*quantile) as f64);
    }
    value
}

/// The whole distribution, two digits kept: pairs of latency in microseconds and count.
fn counts(histogram: &Histogram<u64>) -> Value {
    let Ok(mut coarse) = Histogram::<u64>::new_with_bounds(1, 3_600_000_000, 2) else { return Value::Null };
    for recorded in histogram.iter_recorded() {
        let _ = coarse.record_n((recorded.value_iterated_to() / 1000).max(1), recorded.count_at_value());
    }
    Value::Array(coarse.iter_recorded().map(|r| json!([r.value_iterated_to(), r.count_at_value()])).collect())
}

fn describe_usage(usage: Usage, answered: u64) -> Value {
    json!({
        "user_s": round(usage.user_seconds, 2),
        "system_s": round(usage.system_seconds, 2),
        "us_per_request": round(usage.seconds() * 1e6 / answered.max(1) as f64, 2),
    })
}

pub fn describe_memory(memory: Memory) -> Value {
    let mib = |bytes: u64| round(bytes as f64 / f64::from(1 << 20), 2);
    json!({"pss_mib": mib(memory.pss_bytes), "private_mib": mib(memory.private_bytes), "processes": memory.processes, "threads": memory.threads})
}

/// Counts the instructions of processes with perf, where the machine has a counter that this user may read.
struct Instructions(std::process::Child);

impl Instructions {
    fn available() -> bool {
        static AVAILABLE: OnceLock<bool> = OnceLock::new();
        *AVAILABLE.get_or_init(|| {
            let output = Command::new("perf").args(["stat", "-x", ";", "-e", "instructions", "true"]).stdin(Stdio::null()).output();
            output.is_ok_and(|o| parse_perf(&String::from_utf8_lossy(&o.stderr)).is_some())
        })
    }

    fn start(pids: &[u32]) -> Option<Instructions> {
        if pids.is_empty() || !Instructions::available() {
            return None;
        }
        let list = pids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let mut command = Command::new("perf");
        command.args(["stat", "-x", ";", "-e", "instructions", "-p", &list]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok().map(Instructions)
    }

    fn stop(self) -> Option<u64> {
        let pid = rustix::process::Pid::from_raw(self.0.id() as i32)?;
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
        let output = self.0.wait_with_output().ok()?;
        parse_perf(&String::from_utf8_lossy(&output.stderr))
    }
}

/// The count in perf's separated output: the first field of the line of the event.
fn parse_perf(text: &str) -> Option<u64> {
    text.lines().find(|line| line.contains("instructions")).and_then(|line| line.split(';').next()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perf_output() {
        assert_eq!(parse_perf("123456;;instructions;1000;100.00;;\n"), Some(123_456));
        assert_eq!(parse_perf("<not supported>;;instructions;0;100.00;;\n"), None);
        assert_eq!(parse_perf(""), None);
    }

    #[test]
    fn a_run_with_a_failure_is_void() {
        let mut outcome = Outcome::new(1, Duration::from_secs(1));
        assert!(verdict(&outcome).is_some(), "nothing was answered");
        outcome.latency_ns.record(5).unwrap();
        assert_eq!(verdict(&outcome), None);
        outcome.fail(Failure::Status, 3, || "status 500".into());
        assert_eq!(verdict(&outcome).unwrap(), "failed requests: 3 status (status 500)");
    }

    #[test]
    fn distributions_keep_all_counts() {
        let mut histogram = Histogram::<u64>::new_with_bounds(1000, 3_600_000_000_000, 3).unwrap();
        for n in 1..=1000_u64 {
            histogram.record(n * 1_000_000).unwrap();
        }
        let pairs = counts(&histogram);
        let sum: u64 = pairs.as_array().unwrap().iter().map(|pair| pair[1].as_u64().unwrap()).sum();
        assert_eq!(sum, 1000);
        let p50 = latencies(&histogram)["p50"].as_f64().unwrap();
        assert!((499.0..502.0).contains(&p50), "{p50}");
    }
}
