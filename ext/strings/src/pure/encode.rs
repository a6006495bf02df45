//! Transfer encodings: base64, hexadecimal, quoted-printable, uuencode, and Latin-1 to and from UTF-8.

use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The four digits of up to three bytes.
#[inline(always)]
pub fn base64_group(bytes: &[u8]) -> [u8; 4] {
    let letter = |bits: u32| BASE64[(bits & 63) as usize];
    let byte = |at: usize| bytes.get(at).map_or(0, |&byte| u32::from(byte));
    let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
    let padded = |at: usize, bits: u32| if at < bytes.len() { letter(bits) } else { b'=' };
    [letter(bits >> 18), letter(bits >> 12), padded(1, bits >> 6), padded(2, bits)]
}

/// base64_encode.
pub fn base64_encode(data: &[u8]) -> Result<PStr, OutOfMemory> {
    let len = data.len().div_ceil(3).saturating_mul(4);
    let mut out = PStrBuilder::with_capacity(len)?;
    out.resize(len, 0)?;
    let _ = base64_simd::STANDARD.encode(data, base64_simd::Out::from_slice(out.as_mut_bytes()));
    Ok(out.finish())
}

const OTHER: u8 = 0xff;
const SPACE: u8 = 0xfe;

const BASE64_VALUES: [u8; 256] = {
    let mut values = [OTHER; 256];
    let mut index = 0;
    while index < 64 {
        values[BASE64[index as usize] as usize] = index;
        index += 1;
    }
    values[b' ' as usize] = SPACE;
    values[b'\t' as usize] = SPACE;
    values[b'\r' as usize] = SPACE;
    values[b'\n' as usize] = SPACE;
    values
};

/// base64_decode. Lenient decoding passes over what is no letter; strict decoding allows white space only, and
/// padding only where it belongs. `None` for false.
pub fn base64_decode(text: &[u8], strict: bool) -> Result<Option<PStr>, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len() / 4 * 3 + 3)?;
    // What is as it should be.
    out.resize(text.len() / 4 * 3, 0)?;
    if let Ok(decoded) = base64_simd::STANDARD.decode(text, base64_simd::Out::from_slice(out.as_mut_bytes())) {
        let len = decoded.len();
        out.truncate(len);
        return Ok(Some(out.finish()));
    }
    out.clear();
    let mut bits = 0u32;
    let mut letters = 0usize;
    let mut padding = 0usize;
    for &byte in text {
        if byte == b'=' {
            padding += 1;
            continue;
        }
        let value = BASE64_VALUES[usize::from(byte)];
        if value >= 64 {
            if strict && value == OTHER {
                return Ok(None);
            }
            continue;
        }
        if strict && padding > 0 {
            return Ok(None);
        }
        bits = bits << 6 | u32::from(value);
        letters += 1;
        if letters.is_multiple_of(4) {
            out.extend(&bits.to_be_bytes()[1..])?;
            bits = 0;
        }
    }
    // A last letter alone holds no whole byte.
    if strict
        && (letters % 4 == 1
            || padding > 0 && (padding > 2 || !(letters + padding).is_multiple_of(4)))
    {
        return Ok(None);
    }
    match letters % 4 {
        2 => out.push((bits >> 4) as u8)?,
        3 => out.extend(&((bits >> 2) as u16).to_be_bytes())?,
        _ => {}
    }
    Ok(Some(out.finish()))
}

/// bin2hex.
pub fn hex_encode(data: &[u8]) -> Result<PStr, OutOfMemory> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = PStrBuilder::with_capacity(data.len().saturating_mul(2))?;
    for byte in data {
        out.extend(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]])?;
    }
    Ok(out.finish())
}

/// Why hex2bin returns false; the text of its warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HexError {
    OddLength,
    NotHexadecimal,
}

impl HexError {
    pub fn message(self) -> &'static str {
        match self {
            HexError::OddLength => "Hexadecimal input string must have an even length",
            HexError::NotHexadecimal => "Input string must be hexadecimal string",
        }
    }
}

/// hex2bin.
pub fn hex_decode(text: &[u8]) -> Result<Result<PStr, HexError>, OutOfMemory> {
    let (pairs, []) = text.as_chunks::<2>() else {
        return Ok(Err(HexError::OddLength));
    };
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let mut out = PStrBuilder::with_capacity(pairs.len())?;
    for &[high, low] in pairs {
        let (Some(high), Some(low)) = (digit(high), digit(low)) else { return Ok(Err(HexError::NotHexadecimal)) };
        out.push(high << 4 | low)?;
    }
    Ok(Ok(out.finish()))
}

/// Longest line of quoted-printable text.
const QUOTED_LINE_MAX: usize = 75;

/// quoted_printable_encode.
pub fn quoted_printable_encode(text: &[u8]) -> Result<PStr, OutOfMemory> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = PStrBuilder::with_capacity(text.len() + text.len() / 8)?;
    let mut column = 0;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte == b'\r' && text.get(at) == Some(&b'\n') {
            out.extend(b"\r\n")?;
            at += 1;
            column = 0;
            continue;
        }
        let is_last_of_line = text.get(at) == Some(&b'\r');
        let plain =
            (b' '..0x7f).contains(&byte) && byte != b'=' && !(byte == b' ' && is_last_of_line);
        if plain {
            if column >= QUOTED_LINE_MAX {
                out.extend(b"=\r\n")?;
                column = 0;
            }
            column += 1;
            out.push(byte)?;
        } else {
            // The bytes of one UTF-8 character are to stay on one line, but PHP counts trailing bytes as if they
            // led a character of two, and breaks at nothing that leads none.
            let needed = match byte {
                0..=0x7f => 3,
                0x80..=0xdf => 6,
                0xe0..=0xef => 9,
                0xf0..=0xf4 => 12,
                0xf5..=0xff => 0,
            };
            if needed > 0 && column + needed > QUOTED_LINE_MAX {
                out.extend(b"=\r\n")?;
                column = 0;
            }
            column += 3;
            out.extend(&[
                b'=',
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ])?;
        }
    }
    Ok(out.finish())
}

