//! The tables of multi-byte encodings, `data/tables/*.tbl`, as `tools/mbstring-tables.php` writes them: what stock PHP maps.
//!
//! A table is raw deflate of LEB128 numbers: runs of consecutive byte sequences with one code point each, sequences with
//! several code points, and where encoding is not the inverse of decoding. A sequence is its bytes as one big-endian
//! number; encodings with shift states put the number of the character set above them, and what stands on UTF-8 counts in
//! code points. Tables are read at first use and kept.

use std::collections::HashMap;
use std::io::Read;
use std::sync::LazyLock;

/// What is not there.
pub const NONE: u32 = u32::MAX;
/// What is not written although it would be without the table.
pub const REFUSED: u32 = u32::MAX - 1;

/// Numbers by number, in pages of 256.
#[derive(Default)]
struct Paged {
    pages: HashMap<u32, Box<[u32; 256]>>,
    /// The pages below 0x1_0000, which most look-ups are for.
    low: Vec<Option<Box<[u32; 256]>>>,
}

impl Paged {
    fn get(&self, key: u32) -> u32 {
        let page = match self.low.get((key >> 8) as usize) {
            Some(page) => page.as_ref(),
            None => self.pages.get(&(key >> 8)),
        };
        page.map_or(NONE, |page| page[(key & 255) as usize])
    }

    fn set(&mut self, key: u32, value: u32) {
        let number = key >> 8;
        let page = if number < 256 {
            if self.low.is_empty() {
                self.low.resize_with(256, || None);
            }
            self.low[number as usize].get_or_insert_with(|| Box::new([NONE; 256]))
        } else {
            self.pages.entry(number).or_insert_with(|| Box::new([NONE; 256]))
        };
        page[(key & 255) as usize] = value;
    }
}

/// A table, both ways.
#[derive(Default)]
pub struct Table {
    decode: Paged,
    decode_several: HashMap<u32, Vec<u32>>,
    encode: Paged,
    /// By first code point: all of them, and the sequence; longest first.
    encode_several: HashMap<u32, Vec<(Vec<u32>, u32)>>,
}

/// What a sequence stands for.
pub enum Decoded<'t> {
    None,
    One(u32),
    Several(&'t [u32]),
}

impl Table {
    /// What a sequence stands for.
    pub fn decode(&self, sequence: u32) -> Decoded<'_> {
        match self.decode.get(sequence) {
            NONE => match self.decode_several.get(&sequence) {
                Some(codes) => Decoded::Several(codes),
                None => Decoded::None,
            },
            code => Decoded::One(code),
        }
    }

    /// Whether any sequence of one byte more begins with `prefix`.
    pub fn begins(&self, prefix: u32) -> bool {
        self.decode.pages.contains_key(&prefix)
    }

    /// The sequence of a code point alone, or [`NONE`].
    pub fn encode(&self, code: u32) -> u32 {
        match self.encode.get(code) {
            REFUSED => NONE,
            sequence => sequence,
        }
    }

    /// As [`Table::encode`], but [`REFUSED`] for what the table says has no sequence.
    pub fn encode_or_refuse(&self, code: u32) -> u32 {
        self.encode.get(code)
    }

    /// The longest sequence for several code points that `codes` begins with, and how many they are.
    pub fn encode_several(&self, codes: &[u32]) -> Option<(u32, usize)> {
        let candidates = self.encode_several.get(codes.first()?)?;
        let (wanted, sequence) = candidates.iter().find(|(wanted, _)| codes.starts_with(wanted))?;
        Some((*sequence, wanted.len()))
    }

    fn read(packed: &[u8]) -> Table {
        let mut bytes = Vec::new();
        let mut table = Table::default();
        // The data is part of the program; a test reads all of it.
        if flate2::read::DeflateDecoder::new(packed).read_to_end(&mut bytes).is_err() {
            return table;
        }
        let mut numbers = Numbers(bytes.into_iter());
        let (mut end, mut last) = (0u32, -1i64);
        for _ in 0..numbers.next() {
            let start = end.wrapping_add(numbers.next());
            let count = numbers.next();
            for sequence in start..start.saturating_add(count) {
                last = last + 1 + numbers.signed();
                let code = u32::try_from(last).unwrap_or(NONE);
                table.decode.set(sequence, code);
                if table.encode.get(code) == NONE {
                    table.encode.set(code, sequence);
                }
            }
            end = start.saturating_add(count);
        }
        for _ in 0..numbers.next() {
            let sequence = numbers.next();
            let codes: Vec<u32> = (0..numbers.next()).map(|_| numbers.next()).collect();
            if let Some(first) = codes.first() {
                let list = table.encode_several.entry(*first).or_default();
                if !list.iter().any(|(known, _)| *known == codes) {
                    list.push((codes.clone(), sequence));
                    list.sort_by_key(|(codes, _)| std::cmp::Reverse(codes.len()));
                }
            }
            table.decode_several.insert(sequence, codes);
        }
        let mut code = 0u32;
        for _ in 0..numbers.next() {
            code = code.wrapping_add(numbers.next());
            let sequence = numbers.next();
            table.encode.set(code, sequence.checked_sub(1).unwrap_or(REFUSED));
        }
        table
    }
}

