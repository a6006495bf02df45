//! Iteration over objects, for `foreach`, spread and builtins.
//!
//! An [`Iteration`] knows what it goes over: visible properties, an Iterator whose methods are called, a builtin class's own
//! iteration, or a generator (whose methods are not called, as in PHP). `foreach` keeps it boxed in the second of its two
//! temporaries. Hazard: everything here may run PHP code.

use crate::generator;
use crate::objects::{self, Found};
use jumbo_abi::class::Iteration as Way;
use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{ClassPtr, Cx, FnPtr, Res, func_flags, member_flags};
use jumbo_value::object::ReservedId;
use jumbo_value::{Key, KeyRef, PArray, PObject, PStr, Raw, Value};

/// A running iteration over an object.
pub struct Iteration {
    object: PObject,
    by_ref: bool,
    /// There is something to go over. Otherwise it is only to be dropped, after what it was to go over.
    pub is_there: bool,
    /// The element at the start was not handed out yet: nothing is to be skipped.
    fresh: bool,
    source: Source,
    /// By reference over plain properties: the reference to the variable, whose value of the moment is gone over.
    pub variable: Option<Value>,
    /// PHP's iterations over Traversables have a number of objects, which is free again after what they go over.
    _id: Option<ReservedId>,
}

impl Iteration {
    fn new(object: PObject, by_ref: bool, source: Source, id: Option<ReservedId>) -> Iteration {
        Iteration { object, by_ref, is_there: true, fresh: true, source, variable: None, _id: id }
    }

    /// The generator that it goes over, when the first element has been handed out.
    #[inline]
    pub fn generator_gone_into(&self) -> Option<*mut generator::State> {
        match self.source {
            Source::Generator(state) if !self.fresh => Some(state),
            _ => None,
        }
    }
}

impl Iteration {
    /// Does it go over this object itself? Objects that were made of one literal array share its table in PHP until they are written to, and
    /// with it the place where the iteration stands: it goes on in the other one.
    pub fn is_over(&mut self, object: &PObject) -> bool {
        if self.object == *object {
            return true;
        }
        let shares = may_share_table(&self.object, object);
        if shares {
            self.object = object.clone();
        }
        shares
    }
}

/// Have both objects no declared properties, and the same dynamic ones, whose names are no numbers?
fn may_share_table(a: &PObject, b: &PObject) -> bool {
    let class = ClassPtr::of(a);
    let (Some(x), Some(y)) = (a.dynamic(), b.dynamic()) else { return false };
    let is_name = |key: KeyRef<'_>| matches!(key, KeyRef::Str(name) if !name.as_bytes().first().is_some_and(u8::is_ascii_digit));
    class == ClassPtr::of(b)
        && class.properties.is_empty()
        && x.len() == y.len()
        && x.iter().zip(y.iter()).all(|((left, _), (right, _))| is_name(left) && left == right)
}

/// Does `foreach` by reference over a variable with this object go on with what the variable becomes?
pub fn follows_variable(object: &PObject) -> bool {
    let class = ClassPtr::of(object);
    let is_plain = generator::state(object).is_none() && matches!(way(class), Way::Properties) && !has_hooked_properties(class);
    is_plain && object.flags() & (crate::lazy::LAZY | crate::lazy::PROXY) == 0
}

enum Source {
    Generator(*mut generator::State),
    Iterator { valid: FnPtr, current: FnPtr, key: FnPtr, next: FnPtr },
    Native(Box<dyn NativeIterator>),
    Properties { scope: Option<ClassPtr>, names: Vec<(PStr, u32)>, at: usize, dynamic: Dynamic },
}

/// Where an iteration over dynamic properties stands: behind a place of the table, and behind the property that was there. The table may
/// lose its holes.
#[derive(Default)]
struct Dynamic {
    place: u32,
    last: Option<Key>,
}

impl Dynamic {
    /// The place to go on at.
    fn settle(&mut self, table: &PArray) -> u32 {
        if let (Some(last), Some(before)) = (&self.last, self.place.checked_sub(1)) {
            let is_last = |place: u32| table.at(place).is_some_and(|(key, _)| key == last.as_ref());
            if !is_last(before)
                && let Some(place) = (0..before).rev().find(|&place| is_last(place))
            {
                self.place = place + 1;
            }
        }
        self.place
    }
}

