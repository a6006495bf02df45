//! The encodings by PHP's names, decoding to code points, and encoding.
//!
//! Malformed input decodes to [`BAD`]; encoding writes what the substitute setting says for it and for characters the
//! encoding does not have.

use crate::shift::{Shift, ShiftEncoder};
use crate::table::{self, Decoded, NONE};
use crate::transfer;
use crate::utf7::{self, Utf7};
use jumbo_value::{HeapCharge, OutOfMemory, PStrBuilder};
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
    /// UTF-32 with surrogates as characters.
    Ucs4(Order),
    Utf7(Utf7),
    /// Several bytes by their first, and a table by its name.
    Table(Leads, &'static str),
    /// UTF-8 with pictures of mobile telephones in its private areas, by a table.
    Mobile(&'static str),
    Shift(Shift),
    Base64,
    Uuencode,
    Html,
    QuotedPrintable,
}

/// Which bytes begin a character of several bytes, malformed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leads {
    EucJp,
    EucJp2004,
    Cp51932,
    Sjis,
    Cp932,
    SjisMac,
    Softbank,
    Gb18030,
    EucCn,
    EucTw,
    Big5,
    EucKr,
    Uhc,
    /// 81 to FE.
    All,
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

/// Bytes as they are, beside the transfer encodings.
static EIGHT_BIT: Encoding = encoding("8bit", "8bit", &[], Kind::EightBit);

/// What `pass` means as an output encoding: nothing is converted. No other function knows it.
pub static PASS: Encoding = encoding("pass", "pass", &[], Kind::EightBit);

/// The encodings, in the order of mb_list_encodings().
#[rustfmt::skip]
pub static ENCODINGS: &[Encoding] = &[
    encoding("BASE64", "BASE64", &[], Kind::Base64),
    encoding("UUENCODE", "x-uuencode", &[], Kind::Uuencode),
    encoding("HTML-ENTITIES", "HTML-ENTITIES", &["HTML", "html"], Kind::Html),
    encoding("Quoted-Printable", "Quoted-Printable", &["qprint"], Kind::QuotedPrintable),
    encoding("7bit", "7bit", &[], Kind::Ascii),
    encoding("8bit", "8bit", &["binary"], Kind::EightBit),
    encoding("UCS-4", "UCS-4", &["ISO-10646-UCS-4", "UCS4"], Kind::Ucs4(Order::Marked)),
    encoding("UCS-4BE", "UCS-4BE", &["byte4be"], Kind::Ucs4(Order::Big)),
    encoding("UCS-4LE", "UCS-4LE", &["byte4le"], Kind::Ucs4(Order::Little)),
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
    encoding("UTF-7", "UTF-7", &["utf7"], Kind::Utf7(Utf7::Mail)),
    encoding("UTF7-IMAP", "", &["mUTF-7"], Kind::Utf7(Utf7::Imap)),
    encoding("ASCII", "US-ASCII", ASCII_ALIASES, Kind::Ascii),
    encoding("EUC-JP", "EUC-JP", &["EUC", "EUC_JP", "eucJP", "x-euc-jp"], Kind::Table(Leads::EucJp, "euc-jp")),
    encoding("SJIS", "Shift_JIS", &["x-sjis", "SHIFT-JIS"], Kind::Table(Leads::Sjis, "sjis")),
    encoding("eucJP-win", "EUC-JP", &["eucJP-open", "eucJP-ms"], Kind::Table(Leads::EucJp, "eucjp-win")),
    encoding("EUC-JP-2004", "EUC-JP", &["EUC_JP-2004"], Kind::Table(Leads::EucJp2004, "euc-jp-2004")),
    encoding("SJIS-Mobile#DOCOMO", "Shift_JIS", &["SJIS-DOCOMO", "shift_jis-imode", "x-sjis-emoji-docomo"], Kind::Table(Leads::Cp932, "sjis-mobile-docomo")),
    encoding("SJIS-Mobile#KDDI", "Shift_JIS", &["SJIS-KDDI", "shift_jis-kddi", "x-sjis-emoji-kddi"], Kind::Table(Leads::Cp932, "sjis-mobile-kddi")),
    encoding("SJIS-Mobile#SOFTBANK", "Shift_JIS", &["SJIS-SOFTBANK", "shift_jis-softbank", "x-sjis-emoji-softbank"], Kind::Table(Leads::Softbank, "sjis-mobile-softbank")),
    encoding("SJIS-mac", "Shift_JIS", &["MacJapanese", "x-Mac-Japanese"], Kind::Table(Leads::SjisMac, "sjis-mac")),
    encoding("SJIS-2004", "Shift_JIS", &["SJIS2004", "Shift_JIS-2004"], Kind::Table(Leads::Cp932, "sjis-2004")),
    encoding("UTF-8-Mobile#DOCOMO", "UTF-8", &["UTF-8-DOCOMO", "UTF8-DOCOMO"], Kind::Mobile("utf-8-mobile-docomo")),
    encoding("UTF-8-Mobile#KDDI-A", "UTF-8", &[], Kind::Mobile("utf-8-mobile-kddi-a")),
    encoding("UTF-8-Mobile#KDDI-B", "UTF-8", &["UTF-8-Mobile#KDDI", "UTF-8-KDDI", "UTF8-KDDI"], Kind::Mobile("utf-8-mobile-kddi-b")),
    encoding("UTF-8-Mobile#SOFTBANK", "UTF-8", &["UTF-8-SOFTBANK", "UTF8-SOFTBANK"], Kind::Mobile("utf-8-mobile-softbank")),
    encoding("CP932", "Shift_JIS", &["MS932", "Windows-31J", "MS_Kanji"], Kind::Table(Leads::Cp932, "cp932")),
    encoding("SJIS-win", "Shift_JIS", &["SJIS-ms", "SJIS-open"], Kind::Table(Leads::Cp932, "sjis-win")),
    encoding("CP51932", "CP51932", &["cp51932"], Kind::Table(Leads::Cp51932, "cp51932")),
    encoding("JIS", "ISO-2022-JP", &[], Kind::Shift(Shift::Jis)),
    encoding("ISO-2022-JP", "ISO-2022-JP", &[], Kind::Shift(Shift::Iso2022Jp)),
    encoding("ISO-2022-JP-MS", "ISO-2022-JP", &["ISO2022JPMS"], Kind::Shift(Shift::Iso2022JpMs)),
    encoding("GB18030", "GB18030", &["gb-18030", "gb-18030-2000"], Kind::Table(Leads::Gb18030, "gb18030")),
    encoding("GB18030-2022", "GB18030-2022", &[], Kind::Table(Leads::Gb18030, "gb18030-2022")),
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
    encoding("EUC-CN", "CN-GB", &["CN-GB", "EUC_CN", "eucCN", "x-euc-cn", "gb2312"], Kind::Table(Leads::EucCn, "euc-cn")),
    encoding("CP936", "CP936", &["CP-936", "GBK"], Kind::Table(Leads::All, "cp936")),
    encoding("HZ", "HZ-GB-2312", &[], Kind::Shift(Shift::Hz)),
    encoding("EUC-TW", "EUC-TW", &["EUC_TW", "eucTW", "x-euc-tw"], Kind::Table(Leads::EucTw, "euc-tw")),
    encoding("BIG-5", "BIG5", &["CN-BIG5", "BIG-FIVE", "BIGFIVE"], Kind::Table(Leads::Big5, "big-5")),
    encoding("CP950", "BIG5", &[], Kind::Table(Leads::All, "cp950")),
    encoding("EUC-KR", "EUC-KR", &["EUC_KR", "eucKR", "x-euc-kr"], Kind::Table(Leads::EucKr, "euc-kr")),
    encoding("UHC", "UHC", &["CP949"], Kind::Table(Leads::Uhc, "uhc")),
    encoding("ISO-2022-KR", "ISO-2022-KR", &[], Kind::Shift(Shift::Iso2022Kr)),
    encoding("Windows-1251", "Windows-1251", &["CP1251", "CP-1251", "WINDOWS-1251"], Kind::SingleByte),
    encoding("CP866", "CP866", &["CP-866", "IBM866", "IBM-866"], Kind::SingleByte),
    encoding("KOI8-R", "KOI8-R", &["KOI8R"], Kind::SingleByte),
    encoding("KOI8-U", "KOI8-U", &["KOI8U"], Kind::SingleByte),
    encoding("ArmSCII-8", "ArmSCII-8", &["ArmSCII8", "ARMSCII-8", "ARMSCII8"], Kind::SingleByte),
    encoding("CP850", "CP850", &["CP-850", "IBM850", "IBM-850"], Kind::SingleByte),
    encoding("ISO-2022-JP-2004", "ISO-2022-JP-2004", &[], Kind::Shift(Shift::Iso2022Jp2004)),
    encoding("ISO-2022-JP-MOBILE#KDDI", "ISO-2022-JP", &["ISO-2022-JP-KDDI"], Kind::Shift(Shift::Kddi)),
    encoding("CP50220", "ISO-2022-JP", &["cp50220raw", "cp50220-raw", "JIS-ms"], Kind::Shift(Shift::Cp50220)),
    encoding("CP50221", "ISO-2022-JP", &[], Kind::Shift(Shift::Cp50221)),
    encoding("CP50222", "ISO-2022-JP", &[], Kind::Shift(Shift::Cp50222)),
];

struct SingleByte {
    decode: [u32; 128],
    encode: HashMap<u32, u8>,
    /// Some of ASCII is written otherwise.
    own_punctuation: bool,
}

/// ASCII that ArmSCII-8 writes as its own punctuation.
const ARMENIAN_PUNCTUATION: [(u32, u8); 5] = [(0x28, 0xa5), (0x29, 0xa4), (0x2c, 0xab), (0x2d, 0xac), (0x2e, 0xa9)];

impl SingleByte {
    fn encode(&self, code: u32) -> Option<u8> {
        match u8::try_from(code) {
            Ok(byte @ 0..0x80) if !self.own_punctuation => Some(byte),
            _ => self.encode.get(&code).copied(),
        }
    }
}

static SINGLE_BYTE: LazyLock<HashMap<&'static str, SingleByte>> = LazyLock::new(|| {
    let table: &'static str = include_str!("../data/single_byte.txt");
    let read = |line: &'static str| {
        let mut fields = line.split(' ');
        let name = fields.next().unwrap_or("");
        let mut single = SingleByte {
            decode: [BAD; 128],
            encode: HashMap::new(),
            own_punctuation: name == "ArmSCII-8",
        };
        if single.own_punctuation {
            single.encode.extend((0..0x80u8).map(|byte| (u32::from(byte), byte)));
            single.encode.extend(ARMENIAN_PUNCTUATION);
        }
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
    /// `U+20AC`; the character for malformed input, which has no number.
    Long(u32),
    /// `&#x20AC;`; the character for malformed input.
    Entity(u32),
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
        // UTF7-IMAP has no name in MIME.
        let by_mime = || ENCODINGS.iter().find(|encoding| !encoding.mime_name.is_empty() && is(encoding.mime_name));
        let by_alias = || {
            ENCODINGS
                .iter()
                .find(|encoding| encoding.aliases.iter().any(|alias| is(alias)))
        };
        by_name.or_else(by_mime).or_else(by_alias)
    }

    fn single_byte(&self) -> Option<&'static SingleByte> {
        SINGLE_BYTE.get(self.name)
    }

    pub fn is_utf8(&self) -> bool {
        self.kind == Kind::Utf8
    }

    /// Whether each byte is a character.
    pub fn is_single_byte(&self) -> bool {
        matches!(self.kind, Kind::Ascii | Kind::EightBit | Kind::SingleByte)
    }

    /// How many bytes each character has, when it is the same for all and more than one. UTF-16 is not among them.
    pub fn width(&self) -> Option<usize> {
        match self.kind {
            Kind::Ucs2(_) => Some(2),
            Kind::Utf32(_) | Kind::Ucs4(_) => Some(4),
            _ => None,
        }
    }

    /// Whether it is UTF-16, and whether that is little-endian without a mark.
    pub fn utf16_is_little(&self) -> Option<bool> {
        match self.kind {
            Kind::Utf16(order) => Some(order == Order::Little),
            _ => None,
        }
    }

    /// Whether a text begins with a byte order mark that the encoding looks for.
    pub fn has_mark(&self, text: &[u8]) -> bool {
        matches!(self.kind, Kind::Utf16(Order::Marked)) && matches!(text, [0xfe, 0xff, ..] | [0xff, 0xfe, ..])
    }

    /// Turkish pairs dotted and dotless i, which this encoding is for.
    pub fn is_turkish(&self) -> bool {
        self.name == "ISO-8859-9"
    }

    /// Whether one character alone has a form in it: mb_chr and mb_ord want one.
    pub fn has_single_characters(&self) -> bool {
        match self.kind {
            Kind::Base64 | Kind::QuotedPrintable | Kind::Uuencode | Kind::Html | Kind::Utf7(_) => false,
            Kind::Shift(shift) => matches!(shift, Shift::Hz | Shift::Iso2022Kr),
            _ => true,
        }
    }

    /// For encodings that are split by first bytes: how many bytes a character with this first byte has.
    pub fn length_by_lead(&self) -> Option<fn(u8) -> usize> {
        match self.kind {
            Kind::Utf8 | Kind::Mobile(_) => Some(|byte| match byte {
                0xc2..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf4 => 4,
                _ => 1,
            }),
            Kind::Table(leads, name) => match (leads, name) {
                (Leads::EucJp | Leads::EucJp2004 | Leads::Cp51932, _) => Some(|byte| match byte {
                    0x8e | 0xa1..=0xfe => 2,
                    0x8f => 3,
                    _ => 1,
                }),
                (Leads::Sjis, _) => Some(|byte| two_if(matches!(byte, 0x81..=0x9f | 0xe0..=0xef))),
                (Leads::SjisMac, _) => Some(|byte| two_if(matches!(byte, 0x81..=0x9f | 0xe0..=0xed))),
                (Leads::Cp932, "cp932" | "sjis-win") => Some(|byte| two_if(matches!(byte, 0x81..=0x9f | 0xe0..))),
                (Leads::Cp932 | Leads::Softbank, _) => Some(|byte| two_if(matches!(byte, 0x81..=0x9f | 0xe0..=0xfc))),
                (Leads::EucCn | Leads::EucTw | Leads::EucKr, _) => Some(|byte| two_if(matches!(byte, 0xa1..=0xfe))),
                (Leads::Gb18030, _) => None,
                (Leads::Big5 | Leads::Uhc | Leads::All, _) => Some(|byte| two_if(matches!(byte, 0x81..=0xfe))),
            },
            _ if self.is_single_byte() => Some(|_| 1),
            _ => None,
        }
    }

    /// Why mbstring should not be asked for it: it is no encoding of characters.
    pub fn deprecation(&self) -> Option<&'static str> {
        Some(match self.kind {
            Kind::Base64 => "Handling Base64 via mbstring is deprecated; use base64_encode/base64_decode instead",
            Kind::QuotedPrintable => {
                "Handling QPrint via mbstring is deprecated; use quoted_printable_encode/quoted_printable_decode instead"
            }
            Kind::Uuencode => "Handling Uuencode via mbstring is deprecated; use convert_uuencode/convert_uudecode instead",
            Kind::Html => {
                "Handling HTML entities via mbstring is deprecated; use htmlspecialchars, htmlentities, or mb_encode_numericentity/mb_decode_numericentity instead"
            }
            _ => return None,
        })
    }

    /// Whether text may be said to be in it: it is an encoding of characters, and not every text is.
    pub fn is_detected(&self) -> bool {
        let no_characters = matches!(self.kind, Kind::Base64 | Kind::QuotedPrintable | Kind::Uuencode | Kind::Html);
        !no_characters && self.name != "7bit" && self.name != "8bit"
    }

    /// Base64, quoted-printable and uuencode stand for bytes: what is converted from and to them is not looked at.
    pub fn is_transfer(&self) -> bool {
        matches!(self.kind, Kind::Base64 | Kind::QuotedPrintable | Kind::Uuencode)
    }

    /// The code points of `text`, with [`BAD`] for what is malformed.
    pub fn decode(&self, text: &[u8]) -> Vec<u32> {
        match self.kind {
            Kind::Utf8 => decode_utf8(text),
            Kind::Ascii => text
                .iter()
                .map(|&byte| if byte < 0x80 { u32::from(byte) } else { BAD })
                .collect(),
            Kind::EightBit => bytes(text),
            Kind::SingleByte => {
                let table = self.single_byte();
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
            Kind::Utf32(order) => decode_32(text, order, false),
            Kind::Ucs4(order) => decode_32(text, order, true),
            Kind::Utf7(form) => form.decode(text).codes,
            Kind::Table(leads, name) => decode_table(leads, table::find(name), text),
            Kind::Mobile(name) => {
                let table = table::find(name);
                let mut codes = Vec::with_capacity(text.len());
                for code in decode_utf8(text) {
                    match table.decode(code) {
                        Decoded::None => codes.push(code),
                        Decoded::One(code) => codes.push(code),
                        Decoded::Several(several) => codes.extend_from_slice(several),
                    }
                }
                codes
            }
            Kind::Shift(shift) => shift.decode(text),
            Kind::Base64 => bytes(&transfer::base64_decode(text)),
            Kind::QuotedPrintable => bytes(&transfer::quoted_decode(text)),
            Kind::Uuencode => bytes(&transfer::uudecode(text)),
            Kind::Html => transfer::html_decode(text),
        }
    }

    /// Whether all of `text` is well-formed.
    pub fn is_valid(&self, text: &[u8]) -> Result<bool, OutOfMemory> {
        match self.kind {
            Kind::Utf8 => return Ok(std::str::from_utf8(text).is_ok()),
            Kind::Ascii => return Ok(text.is_ascii()),
            Kind::EightBit => return Ok(true),
            Kind::Utf7(form) => {
                let _charge = HeapCharge::new(text.len().saturating_mul(size_of::<u32>()))?;
                return Ok(form.decode(text).valid);
            }
            Kind::Shift(shift) if !shift.is_proper(text) => return Ok(false),
            _ => {}
        }
        let mut valid = true;
        self.pieces(text, |codes| valid = valid && !codes.contains(&BAD))?;
        Ok(valid)
    }

    /// Gives `each` the code points, a piece of the text at a time where pieces can be told apart.
    pub fn pieces(&self, text: &[u8], mut each: impl FnMut(&mut [u32])) -> Result<(), OutOfMemory> {
        let mut rest = text;
        while !rest.is_empty() {
            let (piece, tail) = rest.split_at(self.piece(rest));
            each(&mut self.decode_charged(piece)?);
            rest = tail;
        }
        Ok(())
    }

    /// The bytes of `codes`.
    pub fn encode(&self, codes: &[u32], substitute: Substitute) -> Vec<u8> {
        let mut encoder = Encoder::new(self);
        let mut out = Vec::with_capacity(codes.len());
        let prepared = encoder.prepare(codes);
        let codes = prepared.as_deref().unwrap_or(codes);
        if !codes.is_empty() {
            encoder.start(&mut out);
        }
        let mut rest = codes;
        while !rest.is_empty() {
            rest = &rest[encoder.push_or_substitute(rest, substitute, &mut out).0..];
        }
        encoder.finish(&mut out);
        out
    }

    /// What decoding takes for a byte of text, with what is made on the way.
    fn decoding_bytes(&self) -> usize {
        match self.kind {
            // Their code points in UTF-8 are decoded first.
            Kind::Mobile(_) => 2 * size_of::<u32>(),
            Kind::Base64 | Kind::QuotedPrintable | Kind::Uuencode => 1 + size_of::<u32>(),
            _ => size_of::<u32>(),
        }
    }

    /// As [`Encoding::decode`], where what the code points take counts against the memory limit.
    pub fn decode_charged(&self, text: &[u8]) -> Result<Codes, OutOfMemory> {
        let mut charge = HeapCharge::new(text.len().saturating_mul(self.decoding_bytes()))?;
        let codes = self.decode(text);
        charge.resize(codes.capacity() * size_of::<u32>())?;
        Ok(Codes { codes, charge })
    }

    /// Appends the bytes of `codes`; for how many of them something else stands.
    pub fn encode_to(&self, codes: &[u32], substitute: Substitute, out: &mut PStrBuilder) -> Result<usize, OutOfMemory> {
        let mut writer = Writer::new(self, substitute);
        writer.write(codes, true, out)?;
        writer.finish(out)
    }

    /// The bytes of `codes` as a string of the request.
    pub fn encode_charged(&self, codes: &[u32], substitute: Substitute) -> Result<PStrBuilder, OutOfMemory> {
        let mut out = PStrBuilder::with_capacity(codes.len())?;
        self.encode_to(codes, substitute, &mut out)?;
        Ok(out)
    }

    /// How many bytes at the start of a text can be decoded by themselves, with the same result: [`PIECE`] or a few more where
    /// characters can be told apart, all otherwise.
    pub fn piece(&self, text: &[u8]) -> usize {
        if text.len() <= PIECE {
            return text.len();
        }
        match self.kind {
            Kind::Ascii | Kind::EightBit | Kind::SingleByte => PIECE,
            // What is no continuation begins a character, whatever is before it.
            Kind::Utf8 | Kind::Mobile(_) => {
                let lead = text[PIECE..].iter().position(|byte| !matches!(byte, 0x80..=0xbf));
                lead.map_or(text.len(), |at| PIECE + at)
            }
            Kind::Utf32(Order::Big | Order::Little)
            | Kind::Ucs4(Order::Big | Order::Little)
            | Kind::Ucs2(Order::Big | Order::Little) => PIECE,
            _ => text.len(),
        }
    }

    /// Appends a code point's bytes in an encoding without shift states; `false` when the encoding does not have it.
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
            // What is not above U+FFFF is one unit, surrogates too.
            Kind::Utf16(order) => match (u16::try_from(code), char::from_u32(code)) {
                (Ok(unit), _) => out.extend_from_slice(&order.bytes_16(unit)),
                (Err(_), Some(character)) => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        out.extend_from_slice(&order.bytes_16(*unit));
                    }
                }
                (Err(_), None) => return false,
            },
            Kind::Ucs2(order) => match u16::try_from(code) {
                Ok(unit) => out.extend_from_slice(&order.bytes_16(unit)),
                Err(_) => return false,
            },
            Kind::Utf32(order) | Kind::Ucs4(order) => {
                if code > 0x10_ffff && matches!(self.kind, Kind::Utf32(_)) {
                    return false;
                }
                let bytes = if order == Order::Little {
                    code.to_le_bytes()
                } else {
                    code.to_be_bytes()
                };
                out.extend_from_slice(&bytes);
            }
            // Bytes, or characters that are transferred as bytes.
            _ => match u8::try_from(code) {
                Ok(byte) => out.push(byte),
                Err(_) => return false,
            },
        }
        true
    }
}

