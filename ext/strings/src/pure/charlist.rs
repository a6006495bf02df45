//! Character lists with ranges (`"a..z\n"`), as trim, addcslashes, ucwords and str_word_count take them.

/// A set of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    pub const EMPTY: ByteSet = ByteSet([0; 4]);

    /// What trim removes when it is given no list.
    pub const TRIM_DEFAULT: ByteSet = ByteSet::EMPTY.with_all(b" \n\r\t\x0b\0");

    const fn with_all(mut self, bytes: &[u8]) -> ByteSet {
        let mut index = 0;
        while index < bytes.len() {
            self = self.with(bytes[index]);
            index += 1;
        }
        self
    }

    const fn with(mut self, byte: u8) -> ByteSet {
        self.0[(byte >> 6) as usize] |= 1 << (byte & 63);
        self
    }

    /// The set of exactly these bytes: no ranges.
    pub const fn literal(bytes: &[u8]) -> ByteSet {
        ByteSet::EMPTY.with_all(bytes)
    }

    pub fn insert(&mut self, byte: u8) {
        *self = self.with(byte);
    }

    #[inline]
    pub const fn contains(&self, byte: u8) -> bool {
        self.0[(byte >> 6) as usize] >> (byte & 63) & 1 != 0
    }
}

/// What is wrong with a list; the text of PHP's E_WARNING. The `..` then counts as two dots.
pub type Warning = &'static str;

/// Reads `list`, and what PHP warns about, in order.
pub fn parse(list: &[u8]) -> (ByteSet, Vec<Warning>) {
    let mut set = ByteSet::EMPTY;
    let mut warnings = Vec::new();
    let mut at = 0;
    while let Some(&byte) = list.get(at) {
        let rest = &list[at..];
        if let [first, b'.', b'.', last, ..] = *rest
            && last >= first
        {
            for member in first..=last {
                set.insert(member);
            }
            at += 4;
            continue;
        }
        if rest.starts_with(b"..") {
            // A range with something missing. What it begins with counts as itself.
            let before = at.checked_sub(1).map(|index| list[index]);
            let after = list.get(at + 2);
            warnings.push(match (before, after) {
                (None, _) => "Invalid '..'-range, no character to the left of '..'",
                (_, None) => "Invalid '..'-range, no character to the right of '..'",
                (Some(before), Some(&after)) if before > after => {
                    "Invalid '..'-range, '..'-range needs to be incrementing"
                }
                _ => "Invalid '..'-range",
            });
            // PHP goes on with the second dot.
            at += 1;
            continue;
        }
        set.insert(byte);
        at += 1;
    }
    (set, warnings)
}

/// Which ends to trim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    Both,
    Left,
    Right,
}

/// trim, ltrim, rtrim.
pub fn trim<'t>(text: &'t [u8], set: &ByteSet, ends: Ends) -> &'t [u8] {
    let mut text = text;
    if ends != Ends::Right {
        while let [first, rest @ ..] = text
            && set.contains(*first)
        {
            text = rest;
        }
    }
    if ends != Ends::Left {
        while let [rest @ .., last] = text
            && set.contains(*last)
        {
            text = rest;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    #[test]
    fn trims_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/trim.tsv")) {
            let [text, list, both, left, right, warnings] = &row[..] else {
                panic!("bad row")
            };
            let (set, found) = parse(list);
            samples.check(
                show(found.join("|").as_bytes()),
                show(warnings),
                format!("{}", show(list)),
            );
            for (ends, expected) in [(Ends::Both, both), (Ends::Left, left), (Ends::Right, right)] {
                samples.check(
                    show(trim(text, &set, ends)),
                    show(expected),
                    format!("{} {}", show(text), show(list)),
                );
            }
        }
        assert_eq!(
            trim(b" \n\r\t\x0b\0a\0", &ByteSet::TRIM_DEFAULT, Ends::Both),
            b"a"
        );
    }
}
