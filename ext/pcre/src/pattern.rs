//! PHP's envelope around a regular expression: leading white space, delimiters, modifiers.
//!
//! The texts of [`PatternError`] are what stock PHP prints after `preg_match(): `.

use crate::sys;
use std::fmt;

/// Why a pattern could not be compiled. `Display` gives PHP's warning without the name of the function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternError {
    Empty,
    BadDelimiter,
    NoEndingDelimiter(u8),
    NoEndingMatchingDelimiter(u8),
    NulModifier,
    UnknownModifier(u8),
    Compilation { message: String, offset: usize },
}

impl PatternError {
    /// The warning as bytes: an unknown modifier need not be UTF-8.
    pub fn message(&self) -> Vec<u8> {
        let quoted = |text: &str, byte: u8, rest: &str| {
            let mut message = text.as_bytes().to_vec();
            message.extend_from_slice(&[b'\'', byte, b'\'']);
            message.extend_from_slice(rest.as_bytes());
            message
        };
        match self {
            PatternError::Empty => b"Empty regular expression".to_vec(),
            PatternError::BadDelimiter => {
                b"Delimiter must not be alphanumeric, backslash, or NUL byte".to_vec()
            }
            PatternError::NoEndingDelimiter(byte) => {
                quoted("No ending delimiter ", *byte, " found")
            }
            PatternError::NoEndingMatchingDelimiter(byte) => {
                quoted("No ending matching delimiter ", *byte, " found")
            }
            PatternError::NulModifier => b"NUL byte is not a valid modifier".to_vec(),
            PatternError::UnknownModifier(byte) => quoted("Unknown modifier ", *byte, ""),
            PatternError::Compilation { message, offset } => {
                format!("Compilation failed: {message} at offset {offset}").into_bytes()
            }
        }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.message()))
    }
}

impl std::error::Error for PatternError {}

/// A pattern out of its envelope.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parsed<'p> {
    pub expression: &'p [u8],
    pub options: u32,
    pub extra: u32,
}

/// The delimiter that ends what `open` begins, for the four pairs of brackets.
fn closing_bracket(open: u8) -> Option<u8> {
    match open {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        b'<' => Some(b'>'),
        _ => None,
    }
}

/// Where the expression that begins at `pattern[0]` ends.
fn expression_end(pattern: &[u8], open: u8) -> Result<usize, PatternError> {
    let closing = closing_bracket(open);
    let end = closing.unwrap_or(open);
    let mut depth = 1usize;
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        if byte == b'\\' && at + 1 < pattern.len() {
            at += 2;
            continue;
        }
        if byte == end {
            depth -= 1;
            if depth == 0 {
                return Ok(at);
            }
        } else if closing.is_some() && byte == open {
            depth += 1;
        }
        at += 1;
    }
    Err(match closing {
        Some(closing) => PatternError::NoEndingMatchingDelimiter(closing),
        None => PatternError::NoEndingDelimiter(open),
    })
}

pub(crate) fn parse(pattern: &[u8]) -> Result<Parsed<'_>, PatternError> {
    let is_space = |b: &u8| matches!(b, b' ' | b'\t'..=b'\r');
    let start = pattern
        .iter()
        .position(|b| !is_space(b))
        .ok_or(PatternError::Empty)?;
    let open = pattern[start];
    if open.is_ascii_alphanumeric() || open == b'\\' || open == 0 {
        return Err(PatternError::BadDelimiter);
    }
    let rest = &pattern[start + 1..];
    let end = expression_end(rest, open)?;
    let (mut options, mut extra) = (0, 0);
    for &modifier in &rest[end + 1..] {
        match modifier {
            b'i' => options |= sys::PCRE2_CASELESS,
            b'm' => options |= sys::PCRE2_MULTILINE,
            b's' => options |= sys::PCRE2_DOTALL,
            b'x' => options |= sys::PCRE2_EXTENDED,
            b'n' => options |= sys::PCRE2_NO_AUTO_CAPTURE,
            b'A' => options |= sys::PCRE2_ANCHORED,
            b'D' => options |= sys::PCRE2_DOLLAR_ENDONLY,
            b'U' => options |= sys::PCRE2_UNGREEDY,
            b'J' => options |= sys::PCRE2_DUPNAMES,
            b'u' => options |= sys::PCRE2_UTF | sys::PCRE2_UCP,
            b'r' => extra |= sys::PCRE2_EXTRA_CASELESS_RESTRICT,
            // Studying happens always, and unknown escapes are errors always: both modifiers are history.
            b'S' | b'X' => {}
            b' ' | b'\n' | b'\r' => {}
            0 => return Err(PatternError::NulModifier),
            other => return Err(PatternError::UnknownModifier(other)),
        }
    }
    Ok(Parsed {
        expression: &rest[..end],
        options,
        extra,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn envelopes() {
        let expression = |pattern: &'static [u8]| parse(pattern).map(|p| p.expression);
        assert_eq!(expression(b"/a/i"), Ok(&b"a"[..]));
        assert_eq!(expression(b" \n\x0b\x0c/a\\/b/ \n\r"), Ok(&b"a\\/b"[..]));
        assert_eq!(expression(b"{a{b}c}x"), Ok(&b"a{b}c"[..]));
        assert_eq!(expression(b"{a\\}b}"), Ok(&b"a\\}b"[..]));
        assert_eq!(expression(b")a)"), Ok(&b"a"[..]));
        assert_eq!(expression(b"/a\0b/"), Ok(&b"a\0b"[..]));
        assert_eq!(expression(b"\xffa\xff"), Ok(&b"a"[..]));
    }

    #[test]
    fn errors_read_as_in_php() {
        let check = |pattern: &'static [u8], message: &str| {
            assert_eq!(
                parse(pattern).map_err(|e| e.to_string()),
                Err(message.to_string())
            );
        };
        let delimiter = "Delimiter must not be alphanumeric, backslash, or NUL byte";
        check(b"", "Empty regular expression");
        check(b"   ", "Empty regular expression");
        check(b"abc", delimiter);
        check(b"\\a\\", delimiter);
        check(b"\0a\0", delimiter);
        check(b"/abc", "No ending delimiter '/' found");
        check(b"/a\\/", "No ending delimiter '/' found");
        check(b"/\\", "No ending delimiter '/' found");
        check(b"(abc", "No ending matching delimiter ')' found");
        check(b"[abc]]", "Unknown modifier ']'");
        check(b"{a}{", "Unknown modifier '{'");
        check(b"/a/e", "Unknown modifier 'e'");
        check(b"/a/\t", "Unknown modifier '\t'");
        check(b"/a/i\0", "NUL byte is not a valid modifier");
    }
}
