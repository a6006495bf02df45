//! Numbers: rounding, powers, logarithms, trigonometry, minimum and maximum, bases, number_format.

use crate::rounding::{self, Mode};
use jumbo_abi::{Cx, Level, PArray, PStr, Res, Value, View, args};
use jumbo_value::{PStrBuilder, convert};
use jumbo_value::number::{self, Number};

pub fn infinity() -> Value {
    Value::from(f64::INFINITY)
}

pub fn not_a_number() -> Value {
    Value::from(f64::NAN)
}

/// What an `int|float` parameter holds after its coercion.
fn number_of(value: &Value) -> Number {
    match value.view_deref() {
        View::Float(f) => Number::Float(f),
        _ => Number::Int(jumbo_value::convert::to_int(value)),
    }
}

pub fn abs(_cx: &mut Cx, num: &Value) -> Value {
    match number_of(num) {
        Number::Int(i) => i.checked_abs().map_or_else(|| Value::from(-(i as f64)), Value::from),
        Number::Float(f) => Value::from(f.abs()),
    }
}

pub fn ceil(_cx: &mut Cx, num: &Value) -> f64 {
    number_of(num).to_f64().ceil()
}

pub fn floor(_cx: &mut Cx, num: &Value) -> f64 {
    number_of(num).to_f64().floor()
}

/// The mode that a `RoundingMode|int` argument means.
fn mode_of(cx: &mut Cx, mode: &Value, n: u32) -> Res<Mode> {
    let mode = match mode.view_deref() {
        View::Object(case) => {
            let case = case.clone();
            let name = cx.read_property(&case, b"name")?;
            name.as_bytes().and_then(Mode::from_name)
        }
        View::Int(i) => Mode::from_constant(i),
        _ => None,
    };
    mode.ok_or_else(|| cx.arg_value_error(n, "must be a valid rounding mode (RoundingMode::*)"))
}

pub fn round(cx: &mut Cx, num: &Value, precision: i64, mode: Option<&Value>) -> Res<f64> {
    let mode = match mode {
        Some(mode) => mode_of(cx, mode, 3)?,
        None => Mode::HalfAwayFromZero,
    };
    Ok(match number_of(num) {
        Number::Int(i) if precision >= 0 => i as f64,
        Number::Int(i) => rounding::round(i as f64, precision, mode),
        Number::Float(f) => rounding::round(f, precision, mode),
    })
}

// ---- powers and division

pub fn sqrt(_cx: &mut Cx, num: f64) -> f64 {
    num.sqrt()
}

/// An operand of `**`.
fn power_operand(cx: &mut Cx, value: &Value) -> Res<Option<Number>> {
    Ok(Some(match value.view_deref() {
        View::Int(i) => Number::Int(i),
        View::Float(f) => Number::Float(f),
        View::Null | View::Undef => Number::Int(0),
        View::Bool(b) => Number::Int(b as i64),
        View::Str(s) => match number::parse_prefix(s.as_bytes()) {
            Some(n) => {
                if n.trailing {
                    cx.raise(Level::Warning, b"A non-numeric value encountered")?;
                }
                n.number
            }
            None => return Ok(None),
        },
        View::Array(_) | View::Object(_) | View::Resource(_) | View::Ref(_) => return Ok(None),
    }))
}

pub fn pow(cx: &mut Cx, num: &Value, exponent: &Value) -> Res<Value> {
    let base = power_operand(cx, num)?;
    let power = match base {
        Some(_) => power_operand(cx, exponent)?,
        None => None,
    };
    match (base, power) {
        (Some(base), Some(power)) => {
            if base.to_f64() == 0.0 && power.to_f64() < 0.0 {
                cx.raise(Level::Deprecated, b"Power of base 0 and negative exponent is deprecated")?;
            }
            Ok(power_of(base, power))
        }
        _ => {
            // Operators call both of its values bool.
            let name = |value: &Value| match value.view_deref() {
                View::Bool(_) => b"bool".to_vec(),
                _ => args::type_name(value),
            };
            let (left, right) = (name(num), name(exponent));
            Err(cx.type_error([b"Unsupported operand types: ".as_slice(), &left, b" ** ", &right]))
        }
    }
}

