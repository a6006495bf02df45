//! Declared types at run time: parameters, returns, typed properties and references; assignment through typed references.

use crate::frame::{Frame, flags};
use crate::vm::Vm;
use jumbo_abi::{ClassPtr, Cx, FnPtr, Res, Stop, Type, func_flags, mask};
use jumbo_bytecode::types::ClassName;
use jumbo_value::number::{self, Number};
use jumbo_value::{Kind, PObject, PRef, PStr, Raw, Value, View, tag};

/// What a typed property demands; references to it carry a pointer to this (see `PRef::type_source`).
pub struct TypeSource {
    pub ty: Type,
    pub class: ClassPtr,
    pub name: PStr,
    /// A static property: its slot itself holds such a reference (see `ops::props`).
    pub is_static: bool,
    /// Another property that the same reference is bound to.
    pub also: Option<&'static TypeSource>,
    /// The property's declaration: what tells one binding from another.
    pub declared: *const (),
    /// Properties of that declaration in several objects were bound: that one of them goes says nothing about the others.
    pub many: bool,
}

impl TypeSource {
    /// The same demand, without those before it.
    pub fn alone(&self) -> TypeSource {
        TypeSource {
            ty: self.ty.clone(),
            class: self.class,
            name: self.name.clone(),
            is_static: self.is_static,
            also: None,
            declared: self.declared,
            many: self.many,
        }
    }
    /// Those that the reference is bound to, in the order of binding.
    pub fn all(&self) -> Vec<&TypeSource> {
        let mut all: Vec<&TypeSource> = std::iter::successors(Some(self), |s| s.also).collect();
        all.reverse();
        all
    }
    /// The one it was bound to first.
    fn first(&self) -> &TypeSource {
        std::iter::successors(Some(self), |s| s.also).last().unwrap_or(self)
    }
    /// `property Foo::$x of type int`
    pub fn shown(&self) -> Vec<u8> {
        [b"property ".as_slice(), self.class.name.as_bytes(), b"::$", self.name.as_bytes(), b" of type ", &self.ty.display()].concat()
    }
}

/// Does an object fit a class of a type?
fn class_fits(cx: &mut Cx, object: &PObject, name: &ClassName, scope: Option<ClassPtr>) -> bool {
    let class = ClassPtr::of(object);
    if class.handle == name.handle {
        return true;
    }
    let wanted = match name.lower.as_bytes() {
        b"self" => scope,
        b"parent" => scope.and_then(|s| s.parent),
        _ => cx.classes.get(name.handle).copied(),
    };
    wanted.is_some_and(|w| class.is_a(w))
}

/// Does the value fit the type as it is, told without conversions, autoloading and calls? False: look closer.
///
/// # Safety
/// The machine and the value are live.
#[inline]
pub unsafe fn plainly_fits(vm: *mut Vm, ty: &Type, value: Raw) -> bool {
    // SAFETY: as promised.
    unsafe {
        if mask::has(ty.mask, value) {
            return true;
        }
        if value.kind_byte() != Kind::Object as u8 {
            return false;
        }
        let class = ClassPtr::from_ptr((*value.object_ptr()).class.cast());
        ty.classes.iter().any(|c| {
            class.handle == c.handle || (*(*vm).cx).classes.get(c.handle).is_some_and(|&wanted| class.is_a(wanted))
        })
    }
}

/// Does the value fit the type as it is?
pub fn fits(cx: &mut Cx, value: &Value, ty: &Type, scope: Option<ClassPtr>) -> Res<bool> {
    let value = value.deref();
    if mask::has(ty.mask, value.raw()) {
        return Ok(true);
    }
    if let Some(object) = value.as_object() {
        if ty.classes.iter().any(|c| class_fits(cx, object, c, scope)) {
            return Ok(true);
        }
        for group in &ty.intersections {
            if group.iter().all(|c| class_fits(cx, object, c, scope)) {
                return Ok(true);
            }
        }
        if ty.mask & mask::STATIC != 0 {
            let vm = Vm::of(cx);
            // SAFETY: the running frame is live.
            let called = unsafe { (*(*vm).fp).static_class() };
            if called.is_some_and(|c| ClassPtr::of(object).is_a(c)) {
                return Ok(true);
            }
        }
        if ty.mask & mask::ITERABLE != 0 && ClassPtr::of(object).is_a(cx.builtin_class(b"traversable")) {
            return Ok(true);
        }
    }
    if ty.mask & mask::CALLABLE != 0 {
        let value = value.clone();
        return Ok(cx.engine().resolve_callable(cx, &value, jumbo_abi::engine::CallableCheck::Full)?.is_ok());
    }
    Ok(false)
}

