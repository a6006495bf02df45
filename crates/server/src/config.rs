//! The server's settings. Units are in the names; a default is what a small site wants.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use crate::memory;
use crate::private_names::PRIVATE_FILES;
use crate::request::InputLimits;

/// Where to listen: `127.0.0.1:8080`, `[::]:80`, `:8080` (all addresses), `unix:/run/jumbo.sock`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl FromStr for ListenAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<ListenAddress, String> {
        if let Some(path) = text.strip_prefix("unix:") {
            if path.is_empty() {
                return Err("unix: must be followed by a path".into());
            }
            return Ok(ListenAddress::Unix(path.into()));
        }
        let full = match text.strip_prefix("localhost:") {
            Some(port) => format!("127.0.0.1:{port}"),
            None if text.starts_with(':') => format!("0.0.0.0{text}"),
            None if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
                format!("127.0.0.1:{text}")
            }
            None => text.to_owned(),
        };
        full.parse()
            .map(ListenAddress::Tcp)
            .map_err(|_| format!("cannot listen on {text:?}: expected ADDRESS:PORT or unix:PATH"))
    }
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ListenAddress::Tcp(address) => address.fmt(f),
            ListenAddress::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// Receives one line per event that an operator should see.
pub type ErrorLog = Arc<dyn Fn(&str) + Send + Sync>;

#[derive(Clone)]
pub struct ServerConfig {
    pub listen: Vec<ListenAddress>,
    /// Connections the kernel may hold that nobody has accepted yet.
    pub backlog: u32,
    /// One listening socket per executor (SO_REUSEPORT) in place of one shared socket. The kernel then spreads
    /// connections evenly, but also to an executor that is busy; worth it at tens of thousands of connects/s.
    pub reuse_port: bool,
    /// Threads that run scripts and serve connections; 0 means one per core.
    pub executors: usize,

    pub document_root: PathBuf,
    /// Tried in a directory, in this order.
    pub index: Vec<String>,
    /// The script, below the document root, that answers paths which name no file; unused when it is missing.
    pub front_controller: Option<String>,
    /// Serve what symbolic links inside the document root point to outside of it.
    pub follow_symlinks: bool,
    /// Patterns of names that are not served as files, `*` and `?` in them. PHP source is never served, whatever stands here.
    pub private_files: Vec<String>,
    /// What the file system said about a path is believed for this long.
    pub path_cache_ms: u64,
    /// The script that `php -S` would call its router: it sees every request first.
    pub router_script: Option<PathBuf>,

    /// The path of the health check, which no script answers; none when unset.
    pub health_path: Option<String>,
    /// `SERVER_NAME`; the request's host when unset.
    pub server_name: Option<String>,
    /// `SERVER_SOFTWARE`.
    pub server_software: String,
    /// The `Server` field of answers; none when empty.
    pub server_header: String,
    /// `USER` and `HOME` in `$_SERVER`.
    pub user: String,
    pub home: String,

    /// Request line and header fields; more is answered with 431.
    pub head_bytes_max: usize,
    /// Header fields; more are answered with 431.
    pub header_fields_max: usize,
    /// From the first byte of a request to the end of its head; then 408.
    pub head_timeout_ms: u64,
    /// A request body; more is answered with 413.
    pub body_bytes_max: u64,
    /// Between two pieces of a request body; then 408.
    pub body_timeout_ms: u64,
    /// Without the client taking anything of an answer; then the connection ends.
    pub send_timeout_ms: u64,
    /// Between two requests of a connection; 0 closes after each answer.
    pub keep_alive_timeout_ms: u64,
    /// Connections of all executors; for one more the oldest idle one is closed, or it is answered with 503. When unset, as many as
    /// the limit of descriptors has room for beside what scripts need, at most 20,000.
    pub connections_max: Option<usize>,
    /// Requests that have begun and not ended, those included that wait for a database or the like.
    pub in_flight_max: usize,
    /// Resident memory of the process: beyond it the request that holds the most is ended, near it no request begins beside others. 0: no
    /// limit but the system's.
    pub memory_bytes_max: u64,
    /// Requests that may wait to begin; one more gets a 503.
    pub queue_len_max: usize,
    /// How long a request may wait to begin; then 503. By default as long as web servers in front of PHP-FPM wait for an answer.
    pub queue_wait_ms_max: u64,
    /// How long a stop waits for requests in flight.
    pub stop_timeout_ms: u64,

    /// What all request bodies together may have in memory until their scripts begin; more is on disk, and what cannot be is
    /// answered with 503.
    pub body_memory_bytes_max: usize,

    pub input: InputLimits,

    /// Access log in the combined format, followed by the duration in microseconds.
    pub access_log: Option<PathBuf>,
    pub error_log: ErrorLog,
    /// Log every connection and request on stderr in the lines of `php -S`.
    pub development: bool,
}

impl Default for ServerConfig {
    fn default() -> ServerConfig {
        ServerConfig {
            listen: vec![ListenAddress::Tcp(SocketAddr::from(([127, 0, 0, 1], 8080)))],
            backlog: 4096,
            reuse_port: false,
            executors: 0,
            document_root: PathBuf::from("."),
            index: vec!["index.php".into(), "index.html".into()],
            front_controller: Some("/index.php".into()),
            follow_symlinks: false,
            private_files: PRIVATE_FILES.iter().map(ToString::to_string).collect(),
            path_cache_ms: 1000,
            router_script: None,
            health_path: None,
            server_name: None,
            server_software: concat!("Jumbo/", env!("CARGO_PKG_VERSION")).into(),
            server_header: "Jumbo".into(),
            user: std::env::var("USER").unwrap_or_default(),
            home: std::env::var("HOME").unwrap_or_default(),
            head_bytes_max: 32 << 10,
            header_fields_max: 100,
            head_timeout_ms: 60_000,
            body_bytes_max: 128 << 20,
            body_timeout_ms: 60_000,
            send_timeout_ms: 60_000,
            keep_alive_timeout_ms: 75_000,
            connections_max: None,
            in_flight_max: 2_000,
            memory_bytes_max: memory::granted_bytes().map_or(0, |granted| granted / 10 * 9),
            queue_len_max: 4_000,
            queue_wait_ms_max: 60_000,
            stop_timeout_ms: 30_000,
            body_memory_bytes_max: 256 << 20,
            input: InputLimits::default(),
            access_log: None,
            error_log: Arc::new(|line| eprintln!("{line}")),
            development: false,
        }
    }
}

impl ServerConfig {
    /// The settings of `php -S`: one executor, every request on stderr.
    pub fn development() -> ServerConfig {
        ServerConfig {
            executors: 1,
            development: true,
            private_files: vec![".*".into()],
            ..ServerConfig::default()
        }
    }

    pub(crate) fn executor_count(&self) -> usize {
        match self.executors {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }
}
