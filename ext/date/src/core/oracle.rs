//! Answers in the form that the data tests and the comparison with stock PHP use: one line in, one line out.

use super::format;
use super::interval::Interval;
use super::parse::{self, Parsed};
use super::parse_format;
use super::sun;
use super::time::{DayOf, Special, Time};
use super::timezone::{TimeZone, Zone};
use jumbo_abi::Work;
use std::fmt::Write;

/// What a string says, for tools: nobody waits meanwhile.
fn parsed(text: &[u8]) -> Parsed {
    parse::parse(&mut Work::uninterrupted(), text).unwrap_or_default()
}

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
        for &(at, text) in list.iter() {
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
        ["parse"] => show_parsed(&parsed(line)),
        ["resolve", zone, ts] => {
            let (Some(zone), Ok(ts)) = (TimeZone::get(zone.as_bytes()), ts.parse()) else { return "usage".into() };
            let now = Time::from_timestamp(ts, 0, Zone::Id(zone));
            let parsed = parsed(line);
            if !parsed.errors.is_empty() {
                return "false".into();
            }
            match Time::from_parsed(&parsed, &now) {
                Ok(t) => t.sse.to_string(),
                Err(_) => "range".into(),
            }
        }
        // FORMAT <tab> STRING
        ["parse_format"] => {
            let mut parts = line.splitn(2, |&b| b == b'\t');
            let (format, text) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            show_parsed(&parse_format::parse(&mut Work::uninterrupted(), format, text).unwrap_or_default())
        }
        ["format", zone] => {
            let (Some(zone), Ok(now)) = (TimeZone::get(zone.as_bytes()), moment(line)) else { return "usage".into() };
            let time = if line.contains(&b'@') { now.with_zone(Zone::Id(zone)) } else { now };
            String::from_utf8_lossy(&format::format(&time, b"d D j l S w N z W o F m M n t L y Y x X a A B g G h H i s u v I p P O T e Z c r U", true).unwrap_or_default()).into_owned()
        }
        // DATE <tab> DATE
        ["diff"] => {
            let mut parts = line.splitn(2, |&b| b == b'\t');
            let (one, two) = (moment(parts.next().unwrap_or_default()), moment(parts.next().unwrap_or_default()));
            let (Ok(one), Ok(two)) = (one, two) else { return "usage".into() };
            let diff = Interval::between(&one, &two);
            String::from_utf8_lossy(&diff.format(b"%R %y %m %d %h %i %s %f %a").unwrap_or_default()).into_owned()
        }
        // TIMESTAMP LATITUDE LONGITUDE
        ["sun"] => {
            let words: Vec<f64> = String::from_utf8_lossy(line).split(' ').filter_map(|w| w.parse().ok()).collect();
            let [ts, latitude, longitude] = words[..] else { return "usage".into() };
            let time = Time::from_timestamp(ts as i64, 0, Zone::utc());
            let mut out = Vec::new();
            for (index, (altitude, upper_limb)) in sun::ALTITUDES.into_iter().enumerate() {
                let found = sun::times((time.y, time.m, time.d), latitude, longitude, altitude, upper_limb);
                match found.day {
                    sun::SunDay::RiseAndSet(rise, set) => out.extend([rise.to_string(), set.to_string()]),
                    sun::SunDay::AlwaysAbove => out.extend(["up".into(), "up".into()]),
                    sun::SunDay::AlwaysBelow => out.extend(["down".into(), "down".into()]),
                }
                if index == 0 {
                    out.push(found.transit.to_string());
                }
            }
            out.join(" ")
        }
        // DATE <tab> MODIFIER
        ["modify"] => {
            let mut parts = line.splitn(2, |&b| b == b'\t');
            let one = moment(parts.next().unwrap_or_default());
            let parsed = parsed(parts.next().unwrap_or_default());
            let Ok(one) = one else { return "usage".into() };
            if !parsed.errors.is_empty() {
                return "false".into();
            }
            let result = one.modify(&parsed);
            result.map_or("range".into(), |t| String::from_utf8_lossy(&format::format(&t, b"c U u", true).unwrap_or_default()).into_owned())
        }
        // DATE <tab> SPEC
        ["add"] | ["sub"] => {
            let mut parts = line.splitn(2, |&b| b == b'\t');
            let (one, span) = (moment(parts.next().unwrap_or_default()), Interval::parse(parts.next().unwrap_or_default()));
            let (Ok(one), Some(span)) = (one, span) else { return "usage".into() };
            let result = if args == ["add"] { span.add_to(&one) } else { span.subtract_from(&one) };
            result.map_or("range".into(), |t| String::from_utf8_lossy(&format::format(&t, b"c U u", true).unwrap_or_default()).into_owned())
        }
        ["interval"] => match Interval::parse(line) {
            None => "false".into(),
            Some(i) => String::from_utf8_lossy(&i.format(b"%y %m %d %h %i %s").unwrap_or_default()).into_owned(),
        },
        _ => "usage".into(),
    }
}

/// A moment by a date string that leaves nothing open but the zone, which is UTC then.
fn moment(text: &[u8]) -> Result<Time, super::time::OutOfRange> {
    Time::from_parsed(&parsed(text), &Time::from_timestamp(0, 0, Zone::utc()))
}
