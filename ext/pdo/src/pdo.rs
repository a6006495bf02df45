//! The class PDO.

use crate::attributes;
use crate::connection::{Db, PdoState, db, settled};
use crate::driver::{self, ConnectArgs, DriverDesc, Failure, UserFunction};
use jumbo_abi::throwable::slots;
use crate::error::{LastError, connect_failed, plain, raise};
use crate::persistent;
use crate::statement;
use jumbo_abi::{Callable, ClassHooks, ClassPtr, Cx, KeyRef, OrFalse, PArray, PObject, PStr, Res, Stop, Value};
use jumbo_value::Native;
use std::rc::Rc;

pub static HOOKS: ClassHooks = ClassHooks { create: Some(create), uncloneable: true, ..ClassHooks::NONE };

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    let state: Box<dyn Native> = Box::new(PdoState::default());
    // A new object has no state yet.
    let _ = object.set_native(state);
    Ok(())
}

pub fn pdo_drivers(_cx: &mut Cx) -> PArray {
    driver::all().iter().map(|d| Value::from(d.name)).collect()
}

pub fn get_available_drivers(cx: &mut Cx, _class: ClassPtr) -> PArray {
    pdo_drivers(cx)
}

/// A data source name, aliases of php.ini and `uri:` followed.
fn data_source(cx: &mut Cx, dsn: &PStr) -> Res<Vec<u8>> {
    let function = cx.active_function_name();
    let refuse = |cx: &mut Cx, what: &str| {
        let text = [function.as_slice(), b"(): Argument #1 ($dsn) must be a valid data source ", what.as_bytes()].concat();
        plain(cx, text)
    };
    let mut dsn = dsn.as_bytes().to_vec();
    if !dsn.contains(&b':') {
        let name = [b"pdo.dsn.".as_slice(), &dsn].concat();
        let alias = std::str::from_utf8(&name).ok().map(|n| cx.ini.str(n).to_vec()).unwrap_or_default();
        if alias.is_empty() {
            return Err(refuse(cx, "name"));
        }
        if !alias.contains(&b':') {
            let text = ["invalid data source name (via INI: ".as_bytes(), &name, b")"].concat();
            return Err(plain(cx, text));
        }
        dsn = alias;
    }
    if let Some(uri) = dsn.strip_prefix(b"uri:") {
        let options = jumbo_abi::stream::OpenOptions::default();
        let opened = jumbo_abi::stream::open(cx, uri, b"rb", &options)?;
        let line = match opened.as_ref().and_then(|r| r.native::<jumbo_abi::stream::StreamHandle>()) {
            Some(handle) => handle.read_line(cx, Some(512))?,
            None => None,
        };
        let Some(line) = line else { return Err(refuse(cx, "URI")) };
        // A NUL ends it.
        dsn = jumbo_value::string::up_to_nul(line.as_bytes()).trim_ascii_end().to_vec();
        if !dsn.contains(&b':') {
            return Err(refuse(cx, "name (via URI)"));
        }
    }
    Ok(dsn)
}

/// The driver of a data source name, and what follows the colon.
fn driver_of<'d>(cx: &mut Cx, dsn: &'d [u8]) -> Res<(&'static DriverDesc, &'d [u8])> {
    let at = dsn.iter().position(|b| *b == b':').unwrap_or(dsn.len());
    match driver::find(&dsn[..at]) {
        Some(driver) => Ok((driver, dsn.get(at + 1..).unwrap_or_default())),
        None => Err(plain(cx, "could not find driver")),
    }
}

/// The class that an object of `class` for a driver is of; another driver's class is refused.
fn class_for(cx: &mut Cx, driver: &DriverDesc, class: ClassPtr, method: &str) -> Res<ClassPtr> {
    let pdo = cx.builtin_class(b"pdo");
    let own = match driver.class {
        Some(name) => cx.builtin_class(name.to_ascii_lowercase().as_bytes()),
        None => pdo,
    };
    if class == pdo && method == "connect" {
        return Ok(own);
    }
    // A subclass of PDO itself may be made with `new` for any driver.
    let driver_class = driver::all().into_iter().filter_map(|d| d.class).map(|name| cx.builtin_class(name.to_ascii_lowercase().as_bytes()));
    let of_driver = driver_class.into_iter().find(|c| class.is_a(*c));
    let fits = match of_driver {
        Some(of_driver) => of_driver == own,
        None => method != "connect",
    };
    if fits {
        return Ok(class);
    }
    let text = [
        class.name.as_bytes(),
        b"::",
        method.as_bytes(),
        b"() cannot be used for connecting to the \"",
        driver.name.as_bytes(),
        b"\" driver, either call ",
        own.name.as_bytes(),
        b"::",
        method.as_bytes(),
        b"() or PDO::",
        method.as_bytes(),
        b"() instead",
    ];
    Err(plain(cx, text.concat()))
}

