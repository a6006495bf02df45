//! URLs and query strings.

use crate::pure::query::{self, Encoding};
use crate::pure::url;
use jumbo_abi::{ClassPtr, Cx, Key, KeyRef, PArray, PObject, PRef, PStr, Res, Value, View};
use jumbo_value::{HeapVec, PStrBuilder, convert, number};

pub fn parse_url(cx: &mut Cx, string: &PStr, component: i64) -> Res<Value> {
    if component > 7 {
        let message = format!("must be a valid URL component identifier, {component} given");
        return match url::parse_url(string) {
            None => Ok(Value::from(false)),
            Some(_) => Err(cx.arg_value_error(2, message)),
        };
    }
    let Some(parts) = url::parse_url(string) else { return Ok(Value::from(false)) };
    let port = parts.port.map(i64::from);
    let text = |part: Option<PStr>| Value::from(part);
    Ok(match component {
        0 => text(parts.scheme),
        1 => text(parts.host),
        2 => Value::from(port),
        3 => text(parts.user),
        4 => text(parts.password),
        5 => text(parts.path),
        6 => text(parts.query),
        7 => text(parts.fragment),
        _ => {
            let mut result = PArray::with_hash_capacity(8);
            let mut put = |name: &[u8], value: Value| {
                if !value.is_null() {
                    result.set_bytes(name, value);
                }
            };
            put(b"scheme", text(parts.scheme));
            put(b"host", text(parts.host));
            put(b"port", Value::from(port));
            put(b"user", text(parts.user));
            put(b"pass", text(parts.password));
            put(b"path", text(parts.path));
            put(b"query", text(parts.query));
            put(b"fragment", text(parts.fragment));
            Value::from(result)
        }
    })
}

pub fn urlencode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    let mut out = PStrBuilder::new();
    url::url_encode(string, &mut out)?;
    Ok(out.finish())
}

pub fn rawurlencode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    let mut out = PStrBuilder::new();
    url::raw_url_encode(string, &mut out)?;
    Ok(out.finish())
}

pub fn urldecode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(url::url_decode(string)?)
}

pub fn rawurldecode(_cx: &mut Cx, string: &PStr) -> Res<PStr> {
    Ok(url::raw_url_decode(string)?)
}

// ---- http_build_query

struct Builder<'a> {
    out: PStrBuilder,
    separator: PStr,
    encoding: Encoding,
    numeric_prefix: &'a [u8],
    /// Containers that are being written: one that contains itself is left out there.
    open: HeapVec<Container>,
}

/// Identity of an array or object that is being written.
enum Container {
    Array(PArray),
    Object(u32),
}

pub fn http_build_query(
    cx: &mut Cx,
    data: &Value,
    numeric_prefix: &PStr,
    arg_separator: Option<&PStr>,
    encoding_type: i64,
) -> Res<PStr> {
    let separator = match arg_separator {
        Some(separator) => separator.clone(),
        None => match cx.ini.str("arg_separator.output") {
            [] => PStr::new(b"&"),
            separator => PStr::new(separator),
        },
    };
    let encoding = if encoding_type == 2 { Encoding::Rfc3986 } else { Encoding::Rfc1738 };
    if let View::Object(object) = data.view_deref()
        && jumbo_abi::ClassPtr::of(object).is_enum()
    {
        let given = jumbo_abi::args::type_name(data);
        return Err(cx.arg_type_error(1, [b"must not be an enum, ".as_slice(), &given, b" given"].concat()));
    }
    let mut builder = Builder { out: PStrBuilder::new(), separator, encoding, numeric_prefix, open: HeapVec::new() };
    builder.container(cx, data, None)?;
    Ok(builder.out.finish())
}

