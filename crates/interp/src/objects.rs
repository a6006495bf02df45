//! Objects: properties with visibility, hooks, types and magic methods; ArrayAccess; truth and casts; destructors.
//!
//! Slots: UNDEF with `bits` 0 is an unset property (magic methods see it), with [`UNINITIALIZED`] a typed one that never had a value.

use crate::types;
use crate::vm::Vm;
use jumbo_abi::class::{Property, mangle};
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, Level, Res, Stop, class_flags, mask, member_flags};
use jumbo_value::number::Number;
use jumbo_value::string::up_to_nul;
use jumbo_value::{Dying, Heap, Key, KeyRef, PArray, PObject, PRef, PStr, Raw, Value, View, tag};
use std::collections::VecDeque;

/// `bits` of an UNDEF slot whose typed property was never initialised.
pub const UNINITIALIZED: u64 = 1;
pub const UNSET: Raw = Raw { tag: tag::UNDEF, bits: 0 };

/// Which magic method guards against its own recursion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    Get,
    Set,
    Isset,
    Unset,
}

/// Guards that are up.
#[derive(Default)]
pub struct Guards {
    /// (object, property, method), innermost last.
    up: Vec<(u32, PStr, Guard)>,
    /// (object, proxy): guards of the proxy count for the object that it stands for.
    proxies: Vec<(u32, u32)>,
}

impl Guards {
    fn is_up(&self, object: u32, name: &PStr, guard: Guard) -> bool {
        let up = |id: u32| self.up.iter().any(|(o, n, g)| *o == id && *g == guard && n == name);
        up(object) || self.proxies.iter().any(|(real, proxy)| *real == object && up(*proxy))
    }
}

fn guards(cx: &mut Cx) -> &mut Guards {
    // SAFETY: the machine is live as long as the instance, which is borrowed; nobody else has a reference to its guards.
    unsafe { &mut (*Vm::of(cx)).guards }
}

/// `__get` for a property that the class does not declare, of an object without dynamic ones; None: it runs already for this property.
pub fn magic_get(cx: &mut Cx, object: &PObject, name: &PStr, get: jumbo_abi::FnPtr) -> Option<Res<Value>> {
    let class = ClassPtr::of(object);
    guarded(cx, object, name, Guard::Get, |cx| cx.call_function(get, Some(object), Some(class), &[Value::from(name)]))
}

/// Runs a magic method unless it runs already for this object and property.
fn guarded<T>(cx: &mut Cx, object: &PObject, name: &PStr, guard: Guard, run: impl FnOnce(&mut Cx) -> Res<T>) -> Option<Res<T>> {
    let guards = guards(cx);
    if guards.is_up(object.id(), name, guard) {
        return None;
    }
    guards.up.push((object.id(), name.clone(), guard));
    let held = object.clone();
    let result = run(cx);
    let guards = self::guards(cx);
    // Guards of a fiber that ends elsewhere may stand above.
    if let Some(at) = guards.up.iter().rposition(|(o, n, g)| *o == held.id() && *g == guard && n == name) {
        guards.up.remove(at);
    }
    if guards.up.is_empty() {
        guards.proxies.clear();
    }
    drop(held);
    Some(result)
}

/// The guards of a proxy that are up count for its real instance from now on.
pub fn share_guards(cx: &mut Cx, proxy: &PObject, real: &PObject) {
    let guards = guards(cx);
    let pair = (real.id(), proxy.id());
    if guards.up.iter().any(|(o, _, _)| *o == proxy.id()) && !guards.proxies.contains(&pair) {
        guards.proxies.push(pair);
    }
}

/// Where a property name leads, seen from a scope.
pub enum Found<'a> {
    Declared(&'a Property),
    Dynamic,
    /// Not visible from there.
    Hidden(&'a Property),
}

/// May code in `scope` use a member declared by `class` with these flags?
pub fn visible(flags: u32, class: ClassPtr, scope: Option<ClassPtr>) -> bool {
    match flags & member_flags::VISIBILITY {
        member_flags::PRIVATE => scope == Some(class),
        member_flags::PROTECTED => scope.is_some_and(|s| s.is_a(class) || class.is_a(s)),
        _ => true,
    }
}

/// The class where a property that is not private was declared first: protected access asks whether that is related.
fn property_root(p: &Property) -> ClassPtr {
    let mut root = p.class;
    while let Some(q) = root.parent.as_ref().and_then(|c| c.properties.get(p.name.as_bytes())) {
        if q.is(member_flags::PRIVATE) {
            break;
        }
        root = q.class;
    }
    root
}

/// As [`visible`] for a property, which may have been declared first by a class further up.
fn sees(flags: u32, p: &Property, scope: Option<ClassPtr>) -> bool {
    visible(flags, p.class, scope) || (flags & member_flags::PROTECTED != 0 && scope.is_some() && visible(flags, property_root(p), scope))
}

/// Looks a property up.
pub fn find(class: ClassPtr, name: &[u8], scope: Option<ClassPtr>) -> Found<'static> {
    // SAFETY: classes outlive the instance; the reference is used within one operation.
    let class_ref: &'static jumbo_abi::Class = unsafe { &*class.as_ptr() };
    if let Some(scope) = scope
        && scope != class
    {
        // SAFETY: as above.
        let scope_ref: &'static jumbo_abi::Class = unsafe { &*scope.as_ptr() };
        if let Some(p) = scope_ref.properties.get(name)
            && p.is(member_flags::PRIVATE)
            && p.class == scope
            && class.is_a(scope)
        {
            return Found::Declared(p);
        }
    }
    match class_ref.properties.get(name) {
        None => Found::Dynamic,
        Some(p) if !p.accessible && scope != Some(p.class) => Found::Dynamic,
        Some(p) if sees(p.flags, p, scope) => Found::Declared(p),
        Some(p) => Found::Hidden(p),
    }
}

/// A static property's name used on an object: a notice, or an error when the scope does not see it; then it is like any name.
fn static_on_object(cx: &mut Cx, class: ClassPtr, name: &[u8], scope: Option<ClassPtr>) -> Res<()> {
    let Some(p) = class.static_properties.get(name) else { return Ok(()) };
    // The scope's own private one comes first.
    let own = scope.filter(|s| *s != class && class.is_a(*s)).and_then(|s| s.static_properties.get(name).map(|p| (s, p.class, p.flags)));
    let is_own = own.is_some_and(|(s, declared, flags)| declared == s && flags & member_flags::PRIVATE != 0);
    if !is_own && !visible(p.flags, p.class, scope) {
        if p.flags & member_flags::PRIVATE != 0 && p.class != class {
            return Ok(());
        }
        let text = [b"Cannot access ".as_slice(), visibility_word(p.flags), b" property ", class.name.as_bytes(), b"::$", name].concat();
        return Err(cx.throw_error(text));
    }
    let text = [b"Accessing static property ".as_slice(), class.name.as_bytes(), b"::$", name, b" as non static"].concat();
    cx.raise(Level::Notice, &text)
}

#[cold]
fn bad_name(cx: &mut Cx) -> Stop {
    cx.throw_error(b"Cannot access property starting with \"\\0\"")
}

/// The hook of this property runs now on this object: it sees the backing value.
pub fn inside_hook(cx: &Cx, object: &PObject, p: &Property) -> bool {
    let inside = would_be_inside_hook(cx, object, p);
    // SAFETY: the machine is live. An access past the hooks is one access: what it runs is ordinary code.
    unsafe { (*Vm::of(cx)).raw_access = (*Vm::of(cx)).raw_access.filter(|raw| !raw.is(object, p)) };
    inside
}

/// As [`inside_hook`], for those who only ask before the access.
pub fn would_be_inside_hook(cx: &Cx, object: &PObject, p: &Property) -> bool {
    let vm = Vm::of(cx);
    // SAFETY: the running frames are live.
    unsafe {
        if (*vm).raw_access.is_some_and(|raw| raw.is(object, p)) {
            return true;
        }
        let fp = (*vm).fp;
        if fp.is_null() || (*fp).this.is_null() || (*fp).func.is_null() {
            return false;
        }
        let func = (*fp).func;
        // A proxy's hook runs on the proxy, and means the real instance.
        ((*(*fp).this).id == object.id() || crate::lazy::stands_for((*fp).this, object))
            && (p.get_hook.is_some_and(|h| std::ptr::eq(h.as_ptr(), func))
                || p.set_hook.is_some_and(|h| std::ptr::eq(h.as_ptr(), func))
                || is_hook_of_parent(&*func, p))
    }
}

