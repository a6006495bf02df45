//! str_word_count.

use super::charlist::ByteSet;
use std::ops::Range;

/// The words of `text`: ASCII letters, those of `extra`, an apostrophe not at the start, a hyphen inside.
pub fn words<'t>(text: &'t [u8], extra: &'t ByteSet) -> impl Iterator<Item = Range<usize>> + 't {
    let is_extra = move |byte: u8| extra.contains(byte);
    let mut start = 0;
    let mut end = text.len();
    // At the ends of the whole text a hyphen, and at its start an apostrophe, are not part of a word.
    let begins_word = |byte: u8| !matches!(byte, b'\'' | b'-') || is_extra(byte);
    if text.first().is_some_and(|&byte| !begins_word(byte)) {
        start = 1;
    }
    if end > start && text[end - 1] == b'-' && !is_extra(b'-') {
        end -= 1;
    }
    let mut at = start;
    std::iter::from_fn(move || {
        while at < end {
            let from = at;
            while at < end
                && (text[at].is_ascii_alphabetic()
                    || is_extra(text[at])
                    || matches!(text[at], b'\'' | b'-'))
            {
                at += 1;
            }
            if at > from {
                return Some(from..at);
            }
            at += 1;
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::charlist;
    use crate::pure::testdata::{Samples, rows, show};

    #[test]
    fn counts_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/words.tsv")) {
            let [text, list, expected] = &row[..] else {
                panic!("bad row")
            };
            let set = charlist::parse(list).0;
            let found: Vec<String> = words(text, &set)
                .map(|range| format!("{}:{}", range.start, show(&text[range.clone()])))
                .collect();
            samples.check(found.join(" "), show(expected), format!("{}", show(text)));
        }
    }
}
