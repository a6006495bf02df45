//! Properties of objects and classes, and assignments through PTR temporaries.
//!
//! The inline cache of a property opcode is `class id << 32 | slot`, with [`WRITE_ANY`] or [`WRITE_TYPED`] in the slot's half where a
//! write needs no more than a look at the type. It is filled only where every later execution with the same class would find the same
//! slot: see [`stable`]. An UNDEF slot (unset, uninitialised, or of a lazy object) always takes the slow path.

use super::calls::save;
use super::operand;
use crate::despite;
use crate::dim::Place;
use crate::frame::Frame;
use crate::lookup::text;
use crate::objects::{self, Found, UNINITIALIZED};
use crate::{type_sources, types};
use crate::vm::{Vm, object_clone};
use crate::{cold, arith, class_constants, lookup, next, op, tri};
use jumbo_abi::args::Call;
use jumbo_abi::class::{Property, StaticProperty};
use jumbo_abi::{Class, ClassPtr, Cx, FnDesc, FnPtr, Level, ParamDesc, Res, Stop, class_flags, func_flags, mask, member_flags};
use jumbo_bytecode::unit::{BinaryOp, ClassRef};
use jumbo_bytecode::{Insn, LITERAL, NONE, Op, THIS};
use jumbo_value::array::raw;
use jumbo_value::object::OBJ_SLOTS;
use jumbo_value::{KeyRef, Kind, ObjHeader, PObject, PRef, PStr, Raw, Value, tag};
use jumbo_value::string::up_to_nul;

/// Any value may be stored.
const WRITE_ANY: u32 = 1 << 31;
/// A value of a kind that the slot's type names may be stored.
const WRITE_TYPED: u32 = 1 << 30;
/// A readonly property: only an uninitialised slot may be stored to.
const WRITE_ONCE: u32 = 1 << 29;
/// Of a place that is fetched: it is used as an array, so that it may be the slot of a typed property that holds one.
const AS_ARRAY: u32 = 1 << 28;
const SLOT_MASK: u32 = AS_ARRAY - 1;
/// With the class id: objects of the class have no declared property of the name, and nobody but the table of the dynamic ones has it.
const NOT_DECLARED: u32 = 1 << 31;

#[inline(always)]
unsafe fn slot_at(object: *mut ObjHeader, n: u32) -> *mut Raw {
    // SAFETY: the number comes from a cache filled for the object's class.
    unsafe { object.cast::<u8>().add(OBJ_SLOTS).cast::<Raw>().add(n as usize) }
}

#[inline(always)]
unsafe fn class_id(object: *mut ObjHeader) -> u32 {
    // SAFETY: a live object.
    unsafe { (*object).class_id }
}

