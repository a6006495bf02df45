//! Class mysqli, and the functions that take such an object first.

use crate::connect::{self, Arguments};
use crate::link::{
    Link, Mysqli, State, Status, arg, count, error_list, link, link_at, link_of, look, on, raise_warnings, report, report_error, report_index,
    report_link, set_link, text,
};
use crate::properties;
use crate::{mysqli_result, mysqli_stmt, mysqli_warning, transactions};
use jumbo_abi::{ClassHooks, ClassPtr, Cx, PArray, PObject, PRef, PStr, Res, Value, View};
use jumbo_ext_mysqlnd::charset;
use jumbo_ext_mysqlnd::connection::{self, Connection};
use jumbo_ext_mysqlnd::error::code;
use jumbo_ext_mysqlnd::options::SignInAs;
use jumbo_ext_mysqlnd::result::ResultSet;
use std::rc::Rc;
use std::time::Duration;

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    uncloneable: true,
    properties: Some(|cx, object, purpose| properties::debug(cx, object, purpose, properties::LINK, properties::read_link)),
    prop_read: Some(properties::read_link),
    prop_write: Some(|cx, object, name, _| properties::refuse_write(cx, object, name, properties::LINK)),
    prop_has: Some(|cx, object, name, empty| properties::has(cx, object, name, empty, properties::read_link)),
    ..ClassHooks::NONE
};

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State::default()));
    properties::hide(object, properties::LINK.len() as u32);
    Ok(())
}

const STORE_RESULT: i64 = 0;
const USE_RESULT: i64 = 1;
const ASYNC: i64 = 8;
const STORE_RESULT_COPY_DATA: i64 = 16;

// ---- connecting

pub fn __construct(
    cx: &mut Cx,
    this: &PObject,
    hostname: Option<&Value>,
    username: Option<&PStr>,
    password: Option<&PStr>,
    database: Option<&PStr>,
    port: Option<i64>,
    socket: Option<&PStr>,
) -> Res<()> {
    let Some(hostname) = hostname else {
        let others = username.is_some() || password.is_some() || database.is_some() || port.is_some() || socket.is_some();
        if !others {
            connect::init(cx, this);
            return Ok(());
        }
        return construct(cx, this, &Arguments { username, password, database, port, socket, ..Arguments::default() });
    };
    let hostname = match hostname.view_deref() {
        View::Null | View::Undef => None,
        View::Array(_) | View::Resource(_) => {
            let given = jumbo_abi::args::type_name(hostname);
            return Err(cx.arg_type_error(1, [b"must be of type ?string, ".as_slice(), &given, b" given"].concat()));
        }
        _ => Some(cx.to_string(hostname)?),
    };
    construct(cx, this, &Arguments { hostname: hostname.as_ref(), username, password, database, port, socket, flags: 0 })
}

fn construct(cx: &mut Cx, this: &PObject, arguments: &Arguments<'_>) -> Res<()> {
    connect::connect(cx, this, arguments, false).map(drop)
}

pub fn connect(
    cx: &mut Cx,
    this: &PObject,
    hostname: Option<&PStr>,
    username: Option<&PStr>,
    password: Option<&PStr>,
    database: Option<&PStr>,
    port: Option<i64>,
    socket: Option<&PStr>,
) -> Res<bool> {
    connect::connect(cx, this, &Arguments { hostname, username, password, database, port, socket, flags: 0 }, true)
}

#[allow(clippy::too_many_arguments)]
pub fn real_connect(
    cx: &mut Cx,
    this: &PObject,
    hostname: Option<&PStr>,
    username: Option<&PStr>,
    password: Option<&PStr>,
    database: Option<&PStr>,
    port: Option<i64>,
    socket: Option<&PStr>,
    flags: i64,
) -> Res<bool> {
    link_at(cx, this, Status::Initialized)?;
    connect::connect(cx, this, &Arguments { hostname, username, password, database, port, socket, flags }, true)
}

