//! Limits of time: the ticker that takes instances off the core now and then, and max_execution_time.
//!
//! A thread announces which instance it runs ([`Turn`]); every [`TICK`] the ticker raises that instance's interrupt flag. At the next
//! safepoint [`check`] compares the CPU time with the limit, and the coroutine gives up its turn. A thread inside of C code, which has no
//! safepoints, is brought to one ([`interruptible`]). The thread's CPU time is read where a
//! limited instance starts, waits and goes on, so that other instances' time is not counted.

use crate::{coroutine, gc, stress};
use jumbo_abi::{Cx, Res, interruptible};
use std::cell::{Cell, OnceCell};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread::Thread;
use std::time::Duration;

/// The length of a time slice.
pub const TICK: Duration = Duration::from_millis(10);
/// Ticks without any running instance after which the ticker sleeps until it is needed.
const IDLE_TICKS: u32 = 10;

type Flag = Arc<AtomicBool>;

/// What one thread runs now.
struct Slot {
    running: Mutex<Option<Flag>>,
    thread: Arc<interruptible::Target>,
}

struct Ticker {
    slots: Mutex<Vec<Weak<Slot>>>,
    thread: OnceLock<Thread>,
    idle: AtomicBool,
}

static TICKER: Ticker = Ticker { slots: Mutex::new(Vec::new()), thread: OnceLock::new(), idle: AtomicBool::new(false) };
static START: OnceLock<bool> = OnceLock::new();

thread_local! {
    static SLOT: OnceCell<Arc<Slot>> = const { OnceCell::new() };
    /// The thread's CPU time at the beginning of the current turn.
    static TURN_BEGAN: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Nothing panics under these locks.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn tick_for_ever() {
    let mut idle_ticks = 0;
    loop {
        std::thread::sleep(TICK);
        let mut any = false;
        lock(&TICKER.slots).retain(|slot| {
            let Some(slot) = slot.upgrade() else { return false };
            if let Some(flag) = &*lock(&slot.running) {
                flag.store(true, Ordering::Relaxed);
                slot.thread.nudge();
                any = true;
            }
            true
        });
        idle_ticks = if any { 0 } else { idle_ticks + 1 };
        if idle_ticks >= IDLE_TICKS {
            idle_ticks = 0;
            TICKER.idle.store(true, Ordering::SeqCst);
            // A turn that begins from here on takes the mark away and wakes this thread; one that began before is seen here.
            if lock(&TICKER.slots).iter().all(|s| s.upgrade().is_none_or(|s| lock(&s.running).is_none())) {
                std::thread::park();
            }
            TICKER.idle.store(false, Ordering::SeqCst);
        }
    }
}

/// This thread runs the instance with this flag (None: none).
fn announce(flag: Option<&Flag>) {
    if flag.is_some() {
        START.get_or_init(|| {
            let thread = std::thread::Builder::new().name("ticker".into()).spawn(tick_for_ever);
            // Without a ticker there are no time slices and no time limits; scripts run all the same.
            thread.map(|t| TICKER.thread.set(t.thread().clone())).is_ok()
        });
    }
    SLOT.with(|slot| {
        let slot = slot.get_or_init(|| {
            let slot = Arc::new(Slot { running: Mutex::default(), thread: interruptible::target() });
            lock(&TICKER.slots).push(Arc::downgrade(&slot));
            slot
        });
        *lock(&slot.running) = flag.cloned();
    });
    if flag.is_some()
        && TICKER.idle.load(Ordering::SeqCst)
        && TICKER.idle.swap(false, Ordering::SeqCst)
        && let Some(thread) = TICKER.thread.get()
    {
        thread.unpark();
    }
}

/// An instance runs on this thread until this goes.
pub struct Turn(());

impl Turn {
    pub fn begin(flag: &Arc<AtomicBool>) -> Turn {
        announce(Some(flag));
        Turn(())
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        announce(None);
    }
}

/// The time limit of one instance.
#[derive(Default)]
pub struct TimeLimit {
    max: Option<Duration>,
    used: Duration,
    /// The thread's CPU time up to which `used` is counted; absent while nothing is measured.
    mark: Option<Duration>,
}

impl TimeLimit {
    fn count(&mut self, go_on: bool) {
        let now = thread_cpu_time();
        if let Some(mark) = self.mark {
            self.used += now.saturating_sub(mark);
        }
        self.mark = go_on.then_some(now);
    }
}

/// `set_time_limit`: the time begins anew; 0: no limit.
pub fn set(cx: &mut Cx, seconds: u64) {
    let limit = TimeLimit { max: (seconds != 0).then(|| Duration::from_secs(seconds)), used: Duration::ZERO, mark: None };
    let limited = limit.max.is_some();
    *cx.state::<TimeLimit>() = limit;
    if limited {
        // On the command line nobody else announces the instance.
        announce(Some(&cx.interrupt.clone()));
        cx.state::<TimeLimit>().count(true);
    }
}

/// Another thread has computed for the instance.
pub fn count(cx: &mut Cx, used: Duration) {
    let limit = cx.state::<TimeLimit>();
    if limit.max.is_some() {
        limit.used += used;
        cx.interrupt.store(true, Ordering::Relaxed);
    }
}

/// The turn ends: what follows on this thread is not this instance's.
pub fn pause(cx: &mut Cx) {
    let limit = cx.state::<TimeLimit>();
    if limit.max.is_some() {
        limit.count(false);
    }
}

/// The instance goes on.
pub fn go_on(cx: &mut Cx) {
    let limit = cx.state::<TimeLimit>();
    if limit.max.is_some() {
        limit.count(true);
    }
}

/// The coroutine goes on in a turn that began a while ago: the way back through nested fibers is the instance's time too.
pub fn go_on_in_turn(cx: &mut Cx) {
    let limit = cx.state::<TimeLimit>();
    if limit.max.is_some() {
        limit.mark = Some(TURN_BEGAN.get());
    }
}

/// An instance gets a turn on this thread.
pub fn turn_begins() {
    TURN_BEGAN.set(thread_cpu_time());
}

/// A tick has come: compares the time used with the limit.
pub fn check(cx: &mut Cx) -> Res<()> {
    let limit = cx.state::<TimeLimit>();
    let Some(max) = limit.max else { return Ok(()) };
    limit.count(true);
    if limit.used < max {
        return Ok(());
    }
    // Shutdown functions get the same time once more.
    limit.used = Duration::ZERO;
    let seconds = max.as_secs();
    let text = format!("Maximum execution time of {seconds} second{} exceeded", if seconds == 1 { "" } else { "s" });
    Err(cx.fatal(text.as_bytes()))
}

/// The interrupt flag was seen: the time limit, then garbage (a full root buffer raises the flag too), then the others' turn.
pub fn interrupted(cx: &mut Cx) -> Res<()> {
    cx.interrupt.store(false, Ordering::Relaxed);
    let result = serve(cx);
    stress::arm(cx);
    result
}

fn serve(cx: &mut Cx) -> Res<()> {
    if cx.ended_for_memory.swap(false, Ordering::Relaxed) {
        let bytes = jumbo_value::Heap::current().real_usage();
        return Err(cx.fatal(format!("Out of memory (allocated {bytes} bytes): the server has no more, and no other request had as much").as_bytes()));
    }
    check(cx)?;
    if stress::get().collect {
        gc::collect(cx)?;
    }
    gc::collect_if_requested(cx)?;
    coroutine::give_turn(cx);
    Ok(())
}

fn thread_cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes into the given place.
    let answer = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    if answer != 0 {
        return Duration::ZERO;
    }
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
