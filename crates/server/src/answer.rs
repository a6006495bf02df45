//! Bodies of answers, and pages that the server makes itself.

use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use hyper::body::{Body, Frame, SizeHint};

use crate::access_log::LogEntry;
use crate::connection::ConnectionState;
use crate::response::ResponseSource;
use crate::static_files::FileContent;

/// What a body is made of.
pub(crate) enum Content {
    Empty,
    Bytes(Bytes),
    Script(ResponseSource),
    File(Box<FileContent>),
}

/// A body on its way to the client. When it is dropped, sent or not, the request is over: the connection is idle
/// again and the access log gets its line.
pub(crate) struct AnswerBody {
    content: Content,
    connection: Rc<ConnectionState>,
    entry: Option<Box<LogEntry>>,
    bytes_sent: u64,
}

impl AnswerBody {
    pub(crate) fn new(
        content: Content,
        connection: Rc<ConnectionState>,
        entry: Option<Box<LogEntry>>,
    ) -> AnswerBody {
        AnswerBody {
            content,
            connection,
            entry,
            bytes_sent: 0,
        }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let this = &mut *self;
        let piece = match &mut this.content {
            Content::Empty => Poll::Ready(None),
            Content::Bytes(bytes) if bytes.is_empty() => Poll::Ready(None),
            Content::Bytes(bytes) => Poll::Ready(Some(Ok(std::mem::take(bytes)))),
            Content::Script(source) => source.poll_chunk(cx),
            Content::File(file) => file.poll_piece(cx),
        };
        if let Poll::Ready(Some(Ok(bytes))) = &piece {
            this.bytes_sent += bytes.len() as u64;
        }
        piece.map(|piece| piece.map(|result| result.map(Frame::data)))
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Content::Empty => SizeHint::with_exact(0),
            Content::Bytes(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Content::File(file) => SizeHint::with_exact(file.remaining()),
            Content::Script(source) => source
                .remaining()
                .map(SizeHint::with_exact)
                .unwrap_or_default(),
        }
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        self.connection.request_done();
        if let Some(entry) = self.entry.take() {
            entry.write(self.bytes_sent);
        }
    }
}

fn page_text(status: StatusCode, text: &str) -> String {
    let reason = status.canonical_reason().unwrap_or("Error");
    let code = status.as_u16();
    format!(
        "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><title>{code} {reason}</title></head>\n\
         <body>\n<h1>{code} {reason}</h1>\n<p>{text}</p>\n</body>\n</html>\n"
    )
}

/// A page for an outcome that no script has a say in.
pub(crate) fn page(status: StatusCode) -> Response<Content> {
    page_with(status, page_text(status, explanation(status)).into())
}

pub(crate) fn page_with(status: StatusCode, text: Bytes) -> Response<Content> {
    let mut response = Response::new(Content::Bytes(text));
    *response.status_mut() = status;
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    response
}

/// A number for what went wrong, which the visitor sees and the log has too.
pub fn new_error_id() -> String {
    use std::hash::{BuildHasher, Hasher};
    // Each RandomState has its own keys, derived from the system's randomness.
    let bits = std::hash::RandomState::new().build_hasher().finish();
    format!("{:010x}", bits >> 24)
}

/// The page of a script that has failed and said nothing.
pub fn error_page(id: &str) -> Bytes {
    let failure = StatusCode::INTERNAL_SERVER_ERROR;
    page_text(failure, &format!("{} The log of the server has more about it, under the number {id}.", explanation(failure))).into()
}

fn explanation(status: StatusCode) -> &'static str {
    match status {
        StatusCode::BAD_REQUEST => "The server could not make sense of this request.",
        StatusCode::URI_TOO_LONG | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "The head of the request is longer than this server accepts.",
        StatusCode::NOT_IMPLEMENTED | StatusCode::HTTP_VERSION_NOT_SUPPORTED => "The server does not know this form of request.",
        StatusCode::FORBIDDEN => "This is not open to visitors.",
        StatusCode::NOT_FOUND => "There is nothing at this address.",
        StatusCode::METHOD_NOT_ALLOWED => "This address does not take such requests.",
        StatusCode::REQUEST_TIMEOUT => "The request took too long to arrive.",
        StatusCode::PAYLOAD_TOO_LARGE => "The request is larger than this server accepts.",
        StatusCode::SERVICE_UNAVAILABLE => "The server is busy. Please try again in a moment.",
        StatusCode::MOVED_PERMANENTLY => "This page has another address.",
        _ => "Something went wrong while the page was made.",
    }
}
