//! range: ints, floats, or single bytes, depending on its arguments.

use crate::build::ELEMENTS_MAX;
use jumbo_abi::{Cx, PArray, PStr, Res, Value, View};
use jumbo_value::number::{self, Number};

/// One end of the range.
#[derive(Clone, Copy)]
enum Bound {
    Int(i64),
    Float(f64),
    /// A string of one digit: a byte beside other strings, a number otherwise.
    Digit(u8),
    Byte(u8),
}

impl Bound {
    fn byte(self) -> Option<u8> {
        match self {
            Bound::Digit(b) | Bound::Byte(b) => Some(b),
            _ => None,
        }
    }
    /// A non-numeric string counts as zero among numbers.
    fn number(self) -> Number {
        match self {
            Bound::Int(i) => Number::Int(i),
            Bound::Float(f) => Number::Float(f),
            Bound::Digit(b) => Number::Int(i64::from(b.saturating_sub(b'0'))),
            Bound::Byte(_) => Number::Int(0),
        }
    }
}

const NAMES: [&str; 3] = ["start", "end", "step"];

fn finite(cx: &mut Cx, n: u32, f: f64) -> Res<f64> {
    if f.is_finite() {
        return Ok(f);
    }
    // Without the sign of an infinity.
    let shown = if f.is_nan() { "NAN" } else { "INF" };
    Err(cx.arg_value_error(n, format_args!("must be a finite number, {shown} provided")))
}

fn bound(cx: &mut Cx, value: &Value, n: u32) -> Res<Bound> {
    let warn = |cx: &mut Cx, what: &str| {
        cx.warning(format_args!("Argument #{n} (${}) {what}", NAMES[n as usize - 1]))
    };
    let text = match value.view_deref() {
        View::Float(f) => return finite(cx, n, f).map(Bound::Float),
        View::Str(s) => s.clone(),
        _ => return Ok(Bound::Int(jumbo_value::convert::to_int(value))),
    };
    let bytes = text.as_bytes();
    match (bytes, number::parse_numeric(bytes)) {
        ([], _) => {
            warn(cx, "must not be empty, casted to 0")?;
            Ok(Bound::Int(0))
        }
        ([digit], Some(_)) => Ok(Bound::Digit(*digit)),
        (_, Some(Number::Int(i))) => Ok(Bound::Int(i)),
        (_, Some(Number::Float(f))) => finite(cx, n, f).map(Bound::Float),
        ([first, rest @ ..], None) => {
            let first = *first;
            if !rest.is_empty() {
                warn(cx, "must be a single byte, subsequent bytes are ignored")?;
            }
            Ok(Bound::Byte(first))
        }
    }
}

/// The step: its size, its sign apart.
struct Step {
    size: Number,
    negative: bool,
}

fn step(cx: &mut Cx, value: &Value) -> Res<Step> {
    let size = match value.view_deref() {
        View::Float(f) => {
            let f = finite(cx, 3, f)?;
            // A float without a fraction does not make the range one of floats.
            if number::float_is_int(f) { Number::Int(f as i64) } else { Number::Float(f) }
        }
        _ => Number::Int(jumbo_value::convert::to_int(value)),
    };
    if size.to_f64() == 0.0 {
        return Err(cx.arg_value_error(3, "cannot be 0"));
    }
    match size {
        Number::Int(i64::MIN) => Err(cx.arg_value_error(3, format_args!("must be greater than {}", i64::MIN))),
        Number::Int(i) => Ok(Step { size: Number::Int(i.abs()), negative: i < 0 }),
        Number::Float(f) => Ok(Step { size: Number::Float(f.abs()), negative: f < 0.0 }),
    }
}