/// Makes the value fit, converting scalars by the rules of the mode. False: it does not fit.
pub fn coerce(cx: &mut Cx, value: &mut Value, ty: &Type, scope: Option<ClassPtr>, strict: bool) -> Res<bool> {
    if fits(cx, value, ty, scope)? {
        return Ok(true);
    }
    let m = ty.mask;
    let v = value.copy_deref();
    if strict {
        // Int to float is the only conversion of strict mode.
        if let (View::Int(i), true) = (v.view(), m & mask::FLOAT != 0) {
            *value = Value::from(i as f64);
            return Ok(true);
        }
        return Ok(false);
    }
    if m & mask::SCALAR == 0 {
        return Ok(false);
    }
    let converted = match v.view() {
        View::Bool(b) => scalar_from_bool(m, b),
        View::Int(i) => {
            if m & mask::FLOAT != 0 {
                Some(Value::from(i as f64))
            } else if m & mask::STRING != 0 {
                Some(Value::from(jumbo_value::convert::int_to_string(i)))
            } else if m & mask::BOOL == mask::BOOL {
                Some(Value::from(i != 0))
            } else {
                None
            }
        }
        View::Float(f) => {
            if m & mask::INT != 0 && number::float_is_int(f) {
                Some(Value::from(f as i64))
            } else if m & mask::INT != 0 && number::in_int_range(f) {
                cx.deprecated_fraction(&v, f)?;
                Some(Value::from(number::float_to_int(f)))
            } else if m & mask::STRING != 0 {
                Some(Value::from(cx.to_string(&v)?))
            } else if m & mask::BOOL == mask::BOOL {
                Some(Value::from(f != 0.0))
            } else {
                None
            }
        }
        View::Str(s) => scalar_from_string(cx, m, s, &v)?,
        View::Object(o) if m & mask::STRING != 0 && ClassPtr::of(o).magic.to_string.is_some() => {
            Some(Value::from(cx.to_string(&v)?))
        }
        _ => None,
    };
    match converted {
        Some(new) => {
            *value = new;
            Ok(true)
        }
        None => Ok(false),
    }
}

fn scalar_from_bool(m: u32, b: bool) -> Option<Value> {
    if m & mask::INT != 0 {
        Some(Value::from(b as i64))
    } else if m & mask::FLOAT != 0 {
        Some(Value::from(b as i64 as f64))
    } else if m & mask::STRING != 0 {
        Some(Value::from(if b { PStr::single_byte(b'1') } else { PStr::empty() }))
    } else {
        None
    }
}

fn scalar_from_string(cx: &mut Cx, m: u32, s: &PStr, v: &Value) -> Res<Option<Value>> {
    let number = number::parse_prefix(s.as_bytes()).filter(|n| !n.trailing).map(|n| n.number);
    Ok(match number {
        Some(Number::Int(i)) if m & mask::INT != 0 => Some(Value::from(i)),
        Some(n) if m & mask::FLOAT != 0 => Some(Value::from(n.to_f64())),
        Some(Number::Float(f)) if m & mask::INT != 0 && number::float_is_int(f) => Some(Value::from(f as i64)),
        Some(Number::Float(f)) if m & mask::INT != 0 && number::in_int_range(f) => {
            cx.deprecated_fraction(v, f)?;
            Some(Value::from(number::float_to_int(f)))
        }
        _ if m & mask::BOOL == mask::BOOL => Some(Value::from(jumbo_value::convert::str_to_bool(s.as_bytes()))),
        _ => None,
    })
}

