//! Calling functions, sleeping, clocks, functions at ticks and at the end, the last error.

use jumbo_abi::request::{Shutdown, Ticks};
use jumbo_abi::throwable::Handlers;
use jumbo_abi::{Callable, ClassPtr, Cx, PArray, PStr, Res, Value};
use jumbo_value::Heap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub fn call_user_func(cx: &mut Cx, callback: &Callable, args: &[Value]) -> Res<Value> {
    if let Some(named) = cx.engine().named_arguments(cx) {
        let mut all = PArray::from_values(args.iter().cloned());
        for (name, value) in &named {
            all.set(name.to_key(), value.clone());
        }
        return cx.call_with_array(callback, &all).map(Value::into_deref);
    }
    cx.call(callback, args).map(Value::into_deref)
}

pub fn call_user_func_array(cx: &mut Cx, callback: &Callable, args: &PArray) -> Res<Value> {
    cx.call_with_array(callback, args).map(Value::into_deref)
}

/// The callable with the caller's called class, when that is a subclass of the one named.
fn forwarded(cx: &mut Cx, callback: &Callable) -> Callable {
    let mut callable = callback.clone();
    let called: Option<ClassPtr> = cx.engine().caller_static_class(cx);
    if let (Some(called), Some(class)) = (called, callable.class)
        && called.is_a(class)
    {
        callable.class = Some(called);
    }
    callable
}

pub fn forward_static_call(cx: &mut Cx, callback: &Callable, args: &[Value]) -> Res<Value> {
    if cx.caller_scope().is_none() {
        return Err(cx.throw_error("Cannot call forward_static_call() when no class scope is active"));
    }
    let callable = forwarded(cx, callback);
    cx.call(&callable, args).map(Value::into_deref)
}

pub fn forward_static_call_array(cx: &mut Cx, callback: &Callable, args: &PArray) -> Res<Value> {
    let callable = forwarded(cx, callback);
    cx.call_with_array(&callable, args).map(Value::into_deref)
}

pub fn register_shutdown_function(cx: &mut Cx, callback: &Callable, args: &[Value]) -> Res<()> {
    let entry = (callback.clone(), args.to_vec());
    // The list goes with the request.
    Heap::try_charge_current(size_of_val(&entry) + size_of_val(args))?;
    cx.state::<Shutdown>().functions.push(entry);
    Ok(())
}

fn pause(cx: &mut Cx, duration: Duration) {
    cx.sleep(duration);
}

pub fn usleep(cx: &mut Cx, microseconds: i64) -> Res<()> {
    let Ok(us) = u64::try_from(microseconds) else {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    };
    pause(cx, Duration::from_micros(us));
    Ok(())
}

pub fn sleep(cx: &mut Cx, seconds: i64) -> Res<i64> {
    let Ok(s) = u64::try_from(seconds) else {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    };
    pause(cx, Duration::from_secs(s));
    Ok(0)
}

pub fn time_nanosleep(cx: &mut Cx, seconds: i64, nanoseconds: i64) -> Res<Value> {
    let Ok(s) = u64::try_from(seconds) else {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    };
    let Ok(ns) = u32::try_from(nanoseconds) else {
        return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
    };
    if ns >= 1_000_000_000 {
        return Err(cx.value_error("Nanoseconds was not in the range 0 to 999 999 999 or seconds was negative"));
    }
    pause(cx, Duration::new(s, ns));
    Ok(Value::from(true))
}

/// Time since the process started to look at the clock: a monotonic one, as PHP's.
fn monotonic() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    // PHP counts from an arbitrary point; the offset keeps differences right and the value positive.
    START.get_or_init(std::time::Instant::now).elapsed() + Duration::from_secs(1_000)
}

