//! `foreach` over a generator without a nested run: the loop's frame calls the generator's as it would a function, and `yield` goes back to
//! the loop with the element.
//!
//! The loop goes over the *root*; with `yield from`, the *leaf* of the root's path is what runs. While it runs so, its frame is marked STEPPED
//! instead of ENTRY: [`leave`] (at a `yield`), [`ended`] (at a `return`) and [`abandoned`] (in the unwinder) take it back, to the loop, or to
//! the generator that delegated to it, which is stepped from there on. What holds the root meanwhile are the temporaries of the loop; what
//! holds the others is its path.
//! Everything else — the first element, iterators, references, paths that others have gone along — goes the long way of [`super::step`].

use super::{Delegate, Signal, State, go_into_delegate, last, next_of_delegate, of_frame, pop, shown, state};
use crate::frame::{Frame, flags};
use crate::iteration;
use crate::ops::calls::save;
use crate::ops::{iter, operand};
use crate::unwind::unwind;
use crate::vm::{Vm, object_clone};
use jumbo_abi::{Res, Stop};
use jumbo_bytecode::{Insn, NONE, Op};
use jumbo_value::{PObject, Raw, Value, header};
use std::ptr::NonNull;

/// The root and the leaf of what the loop at `pc` of `fp` goes over, if the leaf can be stepped: it stands at a `yield`, or in an array that it
/// yields from.
///
/// # Safety
/// `pc` is the IterNext, IterNextTmp or IterNextList that runs.
#[inline]
pub unsafe fn steppable(pc: *const Insn, fp: *mut Frame) -> Option<(*mut State, *mut State)> {
    // SAFETY: the loop's temporaries hold an array or an iteration, that one its generator.
    unsafe {
        let it = Frame::slot(fp, (*pc).a());
        if !(*it).is_object() {
            return None;
        }
        let root = iteration::kept(it).generator_gone_into()?;
        if !(*root).started || (*root).running || (*root).is_done() {
            return None;
        }
        // Borrowed for this look only.
        let leaf = match (&(*root).path).last() {
            None => root,
            Some(object) => state(object).filter(|&leaf| (*leaf).linked_by == (*root).serial && (*leaf).started && !(*leaf).running && !(*leaf).is_done())?,
        };
        let stands = (*leaf).pending.is_none() && matches!((*leaf).delegate, Delegate::None | Delegate::Array(..));
        stands.then_some((root, leaf))
    }
}

/// Goes on in the generator, for the loop at `pc` of `fp`.
///
/// # Safety
/// Root and leaf are [`steppable`]; the machine stands at `pc`.
pub unsafe fn enter(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, (root, leaf): (*mut State, *mut State)) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        match prepare(pc, fp, vm, root, leaf) {
            Prepared::Generator => run(vm, leaf, (*leaf).pc.add(1)),
            Prepared::Element => hand_over(vm, fp, pc, leaf),
            Prepared::Stopped(stop) => unwind(stop, pc, fp, vm),
        }
    }
}

/// What a step goes on with.
enum Prepared {
    /// The leaf's code: its frame is the running one.
    Generator,
    /// The element that the leaf shows: the next one of an array that it yields from.
    Element,
    Stopped(Stop),
}

/// Prepares a step of the leaf. A function of its own, as whoever puts something on the native stack cannot jump to a handler.
#[inline(never)]
unsafe fn prepare(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, root: *mut State, leaf: *mut State) -> Prepared {
    // SAFETY: as promised; the leaf's frame is suspended behind its `yield`.
    unsafe {
        (*root).at_first_yield = false;
        if !matches!((*leaf).delegate, Delegate::None) {
            match next_of_delegate(Vm::cx(vm), leaf) {
                Ok(true) => return Prepared::Element,
                Ok(false) => {}
                Err(stop) => return Prepared::Stopped(stop),
            }
        }
        let top = Vm::top(vm);
        (*(*root).frame).prev = fp;
        (*(*root).frame).call_pc = pc;
        (*root).running = true;
        if leaf != root {
            // Whoever resumed the leaf by itself was its caller since.
            let before = (&(*root).path).len().checked_sub(2).and_then(|n| state(&(&(*root).path)[n]));
            let outer = before.unwrap_or(root);
            (*(*leaf).frame).prev = (*outer).frame;
            (*(*leaf).frame).call_pc = (*outer).pc;
        }
        if (*leaf).sent_to != NONE {
            *Frame::slot((*leaf).frame, (*leaf).sent_to) = Raw::NULL;
        }
        step(root, leaf, top.cast());
        Prepared::Generator
    }
}

/// Marks the leaf as stepped for a loop over the root; frames of what it calls begin at `top`.
unsafe fn step(root: *mut State, leaf: *mut State, top: *mut Raw) {
    // SAFETY: as the callers.
    unsafe {
        let frame = (*leaf).frame;
        (*frame).extra_mut().top = top;
        (*frame).flags = (*frame).flags & !flags::ENTRY | flags::STEPPED;
        (*leaf).running = true;
        (*leaf).stepped_for = root;
    }
}

