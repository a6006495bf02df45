//! A prepared statement.

use super::database::Database;
use super::{bytes, c_string, memory, optional_text, text};
use jumbo_abi::{Cx, Res, Value};
use libsqlite3_sys as ffi;
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr;
use std::rc::Rc;

/// Where a column comes from, and its declared type.
#[derive(Debug, Default)]
pub struct Column {
    pub table: Option<Vec<u8>>,
    pub declared: Option<Vec<u8>>,
}

pub struct Statement {
    database: Rc<Database>,
    handle: Cell<*mut ffi::sqlite3_stmt>,
    /// SQLite is inside `step`: a callback may not run it again.
    stepping: Cell<bool>,
}

impl Statement {
    pub(super) fn new(database: Rc<Database>, handle: *mut ffi::sqlite3_stmt) -> Statement {
        Statement { database, handle: Cell::new(handle), stepping: Cell::new(false) }
    }
    pub fn database(&self) -> &Rc<Database> {
        &self.database
    }
    /// False: it, or its database, was closed.
    pub fn is_open(&self) -> bool {
        !self.handle.get().is_null()
    }
    /// Frees SQLite's side of it.
    pub fn free(&self) {
        let handle = self.handle.replace(ptr::null_mut());
        if !handle.is_null() {
            self.database.free_statement(handle);
        }
    }
    fn index(n: usize) -> Option<c_int> {
        c_int::try_from(n).ok()
    }

    /// Goes on to the next row: SQLITE_ROW, SQLITE_DONE or an error.
    pub fn step(&self, cx: &mut Cx) -> Res<i32> {
        let handle = self.handle.get();
        if handle.is_null() || self.stepping.get() {
            return Ok(ffi::SQLITE_MISUSE);
        }
        self.stepping.set(true);
        // SAFETY: an open handle: one that is freed meanwhile waits until SQLite has returned.
        let code = self.database.enter(cx, || {
            let code = unsafe { ffi::sqlite3_step(handle) };
            self.stepping.set(false);
            code
        });
        self.stepping.set(false);
        code
    }
    /// Back to the start. Gives the error of the last step, if it had one.
    pub fn reset(&self, cx: &mut Cx) -> Res<i32> {
        let handle = self.handle.get();
        if handle.is_null() || self.stepping.get() {
            return Ok(ffi::SQLITE_MISUSE);
        }
        // SAFETY: an open handle.
        self.database.enter(cx, || unsafe { ffi::sqlite3_reset(handle) })
    }
    /// Back to the start, when nobody is there to hear of anything; not while SQLite works on the database.
    pub fn reset_quietly(&self) {
        let handle = self.handle.get();
        if !handle.is_null() && !self.database.is_working() {
            // SAFETY: an open handle, and no call of SQLite under way.
            unsafe { ffi::sqlite3_reset(handle) };
            self.database.hand_on_locks();
        }
    }
    pub fn clear_bindings(&self) -> i32 {
        let handle = self.handle.get();
        // SAFETY: an open handle.
        if handle.is_null() { ffi::SQLITE_MISUSE } else { unsafe { ffi::sqlite3_clear_bindings(handle) } }
    }

    // ---- parameters, from 1

    pub fn parameter_count(&self) -> i64 {
        let handle = self.handle.get();
        // SAFETY: an open handle.
        if handle.is_null() { 0 } else { i64::from(unsafe { ffi::sqlite3_bind_parameter_count(handle) }) }
    }
    /// 0: there is none of that name.
    pub fn parameter_index(&self, name: &[u8]) -> i64 {
        let handle = self.handle.get();
        let name = c_string(name);
        // SAFETY: an open handle, a NUL-terminated name.
        if handle.is_null() { 0 } else { i64::from(unsafe { ffi::sqlite3_bind_parameter_index(handle, name.as_ptr()) }) }
    }
    fn bind(&self, n: i64, bind: impl FnOnce(*mut ffi::sqlite3_stmt, c_int) -> c_int) -> i32 {
        let handle = self.handle.get();
        match c_int::try_from(n) {
            _ if handle.is_null() || self.stepping.get() => ffi::SQLITE_MISUSE,
            Ok(n) => {
                let code = bind(handle, n);
                memory::unwind_if_refused();
                code
            }
            Err(_) => ffi::SQLITE_RANGE,
        }
    }
    pub fn bind_null(&self, n: i64) -> i32 {
        // SAFETY: an open handle, here and in those below; SQLite checks the number.
        self.bind(n, |s, n| unsafe { ffi::sqlite3_bind_null(s, n) })
    }
    pub fn bind_int(&self, n: i64, value: i64) -> i32 {
        // SAFETY: as above.
        self.bind(n, |s, n| unsafe { ffi::sqlite3_bind_int64(s, n, value) })
    }
    pub fn bind_float(&self, n: i64, value: f64) -> i32 {
        // SAFETY: as above.
        self.bind(n, |s, n| unsafe { ffi::sqlite3_bind_double(s, n, value) })
    }
    pub fn bind_text(&self, n: i64, value: &[u8]) -> i32 {
        // SAFETY: as above; SQLite copies the bytes.
        self.bind(n, |s, n| unsafe {
            let from = if value.is_empty() { c"".as_ptr() } else { value.as_ptr().cast() };
            ffi::sqlite3_bind_text64(s, n, from, value.len() as u64, ffi::SQLITE_TRANSIENT(), ffi::SQLITE_UTF8 as u8)
        })
    }
    pub fn bind_blob(&self, n: i64, value: &[u8]) -> i32 {
        // SAFETY: as above; SQLite copies the bytes. A null pointer would bind null.
        self.bind(n, |s, n| unsafe {
            let from = if value.is_empty() { c"".as_ptr().cast() } else { value.as_ptr().cast() };
            ffi::sqlite3_bind_blob64(s, n, from, value.len() as u64, ffi::SQLITE_TRANSIENT())
        })
    }

