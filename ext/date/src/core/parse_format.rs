//! `DateTime::createFromFormat()` and `date_parse_from_format()`: reading a string by a given format.
//!
//! Positions of errors are bytes into the string; PHP's own texts are used.

use super::calendar;
use super::lookup;
use super::parse::{Parsed, full_year, parse_zone};
use super::time::{Relative, Time};
use super::timezone::Zone;

const SEPARATOR: &str = "The separation symbol could not be found";
const UNEXPECTED: &str = "Unexpected data found.";
const TRAILING: &str = "Trailing data";
const NOT_ENOUGH: &str = "Not enough data available to satisfy format";

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }
    fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }
    /// Up to `max` digits, skipping what is not a digit before them: the value and how many digits there were.
    fn number(&mut self, max: usize) -> Option<(i64, usize)> {
        let skip = self.rest().iter().position(u8::is_ascii_digit)?;
        self.at += skip;
        let mut value = 0i64;
        let mut len = 0;
        while len < max && self.peek().is_ascii_digit() {
            value = value.saturating_mul(10).saturating_add((self.peek() - b'0') as i64);
            self.at += 1;
            len += 1;
        }
        Some((value, len))
    }
    /// The next word; a day's name ends at a separator only, a month's at any byte that is no letter.
    fn word(&mut self, letters_only: bool) -> &'a [u8] {
        let inside = |b: &&u8| match letters_only {
            true => b.is_ascii_alphabetic(),
            false => !matches!(b, b' ' | b',' | b'\t' | b';' | b':' | b'/' | b'.' | b'-' | b'(' | b')' | 0),
        };
        let len = self.rest().iter().take_while(inside).count();
        let word = self.rest().get(..len).unwrap_or_default();
        self.at += len;
        word
    }
}

/// What is being read, beside the result.
#[derive(Default)]
struct State {
    extra_allowed: bool,
}

/// Reads `text` by `format`.
pub fn parse(format: &[u8], text: &[u8]) -> Parsed {
    let mut p = Parsed::default();
    let mut r = Reader { text, at: 0 };
    let mut state = State::default();
    let mut f = 0;
    while let Some(&letter) = format.get(f) {
        // These want nothing of the string.
        if r.at_end() && !matches!(letter, b'!' | b'|' | b'+') {
            break;
        }
        if letter == b'\\' {
            f += 1;
            match format.get(f) {
                Some(&escaped) if r.peek() == escaped => r.at += 1,
                Some(_) => p.errors.push((r.at, "The escaped character could not be found")),
                None => p.errors.push((r.at, "Escaped character expected")),
            }
        } else {
            step(&mut p, &mut r, &mut state, letter);
        }
        f += 1;
    }
    finish(&mut p, &mut r, &state, format.get(f..).unwrap_or_default());
    p
}

/// A number with PHP's error when there is none, or when something had to be skipped before it.
fn number(p: &mut Parsed, r: &mut Reader, max: usize, missing: &'static str) -> Option<(i64, usize)> {
    let begin = r.at;
    if !r.peek().is_ascii_digit() {
        p.errors.push((begin, UNEXPECTED));
    }
    let found = r.number(max);
    if found.is_none() {
        // The search for a digit has used up the string.
        r.at = r.text.len();
        p.errors.push((begin, missing));
    }
    found
}

