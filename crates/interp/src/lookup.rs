//! Names at run time: classes (with autoloading), methods with their visibility, callables, new objects; the callee of each call opcode.

use crate::frame::{Frame, flags};
use crate::objects::{method_visibility, visible};
use crate::ops::calls::{init, init_on_object};
use crate::ops::operand;
use crate::vm::Vm;
use crate::{class_constants, closure};
use jumbo_abi::args::type_name;
use jumbo_abi::engine::CallableCheck;
use jumbo_abi::{Callable, ClassPtr, Cx, FnPtr, Level, Res, Stop, class_flags, func_flags, member_flags};
use jumbo_bytecode::names::{CLASSES, CONSTANTS, FUNCTIONS};
use jumbo_bytecode::unit::ClassRef;
use jumbo_bytecode::{Insn, LITERAL, NONE, Op, THIS};
use jumbo_value::{PObject, PStr, Raw, Value, View};
use jumbo_value::string::up_to_nul;
use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

/// Joins the parts of a message.
macro_rules! text {
    ($($part:expr),* $(,)?) => {{
        let mut text: Vec<u8> = Vec::new();
        $(text.extend_from_slice(AsRef::<[u8]>::as_ref(&$part));)*
        text
    }};
}
pub(crate) use text;

// ---- classes

/// A class by name: any case, a leading backslash allowed.
pub fn find_class(cx: &mut Cx, name: &[u8], autoload: bool) -> Res<Option<ClassPtr>> {
    let name = name.strip_prefix(b"\\").unwrap_or(name);
    let lower = name.to_ascii_lowercase();
    if let Some(class) = CLASSES.find(&lower).and_then(|h| cx.classes.get(h)) {
        return Ok(Some(*class));
    }
    if !autoload {
        return Ok(None);
    }
    load(cx, name, lower)
}

/// A class by handle, with autoloading.
fn find_handle(cx: &mut Cx, handle: u32) -> Res<Option<ClassPtr>> {
    if let Some(class) = cx.classes.get(handle) {
        return Ok(Some(*class));
    }
    let name = CLASSES.written(handle);
    load(cx, name.as_bytes(), name.as_bytes().to_ascii_lowercase())
}

fn load(cx: &mut Cx, name: &[u8], lower: Vec<u8>) -> Res<Option<ClassPtr>> {
    let state = &mut cx.autoloaders;
    if state.list.is_empty() {
        return Ok(None);
    }
    let valid = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\\' | 0x80..);
    if name.is_empty() || !name.iter().all(valid) || state.running.iter().any(|r| **r == *lower) {
        return Ok(None);
    }
    state.running.push(lower.clone().into());
    let name = [Value::from(name)];
    let mut handle = CLASSES.find(&lower);
    let mut result = Ok(None);
    // Loaders that are registered meanwhile are asked too, those that are gone are not.
    let mut next = 0;
    while let Some(loader) = cx.autoloaders.list.get(next).cloned() {
        if let Err(stop) = cx.call(&loader, &name) {
            result = Err(stop);
            break;
        }
        if handle.is_none() {
            handle = CLASSES.find(&lower);
        }
        if let Some(class) = handle.and_then(|h| cx.classes.get(h)) {
            result = Ok(Some(*class));
            break;
        }
        next = cx.autoloaders.after(next, &loader);
    }
    let running = &mut cx.autoloaders.running;
    if let Some(at) = running.iter().rposition(|r| **r == *lower) {
        running.remove(at);
    }
    result
}

#[cold]
pub fn not_found(cx: &mut Cx, name: &[u8]) -> Stop {
    cx.throw_error(text!("Class \"", name.strip_prefix(b"\\").filter(|rest| !rest.is_empty()).unwrap_or(name), "\" not found"))
}

/// The class that an instruction names; `dynamic`: the value of its operand (a name, an object, the PTR of an anonymous class).
///
/// # Safety
/// `fp` is the running frame; `pc` was saved.
pub unsafe fn class_ref(vm: *mut Vm, fp: *mut Frame, class: ClassRef, dynamic: Option<Raw>) -> Res<ClassPtr> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        match class {
            ClassRef::SELF => match (*fp).scope() {
                Some(scope) => Ok(scope),
                None => Err(cx.throw_error(b"Cannot access \"self\" when no class scope is active")),
            },
            ClassRef::PARENT => match (*fp).scope() {
                None => Err(cx.throw_error(b"Cannot access \"parent\" when no class scope is active")),
                Some(scope) => match scope.parent {
                    Some(parent) => Ok(parent),
                    None => Err(cx.throw_error(b"Cannot access \"parent\" when current class scope has no parent")),
                },
            },
            ClassRef::STATIC => match called_class(fp) {
                Some(class) => Ok(class),
                None => Err(cx.throw_error(b"Cannot access \"static\" when no class scope is active")),
            },
            ClassRef::DYNAMIC => {
                let value = dynamic.unwrap_or(Raw::NULL).deref();
                if value.tag == jumbo_value::tag::PTR {
                    return Ok(ClassPtr::from_ptr(value.bits as *const jumbo_abi::Class));
                }
                if value.is_object() {
                    return Ok(ClassPtr::of(value.as_object()));
                }
                if value.is_string() {
                    let name = value.as_str().clone();
                    return class_by_name(cx, name.as_bytes());
                }
                Err(cx.throw_error(b"Class name must be a valid object or a string"))
            }
            ClassRef(handle) => match find_handle(cx, handle)? {
                Some(class) => Ok(class),
                None => {
                    let name = CLASSES.written(handle);
                    Err(not_found(cx, name.as_bytes()))
                }
            },
        }
    }
}

/// A class by name, or the error that there is none.
pub fn class_by_name(cx: &mut Cx, name: &[u8]) -> Res<ClassPtr> {
    match find_class(cx, name, true)? {
        Some(class) => Ok(class),
        None => Err(not_found(cx, name)),
    }
}

/// `static` in a frame: the class of `$this`, else the called class.
///
/// # Safety
/// The frame is live.
pub unsafe fn called_class(fp: *mut Frame) -> Option<ClassPtr> {
    // SAFETY: as promised.
    unsafe {
        if !(*fp).this.is_null() {
            return Some(ClassPtr::from_ptr((*(*fp).this).class.cast()));
        }
        (*fp).static_class().or((*fp).scope())
    }
}

