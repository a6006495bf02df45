//! `http://` and `https://`: requests as streams, with redirections, chunked bodies, proxies and notifications.
//!
//! A connection serves one request. Waiting is the socket's, which waits without blocking the executor. Encryption is the affair
//! of the extension that brings it, and registers `https://`.

use crate::connect;
use jumbo_abi::stream::{
    Context, Failure, OpenOptions, Opened, Read, Stream, StreamHandle, Tried, Wrapper, WrapperDesc, context_argument, default_context,
};
use jumbo_abi::{Cx, OrFalse, PArray, PResource, PStr, Res, Value, View};
use jumbo_ext_files::file;
use jumbo_ext_files::socket::Socket;
use jumbo_ext_strings::pure::url::{Url, parse_url, raw_url_decode};
use jumbo_value::{PStrBuilder, convert};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

pub struct Http;

pub const WRAPPER: WrapperDesc = WrapperDesc { scheme: "http", make: || Rc::new(Http) };

/// For the extension that encrypts.
pub const WRAPPER_HTTPS: WrapperDesc = WrapperDesc { scheme: "https", make: || Rc::new(Http) };

/// Longest head of a response.
const MAX_HEAD: usize = 1 << 20;
const DEFAULT_REDIRECTS: i64 = 20;
const FORM: &[u8] = b"application/x-www-form-urlencoded";

/// Lines of the last response's head.
#[derive(Default)]
struct LastHeaders(Option<PArray>);

/// What the context says about the request.
struct Wish {
    method: PStr,
    headers: PStr,
    user_agent: Option<PStr>,
    content: Option<PStr>,
    protocol: String,
    ignore_errors: bool,
    /// `follow_location`, when the context has it.
    follow: Option<bool>,
    redirects: i64,
    timeout: Option<Duration>,
    /// Where to connect to instead of the server.
    proxy: Option<PStr>,
    full_uri: bool,
}

/// Seconds above this many do not fit PHP's microseconds.
const TIMEOUT_MAX: f64 = 9_223_372_036_854.0;

/// What a stream notification callback is told: `STREAM_NOTIFY_*`.
#[derive(Clone, Copy)]
enum Notice {
    Connect = 2,
    MimeType = 4,
    FileSize = 5,
    Redirected = 6,
    Progress = 7,
    Completed = 8,
    Failure = 9,
}

/// Calls the context's notification callback, if it has one.
fn notify(cx: &mut Cx, context: Option<&PResource>, what: Notice, message: Option<&[u8]>, code: i64, (sofar, max): (u64, u64)) -> Res<()> {
    /// `STREAM_NOTIFY_SEVERITY_ERR`.
    const ERROR: i64 = 2;
    let callback = context.and_then(|c| c.native::<Context>()).and_then(|c| c.notification.borrow().clone());
    let Some(callback) = callback else { return Ok(()) };
    let severity = if matches!(what, Notice::Failure) { ERROR } else { 0 };
    let message = message.map_or_else(Value::null, |text| Value::from(PStr::new(text)));
    let arguments = [
        Value::from(what as i64),
        Value::from(severity),
        message,
        Value::from(code),
        Value::from(sofar as i64),
        Value::from(max as i64),
    ];
    cx.call_value(&callback, &arguments)?;
    Ok(())
}

fn option(context: Option<&PResource>, name: &[u8]) -> Option<Value> {
    context?.native::<Context>()?.option(b"http", name)
}

