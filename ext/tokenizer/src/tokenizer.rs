//! token_get_all, token_name.

use crate::ids;
use jumbo_abi::throwable::slots;
use jumbo_abi::{Cx, PArray, PStr, Res, Stop, Value};
use jumbo_syntax::{SyntaxError, SyntaxErrorKind, Token, tokenize, tokenize_parsed};

const TOKEN_PARSE: i64 = 1;

/// What a function makes of each token of a text. With TOKEN_PARSE it must be a valid program.
pub fn list(cx: &mut Cx, code: &PStr, flags: i64, of: impl FnMut(&mut Cx, Token) -> Res<Value>) -> Res<PArray> {
    let short_tags = cx.ini.bool("short_open_tag");
    if flags & TOKEN_PARSE == 0 {
        return collect(cx, tokenize(code.as_bytes(), short_tags), of);
    }
    match tokenize_parsed(code.as_bytes(), short_tags) {
        Ok(tokens) => collect(cx, tokens, of),
        Err(error) => Err(thrown(cx, &error)),
    }
}

fn collect(
    cx: &mut Cx,
    tokens: impl Iterator<Item = Token>,
    mut of: impl FnMut(&mut Cx, Token) -> Res<Value>,
) -> Res<PArray> {
    let mut stopped = None;
    let all = PArray::from_values(tokens.map_while(|token| {
        let value = cx.check().and_then(|()| of(cx, token));
        value.map_err(|stop| stopped = Some(stop)).ok()
    }));
    stopped.map_or(Ok(all), Err)
}

fn thrown(cx: &mut Cx, error: &SyntaxError) -> Stop {
    if error.kind == SyntaxErrorKind::Compile {
        return cx.fatal(&error.message);
    }
    let stop = cx.throw("ParseError", &error.message);
    if stop == Stop::Thrown
        && let Some(exception) = &cx.exception
    {
        exception.set_slot(slots::LINE, Value::from(i64::from(error.line)));
    }
    stop
}

/// The text of a token.
pub fn text<'a>(code: &'a PStr, token: &Token) -> &'a [u8] {
    code.as_bytes().get(token.span.start as usize..token.span.end as usize).unwrap_or_default()
}

pub fn token_get_all(cx: &mut Cx, code: &PStr, flags: i64) -> Res<PArray> {
    list(cx, code, flags, |_, token| {
        let text = Value::from(PStr::new(text(code, &token)));
        Ok(match ids::of(token.kind) {
            0..256 => text,
            id => Value::from(PArray::from_values([Value::from(id), text, Value::from(i64::from(token.line))])),
        })
    })
}

pub fn token_name(_cx: &mut Cx, id: i64) -> PStr {
    PStr::new(ids::name(id).unwrap_or("UNKNOWN").as_bytes())
}
