//! `DateInterval`: ISO 8601 durations, the difference of two moments, adding and subtracting, formatting; and the strings
//! of `DatePeriod::createFromISO8601String()`.

use super::calendar;
use super::parse::Parsed;
use super::time::{Fields, OutOfRange, Relative, Time};
use super::timezone::Zone;
use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

/// A span of time in calendar units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    pub y: i64,
    pub m: i64,
    pub d: i64,
    pub h: i64,
    pub i: i64,
    pub s: i64,
    /// Microseconds.
    pub us: i64,
    /// The span goes backwards.
    pub invert: bool,
    /// Whole days between the two moments, if the interval is a difference.
    pub days: Option<i64>,
    /// What came from a relative date string and is not a count of units.
    pub special: Option<Relative>,
}

/// Takes digits off the front: their value, or `None` if there is none or more than `max`.
fn digits(p: &mut &[u8], max: usize) -> Option<i64> {
    let len = p.iter().take_while(|b| b.is_ascii_digit()).count();
    if len == 0 || len > max {
        return None;
    }
    let (number, rest) = p.split_at_checked(len)?;
    *p = rest;
    Some(number.iter().fold(0i64, |n, d| n * 10 + (d - b'0') as i64))
}

fn literal(p: &mut &[u8], byte: u8) -> Option<()> {
    *p = p.strip_prefix(&[byte])?;
    Some(())
}

/// Exactly `len` digits of at most `max`.
fn fixed(p: &mut &[u8], len: usize, max: i64) -> Option<i64> {
    let (number, rest) = p.split_at_checked(len)?;
    if !number.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = number.iter().fold(0i64, |n, d| n * 10 + (d - b'0') as i64);
    *p = rest;
    (value <= max).then_some(value)
}

impl Interval {
    /// Parses `P1Y2M3DT4H5M6S`, `P2W` or `P0001-02-03T04:05:06`; `None` is PHP's "Unknown or bad format".
    pub fn parse(spec: &[u8]) -> Option<Interval> {
        let mut p = spec.trim_ascii();
        let mut out = Interval::default();
        if p.is_empty() {
            return None;
        }
        // PHP takes several specifications in a row; a later one replaces the units it names.
        while !p.is_empty() {
            p = p.strip_prefix(b"P")?;
            match Interval::combined(p) {
                Some((found, rest)) => (out, p) = (found, rest),
                None => p = out.units(p)?,
            }
            while matches!(p.first(), Some(b' ' | b'.' | b',' | b'\t')) {
                p = p.get(1..)?;
            }
        }
        Some(out)
    }

