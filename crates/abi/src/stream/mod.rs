//! Streams: what `fopen` gives, whatever is behind it, and how extensions add their own.
//!
//! - [`Stream`] is what is behind a handle: a file, memory, a socket, an object of a user class.
//! - [`StreamHandle`] is the native state of a resource of type "stream": read buffer, lines, position, end, filters.
//! - [`Wrapper`] opens names of one scheme (`php://`, `data:`, plain paths) and answers for them (stat, unlink, folders).
//!   Wrappers of extensions are declared in [`Extension::wrappers`](crate::Extension); each instance has its own table of
//!   them, which `stream_wrapper_register` and friends change.
//!
//! # Invariants
//! - Everything here takes `&self` and `&mut Cx`: a read may run PHP code (user streams and filters), which may use the same
//!   stream again. No `RefCell` is borrowed across such a call.
//! - A handle whose stream or filters must run PHP code to end does not do so when it is dropped: it goes into the instance's
//!   list of endings, which the next stream operation and the end of the request work off.

mod context;
mod handle;
mod open;
mod stat_cache;

pub use context::{Context, context_argument, default_context, new_context};
pub use handle::{Filter, FilterSlot, StreamHandle, finish_deferred};
pub use stat_cache::{ask_stat, forget_stats};
pub use open::{
    OpenOptions, absolute, allowed, expand, has_nul, list_wrappers, locate, open, open_folder, path_argument, path_buf, report,
    resolve_include_path, restriction, scheme_of, stream_argument, stream_argument_as, to_resource,
};

use crate::{Cx, Message, PResource, PStr, Res, Value};
use indexmap::IndexMap;
use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

/// Type name of stream resources.
pub const STREAM: &str = "stream";
/// Type name of stream contexts.
pub const CONTEXT: &str = "stream-context";

/// Why an operation on a stream or a name did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// The system's reason.
    Os(io::Error),
    /// A reason in PHP's words.
    Message(PStr),
    /// The wrapper or stream does not know this operation.
    Unsupported,
    /// A message was given already, or none is due.
    Reported,
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Failure {
        Failure::Os(e)
    }
}

impl Failure {
    pub fn message(text: impl Message) -> Failure {
        Failure::Message(text.to_str().unwrap_or_else(|refused| refused.unwind()))
    }
    /// The reason as PHP's messages give it.
    pub fn text(&self) -> Cow<'_, [u8]> {
        match self {
            Failure::Os(e) => os_error_text(e).into(),
            Failure::Message(m) => m.as_bytes().into(),
            Failure::Unsupported => b"operation failed".into(),
            Failure::Reported => b"".into(),
        }
    }
}

/// The system's text for an error, without the number that Rust adds.
pub fn os_error_text(e: &io::Error) -> Vec<u8> {
    let mut text = e.to_string();
    if let Some(at) = text.rfind(" (os error ") {
        text.truncate(at);
    }
    text.into_bytes()
}

/// What an operation gives: `Err` of the outer result ends the builtin.
pub type Tried<T> = Res<Result<T, Failure>>;

/// What one read brought.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    pub len: usize,
    /// Nothing more will come.
    pub eof: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whence {
    Set,
    Current,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    Shared,
    Exclusive,
    Unlock,
}

/// Numbers of `stat`, as PHP gives them.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileStat {
    pub dev: i64,
    pub ino: i64,
    pub mode: i64,
    pub nlink: i64,
    pub uid: i64,
    pub gid: i64,
    pub rdev: i64,
    pub size: i64,
    pub atime: i64,
    pub mtime: i64,
    pub ctime: i64,
    pub blksize: i64,
    pub blocks: i64,
}

/// What `touch`, `chmod`, `chown` and `chgrp` change.
#[derive(Clone, Debug)]
pub enum Metadata {
    /// Modification and access time; None: now.
    Touch(Option<(i64, i64)>),
    Mode(u32),
    Owner(i64),
    OwnerName(PStr),
    Group(i64),
    GroupName(PStr),
}

