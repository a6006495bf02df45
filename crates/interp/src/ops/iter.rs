//! `foreach`. An iterator takes two temporaries: what is iterated, and where it stands.
//!
//! | first | second | meaning |
//! |---|---|---|
//! | array | INT position | by value over an array, which the iterator holds |
//! | REF | INT number of a registered position | by reference over the array in that reference |
//! | object | PTR to a boxed [`Iteration`](crate::iteration::Iteration) | over an object |

use super::calls::save;
use super::operand;
use crate::frame::Frame;
use crate::generator::stepping;
use crate::vm::Vm;
use crate::{cold, iteration, jump, next, op, tri, types};
use jumbo_abi::{Level, Res};
use jumbo_bytecode::{Insn, NONE, Op};
use jumbo_value::array::{iterators, raw};
use jumbo_value::{Raw, Value, tag};

op! {
    IterInit(pc, fp, vm, lits) {
        let value = operand::read(fp, lits, (*pc).b());
        if value.is_array() {
            let array = operand::take(fp, lits, (*pc).b());
            let array = if array.tag == tag::REF { array.into_value().into_deref().into_raw() } else { array };
            if raw::count(array.array_ptr()) == 0 {
                array.release();
                jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
            }
            let slot = Frame::slot(fp, (*pc).a());
            *slot = array;
            *slot.add(1) = Raw::int(0);
            next!(pc, fp, vm, lits, 2)
        }
        cold!(pc, fp, vm, lits, {
            save(vm, fp, pc);
            if tri!(init_slow(vm, fp, lits, pc), pc, fp, vm) {
                next!(pc, fp, vm, lits, 2)
            }
            jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
        })
    }

    IterInitRef(pc, fp, vm, lits) {
        save(vm, fp, pc);
        if tri!(init_ref(vm, fp, pc), pc, fp, vm) {
            next!(pc, fp, vm, lits, 2)
        }
        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
    }

    IterNext(pc, fp, vm, lits) {
        let it = Frame::slot(fp, (*pc).a());
        if (*it).is_array() {
            let array = (*it).array_ptr();
            let at = raw::next_live(array, (*it.add(1)).bits as u32);
            if at >= raw::used(array) {
                jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
            }
            let value = *raw::slot_at(array, at);
            let (to, key_to) = ((*pc).b(), (*pc).c());
            if value.tag != tag::REF && targets_are_plain(fp, to, key_to) {
                (*it.add(1)).bits = at as u64 + 1;
                value.add_ref();
                operand::overwrite_plainly(Frame::slot(fp, to), value);
                if key_to != NONE {
                    let key = raw::key_at(array, at);
                    key.add_ref();
                    operand::overwrite_plainly(Frame::slot(fp, key_to), key);
                }
                next!(pc, fp, vm, lits, 2)
            }
        }
        return next_beyond(pc, fp, vm, lits);
    }

    IterNextTmp(pc, fp, vm, lits) {
        let element = next_element(fp, pc);
        if !element.is_null() {
            *Frame::slot(fp, (*pc).b()) = (*element).deref().copied();
            next!(pc, fp, vm, lits, 2)
        }
        return next_by_step::<true>(pc, fp, vm, lits);
    }

    IterNextList(pc, fp, vm, lits) {
        let element = next_element(fp, pc);
        if !element.is_null() {
            *Frame::slot(fp, (*pc).b()) = (*element).copied();
            next!(pc, fp, vm, lits, 2)
        }
        return next_by_step::<true>(pc, fp, vm, lits);
    }

    IterNextRef(pc, fp, vm, lits) {
        save(vm, fp, pc);
        if tri!(next_ref(vm, fp, pc, false), pc, fp, vm) {
            next!(pc, fp, vm, lits, 2)
        }
        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
    }

    IterNextRefTmp(pc, fp, vm, lits) {
        save(vm, fp, pc);
        if tri!(next_ref(vm, fp, pc, true), pc, fp, vm) {
            next!(pc, fp, vm, lits, 2)
        }
        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
    }

    IterFree(pc, fp, vm, lits) {
        save(vm, fp, pc);
        free(Frame::slot(fp, (*pc).a()));
        if jumbo_value::Heap::current_has_dying() {
            tri!(crate::objects::run_destructors(Vm::cx(vm)), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }
}

/// IterNext where the variables hold something that ends, or where an object is iterated over.
#[inline(never)]
unsafe fn next_beyond(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        save(vm, fp, pc);
        let it = Frame::slot(fp, (*pc).a());
        let (to, key_to) = ((*pc).b(), (*pc).c());
        let old = *Frame::slot(fp, to);
        if (*it).is_array() && old.tag != tag::REF && (key_to == NONE || key_to != to && operand::is_plainly_overwritten(*Frame::slot(fp, key_to))) {
            let array = (*it).array_ptr();
            let at = raw::next_live(array, (*it.add(1)).bits as u32);
            if at >= raw::used(array) {
                jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
            }
            (*it.add(1)).bits = at as u64 + 1;
            let value = (*raw::slot_at(array, at)).deref();
            value.add_ref();
            *Frame::slot(fp, to) = value;
            if old.is_counted() {
                tri!(super::moves::release_checked(vm, old), pc, fp, vm);
            }
            if key_to != NONE {
                // What the old value's destructor has made of the variable ends like any other.
                let key = raw::key_at(array, at);
                tri!(assign_key(vm, fp, key_to, key), pc, fp, vm);
            }
            next!(pc, fp, vm, lits, 2)
        }
        next_by_step::<false>(pc, fp, vm, lits)
    }
}

/// The element of an array where the iteration of `pc` stands, which goes on behind it; null: there is a key to store, a hole, the end, or no array.
#[inline(always)]
unsafe fn next_element(fp: *mut Frame, pc: *const Insn) -> *mut Raw {
    // SAFETY: as the handlers.
    unsafe {
        let it = Frame::slot(fp, (*pc).a());
        if !(*it).is_array() || (*pc).c() != NONE {
            return std::ptr::null_mut();
        }
        let (array, at) = ((*it).array_ptr(), (*it.add(1)).bits as u32);
        if at >= raw::used(array) || (*raw::slot_at(array, at)).is_undef() {
            return std::ptr::null_mut();
        }
        (*it.add(1)).bits = at as u64 + 1;
        raw::slot_at(array, at)
    }
}

/// The next element of anything, by value: into a variable, or into a temporary (`TEMP`).
#[inline(never)]
unsafe fn next_by_step<const TEMP: bool>(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        save(vm, fp, pc);
        if let Some(way) = stepping::steppable(pc, fp) {
            return stepping::enter(pc, fp, vm, way);
        }
        if tri!(next_slow(vm, fp, pc, TEMP), pc, fp, vm) {
            next!(pc, fp, vm, lits, 2)
        }
        jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
    }
}

