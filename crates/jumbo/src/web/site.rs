//! The PHP site: what each executor thread of the server runs.
//!
//! A request takes an idle instance of its executor, or a new one, runs on a coroutine, and gives the instance back. An instance
//! that panicked, or was cancelled in the middle, is not used again.

use crate::info::PHP_VERSION;
use crate::web::input;
use crate::web::sink::{Answer, HttpSink};
use jumbo_abi::blocking;
use jumbo_abi::mounts::Mount;
use jumbo_abi::throwable::Handlers;
use jumbo_engine::{Instance, Script};
use jumbo_interp::coroutine;
use jumbo_server::engine_api::{Executor, LocalFuture, ResponseSink, ScriptRequest, Site};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

/// Idle instances that an executor keeps however quiet it is. What a burst needed beyond these goes when it was not needed for a while:
/// making instances and their stacks anew is half of the cost of a short request.
const IDLE_KEPT: usize = 64;
/// How long an instance must not have been needed.
const TRIM_EVERY: Duration = Duration::from_secs(5);
/// Instances that are dropped at once, before other requests get a turn.
const TRIM_AT_ONCE: usize = 8;

/// The site, as the server has it.
pub struct PhpSite {
    /// A request that takes longer is cancelled, whatever it does.
    pub terminate_after: Option<Duration>,
    /// Scripts that fail and say nothing are answered with a page of our own.
    pub error_pages: bool,
}

impl Site for PhpSite {
    fn new_executor(&self) -> Box<dyn Executor> {
        Box::new(PhpExecutor { idle: Idle::default(), terminate_after: self.terminate_after, error_pages: self.error_pages })
    }
    fn end_largest_request(&self) -> Option<u64> {
        jumbo_engine::memory::end_largest().map(|bytes| bytes as u64)
    }
    fn was_refused_memory(&self) -> bool {
        let was_refused = jumbo_value::allocator::is_short();
        // It is there again as soon as there is memory for it.
        jumbo_value::allocator::keep_reserve();
        was_refused
    }
}

/// The timer of tokio, on which the server and the command line run.
pub fn timer(duration: Duration) -> Pin<Box<dyn Future<Output = ()>>> {
    Box::pin(tokio::time::sleep(duration))
}

/// The idle instances of one executor.
#[derive(Clone, Default)]
struct Idle(Rc<IdleState>);

#[derive(Default)]
struct IdleState {
    instances: RefCell<Vec<Box<Instance>>>,
    /// The fewest that were idle since [`Idle::trim`] looked last: so many were not needed.
    fewest: Cell<usize>,
    trimming: Cell<bool>,
}

impl Idle {
    fn take(&self) -> Option<Box<Instance>> {
        let mut instances = self.0.instances.borrow_mut();
        let taken = instances.pop();
        self.0.fewest.set(self.0.fewest.get().min(instances.len()));
        taken
    }

    fn give(&self, instance: Box<Instance>) {
        let mut instances = self.0.instances.borrow_mut();
        instances.push(instance);
        if instances.len() > IDLE_KEPT && !self.0.trimming.replace(true) {
            tokio::task::spawn_local(self.clone().trim());
        }
    }

    /// Runs as long as there are more than are kept.
    async fn trim(self) {
        let len = || self.0.instances.borrow().len();
        while len() > IDLE_KEPT {
            self.0.fewest.set(len());
            tokio::time::sleep(TRIM_EVERY).await;
            let mut spare = self.0.fewest.get();
            while spare > 0 && len() > IDLE_KEPT {
                let some = {
                    let mut instances = self.0.instances.borrow_mut();
                    let some = spare.min(TRIM_AT_ONCE).min(instances.len() - IDLE_KEPT);
                    // Those at the beginning have waited longest.
                    instances.drain(..some).collect::<Vec<_>>()
                };
                spare -= some.len();
                drop(some);
                tokio::task::yield_now().await;
            }
            coroutine::trim_stacks(len());
        }
        self.0.trimming.set(false);
    }
}

struct PhpExecutor {
    idle: Idle,
    terminate_after: Option<Duration>,
    error_pages: bool,
}

impl Executor for PhpExecutor {
    fn run(&self, request: ScriptRequest, response: ResponseSink) -> LocalFuture<()> {
        let idle = self.idle.clone();
        let (terminate_after, error_pages) = (self.terminate_after, self.error_pages);
        Box::pin(async move {
            let answer = Answer::new(response);
            if let Err(why) = serve(&idle, request, &answer, terminate_after, error_pages).await {
                // The answer, dropped unfinished, is an error page.
                eprintln!("jumbo: {why}");
            }
        })
    }
}

