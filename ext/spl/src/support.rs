//! What the classes of this extension have in common: offsets, tables of members, calls of methods by name.

use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, Key, Level, PArray, PObject, PStr, Res, Stop, Value, View};
use jumbo_value::number;

/// What an offset is for: decides the words when it cannot be one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OffsetUse {
    Access,
    Isset,
    Unset,
}

/// TypeError: an offset of an impossible type on `container`.
#[cold]
pub fn bad_offset(cx: &mut Cx, offset: &Value, used: OffsetUse, container: &[u8]) -> Stop {
    let kind = if offset.deref().is_bool() { b"bool".to_vec() } else { jumbo_abi::args::type_name(offset) };
    let text = match used {
        OffsetUse::Access => [b"Cannot access offset of type ".as_slice(), &kind, b" on ", container].concat(),
        OffsetUse::Isset => [b"Cannot access offset of type ".as_slice(), &kind, b" in isset or empty"].concat(),
        OffsetUse::Unset => [b"Cannot unset offset of type ".as_slice(), &kind, b" on ", container].concat(),
    };
    cx.type_error(text)
}

/// The array key that an offset means.
pub fn offset_key(cx: &mut Cx, offset: &Value, used: OffsetUse, container: &[u8]) -> Res<Key> {
    Ok(match offset.view_deref() {
        View::Int(i) => Key::Int(i),
        View::Str(s) => Key::from_str(s),
        View::Undef | View::Null => Key::Str(PStr::empty()),
        View::Bool(b) => Key::Int(i64::from(b)),
        View::Float(f) => {
            if !number::float_is_int(f) {
                cx.deprecated_fraction(offset.deref(), f)?;
            }
            Key::Int(number::float_to_int(f))
        }
        View::Resource(r) => {
            let id = r.id();
            cx.raise(Level::Warning, format!("Resource ID#{id} used as offset, casting to integer ({id})").as_bytes())?;
            Key::Int(id)
        }
        _ => return Err(bad_offset(cx, offset, used, container)),
    })
}

/// Warning: there is no such element.
pub fn undefined_key(cx: &mut Cx, key: &Key) -> Res<()> {
    let text = match key {
        Key::Int(i) => format!("Undefined array key {i}").into_bytes(),
        Key::Str(s) => [b"Undefined array key \"".as_slice(), s.as_bytes(), b"\""].concat(),
    };
    cx.raise(Level::Warning, &text)
}

/// `!empty($value)`
pub fn truth(cx: &mut Cx, value: &Value) -> Res<bool> {
    match value.view_deref() {
        View::Object(o) => {
            let o = o.clone();
            match ClassPtr::of(&o).hooks.cast {
                Some(_) => cx.engine().object_cast(cx, &o, jumbo_abi::mask::BOOL).map(|v| v.is_true()),
                None => Ok(true),
            }
        }
        _ => Ok(jumbo_value::convert::to_bool(value)),
    }
}

/// The plain properties of an object with mangled names, as they are serialised beside its native state.
pub fn members(cx: &mut Cx, object: &PObject) -> Res<PArray> {
    cx.properties(object, Purpose::Serialize)
}

/// Sets properties from a table with mangled names (`__unserialize`).
pub fn set_members(cx: &mut Cx, object: &PObject, table: &PArray) -> Res<()> {
    let class = ClassPtr::of(object);
    for (key, value) in table {
        let key = key.to_key();
        let name = match &key {
            Key::Int(i) => PStr::new(i.to_string().as_bytes()),
            Key::Str(s) => s.clone(),
        };
        let bytes = name.as_bytes();
        // `\0Class\0name`, `\0*\0name`: the last part is the name.
        let plain = if bytes.first() == Some(&0) { bytes.rsplit(|b| *b == 0).next().unwrap_or(bytes) } else { bytes };
        let declared = class.slots.iter().any(|slot| slot.name.as_bytes() == plain);
        if declared {
            cx.write_property(object, plain, value.copy_deref())?;
        } else {
            let value = value.clone();
            let old = object.update_dynamic(|t| {
                let old = t.get(&key).cloned();
                t.set(key.clone(), value);
                old
            });
            drop(old);
        }
    }
    Ok(())
}