/// LEB128 numbers; 0 after the end.
struct Numbers(std::vec::IntoIter<u8>);

impl Numbers {
    fn long(&mut self) -> u64 {
        let (mut number, mut shift) = (0u64, 0);
        while let Some(byte) = self.0.next() {
            number |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 || shift > 56 {
                break;
            }
        }
        number
    }

    fn next(&mut self) -> u32 {
        self.long() as u32
    }

    fn signed(&mut self) -> i64 {
        let number = self.long();
        let half = (number >> 1) as i64;
        if number & 1 == 1 { -half - 1 } else { half }
    }
}

macro_rules! tables {
    ($($name:literal)*) => {
        /// The table of an encoding, by the name of its file.
        pub fn find(name: &str) -> &'static Table {
            match name {
                $($name => {
                    static TABLE: LazyLock<Table> =
                        LazyLock::new(|| Table::read(include_bytes!(concat!("../data/tables/", $name, ".tbl"))));
                    &TABLE
                })*
                _ => {
                    static EMPTY: LazyLock<Table> = LazyLock::new(Table::default);
                    &EMPTY
                }
            }
        }

        #[cfg(test)]
        const NAMES: &[&str] = &[$($name),*];
    };
}

tables! {
    "euc-jp" "eucjp-win" "euc-jp-2004" "cp51932" "sjis" "cp932" "sjis-win" "sjis-2004" "sjis-mac" "sjis-mobile-docomo"
    "sjis-mobile-kddi" "sjis-mobile-softbank" "gb18030" "gb18030-2022" "euc-cn" "cp936" "euc-tw" "big-5" "cp950" "euc-kr"
    "uhc" "utf-8-mobile-docomo" "utf-8-mobile-kddi-a" "utf-8-mobile-kddi-b" "utf-8-mobile-softbank" "jis" "iso-2022-jp"
    "iso-2022-jp-ms" "iso-2022-jp-2004" "iso-2022-jp-mobile-kddi" "cp50220" "cp50221" "cp50222" "iso-2022-kr" "hz"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_tables_are_whole() {
        for name in NAMES {
            let table = find(name);
            assert!(!table.decode.low.is_empty() || !table.decode.pages.is_empty(), "{name}");
            let back = |code: u32| table.encode(code);
            if !name.starts_with("utf-8") {
                assert_eq!(back(0x41), 0x41, "{name}");
            }
        }
        assert!(matches!(find("sjis").decode(0x93fa), Decoded::One(0x65e5)));
        assert!(matches!(find("sjis-2004").decode(0x82f5), Decoded::Several([0x304b, 0x309a])));
    }
}
