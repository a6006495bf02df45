//! The class SQLite3: a database.

use crate::authorizer::{authorize, may_open};
use crate::sqlite3_stmt;
use crate::sqlite3_result;
use crate::sys::{self, Blob, BlobStream, Database, Failed, FinishRows, PhpCallable, WrongOrder};
use jumbo_abi::stream::{Opened, absolute, to_resource};
use jumbo_abi::{Callable, ClassHooks, ClassPtr, Cx, OrFalse, PArray, PObject, PStr, Res, Stop, Value};
use jumbo_value::{Native, PStrBuilder};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub static HOOKS: ClassHooks = ClassHooks { create: Some(create), uncloneable: true, ..ClassHooks::NONE };

/// Native state of a SQLite3 object.
#[derive(Default)]
pub struct State {
    database: RefCell<Option<Rc<Database>>>,
    /// It was open once.
    was_open: Cell<bool>,
    exceptions: Cell<bool>,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Ok(database) = self.database.try_borrow()
            && let Some(database) = &*database
        {
            database.trace(visit);
        }
    }
    fn clear(&mut self) {
        if let Some(database) = self.database.take() {
            database.release();
        }
    }
}

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State::default()));
    Ok(())
}

/// Error: what the object stands for is not there (any more).
pub fn closed(cx: &mut Cx, class: &str) -> Stop {
    cx.throw_error(format!("The {class} object has not been correctly initialised or is already closed"))
}

/// The open database of an object.
pub fn database(cx: &mut Cx, this: &PObject) -> Res<Rc<Database>> {
    let found = this.native::<State>().and_then(|s| s.database.borrow().clone()).filter(|d| d.is_open());
    found.ok_or_else(|| closed(cx, "SQLite3"))
}

/// The database of an object that was open once: None after `close`.
fn maybe_closed(cx: &mut Cx, this: &PObject) -> Res<Option<Rc<Database>>> {
    match this.native::<State>() {
        Some(state) if state.was_open.get() => Ok(state.database.borrow().clone().filter(|d| d.is_open())),
        _ => Err(closed(cx, "SQLite3")),
    }
}

/// What a callback threw while a statement was prepared: with exceptions on, that it was not authorized follows.
fn prepared<T>(cx: &mut Cx, this: &PObject, database: &Database, what: &str, result: Res<T>) -> Res<T> {
    let exceptions = this.native::<State>().is_some_and(|s| s.exceptions.get());
    match result {
        Err(Stop::Thrown) if exceptions && database.code() == sys::SQLITE_AUTH => {
            let text = [what.as_bytes(), &database.message()].concat();
            let class = cx.builtin_class(b"sqlite3exception");
            Err(cx.engine().throw_new(cx, class, &text, i64::from(sys::SQLITE_AUTH)))
        }
        result => result,
    }
}

/// An error of a database as its object wants it: an exception or a warning.
pub fn report(cx: &mut Cx, database: &PObject, code: i32, message: impl jumbo_abi::Message) -> Res<()> {
    if database.native::<State>().is_some_and(|s| s.exceptions.get()) {
        let class = cx.builtin_class(b"sqlite3exception");
        return Err(cx.engine().throw_new(cx, class, &message.to_str()?, i64::from(code)));
    }
    cx.warning(message)
}

fn failed(cx: &mut Cx, this: &PObject, what: &str, failed: &Failed) -> Res<()> {
    report(cx, this, failed.code, [what.as_bytes(), &failed.message].concat())
}

const PREPARE: &str = "Unable to prepare statement: ";
pub const EXECUTE: &str = "Unable to execute statement: ";

pub fn __construct(cx: &mut Cx, this: &PObject, filename: &PStr, flags: i64, key: &PStr) -> Res<()> {
    open(cx, this, filename, flags, key)
}

