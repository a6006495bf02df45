//! `BcMath\Number`: a decimal number as an object, with operators.
//!
//! The number stands in the two read-only properties; it is read from there for each operation.

use crate::decimal::{Decimal, pow_mod};
use crate::functions::{SCALE_MAX, checked_scale, division_by_zero, modulo_by_zero, precision, rounding};
use jumbo_abi::desc::Operator;
use jumbo_abi::{ClassHooks, ClassPtr, Cx, PArray, PObject, PStr, Res, Value, View, Work, mask};

const VALUE: u32 = 0;
const SCALE: u32 = 1;

/// Digits that division and roots may add to those of the operand, when no scale is asked for.
const EXPANSION: u32 = 10;

pub static HOOKS: ClassHooks = ClassHooks {
    cast: Some(cast),
    operate: Some(operate),
    compare: Some(compare_objects),
    compare_with: Some(compare_with),
    ..ClassHooks::NONE
};

fn class(cx: &Cx) -> ClassPtr {
    cx.builtin_class(b"bcmath\\number")
}

fn is_number(cx: &Cx, object: &PObject) -> bool {
    ClassPtr::of(object) == class(cx)
}

/// The number of an object whose constructor has run; another one is zero.
fn decimal(cx: &mut Cx, this: &PObject) -> Res<Decimal> {
    let value = this.slot(VALUE);
    let Some(text) = value.as_bytes() else { return Ok(Decimal::zero()) };
    Ok(Decimal::parse(&mut Work::new(cx), text)?.unwrap_or_else(Decimal::zero))
}

fn fill(cx: &mut Cx, this: &PObject, number: &Decimal, scale: u32) -> Res<()> {
    this.set_slot(VALUE, Value::from(number.text(&mut Work::new(cx), scale)?));
    this.set_slot(SCALE, Value::from(i64::from(scale)));
    Ok(())
}

/// A new object, the number cut or filled to the scale.
fn new(cx: &mut Cx, number: &Decimal, scale: u32) -> Res<PObject> {
    let class = class(cx);
    let object = cx.new_object(class)?;
    fill(cx, &object, number, scale)?;
    Ok(object)
}

fn refuse_second(cx: &mut Cx, this: &PObject) -> Res<()> {
    if this.slot(VALUE).is_undef() { Ok(()) } else { Err(cx.throw_error("Cannot modify readonly property BcMath\\Number::$value")) }
}

// ---- operands

/// What an operand is: none of the kinds that can be numbers, a text that is none, or a number.
enum Operand {
    Foreign,
    Malformed,
    Number(Decimal),
}

/// The number that a value means as an operand.
fn operand(cx: &mut Cx, value: &Value) -> Res<Operand> {
    Ok(match value.view_deref() {
        View::Object(o) if is_number(cx, o) => Operand::Number(decimal(cx, o)?),
        View::Str(s) => Decimal::parse(&mut Work::new(cx), s.as_bytes())?.map_or(Operand::Malformed, Operand::Number),
        View::Int(i) => Operand::Number(Decimal::from_int(i)),
        View::Bool(b) => Operand::Number(Decimal::from_int(i64::from(b))),
        View::Float(f) => {
            if !jumbo_value::number::float_is_int(f) {
                cx.deprecated_fraction(value.deref(), f)?;
            }
            Operand::Number(Decimal::from_int(jumbo_value::number::float_to_int(f)))
        }
        _ => Operand::Foreign,
    })
}

/// The number that argument `n` says; `name`: the argument's.
fn argument(cx: &mut Cx, value: &Value, n: u32, name: &str) -> Res<Decimal> {
    let strict = cx.engine().is_called_strictly(cx);
    let refused = |cx: &mut Cx| {
        let kind = jumbo_abi::args::type_name(value);
        Err(cx.arg_type_error(n, [b"must be of type int, string, or BcMath\\Number, ".as_slice(), &kind, b" given"]))
    };
    if strict && matches!(value.view_deref(), View::Null | View::Bool(_) | View::Float(_)) {
        return refused(cx);
    }
    if value.deref().is_null() {
        cx.deprecated(format_args!("Passing null to parameter #{n} (${name}) of type BcMath\\Number|string|int is deprecated"))?;
        return Ok(Decimal::zero());
    }
    match operand(cx, value)? {
        Operand::Number(number) => Ok(number),
        Operand::Malformed => Err(cx.arg_value_error(n, "is not well-formed")),
        Operand::Foreign => refused(cx),
    }
}

