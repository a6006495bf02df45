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
    /// To compile it would take so many bytes, more than memory_limit allows.
    Memory(usize),
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
    /// What PHP code may know of the cache and do to it.
    fn cache(&self) -> &dyn FileCache;
    /// The unit of a file, by absolute path. None: it is no regular file but a pipe or a device, whose end may never come.
    fn file(&self, cx: &mut Cx, path: &[u8]) -> Result<Option<Arc<Unit>>, UnitError>;
    /// An absolute path with its symbolic links resolved, trusted as long as units are; the path itself where nothing is.
    fn real_path(&self, cx: &mut Cx, path: &[u8]) -> Vec<u8>;
    /// Is there a file (no folder) at an absolute path? Trusted as long as units are, once its path was resolved.
    fn is_file(&self, cx: &mut Cx, path: &[u8]) -> bool;
    /// Compiles code that is no file: `eval` (without open tag), `-r`, standard input (`with_tags`). `name` is what `__FILE__` shows.
    fn code(&self, cx: &mut Cx, code: &[u8], name: &[u8], with_tags: bool) -> Result<Arc<Unit>, UnitError>;
}

/// What the cache of units has done since the process started or since it was last emptied, and what it holds.
#[derive(Clone, Debug, Default)]
pub struct CacheStatistics {
    /// Inclusions that found a unit that could be used.
    pub hits: u64,
    /// Inclusions that had to read and compile their file.
    pub misses: u64,
    pub units: usize,
    /// Names by which units are found: their own paths and other paths that lead to them.
    pub keys: usize,
    /// With more names than this, those that are no unit's own path are forgotten.
    pub keys_max: usize,
    /// Unix time.
    pub started: i64,
    /// Unix time; None: it was never emptied.
    pub emptied: Option<i64>,
    /// How often scripts have emptied it.
    pub emptied_count: u64,
}

/// One file in the cache.
#[derive(Clone, Debug)]
pub struct CachedFile {
    pub path: Vec<u8>,
    pub hits: u64,
    /// What the unit's tables take. Names and literal strings are interned for the whole process and not part of it.
    pub table_bytes: usize,
    /// Unix time.
    pub last_used: i64,
    /// The file's time stamp when it was compiled.
    pub modified: i64,
    /// Unix time from when on the file's time stamp is looked at again; None: never.
    pub trusted_until: Option<i64>,
}

/// The cache behind a [`UnitProvider`], as PHP code sees it and acts on it (`opcache_get_status` and its like). Code that runs keeps
/// its unit, whatever is forgotten here.
pub trait FileCache {
    fn statistics(&self) -> CacheStatistics;
    fn files(&self) -> Vec<CachedFile>;
    /// Is there a unit of this file, and is it still trusted or the file still as it was compiled?
    fn is_current(&self, path: &[u8]) -> bool;
    /// As [`is_current`](FileCache::is_current), looking at the file even when its unit is trusted.
    fn is_unchanged(&self, path: &[u8]) -> bool;
    fn contains(&self, path: &[u8]) -> bool;
    /// Forgets one file, and where other names lead to it.
    fn forget(&self, path: &[u8]);
    fn forget_all(&self);
    /// For how long units are trusted before their file's time stamp is looked at again, in milliseconds; None: for ever.
    fn trust_ms(&self) -> Option<u64>;
}
