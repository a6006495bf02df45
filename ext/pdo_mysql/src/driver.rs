//! The driver: connecting, transactions, attributes, errors.
//!
//! Statements are emulated unless `PDO::ATTR_EMULATE_PREPARES` is off; results are read at once unless
//! `PDO::MYSQL_ATTR_USE_BUFFERED_QUERY` is off.

use crate::statement::MysqlStatement;
use jumbo_abi::throwable::slots;
use jumbo_abi::{Cx, PArray, PStr, Res, Stop, Value};
use jumbo_ext_mysqlnd::connection::{self, Connection as Client, Shared, State, lock};
use jumbo_ext_mysqlnd::error::{self, ErrorInfo};
use jumbo_ext_mysqlnd::options::SignInAs;
use jumbo_ext_mysqlnd::packet::{capability, status};
use jumbo_ext_mysqlnd::transport::Target;
use jumbo_ext_mysqlnd::{CLIENT_INFO, charset, pool, stats};
use jumbo_ext_pdo::attributes;
use jumbo_ext_pdo::driver::{
    ConnectArgs, Connection, DriverDesc, Failure, ParamType, Placeholders, SqlError, Statement, Tried, int_option,
};
use jumbo_ext_pdo::scanner::Dialect;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

pub static DRIVER: DriverDesc = DriverDesc { name: "mysql", class: Some("Pdo\\Mysql"), connect };

static DIALECT: Dialect = Dialect {
    quotes: b"'\"`",
    backslash_quotes: b"'\"",
    brackets: false,
    hash_comments: true,
    dashes_need_space: true,
    dollar_quotes: false,
};

pub const USE_BUFFERED_QUERY: i64 = 1000;
const LOCAL_INFILE: i64 = 1001;
const INIT_COMMAND: i64 = 1002;
const DIRECT_QUERY: i64 = 1004;
const FOUND_ROWS: i64 = 1005;
const IGNORE_SPACE: i64 = 1006;
const SSL_FIRST: i64 = 1007;
const SSL_LAST: i64 = 1011;
const SERVER_PUBLIC_KEY: i64 = 1012;
const MULTI_STATEMENTS: i64 = 1013;
const LOCAL_INFILE_DIRECTORY: i64 = 1015;
/// `PDO::ATTR_SERVER_INFO`, `PDO::ATTR_CONNECTION_STATUS`.
const SERVER_INFO: i64 = 6;
const CONNECTION_STATUS: i64 = 7;
const FETCH_TABLE_NAMES: i64 = 14;
/// How the warning about an unknown host begins.
const LOOKUP: &[u8] = b"php_network_getaddresses: ";

/// The default of `PDO::ATTR_TIMEOUT`, for connecting.
const CONNECT_TIMEOUT_S: i64 = 30;
/// The server cannot prepare this statement.
const CANNOT_PREPARE: u32 = 1295;

const PENDING: &str = "Cannot execute queries while there are pending result sets. Consider unsetting the previous PDOStatement or calling PDOStatement::closeCursor()";
const BUSY: &str = "Cannot execute queries while other unbuffered queries are active.  Consider using PDOStatement::fetchAll().  Alternatively, if your code is only ever going to run against mysql, you may enable query buffering by setting the PDO::MYSQL_ATTR_USE_BUFFERED_QUERY attribute.";

/// An error of the client as PDO knows it.
pub fn sql_error(shared: &Shared, info: &ErrorInfo) -> Failure {
    let message: &[u8] = match info.code {
        // Rows that were not read, or results that follow those that were?
        error::code::OUT_OF_SYNC if lock(shared).is_some_and(|c| c.state == State::MoreResults) => PENDING.as_bytes(),
        error::code::OUT_OF_SYNC => BUSY.as_bytes(),
        _ => &info.message,
    };
    SqlError::new(info.state, i64::from(info.code), message).into()
}

pub struct MysqlConnection {
    pub shared: Shared,
    pub buffered: Cell<bool>,
    emulate: Cell<bool>,
    autocommit: Cell<bool>,
    /// Names of columns are told with their table.
    table_names: Rc<Cell<bool>>,
    /// `PDO::PARAM_STR_NATL` or `PDO::PARAM_STR_CHAR`: what strings are unless they say.
    string_kind: Cell<i64>,
    /// Of a persistent connection.
    key: Option<Vec<u8>>,
}

fn option_text(cx: &mut Cx, options: &PArray, attribute: i64) -> Res<Option<Vec<u8>>> {
    match options.get_int(attribute).map(Value::copy_deref) {
        None => Ok(None),
        Some(value) => Ok(Some(cx.to_string(&value)?.as_bytes().to_vec())),
    }
}

