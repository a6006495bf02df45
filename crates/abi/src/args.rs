//! Argument binding of builtins: what the generated adapters call. Arguments stand in the caller's frame, are coerced there in
//! place (so that backtraces show them as PHP does), and are borrowed from there.

use crate::callable::Callable;
use crate::desc::FnDesc;
use crate::engine::CallableCheck;
use crate::{ClassPtr, Cx, Level, Res, Stop};
use jumbo_value::number::{self, Number};
use jumbo_value::{PArray, PObject, PRef, PStr, Value, View};

/// One call of a builtin.
pub struct Call<'a> {
    /// The arguments that were passed (an omitted one among them is UNDEF: a named-argument call skipped it).
    pub args: &'a mut [Value],
    pub this: Option<PObject>,
    /// Called class of a method (late static binding).
    pub class: Option<ClassPtr>,
    pub desc: &'static FnDesc,
    /// The caller is in strict_types mode.
    pub strict: bool,
}

impl Call<'_> {
    /// Argument `n` was given.
    #[inline]
    pub fn has(&self, n: usize) -> bool {
        self.args.get(n).is_some_and(|v| !v.is_undef())
    }
    #[inline]
    pub fn is_null(&self, n: usize) -> bool {
        self.args.get(n).is_none_or(|v| v.is_null() || v.is_undef())
    }
    /// `$this` of a method.
    pub fn this(&self) -> PObject {
        self.this.clone().expect("the interpreter calls instance methods with an object")
    }
    pub fn called_class(&self) -> ClassPtr {
        self.class.expect("the interpreter calls static methods with a class")
    }
}

/// `"string"`, `"int"`, class name…: the type of a value as messages show it, which do not tell closed resources from open ones.
pub fn type_name(value: &Value) -> Vec<u8> {
    match value.view() {
        View::Undef | View::Null => b"null".to_vec(),
        View::Bool(true) => b"true".to_vec(),
        View::Bool(false) => b"false".to_vec(),
        View::Int(_) => b"int".to_vec(),
        View::Float(_) => b"float".to_vec(),
        View::Str(_) => b"string".to_vec(),
        View::Array(_) => b"array".to_vec(),
        View::Object(o) => ClassPtr::of(o).name.as_bytes().to_vec(),
        View::Resource(_) => b"resource".to_vec(),
        View::Ref(r) => r.with(type_name),
    }
}

/// The wrong type of argument `n` (from 0): throws PHP's TypeError.
#[cold]
#[inline(never)]
pub fn type_error(cx: &mut Cx, call: &Call, n: usize, expected: &str) -> Stop {
    let given = call.args.get(n).map_or_else(|| b"null".to_vec(), type_name);
    let message = [b"must be of type ".as_slice(), expected.as_bytes(), b", ", &given, b" given"];
    cx.arg_type_error(n as u32 + 1, &message)
}

/// The arguments of a function that takes `count` or none.
pub fn all_or_none(cx: &mut Cx, call: &Call, count: usize) -> Res<()> {
    let given = (0..count).filter(|&n| call.has(n)).count();
    if given == 0 || given == count {
        return Ok(());
    }
    let mut message = cx.active_function_name();
    message.extend_from_slice(format!("() expects exactly {count} arguments, {given} given").as_bytes());
    Err(cx.throw("ArgumentCountError", message))
}

/// Null for a scalar parameter of a builtin: deprecated, except in strict mode, where it is a TypeError.
#[cold]
pub(crate) fn null_to_scalar(cx: &mut Cx, call: &Call, n: usize, expected: &str) -> Res<()> {
    if call.strict {
        return Err(type_error(cx, call, n, expected));
    }
    let name = call.desc.params.get(n).or(call.desc.params.last()).map_or("", |p| p.name);
    let function = cx.active_function_name();
    let message = [
        function.as_slice(),
        b"(): Passing null to parameter #",
        (n + 1).to_string().as_bytes(),
        b" ($",
        name.as_bytes(),
        b") of type ",
        expected.as_bytes(),
        b" is deprecated",
    ]
    .concat();
    cx.raise(Level::Deprecated, &message)
}

#[inline]
pub fn int(cx: &mut Cx, call: &mut Call, n: usize) -> Res<i64> {
    match call.args[n].view() {
        View::Int(i) => Ok(i),
        _ => int_slow(cx, call, n, "int"),
    }
}

