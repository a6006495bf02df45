//! The header block of one multipart part, as PHP reads it.
//!
//! PHP is more lenient than RFC 7578: any disposition type, single quotes, unterminated quotes, parameters in any
//! order (the last of a name wins), a backslash that only escapes itself and the closing quote.

/// What PHP takes from a part's headers.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PartHeader {
    /// Whether there was a Content-Disposition line at all.
    pub disposition: bool,
    pub name: Option<Vec<u8>>,
    pub filename: Option<Vec<u8>>,
    pub content_type: Option<Vec<u8>>,
}

/// Reads header lines (without the empty line that ends them). The first line of a name counts.
pub(super) fn parse(block: &[u8]) -> PartHeader {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for line in block.split(|&b| b == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match (line.first(), lines.last_mut()) {
            (Some(b' ' | b'\t'), Some(previous)) => previous.extend_from_slice(line),
            _ => lines.push(line.to_vec()),
        }
    }
    let mut header = PartHeader::default();
    for line in &lines {
        let Some(colon) = memchr::memchr(b':', line) else {
            continue;
        };
        let value = line[colon + 1..].trim_ascii_start();
        let value = &value[..memchr::memchr(0, value).unwrap_or(value.len())];
        if line[..colon].eq_ignore_ascii_case(b"content-disposition") && !header.disposition {
            header.disposition = true;
            parameters(value, &mut header);
        } else if line[..colon].eq_ignore_ascii_case(b"content-type")
            && header.content_type.is_none()
        {
            let end = memchr::memchr(b';', value).unwrap_or(value.len());
            header.content_type = Some(value[..end].to_vec());
        }
    }
    header
}

fn parameters(mut rest: &[u8], header: &mut PartHeader) {
    while !rest.is_empty() {
        let piece;
        (piece, rest) = split_piece(rest);
        let Some(equals) = memchr::memchr(b'=', piece) else {
            continue;
        };
        let key = piece[..equals].trim_ascii_start();
        if key.eq_ignore_ascii_case(b"name") {
            header.name = Some(word(&piece[equals + 1..]));
        } else if key.eq_ignore_ascii_case(b"filename") {
            header.filename = Some(word(&piece[equals + 1..]));
        }
    }
}

/// Splits at the next semicolon that is not in quotes. A quote begins anywhere, and may be closed by nothing.
fn split_piece(input: &[u8]) -> (&[u8], &[u8]) {
    let mut quote = None;
    let mut at = 0;
    while let Some(&b) = input.get(at) {
        match quote {
            None if b == b';' => return (&input[..at], &input[at + 1..]),
            None if b == b'"' || b == b'\'' => quote = Some(b),
            Some(_) if b == b'\\' && input.get(at + 1).copied() == quote => at += 1,
            Some(open) if b == open => quote = None,
            _ => {}
        }
        at += 1;
    }
    (input, b"")
}

/// A parameter's value. What follows it in its piece has no meaning.
fn word(input: &[u8]) -> Vec<u8> {
    let input = input.trim_ascii_start();
    let [quote @ (b'"' | b'\''), inner @ ..] = input else {
        let end = input.iter().position(u8::is_ascii_whitespace);
        return input[..end.unwrap_or(input.len())].to_vec();
    };
    let mut value = Vec::new();
    let mut at = 0;
    while at < inner.len() && inner[at] != *quote {
        let escapes = |next: &u8| next == quote || *next == b'\\';
        if inner[at] == b'\\' && inner.get(at + 1).is_some_and(escapes) {
            at += 1;
        }
        value.push(inner[at]);
        at += 1;
    }
    value
}
