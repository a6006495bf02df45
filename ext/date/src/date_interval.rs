//! DateInterval.
//!
//! The units are real properties, kept in the object's dynamic ones, so that programs may read, write and list them like any
//! others; a write goes through [`HOOKS`], which coerces it. An interval that was made from a relative date string shows that
//! string alone; its units are in the native state.

use crate::core::interval::{Interval, IsoPeriod};
use crate::core::parse;
use crate::moment::restore_properties;
use crate::parsed::first_error;
use crate::state::uninitialized;
use jumbo_abi::{ClassHooks, ClassPtr, Cx, Level, Message, PArray, PObject, PStr, Res, Value, View, Work};
use jumbo_value::convert;
use jumbo_value::object::Native;
use jumbo_value::string::up_to_nul;
use std::cell::{Cell, RefCell};

/// What an object is, beside its properties.
#[derive(Clone, Default)]
enum Kind {
    /// No constructor has run.
    #[default]
    Uninitialized,
    /// The properties tell everything.
    Units,
    FromString(Interval),
}

#[derive(Clone, Default)]
struct State {
    kind: RefCell<Kind>,
    /// In PHP the count of days is a property that only reading knows: the first one to write it creates it, in vain.
    are_days_written: Cell<bool>,
}

impl Native for State {
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        Some(Box::new(self.clone()))
    }
}

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(|_, object| {
        // A new object has no state yet.
        let _ = object.set_native(Box::new(State::default()));
        Ok(())
    }),
    compare: Some(|cx, a, b| {
        if a.native::<State>().is_some() && b.native::<State>().is_some() {
            cx.raise(Level::Warning, b"Cannot compare DateInterval objects")?;
        }
        Ok(None)
    }),
    prop_read: Some(|_, object, name| Ok(read_unit(object, name))),
    prop_write: Some(|_, object, name, value| Ok(write_unit(object, name, value))),
    prop_is_new: Some(|object, name| {
        let state = object.native::<State>().filter(|_| name == b"days");
        state.is_some_and(|state| !state.are_days_written.get() && matches!(*state.kind.borrow(), Kind::Units))
    }),
    ..ClassHooks::NONE
};

/// A unit of an interval made from a string.
fn read_unit(object: &PObject, name: &[u8]) -> Option<Value> {
    let state = object.native::<State>()?;
    let Kind::FromString(interval) = &*state.kind.borrow() else { return None };
    Some(match name {
        b"y" => Value::from(interval.y),
        b"m" => Value::from(interval.m),
        b"d" => Value::from(interval.d),
        b"h" => Value::from(interval.h),
        b"i" => Value::from(interval.i),
        b"s" => Value::from(interval.s),
        b"f" => Value::from(interval.us as f64 / 1e6),
        b"invert" => Value::from(i64::from(interval.invert)),
        b"days" => Value::FALSE,
        _ => return None,
    })
}

/// Takes the write of a unit over, as a number.
fn write_unit(object: &PObject, name: &[u8], value: &Value) -> bool {
    let Some(state) = object.native::<State>() else { return false };
    let value = value.deref();
    match &mut *state.kind.borrow_mut() {
        Kind::Uninitialized => false,
        Kind::FromString(interval) => {
            let field = match name {
                b"y" => &mut interval.y,
                b"m" => &mut interval.m,
                b"d" => &mut interval.d,
                b"h" => &mut interval.h,
                b"i" => &mut interval.i,
                b"s" => &mut interval.s,
                b"f" => {
                    interval.us = microseconds(value);
                    return true;
                }
                b"invert" => {
                    interval.invert = convert::to_int(value) != 0;
                    return true;
                }
                _ => return false,
            };
            *field = convert::to_int(value);
            true
        }
        Kind::Units => {
            let coerced = match name {
                b"y" | b"m" | b"d" | b"h" | b"i" | b"s" | b"invert" => Value::from(convert::to_int(value)),
                b"f" => Value::from(convert::to_float(value)),
                // The count of days belongs to the difference that it was computed from.
                b"days" => {
                    state.are_days_written.set(true);
                    return true;
                }
                _ => return false,
            };
            object.update_dynamic(|table| table.set_bytes(name, coerced));
            true
        }
    }
}

