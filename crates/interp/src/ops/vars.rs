//! Variables by name: `$$x`, superglobals, `global`, `static`.

use super::calls::save;
use super::operand;
use crate::frame::Frame;
use crate::vm::Vm;
use crate::{cold, jump, next, op, symbols, tri};
use jumbo_abi::{Level, Res};
use jumbo_bytecode::Insn;
use jumbo_value::{PStr, Raw, Value, tag};

op! {
    VarR(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let v = tri!(read(vm, fp, lits, pc, false, false), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = v;
        next!(pc, fp, vm, lits, 1)
    }
    VarIs(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let v = tri!(read(vm, fp, lits, pc, false, true), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = v;
        next!(pc, fp, vm, lits, 1)
    }
    VarW(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let v = tri!(place(vm, fp, lits, pc, false, false), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = v;
        next!(pc, fp, vm, lits, 1)
    }
    VarRW(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let v = tri!(place(vm, fp, lits, pc, false, true), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = v;
        next!(pc, fp, vm, lits, 1)
    }
    VarUnset(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(unset(vm, fp, lits, (*pc).a(), false), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }
    VarIsset(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let t = tri!(isset(vm, fp, lits, pc, false), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
        next!(pc, fp, vm, lits, 1)
    }
    GlobalR(pc, fp, vm, lits) {
        let slot = cached_global(vm, pc, operand::peek(fp, lits, (*pc).b()));
        if !slot.is_null() {
            let value = (*slot).deref();
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 2)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let v = tri!(read(vm, fp, lits, pc, true, false), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = v;
            next!(pc, fp, vm, lits, 2)
        })
    }
    GlobalIs(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let v = tri!(read(vm, fp, lits, pc, true, true), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = v;
        next!(pc, fp, vm, lits, 1)
    }
    GlobalW(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let v = tri!(place(vm, fp, lits, pc, true, false), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = v;
        next!(pc, fp, vm, lits, 1)
    }
    GlobalRW(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let v = tri!(place(vm, fp, lits, pc, true, true), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = v;
        next!(pc, fp, vm, lits, 1)
    }
    GlobalUnset(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(unset(vm, fp, lits, (*pc).a(), true), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }
    GlobalIsset(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let t = tri!(isset(vm, fp, lits, pc, true), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = Raw::bool(t);
        next!(pc, fp, vm, lits, 1)
    }
    Globals(pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = globals(vm);
        next!(pc, fp, vm, lits, 1)
    }

    BindGlobal(pc, fp, vm, lits) {
        let name = lits.add((*pc).b() as usize);
        let (to, slot) = (Frame::slot(fp, (*pc).a()), cached_global(vm, pc, name));
        if !slot.is_null() && (*slot).tag == tag::REF && !(*to).is_counted() {
            (*slot).add_ref();
            *to = *slot;
            next!(pc, fp, vm, lits, 2)
        }
        save(vm, fp, pc);
        tri!(bind_global(vm, to, *name), pc, fp, vm);
        next!(pc, fp, vm, lits, 2)
    }

    BindStatic(pc, fp, vm, lits) {
        let statics = crate::statics::of_frame(vm, fp);
        let slot = statics.add((*pc).b() as usize);
        if (*slot).tag == tag::REF {
            let to = Frame::slot(fp, (*pc).a());
            if !(*to).is_counted() {
                (*slot).add_ref();
                *to = *slot;
                jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
            }
            save(vm, fp, pc);
            tri!(bind(vm, Frame::slot(fp, (*pc).a()), slot), pc, fp, vm);
            jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
        }
        next!(pc, fp, vm, lits, 2)
    }

    InitStatic(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(init_static(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }
}

#[inline(never)]
unsafe fn init_static(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let value = operand::take_checked(vm, fp, lits, (*pc).c())?;
        let slot = crate::statics::of_frame(vm, fp).add((*pc).b() as usize);
        // A recursive initialiser may have been here first: then its variable stays.
        if (*slot).tag == tag::REF {
            value.release();
        } else {
            *slot = super::moves::new_ref(value.into_value());
        }
        bind(vm, Frame::slot(fp, (*pc).a()), slot)
    }
}

/// The slot of the global variable that a literal names; null: not there, or another kind of name. The cache word has its position in the
/// table, plus one.
#[inline(never)]
unsafe fn cached_global(vm: *mut Vm, pc: *const Insn, name: *const Raw) -> *mut Raw {
    // SAFETY: the operand is live; cache words are only written whole.
    unsafe {
        if (*name).tag != tag::STRING {
            return std::ptr::null_mut();
        }
        let (name, globals) = ((*name).as_str(), &(*vm).globals);
        let cache = (*pc.add(1)).0;
        let slot = globals.find_at((cache as usize).wrapping_sub(1), name);
        if !slot.is_null() {
            return slot;
        }
        if let Some(at) = globals.position(name.as_bytes()) {
            let word = &*pc.add(1).cast::<std::sync::atomic::AtomicU64>();
            word.store(at as u64 + 1, std::sync::atomic::Ordering::Relaxed);
        }
        globals.find(name.as_bytes())
    }
}

#[inline(never)]
unsafe fn globals(vm: *mut Vm) -> Raw {
    // SAFETY: the machine is live.
    unsafe { (*vm).globals.to_array(true).into_raw() }
}

/// CV `to` becomes the reference in `slot`.
#[inline(never)]
unsafe fn bind(vm: *mut Vm, to: *mut Raw, slot: *mut Raw) -> Res<()> {
    // SAFETY: both are live.
    unsafe {
        let reference = operand::make_ref(slot);
        let old = std::mem::replace(&mut *to, reference);
        super::moves::release_checked(vm, old)
    }
}

#[inline(never)]
unsafe fn bind_global(vm: *mut Vm, to: *mut Raw, name: Raw) -> Res<()> {
    // SAFETY: the name is a literal string.
    unsafe {
        let slot = (*vm).globals.slot(name.as_str());
        if slot == to {
            // `global` in global code: the variable exists from here on, as a reference.
            drop(operand::make_ref(slot).into_value());
            return Ok(());
        }
        bind(vm, to, slot)
    }
}

#[inline(never)]
unsafe fn name(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<PStr> {
    // SAFETY: as the handlers.
    unsafe {
        let value = operand::take_value(vm, fp, lits, o)?;
        Vm::cx(vm).to_string(&value)
    }
}

#[inline(never)]
unsafe fn table(vm: *mut Vm, fp: *mut Frame, global: bool) -> std::rc::Rc<symbols::SymbolTable> {
    // SAFETY: as the handlers.
    unsafe { if global { (*vm).globals.clone() } else { symbols::table_of(vm, fp) } }
}

#[inline(never)]
unsafe fn undefined(vm: *mut Vm, name: &PStr, global: bool) -> Res<()> {
    let kind: &[u8] = if global { b"Undefined global variable $" } else { b"Undefined variable $" };
    // SAFETY: the machine is live.
    unsafe { Vm::cx(vm).raise(Level::Warning, &[kind, name.as_bytes()].concat()) }
}

#[inline(never)]
unsafe fn read(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, global: bool, quiet: bool) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let name = name(vm, fp, lits, (*pc).b())?;
        if !global && name == b"this" && !(*fp).this.is_null() {
            return Ok(super::calls::this_of(fp).map_or(Raw::NULL, |t| t.into_raw()));
        }
        let slot = table(vm, fp, global).find(name.as_bytes());
        if slot.is_null() {
            // Superglobals are there from every scope.
            if !global && is_superglobal(name.as_bytes()) {
                let slot = (*vm).globals.find(name.as_bytes());
                if !slot.is_null() {
                    return Ok((*slot).deref().copied());
                }
            }
            if !quiet {
                undefined(vm, &name, global)?;
            }
            return Ok(Raw::NULL);
        }
        Ok((*slot).deref().copied())
    }
}

/// `_GET`, `_SERVER`, …
pub fn is_superglobal(name: &[u8]) -> bool {
    matches!(
        name,
        b"_GET" | b"_POST" | b"_COOKIE" | b"_SERVER" | b"_ENV" | b"_FILES" | b"_REQUEST" | b"_SESSION" | b"GLOBALS"
    )
}

#[inline(never)]
unsafe fn place(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, global: bool, warn: bool) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let name = name(vm, fp, lits, (*pc).b())?;
        if !global && name == b"this" {
            return Err(Vm::cx(vm).throw_error(b"Cannot re-assign $this"));
        }
        let slot = table(vm, fp, global).slot(&name);
        if (*slot).is_undef() {
            if warn {
                undefined(vm, &name, global)?;
            }
            let slot = table(vm, fp, global).slot(&name);
            if (*slot).is_undef() {
                *slot = Raw::NULL;
            }
            return Ok(Raw::ptr(slot));
        }
        Ok(Raw::ptr(slot))
    }
}

#[inline(never)]
unsafe fn unset(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16, global: bool) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let name = name(vm, fp, lits, o)?;
        if !global && name == b"this" {
            return Err(Vm::cx(vm).throw_error(b"Cannot unset $this"));
        }
        match table(vm, fp, global).remove(name.as_bytes()) {
            Some(value) => super::moves::release_checked(vm, value.into_raw()),
            None => Ok(()),
        }
    }
}

#[inline(never)]
unsafe fn isset(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, global: bool) -> Res<bool> {
    // SAFETY: as the handlers.
    unsafe {
        let empty = (*pc).c() != 0;
        let raw = read(vm, fp, lits, pc, global, true)?;
        let value: Value = raw.into_value();
        if empty {
            return Ok(!super::jumps::truth(vm, value.raw())?);
        }
        Ok(!value.is_null())
    }
}
