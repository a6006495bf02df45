//! Elements of any container: arrays with keys of any kind, string offsets, ArrayAccess objects, and what is no container at all.
//!
//! Places (`*mut Raw`) point into arrays, objects or frames. A place is used by the very next opcode; between its making and its use only
//! diagnostics can run PHP code. That a place stays memory is the affair of [`crate::pins`]; what a write means after such code ran is
//! decided here, as PHP does: the array that the place held before keeps a count meanwhile ([`guarded`]), and when afterwards it is
//! gone from there, or held elsewhere too, the write is dropped, in silence.

use crate::{arith, objects, types};
use crate::vm::Vm;
use jumbo_abi::{Cx, Level, Res, Stop};
use jumbo_bytecode::unit::BinaryOp;
use jumbo_value::array::raw;
use jumbo_value::number::{self, Number};
use jumbo_value::{Key, KeyRef, PArray, PObject, PStr, Raw, Value, View, tag};

/// What a fetched place is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Write,
    ReadWrite,
    /// As `ReadWrite`, of an element that `op=` writes to.
    Operation,
    Unset,
    /// As `Unset`; the next instruction uses the place as an object.
    UnsetObject,
    /// As `Write`; the next instruction makes a reference of the place, uses it as an object, or increments it (`ReadWrite`): on a string
    /// these are different errors.
    Reference,
    Object,
    Increment,
    /// As `ReadWrite`; an element of what is there is meant.
    Nested,
}

/// What a key is for: decides the message when it cannot be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUse {
    Access,
    Isset,
    Unset,
    Literal,
}

/// A fetched place, or a value that stands for one (results of offsetGet, null for what is not there).
pub enum Place {
    At(*mut Raw),
    Value(Value),
}

impl Place {
    pub fn into_raw(self) -> Raw {
        match self {
            Place::At(p) => Raw::ptr(p),
            Place::Value(v) => v.into_raw(),
        }
    }
    /// The value at the place, counted: when what holds the place goes away now.
    ///
    /// # Safety
    /// The place is still live.
    pub unsafe fn detach(self) -> Raw {
        match self {
            // SAFETY: as promised.
            Place::At(p) => unsafe { (*p).copied() },
            Place::Value(v) => v.into_raw(),
        }
    }
}

/// TypeError for an impossible key.
#[cold]
fn bad_key(cx: &mut Cx, key: &Value, used: KeyUse, container: &str) -> Stop {
    let kind = jumbo_abi::args::type_name(key);
    let kind = if key.deref().is_bool() { b"bool".to_vec() } else { kind };
    let text = match used {
        KeyUse::Access | KeyUse::Literal => [b"Cannot access offset of type ".as_slice(), &kind, b" on ", container.as_bytes()].concat(),
        KeyUse::Isset => [b"Cannot access offset of type ".as_slice(), &kind, b" in isset or empty"].concat(),
        KeyUse::Unset => [b"Cannot unset offset of type ".as_slice(), &kind, b" on ", container.as_bytes()].concat(),
    };
    cx.type_error(text)
}

/// The array key that a value means.
pub fn key(cx: &mut Cx, value: &Value, used: KeyUse) -> Res<Key> {
    Ok(match value.view_deref() {
        View::Int(i) => Key::Int(i),
        View::Str(s) => Key::from_str(s),
        View::Undef | View::Null => Key::Str(PStr::empty()),
        View::Bool(b) => Key::Int(b as i64),
        View::Float(f) => {
            if !number::float_is_int(f) {
                cx.deprecated_fraction(value.deref(), f)?;
            }
            Key::Int(number::float_to_int(f))
        }
        View::Resource(r) => {
            let id = r.id();
            let text = format!("Resource ID#{id} used as offset, casting to integer ({id})");
            cx.raise(Level::Warning, text.as_bytes())?;
            Key::Int(id)
        }
        _ => return Err(bad_key(cx, value, used, "array")),
    })
}

/// Error: the next element is already occupied.
#[cold]
pub fn next_occupied(cx: &mut Cx) -> Stop {
    cx.throw_error(b"Cannot add element to the array as the next element is already occupied")
}

