//! The state of a stream resource: read buffer, position, end, filters.
//!
//! The position is that of the script: what the underlying stream has read ahead stands in the buffer. Writing and seeking
//! give up the buffer and move the underlying stream to the script's position first.

use super::{Failure, FileStat, Opened, Stream, Streams, Whence, new_context};
use crate::{Cx, PResource, PStr, Res, Value};
use jumbo_value::{HeapCharge, OutOfMemory, PStrBuilder};
use jumbo_value::object::Native;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Bytes that one read asks the underlying stream for.
pub const CHUNK: usize = 8192;

/// One filter of a stream.
pub trait Filter: Any {
    /// Passes `input` on to `output`. `closing`: nothing follows. False: a fatal failure of the filter.
    fn filter(&self, cx: &mut Cx, input: &[u8], closing: bool, output: &mut PStrBuilder) -> Res<bool>;
    /// The filter goes.
    fn close(&self, _cx: &mut Cx) -> Res<()> {
        Ok(())
    }
    fn as_any(&self) -> &dyn Any;
}

/// A filter in its place: the same identity for `stream_filter_remove`.
pub struct FilterSlot {
    pub name: PStr,
    pub filter: Rc<dyn Filter>,
}

/// The end of a handle that was dropped and needs PHP code to end.
pub(crate) struct Deferred {
    stream: Rc<dyn Stream>,
    read_filters: Vec<Rc<FilterSlot>>,
    write_filters: Vec<Rc<FilterSlot>>,
    /// Something was written since the last flush.
    written: bool,
}

/// Ends handles that were dropped and could not end by themselves.
pub fn finish_deferred(cx: &mut Cx) -> Res<()> {
    let list = cx.state::<Streams>().deferred();
    loop {
        let Some(ending) = list.borrow_mut().pop() else { return Ok(()) };
        finish(cx, &ending)?;
    }
}

fn finish(cx: &mut Cx, ending: &Deferred) -> Res<()> {
    if !ending.write_filters.is_empty() {
        if let Some(data) = run_filters(cx, &ending.write_filters, b"", true)? {
            write_all(cx, &*ending.stream, &data)?;
        }
    }
    if ending.written || !ending.write_filters.is_empty() {
        ending.stream.flush(cx)?;
    }
    ending.stream.close(cx)?;
    for slot in ending.read_filters.iter().chain(&ending.write_filters) {
        slot.filter.close(cx)?;
    }
    Ok(())
}

fn write_all(cx: &mut Cx, stream: &dyn Stream, mut bytes: &[u8]) -> Res<()> {
    while !bytes.is_empty() {
        match stream.write(cx, bytes)? {
            Ok(0) | Err(_) => break,
            Ok(n) => bytes = &bytes[n.min(bytes.len())..],
        }
    }
    Ok(())
}

/// Runs bytes through a chain that is not empty. None: a filter failed.
fn run_filters(cx: &mut Cx, chain: &[Rc<FilterSlot>], input: &[u8], closing: bool) -> Res<Option<PStrBuilder>> {
    let mut data = None::<PStrBuilder>;
    for slot in chain {
        let mut next = PStrBuilder::new();
        if !slot.filter.filter(cx, data.as_deref().unwrap_or(input), closing, &mut next)? {
            return Ok(None);
        }
        data = Some(next);
    }
    Ok(Some(data.unwrap_or_default()))
}