/// The argument stays as it was given: a stack trace shows it so. (Strings are converted in place, by PHP too.)
#[cold]
#[inline(never)]
pub fn int_slow(cx: &mut Cx, call: &mut Call, n: usize, expected: &str) -> Res<i64> {
    let value = call.args[n].copy_deref();
    let i = match value.view() {
        View::Int(i) => i,
        _ if call.strict => return Err(type_error(cx, call, n, expected)),
        View::Null => {
            null_to_scalar(cx, call, n, expected)?;
            0
        }
        View::Bool(b) => b as i64,
        View::Float(f) => float_to_int_arg(cx, call, n, f, expected, &value)?,
        View::Str(s) => match number::parse_prefix(s.as_bytes()) {
            Some(p) if !p.trailing => match p.number {
                Number::Int(i) => i,
                Number::Float(f) => float_to_int_arg(cx, call, n, f, expected, &value)?,
            },
            _ => return Err(type_error(cx, call, n, expected)),
        },
        _ => return Err(type_error(cx, call, n, expected)),
    };
    Ok(i)
}

fn float_to_int_arg(cx: &mut Cx, call: &Call, n: usize, f: f64, expected: &str, value: &Value) -> Res<i64> {
    if !number::in_int_range(f) {
        return Err(type_error(cx, call, n, expected));
    }
    if !number::float_is_int(f) {
        cx.deprecated_fraction(value, f)?;
    }
    Ok(number::float_to_int(f))
}

#[inline]
pub fn float(cx: &mut Cx, call: &mut Call, n: usize) -> Res<f64> {
    match call.args[n].view() {
        View::Float(f) => Ok(f),
        View::Int(i) => Ok(i as f64),
        _ => float_as(cx, call, n, "float"),
    }
}

#[cold]
#[inline(never)]
fn float_as(cx: &mut Cx, call: &mut Call, n: usize, expected: &str) -> Res<f64> {
    let value = call.args[n].copy_deref();
    let f = match value.view() {
        View::Float(f) => f,
        View::Int(i) => i as f64,
        _ if call.strict => return Err(type_error(cx, call, n, expected)),
        View::Null => {
            null_to_scalar(cx, call, n, expected)?;
            0.0
        }
        View::Bool(b) => b as i64 as f64,
        View::Str(s) => match number::parse_prefix(s.as_bytes()) {
            Some(p) if !p.trailing => p.number.to_f64(),
            _ => return Err(type_error(cx, call, n, expected)),
        },
        _ => return Err(type_error(cx, call, n, expected)),
    };
    Ok(f)
}

/// A number whose parameter is declared as a float: an int stays what it is. In place.
pub fn number(cx: &mut Cx, call: &mut Call, n: usize) -> Res<()> {
    let value = call.args[n].copy_deref();
    let number = match value.view() {
        View::Int(_) | View::Float(_) => value,
        View::Null if !call.strict => {
            null_to_scalar(cx, call, n, "float")?;
            Value::from(0)
        }
        View::Bool(b) if !call.strict => Value::from(i64::from(b)),
        View::Str(s) if !call.strict => match number::parse_prefix(s.as_bytes()) {
            Some(p) if !p.trailing => match p.number {
                Number::Int(i) => Value::from(i),
                Number::Float(f) => Value::from(f),
            },
            _ => return Err(type_error(cx, call, n, "int|float")),
        },
        _ => return Err(type_error(cx, call, n, "int|float")),
    };
    call.args[n] = number;
    Ok(())
}

#[inline]
pub fn bool(cx: &mut Cx, call: &mut Call, n: usize) -> Res<bool> {
    match call.args[n].view() {
        View::Bool(b) => Ok(b),
        _ => bool_as(cx, call, n, "bool"),
    }
}

#[cold]
#[inline(never)]
fn bool_as(cx: &mut Cx, call: &mut Call, n: usize, expected: &str) -> Res<bool> {
    let value = call.args[n].copy_deref();
    let b = match value.view() {
        View::Bool(b) => b,
        _ if call.strict => return Err(type_error(cx, call, n, expected)),
        View::Null => {
            null_to_scalar(cx, call, n, expected)?;
            false
        }
        View::Int(_) | View::Float(_) | View::Str(_) => jumbo_value::convert::to_bool(&value),
        _ => return Err(type_error(cx, call, n, expected)),
    };
    Ok(b)
}

/// Makes argument `n` a string in place.
#[inline]
pub fn string(cx: &mut Cx, call: &mut Call, n: usize) -> Res<()> {
    match call.args[n].view() {
        View::Str(_) => Ok(()),
        _ => string_slow(cx, call, n, "string"),
    }
}

