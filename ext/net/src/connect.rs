//! Transports: `tcp://host:port`, `udp://…`, `unix:///path`, `udg:///path`, and what another extension encrypts (`ssl://…`).
//! Connecting, binding, accepting.

use crate::names::resolve;
use jumbo_abi::stream::{Context, os_error_text};
use jumbo_abi::{Cx, PResource, PStr, Res, Value};
use jumbo_ext_files::socket::{CryptoWish, Socket, crypto};
use jumbo_ext_files::wait::{self, For};
use jumbo_value::convert;
use rustix::net::{AddressFamily, SocketAddrAny, SocketAddrUnix, SocketFlags, SocketType, sockopt};
use std::io;
use std::net::SocketAddr;
use std::os::fd::OwnedFd;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    Tcp,
    Udp,
    Unix,
    Udg,
}

impl Transport {
    /// `stream_type` of the metadata.
    pub fn kind(self) -> &'static str {
        match self {
            Transport::Tcp => "tcp_socket/ssl",
            Transport::Udp => "udp_socket",
            Transport::Unix => "unix_socket",
            Transport::Udg => "udg_socket",
        }
    }
    /// By the word in the metadata.
    pub fn of_kind(kind: &str) -> Option<Transport> {
        [Transport::Tcp, Transport::Udp, Transport::Unix, Transport::Udg].into_iter().find(|t| t.kind() == kind)
    }
    fn socket_type(self) -> SocketType {
        match self {
            Transport::Tcp | Transport::Unix => SocketType::STREAM,
            Transport::Udp | Transport::Udg => SocketType::DGRAM,
        }
    }
    fn is_local(self) -> bool {
        matches!(self, Transport::Unix | Transport::Udg)
    }
}

/// Why there is no socket: number and text, as the functions hand them out.
pub struct Refused {
    pub code: i64,
    pub text: Vec<u8>,
}

impl Refused {
    fn text(text: impl AsRef<[u8]>) -> Refused {
        Refused { code: 0, text: text.as_ref().to_vec() }
    }
    fn os(e: impl Into<io::Error>) -> Refused {
        let e = e.into();
        Refused { code: i64::from(e.raw_os_error().unwrap_or(0)), text: os_error_text(&e) }
    }
}

/// An address with its transport; without one it is TCP. With the method of encryption, if it is encrypted.
pub fn split(address: &[u8]) -> Result<(Transport, Option<i64>, &[u8]), Refused> {
    let Some(at) = address.windows(3).position(|w| w == b"://") else { return Ok((Transport::Tcp, None, address)) };
    let (scheme, rest) = (&address[..at], &address[at + 3..]);
    let encrypted = crypto().and_then(|crypto| crypto.transports.iter().find(|(name, _)| name.as_bytes() == scheme));
    if let Some((_, method)) = encrypted {
        return Ok((Transport::Tcp, Some(*method), rest));
    }
    let transport = match scheme {
        b"tcp" => Transport::Tcp,
        b"udp" => Transport::Udp,
        b"unix" => Transport::Unix,
        b"udg" => Transport::Udg,
        _ => {
            let head = b"Unable to find the socket transport \"".as_slice();
            return Err(Refused::text([head, scheme, b"\" - did you forget to enable it when you configured PHP?"].concat()));
        }
    };
    Ok((transport, None, rest))
}

/// `host:port`, `[v6]:port`.
fn host_and_port(text: &[u8]) -> Result<(&[u8], u16), Refused> {
    let bad = || Refused::text([b"Failed to parse address \"".as_slice(), text, b"\""].concat());
    let colon = match text.first() {
        Some(b'[') if text.len() > 1 => {
            let end = text.iter().position(|b| *b == b']').ok_or_else(|| {
                Refused::text([b"Failed to parse IPv6 address \"".as_slice(), text, b"\""].concat())
            })?;
            (text.get(end + 1) == Some(&b':')).then_some(end + 1).ok_or_else(bad)?
        }
        _ => text.iter().rposition(|b| *b == b':').ok_or_else(bad)?,
    };
    let digits: String = text[colon + 1..].iter().take_while(|b| b.is_ascii_digit()).map(|b| *b as char).collect();
    // Numbers beyond 16 bits are cut, as in C.
    let port = digits.parse::<u64>().unwrap_or(0) as u16;
    Ok((&text[..colon], port))
}

enum Place {
    Inet(SocketAddr),
    Local(SocketAddrUnix),
}

