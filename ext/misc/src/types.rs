//! Kinds of values: gettype, settype, the is_* family, scalar casts as functions.

use jumbo_abi::engine::CallableCheck;
use jumbo_abi::{ClassPtr, Cx, PRef, PStr, Res, Value, View, mask};
use jumbo_value::{convert, number};

pub fn gettype(_cx: &mut Cx, value: &Value) -> PStr {
    PStr::new(match value.view_deref() {
        View::Undef | View::Null | View::Ref(_) => b"NULL".as_slice(),
        View::Bool(_) => b"boolean",
        View::Int(_) => b"integer",
        View::Float(_) => b"double",
        View::Str(_) => b"string",
        View::Array(_) => b"array",
        View::Object(_) => b"object",
        View::Resource(r) if r.is_closed() => b"resource (closed)",
        View::Resource(_) => b"resource",
    })
}

pub fn get_debug_type(_cx: &mut Cx, value: &Value) -> PStr {
    match value.view_deref() {
        View::Undef | View::Null | View::Ref(_) => PStr::new(b"null"),
        View::Bool(_) => PStr::new(b"bool"),
        View::Int(_) => PStr::new(b"int"),
        View::Float(_) => PStr::new(b"float"),
        View::Str(_) => PStr::new(b"string"),
        View::Array(_) => PStr::new(b"array"),
        View::Object(o) => {
            let name = ClassPtr::of(o).name.clone();
            // The generated part of an anonymous class's name is left out.
            match name.as_bytes().iter().position(|&b| b == 0) {
                Some(end) => PStr::new(&name.as_bytes()[..end]),
                None => name,
            }
        }
        View::Resource(r) if r.is_closed() => PStr::new(b"resource (closed)"),
        View::Resource(r) => PStr::concat(&[b"resource (", r.type_name().as_bytes(), b")"]),
    }
}

pub fn settype(cx: &mut Cx, var: &PRef, ty: &PStr) -> Res<bool> {
    let value = var.get();
    let new = match ty.as_bytes().to_ascii_lowercase().as_slice() {
        b"int" | b"integer" => Value::from(cx.to_int(&value)?),
        b"float" | b"double" => Value::from(cx.to_float(&value)?),
        b"string" => Value::from(cx.to_string(&value)?),
        b"bool" | b"boolean" => Value::from(boolval(cx, &value)?),
        b"array" => cast_array(cx, &value)?,
        b"object" => cast_object(cx, &value)?,
        b"null" => Value::null(),
        b"resource" => {
            return Err(cx.value_error("Cannot convert to resource type"));
        }
        _ => return Err(cx.arg_value_error(2, "must be a valid type")),
    };
    var.set(new);
    Ok(true)
}

fn cast_array(cx: &mut Cx, value: &Value) -> Res<Value> {
    Ok(match value.view_deref() {
        View::Array(a) => Value::from(a.clone()),
        View::Null | View::Undef => Value::empty_array(),
        View::Object(o) => {
            let o = o.clone();
            cx.engine().object_cast(cx, &o, mask::ARRAY)?
        }
        _ => Value::from(jumbo_abi::PArray::from_values([value.copy_deref()])),
    })
}

fn cast_object(cx: &mut Cx, value: &Value) -> Res<Value> {
    if value.deref().is_object() {
        return Ok(value.copy_deref());
    }
    let class = cx.builtin_class(b"stdclass");
    let object = cx.new_object(class)?;
    match value.view_deref() {
        View::Array(a) => {
            object.set_dynamic(Some(a.clone()));
        }
        View::Null | View::Undef => {}
        _ => object.update_dynamic(|t| t.set_bytes(b"scalar", value.copy_deref())),
    }
    Ok(Value::from(object))
}

pub fn intval(cx: &mut Cx, value: &Value, base: i64) -> Res<i64> {
    let View::Str(s) = value.view_deref() else { return cx.to_int(value) };
    if base == 10 {
        return Ok(number::str_to_int(s.as_bytes()));
    }
    // PHP hands it on as a C int.
    Ok(int_in_base(s.as_bytes(), i64::from(base as i32)))
}