impl Wish {
    fn read(cx: &mut Cx, context: Option<&PResource>) -> Res<Wish> {
        let text = |cx: &mut Cx, name: &[u8]| match option(context, name) {
            Some(v) if !v.is_null() => cx.to_string(v.deref()).map(Some),
            _ => Ok(None),
        };
        let method = text(cx, b"method")?.filter(|m| !m.is_empty()).unwrap_or_else(|| PStr::new(b"GET"));
        let headers = match option(context, b"header") {
            None => PStr::empty(),
            Some(v) => match v.view_deref() {
                View::Array(list) => {
                    let mut lines = PStrBuilder::new();
                    for (n, line) in list.clone().values().filter_map(|line| line.deref().as_str()).enumerate() {
                        if n > 0 {
                            lines.extend(b"\r\n")?;
                        }
                        lines.extend(line.as_bytes().trim_ascii())?;
                    }
                    lines.finish()
                }
                View::Str(s) => PStr::new(s.as_bytes().trim_ascii()),
                _ => PStr::empty(),
            },
        };
        let from_setting = |cx: &Cx, name| Some(PStr::new(cx.ini.str(name))).filter(|v| !v.is_empty());
        let user_agent = match text(cx, b"user_agent")? {
            Some(agent) => Some(agent),
            None => from_setting(cx, "user_agent"),
        };
        let protocol = option(context, b"protocol_version").map_or(1.1, |v| convert::to_float(&v));
        let proxy = text(cx, b"proxy")?.filter(|proxy| !proxy.is_empty());
        let seconds = option(context, b"timeout").map_or(cx.ini.int("default_socket_timeout") as f64, |v| convert::to_float(&v));
        Ok(Wish {
            method,
            headers,
            user_agent,
            content: text(cx, b"content")?.filter(|c| !c.is_empty()),
            protocol: format!("{protocol:.1}"),
            ignore_errors: option(context, b"ignore_errors").is_some_and(|v| convert::to_bool(&v)),
            follow: option(context, b"follow_location").map(|v| convert::to_bool(&v)),
            redirects: option(context, b"max_redirects").map_or(DEFAULT_REDIRECTS, |v| convert::to_int(&v)),
            timeout: if seconds < 0.0 { None } else { Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)) },
            proxy,
            full_uri: option(context, b"request_fulluri").is_some_and(|v| convert::to_bool(&v)),
        })
    }

    /// The script's own headers have this one.
    fn has(&self, name: &[u8]) -> bool {
        // Only CR LF ends a line.
        let mut starts = std::iter::once(0).chain(memchr_crlf(&self.headers).map(|at| at + 2));
        starts.any(|at| {
            let line = &self.headers[at..];
            line.len() > name.len() && line[..name.len()].eq_ignore_ascii_case(name) && line[name.len()] == b':'
        })
    }

    /// Takes out what describes a content that is not sent again.
    fn drop_content_headers(&mut self) -> Res<()> {
        let of_content = |line: &&[u8]| {
            let lower = line.to_ascii_lowercase();
            lower.starts_with(b"content-type:") || lower.starts_with(b"content-length:")
        };
        let mut kept = PStrBuilder::new();
        for (n, line) in self.headers.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|l| !of_content(l)).enumerate() {
            if n > 0 {
                kept.extend(b"\r\n")?;
            }
            kept.extend(line)?;
        }
        self.headers = kept.finish();
        Ok(())
    }

    fn request(&self, cx: &mut Cx, address: &[u8], url: &Url, host: &[u8]) -> Res<PStrBuilder> {
        let mut out = PStrBuilder::new();
        out.extend(&self.method)?;
        out.push(b' ')?;
        if self.full_uri && self.proxy.is_some() {
            out.extend(address)?;
            return self.after_path(cx, url, host, out);
        }
        out.extend(url.path.as_deref().filter(|p| !p.is_empty()).unwrap_or(b"/"))?;
        if let Some(query) = &url.query {
            out.push(b'?')?;
            out.extend(query)?;
        }
        self.after_path(cx, url, host, out)
    }

    /// The rest of a request whose method and path are written.
    fn after_path(&self, cx: &mut Cx, url: &Url, host: &[u8], mut out: PStrBuilder) -> Res<PStrBuilder> {
        write!(out, " HTTP/{}\r\n", self.protocol)?;
        if let Some(user) = &url.user
            && !self.has(b"Authorization")
        {
            let password = raw_url_decode(url.password.as_deref().unwrap_or_default())?;
            let pair = PStr::concat(&[&raw_url_decode(user)?, b":", &password]);
            for part in [b"Authorization: Basic ".as_slice(), &jumbo_ext_strings::pure::encode::base64_encode(&pair)?, b"\r\n"] {
                out.extend(part)?;
            }
        }
        let from = cx.ini.str("from").to_vec();
        if !from.is_empty() && !self.has(b"From") {
            for part in [b"From: ".as_slice(), &from, b"\r\n"] {
                out.extend(part)?;
            }
        }
        if !self.has(b"Host") {
            for part in [b"Host: ".as_slice(), host, b"\r\n"] {
                out.extend(part)?;
            }
        }
        if !self.has(b"Connection") {
            out.extend(b"Connection: close\r\n")?;
        }
        if let Some(agent) = &self.user_agent
            && !self.has(b"User-Agent")
        {
            for part in [b"User-Agent: ".as_slice(), agent, b"\r\n"] {
                out.extend(part)?;
            }
        }
        if let Some(content) = &self.content
            && !self.has(b"Content-Length")
        {
            write!(out, "Content-Length: {}\r\n", content.len())?;
        }
        if !self.headers.is_empty() {
            out.extend(&self.headers)?;
            out.extend(b"\r\n")?;
        }
        if let Some(content) = &self.content {
            if !self.has(b"Content-Type") {
                for part in [b"Content-Type: ".as_slice(), FORM, b"\r\n"] {
                    out.extend(part)?;
                }
                cx.notice([b"Content-type not specified assuming ".as_slice(), FORM].concat())?;
            }
            out.extend(b"\r\n")?;
            out.extend(content)?;
        } else {
            out.extend(b"\r\n")?;
        }
        Ok(out)
    }
}