op! {
    PropR(pc, fp, vm, lits) {
        let b = (*pc).b();
        let cache = (*pc.add(1)).0;
        let object = operand::object(fp, lits, b);
        if !object.is_null() && (cache >> 32) as u32 == class_id(object) {
            let value = (*slot_at(object, cache as u32 & SLOT_MASK)).deref();
            if value.tag != tag::UNDEF {
                if b == THIS || !operand::is_temp_or_this(fp, b) {
                    value.add_ref();
                    *Frame::slot(fp, (*pc).a()) = value;
                    next!(pc, fp, vm, lits, 2)
                }
                return prop_of_temporary(pc, fp, vm, lits);
            }
        }
        cold!(pc, fp, vm, lits, {
            let object = held_object(fp, lits, (*pc).b());
            let known = if (*pc).c() & LITERAL != 0 { other_class(pc, object, lits, (*pc).c()) } else { named_property(pc, fp, object) };
            if let Some(value) = known {
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 2)
            }
            let b = (*pc).b();
            save(vm, fp, pc);
            let value = tri!(read_slow(vm, fp, lits, pc, b, (*pc).c(), false), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 2)
        })
    }

    PropThis(pc, fp, vm, lits) {
        let cache = (*pc.add(1)).0;
        let object = (*fp).this;
        if !object.is_null() && (cache >> 32) as u32 == class_id(object) {
            let value = (*slot_at(object, cache as u32 & SLOT_MASK)).deref();
            if value.tag != tag::UNDEF {
                value.add_ref();
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 2)
            }
        }
        cold!(pc, fp, vm, lits, {
            if let Some(value) = other_class(pc, (*fp).this, lits, (*pc).c() | LITERAL) {
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 2)
            }
            save(vm, fp, pc);
            let value = tri!(read_slow(vm, fp, lits, pc, THIS, (*pc).c() | LITERAL, false), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 2)
        })
    }

    PropIs(pc, fp, vm, lits) {
        let b = (*pc).b();
        let cache = (*pc.add(1)).0;
        let object = operand::object(fp, lits, b);
        if !object.is_null() && (cache >> 32) as u32 == class_id(object) && (b == THIS || !operand::is_temp_or_this(fp, b)) {
            let value = (*slot_at(object, cache as u32 & SLOT_MASK)).deref();
            if value.tag != tag::UNDEF {
                value.add_ref();
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 2)
            }
        }
        cold!(pc, fp, vm, lits, {
            let b = (*pc).b();
            let object = held_object(fp, lits, b);
            let known = if (*pc).c() & LITERAL != 0 { other_class(pc, object, lits, (*pc).c()) } else { named_property(pc, fp, object) };
            if let Some(value) = known {
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 2)
            }
            save(vm, fp, pc);
            let value = tri!(read_slow(vm, fp, lits, pc, b, (*pc).c(), true), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 2)
        })
    }

    PropW(pc, fp, vm, lits) {
        // A property that holds an object, of which a property is written next: the object itself will do.
        if next_writes_property(pc) {
            let value = cached_slot(fp, lits, pc);
            if value.is_object() {
                value.add_ref();
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 2)
            }
        }
        let place = cached_place(fp, lits, pc);
        if !place.is_null() {
            *Frame::slot(fp, (*pc).a()) = Raw::ptr(place);
            next!(pc, fp, vm, lits, 2)
        }
        cold!(pc, fp, vm, lits, {
            let place = own_dynamic_slot(pc, held_object(fp, lits, (*pc).b()), lits, (*pc).c());
            if !place.is_null() {
                *Frame::slot(fp, (*pc).a()) = Raw::ptr(place);
                next!(pc, fp, vm, lits, 2)
            }
            save(vm, fp, pc);
            let place = tri!(fetch_place(vm, fp, lits, pc, false, false), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = place;
            next!(pc, fp, vm, lits, 2)
        })
    }

    PropRW(pc, fp, vm, lits) {
        let place = cached_place(fp, lits, pc);
        if !place.is_null() {
            *Frame::slot(fp, (*pc).a()) = Raw::ptr(place);
            next!(pc, fp, vm, lits, 2)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let place = tri!(fetch_place(vm, fp, lits, pc, true, false), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = place;
            next!(pc, fp, vm, lits, 2)
        })
    }

    PropUnset(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let place = tri!(fetch_place(vm, fp, lits, pc, false, true), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = place;
        next!(pc, fp, vm, lits, 2)
    }

    AssignProp(pc, fp, vm, lits) {
        let cache = (*pc.add(1)).0;
        let object = written_object(fp, lits, (*pc).a());
        if !object.is_null() && (cache >> 32) as u32 == class_id(object) && (*pc.add(2)).0 as u16 == NONE
            && store_plain(object, cache as u32, fp, lits, (*pc).c())
        {
            if drop_written(fp, (*pc).a()) {
                next!(pc, fp, vm, lits, 3)
            }
            return release_written(pc, fp, vm, lits);
        }
        cold!(pc, fp, vm, lits, {
            let a = (*pc).a();
            let object = written_object(fp, lits, a);
            if !object.is_null() && (*pc.add(2)).0 as u16 == NONE {
                let old = store_known(vm, pc, fp, lits, object);
                if old.tag != NOT_STORED.tag {
                    save(vm, fp, pc);
                    if let Err(stop) = super::moves::release_checked(vm, old) {
                        if !drop_written(fp, a) {
                            (*Frame::slot(fp, a)).release();
                        }
                        return crate::unwind::unwind(stop, pc, fp, vm);
                    }
                    return release_written(pc, fp, vm, lits);
                }
            }
            save(vm, fp, pc);
            tri!(assign_slow(vm, fp, lits, pc, a, (*pc).b(), (*pc).c()), pc, fp, vm);
            next!(pc, fp, vm, lits, 3)
        })
    }

    AssignPropThis(pc, fp, vm, lits) {
        let cache = (*pc.add(1)).0;
        let object = (*fp).this;
        if !object.is_null() && (cache >> 32) as u32 == class_id(object) && (*pc.add(2)).0 as u16 == NONE
            && store_plain(object, cache as u32, fp, lits, (*pc).c())
        {
            next!(pc, fp, vm, lits, 3)
        }
        cold!(pc, fp, vm, lits, {
            let object = (*fp).this;
            if !object.is_null() && (*pc.add(2)).0 as u16 == NONE {
                let old = store_known(vm, pc, fp, lits, object);
                if old.tag != NOT_STORED.tag {
                    save(vm, fp, pc);
                    tri!(super::moves::release_checked(vm, old), pc, fp, vm);
                    next!(pc, fp, vm, lits, 3)
                }
            }
            save(vm, fp, pc);
            tri!(assign_slow(vm, fp, lits, pc, THIS, (*pc).b() | LITERAL, (*pc).c()), pc, fp, vm);
            next!(pc, fp, vm, lits, 3)
        })
    }

    AssignPropOp(pc, fp, vm, lits) {
        let object = written_object(fp, lits, (*pc).a());
        if !object.is_null() && ((*pc.add(1)).0 >> 32) as u32 == class_id(object)
            && quick_op(object, (*pc.add(1)).0, fp, lits, pc)
        {
            if drop_written(fp, (*pc).a()) {
                next!(pc, fp, vm, lits, 3)
            }
            return release_written(pc, fp, vm, lits);
        }
        cold!(pc, fp, vm, lits, {
            let object = written_object(fp, lits, (*pc).a());
            if !object.is_null() {
                let cache = crate::sites::find(pc.add(1), class_id(object));
                if cache != 0 && quick_op(object, cache, fp, lits, pc) {
                    return release_written(pc, fp, vm, lits);
                }
                let slot = own_dynamic_slot(pc, object, lits, (*pc).b());
                if !slot.is_null() && quick_op_at(slot, fp, lits, pc) {
                    return release_written(pc, fp, vm, lits);
                }
            }
            save(vm, fp, pc);
            tri!(assign_op(vm, fp, lits, pc), pc, fp, vm);
            next!(pc, fp, vm, lits, 3)
        })
    }

    AssignPropRef(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(assign_ref(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 3)
    }

    IncProp(pc, fp, vm, lits) {
        let object = written_object(fp, lits, (*pc).b());
        if !object.is_null() && ((*pc.add(1)).0 >> 32) as u32 == class_id(object)
            && quick_step(object, (*pc.add(1)).0, fp, pc)
        {
            if drop_written(fp, (*pc).b()) {
                next!(pc, fp, vm, lits, 3)
            }
        } else {
            cold!(pc, fp, vm, lits, {
                let object = written_object(fp, lits, (*pc).b());
                let cache = if object.is_null() { 0 } else { crate::sites::find(pc.add(1), class_id(object)) };
                if cache == 0 || !quick_step(object, cache, fp, pc) {
                    save(vm, fp, pc);
                    tri!(increment(vm, fp, lits, pc), pc, fp, vm);
                } else if !drop_written(fp, (*pc).b()) {
                    save(vm, fp, pc);
                    tri!(super::moves::release_checked(vm, *Frame::slot(fp, (*pc).b())), pc, fp, vm);
                }
                next!(pc, fp, vm, lits, 3)
            })
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            tri!(super::moves::release_checked(vm, *Frame::slot(fp, (*pc).b())), pc, fp, vm);
            next!(pc, fp, vm, lits, 3)
        })
    }

    UnsetProp(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(unset(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    IssetProp(pc, fp, vm, lits) {
        let value = cached_slot(fp, lits, pc);
        if value.tag != tag::UNDEF {
            *Frame::slot(fp, (*pc).a()) = Raw::bool(value.tag != tag::NULL);
            next!(pc, fp, vm, lits, 2)
        }
        cold!(pc, fp, vm, lits, {
            let slot = dynamic_slot(pc, held_object(fp, lits, (*pc).b()), lits, (*pc).c());
            let set = if slot.is_null() {
                save(vm, fp, pc);
                tri!(isset(vm, fp, lits, pc, false), pc, fp, vm)
            } else {
                !(*slot).deref().is_nullish()
            };
            *Frame::slot(fp, (*pc).a()) = Raw::bool(set);
            next!(pc, fp, vm, lits, 2)
        })
    }

    EmptyProp(pc, fp, vm, lits) {
        let value = cached_slot(fp, lits, pc);
        if value.tag != tag::UNDEF
            && let Some(full) = super::jumps::plain_truth(value)
        {
            *Frame::slot(fp, (*pc).a()) = Raw::bool(!full);
            next!(pc, fp, vm, lits, 2)
        }
        cold!(pc, fp, vm, lits, {
            let slot = dynamic_slot(pc, held_object(fp, lits, (*pc).b()), lits, (*pc).c());
            let known = if slot.is_null() { None } else { super::jumps::plain_truth(*slot) };
            let full = match known {
                Some(full) => full,
                None => {
                    save(vm, fp, pc);
                    tri!(isset(vm, fp, lits, pc, true), pc, fp, vm)
                }
            };
            *Frame::slot(fp, (*pc).a()) = Raw::bool(!full);
            next!(pc, fp, vm, lits, 2)
        })
    }

    StaticR(pc, fp, vm, lits) {
        let slot = cached_static(vm, fp, pc);
        if !slot.is_null() {
            let value = (*slot).deref();
            if value.tag != tag::UNDEF {
                value.add_ref();
                *Frame::slot(fp, (*pc).a()) = value;
                next!(pc, fp, vm, lits, 3)
            }
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let value = tri!(static_read(vm, fp, lits, pc, false), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = value;
            next!(pc, fp, vm, lits, 3)
        })
    }

    StaticIs(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let value = tri!(static_read(vm, fp, lits, pc, true), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 3)
    }

    StaticW(pc, fp, vm, lits) {
        let slot = cached_static(vm, fp, pc);
        // The slot of a typed property is a reference once it was written; without a value it is looked at closer.
        if !slot.is_null() && ((*pc.add(2)).0 as u32 & WRITE_ANY != 0 || (*slot).tag == tag::REF && (*slot).deref().tag != tag::UNDEF) {
            *Frame::slot(fp, (*pc).a()) = Raw::ptr(slot);
            next!(pc, fp, vm, lits, 3)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let place = tri!(static_place(vm, fp, lits, pc, false), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = place;
            next!(pc, fp, vm, lits, 3)
        })
    }

    StaticRW(pc, fp, vm, lits) {
        let slot = cached_static(vm, fp, pc);
        if !slot.is_null() && (*slot).tag != tag::UNDEF
            && ((*pc.add(2)).0 as u32 & WRITE_ANY != 0 || (*slot).tag == tag::REF && (*slot).deref().tag != tag::UNDEF)
        {
            *Frame::slot(fp, (*pc).a()) = Raw::ptr(slot);
            next!(pc, fp, vm, lits, 3)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let place = tri!(static_place(vm, fp, lits, pc, true), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = place;
            next!(pc, fp, vm, lits, 3)
        })
    }

    StaticIsset(pc, fp, vm, lits) {
        let slot = cached_static(vm, fp, pc);
        if !slot.is_null() {
            *Frame::slot(fp, (*pc).a()) = Raw::bool(!(*slot).deref().is_nullish());
            next!(pc, fp, vm, lits, 3)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let set = tri!(static_isset(vm, fp, lits, pc, false), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = Raw::bool(set);
            next!(pc, fp, vm, lits, 3)
        })
    }

    StaticEmpty(pc, fp, vm, lits) {
        let slot = cached_static(vm, fp, pc);
        if !slot.is_null()
            && let Some(full) = super::jumps::quick_truth((*slot).deref())
        {
            *Frame::slot(fp, (*pc).a()) = Raw::bool(!full);
            next!(pc, fp, vm, lits, 3)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            let full = tri!(static_isset(vm, fp, lits, pc, true), pc, fp, vm);
            *Frame::slot(fp, (*pc).a()) = Raw::bool(!full);
            next!(pc, fp, vm, lits, 3)
        })
    }

    StaticUnset(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(static_unset(vm, fp, lits, pc), pc, fp, vm);
        next!(pc, fp, vm, lits, 3)
    }

    AssignPtr(pc, fp, vm, lits) {
        let place = *Frame::slot(fp, (*pc).a());
        let value = *operand::peek(fp, lits, (*pc).b());
        if place.tag == tag::PTR && (*pc).c() == NONE && value.tag != tag::UNDEF && !value.is_counted() {
            let slot = place.bits as *mut Raw;
            if !(*slot).is_counted() {
                *slot = value;
                next!(pc, fp, vm, lits, 1)
            }
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            tri!(assign_ptr(vm, fp, lits, pc), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    AssignOpPtr(pc, fp, vm, lits) {
        let place = *Frame::slot(fp, (*pc).a());
        if place.tag == tag::PTR {
            // Sums of ints that stay ints, and of floats, fit whatever type held them.
            let slot = Raw::deref_slot(place.bits as *mut Raw);
            let new = quick(*slot, *operand::peek(fp, lits, (*pc).b()), (*pc).c());
            if new.tag != tag::UNDEF {
                *slot = new;
                let result = (*pc.add(1)).0 as u16;
                if result != NONE {
                    *Frame::slot(fp, result) = new;
                }
                next!(pc, fp, vm, lits, 2)
            }
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            tri!(assign_op_ptr(vm, fp, lits, pc), pc, fp, vm);
            next!(pc, fp, vm, lits, 2)
        })
    }

    IncPtr(pc, fp, vm, lits) {
        let place = *Frame::slot(fp, (*pc).b());
        if place.tag == tag::PTR {
            let slot = Raw::deref_slot(place.bits as *mut Raw);
            let kind = (*pc.add(1)).0;
            let old = *slot;
            if old.tag == tag::INT
                && let Some(new) = old.as_int().checked_add(if kind & 1 != 0 { -1 } else { 1 })
            {
                *slot = Raw::int(new);
                if (*pc).a() != NONE {
                    *Frame::slot(fp, (*pc).a()) = if kind & 2 != 0 { old } else { Raw::int(new) };
                }
                next!(pc, fp, vm, lits, 2)
            }
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            tri!(inc_ptr(vm, fp, pc), pc, fp, vm);
            next!(pc, fp, vm, lits, 2)
        })
    }

    ReadPtr(pc, fp, vm, lits) {
        let value = read_ptr(fp, (*pc).b());
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 1)
    }
}

/// PropR of an object in a temporary, which ends with the read; the cache has answered.
#[inline(never)]
unsafe fn prop_of_temporary(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let b = (*pc).b();
        let object = operand::object(fp, lits, b);
        let value = (*slot_at(object, (*pc.add(1)).0 as u32 & SLOT_MASK)).deref();
        value.add_ref();
        save(vm, fp, pc);
        if let Err(stop) = super::moves::release_checked(vm, *Frame::slot(fp, b)) {
            value.release();
            return crate::unwind::unwind(stop, pc, fp, vm);
        }
        *Frame::slot(fp, (*pc).a()) = value;
        next!(pc, fp, vm, lits, 2)
    }
}

/// The object whose property is written: in `$this`, a variable, or a temporary that holds the object itself; null: anything else.
#[inline(always)]
unsafe fn written_object(fp: *mut Frame, lits: *const Raw, w: u16) -> *mut ObjHeader {
    // SAFETY: as the handlers.
    unsafe {
        if w == THIS || !operand::is_temp_or_this(fp, w) {
            return operand::object(fp, lits, w);
        }
        let held = *Frame::slot(fp, w);
        if held.tag == tag::OBJECT { held.bits as *mut ObjHeader } else { std::ptr::null_mut() }
    }
}

/// Ends a container that [`written_object`] found, when nothing ends with it; false: the temporary is still to be released.
#[inline(always)]
unsafe fn drop_written(fp: *mut Frame, w: u16) -> bool {
    // SAFETY: as the handlers.
    unsafe {
        if w == THIS || !operand::is_temp_or_this(fp, w) {
            return true;
        }
        let header = (*Frame::slot(fp, w)).header();
        let shared = header.is_shared();
        if shared {
            header.drop_shared();
        }
        shared
    }
}

/// The end of AssignProp and AssignPropOp whose container is a temporary.
#[inline(never)]
unsafe fn release_written(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        if !drop_written(fp, (*pc).a()) {
            save(vm, fp, pc);
            tri!(super::moves::release_checked(vm, *Frame::slot(fp, (*pc).a())), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 3)
    }
}

/// `->b op= c` of the slot that a cache names, for what [`quick`] knows. Such results fit whatever type held the old value.
#[inline(always)]
unsafe fn quick_op(object: *mut ObjHeader, cache: u64, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> bool {
    // SAFETY: the cache was filled for the object's class.
    unsafe {
        if cache as u32 & WRITE_ONCE != 0 {
            return false;
        }
        jumbo_value::barrier::write_barrier(&(*object).header);
        quick_op_at(slot_at(object, cache as u32 & SLOT_MASK), fp, lits, pc)
    }
}

/// The same of any slot.
#[inline(always)]
unsafe fn quick_op_at(slot: *mut Raw, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> bool {
    // SAFETY: as the handlers.
    unsafe {
        let ext = (*pc.add(2)).0;
        let new = quick(*slot, operand::read(fp, lits, (*pc).c()), (ext >> 16) as u16);
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

/// IncProp of an int in the slot that a cache names. An int that stays one fits whatever type held it.
#[inline(always)]
unsafe fn quick_step(object: *mut ObjHeader, cache: u64, fp: *mut Frame, pc: *const Insn) -> bool {
    // SAFETY: the cache was filled for the object's class.
    unsafe {
        let slot = slot_at(object, cache as u32 & SLOT_MASK);
        let old = *slot;
        let kind = (*pc.add(2)).0;
        let step = if kind & 1 != 0 { -1 } else { 1 };
        if old.tag != tag::INT || cache as u32 & WRITE_ONCE != 0 {
            return false;
        }
        let Some(new) = old.as_int().checked_add(step) else { return false };
        jumbo_value::barrier::write_barrier(&(*object).header);
        *slot = Raw::int(new);
        if (*pc).a() != NONE {
            *Frame::slot(fp, (*pc).a()) = if kind & 2 != 0 { old } else { Raw::int(new) };
        }
        true
    }
}

/// The object in an operand that outlives the instruction; null: none, or in a temporary.
#[inline(always)]
unsafe fn held_object(fp: *mut Frame, lits: *const Raw, o: u16) -> *mut ObjHeader {
    // SAFETY: as the handlers.
    unsafe { if o == THIS || !operand::is_temp_or_this(fp, o) { operand::object(fp, lits, o) } else { std::ptr::null_mut() } }
}

/// The element of a dynamic property, of a site whose cache says that there is no declared one of the name, a literal; null: not there.
#[inline(always)]
unsafe fn dynamic_slot(pc: *const Insn, object: *mut ObjHeader, lits: *const Raw, name: u16) -> *mut Raw {
    // SAFETY: as the handlers; sites with such caches have literals for names.
    unsafe {
        if object.is_null() || ((*pc.add(1)).0 >> 32) as u32 != class_id(object) | NOT_DECLARED || (*object).dynamic.is_null() {
            return std::ptr::null_mut();
        }
        let name = *lits.add((name & !LITERAL) as usize);
        match if name.is_string() { raw::symbol_hash(name.str_ptr()) } else { 0 } {
            0 => std::ptr::null_mut(),
            hash => raw::find_symbol((*object).dynamic, name.str_ptr(), hash),
        }
    }
}

/// As [`dynamic_slot`], to be written to: the table is the object's alone.
#[inline(always)]
unsafe fn own_dynamic_slot(pc: *const Insn, object: *mut ObjHeader, lits: *const Raw, name: u16) -> *mut Raw {
    // SAFETY: as above.
    unsafe {
        let slot = dynamic_slot(pc, object, lits, name);
        if slot.is_null() || !(*(*object).dynamic).header.is_unique() {
            return std::ptr::null_mut();
        }
        jumbo_value::barrier::write_barrier(&(*object).header);
        slot
    }
}

/// What [`store_known`] and its parts give when they did nothing: no value that a property has.
const NOT_STORED: Raw = Raw { tag: tag::PTR, bits: 0 };

/// `object->b = c` of the site at `pc`, if the property is known there and there is nothing to convert or to follow. The old value, which the
/// caller has to release.
unsafe fn store_known(vm: *mut Vm, pc: *const Insn, fp: *mut Frame, lits: *const Raw, object: *mut ObjHeader) -> Raw {
    // SAFETY: as the handlers.
    unsafe {
        if ((*pc.add(1)).0 >> 32) as u32 == class_id(object) | NOT_DECLARED {
            return store_dynamic(pc, fp, lits, object);
        }
        let cache = cache_of(pc.add(1), object);
        let old = if cache != 0 { store(vm, object, cache as u32, fp, lits, (*pc).c()) } else { NOT_STORED };
        if old.tag != NOT_STORED.tag { old } else { store_dynamic(pc, fp, lits, object) }
    }
}

/// The element of a dynamic property that is not there yet, made for it where nobody is asked and nothing is said; null otherwise.
unsafe fn new_dynamic_slot(pc: *const Insn, object: *mut ObjHeader, lits: *const Raw, name: u16) -> *mut Raw {
    // SAFETY: as above; the object owns its table once it is in it.
    unsafe {
        if ((*pc.add(1)).0 >> 32) as u32 != class_id(object) | NOT_DECLARED || (*object).flags.get() & (crate::lazy::LAZY | crate::lazy::PROXY) != 0 {
            return std::ptr::null_mut();
        }
        let class = &*(*object).class.cast::<jumbo_abi::Class>();
        let is_asked = class.magic.set.is_some() || class.hooks.prop_write.is_some() || class.hooks.prop_is_new.is_some();
        if !class.is(class_flags::ALLOW_DYNAMIC) || is_asked || !class.static_properties.is_empty() {
            return std::ptr::null_mut();
        }
        let name = *lits.add((name & !LITERAL) as usize);
        if !name.is_string() || raw::symbol_hash(name.str_ptr()) == 0 {
            return std::ptr::null_mut();
        }
        let table = (*object).dynamic;
        if table.is_null() {
            (*object).dynamic = jumbo_value::PArray::with_hash_capacity(1).into_raw().bits as *mut _;
        } else if !(*table).header.is_unique() {
            return std::ptr::null_mut();
        }
        jumbo_value::barrier::write_barrier(&(*object).header);
        raw::insert_str((*object).dynamic, name.str_ptr())
    }
}

/// [`store_known`] of a dynamic property.
#[inline(never)]
unsafe fn store_dynamic(pc: *const Insn, fp: *mut Frame, lits: *const Raw, object: *mut ObjHeader) -> Raw {
    // SAFETY: as above.
    unsafe {
        let (name, c) = ((*pc).b(), (*pc).c());
        let value = *operand::peek(fp, lits, c);
        // An undefined variable is told of first, and a reference is followed.
        if value.tag == tag::UNDEF || value.tag == tag::REF {
            return NOT_STORED;
        }
        let mut slot = own_dynamic_slot(pc, object, lits, name);
        if slot.is_null() {
            slot = new_dynamic_slot(pc, object, lits, name);
        }
        if slot.is_null() || (*slot).kind_byte() >= Kind::Ref as u8 {
            return NOT_STORED;
        }
        match stored_operand(fp, lits, c) {
            Some(value) => std::mem::replace(&mut *slot, value),
            None => NOT_STORED,
        }
    }
}

/// The operand with a count for the place where it is stored; none: it is undefined, or a temporary that is a reference.
#[inline(always)]
unsafe fn stored_operand(fp: *mut Frame, lits: *const Raw, c: u16) -> Option<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let value = *operand::peek(fp, lits, c);
        if c & LITERAL == 0 && operand::is_temp(fp, c) {
            return if value.tag == tag::REF { None } else { Some(value) };
        }
        let value = value.deref();
        if value.tag == tag::UNDEF {
            return None;
        }
        value.add_ref();
        Some(value)
    }
}

/// A counted copy of the property at a reading instruction whose cache is for another class, or for a dynamic property.
#[inline(never)]
unsafe fn other_class(pc: *const Insn, object: *mut ObjHeader, lits: *const Raw, name: u16) -> Option<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        if object.is_null() {
            return None;
        }
        let slot = dynamic_slot(pc, object, lits, name);
        if !slot.is_null() {
            return Some((*slot).deref().copied());
        }
        let cache = crate::sites::find(pc.add(1), class_id(object));
        if cache == 0 {
            return None;
        }
        let value = (*slot_at(object, cache as u32 & SLOT_MASK)).deref();
        if value.tag == tag::UNDEF { None } else { Some(value.copied()) }
    }
}

/// As [`other_class`] where the name is a value, in a variable, and the same as last time.
#[inline(never)]
unsafe fn named_property(pc: *const Insn, fp: *mut Frame, object: *mut ObjHeader) -> Option<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let name = (*Frame::slot(fp, (*pc).c())).deref();
        if object.is_null() || !name.is_string() || operand::is_temp(fp, (*pc).c()) {
            return None;
        }
        let slot = crate::sites::find_named(pc, class_id(object), name.as_str())?;
        let value = (*slot_at(object, slot)).deref();
        if value.tag == tag::UNDEF { None } else { Some(value.copied()) }
    }
}

