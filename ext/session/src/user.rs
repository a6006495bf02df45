//! Save handlers written in PHP: objects or six to nine functions.

use crate::state::{headers_sent, of, raise, warning};
use crate::store;
use jumbo_abi::request::Shutdown;
use jumbo_abi::{Callable, ClassPtr, Cx, Level, PObject, PStr, Res, Value, View, args};
use jumbo_value::convert;

/// What a handler can do, in the order of session_set_save_handler's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Open,
    Close,
    Read,
    Write,
    Destroy,
    Gc,
    CreateSid,
    ValidateSid,
    UpdateTimestamp,
}

const METHODS: [&[u8]; 9] =
    [b"open", b"close", b"read", b"write", b"destroy", b"gc", b"create_sid", b"validateid", b"updatetimestamp"];

/// A handler of the user's.
#[derive(Clone)]
pub enum UserHandler {
    Object(PObject),
    Functions(Vec<Option<Callable>>),
}

impl UserHandler {
    fn has(&self, method: Method) -> bool {
        match self {
            // The methods count, not the interfaces that declare them.
            UserHandler::Object(object) => ClassPtr::of(object).method(METHODS[method as usize]).is_some(),
            UserHandler::Functions(list) => matches!(list.get(method as usize), Some(Some(_))),
        }
    }
}

/// Is there a user handler that can do without writing unchanged data?
pub fn has_timestamps(cx: &mut Cx) -> bool {
    of(cx).user.as_ref().is_some_and(|h| h.has(Method::UpdateTimestamp))
}

/// Is there a user handler that knows whether an id is one of its own?
pub fn knows_ids(cx: &mut Cx) -> bool {
    of(cx).user.as_ref().is_some_and(|h| h.has(Method::ValidateSid))
}

/// The name of what writes, for messages.
pub fn writer_name(cx: &mut Cx, unchanged: bool) -> Vec<u8> {
    match &of(cx).user {
        Some(UserHandler::Object(object)) => {
            let name = if unchanged { b"updateTimestamp".as_slice() } else { b"write" };
            [ClassPtr::of(object).name.as_bytes(), b"::", name].concat()
        }
        Some(UserHandler::Functions(_)) => if unchanged { b"update_timestamp".to_vec() } else { b"write".to_vec() },
        None => Vec::new(),
    }
}

/// Calls the handler; None when it may not be called now.
fn call(cx: &mut Cx, method: Method, arguments: &[Value]) -> Res<Option<Value>> {
    if of(cx).in_handler {
        of(cx).in_handler = false;
        warning(cx, "Cannot call session save handler in a recursive manner")?;
        return Ok(None);
    }
    let Some(handler) = of(cx).user.clone() else { return Ok(None) };
    of(cx).in_handler = true;
    let result = match &handler {
        UserHandler::Object(object) => cx.call_method(object, METHODS[method as usize], arguments),
        UserHandler::Functions(list) => match list.get(method as usize) {
            Some(Some(callable)) => cx.call(callable, arguments),
            _ => Ok(Value::null()),
        },
    };
    of(cx).in_handler = false;
    result.map(Some)
}

/// A bool is wanted; 0 and -1 of old handlers are understood.
fn truth(cx: &mut Cx, result: Option<Value>) -> Res<bool> {
    let Some(value) = result else { return Ok(false) };
    match value.view_deref() {
        View::Bool(b) => Ok(b),
        View::Int(n @ (0 | -1)) => {
            raise(cx, Level::Deprecated, "Session callback must have a return value of type bool, int returned")?;
            Ok(n == 0)
        }
        _ => {
            let kind = match value.view_deref() {
                View::Bool(_) => b"bool".to_vec(),
                _ => args::type_name(&value),
            };
            Err(cx.type_error([b"Session callback must have a return value of type bool, ".as_slice(), &kind, b" returned"].concat()))
        }
    }
}

fn text(bytes: &[u8]) -> Value {
    Value::from(PStr::new(bytes))
}

pub fn open(cx: &mut Cx, path: &[u8], name: &[u8]) -> Res<bool> {
    let result = call(cx, Method::Open, &[text(path), text(name)])?;
    truth(cx, result)
}
pub fn close(cx: &mut Cx) -> Res<bool> {
    let result = call(cx, Method::Close, &[])?;
    truth(cx, result)
}
pub fn read(cx: &mut Cx, id: &[u8]) -> Res<Option<PStr>> {
    let result = call(cx, Method::Read, &[text(id)])?;
    Ok(result.and_then(|v| v.deref().as_str().cloned()))
}
pub fn write(cx: &mut Cx, id: &[u8], data: &[u8]) -> Res<bool> {
    let result = call(cx, Method::Write, &[text(id), text(data)])?;
    truth(cx, result)
}
pub fn destroy(cx: &mut Cx, id: &[u8]) -> Res<bool> {
    let result = call(cx, Method::Destroy, &[text(id)])?;
    truth(cx, result)
}
pub fn gc(cx: &mut Cx, max_lifetime: i64) -> Res<Option<i64>> {
    let result = call(cx, Method::Gc, &[Value::from(max_lifetime)])?;
    Ok(result.and_then(|v| match v.view_deref() {
        View::Int(n) => Some(n),
        // As old handlers say that they have done it.
        View::Bool(true) => Some(1),
        _ => None,
    }))
}
pub fn create_sid(cx: &mut Cx) -> Res<Option<Vec<u8>>> {
    if !of(cx).user.as_ref().is_some_and(|h| h.has(Method::CreateSid)) {
        return store::new_id(cx).map(Some);
    }
    let result = call(cx, Method::CreateSid, &[])?;
    match result.map(|v| v.deref().as_str().cloned()) {
        Some(Some(id)) => Ok(Some(id.as_bytes().to_vec())),
        Some(None) => Err(cx.throw_error("Session id must be a string")),
        None => Err(cx.throw_error("No session id returned by function")),
    }
}
pub fn validate(cx: &mut Cx, id: &[u8]) -> Res<bool> {
    if !knows_ids(cx) {
        // Nobody knows better: any id is good.
        return Ok(true);
    }
    let result = call(cx, Method::ValidateSid, &[text(id)])?;
    truth(cx, result)
}
pub fn update_timestamp(cx: &mut Cx, id: &[u8], data: &[u8]) -> Res<bool> {
    let method = if has_timestamps(cx) { Method::UpdateTimestamp } else { Method::Write };
    let result = call(cx, method, &[text(id), text(data)])?;
    truth(cx, result)
}