unsafe fn run(vm: *mut Vm, leaf: *mut State, pc: *const Insn) -> *const Insn {
    // SAFETY: as the callers.
    unsafe {
        let frame = (*leaf).frame;
        (*vm).fp = frame;
        crate::dispatch::dispatch(pc, frame, vm, (*(*frame).func).literals)
    }
}

/// The frame of the loop that steps for this root, and where it stands.
unsafe fn loop_of(root: *mut State) -> (*mut Frame, *const Insn) {
    // SAFETY: set by `enter`.
    unsafe { ((*(*root).frame).prev, (*(*root).frame).call_pc) }
}

/// The generator that the loop goes over.
unsafe fn object_of(caller: *mut Frame, call: *const Insn) -> PObject {
    // SAFETY: the loop's temporaries hold it.
    unsafe { object_clone((*Frame::slot(caller, (*call).a())).object_ptr()) }
}

/// At a `yield` or `yield from`: back to the loop, or into the generator that is delegated to.
///
/// # Safety
/// `fp` is a STEPPED frame, whose state was brought up to date.
pub unsafe fn leave(vm: *mut Vm, fp: *mut Frame, signal: Signal) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        let leaf = of_frame(fp);
        let root = (*leaf).stepped_for;
        let (caller, call) = loop_of(root);
        (*fp).flags = (*fp).flags & !flags::STEPPED | flags::ENTRY;
        (*leaf).running = false;
        if signal != Signal::Yielded {
            return delegated(vm, caller, call, root, leaf);
        }
        (*root).running = false;
        save(vm, caller, call);
        hand_over(vm, caller, call, leaf)
    }
}

/// Gives the loop what the leaf shows, and goes on in it.
unsafe fn hand_over(vm: *mut Vm, caller: *mut Frame, call: *const Insn, leaf: *mut State) -> *const Insn {
    // SAFETY: as `leave`, back in the loop's frame.
    unsafe {
        let (value, key) = ((*leaf).value.raw().deref(), (*leaf).key.raw().deref());
        let (to, key_to) = ((*call).b(), (*call).c());
        if (*call).op() != Op::IterNext || !iter::targets_are_plain(caller, to, key_to) {
            return store(vm, caller, call, leaf);
        }
        value.add_ref();
        operand::overwrite_plainly(Frame::slot(caller, to), value);
        if key_to != NONE {
            key.add_ref();
            operand::overwrite_plainly(Frame::slot(caller, key_to), key);
        }
        crate::dispatch::dispatch(call.add(2), caller, vm, (*(*caller).func).literals)
    }
}

/// Hands the loop what the leaf shows, and goes on in it. (No more arguments than registers take: with one on the stack this is called, not jumped
/// to, and each element would leave a frame on the native stack.)
#[inline(never)]
unsafe fn store(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, leaf: *mut State) -> *const Insn {
    // SAFETY: as `leave`, back in the loop's frame.
    unsafe {
        let (value, key) = ((*leaf).value.raw().deref().copied(), (*leaf).key.raw().deref().copied());
        let is_temporary = (*pc).op() != Op::IterNext;
        if let Err(stop) = iter::store(vm, fp, pc, is_temporary, value, key) {
            return unwind(stop, pc, fp, vm);
        }
        crate::dispatch::dispatch(pc.add(2), fp, vm, (*(*fp).func).literals)
    }
}

/// `yield from` a generator was begun by the leaf. One that was not begun yet is the new leaf; else the rest of the step is done the long way.
unsafe fn delegated(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, root: *mut State, leaf: *mut State) -> *const Insn {
    // SAFETY: as `leave`.
    unsafe {
        match begin_inner(root, leaf) {
            Some(inner) => run(vm, inner.as_ptr(), (*inner.as_ptr()).pc.add(1)),
            None => delegated_elsewhere(vm, fp, pc, root),
        }
    }
}

/// Makes the generator that the leaf delegates to the new leaf, if it was not begun yet.
#[inline(never)]
unsafe fn begin_inner(root: *mut State, leaf: *mut State) -> Option<NonNull<State>> {
    // SAFETY: as `leave`; the path holds the inner generator.
    unsafe {
        let Delegate::Generator(object) = &(*leaf).delegate else { return None };
        let inner = state(object).filter(|&inner| !(*inner).started && !(*inner).running && !(*inner).is_done())?;
        (*root).path.push(object.clone());
        let (outer, frame) = ((*leaf).frame, (*inner).frame);
        (*frame).prev = outer;
        (*frame).call_pc = (*leaf).pc;
        (*inner).linked_by = (*root).serial;
        (*inner).started = true;
        step(root, inner, (*outer).extra_mut().top);
        NonNull::new(inner)
    }
}

