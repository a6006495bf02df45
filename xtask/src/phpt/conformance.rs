//! The committed results: what stock PHP does with each test, and which of those it passes Jumbo fails.
//!
//! - `conformance/stock.txt`: for each folder a line `= FOLDER COUNT`, then a line for each test of it that stock does
//!   not pass: path, `skip`, `fail` or `xfail`, and the reason, separated by tabs. Tests that are not listed pass.
//! - `conformance/jumbo/FOLDER.txt`: the tests that stock passes and Jumbo is known to fail. A folder without a file
//!   has not been run.
//! - `conformance/scores.md`: the table that follows from both.
//! - `conformance/excluded.txt`: tests that stock passes and that cannot exist for Jumbo, since they look at parts of
//!   stock that no PHP program sees. Written by hand: `= REASON`, then the tests it holds for. They count nowhere.
//! - `conformance/stress-exceptions.txt`: likewise, tests that rightly print something else under a stress mode:
//!   `= MODE[,MODE] REASON`, then tests.
//!
//! The written ones are sorted, so that a diff shows what a change gained and lost.

use super::case::Status;
use crate::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub struct Conformance {
    folder: PathBuf,
    pub stock: Stock,
    /// Folder -> tests that are known to fail under Jumbo.
    pub jumbo: BTreeMap<String, BTreeSet<String>>,
    /// Mode -> tests that rightly print something else in it.
    stress_exceptions: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Default)]
pub struct Stock {
    /// The version that was run, as in `8.4.1`; empty if none was.
    pub version: String,
    /// Folder -> number of tests.
    pub folders: BTreeMap<String, usize>,
    /// Test -> what stock does instead of passing it.
    pub others: BTreeMap<String, (Status, String)>,
    /// Test -> why it cannot exist for Jumbo, though stock passes it.
    pub excluded: BTreeMap<String, String>,
}

/// The folder a test counts for: `Zend`, `tests`, `ext/json`, `sapi/cli`.
pub fn folder_of(test: &str) -> &str {
    let mut slashes = test.match_indices('/').map(|(at, _)| at);
    let first = slashes.next().unwrap_or(test.len());
    let end = match &test[..first] {
        "ext" | "sapi" => slashes.next().unwrap_or(test.len()),
        _ => first,
    };
    &test[..end]
}

impl Stock {
    /// What stock does with `test`; None if its folder has not been run.
    pub fn status(&self, test: &str) -> Option<Status> {
        if !self.folders.contains_key(folder_of(test)) {
            return None;
        }
        if self.excluded.contains_key(test) {
            return Some(Status::Skip);
        }
        Some(self.others.get(test).map_or(Status::Pass, |&(status, _)| status))
    }

    /// How many tests of `folder` stock passes and Jumbo could.
    pub fn passes(&self, folder: &str) -> usize {
        let excluded = self.excluded.keys().filter(|test| !self.others.contains_key(*test));
        let others = self.others.keys().chain(excluded).filter(|test| folder_of(test) == folder).count();
        self.folders.get(folder).copied().unwrap_or_default().saturating_sub(others)
    }
}

impl Conformance {
    pub fn read(repository: &Path) -> Result<Conformance, Failure> {
        let folder = repository.join("conformance");
        let mut stock = Stock::default();
        let text = read_or_empty(&folder.join("stock.txt"))?;
        stock.version = php_version(text.lines().next().unwrap_or_default()).unwrap_or_default().to_owned();
        for line in text.lines() {
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            let wrong = || Failure::new(format!("conformance/stock.txt: cannot understand {line:?}"));
            if let Some((name, count)) = line.strip_prefix("= ").and_then(|rest| rest.split_once(' ')) {
                stock.folders.insert(name.to_owned(), count.parse().map_err(|_| wrong())?);
                continue;
            }
            let mut fields = line.splitn(3, '\t');
            let (Some(test), Some(status)) = (fields.next(), fields.next()) else { return Err(wrong()) };
            let status = match status {
                "skip" => Status::Skip,
                "fail" => Status::Fail,
                "xfail" => Status::Xfail,
                _ => return Err(wrong()),
            };
            stock.others.insert(test.to_owned(), (status, fields.next().unwrap_or_default().to_owned()));
        }
        for (reason, test) in headed(&folder.join("excluded.txt"))? {
            stock.excluded.insert(test, reason);
        }
        let mut stress_exceptions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (heading, test) in headed(&folder.join("stress-exceptions.txt"))? {
            let modes = heading.split_once(' ').map_or(heading.as_str(), |(modes, _)| modes);
            for mode in modes.split(',') {
                stress_exceptions.entry(mode.to_owned()).or_default().insert(test.clone());
            }
        }
        let mut jumbo = BTreeMap::new();
        for name in stock.folders.keys() {
            let path = folder.join("jumbo").join(file_name(name));
            if path.exists() {
                let text = read_or_empty(&path)?;
                let tests = text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
                jumbo.insert(name.clone(), tests);
            }
        }
        Ok(Conformance { folder, stock, jumbo, stress_exceptions })
    }

    /// Whether Jumbo is recorded as passing `test`.
    pub fn jumbo_passes(&self, test: &str) -> bool {
        self.stock.status(test) == Some(Status::Pass)
            && self.jumbo.get(folder_of(test)).is_some_and(|failing| !failing.contains(test))
    }

    pub fn is_stress_exception(&self, mode: &str, test: &str) -> bool {
        self.stress_exceptions.get(mode).is_some_and(|tests| tests.contains(test))
    }

