//! `date()`, `DateTime::format()` and `idate()`: a moment as text, letter by letter.

use super::calendar;
use super::lookup::{DAYS, MONTHS};
use super::time::Time;
use super::timezone::{Zone, format_offset};
use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

/// Formats `time` by PHP's format letters. With `local` false (`gmdate()`) the zone is told as UTC, whatever it is.
pub fn format(time: &Time, pattern: &[u8], local: bool) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(pattern.len().saturating_mul(2))?;
    let mut letters = pattern.iter();
    while let Some(&letter) = letters.next() {
        if letter == b'\\' {
            // A backslash at the end stands before the NUL byte behind PHP's strings.
            out.push(letters.next().copied().unwrap_or(0))?;
        } else {
            letter_into(&mut out, time, letter, local)?;
        }
    }
    Ok(out.finish())
}

/// A moment in full, in letters that are always the same: some forty bytes, which are missing only where memory_limit is reached and what
/// they are put into ends the request.
pub fn short_text(time: &Time, pattern: &[u8]) -> PStr {
    format(time, pattern, true).unwrap_or_default()
}

/// The offset without its seconds, which `O`, `P`, `c` and `r` leave out.
fn offset_in_minutes(time: &Time, local: bool) -> i32 {
    if local { time.offset / 60 * 60 } else { 0 }
}

fn day_name(time: &Time) -> &'static str {
    DAYS.get(calendar::day_of_week(time.y, time.m, time.d) as usize).copied().unwrap_or("")
}

fn month_name(time: &Time) -> &'static str {
    usize::try_from(time.m - 1).ok().and_then(|m| MONTHS.get(m)).copied().unwrap_or("")
}

fn short(name: &str) -> &str {
    name.get(..3).unwrap_or(name)
}

fn twelve(hour: i64) -> i64 {
    match hour % 12 {
        0 => 12,
        h => h,
    }
}

/// The abbreviation as `T` tells it.
fn abbreviation(time: &Time, local: bool) -> String {
    match &time.zone {
        _ if !local => "GMT".into(),
        Zone::Offset(offset) => format!("GMT{}", format_offset(offset / 60 * 60, false)),
        _ => time.abbreviation.clone(),
    }
}

/// The offset as `p` tells it: `Z` for UTC itself.
fn zulu_offset(time: &Time, local: bool) -> String {
    let is_utc = match &time.zone {
        _ if !local => true,
        Zone::Offset(offset) => *offset == 0,
        _ => matches!(time.abbreviation.as_str(), "UTC" | "Z"),
    };
    if is_utc { "Z".into() } else { format_offset(offset_in_minutes(time, local), true) }
}

/// Swatch Internet Time: thousandths of the day at UTC+1.
fn swatch(time: &Time) -> i64 {
    (time.sse as i128 + 3600).rem_euclid(86_400) as i64 * 10 / 864
}

