//! Casts and string conversion, objects included; comparison with objects.

use crate::objects;
use crate::vm::Vm;
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, Level, Res, mask};
use jumbo_bytecode::unit::CastKind;
use jumbo_value::compare::{self, Compared, Uncomparable};
use jumbo_value::{Key, PArray, PObject, PStr, Value, View, convert, number};
use std::cmp::Ordering;

/// `(kind) value`.
pub fn cast(cx: &mut Cx, value: Value, kind: CastKind) -> Res<Value> {
    Ok(match kind {
        CastKind::Int => Value::from(to_int(cx, &value)?),
        CastKind::Float => Value::from(to_float(cx, &value)?),
        CastKind::String => Value::from(to_string(cx, &value)?),
        CastKind::Bool => Value::from(objects::value_truth(cx, &value)?),
        CastKind::Array => Value::from(to_array(cx, &value)?),
        CastKind::Object => to_object(cx, value)?,
        CastKind::Unset => Value::null(),
    })
}

pub fn to_int(cx: &mut Cx, value: &Value) -> Res<i64> {
    match value.view_deref() {
        View::Object(o) => {
            if let Some(n) = objects::cast_number(cx, o)? {
                return Ok(n.to_i64());
            }
            no_conversion(cx, o, "int", Level::Warning)?;
            Ok(1)
        }
        _ => Ok(convert::to_int(value)),
    }
}

pub fn to_float(cx: &mut Cx, value: &Value) -> Res<f64> {
    match value.view_deref() {
        View::Object(o) => {
            if let Some(n) = objects::cast_number(cx, o)? {
                return Ok(n.to_f64());
            }
            no_conversion(cx, o, "float", Level::Warning)?;
            Ok(1.0)
        }
        _ => Ok(convert::to_float(value)),
    }
}

/// Casts warn, comparisons only notice.
fn no_conversion(cx: &mut Cx, object: &PObject, to: &str, level: Level) -> Res<()> {
    let class = ClassPtr::of(object);
    let text = [b"Object of class ".as_slice(), class.name.as_bytes(), b" could not be converted to ", to.as_bytes()].concat();
    cx.raise(level, &text)
}

/// Text of any value; arrays warn, objects without `__toString` are an Error.
pub fn to_string(cx: &mut Cx, value: &Value) -> Res<PStr> {
    if let Some(s) = convert::scalar_to_string(value, cx.precision) {
        return Ok(s);
    }
    match value.view_deref() {
        View::Array(_) => {
            crate::ops::misc::array_to_string(cx)?;
            Ok(PStr::new(b"Array"))
        }
        View::Object(o) => {
            let object = o.clone();
            let class = ClassPtr::of(&object);
            if let Some(method) = class.magic.to_string {
                // SAFETY: the machine is live.
                unsafe { Vm::check_native_depth(Vm::of(cx))? };
                let text = cx.call_function(method, Some(&object), Some(class), &[])?;
                return match text.as_str() {
                    Some(s) => Ok(s.clone()),
                    None => {
                        let message = [class.name.as_bytes(), b"::__toString(): Return value must be of type string, ", &jumbo_abi::args::type_name(&text), b" returned"].concat();
                        Err(cx.type_error(message))
                    }
                };
            }
            if let Some(hook) = class.hooks.cast
                && let Some(v) = hook(cx, &object, mask::STRING)?
                && let Some(s) = v.as_str()
            {
                return Ok(s.clone());
            }
            let text = [b"Object of class ".as_slice(), class.name.as_bytes(), b" could not be converted to string"].concat();
            Err(cx.throw_error(text))
        }
        _ => Ok(PStr::empty()),
    }
}

/// `(array)`.
pub fn to_array(cx: &mut Cx, value: &Value) -> Res<PArray> {
    Ok(match value.view_deref() {
        View::Array(a) => a.clone(),
        View::Undef | View::Null => PArray::new(),
        View::Object(o) => {
            let object = o.clone();
            if ClassPtr::of(&object).lower.as_bytes() == b"closure" {
                return Ok(PArray::from_values([Value::from(object)]));
            }
            objects::table(cx, &object, Purpose::ArrayCast)?
        }
        _ => PArray::from_values([value.copy_deref()]),
    })
}

