//! What may be done: open_basedir for files that are attached, then PHP's own authorizer.

use crate::sys::{PhpCallable, SQLITE_DENY, SQLITE_IGNORE, SQLITE_OK};
use jumbo_abi::stream::allowed;
use jumbo_abi::{Cx, Res, Value};

const ATTACH: i32 = 24;

/// May the script open this file? `quiet`: without a warning.
pub fn may_open(cx: &mut Cx, name: &[u8], quiet: bool) -> Res<bool> {
    let restricted = !cx.ini.str("open_basedir").is_empty();
    if !restricted || name.is_empty() || name == b":memory:" {
        return Ok(true);
    }
    // Where a URI leads is SQLite's affair.
    if name.starts_with(b"file:") {
        return Ok(false);
    }
    allowed(cx, name, quiet)
}

/// See [`Authorize`](crate::sys::Authorize).
pub fn authorize(cx: &mut Cx, action: i32, texts: &[Option<Vec<u8>>; 4], callback: Option<&PhpCallable>) -> Res<i32> {
    if action == ATTACH {
        match texts[0].clone() {
            Some(name) if !may_open(cx, &name, true)? => return Ok(SQLITE_DENY),
            // A name that is known at run time only cannot be checked.
            None if !cx.ini.str("open_basedir").is_empty() => return Ok(SQLITE_DENY),
            _ => {}
        }
    }
    let Some(callback) = callback else { return Ok(SQLITE_OK) };
    let mut args = vec![Value::from(i64::from(action))];
    args.extend(texts.iter().map(|t| t.as_ref().map_or(Value::null(), |t| Value::bytes(t))));
    let answer = callback.call(cx, &args)?;
    match answer.deref().as_int() {
        Some(code) if (0..=i64::from(SQLITE_IGNORE)).contains(&code) => Ok(code as i32),
        Some(code) => {
            cx.warning(format!("The authorizer callback returned an invalid value: {code}"))?;
            Ok(SQLITE_DENY)
        }
        None => {
            cx.warning("The authorizer callback returned an invalid type: expected int")?;
            Ok(SQLITE_DENY)
        }
    }
}
