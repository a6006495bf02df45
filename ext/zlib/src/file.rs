//! Compressed files: the stream, the wrapper `compress.zlib`, gzopen and the functions that read whole files.
//!
//! The stream reads gzip files of several members, and others as they are. Positions are those of the uncompressed data: going
//! back starts anew, going forward reads, or writes zeros.

use crate::codec::{self, Encoding, WINDOW_MAX};
use flate2::{Compress, Decompress, FlushCompress, FlushDecompress};
use jumbo_abi::stream::{
    self, Context, Failure, OpenOptions, Opened, Read, Stream, StreamHandle, Tried, Whence,
    Wrapper, WrapperDesc,
};
use jumbo_abi::{Cx, OrFalse, PArray, PResource, PStr, Res, Stop, Value, Work};
use jumbo_value::PStrBuilder;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const SCHEME: &[u8] = b"compress.zlib://";
const KIND: &str = "ZLIB";
/// Bytes read from the file at a time.
const CHUNK: usize = 8192;

pub const WRAPPER: WrapperDesc = WrapperDesc {
    scheme: "compress.zlib",
    make: || Rc::new(CompressedFiles),
};

/// What is being done with the file.
enum State {
    /// Not known before the first bytes are there.
    Start,
    /// It is not compressed.
    Plain,
    Reading(Decompress),
    /// Damaged, or read to the end.
    Over,
    Writing(Compress),
    /// PHP code may run meanwhile.
    Busy,
}

struct CompressedFile {
    /// The file itself; None after closing.
    inner: RefCell<Option<PResource>>,
    state: RefCell<State>,
    level: i64,
    /// Bytes of the file that are still to be decompressed, and decompressed ones that nobody has read.
    pending: RefCell<PStrBuilder>,
    ready: RefCell<PStrBuilder>,
    /// So many of the ready bytes have been read.
    at: Cell<usize>,
    position: Cell<i64>,
    writes: bool,
}

impl CompressedFile {
    fn inner(&self) -> Option<PResource> {
        self.inner.borrow().clone()
    }

    /// More bytes of the file. False: there are none.
    fn fetch(&self, cx: &mut Cx) -> Res<bool> {
        let Some(inner) = self.inner() else {
            return Ok(false);
        };
        let Some(handle) = inner.native::<StreamHandle>() else {
            return Ok(false);
        };
        let bytes = handle.read(cx, CHUNK)?.unwrap_or_default();
        self.pending.borrow_mut().extend(bytes.as_bytes())?;
        Ok(!bytes.is_empty())
    }

    /// A format for what comes next.
    fn begun(&self) -> Option<State> {
        let gzip = self.pending.borrow().starts_with(b"\x1f\x8b");
        gzip.then(|| State::Reading(codec::decompressor(Encoding::Gzip, WINDOW_MAX)))
    }

    /// Makes bytes ready. False: there is nothing more.
    fn advance(&self, cx: &mut Cx) -> Res<bool> {
        if matches!(*self.state.borrow(), State::Start) {
            while self.pending.borrow().len() < 2 && self.fetch(cx)? {}
            *self.state.borrow_mut() = self.begun().unwrap_or(State::Plain);
        }
        if self.pending.borrow().is_empty() && !self.fetch(cx)? {
            return Ok(false);
        }
        let mut ready = self.ready.take();
        if self.at.get() >= ready.len() {
            ready.clear();
            self.at.set(0);
        }
        let pending = self.pending.take();
        let mut state = self.state.replace(State::Busy);
        let done = match &mut state {
            State::Plain => ready
                .extend(&pending)
                .map(|()| Some((pending.len(), Ok(false))))
                .map_err(Stop::from),
            State::Reading(decompressor) => {
                let flush = FlushDecompress::None;
                let mut work = Work::new(cx);
                codec::decompress(decompressor, &pending, flush, 0, &mut ready, &mut work).map(Some)
            }
            State::Over | State::Start | State::Writing(_) | State::Busy => Ok(None),
        };
        self.state.replace(state);
        self.ready.replace(ready);
        let Some((used, result)) = done? else { return Ok(false) };
        self.pending.borrow_mut().extend(&pending[used..])?;
        match result {
            // Another member may follow.
            Ok(true) => {
                while self.pending.borrow().len() < 2 && self.fetch(cx)? {}
                *self.state.borrow_mut() = self.begun().unwrap_or(State::Over);
            }
            Ok(false) => {}
            Err(_) => *self.state.borrow_mut() = State::Over,
        }
        Ok(true)
    }

