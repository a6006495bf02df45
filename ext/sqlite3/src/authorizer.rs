//! What may be done: open_basedir for files that are attached, then PHP's own authorizer.

use crate::sys::{Database, PhpCallable, SQLITE_DENY, SQLITE_IGNORE, SQLITE_OK};
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
pub fn authorize(
    cx: &mut Cx,
    database: &Database,
    action: i32,
    texts: &[Option<Vec<u8>>; 4],
    callback: Option<&PhpCallable>,
) -> Res<i32> {
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
            complain(cx, database, format!("The authorizer callback returned an invalid value: {code}"))?;
            Ok(SQLITE_DENY)
        }
        None => {
            complain(cx, database, "The authorizer callback returned an invalid type: expected int".to_owned())?;
            Ok(SQLITE_DENY)
        }
    }
}

/// As the object wants its errors: what is thrown here becomes the `previous` of the refused statement's exception.
fn complain(cx: &mut Cx, database: &Database, message: String) -> Res<()> {
    if database.exceptions.get() { Err(cx.throw("SQLite3Exception", message)) } else { cx.warning(message) }
}
