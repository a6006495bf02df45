//! Reader of TZif files (RFC 9636): transitions, local time types and the POSIX footer.
//!
//! Only the 64-bit block is read. A file that breaks the format yields `None`, never a panic: every access goes through `get`.

use super::calendar;

/// One kind of local time a zone has had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalType {
    /// Seconds east of UTC.
    pub offset: i32,
    pub is_dst: bool,
    pub abbreviation: String,
}

/// A day in a POSIX rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleDay {
    /// `Jn`: 1..=365, 29 February is never counted.
    Julian(i64),
    /// `n`: 0..=365, 29 February is counted.
    ZeroBased(i64),
    /// `Mm.w.d`: week 5 means the last one.
    MonthWeekDay(i64, i64, i64),
}

/// The daylight saving part of a POSIX rule.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RuleDst {
    to: LocalType,
    start: (RuleDay, i64),
    end: (RuleDay, i64),
}

/// The POSIX rule of a file's footer, in force after its last transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    standard: LocalType,
    dst: Option<RuleDst>,
}

/// A parsed file.
#[derive(Clone, Debug)]
pub struct TzFile {
    /// Instants in ascending order, with the index of the type that begins there.
    pub transitions: Vec<(i64, u8)>,
    pub types: Vec<LocalType>,
    pub rule: Option<Rule>,
}

struct Reader<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(n)?;
        let slice = self.data.get(self.at..end)?;
        self.at = end;
        Some(slice)
    }
    fn u32(&mut self) -> Option<usize> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?) as usize)
    }
}

struct Header {
    isut: usize,
    isstd: usize,
    leap: usize,
    time: usize,
    typ: usize,
    chars: usize,
}

fn header(r: &mut Reader) -> Option<(u8, Header)> {
    if r.take(4)? != b"TZif" {
        return None;
    }
    let version = *r.take(16)?.first()?;
    let (isut, isstd, leap) = (r.u32()?, r.u32()?, r.u32()?);
    Some((version, Header { isut, isstd, leap, time: r.u32()?, typ: r.u32()?, chars: r.u32()? }))
}

impl TzFile {
    /// Reads a file of version 2 or later.
    pub fn parse(data: &[u8]) -> Option<TzFile> {
        let mut r = Reader { data, at: 0 };
        let (version, h) = header(&mut r)?;
        if version < b'2' {
            return None;
        }
        r.take(h.time * 5 + h.typ * 6 + h.chars + h.leap * 8 + h.isstd + h.isut)?;
        let (_, h) = header(&mut r)?;
        let times = r.take(h.time.checked_mul(8)?)?;
        let indices = r.take(h.time)?;
        let types_raw = r.take(h.typ.checked_mul(6)?)?;
        let chars = r.take(h.chars)?;
        r.take(h.leap.checked_mul(12)? + h.isstd + h.isut)?;
        let mut types = Vec::with_capacity(h.typ);
        for t in types_raw.chunks_exact(6) {
            let offset = i32::from_be_bytes(t.get(..4)?.try_into().ok()?);
            let name = chars.get(*t.get(5)? as usize..)?;
            let end = name.iter().position(|&b| b == 0).unwrap_or(name.len());
            let abbreviation = String::from_utf8_lossy(name.get(..end)?).into_owned();
            types.push(LocalType { offset, is_dst: *t.get(4)? != 0, abbreviation });
        }
        if types.is_empty() {
            return None;
        }
        let mut transitions = Vec::with_capacity(h.time);
        for (t, &index) in times.chunks_exact(8).zip(indices) {
            if index as usize >= types.len() {
                return None;
            }
            transitions.push((i64::from_be_bytes(t.try_into().ok()?), index));
        }
        let footer = r.data.get(r.at..).unwrap_or_default();
        let rule = footer
            .strip_prefix(b"\n")
            .and_then(|f| f.iter().position(|&b| b == b'\n').and_then(|end| f.get(..end)))
            .and_then(Rule::parse);
        Some(TzFile { transitions, types, rule })
    }
}

impl Rule {
    /// Parses a POSIX TZ string such as `CET-1CEST,M3.5.0,M10.5.0/3`.
    pub fn parse(s: &[u8]) -> Option<Rule> {
        let mut p = s;
        let name = rule_name(&mut p)?;
        let offset = -rule_time(&mut p)?;
        let standard = LocalType { offset: offset as i32, is_dst: false, abbreviation: name };
        if p.is_empty() {
            return Some(Rule { standard, dst: None });
        }
        let name = rule_name(&mut p)?;
        let offset = match p.first() {
            Some(b',') | None => offset + 3600,
            _ => -rule_time(&mut p)?,
        };
        let start = rule_day(&mut p)?;
        let end = rule_day(&mut p)?;
        let to = LocalType { offset: offset as i32, is_dst: true, abbreviation: name };
        Some(Rule { standard, dst: Some(RuleDst { to, start, end }) })
    }