impl Builder<'_> {
    /// Writes the elements of an array or object, whose encoded name is `prefix`.
    fn container(&mut self, cx: &mut Cx, data: &Value, prefix: Option<&[u8]>) -> Res<()> {
        cx.check_stack()?;
        let entries = match data.view_deref() {
            View::Array(array) => {
                if self.open.iter().any(|c| matches!(c, Container::Array(a) if a.same(array))) {
                    return Ok(());
                }
                self.open.push(Container::Array(array.clone()))?;
                array.clone()
            }
            View::Object(object) => {
                let id = object.id();
                if self.open.iter().any(|c| matches!(c, Container::Object(o) if *o == id)) {
                    return Ok(());
                }
                self.open.push(Container::Object(id))?;
                visible(cx, &object.clone())?
            }
            _ => return Ok(()),
        };
        let from_object = data.deref().is_object();
        for (key, value) in entries.iter() {
            let value = value.copy_deref();
            let name = match (prefix, key) {
                (None, KeyRef::Int(i)) if !from_object => {
                    // The prefix is the program's affair: it is not encoded.
                    PStr::concat(&[self.numeric_prefix, convert::write_int(&mut [0; 20], i)])
                }
                (prefix, key) => self.encoding.nested_name(prefix, &key.to_str())?,
            };
            self.element(cx, &name, &value)?;
        }
        self.open.pop();
        Ok(())
    }

    fn element(&mut self, cx: &mut Cx, name: &[u8], value: &Value) -> Res<()> {
        let mut digits = [0; 20];
        let float;
        let bytes: &[u8] = match value.view_deref() {
            View::Array(_) => return self.container(cx, value, Some(name)),
            View::Object(o) if ClassPtr::of(o).is_enum() => match backing(cx, &o.clone())? {
                Some(value) => return self.element(cx, name, &value),
                None => return Ok(()),
            },
            View::Object(_) => return self.container(cx, value, Some(name)),
            View::Null | View::Undef | View::Resource(_) | View::Ref(_) => return Ok(()),
            View::Bool(b) => if b { b"1" } else { b"0" },
            View::Float(f) => {
                float = number::float_to_string(f, cx.precision);
                &float
            }
            View::Int(i) => convert::write_int(&mut digits, i),
            View::Str(s) => s,
        };
        Ok(self.encoding.push_pair(&mut self.out, &self.separator, name, bytes)?)
    }
}

/// The value of a backed enum case; a pure one has none and is refused.
fn backing(cx: &mut Cx, case: &PObject) -> Res<Option<Value>> {
    let class = ClassPtr::of(case);
    if class.enum_backing == 0 {
        let message = [b"Unbacked enum ".as_slice(), &class.name, b" cannot be converted to a string"].concat();
        return Err(cx.value_error(message));
    }
    Ok(Some(cx.read_property(case, b"value")?))
}

/// Properties that the caller may see, by plain name; hooks are not asked.
fn visible(cx: &mut Cx, object: &PObject) -> Res<PArray> {
    let scope = cx.caller_scope();
    cx.engine().visible_properties(cx, object, scope, false)
}

// ---- parse_str

/// Puts `value` where `keys` lead, making arrays on the way; a scalar in the way is replaced.
fn put(slot: &mut Value, keys: &[query::Key], value: Value) {
    let Some((key, rest)) = keys.split_first() else {
        *slot = value;
        return;
    };
    if !slot.is_array() {
        *slot = Value::empty_array();
    }
    let Some(mut array) = slot.as_array_mut() else { return };
    match key {
        query::Key::Append => {
            let mut element = Value::null();
            put(&mut element, rest, value);
            // No place left after PHP_INT_MAX: PHP drops the value as well.
            let _ = array.push(element);
        }
        query::Key::Named(name) => array.with_slot(&Key::from_bytes(name), |element| put(element, rest, value)),
    }
}

/// As [`put`], below the element of the array `variables` that is named `base`.
fn put_below(variables: &mut Value, base: &[u8], keys: &[query::Key], value: Value) {
    if let Some(mut array) = variables.as_array_mut() {
        array.with_slot(&Key::from_bytes(base), |element| put(element, keys, value));
    }
}

/// The variables of a query string, as parse_str and `$_GET` have them, within the limits of the settings.
pub fn variables(cx: &mut Cx, string: &[u8]) -> Res<PArray> {
    let separators = match cx.ini.str("arg_separator.input") {
        [] => b"&".to_vec(),
        separators => separators.to_vec(),
    };
    let limit = match cx.ini.str("max_input_vars") {
        [] => 1000,
        _ => usize::try_from(cx.ini.int("max_input_vars")).unwrap_or(0),
    };
    let nesting_max = match cx.ini.str("max_input_nesting_level") {
        [] => 64,
        _ => usize::try_from(cx.ini.int("max_input_nesting_level")).unwrap_or(0),
    };
    let mut result = Value::empty_array();
    for (count, pair) in query::pairs(string, &separators).enumerate() {
        if count >= limit {
            let message = format!("Input variables exceeded {limit}. To increase the limit change max_input_vars in php.ini.");
            cx.warning(message)?;
            break;
        }
        let (name, value) = pair?;
        let Some(parsed) = query::parse_name(&name)? else { continue };
        if parsed.keys.len() > nesting_max {
            continue;
        }
        put_below(&mut result, &parsed.base, &parsed.keys, Value::from(value));
    }
    Ok(result.as_array().cloned().unwrap_or_default())
}

pub fn parse_str(cx: &mut Cx, string: &PStr, result: &PRef) -> Res<()> {
    let found = variables(cx, string)?;
    result.set(Value::from(found));
    Ok(())
}
