//! A response's head out of PHP's header lines.

use bytes::Bytes;
use jumbo_server::response::ResponseHead;

/// `Name: value` lines with the status; the reason phrase is the one of `header("HTTP/1.1 404 Gone fishing")`.
pub fn head(status: u16, status_line: Option<&[u8]>, lines: &[Vec<u8>]) -> ResponseHead {
    let headers = lines.iter().filter_map(|line| split(line)).map(|(n, v)| (Bytes::copy_from_slice(n), Bytes::copy_from_slice(v)));
    ResponseHead { status, reason: status_line.and_then(reason).map(Bytes::copy_from_slice), headers: headers.collect() }
}

/// The name and the value of a header line.
pub fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = line.iter().position(|&b| b == b':')?;
    Some((line[..colon].trim_ascii_end(), line[colon + 1..].trim_ascii()))
}

/// What follows the number in a status line.
pub fn reason(status_line: &[u8]) -> Option<&[u8]> {
    let after_version = status_line.iter().position(|&b| b == b' ')? + 1;
    let rest = status_line.get(after_version..)?.trim_ascii_start();
    let end = rest.iter().position(|&b| b == b' ')?;
    let reason = rest[end..].trim_ascii();
    (!reason.is_empty()).then_some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert_eq!(split(b"X-A: b:c "), Some((&b"X-A"[..], &b"b:c"[..])));
        assert_eq!(split(b"nothing"), None);
        assert_eq!(reason(b"HTTP/1.1 404 Gone fishing"), Some(&b"Gone fishing"[..]));
        assert_eq!(reason(b"HTTP/1.1 404"), None);
        assert_eq!(reason(b"HTTP/1.1 404 "), None);
        assert_eq!(reason(b""), None);
    }
}
