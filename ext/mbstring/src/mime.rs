//! MIME headers: `=?charset?B?…?=` and `=?charset?Q?…?=` (RFC 2047).

use crate::encoding::Encoding;
use jumbo_abi::{Cx, PStr};

/// An encoded word at the start of a text: its characters and its length.
fn encoded_word(text: &[u8]) -> Option<(Vec<u32>, usize)> {
    let rest = text.strip_prefix(b"=?")?;
    let name_end = rest.iter().position(|b| *b == b'?')?;
    let encoding = Encoding::find(&rest[..name_end])?;
    let letter = rest.get(name_end + 1)?.to_ascii_uppercase();
    if rest.get(name_end + 2) != Some(&b'?') {
        return None;
    }
    let body = &rest[name_end + 3..];
    let end = body.windows(2).position(|w| w == b"?=")?;
    let content = &body[..end];
    let bytes = match letter {
        b'B' => jumbo_ext_strings::pure::encode::base64_decode(content, false)?,
        b'Q' => quoted(content),
        _ => return None,
    };
    Some((encoding.decode(&bytes), text.len() - body.len() + end + 2))
}

/// The Q encoding: `_` is a space, `=41` a byte.
fn quoted(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let digit = |at: usize| text.get(at).and_then(|b| (*b as char).to_digit(16));
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'=', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            (b'_', ..) => {
                out.push(b' ');
                at += 1;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

pub fn mb_decode_mimeheader(cx: &mut Cx, string: &PStr) -> PStr {
    let substitute = crate::settings::substitute(cx);
    let internal = crate::settings::settings(cx).internal;
    let text = string.as_bytes();
    let mut codes: Vec<u32> = Vec::new();
    let mut at = 0;
    let mut after_word = false;
    while at < text.len() {
        // White space, folded lines included, is one space; between two encoded words it is nothing.
        let space = text[at..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
        let next = at + space;
        if let Some((word, length)) = encoded_word(&text[next..]) {
            if space > 0 && !after_word {
                codes.push(u32::from(b' '));
            }
            codes.extend(word);
            at = next + length;
            after_word = true;
            continue;
        }
        if space > 0 {
            let folded = text[at..next].iter().any(|b| matches!(b, b'\r' | b'\n'));
            if folded || after_word {
                codes.push(u32::from(b' '));
            } else {
                codes.extend(text[at..next].iter().map(|b| u32::from(*b)));
            }
            at = next;
        }
        after_word = false;
        let plain = text[at..].iter().skip(1).take_while(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'=')).count() + 1;
        let end = (at + plain).min(text.len());
        codes.extend(internal.decode(&text[at..end]));
        at = end;
    }
    PStr::new(&internal.encode(&codes, substitute))
}
