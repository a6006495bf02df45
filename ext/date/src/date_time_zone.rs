//! DateTimeZone.

use crate::core::format::short_text;
use crate::core::parse::parse_zone;
use crate::core::time::Time;
use crate::core::timezone::{self, TimeZone, Zone};
use crate::moment::{invalid_data, restore_properties};
use crate::state::{self, uninitialized};
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassHooks, ClassPtr, Cx, Message, OrFalse, PArray, PObject, PStr, Res, Value};
use jumbo_value::object::Native;
use std::cell::RefCell;

/// The zone of an object; empty until its constructor has run.
#[derive(Clone, Default)]
struct State(RefCell<Option<Zone>>);

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
    compare: Some(compare),
    properties: Some(|cx, object, purpose| {
        if purpose == Purpose::Vars {
            return Ok(None);
        }
        let Some(zone) = peek(object) else { return Ok(None) };
        let mut array = cx.engine().plain_properties(object);
        describe(&mut array, &zone);
        Ok(Some(array))
    }),
    ..ClassHooks::NONE
};

/// The zone, if the object has one.
pub fn peek(object: &PObject) -> Option<Zone> {
    object.native::<State>()?.0.borrow().clone()
}

pub fn zone_of(cx: &mut Cx, object: &PObject) -> Res<Zone> {
    peek(object).ok_or_else(|| uninitialized(cx, object))
}

fn set(object: &PObject, zone: Zone) {
    if let Some(state) = object.native::<State>() {
        state.0.replace(Some(zone));
    }
}

pub fn create(cx: &mut Cx, zone: Zone) -> Res<PObject> {
    let class = cx.builtin_class(b"datetimezone");
    let object = cx.new_object(class)?;
    set(&object, zone);
    Ok(object)
}

fn compare(cx: &mut Cx, a: &PObject, b: &PObject) -> Res<Option<i32>> {
    if a.native::<State>().is_none() || b.native::<State>().is_none() {
        return Ok(None);
    }
    let (Some(x), Some(y)) = (peek(a), peek(b)) else {
        return Err(cx.throw("DateObjectError", "Trying to compare uninitialized DateTimeZone objects"));
    };
    let differ = match (&x, &y) {
        (Zone::Offset(x), Zone::Offset(y)) => x != y,
        (Zone::Abbreviation { name: x, .. }, Zone::Abbreviation { name: y, .. }) => x != y,
        (Zone::Id(x), Zone::Id(y)) => x.name != y.name,
        _ => return Err(cx.throw("DateException", "Cannot compare two different kinds of DateTimeZone objects")),
    };
    Ok(Some(i32::from(differ)))
}

fn describe(array: &mut PArray, zone: &Zone) {
    array.set_bytes(b"timezone_type", zone.type_number());
    array.set_bytes(b"timezone", PStr::new(zone.name().as_bytes()));
}

/// The largest offset a zone may have, in seconds.
const OFFSET_MAX: i32 = 99 * 3600 + 59 * 60;

/// The zone that a text names. `Err`: how the message begins.
fn named(text: &[u8]) -> Result<Zone, &'static [u8]> {
    let found = parse_zone(text);
    match found.zone {
        Some(Zone::Offset(offset)) if offset.abs() > OFFSET_MAX => Err(b"Timezone offset is out of range ("),
        Some(zone) if found.found && found.len == text.len() => Ok(zone),
        _ => Err(b"Unknown or bad timezone ("),
    }
}

/// The zone that an argument names. `Err`: the message.
pub fn read(cx: &mut Cx, text: &PStr) -> Res<Result<Zone, PStr>> {
    if text.as_bytes().contains(&0) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    Ok(match named(text.as_bytes()) {
        Ok(zone) => Ok(zone),
        Err(what) => Err([what, text.as_bytes(), b")"].to_str()?),
    })
}

pub fn __construct(cx: &mut Cx, this: &PObject, timezone: &PStr) -> Res<()> {
    match read(cx, timezone)? {
        Ok(zone) => {
            set(this, zone);
            Ok(())
        }
        Err(error) => {
            let message = [&cx.active_function_name(), b"(): ".as_slice(), &error];
            Err(cx.throw("DateInvalidTimeZoneException", message))
        }
    }
}

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(PStr::new(zone_of(cx, this)?.name().as_bytes()))
}

pub fn get_offset(cx: &mut Cx, this: &PObject, datetime: &PObject) -> Res<i64> {
    let zone = zone_of(cx, this)?;
    let sse = state::with(cx, datetime, |time| time.sse)?;
    Ok(i64::from(zone.at(sse).0))
}

pub fn get_transitions(cx: &mut Cx, this: &PObject, begin: i64, end: i64) -> Res<OrFalse<PArray>> {
    let Zone::Id(zone) = zone_of(cx, this)? else { return Ok(OrFalse::FALSE) };
    let utc = Zone::utc();
    let list = zone.transitions(begin, end).into_iter().map(|transition| {
        let time = Time::from_timestamp(transition.ts, 0, utc.clone());
        let mut entry = PArray::new();
        entry.set_bytes(b"ts", transition.ts);
        entry.set_bytes(b"time", short_text(&time, b"x-m-d\\TH:i:sP"));
        entry.set_bytes(b"offset", i64::from(transition.offset));
        entry.set_bytes(b"isdst", transition.is_dst);
        entry.set_bytes(b"abbr", PStr::new(transition.abbreviation.as_bytes()));
        Value::from(entry)
    });
    Ok(OrFalse(Some(PArray::from_values(list))))
}

