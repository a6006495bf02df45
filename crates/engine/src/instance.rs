//! One instance: an isolated PHP world for one script or request, from start to end.

use jumbo_abi::output::{Handler, Sink, ob};
use jumbo_abi::request::Shutdown;
use jumbo_abi::throwable::Handlers;
use jumbo_abi::units::UnitError;
use jumbo_abi::{Cx, Level, Stop, registry};
use jumbo_bytecode::unit::Unit;
use jumbo_interp::vm::Vm;
use jumbo_interp::coroutine::Cancelled;
use jumbo_interp::{coroutine, errors, include, limits, objects, stress};
use jumbo_value::{Heap, MemoryLimit, OwnedHeap, PArray, PStr, Value, View};
use std::os::unix::ffi::OsStrExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// What to run.
#[derive(Clone)]
pub enum Script {
    /// A file, by path relative to the instance's working directory.
    File(Vec<u8>),
    /// Code without open tag (`-r`); name for messages.
    Code(Vec<u8>, Vec<u8>),
    /// Source text with open tags (standard input).
    Source(Vec<u8>, Vec<u8>),
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub exit_status: i32,
    /// A defect of the engine ended the script (it was logged).
    pub panicked: bool,
    /// A fatal error or an uncaught exception ended it, which its visitor does not see, and nothing else either.
    pub is_bare_failure: bool,
    /// The script's file returned false (what a router script says to decline).
    pub returned_false: bool,
}

/// One PHP world.
pub struct Instance {
    pub(crate) cx: Box<Cx>,
    vm: Box<Vm>,
    heap: OwnedHeap,
    /// Known to the memory watch as long as the instance lives.
    _holder: Arc<crate::memory::Holder>,
}

impl Instance {
    /// A fresh instance that writes to `sink`.
    pub fn new(sink: Box<dyn Sink>) -> std::io::Result<Instance> {
        let heap = Heap::new();
        let guard = heap.enter();
        let mut cx = Box::new(Cx::new());
        cx.output.sink = Some(sink);
        heap.set_safepoint_flag(cx.interrupt.clone());
        let mut vm = Vm::new(&mut *cx)?;
        jumbo_runtime::builtin::bind_builtins(&mut cx);
        // SAFETY: the machine stays where it is until the instance is dropped, which takes the hook away.
        unsafe { heap.set_limit_hook(Some((Vm::note_limit_place, (&raw mut *vm).cast()))) };
        drop(guard);
        let holder = crate::memory::enter(&cx, &heap);
        let mut instance = Instance { cx, vm, heap, _holder: holder };
        instance.take_settings();
        Ok(instance)
    }

    /// Takes over what is kept at hand of the ini settings.
    fn take_settings(&mut self) {
        let cx = &mut *self.cx;
        let or = |name: &str, default: i64| if cx.ini.get(name.as_bytes()).is_some() { cx.ini.int(name) } else { default };
        cx.precision = or("precision", 14);
        cx.serialize_precision = or("serialize_precision", -1);
        let level = cx.ini.str("error_reporting");
        cx.error_level = if level.is_empty() { Level::ALL } else { cx.ini.int("error_reporting") as u32 };
        let limit = or("memory_limit", 128 << 20);
        self.heap.set_limit(usize::try_from(limit).unwrap_or(usize::MAX));
        self.heap.gc_set_enabled(or("zend.enable_gc", 1) != 0);
    }

    /// Where output goes from now on.
    pub fn set_sink(&mut self, sink: Box<dyn Sink>) {
        self.cx.output.sink = Some(sink);
    }

    /// Makes a fresh instance out of one whose request has ended: memory, stacks and tables stay, nothing else does; the sink is
    /// dropped.
    pub fn recycle(&mut self) {
        self.forget();
        // SAFETY: nothing holds a handle of this heap any more, as `forget` has seen to.
        unsafe { self.heap.reset() };
        let cx = &mut *self.cx;
        cx.release_units();
        cx.functions.forget();
        cx.classes.forget();
        cx.exit_status = 0;
        cx.interrupt.store(false, std::sync::atomic::Ordering::Relaxed);
        cx.ended_for_memory.store(false, std::sync::atomic::Ordering::Relaxed);
        cx.ini.restore_all();
        self.take_settings();
    }

