//! The command line interface: scripts, `-r`, standard input, `-l`, and what `php` says about itself.

use crate::extensions::EXTENSIONS;
use crate::options::{Mode, Options};
use crate::settings::{self, Sources};
use crate::stdout::Stdout;
use crate::stress;
use jumbo_abi::output::Sink;
use jumbo_abi::wait::fork;
use jumbo_engine::superglobals::{self, Superglobals};
use jumbo_engine::{Instance, Outcome, Script, Settings};
use std::ffi::OsStr;
use std::future::Future;
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::task::Poll;
use std::time::SystemTime;

/// Native stack of the thread that runs a script. It is address space; only what is touched becomes memory.
pub const STACK_BYTES: usize = 256 << 20;

/// What `__FILE__` says in code of `-r`, and `$argv[0]` without a file.
const COMMAND_LINE_CODE: &[u8] = b"Command line code";
const STANDARD_INPUT: &[u8] = b"Standard input code";

/// Does what the options say; the exit status.
pub fn run(options: Options) -> i32 {
    match &options.mode {
        Mode::Help => {
            print(crate::help::PHP_USAGE);
            0
        }
        Mode::Serve(address) => crate::serve::development(&options, address),
        Mode::Run | Mode::Code(_) | Mode::Lint | Mode::Info | Mode::Modules | Mode::Version | Mode::IniFiles => {
            let sources = match settings::collect(&options, "php-cli.ini", settings::CLI_DEFAULTS, settings::CLI_FIXED) {
                Ok(sources) => sources,
                Err(why) => return complain(&why),
            };
            start("cli", &sources, Some(0));
            on_big_stack(move || {
                warn_at_startup();
                let status = with_engine(&options, &sources);
                // Nobody got what was printed. (That the version could not be printed changes nothing, as with stock.)
                if crate::stdout::has_failed() && options.mode != Mode::Version { 255 } else { status }
            })
        }
    }
}

/// Shows what is to be said about the settings, as they say it is to be shown.
pub fn warn_at_startup() {
    let warnings = jumbo_engine::startup_warnings();
    if warnings.is_empty() {
        return;
    }
    match Instance::new(Box::new(Stdout::new())) {
        Ok(mut instance) => instance.prepare(|cx| {
            cx.output.no_headers = true;
            for text in warnings {
                // The script's part of the settings has not begun: nothing can stop this.
                let _ = jumbo_interp::errors::show(cx, "Warning", text, b"Unknown", 0);
            }
            if let Some(sink) = &mut cx.output.sink {
                sink.flush();
            }
        }),
        Err(e) => {
            complain(&format!("cannot reserve memory: {e}"));
        }
    }
}

/// Installs the engine with these settings.
pub fn start(sapi: &'static str, sources: &Sources, revalidate_ms: Option<u64>) {
    let mut ini = sources.settings.clone();
    settings::tell_revalidation(&mut ini, sapi, revalidate_ms);
    let bytes = |path: &std::path::PathBuf| path.as_os_str().as_bytes().into();
    let settings = Settings {
        sapi,
        ini,
        revalidate_ms,
        loaded_file: sources.loaded.as_ref().map(bytes),
        scanned_files: sources.scanned.iter().map(bytes).collect(),
    };
    let first = jumbo_engine::start(EXTENSIONS, settings);
    debug_assert!(first, "the engine is started once");
}

/// Runs `what` on a thread with a native stack of [`STACK_BYTES`].
pub fn on_big_stack(what: impl FnOnce() -> i32 + Send + 'static) -> i32 {
    let thread = std::thread::Builder::new().name("main".into()).stack_size(STACK_BYTES).spawn(what);
    match thread.map(|t| t.join()) {
        Ok(Ok(status)) => status,
        // The panic has printed its message.
        Ok(Err(_)) => 255,
        Err(e) => complain(&format!("cannot start a thread: {e}")),
    }
}

fn with_engine(options: &Options, sources: &Sources) -> i32 {
    match &options.mode {
        Mode::Version => {
            print(crate::info::version("cli").as_bytes());
            0
        }
        Mode::Modules => {
            print(crate::info::modules().as_bytes());
            0
        }
        Mode::IniFiles => {
            print(crate::info::ini_files(sources).as_bytes());
            0
        }
        Mode::Info => {
            let code = Script::Code(b"phpinfo();".to_vec(), COMMAND_LINE_CODE.to_vec());
            script(code, COMMAND_LINE_CODE, b"", options)
        }
        Mode::Lint => lint(options),
        Mode::Code(code) => script(Script::Code(code.clone(), COMMAND_LINE_CODE.to_vec()), STANDARD_INPUT, b"", options),
        _ => match &options.file {
            Some(file) => {
                let Ok(kind) = std::fs::File::open(OsStr::from_bytes(file)).and_then(|f| f.metadata()) else {
                    return cannot_open(file);
                };
                // To PHP a folder is an empty script.
                let code = if kind.is_dir() { Script::Source(Vec::new(), file.clone()) } else { Script::File(file.clone()) };
                script(code, file, file, options)
            }
            None => {
                let mut source = Vec::new();
                if let Err(e) = std::io::stdin().read_to_end(&mut source) {
                    return complain(&format!("cannot read standard input: {e}"));
                }
                script(Script::Source(source, STANDARD_INPUT.to_vec()), STANDARD_INPUT, b"", options)
            }
        },
    }
}

