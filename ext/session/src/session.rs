//! The life of a session, and the functions that move it on.

use crate::head::{limit_cache, send_cookie};
use crate::serializer::{self, Format};
use crate::state::{bind_variables, headers_sent, of, variables, warning};
use crate::store::{self, Store};
use crate::{settings, user};
use jumbo_abi::{Cx, KeyRef, OrFalse, PArray, PStr, Res, Value, View, args};
use jumbo_ext_misc::rewrite;
use jumbo_value::convert;

/// `session.auto_start`, and what is to be said of the configuration.
pub fn request_start(cx: &mut Cx) -> Res<()> {
    settings::at_startup(cx)?;
    crate::progress::note(cx)?;
    if cx.ini.bool("session.auto_start") {
        start(cx)?;
    }
    Ok(())
}

/// The script is over, however it ended: the session is written and closed.
pub fn request_end(cx: &mut Cx) -> Res<()> {
    of(cx).ending = true;
    let result = flush(cx, true).map(drop);
    of(cx).files.close();
    cx.forget_constant(b"SID");
    result
}

fn id_of(cx: &mut Cx) -> Vec<u8> {
    of(cx).id.clone().unwrap_or_default()
}

fn save_path(cx: &Cx) -> Vec<u8> {
    cx.ini.str("session.save_path").to_vec()
}

fn format_of(cx: &Cx) -> Option<Format> {
    serializer::named(cx.ini.str("session.serialize_handler"))
}

/// `NAME: files (path: /tmp)`, as many messages end.
fn about_store(cx: &mut Cx, what: &str, store: Store) -> Vec<u8> {
    let path = save_path(cx);
    [what.as_bytes(), b": ", store.name().as_bytes(), b" (path: ", &path, b")"].concat()
}

// ---- start

/// An id that came with the request.
fn requested_id(cx: &mut Cx) -> Option<Vec<u8>> {
    let name = cx.ini.str("session.name").to_vec();
    let of_global = |cx: &mut Cx, global: &[u8]| {
        let array = cx.engine().global(cx, global)?;
        let value = array.deref().as_array()?.get_sym(&name)?.copy_deref();
        value.as_str().map(|s| s.as_bytes().to_vec())
    };
    if cx.ini.bool("session.use_cookies")
        && let Some(id) = of_global(cx, b"_COOKIE")
    {
        of(cx).send_cookie = false;
        of(cx).define_sid = false;
        return Some(id);
    }
    if cx.ini.bool("session.use_only_cookies") {
        return None;
    }
    let id = of_global(cx, b"_GET").or_else(|| of_global(cx, b"_POST"))?;
    // A link from elsewhere does not carry a session along.
    let wanted = cx.ini.str("session.referer_check").to_vec();
    if !wanted.is_empty() {
        let server = cx.engine().global(cx, b"_SERVER");
        let referer = server.and_then(|s| s.deref().as_array()?.get_sym(b"HTTP_REFERER").map(Value::copy_deref));
        let referer = referer.and_then(|r| r.as_str().cloned()).filter(|r| !r.is_empty());
        if referer.is_some_and(|r| !r.as_bytes().windows(wanted.len()).any(|w| w == wanted)) {
            return None;
        }
    }
    Some(id)
}

/// Starts a session. False: reported.
pub fn start(cx: &mut Cx) -> Res<bool> {
    let Some(store) = store::current(cx) else {
        let name = cx.ini.str("session.save_handler").to_vec();
        warning(cx, [b"Cannot find session save handler \"".as_slice(), &name, b"\" - session startup failed"].concat())?;
        return Ok(false);
    };
    if format_of(cx).is_none() {
        let name = cx.ini.str("session.serialize_handler").to_vec();
        warning(cx, [b"Cannot find session serialization handler \"".as_slice(), &name, b"\" - session startup failed"].concat())?;
        return Ok(false);
    }
    let only_cookies = cx.ini.bool("session.use_only_cookies");
    let send = cx.ini.bool("session.use_cookies") || only_cookies;
    let session = of(cx);
    session.define_sid = !only_cookies;
    session.send_cookie = send;
    if session.id.is_none() {
        let id = requested_id(cx);
        of(cx).id = id;
    }
    if of(cx).id.as_ref().is_some_and(|id| id.is_empty() || id.iter().any(|b| b"\r\n\t <>'\"\\".contains(b))) {
        of(cx).id = None;
    }
    let place = (cx.engine().caller_file(cx), cx.engine().caller_line(cx));
    of(cx).started_at = Some(place);
    if !guarded(cx, |cx| initialize(cx, store))? {
        return Ok(false);
    }
    if !limit_cache(cx)? {
        abort(cx, store)?;
        return Ok(false);
    }
    Ok(true)
}