    /// Drops everything that holds values of the heap.
    fn forget(&mut self) {
        let _guard = self.heap.enter();
        self.heap.mark_all_destructed();
        jumbo_interp::end_instance();
        let cx = &mut *self.cx;
        cx.drop_states();
        cx.exception = None;
        cx.output = jumbo_abi::output::Output::default();
        cx.class_states.clear();
        cx.constants.clear();
        cx.runtime = None;
        // SAFETY: no script runs: its frames were left or abandoned.
        unsafe { self.vm.reset() };
    }

    /// Runs `prepare` with the instance's heap current: superglobals, settings.
    pub fn prepare<R>(&mut self, prepare: impl FnOnce(&mut Cx) -> R) -> R {
        let _guard = self.heap.enter();
        prepare(&mut self.cx)
    }

    /// Runs a script to its end: shutdown functions, destructors, output. Waits block the thread unless it runs on a coroutine
    /// ([`Running`](crate::Running)).
    pub fn run(&mut self, script: &Script) -> Outcome {
        let _guard = self.heap.enter();
        self.vm.native_limit = coroutine::native_limit();
        let cx = &mut *self.cx;
        if let Ok(seconds @ 1..) = u64::try_from(cx.ini.int("max_execution_time")) {
            limits::set(cx, seconds);
        }
        guarded(cx, &self.heap, &mut start_configured_buffer);
        stress::arm(cx);
        for extension in &registry::get().extensions {
            if let Some(mut start) = extension.request_start {
                guarded(cx, &self.heap, &mut start);
            }
        }
        let mut panicked = false;
        let mut returned_false = false;
        let was_refused = std::cell::Cell::new(false);
        let mut step = |cx: &mut Cx, what: &mut dyn FnMut(&mut Cx) -> Result<(), Stop>| {
            let part = guarded(cx, &self.heap, what);
            panicked |= !part.is_fine;
            was_refused.set(was_refused.get() | part.was_refused);
        };
        self.heap.gc_forget_roots();
        step(cx, &mut |cx| {
            returned_false = matches!(main(cx, script)?.view(), View::Bool(false));
            Ok(())
        });
        step(cx, &mut shutdown_functions);
        step(cx, &mut global_destructors);
        step(cx, &mut |cx| cx.end_buffers());
        cx.send_headers(None);
        let is_out_of_memory = was_refused.get();
        for extension in registry::get().extensions.iter().rev() {
            if let Some(end) = extension.request_end {
                step(cx, &mut |cx| {
                    let ended = end(cx);
                    if is_out_of_memory {
                        // What a stream still wants to write finds no memory either: it was said that there is none.
                        let _ = self.heap.take_refusal();
                    }
                    ended
                });
            }
        }
        if let Some(sink) = &mut cx.output.sink {
            sink.end();
        }
        let head = &cx.output.head;
        let is_bare_failure = head.hides_failure && head.status >= 500 && cx.output.sent_bytes == 0;
        Outcome { is_bare_failure, exit_status: if panicked { 255 } else { cx.exit_status }, panicked, returned_false }
    }
}

impl Instance {
    /// Compiles source text without running it, and reports what is wrong with it under `name`. False: something is.
    pub fn lint(&mut self, source: &[u8], name: &[u8]) -> bool {
        let _guard = self.heap.enter();
        self.vm.native_limit = coroutine::native_limit();
        let cx = &mut *self.cx;
        let mut good = false;
        let step = |cx: &mut Cx, what: &mut dyn FnMut(&mut Cx) -> Result<(), Stop>| guarded(cx, &self.heap, what);
        let part = step(cx, &mut |cx| match registry::get().units.code(cx, source, name, true) {
            Ok(_) => {
                good = true;
                Ok(())
            }
            Err(UnitError::Invalid(why)) => Err(include::invalid(cx, &why, name)),
            Err(UnitError::Unreadable(why)) => Err(cx.fatal(why.as_bytes())),
        });
        if let Some(sink) = &mut cx.output.sink {
            sink.flush();
        }
        part.is_fine && good
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // Whatever the context holds is of this heap: it goes first, then all chunks at once.
        self.forget();
        // SAFETY: nothing holds a handle of this heap any more, as `forget` has seen to. Objects go before the units of their classes.
        unsafe { self.heap.reset() };
        // SAFETY: no hook is set.
        unsafe { self.heap.set_limit_hook(None) };
    }
}

/// How a part of the request ended.
struct Part {
    /// The engine did not panic.
    is_fine: bool,
    /// It was reported that memory was refused.
    was_refused: bool,
}

