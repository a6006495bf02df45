//! Arithmetic beyond int and float pairs: conversions with PHP's warnings and errors, operators of builtin classes, increments.

use crate::frame::Frame;
use crate::ops::operand;
use crate::types;
use crate::vm::Vm;
use jumbo_abi::{Cx, Level, Res, despite};
use jumbo_bytecode::unit::BinaryOp;
use jumbo_value::number::{self, Number};
use jumbo_value::{PStr, Raw, Value, View, convert};

/// `x op y` for any values.
pub fn binary(cx: &mut Cx, op: BinaryOp, x: Value, y: Value) -> Res<Value> {
    let result = operate(cx, op, x, y)?;
    if op == BinaryOp::Pow { cx.unless_thrown(result) } else { Ok(result) }
}

/// As [`binary`], but a power has its result although an exception is pending: its deprecation is one that stops nothing.
pub fn operate(cx: &mut Cx, op: BinaryOp, x: Value, y: Value) -> Res<Value> {
    use BinaryOp::*;
    match op {
        Concat => return concat(cx, x, &y),
        Add => {
            if let (Some(a), Some(b)) = (x.as_array(), y.as_array()) {
                let (a, b) = (a.clone(), b.clone());
                drop(x);
                return Ok(Value::from(array_union(a, &b)));
            }
        }
        BitAnd | BitOr | BitXor => {
            if let (Some(a), Some(b)) = (x.as_str(), y.as_str()) {
                return Ok(Value::from(string_bits(op, a.as_bytes(), b.as_bytes())));
            }
        }
        _ => {}
    }
    let result = calculate(cx, op, &x, &y);
    // Objects end in PHP's order.
    drop(x);
    drop(y);
    result
}

fn calculate(cx: &mut Cx, op: BinaryOp, x: &Value, y: &Value) -> Res<Value> {
    use BinaryOp::*;
    if (x.deref().is_object() || y.deref().is_object())
        && let Some(result) = by_class(cx, op, x, y)?
    {
        return Ok(result);
    }
    match op {
        Mod | BitAnd | BitOr | BitXor | Shl | Shr => {
            let a = operand_int(cx, op, x, x, y)?;
            let b = operand_int(cx, op, y, x, y)?;
            int_op(cx, op, a, b)
        }
        _ => {
            let a = operand_number(cx, op, x, x, y)?;
            let b = operand_number(cx, op, y, x, y)?;
            let raw = match op {
                Add => convert::add(a, b),
                Sub => convert::sub(a, b),
                Mul => convert::mul(a, b),
                Pow => {
                    if b.to_f64() < 0.0 && a.to_f64() == 0.0 {
                        despite(cx.raise(Level::Deprecated, b"Power of base 0 and negative exponent is deprecated"))?;
                    }
                    convert::pow(a, b)
                }
                _ => match convert::div(a, b) {
                    Some(raw) => raw,
                    None => return Err(cx.throw("DivisionByZeroError", b"Division by zero")),
                },
            };
            Ok(plain(raw))
        }
    }
}

/// The operator of the class of an operand, the left one's first.
#[cold]
fn by_class(cx: &mut Cx, op: BinaryOp, x: &Value, y: &Value) -> Res<Option<Value>> {
    for value in [x, y] {
        if let View::Object(o) = value.view_deref()
            && let Some(hook) = jumbo_abi::ClassPtr::of(o).hooks.operate
        {
            return hook(cx, op, x, y);
        }
    }
    Ok(None)
}

/// A value that is not counted.
fn plain(raw: Raw) -> Value {
    match raw.is_float() {
        true => Value::from(raw.as_float()),
        false => Value::from(raw.as_int()),
    }
}

fn array_union(mut a: jumbo_value::PArray, b: &jumbo_value::PArray) -> jumbo_value::PArray {
    for (k, v) in b {
        if a.get_ref(k).is_none() {
            a.set(k.to_key(), v.clone());
        }
    }
    a
}

fn string_bits(op: BinaryOp, a: &[u8], b: &[u8]) -> PStr {
    let n = if op == BinaryOp::BitOr { a.len().max(b.len()) } else { a.len().min(b.len()) };
    let bytes: Vec<u8> = (0..n)
        .map(|i| {
            let (x, y) = (a.get(i).copied().unwrap_or(0), b.get(i).copied().unwrap_or(0));
            match op {
                BinaryOp::BitAnd => x & y,
                BinaryOp::BitOr => x | y,
                _ => x ^ y,
            }
        })
        .collect();
    PStr::new(&bytes)
}

