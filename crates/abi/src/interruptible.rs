//! Calls of C code that may compute for long and knows no safepoints: they get some all the same.
//!
//! The ticker, which ends time slices, sends a thread that is inside such a call the signal SIGURG. Its handler runs on the coroutine's own
//! stack, and is a safepoint like any other: the coroutine may give up its turn in it, the signal's frame waits on its stack with
//! everything else, and goes on where it was when the handler returns. When the safepoint says that the script ends, the call is abandoned:
//! the thread goes on behind it, with the registers that were saved when it began.
//!
//! Which code may be called so: see [`call`]. SIGURG, since nobody is harmed by one too many: its default is to be ignored. There is code
//! for x86-64 alone; elsewhere calls are made as they are.

use crate::{Cx, Res, Stop};
use std::any::Any;
use std::cell::{Cell, OnceCell};
use std::ffi::{c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Once};

/// What is called: one argument, and an answer.
pub type Work = unsafe extern "C" fn(*mut c_void) -> c_int;

/// A call that is under way, on the stack of its coroutine.
#[repr(C)]
struct Running {
    /// Where the thread's stack stands while the call is under way: written by `jumbo_interruptible_enter`.
    stack: usize,
    cx: *mut Cx,
    /// Why the call was abandoned.
    end: Option<End>,
}

enum End {
    Stop(Stop),
    Panic(Box<dyn Any + Send>),
}

/// A thread, for the ticker.
pub struct Target {
    id: libc::pid_t,
    /// The call that may be interrupted now; null: none.
    running: AtomicPtr<Running>,
}

/// The thread's own hold on its target.
struct Own(Arc<Target>);

impl Drop for Own {
    fn drop(&mut self) {
        HERE.set(ptr::null());
    }
}

thread_local! {
    static OWN: OnceCell<Own> = const { OnceCell::new() };
    /// What [`OWN`] has, for the handler.
    static HERE: Cell<*const Target> = const { Cell::new(ptr::null()) };
}

/// The running thread.
pub fn target() -> Arc<Target> {
    OWN.with(|own| {
        let own = own.get_or_init(|| {
            // SAFETY: asks for the thread's number.
            let id = unsafe { libc::gettid() };
            Own(Arc::new(Target { id, running: AtomicPtr::new(ptr::null_mut()) }))
        });
        HERE.set(Arc::as_ptr(&own.0));
        Arc::clone(&own.0)
    })
}

impl Target {
    /// Has the thread come to a safepoint if it is inside a call.
    pub fn nudge(&self) {
        if !self.running.load(Ordering::Relaxed).is_null() {
            // SAFETY: sends a signal of which one too many does nothing, to this process alone.
            unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), self.id, libc::SIGURG) };
        }
    }
}

/// While it lives a call that is under way on this thread, if there is one, is not interrupted: for what the called code has others do, such as
/// giving it memory.
pub struct Pause(*const Target, *mut Running);

impl Pause {
    pub fn begin() -> Pause {
        let target = HERE.get();
        // SAFETY: the thread's target lives as long as the thread.
        let running = unsafe { target.as_ref() }.map_or(ptr::null_mut(), |target| target.running.swap(ptr::null_mut(), Ordering::Relaxed));
        Pause(target, running)
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        // SAFETY: as in `begin`.
        if let Some(target) = unsafe { self.0.as_ref() } {
            target.running.store(self.1, Ordering::Relaxed);
        }
    }
}

/// `work(data)`, with safepoints of `cx` wherever it is when a time slice ends. An error: the script ends, and the call was abandoned somewhere.
///
/// # Safety
/// `work(data)` must be sound to call. It may be interrupted, and abandoned, between any two of its instructions; other calls of the same code
/// happen meanwhile on this thread. So it holds no lock, changes nothing that others see, asks nobody for memory except under [`Pause`], does not
/// unwind, and what it was given is used no more after an error, except to be freed.
pub unsafe fn call(cx: &mut Cx, work: Work, data: *mut c_void) -> Res<c_int> {
    cx.check()?;
    install();
    let mut target = HERE.get();
    if target.is_null() {
        target = Arc::as_ptr(&self::target());
    }
    let mut running = Running { stack: 0, cx, end: None };
    // SAFETY: the target is the thread's own; `running` stays where it is until the call is over, when the target forgets it.
    let answer = unsafe { enter(work, data, (&raw mut running).cast(), (*target).running.as_ptr().cast()) };
    match running.end {
        None => Ok(answer),
        Some(End::Stop(stop)) => Err(stop),
        Some(End::Panic(payload)) => resume_unwind(payload),
    }
}

