//! Compiled patterns and the cache of them.
//!
//! A [`Regex`] is immutable and shared by all threads. The cache has two levels: a small table of each thread, found
//! without a lock, and a map of the process, which bounds how many patterns are kept. Failed compilations are not
//! kept: PHP warns about them each time.

use crate::pattern::{self, PatternError};
use crate::sys;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// How many patterns a process keeps; stock PHP's bound.
const CACHE_PATTERNS_MAX: usize = 4096;
/// What all of them may need, and one of them; a longer one is compiled for each call.
const CACHE_BYTES_MAX: usize = 256 << 20;
const PATTERN_BYTES_MAX: usize = 4 << 20;
/// What a pattern may need that a thread's table keeps, too.
const THREAD_PATTERN_BYTES_MAX: usize = 64 << 10;
/// How many slots a thread's table has: a power of two.
const THREAD_SLOTS: usize = 256;

/// The name of each group, where it has one.
type Names = Box<[Option<Box<[u8]>>]>;

/// A compiled pattern with its envelope's meaning applied.
pub struct Regex {
    pub(crate) code: sys::Code,
    group_count: usize,
    utf: bool,
    names: Option<Names>,
    jit_refusal: Option<String>,
    jit_refusal_told: AtomicBool,
}

impl Regex {
    /// The compiled form of `pattern`, which has PHP's delimiters and modifiers, from the cache where it is known.
    pub fn compile(pattern: &[u8]) -> Result<Arc<Regex>, PatternError> {
        let slot = thread_slot(pattern);
        let known = THREAD_CACHE.with_borrow(|table| match table.get(slot) {
            Some(Some((key, regex))) if **key == *pattern => Some(Arc::clone(regex)),
            _ => None,
        });
        if let Some(regex) = known {
            return Ok(regex);
        }
        let regex = Self::compile_shared(pattern)?;
        if regex.kept_bytes(pattern) > THREAD_PATTERN_BYTES_MAX {
            return Ok(regex);
        }
        THREAD_CACHE.with_borrow_mut(|table| {
            if table.is_empty() {
                table.resize_with(THREAD_SLOTS, || None);
            }
            table[slot] = Some((pattern.into(), Arc::clone(&regex)));
        });
        Ok(regex)
    }

    fn compile_shared(pattern: &[u8]) -> Result<Arc<Regex>, PatternError> {
        // A panic elsewhere cannot leave the map half changed in a way that matters: it only forgets.
        let cache = CACHE.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(regex) = cache.as_ref().and_then(|cache| cache.map.get(pattern)) {
            return Ok(Arc::clone(regex));
        }
        drop(cache);
        let regex = Arc::new(Self::compile_uncached(pattern)?);
        let bytes = regex.kept_bytes(pattern);
        if bytes > PATTERN_BYTES_MAX {
            return Ok(regex);
        }
        let mut cache = CACHE.write().unwrap_or_else(PoisonError::into_inner);
        let Cache { map, bytes: all } = cache.get_or_insert_default();
        if map.len() >= CACHE_PATTERNS_MAX || *all + bytes > CACHE_BYTES_MAX {
            // An eighth of them at least, whichever: programs that overflow the cache make patterns out of data.
            let mut left = map.len() / 8 + 1;
            map.retain(|pattern, regex| {
                let keep = left == 0 && *all + bytes <= CACHE_BYTES_MAX;
                if !keep {
                    left = left.saturating_sub(1);
                    *all -= regex.kept_bytes(pattern);
                }
                keep
            });
        }
        Ok(Arc::clone(map.entry(pattern.into()).or_insert_with(|| {
            *all += bytes;
            regex
        })))
    }

    /// Compiles without looking at the cache or filling it.
    pub fn compile_uncached(pattern: &[u8]) -> Result<Regex, PatternError> {
        let parsed = pattern::parse(pattern)?;
        let (code, refusal) = sys::Code::compile(parsed.expression, parsed.options, parsed.extra)
            .map_err(|error| PatternError::Compilation {
            message: sys::error_message(error.code),
            offset: error.offset,
        })?;
        let group_count = code.capture_count() as usize + 1;
        let named = code.names();
        let names = (!named.is_empty()).then(|| {
            let mut names = vec![None; group_count].into_boxed_slice();
            for (group, name) in named {
                if let Some(slot) = names.get_mut(usize::from(group)) {
                    *slot = Some(name);
                }
            }
            names
        });
        Ok(Regex {
            utf: code.is_utf(),
            jit_refusal: refusal
                .map(|code| format!("JIT compilation failed: {}", sys::error_message(code))),
            jit_refusal_told: AtomicBool::new(false),
            code,
            group_count,
            names,
        })
    }

