//! Names of hosts, services, protocols and network interfaces.

use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};

/// Longest name that the functions accept.
const MAX_NAME: usize = 255;

/// All addresses of a host, in the system's order. Empty: the name is not known.
pub fn resolve(cx: &mut Cx, host: &[u8], port: u16) -> Vec<SocketAddr> {
    let Ok(host) = std::str::from_utf8(host) else { return Vec::new() };
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    if let Ok(ip) = bare.parse::<IpAddr>() {
        return vec![SocketAddr::new(ip, port)];
    }
    if bare.is_empty() || bare.contains('\0') {
        return Vec::new();
    }
    let found: std::io::Result<Vec<SocketAddr>> = if tokio::runtime::Handle::try_current().is_ok() && cx.timer.is_some() {
        cx.wait(tokio::net::lookup_host((bare, port))).map(Iterator::collect)
    } else {
        (bare, port).to_socket_addrs().map(Iterator::collect)
    };
    found.unwrap_or_default()
}

fn without_nul(cx: &mut Cx, text: &PStr) -> Res<()> {
    if text.as_bytes().contains(&0) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    Ok(())
}

fn too_long(cx: &mut Cx, name: &PStr) -> Res<bool> {
    without_nul(cx, name)?;
    if name.len() > MAX_NAME {
        cx.warning(format!("Host name cannot be longer than {MAX_NAME} characters"))?;
        return Ok(true);
    }
    Ok(false)
}

fn four(list: Vec<SocketAddr>) -> Vec<PStr> {
    let mut out: Vec<PStr> = Vec::new();
    for address in list {
        if let IpAddr::V4(a) = address.ip() {
            let text = PStr::new(a.to_string().as_bytes());
            if !out.contains(&text) {
                out.push(text);
            }
        }
    }
    out
}

pub fn gethostbyname(cx: &mut Cx, hostname: &PStr) -> Res<PStr> {
    if too_long(cx, hostname)? {
        return Ok(hostname.clone());
    }
    let found = resolve(cx, hostname.as_bytes(), 0);
    Ok(four(found).into_iter().next().unwrap_or_else(|| hostname.clone()))
}

pub fn gethostbynamel(cx: &mut Cx, hostname: &PStr) -> Res<OrFalse<PArray>> {
    if too_long(cx, hostname)? {
        return Ok(OrFalse::FALSE);
    }
    let found = four(resolve(cx, hostname.as_bytes(), 0));
    Ok(OrFalse((!found.is_empty()).then(|| found.into_iter().map(Value::from).collect())))
}

/// By /etc/hosts; then by the name server (RFC 1035, PTR).
pub fn gethostbyaddr(cx: &mut Cx, ip: &PStr) -> Res<OrFalse<PStr>> {
    let address = std::str::from_utf8(ip.as_bytes()).ok().and_then(|t| t.parse::<IpAddr>().ok());
    let Some(address) = address else {
        cx.warning("Address is not a valid IPv4 or IPv6 address")?;
        return Ok(OrFalse::FALSE);
    };
    let hosts = std::fs::read_to_string("/etc/hosts").unwrap_or_default();
    for fields in lines(&hosts) {
        if let [text, name, ..] = fields[..]
            && text.parse() == Ok(address)
        {
            return Ok(OrFalse(Some(PStr::new(name.as_bytes()))));
        }
    }
    Ok(OrFalse(Some(ip.clone())))
}

/// The fields of each line of one of /etc's tables, comments left out.
fn lines(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().map(|l| l.split('#').next().unwrap_or_default().split_ascii_whitespace().collect::<Vec<_>>()).filter(|f| f.len() >= 2)
}

fn table(path: &str) -> String {
    // A system without the table knows no names.
    std::fs::read_to_string(path).unwrap_or_default()
}