/// The scale that is asked for, or else one by rule.
fn scale_or(cx: &mut Cx, scale: Option<i64>, n: u32, rule: u64) -> Res<u32> {
    match scale {
        Some(scale) => checked_scale(cx, scale, n),
        None => match u32::try_from(rule) {
            Ok(scale) if i64::from(scale) <= SCALE_MAX => Ok(scale),
            _ => Err(cx.value_error("scale of the result is too large")),
        },
    }
}

// ---- arithmetic

/// `a / b`
fn divide(cx: &mut Cx, a: &Decimal, b: &Decimal, scale: Option<i64>) -> Res<PObject> {
    let wanted = scale_or(cx, scale, 2, u64::from(a.scale) + u64::from(EXPANSION))?;
    let Some(result) = a.div(&mut Work::new(cx), b, wanted)? else { return Err(division_by_zero(cx)) };
    let result = if scale.is_none() { result.trimmed(&mut Work::new(cx), a.scale)? } else { result };
    let shown = if scale.is_none() { result.scale.max(a.scale) } else { wanted };
    new(cx, &result, shown)
}

/// `a ** b`; `argument`: the exponent is a method's argument, for messages.
fn raise(cx: &mut Cx, a: &Decimal, b: &Decimal, scale: Option<i64>, argument: bool) -> Res<PObject> {
    if b.has_fraction(&mut Work::new(cx))? {
        let text = "exponent cannot have a fractional part";
        return Err(if argument { cx.arg_value_error(1, text) } else { cx.value_error(text) });
    }
    let Some(exponent) = b.to_i64(&mut Work::new(cx))?.filter(|n| *n != i64::MIN) else {
        return Err(if argument { cx.arg_value_error(1, "exponent is too large") } else { cx.value_error("exponent is too large") });
    };
    let power = exponent.unsigned_abs();
    if exponent >= 0 {
        let wanted = scale_or(cx, scale, 2, u64::from(a.scale).saturating_mul(power))?;
        let power = a.pow(&mut Work::new(cx), power)?;
        return new(cx, &power, wanted);
    }
    let wanted = scale_or(cx, scale, 2, u64::from(a.scale) + u64::from(EXPANSION))?;
    let Some(result) = a.pow_negative(&mut Work::new(cx), power, wanted)? else {
        return Err(cx.throw("DivisionByZeroError", "Negative power of zero"));
    };
    let result = if scale.is_none() { result.trimmed(&mut Work::new(cx), a.scale)? } else { result };
    let shown = if scale.is_none() { result.scale.max(a.scale) } else { wanted };
    new(cx, &result, shown)
}

fn modulo(cx: &mut Cx, a: &Decimal, b: &Decimal, scale: Option<i64>) -> Res<PObject> {
    let wanted = scale_or(cx, scale, 2, u64::from(a.scale.max(b.scale)))?;
    match a.div_mod(&mut Work::new(cx), b)? {
        Some((_, rest)) => new(cx, &rest, wanted),
        None => Err(modulo_by_zero(cx)),
    }
}

fn operate(cx: &mut Cx, op: Operator, x: &Value, y: &Value) -> Res<Option<Value>> {
    if !matches!(op, Operator::Add | Operator::Sub | Operator::Mul | Operator::Div | Operator::Mod | Operator::Pow) {
        return Ok(None);
    }
    let mut numbers = Vec::with_capacity(2);
    for (value, side) in [(x, "Left"), (y, "Right")] {
        match operand(cx, value)? {
            Operand::Number(number) => numbers.push(number),
            Operand::Malformed => return Err(cx.value_error(format_args!("{side} string operand cannot be converted to BcMath\\Number"))),
            Operand::Foreign => return Ok(None),
        }
    }
    let [a, b] = &numbers[..] else { return Ok(None) };
    let result = match op {
        Operator::Add => {
            let sum = a.add(&mut Work::new(cx), b)?;
            new(cx, &sum, a.scale.max(b.scale))?
        }
        Operator::Sub => {
            let difference = a.sub(&mut Work::new(cx), b)?;
            new(cx, &difference, a.scale.max(b.scale))?
        }
        Operator::Mul => {
            let scale = scale_or(cx, None, 2, u64::from(a.scale) + u64::from(b.scale))?;
            let product = a.mul(&mut Work::new(cx), b)?;
            new(cx, &product, scale)?
        }
        Operator::Div => divide(cx, a, b, None)?,
        Operator::Mod => modulo(cx, a, b, None)?,
        _ => raise(cx, a, b, None, false)?,
    };
    Ok(Some(Value::from(result)))
}

