//! The functions. Two requests that miss the same key in apcu_entry() both make the value; the one that was stored first stays.

use crate::apcu_iterator;
use crate::cache::{Changed, Entry, Limits, cache};
use crate::stored::Stored;
use jumbo_abi::{Callable, Cx, OrFalse, PArray, PRef, PStr, Res, Value};
use std::sync::atomic::Ordering::Relaxed;

/// Is there a cache? On the command line only when it is asked for: it would end with the script.
pub fn enabled(cx: &Cx) -> bool {
    let cli = jumbo_abi::request::SAPI.get().is_none_or(|sapi| *sapi == "cli");
    cx.ini.bool("apc.enabled") && (!cli || cx.ini.bool("apc.enable_cli"))
}

fn limits(cx: &Cx) -> Limits {
    let size = usize::try_from(cx.ini.int("apc.shm_size")).unwrap_or(0);
    let segments = usize::try_from(cx.ini.int("apc.shm_segments")).unwrap_or(1).max(1);
    // A number below the size of a page is one of megabytes.
    let size = if size < 4096 { size << 20 } else { size };
    Limits { bytes: size.saturating_mul(segments), ttl: cx.ini.int("apc.ttl") }
}

pub fn apcu_enabled(cx: &mut Cx) -> bool {
    enabled(cx)
}

pub fn apcu_clear_cache(cx: &mut Cx) -> bool {
    if enabled(cx) {
        cache().clear();
    }
    true
}

fn put(cx: &mut Cx, key: &[u8], value: &Value, ttl: i64, exclusive: bool) -> Res<bool> {
    let limits = limits(cx);
    let Some(stored) = Stored::of(cx, value, limits.bytes)? else { return Ok(false) };
    Ok(cache().store(key, stored, ttl, exclusive, limits))
}

fn store(cx: &mut Cx, key: &Value, value: Option<&Value>, ttl: i64, exclusive: bool) -> Res<Value> {
    if !enabled(cx) {
        return Ok(Value::from(false));
    }
    let key = key.copy_deref();
    if let Some(list) = key.as_array() {
        let mut failed = PArray::new();
        for (key, value) in list.iter() {
            if !put(cx, key.to_str().as_bytes(), value, ttl, exclusive)? {
                failed.set(key.to_key(), Value::from(-1i64));
            }
        }
        return Ok(Value::from(failed));
    }
    let Some(name) = key.as_str() else {
        cx.warning("apc_store expects key parameter to be a string or an array of key/value pairs.")?;
        return Ok(Value::from(false));
    };
    match value {
        Some(value) => Ok(Value::from(put(cx, name.as_bytes(), value, ttl, exclusive)?)),
        None => Ok(Value::from(false)),
    }
}

pub fn apcu_store(cx: &mut Cx, key: &Value, value: Option<&Value>, ttl: i64) -> Res<Value> {
    store(cx, key, value, ttl, false)
}

pub fn apcu_add(cx: &mut Cx, key: &Value, value: Option<&Value>, ttl: i64) -> Res<Value> {
    store(cx, key, value, ttl, true)
}

fn step(cx: &mut Cx, key: &PStr, step: i64, success: Option<&PRef>, ttl: i64) -> Res<OrFalse<i64>> {
    let mut result = None;
    if enabled(cx) {
        let key = key.as_bytes();
        // Between a miss and the insertion another request may have been quicker.
        for _ in 0..2 {
            match cache().change(key, |old| Some(old.wrapping_add(step))) {
                Changed::To(new) => result = Some(new),
                Changed::NotAnInt => {}
                Changed::Missing => {
                    if !cache().store(key, Stored::Int(step), ttl, true, limits(cx)) {
                        continue;
                    }
                    result = Some(step);
                }
            }
            break;
        }
    }
    if let Some(success) = success {
        success.set(Value::from(result.is_some()));
    }
    Ok(OrFalse(result))
}