/// Where CR LF stands.
fn memchr_crlf(text: &[u8]) -> impl Iterator<Item = usize> {
    text.windows(2).enumerate().filter(|(_, pair)| *pair == b"\r\n").map(|(at, _)| at)
}

/// How much of a body is left.
enum Left {
    /// Until the other side closes.
    Unknown,
    Bytes(u64),
    /// Chunked: bytes of the chunk at hand; None: a head of a chunk comes.
    Chunk(Option<u64>),
    Nothing,
}

/// The body of a response.
struct Body {
    socket: Socket,
    /// Read already.
    ahead: RefCell<Vec<u8>>,
    left: RefCell<Left>,
    closed: Cell<bool>,
    /// Whom to tell about progress.
    context: Option<PResource>,
    sofar: Cell<u64>,
    /// `Content-Length`, 0 when it is not known.
    max: Cell<u64>,
}

impl Body {
    /// Reads more from the socket. False: nothing more comes, at least not in time.
    fn fill(&self, cx: &mut Cx) -> Res<bool> {
        let mut buffer = [0; 8192];
        match self.socket.read(cx, &mut buffer)? {
            Ok(read) => {
                self.ahead.borrow_mut().extend_from_slice(&buffer[..read.len]);
                if read.eof {
                    self.closed.set(true);
                }
                Ok(read.len > 0)
            }
            Err(_) => {
                self.closed.set(true);
                Ok(false)
            }
        }
    }

    /// Up to `want` bytes that were read already, or of one more read.
    fn take(&self, cx: &mut Cx, buffer: &mut [u8]) -> Res<usize> {
        if self.ahead.borrow().is_empty() && !self.closed.get() {
            self.fill(cx)?;
        }
        let mut ahead = self.ahead.borrow_mut();
        let len = ahead.len().min(buffer.len());
        buffer[..len].copy_from_slice(&ahead[..len]);
        ahead.drain(..len);
        Ok(len)
    }

    /// A line with its end. None: there is none within reason.
    fn line(&self, cx: &mut Cx) -> Res<Option<Vec<u8>>> {
        loop {
            {
                let mut ahead = self.ahead.borrow_mut();
                if let Some(end) = ahead.iter().position(|b| *b == b'\n') {
                    return Ok(Some(ahead.drain(..=end).collect()));
                }
                if ahead.len() > MAX_HEAD {
                    return Ok(None);
                }
            }
            if self.closed.get() || !self.fill(cx)? {
                return Ok(None);
            }
            cx.check()?;
        }
    }

    /// The size that begins a chunk.
    fn chunk_size(&self, cx: &mut Cx) -> Res<Option<u64>> {
        let Some(mut line) = self.line(cx)? else { return Ok(None) };
        if line.trim_ascii().is_empty() {
            // The end of the chunk before.
            match self.line(cx)? {
                Some(next) => line = next,
                None => return Ok(None),
            }
        }
        let digits: String = line.iter().take_while(|b| b.is_ascii_hexdigit()).map(|b| *b as char).collect();
        Ok(u64::from_str_radix(&digits, 16).ok())
    }
}

