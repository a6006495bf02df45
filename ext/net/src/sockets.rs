//! stream_socket_* and fsockopen: sockets as streams.

use crate::connect::{self, Refused, Transport};
use jumbo_abi::stream::{self, Opened, StreamHandle, context_argument, stream_argument};
use jumbo_abi::{Cx, OrFalse, PRef, PResource, PStr, Res, Value};
use jumbo_ext_files::socket::{CryptoWish, Socket, crypto};
use jumbo_ext_files::wait::{self, For};
use jumbo_value::HeapCharge;
use rustix::net::{RecvFlags, SendFlags, Shutdown};
use std::rc::Rc;
use std::time::Duration;

const CLIENT_PERSISTENT: i64 = 1;
const CLIENT_ASYNC: i64 = 2;
const CLIENT_CONNECT: i64 = 4;
const SERVER_LISTEN: i64 = 8;

/// A timeout in seconds; None: default_socket_timeout. Negative or endless ones wait for ever.
fn seconds(cx: &Cx, timeout: Option<f64>) -> Option<Duration> {
    let timeout = timeout.unwrap_or_else(|| cx.ini.int("default_socket_timeout") as f64);
    if timeout < 0.0 { None } else { Duration::try_from_secs_f64(timeout).ok() }
}

fn clear(error_code: Option<&PRef>, error_message: Option<&PRef>) {
    if let Some(code) = error_code {
        code.set(Value::from(0i64));
    }
    if let Some(message) = error_message {
        message.set(Value::empty_string());
    }
}

fn refused(cx: &mut Cx, why: &Refused, address: &[u8], error_code: Option<&PRef>, error_message: Option<&PRef>) -> Res<Value> {
    let reason = if why.text.is_empty() { b"Unknown error".as_slice() } else { &why.text };
    // A NUL is shown as it is written in PHP.
    let address: Vec<u8> = address.iter().flat_map(|byte| if *byte == 0 { b"\\0".as_slice() } else { std::slice::from_ref(byte) }).copied().collect();
    let text = [b"Unable to connect to ".as_slice(), &address, b" (", reason, b")"].concat();
    cx.warning(text)?;
    if let Some(code) = error_code {
        code.set(Value::from(why.code));
    }
    if let Some(message) = error_message {
        message.set(Value::from(PStr::new(&why.text)));
    }
    Ok(Value::from(false))
}

fn resource(cx: &mut Cx, socket: Socket, uri: Option<&[u8]>, context: Option<PResource>) -> Value {
    let resource = stream::to_resource(cx, Opened::new(Rc::new(socket)), b"r+", uri, "");
    if let Some(handle) = resource.native::<StreamHandle>() {
        handle.set_context(context);
    }
    Value::from(resource)
}

#[allow(clippy::too_many_arguments)]
pub fn stream_socket_client(
    cx: &mut Cx,
    address: &PStr,
    error_code: Option<&PRef>,
    error_message: Option<&PRef>,
    timeout: Option<f64>,
    flags: i64,
    context: Option<&Value>,
) -> Res<Value> {
    let context = context_argument(cx, context, 6)?;
    clear(error_code, error_message);
    let timeout = seconds(cx, timeout);
    // A persistent connection is one of this request: nothing is shared between requests here.
    let _ = CLIENT_PERSISTENT;
    let later = flags & CLIENT_ASYNC != 0 || flags & (CLIENT_CONNECT | CLIENT_PERSISTENT) == 0;
    match connect::client(cx, address.as_bytes(), timeout, later, context.as_ref())? {
        Ok(socket) => Ok(resource(cx, socket, Some(address.as_bytes()), context)),
        Err(why) => refused(cx, &why, address.as_bytes(), error_code, error_message),
    }
}

pub fn stream_socket_server(
    cx: &mut Cx,
    address: &PStr,
    error_code: Option<&PRef>,
    error_message: Option<&PRef>,
    flags: i64,
    context: Option<&Value>,
) -> Res<Value> {
    let context = context_argument(cx, context, 5)?;
    clear(error_code, error_message);
    match connect::server(cx, address.as_bytes(), flags & SERVER_LISTEN != 0, context.as_ref())? {
        Ok(socket) => Ok(resource(cx, socket, Some(address.as_bytes()), context)),
        Err(why) => refused(cx, &why, address.as_bytes(), error_code, error_message),
    }
}

/// The socket behind a stream argument.
fn with_socket<R>(cx: &mut Cx, stream: &Value, run: impl FnOnce(&mut Cx, &StreamHandle, &Socket) -> Res<R>) -> Res<Option<R>> {
    let handle = stream_argument(cx, stream, 1)?;
    let behind = handle.stream().clone();
    match behind.as_any().downcast_ref::<Socket>() {
        Some(socket) => run(cx, &handle, socket).map(Some),
        None => Ok(None),
    }
}

