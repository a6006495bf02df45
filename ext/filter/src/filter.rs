//! The functions: how filters, flags and options are applied to values and arrays.

use crate::sanitize::{self, Flags};
use crate::{ip, validate};
use jumbo_abi::engine::CallableCheck;
use jumbo_abi::{ClassPtr, Cx, Key, KeyRef, OrFalse, PArray, PStr, Res, Value, View};
use jumbo_value::convert;

const REQUIRE_SCALAR: i64 = 33_554_432;
const REQUIRE_ARRAY: i64 = 16_777_216;
const FORCE_ARRAY: i64 = 67_108_864;
const NULL_ON_FAILURE: i64 = 134_217_728;
const CALLBACK: i64 = 1024;
const UNSAFE_RAW: i64 = 516;
const FULL_SPECIAL_CHARS: i64 = 522;
const EMPTY_STRING_NULL: i64 = 256;

/// Names and numbers, as filter_list shows them.
const FILTERS: [(&str, i64); 21] = [
    ("int", 257),
    ("boolean", 258),
    ("bool", 258),
    ("float", 259),
    ("validate_regexp", 272),
    ("validate_domain", 277),
    ("validate_url", 273),
    ("validate_email", 274),
    ("validate_ip", 275),
    ("validate_mac", 276),
    ("string", 513),
    ("stripped", 513),
    ("encoded", 514),
    ("special_chars", 515),
    ("full_special_chars", FULL_SPECIAL_CHARS),
    ("unsafe_raw", UNSAFE_RAW),
    ("email", 517),
    ("url", 518),
    ("number_int", 519),
    ("number_float", 520),
    ("add_slashes", 523),
];

/// The request's variables as they came, whatever the program does to the superglobals.
#[derive(Default)]
struct Input {
    of: [Option<PArray>; 6],
}

const GLOBALS: [(usize, &[u8]); 5] = [(0, b"_POST"), (1, b"_GET"), (2, b"_COOKIE"), (4, b"_ENV"), (5, b"_SERVER")];

pub fn request_start(cx: &mut Cx) -> Res<()> {
    for (number, name) in GLOBALS {
        let array = cx.engine().global(cx, name).and_then(|v| v.deref().as_array().cloned());
        cx.state::<Input>().of[number] = array;
    }
    Ok(())
}

fn input(cx: &mut Cx, kind: i64, position: u32) -> Res<Option<PArray>> {
    let known = GLOBALS.iter().any(|(n, _)| i64::try_from(*n) == Ok(kind));
    if !known {
        return Err(cx.arg_value_error(position, "must be an INPUT_* constant"));
    }
    let array = usize::try_from(kind).ok().and_then(|n| cx.state::<Input>().of.get(n).cloned().flatten());
    // Nothing came: there is no such array.
    Ok(array.filter(|array| !array.is_empty()))
}

pub fn filter_has_var(cx: &mut Cx, input_type: i64, var_name: &PStr) -> Res<bool> {
    Ok(input(cx, input_type, 1)?.is_some_and(|a| a.get_sym(var_name.as_bytes()).is_some()))
}

pub fn filter_id(_cx: &mut Cx, name: &PStr) -> OrFalse<i64> {
    if name.as_bytes() == b"callback" {
        return OrFalse(Some(CALLBACK));
    }
    OrFalse(FILTERS.iter().find(|(n, _)| n.as_bytes() == name.as_bytes()).map(|(_, id)| *id))
}

pub fn filter_list(_cx: &mut Cx) -> PArray {
    let names = FILTERS.iter().map(|(name, _)| *name).filter(|name| *name != "bool").chain(["callback"]);
    names.map(|name| Value::from(PStr::from(name))).collect()
}

/// What the third argument of filter_var, or an entry of a definition, says.
struct Order {
    filter: i64,
    flags: i64,
    /// The entry `options`.
    options: Option<Value>,
}

impl Order {
    fn failure(&self) -> Value {
        if self.flags & NULL_ON_FAILURE != 0 { Value::null() } else { Value::from(false) }
    }
    fn option(&self, name: &[u8]) -> Option<Value> {
        self.options.as_ref()?.deref().as_array()?.get_sym(name).map(Value::copy_deref)
    }
    fn has(&self, flag: i64) -> bool {
        self.flags & flag != 0
    }
}

