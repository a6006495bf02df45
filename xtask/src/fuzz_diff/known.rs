//! Differences that are known, with their reason: conformance/fuzz-known.txt, and what a difference is about.
//!
//! A line of that file is a regular expression, a tab, and the reason. It is matched against the first line that differs, as
//! `stock's line` + ` <> ` + `Jumbo's line`.

use super::run::{Ending, Pair};
use crate::{Failure, repository};
use pcre2::bytes::{Regex, RegexBuilder};
use std::fs;

pub struct Known(Vec<(Regex, String)>);

pub const FILE: &str = "conformance/fuzz-known.txt";

impl Known {
    pub fn read() -> Result<Known, Failure> {
        let path = repository().join(FILE);
        let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, &e))?;
        let mut all = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (pattern, reason) =
                line.split_once('\t').ok_or_else(|| Failure::new(format!("{FILE}: no reason stands in: {line}")))?;
            let regex = RegexBuilder::new().dotall(true).build(pattern).map_err(|e| Failure::new(format!("{FILE}: {e}: {line}")))?;
            all.push((regex, reason.trim().to_owned()));
        }
        Ok(Known(all))
    }

    /// Why this difference is there, when that is known.
    pub fn reason(&self, difference: &str) -> Option<&str> {
        let known = self.0.iter().find(|(regex, _)| regex.is_match(difference.as_bytes()).unwrap_or(false));
        known.map(|(_, reason)| reason.as_str())
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