    /// Records what stock did with the tests of `counts`' folders; a folder that is known may be run in part.
    pub fn update_stock(&mut self, counts: &BTreeMap<String, usize>, results: &[(&str, Status, &str)]) {
        for (folder, &count) in counts {
            self.stock.folders.insert(folder.clone(), count);
        }
        for &(test, status, reason) in results {
            if status == Status::Pass {
                self.stock.others.remove(test);
            } else {
                let reason: String = reason.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
                self.stock.others.insert(test.to_owned(), (status, reason.trim().to_owned()));
            }
        }
    }

    pub fn write_stock(&self) -> Result<(), Failure> {
        let version = &self.stock.version;
        let mut text = format!(
            "# What stock PHP {version} does with its own tests: folders with their number of tests, then the tests that\n\
             # do not pass. Written by `cargo xtask phpt --engine stock --update`.\n"
        );
        for (folder, count) in &self.stock.folders {
            // Writing into a String cannot fail.
            let _ = writeln!(text, "= {folder} {count}");
            for (test, (status, reason)) in &self.stock.others {
                if folder_of(test) == folder {
                    let status = match status {
                        Status::Skip => "skip",
                        Status::Fail => "fail",
                        Status::Xfail => "xfail",
                        Status::Pass => continue,
                    };
                    let _ = writeln!(text, "{test}\t{status}\t{reason}");
                }
            }
        }
        write(&self.folder.join("stock.txt"), &text)
    }

    /// Records Jumbo's results for tests that stock passes, and rewrites the table. A folder that is not recorded yet
    /// must have been run as a whole, else its untried tests would count as passed.
    pub fn update_jumbo(&mut self, results: &[(&str, Status)]) -> Result<(), Failure> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (test, _) in results {
            *counts.entry(folder_of(test)).or_default() += 1;
        }
        for (folder, count) in counts {
            let all = self.stock.passes(folder);
            if count < all && !self.jumbo.contains_key(folder) {
                return Err(Failure::new(format!(
                    "{folder} is not recorded yet: --update needs all of its {all} tests, not {count}"
                )));
            }
        }
        for &(test, status) in results {
            let failing = self.jumbo.entry(folder_of(test).to_owned()).or_default();
            if status == Status::Pass {
                failing.remove(test);
            } else {
                failing.insert(test.to_owned());
            }
        }
        let stock = &self.stock;
        for (folder, failing) in &mut self.jumbo {
            // Stock's own results may have been renewed since.
            failing.retain(|test| stock.status(test) == Some(Status::Pass));
            let text: String = failing.iter().map(|test| format!("{test}\n")).collect();
            write(&self.folder.join("jumbo").join(file_name(folder)), &text)?;
        }
        write(&self.folder.join("scores.md"), &self.scores())
    }

    fn scores(&self) -> String {
        let mut text = "# PHP's own tests under Jumbo\n\n\
             Of the tests that stock PHP passes on the same machine, how many Jumbo passes; without those of\n\
             `excluded.txt`, which look at stock's inside.\n\
             Written by `cargo xtask phpt --update`; the failing ones are listed in `jumbo/`.\n\n\
             | folder | stock passes | Jumbo passes | % |\n|---|---:|---:|---:|\n"
            .to_owned();
        let (mut all_stock, mut all_jumbo) = (0, 0);
        for (folder, failing) in &self.jumbo {
            let stock = self.stock.passes(folder);
            let jumbo = stock.saturating_sub(failing.len());
            let _ = writeln!(text, "| {folder} | {stock} | {jumbo} | {} |", percent(jumbo, stock));
            all_stock += stock;
            all_jumbo += jumbo;
        }
        let _ = writeln!(text, "| all | {all_stock} | {all_jumbo} | {} |", percent(all_jumbo, all_stock));
        text
    }
}

/// The version in a text like "... PHP 8.4.1 ...".
pub fn php_version(text: &str) -> Option<&str> {
    let mut words = text.split_ascii_whitespace();
    words.find(|word| *word == "PHP")?;
    words.next().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    // Never rounded up: 100.0 means all of them.
    let per_mille = part * 1000 / whole;
    format!("{}.{}", per_mille / 10, per_mille % 10)
}

fn file_name(folder: &str) -> String {
    format!("{}.txt", folder.replace('/', "-"))
}

fn read_or_empty(path: &Path) -> Result<String, Failure> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(e) => Err(Failure::io(path, &e)),
    }
}

/// The lines of a file written by hand, each with the heading `= HEADING` that it stands under.
fn headed(path: &Path) -> Result<Vec<(String, String)>, Failure> {
    let mut heading = "";
    let mut found = Vec::new();
    let text = read_or_empty(path)?;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("= ") {
            Some(reason) => heading = reason,
            None if heading.is_empty() => {
                return Err(Failure::new(format!("{}: {line:?} stands under no heading", path.display())));
            }
            None => found.push((heading.to_owned(), line.to_owned())),
        }
    }
    Ok(found)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|e| Failure::io(parent, &e))?;
    }
    fs::write(path, text).map_err(|e| Failure::io(path, &e))
}

#[cfg(test)]
mod tests {
    use super::{folder_of, percent, php_version};

    #[test]
    fn versions() {
        assert_eq!(php_version("30 Jul 2026, PHP 8.4.24"), Some("8.4.24"));
        assert_eq!(php_version("PHP   NEWS"), None);
        assert_eq!(php_version(""), None);
    }

    #[test]
    fn folders() {
        assert_eq!(folder_of("Zend/tests/closures/a.phpt"), "Zend");
        assert_eq!(folder_of("ext/json/tests/a.phpt"), "ext/json");
        assert_eq!(folder_of("tests/a.phpt"), "tests");
        assert_eq!(folder_of("a.phpt"), "a.phpt");
    }

    #[test]
    fn percentages_are_not_rounded_up() {
        assert_eq!(percent(9999, 10000), "99.9");
        assert_eq!(percent(7, 7), "100.0");
        assert_eq!(percent(0, 0), "-");
    }
}