#[cold]
fn undefined_key(cx: &mut Cx, key: KeyRef<'_>) -> Res<()> {
    let text = match key {
        KeyRef::Int(i) => format!("Undefined array key {i}").into_bytes(),
        // PHP's message ends the key at a NUL byte.
        KeyRef::Str(s) => [b"Undefined array key \"".as_slice(), jumbo_value::string::up_to_nul(s.as_bytes()), b"\""].concat(),
    };
    cx.raise(Level::Warning, &text)
}

/// `base[key]`. `quiet`: for `??` and the inner parts of isset.
pub fn read(cx: &mut Cx, base: &Value, key_value: &Value, quiet: bool) -> Res<Value> {
    match base.view_deref() {
        View::Array(array) => {
            let key = key(cx, key_value, KeyUse::Access)?;
            if let Some(v) = array.get(&key) {
                return Ok(v.copy_deref());
            }
            if !quiet {
                undefined_key(cx, key.as_ref())?;
            }
            Ok(Value::null())
        }
        View::Str(s) => read_string(cx, s, key_value, quiet),
        View::Object(o) => objects::dim_read(cx, o, Some(key_value), quiet),
        _ => {
            if !quiet {
                let kind = match base.view_deref() {
                    View::Bool(false) => b"false".to_vec(),
                    View::Bool(true) => b"true".to_vec(),
                    _ => jumbo_abi::args::type_name(base),
                };
                cx.raise(Level::Warning, &[b"Trying to access array offset on ".as_slice(), &kind].concat())?;
            }
            Ok(Value::null())
        }
    }
}

/// The offset that a value means on a string. `Ok(None)` only when `quiet`: it means none.
pub(crate) fn string_offset(cx: &mut Cx, value: &Value, quiet: bool) -> Res<Option<i64>> {
    match value.view_deref() {
        View::Int(i) => Ok(Some(i)),
        View::Str(s) => match number::parse_prefix(s.as_bytes()) {
            Some(n) => match n.number {
                Number::Int(i) if !n.trailing => Ok(Some(i)),
                // Also `??` hears of this.
                Number::Int(i) => {
                    cx.raise(Level::Warning, &[b"Illegal string offset \"".as_slice(), s.as_bytes(), b"\""].concat())?;
                    Ok(Some(i))
                }
                Number::Float(_) if quiet => Ok(None),
                Number::Float(_) => Err(bad_key(cx, value, KeyUse::Access, "string")),
            },
            None if quiet => Ok(None),
            None => Err(bad_key(cx, value, KeyUse::Access, "string")),
        },
        View::Undef | View::Null | View::Bool(_) | View::Float(_) => {
            if !quiet {
                cx.raise(Level::Warning, b"String offset cast occurred")?;
            }
            Ok(Some(jumbo_value::convert::to_int(value)))
        }
        _ => Err(bad_key(cx, value, KeyUse::Access, "string")),
    }
}

#[cold]
fn empty_string(cx: &mut Cx) -> Stop {
    cx.throw_error(b"Cannot assign an empty string to a string offset")
}

fn byte_at(s: &[u8], offset: i64) -> Option<u8> {
    let at = if offset < 0 { offset.checked_add(s.len() as i64)? } else { offset };
    s.get(usize::try_from(at).ok()?).copied()
}

fn read_string(cx: &mut Cx, s: &PStr, key: &Value, quiet: bool) -> Res<Value> {
    let s = s.clone();
    let Some(offset) = string_offset(cx, key, quiet)? else { return Ok(Value::null()) };
    match byte_at(s.as_bytes(), offset) {
        Some(b) => Ok(Value::from(PStr::single_byte(b))),
        None if quiet => Ok(Value::null()),
        None => {
            cx.raise(Level::Warning, format!("Uninitialized string offset {offset}").as_bytes())?;
            Ok(Value::from(PStr::empty()))
        }
    }
}