/// Can it be unpacked, or be the subject of `yield from`? Traversables can, and PHP iterates objects with hooked properties as if they
/// were some.
pub fn is_traversable(cx: &mut Cx, object: &PObject) -> bool {
    let class = ClassPtr::of(object);
    class.is_a(cx.builtin_class(b"traversable")) || has_hooked_properties(class)
}

fn has_hooked_properties(class: ClassPtr) -> bool {
    class.properties.values().any(|p| p.has_hooks())
}

/// Starts `foreach` over an object.
pub fn start(cx: &mut Cx, object: PObject, by_ref: bool) -> Res<Iteration> {
    let mut object = object;
    // Who gave the iterator goes when the iteration has begun.
    let mut givers = Vec::new();
    loop {
        let class = ClassPtr::of(&object);
        if let Some(state) = generator::state(&object) {
            return start_generator(cx, object, state, by_ref);
        }
        match way(class) {
            Way::Aggregate => {
                let inner = aggregated(cx, &object)?;
                givers.push(std::mem::replace(&mut object, inner));
            }
            Way::Iterator => return start_iterator(cx, object, class, by_ref),
            Way::Native => {
                let Some(hook) = class.hooks.iterate else { return start_iterator(cx, object, class, by_ref) };
                let native = hook(cx, &object, by_ref)?;
                let iteration = Iteration::new(object, by_ref, Source::Native(native), Some(ReservedId::new()));
                return begun(iteration, |iteration| {
                    if let Source::Native(native) = &mut iteration.source {
                        native.rewind(cx)?;
                        iteration.is_there = native.valid(cx)?;
                    }
                    Ok(())
                });
            }
            Way::Properties => return start_properties(cx, object, class, by_ref),
        }
    }
}

/// What `getIterator()` of an IteratorAggregate gives, which must be Traversable.
pub fn aggregated(cx: &mut Cx, object: &PObject) -> Res<PObject> {
    let class = ClassPtr::of(object);
    let inner = cx.call_method(object, b"getiterator", &[])?.into_deref();
    let traversable = cx.builtin_class(b"traversable");
    match inner.as_object() {
        // One that gives itself would be asked for ever.
        Some(o) if ClassPtr::of(o).is_a(traversable) && o != object => Ok(o.clone()),
        _ => {
            let text = [
                b"Objects returned by ".as_slice(),
                class.name.as_bytes(),
                b"::getIterator() must be traversable or implement interface Iterator",
            ]
            .concat();
            Err(cx.throw("Exception", text))
        }
    }
}

/// How objects of the class are iterated: a user subclass that overrides a method of a builtin iterator is asked by its methods.
pub fn way(class: ClassPtr) -> Way {
    if class.iteration != Way::Native || class.decl().is_none() {
        return class.iteration;
    }
    let overridden = [b"current".as_slice(), b"key", b"next", b"rewind", b"valid"]
        .iter()
        .any(|name| class.method(name).is_some_and(|f| f.proto().is_some()));
    if overridden { Way::Iterator } else { Way::Native }
}

fn start_generator(cx: &mut Cx, object: PObject, state: *mut generator::State, by_ref: bool) -> Res<Iteration> {
    generator::check_iteration(cx, &object, by_ref)?;
    let iteration = Iteration::new(object, by_ref, Source::Generator(state), Some(ReservedId::new()));
    begun(iteration, |iteration| {
        generator::rewind(cx, &iteration.object)?;
        iteration.is_there = generator::valid(cx, &iteration.object)?;
        Ok(())
    })
}

/// The iteration after its rewind; when that fails it ends before what it goes over.
fn begun(mut iteration: Iteration, rewind: impl FnOnce(&mut Iteration) -> Res<()>) -> Res<Iteration> {
    let object = iteration.object.clone();
    let result = rewind(&mut iteration);
    match result {
        Ok(()) => Ok(iteration),
        Err(stop) => {
            drop(iteration);
            drop(object);
            Err(stop)
        }
    }
}