impl Stream for Body {
    fn kind(&self) -> &'static str {
        "tcp_socket/ssl"
    }
    fn read(&self, cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read> {
        if matches!(*self.left.borrow(), Left::Chunk(None)) {
            let size = self.chunk_size(cx)?;
            *self.left.borrow_mut() = match size {
                Some(n) if n > 0 => Left::Chunk(Some(n)),
                _ => Left::Nothing,
            };
        }
        let limit = match *self.left.borrow() {
            Left::Unknown => u64::MAX,
            Left::Bytes(n) | Left::Chunk(Some(n)) => n,
            Left::Nothing | Left::Chunk(None) => 0,
        };
        let want = buffer.len().min(usize::try_from(limit).unwrap_or(usize::MAX));
        let len = if want == 0 { 0 } else { self.take(cx, &mut buffer[..want])? };
        let mut left = self.left.borrow_mut();
        match &mut *left {
            Left::Bytes(n) => *n -= len as u64,
            Left::Chunk(Some(n)) => {
                *n -= len as u64;
                if *n == 0 {
                    *left = Left::Chunk(None);
                }
            }
            _ => {}
        }
        let at_end = match *left {
            Left::Nothing | Left::Bytes(0) => true,
            _ => self.closed.get() && self.ahead.borrow().is_empty(),
        };
        drop(left);
        if len > 0 && self.context.is_some() {
            self.sofar.set(self.sofar.get() + len as u64);
            let progress = (self.sofar.get(), self.max.get());
            notify(cx, self.context.as_ref(), Notice::Progress, None, 0, progress)?;
            if progress.1 > 0 && progress.0 >= progress.1 {
                notify(cx, self.context.as_ref(), Notice::Completed, None, 0, progress)?;
            }
        }
        Ok(Ok(Read { len, eof: at_end }))
    }
    fn write(&self, _cx: &mut Cx, _bytes: &[u8]) -> Tried<usize> {
        Ok(Err(Failure::Reported))
    }
    fn set_timeout(&self, cx: &mut Cx, timeout: Duration) -> Res<bool> {
        self.socket.set_timeout(cx, timeout)
    }
    fn set_blocking(&self, cx: &mut Cx, blocking: bool) -> Res<Option<bool>> {
        self.socket.set_blocking(cx, blocking)
    }
    fn timed_out(&self) -> bool {
        self.socket.timed_out()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn is_https(url: &Url) -> bool {
    url.scheme.as_ref().is_some_and(|s| s.eq_ignore_ascii_case(b"https"))
}

/// Asks a proxy for a tunnel to the server, and encrypts it. False: there is none.
fn tunnel(cx: &mut Cx, socket: &Socket, wish: &Wish, host: &[u8], port: u16, context: Option<&PResource>) -> Res<bool> {
    let mut text = PStrBuilder::new();
    text.extend(b"CONNECT ")?;
    text.extend(host)?;
    write!(text, ":{port} HTTP/1.0\r\n")?;
    for line in wish.headers.split(|b| *b == b'\n').map(<[u8]>::trim_ascii) {
        if line.len() > 20 && line[..20].eq_ignore_ascii_case(b"Proxy-Authorization:") {
            text.extend(line)?;
            text.extend(b"\r\n")?;
        }
    }
    text.extend(b"\r\n")?;
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match socket.write(cx, rest)? {
            Ok(n) if n > 0 => rest = &rest[n.min(rest.len())..],
            _ => return Ok(false),
        }
    }
    // The head of the answer, byte by byte: what follows it is the server's.
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") && head.len() < MAX_HEAD {
        let mut one = [0; 1];
        match socket.read(cx, &mut one)? {
            Ok(read) if read.len == 1 => head.push(one[0]),
            _ => return Ok(false),
        }
        cx.check()?;
    }
    socket.set_peer_host(host);
    /// `STREAM_CRYPTO_METHOD_TLS_CLIENT`.
    const TLS_CLIENT: i64 = 121;
    let crypto = connect::client_wish(TLS_CLIENT, socket, context.cloned(), wish.timeout);
    let done = connect::encrypt(cx, socket, &crypto)? == Some(true);
    if !done {
        cx.warning("Cannot connect to HTTPS server through proxy")?;
    }
    Ok(done)
}