/// The class of a reference that needs no lookup by name, `o` being the operand of a DYNAMIC one: null for what is not loaded yet, for
/// classes named by strings, and outside of classes.
///
/// # Safety
/// `fp` is the running frame.
#[inline(always)]
pub unsafe fn quick_class(vm: *mut Vm, fp: *mut Frame, class: ClassRef, o: u16) -> *const jumbo_abi::Class {
    // SAFETY: the machine is live; classes outlive frames.
    unsafe {
        if class.0 < ClassRef::FIRST_SPECIAL {
            return (*(*vm).cx).classes.get(class.0).map_or(std::ptr::null(), |c| c.as_ptr());
        }
        if class == ClassRef::SELF {
            return (*fp).scope().map_or(std::ptr::null(), |c| c.as_ptr());
        }
        match class {
            ClassRef::PARENT => (*fp).scope().and_then(|c| c.parent).map_or(std::ptr::null(), |c| c.as_ptr()),
            ClassRef::STATIC if !(*fp).this.is_null() => (*(*fp).this).class.cast(),
            ClassRef::STATIC => (*fp).class,
            ClassRef::DYNAMIC if o == THIS && !(*fp).this.is_null() => (*(*fp).this).class.cast(),
            _ => std::ptr::null(),
        }
    }
}

/// The class that operands name, with the dynamic operand released afterwards.
///
/// # Safety
/// As the handlers.
pub unsafe fn operand_class(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, class: ClassRef, o: u16) -> Res<ClassPtr> {
    // SAFETY: as promised.
    unsafe {
        if class != ClassRef::DYNAMIC {
            return class_ref(vm, fp, class, None);
        }
        let value = if o == THIS {
            match crate::ops::calls::this_of(fp) {
                Some(o) => Value::from(o),
                None => return Err(Vm::cx(vm).throw_error(b"Using $this when not in object context")),
            }
        } else {
            operand::take_value(vm, fp, lits, o)?
        };
        let result = class_ref(vm, fp, class, Some(value.raw()));
        drop(value);
        result
    }
}

/// A constant by name (namespaced or class constant).
pub fn constant(cx: &mut Cx, name: &[u8]) -> Res<Option<Value>> {
    let name = name.strip_prefix(b"\\").unwrap_or(name);
    if let Some(at) = last_double_colon(name) {
        let (class, constant) = (&name[..at], &name[at + 2..]);
        let scope = cx.caller_scope();
        let class = match class.to_ascii_lowercase().as_slice() {
            b"self" => match scope {
                Some(s) => s,
                None => return Err(cx.throw_error(b"Cannot access \"self\" when no class scope is active")),
            },
            b"parent" => match scope.map(|s| s.parent) {
                Some(Some(p)) => p,
                Some(None) => return Err(cx.throw_error(b"Cannot access \"parent\" when current class scope has no parent")),
                None => return Err(cx.throw_error(b"Cannot access \"parent\" when no class scope is active")),
            },
            b"static" => match cx.engine().caller_static_class(cx).or(scope) {
                Some(s) => s,
                None => return Err(cx.throw_error(b"Cannot access \"static\" when no class scope is active")),
            },
            _ => class_by_name(cx, class)?,
        };
        return class_constants::access(cx, class, constant, scope, None).map(Some);
    }
    let key = jumbo_runtime::inherit::constant_key(name);
    if let Some((v, deprecated)) = CONSTANTS.find(&key).and_then(|h| cx.constants.get_any(h)) {
        let value = v.clone();
        if deprecated {
            cx.raise(Level::Deprecated, &text!("Constant ", name, " is deprecated"))?;
        }
        return Ok(Some(value));
    }
    Ok(match key.to_ascii_lowercase().as_slice() {
        b"true" => Some(Value::from(true)),
        b"false" => Some(Value::from(false)),
        b"null" => Some(Value::null()),
        _ => None,
    })
}

// ---- methods

/// What a method name leads to.
pub enum Method {
    Found(FnPtr),
    /// `__call` or `__callStatic`.
    Magic(FnPtr),
    Missing,
    /// Not visible from the scope.
    Hidden(FnPtr),
}

/// May code in `scope` call this method?
pub fn callable_from(f: FnPtr, scope: Option<ClassPtr>) -> bool {
    let seen = method_visibility(f.flags);
    if seen == member_flags::PUBLIC || scope == f.scope {
        return true;
    }
    let root = f.prototype.and_then(|p| p.scope).or(f.scope);
    seen == member_flags::PROTECTED && root.is_some_and(|r| visible(member_flags::PROTECTED, r, scope))
}

/// The method of an object's class, as `$object->name()` finds it.
pub fn find_method(class: ClassPtr, lower: &[u8], scope: Option<ClassPtr>) -> Method {
    let found = class.method(lower);
    if let Some(f) = found
        && (f.scope == scope || (f.is(func_flags::PUBLIC) && scope.is_none()))
    {
        return Method::Found(f);
    }
    // The calling class's own private method comes before what a subclass made of the name.
    if let Some(s) = scope
        && s != class
        && let Some(own) = s.method(lower)
        && own.is(func_flags::PRIVATE)
        && own.scope == scope
        && class.is_a(s)
    {
        return Method::Found(own);
    }
    match found {
        Some(f) if callable_from(f, scope) => Method::Found(f),
        found => match (class.magic.call, found) {
            (Some(call), _) => Method::Magic(call),
            (None, Some(f)) => Method::Hidden(f),
            (None, None) => Method::Missing,
        },
    }
}

/// The object that answers for methods that `object`'s class does not have, when its class names one (`hooks.delegate`) that has this one.
pub fn delegate(cx: &mut Cx, object: &PObject, lower: &[u8], scope: Option<ClassPtr>) -> Res<Option<PObject>> {
    let mut answering = None;
    loop {
        let asked = answering.as_ref().unwrap_or(object);
        let class = ClassPtr::of(asked);
        if class.hooks.delegate.is_none() && answering.is_none() {
            return Ok(None);
        }
        if !matches!(find_method(class, lower, scope), Method::Missing) {
            return Ok(answering);
        }
        let next = match class.hooks.delegate {
            Some(hook) => hook(cx, asked)?,
            None => None,
        };
        if next.is_none() {
            return Ok(None);
        }
        answering = next;
    }
}

fn from_scope(scope: Option<ClassPtr>) -> Vec<u8> {
    match scope {
        Some(s) => text!("scope ", s.name.as_bytes()),
        None => b"global scope".to_vec(),
    }
}

fn visibility_word(f: FnPtr) -> &'static str {
    if f.is(func_flags::PRIVATE) {
        "private"
    } else if f.is(func_flags::PROTECTED) {
        "protected"
    } else {
        "public"
    }
}

#[cold]
fn hidden_method(cx: &mut Cx, class: ClassPtr, f: FnPtr, name: &[u8], scope: Option<ClassPtr>) -> Stop {
    let class = f.scope.unwrap_or(class);
    cx.throw_error(text!("Call to ", visibility_word(f), " method ", class.name.as_bytes(), "::", name, "() from ", from_scope(scope)))
}

