//! Many connections and few descriptors.

use crate::attack::Wrong;
use crate::attack::client::{self, Client};
use crate::attack::server::{Server, Start};
use std::path::Path;

fn open_idle(server: &Server, count: usize) -> Result<Vec<Client>, Wrong> {
    (0..count).map(|_| Client::connect(server.address)).collect()
}

/// More idle sockets than there are descriptors: requests are answered, scripts can open files, and once the idle ones have gone everything
/// is as before.
pub fn idle_connections(binary: &Path) -> Result<(), Wrong> {
    let server = Start::new(binary).before("ulimit -n 256").start()?;
    let idle = open_idle(&server, 400)?;
    for _ in 0..20 {
        client::get(server.address, "/site/alive.txt")?;
        client::get(server.address, "/site/files.php?n=40")?;
    }
    drop(idle);
    server.must_be_sound()
}

/// The soft limit is raised to the hard one: connections stay open that the soft limit had no room for. Programs that scripts start
/// have the soft limit that the server was given.
pub fn soft_limit(binary: &Path) -> Result<(), Wrong> {
    let server = Start::new(binary).before("ulimit -Sn 100").start()?;
    let mut idle = open_idle(&server, 300)?;
    let seen = client::get(server.address, "/site/ulimit.php")?;
    if seen.trim() != "100" {
        return Err(format!("a program that a script starts has a soft limit of {} and not 100", seen.trim()));
    }
    // The oldest one would have been closed first.
    idle[0].send(b"GET /site/alive.txt HTTP/1.1\r\nHost: attack.test\r\n\r\n").map_err(|e| e.to_string())?;
    match idle[0].answer(false)?.status {
        200 => server.must_be_sound(),
        status => Err(format!("status {status}")),
    }
}