/// Is it the hook of a property that `p` overrides (`parent::$x::get()`)? It means the same storage.
fn is_hook_of_parent(func: &jumbo_abi::Function, p: &Property) -> bool {
    if !func.is(jumbo_abi::func_flags::HOOK) || !func.scope.is_some_and(|s| p.class.is_a(s)) {
        return false;
    }
    let name = func.name.as_bytes().strip_prefix(b"$").and_then(|n| n.strip_prefix(p.name.as_bytes()));
    matches!(name, Some(b"::get" | b"::set"))
}

fn member(p: &Property) -> Vec<u8> {
    member_of(p.class, &p.name)
}

/// A property as messages name it: one with hooks, and one that is not there, by the class of the object.
pub fn member_of(class: ClassPtr, name: &PStr) -> Vec<u8> {
    [class.name.as_bytes(), b"::$", up_to_nul(name.as_bytes())].concat()
}

/// Error: what the `get` hook of an object of the class has returned is no place.
#[cold]
pub fn indirectly_modified(cx: &mut Cx, class: ClassPtr, p: &Property) -> Stop {
    cx.throw_error([b"Indirect modification of ".as_slice(), &member_of(class, &p.name), b" is not allowed"].concat())
}

fn visibility_word(flags: u32) -> &'static [u8] {
    match flags & member_flags::VISIBILITY {
        member_flags::PRIVATE => b"private",
        member_flags::PROTECTED => b"protected",
        _ => b"public",
    }
}

#[cold]
fn hidden_error(cx: &mut Cx, class: ClassPtr, p: &Property) -> Stop {
    let text = [b"Cannot access ".as_slice(), visibility_word(p.flags), b" property ", class.name.as_bytes(), b"::$", p.name.as_bytes()].concat();
    cx.throw_error(text)
}

/// Is there a value to change in place (for `unset($o->a->b)`, which creates nothing)?
pub fn has_storage(object: &PObject, name: &[u8], scope: Option<ClassPtr>) -> bool {
    match find(ClassPtr::of(object), name, scope) {
        // SAFETY: a live slot.
        Found::Declared(p) => !p.is_virtual() && !p.has_hooks() && !unsafe { (*slot_of(object, p)).is_undef() },
        Found::Dynamic => object.dynamic().is_some_and(|t| t.get_sym(name).is_some()),
        Found::Hidden(_) => false,
    }
}

/// Is it a property with hooks?
pub fn is_hooked(object: &PObject, name: &[u8], scope: Option<ClassPtr>) -> bool {
    matches!(find(ClassPtr::of(object), name, scope), Found::Declared(p) if p.has_hooks())
}

/// The error of a property that the scope does not see, when there is one.
pub fn refuse_hidden(cx: &mut Cx, object: &PObject, name: &[u8], scope: Option<ClassPtr>) -> Res<()> {
    match find(ClassPtr::of(object), name, scope) {
        Found::Hidden(p) => Err(hidden_error(cx, ClassPtr::of(object), p)),
        _ => Ok(()),
    }
}

/// Does a fetch for writing create the property: an unset one without a type, or a dynamic one?
pub fn creates_for_write(object: &PObject, name: &[u8], scope: Option<ClassPtr>) -> bool {
    let class = ClassPtr::of(object);
    match find(class, name, scope) {
        Found::Declared(p) => p.ty.is_none() && !p.is_virtual() && !p.has_hooks(),
        Found::Dynamic => class.hooks.prop_read.is_none() || class.hooks.prop_plain.is_some_and(|is_plain| is_plain(object)),
        Found::Hidden(_) => false,
    }
}

fn slot_of(object: &PObject, p: &Property) -> *mut Raw {
    // SAFETY: the property's slot is within the object's.
    unsafe { object.slots_raw().add(p.slot as usize) }
}

/// `object->name`. `quiet`: no warning when it is missing (`??`).
pub fn read(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>, quiet: bool) -> Res<Value> {
    // `??` asks `__isset` first.
    let asks = quiet
        && object.flags() & (crate::lazy::LAZY | crate::lazy::PROXY) != 0
        && ClassPtr::of(object).magic.isset.is_some()
        && !guard_is_up(cx, object, name, Guard::Isset);
    let first = if asks { Guard::Isset } else { Guard::Get };
    let real = crate::lazy::access(cx, object, name, scope, first)?;
    let object = real.as_ref().unwrap_or(object);
    let class = ClassPtr::of(object);
    let found = find(class, name.as_bytes(), scope);
    match &found {
        Found::Declared(p) => {
            if p.get_hook.is_some() || (p.is_virtual() && p.set_hook.is_some()) {
                if !inside_hook(cx, object, p) {
                    return match p.get_hook {
                        Some(hook) => cx.call_function(hook, Some(object), Some(class), &[]).map(Value::into_deref),
                        None => Err(cx.throw_error([b"Property ".as_slice(), &member_of(class, &p.name), b" is write-only"].concat())),
                    };
                }
                if p.is_virtual() {
                    return Err(cx.throw_error([b"Must not read from virtual property ".as_slice(), &member_of(class, &p.name)].concat()));
                }
            }
            // SAFETY: a live slot.
            let raw = unsafe { *slot_of(object, p) };
            if !raw.is_undef() {
                // SAFETY: as above.
                return Ok(unsafe { raw.deref().copied().into_value() });
            }
            if raw.bits == UNINITIALIZED {
                return if quiet { Ok(Value::null()) } else { Err(uninitialized(cx, p)) };
            }
        }
        Found::Dynamic => {
            if !quiet && class.magic.get.is_none() && !class.static_properties.is_empty() {
                static_on_object(cx, class, name.as_bytes(), scope)?;
            }
            if !class.hooks.opaque
                && let Some(table) = object.dynamic()
                && let Some(v) = table.get_sym(name.as_bytes())
            {
                return Ok(v.copy_deref());
            }
            if let Some(hook) = class.hooks.prop_read
                && let Some(v) = hook(cx, object, name.as_bytes())?
            {
                return Ok(v);
            }
        }
        Found::Hidden(_) => {}
    }
    if !matches!(found, Found::Dynamic)
        && let Some(hook) = class.hooks.prop_read
        && let Some(v) = hook(cx, object, name.as_bytes())?
    {
        return Ok(v);
    }
    if quiet && let Some(isset) = class.magic.isset {
        // `??` asks __isset first.
        let set = guarded(cx, object, name, Guard::Isset, |cx| {
            cx.call_function(isset, Some(object), Some(class), &[Value::from(name)])
        });
        if let Some(set) = set {
            if !value_truth(cx, &set?)? {
                return Ok(Value::null());
            }
            if class.magic.get.is_none()
                && let Some(real) = crate::lazy::whole(cx, object)?
            {
                return read(cx, &real, name, scope, quiet);
            }
        }
    }
    if let Some(get) = class.magic.get {
        if let Some(result) =
            guarded(cx, object, name, Guard::Get, |cx| cx.call_function(get, Some(object), Some(class), &[Value::from(name)]))
        {
            let mut value = result?.into_deref();
            if let Found::Declared(p) = found {
                fit_unset_property(cx, class, p, &mut value)?;
            }
            return Ok(value);
        }
    }
    match found {
        Found::Dynamic if !quiet && name.as_bytes().first() == Some(&0) => Err(bad_name(cx)),
        Found::Hidden(p) if !quiet => Err(hidden_error(cx, class, p)),
        Found::Declared(p) if !quiet && p.ty.is_some() => Err(uninitialized(cx, p)),
        _ => {
            if !quiet {
                undefined_property(cx, class, name)?;
            }
            Ok(Value::null())
        }
    }
}

/// What `__get` returns in place of an unset typed property must fit its type.
fn fit_unset_property(cx: &mut Cx, class: ClassPtr, p: &Property, value: &mut Value) -> Res<()> {
    let Some(ty) = &p.ty else { return Ok(()) };
    let strict = class.magic.get.is_some_and(|f| f.is(jumbo_abi::func_flags::STRICT_TYPES));
    let mut plain = value.copy_deref();
    if types::coerce(cx, &mut plain, ty, Some(p.class), strict)? {
        match value.as_ref() {
            Some(r) => r.set(plain),
            None => *value = plain,
        }
        return Ok(());
    }
    let text = [
        b"Value of type ".as_slice(),
        &types::shown_type(&plain),
        b" returned from ",
        class.name.as_bytes(),
        b"::__get() must be compatible with unset property ",
        &member(p),
        b" of type ",
        &ty.display(),
    ]
    .concat();
    Err(cx.type_error(text))
}

#[cold]
fn uninitialized(cx: &mut Cx, p: &Property) -> Stop {
    let text = [b"Typed property ".as_slice(), &member(p), b" must not be accessed before initialization"].concat();
    cx.throw_error(text)
}

