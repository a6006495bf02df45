//! opcache_*: the cache of compiled files, which all scripts of the process share.

use crate::configuration;
use jumbo_abi::request::SAPI;
use jumbo_abi::units::{CachedFile, FileCache};
use jumbo_abi::{Cx, Extension, Level, PArray, PObject, PStr, Res, Value, ini, registry, stream};

/// Figures are ints for PHP.
fn count(n: impl TryInto<i64>) -> Value {
    Value::from(n.try_into().unwrap_or(i64::MAX))
}

fn cache() -> &'static dyn FileCache {
    registry::get().units.cache()
}

/// Has the administrator left the cache's functions on? (Files are cached all the same.) On the command line they are off by default, as
/// with stock.
fn started(cx: &Cx) -> bool {
    let configured = match cx.ini.get(b"opcache.enable") {
        Some(entry) => entry.original.as_ref().unwrap_or(&entry.value).as_deref().is_some_and(ini::parse_bool),
        None => false,
    };
    configured && (SAPI.get() != Some(&"cli") || cx.ini.bool("opcache.enable_cli"))
}

/// Nor has the script turned them off for itself.
fn enabled(cx: &Cx) -> bool {
    started(cx) && cx.ini.bool("opcache.enable")
}

/// `opcache.enable`: a script can only turn it off.
pub fn enable(cx: &mut Cx, value: &[u8]) -> bool {
    let off = !ini::parse_bool(value);
    if !off {
        // ini_set() gives false; an error handler that throws is heard there.
        let text = b"Zend OPcache can't be temporary enabled (it may be only disabled till the end of request)";
        let _ = cx.raise(Level::Warning, text);
    }
    off
}

/// Does `opcache.restrict_api` leave the functions to this script?
fn allowed(cx: &mut Cx) -> Res<bool> {
    let folder = cx.ini.str("opcache.restrict_api").to_vec();
    if folder.is_empty() {
        return Ok(true);
    }
    let script = cx.engine().included_files(cx).into_iter().next();
    if script.is_some_and(|s| s.as_bytes().starts_with(&folder)) {
        return Ok(true);
    }
    cx.raise(Level::Warning, b"Zend OPcache API is restricted by \"restrict_api\" configuration directive")?;
    Ok(false)
}

pub fn opcache_reset(cx: &mut Cx) -> Res<bool> {
    if !allowed(cx)? || !enabled(cx) {
        return Ok(false);
    }
    cache().forget_all();
    Ok(true)
}

/// What may still be had of the machine's memory, which is all that bounds the cache.
fn available_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("MemAvailable:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kilobytes.unwrap_or(0).saturating_mul(1024)
}

fn percentage(part: u64, whole: u64) -> Value {
    Value::from(if whole == 0 { 0.0 } else { part as f64 / whole as f64 * 100.0 })
}

