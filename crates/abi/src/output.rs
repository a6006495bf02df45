//! Output of one instance: the stack of output buffers, the response's headers, and the sink at the end.
//!
//! Running an output callback may run PHP code, so everything that can reach one is a method of [`Cx`].

use crate::{Callable, Cx, Level, Res, Stop};
use jumbo_value::{PStr, PStrBuilder, Value};
use std::pin::Pin;

/// Where output finally goes: the standard output, an HTTP response.
pub trait Sink {
    /// Writes body bytes. Before the first call headers have been sent with [`Sink::send_headers`].
    fn write(&mut self, bytes: &[u8]);
    fn flush(&mut self) {}
    /// Called once, at the end of the script: whatever is still gathered leaves. Not a flush where the whole answer is judged by its length.
    fn end(&mut self) {
        self.flush();
    }
    /// Writes what is gathered when the sink is the process's standard output: before something else uses that descriptor, or
    /// standard error, or waits for the user.
    fn sync(&mut self) {}
    /// Called once, before the first body byte or at the end.
    fn send_headers(&mut self, _status: u16, _status_line: Option<&[u8]>, _headers: &[Vec<u8>]) {}
    /// A write has failed, since the client has gone away or the response was finished before.
    fn aborted(&self) -> bool {
        false
    }
    /// A future to await before more is written, when the client takes output slower than the script makes it.
    fn full(&self) -> Option<Pin<Box<dyn Future<Output = ()>>>> {
        None
    }
    /// Ends the response while the script goes on (`fastcgi_finish_request`); false when that means nothing here.
    fn finish(&mut self) -> bool {
        false
    }
}

/// Flags of buffers, with PHP's numbers.
pub mod ob {
    pub const START: i64 = 1;
    pub const CLEAN: i64 = 2;
    pub const FLUSH: i64 = 4;
    pub const FINAL: i64 = 8;
    pub const CLEANABLE: i64 = 16;
    pub const FLUSHABLE: i64 = 32;
    pub const REMOVABLE: i64 = 64;
    pub const STDFLAGS: i64 = 112;
    pub const STARTED: i64 = 4096;
    pub const DISABLED: i64 = 8192;
    pub const PROCESSED: i64 = 16384;
}

/// What an empty buffer has room for, as in PHP.
const EMPTY_BUFFER_BYTES: usize = 16 << 10;

/// One output buffer.
pub struct Buffer {
    /// In the request heap: it counts against memory_limit.
    pub data: PStrBuilder,
    pub callback: Option<Handler>,
    pub chunk_size: usize,
    pub flags: i64,
    /// Its callback runs now: output inside is an error.
    pub running: bool,
}

/// What a buffer's content passes through.
#[derive(Clone)]
pub enum Handler {
    User(Callable, PStr),
    Native(&'static str, fn(&mut Cx, &[u8], i64) -> Res<Option<PStr>>),
}

impl Buffer {
    pub fn name(&self) -> PStr {
        match &self.callback {
            None => PStr::new(b"default output handler"),
            Some(Handler::User(_, name)) => name.clone(),
            Some(Handler::Native(name, _)) => PStr::new(name.as_bytes()),
        }
    }
}

/// The response's head, while it can still be changed.
#[derive(Default)]
pub struct Head {
    /// Whole lines `Name: value`, in order.
    pub headers: Vec<Vec<u8>>,
    /// 0: not set, 200 is meant.
    pub status: u16,
    /// `HTTP/1.1 404 Gone fishing` as given to header().
    pub status_line: Option<PStr>,
    pub sent: bool,
    /// Place of the output that sent the headers.
    pub sent_at: Option<(PStr, u32)>,
    pub callback: Option<Callable>,
    /// A fatal error has come before the head was sent, and the visitor is not told of it.
    pub hides_failure: bool,
}

impl Head {
    /// Whether a header of this lower-case name is set.
    pub fn has(&self, lower: &[u8]) -> bool {
        self.headers.iter().any(|line| {
            let end = line.iter().position(|&b| b == b':').unwrap_or(line.len());
            line[..end].eq_ignore_ascii_case(lower)
        })
    }
}

#[derive(Default)]
pub struct Output {
    pub buffers: Vec<Buffer>,
    pub head: Head,
    pub sink: Option<Box<dyn Sink>>,
    pub implicit_flush: bool,
    /// Output is thrown away (after a finished response).
    pub discard: bool,
    /// The response is complete; the script goes on.
    pub is_finished: bool,
    /// No headers exist (command line).
    pub no_headers: bool,
    /// Bytes that went to the sink.
    pub sent_bytes: u64,
    /// An output callback used buffers itself: they are gone, and no new ones are made.
    pub deactivated: bool,
}

impl Cx {
    /// Output of the script.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) -> Res<()> {
        if let Some(top) = self.output.buffers.last_mut()
            && !top.running
        {
            top.data.extend(bytes)?;
            if top.chunk_size != 0 && top.data.len() >= top.chunk_size {
                return self.pass_buffer(0, false);
            }
            return Ok(());
        }
        self.write_below(self.output.buffers.len(), bytes)
    }

