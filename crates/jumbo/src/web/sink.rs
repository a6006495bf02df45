//! An HTTP answer as a script's sink.
//!
//! The head is held back until the first byte, a flush, or the end: until then a router script can still decline.

use crate::web::head;
use bytes::Bytes;
use jumbo_abi::output::Sink;
use jumbo_server::response::{ResponseHead, ResponseSink, WriteState};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

/// The answer, shared by the running script and the one who started it.
pub struct Answer {
    response: ResponseSink,
    head: RefCell<Option<ResponseHead>>,
    state: Cell<WriteState>,
    finished: Cell<bool>,
    /// Bytes since the last flush.
    unflushed_bytes: Cell<usize>,
    /// A write has failed.
    aborted: Cell<bool>,
}

/// php-fpm gathers this much before it writes to the web server, and only then learns that nobody is there. Scripts depend on it: what
/// prints little runs to its end whether or not its client has waited.
const UNFLUSHED_BYTES_MAX: usize = 8184;

impl Answer {
    pub fn new(response: ResponseSink) -> Rc<Answer> {
        Rc::new(Answer {
            response,
            head: RefCell::new(None),
            state: Cell::new(WriteState::Ready),
            finished: Cell::new(false),
            unflushed_bytes: Cell::new(0),
            aborted: Cell::new(false),
        })
    }

    fn start(&self) {
        if let Some(head) = self.head.borrow_mut().take() {
            self.response.start(head);
        }
    }

    /// The answer is complete.
    pub fn finish(&self) {
        if !self.finished.replace(true) {
            self.start();
            self.response.finish();
        }
    }

    /// Nothing was said yet.
    pub fn is_untouched(&self) -> bool {
        !self.response.is_started()
    }

    /// The page of a failure of which nothing was said yet.
    pub fn show_error_page(&self, id: &str) {
        if let Some(head) = self.head.borrow_mut().as_mut() {
            // Another body than the one they tell of.
            let is_of_body = |name: &[u8]| [&b"content-type"[..], b"content-length", b"content-encoding"].iter().any(|n| name.eq_ignore_ascii_case(n));
            head.headers.retain(|(name, _)| !is_of_body(name));
            head.headers.push((Bytes::from_static(b"Content-Type"), Bytes::from_static(b"text/html; charset=utf-8")));
        }
        self.start();
        self.response.write(jumbo_server::error_page(id));
    }

    pub fn decline(&self) {
        self.response.decline();
    }

    /// What was written so far leaves, or fails to.
    fn written_through(&self) {
        self.unflushed_bytes.set(0);
        if self.finished.get() || self.state.get() == WriteState::Gone || self.response.is_gone() {
            self.aborted.set(true);
        }
    }
}

/// The script's end of an [`Answer`].
pub struct HttpSink(pub Rc<Answer>);

impl Sink for HttpSink {
    fn write(&mut self, bytes: &[u8]) {
        self.0.start();
        self.0.state.set(self.0.response.write_slice(bytes));
        let unflushed_bytes = self.0.unflushed_bytes.get().saturating_add(bytes.len());
        self.0.unflushed_bytes.set(unflushed_bytes);
        if unflushed_bytes > UNFLUSHED_BYTES_MAX {
            self.0.written_through();
        }
    }
    fn flush(&mut self) {
        self.0.start();
        self.0.response.flush();
        self.0.written_through();
    }
    fn end(&mut self) {
        // Whoever started the script finishes the answer (or declines): until then its length is not known to be final.
    }
    fn send_headers(&mut self, status: u16, status_line: Option<&[u8]>, headers: &[Vec<u8>]) {
        *self.0.head.borrow_mut() = Some(head::head(status, status_line, headers));
    }
    fn aborted(&self) -> bool {
        self.0.aborted.get()
    }
    fn full(&self) -> Option<Pin<Box<dyn Future<Output = ()>>>> {
        if self.0.state.get() != WriteState::Full {
            return None;
        }
        let answer = self.0.clone();
        Some(Box::pin(async move {
            let state = match answer.response.ready().await {
                Ok(()) => WriteState::Ready,
                // Seen by the next write.
                Err(_) => WriteState::Gone,
            };
            answer.state.set(state);
        }))
    }
    fn finish(&mut self) -> bool {
        self.0.finish();
        self.0.unflushed_bytes.set(0);
        true
    }
}