    fn write_out(&self, cx: &mut Cx, bytes: &[u8]) -> Res<bool> {
        if bytes.is_empty() {
            return Ok(true);
        }
        let Some(inner) = self.inner() else {
            return Ok(false);
        };
        let Some(handle) = inner.native::<StreamHandle>() else {
            return Ok(false);
        };
        Ok(handle.write(cx, bytes)?.is_some_and(|n| n == bytes.len()))
    }

    fn deflate(&self, cx: &mut Cx, bytes: &[u8], flush: FlushCompress) -> Res<bool> {
        let mut out = PStrBuilder::new();
        let mut state = self.state.replace(State::Busy);
        let good = match &mut state {
            State::Writing(compressor) => {
                codec::compress(compressor, bytes, flush, &mut out, &mut Work::new(cx))
            }
            _ => Ok(false),
        };
        self.state.replace(state);
        Ok(good? && self.write_out(cx, &out)?)
    }

    /// To the start of the file.
    fn begin(&self, cx: &mut Cx) -> Res<bool> {
        let Some(inner) = self.inner() else {
            return Ok(false);
        };
        let Some(handle) = inner.native::<StreamHandle>() else {
            return Ok(false);
        };
        if !handle.seek(cx, 0, Whence::Set)? {
            return Ok(false);
        }
        self.pending.borrow_mut().clear();
        self.ready.borrow_mut().clear();
        self.at.set(0);
        *self.state.borrow_mut() = State::Start;
        self.position.set(0);
        Ok(true)
    }
}