/// The slot that the cache of PropW or PropRW names, when nothing stands between it and whoever writes there; null: ask [`fetch_place`].
#[inline(always)]
unsafe fn cached_place(fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> *mut Raw {
    // SAFETY: the cache was filled for the object's class; the object is held by a variable or the frame.
    unsafe {
        let b = (*pc).b();
        let object = operand::object(fp, lits, b);
        let cache = (*pc.add(1)).0;
        if object.is_null() || (cache >> 32) as u32 != class_id(object) || (b != THIS && operand::is_temp_or_this(fp, b)) {
            return std::ptr::null_mut();
        }
        let (low, slot) = (cache as u32, slot_at(object, cache as u32 & SLOT_MASK));
        let is_array = (*slot).is_array() && low & AS_ARRAY != 0 && low & WRITE_TYPED != 0;
        if !is_array && (low & WRITE_ANY == 0 || (*slot).tag == tag::UNDEF) {
            return std::ptr::null_mut();
        }
        jumbo_value::barrier::write_barrier(&(*object).header);
        slot
    }
}

/// Is the instruction behind this PropW one that writes a property of what it gives?
#[inline(always)]
unsafe fn next_writes_property(pc: *const Insn) -> bool {
    // SAFETY: code goes on behind a fetch.
    unsafe {
        let next = pc.add(2);
        let op = (*next).opcode();
        let a = (*pc).a();
        ((op == Op::AssignProp as u16 || op == Op::AssignPropOp as u16) && (*next).a() == a)
            || ((op == Op::IncProp as u16 || op == Op::PropW as u16) && (*next).b() == a)
    }
}

/// `x op y` for sums of two ints or two floats; UNDEF: not one of these.
#[inline(always)]
pub(super) fn quick(x: Raw, y: Raw, operator: u16) -> Raw {
    let minus = operator == BinaryOp::Sub as u16;
    if !minus && operator != BinaryOp::Add as u16 {
        return Raw::UNDEF;
    }
    if x.tag == tag::INT && y.tag == tag::INT {
        let (x, y) = (x.as_int(), y.as_int());
        let sum = if minus { x.checked_sub(y) } else { x.checked_add(y) };
        return sum.map_or(Raw::UNDEF, Raw::int);
    }
    if x.tag == tag::FLOAT && y.tag == tag::FLOAT {
        let (x, y) = (x.as_float(), y.as_float());
        return Raw::float(if minus { x - y } else { x + y });
    }
    Raw::UNDEF
}

// ---- caches

/// The slot of the static property that a cache names (class id, and the property's number with [`WRITE_ANY`] when it has no type); null:
/// the cache is not for this class, or its statics are not evaluated yet.
#[inline(always)]
unsafe fn cached_static(vm: *mut Vm, fp: *mut Frame, pc: *const Insn) -> *mut Raw {
    // SAFETY: as the handlers.
    unsafe {
        let class = lookup::quick_class(vm, fp, ClassRef((*pc.add(1)).0 as u32), (*pc).b());
        let cache = (*pc.add(2)).0;
        if class.is_null() || (cache >> 32) as u32 != (*class).head.id {
            return std::ptr::null_mut();
        }
        let number = cache as u32 & !WRITE_ANY;
        (*(*vm).cx).class_states.slots.get(number).map_or(std::ptr::null_mut(), |slot| slot.as_ptr())
    }
}

/// The value of the property that the cache of an isset or empty names, UNDEF when it is not for this object, or the object is a temporary.
#[inline(always)]
unsafe fn cached_slot(fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Raw {
    // SAFETY: as the handlers.
    unsafe {
        let b = (*pc).b();
        let cache = (*pc.add(1)).0;
        let object = operand::object(fp, lits, b);
        if object.is_null() || (cache >> 32) as u32 != class_id(object) || (b != THIS && operand::is_temp_or_this(fp, b)) {
            return Raw::UNDEF;
        }
        (*slot_at(object, cache as u32 & SLOT_MASK)).deref()
    }
}

/// Would every execution of this place with an object of this class find the property `p`? Code of closures, traits and files may run
/// in several scopes, so there it must be public, and no ancestor's private property may have its name.
unsafe fn stable(fp: *mut Frame, class: ClassPtr, p: &Property) -> bool {
    // SAFETY: the frame is live.
    if unsafe { lookup::fixed_scope(fp) } {
        return true;
    }
    p.is(member_flags::PUBLIC) && class.slots.iter().filter(|s| s.name.as_bytes() == p.name.as_bytes()).count() == 1
}

/// May the property's place stand in the cache of an opcode: is it a slot, and the same one whenever this code runs?
unsafe fn is_plain(fp: *mut Frame, class: ClassPtr, p: &Property) -> bool {
    // SAFETY: the frame is live.
    unsafe { !p.has_hooks() && !p.is_virtual() && p.slot < SLOT_MASK && stable(fp, class, p) }
}

/// The property of this name, if its place may stand in the cache of an opcode. That there is none is kept there at once.
unsafe fn cacheable(pc: *const Insn, fp: *mut Frame, class: ClassPtr, name: &[u8]) -> Option<&'static Property> {
    // SAFETY: as the handlers.
    unsafe {
        match objects::find(class, name, (*fp).scope()) {
            Found::Declared(p) if is_plain(fp, class, p) => Some(p),
            Found::Dynamic => {
                let hooks = class.hooks;
                let asked = hooks.opaque || hooks.prop_read.is_some() || hooks.prop_write.is_some() || hooks.prop_place.is_some();
                if !asked && class.static_properties.is_empty() && (class.slots.is_empty() || lookup::fixed_scope(fp)) {
                    lookup::fill_cache_word(pc.add(1), u64::from(class.id() | NOT_DECLARED) << 32);
                }
                None
            }
            _ => None,
        }
    }
}

/// Fills the cache of a reading opcode.
unsafe fn cache_read(pc: *const Insn, fp: *mut Frame, class: ClassPtr, name: &[u8]) {
    // SAFETY: as the handlers.
    unsafe {
        if let Some(p) = cacheable(pc, fp, class, name) {
            lookup::fill_cache(pc.add(1), class, p.slot as usize);
        }
    }
}

/// Fills the cache of an opcode that fetches a place, for an array or for anything.
unsafe fn cache_place(pc: *const Insn, fp: *mut Frame, class: ClassPtr, name: &[u8], as_array: bool) {
    // SAFETY: as the handlers.
    unsafe {
        if let Some(p) = cacheable(pc, fp, class, name) {
            let flags = match &p.ty {
                _ if p.is(member_flags::PRIVATE_SET | member_flags::PROTECTED_SET | member_flags::READONLY) => 0,
                None => WRITE_ANY,
                Some(_) => WRITE_TYPED,
            };
            let user = if as_array { AS_ARRAY } else { 0 };
            lookup::fill_cache(pc.add(1), class, (p.slot | flags | user) as usize);
        }
    }
}

/// Fills the cache of a writing opcode.
unsafe fn cache_write(pc: *const Insn, fp: *mut Frame, class: ClassPtr, name: &[u8]) {
    // SAFETY: as the handlers.
    unsafe {
        if let Some(p) = cacheable(pc, fp, class, name)
        {
            let mut flags = if p.ty.is_some() { WRITE_TYPED } else { WRITE_ANY };
            // Where the scope decides who may write, it must not depend on the execution.
            let asks_scope = p.is(member_flags::READONLY | member_flags::PRIVATE_SET | member_flags::PROTECTED_SET);
            if asks_scope && !(lookup::fixed_scope(fp) && objects::may_set(p, (*fp).scope())) {
                return;
            }
            if p.is(member_flags::READONLY) {
                flags |= WRITE_ONCE;
            }
            lookup::fill_cache(pc.add(1), class, (p.slot | flags) as usize);
        }
    }
}

/// The cache of a site for the object's class: the one in the code, or that of a class which was met here before; 0: none.
#[inline(always)]
unsafe fn cache_of(word: *const Insn, object: *mut ObjHeader) -> u64 {
    // SAFETY: as the handlers.
    unsafe {
        let (cache, class) = ((*word).0, class_id(object));
        if (cache >> 32) as u32 == class { cache } else { crate::sites::find(word, class) }
    }
}

/// Has the slot not been initialised yet? It takes a value like any other; an unset one asks `__set` first, a lazy one its initialiser.
#[inline(always)]
fn is_uninitialized(slot: Raw) -> bool {
    slot.tag == tag::UNDEF && slot.bits == UNINITIALIZED
}

/// As [`store`], where what is overwritten is not counted and the type is told by the kind alone: without calls.
#[inline(always)]
unsafe fn store_plain(object: *mut ObjHeader, low: u32, fp: *mut Frame, lits: *const Raw, c: u16) -> bool {
    // SAFETY: the cache was filled for the object's class.
    unsafe {
        let slot = slot_at(object, low & SLOT_MASK);
        let value = *operand::peek(fp, lits, c);
        let (old, uninitialized) = (*slot, is_uninitialized(*slot));
        if (old.tag == tag::UNDEF || old.is_counted() || low & WRITE_ONCE != 0) && !uninitialized || value.tag == tag::UNDEF || value.tag == tag::REF {
            return false;
        }
        if low & WRITE_ANY == 0 {
            let class = (*object).class.cast::<Class>();
            let Some(ty) = &(&(*class).slots).get_unchecked((low & SLOT_MASK) as usize).ty else { return false };
            if low & WRITE_TYPED == 0 || ty.mask >> value.kind_byte() & 1 == 0 {
                return false;
            }
        }
        if c & LITERAL == 0 && !operand::is_temp(fp, c) {
            value.add_ref();
        }
        jumbo_value::barrier::write_barrier(&(*object).header);
        *slot = value;
        true
    }
}

/// [`store_known`] of the slot that a write cache names.
#[inline(always)]
unsafe fn store(vm: *mut Vm, object: *mut ObjHeader, low: u32, fp: *mut Frame, lits: *const Raw, c: u16) -> Raw {
    // SAFETY: the cache was filled for the object's class.
    unsafe {
        let slot = slot_at(object, low & SLOT_MASK);
        let old = *slot;
        if (old.tag == tag::UNDEF || low & WRITE_ONCE != 0) && !is_uninitialized(old) || old.kind_byte() >= Kind::Ref as u8 {
            return NOT_STORED;
        }
        if low & WRITE_ANY == 0 {
            if low & WRITE_TYPED == 0 {
                return NOT_STORED;
            }
            let class = (*object).class.cast::<Class>();
            if let Some(ty) = &(&(*class).slots).get_unchecked((low & SLOT_MASK) as usize).ty
                && !types::plainly_fits(vm, ty, operand::read(fp, lits, c))
            {
                return NOT_STORED;
            }
        }
        let Some(value) = stored_operand(fp, lits, c) else { return NOT_STORED };
        jumbo_value::barrier::write_barrier(&(*object).header);
        *slot = value;
        old
    }
}

// ---- operands

/// A property's name: a string, or what is made one.
unsafe fn name_of(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<PStr> {
    // SAFETY: as the handlers.
    unsafe {
        let value = operand::take_value(vm, fp, lits, o)?;
        if let Some(s) = value.as_str() {
            return Ok(s.clone());
        }
        let value = value.into_deref();
        Vm::cx(vm).to_string(&value)
    }
}

/// A property's name as it was read. It is made a string when the container was looked at, which complains first, but of both if need be.
struct Name {
    value: Value,
    /// Reading it has thrown; it counts as null.
    thrown: Option<Stop>,
}

impl Name {
    unsafe fn take(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<Name> {
        // SAFETY: as the handlers.
        let (value, thrown) = despite::or_null(unsafe { operand::take_value(vm, fp, lits, o) })?;
        Ok(Name { value: value.into_deref(), thrown })
    }

    fn text(&self, cx: &mut Cx) -> Res<PStr> {
        match (self.thrown, self.value.as_str()) {
            (Some(stop), _) => Err(stop),
            (None, Some(s)) => Ok(s.clone()),
            (None, None) => cx.to_string(&self.value),
        }
    }

    /// As [`Name::text`], in spite of what reading the value that is to be written has `thrown`.
    fn text_despite(&self, cx: &mut Cx, thrown: Option<Stop>) -> Res<PStr> {
        match thrown {
            None => self.text(cx),
            Some(stop) => despite::despite(cx, |cx| self.text(cx)).ok_or(stop),
        }
    }

    /// As a message shows it, which is told even when making it a string throws: that waits in `cx`.
    fn shown(&self, cx: &mut Cx) -> Res<(PStr, Option<Stop>)> {
        if let Some(s) = self.value.as_str() {
            return Ok((s.clone(), self.thrown));
        }
        let text = match cx.exception.is_some() {
            true if self.value.is_object() => return Ok((PStr::empty(), Some(Stop::Thrown))),
            true => despite::despite(cx, |cx| cx.to_string(&self.value)).ok_or(Stop::Thrown),
            false => cx.to_string(&self.value),
        };
        match text {
            Ok(text) => Ok((text, self.thrown)),
            Err(Stop::Thrown) if self.value.is_array() => Ok((PStr::new(b"Array"), Some(Stop::Thrown))),
            Err(Stop::Thrown) => Ok((PStr::empty(), Some(Stop::Thrown))),
            Err(stop) => Err(stop),
        }
    }
}

/// The container of a writing opcode as a held value: what the place holds, references followed.
unsafe fn container(vm: *mut Vm, fp: *mut Frame, w: u16) -> Res<Value> {
    // SAFETY: as the handlers.
    unsafe {
        if w == THIS {
            return match (*fp).this {
                this if this.is_null() => Err(Vm::cx(vm).throw_error(b"Using $this when not in object context")),
                this => Ok(Value::from(object_clone(this))),
            };
        }
        let value = (*operand::place(fp, w)).deref();
        Ok(value.copied().into_value())
    }
}

/// The container of a place, taken before the other operands are read: their diagnostics may end what the place points into. A variable
/// is looked at afterwards, as PHP does.
unsafe fn early_container(vm: *mut Vm, fp: *mut Frame, w: u16) -> Res<Option<Value>> {
    // SAFETY: as the handlers.
    unsafe { if w != THIS && operand::is_temp(fp, w) { container(vm, fp, w).map(Some) } else { Ok(None) } }
}

/// Releases a container operand that was a temporary.
unsafe fn free_container(vm: *mut Vm, fp: *mut Frame, w: u16) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        if w != THIS && operand::is_temp(fp, w) {
            return super::moves::release_checked(vm, *Frame::slot(fp, w));
        }
        if jumbo_value::Heap::current_has_dying() {
            // A hook or a handler dropped the object, which the instruction held last.
            return objects::run_destructors(Vm::cx(vm));
        }
        Ok(())
    }
}

/// `Attempt to assign property "x" on null`.
#[cold]
unsafe fn not_object(vm: *mut Vm, fp: *mut Frame, w: u16, verb: &str, name: &Name, value: &Value, reads: bool) -> Stop {
    // SAFETY: as the handlers.
    unsafe {
        let is_cv = w != THIS && w & LITERAL == 0 && !operand::is_temp(fp, w);
        // Plain assignments would create the variable if they could; the others read it first. What a handler throws becomes the error's
        // previous exception.
        if is_cv
            && reads
            && name.thrown.is_none()
            && (*Frame::slot(fp, w)).is_undef()
            && let Err(stop) = operand::undefined(vm, fp, w)
            && stop != Stop::Thrown
        {
            return stop;
        }
        match name.shown(Vm::cx(vm)) {
            Ok((name, _)) => {
                let text = text!("Attempt to ", verb, " property \"", up_to_nul(name.as_bytes()), "\" on ", kind_name(value));
                Vm::cx(vm).throw_error(text)
            }
            Err(stop) => stop,
        }
    }
}

fn kind_name(value: &Value) -> Vec<u8> {
    let value = value.deref();
    match value.is_bool() {
        true if value.is_true() => b"true".to_vec(),
        true => b"false".to_vec(),
        false => jumbo_abi::args::type_name(value),
    }
}

// ---- reading

#[inline(never)]
unsafe fn read_slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, b: u16, c: u16, quiet: bool) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let name = Name::take(vm, fp, lits, c)?;
        if let Some(stop) = name.thrown {
            return Err(stop);
        }
        let base = if b == THIS {
            match super::calls::this_of(fp) {
                Some(o) => Value::from(o),
                None => return Err(Vm::cx(vm).throw_error(b"Using $this when not in object context")),
            }
        } else if quiet {
            Value::from_raw(operand::take(fp, lits, b)).into_deref()
        } else {
            operand::take_value(vm, fp, lits, b)?
        };
        let cx = Vm::cx(vm);
        let Some(object) = base.as_object() else {
            if !quiet {
                let (name, thrown) = name.shown(cx)?;
                let text = text!("Attempt to read property \"", up_to_nul(name.as_bytes()), "\" on ", kind_name(&base));
                cx.raise(Level::Warning, &text)?;
                if let Some(stop) = thrown {
                    return Err(stop);
                }
            }
            return Ok(Raw::NULL);
        };
        let name = name.text(cx)?;
        if (*fp).function().is(func_flags::THUNK) && !ClassPtr::of(object).is_enum() {
            return Err(cx.throw_error(b"Fetching properties on non-enums in constant expressions is not allowed"));
        }
        let class = ClassPtr::of(object);
        if c & LITERAL != 0
            && !quiet
            && ((*pc.add(1)).0 >> 32) as u32 == class.id() | NOT_DECLARED
            && (*object.as_ptr()).dynamic.is_null()
            && (*object.as_ptr()).flags.get() & (crate::lazy::LAZY | crate::lazy::PROXY) == 0
            && let Some(get) = class.magic.get
            && let Some(value) = objects::magic_get(cx, object, &name, get)
        {
            let value = value?.into_deref();
            drop(base);
            if jumbo_value::Heap::current_has_dying() {
                objects::run_destructors(cx)?;
            }
            return Ok(value.into_raw());
        }
        if c & LITERAL != 0 {
            cache_read(pc, fp, class, name.as_bytes());
        } else if let Found::Declared(p) = objects::find(class, name.as_bytes(), (*fp).scope())
            && is_plain(fp, class, p)
        {
            crate::sites::keep_named(pc, class.id(), &p.name, p.slot as usize);
        }
        let value = objects::read(cx, object, &name, (*fp).scope(), quiet)?;
        drop(base);
        if jumbo_value::Heap::current_has_dying() {
            objects::run_destructors(cx)?;
        }
        Ok(value.into_raw())
    }
}

