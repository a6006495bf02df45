//! Stackful coroutines: what an instance and its fibers run on, and how both are suspended.
//!
//! Each coroutine is resumed by somebody: an instance by its executor, a fiber by PHP code. When a builtin must wait, every level gives
//! up to its resumer ([`Switch::Wait`]) until the executor has it, and is resumed the same way back. The thread's current
//! coroutine, heap and native stack limit are switched along. Hazard: a suspended coroutine ends by unwinding, never by
//! freeing its stack; [`suspend`] unwinds with [`Cancelled`] when the instance is cancelled.

use corosensei::stack::{DefaultStack, Stack, StackPointer};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use jumbo_abi::Cx;
use jumbo_value::Heap;
use std::cell::{Cell, RefCell};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Address space of a coroutine's stack; only touched pages are resident.
pub const STACK_BYTES: usize = 8 << 20;
/// Kept free at the end of a native stack, for builtins and errors.
pub const STACK_RESERVE: usize = 256 << 10;
/// Stacks of ended fibers are kept for reuse while their thread has fewer than these.
pub const POOLED_OF_FIBERS: usize = 64;
/// The same of ended instances: as many as a server ever has idle, which trims them ([`trim_stacks`]).
const POOLED_OF_INSTANCES: usize = 8192;

/// What a coroutine is resumed with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Resume {
    Go,
    /// The instance is cancelled: unwind.
    Cancel,
}

/// Why a coroutine gives up control.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// It waits for the outside world.
    Wait,
    /// `Fiber::suspend`.
    Suspend,
}

/// Payload of the unwinding of a cancelled instance.
#[derive(Clone, Copy, Debug)]
pub struct Cancelled;

pub type Inner = Coroutine<Resume, Switch, (), NativeStack>;
pub type InnerYielder = Yielder<Resume, Switch>;

thread_local! {
    static YIELDER: Cell<*const InnerYielder> = const { Cell::new(ptr::null()) };
    static LIMIT: Cell<usize> = const { Cell::new(0) };
    static STACKS: RefCell<Vec<NativeStack>> = const { RefCell::new(Vec::new()) };
}

static NATIVE_STACKS: AtomicUsize = AtomicUsize::new(0);

/// A coroutine's stack, counted.
pub struct NativeStack(DefaultStack);

impl NativeStack {
    fn new() -> std::io::Result<NativeStack> {
        let stack = DefaultStack::new(STACK_BYTES)?;
        NATIVE_STACKS.fetch_add(1, Ordering::Relaxed);
        Ok(NativeStack(stack))
    }
}

impl Drop for NativeStack {
    fn drop(&mut self) {
        NATIVE_STACKS.fetch_sub(1, Ordering::Relaxed);
    }
}

// SAFETY: the stack inside keeps the contract.
unsafe impl Stack for NativeStack {
    fn base(&self) -> StackPointer {
        self.0.base()
    }
    fn limit(&self) -> StackPointer {
        self.0.limit()
    }
}

/// Native stacks of the process that coroutines have, without those that this thread keeps for reuse: what tests for leaks look at.
pub fn stacks_in_use() -> usize {
    NATIVE_STACKS.load(Ordering::Relaxed).saturating_sub(STACKS.with(|s| s.borrow().len()))
}

/// A stack from the pool, or a new one.
pub fn take_stack() -> std::io::Result<NativeStack> {
    match STACKS.with(|s| s.borrow_mut().pop()) {
        Some(stack) => Ok(stack),
        None => NativeStack::new(),
    }
}

/// Gives a stack back, which is kept when the thread has fewer than `most`.
pub fn keep_stack(stack: NativeStack, most: usize) {
    STACKS.with(|s| {
        let mut stacks = s.borrow_mut();
        if stacks.len() < most {
            stacks.push(stack);
        }
    });
}

/// Gives the stacks that this thread keeps beyond so many back to the system.
pub fn trim_stacks(most: usize) {
    STACKS.with(|s| {
        let mut stacks = s.borrow_mut();
        stacks.truncate(most);
        stacks.shrink_to(2 * most);
    });
}

/// Lowest address of the running native stack that may be used.
pub fn native_limit() -> usize {
    let limit = LIMIT.get();
    if limit != 0 {
        return limit;
    }
    let limit = thread_limit();
    LIMIT.set(limit);
    limit
}

/// The limit of the thread's own stack.
fn thread_limit() -> usize {
    // SAFETY: asks for attributes of this thread; the attribute object is destroyed.
    unsafe {
        let mut attributes = std::mem::zeroed::<libc::pthread_attr_t>();
        if libc::pthread_getattr_np(libc::pthread_self(), &raw mut attributes) != 0 {
            return 0;
        }
        let mut base = ptr::null_mut();
        let mut size = 0;
        let answer = libc::pthread_attr_getstack(&raw const attributes, &raw mut base, &raw mut size);
        libc::pthread_attr_destroy(&raw mut attributes);
        if answer != 0 { 0 } else { base as usize + STACK_RESERVE.min(size / 4) }
    }
}