pub fn init(cx: &mut Cx, this: &PObject) -> Res<()> {
    connect::init(cx, this);
    Ok(())
}

pub fn close(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let link = link_at(cx, this, Status::Initialized)?;
    if link.lost.get() {
        return Err(crate::link::not_initialized(cx, this));
    }
    link.end(true);
    set_link(this, None);
    Ok(true)
}

pub fn change_user(cx: &mut Cx, this: &PObject, username: &PStr, password: &PStr, database: Option<&PStr>) -> Res<bool> {
    let link = link(cx, this)?;
    let who = SignInAs {
        user: username.as_bytes().to_vec(),
        password: password.as_bytes().to_vec(),
        database: database.map(|d| d.as_bytes().to_vec()).unwrap_or_default(),
        flags: 0,
    };
    let fine = on(cx, &link.shared, false, |cx, c| c.change_user(cx, who))?;
    if !fine {
        report_link(cx, &link.shared)?;
    }
    Ok(fine)
}

const OPT_CONNECT_TIMEOUT: i64 = 0;
const INIT_COMMAND: i64 = 3;
const READ_DEFAULT_FILE: i64 = 4;
const READ_DEFAULT_GROUP: i64 = 5;
const SET_CHARSET_NAME: i64 = 7;
const OPT_LOCAL_INFILE: i64 = 8;
const OPT_READ_TIMEOUT: i64 = 11;
const OPT_SSL_VERIFY_SERVER_CERT: i64 = 21;
const SERVER_PUBLIC_KEY: i64 = 35;
const OPT_CAN_HANDLE_EXPIRED_PASSWORDS: i64 = 37;
const OPT_LOAD_DATA_LOCAL_DIR: i64 = 43;
const OPT_INT_AND_FLOAT_NATIVE: i64 = 201;
const OPT_NET_CMD_BUFFER_SIZE: i64 = 202;
const OPT_NET_READ_BUFFER_SIZE: i64 = 203;

pub fn options(cx: &mut Cx, this: &PObject, option: i64, value: &Value) -> Res<bool> {
    let link = link_at(cx, this, Status::Initialized)?;
    let is_text = matches!(
        option,
        INIT_COMMAND | READ_DEFAULT_FILE | READ_DEFAULT_GROUP | SET_CHARSET_NAME | SERVER_PUBLIC_KEY | OPT_LOAD_DATA_LOCAL_DIR
    );
    let is_number = matches!(
        option,
        OPT_CONNECT_TIMEOUT
            | OPT_LOCAL_INFILE
            | OPT_READ_TIMEOUT
            | OPT_SSL_VERIFY_SERVER_CERT
            | OPT_CAN_HANDLE_EXPIRED_PASSWORDS
            | OPT_INT_AND_FLOAT_NATIVE
            | OPT_NET_CMD_BUFFER_SIZE
            | OPT_NET_READ_BUFFER_SIZE
    );
    if is_text {
        let value = cx.to_string(value)?.as_bytes().to_vec();
        if option == OPT_LOAD_DATA_LOCAL_DIR && !value.is_empty() && !jumbo_abi::stream::allowed(cx, &value, false)? {
            return Ok(false);
        }
        let fine = on(cx, &link.shared, false, |_, c| {
            match option {
                INIT_COMMAND => c.add_init_command(value)?,
                SERVER_PUBLIC_KEY => c.options.server_public_key = Some(value),
                OPT_LOAD_DATA_LOCAL_DIR => c.options.local_infile_directory = (!value.is_empty()).then_some(value),
                SET_CHARSET_NAME => match charset::by_name(&value) {
                    Some(charset) => c.options.charset = Some(charset),
                    None => {
                        c.own_error(code::CANNOT_FIND_CHARSET, "Unknown character set");
                        return Ok(false);
                    }
                },
                // Files of settings are not read by this client; it says that they are taken.
                _ => {}
            }
            Ok(true)
        })?;
        if !fine {
            report_link(cx, &link.shared)?;
        }
        return Ok(fine);
    }
    if !is_number {
        return Ok(false);
    }
    let value = jumbo_value::convert::to_int(value);
    on(cx, &link.shared, false, |_, c| {
        match option {
            OPT_CONNECT_TIMEOUT => c.options.connect_timeout = u64::try_from(value).ok().map(Duration::from_secs),
            OPT_LOCAL_INFILE => c.options.local_infile = value != 0,
            OPT_READ_TIMEOUT => c.options.read_timeout_s = u64::try_from(value).ok(),
            OPT_CAN_HANDLE_EXPIRED_PASSWORDS => c.options.can_handle_expired_passwords = value != 0,
            OPT_INT_AND_FLOAT_NATIVE => c.options.native_numbers = value != 0,
            // Sizes of buffers are the client's own affair here, and certificates wait for TLS.
            _ => {}
        }
        Ok(true)
    })
}

