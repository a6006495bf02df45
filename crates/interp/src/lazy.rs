//! Lazy objects: ghosts and proxies of `ReflectionClass::newLazyGhost` and friends.
//!
//! Marks in the object's flags say whether anything is to be done, so that the question costs one test for all other objects. A
//! property that is still lazy is an UNDEF slot with [`LAZY_SLOT`]: fast paths see an unset property and go the slow way, which asks
//! here. A ghost becomes an ordinary object when it is initialised; a proxy hands every access on to its real instance for ever.

use crate::objects::{self, Found, Guard};
use jumbo_abi::desc::Purpose;
use jumbo_abi::lazy::{Lazy, SKIP_DESTRUCTOR, SKIP_INITIALIZATION_ON_SERIALIZE};
use jumbo_abi::{Callable, ClassPtr, Cx, Res, Stop, class_flags, member_flags};
use jumbo_value::{Native, PObject, PStr, Raw, Value, header, tag};
use std::cell::{Cell, RefCell};

/// Object flag: lazy, and not initialised yet.
pub const LAZY: u32 = 1 << 31;
/// Object flag: an initialised proxy.
pub const PROXY: u32 = 1 << 30;
/// `bits` of an UNDEF slot whose property is lazy.
pub const LAZY_SLOT: u64 = 2;

/// Native state of an object that is or was lazy.
#[derive(Default)]
struct State {
    proxy: Cell<bool>,
    /// The initialiser runs now.
    initializing: Cell<bool>,
    options: Cell<i64>,
    initializer: RefCell<Option<Callable>>,
    real: RefCell<Option<PObject>>,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        let mut object = |o: &PObject| {
            let raw = Raw { tag: tag::OBJECT, bits: o.as_ptr() as u64 };
            // SAFETY: the words are a living value for the time of the call.
            visit(unsafe { raw.as_value() });
        };
        if let Some(real) = &*self.real.borrow() {
            object(real);
        }
        if let Some(callable) = &*self.initializer.borrow() {
            [&callable.this, &callable.closure].into_iter().flatten().for_each(&mut object);
            visit(&callable.value);
        }
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        Some(Box::<State>::default())
    }
    fn clear(&mut self) {
        *self.initializer.get_mut() = None;
        *self.real.get_mut() = None;
    }
}

fn is_lazy(object: &PObject) -> bool {
    object.flags() & LAZY != 0
}

fn real_of(object: &PObject) -> Option<PObject> {
    let mut real = object.native::<State>()?.real.borrow().clone()?;
    // A real instance that was made a lazy proxy itself hands on in turn.
    while real.flags() & PROXY != 0 {
        let next = real.native::<State>().and_then(|s| s.real.borrow().clone());
        match next {
            Some(next) => real = next,
            None => break,
        }
    }
    Some(real)
}

/// Makes sure that the object is initialised.
#[inline(always)]
pub fn initialize(cx: &mut Cx, object: &PObject) -> Res<()> {
    if object.flags() & LAZY == 0 {
        return Ok(());
    }
    run_initializer(cx, object)
}

/// An access to one property: initialises when that property is lazy, and no magic method or hook comes first. The object that has
/// it, when that is another one. `guard`: the magic method that the access would call for a missing property.
#[inline(always)]
pub fn access(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>, guard: Guard) -> Res<Option<PObject>> {
    if object.flags() & (LAZY | PROXY) == 0 {
        return Ok(None);
    }
    access_slow(cx, object, name, scope, guard)
}

#[cold]
#[inline(never)]
fn access_slow(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>, guard: Guard) -> Res<Option<PObject>> {
    let class = ClassPtr::of(object);
    match objects::find(class, name.as_bytes(), scope) {
        // A hook runs on the object as it is, and may look at other properties. Without one for this access the value itself is used.
        Found::Declared(p)
            if (if guard == Guard::Set { p.set_hook.is_some() } else { p.get_hook.is_some() })
                && !objects::would_be_inside_hook(cx, object, p) =>
        {
            return Ok(None);
        }
        Found::Declared(p) if p.is_virtual() => return Ok(None),
        Found::Declared(p) if is_lazy(object) && !slot_is_lazy(object, p.slot) => return Ok(None),
        Found::Declared(_) => {}
        Found::Hidden(_) => return Ok(None),
        Found::Dynamic => {
            let magic = match guard {
                Guard::Get => class.magic.get,
                Guard::Set => class.magic.set,
                Guard::Isset => class.magic.isset,
                Guard::Unset => class.magic.unset,
            };
            // The magic method of the real instance is this one's too.
            let real = real_of(object).filter(|_| object.flags() & PROXY != 0);
            let runs = objects::guard_is_up(cx, object, name, guard) || real.is_some_and(|r| objects::guard_is_up(cx, &r, name, guard));
            if magic.is_some() && !runs {
                return Ok(None);
            }
        }
    }
    real_instance(cx, object)
}