fn int_op(cx: &mut Cx, op: BinaryOp, a: i64, b: i64) -> Res<Value> {
    use BinaryOp::*;
    let n = match op {
        Mod if b == 0 => return Err(cx.throw("DivisionByZeroError", b"Modulo by zero")),
        Mod => a.checked_rem(b).unwrap_or(0),
        BitAnd => a & b,
        BitOr => a | b,
        BitXor => a ^ b,
        Shl | Shr if b < 0 => return Err(cx.throw("ArithmeticError", b"Bit shift by negative number")),
        Shl => if b < 64 { a << b } else { 0 },
        _ => if b < 64 { a >> b } else if a < 0 { -1 } else { 0 },
    };
    Ok(Value::from(n))
}

/// TypeError: Unsupported operand types.
#[cold]
fn unsupported(cx: &mut Cx, op: BinaryOp, x: &Value, y: &Value) -> jumbo_abi::Stop {
    if crate::despite::is_despite(cx) {
        return jumbo_abi::Stop::Thrown;
    }
    let name = |v: &Value| match v.view_deref() {
        View::Bool(_) => b"bool".to_vec(),
        _ => jumbo_abi::args::type_name(v),
    };
    let text =
        [b"Unsupported operand types: ".as_slice(), &name(x), b" ", op.symbol().as_bytes(), b" ", &name(y)].concat();
    cx.type_error(text)
}

fn operand_number(cx: &mut Cx, op: BinaryOp, value: &Value, x: &Value, y: &Value) -> Res<Number> {
    Ok(match value.view_deref() {
        View::Undef | View::Null | View::Bool(false) => Number::Int(0),
        View::Bool(true) => Number::Int(1),
        View::Int(i) => Number::Int(i),
        View::Float(f) => Number::Float(f),
        View::Str(s) => match number::parse_prefix(s.as_bytes()) {
            Some(n) if !n.trailing => n.number,
            Some(n) => {
                cx.raise(Level::Warning, b"A non-numeric value encountered")?;
                n.number
            }
            None => return Err(non_numeric(cx, op, value, x, y)),
        },
        View::Object(o) => match crate::objects::cast_number(cx, o)? {
            Some(n) => n,
            None => return Err(unsupported(cx, op, x, y)),
        },
        View::Array(_) | View::Resource(_) | View::Ref(_) => return Err(unsupported(cx, op, x, y)),
    })
}

/// TypeError for a string that is no number at all.
#[cold]
fn non_numeric(cx: &mut Cx, op: BinaryOp, value: &Value, x: &Value, y: &Value) -> jumbo_abi::Stop {
    let _ = value;
    unsupported(cx, op, x, y)
}

/// Is a CV as right operand of the operator read only when the left one has been converted, and does converting `x` run PHP code?
/// (An operand whose class has the operator is not converted at all.)
pub fn reads_right_late(op: BinaryOp, x: &Value, y: &Value) -> bool {
    use BinaryOp::*;
    match op {
        Concat => x.is_array() || x.is_object(),
        Mod | Shl | Shr | BitAnd | BitOr | BitXor => x.is_float() && !y.deref().is_object(),
        _ => false,
    }
}

/// The left operand as the operator converts it, for [`reads_right_late`]; `y` is for messages.
pub fn convert_left(cx: &mut Cx, op: BinaryOp, x: &Value, y: &Value) -> Res<Value> {
    match op {
        BinaryOp::Concat => Ok(Value::from(cx.to_string(x)?)),
        _ => Ok(Value::from(operand_int(cx, op, x, x, y)?)),
    }
}

/// `x op y`, where `left` is what [`convert_left`] has made of `x`: messages name what `x` was.
pub fn binary_converted(cx: &mut Cx, op: BinaryOp, left: Value, x: &Value, y: Value) -> Res<Value> {
    match left.view() {
        View::Int(a) => {
            let b = operand_int(cx, op, &y, x, &y)?;
            int_op(cx, op, a, b)
        }
        _ => binary(cx, op, left, y),
    }
}

fn operand_int(cx: &mut Cx, op: BinaryOp, value: &Value, x: &Value, y: &Value) -> Res<i64> {
    if let View::Int(i) = value.view_deref() {
        return Ok(i);
    }
    let number = operand_number(cx, op, value, x, y)?;
    match number {
        Number::Int(i) => Ok(i),
        // A string's number stops at the limits; a limit that reads back as the same float has lost nothing.
        Number::Float(f) if value.deref().as_str().is_some() => {
            let i = if f.is_finite() { number::float_to_int_capped(f) } else { 0 };
            if i as f64 != f {
                cx.deprecated_fraction(value.deref(), f)?;
            }
            Ok(i)
        }
        Number::Float(f) => {
            if !number::float_is_int(f) {
                cx.deprecated_fraction(value.deref(), f)?;
            }
            Ok(number::float_to_int(f))
        }
    }
}