pub fn apcu_inc(cx: &mut Cx, key: &PStr, step_: i64, success: Option<&PRef>, ttl: i64) -> Res<OrFalse<i64>> {
    step(cx, key, step_, success, ttl)
}

pub fn apcu_dec(cx: &mut Cx, key: &PStr, step_: i64, success: Option<&PRef>, ttl: i64) -> Res<OrFalse<i64>> {
    step(cx, key, step_.wrapping_neg(), success, ttl)
}

pub fn apcu_cas(cx: &mut Cx, key: &PStr, old: i64, new: i64) -> bool {
    enabled(cx) && matches!(cache().change(key.as_bytes(), |is| (is == old).then_some(new)), Changed::To(_))
}

pub fn apcu_fetch(cx: &mut Cx, key: &Value, success: Option<&PRef>) -> Res<Value> {
    let mut result = Value::from(false);
    let mut found = false;
    if enabled(cx) {
        let key = key.copy_deref();
        if let Some(list) = key.as_array() {
            let mut out = PArray::new();
            for name in list.values() {
                let name = name.copy_deref();
                let Some(name) = name.as_str() else {
                    cx.warning("apc_fetch() expects a string or array of strings.")?;
                    continue;
                };
                if let Some(stored) = cache().fetch(name.as_bytes()) {
                    let value = stored.value(cx)?;
                    out.set_sym(name.as_bytes(), value);
                }
            }
            result = Value::from(out);
            found = true;
        } else {
            let name = cx.to_string(&key)?;
            if let Some(stored) = cache().fetch(name.as_bytes()) {
                result = stored.value(cx)?;
                found = true;
            }
        }
    }
    if let Some(success) = success {
        success.set(Value::from(found));
    }
    Ok(result)
}

pub fn apcu_exists(cx: &mut Cx, key: &Value) -> Res<Value> {
    if !enabled(cx) {
        return Ok(Value::from(false));
    }
    let key = key.copy_deref();
    let Some(list) = key.as_array() else {
        let name = cx.to_string(&key)?;
        return Ok(Value::from(cache().exists(name.as_bytes())));
    };
    let mut out = PArray::new();
    for name in list.values() {
        match name.deref().as_str() {
            Some(name) if cache().exists(name.as_bytes()) => out.set_sym(name.as_bytes(), true),
            Some(_) => {}
            None => cx.warning("apc_exists() expects a string or array of strings.")?,
        }
    }
    Ok(Value::from(out))
}

pub fn apcu_delete(cx: &mut Cx, key: &Value) -> Res<Value> {
    const EXPECTED: &str = "apc_delete() expects a string, array of strings, or APCIterator instance";
    if !enabled(cx) {
        return Ok(Value::from(false));
    }
    let key = key.copy_deref();
    if let Some(name) = key.as_str() {
        return Ok(Value::from(cache().delete(name.as_bytes())));
    }
    if let Some(list) = key.as_array() {
        let mut failed = PArray::new();
        for name in list.values() {
            let name = name.copy_deref();
            match name.as_str() {
                Some(text) if cache().delete(text.as_bytes()) => {}
                Some(_) => failed.append(name),
                None => {
                    cx.warning(EXPECTED)?;
                    failed.append(name);
                }
            }
        }
        return Ok(Value::from(failed));
    }
    if key.as_object().is_some_and(|object| apcu_iterator::each_key(object, |name| _ = cache().delete(name))) {
        return Ok(Value::from(true));
    }
    cx.warning(EXPECTED)?;
    Ok(Value::from(false))
}

pub fn apcu_entry(cx: &mut Cx, key: &PStr, callback: &Callable, ttl: i64) -> Res<Value> {
    if !enabled(cx) {
        return Ok(Value::null());
    }
    if let Some(stored) = cache().fetch(key.as_bytes()) {
        return stored.value(cx);
    }
    let value = cx.call(callback, &[Value::from(key.clone())])?;
    put(cx, key.as_bytes(), &value, ttl, true)?;
    Ok(value)
}

