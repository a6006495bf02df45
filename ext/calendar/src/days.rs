//! Days numbered from 4714 BC on (Julian day numbers), and what date they are in each calendar.
//!
//! A date that is none, or out of a calendar's range, is day 0, and day numbers out of range are the date 0/0/0: PHP says so. Days of
//! a month are not checked against the month's length. There is no year 0: the year before 1 is -1.

/// A date: month and day from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Date {
    pub year: i64,
    pub month: i64,
    pub day: i64,
}

impl Date {
    pub fn is_none(self) -> bool {
        self == Date::default()
    }
}

/// The calendars, as `CAL_…` numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calendar {
    Gregorian,
    Julian,
    Jewish,
    French,
}

impl Calendar {
    pub const ALL: [Calendar; 4] = [Calendar::Gregorian, Calendar::Julian, Calendar::Jewish, Calendar::French];

    pub fn numbered(n: i64) -> Option<Calendar> {
        usize::try_from(n).ok().and_then(|n| Calendar::ALL.get(n).copied())
    }
    pub fn to_day(self, date: Date) -> i64 {
        match self {
            Calendar::Gregorian => from_gregorian(date),
            Calendar::Julian => from_julian(date),
            Calendar::Jewish => from_jewish(date),
            Calendar::French => from_french(date),
        }
    }
    pub fn to_date(self, day: i64) -> Date {
        match self {
            Calendar::Gregorian => to_gregorian(day),
            Calendar::Julian => to_julian(day),
            Calendar::Jewish => to_jewish(day),
            Calendar::French => to_french(day),
        }
    }
}

const DAYS_PER_4_YEARS: i64 = 1461;
const DAYS_PER_400_YEARS: i64 = 146_097;
const DAYS_PER_5_MONTHS: i64 = 153;
/// Years are counted from a March before the first day: leap days stand at the end.
const FIRST_YEAR: i64 = 4800;
const GREGORIAN_OFFSET: i64 = 32045;
const JULIAN_OFFSET: i64 = 32083;
/// The last days that PHP's `int` years reach.
const GREGORIAN_LAST: i64 = 784_350_656_097;
const JULIAN_LAST: i64 = 784_368_370_349;
/// The first and the last day of the Jewish calendar here, and the days of the French one.
const JEWISH_START: i64 = 347_997;
const JEWISH_LAST: i64 = 324_542_846;
const FRENCH_OFFSET: i64 = 2_375_474;
const FRENCH_DAYS: std::ops::RangeInclusive<i64> = 2_375_840..=2_380_952;

/// Year and month as they are counted from March of the first year. None: no such date.
fn from_march(date: Date) -> Option<(i64, i64)> {
    if date.year == 0 || date.year > i64::from(i32::MAX) - FIRST_YEAR || !(1..=12).contains(&date.month) || !(1..=31).contains(&date.day) {
        return None;
    }
    let year = if date.year < 0 { date.year + FIRST_YEAR + 1 } else { date.year + FIRST_YEAR };
    Some(if date.month > 2 { (year, date.month - 3) } else { (year - 1, date.month + 9) })
}

/// The date of a year and a day in it that are counted from March.
fn to_march(year: i64, day_of_year: i64) -> Date {
    let rest = day_of_year * 5 - 3;
    let (month, day) = (rest / DAYS_PER_5_MONTHS, rest % DAYS_PER_5_MONTHS / 5 + 1);
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    let year = year - FIRST_YEAR;
    Date { year: if year <= 0 { year - 1 } else { year }, month, day }
}

pub fn from_gregorian(date: Date) -> i64 {
    if date.year < -4714 || date.year == -4714 && (date.month < 11 || date.month == 11 && date.day < 25) {
        return 0;
    }
    let Some((year, month)) = from_march(date) else { return 0 };
    (year / 100) * DAYS_PER_400_YEARS / 4 + (year % 100) * DAYS_PER_4_YEARS / 4 + (month * DAYS_PER_5_MONTHS + 2) / 5 + date.day
        - GREGORIAN_OFFSET
}

pub fn to_gregorian(day: i64) -> Date {
    if !(1..=GREGORIAN_LAST).contains(&day) {
        return Date::default();
    }
    let rest = (day + GREGORIAN_OFFSET) * 4 - 1;
    let century = rest / DAYS_PER_400_YEARS;
    let rest = rest % DAYS_PER_400_YEARS / 4 * 4 + 3;
    to_march(century * 100 + rest / DAYS_PER_4_YEARS, rest % DAYS_PER_4_YEARS / 4 + 1)
}

pub fn from_julian(date: Date) -> i64 {
    if date.year < -4713 || date.year == -4713 && date.month == 1 && date.day == 1 {
        return 0;
    }
    let Some((year, month)) = from_march(date) else { return 0 };
    year * DAYS_PER_4_YEARS / 4 + (month * DAYS_PER_5_MONTHS + 2) / 5 + date.day - JULIAN_OFFSET
}

pub fn to_julian(day: i64) -> Date {
    if !(1..=JULIAN_LAST).contains(&day) {
        return Date::default();
    }
    let rest = (day + JULIAN_OFFSET) * 4 - 1;
    to_march(rest / DAYS_PER_4_YEARS, rest % DAYS_PER_4_YEARS / 4 + 1)
}

// ---- French Republican: years 1 to 14, twelve months of 30 days and the rest

pub fn from_french(date: Date) -> i64 {
    if !(1..=14).contains(&date.year) || !(1..=13).contains(&date.month) || !(1..=30).contains(&date.day) {
        return 0;
    }
    date.year * DAYS_PER_4_YEARS / 4 + (date.month - 1) * 30 + date.day + FRENCH_OFFSET
}

