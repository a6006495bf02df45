//! Generators: functions whose frame lives in memory of its own and runs piece by piece.
//!
//! Resuming is a nested run of the interpreter: the frame's caller is whoever asks, frames of its callees are built on the running stack
//! (`extra.top`). `yield from` a generator makes a path of delegates, root first; the last one runs, and an exception or return
//! value of it goes to the one before. All on the path are marked running meanwhile.
//! A call of a generator function runs the function up to its GeneratorCreate, with the defaults of parameters, as any function; there the
//! frame moves into the generator.
//! Invariants: `frame` is null when the generator is done; a suspended frame stands at the yielding instruction `pc` (at its
//! GeneratorCreate before it has started). Generators whose code has a `finally` are queued for a destructor like objects with `__destruct`.

pub mod inspect;
pub mod stepping;

use crate::frame::{Frame, flags};
use crate::iteration::{self, Iteration};
use crate::ops::calls;
use crate::unwind;
use crate::vm::Vm;
use jumbo_abi::{ClassPtr, Cx, FnPtr, Level, Res, Stop, func_flags};
use jumbo_bytecode::unit::{FunctionProto, LiveKind};
use jumbo_bytecode::{FRAME_HEADER, Insn, NONE};
use jumbo_value::{Heap, Native, PArray, PObject, Raw, Value, header, tag};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT_SERIAL: AtomicU64 = AtomicU64::new(1);

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

/// Memory of a generator's frame, counted against memory_limit.
#[derive(Default)]
struct FrameMemory(Box<[Raw]>);

impl FrameMemory {
    fn new(registers: usize) -> FrameMemory {
        Heap::charge_current(registers * size_of::<Raw>());
        FrameMemory(vec![Raw::UNDEF; registers].into_boxed_slice())
    }
}

impl Drop for FrameMemory {
    fn drop(&mut self) {
        Heap::uncharge_current(size_of_val(&*self.0));
    }
}

/// The state of a generator.
pub struct State {
    pub frame: *mut Frame,
    memory: FrameMemory,
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
    /// Generators that this one delegates to, outermost first, as far as known: see [`refresh`].
    path: Vec<PObject>,
    /// While its frame is STEPPED: the generator that the loop goes over, this one or one that has come to it by delegation.
    stepped_for: *mut State,
    /// Unique in the process, not 0.
    serial: u64,
    /// Serial of the generator through which this one ran last: its frame's callers are those of that path.
    linked_by: u64,
    /// Result of a `yield from` whose generator somebody else has brought to its end.
    pending: Option<Value>,
    func: FnPtr,
    /// Keeps a closure's code alive as long as the generator.
    closure: Option<PObject>,
    pub signal: Signal,
}

/// Native state of a Generator object.
pub struct Generator(UnsafeCell<State>);

/// What a suspended generator continues with.
enum Input {
    Value(Value),
    Stop(Stop),
    /// The generator that it delegates to was aborted.
    Aborted,
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

    /// The next automatic key.
    #[inline]
    pub fn count_key(&mut self) {
        self.largest_key = self.largest_key.wrapping_add(1);
        self.key = Value::from(self.largest_key);
    }

    /// Calls `each` with every register that is alive at the suspended instruction.
    ///
    /// # Safety
    /// The frame is not running.
    unsafe fn live(&self, each: impl FnMut(*mut Raw, LiveKind)) {
        let Some(proto) = self.proto() else { return };
        if self.started {
            // SAFETY: `pc` is in the frame's code.
            unsafe { live_at(self.frame, proto, self.pc, each) };
        }
    }