/// Native state of a resource of type "stream".
pub struct StreamHandle {
    stream: Rc<dyn Stream>,
    pub mode: Vec<u8>,
    pub uri: Option<PStr>,
    pub wrapper_type: &'static str,
    pub opened_path: Option<PStr>,
    pub wrapper_data: RefCell<Value>,
    context: RefCell<Option<PResource>>,
    buffer: RefCell<Vec<u8>>,
    /// What the buffer takes: a line without an end grows with the stream.
    buffer_charge: RefCell<HeapCharge>,
    at: Cell<usize>,
    position: Cell<i64>,
    eof: Cell<bool>,
    pub blocked: Cell<bool>,
    pub chunk_size: Cell<usize>,
    read_filters: RefCell<Vec<Rc<FilterSlot>>>,
    write_filters: RefCell<Vec<Rc<FilterSlot>>>,
    /// Something was written since the last flush.
    written: Cell<bool>,
    /// An object reads it, and it ends with that object: `fclose` is refused.
    pub owned: Cell<bool>,
    /// It was closed in order: dropping does nothing more.
    done: Cell<bool>,
    deferred: Rc<RefCell<Vec<Deferred>>>,
}

impl Native for StreamHandle {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.wrapper_data.borrow());
    }
}

impl Drop for StreamHandle {
    fn drop(&mut self) {
        if self.done.get() {
            return;
        }
        let read_filters = self.read_filters.take();
        let write_filters = self.write_filters.take();
        if self.stream.must_close() || !read_filters.is_empty() || !write_filters.is_empty() {
            let ending = Deferred { stream: self.stream.clone(), read_filters, write_filters, written: self.written.get() };
            self.deferred.borrow_mut().push(ending);
        }
    }
}

impl StreamHandle {
    pub fn new(cx: &mut Cx, opened: Opened, mode: &[u8], uri: Option<&[u8]>, wrapper_type: &'static str) -> StreamHandle {
        StreamHandle {
            stream: opened.stream,
            mode: opened.mode.map_or(mode, str::as_bytes).to_vec(),
            uri: uri.map(PStr::new),
            wrapper_type,
            opened_path: opened.opened_path,
            wrapper_data: RefCell::new(opened.wrapper_data),
            context: RefCell::new(None),
            buffer: RefCell::new(Vec::new()),
            buffer_charge: RefCell::new(HeapCharge::none()),
            at: Cell::new(0),
            position: Cell::new(0),
            eof: Cell::new(false),
            written: Cell::new(false),
            blocked: Cell::new(true),
            chunk_size: Cell::new(CHUNK),
            read_filters: RefCell::default(),
            write_filters: RefCell::default(),
            owned: Cell::new(false),
            done: Cell::new(false),
            deferred: cx.state::<Streams>().deferred(),
        }
    }

    /// What is behind.
    pub fn stream(&self) -> &Rc<dyn Stream> {
        &self.stream
    }
    /// The stream behind, when it is a `T`.
    pub fn stream_as<T: Any>(&self) -> Option<&T> {
        self.stream.as_any().downcast_ref()
    }
    pub fn context(&self) -> Option<PResource> {
        self.context.borrow().clone()
    }
    pub fn set_context(&self, context: Option<PResource>) {
        *self.context.borrow_mut() = context;
    }
    pub fn context_or_new(&self) -> PResource {
        self.context.borrow_mut().get_or_insert_with(new_context).clone()
    }

    // ---- filters

    pub fn add_filter(&self, slot: Rc<FilterSlot>, write: bool, first: bool) {
        let list = if write { &self.write_filters } else { &self.read_filters };
        let mut list = list.borrow_mut();
        let at = if first { 0 } else { list.len() };
        list.insert(at, slot);
    }
    /// What was read ahead goes through a filter that was just appended. False: the filter failed.
    pub fn filter_read_ahead(&self, cx: &mut Cx, slot: &Rc<FilterSlot>) -> Res<bool> {
        let ahead = self.take_unread();
        if ahead.is_empty() {
            return Ok(true);
        }
        let mut out = PStrBuilder::new();
        let fine = slot.filter.filter(cx, &ahead, false, &mut out)?;
        self.read_ahead(&out)?;
        Ok(fine)
    }
    /// Takes a filter out, after it has given what it kept. False: it is not here.
    pub fn remove_filter(&self, cx: &mut Cx, filter: &Rc<FilterSlot>) -> Res<bool> {
        for write in [false, true] {
            let list = if write { &self.write_filters } else { &self.read_filters };
            let found = list.borrow().iter().position(|s| Rc::ptr_eq(s, filter));
            let Some(at) = found else { continue };
            let chain: Vec<_> = list.borrow()[at..].to_vec();
            let mut out = run_filters(cx, &chain[..1], b"", true)?.unwrap_or_default();
            if chain.len() > 1 {
                out = run_filters(cx, &chain[1..], &out, false)?.unwrap_or_default();
            }
            list.borrow_mut().retain(|s| !Rc::ptr_eq(s, filter));
            if write {
                write_all(cx, &*self.stream, &out)?;
            } else {
                self.read_ahead(&out)?;
            }
            filter.filter.close(cx)?;
            return Ok(true);
        }
        Ok(false)
    }
    pub fn has_filters(&self) -> bool {
        !self.read_filters.borrow().is_empty() || !self.write_filters.borrow().is_empty()
    }

