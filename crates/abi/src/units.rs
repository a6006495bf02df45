//! Where units come from: the compiler, its cache, a built application.

use crate::Cx;
use jumbo_bytecode::unit::Unit;
use std::sync::Arc;

/// Why there is no unit.
#[derive(Debug)]
pub enum UnitError {
    /// The file cannot be read: the system's reason ("No such file or directory").
    Unreadable(String),
    /// PHP's error.
    Invalid(Invalid),
}

/// How PHP reports code that cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidKind {
    /// A ParseError.
    Parse,
    /// A CompileError that can be caught: what the parser refuses although it is no syntax error.
    Thrown,
    /// A fatal error.
    Fatal,
}

#[derive(Debug)]
pub struct Invalid {
    pub message: Vec<u8>,
    pub line: u32,
    pub kind: InvalidKind,
    /// What is raised before: level, message, line.
    pub warnings: Vec<(u32, Vec<u8>, u32)>,
}

pub trait UnitProvider: Send + Sync {
    /// The unit of a file, by absolute path.
    fn file(&self, cx: &mut Cx, path: &[u8]) -> Result<Arc<Unit>, UnitError>;
    /// An absolute path with its symbolic links resolved, trusted as long as units are; the path itself where nothing is.
    fn real_path(&self, path: &[u8]) -> Vec<u8>;
    /// Is there a file (no folder) at an absolute path? Trusted as long as units are, once its path was resolved.
    fn is_file(&self, path: &[u8]) -> bool;
    /// Compiles code that is no file: `eval` (without open tag), `-r`, standard input (`with_tags`). `name` is what `__FILE__` shows.
    fn code(&self, cx: &mut Cx, code: &[u8], name: &[u8], with_tags: bool) -> Result<Arc<Unit>, UnitError>;
}