fn order(filter: i64, options: &Value, default_flags: i64) -> Order {
    match options.view_deref() {
        View::Array(array) => {
            let own = array.get_sym(b"flags").map(|f| convert::to_int(f.deref()));
            let mut flags = own.unwrap_or(0);
            if flags & (REQUIRE_ARRAY | FORCE_ARRAY) == 0 && (own.is_some() || default_flags != 0) {
                flags |= REQUIRE_SCALAR;
            }
            let options = array.get_sym(b"options").map(Value::copy_deref);
            if filter == CALLBACK {
                flags = own.unwrap_or(0);
            }
            Order { filter, flags, options }
        }
        _ => {
            let mut flags = convert::to_int(options.deref());
            if flags & (REQUIRE_ARRAY | FORCE_ARRAY) == 0 {
                flags |= REQUIRE_SCALAR;
            }
            Order { filter, flags, options: None }
        }
    }
}

/// Applies a filter to a value, arrays and all.
fn apply(cx: &mut Cx, value: &Value, order: &Order) -> Res<Value> {
    if let Some(array) = value.deref().as_array().cloned() {
        if order.has(REQUIRE_SCALAR) {
            return Ok(order.failure());
        }
        return each(cx, &array, order);
    }
    if order.has(REQUIRE_ARRAY) {
        return Ok(order.failure());
    }
    let result = scalar(cx, value, order)?;
    if order.has(FORCE_ARRAY) {
        return Ok(Value::from(PArray::from_values([result])));
    }
    Ok(result)
}

fn each(cx: &mut Cx, array: &PArray, order: &Order) -> Res<Value> {
    cx.check_stack()?;
    cx.check()?;
    let mut out = PArray::new();
    for (key, value) in array.entries() {
        let result = match value.deref().as_array().cloned() {
            Some(inner) => each(cx, &inner, order)?,
            None => scalar(cx, &value, order)?,
        };
        out.set(key, result);
    }
    Ok(Value::from(out))
}

fn scalar(cx: &mut Cx, value: &Value, order: &Order) -> Res<Value> {
    let plain = match value.view_deref() {
        View::Object(o) if ClassPtr::of(o).magic.to_string.is_none() => None,
        _ => Some(cx.to_string(value.deref())?),
    };
    let result = match plain {
        Some(text) => filtered(cx, &text, order)?,
        None => None,
    };
    match result {
        Some(value) => Ok(value),
        None => Ok(order.option(b"default").unwrap_or_else(|| order.failure())),
    }
}

/// `None`: the text does not pass.
fn filtered(cx: &mut Cx, input: &PStr, order: &Order) -> Res<Option<Value>> {
    let bytes = input.as_bytes();
    let flags = Flags(order.flags);
    let same = |good: bool| good.then(|| Value::from(input.clone()));
    Ok(match order.filter {
        257 => {
            let number = validate::int(bytes, order.has(1), order.has(2));
            let min = order.option(b"min_range").map(|v| convert::to_int(&v));
            let max = order.option(b"max_range").map(|v| convert::to_int(&v));
            number.filter(|n| min.is_none_or(|m| *n >= m) && max.is_none_or(|m| *n <= m)).map(Value::from)
        }
        258 => validate::bool(bytes).map(Value::from),
        259 => return float(cx, bytes, order),
        272 => {
            let Some(pattern) = order.option(b"regexp") else {
                let name = cx.active_function_name();
                return Err(cx.value_error([name.as_slice(), b"(): \"regexp\" option is missing"]));
            };
            let matched = cx.call_value(&Value::from(PStr::new(b"preg_match")), &[pattern, Value::from(input.clone())])?;
            same(matched.as_int().is_some_and(|n| n > 0))
        }
        277 => same(validate::domain(bytes, order.has(1 << 20))),
        273 => same(validate::url(bytes, order.has(262_144), order.has(524_288))),
        274 => same(validate::email(bytes, order.has(1 << 20))),
        275 => same(ip(bytes, order)),
        276 => {
            let separator = match order.option(b"separator") {
                None => None,
                Some(v) => match cx.to_string(&v)?.as_bytes() {
                    [one] => Some(*one),
                    _ => {
                        let name = cx.active_function_name();
                        return Err(cx.value_error([name.as_slice(), b"(): \"separator\" option must be one character long"]));
                    }
                },
            };
            same(validate::mac(bytes, separator))
        }
        513 => Some(Value::from(sanitize::string(bytes, flags)?)),
        514 => Some(Value::from(sanitize::encoded(bytes, flags)?)),
        515 => Some(Value::from(sanitize::special_chars(bytes, flags)?)),
        FULL_SPECIAL_CHARS => {
            // ENT_QUOTES | ENT_SUBSTITUTE, or without quotes.
            let quotes = if order.has(sanitize::NO_ENCODE_QUOTES) { 8 } else { 3 | 8 };
            Some(Value::from(jumbo_ext_strings::html::htmlspecialchars(cx, input, quotes, None, true)?))
        }
        CALLBACK => {
            let callable = order.options.clone().unwrap_or_default();
            match cx.engine().resolve_callable(cx, &callable, CallableCheck::Full)? {
                Ok(callable) => Some(cx.call(&callable, &[Value::from(input.clone())])?),
                Err(_) => {
                    let name = cx.active_function_name();
                    return Err(cx.type_error([name.as_slice(), b"(): Option must be a valid callback"]));
                }
            }
        }
        517 => Some(Value::from(sanitize::email(bytes)?)),
        518 => Some(Value::from(sanitize::url(bytes)?)),
        519 => Some(Value::from(sanitize::number_int(bytes)?)),
        520 => Some(Value::from(sanitize::number_float(bytes, flags)?)),
        523 => Some(Value::from(jumbo_ext_strings::encode::addslashes(cx, input)?)),
        // UNSAFE_RAW, and numbers that have no filter.
        _ => {
            let out = sanitize::raw(bytes, flags)?;
            Some(if out.is_empty() && order.has(EMPTY_STRING_NULL) { Value::null() } else { Value::from(out) })
        }
    })
}