#[cold]
fn undefined_method(cx: &mut Cx, class: ClassPtr, name: &[u8]) -> Stop {
    cx.throw_error(text!("Call to undefined method ", class.name.as_bytes(), "::", up_to_nul(name), "()"))
}

/// Does the frame's code always run in this one scope?
///
/// # Safety
/// The frame is live.
pub unsafe fn fixed_scope(fp: *mut Frame) -> bool {
    // SAFETY: as promised.
    let function = unsafe { (*fp).function() };
    !function.is(func_flags::CLOSURE | func_flags::FROM_TRAIT | func_flags::MAIN | func_flags::THUNK)
}

/// May an inline cache at a place of this function keep the method? Its code may run in several scopes (traits, closures, files).
unsafe fn cacheable(fp: *mut Frame, class: ClassPtr, lower: &[u8], f: FnPtr) -> bool {
    // SAFETY: the frame is live.
    if unsafe { fixed_scope(fp) } {
        return true;
    }
    let no_private = std::iter::successors(class.parent, |c| c.parent)
        .all(|c| c.method(lower).is_none_or(|m| !m.is(func_flags::PRIVATE)));
    f.is(func_flags::PUBLIC) && no_private
}

/// Fills an inline cache word: class id and position in one of its tables.
///
/// # Safety
/// `at` is a cache word of the running function's code.
pub unsafe fn fill_cache(at: *const Insn, class: ClassPtr, index: usize) {
    // SAFETY: the cache word of an instruction; words of code are 8 bytes and aligned, and caches are only accessed atomically or by
    // plain loads of the whole word.
    unsafe { fill_cache_word(at, u64::from(class.id()) << 32 | index as u64) }
}

/// As [`fill_cache`], the whole word.
///
/// # Safety
/// As [`fill_cache`].
pub unsafe fn fill_cache_word(at: *const Insn, new: u64) {
    // SAFETY: as promised.
    unsafe {
        let word = &*at.cast::<AtomicU64>();
        let old = word.swap(new, Ordering::Relaxed);
        if old != 0 && old >> 32 != new >> 32 {
            crate::sites::keep(at, old);
            crate::sites::keep(at, new);
        }
    }
}

unsafe fn set_magic(nf: *mut Frame, name: &PStr) {
    // SAFETY: the frame's header was written just before.
    unsafe {
        (*nf).flags |= flags::MAGIC;
        // The name that `__call` sees ends at a NUL.
        let name = match name.as_bytes().iter().position(|&b| b == 0) {
            Some(end) => PStr::new(&name.as_bytes()[..end]),
            None => name.clone(),
        };
        (*nf).extra_mut().magic_name = Some(name);
    }
}

/// `InitMethod`, `InitMethodThis`.
///
/// # Safety
/// As the handlers; `pc` was saved.
#[inline(never)]
pub unsafe fn init_method(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, nf: *mut Frame) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let on_this = (*pc).op() == Op::InitMethodThis;
        let b = if on_this { THIS } else { (*pc).b() };
        let c = if on_this { (*pc).c() | LITERAL } else { (*pc).c() };
        let name = operand::take_value(vm, fp, lits, c)?.into_deref();
        let object = operand::object(fp, lits, b);
        let Some(name) = name.as_str() else {
            operand::consume_place(fp, b);
            return Err(cx.throw_error(b"Method name must be a string"));
        };
        if object.is_null() {
            if b == THIS {
                return Err(cx.throw_error(b"Using $this when not in object context"));
            }
            let value = operand::take_value(vm, fp, lits, b)?;
            return Err(cx.throw_error(text!("Call to a member function ", up_to_nul(name.as_bytes()), "() on ", member_type(&value))));
        }
        let mut object = PObject::from_ptr(operand::take_object_of(fp, b, object));
        let lower = name.as_bytes().to_ascii_lowercase();
        let scope = (*fp).scope();
        if let Some(other) = delegate(cx, &object, &lower, scope)? {
            object = other;
        }
        let class = ClassPtr::of(&object);
        if lower == b"__invoke" && closure::state(&object).is_some() {
            closure::init_closure(nf, &object);
            (*nf).flags |= flags::INVOKED;
            return Ok(());
        }
        match find_method(class, &lower, scope) {
            Method::Found(f) => {
                if f.is(func_flags::ABSTRACT) && f.code.is_null() && f.desc().is_none() {
                    return Err(cx.throw_error(text!("Cannot call abstract method ", f.display_name(), "()")));
                }
                if let Some((index, _, &there)) = class.methods.get_full(lower.as_slice())
                    && there == f
                    && cacheable(fp, class, &lower, f)
                {
                    if c & LITERAL != 0 {
                        fill_cache(pc.add(1), class, index);
                    } else {
                        crate::sites::keep_named(pc, class.id(), &f.name, index);
                    }
                }
                init_on_object(nf, f, object.into_ptr(), class.as_ptr());
                Ok(())
            }
            Method::Magic(call) => {
                init_on_object(nf, call, object.into_ptr(), class.as_ptr());
                set_magic(nf, name);
                Ok(())
            }
            Method::Hidden(f) => Err(hidden_method(cx, class, f, name.as_bytes(), scope)),
            Method::Missing => Err(undefined_method(cx, class, name.as_bytes())),
        }
    }
}

/// `null`, `int`, `bool`…: what a member function was called on.
fn member_type(value: &Value) -> Vec<u8> {
    let value = value.deref();
    type_name(value)
}

