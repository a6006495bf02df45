//! TLS over sockets: `ssl://`, `tls://`, stream_socket_enable_crypto().
//!
//! The connection works between two buffers ([`crate::sys::tls`]); bytes go through the socket, whose waits hold no core. What
//! the other side is to get has left before an operation returns, so that no script must ask again for what it has written.

use crate::errors;
use crate::sys::tls::{self, Connection, Step};
use crate::sys::x509::AlternativeName;
use crate::sys::{Certificate, Digest};
use crate::tls_options::{self, Options};
use crate::x509;
use jumbo_abi::stream::{Failure, Read, Tried};
use jumbo_abi::{Cx, KeyRef, PArray, PStr, Res, Value};
use jumbo_ext_files::socket::{Crypto, CryptoWish, Layer, Socket};
use jumbo_ext_files::wait::{self, For};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::net::IpAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What this extension offers to sockets.
pub static CRYPTO: Crypto = Crypto {
    transports: &[("ssl", 121), ("tls", 121), ("tlsv1.0", 9), ("tlsv1.1", 17), ("tlsv1.2", 33), ("tlsv1.3", 65)],
    enable,
    disable,
};

/// Bytes that are read from the socket at a time: one record.
const CHUNK: usize = 16_384 + 512;

struct TlsLayer {
    connection: Connection,
    /// The handshake is done: bytes are encrypted from now on.
    established: Cell<bool>,
    options: Options,
    /// The name of the server, as the address has it.
    name: Vec<u8>,
    /// Nothing more comes from the socket.
    ended: Cell<bool>,
    /// Other code of the script works on the stream while an operation waits: they take turns.
    busy: Cell<bool>,
    meta: RefCell<Option<PArray>>,
}

/// What moving bytes from the socket brought.
enum Moved {
    Some,
    /// The socket has none, and may not be waited for; or the time is over.
    Nothing,
    End,
}

