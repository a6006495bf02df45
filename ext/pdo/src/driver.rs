//! What a PDO driver implements: [`DriverDesc`], [`Connection`], [`Statement`].
//!
//! A driver is an extension crate of its own that depends on this one. It offers its [`DriverDesc`] in
//! [`Extension::services`](jumbo_abi::Extension::services), which is how `PDO` finds it:
//! ```ignore
//! static DRIVER: DriverDesc = DriverDesc { name: "sqlite", class: Some("Pdo\\Sqlite"), connect };
//! pub static EXTENSION: Extension = Extension { services: &[&DRIVER], … };
//! ```
//!
//! # Division of work
//! The core (this crate) has the PHP classes, error modes, fetch modes, bound columns, attributes that are the same for all drivers, the SQL
//! scanner, emulated parameters, persistent connections. A driver talks to the database: it connects, prepares, executes with parameters,
//! fetches columns, quotes.
//!
//! # Parameters
//! [`Connection::placeholders`] says for each `prepare` what the database understands. [`Placeholders::Both`]: the SQL reaches
//! [`Connection::prepare`] as written. [`Placeholders::Positional`]: the core scans it, rewrites `:name` to `?`, and gives parameters by
//! position. [`Placeholders::None`]: the core puts quoted values into the text at each execution ([`Statement::execute`] gets the text), for
//! which it asks [`Connection::quote`]. A driver whose server cannot prepare a certain statement answers
//! [`Failure::Emulate`] from `prepare`, and the core starts again with emulation.
//!
//! # Invariants
//! - Everything takes `&self`: callbacks into PHP may use the same connection again. No `RefCell` of a driver is borrowed across anything
//!   that takes `cx`.
//! - Waiting is done with [`Cx::wait`]: an executor never blocks.
//! - A connection belongs to one instance. A persistent one is leased: [`Connection::park`] is called at the end of the request, after
//!   which it may hold nothing of the request's heap.
//! - PHP values that a connection holds (callbacks) are reported by [`Connection::trace`].

use crate::scanner::Dialect;
use jumbo_abi::{Callable, Cx, PArray, PStr, Stop, Value};
use std::any::Any;
use std::rc::Rc;

/// Why an operation did not succeed.
pub enum Failure {
    /// An exception or the end of the request.
    Stop(Stop),
    /// The database says no. The core keeps it for `errorInfo()` and reports it by the error mode.
    Sql(SqlError),
    /// PDO's own words for a SQLSTATE, without a number of the driver.
    Pdo(SqlState, String),
    /// Only as answer of [`Connection::prepare`]: the server cannot prepare this; emulate.
    Emulate,
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stop(stop)
    }
}

impl From<jumbo_value::OutOfMemory> for Failure {
    fn from(refused: jumbo_value::OutOfMemory) -> Failure {
        Failure::Stop(refused.into())
    }
}

impl From<SqlError> for Failure {
    fn from(error: SqlError) -> Failure {
        Failure::Sql(error)
    }
}

pub type Tried<T> = Result<T, Failure>;

/// SQLSTATE, the driver's own number and text: what `errorInfo()` gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlError {
    pub state: SqlState,
    pub code: i64,
    pub message: Vec<u8>,
}

pub type SqlState = [u8; 5];

pub const NO_ERROR: SqlState = *b"00000";
pub const GENERAL: SqlState = *b"HY000";

impl SqlError {
    pub fn new(state: SqlState, code: i64, message: impl AsRef<[u8]>) -> SqlError {
        SqlError { state, code, message: message.as_ref().to_vec() }
    }
}

/// What a parameter or column is (`PDO::PARAM_*` without its flags).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamType {
    Null,
    Int,
    Str,
    Lob,
    Stmt,
    Bool,
}

impl ParamType {
    pub const INPUT_OUTPUT: i64 = 0x8000_0000;
    /// National character set string (`PDO::PARAM_STR_NATL`).
    pub const NATIONAL: i64 = 0x4000_0000;
    pub const CHAR: i64 = 0x2000_0000;
    const FLAGS: i64 = 0xFFFF_0000;

    /// The type of a number as PHP code gives it; what is unknown is a string.
    pub fn of(number: i64) -> ParamType {
        match number & !Self::FLAGS {
            0 => ParamType::Null,
            1 => ParamType::Int,
            3 => ParamType::Lob,
            4 => ParamType::Stmt,
            5 => ParamType::Bool,
            _ => ParamType::Str,
        }
    }
}

/// A bound parameter.
#[derive(Clone)]
pub struct Parameter {
    /// From 0; absent for a name that the database looks up itself.
    pub position: Option<usize>,
    /// With its colon.
    pub name: Option<PStr>,
    pub kind: ParamType,
    /// As PHP code gave it, flags included.
    pub type_number: i64,
    /// A value, or the reference of `bindParam`.
    pub value: Value,
    pub max_length: i64,
    pub driver_options: Value,
}

