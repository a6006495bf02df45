//! The formats of C's `strftime`, in the C locale.

use crate::core::calendar;
use crate::core::lookup::{DAYS, MONTHS};
use crate::core::time::Time;
use crate::core::timezone::format_offset;

/// Formats `time`; with `local` false the zone is told as GMT.
pub fn format(time: &Time, pattern: &[u8], local: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(pattern.len() * 2);
    let mut rest = pattern;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        // The modifiers ask for another locale's digits and eras, which C's has not.
        let skip = usize::from(matches!(tail.first(), Some(b'E' | b'O')) && tail.len() > 1);
        match tail.get(skip).and_then(|&letter| conversion(time, letter, local)) {
            Some(text) => {
                out.extend_from_slice(&text);
                rest = &tail[skip + 1..];
            }
            None => out.push(b'%'),
        }
    }
    out
}

fn conversion(t: &Time, letter: u8, local: bool) -> Option<Vec<u8>> {
    let weekday = calendar::day_of_week(t.y, t.m, t.d);
    let year_day = calendar::day_of_year(t.y, t.m, t.d);
    let day = || usize::try_from(weekday).ok().and_then(|n| DAYS.get(n)).copied().unwrap_or("");
    let month = || usize::try_from(t.m - 1).ok().and_then(|n| MONTHS.get(n)).copied().unwrap_or("");
    let short = |name: &'static str| name.get(..3).unwrap_or(name).to_string();
    let twelve = if t.h % 12 == 0 { 12 } else { t.h % 12 };
    let again = |pattern: &[u8]| Some(format(t, pattern, local));
    let text = match letter {
        b'a' => short(day()),
        b'A' => day().to_string(),
        b'b' | b'h' => short(month()),
        b'B' => month().to_string(),
        b'c' => return again(b"%a %b %e %H:%M:%S %Y"),
        b'C' => format!("{:02}", t.y.div_euclid(100)),
        b'd' => format!("{:02}", t.d),
        b'D' | b'x' => return again(b"%m/%d/%y"),
        b'e' => format!("{:2}", t.d),
        b'F' => return again(b"%Y-%m-%d"),
        b'g' => format!("{:02}", calendar::iso_week(t.y, t.m, t.d).0.rem_euclid(100)),
        b'G' => calendar::iso_week(t.y, t.m, t.d).0.to_string(),
        b'H' => format!("{:02}", t.h),
        b'I' => format!("{twelve:02}"),
        b'j' => format!("{:03}", year_day + 1),
        b'k' => format!("{:2}", t.h),
        b'l' => format!("{twelve:2}"),
        b'm' => format!("{:02}", t.m),
        b'M' => format!("{:02}", t.i),
        b'n' => "\n".to_string(),
        b'p' => if t.h < 12 { "AM" } else { "PM" }.to_string(),
        b'P' => if t.h < 12 { "am" } else { "pm" }.to_string(),
        b'r' => return again(b"%I:%M:%S %p"),
        b'R' => return again(b"%H:%M"),
        b's' => t.sse.to_string(),
        b'S' => format!("{:02}", t.s),
        b't' => "\t".to_string(),
        b'T' | b'X' => return again(b"%H:%M:%S"),
        b'u' => calendar::iso_day_of_week(t.y, t.m, t.d).to_string(),
        b'U' => format!("{:02}", (year_day + 7 - weekday) / 7),
        b'V' => format!("{:02}", calendar::iso_week(t.y, t.m, t.d).1),
        b'w' => weekday.to_string(),
        b'W' => format!("{:02}", (year_day + 7 - (weekday + 6) % 7) / 7),
        b'y' => format!("{:02}", t.y.rem_euclid(100)),
        b'Y' => t.y.to_string(),
        b'z' if local => format_offset(t.offset / 60 * 60, false),
        b'z' => "+0000".to_string(),
        b'Z' if local => t.abbreviation.clone(),
        b'Z' => "GMT".to_string(),
        b'%' => "%".to_string(),
        _ => return None,
    };
    Some(text.into_bytes())
}