/// Opens and reads the session whose id is known, without telling the client. False: reported.
pub fn initialize_quietly(cx: &mut Cx) -> Res<bool> {
    let Some(store) = store::current(cx) else { return Ok(false) };
    if format_of(cx).is_none() {
        return Ok(false);
    }
    of(cx).send_cookie = false;
    of(cx).define_sid = false;
    guarded(cx, |cx| initialize(cx, store))
}

/// Runs a part of a session's life; an exception or the end of the script leaves no session behind.
fn guarded<T>(cx: &mut Cx, run: impl FnOnce(&mut Cx) -> Res<T>) -> Res<T> {
    let result = run(cx);
    if result.is_err() {
        let session = of(cx);
        session.active = false;
        session.open = false;
        session.files.close();
    }
    result
}

/// Opens the handler, agrees on an id and reads the data. False: reported.
fn initialize(cx: &mut Cx, store: Store) -> Res<bool> {
    of(cx).active = true;
    let (path, name) = (save_path(cx), cx.ini.str("session.name").to_vec());
    if !store::open(cx, store, &path, &name)? {
        abort(cx, store)?;
        let text = about_store(cx, "Failed to initialize storage module", store);
        warning(cx, text)?;
        return Ok(false);
    }
    let use_cookies = cx.ini.bool("session.use_cookies");
    match of(cx).id.clone() {
        None => {
            let id = store::create_sid(cx, store)?;
            let Some(id) = id else {
                abort(cx, store)?;
                let text = about_store(cx, "Failed to create session ID", store);
                warning(cx, text)?;
                return Ok(false);
            };
            of(cx).id = Some(id);
            of(cx).send_cookie |= use_cookies;
        }
        Some(id) => {
            if cx.ini.bool("session.use_strict_mode") && !store::validate(cx, store, &id)? {
                let id = match store::create_sid(cx, store)? {
                    Some(id) => id,
                    None => store::new_id(cx)?,
                };
                of(cx).id = Some(id);
                of(cx).send_cookie |= use_cookies;
            }
        }
    }
    announce_id(cx)?;
    bind_variables(cx, PArray::new());
    let id = id_of(cx);
    let Some(data) = store::read(cx, store, &id)? else {
        abort(cx, store)?;
        of(cx).id = None;
        let text = about_store(cx, "Failed to read session data", store);
        warning(cx, text)?;
        return Ok(false);
    };
    sometimes_collect(cx, store)?;
    of(cx).read_data = None;
    if !data.is_empty() {
        decode(cx, &data)?;
    }
    if cx.ini.bool("session.lazy_write") {
        of(cx).read_data = Some(data);
    }
    Ok(true)
}

/// Gives the session up without writing it.
fn abort(cx: &mut Cx, store: Store) -> Res<()> {
    let result = store::close(cx, store);
    of(cx).active = false;
    result.map(drop)
}

