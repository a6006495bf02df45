//! Functions about functions, and the end of the script.

use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Stop, Value, registry};
use jumbo_value::Raw;

pub fn func_num_args(cx: &mut Cx) -> Res<i64> {
    match cx.engine().caller_arg_count(cx) {
        Some(n) => Ok(n as i64),
        None => Err(cx.throw_error("func_num_args() must be called from a function context")),
    }
}

pub fn func_get_arg(cx: &mut Cx, position: i64) -> Res<Value> {
    let Ok(at) = usize::try_from(position) else {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    };
    let Some(args) = cx.engine().caller_args(cx) else {
        return Err(cx.throw_error("func_get_arg() cannot be called from the global scope"));
    };
    match args.get(at) {
        Some(value) => Ok(value.copy_deref()),
        None => {
            let what = "must be less than the number of the arguments passed to the currently executed function";
            Err(cx.arg_value_error(1, what))
        }
    }
}

pub fn func_get_args(cx: &mut Cx) -> Res<PArray> {
    match cx.engine().caller_args(cx) {
        Some(args) => Ok(PArray::from_values(args.iter().map(Value::copy_deref))),
        None => Err(cx.throw_error("func_get_args() cannot be called from the global scope")),
    }
}

pub fn function_of_name_exists(cx: &mut Cx, args: &[Value]) -> Raw {
    match args {
        [name] => name.as_str().map_or(Raw::UNDEF, |name| Raw::bool(function_exists(cx, name))),
        _ => Raw::UNDEF,
    }
}

pub fn function_exists(cx: &mut Cx, function: &PStr) -> bool {
    cx.find_function(function.as_bytes()).is_some()
}

pub fn get_defined_functions(cx: &mut Cx, exclude_disabled: bool) -> Res<PArray> {
    if !exclude_disabled {
        cx.deprecated("Setting $exclude_disabled to false has no effect")?;
    }
    let names = registry::get().function_names.keys();
    let internal = PArray::from_values(names.map(|name| Value::bytes(name)));
    let user = PArray::from_values(cx.user_functions().into_iter().map(|(name, _)| Value::from(name)));
    let mut both = PArray::new();
    both.set_bytes(b"internal", internal);
    both.set_bytes(b"user", user);
    Ok(both)
}

pub fn get_extension_funcs(_cx: &mut Cx, extension: &PStr) -> OrFalse<PArray> {
    // PHP knows the engine's own functions under either name.
    let wanted: &[u8] = if extension.as_bytes().eq_ignore_ascii_case(b"zend") { b"core" } else { extension.as_bytes() };
    let extensions = registry::get().extensions.iter().filter(|e| e.name.as_bytes().eq_ignore_ascii_case(wanted));
    // Those that are disabled, or not there in this interface, are not told.
    let is_there = |name: &str| registry::get().function_names.contains_key(name.to_ascii_lowercase().as_bytes());
    let names: Vec<Value> = extensions.flat_map(|e| e.functions).filter(|f| is_there(f.name)).map(|f| Value::bytes(f.name.as_bytes())).collect();
    OrFalse((!names.is_empty()).then(|| PArray::from_values(names)))
}

/// `exit`, `die`: a string is printed, a number is the status.
pub fn exit(cx: &mut Cx, status: &Value) -> Res<()> {
    match status.as_str() {
        Some(text) => cx.write(text.as_bytes())?,
        None => cx.exit_status = status.as_int().unwrap_or(0) as i32,
    }
    Err(Stop::Exit)
}
