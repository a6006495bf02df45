//! Ordered trees of request input: what `$_GET`, `$_POST`, `$_COOKIE` and `$_FILES` hold before they are PHP arrays.
//!
//! A [`Map`] follows the rules of a PHP array that matter here: insertion order, decimal-integer strings as
//! integer keys, `[]` appends after the largest integer key (after a negative one: that key plus one, as since
//! PHP 8.3), and no append once the largest key is `i64::MAX`. Values may be `Int` because `$_FILES` carries
//! `error` and `size` as integers.
//!
//! Keys come from clients: the index of larger maps uses the standard library's keyed hash, so that chosen keys
//! cannot make it slow.

use std::collections::HashMap;

/// A key as a PHP array has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Int(i64),
    Bytes(Vec<u8>),
}

impl Key {
    /// Normalises a string key: `"12"` and `"-3"` are integers; `"012"`, `"-0"`, `"+1"` and what overflows are not.
    pub fn from_bytes(bytes: &[u8]) -> Key {
        match decimal_integer(bytes) {
            Some(n) => Key::Int(n),
            None => Key::Bytes(bytes.to_vec()),
        }
    }
}

fn decimal_integer(bytes: &[u8]) -> Option<i64> {
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let canonical = match digits {
        [b'0'] => bytes.len() == 1,
        [b'1'..=b'9', rest @ ..] => digits.len() <= 19 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    if !canonical {
        return None;
    }
    let n: i64 = std::str::from_utf8(bytes).ok()?.parse().ok()?;
    // PHP leaves the smallest integer a string key, since its negation does not fit.
    (n != i64::MIN).then_some(n)
}

/// A value of request input.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Leaf(Vec<u8>),
    Int(i64),
    Node(Map),
}

impl Tree {
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Tree::Leaf(bytes) => Some(bytes),
            Tree::Int(_) | Tree::Node(_) => None,
        }
    }

    pub fn as_node(&self) -> Option<&Map> {
        match self {
            Tree::Node(map) => Some(map),
            Tree::Leaf(_) | Tree::Int(_) => None,
        }
    }
}

/// Below this many entries a scan is quicker than hashing, and most requests stay below it.
const INDEX_FROM: usize = 12;

/// An insertion-ordered map with PHP's key rules.
#[derive(Clone, Debug, Default)]
pub struct Map {
    entries: Vec<(Key, Tree)>,
    /// Position of every key; kept only once the map has `INDEX_FROM` entries.
    index: Option<HashMap<Key, usize>>,
    largest_int: Option<i64>,
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        self.entries == other.entries
    }
}

impl Map {
    pub fn new() -> Map {
        Map::default()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Tree)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// The value under a string key, normalised first.
    pub fn get(&self, key: &[u8]) -> Option<&Tree> {
        let at = self.position(&Key::from_bytes(key))?;
        Some(&self.entries[at].1)
    }

    pub fn contains(&self, key: &Key) -> bool {
        self.position(key).is_some()
    }

    fn position(&self, key: &Key) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(key).copied(),
            None => self.entries.iter().position(|(k, _)| k == key),
        }
    }

    /// The place of `key`, appended with an empty leaf when it is new. An existing entry keeps its position.
    pub fn entry(&mut self, key: Key) -> &mut Tree {
        let at = match self.position(&key) {
            Some(at) => at,
            None => self.push_new(key),
        };
        &mut self.entries[at].1
    }

    /// The place `[]` names, or nothing when no integer key is left.
    pub fn append(&mut self) -> Option<&mut Tree> {
        let next = match self.largest_int {
            None => 0,
            Some(n) => n.checked_add(1)?,
        };
        let at = self.push_new(Key::Int(next));
        Some(&mut self.entries[at].1)
    }

    fn push_new(&mut self, key: Key) -> usize {
        if let Key::Int(n) = key {
            self.largest_int = Some(self.largest_int.map_or(n, |m| m.max(n)));
        }
        let at = self.entries.len();
        if let Some(index) = &mut self.index {
            index.insert(key.clone(), at);
        }
        self.entries.push((key, Tree::Leaf(Vec::new())));
        if self.index.is_none() && self.entries.len() >= INDEX_FROM {
            self.rebuild_index();
        }
        at
    }

    /// Takes an entry out; the others keep their order. Rare (only input nested too deeply), so linear.
    pub fn remove(&mut self, key: &Key) {
        if let Some(at) = self.position(key) {
            self.entries.remove(at);
            if self.index.is_some() {
                self.rebuild_index();
            }
        }
    }

    fn rebuild_index(&mut self) {
        self.index = Some(
            self.entries
                .iter()
                .enumerate()
                .map(|(at, (key, _))| (key.clone(), at))
                .collect(),
        );
    }
}

impl<'a> IntoIterator for &'a Map {
    type Item = &'a (Key, Tree);
    type IntoIter = std::slice::Iter<'a, (Key, Tree)>;
    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl IntoIterator for Map {
    type Item = (Key, Tree);
    type IntoIter = std::vec::IntoIter<(Key, Tree)>;
    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}
