//! The unit cache: units by path, compiled once, looked at again when their file's time stamp may have changed.

use bumpalo::Bump;
use jumbo_abi::units::{CacheStatistics, CachedFile, FileCache, Invalid, InvalidKind, UnitError, UnitProvider};
use jumbo_abi::{Cx, blocking, registry};
use jumbo_bytecode::unit::{BuiltinInfo, Unit, World};
use jumbo_compile::{Options, SourceKind};
use jumbo_syntax::{ParseOptions, SyntaxErrorKind, memory_of};
use jumbo_value::Value;
use jumbo_value::hash::BuildBytesHasher;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

struct Cached {
    unit: Arc<Unit>,
    modified_ns: i128,
    bytes: u64,
    checked: Instant,
    /// The file was written when it was read: time stamps do not tell what was written in one tick of the clock, so this does.
    fresh: Option<u64>,
    hits: AtomicU64,
    /// When it was last asked for, in seconds since the cache began: written once a second, not with each use, by whichever thread.
    last_used: AtomicI64,
}

/// Time stamps of files may be this far behind.
const TICK_NS: i128 = 20_000_000;

/// A hash of a file's text, if it was written just now.
fn fresh(source: &[u8], modified_ns: i128) -> Option<u64> {
    let now_ns = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as i128);
    (now_ns - modified_ns < TICK_NS).then(|| hash_of(source))
}

fn hash_of(text: &[u8]) -> u64 {
    let mut hasher = std::collections::hash_map::DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The cache of the process.
pub struct UnitCache {
    units: RwLock<HashMap<Box<[u8]>, Cached, BuildBytesHasher>>,
    /// What paths lead to, and since when that is known.
    paths: RwLock<HashMap<Box<[u8]>, (Box<[u8]>, Instant), BuildBytesHasher>>,
    revalidate: Option<Duration>,
    began: Instant,
    began_unix: i64,
    misses: AtomicU64,
    /// Hits of units that are no longer there.
    hits_before: AtomicU64,
    /// Unix time, 0: never.
    emptied: AtomicI64,
    emptied_count: AtomicU64,
}

fn unix_now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}

/// Resolved paths that are kept; with one more all are forgotten.
const PATHS_MAX: usize = 16_384;

static CACHE: OnceLock<UnitCache> = OnceLock::new();

/// The provider of the process; the first call decides how units are revalidated.
pub fn provider(revalidate_ms: Option<u64>) -> &'static dyn UnitProvider {
    CACHE.get_or_init(|| UnitCache {
        units: RwLock::default(),
        paths: RwLock::default(),
        revalidate: revalidate_ms.map(Duration::from_millis),
        began: Instant::now(),
        began_unix: unix_now(),
        misses: AtomicU64::new(0),
        hits_before: AtomicU64::new(0),
        emptied: AtomicI64::new(0),
        emptied_count: AtomicU64::new(0),
    })
}

/// What the compiler asks about builtins.
struct Builtins;

impl World for Builtins {
    fn builtin_function(&self, lower: &[u8]) -> Option<BuiltinInfo> {
        let registry = registry::get();
        let &id = registry.function_names.get(lower)?;
        let function = registry.functions[id as usize];
        let desc = function.desc()?;
        let mut prefer = 0u64;
        let mut by_ref = 0u64;
        let mut variadic_by_ref = false;
        for (n, p) in desc.params.iter().enumerate().take(64) {
            if p.prefer_ref {
                prefer |= 1 << n;
            } else if p.by_ref {
                by_ref |= 1 << n;
                variadic_by_ref |= p.variadic;
            }
        }
        Some(BuiltinInfo {
            id,
            by_ref,
            prefer_ref: prefer,
            variadic: desc.params.last().is_some_and(|p| p.variadic),
            variadic_by_ref,
            required: desc.required,
            params: desc.params.len() as u32,
            foldable: desc.effects & jumbo_abi::desc::effects::FOLDABLE != 0,
            needs_symbols: desc.effects & jumbo_abi::desc::effects::NEEDS_SYMBOLS != 0,
        })
    }
    fn constant(&self, name: &[u8]) -> Option<Value> {
        // Builtin constants are immortal: the copy is not counted.
        // A deprecated one says so each time it is used.
        let constant = registry::get().constants.get(name).filter(|c| !c.desc.deprecated)?;
        Some(registry::value_of(constant.value))
    }
    fn builtin_class(&self, lower: &[u8]) -> Option<Vec<u8>> {
        let class = registry::get().classes.get(lower)?;
        Some([class.kind_word().as_bytes(), b" ", class.name.as_bytes()].concat())
    }
}

/// Native stack for the compiler, which asks how much is left of it: of a coroutine's stack nobody could say.
const COMPILER_STACK_BYTES: usize = 4 << 20;