    /// What keeping it as `pattern` needs: the text, and the compiled form.
    fn kept_bytes(&self, pattern: &[u8]) -> usize {
        pattern.len() + self.code.bytes()
    }

    /// How many groups a match can have, the whole match included.
    pub fn group_count(&self) -> usize {
        self.group_count
    }

    /// Whether subjects must be UTF-8.
    pub fn is_utf(&self) -> bool {
        self.utf
    }

    /// The name of group `group`.
    pub fn group_name(&self, group: usize) -> Option<&[u8]> {
        self.names.as_ref()?.get(group)?.as_deref()
    }

    /// Whether any group is named.
    pub fn has_names(&self) -> bool {
        self.names.is_some()
    }

    /// PHP's warning that the JIT refused this pattern: given once after the compilation, never again.
    pub fn take_jit_warning(&self) -> Option<&str> {
        let refusal = self.jit_refusal.as_deref()?;
        (!self.jit_refusal_told.swap(true, Ordering::Relaxed)).then_some(refusal)
    }

    /// How many bytes the character at `at` has: what a walk goes forward when an empty match found nothing more.
    pub(crate) fn char_len(&self, subject: &[u8], at: usize) -> usize {
        if !self.utf {
            return 1;
        }
        let rest = subject.get(at + 1..).unwrap_or_default();
        1 + rest.iter().take_while(|&&byte| byte & 0xc0 == 0x80).count()
    }
}

type Slot = Option<(Box<[u8]>, Arc<Regex>)>;

thread_local! {
    static THREAD_CACHE: RefCell<Vec<Slot>> = const { RefCell::new(Vec::new()) };
}

#[derive(Default)]
struct Cache {
    map: HashMap<Box<[u8]>, Arc<Regex>>,
    /// What the patterns of the map need together.
    bytes: usize,
}

static CACHE: RwLock<Option<Cache>> = RwLock::new(None);

/// A cheap hash: a collision costs one lookup in the shared map, so quality hardly matters.
fn thread_slot(pattern: &[u8]) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (chunks, rest) = pattern.as_chunks::<8>();
    let mut hash = pattern.len() as u64;
    for chunk in chunks {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*chunk)).wrapping_mul(FACTOR);
    }
    for &byte in rest {
        hash = (hash.rotate_left(5) ^ u64::from(byte)).wrapping_mul(FACTOR);
    }
    (hash >> 40) as usize & (THREAD_SLOTS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilation_errors_read_as_in_php() {
        let check = |pattern: &[u8], message: &str| {
            let error = Regex::compile(pattern)
                .map(|_| ())
                .map_err(|e| e.to_string());
            assert_eq!(error, Err(format!("Compilation failed: {message}")));
        };
        check(b"/(/", "missing closing parenthesis at offset 1");
        check(
            b"/[/u",
            "missing terminating ] for character class at offset 1",
        );
        check(
            b"/\xff/u",
            "UTF-8 error: illegal byte (0xfe or 0xff) at offset 0",
        );
        check(
            b"/a{2}{3}(?<1a>)/",
            "quantifier does not follow a repeatable item at offset 6",
        );
        check(
            b"/(?<=a+)b/",
            "length of lookbehind assertion is not limited at offset 0",
        );
        check(b"/\\q/", "unrecognized character follows \\ at offset 1");
    }

    #[test]
    fn names_and_cache() {
        let first = Regex::compile(b"/(?<year>\\d+)-(\\d+)(?<day>x)?/").unwrap();
        let second = Regex::compile(b"/(?<year>\\d+)-(\\d+)(?<day>x)?/").unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(first.group_count(), 4);
        assert_eq!(first.group_name(1), Some(&b"year"[..]));
        assert_eq!(first.group_name(2), None);
        assert_eq!(first.group_name(3), Some(&b"day"[..]));
        assert!(first.code.jit);
    }

    #[test]
    fn the_cache_is_bounded() {
        for n in 0..CACHE_PATTERNS_MAX + 100 {
            Regex::compile(format!("/bounded{n}/").as_bytes()).unwrap();
        }
        let cache = CACHE.read().unwrap();
        let Cache { map, bytes } = cache.as_ref().unwrap();
        assert!(map.len() <= CACHE_PATTERNS_MAX);
        assert_eq!(*bytes, map.iter().map(|(pattern, regex)| regex.kept_bytes(pattern)).sum::<usize>());
    }

    #[test]
    fn jit_refusal_is_told_once() {
        let regex = Regex::compile_uncached(b"/\\C/u").unwrap();
        let text = "JIT compilation failed: feature is not supported by the JIT compiler";
        assert_eq!(regex.take_jit_warning(), Some(text));
        assert_eq!(regex.take_jit_warning(), None);
    }
}
