//! The server's life: listening, executor threads, graceful stop.

use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener as StdUnixListener;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::HeaderValue;
use hyper::server::conn::http1;
use socket2::{Domain, Protocol, Socket, Type};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, UnixListener};
use tokio::runtime::{Builder, LocalOptions};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::access_log::{AccessLog, LogFile};
use crate::config::{ListenAddress, ServerConfig};
use crate::connection::{self, Connections, Deadlines, Stream};
use crate::engine_api::Site;
use crate::handover::{Handover, InheritedSocket};
use crate::executor::{Executors, ServerMetrics};
use crate::head::HeadLimits;
use crate::memory;
use crate::request::{ConnectionFacts, ServerFacts};
use crate::routing::{Router, ScriptRoute};
use crate::runner::ScriptRunner;
use crate::service::{ExecutorContext, Requests};
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

enum Listener {
    Tcp(std::net::TcpListener),
    Unix(StdUnixListener, Arc<UnixPath>),
}

impl Listener {
    fn try_clone(&self) -> io::Result<Listener> {
        Ok(match self {
            Listener::Tcp(listener) => Listener::Tcp(listener.try_clone()?),
            Listener::Unix(listener, path) => Listener::Unix(listener.try_clone()?, path.clone()),
        })
    }
}

/// The file of a unix socket, removed when the last listener is gone.
struct UnixPath(PathBuf);

