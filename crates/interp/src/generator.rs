//! Generators: functions whose frame lives in memory of its own and runs piece by piece.
//!
//! Resuming is a nested run of the interpreter: the frame's caller is whoever asks, frames of its callees are built on the running stack
//! (`extra.top`). `yield from` a generator makes a path of delegates, root first; the last one runs, and an exception or return
//! value of it goes to the one before. All on the path are marked running meanwhile.
//! Invariants: `frame` is null when the generator is done; a suspended frame stands at the yielding instruction `pc` (at its first
//! instruction before it has started). Generators whose code has a `finally` are queued for a destructor like objects with `__destruct`.

use crate::frame::{Frame, flags};
use crate::iteration::{self, Iteration};
use crate::ops::calls;
use crate::unwind;
use crate::vm::Vm;
use jumbo_abi::{ClassPtr, Cx, Level, Res, Stop, func_flags};
use jumbo_bytecode::unit::{FunctionProto, LiveKind};
use jumbo_bytecode::{FRAME_HEADER, Insn, NONE};
use jumbo_value::{Native, PArray, PObject, Raw, Value, header, tag};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::OnceLock;

/// What `yield from` goes through.
pub enum Delegate {
    None,
    Array(PArray, u32),
    Iterator(Box<Iteration>),
    Generator(PObject),
}

/// How the last run ended; set by the handlers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    None,
    Yielded,
    /// `yield from` a generator that must be run now.
    Delegated,
    Returned,
    Ended,
}

/// The state of a generator.
pub struct State {
    pub frame: *mut Frame,
    memory: Box<[Raw]>,
    pub pc: *const Insn,
    pub started: bool,
    running: bool,
    at_first_yield: bool,
    /// UNDEF: nothing was yielded.
    pub value: Value,
    pub key: Value,
    /// UNDEF: has not returned.
    pub returned: Value,
    pub largest_key: i64,
    /// Register that gets what is sent.
    pub sent_to: u16,
    pub delegate: Delegate,
    pub signal: Signal,
}

/// Native state of a Generator object.
pub struct Generator(UnsafeCell<State>);

/// What a suspended generator continues with.
enum Input {
    Value(Value),
    Stop(Stop),
    /// The frame runs at this word: a finally block of a generator that is being destroyed.
    At(u32),
}

enum Outcome {
    Yielded,
    Delegated,
    Returned,
    Stopped(Stop),
}

/// The state of a Generator object. Valid while the object lives.
pub fn state(object: &PObject) -> Option<*mut State> {
    object.native::<Generator>().map(|g| g.0.get())
}

fn generator_class(cx: &Cx) -> ClassPtr {
    static CLASS: OnceLock<ClassPtr> = OnceLock::new();
    *CLASS.get_or_init(|| cx.builtin_class(b"generator"))
}

impl State {
    fn is_done(&self) -> bool {
        self.frame.is_null()
    }

    fn proto(&self) -> Option<&FunctionProto> {
        if self.frame.is_null() {
            return None;
        }
        // SAFETY: the frame runs PHP code.
        unsafe { Some((*(*self.frame).func).proto_unchecked()) }
    }

    /// Calls `each` with every register that is alive at the suspended instruction.
    unsafe fn live(&self, mut each: impl FnMut(*mut Raw, LiveKind)) {
        let Some(proto) = self.proto() else { return };
        // SAFETY: `pc` is in the frame's code.
        let at = unsafe { self.pc.offset_from(proto.code.as_ptr()) } as u32;
        if !self.started {
            return;
        }
        for range in proto.live.iter().rev() {
            if at >= range.start && at < range.end {
                // SAFETY: live ranges name registers of the frame.
                each(unsafe { Frame::slot(self.frame, range.register) }, range.kind);
            }
        }
    }

