//! The queue of those whom a server has refused because it has too many connections.
//!
//! A server takes so many connections and no more (`max_connections`), and an application server has more requests in flight than others have
//! workers. A request that is refused for this reason waits its turn, first come first served over all threads of the process, until another one has
//! given its connection back; nothing must be configured, the server's own refusal says what the limit is. Idle persistent
//! connections make room. Who has waited as long as connecting may take gets PHP's error (1040). So does at once who
//! would wait for nobody: when this process has no connection to that server, and on the command line, where the only instance would wait for itself.
//!
//! # Hazard
//! A request that holds connections while it waits for one more may wait for others that do the same. The time limit ends that.

use crate::connection::Connection;
use crate::pool;
use crate::sign_in::connect_time_max;
use crate::transport::Target;
use crate::options::SignInAs;
use jumbo_abi::{Cx, Res};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

/// The server's own words: "Too many connections", "User … has already more than 'max_user_connections' active connections".
const TOO_MANY: [u32; 2] = [1040, 1203];

/// A server counts a connection for a moment after it was closed, and others than this process use it: it is asked again this often.
const ASK_AGAIN: Duration = Duration::from_millis(25);

/// One server, as this process knows it.
#[derive(Default)]
pub struct Server {
    /// Connections that are open.
    open: AtomicUsize,
    /// Who holds it is the one who asks the server. Others stand in line, in the order in which they came.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// How many hold the turn or wait for it.
    waiting: AtomicUsize,
    /// A connection was closed, or is idle now.
    freed: Notify,
}

/// One server for each address. There are as many as a program's configuration names.
static SERVERS: LazyLock<Mutex<HashMap<Vec<u8>, Arc<Server>>>> = LazyLock::new(Mutex::default);

/// The server at an address.
pub fn server(address: &[u8]) -> Arc<Server> {
    let mut servers = SERVERS.lock().unwrap_or_else(PoisonError::into_inner);
    servers.entry(address.to_vec()).or_default().clone()
}

impl Server {
    /// A connection to it is free to be used, or its place is.
    pub fn has_room(&self) {
        self.freed.notify_one();
    }
    pub fn is_awaited(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }
}

/// The place that an open connection takes at its server.
pub struct Place(Arc<Server>);

impl Place {
    pub fn at(server: Arc<Server>) -> Place {
        server.open.fetch_add(1, Ordering::Relaxed);
        Place(server)
    }
    pub fn server(&self) -> &Arc<Server> {
        &self.0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
        self.0.has_room();
    }
}

/// Somebody who waits, or whose turn it is. Also when its instance is cancelled the next one follows.
struct InLine<'s>(&'s Server);

impl<'s> InLine<'s> {
    fn new(server: &'s Server) -> InLine<'s> {
        server.waiting.fetch_add(1, Ordering::Relaxed);
        InLine(server)
    }
}

impl Drop for InLine<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Connection {
    /// Connects and signs in; then the commands that the options name are run. While the server has too many connections, waits in the queue.
    pub fn connect(&mut self, cx: &mut Cx, target: &Target, who: SignInAs) -> Res<bool> {
        let address = target.address();
        let server = server(&address);
        // The command line has one instance: it would wait for itself. Without a timer nobody can wait.
        let may_wait = cx.timer.is_some() && jumbo_abi::request::SAPI.get().is_some_and(|s| *s != "cli");
        let deadline = connect_time_max(cx, &self.options).map(|limit| Instant::now() + limit);
        let Some(deadline) = deadline.filter(|_| may_wait) else {
            return self.connect_once(cx, target, &server, who);
        };
        if !server.is_awaited() {
            if self.connect_once(cx, target, &server, who.clone())? {
                return Ok(true);
            }
            if !self.is_refused_for_now(&server) {
                return Ok(false);
            }
        }
        let _in_line = InLine::new(&server);
        let Ok(_turn) = cx.wait(timeout_at(deadline, server.turn.clone().lock_owned())) else {
            // The answer of the server is what the program is told.
            return self.connect_once(cx, target, &server, who);
        };
        loop {
            pool::make_room(&server);
            if self.connect_once(cx, target, &server, who.clone())? {
                return Ok(true);
            }
            if !self.is_refused_for_now(&server) || Instant::now() >= deadline {
                return Ok(false);
            }
            let until = deadline.min(Instant::now() + ASK_AGAIN);
            // Whether there was word of it or not, the server is asked.
            let _ = cx.wait(timeout_at(until, server.freed.notified()));
        }
    }

    fn is_refused_for_now(&self, server: &Server) -> bool {
        TOO_MANY.contains(&self.error.code) && server.open.load(Ordering::Relaxed) > 0
    }
}
