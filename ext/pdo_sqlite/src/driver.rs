//! The driver: connecting, transactions, attributes, errors.

use crate::file_name;
use crate::statement::SqliteStatement;
use jumbo_abi::{Cx, PArray, PStr, Stop, Value};
use jumbo_ext_pdo::attributes;
use jumbo_ext_pdo::driver::{
    ConnectArgs, Connection, DriverDesc, Failure, GENERAL, Placeholders, SqlError, SqlState, Statement, Tried, UserFunction,
    int_option,
};
use jumbo_ext_pdo::scanner::Dialect;
use jumbo_ext_sqlite3::sys::{self, Database, Failed, FinishRows, PhpCallable, WrongOrder};
use jumbo_value::PStrBuilder;
use std::any::Any;
use std::rc::Rc;

pub static DRIVER: DriverDesc = DriverDesc { name: "sqlite", class: Some("Pdo\\Sqlite"), connect };

/// SQLite understands all placeholders itself; this is for those who scan its SQL.
static DIALECT: Dialect = Dialect {
    quotes: b"'\"`",
    backslash_quotes: b"",
    brackets: true,
    hash_comments: false,
    dashes_need_space: false,
    dollar_quotes: false,
};

const ATTR_OPEN_FLAGS: i64 = 1000;
pub const ATTR_READONLY_STATEMENT: i64 = 1001;
const ATTR_EXTENDED_RESULT_CODES: i64 = 1002;

/// `PDO::ATTR_TIMEOUT` when it is not set.
const TIMEOUT_S: i64 = 60;

/// An error of SQLite as PDO knows it.
pub fn sql_error(failed: &Failed) -> SqlError {
    let state: SqlState = match failed.code {
        sys::SQLITE_NOTFOUND => *b"42S02",
        sys::SQLITE_INTERRUPT => *b"01002",
        sys::SQLITE_TOOBIG => *b"22001",
        sys::SQLITE_CONSTRAINT => *b"23000",
        // SQLITE_NOLFS
        22 => *b"HYC00",
        _ => GENERAL,
    };
    SqlError::new(state, i64::from(failed.code), &failed.message)
}

/// The last error of the database, or that one when SQLite has none.
pub fn last_error(database: &Database, code: i32) -> SqlError {
    let failed = match database.code() {
        0 => Failed { code, message: sys::error_text(code) },
        code => database.failed(code),
    };
    sql_error(&failed)
}

pub struct SqliteConnection {
    pub database: Rc<Database>,
}

fn connect(cx: &mut Cx, args: &ConnectArgs) -> Tried<Rc<dyn Connection>> {
    let prohibited = |cx: &mut Cx| {
        let text = [b"open_basedir prohibits opening ".as_slice(), args.dsn].concat();
        Failure::Stop(jumbo_ext_pdo::error::plain(cx, text))
    };
    let name = match file_name::safe(cx, args.dsn, false) {
        Ok(Some(name)) => name,
        Ok(None) => return Err(prohibited(cx)),
        // The warning became an exception, which this one follows.
        Err(Stop::Thrown) => return Err(prohibited(cx)),
        Err(stop) => return Err(stop.into()),
    };
    let flags = args.int(ATTR_OPEN_FLAGS, i64::from(sys::SQLITE_OPEN_READWRITE | sys::SQLITE_OPEN_CREATE));
    let mut flags = i32::try_from(flags & i64::from(i32::MAX)).unwrap_or(0);
    if name.starts_with(b"file:") {
        flags |= sys::SQLITE_OPEN_URI;
    }
    let database = Database::open(cx, &name, flags).map_err(|failed| sql_error(&failed))?;
    database.set_authorizer(file_name::authorize, None);
    let connection = SqliteConnection { database };
    connection.set_timeout(args.int(attributes::TIMEOUT, TIMEOUT_S));
    Ok(Rc::new(connection))
}

impl SqliteConnection {
    fn set_timeout(&self, seconds: i64) {
        self.database.set_busy_timeout(seconds.saturating_mul(1000));
    }
    fn run(&self, cx: &mut Cx, sql: &[u8]) -> Tried<()> {
        match self.database.exec(cx, sql)? {
            Ok(()) => Ok(()),
            Err(failed) => Err(sql_error(&failed).into()),
        }
    }
}