/// Tells the client of the id, and defines the constant SID.
pub fn announce_id(cx: &mut Cx) -> Res<()> {
    if cx.ini.bool("session.use_cookies") && std::mem::take(&mut of(cx).send_cookie) {
        send_cookie(cx)?;
    }
    let sid = if of(cx).define_sid {
        let id = id_of(cx);
        [cx.ini.str("session.name"), b"=", &id].concat()
    } else {
        Vec::new()
    };
    cx.replace_deprecated_constant(b"SID", Value::from(PStr::new(&sid)));
    // Links carry the id on when no cookie does.
    let name = cx.ini.str("session.name").to_vec();
    rewrite::remove(cx, rewrite::List::Session, &name);
    if cx.ini.bool("session.use_trans_sid") && !cx.ini.bool("session.use_only_cookies") && of(cx).define_sid {
        let id = id_of(cx);
        rewrite::add(cx, rewrite::List::Session, &name, &id)?;
    }
    Ok(())
}

/// Now and then old sessions are deleted (`session.gc_probability` out of `session.gc_divisor`).
fn sometimes_collect(cx: &mut Cx, store: Store) -> Res<()> {
    let probability = cx.ini.int("session.gc_probability");
    let divisor = u64::try_from(cx.ini.int("session.gc_divisor")).unwrap_or(1).max(1);
    if probability <= 0 {
        return Ok(());
    }
    let mut random = [0u8; 8];
    jumbo_ext_random::functions::secure_bytes(cx, &mut random)?;
    if u64::from_le_bytes(random) % divisor < probability.unsigned_abs() {
        let lifetime = cx.ini.int("session.gc_maxlifetime");
        store::gc(cx, store, lifetime)?;
    }
    Ok(())
}

/// Takes the data over into `$_SESSION`. Malformed data ends the session.
fn decode(cx: &mut Cx, data: &[u8]) -> Res<bool> {
    let Some(format) = format_of(cx) else {
        warning(cx, "Unknown session.serialize_handler. Failed to decode session object")?;
        return Ok(false);
    };
    if serializer::decode(cx, format, data)? {
        return Ok(true);
    }
    destroy(cx)?;
    bind_variables(cx, PArray::new());
    warning(cx, "Failed to decode session object. Session has been destroyed")?;
    Ok(false)
}

// ---- end

/// Writes (unless told not to) and closes. False: there is no session.
pub fn flush(cx: &mut Cx, write: bool) -> Res<bool> {
    if !of(cx).active {
        return Ok(false);
    }
    let result = guarded(cx, |cx| save(cx, write));
    of(cx).active = false;
    result.map(|()| true)
}

fn save(cx: &mut Cx, write: bool) -> Res<()> {
    let Some(store) = store::current(cx) else { return Ok(()) };
    if write && variables(cx).is_some() {
        let data = match format_of(cx) {
            Some(format) => serializer::encode(cx, format)?,
            None => None,
        };
        let id = id_of(cx);
        let unchanged = data.is_some() && cx.ini.bool("session.lazy_write") && of(cx).read_data.as_deref() == data.as_deref();
        let good = match &data {
            Some(data) if unchanged => store::update_timestamp(cx, store, &id, data)?,
            Some(data) => store::write(cx, store, &id, data)?,
            None => store::write(cx, store, &id, b"")?,
        };
        if !good {
            complain_of_write(cx, store, unchanged)?;
        }
    }
    store::close(cx, store)?;
    Ok(())
}

fn complain_of_write(cx: &mut Cx, store: Store, unchanged: bool) -> Res<()> {
    let path = save_path(cx);
    let text = match store {
        Store::User => {
            let renewed = unchanged && user::has_timestamps(cx);
            let handler = user::writer_name(cx, renewed);
            [b"Failed to write session data using user defined save handler. (session.save_path: ".as_slice(), &path, b", handler: ", &handler, b")"]
                .concat()
        }
        Store::Files => {
            [b"Failed to write session data (files). Please verify that the current setting of session.save_path is correct (".as_slice(), &path, b")"]
                .concat()
        }
    };
    warning(cx, text)
}

