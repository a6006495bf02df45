//! Fibers: coroutines inside an instance, each with a frame stack and a native stack of its own.
//!
//! Resuming a fiber exchanges the machine's place (frames, stack bounds, nesting) for the fiber's and runs its coroutine until it suspends
//! or ends. The bottom frame of a fiber's stack has no function; while the fiber runs its `prev` is the frame that resumed it, so that
//! backtraces go on there. When a builtin inside waits for the outside world, the machine stays as it is and only the coroutine
//! gives up control, level by level. A suspended fiber that is destroyed is unwound by an exception that no `catch` matches.

pub mod inspect;

use crate::coroutine::{self, Inner, Resume, Switch};
use crate::frame::{Frame, flags};
use crate::vm::{FrameStack, Vm};
use jumbo_abi::class::{Class, ClassSource, Iteration, Magic, Names};
use jumbo_abi::args::Call;
use jumbo_abi::{Callable, ClassDesc, ClassHooks, ClassPtr, Cx, FnDesc, FnPtr, Res, Stop, class_flags};
use jumbo_bytecode::unit::LiveKind;
use jumbo_bytecode::Insn;
use jumbo_value::{PArray, ClassHead, Heap, Native, PObject, PStr, Raw, Value, header, tag};
use std::cell::{Cell, UnsafeCell};
use std::ptr;
use std::sync::OnceLock;

/// What PHP accepts as `fiber.stack_size`; stacks here have one size.
const LEAST_STACK_BYTES: i64 = 16 << 10;
/// Address space of a fiber's frame stack.
const FRAME_STACK_BYTES: usize = 16 << 20;
/// Of which this much is charged to the instance from the start, for its first pages and those of the native stack.
const FIRST_CHARGE: usize = 32 << 10;
/// Frame stacks kept for reuse by an instance.
const POOLED: usize = 32;

/// The fibers of an instance.
#[derive(Default)]
pub struct Fibers {
    current: Option<PObject>,
    stacks: Vec<FrameStack>,
    blocked: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Init,
    Running,
    Suspended,
    Terminated,
}

/// What a suspended fiber continues with.
enum Input {
    Value(Value),
    Throw(PObject),
    /// The fiber is destroyed.
    Close,
}

/// How a fiber ended.
enum End {
    None,
    Returned(Value),
    Threw,
    Failed,
}

/// The machine's place in one line of execution.
struct Place {
    fp: *mut Frame,
    pc: *const Insn,
    stack_base: usize,
    stack_bytes: usize,
    stack_charged: usize,
    loop_fp: *mut Frame,
    loop_lits: *const Raw,
    result: Raw,
    stop: Option<Stop>,
    depth: u32,
    native_limit: usize,
    error_level: u32,
}

impl Place {
    unsafe fn take(vm: *mut Vm) -> Place {
        // SAFETY: the machine is live.
        unsafe {
            let vm_ref = &mut *vm;
            Place {
                fp: vm_ref.fp,
                pc: vm_ref.pc,
                stack_base: vm_ref.stack_base,
                stack_bytes: vm_ref.stack_bytes,
                stack_charged: vm_ref.stack_charged,
                loop_fp: vm_ref.loop_fp,
                loop_lits: vm_ref.loop_lits,
                result: std::mem::replace(&mut vm_ref.result, Raw::NULL),
                stop: vm_ref.stop.take(),
                depth: vm_ref.depth,
                native_limit: vm_ref.native_limit,
                error_level: (*vm_ref.cx).error_level,
            }
        }
    }
    unsafe fn put(self, vm: *mut Vm) {
        // SAFETY: the machine is live.
        unsafe {
            let vm = &mut *vm;
            vm.fp = self.fp;
            vm.pc = self.pc;
            vm.stack_base = self.stack_base;
            vm.stack_bytes = self.stack_bytes;
            vm.stack_charged = self.stack_charged;
            vm.loop_fp = self.loop_fp;
            vm.loop_lits = self.loop_lits;
            vm.result = self.result;
            vm.stop = self.stop;
            vm.depth = self.depth;
            vm.native_limit = self.native_limit;
            (*vm.cx).error_level = self.error_level;
        }
    }
}