fn table(rows: impl IntoIterator<Item = (&'static str, Value)>) -> PArray {
    let mut table = PArray::new();
    for (name, value) in rows {
        table.set_bytes(name.as_bytes(), value);
    }
    table
}

pub fn opcache_get_status(cx: &mut Cx, include_scripts: bool) -> Res<Value> {
    if !allowed(cx)? || !started(cx) {
        return Ok(Value::from(false));
    }
    let statistics = cache().statistics();
    let files = cache().files();
    let available = available_bytes();
    let used: usize = files.iter().map(|f| f.table_bytes).sum();
    let (strings, string_bytes) = PStr::interned_usage();
    let requests = statistics.hits + statistics.misses;
    // Units go when nobody runs them any more: nothing is wasted, and the cache is never full.
    let memory = table([
        ("used_memory", count(used)),
        ("free_memory", count(available)),
        ("wasted_memory", count(0)),
        ("current_wasted_percentage", Value::from(0.0)),
    ]);
    let interned = table([
        ("buffer_size", count(string_bytes as u64 + available)),
        ("used_memory", count(string_bytes)),
        ("free_memory", count(available)),
        ("number_of_strings", count(strings)),
    ]);
    let figures = table([
        ("num_cached_scripts", count(statistics.units)),
        ("num_cached_keys", count(statistics.keys)),
        ("max_cached_keys", count(statistics.keys_max)),
        ("hits", count(statistics.hits)),
        ("start_time", count(statistics.started)),
        ("last_restart_time", count(statistics.emptied.unwrap_or(0))),
        ("oom_restarts", count(0)),
        ("hash_restarts", count(0)),
        ("manual_restarts", count(statistics.emptied_count)),
        ("misses", count(statistics.misses)),
        ("blacklist_misses", count(0)),
        ("blacklist_miss_ratio", Value::from(0.0)),
        ("opcache_hit_rate", percentage(statistics.hits, requests)),
    ]);
    let mut status = table([
        ("opcache_enabled", Value::from(enabled(cx))),
        ("cache_full", Value::from(false)),
        ("restart_pending", Value::from(false)),
        ("restart_in_progress", Value::from(false)),
        ("memory_usage", Value::from(memory)),
        ("interned_strings_usage", Value::from(interned)),
        ("opcache_statistics", Value::from(figures)),
    ]);
    if include_scripts && enabled(cx) {
        let mut scripts = PArray::new();
        for file in files {
            let facts = script(cx, &file)?;
            scripts.set_bytes(&file.path, facts);
        }
        status.set_bytes(b"scripts", scripts);
    }
    // Nothing is compiled to machine code.
    let jit = table([
        ("enabled", Value::from(false)),
        ("on", Value::from(false)),
        ("kind", count(0)),
        ("opt_level", count(0)),
        ("opt_flags", count(0)),
        ("buffer_size", count(0)),
        ("buffer_free", count(0)),
    ]);
    status.set_bytes(b"jit", jit);
    Ok(Value::from(status))
}

fn script(cx: &mut Cx, file: &CachedFile) -> Res<PArray> {
    // As C's asctime() writes it: the day of the month takes two places.
    let date = cx.call_builtin("date", &[Value::bytes(b"D M j H:i:s Y"), count(file.last_used)])?;
    let date = cx.to_string(&date)?;
    let padded = match date.as_bytes() {
        [head @ .., b' ', day, b' ', _, _, b':', _, _, b':', _, _, b' ', _, _, _, _] if head.len() == 7 && day.is_ascii_digit() => {
            [head, b" ", &date.as_bytes()[head.len()..]].concat()
        }
        whole => whole.to_vec(),
    };
    let mut facts = table([
        ("full_path", Value::bytes(&file.path)),
        ("hits", count(file.hits)),
        ("memory_consumption", count(file.table_bytes)),
        ("last_used", Value::bytes(&padded)),
        ("last_used_timestamp", count(file.last_used)),
    ]);
    if let Some(until) = file.trusted_until {
        facts.set_bytes(b"timestamp", count(file.modified));
        facts.set_bytes(b"revalidate", count(until));
    } else {
        facts.set_bytes(b"revalidate", count(0));
    }
    Ok(facts)
}

pub fn opcache_get_configuration(cx: &mut Cx) -> Res<Value> {
    if !allowed(cx)? {
        return Ok(Value::from(false));
    }
    let version = table([
        ("version", Value::bytes(Extension::EMPTY.version.as_bytes())),
        ("opcache_product_name", Value::bytes(b"Zend OPcache")),
    ]);
    Ok(Value::from(table([
        ("directives", Value::from(configuration::directives(cx))),
        ("version", Value::from(version)),
        ("blacklist", Value::from(PArray::new())),
    ])))
}

/// The path by which the cache knows a file; None: there is no such file.
fn resolved(cx: &mut Cx, filename: &PStr) -> Option<Vec<u8>> {
    stream::resolve_include_path(cx, filename.as_bytes())
}

pub fn opcache_invalidate(cx: &mut Cx, filename: &PStr, force: bool) -> Res<bool> {
    if !allowed(cx)? || !enabled(cx) {
        return Ok(false);
    }
    let found = resolved(cx, filename);
    let path = found.as_deref().unwrap_or(filename.as_bytes());
    // A file that was deleted may still be cached.
    let known = found.is_some() || cache().contains(path);
    if force || cache().trust_ms().is_none() || !cache().is_unchanged(path) {
        cache().forget(path);
    }
    Ok(known)
}

pub fn opcache_is_script_cached(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    if !allowed(cx)? || !enabled(cx) {
        return Ok(false);
    }
    Ok(resolved(cx, filename).is_some_and(|path| cache().is_current(&path)))
}

pub fn opcache_compile_file(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    if !started(cx) {
        cx.raise(Level::Notice, b"Zend OPcache has not been properly started, can't compile file")?;
        return Ok(false);
    }
    cx.engine().compile_file(cx, filename)
}

/// Nothing is compiled to machine code, so there is nothing to prevent.
pub fn opcache_jit_blacklist(_cx: &mut Cx, _closure: &PObject) {}
