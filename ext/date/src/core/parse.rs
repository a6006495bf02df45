//! The language of `strtotime()` and `new DateTime()`.
//!
//! The formats are those of the manual's chapter "Supported Date and Time Formats". A string is cut into tokens: at each
//! position the longest format that matches wins, the earlier one in `RULES` if two are equally long. The formats are regular
//! expressions run by a lazily built automaton (`regex-automata`), so a string is read in linear time; the fields are then read out
//! of the token by `Scanner`.
//!
//! Positions of errors count from the first byte that is not white space, as in PHP.

use super::lookup::{self, Unit};
use super::time::{DayOf, Relative, Special};
use super::timezone::{self, TimeZone, Zone};
use super::calendar;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::util::syntax;
use jumbo_abi::{Res, Work};
use jumbo_value::{HeapCharge, OutOfMemory, PStrBuilder};
use regex_automata::{Anchored, Input, MatchKind, PatternID};
use std::cell::RefCell;
use std::sync::OnceLock;

/// A warning or an error: where, and PHP's text.
pub type Message = (usize, &'static str);

/// Warnings or errors, of which every byte of a string may make one: they count against memory_limit.
#[derive(Default)]
pub struct Messages {
    list: Vec<Message>,
    charge: HeapCharge,
    refused: Option<OutOfMemory>,
}

impl Messages {
    /// What does not fit is found by [`Messages::complete`].
    pub fn push(&mut self, message: Message) {
        match self.charge.reserve(&mut self.list, 1) {
            Ok(()) => self.list.push(message),
            Err(refused) => self.refused = Some(refused),
        }
    }
    /// An error where there was no room for one of them.
    pub fn complete(&self) -> Result<(), OutOfMemory> {
        self.refused.map_or(Ok(()), Err)
    }
}

impl std::ops::Deref for Messages {
    type Target = [Message];
    fn deref(&self) -> &[Message] {
        &self.list
    }
}

/// What a string says, as `date_parse()` reports it. Fields that were not given are `None`.
#[derive(Default)]
pub struct Parsed {
    pub y: Option<i64>,
    pub m: Option<i64>,
    pub d: Option<i64>,
    pub h: Option<i64>,
    pub i: Option<i64>,
    pub s: Option<i64>,
    pub us: Option<i64>,
    pub have_date: bool,
    pub have_time: bool,
    pub have_relative: bool,
    /// Whether a zone was named, found or not.
    pub is_localtime: bool,
    /// The first zone named, if it was found.
    pub zone: Option<Zone>,
    /// The abbreviation behind a zone of type 3 (only `UTC` has one).
    pub zone_abbreviation: Option<String>,
    pub relative: Relative,
    pub warnings: Messages,
    pub errors: Messages,
    /// The string was `@seconds`.
    pub is_timestamp: bool,
    have_zone: u32,
    /// Four digits after a time have been taken as the year.
    four_digit_year: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Yesterday,
    Now,
    Noon,
    Midnight,
    Tomorrow,
    Timestamp,
    TimestampFraction,
    DayOf,
    BackOrFrontOf,
    WeekdayOf,
    Time12,
    Time24,
    HourMinute,
    HourMinuteSecond,
    American,
    YearMonthDay,
    YearMonth,
    DateFull,
    Pointed4,
    Pointed2,
    MonthYear,
    YearMonthText,
    MonthDay,
    DayMonth,
    EightDigits,
    Compound,
    YearAndDay,
    IsoWeek,
    PgTextShort,
    PgTextReverse,
    Clf,
    Year4,
    Ago,
    DayName,
    RelativeTextWeek,
    RelativeText,
    MonthName,
    ZoneOnly,
    MonthDayTime12,
    MonthDayTime24,
    RelativeNumber,
    End,
    Separator,
}

/// The formats, in the order of precedence. `{name}` refers to `PARTS`.
const RULES: &[(Rule, &str)] = &[
    (Rule::Yesterday, "yesterday"),
    (Rule::Now, "now"),
    (Rule::Noon, "noon"),
    (Rule::Midnight, "midnight|today"),
    (Rule::Tomorrow, "tomorrow"),
    (Rule::Timestamp, "@-?[0-9]+"),
    (Rule::TimestampFraction, r"@-?[0-9]+\.[0-9]{0,6}"),
    (Rule::DayOf, "(?:first|last) day of"),
    (Rule::BackOrFrontOf, "(?:back|front) of {hour24}(?:{space}?{meridian})?"),
    (Rule::WeekdayOf, "(?:{ordinal}|{reltext}){space}(?:{dayfull}s?|{dayabbr}){space}of"),
    (Rule::Time12, "{hour12}(?:[:.]{minutelz})?{space}?{meridian}|{hour12}[:.]{minute}[:.]{secondlz}{space}?{meridian}|{hour12}:{minutelz}:{secondlz}[:.][0-9]+{meridian}"),
    (
        Rule::Time24,
"t{hour24}|t?{hour24}[:.]{minute}|t?{hour24}[:.]{minute}[:.]{second}{frac}?",
    ),
    (Rule::HourMinute, "t?{hour24lz}{minutelz}"),
    (Rule::HourMinuteSecond, "t?{hour24lz}{minutelz}{secondlz}"),
    (Rule::American, "{month}/{day}(?:/{year})?"),
    (Rule::YearMonthDay, "[+-]?{year4}-{monthlz}-{daylz}|{year4}/{month}/{day}|{year4}/{monthlz}/{daylz}/|{year2}-{monthlz}-{daylz}|[+-][0-9]{5,19}-{monthlz}-{daylz}|{year}-{month}-{day}"),
    (Rule::YearMonth, "{year4}-{month}"),
    (Rule::DateFull, r"{day}[ \t.-]*{monthtext}[ \t.-]*{year}"),
    (Rule::Pointed4, r"{day}[.\t-]{month}[.-]{year4}"),
    (Rule::Pointed2, r"{day}[.\t]{month}\.{year2}"),
    (Rule::MonthYear, r"{monthtext}[ .\t-]*{year4}"),
    (Rule::YearMonthText, r"{year4}[ .\t-]*{monthtext}"),
    (Rule::MonthDay, r"{monthtext}[ .\t-]*{day}(?-i:[,.stndrh\t ]+){year}|{monthtext}[ .\t-]*{day}(?:(?-i:[,.stndrh\t ]+)|\x00)"),
    (Rule::DayMonth, r"{day}[ .\t-]*{monthtext}"),
    (Rule::EightDigits, "{year4}{monthlz}{daylz}"),
    (
        Rule::Compound,
        "{year4}{monthlz}{daylz}t{hour24}:{minutelz}:{secondlz}|{year4}{monthlz}{daylz}t?{hour24lz}{minutelz}{secondlz}|{year4}-{monthlz}-{daylz}t{hour24lz}:{minutelz}:{secondlz}{frac}{correction}?|{year4}-{month}-{day}t{hour24}:{minute}:{second}|{year4}:{monthlz}:{daylz} {hour24lz}:{minutelz}:{secondlz}",
    ),
    (Rule::YearAndDay, "{year4}[.-]?{dayofyear}"),
    (Rule::IsoWeek, "{year4}-?W{weekofyear}(?:-?[0-7])?"),
    (Rule::PgTextShort, "{monthabbr}-{daylz}-{year}"),
    (Rule::PgTextReverse, "{year}-{monthabbr}-{daylz}"),
    (Rule::Clf, "{day}/{monthabbr}/{year4}:{hour24lz}:{minutelz}:{secondlz}{space}{correction}"),
    (Rule::Year4, "{year4}"),
    (Rule::Ago, "ago"),
    (Rule::DayName, "{dayname}"),
    (Rule::RelativeTextWeek, "{reltext}{space}week"),
    (Rule::RelativeText, "(?:{ordinal}|{reltext}){space}{unit}"),
    (Rule::MonthName, "{monthfull}|{monthabbr}"),
    (Rule::ZoneOnly, "{zone}"),
    (Rule::MonthDayTime12, r"{monthtext}[ .\t-]*{day}(?-i:[,.stndrh\t ]+)(?:{hour12}[:.]{minutelz}(?:[:.]{secondlz})?{space}?{meridian})"),
    (Rule::MonthDayTime24, r"{monthtext}[ .\t-]*{day}(?-i:[,.stndrh\t ]+)t?{hour24}[:.]{minute}(?:[:.]{second}(?:{space}?{zone})?)?"),
    (Rule::RelativeNumber, r"[+-]*[ \t]*[0-9]{1,13}{space}?(?:{unit}|week)"),
    (Rule::End, r"\x00|\n"),
    (Rule::Separator, r"[ .,\t]"),
];

/// The parts of the formats, as the manual names them; later ones may refer to earlier ones.
const PARTS: &[(&str, &str)] = &[
    ("space", r"(?:[ \t]+)"),
    ("frac", r"(?:\.[0-9]+)"),
    ("hour24lz", "(?:[01][0-9]|2[0-4])"),
    ("hour24", "(?:[01]?[0-9]|2[0-4])"),
    ("hour12", "(?:0?[1-9]|1[0-2])"),
    ("minutelz", "[0-5][0-9]"),
    ("minute", "[0-5]?[0-9]"),
    ("secondlz", "(?:[0-5][0-9]|60)"),
    ("second", "(?:[0-5]?[0-9]|60)"),
    ("meridian", r"(?:[ap]\.?m\.?[\x00\t ])"),
    ("correction", "(?:(?-i:GMT)?[+-](?:{hour24}(?::?{minute})?|{hour24lz}{minutelz}{secondlz}|{hour24lz}:{minutelz}:{secondlz}))"),
    ("zonename", r"(?:\(?[A-Za-z]{1,6}\)?|(?-i:[A-Z][a-z]+(?:[_/-][A-Za-z]+)+))"),
    ("zone", "(?:{correction}|{zonename})"),
    ("daysuf", "(?-i:st|nd|rd|th)"),
    ("monthlz", "(?:0[0-9]|1[0-2])"),
    ("month", "(?:0?[0-9]|1[0-2])"),
    ("daylz", "(?:0[0-9]|[1-2][0-9]|3[01])"),
    ("dayofyear", "(?:00[1-9]|0[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-6])"),
    ("day", "(?:(?:[0-2]?[0-9]|3[01]){daysuf}?)"),
    ("weekofyear", "(?:0[1-9]|[1-4][0-9]|5[0-3])"),
    ("year4", "[0-9]{4}"),
    ("year2", "[0-9]{2}"),
    ("year", "[0-9]{1,4}"),
    ("monthabbr", "(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)"),
    ("monthfull", "(?:january|february|march|april|may|june|july|august|september|october|november|december)"),
    ("monthtext", "(?:{monthfull}|{monthabbr}|(?-i:I{1,3}|I[VX]|VI{0,3}|XI{0,2}))"),
    ("dayfull", "(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday)"),
    ("dayabbr", "(?:sun|mon|tue|wed|thu|fri|sat)"),
    ("dayname", "(?:{dayfull}s?|{dayabbr}|weekdays?)"),
    ("ordinal", "(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)"),
    ("reltext", "(?:next|last|previous|this)"),
    ("unit", r"(?:ms|\xC2\xB5s|(?:msec|millisecond|\xC2\xB5sec|microsecond|usec|sec|second|min|minute|hour|day|fortnight|forthnight|month|year)s?|weeks|{dayname})"),
];

fn automaton() -> Option<&'static DFA> {
    static BUILT: OnceLock<Option<DFA>> = OnceLock::new();
    BUILT
        .get_or_init(|| {
            let mut parts: Vec<(String, String)> = Vec::new();
            let expand = |text: &str, parts: &[(String, String)]| {
                parts.iter().fold(text.to_string(), |t, (name, value)| t.replace(name, value))
            };
            for (name, text) in PARTS {
                // A part may refer to parts that stand before or after it, so expand until nothing changes.
                parts.push((format!("{{{name}}}"), text.to_string()));
            }
            for _ in 0..4 {
                let snapshot = parts.clone();
                for (_, text) in &mut parts {
                    *text = expand(text, &snapshot);
                }
            }
            let patterns: Vec<String> = RULES.iter().map(|(_, text)| expand(text, &parts)).collect();
            DFA::builder()
                .configure(DFA::config().match_kind(MatchKind::All).skip_cache_capacity_check(true))
                .syntax(syntax::Config::new().unicode(false).utf8(false).case_insensitive(true))
                .thompson(regex_automata::nfa::thompson::Config::new().utf8(false))
                .build_many(&patterns)
                .ok()
        })
        .as_ref()
}

