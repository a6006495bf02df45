//! Array elements: `$a[k]` in all contexts, array literals.
//!
//! Handlers take the plain cases (array with an int or string key); [`crate::dim`] has the rest: strings, ArrayAccess, conversions of keys, warnings.

use super::calls::save;
use super::operand;
use crate::despite;
use crate::dim;
use crate::frame::Frame;
use crate::vm::Vm;
use crate::{cold, next, op, tri, types};
use jumbo_abi::{Res, Stop};
use jumbo_bytecode::unit::BinaryOp;
use jumbo_bytecode::{Insn, LITERAL, NONE, Op, THIS};
use jumbo_value::array::raw;
use jumbo_value::{ArrayHeader, PArray, PStr, Raw, Value, View, number, tag};

/// The element of an array for a plain key, or null pointer: not there, or not plain.
#[inline(always)]
unsafe fn find(array: *const ArrayHeader, key: Raw) -> *mut Raw {
    // SAFETY: both are live.
    unsafe {
        if key.tag == tag::INT {
            return raw::find_int(array, key.as_int());
        }
        if key.is_string() {
            return find_sym(array, key);
        }
        std::ptr::null_mut()
    }
}

#[inline(always)]
unsafe fn find_sym(array: *const ArrayHeader, key: Raw) -> *mut Raw {
    // SAFETY: both are live.
    unsafe {
        match key.as_str().as_index() {
            Some(i) => raw::find_int(array, i),
            None => raw::find_str(array, key.str_ptr()),
        }
    }
}