pub fn get_location(cx: &mut Cx, this: &PObject) -> Res<OrFalse<PArray>> {
    let Zone::Id(zone) = zone_of(cx, this)? else { return Ok(OrFalse::FALSE) };
    let mut array = PArray::new();
    let (country, latitude, longitude, comments) = match zone.location() {
        Some(place) => (place.country_code, place.latitude, place.longitude, place.comments),
        None => ("??", 0.0, 0.0, "?"),
    };
    array.set_bytes(b"country_code", PStr::new(country.as_bytes()));
    array.set_bytes(b"latitude", latitude);
    array.set_bytes(b"longitude", longitude);
    array.set_bytes(b"comments", PStr::new(comments.as_bytes()));
    Ok(OrFalse(Some(array)))
}

pub fn list_abbreviations(_cx: &mut Cx, _class: ClassPtr) -> PArray {
    let mut lists: Vec<(&str, PArray)> = Vec::new();
    for row in timezone::abbreviations() {
        for zone in row.zones() {
            let mut entry = PArray::new();
            entry.set_bytes(b"dst", row.dst);
            entry.set_bytes(b"offset", i64::from(row.offset));
            entry.set_bytes(b"timezone_id", zone.map_or(Value::null(), Value::from));
            // Rows of one abbreviation mostly stand together.
            match lists.iter_mut().rev().find(|(name, _)| *name == row.name) {
                Some((_, list)) => list.append(entry),
                None => lists.push((row.name, PArray::from_values([Value::from(entry)]))),
            }
        }
    }
    let mut array = PArray::new();
    for (name, list) in lists {
        array.set_bytes(name.as_bytes(), list);
    }
    array
}

/// The groups of identifiers: bit of the constant, and how they begin.
const GROUPS: [(i64, &str); 11] = [
    (1, "Africa/"),
    (2, "America/"),
    (4, "Antarctica/"),
    (8, "Arctic/"),
    (16, "Asia/"),
    (32, "Atlantic/"),
    (64, "Australia/"),
    (128, "Europe/"),
    (256, "Indian/"),
    (512, "Pacific/"),
    (1024, "UTC"),
];
const ALL_WITH_BC: i64 = 4095;
const PER_COUNTRY: i64 = 4096;

pub fn list_identifiers(cx: &mut Cx, _class: ClassPtr, group: i64, country: Option<&PStr>) -> Res<PArray> {
    let names: Vec<&str> = match (group, country) {
        (PER_COUNTRY, Some(code)) if code.len() == 2 => timezone::identifiers_of_country(code.as_bytes()),
        (PER_COUNTRY, _) => {
            let message = "must be a two-letter ISO 3166-1 compatible country code when argument #1 ($timezoneGroup) is DateTimeZone::PER_COUNTRY";
            return Err(cx.arg_value_error(2, message));
        }
        (ALL_WITH_BC, _) => timezone::all_identifiers(),
        _ => {
            let wanted = |name: &&str| GROUPS.iter().any(|(bit, prefix)| group & bit != 0 && name.starts_with(prefix));
            timezone::identifiers().filter(wanted).collect()
        }
    };
    Ok(PArray::from_values(names.into_iter().map(Value::from)))
}

// ---- serialization

/// The zone that the members of a serialized object describe.
fn described(data: &PArray) -> Option<Zone> {
    let kind = data.get_bytes(b"timezone_type")?.deref().as_int()?;
    let text = data.get_bytes(b"timezone")?.deref().as_str()?;
    let zone = match kind {
        3 => Zone::Id(TimeZone::get(text.as_bytes())?),
        _ => named(text.as_bytes()).ok()?,
    };
    (zone.type_number() == kind).then_some(zone)
}

pub fn __serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let zone = zone_of(cx, this)?;
    let mut array = PArray::new();
    describe(&mut array, &zone);
    for (key, value) in &cx.engine().plain_properties(this) {
        array.set(key.to_key(), value.clone());
    }
    Ok(array)
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    let Some(zone) = described(data) else { return Err(invalid_data(cx, ClassPtr::of(this))) };
    set(this, zone);
    restore_properties(cx, this, data, &[b"timezone_type", b"timezone"])
}

pub fn __wakeup(cx: &mut Cx, this: &PObject) -> Res<()> {
    let properties = cx.engine().plain_properties(this);
    let Some(zone) = described(&properties) else { return Err(invalid_data(cx, ClassPtr::of(this))) };
    set(this, zone);
    Ok(())
}

pub fn __set_state(cx: &mut Cx, _class: ClassPtr, array: &PArray) -> Res<PObject> {
    match described(array) {
        Some(zone) => create(cx, zone),
        None => {
            let class = cx.builtin_class(b"datetimezone");
            Err(invalid_data(cx, class))
        }
    }
}
