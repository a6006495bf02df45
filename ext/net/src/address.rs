//! Addresses as text, as numbers and as bytes.

use crate::names::without_nul_in;
use jumbo_abi::{Cx, OrFalse, PStr, Res};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

fn parse<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Four decimal numbers without leading zeros, and nothing else.
pub fn ip2long(cx: &mut Cx, ip: &PStr) -> Res<OrFalse<i64>> {
    without_nul_in(cx, ip, 1)?;
    Ok(OrFalse(parse::<Ipv4Addr>(ip.as_bytes()).map(|a| i64::from(u32::from(a)))))
}

pub fn long2ip(_cx: &mut Cx, ip: i64) -> PStr {
    PStr::new(Ipv4Addr::from(ip as u32).to_string().as_bytes())
}

pub fn inet_pton(cx: &mut Cx, ip: &PStr) -> Res<OrFalse<PStr>> {
    without_nul_in(cx, ip, 1)?;
    Ok(OrFalse(parse::<IpAddr>(ip.as_bytes()).map(|address| match address {
        IpAddr::V4(a) => PStr::new(&a.octets()),
        IpAddr::V6(a) => PStr::new(&a.octets()),
    })))
}

pub fn inet_ntop(_cx: &mut Cx, ip: &PStr) -> OrFalse<PStr> {
    let text = if let Ok(four) = <[u8; 4]>::try_from(ip.as_bytes()) {
        Ipv4Addr::from(four).to_string()
    } else if let Ok(sixteen) = <[u8; 16]>::try_from(ip.as_bytes()) {
        six(Ipv6Addr::from(sixteen))
    } else {
        return OrFalse::FALSE;
    };
    OrFalse(Some(PStr::new(text.as_bytes())))
}

/// As the C library shows it: addresses that only have a low half of 32 bits in dotted form.
fn six(a: Ipv6Addr) -> String {
    let s = a.segments();
    if s[..6].iter().all(|n| *n == 0) && s[6] != 0 {
        let [.., b1, b2, b3, b4] = a.octets();
        return format!("::{}", Ipv4Addr::new(b1, b2, b3, b4));
    }
    a.to_string()
}