impl Drop for UnixPath {
    fn drop(&mut self) {
        // It may have been replaced or removed by hand, which is as well.
        let _ = std::fs::remove_file(&self.0);
    }
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
        drop(ready);
        let server = RunningServer {
            stop,
            threads,
            executors,
            config,
            addresses,
            log_file,
        };
        for _ in 0..server.threads.len() {
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

/// Sockets of the program that was here before.
struct Inherited(Vec<InheritedSocket>);

impl Inherited {
    /// The one that listens on this address; with port 0, on any port of it.
    fn tcp(&mut self, address: SocketAddr) -> Option<std::net::TcpListener> {
        let is_this = |socket: &InheritedSocket| match socket {
            InheritedSocket::Tcp(listener) => listener
                .local_addr()
                .is_ok_and(|actual| actual == address || (address.port() == 0 && actual.ip() == address.ip())),
            InheritedSocket::Unix(_) => false,
        };
        let at = self.0.iter().position(is_this)?;
        match self.0.remove(at) {
            InheritedSocket::Tcp(listener) => Some(listener),
            InheritedSocket::Unix(_) => None,
        }
    }

    fn unix(&mut self, path: &Path) -> Option<StdUnixListener> {
        let is_this = |socket: &InheritedSocket| match socket {
            InheritedSocket::Unix(listener) => listener.local_addr().is_ok_and(|actual| actual.as_pathname() == Some(path)),
            InheritedSocket::Tcp(_) => false,
        };
        let at = self.0.iter().position(is_this)?;
        match self.0.remove(at) {
            InheritedSocket::Unix(listener) => Some(listener),
            InheritedSocket::Tcp(_) => None,
        }
    }
}

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

fn listen_tcp(address: SocketAddr, config: &ServerConfig) -> io::Result<std::net::TcpListener> {
    let socket = Socket::new(
        Domain::for_address(address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    socket.set_reuse_address(true)?;
    if config.reuse_port {
        socket.set_reuse_port(true)?;
    }
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(backlog(config.backlog))?;
    Ok(socket.into())
}

/// A socket file that nobody listens on any more is replaced; anything else there is left alone.
fn listen_unix(path: &Path, queue: u32) -> io::Result<StdUnixListener> {
    if let Ok(metadata) = std::fs::symlink_metadata(path)
        && metadata.file_type().is_socket()
        && std::os::unix::net::UnixStream::connect(path).is_err()
    {
        std::fs::remove_file(path)?;
    }
    let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    socket.set_nonblocking(true)?;
    socket.bind(&socket2::SockAddr::unix(path)?)?;
    socket.listen(backlog(queue))?;
    Ok(socket.into())
}

fn backlog(queue: u32) -> i32 {
    i32::try_from(queue).unwrap_or(i32::MAX)
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
            match self.context() {
                Ok(context) => self.serve(context, listeners).await,
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

    fn context(&self) -> io::Result<ExecutorContext> {
        let config = &self.config;
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
            self.log_file.clone(),
            config.development,
            config.error_log.clone(),
        );
        let executor = self.site.new_executor();
        Ok(ExecutorContext {
            id: self.id,
            runner: Rc::new(ScriptRunner::new(
                self.id,
                self.executors.clone(),
                executor,
                config.error_log.clone(),
            )),
            executors: self.executors.clone(),
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

    async fn serve(&self, context: ExecutorContext, listeners: Vec<Listener>) {
        let context = Rc::new(context);
        let connections = Rc::new(Connections::default());
        let deadlines = Rc::new(Deadlines::of(&self.config));
        let http = Rc::new(http_builder(&self.config));
        tokio::task::spawn_local(context.runner.clone().serve());
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
        while connections.len() > 0 || context.runner.in_flight() > 0 {
            if Instant::now() >= end {
                (self.config.error_log)(&format!(
                    "stopping with {} connections and {} scripts unfinished",
                    connections.len(),
                    context.runner.in_flight()
                ));
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        sweeping.abort();
        context.log.flush();
    }
}

fn http_builder(config: &ServerConfig) -> http1::Builder {
    let mut http = http1::Builder::new();
    // Deadlines are the sweep's, hence no timer here. Of heads, their limits have been looked at; bytes of targets may have become three.
    let head_bytes_max = config.head_bytes_max.saturating_mul(3).saturating_add(1 << 10);
    http.header_read_timeout(None)
        .max_header_size(head_bytes_max)
        .max_buf_size(head_bytes_max.max(64 << 10))
        .keep_alive(config.keep_alive_timeout_ms > 0)
        .title_case_headers(true)
        .half_close(false);
    if config.header_fields_max != 100 {
        // hyper keeps its default of 100 on the stack, and any other number on the heap.
        http.max_headers(config.header_fields_max);
    }
    http
}

enum Accepting {
    Tcp(TcpListener),
    Unix(UnixListener, Arc<UnixPath>),
}

impl Accepting {
    fn of(listener: Listener) -> io::Result<Accepting> {
        Ok(match listener {
            Listener::Tcp(listener) => Accepting::Tcp(TcpListener::from_std(listener)?),
            Listener::Unix(listener, path) => {
                Accepting::Unix(UnixListener::from_std(listener)?, path)
            }
        })
    }

    async fn accept(&self) -> io::Result<(Stream, ConnectionFacts, String)> {
        match self {
            Accepting::Tcp(listener) => {
                let (stream, remote) = listener.accept().await?;
                stream.set_nodelay(true)?;
                let local = stream.local_addr()?;
                let text = |ip: std::net::IpAddr| Bytes::from(ip.to_canonical().to_string());
                let facts = ConnectionFacts {
                    remote_addr: text(remote.ip()),
                    remote_port: remote.port().to_string().into(),
                    server_addr: text(local.ip()),
                    server_port: local.port().to_string().into(),
                    scheme: "http",
                };
                let peer = format!("{}:{}", remote.ip().to_canonical(), remote.port());
                Ok((Stream::Tcp(stream), facts, peer))
            }
            Accepting::Unix(listener, path) => {
                let (stream, _) = listener.accept().await?;
                let facts = ConnectionFacts {
                    remote_addr: Bytes::from_static(b"unix:"),
                    server_addr: Bytes::from(format!("unix:{}", path.0.display())),
                    scheme: "http",
                    ..ConnectionFacts::default()
                };
                Ok((Stream::Unix(stream), facts, "unix:".to_owned()))
            }
        }
    }
}

/// How long to wait, when there are too few descriptors, before looking again whether others have been closed.
const SHORTAGE_WAIT: Duration = Duration::from_millis(10);
/// How often a connection looks whether there is room for it.
const ROOM_LOOKS: u32 = 10;
/// The log says this often that there are too few.
const COMPLAIN_EVERY: Duration = Duration::from_secs(1);

/// Accepts connections from one socket for one executor.
struct Acceptor {
    context: Rc<ExecutorContext>,
    connections: Rc<Connections>,
    http: Rc<http1::Builder>,
    stopped: watch::Receiver<bool>,
}

impl Acceptor {
    async fn run(mut self, listener: Accepting) {
        let mut complained = None;
        loop {
            let accepted = tokio::select! {
                biased;
                _ = self.stopped.wait_for(|stop| *stop) => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, facts, peer)) => {
                    self.begin(stream, facts, &peer);
                    // With a shared socket an idle executor takes the next one, while this one serves.
                    tokio::task::yield_now().await;
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    // Out of descriptors or memory: accepting again at once would spin.
                    self.make_room();
                    if complained.is_none_or(|at: Instant| at.elapsed() > COMPLAIN_EVERY) {
                        complained = Some(Instant::now());
                        (self.context.config.error_log)(&format!(
                            "cannot accept connections: {error}; idle ones are closed, and more descriptors help (ulimit -n)"
                        ));
                    }
                    tokio::time::sleep(SHORTAGE_WAIT).await;
                }
            }
        }
    }

    /// Closes idle connections, here or, if there are none, where the other executors have some. False: none here.
    fn make_room(&self) -> bool {
        let found = self.connections.close_oldest_idle();
        if !found {
            self.context.executors.close_idle_of_others(self.context.id);
        }
        found
    }

    fn begin(&self, stream: Stream, facts: ConnectionFacts, peer: &str) {
        let place = ConnectionPlace::take(&self.context.executors);
        let is_full = !self.context.executors.has_room_for_connections();
        let found_room = if is_full || stream.number() >= self.context.executors.descriptors.short_from {
            self.make_room()
        } else {
            true
        };
        self.context.log.connection(peer, "Accepted");
        let registration = self.connections.add();
        let requests = Requests::new(
            self.context.clone(),
            registration.state.clone(),
            Arc::new(facts),
            Rc::from(peer),
        );
        let (http, log, peer) = (self.http.clone(), self.context.log.clone(), peer.to_owned());
        let executors = self.context.executors.clone();
        let limits = HeadLimits { bytes_max: self.context.config.head_bytes_max, fields_max: self.context.config.header_fields_max };
        tokio::task::spawn_local(async move {
            let _place = place;
            if is_full && !found_room && !wait_for_room(&executors).await {
                return turn_away(stream).await;
            }
            connection::serve(&http, stream, registration.state.clone(), limits, requests).await;
            log.connection(&peer, "Closing");
            drop(registration);
        });
    }
}

/// Counts a connection among all of the server.
struct ConnectionPlace(Arc<Executors>);

impl ConnectionPlace {
    fn take(executors: &Arc<Executors>) -> ConnectionPlace {
        executors.connections.fetch_add(1, Ordering::Relaxed);
        ConnectionPlace(executors.clone())
    }
}

impl Drop for ConnectionPlace {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionRefused
    )
}

/// Other executors have been asked to close idle connections. False: they had none to close.
async fn wait_for_room(executors: &Executors) -> bool {
    for _ in 0..ROOM_LOOKS {
        tokio::time::sleep(SHORTAGE_WAIT).await;
        if executors.has_room_for_connections() {
            return true;
        }
    }
    false
}

/// Tells a client that there are too many of them.
async fn turn_away(stream: Stream) {
    const ANSWER: &[u8] =
        b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    // One that cannot take this much at once learns it from the closed connection.
    let _ = tokio::time::timeout(Duration::from_secs(1), async {
        match stream {
            Stream::Tcp(mut stream) => {
                stream.write_all(ANSWER).await?;
                stream.shutdown().await
            }
            Stream::Unix(mut stream) => {
                stream.write_all(ANSWER).await?;
                stream.shutdown().await
            }
        }
    })
    .await;
}
