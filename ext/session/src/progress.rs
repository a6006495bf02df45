//! `session.upload_progress`: what became of an upload, in the session.
//!
//! The body of a request is read before the script starts, so there is one entry, that of the finished upload, and none at all with
//! `session.upload_progress.cleanup`, which takes the finished ones away.

use crate::session::{flush, initialize_quietly};
use crate::state::of;
use jumbo_abi::{Cx, Key, PArray, PStr, Res, Value};
use std::time::{SystemTime, UNIX_EPOCH};

fn now_s() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).ok().and_then(|d| i64::try_from(d.as_secs()).ok()).unwrap_or(0)
}

fn global(cx: &mut Cx, name: &[u8]) -> Option<PArray> {
    cx.engine().global(cx, name)?.deref().as_array().cloned()
}

fn text_of(array: &PArray, name: &[u8]) -> Option<PStr> {
    array.get_sym(name)?.deref().as_str().cloned()
}

/// The id that came with the upload.
fn id(cx: &mut Cx) -> Option<PStr> {
    let name = cx.ini.str("session.name").to_vec();
    let mut places: Vec<&[u8]> = Vec::new();
    if cx.ini.bool("session.use_cookies") {
        places.push(b"_COOKIE");
    }
    if !cx.ini.bool("session.use_only_cookies") {
        places.extend([b"_GET".as_slice(), b"_POST"]);
    }
    places.into_iter().find_map(|place| global(cx, place).and_then(|array| text_of(&array, &name)))
}

/// The files of one field, which may be a tree of them.
fn files_of(field: &[u8], entry: [&Value; 4], start_s: i64, out: &mut PArray) {
    if let Some(names) = entry[0].deref().as_array() {
        for (key, name) in names {
            let part = |n: usize| entry[n].deref().as_array().and_then(|a| a.get_ref(key).cloned()).unwrap_or_default();
            let below = [field, b"[", key.to_str().as_bytes(), b"]"].concat();
            files_of(&below, [name, &part(1), &part(2), &part(3)], start_s, out);
        }
        return;
    }
    let mut file = PArray::new();
    file.set_bytes(b"field_name", Value::bytes(field));
    file.set_bytes(b"name", entry[0].copy_deref());
    file.set_bytes(b"tmp_name", entry[1].copy_deref());
    file.set_bytes(b"error", entry[2].copy_deref());
    file.set_bytes(b"done", Value::TRUE);
    file.set_bytes(b"start_time", start_s);
    file.set_bytes(b"bytes_processed", entry[3].copy_deref());
    out.append(file);
}

/// Puts the finished upload of this request into its session.
pub fn note(cx: &mut Cx) -> Res<()> {
    if !cx.ini.bool("session.upload_progress.enabled") || cx.ini.bool("session.upload_progress.cleanup") {
        return Ok(());
    }
    let field = cx.ini.str("session.upload_progress.name").to_vec();
    let Some(value) = global(cx, b"_POST").and_then(|post| text_of(&post, &field)) else { return Ok(()) };
    let Some(files) = global(cx, b"_FILES").filter(|files| !files.is_empty()) else { return Ok(()) };
    let Some(id) = id(cx) else { return Ok(()) };
    let length = global(cx, b"_SERVER").and_then(|s| s.get_bytes(b"CONTENT_LENGTH").map(|v| jumbo_value::convert::to_int(v.deref())));
    let length = length.unwrap_or(0);
    let start_s = now_s();
    let mut list = PArray::new();
    for (key, entry) in &files {
        let Some(entry) = entry.deref().as_array() else { continue };
        let part = |name: &[u8]| entry.get_bytes(name).cloned().unwrap_or_default();
        let (name, place, error, size) = (part(b"name"), part(b"tmp_name"), part(b"error"), part(b"size"));
        files_of(key.to_str().as_bytes(), [&name, &place, &error, &size], start_s, &mut list);
    }
    let mut progress = PArray::new();
    progress.set_bytes(b"start_time", start_s);
    progress.set_bytes(b"content_length", length);
    progress.set_bytes(b"bytes_processed", length);
    progress.set_bytes(b"done", Value::TRUE);
    progress.set_bytes(b"files", list);
    of(cx).id = Some(id.as_bytes().to_vec());
    if initialize_quietly(cx)?
        && let Some(vars) = of(cx).vars.clone()
    {
        let name = PStr::concat2(cx.ini.str("session.upload_progress.prefix"), value.as_bytes());
        let mut content = vars.get().deref().as_array().cloned().unwrap_or_default();
        content.set(Key::from_str(&name), Value::from(progress));
        drop(vars.replace(Value::from(content)));
        flush(cx, true)?;
    }
    of(cx).id = None;
    Ok(())
}
