//! Conversions between kinds, and the arithmetic that overflows to float. Objects are the engine's: it decides before it asks here.

use crate::number::{self, Number};
use crate::raw::{Kind, Raw};
use crate::string::PStr;
use crate::value::{Value, View};

/// `(bool)`; objects are true (the engine asks those with a cast of their own first).
#[inline]
pub fn to_bool(value: &Value) -> bool {
    match value.view() {
        View::Undef | View::Null => false,
        View::Bool(b) => b,
        View::Int(i) => i != 0,
        View::Float(f) => f != 0.0,
        View::Str(s) => str_to_bool(s.as_bytes()),
        View::Array(a) => !a.is_empty(),
        View::Object(_) | View::Resource(_) => true,
        View::Ref(r) => r.with(to_bool),
    }
}

#[inline]
pub fn str_to_bool(s: &[u8]) -> bool {
    !matches!(s, [] | [b'0'])
}

/// `(int)` without warnings; arrays give 0 or 1, objects 1.
pub fn to_int(value: &Value) -> i64 {
    match value.view() {
        View::Undef | View::Null => 0,
        View::Bool(b) => b as i64,
        View::Int(i) => i,
        View::Float(f) => number::float_to_int(f),
        View::Str(s) => number::str_to_int(s.as_bytes()),
        View::Array(a) => !a.is_empty() as i64,
        View::Object(_) => 1,
        View::Resource(r) => r.id(),
        View::Ref(r) => r.with(to_int),
    }
}

/// `(float)` without warnings.
pub fn to_float(value: &Value) -> f64 {
    match value.view() {
        View::Float(f) => f,
        View::Str(s) => number::str_to_float(s.as_bytes()),
        View::Ref(r) => r.with(to_float),
        _ => to_int(value) as f64,
    }
}

/// Text of a scalar; None for arrays and objects. `precision` is PHP's setting of that name.
pub fn scalar_to_string(value: &Value, precision: i64) -> Option<PStr> {
    Some(match value.view() {
        View::Undef | View::Null | View::Bool(false) => PStr::empty(),
        View::Bool(true) => PStr::single_byte(b'1'),
        View::Int(i) => int_to_string(i),
        View::Float(f) => PStr::new(&number::float_to_string(f, precision)),
        View::Str(s) => s.clone(),
        View::Resource(r) => PStr::new(format!("Resource id #{}", r.id()).as_bytes()),
        View::Ref(r) => return r.with(|v| scalar_to_string(v, precision)),
        View::Array(_) | View::Object(_) => return None,
    })
}

/// Decimal text of an int.
pub fn int_to_string(i: i64) -> PStr {
    if (0..10).contains(&i) {
        return PStr::single_byte(b'0' + i as u8);
    }
    let mut buffer = [0u8; 20];
    let text = write_int(&mut buffer, i);
    PStr::new(text)
}

/// Decimal text of an int in a buffer on the stack.
pub fn write_int(buffer: &mut [u8; 20], i: i64) -> &[u8] {
    let mut at = buffer.len();
    let mut n = i.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    if i < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    &buffer[at..]
}

/// The number a scalar is in arithmetic; None for what is not a plain number (strings with trailing data, arrays, objects).
#[inline]
pub fn scalar_number(raw: Raw) -> Option<Number> {
    match raw.kind() {
        Kind::Undef | Kind::Null | Kind::False => Some(Number::Int(0)),
        Kind::True => Some(Number::Int(1)),
        Kind::Int => Some(Number::Int(raw.as_int())),
        Kind::Float => Some(Number::Float(raw.as_float())),
        // SAFETY: the tag says it is a live string.
        Kind::String => number::parse_numeric(unsafe { raw.as_str() }.as_bytes()),
        _ => None,
    }
}

pub fn add(a: Number, b: Number) -> Raw {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => match x.checked_add(y) {
            Some(n) => Raw::int(n),
            None => Raw::float(x as f64 + y as f64),
        },
        _ => Raw::float(a.to_f64() + b.to_f64()),
    }
}

pub fn sub(a: Number, b: Number) -> Raw {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => match x.checked_sub(y) {
            Some(n) => Raw::int(n),
            None => Raw::float(x as f64 - y as f64),
        },
        _ => Raw::float(a.to_f64() - b.to_f64()),
    }
}

pub fn mul(a: Number, b: Number) -> Raw {
    match (a, b) {
        (Number::Int(x), Number::Int(y)) => match x.checked_mul(y) {
            Some(n) => Raw::int(n),
            None => Raw::float(x as f64 * y as f64),
        },
        _ => Raw::float(a.to_f64() * b.to_f64()),
    }
}

/// `/`; None: division by zero.
pub fn div(a: Number, b: Number) -> Option<Raw> {
    match (a, b) {
        (_, Number::Int(0)) => None,
        (Number::Int(x), Number::Int(y)) => Some(match (x.checked_rem(y), x.checked_div(y)) {
            (Some(0), Some(q)) => Raw::int(q),
            _ => Raw::float(x as f64 / y as f64),
        }),
        _ if b.to_f64() == 0.0 => None,
        _ => Some(Raw::float(a.to_f64() / b.to_f64())),
    }
}

/// `**`.
pub fn pow(a: Number, b: Number) -> Raw {
    match (a, b) {
        (Number::Int(base), Number::Int(exponent @ 0..)) => int_pow(base, exponent),
        _ => Raw::float(a.to_f64().powf(b.to_f64())),
    }
}

/// By squaring in ints; what overflows goes on in floats from there, which decides the last digits and the sign.
fn int_pow(base: i64, exponent: i64) -> Raw {
    let (mut result, mut square, mut left) = (1i64, base, exponent);
    if left == 0 {
        return Raw::int(1);
    }
    if base == 0 {
        return Raw::int(0);
    }
    loop {
        if left % 2 == 1 {
            left -= 1;
            match result.checked_mul(square) {
                Some(product) => result = product,
                None => return Raw::float(result as f64 * square as f64 * (square as f64).powf(left as f64)),
            }
        } else {
            left /= 2;
            match square.checked_mul(square) {
                Some(product) => square = product,
                None => {
                    let square = square as f64 * square as f64;
                    return Raw::float(result as f64 * square.powf(left as f64));
                }
            }
        }
        if left == 0 {
            return Raw::int(result);
        }
    }
}
