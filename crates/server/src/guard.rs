//! The guard: a thread that no script can hold.
//!
//! Executors serve their connections between the turns of their scripts, and a builtin that gives up the core to nobody (a library's
//! computation, a file system that does not answer) holds all of that. When every executor that would accept a connection is late, the guard
//! accepts it and serves it on an event loop of its own: static files and the health check at once, scripts through the queue of
//! [`executor`](crate::executor), which other executors take from, or those that the guard starts for it
//! ([`relief`](crate::relief)). While executors are in time it looks a few times a second, and touches
//! no socket.

use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::accept::{Accepted, Acceptor, http_builder};
use crate::config::ServerConfig;
use crate::connection::{Connections, Deadlines};
use crate::executor::Executors;
use crate::listeners::Listener;
use crate::relief::Relief;
use crate::service::ExecutorContext;

/// How often the guard looks while a script has its turn, while there are requests, and while there are none.
const PACES: [Duration; 3] = [Duration::from_millis(5), Duration::from_millis(20), Duration::from_millis(100)];
/// A turn this long is worth a line of the log.
const HELD: Duration = Duration::from_secs(5);

pub(crate) struct Guard {
    pub config: Arc<ServerConfig>,
    pub executors: Arc<Executors>,
    pub stopped: watch::Receiver<bool>,
    /// For each executor; one for all of them if they share their sockets.
    pub listeners: Vec<Vec<Listener>>,
    pub relief: Relief,
}

impl Guard {
    /// Serves until the server stops.
    pub(crate) async fn serve(mut self, context: ExecutorContext) {
        let acceptor = Acceptor {
            context: Rc::new(context),
            connections: Rc::new(Connections::default()),
            http: Rc::new(http_builder(&self.config)),
            stopped: self.stopped.clone(),
        };
        let deadlines = Deadlines::of(&self.config);
        let mut swept = Instant::now();
        let mut requests = 0;
        let mut told = vec![None; self.executors.peers.len()];
        let mut pace = PACES[1];
        loop {
            tokio::select! {
                biased;
                // An error means that the server's owner is gone, which is a stop too.
                _ = self.stopped.wait_for(|stop| *stop) => break,
                () = tokio::time::sleep(pace) => {}
            }
            self.accept_for_the_late(&acceptor);
            self.relief.look();
            self.tell_held(&mut told);
            let seen = std::mem::replace(&mut requests, self.executors.requests());
            pace = match () {
                () if self.executors.peers.iter().any(|peer| peer.turn_length().is_some()) => PACES[0],
                () if seen != requests => PACES[1],
                () => PACES[2],
            };
            if swept.elapsed() >= deadlines.sweep_interval() {
                swept = Instant::now();
                acceptor.connections.sweep(&deadlines);
                acceptor.context.log.flush();
            }
        }
        let end = Instant::now() + Duration::from_millis(self.config.stop_timeout_ms);
        acceptor.connections.stop();
        while acceptor.connections.len() > 0 && Instant::now() < end {
            tokio::time::sleep(Duration::from_millis(5)).await;
            acceptor.connections.sweep(&deadlines);
        }
        acceptor.context.log.flush();
        self.relief.join();
    }

    fn accept_for_the_late(&self, acceptor: &Acceptor) {
        let (peers, _) = self.executors.split();
        let is_late = |id: usize| peers[id].late_for().is_some();
        let share = self.listeners.len() == 1;
        for (id, listeners) in self.listeners.iter().enumerate() {
            if if share { (0..peers.len()).all(is_late) } else { is_late(id) } {
                listeners.iter().for_each(|listener| acceptor.take_waiting(listener));
            }
        }
    }

    /// Says which script holds an executor, once for each turn.
    fn tell_held(&self, told: &mut [Option<Instant>]) {
        for (id, peer) in self.executors.peers.iter().enumerate() {
            let Some((began, script)) = peer.turn_since(HELD) else { continue };
            if told[id].replace(began) != Some(began) {
                (self.config.error_log)(&format!(
                    "jumbo: {} has held executor {id} for more than {} s, in something that gives up the core to nobody",
                    String::from_utf8_lossy(&script),
                    HELD.as_secs()
                ));
            }
        }
    }
}

impl Acceptor {
    /// Takes all connections that wait in a socket.
    fn take_waiting(&self, listener: &Listener) {
        loop {
            match Accepted::waiting(listener) {
                Ok(Some(accepted)) => self.begin(accepted),
                Ok(None) => return,
                // Out of descriptors: the guard comes again.
                Err(_) => {
                    self.make_room();
                    return;
                }
            }
        }
    }
}
