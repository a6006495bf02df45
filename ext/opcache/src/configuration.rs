//! The directives as `opcache_get_configuration` gives them: in this order, with these types.

use Kind::{Float, Int, Megabytes, Percent, Switch, Text};
use jumbo_abi::{Cx, PArray, Value, ini};

#[derive(Clone, Copy)]
enum Kind {
    Switch,
    Int,
    Float,
    /// A number of megabytes, given in bytes.
    Megabytes,
    /// Of a hundred, given as a part of one.
    Percent,
    Text,
}

const DIRECTIVES: &[(&str, Kind)] = &[
    ("opcache.enable", Switch),
    ("opcache.enable_cli", Switch),
    ("opcache.use_cwd", Switch),
    ("opcache.validate_timestamps", Switch),
    ("opcache.validate_permission", Switch),
    ("opcache.validate_root", Switch),
    ("opcache.dups_fix", Switch),
    ("opcache.revalidate_path", Switch),
    ("opcache.log_verbosity_level", Int),
    ("opcache.memory_consumption", Megabytes),
    ("opcache.interned_strings_buffer", Int),
    ("opcache.max_accelerated_files", Int),
    ("opcache.max_wasted_percentage", Percent),
    ("opcache.force_restart_timeout", Int),
    ("opcache.revalidate_freq", Int),
    ("opcache.preferred_memory_model", Text),
    ("opcache.blacklist_filename", Text),
    ("opcache.max_file_size", Int),
    ("opcache.error_log", Text),
    ("opcache.protect_memory", Switch),
    ("opcache.save_comments", Switch),
    ("opcache.record_warnings", Switch),
    ("opcache.enable_file_override", Switch),
    ("opcache.optimization_level", Int),
    ("opcache.lockfile_path", Text),
    ("opcache.file_cache", Text),
    ("opcache.file_cache_only", Switch),
    ("opcache.file_cache_consistency_checks", Switch),
    ("opcache.file_update_protection", Int),
    ("opcache.opt_debug_level", Int),
    ("opcache.restrict_api", Text),
    ("opcache.huge_code_pages", Switch),
    ("opcache.preload", Text),
    ("opcache.preload_user", Text),
    ("opcache.jit", Text),
    ("opcache.jit_buffer_size", Int),
    ("opcache.jit_debug", Int),
    ("opcache.jit_bisect_limit", Int),
    ("opcache.jit_blacklist_root_trace", Int),
    ("opcache.jit_blacklist_side_trace", Int),
    ("opcache.jit_hot_func", Int),
    ("opcache.jit_hot_loop", Int),
    ("opcache.jit_hot_return", Int),
    ("opcache.jit_hot_side_exit", Int),
    ("opcache.jit_max_exit_counters", Int),
    ("opcache.jit_max_loop_unrolls", Int),
    ("opcache.jit_max_polymorphic_calls", Int),
    ("opcache.jit_max_recursive_calls", Int),
    ("opcache.jit_max_recursive_returns", Int),
    ("opcache.jit_max_root_traces", Int),
    ("opcache.jit_max_side_traces", Int),
    ("opcache.jit_prof_threshold", Float),
    ("opcache.jit_max_trace_length", Int),
];

pub fn directives(cx: &Cx) -> PArray {
    let mut all = PArray::new();
    for (name, kind) in DIRECTIVES {
        let text = cx.ini.str(name);
        let float = || jumbo_value::number::str_to_float(text);
        let value = match kind {
            Switch => Value::from(ini::parse_bool(text)),
            Int => Value::from(integer(text)),
            Megabytes => Value::from(ini::parse_quantity(text).saturating_mul(1 << 20)),
            Float => Value::from(float()),
            Percent => Value::from(float() / 100.0),
            Text => Value::bytes(text),
        };
        all.set_bytes(name.as_bytes(), value);
    }
    all
}

/// Numbers may be hexadecimal (`opcache.optimization_level`) or end in a unit (`opcache.jit_buffer_size`).
fn integer(text: &[u8]) -> i64 {
    ini::parse_quantity(text)
}
