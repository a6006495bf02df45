//! Output buffers: the ob_* functions.

use jumbo_abi::engine::CallableCheck;
use jumbo_abi::output::{Buffer, Handler, ob};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value};

pub fn ob_start(cx: &mut Cx, callback: Option<&Value>, chunk_size: i64, flags: i64) -> Res<bool> {
    let mut handler = None;
    if let Some(value) = callback
        && !value.deref().is_null()
    {
        match cx.engine().resolve_callable(cx, value, CallableCheck::Full)? {
            Ok(callable) => {
                let name = cx.engine().callable_name(cx, value);
                handler = Some(Handler::User(callable, name));
            }
            Err(why) => {
                cx.warning(&why)?;
                cx.notice("Failed to create buffer")?;
                return Ok(false);
            }
        }
    }
    let chunk = usize::try_from(chunk_size).unwrap_or(0);
    if cx.output.deactivated {
        cx.notice("Failed to create buffer")?;
        return Ok(false);
    }
    cx.start_buffer(handler, chunk, flags & ob::STDFLAGS)?;
    Ok(true)
}

fn top(cx: &Cx) -> Option<&Buffer> {
    cx.output.buffers.last()
}

/// Notice that an operation has no buffer to work on, or that the buffer does not allow it. Ok(false): refused.
fn allowed(cx: &mut Cx, flag: i64, verb: &str) -> Res<bool> {
    let level = cx.output.buffers.len();
    if level == 0 {
        // `discard` is what only a buffer that refuses hears of.
        let verb = if verb == "discard" { "delete" } else { verb };
        cx.notice(format_args!("Failed to {verb} buffer. No buffer to {verb}"))?;
        return Ok(false);
    }
    cx.check_no_callback()?;
    let Some(b) = top(cx) else { return Ok(false) };
    if b.flags & flag == 0 {
        let name = b.name();
        let number = (level - 1).to_string();
        cx.notice([b"Failed to ".as_slice(), verb.as_bytes(), b" buffer of ", name.as_bytes(), b" (", number.as_bytes(), b")"])?;
        return Ok(false);
    }
    Ok(true)
}

/// The second notice of functions that wanted the content and the end of a buffer that stays.
fn not_deleted(cx: &mut Cx) -> Res<()> {
    let level = cx.output.buffers.len();
    let Some(name) = top(cx).map(Buffer::name) else { return Ok(()) };
    let number = level.saturating_sub(1).to_string();
    cx.notice([b"Failed to delete buffer of ".as_slice(), name.as_bytes(), b" (", number.as_bytes(), b")"])
}

pub fn ob_get_contents(cx: &mut Cx) -> OrFalse<PStr> {
    OrFalse(top(cx).map(|b| PStr::new(&b.data)))
}

pub fn ob_get_clean(cx: &mut Cx) -> Res<OrFalse<PStr>> {
    if top(cx).is_none() {
        return Ok(OrFalse::FALSE);
    }
    let text = ob_get_contents(cx);
    if allowed(cx, ob::REMOVABLE, "discard")? {
        cx.pass_buffer(ob::CLEAN | ob::FINAL, true)?;
    } else {
        not_deleted(cx)?;
    }
    Ok(text)
}

pub fn ob_get_flush(cx: &mut Cx) -> Res<OrFalse<PStr>> {
    if top(cx).is_none() {
        cx.notice("Failed to delete and flush buffer. No buffer to delete or flush")?;
        return Ok(OrFalse::FALSE);
    }
    let text = ob_get_contents(cx);
    if allowed(cx, ob::REMOVABLE, "send")? {
        cx.pass_buffer(ob::FINAL, true)?;
    } else {
        not_deleted(cx)?;
    }
    Ok(text)
}

pub fn ob_get_level(cx: &mut Cx) -> i64 {
    cx.output.buffers.len() as i64
}

pub fn ob_get_length(cx: &mut Cx) -> OrFalse<i64> {
    OrFalse(top(cx).map(|b| b.data.len() as i64))
}

pub fn ob_end_clean(cx: &mut Cx) -> Res<bool> {
    if !allowed(cx, ob::REMOVABLE, "discard")? {
        return Ok(false);
    }
    cx.pass_buffer(ob::CLEAN | ob::FINAL, true)?;
    Ok(true)
}

pub fn ob_end_flush(cx: &mut Cx) -> Res<bool> {
    if top(cx).is_none() {
        cx.notice("Failed to delete and flush buffer. No buffer to delete or flush")?;
        return Ok(false);
    }
    if !allowed(cx, ob::REMOVABLE, "send")? {
        return Ok(false);
    }
    cx.pass_buffer(ob::FINAL, true)?;
    Ok(true)
}

pub fn ob_flush(cx: &mut Cx) -> Res<bool> {
    if !allowed(cx, ob::FLUSHABLE, "flush")? {
        return Ok(false);
    }
    cx.pass_buffer(ob::FLUSH, false)?;
    Ok(true)
}

pub fn ob_clean(cx: &mut Cx) -> Res<bool> {
    if !allowed(cx, ob::CLEANABLE, "delete")? {
        return Ok(false);
    }
    cx.pass_buffer(ob::CLEAN, false)?;
    Ok(true)
}

pub fn flush(cx: &mut Cx) -> Res<()> {
    cx.flush_output()
}

pub fn fastcgi_finish_request(cx: &mut Cx) -> Res<bool> {
    cx.finish_response()
}

pub fn ob_list_handlers(cx: &mut Cx) -> PArray {
    cx.output.buffers.iter().map(|b| Value::from(b.name())).collect()
}

fn status(b: &Buffer, level: usize) -> PArray {
    let mut array = PArray::new();
    array.set_bytes(b"name", b.name());
    array.set_bytes(b"type", i64::from(matches!(b.callback, Some(Handler::User(..)))));
    let kind = if matches!(b.callback, Some(Handler::User(..))) { 1 } else { 0 };
    array.set_bytes(b"flags", b.flags | kind);
    array.set_bytes(b"level", level as i64);
    array.set_bytes(b"chunk_size", b.chunk_size as i64);
    array.set_bytes(b"buffer_size", 16384);
    array.set_bytes(b"buffer_used", b.data.len() as i64);
    array
}

pub fn ob_get_status(cx: &mut Cx, full_status: bool) -> PArray {
    if full_status {
        return cx.output.buffers.iter().enumerate().map(|(n, b)| Value::from(status(b, n))).collect();
    }
    match top(cx) {
        Some(b) => status(b, cx.output.buffers.len() - 1),
        None => PArray::new(),
    }
}

pub fn ob_implicit_flush(cx: &mut Cx, enable: bool) {
    cx.output.implicit_flush = enable;
}
