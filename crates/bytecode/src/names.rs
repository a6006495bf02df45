//! Process-wide handles of names: each function, class and constant *name* has one number, which indexes the link tables of
//! every instance (DESIGN.md, "Code"). Handles are never freed; their number is bounded by the names that units mention.

use jumbo_value::PStr;
use jumbo_value::string::SharedStr;
use jumbo_value::hash::BuildBytesHasher;
use std::collections::HashMap;
use std::sync::{LazyLock, RwLock};

/// One table of names; [`PStr`]s in it are immortal.
pub struct NameTable {
    inner: RwLock<Inner>,
}

#[derive(Default)]
struct Inner {
    by_name: HashMap<Box<[u8]>, u32, BuildBytesHasher>,
    names: Vec<SharedStr>,
    /// As some unit wrote it (classes: messages and autoloaders want that).
    written: Vec<SharedStr>,
}

impl NameTable {
    fn new() -> NameTable {
        NameTable { inner: RwLock::new(Inner::default()) }
    }

    /// The handle of `name` (already in its canonical case), made when it is new.
    pub fn handle(&self, name: &[u8]) -> u32 {
        if let Some(handle) = self.find(name) {
            return handle;
        }
        let mut inner = self.inner.write().unwrap_or_else(|e| e.into_inner());
        if let Some(&handle) = inner.by_name.get(name) {
            return handle;
        }
        let handle = inner.names.len() as u32;
        inner.names.push(SharedStr::new(name));
        inner.written.push(SharedStr::new(name));
        inner.by_name.insert(name.into(), handle);
        handle
    }

    /// The handle of a name that is not in canonical case; remembers how it was written (the first spelling with capitals stays).
    pub fn handle_as(&self, written: &[u8]) -> u32 {
        let lower = written.to_ascii_lowercase();
        let handle = self.handle(&lower);
        if lower != written {
            let plain = |inner: &Inner| {
                let at = handle as usize;
                inner.written.get(at).zip(inner.names.get(at)).is_some_and(|(w, n)| w.as_bytes() == n.as_bytes())
            };
            let known = !plain(&self.inner.read().unwrap_or_else(|e| e.into_inner()));
            if !known {
                let mut inner = self.inner.write().unwrap_or_else(|e| e.into_inner());
                if plain(&inner)
                    && let Some(slot) = inner.written.get_mut(handle as usize)
                {
                    *slot = SharedStr::new(written);
                }
            }
        }
        handle
    }

    /// The name of a handle as it was written.
    pub fn written(&self, handle: u32) -> PStr {
        let inner = self.inner.read().unwrap_or_else(|e| e.into_inner());
        inner.written.get(handle as usize).map_or_else(PStr::empty, |n| PStr::clone(n))
    }

    /// The handle of `name` if anything ever mentioned it: a name without a handle is not declared anywhere.
    pub fn find(&self, name: &[u8]) -> Option<u32> {
        self.inner.read().unwrap_or_else(|e| e.into_inner()).by_name.get(name).copied()
    }

    /// The name of a handle (empty for a number that is none).
    pub fn name(&self, handle: u32) -> PStr {
        let inner = self.inner.read().unwrap_or_else(|e| e.into_inner());
        inner.names.get(handle as usize).map_or_else(PStr::empty, |n| PStr::clone(n))
    }

    /// How many handles there are.
    pub fn count(&self) -> usize {
        self.inner.read().unwrap_or_else(|e| e.into_inner()).names.len()
    }
}

/// Functions, by lower-cased qualified name.
pub static FUNCTIONS: LazyLock<NameTable> = LazyLock::new(NameTable::new);
/// Classes, by lower-cased qualified name.
pub static CLASSES: LazyLock<NameTable> = LazyLock::new(NameTable::new);
/// Constants: the namespace lower-cased, the name itself as it is.
pub static CONSTANTS: LazyLock<NameTable> = LazyLock::new(NameTable::new);