    /// The units behind a `P`: gives what follows them.
    fn units<'a>(&mut self, text: &'a [u8]) -> Option<&'a [u8]> {
        let mut p = text;
        let mut last = 0;
        // PHP keeps all numbers but the seconds in 32 bits.
        let narrow = |n: i64| n as i32 as i64;
        while p.first().is_some_and(u8::is_ascii_digit) {
            let n = digits(&mut p, 12)?;
            let unit = *p.first()?;
            p = p.get(1..)?;
            // Units come in this order, each at most once.
            let rank = b"YMWD".iter().position(|u| *u == unit)? + 1;
            if rank <= last {
                return None;
            }
            last = rank;
            match unit {
                b'Y' => self.y = narrow(n),
                b'M' => self.m = narrow(n),
                b'W' => self.d = narrow(self.d + n * 7),
                _ => self.d = narrow(self.d + n),
            }
        }
        if p.first() != Some(&b'T') {
            return (last > 0).then_some(p);
        }
        p = p.get(1..)?;
        let mut last = 0;
        while p.first().is_some_and(u8::is_ascii_digit) {
            let n = digits(&mut p, 12)?;
            let unit = *p.first()?;
            p = p.get(1..)?;
            let rank = b"HMS".iter().position(|u| *u == unit)? + 1;
            if rank <= last {
                return None;
            }
            last = rank;
            match unit {
                b'H' => self.h = narrow(n),
                b'M' => self.i = narrow(n),
                _ => self.s = n,
            }
        }
        (last > 0).then_some(p)
    }

    /// `YYYY-MM-DDTHH:MM:SS`
    fn combined(text: &[u8]) -> Option<(Interval, &[u8])> {
        let mut p = text;
        let y = fixed(&mut p, 4, 9999)?;
        literal(&mut p, b'-')?;
        let m = fixed(&mut p, 2, 12)?;
        literal(&mut p, b'-')?;
        let d = fixed(&mut p, 2, 31)?;
        literal(&mut p, b'T')?;
        let h = fixed(&mut p, 2, 24)?;
        literal(&mut p, b':')?;
        let i = fixed(&mut p, 2, 59)?;
        literal(&mut p, b':')?;
        let s = fixed(&mut p, 2, 59)?;
        Some((Interval { y, m, d, h, i, s, ..Interval::default() }, p))
    }

    /// `DateInterval::createFromDateString()`: the relative part of a parsed string.
    pub fn from_parsed(parsed: &Parsed) -> Interval {
        let r = &parsed.relative;
        Interval {
            y: r.y,
            m: r.m,
            d: r.d,
            h: r.h,
            i: r.i,
            s: r.s,
            us: r.us,
            special: (!r.is_plain()).then(|| r.clone()),
            ..Interval::default()
        }
    }

    /// The span from `one` to `two`, as `DateTime::diff()` gives it.
    pub fn between(one: &Time, two: &Time) -> Interval {
        let invert = (one.sse, one.us) > (two.sse, two.us);
        let (one, two) = if invert { (two, one) } else { (one, two) };
        let same_zone = matches!((&one.zone, &two.zone), (Zone::Id(_), Zone::Id(_))) && one.zone == two.zone;
        let mut out = Interval {
            y: two.y.saturating_sub(one.y),
            m: two.m - one.m,
            d: two.d - one.d,
            h: two.h - one.h,
            i: two.i - one.i,
            s: two.s - one.s,
            us: two.us - one.us,
            invert,
            ..Interval::default()
        };
        out.days = Some(days_between(one, two, same_zone));
        let mut late_shift = 0;
        let shift = two.offset as i64 - one.offset as i64;
        if same_zone {
            // If the change of the clock lies in what remains after whole days, the elapsed time counts, else the wall clock.
            let wall = two.sse as i128 - one.sse as i128 + shift as i128;
            match (one.dst, two.dst, &two.zone) {
                (false, true, Zone::Id(zone)) => {
                    let since = zone.at(two.sse).since;
                    let (rest, since_change) = (wall.rem_euclid(86_400), two.sse as i128 - since as i128);
                    // One day later the clock may stand in the gap: that PHP takes as after the change.
                    let in_gap = (86_400..172_800).contains(&wall) && rest - (shift as i128) < since_change;
                    if rest > since_change && !in_gap {
                        late_shift = shift;
                    }
                }
                // The clock went back further than the two moments are apart.
                _ if wall < 0 => out.s -= shift,
                _ if wall < 86_400 => late_shift = shift,
                _ => {}
            }
        } else {
            out.s -= shift;
        }
        let base = if invert { one } else { two };
        out.normalize(base.y, base.m, invert);
        // PHP corrects by hours and minutes, and does not borrow afterwards: minutes may be negative.
        out.h -= late_shift / 3600;
        out.i -= late_shift % 3600 / 60;
        if same_zone
            && two.offset < 0
            && one.dst
            && two.dst
            && two.sse as i128 - one.sse as i128 >= 86_400
            && let Zone::Id(zone) = &two.zone
            && !zone.at(two.sse.saturating_add(3600)).is_dst
        {
            // West of Greenwich, in the hour that is about to be repeated, PHP counts the last day as 24 hours.
            out.d -= 1;
            out.h = 24;
        }
        out
    }

    /// Brings every unit into its range; days are borrowed from the months around `y`-`m`.
    fn normalize(&mut self, y: i64, m: i64, invert: bool) {
        let carry = |low: &mut i64, high: &mut i64, range: i64| {
            *high = high.saturating_add(low.div_euclid(range));
            *low = low.rem_euclid(range);
        };
        carry(&mut self.us, &mut self.s, 1_000_000);
        carry(&mut self.s, &mut self.i, 60);
        carry(&mut self.i, &mut self.h, 60);
        carry(&mut self.h, &mut self.d, 24);
        carry(&mut self.m, &mut self.y, 12);
        let mut month = m;
        while self.d < 0 {
            if !invert {
                month -= 1;
            }
            let year = y.saturating_add((month - 1).div_euclid(12));
            self.d += calendar::days_in_month(year, month);
            self.m -= 1;
            if invert {
                month += 1;
            }
        }
        carry(&mut self.m, &mut self.y, 12);
    }

    /// `DateInterval::format()`.
    pub fn format(&self, pattern: &[u8]) -> Result<PStr, OutOfMemory> {
        let mut out = PStrBuilder::with_capacity(pattern.len().saturating_add(16))?;
        let mut letters = pattern.iter();
        while let Some(&b) = letters.next() {
            if b != b'%' {
                out.push(b)?;
                continue;
            }
            // A percent sign at the end is nothing.
            let Some(&letter) = letters.next() else { break };
            match letter {
                b'Y' => write!(out, "{:02}", self.y),
                b'y' => write!(out, "{}", self.y),
                b'M' => write!(out, "{:02}", self.m),
                b'm' => write!(out, "{}", self.m),
                b'D' => write!(out, "{:02}", self.d),
                b'd' => write!(out, "{}", self.d),
                b'H' => write!(out, "{:02}", self.h),
                b'h' => write!(out, "{}", self.h),
                b'I' => write!(out, "{:02}", self.i),
                b'i' => write!(out, "{}", self.i),
                b'S' => write!(out, "{:02}", self.s),
                b's' => write!(out, "{}", self.s),
                b'F' => write!(out, "{:06}", self.us),
                b'f' => write!(out, "{}", self.us),
                b'a' => match self.days {
                    Some(days) => write!(out, "{days}"),
                    None => out.push_str("(unknown)"),
                }
                b'R' => out.push_str(if self.invert { "-" } else { "+" }),
                b'r' => out.push_str(if self.invert { "-" } else { "" }),
                b'%' => out.push_str("%"),
                other => out.extend(&[b'%', other]),
            }?;
        }
        Ok(out.finish())
    }

    /// Whether `DateTime::sub()` can undo it: only counts of units.
    pub fn is_plain(&self) -> bool {
        self.special.is_none()
    }

    /// `time` plus the span: calendar units on the wall clock, hours and smaller as elapsed time.
    pub fn add_to(&self, time: &Time) -> Result<Time, OutOfRange> {
        match &self.special {
            Some(relative) => Time::resolve(time.fields(), relative, time.zone.clone(), Some(time.dst)),
            None => self.shift(time, if self.invert { -1 } else { 1 }),
        }
    }

    /// `time` minus the span; what is not a count of units is ignored (the caller warns, see `is_plain`).
    pub fn subtract_from(&self, time: &Time) -> Result<Time, OutOfRange> {
        self.shift(time, if self.invert { 1 } else { -1 })
    }

    fn shift(&self, time: &Time, sign: i64) -> Result<Time, OutOfRange> {
        let mut moved = time.clone();
        if self.y != 0 || self.m != 0 || self.d != 0 {
            let relative = Relative {
                y: self.y.saturating_mul(sign),
                m: self.m.saturating_mul(sign),
                d: self.d.saturating_mul(sign),
                ..Relative::default()
            };
            moved = Time::resolve(time.fields(), &relative, time.zone.clone(), Some(time.dst))?;
        }
        let seconds = (self.h as i128 * 3600 + self.i as i128 * 60 + self.s as i128) * sign as i128;
        let us = moved.us as i128 + self.us as i128 * sign as i128;
        let sse = moved.sse as i128 + seconds + us.div_euclid(1_000_000);
        let sse = i64::try_from(sse).map_err(|_| OutOfRange)?;
        Ok(Time::from_timestamp(sse, us.rem_euclid(1_000_000) as i64, moved.zone))
    }
}