#[inline(never)]
unsafe fn isset(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, empty: bool) -> Res<bool> {
    // SAFETY: as the handlers.
    unsafe {
        let (b, c) = ((*pc).b(), (*pc).c());
        let base = if b == THIS {
            match super::calls::this_of(fp) {
                Some(o) => Value::from(o),
                None => return Err(Vm::cx(vm).throw_error(b"Using $this when not in object context")),
            }
        } else {
            Value::from_raw(operand::take(fp, lits, b)).into_deref()
        };
        if base.as_object().is_none() {
            // Then the name does not matter, but is read.
            drop(operand::take_value(vm, fp, lits, c)?);
            return Ok(false);
        }
        let name = name_of(vm, fp, lits, c)?;
        let cx = Vm::cx(vm);
        let result = match base.as_object() {
            Some(object) => {
                if c & LITERAL != 0 {
                    cache_read(pc, fp, ClassPtr::of(object), name.as_bytes());
                }
                objects::has(cx, object, &name, empty, (*fp).scope())
            }
            None => Ok(false),
        };
        drop(base);
        operand::destructed(vm, result)
    }
}

// ---- places

#[inline(never)]
unsafe fn fetch_place(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, warn: bool, unset: bool) -> Res<Raw> {
    // SAFETY: as the handlers; a place is used by the very next opcode.
    unsafe {
        let b = (*pc).b();
        let name = Name::take(vm, fp, lits, (*pc).c())?;
        let base = container(vm, fp, b)?;
        let Some(object) = base.as_object() else {
            if unset {
                if b != THIS && b & LITERAL == 0 && !operand::is_temp(fp, b) && (*Frame::slot(fp, b)).is_undef() {
                    operand::undefined(vm, fp, b)?;
                }
                free_container(vm, fp, b)?;
                return name.thrown.map_or(Ok(Raw::NULL), Err);
            }
            let stop = not_object(vm, fp, b, "modify", &name, &base, warn);
            free_container(vm, fp, b)?;
            return Err(stop);
        };
        let name = match name.text(Vm::cx(vm)) {
            Ok(name) => name,
            Err(stop) => {
                let stop = nameless(vm, fp, object, stop);
                free_container(vm, fp, b)?;
                return Err(stop);
            }
        };
        let dims = next_uses_dim(fp, pc);
        if !unset && (*pc).c() & LITERAL != 0 {
            cache_place(pc, fp, ClassPtr::of(object), name.as_bytes(), dims);
        }
        let cx = Vm::cx(vm);
        // Without `__get` a missing property becomes null on the way to what is unset in it.
        if unset
            && ClassPtr::of(object).magic.get.is_none()
            && !objects::is_hooked(object, name.as_bytes(), (*fp).scope())
            && !objects::creates_for_write(object, name.as_bytes(), (*fp).scope())
            && !objects::has_storage(object, name.as_bytes(), (*fp).scope())
        {
            let value = match objects::refuse_hidden(cx, object, name.as_bytes(), (*fp).scope()) {
                Ok(()) => objects::read(cx, object, &name, (*fp).scope(), true)?,
                Err(stop) => {
                    free_container(vm, fp, b)?;
                    return Err(stop);
                }
            };
            free_container(vm, fp, b)?;
            return Ok(value.into_raw());
        }
        let as_array = match dims {
            false => objects::AsArray::No,
            true if warn || unset => objects::AsArray::Changed,
            true => objects::AsArray::Written,
        };
        let place = objects::place(cx, object, &name, (*fp).scope(), warn, as_array)?;
        // Does the operand, which is released below, hold a count of the object?
        let counted = b != THIS && operand::is_temp(fp, b) && {
            let held = *Frame::slot(fp, b);
            held.tag != tag::PTR && (held.tag != tag::REF || held.header().is_unique())
        };
        let last = object.ref_count() <= 1 + i32::from(counted);
        let result = if last { place.detach() } else { place.into_raw() };
        drop(base);
        free_container(vm, fp, b)?;
        Ok(result)
    }
}