/// As [`access`] for the stored value of a declared property, past its hooks.
pub fn stored(cx: &mut Cx, object: &PObject, name: &PStr, class: ClassPtr) -> Res<Option<PObject>> {
    if object.flags() & (LAZY | PROXY) == 0 {
        return Ok(None);
    }
    match objects::find(ClassPtr::of(object), name.as_bytes(), Some(class)) {
        Found::Declared(p) if p.is_virtual() => Ok(None),
        Found::Declared(p) if is_lazy(object) && !slot_is_lazy(object, p.slot) => Ok(None),
        _ => real_instance(cx, object),
    }
}

/// Initialises the object, and what it stands for. None: it is its own.
fn real_instance(cx: &mut Cx, object: &PObject) -> Res<Option<PObject>> {
    initialize(cx, object)?;
    let mut at = object.clone();
    while at.flags() & PROXY != 0 {
        let next = at.native::<State>().and_then(|s| s.real.borrow().clone());
        let Some(real) = next else { break };
        initialize(cx, &real)?;
        objects::share_guards(cx, object, &real);
        at = real;
    }
    Ok((at != *object).then_some(at))
}

/// Is `object` the real instance of the proxy?
///
/// # Safety
/// `proxy` is a live object.
pub unsafe fn stands_for(proxy: *mut jumbo_value::ObjHeader, object: &PObject) -> bool {
    // SAFETY: as promised; the handle is not dropped, so that no count is lost.
    let proxy = unsafe { std::mem::ManuallyDrop::new(Raw { tag: tag::OBJECT, bits: proxy as u64 }.into_value()) };
    proxy.as_object().is_some_and(|p| p.flags() & PROXY != 0 && real_of(p).is_some_and(|real| real == *object))
}

/// An access to all properties. As [`access`].
#[inline]
pub fn whole(cx: &mut Cx, object: &PObject) -> Res<Option<PObject>> {
    if object.flags() & (LAZY | PROXY) == 0 {
        return Ok(None);
    }
    real_instance(cx, object)
}

/// As [`whole`], as far as the purpose initialises.
pub fn for_table(cx: &mut Cx, object: &PObject, purpose: Purpose) -> Res<Option<PObject>> {
    if object.flags() & (LAZY | PROXY) == 0 {
        return Ok(None);
    }
    let skip = match purpose {
        Purpose::Debug | Purpose::ArrayCast => true,
        Purpose::Serialize => {
            object.native::<State>().is_some_and(|s| s.options.get() & SKIP_INITIALIZATION_ON_SERIALIZE != 0)
        }
        _ => false,
    };
    if is_lazy(object) && skip {
        return Ok(None);
    }
    whole(cx, object)
}

fn slot_is_lazy(object: &PObject, slot: u32) -> bool {
    if slot >= object.slot_count() {
        return false;
    }
    // SAFETY: the slot is one of the object's.
    let raw = unsafe { *object.slots_raw().add(slot as usize) };
    raw.is_undef() && raw.bits == LAZY_SLOT
}

fn any_lazy_slot(object: &PObject) -> bool {
    (0..object.slot_count()).any(|n| slot_is_lazy(object, n))
}

/// The words of all slots, taken out.
fn take_slots(object: &PObject) -> Vec<Raw> {
    (0..object.slot_count() as usize)
        .map(|n| {
            // SAFETY: the slot is one of the object's; its count moves out.
            unsafe { std::mem::replace(&mut *object.slots_raw().add(n), Raw::UNDEF) }
        })
        .collect()
}

fn put_slots(object: &PObject, slots: Vec<Raw>) {
    for (n, raw) in slots.into_iter().enumerate() {
        // SAFETY: as many slots as were taken out; the count moves in.
        unsafe {
            Raw::replace_slot(object.slots_raw().add(n), raw);
        }
    }
}

