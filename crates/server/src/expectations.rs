//! What a request is going to use of the core, by what requests for the same path have used before.
//!
//! A table of fixed size, without the paths: two that meet in one entry are expected to use what both use. Executors share it, and write
//! only what changes an expectation by much: while requests are as they were, nobody writes.

use crate::request::ScriptRequest;
use crate::schedule::QUICK;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const ENTRIES: usize = 4096;
/// The weight of the latest request.
const LATEST_WEIGHT: f64 = 0.25;
/// What more than this is used says no more than this.
const USED_MAX: Duration = Duration::from_millis(100);
/// Differences below this part of an expectation are not written down.
const NOTEWORTHY: f64 = 0.1;

pub(crate) struct Expectations {
    hasher: RandomState,
    /// In microseconds; 0: nothing is known.
    used_us: Box<[AtomicU32]>,
}

/// Which entries say what a request may use: its path's, and its script's for paths that are new.
#[derive(Clone, Copy)]
pub(crate) struct Entries {
    path: usize,
    script: usize,
}

impl Expectations {
    pub(crate) fn new() -> Expectations {
        Expectations { hasher: RandomState::new(), used_us: (0..ENTRIES).map(|_| AtomicU32::new(0)).collect() }
    }

    pub(crate) fn entries(&self, request: &ScriptRequest) -> Entries {
        let path = request.request_uri.split(|b| *b == b'?').next().unwrap_or_default();
        let entry = |key: (bool, &[u8], &[u8])| self.hasher.hash_one(key) as usize % ENTRIES;
        Entries { path: entry((true, &request.method, path)), script: entry((false, b"", &request.script_filename)) }
    }

    /// Whether the request is expected to end within a time slice.
    pub(crate) fn is_quick(&self, entries: Entries) -> bool {
        let known = [entries.path, entries.script].map(|at| self.used_us[at].load(Ordering::Relaxed));
        known.into_iter().find(|used| *used != 0).is_some_and(|used| u128::from(used) < QUICK.as_micros())
    }

    /// A request has ended that used so much of the core.
    pub(crate) fn learn(&self, entries: Entries, used: Duration) {
        let used = used.min(USED_MAX).as_secs_f64() * 1e6;
        for at in [entries.path, entries.script] {
            let before = f64::from(self.used_us[at].load(Ordering::Relaxed));
            let now = if before == 0.0 { used } else { before + (used - before) * LATEST_WEIGHT };
            if (now - before).abs() > before * NOTEWORTHY {
                self.used_us[at].store((now as u32).max(1), Ordering::Relaxed);
            }
        }
    }
}