/// `InitStaticCall`.
///
/// # Safety
/// As the handlers; `pc` was saved.
#[inline(never)]
pub unsafe fn init_static(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, nf: *mut Frame) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let reference = ClassRef((*pc.add(1)).0 as u32);
        if reference == ClassRef::PARENT
            && (*pc).c() & LITERAL != 0
            && (*lits.add(((*pc).c() & !LITERAL) as usize)).as_str().as_bytes().starts_with(b"$")
            && (*fp).scope().is_some_and(|s| s.parent.is_none())
        {
            // `parent::$x::get()`.
            return Err(cx.throw_error(b"Cannot use \"parent\" when current class scope has no parent"));
        }
        let class = match operand_class(vm, fp, lits, reference, (*pc).b()) {
            Ok(class) => class,
            Err(stop) => {
                operand::consume(fp, (*pc).c());
                return Err(stop);
            }
        };
        let cache = (*pc.add(2)).0;
        if (cache >> 32) as u32 == class.id() {
            let f = crate::ops::calls::method_at(class.as_ptr(), cache as u32);
            if f.is(func_flags::STATIC) {
                let forwards = reference.0 >= ClassRef::FIRST_SPECIAL && reference != ClassRef::DYNAMIC;
                init(nf, f);
                (*nf).class = if forwards { called_class(fp).unwrap_or(class).as_ptr() } else { class.as_ptr() };
                return Ok(());
            }
            let this = (*fp).this;
            if !this.is_null() {
                let of = ClassPtr::from_ptr((*this).class.cast());
                if of.is_a(class) {
                    (*this).header.add_ref();
                    init_on_object(nf, f, this, of.as_ptr());
                    return Ok(());
                }
            }
        }
        let name = operand::take_value(vm, fp, lits, (*pc).c())?.into_deref();
        let Some(name) = name.as_str() else { return Err(cx.throw_error(b"Method name must be a string")) };
        if reference == ClassRef::PARENT && name.as_bytes().first() == Some(&b'$') {
            return parent_hook(vm, fp, nf, class, name);
        }
        let lower = name.as_bytes().to_ascii_lowercase();
        if lower == b"__construct" && (*pc).c() & LITERAL != 0 {
            match class.magic.constructor {
                None => return Err(cx.throw_error(b"Cannot call constructor")),
                Some(f) if f.is(func_flags::PRIVATE) && f.scope != (*fp).scope() && !(*fp).this.is_null() => {
                    return Err(cx.throw_error(text!("Cannot call private ", class.name.as_bytes(), "::__construct()")));
                }
                Some(_) => {}
            }
        }
        let forwards = reference == ClassRef::SELF || reference == ClassRef::PARENT || reference == ClassRef::STATIC;
        if (*pc).c() & LITERAL != 0
            && !class.is(class_flags::TRAIT)
            && let Some((index, _, &f)) = class.methods.get_full(lower.as_slice())
            && !f.is(func_flags::ABSTRACT)
            && callable_from(f, (*fp).scope())
            && cacheable(fp, class, &lower, f)
        {
            fill_cache(pc.add(2), class, index);
        }
        let this = if (*fp).this.is_null() { None } else { crate::ops::calls::this_of(fp) };
        let called = if forwards { called_class(fp).unwrap_or(class) } else { class };
        prepare_static(cx, nf, class, called, name, &lower, (*fp).scope(), this)
    }
}

/// Fills a frame with the static (or `parent::`) method.
#[allow(clippy::too_many_arguments)]
unsafe fn prepare_static(
    cx: &mut Cx,
    nf: *mut Frame,
    class: ClassPtr,
    called: ClassPtr,
    name: &PStr,
    lower: &[u8],
    scope: Option<ClassPtr>,
    this: Option<PObject>,
) -> Res<()> {
    // SAFETY: `nf` is a frame in the caller's temporaries.
    unsafe {
        let this = this.filter(|t| ClassPtr::of(t).is_a(class));
        match class.method(lower) {
            Some(f) if callable_from(f, scope) => {
                if f.is(func_flags::ABSTRACT) && f.is(func_flags::STATIC) | this.is_none() {
                    return Err(cx.throw_error(text!("Cannot call abstract method ", f.display_name(), "()")));
                }
                if f.is(func_flags::STATIC) || this.is_none() {
                    if class.is(class_flags::TRAIT) {
                        let text = text!("Calling static trait method ", class.name.as_bytes(), "::", f.name.as_bytes(), " is deprecated, it should only be called on a class using the trait");
                        cx.raise(Level::Deprecated, &text)?;
                    }
                    if !f.is(func_flags::STATIC) {
                        return Err(non_static(cx, f));
                    }
                    init(nf, f);
                    (*nf).class = called.as_ptr();
                    return Ok(());
                }
                match this {
                    Some(this) => {
                        if f.is(func_flags::ABSTRACT) {
                            return Err(cx.throw_error(text!("Cannot call abstract method ", f.display_name(), "()")));
                        }
                        let class = ClassPtr::of(&this);
                        init_on_object(nf, f, this.into_ptr(), class.as_ptr());
                        Ok(())
                    }
                    None => Err(non_static(cx, f)),
                }
            }
            found => {
                if let (Some(this), Some(call)) = (this, class.magic.call) {
                    let class = ClassPtr::of(&this);
                    // The object's own `__call` answers, also for an ancestor.
                    let call = class.magic.call.unwrap_or(call);
                    init_on_object(nf, call, this.into_ptr(), class.as_ptr());
                    set_magic(nf, name);
                    return Ok(());
                }
                if let Some(call) = class.magic.call_static {
                    if call.is(func_flags::ABSTRACT) {
                        return Err(cx.throw_error(text!("Cannot call abstract method ", class.name.as_bytes(), "::", name.as_bytes(), "()")));
                    }
                    if class.is(class_flags::TRAIT) {
                        let text = text!(
                            "Calling static trait method ", class.name.as_bytes(), "::", name.as_bytes(),
                            " is deprecated, it should only be called on a class using the trait"
                        );
                        cx.raise(Level::Deprecated, &text)?;
                    }
                    init(nf, call);
                    (*nf).class = called.as_ptr();
                    set_magic(nf, name);
                    return Ok(());
                }
                match found {
                    Some(f) => Err(hidden_method(cx, class, f, name.as_bytes(), scope)),
                    None => Err(undefined_method(cx, class, name.as_bytes())),
                }
            }
        }
    }
}

#[cold]
fn non_static(cx: &mut Cx, f: FnPtr) -> Stop {
    cx.throw_error(text!("Non-static method ", f.display_name(), "() cannot be called statically"))
}

/// `'Foo::bar'()` where `$this` is a Foo with `__call`, which would answer for the missing method: not static, so it is refused.
unsafe fn refuse_call(cx: &mut Cx, fp: *mut Frame, class: ClassPtr, name: &PStr, lower: &[u8]) -> Res<()> {
    // SAFETY: the running frame.
    let this = unsafe { crate::ops::calls::this_of(fp) };
    let magic = class.method(lower).is_none() && class.magic.call.is_some();
    if magic && this.is_some_and(|t| ClassPtr::of(&t).is_a(class)) {
        return Err(cx.throw_error(text!("Non-static method ", class.name.as_bytes(), "::", name.as_bytes(), "() cannot be called statically")));
    }
    Ok(())
}