fn start_iterator(cx: &mut Cx, object: PObject, class: ClassPtr, by_ref: bool) -> Res<Iteration> {
    if by_ref {
        return Err(cx.throw_error(b"An iterator cannot be used with foreach by reference"));
    }
    let method = |name: &[u8]| class.method(name);
    let (Some(rewind), Some(valid), Some(current), Some(key), Some(next)) =
        (method(b"rewind"), method(b"valid"), method(b"current"), method(b"key"), method(b"next"))
    else {
        return start_properties(cx, object, class, by_ref);
    };
    let iteration = Iteration::new(object, by_ref, Source::Iterator { valid, current, key, next }, Some(ReservedId::new()));
    begun(iteration, |iteration| {
        cx.call_function(rewind, Some(&iteration.object), Some(class), &[])?;
        let there = cx.call_function(valid, Some(&iteration.object), Some(class), &[])?;
        iteration.is_there = objects::value_truth(cx, &there)?;
        Ok(())
    })
}

/// Over the properties that the caller sees.
pub fn start_properties(cx: &mut Cx, object: PObject, class: ClassPtr, by_ref: bool) -> Res<Iteration> {
    let object = crate::lazy::whole(cx, &object)?.unwrap_or(object);
    let scope = cx.caller_scope();
    let names = objects::property_order(class);
    let source = Source::Properties { scope, names, at: 0, dynamic: Dynamic::default() };
    let id = has_hooked_properties(class).then(ReservedId::new);
    Ok(Iteration::new(object, by_ref, source, id))
}

/// The next value and key (null when nobody wants it); `None` at the end.
pub fn next(cx: &mut Cx, it: &mut Iteration, wants_key: bool) -> Res<Option<(Value, Value)>> {
    let fresh = std::mem::replace(&mut it.fresh, false);
    let object = it.object.clone();
    match &mut it.source {
        Source::Generator(_) => generator::step(cx, &object, fresh, it.by_ref, wants_key),
        Source::Iterator { valid, current, key, next } => {
            let (valid, current, key, next) = (*valid, *current, *key, *next);
            let class = Some(ClassPtr::of(&object));
            if !fresh {
                cx.call_function(next, Some(&object), class, &[])?;
                let there = cx.call_function(valid, Some(&object), class, &[])?;
                if !objects::value_truth(cx, &there)? {
                    return Ok(None);
                }
            }
            let value = cx.call_function(current, Some(&object), class, &[])?;
            let key = if wants_key { cx.call_function(key, Some(&object), class, &[])?.into_deref() } else { Value::null() };
            Ok(Some((value, key)))
        }
        Source::Native(native) => {
            if !fresh {
                native.next(cx)?;
                if !native.valid(cx)? {
                    return Ok(None);
                }
            }
            let value = native.current(cx)?;
            let key = if wants_key { native.key(cx)? } else { Value::null() };
            Ok(Some((value, key)))
        }
        Source::Properties { scope, names, at, dynamic } => next_property(cx, &object, it.by_ref, *scope, names, at, dynamic),
    }
}

/// The next visible property that has a value. Declared ones come first; the dynamic table may change between the steps.
fn next_property(
    cx: &mut Cx,
    object: &PObject,
    by_ref: bool,
    scope: Option<ClassPtr>,
    names: &[(PStr, u32)],
    at: &mut usize,
    dynamic: &mut Dynamic,
) -> Res<Option<(Value, Value)>> {
    let class = ClassPtr::of(object);
    while let Some((name, slot)) = names.get(*at) {
        *at += 1;
        let Found::Declared(p) = objects::find(class, name.as_bytes(), scope) else { continue };
        // Another property of this name, private to a class that the scope is not, is passed over.
        if p.slot != *slot {
            continue;
        }
        if p.is(member_flags::STATIC) || (p.is_virtual() && p.get_hook.is_none()) {
            continue;
        }
        if !p.is_virtual() && p.get_hook.is_none() && object.slot(p.slot).is_undef() {
            continue;
        }
        let value = if by_ref { reference_to(cx, object, name, scope)? } else { objects::read(cx, object, name, scope, false)? };
        return Ok(Some((value, Value::from(name.clone()))));
    }
    let (plain, name, value) = loop {
        let Some(table) = object.dynamic() else { return Ok(None) };
        let Some(position) = table.seek(dynamic.settle(&table)) else { return Ok(None) };
        let Some((key, value)) = table.at(position) else { return Ok(None) };
        *dynamic = Dynamic { place: position + 1, last: Some(key.to_key()) };
        let (name, value) = (key.to_str(), value.clone());
        if matches!(objects::find(class, name.as_bytes(), scope), Found::Declared(_)) {
            // Shadowed by what the scope declares.
            continue;
        }
        if name.as_bytes().first() == Some(&0) {
            // A mangled name, from the cast of an array.
            let plain = name.as_bytes().rsplit(|b| *b == 0).next().unwrap_or_default();
            break (PStr::new(plain), name, value);
        }
        // The name of a property is a string, whatever it looks like.
        break (name.clone(), name, value);
    };
    let value = if by_ref { reference_to(cx, object, &name, scope)? } else { value.into_deref() };
    Ok(Some((value, Value::from(plain))))
}