/// Checks the passed arguments of an entered frame against their declared types. Errors are raised in the callee's frame.
///
/// # Safety
/// `nf` is being entered; `vm.fp` is its caller.
pub unsafe fn check_args(vm: *mut Vm, nf: *mut Frame) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let proto = (*(*nf).func).proto_unchecked();
        // Named arguments that a variadic parameter collects are not counted.
        let n = match proto.params.last() {
            Some(last) if last.variadic && (*nf).nargs >= (*(*nf).func).required => proto.params.len(),
            _ => ((*nf).nargs as usize).min(proto.params.len()),
        };
        for (i, param) in proto.params[..n].iter().enumerate() {
            let Some(ty) = &param.ty else { continue };
            if param.variadic {
                check_variadic(vm, nf, i, ty)?;
                continue;
            }
            let value = (*Frame::cv(nf, i)).deref();
            if ty.mask >> value.kind_byte() & 1 != 0 || value.is_undef() {
                continue;
            }
            check_slot(vm, nf, i, ty, Frame::cv(nf, i))?;
        }
        Ok(())
    }
}

/// Runs something that may run PHP code while a frame is being entered: with that frame on top. So it belongs to the callee, as its errors
/// do, and the frames of the code that it runs are not built where the entered one is.
///
/// # Safety
/// `nf` has its CVs initialised; `vm.fp` is its caller, and is again afterwards.
pub unsafe fn in_callee<T>(vm: *mut Vm, nf: *mut Frame, run: impl FnOnce() -> T) -> T {
    // SAFETY: as promised.
    unsafe {
        let (fp, pc) = ((*vm).fp, (*vm).pc);
        if (*nf).prev.is_null() {
            (*nf).prev = fp;
        }
        (*vm).fp = nf;
        (*vm).pc = std::ptr::null();
        let result = run();
        (*vm).fp = fp;
        (*vm).pc = pc;
        result
    }
}

pub unsafe fn caller_is_strict(vm: *mut Vm) -> bool {
    // SAFETY: the caller's frame is live.
    unsafe {
        let fp = (*vm).fp;
        if fp.is_null() {
            return false;
        }
        if !(*fp).is_user() {
            return crate::errors::call_site(Vm::cx(vm), fp).is_some_and(|site| site.strict);
        }
        (*(*fp).func).is(func_flags::STRICT_TYPES)
    }
}

#[inline(never)]
unsafe fn check_slot(vm: *mut Vm, nf: *mut Frame, n: usize, ty: &Type, slot: *mut Raw) -> Res<()> {
    // SAFETY: as `check_args`.
    unsafe {
        let mut value = (*Raw::deref_slot(slot)).copied().into_value();
        let strict = caller_is_strict(vm) && !(*nf).is(flags::INVOKED);
        let fitting = in_callee(vm, nf, || fit_argument(Vm::cx(vm), &mut value, ty, (*nf).scope(), strict, slot));
        let slot = Raw::deref_slot(slot);
        let old = std::mem::replace(&mut *slot, value.into_raw());
        old.release();
        if jumbo_value::Heap::current_has_dying() {
            // An object that the conversion has made something else of.
            in_callee(vm, nf, || crate::objects::run_destructors(Vm::cx(vm)))?;
        }
        if fitting? {
            return Ok(());
        }
        Err(argument_type_error(vm, nf, n, ty, (*slot).as_value()))
    }
}

/// As [`coerce`], for a parameter or a result in `slot`; what a typed property and it are references to is not converted.
unsafe fn fit_argument(cx: &mut Cx, value: &mut Value, ty: &Type, scope: Option<ClassPtr>, strict: bool, slot: *mut Raw) -> Res<bool> {
    // SAFETY: the slot is live.
    if unsafe { typed_reference(slot) }.is_some() {
        return fits(cx, value, ty, scope);
    }
    coerce(cx, value, ty, scope, strict)
}