/// How long a request's body waits for a thread that reads it from a file system which may not answer.
const BODY_THREAD_WAIT_MAX: Duration = Duration::from_secs(60);

/// Reads a body that is on a file system which may not answer, while this thread goes on.
async fn bring_near(mount: Mount, mut request: ScriptRequest, terminate_after: Option<Duration>) -> Result<ScriptRequest, String> {
    let limit = terminate_after.unwrap_or(Duration::MAX);
    let reading = blocking::elsewhere(mount, limit.min(BODY_THREAD_WAIT_MAX), move || request.bring_near().map(|()| request));
    match tokio::time::timeout(limit, reading).await {
        Ok(Ok(read)) => read.map_err(|e| format!("cannot read a request's body: {e}")),
        Ok(Err(_)) | Err(_) => Err("cannot read a request's body: the file system of upload_tmp_dir or of the system's temporary folder does not answer".to_owned()),
    }
}

async fn serve(
    idle: &Idle,
    mut request: ScriptRequest,
    answer: &Rc<Answer>,
    terminate_after: Option<Duration>,
    error_pages: bool,
) -> Result<(), String> {
    if let Some(mount) = request.far() {
        request = bring_near(mount, request, terminate_after).await?;
    }
    let sink = Box::new(HttpSink(answer.clone()));
    let mut instance = match idle.take() {
        Some(mut instance) => {
            instance.set_sink(sink);
            instance
        }
        None => Box::new(Instance::new(sink).map_err(|e| format!("cannot make an instance: {e}"))?),
    };
    instance.prepare(|cx| prepare(cx, &request)).map_err(|e| format!("cannot read a request's body: {e}"))?;
    let is_router = request.is_router;
    let script = Script::File(request.script_filename.to_vec());
    let line = (request.method.clone(), request.request_uri.clone());
    // The instance has a copy of all that it needs.
    drop(request);
    let running = instance.start(script, true).map_err(|e| format!("cannot make a coroutine: {e}"))?;
    let (mut instance, outcome) = match terminate_after {
        None => running.await,
        Some(limit) => match tokio::time::timeout(limit, running).await {
            Ok(done) => done,
            Err(_) => return Err(format!("a request took longer than {} ms and was ended", limit.as_millis())),
        },
    };
    if outcome.panicked {
        if !answer.is_untouched() {
            answer.finish();
        }
        return Ok(());
    }
    if error_pages && outcome.is_bare_failure && answer.is_untouched() {
        let id = jumbo_server::new_error_id();
        instance.prepare(|cx| log_error_page(cx, &id, &line.0, &line.1));
        answer.show_error_page(&id);
    }
    if is_router && outcome.returned_false && answer.is_untouched() {
        answer.decline();
    } else {
        answer.finish();
    }
    instance.recycle();
    idle.give(instance);
    Ok(())
}

/// Writes into the error log which failure an error page stands for.
fn log_error_page(cx: &mut jumbo_abi::Cx, id: &str, method: &[u8], target: &[u8]) {
    let failure = cx.state::<Handlers>().last_error.clone();
    let mut text = [b"Jumbo: error page ", id.as_bytes(), b" for ", method, b" ", target].concat();
    if let Some((_, message, file, line)) = failure {
        let first_line = message.as_bytes().split(|&b| b == b'\n').next().unwrap_or_default();
        text.extend([b": ", first_line, b" in ", file.as_bytes(), b" on line ", line.to_string().as_bytes()].concat());
    }
    // The client chooses the target.
    text.iter_mut().filter(|b| b.is_ascii_control()).for_each(|b| *b = b'?');
    jumbo_interp::engine::log(cx, &text);
}

fn prepare(cx: &mut jumbo_abi::Cx, request: &ScriptRequest) -> std::io::Result<()> {
    cx.timer = Some(timer);
    // Scripts start in their own folder.
    if let Some(end) = request.script_filename.iter().rposition(|&b| b == b'/') {
        cx.cwd = request.script_filename[..end.max(1)].to_vec();
    }
    if expose_php(cx) {
        cx.output.head.headers.push(powered_by());
    }
    let (globals, diagnostics) = input::superglobals(request)?;
    globals.install(cx);
    let content_type = request.headers.get(b"content-type").unwrap_or_default().to_vec();
    input::attach_body(cx, &content_type, &request.body, request.uploads.clone())?;
    input::report(cx, &diagnostics);
    Ok(())
}

/// Whether answers say who made them.
pub fn expose_php(cx: &jumbo_abi::Cx) -> bool {
    cx.ini.configured(b"expose_php").is_none_or(|_| cx.ini.bool("expose_php"))
}

pub fn powered_by() -> Vec<u8> {
    format!("X-Powered-By: PHP/{PHP_VERSION}").into_bytes()
}