thread_local! {
    static CACHE: RefCell<Option<Cache>> = const { RefCell::new(None) };
}

/// The longest format at `at`: the rule and where it ends. `read`: how many bytes had to be looked at.
fn longest(text: &[u8], at: usize, read: &mut usize) -> Option<(Rule, usize)> {
    let dfa = automaton()?;
    CACHE.with_borrow_mut(|cache| {
        let cache = cache.get_or_insert_with(|| dfa.create_cache());
        let input = Input::new(text).span(at..text.len()).anchored(Anchored::Yes);
        let (pattern, end) = if text.len() <= SHORT {
            let found = dfa.try_search_fwd(cache, &input).ok()??;
            (found.pattern(), found.offset())
        } else {
            search_counted(dfa, cache, &input, read)?
        };
        RULES.get(pattern.as_usize()).map(|r| (r.0, end))
    })
}

/// A search that tells how far it went, which may be to the end of the text for a short match, or none.
fn search_counted(dfa: &DFA, cache: &mut Cache, input: &Input, read: &mut usize) -> Option<(PatternID, usize)> {
    let mut state = dfa.start_state_forward(cache, input).ok()?;
    let mut found = None;
    for at in input.get_range() {
        *read += 1;
        state = dfa.next_state(cache, state, input.haystack()[at]).ok()?;
        if state.is_match() {
            // A match is seen one byte behind its end.
            found = Some((dfa.match_pattern(cache, state, 0), at));
        } else if state.is_dead() || state.is_quit() {
            return found;
        }
    }
    state = dfa.next_eoi_state(cache, state).ok()?;
    if state.is_match() { Some((dfa.match_pattern(cache, state, 0), input.end())) } else { found }
}