/// Runs a part of the request; exceptions that come out are reported.
fn guarded(cx: &mut Cx, heap: &Heap, what: &mut dyn FnMut(&mut Cx) -> Result<(), Stop>) -> Part {
    let result = std::panic::catch_unwind(AssertUnwindSafe(|| match what(cx) {
        Ok(()) | Err(Stop::Exit) => Ok(()),
        Err(Stop::Thrown) => errors::uncaught(cx),
        Err(Stop::Fatal) => {
            // As in PHP: after a fatal error no destructor is called.
            heap.mark_all_destructed();
            cx.exit_status = 255;
            Ok(())
        }
    }));
    let is_fine = match result {
        // exit() has set its status, in the exception handler too.
        Ok(Ok(()) | Err(Stop::Exit)) => true,
        Ok(Err(_)) => {
            cx.exit_status = 255;
            true
        }
        // The whole instance is unwound: this is not the end of a step.
        Err(payload) if payload.is::<Cancelled>() => std::panic::resume_unwind(payload),
        Err(payload) => {
            cx.exit_status = 255;
            // SAFETY: the machine is live, and the unwinding has ended all that ran on it.
            unsafe { Vm::abandon_frames(Vm::of(cx)) };
            if payload.is::<MemoryLimit>() {
                true
            } else {
                let text = payload
                    .downcast_ref::<&str>()
                    .map(|s| (*s).to_owned())
                    .or_else(|| payload.downcast_ref::<String>().cloned())
                    .unwrap_or_else(|| "unknown panic".into());
                jumbo_interp::engine::log(cx, format!("Jumbo: internal error: {text}").as_bytes());
                false
            }
        }
    };
    let refusal = heap.take_refusal();
    let was_refused = refusal.is_some();
    if let Some(refusal) = refusal {
        report_refusal(cx, heap, refusal);
    }
    Part { is_fine, was_refused }
}

/// Reports that memory was refused, with which the request ends.
fn report_refusal(cx: &mut Cx, heap: &Heap, refusal: MemoryLimit) {
    let text = match refusal {
        MemoryLimit { limit, tried, by_system: false } => {
            format!("Allowed memory size of {limit} bytes exhausted (tried to allocate {tried} bytes)")
        }
        MemoryLimit { tried, by_system: true, .. } => {
            format!("Out of memory (allocated {} bytes) (tried to allocate {tried} bytes)", heap.real_usage())
        }
    };
    cx.exit_status = 255;
    // As in PHP: what is buffered is gone, and no destructor is called.
    cx.discard_buffers();
    heap.mark_all_destructed();
    // SAFETY: the machine is live.
    let place = unsafe { (*Vm::of(cx)).limit_place.take() };
    let (file, line) = place.unwrap_or_else(|| (PStr::empty(), 0));
    // The request is over: to say so is all that can still be done, and where the system has no memory for that either, the log gets it.
    let said = std::panic::catch_unwind(AssertUnwindSafe(|| errors::raise_at(cx, Level::Error, text.as_bytes(), file, line)));
    let refused_again = heap.take_refusal().is_some();
    if said.is_err() || refused_again {
        jumbo_interp::engine::log(cx, format!("Jumbo: {text}").as_bytes());
        if !cx.output.head.sent {
            cx.output.head.status = 500;
        }
    }
    heap.end_reserve();
}

fn load(cx: &mut Cx, script: &Script) -> Result<Arc<Unit>, (UnitError, Vec<u8>)> {
    let provider = registry::get().units;
    match script {
        Script::File(path) => {
            let full = include::normalize(&cx.cwd, path);
            let real = provider.real_path(cx, &full);
            let unit = match provider.file(cx, &real) {
                // `jumbo <(program)`, `jumbo /dev/stdin`: nothing else is to be done until all of it is there.
                Ok(None) => match std::fs::read(std::ffi::OsStr::from_bytes(&real)) {
                    Ok(source) => provider.code(cx, &source, &real, true),
                    Err(e) => Err(UnitError::Unreadable(e.to_string())),
                },
                Ok(Some(unit)) => Ok(unit),
                Err(why) => Err(why),
            };
            let unit = unit.map_err(|e| (e, real.clone()))?;
            cx.state::<include::Included>().files.insert(real.into(), ());
            Ok(unit)
        }
        Script::Code(code, name) => provider.code(cx, code, name, false).map_err(|e| (e, name.clone())),
        Script::Source(code, name) => {
            cx.state::<include::Included>().files.insert(name.clone().into(), ());
            provider.code(cx, code, name, true).map_err(|e| (e, name.clone()))
        }
    }
}

