//! A connection to a database, and the way into SQLite and back.

use super::callbacks::{self, Authorize, Callback, FinishRows, PhpCallable, WrongOrder};
use super::statement::Statement;
use super::{bytes, c_string, memory, queue, text, vfs};
use jumbo_abi::{Cx, Res, Stop, Value};
use jumbo_value::string::up_to_nul;
use libsqlite3_sys as ffi;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::ptr;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

// SAFETY: as sqlite3.h declares it; the bindings leave it out.
unsafe extern "C" {
    fn sqlite3_close_v2(db: *mut ffi::sqlite3) -> c_int;
}

/// An error of SQLite.
#[derive(Clone, Debug)]
pub struct Failed {
    pub code: i32,
    pub message: Vec<u8>,
}

/// What a callback of PHP left behind, to go on outside of SQLite.
pub(super) enum Pending {
    Stop(Stop),
    Panic(Box<dyn Any + Send>),
}

pub struct Database {
    handle: Cell<*mut ffi::sqlite3>,
    /// Calls into SQLite under way.
    depth: Cell<u32>,
    /// The context of the innermost call, for callbacks.
    cx: Cell<*mut Cx>,
    pending: RefCell<Option<Pending>>,
    /// Statements to be freed when SQLite works no more.
    graveyard: RefCell<Vec<*mut ffi::sqlite3_stmt>>,
    close_wanted: Cell<bool>,
    statements: RefCell<Vec<Weak<Statement>>>,
    callbacks: RefCell<Vec<Rc<Callback>>>,
    pub(super) authorizer: RefCell<Option<Rc<PhpCallable>>>,
    /// What stands between PHP's authorizer and SQLite; made by the extension.
    pub(super) authorize: Cell<Option<Authorize>>,
    /// The object wants its errors as exceptions; for the authorizer.
    pub exceptions: Cell<bool>,
    busy_limit: Cell<Duration>,
    busy_since: Cell<Option<Instant>>,
    itself: Weak<Database>,
}

impl Database {
    /// Opens a database. `name` is a file, `:memory:`, empty for a temporary one, or a `file:` URI when the flags say so.
    pub fn open(cx: &mut Cx, name: &[u8], flags: i32) -> Result<Rc<Database>, Failed> {
        if !vfs::install() {
            return Err(Failed { code: ffi::SQLITE_CANTOPEN, message: super::error_text(ffi::SQLITE_CANTOPEN) });
        }
        vfs::enter(cx);
        let name = c_string(name);
        let mut handle = ptr::null_mut();
        // SAFETY: a NUL-terminated name; the handle is written, or null when there is no memory.
        let code = unsafe { ffi::sqlite3_open_v2(name.as_ptr(), &raw mut handle, flags | ffi::SQLITE_OPEN_NOMUTEX, ptr::null()) };
        let database = Rc::new_cyclic(|itself| Database {
            handle: Cell::new(handle),
            depth: Cell::new(0),
            cx: Cell::new(ptr::null_mut()),
            pending: RefCell::default(),
            graveyard: RefCell::default(),
            close_wanted: Cell::new(false),
            statements: RefCell::default(),
            callbacks: RefCell::default(),
            authorizer: RefCell::default(),
            authorize: Cell::new(None),
            exceptions: Cell::new(false),
            busy_limit: Cell::new(Duration::ZERO),
            busy_since: Cell::new(None),
            itself: itself.clone(),
        });
        if code != ffi::SQLITE_OK {
            let message = if handle.is_null() { super::error_text(code) } else { database.message() };
            return Err(Failed { code, message: with_refusal(code, message) });
        }
        // SAFETY: an open handle; the pointer lives as long as the handle, because dropping the database closes it.
        unsafe {
            ffi::sqlite3_busy_handler(handle, Some(busy), Rc::as_ptr(&database).cast_mut().cast());
            ffi::sqlite3_progress_handler(handle, PROGRESS_OPCODES, Some(progress), Rc::as_ptr(&database).cast_mut().cast());
        }
        Ok(database)
    }

    pub(super) fn raw(&self) -> *mut ffi::sqlite3 {
        self.handle.get()
    }
    pub fn is_open(&self) -> bool {
        !self.handle.get().is_null() && !self.close_wanted.get()
    }

    /// A call into SQLite is under way.
    pub fn is_working(&self) -> bool {
        self.depth.get() > 0
    }

    // ---- into SQLite and back