/// Counted copies of all slots.
fn copy_slots(object: &PObject) -> Vec<Raw> {
    // SAFETY: slots of a living object.
    (0..object.slot_count() as usize).map(|n| unsafe { (*object.slots_raw().add(n)).copied() }).collect()
}

/// Gives lazy slots (only this one, if given) their defaults.
fn set_defaults(cx: &mut Cx, object: &PObject, only: Option<u32>) -> Res<()> {
    let template = crate::lookup::new_object(cx, ClassPtr::of(object))?;
    template.mark_destructed();
    for n in 0..object.slot_count().min(template.slot_count()) {
        if slot_is_lazy(object, n) && only.is_none_or(|o| o == n) {
            // SAFETY: same class, same slots.
            unsafe {
                let value = (*template.slots_raw().add(n as usize)).copied();
                *object.slots_raw().add(n as usize) = value;
            }
        }
    }
    Ok(())
}

/// The object is lazy no more.
fn settle(object: &PObject, proxy: bool) {
    object.set_flags(object.flags() & !LAZY | if proxy { PROXY } else { 0 });
    let head = object.class();
    // SAFETY: classes outlive their objects.
    if !proxy && unsafe { (*head).flags } & jumbo_value::ClassHead::HAS_DESTRUCTOR != 0 {
        object.header().unset(header::DESTRUCTED);
    }
}

#[cold]
#[inline(never)]
fn run_initializer(cx: &mut Cx, object: &PObject) -> Res<()> {
    let Some(state) = object.native::<State>() else {
        object.set_flags(object.flags() & !LAZY);
        return Ok(());
    };
    let Some(callable) = state.initializer.borrow_mut().take() else {
        object.set_flags(object.flags() & !LAZY);
        return Ok(());
    };
    let held = object.clone();
    state.initializing.set(true);
    let result = if state.proxy.get() { run_factory(cx, object, state, &callable) } else { run_ghost(cx, object, &callable) };
    state.initializing.set(false);
    if result.is_err() {
        *state.initializer.borrow_mut() = Some(callable);
        object.set_flags(object.flags() | LAZY);
        object.mark_destructed();
    }
    drop(held);
    result
}

fn run_ghost(cx: &mut Cx, object: &PObject, callable: &Callable) -> Res<()> {
    let before = copy_slots(object);
    let dynamic = object.dynamic();
    object.set_flags(object.flags() & !LAZY);
    let result = set_defaults(cx, object, None)
        .and_then(|()| cx.call(callable, &[Value::from(object.clone())]))
        .and_then(|answer| match answer.deref().is_null() {
            true => Ok(()),
            false => Err(cx.type_error(b"Lazy object initializer must return NULL or no value")),
        });
    match result {
        Ok(()) => {
            for raw in before {
                // SAFETY: the counts of the copies.
                unsafe { raw.release() };
            }
            settle(object, false);
            Ok(())
        }
        Err(stop) => {
            put_slots(object, before);
            object.set_dynamic(dynamic);
            Err(stop)
        }
    }
}

fn run_factory(cx: &mut Cx, object: &PObject, state: &State, callable: &Callable) -> Res<()> {
    object.set_flags(object.flags() & !LAZY);
    let answer = cx.call(callable, &[Value::from(object.clone())])?.into_deref();
    let class = ClassPtr::of(object);
    let Some(real) = answer.as_object() else {
        let text = [
            b"Lazy proxy factory must return an instance of a class compatible with ".as_slice(),
            class.name.as_bytes(),
            b", ",
            &jumbo_abi::args::type_name(&answer),
            b" returned",
        ]
        .concat();
        return Err(cx.type_error(text));
    };
    let own = ClassPtr::of(real);
    let same = |a: Option<jumbo_abi::FnPtr>, b: Option<jumbo_abi::FnPtr>| a == b;
    let compatible = class == own
        || (class.is_a(own)
            && class.slots.len() == own.slots.len()
            && same(class.magic.destructor, own.magic.destructor)
            && same(class.magic.clone, own.magic.clone));
    if !compatible {
        let text = [
            b"The real instance class ".as_slice(),
            own.name.as_bytes(),
            b" is not compatible with the proxy class ",
            class.name.as_bytes(),
            b". The proxy must be a instance of the same class as the real instance, or a sub-class with no additional properties, and no \
              overrides of the __destructor or __clone methods.",
        ]
        .concat();
        return Err(cx.type_error(text));
    }
    if real == object || real.flags() & (LAZY | PROXY) != 0 {
        return Err(cx.throw_error(b"Lazy proxy factory must return a non-lazy object"));
    }
    // What the proxy held itself goes.
    for raw in take_slots(object) {
        // SAFETY: the counts that were taken out.
        unsafe { raw.release() };
    }
    object.set_dynamic(None);
    *state.real.borrow_mut() = Some(real.clone());
    settle(object, true);
    Ok(())
}