    /// Releases the frame with everything in it; no PHP code runs.
    fn release_all(&mut self) {
        if !self.frame.is_null() && !self.running {
            // SAFETY: the frame is suspended and will not continue; the symbol table needs no machine to be detached.
            unsafe {
                self.live(|slot, kind| {
                    match kind {
                        LiveKind::Value => (*slot).release(),
                        LiveKind::Iterator => crate::ops::iter::free(slot),
                        LiveKind::Silence => {}
                        LiveKind::Frame => calls::drop_frame_parts(slot.cast()),
                        LiveKind::NewObject => {
                            if (*slot).is_object() {
                                (*(*slot).object_ptr()).header.set(header::DESTRUCTED);
                            }
                            (*slot).release();
                        }
                    }
                    (*slot).tag = tag::UNDEF;
                });
                unwind::release_frame(ptr::null_mut(), self.frame);
            }
            self.finish();
        }
        self.delegate = Delegate::None;
        self.value = Value::undef();
        self.key = Value::undef();
    }

    /// The frame was released: the generator is done.
    fn finish(&mut self) {
        self.frame = ptr::null_mut();
        self.memory = Box::default();
        self.value = Value::undef();
        self.key = Value::undef();
    }
}

impl Drop for Generator {
    fn drop(&mut self) {
        self.0.get_mut().release_all();
    }
}

impl Native for Generator {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        // SAFETY: the collector runs no PHP code while it traces; registers hold what the live ranges say.
        unsafe {
            let s = &*self.0.get();
            visit(&s.value);
            visit(&s.key);
            visit(&s.returned);
            match &s.delegate {
                Delegate::Array(array, _) => visit_raw(Raw { tag: array.header().tag(), bits: array.as_ptr() as u64 }, visit),
                Delegate::Generator(object) => visit_raw(Raw { tag: tag::OBJECT, bits: object.as_ptr() as u64 }, visit),
                Delegate::Iterator(_) | Delegate::None => {}
            }
            if s.frame.is_null() || s.running {
                return;
            }
            let Some(proto) = s.proto() else { return };
            for n in 0..(proto.first_temp - FRAME_HEADER) as usize {
                visit_raw(*Frame::cv(s.frame, n), visit);
            }
            s.live(|slot, kind| match kind {
                LiveKind::Value | LiveKind::Iterator | LiveKind::NewObject => visit_raw(*slot, visit),
                LiveKind::Silence | LiveKind::Frame => {}
            });
            if !(*s.frame).this.is_null() {
                visit_raw(Raw { tag: tag::OBJECT, bits: (*s.frame).this as u64 }, visit);
            }
            if let Some(extra) = (*s.frame).extra_ref() {
                extra.args.iter().for_each(&mut *visit);
                if let Some(closure) = &extra.closure {
                    visit_raw(Raw { tag: tag::OBJECT, bits: closure.as_ptr() as u64 }, visit);
                }
            }
        }
    }
    fn clear(&mut self) {
        self.0.get_mut().release_all();
        self.0.get_mut().returned = Value::undef();
    }
}

unsafe fn visit_raw(raw: Raw, visit: &mut dyn FnMut(&Value)) {
    // SAFETY: the words are a living value for the time of the call.
    visit(unsafe { raw.as_value() });
}