op! {
    DimR(pc, fp, vm, lits) {
        let slot = packed_element(operand::peek(fp, lits, (*pc).b()), operand::peek(fp, lits, (*pc).c()));
        if !slot.is_null() && (*slot).tag != tag::REF {
            if !operand::release_shared(fp, (*pc).b()) {
                return read_element(pc, fp, vm, lits);
            }
            let value = *slot;
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        return read_symbol(pc, fp, vm, lits);
    }

    DimRR(pc, fp, vm, lits) {
        let slot = packed_element(Frame::slot(fp, (*pc).b()), Frame::slot(fp, (*pc).c()));
        if !slot.is_null() && (*slot).tag != tag::REF {
            let value = *slot;
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        return read_symbol(pc, fp, vm, lits);
    }

    DimRL(pc, fp, vm, lits) {
        let slot = packed_element(Frame::slot(fp, (*pc).b()), lits.add((*pc).c() as usize));
        if !slot.is_null() && (*slot).tag != tag::REF {
            let value = *slot;
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        return read_literal_symbol(pc, fp, vm, lits);
    }

    DimRV(pc, fp, vm, lits) {
        let slot = packed_element(operand::peek(fp, lits, (*pc).b()), operand::peek(fp, lits, (*pc).c()));
        let to = Frame::slot(fp, (*pc).a());
        if !slot.is_null() && (*slot).tag != tag::REF && !(*to).is_counted() && !operand::is_temp(fp, (*pc).b()) {
            let value = *slot;
            value.add_ref();
            *to = value;
            next!(pc, fp, vm, lits, 1)
        }
        return read_into_variable(pc, fp, vm, lits);
    }

    DimIs(pc, fp, vm, lits) {
        if let Some(slot) = known_element(pc, fp, lits) {
            let value = if slot.is_null() { Raw::NULL } else { (*slot).deref() };
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        return read_quietly(pc, fp, vm, lits, (*pc).c());
    }

    CheckListRef(pc, fp, vm, lits) {
        if (*Frame::slot(fp, (*pc).a())).tag != tag::REF {
            save(vm, fp, pc);
            tri!(Vm::cx(vm).raise(jumbo_abi::Level::Notice, b"Attempting to set reference to non referenceable value"), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }

    ListDim(pc, fp, vm, lits) {
        let slot = packed_element(Frame::slot(fp, (*pc).b()), operand::peek(fp, lits, (*pc).c()));
        if !slot.is_null() {
            let value = (*slot).deref();
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        return list_element(pc, fp, vm, lits);
    }

    IssetDim(pc, fp, vm, lits) {
        if let Some(slot) = known_element(pc, fp, lits) {
            *Frame::slot(fp, (*pc).a()) = Raw::bool(!slot.is_null() && !(*slot).deref().is_nullish());
            next!(pc, fp, vm, lits, 1)
        }
        return isset_element(pc, fp, vm, lits, (*pc).c());
    }

    IssetDimRL(pc, fp, vm, lits) {
        let slot = known_literal(pc, fp, lits);
        if !std::ptr::eq(slot, raw::UNTOLD) {
            *Frame::slot(fp, (*pc).a()) = Raw::bool(!slot.is_null() && !(*slot).deref().is_nullish());
            next!(pc, fp, vm, lits, 1)
        }
        return isset_element(pc, fp, vm, lits, (*pc).c() | LITERAL);
    }

    DimIsRL(pc, fp, vm, lits) {
        let slot = known_literal(pc, fp, lits);
        if !std::ptr::eq(slot, raw::UNTOLD) {
            let value = if slot.is_null() { Raw::NULL } else { (*slot).deref() };
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        return read_quietly(pc, fp, vm, lits, (*pc).c() | LITERAL);
    }

    EmptyDim(pc, fp, vm, lits) {
        if let Some(slot) = known_element(pc, fp, lits) {
            let full = if slot.is_null() { Some(false) } else { super::jumps::plain_truth(*slot) };
            if let Some(full) = full {
                *Frame::slot(fp, (*pc).a()) = Raw::bool(!full);
                next!(pc, fp, vm, lits, 1)
            }
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let full = tri!(isset_slow(vm, fp, lits, (*pc).b(), (*pc).c(), true), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = Raw::bool(!full);
            next!(pc, fp, vm, lits, 1)
        })
    }

    DimW(pc, fp, vm, lits) {
        let slot = element_in_place(fp, lits, (*pc).b(), (*pc).c());
        if !slot.is_null() {
            operand::consume(fp, (*pc).c());
            *Frame::slot(fp, (*pc).a()) = Raw::ptr(slot);
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
        save(vm, fp, pc);
        let ptr = tri!(fetch_place(vm, fp, lits, pc, dim::Access::Write), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = ptr;
        next!(pc, fp, vm, lits, 1)
        })
    }

    DimRW(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let ptr = tri!(fetch_place(vm, fp, lits, pc, dim::Access::ReadWrite), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = ptr;
        next!(pc, fp, vm, lits, 1)
    }

    DimUnset(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let ptr = tri!(fetch_place(vm, fp, lits, pc, dim::Access::Unset), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = ptr;
        next!(pc, fp, vm, lits, 1)
    }

    AssignDim(pc, fp, vm, lits) {
        return assign_element(pc, fp, vm, lits);
    }

    AssignDimCv(pc, fp, vm, lits) {
        let base = Raw::deref_slot(Frame::slot(fp, (*pc).a()));
        let key = operand::peek(fp, lits, (*pc).b());
        if (*pc).b() == NONE {
            if push_plainly(fp, *base, *operand::peek(fp, lits, (*pc).c()), (*pc).c()) {
                next!(pc, fp, vm, lits, 1)
            }
            return assign_element(pc, fp, vm, lits);
        }
        if store_plainly(*base, *key, *operand::peek(fp, lits, (*pc).c())) {
            next!(pc, fp, vm, lits, 1)
        }
        return assign_symbol(pc, fp, vm, lits);
    }

    AssignDimRR(pc, fp, vm, lits) {
        if store_plainly((*Frame::slot(fp, (*pc).a())).deref(), *Frame::slot(fp, (*pc).b()), *Frame::slot(fp, (*pc).c())) {
            next!(pc, fp, vm, lits, 1)
        }
        return assign_symbol(pc, fp, vm, lits);
    }

    AssignDimRL(pc, fp, vm, lits) {
        if store_plainly((*Frame::slot(fp, (*pc).a())).deref(), *Frame::slot(fp, (*pc).b()), *lits.add(((*pc).c() & !LITERAL) as usize)) {
            next!(pc, fp, vm, lits, 1)
        }
        return assign_symbol(pc, fp, vm, lits);
    }

    AssignDimRes(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(assign_slow(vm, fp, lits, pc, (*pc.add(1)).0 as u16), pc, fp, vm);
        next!(pc, fp, vm, lits, 2)
    }

    AssignDimOp(pc, fp, vm, lits) {
        return assign_op_element(pc, fp, vm, lits);
    }

    AssignDimOpCv(pc, fp, vm, lits) {
        let base = Raw::deref_slot(Frame::slot(fp, (*pc).a()));
        let key = operand::peek(fp, lits, (*pc).b());
        if (*base).tag == tag::ARRAY_COUNTED && (*pc).b() != NONE && (*key).tag == tag::INT && (*base).header().is_unique() {
            let slot = raw::find_packed((*base).array_ptr(), (*key).as_int());
            if !slot.is_null() && operate(pc, fp, lits, slot) {
                next!(pc, fp, vm, lits, 2)
            }
        }
        return assign_op_symbol(pc, fp, vm, lits);
    }

    UnsetDim(pc, fp, vm, lits) {
        if unset_plainly(fp, lits, (*pc).a(), (*pc).b()) {
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        tri!(unset(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    NewArray(pc, fp, vm, lits) {
        *Frame::slot(fp, (*pc).a()) = PArray::with_capacity((*pc).b() as usize).into_raw();
        next!(pc, fp, vm, lits, 1)
    }

    ArrayOf(pc, fp, vm, lits) {
        let like = *lits.add((*pc).b() as usize);
        *Frame::slot(fp, (*pc).a()) = Raw { tag: tag::ARRAY_COUNTED, bits: raw::copy_uncounted(like.array_ptr()) as u64 };
        next!(pc, fp, vm, lits, 1)
    }

    ArrayPut(pc, fp, vm, lits) {
        let b = (*pc).b();
        let value = *operand::peek(fp, lits, b);
        let is_temp = operand::is_temp(fp, b);
        if is_temp || value.tag != tag::UNDEF && value.tag != tag::REF {
            if !is_temp {
                value.add_ref();
            }
            *raw::slot_at((*Frame::slot(fp, (*pc).a())).array_ptr(), (*pc).c().into()) = value;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let value = tri!(element(vm, fp, lits, (*pc).b()), pc, fp, vm);
            *raw::slot_at((*Frame::slot(fp, (*pc).a())).array_ptr(), (*pc).c().into()) = value;
            next!(pc, fp, vm, lits, 1)
        })
    }

    ArrayPush(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(array_push(vm, fp, lits, (*pc).a(), (*pc).b()), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    ArraySet(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(array_set(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    ArraySpread(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(array_spread(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }
}

/// The element that exists already, in the array of a variable or behind a PTR temporary, which nobody else holds (it is separated
/// when somebody does); null: anything else. Key and container are not consumed.
#[inline(never)]
unsafe fn element_in_place(fp: *mut Frame, lits: *const Raw, container: u16, key: u16) -> *mut Raw {
    // SAFETY: as the handlers.
    unsafe {
        if container == jumbo_bytecode::THIS || key == NONE {
            return std::ptr::null_mut();
        }
        let place = Frame::slot(fp, container);
        if (*place).tag != tag::PTR && operand::is_temp(fp, container) {
            return std::ptr::null_mut();
        }
        let base = Raw::deref_slot(operand::place(fp, container));
        let key = *operand::peek(fp, lits, key);
        if (*base).is_array() && (key.tag == tag::INT || key.is_string()) {
            return find(raw::separate(base), key);
        }
        std::ptr::null_mut()
    }
}

/// The operation of an AssignDimOp on the element in `slot`, when it is a plain one; false: nothing was done.
#[inline(always)]
unsafe fn operate(pc: *const Insn, fp: *mut Frame, lits: *const Raw, slot: *mut Raw) -> bool {
    // SAFETY: as the handlers.
    unsafe {
        let ext = (*pc.add(1)).0;
        let new = super::props::quick(*slot, *operand::peek(fp, lits, (*pc).c()), (ext >> 16) as u16);
        if new.tag == tag::UNDEF {
            return false;
        }
        *slot = new;
        if ext as u16 != NONE {
            *Frame::slot(fp, ext as u16) = new;
        }
        true
    }
}

/// AssignDimOpCv beyond packed arrays: an element that is there, under a string which is not consumed. Calls nothing.
#[inline(never)]
unsafe fn assign_op_symbol(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let base = Raw::deref_slot(Frame::slot(fp, (*pc).a()));
        let slot = own_symbol(fp, lits, *base, (*pc).b());
        if !slot.is_null() && operate(pc, fp, lits, slot) {
            next!(pc, fp, vm, lits, 2)
        }
        assign_op_element(pc, fp, vm, lits)
    }
}

/// The element under a string key, which is no temporary, of an array that only its variable holds; null: anything else. For paths that must not call.
#[inline(always)]
unsafe fn own_symbol(fp: *mut Frame, lits: *const Raw, base: Raw, key: u16) -> *mut Raw {
    // SAFETY: the operands are live.
    unsafe {
        if base.tag != tag::ARRAY_COUNTED || key == NONE || !base.header().is_unique() || operand::is_temp(fp, key) {
            return std::ptr::null_mut();
        }
        let key = *operand::peek(fp, lits, key);
        find_symbol(base, key)
    }
}

/// The element of an array under a string that is no number; null: not there, not that, or not told without a call. Nothing is consumed.
#[inline(always)]
unsafe fn find_symbol(base: Raw, key: Raw) -> *mut Raw {
    // SAFETY: both are live.
    unsafe {
        if base.is_array() && key.is_string() {
            let hash = raw::symbol_hash(key.str_ptr());
            if hash != 0 {
                return raw::find_symbol(base.array_ptr(), key.str_ptr(), hash);
            }
        }
        std::ptr::null_mut()
    }
}

/// AssignDimOp beyond the plain elements of a variable.
#[inline(never)]
unsafe fn assign_op_element(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let slot = element_in_place(fp, lits, (*pc).a(), (*pc).b());
        let value = operand::peek(fp, lits, (*pc).c());
        // The result may go where a temporary key was.
        let key = if operand::is_temp(fp, (*pc).b()) { *Frame::slot(fp, (*pc).b()) } else { Raw::NULL };
        if !slot.is_null() && !(*value).is_counted() && operate(pc, fp, lits, slot) {
            key.release();
            next!(pc, fp, vm, lits, 2)
        }
        save(vm, fp, pc);
        tri!(assign_op(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 2)
    }
}

/// Stores an uncounted value under an int key of a packed array that only its variable holds; false: it was something else, and nothing was done.
#[inline(always)]
unsafe fn store_plainly(base: Raw, key: Raw, value: Raw) -> bool {
    // SAFETY: all are live.
    unsafe {
        base.tag == tag::ARRAY_COUNTED && key.tag == tag::INT && value.tag != tag::UNDEF && !value.is_counted() && base.header().is_unique()
            && raw::store_packed(base.array_ptr(), key.as_int(), value)
    }
}

/// Appends operand `c`, whose value is `value`, to a packed array that only its variable holds and that has room; false: it was something else, and nothing was
/// done.
#[inline(always)]
unsafe fn push_plainly(fp: *mut Frame, base: Raw, value: Raw, c: u16) -> bool {
    // SAFETY: all are live.
    unsafe {
        let is_own = base.tag == tag::ARRAY_COUNTED && base.header().is_unique();
        if !is_own || value.tag == tag::UNDEF || value.tag == tag::REF || value.bits == base.bits && value.is_counted() {
            return false;
        }
        let array = base.array_ptr();
        let is_done = raw::append_packed(array, raw::used(array).into(), value);
        if is_done && !operand::is_temp(fp, c) {
            value.add_ref();
        }
        is_done
    }
}

/// AssignDimCv beyond packed arrays: an element that is there, under a string which is not consumed. Calls nothing.
#[inline(never)]
unsafe fn assign_symbol(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let base = Raw::deref_slot(Frame::slot(fp, (*pc).a()));
        let value = *operand::peek(fp, lits, (*pc).c());
        if !value.is_counted() && value.tag != tag::UNDEF {
            let slot = own_symbol(fp, lits, *base, (*pc).b());
            if !slot.is_null() && operand::is_plainly_overwritten(*slot) {
                operand::overwrite_plainly(slot, value);
                next!(pc, fp, vm, lits, 1)
            }
        }
        assign_element(pc, fp, vm, lits)
    }
}

/// AssignDim for arrays of all kinds; the rest is [`assign_slow`]'s.
#[inline(never)]
unsafe fn assign_element(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let (a, b, c) = ((*pc).a(), (*pc).b(), (*pc).c());
        let value = *operand::peek(fp, lits, c);
        let is_place = a != jumbo_bytecode::THIS && ((*Frame::slot(fp, a)).tag == tag::PTR || !operand::is_temp(fp, a));
        if is_place && value.tag != tag::UNDEF && value.tag != tag::REF {
            let base = Raw::deref_slot(operand::place(fp, a));
            // An array that is put into itself takes the way that makes a copy first.
            if (*base).is_array() && (*base).bits != value.bits {
                let key = if b == NONE { Raw::NULL } else { *operand::peek(fp, lits, b) };
                let slot = if b == NONE {
                    raw::push_slot(raw::separate(base))
                } else if key.tag == tag::INT {
                    raw::find_or_insert_int(raw::separate(base), key.as_int())
                } else if key.is_string() {
                    match key.as_str().as_index() {
                        Some(n) => raw::find_or_insert_int(raw::separate(base), n),
                        None => raw::find_or_insert_str(raw::separate(base), key.str_ptr()),
                    }
                } else {
                    std::ptr::null_mut()
                };
                if !slot.is_null() && (*slot).tag != tag::REF {
                    if !operand::is_temp(fp, c) {
                        value.add_ref();
                    }
                    let old = *slot;
                    *slot = value;
                    if b != NONE {
                        operand::consume(fp, b);
                    }
                    if old.is_counted() {
                        save(vm, fp, pc);
                        tri!(super::moves::release_checked(vm, old), pc, fp, vm);
                    }
                    next!(pc, fp, vm, lits, 1)
                }
            }
        }
        save(vm, fp, pc);
        tri!(assign_slow(vm, fp, lits, pc, NONE), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }
}

/// One byte of a string by an int key in range, as a value; UNDEF: anything else.
#[inline(always)]
unsafe fn byte_of_string(base: Raw, key: Raw) -> Raw {
    // SAFETY: both are live.
    unsafe {
        if base.is_string() && key.tag == tag::INT
            && let Some(&byte) = base.as_str().as_bytes().get(key.as_int() as usize)
        {
            return PStr::single_byte(byte).into_raw();
        }
        Raw::UNDEF
    }
}

/// The element of a packed array for an int key; null: not there, or not that. Nothing is consumed.
#[inline(always)]
unsafe fn packed_element(base: *const Raw, key: *const Raw) -> *mut Raw {
    // SAFETY: both operands are live.
    unsafe {
        let base = (*base).deref();
        if base.is_array() && (*key).tag == tag::INT {
            return raw::find_packed(base.array_ptr(), (*key).as_int());
        }
        std::ptr::null_mut()
    }
}

/// The element that an IssetDim or EmptyDim asks for (null: there is none), if that can be told without a call and nothing is consumed.
#[inline(always)]
unsafe fn known_element(pc: *const Insn, fp: *mut Frame, lits: *const Raw) -> Option<*mut Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let (b, c) = ((*pc).b(), (*pc).c());
        let base = operand::read(fp, lits, b);
        let key = operand::read(fp, lits, c);
        if !base.is_array() || operand::is_temp(fp, b) || operand::is_temp(fp, c) {
            return None;
        }
        if key.is_string() {
            let hash = raw::symbol_hash(key.str_ptr());
            return if hash != 0 { Some(raw::find_symbol(base.array_ptr(), key.str_ptr(), hash)) } else { None };
        }
        let slot = packed_element(&base, &key);
        if slot.is_null() { None } else { Some(slot) }
    }
}

/// The element of the array in variable `b` under literal `c`, a string that is no number; null: there is none. UNTOLD: it is no array, or that takes
/// comparing texts.
#[inline(always)]
unsafe fn known_literal(pc: *const Insn, fp: *mut Frame, lits: *const Raw) -> *mut Raw {
    // SAFETY: as the handlers; literals have their hashes.
    unsafe {
        let base = (*Frame::slot(fp, (*pc).b())).deref();
        if !base.is_array() {
            return raw::UNTOLD;
        }
        let key = (*lits.add((*pc).c() as usize)).str_ptr();
        raw::find_known_symbol(base.array_ptr(), key, (*key).hash.get())
    }
}

/// IssetDim beyond elements that are told at once.
#[inline(never)]
unsafe fn isset_element(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw, c: u16) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let b = (*pc).b();
        let base = operand::read(fp, lits, b);
        let key = operand::read(fp, lits, c);
        if base.is_array() && (key.tag == tag::INT || key.is_string()) {
            let slot = find(base.array_ptr(), key);
            let set = !slot.is_null() && !(*slot).deref().is_nullish();
            operand::consume(fp, b);
            operand::consume(fp, c);
            *Frame::slot(fp, (*pc).a()) = Raw::bool(set);
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        let set = tri!(isset_slow(vm, fp, lits, b, c, false), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = Raw::bool(set);
        next!(pc, fp, vm, lits, 1)
    }
}

/// DimR and DimRR beyond packed arrays: an element under a string which is not consumed. Calls nothing.
#[inline(never)]
unsafe fn read_symbol(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        let (b, c) = ((*pc).b(), (*pc).c());
        let slot = find_symbol(operand::read(fp, lits, b), operand::read(fp, lits, c));
        if slot.is_null() || operand::is_temp(fp, c) || !operand::release_shared(fp, b) {
            return read_element(pc, fp, vm, lits);
        }
        let value = (*slot).deref();
        value.add_ref();
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 1)
    }
}

/// DimRL beyond packed arrays. Calls nothing for an element under a string.
#[inline(never)]
unsafe fn read_literal_symbol(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let (base, key) = ((*Frame::slot(fp, (*pc).b())).deref(), *lits.add((*pc).c() as usize));
        if base.is_array() && key.is_string() {
            let hash = raw::symbol_hash(key.str_ptr());
            let slot = if hash == 0 { raw::UNTOLD } else { raw::find_known_symbol(base.array_ptr(), key.str_ptr(), hash) };
            if !slot.is_null() && !std::ptr::eq(slot, raw::UNTOLD) {
                let value = (*slot).deref();
                value.add_ref();
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 1)
            }
        }
        cold!(pc, fp, vm, lits, {
            let base = (*Frame::slot(fp, (*pc).b())).deref();
            let slot = if base.is_array() { find(base.array_ptr(), *lits.add((*pc).c() as usize)) } else { std::ptr::null_mut() };
            if slot.is_null() {
                return read_offset(pc, fp, vm, lits, (*pc).c() | LITERAL);
            }
            let value = (*slot).deref();
            value.add_ref();
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 1)
        })
    }
}

/// DimR and DimRR beyond the plain elements.
#[inline(never)]
unsafe fn read_element(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        let (b, c) = ((*pc).b(), (*pc).c());
        let base = operand::read(fp, lits, b);
        let key = operand::read(fp, lits, c);
        if base.is_array() {
            let slot = find(base.array_ptr(), key);
            if !slot.is_null() {
                let value = (*slot).deref();
                value.add_ref();
                operand::consume(fp, b);
                operand::consume(fp, c);
                *Frame::slot(fp, (*pc).a()) = value;
                if jumbo_value::Heap::current_has_dying() {
                    // The array ended with the read, and objects in it.
                    save(vm, fp, pc);
                    if let Err(stop) = crate::objects::run_destructors(Vm::cx(vm)) {
                        value.release();
                        return crate::unwind::unwind(stop, pc, fp, vm);
                    }
                }
                next!(pc, fp, vm, lits, 1)
            }
        }
        read_offset(pc, fp, vm, lits, c)
    }
}

/// DimRV beyond packed arrays.
#[inline(never)]
unsafe fn read_into_variable(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        let (b, c) = ((*pc).b(), (*pc).c());
        let base = operand::read(fp, lits, b);
        let key = operand::read(fp, lits, c);
        let to = Frame::slot(fp, (*pc).a());
        let mut value = Raw::UNDEF;
        if base.is_array() {
            let slot = find(base.array_ptr(), key);
            if !slot.is_null() {
                value = (*slot).deref();
                value.add_ref();
            }
        } else {
            value = byte_of_string(base, key);
        }
        if value.tag != tag::UNDEF && !(*to).is_counted() && !operand::is_temp(fp, b) && !operand::is_temp(fp, c) {
            *to = value;
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        if value.tag == tag::UNDEF {
            value = tri!(read_slow(vm, fp, lits, b, c, false), pc, fp, vm);
        } else {
            operand::consume(fp, b);
            operand::consume(fp, c);
        }
        // Destructors of what died with the operands run with those of the variable's old value.
        tri!(crate::types::assign(vm, to, value), pc, fp, vm);
        if jumbo_value::Heap::current_has_dying() {
            tri!(crate::objects::run_destructors(Vm::cx(vm)), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }
}

/// A read of a string's byte, and the rest.
#[inline(never)]
unsafe fn read_offset(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw, key: u16) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        let b = (*pc).b();
        let byte = byte_of_string(operand::read(fp, lits, b), operand::read(fp, lits, key));
        if byte.tag != tag::UNDEF {
            operand::consume(fp, b);
            *Frame::slot(fp, (*pc).a()) = byte;
            next!(pc, fp, vm, lits, 1)
        }
        save(vm, fp, pc);
        let value = tri!(read_slow(vm, fp, lits, b, key, false), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 1)
    }
}

/// DimIs beyond elements of variables that are told without a call.
#[inline(never)]
unsafe fn read_quietly(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw, c: u16) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let b = (*pc).b();
        let base = operand::read(fp, lits, b);
        let key = operand::read(fp, lits, c);
        let mut value = if base.is_array() && (key.tag == tag::INT || key.is_string()) {
            let slot = find(base.array_ptr(), key);
            let value = if slot.is_null() { Raw::NULL } else { (*slot).deref() };
            value.add_ref();
            value
        } else {
            byte_of_string(base, key)
        };
        if value.tag != tag::UNDEF {
            operand::consume(fp, b);
            operand::consume(fp, c);
        }
        if value.tag == tag::UNDEF {
            save(vm, fp, pc);
            value = tri!(read_slow(vm, fp, lits, b, c, true), pc, fp, vm);
        } else if jumbo_value::Heap::current_has_dying() {
            // The array ended with the read, and objects in it.
            save(vm, fp, pc);
            if let Err(stop) = crate::objects::run_destructors(Vm::cx(vm)) {
                value.release();
                return crate::unwind::unwind(stop, pc, fp, vm);
            }
        }
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 1)
    }
}

/// Everything that the fast paths of reading do not take.
#[inline(never)]
unsafe fn read_slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, b: u16, c: u16, quiet: bool) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let base = if b == THIS {
            Ok(super::calls::this_of(fp).map_or(Value::null(), Value::from))
        } else if quiet {
            Ok(Value::from_raw(operand::take(fp, lits, b)).into_deref())
        } else {
            operand::take_value(vm, fp, lits, b)
        };
        let base = match base {
            Ok(base) => base,
            Err(stop) => {
                operand::consume(fp, c);
                return Err(stop);
            }
        };
        if base.is_object() && (*fp).function().is(jumbo_abi::func_flags::THUNK) {
            operand::consume(fp, c);
            return Err(Vm::cx(vm).throw_error(b"Cannot use [] on objects in constant expression"));
        }
        let key = operand::take_value(vm, fp, lits, c)?;
        let result = dim::read(Vm::cx(vm), &base, &key, quiet);
        drop((key, base));
        let value = result?;
        if jumbo_value::Heap::current_has_dying() {
            crate::objects::run_destructors(Vm::cx(vm))?;
        }
        Ok(value.into_raw())
    }
}

/// ListDim of anything but an element of a packed array.
#[inline(never)]
unsafe fn list_element(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        let (base, c) = ((*Frame::slot(fp, (*pc).b())).deref(), (*pc).c());
        let slot = find_symbol(base, *operand::peek(fp, lits, c));
        let value = if !slot.is_null() && !operand::is_temp(fp, c) {
            (*slot).deref().copied()
        } else {
            save(vm, fp, pc);
            tri!(list_dim(vm, fp, lits, pc), pc, fp, vm)
        };
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 1)
    }
}

#[inline(never)]
unsafe fn list_dim(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<Raw> {
    // SAFETY: as the handler; `b` stays.
    unsafe {
        let base = (*Frame::slot(fp, (*pc).b())).deref();
        let key = operand::take_value(vm, fp, lits, (*pc).c())?;
        let base = base.copied().into_value();
        if !base.is_array() && !base.is_object() {
            return Ok(Raw::NULL);
        }
        dim::read(Vm::cx(vm), &base, &key, false).map(Value::into_raw)
    }
}

#[inline(never)]
unsafe fn isset_slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, b: u16, c: u16, empty: bool) -> Res<bool> {
    // SAFETY: as the handlers.
    unsafe {
        let key = operand::take_value(vm, fp, lits, c)?;
        let base = if b == jumbo_bytecode::THIS {
            super::calls::this_of(fp).map_or(Value::null(), Value::from)
        } else {
            Value::from_raw(operand::take(fp, lits, b)).into_deref()
        };
        let answer = dim::has(Vm::cx(vm), &base, &key, empty)?;
        drop(key);
        super::moves::release_checked(vm, base.into_raw())?;
        Ok(answer)
    }
}

/// The container place of a writing opcode: for `$this`, a slot that holds the object for the time being.
#[inline(never)]
unsafe fn container(vm: *mut Vm, fp: *mut Frame, w: u16, this: &mut Raw) -> Res<*mut Raw> {
    // SAFETY: as the handlers.
    unsafe {
        if w == jumbo_bytecode::THIS {
            if (*fp).this.is_null() {
                return Err(Vm::cx(vm).throw_error(b"Using $this when not in object context"));
            }
            *this = Raw { tag: tag::OBJECT, bits: (*fp).this as u64 };
            return Ok(this);
        }
        Ok(operand::place(fp, w))
    }
}

/// Does reading the operand warn (an undefined variable)?
#[inline(always)]
unsafe fn warns(fp: *mut Frame, o: u16) -> bool {
    // SAFETY: as the handlers.
    unsafe { o & LITERAL == 0 && !operand::is_temp(fp, o) && (*Frame::slot(fp, o)).is_undef() }
}

/// Is the operand the variable in `base` itself? (`$a[$a] = 1` makes an array of null, which is no key then.)
unsafe fn is_slot(fp: *mut Frame, o: u16, base: *mut Raw) -> bool {
    // SAFETY: as the handlers.
    unsafe { o & LITERAL == 0 && !operand::is_temp(fp, o) && o != THIS && std::ptr::eq(Raw::deref_slot(Frame::slot(fp, o)), Raw::deref_slot(base)) }
}

/// The key (NONE: none) and the value of a write into `base`. Their warnings come when PHP knows the container already: `None` when a
/// handler took it away, so that the write is dropped.
#[inline(never)]
unsafe fn operands(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, base: *mut Raw, key: u16, value: u16) -> Res<Option<(Option<Value>, Value)>> {
    // SAFETY: as the handlers; pins keep the container's slot.
    unsafe {
        let take = || -> Res<(Option<Value>, Value)> {
            let taken_key = if key == NONE { Ok(None) } else { operand::take_value(vm, fp, lits, key).map(Some) };
            let taken_key = match taken_key {
                Ok(k) => k,
                Err(stop) => {
                    if value != NONE {
                        operand::consume(fp, value);
                    }
                    return Err(stop);
                }
            };
            let taken_value = if value == NONE { Value::null() } else { operand::take_value(vm, fp, lits, value)? };
            Ok((taken_key, taken_value))
        };
        if !(key != NONE && (warns(fp, key) || is_slot(fp, key, base))) && !(value != NONE && warns(fp, value)) {
            return take().map(Some);
        }
        let object = (*base).deref();
        if object.is_object() {
            let held = object.copied().into_value();
            return take().map(Some).map_err(|stop| crate::objects::refuse_as_array(Vm::cx(vm), &held, stop));
        }
        if object.is_string() {
            return take().map(Some);
        }
        let container = match dim::become_array(Vm::cx(vm), base, dim::Access::Write) {
            Ok(container) => container,
            Err(stop) => {
                for o in [key, value] {
                    if o != NONE {
                        operand::consume(fp, o);
                    }
                }
                return Err(stop);
            }
        };
        match container {
            dim::Container::Array => dim::guarded(base, take),
            dim::Container::Other => take().map(Some),
            dim::Container::Gone => {
                for o in [key, value] {
                    if o != NONE {
                        operand::consume(fp, o);
                    }
                }
                Ok(None)
            }
        }
    }
}

/// Ends the use of a container operand: a temporary that is no place holds a value.
#[inline(always)]
unsafe fn free_container(fp: *mut Frame, w: u16) {
    // SAFETY: as the handlers.
    unsafe {
        if operand::is_temp(fp, w) && (*Frame::slot(fp, w)).tag != tag::PTR {
            (*Frame::slot(fp, w)).release();
        }
    }
}

#[inline(never)]
unsafe fn fetch_place(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, access: dim::Access) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let b = (*pc).b();
        let result = fetch_place_in(vm, fp, lits, pc, access);
        let place = match result {
            Ok(place) => place,
            Err(stop) => {
                free_container(fp, b);
                return Err(stop);
            }
        };
        if operand::is_temp(fp, b) && (*Frame::slot(fp, b)).tag != tag::PTR {
            let held = *Frame::slot(fp, b);
            if held.tag == tag::REF && !held.header().is_unique() {
                // A reference that somebody else has too (of `&offsetGet` or `&__get`): the place is in there.
                held.release();
                return Ok(place.into_raw());
            }
            // The container was a value: what the place points at stays alive through it only until here.
            let value = place.detach();
            held.release();
            return Ok(value);
        }
        Ok(place.into_raw())
    }
}

