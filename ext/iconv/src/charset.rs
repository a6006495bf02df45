//! The encodings by iconv's names, and converting as glibc does.
//!
//! Names may end with `//TRANSLIT` (what an encoding does not have is written in other ways) and `//IGNORE` (it is left out). The encodings
//! themselves are those of mbstring and, for single bytes, of the WHATWG standard.

use jumbo_ext_mbstring::encoding::{BAD, Codes, Encoding, Substitute, Writer};
use jumbo_value::{HeapCharge, OutOfMemory, PStrBuilder};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

/// The longest name plus one.
pub const NAME_MAX: usize = 64;

/// Why text cannot be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A sequence that means nothing, or a character that the other encoding does not have.
    Illegal,
    /// The text ends within a character.
    Incomplete,
}

impl Failure {
    pub fn text(self) -> &'static str {
        match self {
            Failure::Illegal => "Detected an illegal character in input string",
            Failure::Incomplete => "Detected an incomplete multibyte character in input string",
        }
    }
}

/// An encoding with what stands behind its name.
#[derive(Clone, Copy, Debug)]
pub struct Charset {
    encoding: &'static Encoding,
    /// The upper half of an encoding of single bytes that mbstring does not have; `encoding` is ASCII then.
    upper: Option<&'static [u32; 128]>,
    /// UTF-16 and UTF-32 without an order write a mark, and read in the machine's order without one.
    marked: Option<(&'static Encoding, &'static Encoding)>,
    translit: bool,
    ignore: bool,
}

/// Names of iconv that mbstring does not know.
const ALIASES: [(&str, &str); 14] = [
    ("", "UTF-8"),
    ("UTF-8-MAC", "UTF-8"),
    ("UCS-2", "UCS-2LE"),
    ("UCS2", "UCS-2LE"),
    ("ISO-10646-UCS-2", "UCS-2LE"),
    ("UCS-4", "UCS-4BE"),
    ("UCS4", "UCS-4BE"),
    ("ISO-10646", "UCS-4BE"),
    ("L1", "ISO-8859-1"),
    ("ISO_8859-1", "ISO-8859-1"),
    ("8859_1", "ISO-8859-1"),
    ("ISO88591", "ISO-8859-1"),
    ("EUCJP", "EUC-JP"),
    ("SHIFTJIS", "SJIS"),
];

/// Names that mean something to mbstring alone.
const FOREIGN: [&str; 5] = ["7bit", "8bit", "binary", "pass", "auto"];

impl Charset {
    /// None: the encoding is not known.
    pub fn find(name: &[u8]) -> Option<Charset> {
        if name.len() > NAME_MAX {
            return None;
        }
        // Flags stand behind two slashes; what stands behind one is nothing that is known here.
        if let Some(at) = name.iter().position(|b| *b == b'/')
            && name.get(at + 1).is_some_and(|b| *b != b'/')
        {
            return None;
        }
        let mut parts = name.split(|b| *b == b'/').filter(|p| !p.is_empty());
        let bare: &[u8] = if name.starts_with(b"/") { b"" } else { parts.next().unwrap_or(b"") };
        // Other bytes are no part of a name.
        let kept: Vec<u8> = bare.iter().copied().filter(|b| b.is_ascii_alphanumeric() || b"_-.:".contains(b)).collect();
        let bare = kept.as_slice();
        let flags: Vec<Vec<u8>> = parts.map(<[u8]>::to_ascii_uppercase).collect();
        let has = |flag: &[u8]| flags.iter().any(|f| f == flag || f.split(|b| *b == b',').any(|f| f == flag));
        let (translit, ignore) = (has(b"TRANSLIT"), has(b"IGNORE"));
        if FOREIGN.iter().any(|n| n.as_bytes().eq_ignore_ascii_case(bare)) {
            return None;
        }
        let alias = ALIASES.iter().find(|(n, _)| n.as_bytes().eq_ignore_ascii_case(bare));
        let bare = alias.map_or(bare, |(_, n)| n.as_bytes());
        let pair = |little: &str, big: &str| Some((Encoding::find(little.as_bytes())?, Encoding::find(big.as_bytes())?));
        let marked = match bare.to_ascii_uppercase().as_slice() {
            b"UTF-16" | b"UTF16" => pair("UTF-16LE", "UTF-16BE"),
            b"UTF-32" | b"UTF32" => pair("UTF-32LE", "UTF-32BE"),
            _ => None,
        };
        let (encoding, upper) = match Encoding::find(bare) {
            Some(encoding) => (encoding, None),
            None => (Encoding::find(b"ASCII")?, Some(upper_half(bare)?)),
        };
        Some(Charset { encoding, upper, marked, translit, ignore })
    }