impl TlsLayer {
    /// Sends what the connection has to say. False: the other side cannot be reached, or not in time.
    fn flush(&self, cx: &mut Cx, socket: &Socket, timeout: Option<Duration>) -> Res<bool> {
        loop {
            let bytes = self.connection.take_output();
            if bytes.is_empty() {
                return Ok(true);
            }
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                match socket.send(rest) {
                    Ok(n) => rest = &rest[n.min(rest.len())..],
                    Err(rustix::io::Errno::AGAIN) => {
                        if !wait::until_ready(cx, socket.fd(), For::Writing, timeout)? {
                            return Ok(false);
                        }
                    }
                    Err(rustix::io::Errno::INTR) => {}
                    Err(_) => return Ok(false),
                }
                cx.check()?;
            }
        }
    }

    /// Takes what the socket has. `wait`: for how long it may be waited; None: not at all.
    fn fetch(&self, cx: &mut Cx, socket: &Socket, wait_for: Option<Option<Duration>>) -> Res<Moved> {
        if self.ended.get() {
            return Ok(Moved::End);
        }
        if let Some(timeout) = wait_for
            && !wait::until_ready(cx, socket.fd(), For::Reading, timeout)?
        {
            return Ok(Moved::Nothing);
        }
        let mut buffer = vec![0; CHUNK];
        Ok(match socket.receive(&mut buffer) {
            Ok(0) => {
                self.ended.set(true);
                self.connection.put_end();
                Moved::End
            }
            Ok(n) => {
                self.connection.put(&buffer[..n.min(CHUNK)]);
                Moved::Some
            }
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Moved::Nothing,
            Err(_) => {
                self.ended.set(true);
                self.connection.put_end();
                Moved::End
            }
        })
    }

    /// Tells the script why an operation failed.
    fn report(&self, cx: &mut Cx, kind: i32) -> Res<()> {
        /// `SSL_ERROR_SSL`, and "no shared cipher" of the library's TLS part.
        const PROTOCOL: i32 = 1;
        const NO_SHARED_CIPHER: (u32, u32) = (20, 193);
        let codes = crate::sys::take_errors();
        if codes.is_empty() {
            return if kind == PROTOCOL { cx.warning("SSL: fatal protocol error") } else { Ok(()) };
        }
        if crate::sys::error_reason(codes[0]) == NO_SHARED_CIPHER {
            return cx.warning(
                "SSL_R_NO_SHARED_CIPHER: no suitable shared cipher could be used.  This could be because the server is missing an \
                 SSL certificate (local_cert context option)",
            );
        }
        let lines: Vec<Vec<u8>> = codes.iter().map(|code| crate::sys::error_text(*code)).collect();
        let head = format!("SSL operation failed with code {kind}. OpenSSL Error messages:\n");
        cx.warning([head.as_bytes(), &lines.join(b"\n".as_slice())].concat())
    }

    /// Runs `step` until it is done. None: it cannot be, not now, or never; the reason is the second.
    fn run<T>(
        &self,
        cx: &mut Cx,
        socket: &Socket,
        waits: bool,
        deadline: Option<Instant>,
        mut step: impl FnMut(&Connection) -> Step<T>,
    ) -> Res<Result<T, Ended>> {
        loop {
            let result = step(&self.connection);
            let left = || deadline.map(|d| d.saturating_duration_since(Instant::now()));
            // Errors are the thread's: they are looked at before anything waits.
            if let Step::Failed(kind) = result {
                let said = self.report(cx, kind);
                self.flush(cx, socket, Some(Duration::from_secs(1)))?;
                said?;
                return Ok(Err(Ended::Failed));
            }
            if !self.flush(cx, socket, left())? {
                return Ok(Err(Ended::Failed));
            }
            match result {
                Step::Done(value) => return Ok(Ok(value)),
                Step::Closed => return Ok(Err(Ended::Closed)),
                _ => {}
            }
            match self.fetch(cx, socket, waits.then(left))? {
                Moved::Some => {}
                Moved::Nothing if waits => return Ok(Err(Ended::TimedOut)),
                Moved::Nothing => return Ok(Err(Ended::WouldWait)),
                // The next step sees the end.
                Moved::End if self.ended.get() => {
                    let last = step(&self.connection);
                    return Ok(match last {
                        Step::Done(value) => Ok(value),
                        Step::Failed(kind) => {
                            self.report(cx, kind)?;
                            Err(Ended::Failed)
                        }
                        _ => Err(Ended::Closed),
                    });
                }
                Moved::End => return Ok(Err(Ended::Closed)),
            }
            cx.check()?;
        }
    }
}

/// Why an operation is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Closed,
    Failed,
    TimedOut,
    WouldWait,
}

impl Layer for TlsLayer {
    fn is_active(&self) -> bool {
        self.established.get()
    }

    fn read(&self, cx: &mut Cx, socket: &Socket, buffer: &mut [u8]) -> Tried<Read> {
        if self.busy.replace(true) {
            return Ok(Ok(Read { len: 0, eof: false }));
        }
        let waits = socket.is_blocking();
        let deadline = socket.timeout().and_then(|t| Instant::now().checked_add(t));
        let result = self.run(cx, socket, waits, deadline, |connection| connection.read(buffer));
        self.busy.set(false);
        let result = result?;
        socket.set_timed_out(result == Err(Ended::TimedOut));
        Ok(Ok(match result {
            Ok(len) => Read { len, eof: false },
            Err(Ended::TimedOut | Ended::WouldWait) => Read { len: 0, eof: false },
            Err(Ended::Closed | Ended::Failed) => Read { len: 0, eof: true },
        }))
    }