    // ---- reading

    /// Bytes that were read ahead.
    pub fn unread(&self) -> usize {
        self.buffer.borrow().len().saturating_sub(self.at.get())
    }
    fn take_unread(&self) -> Vec<u8> {
        let mut buffer = self.buffer.take();
        buffer.drain(..self.at.get().min(buffer.len()));
        self.at.set(0);
        buffer
    }
    fn drop_buffer(&self) {
        self.buffer.borrow_mut().clear();
        self.at.set(0);
    }

    /// One read of the stream behind; failures are reported. None: it failed.
    fn read_raw(&self, cx: &mut Cx, buffer: &mut [u8]) -> Res<Option<usize>> {
        match self.stream.read(cx, buffer)? {
            Ok(got) => {
                if got.eof {
                    self.eof.set(true);
                }
                Ok(Some(got.len.min(buffer.len())))
            }
            Err(Failure::Os(e)) if e.kind() == std::io::ErrorKind::WouldBlock => Ok(Some(0)),
            Err(Failure::Os(e)) => {
                let text = format!("Read of {} bytes failed with errno={} ", buffer.len(), e.raw_os_error().unwrap_or(0));
                cx.notice([text.as_bytes(), &super::os_error_text(&e)].concat())?;
                // A folder can never be read.
                if e.raw_os_error() != Some(9) {
                    self.eof.set(true);
                }
                Ok(None)
            }
            Err(_) => Ok(None),
        }
    }

    /// Reads one chunk into the buffer. None: the read failed; else the number of bytes that came out of the filters.
    fn fill(&self, cx: &mut Cx) -> Res<Option<usize>> {
        let chunk = self.chunk_size.get().max(1);
        // Scripts choose the size of chunks.
        let mut charge = HeapCharge::new(chunk)?;
        let mut data = vec![0; chunk];
        let Some(got) = self.read_raw(cx, &mut data)? else { return Ok(None) };
        data.truncate(got);
        let filters = self.read_filters.borrow().clone();
        if !filters.is_empty() {
            let closing = self.eof.get();
            if data.is_empty() && !closing {
                return Ok(Some(0));
            }
            let Some(out) = run_filters(cx, &filters, &data, closing)? else {
                // PHP gives up a stream whose filter has failed.
                self.eof.set(true);
                return Ok(None);
            };
            drop(data);
            charge.resize(0)?;
            self.read_ahead(&out)?;
            return Ok(Some(out.len()));
        }
        if self.unread() == 0 {
            *self.buffer.borrow_mut() = data;
            *self.buffer_charge.borrow_mut() = charge;
            self.at.set(0);
        } else {
            self.read_ahead(&data)?;
        }
        Ok(Some(got))
    }

