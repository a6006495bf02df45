//! The load generator: sends requests to one address as N clients would, checks every answer, and measures.
//!
//! *Closed loop*: each client sends its next request when it has its answer, over a connection that is kept alive. *Open loop*: requests are due
//! at a fixed rate whatever the server does; latency counts from the moment a request was due, so a server that stalls is charged for all
//! that waited (no coordinated omission), and the time from its sending is kept beside it.
//!
//! Few threads (one, unless there are many cores), each with an epoll of its own and a share of the clients: the generator runs on the machine
//! of the server under test and must take little of it. What it took is part of the result.
//!
//! Requests that were sent within the time of the run count for latencies and failures, also when their answer comes after its end (the
//! run waits for them); answers within the time count for requests a second.

mod check;
mod client;
mod http;
mod outcome;
mod simple;

pub use check::{Checker, Expectation, Fault, Reference};
pub use http::{Malformed, Progress, Response, request};
pub use outcome::{Failure, Outcome, RequestOutcome, TICK_MS};
pub use simple::{Answer, fetch};

use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

/// One request of a target's mix.
#[derive(Debug, Clone)]
pub struct Request {
    /// All its bytes.
    pub bytes: Vec<u8>,
    /// How often it is sent, relative to the others.
    pub weight: u32,
    pub expected: Arc<Expectation>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pace {
    Closed,
    /// Requests a second.
    Open(f64),
}

/// What is to be done.
#[derive(Debug)]
pub struct Load<'a> {
    pub address: SocketAddr,
    pub requests: &'a [Request],
    pub clients: usize,
    pub threads: usize,
    pub pace: Pace,
    pub duration: Duration,
    /// How long an answer may take.
    pub timeout: Duration,
    /// Ends the run early.
    pub stop: &'a AtomicBool,
}

/// Threads of the generator: one for each eight cores of the machine.
pub fn threads_default(cores: usize) -> usize {
    (cores / 8).clamp(1, 8)
}

/// Does it.
pub fn run(load: &Load) -> Result<Outcome, String> {
    if load.requests.is_empty() || load.clients == 0 {
        return Err("a load needs a request and a client".into());
    }
    let threads = load.threads.clamp(1, load.clients);
    let sequence = sequence(load.requests);
    let barrier = Barrier::new(threads);
    let start = std::sync::OnceLock::new();
    let outcomes: Vec<Result<Outcome, String>> = std::thread::scope(|scope| {
        let run = |thread| {
            // Every thread has to come to the barrier, so a worker that cannot be made comes as an error.
            let worker = client::Worker::new(load, &sequence, thread, threads).and_then(client::Worker::connect_all);
            barrier.wait();
            let start = *start.get_or_init(Instant::now);
            worker.and_then(|worker| worker.run(start)).map_err(|e| format!("the load generator: {e}"))
        };
        let handles: Vec<_> = (0..threads).map(|thread| scope.spawn(move || run(thread))).collect();
        handles.into_iter().map(|h| h.join().unwrap_or_else(|_| Err("a thread of the load generator panicked".into()))).collect()
    });
    let mut all = Outcome::new(load.requests.len(), load.duration);
    for outcome in outcomes {
        all.merge(&outcome?);
    }
    Ok(all)
}

/// The order of requests: a cycle in which each occurs by its weight, mixed the same way each time.
///
/// A fixed cycle and not a draw for each request: two runs then do the same work.
fn sequence(requests: &[Request]) -> Vec<usize> {
    let divisor = requests.iter().fold(0, |a, r| gcd(a, r.weight)).max(1);
    let mut cycle: Vec<usize> = Vec::new();
    for (index, request) in requests.iter().enumerate() {
        cycle.extend(std::iter::repeat_n(index, (request.weight / divisor).min(1000) as usize));
    }
    if cycle.is_empty() {
        cycle.push(0);
    }
    let mut random = SplitMix(20_260_101);
    for at in (1..cycle.len()).rev() {
        cycle.swap(at, (random.next() % (at as u64 + 1)) as usize);
    }
    cycle
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The SplitMix64 generator: seeded, so what it shuffles is the same on every machine.
pub struct SplitMix(pub u64);

impl SplitMix {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mix_follows_the_weights() {
        let requests: Vec<Request> =
            [60, 30, 10].iter().map(|&weight| Request { bytes: Vec::new(), weight, expected: Arc::default() }).collect();
        let cycle = sequence(&requests);
        assert_eq!(cycle.len(), 10);
        assert_eq!((0..3).map(|i| cycle.iter().filter(|&&c| c == i).count()).collect::<Vec<_>>(), [6, 3, 1]);
        assert_eq!(cycle, sequence(&requests));
    }
}
