//! assert() and its deprecated options.
//!
//! The compiler leaves calls out when `zend.assertions` is -1, jumps over them when it is 0, and passes the expression's text as
//! description when there is none. A callback set with assert_options() may be any callable; the setting `assert.callback`, a
//! name, counts until then.

use jumbo_abi::ini::parse_bool;
use jumbo_abi::{Cx, Level, PStr, Res, Stop, Value, View, mask};
use jumbo_value::convert;

/// The callback that assert_options() has set, if it has.
#[derive(Default)]
struct Override(Option<Value>);

pub fn assert(cx: &mut Cx, assertion: &Value, description: Option<&Value>) -> Res<bool> {
    let holds = match assertion.view_deref() {
        View::Object(o) => convert::to_bool(&cx.engine().object_cast(cx, o, mask::BOOL)?),
        _ => convert::to_bool(assertion),
    };
    if holds || !cx.ini.bool("assert.active") {
        return Ok(true);
    }
    let description = description.filter(|d| !d.is_null());
    if let Some(thrown) = description.and_then(Value::as_object) {
        return Err(cx.throw_object(thrown.clone()));
    }
    let text = description.and_then(Value::as_str).cloned();
    let callback = callback(cx);
    if !callback.is_null() {
        let (file, line) = (cx.engine().caller_file(cx), cx.engine().caller_line(cx));
        let mut args = vec![Value::from(file), Value::from(i64::from(line)), Value::null()];
        args.extend(text.clone().map(Value::from));
        cx.call_value(&callback, &args)?;
    }
    if cx.ini.bool("assert.exception") {
        let class = cx.builtin_class(b"assertionerror");
        let message = text.as_ref().map_or(b"".as_slice(), |t| t.as_bytes());
        return Err(cx.engine().throw_new(cx, class, message, 1));
    }
    if cx.ini.bool("assert.warning") {
        match &text {
            Some(text) => cx.warning([text.as_bytes(), b" failed"])?,
            None => cx.warning("Assertion failed")?,
        }
    }
    if cx.ini.bool("assert.bail") {
        cx.exit_status = 255;
        return Err(Stop::Exit);
    }
    Ok(false)
}

/// The callback in force, or null.
fn callback(cx: &mut Cx) -> Value {
    if let Some(value) = &cx.state::<Override>().0 {
        return value.clone();
    }
    match cx.ini.str("assert.callback") {
        b"" => Value::null(),
        name => Value::from(PStr::new(name)),
    }
}

pub fn assert_options(cx: &mut Cx, option: i64, value: Option<&Value>) -> Res<Value> {
    let name = match option {
        1 => "assert.active",
        3 => "assert.bail",
        4 => "assert.warning",
        5 => "assert.exception",
        2 => {
            let old = callback(cx);
            if let Some(value) = value {
                cx.state::<Override>().0 = Some(value.clone());
            }
            return Ok(old);
        }
        _ => return Err(cx.arg_value_error(1, "must be an ASSERT_* constant")),
    };
    let old = i64::from(cx.ini.bool(name));
    if let Some(value) = value {
        let text = cx.to_string(value)?;
        crate::settings::change(cx, name.as_bytes(), text.as_bytes())?;
    }
    Ok(Value::from(old))
}

/// What php.ini or the command line says that is deprecated; before the script.
pub fn startup(cx: &mut Cx) -> Res<()> {
    for (name, default) in [("assert.active", true), ("assert.bail", false), ("assert.warning", true)] {
        if cx.ini.bool(name) != default {
            startup_deprecation(cx, name)?;
        }
    }
    if !cx.ini.str("assert.callback").is_empty() {
        startup_deprecation(cx, "assert.callback")?;
    }
    if !cx.ini.bool("assert.exception") {
        startup_deprecation(cx, "assert.exception")?;
    }
    Ok(())
}

fn startup_deprecation(cx: &mut Cx, name: &str) -> Res<()> {
    cx.raise(Level::Deprecated, format_args!("PHP Startup: {name} INI setting is deprecated"))
}

/// A change away from the default is deprecated; assert_options() is so as a whole, and says nothing here.
fn away_from_default(cx: &mut Cx, name: &str) -> bool {
    let function = cx.active_function_name();
    if !function.is_empty() && function != b"assert_options" {
        // Whatever a handler of errors does, the setting changes.
        let _ = cx.deprecated(format_args!("{name} INI setting is deprecated"));
    }
    true
}

pub fn turned_off(cx: &mut Cx, value: &[u8]) -> bool {
    parse_bool(value) || away_from_default(cx, "assert.active")
}

pub fn warning_turned_off(cx: &mut Cx, value: &[u8]) -> bool {
    parse_bool(value) || away_from_default(cx, "assert.warning")
}

pub fn exception_turned_off(cx: &mut Cx, value: &[u8]) -> bool {
    parse_bool(value) || away_from_default(cx, "assert.exception")
}

pub fn turned_on(cx: &mut Cx, value: &[u8]) -> bool {
    !parse_bool(value) || away_from_default(cx, "assert.bail")
}

pub fn callback_changed(cx: &mut Cx, value: &[u8]) -> bool {
    cx.state::<Override>().0 = None;
    value.is_empty() || away_from_default(cx, "assert.callback")
}