/// The constructor's work.
fn open(
    cx: &mut Cx,
    this: &PObject,
    driver: &'static DriverDesc,
    rest: &[u8],
    user: Option<&PStr>,
    password: Option<&PStr>,
    options: Option<&PArray>,
) -> Res<()> {
    let none = PArray::new();
    let options = options.unwrap_or(&none);
    let persistent = options.get_int(attributes::PERSISTENT).map(Value::copy_deref);
    let key = match persistent {
        Some(value) if value.as_str().is_some_and(|s| jumbo_value::number::parse_prefix(s.as_bytes()).is_none() && !s.is_empty()) => {
            Some(value.as_bytes().unwrap_or_default().to_vec())
        }
        Some(value) if jumbo_value::convert::to_bool(&value) => Some(Vec::new()),
        _ => None,
    };
    let bytes = |s: Option<&PStr>| s.map(|s| s.as_bytes().to_vec()).unwrap_or_default();
    let key = key.map(|k| persistent::key(driver.name, &[rest, &bytes(user), &bytes(password), &k]));
    let mut known = None;
    if let Some(key) = &key {
        known = persistent::leased(cx, key);
        if known.is_none()
            && let Some(connection) = persistent::take(cx, key)
        {
            let db = Rc::new(Db::new(connection, true));
            persistent::keep(cx, key.clone(), db.clone());
            known = Some(db);
        }
    }
    let db = match known {
        Some(db) => db,
        None => {
            let arguments = ConnectArgs { dsn: rest, user, password, options, persistent_key: key.as_deref() };
            let connected = cx.throwing_warnings("PDOException", |cx| Ok((driver.connect)(cx, &arguments)));
            let connection = match connected? {
                Ok(connection) => connection,
                Err(Failure::Stop(stop)) => return Err(stop),
                Err(Failure::Sql(error)) => {
                    // A warning that the driver gave is an exception already: the one before this one.
                    let previous = cx.exception.take();
                    let stop = connect_failed(cx, &error);
                    if let (Some(previous), Some(exception)) = (previous, &cx.exception) {
                        exception.set_slot(slots::PREVIOUS, Value::from(previous));
                    }
                    return Err(stop);
                }
                Err(Failure::Pdo(_, message)) => return Err(plain(cx, message)),
                Err(Failure::Emulate) => return Err(plain(cx, "Constructor failed")),
            };
            let db = Rc::new(Db::new(connection, key.is_some()));
            if let Some(key) = key {
                persistent::keep(cx, key, db.clone());
            }
            db
        }
    };
    let old = this.native::<PdoState>().and_then(|s| s.db.replace(Some(db.clone())));
    drop(old);
    for (key, value) in options {
        if let KeyRef::Int(attribute) = key
            && attribute != attributes::PERSISTENT
        {
            attributes::set(cx, &db, attribute, &value.copy_deref())?;
        }
    }
    *db.error.borrow_mut() = LastError::default();
    Ok(())
}

pub fn __construct(
    cx: &mut Cx,
    this: &PObject,
    dsn: &PStr,
    username: Option<&PStr>,
    password: Option<&PStr>,
    options: Option<&PArray>,
) -> Res<()> {
    let dsn = data_source(cx, dsn)?;
    let (driver, rest) = driver_of(cx, &dsn)?;
    class_for(cx, driver, ClassPtr::of(this), "__construct")?;
    open(cx, this, driver, rest, username, password, options)
}

pub fn connect(
    cx: &mut Cx,
    class: ClassPtr,
    dsn: &PStr,
    username: Option<&PStr>,
    password: Option<&PStr>,
    options: Option<&PArray>,
) -> Res<PObject> {
    let name = data_source(cx, dsn)?;
    let (driver, rest) = driver_of(cx, &name)?;
    let class = class_for(cx, driver, class, "connect")?;
    let object = cx.new_object(class)?;
    match class.magic.constructor {
        Some(constructor) if constructor.desc().is_none() => {
            let args = [
                Value::from(dsn.clone()),
                Value::from(username.cloned()),
                Value::from(password.cloned()),
                Value::from(options.cloned()),
            ];
            cx.call_function(constructor, Some(&object), Some(class), &args)?;
        }
        _ => open(cx, &object, driver, rest, username, password, options)?,
    }
    Ok(object)
}

fn start(cx: &mut Cx, this: &PObject) -> Res<Rc<Db>> {
    let db = db(cx, this)?;
    LastError::clear(&db.error);
    Ok(db)
}

pub fn begin_transaction(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let db = start(cx, this)?;
    if db.in_transaction() {
        return Err(plain(cx, "There is already an active transaction"));
    }
    let answer = db.connection.begin(cx);
    let done = settled(cx, &db, &db.error, answer)?.is_some();
    if done {
        db.set_began(true);
    }
    Ok(done)
}

fn end_transaction(cx: &mut Cx, this: &PObject, commit: bool) -> Res<bool> {
    let db = start(cx, this)?;
    if !db.in_transaction() {
        return Err(no_transaction(cx));
    }
    let answer = if commit { db.connection.commit(cx) } else { db.connection.roll_back(cx) };
    let done = settled(cx, &db, &db.error, answer)?.is_some();
    if done {
        db.set_began(false);
    }
    Ok(done)
}

