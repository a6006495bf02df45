//! The validating filters. Each gets the text as it is, and gives the value, or `None` when the text is none.

use crate::ip;
use jumbo_ext_strings::pure::url::parse_url;
use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

/// What surrounds a number or word is no part of it.
pub fn trim(text: &[u8]) -> &[u8] {
    let space = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\x0b' | b'\n');
    let start = text.iter().position(|b| !space(b)).unwrap_or(text.len());
    let end = text.iter().rposition(|b| !space(b)).map_or(start, |n| n + 1);
    &text[start..end]
}

fn digits(text: &[u8], radix: u32) -> Option<i64> {
    if text.is_empty() {
        return None;
    }
    // Octal and hexadecimal numbers may set the sign bit.
    let mut number = 0u64;
    for b in text {
        number = number.checked_mul(u64::from(radix))?.checked_add(u64::from(char::from(*b).to_digit(radix)?))?;
    }
    Some(number as i64)
}

pub fn int(text: &[u8], octal: bool, hex: bool) -> Option<i64> {
    let text = trim(text);
    let (negative, plain) = match text.first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    match plain {
        b"0" => return Some(0),
        [b'0', b'x' | b'X', rest @ ..] if hex && plain.len() == text.len() => return digits(rest, 16),
        [b'0', b'o' | b'O', rest @ ..] if octal && plain.len() == text.len() => return digits(rest, 8),
        [b'0', rest @ ..] if octal && plain.len() == text.len() => return digits(rest, 8),
        [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => {}
        _ => return None,
    }
    let mut number = 0i64;
    for b in plain {
        let digit = i64::from(b - b'0');
        number = number.checked_mul(10)?;
        number = if negative { number.checked_sub(digit)? } else { number.checked_add(digit)? };
    }
    Some(number)
}

/// `None`: neither word.
pub fn bool(text: &[u8]) -> Option<bool> {
    let text = trim(text);
    let is_one_of = |words: &[&[u8]]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    if is_one_of(&[b"1", b"true", b"on", b"yes"]) {
        Some(true)
    } else if is_one_of(&[b"", b"0", b"false", b"off", b"no"]) {
        Some(false)
    } else {
        None
    }
}

/// A decimal number; `thousand` lists what may stand between groups of three digits.
pub fn float(text: &[u8], decimal: u8, thousand: Option<&[u8]>) -> Result<Option<f64>, OutOfMemory> {
    let text = trim(text);
    let mut plain = PStrBuilder::with_capacity(text.len())?;
    let mut at = 0;
    if let Some(sign @ (b'-' | b'+')) = text.first() {
        plain.push(*sign)?;
        at = 1;
    }
    let (mut group, mut separated, mut any) = (0, false, false);
    while let Some(b) = text.get(at) {
        if b.is_ascii_digit() {
            plain.push(*b)?;
            group += 1;
            any = true;
        } else if thousand.is_some_and(|list| list.contains(b)) && *b != decimal {
            if group == 0 || group > 3 || (separated && group != 3) {
                return Ok(None);
            }
            separated = true;
            group = 0;
        } else {
            break;
        }
        at += 1;
    }
    if separated && group != 3 {
        return Ok(None);
    }
    if text.get(at) == Some(&decimal) {
        plain.push(b'.')?;
        at += 1;
        while let Some(b) = text.get(at).filter(|b| b.is_ascii_digit()) {
            plain.push(*b)?;
            any = true;
            at += 1;
        }
    }
    if !any {
        return Ok(None);
    }
    if let Some(b'e' | b'E') = text.get(at) {
        plain.push(b'e')?;
        at += 1;
        if let Some(sign @ (b'-' | b'+')) = text.get(at) {
            plain.push(*sign)?;
            at += 1;
        }
        let start = at;
        while let Some(b) = text.get(at).filter(|b| b.is_ascii_digit()) {
            plain.push(*b)?;
            at += 1;
        }
        if at == start {
            return Ok(None);
        }
    }
    if at != text.len() {
        return Ok(None);
    }
    let number: Option<f64> = std::str::from_utf8(&plain).ok().and_then(|plain| plain.parse().ok());
    Ok(number.filter(|number| number.is_finite()))
}

/// A domain name; `hostname`: of letters, digits and hyphens alone.
pub fn domain(text: &[u8], hostname: bool) -> bool {
    let name = text.strip_suffix(b".").unwrap_or(text);
    if name.is_empty() {
        return !hostname && text.is_empty();
    }
    if name.len() > 253 {
        return false;
    }
    name.split(|&b| b == b'.').all(|label| {
        let (Some(first), Some(last)) = (label.first(), label.last()) else { return false };
        label.len() <= 63
            && (!hostname
                || first.is_ascii_alphanumeric()
                    && last.is_ascii_alphanumeric()
                    && label.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-'))
    })
}

/// Characters that a URL may have.
pub fn is_url_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"$-_.+!*'(),{}|\\^~[]`<>#%\";/?:@&=".contains(&b)
}

fn is_userinfo(text: &[u8]) -> bool {
    let mut at = 0;
    while let Some(b) = text.get(at) {
        if *b == b'%' {
            let hex = text.get(at + 1..at + 3).is_some_and(|h| h.iter().all(u8::is_ascii_hexdigit));
            if !hex {
                return false;
            }
            at += 3;
        } else if b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:".contains(b) {
            at += 1;
        } else {
            return false;
        }
    }
    true
}

