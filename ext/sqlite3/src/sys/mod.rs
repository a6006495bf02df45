//! SQLite, called safely: databases, statements, functions written in PHP, large objects, copies of databases.
//!
//! # Decisions
//! - A statement runs in place, on the instance's own stack: SQLite's work is short, and its files are local: on
//!   a network or FUSE file system none is opened where other scripts would wait with it, unless the server's owner wants it.
//! - A connection belongs to one instance, which stays on one thread: no mutex is asked for.
//! - SQLite calls back into PHP from within C frames. That runs on the instance's coroutine, whose stack is its own, so that such PHP code may
//!   wait and be preempted like any other: the C frames just stay where they are. What must not happen is unwinding through them:
//!   every trampoline catches panics (the end of a cancelled instance, of one that is out of memory) and exceptions, records them in
//!   the database, and tells SQLite to stop; [`Database::enter`] rethrows outside. Fibers may not be switched meanwhile
//!   ([`Cx::foreign_frames`]), because SQLite expects its calls to end in reverse order.
//! - A locked database is waited for in the busy handler, as long as the busy timeout says: the instance is suspended until a connection
//!   of its thread lets go of its locks, or a timer of the executor says to ask again. Other instances of the thread go on, among them
//!   the one that holds the lock. SQLite itself decides when waiting makes sense (it does not
//!   ask when two would wait for each other).
//! - Relative names are relative to the instance's working directory: our VFS is SQLite's own with another `xFullPathname`.
//!
//! # Invariants
//! - Handles are freed when their last user goes: statements hold their database. A handle that is freed while SQLite works on the
//!   database (from a callback) is kept until it does not.
//! - Text and blobs are copied in both directions.

mod backup;
mod blob;
mod callbacks;
mod database;
mod memory;
mod queue;
mod statement;
mod vfs;

pub use backup::backup;
pub use blob::{Blob, BlobStream};
pub use callbacks::{Authorize, FinishRows, PhpCallable, WrongOrder};
pub use database::{Database, Failed};
pub use statement::{Column, Statement};
pub use vfs::set_opens_far;

pub use libsqlite3_sys::{
    SQLITE_ABORT, SQLITE_AUTH, SQLITE_BLOB, SQLITE_BUSY, SQLITE_CONSTRAINT, SQLITE_DENY, SQLITE_DONE, SQLITE_ERROR, SQLITE_FLOAT, SQLITE_IGNORE,
    SQLITE_INTEGER, SQLITE_INTERRUPT, SQLITE_LIMIT_ATTACHED, SQLITE_LOCKED, SQLITE_MISUSE, SQLITE_NOTFOUND, SQLITE_NULL, SQLITE_OK,
    SQLITE_OPEN_CREATE, SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE, SQLITE_OPEN_URI, SQLITE_RANGE, SQLITE_ROW, SQLITE_SCHEMA, SQLITE_TEXT,
    SQLITE_TOOBIG,
};

/// What SQLite calls an error.
pub fn error_text(code: i32) -> Vec<u8> {
    // SAFETY: gives a static text for any number.
    unsafe { text(libsqlite3_sys::sqlite3_errstr(code)) }
}

pub fn version() -> (Vec<u8>, i64) {
    // SAFETY: a static text and a number.
    unsafe { (text(libsqlite3_sys::sqlite3_libversion()), i64::from(libsqlite3_sys::sqlite3_libversion_number())) }
}

/// A copy of a C string; empty for null.
///
/// # Safety
/// `from` is null or ends with NUL.
unsafe fn text(from: *const std::ffi::c_char) -> Vec<u8> {
    // SAFETY: by contract.
    unsafe { optional_text(from) }.unwrap_or_default()
}

/// # Safety
/// As [`text`].
unsafe fn optional_text(from: *const std::ffi::c_char) -> Option<Vec<u8>> {
    if from.is_null() {
        return None;
    }
    // SAFETY: by contract.
    Some(unsafe { std::ffi::CStr::from_ptr(from) }.to_bytes().to_vec())
}

/// A copy of `len` bytes; empty for null.
///
/// # Safety
/// `from` is null or points at `len` bytes.
unsafe fn bytes<'a>(from: *const u8, len: std::ffi::c_int) -> &'a [u8] {
    match usize::try_from(len) {
        // SAFETY: by contract.
        Ok(len) if !from.is_null() && len > 0 => unsafe { std::slice::from_raw_parts(from, len) },
        _ => &[],
    }
}

/// Bytes as C wants them, up to the first NUL.
fn c_string(bytes: &[u8]) -> std::ffi::CString {
    std::ffi::CString::new(jumbo_value::string::up_to_nul(bytes)).unwrap_or_default()
}