pub fn apcu_key_info(cx: &mut Cx, key: &PStr) -> Option<PArray> {
    if !enabled(cx) {
        return None;
    }
    cache().look(key.as_bytes(), |entry| {
        let mut out = PArray::new();
        out.set_bytes(b"hits", entry.hits as i64);
        out.set_bytes(b"access_time", entry.accessed);
        out.set_bytes(b"mtime", entry.modified);
        out.set_bytes(b"creation_time", entry.created);
        out.set_bytes(b"deletion_time", 0i64);
        out.set_bytes(b"ttl", entry.ttl);
        out.set_bytes(b"refs", 0i64);
        out
    })
}

fn listed(key: &[u8], entry: &Entry) -> PArray {
    let mut out = PArray::new();
    out.set_bytes(b"info", PStr::new(key));
    out.set_bytes(b"ttl", entry.ttl);
    out.set_bytes(b"num_hits", entry.hits as i64);
    out.set_bytes(b"mtime", entry.modified);
    out.set_bytes(b"creation_time", entry.created);
    out.set_bytes(b"deletion_time", 0i64);
    out.set_bytes(b"access_time", entry.accessed);
    out.set_bytes(b"ref_count", 0i64);
    out.set_bytes(b"mem_size", entry.bytes as i64);
    out
}

pub fn apcu_cache_info(cx: &mut Cx, limited: bool) -> Res<OrFalse<PArray>> {
    if !enabled(cx) {
        cx.warning("No APC info available.  Perhaps APC is not enabled? Check apc.enabled in your ini file")?;
        return Ok(OrFalse::FALSE);
    }
    let cache = cache();
    let mut out = PArray::new();
    out.set_bytes(b"num_slots", cx.ini.int("apc.entries_hint"));
    out.set_bytes(b"ttl", cx.ini.int("apc.ttl"));
    out.set_bytes(b"num_hits", cache.hits.load(Relaxed) as i64);
    out.set_bytes(b"num_misses", cache.misses.load(Relaxed) as i64);
    out.set_bytes(b"num_inserts", cache.inserts.load(Relaxed) as i64);
    out.set_bytes(b"num_entries", cache.len() as i64);
    out.set_bytes(b"expunges", cache.expunges.load(Relaxed) as i64);
    out.set_bytes(b"start_time", cache.started.load(Relaxed));
    out.set_bytes(b"mem_size", cache.bytes.load(Relaxed) as i64);
    out.set_bytes(b"memory_type", "mmap");
    if !limited {
        let entries: PArray = cache.collect(listed).into_iter().map(Value::from).collect();
        out.set_bytes(b"cache_list", entries);
        out.set_bytes(b"deleted_list", PArray::new());
        out.set_bytes(b"slot_distribution", PArray::new());
    }
    Ok(OrFalse(Some(out)))
}

pub fn apcu_sma_info(cx: &mut Cx, limited: bool) -> Res<OrFalse<PArray>> {
    if !enabled(cx) {
        cx.warning("No APC SMA info available.  Perhaps APC is disabled via apc.enabled?")?;
        return Ok(OrFalse::FALSE);
    }
    let size = limits(cx).bytes;
    let free = size.saturating_sub(cache().bytes.load(Relaxed));
    let mut out = PArray::new();
    out.set_bytes(b"num_seg", 1i64);
    out.set_bytes(b"seg_size", size as i64);
    out.set_bytes(b"avail_mem", free as i64);
    if !limited {
        let mut block = PArray::new();
        block.set_bytes(b"size", free as i64);
        block.set_bytes(b"offset", 0i64);
        let blocks = PArray::from_values([Value::from(block)]);
        out.set_bytes(b"block_lists", PArray::from_values([Value::from(blocks)]));
    }
    Ok(OrFalse(Some(out)))
}

