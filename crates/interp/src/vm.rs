//! The machine of one instance: its frame stack, the running frame, and how native code runs PHP functions on it.
//!
//! Invariants: `fp` is the running frame whenever code that may look at frames runs; `pc` is stored by handlers before they call such
//! code. The frame stack is one reserved mapping per coroutine, of which only touched pages are resident; what is used of it counts
//! against memory_limit in steps of [`CHARGE_STEP`].

use crate::dispatch::run_loop;
use crate::frame::{Frame, flags};
use crate::ops::calls;
use jumbo_abi::args::Call;
use jumbo_abi::{Callable, ClassPtr, Cx, FnPtr, Res, Stop, func_flags};
use jumbo_bytecode::{FRAME_HEADER, Insn, NONE};
use jumbo_value::{Heap, ObjHeader, PObject, PRef, PStr, Raw, Value};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Address space of a frame stack.
pub const STACK_BYTES: usize = 256 << 20;
/// Frame stack memory is charged to the instance in steps of this many bytes.
const CHARGE_STEP: usize = 256 << 10;
/// And the first ones, of fibers, in smaller steps.
const SMALL_CHARGE_STEP: usize = 32 << 10;

/// Of a stack that was used, this much stays resident between requests.
const STACK_BYTES_KEPT: usize = 512 << 10;

static FRAME_STACKS: AtomicUsize = AtomicUsize::new(0);

/// Frame stacks of the process: what tests for leaks look at.
pub fn frame_stacks() -> usize {
    FRAME_STACKS.load(Ordering::Relaxed)
}

/// A frame stack: reserved address space, touched as needed.
pub struct FrameStack {
    base: *mut u8,
    pub size: usize,
}