fn float(cx: &mut Cx, bytes: &[u8], order: &Order) -> Res<Option<Value>> {
    let decimal = match order.option(b"decimal") {
        None => b'.',
        Some(v) => match cx.to_string(&v)?.as_bytes() {
            [one] => *one,
            _ => {
                let name = cx.active_function_name();
                return Err(cx.value_error([name.as_slice(), b"(): \"decimal\" option must be one character long"]));
            }
        },
    };
    let thousand = match order.option(b"thousand") {
        None => PStr::new(b"',."),
        Some(v) => {
            let list = cx.to_string(&v)?;
            if list.is_empty() {
                let name = cx.active_function_name();
                return Err(cx.value_error([name.as_slice(), b"(): \"thousand\" option must not be empty"]));
            }
            list
        }
    };
    let separators = order.has(sanitize::ALLOW_THOUSAND).then_some(thousand.as_bytes());
    // What is not zero and becomes zero is out of range, as what becomes infinite is.
    let mantissa = bytes.split(|b| matches!(b, b'e' | b'E')).next().unwrap_or_default();
    let vanished = |n: &f64| *n == 0.0 && mantissa.iter().any(|b| matches!(b, b'1'..=b'9'));
    let number = validate::float(bytes, decimal, separators)?.filter(|n| !vanished(n));
    let min = order.option(b"min_range").map(|v| convert::to_float(&v));
    let max = order.option(b"max_range").map(|v| convert::to_float(&v));
    Ok(number.filter(|n| min.is_none_or(|m| *n >= m) && max.is_none_or(|m| *n <= m)).map(Value::from))
}

fn ip(bytes: &[u8], order: &Order) -> bool {
    let ranges = ip::Ranges { no_private: order.has(8_388_608), no_reserved: order.has(4_194_304), global: order.has(268_435_456) };
    let (v4, v6) = (order.has(1 << 20), order.has(1 << 21));
    if bytes.contains(&b':') {
        return (v6 || !v4) && ip::parse_v6(bytes).is_some_and(|a| ip::v6_passes(a, ranges));
    }
    (v4 || !v6) && ip::parse_v4(bytes).is_some_and(|a| ip::v4_passes(a, ranges))
}

/// The ranges of numbers for filters; what has no filter of its own there changes nothing.
fn is_filter(filter: i64) -> bool {
    matches!(filter, 256..=277 | 512..=523) || filter == CALLBACK
}