pub fn stream_socket_accept(cx: &mut Cx, socket: &Value, timeout: Option<f64>, peer_name: Option<&PRef>) -> Res<Value> {
    let timeout = seconds(cx, timeout);
    if let Some(peer) = peer_name {
        peer.set(Value::null());
    }
    let accepted = with_socket(cx, socket, |cx, handle, server| {
        let context = handle.context();
        let accepted = connect::accept(cx, server, timeout)?;
        let (Ok((socket, _)), Some(method)) = (&accepted, server.accepts()) else { return Ok(accepted.map(|a| (a, context))) };
        let wish =
            CryptoWish { method, server: true, context: context.clone(), name: Vec::new(), session: None, timeout: socket.timeout() };
        if connect::encrypt(cx, socket, &wish)? != Some(true) {
            cx.warning("Failed to enable crypto")?;
            return Ok(Err(Refused { code: 0, text: b"Cannot enable crypto".to_vec() }));
        }
        Ok(accepted.map(|a| (a, context)))
    })?;
    let why = match accepted {
        Some(Ok(((socket, from), context))) => {
            if let Some(peer) = peer_name {
                let name = from.and_then(connect::show).unwrap_or_default();
                peer.set(Value::from(PStr::new(&name)));
            }
            return Ok(resource(cx, socket, None, context));
        }
        Some(Err(why)) => why.text,
        None => b"Unknown error".to_vec(),
    };
    cx.warning([b"Accept failed: ".as_slice(), &why].concat())?;
    Ok(Value::from(false))
}

pub fn stream_socket_get_name(cx: &mut Cx, socket: &Value, remote: bool) -> Res<OrFalse<PStr>> {
    let name = with_socket(cx, socket, |_, _, socket| {
        let address = if remote {
            rustix::net::getpeername(socket.fd()).ok().flatten()
        } else {
            rustix::net::getsockname(socket.fd()).ok()
        };
        Ok(address.and_then(connect::show))
    })?;
    Ok(OrFalse(name.flatten().map(|n| PStr::new(&n))))
}

const OOB: i64 = 1;
const PEEK: i64 = 2;
/// What one call reads at most: the length is a limit, not a promise of memory.
const MAX_RECEIVE: usize = 1 << 26;

pub fn stream_socket_recvfrom(cx: &mut Cx, socket: &Value, length: i64, flags: i64, address: Option<&PRef>) -> Res<OrFalse<PStr>> {
    if let Some(address) = address {
        address.set(Value::null());
    }
    let Some(length) = usize::try_from(length).ok().filter(|n| *n > 0) else {
        return Err(cx.arg_value_error(2, "must be greater than 0"));
    };
    let received = with_socket(cx, socket, |cx, handle, socket| {
        // What was read ahead comes first.
        if flags & OOB == 0 && handle.unread() > 0 && flags & PEEK == 0 {
            let ahead = handle.read(cx, length.min(handle.unread()))?;
            return Ok(ahead.map(|bytes| (bytes.as_bytes().to_vec(), None)));
        }
        let mut recv_flags = RecvFlags::DONTWAIT;
        if flags & OOB != 0 {
            recv_flags |= RecvFlags::OOB;
        }
        if flags & PEEK != 0 {
            recv_flags |= RecvFlags::PEEK;
        }
        if handle.blocked.get() && !wait::until_ready(cx, socket.fd(), For::Reading, socket.timeout())? {
            return Ok(None);
        }
        let length = length.min(MAX_RECEIVE);
        let _charge = HeapCharge::for_vec::<u8>(length)?;
        let mut buffer = vec![0; length];
        match rustix::net::recvfrom(socket.fd(), &mut buffer[..], recv_flags) {
            Ok((len, _, from)) => {
                buffer.truncate(len);
                Ok(Some((buffer, from.and_then(connect::show))))
            }
            Err(_) => Ok(None),
        }
    })?;
    let Some((bytes, from)) = received.flatten() else { return Ok(OrFalse::FALSE) };
    if let (Some(address), Some(from)) = (address, from) {
        address.set(Value::from(PStr::new(&from)));
    }
    Ok(OrFalse(Some(PStr::new(&bytes))))
}