pub fn getservbyname(cx: &mut Cx, service: &PStr, protocol: &PStr) -> Res<OrFalse<i64>> {
    without_nul_in(cx, service, 1)?;
    without_nul_in(cx, protocol, 2)?;
    let text = table("/etc/services");
    Ok(OrFalse(lines(&text).find_map(|f| {
        let (port, proto) = f[1].split_once('/')?;
        let named = f[0].as_bytes() == service.as_bytes() || f[2..].iter().any(|n| n.as_bytes() == service.as_bytes());
        (named && proto.as_bytes() == protocol.as_bytes()).then(|| port.parse().ok()).flatten()
    })))
}

pub fn getservbyport(cx: &mut Cx, port: i64, protocol: &PStr) -> Res<OrFalse<PStr>> {
    without_nul_in(cx, protocol, 2)?;
    let wanted = format!("{}/{}", port as u16, protocol.to_string_lossy());
    let text = table("/etc/services");
    Ok(OrFalse(lines(&text).find(|f| f[1] == wanted).map(|f| PStr::new(f[0].as_bytes()))))
}

/// Argument `n` has no NUL.
pub(crate) fn without_nul_in(cx: &mut Cx, text: &PStr, n: u32) -> Res<()> {
    if text.contains(&0) {
        return Err(cx.arg_value_error(n, "must not contain any null bytes"));
    }
    Ok(())
}

pub fn getprotobyname(cx: &mut Cx, protocol: &PStr) -> Res<OrFalse<i64>> {
    without_nul(cx, protocol)?;
    let text = table("/etc/protocols");
    let found = lines(&text).find(|f| f[0].as_bytes() == protocol.as_bytes() || f[2..].iter().any(|n| n.as_bytes() == protocol.as_bytes()));
    Ok(OrFalse(found.and_then(|f| f[1].parse().ok())))
}

pub fn getprotobynumber(_cx: &mut Cx, protocol: i64) -> OrFalse<PStr> {
    let wanted = (protocol as i32).to_string();
    let text = table("/etc/protocols");
    OrFalse(lines(&text).find(|f| f[1] == wanted).map(|f| PStr::new(f[0].as_bytes())))
}

pub fn net_get_interfaces(cx: &mut Cx) -> Res<OrFalse<PArray>> {
    use nix::net::if_::InterfaceFlags;
    let list = match nix::ifaddrs::getifaddrs() {
        Ok(list) => list,
        Err(e) => {
            cx.warning(format!("getifaddrs() failed {}: {}", e as i32, e.desc()))?;
            return Ok(OrFalse::FALSE);
        }
    };
    let mut out = PArray::new();
    for entry in list {
        let name = entry.interface_name.as_bytes();
        let mut interface = out.get_bytes(name).and_then(|v| v.as_array().cloned()).unwrap_or_default();
        let mut unicast = interface.get_bytes(b"unicast").and_then(|v| v.as_array().cloned()).unwrap_or_default();
        let mut one = PArray::new();
        one.set_bytes(b"flags", i64::from(entry.flags.bits()));
        if let Some(address) = &entry.address {
            let (v4, v6) = (address.as_sockaddr_in(), address.as_sockaddr_in6());
            let shown = v4.map(|a| (2, a.ip().to_string())).or(v6.map(|a| (10, a.ip().to_string())));
            if let Some((family, text)) = shown {
                one.set_bytes(b"family", family as i64);
                one.set_bytes(b"address", PStr::new(text.as_bytes()));
                let mask = entry.netmask.as_ref();
                let mask = mask.and_then(|m| m.as_sockaddr_in().map(|a| a.ip().to_string()).or(m.as_sockaddr_in6().map(|a| a.ip().to_string())));
                if let Some(mask) = mask {
                    one.set_bytes(b"netmask", PStr::new(mask.as_bytes()));
                }
            }
        }
        unicast.append(one);
        interface.set_bytes(b"unicast", unicast);
        interface.set_bytes(b"up", entry.flags.contains(InterfaceFlags::IFF_UP));
        out.set_bytes(name, interface);
    }
    Ok(OrFalse(Some(out)))
}
