//! Heads of requests, looked at before hyper sees them.
//!
//! hyper takes less than web servers do (raw bytes in targets), and more than is safe behind or before others (two ways to tell a body's
//! length), and some of what it refuses it refuses without a word. So the bytes of a connection pass a [`Scanner`], which finds each head,
//! hands it on, and remembers what hyper will not tell ([`HeadFacts`]). A head that is refused is replaced by a plain one, so that the
//! refusal comes after the answers before it, as an answer like others.
//!
//! To know where a head begins, the scanner follows the bodies between them. It takes nothing that hyper does not take as well: were they to
//! disagree about where a request ends, one client's bytes could become another request.

use bytes::Bytes;
use http::StatusCode;

/// What hyper does not tell about a request.
#[derive(Debug, Default)]
pub(crate) struct HeadFacts {
    /// Path and query as the client sent them, when hyper has got them in another spelling.
    pub target: Option<Bytes>,
    pub refusal: Option<Refusal>,
}

/// A request that is not to be served.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub status: StatusCode,
    /// The request line, as far as there is one; for the log.
    pub line: Bytes,
}

/// What hyper sees in place of a refused head.
const REFUSED: &[u8] = b"GET / HTTP/1.1\r\nHost: refused\r\nConnection: close\r\n\r\n";
/// hyper takes targets up to 65,534 bytes.
const TARGET_BYTES_MAX: usize = 65_000;
/// So much of a refused request's line goes to the log.
const LINE_BYTES_LOGGED: usize = 1_000;

/// How long a head may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadLimits {
    pub bytes_max: usize,
    pub fields_max: usize,
}

/// Where in the connection's bytes the next one belongs.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// A head; bytes below this offset hold no end of it.
    Head(usize),
    Body(u64),
    Chunked(Chunked),
    /// Nothing more is served: what comes is of no interest.
    Over,
}

/// How the bytes at hand go on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// So many bytes may be passed on as they are, and nothing behind them as yet.
    Pass(usize),
    /// A whole head of so many bytes, which is to be replaced.
    Replace(usize, Vec<u8>),
    /// A head that is not complete.
    More,
    /// What is there is not to be passed on; the connection has nothing more to say.
    Nothing,
}

#[derive(Debug)]
pub(crate) struct Scanner {
    limits: HeadLimits,
    place: Place,
}

/// What a head says about the request.
#[derive(Debug, Default)]
struct Head<'a> {
    target: &'a [u8],
    /// The target, if it has bytes that hyper refuses: it gets them escaped.
    is_raw: bool,
    /// Where the target is in the head.
    target_at: usize,
    is_http_10: bool,
    length: Option<u64>,
    is_chunked: bool,
}

impl Scanner {
    pub(crate) fn new(limits: HeadLimits) -> Scanner {
        Scanner { limits, place: Place::Head(0) }
    }

    /// Looks at the bytes that come next. Of a head, the facts are given to `found`.
    pub(crate) fn step(&mut self, bytes: &[u8], found: &mut dyn FnMut(HeadFacts)) -> Step {
        match &mut self.place {
            Place::Over => Step::Nothing,
            Place::Body(left) => {
                let passed = usize::try_from(*left).map_or(bytes.len(), |left| left.min(bytes.len()));
                *left -= passed as u64;
                if *left == 0 {
                    self.place = Place::Head(0);
                }
                Step::Pass(passed)
            }
            Place::Chunked(chunked) => {
                let (passed, end) = chunked.follow(bytes);
                match end {
                    ChunkedEnd::Open => {}
                    ChunkedEnd::Whole => self.place = Place::Head(0),
                    // hyper refuses it as well; should it not, it gets nothing more.
                    ChunkedEnd::Malformed => self.place = Place::Over,
                }
                Step::Pass(passed)
            }
            Place::Head(from) => {
                // As a rule a head comes as a whole; of one that does not, only what is new is looked at until its end has come.
                if *from == 0 || end_of_head(bytes, *from).is_some() {
                    match judge(bytes, self.limits.fields_max) {
                        Some((end, Ok(head))) if end <= self.limits.bytes_max => return self.pass(&bytes[..end], &head, found),
                        Some((end, Err(status))) if end <= self.limits.bytes_max => return self.refuse(bytes, end, status, found),
                        Some((end, _)) => return self.refuse(bytes, end, too_long(bytes, self.limits), found),
                        None => {}
                    }
                }
                if bytes.len() > self.limits.bytes_max {
                    return self.refuse(bytes, bytes.len(), too_long(bytes, self.limits), found);
                }
                if let Place::Head(from) = &mut self.place {
                    *from = bytes.len().saturating_sub(3);
                }
                Step::More
            }
        }
    }

