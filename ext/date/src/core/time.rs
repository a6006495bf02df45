//! A moment: its wall clock in a zone, and the count of seconds since 1970 that belongs to it.
//!
//! Invariant: the wall clock fields, `sse`, `offset` and `dst` of a `Time` always agree; every change goes through
//! `Time::resolve` or `Time::from_timestamp`. What does not fit into i64 seconds is `OutOfRange`.

use super::calendar;
use super::lookup::Unit;
use super::parse::Parsed;
use super::timezone::Zone;

/// The moment does not fit into an i64 count of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfRange;

/// `first day of` and `last day of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayOf {
    First,
    Last,
}

/// What cannot be said as a count of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// A count of working days.
    Weekdays(i64),
    /// `first monday of`
    DayOfWeekInMonth,
    /// `last monday of`
    LastDayOfWeekInMonth,
}

/// The relative part of a date string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relative {
    pub y: i64,
    pub m: i64,
    pub d: i64,
    pub h: i64,
    pub i: i64,
    pub s: i64,
    pub us: i64,
    /// A day of the week to go to; negative after `ago`.
    pub weekday: Option<i64>,
    /// 0: a day equal to today's counts as a week away; 1: today counts; 2: the day lies in the current ISO week.
    pub weekday_behavior: u8,
    pub special: Option<Special>,
    pub day_of: Option<DayOf>,
}

impl Relative {
    /// Adds `amount` of a unit.
    pub fn add(&mut self, unit: Unit, amount: i64, behavior: u8) {
        let plus = |field: &mut i64, n: i64| *field = field.saturating_add(n);
        match unit {
            Unit::Microseconds(n) => plus(&mut self.us, amount.saturating_mul(n)),
            Unit::Second => plus(&mut self.s, amount),
            Unit::Minute => plus(&mut self.i, amount),
            Unit::Hour => plus(&mut self.h, amount),
            Unit::Days(n) => plus(&mut self.d, amount.saturating_mul(n)),
            Unit::Month => plus(&mut self.m, amount),
            Unit::Year => plus(&mut self.y, amount),
            Unit::Weekdays => self.special = Some(Special::Weekdays(amount)),
            Unit::Weekday(day) => {
                let weeks = if amount > 0 { amount - 1 } else { amount };
                plus(&mut self.d, weeks.saturating_mul(7));
                self.weekday = Some(day);
                self.weekday_behavior = behavior;
            }
        }
    }

    /// `ago`: everything so far is meant backwards, except microseconds.
    pub fn negate(&mut self) {
        for field in [&mut self.y, &mut self.m, &mut self.d, &mut self.h, &mut self.i, &mut self.s] {
            *field = field.saturating_neg();
        }
        // Sunday has no negative, so it becomes -7.
        self.weekday = self.weekday.map(|w| if w == 0 { -7 } else { -w });
        if let Some(Special::Weekdays(n)) = &mut self.special {
            *n = n.saturating_neg();
        }
    }

    /// Whether there are only counts of units, which is what `DateTime::sub()` can undo.
    pub fn is_plain(&self) -> bool {
        self.weekday.is_none() && self.special.is_none() && self.day_of.is_none()
    }
}

/// A wall clock reading without a zone; fields may lie outside their usual range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    pub y: i64,
    pub m: i64,
    pub d: i64,
    pub h: i64,
    pub i: i64,
    pub s: i64,
    pub us: i64,
}

impl Fields {
    /// Seconds since 1970 as if the clock showed UTC.
    pub fn local_seconds(&self) -> i128 {
        calendar::days_from_civil_wide(self.y, self.m, self.d) * 86_400
            + self.h as i128 * 3600
            + self.i as i128 * 60
            + self.s as i128
    }

    fn set_days(&mut self, days: i128) {
        (self.y, self.m, self.d) = calendar::civil_from_days(days);
    }

    fn days(&self) -> i128 {
        calendar::days_from_civil_wide(self.y, self.m, self.d)
    }
}

/// A moment in a zone.
#[derive(Clone, Debug)]
pub struct Time {
    pub y: i64,
    pub m: i64,
    pub d: i64,
    pub h: i64,
    pub i: i64,
    pub s: i64,
    /// 0..1_000_000
    pub us: i64,
    /// Seconds since 1970-01-01T00:00:00Z.
    pub sse: i64,
    pub zone: Zone,
    /// Seconds east of UTC, daylight saving included.
    pub offset: i32,
    pub dst: bool,
    pub abbreviation: String,
}