unsafe fn fetch_place_in(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, access: dim::Access) -> Res<dim::Place> {
    // SAFETY: as the handlers.
    unsafe {
        let (b, c) = ((*pc).b(), (*pc).c());
        let mut this = Raw::NULL;
        let base = container(vm, fp, b, &mut this)?;
        if (*base).is_undef() && matches!(access, dim::Access::ReadWrite | dim::Access::Unset) && !operand::is_temp(fp, b) && b != THIS {
            if let Err(stop) = operand::undefined(vm, fp, b) {
                if access == dim::Access::ReadWrite && (*base).is_undef() {
                    // An array from now on, also when a handler throws, and what is no key is refused on top.
                    *base = PArray::new().into_raw();
                    despite::despite(Vm::cx(vm), |_| {
                        let key = operand::take_value(vm, fp, lits, c)?;
                        dim::place(vm, base, Some(&key), access).map(drop)
                    });
                } else {
                    operand::consume(fp, c);
                }
                return Err(stop);
            }
        }
        let key = if access == dim::Access::Unset {
            match (*base).deref().tag {
                tag::TRUE | tag::INT | tag::FLOAT => {
                    // Refused before the key is read.
                    operand::consume(fp, c);
                    Some(Value::null())
                }
                tag::FALSE => {
                    let place = dim::place(vm, base, Some(&Value::null()), access)?;
                    operand::take_value(vm, fp, lits, c)?;
                    return Ok(place);
                }
                _ => Some(operand::take_value(vm, fp, lits, c)?),
            }
        } else {
            if let Err(stop) = dim::become_array_behind_reference(Vm::cx(vm), base) {
                operand::consume(fp, c);
                return Err(stop);
            }
            match operands(vm, fp, lits, base, c, NONE)? {
                Some((key, _)) => key,
                None => return Ok(dim::Place::Value(Value::null())),
            }
        };
        if access == dim::Access::Write
            && (*base).deref().is_object()
            && let Some(key) = &key
            && bind_element(vm, fp, pc, &(*base).deref().copied().into_value(), key)?
        {
            return Ok(dim::Place::Value(Value::undef()));
        }
        let access = match access {
            _ if (*base).deref().is_string() => used_as(pc, access),
            other => other,
        };
        dim::place(vm, base, key.as_ref(), access)
    }
}