/// `parent::$x::get()` in a hook.
unsafe fn parent_hook(vm: *mut Vm, fp: *mut Frame, nf: *mut Frame, class: ClassPtr, name: &PStr) -> Res<()> {
    // SAFETY: as `init_static`.
    unsafe {
        let cx = Vm::cx(vm);
        let bytes = name.as_bytes();
        let setter = bytes.ends_with(b"::set");
        let property = &bytes[1..bytes.len().saturating_sub(5).max(1)];
        let Some(this) = crate::ops::calls::this_of(fp) else {
            return Err(cx.throw_error(b"Using $this when not in object context"));
        };
        let Some(p) = class.properties.get(property) else {
            return Err(cx.throw_error(text!("Undefined property ", class.name.as_bytes(), "::$", property)));
        };
        if p.is(member_flags::PRIVATE) && p.class != class || p.is(member_flags::PRIVATE) && (*fp).scope() != Some(p.class) {
            return Err(cx.throw_error(text!("Cannot access private property ", class.name.as_bytes(), "::$", property)));
        }
        let hook = if setter { p.set_hook } else { p.get_hook };
        match hook {
            Some(f) if f.is(func_flags::ABSTRACT) => Err(cx.throw_error(text!("Cannot call abstract method ", f.display_name(), "()"))),
            Some(f) => {
                let of = ClassPtr::of(&this);
                init_on_object(nf, f, this.into_ptr(), of.as_ptr());
                Ok(())
            }
            None => {
                // The parent's plain property: read or written by a builtin that stands in for the hook.
                let f = crate::ops::props::plain_hook(setter);
                let of = ClassPtr::of(&this);
                init_on_object(nf, f, this.into_ptr(), of.as_ptr());
                (*nf).extra_mut().magic_name = Some(PStr::new(property));
                // The property is the parent's.
                (*nf).class = class.as_ptr();
                Ok(())
            }
        }
    }
}

// ---- callables as callees

/// `InitDyn`: takes over the callee's count.
///
/// # Safety
/// As the handlers; `pc` was saved.
#[inline(never)]
pub unsafe fn init_dynamic(vm: *mut Vm, fp: *mut Frame, nf: *mut Frame, callee: Raw) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        init_dynamic_callee(vm, fp, nf, callee)?;
        // The callee's value may be gone with an object that it held: that is destructed before the call.
        if jumbo_value::Heap::current_has_dying()
            && let Err(stop) = crate::objects::run_destructors(Vm::cx(vm))
        {
            crate::ops::calls::drop_frame_parts(nf);
            return Err(stop);
        }
        Ok(())
    }
}

/// Handles of functions that values have named lately, at the places that the names' hashes say.
#[derive(Default)]
pub struct RecentNames([Option<(u64, u32)>; 32]);

/// The function of a name in any case, with or without a leading backslash.
///
/// # Safety
/// The machine is live.
unsafe fn function_by_name(vm: *mut Vm, name: &PStr) -> Option<FnPtr> {
    // SAFETY: as promised.
    unsafe {
        let hash = name.hash();
        let recent = &mut (*vm).recent_names.0[hash as usize % 32];
        let functions = &(*(*vm).cx).functions;
        if let Some((known, handle)) = *recent
            && known == hash
            && let Some(&f) = functions.get(handle)
            && f.name == *name
        {
            return Some(f);
        }
        let bare = name.as_bytes().strip_prefix(b"\\").unwrap_or(name.as_bytes());
        let handle = FUNCTIONS.find(&bare.to_ascii_lowercase())?;
        let f = *functions.get(handle)?;
        *recent = Some((hash, handle));
        Some(f)
    }
}

unsafe fn init_dynamic_callee(vm: *mut Vm, fp: *mut Frame, nf: *mut Frame, callee: Raw) -> Res<()> {
    // SAFETY: as `init_dynamic`.
    unsafe {
        let cx = Vm::cx(vm);
        let callee = Value::from_raw(callee).into_deref();
        match callee.view() {
            View::Str(s) => {
                let name = s.as_bytes();
                if let Some(at) = double_colon(name) {
                    let (class, method) = (name[..at].to_vec(), PStr::new(&name[at + 2..]));
                    let class = class_by_name(cx, &class)?;
                    let lower = method.as_bytes().to_ascii_lowercase();
                    refuse_call(cx, fp, class, &method, &lower)?;
                    return prepare_static(cx, nf, class, class, &method, &lower, (*fp).scope(), None);
                }
                let plain = name.strip_prefix(b"\\").unwrap_or(name);
                match function_by_name(vm, s) {
                    Some(f) => {
                        init(nf, f);
                        mark_dynamic(nf);
                        Ok(())
                    }
                    None => Err(cx.throw_error(text!("Call to undefined function ", plain, "()"))),
                }
            }
            View::Object(o) => {
                if closure::state(o).is_some() {
                    closure::init_closure(nf, o);
                    mark_dynamic(nf);
                    return Ok(());
                }
                let class = ClassPtr::of(o);
                match class.magic.invoke {
                    Some(f) => {
                        init_on_object(nf, f, o.clone().into_ptr(), class.as_ptr());
                        Ok(())
                    }
                    None => Err(cx.throw_error(text!("Object of type ", class.name.as_bytes(), " is not callable"))),
                }
            }
            View::Array(a) => {
                if a.len() != 2 {
                    return Err(cx.throw_error(b"Array callback must have exactly two elements"));
                }
                let (Some(first), Some(second)) = (a.get_int(0), a.get_int(1)) else {
                    return Err(cx.throw_error(b"Array callback has to contain indices 0 and 1"));
                };
                let (first, second) = (first.copy_deref(), second.copy_deref());
                if first.as_str().is_none() && first.as_object().is_none() {
                    return Err(cx.throw_error(b"First array member is not a valid class name or object"));
                }
                let Some(name) = second.as_str() else {
                    return Err(cx.throw_error(b"Second array member is not a valid method"));
                };
                let scope = (*fp).scope();
                if let Some(object) = first.as_object()
                    && let Some(index) = crate::sites::find_named((*vm).pc, object.class_id(), name)
                {
                    let class = ClassPtr::of(object);
                    init_on_object(nf, crate::ops::calls::method_at(class.as_ptr(), index), object.clone().into_ptr(), class.as_ptr());
                    return Ok(());
                }
                if let Some(class_name) = first.as_str() {
                    let lower = name.as_bytes().to_ascii_lowercase();
                    let class = class_by_name(cx, class_name.as_bytes())?;
                    let (class, lower) = qualified_method(cx, class, &lower)?;
                    refuse_call(cx, fp, class, name, &lower)?;
                    return prepare_static(cx, nf, class, class, name, &lower, scope, None);
                }
                let Some(object) = first.as_object() else { return Err(cx.throw_error(b"Value not callable")) };
                let class = ClassPtr::of(object);
                let lower = name.as_bytes().to_ascii_lowercase();
                if lower == b"__invoke" && closure::state(object).is_some() {
                    closure::init_closure(nf, object);
                    (*nf).flags |= flags::INVOKED;
                    return Ok(());
                }
                let (class, lower) = qualified_method(cx, class, &lower)?;
                match find_method(class, &lower, scope) {
                    Method::Found(f) if f.is(func_flags::ABSTRACT) => {
                        Err(cx.throw_error(text!("Cannot call abstract method ", f.display_name(), "()")))
                    }
                    Method::Found(f) => {
                        let own = ClassPtr::of(object);
                        if let Some((index, _, &there)) = own.methods.get_full(lower.as_slice())
                            && there == f
                            && class == own
                            && cacheable(fp, own, &lower, f)
                        {
                            crate::sites::keep_named((*vm).pc, own.id(), &f.name, index);
                        }
                        init_on_object(nf, f, object.clone().into_ptr(), own.as_ptr());
                        Ok(())
                    }
                    Method::Magic(call) => {
                        init_on_object(nf, call, object.clone().into_ptr(), ClassPtr::of(object).as_ptr());
                        set_magic(nf, name);
                        Ok(())
                    }
                    Method::Hidden(f) => Err(hidden_method(cx, class, f, name.as_bytes(), scope)),
                    Method::Missing => Err(undefined_method(cx, class, name.as_bytes())),
                }
            }
            _ => Err(cx.throw_error(text!("Value of type ", member_type_plain(&callee), " is not callable"))),
        }
    }
}