/// Deletes the session's data and ends it. False: there is none, or the handler failed.
pub fn destroy(cx: &mut Cx) -> Res<bool> {
    if !of(cx).active {
        warning(cx, "Trying to destroy uninitialized session")?;
        return Ok(false);
    }
    let mut good = true;
    if let Some(store) = store::current(cx) {
        guarded(cx, |cx| {
            let id = id_of(cx);
            if of(cx).id.is_some() && !store::destroy(cx, store, &id)? {
                good = false;
                warning(cx, "Session object destruction failed")?;
            }
            store::close(cx, store).map(drop)
        })?;
    }
    let session = of(cx);
    session.active = false;
    session.id = None;
    session.read_data = None;
    let vars = session.vars.take();
    drop(vars);
    Ok(good)
}

// ---- functions

pub fn session_status(cx: &mut Cx) -> i64 {
    if store::current(cx).is_none() {
        return 0;
    }
    if of(cx).active { 2 } else { 1 }
}

pub fn session_start(cx: &mut Cx, options: &PArray) -> Res<bool> {
    if of(cx).active {
        match of(cx).started_at.clone() {
            Some((file, line)) if !file.is_empty() && line > 0 => {
                let text = [
                    b"Ignoring session_start() because a session is already active (started from ".as_slice(),
                    file.as_bytes(),
                    format!(" on line {line})").as_bytes(),
                ]
                .concat();
                cx.notice(text)?;
            }
            _ if cx.ini.bool("session.auto_start") => {
                cx.notice("Ignoring session_start() because a session is already automatically active")?;
            }
            _ => cx.notice("Ignoring session_start() because a session is already active")?,
        }
        return Ok(true);
    }
    if cx.ini.bool("session.use_cookies") && headers_sent(cx) {
        cx.warning("Session cannot be started after headers have already been sent")?;
        return Ok(false);
    }
    let mut read_and_close = false;
    for (key, value) in options.entries() {
        let name = match key.as_ref() {
            KeyRef::Str(name) => name.clone(),
            KeyRef::Int(_) => continue,
        };
        if !matches!(value.view_deref(), View::Str(_) | View::Int(_) | View::Bool(_)) {
            let given = args::type_name(&value);
            let text = [b"session_start(): Option \"".as_slice(), name.as_bytes(), b"\" must be of type string|int|bool, ", &given, b" given"].concat();
            return Err(cx.type_error(text));
        }
        if name.as_bytes() == b"read_and_close" {
            read_and_close = convert::to_int(value.deref()) != 0;
            continue;
        }
        let text = cx.to_string(value.deref())?;
        let setting = [b"session.".as_slice(), name.as_bytes()].concat();
        let changed = jumbo_ext_misc::settings::change(cx, &setting, text.as_bytes())?;
        if cx.exception.is_some() {
            return Err(jumbo_abi::Stop::Thrown);
        }
        if changed.is_none() {
            cx.warning([b"Setting option \"".as_slice(), name.as_bytes(), b"\" failed"].concat())?;
        }
    }
    start(cx)?;
    if !of(cx).active {
        if let Some(vars) = of(cx).vars.clone() {
            vars.update(|v| {
                if v.as_array().is_some() {
                    *v = Value::from(PArray::new());
                }
            });
        }
        return Ok(false);
    }
    if read_and_close {
        flush(cx, false)?;
    }
    Ok(true)
}

pub fn session_write_close(cx: &mut Cx) -> Res<bool> {
    flush(cx, true)
}

pub fn session_abort(cx: &mut Cx) -> Res<bool> {
    flush(cx, false)
}

pub fn session_reset(cx: &mut Cx) -> Res<bool> {
    if !of(cx).active {
        return Ok(false);
    }
    if let Some(store) = store::current(cx) {
        guarded(cx, |cx| initialize(cx, store))?;
    }
    Ok(true)
}

pub fn session_destroy(cx: &mut Cx) -> Res<bool> {
    destroy(cx)
}

pub fn session_unset(cx: &mut Cx) -> bool {
    if !of(cx).active {
        return false;
    }
    if let Some(vars) = of(cx).vars.clone() {
        let old = if vars.with(|v| v.as_array().is_some()) { vars.replace(Value::from(PArray::new())) } else { Value::null() };
        drop(old);
    }
    true
}