/// All places that an address means. A name that is not known gives a warning as well.
fn places(cx: &mut Cx, transport: Transport, rest: &[u8]) -> Res<Result<Vec<Place>, Refused>> {
    if transport.is_local() {
        // The longest path of sockaddr_un.
        let mut path = rest;
        if path.len() > 107 {
            path = &path[..107];
            cx.notice("socket path exceeded the maximum allowed length of 108 bytes and was truncated")?;
        }
        let made = match path.strip_prefix(b"\0") {
            Some(name) => SocketAddrUnix::new_abstract_name(name),
            None => SocketAddrUnix::new(jumbo_abi::stream::path_buf(cx, path)),
        };
        return Ok(made.map(|a| vec![Place::Local(a)]).map_err(Refused::os));
    }
    let (host, port) = match host_and_port(rest) {
        Ok(found) => found,
        Err(refused) => return Ok(Err(refused)),
    };
    if host.contains(&0) {
        return Ok(Err(Refused::text("The hostname must not contain null bytes")));
    }
    let found = resolve(cx, host, port);
    if found.is_empty() {
        let text = [b"php_network_getaddresses: getaddrinfo for ".as_slice(), host, b" failed: Name or service not known"].concat();
        cx.warning(&text)?;
        return Ok(Err(Refused { code: 0, text }));
    }
    Ok(Ok(found.into_iter().map(Place::Inet).collect()))
}

fn option(context: Option<&PResource>, name: &[u8]) -> Option<Value> {
    context?.native::<Context>()?.option(b"socket", name)
}

fn flag(context: Option<&PResource>, name: &[u8]) -> bool {
    option(context, name).is_some_and(|v| convert::to_bool(&v))
}

fn new_socket(transport: Transport, place: &Place) -> rustix::io::Result<OwnedFd> {
    let family = match place {
        Place::Inet(SocketAddr::V4(_)) => AddressFamily::INET,
        Place::Inet(SocketAddr::V6(_)) => AddressFamily::INET6,
        Place::Local(_) => AddressFamily::UNIX,
    };
    rustix::net::socket_with(family, transport.socket_type(), SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, None)
}

/// Connects, trying all addresses of the name. `timeout`: for each. `later`: does not wait for the connection.
pub fn client(
    cx: &mut Cx,
    address: &[u8],
    timeout: Option<Duration>,
    later: bool,
    context: Option<&PResource>,
) -> Res<Result<Socket, Refused>> {
    let (transport, method, rest) = match split(address) {
        Ok(found) => found,
        Err(refused) => return Ok(Err(refused)),
    };
    let places = match places(cx, transport, rest)? {
        Ok(places) => places,
        Err(refused) => return Ok(Err(refused)),
    };
    let host = host_and_port(rest).map(|(host, _)| host.to_vec()).unwrap_or_default();
    let bind_to = option(context, b"bindto").and_then(|v| v.as_str().cloned());
    let mut last = Refused::text("");
    for place in places {
        match connect(cx, transport, &place, timeout, later, bind_to.as_ref(), context)? {
            Ok(fd) => {
                let socket = Socket::new(fd, transport.kind());
                socket.set_peer_host(&host);
                if let Some(method) = method.filter(|_| !later) {
                    let wish = client_wish(method, &socket, context.cloned(), timeout);
                    if encrypt(cx, &socket, &wish)? != Some(true) {
                        cx.warning("Failed to enable crypto")?;
                        return Ok(Err(Refused::text("")));
                    }
                }
                return Ok(Ok(socket));
            }
            Err(refused) => last = refused,
        }
    }
    Ok(Err(last))
}

/// A client's side of a connection that is to be encrypted.
pub fn client_wish(method: i64, socket: &Socket, context: Option<PResource>, timeout: Option<Duration>) -> CryptoWish<'static> {
    let mut name = socket.peer_host();
    while name.last() == Some(&b'.') {
        name.pop();
    }
    CryptoWish { method, server: false, context, name, session: None, timeout }
}

/// `Some(true)`: it is encrypted; `Some(false)`: it cannot be, and the script was told; None: not yet.
pub fn encrypt(cx: &mut Cx, socket: &Socket, wish: &CryptoWish) -> Res<Option<bool>> {
    match crypto() {
        Some(crypto) => (crypto.enable)(cx, socket, wish),
        None => Ok(Some(false)),
    }
}

fn connect(
    cx: &mut Cx,
    transport: Transport,
    place: &Place,
    timeout: Option<Duration>,
    later: bool,
    bind_to: Option<&PStr>,
    context: Option<&PResource>,
) -> Res<Result<OwnedFd, Refused>> {
    let fd = match new_socket(transport, place) {
        Ok(fd) => fd,
        Err(e) => return Ok(Err(Refused::os(e))),
    };
    // These settings are wishes: a kernel that refuses one still connects.
    if flag(context, b"so_broadcast") {
        let _ = sockopt::set_socket_broadcast(&fd, true);
    }
    if transport == Transport::Tcp && flag(context, b"tcp_nodelay") {
        let _ = sockopt::set_tcp_nodelay(&fd, true);
    }
    if let (Some(text), Place::Inet(_)) = (bind_to, place) {
        let local = host_and_port(text.as_bytes()).ok().and_then(|(host, port)| resolve(cx, host, port).into_iter().next());
        let bound = local.is_some_and(|local| rustix::net::bind(&fd, &local).is_ok());
        if !bound {
            let text = [b"Failed to bind to '".as_slice(), text.as_bytes(), b"'"].concat();
            cx.warning(text)?;
        }
    }
    let begun = match place {
        Place::Inet(a) => rustix::net::connect(&fd, a),
        Place::Local(a) => rustix::net::connect(&fd, a),
    };
    match begun {
        Ok(()) => return Ok(Ok(fd)),
        Err(rustix::io::Errno::INPROGRESS | rustix::io::Errno::AGAIN) if later => return Ok(Ok(fd)),
        Err(rustix::io::Errno::INPROGRESS | rustix::io::Errno::AGAIN) => {}
        Err(e) => return Ok(Err(Refused::os(e))),
    }
    if !wait::until_ready(cx, &fd, For::Writing, timeout)? {
        return Ok(Err(Refused::os(rustix::io::Errno::TIMEDOUT)));
    }
    Ok(match sockopt::socket_error(&fd) {
        Ok(Ok(())) => Ok(fd),
        Ok(Err(e)) | Err(e) => Err(Refused::os(e)),
    })
}

