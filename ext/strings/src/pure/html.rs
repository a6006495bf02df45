//! htmlspecialchars, htmlentities, and their decoding.
//!
//! The names of entities stand in `data/entities.txt` (the HTML 4.01 and HTML 5 lists); XHTML has HTML 4.01's and
//! `&apos;`, XML only the five basic ones.

mod charset;

pub use charset::Charset;
use jumbo_value::{OutOfMemory, PStr, PStrBuilder};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The `ENT_*` flags as PHP numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags(pub i64);

impl Flags {
    pub const COMPAT: i64 = 2;
    pub const QUOTES: i64 = 3;
    pub const IGNORE: i64 = 4;
    pub const SUBSTITUTE: i64 = 8;
    pub const DISALLOWED: i64 = 128;
    const SINGLE: i64 = 1;

    fn has(self, flag: i64) -> bool {
        self.0 & flag != 0
    }

    fn document(self) -> Document {
        match self.0 & 48 {
            0 => Document::Html401,
            16 => Document::Xml1,
            32 => Document::Xhtml,
            _ => Document::Html5,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Document {
    Html401,
    Xml1,
    Xhtml,
    Html5,
}

/// The UTF-8 character at the start of `text`, `None` when malformed, and how many bytes PHP passes over. `text` is
/// not empty.
pub fn next_utf8(text: &[u8]) -> (Option<u32>, usize) {
    let byte = |index: usize| text.get(index).copied();
    let is_trail = |index: usize| byte(index).is_some_and(|byte| byte & 0xc0 == 0x80);
    let bits = |index: usize| byte(index).map_or(0, |byte| u32::from(byte & 0x3f));
    // A malformed character ends before what could begin another one.
    let is_lead =
        |index: usize| byte(index).is_some_and(|byte| !matches!(byte, 0x80..=0xc1 | 0xf5..=0xff));
    let malformed = |length: usize| {
        let stops = (1..length).find(|&index| index >= text.len() || is_lead(index));
        (None, stops.unwrap_or(length))
    };
    let first = byte(0).unwrap_or(0);
    match first {
        0..0x80 => (Some(u32::from(first)), 1),
        0xc2..0xe0 => {
            if !is_trail(1) {
                return malformed(2);
            }
            (Some(u32::from(first & 0x1f) << 6 | bits(1)), 2)
        }
        0xe0..0xf0 => {
            if !is_trail(1) || !is_trail(2) {
                return malformed(3);
            }
            let code = u32::from(first & 0x0f) << 12 | bits(1) << 6 | bits(2);
            let valid = code >= 0x800 && !(0xd800..0xe000).contains(&code);
            (valid.then_some(code), 3)
        }
        0xf0..0xf5 => {
            if !is_trail(1) || !is_trail(2) || !is_trail(3) {
                return malformed(4);
            }
            let code = u32::from(first & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3);
            ((0x10000..0x11_0000).contains(&code).then_some(code), 4)
        }
        _ => (None, 1),
    }
}

/// An entity's meaning: a code point, and a second one or 0.
type Meaning = (u32, u32);

struct Entities {
    by_name: HashMap<&'static [u8], Meaning>,
    by_meaning: HashMap<Meaning, &'static [u8]>,
    /// The second code points that can follow one to make an entity of two.
    followers: HashMap<u32, Vec<u32>>,
}

static HTML_401: LazyLock<Entities> =
    LazyLock::new(|| Entities::read(|set| set == "4", |set| set == "4"));
static HTML_5: LazyLock<Entities> =
    LazyLock::new(|| Entities::read(|set| set != "4", |set| set == "5e"));

impl Entities {
    fn read(decodes: impl Fn(&str) -> bool, encodes: impl Fn(&str) -> bool) -> Entities {
        let mut entities = Entities {
            by_name: HashMap::new(),
            by_meaning: HashMap::new(),
            followers: HashMap::new(),
        };
        let table: &'static str = include_str!("../../data/entities.txt");
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split('\t');
            let (Some(name), Some(codes), Some(set)) =
                (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            if !decodes(set) {
                continue;
            }
            let mut codes = codes
                .split(' ')
                .map(|code| u32::from_str_radix(code, 16).unwrap_or(0));
            let meaning = (codes.next().unwrap_or(0), codes.next().unwrap_or(0));
            entities.by_name.insert(name.as_bytes(), meaning);
            if encodes(set) {
                entities.by_meaning.insert(meaning, name.as_bytes());
                if meaning.1 != 0 {
                    entities
                        .followers
                        .entry(meaning.0)
                        .or_default()
                        .push(meaning.1);
                }
            }
        }
        entities
    }
}

impl Document {
    fn entities(self) -> Option<&'static Entities> {
        match self {
            Document::Html401 | Document::Xhtml => Some(&HTML_401),
            Document::Html5 => Some(&HTML_5),
            Document::Xml1 => None,
        }
    }

    /// What `&name;` means in documents of this kind.
    fn meaning(self, name: &[u8]) -> Option<Meaning> {
        match (self, name) {
            (Document::Xhtml | Document::Xml1, b"apos") => Some((u32::from(b'\''), 0)),
            (Document::Xml1, _) => Some((u32::from(basic_meaning(name)?), 0)),
            _ => self.entities()?.by_name.get(name).copied(),
        }
    }

    /// Whether a character may stand in documents of this kind.
    fn allows(self, code: u32) -> bool {
        let in_planes = (0xe000..=0x10_ffff).contains(&code);
        match self {
            Document::Html401 => {
                matches!(code, 0x20..=0x7e | 0x09 | 0x0a | 0x0d | 0xa0..=0xd7ff) || in_planes
            }
            Document::Html5 => {
                matches!(code, 0x20..=0x7e | 0x09 | 0x0a | 0x0c | 0x0d | 0xa0..=0xd7ff)
                    || in_planes && code & 0xffff < 0xfffe && !(0xfdd0..=0xfdef).contains(&code)
            }
            Document::Xhtml | Document::Xml1 => {
                matches!(code, 0x20..=0xd7ff | 0x09 | 0x0a | 0x0d)
                    || in_planes && !matches!(code, 0xfffe | 0xffff)
            }
        }
    }

    /// Whether a character may stand in documents of this kind as a numeric entity.
    fn allows_numeric(self, code: u32) -> bool {
        match self {
            Document::Html401 => code <= 0x10_ffff,
            Document::Html5 => {
                (self.allows(code) || (0xd800..=0xdfff).contains(&code)) && code != 0x0d
            }
            Document::Xhtml | Document::Xml1 => self.allows(code),
        }
    }
}

fn basic_meaning(name: &[u8]) -> Option<u8> {
    Some(match name {
        b"amp" => b'&',
        b"lt" => b'<',
        b"gt" => b'>',
        b"quot" => b'"',
        _ => return None,
    })
}

/// What an `&` begins.
enum Reference<'t> {
    Numeric(u32),
    Named(&'t [u8]),
}

/// The reference at the start of `text`, which begins with `&`, and its length with the semicolon.
fn reference(text: &[u8]) -> Option<(Reference<'_>, usize)> {
    if text.get(1) == Some(&b'#') {
        let (radix, start) = if matches!(text.get(2), Some(b'x' | b'X')) {
            (16, 3)
        } else {
            (10, 2)
        };
        let digits = text.get(start..)?;
        let count = digits
            .iter()
            .take_while(|&&byte| char::from(byte).is_digit(radix))
            .count();
        if count == 0 || digits.get(count) != Some(&b';') {
            return None;
        }
        let mut code = 0u32;
        for digit in digits[..count]
            .iter()
            .filter_map(|&byte| char::from(byte).to_digit(radix))
        {
            code = code.saturating_mul(radix).saturating_add(digit);
        }
        return (code <= 0x10_ffff).then_some((Reference::Numeric(code), start + count + 1));
    }
    let name = &text[1..];
    let count = name
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    if count == 0 || name.get(count) != Some(&b';') {
        return None;
    }
    Some((Reference::Named(&name[..count]), count + 2))
}

/// What the escaping functions are told.
#[derive(Debug, Clone, Copy)]
pub struct Escaping {
    pub flags: Flags,
    pub charset: Charset,
    /// Every character that has a name (htmlentities), not only the basic ones.
    pub all: bool,
    pub double_encode: bool,
}

/// htmlspecialchars, and htmlentities when `all`.
/// `None` when nothing changes.
pub fn escape(text: &[u8], how: &Escaping) -> Result<Option<PStr>, OutOfMemory> {
    if !how.all
        && how.double_encode
        && !how.flags.has(Flags::DISALLOWED)
        && how.charset == Charset::Utf8
        && std::str::from_utf8(text).is_ok()
    {
        return escape_basic(text, how.flags);
    }
    escape_slow(text, how).map(Some)
}

/// The usual case: valid UTF-8, nothing but the basic characters.
fn escape_basic(text: &[u8], flags: Flags) -> Result<Option<PStr>, OutOfMemory> {
    let replacement = |byte: u8| basic_entity(u32::from(byte), flags);
    let is_candidate = |byte: &u8| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\'');
    let mut out = PStrBuilder::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(skip) = text[at..].iter().position(is_candidate) {
        at += skip;
        if let Some(entity) = replacement(text[at]) {
            if out.is_empty() {
                out.reserve(text.len() + text.len() / 8 + 16)?;
            }
            out.extend(&text[copied..at])?;
            out.extend(entity)?;
            copied = at + 1;
        }
        at += 1;
    }
    if copied == 0 {
        return Ok(None);
    }
    out.extend(&text[copied..])?;
    Ok(Some(out.finish()))
}

fn basic_entity(code: u32, flags: Flags) -> Option<&'static [u8]> {
    Some(match u8::try_from(code).ok()? {
        b'&' => b"&amp;",
        b'<' => b"&lt;",
        b'>' => b"&gt;",
        b'"' if flags.has(Flags::COMPAT) => b"&quot;",
        b'\'' if flags.has(Flags::SINGLE) && flags.document() == Document::Html401 => b"&#039;",
        b'\'' if flags.has(Flags::SINGLE) => b"&apos;",
        _ => return None,
    })
}

