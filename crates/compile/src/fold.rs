//! Constant folding. What PHP computes with a warning, a deprecation or an exception is left to run time.

use crate::konst::{Const, ConstArray, ConstKey};
use jumbo_syntax::ast::{BinaryOp, UnaryOp};
use jumbo_value::{PStr, Value, compare};
use jumbo_value::number::{Number, float_is_int, parse_prefix};
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
        (UnaryOp::Plus, value) => binary(BinaryOp::Mul, value, &Const::Int(1))?,
        (UnaryOp::Minus, Const::Float(f)) => Const::Float(-f),
        (UnaryOp::Minus, value) => binary(BinaryOp::Mul, value, &Const::Int(-1))?,
        (UnaryOp::BitNot, Const::Str(s)) => Const::Str(s.iter().map(|byte| !byte).collect()),
        (UnaryOp::BitNot, Const::Int(_) | Const::Float(_)) => Const::Int(!int(value)?),
        _ => return None,
    })
}

/// `container[key]` where the element is there.
pub fn element(container: &Const, offset: &Const) -> Option<Const> {
    match (container, offset) {
        (Const::Array(array), _) => array.get(&key(offset)?).cloned(),
        (Const::Str(s), Const::Int(n)) => {
            let n = if *n < 0 { n.checked_add(s.len() as i64)? } else { *n };
            Some(Const::str(&[*s.get(usize::try_from(n).ok()?)?]))
        }
        _ => None,
    }
}

/// How two values compare; inside, None: there is no order (NAN, other keys).
fn order(a: &Const, b: &Const) -> Option<Option<Ordering>> {
    let scalar = |value: &Const| match value {
        Const::Str(s) => Value::from(PStr::new(s)),
        other => other.to_value(),
    };
    Some(match (a, b) {
        (Const::Array(x), Const::Array(y)) => return order_of_arrays(x, y),
        (Const::Array(_), Const::Null | Const::Bool(_)) | (Const::Null | Const::Bool(_), Const::Array(_)) => Some(a.to_bool().cmp(&b.to_bool())),
        (Const::Array(_), _) => Some(Ordering::Greater),
        (_, Const::Array(_)) => Some(Ordering::Less),
        _ => compare::compare(&scalar(a), &scalar(b), &mut |_, _| Err(())).ok()?.ok(),
    })
}

fn order_of_arrays(a: &ConstArray, b: &ConstArray) -> Option<Option<Ordering>> {
    if a.entries.len() != b.entries.len() {
        return Some(Some(a.entries.len().cmp(&b.entries.len())));
    }
    for (key, x) in &a.entries {
        let Some(y) = b.get(key) else { return Some(None) };
        let order = order(x, y)?;
        if order != Some(Ordering::Equal) {
            return Some(order);
        }
    }
    Some(Some(Ordering::Equal))
}

/// The number that an operand of arithmetic is; strings are numeric as a whole.
fn number(value: &Const) -> Option<Number> {
    Some(match value {
        Const::Null => Number::Int(0),
        Const::Bool(b) => Number::Int(*b as i64),
        Const::Int(i) => Number::Int(*i),
        Const::Float(f) => Number::Float(*f),
        Const::Str(s) => parse_prefix(s).filter(|n| !n.trailing)?.number,
        Const::Array(_) => return None,
    })
}

fn numbers(a: &Const, b: &Const) -> Option<(Number, Number)> {
    Some((number(a)?, number(b)?))
}

/// The int that an operand of bits and remainders is, where nothing is lost.
fn int(value: &Const) -> Option<i64> {
    match number(value)? {
        Number::Int(i) => Some(i),
        Number::Float(f) => float_is_int(f).then_some(f as i64),
    }
}

/// Of ints where the result is one, of floats otherwise.
fn arithmetic(a: &Const, b: &Const, ints: fn(i64, i64) -> Option<i64>, floats: fn(f64, f64) -> f64) -> Option<Const> {
    let (x, y) = numbers(a, b)?;
    let exact = match (x, y) {
        (Number::Int(x), Number::Int(y)) => ints(x, y),
        _ => None,
    };
    Some(exact.map_or_else(|| Const::Float(floats(x.to_f64(), y.to_f64())), Const::Int))
}

/// Bits of ints, or of the bytes of strings.
fn bits(a: &Const, b: &Const, ints: fn(i64, i64) -> i64, strings: BinaryOp) -> Option<Const> {
    let (Const::Str(x), Const::Str(y)) = (a, b) else { return Some(Const::Int(ints(int(a)?, int(b)?))) };
    let pairs = x.iter().zip(y.iter());
    Some(Const::Str(match strings {
        BinaryOp::BitAnd => pairs.map(|(x, y)| x & y).collect(),
        BinaryOp::BitXor => pairs.map(|(x, y)| x ^ y).collect(),
        _ => {
            let rest = if x.len() > y.len() { &x[y.len()..] } else { &y[x.len()..] };
            pairs.map(|(x, y)| x | y).chain(rest.iter().copied()).collect()
        }
    }))
}

