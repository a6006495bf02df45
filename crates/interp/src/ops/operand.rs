//! Operands of instructions: registers and literals, and who owns what they hold.

use crate::frame::Frame;
use crate::vm::Vm;
use jumbo_abi::{Level, Res};
use jumbo_bytecode::{FRAME_HEADER, LITERAL, THIS};
use jumbo_value::{ObjHeader, PRef, Raw, Value, tag};
use std::ptr;

/// Pointer to an operand's value: a literal or a register. Not dereferenced.
#[inline(always)]
pub unsafe fn peek(fp: *mut Frame, lits: *const Raw, o: u16) -> *const Raw {
    // SAFETY: the verifier checked the operand.
    unsafe {
        if o & LITERAL != 0 { lits.add((o & !LITERAL) as usize) } else { Frame::slot(fp, o) }
    }
}

/// The operand's value without a count of its own: references followed, undefined stays UNDEF.
#[inline(always)]
pub unsafe fn read(fp: *mut Frame, lits: *const Raw, o: u16) -> Raw {
    // SAFETY: as above.
    unsafe { (*peek(fp, lits, o)).deref() }
}

/// Is it a temporary (which the instruction consumes)?
#[inline(always)]
pub unsafe fn is_temp(fp: *mut Frame, o: u16) -> bool {
    // SAFETY: the frame has a function.
    unsafe { o & LITERAL == 0 && o >= (*(*fp).func).first_temp && o < THIS }
}

/// A temporary, or [`THIS`]: an operand that fast paths leave alone.
#[inline(always)]
pub unsafe fn is_temp_or_this(fp: *mut Frame, o: u16) -> bool {
    // SAFETY: the frame has a function.
    unsafe { o & LITERAL == 0 && o >= (*(*fp).func).first_temp }
}

/// Releases the operand if it is a temporary.
#[inline(always)]
pub unsafe fn consume(fp: *mut Frame, o: u16) {
    // SAFETY: a temporary is dead after the instruction that consumes it.
    unsafe {
        if is_temp(fp, o) {
            (*Frame::slot(fp, o)).release();
        }
    }
}

/// The operand's value with a count of the caller's: temporaries are moved, CVs copied; undefined gives null in silence.
#[inline(always)]
pub unsafe fn take(fp: *mut Frame, lits: *const Raw, o: u16) -> Raw {
    // SAFETY: as above.
    unsafe {
        if o & LITERAL != 0 {
            return *lits.add((o & !LITERAL) as usize);
        }
        let value = *Frame::slot(fp, o);
        if o >= (*(*fp).func).first_temp {
            return value;
        }
        if value.tag == tag::UNDEF {
            return Raw::NULL;
        }
        let value = value.deref();
        value.add_ref();
        value
    }
}

/// Consumes the operand when that frees nothing; false: it is a temporary that has to be released by a call.
#[inline(always)]
pub unsafe fn release_shared(fp: *mut Frame, o: u16) -> bool {
    // SAFETY: a temporary is dead after the instruction that consumes it.
    unsafe {
        if is_temp(fp, o) {
            let value = *Frame::slot(fp, o);
            if value.is_counted() {
                if !value.header().is_shared() {
                    return false;
                }
                value.header().drop_shared();
            }
        }
        true
    }
}

/// Does overwriting a variable that holds this need no call: is it nothing counted, or a string that others hold, too?
#[inline(always)]
pub unsafe fn is_plainly_overwritten(old: Raw) -> bool {
    // SAFETY: the value is live.
    unsafe { !old.is_counted() || old.tag == tag::STRING_COUNTED && !old.header().is_unique() }
}

/// Stores `value`, whose count the variable takes over, where [`is_plainly_overwritten`].
#[inline(always)]
pub unsafe fn overwrite_plainly(to: *mut Raw, value: Raw) {
    // SAFETY: the slot is live, its old value does not end with it.
    unsafe {
        let old = *to;
        if old.is_counted() {
            old.header().drop_shared();
        }
        *to = value;
    }
}

