//! What DateTime and DateTimeImmutable share: making, reading and serializing them.

use crate::core::interval::Interval;
use crate::core::parse::{self, Parsed};
use crate::core::time::Time;
use crate::core::timezone::{TimeZone, Zone};
use crate::core::{format as formatting, parse_format};
use crate::{date_interval, date_time_zone, parsed, settings, state};
use jumbo_abi::{ClassPtr, Cx, Key, Message, OrFalse, PArray, PObject, PStr, Res, Stop, Value, View, Work};
use jumbo_value::number;
use jumbo_value::string::up_to_nul;

/// A moment does not fit into seconds since 1970.
#[cold]
pub fn out_of_range(cx: &mut Cx) -> Stop {
    cx.throw("DateRangeError", "Epoch doesn't fit in a PHP integer")
}

/// The zone that an argument or the setting gives.
fn zone_or_default(cx: &mut Cx, zone: Option<&PObject>) -> Res<Zone> {
    match zone {
        Some(object) => match date_time_zone::peek(object) {
            Some(zone) => Ok(zone),
            None => Err(cx.throw_error("The DateTimeZone object has not been correctly initialized by its constructor")),
        },
        None => Ok(settings::default_zone(cx)),
    }
}

/// Refuses a NUL in argument 2, `$datetime`.
pub fn no_nul(cx: &mut Cx, datetime: &PStr) -> Res<()> {
    if datetime.as_bytes().contains(&0) {
        return Err(cx.arg_value_error(2, "must not contain any null bytes"));
    }
    Ok(())
}

/// The moment that a string names. `Err`: what is wrong with it, as messages end.
pub fn read(cx: &mut Cx, text: &[u8], zone: Option<&PObject>) -> Res<Result<Time, Vec<u8>>> {
    // No text at all means now, here only.
    let mut parsed = parse::parse(&mut Work::new(cx), if text.is_empty() { b"now" } else { text })?;
    let error = parsed::first_error(text, &parsed);
    parsed::remember(cx, &mut parsed);
    if let Some(error) = error {
        return Ok(Err(error));
    }
    let zone = zone_or_default(cx, zone)?;
    finish(cx, &parsed, zone).map(Ok)
}

fn finish(cx: &mut Cx, parsed: &Parsed, zone: Zone) -> Res<Time> {
    Time::from_parsed(parsed, &settings::now(zone)).map_err(|_| out_of_range(cx))
}

pub fn __construct(cx: &mut Cx, this: &PObject, datetime: &PStr, timezone: Option<&PObject>) -> Res<()> {
    match read(cx, datetime.as_bytes(), timezone)? {
        Ok(time) => {
            state::set(this, time);
            Ok(())
        }
        Err(error) => {
            let text = up_to_nul(datetime.as_bytes());
            let message = [b"Failed to parse time string (".as_slice(), text, b")", &error];
            Err(cx.throw("DateMalformedStringException", message))
        }
    }
}

pub fn create_from_format(
    cx: &mut Cx,
    class: ClassPtr,
    format: &PStr,
    datetime: &PStr,
    timezone: Option<&PObject>,
) -> Res<OrFalse<PObject>> {
    no_nul(cx, datetime)?;
    let mut parsed = parse_format::parse(&mut Work::new(cx), format.as_bytes(), datetime.as_bytes())?;
    let is_wrong = !parsed.errors.is_empty();
    parsed::remember(cx, &mut parsed);
    if is_wrong {
        return Ok(OrFalse::FALSE);
    }
    // Unlike in free text, a date without a time is one at the present time of the day.
    parsed.have_time = true;
    let zone = zone_or_default(cx, timezone)?;
    let time = finish(cx, &parsed, zone)?;
    state::create(cx, class, time).map(|object| OrFalse(Some(object)))
}

pub fn create_from_timestamp(cx: &mut Cx, class: ClassPtr, timestamp: &Value) -> Res<PObject> {
    let (seconds, us) = match timestamp.view_deref() {
        View::Float(f) => {
            let whole = f.floor();
            if !number::in_int_range(whole) {
                let mut message = cx.active_function_name();
                message.extend_from_slice(b"(): Argument #1 ($timestamp) must be a finite number between -9223372036854775808 and 9223372036854775807.999999, ");
                message.extend_from_slice(&number::float_repr(f, -1, true));
                message.extend_from_slice(b" given");
                return Err(cx.throw("DateRangeError", message));
            }
            // Rounding up may carry into the seconds: the constructor of Time takes that over.
            (whole as i64, ((f - whole) * 1e6).round() as i64)
        }
        _ => (jumbo_value::convert::to_int(timestamp), 0),
    };
    state::create(cx, class, Time::from_timestamp(seconds, us, Zone::Offset(0)))
}

/// createFromMutable, createFromImmutable.
pub fn create_from_other(cx: &mut Cx, class: ClassPtr, object: &PObject) -> Res<PObject> {
    let time = state::time_of(cx, object)?;
    state::create(cx, class, time)
}

