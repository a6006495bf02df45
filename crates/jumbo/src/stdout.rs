//! Standard output as a script's sink.
//!
//! Stock PHP writes through. Here output is gathered while nobody can see the difference, and written when the script flushes, ends,
//! is about to read standard input or to use the descriptor itself ([`Sink::sync`]); a terminal sees everything at once.

use jumbo_abi::output::Sink;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes gathered before they are written.
const GATHER_BYTES: usize = 32 << 10;

pub struct Stdout {
    gathered: Vec<u8>,
    /// Nothing is gathered.
    through: bool,
    /// The reader has gone away.
    broken: bool,
}

impl Stdout {
    pub fn new() -> Stdout {
        Stdout { gathered: Vec::new(), through: std::io::stdout().is_terminal(), broken: false }
    }

    fn put(&mut self) {
        if !self.gathered.is_empty() {
            put(&self.gathered, &mut self.broken);
            self.gathered.clear();
        }
    }
}

/// Writes to the descriptor. Rust's own buffer of standard output would hold lines back, so it is emptied at once.
fn put(bytes: &[u8], broken: &mut bool) {
    if *broken {
        return;
    }
    let mut out = std::io::stdout().lock();
    // A reader that has gone away ends output, as connection_aborted() tells.
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        *broken = true;
        FAILED.store(true, Ordering::Relaxed);
    }
}

/// The process has one standard output, and one exit status that tells about it.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Was there something that could not be written?
pub fn has_failed() -> bool {
    FAILED.load(Ordering::Relaxed)
}

/// Writes at once.
pub fn print(bytes: &[u8]) {
    put(bytes, &mut has_failed());
}

impl Sink for Stdout {
    fn write(&mut self, bytes: &[u8]) {
        if self.through || bytes.len() >= GATHER_BYTES {
            self.put();
            return put(bytes, &mut self.broken);
        }
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHER_BYTES {
            self.put();
        }
    }
    fn flush(&mut self) {
        self.put();
    }
    fn sync(&mut self) {
        self.put();
    }
    fn aborted(&self) -> bool {
        self.broken
    }
}

impl Drop for Stdout {
    fn drop(&mut self) {
        self.put();
    }
}