/// The clone of an initialised proxy around a clone of its real instance.
pub fn clone_proxy(cx: &mut Cx, object: &PObject, copy: PObject) -> Res<PObject> {
    let Some(proxy) = object.clone_shallow() else {
        return Err(cx.throw_error(b"Trying to clone an uncloneable object"));
    };
    if let Some(state) = proxy.native::<State>() {
        state.proxy.set(true);
        *state.real.borrow_mut() = Some(copy);
    }
    proxy.mark_destructed();
    proxy.set_flags(proxy.flags() | PROXY);
    Ok(proxy)
}

/// Makes the object lazy: its slots that `class` knows, and its dynamic properties.
fn make_lazy(cx: &mut Cx, object: &PObject, class: ClassPtr, initializer: &Callable, proxy: bool, options: i64) -> Res<()> {
    if object.native_any().is_none() {
        // There is no state yet, so this takes.
        let taken = object.set_native(Box::<State>::default());
        debug_assert!(taken.is_ok(), "an object without native state takes one");
    }
    let Some(state) = object.native::<State>() else {
        return Err(internal(cx, ClassPtr::of(object)));
    };
    let own = ClassPtr::of(object);
    for (n, slot) in own.get().slots.iter().enumerate().take(class.slots.len()) {
        // SAFETY: the slot is one of the object's.
        unsafe {
            let at = object.slots_raw().add(n);
            // A readonly property that nobody can override stays as it is.
            let fixed = own.is(class_flags::FINAL) || slot.flags & member_flags::FINAL != 0;
            if slot.flags & member_flags::READONLY != 0 && fixed && !(*at).is_undef() {
                continue;
            }
            Raw::replace_slot(at, Raw { tag: tag::UNDEF, bits: LAZY_SLOT });
        }
    }
    drop(object.set_dynamic(None));
    let old = state.real.borrow_mut().take();
    object.set_flags(object.flags() & !PROXY);
    if any_lazy_slot(object) {
        state.proxy.set(proxy);
        state.options.set(options);
        *state.initializer.borrow_mut() = Some(initializer.clone());
        object.set_flags(object.flags() | LAZY);
        object.mark_destructed();
    } else {
        // Nothing is lazy: an ordinary object.
        settle(object, false);
    }
    drop(old);
    Ok(())
}

fn internal(cx: &mut Cx, class: ClassPtr) -> Stop {
    let mut at = Some(class);
    let mut builtin = class;
    while let Some(c) = at {
        if c.is(class_flags::BUILTIN) {
            builtin = c;
            break;
        }
        at = c.parent;
    }
    let text = [
        b"Cannot make instance of internal class lazy: ".as_slice(),
        class.name.as_bytes(),
        if class == builtin { b" is internal".as_slice() } else { b" inherits internal class " },
        if class == builtin { b"".as_slice() } else { builtin.name.as_bytes() },
    ]
    .concat();
    cx.throw_error(text)
}

/// Classes with native behaviour cannot be lazy; stdClass can.
fn may_be_lazy(cx: &mut Cx, class: ClassPtr) -> Res<()> {
    let mut at = Some(class);
    while let Some(c) = at {
        if c.is(class_flags::BUILTIN) && c.lower.as_bytes() != b"stdclass" {
            return Err(internal(cx, class));
        }
        at = c.parent;
    }
    Ok(())
}

/// Slot of a property, seen from its class.
fn slot_of(object: &PObject, class: ClassPtr, name: &PStr) -> Option<u32> {
    match objects::find(ClassPtr::of(object), name.as_bytes(), Some(class)) {
        Found::Declared(p) if !p.is_virtual() => Some(p.slot),
        _ => None,
    }
}