pub fn set_opt(cx: &mut Cx, this: &PObject, option: i64, value: &Value) -> Res<bool> {
    options(cx, this, option, value)
}

pub fn ssl_set(
    cx: &mut Cx,
    this: &PObject,
    key: Option<&PStr>,
    certificate: Option<&PStr>,
    ca_certificate: Option<&PStr>,
    ca_path: Option<&PStr>,
    cipher_algos: Option<&PStr>,
) -> Res<bool> {
    let link = link_at(cx, this, Status::Initialized)?;
    let wants = [key, certificate, ca_certificate, ca_path, cipher_algos].iter().flatten().any(|s| !s.is_empty());
    on(cx, &link.shared, true, |_, c| {
        c.options.wants_tls |= wants;
        Ok(true)
    })
}

// ---- queries

/// A command that is done or has failed; failure is reported.
fn simple(cx: &mut Cx, this: &PObject, run: impl FnOnce(&mut Cx, &mut Connection) -> Res<bool>) -> Res<bool> {
    let link = link(cx, this)?;
    let fine = on(cx, &link.shared, false, run)?;
    if !fine {
        report_link(cx, &link.shared)?;
    }
    Ok(fine)
}

/// Queries of one statement again, after `multi_query`.
fn one_statement(cx: &mut Cx, c: &mut Connection) -> Res<()> {
    if c.multi_statements {
        c.set_multi_statements(cx, false)?;
    }
    Ok(())
}

/// The result of the query that was answered last: an object, true when it has none, false when that failed.
fn result_of_query(cx: &mut Cx, link: &Rc<Link>, mode: i64) -> Res<Value> {
    let (status, sql, has_rows) =
        look(&link.shared, |c| (c.outcome.status, c.last_query.clone(), c.field_count > 0)).unwrap_or_default();
    if !has_rows {
        report_index(cx, &sql, status)?;
        return Ok(Value::TRUE);
    }
    let set = match mode & !ASYNC {
        USE_RESULT => ResultSet::use_rows(&link.shared),
        _ => on(cx, &link.shared, None, ResultSet::store)?,
    };
    let Some(set) = set else {
        report_link(cx, &link.shared)?;
        return Ok(Value::FALSE);
    };
    report_index(cx, &sql, status)?;
    mysqli_result::new_object(cx, set).map(Value::from)
}

pub fn query(cx: &mut Cx, this: &PObject, query: &PStr, result_mode: i64) -> Res<Value> {
    let link = link(cx, this)?;
    if query.is_empty() {
        return Err(cx.arg_value_error(arg(cx, 1), "must not be empty"));
    }
    let plain = result_mode & !(ASYNC | STORE_RESULT_COPY_DATA);
    if plain != STORE_RESULT && plain != USE_RESULT {
        let text = "must be either MYSQLI_USE_RESULT or MYSQLI_STORE_RESULT with MYSQLI_ASYNC as an optional bitmask flag";
        return Err(cx.arg_value_error(arg(cx, 2), text));
    }
    let fine = on(cx, &link.shared, false, |cx, c| {
        one_statement(cx, c)?;
        c.last_query = query.clone();
        if result_mode & ASYNC != 0 { c.send_query(cx, query.as_bytes()) } else { c.query(cx, query.as_bytes()) }
    })?;
    if !fine {
        report_link(cx, &link.shared)?;
        return Ok(Value::FALSE);
    }
    if result_mode & ASYNC != 0 {
        link.async_mode.set(plain);
        return Ok(Value::TRUE);
    }
    result_of_query(cx, &link, plain)
}