/// What the compiler may take beyond memory_limit: a file that fits into it in stock PHP, whose compiler takes less, shall compile.
const COMPILER_BYTES: usize = 16 << 20;

/// Settings that decide about the code that is made.
#[derive(Clone, Copy)]
pub struct Modes {
    pub assertions: bool,
    pub multibyte: bool,
    pub short_tags: bool,
    /// Bytes that compiling may take; None: as many as it needs.
    pub memory_max: Option<usize>,
}

/// Where code is said to stand.
#[derive(Clone, Copy)]
pub struct Place<'p> {
    pub file: &'p [u8],
    /// The working directory, for code that stands in no folder.
    pub directory: &'p [u8],
}

impl Modes {
    fn of(cx: &Cx) -> Modes {
        Modes {
            assertions: cx.ini.int("zend.assertions") >= 0,
            multibyte: cx.ini.bool("zend.multibyte"),
            short_tags: cx.ini.bool("short_open_tag"),
            memory_max: jumbo_value::heap::room().checked_add(COMPILER_BYTES),
        }
    }
}

/// Compiles source text.
pub fn compile(source: &[u8], place: Place<'_>, kind: SourceKind, start_in_php: bool, skip_shebang: bool, modes: Modes) -> Result<Unit, UnitError> {
    stacker::grow(COMPILER_STACK_BYTES, || compile_here(source, place, kind, start_in_php, skip_shebang, modes))
}

fn compile_here(source: &[u8], place: Place<'_>, kind: SourceKind, start_in_php: bool, skip_shebang: bool, modes: Modes) -> Result<Unit, UnitError> {
    let arena = Bump::new();
    let options = ParseOptions { start_in_php, first_line: 1, skip_shebang, short_tags: modes.short_tags, memory_max: modes.memory_max };
    let program = jumbo_syntax::parse(&arena, source, options).map_err(|e| {
        let kind = match e.kind {
            SyntaxErrorKind::Parse => InvalidKind::Parse,
            SyntaxErrorKind::Compile => InvalidKind::Thrown,
            SyntaxErrorKind::Memory(bytes) => InvalidKind::Memory(bytes),
        };
        UnitError::Invalid(Invalid { message: e.message, line: e.line, kind, warnings: Vec::new() })
    })?;
    let tree = memory_of(&arena);
    let options = Options {
        file: place.file,
        directory: place.directory,
        world: &Builtins,
        kind,
        assertions: modes.assertions,
        multibyte: modes.multibyte,
        memory_max: modes.memory_max.map(|max| max.saturating_sub(tree)),
    };
    let unit = jumbo_compile::compile(&program, &options).map_err(|e| {
        let kind = e.memory.map_or(InvalidKind::Fatal, |bytes| InvalidKind::Memory(tree + bytes));
        UnitError::Invalid(Invalid { message: e.message, line: e.line, kind, warnings: e.warnings })
    })?;
    if cfg!(debug_assertions)
        && let Err(why) = jumbo_bytecode::verify::unit(&unit)
    {
        panic!("the compiler made bad code for {}: {why}", String::from_utf8_lossy(place.file));
    }
    Ok(unit)
}

/// A text of so many bytes is more than may be read.
fn too_large(bytes: usize) -> UnitError {
    UnitError::Invalid(Invalid { message: b"Out of memory".to_vec(), line: 0, kind: InvalidKind::Memory(bytes), warnings: Vec::new() })
}

impl Cached {
    /// One more use of the unit, `seconds` after the cache began.
    fn used(&self, seconds: i64) -> Arc<Unit> {
        self.hits.fetch_add(1, Ordering::Relaxed);
        if self.last_used.load(Ordering::Relaxed) != seconds {
            self.last_used.store(seconds, Ordering::Relaxed);
        }
        self.unit.clone()
    }
    /// Is the file as it was when it was compiled?
    fn is_unchanged(&self, path: &[u8]) -> bool {
        let path = Path::new(OsStr::from_bytes(path));
        let same_stamp = std::fs::metadata(path).is_ok_and(|m| modified_ns(&m) == self.modified_ns && m.len() == self.bytes);
        same_stamp && self.fresh.is_none_or(|hash| std::fs::read(path).is_ok_and(|text| hash_of(&text) == hash))
    }
}

impl UnitCache {
    fn seconds(&self, now: Instant) -> i64 {
        now.duration_since(self.began).as_secs() as i64
    }
    /// What `see` makes of what a path leads to, if that is known and still trusted.
    fn trusted_path<T>(&self, path: &[u8], now: Instant, see: impl FnOnce(&[u8]) -> T) -> Option<T> {
        let paths = self.paths.read().unwrap_or_else(|e| e.into_inner());
        let (real, since) = paths.get(path)?;
        self.revalidate.is_none_or(|d| now.duration_since(*since) < d).then(|| see(real))
    }
}