/// Is there a byte at the offset (with `empty`: one that is not `0`)?
fn has_byte(s: &PStr, offset: i64, empty: bool) -> bool {
    byte_at(s.as_bytes(), offset).is_some_and(|b| !empty || b != b'0')
}

/// `isset(base[key])`, or `!empty(base[key])` with `empty`.
pub fn has(cx: &mut Cx, base: &Value, key_value: &Value, empty: bool) -> Res<bool> {
    match base.view_deref() {
        View::Array(array) => {
            let key = key(cx, key_value, KeyUse::Isset)?;
            match array.get(&key) {
                None => Ok(false),
                Some(v) if empty => {
                    let v = v.copy_deref();
                    objects::value_truth(cx, &v)
                }
                Some(v) => Ok(!v.deref().is_null()),
            }
        }
        View::Str(s) => {
            // A string offset exists for ints and integer strings only; other scalars count as ints.
            let offset = match key_value.view_deref() {
                View::Str(k) => match k.as_index() {
                    Some(i) => i,
                    None => match number::parse_prefix(k.as_bytes()) {
                        Some(n) if !n.trailing && matches!(n.number, Number::Int(_)) => n.number.to_i64(),
                        _ => return Ok(false),
                    },
                },
                View::Array(_) | View::Object(_) | View::Resource(_) => return Ok(false),
                View::Float(f) => {
                    if !number::float_is_int(f) {
                        let text = s.clone();
                        cx.deprecated_fraction(key_value.deref(), f)?;
                        return Ok(has_byte(&text, number::float_to_int(f), empty));
                    }
                    number::float_to_int(f)
                }
                _ => jumbo_value::convert::to_int(key_value),
            };
            Ok(has_byte(s, offset, empty))
        }
        View::Object(o) => objects::dim_has(cx, o, key_value, empty),
        _ => Ok(false),
    }
}

/// What a container is when it is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    Array,
    /// A string or an object.
    Other,
    /// A handler has put something else there: the write is dropped.
    Gone,
}

/// A typed property or reference that would become an array must allow one. PHP does not ask where `op=` writes to an element, and a static property
/// itself only where its element is not read, in words of its own.
///
/// # Safety
/// `base` is a live slot.
unsafe fn must_allow_array(cx: &mut Cx, base: *mut Raw, access: Access) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let Some(source) = types::typed_reference(base) else { return Ok(()) };
        if access == Access::Operation {
            return Ok(());
        }
        if let Some(own) = crate::type_sources::of_static_slot(cx, base) {
            if !matches!(access, Access::ReadWrite | Access::Increment | Access::Nested) {
                types::check_auto_array(cx, own, b"")?;
            } else if (*(*base).ref_ptr()).header.is_unique() {
                return Ok(());
            }
        }
        types::check_auto_array(cx, source, b"a reference held by ")
    }
}

/// A typed static property that nothing else refers to, which is no reference in PHP.
unsafe fn is_own_static(base: *mut Raw) -> bool {
    // SAFETY: the slot is live.
    unsafe { types::typed_reference(base).is_some_and(|source| source.is_static && (*base).header().is_unique()) }
}

/// Turns the container into an array for writing where PHP does so.
///
/// # Safety
/// `base` is a live slot.
pub unsafe fn become_array(cx: &mut Cx, base: *mut Raw, access: Access) -> Res<Container> {
    // SAFETY: the slot is live, and is looked at anew after the diagnostic.
    unsafe {
        let slot = Raw::deref_slot(base);
        match (*slot).tag {
            tag::ARRAY | tag::ARRAY_COUNTED => Ok(Container::Array),
            tag::UNDEF | tag::NULL => {
                must_allow_array(cx, base, access)?;
                *slot = PArray::new().into_raw();
                Ok(Container::Array)
            }
            tag::FALSE => {
                must_allow_array(cx, base, access)?;
                // The array is there before the program hears of it.
                *slot = PArray::new().into_raw();
                raw::separate(slot);
                let held = (*slot).as_array().clone();
                let raised = cx.raise(Level::Deprecated, b"Automatic conversion of false to array is deprecated");
                let slot = Raw::deref_slot(base);
                let there = (*slot).is_array() && (*slot).array_ptr().cast_const() == held.as_ptr().cast_const();
                drop(held);
                raised?;
                Ok(if there { Container::Array } else { Container::Gone })
            }
            _ if (*slot).is_string() || (*slot).is_object() => Ok(Container::Other),
            _ => Err(cx.throw_error(b"Cannot use a scalar value as an array")),
        }
    }
}

