//! Character sets as the client knows them: names, numbers, where characters begin, escaping.
//!
//! Escaping must know characters of several bytes: in big5, gbk and their like the second byte may be a backslash or a quote.

use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

/// How the bytes of a character are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One byte a character.
    Single,
    /// UTF-8 with at most so many bytes a character.
    Utf8(usize),
    Big5,
    /// sjis and cp932.
    Sjis,
    EucKr,
    /// ujis and eucjpms.
    EucJp,
    Gb2312,
    Gbk,
    Gb18030,
    /// Always so many bytes.
    Fixed(usize),
    Utf16,
}

#[derive(Debug)]
pub struct Charset {
    /// Number of its default collation.
    pub number: u16,
    pub name: &'static str,
    pub collation: &'static str,
    pub max_bytes: usize,
    pub encoding: Encoding,
    pub comment: &'static str,
    /// Numbers of its other collations, as ranges.
    others: &'static [(u16, u16)],
}

const fn set(
    number: u16,
    name: &'static str,
    collation: &'static str,
    max_bytes: usize,
    encoding: Encoding,
    others: &'static [(u16, u16)],
) -> Charset {
    let comment = if matches!(encoding, Encoding::Utf8(_)) { "UTF-8 Unicode" } else { "" };
    Charset { number, name, collation, max_bytes, encoding, comment, others }
}

/// Numbers and names are those of the servers' `information_schema.COLLATIONS`.
static CHARSETS: &[Charset] = {
    use Encoding::*;
    &[
        set(1, "big5", "big5_chinese_ci", 2, Big5, &[(84, 84)]),
        set(3, "dec8", "dec8_swedish_ci", 1, Single, &[(69, 69)]),
        set(4, "cp850", "cp850_general_ci", 1, Single, &[(80, 80)]),
        set(6, "hp8", "hp8_english_ci", 1, Single, &[(72, 72)]),
        set(7, "koi8r", "koi8r_general_ci", 1, Single, &[(74, 74)]),
        set(8, "latin1", "latin1_swedish_ci", 1, Single, &[(5, 5), (15, 15), (31, 31), (47, 49), (94, 94)]),
        set(9, "latin2", "latin2_general_ci", 1, Single, &[(2, 2), (21, 21), (27, 27), (77, 77)]),
        set(10, "swe7", "swe7_swedish_ci", 1, Single, &[(82, 82)]),
        set(11, "ascii", "ascii_general_ci", 1, Single, &[(65, 65)]),
        set(12, "ujis", "ujis_japanese_ci", 3, EucJp, &[(91, 91)]),
        set(13, "sjis", "sjis_japanese_ci", 2, Sjis, &[(88, 88)]),
        set(16, "hebrew", "hebrew_general_ci", 1, Single, &[(71, 71)]),
        set(18, "tis620", "tis620_thai_ci", 1, Single, &[(89, 89)]),
        set(19, "euckr", "euckr_korean_ci", 2, EucKr, &[(85, 85)]),
        set(22, "koi8u", "koi8u_general_ci", 1, Single, &[(75, 75)]),
        set(24, "gb2312", "gb2312_chinese_ci", 2, Gb2312, &[(86, 86)]),
        set(25, "greek", "greek_general_ci", 1, Single, &[(70, 70)]),
        set(26, "cp1250", "cp1250_general_ci", 1, Single, &[(34, 34), (44, 44), (66, 66), (99, 99)]),
        set(28, "gbk", "gbk_chinese_ci", 2, Gbk, &[(87, 87)]),
        set(30, "latin5", "latin5_turkish_ci", 1, Single, &[(78, 78)]),
        set(32, "armscii8", "armscii8_general_ci", 1, Single, &[(64, 64)]),
        set(33, "utf8", "utf8_general_ci", 3, Utf8(3), &[(76, 76), (83, 83), (192, 215), (223, 223)]),
        set(35, "ucs2", "ucs2_general_ci", 2, Fixed(2), &[(90, 90), (128, 151), (159, 159)]),
        set(36, "cp866", "cp866_general_ci", 1, Single, &[(68, 68)]),
        set(37, "keybcs2", "keybcs2_general_ci", 1, Single, &[(73, 73)]),
        set(38, "macce", "macce_general_ci", 1, Single, &[(43, 43)]),
        set(39, "macroman", "macroman_general_ci", 1, Single, &[(53, 53)]),
        set(40, "cp852", "cp852_general_ci", 1, Single, &[(81, 81)]),
        set(41, "latin7", "latin7_general_ci", 1, Single, &[(20, 20), (42, 42), (79, 79)]),
        set(45, "utf8mb4", "utf8mb4_general_ci", 4, Utf8(4), &[(46, 46), (224, 247), (255, 255)]),
        set(51, "cp1251", "cp1251_general_ci", 1, Single, &[(14, 14), (23, 23), (50, 50), (52, 52)]),
        set(54, "utf16", "utf16_general_ci", 4, Utf16, &[(55, 55), (101, 124)]),
        set(56, "utf16le", "utf16le_general_ci", 4, Utf16, &[(62, 62)]),
        set(57, "cp1256", "cp1256_general_ci", 1, Single, &[(67, 67)]),
        set(59, "cp1257", "cp1257_general_ci", 1, Single, &[(29, 29), (58, 58)]),
        set(60, "utf32", "utf32_general_ci", 4, Fixed(4), &[(61, 61), (160, 183)]),
        set(63, "binary", "binary", 1, Single, &[]),
        set(92, "geostd8", "geostd8_general_ci", 1, Single, &[(93, 93)]),
        set(95, "cp932", "cp932_japanese_ci", 2, Sjis, &[(96, 96)]),
        set(97, "eucjpms", "eucjpms_japanese_ci", 3, EucJp, &[(98, 98)]),
        set(248, "gb18030", "gb18030_chinese_ci", 4, Gb18030, &[(249, 250)]),
    ]
};