pub fn stream_socket_sendto(cx: &mut Cx, socket: &Value, data: &PStr, flags: i64, address: &PStr) -> Res<OrFalse<i64>> {
    let sent = with_socket(cx, socket, |cx, handle, socket| {
        let mut send_flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        if flags & OOB != 0 {
            send_flags |= SendFlags::OOB;
        }
        let to = if address.is_empty() {
            None
        } else {
            let transport = Transport::of_kind(jumbo_abi::stream::Stream::kind(socket)).unwrap_or(Transport::Udp);
            let text = connect::split(address.as_bytes()).map_or(address.as_bytes(), |(_, _, rest)| rest);
            let Some(place) = connect::one_place(cx, transport, text)? else {
                let text = [b"Failed to parse `".as_slice(), address.as_bytes(), b"' into a valid network address"].concat();
                cx.warning(text)?;
                return Ok(None);
            };
            Some(place)
        };
        if handle.blocked.get() {
            wait::until_ready(cx, socket.fd(), For::Writing, socket.timeout())?;
        }
        let sent = match &to {
            Some(place) => rustix::net::sendto(socket.fd(), data.as_bytes(), send_flags, place),
            None => rustix::net::send(socket.fd(), data.as_bytes(), send_flags),
        };
        match sent {
            Ok(n) => Ok(Some(n as i64)),
            Err(e) => {
                let text = jumbo_abi::stream::os_error_text(&std::io::Error::from(e));
                cx.warning([text.as_slice(), b"\n"].concat())?;
                Ok(Some(-1))
            }
        }
    })?;
    Ok(OrFalse(sent.flatten()))
}

/// Switches encryption of a connection on or off. 0: the socket does not wait, and it is not done yet.
pub fn stream_socket_enable_crypto(
    cx: &mut Cx,
    stream: &Value,
    enable: bool,
    crypto_method: Option<i64>,
    session_stream: Option<&Value>,
) -> Res<Value> {
    let handle = stream_argument(cx, stream, 1)?;
    let method = match crypto_method {
        Some(method) => method,
        None if !enable => 0,
        None => {
            let context = handle.context();
            let option = context.as_ref().and_then(|c| c.native::<stream::Context>()).and_then(|c| c.option(b"ssl", b"crypto_method"));
            match option.filter(|method| !method.is_null()) {
                Some(method) => jumbo_value::convert::to_int(&method),
                None => return Err(cx.arg_value_error(3, "must be specified when enabling encryption")),
            }
        }
    };
    let session = match session_stream {
        Some(session) => Some(stream_argument(cx, session, 4)?.stream().clone()),
        None => None,
    };
    let session = session.as_ref().and_then(|stream| stream.as_any().downcast_ref::<Socket>());
    let behind = handle.stream().clone();
    let (Some(socket), Some(crypto)) = (behind.as_any().downcast_ref::<Socket>(), crypto()) else {
        if enable {
            cx.warning("This stream does not support SSL/crypto")?;
        }
        return Ok(Value::from(false));
    };
    if !enable {
        return Ok(Value::from((crypto.disable)(cx, socket)?));
    }
    // The lowest bit says which side this is.
    let server = method & 1 == 0;
    let wish = CryptoWish { server, session, ..connect::client_wish(method, socket, handle.context(), socket.timeout()) };
    Ok(match (crypto.enable)(cx, socket, &wish)? {
        Some(done) => Value::from(done),
        None => Value::from(0i64),
    })
}

pub fn stream_socket_shutdown(cx: &mut Cx, stream: &Value, mode: i64) -> Res<bool> {
    let how = match mode {
        0 => Shutdown::Read,
        1 => Shutdown::Write,
        2 => Shutdown::Both,
        _ => return Err(cx.arg_value_error(2, "must be one of STREAM_SHUT_RD, STREAM_SHUT_WR, or STREAM_SHUT_RDWR")),
    };
    let done = with_socket(cx, stream, |_, _, socket| Ok(rustix::net::shutdown(socket.fd(), how).is_ok()))?;
    Ok(done.unwrap_or(false))
}

fn open(
    cx: &mut Cx,
    hostname: &PStr,
    port: i64,
    error_code: Option<&PRef>,
    error_message: Option<&PRef>,
    timeout: Option<f64>,
) -> Res<Value> {
    clear(error_code, error_message);
    let address = if port > 0 { [hostname.as_bytes(), format!(":{port}").as_bytes()].concat() } else { hostname.as_bytes().to_vec() };
    let timeout = seconds(cx, timeout);
    let context = context_argument(cx, None, 1)?;
    match connect::client(cx, &address, timeout, false, context.as_ref())? {
        Ok(socket) => Ok(resource(cx, socket, Some(&address), context)),
        Err(why) => {
            let shown = [hostname.as_bytes(), format!(":{port}").as_bytes()].concat();
            refused(cx, &why, &shown, error_code, error_message)
        }
    }
}

pub fn fsockopen(
    cx: &mut Cx,
    hostname: &PStr,
    port: i64,
    error_code: Option<&PRef>,
    error_message: Option<&PRef>,
    timeout: Option<f64>,
) -> Res<Value> {
    open(cx, hostname, port, error_code, error_message, timeout)
}

/// A connection that outlives the request is not kept: requests share no sockets.
pub fn pfsockopen(
    cx: &mut Cx,
    hostname: &PStr,
    port: i64,
    error_code: Option<&PRef>,
    error_message: Option<&PRef>,
    timeout: Option<f64>,
) -> Res<Value> {
    open(cx, hostname, port, error_code, error_message, timeout)
}