impl Connection for SqliteConnection {
    fn driver(&self) -> &'static DriverDesc {
        &DRIVER
    }
    fn placeholders(&self, _options: &PArray) -> Placeholders {
        Placeholders::Both
    }
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }
    fn prepare(&self, cx: &mut Cx, sql: &PStr, options: &PArray, _emulated: bool) -> Tried<Rc<dyn Statement>> {
        if int_option(options, attributes::CURSOR, 0) != 0 {
            return Err(last_error(&self.database, sys::SQLITE_ERROR).into());
        }
        match self.database.prepare(cx, sql.as_bytes())? {
            Ok((statement, _)) => Ok(Rc::new(SqliteStatement::new(self.database.clone(), statement))),
            Err(failed) => Err(sql_error(&failed).into()),
        }
    }
    fn execute(&self, cx: &mut Cx, sql: &PStr) -> Tried<i64> {
        self.run(cx, sql.as_bytes())?;
        Ok(self.database.changes())
    }
    fn quote(&self, _cx: &mut Cx, text: &[u8], _type_number: i64) -> Tried<Option<PStr>> {
        // SQLite's limit for a text that may double.
        const LONGEST: usize = (i32::MAX as usize - 3) / 2;
        if text.len() > LONGEST {
            return Ok(None);
        }
        let text = jumbo_value::string::up_to_nul(text);
        let mut quoted = PStrBuilder::with_capacity(text.len() + 2)?;
        quoted.push(b'\'')?;
        for b in text {
            if *b == b'\'' {
                quoted.push(b'\'')?;
            }
            quoted.push(*b)?;
        }
        quoted.push(b'\'')?;
        Ok(Some(quoted.finish()))
    }
    fn begin(&self, cx: &mut Cx) -> Tried<()> {
        self.run(cx, b"BEGIN")
    }
    fn commit(&self, cx: &mut Cx) -> Tried<()> {
        self.run(cx, b"COMMIT")
    }
    fn roll_back(&self, cx: &mut Cx) -> Tried<()> {
        self.run(cx, b"ROLLBACK")
    }
    fn in_transaction(&self) -> Option<bool> {
        Some(self.database.in_transaction())
    }
    fn last_insert_id(&self, _cx: &mut Cx, _name: Option<&PStr>) -> Tried<Option<PStr>> {
        Ok(Some(PStr::new(self.database.last_insert_rowid().to_string().as_bytes())))
    }
    fn set_attribute(&self, cx: &mut Cx, attribute: i64, value: &Value) -> Tried<Option<bool>> {
        match attribute {
            attributes::TIMEOUT => {
                let seconds = attributes::int(cx, value)?;
                self.set_timeout(seconds);
                Ok(Some(true))
            }
            ATTR_EXTENDED_RESULT_CODES => {
                let on = attributes::int(cx, value)?;
                self.database.use_extended_codes(on != 0);
                Ok(Some(true))
            }
            _ => Ok(None),
        }
    }
    fn attribute(&self, _cx: &mut Cx, attribute: i64) -> Tried<Option<Value>> {
        Ok(match attribute {
            attributes::SERVER_VERSION | attributes::CLIENT_VERSION => Some(Value::from(sys::version().0)),
            _ => None,
        })
    }
    fn park(&self, cx: &mut Cx) -> bool {
        if self.database.has_callbacks() || !self.database.is_open() {
            return false;
        }
        if self.database.in_transaction() && !matches!(self.database.exec(cx, b"ROLLBACK"), Ok(Ok(()))) {
            return false;
        }
        self.set_timeout(TIMEOUT_S);
        self.database.use_extended_codes(false);
        true
    }
    fn create_user_function(&self, _cx: &mut Cx, function: &UserFunction) -> Option<bool> {
        Some(match function {
            UserFunction::Function { name, call, arguments, flags } => {
                self.database.create_function(name.as_bytes(), *arguments, *flags, PhpCallable::new(call))
            }
            UserFunction::Aggregate { name, step, finish, arguments } => {
                let (step, finish) = (PhpCallable::new(step), PhpCallable::new(finish));
                self.database.create_aggregate(name.as_bytes(), *arguments, step, finish, FinishRows::OneMore)
            }
            UserFunction::Collation { name, compare } => {
                self.database.create_collation(name.as_bytes(), PhpCallable::new(compare), WrongOrder::Equal)
            }
        })
    }
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.database.trace(visit);
    }
    fn release(&self) {
        self.database.release();
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