/// Binds, and listens when asked to.
pub fn server(cx: &mut Cx, address: &[u8], listen: bool, context: Option<&PResource>) -> Res<Result<Socket, Refused>> {
    let (transport, method, rest) = match split(address) {
        Ok(found) => found,
        Err(refused) => return Ok(Err(refused)),
    };
    let places = match places(cx, transport, rest)? {
        Ok(places) => places,
        Err(refused) => return Ok(Err(refused)),
    };
    let backlog = option(context, b"backlog").map_or(32, |v| convert::to_int(&v).clamp(0, i64::from(i32::MAX)) as i32);
    let mut last = Refused::text("");
    for place in places {
        match bind(transport, &place, listen.then_some(backlog), context) {
            Ok(fd) => {
                let socket = Socket::new(fd, transport.kind());
                socket.set_accepts(method);
                return Ok(Ok(socket));
            }
            // The number stays 0 here: stock hands out the text alone.
            Err(e) => last = Refused { code: 0, ..Refused::os(e) },
        }
    }
    Ok(Err(last))
}

fn bind(transport: Transport, place: &Place, backlog: Option<i32>, context: Option<&PResource>) -> rustix::io::Result<OwnedFd> {
    let fd = new_socket(transport, place)?;
    if !transport.is_local() {
        sockopt::set_socket_reuseaddr(&fd, true)?;
        if flag(context, b"so_reuseport") {
            sockopt::set_socket_reuseport(&fd, true)?;
        }
        if flag(context, b"so_broadcast") {
            sockopt::set_socket_broadcast(&fd, true)?;
        }
        if matches!(place, Place::Inet(SocketAddr::V6(_)))
            && let Some(only) = option(context, b"ipv6_v6only")
        {
            sockopt::set_ipv6_v6only(&fd, convert::to_bool(&only))?;
        }
        if transport == Transport::Tcp && flag(context, b"tcp_nodelay") {
            sockopt::set_tcp_nodelay(&fd, true)?;
        }
    }
    match place {
        Place::Inet(a) => rustix::net::bind(&fd, a)?,
        Place::Local(a) => rustix::net::bind(&fd, a)?,
    }
    if let Some(backlog) = backlog {
        rustix::net::listen(&fd, backlog)?;
    }
    Ok(fd)
}

/// One connection to a listening socket, and who it is from.
pub fn accept(cx: &mut Cx, server: &Socket, timeout: Option<Duration>) -> Res<Result<(Socket, Option<SocketAddrAny>), Refused>> {
    loop {
        if !wait::until_ready(cx, server.fd(), For::Reading, timeout)? {
            return Ok(Err(Refused::os(rustix::io::Errno::TIMEDOUT)));
        }
        match rustix::net::acceptfrom_with(server.fd(), SocketFlags::CLOEXEC | SocketFlags::NONBLOCK) {
            Ok((fd, from)) => return Ok(Ok((Socket::new(fd, jumbo_abi::stream::Stream::kind(server)), from))),
            // Somebody else was quicker, or the other side has gone again.
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR | rustix::io::Errno::CONNABORTED) => continue,
            Err(e) => return Ok(Err(Refused::os(e))),
        }
    }
}

/// An address as text: `1.2.3.4:5`, `[::1]:5`, a path; None when it has no name.
pub fn show(address: SocketAddrAny) -> Option<Vec<u8>> {
    if let Ok(inet) = SocketAddr::try_from(address.clone()) {
        return Some(inet.to_string().into_bytes());
    }
    let local = SocketAddrUnix::try_from(address).ok()?;
    match (local.path_bytes(), local.abstract_name()) {
        (Some(path), _) => Some(path.strip_suffix(b"\0").unwrap_or(path).to_vec()),
        (None, Some(name)) if !name.is_empty() => Some([b"\0".as_slice(), name].concat()),
        _ => None,
    }
}

/// The first place of an address, for sendto.
pub fn one_place(cx: &mut Cx, transport: Transport, text: &[u8]) -> Res<Option<SocketAddrAny>> {
    let found = places(cx, transport, text)?;
    Ok(found.ok().and_then(|list| list.into_iter().next()).map(|place| match place {
        Place::Inet(a) => a.into(),
        Place::Local(a) => a.into(),
    }))
}
