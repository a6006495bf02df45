//! The encodings by PHP's names, decoding to code points, and encoding.
//!
//! Malformed input decodes to [`BAD`]; encoding writes what the substitute setting says for it and for characters the
//! encoding does not have.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What malformed input decodes to; no code point.
pub const BAD: u32 = u32::MAX;

/// How an encoding's bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Utf8,
    Ascii,
    /// Every byte is itself.
    EightBit,
    /// A table of 128 code points, by the encoding's name.
    SingleByte,
    Utf16(Order),
    Ucs2(Order),
    Utf32(Order),
    /// A multi-byte encoding of the WHATWG standard.
    Whatwg(&'static encoding_rs::Encoding),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Big,
    Little,
    /// Big unless a byte order mark says otherwise.
    Marked,
}

/// An encoding.
#[derive(Debug, PartialEq, Eq)]
pub struct Encoding {
    pub name: &'static str,
    /// mb_preferred_mime_name
    pub mime_name: &'static str,
    pub aliases: &'static [&'static str],
    kind: Kind,
}

const fn encoding(
    name: &'static str,
    mime_name: &'static str,
    aliases: &'static [&'static str],
    kind: Kind,
) -> Encoding {
    Encoding {
        name,
        mime_name,
        aliases,
        kind,
    }
}

#[rustfmt::skip]
const ASCII_ALIASES: &[&str] = &[
    "ANSI_X3.4-1968", "iso-ir-6", "ANSI_X3.4-1986", "ISO_646.irv:1991", "US-ASCII", "ISO646-US", "us", "IBM367", "IBM-367",
    "cp367", "csASCII",
];

/// What `pass` means as an output encoding: nothing is converted. No other function knows it.
pub static PASS: Encoding = encoding("pass", "pass", &[], Kind::EightBit);

