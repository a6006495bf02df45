//! One request for a script: everything an engine needs to build the superglobals, and to move between threads.
//!
//! Nothing that many requests never look at is computed ahead: `$_SERVER`, `$_GET` and `$_COOKIE` are made from
//! the request's bytes when the engine asks.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use jumbo_abi::mounts::Mount;

use super::body::{self, PostInput, RawBody};
use super::tree::Map;
use super::uploads::Uploads;
use super::variables::{Decoded, parse_cookies, parse_query};
use super::{Diagnostic, InputLimits};

/// Header fields in the order received, in one buffer. Names are lower case.
#[derive(Clone, Debug, Default)]
pub struct HeaderList {
    data: Vec<u8>,
    /// Where each name begins, where its value begins, and where that ends.
    fields: Vec<(u32, u32, u32)>,
}

impl HeaderList {
    pub fn with_capacity(fields: usize, bytes: usize) -> HeaderList {
        HeaderList {
            data: Vec::with_capacity(bytes),
            fields: Vec::with_capacity(fields),
        }
    }

    /// Appends a field. Nothing is taken once the list holds 4 GiB, which every header limit is far below.
    pub fn push(&mut self, name: &[u8], value: &[u8]) {
        let name_at = self.data.len();
        let value_at = name_at + name.len();
        let end = value_at + value.len();
        if let (Ok(name_at), Ok(value_at), Ok(end)) = (
            u32::try_from(name_at),
            u32::try_from(value_at),
            u32::try_from(end),
        ) {
            self.data.extend(name.iter().map(u8::to_ascii_lowercase));
            self.data.extend_from_slice(value);
            self.fields.push((name_at, value_at, end));
        }
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&[u8], &[u8])> {
        self.fields.iter().map(|&(name, value, end)| {
            (
                &self.data[name as usize..value as usize],
                &self.data[value as usize..end as usize],
            )
        })
    }

    /// The first field of this (lower-case) name.
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.iter()
            .find(|(n, _)| *n == name)
            .map(|(_, value)| value)
    }

    /// The fields as nginx passes them on: several of one name joined, cookies with `; `, others with `, `.
    pub fn joined(&self) -> HeaderList {
        let mut joined = HeaderList::with_capacity(self.fields.len(), self.data.len());
        for (at, (name, value)) in self.iter().enumerate() {
            if self.iter().take(at).any(|(n, _)| n == name) {
                continue;
            }
            let mut whole = value.to_vec();
            for (_, more) in self.iter().skip(at + 1).filter(|(n, _)| *n == name) {
                whole.extend_from_slice(if name == b"cookie" { b"; " } else { b", " });
                whole.extend_from_slice(more);
            }
            joined.push(name, &whole);
        }
        joined
    }

    fn has_repeated_names(&self) -> bool {
        self.iter()
            .enumerate()
            .any(|(at, (name, _))| self.iter().take(at).any(|(n, _)| n == name))
    }
}

/// What is the same for all requests of a server.
#[derive(Clone, Debug, Default)]
pub struct ServerFacts {
    pub document_root: Bytes,
    /// `SERVER_SOFTWARE`.
    pub software: Bytes,
    /// `SERVER_NAME`; the request's host name when unset.
    pub name: Option<Bytes>,
    /// `USER` and `HOME`, as php-fpm has them.
    pub user: Bytes,
    pub home: Bytes,
}

/// What is the same for all requests of a connection. Addresses are in text; empty on a unix socket.
#[derive(Clone, Debug, Default)]
pub struct ConnectionFacts {
    pub remote_addr: Bytes,
    pub remote_port: Bytes,
    pub server_addr: Bytes,
    pub server_port: Bytes,
    /// `http` or `https`.
    pub scheme: &'static str,
}

/// A value of `$_SERVER`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ServerValue<'a> {
    Bytes(&'a [u8]),
    Int(i64),
    Float(f64),
}

