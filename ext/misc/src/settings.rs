//! Settings: ini, include path, environment of the instance, what happens when the client goes away.

use jumbo_abi::{Cx, Level, OrFalse, PArray, PStr, Res, Stop, Value, View};
use jumbo_value::{Heap, PStrBuilder};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::OnceLock;
use jumbo_abi::stream;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

pub fn ini_get(cx: &mut Cx, option: &PStr) -> OrFalse<PStr> {
    let entry = cx.ini.get(option.as_bytes());
    OrFalse(entry.map(|e| e.value.as_deref().map_or_else(PStr::empty, PStr::new)))
}

/// Changes a setting from a script. None: refused. What scripts set counts against memory_limit.
pub fn change(cx: &mut Cx, name: &[u8], value: &[u8]) -> Res<Option<Option<Box<[u8]>>>> {
    let Some(entry) = cx.ini.get(name).filter(|entry| entry.access & jumbo_abi::desc::ini_access::USER != 0) else { return Ok(None) };
    let old = entry.value.clone();
    if let Some(hook) = entry.on_change
        && !hook(cx, value)
    {
        return Ok(None);
    }
    Heap::try_charge_current(value.len())?;
    let Some(entry) = cx.ini.get_mut(name) else { return Ok(None) };
    if entry.original.is_none() {
        entry.original = Some(old.clone());
    } else {
        Heap::uncharge_current(entry.value.as_ref().map_or(0, |value| value.len()));
    }
    entry.value = Some(value.into());
    Ok(Some(old))
}

pub fn ini_set(cx: &mut Cx, option: &PStr, value: &Value) -> Res<OrFalse<PStr>> {
    if !matches!(value.view_deref(), View::Null | View::Undef | View::Bool(_) | View::Int(_) | View::Float(_) | View::Str(_)) {
        let text = b"(): Argument #2 ($value) must be of type string|int|float|bool|null";
        return Err(cx.type_error([cx.active_function_name().as_slice(), text]));
    }
    let text = cx.to_string(value)?;
    let text = match option.as_bytes() {
        b"open_basedir" => match narrower(cx, text.as_bytes())? {
            Some(value) => value,
            None => return Ok(OrFalse::FALSE),
        },
        b"error_log" if !text.is_empty() && text.as_bytes() != b"syslog" && !stream::allowed(cx, text.as_bytes(), false)? => {
            return Ok(OrFalse::FALSE);
        }
        _ => text,
    };
    let old = change(cx, option.as_bytes(), text.as_bytes())?;
    // A check that refuses may warn, and the program's error handler throw.
    if cx.exception.is_some() {
        return Err(Stop::Thrown);
    }
    Ok(OrFalse(old.map(|old| old.as_deref().map_or_else(PStr::empty, PStr::new))))
}

/// A value of open_basedir with its folders resolved, when it allows no more than the one in force; None: it would.
fn narrower(cx: &mut Cx, value: &[u8]) -> Res<Option<PStr>> {
    if cx.ini.str("open_basedir").is_empty() && value.is_empty() {
        return Ok(Some(PStr::empty()));
    }
    let mut folders = PStrBuilder::new();
    for folder in value.split(|b| *b == b':').filter(|f| !f.is_empty()) {
        let full = stream::path_buf(cx, folder);
        let full = std::fs::canonicalize(&full).unwrap_or(full).into_os_string().into_vec();
        if !stream::allowed(cx, &full, true)? {
            return Ok(None);
        }
        if !folders.is_empty() {
            folders.push(b':')?;
        }
        folders.extend(&full)?;
        cx.check()?;
    }
    if folders.is_empty() {
        return Ok(None);
    }
    Ok(Some(folders.finish()))
}

pub fn ini_restore(cx: &mut Cx, option: &PStr) {
    // It can only be made narrower.
    if option.as_bytes() == b"open_basedir" {
        return;
    }
    let Some(original) = cx.ini.get_mut(option.as_bytes()).and_then(|e| e.original.take()) else { return };
    if let Some(hook) = cx.ini.get(option.as_bytes()).and_then(|e| e.on_change) {
        // Restoring a value that was in force cannot be refused.
        hook(cx, original.as_deref().unwrap_or(b""));
    }
    if let Some(entry) = cx.ini.get_mut(option.as_bytes()) {
        Heap::uncharge_current(entry.value.as_ref().map_or(0, |value| value.len()));
        entry.value = original;
    }
}

pub fn ini_get_all(cx: &mut Cx, extension: Option<&PStr>, details: bool) -> Res<OrFalse<PArray>> {
    let wanted = extension.map(|e| PStr::mapped(e, |byte| byte.to_ascii_lowercase()));
    if let Some(name) = &wanted {
        let known = jumbo_abi::registry::get().extensions.iter().any(|e| e.name.as_bytes().eq_ignore_ascii_case(name));
        if !known {
            cx.warning([b"Extension \"".as_slice(), name, b"\" cannot be found"])?;
            return Ok(OrFalse::FALSE);
        }
    }
    let text = |v: &Option<Box<[u8]>>| v.as_deref().map_or_else(Value::null, |b| Value::from(PStr::new(b)));
    let mut sorted: BTreeMap<PStr, Value> = BTreeMap::new();
    for (name, entry) in cx.ini.iter() {
        if wanted.as_ref().is_some_and(|w| !entry.extension.as_bytes().eq_ignore_ascii_case(w)) {
            continue;
        }
        let value = if details {
            let mut a = PArray::new();
            a.set_bytes(b"global_value", text(entry.original.as_ref().unwrap_or(&entry.value)));
            a.set_bytes(b"local_value", text(&entry.value));
            a.set_bytes(b"access", i64::from(entry.access));
            Value::from(a)
        } else {
            text(&entry.value)
        };
        sorted.insert(PStr::new(name), value);
    }
    let mut array = PArray::new();
    for (name, value) in sorted {
        array.set_bytes(&name, value);
    }
    Ok(OrFalse(Some(array)))
}