unsafe fn check_variadic(vm: *mut Vm, nf: *mut Frame, i: usize, ty: &Type) -> Res<()> {
    // SAFETY: the variadic CV holds the array of values.
    unsafe {
        let slot: *mut Value = Frame::cv(nf, i).cast();
        let Some(array) = (*slot).as_array().cloned() else { return Ok(()) };
        let mut checked = array.clone();
        let strict = caller_is_strict(vm) && !(*nf).is(flags::INVOKED);
        for (n, (key, value)) in array.iter().enumerate() {
            let mut v = value.copy_deref();
            if ty.mask >> v.raw().kind_byte() & 1 != 0 {
                continue;
            }
            if !in_callee(vm, nf, || fit_argument(Vm::cx(vm), &mut v, ty, (*nf).scope(), strict, &mut value.raw()))? {
                // The error's trace shows what those before it have become.
                *slot = Value::from(checked);
                return Err(argument_type_error(vm, nf, i + n, ty, &v));
            }
            match value.as_ref() {
                // By reference: the caller's variable is converted.
                Some(reference) => reference.set(v),
                None => {
                    checked.set(key.to_key(), v);
                }
            }
        }
        *slot = Value::from(checked);
        Ok(())
    }
}

/// `f(): Argument #1 ($x) must be of type int, string given, called in FILE on line N`.
#[cold]
unsafe fn argument_type_error(vm: *mut Vm, nf: *mut Frame, n: usize, ty: &Type, value: &Value) -> Stop {
    // SAFETY: as `check_args`.
    unsafe {
        let func = (*nf).function();
        let mut text = func.display_name();
        // PHP prints the name of an anonymous class's method up to the zero byte.
        if let Some(end) = text.iter().position(|b| *b == 0) {
            text.truncate(end);
        }
        text.extend_from_slice(format!("(): Argument #{}", n + 1).as_bytes());
        let name = func.param_name(n);
        if !(func.is(func_flags::VARIADIC) && n as u32 >= func.params) {
            text.extend_from_slice(b" ($");
            text.extend_from_slice(name);
            text.push(b')');
        }
        text.extend_from_slice(b" must be of type ");
        text.extend_from_slice(&shown(ty, func.scope, None));
        text.extend_from_slice(b", ");
        text.extend_from_slice(&shown_type(value));
        text.extend_from_slice(b" given");
        if let Some((file, line)) = caller_place(vm, nf) {
            text.extend_from_slice(b", called in ");
            text.extend_from_slice(file.as_bytes());
            text.extend_from_slice(format!(" on line {line}").as_bytes());
        }
        throw_in_callee(vm, nf, "TypeError", &text)
    }
}

/// Where the frame that is being entered was called, as errors have it: `$closure->__invoke()` is a function of PHP's own that calls it.
///
/// # Safety
/// `nf` is being entered; `vm.fp` is its caller.
pub unsafe fn caller_place(vm: *mut Vm, nf: *mut Frame) -> Option<(PStr, u32)> {
    // SAFETY: as promised.
    unsafe { if (*nf).is(flags::INVOKED) { None } else { crate::errors::call_place(Vm::cx(vm), (*vm).fp) } }
}

/// A function's type with `self` and `parent` as the classes they mean; `called`: the class that `static` means.
fn shown(ty: &Type, scope: Option<ClassPtr>, called: Option<ClassPtr>) -> Vec<u8> {
    let Some(scope) = scope else { return ty.display() };
    let mut ty = jumbo_runtime::variance::resolved(ty, scope);
    if let Some(called) = called.filter(|_| ty.mask & mask::STATIC != 0) {
        ty.mask &= !mask::STATIC;
        ty.classes.push(ClassName { name: called.name.clone(), lower: called.lower.clone(), handle: called.handle });
    }
    ty.display()
}

/// Type of a value for type errors of user functions.
pub fn shown_type(value: &Value) -> Vec<u8> {
    jumbo_abi::args::type_name(value)
}