/// `$object[key] = &…` where the class keeps references: the element is bound when it is fetched, as no pointer leads to it. The instruction
/// behind the fetch, which would bind it, finds an undefined place and knows.
unsafe fn bind_element(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, object: &Value, key: &Value) -> Res<bool> {
    // SAFETY: code goes on behind a fetch.
    unsafe {
        let next = *pc.add((*pc).op().words());
        if !matches!(next.op(), Op::AssignRef | Op::AssignRefCall) || next.a() != (*pc).a() {
            return Ok(false);
        }
        let Some(object) = object.as_object() else { return Ok(false) };
        let class = jumbo_abi::ClassPtr::of(object);
        let Some(bind) = class.hooks.dim_bind.filter(|_| class.reads_offsets_natively()) else { return Ok(false) };
        let variable = operand::place(fp, next.b());
        let was_undef = next.op() == Op::AssignRef && (*variable).is_undef();
        let source = match next.op() {
            Op::AssignRef => operand::make_ref(variable).into_value(),
            _ if operand::is_temp(fp, next.b()) => (*Frame::slot(fp, next.b())).copied().into_value(),
            _ => return Ok(false),
        };
        let cx = Vm::cx(vm);
        if let Some(reference) = source.as_ref() {
            let bound = bind(cx, object, key, reference);
            if bound.is_err() && was_undef {
                // The variable has not been taken then.
                std::mem::replace(&mut *variable, Raw::UNDEF).release();
            }
            return bound.map(|()| true);
        }
        let Some(place) = class.hooks.dim_place else { return Ok(false) };
        cx.raise(jumbo_abi::Level::Notice, super::moves::ONLY_VARIABLES)?;
        if let Some(mut element) = place(cx, object, Some(key), true)? {
            types::assign(vm, (&raw mut element).cast(), source.into_raw())?;
        }
        Ok(true)
    }
}