/// Native state of a Fiber.
struct State {
    /// Given up when it has returned.
    callable: UnsafeCell<Callable>,
    status: Cell<Status>,
    parts: UnsafeCell<Parts>,
}

struct Parts {
    coroutine: Option<Inner>,
    frames: Option<FrameStack>,
    bottom: *mut Frame,
    /// Where it goes on, while it is suspended.
    place: Option<Place>,
    args: Vec<Value>,
    /// Arguments by name, for the callable.
    named: Option<PArray>,
    input: Option<Input>,
    /// What was given to `Fiber::suspend`.
    output: Value,
    /// The object whose destructor it runs.
    subject: Value,
    end: End,
    closing: bool,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        // SAFETY: the collector runs no PHP code while it traces.
        let callable = unsafe { &*self.callable.get() };
        visit(&callable.value);
        for object in [&callable.this, &callable.closure].into_iter().flatten() {
            let raw = Raw { tag: tag::OBJECT, bits: object.as_ptr() as u64 };
            // SAFETY: the words are a living value for the time of the call.
            visit(unsafe { raw.as_value() });
        }
        // SAFETY: the collector runs no PHP code while it traces.
        let parts = unsafe { &*self.parts.get() };
        visit(&parts.output);
        visit(&parts.subject);
        for value in &parts.args {
            visit(value);
        }
        for (_, value) in parts.named.iter().flatten() {
            visit(value);
        }
        if let Some(Input::Value(value)) = &parts.input {
            visit(value);
        }
        if let Some(place) = parts.place.as_ref().filter(|_| self.status.get() == Status::Suspended) {
            // SAFETY: frames of a suspended fiber are live.
            unsafe { trace_frames(place.fp, place.pc, parts.bottom, visit) };
        }
        if let End::Returned(value) = &parts.end {
            visit(value);
        }
    }
    fn clear(&mut self) {
        release(self.callable.get_mut());
        let parts = self.parts.get_mut();
        parts.output = Value::null();
        parts.subject = Value::null();
        parts.end = End::None;
        parts.args.clear();
        parts.named = None;
    }
}

/// Nothing is called any more; what it held may die.
fn release(callable: &mut Callable) {
    callable.value = Value::null();
    callable.this = None;
    callable.closure = None;
}

/// Visits what the frames of a suspended fiber hold. Frames of generators belong to their generators.
unsafe fn trace_frames(top: *mut Frame, pc: *const Insn, bottom: *mut Frame, visit: &mut dyn FnMut(&Value)) {
    // SAFETY: CVs are initialised, and live ranges say what temporaries hold.
    unsafe {
        let mut raw = |raw: Raw| visit(raw.as_value());
        let (mut fp, mut pc) = (top, pc);
        while !fp.is_null() && fp != bottom {
            if !(*fp).is(flags::GENERATOR) {
                if (*fp).is_user() {
                    let proto = (*(*fp).func).proto_unchecked();
                    for n in 0..proto.cvs.len() {
                        raw(*Frame::cv(fp, n));
                    }
                    crate::generator::live_at(fp, proto, pc, |slot, kind| match kind {
                        LiveKind::Value | LiveKind::Argument(_) | LiveKind::NewObject | LiveKind::Iterator => raw(*slot),
                        LiveKind::Frame => {
                            let prepared = slot.cast::<Frame>();
                            if !(*prepared).this.is_null() {
                                raw(Raw { tag: tag::OBJECT, bits: (*prepared).this as u64 });
                            }
                            if let Some(closure) = (*prepared).closure() {
                                raw(Raw { tag: tag::OBJECT, bits: closure.as_ptr() as u64 });
                            }
                        }
                        LiveKind::Silence => {}
                    });
                } else {
                    for n in 0..(*fp).nargs as usize {
                        raw(*Frame::cv(fp, n));
                    }
                }
                if !(*fp).this.is_null() {
                    raw(Raw { tag: tag::OBJECT, bits: (*fp).this as u64 });
                }
                if let Some(closure) = (*fp).closure() {
                    raw(Raw { tag: tag::OBJECT, bits: closure.as_ptr() as u64 });
                }
                if let Some(extra) = (*fp).extra_ref() {
                    for arg in &extra.args {
                        raw(arg.raw());
                    }
                    if let Some(named) = &extra.named {
                        raw(Raw { tag: named.header().tag(), bits: named.as_ptr() as u64 });
                    }
                    if let Some(symbols) = &extra.symbols {
                        symbols.trace_own(&mut raw);
                    }
                }
            }
            pc = (*fp).call_pc;
            fp = (*fp).prev;
        }
    }
}