fn connect(cx: &mut Cx, args: &ConnectArgs) -> Tried<Rc<dyn Connection>> {
    let given = args.parameters();
    let part = |key: &str| given.iter().rev().find(|(k, _)| k == key.as_bytes()).map(|(_, v)| v.clone());
    let text = |s: Option<&PStr>| s.map(|s| s.as_bytes().to_vec());
    let host = part("host").unwrap_or_else(|| b"localhost".to_vec());
    let port = part("port").and_then(|p| String::from_utf8_lossy(&p).trim().parse::<u16>().ok()).unwrap_or(3306);
    let target = if host.is_empty() || host == b"localhost" {
        let path = part("unix_socket").unwrap_or_else(|| cx.ini.str("pdo_mysql.default_socket").to_vec());
        Target::Local { path }
    } else {
        Target::Tcp { host, port }
    };
    let mut flags = capability::MULTI_RESULTS;
    for (attribute, flag, default) in
        [(FOUND_ROWS, capability::FOUND_ROWS, 0), (IGNORE_SPACE, capability::IGNORE_SPACE, 0), (MULTI_STATEMENTS, capability::MULTI_STATEMENTS, 1)]
    {
        if args.int(attribute, default) != 0 {
            flags |= flag;
        }
    }
    let mut client = Client::new(statistics(cx));
    let seconds = args.int(attributes::TIMEOUT, CONNECT_TIMEOUT_S);
    client.options.connect_timeout = u64::try_from(seconds).ok().map(Duration::from_secs);
    client.options.native_numbers = true;
    client.options.local_infile = args.int(LOCAL_INFILE, 0) != 0 && cx.ini.str("open_basedir").is_empty();
    client.options.local_infile_directory = option_text(cx, args.options, LOCAL_INFILE_DIRECTORY)?.filter(|d| !d.is_empty());
    client.options.server_public_key = option_text(cx, args.options, SERVER_PUBLIC_KEY)?;
    client.options.wants_tls = (SSL_FIRST..=SSL_LAST).any(|a| args.options.get_int(a).is_some());
    if let Some(sql) = option_text(cx, args.options, INIT_COMMAND)? {
        client.options.init_commands.push(sql);
    }
    if let Some(name) = part("charset") {
        match charset::by_name(&name) {
            Some(charset) => client.options.charset = Some(charset),
            None => {
                let number = i64::from(error::code::CANNOT_FIND_CHARSET);
                return Err(SqlError::new(*b"HY000", number, "Unknown character set").into());
            }
        }
    }
    let who = SignInAs {
        user: text(args.user).or_else(|| part("user")).unwrap_or_default(),
        password: text(args.password).or_else(|| part("password")).unwrap_or_default(),
        database: part("dbname").unwrap_or_default(),
        flags,
    };
    let connection = MysqlConnection {
        shared: Rc::new(RefCell::new(client)),
        buffered: Cell::new(args.int(USE_BUFFERED_QUERY, 1) != 0),
        emulate: Cell::new(args.int(attributes::EMULATE_PREPARES, args.int(DIRECT_QUERY, 1)) != 0),
        autocommit: Cell::new(args.int(attributes::AUTOCOMMIT, 1) != 0),
        table_names: Rc::new(Cell::new(args.int(FETCH_TABLE_NAMES, 0) != 0)),
        string_kind: Cell::new(args.int(attributes::DEFAULT_STR_PARAM, ParamType::CHAR)),
        key: args.persistent_key.map(<[u8]>::to_vec),
    };
    if !connection.reuse(cx)? {
        match connection.work(cx, |cx, c| c.connect(cx, &target, who)) {
            // The warning about a name that nobody knows is an exception by now; the error says the same.
            Err(Failure::Stop(Stop::Thrown)) if let Some(text) = lookup_failure(cx) => {
                return Err(SqlError::new(*b"HY000", i64::from(error::code::CONNECTION), text).into());
            }
            done => done?,
        }
    }
    if !connection.autocommit.get() {
        connection.run(cx, b"SET AUTOCOMMIT=0")?;
    }
    Ok(Rc::new(connection))
}

/// What the pending exception says, if it is the warning about the host's name.
fn lookup_failure(cx: &Cx) -> Option<Vec<u8>> {
    let message = cx.exception.as_ref()?.slot(slots::MESSAGE);
    let text = message.as_str()?.as_bytes().to_vec();
    let at = text.windows(LOOKUP.len()).position(|part| part == LOOKUP)?;
    text.get(at..).map(<[u8]>::to_vec)
}

/// Counters of a connection that this instance uses.
fn statistics(cx: &mut Cx) -> stats::Statistics {
    let client = cx.state::<stats::ClientStatistics>().0.clone();
    stats::Statistics::new(client, cx.ini.bool("mysqlnd.collect_statistics"))
}

