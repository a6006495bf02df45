//! The formats of C's `strftime`, in the C locale.

use crate::core::calendar;
use crate::core::lookup::{DAYS, MONTHS};
use crate::core::time::Time;
use crate::core::timezone::format_offset;
use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

/// Formats `time`; with `local` false the zone is told as GMT.
pub fn format(time: &Time, pattern: &[u8], local: bool) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(pattern.len().saturating_mul(2))?;
    format_into(&mut out, time, pattern, local)?;
    Ok(out.finish())
}

fn format_into(out: &mut PStrBuilder, time: &Time, pattern: &[u8], local: bool) -> Result<(), OutOfMemory> {
    let mut rest = pattern;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            out.push(byte)?;
            continue;
        }
        // The modifiers ask for another locale's digits and eras, which C's has not.
        let skip = usize::from(matches!(tail.first(), Some(b'E' | b'O')) && tail.len() > 1);
        let known = match tail.get(skip) {
            Some(&letter) => conversion(out, time, letter, local)?,
            None => false,
        };
        if known {
            rest = &tail[skip + 1..];
        } else {
            out.push(b'%')?;
        }
    }
    Ok(())
}

/// What one letter stands for. False: nothing.
fn conversion(out: &mut PStrBuilder, t: &Time, letter: u8, local: bool) -> Result<bool, OutOfMemory> {
    let weekday = calendar::day_of_week(t.y, t.m, t.d);
    let year_day = calendar::day_of_year(t.y, t.m, t.d);
    let day = || usize::try_from(weekday).ok().and_then(|n| DAYS.get(n)).copied().unwrap_or("");
    let month = || usize::try_from(t.m - 1).ok().and_then(|n| MONTHS.get(n)).copied().unwrap_or("");
    let short = |name: &'static str| name.get(..3).unwrap_or(name);
    let twelve = if t.h % 12 == 0 { 12 } else { t.h % 12 };
    match letter {
        b'a' => out.push_str(short(day())),
        b'A' => out.push_str(day()),
        b'b' | b'h' => out.push_str(short(month())),
        b'B' => out.push_str(month()),
        b'c' => format_into(out, t, b"%a %b %e %H:%M:%S %Y", local),
        b'C' => write!(out, "{:02}", t.y.div_euclid(100)),
        b'd' => write!(out, "{:02}", t.d),
        b'D' | b'x' => format_into(out, t, b"%m/%d/%y", local),
        b'e' => write!(out, "{:2}", t.d),
        b'F' => format_into(out, t, b"%Y-%m-%d", local),
        b'g' => write!(out, "{:02}", calendar::iso_week(t.y, t.m, t.d).0.rem_euclid(100)),
        b'G' => write!(out, "{}", calendar::iso_week(t.y, t.m, t.d).0),
        b'H' => write!(out, "{:02}", t.h),
        b'I' => write!(out, "{twelve:02}"),
        b'j' => write!(out, "{:03}", year_day + 1),
        b'k' => write!(out, "{:2}", t.h),
        b'l' => write!(out, "{twelve:2}"),
        b'm' => write!(out, "{:02}", t.m),
        b'M' => write!(out, "{:02}", t.i),
        b'n' => out.push_str("\n"),
        b'p' => out.push_str(if t.h < 12 { "AM" } else { "PM" }),
        b'P' => out.push_str(if t.h < 12 { "am" } else { "pm" }),
        b'r' => format_into(out, t, b"%I:%M:%S %p", local),
        b'R' => format_into(out, t, b"%H:%M", local),
        b's' => write!(out, "{}", t.sse),
        b'S' => write!(out, "{:02}", t.s),
        b't' => out.push_str("\t"),
        b'T' | b'X' => format_into(out, t, b"%H:%M:%S", local),
        b'u' => write!(out, "{}", calendar::iso_day_of_week(t.y, t.m, t.d)),
        b'U' => write!(out, "{:02}", (year_day + 7 - weekday) / 7),
        b'V' => write!(out, "{:02}", calendar::iso_week(t.y, t.m, t.d).1),
        b'w' => write!(out, "{}", weekday),
        b'W' => write!(out, "{:02}", (year_day + 7 - (weekday + 6) % 7) / 7),
        b'y' => write!(out, "{:02}", t.y.rem_euclid(100)),
        b'Y' => write!(out, "{}", t.y),
        b'z' if local => out.push_str(&format_offset(t.offset / 60 * 60, false)),
        b'z' => out.push_str("+0000"),
        b'Z' if local => out.push_str(&t.abbreviation),
        b'Z' => out.push_str("GMT"),
        b'%' => out.push_str("%"),
        _ => return Ok(false),
    }?;
    Ok(true)
}
