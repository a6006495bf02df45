//! IP addresses: `FILTER_VALIDATE_IP`. The ranges are those that PHP asks about (RFC 6890 and its registry).

use std::net::{Ipv4Addr, Ipv6Addr};

/// Which ranges are refused.
#[derive(Clone, Copy, Default)]
pub struct Ranges {
    pub no_private: bool,
    pub no_reserved: bool,
    pub global: bool,
}

/// An address in four decimal numbers without leading zeros.
pub fn parse_v4(text: &[u8]) -> Option<Ipv4Addr> {
    let mut bytes = [0u8; 4];
    let mut parts = text.split(|&b| b == b'.');
    for byte in &mut bytes {
        let part = parts.next()?;
        if part.is_empty() || part.len() > 3 || (part.len() > 1 && part[0] == b'0') || !part.iter().all(u8::is_ascii_digit) {
            return None;
        }
        *byte = std::str::from_utf8(part).ok()?.parse().ok()?;
    }
    parts.next().is_none().then(|| Ipv4Addr::from(bytes))
}

pub fn parse_v6(text: &[u8]) -> Option<Ipv6Addr> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

fn v4_is_private(a: Ipv4Addr) -> bool {
    a.is_private()
}

fn v4_is_reserved(a: Ipv4Addr) -> bool {
    let [first, second, ..] = a.octets();
    first == 0 || first == 127 || first >= 240 || (first == 169 && second == 254)
}

/// Reachable from everywhere, as the registry has it.
fn v4_is_global(a: Ipv4Addr) -> bool {
    let [a0, a1, a2, _] = a.octets();
    let special = v4_is_private(a)
        || v4_is_reserved(a)
        || (a0 == 100 && (64..128).contains(&a1))
        || (a0 == 192 && a1 == 0 && (a2 == 0 || a2 == 2))
        || (a0 == 198 && (a1 == 18 || a1 == 19))
        || (a0 == 198 && a1 == 51 && a2 == 100)
        || (a0 == 203 && a1 == 0 && a2 == 113);
    !special
}

pub fn v4_passes(a: Ipv4Addr, ranges: Ranges) -> bool {
    !(ranges.no_private && v4_is_private(a) || ranges.no_reserved && v4_is_reserved(a) || ranges.global && !v4_is_global(a))
}

fn v6_is_private(a: Ipv6Addr) -> bool {
    a.segments()[0] & 0xfe00 == 0xfc00
}

fn v6_is_reserved(a: Ipv6Addr) -> bool {
    let s = a.segments();
    // Unspecified, loopback, IPv4-mapped, link-local.
    let zero_five = s[..5].iter().all(|n| *n == 0);
    let first_zero = s[..7].iter().all(|n| *n == 0) && s[7] <= 1;
    first_zero || (zero_five && s[5] == 0xffff) || s[0] & 0xffc0 == 0xfe80
}

fn v6_is_global(a: Ipv6Addr) -> bool {
    let s = a.segments();
    let special = v6_is_private(a)
        || v6_is_reserved(a)
        || (s[0] == 0x0100 && s[1] == 0 && s[2] == 0 && s[3] == 0)
        || (s[0] == 0x2001 && s[1] < 0x0200)
        || (s[0] == 0x2001 && s[1] == 0x0db8)
        || s[0] == 0x2002;
    !special
}

pub fn v6_passes(a: Ipv6Addr, ranges: Ranges) -> bool {
    !(ranges.no_private && v6_is_private(a) || ranges.no_reserved && v6_is_reserved(a) || ranges.global && !v6_is_global(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        assert!(parse_v4(b"1.2.3.4").is_some());
        for bad in ["01.2.3.4", "1.2.3", "1.2.3.256", "1.2.3.4.5", "", "1..2.3"] {
            assert!(parse_v4(bad.as_bytes()).is_none(), "{bad}");
        }
        let global = Ranges { global: true, ..Ranges::default() };
        assert!(parse_v6(b"2606:4700::1").is_some_and(|a| v6_passes(a, global)));
        assert!(parse_v6(b"2001:db8::1").is_some_and(|a| !v6_passes(a, global)));
    }
}
