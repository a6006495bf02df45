//! Finding and replacing: strtr, str_replace, substr_count.

use memchr::memmem;
use std::collections::HashMap;

/// strtr with two lists of bytes: each of `from` becomes its partner in `to`; what has no partner is left out.
/// `None` when nothing changes.
pub fn translate_bytes(text: &[u8], from: &[u8], to: &[u8]) -> Option<Vec<u8>> {
    let mut table: [u8; 256] = std::array::from_fn(|index| index as u8);
    for (&from, &to) in from.iter().zip(to) {
        table[usize::from(from)] = to;
    }
    let first = text
        .iter()
        .position(|&byte| table[usize::from(byte)] != byte)?;
    let mut out = text.to_vec();
    for byte in &mut out[first..] {
        *byte = table[usize::from(*byte)];
    }
    Some(out)
}

/// strtr with pairs: at each place the longest key that stands there is replaced, and what was replaced is not
/// looked at again.
pub struct Translator<'p> {
    pairs: HashMap<&'p [u8], &'p [u8]>,
    /// For each first byte the lengths of keys that begin with it, longest first.
    lengths: Vec<Vec<usize>>,
    length_min: usize,
}

impl<'p> Translator<'p> {
    /// Of equal keys the last counts. Empty keys are left out (PHP warns "Ignoring replacement of empty string").
    pub fn new(pairs: impl IntoIterator<Item = (&'p [u8], &'p [u8])>) -> Self {
        let pairs: HashMap<_, _> = pairs
            .into_iter()
            .filter(|(key, _)| !key.is_empty())
            .collect();
        let mut lengths = vec![Vec::new(); 256];
        let mut length_min = usize::MAX;
        for key in pairs.keys() {
            let lengths: &mut Vec<usize> = &mut lengths[usize::from(key[0])];
            if !lengths.contains(&key.len()) {
                lengths.push(key.len());
            }
            length_min = length_min.min(key.len());
        }
        for lengths in &mut lengths {
            lengths.sort_unstable_by(|a, b| b.cmp(a));
        }
        Translator {
            pairs,
            lengths,
            length_min,
        }
    }

    /// `None` when nothing was replaced.
    pub fn translate(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let mut copied = 0;
        let mut at = 0;
        while self.length_min <= text.len() - at {
            match self.find(&text[at..]) {
                Some((length, replacement)) => {
                    out.reserve(text.len() - copied);
                    out.extend_from_slice(&text[copied..at]);
                    out.extend_from_slice(replacement);
                    at += length;
                    copied = at;
                }
                None => at += 1,
            }
        }
        if copied == 0 {
            return None;
        }
        out.extend_from_slice(&text[copied..]);
        Some(out)
    }

    fn find(&self, rest: &[u8]) -> Option<(usize, &'p [u8])> {
        let lengths = &self.lengths[usize::from(*rest.first()?)];
        lengths
            .iter()
            .find_map(|&length| Some((length, *self.pairs.get(rest.get(..length)?)?)))
    }
}

/// str_replace of one search string. `None` when it does not occur (or is empty); otherwise the result and how often.
pub fn replace(text: &[u8], search: &[u8], replacement: &[u8]) -> Option<(Vec<u8>, usize)> {
    if search.is_empty() || search.len() > text.len() {
        return None;
    }
    if let ([from], [to]) = (search, replacement) {
        let first = memchr::memchr(*from, text)?;
        let mut out = text.to_vec();
        let mut count = 0;
        for byte in &mut out[first..] {
            if byte == from {
                *byte = *to;
                count += 1;
            }
        }
        return Some((out, count));
    }
    let finder = memmem::Finder::new(search);
    replace_found(
        text,
        text,
        search.len(),
        replacement,
        finder.find_iter(text),
    )
}

/// str_ireplace of one search string: ASCII letters are equal whatever their case.
pub fn replace_ignoring_case(
    text: &[u8],
    search: &[u8],
    replacement: &[u8],
) -> Option<(Vec<u8>, usize)> {
    if search.is_empty() || search.len() > text.len() {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    let search = search.to_ascii_lowercase();
    let finder = memmem::Finder::new(&search);
    replace_found(
        text,
        &lower,
        search.len(),
        replacement,
        finder.find_iter(&lower),
    )
}

fn replace_found(
    text: &[u8],
    searched: &[u8],
    length: usize,
    replacement: &[u8],
    found: impl Iterator<Item = usize>,
) -> Option<(Vec<u8>, usize)> {
    debug_assert_eq!(text.len(), searched.len());
    let mut out = Vec::new();
    let mut copied = 0;
    let mut count = 0;
    for at in found {
        if count == 0 {
            out.reserve(text.len() + replacement.len());
        }
        out.extend_from_slice(&text[copied..at]);
        out.extend_from_slice(replacement);
        copied = at + length;
        count += 1;
    }
    if count == 0 {
        return None;
    }
    out.extend_from_slice(&text[copied..]);
    Some((out, count))
}

/// substr_count: occurrences that do not overlap. `needle` is not empty.
pub fn count(text: &[u8], needle: &[u8]) -> usize {
    match needle {
        [] => 0,
        [byte] => memchr::memchr_iter(*byte, text).count(),
        _ => memmem::find_iter(text, needle).count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    #[test]
    fn translates_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/strtr.tsv")) {
            let [text, pairs, expected] = &row[..] else {
                panic!("bad row")
            };
            let parts: Vec<&[u8]> = pairs.split(|&byte| byte == b'|').collect();
            let pairs = parts.chunks_exact(2).map(|pair| (pair[0], pair[1]));
            let found = Translator::new(pairs)
                .translate(text)
                .unwrap_or_else(|| text.clone());
            samples.check(show(&found), show(expected), format!("{}", show(text)));
        }
        assert_eq!(translate_bytes(b"hello", b"elx", b"ip").unwrap(), b"hippo");
        assert_eq!(translate_bytes(b"hello", b"xyz", b"abc"), None);
    }

    #[test]
    fn replaces() {
        assert_eq!(replace(b"aaa", b"aa", b"b"), Some((b"ba".to_vec(), 1)));
        assert_eq!(replace(b"a.b.c", b".", b"-"), Some((b"a-b-c".to_vec(), 2)));
        assert_eq!(replace(b"abc", b"x", b"y"), None);
        assert_eq!(replace(b"abc", b"", b"y"), None);
        assert_eq!(
            replace_ignoring_case(b"aBcAbC", b"AB", b"-"),
            Some((b"-c-C".to_vec(), 2))
        );
        assert_eq!(count(b"aaaa", b"aa"), 2);
    }
}
