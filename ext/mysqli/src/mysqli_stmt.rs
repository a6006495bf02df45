//! Class mysqli_stmt, and the functions that take such an object first.
//!
//! Parameters and results are bound by reference: the statement holds the references, reads them when it is executed and writes them when a
//! row is fetched. Values are converted before the statement is borrowed, since conversions may run PHP code.

use crate::link::{Link, arg, count, error_list, held, link, not_initialized, on, raise_warnings, report_index, report_info};
use crate::{mysqli_result, mysqli_warning, properties};
use jumbo_abi::{ClassHooks, Cx, PArray, PObject, PStr, Res, Value, View};
use jumbo_ext_mysqlnd::connection::Shared;
use jumbo_ext_mysqlnd::error::{ErrorInfo, code};
use jumbo_ext_mysqlnd::result::{Fetched, ResultSet};
use jumbo_ext_mysqlnd::statement::{Parameter, Statement};
use jumbo_value::number::{self, Number};
use jumbo_value::{Native, convert};
use std::cell::RefCell;
use std::rc::Rc;

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    uncloneable: true,
    properties: Some(|cx, object, purpose| properties::debug(cx, object, purpose, properties::STATEMENT, properties::read_statement)),
    prop_read: Some(properties::read_statement),
    prop_write: Some(|cx, object, name, _| properties::refuse_write(cx, object, name, properties::STATEMENT)),
    prop_has: Some(|cx, object, name, empty| properties::has(cx, object, name, empty, properties::read_statement)),
    ..ClassHooks::NONE
};

/// A statement with what is bound to it.
pub struct Handle {
    statement: RefCell<Statement>,
    link: Rc<Link>,
    /// Type and reference of each parameter.
    parameters: RefCell<Vec<(u8, Value)>>,
    results: RefCell<Vec<Value>>,
    query: RefCell<PStr>,
}

impl Handle {
    pub fn set(&self, statement: Statement, query: &PStr) {
        let before = self.statement.replace(statement);
        drop(before);
        self.query.replace(query.clone());
    }
    fn shared(&self) -> &Shared {
        &self.link.shared
    }
}

pub fn new_statement(link: &Rc<Link>) -> Rc<Handle> {
    Rc::new(Handle {
        statement: RefCell::new(Statement::new(link.shared.clone())),
        link: link.clone(),
        parameters: RefCell::default(),
        results: RefCell::default(),
        query: RefCell::new(PStr::empty()),
    })
}

/// The native state: no handle when it is not constructed or was closed.
#[derive(Default)]
struct State(RefCell<Option<Rc<Handle>>>);

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Some(handle) = &*self.0.borrow() {
            handle.parameters.borrow().iter().for_each(|(_, value)| visit(value));
            handle.results.borrow().iter().for_each(visit);
        }
    }
    fn clear(&mut self) {
        if let Some(handle) = self.0.take() {
            drop(handle.parameters.take());
            drop(handle.results.take());
        }
    }
}

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State::default()));
    properties::hide(object, properties::STATEMENT.len() as u32);
    Ok(())
}

fn put(object: &PObject, handle: Rc<Handle>) {
    if let Some(state) = object.native::<State>() {
        let before = state.0.replace(Some(handle));
        drop(before);
    }
}

pub fn new_object(cx: &mut Cx, handle: Rc<Handle>) -> Res<PObject> {
    let class = cx.builtin_class(b"mysqli_stmt");
    let object = cx.new_object(class)?;
    put(&object, handle);
    Ok(object)
}

/// Something of the statement; `None`: there is none.
pub fn looked_at<T>(object: &PObject, ask: impl FnOnce(&Statement) -> T) -> Option<T> {
    let handle = object.native::<State>()?.0.borrow().clone()?;
    let statement = handle.statement.try_borrow().ok()?;
    Some(ask(&statement))
}

fn initialized(cx: &mut Cx, object: &PObject) -> Res<Rc<Handle>> {
    let found = object.native::<State>().and_then(|s| s.0.borrow().clone());
    held(cx, object, found)
}

/// The handle of a statement that must be prepared.
fn prepared(cx: &mut Cx, object: &PObject) -> Res<Rc<Handle>> {
    let handle = initialized(cx, object)?;
    if handle.statement.try_borrow().is_ok_and(|s| !s.was_prepared) {
        return Err(not_initialized(cx, object));
    }
    Ok(handle)
}

/// Works with a statement; then the client's warnings are raised. `otherwise`: it is in use further up the stack.
fn working<T>(cx: &mut Cx, handle: &Handle, otherwise: T, work: impl FnOnce(&mut Cx, &mut Statement) -> Res<T>) -> Res<T> {
    let result = match handle.statement.try_borrow_mut() {
        Ok(mut statement) => work(cx, &mut statement),
        Err(_) => return Ok(otherwise),
    };
    raise_warnings(cx, handle.shared())?;
    result
}

