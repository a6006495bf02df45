//! Constant folding. What PHP computes with a warning, a deprecation or an exception is left to run time.

use crate::konst::{Const, ConstArray, ConstKey};
use jumbo_syntax::ast::{BinaryOp, UnaryOp};
use jumbo_value::{PStr, Value, compare};
use jumbo_value::number::Number;
use std::cmp::Ordering;
use std::rc::Rc;

/// Is the whole string numeric (leading and trailing white space allowed)?
pub fn is_numeric(s: &[u8]) -> bool {
    let mut i = 0;
    let white = |b: u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    while i < s.len() && white(s[i]) {
        i += 1;
    }
    if i < s.len() && (s[i] == b'+' || s[i] == b'-') {
        i += 1;
    }
    let digits = |i: &mut usize| {
        let start = *i;
        while *i < s.len() && s[*i].is_ascii_digit() {
            *i += 1;
        }
        *i - start
    };
    let mut count = digits(&mut i);
    if i < s.len() && s[i] == b'.' {
        i += 1;
        count += digits(&mut i);
    }
    if count == 0 {
        return false;
    }
    if i < s.len() && (s[i] == b'e' || s[i] == b'E') {
        let mut j = i + 1;
        if j < s.len() && (s[j] == b'+' || s[j] == b'-') {
            j += 1;
        }
        if digits(&mut j) > 0 {
            i = j;
        }
    }
    while i < s.len() && white(s[i]) {
        i += 1;
    }
    i == s.len()
}

/// The key that a string means in an array: canonical decimal ints are ints.
pub fn string_key(s: &Rc<[u8]>) -> ConstKey {
    let canonical = std::str::from_utf8(s).ok().and_then(|text| {
        let n: i64 = text.parse().ok()?;
        (n.to_string() == text).then_some(n)
    });
    match canonical {
        Some(n) => ConstKey::Int(n),
        None => ConstKey::Str(s.clone()),
    }
}

/// The key that a value means, where PHP takes it without a message.
pub fn key(value: &Const) -> Option<ConstKey> {
    Some(match value {
        Const::Int(i) => ConstKey::Int(*i),
        Const::Str(s) => string_key(s),
        Const::Bool(b) => ConstKey::Int(*b as i64),
        Const::Null => ConstKey::Str(Rc::from(b"".as_slice())),
        Const::Float(f) if f.fract() == 0.0 && f.abs() < 9.2e18 => ConstKey::Int(*f as i64),
        Const::Float(_) | Const::Array(_) => return None,
    })
}

fn string(value: &Const) -> Option<Rc<[u8]>> {
    Some(match value {
        Const::Null | Const::Bool(false) => Rc::from(b"".as_slice()),
        Const::Bool(true) => Rc::from(b"1".as_slice()),
        Const::Int(i) => Rc::from(i.to_string().into_bytes()),
        Const::Str(s) => s.clone(),
        // Depends on the ini setting `precision`.
        Const::Float(_) | Const::Array(_) => return None,
    })
}

pub fn unary(op: UnaryOp, value: &Const) -> Option<Const> {
    Some(match (op, value) {
        (UnaryOp::Not, value) => Const::Bool(!value.to_bool()),
        (UnaryOp::Plus, Const::Int(_) | Const::Float(_)) => value.clone(),
        (UnaryOp::Minus, Const::Int(i)) => match i.checked_neg() {
            Some(n) => Const::Int(n),
            None => Const::Float(-(*i as f64)),
        },
        (UnaryOp::Minus, Const::Float(f)) => Const::Float(-f),
        (UnaryOp::BitNot, Const::Int(i)) => Const::Int(!i),
        _ => return None,
    })
}

fn numbers(a: &Const, b: &Const) -> Option<(f64, f64)> {
    let float = |v: &Const| match v {
        Const::Int(i) => Some(*i as f64),
        Const::Float(f) => Some(*f),
        _ => None,
    };
    Some((float(a)?, float(b)?))
}

/// How two scalars compare: NAN has no order.
fn order(a: &Const, b: &Const) -> Option<Option<Ordering>> {
    let scalar = |value: &Const| match value {
        Const::Array(_) => None,
        Const::Str(s) => Some(Value::from(PStr::new(s))),
        other => Some(other.to_value()),
    };
    Some(compare::compare(&scalar(a)?, &scalar(b)?, &mut |_, _| Err(())).ok()?.ok())
}

fn number(value: &Const) -> Option<Number> {
    match value {
        Const::Int(i) => Some(Number::Int(*i)),
        Const::Float(f) => Some(Number::Float(*f)),
        _ => None,
    }
}

/// The number that an arithmetic operator makes of a numeric string.
fn from_text(value: &Const) -> Option<Const> {
    match value {
        Const::Str(text) => match jumbo_value::number::parse_numeric(text)? {
            Number::Int(i) => Some(Const::Int(i)),
            Number::Float(f) => Some(Const::Float(f)),
        },
        Const::Int(_) | Const::Float(_) => Some(value.clone()),
        _ => None,
    }
}

