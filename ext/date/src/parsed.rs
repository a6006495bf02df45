//! What a date string says, as `date_parse()` tells it, and the errors of the last string.

use crate::core::parse::{Message, Messages, Parsed};
use crate::core::time::{DayOf, Special};
use crate::core::timezone::Zone;
use jumbo_abi::{Cx, PArray, PStr, Value};

/// Warnings and errors of the last string that made or changed a date object; absent: there were none.
#[derive(Default)]
struct LastErrors(Option<(Messages, Messages)>);

/// Keeps what was wrong with a string for getLastErrors: it is taken out of what the string says.
pub fn remember(cx: &mut Cx, parsed: &mut Parsed) {
    let (warnings, errors) = (std::mem::take(&mut parsed.warnings), std::mem::take(&mut parsed.errors));
    let clean = warnings.is_empty() && errors.is_empty();
    cx.state::<LastErrors>().0 = (!clean).then_some((warnings, errors));
}

/// `DateTime::getLastErrors()`: false when there is nothing to tell.
pub fn last_errors(cx: &mut Cx) -> Value {
    let Some((warnings, errors)) = &cx.state::<LastErrors>().0 else { return Value::FALSE };
    let mut array = PArray::new();
    add_messages(&mut array, warnings, errors);
    Value::from(array)
}

fn add_messages(array: &mut PArray, warnings: &[Message], errors: &[Message]) {
    let by_position = |list: &[Message]| {
        let mut array = PArray::new();
        for (at, text) in list {
            array.set_int(*at as i64, PStr::new(text.as_bytes()));
        }
        array
    };
    array.set_bytes(b"warning_count", warnings.len() as i64);
    array.set_bytes(b"warnings", by_position(warnings));
    array.set_bytes(b"error_count", errors.len() as i64);
    array.set_bytes(b"errors", by_position(errors));
}

/// The array of `date_parse()`.
pub fn array(p: &Parsed) -> PArray {
    let mut array = PArray::new();
    let fields = [("year", p.y), ("month", p.m), ("day", p.d), ("hour", p.h), ("minute", p.i), ("second", p.s)];
    for (name, field) in fields {
        array.set_bytes(name.as_bytes(), field.map_or(Value::FALSE, Value::from));
    }
    array.set_bytes(b"fraction", p.us.map_or(Value::FALSE, |us| Value::from(us as f64 / 1e6)));
    add_messages(&mut array, &p.warnings, &p.errors);
    array.set_bytes(b"is_localtime", p.is_localtime);
    if p.is_localtime {
        array.set_bytes(b"zone_type", p.zone.as_ref().map_or(0, Zone::type_number));
        match &p.zone {
            Some(Zone::Offset(offset)) => {
                array.set_bytes(b"zone", i64::from(*offset));
                array.set_bytes(b"is_dst", false);
            }
            Some(Zone::Abbreviation { offset, dst, name }) => {
                array.set_bytes(b"zone", i64::from(*offset));
                array.set_bytes(b"is_dst", *dst);
                array.set_bytes(b"tz_abbr", PStr::new(name.as_bytes()));
            }
            Some(Zone::Id(zone)) => {
                if let Some(name) = &p.zone_abbreviation {
                    array.set_bytes(b"tz_abbr", PStr::new(name.as_bytes()));
                }
                array.set_bytes(b"tz_id", PStr::new(zone.name.as_bytes()));
            }
            None => {}
        }
    }
    if p.have_relative {
        array.set_bytes(b"relative", relative(p));
    }
    array
}

fn relative(p: &Parsed) -> PArray {
    let r = &p.relative;
    let mut array = PArray::new();
    let counts = [("year", r.y), ("month", r.m), ("day", r.d), ("hour", r.h), ("minute", r.i), ("second", r.s)];
    for (name, count) in counts {
        array.set_bytes(name.as_bytes(), count);
    }
    if let Some(weekday) = r.weekday {
        array.set_bytes(b"weekday", weekday);
    }
    if let Some(Special::Weekdays(count)) = r.special {
        array.set_bytes(b"weekdays", count);
    }
    match r.day_of {
        Some(DayOf::First) => array.set_bytes(b"first_day_of_month", true),
        Some(DayOf::Last) => array.set_bytes(b"last_day_of_month", true),
        None => {}
    }
    array
}

/// `at position 3 (x): …`: the first error of a string, as messages tell it.
pub fn first_error(text: &[u8], p: &Parsed) -> Option<Vec<u8>> {
    let (at, message) = *p.errors.first()?;
    // Positions count from the first byte that is not white space.
    let missing = if text.is_empty() { b' ' } else { 0 };
    let byte = text.trim_ascii_start().get(at).copied().unwrap_or(missing);
    Some([format!(" at position {at} (").as_bytes(), &[byte], b"): ", message.as_bytes()].concat())
}