/// As [`take`], with PHP's warning for an undefined variable.
#[inline(always)]
pub unsafe fn take_callee(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<Raw> {
    // SAFETY: as above.
    unsafe {
        if o & LITERAL == 0 && !is_temp(fp, o) && (*Frame::slot(fp, o)).tag == tag::UNDEF {
            undefined(vm, fp, o)?;
        }
        Ok(take(fp, lits, o))
    }
}

/// As [`take`], with PHP's warning for an undefined variable, and references in temporaries followed.
#[inline(always)]
pub unsafe fn take_checked(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<Raw> {
    // SAFETY: as above.
    unsafe {
        if o & LITERAL != 0 {
            return Ok(*lits.add((o & !LITERAL) as usize));
        }
        if o >= (*(*fp).func).first_temp {
            let value = *Frame::slot(fp, o);
            if value.tag == tag::REF {
                return Ok(Value::from_raw(value).into_deref().into_raw());
            }
            return Ok(value);
        }
        copy_checked(vm, fp, o)
    }
}

/// Copy of a CV with a count, undefined: warning and null.
#[inline(always)]
pub unsafe fn copy_checked(vm: *mut Vm, fp: *mut Frame, cv: u16) -> Res<Raw> {
    // SAFETY: as above.
    unsafe {
        let value = *Frame::slot(fp, cv);
        if value.tag == tag::UNDEF {
            undefined(vm, fp, cv)?;
            return Ok(Raw::NULL);
        }
        let value = value.deref();
        value.add_ref();
        Ok(value)
    }
}

/// The operand as a borrowed value for slow paths: undefined CVs warn and read as null. The value stays owned by its register; hold a
/// count (clone) before running PHP code.
#[inline]
pub unsafe fn read_checked(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<Raw> {
    // SAFETY: as above.
    unsafe {
        let value = read(fp, lits, o);
        if value.tag == tag::UNDEF && o & LITERAL == 0 && !is_temp(fp, o) {
            undefined(vm, fp, o)?;
            return Ok(Raw::NULL);
        }
        Ok(value)
    }
}

/// The operand as an owned handle (cloned from CVs and literals, moved from temporaries), warning when undefined.
#[inline]
pub unsafe fn take_value(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16) -> Res<Value> {
    // SAFETY: the count is the handle's.
    unsafe { Ok(Value::from_raw(take_checked(vm, fp, lits, o)?)) }
}

/// The result of an instruction whose operands may have ended in it: what has a destructor is destructed before the next instruction.
#[inline]
pub unsafe fn destructed<T>(vm: *mut Vm, result: Res<T>) -> Res<T> {
    // SAFETY: the machine is live; the result is held while PHP code runs.
    unsafe {
        let result = result?;
        if jumbo_value::Heap::current_has_dying() {
            crate::objects::run_destructors(Vm::cx(vm))?;
        }
        Ok(result)
    }
}

/// Warning: Undefined variable.
#[cold]
#[inline(never)]
pub unsafe fn undefined(vm: *mut Vm, fp: *mut Frame, cv: u16) -> Res<()> {
    // SAFETY: the frame runs PHP code.
    unsafe {
        let proto = (*(*fp).func).proto_unchecked();
        let name = proto.cvs.get((cv - FRAME_HEADER) as usize).map_or(&b""[..], |n| n.as_bytes());
        let text = [b"Undefined variable $".as_slice(), name].concat();
        Vm::cx(vm).raise(Level::Warning, &text)
    }
}

/// The object that an operand holds (`THIS`: the frame's), or null.
#[inline(always)]
pub unsafe fn object(fp: *mut Frame, lits: *const Raw, o: u16) -> *mut ObjHeader {
    // SAFETY: as above.
    unsafe {
        if o == THIS {
            return (*fp).this;
        }
        let value = read(fp, lits, o);
        if value.is_object() { value.bits as *mut ObjHeader } else { ptr::null_mut() }
    }
}

/// Takes a count of the object found by [`object`] in operand `o`: moved from a temporary, else added.
#[inline(always)]
pub unsafe fn take_object(fp: *mut Frame, o: u16, object: *mut ObjHeader) -> *mut ObjHeader {
    // SAFETY: as above.
    unsafe {
        if is_temp(fp, o) {
            let slot = Frame::slot(fp, o);
            if (*slot).tag == tag::REF {
                (*object).header.add_ref();
                (*slot).release();
            }
        } else {
            (*object).header.add_ref();
        }
        object
    }
}

/// As [`consume`] for an operand that may be [`THIS`].
pub unsafe fn consume_place(fp: *mut Frame, o: u16) {
    // SAFETY: as above.
    unsafe {
        if o != THIS {
            consume(fp, o);
        }
    }
}

/// As [`take_object`] for an operand that may be [`THIS`], or a temporary whose reference holds the object.
pub unsafe fn take_object_of(fp: *mut Frame, o: u16, object: *mut ObjHeader) -> *mut ObjHeader {
    // SAFETY: as above.
    unsafe {
        if o == THIS {
            (*object).header.add_ref();
            return object;
        }
        take_object(fp, o, object)
    }
}

/// The slot that a place operand means: a CV, where a PTR temporary points, or the temporary itself. References are not followed.
#[inline(always)]
pub unsafe fn place(fp: *mut Frame, w: u16) -> *mut Raw {
    // SAFETY: as above; a PTR made by a Fetch…W opcode points at a live slot.
    unsafe {
        let slot = Frame::slot(fp, w);
        if (*slot).tag == tag::PTR { (*slot).bits as *mut Raw } else { slot }
    }
}

/// Ends the use of a place operand: a temporary that held a value (an object) is released.
#[inline(always)]
pub unsafe fn free_place(fp: *mut Frame, w: u16) {
    // SAFETY: as above.
    unsafe {
        if is_temp(fp, w) {
            (*Frame::slot(fp, w)).release();
        }
    }
}

/// Makes the slot a reference (undefined: to null) and returns a counted copy of it.
#[inline]
pub unsafe fn make_ref(slot: *mut Raw) -> Raw {
    // SAFETY: the slot is live.
    unsafe {
        if (*slot).tag != tag::REF {
            let value = if (*slot).tag == tag::UNDEF { Value::null() } else { Value::from_raw(*slot) };
            (*slot).tag = tag::NULL;
            *slot = PRef::new(value).into_raw();
        }
        let r = *slot;
        r.add_ref();
        r
    }
}