/// What placeholders the database understands itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeholders {
    /// None: parameters are put into the text.
    None,
    /// `?` only.
    Positional,
    /// Only `:name`, where the n-th is written `:pdo{n}`.
    Named,
    Both,
}

/// What an execution brought.
#[derive(Default)]
pub struct Executed {
    /// Names of the columns as the database gives them; empty without a result set.
    pub columns: Vec<PStr>,
    /// `rowCount()`.
    pub rows: i64,
}

/// Where a fetch goes, for scrollable cursors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    Next,
    Prior,
    First,
    Last,
    Absolute,
    Relative,
}

/// What `new PDO` was given.
pub struct ConnectArgs<'a> {
    /// What follows the colon of the data source name.
    pub dsn: &'a [u8],
    pub user: Option<&'a PStr>,
    pub password: Option<&'a PStr>,
    /// By attribute number; empty when there are none.
    pub options: &'a PArray,
    /// Of a persistent connection: what tells it from others. A driver may keep its connections itself, by this key.
    pub persistent_key: Option<&'a [u8]>,
}

impl ConnectArgs<'_> {
    /// An option as int.
    pub fn int(&self, attribute: i64, default: i64) -> i64 {
        int_option(self.options, attribute, default)
    }
    /// `key=value` pairs of the data source name, separated by semicolons; a doubled semicolon is one in the value.
    pub fn parameters(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let mut pairs = Vec::new();
        // A NUL ends the name, as it ends PHP's.
        let mut rest = jumbo_value::string::up_to_nul(self.dsn);
        while let Some(equals) = rest.iter().position(|b| *b == b'=') {
            let key = rest[..equals].trim_ascii_start().to_vec();
            rest = &rest[equals + 1..];
            let mut value = Vec::new();
            let mut at = 0;
            while at < rest.len() {
                if rest[at] == b';' {
                    if rest.get(at + 1) != Some(&b';') {
                        break;
                    }
                    at += 1;
                }
                value.push(rest[at]);
                at += 1;
            }
            rest = rest.get(at + 1..).unwrap_or_default();
            pairs.push((key, value));
        }
        pairs
    }
}

/// An option as int, as `(int)` makes it.
pub fn int_option(options: &PArray, attribute: i64, default: i64) -> i64 {
    options.get_int(attribute).map_or(default, |v| jumbo_value::convert::to_int(v.deref()))
}

/// One driver.
pub struct DriverDesc {
    /// The scheme of its data source names.
    pub name: &'static str,
    /// Its subclass of PDO.
    pub class: Option<&'static str>,
    pub connect: fn(&mut Cx, &ConnectArgs) -> Tried<Rc<dyn Connection>>,
}

/// A function written in PHP for a database that runs in this process (`PDO::sqliteCreateFunction` and its like).
pub enum UserFunction<'a> {
    Function { name: &'a PStr, call: &'a Callable, arguments: i64, flags: i64 },
    Aggregate { name: &'a PStr, step: &'a Callable, finish: &'a Callable, arguments: i64 },
    Collation { name: &'a PStr, compare: &'a Callable },
}

/// A connection to a database. See the module for what all methods must keep to.
pub trait Connection: Any {
    fn driver(&self) -> &'static DriverDesc;

    fn placeholders(&self, options: &PArray) -> Placeholders;
    /// How the database's SQL writes strings, names and comments.
    fn dialect(&self) -> &'static Dialect;
    /// `emulated`: each execution gets its own text, nothing is to be prepared at the server.
    fn prepare(&self, cx: &mut Cx, sql: &PStr, options: &PArray, emulated: bool) -> Tried<Rc<dyn Statement>>;
    /// Runs SQL without parameters and result (`PDO::exec`): the number of affected rows.
    fn execute(&self, cx: &mut Cx, sql: &PStr) -> Tried<i64>;
    /// A literal. None: it cannot be quoted (too long, no such thing in this driver).
    fn quote(&self, cx: &mut Cx, text: &[u8], type_number: i64) -> Tried<Option<PStr>>;

    fn begin(&self, cx: &mut Cx) -> Tried<()>;
    fn commit(&self, cx: &mut Cx) -> Tried<()>;
    fn roll_back(&self, cx: &mut Cx) -> Tried<()>;
    /// None: the driver does not know; the core remembers what it began.
    fn in_transaction(&self) -> Option<bool> {
        None
    }

    /// None: the driver has no such thing.
    fn last_insert_id(&self, _cx: &mut Cx, _name: Option<&PStr>) -> Tried<Option<PStr>> {
        Ok(None)
    }
    /// Some(false): refused. None: no attribute of this driver.
    fn set_attribute(&self, _cx: &mut Cx, _attribute: i64, _value: &Value) -> Tried<Option<bool>> {
        Ok(None)
    }
    fn attribute(&self, _cx: &mut Cx, _attribute: i64) -> Tried<Option<Value>> {
        Ok(None)
    }

