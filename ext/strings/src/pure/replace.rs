//! Finding and replacing: strtr, str_replace, substr_count.

use jumbo_value::{HeapVec, OutOfMemory, PStr, PStrBuilder, hash_bytes};
use memchr::memmem;
use std::cmp::Reverse;

/// strtr with two lists of bytes: each of `from` becomes its partner in `to`; what has no partner is left out.
/// `None` when nothing changes.
pub fn translate_bytes(text: &[u8], from: &[u8], to: &[u8]) -> Result<Option<PStr>, OutOfMemory> {
    let mut table: [u8; 256] = std::array::from_fn(|index| index as u8);
    for (&from, &to) in from.iter().zip(to) {
        table[usize::from(from)] = to;
    }
    let Some(first) = text.iter().position(|&byte| table[usize::from(byte)] != byte) else { return Ok(None) };
    let mut out = PStrBuilder::with_capacity(text.len())?;
    out.extend(text)?;
    for byte in &mut out.as_mut_bytes()[first..] {
        *byte = table[usize::from(*byte)];
    }
    Ok(Some(out.finish()))
}

/// strtr with pairs: at each place the longest key that stands there is replaced, and what was replaced is not
/// looked at again.
pub struct Translator<'p> {
    keys: Keys<'p>,
    length_min: usize,
}

/// How the key at a place is found.
enum Keys<'p> {
    /// Few: the longest first, each with what replaces it, and a bit for each byte that one begins with.
    Few(HeapVec<(&'p [u8], &'p [u8])>, [u64; 4]),
    /// Many: what replaces each, and for each first byte the lengths of keys that begin with it, longest first.
    Many(PairTable<'p>, HeapVec<HeapVec<usize>>),
}

/// Pairs by their keys.
struct PairTable<'p> {
    pairs: HeapVec<(&'p [u8], &'p [u8])>,
    /// Numbers of pairs, plus one, at or after the place that the hash of the key says. At least half of the places are free (0), and
    /// their number is a power of two.
    places: HeapVec<usize>,
}

impl<'p> PairTable<'p> {
    fn new(pairs: HeapVec<(&'p [u8], &'p [u8])>) -> Result<PairTable<'p>, OutOfMemory> {
        let places = HeapVec::filled(0, (pairs.len() * 2).next_power_of_two())?;
        let mut table = PairTable { pairs, places };
        for number in 0..table.pairs.len() {
            let place = table.place(table.pairs[number].0);
            // Of equal keys the last counts.
            table.places[place] = number + 1;
        }
        Ok(table)
    }
    /// Where the key stands, or would.
    fn place(&self, key: &[u8]) -> usize {
        let mask = self.places.len() - 1;
        let mut place = hash_bytes(key) as usize & mask;
        while let Some(number) = self.places[place].checked_sub(1) {
            if self.pairs[number].0 == key {
                break;
            }
            place = (place + 1) & mask;
        }
        place
    }
    fn get(&self, key: &[u8]) -> Option<&'p [u8]> {
        let number = self.places[self.place(key)].checked_sub(1)?;
        Some(self.pairs[number].1)
    }
}

/// More keys than these are looked up by their lengths.
const FEW: usize = 16;

impl<'p> Translator<'p> {
    /// Of equal keys the last counts. Empty keys are left out (PHP warns "Ignoring replacement of empty string").
    pub fn new(pairs: impl IntoIterator<Item = (&'p [u8], &'p [u8])>) -> Result<Self, OutOfMemory> {
        let mut pairs = HeapVec::collect(pairs.into_iter().filter(|(key, _)| !key.is_empty()))?;
        let length_min = pairs.iter().map(|(key, _)| key.len()).min().unwrap_or(usize::MAX);
        if pairs.len() <= FEW {
            let mut firsts = [0u64; 4];
            for (key, _) in &pairs {
                firsts[usize::from(key[0] >> 6)] |= 1 << (key[0] & 63);
            }
            pairs.reverse();
            pairs.sort_by_key(|(key, _)| Reverse(key.len()));
            return Ok(Translator { keys: Keys::Few(pairs, firsts), length_min });
        }
        let pairs = PairTable::new(pairs)?;
        let mut lengths = HeapVec::collect((0..256).map(|_| HeapVec::new()))?;
        for (key, _) in &pairs.pairs {
            let lengths: &mut HeapVec<usize> = &mut lengths[usize::from(key[0])];
            if !lengths.contains(&key.len()) {
                lengths.push(key.len())?;
            }
        }
        for lengths in lengths.iter_mut() {
            lengths.sort_unstable_by(|a, b| b.cmp(a));
        }
        Ok(Translator { keys: Keys::Many(pairs, lengths), length_min })
    }

    /// `None` when nothing was replaced.
    pub fn translate(&self, text: &[u8]) -> Result<Option<PStr>, OutOfMemory> {
        let mut out = PStrBuilder::new();
        let mut copied = 0;
        let mut at = 0;
        while self.length_min <= text.len() - at {
            match self.find(&text[at..]) {
                Some((length, replacement)) => {
                    out.reserve(text.len() - copied)?;
                    out.extend(&text[copied..at])?;
                    out.extend(replacement)?;
                    at += length;
                    copied = at;
                }
                None => at += 1,
            }
        }
        if copied == 0 {
            return Ok(None);
        }
        out.extend(&text[copied..])?;
        Ok(Some(out.finish()))
    }

