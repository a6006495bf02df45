//! Raising errors, the user's handlers, backtraces.

use jumbo_abi::engine::BacktraceOptions;
use jumbo_abi::throwable::Handlers;
use jumbo_abi::{Callable, Cx, Level, PArray, PStr, Res, Value};

pub fn error_reporting(cx: &mut Cx, error_level: Option<i64>) -> i64 {
    let before = i64::from(cx.error_level);
    if let Some(level) = error_level {
        cx.error_level = level as u32;
        if let Some(entry) = cx.ini.get_mut(b"error_reporting") {
            let old = entry.value.replace(level.to_string().into_bytes().into());
            entry.original.get_or_insert(old);
        }
    }
    // The mask is an int in PHP: all bits set are -1.
    i64::from(before as i32)
}

pub fn trigger_error(cx: &mut Cx, message: &PStr, error_level: i64) -> Res<bool> {
    let level = u32::try_from(error_level).ok().and_then(Level::from_u32);
    let level = match level {
        Some(level @ (Level::UserError | Level::UserWarning | Level::UserNotice | Level::UserDeprecated)) => level,
        _ => {
            let what = "must be one of E_USER_ERROR, E_USER_WARNING, E_USER_NOTICE, or E_USER_DEPRECATED";
            return Err(cx.arg_value_error(2, what));
        }
    };
    if level == Level::UserError {
        cx.raise(
            Level::Deprecated,
            b"Passing E_USER_ERROR to trigger_error() is deprecated since 8.4, throw an exception or call exit with a \
              string message instead",
        )?;
    }
    cx.raise(level, message.as_bytes())?;
    Ok(true)
}

fn value_of(callable: Option<&Callable>) -> Value {
    callable.map_or_else(Value::null, |c| c.value.clone())
}

pub fn set_error_handler(cx: &mut Cx, callback: Option<&Callable>, error_levels: i64) -> Value {
    let handlers = cx.state::<Handlers>();
    let before = value_of(handlers.error.as_ref().map(|(c, _)| c));
    let old = std::mem::replace(&mut handlers.error, callback.map(|c| (c.clone(), error_levels as u32)));
    handlers.error_stack.push(old);
    before
}

pub fn restore_error_handler(cx: &mut Cx) -> bool {
    let handlers = cx.state::<Handlers>();
    let old = std::mem::replace(&mut handlers.error, handlers.error_stack.pop().flatten());
    // Dropped only now: the handler may be the last owner of objects.
    drop(old);
    true
}

pub fn set_exception_handler(cx: &mut Cx, callback: Option<&Callable>) -> Value {
    let handlers = cx.state::<Handlers>();
    let before = value_of(handlers.exception.as_ref());
    let old = std::mem::replace(&mut handlers.exception, callback.cloned());
    handlers.exception_stack.push(old);
    before
}

pub fn restore_exception_handler(cx: &mut Cx) -> bool {
    let handlers = cx.state::<Handlers>();
    let old = std::mem::replace(&mut handlers.exception, handlers.exception_stack.pop().flatten());
    drop(old);
    true
}

const PROVIDE_OBJECT: i64 = 1;
const IGNORE_ARGS: i64 = 2;

/// The stack above the running builtin.
fn backtrace(cx: &mut Cx, options: i64, limit: i64, with_object: bool) -> PArray {
    cx.backtrace(BacktraceOptions {
        with_object,
        with_args: options & IGNORE_ARGS == 0,
        limit: usize::try_from(limit).unwrap_or(0),
        skip: 1,
    })
}

pub fn debug_backtrace(cx: &mut Cx, options: i64, limit: i64) -> PArray {
    backtrace(cx, options, limit, options & PROVIDE_OBJECT != 0)
}

pub fn debug_print_backtrace(cx: &mut Cx, options: i64, limit: i64) -> Res<()> {
    let trace = backtrace(cx, options, limit, false);
    let text = cx.engine().trace_to_string(cx, &trace)?;
    // Without the last line, `#n {main}`.
    let end = text.as_bytes().iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    cx.write(text.as_bytes().get(..end).unwrap_or_default())
}