fn two_if(is_lead: bool) -> usize {
    if is_lead { 2 } else { 1 }
}

fn bytes(text: &[u8]) -> Vec<u32> {
    text.iter().map(|&byte| u32::from(byte)).collect()
}

/// Text is converted in pieces of so many bytes; a multiple of every unit's size.
const PIECE: usize = 16 << 10;

/// More code points than any encoding has one sequence for.
const SEVERAL_MAX: usize = 8;

/// Code points that count against the memory limit.
pub struct Codes {
    codes: Vec<u32>,
    charge: HeapCharge,
}

impl Codes {
    pub fn with_capacity(capacity: usize) -> Result<Codes, OutOfMemory> {
        let mut codes = Codes { codes: Vec::new(), charge: HeapCharge::none() };
        codes.charge.reserve(&mut codes.codes, capacity)?;
        Ok(codes)
    }
    #[inline]
    pub fn push(&mut self, code: u32) -> Result<(), OutOfMemory> {
        if self.codes.len() == self.codes.capacity() {
            self.charge.reserve(&mut self.codes, 1)?;
        }
        self.codes.push(code);
        Ok(())
    }
    pub fn extend(&mut self, codes: &[u32]) -> Result<(), OutOfMemory> {
        self.charge.reserve(&mut self.codes, codes.len())?;
        self.codes.extend_from_slice(codes);
        Ok(())
    }
    pub fn truncate(&mut self, len: usize) {
        self.codes.truncate(len);
    }
    pub fn retain(&mut self, mut keeps: impl FnMut(u32) -> bool) {
        self.codes.retain(|code| keeps(*code));
    }
}