fn cast(cx: &mut Cx, this: &PObject, wanted: u32) -> Res<Option<Value>> {
    Ok(match wanted {
        mask::BOOL => Some(Value::from(!decimal(cx, this)?.is_zero())),
        mask::STRING => Some(this.slot(VALUE)),
        _ => None,
    })
}

fn compare_objects(cx: &mut Cx, a: &PObject, b: &PObject) -> Res<Option<i32>> {
    if !is_number(cx, a) || !is_number(cx, b) {
        return Ok(None);
    }
    let (a, b) = (decimal(cx, a)?, decimal(cx, b)?);
    Ok(Some(a.compare(&mut Work::new(cx), &b)? as i32))
}

fn compare_with(cx: &mut Cx, this: &PObject, other: &Value) -> Res<Option<i32>> {
    match operand(cx, other)? {
        Operand::Number(other) => {
            let own = decimal(cx, this)?;
            Ok(Some(own.compare(&mut Work::new(cx), &other)? as i32))
        }
        Operand::Malformed | Operand::Foreign => Ok(None),
    }
}

// ---- methods

pub fn __construct(cx: &mut Cx, this: &PObject, num: &Value) -> Res<()> {
    refuse_second(cx, this)?;
    let number = match num.view_deref() {
        View::Int(i) => Decimal::from_int(i),
        View::Str(s) => match Decimal::parse(&mut Work::new(cx), s.as_bytes())? {
            Some(number) => number,
            None => return Err(cx.arg_value_error(1, "is not well-formed")),
        },
        _ => Decimal::zero(),
    };
    fill(cx, this, &number, number.scale)?;
    Ok(())
}

pub fn add(cx: &mut Cx, this: &PObject, num: &Value, scale: Option<i64>) -> Res<PObject> {
    let (a, b) = (decimal(cx, this)?, argument(cx, num, 1, "num")?);
    let wanted = scale_or(cx, scale, 2, u64::from(a.scale.max(b.scale)))?;
    let sum = a.add(&mut Work::new(cx), &b)?;
    new(cx, &sum, wanted)
}

pub fn sub(cx: &mut Cx, this: &PObject, num: &Value, scale: Option<i64>) -> Res<PObject> {
    let (a, b) = (decimal(cx, this)?, argument(cx, num, 1, "num")?);
    let wanted = scale_or(cx, scale, 2, u64::from(a.scale.max(b.scale)))?;
    let difference = a.sub(&mut Work::new(cx), &b)?;
    new(cx, &difference, wanted)
}

pub fn mul(cx: &mut Cx, this: &PObject, num: &Value, scale: Option<i64>) -> Res<PObject> {
    let (a, b) = (decimal(cx, this)?, argument(cx, num, 1, "num")?);
    let wanted = scale_or(cx, scale, 2, u64::from(a.scale) + u64::from(b.scale))?;
    let product = a.mul(&mut Work::new(cx), &b)?;
    new(cx, &product, wanted)
}

pub fn div(cx: &mut Cx, this: &PObject, num: &Value, scale: Option<i64>) -> Res<PObject> {
    let (a, b) = (decimal(cx, this)?, argument(cx, num, 1, "num")?);
    divide(cx, &a, &b, scale)
}

pub fn mod_(cx: &mut Cx, this: &PObject, num: &Value, scale: Option<i64>) -> Res<PObject> {
    let (a, b) = (decimal(cx, this)?, argument(cx, num, 1, "num")?);
    modulo(cx, &a, &b, scale)
}

pub fn divmod(cx: &mut Cx, this: &PObject, num: &Value, scale: Option<i64>) -> Res<PArray> {
    let (a, b) = (decimal(cx, this)?, argument(cx, num, 1, "num")?);
    let wanted = scale_or(cx, scale, 2, u64::from(a.scale.max(b.scale)))?;
    let Some((quotient, rest)) = a.div_mod(&mut Work::new(cx), &b)? else { return Err(division_by_zero(cx)) };
    let quotient = new(cx, &quotient, 0)?;
    let rest = new(cx, &rest, wanted)?;
    Ok(PArray::from_values([Value::from(quotient), Value::from(rest)]))
}

