//! The functions over date objects that are more than another name of a method: where methods throw, these warn or say false.

use crate::date_time_zone;
use crate::{changes, date_interval, moment, parsed, state};
use jumbo_abi::{ClassPtr, Cx, OrFalse, PArray, PObject, PStr, Res, Value};

fn create(cx: &mut Cx, class: &[u8], datetime: &PStr, timezone: Option<&PObject>) -> Res<OrFalse<PObject>> {
    match moment::read(cx, datetime.as_bytes(), timezone)? {
        Ok(time) => {
            let class = cx.builtin_class(class);
            state::create(cx, class, time).map(|object| OrFalse(Some(object)))
        }
        Err(_) => Ok(OrFalse::FALSE),
    }
}

pub fn date_create(cx: &mut Cx, datetime: &PStr, timezone: Option<&PObject>) -> Res<OrFalse<PObject>> {
    create(cx, b"datetime", datetime, timezone)
}

pub fn date_create_immutable(cx: &mut Cx, datetime: &PStr, timezone: Option<&PObject>) -> Res<OrFalse<PObject>> {
    create(cx, b"datetimeimmutable", datetime, timezone)
}

pub fn date_create_from_format(
    cx: &mut Cx,
    format: &PStr,
    datetime: &PStr,
    timezone: Option<&PObject>,
) -> Res<OrFalse<PObject>> {
    let class = cx.builtin_class(b"datetime");
    moment::create_from_format(cx, class, format, datetime, timezone)
}

pub fn date_create_immutable_from_format(
    cx: &mut Cx,
    format: &PStr,
    datetime: &PStr,
    timezone: Option<&PObject>,
) -> Res<OrFalse<PObject>> {
    let class = cx.builtin_class(b"datetimeimmutable");
    moment::create_from_format(cx, class, format, datetime, timezone)
}

pub fn date_get_last_errors(cx: &mut Cx) -> Value {
    parsed::last_errors(cx)
}

pub fn date_modify(cx: &mut Cx, object: &PObject, modifier: &PStr) -> Res<OrFalse<PObject>> {
    match changes::modify(cx, object, modifier.as_bytes())? {
        Ok(time) => {
            state::set(object, time);
            Ok(OrFalse(Some(object.clone())))
        }
        Err(message) => {
            cx.warning(message)?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn date_sub(cx: &mut Cx, object: &PObject, interval: &PObject) -> Res<PObject> {
    match changes::sub(cx, object, interval)? {
        Some(time) => state::set(object, time),
        None => cx.warning(changes::ONLY_NON_SPECIAL)?,
    }
    Ok(object.clone())
}

pub fn date_interval_create_from_date_string(cx: &mut Cx, datetime: &PStr) -> Res<OrFalse<PObject>> {
    match date_interval::read(cx, datetime.as_bytes())? {
        Ok(interval) => date_interval::create_from_string(cx, datetime, interval).map(|object| OrFalse(Some(object))),
        Err(message) => {
            cx.warning(message)?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn timezone_open(cx: &mut Cx, timezone: &PStr) -> Res<OrFalse<PObject>> {
    match date_time_zone::read(cx, timezone)? {
        Ok(zone) => date_time_zone::create(cx, zone).map(|object| OrFalse(Some(object))),
        Err(message) => {
            cx.warning(message)?;
            Ok(OrFalse::FALSE)
        }
    }
}

/// The static methods of DateTimeZone do not look at the class that is called.
fn zone_class(cx: &Cx) -> ClassPtr {
    cx.builtin_class(b"datetimezone")
}

pub fn timezone_abbreviations_list(cx: &mut Cx) -> PArray {
    let class = zone_class(cx);
    date_time_zone::list_abbreviations(cx, class)
}

pub fn timezone_identifiers_list(cx: &mut Cx, group: i64, country: Option<&PStr>) -> Res<PArray> {
    let class = zone_class(cx);
    date_time_zone::list_identifiers(cx, class, group, country)
}

pub fn timezone_name_from_abbr(_cx: &mut Cx, abbr: &PStr, utc_offset: i64, is_dst: i64) -> OrFalse<PStr> {
    let name = crate::core::timezone::name_from_abbreviation(abbr.as_bytes(), utc_offset, is_dst);
    OrFalse(name.map(|name| PStr::new(name.as_bytes())))
}

pub fn timezone_version_get(_cx: &mut Cx) -> PStr {
    PStr::new(crate::core::timezone::version().as_bytes())
}
