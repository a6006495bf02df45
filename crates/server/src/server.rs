//! The server's life: listening, executor threads, graceful stop.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::HeaderValue;
use tokio::runtime::{Builder, LocalOptions};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::accept::{Accepting, Acceptor, http_builder};
use crate::access_log::{AccessLog, LogFile};
use crate::config::{ListenAddress, ServerConfig};
use crate::connection::{Connections, Deadlines};
use crate::engine_api::Site;
use crate::guard::Guard;
use crate::handover::{Handover, InheritedSocket};
use crate::executor::{Executors, ServerMetrics};
use crate::listeners::{Inherited, Listener, UnixPath, listen_tcp, listen_unix};
use crate::memory;
use crate::relief::Relief;
use crate::request::ServerFacts;
use crate::routing::{Router, ScriptRoute};
use crate::runner::{Dispatcher, ScriptRunner};
use crate::service::ExecutorContext;
use crate::signals::{Signals, Wish};

/// The table of a request's fields has room for 24,576 and panics beyond.
const HEADER_FIELDS_MAX: usize = 20_000;

/// Sockets that listen, before anything is served.
pub struct Server {
    config: Arc<ServerConfig>,
    site: Arc<dyn Site>,
    /// For each executor, its listening sockets.
    listeners: Vec<Vec<Listener>>,
    addresses: Vec<ListenAddress>,
    log_file: Option<Arc<LogFile>>,
}

impl Server {
    /// Checks the configuration and listens. Connections wait in the backlog until [`start`](Self::start).
    pub fn bind(config: ServerConfig, site: Arc<dyn Site>) -> io::Result<Server> {
        Server::bind_with(config, site, Vec::new())
    }

