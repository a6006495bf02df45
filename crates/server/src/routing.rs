//! From a request's path to what answers it, as nginx's `try_files $uri $uri/ /index.php?$query_string`.
//!
//! Safety rules, in this order: the path is decoded once and normalised, and may not climb above the root, hold a
//! NUL or be malformed (400); names that begin with a dot do not exist for clients, `.well-known` excepted;
//! the resolved file lies inside the resolved root unless symbolic links are followed on purpose; files whose names are
//! [private](crate::private_names) are not sent.
//!
//! A file system that may not answer (`jumbo_abi::mounts`) is asked by another thread, where the whole path is routed again.
//!
//! What the file system said is kept per executor for `path_cache_ms`, absence included, so that a busy path
//! costs no system call. Both the number of remembered paths and their memory are bounded.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use jumbo_abi::blocking::{self, NoThread};
use jumbo_abi::mounts::{self, Mount};

use crate::config::ServerConfig;
use crate::content_types;
use crate::private_names::PrivateNames;
use crate::static_files::StaticFile;

/// What answers a path.
#[derive(Clone)]
pub(crate) enum Route {
    Script(Rc<ScriptRoute>),
    File(Rc<StaticFile>),
    /// A directory named without its slash; the path to go to.
    Redirect(Rc<str>),
    BadRequest,
    Forbidden,
    NotFound,
}

/// What the file system has at a path, as any thread may find it.
enum Place {
    Script(ScriptRoute),
    File(PathBuf, &'static str),
    Redirect(String),
    BadRequest,
    Forbidden,
    NotFound,
}

impl From<Place> for Route {
    fn from(place: Place) -> Route {
        match place {
            Place::Script(script) => Route::Script(Rc::new(script)),
            Place::File(path, content_type) => Route::File(Rc::new(StaticFile::new(path, content_type))),
            Place::Redirect(path) => Route::Redirect(path.into()),
            Place::BadRequest => Route::BadRequest,
            Place::Forbidden => Route::Forbidden,
            Place::NotFound => Route::NotFound,
        }
    }
}

pub(crate) struct ScriptRoute {
    pub filename: Bytes,
    pub script_name: Bytes,
    pub path_info: Bytes,
}

/// Remembered paths; when there are more, all are forgotten.
const CACHED_PATHS_MAX: usize = 4096;
const CACHED_PATH_BYTES_MAX: usize = 512;
/// Contents of small files that are remembered with their paths.
const CACHED_CONTENT_BYTES_MAX: usize = 16 << 20;

/// Routes by encoded path, with the time they were found.
type Remembered = HashMap<Box<[u8]>, (Instant, Route)>;

pub(crate) struct Router {
    rules: Arc<Rules>,
    keep: Duration,
    cache: RefCell<Remembered>,
    cached_content_bytes: Cell<usize>,
    /// How long a path waits for a thread that asks a file system which may not answer.
    begins_within: Duration,
}

/// How paths lead to files.
struct Rules {
    /// As configured, made absolute: what DOCUMENT_ROOT and SCRIPT_FILENAME show.
    root: PathBuf,
    /// With symbolic links resolved: what a file must be inside of.
    resolved_root: PathBuf,
    index: Vec<String>,
    front_controller: Option<String>,
    follow_symlinks: bool,
    private: PrivateNames,
}

/// The rules, for one path.
struct Finder<'a> {
    rules: &'a Rules,
    /// File systems that may not answer are asked too.
    asks_all: bool,
}

/// What stands at a path of the file system.
enum Found {
    File,
    Directory,
    Nothing,
    Forbidden,
}

impl Router {
    pub(crate) fn new(config: &ServerConfig) -> io::Result<Router> {
        let root = std::path::absolute(&config.document_root)?;
        let why = |error: io::Error| io::Error::new(error.kind(), format!("document root {}: {error}", root.display()));
        let resolved_root = fs::canonicalize(&root).map_err(why)?;
        if !fs::metadata(&resolved_root).map_err(why)?.is_dir() {
            let what = format!("document root {} is a file: the folder that it is in can be served", root.display());
            return Err(io::Error::new(io::ErrorKind::NotADirectory, what));
        }
        // Only who may enter it finds this.
        fs::metadata(resolved_root.join(".")).map_err(why)?;
        let rules = Rules {
            root,
            resolved_root,
            index: config.index.clone(),
            front_controller: config
                .front_controller
                .as_ref()
                .map(|name| format!("/{}", name.trim_start_matches('/'))),
            follow_symlinks: config.follow_symlinks,
            private: PrivateNames::new(&config.private_files),
        };
        Ok(Router {
            rules: Arc::new(rules),
            keep: Duration::from_millis(config.path_cache_ms),
            cache: RefCell::new(HashMap::new()),
            cached_content_bytes: Cell::new(0),
            begins_within: Duration::from_millis(config.queue_wait_ms_max),
        })
    }

