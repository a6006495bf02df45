//! HTTP/1.1 answers, read piece by piece: what the load generator and the sanity check need of the protocol, and no more.
//!
//! A [`Response`] is fed what the socket gave, in pieces of any size, and says when the answer is complete. It knows `Content-Length`, chunked
//! bodies, bodies that end with the connection, and answers without a body. It is strict: what it does not understand is an error, because
//! the answer of a server under test that is not HTTP must never be counted as served.
//!
//! Invariants: memory is bounded by [`HEAD_BYTES_MAX`] and [`BODY_BYTES_MAX`]; a response object is used again for the next answer of its
//! connection without allocating anew.

/// A head that is longer is an error.
const HEAD_BYTES_MAX: usize = 64 << 10;
/// A body that is longer is an error.
const BODY_BYTES_MAX: usize = 256 << 20;
/// The line with a chunk's size, its extensions included.
const CHUNK_LINE_BYTES_MAX: usize = 4096;

/// What is wrong with an answer; the text is for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed(pub &'static str);

/// What a piece brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The answer goes on.
    More,
    /// The answer is complete after that many bytes of the piece.
    Complete(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    /// That many bytes of the body are to come.
    Length(usize),
    /// The line with the size of a chunk.
    ChunkSize,
    /// That many bytes of the chunk, and then its line end.
    Chunk(usize),
    ChunkEnd,
    /// Lines after the last chunk, until an empty one.
    Trailer,
    UntilClose,
    Complete,
}

/// An answer that is being read.
#[derive(Debug)]
pub struct Response {
    state: State,
    status: u16,
    /// Whether the connection may be used again.
    keep_alive: bool,
    /// Bytes of this answer that came, with its head.
    bytes: u64,
    head: Vec<u8>,
    line: Vec<u8>,
    body: Vec<u8>,
}

impl Default for Response {
    fn default() -> Response {
        Response { state: State::Head, status: 0, keep_alive: true, bytes: 0, head: Vec::new(), line: Vec::new(), body: Vec::new() }
    }
}

impl Response {
    /// Makes ready for the next answer.
    pub fn reset(&mut self) {
        self.state = State::Head;
        self.status = 0;
        self.keep_alive = true;
        self.bytes = 0;
        self.head.clear();
        self.line.clear();
        self.body.clear();
    }

    pub fn status(&self) -> u16 {
        self.status
    }