/// What there is where a file was compiled, or is to be.
enum Found {
    /// As it was compiled; what [`Cached::fresh`] is from now on.
    Unchanged { fresh: Option<u64> },
    Changed { source: Vec<u8>, modified_ns: i128, bytes: u64 },
    NoRegularFile,
    /// Its bytes are more than memory_limit allows.
    TooLarge(usize),
}

/// `known`: time stamp, length and, if it was fresh, hash of the text that was compiled. A text that takes more than `room` is not read.
fn look(path: &Path, known: Option<(i128, u64, Option<u64>)>, room: usize) -> std::io::Result<Found> {
    let meta = std::fs::metadata(path)?;
    if !meta.is_file() && !meta.is_dir() {
        return Ok(Found::NoRegularFile);
    }
    let (modified_ns, bytes) = (modified_ns(&meta), meta.len());
    let hash = match known {
        Some((known_ns, known_bytes, hash)) if (known_ns, known_bytes) == (modified_ns, bytes) => hash,
        _ if bytes > room as u64 => return Ok(Found::TooLarge(bytes as usize)),
        _ => return Ok(Found::Changed { source: std::fs::read(path)?, modified_ns, bytes }),
    };
    let Some(hash) = hash else { return Ok(Found::Unchanged { fresh: None }) };
    let source = std::fs::read(path)?;
    if hash_of(&source) == hash {
        return Ok(Found::Unchanged { fresh: fresh(&source, modified_ns) });
    }
    Ok(Found::Changed { source, modified_ns, bytes })
}

impl UnitProvider for UnitCache {
    fn cache(&self) -> &dyn FileCache {
        self
    }

    fn file(&self, cx: &mut Cx, path: &[u8]) -> Result<Option<Arc<Unit>>, UnitError> {
        let os_path = Path::new(OsStr::from_bytes(path));
        let now = Instant::now();
        // What the file must be to be the one that was compiled. No lock is held while the file system is asked.
        let known = match self.units.read().unwrap_or_else(|e| e.into_inner()).get(path) {
            Some(c) if self.revalidate.is_none_or(|d| now.duration_since(c.checked) < d) => return Ok(Some(c.used(self.seconds(now)))),
            Some(c) => Some((c.modified_ns, c.bytes, c.fresh)),
            None => None,
        };
        let mut modes = Modes::of(cx);
        let room = modes.memory_max.unwrap_or(usize::MAX);
        let found = blocking::at(cx, os_path, move |path| look(path, known, room)).map_err(|e| UnitError::Unreadable(reason(&e)))?;
        let (source, modified_ns, bytes) = match found {
            Found::Changed { source, modified_ns, bytes } => (source, modified_ns, bytes),
            Found::NoRegularFile => return Ok(None),
            Found::TooLarge(bytes) => return Err(too_large(bytes)),
            Found::Unchanged { fresh } => {
                let mut units = self.units.write().unwrap_or_else(|e| e.into_inner());
                if let Some(c) = units.get_mut(path) {
                    c.fresh = fresh;
                    c.checked = now;
                    return Ok(Some(c.used(self.seconds(now))));
                }
                drop(units);
                // It was forgotten meanwhile.
                return self.file(cx, path);
            }
        };
        self.misses.fetch_add(1, Ordering::Relaxed);
        modes.memory_max = Some(room.saturating_sub(source.len()));
        let unit = Arc::new(compile(&source, Place { file: path, directory: &cx.cwd }, SourceKind::File, false, true, modes)?);
        let cached = Cached {
            unit: unit.clone(),
            modified_ns,
            bytes,
            checked: now,
            fresh: fresh(&source, modified_ns),
            hits: AtomicU64::new(0),
            last_used: AtomicI64::new(self.seconds(now)),
        };
        let before = self.units.write().unwrap_or_else(|e| e.into_inner()).insert(path.into(), cached);
        self.forgotten(before);
        Ok(Some(unit))
    }

    fn real_path(&self, cx: &mut Cx, path: &[u8]) -> Vec<u8> {
        let now = Instant::now();
        if let Some(real) = self.trusted_path(path, now, <[u8]>::to_vec) {
            return real;
        }
        let Ok(real) = blocking::at(cx, Path::new(OsStr::from_bytes(path)), |path| std::fs::canonicalize(path)) else { return path.to_vec() };
        let real = std::os::unix::ffi::OsStringExt::into_vec(real.into_os_string());
        if self.revalidate != Some(Duration::ZERO) {
            let mut paths = self.paths.write().unwrap_or_else(|e| e.into_inner());
            if paths.len() >= PATHS_MAX {
                paths.clear();
            }
            paths.insert(path.into(), (real.clone().into(), now));
        }
        real
    }