fn to_object(cx: &mut Cx, value: Value) -> Res<Value> {
    let value = value.into_deref();
    if value.is_object() {
        return Ok(value);
    }
    let class = jumbo_abi::registry::get().plain_class.unwrap_or_else(|| cx.builtin_class(b"stdclass"));
    let object = cx.new_object(class)?;
    match value.view() {
        View::Array(a) => {
            if !a.is_empty() {
                object.set_dynamic(Some(a.clone()));
            }
        }
        View::Undef | View::Null => {}
        _ => {
            object.update_dynamic(|t| t.set(Key::Str(PStr::new(b"scalar")), value.clone()));
        }
    }
    Ok(Value::from(object))
}

/// `<=>`: -1, 0 or 1.
pub fn compare(cx: &mut Cx, a: &Value, b: &Value) -> Res<i32> {
    let order = compared(cx, a, b)?;
    Ok(match order {
        Ok(Ordering::Less) => -1,
        Ok(Ordering::Equal) => 0,
        Ok(Ordering::Greater) | Err(_) => 1,
    })
}

/// `==`.
pub fn equals(cx: &mut Cx, a: &Value, b: &Value) -> Res<bool> {
    if let (Some(x), Some(y)) = (a.as_str(), b.as_str()) {
        return Ok(compare::strings_equal_smart(x.as_bytes(), y.as_bytes()));
    }
    Ok(compared(cx, a, b)? == Ok(Ordering::Equal))
}

fn compared(cx: &mut Cx, a: &Value, b: &Value) -> Res<Compared> {
    compare::compare(a, b, &mut |x, y| with_object(cx, x, y))
}

/// Left objects, and left arrays that were reached through references, of the comparisons that run, innermost last: meeting one again inside is a cycle, PHP's error.
#[derive(Default)]
struct Comparing {
    objects: Vec<u32>,
    arrays: Vec<usize>,
}

/// Comparison where at least one side is an object.
fn with_object(cx: &mut Cx, a: &Value, b: &Value) -> Res<Compared> {
    match (a.view_deref(), b.view_deref()) {
        (View::Object(x), View::Object(y)) => {
            if x == y {
                return Ok(Ok(Ordering::Equal));
            }
            let (x, y) = (x.clone(), y.clone());
            objects_compare(cx, &x, &y)
        }
        (View::Object(o), other) => {
            let o = o.clone();
            object_with(cx, &o, other, b)
        }
        (other, View::Object(o)) => {
            let o = o.clone();
            Ok(object_with(cx, &o, other, a)?.map(Ordering::reverse))
        }
        (View::Array(x), View::Array(y)) => {
            let (x, y) = (x.clone(), y.clone());
            arrays_compare(cx, &x, &y, a.is_ref())
        }
        _ => Ok(Err(Uncomparable::No)),
    }
}

/// Arrays inside arrays. `reference`: the left one was reached through a reference, so that it may contain itself.
fn arrays_compare(cx: &mut Cx, x: &PArray, y: &PArray, reference: bool) -> Res<Compared> {
    // SAFETY: the machine is live.
    unsafe { crate::vm::Vm::check_native_depth(crate::vm::Vm::of(cx))? };
    let id = x.as_ptr() as usize;
    if id == y.as_ptr() as usize {
        // One array is equal to itself, whatever it holds.
        return Ok(Ok(Ordering::Equal));
    }
    if reference {
        if cx.state::<Comparing>().arrays.contains(&id) {
            return Err(cx.throw_error(b"Nesting level too deep - recursive dependency?"));
        }
        cx.state::<Comparing>().arrays.push(id);
    }
    let result = compare::compare_arrays(x, y, &mut |p, q| with_object(cx, p, q));
    if reference {
        cx.state::<Comparing>().arrays.pop();
    }
    result
}

