//! Static files: validators as nginx makes them, conditional requests, ranges.
//!
//! Small files are read whole, and stay in memory as long as their route does; larger ones are read in pieces on
//! the blocking pool, so that a slow disk does not hold the executor. Files of file systems that may not answer are opened, read and
//! closed by the threads that there are for those.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use http::header::{self, HeaderMap, HeaderValue};
use http::{Response, StatusCode};
use jumbo_abi::blocking::{self, NoThread};
use jumbo_abi::mounts;
use jumbo_abi::open_file::OpenFile;
use tokio::task::JoinHandle;

use crate::answer::Content;
use crate::range::{self, Ranges};
use crate::routing::Router;

/// Files up to this size are read at once and remembered.
const MEMORY_BYTES_MAX: u64 = 64 << 10;
/// What is read at a time from larger files.
const PIECE_BYTES: u64 = 256 << 10;

/// A file that a path leads to.
pub(crate) struct StaticFile {
    path: PathBuf,
    content_type: &'static str,
    in_memory: RefCell<Option<Rc<Opened>>>,
}

/// A file with the validators that belong to exactly this content.
struct Opened {
    len: u64,
    etag: HeaderValue,
    last_modified: HeaderValue,
    content: Source,
}

#[derive(Clone)]
enum Source {
    Memory(Bytes),
    File(Arc<OpenFile>),
}

/// Why a file cannot be sent.
pub(crate) enum Unreadable {
    /// Its file system does not answer.
    NoThread,
    Failed(io::Error),
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Unreadable {
        Unreadable::Failed(error)
    }
}

impl From<NoThread> for Unreadable {
    fn from(_: NoThread) -> Unreadable {
        Unreadable::NoThread
    }
}

impl StaticFile {
    pub(crate) fn new(path: PathBuf, content_type: &'static str) -> StaticFile {
        StaticFile {
            path,
            content_type,
            in_memory: RefCell::new(None),
        }
    }

    /// Answers GET or HEAD.
    pub(crate) async fn answer(
        &self,
        headers: &HeaderMap,
        router: &Router,
    ) -> Result<Response<Content>, Unreadable> {
        let file = self.open(router).await?;
        let mut response = Response::new(Content::Empty);
        let fields = response.headers_mut();
        fields.insert(header::LAST_MODIFIED, file.last_modified.clone());
        fields.insert(header::ETAG, file.etag.clone());
        if precondition_failed(headers, &file) {
            return Ok(status_only(StatusCode::PRECONDITION_FAILED));
        }
        if not_modified(headers, &file) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return Ok(response);
        }
        fields.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static(self.content_type),
        );
        fields.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        match requested_ranges(headers, &file) {
            Ranges::Whole => {
                *response.body_mut() = file.content.slices(vec![Slice::Range(0, file.len)], router)
            }
            Ranges::Unsatisfiable => {
                let mut response = status_only(StatusCode::RANGE_NOT_SATISFIABLE);
                response.headers_mut().insert(
                    header::CONTENT_RANGE,
                    value(&format!("bytes */{}", file.len)),
                );
                return Ok(response);
            }
            Ranges::Parts(parts) => {
                *response.status_mut() = StatusCode::PARTIAL_CONTENT;
                let fields = response.headers_mut();
                let slices = match parts.as_slice() {
                    &[(first, last)] => {
                        fields.insert(
                            header::CONTENT_RANGE,
                            value(&format!("bytes {first}-{last}/{}", file.len)),
                        );
                        vec![Slice::Range(first, last - first + 1)]
                    }
                    parts => {
                        let boundary = boundary();
                        fields.insert(
                            header::CONTENT_TYPE,
                            value(&format!("multipart/byteranges; boundary={boundary}")),
                        );
                        self.multipart(parts, file.len, &boundary)
                    }
                };
                *response.body_mut() = file.content.slices(slices, router);
            }
        }
        Ok(response)
    }

    async fn open(&self, router: &Router) -> Result<Rc<Opened>, Unreadable> {
        if let Some(opened) = &*self.in_memory.borrow() {
            return Ok(opened.clone());
        }
        let opened = match mounts::remote(&self.path) {
            None => Opened::read(&self.path)?,
            Some(mount) => {
                let path = self.path.clone();
                Box::pin(blocking::elsewhere(mount, router.begins_within(), move || Opened::read(&path))).await??
            }
        };
        let opened = Rc::new(opened);
        if matches!(opened.content, Source::Memory(_)) && self.in_memory.replace(Some(opened.clone())).is_none() {
            router.charge_content(opened.len as usize);
        }
        Ok(opened)
    }

    fn multipart(&self, parts: &[(u64, u64)], len: u64, boundary: &str) -> Vec<Slice> {
        let mut slices = Vec::with_capacity(parts.len() * 2 + 1);
        for (first, last) in parts {
            slices.push(Slice::Text(format!(
                "\r\n--{boundary}\r\nContent-Type: {}\r\nContent-Range: bytes {first}-{last}/{len}\r\n\r\n",
                self.content_type
            )));
            slices.push(Slice::Range(*first, last - first + 1));
        }
        slices.push(Slice::Text(format!("\r\n--{boundary}--\r\n")));
        slices
    }
}