    fn pass(&mut self, bytes: &[u8], head: &Head<'_>, found: &mut dyn FnMut(HeadFacts)) -> Step {
        self.place = match head {
            Head { is_chunked: true, .. } => Place::Chunked(Chunked::default()),
            Head { length: Some(length @ 1..), .. } => Place::Body(*length),
            _ => Place::Head(0),
        };
        if !head.is_raw {
            found(HeadFacts::default());
            return Step::Pass(bytes.len());
        }
        let mut spelled = Vec::with_capacity(bytes.len() * 2);
        spelled.extend_from_slice(&bytes[..head.target_at]);
        let escaped = escape(head.target);
        if escaped.len() > TARGET_BYTES_MAX {
            return self.refuse(bytes, bytes.len(), StatusCode::URI_TOO_LONG, found);
        }
        spelled.extend_from_slice(&escaped);
        spelled.extend_from_slice(&bytes[head.target_at + head.target.len()..]);
        found(HeadFacts { target: Some(Bytes::copy_from_slice(origin_form(head.target))), refusal: None });
        Step::Replace(bytes.len(), spelled)
    }

    fn refuse(&mut self, bytes: &[u8], end: usize, status: StatusCode, found: &mut dyn FnMut(HeadFacts)) -> Step {
        self.place = Place::Over;
        let start = blank_lines(bytes);
        let line = bytes[start..].split(|&b| b == b'\n').next().unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = Bytes::copy_from_slice(&line[..line.len().min(LINE_BYTES_LOGGED)]);
        found(HeadFacts { target: None, refusal: Some(Refusal { status, line }) });
        Step::Replace(end, REFUSED.to_vec())
    }
}

/// The length of the empty lines before a head, which are passed over.
fn blank_lines(bytes: &[u8]) -> usize {
    bytes.iter().position(|b| !matches!(b, b'\r' | b'\n')).unwrap_or(bytes.len())
}

/// Where a head ends that begins here: behind its first empty line.
fn end_of_head(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from.max(blank_lines(bytes));
    while let Some(found) = memchr::memchr(b'\n', bytes.get(at..)?) {
        let next = at + found + 1;
        match bytes.get(next..)? {
            [b'\n', ..] => return Some(next + 1),
            [b'\r', b'\n', ..] => return Some(next + 2),
            _ => at = next,
        }
    }
    None
}

/// Which part of a head is too long.
fn too_long(bytes: &[u8], limits: HeadLimits) -> StatusCode {
    let line_end = memchr::memchr(b'\n', bytes).unwrap_or(bytes.len());
    match line_end >= limits.bytes_max {
        true => StatusCode::URI_TOO_LONG,
        false => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
    }
}

