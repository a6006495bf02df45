//! The entries of the process: one cache for all executors.
//!
//! Keys are spread over parts with a lock each, which is held for a look-up, never while PHP code runs. Memory is counted against
//! `apc.shm_size`: when it is full, what is over is thrown out, then everything, as APCu does.

use crate::stored::Stored;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock};

const PARTS: usize = 32;
/// What an entry takes besides key and value.
const ENTRY_BYTES: usize = 128;

pub struct Entry {
    pub value: Stored,
    /// Seconds; 0: for ever.
    pub ttl: i64,
    /// Which insertion it was: the order of iterations.
    pub number: u64,
    pub hits: u64,
    pub created: i64,
    pub modified: i64,
    pub accessed: i64,
    pub bytes: usize,
}

impl Entry {
    pub fn is_over(&self, now: i64) -> bool {
        self.ttl != 0 && self.created.saturating_add(self.ttl) < now
    }
}

type Part = HashMap<Box<[u8]>, Entry>;

pub struct Cache {
    parts: Vec<Mutex<Part>>,
    hasher: RandomState,
    pub bytes: AtomicUsize,
    pub hits: AtomicU64,
    pub misses: AtomicU64,
    pub inserts: AtomicU64,
    pub expunges: AtomicU64,
    pub started: AtomicI64,
}

/// What the settings allow.
#[derive(Clone, Copy)]
pub struct Limits {
    pub bytes: usize,
    /// Seconds without access after which an entry may go when room is needed; 0: all go.
    pub ttl: i64,
}

/// What became of a number.
pub enum Changed {
    To(i64),
    NotAnInt,
    Missing,
}

/// Seconds since 1970.
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |d| i64::try_from(d.as_secs()).unwrap_or(i64::MAX))
}

/// The process's cache.
pub fn cache() -> &'static Cache {
    static CACHE: OnceLock<Cache> = OnceLock::new();
    CACHE.get_or_init(|| Cache {
        parts: (0..PARTS).map(|_| Mutex::default()).collect(),
        hasher: RandomState::new(),
        bytes: AtomicUsize::new(0),
        hits: AtomicU64::new(0),
        misses: AtomicU64::new(0),
        inserts: AtomicU64::new(0),
        expunges: AtomicU64::new(0),
        started: AtomicI64::new(now()),
    })
}

/// A part whose owner has panicked is used all the same: every change of it is one step.
fn locked(part: &Mutex<Part>) -> MutexGuard<'_, Part> {
    part.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Cache {
    fn part(&self, key: &[u8]) -> MutexGuard<'_, Part> {
        locked(&self.parts[self.hasher.hash_one(key) as usize % PARTS])
    }

    /// Stores a value. False: there is no room for it, or `exclusive`, and there is one already.
    pub fn store(&self, key: &[u8], value: Stored, ttl: i64, exclusive: bool, limits: Limits) -> bool {
        let bytes = ENTRY_BYTES + key.len() + value.bytes();
        if bytes > limits.bytes {
            return false;
        }
        if self.bytes.load(Relaxed).saturating_add(bytes) > limits.bytes {
            self.make_room(bytes, limits);
        }
        let now = now();
        let mut part = self.part(key);
        let old = part.get(key);
        if exclusive && old.is_some_and(|entry| !entry.is_over(now)) {
            return false;
        }
        let before = old.map_or(0, |entry| entry.bytes);
        let number = self.inserts.fetch_add(1, Relaxed);
        let entry = Entry { value, ttl, number, hits: 0, created: now, modified: now, accessed: now, bytes };
        // The old value ends after the lock is given back.
        let _old = part.insert(key.into(), entry);
        self.bytes.fetch_add(bytes, Relaxed);
        self.bytes.fetch_sub(before, Relaxed);
        drop(part);
        true
    }

    /// Throws out what is over, and everything when that is not enough.
    fn make_room(&self, needed: usize, limits: Limits) {
        let now = now();
        self.expunges.fetch_add(1, Relaxed);
        self.retain(|_, entry| {
            let idle = limits.ttl > 0 && entry.accessed.saturating_add(limits.ttl) < now;
            !(entry.is_over(now) || idle)
        });
        if self.bytes.load(Relaxed).saturating_add(needed) > limits.bytes {
            self.retain(|_, _| false);
        }
    }

    fn retain(&self, keep: impl Fn(&[u8], &Entry) -> bool) {
        for part in &self.parts {
            let mut freed = 0;
            locked(part).retain(|key, entry| {
                let stays = keep(key, entry);
                if !stays {
                    freed += entry.bytes;
                }
                stays
            });
            self.bytes.fetch_sub(freed, Relaxed);
        }
    }

    pub fn fetch(&self, key: &[u8]) -> Option<Stored> {
        let now = now();
        let mut part = self.part(key);
        match part.get_mut(key).filter(|entry| !entry.is_over(now)) {
            Some(entry) => {
                entry.hits += 1;
                entry.accessed = now;
                self.hits.fetch_add(1, Relaxed);
                Some(entry.value.clone())
            }
            None => {
                self.misses.fetch_add(1, Relaxed);
                None
            }
        }
    }

    pub fn exists(&self, key: &[u8]) -> bool {
        let now = now();
        self.part(key).get(key).is_some_and(|entry| !entry.is_over(now))
    }

    pub fn delete(&self, key: &[u8]) -> bool {
        let removed = self.part(key).remove(key);
        if let Some(entry) = &removed {
            self.bytes.fetch_sub(entry.bytes, Relaxed);
        }
        removed.is_some()
    }

    /// Changes a number in one step. None from `change`: it stays.
    pub fn change(&self, key: &[u8], change: impl FnOnce(i64) -> Option<i64>) -> Changed {
        let now = now();
        let mut part = self.part(key);
        let Some(entry) = part.get_mut(key).filter(|entry| !entry.is_over(now)) else { return Changed::Missing };
        let Stored::Int(old) = entry.value else { return Changed::NotAnInt };
        let Some(new) = change(old) else { return Changed::NotAnInt };
        entry.value = Stored::Int(new);
        entry.modified = now;
        Changed::To(new)
    }

    pub fn clear(&self) {
        self.retain(|_, _| false);
        for counter in [&self.hits, &self.misses, &self.inserts, &self.expunges] {
            counter.store(0, Relaxed);
        }
        self.started.store(now(), Relaxed);
    }

    pub fn look<R>(&self, key: &[u8], look: impl FnOnce(&Entry) -> R) -> Option<R> {
        self.part(key).get(key).map(look)
    }

    /// What `pick` makes of each entry that is not over, in the order of their insertion.
    pub fn collect<R>(&self, mut pick: impl FnMut(&[u8], &Entry) -> R) -> Vec<R> {
        let now = now();
        let mut found = Vec::new();
        for part in &self.parts {
            let part = locked(part);
            found.extend(part.iter().filter(|(_, entry)| !entry.is_over(now)).map(|(key, entry)| (entry.number, pick(key, entry))));
        }
        found.sort_by_key(|(number, _)| *number);
        found.into_iter().map(|(_, picked)| picked).collect()
    }

    pub fn len(&self) -> usize {
        self.parts.iter().map(|part| locked(part).len()).sum()
    }
}
