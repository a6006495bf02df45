//! Exception and Error: both have the same slots and methods.

use jumbo_abi::throwable::slots;
use jumbo_abi::{ClassHooks, ClassPtr, Cx, PObject, PStr, Res, Value, View};

/// A new one gets its place and trace before its constructor runs.
pub static HOOKS: ClassHooks = ClassHooks { create: Some(create), uncloneable: true, ..ClassHooks::NONE };

fn create(cx: &mut Cx, object: &PObject) -> Res<()> {
    cx.engine().fill_throwable(cx, object)
}

fn get(this: &PObject, slot: u32) -> Value {
    this.slot(slot).copy_deref()
}

pub fn __clone(_cx: &mut Cx, _this: &PObject) {
    // Never reached: exceptions are uncloneable, and the method is private.
}

/// Assigns a property. A subclass may have given it hooks.
pub fn put(cx: &mut Cx, this: &PObject, slot: u32, name: &[u8], value: Value) -> Res<()> {
    if ClassPtr::of(this).properties.get(name).is_some_and(|p| p.has_hooks()) {
        return cx.write_property(this, name, value);
    }
    this.assign_slot(slot, value);
    Ok(())
}

/// What is not given keeps the default of the property, which a subclass may have set.
pub fn __construct(cx: &mut Cx, this: &PObject, message: Option<&PStr>, code: i64, previous: Option<&PObject>) -> Res<()> {
    if let Some(message) = message {
        put(cx, this, slots::MESSAGE, b"message", Value::from(message))?;
    }
    if code != 0 {
        put(cx, this, slots::CODE, b"code", Value::from(code))?;
    }
    if let Some(previous) = previous {
        this.assign_slot(slots::PREVIOUS, Value::from(previous));
    }
    Ok(())
}

/// After unserializing: properties of a wrong type are unset.
pub fn __wakeup(cx: &mut Cx, this: &PObject) {
    let throwable = cx.declared_class(b"Throwable");
    for slot in slots::MESSAGE..=slots::PREVIOUS {
        let value = get(this, slot);
        let fits = match (slot, value.view()) {
            (slots::MESSAGE | slots::STRING | slots::FILE, View::Str(_)) => true,
            (slots::CODE | slots::LINE, View::Int(_)) => true,
            (slots::TRACE, View::Array(_)) => true,
            (slots::PREVIOUS, View::Null) => true,
            (slots::PREVIOUS, View::Object(o)) => throwable.is_some_and(|t| ClassPtr::of(o).is_a(t)) && o != this,
            _ => false,
        };
        if !fits {
            this.set_slot(slot, Value::UNDEF);
        }
    }
}

pub fn get_message(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    cx.to_string(&get(this, slots::MESSAGE))
}

pub fn get_code(_cx: &mut Cx, this: &PObject) -> Value {
    get(this, slots::CODE)
}

pub fn get_file(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    cx.to_string(&get(this, slots::FILE))
}

pub fn get_line(_cx: &mut Cx, this: &PObject) -> Value {
    get(this, slots::LINE)
}

pub fn get_trace(_cx: &mut Cx, this: &PObject) -> Value {
    get(this, slots::TRACE)
}

pub fn get_previous(_cx: &mut Cx, this: &PObject) -> Value {
    get(this, slots::PREVIOUS)
}

pub fn get_trace_as_string(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let trace = get(this, slots::TRACE);
    cx.engine().trace_to_string(cx, &trace.as_array().cloned().unwrap_or_default())
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let text = cx.engine().throwable_to_string(cx, this)?;
    // PHP keeps the text in the private property; it is shown by later dumps.
    this.assign_slot(slots::STRING, Value::from(&text));
    Ok(text)
}
