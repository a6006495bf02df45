//! What signals ask of the server.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

use nix::sys::signal::SigSet;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What an operator wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// SIGTERM, SIGINT, SIGQUIT: finish what is in flight and end.
    Stop,
    /// SIGHUP, SIGUSR2: the same, then begin anew on the same sockets.
    Restart,
    /// SIGUSR1: open the log files anew, which may have been renamed.
    ReopenLogs,
}

/// The signals from now on. To be made before anything that takes time: until then SIGHUP and others end the process.
pub struct Signals {
    runtime: Runtime,
    streams: Vec<(Signal, Wish)>,
}

impl Signals {
    /// `reloads`: also for SIGHUP, SIGUSR1 and SIGUSR2.
    pub fn catch(reloads: bool) -> io::Result<Signals> {
        let stop = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::quit()].map(|kind| (kind, Wish::Stop));
        let reload = [
            (SignalKind::hangup(), Wish::Restart),
            (SignalKind::user_defined2(), Wish::Restart),
            (SignalKind::user_defined1(), Wish::ReopenLogs),
        ];
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let streams = {
            let _guard = runtime.enter();
            let kinds = stop.into_iter().chain(reload.into_iter().filter(|_| reloads));
            kinds.map(|(kind, wish)| Ok((signal(kind)?, wish))).collect::<io::Result<_>>()?
        };
        // The program that was here before may have blocked them for us.
        SigSet::all().thread_unblock()?;
        Ok(Signals { runtime, streams })
    }
}

impl Signals {
    /// The signals apart from the runtime that waits for them.
    pub(crate) fn split(self) -> (Runtime, Streams) {
        (self.runtime, Streams(self.streams))
    }
}

pub(crate) struct Streams(Vec<(Signal, Wish)>);

impl Streams {
    pub(crate) async fn next(&mut self) -> Wish {
        poll_fn(|cx| {
            let ready = self.0.iter_mut().find_map(|(signal, wish)| signal.poll_recv(cx).is_ready().then_some(*wish));
            ready.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}
