//! The moments that modify(), add(), setTime() and the like lead to. Whether the object takes the change over or a copy of it
//! does is the affair of its class.

use crate::core::calendar;
use crate::core::parse;
use crate::core::time::{Fields, Relative, Time};
use crate::moment::out_of_range;
use crate::{date_interval, date_time_zone, parsed, state};
use jumbo_abi::{Cx, Message, PObject, PStr, Res, Work};
use jumbo_value::string::up_to_nul;

/// `Err`: the message about a string that cannot be read.
pub fn modify(cx: &mut Cx, this: &PObject, modifier: &[u8]) -> Res<Result<Time, PStr>> {
    let time = state::time_of(cx, this)?;
    let mut parsed = parse::parse(&mut Work::new(cx), modifier)?;
    let error = parsed::first_error(modifier, &parsed);
    parsed::remember(cx, &mut parsed);
    if let Some(error) = error {
        return Ok(Err([b"Failed to parse time string (".as_slice(), up_to_nul(modifier), b")", &error].to_str()?));
    }
    time.modify(&parsed).map(Ok).map_err(|_| out_of_range(cx))
}

/// As `modify`, with an exception.
pub fn modify_or_throw(cx: &mut Cx, this: &PObject, modifier: &[u8]) -> Res<Time> {
    match modify(cx, this, modifier)? {
        Ok(time) => Ok(time),
        Err(error) => {
            let message = [&cx.active_function_name(), b"(): ".as_slice(), &error];
            Err(cx.throw("DateMalformedStringException", message))
        }
    }
}

pub fn add(cx: &mut Cx, this: &PObject, interval: &PObject) -> Res<Time> {
    let time = state::time_of(cx, this)?;
    let interval = date_interval::interval_of(cx, interval)?;
    interval.add_to(&time).map_err(|_| out_of_range(cx))
}

/// `None`: the interval counts working days or weeks of a month, which cannot be taken away.
pub fn sub(cx: &mut Cx, this: &PObject, interval: &PObject) -> Res<Option<Time>> {
    let time = state::time_of(cx, this)?;
    let interval = date_interval::interval_of(cx, interval)?;
    if matches!(&interval.special, Some(Relative { special: Some(_), .. })) {
        return Ok(None);
    }
    interval.subtract_from(&time).map(Some).map_err(|_| out_of_range(cx))
}

pub const ONLY_NON_SPECIAL: &str = "Only non-special relative time specifications are supported for subtraction";

pub fn sub_or_throw(cx: &mut Cx, this: &PObject, interval: &PObject) -> Res<Time> {
    match sub(cx, this, interval)? {
        Some(time) => Ok(time),
        None => {
            let message = [&cx.active_function_name(), b"(): ".as_slice(), ONLY_NON_SPECIAL.as_bytes()];
            Err(cx.throw("DateInvalidOperationException", message))
        }
    }
}

pub fn set_timezone(cx: &mut Cx, this: &PObject, timezone: &PObject) -> Res<Time> {
    let time = state::time_of(cx, this)?;
    let zone = date_time_zone::zone_of(cx, timezone)?;
    Ok(time.with_zone(zone))
}

/// The moment of a changed wall clock; one that is out of range is the first or the last there is.
fn reset_clock(time: &Time, fields: Fields) -> Time {
    let found = Time::resolve(fields, &Relative::default(), time.zone.clone(), Some(time.dst));
    found.unwrap_or_else(|_| {
        let end = if fields.local_seconds() < 0 { i64::MIN } else { i64::MAX };
        Time::from_timestamp(end, 0, time.zone.clone())
    })
}

pub fn set_time(cx: &mut Cx, this: &PObject, clock: (i64, i64, i64, i64)) -> Res<Time> {
    let time = state::time_of(cx, this)?;
    let (h, i, s, us) = clock;
    Ok(reset_clock(&time, Fields { h, i, s, us, ..time.fields() }))
}

pub fn set_date(cx: &mut Cx, this: &PObject, y: i64, m: i64, d: i64) -> Res<Time> {
    let time = state::time_of(cx, this)?;
    Ok(reset_clock(&time, Fields { y, m, d, ..time.fields() }))
}

pub fn set_iso_date(cx: &mut Cx, this: &PObject, year: i64, week: i64, day: i64) -> Res<Time> {
    let time = state::time_of(cx, this)?;
    let d = calendar::day_of_year_from_iso_week(year, week, day).saturating_add(1);
    Ok(reset_clock(&time, Fields { y: year, m: 1, d, ..time.fields() }))
}

pub fn set_timestamp(cx: &mut Cx, this: &PObject, timestamp: i64) -> Res<Time> {
    let zone = state::with(cx, this, |time| time.zone.clone())?;
    Ok(Time::from_timestamp(timestamp, 0, zone))
}

pub fn set_microsecond(cx: &mut Cx, this: &PObject, microsecond: i64) -> Res<Time> {
    if !(0..1_000_000).contains(&microsecond) {
        let (name, given) = (cx.active_function_name(), microsecond.to_string());
        let message = [&name, b"(): Argument #1 ($microsecond) must be between 0 and 999999, ".as_slice(), given.as_bytes(), b" given"];
        return Err(cx.throw("DateRangeError", message));
    }
    let mut time = state::time_of(cx, this)?;
    time.us = microsecond;
    Ok(time)
}
