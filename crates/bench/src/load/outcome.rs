//! What a run of the load generator found: counts, failures by kind, latencies.

use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::time::Duration;

/// Completed answers are counted over time in steps of this length.
pub const TICK_MS: u64 = 100;

/// The longest latency that is told apart; longer ones count as this.
const LATENCY_NS_MAX: u64 = 3_600_000_000_000;

/// Kinds of failures. The names are those of the reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Failure {
    /// No connection.
    Connect,
    /// The connection was closed before the answer was complete.
    Closed,
    /// The answer was not complete in time, be it that nothing came or that it trickled.
    Timeout,
    /// The answer is not HTTP.
    Protocol,
    Status,
    Size,
    Phrase,
    Body,
    /// Open loop: due within the run, but no client was free to send it until the end of the run and the timeout after it.
    Unsent,
}

impl Failure {
    pub const ALL: [Failure; 9] = [
        Failure::Connect,
        Failure::Closed,
        Failure::Timeout,
        Failure::Protocol,
        Failure::Status,
        Failure::Size,
        Failure::Phrase,
        Failure::Body,
        Failure::Unsent,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Failure::Connect => "connect",
            Failure::Closed => "closed",
            Failure::Timeout => "timeout",
            Failure::Protocol => "protocol",
            Failure::Status => "status",
            Failure::Size => "size",
            Failure::Phrase => "phrase",
            Failure::Body => "body",
            Failure::Unsent => "unsent",
        }
    }
}

/// Latencies in nanoseconds, three digits kept.
pub fn histogram() -> Histogram<u64> {
    // The bounds are constants that fulfil what the constructor asks for.
    Histogram::new_with_bounds(1000, LATENCY_NS_MAX, 3).unwrap_or_else(|_| unreachable!("constant bounds"))
}

/// Of one request of the mix.
#[derive(Debug, Clone)]
pub struct RequestOutcome {
    pub completed: u64,
    pub compared: u64,
    pub latency_ns_sum: u128,
    pub body_bytes_last: usize,
}

#[derive(Debug, Clone)]
pub struct Outcome {
    /// The run's length: what was wanted, or less when it was ended early.
    pub elapsed: Duration,
    /// Requests sent.
    pub sent: u64,
    /// Right answers within the time of the run.
    pub completed: u64,
    /// Bytes of answers, heads included.
    pub bytes: u64,
    pub statuses: BTreeMap<u16, u64>,
    pub failures: BTreeMap<Failure, u64>,
    /// The first of each kind, in words.
    pub examples: BTreeMap<Failure, String>,
    /// From when the request was due (open loop) or sent (closed loop) until its answer was complete; right answers only.
    pub latency_ns: Histogram<u64>,
    /// From when it was sent.
    pub service_ns: Histogram<u64>,
    /// Right answers in each [`TICK_MS`].
    pub ticks: Vec<u64>,
    pub requests: Vec<RequestOutcome>,
    pub connects: u64,
    /// CPU time of the generator's threads.
    pub generator_cpu: Duration,
    /// The most that one of its threads was busy, as a share of the run.
    pub generator_busy: f64,
    /// The run was ended from outside.
    pub interrupted: bool,
    /// The run was ended because nothing but failures came.
    pub gave_up: bool,
}

impl Outcome {
    pub fn new(requests: usize, duration: Duration) -> Outcome {
        let request = RequestOutcome { completed: 0, compared: 0, latency_ns_sum: 0, body_bytes_last: 0 };
        Outcome {
            elapsed: duration,
            sent: 0,
            completed: 0,
            bytes: 0,
            statuses: BTreeMap::new(),
            failures: BTreeMap::new(),
            examples: BTreeMap::new(),
            latency_ns: histogram(),
            service_ns: histogram(),
            ticks: Vec::new(),
            requests: vec![request; requests],
            connects: 0,
            generator_cpu: Duration::ZERO,
            generator_busy: 0.0,
            interrupted: false,
            gave_up: false,
        }
    }

    pub fn fail(&mut self, kind: Failure, count: u64, example: impl FnOnce() -> String) {
        if count > 0 {
            *self.failures.entry(kind).or_default() += count;
            self.examples.entry(kind).or_insert_with(example);
        }
    }

    pub fn failed(&self) -> u64 {
        self.failures.values().sum()
    }

    pub fn requests_per_second(&self) -> f64 {
        if self.elapsed.is_zero() { 0.0 } else { self.completed as f64 / self.elapsed.as_secs_f64() }
    }

    /// Adds what another thread found in the same run.
    pub fn merge(&mut self, other: &Outcome) {
        self.elapsed = self.elapsed.min(other.elapsed);
        self.sent += other.sent;
        self.completed += other.completed;
        self.bytes += other.bytes;
        for (status, count) in &other.statuses {
            *self.statuses.entry(*status).or_default() += count;
        }
        for (kind, count) in &other.failures {
            *self.failures.entry(*kind).or_default() += count;
        }
        for (kind, example) in &other.examples {
            self.examples.entry(*kind).or_insert_with(|| example.clone());
        }
        // The histograms have the same bounds.
        let _ = self.latency_ns.add(&other.latency_ns);
        let _ = self.service_ns.add(&other.service_ns);
        if self.ticks.len() < other.ticks.len() {
            self.ticks.resize(other.ticks.len(), 0);
        }
        for (sum, count) in self.ticks.iter_mut().zip(&other.ticks) {
            *sum += count;
        }
        for (sum, request) in self.requests.iter_mut().zip(&other.requests) {
            sum.completed += request.completed;
            sum.compared += request.compared;
            sum.latency_ns_sum += request.latency_ns_sum;
            sum.body_bytes_last = sum.body_bytes_last.max(request.body_bytes_last);
        }
        self.connects += other.connects;
        self.generator_cpu += other.generator_cpu;
        self.generator_busy = self.generator_busy.max(other.generator_busy);
        self.interrupted |= other.interrupted;
        self.gave_up |= other.gave_up;
    }
}