fn escape_slow(text: &[u8], how: &Escaping) -> Result<PStr, OutOfMemory> {
    let Escaping {
        flags,
        charset,
        all,
        double_encode,
    } = *how;
    let document = flags.document();
    let mut out = PStrBuilder::with_capacity(text.len() + text.len() / 4 + 16)?;
    let substitute = |out: &mut PStrBuilder| {
        let bytes: &[u8] = if charset == Charset::Utf8 {
            "\u{fffd}".as_bytes()
        } else {
            b"&#xFFFD;"
        };
        out.extend(bytes)
    };
    // Names exist only where characters are mapped to Unicode.
    let all = all && !charset.is_multi_byte();
    // The other single-byte sets are mapped to Unicode only where names are looked up.
    let maps = all || matches!(charset, Charset::Utf8 | Charset::Latin1) || charset.is_multi_byte();
    // Without a mapping only what all the sets have in common can be judged.
    let is_disallowed = |code: u32| {
        flags.has(Flags::DISALLOWED) && (maps && !charset.is_multi_byte() || code <= 0x7d) && !document.allows(code)
    };
    let next = |text: &[u8]| {
        if maps {
            charset.next(text)
        } else {
            Charset::Latin1.next(text)
        }
    };
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let (code, length) = next(rest);
        if code.is_none() && charset.is_single_byte() {
            // A byte that the set leaves undefined.
            out.push(rest[0])?;
            at += 1;
            continue;
        }
        let Some(code) = code else {
            at += length;
            if flags.has(Flags::IGNORE) {
                continue;
            }
            if flags.has(Flags::SUBSTITUTE) {
                substitute(&mut out)?;
                continue;
            }
            return Ok(PStr::empty());
        };
        at += length;
        if code == u32::from(b'&') {
            let kept = if double_encode {
                None
            } else {
                kept_reference(rest, document, flags)
            };
            match kept {
                Some(length) => {
                    out.extend(&rest[..length])?;
                    at += length - 1;
                }
                None => out.extend(b"&amp;")?,
            }
            continue;
        }
        if let Some(entity) = basic_entity(code, flags) {
            // XHTML's list of names is HTML 4.01's, which lacks the apostrophe.
            let numeric = all && document == Document::Xhtml && entity == b"&apos;";
            out.extend(if numeric { b"&#039;" } else { entity })?;
            continue;
        }
        if is_disallowed(code) {
            substitute(&mut out)?;
            continue;
        }
        // Quotes that the flags leave alone have names in the tables too.
        let is_quote = code == u32::from(b'"') || code == u32::from(b'\'');
        if all
            && !is_quote
            && let Some(entities) = document.entities()
        {
            let (following, following_length) = if at < text.len() {
                charset.next(&text[at..])
            } else {
                (None, 0)
            };
            let follows = |next: &u32| {
                entities
                    .followers
                    .get(&code)
                    .is_some_and(|nexts| nexts.contains(next))
            };
            let meaning = match following.filter(follows) {
                Some(next) => {
                    at += following_length;
                    (code, next)
                }
                None => (code, 0),
            };
            if let Some(name) = entities.by_meaning.get(&meaning) {
                out.push(b'&')?;
                out.extend(name)?;
                out.push(b';')?;
                continue;
            }
        }
        out.extend(&rest[..length])?;
    }
    Ok(out.finish())
}