pub fn real_query(cx: &mut Cx, this: &PObject, query: &PStr) -> Res<bool> {
    let fine = simple(cx, this, |cx, c| {
        one_statement(cx, c)?;
        c.last_query = query.clone();
        c.query(cx, query.as_bytes())
    })?;
    if fine
        && let Some(link) = link_of(this)
        && let Some((status, sql)) = look(&link.shared, |c| (c.field_count == 0).then(|| (c.outcome.status, c.last_query.clone()))).flatten()
    {
        report_index(cx, &sql, status)?;
    }
    Ok(fine)
}

pub fn multi_query(cx: &mut Cx, this: &PObject, query: &PStr) -> Res<bool> {
    simple(cx, this, |cx, c| {
        if !c.multi_statements {
            c.set_multi_statements(cx, true)?;
        }
        c.last_query = query.clone();
        let fine = c.query(cx, query.as_bytes())?;
        if !fine {
            // The error is the query's.
            let (error, outcome) = (c.error.clone(), c.outcome);
            one_statement(cx, c)?;
            c.error = error;
            c.outcome = outcome;
        }
        Ok(fine)
    })
}

pub fn more_results(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let link = link(cx, this)?;
    Ok(look(&link.shared, Connection::has_more_results).unwrap_or(false))
}

pub fn next_result(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let link = link(cx, this)?;
    let fine = on(cx, &link.shared, None, |cx, c| {
        if !c.has_more_results() {
            c.error.clear();
            c.outcome.affected = connection::NO_COUNT;
            return Ok(None);
        }
        c.next_result(cx).map(Some)
    })?;
    match fine {
        Some(true) => Ok(true),
        Some(false) => {
            report_link(cx, &link.shared)?;
            Ok(false)
        }
        None => Ok(false),
    }
}

pub fn store_result(cx: &mut Cx, this: &PObject, _mode: i64) -> Res<Value> {
    let link = link(cx, this)?;
    let set = on(cx, &link.shared, None, ResultSet::store)?;
    finish_result(cx, &link, set)
}

pub fn use_result(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let link = link(cx, this)?;
    let set = ResultSet::use_rows(&link.shared);
    finish_result(cx, &link, set)
}

fn finish_result(cx: &mut Cx, link: &Rc<Link>, set: Option<ResultSet>) -> Res<Value> {
    let Some(set) = set else {
        report_link(cx, &link.shared)?;
        return Ok(Value::FALSE);
    };
    let (status, sql) = look(&link.shared, |c| (c.outcome.status, c.last_query.clone())).unwrap_or_default();
    report_index(cx, &sql, status)?;
    mysqli_result::new_object(cx, set).map(Value::from)
}

pub fn reap_async_query(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let link = link(cx, this)?;
    let fine = on(cx, &link.shared, false, |cx, c| c.read_answer(cx))?;
    if !fine {
        report_link(cx, &link.shared)?;
        return Ok(Value::FALSE);
    }
    result_of_query(cx, &link, link.async_mode.get())
}

pub fn poll(cx: &mut Cx, _class: ClassPtr, read: &PRef, error: &PRef, reject: &PRef, seconds: i64, microseconds: i64) -> Res<Value> {
    crate::poll::poll(cx, read, error, reject, seconds, microseconds)
}

