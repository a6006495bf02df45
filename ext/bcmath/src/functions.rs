//! `bcadd` and its family: decimal numbers as strings.

use crate::decimal::{Decimal, Rounding, pow_mod};
use jumbo_abi::{Cx, PArray, PObject, PStr, Res, Stop, Value, Work};

/// The largest scale.
pub const SCALE_MAX: i64 = i32::MAX as i64;

/// `ini_set("bcmath.scale", …)`
pub fn scale_changed(_cx: &mut Cx, value: &[u8]) -> bool {
    (0..=SCALE_MAX).contains(&jumbo_abi::ini::parse_quantity(value))
}

/// The scale that argument `n` says, or the setting.
fn scale(cx: &mut Cx, scale: Option<i64>, n: u32) -> Res<u32> {
    let scale = match scale {
        Some(scale) => scale,
        None => cx.ini.int("bcmath.scale").clamp(0, SCALE_MAX),
    };
    checked_scale(cx, scale, n)
}

/// A scale that argument `n` says.
pub fn checked_scale(cx: &mut Cx, scale: i64, n: u32) -> Res<u32> {
    match u32::try_from(scale) {
        Ok(scale) if i64::from(scale) <= SCALE_MAX => Ok(scale),
        _ => Err(cx.arg_value_error(n, "must be between 0 and 2147483647")),
    }
}

/// The number that argument `n` says.
fn number(cx: &mut Cx, text: &PStr, n: u32) -> Res<Decimal> {
    // A number ends at its first NUL byte.
    match Decimal::parse(&mut Work::new(cx), jumbo_value::string::up_to_nul(text))? {
        Some(number) => Ok(number),
        None => Err(cx.arg_value_error(n, "is not well-formed")),
    }
}

pub fn division_by_zero(cx: &mut Cx) -> Stop {
    cx.throw("DivisionByZeroError", "Division by zero")
}

pub fn modulo_by_zero(cx: &mut Cx) -> Stop {
    cx.throw("DivisionByZeroError", "Modulo by zero")
}

/// The rounding that a case of `RoundingMode` asks for; `n`: number of the argument.
pub fn rounding(cx: &mut Cx, mode: Option<&PObject>, n: u32) -> Res<Rounding> {
    let Some(mode) = mode else { return Ok(Rounding::HalfAwayFromZero) };
    let name = cx.read_property(mode, b"name")?;
    match name.as_bytes().and_then(Rounding::named) {
        Some(rounding) => Ok(rounding),
        None => Err(cx.arg_value_error(n, "must be a valid rounding mode (RoundingMode::*)")),
    }
}

/// A precision for `round`.
pub fn precision(cx: &mut Cx, precision: i64, n: u32) -> Res<i32> {
    match i32::try_from(precision) {
        Ok(precision) => Ok(precision),
        // What is left of the number is zero by then.
        Err(_) if precision < 0 => Ok(i32::MIN),
        Err(_) => Err(cx.arg_value_error(n, "must be between -9223372036854775808 and 2147483647")),
    }
}

/// An operation on two numbers whose result is cut to the scale.
fn calculate(cx: &mut Cx, num1: &PStr, num2: &PStr, given: Option<i64>, operation: fn(&mut Work, &Decimal, &Decimal) -> Res<Decimal>) -> Res<PStr> {
    let scale = scale(cx, given, 3)?;
    let (a, b) = (number(cx, num1, 1)?, number(cx, num2, 2)?);
    let work = &mut Work::new(cx);
    operation(work, &a, &b)?.text(work, scale)
}

pub fn bcadd(cx: &mut Cx, num1: &PStr, num2: &PStr, scale: Option<i64>) -> Res<PStr> {
    calculate(cx, num1, num2, scale, |work, a, b| a.add(work, b))
}

pub fn bcsub(cx: &mut Cx, num1: &PStr, num2: &PStr, scale: Option<i64>) -> Res<PStr> {
    calculate(cx, num1, num2, scale, |work, a, b| a.sub(work, b))
}

pub fn bcmul(cx: &mut Cx, num1: &PStr, num2: &PStr, scale: Option<i64>) -> Res<PStr> {
    calculate(cx, num1, num2, scale, |work, a, b| a.mul(work, b))
}

pub fn bcdiv(cx: &mut Cx, num1: &PStr, num2: &PStr, given: Option<i64>) -> Res<PStr> {
    let scale = scale(cx, given, 3)?;
    let (a, b) = (number(cx, num1, 1)?, number(cx, num2, 2)?);
    match a.div(&mut Work::new(cx), &b, scale)? {
        Some(result) => result.text(&mut Work::new(cx), scale),
        None => Err(division_by_zero(cx)),
    }
}

pub fn bcmod(cx: &mut Cx, num1: &PStr, num2: &PStr, given: Option<i64>) -> Res<PStr> {
    let scale = scale(cx, given, 3)?;
    let (a, b) = (number(cx, num1, 1)?, number(cx, num2, 2)?);
    match a.div_mod(&mut Work::new(cx), &b)? {
        Some((_, rest)) => rest.text(&mut Work::new(cx), scale),
        None => Err(modulo_by_zero(cx)),
    }
}