fn cannot_open(file: &[u8]) -> i32 {
    jumbo_interp::engine::write_stderr(&[b"Could not open input file: ".as_slice(), file, b"\n"]);
    1
}

/// Runs one script with the superglobals of the command line.
fn script(script: Script, name: &[u8], translated: &[u8], options: &Options) -> i32 {
    let received = SystemTime::now();
    let make = |sink: Box<dyn Sink>| {
        let mut instance = Box::new(Instance::new(sink).map_err(|e| format!("cannot reserve memory: {e}"))?);
        instance.prepare(|cx| {
            cx.output.no_headers = true;
            cx.timer = Some(crate::web::site::timer);
            let mut argv = vec![name.to_vec()];
            argv.extend(options.args.iter().cloned());
            let server = superglobals::cli_server(&superglobals::environment(), name, translated, received);
            let globals = Superglobals { server, argv: Some(argv), ..Superglobals::default() };
            globals.install(cx);
            jumbo_ext_files::define_std_streams(cx);
        });
        Ok(instance)
    };
    let status = match stress::Mode::from_environment() {
        Ok(None) => make(Box::new(Stdout::new())).and_then(|i| run_alone(i, script)).map(|outcome| outcome.exit_status),
        Ok(Some(mode)) => {
            jumbo_interp::stress::set(mode.at_safepoints());
            stress::run(mode, &make, &script)
        }
        Err(why) => Err(why),
    };
    status.map_or_else(|why| complain(&why), |status| status & 0xff)
}

/// Runs an instance to its end, with an event loop of its own for whatever it waits for.
pub fn run_alone(mut instance: Box<Instance>, script: Script) -> Result<Outcome, String> {
    instance.prepare(|cx| cx.timer = Some(crate::web::site::timer));
    let mut runtime = event_loop()?;
    let running = instance.start(script, false).map_err(|e| format!("cannot run the script: {e}"))?;
    let mut running = std::pin::pin!(running);
    fork::set(fork::State::Idle);
    let mut is_child = false;
    let (instance, outcome) = loop {
        let turn = std::future::poll_fn(|context| match running.as_mut().poll(context) {
            Poll::Ready(ended) => Poll::Ready(Some(ended)),
            Poll::Pending if fork::state() == fork::State::Wanted => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        });
        if let Some(ended) = runtime.block_on(turn) {
            break ended;
        }
        let pid = match jumbo_engine::fork::fork() {
            Ok(0) => {
                is_child = true;
                // The parent's event loop must not notice that a copy of it goes.
                std::mem::forget(std::mem::replace(&mut runtime, event_loop()?));
                0
            }
            Ok(pid) => pid,
            Err(e) => -e.raw_os_error().unwrap_or(1),
        };
        fork::set(fork::State::Done(pid));
    };
    fork::set(fork::State::Unsupported);
    drop(instance);
    if is_child {
        // The thread that waits for this one exists only in the parent.
        std::process::exit(if crate::stdout::has_failed() { 255 } else { outcome.exit_status & 0xff });
    }
    Ok(outcome)
}

/// An event loop for what scripts wait for.
pub fn event_loop() -> Result<tokio::runtime::Runtime, String> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| format!("cannot run the script: {e}"))
}

/// Checks all files that are named; the exit status is that of the last one that is not in order.
fn lint(options: &Options) -> i32 {
    let Some(first) = &options.file else {
        let mut source = Vec::new();
        return match std::io::stdin().read_to_end(&mut source) {
            Ok(_) => lint_source(STANDARD_INPUT, &source),
            Err(e) => complain(&format!("cannot read standard input: {e}")),
        };
    };
    let mut status = 0;
    for file in std::iter::once(first).chain(options.args.iter().take_while(|a| *a != b"--")) {
        let path = Path::new(OsStr::from_bytes(file));
        let source = if path.is_dir() { Ok(Vec::new()) } else { std::fs::read(path) };
        let of_file = match source {
            Ok(source) => lint_source(file, &source),
            Err(_) => cannot_open(file),
        };
        if of_file != 0 {
            status = of_file;
        }
    }
    status
}

fn lint_source(name: &[u8], source: &[u8]) -> i32 {
    let mut instance = match Instance::new(Box::new(Stdout::new())) {
        Ok(instance) => instance,
        Err(e) => return complain(&format!("cannot reserve memory: {e}")),
    };
    instance.prepare(|cx| cx.output.no_headers = true);
    let good = instance.lint(source, name);
    drop(instance);
    if good {
        print(&[b"No syntax errors detected in ".as_slice(), name, b"\n"].concat());
        0
    } else {
        print(&[b"Errors parsing ".as_slice(), name, b"\n"].concat());
        255
    }
}

/// The program's arguments as bytes, its own name first.
pub fn arguments() -> Vec<Vec<u8>> {
    std::env::args_os().map(OsStringExt::into_vec).collect()
}

pub fn print(bytes: &[u8]) {
    crate::stdout::print(bytes);
}

/// A message on standard error; the exit status of a failure.
pub fn complain(why: &str) -> i32 {
    eprintln!("jumbo: {why}");
    1
}