/// Makes the Generator object of an entered frame, which moves into memory of its own.
///
/// # Safety
/// `nf` is an entered frame on the stack; it is not used any more.
pub unsafe fn create(vm: *mut Vm, nf: *mut Frame) -> Res<Value> {
    // SAFETY: as promised.
    unsafe {
        let func = (*nf).function();
        let proto = func.proto_unchecked();
        let has_symbols = (*nf).extra_ref().is_some_and(|e| e.symbols.is_some());
        if has_symbols {
            crate::symbols::detach(vm, nf);
        }
        let mut memory = vec![Raw::UNDEF; func.registers as usize].into_boxed_slice();
        ptr::copy_nonoverlapping(nf.cast::<Raw>(), memory.as_mut_ptr(), func.first_temp as usize);
        let frame = memory.as_mut_ptr().cast::<Frame>();
        (*frame).flags = ((*frame).flags & !(flags::CONSTRUCTOR | flags::WANTS_REF)) | flags::ENTRY | flags::GENERATOR;
        if has_symbols {
            crate::symbols::attach(vm, frame);
        }
        // SAFETY: builtin classes live as long as the process.
        let object = PObject::alloc(&raw const (*generator_class(Vm::cx(vm)).as_ptr()).head);
        let native = Box::new(Generator(UnsafeCell::new(State {
            frame,
            memory,
            pc: func.code,
            started: false,
            running: false,
            at_first_yield: false,
            value: Value::undef(),
            key: Value::undef(),
            returned: Value::undef(),
            largest_key: -1,
            sent_to: NONE,
            delegate: Delegate::None,
            signal: Signal::None,
        })));
        (*frame).extra_mut().generator = native.0.get().cast();
        if proto.tries.iter().any(|t| t.finally != u32::MAX) {
            object.header().unset(header::DESTRUCTED);
        }
        let first = object.set_native(native);
        debug_assert!(first.is_ok(), "a new object has no native state");
        Ok(Value::from(object))
    }
}

/// The state of the generator that `fp` belongs to.
///
/// # Safety
/// `fp` is a generator's frame.
pub unsafe fn of_frame(fp: *mut Frame) -> *mut State {
    // SAFETY: set by `create`.
    unsafe { (*(*fp).extra).generator.cast() }
}

/// Called by the unwinder when nothing in a generator's frame handles a stop.
///
/// # Safety
/// `fp` is a running generator's frame whose live temporaries were released.
pub unsafe fn ended_by_stop(vm: *mut Vm, fp: *mut Frame) {
    // SAFETY: as promised; the frame's memory goes when the run has returned.
    unsafe {
        let state = of_frame(fp);
        (*state).signal = Signal::Ended;
        unwind::release_frame(vm, fp);
    }
}

/// `return` in a generator.
///
/// # Safety
/// `fp` is the running generator's frame; no temporary is alive.
pub unsafe fn returned(vm: *mut Vm, fp: *mut Frame, value: Value) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        let state = of_frame(fp);
        (*state).returned = value;
        (*state).signal = Signal::Returned;
        let (caller, call) = ((*fp).prev, (*fp).call_pc);
        unwind::release_frame(vm, fp);
        (*vm).fp = caller;
        (*vm).pc = call;
        ptr::null()
    }
}

/// The finally block that must run when a generator suspended at `at` is destroyed.
fn finally_at(proto: &FunctionProto, at: u32) -> Option<&jumbo_bytecode::unit::TryRegion> {
    proto.tries.iter().rfind(|t| t.finally != u32::MAX && at >= t.start && at < t.finally)
}

/// At the end of a finally block of a generator that is being destroyed: the next one outside, or the end.
///
/// # Safety
/// `fp` is the running generator's frame, at its FastRet `pc`.
pub unsafe fn close_on(vm: *mut Vm, fp: *mut Frame, pc: *const Insn) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        let proto = (*(*fp).func).proto_unchecked();
        let at = pc.offset_from(proto.code.as_ptr()) as u32;
        if let Some(region) = finally_at(proto, at) {
            unwind::release_live(vm, fp, proto, at, Some(region.finally));
            *Frame::slot(fp, region.finally_temp) = Raw::NULL;
            return crate::dispatch::dispatch(proto.code.as_ptr().add(region.finally as usize), fp, vm, (*(*fp).func).literals);
        }
        unwind::release_live(vm, fp, proto, at, None);
        let (caller, call) = ((*fp).prev, (*fp).call_pc);
        ended_by_stop(vm, fp);
        (*vm).fp = caller;
        (*vm).pc = call;
        ptr::null()
    }
}