    /// Whether a server could start with these settings, as far as that can be seen without starting one.
    pub fn check(config: &ServerConfig) -> io::Result<()> {
        if config.header_fields_max > HEADER_FIELDS_MAX {
            let what = format!("header_fields_max is {}, and more than {HEADER_FIELDS_MAX} are not possible", config.header_fields_max);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        Router::new(config).map(drop)
    }

    /// The same with sockets of the program that was here before, as far as they have the configured addresses; others are closed.
    pub fn bind_with(config: ServerConfig, site: Arc<dyn Site>, inherited: Vec<InheritedSocket>) -> io::Result<Server> {
        let mut inherited = Inherited(inherited);
        Server::check(&config)?;
        let log_file = config
            .access_log
            .as_deref()
            .map(LogFile::open)
            .transpose()?;
        let executors = config.executor_count();
        let mut listeners: Vec<Vec<Listener>> = (0..executors).map(|_| Vec::new()).collect();
        let mut addresses = Vec::new();
        for address in &config.listen {
            let name = |error: io::Error| {
                io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"))
            };
            match address {
                ListenAddress::Tcp(address) => {
                    let first = match inherited.tcp(*address) {
                        Some(listener) => listener,
                        None => listen_tcp(*address, &config).map_err(name)?,
                    };
                    // With port 0 the system has chosen one, which all share.
                    let actual = first.local_addr()?;
                    addresses.push(ListenAddress::Tcp(actual));
                    for own in listeners.iter_mut().skip(1) {
                        let socket = match config.reuse_port.then(|| inherited.tcp(actual)) {
                            Some(Some(socket)) => Ok(socket),
                            Some(None) => listen_tcp(actual, &config),
                            None => first.try_clone(),
                        };
                        own.push(Listener::Tcp(socket.map_err(name)?));
                    }
                    listeners[0].push(Listener::Tcp(first));
                }
                ListenAddress::Unix(path) => {
                    let first = match inherited.unix(path) {
                        Some(listener) => listener,
                        None => listen_unix(path, config.backlog).map_err(name)?,
                    };
                    let file = Arc::new(UnixPath(path.clone()));
                    addresses.push(address.clone());
                    for own in listeners.iter_mut().skip(1) {
                        own.push(Listener::Unix(first.try_clone()?, file.clone()));
                    }
                    listeners[0].push(Listener::Unix(first, file));
                }
            }
        }
        Ok(Server {
            config: Arc::new(config),
            site,
            listeners,
            addresses,
            log_file,
        })
    }

    /// Where the server listens, with ports as the system chose them.
    pub fn addresses(&self) -> &[ListenAddress] {
        &self.addresses
    }

    /// Starts the executor threads and returns when all of them have made their executor.
    pub fn start(self) -> io::Result<RunningServer> {
        let Server {
            config,
            site,
            listeners,
            addresses,
            log_file,
        } = self;
        let executors = Executors::new(&config);
        memory::watch(config.memory_bytes_max, &executors, site.clone(), config.error_log.clone())?;
        let (stop, stopped) = watch::channel(false);
        let (ready, started) = std::sync::mpsc::channel::<io::Result<()>>();
        let mut threads = Vec::new();
        let for_guard = listeners.iter().take(if config.reuse_port { listeners.len() } else { 1 });
        let for_guard = for_guard.map(|own| own.iter().map(Listener::try_clone).collect()).collect::<io::Result<Vec<Vec<_>>>>()?;
        let count = listeners.len();
        for (id, listeners) in listeners.into_iter().enumerate() {
            let thread = ExecutorThread {
                id,
                config: config.clone(),
                site: site.clone(),
                executors: executors.clone(),
                log_file: log_file.clone(),
                stopped: stopped.clone(),
                ready: ready.clone(),
            };
            let named = std::thread::Builder::new().name(format!("executor-{id}"));
            threads.push(named.spawn(move || thread.run(listeners))?);
        }
        let relief = Relief::new(config.clone(), site.clone(), executors.clone(), stopped.clone());
        let guard = Guard { config: config.clone(), executors: executors.clone(), stopped, listeners: for_guard, relief };
        let (guarded, guard_log) = (executors.clone(), log_file.clone());
        let named = std::thread::Builder::new().name("guard".to_owned());
        threads.push(named.spawn(move || run_guard(guard, guarded, guard_log, &ready))?);
        let server = RunningServer {
            stop,
            threads,
            executors,
            config,
            addresses,
            log_file,
        };
        // The guard says so too.
        for _ in 0..=count {
            started
                .recv()
                .unwrap_or_else(|_| Err(io::Error::other("an executor failed to start")))?;
        }
        Ok(server)
    }

    /// The sockets as the next program gets them.
    fn handover(&self) -> io::Result<Handover> {
        let mut files = Vec::new();
        let mut sockets = Vec::new();
        for (executor, listeners) in self.listeners.iter().enumerate() {
            for listener in listeners {
                match listener.try_clone()? {
                    // Executors share one socket, except with SO_REUSEPORT.
                    Listener::Tcp(listener) if executor == 0 || self.config.reuse_port => sockets.push(InheritedSocket::Tcp(listener)),
                    Listener::Unix(listener, file) if executor == 0 => {
                        sockets.push(InheritedSocket::Unix(listener));
                        files.push(file);
                    }
                    Listener::Tcp(_) | Listener::Unix(..) => {}
                }
            }
        }
        Ok(Handover { sockets, _keep: Box::new(files) })
    }

    /// Serves until a signal asks for something else ([`Signals`]). SIGTERM, SIGINT and SIGQUIT stop gracefully, a second one at once.
    /// SIGHUP and SIGUSR2 do the same, but leave the sockets to the program that follows, if `may_restart` has no objection: the
    /// server goes on otherwise.
    pub fn run_until_signal(self, signals: Signals, may_restart: &dyn Fn() -> Result<(), String>) -> io::Result<Ended> {
        let handover = self.handover()?;
        let config = self.config.clone();
        let (runtime, mut signals) = signals.split();
        let ended = runtime.block_on(async {
            let running = self.start()?;
            let mut wish = loop {
                match signals.next().await {
                    Wish::Stop => break Wish::Stop,
                    Wish::ReopenLogs => running.reopen_logs(),
                    Wish::Restart => match may_restart() {
                        Ok(()) => break Wish::Restart,
                        Err(why) => (config.error_log)(&format!("jumbo: the server goes on as it is: {why}")),
                    },
                }
            };
            running.stop();
            // Executors end within stop_timeout_ms by themselves, unless a script holds one that can be ended by nothing.
            let limit = Duration::from_millis(config.stop_timeout_ms).saturating_add(STUCK_AFTER);
            let mut joined = pin!(tokio::time::timeout(limit, tokio::task::spawn_blocking(|| running.join())));
            let joined = loop {
                tokio::select! {
                    joined = &mut joined => break joined,
                    next = signals.next() => match (wish, next) {
                        (Wish::Stop, Wish::Stop) => std::process::exit(1),
                        (_, Wish::Stop) => wish = Wish::Stop,
                        _ => {}
                    },
                }
            };
            let joined = match joined {
                Ok(joined) => joined.map_err(io::Error::other)?,
                Err(_) => Err(io::Error::other(format!(
                    "a script holds an executor and was not ended within stop_timeout_ms ({} ms): the process ends without it",
                    config.stop_timeout_ms
                ))),
            };
            Ok::<_, io::Error>((wish, joined))
        });
        // What is left on other threads ends with the process.
        runtime.shutdown_background();
        match ended? {
            (Wish::Restart, joined) => {
                if let Err(error) = joined {
                    (config.error_log)(&format!("jumbo: {error}"));
                }
                Ok(Ended::Restart(handover))
            }
            (_, joined) => joined.map(|()| Ended::Stopped),
        }
    }
}

/// Why a server has ended.
pub enum Ended {
    /// It was told to stop.
    Stopped,
    /// It is to begin anew, on these sockets.
    Restart(Handover),
}

/// How much longer than `stop_timeout_ms` executors may take to end.
const STUCK_AFTER: Duration = Duration::from_secs(1);

/// A server that is serving. Dropping it stops it without waiting.
pub struct RunningServer {
    stop: watch::Sender<bool>,
    threads: Vec<JoinHandle<()>>,
    executors: Arc<Executors>,
    config: Arc<ServerConfig>,
    addresses: Vec<ListenAddress>,
    log_file: Option<Arc<LogFile>>,
}

impl RunningServer {
    /// Opens log files anew, whose names may now belong to other files (or none).
    pub fn reopen_logs(&self) {
        if let Some(file) = &self.log_file
            && let Err(error) = file.reopen()
        {
            (self.config.error_log)(&format!("jumbo: the log stays as it was: {error}"));
        }
    }

