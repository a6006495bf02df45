//! What the classes of this extension have in common: offsets, tables of members, calls of methods by name.

use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, Key, Level, PArray, PObject, PStr, Res, Stop, Value, View};
use jumbo_ext_misc::serialize::Unserializer;
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
        let is_new = !declared && object.dynamic().is_none_or(|t| t.get(&key).is_none());
        if is_new && !class.is(jumbo_abi::class_flags::ALLOW_DYNAMIC) {
            let text = [b"Creation of dynamic property ".as_slice(), class.name.as_bytes(), b"::$", plain, b" is deprecated"].concat();
            cx.raise(Level::Deprecated, &text)?;
        }
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
    // Builtin classes have none such.
    class.decl().is_some() && class.method(lower).is_some_and(|f| f.desc().is_none())
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

/// UnexpectedValueException: serialised data end or go wrong at a place.
#[cold]
pub fn data_error(cx: &mut Cx, at: usize, len: usize) -> Stop {
    cx.throw("UnexpectedValueException", format!("Error at offset {at} of {len} bytes"))
}

/// The text of a `Serializable::unserialize`, read piece by piece.
pub struct Data<'t> {
    text: &'t [u8],
    values: Unserializer<'t>,
}

impl<'t> Data<'t> {
    pub fn new(cx: &mut Cx, text: &'t [u8]) -> Res<Data<'t>> {
        Ok(Data { text, values: Unserializer::nested(cx, text)? })
    }
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.values.at()).copied()
    }
    /// Length of the whole text.
    #[expect(clippy::len_without_is_empty, reason = "a text, not a container")]
    pub fn len(&self) -> usize {
        self.text.len()
    }
    pub fn at_end(&self) -> bool {
        self.values.at() >= self.text.len()
    }
    /// Passes over `expected`. False: it does not stand here.
    pub fn take(&mut self, expected: &[u8]) -> bool {
        let at = self.values.at();
        let there = self.text.get(at..).is_some_and(|rest| rest.starts_with(expected));
        if there {
            self.values.set_at(at + expected.len());
        }
        there
    }
    pub fn expect(&mut self, cx: &mut Cx, expected: &[u8]) -> Res<()> {
        if self.take(expected) { Ok(()) } else { Err(self.error(cx)) }
    }
    /// The value that stands here.
    pub fn value(&mut self, cx: &mut Cx) -> Res<Value> {
        match self.values.value(cx)? {
            Some(value) => Ok(value.into_deref()),
            None => Err(self.error(cx)),
        }
    }
    pub fn error(&self, cx: &mut Cx) -> Stop {
        data_error(cx, self.values.at().min(self.text.len()), self.text.len())
    }
    /// The members at the end, which are set; then the objects are woken.
    pub fn members(mut self, cx: &mut Cx, object: &PObject) -> Res<()> {
        self.expect(cx, b"m:")?;
        let members = self.value(cx)?;
        let Some(table) = members.as_array() else { return Err(self.error(cx)) };
        set_members(cx, object, table)?;
        self.finish(cx)
    }
    pub fn finish(self, cx: &mut Cx) -> Res<()> {
        self.values.finish(cx)
    }
}