fn state(object: &PObject) -> Option<&State> {
    object.native::<State>()
}

pub fn status(object: &PObject) -> Status {
    state(object).map_or(Status::Init, |s| s.status.get())
}

/// The running fiber.
pub fn current(cx: &Cx) -> Option<PObject> {
    // SAFETY: the machine is live.
    unsafe { (*Vm::of(cx)).fibers.current.clone() }
}

fn error(cx: &mut Cx, message: &str) -> Stop {
    // FiberError has a constructor that refuses; exceptions of the engine do not call it.
    cx.throw("FiberError", message)
}

/// Code runs that no fiber may be left or entered in: tick functions.
pub fn block_switches(cx: &mut Cx, blocked: bool) -> bool {
    // SAFETY: the machine is live.
    unsafe { std::mem::replace(&mut (*Vm::of(cx)).fibers.blocked, blocked) }
}

fn check_switch(cx: &mut Cx) -> Res<()> {
    // SAFETY: the machine is live.
    if cx.foreign_frames > 0 || unsafe { (*Vm::of(cx)).fibers.blocked } {
        return Err(error(cx, "Cannot switch fibers in current execution context"));
    }
    Ok(())
}

pub fn construct(cx: &mut Cx, object: &PObject, callable: Callable) -> Res<()> {
    let native = Box::new(State {
        callable: UnsafeCell::new(callable),
        status: Cell::new(Status::Init),
        parts: UnsafeCell::new(Parts {
            coroutine: None,
            frames: None,
            bottom: ptr::null_mut(),
            place: None,
            args: Vec::new(),
            named: None,
            input: None,
            output: Value::null(),
            subject: Value::null(),
            end: End::None,
            closing: false,
        }),
    });
    match object.set_native(native) {
        Ok(()) => Ok(()),
        Err(_) => Err(error(cx, "Cannot call constructor twice")),
    }
}

pub fn start(cx: &mut Cx, object: &PObject, args: Vec<Value>, named: Option<PArray>) -> Res<Value> {
    let Some(s) = state(object) else { return Err(error(cx, "Cannot start a fiber that has not been constructed")) };
    if s.status.get() != Status::Init {
        return Err(error(cx, "Cannot start a fiber that has already been started"));
    }
    check_switch(cx)?;
    let size = cx.ini.configured(b"fiber.stack_size").map(jumbo_abi::ini::parse_quantity);
    if size.is_some_and(|size| size < LEAST_STACK_BYTES) {
        let text = format!("Fiber stack size is too small, it needs to be at least {LEAST_STACK_BYTES} bytes");
        return Err(cx.throw("Exception", text));
    }
    // SAFETY: the machine is live; the state stays in place while the object lives, which is held while the fiber runs.
    unsafe {
        let vm = Vm::of(cx);
        Vm::check_native_depth(vm)?;
        // May unwind: the request is over its memory_limit.
        Heap::charge_current(FIRST_CHARGE);
        let frames = match (*vm).fibers.stacks.pop().map_or_else(|| FrameStack::new(FRAME_STACK_BYTES), Ok) {
            Ok(frames) => frames,
            Err(e) => return Err(no_stack(cx, &e)),
        };
        let bottom = frames.base().cast::<Frame>();
        bottom.write(Frame::BOTTOM);
        let parts = s.parts.get();
        (*parts).bottom = bottom;
        (*parts).args = args;
        (*parts).named = named;
        (*parts).place = Some(Place {
            fp: bottom,
            pc: ptr::null(),
            stack_base: frames.base() as usize,
            stack_bytes: frames.size,
            stack_charged: FIRST_CHARGE,
            loop_fp: ptr::null_mut(),
            loop_lits: ptr::null(),
            result: Raw::NULL,
            stop: None,
            depth: 0,
            native_limit: 0,
            error_level: unsilenced(cx),
        });
        (*parts).frames = Some(frames);
        let (context, this): (*mut Cx, *const State) = (cx, s);
        let made = coroutine::new(move || body(context, this));
        match made {
            Ok(coroutine) => (*parts).coroutine = Some(coroutine),
            Err(e) => return Err(no_stack(cx, &e)),
        }
        run(cx, object)
    }
}