    pub(crate) fn document_root(&self) -> Bytes {
        Bytes::copy_from_slice(self.rules.root.as_os_str().as_bytes())
    }

    /// Routes the path of a request target, still percent-encoded.
    pub(crate) async fn route(&self, encoded: &[u8], now: Instant) -> Result<Route, NoThread> {
        if let Some((at, route)) = self.cache.borrow().get(encoded)
            && now.saturating_duration_since(*at) < self.keep
        {
            return Ok(route.clone());
        }
        let place = match (Finder { rules: &self.rules, asks_all: false }).find(encoded) {
            Ok(place) => place,
            // In a box, so that requests whose files are here are no larger.
            Err(mount) => Box::pin(self.find_elsewhere(mount, encoded.into())).await?,
        };
        let route = Route::from(place);
        if encoded.len() <= CACHED_PATH_BYTES_MAX && !self.keep.is_zero() {
            let mut cache = self.cache.borrow_mut();
            if cache.len() >= CACHED_PATHS_MAX
                || self.cached_content_bytes.get() > CACHED_CONTENT_BYTES_MAX
            {
                cache.clear();
                self.cached_content_bytes.set(0);
            }
            cache.insert(encoded.into(), (now, route.clone()));
        }
        Ok(route)
    }

    async fn find_elsewhere(&self, mount: Mount, encoded: Box<[u8]>) -> Result<Place, NoThread> {
        let rules = self.rules.clone();
        let find = move || Finder { rules: &rules, asks_all: true }.find(&encoded).unwrap_or(Place::NotFound);
        blocking::elsewhere(mount, self.begins_within, find).await
    }

    /// How long a static file waits for a thread.
    pub(crate) fn begins_within(&self) -> Duration {
        self.begins_within
    }

    /// A static file has put its content into its cached route.
    pub(crate) fn charge_content(&self, bytes: usize) {
        self.cached_content_bytes
            .set(self.cached_content_bytes.get().saturating_add(bytes));
    }
}

impl Finder<'_> {
    /// Err: the path leads to a file system that may not answer, and that is not to be asked here.
    fn find(&self, encoded: &[u8]) -> Result<Place, Mount> {
        let Some(path) = decode(encoded).and_then(|decoded| normalise(&decoded)) else {
            return Ok(Place::BadRequest);
        };
        if !self.rules.private.hides(&path) {
            match self.try_path(&path)? {
                Place::NotFound => {}
                place => return Ok(place),
            }
        }
        if let Some(front) = &self.rules.front_controller
            && matches!(self.look(front.as_bytes())?, Found::File)
        {
            return Ok(self.script(front.as_bytes(), b""));
        }
        Ok(Place::NotFound)
    }

    fn try_path(&self, path: &[u8]) -> Result<Place, Mount> {
        Ok(match self.look(path)? {
            Found::File if path.ends_with(b"/") => Place::NotFound,
            Found::File => self.file(path),
            Found::Directory => self.directory(path)?,
            Found::Forbidden => Place::Forbidden,
            Found::Nothing => self.with_path_info(path)?,
        })
    }

    /// `path` has been looked at.
    fn file(&self, path: &[u8]) -> Place {
        if path.ends_with(b".php") {
            return self.script(path, b"");
        }
        if self.rules.private.forbids(path) {
            return Place::Forbidden;
        }
        let full = self.full(path);
        // A link may have an innocent name and lead to what is private.
        match fs::canonicalize(&full) {
            Ok(resolved) if self.rules.private.forbids(resolved.as_os_str().as_bytes()) => Place::Forbidden,
            Ok(_) => Place::File(full, content_types::of(path)),
            Err(_) => Place::NotFound,
        }
    }

    fn directory(&self, path: &[u8]) -> Result<Place, Mount> {
        if !path.ends_with(b"/") {
            return Ok(Place::Redirect(encode_path(path)));
        }
        for name in &self.rules.index {
            let candidate = [path, name.as_bytes()].concat();
            if matches!(self.look(&candidate)?, Found::File) {
                return Ok(self.file(&candidate));
            }
        }
        Ok(Place::Forbidden)
    }

    /// Splits `/script.php/more` at the first script that exists.
    fn with_path_info(&self, path: &[u8]) -> Result<Place, Mount> {
        let mut from = 1;
        while let Some(slash) = path.get(from..).and_then(|rest| memchr::memchr(b'/', rest)) {
            let end = from + slash;
            if path[..end].ends_with(b".php") && matches!(self.look(&path[..end])?, Found::File) {
                return Ok(self.script(&path[..end], &path[end..]));
            }
            from = end + 1;
        }
        Ok(Place::NotFound)
    }

    fn script(&self, name: &[u8], path_info: &[u8]) -> Place {
        Place::Script(ScriptRoute {
            filename: Bytes::copy_from_slice(self.full(name).as_os_str().as_bytes()),
            script_name: Bytes::copy_from_slice(name),
            path_info: Bytes::copy_from_slice(path_info),
        })
    }

    fn full(&self, path: &[u8]) -> PathBuf {
        let mut full = self.rules.root.as_os_str().as_bytes().to_vec();
        while full.last() == Some(&b'/') {
            full.pop();
        }
        full.extend_from_slice(path);
        PathBuf::from(OsStr::from_bytes(&full))
    }

    fn look(&self, path: &[u8]) -> Result<Found, Mount> {
        let full = self.full(path);
        if !self.asks_all && let Some(mount) = mounts::remote(&full) {
            return Err(mount);
        }
        let Ok(metadata) = fs::metadata(&full) else {
            return Ok(Found::Nothing);
        };
        if !self.rules.follow_symlinks {
            match fs::canonicalize(&full) {
                Ok(resolved) if resolved.starts_with(&self.rules.resolved_root) => {}
                Ok(_) => return Ok(Found::Forbidden),
                Err(_) => return Ok(Found::Nothing),
            }
        }
        Ok(if metadata.is_dir() {
            Found::Directory
        } else if metadata.is_file() {
            Found::File
        } else {
            // Devices, pipes and sockets are nothing to serve.
            Found::Forbidden
        })
    }
}