    /// Is the server still there? Asked before a persistent connection is used again.
    fn alive(&self, _cx: &mut Cx) -> bool {
        true
    }
    /// The request ends: roll back, forget the session's state, hold no PHP value. False: it cannot be used by another request, or the driver
    /// keeps it itself.
    fn park(&self, _cx: &mut Cx) -> bool {
        false
    }

    /// None: the driver has no such methods.
    fn create_user_function(&self, _cx: &mut Cx, _function: &UserFunction) -> Option<bool> {
        None
    }

    /// Calls `visit` with every PHP value held.
    fn trace(&self, _visit: &mut dyn FnMut(&Value)) {}
    /// Lets go of every value that `trace` reports: the PDO object is garbage.
    fn release(&self) {}

    /// For the driver's own functions and classes.
    fn as_any(&self) -> &dyn Any;
}

/// A prepared (or emulated) statement.
pub trait Statement: Any {
    /// Runs it from the start. `sql`: the text with all values in it (emulation); otherwise `parameters` are to be bound.
    fn execute(&self, cx: &mut Cx, sql: Option<&PStr>, parameters: &[Parameter]) -> Tried<Executed>;
    /// A parameter was bound by PHP code: may refuse it.
    fn check_parameter(&self, _cx: &mut Cx, _parameter: &Parameter) -> Tried<()> {
        Ok(())
    }
    /// Goes to a row. False: there is none.
    fn fetch(&self, cx: &mut Cx, orientation: Orientation, offset: i64) -> Tried<bool>;
    /// A column of the current row. `wanted`: the type that a bound column asks for.
    fn column(&self, cx: &mut Cx, n: usize, wanted: Option<ParamType>) -> Tried<Value>;
    /// `getColumnMeta` without name, len and precision, which [`meta_common`](Self::column_size) adds. None: there is none.
    fn column_meta(&self, _cx: &mut Cx, _n: usize) -> Tried<Option<PArray>> {
        Ok(None)
    }
    /// `len` and `precision` of a column's metadata.
    fn column_size(&self, _n: usize) -> (i64, i64) {
        (-1, 0)
    }
    /// True: this driver can have several result sets.
    fn has_rowsets(&self) -> bool {
        false
    }
    /// The next result set, if there is one more.
    fn next_rowset(&self, _cx: &mut Cx) -> Tried<Option<Executed>> {
        Ok(None)
    }
    fn close_cursor(&self, _cx: &mut Cx) -> Tried<()> {
        Ok(())
    }
    fn set_attribute(&self, _cx: &mut Cx, _attribute: i64, _value: &Value) -> Tried<Option<bool>> {
        Ok(None)
    }
    fn has_attributes(&self) -> bool {
        false
    }
    fn attribute(&self, _cx: &mut Cx, _attribute: i64) -> Tried<Option<Value>> {
        Ok(None)
    }
    fn trace(&self, _visit: &mut dyn FnMut(&Value)) {}
    fn as_any(&self) -> &dyn Any;
}

/// The drivers of the process, in the order of their extensions.
pub fn all() -> Vec<&'static DriverDesc> {
    jumbo_abi::registry::get().services::<DriverDesc>().collect()
}

pub fn find(name: &[u8]) -> Option<&'static DriverDesc> {
    all().into_iter().find(|d| d.name.as_bytes() == name)
}

#[cfg(test)]
mod tests {
    use super::{ConnectArgs, ParamType};
    use jumbo_abi::PArray;

    fn check(dsn: &str, expected: &[(&str, &str)]) {
        let options = PArray::new();
        let args = ConnectArgs { dsn: dsn.as_bytes(), user: None, password: None, options: &options, persistent_key: None };
        let got: Vec<(String, String)> = args
            .parameters()
            .iter()
            .map(|(k, v)| (String::from_utf8_lossy(k).into_owned(), String::from_utf8_lossy(v).into_owned()))
            .collect();
        let got: Vec<(&str, &str)> = got.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(got, expected, "{dsn}");
    }

    #[test]
    fn data_source_names() {
        check("host=a;dbname=b", &[("host", "a"), ("dbname", "b")]);
        check("host=a; port = 3;", &[("host", "a"), ("port ", " 3")]);
        check("password=x;;y;user=u", &[("password", "x;y"), ("user", "u")]);
        check("a=b=c", &[("a", "b=c")]);
        check("nothing", &[]);
        check("", &[]);
        check("a=;;", &[("a", ";")]);
        check("=;", &[("", "")]);
        check("a=b\0;a=c", &[("a", "b")]);
    }

    #[test]
    fn types_of_parameters() {
        assert_eq!(ParamType::of(1), ParamType::Int);
        assert_eq!(ParamType::of(2 | ParamType::NATIONAL), ParamType::Str);
        assert_eq!(ParamType::of(1 | ParamType::INPUT_OUTPUT), ParamType::Int);
        assert_eq!(ParamType::of(5), ParamType::Bool);
        assert_eq!(ParamType::of(-7), ParamType::Str);
    }
}