pub fn to_french(day: i64) -> Date {
    if !FRENCH_DAYS.contains(&day) {
        return Date::default();
    }
    let rest = (day - FRENCH_OFFSET) * 4 - 1;
    let of_year = rest % DAYS_PER_4_YEARS / 4;
    Date { year: rest / DAYS_PER_4_YEARS, month: of_year / 30 + 1, day: of_year % 30 + 1 }
}

// ---- Jewish: months from Tishri = 1; Adar I = 6 exists in leap years only, Adar is 7

pub fn is_jewish_leap(year: i64) -> bool {
    (year * 7 + 1).rem_euclid(19) < 7
}

/// Days from the first new moon to that of a year, put off when it falls on a Sunday, Wednesday or Friday.
fn new_moon(year: i64) -> i64 {
    let months = (235 * year - 234).div_euclid(19);
    let parts = 12_084 + 13_753 * months;
    let day = 29 * months + parts.div_euclid(25_920);
    if (3 * (day + 1)).rem_euclid(7) < 3 { day + 1 } else { day }
}

/// The first day of a year.
fn jewish_new_year(year: i64) -> i64 {
    let (before, this, next) = (new_moon(year - 1), new_moon(year), new_moon(year + 1));
    // Years have neither 356 nor 382 days.
    let put_off = if next - this == 356 { 2 } else { i64::from(this - before == 382) };
    JEWISH_START + 1 + this + put_off
}

/// Days of the months of a year that begins on `start` and has `length` days.
fn jewish_months(year: i64, length: i64) -> [i64; 13] {
    let leap = is_jewish_leap(year);
    let heshvan = if length % 10 == 5 { 30 } else { 29 };
    let kislev = if length % 10 == 3 { 29 } else { 30 };
    [30, heshvan, kislev, 29, 30, if leap { 30 } else { 0 }, 29, 30, 29, 30, 29, 30, 29]
}

pub fn from_jewish(date: Date) -> i64 {
    if !(1..i64::from(i32::MAX)).contains(&date.year) || !(1..=13).contains(&date.month) || !(1..=30).contains(&date.day) {
        return 0;
    }
    let start = jewish_new_year(date.year);
    let months = jewish_months(date.year, jewish_new_year(date.year + 1) - start);
    let before: i64 = months.iter().take(usize::try_from(date.month - 1).unwrap_or(0)).sum();
    // PHP counts in 32 bits here.
    i64::from((start + before + date.day - 1) as i32)
}

pub fn to_jewish(day: i64) -> Date {
    if !(JEWISH_START + 1..=JEWISH_LAST).contains(&day) {
        return Date::default();
    }
    // A year has 365.2468 days in the mean: the guess is at most one off.
    let mut year = (day - JEWISH_START) * 98_496 / 35_975_351 + 1;
    while year > 1 && jewish_new_year(year) > day {
        year -= 1;
    }
    while jewish_new_year(year + 1) <= day {
        year += 1;
    }
    let start = jewish_new_year(year);
    let months = jewish_months(year, jewish_new_year(year + 1) - start);
    let mut rest = day - start;
    for (month, days) in (1..).zip(months) {
        if rest < days {
            return Date { year, month, day: rest + 1 };
        }
        rest -= days;
    }
    Date::default()
}

/// 0: Sunday.
pub fn weekday(day: i64) -> usize {
    usize::try_from((i128::from(day) + 1).rem_euclid(7)).unwrap_or(0)
}

/// Days from March 21 to Easter; `mode`: `CAL_EASTER_…`.
pub fn easter(year: i64, mode: i64) -> i64 {
    const ROMAN: i64 = 1;
    const ALWAYS_GREGORIAN: i64 = 2;
    const ALWAYS_JULIAN: i64 = 3;
    let golden = year % 19 + 1;
    let julian = year <= 1582 && mode != ALWAYS_GREGORIAN
        || (1583..=1752).contains(&year) && mode != ROMAN && mode != ALWAYS_GREGORIAN
        || mode == ALWAYS_JULIAN;
    let (sunday, moon) = if julian {
        ((year + year / 4 + 5).rem_euclid(7), (3 - 11 * golden - 7).rem_euclid(30))
    } else {
        let solar = (year - 1600) / 100 - (year - 1600) / 400;
        let lunar = (year - 1400) / 100 * 8 / 25;
        ((year + year / 4 - year / 100 + year / 400).rem_euclid(7), (3 - 11 * golden + solar - lunar).rem_euclid(30))
    };
    let moon = if moon == 29 || moon == 28 && golden > 11 { moon - 1 } else { moon };
    moon + (4 - moon - sunday).rem_euclid(7) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_days_are_inverse() {
        for calendar in Calendar::ALL {
            for day in (348_000..2_600_000).step_by(997) {
                let date = calendar.to_date(day);
                if !date.is_none() {
                    assert_eq!(calendar.to_day(date), day, "{calendar:?} {date:?}");
                }
            }
        }
    }

    #[test]
    fn known_days() {
        assert_eq!(from_gregorian(Date { year: 1970, month: 1, day: 1 }), 2_440_588);
        assert_eq!(from_jewish(Date { year: 5763, month: 1, day: 1 }), 2_452_525);
        assert_eq!(to_jewish(JEWISH_LAST), Date { year: 887_605, month: 12, day: 13 });
        assert_eq!(easter(1999, 0), 14);
    }
}