/// Exchanges the mark of a slot without a value; a slot with one stays.
fn set_lazy_slot(object: &PObject, slot: u32, mark: Raw) {
    // SAFETY: the slot is one of the object's; neither mark is counted.
    unsafe {
        let at = object.slots_raw().add(slot as usize);
        if (*at).is_undef() {
            *at = mark;
        }
    }
}

/// The last lazy property has got a value: the object is an ordinary one.
fn settle_if_complete(object: &PObject) {
    if is_lazy(object) && !any_lazy_slot(object) {
        if let Some(state) = object.native::<State>() {
            let initializer = state.initializer.borrow_mut().take();
            drop(initializer);
        }
        settle(object, false);
    }
}

/// [`jumbo_abi::Engine::lazy`].
pub fn ask(cx: &mut Cx, what: Lazy<'_>) -> Res<Value> {
    Ok(match what {
        Lazy::New { class, initializer, proxy, options } => {
            may_be_lazy(cx, class)?;
            let object = crate::lookup::new_object(cx, class)?;
            make_lazy(cx, &object, class, initializer, proxy, options)?;
            Value::from(object)
        }
        Lazy::Reset { class, object, initializer, proxy, options } => {
            may_be_lazy(cx, ClassPtr::of(object))?;
            if object.native::<State>().is_some_and(|s| s.initializing.get()) {
                return Err(cx.throw_error(b"Can not reset an object while it is being initialized"));
            }
            if is_lazy(object) {
                return Err(cx.throw("ReflectionException", b"Object is already lazy"));
            }
            if options & SKIP_DESTRUCTOR == 0 && !object.is_destructed() {
                objects::destruct(cx, object)?;
            }
            make_lazy(cx, object, class, initializer, proxy, options)?;
            Value::null()
        }
        Lazy::Initialize(object) => {
            let real = whole(cx, object)?;
            Value::from(real.unwrap_or_else(|| object.clone()))
        }
        Lazy::IsUninitialized(object) => Value::from(is_lazy(object)),
        Lazy::MarkInitialized(object) => {
            if is_lazy(object) {
                set_defaults(cx, object, None)?;
                settle_if_complete(object);
            }
            Value::from(real_of(object).filter(|_| object.flags() & PROXY != 0).unwrap_or_else(|| object.clone()))
        }
        Lazy::Initializer(object) => {
            let callable = object.native::<State>().filter(|_| is_lazy(object)).and_then(|s| s.initializer.borrow().clone());
            callable.map_or(Value::null(), |c| c.value)
        }
        Lazy::IsLazyProperty { object, class, name } => {
            let real = real_of(object).filter(|_| object.flags() & PROXY != 0);
            let object = real.as_ref().unwrap_or(object);
            Value::from(is_lazy(object) && slot_of(object, class, name).is_some_and(|s| slot_is_lazy(object, s)))
        }
        Lazy::SkipProperty { object, class, name } => {
            let real = real_of(object).filter(|_| object.flags() & PROXY != 0);
            let object = real.as_ref().unwrap_or(object);
            if let Some(slot) = slot_of(object, class, name)
                && is_lazy(object)
                && slot_is_lazy(object, slot)
            {
                set_defaults(cx, object, Some(slot))?;
                settle_if_complete(object);
            }
            Value::null()
        }
        Lazy::SetRaw { object, class, name, value } => {
            let object = real_of(object).filter(|_| object.flags() & PROXY != 0).unwrap_or_else(|| object.clone());
            let lazy = slot_of(&object, class, name).filter(|slot| is_lazy(&object) && slot_is_lazy(&object, *slot));
            if let Some(slot) = lazy {
                set_lazy_slot(&object, slot, jumbo_runtime::inherit::UNINITIALIZED_SLOT);
            }
            let result = crate::inspect::set_raw_property(cx, &object, class, name, value);
            if let Some(slot) = lazy {
                if result.is_err() && is_lazy(&object) {
                    set_lazy_slot(&object, slot, Raw { tag: tag::UNDEF, bits: LAZY_SLOT });
                }
                settle_if_complete(&object);
            }
            result?;
            Value::null()
        }
        Lazy::Kind(object) => match object.native::<State>() {
            Some(s) if is_lazy(object) && !s.proxy.get() => Value::from(PStr::immortal(b"ghost")),
            Some(s) if s.proxy.get() && object.flags() & (LAZY | PROXY) != 0 => Value::from(PStr::immortal(b"proxy")),
            _ => Value::null(),
        },
    })
}