/// Runs the frame of one generator until it yields or ends. `above`: the delegating frame and where it stands.
unsafe fn run(cx: &mut Cx, object: &PObject, above: Option<(*mut Frame, *const Insn)>, input: Input) -> Outcome {
    // SAFETY: the machine is live; the state lives as long as the object, which is held.
    unsafe {
        let Some(s) = state(object) else { return Outcome::Returned };
        let vm = Vm::of(cx);
        if let Err(stop) = Vm::check_native_depth(vm) {
            return Outcome::Stopped(stop);
        }
        let held = object.clone();
        let frame = (*s).frame;
        let (fp, pc) = ((*vm).fp, (*vm).pc);
        let top = Vm::top(vm);
        let (prev, call_pc) = above.unwrap_or((fp, pc));
        (*frame).prev = prev;
        (*frame).call_pc = call_pc;
        (*(*frame).extra).top = top.cast();
        (*s).signal = Signal::None;
        drop(std::mem::replace(&mut (*s).value, Value::undef()));
        drop(std::mem::replace(&mut (*s).key, Value::undef()));
        let at = (*s).pc;
        let func = (*frame).func;
        (*vm).fp = frame;
        (*vm).pc = at;
        let result = match input {
            Input::Value(value) => {
                let from = if (*s).started { at.add(1) } else { at };
                let first = !std::mem::replace(&mut (*s).started, true);
                if !first && (*s).sent_to != NONE {
                    *Frame::slot(frame, (*s).sent_to) = value.into_raw();
                }
                Vm::run(vm, from, frame, (*func).literals)
            }
            Input::Stop(stop) => {
                (*s).started = true;
                run_unwinding(vm, frame, at, stop)
            }
            Input::At(word) => Vm::run(vm, (*func).code.add(word as usize), frame, (*func).literals),
        };
        (*vm).fp = fp;
        (*vm).pc = pc;
        let signal = (*s).signal;
        if matches!(signal, Signal::Returned | Signal::Ended) {
            (*s).finish();
            object.header().set(header::DESTRUCTED);
        }
        let outcome = match (result, signal) {
            (Err(stop), _) => Outcome::Stopped(stop),
            (Ok(_), Signal::Yielded) => Outcome::Yielded,
            (Ok(_), Signal::Delegated) => Outcome::Delegated,
            (Ok(_), _) => Outcome::Returned,
        };
        drop(held);
        outcome
    }
}

/// As [`Vm::run`], starting with `stop` at `pc`.
unsafe fn run_unwinding(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, stop: Stop) -> Res<Value> {
    // SAFETY: as `Vm::run`; the unwinder either runs on (tail calls) or says where to.
    unsafe {
        (*vm).depth += 1;
        (*vm).result = Raw::NULL;
        let next = unwind::unwind(stop, pc, fp, vm);
        if !next.is_null() {
            crate::dispatch::run_loop(next, (*vm).loop_fp, vm, (*vm).loop_lits);
        }
        (*vm).depth -= 1;
        match (*vm).stop.take() {
            None => Ok(Value::from_raw(std::mem::replace(&mut (*vm).result, Raw::NULL))),
            Some(stop) => Err(stop),
        }
    }
}

/// The generator that runs for `root`, and those between them (root not included).
unsafe fn path_of(root: &PObject) -> Vec<PObject> {
    let mut path = Vec::new();
    let mut at = root.clone();
    // SAFETY: states live as long as their objects.
    unsafe {
        while let Some(s) = state(&at)
            && let Delegate::Generator(inner) = &(*s).delegate
        {
            path.push(inner.clone());
            at = inner.clone();
        }
    }
    path
}

fn already_running(cx: &mut Cx) -> Stop {
    cx.throw_error(b"Cannot resume an already running generator")
}

fn aborted(cx: &mut Cx) -> Stop {
    cx.throw(
        "ClosedGeneratorException",
        b"Generator passed to yield from was aborted without proper return and is unable to continue",
    )
}