/// Texts up to this length are read without counting: however they are made, that takes no longer than a time slice.
const SHORT: usize = 1024;

/// Reads fields out of a token.
#[derive(Clone, Copy)]
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }
    fn at_end(&self) -> bool {
        self.at >= self.text.len()
    }
    /// The next number of at most `max` digits; what stands before it is skipped.
    fn number(&mut self, max: usize) -> Option<i64> {
        while !self.peek().is_ascii_digit() {
            if self.at_end() {
                return None;
            }
            self.at += 1;
        }
        let mut value = 0i64;
        let mut digits = 0;
        while digits < max && self.peek().is_ascii_digit() {
            value = value.saturating_mul(10).saturating_add((self.peek() - b'0') as i64);
            self.at += 1;
            digits += 1;
        }
        Some(value)
    }
    /// A year and the number of digits it was written with.
    fn year(&mut self) -> Option<i64> {
        let mut probe = *self;
        probe.number(0)?;
        let start = probe.at;
        let value = self.number(4)?;
        Some(full_year(value, self.at - start))
    }
    /// A fraction of a second after a point, in microseconds (further digits are dropped).
    fn fraction(&mut self) -> i64 {
        while !self.peek().is_ascii_digit() && !self.at_end() {
            self.at += 1;
        }
        let mut value = 0;
        let mut scale = 100_000;
        while self.peek().is_ascii_digit() {
            value += (self.peek() - b'0') as i64 * scale;
            scale /= 10;
            self.at += 1;
        }
        value
    }
    fn is_separator(&self) -> bool {
        matches!(self.peek(), b':' | b'.')
    }
    /// The next word of letters; what stands before it is skipped.
    fn word(&mut self) -> &'a [u8] {
        while matches!(self.peek(), b' ' | b'\t' | b'-' | b'.' | b'/') {
            self.at += 1;
        }
        let start = self.at;
        while self.peek().is_ascii_alphabetic() || self.peek() >= 0x80 {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }
    fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t') {
            self.at += 1;
        }
    }
    /// Skips to `am` or `pm` and corrects an hour of 1..=12 by it.
    fn meridian(&mut self, hour: i64) -> i64 {
        while !matches!(self.peek() | 0x20, b'a' | b'p') && !self.at_end() {
            self.at += 1;
        }
        let pm = self.peek() | 0x20 == b'p';
        self.at += 1;
        match (pm, hour) {
            (false, 12) => 0,
            (true, h) if h != 12 => h + 12,
            (_, h) => h,
        }
    }
}

