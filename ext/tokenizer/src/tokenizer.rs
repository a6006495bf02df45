//! token_get_all, token_name.

use crate::ids;
use jumbo_abi::throwable::slots;
use jumbo_abi::{Cx, PArray, PStr, Res, Stop, Value};
use jumbo_syntax::{SyntaxErrorKind, Token, tokenize, tokenize_parsed};

const TOKEN_PARSE: i64 = 1;

/// The tokens of a text. With TOKEN_PARSE it must be a valid program.
pub fn tokens(cx: &mut Cx, code: &PStr, flags: i64) -> Res<Vec<Token>> {
    if flags & TOKEN_PARSE == 0 {
        return Ok(tokenize(code.as_bytes(), cx.ini.bool("short_open_tag")));
    }
    let error = match tokenize_parsed(code.as_bytes(), cx.ini.bool("short_open_tag")) {
        Ok(tokens) => return Ok(tokens),
        Err(error) => error,
    };
    if error.kind == SyntaxErrorKind::Compile {
        return Err(cx.fatal(&error.message));
    }
    let stop = cx.throw("ParseError", &error.message);
    if stop == Stop::Thrown
        && let Some(exception) = &cx.exception
    {
        exception.set_slot(slots::LINE, Value::from(i64::from(error.line)));
    }
    Err(stop)
}

/// The text of a token.
pub fn text<'a>(code: &'a PStr, token: &Token) -> &'a [u8] {
    code.as_bytes().get(token.span.start as usize..token.span.end as usize).unwrap_or_default()
}

pub fn token_get_all(cx: &mut Cx, code: &PStr, flags: i64) -> Res<PArray> {
    let tokens = tokens(cx, code, flags)?;
    Ok(PArray::from_values(tokens.iter().map(|token| {
        let text = Value::from(PStr::new(text(code, token)));
        match ids::of(token.kind) {
            0..256 => text,
            id => Value::from(PArray::from_values([Value::from(id), text, Value::from(i64::from(token.line))])),
        }
    })))
}

pub fn token_name(_cx: &mut Cx, id: i64) -> PStr {
    PStr::new(ids::name(id).unwrap_or("UNKNOWN").as_bytes())
}
