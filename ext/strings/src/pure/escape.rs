//! Backslashes and shell quoting: addslashes, addcslashes, stripslashes, stripcslashes, quotemeta, escapeshellarg.

use super::charlist::ByteSet;

/// addslashes. `None` when nothing needs one.
pub fn add_slashes(text: &[u8]) -> Option<Vec<u8>> {
    let needs = |byte: &u8| matches!(byte, b'\'' | b'"' | b'\\' | 0);
    let first = text.iter().position(needs)?;
    let mut out = Vec::with_capacity(text.len() + 8);
    out.extend_from_slice(&text[..first]);
    for &byte in &text[first..] {
        if needs(&byte) {
            out.push(b'\\');
        }
        out.push(if byte == 0 { b'0' } else { byte });
    }
    Some(out)
}

/// stripslashes. `None` when there are none.
pub fn strip_slashes(text: &[u8]) -> Option<Vec<u8>> {
    let first = memchr::memchr(b'\\', text)?;
    let mut out = Vec::with_capacity(text.len());
    out.extend_from_slice(&text[..first]);
    let mut rest = text[first..].iter();
    while let Some(&byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
        } else if let Some(&escaped) = rest.next() {
            out.push(if escaped == b'0' { 0 } else { escaped });
        }
    }
    Some(out)
}

/// addcslashes: the bytes of `set`, those that are not printable in C's notation.
pub fn add_c_slashes(text: &[u8], set: &ByteSet) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 8);
    for &byte in text {
        if !set.contains(byte) {
            out.push(byte);
            continue;
        }
        out.push(b'\\');
        match byte {
            b'\n' => out.push(b'n'),
            b'\t' => out.push(b't'),
            b'\r' => out.push(b'r'),
            0x07 => out.push(b'a'),
            0x0b => out.push(b'v'),
            0x08 => out.push(b'b'),
            0x0c => out.push(b'f'),
            32..=126 => out.push(byte),
            _ => out.extend_from_slice(format!("{byte:03o}").as_bytes()),
        }
    }
    out
}

/// stripcslashes.
pub fn strip_c_slashes(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'\\' || at == text.len() {
            out.push(byte);
            continue;
        }
        let escaped = text[at];
        at += 1;
        let number = |at: &mut usize, radix: u32, digits_max: usize| {
            let mut value = 0u32;
            for _ in 0..digits_max {
                let Some(digit) = text
                    .get(*at)
                    .and_then(|&byte| char::from(byte).to_digit(radix))
                else {
                    break;
                };
                value = value * radix + digit;
                *at += 1;
            }
            value.to_le_bytes()[0]
        };
        match escaped {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(0x07),
            b'v' => out.push(0x0b),
            b'b' => out.push(0x08),
            b'f' => out.push(0x0c),
            b'x' if text.get(at).is_some_and(u8::is_ascii_hexdigit) => {
                out.push(number(&mut at, 16, 2))
            }
            b'0'..=b'7' => {
                at -= 1;
                out.push(number(&mut at, 8, 3));
            }
            other => out.push(other),
        }
    }
    out
}

/// quotemeta. PHP returns an empty string for an empty one.
pub fn quote_meta(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 2);
    for &byte in text {
        if matches!(
            byte,
            b'.' | b'\\' | b'+' | b'*' | b'?' | b'[' | b'^' | b']' | b'$' | b'(' | b')'
        ) {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out
}

/// How many bytes of `text` are one character of the C locale's UTF-8 reading; `None` when they are none.
fn char_len(text: &[u8]) -> Option<usize> {
    let length = match text.first()? {
        0..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return None,
    };
    std::str::from_utf8(text.get(..length)?)
        .ok()
        .map(|_| length)
}

/// escapeshellarg. The caller refuses NUL bytes. Bytes that are no character are left out, as PHP does.
pub fn shell_argument(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    out.push(b'\'');
    let mut rest = text;
    while !rest.is_empty() {
        let length = char_len(rest);
        let (head, tail) = rest.split_at(length.unwrap_or(1));
        match (length, head) {
            (None, _) => {}
            (_, b"'") => out.extend_from_slice(b"'\\''"),
            _ => out.extend_from_slice(head),
        }
        rest = tail;
    }
    out.push(b'\'');
    out
}

/// escapeshellcmd.
pub fn shell_command(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 8);
    // The quote that was opened and has a partner.
    let mut open = None;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let Some(length) = char_len(&text[at..]) else {
            at += 1;
            continue;
        };
        if length > 1 {
            out.extend_from_slice(&text[at..at + length]);
            at += length;
            continue;
        }
        match byte {
            b'\'' | b'"' => {
                if open == Some(byte) {
                    open = None;
                } else if open.is_none() && text[at + 1..].contains(&byte) {
                    open = Some(byte);
                } else {
                    out.push(b'\\');
                }
            }
            b'#' | b'&' | b';' | b'`' | b'|' | b'*' | b'?' | b'~' | b'<' | b'>' | b'^' | b'('
            | b')' | b'[' | b']' | b'{' | b'}' | b'$' | b'\\' | b'\n' => out.push(b'\\'),
            _ => {}
        }
        out.push(byte);
        at += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::charlist;
    use crate::pure::testdata::{Samples, rows, show};

    #[test]
    fn escapes_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/escape.tsv")) {
            let [kind, text, extra, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = match &kind[..] {
                b"addslashes" => add_slashes(text).unwrap_or_else(|| text.clone()),
                b"stripslashes" => strip_slashes(text).unwrap_or_else(|| text.clone()),
                b"addcslashes" => add_c_slashes(text, &charlist::parse(extra).0),
                b"stripcslashes" => strip_c_slashes(text),
                b"quotemeta" => quote_meta(text),
                b"escapeshellarg" => shell_argument(text),
                b"escapeshellcmd" => shell_command(text),
                other => panic!("unknown kind {}", show(other)),
            };
            samples.check(
                show(&found),
                show(expected),
                format!("{} {}", show(kind), show(text)),
            );
        }
    }
}