impl std::ops::Deref for Codes {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.codes
    }
}

impl std::ops::DerefMut for Codes {
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.codes
    }
}

/// Writes text piece by piece in one encoding. What it holds itself is a block of bounded size, except for the encodings that are
/// made of the whole, where it is charged.
pub struct Writer<'e> {
    encoder: Encoder<'e>,
    substitute: Substitute,
    /// Bytes on their way to the string.
    block: Vec<u8>,
    charge: HeapCharge,
    started: bool,
    errors: usize,
}

impl<'e> Writer<'e> {
    /// A block goes to the string when it has so many bytes.
    const BLOCK: usize = 4 << 10;

    pub fn new(encoding: &'e Encoding, substitute: Substitute) -> Writer<'e> {
        let encoder = Encoder::new(encoding);
        Writer { encoder, substitute, block: Vec::new(), charge: HeapCharge::none(), started: false, errors: 0 }
    }

    /// Whether the code points must come in one call.
    pub fn wants_all(&self) -> bool {
        matches!(self.encoder, Encoder::Shift(_))
    }

    /// Appends code points; how many were taken: not the last few, unless they are the text's last.
    pub fn write(&mut self, codes: &[u32], is_last: bool, out: &mut PStrBuilder) -> Result<usize, OutOfMemory> {
        let _prepared_charge = match self.wants_all() {
            true => HeapCharge::new(size_of_val(codes))?,
            false => HeapCharge::none(),
        };
        let prepared = self.encoder.prepare(codes);
        let written = prepared.as_deref().unwrap_or(codes);
        if !self.started && !written.is_empty() {
            self.started = true;
            self.block.reserve(written.len().min(Self::BLOCK));
            self.encoder.start(&mut self.block);
        }
        let keep = if is_last { 0 } else { self.encoder.lookahead() - 1 };
        let is_whole = matches!(self.encoder, Encoder::Whole(kind) if kind != Kind::Html);
        let mut rest = written;
        while rest.len() > keep {
            if is_whole {
                // A character or its substitute is much shorter.
                self.charge.reserve(&mut self.block, 256)?;
            } else if self.block.len() >= Self::BLOCK {
                out.extend(&self.block)?;
                self.block.clear();
            }
            let (count, replaced) = self.encoder.push_or_substitute(rest, self.substitute, &mut self.block);
            self.errors += usize::from(replaced);
            rest = &rest[count..];
        }
        Ok(if prepared.is_some() { codes.len() } else { codes.len() - rest.len() })
    }

    /// Ends the text; for how many characters something else stands.
    pub fn finish(mut self, out: &mut PStrBuilder) -> Result<usize, OutOfMemory> {
        // Quoted-printable has up to three bytes for one, and line ends.
        let _form = match self.encoder {
            Encoder::Whole(kind) if kind != Kind::Html => HeapCharge::new(self.block.len().saturating_mul(4))?,
            _ => HeapCharge::none(),
        };
        self.encoder.finish(&mut self.block);
        out.extend(&self.block)?;
        Ok(self.errors)
    }
}

/// Writes code points in one encoding.
enum Encoder<'e> {
    /// Each for itself.
    Plain(&'e Encoding),
    Table(Leads, &'static table::Table),
    Single(&'static SingleByte),
    Mobile(&'static table::Table),
    Shift(ShiftEncoder),
    Utf7(utf7::Encoder),
    /// The whole is made into another form at the end.
    Whole(Kind),
}

impl Encoder<'_> {
    fn new(encoding: &Encoding) -> Encoder<'_> {
        match encoding.kind {
            Kind::Table(leads, name) => Encoder::Table(leads, table::find(name)),
            Kind::SingleByte => match encoding.single_byte() {
                Some(table) => Encoder::Single(table),
                None => Encoder::Plain(encoding),
            },
            Kind::Mobile(name) => Encoder::Mobile(table::find(name)),
            Kind::Shift(shift) => Encoder::Shift(ShiftEncoder::new(shift)),
            Kind::Utf7(form) => Encoder::Utf7(utf7::Encoder::new(form)),
            kind @ (Kind::Base64 | Kind::QuotedPrintable | Kind::Uuencode | Kind::Html) => Encoder::Whole(kind),
            _ => Encoder::Plain(encoding),
        }
    }

    /// Code points that are written instead, where all of them must be known for that.
    fn prepare(&self, codes: &[u32]) -> Option<Vec<u32>> {
        match self {
            Encoder::Shift(shift) => shift.prepare(codes),
            _ => None,
        }
    }

    /// How many code points decide together how the first is written.
    fn lookahead(&self) -> usize {
        match self {
            Encoder::Plain(_) | Encoder::Single(_) | Encoder::Utf7(_) | Encoder::Whole(_) => 1,
            Encoder::Table(..) | Encoder::Mobile(_) | Encoder::Shift(_) => SEVERAL_MAX,
        }
    }

    /// The code point or points at the start of `codes`, or what stands for the first: how many they were, and whether they were
    /// replaced.
    fn push_or_substitute(&mut self, codes: &[u32], substitute: Substitute, out: &mut Vec<u8>) -> (usize, bool) {
        let Some(&code) = codes.first() else { return (0, false) };
        let written = if code == BAD { 0 } else { self.push(codes, out) };
        if written == 0 {
            substituted(code, substitute, &mut |code| {
                let _ = self.push(&[code], out) > 0 || self.push(&[u32::from(b'?')], out) > 0;
            });
        }
        (written.max(1), written == 0)
    }

    fn start(&self, out: &mut Vec<u8>) {
        if let Encoder::Shift(shift) = self {
            shift.start(out);
        }
    }

    /// The code point or points at the start of `codes`: how many they were; 0 when there is nothing for them.
    fn push(&mut self, codes: &[u32], out: &mut Vec<u8>) -> usize {
        let Some(&code) = codes.first() else { return 0 };
        match self {
            Encoder::Plain(encoding) => usize::from(encoding.push(code, out)),
            Encoder::Single(table) => match table.encode(code) {
                Some(byte) => {
                    out.push(byte);
                    1
                }
                None => 0,
            },
            Encoder::Table(leads, table) => {
                let (sequence, count) = table.encode_several(codes).unwrap_or_else(|| (table.encode(code), 1));
                let sequence = match (leads, code) {
                    (Leads::Gb18030, 0x1_0000..=0x10_ffff) if sequence == NONE => gb18030_sequence(code),
                    _ => sequence,
                };
                if sequence == NONE {
                    return 0;
                }
                let bytes = sequence.to_be_bytes();
                let zeros = bytes.iter().take_while(|&&byte| byte == 0).count().min(3);
                out.extend_from_slice(&bytes[zeros..]);
                // SoftBank's escape sequence has an end.
                if bytes[..2] == *b"\x1b$" {
                    out.push(0x0f);
                }
                count
            }
            Encoder::Mobile(table) => {
                let known = table.encode_several(codes);
                let (code, count) = match (known, table.encode_or_refuse(code)) {
                    (Some(found), _) => found,
                    (None, NONE) => (code, 1),
                    (None, table::REFUSED) => return 0,
                    (None, code) => (code, 1),
                };
                match char::from_u32(code) {
                    Some(character) => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                    None => return 0,
                }
                count
            }
            Encoder::Shift(shift) => shift.push(codes, out),
            Encoder::Utf7(encoder) => usize::from(encoder.push(code, out)),
            Encoder::Whole(Kind::Html) => {
                transfer::html_encode(code, out);
                1
            }
            Encoder::Whole(_) => match u8::try_from(code) {
                Ok(byte) => {
                    out.push(byte);
                    1
                }
                Err(_) => 0,
            },
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        match self {
            Encoder::Shift(shift) => shift.finish(out),
            Encoder::Utf7(encoder) => encoder.finish(out),
            Encoder::Whole(Kind::Base64) => *out = transfer::base64_encode(out),
            Encoder::Whole(Kind::QuotedPrintable) => *out = transfer::quoted_encode(out),
            Encoder::Whole(Kind::Uuencode) => *out = transfer::uuencode(out),
            _ => {}
        }
    }
}

fn decode_utf8(text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        codes.extend(chunk.valid().chars().map(u32::from));
        if !chunk.invalid().is_empty() {
            codes.push(BAD);
        }
    }
    codes
}

/// The four bytes of a supplementary character in GB18030.
fn gb18030_sequence(code: u32) -> u32 {
    let linear = code - 0x1_0000;
    let (rest, fourth) = (linear / 10, linear % 10);
    let (rest, third) = (rest / 126, rest % 126);
    let (first, second) = (rest / 10, rest % 10);
    u32::from_be_bytes([0x90 + first as u8, 0x30 + second as u8, 0x81 + third as u8, 0x30 + fourth as u8])
}

/// The supplementary character of four bytes of GB18030 from 90308130 on.
fn gb18030_supplementary(bytes: [u8; 4]) -> Option<u32> {
    let [first, second, third, fourth] = bytes.map(u32::from);
    let linear = ((first.checked_sub(0x90)? * 10 + (second - 0x30)) * 126 + (third - 0x81)) * 10 + (fourth - 0x30);
    char::from_u32(0x1_0000 + linear).map(u32::from)
}

/// How many bytes the malformed or unknown character at the start of `text` takes, or the well-formed one.
fn extent(leads: Leads, table: &table::Table, text: &[u8]) -> usize {
    let [first, rest @ ..] = text else { return 0 };
    let second = rest.first().copied();
    let is_lead = match leads {
        Leads::EucJp | Leads::EucJp2004 => matches!(first, 0x8e | 0x8f | 0xa1..=0xfe),
        Leads::Cp51932 => matches!(first, 0x8e | 0xa1..=0xfe),
        Leads::Sjis => matches!(first, 0x81..=0x9f | 0xe0..=0xef),
        Leads::Cp932 | Leads::Softbank => matches!(first, 0x81..=0x9f | 0xe0..=0xfc),
        Leads::SjisMac => matches!(first, 0x81..=0x9f | 0xe0..=0xed),
        Leads::Gb18030 | Leads::All => matches!(first, 0x81..=0xfe),
        Leads::EucCn => matches!(first, 0xa1..=0xa9 | 0xb0..=0xf7),
        Leads::EucTw => matches!(first, 0x8e | 0xa1..=0xa6 | 0xc2 | 0xc4..=0xfd),
        Leads::Big5 => {
            matches!(first, 0xa1..=0xf9)
                && (*first != 0xc8 || second.is_some_and(|byte| !matches!(byte, 0x40..=0x7e | 0xa1..=0xfe)))
        }
        Leads::EucKr => matches!(first, 0xa1..=0xac | 0xb0..=0xc8 | 0xca..=0xfd),
        Leads::Uhc => {
            matches!(first, 0x81..=0xfd) && (*first != 0xc9 || second.is_some_and(|byte| !matches!(byte, 0x41..=0xfe)))
        }
    };
    let wanted = match (leads, *first, second) {
        _ if !is_lead => 1,
        (Leads::EucJp, 0x8f, _) => 3,
        (Leads::EucJp2004, 0x8f, Some(0xa1 | 0xa3..=0xa5 | 0xa8 | 0xac..=0xaf | 0xee..=0xfe)) => 3,
        (Leads::EucTw, 0x8e, Some(plane @ (0xa1 | 0xa2 | 0xae))) => match rest.get(1) {
            Some(row) if table.begins(u32::from_be_bytes([0, 0x8e, plane, *row])) => 4,
            _ => 3,
        },
        (Leads::Gb18030, 0x81..=0x84 | 0x90..=0xe3, Some(0x30..=0x39)) => match rest.get(1) {
            Some(0x81..=0xfe) => 4,
            _ => 3,
        },
        _ => 2,
    };
    wanted.min(text.len())
}

fn decode_table(leads: Leads, table: &table::Table, text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(&first) = rest.first() {
        if first < 0x80 && first != 0x1b {
            // The usual case; some encodings have other characters there, which their tables know.
            match table.decode(u32::from(first)) {
                Decoded::One(code) => codes.push(code),
                _ => codes.push(BAD),
            }
            rest = &rest[1..];
            continue;
        }
        if leads == Leads::Softbank && first == 0x1b {
            rest = if rest.starts_with(b"\x1b$") {
                softbank_escape(table, rest, &mut codes)
            } else {
                codes.push(BAD);
                &rest[rest.len().min(2)..]
            };
            continue;
        }
        // A character of one byte, else of as many as its first ones say.
        let one = table.decode(u32::from(first));
        let taken = if matches!(one, Decoded::None) { extent(leads, table, rest) } else { 1 };
        let (character, tail) = rest.split_at(taken.clamp(1, rest.len()));
        rest = tail;
        let sequence = character.iter().fold(0u32, |sequence, &byte| sequence << 8 | u32::from(byte));
        match (table.decode(sequence), leads, character) {
            (Decoded::One(code), ..) => codes.push(code),
            (Decoded::Several(several), ..) => codes.extend_from_slice(several),
            (Decoded::None, Leads::Gb18030, &[a @ 0x90..=0xe3, b @ 0x30..=0x39, c @ 0x81..=0xfe, d @ 0x30..=0x39]) => {
                codes.push(gb18030_supplementary([a, b, c, d]).unwrap_or(BAD));
            }
            _ => codes.push(BAD),
        }
    }
    codes
}

/// `ESC $ page`, characters of one byte, and 0F. Returns what is left to read.
fn softbank_escape<'t>(table: &table::Table, text: &'t [u8], codes: &mut Vec<u32>) -> &'t [u8] {
    let Some(&page) = text.get(2).filter(|byte| matches!(byte, b'E' | b'F' | b'G' | b'O' | b'P' | b'Q')) else {
        codes.push(BAD);
        return &text[text.len().min(3)..];
    };
    let mut rest = &text[3..];
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte == 0x0f {
            break;
        }
        match table.decode(0x1b24_0000 | u32::from(page) << 8 | u32::from(byte)) {
            Decoded::One(code) => codes.push(code),
            Decoded::Several(several) => codes.extend_from_slice(several),
            Decoded::None => {
                codes.push(BAD);
                break;
            }
        }
    }
    rest
}

