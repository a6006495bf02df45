//! token_get_all, token_name.

use crate::ids;
use jumbo_abi::throwable::slots;
use jumbo_abi::{Cx, PArray, PStr, Res, Stop, Value};
use jumbo_syntax::{SyntaxError, SyntaxErrorKind, Token, tokenize, tokenize_parsed};

const TOKEN_PARSE: i64 = 1;

/// Calls a function with each token of a text. With TOKEN_PARSE it must be a valid program.
pub fn for_each(cx: &mut Cx, code: &PStr, flags: i64, mut each: impl FnMut(&mut Cx, Token) -> Res<()>) -> Res<()> {
    let short_tags = cx.ini.bool("short_open_tag");
    if flags & TOKEN_PARSE == 0 {
        for token in tokenize(code.as_bytes(), short_tags) {
            cx.check()?;
            each(cx, token)?;
        }
        return Ok(());
    }
    match tokenize_parsed(code.as_bytes(), short_tags) {
        Ok(tokens) => {
            for token in tokens {
                cx.check()?;
                each(cx, token)?;
            }
            Ok(())
        }
        Err(error) => Err(thrown(cx, &error)),
    }
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
    let mut all = PArray::new();
    for_each(cx, code, flags, |_, token| {
        let text = Value::from(PStr::new(text(code, &token)));
        all.append(match ids::of(token.kind) {
            0..256 => text,
            id => Value::from(PArray::from_values([Value::from(id), text, Value::from(i64::from(token.line))])),
        });
        Ok(())
    })?;
    Ok(all)
}

pub fn token_name(_cx: &mut Cx, id: i64) -> PStr {
    PStr::new(ids::name(id).unwrap_or("UNKNOWN").as_bytes())
}