pub fn powmod(cx: &mut Cx, this: &PObject, exponent: &Value, modulus: &Value, scale: Option<i64>) -> Res<PObject> {
    let base = decimal(cx, this)?;
    let exponent = argument(cx, exponent, 1, "exponent")?;
    let modulus = argument(cx, modulus, 2, "modulus")?;
    let wanted = scale_or(cx, scale, 3, 0)?;
    if base.has_fraction(&mut Work::new(cx))? {
        return Err(cx.value_error("Base number cannot have a fractional part"));
    }
    if exponent.has_fraction(&mut Work::new(cx))? {
        return Err(cx.arg_value_error(1, "cannot have a fractional part"));
    }
    if exponent.is_negative() {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    }
    if modulus.has_fraction(&mut Work::new(cx))? {
        return Err(cx.arg_value_error(2, "cannot have a fractional part"));
    }
    if modulus.is_zero() {
        return Err(modulo_by_zero(cx));
    }
    let power = pow_mod(&mut Work::new(cx), &base, &exponent, &modulus)?;
    new(cx, &power, wanted)
}

pub fn pow(cx: &mut Cx, this: &PObject, exponent: &Value, scale: Option<i64>) -> Res<PObject> {
    let (a, b) = (decimal(cx, this)?, argument(cx, exponent, 1, "exponent")?);
    raise(cx, &a, &b, scale, true)
}

pub fn sqrt(cx: &mut Cx, this: &PObject, scale: Option<i64>) -> Res<PObject> {
    let number = decimal(cx, this)?;
    let wanted = scale_or(cx, scale, 1, u64::from(number.scale) + u64::from(EXPANSION))?;
    if number.is_negative() {
        return Err(cx.value_error("Base number must be greater than or equal to 0"));
    }
    let root = number.sqrt(&mut Work::new(cx), wanted)?;
    if scale.is_some() {
        return new(cx, &root, wanted);
    }
    let root = root.trimmed(&mut Work::new(cx), number.scale)?;
    let shown = root.scale.max(number.scale);
    new(cx, &root, shown)
}

pub fn floor(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let rounded = decimal(cx, this)?.floor(&mut Work::new(cx))?;
    new(cx, &rounded, 0)
}

pub fn ceil(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let rounded = decimal(cx, this)?.ceil(&mut Work::new(cx))?;
    new(cx, &rounded, 0)
}

pub fn round(cx: &mut Cx, this: &PObject, digits: i64, mode: Option<&PObject>) -> Res<PObject> {
    let digits = precision(cx, digits, 1)?;
    let mode = rounding(cx, mode, 2)?;
    let rounded = decimal(cx, this)?.round(&mut Work::new(cx), digits, mode)?;
    new(cx, &rounded, u32::try_from(digits).unwrap_or(0))
}

pub fn compare(cx: &mut Cx, this: &PObject, num: &Value, scale: Option<i64>) -> Res<i64> {
    let (a, b) = (decimal(cx, this)?, argument(cx, num, 1, "num")?);
    let Some(scale) = scale else { return Ok(a.compare(&mut Work::new(cx), &b)? as i64) };
    let scale = checked_scale(cx, scale, 2)?;
    let work = &mut Work::new(cx);
    let (a, b) = (a.cut(work, scale)?, b.cut(work, scale)?);
    Ok(a.compare(work, &b)? as i64)
}

pub fn __to_string(_cx: &mut Cx, this: &PObject) -> PStr {
    this.slot(VALUE).as_str().cloned().unwrap_or_default()
}

pub fn __serialize(_cx: &mut Cx, this: &PObject) -> PArray {
    let mut data = PArray::new();
    data.set_bytes(b"value", this.slot(VALUE));
    data
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    refuse_second(cx, this)?;
    let number = match data.get_bytes(b"value").and_then(|v| v.deref().as_bytes()) {
        Some(text) if !text.is_empty() => Decimal::parse(&mut Work::new(cx), text)?,
        _ => None,
    };
    match number {
        Some(number) => {
            fill(cx, this, &number, number.scale)?;
            Ok(())
        }
        None => Err(cx.throw("Exception", "Invalid serialization data for BcMath\\Number object")),
    }
}
