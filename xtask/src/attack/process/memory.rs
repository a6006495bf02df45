//! Scripts that take more memory than the process may have, or than the system has, though `memory_limit` lets them.

use crate::attack::Wrong;
use crate::attack::client;
use crate::attack::server::{Server, Start};
use std::path::Path;

/// The resident memory of the process is bounded: the largest request goes, a smaller one beside it stays.
pub fn memory_max(binary: &Path) -> Result<(), Wrong> {
    let server = Start::new(binary).options(&["--memory-max", "300M", "--executors", "2", "-d", "memory_limit=-1", "-d", "max_execution_time=0"]).start()?;
    must_be_refused(&server, "/site/hog.php")?;
    must_be_refused(&server, "/site/hog.php?of=natives")?;
    server.must_log(b"more than memory_max (300 MiB): the request with the most of it")?;
    server.must_be_sound()
}

/// The system has no more memory: chunks of heaps and blocks of the allocator are refused.
pub fn refused_by_the_system(binary: &Path) -> Result<(), Wrong> {
    let options = ["--memory-max", "0", "--executors", "2", "-d", "memory_limit=-1", "-d", "max_execution_time=0"];
    let server = Start::new(binary).before("ulimit -v 2400000").options(&options).start()?;
    must_be_refused(&server, "/site/hog.php")?;
    server.must_log(b"Out of memory (allocated")?;
    server.must_be_sound()?;
    must_be_refused(&server, "/site/hog.php?of=natives")?;
    server.must_be_sound()
}

fn must_be_refused(server: &Server, target: &str) -> Result<(), Wrong> {
    let answer = client::request(server.address, "GET", target)?;
    match answer.status {
        500 => Ok(()),
        _ => Err(format!("{target} takes memory for ever\n{}", answer.shown())),
    }
}
