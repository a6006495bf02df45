//! Answers in the form that the data tests and the comparison with stock PHP use: one line in, one line out.

use super::parse::{self, Parsed};
use super::time::{DayOf, Special, Time};
use super::timezone::{TimeZone, Zone};
use std::fmt::Write;

fn field(v: Option<i64>) -> String {
    v.map_or("-".to_string(), |n| n.to_string())
}

/// A parse result on one line: fields, zone, relative part, then warnings and errors by position (the last of each position,
/// as PHP's arrays keep them) behind their counts.
pub fn show_parsed(p: &Parsed) -> String {
    let mut out = format!(
        "{} {} {} {} {} {} {}",
        field(p.y), field(p.m), field(p.d), field(p.h), field(p.i), field(p.s), field(p.us)
    );
    if p.is_localtime {
        match &p.zone {
            None => out.push_str(" zone0"),
            Some(Zone::Offset(o)) => write!(out, " zone1:{o}").unwrap_or(()),
            Some(Zone::Abbreviation { offset, dst, name }) => {
                write!(out, " zone2:{offset}:{}:{name}", i32::from(*dst)).unwrap_or(())
            }
            Some(Zone::Id(zone)) => write!(out, " zone3:{}", zone.name).unwrap_or(()),
        }
    }
    if p.have_relative {
        let r = &p.relative;
        write!(out, " rel {} {} {} {} {} {}", r.y, r.m, r.d, r.h, r.i, r.s).unwrap_or(());
        if let Some(w) = r.weekday {
            write!(out, " weekday:{w}").unwrap_or(());
        }
        if let Some(Special::Weekdays(n)) = r.special {
            write!(out, " weekdays:{n}").unwrap_or(());
        }
        match r.day_of {
            Some(DayOf::First) => out.push_str(" first"),
            Some(DayOf::Last) => out.push_str(" last"),
            None => {}
        }
    }
    for (tag, list) in [("W", &p.warnings), ("E", &p.errors)] {
        if list.is_empty() {
            continue;
        }
        write!(out, " {tag}{}", list.len()).unwrap_or(());
        let mut seen: Vec<(usize, &str)> = Vec::new();
        for &(at, text) in list {
            match seen.iter_mut().find(|s| s.0 == at) {
                Some(s) => s.1 = text,
                None => seen.push((at, text)),
            }
        }
        for (at, text) in seen {
            write!(out, " {at}:{text};").unwrap_or(());
        }
    }
    out
}

/// The answer to one line of a data test.
pub fn answer(args: &[String], line: &[u8]) -> String {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["parse"] => show_parsed(&parse::parse(line)),
        ["resolve", zone, ts] => {
            let (Some(zone), Ok(ts)) = (TimeZone::get(zone.as_bytes()), ts.parse()) else { return "usage".into() };
            let now = Time::from_timestamp(ts, 0, Zone::Id(zone));
            let parsed = parse::parse(line);
            if !parsed.errors.is_empty() {
                return "false".into();
            }
            match Time::from_parsed(&parsed, &now) {
                Ok(t) => t.sse.to_string(),
                Err(_) => "range".into(),
            }
        }
        _ => "usage".into(),
    }
}