pub fn range(cx: &mut Cx, start: &Value, end: &Value, step_value: &Value) -> Res<PArray> {
    let step = step(cx, step_value)?;
    let first = bound(cx, start, 1)?;
    let last = bound(cx, end, 2)?;
    if let (Some(a), Some(b)) = (first.byte(), last.byte()) {
        let both_digits = matches!((first, last), (Bound::Digit(_), Bound::Digit(_)));
        match step.size {
            Number::Int(size) => return bytes(cx, a, b, size, step.negative),
            // Digits are numbers after all when the step has a fraction.
            Number::Float(size) if both_digits => {
                return floats(cx, first.number().to_f64(), last.number().to_f64(), size, step.negative);
            }
            Number::Float(size) => {
                cx.warning("Argument #3 ($step) must be of type int when generating an array of characters, inputs converted to 0")?;
                return floats(cx, 0.0, 0.0, size, step.negative);
            }
        }
    }
    for (this, other, n, other_n) in [(first, last, 1, 2), (last, first, 2, 1)] {
        if matches!(this, Bound::Byte(_)) && other.byte().is_none() {
            cx.warning(format_args!(
                "Argument #{other_n} (${}) must be a single byte string if argument #{n} (${name}) is a single byte string, argument #{n} (${name}) converted to 0",
                NAMES[other_n - 1],
                name = NAMES[n - 1],
            ))?;
        }
    }
    match (first.number(), last.number(), step.size) {
        (Number::Int(a), Number::Int(b), Number::Int(size)) => ints(cx, a, b, size, step.negative),
        (a, b, size) => floats(cx, a.to_f64(), b.to_f64(), size.to_f64(), step.negative),
    }
}

fn step_too_large(cx: &mut Cx) -> jumbo_abi::Stop {
    cx.arg_value_error(3, "must be less than the range spanned by argument #1 ($start) and argument #2 ($end)")
}

fn step_negative(cx: &mut Cx) -> jumbo_abi::Stop {
    cx.arg_value_error(3, "must be greater than 0 for increasing ranges")
}

fn bytes(cx: &mut Cx, a: u8, b: u8, size: i64, negative: bool) -> Res<PArray> {
    let span = i64::from(a.abs_diff(b));
    if a == b {
        return Ok(PArray::from_values([Value::from(PStr::single_byte(a))]));
    }
    if a < b && negative {
        return Err(step_negative(cx));
    }
    if size > span {
        return Err(step_too_large(cx));
    }
    let element = |n: i64| {
        let at = if a < b { i64::from(a) + n * size } else { i64::from(a) - n * size };
        // Within the span of two bytes.
        Value::from(PStr::single_byte(at.clamp(0, 255) as u8))
    };
    Ok(PArray::from_values((0..=span / size).map(element)))
}

fn ints(cx: &mut Cx, a: i64, b: i64, size: i64, negative: bool) -> Res<PArray> {
    if a == b {
        return Ok(PArray::from_values([Value::from(a)]));
    }
    if a < b && negative {
        return Err(step_negative(cx));
    }
    let (span, size_abs) = (a.abs_diff(b), size.unsigned_abs());
    if size_abs > span {
        return Err(step_too_large(cx));
    }
    let steps = span / size_abs;
    if steps >= ELEMENTS_MAX as u64 - 1 {
        let (low, high) = (a.min(b), a.max(b));
        let message = format!("The supplied range exceeds the maximum array size: start={low} end={high} step={size}");
        return Err(cx.value_error(message));
    }
    // Differences are taken without sign: the way from one end to the other may not fit an i64.
    let element = |n: u64| Value::from(if a < b { a.wrapping_add_unsigned(n * size_abs) } else { a.wrapping_sub_unsigned(n * size_abs) });
    Ok(PArray::from_values((0..=steps).map(element)))
}

fn floats(cx: &mut Cx, a: f64, b: f64, size: f64, negative: bool) -> Res<PArray> {
    if a == b {
        return Ok(PArray::from_values([Value::from(a)]));
    }
    if a < b && negative {
        return Err(step_negative(cx));
    }
    let span = (a - b).abs();
    if size > span {
        return Err(step_too_large(cx));
    }
    let count = span / size + 1.0;
    if count >= ELEMENTS_MAX as f64 {
        let (low, high) = (a.min(b), a.max(b));
        let message = format!("The supplied range exceeds the maximum array size: start={low:.1} end={high:.1} step={size:.1}");
        return Err(cx.value_error(message));
    }
    let step = if a < b { size } else { -size };
    // Rounded up if need be, then only as far as the end: sums of steps are not exact.
    let element = |n: u32| a + f64::from(n) * step;
    let within = |f: &f64| if a < b { *f <= b } else { *f >= b };
    Ok((0..count.round() as u32).map(element).take_while(within).map(Value::from).collect())
}