/// As [`become_array`] of what an element is fetched from: of false behind a reference PHP makes an array without a word.
///
/// # Safety
/// As [`become_array`].
pub unsafe fn become_array_behind_reference(cx: &mut Cx, base: *mut Raw) -> Res<()> {
    // SAFETY: the slot is live.
    unsafe {
        let slot = Raw::deref_slot(base);
        if (*base).tag == tag::REF && (*slot).tag == tag::FALSE && !is_own_static(base) {
            if let Some(source) = types::typed_reference(base) {
                types::check_auto_array(cx, source, b"a reference held by ")?;
            }
            *slot = PArray::new().into_raw();
        }
        Ok(())
    }
}

/// Runs what may run PHP code before the array in `base` is written to. `None`: the array is not there any more.
///
/// # Safety
/// `base` is a live slot that holds an array.
pub unsafe fn guarded<T>(base: *mut Raw, run: impl FnOnce() -> Res<T>) -> Res<Option<T>> {
    // SAFETY: as promised.
    unsafe { guarded_from(base, i32::MAX, run) }
}

/// As [`guarded`], for a key: who took a copy of the array meanwhile must not see the write, and then nobody does.
///
/// # Safety
/// As [`guarded`].
unsafe fn guarded_alone<T>(base: *mut Raw, run: impl FnOnce() -> Res<T>) -> Res<Option<T>> {
    // SAFETY: as promised. The place holds the array, and the guard.
    unsafe { guarded_from(base, 2, run) }
}

unsafe fn guarded_from<T>(base: *mut Raw, holders_max: i32, run: impl FnOnce() -> Res<T>) -> Res<Option<T>> {
    // SAFETY: pins keep the slot; it is looked at anew afterwards.
    unsafe {
        let slot = Raw::deref_slot(base);
        // A shared array says nothing about who holds it.
        raw::separate(slot);
        let held = (*slot).as_array().clone();
        let result = run();
        let slot = Raw::deref_slot(base);
        let there = (*slot).is_array() && (*slot).array_ptr().cast_const() == held.as_ptr().cast_const() && held.ref_count() <= holders_max;
        drop(held);
        let result = result?;
        Ok(if there { Some(result) } else { None })
    }
}

/// The key of a write into the array in `base`, whose conversion may run an error handler. `None`: the array is gone then.
unsafe fn key_for_write(cx: &mut Cx, base: *mut Raw, value: &Value, used: KeyUse) -> Res<Option<Key>> {
    // SAFETY: as `guarded`.
    unsafe {
        match value.view_deref() {
            View::Float(_) | View::Resource(_) => guarded_alone(base, || key(cx, value, used)),
            _ => key(cx, value, used).map(Some),
        }
    }
}

/// The array in a slot, owned by it and not the shared empty one.
unsafe fn owned(slot: *mut Raw) -> *mut jumbo_value::ArrayHeader {
    // SAFETY: the slot holds an array; separation copies shared and immortal ones.
    unsafe { raw::separate(slot) }
}

