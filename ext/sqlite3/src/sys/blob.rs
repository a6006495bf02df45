//! A large object that is read and written piece by piece, and the stream over it.

use super::database::{Database, Failed};
use super::c_string;
use jumbo_abi::stream::{Failure, FileStat, Read, Stream, Tried, Whence};
use jumbo_abi::{Cx, Res};
use libsqlite3_sys as ffi;
use std::any::Any;
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;
use std::rc::Rc;

pub struct Blob {
    database: Rc<Database>,
    handle: *mut ffi::sqlite3_blob,
    len: usize,
}

impl Blob {
    pub fn open(cx: &mut Cx, database: &Rc<Database>, place: [&[u8]; 3], rowid: i64, write: bool) -> Res<Result<Blob, Failed>> {
        let [name, table, column] = place.map(c_string);
        let db = database.raw();
        if db.is_null() {
            return Ok(Err(Failed { code: ffi::SQLITE_MISUSE, message: Vec::new() }));
        }
        let mut handle = ptr::null_mut();
        // SAFETY: an open handle and NUL-terminated names; the blob is written before it is read.
        let code = database.enter(cx, || unsafe {
            ffi::sqlite3_blob_open(db, name.as_ptr(), table.as_ptr(), column.as_ptr(), rowid, c_int::from(write), &raw mut handle)
        })?;
        if code != ffi::SQLITE_OK {
            return Ok(Err(database.failed(code)));
        }
        // SAFETY: an open blob.
        let len = usize::try_from(unsafe { ffi::sqlite3_blob_bytes(handle) }).unwrap_or(0);
        Ok(Ok(Blob { database: database.clone(), handle, len }))
    }
    pub fn len(&self) -> usize {
        self.len
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// False: SQLite refuses (the row was changed meanwhile).
    fn read(&self, at: usize, to: &mut [u8]) -> bool {
        let (Ok(at), Ok(len)) = (c_int::try_from(at), c_int::try_from(to.len())) else { return false };
        // SAFETY: an open blob; SQLite checks the range.
        unsafe { ffi::sqlite3_blob_read(self.handle, to.as_mut_ptr().cast(), len, at) == ffi::SQLITE_OK }
    }
    fn write(&self, cx: &mut Cx, at: usize, from: &[u8]) -> Res<bool> {
        let (Ok(at), Ok(len)) = (c_int::try_from(at), c_int::try_from(from.len())) else { return Ok(false) };
        let handle = self.handle;
        // SAFETY: as above.
        let code = self.database.enter(cx, || unsafe { ffi::sqlite3_blob_write(handle, from.as_ptr().cast(), len, at) })?;
        Ok(code == ffi::SQLITE_OK)
    }
}

impl Drop for Blob {
    fn drop(&mut self) {
        // SAFETY: an open blob, given up here. SQLite does not look at its statement while another one runs.
        unsafe { ffi::sqlite3_blob_close(self.handle) };
        self.database.hand_on_locks();
    }
}

/// A stream over a large object, whose size cannot change.
pub struct BlobStream {
    blob: Blob,
    at: Cell<usize>,
    writable: bool,
    kind: &'static str,
}

impl BlobStream {
    /// `kind`: the `stream_type` of its metadata.
    pub fn new(blob: Blob, writable: bool, kind: &'static str) -> BlobStream {
        BlobStream { blob, at: Cell::new(0), writable, kind }
    }
}

impl Stream for BlobStream {
    fn kind(&self) -> &'static str {
        self.kind
    }
    fn read(&self, _cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read> {
        let len = self.blob.len();
        let at = self.at.get().min(len);
        let want = buffer.len().min(len - at);
        if want > 0 && !self.blob.read(at, &mut buffer[..want]) {
            return Ok(Err(Failure::Reported));
        }
        self.at.set(at + want);
        Ok(Ok(Read { len: want, eof: at + want >= len }))
    }
    fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Tried<usize> {
        if !self.writable {
            cx.warning("Can't write to blob stream: is open as read only")?;
            return Ok(Err(Failure::Reported));
        }
        if self.at.get() + bytes.len() > self.blob.len() {
            cx.warning("It is not possible to increase the size of a BLOB")?;
            return Ok(Err(Failure::Reported));
        }
        if !self.blob.write(cx, self.at.get(), bytes)? {
            return Ok(Err(Failure::Reported));
        }
        self.at.set(self.at.get() + bytes.len());
        Ok(Ok(bytes.len()))
    }
    fn seek(&self, _cx: &mut Cx, offset: i64, whence: Whence) -> Tried<i64> {
        let len = self.blob.len();
        let base = match whence {
            Whence::Set => 0,
            Whence::Current => self.at.get() as i64,
            Whence::End => len as i64,
        };
        match base.checked_add(offset).and_then(|at| usize::try_from(at).ok()).filter(|at| *at <= len) {
            Some(at) => {
                self.at.set(at);
                Ok(Ok(at as i64))
            }
            None => Ok(Err(Failure::Reported)),
        }
    }
    fn seekable(&self) -> bool {
        true
    }
    fn stat(&self, _cx: &mut Cx) -> Tried<FileStat> {
        Ok(Ok(FileStat { size: self.blob.len() as i64, ..FileStat::default() }))
    }
    fn greedy(&self) -> bool {
        true
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