    pub fn utf8() -> Charset {
        Charset { encoding: Encoding::utf8(), upper: None, marked: None, translit: false, ignore: false }
    }

    fn codes(&self, encoding: &Encoding, text: &[u8]) -> Result<Codes, OutOfMemory> {
        let Some(upper) = self.upper else { return encoding.decode_charged(text) };
        let mut codes = Codes::with_capacity(text.len())?;
        for &byte in text {
            codes.push(if byte < 0x80 { u32::from(byte) } else { upper[usize::from(byte - 0x80)] })?;
        }
        Ok(codes)
    }

    /// The characters of a text. After a failure those before it come with it.
    pub fn decode(&self, text: &[u8]) -> Result<(Codes, Option<Failure>), OutOfMemory> {
        let mut text = text;
        let mut encoding = self.encoding;
        if let Some((little, big)) = self.marked {
            let mark = |encoding: &Encoding| encoding.encode(&[0xfeff], Substitute::None);
            (encoding, text) = if let Some(rest) = text.strip_prefix(mark(big).as_slice()) {
                (big, rest)
            } else {
                (little, text.strip_prefix(mark(little).as_slice()).unwrap_or(text))
            };
        }
        let mut codes = self.codes(encoding, text)?;
        let Some(at) = codes.iter().position(|c| *c == BAD) else { return Ok((codes, None)) };
        let is_last = at + 1 == codes.len();
        codes.truncate(at);
        let failure = if is_last && self.ends_early(encoding, text, &codes)? { Failure::Incomplete } else { Failure::Illegal };
        Ok((codes, Some(failure)))
    }

    /// Is what follows these characters the start of one?
    fn ends_early(&self, encoding: &Encoding, text: &[u8], codes: &[u32]) -> Result<bool, OutOfMemory> {
        if encoding.is_single_byte() || self.upper.is_some() {
            return Ok(false);
        }
        if encoding.is_utf8() {
            return Ok(std::str::from_utf8(text).is_err_and(|e| e.error_len().is_none()));
        }
        Ok(encoding.encode_charged(codes, Substitute::None)?.len() < text.len())
    }

    /// As `decode`, without what is malformed; a text that ends too early fails all the same.
    fn decode_ignoring(&self, text: &[u8]) -> Result<(Codes, Option<Failure>), OutOfMemory> {
        let decoded = self.decode(text)?;
        if decoded.1.is_none() {
            return Ok(decoded);
        }
        drop(decoded);
        let mut codes = self.codes(self.encoding, text)?;
        let ends_early = codes.last() == Some(&BAD);
        codes.retain(|c| c != BAD);
        Ok((codes, ends_early.then_some(Failure::Incomplete)))
    }

    fn has(&self, code: u32) -> bool {
        if let Some(upper) = self.upper {
            return code < 0x80 || upper.contains(&code);
        }
        code < 0x80 || self.encoding.is_utf8() || !self.encoding.encode(&[code], Substitute::None).is_empty()
    }

    /// The bytes of characters.
    pub fn encode(&self, codes: &[u32]) -> Result<PStrBuilder, ConversionError> {
        let mut out = PStrBuilder::with_capacity(codes.len())?;
        let mut writer = CharsetWriter::new(self);
        writer.write(codes, true, &mut out)?;
        writer.finish(&mut out)?;
        Ok(out)
    }
}

/// Writes characters piece by piece.
struct CharsetWriter<'c> {
    charset: &'c Charset,
    writer: Writer<'static>,
    started: bool,
    /// Characters that wait for those that follow.
    kept: Vec<u32>,
}

impl<'c> CharsetWriter<'c> {
    /// So many characters are prepared at a time.
    const BLOCK: usize = 4 << 10;