/// The encodings, in the order of mb_list_encodings().
#[rustfmt::skip]
pub static ENCODINGS: &[Encoding] = &[
    encoding("7bit", "7bit", &[], Kind::Ascii),
    encoding("8bit", "8bit", &["binary"], Kind::EightBit),
    encoding("UCS-4", "UCS-4", &["ISO-10646-UCS-4", "UCS4"], Kind::Utf32(Order::Marked)),
    encoding("UCS-4BE", "UCS-4BE", &["byte4be"], Kind::Utf32(Order::Big)),
    encoding("UCS-4LE", "UCS-4LE", &["byte4le"], Kind::Utf32(Order::Little)),
    encoding("UCS-2", "UCS-2", &["ISO-10646-UCS-2", "UCS2", "UNICODE"], Kind::Ucs2(Order::Marked)),
    encoding("UCS-2BE", "UCS-2BE", &["byte2be"], Kind::Ucs2(Order::Big)),
    encoding("UCS-2LE", "UCS-2LE", &["byte2le"], Kind::Ucs2(Order::Little)),
    encoding("UTF-32", "UTF-32", &["utf32"], Kind::Utf32(Order::Marked)),
    encoding("UTF-32BE", "UTF-32BE", &[], Kind::Utf32(Order::Big)),
    encoding("UTF-32LE", "UTF-32LE", &[], Kind::Utf32(Order::Little)),
    encoding("UTF-16", "UTF-16", &["utf16"], Kind::Utf16(Order::Marked)),
    encoding("UTF-16BE", "UTF-16BE", &[], Kind::Utf16(Order::Big)),
    encoding("UTF-16LE", "UTF-16LE", &[], Kind::Utf16(Order::Little)),
    encoding("UTF-8", "UTF-8", &["utf8"], Kind::Utf8),
    encoding("ASCII", "US-ASCII", ASCII_ALIASES, Kind::Ascii),
    encoding("EUC-JP", "EUC-JP", &["EUC", "EUC_JP", "eucJP", "x-euc-jp"], Kind::Whatwg(encoding_rs::EUC_JP)),
    encoding("SJIS", "Shift_JIS", &["x-sjis", "SHIFT-JIS"], Kind::Whatwg(encoding_rs::SHIFT_JIS)),
    encoding("eucJP-win", "EUC-JP", &["eucJP-open", "eucJP-ms"], Kind::Whatwg(encoding_rs::EUC_JP)),
    encoding("CP932", "Shift_JIS", &["MS932", "Windows-31J", "MS_Kanji"], Kind::Whatwg(encoding_rs::SHIFT_JIS)),
    encoding("SJIS-win", "Shift_JIS", &["SJIS-ms", "SJIS-open"], Kind::Whatwg(encoding_rs::SHIFT_JIS)),
    encoding("CP51932", "CP51932", &["cp51932"], Kind::Whatwg(encoding_rs::EUC_JP)),
    encoding("JIS", "ISO-2022-JP", &[], Kind::Whatwg(encoding_rs::ISO_2022_JP)),
    encoding("ISO-2022-JP", "ISO-2022-JP", &[], Kind::Whatwg(encoding_rs::ISO_2022_JP)),
    encoding("GB18030", "GB18030", &["gb-18030", "gb-18030-2000"], Kind::Whatwg(encoding_rs::GB18030)),
    encoding("Windows-1252", "Windows-1252", &["cp1252"], Kind::SingleByte),
    encoding("Windows-1254", "Windows-1254", &["CP1254", "CP-1254", "WINDOWS-1254"], Kind::SingleByte),
    encoding("ISO-8859-1", "ISO-8859-1", &["ISO8859-1", "latin1"], Kind::SingleByte),
    encoding("ISO-8859-2", "ISO-8859-2", &["ISO8859-2", "latin2"], Kind::SingleByte),
    encoding("ISO-8859-3", "ISO-8859-3", &["ISO8859-3", "latin3"], Kind::SingleByte),
    encoding("ISO-8859-4", "ISO-8859-4", &["ISO8859-4", "latin4"], Kind::SingleByte),
    encoding("ISO-8859-5", "ISO-8859-5", &["ISO8859-5", "cyrillic"], Kind::SingleByte),
    encoding("ISO-8859-6", "ISO-8859-6", &["ISO8859-6", "arabic"], Kind::SingleByte),
    encoding("ISO-8859-7", "ISO-8859-7", &["ISO8859-7", "greek"], Kind::SingleByte),
    encoding("ISO-8859-8", "ISO-8859-8", &["ISO8859-8", "hebrew"], Kind::SingleByte),
    encoding("ISO-8859-9", "ISO-8859-9", &["ISO8859-9", "latin5"], Kind::SingleByte),
    encoding("ISO-8859-10", "ISO-8859-10", &["ISO8859-10", "latin6"], Kind::SingleByte),
    encoding("ISO-8859-13", "ISO-8859-13", &["ISO8859-13"], Kind::SingleByte),
    encoding("ISO-8859-14", "ISO-8859-14", &["ISO8859-14", "latin8"], Kind::SingleByte),
    encoding("ISO-8859-15", "ISO-8859-15", &["ISO8859-15"], Kind::SingleByte),
    encoding("ISO-8859-16", "ISO-8859-16", &["ISO8859-16"], Kind::SingleByte),
    encoding("EUC-CN", "CN-GB", &["CN-GB", "EUC_CN", "eucCN", "x-euc-cn", "gb2312"], Kind::Whatwg(encoding_rs::GBK)),
    encoding("CP936", "CP936", &["CP-936", "GBK"], Kind::Whatwg(encoding_rs::GBK)),
    encoding("BIG-5", "BIG5", &["CN-BIG5", "BIG-FIVE", "BIGFIVE"], Kind::Whatwg(encoding_rs::BIG5)),
    encoding("CP950", "BIG5", &[], Kind::Whatwg(encoding_rs::BIG5)),
    encoding("EUC-KR", "EUC-KR", &["EUC_KR", "eucKR", "x-euc-kr"], Kind::Whatwg(encoding_rs::EUC_KR)),
    encoding("UHC", "UHC", &["CP949"], Kind::Whatwg(encoding_rs::EUC_KR)),
    encoding("Windows-1251", "Windows-1251", &["CP1251", "CP-1251", "WINDOWS-1251"], Kind::SingleByte),
    encoding("CP866", "CP866", &["CP-866", "IBM866", "IBM-866"], Kind::SingleByte),
    encoding("KOI8-R", "KOI8-R", &["KOI8R"], Kind::SingleByte),
    encoding("KOI8-U", "KOI8-U", &["KOI8U"], Kind::SingleByte),
    encoding("ArmSCII-8", "ArmSCII-8", &["ArmSCII8", "ARMSCII-8", "ARMSCII8"], Kind::SingleByte),
    encoding("CP850", "CP850", &["CP-850", "IBM850", "IBM-850"], Kind::SingleByte),
];