#[cold]
#[inline(never)]
pub fn string_slow(cx: &mut Cx, call: &mut Call, n: usize, expected: &str) -> Res<()> {
    let value = call.args[n].copy_deref();
    let s = match value.view() {
        View::Str(s) => s.clone(),
        // A null that is refused in spite of the declared type.
        View::Null | View::Undef if call.strict => return Err(type_error(cx, call, n, expected.strip_prefix('?').unwrap_or(expected))),
        _ if call.strict => return Err(type_error(cx, call, n, expected)),
        View::Object(o) if ClassPtr::of(o).magic.to_string.is_some() => cx.to_string(&value)?,
        View::Null | View::Undef => {
            null_to_scalar(cx, call, n, expected)?;
            PStr::empty()
        }
        View::Bool(_) | View::Int(_) | View::Float(_) => cx.to_string(&value)?,
        _ => return Err(type_error(cx, call, n, expected)),
    };
    call.args[n] = Value::from(s);
    if value.is_object() {
        // It ends here, if nobody else holds it.
        drop(value);
        return cx.engine().run_pending_destructors(cx);
    }
    Ok(())
}

#[inline]
pub fn array(cx: &mut Cx, call: &mut Call, n: usize) -> Res<()> {
    if call.args[n].as_array().is_some() {
        return Ok(());
    }
    deref_slot(call, n);
    if call.args[n].as_array().is_some() { Ok(()) } else { Err(type_error(cx, call, n, "array")) }
}

pub fn object(cx: &mut Cx, call: &mut Call, n: usize) -> Res<()> {
    deref_slot(call, n);
    if call.args[n].as_object().is_some() { Ok(()) } else { Err(type_error(cx, call, n, "object")) }
}

/// An instance of a class (name as messages show it).
pub fn instance(cx: &mut Cx, call: &mut Call, n: usize, class: &str) -> Res<()> {
    if is_instance(cx, call, n, class)? { Ok(()) } else { Err(type_error(cx, call, n, class)) }
}

fn is_instance(cx: &mut Cx, call: &mut Call, n: usize, class: &str) -> Res<bool> {
    deref_slot(call, n);
    let Some(own) = call.args[n].as_object().map(ClassPtr::of) else { return Ok(false) };
    // Builtin names cannot be declared again, so that the name alone decides.
    if own.name.as_bytes() == class.as_bytes() {
        return Ok(true);
    }
    Ok(cx.find_class(class.as_bytes(), false)?.is_some_and(|class| own.is_a(class)))
}

// ---- `?T`: null, and an argument that is not given, are null

/// True when argument `n` is there and not null. A reference is followed.
fn not_null(call: &mut Call, n: usize) -> bool {
    if call.args.get(n).is_some_and(|v| v.as_ref().is_some()) {
        deref_slot(call, n);
    }
    !call.is_null(n)
}

pub fn int_or_null(cx: &mut Cx, call: &mut Call, n: usize) -> Res<Option<i64>> {
    if !not_null(call, n) {
        return Ok(None);
    }
    match call.args[n].view() {
        View::Int(i) => Ok(Some(i)),
        _ => int_slow(cx, call, n, "?int").map(Some),
    }
}
pub fn float_or_null(cx: &mut Cx, call: &mut Call, n: usize) -> Res<Option<f64>> {
    if not_null(call, n) { float_as(cx, call, n, "?float").map(Some) } else { Ok(None) }
}
pub fn bool_or_null(cx: &mut Cx, call: &mut Call, n: usize) -> Res<Option<bool>> {
    if not_null(call, n) { bool_as(cx, call, n, "?bool").map(Some) } else { Ok(None) }
}
pub fn string_or_null(cx: &mut Cx, call: &mut Call, n: usize) -> Res<()> {
    if !not_null(call, n) || call.args[n].as_str().is_some() {
        return Ok(());
    }
    string_slow(cx, call, n, "?string")
}
pub fn array_or_null(cx: &mut Cx, call: &mut Call, n: usize) -> Res<()> {
    if !not_null(call, n) || call.args[n].as_array().is_some() {
        return Ok(());
    }
    Err(type_error(cx, call, n, "?array"))
}
pub fn object_or_null(cx: &mut Cx, call: &mut Call, n: usize) -> Res<()> {
    if !not_null(call, n) || call.args[n].as_object().is_some() {
        return Ok(());
    }
    Err(type_error(cx, call, n, "?object"))
}
pub fn instance_or_null(cx: &mut Cx, call: &mut Call, n: usize, class: &str) -> Res<()> {
    if !not_null(call, n) || is_instance(cx, call, n, class)? {
        return Ok(());
    }
    Err(type_error(cx, call, n, &format!("?{class}")))
}
pub fn callable_or_null(cx: &mut Cx, call: &mut Call, n: usize) -> Res<Option<Callable>> {
    if not_null(call, n) { callable(cx, call, n, true).map(Some) } else { Ok(None) }
}

/// A union or anything that the mask and classes of the parameter's descriptor decide (`int|string`, `array|object|null`, …).
#[inline]
pub fn union(cx: &mut Cx, call: &mut Call, n: usize) -> Res<()> {
    deref_slot(call, n);
    // What is of one of the kinds that are declared needs no look at the rest.
    let declared = call.desc.params.get(n).or(call.desc.params.last()).and_then(|p| p.ty.as_ref());
    if declared.is_some_and(|ty| crate::mask::has(ty.mask, call.args[n].raw())) {
        return Ok(());
    }
    cx.check_builtin_arg(call, n)
}