fn power_of(base: Number, exponent: Number) -> Value {
    let raw = jumbo_value::convert::pow(base, exponent);
    match raw.kind() {
        jumbo_value::Kind::Int => Value::from(raw.as_int()),
        _ => Value::from(raw.as_float()),
    }
}

pub fn fpow(_cx: &mut Cx, num: f64, exponent: f64) -> f64 {
    num.powf(exponent)
}

pub fn intdiv(cx: &mut Cx, num1: i64, num2: i64) -> Res<i64> {
    match num1.checked_div(num2) {
        Some(quotient) => Ok(quotient),
        None if num2 == 0 => Err(cx.throw("DivisionByZeroError", "Division by zero")),
        None => Err(cx.throw("ArithmeticError", "Division of PHP_INT_MIN by -1 is not an integer")),
    }
}

pub fn fmod(_cx: &mut Cx, num1: f64, num2: f64) -> f64 {
    num1 % num2
}

pub fn fdiv(_cx: &mut Cx, num1: f64, num2: f64) -> f64 {
    num1 / num2
}

// ---- minimum and maximum

fn compare(cx: &mut Cx, a: &Value, b: &Value) -> Res<i32> {
    match (a.view(), b.view()) {
        (View::Int(x), View::Int(y)) => Ok(x.cmp(&y) as i32),
        _ => cx.compare(a, b),
    }
}

/// The elements of the one array that min or max was given.
fn only_array(cx: &mut Cx, value: &Value) -> Res<PArray> {
    let Some(array) = value.deref().as_array() else {
        let given = args::type_name(value);
        return Err(cx.arg_type_error(1, [b"must be of type array, ".as_slice(), &given, b" given"]));
    };
    if array.is_empty() {
        return Err(cx.arg_value_error(1, "must contain at least one element"));
    }
    Ok(array.clone())
}

/// The first of equal values is the minimum, but of two arguments of a direct call the second: PHP compiles that to an opcode.
pub fn min(cx: &mut Cx, value: &Value, values: &[Value]) -> Res<Value> {
    if values.is_empty() {
        let array = only_array(cx, value)?;
        let mut least = Value::NULL;
        for (n, value) in array.values().enumerate() {
            let value = value.copy_deref();
            if n == 0 || compare(cx, &least, &value)? > 0 {
                least = value;
            }
        }
        return Ok(least);
    }
    let mut least = value.copy_deref();
    if let [other] = values
        && cx.engine().is_frameless_call(cx)
    {
        let other = other.copy_deref();
        return Ok(if compare(cx, &least, &other)? < 0 { least } else { other });
    }
    for value in values {
        let value = value.copy_deref();
        if compare(cx, &value, &least)? < 0 {
            least = value;
        }
    }
    Ok(least)
}

fn is_number(value: &Value) -> bool {
    matches!(value.view(), View::Int(_) | View::Float(_))
}

/// Is `a` greater, of numbers only? NAN is not, and nothing is greater than it.
fn is_greater(a: &Value, b: &Value) -> bool {
    match (a.view(), b.view()) {
        (View::Int(x), View::Int(y)) => x > y,
        _ => convert::to_float(a) > convert::to_float(b),
    }
}