/// A place for `base[key]` (`key` absent: a new element).
///
/// # Safety
/// `base` is a live slot and stays so while diagnostics run (its container is held by the caller).
pub unsafe fn place(vm: *mut Vm, base: *mut Raw, key_value: Option<&Value>, access: Access) -> Res<Place> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        if matches!(access, Access::Unset | Access::UnsetObject) {
            return place_for_unset(cx, base, key_value, access);
        }
        let was_false = (*Raw::deref_slot(base)).tag == tag::FALSE;
        let container = match become_array(cx, base, access) {
            Err(Stop::Thrown) if was_false && (*Raw::deref_slot(base)).is_array() => {
                // A handler has thrown; the element is there all the same.
                crate::despite::despite(cx, |_| place(vm, base, key_value, access).map(drop));
                return Err(Stop::Thrown);
            }
            other => other?,
        };
        match container {
            Container::Array => {}
            Container::Gone => return Ok(Place::Value(Value::null())),
            Container::Other => return place_in_other(cx, base, key_value, access),
        }
        let Some(key_value) = key_value else {
            let element = raw::push_slot(owned(Raw::deref_slot(base)));
            if element.is_null() {
                return Err(next_occupied(cx));
            }
            return Ok(Place::At(element));
        };
        let Some(key) = key_for_write(cx, base, key_value, KeyUse::Access)? else { return Ok(Place::Value(Value::null())) };
        if matches!(access, Access::ReadWrite | Access::Operation | Access::Increment | Access::Nested)
            && (*Raw::deref_slot(base)).as_array().get(&key).is_none()
            && guarded_alone(base, || undefined_key(cx, key.as_ref()))?.is_none()
        {
            return Ok(Place::Value(Value::null()));
        }
        let array = owned(Raw::deref_slot(base));
        Ok(Place::At(match &key {
            Key::Int(i) => raw::find_or_insert_int(array, *i),
            Key::Str(s) => raw::find_or_insert_str(array, s.as_ptr()),
        }))
    }
}

/// A place in an object or a string.
unsafe fn place_in_other(cx: &mut Cx, base: *mut Raw, key_value: Option<&Value>, access: Access) -> Res<Place> {
    // SAFETY: as `place`.
    unsafe {
        let slot = Raw::deref_slot(base);
        if (*slot).is_object() {
            let object = (*slot).as_object().clone();
            let reads = matches!(access, Access::ReadWrite | Access::Operation | Access::Increment | Access::Nested);
            return Ok(Place::Value(objects::dim_read_for_write(cx, &object, key_value, reads, true)?));
        }
        Err(match key_value {
            None => cx.throw_error(b"[] operator not supported for strings"),
            Some(k) => {
                string_offset(cx, k, false)?;
                match access {
                    Access::Reference => cx.throw_error(b"Cannot create references to/from string offsets"),
                    Access::Increment => cx.throw_error(b"Cannot increment/decrement string offsets"),
                    Access::Object => cx.throw_error(b"Cannot use string offset as an object"),
                    _ => cx.throw_error(b"Cannot use string offset as an array"),
                }
            }
        })
    }
}

unsafe fn place_for_unset(cx: &mut Cx, base: *mut Raw, key_value: Option<&Value>, access: Access) -> Res<Place> {
    // SAFETY: as `place`.
    unsafe {
        let slot = Raw::deref_slot(base);
        let Some(key_value) = key_value else { return Err(cx.throw_error(b"Cannot use [] for unsetting")) };
        match (*slot).tag {
            tag::ARRAY | tag::ARRAY_COUNTED => {
                let Some(key) = key_for_write(cx, base, key_value, KeyUse::Access)? else { return Ok(Place::Value(Value::null())) };
                let slot = Raw::deref_slot(base);
                if (*slot).as_array().get(&key).is_none() {
                    return Ok(Place::Value(Value::null()));
                }
                let array = owned(slot);
                let element = match &key {
                    Key::Int(i) => raw::find_int(array, *i),
                    Key::Str(s) => raw::find_str(array, s.as_ptr()),
                };
                Ok(Place::At(element))
            }
            _ if (*slot).is_object() => {
                let object = (*slot).as_object().clone();
                Ok(Place::Value(objects::dim_read_for_write(cx, &object, Some(key_value), false, false)?))
            }
            _ if (*slot).is_string() => {
                // What can be no offset is named by the statement, not by the offset's type.
                let is_offset = match key_value.view_deref() {
                    View::Str(s) => number::parse_prefix(s.as_bytes()).is_some_and(|n| matches!(n.number, Number::Int(_))),
                    View::Array(_) | View::Object(_) | View::Resource(_) => false,
                    View::Int(_) => true,
                    _ => {
                        cx.raise(Level::Warning, b"String offset cast occurred")?;
                        true
                    }
                };
                Err(match (is_offset, access) {
                    (false, _) => cx.throw_error(b"Cannot unset string offsets"),
                    (true, Access::UnsetObject) => cx.throw_error(b"Cannot use string offset as an object"),
                    (true, _) => cx.throw_error(b"Cannot use string offset as an array"),
                })
            }
            tag::UNDEF | tag::NULL => Ok(Place::Value(Value::null())),
            // Behind a reference false is passed over without a word.
            tag::FALSE if (*base).tag == tag::REF && !is_own_static(base) => Ok(Place::Value(Value::null())),
            tag::FALSE => {
                cx.raise(Level::Deprecated, b"Automatic conversion of false to array is deprecated")?;
                Ok(Place::Value(Value::null()))
            }
            _ => Err(cx.throw_error(b"Cannot unset offset in a non-array variable")),
        }
    }
}