pub fn prepare(cx: &mut Cx, this: &PObject, query: &PStr) -> Res<Value> {
    let link = link(cx, this)?;
    on(cx, &link.shared, (), one_statement)?;
    let mut prepared = jumbo_ext_mysqlnd::statement::Statement::new(link.shared.clone());
    let fine = prepared.prepare(cx, query.as_bytes())?;
    raise_warnings(cx, &link.shared)?;
    if !fine {
        // The statement's error is the connection's here.
        let error = prepared.error.clone();
        drop(prepared);
        if error.code == code::OUT_OF_SYNC {
            // The connection's own error this is not.
            crate::link::report_info(cx, &error)?;
            return Ok(Value::FALSE);
        }
        if let Some(mut c) = connection::lock(&link.shared) {
            c.error = error;
        }
        report_link(cx, &link.shared)?;
        return Ok(Value::FALSE);
    }
    let status = prepared.outcome.status;
    let statement = mysqli_stmt::new_statement(&link);
    statement.set(prepared, query);
    report_index(cx, query.as_bytes(), status)?;
    mysqli_stmt::new_object(cx, statement).map(Value::from)
}

pub fn stmt_init(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let link = link(cx, this)?;
    let statement = mysqli_stmt::new_statement(&link);
    mysqli_stmt::new_object(cx, statement).map(Value::from)
}

pub fn execute_query(cx: &mut Cx, this: &PObject, query: &PStr, params: Option<&PArray>) -> Res<Value> {
    let link = link(cx, this)?;
    on(cx, &link.shared, (), one_statement)?;
    let mut statement = jumbo_ext_mysqlnd::statement::Statement::new(link.shared.clone());
    let fail = |cx: &mut Cx, statement: jumbo_ext_mysqlnd::statement::Statement| {
        let error = statement.error.clone();
        drop(statement);
        if let Some(mut c) = connection::lock(&link.shared) {
            c.error = error;
            c.outcome.affected = connection::NO_COUNT;
        }
        report_link(cx, &link.shared)?;
        Ok(Value::FALSE)
    };
    if !statement.prepare(cx, query.as_bytes())? {
        raise_warnings(cx, &link.shared)?;
        return fail(cx, statement);
    }
    let mut values = Vec::new();
    if let Some(params) = params {
        let n = arg(cx, 2);
        values = mysqli_stmt::listed_parameters(cx, params, statement.parameter_count, n)?;
    } else if statement.parameter_count > 0 {
        statement.error.set_own(code::PARAMS_NOT_BOUND, "No data supplied for parameters in prepared statement");
        return fail(cx, statement);
    }
    if !statement.execute(cx, &values)? {
        raise_warnings(cx, &link.shared)?;
        return fail(cx, statement);
    }
    let status = statement.outcome.status;
    report_index(cx, query.as_bytes(), status)?;
    if statement.columns.is_none() {
        let outcome = statement.outcome;
        statement.close(cx, false)?;
        if let Some(mut c) = connection::lock(&link.shared) {
            c.outcome = outcome;
        }
        return Ok(Value::TRUE);
    }
    match statement.result(cx)? {
        Some(set) => {
            let outcome = statement.outcome;
            statement.close(cx, false)?;
            if let Some(mut c) = connection::lock(&link.shared) {
                c.outcome = outcome;
            }
            raise_warnings(cx, &link.shared)?;
            mysqli_result::new_object(cx, set).map(Value::from)
        }
        None => fail(cx, statement),
    }
}

// ---- transactions

fn run(cx: &mut Cx, this: &PObject, sql: Vec<u8>) -> Res<bool> {
    simple(cx, this, |cx, c| c.query(cx, &sql))
}

pub fn autocommit(cx: &mut Cx, this: &PObject, enable: bool) -> Res<bool> {
    run(cx, this, format!("SET AUTOCOMMIT={}", u8::from(enable)).into_bytes())
}

