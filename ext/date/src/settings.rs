//! The default time zone of an instance, and the clock.

use crate::core::time::Time;
use crate::core::timezone::{TimeZone, Zone};
use jumbo_abi::{Cx, Level, Message, Res};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The zone that date_default_timezone_set chose, and the one of `date.timezone` by the text it was made from.
#[derive(Default)]
struct DefaultZone {
    chosen: Option<Zone>,
    configured: Option<(Vec<u8>, Zone)>,
}

/// The zone of dates that name none.
pub fn default_zone(cx: &mut Cx) -> Zone {
    if let Some(zone) = &cx.state::<DefaultZone>().chosen {
        return zone.clone();
    }
    let name = cx.ini.str("date.timezone").to_vec();
    let state = cx.state::<DefaultZone>();
    match &state.configured {
        Some((text, zone)) if *text == name => zone.clone(),
        _ => {
            let zone = TimeZone::get(&name).map_or_else(Zone::utc, Zone::Id);
            state.configured = Some((name, zone.clone()));
            zone
        }
    }
}

pub fn choose_zone(cx: &mut Cx, zone: Zone) {
    cx.state::<DefaultZone>().chosen = Some(zone);
}

/// `ini_set("date.timezone", …)`.
pub fn timezone_changed(cx: &mut Cx, value: &[u8]) -> bool {
    if TimeZone::exists(value) {
        return true;
    }
    let current = cx.ini.str("date.timezone").to_vec();
    let current: &[u8] = if TimeZone::exists(&current) { &current } else { b"UTC" };
    // The setting is refused; an exception that a handler of the warning throws is pending then.
    let _ = cx.warning([b"Invalid date.timezone value '".as_slice(), value, b"', using '", current, b"' instead"]);
    false
}

/// Tells once in a process that the configured zone is none.
pub fn check_configuration(cx: &mut Cx) -> Res<()> {
    static TOLD: AtomicBool = AtomicBool::new(false);
    let value = cx.ini.str("date.timezone");
    if value == b"UTC" || TimeZone::exists(value) || TOLD.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let message = [b"PHP Startup: Invalid date.timezone value '".as_slice(), value, b"', using 'UTC' instead"].to_str()?;
    cx.raise(Level::Warning, &message)
}

/// Seconds and microseconds since 1970.
pub fn clock() -> (i64, i64) {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(now) => (i64::try_from(now.as_secs()).unwrap_or(i64::MAX), i64::from(now.subsec_micros())),
        // A clock that stands before 1970.
        Err(before) => {
            let us = i64::try_from(before.duration().as_micros()).unwrap_or(i64::MAX);
            ((-us).div_euclid(1_000_000), (-us).rem_euclid(1_000_000))
        }
    }
}

/// Now, in a zone.
pub fn now(zone: Zone) -> Time {
    let (seconds, us) = clock();
    Time::from_timestamp(seconds, us, zone)
}

/// A moment in the default zone; absent: now, in whole seconds.
pub fn at(cx: &mut Cx, timestamp: Option<i64>) -> Time {
    let zone = default_zone(cx);
    Time::from_timestamp(timestamp.unwrap_or_else(|| clock().0), 0, zone)
}