/// The place of a property whose name could not be made a text: as in PHP it is one with an empty name, which may be refused on top.
#[cold]
unsafe fn nameless(vm: *mut Vm, fp: *mut Frame, object: &PObject, stop: Stop) -> Stop {
    // SAFETY: as the handlers.
    unsafe {
        if stop != Stop::Thrown || ClassPtr::of(object).magic.get.is_some() {
            return stop;
        }
        let scope = (*fp).scope();
        despite::meanwhile(Vm::cx(vm), |cx| objects::place(cx, object, &PStr::empty(), scope, false, objects::AsArray::No).map(drop))
    }
}

/// What a fetched place is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    /// As an array: a typed property needs no reference then.
    Dim,
    /// It gets a value or another reference.
    Assignment,
    /// It becomes a reference, or is used as an object.
    Reference,
}

/// Does the instruction behind a fetch use the place as an array?
///
/// # Safety
/// `pc` is a fetch in the verified code that `fp` runs.
unsafe fn next_uses_dim(fp: *mut Frame, pc: *const Insn) -> bool {
    // SAFETY: as promised.
    unsafe { next_user(fp, pc) == User::Dim }
}

/// What the instruction behind a fetch does with the place.
///
/// # Safety
/// `pc` is a fetch in the verified code that `fp` runs.
unsafe fn next_user(fp: *mut Frame, pc: *const Insn) -> User {
    // SAFETY: code goes on behind a fetch; the compiler puts the user right there or after the evaluation of its operands. What the code
    // ends with need not be one of the instructions that end the search.
    unsafe {
        let a = (*pc).a();
        let mut at = pc.add((*pc).op().words());
        let end = (*(*fp).func).proto_unchecked().code.as_ptr_range().end;
        for _ in 0..16 {
            if at >= end {
                return User::Reference;
            }
            let insn = *at;
            let op = insn.op();
            match op {
                Op::DimW | Op::DimRW | Op::DimUnset if insn.b() == a => return User::Dim,
                Op::AssignDim | Op::AssignDimRes | Op::AssignDimOp | Op::UnsetDim if insn.a() == a => return User::Dim,
                Op::MakeRef | Op::IterInitRef if insn.b() == a => return User::Reference,
                Op::AssignRef | Op::AssignRefCall | Op::AssignPtr | Op::AssignOpPtr if insn.a() == a => return User::Assignment,
                Op::AssignRef if insn.b() == a => return User::Reference,
                Op::ReturnRef if insn.a() == a => return User::Reference,
                Op::ReadPtr if insn.b() == a => return User::Dim,
                Op::IncPtr if insn.b() == a => return User::Assignment,
                Op::PropW | Op::PropRW | Op::PropUnset if insn.b() == a => return User::Reference,
                Op::Return | Op::ReturnReg | Op::ReturnLit | Op::ReturnMethodReg | Op::ReturnMethodLit | Op::Jmp | Op::Throw => return User::Reference,
                _ => at = at.add(op.words()),
            }
        }
        User::Reference
    }
}

// ---- assignments