    fn write(&self, cx: &mut Cx, socket: &Socket, bytes: &[u8]) -> Tried<usize> {
        let waits = socket.is_blocking();
        if self.busy.get() || !waits && !socket.has_room() {
            return Ok(Err(std::io::Error::from(std::io::ErrorKind::WouldBlock).into()));
        }
        self.busy.set(true);
        let deadline = socket.timeout().and_then(|t| Instant::now().checked_add(t));
        // One record at a time, so that little waits for room when the script does not want to.
        let piece = &bytes[..bytes.len().min(16_384)];
        let result = self.run(cx, socket, waits, deadline, |connection| connection.write(piece));
        self.busy.set(false);
        Ok(match result? {
            Ok(len) => Ok(len),
            Err(Ended::TimedOut | Ended::WouldWait) => Err(std::io::Error::from(std::io::ErrorKind::WouldBlock).into()),
            Err(Ended::Closed | Ended::Failed) => Err(Failure::Reported),
        })
    }

    fn ahead(&self) -> bool {
        let step = self.connection.peek();
        errors::discard();
        !matches!(step, Step::NeedsInput)
    }

    fn alive(&self, cx: &mut Cx, socket: &Socket) -> bool {
        if self.busy.get() {
            return true;
        }
        for _ in 0..2 {
            let step = self.connection.peek();
            errors::discard();
            match step {
                Step::Done(_) => return true,
                Step::Closed | Step::Failed(_) => return false,
                Step::NeedsInput => {}
            }
            match self.fetch(cx, socket, None) {
                Ok(Moved::Some | Moved::End) => {}
                Ok(Moved::Nothing) | Err(_) => return true,
            }
        }
        !self.ended.get()
    }

    fn close(&self, cx: &mut Cx, socket: &Socket) -> Res<()> {
        if self.established.replace(false) && !self.busy.get() {
            self.connection.shutdown();
            // The other side may have gone: nobody waits for it.
            for bytes in std::iter::once(self.connection.take_output()).filter(|bytes| !bytes.is_empty()) {
                let _ = socket.send(&bytes);
            }
        }
        errors::store(cx);
        Ok(())
    }