pub fn hrtime(_cx: &mut Cx, as_number: bool) -> Value {
    let now = monotonic();
    if as_number {
        return Value::from(now.as_nanos() as i64);
    }
    Value::from(PArray::from_values([Value::from(now.as_secs() as i64), Value::from(i64::from(now.subsec_nanos()))]))
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

pub fn microtime(_cx: &mut Cx, as_float: bool) -> Value {
    let now = now();
    if as_float {
        return Value::from(now.as_micros() as f64 / 1e6);
    }
    Value::from(PStr::new(format!("{:.8} {}", f64::from(now.subsec_micros()) / 1e6, now.as_secs()).as_bytes()))
}

pub fn gettimeofday(cx: &mut Cx, as_float: bool) -> Res<Value> {
    let now = now();
    if as_float {
        return Ok(Value::from(now.as_micros() as f64 / 1e6));
    }
    // What ext/date says of the default time zone: seconds east of Greenwich, and summer time.
    let mut of_zone = |format: &str| cx.call_builtin("date", &[Value::bytes(format.as_bytes())]).map(|v| jumbo_value::convert::to_int(&v));
    let (east_s, summer) = (of_zone("Z")?, of_zone("I")?);
    let mut array = PArray::new();
    array.set_bytes(b"sec", now.as_secs() as i64);
    array.set_bytes(b"usec", i64::from(now.subsec_micros()));
    array.set_bytes(b"minuteswest", -east_s / 60);
    array.set_bytes(b"dsttime", summer);
    Ok(Value::from(array))
}

pub fn constant(cx: &mut Cx, name: &PStr) -> Res<Value> {
    let bytes = name.as_bytes();
    match cx.engine().constant(cx, bytes)? {
        Some(v) => Ok(v),
        None => {
            let shown = bytes.strip_prefix(b"\\").unwrap_or(bytes);
            Err(cx.throw_error([b"Undefined constant \"".as_slice(), shown, b"\""]))
        }
    }
}

pub fn register_tick_function(cx: &mut Cx, callback: &Callable, args: &[Value]) -> Res<bool> {
    // The list goes with the request.
    Heap::try_charge_current(size_of_val(callback) + size_of_val(args))?;
    cx.state::<Ticks>().register(callback.clone(), args.to_vec());
    Ok(true)
}

pub fn unregister_tick_function(cx: &mut Cx, callback: &Callable) -> Res<()> {
    let values: Vec<Value> = cx.state::<Ticks>().functions.iter().map(|t| t.callable.value.clone()).collect();
    for (at, value) in values.iter().enumerate() {
        if cx.loose_equals(value, &callback.value)? {
            let functions = &mut cx.state::<Ticks>().functions;
            if functions.get(at).is_some_and(|tick| tick.running) {
                return Err(cx.throw_error("Registered tick function cannot be unregistered while it is being executed"));
            }
            // Comparing may have run PHP code that changed the list.
            if at < functions.len() {
                let gone = functions.remove(at);
                drop(gone);
            }
            break;
        }
    }
    Ok(())
}

pub fn time_sleep_until(cx: &mut Cx, timestamp: f64) -> Res<bool> {
    /// The whole seconds that 64 bits of nanoseconds hold.
    const SECONDS_MAX: f64 = 18_446_744_073.0;
    if !(0.0..=SECONDS_MAX).contains(&timestamp) {
        return Err(cx.arg_value_error(1, format_args!("must be between 0 and {SECONDS_MAX:.0}")));
    }
    let left = timestamp - now().as_secs_f64();
    match Duration::try_from_secs_f64(left) {
        Ok(left) if !left.is_zero() => {
            pause(cx, left);
            Ok(true)
        }
        _ => {
            cx.warning("Argument #1 ($timestamp) must be greater than or equal to the current time")?;
            Ok(false)
        }
    }
}

pub fn error_get_last(cx: &mut Cx) -> Option<PArray> {
    let (level, message, file, line) = cx.state::<Handlers>().last_error.clone()?;
    let mut array = PArray::new();
    array.set_bytes(b"type", i64::from(level));
    array.set_bytes(b"message", message);
    array.set_bytes(b"file", file);
    array.set_bytes(b"line", i64::from(line));
    Some(array)
}

pub fn error_clear_last(cx: &mut Cx) {
    cx.state::<Handlers>().last_error = None;
}
