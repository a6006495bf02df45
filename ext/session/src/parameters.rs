//! The functions that read and change a session's parameters. While a session is active, or when its headers are gone, nothing changes.

use crate::files::valid_id;
use crate::state::{headers_sent, of};
use crate::store::{self, Store};
use jumbo_abi::{Cx, KeyRef, OrFalse, PArray, PStr, Res, Stop, Value, View};
use jumbo_ext_misc::settings::change;

/// Warns when `what` cannot be changed now. Ok(false): it cannot.
fn may_change(cx: &mut Cx, what: &str) -> Res<bool> {
    if of(cx).active {
        cx.warning(format!("{what} cannot be changed when a session is active"))?;
        return Ok(false);
    }
    if headers_sent(cx) {
        cx.warning(format!("{what} cannot be changed after headers have already been sent"))?;
        return Ok(false);
    }
    Ok(true)
}

fn setting(cx: &Cx, name: &str) -> PStr {
    PStr::new(cx.ini.str(name))
}

/// Changes a setting; an exception from a refusal's warning goes on. Whether it was taken.
fn set(cx: &mut Cx, name: &str, value: &[u8]) -> Res<bool> {
    let taken = change(cx, name.as_bytes(), value)?.is_some();
    if cx.exception.is_some() { Err(Stop::Thrown) } else { Ok(taken) }
}

/// The old value of a setting after it was changed, if a new one is given.
fn exchange(cx: &mut Cx, name: &str, what: &str, new: Option<&[u8]>) -> Res<OrFalse<PStr>> {
    if new.is_some() && !may_change(cx, what)? {
        return Ok(OrFalse::FALSE);
    }
    let old = setting(cx, name);
    if let Some(new) = new {
        set(cx, name, new)?;
    }
    Ok(OrFalse(Some(old)))
}

pub fn session_name(cx: &mut Cx, name: Option<&PStr>) -> Res<OrFalse<PStr>> {
    if name.is_some_and(|n| n.as_bytes().contains(&0)) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    exchange(cx, "session.name", "Session name", name.map(PStr::as_bytes))
}

pub fn session_save_path(cx: &mut Cx, path: Option<&PStr>) -> Res<OrFalse<PStr>> {
    if path.is_some_and(|p| p.as_bytes().contains(&0)) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    exchange(cx, "session.save_path", "Session save path", path.map(PStr::as_bytes))
}

pub fn session_cache_limiter(cx: &mut Cx, value: Option<&PStr>) -> Res<OrFalse<PStr>> {
    exchange(cx, "session.cache_limiter", "Session cache limiter", value.map(PStr::as_bytes))
}

pub fn session_cache_expire(cx: &mut Cx, value: Option<i64>) -> Res<OrFalse<i64>> {
    let text = value.map(|v| v.to_string());
    let old = exchange(cx, "session.cache_expire", "Session cache expiration", text.as_deref().map(str::as_bytes))?;
    Ok(OrFalse(old.0.map(|old| jumbo_abi::ini::parse_quantity(old.as_bytes()))))
}

pub fn session_module_name(cx: &mut Cx, module: Option<&PStr>) -> Res<OrFalse<PStr>> {
    if module.is_some() && !may_change(cx, "Session save handler module")? {
        return Ok(OrFalse::FALSE);
    }
    let old = store::current(cx).map_or_else(PStr::empty, |s| PStr::from(s.name()));
    if let Some(module) = module {
        match Store::named(module.as_bytes()) {
            Some(Store::User) => return Err(cx.arg_value_error(1, "cannot be \"user\"")),
            None => {
                cx.warning([b"Session handler module \"".as_slice(), module.as_bytes(), b"\" cannot be found"].concat())?;
                return Ok(OrFalse::FALSE);
            }
            Some(Store::Files) => {
                set(cx, "session.save_handler", module.as_bytes())?;
            }
        }
    }
    Ok(OrFalse(Some(old)))
}

pub fn session_id(cx: &mut Cx, id: Option<&PStr>) -> Res<OrFalse<PStr>> {
    if id.is_some() {
        if of(cx).active {
            cx.warning("Session ID cannot be changed when a session is active")?;
            return Ok(OrFalse::FALSE);
        }
        if cx.ini.bool("session.use_cookies") && headers_sent(cx) {
            cx.warning("Session ID cannot be changed after headers have already been sent")?;
            return Ok(OrFalse::FALSE);
        }
    }
    let old = of(cx).id.as_deref().map_or_else(PStr::empty, PStr::new);
    if let Some(id) = id {
        of(cx).id = Some(id.as_bytes().to_vec());
    }
    Ok(OrFalse(Some(old)))
}