fn no_transaction(cx: &mut Cx) -> Stop {
    plain(cx, "There is no active transaction")
}

pub fn commit(cx: &mut Cx, this: &PObject) -> Res<bool> {
    end_transaction(cx, this, true)
}

pub fn roll_back(cx: &mut Cx, this: &PObject) -> Res<bool> {
    end_transaction(cx, this, false)
}

pub fn in_transaction(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(db(cx, this)?.in_transaction())
}

pub fn error_code(cx: &mut Cx, this: &PObject) -> Res<Option<PStr>> {
    let db = db(cx, this)?;
    let state = db.error.borrow().state;
    Ok(state.map(|s| PStr::new(&s)))
}

pub fn error_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let db = db(cx, this)?;
    let info = db.error.borrow().info();
    Ok(info)
}

pub fn exec(cx: &mut Cx, this: &PObject, sql: &PStr) -> Res<OrFalse<i64>> {
    if sql.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let db = start(cx, this)?;
    let answer = db.connection.execute(cx, sql);
    settled(cx, &db, &db.error, answer).map(OrFalse)
}

pub fn get_attribute(cx: &mut Cx, this: &PObject, attribute: i64) -> Res<Value> {
    let db = start(cx, this)?;
    attributes::get(cx, &db, attribute)
}

pub fn set_attribute(cx: &mut Cx, this: &PObject, attribute: i64, value: &Value) -> Res<bool> {
    let db = start(cx, this)?;
    attributes::set(cx, &db, attribute, value)
}

pub fn last_insert_id(cx: &mut Cx, this: &PObject, name: Option<&PStr>) -> Res<OrFalse<PStr>> {
    let db = start(cx, this)?;
    let answer = db.connection.last_insert_id(cx, name);
    match settled(cx, &db, &db.error, answer)? {
        Some(Some(id)) => Ok(OrFalse(Some(id))),
        Some(None) => {
            raise(cx, &db, &db.error, *b"IM001", "driver does not support lastInsertId()")?;
            Ok(OrFalse::FALSE)
        }
        None => Ok(OrFalse::FALSE),
    }
}

pub fn quote(cx: &mut Cx, this: &PObject, string: &PStr, kind: i64) -> Res<OrFalse<PStr>> {
    let db = start(cx, this)?;
    let answer = db.connection.quote(cx, string.as_bytes(), kind);
    Ok(OrFalse(settled(cx, &db, &db.error, answer)?.flatten()))
}

pub fn prepare(cx: &mut Cx, this: &PObject, query: &PStr, options: &PArray) -> Res<OrFalse<PObject>> {
    let db = start(cx, this)?;
    if query.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let Some(new) = statement::prepare(cx, this, &db, query, options)? else { return Ok(OrFalse::FALSE) };
    new.construct(cx)?;
    Ok(OrFalse(Some(new.object)))
}

pub fn query(cx: &mut Cx, this: &PObject, query: &PStr, mode: Option<i64>, args: &[Value]) -> Res<OrFalse<PObject>> {
    let db = start(cx, this)?;
    if query.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let Some(new) = statement::prepare(cx, this, &db, query, &PArray::new())? else { return Ok(OrFalse::FALSE) };
    let s = statement::of(cx, &new.object)?;
    if let Some(mode) = mode {
        crate::fetch::set_mode(cx, &s, mode, args, 2)?;
    }
    let done = statement::execute(cx, &s);
    if !matches!(done, Ok(true)) {
        // What went wrong is the connection's error too: the statement is not seen by anybody.
        let error = s.error.borrow().clone();
        *db.error.borrow_mut() = error;
        return done.map(|_| OrFalse::FALSE);
    }
    new.construct(cx)?;
    Ok(OrFalse(Some(new.object)))
}

// ---- methods that only objects of some drivers have

fn user_function(cx: &mut Cx, this: &PObject, method: &str, function: &UserFunction) -> Res<bool> {
    let db = start(cx, this)?;
    match db.connection.create_user_function(cx, function) {
        Some(done) => Ok(done),
        None => {
            let class = ClassPtr::of(this).name.clone();
            Err(cx.throw_error([b"Call to undefined method ".as_slice(), class.as_bytes(), b"::", method.as_bytes(), b"()"].concat()))
        }
    }
}

pub fn sqlite_create_function(cx: &mut Cx, this: &PObject, name: &PStr, call: &Callable, arguments: i64, flags: i64) -> Res<bool> {
    user_function(cx, this, "sqliteCreateFunction", &UserFunction::Function { name, call, arguments, flags })
}

pub fn sqlite_create_aggregate(
    cx: &mut Cx,
    this: &PObject,
    name: &PStr,
    step: &Callable,
    finish: &Callable,
    arguments: i64,
) -> Res<bool> {
    user_function(cx, this, "sqliteCreateAggregate", &UserFunction::Aggregate { name, step, finish, arguments })
}

pub fn sqlite_create_collation(cx: &mut Cx, this: &PObject, name: &PStr, compare: &Callable) -> Res<bool> {
    user_function(cx, this, "sqliteCreateCollation", &UserFunction::Collation { name, compare })
}
