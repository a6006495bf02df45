//! Errors as PDO reports them: kept for `errorInfo()`, and given as exception, warning or not at all by the error mode.

use crate::connection::Db;
use crate::driver::{NO_ERROR, SqlError, SqlState};
use crate::sqlstate::description;
use jumbo_abi::throwable::slots;
use jumbo_abi::{Cx, PArray, Res, Stop, Value};
use std::cell::RefCell;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorMode {
    Silent,
    Warning,
    Exception,
}

impl ErrorMode {
    pub fn of(number: i64) -> Option<ErrorMode> {
        Some(match number {
            0 => ErrorMode::Silent,
            1 => ErrorMode::Warning,
            2 => ErrorMode::Exception,
            _ => return None,
        })
    }
}

/// The last error of a connection or statement.
#[derive(Clone, Debug, Default)]
pub struct LastError {
    /// None: nothing was done yet.
    pub state: Option<SqlState>,
    pub code: Option<i64>,
    pub message: Option<Vec<u8>>,
}

impl LastError {
    /// An operation begins.
    pub fn clear(slot: &RefCell<LastError>) {
        *slot.borrow_mut() = LastError { state: Some(NO_ERROR), ..LastError::default() };
    }
    pub fn set(slot: &RefCell<LastError>, error: &SqlError) {
        *slot.borrow_mut() =
            LastError { state: Some(error.state), code: Some(error.code), message: Some(error.message.clone()) };
    }
    /// What `errorInfo()` gives.
    pub fn info(&self) -> PArray {
        let state = self.state.map_or(Value::empty_string(), |s| Value::bytes(&s));
        let code = self.code.map_or(Value::null(), Value::from);
        let message = self.message.as_ref().map_or(Value::null(), |m| Value::bytes(m));
        PArray::from_values([state, code, message])
    }
}

/// Gives the kept error to the program, by the error mode. Nothing when there is none.
pub fn report(cx: &mut Cx, db: &Db, slot: &RefCell<LastError>) -> Res<()> {
    let error = slot.borrow().clone();
    let Some(state) = error.state.filter(|s| *s != NO_ERROR) else { return Ok(()) };
    if db.error_mode.get() == ErrorMode::Silent {
        return Ok(());
    }
    let mut text = prefix(&state);
    if let Some(message) = &error.message {
        text.extend_from_slice(format!(": {} ", error.code.unwrap_or(0)).as_bytes());
        text.extend_from_slice(message);
    }
    match db.error_mode.get() {
        ErrorMode::Silent => Ok(()),
        ErrorMode::Warning => cx.warning(text),
        ErrorMode::Exception => {
            let mut info = PArray::new();
            info.append(Value::bytes(&state));
            if let Some(message) = &error.message {
                info.append(error.code.unwrap_or(0));
                info.append(Value::bytes(message));
            }
            Err(throw(cx, &text, Value::bytes(&state), info))
        }
    }
}

/// `SQLSTATE[42000]: Syntax error or access violation`
fn prefix(state: &SqlState) -> Vec<u8> {
    [b"SQLSTATE[".as_slice(), state, b"]: ", description(state).as_bytes()].concat()
}

/// An error that PDO itself finds; kept and reported.
pub fn raise(cx: &mut Cx, db: &Db, slot: &RefCell<LastError>, state: SqlState, message: impl AsRef<[u8]>) -> Res<()> {
    *slot.borrow_mut() = LastError { state: Some(state), ..LastError::default() };
    let mut text = prefix(&state);
    let message = message.as_ref();
    if !message.is_empty() {
        text.extend_from_slice(b": ");
        text.extend_from_slice(message);
    }
    match db.error_mode.get() {
        ErrorMode::Silent => Ok(()),
        ErrorMode::Warning => cx.warning(text),
        ErrorMode::Exception => {
            let info = PArray::from_values([Value::bytes(&state), Value::from(0i64)]);
            Err(throw(cx, &text, Value::bytes(&state), info))
        }
    }
}

/// The driver could not connect: always an exception, with the driver's number as code.
pub fn connect_failed(cx: &mut Cx, error: &SqlError) -> Stop {
    let text = [b"SQLSTATE[".as_slice(), &error.state, format!("] [{}] ", error.code).as_bytes(), &error.message].concat();
    let info = PArray::from_values([Value::bytes(&error.state), Value::from(error.code), Value::bytes(&error.message)]);
    throw(cx, &text, Value::from(error.code), info)
}

/// A PDOException without a SQLSTATE.
pub fn plain(cx: &mut Cx, message: impl jumbo_abi::Message) -> Stop {
    cx.throw("PDOException", message)
}

fn throw(cx: &mut Cx, message: &[u8], code: Value, info: PArray) -> Stop {
    let class = cx.builtin_class(b"pdoexception");
    let made = cx.new_object(class).and_then(|object| {
        object.set_slot(slots::MESSAGE, Value::bytes(message));
        object.set_slot(slots::CODE, code);
        cx.write_property(&object, b"errorInfo", info)?;
        Ok(object)
    });
    match made {
        Ok(object) => cx.throw_object(object),
        Err(stop) => stop,
    }
}