fn microseconds(value: &Value) -> i64 {
    // The cast saturates.
    (convert::to_float(value) * 1e6).round() as i64
}

/// The interval of an object.
pub fn interval_of(cx: &mut Cx, object: &PObject) -> Res<Interval> {
    let kind = object.native::<State>().map(|state| state.kind.borrow().clone()).unwrap_or_default();
    match kind {
        Kind::Uninitialized => Err(uninitialized(cx, object)),
        Kind::FromString(interval) => Ok(interval),
        Kind::Units => {
            let table = object.dynamic().unwrap_or_default();
            let unit = |name: &[u8]| table.get_bytes(name).map_or(0, |value| convert::to_int(value.deref()));
            Ok(Interval {
                y: unit(b"y"),
                m: unit(b"m"),
                d: unit(b"d"),
                h: unit(b"h"),
                i: unit(b"i"),
                s: unit(b"s"),
                us: table.get_bytes(b"f").map_or(0, |value| microseconds(value.deref())),
                invert: unit(b"invert") != 0,
                days: table.get_bytes(b"days").and_then(|value| value.deref().as_int()),
                special: None,
            })
        }
    }
}

fn become_kind(object: &PObject, kind: Kind) {
    if let Some(state) = object.native::<State>() {
        state.kind.replace(kind);
    }
}

/// Gives an object the properties of an interval.
fn fill(object: &PObject, interval: &Interval) {
    become_kind(object, Kind::Units);
    let days = interval.days.map_or(Value::FALSE, Value::from);
    object.update_dynamic(|table| {
        let units = [
            (b"y", interval.y),
            (b"m", interval.m),
            (b"d", interval.d),
            (b"h", interval.h),
            (b"i", interval.i),
            (b"s", interval.s),
        ];
        for (name, value) in units {
            table.set_bytes(name, value);
        }
        table.set_bytes(b"f", interval.us as f64 / 1e6);
        table.set_bytes(b"invert", i64::from(interval.invert));
        table.set_bytes(b"days", days);
        table.set_bytes(b"from_string", false);
    });
}

fn fill_from_string(object: &PObject, text: &PStr, interval: Interval) {
    become_kind(object, Kind::FromString(interval));
    object.update_dynamic(|table| {
        table.set_bytes(b"from_string", true);
        table.set_bytes(b"date_string", text.clone());
    });
}

fn new(cx: &mut Cx) -> Res<PObject> {
    let class = cx.builtin_class(b"dateinterval");
    cx.new_object(class)
}

pub fn create(cx: &mut Cx, interval: &Interval) -> Res<PObject> {
    let object = new(cx)?;
    fill(&object, interval);
    Ok(object)
}

pub fn create_from_string(cx: &mut Cx, text: &PStr, interval: Interval) -> Res<PObject> {
    let object = new(cx)?;
    fill_from_string(&object, text, interval);
    Ok(object)
}

/// The relative part of a date string, which must say nothing else. `Err`: the message.
pub fn read(cx: &mut Cx, text: &[u8]) -> Res<Result<Interval, PStr>> {
    let parsed = parse::parse(&mut Work::new(cx), text)?;
    if let Some(error) = first_error(text, &parsed) {
        return Ok(Err([b"Unknown or bad format (".as_slice(), up_to_nul(text), b")", &error].to_str()?));
    }
    if parsed.have_date || parsed.have_time || parsed.is_localtime {
        return Ok(Err([b"String '".as_slice(), up_to_nul(text), b"' contains non-relative elements"].to_str()?));
    }
    Ok(Ok(Interval::from_parsed(&parsed)))
}

/// A duration, or the two ends of one. `Err`: how the message begins.
fn read_iso(text: &[u8]) -> Result<Interval, &'static str> {
    if let Some(interval) = Interval::parse(text) {
        return Ok(interval);
    }
    match IsoPeriod::parse(text) {
        None => Err("Unknown or bad format"),
        Some(IsoPeriod { interval: Some(interval), .. }) => Ok(interval),
        Some(IsoPeriod { start: Some(start), end: Some(end), .. }) => Ok(Interval::between(&start, &end)),
        Some(_) => Err("Failed to parse interval"),
    }
}

