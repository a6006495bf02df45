//! The memory of the process: a watch that keeps it under `memory_max`.
//!
//! A thread looks at the resident memory now and then. From nine tenths of the limit on no request begins as long as others are in flight
//! (they wait in the queue, with its time limit); beyond the limit, or when the system has refused memory, the request that holds the
//! most of it is ended, one after the other, until there is enough. What requests hold only the engine knows ([`Site::end_largest_request`]).

use std::fs;
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::config::ErrorLog;
use crate::engine_api::Site;
use crate::executor::Executors;

/// How often the watch looks, and how often when memory runs short.
const EVERY: Duration = Duration::from_millis(100);
const EVERY_WHEN_SHORT: Duration = Duration::from_millis(10);
/// A request that was asked to end gets so much time to give its memory back before the next one is asked.
const PATIENCE: Duration = Duration::from_millis(200);

/// What this machine, or the control group of this process, grants it; `None`: unknown.
pub fn granted_bytes() -> Option<u64> {
    let physical = || {
        let text = fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
    };
    [group_limit(), physical()].into_iter().flatten().min()
}

/// The least limit of the process's control groups.
fn group_limit() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/cgroup").ok()?;
    let limits = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            list if list.split(',').any(|name| name == "memory") => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => return None,
        };
        let folder = Path::new(root).join(path.trim_start_matches('/'));
        // A group inherits what holds for those around it. Inside a container the own group may be the root that is seen.
        let around = folder.ancestors().take_while(|folder| folder.starts_with(root));
        around.filter_map(|folder| fs::read_to_string(folder.join(file)).ok()?.trim().parse::<u64>().ok()).min()
    });
    limits.min()
}

/// Resident bytes of this process.
fn resident_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

/// Starts the watch, which ends with the executors. `max_bytes` 0: only refusals of the system are looked at.
pub(crate) fn watch(max_bytes: u64, executors: &Arc<Executors>, site: Arc<dyn Site>, log: ErrorLog) -> std::io::Result<()> {
    let watch = Watch { max_bytes, executors: Arc::downgrade(executors), site, log, asked: None };
    std::thread::Builder::new().name("memory".into()).spawn(move || watch.run())?;
    Ok(())
}

struct Watch {
    max_bytes: u64,
    executors: Weak<Executors>,
    site: Arc<dyn Site>,
    log: ErrorLog,
    /// When a request was asked to end.
    asked: Option<Instant>,
}

impl Watch {
    fn run(mut self) {
        while let Some(executors) = self.executors.upgrade() {
            let is_short = self.look(&executors);
            executors.set_memory_short(is_short);
            drop(executors);
            std::thread::sleep(if is_short { EVERY_WHEN_SHORT } else { EVERY });
        }
    }

    /// Whether memory runs short.
    fn look(&mut self, executors: &Executors) -> bool {
        let resident = resident_bytes().unwrap_or(0);
        let is_refused = self.site.was_refused_memory();
        if is_refused || (self.max_bytes > 0 && resident > self.max_bytes) {
            self.end_largest(executors, resident, is_refused);
        }
        is_refused || (self.max_bytes > 0 && resident > self.max_bytes / 10 * 9)
    }

    fn end_largest(&mut self, executors: &Executors, resident: u64, is_refused: bool) {
        if self.asked.is_some_and(|asked| asked.elapsed() < PATIENCE) {
            return;
        }
        let Some(held) = self.site.end_largest_request() else { return };
        self.asked = Some(Instant::now());
        executors.count_ended_for_memory();
        let why = match is_refused {
            true => "the system refused memory".to_owned(),
            false => format!("the process holds {} MiB, more than memory_max ({} MiB)", resident >> 20, self.max_bytes >> 20),
        };
        (self.log)(&format!("{why}: the request with the most of it, {} MiB, is ended", held >> 20));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_the_system_says_is_understood() {
        let resident = super::resident_bytes().expect("this process has memory");
        let granted = super::granted_bytes().expect("this machine has memory");
        assert!(resident > 100_000 && resident < granted, "{resident} of {granted}");
    }
}