/// The length of the reference at the start of `text` when it means something, so that `&` is not encoded twice.
fn kept_reference(text: &[u8], document: Document, flags: Flags) -> Option<usize> {
    let (reference, length) = reference(text)?;
    match reference {
        Reference::Numeric(code) => {
            let allowed = !flags.has(Flags::DISALLOWED) || document.allows_numeric(code);
            allowed.then_some(length)
        }
        Reference::Named(name) => document.meaning(name).map(|_| length),
    }
}

/// html_entity_decode, and htmlspecialchars_decode when not `all`.
/// `None` when nothing changes.
pub fn unescape(text: &[u8], flags: Flags, charset: Charset, all: bool) -> Result<Option<PStr>, OutOfMemory> {
    let Some(first) = memchr::memchr(b'&', text) else {
        return Ok(None);
    };
    let mut out = PStrBuilder::with_capacity(text.len())?;
    out.extend(&text[..first])?;
    let mut rest = &text[first..];
    while let Some(at) = memchr::memchr(b'&', rest) {
        out.extend(&rest[..at])?;
        rest = &rest[at..];
        match decoded(rest, flags, all) {
            Some(((code, second), length)) => {
                // Pairs are only made in UTF-8.
                let second = match second {
                    0 => Some(None),
                    second if charset == Charset::Utf8 => charset.encode(second).map(Some),
                    _ => None,
                };
                match (charset.encode(code), second) {
                    (Some(first), Some(second)) => {
                        out.extend(&first)?;
                        if let Some(second) = second {
                            out.extend(&second)?;
                        }
                    }
                    _ => out.extend(&rest[..length])?,
                }
                rest = &rest[length..];
            }
            None => {
                out.push(b'&')?;
                rest = &rest[1..];
            }
        }
    }
    out.extend(rest)?;
    Ok(Some(out.finish()))
}