    /// Calls SQLite where it may call PHP code, wait for a lock or open files. What PHP code left (an exception, the end of the request)
    /// goes on when SQLite has returned.
    pub(super) fn enter<R>(&self, cx: &mut Cx, call: impl FnOnce() -> R) -> Res<R> {
        vfs::enter(cx);
        cx.foreign_frames += 1;
        self.depth.set(self.depth.get() + 1);
        let before = self.cx.replace(ptr::from_mut(cx));
        let result = call();
        self.cx.set(before);
        self.depth.set(self.depth.get() - 1);
        cx.foreign_frames -= 1;
        self.busy_since.set(None);
        if self.depth.get() == 0 {
            self.bury();
            self.hand_on_locks();
        }
        let pending = self.pending.take();
        let is_out_of_memory = memory::take_refused();
        match pending {
            // The heap remembers what it refused.
            None if is_out_of_memory => Err(Stop::Fatal),
            None => Ok(result),
            Some(Pending::Stop(stop)) => Err(stop),
            // Nothing of SQLite is on the stack any more.
            Some(Pending::Panic(payload)) => std::panic::resume_unwind(payload),
        }
    }

    /// Runs PHP code for a callback of SQLite. None: it must not run (SQLite is cleaning up, or an exception waits already), or it
    /// did not end well; SQLite is to stop.
    pub(super) fn run<R>(&self, call: impl FnOnce(&mut Cx) -> Res<R>) -> Option<R> {
        let cx = self.cx.get();
        if cx.is_null() || self.pending.borrow().is_some() {
            return None;
        }
        // SAFETY: `enter` lent its context for as long as SQLite runs, and does not touch it meanwhile.
        let cx = unsafe { &mut *cx };
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let result = call(cx);
            // Another instance may have been here while this one waited.
            vfs::enter(cx);
            result
        }));
        let pending = match outcome {
            Ok(Ok(result)) => return Some(result),
            Ok(Err(stop)) => Pending::Stop(stop),
            Err(payload) => Pending::Panic(payload),
        };
        // SQLite stops at the next call of `progress`, if it does not at once.
        *self.pending.borrow_mut() = Some(pending);
        None
    }

    // ---- errors

    pub fn message(&self) -> Vec<u8> {
        // SAFETY: an open handle; SQLite gives a text that is copied.
        if self.raw().is_null() { Vec::new() } else { unsafe { text(ffi::sqlite3_errmsg(self.raw())) } }
    }
    pub fn code(&self) -> i32 {
        // SAFETY: an open handle.
        if self.raw().is_null() { 0 } else { unsafe { ffi::sqlite3_errcode(self.raw()) } }
    }
    pub fn extended_code(&self) -> i32 {
        // SAFETY: an open handle.
        if self.raw().is_null() { 0 } else { unsafe { ffi::sqlite3_extended_errcode(self.raw()) } }
    }
    pub fn failed(&self, code: i32) -> Failed {
        Failed { code, message: with_refusal(code, self.message()) }
    }
    pub fn use_extended_codes(&self, on: bool) -> i32 {
        // SAFETY: an open handle.
        if self.raw().is_null() { ffi::SQLITE_MISUSE } else { unsafe { ffi::sqlite3_extended_result_codes(self.raw(), c_int::from(on)) } }
    }

    // ---- statements

    /// Prepares the first statement of a text: the statement (None: only white space and comments), and where it ends.
    pub fn prepare(&self, cx: &mut Cx, sql: &[u8]) -> Res<Result<(Option<Rc<Statement>>, usize), Failed>> {
        if !self.is_open() {
            return Ok(Err(Failed { code: ffi::SQLITE_MISUSE, message: super::error_text(ffi::SQLITE_MISUSE) }));
        }
        // The length counts to the first NUL, as SQLite does itself.
        let end = up_to_nul(sql).len();
        let Ok(len) = c_int::try_from(end) else {
            return Ok(Err(Failed { code: ffi::SQLITE_TOOBIG, message: super::error_text(ffi::SQLITE_TOOBIG) }));
        };
        let mut handle = ptr::null_mut();
        let mut tail = ptr::null();
        let db = self.raw();
        // SAFETY: an open handle and a text of `len` bytes; both results are written before they are read.
        let code = self.enter(cx, || unsafe {
            ffi::sqlite3_prepare_v2(db, sql.as_ptr().cast(), len, &raw mut handle, &raw mut tail)
        });
        let used = if tail.is_null() { end } else { (tail as usize).saturating_sub(sql.as_ptr() as usize).min(end) };
        let Some(itself) = self.itself.upgrade() else { return Ok(Err(Failed { code: ffi::SQLITE_MISUSE, message: Vec::new() })) };
        let statement = (!handle.is_null()).then(|| Rc::new(Statement::new(itself, handle)));
        let code = code?;
        if code != ffi::SQLITE_OK {
            return Ok(Err(self.failed(code)));
        }
        if let Some(statement) = &statement {
            let mut list = self.statements.borrow_mut();
            list.retain(|s| s.strong_count() > 0);
            list.push(Rc::downgrade(statement));
        }
        Ok(Ok((statement, used)))
    }

    /// Runs all statements of a text.
    pub fn exec(&self, cx: &mut Cx, sql: &[u8]) -> Res<Result<(), Failed>> {
        let mut rest = up_to_nul(sql);
        while !rest.is_empty() {
            let (statement, used) = match self.prepare(cx, rest)? {
                Ok(prepared) => prepared,
                Err(failed) => return Ok(Err(failed)),
            };
            rest = rest.get(used..).unwrap_or_default();
            let Some(statement) = statement else {
                // A comment, perhaps in the midst of statements.
                if used == 0 {
                    break;
                }
                continue;
            };
            loop {
                match statement.step(cx)? {
                    ffi::SQLITE_ROW => cx.check()?,
                    ffi::SQLITE_DONE => break,
                    _ => {
                        let code = statement.reset(cx)?;
                        return Ok(Err(self.failed(code)));
                    }
                }
            }
        }
        Ok(Ok(()))
    }

    pub fn changes(&self) -> i64 {
        // SAFETY: an open handle.
        if self.raw().is_null() { 0 } else { unsafe { ffi::sqlite3_changes64(self.raw()) } }
    }
    pub fn last_insert_rowid(&self) -> i64 {
        // SAFETY: an open handle.
        if self.raw().is_null() { 0 } else { unsafe { ffi::sqlite3_last_insert_rowid(self.raw()) } }
    }
    pub fn in_transaction(&self) -> bool {
        // SAFETY: an open handle.
        !self.raw().is_null() && unsafe { ffi::sqlite3_get_autocommit(self.raw()) } == 0
    }

    // ---- settings

    pub fn set_busy_timeout(&self, milliseconds: i64) {
        self.busy_limit.set(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)));
    }
    /// Some settings of SQLite (`SQLITE_DBCONFIG_*`) that are on or off.
    pub fn set_defensive(&self, on: bool) {
        // SAFETY: an open handle; the option takes an int and the address of one, or null.
        unsafe {
            if !self.raw().is_null() {
                ffi::sqlite3_db_config(self.raw(), ffi::SQLITE_DBCONFIG_DEFENSIVE, c_int::from(on), ptr::null_mut::<c_int>());
            }
        }
    }
    /// A limit (`SQLITE_LIMIT_*`); gives the old one.
    pub fn set_limit(&self, id: i32, limit: i32) -> i32 {
        // SAFETY: an open handle.
        if self.raw().is_null() { 0 } else { unsafe { ffi::sqlite3_limit(self.raw(), id, limit) } }
    }
    /// Loads a library with functions for SQLite.
    pub fn load_extension(&self, cx: &mut Cx, path: &[u8]) -> Res<Result<(), Vec<u8>>> {
        let path = c_string(path);
        let db = self.raw();
        if db.is_null() {
            return Ok(Err(Vec::new()));
        }
        let mut message = ptr::null_mut();
        // SAFETY: an open handle, a NUL-terminated path; the message is freed. Loading is allowed for this call only.
        let code = self.enter(cx, || unsafe {
            ffi::sqlite3_db_config(db, ffi::SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1 as c_int, ptr::null_mut::<c_int>());
            let code = ffi::sqlite3_load_extension(db, path.as_ptr(), ptr::null(), &raw mut message);
            ffi::sqlite3_db_config(db, ffi::SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 as c_int, ptr::null_mut::<c_int>());
            code
        })?;
        if code == ffi::SQLITE_OK {
            return Ok(Ok(()));
        }
        // SAFETY: a text of SQLite's, given to us.
        unsafe {
            let why = text(message);
            ffi::sqlite3_free(message.cast());
            Ok(Err(why))
        }
    }

    // ---- functions in PHP

    /// False: SQLite refuses (its own words are in [`message`](Self::message)).
    pub fn create_function(&self, name: &[u8], arguments: i64, flags: i64, function: PhpCallable) -> bool {
        self.register(name, arguments, flags, Callback::function(self.itself.clone(), function))
    }
    pub fn create_aggregate(&self, name: &[u8], arguments: i64, step: PhpCallable, finish: PhpCallable, rows: FinishRows) -> bool {
        self.register(name, arguments, 0, Callback::aggregate(self.itself.clone(), step, finish, rows))
    }
    fn register(&self, name: &[u8], arguments: i64, flags: i64, callback: Callback) -> bool {
        let (Ok(arguments), Ok(flags)) = (c_int::try_from(arguments), c_int::try_from(flags & i64::from(i32::MAX))) else { return false };
        if self.raw().is_null() {
            return false;
        }
        let name = c_string(name);
        let callback = Rc::new(callback);
        // SAFETY: an open handle, a NUL-terminated name. SQLite gets one count of the callback, which `destroy` gives back, also when this
        // fails.
        let code = unsafe { callbacks::register(self.raw(), &name, arguments, flags | ffi::SQLITE_UTF8, Rc::into_raw(callback.clone())) };
        self.keep(callback);
        code == ffi::SQLITE_OK
    }
    pub fn create_collation(&self, name: &[u8], compare: PhpCallable, wrong: WrongOrder) -> bool {
        if self.raw().is_null() {
            return false;
        }
        let name = c_string(name);
        let callback = Rc::new(Callback::collation(self.itself.clone(), compare, wrong));
        let pointer = Rc::into_raw(callback.clone());
        // SAFETY: an open handle, a NUL-terminated name. SQLite gets one count of the callback; it does not give it back when this fails.
        let code = unsafe { callbacks::register_collation(self.raw(), &name, pointer) };
        if code != ffi::SQLITE_OK {
            // SAFETY: the count that SQLite did not take.
            drop(unsafe { Rc::from_raw(pointer) });
        }
        self.keep(callback);
        code == ffi::SQLITE_OK
    }
    /// Remembers a callback for the cycle collector, and forgets those that SQLite has given back.
    fn keep(&self, callback: Rc<Callback>) {
        let gone: Vec<Rc<Callback>>;
        {
            let mut list = self.callbacks.borrow_mut();
            list.push(callback);
            let (old, kept) = std::mem::take(&mut *list).into_iter().partition(|c| Rc::strong_count(c) == 1);
            gone = old;
            *list = kept;
        }
        drop(gone);
    }
    /// Asks `authorize` before each action of a statement that is prepared, with PHP's callback if there is one.
    pub fn set_authorizer(&self, authorize: Authorize, callback: Option<PhpCallable>) {
        let old = self.authorizer.replace(callback.map(Rc::new));
        drop(old);
        self.authorize.set(Some(authorize));
        // SAFETY: an open handle; the pointer lives as long as the handle.
        unsafe {
            if !self.raw().is_null() {
                ffi::sqlite3_set_authorizer(self.raw(), Some(callbacks::authorizer), ptr::from_ref(self).cast_mut().cast());
            }
        }
    }

    /// Functions of PHP are registered.
    pub fn has_callbacks(&self) -> bool {
        !self.callbacks.borrow().is_empty() || self.authorizer.borrow().is_some()
    }
    /// Calls `visit` with every PHP value held.
    pub fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Ok(list) = self.callbacks.try_borrow() {
            list.iter().for_each(|c| c.trace(visit));
        }
        if let Ok(authorizer) = self.authorizer.try_borrow()
            && let Some(authorizer) = &*authorizer
        {
            authorizer.trace(visit);
        }
    }
    /// Lets go of every PHP value: functions give null from now on.
    pub fn release(&self) {
        let list: Vec<Rc<Callback>> = self.callbacks.borrow().clone();
        list.iter().for_each(|c| c.release());
        let authorizer = self.authorizer.take();
        drop(authorizer);
    }

    // ---- the end

    /// Without any lock left, somebody else may try.
    pub(super) fn hand_on_locks(&self) {
        let handle = self.raw();
        // SAFETY: an open handle; null asks about all its databases.
        if !queue::is_empty() && (handle.is_null() || unsafe { ffi::sqlite3_txn_state(handle, ptr::null()) } == ffi::SQLITE_TXN_NONE) {
            queue::call_next();
        }
    }
    pub(super) fn free_statement(&self, statement: *mut ffi::sqlite3_stmt) {
        if self.depth.get() > 0 {
            self.graveyard.borrow_mut().push(statement);
            return;
        }
        // SAFETY: the last user of the handle gives it up, and SQLite is not working on the database.
        unsafe { ffi::sqlite3_finalize(statement) };
        self.hand_on_locks();
    }
    /// Frees what was to be freed while SQLite worked.
    fn bury(&self) {
        for statement in self.graveyard.take() {
            // SAFETY: as in `free_statement`.
            unsafe { ffi::sqlite3_finalize(statement) };
        }
        if self.close_wanted.get() {
            self.close_handle();
        }
    }
    fn close_handle(&self) {
        let handle = self.handle.replace(ptr::null_mut());
        if !handle.is_null() {
            // SAFETY: nobody uses the handle any more; statements and blobs that still exist keep SQLite's side of it.
            unsafe {
                // What it would point at may be gone before SQLite's side is.
                ffi::sqlite3_busy_handler(handle, None, ptr::null_mut());
                ffi::sqlite3_progress_handler(handle, 0, None, ptr::null_mut());
                ffi::sqlite3_set_authorizer(handle, None, ptr::null_mut());
                sqlite3_close_v2(handle);
            }
        }
    }
    /// Frees all statements and closes the database, later if SQLite works on it. It stays open when a large object of it is.
    pub fn close(&self) -> Result<(), Failed> {
        let statements = self.statements.take();
        for statement in statements.iter().filter_map(Weak::upgrade) {
            statement.free();
        }
        if self.depth.get() > 0 {
            self.close_wanted.set(true);
            return Ok(());
        }
        let handle = self.raw();
        // SAFETY: an open handle (null is nothing to do): SQLite refuses when something uses it.
        let code = unsafe { ffi::sqlite3_close(handle) };
        if code != ffi::SQLITE_OK {
            return Err(self.failed(code));
        }
        self.handle.set(ptr::null_mut());
        self.hand_on_locks();
        Ok(())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.bury();
        self.close_handle();
        self.hand_on_locks();
    }
}