struct SingleByte {
    decode: [u32; 128],
    encode: HashMap<u32, u8>,
}

static SINGLE_BYTE: LazyLock<HashMap<&'static str, SingleByte>> = LazyLock::new(|| {
    let table: &'static str = include_str!("../data/single_byte.txt");
    let read = |line: &'static str| {
        let mut fields = line.split(' ');
        let name = fields.next().unwrap_or("");
        let mut single = SingleByte {
            decode: [BAD; 128],
            encode: HashMap::new(),
        };
        for (byte, field) in (0x80u8..=0xff).zip(fields) {
            if let Ok(code) = u32::from_str_radix(field, 16) {
                single.decode[usize::from(byte - 0x80)] = code;
                single.encode.entry(code).or_insert(byte);
            }
        }
        (name, single)
    };
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(read)
        .collect()
});

/// mb_substitute_character: what stands for what cannot be converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Substitute {
    Char(u32),
    None,
    /// `U+20AC`, or `BAD+` for malformed input
    Long,
    /// `&#x20AC;`
    Entity,
}

impl Default for Substitute {
    fn default() -> Self {
        Substitute::Char(u32::from(b'?'))
    }
}

impl Encoding {
    /// UTF-8, which most callers mean.
    pub fn utf8() -> &'static Encoding {
        static UTF_8: LazyLock<&'static Encoding> = LazyLock::new(|| {
            ENCODINGS
                .iter()
                .find(|encoding| encoding.kind == Kind::Utf8)
                .unwrap_or(&ENCODINGS[0])
        });
        *UTF_8
    }

    /// The encoding of a name, a MIME name or an alias, in whatever case. `None` for what is not known here.
    pub fn find(name: &[u8]) -> Option<&'static Encoding> {
        let is = |known: &str| known.as_bytes().eq_ignore_ascii_case(name);
        let by_name = ENCODINGS.iter().find(|encoding| is(encoding.name));
        let by_mime = || ENCODINGS.iter().find(|encoding| is(encoding.mime_name));
        let by_alias = || {
            ENCODINGS
                .iter()
                .find(|encoding| encoding.aliases.iter().any(|alias| is(alias)))
        };
        by_name.or_else(by_mime).or_else(by_alias)
    }

    pub fn is_utf8(&self) -> bool {
        self.kind == Kind::Utf8
    }

    /// Whether each byte is a character.
    pub fn is_single_byte(&self) -> bool {
        matches!(self.kind, Kind::Ascii | Kind::EightBit | Kind::SingleByte)
    }

    /// The code points of `text`, with [`BAD`] for what is malformed.
    pub fn decode(&self, text: &[u8]) -> Vec<u32> {
        match self.kind {
            Kind::Utf8 => {
                let mut codes = Vec::with_capacity(text.len());
                for chunk in text.utf8_chunks() {
                    codes.extend(chunk.valid().chars().map(u32::from));
                    if !chunk.invalid().is_empty() {
                        codes.push(BAD);
                    }
                }
                codes
            }
            Kind::Ascii => text
                .iter()
                .map(|&byte| if byte < 0x80 { u32::from(byte) } else { BAD })
                .collect(),
            Kind::EightBit => text.iter().map(|&byte| u32::from(byte)).collect(),
            Kind::SingleByte => {
                let table = SINGLE_BYTE.get(self.name);
                let decode = |&byte: &u8| match table {
                    _ if byte < 0x80 => u32::from(byte),
                    Some(table) => table.decode[usize::from(byte - 0x80)],
                    None => BAD,
                };
                text.iter().map(decode).collect()
            }
            Kind::Utf16(order) | Kind::Ucs2(order) => {
                decode_16(text, order, matches!(self.kind, Kind::Utf16(_)))
            }
            Kind::Utf32(order) => decode_32(text, order),
            Kind::Whatwg(encoding) => decode_whatwg(encoding, text),
        }
    }

    /// Appends a code point's bytes; `false` when the encoding does not have it.
    fn push(&self, code: u32, out: &mut Vec<u8>) -> bool {
        match self.kind {
            Kind::Utf8 => match char::from_u32(code) {
                Some(character) => {
                    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes())
                }
                None => return false,
            },
            Kind::Ascii => match u8::try_from(code) {
                Ok(byte @ 0..0x80) => out.push(byte),
                _ => return false,
            },
            Kind::EightBit => match u8::try_from(code) {
                Ok(byte) => out.push(byte),
                Err(_) => return false,
            },
            Kind::SingleByte => match u8::try_from(code) {
                Ok(byte @ 0..0x80) => out.push(byte),
                _ => match SINGLE_BYTE
                    .get(self.name)
                    .and_then(|table| table.encode.get(&code))
                {
                    Some(&byte) => out.push(byte),
                    None => return false,
                },
            },
            Kind::Utf16(order) => match char::from_u32(code) {
                Some(character) => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        out.extend_from_slice(&order.bytes_16(*unit));
                    }
                }
                None => return false,
            },
            Kind::Ucs2(order) => match u16::try_from(code) {
                Ok(unit) => out.extend_from_slice(&order.bytes_16(unit)),
                Err(_) => return false,
            },
            Kind::Utf32(order) => {
                if code > 0x10_ffff {
                    return false;
                }
                let bytes = if order == Order::Little {
                    code.to_le_bytes()
                } else {
                    code.to_be_bytes()
                };
                out.extend_from_slice(&bytes);
            }
            Kind::Whatwg(_) => return false,
        }
        true
    }

    /// The bytes of `codes`.
    pub fn encode(&self, codes: &[u32], substitute: Substitute) -> Vec<u8> {
        if let Kind::Whatwg(encoding) = self.kind {
            return encode_whatwg(encoding, codes, substitute);
        }
        let mut out = Vec::with_capacity(codes.len());
        for &code in codes {
            if code == BAD || !self.push(code, &mut out) {
                substituted(code, substitute, &mut |code| {
                    let _ = self.push(code, &mut out) || self.push(u32::from(b'?'), &mut out);
                });
            }
        }
        out
    }

    /// Whether all of `text` is well-formed.
    pub fn is_valid(&self, text: &[u8]) -> bool {
        match self.kind {
            Kind::Utf8 => std::str::from_utf8(text).is_ok(),
            Kind::Ascii => text.is_ascii(),
            Kind::EightBit => true,
            _ => !self.decode(text).contains(&BAD),
        }
    }
}