/// Are both variables of a `foreach`, the one for the element and the one for its key (NONE: there is none), plainly overwritten?
///
/// # Safety
/// They are variables of the live frame.
#[inline(always)]
pub unsafe fn targets_are_plain(fp: *mut Frame, to: u16, key_to: u16) -> bool {
    // SAFETY: as promised.
    unsafe {
        operand::is_plainly_overwritten(*Frame::slot(fp, to))
            && (key_to == NONE || key_to != to && operand::is_plainly_overwritten(*Frame::slot(fp, key_to)))
    }
}

/// Ends an iteration.
///
/// # Safety
/// `it` is the first of the iterator's two slots.
pub unsafe fn free(it: *mut Raw) {
    // SAFETY: as promised.
    unsafe {
        if (*it).tag == tag::REF {
            iterators::end((*it.add(1)).bits as usize);
        }
        if (*it).is_object() {
            iteration::drop_kept(it);
        }
        let value = *it;
        (*it).tag = tag::UNDEF;
        value.release();
    }
}

#[inline(never)]
unsafe fn assign_key(vm: *mut Vm, fp: *mut Frame, register: u16, key: Raw) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        key.add_ref();
        if operand::is_temp(fp, register) {
            *Frame::slot(fp, register) = key;
            return Ok(());
        }
        types::assign(vm, Frame::slot(fp, register), key)
    }
}

#[inline(never)]
unsafe fn not_iterable(vm: *mut Vm, value: &Value) -> Res<()> {
    // SAFETY: the machine is live.
    unsafe {
        let kind = jumbo_abi::args::type_name(value);
        let text = [b"foreach() argument must be of type array|object, ".as_slice(), &kind, b" given"].concat();
        Vm::cx(vm).raise(Level::Warning, &text)
    }
}