fn step(p: &mut Parsed, r: &mut Reader, state: &mut State, letter: u8) {
    let begin = r.at;
    match letter {
        b'D' | b'l' => match lookup::weekday(r.word(false)) {
            Some(day) => {
                p.have_relative = true;
                p.relative.weekday = Some(day);
                p.relative.weekday_behavior = 1;
            }
            None => p.errors.push((begin, "A textual day could not be found")),
        },
        b'd' | b'j' => {
            if let Some((n, _)) = number(p, r, 2, "A two digit day could not be found") {
                p.d = Some(n);
                p.have_date = true;
            }
        }
        b'S' => {
            let known = [b"st", b"nd", b"rd", b"th"];
            if r.rest().get(..2).is_some_and(|w| known.iter().any(|k| w.eq_ignore_ascii_case(*k))) {
                r.at += 2;
            }
        }
        b'z' => {
            if let Some((n, _)) = number(p, r, 3, "A three digit day-of-year could not be found") {
                if p.y.is_some() {
                    p.have_date = true;
                    let first = calendar::days_from_civil_wide(p.y.unwrap_or(1970), 1, 1);
                    let (y, m, d) = calendar::civil_from_days(first + n as i128);
                    (p.y, p.m, p.d) = (Some(y), Some(m), Some(d));
                } else {
                    p.errors.push((begin, "A 'day of year' can only come after a year has been found"));
                }
            }
        }
        b'm' | b'n' => {
            if let Some((n, _)) = number(p, r, 2, "A two digit month could not be found") {
                p.m = Some(n);
                p.have_date = true;
            }
        }
        b'M' | b'F' => match lookup::month(r.word(true)) {
            Some(m) => {
                p.m = Some(m);
                p.have_date = true;
            }
            None => p.errors.push((begin, "A textual month could not be found")),
        },
        b'y' => {
            if let Some((n, len)) = number(p, r, 2, "A two digit year could not be found") {
                p.y = Some(full_year(n, len));
                p.have_date = true;
            }
        }
        b'Y' => {
            if let Some((n, _)) = number(p, r, 4, "A four digit year could not be found") {
                p.y = Some(n);
                p.have_date = true;
            }
        }
        b'X' | b'x' => {
            let negative = r.peek() == b'-';
            if matches!(r.peek(), b'-' | b'+') {
                r.at += 1;
            }
            if let Some((n, _)) = number(p, r, 19, "An expanded digit year could not be found") {
                p.y = Some(if negative { -n } else { n });
                p.have_date = true;
            }
        }
        b'g' | b'h' => {
            if let Some((n, _)) = number(p, r, 2, "A two digit hour could not be found") {
                if n > 12 {
                    p.errors.push((begin, "Hour cannot be higher than 12"));
                }
                p.h = Some(n);
                p.have_time = true;
            }
        }
        b'G' | b'H' => {
            if let Some((n, _)) = number(p, r, 2, "A two digit hour could not be found") {
                p.h = Some(n);
                p.have_time = true;
            }
        }
        b'a' | b'A' => meridian(p, r),
        b'i' | b's' => {
            let (missing, minute) = match letter {
                b'i' => ("A two digit minute could not be found", true),
                _ => ("A two digit second could not be found", false),
            };
            if !r.peek().is_ascii_digit() {
                p.errors.push((begin, UNEXPECTED));
            }
            match r.number(2) {
                Some((n, 2)) => {
                    p.have_time = true;
                    *(if minute { &mut p.i } else { &mut p.s }) = Some(n);
                }
                found => {
                    if found.is_none() {
                        r.at = r.text.len();
                    }
                    p.errors.push((begin, missing));
                }
            }
        }
        b'u' | b'v' => {
            let (max, missing) = match letter {
                b'u' => (6, "A six digit microsecond could not be found"),
                _ => (3, "A three digit millisecond could not be found"),
            };
            if let Some((n, _)) = number(p, r, max, missing) {
                // What was skipped before the digits counts as places, too.
                let places = r.at - begin;
                p.us = Some(match places {
                    0..=6 => n * 10i64.pow(6 - places as u32),
                    7..=12 => n / 10i64.pow(places as u32 - 6),
                    _ => 0,
                });
                p.have_time = true;
            }
        }
        b' ' => {
            while let Some(len) = blank(r.rest()) {
                r.at += len;
            }
        }
        b'U' => timestamp(p, r),
        b'e' | b'p' | b'P' | b'T' | b'O' => {
            let (zone, abbreviation, len) = parse_zone(r.rest());
            r.at += len;
            p.is_localtime = true;
            if zone.is_none() {
                p.errors.push((begin, "The timezone could not be found in the database"));
            }
            p.zone = match (zone, &p.zone) {
                // An unknown zone leaves the kind of an earlier one, without its offset.
                (None, Some(Zone::Offset(_))) => Some(Zone::Offset(0)),
                (zone, _) => zone,
            };
            p.zone_abbreviation = abbreviation;
        }
        b'#' => {
            if matches!(r.peek(), b';' | b':' | b'/' | b'.' | b',' | b'-' | b'(' | b')') {
                r.at += 1;
            } else {
                p.errors.push((begin, "The separation symbol ([;:/.,-]) could not be found"));
            }
        }
        b';' | b':' | b'/' | b'.' | b',' | b'-' | b'(' | b')' => {
            if r.peek() == letter {
                r.at += 1;
            } else {
                p.errors.push((begin, SEPARATOR));
            }
        }
        b'!' => reset(p, true),
        b'|' => reset(p, false),
        b'?' => r.at += 1,
        b'*' => {
            // At least one byte goes.
            r.at += 1;
            let stop = |b: &u8| matches!(b, b' ' | b'\t' | b',' | b';' | b':' | b'/' | b'.' | b'-') || b.is_ascii_digit();
            r.at += r.rest().iter().position(stop).unwrap_or(r.rest().len());
        }
        b'+' => state.extra_allowed = true,
        other => {
            if r.peek() != other {
                p.errors.push((begin, "The format separator does not match"));
            }
            r.at += 1;
        }
    }
}

