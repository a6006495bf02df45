//! The values of literals: numbers, escapes in strings, heredoc indentation.
//!
//! Everything works on bytes and borrows from the source when nothing had to be replaced.

use bumpalo::Bump;
use bumpalo::collections::Vec as ArenaVec;
use memchr::memchr;

/// An integer or, when it does not fit, a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i64),
    Float(f64),
}

/// The value of a number token, integer or float.
pub fn number(text: &[u8]) -> Number {
    let prefixed = matches!(text, [b'0', b'x' | b'X' | b'b' | b'B' | b'o' | b'O', ..]);
    if !prefixed && text.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return Number::Float(float(text));
    }
    integer(text)
}

/// The value of an integer token (decimal, hexadecimal, octal, binary, with underscores).
pub fn integer(text: &[u8]) -> Number {
    let (radix, digits) = match text {
        [b'0', b'x' | b'X', rest @ ..] => (16, rest),
        [b'0', b'b' | b'B', rest @ ..] => (2, rest),
        [b'0', b'o' | b'O', rest @ ..] => (8, rest),
        [b'0', rest @ ..] if !rest.is_empty() => (8, rest),
        _ => (10, text),
    };
    let mut value: i64 = 0;
    for &byte in digits {
        if byte == b'_' {
            continue;
        }
        let digit = (byte as char).to_digit(radix).unwrap_or(0);
        let next = value.checked_mul(radix as i64).and_then(|v| v.checked_add(digit as i64));
        match next {
            Some(next) => value = next,
            None if radix == 10 => return Number::Float(float(text)),
            None => return Number::Float(radix_float(digits, radix)),
        }
    }
    Number::Int(value)
}

/// Overflowing hexadecimal, octal and binary literals: PHP sums them up in a float too, rounding at each digit, and at octal and binary
/// ones between adding the character and subtracting `0`.
fn radix_float(digits: &[u8], radix: u32) -> f64 {
    let digits = digits.iter().filter(|&&byte| byte != b'_');
    if radix == 16 {
        return digits.fold(0.0, |value, &byte| value * 16.0 + f64::from((byte as char).to_digit(16).unwrap_or(0)));
    }
    digits.fold(0.0, |value, &byte| value * f64::from(radix) + f64::from(byte) - f64::from(b'0'))
}

/// The value of a decimal float token; underscores allowed.
pub fn float(text: &[u8]) -> f64 {
    let clean: String = text.iter().filter(|&&byte| byte != b'_').map(|&byte| byte as char).collect();
    // The lexer only makes tokens that `f64` understands, the forms `1.` and `.5` included.
    clean.parse().unwrap_or(0.0)
}

/// The content of `'...'`: only `\\` and `\'` are escapes.
pub fn single_quoted<'a>(arena: &'a Bump, raw: &'a [u8]) -> &'a [u8] {
    if memchr(b'\\', raw).is_none() {
        return raw;
    }
    let mut out = ArenaVec::with_capacity_in(raw.len(), arena);
    let mut bytes = raw.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(&next @ (b'\\' | b'\''))) => {
                out.push(next);
                bytes.next();
            }
            _ => out.push(byte),
        }
    }
    out.into_bump_slice()
}

/// Why an escape is refused, and where in the raw text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EscapeError {
    pub message: &'static str,
    pub offset: usize,
}

/// The content of a double-quoted string, backquotes or a heredoc; `quote` (0 for heredocs) can be escaped. Where an octal
/// escape does not fit a byte is added to `overflows`.
pub fn double_quoted<'a>(
    arena: &'a Bump,
    raw: &'a [u8],
    quote: u8,
    overflows: &mut Vec<usize>,
) -> Result<&'a [u8], EscapeError> {
    let Some(first) = memchr(b'\\', raw) else { return Ok(raw) };
    let mut out = ArenaVec::with_capacity_in(raw.len(), arena);
    out.extend_from_slice_copy(&raw[..first]);
    let mut at = first;
    while let Some(&byte) = raw.get(at) {
        let next = match raw.get(at + 1) {
            Some(&next) if byte == b'\\' => next,
            _ => {
                out.push(byte);
                at += 1;
                continue;
            }
        };
        let plain = match next {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'f' => 0x0c,
            b'e' => 0x1b,
            b'v' => 0x0b,
            b'\\' | b'$' => next,
            _ if next == quote && quote != 0 => next,
            b'x' | b'X' if raw.get(at + 2).is_some_and(u8::is_ascii_hexdigit) => {
                let digits = raw[at + 2..].iter().take(2).take_while(|byte| byte.is_ascii_hexdigit());
                let mut value = 0u8;
                let mut len = 0;
                for &digit in digits {
                    value = (value << 4) | (digit as char).to_digit(16).unwrap_or(0) as u8;
                    len += 1;
                }
                out.push(value);
                at += 2 + len;
                continue;
            }
            b'0'..=b'7' => {
                let digits = raw[at + 1..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7'));
                let mut value = 0u32;
                let mut len = 0;
                for &digit in digits {
                    value = value * 8 + (digit - b'0') as u32;
                    len += 1;
                }
                if value > 0xff {
                    overflows.push(at);
                }
                out.push(value as u8);
                at += 1 + len;
                continue;
            }
            b'u' if raw.get(at + 2) == Some(&b'{') => {
                at = unicode_escape(raw, at, &mut out)?;
                continue;
            }
            _ => {
                out.extend_from_slice_copy(&[b'\\', next]);
                at += 2;
                continue;
            }
        };
        out.push(plain);
        at += 2;
    }
    Ok(out.into_bump_slice())
}

