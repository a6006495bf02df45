//! The class SessionHandler: the built-in handler, for PHP code to extend.

use crate::state::of;
use crate::store::{self, of_files};
use jumbo_abi::{Cx, OrFalse, PObject, PStr, Res};

/// A session must be active, and a built-in handler be behind the user's.
fn check(cx: &mut Cx) -> Res<()> {
    if !of(cx).active {
        return Err(cx.throw_error("Session is not active"));
    }
    if !of(cx).parent_is_files {
        return Err(cx.throw_error("Cannot call default session handler"));
    }
    Ok(())
}

/// Also, it must be open. Ok(false): it is not.
fn check_open(cx: &mut Cx) -> Res<bool> {
    check(cx)?;
    if !of(cx).parent_open {
        cx.warning("Parent session handler is not open")?;
        return Ok(false);
    }
    Ok(true)
}

pub fn open(cx: &mut Cx, _this: &PObject, path: &PStr, _name: &PStr) -> Res<bool> {
    check(cx)?;
    of(cx).parent_open = true;
    of_files(cx, |files, cx| files.open(cx, path.as_bytes()))
}

pub fn close(cx: &mut Cx, _this: &PObject) -> Res<bool> {
    if !check_open(cx)? {
        return Ok(false);
    }
    of(cx).parent_open = false;
    of(cx).files.close();
    Ok(true)
}

pub fn read(cx: &mut Cx, _this: &PObject, id: &PStr) -> Res<OrFalse<PStr>> {
    if !check_open(cx)? {
        return Ok(OrFalse::FALSE);
    }
    let data = of_files(cx, |files, cx| files.read(cx, id.as_bytes()))?;
    Ok(OrFalse(data))
}

pub fn write(cx: &mut Cx, _this: &PObject, id: &PStr, data: &PStr) -> Res<bool> {
    Ok(check_open(cx)? && of_files(cx, |files, cx| files.write(cx, id.as_bytes(), data.as_bytes()))?)
}

pub fn destroy(cx: &mut Cx, _this: &PObject, id: &PStr) -> Res<bool> {
    Ok(check_open(cx)? && of_files(cx, |files, cx| files.destroy(cx, id.as_bytes()))?)
}

pub fn gc(cx: &mut Cx, _this: &PObject, max_lifetime: i64) -> Res<OrFalse<i64>> {
    if !check_open(cx)? {
        return Ok(OrFalse::FALSE);
    }
    Ok(OrFalse(of_files(cx, |files, cx| files.gc(cx, max_lifetime))?))
}

pub fn create_sid(cx: &mut Cx, _this: &PObject) -> Res<PStr> {
    check(cx)?;
    Ok(PStr::new(&store::new_id(cx)?))
}
