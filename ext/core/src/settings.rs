//! Settings of Core that are kept at hand elsewhere, or checked when they change.

use jumbo_abi::ini::{parse_bool, parse_quantity};
use jumbo_abi::{Cx, Level, Res};
use jumbo_value::{Heap, number};
use std::sync::atomic::{AtomicBool, Ordering};

/// Tells once in a process what is wrong with its configuration.
pub fn check_configuration(cx: &mut Cx) -> Res<()> {
    static TOLD: AtomicBool = AtomicBool::new(false);
    if TOLD.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    let disabled = cx.ini.str("disable_functions").to_ascii_lowercase();
    for name in disabled.split(|b| matches!(b, b' ' | b',')).filter(|name| matches!(*name, b"exit" | b"die")) {
        cx.raise(Level::Warning, [b"Cannot disable function ".as_slice(), name, b"()"])?;
    }
    if cx.ini.bool("allow_url_include") {
        cx.raise(Level::Deprecated, b"Directive 'allow_url_include' is deprecated")?;
    }
    Ok(())
}

pub fn error_reporting(cx: &mut Cx, value: &[u8]) -> bool {
    cx.error_level = if value.is_empty() { Level::ALL } else { number::str_to_int(value) as u32 };
    true
}

pub fn precision(cx: &mut Cx, value: &[u8]) -> bool {
    let digits = number::str_to_int(value);
    if digits >= -1 {
        cx.precision = digits;
    }
    digits >= -1
}

/// The time begins anew, as with `set_time_limit()`; 0 and less: no limit.
pub fn max_execution_time(cx: &mut Cx, value: &[u8]) -> bool {
    let seconds = u64::try_from(number::str_to_int(value)).unwrap_or(0);
    cx.engine().set_time_limit(cx, seconds);
    true
}

pub fn serialize_precision(cx: &mut Cx, value: &[u8]) -> bool {
    let digits = number::str_to_int(value);
    if digits >= -1 {
        cx.serialize_precision = digits;
    }
    digits >= -1
}

/// Warns and refuses. The caller of the hook sees an exception of the error handler as `cx.exception`.
fn warn(cx: &mut Cx, message: &str) -> bool {
    // The refusal is all that the hook can say of it; the exception itself waits in the context.
    let _stopped = cx.raise(Level::Warning, message.as_bytes()).is_err();
    false
}

pub fn memory_limit(cx: &mut Cx, value: &[u8]) -> bool {
    let bytes = parse_quantity(value);
    // -1 and every other negative number: no limit.
    let limit = usize::try_from(bytes).unwrap_or(usize::MAX);
    let heap = Heap::current();
    let used = heap.real_usage();
    if limit < used {
        return warn(cx, &format!("Failed to set memory limit to {limit} bytes (Current memory usage is {used} bytes)"));
    }
    heap.set_limit(limit);
    true
}

pub fn enable_gc(_cx: &mut Cx, value: &[u8]) -> bool {
    Heap::current().gc_set_enabled(parse_bool(value));
    true
}

pub fn implicit_flush(cx: &mut Cx, value: &[u8]) -> bool {
    cx.output.implicit_flush = parse_bool(value);
    true
}

pub fn not_empty(_cx: &mut Cx, value: &[u8]) -> bool {
    !value.is_empty()
}

/// Code for assertions is made or left out at compile time: -1 cannot be entered or left while running.
pub fn assertions(cx: &mut Cx, value: &[u8]) -> bool {
    let (old, new) = (cx.ini.int("zend.assertions"), number::str_to_int(value));
    if old != new && (old < 0 || new < 0) {
        return warn(cx, "zend.assertions may be completely enabled or disabled only in php.ini");
    }
    true
}

pub fn string_param_max_len(_cx: &mut Cx, value: &[u8]) -> bool {
    (0..=1_000_000).contains(&number::str_to_int(value))
}

pub fn fiber_stack_size(cx: &mut Cx, value: &[u8]) -> bool {
    if parse_quantity(value) < 0 {
        return warn(cx, "fiber.stack_size must be a positive number");
    }
    true
}