/// Where a head ends that begins here, and what it says or how it is refused. None: its end is not there.
///
/// Every request comes by here: only what hyper does not look at, or looks at in another way, is looked at. Names and values with bytes that
/// they must not have are refused by hyper.
fn judge(bytes: &[u8], fields_max: usize) -> Option<(usize, Result<Head<'_>, StatusCode>)> {
    let start = blank_lines(bytes);
    let mut at = start;
    let mut next_line = || {
        let end = at + memchr::memchr(b'\n', &bytes[at..])?;
        let line = &bytes[at..end];
        at = end + 1;
        Some((line.strip_suffix(b"\r").unwrap_or(line), at))
    };
    let mut result = request_line(next_line()?.0, start);
    let is_http_10 = result.as_ref().is_ok_and(|head| head.is_http_10);
    let mut fields = 0;
    loop {
        let (line, end) = next_line()?;
        let Some(first) = line.first() else { return Some((end, result)) };
        fields += 1;
        if fields > fields_max && result.is_ok() {
            result = Err(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
        }
        if matches!(first, b'H' | b'h' | b'C' | b'c' | b'T' | b't')
            && let Ok(head) = &mut result
            && let Err(status) = field(head, line, is_http_10)
        {
            result = Err(status);
        }
    }
}

fn request_line(line: &[u8], start: usize) -> Result<Head<'_>, StatusCode> {
    let bad = StatusCode::BAD_REQUEST;
    let method_end = memchr::memchr(b' ', line).ok_or(bad)?;
    let target_end = memchr::memrchr(b' ', line).filter(|&end| end > method_end).ok_or(bad)?;
    let (method, version) = (&line[..method_end], &line[target_end + 1..]);
    let mut head = Head { target: &line[method_end + 1..target_end], target_at: start + method_end + 1, ..Head::default() };
    match version {
        b"HTTP/1.1" => {}
        b"HTTP/1.0" => head.is_http_10 = true,
        [b'H', b'T', b'T', b'P', b'/', major, b'.', minor] if major.is_ascii_digit() && minor.is_ascii_digit() => {
            return Err(StatusCode::HTTP_VERSION_NOT_SUPPORTED);
        }
        _ => return Err(bad),
    }
    if matches!(method, b"TRACE" | b"CONNECT") {
        return Err(StatusCode::METHOD_NOT_ALLOWED);
    }
    if head.target.len() > TARGET_BYTES_MAX {
        return Err(StatusCode::URI_TOO_LONG);
    }
    let classes = head.target.iter().fold(0, |classes, &b| classes | TARGET[usize::from(b)]);
    if head.target.is_empty() || classes & FORBIDDEN != 0 {
        return Err(bad);
    }
    head.is_raw = classes & RAW != 0;
    Ok(head)
}

fn field(head: &mut Head<'_>, line: &[u8], is_http_10: bool) -> Result<(), StatusCode> {
    let bad = StatusCode::BAD_REQUEST;
    let colon = memchr::memchr(b':', line).ok_or(bad)?;
    let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
    match colon {
        4 if name.eq_ignore_ascii_case(b"host") && !value.iter().all(|&b| is_of_host(b)) => return Err(bad),
        14 if name.eq_ignore_ascii_case(b"content-length") => {
            if head.is_chunked || head.length.is_some() {
                return Err(bad);
            }
            head.length = Some(length(value)?);
        }
        17 if name.eq_ignore_ascii_case(b"transfer-encoding") => {
            if head.is_chunked || head.length.is_some() || is_http_10 {
                return Err(bad);
            }
            if !value.eq_ignore_ascii_case(b"chunked") {
                return Err(StatusCode::NOT_IMPLEMENTED);
            }
            head.is_chunked = true;
        }
        _ => {}
    }
    Ok(())
}

fn length(digits: &[u8]) -> Result<u64, StatusCode> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(StatusCode::BAD_REQUEST);
    }
    // hyper keeps the two highest numbers for itself.
    let number = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
    number.filter(|&n| n < u64::MAX - 2).ok_or(StatusCode::PAYLOAD_TOO_LARGE)
}

/// The kind of each byte in a target: 0 is plain.
static TARGET: [u8; 256] = {
    let mut kinds = [RAW; 256];
    let mut b = 0;
    while b < 256 {
        if is_plain(b as u8) {
            kinds[b] = 0;
        } else if (b as u8).is_ascii_control() || b == 0x20 {
            kinds[b] = FORBIDDEN;
        }
        b += 1;
    }
    kinds
};
/// A byte that hyper wants to be escaped.
const RAW: u8 = 1;
const FORBIDDEN: u8 = 2;

/// Bytes of targets that every reader takes as they are.
const fn is_plain(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || matches!(
            b,
            b'/' | b'?' | b'=' | b'&' | b'%' | b'-' | b'.' | b'_' | b'~' | b'+' | b',' | b';' | b':' | b'@' | b'!' | b'$' | b'\'' | b'(' | b')' | b'*'
        )
}