fn auto_file(cx: &mut Cx, setting: &str) -> Result<(), Stop> {
    let path = cx.ini.str(setting).to_vec();
    if path.is_empty() || path == b"none" {
        return Ok(());
    }
    include::include(cx, &PStr::new(&path), jumbo_bytecode::unit::IncludeKind::Require).map(drop)
}

/// The script with what is prepended and appended; the value that its file returns.
fn main(cx: &mut Cx, script: &Script) -> Result<Value, Stop> {
    auto_file(cx, "auto_prepend_file")?;
    match load(cx, script) {
        Ok(unit) => {
            let value = include::run_unit(cx, unit, u32::MAX, false)?;
            auto_file(cx, "auto_append_file")?;
            Ok(value)
        }
        Err((UnitError::Unreadable(why), path)) => {
            let text = [b"Failed to open stream: ".as_slice(), why.as_bytes()].concat();
            Err(cx.fatal(&[b"Failed opening required '".as_slice(), &path, b"': ", &text].concat()))
        }
        Err((UnitError::Invalid(why), path)) => Err(include::invalid(cx, &why, &path)),
    }
}

/// The output buffer that `output_handler` or `output_buffering` asks for.
fn start_configured_buffer(cx: &mut Cx) -> Result<(), Stop> {
    let handler = cx.ini.str("output_handler").to_vec();
    if !handler.is_empty()
        && let Ok(callable) = cx.resolve_callable(&Value::bytes(&handler))?
    {
        return cx.start_buffer(Some(Handler::User(callable, PStr::new(&handler))), 0, ob::STDFLAGS);
    }
    // `On` is a buffer of any size, a number above 1 the size at which it is flushed.
    let size = cx.ini.int("output_buffering");
    if size > 1 {
        return cx.start_buffer(None, usize::try_from(size).unwrap_or(0), ob::STDFLAGS);
    }
    if cx.ini.bool("output_buffering") { cx.start_buffer(None, 0, ob::STDFLAGS) } else { Ok(()) }
}

fn shutdown_functions(cx: &mut Cx) -> Result<(), Stop> {
    // A shutdown function may register others: they come last.
    loop {
        let functions = std::mem::take(&mut cx.state::<Shutdown>().functions);
        if functions.is_empty() {
            return Ok(());
        }
        for (callable, args) in functions {
            // The caller reports an exception; the other functions do not run.
            cx.call(&callable, &args)?;
        }
    }
}

/// Destructors at the end: global variables that alone hold an object, last one first, then all other objects in the order of creation.
fn global_destructors(cx: &mut Cx) -> Result<(), Stop> {
    let vm = Vm::of(cx);
    // SAFETY: the machine is live.
    let globals = unsafe { (*vm).globals.clone() };
    cx.state::<Handlers>().ending = true;
    // What died with the shutdown functions.
    objects::run_destructors(cx)?;
    loop {
        let mut changed = false;
        for name in globals.names().iter().rev() {
            let slot = globals.find(name.as_bytes());
            // SAFETY: a live slot.
            let alone = unsafe { !slot.is_null() && (*slot).is_object() && (*slot).header().is_unique() };
            if alone {
                changed = true;
                drop(globals.remove(name.as_bytes()));
                objects::run_destructors(cx)?;
            }
        }
        if !changed {
            break;
        }
    }
    let heap = Heap::current();
    heap.stop_reusing_handles();
    // Destructors may make objects, whose turn comes after those that are there: their handles are greater.
    for object in heap.undestructed_objects() {
        if let Err(stop) = objects::destruct(cx, &object) {
            objects::stopped_destructor(cx, stop)?;
        }
    }
    Ok(())
}

/// Sets a superglobal or any global variable.
pub fn set_global(cx: &mut Cx, name: &str, value: impl Into<Value>) {
    cx.engine().set_global(cx, &PStr::new(name.as_bytes()), value.into());
}

/// A PHP array of pairs.
pub fn array_of<'a>(pairs: impl IntoIterator<Item = (&'a [u8], Value)>) -> PArray {
    let mut array = PArray::new();
    for (k, v) in pairs {
        array.set_sym(k, v);
    }
    array
}
