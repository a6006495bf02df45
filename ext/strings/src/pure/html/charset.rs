//! The character sets of the HTML functions.
//!
//! Single-byte sets are mapped to Unicode by the tables of the Encoding Standard (encoding_rs), with PHP's differences. Of the
//! multi-byte sets other than UTF-8 only the extent of characters is known: their code is that of their bytes, and nothing but
//! the basic characters is ever escaped in them.

use super::next_utf8;
use std::sync::LazyLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    Utf8,
    Latin1,
    Latin9,
    Windows1252,
    Windows1251,
    Cyrillic8859,
    Cp866,
    Koi8R,
    MacRoman,
    Big5,
    Gb2312,
    Big5Hkscs,
    ShiftJis,
    EucJp,
}

/// Code points of the bytes from 0x80 on; 0 where there is none.
type Table = [u32; 128];

fn table(encoding: &'static encoding_rs::Encoding) -> Table {
    let mut table = [0; 128];
    for (at, code) in table.iter_mut().enumerate() {
        let byte = [0x80 + at as u8];
        let (text, _) = encoding.decode_without_bom_handling(&byte);
        *code = text.chars().next().map_or(0, u32::from);
    }
    table
}

/// As [`table`], without the control characters that the Encoding Standard puts where a set has nothing.
fn without_controls(encoding: &'static encoding_rs::Encoding) -> Table {
    let mut table = table(encoding);
    for code in &mut table {
        if (0x80..0xa0).contains(code) {
            *code = 0;
        }
    }
    table
}

static WINDOWS_1252: LazyLock<Table> = LazyLock::new(|| without_controls(encoding_rs::WINDOWS_1252));
static WINDOWS_1251: LazyLock<Table> = LazyLock::new(|| without_controls(encoding_rs::WINDOWS_1251));
static LATIN_9: LazyLock<Table> = LazyLock::new(|| table(encoding_rs::ISO_8859_15));
static CYRILLIC_8859: LazyLock<Table> = LazyLock::new(|| table(encoding_rs::ISO_8859_5));
static CP_866: LazyLock<Table> = LazyLock::new(|| table(encoding_rs::IBM866));
static KOI8_R: LazyLock<Table> = LazyLock::new(|| table(encoding_rs::KOI8_R));
static MAC_ROMAN: LazyLock<Table> = LazyLock::new(|| table(encoding_rs::MACINTOSH));

/// A character's bytes.
pub struct Encoded {
    bytes: [u8; 4],
    len: usize,
}

impl std::ops::Deref for Encoded {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Charset {
    /// `None` for a name that PHP does not know.
    pub fn from_name(name: &[u8]) -> Option<Charset> {
        Some(match &name.to_ascii_lowercase()[..] {
            b"utf-8" => Charset::Utf8,
            b"iso-8859-1" | b"iso8859-1" => Charset::Latin1,
            b"iso-8859-15" | b"iso8859-15" => Charset::Latin9,
            b"windows-1252" | b"cp1252" | b"1252" => Charset::Windows1252,
            b"windows-1251" | b"cp1251" | b"1251" | b"win-1251" => Charset::Windows1251,
            b"iso8859-5" | b"iso-8859-5" => Charset::Cyrillic8859,
            b"cp866" | b"866" | b"ibm866" => Charset::Cp866,
            b"koi8-r" | b"koi8-ru" | b"koi8r" => Charset::Koi8R,
            b"macroman" => Charset::MacRoman,
            b"big5" | b"950" => Charset::Big5,
            b"gb2312" | b"936" => Charset::Gb2312,
            b"big5-hkscs" => Charset::Big5Hkscs,
            b"shift_jis" | b"sjis" | b"932" | b"sjis-win" | b"cp932" => Charset::ShiftJis,
            b"euc-jp" | b"eucjp" | b"eucjp-win" => Charset::EucJp,
            _ => return None,
        })
    }

    /// Characters of several bytes, and not UTF-8.
    pub fn is_multi_byte(self) -> bool {
        matches!(self, Charset::Big5 | Charset::Gb2312 | Charset::Big5Hkscs | Charset::ShiftJis | Charset::EucJp)
    }

    pub fn is_single_byte(self) -> bool {
        self != Charset::Utf8 && !self.is_multi_byte()
    }

    fn table(self) -> Option<&'static Table> {
        Some(match self {
            Charset::Windows1252 => &WINDOWS_1252,
            Charset::Windows1251 => &WINDOWS_1251,
            Charset::Latin9 => &LATIN_9,
            Charset::Cyrillic8859 => &CYRILLIC_8859,
            Charset::Cp866 => &CP_866,
            Charset::Koi8R => &KOI8_R,
            Charset::MacRoman => &MAC_ROMAN,
            _ => return None,
        })
    }