/// What the instruction behind a fetch makes of a string offset, which is an error in each case.
unsafe fn used_as(pc: *const Insn, access: dim::Access) -> dim::Access {
    // SAFETY: code goes on behind a fetch.
    unsafe {
        let a = (*pc).a();
        let next = *pc.add((*pc).op().words());
        match next.op() {
            Op::PropUnset | Op::UnsetProp => dim::Access::UnsetObject,
            Op::AssignPropRef if next.a() == a => dim::Access::Object,
            Op::AssignRef if next.a() == a || next.b() == a => dim::Access::Reference,
            Op::MakeRef | Op::IterInitRef | Op::ReturnRef | Op::AssignPropRef => dim::Access::Reference,
            Op::IncPtr => dim::Access::Increment,
            Op::PropW | Op::PropRW | Op::AssignProp | Op::AssignPropOp | Op::IncProp => dim::Access::Object,
            Op::DimRW if next.b() == a && access == dim::Access::ReadWrite => dim::Access::Nested,
            Op::AssignDimOp if next.a() == a && access == dim::Access::ReadWrite => dim::Access::Nested,
            _ => access,
        }
    }
}

#[inline(never)]
unsafe fn assign_slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, result: u16) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let (a, b, c) = ((*pc).a(), (*pc).b(), (*pc).c());
        let mut this = Raw::NULL;
        let shown = (|| -> Res<Value> {
            let base = container(vm, fp, a, &mut this)?;
            if warns(fp, c) && (*base).deref().is_string() {
                // What is no offset is refused before the value is read.
                if b == NONE {
                    return Err(Vm::cx(vm).throw_error(b"[] operator not supported for strings"));
                }
                let Some((key, _)) = operands(vm, fp, lits, base, b, NONE)? else { return Ok(Value::null()) };
                if (*base).deref().is_string() {
                    let value = || despite::or_null(operand::take_value(vm, fp, lits, c));
                    return dim::assign_string(Vm::cx(vm), base, key.as_ref(), value);
                }
                // A handler has put something else there.
                let value = operand::take_value(vm, fp, lits, c)?;
                return dim::assign(vm, base, key.as_ref(), value);
            }
            if warns(fp, c) && !(*base).deref().is_object() && !(*base).deref().is_string() {
                // An element with a key is there before its value is read.
                let Some((key, _)) = operands(vm, fp, lits, base, b, NONE)? else { return Ok(Value::null()) };
                let key = match key {
                    Some(key) => {
                        let dim::Place::At(_) = dim::place(vm, base, Some(&key), dim::Access::Write)? else { return Ok(Value::null()) };
                        Some(known_key(key))
                    }
                    // One without a key comes afterwards.
                    None => match dim::become_array(Vm::cx(vm), base, dim::Access::Write)? {
                        dim::Container::Array => None,
                        _ => return Ok(Value::null()),
                    },
                };
                let value = match dim::guarded(base, || despite::or_null(operand::take_value(vm, fp, lits, c)))? {
                    Some((value, None)) => value,
                    Some((null, Some(stop))) => {
                        despite::despite(Vm::cx(vm), |_| dim::assign(vm, base, key.as_ref(), null));
                        return Err(stop);
                    }
                    None => return Ok(Value::null()),
                };
                return dim::assign(vm, base, key.as_ref(), value);
            }
            match operands(vm, fp, lits, base, b, c)? {
                Some((key, value)) => dim::assign(vm, base, key.as_ref(), value),
                None => Ok(Value::null()),
            }
        })();
        free_container(fp, a);
        let shown = shown?;
        if result != NONE {
            *Frame::slot(fp, result) = shown.into_raw();
        } else {
            drop(shown);
        }
        finish(vm, fp, result)
    }
}