/// Calls the destructor of a garbage object in a fiber of its own. It may come back from there suspended.
pub fn run_destructor(cx: &mut Cx, object: &PObject) -> Res<()> {
    static DESC: FnDesc = FnDesc {
        name: "gc_destructor_fiber",
        params: &[],
        required: 0,
        ret: None,
        tentative: false,
        flags: 0,
        effects: 0,
        call: destruct_in_fiber,
        attributes: &[],
    };
    static FUNCTION: OnceLock<FnPtr> = OnceLock::new();
    let function = *FUNCTION.get_or_init(|| FnPtr::leak(jumbo_runtime::builtin::function_of(&DESC, None)));
    let class = cx.builtin_class(b"fiber");
    let fiber = cx.new_object(class)?;
    construct(cx, &fiber, Callable { function, this: None, class: None, closure: None, magic_name: None, value: Value::null() })?;
    if let Some(s) = state(&fiber) {
        // Not an argument, which traces would show.
        // SAFETY: the fiber has not been started, so nothing borrows its parts.
        unsafe { (*s.parts.get()).subject = Value::from(object.clone()) };
    }
    start(cx, &fiber, Vec::new(), None).map(drop)
}

fn destruct_in_fiber(cx: &mut Cx, _call: &mut Call) -> Res<Value> {
    // No handle on the fiber or the object is kept while the destructor is suspended: the collector must know all counts.
    let Some(s) = current(cx).and_then(|fiber| state(&fiber).map(ptr::from_ref)) else { return Ok(Value::null()) };
    // SAFETY: the state lives as long as the fiber, which is held while it runs; only this function changes the subject.
    unsafe {
        let parts = (*s).parts.get();
        let answer = match (*parts).subject.as_object() {
            Some(object) => crate::objects::destruct(cx, object),
            None => Ok(()),
        };
        drop(std::mem::take(&mut (*parts).subject));
        answer.map(|()| Value::null())
    }
}

fn no_stack(cx: &mut Cx, why: &std::io::Error) -> Stop {
    Heap::uncharge_current(FIRST_CHARGE);
    cx.throw_error(format!("Fiber stack could not be allocated: {why}"))
}

/// The error level that a fiber starts with: `@` around the start does not count.
fn unsilenced(cx: &Cx) -> u32 {
    /// What `@` leaves on.
    const FATAL: u32 = 4437;
    if cx.error_level & !FATAL != 0 {
        return cx.error_level;
    }
    match cx.ini.str("error_reporting") {
        b"" => jumbo_abi::Level::ALL,
        _ => cx.ini.int("error_reporting") as u32,
    }
}

/// What runs on the fiber's stack.
fn body(cx: *mut Cx, this: *const State) {
    // SAFETY: whoever resumes the fiber holds the context and the object.
    unsafe {
        let cx = &mut *cx;
        let s = &*this;
        let vm = Vm::of(cx);
        (*vm).native_limit = coroutine::native_limit();
        let args = std::mem::take(&mut (*s.parts.get()).args);
        // No count is held here, which the collector would not know of: the state lives as long as the fiber.
        let answer = match (*s.parts.get()).named.take() {
            None if (*s.callable.get()).magic_name.is_none() => Vm::call_with_owned(vm, &*s.callable.get(), args),
            None => cx.call(&*s.callable.get(), &args),
            Some(named) => {
                let mut all = PArray::from_values(args.iter().cloned());
                for (name, value) in &named {
                    all.set(name.to_key(), value.clone());
                }
                drop((named, args));
                cx.call_with_array(&*s.callable.get(), &all)
            }
        };
        release(&mut *s.callable.get());
        let parts = s.parts.get();
        (*parts).end = match answer {
            Ok(value) => End::Returned(value.into_deref()),
            Err(Stop::Thrown) => {
                let graceful = cx.exception.as_ref().is_some_and(|e| ClassPtr::of(e) == graceful_exit());
                if graceful {
                    cx.exception = None;
                    End::None
                } else {
                    End::Threw
                }
            }
            Err(stop) => {
                (*vm).stop = Some(stop);
                End::Failed
            }
        };
    }
}

