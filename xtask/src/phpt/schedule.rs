//! Runs the tests on several threads, keeping apart those that name the same conflict key.

use super::case::{self, Case, Context, Report, Status};
use super::section::Phpt;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// A test with this key runs alone.
const ALL: &str = "all";

struct Waiting {
    index: usize,
    keys: Vec<String>,
}

#[derive(Default)]
struct State {
    /// In reverse order: the next test is at the end.
    waiting: Vec<Waiting>,
    active_keys: HashSet<String>,
    active: usize,
    done: usize,
    failed: usize,
}

impl State {
    /// Takes the first test that may run beside the active ones.
    fn take(&mut self) -> Option<Waiting> {
        if self.active_keys.contains(ALL) {
            return None;
        }
        let free = |test: &Waiting| {
            test.keys.iter().all(|key| !self.active_keys.contains(key) && (key != ALL || self.active == 0))
        };
        let at = self.waiting.iter().rposition(free)?;
        let test = self.waiting.remove(at);
        self.active += 1;
        self.active_keys.extend(test.keys.iter().cloned());
        Some(test)
    }
}

/// Runs `cases` with `jobs` threads; the reports stand in the order of the cases. A failing test that `expected_pass`
/// names runs once more, alone on its thread: a time limit may have been the machine's fault.
pub fn run(context: &Context, cases: &[Case], jobs: usize, expected_pass: &HashSet<String>) -> Vec<Report> {
    let mut folder_keys = HashMap::new();
    let parsed: Vec<Result<Phpt, String>> = cases.iter().map(|case| Phpt::read(&case.file)).collect();
    let mut waiting: Vec<Waiting> = parsed
        .iter()
        .enumerate()
        .map(|(index, phpt)| {
            let mut keys = phpt.as_ref().map(|phpt| phpt.lines("CONFLICTS")).unwrap_or_default();
            let folder = cases[index].file.parent().unwrap_or(Path::new("/"));
            let of_folder = folder_keys.entry(folder.to_path_buf()).or_insert_with(|| conflicts_of(folder));
            keys.extend(of_folder.iter().cloned());
            Waiting { index, keys }
        })
        .collect();
    waiting.reverse();

    let state = Mutex::new(State { waiting, ..State::default() });
    let changed = Condvar::new();
    let reports: Mutex<Vec<Option<Report>>> = Mutex::new(cases.iter().map(|_| None).collect());
    let show_progress = std::io::stderr().is_terminal();
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let test = {
                        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                        loop {
                            if let Some(test) = state.take() {
                                break test;
                            }
                            if state.waiting.is_empty() {
                                return;
                            }
                            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                        }
                    };
                    let case = &cases[test.index];
                    let report = match &parsed[test.index] {
                        Ok(phpt) => {
                            let mut report = case::run(context, case, phpt);
                            let again = phpt.has("FLAKY") || expected_pass.contains(&case.name);
                            if report.status == Status::Fail && again {
                                report = case::run(context, case, phpt);
                            }
                            report
                        }
                        Err(fault) => Report::new(Status::Fail, format!("invalid test: {fault}")),
                    };
                    let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                    state.active -= 1;
                    for key in &test.keys {
                        state.active_keys.remove(key);
                    }
                    state.done += 1;
                    state.failed += usize::from(report.status == Status::Fail);
                    if show_progress && (state.done.is_multiple_of(16) || state.done == cases.len()) {
                        eprint!("\r{}/{} run, {} failed ", state.done, cases.len(), state.failed);
                        drop(std::io::stderr().flush());
                    } else if !show_progress && state.done.is_multiple_of(1000) {
                        eprintln!("{}/{} run, {} failed", state.done, cases.len(), state.failed);
                    }
                    drop(state);
                    changed.notify_all();
                    reports.lock().unwrap_or_else(PoisonError::into_inner)[test.index] = Some(report);
                }
            });
        }
    });
    if show_progress {
        eprintln!();
    }
    let missing = || Report::new(Status::Fail, "the runner did not run it");
    let reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    reports.into_iter().map(|report| report.unwrap_or_else(missing)).collect()
}

/// The keys that a CONFLICTS file gives to all tests of its folder.
fn conflicts_of(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("CONFLICTS")).unwrap_or_default();
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}