/// May `scope` write the property, or give a readonly one its value?
pub fn may_set(p: &Property, scope: Option<ClassPtr>) -> bool {
    if p.is(member_flags::READONLY) && !p.is(member_flags::PUBLIC_SET | member_flags::PRIVATE_SET) {
        return scope.is_some_and(|s| s.is_a(p.class) || p.class.is_a(s));
    }
    settable(p, scope)
}

/// May `scope` write the property (asymmetric visibility)?
fn settable(p: &Property, scope: Option<ClassPtr>) -> bool {
    if p.is(member_flags::PRIVATE_SET) {
        scope == Some(p.class)
    } else if p.is(member_flags::PROTECTED_SET) {
        sees(member_flags::PROTECTED, p, scope)
    } else {
        true
    }
}

#[cold]
fn set_visibility_error(cx: &mut Cx, p: &Property, scope: Option<ClassPtr>, verb: &str) -> Stop {
    let word = if p.is(member_flags::PRIVATE_SET) { "private(set)" } else { "protected(set)" };
    let mut text = format!("Cannot {verb} {word} ").into_bytes();
    if p.is(member_flags::READONLY) && !p.is(member_flags::PRIVATE_SET) {
        text.extend_from_slice(b"readonly ");
    }
    text.extend_from_slice(b"property ");
    if p.flags & member_flags::PUBLIC != 0 {
        text.extend_from_slice(&member(p));
    } else {
        // PHP keeps the names of other properties behind a NUL byte, where its message ends them.
        text.extend_from_slice(p.class.name.as_bytes());
        text.extend_from_slice(b"::$");
    }
    // What PHP shows is the class that was called.
    let vm = Vm::of(cx);
    // SAFETY: the machine is live, and so are its frames.
    let called = unsafe {
        let fp = if vm.is_null() { std::ptr::null_mut() } else { crate::errors::user_frame(vm) };
        if fp.is_null() || (*fp).scope() != scope { None } else { (*fp).static_class() }
    };
    match called.or(scope) {
        Some(s) => {
            text.extend_from_slice(b" from scope ");
            text.extend_from_slice(s.name.as_bytes());
        }
        None => text.extend_from_slice(b" from global scope"),
    }
    cx.throw_error(text)
}

/// Objects whose `__clone` runs, with the slots that it has written: each readonly property may be written once more there.
#[derive(Default)]
struct Cloning(Vec<(u32, Vec<u32>)>);

/// May an initialised readonly property be written because its object is being cloned? `take`: it is, now.
fn may_reinit(cx: &mut Cx, object: &PObject, p: &Property, take: bool) -> bool {
    match cx.state::<Cloning>().0.iter_mut().find(|(id, _)| *id == object.id()) {
        Some((_, written)) if !written.contains(&p.slot) => {
            if take {
                written.push(p.slot);
            }
            true
        }
        _ => false,
    }
}

#[cold]
fn readonly_error(cx: &mut Cx, p: &Property) -> Stop {
    cx.throw_error([b"Cannot modify readonly property ".as_slice(), &member(p)].concat())
}

/// The running code is in strict mode.
fn strict(cx: &Cx) -> bool {
    cx.engine().caller_strict(cx)
}

/// Converts a value for a typed property or throws.
fn coerce_for(cx: &mut Cx, p: &Property, value: &mut Value) -> Res<()> {
    let Some(ty) = &p.ty else { return Ok(()) };
    let fast = ty.mask >> value.raw().kind_byte() & 1 != 0;
    if fast {
        return Ok(());
    }
    let strict = strict(cx);
    if types::coerce(cx, value, ty, Some(p.class), strict)? {
        return Ok(());
    }
    let text = [
        b"Cannot assign ".as_slice(),
        &types::shown_type(value),
        b" to property ",
        &member(p),
        b" of type ",
        &ty.display(),
    ]
    .concat();
    Err(cx.type_error(text))
}

/// `object->name = value`; returns the value as the property took it.
pub fn write(cx: &mut Cx, object: &PObject, name: &PStr, value: Value, scope: Option<ClassPtr>) -> Res<Value> {
    let real = crate::lazy::access(cx, object, name, scope, Guard::Set)?;
    let object = real.as_ref().unwrap_or(object);
    let class = ClassPtr::of(object);
    let mut value = value.into_deref();
    let found = find(class, name.as_bytes(), scope);
    match &found {
        Found::Declared(p) => {
            if (p.has_hooks()) && !inside_hook(cx, object, p) {
                if !settable(p, scope) {
                    return Err(set_visibility_error(cx, p, scope, "modify"));
                }
                if let Some(hook) = p.set_hook {
                    cx.call_function(hook, Some(object), Some(class), std::slice::from_ref(&value))?;
                    return Ok(value);
                }
                if p.is_virtual() {
                    return Err(cx.throw_error([b"Property ".as_slice(), &member_of(class, &p.name), b" is read-only"].concat()));
                }
            } else if p.is_virtual() {
                return Err(cx.throw_error([b"Must not write to virtual property ".as_slice(), &member_of(class, &p.name)].concat()));
            }
            let slot = slot_of(object, p);
            // SAFETY: a live slot of an object that the caller holds.
            let raw = unsafe { *slot };
            let magic = raw.is_undef() && raw.bits != UNINITIALIZED && class.magic.set.is_some();
            let magic = magic && !guard_is_up(cx, object, name, Guard::Set);
            if raw.is_undef()
                && raw.bits != UNINITIALIZED
                && let Some(hook) = class.hooks.prop_write
                && hook(cx, object, name.as_bytes(), &value)?
            {
                return Ok(value);
            }
            if !magic {
                if p.is(member_flags::READONLY) {
                    if !raw.is_undef() && !may_reinit(cx, object, p, false) {
                        return Err(readonly_error(cx, p));
                    }
                    if !may_set(p, scope) {
                        return Err(readonly_scope_error(cx, p, scope));
                    }
                } else if !settable(p, scope) {
                    return Err(set_visibility_error(cx, p, scope, "modify"));
                }
                let held = object.ref_count();
                coerce_for(cx, p, &mut value)?;
                if held > 1 && object.ref_count() == 1 {
                    // Only whoever assigns has it still.
                    return Err(cx.throw_error([b"Object was released while assigning to property ".as_slice(), &member(p)].concat()));
                }
                // SAFETY: the machine is live; the slot belongs to a held object.
                unsafe {
                    if (*slot).is_ref() {
                        return Ok(types::assign_result(Vm::of(cx), slot, value.into_raw())?.into_value());
                    }
                }
                if p.is(member_flags::READONLY) {
                    // SAFETY: a live slot; conversions may have run code that initialised it.
                    if raw.is_undef() && !unsafe { (*slot).is_undef() } {
                        return Err(readonly_error(cx, p));
                    }
                    if !raw.is_undef() {
                        may_reinit(cx, object, p, true);
                    }
                }
                let old = object.replace_slot(p.slot, value.clone());
                drop(old);
                run_destructors(cx)?;
                return Ok(value);
            }
        }
        Found::Dynamic => {
            if class.magic.set.is_none() && !class.static_properties.is_empty() {
                static_on_object(cx, class, name.as_bytes(), scope)?;
            }
            if !counts_as_new(object, name) {
                if let Some(hook) = class.hooks.prop_write
                    && hook(cx, object, name.as_bytes(), &value)?
                {
                    return Ok(value);
                }
                let exists = object.dynamic().is_some_and(|t| t.get_sym(name.as_bytes()).is_some());
                if exists {
                    return write_dynamic(cx, object, name, value);
                }
            }
        }
        Found::Hidden(_) => {
            if let Some(hook) = class.hooks.prop_write
                && hook(cx, object, name.as_bytes(), &value)?
            {
                return Ok(value);
            }
        }
    }
    if let Some(set) = class.magic.set
        && let Some(result) = guarded(cx, object, name, Guard::Set, |cx| {
            cx.call_function(set, Some(object), Some(class), &[Value::from(name), value.clone()])
        })
    {
        result?;
        return Ok(value);
    }
    match found {
        Found::Hidden(p) => {
            if p.is(member_flags::READONLY) {
                return Err(readonly_scope_error(cx, p, scope));
            }
            Err(hidden_error(cx, class, p))
        }
        _ => {
            may_create(cx, class, name)?;
            if counts_as_new(object, name)
                && let Some(hook) = class.hooks.prop_write
                && hook(cx, object, name.as_bytes(), &value)?
            {
                return Ok(value);
            }
            write_dynamic(cx, object, name, value)
        }
    }
}

fn counts_as_new(object: &PObject, name: &PStr) -> bool {
    ClassPtr::of(object).hooks.prop_is_new.is_some_and(|is_new| is_new(object, name.as_bytes()))
}