/// `InitUser`: takes over the callee's count.
///
/// # Safety
/// As the handlers; `pc` was saved.
#[inline(never)]
pub unsafe fn init_user(vm: *mut Vm, nf: *mut Frame, callee: Raw, array: bool) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let callee = Value::from_raw(callee).into_deref();
        let why = match resolve_callable(cx, &callee, CallableCheck::Full) {
            Ok(Ok(callable)) => {
                init_callable(nf, callable);
                return Ok(());
            }
            Ok(Err(why)) => why,
            // What threw is the error's previous exception: an autoloader, or a handler, for which PHP has no reason.
            Err(Stop::Thrown) => missing_class(cx, &callee).unwrap_or_else(|| b"(null)".to_vec()),
            Err(stop) => return Err(stop),
        };
        let name = if array { "call_user_func_array" } else { "call_user_func" };
        Err(cx.type_error(text!(name, "(): Argument #1 ($callback) must be a valid callback, ", &why)))
    }
}

/// Why a callable is none whose class an autoloader did not bring; none if it does not name such a class.
fn missing_class(cx: &mut Cx, callee: &Value) -> Option<Vec<u8>> {
    let class = match callee.view() {
        View::Str(name) => last_double_colon(name.as_bytes()).map(|at| PStr::new(&name.as_bytes()[..at]))?,
        View::Array(pair) => pair.get_int(0)?.deref().as_str()?.clone(),
        _ => return None,
    };
    let is_known = matches!(cx.engine().find_class(cx, class.as_bytes(), false), Ok(Some(_)));
    (!is_known && !is_relative(class.as_bytes())).then(|| text!("class \"", class.as_bytes(), "\" not found"))
}

/// `self`, `parent` or `static`.
fn is_relative(class: &[u8]) -> bool {
    [b"self".as_slice(), b"parent", b"static"].iter().any(|word| class.eq_ignore_ascii_case(word))
}

/// Builtins want to know that a value named them; frames of PHP code return quicker without flags.
unsafe fn mark_dynamic(nf: *mut Frame) {
    // SAFETY: the frame's header was written just before.
    unsafe {
        if (*(*nf).func).flags & func_flags::BUILTIN != 0 {
            (*nf).flags |= flags::DYNAMIC;
        }
    }
}

/// Fills a frame with a resolved callable.
unsafe fn init_callable(nf: *mut Frame, callable: Callable) {
    // SAFETY: `nf` is a frame in the caller's temporaries.
    unsafe {
        init(nf, callable.function);
        (*nf).class = callable.class.or(callable.function.scope).map_or(std::ptr::null(), |c| c.as_ptr());
        mark_dynamic(nf);
        (*nf).set_closure_of(&callable);
        (*nf).this = callable.this.map_or(std::ptr::null_mut(), PObject::into_ptr);
        if let Some(name) = callable.magic_name {
            set_magic(nf, &name);
        }
    }
}

fn member_type_plain(value: &Value) -> Vec<u8> {
    if value.deref().is_bool() { b"bool".to_vec() } else { type_name(value) }
}

/// Where `::` stands first in a name.
fn double_colon(name: &[u8]) -> Option<usize> {
    if name.contains(&b':') { name.windows(2).position(|pair| pair == b"::") } else { None }
}

/// Where `::` stands last in a name: what is before it names a class.
fn last_double_colon(name: &[u8]) -> Option<usize> {
    if name.contains(&b':') { name.windows(2).rposition(|pair| pair == b"::") } else { None }
}

/// A name as tables of names have it: most are written so.
fn lowercase(name: &[u8]) -> Cow<'_, [u8]> {
    if name.iter().any(u8::is_ascii_uppercase) { Cow::Owned(name.to_ascii_lowercase()) } else { Cow::Borrowed(name) }
}

/// `[$object, 'parent::method']`: the class in which to look, and the bare name.
fn qualified_method(cx: &mut Cx, class: ClassPtr, lower: &[u8]) -> Res<(ClassPtr, Vec<u8>)> {
    let Some(at) = double_colon(lower) else { return Ok((class, lower.to_vec())) };
    let (of, name) = (&lower[..at], lower[at + 2..].to_vec());
    let of = match of {
        b"parent" => class.parent,
        b"self" | b"static" => Some(class),
        other => find_class(cx, other, true)?,
    };
    match of {
        Some(of) if class.is_a(of) => Ok((of, name)),
        Some(of) => Err(cx.throw_error(text!("Class ", class.name.as_bytes(), " is not a subclass of ", of.name.as_bytes()))),
        None => Err(cx.throw_error(text!("Class \"", &lower[..at], "\" not found"))),
    }
}