/// `base[key] = value`; returns the value of the expression.
///
/// # Safety
/// As [`place`].
pub unsafe fn assign(vm: *mut Vm, base: *mut Raw, key_value: Option<&Value>, value: Value) -> Res<Value> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let slot = Raw::deref_slot(base);
        if (*slot).is_object() {
            let object = (*slot).as_object().clone();
            objects::dim_write(cx, &object, key_value, &value)?;
            return Ok(value);
        }
        if (*slot).is_string() {
            return assign_string(cx, base, key_value, || Ok((value, None)));
        }
        if (*slot).tag == tag::FALSE {
            match become_array(cx, base, Access::Write) {
                Err(Stop::Thrown) if (*Raw::deref_slot(base)).is_array() => {
                    // A handler has thrown; the element is assigned to all the same.
                    crate::despite::despite(cx, |_| assign(vm, base, key_value, value).map(drop));
                    return Err(Stop::Thrown);
                }
                Ok(Container::Gone) => return Ok(Value::null()),
                other => other?,
            };
        }
        match place(vm, base, key_value, Access::Write)? {
            // A typed reference may convert the value; and the array that the element lies in may end with what was there before.
            Place::At(element) => types::assign_result(vm, element, value.into_raw()).map(|shown| shown.into_value()),
            Place::Value(_) => Ok(Value::null()),
        }
    }
}

