//! Stress runs of a script, chosen by `JUMBO_STRESS` (a list of words separated by commas):
//!
//! - `preempt`: two instances of the script take turns at every safepoint; what they print must be the same. Temporary files of the
//!   second one (`sys_get_temp_dir()`) are in a folder of its own.
//! - `collect`: cycles are collected at every safepoint.
//! - `cancel`: the script is started over and over, and cancelled at its first suspension, its second, and so on (in growing steps),
//!   every safepoint being one; nothing of a cancelled instance may be left. The run that gets through is the one that is shown.
//!
//! The exit status is [`FAILED`] when something is found, which standard error explains.

use crate::cli;
use crate::stdout::Stdout;
use jumbo_abi::output::Sink;
use jumbo_engine::{Instance, Outcome, Running, Script};
use jumbo_ext_misc::settings::Environment;
use jumbo_interp::stress::Stress;
use jumbo_interp::{coroutine, vm};
use std::cell::RefCell;
use std::fmt;
use std::future::{Future, poll_fn};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

/// The variable that asks for stress; the environment that the script sees and gives to children is without it.
const VARIABLE: &str = "JUMBO_STRESS";
/// Exit status of a stress run that found something.
pub const FAILED: i32 = 254;
/// Suspensions between two places of cancellation are at most one in this many of those before.
const STEP_PART: u64 = 16;

/// What is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    preempt: bool,
    collect: bool,
    cancel: bool,
}

impl Mode {
    /// As `JUMBO_STRESS` says; nothing when it is not set.
    pub fn from_environment() -> Result<Option<Mode>, String> {
        match std::env::var(VARIABLE) {
            Ok(words) if !words.is_empty() => Mode::parse(&words).map(Some),
            _ => Ok(None),
        }
    }

    fn parse(words: &str) -> Result<Mode, String> {
        let mut mode = Mode::default();
        for word in words.split(',') {
            match word {
                "preempt" => mode.preempt = true,
                "collect" => mode.collect = true,
                "cancel" => mode.cancel = true,
                _ => return Err(format!("JUMBO_STRESS: no stress {word:?}: preempt, collect or cancel")),
            }
        }
        Ok(mode)
    }

    /// What the interpreter has to do for it.
    pub fn at_safepoints(self) -> Stress {
        Stress { preempt: self.preempt || self.cancel, collect: self.collect }
    }
}

/// Makes an instance that is ready to run the script.
pub type Make<'a> = &'a dyn Fn(Box<dyn Sink>) -> Result<Box<Instance>, String>;

/// Runs the script under stress; the exit status.
pub fn run(mode: Mode, make: Make, script: &Script) -> Result<i32, String> {
    let runtime = cli::event_loop()?;
    if mode.cancel {
        return runtime.block_on(cancel_everywhere(make, script));
    }
    if !mode.preempt {
        let (instance, outcome) = runtime.block_on(start(make, script, Box::new(Stdout::new()), None)?);
        drop(instance);
        return Ok(outcome.exit_status);
    }
    let (shown, other) = (Kept::default(), Kept::default());
    let scratch = Scratch::new()?;
    let first = start(make, script, Box::new(Tee { out: Stdout::new(), kept: shown.clone() }), None)?;
    let second = start(make, script, Box::new(other.clone()), Some(&scratch))?;
    // An instance that has ended lets go of its files, which the other may wait for.
    let ended = |running: Running| async move { running.await.1 };
    let (outcome, other_outcome) = runtime.block_on(async { tokio::join!(ended(first), ended(second)) });
    if *shown.0.borrow() != *other.0.borrow() {
        eprintln!("jumbo: stress: the second instance printed\n{}", String::from_utf8_lossy(&other.0.borrow()));
        return Ok(FAILED);
    }
    if outcome != other_outcome {
        eprintln!("jumbo: stress: one instance ended with {outcome:?}, the other with {other_outcome:?}");
        return Ok(FAILED);
    }
    Ok(outcome.exit_status)
}

