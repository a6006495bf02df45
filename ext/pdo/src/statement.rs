//! The state of a PDOStatement: preparing, executing, its columns.
//!
//! Invariant: no `RefCell` here is borrowed across anything that takes `cx`, because PHP code may use the same statement meanwhile.

use crate::connection::{Db, StatementClass, settled};
use crate::driver::{Executed, Failure, Placeholders, Statement};
use crate::error::{LastError, raise, report};
use crate::fetch::FetchConfig;
use crate::parameters::{self, BoundColumn, BoundParameter};
use crate::scanner::{self, Tokens};
use crate::{attributes, driver};
use jumbo_abi::{Callable, ClassPtr, Cx, FnPtr, Key, PArray, PObject, PStr, Res, Value};
use jumbo_value::Native;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How the placeholders of a statement reach the database.
pub enum Binding {
    /// By the database, which knows names and positions.
    Native,
    /// By position; the names that were written there.
    Positional(Vec<Option<PStr>>),
    /// Literals are put into the text at these places.
    Emulated(Tokens),
}

/// A column's name, and the key that it is in arrays.
pub struct ColumnName {
    pub name: PStr,
    pub key: Key,
}

impl ColumnName {
    pub fn as_bytes(&self) -> &[u8] {
        self.name.as_bytes()
    }
}

pub struct Stmt {
    pub db: Rc<Db>,
    pub driver: Rc<dyn Statement>,
    pub query: PStr,
    pub binding: Binding,
    pub executed: Cell<bool>,
    pub columns: RefCell<Rc<[ColumnName]>>,
    pub rows: Cell<i64>,
    pub parameters: RefCell<Vec<BoundParameter>>,
    pub bound_columns: RefCell<Vec<BoundColumn>>,
    pub fetch: RefCell<Rc<FetchConfig>>,
    pub error: RefCell<LastError>,
    /// The text that was sent last (emulation).
    pub sent: RefCell<Option<PStr>>,
    /// Holds the connection's object for as long as the statement lives.
    pdo: RefCell<Value>,
}

/// Native state of a PDOStatement object.
#[derive(Default)]
pub struct StatementState {
    stmt: RefCell<Option<Rc<Stmt>>>,
}

impl Native for StatementState {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        // What is being changed while a collection happens is left out, and so kept.
        let Ok(stmt) = self.stmt.try_borrow() else { return };
        let Some(stmt) = &*stmt else { return };
        if let Ok(pdo) = stmt.pdo.try_borrow() {
            visit(&pdo);
        }
        if let Ok(parameters) = stmt.parameters.try_borrow() {
            for p in parameters.iter() {
                visit(&p.parameter.value);
                visit(&p.parameter.driver_options);
            }
        }
        if let Ok(columns) = stmt.bound_columns.try_borrow() {
            columns.iter().for_each(|c| visit(&c.target));
        }
        if let Ok(fetch) = stmt.fetch.try_borrow() {
            visit(&fetch.args);
            visit(&fetch.into);
        }
        stmt.driver.trace(visit);
    }
    fn clear(&mut self) {
        if let Some(stmt) = self.stmt.take() {
            stmt.let_go();
        }
    }
}

impl Stmt {
    fn let_go(&self) {
        drop(self.parameters.take());
        drop(self.bound_columns.take());
        drop(self.fetch.take());
        drop(self.pdo.take());
    }
    /// Takes over the description of a result set.
    pub fn describe(&self, executed: Executed) {
        let case = self.db.case.get();
        // A statement that runs again usually has the same columns.
        let same = {
            let known = self.columns.borrow();
            known.len() == executed.columns.len() && known.iter().zip(&executed.columns).all(|(a, b)| a.name.ptr_eq(b))
        };
        if same && case == 0 {
            self.rows.set(executed.rows);
            return;
        }
        let names: Rc<[ColumnName]> = executed
            .columns
            .into_iter()
            .map(|name| match case {
                1 => PStr::new(&name.as_bytes().to_ascii_uppercase()),
                2 => PStr::new(&name.as_bytes().to_ascii_lowercase()),
                _ => name,
            })
            .map(|name| ColumnName { key: Key::from_str(&name), name })
            .collect();
        for bound in self.bound_columns.borrow_mut().iter_mut() {
            if let Some(name) = &bound.name {
                bound.position = names.iter().position(|n| n.as_bytes() == name.as_bytes()).or(bound.position);
            }
        }
        *self.columns.borrow_mut() = names;
        self.rows.set(executed.rows);
    }
    pub fn names(&self) -> Rc<[ColumnName]> {
        self.columns.borrow().clone()
    }
}

/// The statement of an object that `prepare` or `query` made.
pub fn of(cx: &mut Cx, this: &PObject) -> Res<Rc<Stmt>> {
    let stmt = this.native::<StatementState>().and_then(|s| s.stmt.borrow().clone());
    match stmt {
        Some(stmt) => Ok(stmt),
        None => {
            let class = ClassPtr::of(this).name.clone();
            Err(cx.throw_error([class.as_bytes(), b" object is uninitialized"].concat()))
        }
    }
}

/// A statement's object whose constructor was not called yet.
pub struct New {
    pub object: PObject,
    class: ClassPtr,
    args: Value,
}

impl New {
    pub fn construct(&self, cx: &mut Cx) -> Res<()> {
        let Some(constructor) = self.class.magic.constructor else { return Ok(()) };
        let args = self.args.as_array().cloned().unwrap_or_default();
        call_constructor(cx, constructor, &self.object, &args).map(drop)
    }
}