/// An object against something else.
fn object_with(cx: &mut Cx, object: &PObject, kind: View<'_>, other: &Value) -> Res<Compared> {
    let class = ClassPtr::of(object);
    // An enum case is true beside null, and compares with nothing else.
    if class.is_enum() && !matches!(kind, View::Null | View::Undef) {
        return Ok(Err(Uncomparable::No));
    }
    if let Some(hook) = class.hooks.compare_with
        && !matches!(kind, View::Bool(_) | View::Null | View::Undef)
    {
        return Ok(match hook(cx, object, other)? {
            Some(n) => Ok(n.cmp(&0)),
            None => Err(Uncomparable::No),
        });
    }
    match kind {
        View::Bool(_) | View::Null | View::Undef => {
            let t = objects::truth(cx, object)?;
            Ok(Ok(t.cmp(&convert::to_bool(other))))
        }
        View::Str(s) => {
            if class.magic.to_string.is_some() || class.hooks.cast.is_some() {
                let s = s.clone();
                let text = to_string(cx, &Value::from(object.clone()))?;
                return Ok(Ok(compare::compare_strings_smart(text.as_bytes(), s.as_bytes())));
            }
            Ok(Ok(Ordering::Greater))
        }
        View::Int(_) | View::Float(_) => {
            let float = matches!(kind, View::Float(_));
            let own = match objects::cast_number(cx, object)? {
                Some(n) => n,
                None => {
                    no_conversion(cx, object, if float { "float" } else { "int" }, Level::Notice)?;
                    number::Number::Int(1)
                }
            };
            let x = match own {
                number::Number::Int(i) => Value::from(i),
                number::Number::Float(f) => Value::from(f),
            };
            compared(cx, &x, other)
        }
        _ => Ok(Ok(Ordering::Greater)),
    }
}

fn objects_compare(cx: &mut Cx, x: &PObject, y: &PObject) -> Res<Compared> {
    let (a, b) = (ClassPtr::of(x), ClassPtr::of(y));
    if let Some(hook) = a.hooks.compare.or(b.hooks.compare) {
        return Ok(match hook(cx, x, y)? {
            Some(n) => Ok(n.cmp(&0)),
            None => Err(Uncomparable::No),
        });
    }
    if a != b || a.is_enum() {
        return Ok(Err(Uncomparable::No));
    }
    let (real_x, real_y) = (crate::lazy::whole(cx, x)?, crate::lazy::whole(cx, y)?);
    let (x, y) = (real_x.as_ref().unwrap_or(x), real_y.as_ref().unwrap_or(y));
    let a = ClassPtr::of(x);
    // SAFETY: the machine is live.
    unsafe { crate::vm::Vm::check_native_depth(crate::vm::Vm::of(cx))? };
    if cx.state::<Comparing>().objects.contains(&x.id()) {
        return Err(cx.throw_error(b"Nesting level too deep - recursive dependency?"));
    }
    cx.state::<Comparing>().objects.push(x.id());
    let id = x.id();
    let result = (|| {
        for slot in 0..a.slots.len() as u32 {
            let (p, q) = (x.slot(slot), y.slot(slot));
            match (p.is_undef(), q.is_undef()) {
                (true, true) => continue,
                (true, false) | (false, true) => return Ok(Err(Uncomparable::No)),
                _ => {}
            }
            match compared(cx, &p, &q)? {
                Ok(Ordering::Equal) => {}
                other => return Ok(other),
            }
        }
        match (x.dynamic(), y.dynamic()) {
            (None, None) => Ok(Ok(Ordering::Equal)),
            (p, q) => compared(cx, &Value::from(p.unwrap_or_default()), &Value::from(q.unwrap_or_default())),
        }
    })();
    let comparing = &mut cx.state::<Comparing>().objects;
    if let Some(at) = comparing.iter().rposition(|n| *n == id) {
        comparing.remove(at);
    }
    result
}