#[inline(never)]
unsafe fn assign_slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, a: u16, b: u16, c: u16) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let early = early_container(vm, fp, a)?;
        let (value, thrown) = despite::or_null(operand::take_value(vm, fp, lits, c))?;
        let name = match thrown {
            None => Name::take(vm, fp, lits, b)?,
            Some(stop) => match despite::despite(Vm::cx(vm), |_| Name::take(vm, fp, lits, b)) {
                Some(name) => name,
                None => return Err(stop),
            },
        };
        let base = match early {
            Some(base) => base,
            None => container(vm, fp, a)?,
        };
        let Some(object) = base.as_object() else {
            let stop = not_object(vm, fp, a, "assign", &name, &base, false);
            free_container(vm, fp, a)?;
            return Err(stop);
        };
        let name = match name.text_despite(Vm::cx(vm), thrown) {
            Ok(name) => name,
            Err(stop) => {
                free_container(vm, fp, a)?;
                return Err(stop);
            }
        };
        if let Some(stop) = thrown {
            if takes_null_quietly(object, name.as_bytes(), (*fp).scope()) {
                despite::despite(Vm::cx(vm), |cx| objects::write(cx, object, &name, value, (*fp).scope()));
            }
            drop(base);
            free_container(vm, fp, a)?;
            return Err(stop);
        }
        if b & LITERAL != 0 {
            cache_write(pc, fp, ClassPtr::of(object), name.as_bytes());
        }
        let taken = objects::write(Vm::cx(vm), object, &name, value, (*fp).scope());
        drop(base);
        let taken = match taken {
            Ok(v) => v,
            Err(stop) => {
                free_container(vm, fp, a)?;
                return Err(stop);
            }
        };
        free_container(vm, fp, a)?;
        let result = (*pc.add(2)).0 as u16;
        if result != NONE {
            *Frame::slot(fp, result) = taken.into_raw();
        }
        Ok(())
    }
}

/// May null be written to the property without running any PHP code? What a type refuses is left alone.
fn takes_null_quietly(object: &PObject, name: &[u8], scope: Option<ClassPtr>) -> bool {
    let class = ClassPtr::of(object);
    match objects::find(class, name, scope) {
        Found::Declared(p) => !p.has_hooks() && !p.is_virtual() && p.ty.as_ref().is_none_or(|ty| ty.mask & mask::NULL != 0),
        _ => class.magic.set.is_none(),
    }
}

/// The slot of a plain declared property that may be changed in place: no hooks, not readonly, writable from here, not UNDEF.
///
/// # Safety
/// The caller holds the object while it uses the slot.
unsafe fn plain_slot(object: &PObject, name: &[u8], scope: Option<ClassPtr>) -> Option<(*mut Raw, &'static Property)> {
    let special = member_flags::READONLY | member_flags::PRIVATE_SET | member_flags::PROTECTED_SET | member_flags::VIRTUAL;
    match objects::find(ClassPtr::of(object), name, scope) {
        Found::Declared(p) if !p.has_hooks() && !p.is(special) && !p.is_virtual() => {
            // SAFETY: the slot of a held object.
            let slot = unsafe { object.slots_raw().add(p.slot as usize) };
            // SAFETY: as above.
            if unsafe { (*slot).is_undef() } { None } else { Some((slot, p)) }
        }
        _ => None,
    }
}

#[inline(never)]
unsafe fn assign_op(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let a = (*pc).a();
        let ext = (*pc.add(2)).0;
        let operator = BinaryOp::from_u16((ext >> 16) as u16).unwrap_or(BinaryOp::Add);
        let early = early_container(vm, fp, a)?;
        let name = Name::take(vm, fp, lits, (*pc).b())?;
        let (value, thrown) = despite::or_null(operand::take_value(vm, fp, lits, (*pc).c()))?;
        let base = match early {
            Some(base) => base,
            None => container(vm, fp, a)?,
        };
        let Some(object) = base.as_object().cloned() else {
            let stop = not_object(vm, fp, a, "assign", &name, &base, thrown.is_none());
            free_container(vm, fp, a)?;
            return Err(stop);
        };
        let name = match name.text_despite(Vm::cx(vm), thrown) {
            Ok(name) => name,
            Err(stop) => {
                drop(object);
                drop(base);
                free_container(vm, fp, a)?;
                return Err(stop);
            }
        };
        drop(base);
        if let Some(stop) = thrown {
            let scope = (*fp).scope();
            let by_itself = |o: &PObject| !matches!(objects::find(ClassPtr::of(o), name.as_bytes(), scope), Found::Declared(_)) && takes_null_quietly(o, name.as_bytes(), scope) && ClassPtr::of(o).magic.get.is_none();
            if operator != BinaryOp::Concat && (plain_slot(&object, name.as_bytes(), scope).is_some() || by_itself(&object)) {
                despite::despite(Vm::cx(vm), |cx| {
                    // One that is missing is made null, of which nothing more is told.
                    let _ = objects::prepare_update(cx, &object, &name, scope);
                    assign_op_on(vm, cx, &object, &name, operator, value, scope, false)
                });
            }
            drop(object);
            free_container(vm, fp, a)?;
            return Err(stop);
        }
        if (*pc).b() & LITERAL != 0 {
            cache_write(pc, fp, ClassPtr::of(&object), name.as_bytes());
        }
        let cx = Vm::cx(vm);
        let scope = (*fp).scope();
        let taken = assign_op_on(vm, cx, &object, &name, operator, value, scope, ext as u16 != NONE);
        drop(object);
        let taken = match taken {
            Ok(v) => v,
            Err(stop) => {
                free_container(vm, fp, a)?;
                return Err(stop);
            }
        };
        free_container(vm, fp, a)?;
        if ext as u16 != NONE {
            *Frame::slot(fp, ext as u16) = taken.into_raw();
        }
        Ok(())
    }
}

#[allow(clippy::too_many_arguments)]
unsafe fn assign_op_on(
    vm: *mut Vm,
    cx: &mut Cx,
    object: &PObject,
    name: &PStr,
    operator: BinaryOp,
    value: Value,
    scope: Option<ClassPtr>,
    wanted: bool,
) -> Res<Value> {
    // SAFETY: the slot belongs to an object that the caller holds.
    unsafe {
        if let Some((slot, p)) = plain_slot(object, name.as_bytes(), scope) {
            let in_place = match &p.ty {
                None => true,
                // A string or an array that grows stays what it is.
                Some(ty) => {
                    let kind = (*slot).deref().kind_byte();
                    (operator == BinaryOp::Concat && kind == Kind::String as u8 && ty.mask & mask::STRING != 0)
                        || (operator == BinaryOp::Add && kind == Kind::Array as u8 && value.is_array() && ty.mask & mask::ARRAY != 0)
                }
            };
            if in_place {
                jumbo_value::barrier::write_barrier(object.header());
                arith::assign_op(vm, slot, operator, value)?;
                return Ok(if wanted { (*slot).deref().copied().into_value() } else { Value::null() });
            }
        }
        let old = match objects::prepare_update(cx, object, name, scope)? {
            true => Value::null(),
            false => objects::read(cx, object, name, scope, false)?,
        };
        match arith::operate(cx, operator, old, value) {
            // The deprecation of a power may have thrown, which keeps nothing from being written but what PHP code would write.
            Ok(_) if operator == BinaryOp::Pow && cx.exception.is_some() && !objects::is_written_plainly(object, name, scope) => Err(Stop::Thrown),
            Ok(new) => {
                let written = objects::write(cx, object, name, new, scope)?;
                if operator == BinaryOp::Pow { cx.unless_thrown(written) } else { Ok(written) }
            }
            Err(stop) => Err(match plain_slot(object, name.as_bytes(), scope) {
                Some((slot, Property { ty: Some(ty), .. })) => despite::failed_property(vm, slot, ty.mask, stop),
                _ => stop,
            }),
        }
    }
}

#[inline(never)]
unsafe fn increment(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let (result, b) = ((*pc).a(), (*pc).b());
        let kind = (*pc.add(2)).0;
        let (down, post) = (kind & 1 != 0, kind & 2 != 0);
        let name = Name::take(vm, fp, lits, (*pc).c())?;
        let base = container(vm, fp, b)?;
        let Some(object) = base.as_object() else {
            let stop = not_object(vm, fp, b, "increment/decrement", &name, &base, true);
            free_container(vm, fp, b)?;
            return Err(stop);
        };
        let name = match name.text(Vm::cx(vm)) {
            Ok(name) => name,
            Err(stop) => {
                free_container(vm, fp, b)?;
                return Err(stop);
            }
        };
        if (*pc).c() & LITERAL != 0 {
            cache_write(pc, fp, ClassPtr::of(object), name.as_bytes());
        }
        let cx = Vm::cx(vm);
        let answer = increment_on(cx, object, &name, down, post, (*fp).scope());
        drop(base);
        let answer = match answer {
            Ok(v) => v,
            Err(stop) => {
                free_container(vm, fp, b)?;
                return Err(stop);
            }
        };
        free_container(vm, fp, b)?;
        if result != NONE {
            *Frame::slot(fp, result) = answer.into_raw();
        }
        Ok(())
    }
}

fn increment_on(cx: &mut Cx, object: &PObject, name: &PStr, down: bool, post: bool, scope: Option<ClassPtr>) -> Res<Value> {
    let old = match objects::prepare_update(cx, object, name, scope) {
        Ok(true) => Value::null(),
        Ok(false) => objects::read_for_step(cx, object, name, scope)?,
        Err(Stop::Thrown) if !down && objects::is_null_by_itself(object, name, scope) => {
            // Null by now, and stepped although a handler threw.
            despite::despite(cx, |cx| objects::write(cx, object, name, Value::from(1), scope));
            return Err(Stop::Thrown);
        }
        Err(stop) => return Err(stop),
    };
    let new = match arith::incremented(cx, &old, down) {
        Ok(Some(new)) => new,
        // What code of the program's has given is written back, also when there was nothing to do or that has failed.
        Ok(None) if objects::is_asked_for(object, name, scope) => {
            let taken = objects::write(cx, object, name, old.clone(), scope)?;
            return Ok(if post { old } else { taken });
        }
        Ok(None) => return Ok(old),
        Err(Stop::Thrown) if objects::is_asked_for(object, name, scope) && objects::is_written_plainly(object, name, scope) => {
            return Err(despite::meanwhile(cx, |cx| objects::write(cx, object, name, old, scope).map(drop)));
        }
        Err(stop) => return Err(objects::step_failed(cx, object, name, scope, stop)),
    };
    if new.is_float()
        && old.is_int()
        && let Found::Declared(p) = objects::find(ClassPtr::of(object), name.as_bytes(), scope)
    {
        if !p.is_virtual() {
            // SAFETY: the slot of a held object.
            unsafe { types::check_step(cx, object.slots_raw().add(p.slot as usize), down)? };
        }
        if let Some(ty) = &p.ty
            && ty.mask & (mask::INT | mask::FLOAT) == mask::INT
        {
            let (word, limit) = if down { ("decrement", "minimal") } else { ("increment", "maximal") };
            let text = text!(
                "Cannot ", word, " property ", p.class.name.as_bytes(), "::$", p.name.as_bytes(), " of type ", ty.display(), " past its ", limit, " value"
            );
            return Err(cx.type_error(text));
        }
    }
    let taken = objects::write(cx, object, name, new, scope)?;
    Ok(if post { old } else { taken })
}