/// By name, in any case.
pub fn by_name(name: &[u8]) -> Option<&'static Charset> {
    CHARSETS.iter().find(|c| c.name.as_bytes().eq_ignore_ascii_case(name))
}

/// By the number of any of its collations.
pub fn by_number(number: u16) -> Option<&'static Charset> {
    CHARSETS.iter().find(|c| c.number == number || c.others.iter().any(|(first, last)| (*first..=*last).contains(&number)))
}

impl Charset {
    /// Bytes of the whole character that begins here, when it has several; `None`: a single byte, or nothing valid.
    fn character(&self, bytes: &[u8]) -> Option<usize> {
        let (&first, &second) = (bytes.first()?, bytes.get(1)?);
        let third = bytes.get(2).copied();
        let is = |ok: bool, len: usize| ok.then_some(len);
        match self.encoding {
            Encoding::Single => None,
            Encoding::Utf8(max) => {
                let len = match first {
                    0xc2..=0xdf => 2,
                    0xe0..=0xef => 3,
                    0xf0..=0xf4 => 4,
                    _ => return None,
                };
                let tail = bytes.get(1..len)?;
                let start_fits = match first {
                    0xe0 => second >= 0xa0,
                    0xf0 => second >= 0x90,
                    0xf4 => second <= 0x8f,
                    _ => true,
                };
                is(len <= max && start_fits && tail.iter().all(|b| b & 0xc0 == 0x80), len)
            }
            Encoding::Big5 => is(matches!(first, 0xa1..=0xf9) && matches!(second, 0x40..=0x7e | 0xa1..=0xfe), 2),
            Encoding::Sjis => is(matches!(first, 0x81..=0x9f | 0xe0..=0xfc) && matches!(second, 0x40..=0x7e | 0x80..=0xfc), 2),
            Encoding::EucKr => is(matches!(first, 0x81..=0xfe) && matches!(second, 0x41..=0x5a | 0x61..=0x7a | 0x81..=0xfe), 2),
            Encoding::EucJp => match first {
                0x8e => is(matches!(second, 0xa0..=0xdf), 2),
                0x8f => is(matches!(second, 0xa1..=0xfe) && matches!(third, Some(0xa1..=0xfe)), 3),
                _ => is(matches!(first, 0xa1..=0xfe) && matches!(second, 0xa1..=0xfe), 2),
            },
            Encoding::Gb2312 => is(matches!(first, 0xa1..=0xf7) && matches!(second, 0xa1..=0xfe), 2),
            Encoding::Gbk => is(matches!(first, 0x81..=0xfe) && matches!(second, 0x40..=0x7e | 0x80..=0xfe), 2),
            Encoding::Gb18030 => match (first, second) {
                (0x81..=0xfe, 0x40..=0x7e | 0x80..=0xfe) => Some(2),
                (0x81..=0xfe, 0x30..=0x39) => is(matches!((third, bytes.get(3)), (Some(0x81..=0xfe), Some(0x30..=0x39))), 4),
                _ => None,
            },
            Encoding::Fixed(len) => is(bytes.len() >= len, len),
            Encoding::Utf16 => match first {
                0xd8..=0xdb => is(matches!(third, Some(0xdc..=0xdf)) && bytes.len() >= 4, 4),
                0xdc..=0xdf => None,
                _ => Some(2),
            },
        }
    }