impl Opened {
    fn read(path: &Path) -> io::Result<Opened> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::ErrorKind::NotFound.into());
        }
        let mut len = metadata.len();
        let content = if len <= MEMORY_BYTES_MAX {
            let mut bytes = Vec::with_capacity(len as usize);
            io::Read::read_to_end(&mut io::Read::take(&file, MEMORY_BYTES_MAX), &mut bytes)?;
            len = bytes.len() as u64;
            Source::Memory(bytes.into())
        } else {
            Source::File(Arc::new(OpenFile::new(file, mounts::remote(path))))
        };
        let mtime = metadata.mtime();
        let modified = UNIX_EPOCH + Duration::from_secs(u64::try_from(mtime).unwrap_or(0));
        Ok(Opened {
            len,
            etag: value(&format!("\"{mtime:x}-{len:x}\"")),
            last_modified: value(&httpdate::fmt_http_date(modified)),
            content,
        })
    }
}

/// A piece of an answer: text of our own, or offset and length in the file.
enum Slice {
    Text(String),
    Range(u64, u64),
}

impl Source {
    fn slices(&self, slices: Vec<Slice>, router: &Router) -> Content {
        match self {
            Source::Memory(bytes) => {
                let cut = |offset: u64, len: u64| {
                    let from = usize::try_from(offset)
                        .unwrap_or(usize::MAX)
                        .min(bytes.len());
                    let len = usize::try_from(len)
                        .unwrap_or(usize::MAX)
                        .min(bytes.len() - from);
                    bytes.slice(from..from + len)
                };
                match slices.as_slice() {
                    &[Slice::Range(offset, len)] => Content::Bytes(cut(offset, len)),
                    _ => {
                        let mut whole = Vec::new();
                        for slice in slices {
                            match slice {
                                Slice::Text(text) => whole.extend_from_slice(text.as_bytes()),
                                Slice::Range(offset, len) => {
                                    whole.extend_from_slice(&cut(offset, len))
                                }
                            }
                        }
                        Content::Bytes(whole.into())
                    }
                }
            }
            Source::File(file) => Content::File(Box::new(FileContent {
                file: file.clone(),
                slices: slices.into(),
                reading: None,
                begins_within: router.begins_within(),
            })),
        }
    }
}

/// The body of a large file's answer.
pub(crate) struct FileContent {
    file: Arc<OpenFile>,
    slices: VecDeque<Slice>,
    reading: Option<Reading>,
    begins_within: Duration,
}

/// A piece that is being read, here or by the threads for file systems that may not answer.
enum Reading {
    Near(JoinHandle<io::Result<Vec<u8>>>),
    Far(Pin<Box<dyn Future<Output = Result<io::Result<Vec<u8>>, NoThread>>>>),
}

impl Reading {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<Vec<u8>>> {
        match self {
            Reading::Near(reading) => Pin::new(reading).poll(cx).map(|read| read.map_err(io::Error::other).flatten()),
            // The head is on its way: the connection must end early.
            Reading::Far(reading) => reading.as_mut().poll(cx).map(|read| read.map_err(|NoThread| io::ErrorKind::TimedOut.into()).flatten()),
        }
    }
}

impl FileContent {
    pub(crate) fn remaining(&self) -> u64 {
        self.slices
            .iter()
            .map(|slice| match slice {
                Slice::Text(text) => text.len() as u64,
                Slice::Range(_, len) => *len,
            })
            .fold(0, u64::saturating_add)
    }