/// The length of a blank at the start: space, tab, no-break space, narrow no-break space.
fn blank(text: &[u8]) -> Option<usize> {
    match text {
        [b' ' | b'\t', ..] => Some(1),
        [0xC2, 0xA0, ..] => Some(2),
        [0xE2, 0x80, 0xAF, ..] => Some(3),
        _ => None,
    }
}

fn meridian(p: &mut Parsed, r: &mut Reader) {
    let begin = r.at;
    let Some(hour) = p.h else {
        p.errors.push((begin, "Meridian can only come after an hour has been found"));
        // The word itself is read over.
        r.at += meridian_len(r.rest()).unwrap_or(0);
        return;
    };
    match meridian_len(r.rest()) {
        Some(len) => {
            let pm = r.peek().eq_ignore_ascii_case(&b'p');
            r.at += len;
            p.have_time = true;
            p.h = Some(match (pm, hour) {
                (false, 12) => 0,
                (true, h) if h != 12 => h + 12,
                (_, h) => h,
            });
        }
        None => p.errors.push((begin, "A meridian could not be found")),
    }
}

/// The length of `am`, `p.m.` and the like.
fn meridian_len(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    if !matches!(text.first()?.to_ascii_lowercase(), b'a' | b'p') {
        return None;
    }
    at += usize::from(text.get(at) == Some(&b'.'));
    if !text.get(at)?.eq_ignore_ascii_case(&b'm') {
        return None;
    }
    at += 1;
    at += usize::from(text.get(at) == Some(&b'.'));
    Some(at)
}

/// `U`: the moment replaces every field at once.
fn timestamp(p: &mut Parsed, r: &mut Reader) {
    let begin = r.at;
    let negative = r.peek() == b'-';
    let mut at = begin + usize::from(matches!(r.peek(), b'-' | b'+'));
    let start = at;
    let mut seconds = 0i64;
    while let Some(d) = r.text.get(at).filter(|b| b.is_ascii_digit()) {
        seconds = seconds.saturating_mul(10).saturating_add((d - b'0') as i64);
        at += 1;
    }
    if at == start {
        p.errors.push((begin, UNEXPECTED));
        p.errors.push((begin, "Found unexpected data"));
        r.at = r.text.len();
    } else {
        r.at = at;
    }
    let time = Time::from_timestamp(if negative { -seconds } else { seconds }, 0, Zone::Offset(0));
    (p.y, p.m, p.d) = (Some(time.y), Some(time.m), Some(time.d));
    (p.h, p.i, p.s) = (Some(time.h), Some(time.i), Some(time.s));
    p.us = Some(0);
    p.relative = Relative::default();
    p.is_localtime = true;
    p.zone = Some(Zone::Offset(0));
    (p.have_date, p.have_time) = (true, true);
}

/// Fields not read so far (or all of them) are set to the epoch's.
fn reset(p: &mut Parsed, all: bool) {
    let epoch = [(&mut p.y, 1970), (&mut p.m, 1), (&mut p.d, 1), (&mut p.h, 0), (&mut p.i, 0), (&mut p.s, 0), (&mut p.us, 0)];
    for (field, value) in epoch {
        if all || field.is_none() {
            *field = Some(value);
        }
    }
    if all {
        (p.zone, p.is_localtime) = (None, false);
    }
}

fn finish(p: &mut Parsed, r: &mut Reader, state: &State, left: &[u8]) {
    if !r.at_end() {
        if state.extra_allowed {
            p.warnings.push((r.at, TRAILING));
        } else {
            p.errors.push((r.at, TRAILING));
        }
    }
    // Letters that need nothing may be left over.
    let satisfied = left.iter().all(|b| matches!(b, b'!' | b'|' | b'+' | b'*' | b' '));
    if !satisfied {
        p.errors.push((r.at, NOT_ENOUGH));
    }
    if p.h.is_some() || p.i.is_some() || p.s.is_some() || p.us.is_some() {
        for field in [&mut p.h, &mut p.i, &mut p.s, &mut p.us] {
            field.get_or_insert(0);
        }
    }
    if let (true, Some(h), Some(i), Some(s)) = (p.have_time, p.h, p.i, p.s)
        && !calendar::valid_time(h, i, s)
    {
        p.warnings.push((r.at, "The parsed time was invalid"));
    }
    if let (Some(y), Some(m), Some(d)) = (p.y, p.m, p.d)
        && !calendar::valid_date(y, m, d)
    {
        p.warnings.push((r.at, "The parsed date was invalid"));
    }
}