    fn new(charset: &'c Charset) -> CharsetWriter<'c> {
        let encoding = charset.marked.map_or(charset.encoding, |(little, _)| little);
        CharsetWriter { charset, writer: Writer::new(encoding, Substitute::None), started: false, kept: Vec::new() }
    }

    fn write(&mut self, codes: &[u32], is_last: bool, out: &mut PStrBuilder) -> Result<(), ConversionError> {
        if !self.started {
            self.started = true;
            if self.charset.marked.is_some() {
                self.kept.push(0xfeff);
            }
        }
        let charset = self.charset;
        let mut blocks = codes.chunks(if self.writer.wants_all() { codes.len().max(1) } else { Self::BLOCK }).peekable();
        if blocks.peek().is_none() {
            self.put(is_last, out)?;
        }
        while let Some(block) = blocks.next() {
            let _charge = HeapCharge::new(if self.writer.wants_all() { size_of_val(block) } else { 0 })?;
            for &code in block {
                if charset.has(code) {
                    self.kept.push(code);
                } else if charset.translit {
                    match TRANSLIT.get(&code) {
                        Some(text) => self.kept.extend(text.chars().map(u32::from)),
                        None if charset.ignore => {}
                        None => self.kept.push(u32::from(b'?')),
                    }
                } else if !charset.ignore {
                    return Err(ConversionError::Text(Failure::Illegal));
                }
            }
            self.put(is_last && blocks.peek().is_none(), out)?;
        }
        Ok(())
    }

    /// Writes what is kept, or as much of it as does not wait for more.
    fn put(&mut self, is_last: bool, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        let Some(upper) = self.charset.upper else {
            let taken = self.writer.write(&self.kept, is_last, out)?;
            self.kept.drain(..taken);
            return Ok(());
        };
        for code in self.kept.drain(..) {
            let byte = match u8::try_from(code) {
                Ok(b) if b < 0x80 => Some(b),
                _ => upper.iter().position(|c| *c == code).and_then(|n| u8::try_from(n + 0x80).ok()),
            };
            if let Some(byte) = byte {
                out.push(byte)?;
            }
        }
        Ok(())
    }

    fn finish(self, out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        self.writer.finish(out).map(|_| ())
    }
}

/// The characters of the bytes from 0x80 on, in an encoding of the WHATWG standard.
fn upper_half(name: &[u8]) -> Option<&'static [u32; 128]> {
    type Tables = Mutex<HashMap<&'static str, &'static [u32; 128]>>;
    static TABLES: LazyLock<Tables> = LazyLock::new(Tables::default);
    let upper = name.to_ascii_uppercase();
    let label: Vec<u8> = match upper.as_slice() {
        b"TIS-620" | b"TIS620" | b"CP874" => b"windows-874".to_vec(),
        other => other.strip_prefix(b"CP125").map_or_else(|| name.to_vec(), |digit| [b"windows-125", digit].concat()),
    };
    let encoding = encoding_rs::Encoding::for_label(&label).filter(|e| e.is_single_byte())?;
    let mut tables = TABLES.lock().ok()?;
    // As many tables as there are encodings, for all requests.
    Some(tables.entry(encoding.name()).or_insert_with(|| {
        let mut table = [BAD; 128];
        for (byte, slot) in (0x80u8..=0xff).zip(&mut table) {
            if let Some(text) = encoding.decode_without_bom_handling_and_without_replacement(&[byte])
                && let Some(c) = text.chars().next()
            {
                *slot = u32::from(c);
            }
        }
        Box::leak(Box::new(table))
    }))
}

static TRANSLIT: LazyLock<HashMap<u32, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("../data/translit.txt").lines().filter(|l| !l.starts_with('#'));
    lines.filter_map(|l| l.split_once(' ')).filter_map(|(code, text)| Some((u32::from_str_radix(code, 16).ok()?, text))).collect()
});

/// Why a conversion ended.
#[derive(Debug)]
pub enum ConversionError {
    Text(Failure),
    /// The result does not fit into memory_limit.
    Memory(OutOfMemory),
}

impl From<OutOfMemory> for ConversionError {
    fn from(refused: OutOfMemory) -> ConversionError {
        ConversionError::Memory(refused)
    }
}

/// Converts a text.
pub fn convert(from: &Charset, to: &Charset, text: &[u8]) -> Result<PStrBuilder, ConversionError> {
    let mut out = PStrBuilder::with_capacity(text.len())?;
    let mut writer = CharsetWriter::new(to);
    if from.ignore || to.ignore || from.marked.is_some() || writer.writer.wants_all() {
        let ignore = from.ignore || to.ignore;
        let (codes, failure) = if ignore { from.decode_ignoring(text)? } else { from.decode(text)? };
        if let Some(failure) = failure {
            return Err(ConversionError::Text(failure));
        }
        writer.write(&codes, true, &mut out)?;
    } else {
        let mut rest = text;
        loop {
            let (piece, tail) = rest.split_at(from.encoding.piece(rest));
            rest = tail;
            let (codes, failure) = from.decode(piece)?;
            // What precedes the failure is looked at first: it may have a character that the other encoding has not.
            writer.write(&codes, rest.is_empty(), &mut out)?;
            if let Some(failure) = failure {
                // A character cannot be complete when the piece is not the last.
                return Err(ConversionError::Text(if rest.is_empty() { failure } else { Failure::Illegal }));
            }
            if rest.is_empty() {
                break;
            }
        }
    }
    writer.finish(&mut out)?;
    Ok(out)
}
