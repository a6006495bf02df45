//! Where units come from: the compiler, its cache, a built application.

use crate::Cx;
use jumbo_bytecode::unit::Unit;
use std::sync::Arc;

/// Why there is no unit.
#[derive(Debug)]
pub enum UnitError {
    /// The file cannot be read: the system's reason ("No such file or directory").
    Unreadable(String),
    /// PHP's error; `parse`: a syntax error (ParseError), else an error of compilation.
    Invalid { message: Vec<u8>, line: u32, parse: bool },
}

pub trait UnitProvider: Send + Sync {
    /// The unit of a file, by absolute path.
    fn file(&self, cx: &mut Cx, path: &[u8]) -> Result<Arc<Unit>, UnitError>;
    /// Compiles code that is no file: `eval` (without open tag), `-r`, standard input (`with_tags`). `name` is what `__FILE__` shows.
    fn code(&self, cx: &mut Cx, code: &[u8], name: &[u8], with_tags: bool) -> Result<Arc<Unit>, UnitError>;
}
