//! The state of a PDO object: the driver's connection and the attributes that are the same for all drivers.
//!
//! Invariant: a [`Db`] is shared by the PDO object and its statements; statements hold the object too, so that it outlives them.

use crate::driver::{Connection, Failure, Tried};
use crate::error::{ErrorMode, LastError, report};
use jumbo_abi::{ClassPtr, Cx, PObject, Res, Value};
use jumbo_value::Native;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What statements are objects of.
#[derive(Clone)]
pub struct StatementClass {
    pub class: ClassPtr,
    /// An array, or null.
    pub args: Value,
}

pub struct Db {
    pub connection: Rc<dyn Connection>,
    pub persistent: bool,
    pub error_mode: Cell<ErrorMode>,
    /// `PDO::CASE_*`
    pub case: Cell<i64>,
    /// `PDO::NULL_*`
    pub nulls: Cell<i64>,
    pub stringify: Cell<bool>,
    pub fetch_mode: Cell<i64>,
    /// None: PDOStatement.
    pub statement_class: RefCell<Option<StatementClass>>,
    pub error: RefCell<LastError>,
    /// For drivers that do not know whether a transaction is open.
    began: Cell<bool>,
}

impl Db {
    pub fn new(connection: Rc<dyn Connection>, persistent: bool) -> Db {
        Db {
            connection,
            persistent,
            error_mode: Cell::new(ErrorMode::Exception),
            case: Cell::new(0),
            nulls: Cell::new(0),
            stringify: Cell::new(false),
            fetch_mode: Cell::new(crate::fetch::BOTH),
            statement_class: RefCell::default(),
            error: RefCell::default(),
            began: Cell::new(false),
        }
    }
    pub fn in_transaction(&self) -> bool {
        self.connection.in_transaction().unwrap_or(self.began.get())
    }
    pub fn set_began(&self, began: bool) {
        self.began.set(began);
    }
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        // A collection never happens while something here is being changed; then what is changed is left out, and so kept.
        if let Ok(class) = self.statement_class.try_borrow()
            && let Some(class) = &*class
        {
            visit(&class.args);
        }
        // Several objects may share a persistent connection: its values are nobody's.
        if !self.persistent {
            self.connection.trace(visit);
        }
    }
}

/// Native state of a PDO object.
#[derive(Default)]
pub struct PdoState {
    pub db: RefCell<Option<Rc<Db>>>,
}

impl Native for PdoState {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Ok(db) = self.db.try_borrow()
            && let Some(db) = &*db
        {
            db.trace(visit);
        }
    }
    fn clear(&mut self) {
        if let Some(db) = self.db.take() {
            drop(db.statement_class.take());
            if !db.persistent {
                db.connection.release();
            }
        }
    }
}

/// The connection of an object whose constructor has run.
pub fn db(cx: &mut Cx, this: &PObject) -> Res<Rc<Db>> {
    let db = this.native::<PdoState>().and_then(|s| s.db.borrow().clone());
    match db {
        Some(db) => Ok(db),
        None => {
            let class = ClassPtr::of(this).name.clone();
            Err(cx.throw_error([class.as_bytes(), b" object is uninitialized"].concat()))
        }
    }
}

/// For drivers' own methods: the connection, if it is a `T`.
pub fn with_driver<T: 'static, R>(cx: &mut Cx, this: &PObject, f: impl FnOnce(&mut Cx, &Db, &T) -> Res<R>) -> Res<R> {
    let db = db(cx, this)?;
    match db.connection.as_any().downcast_ref::<T>() {
        Some(driver) => {
            LastError::clear(&db.error);
            f(cx, &db, driver)
        }
        None => {
            let class = ClassPtr::of(this).name.clone();
            Err(cx.throw_error([class.as_bytes(), b" object is uninitialized"].concat()))
        }
    }
}

/// A driver's answer; an error of the database is kept in `slot` and reported, and gives None.
pub fn settled<T>(cx: &mut Cx, db: &Db, slot: &RefCell<LastError>, answer: Tried<T>) -> Res<Option<T>> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Stop(stop)) => Err(stop),
        Err(Failure::Sql(error)) => {
            LastError::set(slot, &error);
            report(cx, db, slot)?;
            Ok(None)
        }
        Err(Failure::Pdo(state, message)) => {
            crate::error::raise(cx, db, slot, state, message)?;
            Ok(None)
        }
        Err(Failure::Emulate) => {
            crate::error::raise(cx, db, slot, *b"IM001", "")?;
            Ok(None)
        }
    }
}