/// Assigns the first byte of a value to an offset of the string at `base`: what the assignment is worth.
///
/// `value` is asked when the offset is known; it may have thrown, and then null is assigned all the same, which is refused on top.
///
/// # Safety
/// As [`place`].
pub unsafe fn assign_string(cx: &mut Cx, base: *mut Raw, key_value: Option<&Value>, value: impl FnOnce() -> Res<(Value, Option<Stop>)>) -> Res<Value> {
    // SAFETY: as promised; the slot is looked at anew after everything that may run PHP code.
    unsafe {
        let Some(key_value) = key_value else {
            return Err(cx.throw_error(b"[] operator not supported for strings"));
        };
        let before = (*Raw::deref_slot(base)).copied().into_value();
        let offset = string_offset(cx, key_value, false)?.unwrap_or(0);
        let slot = Raw::deref_slot(base);
        if (*slot).is_string() && offset < -((*slot).as_str().len() as i64) {
            cx.raise(Level::Warning, format!("Illegal string offset {offset}").as_bytes())?;
            return Ok(Value::null());
        }
        let (value, thrown) = value()?;
        if let Some(stop) = thrown {
            crate::despite::despite(cx, |cx| Err::<(), _>(empty_string(cx)));
            return Err(stop);
        }
        let text = cx.to_string(&value)?;
        if text.is_empty() {
            return Err(empty_string(cx));
        }
        if text.len() > 1 {
            cx.raise(Level::Warning, b"Only the first byte will be assigned to the string offset")?;
        }
        let slot = Raw::deref_slot(base);
        if !(*slot).is_string() || (*slot).bits != before.raw().bits {
            // A handler put something else there.
            return Ok(Value::null());
        }
        drop(before);
        let mut s = std::mem::replace(&mut *slot, Raw::NULL).into_value().as_str().cloned().unwrap_or_default();
        let len = s.len() as i64;
        let at = if offset < 0 { offset + len } else { offset };
        if at < 0 {
            *slot = s.into_raw();
            cx.raise(Level::Warning, format!("Illegal string offset {offset}").as_bytes())?;
            return Ok(Value::null());
        }
        let at = at as usize;
        if at >= s.len() {
            if at >= 1 << 31 {
                *slot = s.into_raw();
                jumbo_value::heap::too_large(at);
            }
            const NEAR: [u8; 64] = [b' '; 64];
            match NEAR.get(..at + 1 - s.len()) {
                Some(padding) => s.append(padding),
                // On the heap from the start: it may be more than memory_limit allows.
                None => {
                    let padded = jumbo_value::PStrBuilder::with_capacity(at + 1).and_then(|mut padded| {
                        padded.extend(s.as_bytes())?;
                        padded.fill(b' ', at + 1 - s.len())?;
                        Ok(padded)
                    });
                    match padded {
                        Ok(padded) => s = padded.finish(),
                        Err(refused) => {
                            *slot = s.into_raw();
                            return Err(refused.into());
                        }
                    }
                }
            }
        }
        s.make_mut()[at] = text.as_bytes()[0];
        *slot = s.into_raw();
        Ok(Value::from(PStr::single_byte(text.as_bytes()[0])))
    }
}

/// `base[key] op= value`; returns the value of the expression.
///
/// # Safety
/// As [`place`].
pub unsafe fn assign_op(vm: *mut Vm, base: *mut Raw, key_value: Option<&Value>, op: BinaryOp, value: Value) -> Res<Value> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let slot = Raw::deref_slot(base);
        if (*slot).is_object() {
            let object = (*slot).as_object().clone();
            let old = match objects::dim_read(cx, &object, key_value, false) {
                Ok(old) => old,
                Err(Stop::Thrown) => {
                    let class = jumbo_abi::ClassPtr::of(&object);
                    let is_native = |method: Option<jumbo_abi::FnPtr>| method.is_none_or(|f| f.desc().is_some());
                    if class.hooks.dim_write.is_some() && is_native(class.magic.offset_get) && is_native(class.magic.offset_set) {
                        // An offset that cannot be read is refused again.
                        crate::despite::despite(cx, |cx| objects::dim_write(cx, &object, key_value, &Value::null()));
                        return Err(Stop::Thrown);
                    }
                    // What cannot be read is no array for PHP, which says so on top of the reason.
                    return Err(cx.throw_error([b"Cannot use object of type ".as_slice(), class.name.as_bytes(), b" as array"].concat()));
                }
                Err(stop) => return Err(stop),
            };
            let new = arith::binary(cx, op, old, value)?;
            objects::dim_write(cx, &object, key_value, &new)?;
            return Ok(new);
        }
        if (*slot).is_string() {
            let Some(key_value) = key_value else { return Err(cx.throw_error(b"[] operator not supported for strings")) };
            string_offset(cx, key_value, false)?;
            return Err(cx.throw_error(b"Cannot use assign-op operators with string offsets"));
        }
        match place(vm, base, key_value, Access::Operation)? {
            Place::At(element) => {
                // An array that grows, a string or a number, with an operand whose conversion is silent: in place.
                if is_silent(op, *Raw::deref_slot(element), value.raw()) {
                    arith::assign_op(vm, element, op, value)?;
                    let shown = (*Raw::deref_slot(element)).copied().into_value();
                    return Ok(shown);
                }
                let before = (*Raw::deref_slot(element)).copied().into_value();
                let array = (*Raw::deref_slot(base)).array_ptr();
                // The element of `[]` has a key of its own by now.
                let appended = match key_value {
                    None => Some(last_key(base)),
                    Some(_) => None,
                };
                // No count is held here: what a conversion writes into the same array stays.
                let new = arith::binary(cx, op, before, value)?;
                let now = Raw::deref_slot(base);
                if (*now).is_array()
                    && (*now).array_ptr() == array
                    && let Some(element) = place_again(base, key_value.or(appended.as_ref()))
                {
                    types::assign(vm, element, new.clone().into_raw())?;
                }
                Ok(new)
            }
            Place::Value(_) => Ok(Value::null()),
        }
    }
}

