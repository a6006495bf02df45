//! A server around a stub engine, and a blocking HTTP client that shows every byte.
//!
//! The stub's "scripts" are empty files; their names choose what the stub does.

#![allow(dead_code, reason = "each test file uses its part of this")]

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use jumbo_server::engine_api::{
    Executor, LocalFuture, ResponseHead, ResponseSink, ScriptRequest, Site, WriteState,
};
use jumbo_server::request::{Key, Map, ServerValue, Tree};
use jumbo_server::{ListenAddress, RunningServer, Server, ServerConfig};

/// What scripts have done that a client cannot see.
#[derive(Default)]
pub struct Events {
    pub gone: AtomicUsize,
    pub after_finish: AtomicUsize,
    pub written: AtomicUsize,
    /// `compute.php`, `forever.php`, `hold.php` and `gate.php`: how many have begun and ended, and were in progress at once at most.
    pub begun: AtomicUsize,
    pub ended: AtomicUsize,
    pub in_progress_max: AtomicUsize,
    /// `forever.php` and `hold.php` end.
    pub enough: AtomicBool,
}

/// Counts a script that is in progress.
struct InProgress(Arc<Events>);

impl InProgress {
    /// With the number of those that have begun before.
    fn begin(events: &Arc<Events>) -> (InProgress, usize) {
        let before = events.begun.fetch_add(1, Ordering::SeqCst);
        let in_progress = before + 1 - events.ended.load(Ordering::SeqCst);
        events.in_progress_max.fetch_max(in_progress, Ordering::SeqCst);
        (InProgress(events.clone()), before)
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::SeqCst);
    }
}

/// Computes for a while.
fn compute() {
    let began = std::time::Instant::now();
    while began.elapsed() < Duration::from_millis(2) {
        std::hint::spin_loop();
    }
}

