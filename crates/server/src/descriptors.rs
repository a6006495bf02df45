//! How many descriptors the process may have, and who gets which share of them.
//!
//! Clients decide how many connections there are, so they must not be able to take the descriptors that scripts need for files and
//! sockets: a share of the limit is kept from connections. When descriptors run short all the same, connections on
//! which nothing happens are closed, the oldest first, before a new one is refused.

use std::io;
use std::sync::OnceLock;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// More are of no use, and cost the programs that go through all possible descriptors.
const RAISED_MAX: u64 = 1 << 20;
/// The most connections unless the settings say otherwise.
const CONNECTIONS_DEFAULT: u64 = 20_000;
/// What the server itself has open beside connections, for each executor and in all.
const OWN_FOR_EACH: u64 = 8;
const OWN: u64 = 32;

/// The soft limit that [`raise_limit`] has changed.
static BEFORE: OnceLock<u64> = OnceLock::new();

/// Raises the soft limit of descriptors to the hard one. What it was before, if it has changed.
pub fn raise_limit() -> io::Result<Option<u64>> {
    let Rlimit { current: Some(before), maximum } = getrlimit(Resource::Nofile) else { return Ok(None) };
    let raised = maximum.unwrap_or(RAISED_MAX).min(RAISED_MAX);
    if raised <= before {
        return Ok(None);
    }
    setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum })?;
    // The first call counts: a second one finds nothing to raise.
    let _ = BEFORE.set(before);
    Ok(Some(before))
}

/// Undoes [`raise_limit`], for the program that follows in this process: it raises the limit itself, and must know what it was.
pub(crate) fn restore_limit() -> io::Result<()> {
    match BEFORE.get() {
        Some(&before) => Ok(setrlimit(Resource::Nofile, Rlimit { current: Some(before), ..getrlimit(Resource::Nofile) })?),
        None => Ok(()),
    }
}

/// The shares of the descriptors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptors {
    pub connections_max: usize,
    /// A connection whose descriptor has this number or a higher one shows that few are left: the system gives the lowest free one.
    pub short_from: u64,
}

impl Descriptors {
    /// By the limit of the process; `configured` wins over what is derived.
    pub(crate) fn of_process(configured: Option<usize>, executors: usize) -> Descriptors {
        Descriptors::of(getrlimit(Resource::Nofile).current.unwrap_or(RAISED_MAX), configured, executors)
    }

    fn of(limit: u64, configured: Option<usize>, executors: usize) -> Descriptors {
        let own = OWN + OWN_FOR_EACH * executors as u64;
        let scripts = (limit / 4).clamp(16, 16 << 10);
        let derived = limit.saturating_sub(own + scripts).clamp(8, CONNECTIONS_DEFAULT) as usize;
        Descriptors { connections_max: configured.unwrap_or(derived), short_from: limit.saturating_sub(scripts / 2) }
    }
}

#[cfg(test)]
mod tests {
    use super::Descriptors;

    #[test]
    fn shares() {
        let of = |limit| Descriptors::of(limit, None, 2).connections_max;
        assert_eq!(of(1024), 1024 - 256 - 48);
        assert_eq!(of(1 << 20), 20_000);
        assert_eq!(of(32), 8);
        let configured = Descriptors::of(1024, Some(5000), 2);
        assert_eq!((configured.connections_max, configured.short_from), (5000, 1024 - 128));
    }
}