/// A request that a script answers. Clones share the body and the uploads.
#[derive(Clone, Debug)]
pub struct ScriptRequest {
    pub server: Arc<ServerFacts>,
    pub connection: Arc<ConnectionFacts>,
    pub limits: Arc<InputLimits>,
    pub method: Bytes,
    /// Path and query as the client sent them.
    pub request_uri: Bytes,
    pub query_string: Bytes,
    /// `HTTP/1.1`.
    pub protocol: &'static str,
    /// Absolute path of the script.
    pub script_filename: Bytes,
    /// The script's path below the document root, with a leading slash.
    pub script_name: Bytes,
    /// What follows the script in the URL's path; empty or with a leading slash.
    pub path_info: Bytes,
    pub headers: HeaderList,
    pub body: RawBody,
    /// The announced or counted length; unset when the request has no body.
    pub content_length: Option<u64>,
    pub post: PostInput,
    pub files: Map,
    pub uploads: Arc<Uploads>,
    /// What receiving the body gave cause to report; POST, GET and COOKIE bring their own when they are decoded.
    pub diagnostics: Vec<Diagnostic>,
    pub received_at: SystemTime,
    /// The script is the development server's router: it declines by returning false.
    pub is_router: bool,
}

impl ScriptRequest {
    pub fn decode_get(&self) -> Decoded {
        parse_query(&self.query_string, &self.limits)
    }

    /// The file system that has the body, if that may not answer: then it is to be [brought near](ScriptRequest::bring_near) before it
    /// is decoded or read.
    pub fn far(&self) -> Option<Mount> {
        body::is_far(&self.body, &self.post)
    }

    /// Reads the body into memory.
    pub fn bring_near(&mut self) -> std::io::Result<()> {
        (self.body, self.post) = body::brought_near(&self.body, &self.post, &self.limits)?;
        Ok(())
    }

    /// Fails only when a temporary file cannot be read.
    pub fn decode_post(&self) -> std::io::Result<Decoded> {
        self.post.decode(&self.body, &self.limits)
    }

    pub fn decode_cookies(&self) -> Decoded {
        let mut cookies = self
            .headers
            .iter()
            .filter(|(name, _)| *name == b"cookie")
            .map(|(_, value)| value);
        match (cookies.next(), cookies.next()) {
            (None, _) => Decoded::default(),
            (Some(only), None) => parse_cookies(only, &self.limits),
            _ => parse_cookies(
                self.headers.joined().get(b"cookie").unwrap_or_default(),
                &self.limits,
            ),
        }
    }