    /// Does this byte begin a character of several bytes?
    fn begins_several(&self, byte: u8) -> bool {
        match self.encoding {
            Encoding::Single | Encoding::Fixed(_) | Encoding::Utf16 => false,
            Encoding::Utf8(_) => matches!(byte, 0xc2..=0xf4),
            Encoding::Big5 => matches!(byte, 0xa1..=0xf9),
            Encoding::Sjis => matches!(byte, 0x81..=0x9f | 0xe0..=0xfc),
            Encoding::EucKr | Encoding::Gbk | Encoding::Gb18030 => matches!(byte, 0x81..=0xfe),
            Encoding::EucJp => matches!(byte, 0x8e | 0x8f | 0xa1..=0xfe),
            Encoding::Gb2312 => matches!(byte, 0xa1..=0xf7),
        }
    }

    /// The text for use between quotes in a query. `backslash`: the server takes backslashes as escapes.
    pub fn escape(&self, text: &[u8], backslash: bool) -> Result<PStr, OutOfMemory> {
        let mut out = PStrBuilder::with_capacity(text.len())?;
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            if let Some(len) = self.character(&text[at..])
                && let Some(whole) = text.get(at..at + len)
            {
                out.extend(whole)?;
                at += len;
                continue;
            }
            at += 1;
            if !backslash {
                if byte == b'\'' {
                    out.push(b'\'')?;
                }
                out.push(byte)?;
                continue;
            }
            let escaped = match byte {
                // The beginning of a character that is not complete must not swallow what follows.
                _ if self.begins_several(byte) => byte,
                0 => b'0',
                b'\n' => b'n',
                b'\r' => b'r',
                b'\\' | b'\'' | b'"' => byte,
                0x1a => b'Z',
                _ => {
                    out.push(byte)?;
                    continue;
                }
            };
            out.extend(&[b'\\', escaped])?;
        }
        Ok(out.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(by_number(8).unwrap().name, "latin1");
        assert_eq!(by_number(255).unwrap().name, "utf8mb4");
        assert_eq!(by_number(76).unwrap().name, "utf8");
        assert!(by_number(999).is_none());
        assert!(by_name(b"UTF8MB4").is_some());
    }

    #[test]
    fn escaping() {
        let latin1 = by_name(b"latin1").unwrap();
        assert_eq!(latin1.escape(b"a'b\"c\\\0\n\r\x1a", true).unwrap().as_bytes(), b"a\\'b\\\"c\\\\\\0\\n\\r\\Z");
        assert_eq!(latin1.escape(b"a'b\\", false).unwrap().as_bytes(), b"a''b\\");
        let gbk = by_name(b"gbk").unwrap();
        assert_eq!(gbk.escape(b"\xbf\\", true).unwrap().as_bytes(), b"\xbf\\");
        assert_eq!(gbk.escape(b"\xbf'", true).unwrap().as_bytes(), b"\\\xbf\\'");
        let utf8 = by_name(b"utf8mb4").unwrap();
        assert_eq!(utf8.escape("é'".as_bytes(), true).unwrap().as_bytes(), "é\\'".as_bytes());
        assert_eq!(utf8.escape(b"\xc3", true).unwrap().as_bytes(), b"\\\xc3");
    }
}