/// The first of equal values is the maximum. What has no order is greater than what came before, but NAN among numbers is not. Of two
/// arguments of a direct call (an opcode in PHP) the first is kept when there is no order, and the second when one of them is NAN.
pub fn max(cx: &mut Cx, value: &Value, values: &[Value]) -> Res<Value> {
    if values.is_empty() {
        let array = only_array(cx, value)?;
        let mut greatest = Value::NULL;
        for (n, value) in array.values().enumerate() {
            let value = value.copy_deref();
            if n == 0 || compare(cx, &greatest, &value)? < 0 {
                greatest = value;
            }
        }
        return Ok(greatest);
    }
    let mut greatest = value.copy_deref();
    if let [other] = values
        && cx.engine().is_frameless_call(cx)
    {
        let other = other.copy_deref();
        let keeps = match is_number(&greatest) && is_number(&other) {
            true => is_greater(&greatest, &other) || compare(cx, &greatest, &other)? == 0,
            false => compare(cx, &greatest, &other)? >= 0,
        };
        return Ok(if keeps { greatest } else { other });
    }
    let mut numbers = is_number(&greatest);
    for value in values {
        let value = value.copy_deref();
        numbers = numbers && is_number(&value);
        if if numbers { is_greater(&value, &greatest) } else { compare(cx, &value, &greatest)? > 0 } {
            greatest = value;
        }
    }
    Ok(greatest)
}

// ---- functions of one float

macro_rules! of_float {
    ($($name:ident = $function:expr;)*) => {
        $(pub fn $name(_cx: &mut Cx, num: f64) -> f64 {
            let function: fn(f64) -> f64 = $function;
            function(num)
        })*
    };
}
of_float! {
    sin = f64::sin;
    cos = f64::cos;
    tan = f64::tan;
    asin = f64::asin;
    acos = f64::acos;
    atan = f64::atan;
    sinh = f64::sinh;
    cosh = f64::cosh;
    tanh = f64::tanh;
    asinh = inverse_sinh;
    acosh = inverse_cosh;
    atanh = inverse_tanh;
    exp = f64::exp;
    log10 = f64::log10;
    log1p = f64::ln_1p;
    expm1 = f64::exp_m1;
    deg2rad = |degrees| degrees / 180.0 * std::f64::consts::PI;
    rad2deg = |radians| radians / std::f64::consts::PI * 180.0;
}

// The inverse hyperbolic functions with the formulas of the C library that stock PHP uses: the standard library's are as good, but
// differ in the last bit.

/// Above 2^28 the ones under the roots are lost.
const LARGE: f64 = 268_435_456.0;