impl FrameStack {
    pub fn new(size: usize) -> std::io::Result<FrameStack> {
        // SAFETY: a fresh anonymous mapping.
        let base = unsafe {
            libc::mmap(
                ptr::null_mut(),
                size,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        FRAME_STACKS.fetch_add(1, Ordering::Relaxed);
        Ok(FrameStack { base: base.cast(), size })
    }
    pub fn base(&self) -> *mut u8 {
        self.base
    }
}

impl Drop for FrameStack {
    fn drop(&mut self) {
        FRAME_STACKS.fetch_sub(1, Ordering::Relaxed);
        // SAFETY: mapped by `new`, and no frame of it runs any more.
        unsafe {
            libc::munmap(self.base.cast(), self.size);
        }
    }
}

/// The machine.
pub struct Vm {
    pub cx: *mut Cx,
    /// The context's interrupt flag.
    pub interrupt: *const std::sync::atomic::AtomicBool,
    pub fp: *mut Frame,
    pub pc: *const Insn,
    /// Frames must lie in `stack_base .. stack_base + stack_bytes`; others (of generators) are moved when they call.
    pub stack_base: usize,
    pub stack_bytes: usize,
    /// Bytes of the stack that are charged: a frame beyond takes the slow path.
    pub stack_charged: usize,
    pub loop_fp: *mut Frame,
    pub loop_lits: *const Raw,
    /// Result of the ENTRY frame that ended last.
    pub result: Raw,
    /// Why the running loop ended early.
    pub stop: Option<Stop>,
    /// Native nesting of run loops.
    pub depth: u32,
    pub stack: FrameStack,
    /// Bottom frame: no function; its symbol table is the global one.
    pub bottom: *mut Frame,
    pub globals: std::rc::Rc<crate::symbols::SymbolTable>,
    /// Static variables by function id (closures keep their own).
    pub statics: crate::statics::Statics,
    /// Magic methods that run, and for which property.
    pub guards: crate::objects::Guards,
    pub recent_names: crate::lookup::RecentNames,
    /// How often destructors were put off for lack of native stack since the queue was empty.
    pub postponed_destructors: u32,
    /// The running fiber (its coroutine and place), see `fiber`.
    pub fibers: crate::fiber::Fibers,
    /// Lowest native stack address that may be used: deeper nesting is PHP's stack overflow error.
    pub native_limit: usize,
    /// Set while Reflection reads or writes past a property's hooks.
    pub raw_access: Option<crate::inspect::RawAccess>,
    /// The instruction for which the heap keeps freed blocks (see [`crate::pins`]).
    pub kept_at: (*mut Frame, *const Insn),
    /// File and line at which memory_limit was exceeded: known before the unwinding, which frees frames.
    pub limit_place: Option<(PStr, u32)>,
}

impl Vm {
    pub fn new(cx: *mut Cx) -> std::io::Result<Box<Vm>> {
        let stack = FrameStack::new(STACK_BYTES)?;
        let bottom = stack.base().cast::<Frame>();
        let mut vm = Box::new(Vm {
            cx,
            // SAFETY: the context owns the flag and outlives the machine.
            interrupt: unsafe { std::sync::Arc::as_ptr(&(*cx).interrupt) },
            fp: bottom,
            pc: ptr::null(),
            stack_base: stack.base() as usize,
            stack_bytes: stack.size,
            stack_charged: CHARGE_STEP,
            loop_fp: ptr::null_mut(),
            loop_lits: ptr::null(),
            result: Raw::NULL,
            stop: None,
            depth: 0,
            stack,
            bottom,
            globals: std::rc::Rc::new(crate::symbols::SymbolTable::new()),
            statics: crate::statics::Statics::default(),
            guards: crate::objects::Guards::default(),
            recent_names: crate::lookup::RecentNames::default(),
            postponed_destructors: 0,
            fibers: crate::fiber::Fibers::default(),
            native_limit: 0,
            raw_access: None,
            kept_at: (ptr::null_mut(), ptr::null()),
            limit_place: None,
        });
        // SAFETY: the mapping is large enough and fresh.
        unsafe {
            bottom.write(Frame::BOTTOM);
            (*cx).vm = (&raw mut *vm).cast();
        }
        Ok(vm)
    }

    /// Remembers where memory_limit was exceeded (the hook of the heap).
    ///
    /// # Safety
    /// `vm` is a live machine.
    pub unsafe fn note_limit_place(vm: *mut ()) {
        let vm: *mut Vm = vm.cast();
        // SAFETY: as promised; nothing is unwound yet, so all frames are there.
        unsafe {
            let fp = crate::errors::user_frame(vm);
            (*vm).limit_place = if fp.is_null() { None } else { Some((crate::errors::file_of(fp), crate::errors::line_of(vm, fp))) };
        }
    }

    /// Gives up all frames after an unwinding that left them as they were. Global variables stay: they move out of the frames, whose
    /// memory the next function (of the shutdown) takes.
    ///
    /// # Safety
    /// Nothing on the native stack goes on in those frames.
    pub unsafe fn abandon_frames(vm: *mut Vm) {
        // SAFETY: the machine is live, and the frames' memory is as the unwinding left it.
        unsafe {
            (*vm).globals.take_from((*vm).stack.base() as usize, (*vm).stack.size);
            (*vm).fp = (*vm).bottom;
            (*vm).pc = ptr::null();
            (*vm).loop_fp = ptr::null_mut();
            (*vm).loop_lits = ptr::null();
            (*vm).stop = None;
            (*vm).depth = 0;
            (*vm).raw_access = None;
            (*vm).kept_at = (ptr::null_mut(), ptr::null());
        }
    }

    /// Prepares the machine for another request, whose context is the same. Called while the old heap is still there.
    ///
    /// # Safety
    /// No frame runs; what abandoned frames hold is never looked at again.
    pub unsafe fn reset(&mut self) {
        self.fp = self.bottom;
        self.pc = ptr::null();
        self.loop_fp = ptr::null_mut();
        self.loop_lits = ptr::null();
        let result = std::mem::replace(&mut self.result, Raw::NULL);
        // SAFETY: the machine owned the value.
        unsafe { result.release() };
        self.stop = None;
        self.depth = 0;
        self.statics.clear();
        self.guards = crate::objects::Guards::default();
        self.postponed_destructors = 0;
        drop(self.globals.clear());
        self.globals = std::rc::Rc::new(crate::symbols::SymbolTable::new());
        self.fibers = crate::fiber::Fibers::default();
        self.stack_base = self.stack.base() as usize;
        self.stack_bytes = self.stack.size;
        if self.stack_charged > STACK_BYTES_KEPT {
            // SAFETY: pages of our own mapping, beyond what is kept; nothing on them is needed any more.
            unsafe {
                libc::madvise(
                    self.stack.base().add(STACK_BYTES_KEPT).cast(),
                    self.stack.size - STACK_BYTES_KEPT,
                    libc::MADV_DONTNEED,
                );
            }
        }
        self.stack_charged = CHARGE_STEP;
        // SAFETY: the bottom frame lies at the beginning of the mapping. It owns nothing.
        unsafe { self.bottom.write(Frame::BOTTOM) };
    }

    /// The machine of a context.
    #[inline(always)]
    pub fn of(cx: &Cx) -> *mut Vm {
        cx.vm.cast()
    }
    /// # Safety
    /// The machine is live and no other `&mut Cx` to its context is in use.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn cx(this: *mut Vm) -> &'static mut Cx {
        // SAFETY: the context outlives the machine; handlers hold it only for one call at a time.
        unsafe { &mut *(*this).cx }
    }

    /// Where the next frame may be built: behind the running frame.
    ///
    /// # Safety
    /// `fp` is the running frame.
    pub unsafe fn top(this: *mut Vm) -> *mut Frame {
        // SAFETY: frames of PHP code have `registers` slots, those of builtins their arguments.
        unsafe {
            let vm = &*this;
            let fp = vm.fp;
            if (*fp).is(flags::GENERATOR) {
                return Vm::top_of_generator(fp);
            }
            let slots = if (*fp).is_user() {
                (*(*fp).func).registers as usize
            } else {
                let caller = (*fp).prev;
                if !caller.is_null() && (*caller).is(flags::GENERATOR) && Vm::is_prepared_in(fp, caller) {
                    // A builtin called by a generator's code has its frame in the generator's memory.
                    return Vm::top_of_generator(caller);
                }
                FRAME_HEADER as usize + (*fp).nargs as usize
            };
            fp.cast::<Raw>().add(slots).cast()
        }
    }

    /// Where frames of what a generator's frame calls begin.
    #[inline(never)]
    unsafe fn top_of_generator(fp: *mut Frame) -> *mut Frame {
        // SAFETY: set before the frame runs.
        unsafe { (*fp).extra_ref().map_or(ptr::null_mut(), |extra| extra.top.cast()) }
    }

    /// Does a frame lie among the temporaries of its caller?
    unsafe fn is_prepared_in(fp: *mut Frame, caller: *mut Frame) -> bool {
        // SAFETY: frames of generators run PHP code.
        unsafe {
            let bytes = (*(*caller).func).registers as usize * size_of::<Raw>();
            (fp as usize).wrapping_sub(caller as usize) < bytes
        }
    }

    /// Is there room for a frame of `registers` slots at `nf`, which lies in the stack? Charges what it takes.
    /// False: `nf` is not in the stack (the caller is a generator).
    ///
    /// # Safety
    /// The machine is live.
    #[cold]
    #[inline(never)]
    pub unsafe fn room(this: *mut Vm, nf: *mut Frame, registers: usize) -> Res<bool> {
        // SAFETY: only numbers are looked at.
        unsafe {
            let vm = &mut *this;
            let start = (nf as usize).wrapping_sub(vm.stack_base);
            if start >= vm.stack_bytes {
                return Ok(false);
            }
            let need = start + (registers + 64) * size_of::<Raw>();
            if need >= vm.stack_bytes {
                return Err(stack_overflow(Vm::cx(this), STACK_BYTES));
            }
            while vm.stack_charged < need {
                // May unwind: the request is over its memory_limit.
                let step = if vm.stack_charged < CHARGE_STEP { SMALL_CHARGE_STEP } else { CHARGE_STEP };
                Heap::charge_current(step);
                vm.stack_charged += step;
            }
            Ok(true)
        }
    }

    /// Calls a function from native code: arguments are cloned into a new frame on top of the running one. `closure`: the Closure that
    /// is called, and whether it is by its `__invoke`.
    ///
    /// # Safety
    /// The machine is live; `fp`/`pc` are those of the running frame.
    pub unsafe fn call_function(
        this: *mut Vm,
        func: FnPtr,
        this_object: Option<&PObject>,
        class: Option<ClassPtr>,
        args: &[Value],
        closure: Option<&Callable>,
    ) -> Res<Value> {
        // SAFETY: promised by the caller.
        unsafe {
            let placed = Vm::place_call(this, func, this_object, class, args, closure)?;
            Vm::run_placed(this, placed)
        }
    }

    /// As [`call_function`](Self::call_function); the function has the arguments alone.
    ///
    /// # Safety
    /// As there.
    pub unsafe fn call_with_owned(this: *mut Vm, callable: &Callable, args: Vec<Value>) -> Res<Value> {
        // SAFETY: promised by the caller.
        unsafe {
            let placed = Vm::place_call(this, callable.function, callable.this.as_ref(), callable.class, &args, Some(callable))?;
            drop(args);
            Vm::run_placed(this, placed)
        }
    }

    /// Builds the frame of a call from native code; true: it is a plain one.
    #[inline(always)]
    unsafe fn place_call(
        this: *mut Vm,
        func: FnPtr,
        this_object: Option<&PObject>,
        class: Option<ClassPtr>,
        args: &[Value],
        closure: Option<&Callable>,
    ) -> Res<(*mut Frame, bool)> {
        // SAFETY: the frame is built in fresh stack memory.
        unsafe {
            let nargs = args.len() as u32;
            let mut nf = Vm::top(this);
            let is_plain = calls::is_plain_callback(this, nf, func, nargs) && !Vm::native_stack_is_low(this);
            if !is_plain {
                Vm::prepare_callback(this, func, args)?;
                nf = Vm::top(this);
            }
            Vm::init_frame(this, nf, func, this_object, class);
            (*nf).nargs = nargs;
            for (n, arg) in args.iter().enumerate() {
                let value = if func.by_ref != 0 && func.is_by_ref(n as u32) {
                    match arg.as_ref() {
                        Some(r) => Value::from(r.clone()),
                        None => Value::from(PRef::new(arg.clone())),
                    }
                } else {
                    arg.copy_deref()
                };
                *Frame::cv(nf, n) = value.into_raw();
            }
            if let Some(closure) = closure {
                (*nf).set_closure_of(closure);
            }
            Ok((nf, is_plain))
        }
    }

    /// Runs what [`place_call`](Self::place_call) has built, to its end.
    #[inline(always)]
    unsafe fn run_placed(this: *mut Vm, (nf, is_plain): (*mut Frame, bool)) -> Res<Value> {
        // SAFETY: promised by the caller: nothing has run since.
        unsafe {
            if !is_plain || !calls::is_plainly_entered(this, nf) {
                return Vm::run_frame(this, nf);
            }
            calls::set_variables(nf, (*nf).nargs);
            let _pins = crate::pins::Pins::of_running(this);
            Vm::run_entered(this, nf)
        }
    }

    /// What comes before the frame of a call from native code that is not [`calls::is_plain_callback`].
    ///
    /// # Safety
    /// As [`Vm::call_function`].
    #[inline(never)]
    unsafe fn prepare_callback(this: *mut Vm, func: FnPtr, args: &[Value]) -> Res<()> {
        // SAFETY: promised by the caller.
        unsafe {
            Vm::check_native_depth(this)?;
            // A safepoint, before the frame is built: what runs now would have its own frames there.
            Vm::cx(this).check()?;
            if func.by_ref != 0 {
                Vm::warn_of_values(this, func, args)?;
            }
            let slots = FRAME_HEADER as usize + args.len();
            if !Vm::room(this, Vm::top(this), slots + func.registers as usize)? {
                return Err(Vm::cx(this).throw_error(b"Cannot call a function here"));
            }
            Ok(())
        }
    }

    /// Values that a builtin hands to parameters by reference: they are made references that nobody sees, with a warning.
    ///
    /// # Safety
    /// The machine is live.
    #[cold]
    #[inline(never)]
    unsafe fn warn_of_values(this: *mut Vm, func: FnPtr, args: &[Value]) -> Res<()> {
        for (n, arg) in args.iter().enumerate() {
            // SAFETY: the function is live.
            let wrong = func.is_by_ref(n as u32)
                && !arg.is_ref()
                && !unsafe { crate::ops::calls::prefers_ref(func.as_ptr(), n.min(usize::from(u16::MAX)) as u16) };
            if !wrong {
                continue;
            }
            // SAFETY: promised by the caller.
            unsafe { calls::must_be_reference(this, func.as_ptr(), n.min(usize::from(u16::MAX)) as u16)? };
        }
        Ok(())
    }

    /// Writes the header of a frame for `func`, without arguments.
    ///
    /// # Safety
    /// `nf` is stack memory behind the running frame.
    pub unsafe fn init_frame(this: *mut Vm, nf: *mut Frame, func: FnPtr, this_object: Option<&PObject>, class: Option<ClassPtr>) {
        // SAFETY: as promised.
        unsafe {
            let this_ptr = this_object.map_or(ptr::null_mut(), |o| o.clone().into_ptr());
            let class = class.or(this_object.map(ClassPtr::of)).or(func.scope).map_or(ptr::null(), |c| c.as_ptr());
            (*nf).prepare(func, this_ptr, class);
            (*nf).call_pc = (*this).pc;
            (*nf).prev = (*this).fp;
            (*nf).nargs = 0;
            (*nf).flags = flags::ENTRY;
            (*nf).result = NONE as u32;
            (*nf)._pad = 0;
        }
    }

    /// Runs a frame whose header and arguments are in place, and returns its result.
    ///
    /// # Safety
    /// `nf` was built on top of the running frame with the ENTRY flag.
    pub unsafe fn run_frame(this: *mut Vm, nf: *mut Frame) -> Res<Value> {
        // SAFETY: as promised; the frame is gone afterwards in every case.
        unsafe {
            let func = (*nf).function();
            let (fp, pc) = ((*this).fp, (*this).pc);
            let _pins = crate::pins::Pins::of_running(this);
            (*nf).call_pc = pc;
            (*nf).prev = fp;
            if func.flags & func_flags::BUILTIN != 0 {
                let result = calls::run_builtin(this, nf);
                (*this).fp = fp;
                (*this).pc = pc;
                return result;
            }
            if func.code.is_null() {
                calls::drop_frame_parts(nf);
                let name = func.display_name();
                return Err(Vm::cx(this).throw_error([b"Cannot call abstract method ".as_slice(), &name, b"()"].concat()));
            }
            if let Err(stop) = calls::enter(this, nf) {
                (*this).fp = fp;
                (*this).pc = pc;
                return Err(stop);
            }
            Vm::run_entered(this, nf)
        }
    }

    /// Runs a frame of PHP code that is ready to run, on top of the running one.
    unsafe fn run_entered(this: *mut Vm, nf: *mut Frame) -> Res<Value> {
        // SAFETY: as `run_frame`.
        unsafe {
            let (fp, pc) = ((*this).fp, (*this).pc);
            let func = (*nf).func;
            (*this).fp = nf;
            let result = Vm::run(this, (*func).code, nf, (*func).literals);
            (*this).fp = fp;
            (*this).pc = pc;
            result
        }
    }

    /// Runs code until its ENTRY frame ends.
    ///
    /// # Safety
    /// `fp` is a frame set up to run at `pc`.
    pub unsafe fn run(this: *mut Vm, pc: *const Insn, fp: *mut Frame, lits: *const Raw) -> Res<Value> {
        // SAFETY: as promised.
        unsafe {
            (*this).depth += 1;
            (*this).stop = None;
            (*this).result = Raw::NULL;
            run_loop(pc, fp, this, lits);
            (*this).depth -= 1;
            match (*this).stop.take() {
                None => Ok(Value::from_raw(std::mem::replace(&mut (*this).result, Raw::NULL))),
                Some(stop) => Err(stop),
            }
        }
    }

    /// Error when native nesting (callbacks, magic methods, destructors inside each other) has used up the native stack.
    ///
    /// # Safety
    /// The machine is live.
    #[inline]
    pub unsafe fn check_native_depth(this: *mut Vm) -> Res<()> {
        // SAFETY: as promised.
        unsafe {
            if Vm::native_stack_is_low(this) {
                return Err(stack_overflow(Vm::cx(this), crate::coroutine::STACK_BYTES));
            }
        }
        Ok(())
    }

    /// # Safety
    /// The machine is live.
    #[inline]
    pub unsafe fn native_stack_is_low(this: *mut Vm) -> bool {
        // SAFETY: forwarded.
        unsafe { Vm::native_stack_has_less_than(this, 0) }
    }

    /// Are there less than so many bytes left before the native stack counts as used up?
    ///
    /// # Safety
    /// The machine is live.
    #[inline]
    pub unsafe fn native_stack_has_less_than(this: *mut Vm, bytes: usize) -> bool {
        let here = 0u8;
        // SAFETY: only the address is looked at.
        unsafe { (&raw const here as usize) < (*this).native_limit.saturating_add(bytes) }
    }

    /// The call that a builtin frame makes of its descriptor.
    ///
    /// # Safety
    /// `nf` is a builtin's frame with its arguments in place.
    pub unsafe fn builtin_call<'a>(nf: *mut Frame) -> Call<'a> {
        // SAFETY: slots behind the header hold `nargs` values, which Value is transparent over.
        unsafe {
            let func = (*nf).function();
            let args = std::slice::from_raw_parts_mut(Frame::cv(nf, 0).cast::<Value>(), (*nf).nargs as usize);
            let this = if (*nf).this.is_null() { None } else { Some(object_clone((*nf).this)) };
            let strict = caller_is_strict((*nf).prev);
            Call {
                args,
                this,
                class: (*nf).static_class(),
                desc: func.desc().expect("a builtin's frame has a builtin"),
                strict,
            }
        }
    }
}

/// PHP's error for recursion without end.
#[cold]
fn stack_overflow(cx: &mut Cx, bytes: usize) -> Stop {
    let text = format!("Maximum call stack size of {bytes} bytes (zend.max_allowed_stack_size - zend.reserved_stack_size) reached. Infinite recursion?");
    cx.throw_error(text)
}

pub(crate) unsafe fn caller_is_strict(fp: *mut Frame) -> bool {
    // SAFETY: frames below the running one are live.
    unsafe { !fp.is_null() && (*fp).is_user() && (*fp).function().is(func_flags::STRICT_TYPES) }
}

/// A counted handle of an object that something else keeps alive now.
///
/// # Safety
/// `o` is a live object.
pub unsafe fn object_clone(o: *mut ObjHeader) -> PObject {
    // SAFETY: as promised; the temporary handle's count is not given back.
    unsafe {
        let handle = std::mem::ManuallyDrop::new(PObject::from_ptr(o));
        PObject::clone(&handle)
    }
}
