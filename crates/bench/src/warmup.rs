//! Warm-up until a steady state is shown, not for a fixed count: and how long that took is a result.
//!
//! First one client asks for every page of the mix, then all clients in windows until [`Steadiness`] holds for the last eight of them. A window
//! has at least [`COMPLETED_MIN`] answers, so it grows for slow pages. A single client's throughput is taken from its latencies, one over their mean: that
//! does not depend on where in an answer the window ends, so a few answers are enough ([`COMPLETED_MIN_ALONE`]).

use crate::load::{self, Load, Pace};
use crate::run::round;
use crate::stats::Steadiness;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const COMPLETED_MIN: u64 = 40;
const COMPLETED_MIN_ALONE: u64 = 4;
const WINDOW_MAX: Duration = Duration::from_secs(8);

/// What warming up shall be like.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub single: Duration,
    pub window: Duration,
    pub max: Duration,
}

/// Warms up; the result as JSON, or why the cell is void. `load` is that of the runs; its duration does not matter here.
pub fn warm(load: &Load, plan: Plan) -> Result<Value, String> {
    let began = Instant::now();
    let pass = |clients: usize, duration: Duration| {
        let outcome = load::run(&Load { clients, duration, pace: if clients == 1 { Pace::Closed } else { load.pace }, ..*load })?;
        match outcome.failures.iter().next() {
            Some((kind, count)) => {
                let example = outcome.examples.get(kind).cloned().unwrap_or_default();
                Err(format!("during warm-up: {count} {} ({example})", kind.name()))
            }
            None => Ok(outcome),
        }
    };
    let single = pass(1, plan.single)?;
    let mut window = plan.window;
    let mut throughputs: Vec<f64> = Vec::new();
    let mut ends: Vec<f64> = Vec::new();
    let mut requests = single.sent;
    let mut steadiness = None;
    let alone = load.clients == 1 && load.pace == Pace::Closed;
    let completed_min = if alone { COMPLETED_MIN_ALONE } else { COMPLETED_MIN };
    let concurrent = Instant::now();
    while concurrent.elapsed() < plan.max {
        let outcome = pass(load.clients, window)?;
        requests += outcome.sent;
        if outcome.interrupted {
            return Err("interrupted".into());
        }
        if outcome.completed < completed_min && window < WINDOW_MAX {
            window = (window * 2).min(WINDOW_MAX);
            continue;
        }
        let mean_s = outcome.latency_ns.mean() / 1e9;
        throughputs.push(if alone && mean_s > 0.0 { 1.0 / mean_s } else { outcome.requests_per_second() });
        ends.push(concurrent.elapsed().as_secs_f64());
        steadiness = Steadiness::of(&throughputs);
        if steadiness.is_some_and(|s| s.is_steady()) {
            break;
        }
    }
    let steady = steadiness.is_some_and(|s| s.is_steady());
    // It was steady from the end of the last window before those of the test.
    let first_steady = throughputs.len().checked_sub(Steadiness::WINDOWS + 1).and_then(|at| ends.get(at)).copied().unwrap_or(0.0);
    let mut value = json!({
        "steady": steady,
        "seconds": round(began.elapsed().as_secs_f64(), 2),
        "requests": requests,
        "window_ms": window.as_millis() as u64,
        "requests_per_second": throughputs.iter().map(|&t| round(t, 1)).collect::<Vec<_>>(),
        "single_client": {"requests_per_second": round(single.requests_per_second(), 2), "latency_ms_mean": round(single.latency_ns.mean() / 1e6, 3)},
    });
    if steady {
        value["steady_after_s"] = round(first_steady, 2);
    }
    if let Some(s) = steadiness {
        value["drift"] = round(s.drift, 4);
        value["spread"] = round(s.spread, 4);
    }
    Ok(value)
}