#[inline(never)]
unsafe fn init_slow(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<bool> {
    // SAFETY: as the handler.
    unsafe {
        let value = if (*pc).b() == jumbo_bytecode::THIS {
            super::calls::this_of(fp).map_or(Value::null(), Value::from)
        } else {
            operand::take_value(vm, fp, lits, (*pc).b())?
        };
        let it = Frame::slot(fp, (*pc).a());
        start_object(vm, it, value, false)
    }
}

#[inline(never)]
unsafe fn init_ref(vm: *mut Vm, fp: *mut Frame, pc: *const Insn) -> Res<bool> {
    // SAFETY: as the handler.
    unsafe {
        let b = (*pc).b();
        let it = Frame::slot(fp, (*pc).a());
        if b == jumbo_bytecode::THIS {
            let this = super::calls::this_of(fp).map_or(Value::null(), Value::from);
            return start_object(vm, it, this, true);
        }
        let place = operand::place(fp, b);
        let value = (*place).deref();
        if value.is_object() {
            let object = value.copied().into_value();
            let is_variable = !operand::is_temp(fp, b) || (*Frame::slot(fp, b)).tag == tag::PTR;
            let follows = is_variable && object.as_object().is_some_and(iteration::follows_variable);
            let variable = follows.then(|| operand::make_ref(place).into_value());
            free_value_place(fp, b);
            let more = start_object(vm, it, object, true)?;
            if more {
                iteration::kept(it).variable = variable;
            }
            return Ok(more);
        }
        if value.is_undef() {
            if !operand::is_temp(fp, b) {
                operand::undefined(vm, fp, b)?;
            }
            not_iterable(vm, &Value::null())?;
            return Ok(false);
        }
        if !value.is_array() {
            let shown = value.copied().into_value();
            not_iterable(vm, &shown)?;
            free_value_place(fp, b);
            return Ok(false);
        }
        let reference = operand::make_ref(place);
        free_value_place(fp, b);
        let slot = Raw::deref_slot((&raw const reference).cast_mut());
        let array = raw::separate(slot);
        let owner = std::ptr::from_ref(jumbo_value::Heap::current()) as usize;
        let number = iterators::start(array, 0, owner);
        *it = reference;
        *it.add(1) = Raw { tag: tag::INT, bits: number as u64 };
        Ok(true)
    }
}

/// Goes on in the array or object that the variable behind a reference has become.
unsafe fn follow(it: *mut Raw, variable: Value) {
    // SAFETY: as the handlers; an object is asked for its properties by the next step.
    unsafe {
        *it = variable.into_raw();
        let slot = Raw::deref_slot(it);
        let number = if (*slot).is_array() {
            let array = raw::separate(slot);
            iterators::start_at_pointer(array, std::ptr::from_ref(jumbo_value::Heap::current()) as usize)
        } else {
            usize::MAX
        };
        *it.add(1) = Raw { tag: tag::INT, bits: number as u64 };
    }
}

#[inline(never)]
unsafe fn free_value_place(fp: *mut Frame, b: u16) {
    // SAFETY: as the handler.
    unsafe {
        if operand::is_temp(fp, b) && (*Frame::slot(fp, b)).tag != tag::PTR {
            (*Frame::slot(fp, b)).release();
        }
    }
}

/// Over an object, which is the iteration's alone if nobody else has it: false: there is nothing to go over.
#[inline(never)]
unsafe fn start_object(vm: *mut Vm, it: *mut Raw, value: Value, by_ref: bool) -> Res<bool> {
    // SAFETY: as the handler.
    unsafe {
        let Some(object) = value.as_object().cloned() else {
            not_iterable(vm, &value)?;
            return Ok(false);
        };
        drop(value);
        let more = iteration::keep(it, iteration::start(Vm::cx(vm), object, by_ref)?);
        // What is nobody's any more now ends: who gave the iterator, and what there was nothing to iterate in.
        if jumbo_value::Heap::current_has_dying()
            && let Err(stop) = crate::objects::run_destructors(Vm::cx(vm))
        {
            if more {
                free(it);
            }
            return Err(stop);
        }
        Ok(more)
    }
}

/// The next element of anything, by value.
#[inline(never)]
unsafe fn next_slow(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, temp: bool) -> Res<bool> {
    // SAFETY: as the handlers.
    unsafe {
        let it = Frame::slot(fp, (*pc).a());
        let (value, key) = if (*it).is_array() {
            let array = (*it).array_ptr();
            let at = raw::next_live(array, (*it.add(1)).bits as u32);
            if at >= raw::used(array) {
                return Ok(false);
            }
            (*it.add(1)).bits = at as u64 + 1;
            let key = raw::key_at(array, at);
            key.add_ref();
            let element = raw::slot_at(array, at);
            let value = if (*pc).op() == Op::IterNextList { *element } else { (*element).deref() };
            (value.copied(), key)
        } else {
            let wants_key = (*pc).c() != NONE;
            match iteration::next(Vm::cx(vm), iteration::kept(it), wants_key)? {
                None => return Ok(false),
                Some((value, key)) => (value.into_deref().into_raw(), key.into_raw()),
            }
        };
        store(vm, fp, pc, temp, value, key)?;
        Ok(true)
    }
}

/// Stores value and key of an element where the instruction wants them.
///
/// # Safety
/// As the handlers.
#[inline(never)]
pub unsafe fn store(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, temp: bool, value: Raw, key: Raw) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let key = key.into_value();
        if temp {
            *Frame::slot(fp, (*pc).b()) = value;
        } else {
            types::assign(vm, Frame::slot(fp, (*pc).b()), value)?;
        }
        if (*pc).c() != NONE {
            assign_key(vm, fp, (*pc).c(), key.raw())?;
        }
        Ok(())
    }
}