    fn metadata(&self, to: &mut PArray) {
        if let Some(meta) = &*self.meta.borrow() {
            to.set_bytes(b"crypto", meta.clone());
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn layer_of(socket: &Socket) -> Option<Rc<dyn Layer>> {
    socket.layer()
}

/// Begins a connection. None: it cannot be; the script was told.
fn begin(cx: &mut Cx, wish: &CryptoWish) -> Res<Option<Rc<TlsLayer>>> {
    let options = Options::new(wish.context.clone());
    let method = match options.get("crypto_method") {
        Some(value) if wish.method == 121 && !value.is_null() => jumbo_value::convert::to_int(&value),
        _ => wish.method,
    };
    let Some(context) = tls_options::context(cx, &options, wish.server, method)? else { return Ok(None) };
    let other = wish.session.as_ref().and_then(|socket| socket.layer());
    let other = other.as_ref().and_then(|layer| layer.as_any().downcast_ref::<TlsLayer>());
    let Some(connection) = Connection::new(Rc::new(context), other.map(|layer| &layer.connection)) else {
        errors::store(cx);
        cx.warning("SSL handle creation failure")?;
        return Ok(None);
    };
    let name = wish.name.clone();
    if !wish.server && options.flag("SNI_enabled", true) {
        match options.text(cx, "peer_name")? {
            Some(peer) => connection.set_server_name(peer.as_bytes()),
            None if !name.is_empty() => connection.set_server_name(&name),
            None => {}
        }
    }
    errors::discard();
    Ok(Some(Rc::new(TlsLayer {
        connection,
        established: Cell::new(false),
        options,
        name,
        ended: Cell::new(false),
        busy: Cell::new(false),
        meta: RefCell::new(None),
    })))
}

/// Encrypts a connection. `Some(true)`: done; `Some(false)`: it did not succeed, and the script was told; None: not yet.
fn enable(cx: &mut Cx, socket: &Socket, wish: &CryptoWish) -> Res<Option<bool>> {
    let begun = layer_of(socket).filter(|layer| !layer.is_active());
    let layer = match begun {
        Some(layer) => layer,
        None => match begin(cx, wish)? {
            Some(layer) => {
                let layer: Rc<dyn Layer> = layer;
                socket.set_layer(Some(layer.clone()));
                layer
            }
            None => return Ok(Some(false)),
        },
    };
    let Some(tls) = layer.as_any().downcast_ref::<TlsLayer>() else { return Ok(Some(false)) };
    let waits = socket.is_blocking();
    let deadline = wish.timeout.and_then(|t| Instant::now().checked_add(t));
    tls.busy.set(true);
    let result = tls.run(cx, socket, waits, deadline, Connection::handshake);
    tls.busy.set(false);
    match result? {
        Ok(_) => {}
        Err(Ended::WouldWait) => return Ok(None),
        Err(why) => {
            if why == Ended::TimedOut {
                cx.warning("SSL: Handshake timed out")?;
            }
            socket.set_layer(None);
            return Ok(Some(false));
        }
    }
    let peer = tls.connection.peer();
    capture(cx, tls, peer.as_ref())?;
    if !accept_peer(cx, tls, peer)? {
        tls.connection.shutdown();
        tls.flush(cx, socket, Some(Duration::from_secs(1)))?;
        errors::discard();
        socket.set_layer(None);
        return Ok(Some(false));
    }
    *tls.meta.borrow_mut() = Some(meta(&tls.connection));
    tls.established.set(true);
    errors::discard();
    Ok(Some(true))
}

/// Ends the encryption, and leaves the socket open.
fn disable(cx: &mut Cx, socket: &Socket) -> Res<bool> {
    let Some(layer) = layer_of(socket).filter(|layer| layer.is_active()) else { return Ok(false) };
    layer.close(cx, socket)?;
    socket.set_layer(None);
    Ok(true)
}

/// What stream_get_meta_data() tells about the encryption.
fn meta(connection: &Connection) -> PArray {
    let mut out = PArray::new();
    out.set_bytes(b"protocol", connection.protocol());
    if let Some((name, bits, version)) = connection.cipher() {
        out.set_bytes(b"cipher_name", PStr::new(&name));
        out.set_bytes(b"cipher_bits", bits);
        out.set_bytes(b"cipher_version", PStr::new(&version));
    }
    if let Some(protocol) = connection.application_protocol() {
        out.set_bytes(b"alpn_protocol", PStr::new(&protocol));
    }
    out
}

/// Gives the script the certificates that it asked for.
fn capture(cx: &mut Cx, tls: &TlsLayer, peer: Option<&Certificate>) -> Res<()> {
    if tls.options.flag("capture_peer_cert", false)
        && let Some(peer) = peer
    {
        let object = x509::new(cx, peer.share())?;
        tls.options.set("peer_certificate", Value::from(object));
    }
    if tls.options.flag("capture_peer_cert_chain", false) {
        let mut chain = PArray::new();
        for certificate in tls.connection.peer_chain() {
            chain.append(x509::new(cx, certificate)?);
        }
        tls.options.set("peer_certificate_chain", if chain.is_empty() { Value::null() } else { Value::from(chain) });
    }
    Ok(())
}

/// May this be the other side? False: no; the script was told.
fn accept_peer(cx: &mut Cx, tls: &TlsLayer, peer: Option<Certificate>) -> Res<bool> {
    /// A self-signed certificate that is not known.
    const SELF_SIGNED: i64 = 18;
    let server = tls.connection.is_server();
    let options = &tls.options;
    let verify = options.verifies(server);
    let verify_name = options.flag("verify_peer_name", !server);
    let fingerprint = options.get("peer_fingerprint");
    if !verify && !verify_name && fingerprint.is_none() {
        return Ok(true);
    }
    let Some(peer) = peer else {
        cx.warning("Could not get peer certificate")?;
        return Ok(false);
    };
    if verify {
        let (code, why) = tls.connection.verified();
        if code != 0 && !(code == SELF_SIGNED && options.allows_self_signed()) {
            cx.warning([format!("Could not verify peer: code:{code} ").as_bytes(), &why].concat())?;
            return Ok(false);
        }
    }
    if let Some(fingerprint) = fingerprint {
        let wanted = fingerprint.deref();
        let matches = if let Some(text) = wanted.as_str() {
            fingerprint_matches(&peer, text)
        } else if let Some(list) = wanted.as_array() {
            fingerprints_match(cx, &peer, &list.clone())?
        } else {
            cx.warning("Expected peer fingerprint must be a string or an array")?;
            return Ok(false);
        };
        if !matches {
            cx.warning("peer_fingerprint match failure")?;
            return Ok(false);
        }
    }
    if verify_name {
        let name = match options.text(cx, "peer_name")? {
            Some(name) => name.as_bytes().to_vec(),
            None if !server => tls.name.clone(),
            None => return Ok(false),
        };
        if name.is_empty() {
            return Ok(false);
        }
        return Ok(has_alternative_name(&peer, &name) || has_common_name(cx, &peer, &name)?);
    }
    Ok(true)
}

fn fingerprint_is(peer: &Certificate, algorithm: &[u8], wanted: &PStr) -> bool {
    let found = Digest::by_name(algorithm).and_then(|digest| peer.fingerprint(digest));
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let is_shown_by = |(byte, digits): (&u8, &[u8; 2])| digit(digits[0]) == Some(u32::from(byte >> 4)) && digit(digits[1]) == Some(u32::from(byte & 15));
    let (wanted, []) = wanted.as_bytes().as_chunks::<2>() else { return false };
    found.is_some_and(|bytes| bytes.len() == wanted.len() && bytes.iter().zip(wanted).all(is_shown_by))
}

/// The length of a fingerprint says which one it is.
fn fingerprint_matches(peer: &Certificate, wanted: &PStr) -> bool {
    match wanted.len() {
        32 => fingerprint_is(peer, b"md5", wanted),
        40 => fingerprint_is(peer, b"sha1", wanted),
        _ => false,
    }
}

fn fingerprints_match(cx: &mut Cx, peer: &Certificate, list: &PArray) -> Res<bool> {
    const FORM: &str = "Invalid peer_fingerprint array; [algo => fingerprint] form required";
    if list.is_empty() {
        cx.warning(FORM)?;
        return Ok(false);
    }
    for (name, value) in list.iter() {
        let (KeyRef::Str(name), Some(wanted)) = (name, value.deref().as_str()) else {
            cx.warning(FORM)?;
            return Ok(false);
        };
        if !fingerprint_is(peer, name.as_bytes(), wanted) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn has_alternative_name(peer: &Certificate, name: &[u8]) -> bool {
    let bare = name.strip_prefix(b"[").and_then(|n| n.strip_suffix(b"]")).unwrap_or(name);
    let address = std::str::from_utf8(bare).ok().and_then(|text| text.parse::<IpAddr>().ok());
    peer.alternative_names().iter().any(|alternative| match alternative {
        // A name with a NUL in it is there to deceive.
        AlternativeName::Dns(dns) => !dns.contains(&0) && tls::matches_wildcard(name, dns.strip_suffix(b".").unwrap_or(dns)),
        AlternativeName::Address(bytes) => match address {
            Some(IpAddr::V4(v4)) => v4.octets().as_slice() == bytes.as_slice(),
            Some(IpAddr::V6(v6)) => v6.octets().as_slice() == bytes.as_slice(),
            None => false,
        },
    })
}

fn has_common_name(cx: &mut Cx, peer: &Certificate, name: &[u8]) -> Res<bool> {
    let Some(common) = peer.common_name() else {
        cx.warning("Unable to locate peer certificate CN")?;
        return Ok(false);
    };
    if common.contains(&0) {
        cx.warning([b"Peer certificate CN=`".as_slice(), &common, b"' is malformed"].concat())?;
        return Ok(false);
    }
    if tls::matches_wildcard(name, &common) {
        return Ok(true);
    }
    cx.warning([b"Peer certificate CN=`".as_slice(), &common, b"' did not match expected CN=`", name, b"'"].concat())?;
    Ok(false)
}
