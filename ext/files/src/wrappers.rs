//! stream_wrapper_* and stream_filter_*: what is registered, and filters on open streams.

use jumbo_abi::stream::{FilterSlot, StreamHandle, Streams, list_wrappers, stream_argument};
use jumbo_abi::{Cx, PArray, PResource, PStr, Res, Value};
use jumbo_value::object::Native;
use std::rc::Rc;

fn valid_scheme(scheme: &[u8]) -> bool {
    !scheme.is_empty() && scheme.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

pub fn stream_wrapper_register(cx: &mut Cx, protocol: &PStr, class: &PStr, flags: i64) -> Res<bool> {
    let Some(class) = cx.find_class(class.as_bytes(), true)? else {
        let given = [b"must be a valid class name, ".as_slice(), class.as_bytes(), b" given"];
        return Err(cx.arg_type_error(2, given));
    };
    let scheme = protocol.as_bytes();
    let lower: Box<[u8]> = scheme.to_ascii_lowercase().into();
    if cx.state::<Streams>().wrappers().contains_key(&lower) {
        let text = [b"Protocol ".as_slice(), scheme, b":// is already defined."];
        cx.warning(text)?;
        return Ok(false);
    }
    if !valid_scheme(scheme) {
        let name = class.name.as_bytes();
        let text = [b"Invalid protocol scheme specified. Unable to register wrapper class ".as_slice(), name, b" to ", scheme, b"://"];
        cx.warning(text)?;
        return Ok(false);
    }
    let wrapper = Rc::new(crate::user::UserWrapper::new(class, flags & 1 != 0));
    cx.state::<Streams>().wrappers().insert(lower, wrapper);
    Ok(true)
}

pub fn stream_wrapper_unregister(cx: &mut Cx, protocol: &PStr) -> Res<bool> {
    let lower = protocol.as_bytes().to_ascii_lowercase();
    if cx.state::<Streams>().wrappers().shift_remove(lower.as_slice()).is_none() {
        let text = [b"Unable to unregister ".as_slice(), protocol.as_bytes(), b"://"];
        cx.warning(text)?;
        return Ok(false);
    }
    Ok(true)
}

pub fn stream_wrapper_restore(cx: &mut Cx, protocol: &PStr) -> Res<bool> {
    let lower: Box<[u8]> = protocol.as_bytes().to_ascii_lowercase().into();
    let Some(original) = Streams::builtin_wrapper(&lower) else {
        let text = [protocol.as_bytes(), b":// never existed, nothing to restore".as_slice()];
        cx.warning(text)?;
        return Ok(false);
    };
    let table = cx.state::<Streams>().wrappers();
    let is_user = |w: &Rc<dyn jumbo_abi::stream::Wrapper>| w.label() == crate::user::LABEL;
    if table.get(&lower).is_some_and(|w| !is_user(w)) {
        let text = [protocol.as_bytes(), b":// was never changed, nothing to restore".as_slice()];
        cx.notice(text)?;
        return Ok(true);
    }
    table.insert(lower, original);
    Ok(true)
}

pub fn stream_get_wrappers(cx: &mut Cx) -> PArray {
    list_wrappers(cx).into_iter().map(Value::from).collect()
}

pub fn stream_get_filters(cx: &mut Cx) -> PArray {
    crate::filters::names(cx).into_iter().map(Value::from).collect()
}

/// Native state of a resource of type "stream filter".
struct Applied {
    stream: PResource,
    slots: Vec<Rc<FilterSlot>>,
}

impl Native for Applied {}

fn add(cx: &mut Cx, stream: &Value, name: &PStr, mode: i64, params: Option<&Value>, first: bool) -> Res<Value> {
    let handle = stream_argument(cx, stream, 1)?;
    let Some(resource) = stream.deref().as_resource().cloned() else { return Ok(Value::from(false)) };
    let mut mode = mode;
    if mode & 3 == 0 {
        let m = &handle.mode;
        if m.contains(&b'r') || m.contains(&b'+') {
            mode |= 1;
        }
        if m.iter().any(|b| matches!(b, b'+' | b'w' | b'a' | b'x' | b'c')) {
            mode |= 2;
        }
    }
    let null = Value::null();
    let params = params.unwrap_or(&null);
    let mut slots = Vec::new();
    for write in [false, true] {
        if mode & (if write { 2 } else { 1 }) == 0 {
            continue;
        }
        let Some(slot) = crate::filters::make(cx, name.as_bytes(), params, &resource)? else { return Ok(Value::from(false)) };
        if !write && !first && !handle.filter_read_ahead(cx, &slot)? {
            cx.warning("Filter failed to process pre-buffered data")?;
            return Ok(Value::from(false));
        }
        handle.add_filter(slot.clone(), write, first);
        slots.push(slot);
    }
    drop(handle);
    // The filter does not keep its stream alive in PHP, but its resource is of use only while the stream is there.
    Ok(Value::from(PResource::new("stream filter", Box::new(Applied { stream: resource, slots }))))
}

pub fn stream_filter_append(cx: &mut Cx, stream: &Value, filter_name: &PStr, mode: i64, params: Option<&Value>) -> Res<Value> {
    add(cx, stream, filter_name, mode, params, false)
}

pub fn stream_filter_prepend(cx: &mut Cx, stream: &Value, filter_name: &PStr, mode: i64, params: Option<&Value>) -> Res<Value> {
    add(cx, stream, filter_name, mode, params, true)
}

pub fn stream_filter_remove(cx: &mut Cx, stream_filter: &Value) -> Res<bool> {
    let Some(resource) = stream_filter.deref().as_resource() else {
        let given = jumbo_abi::args::type_name(stream_filter);
        return Err(cx.arg_type_error(1, [b"must be of type resource, ".as_slice(), &given, b" given"]));
    };
    let Some(applied) = resource.native::<Applied>() else {
        let function = cx.active_function_name();
        return Err(cx.type_error([function.as_slice(), b"(): supplied resource is not a valid stream filter resource"]));
    };
    let mut fine = false;
    if let Some(handle) = applied.stream.native::<StreamHandle>() {
        for slot in &applied.slots {
            fine |= handle.remove_filter(cx, slot)?;
        }
    }
    drop(applied);
    resource.close();
    Ok(fine)
}