/// Puts the resumer's place back, also when a panic passes.
struct Back {
    vm: *mut Vm,
    place: Option<Place>,
    outer: Option<PObject>,
    /// Start and length of the fiber's frame stack.
    frames: (usize, usize),
}

impl Drop for Back {
    fn drop(&mut self) {
        if let Some(place) = self.place.take() {
            // SAFETY: the machine is live.
            unsafe {
                // The fiber's frames may go with it; global variables of files that it included stay.
                (*self.vm).globals.take_from(self.frames.0, self.frames.1);
                place.put(self.vm);
                (*self.vm).fibers.current = self.outer.take();
            }
        }
    }
}

/// Runs the fiber until it suspends or ends.
unsafe fn run(cx: &mut Cx, object: &PObject) -> Res<Value> {
    // SAFETY: the machine is live; the object is held.
    unsafe {
        let held = object.clone();
        let Some(s) = state(&held) else { return Ok(Value::null()) };
        let parts = s.parts.get();
        let vm = Vm::of(cx);
        let (Some(place), Some(mut coroutine)) = ((*parts).place.take(), (*parts).coroutine.take()) else {
            return Err(error(cx, "Cannot resume a fiber that is not suspended"));
        };
        let mine = Place::take(vm);
        (*(*parts).bottom).prev = mine.fp;
        (*(*parts).bottom).call_pc = mine.pc;
        place.put(vm);
        let outer = (*vm).fibers.current.replace(held.clone());
        let frames = (*parts).frames.as_ref().map_or((0, 0), |f| (f.base() as usize, f.size));
        let mut back = Back { vm, place: Some(mine), outer, frames };
        s.status.set(Status::Running);
        let mut with = Resume::Go;
        let switch = loop {
            match coroutine::resume(&mut coroutine, with) {
                // The whole instance waits: the machine's place stays the fiber's.
                Some(Switch::Wait) => with = coroutine::wait(),
                other => break other,
            }
        };
        let failed = (*vm).stop;
        let theirs = Place::take(vm);
        if let Some(place) = back.place.take() {
            place.put(vm);
        }
        (*vm).fibers.current = back.outer.take();
        (*(*parts).bottom).prev = ptr::null_mut();
        if switch == Some(Switch::Suspend) {
            (*parts).coroutine = Some(coroutine);
            (*parts).place = Some(theirs);
            // Its destruction has something to do: unwinding.
            held.header().unset(header::DESTRUCTED);
            s.status.set(Status::Suspended);
            return Ok(std::mem::take(&mut (*parts).output));
        }
        s.status.set(Status::Terminated);
        Heap::uncharge_current(theirs.stack_charged);
        held.header().set(header::DESTRUCTED);
        coroutine::keep_stack(coroutine.into_stack(), coroutine::POOLED_OF_FIBERS);
        if let Some(frames) = (*parts).frames.take()
            && (*vm).fibers.stacks.len() < POOLED
        {
            (*vm).fibers.stacks.push(frames);
        }
        match (*parts).end {
            End::Threw => Err(Stop::Thrown),
            End::Failed => Err(failed.unwrap_or(Stop::Fatal)),
            End::None | End::Returned(_) => Ok(Value::null()),
        }
    }
}

fn go_on(cx: &mut Cx, object: &PObject, input: Input) -> Res<Value> {
    let Some(s) = state(object).filter(|s| s.status.get() == Status::Suspended) else {
        return Err(error(cx, "Cannot resume a fiber that is not suspended"));
    };
    if !matches!(input, Input::Close) {
        check_switch(cx)?;
    }
    // SAFETY: the fiber is suspended, so nothing borrows its parts.
    unsafe {
        (*s.parts.get()).input = Some(input);
        run(cx, object)
    }
}

pub fn resume(cx: &mut Cx, object: &PObject, value: Value) -> Res<Value> {
    go_on(cx, object, Input::Value(value))
}

pub fn throw(cx: &mut Cx, object: &PObject, exception: PObject) -> Res<Value> {
    go_on(cx, object, Input::Throw(exception))
}