/// RFC 3986, 3.2.2 and 3.2.3.
fn is_of_host(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || matches!(
            b,
            b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' | b'%' | b':' | b'[' | b']'
        )
}

/// A target with `%XX` for whatever is not [plain](is_plain). What is behind `#` is no part of it.
fn escape(target: &[u8]) -> Vec<u8> {
    let end = memchr::memchr(b'#', target).unwrap_or(target.len());
    let mut out = Vec::with_capacity(target.len() * 2);
    for &b in &target[..end] {
        if is_plain(b) {
            out.push(b);
        } else {
            out.extend_from_slice(format!("%{b:02X}").as_bytes());
        }
    }
    out
}

/// The path and the query of a target, which may name scheme and host before.
fn origin_form(target: &[u8]) -> &[u8] {
    match memchr::memmem::find(target, b"://") {
        Some(at) if !target.starts_with(b"/") => {
            let after = &target[at + 3..];
            memchr::memchr(b'/', after).map_or(b"/", |slash| &after[slash..])
        }
        _ => target,
    }
}

/// A chunked body, followed to its end.
#[derive(Debug, Default, PartialEq, Eq)]
struct Chunked {
    state: ChunkState,
    /// The size of the chunk, then what is left of it.
    left: u64,
    digits: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ChunkState {
    #[default]
    Size,
    Extension,
    SizeLf,
    Data,
    DataCr,
    DataLf,
    /// At the beginning of a line behind the last chunk.
    Trailer,
    TrailerLine,
    TrailerLf,
    EndLf,
}

#[derive(Debug, PartialEq, Eq)]
enum ChunkedEnd {
    Open,
    Whole,
    Malformed,
}

impl Chunked {
    /// How many of the bytes belong to the body, and whether it ends there.
    fn follow(&mut self, bytes: &[u8]) -> (usize, ChunkedEnd) {
        use ChunkState::{Data, DataCr, DataLf, EndLf, Extension, Size, SizeLf, Trailer, TrailerLf, TrailerLine};
        let mut at = 0;
        while let Some(&b) = bytes.get(at) {
            if self.state == Data {
                let rest = bytes.len() - at;
                let passed = usize::try_from(self.left).map_or(rest, |left| left.min(rest));
                self.left -= passed as u64;
                at += passed;
                if self.left == 0 {
                    self.state = DataCr;
                }
                continue;
            }
            at += 1;
            let digit = char::from(b).to_digit(16);
            self.state = match (self.state, b) {
                (Size, _) if digit.is_some() && self.digits < 15 => {
                    self.left = self.left * 16 + u64::from(digit.unwrap_or(0));
                    self.digits += 1;
                    Size
                }
                (Size, b'\r') if self.digits > 0 => SizeLf,
                (Size, b';' | b' ' | b'\t') if self.digits > 0 => Extension,
                (Extension, b'\r') => SizeLf,
                (Extension, b'\n') => return (at, ChunkedEnd::Malformed),
                (Extension, _) => Extension,
                (SizeLf, b'\n') => {
                    self.digits = 0;
                    if self.left == 0 { Trailer } else { Data }
                }
                (DataCr, b'\r') => DataLf,
                (DataLf, b'\n') => Size,
                (Trailer, b'\r') => EndLf,
                (Trailer | TrailerLine, b'\n') => return (at, ChunkedEnd::Malformed),
                (TrailerLine, b'\r') => TrailerLf,
                (Trailer | TrailerLine, _) => TrailerLine,
                (TrailerLf, b'\n') => Trailer,
                (EndLf, b'\n') => return (at, ChunkedEnd::Whole),
                _ => return (at, ChunkedEnd::Malformed),
            };
        }
        (at, ChunkedEnd::Open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: HeadLimits = HeadLimits { bytes_max: 1000, fields_max: 10 };

    fn status(head: &str) -> u16 {
        let (end, result) = judge(head.as_bytes(), LIMITS.fields_max).expect("the head is whole");
        assert_eq!(end, head.len());
        result.err().map_or(200, |status| status.as_u16())
    }

    #[test]
    fn heads() {
        assert_eq!(status("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), 200);
        assert_eq!(status("GET / HTTP/1.0\n\n"), 200);
        assert_eq!(status("GET / HTTP/2.0\r\n\r\n"), 505);
        assert_eq!(status("GET /\r\n\r\n"), 400);
        assert_eq!(status("GET /a b HTTP/1.1\r\n\r\n"), 400);
        assert_eq!(status("TRACE / HTTP/1.1\r\n\r\n"), 405);
        assert_eq!(status("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"), 400);
        assert_eq!(status("GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"), 400);
        assert_eq!(status("GET / HTTP/1.1\r\nContent-Length: +1\r\n\r\n"), 400);
        assert_eq!(status("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"), 413);
        assert_eq!(status("GET / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"), 501);
        assert_eq!(status("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
        assert_eq!(status("GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
    }

    #[test]
    fn targets() {
        assert_eq!(escape(b"/a\xe9?\"<>#x"), b"/a%E9?%22%3C%3E");
        assert_eq!(origin_form(b"http://host/a?b"), b"/a?b");
        assert_eq!(origin_form(b"/a?u=http://host/"), b"/a?u=http://host/");
        assert_eq!(origin_form(b"http://host"), b"/");
    }

    /// Requests one behind the other, in pieces of every size: the same heads are found, and every byte is passed on once.
    #[test]
    fn requests_behind_each_other() {
        let first = b"\r\nPOST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc".as_slice();
        let chunked = b"POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n0\r\nT: r\r\n\r\nGET /c HTTP/1.1\n\n";
        let refused = b"TRACE / HTTP/1.1\r\n\r\nGET /d HTTP/1.1\r\n\r\n";
        let all = [first, b"GET /\xe9 HTTP/1.1\r\n\r\n", chunked, refused].concat();
        for piece in 1..all.len() {
            let mut scanner = Scanner::new(LIMITS);
            let (mut facts, mut passed, mut waiting) = (Vec::new(), Vec::new(), Vec::new());
            for bytes in all.chunks(piece) {
                waiting.extend_from_slice(bytes);
                while !waiting.is_empty() {
                    match scanner.step(&waiting, &mut |found| facts.push(found)) {
                        Step::Pass(n) => passed.extend(waiting.drain(..n)),
                        Step::Replace(n, other) => {
                            waiting.drain(..n);
                            passed.extend(other);
                        }
                        Step::More => break,
                        Step::Nothing => waiting.clear(),
                    }
                }
            }
            let expected = [first, b"GET /%E9 HTTP/1.1\r\n\r\n", chunked, REFUSED].concat();
            assert_eq!(String::from_utf8_lossy(&passed), String::from_utf8_lossy(&expected), "pieces of {piece}");
            let found: Vec<_> = facts.iter().map(|f| (f.target.as_deref(), f.refusal.as_ref().map(|r| r.status.as_u16()))).collect();
            assert_eq!(found, [(None, None), (Some(&b"/\xe9"[..]), None), (None, None), (None, None), (None, Some(405))]);
        }
    }

    #[test]
    fn limits() {
        let mut found = Vec::new();
        let mut status = |head: &[u8]| {
            Scanner::new(LIMITS).step(head, &mut |facts| found.push(facts));
            found.pop().and_then(|facts: HeadFacts| facts.refusal).map(|refusal| refusal.status.as_u16())
        };
        assert_eq!(status(&[b"GET /".as_slice(), &[b'a'; 2000]].concat()), Some(414));
        assert_eq!(status(&[b"GET / HTTP/1.1\r\nA: ".as_slice(), &[b'a'; 2000]].concat()), Some(431));
        assert_eq!(status(&[b"GET / HTTP/1.1\r\n".as_slice(), &b"A: b\r\n".repeat(11), b"\r\n"].concat()), Some(431));
        assert_eq!(status(b"GET / HTTP/1.1\r\nA: "), None);
    }
}