/// Continues the innermost generator of `root`'s path with `input`, and the ones around it as they end, until something is yielded or
/// `root` has ended.
unsafe fn advance(cx: &mut Cx, root: &PObject, input: Input) -> Res<()> {
    // SAFETY: states live as long as their objects, which the path holds.
    unsafe {
        let Some(s) = state(root) else { return Ok(()) };
        if (*s).running {
            return Err(already_running(cx));
        }
        let mut path = path_of(root);
        if path.iter().any(|o| state(o).is_some_and(|s| (*s).running)) {
            return Err(already_running(cx));
        }
        let held = root.clone();
        mark(root, &path, true);
        let result = advance_path(cx, root, &mut path, input);
        mark(root, &path, false);
        drop(held);
        result
    }
}

unsafe fn mark(root: &PObject, path: &[PObject], running: bool) {
    // SAFETY: as `advance`.
    unsafe {
        for o in path.iter().chain(std::iter::once(root)) {
            if let Some(s) = state(o) {
                (*s).running = running;
            }
        }
    }
}

unsafe fn advance_path(cx: &mut Cx, root: &PObject, path: &mut Vec<PObject>, input: Input) -> Res<()> {
    // SAFETY: as `advance`.
    unsafe {
        let mut input = input;
        loop {
            let leaf = path.last().unwrap_or(root).clone();
            let Some(s) = state(&leaf) else { return Ok(()) };
            // An array or an iterator goes on by itself; an exception ends it.
            if matches!((*s).delegate, Delegate::Array(..) | Delegate::Iterator(_)) {
                if let Input::Value(_) = input {
                    match next_of_delegate(cx, s) {
                        Ok(true) => return Ok(()),
                        Ok(false) => input = Input::Value(Value::null()),
                        Err(stop) => input = Input::Stop(stop),
                    }
                }
                drop(std::mem::replace(&mut (*s).delegate, Delegate::None));
            }
            // Frames of the path are each other's callers, for traces.
            let vm = Vm::of(cx);
            let mut above = None;
            for o in std::iter::once(root).chain(path.iter()) {
                let Some(outer) = state(o) else { continue };
                if *o == leaf {
                    break;
                }
                if !(*outer).frame.is_null() {
                    let (prev, call_pc) = above.unwrap_or(((*vm).fp, (*vm).pc));
                    (*(*outer).frame).prev = prev;
                    (*(*outer).frame).call_pc = call_pc;
                    above = Some(((*outer).frame, (*outer).pc));
                }
            }
            match run(cx, &leaf, above, input) {
                Outcome::Yielded => return Ok(()),
                Outcome::Delegated => {
                    // The whole path of the inner one, which may have been going before.
                    let Delegate::Generator(inner) = &(*s).delegate else { return Ok(()) };
                    let inner = inner.clone();
                    let below = path_of(&inner);
                    path.push(inner.clone());
                    path.extend(below);
                    mark(root, path, true);
                    let last = path.last().unwrap_or(root).clone();
                    let Some(t) = state(&last) else { return Ok(()) };
                    if (*t).is_done() {
                        input = finished_inner(cx, root, path, t);
                        continue;
                    }
                    if (*t).started {
                        return Ok(());
                    }
                    input = Input::Value(Value::null());
                }
                Outcome::Returned => {
                    if path.is_empty() {
                        return Ok(());
                    }
                    input = finished_inner(cx, root, path, s);
                }
                Outcome::Stopped(stop) => {
                    if path.is_empty() {
                        return Err(stop);
                    }
                    leave_inner(root, path);
                    input = Input::Stop(stop);
                }
            }
        }
    }
}

/// Takes the innermost generator off the path: the one around it does not delegate any more.
unsafe fn leave_inner(root: &PObject, path: &mut Vec<PObject>) {
    // SAFETY: as `advance`.
    unsafe {
        if let Some(inner) = path.pop()
            && let Some(s) = state(&inner)
        {
            (*s).running = false;
        }
        if let Some(s) = state(path.last().unwrap_or(root)) {
            drop(std::mem::replace(&mut (*s).delegate, Delegate::None));
        }
    }
}

