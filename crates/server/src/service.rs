//! One request, from its head to its answer.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::{Instant, SystemTime};

use bytes::Bytes;
use http::header::{self, HeaderName, HeaderValue};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode, Version};
use hyper::body::{Body, Incoming};
use hyper::ext::ReasonPhrase;
use hyper::service::Service;
use jumbo_abi::blocking::{self, NoThread};
use jumbo_abi::mounts::Mount;

use crate::access_log::{AccessLog, LogEntry};
use crate::answer::{AnswerBody, Content, error_page, new_error_id, page, page_with};
use crate::config::ServerConfig;
use crate::connection::{ConnectionState, Phase};
use crate::executor::{Executors, Full};
use crate::head::HeadFacts;
use crate::request::{
    BodyDecoder, ConnectionFacts, DecodedBody, HeaderList, InputLimits, ScriptRequest, ServerFacts,
};
use crate::response::{self, HeadOutcome, ResponseHead};
use crate::routing::{Route, Router, ScriptRoute};
use crate::runner::Dispatcher;
use crate::static_files::Unreadable;

/// What all requests of one executor thread share.
pub(crate) struct ExecutorContext {
    /// The executor's number; the guard has none.
    pub id: Option<usize>,
    pub config: Arc<ServerConfig>,
    pub executors: Arc<Executors>,
    pub dispatcher: Dispatcher,
    pub router: Router,
    pub log: Rc<AccessLog>,
    pub server: Arc<ServerFacts>,
    pub limits: Arc<InputLimits>,
    /// The route of `ServerConfig::router_script`.
    pub router_script: Option<Rc<ScriptRoute>>,
    pub server_header: Option<HeaderValue>,
}

/// The requests of one connection.
#[derive(Clone)]
pub(crate) struct Requests(Rc<ConnectionContext>);

struct ConnectionContext {
    executor: Rc<ExecutorContext>,
    state: Rc<ConnectionState>,
    facts: Arc<ConnectionFacts>,
    peer: Rc<str>,
}

impl Requests {
    pub(crate) fn new(
        executor: Rc<ExecutorContext>,
        state: Rc<ConnectionState>,
        facts: Arc<ConnectionFacts>,
        peer: Rc<str>,
    ) -> Requests {
        Requests(Rc::new(ConnectionContext {
            executor,
            state,
            facts,
            peer,
        }))
    }
}

impl Service<Request<Incoming>> for Requests {
    type Response = Response<AnswerBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<AnswerBody>, Infallible>>>>;

    fn call(&self, request: Request<Incoming>) -> Self::Future {
        let started = Instant::now();
        let context = self.0.clone();
        context.state.enter(Phase::Busy);
        let facts = context.state.next_head();
        Box::pin(async move { Ok(context.answer(request, facts, started).await) })
    }
}

/// Writes a line with nginx's status 499 when the client goes away before its answer.
struct UnlessGone(Option<Box<LogEntry>>);

impl Drop for UnlessGone {
    fn drop(&mut self) {
        if let (Some(mut entry), Ok(status)) = (self.0.take(), StatusCode::from_u16(499)) {
            entry.status = status;
            entry.write(0);
        }
    }
}