/// A key whose conversion was complained of, so that it is not again.
fn known_key(key: Value) -> Value {
    match key.view_deref() {
        View::Float(f) => Value::from(number::float_to_int(f)),
        View::Resource(r) => Value::from(r.id()),
        _ => key,
    }
}

/// Destructors of what the instruction let go.
unsafe fn finish(vm: *mut Vm, fp: *mut Frame, result: u16) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        if jumbo_value::Heap::current_has_dying()
            && let Err(stop) = crate::objects::run_destructors(Vm::cx(vm))
        {
            if result != NONE {
                // A result is nobody's when its instruction fails.
                (*Frame::slot(fp, result)).release();
            }
            return Err(stop);
        }
        Ok(())
    }
}

#[inline(never)]
unsafe fn assign_op(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let (a, b, c) = ((*pc).a(), (*pc).b(), (*pc).c());
        let ext = (*pc.add(1)).0;
        let operator = BinaryOp::from_u16((ext >> 16) as u16).unwrap_or(BinaryOp::Add);
        let mut this = Raw::NULL;
        let shown = (|| -> Res<Value> {
            let base = container(vm, fp, a, &mut this)?;
            if (*base).is_undef()
                && !operand::is_temp(fp, a)
                && a != THIS
                && let Err(stop) = operand::undefined(vm, fp, a)
            {
                if (*base).is_undef() {
                    // An array from now on, also when a handler throws: what is no key is refused on top, a new element is made.
                    *base = PArray::new().into_raw();
                    despite::despite(Vm::cx(vm), |_| {
                        if b != NONE {
                            let key = operand::take_value(vm, fp, lits, b)?;
                            return dim::place(vm, base, Some(&key), dim::Access::ReadWrite).map(drop);
                        }
                        dim::assign(vm, base, None, Value::null())?;
                        let value = operand::read(fp, lits, c).deref().copied().into_value();
                        match operator {
                            BinaryOp::Concat => Ok(()),
                            _ => dim::assign_op(vm, base, Some(&Value::from(0)), operator, value).map(drop),
                        }
                    });
                } else if b != NONE {
                    operand::consume(fp, b);
                }
                operand::consume(fp, c);
                return Err(stop);
            }
            if b != NONE && matches!((*base).deref().tag, tag::TRUE | tag::INT | tag::FLOAT) {
                // The key is read before the container is refused, and this is told on top of what a handler throws.
                drop(despite::or_null(operand::take_value(vm, fp, lits, b))?);
                let stop = Vm::cx(vm).throw_error(b"Cannot use a scalar value as an array");
                operand::consume(fp, c);
                return Err(stop);
            }
            if (*base).deref().is_string() {
                // An error in each case: the value is not read.
                let refused = operands(vm, fp, lits, base, b, NONE).and_then(|taken| {
                    let (key, _) = taken.unwrap_or_default();
                    dim::assign_op(vm, base, key.as_ref(), operator, Value::null())
                });
                operand::consume(fp, c);
                return refused;
            }
            // A variable that the container's reference is shared with has become an array when it is read.
            let becomes_array = || ((*base).deref().is_nullish() || (*base).deref().tag == tag::FALSE) && is_slot(fp, c, base);
            if (warns(fp, c) || becomes_array()) && !(*base).deref().is_object() && !(*base).deref().is_string() {
                // The element is looked for, with its own warning, before the value is read.
                let Some((key, _)) = operands(vm, fp, lits, base, b, NONE)? else { return Ok(Value::null()) };
                let dim::Place::At(_) = dim::place(vm, base, key.as_ref(), dim::Access::Operation)? else { return Ok(Value::null()) };
                let key = key.map_or_else(|| dim::last_key(base), known_key);
                let value = match dim::guarded(base, || despite::or_null(operand::take_value(vm, fp, lits, c)))? {
                    Some((value, None)) => value,
                    Some((null, Some(stop))) => {
                        if operator != BinaryOp::Concat {
                            despite::despite(Vm::cx(vm), |_| dim::assign_op(vm, base, Some(&key), operator, null));
                        }
                        return Err(stop);
                    }
                    None => return Ok(Value::null()),
                };
                return dim::assign_op(vm, base, Some(&key), operator, value);
            }
            match operands(vm, fp, lits, base, b, c) {
                Ok(Some((key, value))) => dim::assign_op(vm, base, key.as_ref(), operator, value),
                Ok(None) => Ok(Value::null()),
                // It was to be read and to be written.
                Err(stop) => Err(crate::objects::refuse_as_array(Vm::cx(vm), (*base).as_value(), stop)),
            }
        })();
        free_container(fp, a);
        let shown = shown?;
        let result = ext as u16;
        if result != NONE {
            *Frame::slot(fp, result) = shown.into_raw();
        } else {
            drop(shown);
        }
        finish(vm, fp, result)
    }
}