fn error_of(handle: &Handle) -> ErrorInfo {
    handle.statement.try_borrow().map_or_else(|_| ErrorInfo::default(), |s| s.error.clone())
}

fn report(cx: &mut Cx, handle: &Handle) -> Res<()> {
    let error = error_of(handle);
    report_info(cx, &error)
}

/// A step that is done or has failed; failure is reported.
fn simple(cx: &mut Cx, handle: &Handle, work: impl FnOnce(&mut Cx, &mut Statement) -> Res<bool>) -> Res<bool> {
    let fine = working(cx, handle, false, work)?;
    if !fine {
        report(cx, handle)?;
    }
    Ok(fine)
}

pub fn __construct(cx: &mut Cx, this: &PObject, mysql: &PObject, query: Option<&PStr>) -> Res<()> {
    let link = link(cx, mysql)?;
    let handle = new_statement(&link);
    put(this, handle.clone());
    match query {
        Some(query) => prepare_handle(cx, &handle, query).map(drop),
        None => Ok(()),
    }
}

fn prepare_handle(cx: &mut Cx, handle: &Rc<Handle>, query: &PStr) -> Res<bool> {
    let (parameters, results) = (handle.parameters.take(), handle.results.take());
    drop((parameters, results));
    on(cx, handle.shared(), (), |cx, c| {
        if c.multi_statements {
            c.set_multi_statements(cx, false)?;
        }
        Ok(())
    })?;
    handle.query.replace(query.clone());
    simple(cx, handle, |cx, s| s.prepare(cx, query.as_bytes()))
}

pub fn prepare(cx: &mut Cx, this: &PObject, query: &PStr) -> Res<bool> {
    let handle = initialized(cx, this)?;
    prepare_handle(cx, &handle, query)
}

pub fn close(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let handle = prepared(cx, this)?;
    working(cx, &handle, (), |cx, s| s.close(cx, true))?;
    if let Some(state) = this.native::<State>() {
        let before = state.0.take();
        drop(before);
    }
    Ok(true)
}

// ---- parameters

pub fn bind_param(cx: &mut Cx, this: &PObject, types: &PStr, vars: &[Value]) -> Res<bool> {
    let handle = prepared(cx, this)?;
    if types.is_empty() {
        return Err(cx.arg_value_error(arg(cx, 1), "must not be empty"));
    }
    if types.len() != vars.len() {
        let text = "The number of elements in the type definition string must match the number of bind variables";
        return Err(cx.throw("ArgumentCountError", text));
    }
    if looked_at(this, |s| s.parameter_count) != Some(vars.len()) {
        let text = "The number of variables must match the number of parameters in the prepared statement";
        return Err(cx.throw("ArgumentCountError", text));
    }
    if types.as_bytes().iter().any(|t| !b"bdis".contains(t)) {
        return Err(cx.arg_value_error(arg(cx, 1), "must only contain the \"b\", \"d\", \"i\", \"s\" type specifiers"));
    }
    let bound = types.as_bytes().iter().copied().zip(vars.iter().cloned()).collect();
    let before = handle.parameters.replace(bound);
    drop(before);
    Ok(true)
}

/// A bound value as the server gets it.
fn parameter(cx: &mut Cx, kind: u8, value: &Value, was_sent: bool) -> Res<Parameter> {
    let value = value.copy_deref();
    if kind == b'b' && was_sent {
        return Ok(Parameter::Sent);
    }
    if value.is_null() || value.is_undef() {
        return Ok(Parameter::Null);
    }
    match kind {
        b'i' => integer(cx, &value),
        b'd' => Ok(Parameter::Double(convert::to_float(&value))),
        // Parts are sent beforehand; without any it is empty.
        b'b' => Ok(Parameter::Text(PStr::empty())),
        _ => cx.to_string(&value).map(Parameter::Text),
    }
}

/// What is too large for an int goes as text, so that no digit is lost.
fn integer(cx: &mut Cx, value: &Value) -> Res<Parameter> {
    let too_large = match value.view() {
        View::Float(f) => !number::in_int_range(f),
        View::Str(s) => matches!(
            number::parse_prefix(s.as_bytes()),
            Some(p) if matches!(p.number, Number::Float(f) if !number::in_int_range(f))
        ),
        _ => false,
    };
    if too_large {
        return cx.to_string(value).map(Parameter::Text);
    }
    Ok(Parameter::Int(convert::to_int(value)))
}

/// The values of a list as parameters: all are text. `n`: the argument's number in messages.
pub fn listed_parameters(cx: &mut Cx, params: &PArray, expected: usize, n: u32) -> Res<Vec<Parameter>> {
    if !params.is_list() {
        return Err(cx.arg_value_error(n, "must be a list array"));
    }
    if params.len() != expected {
        return Err(cx.arg_value_error(n, format!("must consist of exactly {expected} elements, {} present", params.len())));
    }
    let mut list = Vec::with_capacity(expected);
    for value in params.values() {
        list.push(parameter(cx, b's', value, false)?);
    }
    Ok(list)
}