/// Whole days between two moments, the earlier one first.
fn days_between(one: &Time, two: &Time, same_zone: bool) -> i64 {
    if !same_zone && one.zone != two.zone {
        // Microseconds do not count here.
        return calendar::saturate((two.sse as i128 - one.sse as i128) / 86_400);
    }
    let wall = |t: &Time| {
        let seconds = t.h * 3600 + t.i * 60 + t.s;
        (calendar::days_from_civil_wide(t.y, t.m, t.d), seconds * 1_000_000 + t.us)
    };
    let ((from, from_time), (to, to_time)) = (wall(one), wall(two));
    let days = to - from - i128::from(to_time < from_time && to > from);
    calendar::saturate(days.max(0))
}

/// What `DatePeriod::createFromISO8601String()` finds in `R5/2008-03-01T13:00:00Z/P1Y2M10DT2H30M`.
#[derive(Clone, Debug, Default)]
pub struct IsoPeriod {
    /// The number behind `R`, 0 if there is none.
    pub recurrences: i64,
    pub start: Option<Time>,
    pub end: Option<Time>,
    pub interval: Option<Interval>,
}

impl IsoPeriod {
    /// `None` is PHP's "Unknown or bad format". Which parts must be there is the caller's to check.
    pub fn parse(text: &[u8]) -> Option<IsoPeriod> {
        let mut out = IsoPeriod::default();
        if text.trim_ascii().is_empty() {
            return None;
        }
        for part in text.trim_ascii().split(|&b| matches!(b, b'/' | b' ')) {
            if let Some(mut number) = part.strip_prefix(b"R") {
                out.recurrences = digits(&mut number, 9).filter(|_| number.is_empty())?;
            } else if part.first() == Some(&b'P') {
                out.interval = Some(Interval::parse(part)?);
            } else if !part.is_empty() {
                let time = iso_moment(part)?;
                if out.start.is_none() {
                    out.start = Some(time);
                } else {
                    out.end = Some(time);
                }
            }
        }
        Some(out)
    }
}

/// `20080301T130000Z` or `2008-03-01T13:00:00Z`.
fn iso_moment(text: &[u8]) -> Option<Time> {
    let extended = text.get(4) == Some(&b'-');
    let separator = |p: &mut &[u8], byte: u8| if extended { literal(p, byte) } else { Some(()) };
    let mut p = text;
    let y = fixed(&mut p, 4, 9999)?;
    separator(&mut p, b'-')?;
    let m = fixed(&mut p, 2, 12)?;
    separator(&mut p, b'-')?;
    let d = fixed(&mut p, 2, 31)?;
    literal(&mut p, b'T')?;
    let h = fixed(&mut p, 2, 24)?;
    separator(&mut p, b':')?;
    let i = fixed(&mut p, 2, 59)?;
    separator(&mut p, b':')?;
    let s = fixed(&mut p, 2, 60)?;
    literal(&mut p, b'Z')?;
    if !p.is_empty() {
        return None;
    }
    let fields = Fields { y, m, d, h, i, s, us: 0 };
    Time::resolve(fields, &Relative::default(), Zone::Offset(0), None).ok()
}
