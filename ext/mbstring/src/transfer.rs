//! Base64, quoted-printable, uuencode and HTML entities, which mbstring has among its encodings.

use crate::encoding::{BAD, Encoding};
use jumbo_ext_strings::pure::encode;
use jumbo_ext_strings::pure::html::{self, Charset, Flags};
use std::collections::HashMap;
use std::sync::LazyLock;

/// Characters in a line of base64.
const BASE64_LINE: usize = 76;

pub fn base64_encode(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len() / 2 * 3);
    for (n, line) in data.chunks(BASE64_LINE / 4 * 3).enumerate() {
        if n > 0 {
            out.extend_from_slice(b"\r\n");
        }
        out.extend(line.chunks(3).flat_map(encode::base64_group));
    }
    out
}

pub fn base64_decode(text: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    // Whatever is no digit is passed over, and bits that make no whole byte are dropped.
    let (mut out, mut bits, mut count) = (Vec::with_capacity(text.len() / 4 * 3), 0u32, 0);
    for value in text.iter().take_while(|byte| **byte != b'=').filter_map(|byte| digit(*byte)) {
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    out
}

/// Columns of a line of quoted-printable text before it is broken.
const QUOTED_LINE: usize = 72;

pub fn quoted_encode(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let mut column = 0;
    let mut bytes = data.iter().peekable();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\n' | b'\r' => {
                out.extend_from_slice(b"\r\n");
                if byte == b'\r' && bytes.peek() == Some(&&b'\n') {
                    bytes.next();
                }
                column = 0;
                continue;
            }
            _ if column >= QUOTED_LINE => {
                out.extend_from_slice(b"=\r\n");
                column = 0;
            }
            _ => {}
        }
        if byte >= 0x80 || byte == b'=' {
            out.extend_from_slice(format!("={byte:02X}").as_bytes());
            column += 3;
        } else {
            out.push(byte);
            column += 1;
        }
    }
    out
}

pub fn quoted_decode(text: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'=' {
            out.push(byte);
            continue;
        }
        match rest {
            [b'\r', b'\n', tail @ ..] | [b'\r' | b'\n', tail @ ..] => rest = tail,
            [high, low, tail @ ..] if digit(*high).is_some() => {
                match (digit(*high), digit(*low)) {
                    (Some(high), Some(low)) => out.push(high << 4 | low),
                    _ => out.extend_from_slice(&[b'=', *high, *low]),
                }
                rest = tail;
            }
            [other, tail @ ..] => {
                out.extend_from_slice(&[b'=', *other]);
                rest = tail;
            }
            [] => {}
        }
    }
    out
}

/// Bytes in a line of uuencoded text.
const UU_LINE: usize = 45;

pub fn uuencode(data: &[u8]) -> Vec<u8> {
    let digit = |bits: u8| if bits == 0 { b'`' } else { bits + 0x20 };
    let mut out = Vec::new();
    if data.is_empty() {
        return out;
    }
    out.extend_from_slice(b"begin 0644 filename\n");
    for line in data.chunks(UU_LINE) {
        out.push(digit(line.len() as u8));
        for part in line.chunks(3) {
            let mut three = [0; 3];
            three[..part.len()].copy_from_slice(part);
            let [a, b, c] = three;
            out.extend([a >> 2, (a << 4 | b >> 4) & 63, (b << 2 | c >> 6) & 63, c & 63].map(digit));
        }
        out.push(b'\n');
    }
    out
}

pub fn uudecode(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    // What comes before a line that begins with "begin " is not part of it.
    let starts = |line: &&[u8]| line.starts_with(b"begin ");
    let lines = text.split(|&byte| byte == b'\n').skip_while(|line| !starts(line)).skip(1);
    for line in lines {
        let Some((&count, digits)) = line.split_first() else { break };
        let mut left = usize::from(count.wrapping_sub(0x20) & 63);
        if left == 0 {
            break;
        }
        for four in digits.chunks(4) {
            let bits = |index: usize| four.get(index).map_or(0, |byte| byte.wrapping_sub(0x20) & 63);
            let (a, b, c, d) = (bits(0), bits(1), bits(2), bits(3));
            for byte in [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d] {
                if left > 0 {
                    out.push(byte);
                    left -= 1;
                }
            }
        }
    }
    out
}

/// Entities of HTML 4.01: names by code point, without those of ASCII.
static NAMES: LazyLock<HashMap<u32, Vec<u8>>> = LazyLock::new(|| {
    html::translation_table(Flags(Flags::QUOTES), Charset::Utf8, true)
        .into_iter()
        .filter_map(|(character, entity)| match Encoding::utf8().decode(&character).as_slice() {
            [code] if *code > 0x7f => Some((*code, entity)),
            _ => None,
        })
        .collect()
});

static CODES: LazyLock<HashMap<&'static [u8], u32>> = LazyLock::new(|| {
    let mut codes: HashMap<&'static [u8], u32> = NAMES.iter().map(|(code, name)| (name.as_slice(), *code)).collect();
    codes.extend([(b"&lt;".as_slice(), 0x3c), (b"&gt;", 0x3e), (b"&amp;", 0x26), (b"&quot;", 0x22)]);
    codes
});

pub fn html_encode(code: u32, out: &mut Vec<u8>) {
    match u8::try_from(code) {
        Ok(byte @ 0..0x80) => out.push(byte),
        _ => match NAMES.get(&code) {
            Some(entity) => out.extend_from_slice(entity),
            None => out.extend_from_slice(format!("&#{code};").as_bytes()),
        },
    }
}

/// The longest entity that is looked for.
const ENTITY_MAX: usize = 16;

fn entity(text: &[u8]) -> Option<(u32, usize)> {
    let end = text.iter().take(ENTITY_MAX).position(|&byte| byte == b';')?;
    let whole = &text[..=end];
    let code = match &text[1..end] {
        [b'#', b'x' | b'X', digits @ ..] => number(digits, 16)?,
        [b'#', digits @ ..] => number(digits, 10)?,
        _ => *CODES.get(whole)?,
    };
    Some((code, end + 1))
}

fn number(digits: &[u8], base: u32) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    let step = |number: u32, &byte: &u8| {
        let number = number * base + (byte as char).to_digit(base)?;
        (number <= 0x10_ffff).then_some(number)
    };
    digits.iter().try_fold(0, step)
}

pub fn html_decode(text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        match if byte == b'&' { entity(rest) } else { None } {
            Some((code, length)) => {
                codes.push(if code > 0x10_ffff { BAD } else { code });
                rest = &rest[length..];
            }
            None => {
                codes.push(u32::from(byte));
                rest = tail;
            }
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_as_php() {
        assert_eq!(uuencode(b"\0abc"), b"begin 0644 filename\n$`&%B8P``\n");
        assert_eq!(uudecode(b"foo\nbegin 0644 x\n!80``\n#86)C\n"), b"aabc");
        assert_eq!(quoted_decode(b"=41=\r\nb=e9"), b"Ab\xe9");
        assert_eq!(base64_encode(&[b'x'; 58]).len(), 80 + 2);
        assert_eq!(html_decode(b"&eacute;&#65;&#x42;&apos;"), [0xe9, 0x41, 0x42, 0x26, 0x61, 0x70, 0x6f, 0x73, 0x3b]);
    }
}
