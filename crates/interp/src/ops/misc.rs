//! Output, silence, includes, ticks, and builtins that became opcodes.

use super::calls::save;
use super::operand;
use crate::frame::Frame;
use crate::vm::Vm;
use crate::{cold, next, op, tri};
use jumbo_abi::{Level, Res, Stop};
use jumbo_bytecode::Insn;
use jumbo_bytecode::unit::{CastKind, IncludeKind};
use jumbo_value::{Raw, Value, convert, tag};

op! {
    Echo(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(echo(vm, fp, lits, (*pc).a()), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    Cast(pc, fp, vm, lits) {
        let value = *operand::peek(fp, lits, (*pc).b());
        let kind = (*pc).c();
        if (value.tag == tag::INT && kind == CastKind::Int as u16) || (value.is_string() && kind == CastKind::String as u16) {
            if !operand::is_temp(fp, (*pc).b()) {
                value.add_ref();
            }
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        let value = cast_plainly(fp, lits, (*pc).b(), kind);
        if value.tag != tag::UNDEF {
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            *Frame::slot(fp, (*pc).a()) = tri!(cast(vm, fp, lits, pc), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    Include(pc, fp, vm, lits) {
        save(vm, fp, pc);
        *Frame::slot(fp, (*pc).a()) = tri!(include(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    BeginSilence(pc, fp, vm, lits) {
        let cx = Vm::cx(vm);
        *Frame::slot(fp, (*pc).a()) = Raw::int(cx.error_level as i64);
        // Errors that end the request are shown all the same.
        cx.error_level &= 4437;
        next!(pc, fp, vm, lits, 1)
    }

    EndSilence(pc, fp, vm, lits) {
        end_silence(vm, *Frame::slot(fp, (*pc).a()));
        next!(pc, fp, vm, lits, 1)
    }

    Ticks(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(crate::engine::run_ticks(Vm::cx(vm), (*pc).a() as u32), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    ThrowError(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let stop = throw_literal(vm, *lits.add((*pc).a() as usize));
        return crate::unwind::unwind(stop, pc, fp, vm);
    }

    CheckEnum(pc, fp, vm, lits) {
        let value = (*Frame::slot(fp, (*pc).a())).deref();
        if value.is_object() && !jumbo_abi::ClassPtr::of(value.as_object()).is_enum() {
            save(vm, fp, pc);
            let stop = Vm::cx(vm).throw_error(b"Fetching properties on non-enums in constant expressions is not allowed");
            return crate::unwind::unwind(stop, pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }

    FuncNumArgs(pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = Raw::int((*fp).nargs as i64);
        next!(pc, fp, vm, lits, 1)
    }

    Strlen(pc, fp, vm, lits) {
        let b = (*pc).b();
        let value = operand::read(fp, lits, b);
        if value.is_string() {
            let n = value.as_str().len();
            operand::consume(fp, b);
            *Frame::slot(fp, (*pc).a()) = Raw::int(n as i64);
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let b = (*pc).b();
            save(vm, fp, pc);
            let n = tri!(strlen_slow(vm, fp, lits, b), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = n;
            next!(pc, fp, vm, lits, 1)
        })
    }

    Count(pc, fp, vm, lits) {
        let b = (*pc).b();
        let value = operand::read(fp, lits, b);
        // The last count of an array may be that of an object with a destructor.
        let last = operand::is_temp(fp, b) && value.is_counted() && value.header().is_unique();
        if value.is_array() && !last {
            let n = value.as_array().len();
            if operand::is_temp(fp, b) {
                operand::consume(fp, b);
                *Frame::slot(fp, (*pc).a()) = Raw::int(n as i64);
                return counted_temporary(pc, fp, vm, lits);
            }
            *Frame::slot(fp, (*pc).a()) = Raw::int(n as i64);
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let b = (*pc).b();
            save(vm, fp, pc);
            let n = tri!(call_one(vm, fp, lits, b, b"count"), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = n;
            next!(pc, fp, vm, lits, 1)
        })
    }

    TypeCheck(pc, fp, vm, lits) {
        let b = (*pc).b();
        let value = operand::read(fp, lits, b);
        if value.tag != tag::UNDEF && operand::release_shared(fp, b) {
            *Frame::slot(fp, (*pc).a()) = Raw::bool((*pc).c() >> value.kind_byte() & 1 != 0);
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let b = (*pc).b();
            let value = tri!(operand::read_checked(vm, fp, lits, b), pc, fp, vm);
            let t = (*pc).c() >> value.kind_byte() & 1 != 0;
            operand::consume(fp, b);
            if jumbo_value::Heap::current_has_dying() {
                tri!(crate::objects::run_destructors(Vm::cx(vm)), pc, fp, vm);
            }
            *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
            if operand::is_temp(fp, b) && jumbo_value::Heap::current_has_dying() {
                tri!(crate::objects::run_destructors(Vm::cx(vm)), pc, fp, vm);
            }
            next!(pc, fp, vm, lits, 1)
        })
    }
}

/// The end of Count whose operand was a temporary: objects may have ended with it.
#[inline(never)]
unsafe fn counted_temporary(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        if jumbo_value::Heap::current_has_dying() {
            save(vm, fp, pc);
            tri!(crate::objects::run_destructors(Vm::cx(vm)), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }
}

/// Casts of what is converted without a word and without settings; UNDEF: it is something else, and nothing was done.
#[inline(never)]
unsafe fn cast_plainly(fp: *mut Frame, lits: *const Raw, b: u16, kind: u16) -> Raw {
    // SAFETY: as the handler.
    unsafe {
        let is_temp = operand::is_temp(fp, b);
        let value = if is_temp { *operand::peek(fp, lits, b) } else { operand::read(fp, lits, b) };
        let kind = CastKind::from_u16(kind).unwrap_or(CastKind::Unset);
        let is_scalar = value.tag != tag::UNDEF && (!value.is_counted() && !value.is_array() || value.is_string());
        let result = match kind {
            CastKind::Int if is_scalar => Raw::int(convert::to_int(&Value::from_raw_borrowed(value))),
            CastKind::Float if is_scalar => Raw::float(convert::to_float(&Value::from_raw_borrowed(value))),
            CastKind::Bool if is_scalar => Raw::bool(convert::to_bool(&Value::from_raw_borrowed(value))),
            CastKind::String if value.tag == tag::INT => convert::int_to_string(value.as_int()).into_raw(),
            CastKind::String if matches!(value.tag, tag::NULL | tag::FALSE) => jumbo_value::PStr::empty().into_raw(),
            CastKind::Array if value.is_array() => {
                value.add_ref();
                value
            }
            _ => Raw::UNDEF,
        };
        if is_temp && result.tag != tag::UNDEF {
            // A string, or an array that the result holds: nothing ends that has a destructor.
            value.release();
        }
        result
    }
}

#[inline(never)]
unsafe fn cast(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let value = operand::take_value(vm, fp, lits, (*pc).b())?;
        let kind = CastKind::from_u16((*pc).c()).unwrap_or(CastKind::Unset);
        let result = crate::convert::cast(Vm::cx(vm), value, kind);
        operand::destructed(vm, result).map(Value::into_raw)
    }
}

#[inline(never)]
unsafe fn include(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let kind = IncludeKind::from_u16((*pc).c()).unwrap_or(IncludeKind::Include);
        let path = operand::take_value(vm, fp, lits, (*pc).b())?;
        let value = crate::include::include_from(vm, path, kind);
        (*vm).fp = fp;
        value.map(Value::into_raw)
    }
}

/// The builtin behind a builtin opcode, for what its fast path does not take.
#[inline(never)]
/// Objects are converted without a frame of strlen, which backtraces would show.
unsafe fn strlen_slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let value = operand::read(fp, lits, o);
        if value.is_array() || (value.is_object() && jumbo_abi::ClassPtr::of(value.as_object()).magic.to_string.is_none()) {
            // An instruction, not a call: traces do not show it, and its operand is gone when the error is handled.
            let value = operand::take_value(vm, fp, lits, o)?;
            let given = jumbo_abi::args::type_name(&value);
            let text = [b"strlen(): Argument #1 ($string) must be of type string, ".as_slice(), &given, b" given"].concat();
            let stop = Vm::cx(vm).type_error(text);
            super::moves::release_checked(vm, value.into_raw())?;
            return Err(stop);
        }
        if !value.is_object() || (*(*fp).func).is(jumbo_abi::func_flags::STRICT_TYPES) || jumbo_abi::ClassPtr::of(value.as_object()).magic.to_string.is_none() {
            return call_one(vm, fp, lits, o, b"strlen");
        }
        let value = operand::take_value(vm, fp, lits, o)?;
        Ok(Raw::int(Vm::cx(vm).to_string(&value)?.len() as i64))
    }
}

unsafe fn call_one(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16, name: &[u8]) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let value = match operand::take_value(vm, fp, lits, o) {
            Ok(value) => value,
            Err(stop) => {
                if name == b"count" {
                    let text = b"count(): Argument #1 ($value) must be of type Countable|array, null given";
                    crate::despite::despite(Vm::cx(vm), |cx| Err::<(), _>(cx.type_error(text)));
                }
                return Err(stop);
            }
        };
        let registry = jumbo_abi::registry::get();
        let Some(&id) = registry.function_names.get(name) else {
            return Err(Vm::cx(vm).throw_error([b"Call to undefined function ".as_slice(), name, b"()"].concat()));
        };
        let answer = crate::call_with_strictness(vm, registry.functions[id as usize], &[value]);
        // The argument is freed only now.
        if jumbo_value::Heap::current_has_dying() {
            crate::objects::run_destructors(Vm::cx(vm))?;
        }
        answer.map(Value::into_raw)
    }
}

/// Restores the error level that `@` kept, unless the script changed it meanwhile.
///
/// # Safety
/// The machine is live; `kept` is what BeginSilence stored.
pub unsafe fn end_silence(vm: *mut Vm, kept: Raw) {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let kept = kept.as_int() as u32;
        // Nothing but fatal errors is reported: `@` or the script itself said so, and PHP cannot tell which.
        if cx.error_level & !4437 == 0 && kept & !4437 != 0 {
            cx.error_level = kept;
        }
    }
}

#[inline(never)]
unsafe fn echo(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let value = operand::take_value(vm, fp, lits, o)?;
        let cx = Vm::cx(vm);
        if let Some(bytes) = value.as_bytes() {
            return cx.write(bytes);
        }
        if let Some(i) = value.as_int() {
            let mut buffer = [0; 20];
            return cx.write(convert::write_int(&mut buffer, i));
        }
        let text = match cx.to_string(&value) {
            Ok(text) => text,
            // An array is "Array" whatever the warning's handler does.
            Err(Stop::Thrown) if value.is_array() => return Err(crate::despite::meanwhile(cx, |cx| cx.write(b"Array"))),
            Err(stop) => return Err(stop),
        };
        cx.write(text.as_bytes())?;
        super::moves::release_checked(vm, value.into_raw())
    }
}

#[inline(never)]
unsafe fn throw_literal(vm: *mut Vm, message: Raw) -> jumbo_abi::Stop {
    // SAFETY: a literal.
    unsafe {
        let cx = Vm::cx(vm);
        let message = if message.is_string() { message.as_str().as_bytes() } else { b"" };
        cx.throw_error(message)
    }
}

/// Warning: Array to string conversion.
pub fn array_to_string(cx: &mut jumbo_abi::Cx) -> Res<()> {
    cx.raise(Level::Warning, b"Array to string conversion")
}