#[cold]
fn readonly_scope_error(cx: &mut Cx, p: &Property, scope: Option<ClassPtr>) -> Stop {
    if p.is(member_flags::PRIVATE_SET | member_flags::PROTECTED_SET) {
        return set_visibility_error(cx, p, scope, "modify");
    }
    let from = match scope {
        Some(s) => [b"scope ".as_slice(), s.name.as_bytes()].concat(),
        None => b"global scope".to_vec(),
    };
    let text = [b"Cannot initialize readonly property ".as_slice(), &member(p), b" from ", &from].concat();
    cx.throw_error(text)
}

pub fn guard_is_up(cx: &mut Cx, object: &PObject, name: &PStr, guard: Guard) -> bool {
    guards(cx).is_up(object.id(), name, guard)
}

/// Deprecation or error for a new dynamic property.
fn may_create(cx: &mut Cx, class: ClassPtr, name: &PStr) -> Res<()> {
    if name.as_bytes().first() == Some(&0) {
        return Err(bad_name(cx));
    }
    if class.is(class_flags::ALLOW_DYNAMIC) {
        return Ok(());
    }
    if class.is(class_flags::NO_DYNAMIC | class_flags::READONLY | class_flags::ENUM) {
        let text = [b"Cannot create dynamic property ".as_slice(), &member_of(class, name)].concat();
        return Err(cx.throw_error(text));
    }
    if crate::despite::is_despite(cx) {
        // The deprecation keeps nothing from being created.
        return Ok(());
    }
    let text = [b"Creation of dynamic property ".as_slice(), &member_of(class, name), b" is deprecated"].concat();
    cx.raise(Level::Deprecated, &text)
}

#[cold]
fn undefined_property(cx: &mut Cx, class: ClassPtr, name: &PStr) -> Res<()> {
    let text = [b"Undefined property: ".as_slice(), &member_of(class, name)].concat();
    cx.raise(Level::Warning, &text)
}

/// Makes the dynamic property `name`, which is missing, as null. `warn`: it is read first (`+=`, `++`), so that it is undefined.
fn create_null(cx: &mut Cx, object: &PObject, name: &PStr, warn: bool) -> Res<()> {
    let class = ClassPtr::of(object);
    may_create(cx, class, name)?;
    if object.ref_count() <= 1 {
        // The handler of the deprecation dropped the object: the instruction alone holds it.
        let text = [b"Cannot create dynamic property ".as_slice(), &member_of(class, name)].concat();
        return Err(cx.throw_error(text));
    }
    let key = Key::from_str(name);
    object.update_dynamic(|t| {
        if !t.contains(&key) {
            t.set(key.clone(), Value::null());
        }
    });
    if warn { undefined_property(cx, class, name) } else { Ok(()) }
}