    pub fn keep_alive(&self) -> bool {
        self.keep_alive
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The head with its empty line.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// Whether anything of the answer has come.
    pub fn has_begun(&self) -> bool {
        self.bytes > 0
    }

    /// The value of a field of the head; the first, when there are several.
    pub fn field(&self, name: &str) -> Option<&[u8]> {
        fields(&self.head).find(|(n, _)| n.eq_ignore_ascii_case(name.as_bytes())).map(|(_, value)| value)
    }

    /// The connection was closed by the server: is the answer complete by that?
    pub fn closed(&mut self) -> bool {
        if self.state == State::UntilClose {
            self.state = State::Complete;
        }
        self.state == State::Complete
    }

    /// Takes the next piece.
    pub fn feed(&mut self, piece: &[u8]) -> Result<Progress, Malformed> {
        let mut at = 0;
        while self.state != State::Complete {
            let rest = piece.get(at..).unwrap_or_default();
            if rest.is_empty() {
                self.bytes += at as u64;
                return Ok(Progress::More);
            }
            at += self.step(rest)?;
        }
        self.bytes += at as u64;
        Ok(Progress::Complete(at))
    }

    /// Takes something of `rest`, which is not empty; how much.
    fn step(&mut self, rest: &[u8]) -> Result<usize, Malformed> {
        match self.state {
            State::Head => self.step_head(rest),
            State::Length(left) => {
                let taken = left.min(rest.len());
                self.take_body(&rest[..taken])?;
                self.state = if taken == left { State::Complete } else { State::Length(left - taken) };
                Ok(taken)
            }
            State::Chunk(left) => {
                let taken = left.min(rest.len());
                self.take_body(&rest[..taken])?;
                self.state = if taken == left { State::ChunkEnd } else { State::Chunk(left - taken) };
                Ok(taken)
            }
            State::UntilClose => {
                self.take_body(rest)?;
                Ok(rest.len())
            }
            State::ChunkSize | State::ChunkEnd | State::Trailer => self.step_line(rest),
            State::Complete => Ok(0),
        }
    }

    fn take_body(&mut self, bytes: &[u8]) -> Result<(), Malformed> {
        if self.body.len() + bytes.len() > BODY_BYTES_MAX {
            return Err(Malformed("the body is too long"));
        }
        self.body.extend_from_slice(bytes);
        Ok(())
    }

    fn step_head(&mut self, rest: &[u8]) -> Result<usize, Malformed> {
        let had = self.head.len();
        self.head.extend_from_slice(rest);
        // The end may lie across two pieces.
        let from = had.saturating_sub(3);
        let Some(end) = memchr::memmem::find(&self.head[from..], b"\r\n\r\n").map(|at| from + at + 4) else {
            if self.head.len() > HEAD_BYTES_MAX {
                return Err(Malformed("the head is too long"));
            }
            return Ok(rest.len());
        };
        self.head.truncate(end);
        self.parse_head()?;
        Ok(end - had)
    }

    fn parse_head(&mut self) -> Result<(), Malformed> {
        let Some((version, status)) = status_line(&self.head) else { return Err(Malformed("no status line of HTTP/1.x")) };
        let (mut length, mut chunked, mut close, mut keep) = (None, false, false, false);
        for (name, value) in fields(&self.head) {
            if name.eq_ignore_ascii_case(b"content-length") {
                let parsed = std::str::from_utf8(value).ok().filter(|v| v.bytes().all(|b| b.is_ascii_digit())).and_then(|v| v.parse::<usize>().ok());
                let Some(parsed) = parsed else { return Err(Malformed("a Content-Length that is no number")) };
                if length.is_some_and(|other| other != parsed) {
                    return Err(Malformed("two different Content-Lengths"));
                }
                length = Some(parsed);
            } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
                if !value.eq_ignore_ascii_case(b"chunked") {
                    return Err(Malformed("an unknown Transfer-Encoding"));
                }
                chunked = true;
            } else if name.eq_ignore_ascii_case(b"connection") {
                for token in value.split(|&b| b == b',').map(|t| t.trim_ascii()) {
                    close |= token.eq_ignore_ascii_case(b"close");
                    keep |= token.eq_ignore_ascii_case(b"keep-alive");
                }
            }
        }
        if (100..200).contains(&status) {
            // An interim answer: the real one follows.
            self.head.clear();
            return Ok(());
        }
        self.status = status;
        self.keep_alive = !close && (version == 1 || keep);
        self.state = match (chunked, length) {
            _ if status == 204 || status == 304 => State::Complete,
            (true, _) => State::ChunkSize,
            (false, Some(0)) => State::Complete,
            (false, Some(n)) if n > BODY_BYTES_MAX => return Err(Malformed("the body is too long")),
            (false, Some(n)) => State::Length(n),
            (false, None) => {
                self.keep_alive = false;
                State::UntilClose
            }
        };
        Ok(())
    }

    /// A line of the chunked encoding.
    fn step_line(&mut self, rest: &[u8]) -> Result<usize, Malformed> {
        let end = memchr::memchr(b'\n', rest);
        let taken = end.map_or(rest.len(), |at| at + 1);
        self.line.extend_from_slice(&rest[..taken]);
        if self.line.len() > CHUNK_LINE_BYTES_MAX {
            return Err(Malformed("a line of the chunked encoding is too long"));
        }
        if end.is_none() {
            return Ok(taken);
        }
        let mut line = std::mem::take(&mut self.line);
        let text = line.strip_suffix(b"\r\n").ok_or(Malformed("a line of the chunked encoding without CR LF"))?;
        self.state = match self.state {
            State::ChunkSize => {
                let digits = text.split(|&b| b == b';').next().unwrap_or_default().trim_ascii();
                let size = std::str::from_utf8(digits).ok().filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
                match size.and_then(|d| usize::from_str_radix(d, 16).ok()) {
                    Some(0) => State::Trailer,
                    Some(n) if n <= BODY_BYTES_MAX => State::Chunk(n),
                    _ => return Err(Malformed("the size of a chunk is no number")),
                }
            }
            State::ChunkEnd if text.is_empty() => State::ChunkSize,
            State::ChunkEnd => return Err(Malformed("a chunk is longer than its size")),
            State::Trailer if text.is_empty() => State::Complete,
            other => other,
        };
        line.clear();
        self.line = line;
        Ok(taken)
    }
}

