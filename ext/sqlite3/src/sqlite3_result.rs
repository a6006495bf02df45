//! The class SQLite3Result: the rows of a statement. Every fetch steps the statement itself, which starts again after its last row.

use crate::sqlite3::{EXECUTE, closed, report};
use crate::sys::{self, Statement};
use jumbo_abi::{ClassHooks, Cx, Key, OrFalse, PArray, PObject, PStr, Res, Value};
use jumbo_value::Native;
use std::cell::RefCell;
use std::rc::Rc;

pub static HOOKS: ClassHooks = ClassHooks { uncloneable: true, ..ClassHooks::NONE };

const ASSOC: i64 = 1;
const NUM: i64 = 2;

struct State {
    /// Objects of the database and of the statement.
    held: RefCell<[Value; 2]>,
    statement: Rc<Statement>,
    /// The statement has an object of its own in the program.
    prepared: bool,
    /// Names of the columns, asked for once.
    names: RefCell<Option<Rc<[PStr]>>>,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Ok(held) = self.held.try_borrow() {
            held.iter().for_each(visit);
        }
    }
    fn clear(&mut self) {
        drop(self.held.take());
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // Rows that nobody can fetch any more keep no lock.
        self.statement.reset_quietly();
    }
}

/// An object for the rows of a statement.
pub fn new(cx: &mut Cx, database: &PObject, object: &PObject, statement: Rc<Statement>, prepared: bool) -> Res<PObject> {
    let class = cx.builtin_class(b"sqlite3result");
    let result = cx.new_object(class)?;
    let held = RefCell::new([Value::from(database.clone()), Value::from(object.clone())]);
    // A new object has no state yet.
    let _ = result.set_native(Box::new(State { held, statement, prepared, names: RefCell::default() }));
    Ok(result)
}

pub fn __construct(cx: &mut Cx, _this: &PObject) -> Res<()> {
    // Private: only this extension makes results.
    Err(closed(cx, "SQLite3Result"))
}

fn open<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o State> {
    match this.native::<State>() {
        Some(state) if state.statement.is_open() => Ok(state),
        _ => Err(closed(cx, "SQLite3Result")),
    }
}

pub fn num_columns(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(open(cx, this)?.statement.column_count() as i64)
}

pub fn column_name(cx: &mut Cx, this: &PObject, column: i64) -> Res<OrFalse<PStr>> {
    let state = open(cx, this)?;
    let name = usize::try_from(column).ok().and_then(|n| state.statement.column_name(n));
    Ok(OrFalse(name.map(|n| PStr::new(&n))))
}

pub fn column_type(cx: &mut Cx, this: &PObject, column: i64) -> Res<OrFalse<i64>> {
    let state = open(cx, this)?;
    if state.statement.data_count() == 0 {
        return Ok(OrFalse::FALSE);
    }
    let kind = usize::try_from(column).map_or(sys::SQLITE_NULL, |n| state.statement.column_type(n));
    Ok(OrFalse(Some(i64::from(kind))))
}

pub fn fetch_array(cx: &mut Cx, this: &PObject, mode: i64) -> Res<OrFalse<PArray>> {
    let state = open(cx, this)?;
    let statement = state.statement.clone();
    match statement.step(cx)? {
        sys::SQLITE_ROW => {
            let count = statement.data_count();
            let known = state.names.borrow().clone().filter(|n| n.len() == count);
            let names = match known {
                Some(names) => names,
                None => {
                    let names: Rc<[PStr]> =
                        (0..count).map(|n| PStr::new(&statement.column_name(n).unwrap_or_default())).collect();
                    *state.names.borrow_mut() = Some(names.clone());
                    names
                }
            };
            let mut row = PArray::new();
            for (n, name) in names.iter().enumerate() {
                let value = statement.value(n);
                if mode & NUM != 0 {
                    row.set_int(n as i64, value.clone());
                }
                if mode & ASSOC != 0 {
                    row.set(Key::from_str(name), value);
                }
            }
            Ok(OrFalse(Some(row)))
        }
        sys::SQLITE_DONE => Ok(OrFalse::FALSE),
        code => {
            let error = statement.database().failed(code);
            let database = state.held.borrow()[0].as_object().cloned();
            if let Some(database) = database {
                report(cx, &database, error.code, [EXECUTE.as_bytes(), &error.message].concat())?;
            }
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn reset(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let state = open(cx, this)?;
    let names = state.names.take();
    drop(names);
    Ok(state.statement.clone().reset(cx)? == sys::SQLITE_OK)
}

pub fn finalize(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let state = open(cx, this)?;
    let names = state.names.take();
    drop(names);
    let statement = state.statement.clone();
    if state.prepared {
        statement.reset(cx)?;
    } else {
        statement.free();
    }
    Ok(true)
}