/// The innermost generator of the path has ended: what the one around it continues with.
unsafe fn finished_inner(cx: &mut Cx, root: &PObject, path: &mut Vec<PObject>, inner: *mut State) -> Input {
    // SAFETY: as `advance`; the value is copied before the generator may go.
    unsafe {
        let value = (*inner).returned.clone();
        leave_inner(root, path);
        if value.is_undef() { Input::Stop(aborted(cx)) } else { Input::Value(value) }
    }
}

/// Moves the array or iterator of `yield from` on. False: at its end.
unsafe fn next_of_delegate(cx: &mut Cx, s: *mut State) -> Res<bool> {
    // SAFETY: the state is kept by its object; the iterator is taken out while PHP code runs.
    unsafe {
        match std::mem::replace(&mut (*s).delegate, Delegate::None) {
            Delegate::Array(array, at) => {
                let Some(position) = array.seek(at) else { return Ok(false) };
                let Some((key, value)) = array.at(position) else { return Ok(false) };
                (*s).key = key.to_value();
                (*s).value = value.copy_deref();
                (*s).delegate = Delegate::Array(array, position + 1);
                Ok(true)
            }
            Delegate::Iterator(mut it) => {
                let element = iteration::next(cx, &mut it, true)?;
                (*s).delegate = Delegate::Iterator(it);
                let Some((value, key)) = element else { return Ok(false) };
                (*s).value = value.into_deref();
                (*s).key = key.into_deref();
                Ok(true)
            }
            other => {
                (*s).delegate = other;
                Ok(false)
            }
        }
    }
}

/// `yield from`: takes the delegate up. True: something is to be yielded (see the signal); false: `result` is the value of the expression.
///
/// # Safety
/// `fp` is the running generator's frame.
pub unsafe fn delegate(vm: *mut Vm, fp: *mut Frame, value: &Value) -> Res<Result<Signal, Value>> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let s = of_frame(fp);
        if let Some(array) = value.as_array() {
            (*s).delegate = Delegate::Array(array.clone(), 0);
            if next_of_delegate(cx, s)? {
                return Ok(Ok(Signal::Yielded));
            }
            return Ok(Err(Value::null()));
        }
        let traversable = value.as_object().filter(|o| ClassPtr::of(o).is_a(cx.builtin_class(b"traversable")));
        let Some(object) = traversable else {
            return Err(cx.throw_error(b"Can use \"yield from\" only with arrays and Traversables"));
        };
        if let Some(inner) = state(object) {
            if !(*inner).returned.is_undef() {
                return Ok(Err((*inner).returned.clone()));
            }
            if (*inner).running {
                return Err(cx.throw_error(b"Impossible to yield from the Generator being currently run"));
            }
            if (*inner).is_done() {
                return Err(aborted(cx));
            }
            (*s).delegate = Delegate::Generator(object.clone());
            return Ok(Ok(Signal::Delegated));
        }
        let Some(mut it) = iteration::start(cx, object, false)? else { return Ok(Err(Value::null())) };
        match iteration::next(cx, &mut it, true)? {
            None => Ok(Err(Value::null())),
            Some((value, key)) => {
                (*s).value = value.into_deref();
                (*s).key = key.into_deref();
                (*s).delegate = Delegate::Iterator(Box::new(it));
                Ok(Ok(Signal::Yielded))
            }
        }
    }
}

/// Runs to the first `yield` when that has not happened yet, and past inner generators that somebody else has brought to their end.
fn settle(cx: &mut Cx, root: &PObject) -> Res<()> {
    let Some(s) = state(root) else { return Ok(()) };
    // SAFETY: states live as long as their objects.
    unsafe {
        if (*s).is_done() || (*s).running {
            return Ok(());
        }
        if !(*s).started {
            let result = advance(cx, root, Input::Value(Value::null()));
            (*s).at_first_yield = true;
            return result;
        }
        if !matches!((*s).delegate, Delegate::Generator(_)) {
            return Ok(());
        }
        loop {
            let mut path = path_of(root);
            let Some(last) = path.last().cloned() else { return Ok(()) };
            let Some(t) = state(&last) else { return Ok(()) };
            if !(*t).is_done() {
                return Ok(());
            }
            let input = finished_inner(cx, root, &mut path, t);
            advance(cx, root, input)?;
        }
    }
}