    /// Output from below buffer number `level` (0: to the sink).
    fn write_below(&mut self, level: usize, bytes: &[u8]) -> Res<()> {
        if level == 0 {
            if !bytes.is_empty() {
                return self.write_sink(bytes);
            }
            return Ok(());
        }
        let Some(buffer) = self.output.buffers.get_mut(level - 1) else { return Ok(()) };
        if buffer.running {
            // Output of a callback is dropped, as PHP does.
            return Ok(());
        }
        Ok(buffer.data.extend(bytes)?)
    }

    fn write_sink(&mut self, bytes: &[u8]) -> Res<()> {
        if !self.output.head.sent {
            let place = (self.engine().caller_file(self), self.engine().caller_line(self));
            self.send_headers(Some(place));
        }
        if self.output.discard {
            return Ok(());
        }
        self.output.sent_bytes += bytes.len() as u64;
        let Some(sink) = &mut self.output.sink else { return Ok(()) };
        sink.write(bytes);
        if self.output.implicit_flush {
            sink.flush();
        }
        if sink.aborted() {
            return self.client_is_gone();
        }
        if let Some(ready) = sink.full() {
            self.wait(ready);
        }
        Ok(())
    }

    /// The script ends here, with its shutdown functions, unless it wants to go on for nobody.
    fn client_is_gone(&mut self) -> Res<()> {
        self.output.discard = true;
        if self.ini.bool("ignore_user_abort") { Ok(()) } else { Err(Stop::Exit) }
    }

    /// `flush()`: the script learns from it that its client has gone.
    pub fn flush_output(&mut self) -> Res<()> {
        self.flush_sink();
        match self.output.sink.as_ref().is_some_and(|sink| sink.aborted()) {
            true => self.client_is_gone(),
            false => Ok(()),
        }
    }

    /// `fastcgi_finish_request()`: the answer is complete and leaves, the script goes on. False: it was complete before.
    pub fn finish_response(&mut self) -> Res<bool> {
        if self.output.is_finished {
            return Ok(false);
        }
        self.end_buffers()?;
        let place = (self.engine().caller_file(self), self.engine().caller_line(self));
        self.send_headers(Some(place));
        let finished = self.output.sink.as_mut().is_some_and(|sink| sink.finish());
        self.output.is_finished = finished;
        Ok(finished)
    }

    /// Sends the response's head if that has not happened yet.
    pub fn send_headers(&mut self, place: Option<(PStr, u32)>) {
        if self.output.head.sent {
            return;
        }
        if let Some(callback) = self.output.head.callback.take() {
            // Its exceptions cannot go anywhere useful: the response is on its way.
            let _ = self.call(&callback, &[]);
        }
        if !self.output.no_headers && !self.output.head.has(b"content-type") {
            let line = self.default_content_type();
            self.output.head.headers.extend(line);
        }
        let head = &mut self.output.head;
        head.sent = true;
        head.sent_at = place;
        let status = if head.status == 0 { 200 } else { head.status };
        if let Some(sink) = &mut self.output.sink {
            sink.send_headers(status, head.status_line.as_deref(), &head.headers);
        }
    }