pub fn session_encode(cx: &mut Cx) -> Res<OrFalse<PStr>> {
    if variables(cx).is_none() {
        cx.warning("Cannot encode non-existent session")?;
        return Ok(OrFalse::FALSE);
    }
    let Some(format) = format_of(cx) else {
        cx.warning("Unknown session.serialize_handler. Failed to encode session object")?;
        return Ok(OrFalse::FALSE);
    };
    Ok(OrFalse(serializer::encode(cx, format)?))
}

pub fn session_decode(cx: &mut Cx, data: &PStr) -> Res<bool> {
    if !of(cx).active {
        cx.warning("Session data cannot be decoded when there is no active session")?;
        return Ok(false);
    }
    decode(cx, data.as_bytes())
}

pub fn session_gc(cx: &mut Cx) -> Res<OrFalse<i64>> {
    if !of(cx).active {
        cx.warning("Session cannot be garbage collected when there is no active session")?;
        return Ok(OrFalse::FALSE);
    }
    let Some(store) = store::current(cx) else { return Ok(OrFalse::FALSE) };
    let lifetime = cx.ini.int("session.gc_maxlifetime");
    Ok(OrFalse(store::gc(cx, store, lifetime)?.filter(|n| *n >= 0)))
}

pub fn session_register_shutdown(cx: &mut Cx) -> Res<()> {
    user::close_at_shutdown(cx)
}

pub fn session_regenerate_id(cx: &mut Cx, delete_old_session: bool) -> Res<bool> {
    if !of(cx).active {
        cx.warning("Session ID cannot be regenerated when there is no active session")?;
        return Ok(false);
    }
    if headers_sent(cx) {
        cx.warning("Session ID cannot be regenerated after headers have already been sent")?;
        return Ok(false);
    }
    let Some(store) = store::current(cx) else { return Ok(false) };
    guarded(cx, |cx| regenerate(cx, store, delete_old_session))
}

fn regenerate(cx: &mut Cx, store: Store, delete_old: bool) -> Res<bool> {
    let id = id_of(cx);
    let path = save_path(cx);
    let about = |what: &str, id: &[u8]| [what.as_bytes(), b" ID: ", id, b" (path: ", &path, b")"].concat();
    if delete_old {
        if !store::destroy(cx, store, &id)? {
            abort(cx, store)?;
            cx.warning(about("Session object destruction failed.", &id))?;
            return Ok(false);
        }
    } else {
        let data = match format_of(cx) {
            Some(format) => serializer::encode(cx, format)?.unwrap_or_default(),
            None => PStr::empty(),
        };
        if !store::write(cx, store, &id, &data)? {
            abort(cx, store)?;
            cx.warning(about("Session write failed.", &id))?;
            return Ok(false);
        }
    }
    store::close(cx, store)?;
    // What was read belongs to the old id: the new one is written whatever it holds.
    of(cx).read_data = None;
    of(cx).id = None;
    let name = cx.ini.str("session.name").to_vec();
    if !store::open(cx, store, &path, &name)? {
        of(cx).active = false;
        let text = about_store(cx, "Failed to open session", store);
        return Err(cx.throw_error(text));
    }
    let Some(mut new) = store::create_sid(cx, store)? else {
        of(cx).active = false;
        let text = about_store(cx, "Failed to create new session ID", store);
        return Err(cx.throw_error(text));
    };
    if cx.ini.bool("session.use_strict_mode") && store::knows_ids(cx, store) && store::validate(cx, store, &new)? {
        match store::create_sid(cx, store)? {
            Some(other) => new = other,
            None => {
                abort(cx, store)?;
                let text = about_store(cx, "Failed to create session ID by collision", store);
                return Err(cx.throw_error(text));
            }
        }
    }
    of(cx).id = Some(new.clone());
    if store::read(cx, store, &new)?.is_none() {
        abort(cx, store)?;
        let text = about_store(cx, "Failed to create(read) session ID", store);
        return Err(cx.throw_error(text));
    }
    if cx.ini.bool("session.use_cookies") {
        of(cx).send_cookie = true;
    }
    announce_id(cx)?;
    Ok(true)
}
