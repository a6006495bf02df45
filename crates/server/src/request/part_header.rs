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
        let Some(colon) = memchr::memchr(b':', line) else { continue };
        let value = line[colon + 1..].trim_ascii_start();
        let value = &value[..memchr::memchr(0, value).unwrap_or(value.len())];
        if line[..colon].eq_ignore_ascii_case(b"content-disposition") && !header.disposition {
            header.disposition = true;
            parameters(value, &mut header);
        } else if line[..colon].eq_ignore_ascii_case(b"content-type") && header.content_type.is_none() {
            let end = memchr::memchr(b';', value).unwrap_or(value.len());
            header.content_type = Some(value[..end].to_vec());
        }
    }
    header
}

fn parameters(mut rest: &[u8], header: &mut PartHeader) {
    while !rest.is_empty() {
        rest = rest.trim_ascii_start();
        let stop = rest.iter().position(|b| matches!(b, b'=' | b';')).unwrap_or(rest.len());
        let (key, after) = rest.split_at(stop);
        let mut after = after;
        if let [b'=', tail @ ..] = after {
            let value;
            (value, after) = word(tail);
            if key.eq_ignore_ascii_case(b"name") {
                header.name = Some(value);
            } else if key.eq_ignore_ascii_case(b"filename") {
                header.filename = Some(value);
            }
        }
        // What follows a value up to the next semicolon has no meaning.
        rest = match memchr::memchr(b';', after) {
            Some(at) => &after[at + 1..],
            None => b"",
        };
    }
}

/// A parameter's value, and what follows it.
fn word(input: &[u8]) -> (Vec<u8>, &[u8]) {
    let input = input.trim_ascii_start();
    let mut value = Vec::new();
    match input {
        [quote @ (b'"' | b'\''), inner @ ..] => {
            let mut at = 0;
            while at < inner.len() && inner[at] != *quote {
                if inner[at] == b'\\' && inner.get(at + 1).is_some_and(|next| next == quote || *next == b'\\') {
                    at += 1;
                }
                value.push(inner[at]);
                at += 1;
            }
            (value, inner.get(at + 1..).unwrap_or(b""))
        }
        _ => {
            let end = input.iter().position(|b| b.is_ascii_whitespace() || *b == b';').unwrap_or(input.len());
            value.extend_from_slice(&input[..end]);
            (value, &input[end..])
        }
    }
}