/// Throws with the entered frame on top, so that file, line and trace are the callee's.
///
/// # Safety
/// `nf` has its CVs initialised; `vm.fp` is the caller, and is again afterwards.
pub unsafe fn throw_in_callee(vm: *mut Vm, nf: *mut Frame, class: &str, text: &[u8]) -> Stop {
    // SAFETY: as promised.
    unsafe {
        let (fp, pc) = ((*vm).fp, (*vm).pc);
        if (*nf).prev.is_null() {
            (*nf).prev = fp;
        }
        (*vm).fp = nf;
        // No instruction: the line is the function's own.
        (*vm).pc = std::ptr::null();
        let stop = Vm::cx(vm).throw(class, text);
        (*vm).fp = fp;
        (*vm).pc = pc;
        stop
    }
}

/// VerifyParam: a default value against its type.
///
/// # Safety
/// `fp` runs PHP code.
pub unsafe fn check_param(vm: *mut Vm, fp: *mut Frame, n: usize, slot: *mut Raw) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let proto = (*(*fp).func).proto_unchecked();
        let Some(ty) = proto.params.get(n).and_then(|p| p.ty.as_ref()) else { return Ok(()) };
        let slot = Raw::deref_slot(slot);
        let mut value = (*slot).copied().into_value();
        if !coerce(Vm::cx(vm), &mut value, ty, (*fp).scope(), true)? {
            let caller = (*fp).prev;
            (*vm).fp = caller;
            let stop = argument_type_error(vm, fp, n, ty, &value);
            (*vm).fp = fp;
            return Err(stop);
        }
        let old = std::mem::replace(&mut *slot, value.into_raw());
        old.release();
        Ok(())
    }
}

/// VerifyReturn.
///
/// # Safety
/// `fp` runs PHP code.
pub unsafe fn check_return(vm: *mut Vm, fp: *mut Frame, slot: *mut Raw) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let proto = (*(*fp).func).proto_unchecked();
        let Some(ty) = &proto.return_type else { return Ok(()) };
        let target = Raw::deref_slot(slot);
        let mut value = std::mem::replace(&mut *target, Raw::NULL).into_value();
        let strict = proto.flags & func_flags::STRICT_TYPES != 0;
        let fitting = fit_argument(Vm::cx(vm), &mut value, ty, (*fp).scope(), strict, slot);
        *target = value.into_raw();
        if fitting? {
            return Ok(());
        }
        let given = if ty.mask & mask::VOID != 0 || (*target).is_undef() { b"none".to_vec() } else { shown_type((*target).as_value()) };
        let mut text = (*fp).function().display_name();
        text.extend_from_slice(b"(): Return value must be of type ");
        text.extend_from_slice(&shown(ty, (*fp).scope(), crate::lookup::called_class(fp)));
        text.extend_from_slice(b", ");
        text.extend_from_slice(&given);
        text.extend_from_slice(b" returned");
        Err(Vm::cx(vm).type_error(text))
    }
}

/// ArgumentCountError of a builtin.
pub fn builtin_count_error(cx: &mut Cx, func: FnPtr, given: u32) -> Stop {
    let variadic = func.is(func_flags::VARIADIC);
    let (word, n) = if given < func.required {
        (if variadic || func.params > func.required { "at least" } else { "exactly" }, func.required)
    } else {
        (if func.params > func.required && !func.is(func_flags::ALL_OR_NONE) { "at most" } else { "exactly" }, func.params)
    };
    let plural = if n == 1 { "" } else { "s" };
    let mut text = func.display_name();
    text.extend_from_slice(format!("() expects {word} {n} argument{plural}, {given} given").as_bytes());
    cx.throw("ArgumentCountError", text)
}

/// The demands on the reference that a slot holds, if it is a typed one.
///
/// # Safety
/// The slot is live.
#[inline(always)]
pub unsafe fn typed_reference<'a>(slot: *mut Raw) -> Option<&'a TypeSource> {
    // SAFETY: type sources live as long as their class.
    unsafe {
        if (*slot).tag != tag::REF {
            return None;
        }
        let reference = (*slot).ref_ptr();
        // A reference that only this slot holds is bound to no property any more, unless the slot is a static property's own.
        (*reference).type_source.cast::<TypeSource>().as_ref().filter(|s| s.is_static || !(*reference).header.is_unique())
    }
}