/// The next element by reference.
#[inline(never)]
unsafe fn next_ref(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, temp: bool) -> Res<bool> {
    // SAFETY: as the handlers.
    unsafe {
        let it = Frame::slot(fp, (*pc).a());
        let (reference, key) = if (*it).tag == tag::REF {
            let slot = Raw::deref_slot(it);
            if !(*slot).is_array() {
                if (*slot).is_object() {
                    // The variable has become an object: its properties come next, whatever object it is.
                    let object = (*slot).copied().into_value();
                    let variable = Some((*it).copied().into_value());
                    free(it);
                    (*it.add(1)) = Raw::NULL;
                    let Some(object) = object.as_object().cloned() else { return Ok(false) };
                    let class = jumbo_abi::ClassPtr::of(&object);
                    let follows = iteration::follows_variable(&object);
                    let mut properties = iteration::start_properties(Vm::cx(vm), object, class, true)?;
                    properties.variable = variable.filter(|_| follows);
                    return if iteration::keep(it, properties) { next_ref(vm, fp, pc, temp) } else { Ok(false) };
                }
                let shown = (*slot).copied().into_value();
                not_iterable(vm, &shown)?;
                return Ok(false);
            }
            let number = (*it.add(1)).bits as usize;
            // The array it goes over stays the loop's also when it has been copied meanwhile: the copy gets references as well.
            let known = (*slot).array_ptr();
            let array = if iterators::is_in(number, known) { known } else { raw::separate(slot) };
            let at = raw::next_live(array, iterators::position(number, array));
            if at >= raw::used(array) {
                return Ok(false);
            }
            iterators::set_position(number, at + 1);
            let key = raw::key_at(array, at);
            key.add_ref();
            (operand::make_ref(raw::slot_at(array, at)), key)
        } else {
            let kept = iteration::kept(it);
            if let Some(variable) = kept.variable.as_ref().map(Value::copy_deref)
                && !variable.as_object().is_some_and(|now| kept.is_over(now))
            {
                if !variable.is_object() && !variable.is_array() {
                    not_iterable(vm, &variable)?;
                    return Ok(false);
                }
                let variable = kept.variable.take();
                free(it);
                follow(it, variable.unwrap_or_default());
                return next_ref(vm, fp, pc, temp);
            }
            match iteration::next(Vm::cx(vm), kept, true)? {
                None => return Ok(false),
                Some((value, key)) => {
                    let value = if value.as_ref().is_some() { value.into_raw() } else { super::moves::new_ref(value) };
                    (value, key.into_raw())
                }
            }
        };
        let key = key.into_value();
        let to = Frame::slot(fp, (*pc).b());
        if temp {
            *to = reference;
        } else {
            let old = std::mem::replace(&mut *to, reference);
            super::moves::release_checked(vm, old)?;
        }
        if (*pc).c() != NONE {
            assign_key(vm, fp, (*pc).c(), key.raw())?;
        }
        Ok(true)
    }
}