    /// The code point of a byte of a single-byte set, `None` where the set has none.
    fn decode_byte(self, byte: u8) -> Option<u32> {
        match self.table() {
            // PHP's table of this one has printable characters only.
            _ if self == Charset::MacRoman && byte.is_ascii_control() => None,
            Some(table) if byte >= 0x80 => Some(table[usize::from(byte - 0x80)]).filter(|code| *code != 0),
            _ => Some(u32::from(byte)),
        }
    }

    /// The bytes of `code`; `None` when the set does not have it.
    pub fn encode(self, code: u32) -> Option<Encoded> {
        let mut bytes = [0; 4];
        if self == Charset::Utf8 {
            let len = char::from_u32(code)?.encode_utf8(&mut bytes).len();
            return Some(Encoded { bytes, len });
        }
        let plain = u8::try_from(code).ok().filter(|byte| *byte < 0x80);
        bytes[0] = if self.is_multi_byte() {
            plain?
        } else {
            plain.or_else(|| (0x80..=0xff).find(|&byte| self.decode_byte(byte) == Some(code)))?
        };
        Some(Encoded { bytes, len: 1 })
    }

    /// The character at the start of `text` (`None` when it is malformed) and how many bytes it takes.
    pub fn next(self, text: &[u8]) -> (Option<u32>, usize) {
        match self {
            Charset::Utf8 => next_utf8(text),
            Charset::Big5 | Charset::Gb2312 | Charset::Big5Hkscs | Charset::ShiftJis | Charset::EucJp => self.next_multi_byte(text),
            _ => (text.first().and_then(|&byte| self.decode_byte(byte)), 1),
        }
    }

    fn next_multi_byte(self, text: &[u8]) -> (Option<u32>, usize) {
        let first = text.first().copied().unwrap_or(0);
        let code = |length: usize| text[..length].iter().fold(0, |code, byte| code << 8 | u32::from(*byte));
        // A malformed character takes the next byte along unless that one can begin another.
        let pair = |is_trail: fn(u8) -> bool, is_lead: fn(u8) -> bool| match text.get(1) {
            None => (None, 1),
            Some(&next) if is_trail(next) => (Some(code(2)), 2),
            Some(&next) => (None, if is_lead(next) { 1 } else { 2 }),
        };
        let gb_trail: fn(u8) -> bool = |b| (0xa1..=0xfe).contains(&b);
        match self {
            Charset::Big5 => match first {
                0x81..=0xfe => pair(|b| matches!(b, 0x40..=0x7e | 0xa1..=0xfe), |_| true),
                _ => (Some(u32::from(first)), 1),
            },
            Charset::Big5Hkscs => match first {
                0x81..=0xfe => pair(|b| matches!(b, 0x40..=0x7e | 0xa1..=0xfe), |b| b != 0x80 && b != 0xff),
                _ => (Some(u32::from(first)), 1),
            },
            Charset::Gb2312 => match first {
                0xa1..=0xfe => pair(gb_trail, |b| !matches!(b, 0x8e | 0x8f | 0xa0 | 0xff)),
                0x8e | 0x8f | 0xa0 | 0xff => (None, 1),
                _ => (Some(u32::from(first)), 1),
            },
            Charset::ShiftJis => match first {
                0x81..=0x9f | 0xe0..=0xfc => {
                    pair(|b| matches!(b, 0x40..=0x7e | 0x80..=0xfc), |b| !matches!(b, 0x80 | 0xa0 | 0xfd..=0xff))
                }
                0..=0x7f | 0xa1..=0xdf => (Some(u32::from(first)), 1),
                _ => (None, 1),
            },
            _ => match first {
                0xa1..=0xfe => pair(gb_trail, |b| b != 0xa0 && b != 0xff),
                0x8e => pair(|b| (0xa1..=0xdf).contains(&b), |b| b != 0xa0 && b != 0xff),
                0x8f => {
                    let is_lead = |b: u8| b != 0xa0 && b != 0xff;
                    match (text.get(1), text.get(2)) {
                        (Some(a), Some(b)) if gb_trail(*a) && gb_trail(*b) => (Some(code(3)), 3),
                        (Some(a), _) if is_lead(*a) => (None, 1),
                        (Some(_), Some(b)) if !is_lead(*b) => (None, 3),
                        (Some(_), _) => (None, 2),
                        (None, _) => (None, 1),
                    }
                }
                0xa0 | 0xff => (None, 1),
                _ => (Some(u32::from(first)), 1),
            },
        }
    }
}