/// Decodes `%XX`; nothing when an escape is malformed, or for a NUL.
fn decode(encoded: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(encoded.len());
    let mut rest = encoded;
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        let byte = if first == b'%' {
            let [high, low, after @ ..] = tail else {
                return None;
            };
            rest = after;
            let digit = |b: &u8| char::from(*b).to_digit(16);
            (digit(high)? << 4 | digit(low)?) as u8
        } else {
            first
        };
        if byte == 0 {
            return None;
        }
        out.push(byte);
    }
    Some(out)
}

/// Takes `.`, `..` and repeated slashes out; nothing when the path is not absolute or climbs above its root.
fn normalise(path: &[u8]) -> Option<Vec<u8>> {
    let inner = path.strip_prefix(b"/")?;
    let mut segments: Vec<&[u8]> = Vec::new();
    let mut directory = true;
    for segment in inner.split(|&b| b == b'/') {
        directory = true;
        match segment {
            b"" | b"." => {}
            b".." => {
                segments.pop()?;
            }
            name => {
                segments.push(name);
                directory = false;
            }
        }
    }
    let mut out = Vec::with_capacity(path.len());
    for segment in &segments {
        out.push(b'/');
        out.extend_from_slice(segment);
    }
    if directory {
        out.push(b'/');
    }
    Some(out)
}

/// Encodes a path for a Location field, with the missing slash at its end. It begins with exactly one slash, so no
/// host can be smuggled in.
fn encode_path(path: &[u8]) -> String {
    let mut out = String::with_capacity(path.len() + 8);
    for &b in path {
        match b {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'/'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'!'
            | b'$'
            | b'&'
            | b'\''
            | b'('
            | b')'
            | b'*'
            | b'+'
            | b','
            | b';'
            | b'='
            | b':'
            | b'@' => out.push(char::from(b)),
            _ => out.push_str(&format!("%{b:02X}")),
        }
    }
    out.push('/');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(encoded: &str, expected: Option<&str>) {
        let actual = decode(encoded.as_bytes()).and_then(|path| normalise(&path));
        assert_eq!(actual.as_deref(), expected.map(str::as_bytes), "{encoded}");
    }

    #[test]
    fn normalises() {
        check("/", Some("/"));
        check("/a/b", Some("/a/b"));
        check("//a///b/", Some("/a/b/"));
        check("/a/./b/.", Some("/a/b/"));
        check("/a/../b", Some("/b"));
        check("/a/..", Some("/"));
        check("/..", None);
        check("/a/../../b", None);
        check("/%2e%2e/b", None);
        check("/a%2f..%2f..%2fb", None);
        check("/%00", None);
        check("/%4", None);
        check("/%zz", None);
        check("/%41%20b", Some("/A b"));
        check("/%252e%252e/", Some("/%2e%2e/"));
        check("a", None);
        check("*", None);
        check("/..%5c..%5cb", Some("/..\\..\\b"));
    }
}
