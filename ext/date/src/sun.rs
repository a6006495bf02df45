//! Sunrise and sunset: date_sun_info, date_sunrise, date_sunset.

use crate::core::sun::{self, SunDay};
use crate::settings;
use jumbo_abi::{Cx, PArray, PStr, Res, Value};

pub fn date_sun_info(cx: &mut Cx, timestamp: i64, latitude: f64, longitude: f64) -> Res<PArray> {
    for (n, angle) in [(2, latitude), (3, longitude)] {
        if !angle.is_finite() {
            return Err(cx.arg_value_error(n, "must be finite"));
        }
    }
    let t = settings::at(cx, Some(timestamp));
    let mut array = PArray::new();
    let names = [
        ("sunrise", "sunset"),
        ("civil_twilight_begin", "civil_twilight_end"),
        ("nautical_twilight_begin", "nautical_twilight_end"),
        ("astronomical_twilight_begin", "astronomical_twilight_end"),
    ];
    for ((begin, end), (altitude, upper_limb)) in names.into_iter().zip(sun::ALTITUDES) {
        let found = sun::times((t.y, t.m, t.d), latitude, longitude, altitude, upper_limb);
        let (rise, set) = match found.day {
            SunDay::RiseAndSet(rise, set) => (Value::from(rise), Value::from(set)),
            SunDay::AlwaysAbove => (Value::TRUE, Value::TRUE),
            SunDay::AlwaysBelow => (Value::FALSE, Value::FALSE),
        };
        array.set_bytes(begin.as_bytes(), rise);
        array.set_bytes(end.as_bytes(), set);
        if begin == "sunrise" {
            array.set_bytes(b"transit", found.transit);
        }
    }
    Ok(array)
}

/// SUNFUNCS_RET_TIMESTAMP, _STRING and _DOUBLE.
const RET_TIMESTAMP: i64 = 0;
const RET_STRING: i64 = 1;
const RET_DOUBLE: i64 = 2;

/// Hours beyond this have no fraction that could be told.
const MAX_HOURS: f64 = 1e15;

/// The arguments that date_sunrise and date_sunset share; what is absent is configured.
struct Asked {
    timestamp: i64,
    format: i64,
    latitude: Option<f64>,
    longitude: Option<f64>,
    zenith: Option<f64>,
    utc_offset: Option<f64>,
}

fn rise_or_set(cx: &mut Cx, asked: Asked, set: bool) -> Res<Value> {
    if !(RET_TIMESTAMP..=RET_DOUBLE).contains(&asked.format) {
        let message = "must be one of SUNFUNCS_RET_TIMESTAMP, SUNFUNCS_RET_STRING, or SUNFUNCS_RET_DOUBLE";
        return Err(cx.arg_value_error(2, message));
    }
    let configured = |cx: &Cx, given: Option<f64>, name: &str| {
        given.unwrap_or_else(|| jumbo_value::number::str_to_float(cx.ini.str(name)))
    };
    let latitude = configured(cx, asked.latitude, "date.default_latitude");
    let longitude = configured(cx, asked.longitude, "date.default_longitude");
    let zenith = configured(cx, asked.zenith, if set { "date.sunset_zenith" } else { "date.sunrise_zenith" });
    let t = settings::at(cx, Some(asked.timestamp));
    let found = sun::times((t.y, t.m, t.d), latitude, longitude, 90.0 - zenith, true);
    let SunDay::RiseAndSet(rise_at, set_at) = found.day else { return Ok(Value::FALSE) };
    if asked.format == RET_TIMESTAMP {
        return Ok(Value::from(if set { set_at } else { rise_at }));
    }
    let mut hours = if set { found.set_h } else { found.rise_h };
    hours += asked.utc_offset.unwrap_or(f64::from(t.offset) / 3600.0);
    if !hours.is_finite() || hours.abs() > MAX_HOURS {
        return Ok(Value::FALSE);
    }
    if !(0.0..=24.0).contains(&hours) {
        hours -= (hours / 24.0).floor() * 24.0;
    }
    if asked.format == RET_STRING {
        let text = format!("{:02}:{:02}", hours.trunc() as i64, (hours.fract() * 60.0) as i64);
        return Ok(Value::from(PStr::new(text.as_bytes())));
    }
    Ok(Value::from(hours))
}

pub fn date_sunrise(
    cx: &mut Cx,
    timestamp: i64,
    format: i64,
    latitude: Option<f64>,
    longitude: Option<f64>,
    zenith: Option<f64>,
    utc_offset: Option<f64>,
) -> Res<Value> {
    rise_or_set(cx, Asked { timestamp, format, latitude, longitude, zenith, utc_offset }, false)
}

pub fn date_sunset(
    cx: &mut Cx,
    timestamp: i64,
    format: i64,
    latitude: Option<f64>,
    longitude: Option<f64>,
    zenith: Option<f64>,
    utc_offset: Option<f64>,
) -> Res<Value> {
    rise_or_set(cx, Asked { timestamp, format, latitude, longitude, zenith, utc_offset }, true)
}
