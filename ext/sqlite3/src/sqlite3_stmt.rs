//! The class SQLite3Stmt: a prepared statement with its bound parameters.

use crate::sqlite3::{EXECUTE, closed, report};
use crate::sqlite3_result;
use crate::sys::{self, Statement};
use jumbo_abi::stream::StreamHandle;
use jumbo_abi::{ClassHooks, Cx, Level, OrFalse, PObject, PRef, PStr, Res, Value, View};
use jumbo_value::{Native, convert};
use std::cell::RefCell;
use std::rc::Rc;

pub static HOOKS: ClassHooks = ClassHooks { uncloneable: true, ..ClassHooks::NONE };

const INTEGER: i64 = 1;
const FLOAT: i64 = 2;
const TEXT: i64 = 3;
const BLOB: i64 = 4;
const NULL: i64 = 5;

struct Parameter {
    number: i64,
    kind: i64,
    /// A value, or the reference of `bindParam`.
    value: Value,
}

struct State {
    database: RefCell<Value>,
    /// None: a text without a statement.
    statement: Option<Rc<Statement>>,
    parameters: RefCell<Vec<Parameter>>,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Ok(database) = self.database.try_borrow() {
            visit(&database);
        }
        if let Ok(parameters) = self.parameters.try_borrow() {
            parameters.iter().for_each(|p| visit(&p.value));
        }
    }
    fn clear(&mut self) {
        drop(self.database.take());
        drop(self.parameters.take());
    }
}

/// An object for a statement of a database.
pub fn new(cx: &mut Cx, database: &PObject, statement: Option<Rc<Statement>>) -> Res<PObject> {
    let class = cx.builtin_class(b"sqlite3stmt");
    let object = cx.new_object(class)?;
    let state = State { database: RefCell::new(Value::from(database.clone())), statement, parameters: RefCell::default() };
    // A new object has no state yet.
    let _ = object.set_native(Box::new(state));
    Ok(object)
}

pub fn __construct(cx: &mut Cx, _this: &PObject, _database: &PObject, _query: &PStr) -> Res<()> {
    // Private: only this extension makes statements.
    Err(closed(cx, "SQLite3"))
}

/// The open statement of an object, and its database's object.
fn open<'o>(cx: &mut Cx, this: &'o PObject) -> Res<(&'o State, Rc<Statement>, PObject)> {
    let Some(state) = this.native::<State>() else { return Err(closed(cx, "SQLite3")) };
    let database = state.database.borrow().as_object().cloned();
    match (&state.statement, database) {
        (Some(statement), Some(database)) if statement.is_open() => Ok((state, statement.clone(), database)),
        (None, Some(_)) => Err(closed(cx, "SQLite3Stmt")),
        _ => Err(closed(cx, "SQLite3")),
    }
}

fn bind(cx: &mut Cx, this: &PObject, param: &Value, value: Value, kind: i64) -> Res<bool> {
    let (state, statement, _) = open(cx, this)?;
    let number = match param.view_deref() {
        View::Int(n) => n,
        View::Str(name) => {
            let bytes = name.as_bytes();
            match bytes.first() {
                Some(b':' | b'@') => statement.parameter_index(bytes),
                _ => statement.parameter_index(&[b":", bytes].concat()),
            }
        }
        _ => 0,
    };
    if number < 1 {
        return Ok(false);
    }
    let new = Parameter { number, kind, value };
    let old = {
        let mut parameters = state.parameters.borrow_mut();
        match parameters.iter().position(|p| p.number == number) {
            Some(at) => Some(std::mem::replace(&mut parameters[at], new)),
            None => {
                parameters.push(new);
                None
            }
        }
    };
    drop(old);
    Ok(true)
}

pub fn bind_param(cx: &mut Cx, this: &PObject, param: &Value, variable: &PRef, kind: i64) -> Res<bool> {
    bind(cx, this, param, Value::from(variable.clone()), kind)
}

pub fn bind_value(cx: &mut Cx, this: &PObject, param: &Value, value: &Value, kind: Option<i64>) -> Res<bool> {
    let value = value.copy_deref();
    let kind = kind.unwrap_or(match value.view() {
        View::Int(_) | View::Bool(_) => INTEGER,
        View::Float(_) => FLOAT,
        View::Null => NULL,
        _ => TEXT,
    });
    bind(cx, this, param, value, kind)
}