    /// Releases the frame with everything in it; no PHP code runs.
    fn release_all(&mut self) {
        if !self.frame.is_null() && !self.running {
            // SAFETY: the frame is suspended and will not continue; the symbol table needs no machine to be detached.
            unsafe {
                self.live(|slot, kind| {
                    match kind {
                        LiveKind::Value | LiveKind::Argument(_) => (*slot).release(),
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
                unwind::release_frame(self.frame);
            }
            self.finish();
        }
        self.delegate = Delegate::None;
        self.path.clear();
        self.closure = None;
        self.value = Value::undef();
        self.key = Value::undef();
    }

    /// The frame was released: the generator is done. The last value stays for those that delegate to this generator.
    fn finish(&mut self) {
        self.frame = ptr::null_mut();
        self.memory = FrameMemory::default();
    }
}

/// Calls `each` with every register of `fp` that is alive at `pc`.
///
/// # Safety
/// `pc` is in the code of `proto`, which `fp` runs.
pub unsafe fn live_at(fp: *mut Frame, proto: &FunctionProto, pc: *const Insn, mut each: impl FnMut(*mut Raw, LiveKind)) {
    // SAFETY: as promised; live ranges name registers of the frame.
    unsafe {
        let at = pc.offset_from(proto.code.as_ptr()) as u32;
        for range in &proto.live {
            if at >= range.start && at < range.end {
                each(Frame::slot(fp, range.register), range.kind);
            }
        }
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
            for object in s.path.iter().chain(&s.closure) {
                visit_raw(Raw { tag: tag::OBJECT, bits: object.as_ptr() as u64 }, visit);
            }
            if let Some(value) = &s.pending {
                visit(value);
            }
            if s.frame.is_null() || s.running {
                return;
            }
            let Some(proto) = s.proto() else { return };
            for n in 0..(proto.first_temp - FRAME_HEADER) as usize {
                visit_raw(*Frame::cv(s.frame, n), visit);
            }
            s.live(|slot, kind| match kind {
                LiveKind::Value | LiveKind::Argument(_) | LiveKind::Iterator | LiveKind::NewObject => visit_raw(*slot, visit),
                LiveKind::Silence => {}
                LiveKind::Frame => {
                    let prepared = slot.cast::<Frame>();
                    if !(*prepared).this.is_null() {
                        visit_raw(Raw { tag: tag::OBJECT, bits: (*prepared).this as u64 }, visit);
                    }
                    if let Some(closure) = (*prepared).closure() {
                        visit_raw(Raw { tag: tag::OBJECT, bits: closure.as_ptr() as u64 }, visit);
                    }
                }
            });
            if !(*s.frame).this.is_null() {
                visit_raw(Raw { tag: tag::OBJECT, bits: (*s.frame).this as u64 }, visit);
            }
            if let Some(extra) = (*s.frame).extra_ref() {
                extra.args.iter().for_each(&mut *visit);
                if let Some(named) = &extra.named {
                    visit_raw(Raw { tag: named.header().tag(), bits: named.as_ptr() as u64 }, visit);
                }
            }
            if let Some(closure) = (*s.frame).closure() {
                visit_raw(Raw { tag: tag::OBJECT, bits: closure.as_ptr() as u64 }, visit);
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
/// `nf` is the running frame, on the stack, at its GeneratorCreate `pc`; it is not used any more.
pub unsafe fn create(vm: *mut Vm, nf: *mut Frame, pc: *const Insn) -> Value {
    // SAFETY: as promised.
    unsafe {
        let func = (*nf).function();
        let proto = func.proto_unchecked();
        let mut memory = FrameMemory::new(func.registers as usize);
        ptr::copy_nonoverlapping(nf.cast::<Raw>(), memory.0.as_mut_ptr(), func.first_temp as usize);
        let frame = memory.0.as_mut_ptr().cast::<Frame>();
        (*frame).flags = ((*frame).flags & !(flags::CONSTRUCTOR | flags::WANTS_REF)) | flags::ENTRY | flags::GENERATOR;
        let closure = (*frame).closure().map(|c| PObject::clone(&c));
        // SAFETY: builtin classes live as long as the process.
        let object = PObject::alloc(&raw const (*generator_class(Vm::cx(vm)).as_ptr()).head);
        let native = Box::new(Generator(UnsafeCell::new(State {
            frame,
            memory,
            pc,
            started: false,
            running: false,
            at_first_yield: false,
            value: Value::undef(),
            key: Value::undef(),
            returned: Value::undef(),
            largest_key: -1,
            sent_to: NONE,
            delegate: Delegate::None,
            path: Vec::new(),
            stepped_for: ptr::null_mut(),
            serial: NEXT_SERIAL.fetch_add(1, Ordering::Relaxed),
            linked_by: 0,
            pending: None,
            func,
            closure,
            signal: Signal::None,
        })));
        (*frame).extra_mut().generator = native.0.get().cast();
        let silences = || proto.live.iter().any(|range| range.kind == LiveKind::Silence);
        if proto.tries.iter().any(|t| t.finally != u32::MAX) || silences() {
            object.header().unset(header::DESTRUCTED);
        }
        let first = object.set_native(native);
        debug_assert!(first.is_ok(), "a new object has no native state");
        Value::from(object)
    }
}

/// The state of the generator that `fp` belongs to.
///
/// # Safety
/// `fp` is a generator's frame.
pub unsafe fn of_frame(fp: *mut Frame) -> *mut State {
    // SAFETY: set by `create`.
    unsafe { (*fp).extra_ref().map_or(ptr::null_mut(), |e| e.generator.cast()) }
}

/// The generator of `fp` shows `value`, whose count it takes over, with the next automatic key.
///
/// # Safety
/// As [`of_frame`].
#[inline(never)]
pub unsafe fn show(fp: *mut Frame, value: Raw) {
    // SAFETY: as promised.
    unsafe {
        let state = of_frame(fp);
        (*state).value = Value::from_raw(value);
        (*state).count_key();
    }
}

/// Called by the unwinder when nothing in a generator's frame handles a stop.
///
/// # Safety
/// `fp` is a running generator's frame whose live temporaries were released. It is gone afterwards.
pub unsafe fn ended_by_stop(fp: *mut Frame) {
    // SAFETY: as promised; the frame's memory goes when the run has returned.
    unsafe {
        let state = of_frame(fp);
        let stepped = stepping::stepped(fp);
        (*state).signal = Signal::Ended;
        unwind::release_frame(fp);
        if let Some(stepped) = stepped {
            stepping::finish(state, &stepped);
        }
    }
}

/// `return` in a generator.
///
/// # Safety
/// `fp` is the running generator's frame; no temporary is alive.
pub unsafe fn returned(vm: *mut Vm, fp: *mut Frame, value: Value) -> *const Insn {
    // SAFETY: as promised.
    unsafe {
        match end(vm, fp, value) {
            None => ptr::null(),
            Some(ended) => stepping::go_on(vm, ended),
        }
    }
}

/// Ends the generator, and makes the frame that goes on the running one. None: its run returns. A function of its own, as whoever puts
/// something on the native stack cannot jump to a handler.
#[inline(never)]
unsafe fn end(vm: *mut Vm, fp: *mut Frame, value: Value) -> Option<stepping::Ended> {
    // SAFETY: as `returned`.
    unsafe {
        let state = of_frame(fp);
        (*state).returned = value;
        (*state).signal = Signal::Returned;
        let (caller, call) = ((*fp).prev, (*fp).call_pc);
        let stepped = stepping::stepped(fp);
        unwind::release_frame(fp);
        if let Some(stepped) = stepped {
            return Some(stepping::ended(vm, state, &stepped));
        }
        (*vm).fp = caller;
        (*vm).pc = call;
        None
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
        for region in proto.tries.iter().rev().filter(|t| t.finally != u32::MAX) {
            let slot = Frame::slot(fp, region.finally_temp);
            if at >= region.start && at < region.finally {
                unwind::release_live(vm, fp, proto, at, Some(region.finally));
                *slot = Raw::NULL;
                return crate::dispatch::dispatch(proto.code.as_ptr().add(region.finally as usize), fp, vm, (*(*fp).func).literals);
            }
            if at >= region.finally && at < region.finally_end && (*slot).is_object() {
                throw_again(vm, slot);
                return unwind::unwind(Stop::Thrown, pc, fp, vm);
            }
        }
        unwind::release_live(vm, fp, proto, at, None);
        let (caller, call) = ((*fp).prev, (*fp).call_pc);
        ended_by_stop(fp);
        (*vm).fp = caller;
        (*vm).pc = call;
        ptr::null()
    }
}

/// The exception in the slot, for which a `finally` block was run, is on its way again.
#[inline(never)]
unsafe fn throw_again(vm: *mut Vm, slot: *mut Raw) {
    // SAFETY: the slot is of a live frame, and holds an object.
    unsafe {
        let kept = std::mem::replace(&mut *slot, Raw::UNDEF).into_value();
        Vm::cx(vm).exception = kept.as_object().cloned();
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
        let _pins = crate::pins::Pins::of_running(vm);
        let top = Vm::top(vm);
        let (prev, call_pc) = above.unwrap_or((fp, pc));
        (*frame).prev = prev;
        (*frame).call_pc = call_pc;
        (*frame).extra_mut().top = top.cast();
        (*s).signal = Signal::None;
        let at = (*s).pc;
        let func = (*frame).func;
        (*vm).fp = frame;
        (*vm).pc = at;
        let result = match input {
            Input::Value(value) => {
                let value = (*s).pending.take().unwrap_or(value);
                let first = !std::mem::replace(&mut (*s).started, true);
                if !first && (*s).sent_to != NONE {
                    *Frame::slot(frame, (*s).sent_to) = value.into_raw();
                }
                Vm::run(vm, at.add(1), frame, (*func).literals)
            }
            Input::Stop(stop) => {
                (*s).started = true;
                (*s).pending = None;
                run_unwinding(vm, frame, at, stop)
            }
            Input::Aborted => {
                let text = b"Generator yielded from aborted, no return value available";
                let stop = cx.throw("ClosedGeneratorException", text);
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

fn already_running(cx: &mut Cx) -> Stop {
    cx.throw_error(b"Cannot resume an already running generator")
}

/// Brings `root`'s path up to date at its end: the last of it is the generator that runs next for `root`. Only that end can be out of
/// date, because a generator stops delegating only when the one that it delegates to has ended.
unsafe fn refresh(root: &PObject, s: *mut State) {
    // SAFETY: states live as long as their objects; no PHP code runs here.
    unsafe {
        let mut at = (*s).path.last().unwrap_or(root).clone();
        while let Some(t) = state(&at)
            && let Delegate::Generator(inner) = &(*t).delegate
        {
            let inner = inner.clone();
            (*s).path.push(inner.clone());
            at = inner;
        }
    }
}

/// The generator that runs next for `root`.
unsafe fn last(root: &PObject, s: *mut State) -> PObject {
    // SAFETY: as `refresh`.
    unsafe { (*s).path.last().unwrap_or(root).clone() }
}

/// Takes the last generator, which has ended, off the path. The state of the one before, if that delegates to it still.
unsafe fn pop(root: &PObject, s: *mut State) -> Option<(*mut State, *mut State)> {
    // SAFETY: as `refresh`; the object that is popped is held by the delegate that is compared.
    unsafe {
        let inner = (*s).path.pop()?;
        let outer = state((*s).path.last().unwrap_or(root))?;
        match &(*outer).delegate {
            Delegate::Generator(o) if *o == inner => Some((outer, state(&inner)?)),
            _ => None,
        }
    }
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
        refresh(root, s);
        if state(&last(root, s)).is_some_and(|t| (*t).running) {
            return Err(already_running(cx));
        }
        let held = root.clone();
        (*s).running = true;
        let result = advance_path(cx, root, s, input);
        (*s).running = false;
        drop(held);
        result
    }
}

unsafe fn advance_path(cx: &mut Cx, root: &PObject, s: *mut State, input: Input) -> Res<()> {
    // SAFETY: as `advance`; nobody else changes the path of a running generator.
    unsafe {
        let mut input = input;
        loop {
            let leaf = last(root, s);
            let Some(t) = state(&leaf) else { return Ok(()) };
            // An array or an iterator goes on by itself; an exception ends it.
            if matches!((*t).delegate, Delegate::Array(..) | Delegate::Iterator(_)) {
                if let Input::Value(_) = input {
                    let above = link(Vm::of(cx), s, t);
                    match in_frame(cx, t, above, next_of_delegate) {
                        Ok(true) => return Ok(()),
                        Ok(false) => input = Input::Value(Value::null()),
                        Err(stop) => input = Input::Stop(stop),
                    }
                }
                drop(std::mem::replace(&mut (*t).delegate, Delegate::None));
            }
            // What was delegated to ends before the generator goes on.
            if jumbo_value::Heap::current_has_dying()
                && !matches!(input, Input::Stop(_))
                && let Err(stop) = crate::objects::run_destructors(cx)
            {
                input = Input::Stop(stop);
            }
            let above = link(Vm::of(cx), s, t);
            (*t).running = true;
            let outcome = run(cx, &leaf, above, input);
            (*t).running = t == s;
            match outcome {
                Outcome::Yielded => return Ok(()),
                Outcome::Delegated => match into_delegate(cx, root, s)? {
                    Some(next) => input = next,
                    None => return Ok(()),
                },
                Outcome::Returned => {
                    if (*s).path.is_empty() {
                        return Ok(());
                    }
                    let value = (*t).returned.clone();
                    input = if value.is_undef() { Input::Aborted } else { Input::Value(value) };
                    if let Some((outer, inner)) = pop(root, s) {
                        // The last value is the outer one's from now on, unlike its key.
                        (*outer).value = (*inner).value.clone();
                        drop(std::mem::replace(&mut (*outer).delegate, Delegate::None));
                    }
                }
                Outcome::Stopped(stop) => {
                    if (*s).path.is_empty() {
                        return Err(stop);
                    }
                    if let Some((outer, _)) = pop(root, s) {
                        drop(std::mem::replace(&mut (*outer).delegate, Delegate::None));
                    }
                    input = Input::Stop(stop);
                }
            }
        }
    }
}

/// `yield from` a generator was begun: what that one, or whichever it delegates to, is to be continued with; `None`: it shows a value already.
unsafe fn into_delegate(cx: &mut Cx, root: &PObject, s: *mut State) -> Res<Option<Input>> {
    // SAFETY: as `advance_path`.
    unsafe {
        refresh(root, s);
        // The inner ones may have been going before, and even have ended.
        loop {
            let inner = last(root, s);
            let Some(u) = state(&inner) else { return Ok(None) };
            if (*u).running && u != s {
                return Err(already_running(cx));
            }
            if !(*u).is_done() {
                return Ok(if (*u).started { None } else { Some(Input::Value(Value::null())) });
            }
            if !(*u).returned.is_undef() {
                hand_back(root, s);
                continue;
            }
            if let Some((outer, _)) = pop(root, s) {
                drop(std::mem::replace(&mut (*outer).delegate, Delegate::None));
            }
            return Ok(Some(Input::Aborted));
        }
    }
}

/// Does the generator stand at a `yield` of its own, so that there is nothing to settle?
#[inline]
fn at_own_yield(s: *mut State) -> bool {
    // SAFETY: whoever asks holds the object, with which the state lives.
    unsafe {
        (*s).started
            && !(*s).running
            && !(*s).is_done()
            && matches!((*s).delegate, Delegate::None)
            && (*s).path.is_empty()
            && (*s).pending.is_none()
    }
}

/// Continues a generator that stands at a `yield` of its own.
unsafe fn resume(cx: &mut Cx, object: &PObject, s: *mut State, input: Input) -> Res<()> {
    // SAFETY: the state lives as long as the object, which `run` holds; nobody else changes the path of a running generator.
    unsafe {
        let held = object.clone();
        (*s).at_first_yield = false;
        (*s).running = true;
        let result = match run(cx, object, None, input) {
            Outcome::Yielded | Outcome::Returned => Ok(()),
            Outcome::Stopped(stop) => Err(stop),
            Outcome::Delegated => go_into_delegate(cx, object, s),
        };
        (*s).running = false;
        drop(held);
        result
    }
}

/// The running generator has begun to `yield from` another one: runs that to its next value.
unsafe fn go_into_delegate(cx: &mut Cx, object: &PObject, s: *mut State) -> Res<()> {
    // SAFETY: as `resume`.
    unsafe {
        match into_delegate(cx, object, s)? {
            Some(next) => advance_path(cx, object, s, next),
            None => Ok(()),
        }
    }
}

/// One step of `foreach`: the value and the key (null when nobody wants it); `None` at the end. `first`: the generator is not to go on.
pub fn step(cx: &mut Cx, object: &PObject, first: bool, by_ref: bool, wants_key: bool) -> Res<Option<(Value, Value)>> {
    if !first {
        next(cx, object)?;
    }
    shown(cx, object, by_ref, wants_key)
}

/// The value and the key that the generator shows; `None` when it is done.
fn shown(cx: &mut Cx, object: &PObject, by_ref: bool, wants_key: bool) -> Res<Option<(Value, Value)>> {
    if let Some(s) = state(object).filter(|&s| at_own_yield(s)) {
        // SAFETY: the state lives as long as the object.
        let (value, key) = unsafe { (&(*s).value, &(*s).key) };
        let value = if by_ref { value.clone() } else { value.copy_deref() };
        if !value.is_undef() && !key.is_undef() {
            return Ok(Some((value, if wants_key { key.copy_deref() } else { Value::null() })));
        }
    }
    if !valid(cx, object)? {
        return Ok(None);
    }
    let value = current(cx, object, by_ref)?;
    let key = if wants_key { key(cx, object)? } else { Value::null() };
    Ok(Some((value, key)))
}

/// The last generator of the path has returned without the one around it being resumed: that one shows the last value, and goes on with the
/// result when it is resumed.
unsafe fn hand_back(root: &PObject, s: *mut State) {
    // SAFETY: as `refresh`; the inner state is held by the delegate until the end.
    unsafe {
        if let Some((outer, inner)) = pop(root, s) {
            (*outer).value = (*inner).value.clone();
            (*outer).key = (*inner).key.clone();
            (*outer).pending = Some((*inner).returned.clone());
            drop(std::mem::replace(&mut (*outer).delegate, Delegate::None));
        }
    }
}

/// Makes the frames of the path each other's callers, for traces. The frame above `leaf`, and where it stands.
unsafe fn link(vm: *mut Vm, s: *mut State, leaf: *mut State) -> Option<(*mut Frame, *const Insn)> {
    // SAFETY: frames of unfinished generators are live; whoever links a path links its last one, so one that this root linked last has
    // all its callers in place.
    unsafe {
        if leaf == s {
            return None;
        }
        (*(*s).frame).prev = (*vm).fp;
        (*(*s).frame).call_pc = (*vm).pc;
        // Borrowed for this function only, which runs no PHP code.
        let path: &[PObject] = &(&(*s).path)[..];
        let count = path.len();
        let me = (*s).serial;
        // Those that joined since the last time, from the end; all when somebody else linked the last one.
        let mut from = count;
        while from > 0 && state(&path[from - 1]).is_some_and(|t| (*t).linked_by != me) {
            from -= 1;
        }
        if (*leaf).linked_by != me && (*leaf).linked_by != 0 {
            from = 0;
        }
        for n in from..count {
            let outer = if n == 0 { s } else { state(&path[n - 1]).unwrap_or(s) };
            let Some(t) = state(&path[n]) else { continue };
            if !(*t).frame.is_null() && !(*outer).frame.is_null() {
                (*(*t).frame).prev = (*outer).frame;
                (*(*t).frame).call_pc = (*outer).pc;
            }
            (*t).linked_by = me;
        }
        let outer = if count < 2 { s } else { state(&path[count - 2]).unwrap_or(s) };
        Some(((*outer).frame, (*outer).pc))
    }
}

/// Runs something for a generator that is suspended in `yield from`, with its frame on top: that is where traces show what runs.
unsafe fn in_frame<T>(
    cx: &mut Cx,
    s: *mut State,
    above: Option<(*mut Frame, *const Insn)>,
    run: unsafe fn(&mut Cx, *mut State) -> T,
) -> T {
    // SAFETY: the frame is live; the machine's place is put back.
    unsafe {
        let vm = Vm::of(cx);
        let (fp, pc) = ((*vm).fp, (*vm).pc);
        let _pins = crate::pins::Pins::of_running(vm);
        let top = Vm::top(vm);
        let frame = (*s).frame;
        let (prev, call_pc) = above.unwrap_or((fp, pc));
        (*frame).prev = prev;
        (*frame).call_pc = call_pc;
        (*frame).extra_mut().top = top.cast();
        let was = std::mem::replace(&mut (*s).running, true);
        (*vm).fp = frame;
        (*vm).pc = (*s).pc;
        let answer = run(cx, s);
        (*vm).fp = fp;
        (*vm).pc = pc;
        (*s).running = was;
        answer
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
pub unsafe fn delegate(vm: *mut Vm, fp: *mut Frame, value: Value) -> Res<Result<Signal, Value>> {
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
        let traversable = value.as_object().filter(|o| iteration::is_traversable(cx, o));
        let Some(object) = traversable else {
            return Err(cx.throw_error(b"Can use \"yield from\" only with arrays and Traversables"));
        };
        if let Some(inner) = state(object) {
            // Is this generator where the other one's delegation ends?
            let mut at = inner;
            while let Delegate::Generator(o) = &(*at).delegate
                && let Some(t) = state(o)
            {
                at = t;
            }
            if (*inner).running || at == s {
                return Err(cx.throw_error(b"Impossible to yield from the Generator being currently run"));
            }
            // However it ended: what it returned is for those that were delegating to it then.
            if (*inner).is_done() {
                let text = b"Generator passed to yield from was aborted without proper return and is unable to continue";
                return Err(cx.throw_error(text));
            }
            (*s).delegate = Delegate::Generator(object.clone());
            return Ok(Ok(Signal::Delegated));
        }
        let mut it = iteration::start(cx, object.clone(), false)?;
        // The iteration alone holds it from now on, and gives its own number back behind the object's.
        drop(value);
        if !it.is_there {
            return Ok(Err(Value::null()));
        }
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
            (*s).path.clear();
            return Ok(());
        }
        loop {
            refresh(root, s);
            let Some(t) = state(&last(root, s)) else { return Ok(()) };
            if t == s || !(*t).is_done() {
                return Ok(());
            }
            if !(*t).returned.is_undef() {
                hand_back(root, s);
                continue;
            }
            if let Some((outer, _)) = pop(root, s) {
                drop(std::mem::replace(&mut (*outer).delegate, Delegate::None));
                (*s).running = true;
                let result = advance_path(cx, root, s, Input::Aborted);
                (*s).running = false;
                result?;
            }
        }
    }
}

/// The generator whose value `root` shows, if there is a value.
fn leaf(root: &PObject) -> Option<*mut State> {
    let s = state(root)?;
    // SAFETY: states live as long as their objects, which the path holds.
    unsafe {
        if (*s).is_done() {
            return None;
        }
        let t = state((*s).path.last().unwrap_or(root))?;
        Some(t)
    }
}

/// Does it run without having come to its first yield? One that delegates to a generator shows what that one has yielded.
fn runs_to_first_yield(object: &PObject) -> bool {
    // SAFETY: the state lives as long as the object.
    state(object).is_some_and(|s| unsafe {
        (*s).running && (*s).value.is_undef() && !(*s).is_done() && !matches!((*s).delegate, Delegate::Generator(_))
    })
}

/// A generator that runs cannot be resumed: PHP says so once more where it asks for the first yield before.
fn refuse_running(cx: &mut Cx, object: &PObject) -> Res<()> {
    // SAFETY: the state lives as long as the object.
    if !state(object).is_some_and(|s| unsafe { (*s).running }) {
        return Ok(());
    }
    if runs_to_first_yield(object) {
        already_running(cx);
    }
    Err(already_running(cx))
}

/// As [`settle`]; one that runs and has not come to its first yield cannot be asked what it yielded.
fn settle_unless_running(cx: &mut Cx, object: &PObject) -> Res<()> {
    if runs_to_first_yield(object) {
        return Err(already_running(cx));
    }
    settle(cx, object)
}

pub fn valid(cx: &mut Cx, object: &PObject) -> Res<bool> {
    settle_unless_running(cx, object)?;
    // SAFETY: the state lives as long as the object.
    Ok(state(object).is_some_and(|s| unsafe { !(*s).is_done() }))
}

pub fn current(cx: &mut Cx, object: &PObject, by_ref: bool) -> Res<Value> {
    settle_unless_running(cx, object)?;
    // SAFETY: the state lives as long as the object.
    let value = leaf(object).map_or(Value::null(), |s| unsafe { (*s).value.clone() });
    if value.is_undef() {
        return Ok(Value::null());
    }
    Ok(if by_ref { value } else { value.into_deref() })
}

pub fn key(cx: &mut Cx, object: &PObject) -> Res<Value> {
    settle_unless_running(cx, object)?;
    // SAFETY: the state lives as long as the object.
    let key = leaf(object).map_or(Value::null(), |s| unsafe { (*s).key.copy_deref() });
    Ok(if key.is_undef() { Value::null() } else { key })
}

pub fn next(cx: &mut Cx, object: &PObject) -> Res<()> {
    refuse_running(cx, object)?;
    settle(cx, object)?;
    continue_with(cx, object, Input::Value(Value::null()))
}

fn continue_with(cx: &mut Cx, object: &PObject, input: Input) -> Res<()> {
    let Some(s) = state(object) else { return Ok(()) };
    if at_own_yield(s) {
        // SAFETY: the state lives as long as the object.
        return unsafe { resume(cx, object, s, input) };
    }
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
    settle_unless_running(cx, object)?;
    // SAFETY: the state lives as long as the object.
    let at_first = state(object).is_some_and(|s| unsafe { (*s).at_first_yield });
    if !at_first {
        return Err(cx.throw("Exception", b"Cannot rewind a generator that was already run"));
    }
    Ok(())
}

pub fn send(cx: &mut Cx, object: &PObject, value: Value) -> Res<Value> {
    refuse_running(cx, object)?;
    let Some(s) = state(object) else { return Ok(Value::null()) };
    settle(cx, object)?;
    // SAFETY: the state lives as long as the object.
    if unsafe { (*s).is_done() } {
        return Ok(Value::null());
    }
    continue_with(cx, object, Input::Value(value))?;
    current(cx, object, false)
}

pub fn throw(cx: &mut Cx, object: &PObject, exception: &PObject) -> Res<Value> {
    refuse_running(cx, object)?;
    let Some(s) = state(object) else { return Ok(Value::null()) };
    match settle(cx, object) {
        // The generator ended on its way to its first `yield`: what it threw becomes the previous exception of the given one.
        Err(Stop::Thrown) => {
            // What its variables held ends before.
            match crate::objects::run_destructors(cx) {
                Ok(()) | Err(Stop::Thrown) => return Err(cx.throw_object(exception.clone())),
                Err(stop) => return Err(stop),
            }
        }
        settled => settled?,
    }
    // SAFETY: as above.
    if unsafe { (*s).is_done() } {
        return Err(cx.throw_object(exception.clone()));
    }
    let stop = cx.throw_object(exception.clone());
    continue_with(cx, object, Input::Stop(stop))?;
    current(cx, object, false)
}

pub fn get_return(cx: &mut Cx, object: &PObject) -> Res<Value> {
    settle_unless_running(cx, object)?;
    // SAFETY: the state lives as long as the object.
    let value = state(object).map_or(Value::undef(), |s| unsafe { (*s).returned.copy_deref() });
    if value.is_undef() {
        return Err(cx.throw("Exception", b"Cannot get return value of a generator that hasn't returned"));
    }
    Ok(value)
}

/// May `foreach` go over the generator?
pub fn check_iteration(cx: &mut Cx, object: &PObject, by_ref: bool) -> Res<()> {
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
    Ok(())
}

/// Runs the finally blocks of a generator that is destroyed while suspended inside of their `try`.
pub fn destruct(cx: &mut Cx, object: &PObject) -> Res<()> {
    // What a generator delegates to ends first, and only then the generator itself: a chain of any length, hence a list.
    let mut chain: Vec<PObject> = Vec::new();
    loop {
        let innermost = chain.last().unwrap_or(object);
        let Some(s) = suspended(innermost) else { break };
        // SAFETY: the state lives as long as the object, and the generator does not run.
        let delegate = unsafe {
            (*s).path.clear();
            std::mem::replace(&mut (*s).delegate, Delegate::None)
        };
        match delegate {
            Delegate::Generator(inner) if inner.header().is_unique() && !inner.is_destructed() => {
                inner.mark_destructed();
                chain.push(inner);
            }
            other => {
                drop(other);
                break;
            }
        }
    }
    while let Some(inner) = chain.pop() {
        close(cx, &inner).or_else(|stop| crate::objects::stopped_destructor(cx, stop))?;
    }
    close(cx, object)
}

/// The state of a generator that stands at a `yield`.
fn suspended(object: &PObject) -> Option<*mut State> {
    let s = state(object)?;
    // SAFETY: the state lives as long as the object.
    unsafe { (!(*s).is_done() && !(*s).running && (*s).started).then_some(s) }
}

/// [`destruct`] for one generator, which delegates to nothing any more.
fn close(cx: &mut Cx, object: &PObject) -> Res<()> {
    // What died with what it delegated to.
    crate::objects::run_destructors(cx)?;
    let Some(s) = suspended(object) else { return Ok(()) };
    // SAFETY: the state lives as long as the object; the frame is suspended.
    unsafe {
        let Some(proto) = (*s).proto() else { return Ok(()) };
        let at = (*s).pc.offset_from(proto.code.as_ptr()) as u32;
        let vm = Vm::of(cx);
        let Some(region) = finally_at(proto, at) else {
            // An `@` that it stands in ends.
            (*s).live(|slot, kind| {
                if kind == LiveKind::Silence {
                    crate::ops::misc::end_silence(vm, *slot);
                }
            });
            return Ok(());
        };
        let (word, slot) = (region.finally, region.finally_temp);
        unwind::release_live(vm, (*s).frame, proto, at, Some(word));
        // What an expression or a loop held ends before the finally block runs.
        crate::objects::run_destructors(cx)?;
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
    cx.throw_error(b"Cannot yield from finally in a force-closed generator")
}

/// The warning for `yield $notAVariable` in a generator by reference.
pub fn only_variables(cx: &mut Cx) -> Res<()> {
    cx.raise(Level::Notice, b"Only variable references should be yielded by reference")
}

/// What var_dump shows: the function's name.
pub fn debug_info(object: &PObject) -> PArray {
    let mut info = PArray::new();
    if let Some(s) = state(object) {
        // SAFETY: the state lives as long as the object.
        unsafe {
            info.set_bytes(b"function", (*s).func.display_name().as_slice());
        }
    }
    info
}

/// The instance ends: frames of unfinished generators go while the functions that they run are still there.
pub fn release_frames() {
    for object in Heap::current().objects() {
        if let Some(s) = state(&object) {
            // SAFETY: no PHP code runs any more.
            unsafe { (*s).release_all() };
        }
    }
}