pub fn ini_parse_quantity(cx: &mut Cx, shorthand: &PStr) -> Res<i64> {
    let (number, complaint) = jumbo_abi::ini::parse_quantity_checked(shorthand.as_bytes());
    if let Some(complaint) = complaint {
        cx.raise(Level::Warning, &complaint)?;
    }
    Ok(number)
}

pub fn get_cfg_var(cx: &mut Cx, option: &PStr) -> OrFalse<PStr> {
    // The path of php.ini stands among what it says.
    if option.as_bytes() == b"cfg_file_path" {
        return OrFalse(cx.ini.configuration().loaded_file.as_deref().map(PStr::new));
    }
    OrFalse(cx.ini.given(option.as_bytes()).map(PStr::new))
}

pub fn set_include_path(cx: &mut Cx, include_path: &PStr) -> Res<OrFalse<PStr>> {
    stream::path_argument(cx, include_path.as_bytes(), 1)?;
    if include_path.is_empty() {
        return Ok(OrFalse::FALSE);
    }
    Ok(OrFalse(change(cx, b"include_path", include_path.as_bytes())?.map(|old| old.as_deref().map_or_else(PStr::empty, PStr::new))))
}

pub fn get_include_path(cx: &mut Cx) -> PStr {
    PStr::new(cx.ini.str("include_path"))
}

pub fn set_time_limit(cx: &mut Cx, seconds: i64) -> Res<bool> {
    Ok(change(cx, b"max_execution_time", seconds.to_string().as_bytes())?.is_some())
}

pub fn ignore_user_abort(cx: &mut Cx, enable: Option<bool>) -> Res<i64> {
    let old = cx.ini.bool("ignore_user_abort");
    if let Some(enable) = enable {
        change(cx, b"ignore_user_abort", if enable { b"1" } else { b"0" })?;
    }
    Ok(i64::from(old))
}

pub fn connection_status(cx: &mut Cx) -> i64 {
    i64::from(cx.output.sink.as_ref().is_some_and(|s| s.aborted()))
}

pub fn connection_aborted(cx: &mut Cx) -> i64 {
    connection_status(cx)
}

/// Changes of this instance to its environment: None is a removed variable. The process's environment is never changed.
#[derive(Default)]
pub struct Environment {
    pub changes: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

/// A variable of the instance's environment.
pub fn environment_variable(cx: &mut Cx, name: &[u8]) -> Option<PStr> {
    if let Some(change) = cx.state::<Environment>().changes.get(name) {
        return change.as_deref().map(PStr::new);
    }
    if name.is_empty() || name.contains(&b'=') || name.contains(&0) {
        return None;
    }
    std::env::var_os(std::ffi::OsStr::from_bytes(name)).map(|v| PStr::new(v.as_bytes()))
}

/// The whole environment of the instance, in the order of names.
pub fn environment(cx: &mut Cx) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut all: BTreeMap<&[u8], &[u8]> = process_environment().iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
    for (name, change) in &cx.state::<Environment>().changes {
        match change {
            Some(value) => all.insert(name, value),
            None => all.remove(name.as_slice()),
        };
    }
    all.into_iter()
}

/// The environment of the process, which never changes.
fn process_environment() -> &'static [(OsString, OsString)] {
    static ALL: OnceLock<Vec<(OsString, OsString)>> = OnceLock::new();
    ALL.get_or_init(|| std::env::vars_os().collect())
}

pub fn getenv(cx: &mut Cx, name: Option<&PStr>, _local_only: bool) -> Value {
    match name {
        Some(name) => match environment_variable(cx, name.as_bytes()) {
            Some(v) => Value::from(v),
            None => Value::from(false),
        },
        None => {
            let mut array = PArray::new();
            for (k, v) in environment(cx) {
                array.set_sym(k, PStr::new(v));
            }
            Value::from(array)
        }
    }
}

pub fn putenv(cx: &mut Cx, assignment: &PStr) -> Res<bool> {
    let text = assignment.as_bytes();
    if text.is_empty() || text[0] == b'=' {
        return Err(cx.arg_value_error(1, "must have a valid syntax"));
    }
    let (name, value) = match memchr::memchr(b'=', text) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let counted = |name: &[u8], value: Option<&[u8]>| name.len() + value.map_or(0, <[u8]>::len) + 2 * size_of::<Vec<u8>>();
    Heap::try_charge_current(counted(name, value))?;
    if let Some(old) = cx.state::<Environment>().changes.insert(name.to_vec(), value.map(<[u8]>::to_vec)) {
        Heap::uncharge_current(counted(name, old.as_deref()));
    }
    Ok(true)
}