/// The integer at the start of `s` in a base (0: by its prefix), stopping at the limits.
fn int_in_base(s: &[u8], base: i64) -> i64 {
    // C's white space has the vertical tab too.
    let spaces = s.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0b).count();
    let s = &s[spaces..];
    let (negative, digits) = match s {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, s),
    };
    let prefixed = |p: u8| digits.len() > 1 && digits[0] == b'0' && digits[1].eq_ignore_ascii_case(&p);
    let (base, digits) = match base {
        0 | 16 if prefixed(b'x') => (16, &digits[2..]),
        0 | 2 if prefixed(b'b') => (2, &digits[2..]),
        0 if digits.first() == Some(&b'0') => (8, digits),
        0 => (10, digits),
        2..=36 => (base, digits),
        _ => return 0,
    };
    let mut n: i64 = 0;
    for &b in digits {
        let Some(d) = (b as char).to_digit(base as u32) else { break };
        let next = n.checked_mul(base).and_then(|n| if negative { n.checked_sub(i64::from(d)) } else { n.checked_add(i64::from(d)) });
        match next {
            Some(next) => n = next,
            None => return if negative { i64::MIN } else { i64::MAX },
        }
    }
    n
}

pub fn floatval(cx: &mut Cx, value: &Value) -> Res<f64> {
    cx.to_float(value)
}
pub fn strval(cx: &mut Cx, value: &Value) -> Res<PStr> {
    cx.to_string(value)
}
pub fn boolval(cx: &mut Cx, value: &Value) -> Res<bool> {
    match value.view_deref() {
        View::Object(o) => {
            let o = o.clone();
            Ok(convert::to_bool(&cx.engine().object_cast(cx, &o, mask::BOOL)?))
        }
        _ => Ok(convert::to_bool(value)),
    }
}

pub fn is_null(_cx: &mut Cx, value: &Value) -> bool {
    value.deref().is_null()
}
pub fn is_bool(_cx: &mut Cx, value: &Value) -> bool {
    value.deref().is_bool()
}
pub fn is_int(_cx: &mut Cx, value: &Value) -> bool {
    value.deref().is_int()
}
pub fn is_float(_cx: &mut Cx, value: &Value) -> bool {
    value.deref().is_float()
}
pub fn is_string(_cx: &mut Cx, value: &Value) -> bool {
    value.deref().is_string()
}
pub fn is_array(_cx: &mut Cx, value: &Value) -> bool {
    value.deref().is_array()
}
pub fn is_object(_cx: &mut Cx, value: &Value) -> bool {
    value.deref().is_object()
}
pub fn is_resource(_cx: &mut Cx, value: &Value) -> bool {
    matches!(value.view_deref(), View::Resource(r) if !r.is_closed())
}
pub fn is_numeric(_cx: &mut Cx, value: &Value) -> bool {
    match value.view_deref() {
        View::Int(_) | View::Float(_) => true,
        View::Str(s) => number::parse_numeric(s.as_bytes()).is_some(),
        _ => false,
    }
}
pub fn is_scalar(_cx: &mut Cx, value: &Value) -> bool {
    matches!(value.view_deref(), View::Bool(_) | View::Int(_) | View::Float(_) | View::Str(_))
}
pub fn is_iterable(cx: &mut Cx, value: &Value) -> bool {
    match value.view_deref() {
        View::Array(_) => true,
        View::Object(o) => ClassPtr::of(o).is_a(cx.builtin_class(b"traversable")),
        _ => false,
    }
}
pub fn is_countable(cx: &mut Cx, value: &Value) -> bool {
    match value.view_deref() {
        View::Array(_) => true,
        View::Object(o) => {
            let class = ClassPtr::of(o);
            class.hooks.count.is_some() || class.is_a(cx.builtin_class(b"countable"))
        }
        _ => false,
    }
}

pub fn is_callable(cx: &mut Cx, value: &Value, syntax_only: bool, callable_name: Option<&PRef>) -> Res<bool> {
    if let Some(name) = callable_name {
        let text = cx.engine().callable_name(cx, value);
        name.set(Value::from(text));
    }
    let check = if syntax_only { CallableCheck::SyntaxOnly } else { CallableCheck::Full };
    Ok(cx.engine().resolve_callable(cx, value, check)?.is_ok())
}