/// `Location`, relative to the URL that was asked for.
fn resolve(base: &Url, location: &[u8]) -> Vec<u8> {
    let lower = location.to_ascii_lowercase();
    if lower.starts_with(b"http://") || lower.starts_with(b"https://") {
        return location.to_vec();
    }
    let mut out = if is_https(base) { b"https:".to_vec() } else { b"http:".to_vec() };
    if location.starts_with(b"//") {
        out.extend_from_slice(location);
        return out;
    }
    out.extend_from_slice(b"//");
    out.extend_from_slice(base.host.as_deref().unwrap_or_default());
    if let Some(port) = base.port {
        out.extend_from_slice(format!(":{port}").as_bytes());
    }
    if !location.starts_with(b"/") {
        let path = base.path.as_deref().unwrap_or(b"/");
        let folder = path.iter().rposition(|b| *b == b'/').map_or(b"/".as_slice(), |at| &path[..=at]);
        out.extend_from_slice(folder);
    }
    out.extend_from_slice(location);
    out
}

/// Bytes of a status line that are kept.
const STATUS_LINE_MAX: usize = 127;
/// Longest `Location`.
const LOCATION_MAX: usize = 8182;

/// A status line as it is kept, and its code.
fn status_line(line: &[u8]) -> (Vec<u8>, u32) {
    let kept = match line.get(..STATUS_LINE_MAX) {
        Some(start) => &start[..STATUS_LINE_MAX - 1],
        None => line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line)),
    };
    let code = kept.split(|b| *b == b' ').nth(1).filter(|_| kept.starts_with(b"HTTP/"));
    (kept.to_vec(), code.and_then(|s| std::str::from_utf8(s).ok()?.parse().ok()).unwrap_or(0))
}

