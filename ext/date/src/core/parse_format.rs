//! `DateTime::createFromFormat()` and `date_parse_from_format()`: reading a string by a given format.
//!
//! Positions of errors are bytes into the string; PHP's own texts are used.

use super::calendar;
use super::lookup;
use super::parse::{Parsed, full_year, parse_zone};
use jumbo_abi::{Res, Work};
use super::time::Time;
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
pub fn parse(work: &mut Work, format: &[u8], text: &[u8]) -> Res<Parsed> {
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
        work.spend(1)?;
        p.errors.complete()?;
    }
    finish(&mut p, &mut r, &state, format.get(f..).unwrap_or_default());
    p.errors.complete()?;
    p.warnings.complete()?;
    Ok(p)
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
            p.d = number(p, r, 2, "A two digit day could not be found").map(|n| n.0);
            p.have_date = true;
        }
        b'S' => {
            let known = [b"st", b"nd", b"rd", b"th"];
            if r.rest().get(..2).is_some_and(|w| known.iter().any(|k| w.eq_ignore_ascii_case(*k))) {
                r.at += 2;
            }
        }
        b'z' => {
            if !r.peek().is_ascii_digit() {
                p.errors.push((begin, UNEXPECTED));
            }
            let year = p.y;
            if year.is_none() {
                p.errors.push((begin, "A 'day of year' can only come after a year has been found"));
            }
            let day = r.number(3);
            if day.is_none() {
                r.at = r.text.len();
                p.errors.push((begin, "A three digit day-of-year could not be found"));
            }
            if let (Some(year), Some((n, _))) = (year, day) {
                p.have_date = true;
                let first = calendar::days_from_civil_wide(year, 1, 1);
                let (y, m, d) = calendar::civil_from_days(first + n as i128);
                (p.y, p.m, p.d) = (Some(y), Some(m), Some(d));
            }
        }
        b'm' | b'n' => {
            p.m = number(p, r, 2, "A two digit month could not be found").map(|n| n.0);
            p.have_date = true;
        }
        b'M' | b'F' => match lookup::month(r.word(true)) {
            Some(m) => {
                p.m = Some(m);
                p.have_date = true;
            }
            None => p.errors.push((begin, "A textual month could not be found")),
        },
        b'y' => {
            p.y = number(p, r, 2, "A two digit year could not be found").map(|(n, len)| full_year(n, len));
            p.have_date = true;
        }
        b'Y' => {
            p.y = number(p, r, 4, "A four digit year could not be found").map(|n| n.0);
            p.have_date = true;
        }
        b'X' | b'x' => {
            p.y = Some(signed(p, r));
            p.have_date = true;
        }
        b'g' | b'h' | b'G' | b'H' => {
            p.h = number(p, r, 2, "A two digit hour could not be found").map(|n| n.0);
            if matches!(letter, b'g' | b'h') && p.h.is_some_and(|h| h > 12) {
                p.errors.push((begin, "Hour cannot be higher than 12"));
            }
            p.have_time = true;
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
            let read = parse_zone(r.rest());
            r.at += read.len;
            p.is_localtime = true;
            if !read.found {
                p.errors.push((begin, "The timezone could not be found in the database"));
            }
            p.set_zone(read);
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
    if p.h.is_none() {
        p.errors.push((begin, "Meridian can only come after an hour has been found"));
    }
    // PHP looks for the letter further on in the string, too.
    let skip = r.rest().iter().position(|b| matches!(b.to_ascii_lowercase(), b'a' | b'p'));
    r.at += skip.unwrap_or(r.rest().len());
    match meridian_len(r.rest()) {
        Some(len) => {
            let pm = r.peek().eq_ignore_ascii_case(&b'p');
            r.at += len;
            p.have_time |= p.h.is_some();
            p.h = p.h.map(|hour| match (pm, hour) {
                (false, 12) => 0,
                (true, h) if h != 12 => h + 12,
                (_, h) => h,
            });
        }
        None => {
            // The letter and its point are used up, even if no "m" follows.
            r.at += usize::from(!r.at_end());
            r.at += usize::from(r.peek() == b'.');
            p.errors.push((begin, "A meridian could not be found"));
        }
    }
}

/// A number with signs; when there is none, PHP reports it at the start of the string and goes on with 0.
fn signed(p: &mut Parsed, r: &mut Reader) -> i64 {
    let begin = r.at;
    let is_number = |b: &u8| b.is_ascii_digit() || matches!(b, b'+' | b'-');
    if !is_number(&r.peek()) {
        p.errors.push((begin, UNEXPECTED));
    }
    let skip = r.rest().iter().position(is_number);
    r.at += skip.unwrap_or(r.rest().len());
    let mut negative = false;
    while matches!(r.peek(), b'+' | b'-') {
        negative ^= r.peek() == b'-';
        r.at += 1;
    }
    match r.number(19) {
        Some((n, _)) if negative => -n,
        Some((n, _)) => n,
        None => {
            r.at = r.text.len();
            p.errors.push((0, "Found unexpected data"));
            0
        }
    }
}

/// The length of `am`, `p.m.` and the like.
fn meridian_len(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    if !matches!(text.first()?.to_ascii_lowercase(), b'a' | b'p') {
        return None;
    }
    let point = text.get(at) == Some(&b'.');
    at += usize::from(point);
    if !text.get(at)?.eq_ignore_ascii_case(&b'm') {
        return None;
    }
    at += 1;
    at += usize::from(point && text.get(at) == Some(&b'.'));
    Some(at)
}

/// `U`: the moment replaces every field at once.
fn timestamp(p: &mut Parsed, r: &mut Reader) {
    let seconds = signed(p, r);
    let time = Time::from_timestamp(seconds, 0, Zone::Offset(0));
    (p.y, p.m, p.d) = (Some(time.y), Some(time.m), Some(time.d));
    (p.h, p.i, p.s) = (Some(time.h), Some(time.i), Some(time.s));
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
    if all && matches!(p.zone, Some(Zone::Id(_))) {
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
    let satisfied = left.iter().all(|b| matches!(b, b'!' | b'|' | b'+'));
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
