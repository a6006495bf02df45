//! The way of a script's answer to its connection: head, body with back-pressure, end.
//!
//! [`ResponseSink`] is the engine's side, [`ResponseSource`] the connection's; they may be on different threads.
//! What is written stays here until the script flushes, ends, or is too far ahead of the client
//! (`BUFFERED_BYTES_MAX`): a page that is complete by then gets a Content-Length, wherever it ran; any other is chunked, and
//! goes on in pieces that are worth sending (`SEND_BYTES`).

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;

/// A writer that is this many bytes ahead of the client waits.
const BUFFERED_BYTES_MAX: usize = 128 << 10;
/// Unflushed output that follows the head is sent from this size on.
const SEND_BYTES: usize = 32 << 10;
/// Shorter pieces are copied together, longer ones passed on as they are.
const COPY_BYTES_MAX: usize = 4 << 10;

/// Status line and header fields of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResponseHead {
    /// 200 to 999; anything else is answered as 500.
    pub status: u16,
    /// The reason phrase of `header("HTTP/1.1 404 Not here")`; the standard one when unset.
    pub reason: Option<Bytes>,
    /// In order, with repetitions. Fields that belong to the connection (Connection, Transfer-Encoding) are
    /// the server's and are left out.
    pub headers: Vec<(Bytes, Bytes)>,
}

/// Whether more output may follow at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteState {
    Ready,
    /// The bytes are taken, but [`ResponseSink::ready`] must be awaited before more are written.
    Full,
    /// Nobody receives this any more; what `ignore_user_abort` decides about.
    Gone,
}

/// The client closed its connection before the answer was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientGone;

impl std::fmt::Display for ClientGone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the client has closed the connection")
    }
}

impl std::error::Error for ClientGone {}

#[derive(Debug, Default)]
struct State {
    head: Option<ResponseHead>,
    head_set: bool,
    chunks: VecDeque<Bytes>,
    /// Short pieces that belong after the chunks.
    tail: Vec<u8>,
    buffered_bytes: usize,
    discard: bool,
    flush: bool,
    /// The script has flushed: the answer is sent in pieces, also when it ends before the first one leaves.
    flushed: bool,
    finished: bool,
    aborted: bool,
    declined: bool,
    gone: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl State {
    fn wake_reader(&mut self) {
        if let Some(waker) = self.reader.take() {
            waker.wake();
        }
    }

    fn wake_writer(&mut self) {
        if let Some(waker) = self.writer.take() {
            waker.wake();
        }
    }

    /// Whether what is buffered should leave now.
    fn sendable(&self) -> bool {
        let enough = if self.head.is_some() { BUFFERED_BYTES_MAX } else { SEND_BYTES };
        self.finished || self.flush || self.buffered_bytes >= enough
    }

    fn write_state(&self) -> WriteState {
        if self.gone {
            WriteState::Gone
        } else if self.buffered_bytes >= BUFFERED_BYTES_MAX {
            WriteState::Full
        } else {
            WriteState::Ready
        }
    }
}

type Shared = Arc<Mutex<State>>;

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    // No code of others runs under the lock, so a poisoned state is still whole.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes both ends. With `discard` the body is dropped as it is written (HEAD).
pub(crate) fn channel(discard: bool) -> (ResponseSink, ResponseSource) {
    let shared: Shared = Arc::new(Mutex::new(State {
        discard,
        ..State::default()
    }));
    (
        ResponseSink {
            shared: shared.clone(),
        },
        ResponseSource { shared },
    )
}

/// Where an engine writes its answer. Dropping it unfinished reports a failure.
#[derive(Debug)]
pub struct ResponseSink {
    shared: Shared,
}

impl ResponseSink {
    /// Sets status and header fields. Only the first call counts: once said, it may be on the wire.
    pub fn start(&self, head: ResponseHead) {
        let mut state = lock(&self.shared);
        if !state.head_set {
            state.head_set = true;
            state.head = Some(head);
        }
    }

    pub fn is_started(&self) -> bool {
        lock(&self.shared).head_set
    }

    /// Appends to the body. Before [`start`](Self::start) the head is a plain 200. After
    /// [`finish`](Self::finish) output is discarded, as `fastcgi_finish_request()` has it.
    pub fn write(&self, bytes: Bytes) -> WriteState {
        self.append(bytes.len(), |state| {
            if bytes.len() < COPY_BYTES_MAX {
                state.tail.extend_from_slice(&bytes);
            } else {
                if !state.tail.is_empty() {
                    let tail = std::mem::take(&mut state.tail);
                    state.chunks.push_back(tail.into());
                }
                state.chunks.push_back(bytes);
            }
        })
    }

    /// Appends a copy of `bytes` to the body.
    pub fn write_slice(&self, bytes: &[u8]) -> WriteState {
        self.append(bytes.len(), |state| state.tail.extend_from_slice(bytes))
    }

