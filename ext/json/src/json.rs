//! The json_* functions and the state of the last error.

use crate::{decode, encode};
use jumbo_abi::{Cx, OrFalse, PStr, Res, Stop, Value};

pub const OBJECT_AS_ARRAY: i64 = 1;
pub const PARTIAL_OUTPUT: i64 = 512;
pub const THROW: i64 = 4_194_304;

/// JSON_ERROR_*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(i64)]
pub enum Error {
    #[default]
    None = 0,
    Depth = 1,
    StateMismatch = 2,
    ControlCharacter = 3,
    Syntax = 4,
    Utf8 = 5,
    Recursion = 6,
    InfOrNan = 7,
    UnsupportedType = 8,
    InvalidPropertyName = 9,
    Utf16 = 10,
    NonBackedEnum = 11,
}

impl Error {
    pub fn message(self) -> &'static str {
        match self {
            Error::None => "No error",
            Error::Depth => "Maximum stack depth exceeded",
            Error::StateMismatch => "State mismatch (invalid or malformed JSON)",
            Error::ControlCharacter => "Control character error, possibly incorrectly encoded",
            Error::Syntax => "Syntax error",
            Error::Utf8 => "Malformed UTF-8 characters, possibly incorrectly encoded",
            Error::Recursion => "Recursion detected",
            Error::InfOrNan => "Inf and NaN cannot be JSON encoded",
            Error::UnsupportedType => "Type is not supported",
            Error::InvalidPropertyName => "The decoded property name is invalid",
            Error::Utf16 => "Single unpaired UTF-16 surrogate in unicode escape",
            Error::NonBackedEnum => "Non-backed enums have no default serialization",
        }
    }
}

#[derive(Default)]
struct LastError(Error);

fn throw(cx: &mut Cx, error: Error) -> Stop {
    let stop = cx.throw("JsonException", error.message());
    if let Some(e) = &cx.exception {
        // Slot 2 of every Exception is its code.
        e.set_slot(2, Value::from(error as i64));
    }
    stop
}

pub fn json_encode(cx: &mut Cx, value: &Value, flags: i64, depth: i64) -> Res<OrFalse<PStr>> {
    // PHP keeps the depth in 32 bits.
    let mut encoder = encode::Encoder::new(flags, i64::from(depth as i32));
    let done = encoder.value(cx, value, 0);
    let error = match done {
        Ok(()) => encoder.error,
        Err(encode::Abort::Stop(stop)) => return Err(stop),
        Err(encode::Abort::Error(e)) => e,
    };
    // Partial output and exceptions exclude each other: the former wins.
    if flags & THROW != 0 && flags & PARTIAL_OUTPUT == 0 {
        if error != Error::None {
            return Err(throw(cx, error));
        }
        return Ok(OrFalse(Some(encoder.out.finish())));
    }
    cx.state::<LastError>().0 = error;
    if error != Error::None && flags & PARTIAL_OUTPUT == 0 {
        return Ok(OrFalse::FALSE);
    }
    Ok(OrFalse(Some(encoder.out.finish())))
}

fn check_depth(cx: &mut Cx, n: u32, depth: i64) -> Res<()> {
    if depth <= 0 {
        return Err(cx.arg_value_error(n, "must be greater than 0"));
    }
    if depth > i64::from(i32::MAX) {
        return Err(cx.arg_value_error(n, "must be less than 2147483647"));
    }
    Ok(())
}

pub fn json_decode(cx: &mut Cx, json: &PStr, associative: Option<bool>, depth: i64, flags: i64) -> Res<Value> {
    if flags & THROW == 0 {
        cx.state::<LastError>().0 = Error::None;
    }
    if json.is_empty() {
        if flags & THROW != 0 {
            return Err(throw(cx, Error::Syntax));
        }
        cx.state::<LastError>().0 = Error::Syntax;
        return Ok(Value::null());
    }
    check_depth(cx, 3, depth)?;
    let arrays = associative.unwrap_or(flags & OBJECT_AS_ARRAY != 0);
    match decode::decode(cx, json.as_bytes(), arrays, depth as usize, flags)? {
        Ok(value) => Ok(value),
        Err(error) => {
            if flags & THROW != 0 {
                return Err(throw(cx, error));
            }
            cx.state::<LastError>().0 = error;
            Ok(Value::null())
        }
    }
}

pub fn json_validate(cx: &mut Cx, json: &PStr, depth: i64, flags: i64) -> Res<bool> {
    if flags != 0 && flags != decode::INVALID_UTF8_IGNORE {
        return Err(cx.arg_value_error(3, "must be a valid flag (allowed flags: JSON_INVALID_UTF8_IGNORE)"));
    }
    if json.is_empty() {
        cx.state::<LastError>().0 = Error::Syntax;
        return Ok(false);
    }
    check_depth(cx, 2, depth)?;
    let answer = decode::decode(cx, json.as_bytes(), true, depth as usize, flags)?;
    let error = answer.err().unwrap_or(Error::None);
    cx.state::<LastError>().0 = error;
    Ok(error == Error::None)
}

pub fn json_last_error(cx: &mut Cx) -> i64 {
    cx.state::<LastError>().0 as i64
}

pub fn json_last_error_msg(cx: &mut Cx) -> PStr {
    PStr::new(cx.state::<LastError>().0.message().as_bytes())
}