/// Works on a connection; false is its error.
pub fn work(cx: &mut Cx, shared: &Shared, with: impl FnOnce(&mut Cx, &mut Client) -> Res<bool>) -> Tried<()> {
    let (fine, info, warnings) = match lock(shared) {
        Some(mut c) => {
            let fine = with(cx, &mut c);
            (fine, c.error.clone(), std::mem::take(&mut c.diagnostics))
        }
        None => {
            let mut busy = ErrorInfo::default();
            busy.set_own(error::code::OUT_OF_SYNC, error::OUT_OF_SYNC);
            (Ok(false), busy, Vec::new())
        }
    };
    for text in warnings {
        cx.warning(text)?;
    }
    if fine? { Ok(()) } else { Err(sql_error(shared, &info)) }
}

impl MysqlConnection {
    fn work(&self, cx: &mut Cx, with: impl FnOnce(&mut Cx, &mut Client) -> Res<bool>) -> Tried<()> {
        work(cx, &self.shared, with)
    }
    /// Takes a connection of the pool, made like new. False: there is none.
    fn reuse(&self, cx: &mut Cx) -> Tried<bool> {
        let Some(key) = &self.key else { return Ok(false) };
        loop {
            let statistics = statistics(cx);
            let Some(mut idle) = pool::take(key, statistics) else { return Ok(false) };
            if let Some(now) = lock(&self.shared) {
                idle.options = now.options.clone();
            }
            // A server that has dropped it does not answer: the next one.
            if idle.reset(cx)? && idle.run_init_commands(cx)? {
                idle.diagnostics.clear();
                idle.statistics.one("connection_reused");
                idle.statistics.one("pconnect_success");
                let Some(mut now) = lock(&self.shared) else { return Ok(false) };
                *now = idle;
                return Ok(true);
            }
        }
    }
    /// A query whose result nobody wants. Rows are left unread, as in PHP: the next query is out of sync then.
    fn run(&self, cx: &mut Cx, sql: &[u8]) -> Tried<()> {
        self.work(cx, |cx, c| {
            if !c.query(cx, sql)? {
                return Ok(false);
            }
            let outcome = c.outcome;
            while c.state == State::MoreResults {
                if !c.next_result(cx)? {
                    return Ok(false);
                }
                c.skip_rows_if_any(cx)?;
            }
            c.outcome = connection::Outcome { status: c.outcome.status, ..outcome };
            Ok(true)
        })
    }
}