/// The generator whose value `root` shows.
fn leaf(root: &PObject) -> PObject {
    // SAFETY: states live as long as their objects.
    unsafe { path_of(root).pop().unwrap_or_else(|| root.clone()) }
}

pub fn valid(cx: &mut Cx, object: &PObject) -> Res<bool> {
    settle(cx, object)?;
    // SAFETY: the state lives as long as the object.
    Ok(state(object).is_some_and(|s| unsafe { !(*s).is_done() }))
}

pub fn current(cx: &mut Cx, object: &PObject, by_ref: bool) -> Res<Value> {
    settle(cx, object)?;
    // SAFETY: the state lives as long as the object.
    let value = state(&leaf(object)).map_or(Value::null(), |s| unsafe { (*s).value.clone() });
    if value.is_undef() {
        return Ok(Value::null());
    }
    Ok(if by_ref { value } else { value.into_deref() })
}

pub fn key(cx: &mut Cx, object: &PObject) -> Res<Value> {
    settle(cx, object)?;
    // SAFETY: the state lives as long as the object.
    let key = state(&leaf(object)).map_or(Value::null(), |s| unsafe { (*s).key.copy_deref() });
    Ok(if key.is_undef() { Value::null() } else { key })
}

pub fn next(cx: &mut Cx, object: &PObject) -> Res<()> {
    settle(cx, object)?;
    continue_with(cx, object, Input::Value(Value::null()))
}

fn continue_with(cx: &mut Cx, object: &PObject, input: Input) -> Res<()> {
    let Some(s) = state(object) else { return Ok(()) };
    // SAFETY: the state lives as long as the object.
    unsafe {
        if (*s).is_done() && !(*s).running {
            return Ok(());
        }
        (*s).at_first_yield = false;
        advance(cx, object, input)
    }
}

pub fn rewind(cx: &mut Cx, object: &PObject) -> Res<()> {
    settle(cx, object)?;
    // SAFETY: the state lives as long as the object.
    let at_first = state(object).is_some_and(|s| unsafe { (*s).at_first_yield });
    if !at_first {
        return Err(cx.throw("Exception", b"Cannot rewind a generator that was already run"));
    }
    Ok(())
}

pub fn send(cx: &mut Cx, object: &PObject, value: Value) -> Res<Value> {
    let Some(s) = state(object) else { return Ok(Value::null()) };
    // SAFETY: the state lives as long as the object.
    if unsafe { (*s).running } {
        return Err(already_running(cx));
    }
    settle(cx, object)?;
    // SAFETY: as above.
    if unsafe { (*s).is_done() } {
        return Ok(Value::null());
    }
    continue_with(cx, object, Input::Value(value))?;
    current(cx, object, false)
}

pub fn throw(cx: &mut Cx, object: &PObject, exception: &PObject) -> Res<Value> {
    let Some(s) = state(object) else { return Ok(Value::null()) };
    // SAFETY: the state lives as long as the object.
    if unsafe { (*s).running } {
        return Err(already_running(cx));
    }
    settle(cx, object)?;
    // SAFETY: as above.
    if unsafe { (*s).is_done() } {
        return Err(cx.throw_object(exception.clone()));
    }
    let stop = cx.throw_object(exception.clone());
    continue_with(cx, object, Input::Stop(stop))?;
    current(cx, object, false)
}

pub fn get_return(cx: &mut Cx, object: &PObject) -> Res<Value> {
    settle(cx, object)?;
    // SAFETY: the state lives as long as the object.
    let value = state(object).map_or(Value::undef(), |s| unsafe { (*s).returned.copy_deref() });
    if value.is_undef() {
        return Err(cx.throw("Exception", b"Cannot get return value of a generator that hasn't returned"));
    }
    Ok(value)
}