/// Takes an element out of a variable's array that nobody else holds, when nothing ends with it that has a destructor; false: it was something else, and
/// nothing was done.
#[inline(never)]
unsafe fn unset_plainly(fp: *mut Frame, lits: *const Raw, a: u16, b: u16) -> bool {
    // SAFETY: as the handler; a found slot is one of the array's.
    unsafe {
        if a == THIS || operand::is_temp(fp, a) || operand::is_temp(fp, b) {
            return false;
        }
        let (base, key) = ((*Frame::slot(fp, a)).deref(), operand::read(fp, lits, b));
        if base.tag != tag::ARRAY_COUNTED || !base.header().is_unique() {
            return false;
        }
        let slot = find(base.array_ptr(), key);
        if slot.is_null() {
            return key.tag == tag::INT || key.is_string();
        }
        let is_plain = !(*slot).is_counted() || (*slot).is_string();
        if is_plain {
            raw::take_slot(base.array_ptr(), slot).release();
        }
        is_plain
    }
}

#[inline(never)]
unsafe fn unset(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let (a, b) = ((*pc).a(), (*pc).b());
        let mut this = Raw::NULL;
        let done = (|| -> Res<()> {
            let base = container(vm, fp, a, &mut this)?;
            if (*base).is_undef() && !operand::is_temp(fp, a) && a != THIS {
                operand::undefined(vm, fp, a)?;
            }
            let key = if warns(fp, b) && (*base).deref().is_array() {
                dim::guarded(base, || operand::take_value(vm, fp, lits, b))?
            } else {
                let (key, thrown) = despite::or_null(operand::take_value(vm, fp, lits, b))?;
                if let Some(stop) = thrown {
                    if !(*base).deref().is_object() {
                        // What it is that nothing can be taken out of is told on top.
                        despite::despite(Vm::cx(vm), |_| dim::unset(vm, base, &key));
                    }
                    return Err(stop);
                }
                Some(key)
            };
            match key {
                Some(key) => dim::unset(vm, base, &key),
                None => Ok(()),
            }
        })();
        free_container(fp, a);
        done?;
        finish(vm, fp, NONE)
    }
}