/// Gives all parameters to SQLite. False: one could not be bound, which was reported.
fn bind_all(cx: &mut Cx, state: &State, statement: &Statement, database: &PObject) -> Res<()> {
    let parameters: Vec<(i64, i64, Value)> =
        state.parameters.borrow().iter().map(|p| (p.number, p.kind, p.value.clone())).collect();
    for (number, kind, place) in parameters {
        let value = place.copy_deref();
        let code = match kind {
            _ if value.is_null() => statement.bind_null(number),
            INTEGER => {
                let i = number_of(cx, &value, "int")?.map_or_else(|| convert::to_int(&value), |i| i);
                if let Some(reference) = place.as_ref() {
                    reference.set(Value::from(i));
                }
                statement.bind_int(number, i)
            }
            FLOAT => {
                let f = number_of(cx, &value, "float")?.map_or_else(|| convert::to_float(&value), |i| i as f64);
                if let Some(reference) = place.as_ref() {
                    reference.set(Value::from(f));
                }
                statement.bind_float(number, f)
            }
            BLOB => {
                let text = match value.as_resource() {
                    Some(resource) => match resource.native::<StreamHandle>() {
                        Some(handle) => handle.read_all(cx, None)?,
                        None => None,
                    },
                    None => Some(cx.to_string(&value)?),
                };
                match text {
                    Some(text) => statement.bind_blob(number, text.as_bytes()),
                    None => {
                        report(cx, database, 0, format!("Unable to read stream for parameter {number}"))?;
                        continue;
                    }
                }
            }
            TEXT => {
                let text = cx.to_string(&value)?;
                statement.bind_text(number, text.as_bytes())
            }
            NULL => statement.bind_null(number),
            kind => {
                report(cx, database, 0, format!("Unknown parameter type: {kind} for parameter {number}"))?;
                continue;
            }
        };
        if code != sys::SQLITE_OK {
            report(cx, database, code, format!("Unable to bind parameter number {number}"))?;
        }
    }
    Ok(())
}

/// 1 for an object, with PHP's warning, and a resource's number; None: as conversion has it.
fn number_of(cx: &mut Cx, value: &Value, kind: &str) -> Res<Option<i64>> {
    match value.view() {
        View::Object(o) => {
            let class = jumbo_abi::ClassPtr::of(o).name.clone();
            let text = [b"Object of class ".as_slice(), class.as_bytes(), b" could not be converted to ", kind.as_bytes()].concat();
            cx.raise(Level::Warning, &text)?;
            Ok(Some(1))
        }
        View::Resource(r) => Ok(Some(r.id())),
        _ => Ok(None),
    }
}

pub fn execute(cx: &mut Cx, this: &PObject) -> Res<OrFalse<PObject>> {
    let (state, statement, database) = open(cx, this)?;
    // A statement that has been executed goes back to its start.
    statement.reset(cx)?;
    bind_all(cx, state, &statement, &database)?;
    match statement.step(cx)? {
        sys::SQLITE_ROW | sys::SQLITE_DONE => {
            statement.reset(cx)?;
            sqlite3_result::new(cx, &database, this, statement, true).map(|r| OrFalse(Some(r)))
        }
        code => {
            let error = statement.database().failed(code);
            statement.reset(cx)?;
            report(cx, &database, error.code, [EXECUTE.as_bytes(), &error.message].concat())?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn get_sql(cx: &mut Cx, this: &PObject, expand: bool) -> Res<OrFalse<PStr>> {
    let (state, statement, database) = open(cx, this)?;
    bind_all(cx, state, &statement, &database)?;
    let text = if expand { statement.expanded_sql() } else { Some(statement.sql()) };
    Ok(OrFalse(text.map(|t| PStr::new(&t))))
}

pub fn clear(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let (state, statement, database) = open(cx, this)?;
    let code = statement.clear_bindings();
    if code != sys::SQLITE_OK {
        let text = [b"Unable to clear statement: ".as_slice(), &statement.database().message()].concat();
        report(cx, &database, code, text)?;
        return Ok(false);
    }
    let old = state.parameters.take();
    drop(old);
    Ok(true)
}

pub fn close(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let (_, statement, _) = open(cx, this)?;
    statement.free();
    Ok(true)
}

pub fn param_count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(open(cx, this)?.1.parameter_count())
}

pub fn read_only(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(open(cx, this)?.1.is_read_only())
}

pub fn reset(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let (_, statement, database) = open(cx, this)?;
    let code = statement.reset(cx)?;
    if code != sys::SQLITE_OK {
        let text = [b"Unable to reset statement: ".as_slice(), &statement.database().message()].concat();
        report(cx, &database, code, text)?;
        return Ok(false);
    }
    Ok(true)
}