impl Stream for CompressedFile {
    fn kind(&self) -> &'static str {
        KIND
    }
    fn read(&self, cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read> {
        if self.writes {
            return Ok(Err(Failure::Reported));
        }
        while self.ready.borrow().len().saturating_sub(self.at.get()) < buffer.len() && self.advance(cx)? {
            cx.check()?;
        }
        let ready = self.ready.borrow();
        let ready = ready.get(self.at.get()..).unwrap_or_default();
        let len = ready.len().min(buffer.len());
        buffer[..len].copy_from_slice(&ready[..len]);
        self.at.set(self.at.get() + len);
        self.position.set(self.position.get() + len as i64);
        Ok(Ok(Read {
            len,
            eof: len < buffer.len(),
        }))
    }
    fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Tried<usize> {
        if !self.writes {
            return Ok(Ok(0));
        }
        if !self.deflate(cx, bytes, FlushCompress::None)? {
            return Ok(Err(Failure::Reported));
        }
        self.position.set(self.position.get() + bytes.len() as i64);
        Ok(Ok(bytes.len()))
    }
    fn seekable(&self) -> bool {
        true
    }
    fn seek(&self, cx: &mut Cx, offset: i64, whence: Whence) -> Tried<i64> {
        let target = match whence {
            Whence::Set => offset,
            Whence::Current => self.position.get().saturating_add(offset),
            Whence::End => {
                cx.warning("SEEK_END is not supported")?;
                return Ok(Err(Failure::Reported));
            }
        };
        if target < 0 || self.writes && target < self.position.get() {
            return Ok(Err(Failure::Reported));
        }
        if target < self.position.get() && !self.begin(cx)? {
            return Ok(Err(Failure::Reported));
        }
        let piece = [0; CHUNK];
        while self.position.get() < target {
            let left = usize::try_from(target - self.position.get())
                .unwrap_or(CHUNK)
                .min(CHUNK);
            if self.writes {
                if self.write(cx, &piece[..left])?.is_err() {
                    return Ok(Err(Failure::Reported));
                }
            } else {
                let mut buffer = vec![0; left];
                match self.read(cx, &mut buffer)? {
                    Ok(read) if read.len > 0 => {}
                    _ => break,
                }
            }
            cx.check()?;
        }
        Ok(Ok(self.position.get()))
    }
    fn flush(&self, cx: &mut Cx) -> Res<bool> {
        if !self.writes || self.inner().is_none() {
            return Ok(true);
        }
        self.deflate(cx, b"", FlushCompress::Sync)
    }
    fn close(&self, cx: &mut Cx) -> Res<()> {
        if self.writes && self.inner().is_some() {
            self.deflate(cx, b"", FlushCompress::Finish)?;
        }
        let inner = self.inner.take();
        if let Some(inner) = inner {
            jumbo_ext_files::file::finish(cx, &inner)?;
        }
        Ok(())
    }
    fn must_close(&self) -> bool {
        self.writes
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Opens a file. `Err` with `Reported`: a message was given.
fn open(cx: &mut Cx, name: &[u8], mode: &[u8], options: &OpenOptions) -> Tried<CompressedFile> {
    if mode.contains(&b'+') {
        if !options.quiet {
            cx.warning("Cannot open a zlib stream for reading and writing at the same time!")?;
        }
        return Ok(Err(Failure::Reported));
    }
    let writes = mode
        .first()
        .is_some_and(|b| matches!(b, b'w' | b'a' | b'x' | b'c'));
    // Digits and letters for zlib mean nothing to the file.
    let plain: Vec<u8> = mode
        .iter()
        .copied()
        .filter(|b| matches!(b, b'r' | b'w' | b'a' | b'x' | b'c' | b'e' | b'n'))
        .chain(*b"b")
        .collect();
    let plain = if mode
        .first()
        .is_some_and(|b| matches!(b, b'r' | b'w' | b'a' | b'x' | b'c'))
    {
        plain
    } else {
        mode.to_vec()
    };
    let Some(inner) = stream::open(cx, name, &plain, options)? else {
        return Ok(Err(Failure::Reported));
    };
    if !mode.iter().any(|b| matches!(b, b'r' | b'w' | b'a')) {
        if !options.quiet {
            cx.warning("gzopen failed")?;
        }
        return Ok(Err(Failure::Reported));
    }
    let can_seek = inner
        .native::<StreamHandle>()
        .is_some_and(|h| h.stream().seekable());
    if !can_seek && name.starts_with(b"php://output") {
        stream::report(
            cx,
            jumbo_abi::Level::Warning,
            name,
            &[b"could not make seekable - ".as_slice(), name].concat(),
        )?;
        return Ok(Err(Failure::Reported));
    }
    let asked = options
        .context
        .as_ref()
        .and_then(|c| c.native::<Context>())
        .and_then(|c| c.option(b"zlib", b"level"));
    let asked = asked.map(|v| jumbo_value::convert::to_int(&v));
    let digit = mode
        .iter()
        .find(|b| b.is_ascii_digit())
        .map(|b| i64::from(b - b'0'));
    let level = asked
        .or(digit)
        .filter(|l| (-1..=9).contains(l))
        .unwrap_or(-1);
    let state = if writes {
        State::Writing(codec::compressor(level, Encoding::Gzip, WINDOW_MAX))
    } else {
        State::Start
    };
    Ok(Ok(CompressedFile {
        inner: RefCell::new(Some(inner)),
        state: RefCell::new(state),
        level,
        pending: RefCell::default(),
        ready: RefCell::default(),
        at: Cell::new(0),
        position: Cell::new(0),
        writes,
    }))
}

impl std::fmt::Debug for CompressedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CompressedFile")
            .field("writes", &self.writes)
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

struct CompressedFiles;

impl Wrapper for CompressedFiles {
    fn label(&self) -> &'static str {
        KIND
    }
    fn open(&self, cx: &mut Cx, path: &[u8], mode: &[u8], options: &OpenOptions) -> Tried<Opened> {
        let name = if path.len() >= SCHEME.len() {
            &path[SCHEME.len()..]
        } else {
            path
        };
        // What is wrong with the file behind it is not told.
        let quiet = OpenOptions { quiet: true, ..options.clone() };
        Ok(match open(cx, name, mode, &quiet)? {
            Ok(file) => Ok(Opened::new(Rc::new(file))),
            Err(Failure::Reported) => Err(Failure::message("operation failed")),
            Err(failure) => Err(failure),
        })
    }
    fn unlink(&self, cx: &mut Cx, _path: &[u8], _context: Option<&PResource>) -> Tried<()> {
        cx.warning("ZLIB does not allow unlinking")?;
        Ok(Err(Failure::Reported))
    }
    fn rename(
        &self,
        cx: &mut Cx,
        _from: &[u8],
        _to: &[u8],
        _context: Option<&PResource>,
    ) -> Tried<()> {
        cx.warning("ZLIB wrapper does not support renaming")?;
        Ok(Err(Failure::Reported))
    }
    fn open_folder(
        &self,
        _cx: &mut Cx,
        _path: &[u8],
        _context: Option<&PResource>,
    ) -> Tried<Rc<dyn Stream>> {
        Ok(Err(Failure::message("not implemented")))
    }
}

/// Opens a file for one of the functions. None: told.
fn opened(cx: &mut Cx, filename: &PStr, mode: &[u8], include_path: bool) -> Res<Option<PResource>> {
    if stream::has_nul(filename.as_bytes()) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    let options = OpenOptions {
        use_include_path: include_path,
        ..OpenOptions::default()
    };
    let name = filename.as_bytes();
    let name = name.strip_prefix(SCHEME).unwrap_or(name);
    match open(cx, name, mode, &options)? {
        Ok(file) => {
            let opened = Opened::new(Rc::new(file));
            Ok(Some(stream::to_resource(cx, opened, mode, None, "")))
        }
        Err(_) => Ok(None),
    }
}

pub fn gzopen(cx: &mut Cx, filename: &PStr, mode: &PStr, use_include_path: i64) -> Res<Value> {
    let resource = opened(cx, filename, mode.as_bytes(), use_include_path != 0)?;
    Ok(resource.map_or(Value::FALSE, Value::from))
}

pub fn gzfile(cx: &mut Cx, filename: &PStr, use_include_path: i64) -> Res<OrFalse<PArray>> {
    let Some(resource) = opened(cx, filename, b"rb", use_include_path != 0)? else {
        return Ok(OrFalse(None));
    };
    let mut lines = PArray::new();
    if let Some(handle) = resource.native::<StreamHandle>() {
        while let Some(line) = handle.read_line(cx, None)? {
            // PHP hands lines on as C strings.
            let end = line
                .as_bytes()
                .iter()
                .position(|b| *b == 0)
                .unwrap_or(line.len());
            lines.append(line.slice(0, end));
            cx.check()?;
        }
    }
    jumbo_ext_files::file::finish(cx, &resource)?;
    Ok(OrFalse(Some(lines)))
}

pub fn readgzfile(cx: &mut Cx, filename: &PStr, use_include_path: i64) -> Res<OrFalse<i64>> {
    let Some(resource) = opened(cx, filename, b"rb", use_include_path != 0)? else {
        return Ok(OrFalse(None));
    };
    let mut written = 0;
    if let Some(handle) = resource.native::<StreamHandle>() {
        written = jumbo_ext_files::file::pass_through(cx, &handle)?;
    }
    jumbo_ext_files::file::finish(cx, &resource)?;
    Ok(OrFalse(Some(written)))
}