/// Minor version and status code.
fn status_line(head: &[u8]) -> Option<(u8, u16)> {
    let line = head.split(|&b| b == b'\r').next()?;
    let rest = line.strip_prefix(b"HTTP/1.")?;
    let (version, rest) = rest.split_first()?;
    let digits = rest.strip_prefix(b" ")?.get(..3)?;
    let status = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (matches!(version, b'0' | b'1') && (100..600).contains(&status)).then_some((version - b'0', status))
}

/// Names and values of the fields of a head.
fn fields(head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let lines = head.split(|&b| b == b'\n').skip(1);
    lines.filter_map(|line| {
        let colon = memchr::memchr(b':', line)?;
        Some((line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()))
    })
}

/// The bytes of a request.
pub fn request(method: &str, host: &str, path: &str, fields: &[(String, String)], body: &[u8], keep_alive: bool) -> Vec<u8> {
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n");
    // Some frameworks treat clients without a name apart; Accept-Encoding is left out, so bodies come as they are.
    head.push_str("User-Agent: jumbo-bench\r\nAccept: */*\r\n");
    if !keep_alive {
        head.push_str("Connection: close\r\n");
    }
    for (name, value) in fields {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() || method == "POST" {
        head.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    head.push_str("\r\n");
    let mut bytes = head.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds the answer whole and byte by byte: status, body, keep-alive, and how many bytes it took.
    fn read(answer: &[u8]) -> Result<(u16, Vec<u8>, bool, usize), Malformed> {
        let mut whole = Response::default();
        let taken = match whole.feed(answer)? {
            Progress::Complete(n) => n,
            Progress::More => answer.len(),
        };
        let mut slow = Response::default();
        for byte in &answer[..taken] {
            slow.feed(std::slice::from_ref(byte))?;
        }
        assert_eq!((whole.status, &whole.body, whole.keep_alive, whole.state), (slow.status, &slow.body, slow.keep_alive, slow.state));
        assert_eq!(whole.bytes, slow.bytes);
        Ok((whole.status, whole.body, whole.keep_alive, taken))
    }

    #[test]
    fn bodies_with_length_chunks_and_none() {
        assert_eq!(read(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcNEXT").unwrap(), (200, b"abc".to_vec(), true, 41));
        let chunked = b"HTTP/1.1 404 Not Found\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n1;x=y\r\nd\r\n0\r\nA: b\r\n\r\n";
        assert_eq!(read(chunked).unwrap(), (404, b"abcd".to_vec(), true, chunked.len()));
        assert_eq!(read(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n").unwrap().1, b"");
        assert_eq!(read(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx").unwrap().0, 200);
    }

    #[test]
    fn the_connection_ends_when_it_is_said() {
        assert!(!read(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").unwrap().2);
        assert!(!read(b"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap().2);
        let mut open = Response::default();
        assert_eq!(open.feed(b"HTTP/1.1 200 OK\r\n\r\nuntil the end"), Ok(Progress::More));
        assert!(open.closed());
        assert_eq!(open.body(), b"until the end");
        let mut half = Response::default();
        assert_eq!(half.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), Ok(Progress::More));
        assert!(!half.closed());
    }

    #[test]
    fn what_is_not_http_is_an_error() {
        for wrong in [
            &b"SSH-2.0-OpenSSH\r\n\r\n"[..],
            b"HTTP/2 200 OK\r\n\r\n",
            b"HTTP/1.1 2x0 OK\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfoo\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        ] {
            assert!(read(wrong).is_err(), "{}", String::from_utf8_lossy(wrong));
        }
    }
}
