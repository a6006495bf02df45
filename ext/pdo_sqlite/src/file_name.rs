//! Which files a script may open, by open_basedir: as databases, and in ATTACH.

use jumbo_abi::stream::{absolute, allowed};
use jumbo_abi::{Cx, Res};
use jumbo_ext_sqlite3::sys::{Database, PhpCallable, SQLITE_DENY, SQLITE_OK};

/// The name as SQLite gets it: absolute, unless it is no file. None: open_basedir prohibits it.
pub fn safe(cx: &mut Cx, name: &[u8], quiet: bool) -> Res<Option<Vec<u8>>> {
    let restricted = !cx.ini.str("open_basedir").is_empty();
    if name.starts_with(b"file:") {
        // Where a URI leads is SQLite's affair: none when it matters.
        return Ok((!restricted).then(|| name.to_vec()));
    }
    if name.is_empty() || name == b":memory:" {
        return Ok(Some(name.to_vec()));
    }
    if restricted && !allowed(cx, name, quiet)? {
        return Ok(None);
    }
    Ok(Some(absolute(cx, name)))
}

const ATTACH: i32 = 24;

/// The authorizer of connections: files that are attached must be allowed.
pub fn authorize(cx: &mut Cx, _database: &Database, action: i32, texts: &[Option<Vec<u8>>; 4], _callback: Option<&PhpCallable>) -> Res<i32> {
    if action != ATTACH {
        return Ok(SQLITE_OK);
    }
    // A name that is known at run time only cannot be checked.
    let Some(name) = texts[0].clone() else { return Ok(SQLITE_DENY) };
    Ok(if safe(cx, &name, true)?.is_some() { SQLITE_OK } else { SQLITE_DENY })
}