pub fn open(cx: &mut Cx, this: &PObject, filename: &PStr, flags: i64, _key: &PStr) -> Res<()> {
    if filename.as_bytes().contains(&0) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    let Some(state) = this.native::<State>() else { return Ok(()) };
    if state.database.borrow().as_ref().is_some_and(|d| d.is_open()) {
        return Err(cx.throw("Exception", "Already initialised DB Object"));
    }
    let name = filename.as_bytes();
    let is_file = !name.is_empty() && name != b":memory:";
    if is_file && !may_open(cx, name, false)? {
        let full = absolute(cx, name);
        return Err(cx.throw("Exception", [b"open_basedir prohibits opening ".as_slice(), &full].concat()));
    }
    let path = if is_file { absolute(cx, name) } else { name.to_vec() };
    let flags = i32::try_from(flags & i64::from(i32::MAX)).unwrap_or(0);
    let database = match Database::open(cx, &path, flags) {
        Ok(database) => database,
        Err(failed) => return Err(cx.throw("Exception", [b"Unable to open database: ".as_slice(), &failed.message].concat())),
    };
    database.set_authorizer(authorize, None);
    if cx.ini.bool("sqlite3.defensive") {
        database.set_defensive(true);
    }
    database.exceptions.set(state.exceptions.get());
    state.was_open.set(true);
    let old = state.database.replace(Some(database));
    drop(old);
    Ok(())
}

pub fn close(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let Some(state) = this.native::<State>() else { return Ok(true) };
    let database = state.database.borrow().clone();
    let Some(database) = database else { return Ok(true) };
    match database.close() {
        Ok(()) => {
            let closed = state.database.take();
            drop(closed);
            Ok(true)
        }
        Err(error) => {
            failed(cx, this, "Unable to close database: ", &error)?;
            Ok(false)
        }
    }
}

pub fn version(_cx: &mut Cx, _class: ClassPtr) -> PArray {
    let (text, number) = sys::version();
    let mut version = PArray::new();
    version.set_sym(b"versionString", text);
    version.set_sym(b"versionNumber", number);
    version
}

pub fn last_insert_row_id(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(database(cx, this)?.last_insert_rowid())
}

pub fn last_error_code(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(maybe_closed(cx, this)?.map_or(0, |d| i64::from(d.code())))
}

pub fn last_extended_error_code(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(maybe_closed(cx, this)?.map_or(0, |d| i64::from(d.extended_code())))
}

pub fn last_error_msg(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(PStr::new(&maybe_closed(cx, this)?.map_or_else(Vec::new, |d| d.message())))
}

pub fn changes(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(database(cx, this)?.changes())
}

pub fn busy_timeout(cx: &mut Cx, this: &PObject, milliseconds: i64) -> Res<bool> {
    database(cx, this)?.set_busy_timeout(milliseconds);
    Ok(true)
}

pub fn enable_exceptions(cx: &mut Cx, this: &PObject, enable: bool) -> Res<bool> {
    let before = this.native::<State>().is_some_and(|s| s.exceptions.replace(enable));
    let database = this.native::<State>().and_then(|s| s.database.borrow().clone());
    if let Some(database) = database {
        database.exceptions.set(enable);
    }
    if !enable {
        cx.deprecated("Use of warnings for SQLite3 is deprecated")?;
    }
    Ok(before)
}

pub fn enable_extended_result_codes(cx: &mut Cx, this: &PObject, enable: bool) -> Res<bool> {
    let database = database(cx, this)?;
    let code = database.use_extended_codes(enable);
    if code != sys::SQLITE_OK {
        report(cx, this, code, [b"Unable to set extended result codes: ".as_slice(), &database.message()].concat())?;
        return Ok(false);
    }
    Ok(true)
}