/// A debugging table: the plain properties, then native ones as private properties of `class`.
pub fn debug_table(cx: &mut Cx, object: &PObject, class: &str, native: &[(&str, Value)]) -> Res<PArray> {
    let mut table = members(cx, object)?;
    for (name, value) in native {
        table.set_str(&PStr::concat(&[b"\0", class.as_bytes(), b"\0", name.as_bytes()]), value.clone());
    }
    Ok(table)
}

/// The method is one that PHP code defines: it overrides the builtin one.
pub fn overridden(class: ClassPtr, lower: &[u8]) -> bool {
    class.method(lower).is_some_and(|f| f.desc().is_none())
}

/// Calls a method and gives its answer as a bool.
pub fn ask(cx: &mut Cx, object: &PObject, lower: &[u8]) -> Res<bool> {
    let answer = cx.call_method(object, lower, &[])?;
    truth(cx, &answer)
}

/// Throws a new exception of a builtin class with a code.
pub fn throw_code(cx: &mut Cx, class: &str, message: impl AsRef<[u8]>, code: i64) -> Stop {
    let class = cx.builtin_class(class.to_ascii_lowercase().as_bytes());
    cx.engine().throw_new(cx, class, message.as_ref(), code)
}

/// The text of PHP's own serialisation of a value.
pub fn serialized(cx: &mut Cx, value: &Value) -> Res<PStr> {
    let text = cx.call_builtin("serialize", std::slice::from_ref(value))?;
    cx.to_string(&text)
}

/// Length of the serialised value that `text` starts with; None when it is malformed.
pub fn serialized_len(text: &[u8]) -> Option<usize> {
    fn number(text: &[u8], at: &mut usize, end: u8) -> Option<usize> {
        let len = text.get(*at..)?.iter().position(|b| *b == end)?;
        let digits = std::str::from_utf8(text.get(*at..*at + len)?).ok()?;
        *at += len + 1;
        digits.trim_start_matches('+').parse().ok()
    }
    fn value(text: &[u8], at: &mut usize, depth: u32) -> Option<()> {
        if depth > 4096 {
            return None;
        }
        let kind = *text.get(*at)?;
        match kind {
            b'N' => *at += 2,
            b'i' | b'd' | b'b' | b'r' | b'R' => *at += text.get(*at..)?.iter().position(|b| *b == b';')? + 1,
            b's' | b'E' => {
                *at += 2;
                let len = number(text, at, b':')?;
                *at = at.checked_add(len)?.checked_add(3)?;
            }
            b'a' | b'O' | b'C' => {
                *at += 2;
                if kind != b'a' {
                    let len = number(text, at, b':')?;
                    *at = at.checked_add(len)?.checked_add(3)?;
                }
                let count = number(text, at, b':')?;
                *at += 1;
                if kind == b'C' {
                    *at = at.checked_add(count)?;
                } else {
                    for _ in 0..count {
                        value(text, at, depth + 1)?;
                        value(text, at, depth + 1)?;
                    }
                }
                (text.get(*at) == Some(&b'}')).then_some(())?;
                *at += 1;
            }
            _ => return None,
        }
        (*at <= text.len()).then_some(())
    }
    let mut at = 0;
    value(text, &mut at, 0)?;
    Some(at)
}

/// Reads the serialised value that `text` starts with; gives it and the rest. None when it is malformed.
pub fn unserialized<'t>(cx: &mut Cx, text: &'t [u8]) -> Res<Option<(Value, &'t [u8])>> {
    let Some(len) = serialized_len(text) else { return Ok(None) };
    let value = cx.call_builtin("unserialize", &[Value::bytes(&text[..len])])?;
    if value.is_false() && !text.starts_with(b"b:0;") {
        return Ok(None);
    }
    Ok(Some((value, &text[len..])))
}
