//! Short forms of values in messages: arguments in stack traces, unhandled match cases.

use jumbo_abi::{ClassPtr, Cx};
use jumbo_value::{Value, View, number};

/// One argument of a trace line. Strings are cut at `zend.exception_string_param_max_len`.
pub fn trace_argument(cx: &mut Cx, out: &mut Vec<u8>, value: &Value) {
    match value.view_deref() {
        View::Undef | View::Null => out.extend_from_slice(b"NULL"),
        View::Bool(b) => out.extend_from_slice(if b { b"true" } else { b"false" }),
        View::Int(i) => out.extend_from_slice(i.to_string().as_bytes()),
        View::Float(f) => out.extend_from_slice(&number::float_repr(f, cx.precision, true)),
        View::Str(s) => {
            let max = usize::try_from(cx.ini.int("zend.exception_string_param_max_len")).unwrap_or(15);
            out.push(b'\'');
            if s.len() > max {
                escape(out, &s.as_bytes()[..max]);
                out.extend_from_slice(b"...'");
            } else {
                escape(out, s.as_bytes());
                out.push(b'\'');
            }
        }
        View::Array(_) => out.extend_from_slice(b"Array"),
        View::Object(o) => {
            let class = ClassPtr::of(o);
            if class.is_enum() {
                out.extend_from_slice(class.name.as_bytes());
                out.extend_from_slice(b"::");
                if let Some(name) = o.slot(0).as_str() {
                    out.extend_from_slice(name.as_bytes());
                }
                return;
            }
            out.extend_from_slice(b"Object(");
            out.extend_from_slice(jumbo_value::string::up_to_nul(class.name.as_bytes()));
            out.push(b')');
        }
        View::Resource(r) => out.extend_from_slice(format!("Resource id #{}", r.id()).as_bytes()),
        View::Ref(_) => {}
    }
}

/// Appends a string with control characters and bytes beyond ASCII escaped, so that a trace is one line of text a call.
fn escape(out: &mut Vec<u8>, text: &[u8]) {
    for &b in text {
        match b {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0x0c => out.extend_from_slice(b"\\f"),
            0x0b => out.extend_from_slice(b"\\v"),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x1b => out.extend_from_slice(b"\\e"),
            0..32 | 127.. => out.extend_from_slice(format!("\\x{b:02X}").as_bytes()),
            _ => out.push(b),
        }
    }
}

/// A scalar as UnhandledMatchError shows it; None: its type is shown.
pub fn short_value(cx: &mut Cx, value: &Value) -> Option<Vec<u8>> {
    match value.view_deref() {
        View::Object(o) if ClassPtr::of(o).is_enum() => {
            let mut out = Vec::new();
            trace_argument(cx, &mut out, value);
            Some(out)
        }
        View::Array(_) | View::Object(_) | View::Resource(_) => None,
        // Values are hidden where those of arguments are.
        _ if cx.ini.bool("zend.exception_ignore_args") => None,
        View::Str(s) => {
            let max = usize::try_from(cx.ini.int("zend.exception_string_param_max_len")).unwrap_or(15);
            let mut out = vec![b'\''];
            escape(&mut out, &s.as_bytes()[..s.len().min(max)]);
            if s.len() > max {
                out.extend_from_slice(b"...");
            }
            out.push(b'\'');
            Some(out)
        }
        View::Float(f) => Some(number::float_repr(f, cx.precision, true)),
        _ => {
            let mut out = Vec::new();
            trace_argument(cx, &mut out, value);
            Some(out)
        }
    }
}