fn decoded(text: &[u8], flags: Flags, all: bool) -> Option<(Meaning, usize)> {
    let document = flags.document();
    let (reference, length) = reference(text)?;
    let meaning = match reference {
        Reference::Numeric(code) => {
            let is_basic = u8::try_from(code)
                .is_ok_and(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\''));
            let allowed = document.allows(code) && !(document == Document::Html5 && code == 0x0d);
            if !allowed || !all && !is_basic {
                return None;
            }
            (code, 0)
        }
        Reference::Named(name) if all => document.meaning(name)?,
        Reference::Named(b"apos") if document != Document::Html401 => (u32::from(b'\''), 0),
        Reference::Named(name) => (u32::from(basic_meaning(name)?), 0),
    };
    let kept = meaning == (u32::from(b'\''), 0) && !flags.has(Flags::SINGLE)
        || meaning == (u32::from(b'"'), 0) && !flags.has(Flags::COMPAT);
    (!kept).then_some((meaning, length))
}

/// get_html_translation_table: each character (or pair) and its entity.
pub fn translation_table(flags: Flags, charset: Charset, all: bool) -> Vec<(Vec<u8>, Vec<u8>)> {
    let document = flags.document();
    let mut table = Vec::new();
    for code in [b'"', b'&', b'\'', b'<', b'>'] {
        if let Some(entity) = basic_entity(u32::from(code), flags) {
            table.push((vec![code], entity.to_vec()));
        }
    }
    if all
        && !charset.is_multi_byte()
        && let Some(entities) = document.entities()
    {
        let mut meanings: Vec<_> = entities.by_meaning.iter().collect();
        meanings.sort_unstable();
        for ((first, second), name) in meanings {
            let basic = *second == 0 && matches!(*first, 0x22 | 0x26 | 0x27 | 0x3c | 0x3e);
            let Some(character) = charset.encode(*first).filter(|_| !basic) else { continue };
            let mut key = character.to_vec();
            if *second != 0 {
                let Some(character) = charset.encode(*second).filter(|_| charset == Charset::Utf8) else { continue };
                key.extend_from_slice(&character);
            }
            table.push((key, [b"&".as_slice(), name, b";"].concat()));
        }
        table.sort();
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, number, rows, show};

    #[test]
    fn escapes_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/html.tsv")) {
            let [kind, text, flags, charset, expected] = &row[..] else {
                panic!("bad row")
            };
            let flags = Flags(number(flags));
            let charset = Charset::from_name(charset).unwrap();
            let escaping = |all, double_encode| Escaping {
                flags,
                charset,
                all,
                double_encode,
            };
            let found = match &kind[..] {
                b"special" => escape(text, &escaping(false, true))?,
                b"special_once" => escape(text, &escaping(false, false))?,
                b"entities" => escape(text, &escaping(true, true))?,
                b"entities_once" => escape(text, &escaping(true, false))?,
                b"special_decode" => unescape(text, flags, charset, false)?,
                b"entity_decode" => unescape(text, flags, charset, true)?,
                other => panic!("unknown kind {}", show(other)),
            };
            let found = found.unwrap_or_else(|| PStr::new(text));
            samples.check(
                show(&found),
                show(expected),
                format!("{} {} {flags:?} {charset:?}", show(kind), show(text)),
            );
        }
        Ok(())
    }

    #[test]
    fn tables_have_phps_sizes() {
        let size = |flags, all| translation_table(Flags(flags), Charset::Utf8, all).len();
        assert_eq!(
            (
                size(3, true),
                size(3 | 48, true),
                size(3 | 32, true),
                size(3 | 16, true)
            ),
            (253, 1511, 253, 5)
        );
        assert_eq!((size(2, false), size(3, false)), (4, 5));
    }
}