impl ConnectionContext {
    async fn answer(&self, request: Request<Incoming>, facts: HeadFacts, started: Instant) -> Response<AnswerBody> {
        let executor = &*self.executor;
        executor
            .executors
            .metrics
            .requests
            .fetch_add(1, Ordering::Relaxed);
        let (head, body) = request.into_parts();
        let mut entry = UnlessGone(executor.log.is_enabled().then(|| {
            Box::new(LogEntry::new(
                &executor.log,
                &self.peer,
                &head,
                &facts,
                started,
            ))
        }));
        let mut response = match &facts.refusal {
            Some(refusal) => self.refuse(refusal.status),
            None => self.respond(&head, &facts, body, started).await,
        };
        let fields = response.headers_mut();
        if let (Some(name), false) = (&executor.server_header, fields.contains_key(header::SERVER))
        {
            fields.insert(header::SERVER, name.clone());
        }
        // A connection of the guard had better come to an executor, if it asks for scripts.
        let is_misplaced = executor.dispatcher.is_queue() && matches!(response.body(), Content::Script(_));
        let fields = response.headers_mut();
        if self.state.is_stopping() || executor.config.keep_alive_timeout_ms == 0 || is_misplaced {
            fields.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        let mut entry = entry.0.take();
        if let Some(entry) = &mut entry {
            entry.status = response.status();
        }
        response.map(|content| AnswerBody::new(content, self.state.clone(), entry))
    }

    async fn respond(&self, head: &Parts, facts: &HeadFacts, body: Incoming, now: Instant) -> Response<Content> {
        let executor = &*self.executor;
        let target = match head.uri.path_and_query() {
            Some(target) => target,
            None => return page(StatusCode::BAD_REQUEST),
        };
        let hosts = head.headers.get_all(header::HOST).iter().count();
        if hosts > 1 || (hosts == 0 && head.version >= Version::HTTP_11) {
            return page(StatusCode::BAD_REQUEST);
        }
        let path = target.path().as_bytes();
        if executor.config.health_path.as_ref().is_some_and(|health| health.as_bytes() == path) {
            return self.health();
        }
        let Ok(route) = executor.router.route(path, now).await else { return self.no_thread(path) };
        if let Some(router_script) = &executor.router_script {
            return self.through_router(head, facts, body, router_script, route).await;
        }
        self.follow(head, facts, body, route).await
    }

    /// The server serves, whatever its scripts do.
    fn health(&self) -> Response<Content> {
        let is_stopping = self.state.is_stopping();
        let mut response = Response::new(Content::Bytes(Bytes::from_static(if is_stopping { b"stopping\n" } else { b"ok\n" })));
        if is_stopping {
            *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
        }
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    async fn follow(&self, head: &Parts, facts: &HeadFacts, body: Incoming, route: Route) -> Response<Content> {
        match route {
            Route::Script(script) => {
                let request = match self.script_request(head, facts, body, &script, false).await {
                    Ok(request) => request,
                    Err(refusal) => return refusal,
                };
                self.run(request).await.unwrap_or_else(|_| self.failed(head, facts))
            }
            other => self.without_script(head, other).await,
        }
    }

    /// The development server's router script goes first; the request is kept in case it declines.
    async fn through_router(
        &self,
        head: &Parts,
        facts: &HeadFacts,
        body: Incoming,
        router_script: &ScriptRoute,
        route: Route,
    ) -> Response<Content> {
        let request = match self.script_request(head, facts, body, router_script, true).await {
            Ok(request) => request,
            Err(refusal) => return refusal,
        };
        match (self.run(request.clone()).await, route) {
            (Ok(response), _) => response,
            (Err(HeadOutcome::Declined), Route::Script(script)) => {
                let mut request = request;
                request.is_router = false;
                request.script_filename = script.filename.clone();
                request.script_name = script.script_name.clone();
                request.path_info = script.path_info.clone();
                self.run(request).await.unwrap_or_else(|_| self.failed(head, facts))
            }
            (Err(HeadOutcome::Declined), other) => self.without_script(head, other).await,
            (Err(_), _) => self.failed(head, facts),
        }
    }

    /// The script has ended without an answer; why stands in the log.
    fn failed(&self, head: &Parts, facts: &HeadFacts) -> Response<Content> {
        self.executor.executors.metrics.failed.fetch_add(1, Ordering::Relaxed);
        let id = new_error_id();
        let target = match &facts.target {
            Some(target) => String::from_utf8_lossy(target).into_owned(),
            None => head.uri.path_and_query().map_or("*", |target| target.as_str()).to_owned(),
        };
        (self.executor.config.error_log)(&format!("jumbo: error page {id} for {} {target}: the script has ended without an answer", head.method));
        page_with(StatusCode::INTERNAL_SERVER_ERROR, error_page(&id))
    }

    async fn without_script(&self, head: &Parts, route: Route) -> Response<Content> {
        match route {
            Route::File(file) => {
                if head.method != Method::GET && head.method != Method::HEAD {
                    let mut response = page(StatusCode::METHOD_NOT_ALLOWED);
                    response
                        .headers_mut()
                        .insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
                    return response;
                }
                match file.answer(&head.headers, &self.executor.router).await {
                    Ok(response) if response.status().is_client_error() => {
                        let mut whole = page(response.status());
                        if let Some(range) = response.headers().get(header::CONTENT_RANGE) {
                            whole
                                .headers_mut()
                                .insert(header::CONTENT_RANGE, range.clone());
                        }
                        whole
                    }
                    Ok(response) => response,
                    Err(Unreadable::NoThread) => self.no_thread(head.uri.path().as_bytes()),
                    Err(Unreadable::Failed(error)) => self.cannot_read(&error),
                }
            }
            Route::Redirect(path) => {
                let query = head
                    .uri
                    .query()
                    .map(|query| format!("?{query}"))
                    .unwrap_or_default();
                let mut response = page(StatusCode::MOVED_PERMANENTLY);
                if let Ok(location) = HeaderValue::from_str(&format!("{path}{query}")) {
                    response.headers_mut().insert(header::LOCATION, location);
                }
                response
            }
            Route::BadRequest => page(StatusCode::BAD_REQUEST),
            Route::Forbidden => page(StatusCode::FORBIDDEN),
            Route::NotFound | Route::Script(_) => page(StatusCode::NOT_FOUND),
        }
    }

    /// All threads that the file system may have wait for it.
    fn no_thread(&self, path: &[u8]) -> Response<Content> {
        (self.executor.config.error_log)(&format!(
            "jumbo: {}: the network or FUSE file system that this is on does not answer, and {} threads wait for it already",
            String::from_utf8_lossy(path),
            blocking::THREADS_OF_ONE_MAX
        ));
        self.shed()
    }

    fn cannot_read(&self, error: &io::Error) -> Response<Content> {
        match error.kind() {
            io::ErrorKind::NotFound => page(StatusCode::NOT_FOUND),
            io::ErrorKind::PermissionDenied => page(StatusCode::FORBIDDEN),
            _ => {
                (self.executor.config.error_log)(&format!("cannot read a static file: {error}"));
                page(StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    }

    /// Receives the body and makes a script's request of it all, or the answer that refuses it.
    async fn script_request(
        &self,
        head: &Parts,
        facts: &HeadFacts,
        body: Incoming,
        script: &ScriptRoute,
        is_router: bool,
    ) -> Result<ScriptRequest, Response<Content>> {
        let executor = &*self.executor;
        let received_at = SystemTime::now();
        let announced = body.size_hint().exact();
        let has_body = !body.is_end_stream();
        let decoded = match has_body {
            true => self.receive(head, body, announced).await?,
            false => DecodedBody::default(),
        };
        let content_length =
            (has_body || head.headers.contains_key(header::CONTENT_LENGTH)).then_some(decoded.len);
        let request_uri = match &facts.target {
            Some(target) => target.clone(),
            None => Bytes::copy_from_slice(head.uri.path_and_query().map_or("/", |target| target.as_str()).as_bytes()),
        };
        let query_string = match memchr::memchr(b'?', &request_uri) {
            Some(at) => {
                let end = memchr::memchr(b'#', &request_uri[at..]).map_or(request_uri.len(), |hash| at + hash);
                request_uri.slice(at + 1..end)
            }
            None => Bytes::new(),
        };
        let bytes = head
            .headers
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len())
            .sum();
        let mut headers = HeaderList::with_capacity(head.headers.len(), bytes);
        for (name, value) in &head.headers {
            headers.push(name.as_str().as_bytes(), value.as_bytes());
        }
        Ok(ScriptRequest {
            server: executor.server.clone(),
            connection: self.facts.clone(),
            limits: executor.limits.clone(),
            method: match head.method {
                Method::GET => Bytes::from_static(b"GET"),
                Method::POST => Bytes::from_static(b"POST"),
                Method::HEAD => Bytes::from_static(b"HEAD"),
                ref other => Bytes::copy_from_slice(other.as_str().as_bytes()),
            },
            request_uri,
            query_string,
            protocol: if head.version == Version::HTTP_10 {
                "HTTP/1.0"
            } else {
                "HTTP/1.1"
            },
            script_filename: script.filename.clone(),
            script_name: script.script_name.clone(),
            path_info: script.path_info.clone(),
            headers,
            body: decoded.raw,
            content_length,
            post: decoded.post,
            files: decoded.files,
            uploads: decoded.uploads,
            diagnostics: decoded.diagnostics,
            received_at,
            is_router,
        })
    }

    /// Receives a whole body, within its limits.
    async fn receive(
        &self,
        head: &Parts,
        mut body: Incoming,
        announced: Option<u64>,
    ) -> Result<DecodedBody, Response<Content>> {
        let limit = self.executor.config.body_bytes_max;
        if announced.is_some_and(|len| len > limit) {
            return Err(self.refuse(StatusCode::PAYLOAD_TOO_LARGE));
        }
        let content_type = head
            .headers
            .get(header::CONTENT_TYPE)
            .map_or(&b""[..], HeaderValue::as_bytes);
        let method = head.method.as_str().as_bytes();
        let mut decoder = BodyDecoder::new(method, content_type, announced, &self.executor.limits);
        self.state.enter(Phase::Body);
        loop {
            let frame = poll_fn(|cx| {
                if self.state.body_timed_out() {
                    return Poll::Ready(Err(StatusCode::REQUEST_TIMEOUT));
                }
                Pin::new(&mut body).poll_frame(cx).map(|frame| match frame {
                    None => Ok(None),
                    Some(Ok(frame)) => Ok(Some(frame)),
                    Some(Err(_)) => Err(StatusCode::BAD_REQUEST),
                })
            });
            match frame.await {
                Err(status) => return Err(self.refuse(status)),
                Ok(None) => break,
                // Trailers have no place in PHP.
                Ok(Some(frame)) => {
                    let Ok(bytes) = frame.into_data() else {
                        continue;
                    };
                    if decoder.received().saturating_add(bytes.len() as u64) > limit {
                        return Err(self.refuse(StatusCode::PAYLOAD_TOO_LARGE));
                    }
                    let Some(mount) = decoder.far(bytes.len()) else {
                        decoder.push(&bytes).map_err(|error| self.no_space(&error))?;
                        continue;
                    };
                    // The client is not what is waited for.
                    self.state.enter(Phase::Busy);
                    // In boxes, here and below: other requests are no larger for it.
                    let push = move || decoder.push(&bytes).map(|()| decoder);
                    decoder = Box::pin(self.elsewhere(mount, head, push)).await?.map_err(|error| self.no_space(&error))?;
                    self.state.enter(Phase::Body);
                }
            }
        }
        self.state.enter(Phase::Busy);
        let finished = match decoder.far(0) {
            None => decoder.finish(),
            Some(mount) => Box::pin(self.elsewhere(mount, head, move || decoder.finish())).await?,
        };
        finished.map_err(|error| self.no_space(&error))
    }

    /// Does something for a request's body on another thread.
    async fn elsewhere<T: Send + 'static>(
        &self,
        mount: Mount,
        head: &Parts,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Response<Content>> {
        let limit = self.executor.executors.queue_wait_max;
        blocking::elsewhere(mount, limit, work).await.map_err(|NoThread| {
            (self.executor.config.error_log)(&format!(
                "jumbo: cannot keep the body of a request for {}: upload_tmp_dir or the system's temporary folder is on a network or FUSE \
                 file system that does not answer, and {} threads wait for it already",
                head.uri.path(),
                blocking::THREADS_OF_ONE_MAX
            ));
            self.no_space(&io::ErrorKind::ResourceBusy.into())
        })
    }

    /// An answer to a request that is not read to its end.
    fn refuse(&self, status: StatusCode) -> Response<Content> {
        self.state.enter(Phase::Busy);
        self.state.linger();
        let mut response = page(status);
        if status == StatusCode::METHOD_NOT_ALLOWED {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"));
        }
        response
            .headers_mut()
            .insert(header::CONNECTION, HeaderValue::from_static("close"));
        response
    }

    fn no_space(&self, error: &io::Error) -> Response<Content> {
        // Too many at once is not this request's fault.
        if error.kind() == io::ErrorKind::ResourceBusy || error.raw_os_error().is_some_and(is_out_of_descriptors) {
            let mut response = self.refuse(StatusCode::SERVICE_UNAVAILABLE);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            self.executor.executors.metrics.shed.fetch_add(1, Ordering::Relaxed);
            return response;
        }
        (self.executor.config.error_log)(&format!("cannot keep a request body: {error}"));
        self.refuse(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Runs a script until its head is known.
    async fn run(&self, request: ScriptRequest) -> Result<Response<Content>, HeadOutcome> {
        let executor = &*self.executor;
        let has_no_body = &request.method[..] == b"HEAD";
        let (sink, source) = response::channel(has_no_body);
        let waiting = match executor.dispatcher.dispatch(request, sink) {
            Ok(waiting) => waiting,
            Err(Full) => return Ok(self.shed()),
        };
        let outcome = match waiting {
            None => source.head().await,
            Some(waiting) => {
                let limit = executor.executors.queue_wait_max;
                match tokio::time::timeout(limit, source.head()).await {
                    Ok(outcome) => outcome,
                    Err(_) if waiting.withdraw() => return Ok(self.shed()),
                    Err(_) => source.head().await,
                }
            }
        };
        match outcome {
            HeadOutcome::Head(head) => {
                let mut response = self.script_response(head);
                if !has_no_body && let Some(length) = source.remaining() {
                    self.correct_length(&mut response, length);
                }
                *response.body_mut() = Content::Script(source);
                Ok(response)
            }
            other => Err(other),
        }
    }

    /// The answer when too many requests wait, or this one has waited for too long.
    fn shed(&self) -> Response<Content> {
        self.executor
            .executors
            .metrics
            .shed
            .fetch_add(1, Ordering::Relaxed);
        let mut response = page(StatusCode::SERVICE_UNAVAILABLE);
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        response
    }

    /// A script may announce another length than that of what it prints (a warning got in between): what is there counts.
    fn correct_length(&self, response: &mut Response<Content>, length: u64) {
        let announced = response.headers().get(header::CONTENT_LENGTH);
        let announced = announced.and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if announced.is_some_and(|announced| announced != length) {
            (self.executor.config.error_log)(
                "a script's answer was corrected: Content-Length differs from what it printed",
            );
            response.headers_mut().remove(header::CONTENT_LENGTH);
        }
    }

    /// Header fields of a script; what HTTP does not allow is left out and logged.
    fn script_response(&self, head: ResponseHead) -> Response<Content> {
        let mut response = Response::new(Content::Empty);
        let complain = |what: &dyn std::fmt::Display| {
            (self.executor.config.error_log)(&format!("a script's answer was corrected: {what}"));
        };
        *response.status_mut() = match StatusCode::from_u16(head.status) {
            Ok(status) if head.status >= 200 => status,
            _ => {
                complain(&format_args!("{} is no final status", head.status));
                StatusCode::INTERNAL_SERVER_ERROR
            }
        };
        for (name, value) in head.headers {
            let Ok(name) = HeaderName::from_bytes(&name) else {
                complain(&format_args!(
                    "{:?} is no header name",
                    String::from_utf8_lossy(&name)
                ));
                continue;
            };
            if belongs_to_connection(&name) {
                continue;
            }
            match HeaderValue::from_maybe_shared(value) {
                Ok(value) => {
                    response.headers_mut().append(name, value);
                }
                Err(_) => complain(&format_args!("the value of {name} is malformed")),
            }
        }
        if let Some(reason) = head
            .reason
            .and_then(|reason| ReasonPhrase::try_from(reason).ok())
        {
            response.extensions_mut().insert(reason);
        }
        // Two differing lengths, or one that is no number, would let answers be confused on the connection.
        let fields = response.headers_mut();
        let mut lengths = fields.get_all(header::CONTENT_LENGTH).iter();
        let sound = match (lengths.next(), lengths.next()) {
            (None, _) => true,
            (Some(only), None) => only.to_str().is_ok_and(|text| {
                !text.is_empty()
                    && text.bytes().all(|b| b.is_ascii_digit())
                    && text.parse::<u64>().is_ok()
            }),
            _ => false,
        };
        if !sound {
            complain(&"Content-Length is malformed");
            response.headers_mut().remove(header::CONTENT_LENGTH);
        }
        response
    }
}

fn is_out_of_descriptors(number: i32) -> bool {
    [rustix::io::Errno::MFILE, rustix::io::Errno::NFILE].iter().any(|error| error.raw_os_error() == number)
}

/// Fields that speak about the connection to the client, which is not the script's; and `Status`, which is CGI's.
fn belongs_to_connection(name: &HeaderName) -> bool {
    matches!(
        name.as_str(),
        "connection"
            | "keep-alive"
            | "proxy-connection"
            | "transfer-encoding"
            | "upgrade"
            | "te"
            | "trailer"
            | "status"
    )
}