/// Warns of a number that is none of a filter.
fn check_filter(cx: &mut Cx, filter: i64) -> Res<bool> {
    if is_filter(filter) {
        return Ok(true);
    }
    cx.warning(format_args!("Unknown filter with ID {filter}"))?;
    Ok(false)
}

pub fn filter_var(cx: &mut Cx, value: &Value, filter: i64, options: &Value) -> Res<Value> {
    if !check_filter(cx, filter)? {
        return Ok(Value::from(false));
    }
    apply(cx, value, &order(filter, options, REQUIRE_SCALAR))
}

pub fn filter_input(cx: &mut Cx, kind: i64, var_name: &PStr, filter: i64, options: &Value) -> Res<Value> {
    if !check_filter(cx, filter)? {
        return Ok(Value::from(false));
    }
    let array = input(cx, kind, 1)?;
    match array.and_then(|a| a.get_sym(var_name.as_bytes()).map(Value::copy_deref)) {
        Some(value) => apply(cx, &value, &order(filter, options, REQUIRE_SCALAR)),
        None => {
            let order = order(filter, options, REQUIRE_SCALAR);
            if let Some(default) = order.option(b"default") {
                return Ok(default);
            }
            // What is not there is the other value than what does not pass.
            Ok(if order.has(NULL_ON_FAILURE) { Value::from(false) } else { Value::null() })
        }
    }
}

/// Applies one filter, or a definition by name, to an array.
fn filter_array(cx: &mut Cx, array: Option<&PArray>, options: &Value, add_empty: bool, position: u32) -> Res<Value> {
    let Some(array) = array else {
        // No such input: null, or false when null means failure.
        let flags = options.deref().as_array().map_or(0, |a| a.get_sym(b"flags").map_or(0, |f| convert::to_int(f.deref())));
        return Ok(if flags & NULL_ON_FAILURE != 0 { Value::from(false) } else { Value::null() });
    };
    let Some(definition) = options.deref().as_array().cloned() else {
        let filter = cx.to_int(options)?;
        return apply(cx, &Value::from(array.clone()), &Order { filter, flags: REQUIRE_ARRAY, options: None });
    };
    let mut out = PArray::new();
    for (key, wanted) in definition.entries() {
        let name = match key.as_ref() {
            KeyRef::Str(name) if !name.is_empty() => name.clone(),
            KeyRef::Str(_) => return Err(cx.arg_value_error(position, "cannot contain empty keys")),
            KeyRef::Int(_) => return Err(cx.arg_type_error(position, "must contain only string keys")),
        };
        let Some(value) = array.get_str(&name).map(Value::copy_deref) else {
            if add_empty {
                out.set(Key::from_str(&name), Value::null());
            }
            continue;
        };
        let order = match wanted.view_deref() {
            View::Array(own) => {
                let filter = match own.get_sym(b"filter").cloned() {
                    Some(filter) => cx.to_int(&filter)?,
                    None => UNSAFE_RAW,
                };
                order(filter, wanted.deref(), 0)
            }
            _ => Order { filter: cx.to_int(&wanted)?, flags: REQUIRE_SCALAR, options: None },
        };
        let order = if order.flags & (REQUIRE_ARRAY | FORCE_ARRAY) == 0 && order.filter != CALLBACK {
            Order { flags: order.flags | REQUIRE_SCALAR, ..order }
        } else {
            order
        };
        let result = apply(cx, &value, &order)?;
        out.set(Key::from_str(&name), result);
    }
    Ok(Value::from(out))
}

/// A filter for all elements must be known; warns if it is not.
fn check_options(cx: &mut Cx, options: &Value) -> Res<bool> {
    if options.deref().as_array().is_some() {
        return Ok(true);
    }
    let filter = cx.to_int(options)?;
    check_filter(cx, filter)
}

pub fn filter_var_array(cx: &mut Cx, array: &PArray, options: &Value, add_empty: bool) -> Res<Value> {
    if !check_options(cx, options)? {
        return Ok(Value::from(false));
    }
    filter_array(cx, Some(array), options, add_empty, 2)
}

pub fn filter_input_array(cx: &mut Cx, kind: i64, options: &Value, add_empty: bool) -> Res<Value> {
    if !check_options(cx, options)? {
        return Ok(Value::from(false));
    }
    let array = input(cx, kind, 1)?;
    filter_array(cx, array.as_ref(), options, add_empty, 2)
}
