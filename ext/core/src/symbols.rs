//! Constants, variables, files, resources, extensions, the collector.

use jumbo_abi::{ClassPtr, Cx, Level, PArray, PStr, Res, Value, args, member_flags, registry};
use jumbo_value::{Heap, Raw};

pub fn zend_version(_cx: &mut Cx) -> PStr {
    PStr::new(b"4.4.24")
}

/// Constants whose names PHP's compiler knows in any case.
fn is_special(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"true") || name.eq_ignore_ascii_case(b"false") || name.eq_ignore_ascii_case(b"null")
}

/// What a constant takes besides its letters and its value, as measured.
const CONSTANT_BYTES: usize = 160;

pub fn define(cx: &mut Cx, constant_name: &PStr, value: &Value, case_insensitive: bool) -> Res<bool> {
    let name = constant_name.as_bytes();
    if name.windows(2).any(|w| w == b"::") {
        return Err(cx.arg_value_error(1, "cannot be a class constant"));
    }
    if case_insensitive {
        let message = b"define(): Argument #3 ($case_insensitive) is ignored since declaration of case-insensitive constants is no longer supported";
        cx.raise(Level::Warning, message)?;
    }
    if let Some(array) = value.as_array()
        && contains_itself(array, 0)
    {
        return Err(cx.arg_value_error(2, "cannot be a recursive array"));
    }
    // A leading backslash is a part of the name here, which no code can then name.
    let reserved = is_special(name) || name == b"__COMPILER_HALT_OFFSET__";
    // The name has a place in the process's table, and one with the value in the request's.
    Heap::try_charge_current(name.len() + CONSTANT_BYTES)?;
    if !reserved && !name.starts_with(b"\\") && cx.define_constant(name, plain(value)) {
        return Ok(true);
    }
    if name.starts_with(b"\\") && cx.define_constant(&[b"\\".as_slice(), name].concat(), plain(value)) {
        return Ok(true);
    }
    let message = [b"Constant ".as_slice(), name, b" already defined"];
    cx.raise(Level::Warning, &message)?;
    Ok(false)
}

/// The value as a constant keeps it: without references inside of arrays.
fn plain(value: &Value) -> Value {
    match value.as_array() {
        Some(array) if array.values().any(|v| v.as_ref().is_some() || v.as_array().is_some()) => {
            Value::from(PArray::from_entries(array.iter().map(|(k, v)| (k.to_key(), plain(&v.copy_deref())))))
        }
        _ => value.clone(),
    }
}

/// An array can only contain itself through references; nesting beyond what a program writes stands for that.
fn contains_itself(array: &PArray, depth: u32) -> bool {
    depth > 1000
        || array.values().any(|v| {
            v.as_ref().is_some() && v.copy_deref().as_array().is_some_and(|a| contains_itself(a, depth + 1))
                || v.as_array().is_some_and(|a| contains_itself(a, depth + 1))
        })
}

/// Is there such a class constant, and may the caller read it?
fn is_visible(cx: &mut Cx, class: ClassPtr, constant: &[u8]) -> bool {
    let Some(constant) = class.constants.get(constant) else { return false };
    let scope = cx.caller_scope();
    match constant.flags & member_flags::VISIBILITY {
        member_flags::PRIVATE => scope == Some(constant.class),
        member_flags::PROTECTED => scope.is_some_and(|s| s.is_a(constant.class) || constant.class.is_a(s)),
        _ => true,
    }
}

/// defined() of a constant that is in no class.
pub fn constant_of_name_defined(cx: &mut Cx, args: &[Value]) -> Raw {
    match args {
        [name] => match name.as_bytes() {
            Some(name) if !name.contains(&b':') => Raw::bool(is_global(cx, name)),
            _ => Raw::UNDEF,
        },
        _ => Raw::UNDEF,
    }
}

fn is_global(cx: &mut Cx, name: &[u8]) -> bool {
    is_special(name.strip_prefix(b"\\").unwrap_or(name)) || cx.constant_is_defined(name)
}

pub fn defined(cx: &mut Cx, constant_name: &PStr) -> Res<bool> {
    let name = constant_name.as_bytes();
    let Some(at) = name.windows(2).position(|w| w == b"::") else {
        return Ok(is_global(cx, name));
    };
    let (class, constant) = (&name[..at], &name[at + 2..]);
    let class = match &*class.to_ascii_lowercase() {
        b"self" => cx.caller_scope(),
        b"static" => cx.engine().caller_static_class(cx),
        b"parent" => cx.caller_scope().and_then(|c| c.parent),
        _ => cx.find_class(class, true)?,
    };
    match class {
        // Those of a trait belong to the classes that use it.
        Some(class) if class.is(jumbo_abi::class_flags::TRAIT) && cx.caller_scope() != Some(class) => Ok(false),
        Some(class) => Ok(is_visible(cx, class, constant) && cx.engine().class_constant(cx, class, constant)?.is_some()),
        None => Ok(false),
    }
}