/// Calls a constructor, whatever its visibility.
pub fn call_constructor(cx: &mut Cx, constructor: FnPtr, object: &PObject, args: &PArray) -> Res<Value> {
    let callable = Callable {
        function: constructor,
        this: Some(object.clone()),
        class: Some(ClassPtr::of(object)),
        closure: None,
        magic_name: None,
        value: Value::null(),
    };
    cx.call_with_array(&callable, args)
}

/// `PDO::prepare` without the constructor. None: it did not succeed, which was reported.
pub fn prepare(cx: &mut Cx, pdo: &PObject, db: &Rc<Db>, query: &PStr, options: &PArray) -> Res<Option<New>> {
    let class = match options.get_int(attributes::STATEMENT_CLASS).map(Value::copy_deref) {
        Some(value) => Some(attributes::statement_class(cx, &value)?),
        None => db.statement_class.borrow().clone(),
    };
    let StatementClass { class, args } =
        class.unwrap_or_else(|| StatementClass { class: cx.builtin_class(b"pdostatement"), args: Value::null() });
    if class.magic.constructor.is_none() && args.as_array().is_some_and(|a| !a.is_empty()) {
        return Err(cx.throw_error("User-supplied statement does not accept constructor arguments"));
    }
    let object = cx.new_object(class)?;
    let Some((driver, binding)) = prepare_at_driver(cx, db, query, options)? else { return Ok(None) };
    let stmt = Stmt {
        db: db.clone(),
        driver,
        query: query.clone(),
        binding,
        executed: Cell::new(false),
        columns: RefCell::new(Rc::from([])),
        rows: Cell::new(0),
        parameters: RefCell::default(),
        bound_columns: RefCell::default(),
        fetch: RefCell::new(Rc::new(FetchConfig { mode: db.fetch_mode.get(), ..FetchConfig::default() })),
        error: RefCell::default(),
        sent: RefCell::default(),
        pdo: RefCell::new(Value::from(pdo.clone())),
    };
    if let Some(state) = object.native::<StatementState>() {
        *state.stmt.borrow_mut() = Some(Rc::new(stmt));
    }
    object.set_slot(crate::pdo_statement::QUERY_STRING, Value::from(query.clone()));
    Ok(Some(New { object, class, args }))
}

fn prepare_at_driver(cx: &mut Cx, db: &Db, query: &PStr, options: &PArray) -> Res<Option<(Rc<dyn Statement>, Binding)>> {
    let connection = &db.connection;
    let placeholders = connection.placeholders(options);
    if placeholders != Placeholders::None {
        let (sql, binding) = match placeholders {
            Placeholders::Both => (query.clone(), Binding::Native),
            _ => match scanner::rewrite(query.as_bytes(), connection.dialect(), placeholders == Placeholders::Named) {
                Ok(rewritten) => (rewritten.sql, Binding::Positional(rewritten.names)),
                Err(scanner::Unusable::Memory(refused)) => return Err(refused.into()),
                Err(scanner::Unusable::Mixed) => {
                    raise(cx, db, &db.error, *b"HY093", "mixed named and positional parameters")?;
                    // It is the driver's error, too.
                    report(cx, db, &db.error)?;
                    return Ok(None);
                }
            },
        };
        match connection.prepare(cx, &sql, options, false) {
            Err(Failure::Emulate) => {}
            answer => return Ok(settled(cx, db, &db.error, answer)?.map(|driver| (driver, binding))),
        }
    }
    let tokens = scanner::scan(query.as_bytes(), connection.dialect())?;
    let answer = connection.prepare(cx, query, options, true);
    Ok(settled(cx, db, &db.error, answer)?.map(|driver| (driver, Binding::Emulated(tokens))))
}

/// Runs a statement with what is bound. False: it did not succeed, which was reported.
pub fn execute(cx: &mut Cx, s: &Rc<Stmt>) -> Res<bool> {
    LastError::clear(&s.error);
    let answer = match &s.binding {
        Binding::Emulated(tokens) => {
            let Some(sql) = parameters::emulated(cx, s, tokens)? else { return Ok(false) };
            *s.sent.borrow_mut() = (!tokens.is_empty()).then(|| sql.clone());
            s.driver.execute(cx, Some(&sql), &[])
        }
        Binding::Positional(names) if s.parameters.borrow().len() < names.len() => {
            raise(cx, &s.db, &s.error, *b"HY093", "")?;
            return Ok(false);
        }
        Binding::Native | Binding::Positional(_) => {
            let list: Vec<driver::Parameter> = s.parameters.borrow().iter().map(|p| p.parameter.clone()).collect();
            s.driver.execute(cx, None, &list)
        }
    };
    match settled(cx, &s.db, &s.error, answer)? {
        Some(executed) => {
            s.describe(executed);
            s.executed.set(true);
            Ok(true)
        }
        None => Ok(false),
    }
}

/// The next result set. False: there is none, or it failed.
pub fn next_rowset(cx: &mut Cx, s: &Rc<Stmt>) -> Res<bool> {
    let answer = s.driver.next_rowset(cx);
    match settled(cx, &s.db, &s.error, answer)? {
        Some(Some(executed)) => {
            s.describe(executed);
            Ok(true)
        }
        Some(None) => {
            s.describe(Executed::default());
            Ok(false)
        }
        None => Ok(false),
    }
}