/// `\u{...}` at `at`: appends its UTF-8 (surrogates too, as PHP does) and returns where it ends.
fn unicode_escape(raw: &[u8], at: usize, out: &mut ArenaVec<'_, u8>) -> Result<usize, EscapeError> {
    let invalid = EscapeError { message: "Invalid UTF-8 codepoint escape sequence", offset: at };
    let digits_start = at + 3;
    let len = raw[digits_start..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    if len == 0 || raw.get(digits_start + len) != Some(&b'}') {
        return Err(invalid);
    }
    let mut code = 0u32;
    for &digit in &raw[digits_start..digits_start + len] {
        code = code.saturating_mul(16).saturating_add((digit as char).to_digit(16).unwrap_or(0));
    }
    if code > 0x10_ffff {
        return Err(EscapeError { message: "Invalid UTF-8 codepoint escape sequence: Codepoint too large", offset: at });
    }
    let low = |shift: u32| 0x80 | ((code >> shift) & 0x3f) as u8;
    match code {
        0..0x80 => out.push(code as u8),
        0x80..0x800 => out.extend_from_slice_copy(&[0xc0 | (code >> 6) as u8, low(0)]),
        0x800..0x1_0000 => out.extend_from_slice_copy(&[0xe0 | (code >> 12) as u8, low(6), low(0)]),
        _ => out.extend_from_slice_copy(&[0xf0 | (code >> 18) as u8, low(12), low(6), low(0)]),
    }
    Ok(digits_start + len + 1)
}

/// The indentation of a heredoc's closing label.
#[derive(Clone, Copy, Debug)]
pub struct Indentation {
    pub width: usize,
    pub tabs: bool,
}

/// Removes the indentation from each line of one literal part of a heredoc.
///
/// `at_line_start` says whether the part begins a line, `before_expr` whether an interpolation follows it. An error
/// carries the offset of the offending line in the part.
pub fn dedent<'a>(
    arena: &'a Bump,
    raw: &'a [u8],
    indentation: Indentation,
    at_line_start: bool,
    before_expr: bool,
) -> Result<&'a [u8], (String, usize)> {
    if indentation.width == 0 {
        return Ok(raw);
    }
    let mut out = ArenaVec::with_capacity_in(raw.len(), arena);
    let mut line_start = at_line_start;
    let mut at = 0;
    while at < raw.len() {
        if line_start {
            let mut skipped = 0;
            while skipped < indentation.width {
                match raw.get(at) {
                    Some(b' ') if !indentation.tabs => {}
                    Some(b'\t') if indentation.tabs => {}
                    Some(b' ' | b'\t') => {
                        return Err(("Invalid indentation - tabs and spaces cannot be mixed".into(), at));
                    }
                    // A line of white space need not be indented in full.
                    Some(b'\n' | b'\r') => break,
                    None if !before_expr => break,
                    _ => return Err((indentation_error(indentation.width), at)),
                }
                at += 1;
                skipped += 1;
            }
        }
        let end = raw[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(raw.len(), |len| {
            at + len + 1 + (raw[at + len] == b'\r' && raw.get(at + len + 1) == Some(&b'\n')) as usize
        });
        out.extend_from_slice_copy(&raw[at..end]);
        at = end;
        line_start = true;
    }
    Ok(out.into_bump_slice())
}

/// PHP's message for a line with too little indentation.
pub fn indentation_error(width: usize) -> String {
    format!("Invalid body indentation level (expecting an indentation level of at least {width})")
}

/// A float as PHP prints it with a `precision` of that many significant digits; 17 stands for the shortest text that
/// reads back as the same value.
pub fn float_text(value: f64, precision: usize) -> String {
    if !value.is_finite() {
        return if value.is_nan() { "NAN" } else if value > 0.0 { "INF" } else { "-INF" }.into();
    }
    let scientific = if precision == 17 { format!("{value:e}") } else { format!("{value:.*e}", precision - 1) };
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if mantissa.starts_with('-') { "-" } else { "" };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_end_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    let limit = if precision == 17 { 15 } else { precision as i32 };
    if exponent < -4 || exponent >= limit {
        let fraction = if digits.len() > 1 { &digits[1..] } else { "0" };
        return format!("{sign}{}.{fraction}E{}{}", &digits[..1], if exponent < 0 { '-' } else { '+' }, exponent.abs());
    }
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1));
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        return format!("{sign}{digits}{}", "0".repeat(whole - digits.len()));
    }
    format!("{sign}{}.{}", &digits[..whole], &digits[whole..])
}