pub fn create_from_interface(cx: &mut Cx, class: ClassPtr, object: &PObject) -> Res<PObject> {
    create_from_other(cx, class, object)
}

pub fn get_last_errors(cx: &mut Cx, _class: ClassPtr) -> Value {
    parsed::last_errors(cx)
}

pub fn format(cx: &mut Cx, this: &PObject, format: &PStr) -> Res<PStr> {
    Ok(state::with(cx, this, |time| formatting::format(time, format.as_bytes(), true))??)
}

pub fn get_timezone(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let zone = state::with(cx, this, |time| time.zone.clone())?;
    date_time_zone::create(cx, zone)
}

pub fn get_offset(cx: &mut Cx, this: &PObject) -> Res<i64> {
    state::with(cx, this, |time| i64::from(time.offset))
}

pub fn get_timestamp(cx: &mut Cx, this: &PObject) -> Res<i64> {
    state::with(cx, this, |time| time.sse)
}

pub fn get_microsecond(cx: &mut Cx, this: &PObject) -> Res<i64> {
    state::with(cx, this, |time| time.us)
}

pub fn diff(cx: &mut Cx, this: &PObject, target: &PObject, absolute: bool) -> Res<PObject> {
    let (one, two) = (state::time_of(cx, this)?, state::time_of(cx, target)?);
    let mut interval = Interval::between(&one, &two);
    if absolute {
        interval.invert = false;
    }
    date_interval::create(cx, &interval)
}

// ---- serialization

pub fn __serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let time = state::time_of(cx, this)?;
    let mut array = PArray::new();
    state::describe(&mut array, &time);
    for (key, value) in &cx.engine().plain_properties(this) {
        array.set(key.to_key(), value.clone());
    }
    Ok(array)
}

/// The moment that the members of a serialized object describe.
pub fn described(cx: &mut Cx, data: &PArray) -> Res<Option<Time>> {
    let member = |name: &[u8]| data.get_bytes(name).map(Value::deref);
    let text = |name: &[u8]| member(name).and_then(Value::as_str);
    let (Some(date), Some(zone)) = (text(b"date"), text(b"timezone")) else { return Ok(None) };
    let (text, zone) = match member(b"timezone_type").and_then(Value::as_int) {
        Some(1 | 2) => ([date.as_bytes(), b" ", zone.as_bytes()].to_str()?, Zone::utc()),
        Some(3) => match TimeZone::get(zone.as_bytes()) {
            Some(zone) => (date.clone(), Zone::Id(zone)),
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    let parsed = parse::parse(&mut Work::new(cx), text.as_bytes())?;
    if !parsed.errors.is_empty() {
        return Ok(None);
    }
    Ok(Time::from_parsed(&parsed, &settings::now(zone)).ok())
}

/// The error of members that describe no object.
#[cold]
pub fn invalid_data(cx: &mut Cx, class: ClassPtr) -> Stop {
    let class = state::builtin_ancestor(class);
    cx.throw_error([b"Invalid serialization data for ".as_slice(), class.name.as_bytes(), b" object"])
}

/// Gives an object the serialized properties other than those in `own`; names are mangled.
pub fn restore_properties(cx: &mut Cx, object: &PObject, data: &PArray, own: &[&[u8]]) -> Res<()> {
    for (key, value) in data.entries() {
        let Key::Str(key) = key else { continue };
        let name = key.as_bytes();
        if own.contains(&name) {
            continue;
        }
        let mut scope = ClassPtr::of(object);
        let mut plain = name;
        if let Some(rest) = name.strip_prefix(b"\0") {
            let Some(end) = rest.iter().position(|&b| b == 0) else { continue };
            if &rest[..end] != b"*" {
                // A private property of a class that is not there is nobody's.
                let Some(class) = cx.find_class(&rest[..end], true)? else { continue };
                scope = class;
            }
            plain = &rest[end + 1..];
        }
        cx.engine().write_property(cx, object, &PStr::new(plain), value.into_deref(), Some(scope))?;
    }
    Ok(())
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    let Some(time) = described(cx, data)? else { return Err(invalid_data(cx, ClassPtr::of(this))) };
    state::set(this, time);
    restore_properties(cx, this, data, &[b"date", b"timezone_type", b"timezone"])
}

pub fn __wakeup(cx: &mut Cx, this: &PObject) -> Res<()> {
    let properties = cx.engine().plain_properties(this);
    let Some(time) = described(cx, &properties)? else { return Err(invalid_data(cx, ClassPtr::of(this))) };
    state::set(this, time);
    Ok(())
}

/// `__set_state`, which makes an object of the builtin class itself.
pub fn set_state(cx: &mut Cx, class: &[u8], data: &PArray) -> Res<PObject> {
    let class = cx.builtin_class(class);
    match described(cx, data)? {
        Some(time) => state::create(cx, class, time),
        None => Err(invalid_data(cx, class)),
    }
}
