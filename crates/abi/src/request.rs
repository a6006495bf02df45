//! State of one request that several extensions and the engine share.

use crate::Callable;
use jumbo_value::{PStr, Value};

/// Functions to call at the end of the request, in order (`register_shutdown_function`).
#[derive(Default)]
pub struct Shutdown {
    pub functions: Vec<(Callable, Vec<Value>)>,
}

/// A function that is called at each tick.
#[derive(Clone)]
pub struct Tick {
    /// Distinguishes two registrations of one callable.
    pub id: u64,
    pub callable: Callable,
    pub args: Vec<Value>,
    /// It is being called: its own ticks do not call it again.
    pub running: bool,
}

/// Functions called at each tick (`register_tick_function`), in order.
#[derive(Default)]
pub struct Ticks {
    pub functions: Vec<Tick>,
    /// Statements since they were called.
    pub count: u32,
    last_id: u64,
}

impl Ticks {
    pub fn register(&mut self, callable: Callable, args: Vec<Value>) {
        self.last_id += 1;
        self.functions.push(Tick { id: self.last_id, callable, args, running: false });
    }
}

/// A place in code that makes no call by itself, but stands in traces and messages as if it did: where an attribute is written.
#[derive(Clone, Debug)]
pub struct CallSite {
    pub file: PStr,
    pub line: u32,
    /// The code there is in strict mode.
    pub strict: bool,
}

/// Raw body of the request, for `php://input`.
#[derive(Default)]
pub struct Body {
    pub bytes: Vec<u8>,
}

/// Limits that a script sets for one parsing of a body; what is absent is as configured.
#[derive(Default)]
pub struct BodyLimits {
    pub max_file_uploads: Option<i64>,
    pub max_input_vars: Option<i64>,
    pub max_multipart_body_parts: Option<i64>,
    pub post_max_size: Option<i64>,
    pub upload_max_filesize: Option<i64>,
}

/// Fields and files of a body; `Err`: what is wrong with it.
pub type ParseBody = fn(&mut crate::Cx, &BodyLimits) -> Result<(crate::PArray, crate::PArray), String>;

/// How a body that was not parsed before the script is parsed on demand (`request_parse_body`): given by whoever decodes requests.
#[derive(Default)]
pub struct BodyParser {
    pub parse: Option<ParseBody>,
    pub content_type: Vec<u8>,
}

/// The files that came with the request and still lie in their temporary folder (`is_uploaded_file`, `move_uploaded_file`).
#[derive(Default)]
pub struct UploadedFiles {
    pub files: Option<Box<dyn Uploads>>,
}

/// What a server knows of uploaded files.
pub trait Uploads {
    /// Whether `path` is an uploaded file of this request that nobody has moved.
    fn contains(&self, path: &[u8]) -> bool;
    /// The file has been moved: it is not deleted at the end of the request. Says whether it was an uploaded file.
    fn release(&self, path: &[u8]) -> bool;
}

/// The process's SAPI name (`cli`, `fpm-fcgi`, …), set before anything runs.
pub static SAPI: std::sync::OnceLock<&'static str> = std::sync::OnceLock::new();

/// One script has the whole process.
pub fn on_command_line() -> bool {
    SAPI.get().is_none_or(|s| *s == "cli")
}

/// The soft limit of descriptors that programs started by scripts get, when the process has raised its own: many programs go through
/// all possible descriptors, or use `select()`, which knows the first 1024 alone.
pub static CHILDREN_FILES_LIMIT: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