/// Is it a dynamic property that holds null, which no code of the program's is asked about?
pub fn is_null_by_itself(object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> bool {
    let class = ClassPtr::of(object);
    class.magic.set.is_none()
        && matches!(find(class, name.as_bytes(), scope), Found::Dynamic)
        && object.dynamic().is_some_and(|table| table.get_sym(name.as_bytes()).is_some_and(Value::is_null))
}

/// Before `object->name op= …` or `++`: a plain property that is missing is made null, with the diagnostics in PHP's order.
/// True: it was, so that its value is null whatever a handler has done since.
pub fn prepare_update(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<bool> {
    let class = ClassPtr::of(object);
    if class.hooks.opaque
        && let Some(hook) = class.hooks.prop_place
    {
        hook(cx, object, name.as_bytes())?;
    }
    let is_asked = class.hooks.prop_read.is_some() || class.hooks.prop_write.is_some();
    let is_asked = is_asked && !class.hooks.prop_plain.is_some_and(|is_plain| is_plain(object));
    if is_asked || object.flags() & (crate::lazy::LAZY | crate::lazy::PROXY) != 0 || class.magic.get.is_some() && !guard_is_up(cx, object, name, Guard::Get) {
        return Ok(false);
    }
    match find(class, name.as_bytes(), scope) {
        Found::Dynamic if !object.dynamic().is_some_and(|t| t.get_sym(name.as_bytes()).is_some()) => {
            if !class.static_properties.is_empty() {
                static_on_object(cx, class, name.as_bytes(), scope)?;
            }
            create_null(cx, object, name, true).map(|()| true)
        }
        _ => Ok(false),
    }
}

/// Is a hook asked for the value of the property, or `__get`?
#[cold]
pub fn is_asked_for(object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> bool {
    match find(ClassPtr::of(object), name.as_bytes(), scope) {
        Found::Declared(p) if p.has_hooks() => true,
        // SAFETY: a live slot.
        Found::Declared(p) => ClassPtr::of(object).magic.get.is_some() && unsafe { (*slot_of(object, p)).is_undef() },
        _ => ClassPtr::of(object).magic.get.is_some() && !object.dynamic().is_some_and(|t| t.get_sym(name.as_bytes()).is_some()),
    }
}

/// Does writing the property run neither a hook nor `__set`?
#[cold]
pub fn is_written_plainly(object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> bool {
    ClassPtr::of(object).magic.set.is_none() && !matches!(find(ClassPtr::of(object), name.as_bytes(), scope), Found::Declared(p) if p.has_hooks())
}

/// A step failed: PHP goes on to write a readonly property, which is the error then.
pub fn step_failed(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>, stop: Stop) -> Stop {
    match find(ClassPtr::of(object), name.as_bytes(), scope) {
        Found::Declared(p) if p.is(member_flags::READONLY) && stop == Stop::Thrown => readonly_error(cx, p),
        _ => stop,
    }
}

/// The value of a property that `++` or `--` is about to change: what a handler has put into an unset one is seen.
pub fn read_for_step(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<Value> {
    if object.flags() & (crate::lazy::LAZY | crate::lazy::PROXY) == 0
        && let Found::Declared(p) = find(ClassPtr::of(object), name.as_bytes(), scope)
        && !p.has_hooks()
        && !p.is_virtual()
    {
        let slot = slot_of(object, p);
        // SAFETY: a live slot.
        let raw = unsafe { *slot };
        if raw.is_undef() && raw.bits != UNINITIALIZED && p.ty.is_none() && ClassPtr::of(object).magic.get.is_none() {
            undefined_property(cx, ClassPtr::of(object), name)?;
            // SAFETY: the object is held. A handler may have put something there.
            let now = unsafe { *slot };
            // SAFETY: as above.
            return Ok(if now.is_undef() { Value::null() } else { unsafe { now.deref().copied().into_value() } });
        }
    }
    read(cx, object, name, scope, false)
}

fn write_dynamic(cx: &mut Cx, object: &PObject, name: &PStr, value: Value) -> Res<Value> {
    let key = Key::from_str(name);
    // A reference may be bound to typed properties elsewhere.
    let typed = object.dynamic().and_then(|t| t.get(&key)?.as_ref().cloned()).filter(|r| r.ref_count() > 2 && !r.type_source().is_null());
    if let Some(reference) = typed {
        let mut held = Value::from(reference);
        // SAFETY: the machine is live, the slot is a copy of the reference.
        return unsafe { Ok(types::assign_result(Vm::of(cx), held.as_raw_mut(), value.into_raw())?.into_value()) };
    }
    let old = object.update_dynamic(|t| {
        t.with_slot(&key, |slot| {
            // A reference in the table is written through.
            match slot.as_ref() {
                Some(r) => r.replace(value.clone()),
                None => std::mem::replace(slot, value.clone()),
            }
        })
    });
    drop(old);
    run_destructors(cx)?;
    Ok(value)
}

/// `unset(object->name)`.
pub fn unset(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<()> {
    let real = crate::lazy::access(cx, object, name, scope, Guard::Unset)?;
    let object = real.as_ref().unwrap_or(object);
    let class = ClassPtr::of(object);
    let found = find(class, name.as_bytes(), scope);
    match &found {
        Found::Declared(p) => {
            if p.has_hooks() {
                let text = [b"Cannot unset hooked property ".as_slice(), class.name.as_bytes(), b"::$", name.as_bytes()].concat();
                return Err(cx.throw_error(text));
            }
            let slot = slot_of(object, p);
            // SAFETY: a live slot.
            let raw = unsafe { *slot };
            if p.is(member_flags::READONLY) && !raw.is_undef() && !(settable(p, scope) && may_reinit(cx, object, p, false)) {
                return Err(cx.throw_error([b"Cannot unset readonly property ".as_slice(), &member(p)].concat()));
            }
            if !raw.is_undef() || raw.bits == UNINITIALIZED {
                if !unsettable(p, scope) {
                    return Err(set_visibility_error(cx, p, scope, "unset"));
                }
                jumbo_value::barrier::write_barrier(object.header());
                // SAFETY: the old value is released after the slot was cleared.
                unsafe {
                    crate::type_sources::unbind(cx, raw, std::ptr::from_ref(*p).cast());
                    *slot = UNSET;
                    raw.release();
                }
                return run_destructors(cx);
            }
        }
        Found::Dynamic => {
            if class.magic.unset.is_none() && !class.static_properties.is_empty() {
                static_on_object(cx, class, name.as_bytes(), scope)?;
            }
            let key = Key::from_str(name);
            if !class.hooks.opaque && object.dynamic().is_some_and(|t| t.get(&key).is_some()) {
                let old = object.update_dynamic(|t| t.remove(&key));
                drop(old);
                return run_destructors(cx);
            }
            if let Some(hook) = class.hooks.prop_unset
                && hook(cx, object, name.as_bytes())?
            {
                return Ok(());
            }
        }
        Found::Hidden(_) => {}
    }
    if !matches!(found, Found::Dynamic)
        && let Some(hook) = class.hooks.prop_unset
        && hook(cx, object, name.as_bytes())?
    {
        return Ok(());
    }
    if let Some(unset) = class.magic.unset
        && let Some(result) =
            guarded(cx, object, name, Guard::Unset, |cx| cx.call_function(unset, Some(object), Some(class), &[Value::from(name)]))
    {
        result?;
        return Ok(());
    }
    match found {
        Found::Hidden(p) => Err(hidden_error(cx, class, p)),
        Found::Dynamic if name.as_bytes().first() == Some(&0) => Err(bad_name(cx)),
        Found::Declared(p) if !unsettable(p, scope) => Err(set_visibility_error(cx, p, scope, "unset")),
        _ => Ok(()),
    }
}

/// May `scope` unset the property? A readonly one is `protected(set)` unless it says otherwise.
fn unsettable(p: &Property, scope: Option<ClassPtr>) -> bool {
    settable(p, scope) && !(p.is(member_flags::READONLY) && !visible(member_flags::PROTECTED, p.class, scope))
}

/// Is the property there, whatever its value is? A hook that would answer for it is not asked, nor `__isset`.
pub fn exists(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<bool> {
    let real = crate::lazy::access(cx, object, name, scope, Guard::Isset)?;
    let object = real.as_ref().unwrap_or(object);
    let class = ClassPtr::of(object);
    Ok(match find(class, name.as_bytes(), scope) {
        Found::Declared(p) if p.get_hook.is_some() => true,
        Found::Dynamic if class.hooks.opaque => false,
        _ => is_initialized(object, name, scope),
    })
}

/// Has the property a value of its own, or is it virtual?
pub fn is_initialized(object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> bool {
    match find(ClassPtr::of(object), name.as_bytes(), scope) {
        Found::Declared(p) => p.is_virtual() || !object.slot(p.slot).is_undef(),
        Found::Dynamic => object.dynamic().is_some_and(|table| table.get_sym(name.as_bytes()).is_some()),
        Found::Hidden(_) => false,
    }
}

/// `isset(object->name)`, or `!empty(…)` with `empty`.
pub fn has(cx: &mut Cx, object: &PObject, name: &PStr, empty: bool, scope: Option<ClassPtr>) -> Res<bool> {
    let real = crate::lazy::access(cx, object, name, scope, Guard::Isset)?;
    let object = real.as_ref().unwrap_or(object);
    let class = ClassPtr::of(object);
    let judge = |cx: &mut Cx, v: Value| if empty { value_truth(cx, &v) } else { Ok(!v.deref().is_null()) };
    match find(class, name.as_bytes(), scope) {
        Found::Declared(p) => {
            if p.has_hooks() && !inside_hook(cx, object, p) {
                let Some(hook) = p.get_hook else {
                    if p.is_virtual() {
                        return Err(cx.throw_error([b"Property ".as_slice(), &member_of(class, &p.name), b" is write-only"].concat()));
                    }
                    let v = object.slot(p.slot);
                    return judge(cx, v);
                };
                let v = cx.call_function(hook, Some(object), Some(class), &[])?;
                return judge(cx, v);
            }
            if !p.is_virtual() {
                let v = object.slot(p.slot);
                if !v.is_undef() {
                    return judge(cx, v);
                }
                // SAFETY: a live slot.
                if unsafe { (*slot_of(object, p)).bits } == UNINITIALIZED {
                    return Ok(false);
                }
            }
        }
        Found::Dynamic => {
            if !class.hooks.opaque
                && let Some(table) = object.dynamic()
                && let Some(v) = table.get_sym(name.as_bytes())
            {
                let v = v.copy_deref();
                return judge(cx, v);
            }
            if let Some(hook) = class.hooks.prop_has
                && let Some(answer) = hook(cx, object, name.as_bytes(), empty)?
            {
                return Ok(answer);
            }
            if let Some(hook) = class.hooks.prop_read
                && let Some(v) = hook(cx, object, name.as_bytes())?
            {
                return judge(cx, v);
            }
        }
        Found::Hidden(_) => {}
    }
    if let Some(hook) = class.hooks.prop_has
        && let Some(answer) = hook(cx, object, name.as_bytes(), empty)?
    {
        return Ok(answer);
    }
    let Some(isset) = class.magic.isset else { return Ok(false) };
    let Some(answer) =
        guarded(cx, object, name, Guard::Isset, |cx| cx.call_function(isset, Some(object), Some(class), &[Value::from(name)]))
    else {
        return Ok(false);
    };
    if !value_truth(cx, &answer?)? {
        return Ok(false);
    }
    if !empty {
        return Ok(true);
    }
    let Some(get) = class.magic.get else { return Ok(false) };
    match guarded(cx, object, name, Guard::Get, |cx| cx.call_function(get, Some(object), Some(class), &[Value::from(name)])) {
        Some(v) => {
            let v = v?;
            value_truth(cx, &v)
        }
        None => Ok(false),
    }
}

/// Is a place used as an array container next, so that a typed property that holds an array needs no reference?
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum AsArray {
    No,
    /// An array begins in it: its type must allow that.
    Written,
    /// For `++`, `op=` or `unset`, before which PHP does not ask the type.
    Changed,
}

/// A place for `object->name`: for nested writes and references.
///
/// # Safety
/// The caller holds a count on the object while it uses the place.
pub unsafe fn place(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>, warn: bool, as_array: AsArray) -> Res<crate::dim::Place> {
    use crate::dim::Place;
    // SAFETY: slots of a held object are live.
    unsafe {
        let real = crate::lazy::access(cx, object, name, scope, Guard::Get)?;
        let object = real.as_ref().unwrap_or(object);
        let class = ClassPtr::of(object);
        let found = find(class, name.as_bytes(), scope);
        match &found {
            Found::Declared(p) => {
                if p.has_hooks() && !inside_hook(cx, object, p) {
                    let value = match p.get_hook {
                        Some(hook) => cx.call_function(hook, Some(object), Some(class), &[])?,
                        None if p.is_virtual() => return Err(cx.throw_error([b"Property ".as_slice(), &member_of(class, &p.name), b" is write-only"].concat())),
                        None => object.slot(p.slot),
                    };
                    if value.deref().is_object() || value.as_ref().is_some() {
                        return Ok(Place::Value(value));
                    }
                    return Err(indirectly_modified(cx, class, p));
                }
                let slot = slot_of(object, p);
                let raw = *slot;
                if raw.is_undef() && raw.bits != UNINITIALIZED && class.magic.get.is_some() && !guard_is_up(cx, object, name, Guard::Get) {
                    let place = place_through_get(cx, object, name, class)?;
                    return match place {
                        Place::Value(mut value) => {
                            fit_unset_property(cx, class, p, &mut value)?;
                            Ok(Place::Value(value))
                        }
                        at => Ok(at),
                    };
                }
                if p.is(member_flags::READONLY) {
                    if (*slot).deref().is_object() {
                        return Ok(Place::Value((*slot).deref().copied().into_value()));
                    }
                    if raw.is_undef() && warn {
                        return Err(uninitialized(cx, p));
                    }
                    return Err(cx.throw_error([b"Cannot indirectly modify readonly property ".as_slice(), &member(p)].concat()));
                } else if !settable(p, scope) {
                    if (*slot).deref().is_object() {
                        return Ok(Place::Value((*slot).deref().copied().into_value()));
                    }
                    if warn && raw.is_undef() && p.ty.is_some() {
                        return Err(uninitialized(cx, p));
                    }
                    return Err(set_visibility_error(cx, p, scope, "indirectly modify"));
                }
                if let Some(ty) = &p.ty {
                    if raw.is_undef() {
                        if warn {
                            return Err(uninitialized(cx, p));
                        }
                        if as_array != AsArray::No && ty.mask & (mask::ARRAY | mask::ITERABLE) == 0 {
                            let text = [b"Cannot auto-initialize an array inside property ".as_slice(), &member(p), b" of type ", &ty.display()].concat();
                            return Err(cx.type_error(text));
                        }
                        if ty.mask & mask::NULL == 0 && (as_array == AsArray::No || ty.mask & mask::ARRAY == 0) {
                            let text = [b"Cannot access uninitialized non-nullable property ".as_slice(), &member(p), b" by reference"].concat();
                            return Err(cx.throw_error(text));
                        }
                        *slot = Raw::NULL;
                    } else if as_array == AsArray::Written && (*slot).deref().kind_byte() <= 2 && ty.mask & (mask::ARRAY | mask::ITERABLE) == 0 {
                        let text = [b"Cannot auto-initialize an array inside property ".as_slice(), &member(p), b" of type ", &ty.display()].concat();
                        return Err(cx.type_error(text));
                    }
                    if !(as_array != AsArray::No && ((*slot).is_array() || (*slot).kind_byte() <= 2)) && !(*slot).is_ref() {
                        let value = std::mem::replace(&mut *slot, Raw::NULL).into_value();
                        let reference = PRef::new(value);
                        crate::type_sources::bind(cx, &reference, p, true);
                        *slot = reference.into_raw();
                    }
                    return Ok(Place::At(slot));
                }
                if raw.is_undef() {
                    *slot = Raw::NULL;
                    if warn {
                        undefined_property(cx, class, name)?;
                    }
                }
                return Ok(Place::At(slot));
            }
            Found::Dynamic => {
                let exists = object.dynamic().is_some_and(|t| t.get_sym(name.as_bytes()).is_some());
                if class.magic.get.is_none() && !class.static_properties.is_empty() {
                    static_on_object(cx, class, name.as_bytes(), scope)?;
                }
                if !exists || class.hooks.opaque {
                    if let Some(hook) = class.hooks.prop_place
                        && let Some(value) = hook(cx, object, name.as_bytes())?
                    {
                        return Ok(Place::Value(value));
                    }
                    if class.magic.get.is_some() && !guard_is_up(cx, object, name, Guard::Get) {
                        return place_through_get(cx, object, name, class);
                    }
                    create_null(cx, object, name, warn)?;
                }
                let key = Key::from_str(name);
                let slot = object.update_dynamic(|t| t.with_slot(&key, |v| v.as_raw_mut()));
                return Ok(Place::At(slot));
            }
            Found::Hidden(_) => {}
        }
        if class.magic.get.is_some() && !guard_is_up(cx, object, name, Guard::Get) {
            return place_through_get(cx, object, name, class);
        }
        match found {
            Found::Hidden(p) => Err(hidden_error(cx, class, p)),
            _ => Ok(Place::Value(Value::null())),
        }
    }
}

/// `__get` in a writing context: useful only when it returns a reference or an object.
fn place_through_get(cx: &mut Cx, object: &PObject, name: &PStr, class: ClassPtr) -> Res<crate::dim::Place> {
    let get = class.magic.get.expect("the caller looked");
    let value = guarded(cx, object, name, Guard::Get, |cx| cx.call_function(get, Some(object), Some(class), &[Value::from(name)]))
        .unwrap_or(Ok(Value::null()))?;
    if value.as_ref().is_none() && !value.is_object() {
        let text =
            [b"Indirect modification of overloaded property ".as_slice(), class.name.as_bytes(), b"::$", name.as_bytes(), b" has no effect"].concat();
        cx.raise(Level::Notice, &text)?;
    }
    Ok(crate::dim::Place::Value(value))
}

// ---- objects as arrays

#[cold]
fn not_array(cx: &mut Cx, class: ClassPtr) -> Stop {
    cx.throw_error([b"Cannot use object of type ".as_slice(), class.name.as_bytes(), b" as array"].concat())
}

/// What an instruction that writes into an object as an array does in spite of `stop`: one that is no array is refused on top, the methods
/// of ArrayAccess are not called any more.
#[cold]
pub fn refuse_as_array(cx: &mut Cx, value: &Value, stop: Stop) -> Stop {
    match value.deref().as_object().map(|object| ClassPtr::of(object)) {
        Some(class) if stop == Stop::Thrown && class.hooks.dim_read.is_none() && class.magic.offset_get.is_none() => not_array(cx, class),
        _ => stop,
    }
}

/// `object[offset]`. `quiet`: offsetExists is asked first.
pub fn dim_read(cx: &mut Cx, object: &PObject, offset: Option<&Value>, quiet: bool) -> Res<Value> {
    let class = ClassPtr::of(object);
    if let Some(hook) = class.hooks.dim_read
        && class.reads_offsets_natively()
    {
        if !quiet {
            return hook(cx, object, offset);
        }
        let null = Value::null();
        let offset = offset.unwrap_or(&null);
        if let Some(read_quiet) = class.hooks.dim_read_quiet
            && class.magic.offset_exists.is_none_or(|f| f.desc().is_some())
        {
            return read_quiet(cx, object, offset);
        }
        return if dim_has(cx, object, offset, false)? { hook(cx, object, Some(offset)) } else { Ok(Value::null()) };
    }
    let Some(get) = class.magic.offset_get else { return Err(not_array(cx, class)) };
    let offset = offset.map_or(Value::null(), Value::copy_deref);
    if quiet && let Some(exists) = class.magic.offset_exists {
        let there = cx.call_function(exists, Some(object), Some(class), std::slice::from_ref(&offset))?;
        if !value_truth(cx, &there)? {
            return Ok(Value::null());
        }
    }
    cx.call_function(get, Some(object), Some(class), &[offset]).map(Value::into_deref)
}

/// ArrayObject and ArrayIterator append nothing when an element inside of a new one is written.
fn is_array_object(class: ClassPtr) -> bool {
    std::iter::successors(Some(class), |c| c.parent).any(|c| matches!(c.lower.as_bytes(), b"arrayobject" | b"arrayiterator"))
}

/// An offset that is looked up twice: of the fraction that an ArrayObject cannot use is told once.
fn whole_offset(cx: &mut Cx, class: ClassPtr, offset: Option<&Value>) -> Res<Option<Value>> {
    Ok(match offset.map(|value| (value, value.view_deref())) {
        Some((value, View::Float(f))) if is_array_object(class) => {
            if !jumbo_value::number::float_is_int(f) {
                cx.deprecated_fraction(value.deref(), f)?;
            }
            Some(Value::from(jumbo_value::number::float_to_int(f)))
        }
        Some((value, _)) => Some(value.copy_deref()),
        None => None,
    })
}

/// `object[offset]` as the container of a write: what offsetGet returns, with a notice when writing to it has no effect.
/// `reads`: what is there is used too, so that nothing there is warned of; `creates`: an element that is not there becomes one.
pub fn dim_read_for_write(cx: &mut Cx, object: &PObject, offset: Option<&Value>, reads: bool, creates: bool) -> Res<Value> {
    let class = ClassPtr::of(object);
    let value = if let Some(hook) = class.hooks.dim_read
        && class.reads_offsets_natively()
    {
        let appended = offset.is_none() && is_array_object(class);
        let offset = whole_offset(cx, class, offset)?;
        let offset = offset.as_ref();
        if let Some(refused) = offset.filter(|o| !creates && matches!(o.view_deref(), View::Array(_) | View::Object(_)))
            && let Some(unset) = class.hooks.dim_unset.filter(|_| is_array_object(class))
        {
            // There is nothing, and what is no offset is refused as one to unset.
            no_effect(cx, class)?;
            unset(cx, object, refused)?;
            return Ok(Value::null());
        }
        if reads && offset.is_some() && is_array_object(class) {
            hook(cx, object, offset)?;
        }
        if let Some(place) = class.hooks.dim_place.filter(|_| !appended)
            && let Some(reference) = place(cx, object, offset, creates)?
        {
            if creates || !reference.is_null() {
                return Ok(reference);
            }
            Value::null()
        } else if appended { Value::null() } else { hook(cx, object, offset)? }
    } else if class.hooks.dim_read.is_some() && offset.is_none() && is_array_object(class) {
        // The overridden method of a builtin class is asked for an element without an offset.
        no_effect(cx, class)?;
        let text = [class.name.as_bytes(), b"::offsetGet(): Argument #1 ($offset) not passed"].concat();
        return Err(cx.throw("ArgumentCountError", text));
    } else {
        let Some(get) = class.magic.offset_get else { return Err(not_array(cx, class)) };
        let offset = offset.map_or(Value::null(), Value::copy_deref);
        cx.call_function(get, Some(object), Some(class), &[offset])?
    };
    if value.as_ref().is_none() && !value.is_object() {
        no_effect(cx, class)?;
    }
    Ok(value)
}

fn no_effect(cx: &mut Cx, class: ClassPtr) -> Res<()> {
    cx.raise(Level::Notice, &[b"Indirect modification of overloaded element of ".as_slice(), class.name.as_bytes(), b" has no effect"].concat())
}

pub fn dim_write(cx: &mut Cx, object: &PObject, offset: Option<&Value>, value: &Value) -> Res<()> {
    let class = ClassPtr::of(object);
    if let Some(hook) = class.hooks.dim_write
        && class.magic.offset_set.is_none_or(|f| f.desc().is_some())
    {
        return hook(cx, object, offset, value);
    }
    let Some(set) = class.magic.offset_set else { return Err(not_array(cx, class)) };
    let offset = offset.map_or(Value::null(), Value::copy_deref);
    cx.call_function(set, Some(object), Some(class), &[offset, value.copy_deref()])?;
    Ok(())
}

pub fn dim_has(cx: &mut Cx, object: &PObject, offset: &Value, empty: bool) -> Res<bool> {
    let class = ClassPtr::of(object);
    if let Some(hook) = class.hooks.dim_has
        && class.magic.offset_exists.is_none_or(|f| f.desc().is_some())
    {
        return hook(cx, object, offset, empty);
    }
    let Some(exists) = class.magic.offset_exists else { return Err(not_array(cx, class)) };
    let offset = offset.copy_deref();
    let there = cx.call_function(exists, Some(object), Some(class), std::slice::from_ref(&offset))?;
    if class.hooks.dim_has_alone || !value_truth(cx, &there)? || !empty {
        return value_truth(cx, &there);
    }
    let v = dim_read(cx, object, Some(&offset), false)?;
    value_truth(cx, &v)
}

pub fn dim_unset(cx: &mut Cx, object: &PObject, offset: &Value) -> Res<()> {
    let class = ClassPtr::of(object);
    if let Some(hook) = class.hooks.dim_unset
        && class.magic.offset_unset.is_none_or(|f| f.desc().is_some())
    {
        return hook(cx, object, offset);
    }
    let Some(unset) = class.magic.offset_unset else { return Err(not_array(cx, class)) };
    cx.call_function(unset, Some(object), Some(class), &[offset.copy_deref()])?;
    Ok(())
}

// ---- truth, casts

pub fn truth(cx: &mut Cx, object: &PObject) -> Res<bool> {
    match ClassPtr::of(object).hooks.cast {
        Some(cast) => Ok(cast(cx, object, mask::BOOL)?.is_none_or(|v| jumbo_value::convert::to_bool(&v))),
        None => Ok(true),
    }
}

/// `(bool)` of any value.
pub fn value_truth(cx: &mut Cx, value: &Value) -> Res<bool> {
    match value.view_deref() {
        View::Object(o) => truth(cx, o),
        _ => Ok(jumbo_value::convert::to_bool(value)),
    }
}

/// The number an object is in arithmetic, when its class makes it one.
pub fn cast_number(cx: &mut Cx, object: &PObject) -> Res<Option<Number>> {
    let Some(cast) = ClassPtr::of(object).hooks.cast else { return Ok(None) };
    Ok(match cast(cx, object, mask::INT | mask::FLOAT)? {
        Some(v) => match v.view() {
            View::Int(i) => Some(Number::Int(i)),
            View::Float(f) => Some(Number::Float(f)),
            _ => None,
        },
        None => None,
    })
}

// ---- whole property tables

/// All properties with mangled names, in declaration order, then dynamic ones.
pub fn table(cx: &mut Cx, object: &PObject, purpose: Purpose) -> Res<PArray> {
    let class = ClassPtr::of(object);
    if let Some(hook) = class.hooks.properties
        && let Some(array) = hook(cx, object, purpose)?
    {
        return Ok(array);
    }
    let real = crate::lazy::for_table(cx, object, purpose)?;
    if let (Some(real), Purpose::Debug) = (&real, purpose) {
        let mut shown = PArray::new();
        shown.set_bytes(b"instance", real.clone());
        return Ok(shown);
    }
    let object = real.as_ref().unwrap_or(object);
    if purpose == Purpose::VarExport && class.properties.values().any(Property::has_hooks) {
        return table_by_hooks(cx, object);
    }
    Ok(plain_table(object))
}

/// As [`plain_table`], with the values that hooks give: for var_export.
fn table_by_hooks(cx: &mut Cx, object: &PObject) -> Res<PArray> {
    let class = ClassPtr::of(object);
    let mut array = PArray::new();
    for (name, slot) in property_order(class) {
        let owner = class.slots.get(slot as usize).map_or(class, |s| s.class);
        let Found::Declared(p) = find(class, name.as_bytes(), Some(owner)) else { continue };
        if p.is_virtual() && p.get_hook.is_none() {
            continue;
        }
        // SAFETY: a live slot.
        let value = match p.get_hook.is_none() && unsafe { (*slot_of(object, p)).is_undef() } {
            // PHP reads in silence what has hooks, and gets null.
            true if p.has_hooks() => Value::null(),
            true => continue,
            false => read(cx, object, &name, Some(owner), false)?,
        };
        array.set(Key::from_str(&mangle(p.flags, p.class, &name)), value);
    }
    if let Some(dynamic) = object.dynamic() {
        for (k, v) in &dynamic {
            array.set(k.to_key(), unwrap_single(v.clone()));
        }
    }
    Ok(array)
}

/// As [`table`], without asking the class's hooks.
pub fn plain_table(object: &PObject) -> PArray {
    let class = ClassPtr::of(object);
    if class.slots.is_empty()
        && let Some(dynamic) = object.dynamic()
        && dynamic.iter().all(|(key, value)| !value.is_ref() && !matches!(key, KeyRef::Str(name) if name.as_index().is_some()))
    {
        // The table is what the array would be.
        return dynamic;
    }
    let mut array = PArray::new();
    for (n, slot) in class.slots.iter().enumerate() {
        // SAFETY: slots of a live object.
        let raw = unsafe { *object.slots_raw().add(n) };
        if raw.is_undef() {
            continue;
        }
        let name = mangle(slot.flags, slot.class, &slot.name);
        // SAFETY: as above.
        let value = unsafe { raw.copied().into_value() };
        array.set(Key::from_str(&name), unwrap_single(value));
    }
    if let Some(dynamic) = object.dynamic() {
        for (k, v) in &dynamic {
            array.set(k.to_key(), unwrap_single(v.clone()));
        }
    }
    array
}

/// A reference that only the property holds is no reference for anybody else.
fn unwrap_single(value: Value) -> Value {
    match value.as_ref() {
        Some(r) if r.ref_count() <= 2 => value.copy_deref(),
        _ => value,
    }
}

/// Names and slots of a class's properties, ancestors' first, each class's in the order of its declaration; virtual ones have no slot.
pub fn property_order(class: ClassPtr) -> Vec<(PStr, u32)> {
    let mut lineage: Vec<ClassPtr> = std::iter::successors(Some(class), |c| c.parent).collect();
    lineage.reverse();
    let mut order: Vec<(PStr, u32)> = Vec::with_capacity(class.properties.len());
    for c in lineage {
        for p in c.properties.values().filter(|p| p.class == c) {
            let place = order.iter_mut().find(|(name, slot)| {
                name.as_bytes() == p.name.as_bytes() && (*slot == p.slot || *slot == u32::MAX)
            });
            match place {
                // Redeclared: it stays where it was; a virtual one may have got storage.
                Some(entry) => entry.1 = p.slot,
                None => order.push((p.name.clone(), p.slot)),
            }
        }
    }
    // What the enum, or a class above all these, brought without declaring.
    for (n, slot) in class.slots.iter().enumerate() {
        if !order.iter().any(|(_, s)| *s as usize == n) {
            order.push((slot.name.clone(), n as u32));
        }
    }
    order
}

/// Properties that `scope` may see, by plain name.
pub fn visible_table(cx: &mut Cx, object: &PObject, scope: Option<ClassPtr>, hooks: bool) -> Res<PArray> {
    let real = crate::lazy::whole(cx, object)?;
    let object = real.as_ref().unwrap_or(object);
    let class = ClassPtr::of(object);
    // As it is before hooks run.
    let dynamic = object.dynamic();
    let mut array = PArray::new();
    for (name, slot) in property_order(class) {
        let Found::Declared(p) = find(class, name.as_bytes(), scope) else { continue };
        if p.slot != slot || (p.is_virtual() && !(hooks && p.get_hook.is_some())) {
            continue;
        }
        if hooks && p.get_hook.is_some() {
            let v = read(cx, object, &name, scope, false)?;
            array.set(Key::from_str(&name), v);
            continue;
        }
        // SAFETY: a slot of a live object.
        let raw = unsafe { *slot_of(object, p) };
        if raw.is_undef() {
            if hooks && p.has_hooks() {
                // PHP reads in silence what has hooks, and gets null.
                array.set(Key::from_str(&name), Value::null());
            }
            continue;
        }
        // SAFETY: as above.
        let value = unsafe { raw.copied().into_value() };
        array.set(Key::from_str(&name), unwrap_single(value));
    }
    if let Some(dynamic) = dynamic {
        for (k, v) in &dynamic {
            // What the scope declares shadows a dynamic property of the name.
            if class.properties.is_empty() || !matches!(find(class, k.to_str().as_bytes(), scope), Found::Declared(_)) {
                array.set(k.to_key(), unwrap_single(v.clone()));
            }
        }
    }
    Ok(array)
}

// ---- clone and end

/// `clone $object`, `__clone` included.
pub fn clone(cx: &mut Cx, object: &PObject) -> Res<PObject> {
    clone_or_keep(cx, object, &mut None)
}

/// As [`clone`]; a copy whose `__clone` has failed is left in `failed`, to end after the original.
pub fn clone_or_keep(cx: &mut Cx, object: &PObject, failed: &mut Option<PObject>) -> Res<PObject> {
    if let Some(real) = crate::lazy::whole(cx, object)? {
        let copy = clone(cx, &real)?;
        return crate::lazy::clone_proxy(cx, object, copy);
    }
    let class = ClassPtr::of(object);
    if class.hooks.uncloneable || class.is(class_flags::ENUM) {
        let text = [b"Trying to clone an uncloneable object of class ".as_slice(), class.name.as_bytes()].concat();
        return Err(cx.throw_error(text));
    }
    if let Some(method) = class.magic.clone
        && !crate::lookup::callable_from(method, cx.caller_scope())
    {
        let word = visibility_word(method_visibility(method.flags));
        let from = match cx.caller_scope() {
            Some(s) => [b"scope ".as_slice(), s.name.as_bytes()].concat(),
            None => b"global scope".to_vec(),
        };
        let owner = method.scope.unwrap_or(class);
        let text = [b"Call to ".as_slice(), word, b" ", owner.name.as_bytes(), b"::__clone() from ", &from].concat();
        return Err(cx.throw_error(text));
    }
    let Some(copy) = object.clone_shallow() else {
        let text = [b"Trying to clone an uncloneable object of class ".as_slice(), class.name.as_bytes()].concat();
        return Err(cx.throw_error(text));
    };
    if let Some(hook) = class.hooks.after_clone {
        hook(cx, object, &copy)?;
    }
    if let Some(method) = class.magic.clone {
        let readonly = class.slots.iter().any(|s| s.flags & member_flags::READONLY != 0);
        if readonly {
            cx.state::<Cloning>().0.push((copy.id(), Vec::new()));
        }
        let result = cx.call_function(method, Some(&copy), Some(class), &[]);
        if readonly {
            cx.state::<Cloning>().0.retain(|(id, _)| *id != copy.id());
        }
        if let Err(stop) = result {
            *failed = Some(copy);
            return Err(stop);
        }
    }
    Ok(copy)
}

/// Visibility bits of a method as member flags.
pub fn method_visibility(flags: u32) -> u32 {
    use jumbo_abi::func_flags as f;
    if flags & f::PRIVATE != 0 {
        member_flags::PRIVATE
    } else if flags & f::PROTECTED != 0 {
        member_flags::PROTECTED
    } else {
        member_flags::PUBLIC
    }
}

/// The native stack that a destructor finds. Where there is less it waits for the end of those that it would run inside of.
const DESTRUCTOR_STACK: usize = 256 << 10;
/// A destructor that makes the next object whose destructor makes the next one ends, after so many, as any recursion without end.
const POSTPONED_MAX: u32 = 1_000_000;

/// Runs the destructors of objects that died, oldest first. Of several exceptions the last one remains, with the others behind it.
///
/// The queue is emptied before the first destructor runs: what dies inside a destructor is destructed inside it, but the objects that
/// died together with the first wait for its end. Behind a fatal error no destructor runs.
pub fn run_destructors(cx: &mut Cx) -> Res<()> {
    let vm = Vm::of(cx);
    // Deep inside of other destructors: they look at the queue again when the innermost has ended.
    // SAFETY: the machine is live.
    unsafe {
        if Vm::native_stack_has_less_than(vm, DESTRUCTOR_STACK) && (*vm).postponed_destructors < POSTPONED_MAX {
            (*vm).postponed_destructors += 1;
            return Ok(());
        }
    }
    let mut result = Ok(());
    // What an object alone held goes before what died with the object: depth first, as in PHP, on a list of our own, because a chain of
    // objects may be longer than any native stack.
    let mut batches: Vec<VecDeque<Dying>> = Vec::new();
    loop {
        let heap = Heap::current();
        if heap.has_dying() {
            batches.push(std::iter::from_fn(|| heap.pop_dying()).collect());
        }
        let Some(batch) = batches.last_mut() else {
            // SAFETY: the machine is live.
            unsafe { (*vm).postponed_destructors = 0 };
            return result;
        };
        let next = batch.pop_front();
        if batch.is_empty() {
            batches.pop();
        }
        let Some(Dying::Object(object)) = next else { continue };
        if result == Err(Stop::Fatal) {
            continue;
        }
        if let Err(stop) = destruct(cx, &object).or_else(|stop| stopped_destructor(cx, stop)) {
            result = Err(stop);
        }
        drop(object);
    }
}

/// A destructor was stopped. At the end of the request, where no code of the program's waits for it, the exception handler is called and the
/// next destructor follows; without a handler the caller reports the exception, and no other destructor is called.
#[cold]
pub fn stopped_destructor(cx: &mut Cx, stop: Stop) -> Res<()> {
    // SAFETY: the machine is live.
    let is_waited_for = unsafe { !crate::errors::user_frame(Vm::of(cx)).is_null() };
    if is_waited_for || !cx.state::<crate::errors::Handlers>().ending {
        return Err(stop);
    }
    let handled = stop == Stop::Thrown && cx.state::<crate::errors::Handlers>().exception.is_some();
    let answer = if handled { crate::errors::uncaught(cx) } else { Err(stop) };
    if answer.is_err() {
        jumbo_value::Heap::current().mark_all_destructed();
    }
    answer
}

/// Calls an object's destructor. An exception that is pending already becomes the previous one of a new exception.
pub fn destruct(cx: &mut Cx, object: &PObject) -> Res<()> {
    // Its code is not the rest of the instruction that let the object go.
    let despite = std::mem::take(&mut cx.state::<crate::errors::Handlers>().despite);
    let result = destruct_now(cx, object);
    cx.state::<crate::errors::Handlers>().despite = despite;
    result
}

fn destruct_now(cx: &mut Cx, object: &PObject) -> Res<()> {
    object.mark_destructed();
    let class = ClassPtr::of(object);
    let Some(method) = class.magic.destructor else { return crate::generator::destruct_native(cx, object) };
    let scope = cx.caller_scope();
    let seen = method_visibility(method.flags);
    if seen != member_flags::PUBLIC && !crate::lookup::callable_from(method, scope) {
        let from = match scope {
            Some(s) => [b"scope ".as_slice(), s.name.as_bytes()].concat(),
            None => b"global scope".to_vec(),
        };
        let mut text = [b"Call to ".as_slice(), visibility_word(seen), b" ", class.name.as_bytes(), b"::__destruct() from ", &from].concat();
        // SAFETY: the machine is live.
        let running = unsafe { !crate::errors::user_frame(Vm::of(cx)).is_null() };
        if running {
            return Err(cx.throw_error(text));
        }
        text.extend_from_slice(b" during shutdown ignored");
        return cx.raise(Level::Warning, &text);
    }
    let before = cx.exception.take();
    let vm = Vm::of(cx);
    // SAFETY: the machine is live; a nested run leaves no reason behind.
    let stop_before = unsafe { (*vm).stop.take() };
    let answer = cx.call_function(method, Some(object), Some(class), &[]);
    // SAFETY: as above.
    unsafe { (*vm).stop = stop_before };
    match (answer, before) {
        (Ok(_), before) => {
            cx.exception = before;
            Ok(())
        }
        (Err(Stop::Thrown), Some(before)) => {
            if let Some(new) = cx.exception.clone() {
                crate::errors::chain(cx, &new, before);
            }
            Err(Stop::Thrown)
        }
        (Err(stop), _) => Err(stop),
    }
}