pub fn binary(op: BinaryOp, a: &Const, b: &Const) -> Option<Const> {
    use Const::{Array, Bool, Int, Str};
    Some(match (op, a, b) {
        (BinaryOp::Add, Array(x), Array(y)) => {
            let mut sum: ConstArray = (**x).clone();
            for (key, value) in &y.entries {
                if sum.get(key).is_none() {
                    sum.set(key.clone(), value.clone());
                }
            }
            Array(Rc::new(sum))
        }
        (BinaryOp::Add, _, _) => arithmetic(a, b, i64::checked_add, |x, y| x + y)?,
        (BinaryOp::Sub, _, _) => arithmetic(a, b, i64::checked_sub, |x, y| x - y)?,
        (BinaryOp::Mul, _, _) => arithmetic(a, b, i64::checked_mul, |x, y| x * y)?,
        (BinaryOp::Div, _, _) => {
            if number(b)?.to_f64() == 0.0 {
                return None;
            }
            let exact = |x: i64, y: i64| (x.checked_rem(y)? == 0).then(|| x / y);
            arithmetic(a, b, exact, |x, y| x / y)?
        }
        (BinaryOp::Pow, _, _) => match numbers(a, b)? {
            // There is a deprecation.
            (x, y) if x.to_f64() == 0.0 && y.to_f64() < 0.0 => return None,
            (x, y) => {
                let power = jumbo_value::convert::pow(x, y);
                if power.is_int() { Int(power.as_int()) } else { Const::Float(power.as_float()) }
            }
        },
        (BinaryOp::Mod, _, _) => match (int(a)?, int(b)?) {
            (_, 0) => return None,
            (x, y) => Int(x.checked_rem(y).unwrap_or(0)),
        },
        (BinaryOp::BitOr, _, _) => bits(a, b, |x, y| x | y, op)?,
        (BinaryOp::BitAnd, _, _) => bits(a, b, |x, y| x & y, op)?,
        (BinaryOp::BitXor, _, _) => bits(a, b, |x, y| x ^ y, op)?,
        (BinaryOp::ShiftLeft | BinaryOp::ShiftRight, _, _) => {
            let (x, y) = (int(a)?, u64::try_from(int(b)?).ok()?);
            match op {
                BinaryOp::ShiftLeft if y < 64 => Int(x << y),
                BinaryOp::ShiftLeft => Int(0),
                _ => Int(x >> y.min(63)),
            }
        }
        (BinaryOp::Concat, _, _) => {
            let (x, y) = (string(a)?, string(b)?);
            Str(Rc::from([x.as_ref(), y.as_ref()].concat()))
        }
        (BinaryOp::Xor, _, _) => Bool(a.to_bool() != b.to_bool()),
        (BinaryOp::Identical, _, _) => Bool(identical(a, b)),
        (BinaryOp::NotIdentical, _, _) => Bool(!identical(a, b)),
        (BinaryOp::Equal, _, _) => Bool(order(a, b)?.is_some_and(Ordering::is_eq)),
        (BinaryOp::NotEqual, _, _) => Bool(order(a, b)?.is_none_or(Ordering::is_ne)),
        (BinaryOp::Less, _, _) => Bool(order(a, b)?.is_some_and(Ordering::is_lt)),
        (BinaryOp::LessEqual, _, _) => Bool(order(a, b)?.is_some_and(Ordering::is_le)),
        // As PHP: the other way round, which arrays with other keys show.
        (BinaryOp::Greater, _, _) => Bool(order(b, a)?.is_some_and(Ordering::is_lt)),
        (BinaryOp::GreaterEqual, _, _) => Bool(order(b, a)?.is_some_and(Ordering::is_le)),
        (BinaryOp::Spaceship, _, _) => Int(order(a, b)?.map_or(1, |order| order as i64)),
        _ => return None,
    })
}

fn identical(a: &Const, b: &Const) -> bool {
    match (a, b) {
        (Const::Null, Const::Null) => true,
        (Const::Bool(x), Const::Bool(y)) => x == y,
        (Const::Int(x), Const::Int(y)) => x == y,
        (Const::Float(x), Const::Float(y)) => x == y,
        (Const::Str(x), Const::Str(y)) => x == y,
        (Const::Array(x), Const::Array(y)) => {
            x.entries.len() == y.entries.len() && x.entries.iter().zip(&y.entries).all(|((k, x), (l, y))| k == l && identical(x, y))
        }
        _ => false,
    }
}