/// `mixed`: anything; a reference is followed.
#[inline]
pub fn mixed(call: &mut Call, n: usize) {
    deref_slot(call, n);
}

#[inline]
fn deref_slot(call: &mut Call, n: usize) {
    if call.args[n].as_ref().is_some() {
        call.args[n] = call.args[n].copy_deref();
    }
}

/// Resolves a `callable` parameter. `nullable`: messages say "or null".
pub fn callable(cx: &mut Cx, call: &mut Call, n: usize, nullable: bool) -> Res<Callable> {
    deref_slot(call, n);
    let value = call.args[n].clone();
    match cx.engine().resolve_callable(cx, &value, CallableCheck::Full)? {
        Ok(callable) => Ok(callable),
        Err(why) => {
            let or_null = if nullable { " or null" } else { "" };
            let message = [b"must be a valid callback", or_null.as_bytes(), b", ", &why];
            Err(cx.arg_type_error(n as u32 + 1, message))
        }
    }
}

/// A by-reference parameter: the interpreter put a reference there; a value (from call_user_func) becomes one of its own.
pub fn reference(call: &mut Call, n: usize) {
    if call.args[n].as_ref().is_none() {
        let value = std::mem::take(&mut call.args[n]);
        call.args[n] = Value::from(PRef::new(if value.is_undef() { Value::null() } else { value }));
    }
}

/// The type of what a by-reference argument refers to (`array &$array`), by the descriptor of the parameter.
pub fn check_referenced(cx: &mut Cx, call: &mut Call, n: usize) -> Res<()> {
    let Some(ty) = call.desc.params.get(n).and_then(|p| p.ty.as_ref()) else { return Ok(()) };
    let value = call.args[n].deref();
    if crate::mask::has(ty.mask, value.raw()) || value.is_undef() && ty.mask & crate::mask::NULL != 0 {
        return Ok(());
    }
    // The engine decides the rest (classes, coercion); the variable gets the coerced value.
    let reference = call.args[n].as_ref().cloned();
    call.args[n] = call.args[n].copy_deref();
    cx.check_builtin_arg(call, n)?;
    if let Some(reference) = reference {
        let coerced = std::mem::take(&mut call.args[n]);
        reference.set(coerced);
        call.args[n] = Value::from(reference);
    }
    Ok(())
}

/// The body of an abstract method of a builtin class or interface.
pub fn abstract_method(cx: &mut Cx, _call: &mut Call) -> Res<Value> {
    let name = cx.active_function_name();
    Err(cx.throw_error([b"Cannot call abstract method ".as_slice(), &name, b"()"]))
}

// ---- Borrowed views of checked arguments. The slot was checked just before, so the panics are never seen.

pub fn this_at<'a>(call: &'a Call) -> &'a PObject {
    call.this.as_ref().expect("the interpreter calls instance methods with an object")
}
pub fn str_at(args: &[Value], n: usize) -> &PStr {
    args[n].as_str().expect("the adapter made it a string")
}
pub fn array_at(args: &[Value], n: usize) -> &PArray {
    args[n].as_array().expect("the adapter checked that it is an array")
}
pub fn object_at(args: &[Value], n: usize) -> &PObject {
    args[n].as_object().expect("the adapter checked that it is an object")
}
pub fn ref_at(args: &[Value], n: usize) -> &PRef {
    args[n].as_ref().expect("the adapter made it a reference")
}
pub fn value_at(args: &[Value], n: usize) -> &Value {
    &args[n]
}
pub fn opt_str_at(args: &[Value], n: usize) -> Option<&PStr> {
    args.get(n)?.as_str()
}
pub fn opt_array_at(args: &[Value], n: usize) -> Option<&PArray> {
    args.get(n)?.as_array()
}
pub fn opt_object_at(args: &[Value], n: usize) -> Option<&PObject> {
    args.get(n)?.as_object()
}
pub fn opt_ref_at(args: &[Value], n: usize) -> Option<&PRef> {
    args.get(n)?.as_ref()
}
/// An argument that was given, null or not.
pub fn given_at(args: &[Value], n: usize) -> Option<&Value> {
    args.get(n).filter(|v| !v.is_undef())
}
/// An argument that was given and is not null.
pub fn opt_value_at(args: &[Value], n: usize) -> Option<&Value> {
    args.get(n).filter(|v| !v.is_undef() && !v.is_null())
}
/// The arguments of a variadic parameter.
pub fn rest(args: &[Value], n: usize) -> &[Value] {
    args.get(n..).unwrap_or_default()
}