pub fn execute(cx: &mut Cx, this: &PObject, params: Option<&PArray>) -> Res<bool> {
    let handle = prepared(cx, this)?;
    let expected = looked_at(this, |s| s.parameter_count).unwrap_or(0);
    let values = match params {
        Some(params) => {
            let n = arg(cx, 1);
            let list = listed_parameters(cx, params, expected, n)?;
            // They stay bound.
            let bound = params.values().map(|value| (b's', value.copy_deref())).collect();
            let before = handle.parameters.replace(bound);
            drop(before);
            Some(list)
        }
        None => {
            let bound = handle.parameters.borrow().clone();
            if bound.len() == expected {
                let mut list = Vec::with_capacity(expected);
                for (at, (kind, value)) in bound.iter().enumerate() {
                    let was_sent = looked_at(this, |s| s.has_long_data(at)).unwrap_or(false);
                    list.push(parameter(cx, *kind, value, was_sent)?);
                }
                Some(list)
            } else {
                None
            }
        }
    };
    let fine = working(cx, &handle, false, |cx, s| match &values {
        Some(values) => s.execute(cx, values),
        None => {
            s.error.clear();
            s.error.set_own(code::PARAMS_NOT_BOUND, "No data supplied for parameters in prepared statement");
            Ok(false)
        }
    })?;
    if !fine {
        report(cx, &handle)?;
        return Ok(false);
    }
    let status = looked_at(this, |s| s.outcome.status).unwrap_or(0);
    let query = handle.query.borrow().clone();
    report_index(cx, &query, status)?;
    Ok(true)
}

pub fn send_long_data(cx: &mut Cx, this: &PObject, param_num: i64, data: &PStr) -> Res<bool> {
    let handle = prepared(cx, this)?;
    let Ok(at) = usize::try_from(param_num) else {
        return Err(cx.arg_value_error(arg(cx, 1), "must be greater than or equal to 0"));
    };
    let kind = handle.parameters.borrow().get(at).map(|(kind, _)| *kind);
    working(cx, &handle, false, |cx, s| {
        if at < s.parameter_count && kind != Some(b'b') {
            s.error.clear();
            s.error.set_own(code::INVALID_BUFFER_USE, "Can't send long data for non-string/non-binary data types");
            return Ok(false);
        }
        s.send_long_data(cx, at, data.as_bytes())
    })
}

const UPDATE_MAX_LENGTH: i64 = 0;
const CURSOR_TYPE: i64 = 1;

fn attribute_error(cx: &mut Cx) -> jumbo_abi::Stop {
    cx.arg_value_error(arg(cx, 1), "must be either MYSQLI_STMT_ATTR_UPDATE_MAX_LENGTH or MYSQLI_STMT_ATTR_CURSOR_TYPE")
}

pub fn attr_get(cx: &mut Cx, this: &PObject, attribute: i64) -> Res<i64> {
    prepared(cx, this)?;
    match attribute {
        UPDATE_MAX_LENGTH => Ok(looked_at(this, |s| i64::from(s.update_max_length)).unwrap_or(0)),
        CURSOR_TYPE => Ok(looked_at(this, |s| i64::from(s.use_cursor)).unwrap_or(0)),
        _ => Err(attribute_error(cx)),
    }
}

pub fn attr_set(cx: &mut Cx, this: &PObject, attribute: i64, value: i64) -> Res<bool> {
    let handle = prepared(cx, this)?;
    match attribute {
        UPDATE_MAX_LENGTH if (0..=1).contains(&value) => working(cx, &handle, false, |_, s| {
            s.update_max_length = value != 0;
            Ok(true)
        }),
        UPDATE_MAX_LENGTH => Err(cx.arg_value_error(arg(cx, 2), "must be 0 or 1 for attribute MYSQLI_STMT_ATTR_UPDATE_MAX_LENGTH")),
        CURSOR_TYPE if (0..=1).contains(&value) => working(cx, &handle, false, |_, s| {
            s.use_cursor = value != 0;
            Ok(true)
        }),
        CURSOR_TYPE => {
            let text = "must be one of the MYSQLI_CURSOR_TYPE_* constants for attribute MYSQLI_STMT_ATTR_CURSOR_TYPE";
            Err(cx.arg_value_error(arg(cx, 2), text))
        }
        _ => Err(attribute_error(cx)),
    }
}

// ---- results