/// What is behind a stream.
pub trait Stream: Any {
    /// `stream_type` of the metadata: "STDIO", "MEMORY".
    fn kind(&self) -> &'static str;
    fn read(&self, cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read>;
    fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Tried<usize>;
    /// The new position, or a failure.
    fn seek(&self, _cx: &mut Cx, _offset: i64, _whence: Whence) -> Tried<i64> {
        Ok(Err(Failure::Unsupported))
    }
    fn seekable(&self) -> bool {
        false
    }
    fn flush(&self, _cx: &mut Cx) -> Res<bool> {
        Ok(true)
    }
    fn close(&self, _cx: &mut Cx) -> Res<()> {
        Ok(())
    }
    /// Closing runs PHP code: dropping the handle is not enough.
    fn must_close(&self) -> bool {
        false
    }
    fn stat(&self, _cx: &mut Cx) -> Tried<FileStat> {
        Ok(Err(Failure::Unsupported))
    }
    fn can_truncate(&self) -> bool {
        false
    }
    fn truncate(&self, _cx: &mut Cx, _size: i64) -> Res<bool> {
        Ok(false)
    }
    fn can_lock(&self) -> bool {
        false
    }
    /// Ok(Err(_)): not locked; an error of kind WouldBlock when another one holds it and `wait` is false.
    fn lock(&self, _cx: &mut Cx, _lock: Lock, _wait: bool) -> Tried<()> {
        Ok(Err(Failure::Unsupported))
    }
    /// None: no such thing here.
    fn set_blocking(&self, _cx: &mut Cx, _blocking: bool) -> Res<Option<bool>> {
        Ok(None)
    }
    fn set_timeout(&self, _cx: &mut Cx, _timeout: Duration) -> Res<bool> {
        Ok(false)
    }
    /// The size that reads will have; `include` announces it.
    fn set_read_buffer(&self, _cx: &mut Cx, _size: usize) -> Res<bool> {
        Ok(false)
    }
    fn set_write_buffer(&self, _cx: &mut Cx, _size: usize) -> Res<bool> {
        Ok(false)
    }
    fn timed_out(&self) -> bool {
        false
    }
    /// Writes what the system still keeps to the disk.
    fn sync(&self, _cx: &mut Cx, _data_only: bool) -> Tried<()> {
        Ok(Err(Failure::Unsupported))
    }
    /// The descriptor behind it, for `stream_select`, `stream_isatty` and children. It stays open while the stream is.
    fn descriptor(&self, _cx: &mut Cx) -> Res<Option<std::os::fd::RawFd>> {
        Ok(None)
    }
    /// A read goes on until everything asked for is there (plain files, memory); others give what one read brings.
    fn greedy(&self) -> bool {
        false
    }
    /// Who reads everything asks for the size first.
    fn asked_for_size(&self) -> bool {
        self.greedy()
    }
    /// False: the other side has gone away (sockets).
    fn alive(&self, _cx: &mut Cx) -> bool {
        true
    }
    /// Adds what only this kind of stream tells in `stream_get_meta_data`, before the common part.
    fn metadata(&self, _to: &mut jumbo_value::PArray) {}
    /// Folders: the next entry.
    fn read_entry(&self, _cx: &mut Cx) -> Res<Option<PStr>> {
        Ok(None)
    }
    fn rewind_entries(&self, _cx: &mut Cx) -> Res<()> {
        Ok(())
    }
    fn is_folder(&self) -> bool {
        false
    }
    /// For those who know the concrete type (sockets, processes).
    fn as_any(&self) -> &dyn Any;
}

/// A stream that a wrapper has opened.
pub struct Opened {
    pub stream: Rc<dyn Stream>,
    /// The mode as the metadata shows it, when not the one asked for.
    pub mode: Option<&'static str>,
    /// `wrapper_data` of the metadata; undefined when there is none.
    pub wrapper_data: Value,
    /// Where the name really led: absolute path of a plain file.
    pub opened_path: Option<PStr>,
}

impl Opened {
    pub fn new(stream: Rc<dyn Stream>) -> Opened {
        Opened { stream, mode: None, wrapper_data: Value::default(), opened_path: None }
    }
}

/// Opens names of one scheme. `path` is the whole name with its scheme, except for plain files, where `file://` is gone.
pub trait Wrapper: Any {
    /// `wrapper_type` of the metadata: "plainfile", "PHP", "http".
    fn label(&self) -> &'static str;
    /// Names outside of this machine: need allow_url_fopen and, to be included, allow_url_include.
    fn is_url(&self) -> bool {
        false
    }
    /// The plain files.
    fn is_plain(&self) -> bool {
        false
    }
    fn open(&self, cx: &mut Cx, path: &[u8], mode: &[u8], options: &OpenOptions) -> Tried<Opened>;
    /// `link`: of a symbolic link itself. `quiet`: nobody is interested in why not.
    fn stat(&self, _cx: &mut Cx, _path: &[u8], _link: bool, _quiet: bool) -> Tried<FileStat> {
        Ok(Err(Failure::Unsupported))
    }
    /// As `stat`, for `is_file`, `filesize` and their like, which have looked at open_basedir themselves.
    fn stat_of_name(&self, cx: &mut Cx, path: &[u8], link: bool, quiet: bool) -> Tried<FileStat> {
        self.stat(cx, path, link, quiet)
    }
    fn unlink(&self, _cx: &mut Cx, _path: &[u8], _context: Option<&PResource>) -> Tried<()> {
        Ok(Err(Failure::Unsupported))
    }
    fn rename(&self, _cx: &mut Cx, _from: &[u8], _to: &[u8], _context: Option<&PResource>) -> Tried<()> {
        Ok(Err(Failure::Unsupported))
    }
    fn mkdir(&self, _cx: &mut Cx, _path: &[u8], _mode: u32, _recursive: bool, _context: Option<&PResource>) -> Tried<()> {
        Ok(Err(Failure::Unsupported))
    }
    fn rmdir(&self, _cx: &mut Cx, _path: &[u8], _context: Option<&PResource>) -> Tried<()> {
        Ok(Err(Failure::Unsupported))
    }
    fn open_folder(&self, _cx: &mut Cx, _path: &[u8], _context: Option<&PResource>) -> Tried<Rc<dyn Stream>> {
        Ok(Err(Failure::Unsupported))
    }
    fn set_metadata(&self, _cx: &mut Cx, _path: &[u8], _metadata: &Metadata, _context: Option<&PResource>) -> Tried<()> {
        Ok(Err(Failure::Unsupported))
    }
}

/// A wrapper that an extension offers.
pub struct WrapperDesc {
    pub scheme: &'static str,
    pub make: fn() -> Rc<dyn Wrapper>,
}

/// A filter that an extension offers. The name may end with `.*`.
pub struct FilterDesc {
    pub name: &'static str,
    /// None: the parameters are not acceptable (a warning was given).
    pub make: fn(&mut Cx, name: &[u8], params: &Value) -> Res<Option<Rc<dyn Filter>>>,
}

/// Streams of one instance.
#[derive(Default)]
pub struct Streams {
    /// By lower-cased scheme. None: not asked for yet.
    wrappers: Option<IndexMap<Box<[u8]>, Rc<dyn Wrapper>>>,
    pub default_context: Option<PResource>,
    /// `stream_filter_register`: pattern and class.
    pub user_filters: IndexMap<Box<[u8]>, PStr>,
    deferred: Rc<RefCell<Vec<handle::Deferred>>>,
}

impl Streams {
    /// The table of wrappers, made from what the extensions declare when it is first needed.
    pub fn wrappers(&mut self) -> &mut IndexMap<Box<[u8]>, Rc<dyn Wrapper>> {
        self.wrappers.get_or_insert_with(|| {
            let mut table = IndexMap::new();
            for extension in crate::registry::try_get().map_or(&[][..], |r| &r.extensions) {
                for w in extension.wrappers {
                    table.insert(w.scheme.as_bytes().into(), (w.make)());
                }
            }
            table
        })
    }
    /// As the extensions declare it, whatever the script has done.
    pub fn builtin_wrapper(scheme: &[u8]) -> Option<Rc<dyn Wrapper>> {
        let extensions = &crate::registry::try_get()?.extensions;
        let mut found = extensions.iter().flat_map(|e| e.wrappers).filter(|w| w.scheme.as_bytes() == scheme);
        found.next_back().map(|w| (w.make)())
    }
    pub(crate) fn deferred(&self) -> Rc<RefCell<Vec<handle::Deferred>>> {
        self.deferred.clone()
    }
}
