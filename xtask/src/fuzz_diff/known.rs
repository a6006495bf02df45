//! Differences that are known, with their reason: conformance/fuzz-known.txt, conformance/fuzz-open.txt; and what a difference is about.
//!
//! A line of the first file is a regular expression, a tab, and the reason. It is matched against the first line that differs, as
//! `stock's line` + ` <> ` + `Jumbo's line`. A line of the second is a focus, a seed and a program's number, a tab, and what is wrong there:
//! a defect of Jumbo that is open. The same seed makes the same programs, as long as the grammar is the same.

use super::run::{Ending, Pair};
use crate::{Failure, repository};
use pcre2::bytes::{Regex, RegexBuilder};
use std::collections::HashMap;
use std::fs;

pub struct Known {
    patterns: Vec<(Regex, String)>,
    open: HashMap<(String, u64, u64), String>,
}

const FILE: &str = "conformance/fuzz-known.txt";
const OPEN_FILE: &str = "conformance/fuzz-open.txt";

/// The lines of a file that say something: what stands before their tab, and the reason.
fn entries<T>(name: &str, read: impl Fn(&str) -> Option<T>) -> Result<Vec<(T, String)>, Failure> {
    let path = repository().join(name);
    let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, &e))?;
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let (what, reason) = line.split_once('\t')?;
        Some((read(what)?, reason.trim().to_owned()))
    };
    lines.map(|line| entry(line).ok_or_else(|| Failure::new(format!("{name}: not as the others: {line}")))).collect()
}

impl Known {
    pub fn read() -> Result<Known, Failure> {
        let patterns = entries(FILE, |pattern| RegexBuilder::new().dotall(true).build(pattern).ok())?;
        let open = entries(OPEN_FILE, |program| {
            let mut words = program.split(' ');
            let key = (words.next()?.to_owned(), words.next()?.parse().ok()?, words.next()?.parse().ok()?);
            words.next().is_none().then_some(key)
        })?;
        Ok(Known { patterns, open: open.into_iter().collect() })
    }

    /// Why this difference is there, when that is known.
    pub fn reason(&self, difference: &str) -> Option<&str> {
        let known = self.patterns.iter().find(|(regex, _)| regex.is_match(difference.as_bytes()).unwrap_or(false));
        known.map(|(_, reason)| reason.as_str())
    }

    /// The defect that a program is known to show.
    pub fn open(&self, focus: &str, seed: u64, number: u64) -> Option<&str> {
        self.open.get(&(focus.to_owned(), seed, number)).map(String::as_str)
    }
}

/// The first line that differs, of both: `stock's <> Jumbo's`. Empty lines, which stand before messages, say nothing.
pub fn first_difference(pair: &Pair) -> String {
    let line = |ending: Option<&Ending>, at: usize| match ending {
        None => "(nothing: the engine did not survive)".to_owned(),
        Some(ending) => match ending.output.split(|&b| b == b'\n').skip(at).find(|line| !line.is_empty()) {
            Some(line) => String::from_utf8_lossy(line).into_owned(),
            None => format!("(end, status {})", ending.status),
        },
    };
    let (Some(stock), Some(jumbo)) = (&pair.stock, &pair.jumbo) else {
        return format!("{} <> {}", line(pair.stock.as_ref(), 0), line(pair.jumbo.as_ref(), 0));
    };
    if stock.output == jumbo.output {
        return format!("(status {}) <> (status {})", stock.status, jumbo.status);
    }
    let lines = |ending: &Ending| ending.output.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (stock_lines, jumbo_lines) = (lines(stock), lines(jumbo));
    let at = stock_lines.iter().zip(&jumbo_lines).take_while(|(a, b)| a == b).count();
    format!("{} <> {}", line(Some(stock), at), line(Some(jumbo), at))
}

/// What a difference is about, for counting: names, numbers and quoted text left out.
pub fn subject(difference: &str) -> String {
    let mut subject = String::new();
    let mut quoted = false;
    for c in difference.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                subject.push('"');
            }
            _ if quoted => {}
            '0'..='9' => {
                if !subject.ends_with('9') {
                    subject.push('9');
                }
            }
            _ => subject.push(c),
        }
    }
    subject.chars().take(260).collect()
}
