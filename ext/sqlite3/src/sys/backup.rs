//! Copies one database into another.

use super::c_string;
use super::database::{Database, Failed};
use jumbo_abi::{Cx, Res};
use libsqlite3_sys as ffi;

/// Pages copied at once; the instance may be preempted between.
const PAGES: i32 = 256;

/// Copies `from` (and its database of that name) over `to`. `Err` with the code: SQLITE_BUSY when one is locked.
pub fn backup(cx: &mut Cx, from: &Database, from_name: &[u8], to: &Database, to_name: &[u8]) -> Res<Result<(), Failed>> {
    let (from_name, to_name) = (c_string(from_name), c_string(to_name));
    let (source, destination) = (from.raw(), to.raw());
    if source.is_null() || destination.is_null() {
        return Ok(Err(Failed { code: ffi::SQLITE_MISUSE, message: Vec::new() }));
    }
    // SAFETY: two open handles and NUL-terminated names.
    let backup = unsafe { ffi::sqlite3_backup_init(destination, to_name.as_ptr(), source, from_name.as_ptr()) };
    if backup.is_null() {
        return Ok(Err(to.failed(to.code())));
    }
    let backup = Copying(backup);
    let code = loop {
        // SAFETY: the copy is under way, and both databases are held by the caller.
        let code = from.enter(cx, || unsafe { ffi::sqlite3_backup_step(backup.0, PAGES) })?;
        if code != ffi::SQLITE_OK {
            break code;
        }
        cx.check()?;
    };
    let finished = backup.finish();
    match code {
        ffi::SQLITE_DONE if finished == ffi::SQLITE_OK => Ok(Ok(())),
        ffi::SQLITE_DONE => Ok(Err(to.failed(finished))),
        code => Ok(Err(Failed { code, message: super::error_text(code) })),
    }
}

/// A copy under way, which ends however its function is left.
struct Copying(*mut ffi::sqlite3_backup);

impl Copying {
    fn finish(mut self) -> i32 {
        self.end()
    }
    fn end(&mut self) -> i32 {
        let backup = std::mem::replace(&mut self.0, std::ptr::null_mut());
        // SAFETY: given up here, once; SQLite takes null as nothing to do.
        unsafe { ffi::sqlite3_backup_finish(backup) }
    }
}

impl Drop for Copying {
    fn drop(&mut self) {
        self.end();
    }
}