/// `scratch`: where its temporary files go.
fn start(make: Make, script: &Script, sink: Box<dyn Sink>, scratch: Option<&Scratch>) -> Result<Running, String> {
    let mut instance = make(sink)?;
    // Children of the script are helpers: the second of two helpers would wait for ever for whoever talks to the first.
    instance.prepare(|cx| cx.state::<Environment>().changes.insert(VARIABLE.into(), None));
    if let Some(scratch) = scratch {
        instance.prepare(|cx| cx.ini.configure(b"sys_temp_dir", scratch.0.as_os_str().as_bytes()));
    }
    instance.start(script.clone(), false).map_err(|e| format!("cannot run the script: {e}"))
}

/// A folder for the temporary files of one run, so that runs do not meet there.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, String> {
        let path = std::env::temp_dir().join(format!("jumbo-stress-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Only temporary files are in it.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn cancel_everywhere(make: Make<'_>, script: &Script) -> Result<i32, String> {
    let mut suspensions = 1;
    let mut before = None;
    loop {
        let kept = Kept::default();
        let scratch = Scratch::new()?;
        let running = start(make, script, Box::new(kept.clone()), Some(&scratch))?;
        if let Some(outcome) = run_to(running, suspensions).await {
            let mut out = Stdout::new();
            out.write(&kept.0.borrow());
            out.flush();
            return Ok(outcome.exit_status);
        }
        // What is made once for the process is there after the first time.
        let left = Held::now();
        let before = *before.get_or_insert(left);
        if left != before {
            eprintln!("jumbo: stress: cancelled at suspension {suspensions}; held before: {before}; after: {left}");
            return Ok(FAILED);
        }
        suspensions += 1 + suspensions / STEP_PART;
    }
}

/// Runs until the end, or until it was suspended so many times: then it is cancelled.
async fn run_to(running: Running, suspensions: u64) -> Option<Outcome> {
    let mut running = Box::pin(running);
    let mut seen = 0;
    poll_fn(|cx| match Pin::new(&mut running).poll(cx) {
        Poll::Ready((_, outcome)) => Poll::Ready(Some(outcome)),
        Poll::Pending => {
            seen += 1;
            if seen == suspensions { Poll::Ready(None) } else { Poll::Pending }
        }
    })
    .await
}

/// What instances hold of the process.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Held {
    heap_bytes: usize,
    native_stacks: usize,
    frame_stacks: usize,
    descriptors: usize,
}

impl Held {
    fn now() -> Held {
        Held {
            heap_bytes: jumbo_value::heap::bytes_of_all_heaps(),
            native_stacks: coroutine::stacks_in_use(),
            frame_stacks: vm::frame_stacks(),
            // Where the system does not tell, descriptors are not looked at.
            descriptors: std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count),
        }
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Held { heap_bytes, native_stacks, frame_stacks, descriptors } = self;
        write!(f, "{heap_bytes} heap bytes, {native_stacks} native stacks, {frame_stacks} frame stacks, {descriptors} descriptors")
    }
}

/// A sink that keeps what is written.
#[derive(Clone, Default)]
struct Kept(Rc<RefCell<Vec<u8>>>);

impl Sink for Kept {
    fn write(&mut self, bytes: &[u8]) {
        self.0.borrow_mut().extend_from_slice(bytes);
    }
}

/// Standard output, with a copy.
struct Tee {
    out: Stdout,
    kept: Kept,
}

impl Sink for Tee {
    fn write(&mut self, bytes: &[u8]) {
        self.out.write(bytes);
        self.kept.write(bytes);
    }
    fn flush(&mut self) {
        self.out.flush();
    }
    fn sync(&mut self) {
        self.out.sync();
    }
    fn aborted(&self) -> bool {
        self.out.aborted()
    }
}

#[cfg(test)]
mod tests {
    use super::Mode;

    #[test]
    fn words() {
        assert_eq!(Mode::parse("collect,preempt"), Ok(Mode { preempt: true, collect: true, cancel: false }));
        assert!(Mode::parse("collect,x").is_err());
    }
}