pub fn bind_result(cx: &mut Cx, this: &PObject, vars: &[Value]) -> Res<bool> {
    let handle = prepared(cx, this)?;
    if looked_at(this, Statement::field_count) != Some(vars.len()) {
        let text = "Number of bind variables doesn't match number of fields in prepared statement";
        return Err(cx.throw("ArgumentCountError", text));
    }
    let before = handle.results.replace(vars.to_vec());
    drop(before);
    Ok(true)
}

pub fn fetch(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let handle = prepared(cx, this)?;
    let fetched = working(cx, &handle, Fetched::Failed, |cx, s| s.fetch(cx))?;
    match fetched {
        Fetched::Row(values) => {
            let bound = handle.results.borrow().clone();
            for (target, value) in bound.iter().zip(values) {
                if let Some(reference) = target.as_ref() {
                    let before = reference.replace(value);
                    drop(before);
                }
            }
            Ok(Value::TRUE)
        }
        Fetched::End => Ok(Value::null()),
        Fetched::Failed => {
            report(cx, &handle)?;
            Ok(Value::FALSE)
        }
        Fetched::Malformed(why) => {
            cx.warning(why.message())?;
            Ok(Value::FALSE)
        }
    }
}

pub fn store_result(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let handle = prepared(cx, this)?;
    simple(cx, &handle, |cx, s| s.store(cx))
}

pub fn get_result(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let handle = prepared(cx, this)?;
    let set = working(cx, &handle, None, |cx, s| s.result(cx))?;
    match set {
        Some(set) => mysqli_result::new_object(cx, set).map(Value::from),
        None => {
            report(cx, &handle)?;
            Ok(Value::FALSE)
        }
    }
}

pub fn result_metadata(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let handle = prepared(cx, this)?;
    match looked_at(this, |s| s.columns.clone()).flatten() {
        Some(columns) => mysqli_result::new_object(cx, ResultSet::of_columns(columns)).map(Value::from),
        None => {
            report(cx, &handle)?;
            Ok(Value::FALSE)
        }
    }
}

pub fn data_seek(cx: &mut Cx, this: &PObject, offset: i64) -> Res<()> {
    let handle = prepared(cx, this)?;
    let Ok(to) = u64::try_from(offset) else {
        return Err(cx.arg_value_error(arg(cx, 1), "must be greater than or equal to 0"));
    };
    working(cx, &handle, false, |_, s| Ok(s.seek(to))).map(drop)
}

pub fn free_result(cx: &mut Cx, this: &PObject) -> Res<()> {
    let handle = prepared(cx, this)?;
    working(cx, &handle, false, |cx, s| s.free_result(cx)).map(drop)
}

pub fn reset(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let handle = prepared(cx, this)?;
    simple(cx, &handle, |cx, s| s.reset(cx))
}

pub fn more_results(cx: &mut Cx, this: &PObject) -> Res<bool> {
    prepared(cx, this)?;
    Ok(looked_at(this, Statement::has_more_results).unwrap_or(false))
}

pub fn next_result(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let handle = prepared(cx, this)?;
    if !looked_at(this, Statement::has_more_results).unwrap_or(false) {
        return Ok(false);
    }
    simple(cx, &handle, |cx, s| s.next_result(cx))
}

pub fn get_warnings(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let handle = prepared(cx, this)?;
    mysqli_warning::of_link(cx, &handle.link.clone())
}

// ---- what is known of the statement

fn known(cx: &mut Cx, this: &PObject, ask: impl FnOnce(&Statement) -> Value) -> Res<Value> {
    prepared(cx, this)?;
    Ok(looked_at(this, ask).unwrap_or(Value::null()))
}

pub fn affected_rows(cx: &mut Cx, this: &PObject) -> Res<Value> {
    known(cx, this, |s| count(s.outcome.affected))
}
pub fn insert_id(cx: &mut Cx, this: &PObject) -> Res<Value> {
    known(cx, this, |s| count(s.outcome.insert_id))
}
pub fn num_rows(cx: &mut Cx, this: &PObject) -> Res<Value> {
    known(cx, this, |s| count(s.row_count()))
}
pub fn param_count(cx: &mut Cx, this: &PObject) -> Res<Value> {
    known(cx, this, |s| Value::from(s.parameter_count as i64))
}
pub fn field_count(cx: &mut Cx, this: &PObject) -> Res<Value> {
    known(cx, this, |s| Value::from(s.field_count() as i64))
}
pub fn errno(cx: &mut Cx, this: &PObject) -> Res<i64> {
    let handle = initialized(cx, this)?;
    Ok(i64::from(error_of(&handle).code))
}
pub fn error(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let handle = initialized(cx, this)?;
    Ok(PStr::new(&error_of(&handle).message))
}
pub fn sqlstate(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let handle = prepared(cx, this)?;
    Ok(PStr::new(&error_of(&handle).state))
}
pub fn error_list_(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let handle = initialized(cx, this)?;
    Ok(error_list(&error_of(&handle)))
}