pub fn begin_transaction(cx: &mut Cx, this: &PObject, flags: i64, name: Option<&PStr>) -> Res<bool> {
    let link = link(cx, this)?;
    if flags < 0 {
        return Err(cx.arg_value_error(arg(cx, 1), "must be one of the MYSQLI_TRANS_* constants"));
    }
    let server = look(&link.shared, Connection::server_version_number).unwrap_or(0);
    match transactions::begin(cx, flags, name, server)? {
        Some(sql) => run(cx, this, sql),
        None => Ok(false),
    }
}

pub fn commit(cx: &mut Cx, this: &PObject, flags: i64, name: Option<&PStr>) -> Res<bool> {
    link(cx, this)?;
    let sql = transactions::end(cx, "COMMIT", flags, name)?;
    run(cx, this, sql)
}

pub fn rollback(cx: &mut Cx, this: &PObject, flags: i64, name: Option<&PStr>) -> Res<bool> {
    link(cx, this)?;
    let sql = transactions::end(cx, "ROLLBACK", flags, name)?;
    run(cx, this, sql)
}

fn named(cx: &mut Cx, this: &PObject, words: &[u8], name: &PStr) -> Res<bool> {
    let link = link(cx, this)?;
    if name.is_empty() {
        return Err(cx.arg_value_error(arg(cx, 1), "must not be empty"));
    }
    let sql = [words, b" `", name.as_bytes(), b"`"].concat();
    on(cx, &link.shared, false, |cx, c| c.query(cx, &sql))
}

pub fn savepoint(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<bool> {
    named(cx, this, b"SAVEPOINT", name)
}

pub fn release_savepoint(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<bool> {
    named(cx, this, b"RELEASE SAVEPOINT", name)
}

// ---- commands

pub fn select_db(cx: &mut Cx, this: &PObject, database: &PStr) -> Res<bool> {
    simple(cx, this, |cx, c| c.select_database(cx, database.as_bytes()))
}

pub fn set_charset(cx: &mut Cx, this: &PObject, charset: &PStr) -> Res<bool> {
    simple(cx, this, |cx, c| c.set_charset(cx, charset.as_bytes()))
}

pub fn ping(cx: &mut Cx, this: &PObject) -> Res<bool> {
    simple(cx, this, |cx, c| c.ping(cx))
}

pub fn refresh(cx: &mut Cx, this: &PObject, flags: i64) -> Res<bool> {
    simple(cx, this, |cx, c| c.refresh(cx, flags as u8))
}

pub fn kill(cx: &mut Cx, this: &PObject, process_id: i64) -> Res<bool> {
    link(cx, this)?;
    if process_id <= 0 {
        return Err(cx.arg_value_error(arg(cx, 1), "must be greater than 0"));
    }
    simple(cx, this, |cx, c| c.kill(cx, process_id as u32))
}

pub fn dump_debug_info(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let link = link(cx, this)?;
    on(cx, &link.shared, false, |cx, c| c.debug_info(cx))
}

pub fn debug(_cx: &mut Cx, _this: &PObject, _options: &PStr) -> bool {
    // As a release build of PHP: nothing is traced.
    true
}

pub fn stat(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let link = link(cx, this)?;
    let line = on(cx, &link.shared, None, |cx, c| c.server_statistics(cx))?;
    Ok(line.map_or(Value::FALSE, |l| text(&l)))
}

// ---- what is known of the connection

/// Something of a connected link.
fn known<T>(cx: &mut Cx, this: &PObject, otherwise: T, ask: impl FnOnce(&Connection) -> T) -> Res<T> {
    let link = link(cx, this)?;
    Ok(look(&link.shared, ask).unwrap_or(otherwise))
}

pub fn affected_rows(cx: &mut Cx, this: &PObject) -> Res<Value> {
    known(cx, this, Value::from(-1i64), |c| count(c.outcome.affected))
}
pub fn insert_id(cx: &mut Cx, this: &PObject) -> Res<Value> {
    known(cx, this, Value::from(0i64), |c| count(c.outcome.insert_id))
}
pub fn errno(cx: &mut Cx, this: &PObject) -> Res<i64> {
    known(cx, this, 0, |c| i64::from(c.error.code))
}
pub fn error(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    known(cx, this, PStr::empty(), |c| PStr::new(&c.error.message))
}
pub fn sqlstate(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    known(cx, this, PStr::empty(), |c| PStr::new(&c.error.state))
}
pub fn error_list_(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    known(cx, this, PArray::new(), |c| error_list(&c.error))
}
pub fn field_count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    known(cx, this, 0, |c| c.field_count as i64)
}
pub fn get_host_info(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    known(cx, this, PStr::empty(), |c| PStr::new(&c.host_info))
}
pub fn get_proto_info(cx: &mut Cx, this: &PObject) -> Res<i64> {
    known(cx, this, 0, |c| i64::from(c.protocol))
}
pub fn get_server_info(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    known(cx, this, PStr::empty(), |c| PStr::new(&c.server_version))
}
pub fn get_server_version(cx: &mut Cx, this: &PObject) -> Res<i64> {
    known(cx, this, 0, Connection::server_version_number)
}
pub fn info(cx: &mut Cx, this: &PObject) -> Res<Value> {
    known(cx, this, Value::null(), |c| c.info.as_ref().map_or(Value::null(), |i| text(i)))
}
pub fn thread_id(cx: &mut Cx, this: &PObject) -> Res<i64> {
    known(cx, this, 0, |c| i64::from(c.thread))
}
pub fn warning_count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    known(cx, this, 0, |c| i64::from(c.outcome.warnings))
}
pub fn character_set_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    known(cx, this, PStr::empty(), |c| PStr::new(c.charset.name.as_bytes()))
}
pub fn thread_safe(_cx: &mut Cx, _this: &PObject) -> bool {
    true
}
pub fn get_client_info(_cx: &mut Cx, _this: &PObject) -> PStr {
    PStr::new(jumbo_ext_mysqlnd::CLIENT_INFO.as_bytes())
}