/// `$object->name = &place`.
#[inline(never)]
unsafe fn assign_ref(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let (a, c) = ((*pc).a(), (*pc).c());
        let name = Name::take(vm, fp, lits, (*pc).b())?;
        let base = container(vm, fp, a)?;
        let Some(object) = base.as_object() else {
            let stop = not_object(vm, fp, a, "modify", &name, &base, false);
            free_container(vm, fp, a)?;
            drop_source(fp, c);
            return Err(stop);
        };
        let name = match name.text(Vm::cx(vm)) {
            Ok(name) => name,
            Err(stop) => {
                let stop = nameless(vm, fp, object, stop);
                free_container(vm, fp, a)?;
                drop_source(fp, c);
                return Err(stop);
            }
        };
        let cx = Vm::cx(vm);
        let source = *Frame::slot(fp, c);
        if operand::is_temp(fp, c) && source.tag != tag::PTR && source.tag != tag::REF {
            // What a function returned by value.
            return assign_value_for_ref(vm, fp, lits, pc, &name, base);
        }
        let direct = operand::is_temp(fp, c);
        let reference = operand::make_ref(operand::place(fp, c)).into_value();
        operand::free_place(fp, c);
        let bound = bind_ref(vm, cx, object, &name, &reference, (*fp).scope(), direct);
        drop(base);
        free_container(vm, fp, a)?;
        bound?;
        let result = (*pc.add(2)).0 as u16;
        if result != NONE {
            *Frame::slot(fp, result) = reference.into_deref().into_raw();
        }
        Ok(())
    }
}

/// Ends the use of the source of a `=&` that fails. A variable that was not set is null from now on, as it was taken by reference.
#[cold]
unsafe fn drop_source(fp: *mut Frame, c: u16) {
    // SAFETY: as the handlers.
    unsafe {
        if !operand::is_temp(fp, c) && (*Frame::slot(fp, c)).is_undef() {
            *Frame::slot(fp, c) = Raw::NULL;
        }
        operand::free_place(fp, c);
    }
}

/// `$object->name = &f()` where the function does not return by reference.
#[cold]
unsafe fn assign_value_for_ref(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, name: &PStr, base: Value) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let a = (*pc).a();
        let value = Value::from_raw(operand::take(fp, lits, (*pc).c()));
        let cx = Vm::cx(vm);
        let taken = match (cx.raise(Level::Notice, super::moves::ONLY_VARIABLES), base.as_object()) {
            (Ok(()), Some(object)) => objects::write(cx, object, name, value, (*fp).scope()),
            (Ok(()), None) => Ok(Value::null()),
            (Err(stop), _) => Err(stop),
        };
        drop(base);
        free_container(vm, fp, a)?;
        let taken = taken?;
        let result = (*pc.add(2)).0 as u16;
        if result != NONE {
            *Frame::slot(fp, result) = taken.into_raw();
        }
        Ok(())
    }
}

unsafe fn bind_ref(
    vm: *mut Vm,
    cx: &mut Cx,
    object: &PObject,
    name: &PStr,
    reference: &Value,
    scope: Option<ClassPtr>,
    direct: bool,
) -> Res<()> {
    // SAFETY: slots of a held object.
    unsafe {
        let real = crate::lazy::access(cx, object, name, scope, objects::Guard::Get)?;
        let object = real.as_ref().unwrap_or(object);
        let declared = match objects::find(ClassPtr::of(object), name.as_bytes(), scope) {
            Found::Declared(p)
                if (!p.has_hooks() || objects::inside_hook(cx, object, p)) && !p.is_virtual() && !p.is(member_flags::READONLY) =>
            {
                Some(p)
            }
            _ => None,
        };
        if let (Some(p), Some(target)) = (declared, reference.as_ref())
            && let Some(wanted) = type_sources::of(cx, p)
        {
            // The value must fit the property, and from now on whatever is assigned through the reference.
            let slot = object.slots_raw().add(p.slot as usize);
            if (*slot).is_ref() && (*slot).bits == reference.raw().bits {
                return Ok(());
            }
            types::fit_reference(cx, target, wanted, direct)?;
            type_sources::bind(cx, target, p, direct);
            type_sources::unbind(cx, *slot, wanted.declared);
            jumbo_value::barrier::write_barrier(object.header());
            let old = std::mem::replace(&mut *slot, reference.clone().into_raw());
            return super::moves::release_checked(vm, old);
        }
        if let Found::Declared(p) = objects::find(ClassPtr::of(object), name.as_bytes(), scope)
            && p.has_hooks()
            && !objects::inside_hook(cx, object, p)
        {
            match p.get_hook {
                // What it returns is refused, and then that it is no place, on top.
                Some(hook) => {
                    let class = ClassPtr::of(object);
                    let value = cx.call_function(hook, Some(object), Some(class), &[])?;
                    if !value.deref().is_object() && value.as_ref().is_none() {
                        objects::indirectly_modified(cx, class, p);
                    }
                }
                None => drop(objects::place(cx, object, name, scope, false, objects::AsArray::No)?),
            }
            return Err(cx.throw_error(b"Cannot assign by reference to overloaded object"));
        }
        if let Some(bind) = ClassPtr::of(object).hooks.prop_bind
            && let Found::Dynamic = objects::find(ClassPtr::of(object), name.as_bytes(), scope)
            && let Some(target) = reference.as_ref()
            && bind(cx, object, name.as_bytes(), target)?
        {
            return Ok(());
        }
        match objects::place(cx, object, name, scope, false, objects::AsArray::No)? {
            Place::At(slot) => {
                jumbo_value::barrier::write_barrier(object.header());
                let old = std::mem::replace(&mut *slot, reference.clone().into_raw());
                super::moves::release_checked(vm, old)
            }
            Place::Value(_) => Err(cx.throw_error(b"Cannot assign by reference to overloaded object")),
        }
    }
}

#[inline(never)]
unsafe fn unset(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        let a = (*pc).a();
        let name = Name::take(vm, fp, lits, (*pc).b())?;
        let base = container(vm, fp, a)?;
        let result = match base.as_object() {
            Some(object) => name.text(Vm::cx(vm)).and_then(|name| objects::unset(Vm::cx(vm), object, &name, (*fp).scope())),
            None => name.thrown.map_or(Ok(()), Err),
        };
        drop(base);
        free_container(vm, fp, a)?;
        result
    }
}

// ---- static properties

unsafe fn find_static(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, quiet: bool) -> Res<Option<&'static StaticProperty>> {
    // SAFETY: as the handlers; classes outlive the instance.
    unsafe {
        let reference = ClassRef((*pc.add(1)).0 as u32);
        let class = match lookup::operand_class(vm, fp, lits, reference, (*pc).b()) {
            Ok(class) => class,
            Err(stop) => {
                operand::consume_place(fp, (*pc).c());
                return Err(stop);
            }
        };
        let cache = (*pc.add(2)).0;
        if (cache >> 32) as u32 == class.id() {
            let class_ref: &'static Class = &*class.as_ptr();
            let name = (*lits.add(((*pc).c() & !LITERAL) as usize)).as_str();
            if let Some(p) = class_ref.static_properties.get(name.as_bytes()) {
                return Ok(Some(p));
            }
        }
        let name = name_of(vm, fp, lits, (*pc).c())?;
        let cx = Vm::cx(vm);
        let class_ref: &'static Class = &*class.as_ptr();
        let Some(p) = class_ref.static_properties.get(name.as_bytes()) else {
            return if quiet { Ok(None) } else { Err(class_constants::undeclared_static(cx, class, name.as_bytes())) };
        };
        let scope = (*fp).scope();
        if !objects::visible(p.flags, p.class, scope) {
            if quiet {
                return Ok(None);
            }
            let word = if p.flags & member_flags::PRIVATE != 0 { "private" } else { "protected" };
            return Err(cx.throw_error(text!("Cannot access ", word, " property ", class.name.as_bytes(), "::$", name.as_bytes())));
        }
        // The class that is asked evaluates what it has, be it declared by a parent.
        class_constants::evaluate_class(cx, class)?;
        if class.is(class_flags::TRAIT) {
            let text = text!(
                "Accessing static trait property ", class.name.as_bytes(), "::$", name.as_bytes(),
                " is deprecated, it should only be accessed on a class using the trait"
            );
            cx.raise(Level::Deprecated, &text)?;
        }
        if (*pc).c() & LITERAL != 0
            && !class.is(class_flags::TRAIT)
            && (p.flags & member_flags::PUBLIC != 0 || lookup::fixed_scope(fp))
            && p.number & WRITE_ANY == 0
        {
            lookup::fill_cache(pc.add(2), class, (p.number | if p.ty.is_none() { WRITE_ANY } else { 0 }) as usize);
        }
        Ok(Some(p))
    }
}

#[cold]
fn uninitialized_static(cx: &mut Cx, p: &StaticProperty) -> Stop {
    cx.throw_error(text!("Typed static property ", p.class.name.as_bytes(), "::$", p.name.as_bytes(), " must not be accessed before initialization"))
}

#[inline(never)]
unsafe fn static_read(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, quiet: bool) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let Some(p) = find_static(vm, fp, lits, pc, quiet)? else { return Ok(Raw::NULL) };
        let cx = Vm::cx(vm);
        let slot = class_constants::static_slot(cx, p)?;
        let value = (*slot).deref();
        if value.is_undef() {
            return if quiet { Ok(Raw::NULL) } else { Err(uninitialized_static(cx, p)) };
        }
        Ok(value.copied())
    }
}

#[inline(never)]
unsafe fn static_place(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, read: bool) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        let Some(p) = find_static(vm, fp, lits, pc, false)? else { return Ok(Raw::NULL) };
        let cx = Vm::cx(vm);
        let slot = class_constants::static_slot(cx, p)?;
        if read && (*slot).deref().is_undef() {
            return Err(uninitialized_static(cx, p));
        }
        if let Some(ty) = &p.ty {
            if (*slot).deref().is_undef() && next_uses_dim(fp, pc) && ty.mask & (mask::ARRAY | mask::ITERABLE) == 0 {
                let text = text!(
                    "Cannot auto-initialize an array inside property ", p.class.name.as_bytes(), "::$", p.name.as_bytes(), " of type ", ty.display()
                );
                return Err(cx.type_error(text));
            }
            let user = next_user(fp, pc);
            let uninitialized = (*slot).deref().is_undef();
            if uninitialized && user == User::Reference && ty.mask & mask::NULL == 0 {
                let text = text!("Cannot access uninitialized non-nullable property ", p.class.name.as_bytes(), "::$", p.name.as_bytes(), " by reference");
                return Err(cx.throw_error(text));
            }
            if !(*slot).is_ref() {
                let value = if uninitialized { Value::null() } else { Value::from_raw(*slot) };
                (*slot).tag = tag::NULL;
                *slot = PRef::new(value).into_raw();
            }
            if type_sources::of_static_slot(cx, slot).is_none() {
                type_sources::bind_static(cx, (*slot).as_reference(), p, true);
            }
            // An assignment that fails leaves it uninitialised; nobody else can have this reference yet.
            let content = Raw::deref_slot(slot);
            if uninitialized && user == User::Assignment {
                *content = objects::UNSET;
            } else if (*content).is_undef() {
                *content = Raw::NULL;
            }
        }
        Ok(Raw::ptr(slot))
    }
}

