//! Relief: executors without connections, for the time in which those with connections are late.
//!
//! A script's turn can last long in spite of everything: a library's computation, a single step over a value of a hundred megabytes, a disk
//! that does not answer. Others share its executor, so while every executor is in such a turn the guard starts threads that take what
//! waits in the queue: requests that are expected to be quick at once, others, which may be of the kind that holds threads, when it lasts. So what holds an executor holds
//! nobody else, as long as there are not as many that hold one as there are threads.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, LocalOptions};
use tokio::sync::watch;

use crate::config::ServerConfig;
use crate::engine_api::Site;
use crate::executor::Executors;
use crate::runner::ScriptRunner;
use crate::schedule::Queued;

/// How long all executors must be late until any request is taken.
const LATE_FOR_LONG: Duration = Duration::from_secs(2);

/// Which waiting requests the executors with connections are too late for.
pub(crate) fn queued(executors: &Executors) -> Queued {
    let queued = executors.queued();
    if !queued.quick && !queued.others {
        return queued;
    }
    let late: Option<Vec<Duration>> = executors.split().0.iter().map(|peer| peer.late_for()).collect();
    match late.and_then(|late| late.into_iter().min()) {
        None => Queued::default(),
        Some(least) => Queued { quick: queued.quick, others: queued.others && least > LATE_FOR_LONG },
    }
}

/// The threads that relieve others.
pub(crate) struct Relief {
    config: Arc<ServerConfig>,
    site: Arc<dyn Site>,
    executors: Arc<Executors>,
    stopped: watch::Receiver<bool>,
    threads: Vec<Option<JoinHandle<()>>>,
}

impl Relief {
    pub(crate) fn new(config: Arc<ServerConfig>, site: Arc<dyn Site>, executors: Arc<Executors>, stopped: watch::Receiver<bool>) -> Relief {
        let threads = executors.split().1.iter().map(|_| None).collect();
        Relief { config, site, executors, stopped, threads }
    }

    /// Calls or starts a thread if requests wait for one. Whoever calls this does so again while they wait.
    pub(crate) fn look(&mut self) {
        let wanted = queued(&self.executors);
        if !wanted.quick && !wanted.others {
            return;
        }
        let (with_connections, relieving) = self.executors.split();
        let Some(at) = relieving.iter().position(|peer| peer.late_for().is_none()) else { return };
        if self.threads[at].as_ref().is_none_or(JoinHandle::is_finished) {
            let executor = ReliefExecutor {
                id: with_connections.len() + at,
                config: self.config.clone(),
                site: self.site.clone(),
                executors: self.executors.clone(),
                stopped: self.stopped.clone(),
            };
            let named = std::thread::Builder::new().name(format!("relief-{at}"));
            // Refused, the requests wait for the executors.
            self.threads[at] = named.spawn(move || executor.run()).ok();
        }
        relieving[at].call.notify_one();
    }

    /// The server has stopped: waits until the threads have ended.
    pub(crate) fn join(&mut self) {
        for thread in self.threads.iter_mut().filter_map(Option::take) {
            // A panic has been printed.
            _ = thread.join();
        }
    }
}

struct ReliefExecutor {
    id: usize,
    config: Arc<ServerConfig>,
    site: Arc<dyn Site>,
    executors: Arc<Executors>,
    stopped: watch::Receiver<bool>,
}

impl ReliefExecutor {
    /// Serves until there has been nothing to do for a while, or the server has stopped and the scripts have ended.
    fn run(mut self) {
        let runtime = match Builder::new_current_thread().enable_all().build_local(LocalOptions::default()) {
            Ok(runtime) => runtime,
            Err(error) => return (self.config.error_log)(&format!("jumbo: no executor to relieve others: {error}")),
        };
        runtime.block_on(async {
            let runner = ScriptRunner::new(self.id, self.executors.clone(), self.site.new_executor(), self.config.error_log.clone());
            let runner = std::rc::Rc::new(runner);
            let mut serving = tokio::task::spawn_local(runner.clone().serve());
            tokio::select! {
                _ = &mut serving => return,
                // An error means that the server's owner is gone, which is a stop too.
                _ = self.stopped.wait_for(|stop| *stop) => {}
            }
            let end = Instant::now() + Duration::from_millis(self.config.stop_timeout_ms);
            while runner.in_flight() > 0 && Instant::now() < end {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        runtime.shutdown_background();
    }
}