    fn append(&self, len: usize, put: impl FnOnce(&mut State)) -> WriteState {
        let mut state = lock(&self.shared);
        if !state.head_set {
            state.head_set = true;
            state.head = Some(ResponseHead {
                status: 200,
                ..ResponseHead::default()
            });
        }
        if len > 0 && !state.discard && !state.finished && !state.gone {
            put(&mut state);
            state.buffered_bytes += len;
            if state.sendable() {
                state.wake_reader();
            }
        }
        state.write_state()
    }

    /// Waits until the client has taken enough for more to be written.
    pub async fn ready(&self) -> Result<(), ClientGone> {
        poll_fn(|cx| self.poll_ready(cx)).await
    }

    pub fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<Result<(), ClientGone>> {
        let mut state = lock(&self.shared);
        match state.write_state() {
            WriteState::Ready => Poll::Ready(Ok(())),
            WriteState::Gone => Poll::Ready(Err(ClientGone)),
            WriteState::Full => {
                state.writer = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }

    /// Sends what there is, the head included, as `flush()` does.
    pub fn flush(&self) {
        let mut state = lock(&self.shared);
        if state.head_set {
            state.flush = true;
            state.flushed = true;
            state.wake_reader();
        }
    }

    /// The answer is complete; the script may go on (`fastcgi_finish_request()`).
    pub fn finish(&self) {
        let mut state = lock(&self.shared);
        if !state.head_set {
            state.head_set = true;
            state.head = Some(ResponseHead {
                status: 200,
                ..ResponseHead::default()
            });
        }
        state.finished = true;
        state.wake_reader();
    }

    /// A router script has returned false: the server is to answer as if there were no router. Only when nothing
    /// was started.
    pub fn decline(&self) {
        let mut state = lock(&self.shared);
        if !state.head_set {
            state.declined = true;
            state.wake_reader();
        }
    }

    /// Whether the client went away before the answer was complete (`connection_aborted()`).
    pub fn is_gone(&self) -> bool {
        lock(&self.shared).gone
    }

    /// Resolves when the client goes away. Only one task may wait in this or in [`ready`](Self::ready) at a time.
    pub async fn gone(&self) {
        poll_fn(|cx| {
            let mut state = lock(&self.shared);
            if state.gone {
                return Poll::Ready(());
            }
            state.writer = Some(cx.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

impl Drop for ResponseSink {
    fn drop(&mut self) {
        let mut state = lock(&self.shared);
        if !state.finished {
            state.aborted = true;
            state.wake_reader();
        }
    }
}

/// What became of a request before its body.
#[derive(Debug)]
pub(crate) enum HeadOutcome {
    Head(ResponseHead),
    /// The script's future ended without an answer.
    Aborted,
    Declined,
}

/// The connection's side. Dropping it tells the engine that the client is gone.
#[derive(Debug)]
pub(crate) struct ResponseSource {
    shared: Shared,
}

impl ResponseSource {
    /// Resolves when the head is to be sent.
    pub(crate) async fn head(&self) -> HeadOutcome {
        poll_fn(|cx| {
            let mut state = lock(&self.shared);
            if state.declined {
                return Poll::Ready(HeadOutcome::Declined);
            }
            if state.head_set
                && (state.sendable() || (state.aborted && state.flush))
                && let Some(head) = state.head.take()
            {
                return Poll::Ready(HeadOutcome::Head(head));
            }
            if state.aborted {
                return Poll::Ready(HeadOutcome::Aborted);
            }
            state.reader = Some(cx.waker().clone());
            Poll::Pending
        })
        .await
    }

    /// The next piece of the body, `None` at its end, or an error when there will be no proper end.
    pub(crate) fn poll_chunk(
        &self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, std::io::Error>>> {
        let mut state = lock(&self.shared);
        if state.sendable() || state.aborted {
            let chunk = match state.chunks.pop_front() {
                Some(chunk) => chunk,
                None => std::mem::take(&mut state.tail).into(),
            };
            if !chunk.is_empty() {
                state.buffered_bytes = state.buffered_bytes.saturating_sub(chunk.len());
                if state.buffered_bytes < BUFFERED_BYTES_MAX / 2 {
                    state.wake_writer();
                }
                return Poll::Ready(Some(Ok(chunk)));
            }
            state.flush = false;
        }
        if state.finished {
            return Poll::Ready(None);
        }
        if state.aborted {
            return Poll::Ready(Some(Err(std::io::Error::other(
                "the script ended before its answer",
            ))));
        }
        state.reader = Some(cx.waker().clone());
        Poll::Pending
    }

    /// The number of bytes still to come, when that is known.
    pub(crate) fn remaining(&self) -> Option<u64> {
        let state = lock(&self.shared);
        (state.finished && !state.discard && !state.flushed).then_some(state.buffered_bytes as u64)
    }
}

impl Drop for ResponseSource {
    fn drop(&mut self) {
        let mut state = lock(&self.shared);
        if !state.finished {
            state.gone = true;
            state.chunks.clear();
            state.tail = Vec::new();
            state.buffered_bytes = 0;
            state.wake_writer();
        }
    }
}
