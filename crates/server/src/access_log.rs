//! The access log: the combined format, followed by the duration in microseconds; and the development server's
//! lines on stderr.
//!
//! Lines are collected per executor and written at once when there are many, or by the once-a-second sweep; the
//! file is opened for appending, so that lines of several executors do not mix.

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Instant, SystemTime};

use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, Version, header};

use crate::config::ErrorLog;
use crate::dates;
use crate::executor::lock;
use crate::head::HeadFacts;

/// Collected lines are written from this size on.
const FLUSH_BYTES: usize = 32 << 10;

/// The name that means standard output.
const STDOUT: &str = "-";

/// The file that all executors write to.
pub(crate) struct LogFile {
    path: PathBuf,
    file: Mutex<Arc<File>>,
}

impl LogFile {
    pub(crate) fn open(path: &Path) -> io::Result<Arc<LogFile>> {
        Ok(Arc::new(LogFile { path: path.to_path_buf(), file: Mutex::new(open(path)?) }))
    }

    /// Opens the file of this name anew: the one that was open may have been renamed.
    pub(crate) fn reopen(&self) -> io::Result<()> {
        let file = open(&self.path)?;
        *lock(&self.file) = file;
        Ok(())
    }

    fn write_all(&self, bytes: &[u8]) -> io::Result<()> {
        let file = lock(&self.file).clone();
        (&*file).write_all(bytes)
    }
}

fn open(path: &Path) -> io::Result<Arc<File>> {
    if path.as_os_str() == STDOUT {
        return Ok(Arc::new(File::from(io::stdout().as_fd().try_clone_to_owned()?)));
    }
    let file = OpenOptions::new().append(true).create(true).open(path);
    file.map(Arc::new).map_err(|error| io::Error::new(error.kind(), format!("access log {}: {error}", path.display())))
}

/// One executor's log.
pub(crate) struct AccessLog {
    file: Option<Arc<LogFile>>,
    development: bool,
    lines: RefCell<Vec<u8>>,
    errors: ErrorLog,
}

impl AccessLog {
    pub(crate) fn new(file: Option<Arc<LogFile>>, development: bool, errors: ErrorLog) -> AccessLog {
        AccessLog {
            file,
            development,
            lines: RefCell::new(Vec::new()),
            errors,
        }
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.file.is_some() || self.development
    }

    /// A connection was accepted or is closing.
    pub(crate) fn connection(&self, peer: &str, what: &str) {
        if self.development {
            eprintln!("[{}] {peer} {what}", dates::development(SystemTime::now()));
        }
    }

    pub(crate) fn flush(&self) {
        let mut lines = self.lines.borrow_mut();
        if let (Some(file), false) = (&self.file, lines.is_empty())
            && let Err(error) = file.write_all(&lines)
        {
            (self.errors)(&format!("cannot write the access log: {error}"));
        }
        lines.clear();
    }
}

impl Drop for AccessLog {
    fn drop(&mut self) {
        self.flush();
    }
}

/// What a line needs of a request, from its head on.
pub(crate) struct LogEntry {
    log: Rc<AccessLog>,
    peer: Rc<str>,
    method: Method,
    uri: Vec<u8>,
    version: Version,
    /// The request line of a request that was refused for its form, in place of the three before.
    line: Option<Bytes>,
    referer: Option<HeaderValue>,
    user_agent: Option<HeaderValue>,
    started: Instant,
    pub status: StatusCode,
}

impl LogEntry {
    pub(crate) fn new(
        log: &Rc<AccessLog>,
        peer: &Rc<str>,
        head: &http::request::Parts,
        facts: &HeadFacts,
        started: Instant,
    ) -> LogEntry {
        LogEntry {
            log: log.clone(),
            peer: peer.clone(),
            method: head.method.clone(),
            uri: match &facts.target {
                Some(target) => target.to_vec(),
                None => head.uri.path_and_query().map_or("*", |target| target.as_str()).into(),
            },
            version: head.version,
            line: facts.refusal.as_ref().map(|refusal| refusal.line.clone()),
            referer: head.headers.get(header::REFERER).cloned(),
            user_agent: head.headers.get(header::USER_AGENT).cloned(),
            started,
            status: StatusCode::OK,
        }
    }

    /// The request is over.
    pub(crate) fn write(&self, bytes_sent: u64) {
        let log = &self.log;
        if log.development {
            let suffix = if self.status == StatusCode::NOT_FOUND {
                " - No such file or directory"
            } else {
                ""
            };
            let mut uri = Vec::new();
            push_escaped(&mut uri, &self.uri);
            eprintln!(
                "[{}] {} [{}]: {} {}{suffix}",
                dates::development(SystemTime::now()),
                self.peer,
                self.status.as_u16(),
                self.method,
                String::from_utf8_lossy(&uri)
            );
        }
        if log.file.is_none() {
            return;
        }
        let mut lines = log.lines.borrow_mut();
        let address = self
            .peer
            .rsplit_once(':')
            .map_or(&*self.peer, |(address, _)| address);
        lines.extend_from_slice(address.as_bytes());
        lines.extend_from_slice(b" - - ");
        dates::push_combined(&mut lines, SystemTime::now());
        lines.extend_from_slice(b" \"");
        match &self.line {
            Some(line) => push_escaped(&mut lines, line),
            None => {
                push_escaped(&mut lines, self.method.as_str().as_bytes());
                lines.push(b' ');
                push_escaped(&mut lines, &self.uri);
                lines.extend_from_slice(if self.version == Version::HTTP_10 { b" HTTP/1.0" } else { b" HTTP/1.1" });
            }
        }
        let micros = self.started.elapsed().as_micros();
        // Writing to a Vec cannot fail.
        let _ = write!(
            lines,
            "\" {} {bytes_sent} \"",
            self.status.as_u16()
        );
        push_escaped(
            &mut lines,
            self.referer.as_ref().map_or(b"-", |v| v.as_bytes()),
        );
        lines.extend_from_slice(b"\" \"");
        push_escaped(
            &mut lines,
            self.user_agent.as_ref().map_or(b"-", |v| v.as_bytes()),
        );
        let _ = writeln!(lines, "\" {micros}");
        let full = lines.len() >= FLUSH_BYTES;
        drop(lines);
        if full {
            log.flush();
        }
    }
}

/// Clients choose these bytes: none may end a field or a line, or reach a terminal as a control character.
fn push_escaped(out: &mut Vec<u8>, text: &[u8]) {
    for &b in text {
        match b {
            b'"' | b'\\' | 0..=0x1f | 0x7f..=0xff => {
                let _ = write!(out, "\\x{b:02X}");
            }
            _ => out.push(b),
        }
    }
}