/// Two-digit years lie in 1970..=2069.
pub fn full_year(value: i64, digits: usize) -> i64 {
    match value {
        v if digits >= 4 || v >= 100 => v,
        v if v < 70 => v + 2000,
        v => v + 1900,
    }
}

/// Reads an offset such as `+2`, `+02:30`, `-0230`, `+023015` (at the sign); gives seconds and bytes read.
pub fn parse_offset(text: &[u8]) -> Option<(i32, usize)> {
    let negative = match text.first()? {
        b'+' => false,
        b'-' => true,
        _ => return None,
    };
    let body = text.get(1..)?;
    let len = body.iter().position(|b| !b.is_ascii_digit() && *b != b':').unwrap_or(body.len());
    let body = body.get(..len)?;
    // As in C's strtol(), a number ends where the digits end.
    let value = |from: usize| {
        let digits = body.iter().skip(from).take_while(|b| b.is_ascii_digit());
        digits.fold(0i64, |n, d| n * 10 + (d - b'0') as i64)
    };
    let colon = |at: usize| body.get(at) == Some(&b':');
    let seconds = match len {
        1 | 2 => value(0) * 3600,
        3 | 4 if colon(1) => value(0) * 3600 + value(2) * 60,
        3..=5 if colon(2) => value(0) * 3600 + value(3) * 60,
        3 | 4 => value(0) / 100 * 3600 + value(0) % 100 * 60,
        6 => value(0) / 10_000 * 3600 + value(0) / 100 % 100 * 60 + value(0) % 100,
        8 if colon(2) && colon(5) => value(0) * 3600 + value(3) * 60 + value(6),
        _ => return None,
    };
    let seconds = if negative { -seconds } else { seconds };
    Some((seconds as i32, len + 1))
}