pub fn binary(op: BinaryOp, a: &Const, b: &Const) -> Option<Const> {
    use Const::{Array, Bool, Float, Int, Str};
    let is_arithmetic = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Pow);
    if is_arithmetic && (matches!(a, Str(_)) || matches!(b, Str(_))) {
        return binary(op, &from_text(a)?, &from_text(b)?);
    }
    Some(match (op, a, b) {
        (BinaryOp::Add, Int(x), Int(y)) => {
            x.checked_add(*y).map_or(Float(*x as f64 + *y as f64), Int)
        }
        (BinaryOp::Sub, Int(x), Int(y)) => {
            x.checked_sub(*y).map_or(Float(*x as f64 - *y as f64), Int)
        }
        (BinaryOp::Mul, Int(x), Int(y)) => {
            x.checked_mul(*y).map_or(Float(*x as f64 * *y as f64), Int)
        }
        (BinaryOp::Div, Int(x), Int(y)) => {
            if *y == 0 {
                return None;
            }
            match x.checked_rem(*y) {
                Some(0) => Int(x.checked_div(*y)?),
                _ => Float(*x as f64 / *y as f64),
            }
        }
        (BinaryOp::Mod, Int(x), Int(y)) if *y != 0 => Int(x.checked_rem(*y).unwrap_or(0)),
        (BinaryOp::Pow, _, _) => match numbers(a, b)? {
            // There is a deprecation.
            (0.0, ..0.0) => return None,
            _ => {
                let power = jumbo_value::convert::pow(number(a)?, number(b)?);
                if power.is_int() { Int(power.as_int()) } else { Float(power.as_float()) }
            }
        },
        (BinaryOp::Add, _, _) if numbers(a, b).is_some() => {
            numbers(a, b).map(|(x, y)| Float(x + y))?
        }
        (BinaryOp::Sub, _, _) if numbers(a, b).is_some() => {
            numbers(a, b).map(|(x, y)| Float(x - y))?
        }
        (BinaryOp::Mul, _, _) if numbers(a, b).is_some() => {
            numbers(a, b).map(|(x, y)| Float(x * y))?
        }
        (BinaryOp::Div, _, _) => match numbers(a, b)? {
            (_, 0.0) => return None,
            (x, y) => Float(x / y),
        },
        (BinaryOp::Add, Array(x), Array(y)) => {
            let mut sum: ConstArray = (**x).clone();
            for (key, value) in &y.entries {
                if sum.get(key).is_none() {
                    sum.set(key.clone(), value.clone());
                }
            }
            Array(Rc::new(sum))
        }
        (BinaryOp::BitOr, Int(x), Int(y)) => Int(x | y),
        (BinaryOp::BitAnd, Int(x), Int(y)) => Int(x & y),
        (BinaryOp::BitXor, Int(x), Int(y)) => Int(x ^ y),
        (BinaryOp::ShiftLeft, Int(x), Int(y)) if *y >= 0 => Int(if *y < 64 { x << y } else { 0 }),
        (BinaryOp::ShiftRight, Int(x), Int(y)) if *y >= 0 => {
            Int(if *y < 64 { x >> y } else { x >> 63 })
        }
        (BinaryOp::Concat, _, _) => {
            let (x, y) = (string(a)?, string(b)?);
            Str(Rc::from([x.as_ref(), y.as_ref()].concat()))
        }
        (BinaryOp::Xor, _, _) => Bool(a.to_bool() != b.to_bool()),
        (BinaryOp::Identical, _, _) => Bool(identical(a, b)?),
        (BinaryOp::NotIdentical, _, _) => Bool(!identical(a, b)?),
        (BinaryOp::Equal, _, _) => Bool(order(a, b)?.is_some_and(Ordering::is_eq)),
        (BinaryOp::NotEqual, _, _) => Bool(order(a, b)?.is_none_or(Ordering::is_ne)),
        (BinaryOp::Less, _, _) => Bool(order(a, b)?.is_some_and(Ordering::is_lt)),
        (BinaryOp::LessEqual, _, _) => Bool(order(a, b)?.is_some_and(Ordering::is_le)),
        (BinaryOp::Greater, _, _) => Bool(order(a, b)?.is_some_and(Ordering::is_gt)),
        (BinaryOp::GreaterEqual, _, _) => Bool(order(a, b)?.is_some_and(Ordering::is_ge)),
        (BinaryOp::Spaceship, _, _) => Int(order(a, b)?.map_or(1, |order| order as i64)),
        _ => return None,
    })
}

fn identical(a: &Const, b: &Const) -> Option<bool> {
    Some(match (a, b) {
        (Const::Null, Const::Null) => true,
        (Const::Bool(x), Const::Bool(y)) => x == y,
        (Const::Int(x), Const::Int(y)) => x == y,
        (Const::Float(x), Const::Float(y)) => x == y,
        (Const::Str(x), Const::Str(y)) => x == y,
        (Const::Array(_), Const::Array(_)) => return None,
        _ => false,
    })
}