    fn find(&self, rest: &[u8]) -> Option<(usize, &'p [u8])> {
        let first = *rest.first()?;
        match &self.keys {
            Keys::Few(pairs, firsts) => {
                if firsts[usize::from(first >> 6)] >> (first & 63) & 1 == 0 {
                    return None;
                }
                pairs.iter().find(|(key, _)| rest.starts_with(key)).map(|(key, with)| (key.len(), *with))
            }
            Keys::Many(pairs, lengths) => {
                lengths[usize::from(first)].iter().find_map(|&length| Some((length, pairs.get(rest.get(..length)?)?)))
            }
        }
    }
}

/// First place of `search`, which is not empty. Most searches of programs are short and in vain: a searcher is made when the first byte
/// has been met some times.
pub fn find(text: &[u8], search: &[u8]) -> Option<usize> {
    const CANDIDATES_MAX: usize = 8;
    let mut from = 0;
    for _ in 0..CANDIDATES_MAX {
        let at = from + memchr::memchr(search[0], &text[from..])?;
        if text[at..].starts_with(search) {
            return Some(at);
        }
        from = at + 1;
    }
    memmem::find(&text[from..], search).map(|at| from + at)
}

/// str_replace of one search string. `None` when it does not occur (or is empty); otherwise the result and how often.
pub fn replace(text: &[u8], search: &[u8], replacement: &[u8]) -> Result<Option<(PStr, usize)>, OutOfMemory> {
    if search.is_empty() || search.len() > text.len() {
        return Ok(None);
    }
    if let ([from], [to]) = (search, replacement) {
        let Some(first) = memchr::memchr(*from, text) else { return Ok(None) };
        let mut out = PStrBuilder::with_capacity(text.len())?;
        out.extend(text)?;
        let mut count = 0;
        for byte in &mut out.as_mut_bytes()[first..] {
            if byte == from {
                *byte = *to;
                count += 1;
            }
        }
        return Ok(Some((out.finish(), count)));
    }
    let Some(first) = find(text, search) else { return Ok(None) };
    let rest = first + search.len();
    let others = std::iter::once_with(|| memmem::find_iter(&text[rest..], search)).flatten().map(|at| rest + at);
    replace_found(
        text,
        text,
        search.len(),
        replacement,
        std::iter::once(first).chain(others),
    )
}

/// str_ireplace of one search string: ASCII letters are equal whatever their case.
pub fn replace_ignoring_case(
    text: &[u8],
    search: &[u8],
    replacement: &[u8],
) -> Result<Option<(PStr, usize)>, OutOfMemory> {
    if search.is_empty() || search.len() > text.len() {
        return Ok(None);
    }
    let lower = PStr::mapped(text, |byte| byte.to_ascii_lowercase());
    let search = PStr::mapped(search, |byte| byte.to_ascii_lowercase());
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
) -> Result<Option<(PStr, usize)>, OutOfMemory> {
    debug_assert_eq!(text.len(), searched.len());
    let mut out = PStrBuilder::new();
    let mut copied = 0;
    let mut count = 0;
    for at in found {
        if count == 0 {
            out.reserve(text.len() + replacement.len())?;
        }
        out.extend(&text[copied..at])?;
        out.extend(replacement)?;
        copied = at + length;
        count += 1;
    }
    if count == 0 {
        return Ok(None);
    }
    out.extend(&text[copied..])?;
    Ok(Some((out.finish(), count)))
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
    fn translates_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/strtr.tsv")) {
            let [text, pairs, expected] = &row[..] else {
                panic!("bad row")
            };
            let parts: Vec<&[u8]> = pairs.split(|&byte| byte == b'|').collect();
            let pairs = parts.chunks_exact(2).map(|pair| (pair[0], pair[1]));
            // Beside more keys than a few, which do not occur.
            let others: Vec<[u8; 3]> = (0..40).map(|n| [0xfe, n, 0xfd]).collect();
            let many = others.iter().map(|key| (key.as_slice(), b"?".as_slice())).chain(pairs.clone());
            for translator in [Translator::new(pairs)?, Translator::new(many)?] {
                let found = translator.translate(text)?.unwrap_or_else(|| PStr::new(text));
                samples.check(show(&found), show(expected), format!("{}", show(text)));
            }
        }
        assert_eq!(translate_bytes(b"hello", b"elx", b"ip")?.unwrap(), b"hippo");
        assert_eq!(translate_bytes(b"hello", b"xyz", b"abc")?, None);
        Ok(())
    }

    #[test]
    fn replaces() -> Result<(), OutOfMemory> {
        assert_eq!(replace(b"aaa", b"aa", b"b")?, Some((PStr::new(b"ba"), 1)));
        assert_eq!(replace(b"a.b.c", b".", b"-")?, Some((PStr::new(b"a-b-c"), 2)));
        assert_eq!(replace(b"abc", b"x", b"y")?, None);
        assert_eq!(replace(b"abc", b"", b"y")?, None);
        assert_eq!(
            replace_ignoring_case(b"aBcAbC", b"AB", b"-")?,
            Some((PStr::new(b"-c-C"), 2))
        );
        assert_eq!(count(b"aaaa", b"aa"), 2);
        Ok(())
    }
}