impl Connection for MysqlConnection {
    fn driver(&self) -> &'static DriverDesc {
        &DRIVER
    }
    fn placeholders(&self, options: &PArray) -> Placeholders {
        let emulate = int_option(options, attributes::EMULATE_PREPARES, int_option(options, DIRECT_QUERY, i64::from(self.emulate.get())));
        if emulate != 0 { Placeholders::None } else { Placeholders::Positional }
    }
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }
    fn prepare(&self, cx: &mut Cx, sql: &PStr, options: &PArray, emulated: bool) -> Tried<Rc<dyn Statement>> {
        let buffered = int_option(options, USE_BUFFERED_QUERY, i64::from(self.buffered.get())) != 0;
        if emulated {
            return Ok(Rc::new(MysqlStatement::emulated(&self.shared, buffered, &self.table_names)));
        }
        let mut statement = jumbo_ext_mysqlnd::statement::Statement::new(self.shared.clone());
        let fine = statement.prepare(cx, sql.as_bytes())?;
        if !fine {
            if statement.error.code == CANNOT_PREPARE {
                return Err(Failure::Emulate);
            }
            return Err(sql_error(&self.shared, &statement.error));
        }
        Ok(Rc::new(MysqlStatement::prepared(&self.shared, buffered, &self.table_names, statement)))
    }
    fn execute(&self, cx: &mut Cx, sql: &PStr) -> Tried<i64> {
        self.run(cx, sql.as_bytes())?;
        Ok(lock(&self.shared).map_or(0, |c| rows(c.outcome.affected)))
    }
    fn quote(&self, _cx: &mut Cx, text: &[u8], type_number: i64) -> Tried<Option<PStr>> {
        let Some(c) = lock(&self.shared) else { return Ok(None) };
        let prefix: &[u8] = if ParamType::of(type_number) == ParamType::Lob {
            b"_binary"
        } else if type_number & ParamType::NATIONAL != 0 || type_number & ParamType::CHAR == 0 && self.string_kind.get() == ParamType::NATIONAL {
            b"N"
        } else {
            b""
        };
        let escaped = c.charset.escape(text, c.backslash_escapes()).map_err(Stop::from)?;
        Ok(Some(PStr::concat(&[prefix, b"'", &escaped, b"'"])))
    }
    fn begin(&self, cx: &mut Cx) -> Tried<()> {
        self.run(cx, b"START TRANSACTION")
    }
    fn commit(&self, cx: &mut Cx) -> Tried<()> {
        self.run(cx, b"COMMIT")
    }
    fn roll_back(&self, cx: &mut Cx) -> Tried<()> {
        self.run(cx, b"ROLLBACK")
    }
    fn in_transaction(&self) -> Option<bool> {
        Some(lock(&self.shared).is_some_and(|c| c.outcome.status & status::IN_TRANS != 0))
    }
    fn last_insert_id(&self, _cx: &mut Cx, _name: Option<&PStr>) -> Tried<Option<PStr>> {
        Ok(lock(&self.shared).map(|c| PStr::new(c.outcome.insert_id.to_string().as_bytes())))
    }
    fn set_attribute(&self, cx: &mut Cx, attribute: i64, value: &Value) -> Tried<Option<bool>> {
        match attribute {
            attributes::AUTOCOMMIT => {
                let on = attributes::bool(cx, value)?;
                if on != self.autocommit.get() {
                    self.run(cx, if on { b"SET AUTOCOMMIT=1" } else { b"SET AUTOCOMMIT=0" })?;
                    self.autocommit.set(on);
                }
            }
            FETCH_TABLE_NAMES => self.table_names.set(attributes::bool(cx, value)?),
            attributes::DEFAULT_STR_PARAM => {
                let kind = attributes::int(cx, value)?;
                if kind != ParamType::NATIONAL && kind != ParamType::CHAR {
                    return Ok(Some(false));
                }
                self.string_kind.set(kind);
            }
            // Text is what the server sends.
            attributes::STRINGIFY_FETCHES => {
                let on = attributes::bool(cx, value)?;
                if let Some(mut c) = lock(&self.shared) {
                    c.options.native_numbers = !on;
                }
            }
            USE_BUFFERED_QUERY => self.buffered.set(attributes::bool(cx, value)?),
            attributes::EMULATE_PREPARES | DIRECT_QUERY => self.emulate.set(attributes::bool(cx, value)?),
            _ => return Ok(None),
        }
        Ok(Some(true))
    }
    fn attribute(&self, cx: &mut Cx, attribute: i64) -> Tried<Option<Value>> {
        let text = |bytes: &[u8]| Value::from(PStr::new(bytes));
        if attribute == SERVER_INFO {
            let mut line = None;
            self.work(cx, |cx, c| {
                line = c.server_statistics(cx)?;
                Ok(line.is_some())
            })?;
            return Ok(line.map(|l| text(&l)));
        }
        let Some(c) = lock(&self.shared) else { return Ok(None) };
        Ok(Some(match attribute {
            attributes::AUTOCOMMIT => Value::from(self.autocommit.get()),
            attributes::SERVER_VERSION => text(&c.server_version),
            attributes::CLIENT_VERSION => text(CLIENT_INFO.as_bytes()),
            CONNECTION_STATUS => text(&c.host_info),
            attributes::EMULATE_PREPARES | DIRECT_QUERY => Value::from(self.emulate.get()),
            USE_BUFFERED_QUERY => Value::from(self.buffered.get()),
            FETCH_TABLE_NAMES => Value::from(self.table_names.get()),
            attributes::DEFAULT_STR_PARAM => Value::from(self.string_kind.get()),
            LOCAL_INFILE => Value::from(c.options.local_infile),
            LOCAL_INFILE_DIRECTORY => c.options.local_infile_directory.as_ref().map_or(Value::null(), |d| text(d)),
            _ => return Ok(None),
        }))
    }
    fn alive(&self, cx: &mut Cx) -> bool {
        // While results wait to be read nothing can be asked; whoever reads them will see.
        match lock(&self.shared).map(|c| c.state) {
            Some(State::Ready) => self.work(cx, |cx, c| c.ping(cx)).is_ok(),
            Some(State::New | State::Gone) => false,
            Some(State::QuerySent | State::Rows | State::MoreResults) | None => true,
        }
    }
    fn park(&self, cx: &mut Cx) -> bool {
        let Some(key) = &self.key else { return false };
        // Locks are not kept for as long as nobody uses it; the next one resets the rest.
        let fine = self.work(cx, |cx, c| {
            c.abandon();
            Ok(c.outcome.status & status::IN_TRANS == 0 || c.query(cx, b"ROLLBACK")?)
        });
        if fine.is_ok()
            && let Some(mut c) = lock(&self.shared)
        {
            let fresh = Client::new(stats::Statistics::new(Rc::default(), false));
            pool::give_back(key, std::mem::replace(&mut *c, fresh));
        }
        // The client's pool has it, where all threads find it.
        false
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `rowCount()` of a count of the client.
pub fn rows(affected: u64) -> i64 {
    i64::try_from(affected).unwrap_or(0)
}