/// Assigns to a slot, through its reference; typed references convert or refuse. Takes over the value's count. Destructors of the old
/// value run at once.
///
/// # Safety
/// The slot is live.
#[inline]
pub unsafe fn assign(vm: *mut Vm, slot: *mut Raw, value: Raw) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        if let Some(source) = typed_reference(slot) {
            return assign_typed(vm, slot, source, value);
        }
        let target = Raw::deref_slot(slot);
        let old = *target;
        *target = value;
        if old.is_counted() {
            return crate::ops::moves::release_checked(vm, old);
        }
        Ok(())
    }
}

/// As [`assign`]; returns a copy of what the slot holds now, taken before destructors of the old value run: the value of the expression.
///
/// # Safety
/// As [`assign`].
pub unsafe fn assign_result(vm: *mut Vm, slot: *mut Raw, value: Raw) -> Res<Raw> {
    // SAFETY: as promised.
    unsafe {
        let (stored, old) = match typed_reference(slot) {
            Some(source) => {
                let (reference, taken) = fit_typed(vm, slot, source, value, caller_is_strict(vm))?;
                (taken.clone(), reference.replace(taken).into_raw())
            }
            None => {
                let target = Raw::deref_slot(slot);
                let old = std::mem::replace(&mut *target, value);
                ((*target).copied().into_value(), old)
            }
        };
        crate::ops::moves::release_checked(vm, old)?;
        Ok(stored.into_raw())
    }
}

/// As [`assign`], with the types of strict mode: a caught exception is not converted.
///
/// # Safety
/// As [`assign`].
pub unsafe fn assign_strict(vm: *mut Vm, slot: *mut Raw, value: Raw) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        if let Some(source) = typed_reference(slot) {
            let (reference, taken) = fit_typed(vm, slot, source, value, true)?;
            return crate::ops::moves::release_checked(vm, reference.replace(taken).into_raw());
        }
        assign(vm, slot, value)
    }
}

#[cold]
#[inline(never)]
unsafe fn assign_typed(vm: *mut Vm, slot: *mut Raw, source: &TypeSource, value: Raw) -> Res<()> {
    // SAFETY: as `assign`.
    unsafe {
        let (reference, taken) = fit_typed(vm, slot, source, value, caller_is_strict(vm))?;
        crate::ops::moves::release_checked(vm, reference.replace(taken).into_raw())
    }
}

/// The reference in the slot, held, and the value as all properties that it is bound to take it.
unsafe fn fit_typed(vm: *mut Vm, slot: *mut Raw, source: &TypeSource, value: Raw, strict: bool) -> Res<(PRef, Value)> {
    // SAFETY: as `assign`; the reference is held while conversions run.
    unsafe {
        let mut value = value.into_value();
        let reference = (*slot).as_reference().clone();
        let cx = Vm::cx(vm);
        // Every property must take the value, and make the same of it.
        let mut first: Option<(&TypeSource, Value)> = None;
        for source in source.all() {
            let mut taken = value.clone();
            if !coerce(cx, &mut taken, &source.ty, Some(source.class), strict)? {
                let text = [b"Cannot assign ".as_slice(), &shown_type(&value), b" to reference held by ", &source.shown()].concat();
                return Err(cx.type_error(text));
            }
            match &first {
                None => first = Some((source, taken)),
                Some((other, before)) if !cx.identical(before, &taken)? => {
                    let text = [
                        b"Cannot assign ".as_slice(),
                        &shown_type(&value),
                        b" to reference held by ",
                        &other.shown(),
                        b" and ",
                        &source.shown(),
                        b", as this would result in an inconsistent type conversion",
                    ]
                    .concat();
                    return Err(cx.type_error(text));
                }
                Some(_) => {}
            }
        }
        if let Some((_, taken)) = first {
            value = taken;
        }
        Ok((reference, value))
    }
}