/// Says why the handler cannot be set now. Ok(false): it cannot.
fn may_set(cx: &mut Cx) -> Res<bool> {
    if of(cx).active {
        cx.warning("Session save handler cannot be changed when a session is active")?;
        return Ok(false);
    }
    if headers_sent(cx) {
        cx.warning("Session save handler cannot be changed after headers have already been sent")?;
        return Ok(false);
    }
    Ok(true)
}

/// Puts a handler in force.
fn set(cx: &mut Cx, handler: UserHandler) {
    let is_user = cx.ini.str("session.save_handler").eq_ignore_ascii_case(b"user") && of(cx).user.is_some();
    if !is_user {
        let parent_is_files = store::Store::named(cx.ini.str("session.save_handler")) == Some(store::Store::Files);
        of(cx).parent_is_files = parent_is_files;
    }
    let old = of(cx).user.replace(handler);
    drop(old);
    if let Some(entry) = cx.ini.get_mut(b"session.save_handler") {
        let old = entry.value.replace(b"user".as_slice().into());
        entry.original.get_or_insert(old);
    }
}

#[allow(clippy::too_many_arguments)]
pub fn session_set_save_handler(
    cx: &mut Cx,
    first: &Value,
    second: Option<&Value>,
    read: Option<&Value>,
    write: Option<&Value>,
    destroy: Option<&Value>,
    gc: Option<&Value>,
    create_sid: Option<&Value>,
    validate_sid: Option<&Value>,
    update_timestamp: Option<&Value>,
) -> Res<bool> {
    let rest = [read, write, destroy, gc, create_sid, validate_sid, update_timestamp];
    if rest.iter().all(Option::is_none) {
        return set_object(cx, first, second);
    }
    cx.deprecated("Providing individual callbacks instead of an object implementing SessionHandlerInterface is deprecated")?;
    let given = 1 + [second].iter().chain(&rest).filter(|a| a.is_some()).count();
    if given < 6 {
        let text = format!("session_set_save_handler() expects at least 6 arguments, {given} given");
        return Err(cx.throw("ArgumentCountError", text));
    }
    let mut functions = Vec::new();
    for (n, value) in [Some(first), second].into_iter().chain(rest).enumerate() {
        let Some(value) = value.filter(|v| n < 6 || !v.is_null()) else {
            functions.push(None);
            continue;
        };
        match cx.resolve_callable(value)? {
            Ok(callable) => functions.push(Some(callable)),
            Err(why) => {
                let kind = if n < 6 { "a valid callback" } else { "a valid callback or null" };
                return Err(cx.arg_type_error(n as u32 + 1, [b"must be ", kind.as_bytes(), b", ", &why].concat()));
            }
        }
    }
    if !may_set(cx)? {
        return Ok(false);
    }
    set(cx, UserHandler::Functions(functions));
    Ok(true)
}

fn set_object(cx: &mut Cx, first: &Value, register_shutdown: Option<&Value>) -> Res<bool> {
    let interface = cx.builtin_class(b"sessionhandlerinterface");
    let Some(object) = first.deref().as_object().filter(|o| ClassPtr::of(o).is_a(interface)).cloned() else {
        let given = args::type_name(first);
        return Err(cx.arg_type_error(1, [b"must be of type SessionHandlerInterface, ".as_slice(), &given, b" given"].concat()));
    };
    let register = match register_shutdown {
        None => true,
        Some(v) if matches!(v.view_deref(), View::Array(_) | View::Object(_)) => {
            let given = args::type_name(v);
            return Err(cx.arg_type_error(2, [b"must be of type bool, ".as_slice(), &given, b" given"].concat()));
        }
        Some(v) => convert::to_bool(v.deref()),
    };
    if !may_set(cx)? {
        return Ok(false);
    }
    set(cx, UserHandler::Object(object));
    if register { close_at_shutdown(cx)? } else { forget_shutdown(cx)? }
    Ok(true)
}

/// The session is written among the shutdown functions, while objects are still whole.
pub fn close_at_shutdown(cx: &mut Cx) -> Res<()> {
    if std::mem::replace(&mut of(cx).closes_at_shutdown, true) {
        return Ok(());
    }
    if let Ok(callable) = cx.resolve_callable(&Value::from(PStr::new(b"session_write_close")))? {
        cx.state::<Shutdown>().functions.push((callable, Vec::new()));
    }
    Ok(())
}

fn forget_shutdown(cx: &mut Cx) -> Res<()> {
    if std::mem::take(&mut of(cx).closes_at_shutdown)
        && let Ok(callable) = cx.resolve_callable(&Value::from(PStr::new(b"session_write_close")))?
    {
        cx.state::<Shutdown>().functions.retain(|(c, _)| c.function != callable.function);
    }
    Ok(())
}
