//! Backslashes and shell quoting: addslashes, addcslashes, stripslashes, stripcslashes, quotemeta, escapeshellarg.

use super::charlist::ByteSet;
use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

/// addslashes. `None` when nothing needs one.
pub fn add_slashes(text: &[u8]) -> Result<Option<PStr>, OutOfMemory> {
    let needs = |byte: &u8| matches!(byte, b'\'' | b'"' | b'\\' | 0);
    let Some(first) = text.iter().position(needs) else { return Ok(None) };
    let mut out = PStrBuilder::with_capacity(text.len() + 8)?;
    out.extend(&text[..first])?;
    for &byte in &text[first..] {
        if needs(&byte) {
            out.push(b'\\')?;
        }
        out.push(if byte == 0 { b'0' } else { byte })?;
    }
    Ok(Some(out.finish()))
}

/// stripslashes. `None` when there are none.
pub fn strip_slashes(text: &[u8]) -> Result<Option<PStr>, OutOfMemory> {
    let Some(first) = memchr::memchr(b'\\', text) else { return Ok(None) };
    let mut out = PStrBuilder::with_capacity(text.len())?;
    out.extend(&text[..first])?;
    let mut rest = text[first..].iter();
    while let Some(&byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte)?;
        } else if let Some(&escaped) = rest.next() {
            out.push(if escaped == b'0' { 0 } else { escaped })?;
        }
    }
    Ok(Some(out.finish()))
}

/// addcslashes: the bytes of `set`, those that are not printable in C's notation.
pub fn add_c_slashes(text: &[u8], set: &ByteSet) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len() + 8)?;
    for &byte in text {
        if !set.contains(byte) {
            out.push(byte)?;
            continue;
        }
        out.push(b'\\')?;
        match byte {
            b'\n' => out.push(b'n')?,
            b'\t' => out.push(b't')?,
            b'\r' => out.push(b'r')?,
            0x07 => out.push(b'a')?,
            0x0b => out.push(b'v')?,
            0x08 => out.push(b'b')?,
            0x0c => out.push(b'f')?,
            32..=126 => out.push(byte)?,
            _ => write!(out, "{byte:03o}")?,
        }
    }
    Ok(out.finish())
}

/// stripcslashes.
pub fn strip_c_slashes(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len())?;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'\\' || at == text.len() {
            out.push(byte)?;
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
            b'n' => out.push(b'\n')?,
            b't' => out.push(b'\t')?,
            b'r' => out.push(b'\r')?,
            b'a' => out.push(0x07)?,
            b'v' => out.push(0x0b)?,
            b'b' => out.push(0x08)?,
            b'f' => out.push(0x0c)?,
            b'x' if text.get(at).is_some_and(u8::is_ascii_hexdigit) => {
                out.push(number(&mut at, 16, 2))?
            }
            b'0'..=b'7' => {
                at -= 1;
                out.push(number(&mut at, 8, 3))?;
            }
            other => out.push(other)?,
        }
    }
    Ok(out.finish())
}

/// quotemeta. PHP returns an empty string for an empty one.
pub fn quote_meta(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len() * 2)?;
    for &byte in text {
        if matches!(
            byte,
            b'.' | b'\\' | b'+' | b'*' | b'?' | b'[' | b'^' | b']' | b'$' | b'(' | b')'
        ) {
            out.push(b'\\')?;
        }
        out.push(byte)?;
    }
    Ok(out.finish())
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
pub fn shell_argument(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len() + 2)?;
    out.push(b'\'')?;
    let mut rest = text;
    while !rest.is_empty() {
        let length = char_len(rest);
        let (head, tail) = rest.split_at(length.unwrap_or(1));
        match (length, head) {
            (None, _) => {}
            (_, b"'") => out.extend(b"'\\''")?,
            _ => out.extend(head)?,
        }
        rest = tail;
    }
    out.push(b'\'')?;
    Ok(out.finish())
}

/// escapeshellcmd.
pub fn shell_command(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len() + 8)?;
    // The quote that was opened and has a partner.
    let mut open = None;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let Some(length) = char_len(&text[at..]) else {
            at += 1;
            continue;
        };
        if length > 1 {
            out.extend(&text[at..at + length])?;
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
                    out.push(b'\\')?;
                }
            }
            b'#' | b'&' | b';' | b'`' | b'|' | b'*' | b'?' | b'~' | b'<' | b'>' | b'^' | b'('
            | b')' | b'[' | b']' | b'{' | b'}' | b'$' | b'\\' | b'\n' => out.push(b'\\')?,
            _ => {}
        }
        out.push(byte)?;
        at += 1;
    }
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::charlist;
    use crate::pure::testdata::{Samples, rows, show};

    #[test]
    fn escapes_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/escape.tsv")) {
            let [kind, text, extra, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = match &kind[..] {
                b"addslashes" => add_slashes(text)?.unwrap_or_else(|| PStr::new(text)),
                b"stripslashes" => strip_slashes(text)?.unwrap_or_else(|| PStr::new(text)),
                b"addcslashes" => add_c_slashes(text, &charlist::parse(extra).0)?,
                b"stripcslashes" => strip_c_slashes(text)?,
                b"quotemeta" => quote_meta(text)?,
                b"escapeshellarg" => shell_argument(text)?,
                b"escapeshellcmd" => shell_command(text)?,
                other => panic!("unknown kind {}", show(other)),
            };
            samples.check(
                show(&found),
                show(expected),
                format!("{} {}", show(kind), show(text)),
            );
        }
        Ok(())
    }
}
