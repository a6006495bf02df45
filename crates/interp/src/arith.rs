//! Arithmetic beyond int and float pairs: conversions with PHP's warnings and errors, operators of builtin classes, increments.

use crate::frame::Frame;
use crate::ops::operand;
use crate::types;
use crate::vm::Vm;
use jumbo_abi::{Cx, Level, Res};
use jumbo_bytecode::unit::BinaryOp;
use jumbo_value::number::{self, Number};
use jumbo_value::{PStr, Raw, Value, View, convert};

/// `x op y` for any values.
pub fn binary(cx: &mut Cx, op: BinaryOp, x: Value, y: Value) -> Res<Value> {
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
    match op {
        Mod | BitAnd | BitOr | BitXor | Shl | Shr => {
            let a = operand_int(cx, op, &x, &x, &y)?;
            let b = operand_int(cx, op, &y, &x, &y)?;
            int_op(cx, op, a, b)
        }
        _ => {
            let a = operand_number(cx, op, &x, &x, &y)?;
            let b = operand_number(cx, op, &y, &x, &y)?;
            let raw = match op {
                Add => convert::add(a, b),
                Sub => convert::sub(a, b),
                Mul => convert::mul(a, b),
                Pow => {
                    if b.to_f64() < 0.0 && a.to_f64() == 0.0 {
                        cx.raise(Level::Deprecated, b"Power of base 0 and negative exponent is deprecated")?;
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