/// Writes what stands for `code`.
fn substituted(code: u32, substitute: Substitute, push: &mut dyn FnMut(u32)) {
    let text = match substitute {
        Substitute::Char(code) => return push(code),
        Substitute::None => return,
        // Malformed input has no number to show.
        Substitute::Long | Substitute::Entity if code == BAD => return push(u32::from(b'?')),
        Substitute::Long => format!("U+{code:X}"),
        Substitute::Entity => format!("&#x{code:X};"),
    };
    text.bytes().for_each(|byte| push(u32::from(byte)));
}

impl Order {
    fn bytes_16(self, unit: u16) -> [u8; 2] {
        if self == Order::Little {
            unit.to_le_bytes()
        } else {
            unit.to_be_bytes()
        }
    }
}

fn decode_16(text: &[u8], order: Order, surrogates: bool) -> Vec<u32> {
    let (units, rest) = text.as_chunks::<2>();
    let mut units = units;
    let mut little = order == Order::Little;
    if order == Order::Marked
        && let Some(mark) = units.first()
        && matches!(mark, [0xfe, 0xff] | [0xff, 0xfe])
    {
        little = *mark == [0xff, 0xfe];
        units = &units[1..];
    }
    let units = units.iter().map(|&unit| {
        if little {
            u16::from_le_bytes(unit)
        } else {
            u16::from_be_bytes(unit)
        }
    });
    let mut codes: Vec<u32> = if surrogates {
        char::decode_utf16(units)
            .map(|unit| unit.map_or(BAD, u32::from))
            .collect()
    } else {
        units.map(u32::from).collect()
    };
    if !rest.is_empty() {
        codes.push(BAD);
    }
    codes
}