pub fn url(text: &[u8], path_required: bool, query_required: bool) -> bool {
    if text.is_empty() || !text.iter().all(|b| is_url_byte(*b)) {
        return false;
    }
    let Some(url) = parse_url(text) else { return false };
    let Some(scheme) = url.scheme.as_deref() else { return false };
    match url.host.as_deref() {
        Some(host) if scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https") => {
            let is_v6 = host.strip_prefix(b"[").and_then(|h| h.strip_suffix(b"]")).is_some_and(|h| ip::parse_v6(h).is_some());
            if host.is_empty() || !(is_v6 || domain(host, true)) {
                return false;
            }
        }
        Some(_) => {}
        None if matches!(scheme.to_ascii_lowercase().as_slice(), b"mailto" | b"news" | b"file") => {}
        None => return false,
    }
    let plain = |part: &Option<PStr>| part.as_deref().is_none_or(is_userinfo);
    plain(&url.user) && plain(&url.password) && (!path_required || url.path.is_some()) && (!query_required || url.query.is_some())
}

fn is_atom_byte(b: u8, unicode: bool) -> bool {
    b.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&b) || (unicode && b >= 0x80)
}

/// The local part: atoms and quoted strings, with dots between them.
fn is_local_part(text: &[u8], unicode: bool) -> bool {
    if text.is_empty() || text.len() > 64 {
        return false;
    }
    let mut at = 0;
    loop {
        if text.get(at) == Some(&b'"') {
            at += 1;
            loop {
                match text.get(at) {
                    None => return false,
                    Some(b'"') => break,
                    Some(b'\\') => match text.get(at + 1) {
                        Some(b) if b.is_ascii() => at += 2,
                        _ => return false,
                    },
                    // Spaces and other bytes must be escaped.
                    Some(b) if (0x21..0x7f).contains(b) || (1..0x20).contains(b) && !matches!(b, b'\t' | b'\n' | b'\r') || unicode && *b >= 0x80 => at += 1,
                    Some(_) => return false,
                }
            }
            at += 1;
        } else {
            let start = at;
            while text.get(at).is_some_and(|b| is_atom_byte(*b, unicode)) {
                at += 1;
            }
            if at == start {
                return false;
            }
        }
        match text.get(at) {
            None => return true,
            Some(b'.') => at += 1,
            Some(_) => return false,
        }
    }
}

fn is_mail_domain(text: &[u8], unicode: bool) -> bool {
    if let Some(literal) = text.strip_prefix(b"[").and_then(|t| t.strip_suffix(b"]")) {
        return match literal.get(..5).filter(|p| p.eq_ignore_ascii_case(b"ipv6:")) {
            Some(_) => ip::parse_v6(&literal[5..]).is_some(),
            None => ip::parse_v4(literal).is_some(),
        };
    }
    if text.len() > 254 {
        return false;
    }
    let labels: Vec<&[u8]> = text.split(|&b| b == b'.').collect();
    let letter = |b: u8| b.is_ascii_alphanumeric() || unicode && b >= 0x80;
    let good = labels.iter().all(|label| {
        label.first().is_some_and(|b| letter(*b))
            && label.last().is_some_and(|b| letter(*b))
            && label.len() <= 63
            && label.iter().all(|b| letter(*b) || *b == b'-')
    });
    // A name of one label is no mail domain, and the last label does not start with a digit.
    good && labels.len() > 1 && labels.last().is_some_and(|l| !l[0].is_ascii_digit())
}

pub fn email(text: &[u8], unicode: bool) -> bool {
    if text.len() > 320 {
        return false;
    }
    let Some(at) = text.iter().rposition(|&b| b == b'@') else { return false };
    text.len() <= 254 + 65 && is_local_part(&text[..at], unicode) && is_mail_domain(&text[at + 1..], unicode)
}

/// Six pairs of hexadecimal digits with `-` or `:`, or three groups of four with dots; one separator may be asked for.
pub fn mac(text: &[u8], separator: Option<u8>) -> bool {
    let (length, group, own) = match text.len() {
        14 => (3, 4, b'.'),
        17 => match text[2] {
            b'-' => (6, 2, b'-'),
            _ => (6, 2, b':'),
        },
        _ => return false,
    };
    if separator.is_some_and(|s| s != own) {
        return false;
    }
    let groups: Vec<&[u8]> = text.split(|&b| b == own).collect();
    groups.len() == length && groups.iter().all(|g| g.len() == group && g.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(int(b" -0 ", false, false), Some(0));
        assert_eq!(int(b"-9223372036854775808", false, false), Some(i64::MIN));
        assert_eq!(int(b"9223372036854775808", false, false), None);
        assert_eq!(int(b"017", true, false), Some(15));
        assert_eq!(int(b"0x1F", false, true), Some(31));
        assert_eq!(float(b"1,000.5", b'.', Some(b"',.")), Ok(Some(1000.5)));
        assert_eq!(float(b"1,00", b'.', Some(b"',.")), Ok(None));
        assert_eq!(float(b"1e", b'.', None), Ok(None));
    }

    #[test]
    fn addresses() {
        for good in ["a.b@c-d.com", "a@[1.2.3.4]", "\"a\\\"b\"@c.de", "a@123.45.de"] {
            assert!(email(good.as_bytes(), false), "{good}");
        }
        for bad in ["a@localhost", ".a@b.de", "\"q q\"@b.de", "a@b.9c", "a@-b.de", "a@b_c.de"] {
            assert!(!email(bad.as_bytes(), false), "{bad}");
        }
        assert!(mac(b"0123.4567.89ab", None) && !mac(b"01-23:45-67-89-ab", None));
    }
}