#[inline(never)]
unsafe fn static_isset(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, empty: bool) -> Res<bool> {
    // SAFETY: as the handlers.
    unsafe {
        let Some(p) = find_static(vm, fp, lits, pc, true)? else { return Ok(false) };
        let cx = Vm::cx(vm);
        let slot = class_constants::static_slot(cx, p)?;
        let value = (*slot).deref();
        if value.is_undef() {
            return Ok(false);
        }
        let value = value.copied().into_value();
        if empty { objects::value_truth(cx, &value) } else { Ok(!value.is_null()) }
    }
}

/// Always an exception. A function of its own: what dispatches must have nothing to drop behind that.
#[inline(never)]
unsafe fn static_unset(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
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
        let name = name_of(vm, fp, lits, (*pc).c())?;
        Err(Vm::cx(vm).throw_error(text!("Attempt to unset static property ", class.name.as_bytes(), "::$", name.as_bytes())))
    }
}

// ---- through pointers

/// Assigns to a fetched place; returns a copy of the value as it was taken. A typed static property is a typed reference in its slot; its messages name the property itself.
unsafe fn assign_place(vm: *mut Vm, slot: *mut Raw, value: Raw) -> Res<Raw> {
    // SAFETY: the place is live.
    unsafe {
        let cx = Vm::cx(vm);
        let Some(source) = type_sources::of_static_slot(cx, slot) else { return types::assign_result(vm, slot, value) };
        let mut value = value.into_value();
        let strict = cx.engine().caller_strict(cx);
        if !types::coerce(cx, &mut value, &source.ty, Some(source.class), strict)? {
            let text = text!(
                "Cannot assign ", types::shown_type(&value), " to property ", source.class.name.as_bytes(), "::$", source.name.as_bytes(),
                " of type ", source.ty.display()
            );
            return Err(cx.type_error(text));
        }
        types::assign_result(vm, slot, value.into_raw())
    }
}

/// As [`arith::step`].
unsafe fn increment_place(vm: *mut Vm, fp: *mut Frame, register: u16, slot: *mut Raw, down: bool) -> Res<Option<Value>> {
    // SAFETY: as above.
    unsafe {
        if let Some(source) = type_sources::of_static_slot(Vm::cx(vm), slot)
            && (*slot).header().is_unique()
            && source.ty.mask & (mask::INT | mask::FLOAT) == mask::INT
            && (*slot).deref().is_int()
        {
            let edge = if down { i64::MIN } else { i64::MAX };
            if (*slot).deref().as_int() == edge {
                let (word, limit) = if down { ("decrement", "minimal") } else { ("increment", "maximal") };
                let text = text!(
                    "Cannot ", word, " property ", source.class.name.as_bytes(), "::$", source.name.as_bytes(), " of type ",
                    source.ty.display(), " past its ", limit, " value"
                );
                return Err(Vm::cx(vm).type_error(text));
            }
        }
        arith::step(vm, fp, register, slot, down)
    }
}

#[inline(never)]
unsafe fn assign_ptr(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as the handlers: the place is live until this instruction is done.
    unsafe {
        let a = (*pc).a();
        let value = operand::take_checked(vm, fp, lits, (*pc).b())?;
        let slot = operand::place(fp, a);
        let taken = assign_place(vm, slot, value)?;
        if (*pc).c() != NONE {
            *Frame::slot(fp, (*pc).c()) = taken;
        } else {
            taken.release();
        }
        operand::free_place(fp, a);
        Ok(())
    }
}

#[inline(never)]
unsafe fn assign_op_ptr(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<()> {
    // SAFETY: as above.
    unsafe {
        let a = (*pc).a();
        let operator = BinaryOp::from_u16((*pc).c()).unwrap_or(BinaryOp::Add);
        let (value, thrown) = despite::or_null(operand::take_value(vm, fp, lits, (*pc).b()))?;
        let slot = operand::place(fp, a);
        if let Some(stop) = thrown {
            return Err(despite::assign_op(vm, slot, stop, operator, value));
        }
        match type_sources::of_static_slot(Vm::cx(vm), slot) {
            // Only the property has the reference: the message names the property itself.
            Some(source) if (*slot).header().is_unique() && !((*slot).deref().is_string() && operator == BinaryOp::Concat) => {
                let old = (*slot).deref().copied().into_value();
                match arith::binary(Vm::cx(vm), operator, old, value) {
                    Ok(new) => assign_place(vm, slot, new.into_raw())?.release(),
                    Err(stop) => return Err(despite::failed_property(vm, slot, source.ty.mask, stop)),
                }
            }
            // The variable itself, by its name.
            _ if operator == BinaryOp::Concat && is_slot(fp, (*pc).b(), slot) => arith::append_itself(vm, slot, value)?,
            _ => arith::assign_op(vm, slot, operator, value)?,
        }
        let result = (*pc.add(1)).0 as u16;
        if result != NONE {
            *Frame::slot(fp, result) = (*operand::place(fp, a)).deref().copied();
        }
        operand::free_place(fp, a);
        Ok(())
    }
}

/// Is the operand the variable that `slot` belongs to?
unsafe fn is_slot(fp: *mut Frame, operand: u16, slot: *mut Raw) -> bool {
    // SAFETY: the frame is live; the address is only compared.
    unsafe { operand & jumbo_bytecode::LITERAL == 0 && operand < jumbo_bytecode::THIS && Frame::slot(fp, operand) == slot }
}

#[inline(never)]
unsafe fn inc_ptr(vm: *mut Vm, fp: *mut Frame, pc: *const Insn) -> Res<()> {
    // SAFETY: as above.
    unsafe {
        let (a, b) = ((*pc).a(), (*pc).b());
        let kind = (*pc.add(1)).0;
        let (down, post) = (kind & 1 != 0, kind & 2 != 0);
        let slot = operand::place(fp, b);
        let before = if post && a != NONE { Some((*slot).deref().copied()) } else { None };
        let stays = match increment_place(vm, fp, b, slot, down) {
            Ok(stays) => stays,
            Err(stop) => {
                operand::free_place(fp, b);
                if let Some(before) = before {
                    before.release();
                }
                return Err(stop);
            }
        };
        if a != NONE {
            let value = match (before, stays) {
                (Some(v), _) => v,
                (None, Some(v)) => v.into_raw(),
                (None, None) => (*operand::place(fp, b)).deref().copied(),
            };
            operand::free_place(fp, b);
            *Frame::slot(fp, a) = if value.is_undef() { Raw::NULL } else { value };
            return Ok(());
        }
        operand::free_place(fp, b);
        Ok(())
    }
}

#[inline(always)]
unsafe fn read_ptr(fp: *mut Frame, b: u16) -> Raw {
    // SAFETY: as the handler; the pointer stays.
    unsafe {
        let value = (*operand::place(fp, b)).deref();
        if value.is_undef() {
            return Raw::NULL;
        }
        value.add_ref();
        value
    }
}

// ---- `parent::$x::get()` where the parent has a plain property

static GET: FnDesc = FnDesc {
    name: "get",
    params: &[ParamDesc::new("args", None).variadic()],
    required: 0,
    ret: None,
    tentative: false,
    flags: func_flags::PUBLIC | func_flags::VARIADIC,
    effects: 0,
    call: plain_get,
    attributes: &[],
};
static SET: FnDesc = FnDesc {
    name: "set",
    params: &[ParamDesc::new("value", None), ParamDesc::new("args", None).variadic()],
    required: 0,
    ret: None,
    tentative: false,
    flags: func_flags::PUBLIC | func_flags::VARIADIC,
    effects: 0,
    call: plain_set,
    attributes: &[],
};

/// Builtins that read and write the backing value of the property that their frame names.
pub fn plain_hook(setter: bool) -> FnPtr {
    static BOTH: std::sync::OnceLock<(FnPtr, FnPtr)> = std::sync::OnceLock::new();
    let (get, set) = BOTH.get_or_init(|| {
        let make = |desc| FnPtr::leak(jumbo_runtime::builtin::function_of(desc, None));
        (make(&GET), make(&SET))
    });
    if setter { *set } else { *get }
}

/// The object and property that the running stand-in for a hook is about, and the parent's property that it is called for.
fn plain_target(cx: &Cx, call: &Call) -> Option<(PObject, &'static Property, &'static Property)> {
    let vm = Vm::of(cx);
    // SAFETY: the running frame is the builtin's; classes outlive the instance.
    unsafe {
        let name = (*(*vm).fp).extra_ref()?.magic_name.clone()?;
        let this = call.this.clone()?;
        let class: &'static Class = &*ClassPtr::of(&this).as_ptr();
        let p = class.properties.get(name.as_bytes()).filter(|p| !p.is_virtual())?;
        let parent: &'static Class = &*(*(*vm).fp).class;
        Some((this, p, parent.properties.get(name.as_bytes()).unwrap_or(p)))
    }
}

/// The stand-ins count their arguments themselves: the property is a part of their name in the message.
fn check_hook_args(cx: &mut Cx, p: &Property, hook: &str, wanted: usize, given: usize) -> Res<()> {
    if let Some(named) = cx.engine().active_named_args(cx)
        && let Some((KeyRef::Str(name), _)) = named.iter().next()
    {
        return Err(cx.throw_error(text!("Unknown named parameter $", name.as_bytes())));
    }
    if given == wanted {
        return Ok(());
    }
    let plural = if wanted == 1 { "" } else { "s" };
    let mut text = text!(p.class.name.as_bytes(), "::$", p.name.as_bytes(), "::", hook);
    text.extend_from_slice(format!("() expects exactly {wanted} argument{plural}, {given} given").as_bytes());
    Err(cx.throw("ArgumentCountError", text))
}

fn plain_get(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let Some((this, p, shown)) = plain_target(cx, call) else { return Ok(Value::null()) };
    check_hook_args(cx, shown, "get", 0, call.args.len())?;
    let value = this.slot(p.slot);
    if value.is_undef() {
        let text = text!("Typed property ", p.class.name.as_bytes(), "::$", p.name.as_bytes(), " must not be accessed before initialization");
        return Err(cx.throw_error(text));
    }
    Ok(value.into_deref())
}

fn plain_set(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let Some((this, p, shown)) = plain_target(cx, call) else { return Ok(Value::null()) };
    check_hook_args(cx, shown, "set", 1, call.args.len())?;
    let mut value = call.args.first().map_or(Value::null(), Value::copy_deref);
    if let Some(ty) = &p.ty
        && !types::coerce(cx, &mut value, ty, Some(p.class), call.strict)?
    {
        let text = text!(
            "Cannot assign ", types::shown_type(&value), " to property ", p.class.name.as_bytes(), "::$", p.name.as_bytes(), " of type ", ty.display()
        );
        return Err(cx.type_error(text));
    }
    this.assign_slot(p.slot, value.clone());
    Ok(value)
}