/// Resolves a callable value; `Ok(Err(reason))`: why it is none.
pub fn resolve_callable(cx: &mut Cx, value: &Value, check: CallableCheck) -> Res<Result<Callable, Vec<u8>>> {
    let value = value.copy_deref();
    let scope = cx.caller_scope();
    let plain = |function: FnPtr| Callable { function, this: None, class: None, closure: None, magic_name: None, value: value.clone() };
    match value.view() {
        View::Str(s) => {
            let name = s.as_bytes();
            if check == CallableCheck::SyntaxOnly {
                return Ok(Ok(plain(nothing())));
            }
            if let Some(at) = last_double_colon(name) {
                if at == 0 {
                    return Ok(Err(b"invalid function name".to_vec()));
                }
                let (class, method) = (name[..at].to_vec(), PStr::new(&name[at + 2..]));
                return resolve_static(cx, &value, &class, &method, scope);
            }
            // SAFETY: the machine is live.
            match unsafe { function_by_name(Vm::of(cx), s) } {
                Some(f) => Ok(Ok(plain(f))),
                None => Ok(Err(text!("function \"", name, "\" not found or invalid function name"))),
            }
        }
        View::Array(a) => {
            if a.len() != 2 {
                return Ok(Err("array callback must have exactly two members".into()));
            }
            let (Some(first), Some(second)) = (a.get_int(0), a.get_int(1)) else {
                return Ok(Err("array callback has to contain indices 0 and 1".into()));
            };
            let (first, second) = (first.copy_deref(), second.copy_deref());
            if first.as_str().is_none() && first.as_object().is_none() {
                return Ok(Err("first array member is not a valid class name or object".into()));
            }
            let Some(method) = second.as_str() else {
                return Ok(Err("second array member is not a valid method".into()));
            };
            if check == CallableCheck::SyntaxOnly {
                return Ok(Ok(plain(nothing())));
            }
            if let Some(class) = first.as_str() {
                return resolve_static(cx, &value, class.as_bytes(), method, scope);
            }
            let Some(object) = first.as_object() else { return Ok(Err("no array or string given".into())) };
            resolve_on_object(cx, &value, object, method, scope)
        }
        View::Object(o) => {
            if let Some(callable) = closure::callable(o) {
                return Ok(Ok(callable));
            }
            let class = ClassPtr::of(o);
            match class.magic.invoke {
                Some(f) => Ok(Ok(Callable { this: Some(o.clone()), class: Some(class), ..plain(f) })),
                None => Ok(Err("no array or string given".into())),
            }
        }
        _ => Ok(Err("no array or string given".into())),
    }
}

fn resolve_static(
    cx: &mut Cx,
    value: &Value,
    class_name: &[u8],
    method: &PStr,
    scope: Option<ClassPtr>,
) -> Res<Result<Callable, Vec<u8>>> {
    let this = cx.engine().caller_this(cx);
    let mut called = None;
    let class = match class_name.to_ascii_lowercase().as_slice() {
        special @ (b"self" | b"parent" | b"static") => {
            let Some(scope) = scope else {
                return Ok(Err(text!("cannot access \"", special, "\" when no class scope is active")));
            };
            if special != b"parent" || scope.parent.is_some() {
                let text = text!("Use of \"", special, "\" in callables is deprecated");
                cx.raise(Level::Deprecated, &text)?;
            }
            called = cx.engine().caller_static_class(cx);
            match special {
                b"self" => scope,
                b"parent" => match scope.parent {
                    Some(p) => p,
                    None => return Ok(Err("cannot access \"parent\" when current class scope has no parent".into())),
                },
                _ => called.unwrap_or(scope),
            }
        }
        _ => match find_class(cx, class_name, true)? {
            Some(c) => c,
            None => return Ok(Err(text!("class \"", class_name, "\" not found"))),
        },
    };
    let lower = lowercase(method.as_bytes());
    let (class, lower) = match double_colon(&lower) {
        None => (class, lower),
        Some(_) => {
            let text = text!("Callables of the form [\"", class_name, "\", \"", method.as_bytes(), "\"] are deprecated");
            cx.raise(Level::Deprecated, &text)?;
            let (class, method) = qualified_method(cx, class, &lower)?;
            (class, Cow::Owned(method))
        }
    };
    let this = this.filter(|t| ClassPtr::of(t).is_a(class) && scope.is_some_and(|s| ClassPtr::of(t).is_a(s)));
    let callable = |function: FnPtr, this: Option<PObject>, magic_name: Option<PStr>| Callable {
        function,
        class: Some(this.as_ref().map(ClassPtr::of).or(called).unwrap_or(class)),
        this,
        closure: None,
        magic_name,
        value: value.clone(),
    };
    match class.method(&lower) {
        Some(f) if callable_from(f, scope) => {
            if f.is(func_flags::ABSTRACT) {
                return Ok(Err(text!("cannot call abstract method ", &f.display_name(), "()")));
            }
            if f.is(func_flags::STATIC) {
                return Ok(Ok(callable(f, None, None)));
            }
            match this {
                Some(this) => Ok(Ok(callable(f, Some(this), None))),
                None => Ok(Err(text!("non-static method ", &f.display_name(), "() cannot be called statically"))),
            }
        }
        found => {
            if let (Some(this), Some(call)) = (this, class.magic.call) {
                return Ok(Ok(callable(call, Some(this), Some(method.clone()))));
            }
            if let Some(call) = class.magic.call_static {
                return Ok(Ok(callable(call, None, Some(method.clone()))));
            }
            Ok(Err(match found {
                Some(f) => no_access_to(f, class, method),
                None => no_method(class, method),
            }))
        }
    }
}

fn resolve_on_object(
    cx: &mut Cx,
    value: &Value,
    object: &PObject,
    method: &PStr,
    scope: Option<ClassPtr>,
) -> Res<Result<Callable, Vec<u8>>> {
    let of = ClassPtr::of(object);
    let lower = lowercase(method.as_bytes());
    // Objects that refuse every call are merely not callable.
    if !of.hooks.opaque
        && let Some(other) = delegate(cx, object, &lower, scope)?
    {
        return resolve_on_object(cx, value, &other, method, scope);
    }
    if *lower == *b"__invoke"
        && let Some(callable) = closure::callable(object)
    {
        return Ok(Ok(Callable { value: value.clone(), ..callable }));
    }
    let (class, lower) = if double_colon(&lower).is_some() {
        let text = text!("Callables of the form [\"", of.name.as_bytes(), "\", \"", method.as_bytes(), "\"] are deprecated");
        cx.raise(Level::Deprecated, &text)?;
        let (class, method) = qualified_method(cx, of, &lower)?;
        (class, Cow::Owned(method))
    } else {
        (of, lower)
    };
    let callable = |function: FnPtr, magic_name: Option<PStr>| Callable {
        function,
        this: (!function.is(func_flags::STATIC)).then(|| object.clone()),
        class: Some(of),
        closure: None,
        magic_name,
        value: value.clone(),
    };
    Ok(match find_method(class, &lower, scope) {
        Method::Found(f) if f.is(func_flags::ABSTRACT) => Err(text!("cannot call abstract method ", &f.display_name(), "()")),
        Method::Found(f) => Ok(callable(f, None)),
        Method::Magic(call) => Ok(callable(call, Some(method.clone()))),
        Method::Hidden(f) => Err(no_access_to(f, class, method)),
        Method::Missing => Err(no_method(class, method)),
    })
}

/// A name without its qualification, as the reasons show names of classes and methods.
fn last_part(name: &[u8]) -> &[u8] {
    let name = up_to_nul(name);
    name.rsplit(|c| *c == b':').next().unwrap_or(name)
}

fn no_access_to(f: FnPtr, class: ClassPtr, method: &PStr) -> Vec<u8> {
    text!("cannot access ", visibility_word(f), " method ", last_part(class.name.as_bytes()), "::", last_part(method.as_bytes()), "()")
}