pub fn __construct(cx: &mut Cx, this: &PObject, duration: &PStr) -> Res<()> {
    match read_iso(duration.as_bytes()) {
        Ok(interval) => {
            fill(this, &interval);
            Ok(())
        }
        Err(what) => {
            let message = [what.as_bytes(), b" (", up_to_nul(duration.as_bytes()), b")"];
            Err(cx.throw("DateMalformedIntervalStringException", message))
        }
    }
}

pub fn create_from_date_string(cx: &mut Cx, _class: ClassPtr, datetime: &PStr) -> Res<PObject> {
    match read(cx, datetime.as_bytes())? {
        Ok(interval) => create_from_string(cx, datetime, interval),
        Err(message) => Err(cx.throw("DateMalformedIntervalStringException", message)),
    }
}

pub fn format(cx: &mut Cx, this: &PObject, format: &PStr) -> Res<PStr> {
    let interval = interval_of(cx, this)?;
    Ok(interval.format(format.as_bytes())?)
}

// ---- serialization

const OWN: [&[u8]; 16] = [
    b"y", b"m", b"d", b"h", b"i", b"s", b"f", b"weekday", b"weekday_behavior", b"first_last_day_of", b"invert", b"days",
    b"special_type", b"special_amount", b"from_string", b"date_string",
];

/// Makes an object what the members of a serialized one describe; units that are missing are -1, as in PHP.
fn restore(cx: &mut Cx, object: &PObject, data: &PArray) -> Res<()> {
    let member = |name: &[u8]| data.get_bytes(name).map(Value::copy_deref);
    if let Some(text) = member(b"date_string") {
        let text = cx.to_string(&text)?;
        let parsed = parse::parse(&mut Work::new(cx), text.as_bytes())?;
        if let Some(error) = first_error(text.as_bytes(), &parsed) {
            // "… (x): why" is told as "… (x) while unserializing: why".
            let at = error.windows(3).position(|w| w == b"): ").map_or(error.len(), |at| at + 1);
            let message = [
                b"Unknown or bad format (".as_slice(),
                up_to_nul(text.as_bytes()),
                b")",
                &error[..at],
                b" while unserializing",
                &error[at..],
            ];
            return Err(cx.throw_error(message));
        }
        fill_from_string(object, &text, Interval::from_parsed(&parsed));
        return Ok(());
    }
    let unit = |name: &[u8], missing: i64| member(name).map_or(missing, |value| convert::to_int(&value));
    let days = match member(b"days") {
        None => Some(-1),
        Some(value) => match value.view() {
            View::Bool(false) => None,
            View::Array(_) | View::Object(_) => Some(-1),
            _ => Some(convert::to_int(&value)),
        },
    };
    let interval = Interval {
        y: unit(b"y", -1),
        m: unit(b"m", -1),
        d: unit(b"d", -1),
        h: unit(b"h", -1),
        i: unit(b"i", -1),
        s: unit(b"s", -1),
        us: member(b"f").map_or(0, |value| microseconds(&value)),
        invert: unit(b"invert", 0) != 0,
        days,
        special: None,
    };
    fill(object, &interval);
    Ok(())
}

pub fn __serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    interval_of(cx, this)?;
    // What makes the interval comes first, whatever a subclass declares.
    let all = cx.engine().plain_properties(this);
    let mut array = PArray::new();
    for name in OWN {
        if let Some(value) = all.get_bytes(name) {
            array.set_bytes(name, value.clone());
        }
    }
    for (key, value) in &all {
        array.set(key.to_key(), value.clone());
    }
    Ok(array)
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    restore(cx, this, data)?;
    restore_properties(cx, this, data, &OWN)
}

pub fn __wakeup(cx: &mut Cx, this: &PObject) -> Res<()> {
    let properties = cx.engine().plain_properties(this);
    restore(cx, this, &properties)
}

pub fn __set_state(cx: &mut Cx, _class: ClassPtr, array: &PArray) -> Res<PObject> {
    let object = new(cx)?;
    restore(cx, &object, array)?;
    Ok(object)
}