    /// Calls `take` with each entry of `$_SERVER`, in the order that php-fpm 8.4 has behind nginx with its stock
    /// `fastcgi.conf`: environment, header fields and parameters backwards, then what PHP adds. `argv` and `argc`
    /// (`register_argc_argv`) are left to the engine, after the last entry.
    ///
    /// A `Proxy` header gives no HTTP_PROXY: libraries would take it for the environment variable (httpoxy).
    pub fn server_variables(&self, take: &mut dyn FnMut(&[u8], ServerValue<'_>)) {
        use ServerValue::{Bytes as B, Float, Int};
        take(b"USER", B(&self.server.user));
        take(b"HOME", B(&self.server.home));
        let joined;
        let headers = if self.headers.has_repeated_names() {
            joined = self.headers.joined();
            &joined
        } else {
            &self.headers
        };
        let mut name = Vec::with_capacity(32);
        for (field, value) in headers.iter().rev() {
            // nginx drops names with anything else; an underscore could pose as a hyphen.
            if field == b"proxy"
                || !field
                    .iter()
                    .all(|b| b.is_ascii_alphanumeric() || *b == b'-')
            {
                continue;
            }
            name.clear();
            name.extend_from_slice(b"HTTP_");
            name.extend(field.iter().map(|b| {
                if *b == b'-' {
                    b'_'
                } else {
                    b.to_ascii_uppercase()
                }
            }));
            take(&name, B(value));
        }
        let content_type = headers.get(b"content-type").unwrap_or_default();
        let content_length = self
            .content_length
            .map(|len| len.to_string())
            .unwrap_or_default();
        let php_self = self.php_self();
        take(b"REDIRECT_STATUS", B(b"200"));
        take(b"SERVER_NAME", B(self.server_name()));
        take(b"SERVER_PORT", B(&self.connection.server_port));
        take(b"SERVER_ADDR", B(&self.connection.server_addr));
        take(b"REMOTE_PORT", B(&self.connection.remote_port));
        take(b"REMOTE_ADDR", B(&self.connection.remote_addr));
        take(b"SERVER_SOFTWARE", B(&self.server.software));
        take(b"GATEWAY_INTERFACE", B(b"CGI/1.1"));
        if self.connection.scheme == "https" {
            take(b"HTTPS", B(b"on"));
        }
        take(b"REQUEST_SCHEME", B(self.connection.scheme.as_bytes()));
        take(b"SERVER_PROTOCOL", B(self.protocol.as_bytes()));
        take(b"DOCUMENT_ROOT", B(&self.server.document_root));
        take(b"DOCUMENT_URI", B(&php_self));
        take(b"REQUEST_URI", B(&self.request_uri));
        take(b"SCRIPT_NAME", B(&self.script_name));
        take(b"CONTENT_LENGTH", B(content_length.as_bytes()));
        take(b"CONTENT_TYPE", B(content_type));
        take(b"REQUEST_METHOD", B(&self.method));
        take(b"QUERY_STRING", B(&self.query_string));
        take(b"SCRIPT_FILENAME", B(&self.script_filename));
        if !self.path_info.is_empty() {
            take(b"PATH_INFO", B(&self.path_info));
        }
        take(b"FCGI_ROLE", B(b"RESPONDER"));
        take(b"PHP_SELF", B(&php_self));
        match headers.get(b"authorization").and_then(credentials) {
            Some(Credentials::Basic { user, password }) => {
                take(b"PHP_AUTH_USER", B(&user));
                take(b"PHP_AUTH_PW", B(&password));
            }
            Some(Credentials::Digest(digest)) => take(b"PHP_AUTH_DIGEST", B(digest)),
            None => {}
        }
        let since_epoch = self
            .received_at
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        take(
            b"REQUEST_TIME_FLOAT",
            Float(since_epoch.as_micros() as f64 / 1e6),
        );
        take(
            b"REQUEST_TIME",
            Int(i64::try_from(since_epoch.as_secs()).unwrap_or(i64::MAX)),
        );
    }

    /// The script's name with the path info.
    pub fn php_self(&self) -> Bytes {
        if self.path_info.is_empty() {
            return self.script_name.clone();
        }
        [&self.script_name[..], &self.path_info[..]].concat().into()
    }

    /// The configured name, or the host the client named, without its port.
    pub fn server_name(&self) -> &[u8] {
        if let Some(name) = &self.server.name {
            return name;
        }
        let host = self.headers.get(b"host").unwrap_or_default();
        let after_bracket = memchr::memrchr(b']', host).unwrap_or(0);
        match memchr::memrchr(b':', host) {
            Some(colon) if colon > after_bracket || after_bracket == 0 => &host[..colon],
            _ => host,
        }
    }
}

enum Credentials<'a> {
    Basic { user: Vec<u8>, password: Vec<u8> },
    Digest(&'a [u8]),
}

fn credentials(authorization: &[u8]) -> Option<Credentials<'_>> {
    let space = memchr::memchr(b' ', authorization)?;
    let (scheme, rest) = (&authorization[..space], &authorization[space + 1..]);
    if scheme.eq_ignore_ascii_case(b"Basic") {
        let mut user = base64(rest);
        let colon = memchr::memchr(b':', &user)?;
        let password = user.split_off(colon + 1);
        user.truncate(colon);
        return Some(Credentials::Basic { user, password });
    }
    scheme
        .eq_ignore_ascii_case(b"Digest")
        .then_some(Credentials::Digest(rest))
}

/// Decodes leniently, as PHP does: foreign bytes are passed over.
fn base64(input: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(input.len() / 4 * 3 + 3);
    let (mut bits, mut count) = (0u32, 0u32);
    for &b in input {
        let digit = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        bits = (bits << 6) | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    out
}