fn suffix(day: i64) -> &'static str {
    match (day / 10, day % 10) {
        (1, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

fn letter_into(out: &mut PStrBuilder, t: &Time, letter: u8, local: bool) -> Result<(), OutOfMemory> {
    match letter {
        b'd' => write!(out, "{:02}", t.d),
        b'D' => write!(out, "{}", short(day_name(t))),
        b'j' => write!(out, "{}", t.d),
        b'l' => write!(out, "{}", day_name(t)),
        b'S' => write!(out, "{}", suffix(t.d)),
        b'w' => write!(out, "{}", calendar::day_of_week(t.y, t.m, t.d)),
        b'N' => write!(out, "{}", calendar::iso_day_of_week(t.y, t.m, t.d)),
        b'z' => write!(out, "{}", calendar::day_of_year(t.y, t.m, t.d)),
        b'W' => write!(out, "{:02}", calendar::iso_week(t.y, t.m, t.d).1),
        b'o' => write!(out, "{}", calendar::iso_week(t.y, t.m, t.d).0),
        b'F' => write!(out, "{}", month_name(t)),
        b'm' => write!(out, "{:02}", t.m),
        b'M' => write!(out, "{}", short(month_name(t))),
        b'n' => write!(out, "{}", t.m),
        b't' => write!(out, "{}", calendar::days_in_month(t.y, t.m)),
        b'L' => write!(out, "{}", u8::from(calendar::is_leap(t.y))),
        b'y' => write!(out, "{:02}", t.y % 100),
        b'Y' => write!(out, "{}{:04}", if t.y < 0 { "-" } else { "" }, t.y.unsigned_abs()),
        b'x' => write!(out, "{}{:04}", year_sign(t.y, t.y >= 10_000), t.y.unsigned_abs()),
        b'X' => write!(out, "{}{:04}", year_sign(t.y, true), t.y.unsigned_abs()),
        b'a' => write!(out, "{}", if t.h >= 12 { "pm" } else { "am" }),
        b'A' => write!(out, "{}", if t.h >= 12 { "PM" } else { "AM" }),
        b'B' => write!(out, "{:03}", swatch(t)),
        b'g' => write!(out, "{}", twelve(t.h)),
        b'G' => write!(out, "{}", t.h),
        b'h' => write!(out, "{:02}", twelve(t.h)),
        b'H' => write!(out, "{:02}", t.h),
        b'i' => write!(out, "{:02}", t.i),
        b's' => write!(out, "{:02}", t.s),
        b'u' => write!(out, "{:06}", t.us),
        b'v' => write!(out, "{:03}", t.us / 1000),
        b'I' => write!(out, "{}", u8::from(local && t.dst)),
        b'p' => write!(out, "{}", zulu_offset(t, local)),
        b'P' => write!(out, "{}", format_offset(offset_in_minutes(t, local), true)),
        b'O' => write!(out, "{}", format_offset(offset_in_minutes(t, local), false)),
        b'T' => write!(out, "{}", abbreviation(t, local)),
        b'e' if !local => write!(out, "UTC"),
        b'e' => write!(out, "{}", t.zone.name()),
        b'Z' => write!(out, "{}", if local { t.offset } else { 0 }),
        b'c' => write!(
            out,
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}",
            t.y, t.m, t.d, t.h, t.i, t.s,
            format_offset(offset_in_minutes(t, local), true)
        ),
        b'r' => write!(
            out,
            "{}, {:02} {} {:04} {:02}:{:02}:{:02} {}",
            short(day_name(t)), t.d, short(month_name(t)), t.y, t.h, t.i, t.s,
            format_offset(offset_in_minutes(t, local), false)
        ),
        b'U' => write!(out, "{}", t.sse),
        other => out.push(other),
    }
}

fn year_sign(y: i64, plus: bool) -> &'static str {
    match (y < 0, plus) {
        (true, _) => "-",
        (_, true) => "+",
        _ => "",
    }
}

/// `idate()`: one letter as a number, `None` for a letter it does not know.
pub fn idate(t: &Time, letter: u8) -> Option<i64> {
    Some(match letter {
        b'B' => swatch(t),
        b'd' | b'j' => t.d,
        b'N' => calendar::iso_day_of_week(t.y, t.m, t.d),
        b'w' => calendar::day_of_week(t.y, t.m, t.d),
        b'z' => calendar::day_of_year(t.y, t.m, t.d),
        b'W' => calendar::iso_week(t.y, t.m, t.d).1,
        b'm' | b'n' => t.m,
        b't' => calendar::days_in_month(t.y, t.m),
        b'L' => i64::from(calendar::is_leap(t.y)),
        b'y' => t.y % 100,
        b'Y' => t.y,
        b'o' => calendar::iso_week(t.y, t.m, t.d).0,
        b'g' | b'h' => twelve(t.h),
        b'H' | b'G' => t.h,
        b'i' => t.i,
        b's' => t.s,
        b'I' => i64::from(t.dst),
        b'Z' => t.offset as i64,
        b'U' => t.sse,
        _ => return None,
    })
}
