//! PhpToken.

use crate::{ids, tokenizer};
use jumbo_abi::args::type_name;
use jumbo_abi::{ClassPtr, Cx, PArray, PObject, PStr, Res, Value, View};

/// Slots of the declared properties.
mod slots {
    pub const ID: u32 = 0;
    pub const TEXT: u32 = 1;
    pub const LINE: u32 = 2;
    pub const POS: u32 = 3;
}

fn fill(object: &PObject, id: i64, text: PStr, line: i64, pos: i64) {
    object.assign_slot(slots::ID, Value::from(id));
    object.assign_slot(slots::TEXT, Value::from(text));
    object.assign_slot(slots::LINE, Value::from(line));
    object.assign_slot(slots::POS, Value::from(pos));
}

pub fn tokenize(cx: &mut Cx, class: ClassPtr, code: &PStr, flags: i64) -> Res<PArray> {
    tokenizer::list(cx, code, flags, |cx, token| {
        let object = cx.new_object(class)?;
        let text = PStr::new(tokenizer::text(code, &token));
        fill(&object, ids::of(token.kind), text, i64::from(token.line), i64::from(token.span.start));
        Ok(Value::from(object))
    })
}

pub fn __construct(_cx: &mut Cx, this: &PObject, id: i64, text: &PStr, line: i64, pos: i64) {
    fill(this, id, text.clone(), line, pos);
}

/// A declared property; one that was unset is an error.
fn property(cx: &mut Cx, this: &PObject, slot: u32, name: &str) -> Res<Value> {
    let value = this.slot(slot).into_deref();
    if value.is_undef() {
        let message = format!("Typed property PhpToken::${name} must not be accessed before initialization");
        return Err(cx.throw_error(message));
    }
    Ok(value)
}

fn id(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(property(cx, this, slots::ID, "id")?.as_int().unwrap_or(0))
}

/// Whether the token is of this kind: a number or a text. `None`: the value is neither.
fn is_kind(cx: &mut Cx, this: &PObject, kind: &Value) -> Res<Option<bool>> {
    Ok(match kind.view_deref() {
        View::Int(wanted) => Some(id(cx, this)? == wanted),
        View::Str(wanted) => Some(property(cx, this, slots::TEXT, "text")?.as_str() == Some(wanted)),
        _ => None,
    })
}

pub fn is(cx: &mut Cx, this: &PObject, kind: &Value) -> Res<bool> {
    if let Some(answer) = is_kind(cx, this, kind)? {
        return Ok(answer);
    }
    let Some(kinds) = kind.deref().as_array() else {
        let given = type_name(kind);
        return Err(cx.arg_type_error(1, [b"must be of type string|int|array, ".as_slice(), &given, b" given"].concat()));
    };
    for kind in kinds.values() {
        match is_kind(cx, this, kind)? {
            Some(true) => return Ok(true),
            Some(false) => {}
            None => {
                let given = type_name(kind);
                let message = [b"must only have elements of type string|int, ".as_slice(), &given, b" given"].concat();
                return Err(cx.arg_type_error(1, message));
            }
        }
    }
    Ok(false)
}

pub fn is_ignorable(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let name = ids::name(id(cx, this)?);
    Ok(matches!(name, Some("T_WHITESPACE" | "T_COMMENT" | "T_DOC_COMMENT" | "T_OPEN_TAG")))
}

pub fn get_token_name(cx: &mut Cx, this: &PObject) -> Res<Option<PStr>> {
    let id = id(cx, this)?;
    Ok(match u8::try_from(id) {
        Ok(byte) => Some(PStr::single_byte(byte)),
        Err(_) => ids::name(id).map(|name| PStr::new(name.as_bytes())),
    })
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let text = property(cx, this, slots::TEXT, "text")?;
    cx.to_string(&text)
}