/// What `parse_zone` has read.
#[derive(Clone, Debug)]
pub struct ZoneRead {
    /// A malformed offset still gives `+00:00`, with `found` false.
    pub zone: Option<Zone>,
    /// The abbreviation written, in upper case.
    pub abbreviation: Option<String>,
    /// Bytes read.
    pub len: usize,
    pub found: bool,
}

/// Reads a zone at the start of `text`: an offset, an abbreviation or an identifier, in parentheses or not.
pub fn parse_zone(text: &[u8]) -> ZoneRead {
    let mut at = text.iter().position(|b| !matches!(b, b' ' | b'\t' | b'(')).unwrap_or(text.len());
    let body = text.get(at..).unwrap_or_default();
    if body.starts_with(b"GMT+") || body.starts_with(b"GMT-") {
        at += 3;
    }
    let body = text.get(at..).unwrap_or_default();
    if matches!(body.first(), Some(b'+' | b'-')) {
        let len = 1 + body.iter().skip(1).take_while(|b| b.is_ascii_digit() || **b == b':').count();
        let seconds = parse_offset(body);
        let zone = Some(Zone::Offset(seconds.map_or(0, |s| s.0)));
        return ZoneRead { zone, abbreviation: None, len: at + len, found: seconds.is_some() };
    }
    let len = body
        .iter()
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'_' | b'-' | b'+'))
        .count();
    let name = body.get(..len).unwrap_or_default();
    let mut len = at + len;
    if text.iter().take(at).any(|&b| b == b'(') {
        len += text.get(len..).unwrap_or_default().iter().take_while(|&&b| b == b')').count();
    }
    let (zone, abbreviation) = if name == b"UTC" {
        (Some(Zone::utc()), Some("UTC".to_owned()))
    } else if name.eq_ignore_ascii_case(b"UTC") {
        (Some(Zone::Abbreviation { offset: 0, dst: false, name: "UTC".to_owned() }), Some("UTC".to_owned()))
    } else if let Some(row) = timezone::find_abbreviation(name) {
        let offset = row.offset - i32::from(row.dst) * 3600;
        let upper = row.name.to_ascii_uppercase();
        (Some(Zone::Abbreviation { offset, dst: row.dst, name: upper.clone() }), Some(upper))
    } else {
        (TimeZone::get(name).map(Zone::Id), None)
    };
    ZoneRead { found: zone.is_some(), zone, abbreviation, len }
}

const DOUBLE_TIME: &str = "Double time specification";
const DOUBLE_DATE: &str = "Double date specification";
const DOUBLE_ZONE: &str = "Double timezone specification";
const UNKNOWN_ZONE: &str = "The timezone could not be found in the database";
const UNEXPECTED: &str = "Unexpected character";

/// Parses a string; what is wrong with it is told in `warnings` and `errors`.
pub fn parse(work: &mut Work, input: &[u8]) -> Res<Parsed> {
    let mut p = Parsed::default();
    let trimmed = input.trim_ascii();
    // An empty string is an error, one of white space alone is not.
    if input.is_empty() {
        p.errors.push((0, "Empty string"));
        return Ok(p);
    }
    let mut text = PStrBuilder::with_capacity(trimmed.len() + 1)?;
    text.extend(trimmed)?;
    text.push(0)?;
    let mut at = 0;
    while at < text.len() {
        let mut read = 1;
        let found = longest(&text, at, &mut read);
        work.spend(read)?;
        p.errors.complete()?;
        let Some((rule, end)) = found.filter(|m| m.1 > at) else {
            p.errors.push((at, UNEXPECTED));
            at += 1;
            continue;
        };
        let mut token = text.get(at..end).unwrap_or_default();
        // A format that ends at the end of the string does not consume the end.
        let mut next = end;
        if token.len() > 1 && token.last() == Some(&0) {
            token = token.split_last().map_or(token, |t| t.1);
            next = end - 1;
        }
        p.apply(rule, token, at);
        at = next;
    }
    p.finish(text.len());
    p.errors.complete()?;
    p.warnings.complete()?;
    Ok(p)
}

impl Parsed {
    fn error(&mut self, at: usize, text: &'static str) {
        self.errors.push((at, text));
    }

    /// Marks the time as given; false (with an error) if it was before.
    fn take_time(&mut self, at: usize) -> bool {
        if self.have_time {
            self.error(at, DOUBLE_TIME);
            return false;
        }
        self.have_time = true;
        (self.h, self.i, self.s, self.us) = (Some(0), Some(0), Some(0), Some(0));
        true
    }