/// Is `left op right` sure to run no PHP code (no conversion that warns)?
fn is_silent(op: BinaryOp, left: Raw, right: Raw) -> bool {
    use BinaryOp::{Add, BitAnd, BitOr, BitXor, Concat, Mod, Shl, Shr};
    let number = |r: Raw| r.is_int() || r.is_float();
    match op {
        Concat => left.is_string() && (right.is_string() || right.is_int()),
        Add if left.is_array() => right.is_array(),
        Mod | BitAnd | BitOr | BitXor | Shl | Shr => left.is_int() && right.is_int(),
        _ => number(left) && number(right),
    }
}

/// Key of the element that was appended last to the array in `base`.
///
/// # Safety
/// `base` is a live slot that holds an array that is not empty.
pub unsafe fn last_key(base: *mut Raw) -> Value {
    // SAFETY: as promised.
    unsafe {
        let array = (*Raw::deref_slot(base)).array_ptr();
        raw::key_at(array, raw::used(array).saturating_sub(1)).copied().into_value()
    }
}

/// The element that `key` names now, after PHP code may have run.
unsafe fn place_again(base: *mut Raw, key_value: Option<&Value>) -> Option<*mut Raw> {
    // SAFETY: the slot is live and holds an array.
    unsafe {
        let slot = Raw::deref_slot(base);
        let key = match key_value?.view_deref() {
            View::Int(i) => Key::Int(i),
            View::Str(s) => Key::from_str(s),
            View::Null | View::Undef => Key::Str(PStr::empty()),
            View::Bool(b) => Key::Int(b as i64),
            View::Float(f) => Key::Int(number::float_to_int(f)),
            View::Resource(r) => Key::Int(r.id()),
            _ => return None,
        };
        let array = owned(slot);
        Some(match &key {
            Key::Int(i) => raw::find_or_insert_int(array, *i),
            Key::Str(s) => raw::find_or_insert_str(array, s.as_ptr()),
        })
    }
}

/// `unset(base[key])`.
///
/// # Safety
/// As [`place`].
pub unsafe fn unset(vm: *mut Vm, base: *mut Raw, key_value: &Value) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let slot = Raw::deref_slot(base);
        match (*slot).tag {
            tag::ARRAY | tag::ARRAY_COUNTED => {
                let Some(key) = key_for_write(cx, base, key_value, KeyUse::Unset)? else { return Ok(()) };
                let slot = Raw::deref_slot(base);
                if (*slot).as_array().get(&key).is_none() {
                    // It is a copy from now on all the same, which shows where an array contains itself.
                    if (*slot).tag == tag::ARRAY_COUNTED {
                        raw::separate(slot);
                    }
                    return Ok(());
                }
                let array = owned(slot);
                let element = match &key {
                    Key::Int(i) => raw::find_int(array, *i),
                    Key::Str(s) => raw::find_str(array, s.as_ptr()),
                };
                let gone = raw::take_slot(array, element);
                gone.release();
                Ok(())
            }
            _ if (*slot).is_object() => {
                let object: PObject = (*slot).as_object().clone();
                objects::dim_unset(cx, &object, key_value)
            }
            _ if (*slot).is_string() => Err(cx.throw_error(b"Cannot unset string offsets")),
            tag::UNDEF | tag::NULL => Ok(()),
            tag::FALSE => cx.raise(Level::Deprecated, b"Automatic conversion of false to array is deprecated"),
            _ => Err(cx.throw_error(b"Cannot unset offset in a non-array variable")),
        }
    }
}
