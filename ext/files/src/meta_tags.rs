//! get_meta_tags: names and contents of a page's `<meta>`, up to the end of its head.

use crate::file::{finish, handle_of, open_argument, path_argument};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res};

/// What a page is made of here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Open,
    Close,
    Slash,
    Equals,
    Word(&'t [u8]),
    Quoted(&'t [u8]),
    Other,
}

/// The token at the start of a text, and what is behind it; white space is none.
fn token(text: &[u8]) -> Option<(Token<'_>, &[u8])> {
    let (&first, rest) = text.split_first()?;
    Some(match first {
        b'<' => (Token::Open, rest),
        b'>' => (Token::Close, rest),
        b'/' => (Token::Slash, rest),
        b'=' => (Token::Equals, rest),
        quote @ (b'"' | b'\'') => {
            // What is not closed within the tag is no string.
            let end = rest.iter().position(|byte| *byte == quote || matches!(byte, b'<' | b'>'));
            match end.filter(|end| rest[*end] == quote) {
                Some(end) => (Token::Quoted(&rest[..end]), &rest[end + 1..]),
                None => (Token::Other, rest),
            }
        }
        byte if byte.is_ascii_alphanumeric() => {
            let length = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':')).count();
            (Token::Word(&text[..length]), &text[length..])
        }
        byte if byte.is_ascii_whitespace() => return token(text.trim_ascii_start()),
        _ => (Token::Other, rest),
    })
}

/// A name as a key: lower case, characters that variables cannot have made `_`.
fn key(name: &[u8]) -> Vec<u8> {
    let change = |byte: &u8| match byte {
        b'-' | b'.' | b'\\' | b'+' | b'*' | b'?' | b'[' | b'^' | b']' | b'$' | b'(' | b')' | b' ' => b'_',
        byte => byte.to_ascii_lowercase(),
    };
    name.iter().map(change).collect()
}

fn tags(page: &[u8]) -> PArray {
    let mut found = PArray::new();
    let mut rest = page;
    // Of the tag that is being read.
    let (mut in_meta, mut name, mut content): (bool, Option<&[u8]>, Option<&[u8]>) = (false, None, None);
    while let Some((this, behind)) = token(rest) {
        rest = behind;
        match this {
            Token::Open => {
                (in_meta, name, content) = (false, None, None);
                match token(rest) {
                    Some((Token::Word(word), behind)) if word.eq_ignore_ascii_case(b"meta") => (in_meta, rest) = (true, behind),
                    Some((Token::Slash, behind)) => {
                        if let Some((Token::Word(word), _)) = token(behind)
                            && word.eq_ignore_ascii_case(b"head")
                        {
                            break;
                        }
                    }
                    _ => {}
                }
            }
            Token::Word(word) if in_meta => {
                let Some((Token::Equals, behind)) = token(rest) else { continue };
                let Some((Token::Quoted(value) | Token::Word(value), behind)) = token(behind) else { continue };
                rest = behind;
                if word.eq_ignore_ascii_case(b"name") {
                    name = Some(value);
                } else if word.eq_ignore_ascii_case(b"content") {
                    content = Some(value);
                }
            }
            Token::Close => {
                if let (true, Some(name)) = (in_meta, name) {
                    found.set_bytes(&key(name), PStr::new(content.unwrap_or_default()));
                }
                (in_meta, name, content) = (false, None, None);
            }
            _ => {}
        }
    }
    found
}

pub fn get_meta_tags(cx: &mut Cx, filename: &PStr, use_include_path: bool) -> Res<OrFalse<PArray>> {
    path_argument(cx, filename, 1)?;
    let Some(resource) = open_argument(cx, filename, 1, b"rb", use_include_path, None)? else { return Ok(OrFalse::FALSE) };
    let Some(handle) = handle_of(&resource) else { return Ok(OrFalse::FALSE) };
    let page = handle.read_all(cx, None)?.unwrap_or_else(PStr::empty);
    drop(handle);
    finish(cx, &resource)?;
    Ok(OrFalse(Some(tags(page.as_bytes()))))
}