/// `Fiber::suspend`.
pub fn suspend(cx: &mut Cx, value: Value) -> Res<Value> {
    let Some(object) = current(cx) else { return Err(error(cx, "Cannot suspend outside of a fiber")) };
    check_switch(cx)?;
    // The handle is not kept while suspended: the fiber must be destroyed when nobody else holds it.
    let Some(s) = state(&object).map(ptr::from_ref) else { return Ok(Value::null()) };
    drop(object);
    // SAFETY: whoever resumes the fiber holds it while it runs; its destruction unwinds this stack first.
    unsafe {
        let parts = (*s).parts.get();
        if (*parts).closing {
            return Err(error(cx, "Cannot suspend in a force-closed fiber"));
        }
        (*parts).output = value;
        coroutine::give_up(Switch::Suspend);
        match (*parts).input.take() {
            Some(Input::Value(value)) => Ok(value),
            Some(Input::Throw(exception)) => Err(cx.throw_object(exception)),
            Some(Input::Close) | None => {
                cx.exception = Some(PObject::alloc(&raw const (*graceful_exit().as_ptr()).head));
                Err(Stop::Thrown)
            }
        }
    }
}

pub fn get_return(cx: &mut Cx, object: &PObject) -> Res<Value> {
    let why = match state(object) {
        None => "The fiber has not been started",
        Some(s) => match s.status.get() {
            Status::Init => "The fiber has not been started",
            Status::Running | Status::Suspended => "The fiber has not returned",
            // SAFETY: the fiber has ended.
            Status::Terminated => match unsafe { &(*s.parts.get()).end } {
                End::Returned(value) => return Ok(value.clone()),
                End::Threw => "The fiber threw an exception",
                End::Failed => "The fiber exited with a fatal error",
                End::None => "The fiber has not returned",
            },
        },
    };
    Err(error(cx, &format!("Cannot get fiber return value: {why}")))
}

/// Unwinds a fiber that is destroyed while suspended; its finally blocks run.
pub fn destruct(cx: &mut Cx, object: &PObject) -> Res<()> {
    let Some(s) = state(object) else { return Ok(()) };
    if s.status.get() != Status::Suspended {
        return Ok(());
    }
    // SAFETY: the fiber is suspended, so nothing borrows its parts.
    unsafe {
        (*s.parts.get()).closing = true;
    }
    go_on(cx, object, Input::Close).map(drop)
}

/// Class of the exception that unwinds a destroyed fiber: no Throwable, so no `catch` matches it.
fn graceful_exit() -> ClassPtr {
    static DESC: ClassDesc = ClassDesc {
        name: "GracefulExit",
        parent: None,
        interfaces: &[],
        flags: class_flags::FINAL,
        constants: &[],
        properties: &[],
        methods: &[],
        enum_backing: 0,
        hooks: &ClassHooks::NONE,
        attributes: &[],
    };
    static CLASS: OnceLock<ClassPtr> = OnceLock::new();
    *CLASS.get_or_init(|| {
        ClassPtr::leak(Class {
            head: ClassHead { id: u32::MAX, slot_count: 0, flags: 0 },
            name: PStr::immortal(DESC.name.as_bytes()),
            lower: PStr::immortal(b"gracefulexit"),
            handle: u32::MAX,
            flags: DESC.flags,
            parent: None,
            interfaces: Vec::new(),
            traits: Vec::new(),
            constants: Names::default(),
            properties: Names::default(),
            slots: Vec::new(),
            known_defaults: None,
            static_properties: Names::default(),
            static_count: 0,
            methods: Names::default(),
            magic: Magic::default(),
            iteration: Iteration::Properties,
            hooks: &ClassHooks::NONE,
            enum_backing: 0,
            source: ClassSource::Builtin(&DESC),
        })
    })
}

/// Is it what unwinds a destroyed fiber?
pub fn is_graceful_exit(object: &PObject) -> bool {
    ClassPtr::of(object) == graceful_exit()
}

/// The instance ends without having unwound its fibers (a fatal error): their stacks go.
pub fn abandon_all() {
    for object in Heap::current().objects() {
        if let Some(s) = state(&object).filter(|s| s.status.get() == Status::Suspended) {
            s.status.set(Status::Terminated);
            // SAFETY: the fiber is suspended; dropping its coroutine unwinds the native stack, and nothing borrows its parts.
            unsafe {
                drop((*s.parts.get()).coroutine.take());
            }
        }
    }
}