    // ---- columns, from 0

    pub fn column_count(&self) -> usize {
        let handle = self.handle.get();
        // SAFETY: an open handle.
        if handle.is_null() { 0 } else { usize::try_from(unsafe { ffi::sqlite3_column_count(handle) }).unwrap_or(0) }
    }
    /// Columns of the current row: 0 when there is none.
    pub fn data_count(&self) -> usize {
        let handle = self.handle.get();
        // SAFETY: an open handle.
        if handle.is_null() { 0 } else { usize::try_from(unsafe { ffi::sqlite3_data_count(handle) }).unwrap_or(0) }
    }
    pub fn column_name(&self, n: usize) -> Option<Vec<u8>> {
        let handle = self.handle.get();
        let n = Self::index(n)?;
        if handle.is_null() {
            return None;
        }
        // SAFETY: an open handle; SQLite gives null for what is not there, and the text is copied.
        unsafe { optional_text(ffi::sqlite3_column_name(handle, n)) }
    }
    pub fn column_type(&self, n: usize) -> i32 {
        let handle = self.handle.get();
        match Self::index(n) {
            // SAFETY: an open handle; SQLite answers SQLITE_NULL for what is not there.
            Some(n) if !handle.is_null() => unsafe { ffi::sqlite3_column_type(handle, n) },
            _ => ffi::SQLITE_NULL,
        }
    }
    pub fn column(&self, n: usize) -> Column {
        let handle = self.handle.get();
        let Some(n) = Self::index(n).filter(|_| !handle.is_null()) else { return Column::default() };
        // SAFETY: an open handle; SQLite gives null for what is not there, and texts are copied.
        unsafe {
            Column {
                table: optional_text(ffi::sqlite3_column_table_name(handle, n)),
                declared: optional_text(ffi::sqlite3_column_decltype(handle, n)),
            }
        }
    }
    /// A column of the current row; null without one.
    pub fn value(&self, n: usize) -> Value {
        let handle = self.handle.get();
        if n >= self.data_count() {
            return Value::null();
        }
        let Some(n) = Self::index(n) else { return Value::null() };
        // SAFETY: an open handle with a row, a column that is there; bytes are copied before the next call.
        let value = unsafe {
            match ffi::sqlite3_column_type(handle, n) {
                ffi::SQLITE_INTEGER => Value::from(ffi::sqlite3_column_int64(handle, n)),
                ffi::SQLITE_FLOAT => Value::from(ffi::sqlite3_column_double(handle, n)),
                ffi::SQLITE_NULL => Value::null(),
                ffi::SQLITE_BLOB => {
                    let from = ffi::sqlite3_column_blob(handle, n).cast();
                    Value::bytes(bytes(from, ffi::sqlite3_column_bytes(handle, n)))
                }
                _ => {
                    let from = ffi::sqlite3_column_text(handle, n);
                    Value::bytes(bytes(from, ffi::sqlite3_column_bytes(handle, n)))
                }
            }
        };
        // A conversion needs memory.
        memory::unwind_if_refused();
        value
    }

    // ---- what it is

    pub fn is_read_only(&self) -> bool {
        let handle = self.handle.get();
        // SAFETY: an open handle.
        !handle.is_null() && unsafe { ffi::sqlite3_stmt_readonly(handle) } != 0
    }
    pub fn is_busy(&self) -> bool {
        let handle = self.handle.get();
        // SAFETY: an open handle.
        !handle.is_null() && unsafe { ffi::sqlite3_stmt_busy(handle) } != 0
    }
    pub fn sql(&self) -> Vec<u8> {
        let handle = self.handle.get();
        // SAFETY: an open handle; the text is copied.
        if handle.is_null() { Vec::new() } else { unsafe { text(ffi::sqlite3_sql(handle)) } }
    }
    /// The text with the parameters' values in it.
    pub fn expanded_sql(&self) -> Option<Vec<u8>> {
        let handle = self.handle.get();
        if handle.is_null() {
            return None;
        }
        // SAFETY: an open handle; the text is given to us and freed.
        unsafe {
            let expanded = ffi::sqlite3_expanded_sql(handle);
            let copy = optional_text(expanded);
            ffi::sqlite3_free(expanded.cast());
            memory::unwind_if_refused();
            copy
        }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        self.free();
    }
}
