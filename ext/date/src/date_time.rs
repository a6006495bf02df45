//! DateTime: the object itself takes a change over.

use crate::core::time::Time;
use crate::{changes, moment, state};
use jumbo_abi::{ClassPtr, Cx, PArray, PObject, PStr, Res};

fn take_over(this: &PObject, time: Time) -> PObject {
    state::set(this, time);
    this.clone()
}

pub fn __set_state(cx: &mut Cx, _class: ClassPtr, array: &PArray) -> Res<PObject> {
    moment::set_state(cx, b"datetime", array)
}

pub fn modify(cx: &mut Cx, this: &PObject, modifier: &PStr) -> Res<PObject> {
    let time = changes::modify_or_throw(cx, this, modifier.as_bytes())?;
    Ok(take_over(this, time))
}

pub fn add(cx: &mut Cx, this: &PObject, interval: &PObject) -> Res<PObject> {
    let time = changes::add(cx, this, interval)?;
    Ok(take_over(this, time))
}

pub fn sub(cx: &mut Cx, this: &PObject, interval: &PObject) -> Res<PObject> {
    let time = changes::sub_or_throw(cx, this, interval)?;
    Ok(take_over(this, time))
}

pub fn set_timezone(cx: &mut Cx, this: &PObject, timezone: &PObject) -> Res<PObject> {
    let time = changes::set_timezone(cx, this, timezone)?;
    Ok(take_over(this, time))
}

pub fn set_time(cx: &mut Cx, this: &PObject, hour: i64, minute: i64, second: i64, microsecond: i64) -> Res<PObject> {
    let time = changes::set_time(cx, this, (hour, minute, second, microsecond))?;
    Ok(take_over(this, time))
}

pub fn set_date(cx: &mut Cx, this: &PObject, year: i64, month: i64, day: i64) -> Res<PObject> {
    let time = changes::set_date(cx, this, year, month, day)?;
    Ok(take_over(this, time))
}

pub fn set_iso_date(cx: &mut Cx, this: &PObject, year: i64, week: i64, day_of_week: i64) -> Res<PObject> {
    let time = changes::set_iso_date(cx, this, year, week, day_of_week)?;
    Ok(take_over(this, time))
}

pub fn set_timestamp(cx: &mut Cx, this: &PObject, timestamp: i64) -> Res<PObject> {
    let time = changes::set_timestamp(cx, this, timestamp)?;
    Ok(take_over(this, time))
}

pub fn set_microsecond(cx: &mut Cx, this: &PObject, microsecond: i64) -> Res<PObject> {
    let time = changes::set_microsecond(cx, this, microsecond)?;
    Ok(take_over(this, time))
}