fn no_method(class: ClassPtr, method: &PStr) -> Vec<u8> {
    text!("class ", last_part(class.name.as_bytes()), " does not have a method \"", last_part(method.as_bytes()), "\"")
}

/// `Foo::bar`, `strlen`, `Closure::__invoke`.
pub fn callable_name(cx: &mut Cx, value: &Value) -> PStr {
    let value = value.deref();
    match value.view() {
        View::Str(s) => s.clone(),
        View::Object(o) => PStr::concat(&[ClassPtr::of(o).name.as_bytes(), b"::__invoke"]),
        View::Array(a) => {
            let (Some(first), Some(second)) = (a.get_int(0), a.get_int(1)) else { return PStr::new(b"Array") };
            let (first, second) = (first.copy_deref(), second.copy_deref());
            let Some(method) = second.as_str() else { return PStr::new(b"Array") };
            match first.view() {
                View::Object(o) => PStr::concat(&[ClassPtr::of(o).name.as_bytes(), b"::", method.as_bytes()]),
                View::Str(s) => PStr::concat(&[s.as_bytes(), b"::", method.as_bytes()]),
                _ => PStr::new(b"Array"),
            }
        }
        _ => {
            let value = value.clone();
            cx.to_string(&value).unwrap_or_else(|_| PStr::empty())
        }
    }
}

// ---- objects

static NOTHING: jumbo_abi::FnDesc = jumbo_abi::FnDesc {
    name: "__construct",
    params: &[jumbo_abi::ParamDesc::new("args", None).variadic()],
    required: 0,
    ret: None,
    tentative: false,
    flags: func_flags::PUBLIC | func_flags::VARIADIC,
    effects: 0,
    call: |_, _| Ok(Value::null()),
    attributes: &[],
};

/// A function that takes and drops anything: the constructor of a class that has none, where arguments have effects.
pub fn nothing() -> FnPtr {
    static FUNCTION: std::sync::OnceLock<FnPtr> = std::sync::OnceLock::new();
    *FUNCTION.get_or_init(|| FnPtr::leak(jumbo_runtime::builtin::function_of(&NOTHING, None)))
}

/// Refuses what has no instances.
pub fn check_instantiable(cx: &mut Cx, class: ClassPtr) -> Res<()> {
    let kind = if class.is_interface() {
        "interface"
    } else if class.is(class_flags::TRAIT) {
        "trait"
    } else if class.is_enum() {
        "enum"
    } else if class.is(class_flags::ABSTRACT | class_flags::HAS_ABSTRACT) {
        "abstract class"
    } else {
        return Ok(());
    };
    Err(cx.throw_error(text!("Cannot instantiate ", kind, " ", class.name.as_bytes())))
}

/// A new object, its constructor not called.
pub fn new_object(cx: &mut Cx, class: ClassPtr) -> Res<PObject> {
    if class.is(class_flags::INTERFACE | class_flags::TRAIT | class_flags::ENUM | class_flags::ABSTRACT | class_flags::HAS_ABSTRACT) {
        check_instantiable(cx, class)?;
    }
    if class.known_defaults.is_none() {
        class_constants::prepare_defaults(cx, class)?;
    }
    // SAFETY: linked classes outlive the instance; the slots of a fresh object are UNDEF, and known defaults are immortal.
    let object = unsafe {
        let head = &raw const (*class.as_ptr()).head;
        match &class.known_defaults {
            Some(defaults) => PObject::alloc_with(head, defaults),
            None => {
                let object = PObject::alloc(head);
                let slots = object.slots_raw();
                for (n, value) in cx.class_state(class).defaults.iter().enumerate().take(object.slot_count() as usize) {
                    *slots.add(n) = value.raw().copied();
                }
                object
            }
        }
    };
    if let Some(create) = class.hooks.create {
        create(cx, &object)?;
    }
    Ok(object)
}

/// `new class(...args)` from native code.
pub fn instantiate(cx: &mut Cx, class: ClassPtr, args: &[Value]) -> Res<PObject> {
    if let Some(message) = class.hooks.not_instantiable {
        return Err(cx.throw_error(message));
    }
    let object = new_object(cx, class)?;
    let Some(constructor) = class.magic.constructor else { return Ok(object) };
    let scope = cx.caller_scope();
    if !callable_from(constructor, scope) {
        return Err(hidden_constructor(cx, class, constructor, scope));
    }
    match cx.call_function(constructor, Some(&object), Some(class), args) {
        Ok(_) => Ok(object),
        Err(stop) => {
            // A constructor that failed: the destructor must not run.
            object.mark_destructed();
            Err(stop)
        }
    }
}

#[cold]
fn hidden_constructor(cx: &mut Cx, class: ClassPtr, f: FnPtr, scope: Option<ClassPtr>) -> Stop {
    let class = f.scope.unwrap_or(class);
    cx.throw_error(text!("Call to ", visibility_word(f), " ", class.name.as_bytes(), "::__construct() from ", from_scope(scope)))
}

/// `New`: the object goes into register `a`, its constructor into frame `nf`. False: there is none to call.
///
/// # Safety
/// As the handlers; `pc` was saved.
#[inline(never)]
pub unsafe fn init_new(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, nf: *mut Frame) -> Res<bool> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let reference = ClassRef((*pc.add(1)).0 as u32);
        let c = (*pc).c();
        let class = if reference == ClassRef::DYNAMIC && c != THIS && c & LITERAL == 0 && c != NONE
            && (*Frame::slot(fp, c)).tag == jumbo_value::tag::PTR
        {
            ClassPtr::from_ptr((*Frame::slot(fp, c)).bits as *const jumbo_abi::Class)
        } else {
            match quick_class(vm, fp, reference, c) {
                class if class.is_null() => operand_class(vm, fp, lits, reference, c)?,
                class => ClassPtr::from_ptr(class),
            }
        };
        if let Some(message) = class.hooks.not_instantiable {
            // PHP has made the object, which has a number, before it asks for the constructor.
            let _object = jumbo_value::object::ReservedId::new();
            return Err(cx.throw_error(message));
        }
        let object = new_object(cx, class)?;
        let constructor = match class.magic.constructor {
            Some(f) => {
                let scope = (*fp).scope();
                if !callable_from(f, scope) {
                    object.mark_destructed();
                    return Err(hidden_constructor(cx, class, f, scope));
                }
                f
            }
            None => {
                if (*pc.add(2)).0 as u32 != 0 {
                    *Frame::slot(fp, (*pc).a()) = object.into_raw();
                    return Ok(false);
                }
                nothing()
            }
        };
        init_on_object(nf, constructor, object.clone().into_ptr(), class.as_ptr());
        (*nf).flags |= flags::CONSTRUCTOR;
        *Frame::slot(fp, (*pc).a()) = object.into_raw();
        Ok(true)
    }
}