    fn reset_time(&mut self) {
        self.have_time = false;
        self.four_digit_year = false;
        (self.h, self.i, self.s, self.us) = (Some(0), Some(0), Some(0), Some(0));
    }

    fn take_date(&mut self, at: usize) -> bool {
        if self.have_date {
            self.error(at, DOUBLE_DATE);
            return false;
        }
        self.have_date = true;
        true
    }

    /// Reads a zone. The first one counts, the second is a warning, more are errors.
    fn take_zone(&mut self, text: &[u8], at: usize) {
        self.have_zone += 1;
        match self.have_zone {
            1 => {}
            2 => {
                self.warnings.push((at, DOUBLE_ZONE));
                return;
            }
            _ => return self.error(at, DOUBLE_ZONE),
        }
        self.read_zone(text, at);
    }

    fn read_zone(&mut self, text: &[u8], at: usize) {
        let read = parse_zone(text);
        self.is_localtime = true;
        if !read.found {
            self.error(at, UNKNOWN_ZONE);
        }
        self.set_zone(read);
    }

    /// Takes a zone over; an unknown one leaves the kind of an earlier one, without its offset.
    pub(super) fn set_zone(&mut self, read: ZoneRead) {
        self.zone_abbreviation = read.abbreviation;
        self.zone = match (read.zone, &self.zone) {
            (None, Some(Zone::Offset(_))) => Some(Zone::Offset(0)),
            (None, Some(Zone::Abbreviation { name, .. })) => {
                Some(Zone::Abbreviation { offset: 0, dst: false, name: name.clone() })
            }
            (zone, _) => zone,
        };
    }

    fn set_date(&mut self, y: Option<i64>, m: Option<i64>, d: Option<i64>) {
        (self.y, self.m, self.d) = (y, m, d);
    }

    /// Hours, minutes, seconds and a fraction, as far as the token has them.
    fn read_clock(&mut self, sc: &mut Scanner) {
        self.h = sc.number(2);
        if sc.is_separator() {
            self.i = sc.number(2);
            if sc.is_separator() {
                self.s = sc.number(2);
                if sc.is_separator() {
                    self.us = Some(sc.fraction());
                }
            }
        }
    }