/// Gives up the core while being ready, as PHP code does at the end of a time slice.
async fn give_turn() {
    let mut given = false;
    std::future::poll_fn(|cx| {
        if std::mem::replace(&mut given, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

struct StubSite(Arc<Events>);

impl Site for StubSite {
    fn new_executor(&self) -> Box<dyn Executor> {
        Box::new(Stub(self.0.clone()))
    }
}

struct Stub(Arc<Events>);

fn html() -> ResponseHead {
    ResponseHead {
        status: 200,
        reason: None,
        headers: vec![(
            Bytes::from_static(b"Content-type"),
            Bytes::from_static(b"text/html; charset=UTF-8"),
        )],
    }
}

pub fn show(map: &Map, indent: usize, out: &mut String) {
    for (key, value) in map {
        let key = match key {
            Key::Int(n) => n.to_string(),
            Key::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        };
        out.push_str(&" ".repeat(indent));
        match value {
            Tree::Leaf(bytes) => {
                out.push_str(&format!("{key}={}\n", String::from_utf8_lossy(bytes)))
            }
            Tree::Int(n) => out.push_str(&format!("{key}:{n}\n")),
            Tree::Node(map) => {
                out.push_str(&format!("{key}\n"));
                show(map, indent + 1, out);
            }
        }
    }
}

impl Executor for Stub {
    fn run(&self, request: ScriptRequest, sink: ResponseSink) -> LocalFuture<()> {
        let events = self.0.clone();
        let script = String::from_utf8_lossy(&request.script_filename).into_owned();
        let name = Path::new(&script)
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        if name == "panic_at_once.php" {
            panic!("at once");
        }
        let get = request.decode_get().variables;
        let number = move |name: &[u8], default: u64| -> u64 {
            let text = get
                .get(name)
                .and_then(Tree::as_bytes)
                .map(|b| String::from_utf8_lossy(b).into_owned());
            text.and_then(|text| text.parse().ok()).unwrap_or(default)
        };
        Box::pin(async move {
            match name.as_str() {
                "hello.php" => {
                    sink.start(html());
                    sink.write_slice(b"hello");
                }
                "sleep.php" => {
                    tokio::time::sleep(Duration::from_millis(number(b"ms", 100))).await;
                    sink.write_slice(b"slept");
                }
                "busy.php" => {
                    let end = std::time::Instant::now() + Duration::from_millis(number(b"ms", 100));
                    while std::time::Instant::now() < end {
                        std::thread::sleep(Duration::from_millis(5));
                        give_turn().await;
                    }
                    sink.write_slice(format!("{:?}", std::thread::current().name()).as_bytes());
                }
                // Says how many had begun before it, and how many ended.
                "compute.php" => {
                    let (in_progress, before) = InProgress::begin(&events);
                    for _ in 0..number(b"turns", 5) {
                        compute();
                        give_turn().await;
                    }
                    let ended = events.ended.load(Ordering::SeqCst);
                    sink.write_slice(format!("{before} {ended}").as_bytes());
                    drop(in_progress);
                }
                "forever.php" => {
                    let _in_progress = InProgress::begin(&events);
                    while !events.enough.load(Ordering::SeqCst) {
                        compute();
                        give_turn().await;
                    }
                }
                // Holds its thread, and gives up the core to nobody.
                "hold.php" => {
                    let _in_progress = InProgress::begin(&events);
                    while !events.enough.load(Ordering::SeqCst) {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    sink.write_slice(b"held");
                }
                // Waits, without computing, until so many are in progress at once.
                "gate.php" => {
                    let _in_progress = InProgress::begin(&events);
                    let number = usize::try_from(number(b"n", 1)).unwrap();
                    while events.in_progress_max.load(Ordering::SeqCst) < number {
                        tokio::time::sleep(Duration::from_millis(10)).await;
                    }
                    sink.write_slice(b"through");
                }
                "server.php" => {
                    let mut out = String::new();
                    request.server_variables(&mut |name, value| {
                        let value = match value {
                            ServerValue::Bytes(bytes) => {
                                String::from_utf8_lossy(bytes).into_owned()
                            }
                            ServerValue::Int(_) => "int".into(),
                            ServerValue::Float(_) => "float".into(),
                        };
                        out.push_str(&format!("{}={value}\n", String::from_utf8_lossy(name)));
                    });
                    sink.write_slice(out.as_bytes());
                }
                "input.php" => {
                    let mut out = String::new();
                    show(&request.decode_post().unwrap().variables, 0, &mut out);
                    out.push_str("files\n");
                    show(&request.files, 1, &mut out);
                    out.push_str(&format!("raw {}\n", request.body.len()));
                    sink.write_slice(out.as_bytes());
                }
                "raw.php" => {
                    let mut offset = 0;
                    let mut piece = vec![0; 50_000];
                    loop {
                        let n = request.body.read_at(offset, &mut piece).unwrap();
                        if n == 0 {
                            break;
                        }
                        offset += n as u64;
                        sink.write_slice(&piece[..n]);
                        sink.ready().await.unwrap();
                    }
                }
                "chunks.php" => {
                    sink.start(html());
                    for n in 0..5 {
                        sink.write_slice(format!("piece {n}\n").as_bytes());
                        sink.flush();
                        tokio::time::sleep(Duration::from_millis(10)).await;
                    }
                }
                "endless.php" => {
                    let chunk = Bytes::from(vec![b'x'; 16 << 10]);
                    loop {
                        match sink.write(chunk.clone()) {
                            WriteState::Gone => break,
                            WriteState::Full if sink.ready().await.is_err() => break,
                            WriteState::Full | WriteState::Ready => {}
                        }
                        events.written.fetch_add(chunk.len(), Ordering::SeqCst);
                    }
                    events.gone.fetch_add(1, Ordering::SeqCst);
                }
                "wait_gone.php" => {
                    sink.gone().await;
                    events.gone.fetch_add(1, Ordering::SeqCst);
                }
                "finish.php" => {
                    sink.write_slice(b"early");
                    sink.finish();
                    tokio::time::sleep(Duration::from_millis(150)).await;
                    sink.write_slice(b"too late");
                    events.after_finish.fetch_add(1, Ordering::SeqCst);
                }
                "panic.php" => {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    panic!("later");
                }
                "panic_late.php" => {
                    sink.write_slice(b"begun");
                    sink.flush();
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    panic!("while sending");
                }
                "silent.php" => return,
                "status.php" => {
                    let field = |n: &'static str, v: &'static str| {
                        (
                            Bytes::from_static(n.as_bytes()),
                            Bytes::from_static(v.as_bytes()),
                        )
                    };
                    sink.start(ResponseHead {
                        status: 404,
                        reason: Some(Bytes::from_static(b"Not Here")),
                        headers: vec![
                            field("Set-Cookie", "a=1"),
                            field("X-One", "1"),
                            field("Set-Cookie", "b=2"),
                            field("Transfer-Encoding", "chunked"),
                            field("Connection", "upgrade"),
                            field("Bad Name", "x"),
                            field("X-Split", "a\r\nInjected: b"),
                        ],
                    });
                    sink.write_slice(b"gone away");
                }
                "router.php" => {
                    if request.request_uri.starts_with(b"/routed") {
                        sink.write_slice(b"by the router");
                    } else {
                        sink.decline();
                        return;
                    }
                }
                _ => {
                    let path_info = String::from_utf8_lossy(&request.path_info).into_owned();
                    let script_name = String::from_utf8_lossy(&request.script_name).into_owned();
                    let query = String::from_utf8_lossy(&request.query_string).into_owned();
                    sink.write_slice(format!("{script_name}|{path_info}|{query}").as_bytes());
                }
            }
            sink.finish();
        })
    }
}

/// A folder that goes with its test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let n = COUNT.fetch_add(1, Ordering::SeqCst);
        let path =
            std::env::temp_dir().join(format!("jumbo-server-test-{}-{n}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Folder {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub struct TestServer {
    pub root: Folder,
    pub running: RunningServer,
    pub events: Arc<Events>,
    pub address: SocketAddr,
}

pub const SCRIPTS: &[&str] = &[
    "hello",
    "sleep",
    "busy",
    "server",
    "input",
    "raw",
    "chunks",
    "endless",
    "wait_gone",
    "finish",
    "panic",
    "panic_at_once",
    "panic_late",
    "silent",
    "status",
    "compute",
    "forever",
    "hold",
    "gate",
];

pub fn start(change: impl FnOnce(&mut ServerConfig)) -> TestServer {
    let root = Folder::new();
    let events = Arc::new(Events::default());
    for script in SCRIPTS {
        root.file(&format!("{script}.php"), "<?php secret();");
    }
    let mut config = ServerConfig {
        listen: vec!["127.0.0.1:0".parse::<ListenAddress>().unwrap()],
        executors: 2,
        document_root: root.0.clone(),
        path_cache_ms: 20,
        error_log: Arc::new(|_| {}),
        stop_timeout_ms: 5_000,
        ..ServerConfig::default()
    };
    change(&mut config);
    let running = Server::bind(config, Arc::new(StubSite(events.clone())))
        .unwrap()
        .start()
        .unwrap();
    let address = running
        .local_addr()
        .unwrap_or(SocketAddr::from(([127, 0, 0, 1], 0)));
    TestServer {
        root,
        running,
        events,
        address,
    }
}

/// An answer, its body already unchunked.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
    pub chunks: Vec<usize>,
    /// Whether the body came to its proper end.
    pub complete: bool,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The value of a header field, if there is exactly one.
    pub fn field(&self, name: &str) -> Option<String> {
        let values = self.fields(name);
        assert!(values.len() <= 1, "{name} is repeated: {values:?}");
        values.into_iter().next()
    }

    pub fn fields(&self, name: &str) -> Vec<String> {
        let lines = self
            .head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "));
        lines
            .filter(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v.to_owned())
            .collect()
    }
}

pub struct Client {
    pub stream: TcpStream,
    buffer: Vec<u8>,
}

impl TestServer {
    pub fn connect(&self) -> Client {
        let stream = TcpStream::connect(self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        Client {
            stream,
            buffer: Vec::new(),
        }
    }

    /// One request on its own connection.
    pub fn get(&self, target: &str) -> Answer {
        self.request("GET", target, "", b"")
    }

    pub fn request(&self, method: &str, target: &str, fields: &str, body: &[u8]) -> Answer {
        let mut client = self.connect();
        let length = if body.is_empty() {
            String::new()
        } else {
            format!("Content-Length: {}\r\n", body.len())
        };
        client.send(
            format!("{method} {target} HTTP/1.1\r\nHost: test\r\n{length}{fields}\r\n").as_bytes(),
        );
        client.send(body);
        client.answer(method == "HEAD").unwrap()
    }
}

impl Client {
    pub fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Reads more; false at the end of the stream.
    fn fill(&mut self) -> bool {
        let mut piece = [0; 65536];
        match self.stream.read(&mut piece) {
            Ok(0) | Err(_) => false,
            Ok(n) => {
                self.buffer.extend_from_slice(&piece[..n]);
                true
            }
        }
    }

    fn line(&mut self) -> Option<String> {
        loop {
            if let Some(at) = self.buffer.windows(2).position(|w| w == b"\r\n") {
                let line = String::from_utf8_lossy(&self.buffer[..at]).into_owned();
                self.buffer.drain(..at + 2);
                return Some(line);
            }
            if !self.fill() {
                return None;
            }
        }
    }

    fn take(&mut self, n: usize) -> (Vec<u8>, bool) {
        while self.buffer.len() < n && self.fill() {}
        let complete = self.buffer.len() >= n;
        let n = n.min(self.buffer.len());
        (self.buffer.drain(..n).collect(), complete)
    }

    /// Reads the next answer; nothing when the connection ends before one.
    pub fn answer(&mut self, head_only: bool) -> Option<Answer> {
        let mut head = String::new();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                if head.starts_with("HTTP/1.1 100") {
                    head.clear();
                    continue;
                }
                break;
            }
            head.push_str(&line);
            head.push('\n');
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut answer = Answer {
            status,
            head,
            body: Vec::new(),
            chunks: Vec::new(),
            complete: true,
        };
        if head_only || status == 304 || status == 204 {
            return Some(answer);
        }
        if let Some(length) = answer.field("content-length") {
            (answer.body, answer.complete) = self.take(length.parse().unwrap());
        } else if answer.field("transfer-encoding").as_deref() == Some("chunked") {
            loop {
                let Some(line) = self.line() else {
                    answer.complete = false;
                    break;
                };
                let size = usize::from_str_radix(&line, 16).unwrap();
                let (bytes, complete) = self.take(size);
                answer.body.extend(bytes);
                answer.complete = complete;
                let _ = self.line();
                if size == 0 || !complete {
                    break;
                }
                answer.chunks.push(size);
            }
        } else {
            while self.fill() {}
            answer.body = std::mem::take(&mut self.buffer);
        }
        Some(answer)
    }

    /// Whether the server has closed this connection.
    pub fn is_closed(&mut self) -> bool {
        self.buffer.is_empty() && !self.fill()
    }
}

/// Waits for something that another thread brings about.
pub fn eventually(what: &str, condition: impl Fn() -> bool) {
    for _ in 0..500 {
        if condition() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("did not happen: {what}");
}