/// quoted_printable_decode.
pub fn quoted_printable_decode(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len())?;
    let mut at = 0;
    let digit = |at: usize| text.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    while let Some(&byte) = text.get(at) {
        at += 1;
        if byte != b'=' {
            out.push(byte)?;
            continue;
        }
        if let (Some(high), Some(low)) = (digit(at), digit(at + 1)) {
            out.push((high << 4 | low) as u8)?;
            at += 2;
            continue;
        }
        // A soft line break may have blanks before it.
        let blanks = text[at..]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        match text[at + blanks..] {
            [] => at += blanks,
            [b'\r', b'\n', ..] => at += blanks + 2,
            [b'\r' | b'\n', ..] => at += blanks + 1,
            _ => out.push(b'=')?,
        }
    }
    Ok(out.finish())
}

/// convert_uuencode. `text` is not empty.
pub fn uuencode(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let letter = |bits: u8| {
        if bits & 63 == 0 {
            b'`'
        } else {
            (bits & 63) + b' '
        }
    };
    let mut out = PStrBuilder::with_capacity(text.len() * 4 / 3 + text.len() / 45 * 2 + 8)?;
    for line in text.chunks(45) {
        out.push(letter(line.len() as u8))?;
        for group in line.chunks(3) {
            let byte = |index: usize| group.get(index).copied().unwrap_or(0);
            let (a, b, c) = (byte(0), byte(1), byte(2));
            out.extend(&[
                letter(a >> 2),
                letter(a << 4 | b >> 4),
                letter(b << 2 | c >> 6),
                letter(c),
            ])?;
        }
        out.push(b'\n')?;
    }
    out.extend(b"`\n")?;
    Ok(out.finish())
}

/// convert_uudecode. `None` when the text is not uuencoded (PHP warns "Argument #1 ($data) is not a valid uuencoded
/// string" and returns false).
pub fn uudecode(text: &[u8]) -> Result<Option<PStr>, OutOfMemory> {
    let value = |byte: u8| byte.wrapping_sub(b' ') & 63;
    let mut out = PStrBuilder::with_capacity(text.len() * 3 / 4)?;
    let mut rest = text;
    while let [length, tail @ ..] = rest {
        let length = usize::from(value(*length));
        if length == 0 {
            break;
        }
        let letters = length.div_ceil(3) * 4;
        let Some(line) = tail.get(..letters) else { return Ok(None) };
        let mut left = length;
        for group in line.as_chunks::<4>().0 {
            let [a, b, c, d] = group.map(value);
            let bytes = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
            out.extend(&bytes[..left.min(3)])?;
            left = left.saturating_sub(3);
        }
        // A line that is not full is the last.
        if length < 45 {
            break;
        }
        rest = tail.get(letters + 1..).unwrap_or_default();
    }
    Ok(Some(out.finish()))
}

/// utf8_encode: Latin-1 to UTF-8.
pub fn latin1_to_utf8(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len() + text.len() / 4)?;
    for &byte in text {
        if byte < 0x80 {
            out.push(byte)?;
        } else {
            out.extend(&[0xc0 | byte >> 6, 0x80 | byte & 0x3f])?;
        }
    }
    Ok(out.finish())
}

/// utf8_decode: UTF-8 to Latin-1, with `?` for what Latin-1 does not have and for what is not UTF-8.
pub fn utf8_to_latin1(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len())?;
    let mut rest = text;
    while !rest.is_empty() {
        let (code, length) = super::html::next_utf8(rest);
        out.push(
            code.and_then(|code| u8::try_from(code).ok())
                .unwrap_or(b'?'),
        )?;
        rest = &rest[length..];
    }
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    #[test]
    fn encodes_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/encode.tsv")) {
            let [kind, text, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = match &kind[..] {
                b"base64_encode" => base64_encode(text)?,
                b"base64_decode" => base64_decode(text, false)?.unwrap_or_else(|| PStr::new(b"false")),
                b"base64_strict" => base64_decode(text, true)?.unwrap_or_else(|| PStr::new(b"false")),
                b"qp_encode" => quoted_printable_encode(text)?,
                b"qp_decode" => quoted_printable_decode(text)?,
                b"uuencode" => uuencode(text)?,
                b"uudecode" => uudecode(text)?.unwrap_or_else(|| PStr::new(b"false")),
                b"utf8_encode" => latin1_to_utf8(text)?,
                b"utf8_decode" => utf8_to_latin1(text)?,
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

    #[test]
    fn hexadecimal() -> Result<(), OutOfMemory> {
        assert_eq!(hex_encode(b"\0\xffA")?, b"00ff41");
        assert_eq!(hex_decode(b"00fF41")?, Ok(PStr::new(b"\0\xffA")));
        assert_eq!(hex_decode(b"0")?, Err(HexError::OddLength));
        assert_eq!(hex_decode(b"0g")?, Err(HexError::NotHexadecimal));
        Ok(())
    }
}