/// `x . y`; the left string grows in place when nobody else holds it.
pub fn concat(cx: &mut Cx, x: Value, y: &Value) -> Res<Value> {
    let mut left = match x.as_str() {
        Some(_) => match x.into_deref().view() {
            View::Str(s) => s.clone(),
            _ => PStr::empty(),
        },
        None => cx.to_string(&x)?,
    };
    let right = cx.to_string(y)?;
    if left.is_empty() {
        return Ok(Value::from(right));
    }
    if right.is_empty() {
        return Ok(Value::from(left));
    }
    if left.ref_count() == 1 {
        left.append(right.as_bytes());
        return Ok(Value::from(left));
    }
    Ok(Value::from(PStr::concat2(left.as_bytes(), right.as_bytes())))
}

/// `~x`.
pub fn bit_not(cx: &mut Cx, x: &Value) -> Res<Value> {
    match x.view_deref() {
        View::Int(i) => Ok(Value::from(!i)),
        View::Float(f) => {
            if !number::float_is_int(f) {
                cx.deprecated_fraction(x.deref(), f)?;
            }
            Ok(Value::from(!number::float_to_int(f)))
        }
        View::Str(s) => Ok(Value::from(PStr::new(&s.as_bytes().iter().map(|b| !b).collect::<Vec<u8>>()))),
        _ => {
            let name = match x.view_deref() {
                View::Bool(true) => b"true".to_vec(),
                View::Bool(false) => b"false".to_vec(),
                _ => jumbo_abi::args::type_name(x),
            };
            Err(cx.type_error([b"Cannot perform bitwise not on ".as_slice(), &name].concat()))
        }
    }
}

/// `$a .= $a`: makes a string of it once, but of a reference twice. `y` is what the slot holds.
///
/// # Safety
/// As [`assign_op`].
pub unsafe fn append_itself(vm: *mut Vm, slot: *mut Raw, y: Value) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        if (*slot).is_ref() || !(y.is_array() || y.is_object()) {
            return assign_op(vm, slot, BinaryOp::Concat, y);
        }
        let text = Vm::cx(vm).to_string(&y)?;
        drop(y);
        let both = PStr::concat2(text.as_bytes(), text.as_bytes());
        types::assign(vm, slot, Value::from(both).into_raw())
    }
}

/// `*slot op= y`, for a variable, element or property place; typed references convert or refuse.
///
/// # Safety
/// `slot` is live; it stays live while conversions run PHP code because the caller holds its container.
pub unsafe fn assign_op(vm: *mut Vm, slot: *mut Raw, op: BinaryOp, y: Value) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let target = Raw::deref_slot(slot);
        let untyped = target == slot || (*(*slot).ref_ptr()).type_source.is_null();
        // A string that only this variable holds grows in place, when converting the other one runs no PHP code.
        if op == BinaryOp::Concat && (*target).is_string() && untyped && !y.is_object() && !y.is_array() {
            let right = cx.to_string(&y)?;
            let s = &mut *(&raw mut (*target).bits).cast::<PStr>();
            s.append(right.as_bytes());
            *target = Raw { tag: s.header().tag(), bits: (*target).bits };
            return Ok(());
        }
        let x = (*target).copied().into_value();
        let x = if x.is_undef() { Value::null() } else { x };
        match operate(cx, op, x, y) {
            Ok(result) => {
                types::assign(vm, slot, result.into_raw())?;
                if op == BinaryOp::Pow { Vm::cx(vm).unless_thrown(()) } else { Ok(()) }
            }
            Err(stop) => Err(crate::despite::failed_reference(vm, slot, stop)),
        }
    }
}

/// `++$x`, `--$x` on a slot; `register` is its CV when it is one (for the undefined warning; 0 otherwise).
///
/// # Safety
/// As [`assign_op`].
pub unsafe fn increment(vm: *mut Vm, fp: *mut Frame, register: u16, slot: *mut Raw, down: bool) -> Res<()> {
    // SAFETY: as promised.
    unsafe { step(vm, fp, register, slot, down).map(drop) }
}