    fn apply(&mut self, rule: Rule, token: &[u8], at: usize) {
        let mut sc = Scanner { text: token, at: 0 };
        match rule {
            Rule::Separator | Rule::End | Rule::Now => {}
            Rule::Yesterday | Rule::Tomorrow => {
                self.have_relative = true;
                self.reset_time();
                self.relative.d = if rule == Rule::Tomorrow { 1 } else { -1 };
            }
            Rule::Midnight => self.reset_time(),
            Rule::Noon => {
                self.reset_time();
                self.have_time = true;
                self.h = Some(12);
            }
            Rule::Timestamp | Rule::TimestampFraction => self.timestamp(rule, token, at),
            Rule::DayOf => {
                self.have_relative = true;
                let first = token.first().is_some_and(|b| b.eq_ignore_ascii_case(&b'f'));
                self.relative.day_of = Some(if first { DayOf::First } else { DayOf::Last });
            }
            Rule::BackOrFrontOf => {
                self.reset_time();
                self.have_time = true;
                // PHP looks for a small letter here, so "BACK OF" means what "front of" means.
                let back = token.first().is_some_and(|b| *b == b'b');
                let mut hour = sc.number(2).unwrap_or(0);
                if !sc.at_end() {
                    hour = sc.meridian(hour);
                }
                (self.h, self.i) = if back { (Some(hour), Some(15)) } else { (Some(hour - 1), Some(45)) };
            }
            Rule::WeekdayOf => {
                self.have_relative = true;
                self.reset_time();
                let (amount, _) = lookup::ordinal(sc.word()).unwrap_or((0, 0));
                let day = lookup::weekday(sc.word()).unwrap_or(0);
                self.relative.special =
                    Some(if amount > 0 { Special::DayOfWeekInMonth } else { Special::LastDayOfWeekInMonth });
                self.relative.add(Unit::Weekday(day), amount, 1);
            }
            Rule::Time12 => {
                if self.take_time(at) {
                    self.read_clock(&mut sc);
                    self.h = self.h.map(|h| sc.meridian(h));
                }
            }
            Rule::Time24 => {
                if self.take_time(at) {
                    self.read_clock(&mut sc);
                }
            }
            Rule::HourMinute => {
                if self.four_digit_year {
                    self.error(at, DOUBLE_TIME);
                } else if self.have_time {
                    // After a time, four digits are a year.
                    self.y = sc.number(4);
                    self.four_digit_year = true;
                } else {
                    (self.h, self.i, self.s) = (sc.number(2), sc.number(2), Some(0));
                    self.have_time = true;
                }
            }
            Rule::HourMinuteSecond => {
                if self.take_time(at) {
                    (self.h, self.i, self.s) = (sc.number(2), sc.number(2), sc.number(2));
                }
            }
            Rule::American => {
                if self.take_date(at) {
                    (self.m, self.d) = (sc.number(2), sc.number(2));
                    if sc.peek() != 0 {
                        if let Some(y) = sc.year() {
                            self.y = Some(y);
                        }
                    }
                }
            }
            Rule::YearMonthDay => {
                if self.take_date(at) {
                    let negative = sc.peek() == b'-';
                    let signed = matches!(sc.peek(), b'-' | b'+');
                    let y = if signed { sc.number(19) } else { sc.year() };
                    let y = y.map(|y| if negative { -y } else { y });
                    self.set_date(y, sc.number(2), sc.number(2));
                }
            }
            Rule::YearMonth => {
                if self.take_date(at) {
                    self.set_date(sc.number(4), sc.number(2), Some(1));
                }
            }
            Rule::DateFull => {
                if self.take_date(at) {
                    self.d = sc.number(2);
                    skip_suffix(&mut sc);
                    self.m = lookup::month(sc.word());
                    self.y = sc.year();
                }
            }
            Rule::Pointed4 | Rule::Pointed2 => {
                if self.take_date(at) {
                    (self.d, self.m, self.y) = (sc.number(2), sc.number(2), sc.year());
                }
            }
            Rule::MonthYear => {
                if self.take_date(at) {
                    self.m = lookup::month(sc.word());
                    (self.y, self.d) = (sc.number(4), Some(1));
                }
            }
            Rule::YearMonthText => {
                if self.take_date(at) {
                    self.y = sc.number(4);
                    (self.m, self.d) = (lookup::month(sc.word()), Some(1));
                }
            }
            Rule::MonthDay => {
                if self.take_date(at) {
                    self.m = lookup::month(sc.word());
                    self.d = sc.number(2);
                    self.y = sc.year();
                }
            }
            Rule::DayMonth => {
                if self.take_date(at) {
                    self.d = sc.number(2);
                    skip_suffix(&mut sc);
                    self.m = lookup::month(sc.word());
                }
            }
            Rule::EightDigits => {
                if self.take_date(at) {
                    self.set_date(sc.number(4), sc.number(2), sc.number(2));
                }
            }
            Rule::Compound => {
                if self.take_time(at) && self.take_date(at) {
                    self.set_date(sc.number(4), sc.number(2), sc.number(2));
                    (self.h, self.i, self.s) = (sc.number(2), sc.number(2), sc.number(2));
                    if sc.peek() == b'.' {
                        self.us = Some(sc.fraction());
                        if !sc.at_end() {
                            self.zone_after(&sc, at);
                        }
                    }
                }
            }
            Rule::YearAndDay => {
                if self.take_date(at) {
                    self.set_date(sc.number(4), Some(1), sc.number(3));
                }
            }
            Rule::IsoWeek => {
                if self.take_date(at) {
                    self.have_relative = true;
                    let (y, w) = (sc.number(4).unwrap_or(0), sc.number(2).unwrap_or(0));
                    let day = sc.number(1).unwrap_or(1);
                    self.set_date(Some(y), Some(1), Some(1));
                    self.relative.d = calendar::day_of_year_from_iso_week(y, w, day);
                }
            }
            Rule::PgTextShort => {
                if self.take_date(at) {
                    self.m = lookup::month(sc.word());
                    (self.d, self.y) = (sc.number(2), sc.year());
                }
            }
            Rule::PgTextReverse => {
                if self.take_date(at) {
                    self.y = sc.year();
                    self.m = lookup::month(sc.word());
                    self.d = sc.number(2);
                }
            }
            Rule::Clf => {
                if self.take_time(at) && self.take_date(at) {
                    self.d = sc.number(2);
                    self.m = lookup::month(sc.word());
                    self.y = sc.number(4);
                    (self.h, self.i, self.s) = (sc.number(2), sc.number(2), sc.number(2));
                    self.zone_after(&sc, at);
                }
            }
            Rule::Year4 => self.y = sc.number(4),
            Rule::Ago => self.relative.negate(),
            Rule::DayName => {
                self.have_relative = true;
                self.reset_time();
                self.relative.weekday = Some(lookup::weekday(token).unwrap_or(1));
                if self.relative.weekday_behavior != 2 {
                    self.relative.weekday_behavior = 1;
                }
            }
            Rule::RelativeTextWeek => {
                self.have_relative = true;
                let (amount, _) = lookup::ordinal(sc.word()).unwrap_or((0, 0));
                self.relative.add(Unit::Days(7), amount, 0);
                self.relative.weekday_behavior = 2;
                if self.relative.weekday.is_none() {
                    self.relative.weekday = Some(1);
                }
            }
            Rule::RelativeText => {
                self.have_relative = true;
                let (amount, behavior) = lookup::ordinal(sc.word()).unwrap_or((0, 0));
                if let Some(unit) = lookup::unit(sc.word()) {
                    if matches!(unit, Unit::Weekday(_) | Unit::Weekdays) {
                        self.reset_time();
                    }
                    self.relative.add(unit, amount, behavior);
                }
            }
            Rule::MonthName => {
                if self.take_date(at) {
                    self.m = lookup::month(token);
                }
            }
            Rule::ZoneOnly => self.take_zone(token, at),
            Rule::MonthDayTime12 | Rule::MonthDayTime24 => {
                if !self.take_date(at) {
                    return;
                }
                self.m = lookup::month(sc.word());
                self.d = sc.number(2);
                if self.take_time(at) {
                    if rule == Rule::MonthDayTime12 {
                        self.read_clock(&mut sc);
                        self.h = self.h.map(|h| sc.meridian(h));
                    } else {
                        (self.h, self.i) = (sc.number(2), sc.number(2));
                        // Only a colon leads to seconds; anything else is read as a zone.
                        if sc.peek() == b':' {
                            self.s = sc.number(2);
                        }
                        if !sc.at_end() {
                            self.read_zone(sc.rest(), at);
                        }
                    }
                }
            }
            Rule::RelativeNumber => {
                self.have_relative = true;
                let minus = token.iter().take_while(|b| !b.is_ascii_digit()).filter(|b| **b == b'-').count();
                let amount = sc.number(24).unwrap_or(0);
                let amount = if minus % 2 == 1 { -amount } else { amount };
                sc.skip_blanks();
                if let Some(unit) = lookup::unit(sc.rest()) {
                    self.relative.add(unit, amount, 1);
                }
            }
        }
    }