/// A reference to a property.
pub fn reference_to(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<Value> {
    let class = ClassPtr::of(object);
    let mut scope = scope;
    if let Found::Declared(p) = objects::find(class, name.as_bytes(), scope) {
        if p.is(member_flags::READONLY) {
            let text =
                [b"Cannot acquire reference to readonly property ".as_slice(), p.class.name.as_bytes(), b"::$", p.name.as_bytes()].concat();
            return Err(cx.throw_error(text));
        }
        if p.has_hooks() && !p.get_hook.is_some_and(|hook| hook.is(func_flags::RETURNS_REF)) {
            let text = [b"Cannot create reference to property ".as_slice(), &objects::member_of(class, &p.name)].concat();
            return Err(cx.throw_error(text));
        }
        // Loops ask for no more than the right to read.
        scope = Some(p.class);
    }
    // SAFETY: the place is a live slot of the object, which is held.
    unsafe {
        Ok(match objects::place(cx, object, name, scope, false, objects::AsArray::No)? {
            crate::dim::Place::At(slot) => crate::ops::operand::make_ref(slot).into_value(),
            crate::dim::Place::Value(value) => value,
        })
    }
}

/// Calls `each` with key and value of every element of an array or Traversable until it says false.
pub fn iterate(cx: &mut Cx, value: &Value, each: &mut dyn FnMut(&mut Cx, &Value, &Value) -> Res<bool>) -> Res<()> {
    let value = value.copy_deref();
    if let Some(array) = value.as_array() {
        for (k, v) in array {
            let (k, v) = (k.to_value(), v.clone());
            if !each(cx, &k, &v)? {
                break;
            }
        }
        return Ok(());
    }
    let Some(object) = value.as_object() else { return Ok(()) };
    let mut it = start(cx, object.clone(), false)?;
    if !it.is_there {
        return Ok(());
    }
    while let Some((v, k)) = next(cx, &mut it, true)? {
        if !each(cx, &k, &v)? {
            break;
        }
    }
    Ok(())
}

/// Puts an iteration into the two temporaries of `foreach`, if there is something to go over.
///
/// # Safety
/// `it` is the first of two empty slots.
pub unsafe fn keep(it: *mut Raw, iteration: Iteration) -> bool {
    let is_there = iteration.is_there;
    if is_there {
        // SAFETY: as promised.
        unsafe {
            *it = Value::from(iteration.object.clone()).into_raw();
            *it.add(1) = Raw::ptr(Box::into_raw(Box::new(iteration)));
        }
    }
    is_there
}

/// The iteration in the two temporaries of `foreach`.
///
/// # Safety
/// `it` was filled by [`keep`], and the result is not used after [`drop_kept`].
pub unsafe fn kept<'a>(it: *mut Raw) -> &'a mut Iteration {
    // SAFETY: as promised.
    unsafe { &mut *(*it.add(1)).as_ptr::<Iteration>() }
}

/// Drops the iteration and the object in the first slot.
///
/// # Safety
/// `it` was filled by [`keep`].
pub unsafe fn drop_kept(it: *mut Raw) {
    // SAFETY: as promised.
    unsafe {
        let iteration = Box::from_raw((*it.add(1)).as_ptr::<Iteration>());
        *it.add(1) = Raw::UNDEF;
        let object = std::mem::replace(&mut *it, Raw::UNDEF);
        object.release();
        drop(iteration);
    }
}