impl Time {
    /// The moment `sse` seconds and `us` microseconds after the epoch.
    pub fn from_timestamp(sse: i64, us: i64, zone: Zone) -> Time {
        let carry = us.div_euclid(1_000_000);
        let us = us.rem_euclid(1_000_000);
        let sse = sse.saturating_add(carry);
        let (offset, dst, abbreviation) = zone.at(sse);
        let local = sse as i128 + offset as i128;
        let (y, m, d) = calendar::civil_from_days(local.div_euclid(86_400));
        let rest = local.rem_euclid(86_400) as i64;
        Time { y, m, d, h: rest / 3600, i: rest / 60 % 60, s: rest % 60, us, sse, zone, offset, dst, abbreviation }
    }

    /// The moment a wall clock reading names, after the relative part has been applied.
    ///
    /// Order: the day of `first monday of` and of `first/last day of`, weekday names, then all counts of units on the wall
    /// clock, `first/last day of` again, working days, and last the conversion to UTC. `prefer_dst` decides between the two
    /// moments a repeated hour names.
    pub fn resolve(fields: Fields, relative: &Relative, zone: Zone, prefer_dst: Option<bool>) -> Result<Time, OutOfRange> {
        let (local, us) = apply(fields, relative);
        let local = i64::try_from(local).map_err(|_| OutOfRange)?;
        let utc = zone.local_to_utc(local, prefer_dst);
        if local.checked_sub(zone.at(utc).0 as i64).is_none() {
            return Err(OutOfRange);
        }
        Ok(Time::from_timestamp(utc, us, zone))
    }

    /// The wall clock.
    pub fn fields(&self) -> Fields {
        Fields { y: self.y, m: self.m, d: self.d, h: self.h, i: self.i, s: self.s, us: self.us }
    }

    /// The same moment in another zone.
    pub fn with_zone(&self, zone: Zone) -> Time {
        Time::from_timestamp(self.sse, self.us, zone)
    }

    /// A moment from a parsed string; what the string leaves open is taken from `now`.
    ///
    /// A date without a time means midnight; a time zone in the string wins over the one of `now`.
    pub fn from_parsed(parsed: &Parsed, now: &Time) -> Result<Time, OutOfRange> {
        let zone = parsed.zone.clone().unwrap_or_else(|| now.zone.clone());
        let mut p = [parsed.h, parsed.i, parsed.s, parsed.us];
        if parsed.have_date && !parsed.have_time {
            p = [Some(0); 4];
        }
        let any = parsed.y.is_some()
            || parsed.m.is_some()
            || parsed.d.is_some()
            || p.iter().take(3).any(Option::is_some);
        let fields = Fields {
            y: parsed.y.unwrap_or(now.y),
            m: parsed.m.unwrap_or(now.m),
            d: parsed.d.unwrap_or(now.d),
            h: p[0].unwrap_or(now.h),
            i: p[1].unwrap_or(now.i),
            s: p[2].unwrap_or(now.s),
            us: p[3].unwrap_or(if any { 0 } else { now.us }),
        };
        // A zone by name in the string makes the first of two equal readings win.
        let prefer_dst = matches!(parsed.zone, Some(Zone::Id(_))).then_some(true);
        Time::resolve(fields, &parsed.relative, zone, prefer_dst)
    }

    /// `DateTime::modify()`: fields the string names replace the wall clock's, then the relative part applies.
    pub fn modify(&self, parsed: &Parsed) -> Result<Time, OutOfRange> {
        let mut f = self.fields();
        if let Some(y) = parsed.y {
            f.y = y;
        }
        if let Some(m) = parsed.m {
            f.m = m;
        }
        if let Some(d) = parsed.d {
            f.d = d;
        }
        if let Some(h) = parsed.h {
            f.h = h;
            f.i = parsed.i.unwrap_or(0);
            f.s = parsed.s.unwrap_or(0);
        }
        if let Some(us) = parsed.us {
            f.us = us;
        }
        if parsed.is_timestamp {
            // "@ts" names an instant of UTC, and takes the object there.
            return Time::resolve(f, &parsed.relative, Zone::Offset(0), None);
        }
        Time::resolve(f, &parsed.relative, self.zone.clone(), Some(self.dst))
    }
}