#[cfg(target_arch = "x86_64")]
use jumbo_interruptible_enter as enter;

// SAFETY: defined below, with these types.
#[cfg(target_arch = "x86_64")]
unsafe extern "C" {
    /// Saves the registers that a call keeps, and in the [`Running`] where the stack stands; has it known to the [`Target`] while it calls.
    fn jumbo_interruptible_enter(work: Work, data: *mut c_void, running: *mut c_void, known: *mut *mut c_void) -> c_int;
    /// Where an abandoned call goes on, with the stack as it was.
    static jumbo_interruptible_left: u8;
}

#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".pushsection .text.jumbo_interruptible,\"ax\",@progbits",
    ".globl jumbo_interruptible_enter",
    ".hidden jumbo_interruptible_enter",
    ".globl jumbo_interruptible_left",
    ".hidden jumbo_interruptible_left",
    ".type jumbo_interruptible_enter,@function",
    "jumbo_interruptible_enter:",
    ".cfi_startproc",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "mov rbp, rsp",
    ".cfi_def_cfa_register rbp",
    "push rbx",
    ".cfi_offset rbx, -24",
    "push r12",
    ".cfi_offset r12, -32",
    "push r13",
    ".cfi_offset r13, -40",
    "push r14",
    ".cfi_offset r14, -48",
    "push r15",
    ".cfi_offset r15, -56",
    "sub rsp, 8",
    "mov rbx, rcx",
    "mov [rdx], rsp",
    // From here on the call can be abandoned.
    "mov [rbx], rdx",
    "mov rax, rdi",
    "mov rdi, rsi",
    "call rax",
    "mov qword ptr [rbx], 0",
    "jumbo_interruptible_left:",
    "add rsp, 8",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbx",
    "pop rbp",
    ".cfi_def_cfa rsp, 8",
    "ret",
    ".cfi_endproc",
    ".size jumbo_interruptible_enter, . - jumbo_interruptible_enter",
    ".popsection",
);

/// Where nothing can be abandoned: nobody knows of the call.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn enter(work: Work, data: *mut c_void, _running: *mut c_void, _known: *mut *mut c_void) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { work(data) }
}

/// The process has the handler from its first such call on.
fn install() {
    static INSTALLED: Once = Once::new();
    #[cfg(target_arch = "x86_64")]
    INSTALLED.call_once(|| {
        // SAFETY: a handler with the signature that SA_SIGINFO asks for. It runs on the stack of whom it interrupts, where it may wait, and does
        // not keep the signal from the thread while it does. Refused, calls are not interrupted.
        unsafe {
            let mut action = std::mem::zeroed::<libc::sigaction>();
            action.sa_sigaction = on_signal as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_NODEFER;
            libc::sigaction(libc::SIGURG, &raw const action, ptr::null_mut());
        }
    });
}

#[cfg(target_arch = "x86_64")]
extern "C" fn on_signal(_: c_int, _: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the target is the thread's. A call that it knows of is under way on this very stack below the signal's frame: the code that was
    // interrupted is the call's, whose caller allows a safepoint and keeps `cx` for it. The context is what the thread goes on with.
    unsafe {
        let Some(target) = HERE.get().as_ref() else { return };
        let running = target.running.swap(ptr::null_mut(), Ordering::Relaxed);
        let Some(call) = running.as_mut() else { return };
        let errno = *libc::__errno_location();
        let cx = &mut *call.cx;
        let answer = catch_unwind(AssertUnwindSafe(|| cx.check()));
        *libc::__errno_location() = errno;
        call.end = Some(match answer {
            Ok(Ok(())) => {
                target.running.store(running, Ordering::Relaxed);
                return;
            }
            Ok(Err(stop)) => End::Stop(stop),
            Err(payload) => End::Panic(payload),
        });
        let registers = &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
        registers[libc::REG_RSP as usize] = call.stack as i64;
        registers[libc::REG_RIP as usize] = (&raw const jumbo_interruptible_left) as i64;
    }
}
