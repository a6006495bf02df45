//! Constants, classes, closures: declarations and what names them.

use super::calls::save;
use super::operand;
use crate::frame::Frame;
use crate::lookup::text;
use crate::vm::Vm;
use crate::{class_constants, cold, lookup, next, op, tri};
use jumbo_abi::class::ConstSource;
use jumbo_abi::{ClassPtr, FnPtr, Level, Res, class_flags, func_flags, member_flags};
use jumbo_bytecode::names::{CLASSES, CONSTANTS};
use jumbo_bytecode::unit::{ClassRef, Hoisted, Unit};
use jumbo_bytecode::{Insn, LITERAL, THIS};
use jumbo_value::{PObject, PStr, Raw, Value, tag};
use std::sync::Arc;

op! {
    Const(pc, fp, vm, lits) {
        let handle = (*pc.add(1)).0 as u32;
        if let Some(v) = (*(*vm).cx).constants.get(handle) {
            let value = v.raw();
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 2)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let value = tri!(constant_slow(vm, lits, pc), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 2)
        })
    }

    ClassConst(pc, fp, vm, lits) {
        let class = lookup::quick_class(vm, fp, ClassRef((*pc.add(1)).0 as u32), (*pc).b());
        let mut cache = (*pc.add(2)).0;
        if !class.is_null() && (cache >> 32) as u32 != (*class).head.id {
            cache = crate::sites::find(pc.add(2), (*class).head.id);
        }
        if !class.is_null() && cache != 0 {
            let (_, c) = (&(*class).constants).get_index(cache as u32 as usize).unwrap_unchecked();
            if let ConstSource::Known(value) = &c.value
                && c.flags & member_flags::ENUM_CASE == 0
            {
                *Frame::slot(fp, (*pc).a()) = *value;
                next!(pc, fp, vm, lits, 3)
            }
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let value = tri!(class_constant(vm, fp, lits, pc), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 3)
        })
    }

    FetchClass(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let class = tri!(fetch_class(vm, fp, lits, (*pc).b()), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = class;
        next!(pc, fp, vm, lits, 1)
    }

    ClassName(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let value = tri!(class_name(vm, fp, lits, pc), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 2)
    }

    DeclareConst(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(declare_constant(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    DeclareFunction(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(declare_function_op(vm, fp, (*pc).bc()), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    DeclareClass(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(declare_class(vm, fp, (*pc).bc()), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    DeclareAnonClass(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let class = tri!(declare_anonymous(vm, fp, (*pc).bc()), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = Raw::ptr(class.as_ptr());
        next!(pc, fp, vm, lits, 1)
    }

    InstanceOf(pc, fp, vm, lits) {
        let b = (*pc).b();
        let class = ClassRef((*pc.add(1)).0 as u32);
        let object = operand::object(fp, lits, b);
        if class.0 < ClassRef::FIRST_SPECIAL && !operand::is_temp_or_this(fp, b) && !object.is_null() {
            let of = ClassPtr::from_ptr((*object).class.cast());
            let is = match (*(*vm).cx).classes.get(class.0) {
                Some(&wanted) => of.is_a(wanted),
                None => false,
            };
            *Frame::slot(fp, (*pc).a()) = Raw::bool(is);
            next!(pc, fp, vm, lits, 3)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let is = tri!(instance_of(vm, fp, lits, pc), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = Raw::bool(is);
            next!(pc, fp, vm, lits, 3)
        })
    }

    Closure(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let closure = tri!(crate::closure::create(vm, fp, (*pc).bc()), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = closure;
        next!(pc, fp, vm, lits, 1)
    }

    BindUse(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(bind_use(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    BindUseImplicit(pc, fp, vm, lits) {
        bind_use_implicit(fp, pc);
        next!(pc, fp, vm, lits, 1)
    }

    Clone(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let copy = tri!(clone(vm, fp, lits, (*pc).b()), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = copy;
        next!(pc, fp, vm, lits, 1)
    }
}

#[cold]
#[inline(never)]
unsafe fn constant_slow(vm: *mut Vm, lits: *const Raw, pc: *const Insn) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let cx = Vm::cx(vm);
        let handle = (*pc.add(1)).0 as u32;
        let fallback = ((*pc.add(1)).0 >> 32) as u32;
        if cx.constants.get_any(handle).is_some()
            && let Some(v) = lookup::constant(cx, CONSTANTS.name(handle).as_bytes())?
        {
            return Ok(v.into_raw());
        }
        if fallback != u32::MAX
            && let Some(v) = cx.constants.get(fallback)
        {
            return Ok(v.clone().into_raw());
        }
        let name = Value::from_raw_borrowed(*operand_literal(lits, (*pc).b()));
        let name = name.as_str().map_or(&b""[..], |s| s.as_bytes()).to_vec();
        // `TRUE` in a namespace, and names whose case no table knows.
        if fallback != u32::MAX
            && let Some(v) = lookup::constant(cx, CONSTANTS.name(fallback).as_bytes())?
        {
            return Ok(v.into_raw());
        }
        Err(cx.throw_error(text!("Undefined constant \"", name, "\"")))
    }
}

/// A literal by an `L` operand, which may carry the literal mark or not.
unsafe fn operand_literal(lits: *const Raw, o: u16) -> *const Raw {
    // SAFETY: the verifier checked the operand.
    unsafe { lits.add((o & !LITERAL) as usize) }
}

#[inline(never)]
unsafe fn class_constant(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let reference = ClassRef((*pc.add(1)).0 as u32);
        let class = match lookup::operand_class(vm, fp, lits, reference, (*pc).b()) {
            Ok(class) => class,
            Err(stop) => {
                operand::consume(fp, (*pc).c());
                return Err(stop);
            }
        };
        let cx = Vm::cx(vm);
        let cache = (*pc.add(2)).0;
        let thunk = (*fp).function().is(func_flags::THUNK);
        // As PHP, which looks for equal backing values then.
        let is_evaluated_whole = class.enum_backing != 0 && !thunk && class.decl().is_some();
        if (cache >> 32) as u32 == class.id()
            && let Some((_, c)) = class.constants.get_index(cache as u32 as usize)
        {
            if is_evaluated_whole {
                class_constants::evaluate_class(cx, class)?;
            }
            if c.class == class {
                return class_constants::constant_at(cx, c, cache as u32 as usize, None).map(Value::into_raw);
            }
            return class_constants::constant(cx, c, None).map(Value::into_raw);
        }
        let name = operand::take_value(vm, fp, lits, (*pc).c())?.into_deref();
        let Some(name) = name.as_str() else {
            let kind = match name.is_object() {
                true => b"object".to_vec(),
                false if name.is_bool() => b"bool".to_vec(),
                false => jumbo_abi::args::type_name(&name),
            };
            let text = text!("Cannot use value of type ", kind, " as class constant name");
            return Err(cx.type_error(text));
        };
        if (*pc).c() & LITERAL == 0 && !thunk && name.as_bytes().eq_ignore_ascii_case(b"class") {
            return Ok(Value::from(class.name.clone()).into_raw());
        }
        // Messages about constant expressions name the class as it is written there.
        let written;
        let shown: Option<&[u8]> = match reference {
            _ if !thunk => None,
            ClassRef::SELF => Some(b"self"),
            ClassRef::PARENT => Some(b"parent"),
            ClassRef::STATIC => Some(b"static"),
            ClassRef::DYNAMIC => Some(class.name.as_bytes()),
            ClassRef(handle) => {
                written = CLASSES.written(handle);
                Some(written.as_bytes())
            }
        };
        let c = class_constants::accessible(cx, class, name.as_bytes(), (*fp).scope(), shown)?;
        if is_evaluated_whole {
            class_constants::evaluate_class(cx, class)?;
        }
        let value = class_constants::constant(cx, c, shown)?;
        if (*pc).c() & LITERAL != 0
            && !thunk
            && let Some((index, _, c)) = class.constants.get_full(name.as_bytes())
            && c.flags & member_flags::DEPRECATED == 0
            && (!is_evaluated_whole || c.flags & member_flags::ENUM_CASE != 0)
            && !class.is(class_flags::TRAIT)
            && (c.flags & member_flags::PUBLIC != 0 || lookup::fixed_scope(fp))
        {
            lookup::fill_cache(pc.add(2), class, index);
        }
        Ok(value.into_raw())
    }
}

/// The class that an operand names, as what a temporary can hold.
#[inline(never)]
unsafe fn fetch_class(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, b: u16) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe { lookup::operand_class(vm, fp, lits, ClassRef::DYNAMIC, b).map(|class| Raw::ptr(class.as_ptr())) }
}

#[inline(never)]
unsafe fn class_name(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let reference = ClassRef((*pc.add(1)).0 as u32);
        let b = (*pc).b();
        if reference == ClassRef::OF_VALUE {
            let class = lookup::operand_class(vm, fp, lits, ClassRef::DYNAMIC, b)?;
            return Ok(class.name.clone().into_raw());
        }
        if reference == ClassRef::DYNAMIC {
            let value = if b == THIS {
                super::calls::this_of(fp).map_or(Value::null(), Value::from)
            } else {
                operand::take_value(vm, fp, lits, b)?.into_deref()
            };
            return match value.as_object() {
                Some(o) => Ok(ClassPtr::of(o).name.clone().into_raw()),
                None => {
                    let text = text!("Cannot use \"::class\" on ", jumbo_abi::args::type_name(&value));
                    Err(Vm::cx(vm).type_error(text))
                }
            };
        }
        let scope = (*fp).scope();
        if reference == ClassRef::MAGIC_CLASS {
            // `__CLASS__` in a trait or a closure: empty outside of classes.
            return Ok(scope.map_or_else(PStr::empty, |s| s.name.clone()).into_raw());
        }
        let word = match reference {
            ClassRef::SELF => "self",
            ClassRef::PARENT => "parent",
            _ => "static",
        };
        if reference.0 >= ClassRef::FIRST_SPECIAL && scope.is_none() {
            return Err(Vm::cx(vm).throw_error(text!("Cannot use \"", word, "\" in the global scope")));
        }
        if reference == ClassRef::PARENT && scope.is_some_and(|s| s.parent.is_none()) {
            return Err(Vm::cx(vm).throw_error(b"Cannot use \"parent\" when current class scope has no parent"));
        }
        Ok(lookup::class_ref(vm, fp, reference, None)?.name.clone().into_raw())
    }
}

#[inline(never)]
unsafe fn instance_of(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<bool> {
    // SAFETY: as the handler.
    unsafe {
        let (b, c) = ((*pc).b(), (*pc).c());
        let reference = ClassRef((*pc.add(1)).0 as u32);
        let value = if b == THIS {
            super::calls::this_of(fp).map_or(Value::null(), Value::from)
        } else {
            operand::take_value(vm, fp, lits, b)?.into_deref()
        };
        let cx = Vm::cx(vm);
        let wanted = if reference == ClassRef::DYNAMIC {
            let class = if c == THIS {
                super::calls::this_of(fp).map_or(Value::null(), Value::from)
            } else {
                operand::take_value(vm, fp, lits, c)?.into_deref()
            };
            match class.view() {
                jumbo_value::View::Object(o) => Some(ClassPtr::of(o)),
                jumbo_value::View::Str(s) => lookup::find_class(cx, s.as_bytes(), false)?,
                _ => return Err(cx.throw_error(b"Class name must be a valid object or a string")),
            }
        } else if reference.0 < ClassRef::FIRST_SPECIAL {
            cx.classes.get(reference.0).copied()
        } else {
            Some(lookup::class_ref(vm, fp, reference, None)?)
        };
        let answer = match (value.as_object(), wanted) {
            (Some(o), Some(wanted)) => ClassPtr::of(o).is_a(wanted),
            _ => false,
        };
        super::moves::release_checked(vm, value.into_raw())?;
        Ok(answer)
    }
}

#[inline(never)]
unsafe fn declare_constant(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let cx = Vm::cx(vm);
        let value = operand::take_value(vm, fp, lits, (*pc).b())?.into_deref();
        let name = Value::from_raw_borrowed(*operand_literal(lits, (*pc).a()));
        let Some(name) = name.as_str() else { return Ok(()) };
        let key = jumbo_runtime::inherit::constant_key(name.as_bytes());
        let handle = CONSTANTS.handle(&key);
        if cx.constants.get_any(handle).is_some() {
            return cx.raise(Level::Warning, &text!("Constant ", name.as_bytes(), " already defined"));
        }
        cx.bind_constant(handle, value);
        Ok(())
    }
}

/// `Cannot redeclare function f() (previously declared in FILE:LINE)`.
fn redeclared(f: FnPtr, name: &[u8]) -> Vec<u8> {
    match (f.unit(), f.proto()) {
        (Some(unit), Some(proto)) => {
            text!("Cannot redeclare function ", name, "() (previously declared in ", unit.file.as_bytes(), ":", proto.line_start.to_string(), ")")
        }
        _ => text!("Cannot redeclare function ", name, "()"),
    }
}

/// Declares a function of a unit that the instance holds.
fn declare_function(cx: &mut jumbo_abi::Cx, unit: &Arc<Unit>, number: u32) -> Res<()> {
    let Some((handle, function)) = jumbo_runtime::parts::declared(unit, number) else { return Ok(()) };
    if let Some(&other) = cx.functions.get(handle) {
        let text = redeclared(other, function.name.as_bytes());
        let line = function.proto().map_or(0, |proto| proto.line_start);
        return crate::errors::raise_at(cx, Level::CompileError, &text, unit.file.clone(), line);
    }
    cx.functions.bind(handle, function);
    Ok(())
}

unsafe fn unit_of(vm: *mut Vm, fp: *mut Frame) -> Res<Arc<Unit>> {
    // SAFETY: the frame is live.
    unsafe {
        match (*fp).function().unit() {
            Some(unit) => Ok(unit.clone()),
            None => Err(Vm::cx(vm).throw_error(b"Declaration outside of a file")),
        }
    }
}

#[inline(never)]
unsafe fn declare_function_op(vm: *mut Vm, fp: *mut Frame, number: u32) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let unit = unit_of(vm, fp)?;
        Vm::cx(vm).hold_unit(&unit);
        declare_function(Vm::cx(vm), &unit, number)
    }
}

/// Classes that were bound early in the inclusion that runs: their DeclareClass does nothing, once.
#[derive(Default)]
struct Early(std::collections::HashSet<usize>);

#[inline(never)]
unsafe fn declare_class(vm: *mut Vm, fp: *mut Frame, number: u32) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let unit = unit_of(vm, fp)?;
        let Some(decl) = unit.classes.get(number as usize) else { return Ok(()) };
        let cx = Vm::cx(vm);
        if cx.state::<Early>().0.remove(&(std::ptr::from_ref(decl) as usize)) {
            return Ok(());
        }
        jumbo_runtime::link::link(cx, &unit, decl, crate::errors::raise_at).map(drop)
    }
}

#[inline(never)]
unsafe fn declare_anonymous(vm: *mut Vm, fp: *mut Frame, number: u32) -> Res<ClassPtr> {
    // SAFETY: as the handler.
    unsafe {
        let unit = unit_of(vm, fp)?;
        let cx = Vm::cx(vm);
        let Some(decl) = unit.classes.get(number as usize) else { return Err(cx.throw_error(b"Unknown anonymous class")) };
        if let Some(class) = cx.classes.get(decl.handle) {
            return Ok(*class);
        }
        jumbo_runtime::link::link(cx, &unit, decl, crate::errors::raise_at)
    }
}

/// Does what PHP does when it compiles a file: tells what there is to tell, and declares functions, and classes whose ancestors are known.
pub fn declare_hoisted(cx: &mut jumbo_abi::Cx, unit: &Arc<Unit>) -> Res<()> {
    let mut told = 0;
    let mut tell = |cx: &mut jumbo_abi::Cx, end: usize| -> Res<()> {
        for (level, message, line) in unit.diagnostics.get(told..end).unwrap_or_default() {
            if let Some(level) = Level::from_u32(*level) {
                crate::errors::raise_at(cx, level, message, unit.file.clone(), *line)?;
            }
        }
        told = end;
        Ok(())
    };
    if !unit.hoisted_functions.is_empty() {
        cx.hold_unit(unit);
    }
    for &number in &unit.hoisted_functions {
        declare_function(cx, unit, number)?;
    }
    for &Hoisted { number, diagnostics_before } in &unit.hoisted_classes {
        tell(cx, diagnostics_before)?;
        let Some(decl) = unit.classes.get(number as usize) else { continue };
        let simple = decl.stands_alone();
        cx.state::<Early>().0.remove(&(std::ptr::from_ref(decl) as usize));
        // A name that is taken is an error where the declaration stands, unless there is no instruction for it.
        let taken = CLASSES.find(decl.lower.as_bytes()).is_some_and(|h| cx.classes.get(h).is_some());
        if !simple && (taken || !jumbo_runtime::link::is_ready(cx, decl)) {
            continue;
        }
        let bound = jumbo_runtime::link::link_early(cx, unit, decl, crate::errors::raise_at)?;
        if bound && !simple {
            cx.state::<Early>().0.insert(std::ptr::from_ref(decl) as usize);
        }
    }
    tell(cx, unit.diagnostics.len())
}

unsafe fn bind_use(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let b = (*pc).b();
        let value = if b & LITERAL == 0 && operand::is_temp(fp, b) {
            // A reference that MakeRef made stays one.
            Value::from_raw(*Frame::slot(fp, b))
        } else {
            let value = operand::peek(fp, lits, b);
            if (*value).tag == tag::UNDEF && b & LITERAL == 0 {
                operand::undefined(vm, fp, b)?;
                Value::null()
            } else {
                (*value).deref().copied().into_value()
            }
        };
        crate::closure::bind_use(Frame::slot(fp, (*pc).a()), (*pc).c(), value);
        Ok(())
    }
}

unsafe fn bind_use_implicit(fp: *mut Frame, pc: *const Insn) {
    // SAFETY: as the handler.
    unsafe {
        let value = (*Frame::slot(fp, (*pc).b())).deref();
        let value = if value.is_undef() { Value::undef() } else { value.copied().into_value() };
        crate::closure::bind_use(Frame::slot(fp, (*pc).a()), (*pc).c(), value);
    }
}

#[inline(never)]
unsafe fn clone(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, b: u16) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let value = if b == THIS {
            super::calls::this_of(fp).map_or(Value::null(), Value::from)
        } else {
            operand::take_value(vm, fp, lits, b)?.into_deref()
        };
        let cx = Vm::cx(vm);
        let mut failed = None;
        let copy = match value.as_object() {
            Some(o) => crate::objects::clone_or_keep(cx, o, &mut failed),
            None => return Err(cx.throw_error(b"__clone method called on non-object")),
        };
        drop(value);
        drop(failed);
        let copy: PObject = copy?;
        if jumbo_value::Heap::current_has_dying() {
            crate::objects::run_destructors(cx)?;
        }
        Ok(copy.into_raw())
    }
}