fn decode_32(text: &[u8], order: Order) -> Vec<u32> {
    let (units, rest) = text.as_chunks::<4>();
    let mut units = units;
    let mut little = order == Order::Little;
    if order == Order::Marked
        && let Some(mark) = units.first()
        && matches!(mark, [0, 0, 0xfe, 0xff] | [0xff, 0xfe, 0, 0])
    {
        little = mark[0] == 0xff;
        units = &units[1..];
    }
    let decode = |&unit: &[u8; 4]| {
        let code = if little {
            u32::from_le_bytes(unit)
        } else {
            u32::from_be_bytes(unit)
        };
        char::from_u32(code).map_or(BAD, u32::from)
    };
    let mut codes: Vec<u32> = units.iter().map(decode).collect();
    if !rest.is_empty() {
        codes.push(BAD);
    }
    codes
}

fn decode_whatwg(encoding: &'static encoding_rs::Encoding, text: &[u8]) -> Vec<u32> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut codes = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut buffer = String::with_capacity(text.len() + 16);
    loop {
        buffer.clear();
        let room = decoder
            .max_utf8_buffer_length_without_replacement(rest.len())
            .unwrap_or(rest.len() * 3 + 16);
        buffer.reserve(room);
        let (result, read) = decoder.decode_to_string_without_replacement(rest, &mut buffer, true);
        codes.extend(buffer.chars().map(u32::from));
        rest = rest.get(read..).unwrap_or_default();
        match result {
            encoding_rs::DecoderResult::InputEmpty => return codes,
            encoding_rs::DecoderResult::Malformed(..) => codes.push(BAD),
            encoding_rs::DecoderResult::OutputFull => {}
        }
    }
}

fn encode_whatwg(
    encoding: &'static encoding_rs::Encoding,
    codes: &[u32],
    substitute: Substitute,
) -> Vec<u8> {
    // Characters that the encoding lacks are replaced first, so that shift states stay right.
    let has = |character: char| !encoding.encode(character.encode_utf8(&mut [0; 4])).2;
    let mut text = String::with_capacity(codes.len());
    for &code in codes {
        match char::from_u32(code).filter(|&character| character.is_ascii() || has(character)) {
            Some(character) => text.push(character),
            None => substituted(code, substitute, &mut |code| {
                text.push(
                    char::from_u32(code)
                        .filter(|&character| has(character))
                        .unwrap_or('?'),
                );
            }),
        }
    }
    encoding.encode(&text).0.into_owned()
}

/// mb_convert_encoding of one string.
pub fn convert<'t>(
    text: &'t [u8],
    to: &Encoding,
    from: &Encoding,
    substitute: Substitute,
) -> Cow<'t, [u8]> {
    if from.is_utf8() && to.is_utf8() && from.is_valid(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(to.encode(&from.decode(text), substitute))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts() {
        let find = |name: &str| Encoding::find(name.as_bytes()).unwrap();
        let check = |to: &str, from: &str, text: &[u8], expected: &[u8]| {
            let found = convert(text, find(to), find(from), Substitute::default());
            assert_eq!(&*found, expected, "{from} to {to}");
        };
        check("ISO-8859-1", "utf8", "é€".as_bytes(), b"\xe9?");
        check("Windows-1252", "UTF-8", "é€".as_bytes(), b"\xe9\x80");
        check("UTF-8", "latin1", b"\xe9\x80", "é\u{80}".as_bytes());
        check(
            "UTF-16LE",
            "UTF-8",
            "a😀".as_bytes(),
            b"a\0\x3d\xd8\x00\xde",
        );
        check("UTF-8", "UTF-16", b"\xff\xfea\0\x3d\xd8", b"a?");
        check("SJIS", "UTF-8", "日本".as_bytes(), b"\x93\xfa\x96\x7b");
        check("UTF-8", "EUC-JP", b"\xc6\xfc\xcb\xdc", "日本".as_bytes());
        check(
            "UTF-8",
            "UTF-8",
            b"\xed\xa0\x80\xe2\x82a\xf0\x9f\x98",
            b"????a?",
        );
        check("KOI8-R", "UTF-8", "Я".as_bytes(), b"\xf1");
        assert_eq!(Encoding::find(b"shift_jis").unwrap().name, "SJIS");
        assert!(Encoding::find(b"nosuch").is_none());
        let ascii = find("ASCII");
        let as_entity = ascii.encode(&[0x61, 0x20ac], Substitute::Entity);
        assert_eq!(as_entity, b"a&#x20AC;");
        assert_eq!(ascii.encode(&[0x61, 0x20ac], Substitute::Long), b"aU+20AC");
        assert_eq!(ascii.encode(&[0x61, BAD], Substitute::None), b"a");
    }
}