    /// The line that a response gets when the script has sent no Content-Type; none when `default_mimetype` is empty.
    pub fn default_content_type(&self) -> Option<Vec<u8>> {
        let setting = |name: &str, default: &'static [u8]| match self.ini.get(name.as_bytes()) {
            Some(_) => self.ini.str(name).to_vec(),
            None => default.to_vec(),
        };
        let (kind, charset) = (setting("default_mimetype", b"text/html"), setting("default_charset", b"UTF-8"));
        if kind.is_empty() {
            return None;
        }
        let mut line = [b"Content-type: ".as_slice(), &kind].concat();
        if !charset.is_empty() && kind.len() >= 5 && kind[..5].eq_ignore_ascii_case(b"text/") {
            line.extend_from_slice(b"; charset=");
            line.extend_from_slice(&charset);
        }
        Some(line)
    }

    /// Opens a buffer. Err: output callbacks may not open buffers.
    pub fn start_buffer(&mut self, callback: Option<Handler>, chunk_size: usize, flags: i64) -> Res<()> {
        self.check_no_callback()?;
        let data = PStrBuilder::with_capacity(EMPTY_BUFFER_BYTES)?;
        self.output.buffers.push(Buffer { data, callback, chunk_size, flags, running: false });
        Ok(())
    }

    /// Output callbacks may not use buffers: a fatal error, which ends all buffering.
    pub fn check_no_callback(&mut self) -> Res<()> {
        if !self.output.buffers.iter().any(|b| b.running) {
            return Ok(());
        }
        self.output.deactivated = true;
        // Dropped only when nothing of the output is borrowed.
        let gone = std::mem::take(&mut self.output.buffers);
        drop(gone);
        let text = [self.active_function_name().as_slice(), b"(): Cannot use output buffering in output buffering display handlers"].concat();
        self.raise(Level::Error, &text)
    }

    /// Runs the top buffer's callback over its content with `mode`, and gives the result to the level below
    /// (or drops it, when `mode` has CLEAN). `pop`: the buffer ends.
    pub fn pass_buffer(&mut self, mode: i64, pop: bool) -> Res<()> {
        let level = self.output.buffers.len();
        let Some(top) = self.output.buffers.last_mut() else { return Ok(()) };
        // What is taken leaves no memory behind, so that buffers can be given out when there is none left.
        let mut data = std::mem::take(&mut top.data);
        let mut mode = mode;
        if top.flags & ob::STARTED == 0 {
            mode |= ob::START;
            top.flags |= ob::STARTED;
        }
        let disabled = top.flags & ob::DISABLED != 0;
        let callback = top.callback.clone();
        let mut result = Ok(());
        // None: `data` as it is.
        let changed: Option<PStr> = match callback {
            Some(Handler::User(callable, _)) if !disabled => {
                top.running = true;
                let text = std::mem::take(&mut data).finish();
                let answer = self.call(&callable, &[Value::from(&text), Value::from(mode)]);
                if let Some(top) = self.output.buffers.get_mut(level - 1) {
                    top.running = false;
                }
                Some(match answer {
                    Ok(v) if matches!(v.view(), jumbo_value::View::Bool(true)) => PStr::empty(),
                    Ok(v) if matches!(v.view(), jumbo_value::View::Bool(false)) => {
                        if let Some(top) = self.output.buffers.get_mut(level - 1) {
                            top.flags |= ob::DISABLED;
                        }
                        text
                    }
                    Ok(v) => self.to_string(&v).unwrap_or_else(|stop| {
                        result = Err(stop);
                        text
                    }),
                    Err(stop) => {
                        result = Err(stop);
                        if let Some(top) = self.output.buffers.get_mut(level - 1) {
                            top.flags |= ob::DISABLED;
                        }
                        text
                    }
                })
            }
            Some(Handler::Native(_, f)) if !disabled => f(self, &data, mode)?,
            _ => None,
        };
        let Some(top) = self.output.buffers.get_mut(level - 1) else {
            // All buffers ended inside the callback.
            return result;
        };
        if top.flags & ob::DISABLED == 0 {
            top.flags |= ob::PROCESSED;
        }
        if pop {
            self.output.buffers.truncate(level - 1);
        }
        if mode & ob::CLEAN == 0 {
            self.write_below(level - 1, changed.as_ref().map_or(&data[..], PStr::as_bytes))?;
            if level >= 2
                && let Some(below) = self.output.buffers.get(level - 2)
                && below.chunk_size != 0
                && below.data.len() >= below.chunk_size
                && pop
            {
                self.pass_buffer(0, false)?;
            }
        }
        result
    }

    /// Drops all buffers with their content, without calling their callbacks: memory_limit is exceeded, and the message comes first.
    pub fn discard_buffers(&mut self) {
        self.output.buffers.clear();
    }

    /// Ends all buffers, giving out their content: at the end of the request.
    pub fn end_buffers(&mut self) -> Res<()> {
        let mut result = Ok(());
        while !self.output.buffers.is_empty() {
            if let Err(stop) = self.pass_buffer(ob::FINAL, true) {
                result = Err(stop);
            }
        }
        result
    }

    /// To be called before standard input is read, before the standard streams are written to by other ways than output, and before
    /// a child process starts: what the script has printed so far comes first.
    pub fn sync_output(&mut self) {
        if let Some(sink) = &mut self.output.sink {
            sink.sync();
        }
    }

    /// What was printed leaves.
    pub fn flush_sink(&mut self) {
        if !self.output.head.sent && !self.output.no_headers {
            self.send_headers(None);
        }
        if let Some(sink) = &mut self.output.sink {
            sink.flush();
        }
    }
}