/// The headers up to the empty line, folded lines joined. `Err`: why it is no head of HTTP.
fn header_lines(cx: &mut Cx, body: &Body) -> Res<(Vec<PStr>, Option<&'static str>)> {
    let mut lines: Vec<PStr> = Vec::new();
    // The last line, as long as others may be folded into it.
    let mut last: Option<PStrBuilder> = None;
    while let Some(line) = body.line(cx)? {
        let line = line.strip_suffix(b"\n").unwrap_or(&line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || lines.len() > 10_000 {
            break;
        }
        if matches!(line[0], b' ' | b'\t') {
            let Some(before) = &mut last else {
                return Ok((lines, Some("HTTP invalid response format (folding header at the start)!")));
            };
            let text = line.trim_ascii();
            if !text.is_empty() {
                before.push(b' ')?;
                before.extend(text)?;
            }
            continue;
        }
        lines.extend(last.take().map(PStrBuilder::finish));
        if line[0] == b'\r' {
            return Ok((lines, Some("HTTP invalid header name (cannot start with CR character)!")));
        }
        last.get_or_insert_default().extend(line.trim_ascii_end())?;
    }
    lines.extend(last.map(PStrBuilder::finish));
    Ok((lines, None))
}

/// Opens a connection and reads the head of its response; `all` gets the lines of all heads.
fn request(cx: &mut Cx, path: &[u8], context: Option<&PResource>, all: &mut PArray) -> Tried<Body> {
    let mut wish = Wish::read(cx, context)?;
    if wish.timeout.is_some_and(|timeout| timeout.as_secs_f64() > TIMEOUT_MAX) {
        return Ok(Err(Failure::message(format!("timeout must be lower than {TIMEOUT_MAX:.0}"))));
    }
    let mut address = path.to_vec();
    let mut followed = 0;
    loop {
        let Some(url) = parse_url(&address) else { return Ok(Err(Failure::message("Invalid URL"))) };
        let Some(host) = url.host.clone().filter(|h| !h.is_empty()) else { return Ok(Err(Failure::message("Invalid URL"))) };
        let secure = is_https(&url);
        if wish.proxy.is_some() && wish.full_uri && address.iter().any(|b| matches!(b, b'\r' | b'\n')) {
            return Ok(Err(Failure::message("HTTP wrapper full URI path does not allow CR or LF characters")));
        }
        let default_port = if secure { 443 } else { 80 };
        let port = url.port.unwrap_or(default_port);
        let place = match &wish.proxy {
            Some(proxy) => proxy.clone(),
            None => PStr::concat(&[if secure { b"ssl://".as_slice() } else { b"tcp://" }, &host, format!(":{port}").as_bytes()]),
        };
        let socket = match connect::client(cx, &place, wish.timeout, false, context)? {
            Ok(socket) => socket,
            Err(why) => return Ok(Err(Failure::message(why.text))),
        };
        if let Some(timeout) = wish.timeout {
            socket.set_timeout(cx, timeout)?;
        }
        if secure && wish.proxy.is_some() && !tunnel(cx, &socket, &wish, &host, port, context)? {
            return Ok(Err(Failure::message("operation failed")));
        }
        notify(cx, context, Notice::Connect, None, 0, (0, 0))?;
        let shown_host = match url.port {
            Some(port) if port != default_port => [&host, format!(":{port}").as_bytes()].concat(),
            _ => host.to_vec(),
        };
        let text = wish.request(cx, &address, &url, &shown_host)?;
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match socket.write(cx, rest)? {
                Ok(n) if n > 0 => rest = &rest[n.min(rest.len())..],
                _ => return Ok(Err(Failure::message("HTTP request failed!"))),
            }
        }
        let body = Body {
            socket,
            ahead: RefCell::new(Vec::new()),
            left: RefCell::new(Left::Unknown),
            closed: Cell::new(false),
            context: context.cloned(),
            sofar: Cell::new(0),
            max: Cell::new(0),
        };
        // What comes before the response proper ("100 Continue") is not shown.
        let (line, status) = loop {
            let Some(line) = body.line(cx)? else { return Ok(Err(Failure::message("HTTP request failed!"))) };
            let (line, status) = status_line(&line);
            if !matches!(status, 100 | 102..200) {
                break (line, status);
            }
            if let (_, Some(why)) = header_lines(cx, &body)? {
                return Ok(Err(Failure::message(why)));
            }
            cx.check()?;
        };
        all.append(PStr::new(&line));
        let (lines, mut broken) = header_lines(cx, &body)?;
        let mut location: Option<Vec<u8>> = None;
        let (mut follow, mut chunked, mut length) = (true, false, None);
        for line in &lines {
            let Some(colon) = line.iter().position(|b| *b == b':') else {
                broken = Some("HTTP invalid response format (no colon in header line)!");
                break;
            };
            let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
            if name.iter().any(|b| matches!(b, b' ' | b'\t')) {
                broken = Some("HTTP invalid response format (space in header name)!");
                break;
            }
            match name.to_ascii_lowercase().as_slice() {
                b"location" => {
                    follow = wish.follow.unwrap_or(matches!(status, 300..=303 | 307 | 308));
                    if value.len() > LOCATION_MAX {
                        let text = format!("HTTP Location header size is over the limit of {LOCATION_MAX} bytes");
                        cx.state::<LastHeaders>().0 = Some(all.clone());
                        return Ok(Err(Failure::message(text)));
                    }
                    location = Some(value.to_vec()).filter(|l| !l.is_empty());
                }
                b"content-type" => notify(cx, context, Notice::MimeType, Some(value), 0, (0, 0))?,
                b"content-length" => {
                    length = std::str::from_utf8(value).ok().and_then(|v| v.parse::<u64>().ok());
                    notify(cx, context, Notice::FileSize, Some(line), 0, (0, length.unwrap_or(0)))?;
                }
                b"transfer-encoding" => chunked = value.eq_ignore_ascii_case(b"chunked"),
                _ => {}
            }
            all.append(line.clone());
        }
        cx.state::<LastHeaders>().0 = Some(all.clone());
        if let Some(why) = broken {
            return Ok(Err(Failure::message(why)));
        }
        let fine = (200..400).contains(&status) || status == 101;
        // Who ignores errors gets the redirection that is one too many.
        let follow = follow && !(wish.ignore_errors && followed + 1 >= wish.redirects);
        if let (Some(location), true) = (&location, follow) {
            notify(cx, context, Notice::Redirected, Some(location), 0, (0, 0))?;
            followed += 1;
            if followed >= wish.redirects {
                return Ok(Err(Failure::message("Redirection limit reached, aborting")));
            }
            address = resolve(&url, location);
            // The method survives only where the standard says so.
            if !matches!(status, 307 | 308) && wish.method != b"HEAD" {
                wish.method = PStr::new(b"GET");
                wish.content = None;
                wish.drop_content_headers()?;
            }
            cx.check()?;
            continue;
        }
        // A redirection that is not followed is shown, whatever its status.
        if !fine {
            notify(cx, context, Notice::Failure, Some(&line), i64::from(status), (0, 0))?;
        }
        if !fine && !wish.ignore_errors && location.is_none() {
            return Ok(Err(Failure::message([b"HTTP request failed! ".as_slice(), &line, b"\r\n"])));
        }
        body.max.set(length.unwrap_or(0));
        if fine {
            notify(cx, context, Notice::Progress, None, 0, (0, length.unwrap_or(0)))?;
        }
        *body.left.borrow_mut() = match (chunked, length) {
            _ if wish.method == b"HEAD" => Left::Nothing,
            (true, _) => Left::Chunk(None),
            (false, Some(n)) => Left::Bytes(n),
            (false, None) => Left::Unknown,
        };
        return Ok(Ok(body));
    }
}