    fn is_file(&self, cx: &mut Cx, path: &[u8]) -> bool {
        self.trusted_path(path, Instant::now(), |_| ()).is_some()
            || blocking::at(cx, Path::new(OsStr::from_bytes(path)), |path| std::fs::metadata(path).is_ok_and(|m| !m.is_dir()))
    }

    fn code(&self, cx: &mut Cx, code: &[u8], name: &[u8], with_tags: bool) -> Result<Arc<Unit>, UnitError> {
        let modes = Modes::of(cx);
        let kind = if with_tags { SourceKind::File } else { SourceKind::Eval };
        compile(code, Place { file: name, directory: &cx.cwd }, kind, !with_tags, with_tags, modes).map(Arc::new)
    }
}

impl FileCache for UnitCache {
    fn statistics(&self) -> CacheStatistics {
        let units = self.units.read().unwrap_or_else(|e| e.into_inner());
        let paths = self.paths.read().unwrap_or_else(|e| e.into_inner());
        let hits: u64 = units.values().map(|c| c.hits.load(Ordering::Relaxed)).sum();
        let emptied = self.emptied.load(Ordering::Relaxed);
        CacheStatistics {
            hits: hits + self.hits_before.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            units: units.len(),
            keys: units.len() + paths.iter().filter(|(path, (real, _))| path != &real && units.contains_key(real)).count(),
            keys_max: PATHS_MAX,
            started: self.began_unix,
            emptied: (emptied != 0).then_some(emptied),
            emptied_count: self.emptied_count.load(Ordering::Relaxed),
        }
    }

    fn files(&self) -> Vec<CachedFile> {
        let now = (Instant::now(), unix_now());
        let units = self.units.read().unwrap_or_else(|e| e.into_inner());
        let file = |(path, c): (&Box<[u8]>, &Cached)| CachedFile {
            path: path.to_vec(),
            hits: c.hits.load(Ordering::Relaxed),
            table_bytes: c.unit.table_bytes(),
            last_used: self.began_unix + c.last_used.load(Ordering::Relaxed),
            modified: c.modified_ns.div_euclid(1_000_000_000) as i64,
            trusted_until: self.revalidate.map(|trust| now.1 - now.0.duration_since(c.checked).as_secs() as i64 + trust.as_secs() as i64),
        };
        units.iter().map(file).collect()
    }

    fn is_current(&self, path: &[u8]) -> bool {
        let now = Instant::now();
        let units = self.units.read().unwrap_or_else(|e| e.into_inner());
        let Some(c) = units.get(path) else { return false };
        self.revalidate.is_none_or(|d| now.duration_since(c.checked) < d) || c.is_unchanged(path)
    }

    fn is_unchanged(&self, path: &[u8]) -> bool {
        self.units.read().unwrap_or_else(|e| e.into_inner()).get(path).is_some_and(|c| c.is_unchanged(path))
    }

    fn contains(&self, path: &[u8]) -> bool {
        self.units.read().unwrap_or_else(|e| e.into_inner()).contains_key(path)
    }

    fn forget(&self, path: &[u8]) {
        let before = self.units.write().unwrap_or_else(|e| e.into_inner()).remove(path);
        self.forgotten(before);
        self.paths.write().unwrap_or_else(|e| e.into_inner()).retain(|name, (real, _)| &**name != path && &**real != path);
    }

    fn forget_all(&self) {
        let units = std::mem::take(&mut *self.units.write().unwrap_or_else(|e| e.into_inner()));
        self.paths.write().unwrap_or_else(|e| e.into_inner()).clear();
        // As with stock, counting begins anew.
        self.hits_before.store(0, Ordering::Relaxed);
        self.misses.store(0, Ordering::Relaxed);
        self.emptied.store(unix_now(), Ordering::Relaxed);
        self.emptied_count.fetch_add(1, Ordering::Relaxed);
        // Units that nobody runs go here, when no lock is held.
        drop(units);
    }

    fn trust_ms(&self) -> Option<u64> {
        self.revalidate.map(|d| d.as_millis() as u64)
    }
}

impl UnitCache {
    /// Keeps the hits of a unit that is no longer there.
    fn forgotten(&self, cached: Option<Cached>) {
        if let Some(cached) = cached {
            self.hits_before.fetch_add(cached.hits.into_inner(), Ordering::Relaxed);
        }
    }
}

fn modified_ns(meta: &std::fs::Metadata) -> i128 {
    i128::from(meta.mtime()) * 1_000_000_000 + i128::from(meta.mtime_nsec())
}

/// The system's reason in PHP's words.
fn reason(e: &std::io::Error) -> String {
    match e.kind() {
        std::io::ErrorKind::NotFound => "No such file or directory".into(),
        std::io::ErrorKind::PermissionDenied => "Permission denied".into(),
        std::io::ErrorKind::IsADirectory => "Is a directory".into(),
        _ => {
            let text = e.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_owned()
        }
    }
}
