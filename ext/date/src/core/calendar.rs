//! The proleptic Gregorian calendar: days since 1970-01-01, ISO 8601 weeks, day of year, validity.
//!
//! Every function accepts any i64; results that do not fit are saturated (`days_from_civil`) rather than wrapped.

/// Whether `y` is a leap year (year 0 exists, as in ISO 8601).
pub fn is_leap(y: i64) -> bool {
    y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)
}

/// The length of month `m` (1..=12) of year `y`; other months are taken modulo 12.
pub fn days_in_month(y: i64, m: i64) -> i64 {
    match (m - 1).rem_euclid(12) + 1 {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(y) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days from 1970-01-01 to year `y`, month `m`, day `d`, where month and day may lie outside their usual range.
pub fn days_from_civil_wide(y: i64, m: i64, d: i64) -> i128 {
    let months = (m as i128) - 1;
    let y = y as i128 + months.div_euclid(12);
    let m = months.rem_euclid(12) + 1;
    // March-based years make the leap day the last day of the year.
    let y = if m <= 2 { y - 1 } else { y };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * ((m + 9) % 12) + 2) / 5;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468 + (d as i128 - 1)
}

/// `days_from_civil_wide`, saturated to i64.
pub fn days_from_civil(y: i64, m: i64, d: i64) -> i64 {
    saturate(days_from_civil_wide(y, m, d))
}

/// Year, month and day of a day number.
pub fn civil_from_days(days: i128) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let day_of_era = z.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let mp = (5 * day_of_year + 2) / 153;
    let d = day_of_year - (153 * mp + 2) / 5 + 1;
    let m = if mp < 10 { mp + 3 } else { mp - 9 };
    let y = year_of_era + era * 400 + i128::from(m <= 2);
    (saturate(y), m as i64, d as i64)
}

/// Clamps to the range of i64.
pub fn saturate(v: i128) -> i64 {
    v.clamp(i64::MIN as i128, i64::MAX as i128) as i64
}

/// Day of the week, 0 for Sunday.
pub fn day_of_week(y: i64, m: i64, d: i64) -> i64 {
    (days_from_civil_wide(y, m, d) + 4).rem_euclid(7) as i64
}

/// Day of the week, 1 for Monday to 7 for Sunday.
pub fn iso_day_of_week(y: i64, m: i64, d: i64) -> i64 {
    match day_of_week(y, m, d) {
        0 => 7,
        n => n,
    }
}

/// Day of the year, 0 for 1 January.
pub fn day_of_year(y: i64, m: i64, d: i64) -> i64 {
    (days_from_civil_wide(y, m, d) - days_from_civil_wide(y, 1, 1)) as i64
}

/// ISO 8601 week-numbering year and week.
pub fn iso_week(y: i64, m: i64, d: i64) -> (i64, i64) {
    let days = days_from_civil_wide(y, m, d);
    // The Thursday of a week decides which year the week belongs to.
    let thursday = days - (days + 3).rem_euclid(7) + 3;
    let (iso_year, _, _) = civil_from_days(thursday);
    let week = (thursday - days_from_civil_wide(iso_year, 1, 1)) / 7 + 1;
    (iso_year, week as i64)
}

/// Days from 1 January of `iso_year` to day `day` (1 is Monday) of ISO week `week`; may be negative.
pub fn day_of_year_from_iso_week(iso_year: i64, week: i64, day: i64) -> i64 {
    let dow = day_of_week(iso_year, 1, 1);
    // 1 January lies in week 1 if it is at most a Thursday.
    let shift = if dow > 4 { dow - 7 } else { dow };
    saturate(-(shift as i128) + (week as i128 - 1) * 7 + day as i128)
}

/// Whether month, day and year name a day that exists.
pub fn valid_date(y: i64, m: i64, d: i64) -> bool {
    (1..=12).contains(&m) && d >= 1 && d <= days_in_month(y, m)
}

/// Whether this is a time on a 24 hour clock (no leap seconds).
pub fn valid_time(h: i64, i: i64, s: i64) -> bool {
    (0..24).contains(&h) && (0..60).contains(&i) && (0..60).contains(&s)
}