    pub(crate) fn poll_piece(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Bytes>>> {
        loop {
            if let Some(reading) = &mut self.reading {
                let read = ready!(reading.poll(cx));
                self.reading = None;
                let bytes = match read {
                    Ok(bytes) => bytes,
                    Err(error) => return Poll::Ready(Some(Err(error))),
                };
                if let Some(Slice::Range(offset, len)) = self.slices.front_mut() {
                    let n = bytes.len() as u64;
                    *offset += n;
                    *len = len.saturating_sub(n);
                }
                return Poll::Ready(Some(Ok(bytes.into())));
            }
            match self.slices.front() {
                None => return Poll::Ready(None),
                Some(Slice::Range(_, 0)) => {
                    self.slices.pop_front();
                }
                Some(Slice::Range(offset, len)) => {
                    let (file, offset) = (self.file.clone(), *offset);
                    let wanted = (*len).min(PIECE_BYTES) as usize;
                    let read = move || {
                        let mut bytes = vec![0; wanted];
                        let n = file.get().read_at(&mut bytes, offset)?;
                        if n == 0 {
                            // The announced length cannot be kept: the connection must end early.
                            return Err(io::ErrorKind::UnexpectedEof.into());
                        }
                        bytes.truncate(n);
                        Ok(bytes)
                    };
                    self.reading = Some(match self.file.mount {
                        None => Reading::Near(tokio::task::spawn_blocking(read)),
                        Some(mount) => Reading::Far(Box::pin(blocking::elsewhere(mount, self.begins_within, read))),
                    });
                }
                Some(Slice::Text(_)) => {
                    if let Some(Slice::Text(text)) = self.slices.pop_front() {
                        return Poll::Ready(Some(Ok(text.into())));
                    }
                }
            }
        }
    }
}

fn status_only(status: StatusCode) -> Response<Content> {
    let mut response = Response::new(Content::Empty);
    *response.status_mut() = status;
    response
}

/// Our own texts are always valid field values.
fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

fn boundary() -> String {
    static COUNTER: AtomicU64 = AtomicU64::new(1);
    format!("{:020}", COUNTER.fetch_add(1, Ordering::Relaxed))
}

fn precondition_failed(headers: &HeaderMap, file: &Opened) -> bool {
    if let Some(field) = headers.get(header::IF_MATCH) {
        return !matches_etag(field.as_bytes(), file.etag.as_bytes(), false);
    }
    match headers.get(header::IF_UNMODIFIED_SINCE).and_then(date) {
        Some(limit) => date(&file.last_modified).is_some_and(|modified| modified > limit),
        None => false,
    }
}

/// If-None-Match decides alone when it is there; dates are compared exactly, as nginx does by default: a file put
/// back from a backup is older and still different.
fn not_modified(headers: &HeaderMap, file: &Opened) -> bool {
    if let Some(field) = headers.get(header::IF_NONE_MATCH) {
        return matches_etag(field.as_bytes(), file.etag.as_bytes(), true);
    }
    match headers.get(header::IF_MODIFIED_SINCE) {
        Some(field) if *field == file.last_modified => true,
        Some(field) => date(field).is_some_and(|since| Some(since) == date(&file.last_modified)),
        None => false,
    }
}

fn date(field: &HeaderValue) -> Option<std::time::SystemTime> {
    httpdate::parse_http_date(field.to_str().ok()?).ok()
}

fn matches_etag(field: &[u8], etag: &[u8], weak: bool) -> bool {
    field
        .split(|&b| b == b',')
        .map(<[u8]>::trim_ascii)
        .any(|candidate| {
            candidate == b"*"
                || candidate == etag
                || (weak
                    && candidate
                        .strip_prefix(b"W/")
                        .is_some_and(|strong| strong == etag))
        })
}

fn requested_ranges(headers: &HeaderMap, file: &Opened) -> Ranges {
    let Some(field) = headers.get(header::RANGE) else {
        return Ranges::Whole;
    };
    if let Some(condition) = headers.get(header::IF_RANGE) {
        let bytes = condition.as_bytes();
        let same = if bytes.starts_with(b"\"") {
            bytes == file.etag.as_bytes()
        } else {
            date(condition).is_some_and(|when| Some(when) == date(&file.last_modified))
        };
        if !same {
            return Ranges::Whole;
        }
    }
    range::parse(field.as_bytes(), file.len)
}