fn inverse_sinh(x: f64) -> f64 {
    let size = x.abs();
    if size < 1.0 / LARGE || !size.is_finite() {
        return x;
    }
    let result = if size > LARGE {
        size.ln() + std::f64::consts::LN_2
    } else if size > 2.0 {
        (2.0 * size + 1.0 / ((size * size + 1.0).sqrt() + size)).ln()
    } else {
        let square = size * size;
        (size + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
    };
    result.copysign(x)
}

fn inverse_cosh(x: f64) -> f64 {
    if x < 1.0 {
        f64::NAN
    } else if x > LARGE {
        x.ln() + std::f64::consts::LN_2
    } else if x > 2.0 {
        (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
    } else {
        let above = x - 1.0;
        (above + (2.0 * above + above * above).sqrt()).ln_1p()
    }
}

fn inverse_tanh(x: f64) -> f64 {
    let size = x.abs();
    if size < 1.0 / LARGE {
        return x;
    }
    let double = size + size;
    let result = if size < 0.5 {
        0.5 * (double + double * size / (1.0 - size)).ln_1p()
    } else {
        0.5 * (double / (1.0 - size)).ln_1p()
    };
    result.copysign(x)
}

pub fn atan2(_cx: &mut Cx, y: f64, x: f64) -> f64 {
    y.atan2(x)
}

pub fn log(cx: &mut Cx, num: f64, base: f64) -> Res<f64> {
    if base == std::f64::consts::E {
        return Ok(num.ln());
    }
    if base == 2.0 {
        return Ok(num.log2());
    }
    if base == 10.0 {
        return Ok(num.log10());
    }
    if base == 1.0 {
        return Ok(f64::NAN);
    }
    if base <= 0.0 {
        return Err(cx.arg_value_error(2, "must be greater than 0"));
    }
    Ok(num.ln() / base.ln())
}

pub fn pi(_cx: &mut Cx) -> f64 {
    std::f64::consts::PI
}

pub fn hypot(_cx: &mut Cx, x: f64, y: f64) -> f64 {
    x.hypot(y)
}

pub fn is_nan(_cx: &mut Cx, num: f64) -> bool {
    num.is_nan()
}

pub fn is_finite(_cx: &mut Cx, num: f64) -> bool {
    num.is_finite()
}

pub fn is_infinite(_cx: &mut Cx, num: f64) -> bool {
    num.is_infinite()
}

// ---- bases

const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The number a text is in a base. A prefix (0x, 0o, 0b) of that base is skipped, other bytes are left out with a deprecation.
fn from_base(cx: &mut Cx, text: &[u8], base: u32) -> Res<Number> {
    let marker = match base {
        16 => b'x',
        8 => b'o',
        2 => b'b',
        _ => 0,
    };
    // White space around the digits does not count.
    let space = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
    let start = text.iter().position(|b| !space(b)).unwrap_or(text.len());
    let end = text.iter().rposition(|b| !space(b)).map_or(start, |last| last + 1);
    let text = &text[start..end];
    let digits = match text {
        [b'0', b, rest @ ..] if marker != 0 && b.to_ascii_lowercase() == marker => rest,
        _ => text,
    };
    let mut number = Number::Int(0);
    let mut invalid = false;
    for &byte in digits {
        let Some(digit) = (byte as char).to_digit(36).filter(|d| *d < base) else {
            invalid = true;
            continue;
        };
        number = match number {
            Number::Int(i) => {
                let next = i.checked_mul(i64::from(base)).and_then(|i| i.checked_add(i64::from(digit)));
                next.map_or_else(|| Number::Float(i as f64 * f64::from(base) + f64::from(digit)), Number::Int)
            }
            Number::Float(f) => Number::Float(f * f64::from(base) + f64::from(digit)),
        };
    }
    if invalid {
        cx.raise(Level::Deprecated, b"Invalid characters passed for attempted conversion, these have been ignored")?;
    }
    Ok(number)
}

/// The digits of an unsigned number. Inlined, so that nothing is divided for bases that are powers of two and known.
#[inline(always)]
fn to_base(mut number: u64, base: u64) -> PStr {
    // 64 digits are enough for base 2.
    let mut digits = [0; 64];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = DIGITS[(number % base) as usize];
        number /= base;
        if number == 0 {
            return PStr::new(&digits[at..]);
        }
    }
}

fn number_value(n: Number) -> Value {
    match n {
        Number::Int(i) => Value::from(i),
        Number::Float(f) => Value::from(f),
    }
}

pub fn bindec(cx: &mut Cx, binary_string: &PStr) -> Res<Value> {
    from_base(cx, binary_string.as_bytes(), 2).map(number_value)
}

pub fn hexdec(cx: &mut Cx, hex_string: &PStr) -> Res<Value> {
    from_base(cx, hex_string.as_bytes(), 16).map(number_value)
}

pub fn octdec(cx: &mut Cx, octal_string: &PStr) -> Res<Value> {
    from_base(cx, octal_string.as_bytes(), 8).map(number_value)
}

pub fn decbin(_cx: &mut Cx, num: i64) -> PStr {
    to_base(num as u64, 2)
}

pub fn dechex(_cx: &mut Cx, num: i64) -> PStr {
    to_base(num as u64, 16)
}

pub fn decoct(_cx: &mut Cx, num: i64) -> PStr {
    to_base(num as u64, 8)
}

pub fn base_convert(cx: &mut Cx, num: &PStr, from: i64, to: i64) -> Res<PStr> {
    let in_range = |base: i64| u32::try_from(base).ok().filter(|b| (2..=36).contains(b));
    let Some(from) = in_range(from) else {
        return Err(cx.arg_value_error(2, "must be between 2 and 36 (inclusive)"));
    };
    let Some(to) = in_range(to) else {
        return Err(cx.arg_value_error(3, "must be between 2 and 36 (inclusive)"));
    };
    match from_base(cx, num.as_bytes(), from)? {
        Number::Int(i) => Ok(to_base(i as u64, u64::from(to))),
        Number::Float(f) if !f.is_finite() => {
            cx.warning("Number too large")?;
            Ok(PStr::empty())
        }
        Number::Float(f) => {
            let (mut rest, base) = (f.floor(), f64::from(to));
            let mut out = Vec::new();
            loop {
                out.push(DIGITS[((rest % base) as usize).min(35)]);
                rest /= base;
                if rest.abs() < 1.0 {
                    break;
                }
            }
            out.reverse();
            Ok(PStr::new(&out))
        }
    }
}

// ---- number_format

pub fn number_format(
    _cx: &mut Cx,
    num: &Value,
    decimals: i64,
    decimal_separator: Option<&PStr>,
    thousands_separator: Option<&PStr>,
) -> Res<PStr> {
    let point = decimal_separator.map_or(b".".as_slice(), |s| s.as_bytes());
    let separator = thousands_separator.map_or(b",".as_slice(), |s| s.as_bytes());
    let decimals = decimals.clamp(i64::from(i32::MIN + 1), i64::from(i32::MAX));
    let (negative, digits) = match number_of(num) {
        Number::Int(i) => int_digits(i, decimals),
        Number::Float(f) => float_digits(f, decimals),
    };
    let places = decimals.max(0) as usize;
    let text = digits.as_bytes();
    let (whole, fraction) = match text.iter().position(|&b| b == b'.') {
        Some(dot) => (&text[..dot], &text[dot + 1..]),
        None => (text, b"".as_slice()),
    };
    if !whole.first().is_some_and(u8::is_ascii_digit) {
        // nan and inf.
        return Ok(PStr::new(whole));
    }
    // On the heap from the start: the places may be more than memory_limit allows.
    let mut out = PStrBuilder::with_capacity(whole.len() + whole.len() / 3 * separator.len() + point.len() + places + 1)?;
    if negative {
        out.push(b'-')?;
    }
    for (n, &digit) in whole.iter().enumerate() {
        if n > 0 && (whole.len() - n) % 3 == 0 {
            out.extend(separator)?;
        }
        out.push(digit)?;
    }
    if places > 0 {
        out.extend(point)?;
        out.extend(fraction)?;
        out.fill(b'0', places.saturating_sub(fraction.len()))?;
    }
    Ok(out.finish())
}

/// Sign and digits of an int that is rounded before the point only.
fn int_digits(i: i64, decimals: i64) -> (bool, String) {
    if decimals >= 0 {
        return (i < 0, i.unsigned_abs().to_string());
    }
    match rounding::round_int(i, decimals, Mode::HalfAwayFromZero) {
        Some(rounded) => (i < 0 && rounded != 0, rounded.to_string()),
        None => float_digits(i as f64, decimals),
    }
}

/// Sign and digits of a rounded float; digits that come to zero have no sign.
fn float_digits(f: f64, decimals: i64) -> (bool, String) {
    let rounded = rounding::round(f, decimals, Mode::HalfAwayFromZero);
    if !rounded.is_finite() {
        return (false, if rounded.is_nan() { "nan" } else { "inf" }.to_string());
    }
    // PHP computes no more digits than that; zeros follow.
    let digits = format!("{:.*}", decimals.clamp(0, 318) as usize, rounded.abs());
    let zero = digits.bytes().all(|b| matches!(b, b'0' | b'.'));
    (rounded < 0.0 && !zero, digits)
}