/// Waits for a lock, longer each time, as long as the busy timeout allows.
///
/// # Safety
/// Called by SQLite with the database that was registered.
unsafe extern "C" fn busy(database: *mut std::ffi::c_void, times: c_int) -> c_int {
    const DELAYS_MS: [u64; 10] = [1, 2, 5, 10, 15, 20, 25, 25, 50, 50];
    // SAFETY: the database outlives its handle.
    let database = unsafe { &*database.cast::<Database>() };
    let limit = database.busy_limit.get();
    let since = match database.busy_since.get().filter(|_| times > 0) {
        Some(since) => since,
        None => {
            let now = Instant::now();
            database.busy_since.set(Some(now));
            now
        }
    };
    let Some(left) = limit.checked_sub(since.elapsed()).filter(|l| !l.is_zero()) else { return 0 };
    let delay = Duration::from_millis(usize::try_from(times).ok().and_then(|n| DELAYS_MS.get(n).copied()).unwrap_or(100));
    let waited = database.run(|cx| {
        queue::wait(cx, delay.min(left));
        Ok(())
    });
    c_int::from(waited.is_some())
}

/// An error's text, with the reason if it is ours.
fn with_refusal(code: i32, mut message: Vec<u8>) -> Vec<u8> {
    let refusal = vfs::take_refusal();
    if code & 0xff == ffi::SQLITE_CANTOPEN && let Some(why) = refusal {
        message.extend_from_slice(b": ");
        message.extend_from_slice(&why);
    }
    message
}