/// Writes what stands for `code`.
fn substituted(code: u32, substitute: Substitute, push: &mut dyn FnMut(u32)) {
    let text = match substitute {
        Substitute::Char(code) => return push(code),
        Substitute::None => return,
        Substitute::Long(character) | Substitute::Entity(character) if code == BAD => return push(character),
        Substitute::Long(_) => format!("U+{code:X}"),
        Substitute::Entity(_) => format!("&#x{code:X};"),
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

fn decode_32(text: &[u8], order: Order, surrogates: bool) -> Vec<u32> {
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
        match code {
            0xd800..=0xdfff if !surrogates => BAD,
            0x11_0000.. if !surrogates => BAD,
            _ => code,
        }
    };
    let mut codes: Vec<u32> = units.iter().map(decode).collect();
    if !rest.is_empty() {
        codes.push(BAD);
    }
    codes
}

/// mb_convert_encoding of one string into a builder; for how many characters something else stands.
pub fn convert_to(
    text: &[u8],
    to: &Encoding,
    from: &Encoding,
    substitute: Substitute,
    out: &mut PStrBuilder,
) -> Result<usize, OutOfMemory> {
    let raw = &EIGHT_BIT;
    let (to, from) = (if from.is_transfer() { raw } else { to }, if to.is_transfer() { raw } else { from });
    recode(text, to, from, substitute, out)
}

/// Decodes and encodes; for how many characters something else stands.
pub fn recode(
    text: &[u8],
    to: &Encoding,
    from: &Encoding,
    substitute: Substitute,
    out: &mut PStrBuilder,
) -> Result<usize, OutOfMemory> {
    let mut writer = Writer::new(to, substitute);
    let mut rest = text;
    // The last code points of a piece, when those that follow decide how they are written.
    let mut kept: Vec<u32> = Vec::new();
    while !rest.is_empty() {
        let len = if writer.wants_all() { rest.len() } else { from.piece(rest) };
        let (piece, tail) = rest.split_at(len);
        rest = tail;
        let mut codes = from.decode_charged(piece)?;
        if !kept.is_empty() {
            // There are a few: no more than lookahead needs.
            codes.charge.reserve(&mut codes.codes, kept.len())?;
            codes.codes.splice(0..0, kept.drain(..));
        }
        let taken = writer.write(&codes, rest.is_empty(), out)?;
        kept.extend_from_slice(&codes[taken..]);
    }
    writer.finish(out)
}

/// mb_convert_encoding of one string.
pub fn convert(text: &[u8], to: &Encoding, from: &Encoding, substitute: Substitute) -> Result<PStrBuilder, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len())?;
    if from.is_utf8() && to.is_utf8() && from.is_valid(text)? {
        out.extend(text)?;
    } else {
        convert_to(text, to, from, substitute, &mut out)?;
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts() {
        let find = |name: &str| Encoding::find(name.as_bytes()).unwrap();
        let check = |to: &str, from: &str, text: &[u8], expected: &[u8]| {
            let found = convert(text, find(to), find(from), Substitute::default()).unwrap();
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
        let as_entity = ascii.encode(&[0x61, 0x20ac], Substitute::Entity(0x3f));
        assert_eq!(as_entity, b"a&#x20AC;");
        assert_eq!(ascii.encode(&[0x61, 0x20ac], Substitute::Long(0x3f)), b"aU+20AC");
        assert_eq!(ascii.encode(&[0x61, BAD], Substitute::None), b"a");
    }
}