    /// The rule's changes in calendar year `y`, ascending: the instant and what begins there.
    pub fn transitions_in_year(&self, y: i64) -> Vec<(i64, &LocalType)> {
        let Some(dst) = &self.dst else { return Vec::new() };
        let at = |(day, time): (RuleDay, i64), offset: i32| {
            let days = match day {
                RuleDay::ZeroBased(n) => calendar::days_from_civil_wide(y, 1, 1) + n as i128,
                RuleDay::Julian(n) => {
                    let leap_shift = i64::from(calendar::is_leap(y) && n >= 60);
                    calendar::days_from_civil_wide(y, 1, 1) + (n - 1 + leap_shift) as i128
                }
                RuleDay::MonthWeekDay(m, w, d) => {
                    let first = calendar::day_of_week(y, m, 1);
                    let mut day = 1 + (d - first).rem_euclid(7) + (w - 1) * 7;
                    while day > calendar::days_in_month(y, m) {
                        day -= 7;
                    }
                    calendar::days_from_civil_wide(y, m, day)
                }
            };
            calendar::saturate(days * 86_400 + (time - offset as i64) as i128)
        };
        let mut list = vec![
            (at(dst.start, self.standard.offset), &dst.to),
            (at(dst.end, dst.to.offset), &self.standard),
        ];
        list.sort_by_key(|t| t.0);
        list
    }

    /// What is in force at an instant, and since when (`i64::MIN` if always).
    pub fn at(&self, ts: i64) -> (&LocalType, i64) {
        if self.dst.is_none() {
            return (&self.standard, i64::MIN);
        }
        let (year, _, _) = calendar::civil_from_days((ts as i128).div_euclid(86_400));
        let mut found = (&self.standard, i64::MIN);
        for y in [year.saturating_sub(1), year, year.saturating_add(1)] {
            for (at, local) in self.transitions_in_year(y) {
                if at <= ts {
                    found = (local, at);
                }
            }
        }
        found
    }

    /// Whether the rule changes the clock at all.
    pub fn has_dst(&self) -> bool {
        self.dst.is_some()
    }
}

fn rule_name(p: &mut &[u8]) -> Option<String> {
    let (name, rest) = if let Some(quoted) = p.strip_prefix(b"<") {
        let end = quoted.iter().position(|&b| b == b'>')?;
        (quoted.get(..end)?, quoted.get(end + 1..)?)
    } else {
        let end = p.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(p.len());
        p.split_at_checked(end)?
    };
    *p = rest;
    (!name.is_empty()).then(|| String::from_utf8_lossy(name).into_owned())
}

fn rule_number(p: &mut &[u8]) -> Option<i64> {
    let end = p.iter().position(|b| !b.is_ascii_digit()).unwrap_or(p.len());
    let (digits, rest) = p.split_at_checked(end)?;
    if digits.is_empty() || digits.len() > 4 {
        return None;
    }
    *p = rest;
    Some(digits.iter().fold(0, |n, d| n * 10 + (d - b'0') as i64))
}

/// `[+-]hh[:mm[:ss]]` in seconds.
fn rule_time(p: &mut &[u8]) -> Option<i64> {
    let sign = match p.first() {
        Some(b'-') => -1,
        _ => 1,
    };
    if matches!(p.first(), Some(b'-' | b'+')) {
        *p = p.get(1..)?;
    }
    let mut seconds = rule_number(p)? * 3600;
    for unit in [60, 1] {
        let Some(rest) = p.strip_prefix(b":") else { break };
        *p = rest;
        seconds += rule_number(p)? * unit;
    }
    Some(sign * seconds)
}

fn rule_day(p: &mut &[u8]) -> Option<(RuleDay, i64)> {
    *p = p.strip_prefix(b",")?;
    let day = match p.first()? {
        b'M' => {
            *p = p.get(1..)?;
            let m = rule_number(p)?;
            *p = p.strip_prefix(b".")?;
            let w = rule_number(p)?;
            *p = p.strip_prefix(b".")?;
            let d = rule_number(p)?;
            if !(1..=12).contains(&m) || !(1..=5).contains(&w) || d > 6 {
                return None;
            }
            RuleDay::MonthWeekDay(m, w, d)
        }
        b'J' => {
            *p = p.get(1..)?;
            RuleDay::Julian(rule_number(p)?)
        }
        _ => RuleDay::ZeroBased(rule_number(p)?),
    };
    let time = match p.strip_prefix(b"/") {
        Some(rest) => {
            *p = rest;
            rule_time(p)?
        }
        None => 7200,
    };
    Some((day, time))
}