/// As [`increment`], when the value of the expression is wanted: Some: the operation has no effect on this value, whatever a handler has
/// done to the slot; None: it is what the slot holds now.
///
/// # Safety
/// As [`assign_op`].
pub unsafe fn step(vm: *mut Vm, fp: *mut Frame, register: u16, slot: *mut Raw, down: bool) -> Res<Option<Value>> {
    // SAFETY: as promised.
    unsafe {
        if (*slot).is_undef() {
            // Null from now on, and stepped also when a handler throws.
            let told = operand::undefined(vm, fp, register);
            if (*slot).is_undef() {
                *slot = if told.is_ok() || down { Raw::NULL } else { Value::from(1i64).into_raw() };
            }
            told?;
        }
        let cx = Vm::cx(vm);
        let value = (*Raw::deref_slot(slot)).copied().into_value();
        match incremented(cx, &value, down)? {
            Some(new) => types::assign_incremented(vm, slot, new.into_raw(), down).map(|()| None),
            None => Ok(Some(value)),
        }
    }
}

/// The value after `++`/`--`; None: no effect.
pub fn incremented(cx: &mut Cx, value: &Value, down: bool) -> Res<Option<Value>> {
    let word = if down { "Decrement" } else { "Increment" };
    Ok(Some(match value.view_deref() {
        View::Int(i) => match if down { i.checked_sub(1) } else { i.checked_add(1) } {
            Some(n) => Value::from(n),
            None => Value::from(i as f64 + if down { -1.0 } else { 1.0 }),
        },
        View::Float(f) => Value::from(f + if down { -1.0 } else { 1.0 }),
        View::Undef | View::Null => {
            if down {
                let text = "Decrement on type null has no effect, this will change in the next major version of PHP";
                cx.raise(Level::Warning, text.as_bytes())?;
                return Ok(None);
            }
            Value::from(1)
        }
        View::Bool(_) => {
            let text = format!("{word} on type bool has no effect, this will change in the next major version of PHP");
            cx.raise(Level::Warning, text.as_bytes())?;
            return Ok(None);
        }
        View::Str(s) => {
            if let Some(n) = number::parse_numeric(s.as_bytes()) {
                let value = match n {
                    Number::Int(i) => Value::from(i),
                    Number::Float(f) => Value::from(f),
                };
                return incremented(cx, &value, down);
            }
            if down {
                if s.is_empty() {
                    cx.raise(Level::Deprecated, b"Decrement on empty string is deprecated as non-numeric")?;
                    return Ok(Some(Value::from(-1)));
                }
                cx.raise(Level::Deprecated, b"Decrement on non-numeric string has no effect and is deprecated")?;
                return Ok(None);
            }
            if s.is_empty() {
                cx.raise(Level::Deprecated, b"Increment on non-alphanumeric string is deprecated")?;
                return Ok(Some(Value::from(PStr::new(b"1"))));
            }
            if !s.as_bytes().iter().all(u8::is_ascii_alphanumeric) {
                cx.raise(Level::Deprecated, b"Increment on non-alphanumeric string is deprecated")?;
            }
            Value::from(increment_string(s.as_bytes()))
        }
        View::Object(o) if jumbo_abi::ClassPtr::of(o).hooks.operate.is_some() => {
            let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
            return binary(cx, op, value.copy_deref(), Value::from(1)).map(Some);
        }
        View::Object(o) => match crate::objects::cast_number(cx, o)? {
            Some(Number::Int(i)) => return incremented(cx, &Value::from(i), down),
            Some(Number::Float(f)) => return incremented(cx, &Value::from(f), down),
            None => {
                let text = [b"Cannot ".as_slice(), word.to_lowercase().as_bytes(), b" ", &jumbo_abi::args::type_name(value)].concat();
                return Err(cx.type_error(text));
            }
        },
        _ => {
            let text = [b"Cannot ".as_slice(), word.to_lowercase().as_bytes(), b" ", &jumbo_abi::args::type_name(value)].concat();
            return Err(cx.type_error(text));
        }
    }))
}

/// The successor of an alphanumeric string: `Az` → `Ba`, `Zz9` → `AAa0`.
fn increment_string(s: &[u8]) -> PStr {
    let mut bytes = s.to_vec();
    let mut last = None;
    for at in (0..bytes.len()).rev() {
        last = Some(bytes[at]);
        match bytes[at] {
            b'z' => bytes[at] = b'a',
            b'Z' => bytes[at] = b'A',
            b'9' => bytes[at] = b'0',
            b'a'..=b'y' | b'A'..=b'Y' | b'0'..=b'8' => {
                bytes[at] += 1;
                return PStr::new(&bytes);
            }
            _ => return PStr::new(&bytes),
        }
    }
    let first = match last {
        Some(b'z') => b'a',
        Some(b'Z') => b'A',
        _ => b'1',
    };
    bytes.insert(0, first);
    PStr::new(&bytes)
}