/// An element for an array literal: references stay references (they were made on purpose by MakeRef).
#[inline(never)]
unsafe fn element(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        if operand::is_temp(fp, o) {
            return Ok(*Frame::slot(fp, o));
        }
        operand::take_checked(vm, fp, lits, o)
    }
}

#[inline(never)]
unsafe fn array_push(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, array: u16, value: u16) -> Res<()> {
    // SAFETY: as the handler; the temporary holds the array under construction.
    unsafe {
        let value = match element(vm, fp, lits, value) {
            Err(stop) if stop != Stop::Thrown => return Err(stop),
            value => value,
        };
        let slot = raw::push_slot(raw::separate(Frame::slot(fp, array)));
        if slot.is_null() {
            // Told of on top of what the value has thrown.
            let stop = dim::next_occupied(Vm::cx(vm));
            value?.release();
            return Err(stop);
        }
        *slot = value?;
        Ok(())
    }
}

#[inline(never)]
unsafe fn array_set(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        // The value is read before the key.
        let value = match element(vm, fp, lits, (*pc).c()) {
            Ok(value) => Value::from_raw(value),
            Err(stop) => {
                // What is no key is refused on top.
                despite::despite(Vm::cx(vm), |_| {
                    let key = operand::take_value(vm, fp, lits, (*pc).b())?;
                    dim::key(Vm::cx(vm), &key, dim::KeyUse::Literal)
                });
                return Err(stop);
            }
        };
        let key = operand::take_value(vm, fp, lits, (*pc).b())?;
        let key = match dim::key(Vm::cx(vm), &key, dim::KeyUse::Literal) {
            Ok(key) => key,
            Err(stop) => {
                // The value ends before the key.
                drop(value);
                return Err(stop);
            }
        };
        let array = Frame::slot(fp, (*pc).a());
        let a = raw::separate(array);
        let slot = match &key {
            jumbo_value::Key::Int(i) => raw::find_or_insert_int(a, *i),
            jumbo_value::Key::Str(s) => raw::find_or_insert_str(a, s.as_ptr()),
        };
        let old = *slot;
        *slot = value.into_raw();
        old.release();
        Ok(())
    }
}

#[inline(never)]
unsafe fn array_spread(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler; the array under construction is nobody else's.
    unsafe {
        let value = match operand::take_value(vm, fp, lits, (*pc).b()) {
            Ok(value) => value,
            Err(stop) => {
                despite::despite(Vm::cx(vm), |cx| Err::<(), _>(cx.throw_error(not_unpackable_text(&Value::null()))));
                return Err(stop);
            }
        };
        let target: *mut Value = Frame::slot(fp, (*pc).a()).cast();
        if value.is_object() && (*pc).c() != 0 {
            return Err(Vm::cx(vm).throw_error(b"Only arrays can be unpacked in constant expression"));
        }
        let mut array = std::mem::take(&mut *target).as_array().cloned().unwrap_or_default();
        let result = spread_into(Vm::cx(vm), &mut array, &value);
        *target = Value::from(array);
        result
    }
}

pub fn not_unpackable_text(value: &Value) -> Vec<u8> {
    [b"Only arrays and Traversables can be unpacked, ".as_slice(), &jumbo_abi::args::type_name(value), b" given"].concat()
}

fn spread_into(cx: &mut jumbo_abi::Cx, array: &mut PArray, value: &Value) -> Res<()> {
    if let Some(from) = value.as_array() {
        for (k, v) in from {
            let v = v.copy_element();
            match k {
                jumbo_value::KeyRef::Str(s) => array.set_str(s, v),
                jumbo_value::KeyRef::Int(_) => {
                    if array.push(v).is_err() {
                        return Err(dim::next_occupied(cx));
                    }
                }
            }
        }
        return Ok(());
    }
    if !value.as_object().is_some_and(|o| crate::iteration::is_traversable(cx, o)) {
        let text = not_unpackable_text(value);
        return Err(if value.is_object() { cx.type_error(text) } else { cx.throw_error(text) });
    }
    cx.iterate(value, &mut |cx, k, v| {
        let name = k.as_str().map(jumbo_value::Key::from_str).filter(|key| matches!(key, jumbo_value::Key::Str(_)));
        if let Some(name) = name {
            array.set(name, v.copy_deref());
        } else if k.as_int().is_some() || k.as_str().is_some() {
            if array.push(v.copy_deref()).is_err() {
                return Err(dim::next_occupied(cx));
            }
        } else {
            return Err(cx.throw_error(b"Keys must be of type int|string during array unpacking"));
        }
        Ok(true)
    })
}