pub fn bcdivmod(cx: &mut Cx, num1: &PStr, num2: &PStr, given: Option<i64>) -> Res<PArray> {
    let scale = scale(cx, given, 3)?;
    let (a, b) = (number(cx, num1, 1)?, number(cx, num2, 2)?);
    match a.div_mod(&mut Work::new(cx), &b)? {
        Some((quotient, rest)) => Ok(PArray::from_values([Value::from(quotient.text(&mut Work::new(cx), 0)?), Value::from(rest.text(&mut Work::new(cx), scale)?)])),
        None => Err(division_by_zero(cx)),
    }
}

pub fn bcpowmod(cx: &mut Cx, num: &PStr, exponent: &PStr, modulus: &PStr, given: Option<i64>) -> Res<PStr> {
    let scale = scale(cx, given, 4)?;
    let base = number(cx, num, 1)?;
    let exponent = number(cx, exponent, 2)?;
    let modulus = number(cx, modulus, 3)?;
    if base.has_fraction(&mut Work::new(cx))? {
        return Err(cx.arg_value_error(1, "cannot have a fractional part"));
    }
    if exponent.has_fraction(&mut Work::new(cx))? {
        return Err(cx.arg_value_error(2, "cannot have a fractional part"));
    }
    if exponent.is_negative() {
        return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
    }
    if modulus.has_fraction(&mut Work::new(cx))? {
        return Err(cx.arg_value_error(3, "cannot have a fractional part"));
    }
    if modulus.is_zero() {
        return Err(modulo_by_zero(cx));
    }
    pow_mod(&mut Work::new(cx), &base, &exponent, &modulus)?.text(&mut Work::new(cx), scale)
}

pub fn bcpow(cx: &mut Cx, num: &PStr, exponent: &PStr, given: Option<i64>) -> Res<PStr> {
    let scale = scale(cx, given, 3)?;
    let (base, exponent) = (number(cx, num, 1)?, number(cx, exponent, 2)?);
    if exponent.has_fraction(&mut Work::new(cx))? {
        return Err(cx.arg_value_error(2, "cannot have a fractional part"));
    }
    let Some(exponent) = exponent.to_i64(&mut Work::new(cx))?.filter(|n| *n != i64::MIN) else {
        return Err(cx.arg_value_error(2, "is too large"));
    };
    if exponent >= 0 {
        return base.pow(&mut Work::new(cx), exponent.unsigned_abs())?.text(&mut Work::new(cx), scale);
    }
    match base.pow_negative(&mut Work::new(cx), exponent.unsigned_abs(), scale)? {
        Some(result) => result.text(&mut Work::new(cx), scale),
        None => Err(cx.throw("DivisionByZeroError", "Negative power of zero")),
    }
}

pub fn bcsqrt(cx: &mut Cx, num: &PStr, given: Option<i64>) -> Res<PStr> {
    let scale = scale(cx, given, 2)?;
    let number = number(cx, num, 1)?;
    if number.is_negative() {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    }
    number.sqrt(&mut Work::new(cx), scale)?.text(&mut Work::new(cx), scale)
}

pub fn bccomp(cx: &mut Cx, num1: &PStr, num2: &PStr, given: Option<i64>) -> Res<i64> {
    let scale = scale(cx, given, 3)?;
    let (a, b) = (number(cx, num1, 1)?, number(cx, num2, 2)?);
    let work = &mut Work::new(cx);
    let (a, b) = (a.cut(work, scale)?, b.cut(work, scale)?);
    Ok(a.compare(work, &b)? as i64)
}

pub fn bcscale(cx: &mut Cx, scale: Option<i64>) -> Res<i64> {
    let old = cx.ini.int("bcmath.scale");
    if let Some(scale) = scale {
        let scale = checked_scale(cx, scale, 1)?;
        cx.call_builtin("ini_set", &[Value::bytes(b"bcmath.scale"), Value::from(i64::from(scale))])?;
    }
    Ok(old)
}

pub fn bcfloor(cx: &mut Cx, num: &PStr) -> Res<PStr> {
    let number = number(cx, num, 1)?;
    number.floor(&mut Work::new(cx))?.text(&mut Work::new(cx), 0)
}

pub fn bcceil(cx: &mut Cx, num: &PStr) -> Res<PStr> {
    let number = number(cx, num, 1)?;
    number.ceil(&mut Work::new(cx))?.text(&mut Work::new(cx), 0)
}

pub fn bcround(cx: &mut Cx, num: &PStr, digits: i64, mode: Option<&PObject>) -> Res<PStr> {
    let digits = precision(cx, digits, 2)?;
    let mode = rounding(cx, mode, 3)?;
    let number = number(cx, num, 1)?;
    number.round(&mut Work::new(cx), digits, mode)?.text(&mut Work::new(cx), u32::try_from(digits).unwrap_or(0))
}
