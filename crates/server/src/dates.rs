//! Dates in log lines. Formatting happens once a second per thread, at most.

use std::cell::RefCell;
use std::time::{SystemTime, UNIX_EPOCH};

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

struct Civil {
    year: u64,
    month: usize,
    day: u64,
    weekday: &'static str,
    hour: u64,
    minute: u64,
    second: u64,
}

/// Splits seconds since 1970 in UTC, in 400-year cycles that begin in March (Hinnant's days algorithm).
fn civil(seconds: u64) -> Civil {
    let days = seconds / 86_400;
    let shifted = days + 719_468;
    let cycle = shifted / 146_097;
    let day_of_cycle = shifted % 146_097;
    let year_of_cycle = (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524
        - day_of_cycle / 146_096)
        / 365;
    let day_of_year =
        day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = (from_march + 2) % 12;
    Civil {
        year: cycle * 400 + year_of_cycle + u64::from(month < 2),
        month: month as usize,
        day: day_of_year - (153 * from_march + 2) / 5 + 1,
        weekday: DAYS[(days % 7) as usize],
        hour: seconds / 3_600 % 24,
        minute: seconds / 60 % 60,
        second: seconds % 60,
    }
}

thread_local! {
    static LOG_DATE: RefCell<(u64, String)> = const { RefCell::new((u64::MAX, String::new())) };
}

fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// Appends `[21/Nov/2026:11:22:29 +0000]`. Always UTC: a log is read on other machines too.
pub(crate) fn push_combined(out: &mut Vec<u8>, time: SystemTime) {
    let seconds = unix_seconds(time);
    LOG_DATE.with_borrow_mut(|(cached, text)| {
        if *cached != seconds {
            let c = civil(seconds);
            *text = format!(
                "[{:02}/{}/{}:{:02}:{:02}:{:02} +0000]",
                c.day, MONTHS[c.month], c.year, c.hour, c.minute, c.second
            );
            *cached = seconds;
        }
        out.extend_from_slice(text.as_bytes());
    });
}

/// `Sat Nov 21 11:22:29 2026`, as the development server of PHP begins its lines.
pub(crate) fn development(time: SystemTime) -> String {
    let c = civil(unix_seconds(time));
    format!(
        "{} {} {:2} {:02}:{:02}:{:02} {}",
        c.weekday, MONTHS[c.month], c.day, c.hour, c.minute, c.second, c.year
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn known_dates() {
        let at = |s| UNIX_EPOCH + Duration::from_secs(s);
        assert_eq!(development(at(0)), "Thu Jan  1 00:00:00 1970");
        assert_eq!(development(at(951_827_696)), "Tue Feb 29 12:34:56 2000");
        assert_eq!(development(at(4_107_542_400)), "Mon Mar  1 00:00:00 2100");
        let mut out = Vec::new();
        push_combined(&mut out, at(1_735_689_599));
        assert_eq!(out, b"[31/Dec/2024:23:59:59 +0000]");
    }
}