/// A builtin has written to a reference: properties that it is bound to must take that. `before`: what it held.
///
/// # Safety
/// The machine is live.
#[cold]
#[inline(never)]
pub unsafe fn written_by_builtin(vm: *mut Vm, reference: &PRef, before: Value) -> Res<()> {
    // SAFETY: type sources live as long as their class; the slot is a copy of the reference, which is held.
    unsafe {
        let Some(source) = reference.type_source().cast::<TypeSource>().as_ref().filter(|s| s.is_static || reference.ref_count() > 2) else {
            return Ok(());
        };
        let written = reference.get();
        let cx = Vm::cx(vm);
        for source in source.all() {
            if !fits(cx, &written, &source.ty, Some(source.class))? {
                drop(reference.replace(before));
                let mut slot = Value::from(reference.clone());
                return assign_typed(vm, slot.as_raw_mut(), source, written.into_raw());
            }
        }
        Ok(())
    }
}

/// A reference is about to be bound to a typed property: its value must fit, converted where the reference is free to take that.
/// `direct`: it was made of a property itself, not of a variable.
pub fn fit_reference(cx: &mut Cx, reference: &PRef, wanted: &TypeSource, direct: bool) -> Res<()> {
    let value = reference.get();
    if fits(cx, &value, &wanted.ty, Some(wanted.class))? {
        return Ok(());
    }
    let mut taken = value.clone();
    let strict = cx.engine().caller_strict(cx);
    if !coerce(cx, &mut taken, &wanted.ty, Some(wanted.class), strict)? {
        let text = [b"Cannot assign ".as_slice(), &shown_type(&value), b" to ", &wanted.shown()].concat();
        return Err(cx.type_error(text));
    }
    // Counted are the variable and whoever asks here; a third one is the property that it is bound to.
    // SAFETY: type sources live as long as their class.
    let holder = unsafe { reference.type_source().cast::<TypeSource>().as_ref() };
    if let Some(holder) = holder.filter(|h| direct || h.is_static || reference.ref_count() > 2) {
        let text = [
            b"Reference with value of type ".as_slice(),
            &shown_type(&value),
            b" held by ",
            &holder.first().shown(),
            b" is not compatible with ",
            &wanted.shown(),
        ]
        .concat();
        return Err(cx.type_error(text));
    }
    reference.set(taken);
    Ok(())
}

/// As [`assign`] for the result of `++`/`--`: overflow of a typed int is an error of its own.
///
/// # Safety
/// As [`assign`].
pub unsafe fn assign_incremented(vm: *mut Vm, slot: *mut Raw, value: Raw, down: bool) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        if value.is_float() && (*slot).deref().is_int() {
            check_step(Vm::cx(vm), slot, down)?;
        }
        assign(vm, slot, value)
    }
}

/// `++`/`--` would take the int in a slot past the end of its range: an error when the slot is a reference that is bound to an int property.
///
/// # Safety
/// The slot is live.
pub unsafe fn check_step(cx: &mut Cx, slot: *mut Raw, down: bool) -> Res<()> {
    // SAFETY: as promised.
    let Some(sources) = (unsafe { typed_reference(slot) }) else { return Ok(()) };
    let Some(source) = sources.all().into_iter().find(|s| s.ty.mask & (mask::INT | mask::FLOAT) == mask::INT) else { return Ok(()) };
    let word = if down { "decrement" } else { "increment" };
    let limit = if down { "minimal" } else { "maximal" };
    let mut text = format!("Cannot {word} a reference held by ").into_bytes();
    text.extend_from_slice(&source.shown());
    text.extend_from_slice(format!(" past its {limit} value").as_bytes());
    Err(cx.type_error(text))
}

/// A typed property, or a typed reference (`what`), is about to become an array by itself.
pub fn check_auto_array(cx: &mut Cx, source: &TypeSource, what: &[u8]) -> Res<()> {
    if source.ty.mask & mask::ARRAY != 0 {
        return Ok(());
    }
    let text = [b"Cannot auto-initialize an array inside ".as_slice(), what, &source.shown()].concat();
    Err(cx.type_error(text))
}