    /// Puts bytes behind what was read ahead.
    fn read_ahead(&self, bytes: &[u8]) -> Result<(), OutOfMemory> {
        let mut buffer = self.buffer.borrow_mut();
        if self.at.get() > CHUNK || self.at.get() >= buffer.len() {
            let read = self.at.replace(0).min(buffer.len());
            buffer.drain(..read);
        }
        self.buffer_charge.borrow_mut().reserve(&mut buffer, bytes.len())?;
        buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Moves up to `want` buffered bytes to `out`.
    fn take_buffered(&self, want: usize, out: &mut PStrBuilder) -> Result<usize, OutOfMemory> {
        let buffer = self.buffer.borrow();
        let rest = buffer.get(self.at.get()..).unwrap_or_default();
        let n = rest.len().min(want);
        out.extend(&rest[..n])?;
        self.at.set(self.at.get() + n);
        self.position.set(self.position.get() + n as i64);
        Ok(n)
    }

    /// `fread`: up to `want` bytes. None: the first read failed.
    pub fn read(&self, cx: &mut Cx, want: usize) -> Res<Option<PStr>> {
        let mut out = PStrBuilder::with_capacity(want.min(CHUNK))?;
        let mut first = true;
        loop {
            let left = want - out.len();
            let taken = self.take_buffered(left, &mut out)?;
            if out.len() >= want || (taken > 0 && !self.stream.greedy()) {
                break;
            }
            if self.eof.get() && self.has_read_filters() {
                break;
            }
            match self.fill(cx)? {
                None if first && out.is_empty() => return Ok(None),
                None => break,
                // A filter may keep what it got; go on until the end.
                Some(0) if self.has_read_filters() && !self.eof.get() && self.blocked.get() => {}
                Some(0) => break,
                Some(_) => {}
            }
            first = false;
            cx.check()?;
        }
        Ok(Some(out.finish()))
    }
    fn has_read_filters(&self) -> bool {
        !self.read_filters.borrow().is_empty()
    }

    /// Everything up to the end, or `limit` bytes. None: the first read failed.
    pub fn read_all(&self, cx: &mut Cx, limit: Option<usize>) -> Res<Option<PStr>> {
        let want = limit.unwrap_or(usize::MAX);
        let mut out = PStrBuilder::with_capacity(self.unread().min(want))?;
        self.take_buffered(want, &mut out)?;
        // A plain file's size is known: one read brings all of it.
        let mut step = CHUNK;
        let greedy = self.stream.greedy();
        if (greedy && !self.has_read_filters() || limit.is_none() && self.stream.asked_for_size())
            && let Ok(stat) = self.stream.stat(cx)?
            && greedy
        {
            let left = usize::try_from(stat.size.saturating_sub(self.position.get())).unwrap_or(0);
            step = left.saturating_add(CHUNK).min(1 << 30);
        }
        let mut first = true;
        while out.len() < want {
            // Without a limit a stream that says where its end is is asked once more.
            if self.eof.get() && (self.has_read_filters() || !first && limit.is_some()) {
                break;
            }
            if self.has_read_filters() {
                match self.fill(cx)? {
                    None => break,
                    Some(_) => {
                        self.take_buffered(want - out.len(), &mut out)?;
                        if self.eof.get() && self.unread() == 0 {
                            break;
                        }
                    }
                }
            } else if limit.is_some() && !greedy {
                // What is read beyond the limit is for later reads.
                match self.fill(cx)? {
                    None if first && out.is_empty() => return Ok(None),
                    None | Some(0) => break,
                    Some(_) => {
                        self.take_buffered(want - out.len(), &mut out)?;
                    }
                }
            } else {
                let had = out.len();
                out.fill(0, step.min(want - had).max(1))?;
                let answer = self.read_raw(cx, &mut out.as_mut_bytes()[had..])?;
                out.truncate(had + answer.unwrap_or(0));
                match answer {
                    None if first && out.is_empty() => return Ok(None),
                    None => break,
                    Some(n) => {
                        self.position.set(self.position.get() + n as i64);
                        if n == 0 {
                            break;
                        }
                        step = if n < step { CHUNK } else { (step * 2).min(1 << 20) };
                    }
                }
            }
            first = false;
            cx.check()?;
        }
        Ok(Some(out.finish()))
    }

    /// What `include` reads.
    pub fn read_source(&self, cx: &mut Cx) -> Res<Option<PStr>> {
        self.stream.set_read_buffer(cx, CHUNK)?;
        self.read_all(cx, None)
    }

    /// `fgets`: up to and including a line end, at most `limit` bytes. None: nothing is left.
    pub fn read_line(&self, cx: &mut Cx, limit: Option<usize>) -> Res<Option<PStr>> {
        self.read_until(cx, b"\n", limit, true)
    }

    /// Up to `delimiter`, at most `limit` bytes; the delimiter is read, and given when `keep`. None: nothing is left.
    pub fn read_until(&self, cx: &mut Cx, delimiter: &[u8], limit: Option<usize>, keep: bool) -> Res<Option<PStr>> {
        let limit = limit.unwrap_or(usize::MAX);
        let mut searched = 0;
        loop {
            {
                let buffer = self.buffer.borrow();
                let rest = buffer.get(self.at.get()..).unwrap_or_default();
                let window = &rest[..rest.len().min(limit.saturating_add(if keep { 0 } else { delimiter.len() }))];
                let from = searched.min(window.len()).saturating_sub(delimiter.len().saturating_sub(1));
                let hit = find(&window[from..], delimiter).map(|at| from + at);
                if let Some(at) = hit {
                    let end = at + delimiter.len();
                    let line = PStr::new(&rest[..if keep { end } else { at }]);
                    self.advance(end);
                    return Ok(Some(line));
                }
                if rest.len() >= limit {
                    let line = PStr::new(&rest[..limit]);
                    self.advance(limit);
                    return Ok(Some(line));
                }
                searched = rest.len();
            }
            let before = self.unread();
            // A line ends where the stream has ended, also when there is more by now.
            let at_end = self.eof.get() && (keep || self.has_read_filters());
            let got = if at_end { None } else { self.fill(cx)? };
            let waits = got == Some(0) && self.has_read_filters() && !self.eof.get() && self.blocked.get();
            if matches!(got, None | Some(0)) && !waits {
                if self.unread() == 0 || self.unread() < before {
                    return Ok(None);
                }
                let buffer = self.buffer.borrow();
                let rest = buffer.get(self.at.get()..).unwrap_or_default();
                let line = PStr::new(&rest[..rest.len().min(limit)]);
                self.advance(line.len());
                return Ok(Some(line));
            }
            cx.check()?;
        }
    }
    fn advance(&self, n: usize) {
        self.at.set(self.at.get() + n);
        self.position.set(self.position.get() + n as i64);
    }

    /// `fgetc`.
    pub fn read_byte(&self, cx: &mut Cx) -> Res<Option<u8>> {
        if self.unread() == 0 {
            if self.eof.get() && self.has_read_filters() {
                return Ok(None);
            }
            self.fill(cx)?;
        }
        let byte = self.buffer.borrow().get(self.at.get()).copied();
        if byte.is_some() {
            self.advance(1);
        }
        Ok(byte)
    }

    /// `feof`.
    pub fn at_end(&self, cx: &mut Cx) -> bool {
        if self.unread() > 0 {
            return false;
        }
        if !self.eof.get() && !self.stream.alive(cx) {
            self.eof.set(true);
        }
        self.eof.get()
    }
    pub fn eof_flag(&self) -> bool {
        self.eof.get()
    }

    // ---- writing

    /// `fwrite`. None: it failed before a byte was written.
    pub fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Res<Option<usize>> {
        if self.unread() > 0 || self.at.get() > 0 {
            // The stream behind has read ahead: go back to where the script is.
            let ahead = self.unread();
            self.drop_buffer();
            if ahead > 0 && self.stream.seekable() {
                let _ = self.stream.seek(cx, self.position.get(), Whence::Set)?;
            }
        }
        let filters = self.write_filters.borrow().clone();
        if filters.is_empty() {
            return self.write_raw(cx, bytes);
        }
        let Some(out) = run_filters(cx, &filters, bytes, false)? else { return Ok(None) };
        if !out.is_empty() {
            self.write_raw(cx, &out)?;
        }
        Ok(Some(bytes.len()))
    }
    fn write_raw(&self, cx: &mut Cx, bytes: &[u8]) -> Res<Option<usize>> {
        let mut done = 0;
        while done < bytes.len() {
            match self.stream.write(cx, &bytes[done..])? {
                Ok(0) => break,
                Ok(n) => {
                    done += n.min(bytes.len() - done);
                    self.written.set(true);
                    self.position.set(self.position.get() + n as i64);
                }
                Err(Failure::Os(e)) if e.kind() == std::io::ErrorKind::WouldBlock => break,
                Err(failure) => {
                    if let Failure::Os(e) = failure {
                        let text = format!("Write of {} bytes failed with errno={} ", bytes.len() - done, e.raw_os_error().unwrap_or(0));
                        cx.notice([text.as_bytes(), &super::os_error_text(&e)].concat())?;
                    }
                    return Ok(if done == 0 { None } else { Some(done) });
                }
            }
        }
        Ok(Some(done))
    }
    pub fn flush(&self, cx: &mut Cx) -> Res<bool> {
        self.written.set(false);
        self.stream.flush(cx)
    }

    // ---- position

    pub fn position(&self) -> i64 {
        self.position.get()
    }
    /// `fseek`. False: not possible.
    pub fn seek(&self, cx: &mut Cx, offset: i64, whence: Whence) -> Res<bool> {
        let here = self.position.get();
        let target = match whence {
            Whence::Set => Some(offset),
            Whence::Current => match here.checked_add(offset) {
                Some(t) => Some(t),
                None => return Ok(false),
            },
            Whence::End => None,
        };
        if let Some(target) = target {
            if target < 0 {
                return Ok(false);
            }
            // Forward within what was read ahead. Going back reads again: the file may have changed.
            if target > here && target <= here + self.unread() as i64 {
                self.advance((target - here) as usize);
                self.eof.set(false);
                return Ok(true);
            }
        }
        if !self.stream.seekable() {
            // Forward is possible by reading.
            if let Some(mut left) = target.map(|t| t - here).filter(|n| *n >= 0 && whence == Whence::Current) {
                while left > 0 {
                    match self.read(cx, left.min(CHUNK as i64) as usize)? {
                        Some(s) if !s.is_empty() => left -= s.len() as i64,
                        _ => return Ok(false),
                    }
                }
                self.eof.set(false);
                return Ok(true);
            }
            return Ok(false);
        }
        let moved = match target {
            Some(target) => self.stream.seek(cx, target, Whence::Set)?,
            None => self.stream.seek(cx, offset, Whence::End)?,
        };
        match moved {
            Ok(at) => {
                self.drop_buffer();
                self.position.set(at);
                self.eof.set(false);
                Ok(true)
            }
            Err(_) => Ok(false),
        }
    }
    pub fn stat(&self, cx: &mut Cx) -> Res<Option<FileStat>> {
        Ok(self.stream.stat(cx)?.ok())
    }

    /// Ends the stream in order: filters give what they keep, the stream behind is closed. The resource is closed by the
    /// caller ([`PResource::close`]).
    pub fn close(&self, cx: &mut Cx) -> Res<()> {
        if self.done.replace(true) {
            return Ok(());
        }
        let ending = Deferred {
            stream: self.stream.clone(),
            read_filters: self.read_filters.take(),
            write_filters: self.write_filters.take(),
            written: self.written.get(),
        };
        finish(cx, &ending)
    }
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    match needle {
        [] => None,
        [one] => memchr::memchr(*one, haystack),
        _ => memchr::memmem::find(haystack, needle),
    }
}