pub fn get_defined_constants(cx: &mut Cx, categorize: bool) -> PArray {
    let mut all = PArray::new();
    let user = cx.user_constants();
    if !categorize {
        for (name, constant) in &registry::get().constants {
            all.set_sym(name, constant.value());
        }
        for (name, value) in user {
            all.set_sym(name.as_bytes(), value);
        }
        return all;
    }
    let mut groups: Vec<(&str, PArray)> = Vec::new();
    for (name, constant) in &registry::get().constants {
        let at = groups.iter().position(|(e, _)| *e == constant.extension).unwrap_or_else(|| {
            groups.push((constant.extension, PArray::new()));
            groups.len() - 1
        });
        if let Some((_, group)) = groups.get_mut(at) {
            group.set_sym(name, constant.value());
        }
    }
    if !user.is_empty() {
        let mut group = PArray::new();
        for (name, value) in user {
            group.set_sym(name.as_bytes(), value);
        }
        groups.push(("user", group));
    }
    for (name, group) in groups {
        all.set_bytes(name.as_bytes(), group);
    }
    all
}

pub fn get_defined_vars(cx: &mut Cx) -> PArray {
    let mut vars = cx.engine().caller_variables(cx);
    vars.remove_bytes(b"this");
    vars
}

pub fn get_included_files(cx: &mut Cx) -> PArray {
    PArray::from_values(cx.engine().included_files(cx).into_iter().map(Value::from))
}

fn not_a_resource(cx: &mut Cx, given: &Value) -> jumbo_abi::Stop {
    let given = String::from_utf8_lossy(&args::type_name(given)).into_owned();
    cx.arg_type_error(1, format_args!("must be of type resource, {given} given"))
}

pub fn get_resource_type(cx: &mut Cx, resource: &Value) -> Res<PStr> {
    match resource.as_resource() {
        Some(r) if r.is_closed() => Ok(PStr::new(b"Unknown")),
        Some(r) => Ok(PStr::new(r.type_name().as_bytes())),
        None => Err(not_a_resource(cx, resource)),
    }
}

pub fn get_resource_id(cx: &mut Cx, resource: &Value) -> Res<i64> {
    match resource.as_resource() {
        Some(r) => Ok(r.id()),
        None => Err(not_a_resource(cx, resource)),
    }
}

pub fn get_resources(_cx: &mut Cx, kind: Option<&PStr>) -> PArray {
    let mut live = Heap::current().live_resources();
    live.sort_by_key(|r| r.id());
    let mut found = PArray::new();
    for resource in live {
        let name = if resource.is_closed() { "Unknown" } else { resource.type_name() };
        if kind.is_none_or(|kind| kind.as_bytes() == name.as_bytes()) {
            found.set_int(resource.id(), Value::from(resource));
        }
    }
    found
}

pub fn extension_loaded(_cx: &mut Cx, extension: &PStr) -> bool {
    registry::get().extensions.iter().any(|e| e.name.as_bytes().eq_ignore_ascii_case(extension.as_bytes()))
}

pub fn get_loaded_extensions(_cx: &mut Cx, zend_extensions: bool) -> PArray {
    // An extension may come in parts of one name. With stock, the cache of compiled files is the one that is a Zend extension too.
    let mut names: Vec<&str> = Vec::new();
    for extension in registry::get().extensions.iter().filter(|e| !zend_extensions || e.name == "Zend OPcache") {
        if !names.contains(&extension.name) {
            names.push(extension.name);
        }
    }
    PArray::from_values(names.into_iter().map(|name| Value::bytes(name.as_bytes())))
}

/// The request heap has no caches to give back.
pub fn gc_mem_caches(_cx: &mut Cx) -> i64 {
    0
}

pub fn gc_collect_cycles(cx: &mut Cx) -> Res<i64> {
    Ok(cx.engine().collect_cycles(cx)? as i64)
}

pub fn gc_enabled(_cx: &mut Cx) -> bool {
    Heap::current().gc_enabled()
}

fn set_enabled(cx: &mut Cx, on: bool) {
    Heap::current().gc_set_enabled(on);
    if let Some(entry) = cx.ini.get_mut(b"zend.enable_gc") {
        let value: &[u8] = if on { b"1" } else { b"0" };
        let old = entry.value.replace(value.into());
        entry.original.get_or_insert(old);
    }
}

pub fn gc_enable(cx: &mut Cx) {
    set_enabled(cx, true);
}

pub fn gc_disable(cx: &mut Cx) {
    set_enabled(cx, false);
}

pub fn gc_status(_cx: &mut Cx) -> PArray {
    let status = Heap::current().gc_status();
    let mut array = PArray::new();
    array.set_bytes(b"running", status.running);
    array.set_bytes(b"protected", false);
    array.set_bytes(b"full", false);
    for (name, n) in [
        ("runs", status.runs),
        ("collected", status.collected),
        ("threshold", status.threshold),
        ("buffer_size", status.buffer_size),
        ("roots", status.roots),
    ] {
        array.set_bytes(name.as_bytes(), n as i64);
    }
    // Times are not measured: the clock would cost more than most collections.
    for name in ["application_time", "collector_time", "destructor_time", "free_time"] {
        array.set_bytes(name.as_bytes(), 0.0);
    }
    array
}