#[inline(never)]
unsafe fn delegated_elsewhere(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, root: *mut State) -> *const Insn {
    // SAFETY: as `leave`.
    unsafe {
        save(vm, fp, pc);
        match store_of_delegate(vm, fp, pc, root) {
            Ok(true) => crate::dispatch::dispatch(pc.add(2), fp, vm, (*(*fp).func).literals),
            Ok(false) => end_of_loop(vm, fp, pc),
            Err(stop) => unwind(stop, pc, fp, vm),
        }
    }
}

/// Hands the loop the delegate's next element; false: there is none. A function of its own: what dispatches must have no local that others know.
#[inline(never)]
unsafe fn store_of_delegate(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, root: *mut State) -> Res<bool> {
    // SAFETY: as `leave`.
    unsafe {
        let Some((value, key)) = element_of_delegate(vm, fp, pc, root)? else { return Ok(false) };
        iter::store(vm, fp, pc, (*pc).op() != Op::IterNext, value.into_raw(), key.into_raw())?;
        Ok(true)
    }
}

unsafe fn element_of_delegate(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, root: *mut State) -> Res<Option<(Value, Value)>> {
    // SAFETY: as above; the object is held here.
    unsafe {
        let object = object_of(fp, pc);
        let cx = Vm::cx(vm);
        let result = go_into_delegate(cx, &object, root);
        (*root).running = false;
        result?;
        shown(cx, &object, false, (*pc).c() != NONE)
    }
}

/// Goes on behind the loop.
unsafe fn end_of_loop(vm: *mut Vm, fp: *mut Frame, pc: *const Insn) -> *const Insn {
    // SAFETY: the word behind IterNext is its jump.
    unsafe {
        let to = pc.offset((*pc.add(1)).0 as u32 as i32 as isize);
        crate::dispatch::dispatch(to, fp, vm, (*(*fp).func).literals)
    }
}

/// What there is to know about a STEPPED frame once it was released.
pub struct Stepped {
    root: *mut State,
    /// Where frames of its callees began.
    top: *mut Raw,
}

/// # Safety
/// `fp` is a running generator's frame.
pub unsafe fn stepped(fp: *mut Frame) -> Option<Stepped> {
    // SAFETY: as promised.
    unsafe {
        if !(*fp).is(flags::STEPPED) {
            return None;
        }
        let root = (*of_frame(fp)).stepped_for;
        Some(Stepped { root, top: (*fp).extra_mut().top })
    }
}

/// The leaf's frame was released: it is done. The generator that delegated to it, if there is one, is stepped from here on.
///
/// # Safety
/// `stepped` was asked for before the frame was released; the loop or the path holds the leaf, but not afterwards.
pub unsafe fn finish(leaf: *mut State, stepped: &Stepped) -> Option<*mut State> {
    // SAFETY: as promised.
    unsafe {
        let root = stepped.root;
        let (caller, call) = loop_of(root);
        let object = object_of(caller, call);
        (*leaf).running = false;
        (*leaf).finish();
        last(&object, root).header().set(header::DESTRUCTED);
        if leaf == root {
            return None;
        }
        if let Some((outer, inner)) = pop(&object, root) {
            (*outer).value = (*inner).value.clone();
            drop(std::mem::replace(&mut (*outer).delegate, Delegate::None));
        }
        let outer = state(&last(&object, root)).unwrap_or(root);
        step(root, outer, stepped.top);
        Some(outer)
    }
}

/// What goes on when a stepped generator has returned, in the frame that the machine stands in.
pub enum Ended {
    /// The loop is over.
    Loop,
    /// The generator that delegated to it.
    Generator,
    Stopped(Stop),
}

/// `return` of a stepped generator: on in the one that delegated to it, or behind the loop.
///
/// # Safety
/// As [`finish`].
pub unsafe fn ended(vm: *mut Vm, leaf: *mut State, stepped: &Stepped) -> Ended {
    // SAFETY: as promised; the loop's frame is asked for while the root has one.
    unsafe {
        let (caller, call) = loop_of(stepped.root);
        let value = (*leaf).returned.clone();
        let Some(outer) = finish(leaf, stepped) else {
            save(vm, caller, call);
            return Ended::Loop;
        };
        save(vm, (*outer).frame, (*outer).pc);
        if jumbo_value::Heap::current_has_dying() {
            let run = crate::objects::run_destructors(Vm::cx(vm));
            save(vm, (*outer).frame, (*outer).pc);
            if let Err(stop) = run {
                return Ended::Stopped(stop);
            }
        }
        if (*outer).sent_to != NONE {
            *Frame::slot((*outer).frame, (*outer).sent_to) = value.into_raw();
        }
        Ended::Generator
    }
}

/// Goes on as [`ended`] says.
///
/// # Safety
/// The machine stands where `ended` has left it.
pub unsafe fn go_on(vm: *mut Vm, ended: Ended) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        let (fp, pc) = ((*vm).fp, (*vm).pc);
        match ended {
            Ended::Loop => end_of_loop(vm, fp, pc),
            Ended::Generator => run(vm, of_frame(fp), pc.add(1)),
            Ended::Stopped(stop) => unwind(stop, pc, fp, vm),
        }
    }
}