    /// A zone inside a compound token; it replaces an earlier one without a word.
    fn zone_after(&mut self, sc: &Scanner, at: usize) {
        self.read_zone(sc.rest(), at);
    }

    fn timestamp(&mut self, rule: Rule, token: &[u8], at: usize) {
        self.have_relative = true;
        self.is_timestamp = true;
        self.have_date = false;
        self.set_date(Some(0), Some(0), Some(0));
        self.reset_time();
        self.have_zone += 1;
        match self.have_zone {
            1 => {}
            2 => {
                self.warnings.push((at, DOUBLE_ZONE));
                return;
            }
            _ => return self.error(at, DOUBLE_ZONE),
        }
        self.set_date(Some(1970), Some(1), Some(1));
        let body = token.get(1..).unwrap_or_default();
        let negative = body.first() == Some(&b'-');
        let mut parts = body.strip_prefix(b"-").unwrap_or(body).splitn(2, |&b| b == b'.');
        let digits = parts.next().unwrap_or_default();
        let mut seconds: i64 = 0;
        for d in digits {
            let d = (d - b'0') as i64;
            let next = seconds.checked_mul(10).and_then(|s| if negative { s.checked_sub(d) } else { s.checked_add(d) });
            match next {
                Some(n) => seconds = n,
                None => return self.error(at, "Number out of range"),
            }
        }
        self.relative.s = self.relative.s.saturating_add(seconds);
        if rule == Rule::TimestampFraction {
            let fraction = parts.next().unwrap_or_default();
            if fraction.is_empty() {
                self.error(at, "Found unexpected data");
            }
            let us = Scanner { text: fraction, at: 0 }.fraction();
            self.relative.us = if negative { -us } else { us };
        }
        self.is_localtime = true;
        self.zone = Some(Zone::Offset(0));
    }

    fn finish(&mut self, end: usize) {
        if self.have_time
            && let (Some(h), Some(i), Some(s)) = (self.h, self.i, self.s)
            && !calendar::valid_time(h, i, s)
        {
            self.warnings.push((end, "The parsed time was invalid"));
        }
        if self.have_date {
            // A date without a year is checked as if the year had no 29 February.
            let (y, m, d) = (self.y.unwrap_or(1), self.m.unwrap_or(0), self.d.unwrap_or(0));
            if !calendar::valid_date(y, m, d) {
                self.warnings.push((end, "The parsed date was invalid"));
            }
        }
    }
}

fn skip_suffix(sc: &mut Scanner) {
    let rest = sc.rest();
    if [b"st", b"nd", b"rd", b"th"].iter().any(|s| rest.get(..2).is_some_and(|r| r.eq_ignore_ascii_case(*s))) {
        sc.at += 2;
    }
}
