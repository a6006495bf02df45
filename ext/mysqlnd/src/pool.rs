//! Persistent connections: those that nobody uses now, by what they were opened with.
//!
//! All threads of the process share them; each is leased to one instance at a time. A connection comes back without anything of the instance that
//! used it (rows that were not read are skipped by the next one). It is looked at before it is used again, and the borrower resets it, which the
//! server must answer.

use crate::charset::Charset;
use crate::connection::{Connection, Outcome, State};
use crate::options::SignInAs;
use crate::queue::{Place, Server};
use crate::stats::Statistics;
use crate::transport::Transport;
use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// What is kept for one key at most: servers close what is idle for too long anyway.
const IDLE_MAX: usize = 64;

static IDLE: LazyLock<Mutex<HashMap<Vec<u8>, Vec<Parked>>>> = LazyLock::new(Mutex::default);

fn idle() -> MutexGuard<'static, HashMap<Vec<u8>, Vec<Parked>>> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection that is open still, if there is one.
pub fn take(key: &[u8], statistics: Statistics) -> Option<Connection> {
    loop {
        // What is dropped here is closed when the lock is open again.
        let parked = idle().get_mut(key)?.pop()?;
        if !parked.is_stale() {
            return Some(parked.leased(statistics));
        }
    }
}

/// Gives a connection back, when it can be used again; otherwise it is closed.
pub fn give_back(key: &[u8], mut connection: Connection) {
    connection.forget_instance();
    if !connection.is_reusable() || connection.is_stale() {
        return;
    }
    let Some(parked) = connection.parked() else { return };
    let server = parked.server().cloned();
    let mut all = idle();
    let list = all.entry(key.to_vec()).or_default();
    let too_many = if list.len() < IDLE_MAX {
        list.push(parked);
        None
    } else {
        Some(parked)
    };
    drop(all);
    drop(too_many);
    if let Some(server) = server {
        server.has_room();
    }
}

/// Closes an idle connection to this server, if there is one: somebody else needs its place.
pub fn make_room(server: &Server) {
    let mut found = None;
    for list in idle().values_mut() {
        let at = list.iter().position(|parked| parked.server().is_some_and(|s| std::ptr::eq(Arc::as_ptr(s), server)));
        if let Some(at) = at {
            found = Some(list.swap_remove(at));
            break;
        }
    }
    drop(found);
}

/// How many connections wait here.
pub fn idle_count() -> usize {
    idle().values().map(Vec::len).sum()
}

/// A connection that nobody uses: what can cross threads.
struct Parked {
    transport: Transport,
    state: State,
    outcome: Outcome,
    capabilities: u32,
    server_capabilities: u32,
    charset: &'static Charset,
    server_version: Vec<u8>,
    host_info: Vec<u8>,
    protocol: u8,
    thread: u32,
    scramble: Vec<u8>,
    auth_method: Vec<u8>,
    sign_in_as: SignInAs,
    pending_is_binary: bool,
    stream: u64,
    abandoned: bool,
    abandoned_all: bool,
    closing: Vec<u32>,
    multi_statements: bool,
}

impl Connection {
    /// Everything of it that outlives an instance. `None`: it is not open.
    fn parked(mut self) -> Option<Parked> {
        let transport = self.transport.take()?;
        Some(Parked {
            transport,
            state: self.state,
            outcome: self.outcome,
            capabilities: self.capabilities,
            server_capabilities: self.server_capabilities,
            charset: self.charset,
            server_version: mem::take(&mut self.server_version),
            host_info: mem::take(&mut self.host_info),
            protocol: self.protocol,
            thread: self.thread,
            scramble: mem::take(&mut self.scramble),
            auth_method: mem::take(&mut self.auth_method),
            sign_in_as: mem::take(&mut self.sign_in_as),
            pending_is_binary: self.pending_is_binary,
            stream: self.stream,
            abandoned: self.abandoned,
            abandoned_all: self.abandoned_all,
            closing: mem::take(&mut self.closing),
            multi_statements: self.multi_statements,
        })
    }
}

impl Parked {
    /// For an instance, which counts what it does.
    fn leased(self, statistics: Statistics) -> Connection {
        let mut connection = Connection::new(statistics);
        connection.transport = Some(self.transport);
        connection.state = self.state;
        connection.outcome = self.outcome;
        connection.capabilities = self.capabilities;
        connection.server_capabilities = self.server_capabilities;
        connection.charset = self.charset;
        connection.server_version = self.server_version;
        connection.host_info = self.host_info;
        connection.protocol = self.protocol;
        connection.thread = self.thread;
        connection.scramble = self.scramble;
        connection.auth_method = self.auth_method;
        connection.sign_in_as = self.sign_in_as;
        connection.pending_is_binary = self.pending_is_binary;
        connection.stream = self.stream;
        connection.abandoned = self.abandoned;
        connection.abandoned_all = self.abandoned_all;
        connection.closing = self.closing;
        connection.multi_statements = self.multi_statements;
        connection
    }
    /// The server has closed it meanwhile.
    fn is_stale(&self) -> bool {
        !self.abandoned_all && self.transport.is_stale()
    }
    fn server(&self) -> Option<&Arc<Server>> {
        self.transport.place.as_ref().map(Place::server)
    }
}