/// The start of `foreach`.
pub fn start_iteration(cx: &mut Cx, object: &PObject, by_ref: bool) -> Res<()> {
    let Some(s) = state(object) else { return Ok(()) };
    // SAFETY: the state lives as long as the object.
    unsafe {
        if (*s).is_done() {
            return Err(cx.throw("Exception", b"Cannot traverse an already closed generator"));
        }
        if by_ref && !(*(*s).frame).function().is(func_flags::RETURNS_REF) {
            let text = b"You can only iterate a generator by-reference if it declared that it yields by-reference";
            return Err(cx.throw("Exception", text));
        }
    }
    rewind(cx, object)
}

/// Runs the finally blocks of a generator that is destroyed while suspended inside of their `try`.
pub fn destruct(cx: &mut Cx, object: &PObject) -> Res<()> {
    let Some(s) = state(object) else { return Ok(()) };
    // SAFETY: the state lives as long as the object; the frame is suspended.
    unsafe {
        if (*s).is_done() || (*s).running || !(*s).started {
            return Ok(());
        }
        drop(std::mem::replace(&mut (*s).delegate, Delegate::None));
        let Some(proto) = (*s).proto() else { return Ok(()) };
        let at = (*s).pc.offset_from(proto.code.as_ptr()) as u32;
        let Some(region) = finally_at(proto, at) else { return Ok(()) };
        let vm = Vm::of(cx);
        let (word, slot) = (region.finally, region.finally_temp);
        unwind::release_live(vm, (*s).frame, proto, at, Some(word));
        *Frame::slot((*s).frame, slot) = Raw::NULL;
        (*(*s).frame).flags |= flags::CLOSING;
        (*s).running = true;
        let outcome = run(cx, object, None, Input::At(word));
        (*s).running = false;
        match outcome {
            Outcome::Stopped(stop) => Err(stop),
            _ => Ok(()),
        }
    }
}

/// What an object without `__destruct` has to do at its end: generators run finally blocks, fibers are unwound.
pub fn destruct_native(cx: &mut Cx, object: &PObject) -> Res<()> {
    let before = cx.exception.take();
    let vm = Vm::of(cx);
    // SAFETY: the machine is live; a nested run leaves no reason behind.
    let stop_before = unsafe { (*vm).stop.take() };
    let answer = if state(object).is_some() { destruct(cx, object) } else { crate::fiber::destruct(cx, object) };
    // SAFETY: as above.
    unsafe { (*vm).stop = stop_before };
    match (answer, before) {
        (Ok(()), before) => {
            cx.exception = before;
            Ok(())
        }
        (Err(Stop::Thrown), Some(before)) => {
            if let Some(new) = cx.exception.clone() {
                crate::errors::chain(cx, &new, before);
            }
            Err(Stop::Thrown)
        }
        (Err(stop), _) => Err(stop),
    }
}

/// `yield` in a finally block of a generator that is being destroyed.
pub fn yield_while_closing(cx: &mut Cx) -> Stop {
    cx.throw_error(b"Cannot yield from finally blocks if the generator is being closed before execution is finished")
}

/// The warning for `yield $notAVariable` in a generator by reference.
pub fn only_variables(cx: &mut Cx) -> Res<()> {
    cx.raise(Level::Notice, b"Only variable references should be yielded by reference")
}

/// What var_dump shows: the function's name while it is not done.
pub fn debug_info(object: &PObject) -> PArray {
    let mut info = PArray::new();
    if let Some(s) = state(object) {
        // SAFETY: the state lives as long as the object.
        unsafe {
            if !(*s).frame.is_null() {
                info.set_bytes(b"function", (*(*s).frame).function().display_name().as_slice());
            }
        }
    }
    info
}

/// The instance ends: frames of unfinished generators go while the functions that they run are still there.
pub fn release_frames() {
    for object in jumbo_value::Heap::current().live_objects() {
        if let Some(s) = state(&object) {
            // SAFETY: no PHP code runs any more.
            unsafe { (*s).release_all() };
        }
    }
}