    pub fn addresses(&self) -> &[ListenAddress] {
        &self.addresses
    }

    /// The first TCP address.
    pub fn local_addr(&self) -> Option<SocketAddr> {
        self.addresses.iter().find_map(|address| match address {
            ListenAddress::Tcp(address) => Some(*address),
            ListenAddress::Unix(_) => None,
        })
    }

    pub fn metrics(&self) -> ServerMetrics {
        self.executors.snapshot(self.config.in_flight_max)
    }

    /// Accepts nothing more, and lets what is in flight finish within `stop_timeout_ms`.
    pub fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Waits until all executors have ended.
    pub fn join(mut self) -> io::Result<()> {
        let mut result = Ok(());
        for thread in std::mem::take(&mut self.threads) {
            if thread.join().is_err() {
                result = Err(io::Error::other("an executor ended with an internal error"));
            }
        }
        result
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn run_guard(guard: Guard, executors: Arc<Executors>, log_file: Option<Arc<LogFile>>, ready: &std::sync::mpsc::Sender<io::Result<()>>) {
    let runtime = Builder::new_current_thread().enable_all().build_local(LocalOptions::default());
    let context = context(&guard.config, executors.clone(), log_file, None, Dispatcher::Queue(executors));
    // A starter that has given up does not listen any more.
    match runtime.and_then(|runtime| Ok((runtime, context?))) {
        Ok((runtime, context)) => {
            let _ = ready.send(Ok(()));
            runtime.block_on(guard.serve(context));
            runtime.shutdown_background();
        }
        Err(error) => drop(ready.send(Err(error))),
    }
}

/// What an executor thread begins with.
struct ExecutorThread {
    id: usize,
    config: Arc<ServerConfig>,
    site: Arc<dyn Site>,
    executors: Arc<Executors>,
    log_file: Option<Arc<LogFile>>,
    stopped: watch::Receiver<bool>,
    ready: std::sync::mpsc::Sender<io::Result<()>>,
}

impl ExecutorThread {
    fn run(self, listeners: Vec<Listener>) {
        let runtime = match Builder::new_current_thread()
            .enable_all()
            .build_local(LocalOptions::default())
        {
            Ok(runtime) => runtime,
            Err(error) => return self.say_ready(Err(error)),
        };
        runtime.block_on(async {
            let runner = ScriptRunner::new(self.id, self.executors.clone(), self.site.new_executor(), self.config.error_log.clone());
            let runner = Rc::new(runner);
            let dispatcher = Dispatcher::Executor(runner.clone());
            match context(&self.config, self.executors.clone(), self.log_file.clone(), Some(self.id), dispatcher) {
                Ok(context) => self.serve(context, runner, listeners).await,
                Err(error) => self.say_ready(Err(error)),
            }
        });
        // Reads on the blocking pool may still run; their results are of no use now.
        runtime.shutdown_background();
    }

    fn say_ready(&self, result: io::Result<()>) {
        // A starter that has given up does not listen any more.
        let _ = self.ready.send(result);
    }

    async fn serve(&self, context: ExecutorContext, runner: Rc<ScriptRunner>, listeners: Vec<Listener>) {
        let context = Rc::new(context);
        let connections = Rc::new(Connections::default());
        let deadlines = Rc::new(Deadlines::of(&self.config));
        let http = Rc::new(http_builder(&self.config));
        tokio::task::spawn_local(runner.clone().serve());
        let mut acceptors = Vec::new();
        for listener in listeners {
            let acceptor = Acceptor {
                context: context.clone(),
                connections: connections.clone(),
                http: http.clone(),
                stopped: self.stopped.clone(),
            };
            match Accepting::of(listener) {
                Ok(listener) => acceptors.push(tokio::task::spawn_local(acceptor.run(listener))),
                Err(error) => return self.say_ready(Err(error)),
            }
        }
        self.say_ready(Ok(()));
        let sweeping = {
            let (connections, deadlines, log) =
                (connections.clone(), deadlines.clone(), context.log.clone());
            let peer = self.executors.peers[self.id].clone();
            tokio::task::spawn_local(async move {
                let mut ticks = tokio::time::interval(deadlines.sweep_interval());
                ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
                loop {
                    tokio::select! {
                        _ = ticks.tick() => {
                            connections.sweep(&deadlines);
                            log.flush();
                        }
                        () = peer.close_idle.notified() => {
                            connections.close_oldest_idle();
                        }
                    }
                }
            })
        };
        let mut stopped = self.stopped.clone();
        // An error means that the server's owner is gone, which is a stop too.
        let _ = stopped.wait_for(|stop| *stop).await;
        for acceptor in acceptors {
            // A panic in an acceptor has been printed; the stop goes on.
            let _ = acceptor.await;
        }
        let end = Instant::now() + Duration::from_millis(self.config.stop_timeout_ms);
        // Accepted connections whose task has not begun yet register themselves first.
        tokio::task::yield_now().await;
        connections.stop();
        while connections.len() > 0 || runner.in_flight() > 0 {
            if Instant::now() >= end {
                (self.config.error_log)(&format!(
                    "stopping with {} connections and {} scripts unfinished",
                    connections.len(),
                    runner.in_flight()
                ));
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        sweeping.abort();
        context.log.flush();
    }
}

/// What the requests of one thread share.
fn context(
    config: &Arc<ServerConfig>,
    executors: Arc<Executors>,
    log_file: Option<Arc<LogFile>>,
    id: Option<usize>,
    dispatcher: Dispatcher,
) -> io::Result<ExecutorContext> {
    let router = Router::new(config)?;
    let router_script = match &config.router_script {
        None => None,
        Some(path) => {
            let absolute = std::path::absolute(path)?;
            let filename = std::os::unix::ffi::OsStrExt::as_bytes(absolute.as_os_str());
            Some(Rc::new(ScriptRoute {
                filename: Bytes::copy_from_slice(filename),
                script_name: Bytes::from_static(b"/"),
                path_info: Bytes::new(),
            }))
        }
    };
    let server = ServerFacts {
        document_root: router.document_root(),
        software: Bytes::copy_from_slice(config.server_software.as_bytes()),
        name: config
            .server_name
            .as_ref()
            .map(|name| Bytes::copy_from_slice(name.as_bytes())),
        user: Bytes::copy_from_slice(config.user.as_bytes()),
        home: Bytes::copy_from_slice(config.home.as_bytes()),
    };
    let log = AccessLog::new(
        log_file,
        config.development,
        config.error_log.clone(),
    );
    Ok(ExecutorContext {
        id,
        dispatcher,
        executors,
        router,
        log: Rc::new(log),
        server: Arc::new(server),
        limits: Arc::new(config.input.clone()),
        router_script,
        server_header: HeaderValue::from_str(&config.server_header)
            .ok()
            .filter(|value| !value.is_empty()),
        config: config.clone(),
    })
}
