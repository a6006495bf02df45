//! The formats of session data: `php` (`name|value…`), `php_binary` (a length byte, the name, the value) and `php_serialize`
//! (one serialized array). In the first two the values share one numbering, so that references among variables survive.

use crate::state::{bind_variables, of, variables, warning};
use jumbo_abi::{Cx, Key, KeyRef, PArray, PStr, Res, Value};
use jumbo_ext_misc::serialize::{Serializer, Unserializer};

/// A format (`session.serialize_handler`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Php,
    Binary,
    Serialize,
}

/// What separates names from values in the format `php`.
const DELIMITER: u8 = b'|';
/// Longest name in the format `php_binary`.
const NAME_MAX: usize = 127;

pub fn named(name: &[u8]) -> Option<Format> {
    match name {
        b"php" => Some(Format::Php),
        b"php_binary" => Some(Format::Binary),
        b"php_serialize" => Some(Format::Serialize),
        _ => None,
    }
}

/// The session's variables as text. None: there are none, or a name does not go with the format.
pub fn encode(cx: &mut Cx, format: Format) -> Res<Option<PStr>> {
    let Some(vars) = variables(cx) else { return Ok(None) };
    let mut out = Serializer::default();
    if format == Format::Serialize {
        out.write(cx, &Value::from(vars))?;
        return Ok(Some(out.finish()));
    }
    for (key, value) in vars.entries() {
        let name = match key.as_ref() {
            KeyRef::Int(n) => {
                warning(cx, format!("Skipping numeric key {n}"))?;
                continue;
            }
            KeyRef::Str(s) => s.clone(),
        };
        if format == Format::Php {
            if name.as_bytes().contains(&DELIMITER) {
                return Ok(None);
            }
            out.raw(name.as_bytes())?;
            out.raw(&[DELIMITER])?;
        } else {
            let Some(length) = u8::try_from(name.len()).ok().filter(|n| usize::from(*n) <= NAME_MAX) else { continue };
            out.raw(&[length])?;
            out.raw(name.as_bytes())?;
        }
        out.write(cx, &value)?;
    }
    // Nothing to write is no text, in PHP's words: session_encode says false.
    Ok(Some(out.finish()).filter(|text| !text.is_empty()))
}

/// Adds what the text says to the session's variables. False: it is malformed.
pub fn decode(cx: &mut Cx, format: Format, text: &[u8]) -> Res<bool> {
    let mut reader = Unserializer::new(text)?;
    if format == Format::Serialize {
        let value = if text.is_empty() { None } else { reader.value(cx)? };
        let good = text.is_empty() || value.is_some();
        reader.finish(cx)?;
        let array = value.and_then(|v| v.deref().as_array().cloned()).unwrap_or_else(PArray::new);
        bind_variables(cx, array);
        return Ok(good);
    }
    let mut good = true;
    while reader.at() < text.len() {
        let at = reader.at();
        let name = if format == Format::Php {
            let Some(n) = text[at..].iter().position(|&b| b == DELIMITER) else {
                good = false;
                break;
            };
            reader.set_at(at + n + 1);
            &text[at..at + n]
        } else {
            let n = usize::from(text[at] & 0x7f);
            let Some(name) = text.get(at + 1..at + 1 + n) else {
                good = false;
                break;
            };
            reader.set_at(at + 1 + n);
            name
        };
        match reader.value(cx)? {
            Some(value) => set_variable(cx, name, value),
            None => {
                good = false;
                break;
            }
        }
    }
    reader.finish(cx)?;
    Ok(good)
}

fn set_variable(cx: &mut Cx, name: &[u8], value: Value) {
    let Some(vars) = of(cx).vars.clone() else { return };
    vars.update(|slot| {
        let mut array = slot.as_array().cloned().unwrap_or_else(PArray::new);
        // One owner, so that the array grows in place.
        *slot = Value::null();
        array.set(Key::from_bytes(name), value);
        *slot = Value::from(array);
    });
}