/// SQLite's instructions between two looks at the instance's interrupt flag: some tens of microseconds.
const PROGRESS_OPCODES: c_int = 2000;

/// A long statement: gives up the core after a time slice, and ends with the request; also when a callback left something behind.
///
/// # Safety
/// As [`busy`].
unsafe extern "C" fn progress(database: *mut std::ffi::c_void) -> c_int {
    // SAFETY: the database outlives its handle.
    let database = unsafe { &*database.cast::<Database>() };
    if database.cx.get().is_null() {
        return 0;
    }
    c_int::from(database.run(Cx::check).is_none())
}

/// Bytes of an SQL value.
///
/// # Safety
/// `value` is a value that SQLite lends to a callback.
pub(super) unsafe fn value_of(value: *mut ffi::sqlite3_value) -> Value {
    // SAFETY: by contract; text and blob are copied before the next conversion.
    unsafe {
        match ffi::sqlite3_value_type(value) {
            ffi::SQLITE_INTEGER => Value::from(ffi::sqlite3_value_int64(value)),
            ffi::SQLITE_FLOAT => Value::from(ffi::sqlite3_value_double(value)),
            ffi::SQLITE_NULL => Value::null(),
            ffi::SQLITE_BLOB => {
                let from = ffi::sqlite3_value_blob(value).cast();
                Value::bytes(bytes(from, ffi::sqlite3_value_bytes(value)))
            }
            _ => {
                let from = ffi::sqlite3_value_text(value);
                Value::bytes(bytes(from, ffi::sqlite3_value_bytes(value)))
            }
        }
    }
}