pub fn session_create_id(cx: &mut Cx, prefix: &PStr) -> Res<OrFalse<PStr>> {
    if prefix.as_bytes().contains(&0) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    if prefix.len() > 256 {
        return Err(cx.arg_value_error(1, "cannot be longer than 256 characters"));
    }
    if !prefix.is_empty() && !valid_id(prefix.as_bytes()) {
        cx.warning("Prefix cannot contain special characters. Only the A-Z, a-z, 0-9, \"-\", and \",\" characters are allowed")?;
        return Ok(OrFalse::FALSE);
    }
    let mut id = None;
    match store::current(cx).filter(|_| of(cx).active) {
        None => id = Some(store::new_id(cx)?),
        Some(store) => {
            for _ in 0..3 {
                let Some(new) = store::create_sid(cx, store)? else { continue };
                if store::knows_ids(cx, store) && store::validate(cx, store, &new)? {
                    continue;
                }
                id = Some(new);
                break;
            }
        }
    }
    let Some(id) = id else {
        cx.warning("Failed to create new ID")?;
        return Ok(OrFalse::FALSE);
    };
    Ok(OrFalse(Some(PStr::concat(&[prefix.as_bytes(), &id]))))
}

pub fn session_get_cookie_params(cx: &mut Cx) -> PArray {
    let mut array = PArray::new();
    array.set_bytes(b"lifetime", cx.ini.int("session.cookie_lifetime"));
    array.set_bytes(b"path", setting(cx, "session.cookie_path"));
    array.set_bytes(b"domain", setting(cx, "session.cookie_domain"));
    array.set_bytes(b"secure", cx.ini.bool("session.cookie_secure"));
    array.set_bytes(b"httponly", cx.ini.bool("session.cookie_httponly"));
    array.set_bytes(b"samesite", setting(cx, "session.cookie_samesite"));
    array
}

fn flag(value: bool) -> &'static [u8] {
    if value { b"1" } else { b"0" }
}

pub fn session_set_cookie_params(
    cx: &mut Cx,
    lifetime_or_options: &Value,
    path: Option<&PStr>,
    domain: Option<&PStr>,
    secure: Option<bool>,
    httponly: Option<bool>,
) -> Res<bool> {
    if !cx.ini.bool("session.use_cookies") {
        cx.warning("Session cookies cannot be used when session.use_cookies is disabled")?;
        return Ok(false);
    }
    if !may_change(cx, "Session cookie parameters")? {
        return Ok(false);
    }
    let mut changes: Vec<(&str, Vec<u8>)> = Vec::new();
    match lifetime_or_options.view_deref() {
        View::Array(options) => {
            let options = options.clone();
            let others = [path.is_some(), domain.is_some(), secure.is_some(), httponly.is_some()];
            if let Some(n) = others.iter().position(|given| *given) {
                return Err(cx.arg_value_error(n as u32 + 2, "must be null when argument #1 ($lifetime_or_options) is an array"));
            }
            for (key, value) in options.entries() {
                let name = match key.as_ref() {
                    KeyRef::Str(name) => name.clone(),
                    KeyRef::Int(_) => {
                        cx.warning("Argument #1 ($lifetime_or_options) cannot contain numeric keys")?;
                        continue;
                    }
                };
                let value = value.copy_deref();
                let lower = name.as_bytes().to_ascii_lowercase();
                let text = |cx: &mut Cx| cx.to_string(&value).map(|s| s.as_bytes().to_vec());
                let truth = || flag(jumbo_value::convert::to_bool(&value)).to_vec();
                changes.push(match lower.as_slice() {
                    b"lifetime" => ("session.cookie_lifetime", text(cx)?),
                    b"path" => ("session.cookie_path", text(cx)?),
                    b"domain" => ("session.cookie_domain", text(cx)?),
                    b"secure" => ("session.cookie_secure", truth()),
                    b"httponly" => ("session.cookie_httponly", truth()),
                    b"samesite" => ("session.cookie_samesite", text(cx)?),
                    _ => {
                        cx.warning(
                            [b"Argument #1 ($lifetime_or_options) contains an unrecognized key \"".as_slice(), name.as_bytes(), b"\""].concat(),
                        )?;
                        continue;
                    }
                });
            }
            if changes.is_empty() {
                return Err(cx.arg_value_error(1, "must contain at least 1 valid key"));
            }
        }
        _ => {
            let lifetime = jumbo_value::convert::to_int(lifetime_or_options.deref());
            changes.push(("session.cookie_lifetime", lifetime.to_string().into_bytes()));
            let texts = [("session.cookie_path", path), ("session.cookie_domain", domain)];
            changes.extend(texts.iter().filter_map(|(name, text)| Some((*name, text.as_ref()?.as_bytes().to_vec()))));
            let flags = [("session.cookie_secure", secure), ("session.cookie_httponly", httponly)];
            changes.extend(flags.iter().filter_map(|(name, value)| Some((*name, flag((*value)?).to_vec()))));
        }
    }
    for (name, value) in changes {
        if !set(cx, name, &value)? {
            return Ok(false);
        }
    }
    Ok(true)
}