pub fn get_charset(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let charset = known(cx, this, None, |c| Some(c.charset))?;
    let Some(charset) = charset else { return Ok(Value::null()) };
    let class = cx.builtin_class(b"stdclass");
    let object = cx.new_object(class)?;
    object.update_dynamic(|table| {
        table.set_sym(b"charset", text(charset.name.as_bytes()));
        table.set_sym(b"collation", text(charset.collation.as_bytes()));
        table.set_sym(b"dir", text(b""));
        table.set_sym(b"min_length", 1i64);
        table.set_sym(b"max_length", charset.max_bytes as i64);
        table.set_sym(b"number", i64::from(charset.number));
        table.set_sym(b"state", 1i64);
        table.set_sym(b"comment", text(charset.comment.as_bytes()));
    });
    Ok(Value::from(object))
}

pub fn get_connection_stats(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    known(cx, this, PArray::new(), |c| crate::functions::counters(c.statistics.own()))
}

pub fn get_warnings(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let link = link(cx, this)?;
    mysqli_warning::of_link(cx, &link)
}

pub fn real_escape_string(cx: &mut Cx, this: &PObject, string: &PStr) -> Res<PStr> {
    known(cx, this, Ok(PStr::empty()), |c| c.charset.escape(string.as_bytes(), c.backslash_escapes()))?.map_err(Into::into)
}

pub fn escape_string(cx: &mut Cx, this: &PObject, string: &PStr) -> Res<PStr> {
    real_escape_string(cx, this, string)
}

/// The instance reports errors of constructors only when it reports errors at all.
pub fn reports_errors(cx: &mut Cx) -> bool {
    cx.state::<Mysqli>().report_mode & report::ERROR != 0
}

/// Reports a result object that cannot be made of what the link has.
pub fn report_no_result(cx: &mut Cx, link: &Rc<Link>) -> Res<()> {
    match look(&link.shared, |c| c.error.clone()) {
        Some(error) if error.code != 0 && reports_errors(cx) => report_error(cx, error.code, error.state, &error.message),
        _ => Ok(()),
    }
}
