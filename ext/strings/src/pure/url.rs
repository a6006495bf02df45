//! URLs: urlencode, rawurlencode, their decoding, and parse_url.

use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

#[inline]
fn percent(byte: u8, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
    out.extend(&[
        b'%',
        DIGITS[usize::from(byte >> 4)],
        DIGITS[usize::from(byte & 15)],
    ])
}

/// urlencode, appended to `out`.
pub fn url_encode(text: &[u8], out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
    out.reserve(text.len() + text.len() / 4)?;
    for &byte in text {
        match byte {
            b' ' => out.push(b'+')?,
            b'-' | b'.' | b'_' => out.push(byte)?,
            _ if byte.is_ascii_alphanumeric() => out.push(byte)?,
            _ => percent(byte, out)?,
        }
    }
    Ok(())
}

/// rawurlencode (RFC 3986), appended to `out`.
pub fn raw_url_encode(text: &[u8], out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
    out.reserve(text.len() + text.len() / 4)?;
    for &byte in text {
        match byte {
            b'-' | b'.' | b'_' | b'~' => out.push(byte)?,
            _ if byte.is_ascii_alphanumeric() => out.push(byte)?,
            _ => percent(byte, out)?,
        }
    }
    Ok(())
}

fn decode(text: &[u8], plus_is_space: bool) -> Result<PStr, OutOfMemory> {
    let digit = |at: usize| text.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut out = PStrBuilder::with_capacity(text.len())?;
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'+' if plus_is_space => out.push(b' ')?,
            b'%' => match (digit(at), digit(at + 1)) {
                (Some(high), Some(low)) => {
                    out.push((high << 4 | low) as u8)?;
                    at += 2;
                }
                _ => out.push(b'%')?,
            },
            _ => out.push(byte)?,
        }
    }
    Ok(out.finish())
}

/// urldecode.
pub fn url_decode(text: &[u8]) -> Result<PStr, OutOfMemory> {
    decode(text, true)
}

/// rawurldecode.
pub fn raw_url_decode(text: &[u8]) -> Result<PStr, OutOfMemory> {
    decode(text, false)
}

/// The parts of a URL, control characters replaced by underscores.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Url {
    pub scheme: Option<PStr>,
    pub host: Option<PStr>,
    pub port: Option<u16>,
    pub user: Option<PStr>,
    pub password: Option<PStr>,
    pub path: Option<PStr>,
    pub query: Option<PStr>,
    pub fragment: Option<PStr>,
}

fn part(text: &[u8]) -> Option<PStr> {
    Some(PStr::mapped(text, |byte| if byte.is_ascii_control() { b'_' } else { byte }))
}

fn find(text: &[u8], byte: u8) -> Option<usize> {
    memchr::memchr(byte, text)
}

/// The number of a port: decimal, up to 65535.
fn port(digits: &[u8]) -> Option<u16> {
    std::str::from_utf8(digits)
        .ok()?
        .parse::<u32>()
        .ok()
        .and_then(|port| u16::try_from(port).ok())
}

/// parse_url. `None` for what PHP calls seriously malformed.
pub fn parse_url(text: &[u8]) -> Option<Url> {
    let mut url = Url::default();
    // Where the authority, or else the path, starts.
    let (has_authority, rest) = scheme(text, &mut url)?;
    let rest = if has_authority {
        authority(rest, &mut url)?
    } else {
        rest
    };
    path(rest, &mut url);
    Some(url)
}

/// Reads what stands before the authority or the path: whether an authority follows, and the rest.
fn scheme<'t>(text: &'t [u8], url: &mut Url) -> Option<(bool, &'t [u8])> {
    let colon = find(text, b':');
    let without_scheme = |url: &mut Url| {
        let _ = url;
        match text {
            [b'/', b'/', rest @ ..] => (true, rest),
            _ => (false, text),
        }
    };
    let Some(colon) = colon.filter(|&colon| colon > 0) else {
        if let Some(0) = colon {
            return colon_without_scheme(text, 0, url);
        }
        return Some(without_scheme(url));
    };
    let name = &text[..colon];
    if !name
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    {
        // Not a scheme; maybe a host and a port.
        if colon + 1 < text.len()
            && find(text, b'?').is_none_or(|question| colon < question)
            && find(text, b'#').is_none_or(|hash| colon < hash)
        {
            return colon_without_scheme(text, colon, url);
        }
        return Some(without_scheme(url));
    }
    let rest = &text[colon + 1..];
    if rest.is_empty() {
        url.scheme = part(name);
        return Some((false, rest));
    }
    if rest[0] != b'/' {
        // `host:port` or `scheme:path`: digits that look like a port decide.
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits < 6 && matches!(rest.get(digits), None | Some(b'/')) {
            return colon_without_scheme(text, colon, url);
        }
        url.scheme = part(name);
        return Some((false, rest));
    }
    url.scheme = part(name);
    if let [b'/', b'/', after @ ..] = rest {
        if after.first() == Some(&b'/') && name.eq_ignore_ascii_case(b"file") {
            // `file:///c:/x` keeps its drive, every other one its slash.
            return match after {
                [_, _, b':', ..] => Some((false, &after[1..])),
                _ => Some((false, after)),
            };
        }
        return Some((true, after));
    }
    Some((false, rest))
}

