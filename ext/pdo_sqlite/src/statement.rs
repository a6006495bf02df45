//! Prepared statements.

use crate::driver::{ATTR_READONLY_STATEMENT, last_error};
use jumbo_abi::{Cx, PArray, PStr, Value};
use jumbo_ext_pdo::driver::{Executed, Failure, NO_ERROR, Orientation, ParamType, Parameter, SqlError, Statement, Tried};
use jumbo_ext_pdo::parameters::{Bound, to_send};
use jumbo_ext_sqlite3::sys::{self, Database};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub struct SqliteStatement {
    database: Rc<Database>,
    /// None: a text without a statement.
    statement: Option<Rc<sys::Statement>>,
    /// Executing has stepped to the first row already.
    fetched: Cell<bool>,
    done: Cell<bool>,
    /// Names of the columns at the last execution.
    names: RefCell<Vec<PStr>>,
}

impl SqliteStatement {
    pub fn new(database: Rc<Database>, statement: Option<Rc<sys::Statement>>) -> SqliteStatement {
        SqliteStatement { database, statement, fetched: Cell::new(false), done: Cell::new(true), names: RefCell::default() }
    }
    fn statement(&self) -> Tried<&Rc<sys::Statement>> {
        match &self.statement {
            Some(statement) => Ok(statement),
            None => Err(SqlError::new(*b"HY000", i64::from(sys::SQLITE_MISUSE), sys::error_text(sys::SQLITE_MISUSE)).into()),
        }
    }
    fn error(&self, code: i32) -> Failure {
        last_error(&self.database, code).into()
    }
    fn bind(&self, cx: &mut Cx, statement: &sys::Statement, parameter: &Parameter) -> Tried<()> {
        let n = match (parameter.position, &parameter.name) {
            (Some(n), _) => n as i64 + 1,
            (None, Some(name)) => statement.parameter_index(name.as_bytes()),
            (None, None) => 0,
        };
        let code = match to_send(cx, parameter)? {
            Bound::Null => statement.bind_null(n),
            Bound::Int(i) => statement.bind_int(n, i),
            // A bool is sent as the number that it was converted to.
            Bound::Bool(_) => statement.bind_int(n, jumbo_value::convert::to_int(parameter.value.deref())),
            Bound::Str(text) => statement.bind_text(n, text.as_bytes()),
            Bound::Lob(text) => statement.bind_blob(n, text.as_bytes()),
            Bound::Unsupported if parameter.kind == ParamType::Lob => {
                return Err(Failure::Pdo(*b"HY105", "Expected a stream resource".to_owned()));
            }
            // PHP refuses it without a word.
            Bound::Unsupported => return Err(SqlError::new(NO_ERROR, 0, "").into()),
        };
        if code == sys::SQLITE_OK { Ok(()) } else { Err(self.error(code)) }
    }
    /// The columns' names; strings that are the same as before are the same ones.
    fn names(&self, statement: &sys::Statement) -> Vec<PStr> {
        let mut names = self.names.borrow_mut();
        let count = statement.column_count();
        names.truncate(count);
        for n in 0..count {
            let name = statement.column_name(n).unwrap_or_default();
            match names.get_mut(n) {
                Some(known) if known.as_bytes() == name => {}
                Some(known) => *known = PStr::new(&name),
                None => names.push(PStr::new(&name)),
            }
        }
        names.clone()
    }
}

impl Statement for SqliteStatement {
    fn execute(&self, cx: &mut Cx, _sql: Option<&PStr>, parameters: &[Parameter]) -> Tried<Executed> {
        let statement = self.statement()?;
        statement.reset(cx)?;
        self.fetched.set(false);
        self.done.set(true);
        for parameter in parameters {
            self.bind(cx, statement, parameter)?;
        }
        match statement.step(cx)? {
            sys::SQLITE_ROW => {
                self.fetched.set(true);
                self.done.set(false);
                Ok(Executed { columns: self.names(statement), rows: 0 })
            }
            sys::SQLITE_DONE => {
                let columns = self.names(statement);
                let rows = if columns.is_empty() { self.database.changes() } else { 0 };
                statement.reset(cx)?;
                Ok(Executed { columns, rows })
            }
            code => {
                let error = self.error(code);
                statement.reset(cx)?;
                Err(error)
            }
        }
    }
    fn fetch(&self, cx: &mut Cx, _orientation: Orientation, _offset: i64) -> Tried<bool> {
        let statement = self.statement()?;
        if self.fetched.replace(false) {
            return Ok(true);
        }
        if self.done.get() {
            return Ok(false);
        }
        match statement.step(cx)? {
            sys::SQLITE_ROW => Ok(true),
            code => {
                self.done.set(true);
                let error = (code != sys::SQLITE_DONE).then(|| self.error(code));
                statement.reset(cx)?;
                error.map_or(Ok(false), Err)
            }
        }
    }
    fn column(&self, _cx: &mut Cx, n: usize, _wanted: Option<ParamType>) -> Tried<Value> {
        Ok(self.statement()?.value(n))
    }
    fn column_meta(&self, _cx: &mut Cx, n: usize) -> Tried<Option<PArray>> {
        let statement = self.statement()?;
        if n >= statement.column_count() {
            return Err(last_error(&self.database, sys::SQLITE_RANGE).into());
        }
        let mut flags = PArray::new();
        let (native, kind) = match statement.column_type(n) {
            sys::SQLITE_NULL => ("null", 0i64),
            sys::SQLITE_FLOAT => ("double", 2),
            sys::SQLITE_INTEGER => ("integer", 1),
            sys::SQLITE_BLOB => {
                flags.append("blob");
                ("string", 2)
            }
            _ => ("string", 2),
        };
        let mut meta = PArray::new();
        meta.set_sym(b"native_type", native);
        meta.set_sym(b"pdo_type", kind);
        let column = statement.column(n);
        if let Some(declared) = column.declared {
            meta.set_sym(b"sqlite:decl_type", declared);
        }
        if let Some(table) = column.table {
            meta.set_sym(b"table", table);
        }
        meta.set_sym(b"flags", flags);
        Ok(Some(meta))
    }
    fn close_cursor(&self, cx: &mut Cx) -> Tried<()> {
        self.fetched.set(false);
        self.done.set(true);
        if let Some(statement) = &self.statement {
            statement.reset(cx)?;
        }
        Ok(())
    }
    fn has_attributes(&self) -> bool {
        true
    }
    fn attribute(&self, _cx: &mut Cx, attribute: i64) -> Tried<Option<Value>> {
        match attribute {
            ATTR_READONLY_STATEMENT => Ok(Some(Value::from(self.statement()?.is_read_only()))),
            _ => Ok(None),
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