/// Makes a coroutine that runs `body`. It does not start yet.
pub fn new(body: impl FnOnce() + 'static) -> std::io::Result<Inner> {
    let stack = take_stack()?;
    let limit = stack.limit().get() + STACK_RESERVE;
    Ok(Coroutine::with_stack(stack, move |yielder: &InnerYielder, first: Resume| {
        YIELDER.set(yielder);
        LIMIT.set(limit);
        if first == Resume::Go {
            body();
        }
        YIELDER.set(ptr::null());
    }))
}

/// Runs a coroutine until it gives up control (`Some`) or ends (`None`). A panic inside goes on here.
pub fn resume(inner: &mut Inner, with: Resume) -> Option<Switch> {
    struct Restore(*const InnerYielder, usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            YIELDER.set(self.0);
            LIMIT.set(self.1);
        }
    }
    let _restore = Restore(YIELDER.get(), LIMIT.get());
    match inner.resume(with) {
        CoroutineResult::Yield(switch) => Some(switch),
        CoroutineResult::Return(()) => None,
    }
}

/// Gives up control to the resumer of the running coroutine; `None` outside of any.
fn switch_out(switch: Switch) -> Option<Resume> {
    let yielder = YIELDER.get();
    if yielder.is_null() {
        return None;
    }
    let limit = LIMIT.get();
    // SAFETY: the yielder lives on the running coroutine's stack.
    let answer = unsafe { (*yielder).suspend(switch) };
    YIELDER.set(yielder);
    LIMIT.set(limit);
    Some(answer)
}

/// Gives up control to the resumer of the running coroutine; false outside of any. Unwinds when the instance is cancelled.
pub fn give_up(switch: Switch) -> bool {
    let answer = switch_out(switch);
    if answer == Some(Resume::Cancel) {
        std::panic::resume_unwind(Box::new(Cancelled));
    }
    answer.is_some()
}

/// A coroutine that this one resumed waits for the outside world: so does this one. What the inner one is to be resumed with.
pub fn wait() -> Resume {
    match switch_out(Switch::Wait) {
        Some(answer) => answer,
        None => {
            std::thread::yield_now();
            Resume::Go
        }
    }
}

/// Suspends the running instance until it is woken. Outside of any coroutine (tools, tests) the thread itself waits a moment.
pub fn suspend(cx: &mut Cx) {
    crate::limits::pause(cx);
    if give_up(Switch::Wait) {
        crate::limits::go_on_in_turn(cx);
    } else {
        std::thread::yield_now();
        crate::limits::go_on(cx);
    }
}

/// The time slice is over: other instances of this thread come first.
pub fn give_turn(cx: &mut Cx) {
    if YIELDER.get().is_null() {
        return;
    }
    // The executor polls again at once: this gives up the time slice only.
    cx.waker.wake_by_ref();
    suspend(cx);
}

/// How far an instance got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Waiting,
    Done,
}

/// An instance on its coroutine.
pub struct InstanceCoroutine {
    inner: Option<Inner>,
    /// The heap that is current while it runs.
    heap: *const Heap,
}

impl InstanceCoroutine {
    /// `body` runs the instance from its start to its end.
    pub fn new(body: impl FnOnce() + 'static) -> std::io::Result<InstanceCoroutine> {
        Ok(InstanceCoroutine { inner: Some(new(body)?), heap: ptr::null() })
    }

    /// Runs the instance until it waits or is done. A panic of the instance goes on here.
    pub fn resume(&mut self) -> Progress {
        self.go_on(Resume::Go)
    }

    /// Ends a waiting instance: its stacks are unwound. Nothing happens when it is done.
    pub fn cancel(&mut self) {
        if self.inner.is_none() {
            return;
        }
        let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.go_on(Resume::Cancel)));
        if let Err(payload) = answer
            && !payload.is::<Cancelled>()
        {
            std::panic::resume_unwind(payload);
        }
    }

    fn go_on(&mut self, with: Resume) -> Progress {
        let Some(inner) = self.inner.as_mut() else { return Progress::Done };
        /// Switches the current heap back, also when unwinding.
        struct Switched<'a>(*const Heap, &'a mut *const Heap);
        impl Drop for Switched<'_> {
            fn drop(&mut self) {
                // SAFETY: the former heap was current before.
                *self.1 = unsafe { Heap::swap_current(self.0) };
            }
        }
        crate::limits::turn_begins();
        let progress = {
            // SAFETY: the heap was current when the instance gave up control, and belongs to it.
            let former = unsafe { Heap::swap_current(self.heap) };
            let _switched = Switched(former, &mut self.heap);
            resume(inner, with)
        };
        if progress.is_some() {
            return Progress::Waiting;
        }
        if let Some(inner) = self.inner.take() {
            keep_stack(inner.into_stack(), POOLED_OF_INSTANCES);
        }
        Progress::Done
    }
}

impl Drop for InstanceCoroutine {
    fn drop(&mut self) {
        if self.inner.as_ref().is_some_and(|i| i.started() && !i.done()) {
            self.cancel();
        }
    }
}