/// A colon that ends no scheme: what follows may be a port.
fn colon_without_scheme<'t>(
    text: &'t [u8],
    colon: usize,
    url: &mut Url,
) -> Option<(bool, &'t [u8])> {
    let after = &text[colon + 1..];
    let digits = after
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let ends = matches!(after.get(digits), None | Some(b'/'));
    let slashes = text.starts_with(b"//");
    if (1..6).contains(&digits) && ends {
        let number = port(&after[..digits])?;
        url.port = Some(number);
        return Some((true, text.strip_prefix(b"//").unwrap_or(text)));
    }
    if digits == 0 && after.is_empty() {
        return None;
    }
    Some(if slashes {
        (true, &text[2..])
    } else {
        (false, text)
    })
}

/// Reads `user:password@host:port`, and returns what follows.
fn authority<'t>(text: &'t [u8], url: &mut Url) -> Option<&'t [u8]> {
    let end = text
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'))
        .unwrap_or(text.len());
    let (mut host, rest) = text.split_at(end);
    if let Some(at) = host.iter().rposition(|&byte| byte == b'@') {
        let credentials = &host[..at];
        match find(credentials, b':') {
            Some(colon) => {
                url.user = part(&credentials[..colon]);
                url.password = part(&credentials[colon + 1..]);
            }
            None => url.user = part(credentials),
        }
        host = &host[at + 1..];
    }
    let bracketed = host.first() == Some(&b'[') && host.last() == Some(&b']');
    let colon = if bracketed {
        None
    } else {
        host.iter().rposition(|&byte| byte == b':')
    };
    if let Some(colon) = colon {
        let digits = &host[colon + 1..];
        if url.port.is_none() && !digits.is_empty() {
            if digits.len() > 5 {
                return None;
            }
            url.port = Some(leading_port(digits)?);
        }
        host = &host[..colon];
    }
    if host.is_empty() {
        return None;
    }
    url.host = part(host);
    Some(rest)
}

/// The number that `digits` begins with.
fn leading_port(digits: &[u8]) -> Option<u16> {
    let count = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if count == 0 {
        return None;
    }
    port(&digits[..count])
}

fn path(text: &[u8], url: &mut Url) {
    let (before, fragment) = match find(text, b'#') {
        Some(hash) => (&text[..hash], Some(&text[hash + 1..])),
        None => (text, None),
    };
    let (path, query) = match find(before, b'?') {
        Some(question) => (&before[..question], Some(&before[question + 1..])),
        None => (before, None),
    };
    url.fragment = fragment.and_then(part);
    url.query = query.and_then(part);
    if !path.is_empty() || text.is_empty() && url.scheme.is_none() && url.host.is_none() {
        url.path = part(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    #[test]
    fn parses_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/parse_url.tsv")) {
            let [text, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = match parse_url(text) {
                None => "false".to_string(),
                Some(url) => {
                    let port = url.port.map(|port| PStr::from(port.to_string().as_str()));
                    let parts = [
                        ("scheme", url.scheme),
                        ("host", url.host),
                        ("port", port),
                        ("user", url.user),
                        ("pass", url.password),
                        ("path", url.path),
                        ("query", url.query),
                        ("fragment", url.fragment),
                    ];
                    let show = |(name, part): (&str, Option<PStr>)| {
                        Some(format!("{name}={}", show(&part?)))
                    };
                    parts
                        .into_iter()
                        .filter_map(show)
                        .collect::<Vec<_>>()
                        .join(" ")
                }
            };
            samples.check(found, show(expected), format!("{}", show(text)));
        }
        Ok(())
    }

    #[test]
    fn encodes() -> Result<(), OutOfMemory> {
        let mut out = PStrBuilder::new();
        url_encode(b"a b-._~\xff/", &mut out)?;
        assert_eq!(out.as_bytes(), b"a+b-._%7E%FF%2F");
        out.clear();
        raw_url_encode(b"a b-._~\xff/", &mut out)?;
        assert_eq!(out.as_bytes(), b"a%20b-._~%FF%2F");
        assert_eq!(url_decode(b"a+b%7E%zz%4")?, b"a b~%zz%4");
        assert_eq!(raw_url_decode(b"a+b%7e")?, b"a+b~");
        Ok(())
    }
}