pub fn load_extension(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<bool> {
    let database = database(cx, this)?;
    let folder = cx.ini.str("sqlite3.extension_dir").to_vec();
    if folder.is_empty() {
        report(cx, this, 0, "SQLite Extensions are disabled")?;
        return Ok(false);
    }
    if name.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let path = [folder.as_slice(), b"/", name.as_bytes()].concat();
    let full = std::fs::canonicalize(jumbo_abi::stream::path_buf(cx, &path));
    let inside = std::fs::canonicalize(jumbo_abi::stream::path_buf(cx, &folder));
    let full = match (full, inside) {
        (Ok(full), Ok(folder)) if full.starts_with(&folder) => full,
        (Ok(_), _) => {
            report(cx, this, 0, "Unable to open extensions outside the defined directory")?;
            return Ok(false);
        }
        _ => {
            report(cx, this, 0, [b"Unable to load extension at '".as_slice(), &path, b"'"].concat())?;
            return Ok(false);
        }
    };
    let full = std::os::unix::ffi::OsStringExt::into_vec(full.into_os_string());
    match database.load_extension(cx, &full)? {
        Ok(()) => Ok(true),
        Err(why) => {
            report(cx, this, 0, why)?;
            Ok(false)
        }
    }
}

pub fn backup(cx: &mut Cx, this: &PObject, to: &PObject, from_name: &PStr, to_name: &PStr) -> Res<bool> {
    let from = database(cx, this)?;
    let target = database(cx, to)?;
    if Rc::ptr_eq(&from, &target) {
        report(cx, this, sys::SQLITE_ERROR, "Backup failed: source and destination must be distinct")?;
        return Ok(false);
    }
    match sys::backup(cx, &from, from_name.as_bytes(), &target, to_name.as_bytes())? {
        Ok(()) => Ok(true),
        Err(error) => {
            let why = match error.code {
                sys::SQLITE_BUSY => b"source database is busy".to_vec(),
                sys::SQLITE_LOCKED => b"source database is locked".to_vec(),
                _ => error.message,
            };
            report(cx, this, error.code, [b"Backup failed: ".as_slice(), &why].concat())?;
            Ok(false)
        }
    }
}

pub fn escape_string(_cx: &mut Cx, _class: ClassPtr, string: &PStr) -> Res<PStr> {
    let bytes = jumbo_value::string::up_to_nul(string.as_bytes());
    let mut out = PStrBuilder::with_capacity(bytes.len())?;
    for b in bytes {
        if *b == b'\'' {
            out.push(b'\'')?;
        }
        out.push(*b)?;
    }
    Ok(out.finish())
}

pub fn prepare(cx: &mut Cx, this: &PObject, query: &PStr) -> Res<OrFalse<PObject>> {
    let database = database(cx, this)?;
    if query.is_empty() {
        return Ok(OrFalse::FALSE);
    }
    let result = database.prepare(cx, query.as_bytes());
    match prepared(cx, this, &database, PREPARE, result)? {
        Ok((statement, _)) => sqlite3_stmt::new(cx, this, statement).map(|s| OrFalse(Some(s))),
        Err(error) => {
            failed(cx, this, PREPARE, &error)?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn exec(cx: &mut Cx, this: &PObject, query: &PStr) -> Res<bool> {
    let database = database(cx, this)?;
    let result = database.exec(cx, query.as_bytes());
    match prepared(cx, this, &database, "", result)? {
        Ok(()) => Ok(true),
        Err(error) => {
            failed(cx, this, "", &error)?;
            Ok(false)
        }
    }
}

pub fn query(cx: &mut Cx, this: &PObject, query: &PStr) -> Res<OrFalse<PObject>> {
    let database = database(cx, this)?;
    if query.is_empty() {
        return Ok(OrFalse::FALSE);
    }
    if !cx.engine().result_is_used(cx) {
        // Nobody wants rows: all statements of the text run.
        exec(cx, this, query)?;
        return Ok(OrFalse::FALSE);
    }
    let result = database.prepare(cx, query.as_bytes());
    let statement = match prepared(cx, this, &database, PREPARE, result)? {
        Ok((Some(statement), _)) => statement,
        Ok((None, _)) => {
            failed(cx, this, EXECUTE, &Failed { code: 0, message: sys::error_text(0) })?;
            return Ok(OrFalse::FALSE);
        }
        Err(error) => {
            failed(cx, this, PREPARE, &error)?;
            return Ok(OrFalse::FALSE);
        }
    };
    match statement.step(cx)? {
        sys::SQLITE_ROW | sys::SQLITE_DONE => {
            statement.reset(cx)?;
            let object = sqlite3_stmt::new(cx, this, Some(statement.clone()))?;
            sqlite3_result::new(cx, this, &object, statement, false).map(|r| OrFalse(Some(r)))
        }
        code => {
            let error = database.failed(code);
            // The statement goes, whose error was taken.
            statement.free();
            failed(cx, this, EXECUTE, &error)?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn query_single(cx: &mut Cx, this: &PObject, query: &PStr, entire_row: bool) -> Res<Value> {
    let database = database(cx, this)?;
    if query.is_empty() {
        return Ok(Value::from(false));
    }
    let result = database.prepare(cx, query.as_bytes());
    let statement = match prepared(cx, this, &database, PREPARE, result)? {
        Ok((Some(statement), _)) => statement,
        Ok((None, _)) => {
            failed(cx, this, EXECUTE, &Failed { code: 0, message: sys::error_text(0) })?;
            return Ok(Value::from(false));
        }
        Err(error) => {
            failed(cx, this, PREPARE, &error)?;
            return Ok(Value::from(false));
        }
    };
    let result = match statement.step(cx)? {
        sys::SQLITE_ROW if entire_row => {
            let mut row = PArray::new();
            for n in 0..statement.data_count() {
                let name = PStr::new(&statement.column_name(n).unwrap_or_default());
                row.set(jumbo_abi::Key::from_str(&name), statement.value(n));
            }
            Value::from(row)
        }
        sys::SQLITE_ROW => statement.value(0),
        sys::SQLITE_DONE if entire_row => Value::empty_array(),
        sys::SQLITE_DONE => Value::null(),
        code => {
            let error = database.failed(code);
            statement.free();
            failed(cx, this, EXECUTE, &error)?;
            Value::from(false)
        }
    };
    statement.reset(cx)?;
    statement.free();
    Ok(result)
}

pub fn create_function(cx: &mut Cx, this: &PObject, name: &PStr, callback: &Callable, arguments: i64, flags: i64) -> Res<bool> {
    let database = database(cx, this)?;
    Ok(!name.is_empty() && database.create_function(name.as_bytes(), arguments, flags, PhpCallable::new(callback)))
}

pub fn create_aggregate(
    cx: &mut Cx,
    this: &PObject,
    name: &PStr,
    step: &Callable,
    finish: &Callable,
    arguments: i64,
) -> Res<bool> {
    let database = database(cx, this)?;
    let (step, finish) = (PhpCallable::new(step), PhpCallable::new(finish));
    Ok(!name.is_empty() && database.create_aggregate(name.as_bytes(), arguments, step, finish, FinishRows::Zero))
}

pub fn create_collation(cx: &mut Cx, this: &PObject, name: &PStr, callback: &Callable) -> Res<bool> {
    let database = database(cx, this)?;
    Ok(!name.is_empty() && database.create_collation(name.as_bytes(), PhpCallable::new(callback), WrongOrder::Warning))
}

pub fn open_blob(
    cx: &mut Cx,
    this: &PObject,
    table: &PStr,
    column: &PStr,
    rowid: i64,
    name: &PStr,
    flags: i64,
) -> Res<OrFalse<Value>> {
    let database = database(cx, this)?;
    let write = flags & i64::from(sys::SQLITE_OPEN_READWRITE) != 0;
    match Blob::open(cx, &database, [name.as_bytes(), table.as_bytes(), column.as_bytes()], rowid, write)? {
        Ok(blob) => {
            let opened = Opened::new(Rc::new(BlobStream::new(blob, write, "SQLite3")));
            let mode: &[u8] = if write { b"r+b" } else { b"rb" };
            Ok(OrFalse(Some(Value::from(to_resource(cx, opened, mode, None, "")))))
        }
        Err(error) => {
            failed(cx, this, "Unable to open blob: ", &error)?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn set_authorizer(cx: &mut Cx, this: &PObject, callback: Option<&Callable>) -> Res<bool> {
    let database = database(cx, this)?;
    database.set_authorizer(authorize, callback.map(PhpCallable::new));
    Ok(true)
}