/// The wall clock after the relative part: seconds since 1970 as if it showed UTC, and microseconds.
fn apply(fields: Fields, relative: &Relative) -> (i128, i64) {
    let mut f = Fields { us: 0, ..fields };
    let us = fields.us as i128 + relative.us as i128;
    let mut months = relative.m;
    let next = match relative.special {
        Some(Special::DayOfWeekInMonth) => Some(0),
        Some(Special::LastDayOfWeekInMonth) => Some(1),
        _ => None,
    };
    if let Some(next) = next {
        f.d = 1;
        f.m = f.m.saturating_add(months).saturating_add(next);
        months = 0;
    }
    to_day_of(&mut f, relative.day_of);
    normalize(&mut f);
    if let Some(weekday) = relative.weekday {
        to_weekday(&mut f, weekday, relative.d, relative.weekday_behavior);
        normalize(&mut f);
    }
    f.y = f.y.saturating_add(relative.y);
    f.m = f.m.saturating_add(months);
    f.d = f.d.saturating_add(relative.d);
    f.h = f.h.saturating_add(relative.h);
    f.i = f.i.saturating_add(relative.i);
    f.s = f.s.saturating_add(relative.s);
    to_day_of(&mut f, relative.day_of);
    if let Some(Special::Weekdays(n)) = relative.special {
        normalize(&mut f);
        let days = f.days();
        f.set_days(add_weekdays(days, n));
    }
    (f.local_seconds() + us.div_euclid(1_000_000), us.rem_euclid(1_000_000) as i64)
}

/// `first day of`, `last day of`: month and day may leave their range.
fn to_day_of(f: &mut Fields, day_of: Option<DayOf>) {
    match day_of {
        Some(DayOf::First) => f.d = 1,
        Some(DayOf::Last) => {
            f.d = 0;
            f.m = f.m.saturating_add(1);
        }
        None => {}
    }
}

/// Brings the fields into their ranges, keeping the moment.
fn normalize(f: &mut Fields) {
    let seconds = f.h as i128 * 3600 + f.i as i128 * 60 + f.s as i128;
    let days = f.days() + seconds.div_euclid(86_400);
    let rest = seconds.rem_euclid(86_400) as i64;
    (f.h, f.i, f.s) = (rest / 3600, rest / 60 % 60, rest % 60);
    f.set_days(days);
}

/// Moves to a day of the week.
fn to_weekday(f: &mut Fields, weekday: i64, relative_days: i64, behavior: u8) {
    let today = calendar::day_of_week(f.y, f.m, f.d);
    let days = if behavior == 2 {
        // In the ISO week Sunday comes last.
        let today = if today == 0 { 7 } else { today };
        let weekday = if weekday == 0 { 7 } else { weekday };
        weekday - today
    } else if weekday >= 0 {
        let difference = weekday - today;
        let behavior = i64::from(behavior);
        if (relative_days < 0 && difference < 0) || (relative_days >= 0 && difference <= -behavior) {
            difference + 7
        } else {
            difference
        }
    } else {
        -(7 - (-weekday - today))
    };
    f.d = f.d.saturating_add(days);
}

/// Goes forward or back by working days, Monday to Friday.
fn add_weekdays(days: i128, count: i64) -> i128 {
    // 0 is Monday.
    let dow = (days + 3).rem_euclid(7);
    let count = count as i128;
    if count == 0 {
        // A weekend moves on to Monday.
        return days + if dow >= 5 { 7 - dow } else { 0 };
    }
    if count > 0 {
        // From a weekend count as from the Friday before.
        let (start, dow) = if dow >= 5 { (days - (dow - 4), 4) } else { (days, dow) };
        let (weeks, rest) = (count / 5, count % 5);
        start + weeks * 7 + rest + if dow + rest > 4 { 2 } else { 0 }
    } else {
        let count = -count;
        // From a weekend count as from the Monday after.
        let (start, dow) = if dow >= 5 { (days + (7 - dow), 0) } else { (days, dow) };
        let (weeks, rest) = (count / 5, count % 5);
        start - weeks * 7 - rest - if dow - rest < 0 { 2 } else { 0 }
    }
}