impl Wrapper for Http {
    fn label(&self) -> &'static str {
        "http"
    }
    fn is_url(&self) -> bool {
        true
    }
    fn open(&self, cx: &mut Cx, path: &[u8], mode: &[u8], options: &OpenOptions) -> Tried<Opened> {
        if mode.iter().any(|b| matches!(b, b'w' | b'a' | b'+' | b'x' | b'c')) {
            return Ok(Err(Failure::message("HTTP wrapper does not support writeable connections")));
        }
        let mut headers = PArray::new();
        match request(cx, path, options.context.as_ref(), &mut headers)? {
            Ok(body) => {
                let shown = Value::from(headers.clone());
                cx.engine().set_caller_variable(cx, &PStr::new(b"http_response_header"), shown)?;
                Ok(Ok(Opened { wrapper_data: Value::from(headers), ..Opened::new(Rc::new(body)) }))
            }
            Err(failure) => {
                // The caller sees the heads of what failed, too.
                if !headers.is_empty() {
                    cx.engine().set_caller_variable(cx, &PStr::new(b"http_response_header"), Value::from(headers))?;
                }
                Ok(Err(failure))
            }
        }
    }
}

pub fn get_headers(cx: &mut Cx, url: &PStr, associative: bool, context: Option<&Value>) -> Res<OrFalse<PArray>> {
    let context = match context_argument(cx, context, 3)? {
        Some(context) => context,
        None => default_context(cx),
    };
    if !url.is_empty() && jumbo_abi::stream::locate(cx, url.as_bytes(), true)?.is_some_and(|(wrapper, _)| wrapper.is_plain()) {
        cx.warning("This function may only be used against URLs")?;
        return Ok(OrFalse::FALSE);
    }
    let Some(resource) = file::open_argument(cx, url, 1, b"r", false, Some(context))? else { return Ok(OrFalse::FALSE) };
    let data = resource.native::<StreamHandle>().map(|h| h.wrapper_data.borrow().clone());
    file::finish(cx, &resource)?;
    let Some(lines) = data.as_ref().and_then(|d| d.deref().as_array().cloned()) else { return Ok(OrFalse::FALSE) };
    if !associative {
        return Ok(OrFalse(Some(lines)));
    }
    let mut out = PArray::new();
    for line in lines.values() {
        let Some(line) = line.deref().as_str() else { continue };
        let bytes = line.as_bytes();
        let Some(colon) = bytes.iter().position(|b| *b == b':') else {
            out.append(line.clone());
            continue;
        };
        let (name, value) = (&bytes[..colon], Value::from(PStr::new(bytes[colon + 1..].trim_ascii())));
        // A header that comes again becomes a list.
        match out.get_bytes(name).cloned() {
            None => out.set_bytes(name, value),
            Some(before) => {
                let mut list = before.as_array().cloned().unwrap_or_else(|| PArray::from_values([before.clone()]));
                list.append(value);
                out.set_bytes(name, list);
            }
        }
    }
    Ok(OrFalse(Some(out)))
}

pub fn http_get_last_response_headers(cx: &mut Cx) -> Option<PArray> {
    cx.state::<LastHeaders>().0.clone()
}

pub fn http_clear_last_response_headers(cx: &mut Cx) {
    cx.state::<LastHeaders>().0 = None;
}
