//! Length, parts, positions, width, trimming and padding, in characters.
//!
//! For UTF-8 most functions work on the bytes as they are; malformed UTF-8 is decoded, and what is returned then has
//! the substitute character where it was malformed, as in PHP.

use crate::encoding::{Codes, Encoding, Substitute};
use crate::unicode::{self, Case};
use jumbo_value::{OutOfMemory, PStr, PStrBuilder};
use memchr::memmem;

/// A part of a text as it is, or written anew.
pub enum Part<'t> {
    Same(&'t [u8]),
    Made(PStrBuilder),
}

impl std::ops::Deref for Part<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Part::Same(text) => text,
            Part::Made(text) => text,
        }
    }
}

/// How many bytes do not continue a UTF-8 character.
fn count_starts(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

/// mb_strlen.
pub fn length(text: &[u8], encoding: &Encoding) -> Result<usize, OutOfMemory> {
    Ok(if encoding.is_single_byte() {
        text.len()
    } else if encoding.is_utf8() && std::str::from_utf8(text).is_ok() {
        count_starts(text)
    } else if let Some(width) = encoding.width() {
        text.len() / width
    } else {
        let mut length = 0;
        encoding.pieces(text, |codes| length += codes.len())?;
        length
    })
}

/// Where character `index` of valid UTF-8 begins; the end when there are fewer.
fn byte_offset(text: &[u8], index: usize) -> usize {
    if index == 0 {
        return 0;
    }
    let mut starts = text
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte & 0xc0 != 0x80);
    starts.nth(index).map_or(text.len(), |(at, _)| at)
}

/// The range of `count` things that an offset and a length mean, as for substr.
fn range(count: usize, offset: i64, length: Option<i64>) -> (usize, usize) {
    let total = i64::try_from(count).unwrap_or(i64::MAX);
    let start = if offset < 0 {
        total.saturating_add(offset).max(0)
    } else {
        offset.min(total)
    };
    let end = match length {
        None => total,
        Some(length) if length < 0 => total.saturating_add(length).max(start),
        Some(length) => start.saturating_add(length).min(total),
    };
    // Both are between 0 and the count.
    (start as usize, end as usize)
}

/// mb_substr.
pub fn substr<'t>(
    text: &'t [u8],
    offset: i64,
    length: Option<i64>,
    encoding: &Encoding,
    substitute: Substitute,
) -> Result<Part<'t>, OutOfMemory> {
    if encoding.is_single_byte() {
        let (start, end) = range(text.len(), offset, length);
        return Ok(Part::Same(&text[start..end]));
    }
    if encoding.is_utf8() && std::str::from_utf8(text).is_ok() {
        // Counting is not needed where both ends are counted from the start.
        let (start, end) = match (usize::try_from(offset), length.map(usize::try_from)) {
            (Ok(start), None) => (start, usize::MAX),
            (Ok(start), Some(Ok(length))) => (start, start.saturating_add(length)),
            _ => range(count_starts(text), offset, length),
        };
        let rest = &text[byte_offset(text, start)..];
        return Ok(Part::Same(&rest[..byte_offset(rest, end - start)]));
    }
    if let Some(width) = encoding.width() {
        let (start, end) = range(text.len().div_ceil(width), offset, length);
        let at = |index: usize| index.saturating_mul(width).min(text.len());
        return Ok(Part::Same(&text[at(start)..at(end)]));
    }
    let codes = encoding.decode_charged(text)?;
    let (start, end) = range(codes.len(), offset, length);
    Ok(Part::Made(encoding.encode_charged(&codes[start..end], substitute)?))
}

/// How many bytes the character has that the first byte of UTF-8 text begins, malformed or not.
fn char_bytes(text: &[u8]) -> Option<usize> {
    let bytes = match text.first()? {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    Some(bytes.min(text.len()))
}

/// mb_str_split: gives `each` the pieces of `count` characters. Where first bytes tell how long characters are, they decide, malformed or
/// not.
pub fn split<E: From<OutOfMemory>>(
    text: &[u8],
    count: usize,
    encoding: &Encoding,
    substitute: Substitute,
    each: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let count = count.max(1);
    if encoding.is_single_byte() {
        return text.chunks(count).try_for_each(each);
    }
    if let Some(width) = encoding.width() {
        return text.chunks(count.saturating_mul(width)).try_for_each(each);
    }
    let Some(length) = encoding.length_by_lead() else {
        let codes = encoding.decode_charged(text)?;
        return codes.chunks(count).try_for_each(|codes| each(&encoding.encode_charged(codes, substitute)?));
    };
    let mut rest = text;
    while !rest.is_empty() {
        let mut bytes = 0;
        for _ in 0..count {
            let Some(&lead) = rest.get(bytes) else { break };
            bytes = (bytes + length(lead)).min(rest.len());
        }
        let (piece, tail) = rest.split_at(bytes);
        each(piece)?;
        rest = tail;
    }
    Ok(())
}

/// Why a search ended.
#[derive(Debug)]
pub enum SearchError {
    /// The offset is outside of the haystack: PHP's ValueError "must be contained in argument #1 ($haystack)".
    OutOfRange,
    /// What is looked for in other forms does not fit into memory_limit.
    Memory(OutOfMemory),
}

impl From<OutOfMemory> for SearchError {
    fn from(refused: OutOfMemory) -> SearchError {
        SearchError::Memory(refused)
    }
}

/// How to look for a needle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Search {
    /// mb_strrpos and mb_strripos: the last occurrence.
    pub last: bool,
    /// mb_stripos and mb_strripos.
    pub fold: bool,
}

/// The text as UTF-8, folded when asked.
fn searchable<'t>(text: &'t [u8], encoding: &Encoding, fold: bool) -> Result<Part<'t>, OutOfMemory> {
    if encoding.is_utf8() && !fold {
        return Ok(Part::Same(text));
    }
    let mut out = PStrBuilder::with_capacity(text.len())?;
    let mut written = Ok(0);
    encoding.pieces(text, |codes| {
        if fold {
            codes.iter_mut().for_each(|code| *code = Case::Fold.simple(*code));
        }
        if written.is_ok() {
            written = Encoding::utf8().encode_to(codes, Substitute::default(), &mut out);
        }
    })?;
    written?;
    Ok(Part::Made(out))
}

/// mb_strpos, mb_strrpos and their case-insensitive forms: the character at which the needle stands.
pub fn position(
    haystack: &[u8],
    needle: &[u8],
    offset: i64,
    search: Search,
    encoding: &Encoding,
) -> Result<Option<usize>, SearchError> {
    let haystack = searchable(haystack, encoding, search.fold)?;
    let needle = searchable(needle, encoding, search.fold)?;
    let from_end = offset < 0;
    // Malformed text is counted by what its bytes seem to begin from the front, and by what they do not continue from
    // the back and in the result.
    let start = if from_end {
        let total = count_starts(&haystack);
        let back = usize::try_from(offset.unsigned_abs()).map_err(|_| SearchError::OutOfRange)?;
        byte_offset(&haystack, total.checked_sub(back).ok_or(SearchError::OutOfRange)?)
    } else {
        let mut start = 0;
        for _ in 0..offset {
            start += char_bytes(&haystack[start..]).ok_or(SearchError::OutOfRange)?;
        }
        start
    };
    let found = match (search.last, from_end) {
        (false, _) => memmem::find(&haystack[start..], &needle).map(|at| start + at),
        (true, false) => memmem::rfind(&haystack[start..], &needle).map(|at| start + at),
        // Counted from the end, the offset is where the last occurrence may begin.
        (true, true) => {
            let end = start.saturating_add(needle.len()).min(haystack.len());
            memmem::rfind(&haystack[..end], &needle)
        }
    };
    Ok(found.map(|at| count_starts(&haystack[..at])))
}

/// mb_substr_count; the needle is not empty.
pub fn count(haystack: &[u8], needle: &[u8], encoding: &Encoding) -> Result<usize, OutOfMemory> {
    if !encoding.is_valid(haystack)? || !encoding.is_valid(needle)? {
        return Ok(count_codes(&encoding.decode_charged(haystack)?, &encoding.decode_charged(needle)?));
    }
    let (haystack, needle) = (
        searchable(haystack, encoding, false)?,
        searchable(needle, encoding, false)?,
    );
    Ok(if needle.is_empty() {
        0
    } else {
        memmem::find_iter(&*haystack, &*needle).count()
    })
}

/// As [`count`] for code points, where what is malformed equals what is malformed.
fn count_codes(haystack: &[u32], needle: &[u32]) -> usize {
    let (mut found, mut rest) = (0, haystack);
    while !needle.is_empty() && !rest.is_empty() {
        if rest.starts_with(needle) {
            found += 1;
            rest = &rest[needle.len()..];
        } else {
            rest = &rest[1..];
        }
    }
    found
}

/// mb_strwidth.
pub fn width(text: &[u8], encoding: &Encoding) -> Result<usize, OutOfMemory> {
    let mut width = 0;
    encoding.pieces(text, |codes| width += codes.iter().map(|code| unicode::width(*code)).sum::<usize>())?;
    Ok(width)
}

/// Why there is no text of a width.
#[derive(Debug)]
pub enum TrimError {
    /// Which argument of PHP is out of range: `start`, or a negative `width`.
    OutOfRange(u32),
    Memory(OutOfMemory),
}

impl From<OutOfMemory> for TrimError {
    fn from(refused: OutOfMemory) -> TrimError {
        TrimError::Memory(refused)
    }
}

/// mb_strimwidth.
pub fn trim_width(
    text: &[u8],
    start: i64,
    width: i64,
    marker: &[u8],
    encoding: &Encoding,
    substitute: Substitute,
) -> Result<PStrBuilder, TrimError> {
    let codes = encoding.decode_charged(text)?;
    let total = i64::try_from(codes.len()).unwrap_or(i64::MAX);
    let from = if start < 0 {
        total.saturating_add(start)
    } else {
        start
    };
    if !(0..=total).contains(&from) {
        return Err(TrimError::OutOfRange(2));
    }
    let columns = |codes: &[u32]| {
        codes
            .iter()
            .map(|&code| unicode::width(code))
            .sum::<usize>()
    };
    let rest = &codes[from as usize..];
    let all = columns(rest);
    let width = if width < 0 {
        i64::try_from(all).unwrap_or(i64::MAX).saturating_add(width)
    } else {
        width
    };
    let width = usize::try_from(width).map_err(|_| TrimError::OutOfRange(3))?;
    if all <= width {
        return Ok(encoding.encode_charged(rest, substitute)?);
    }
    let marker_codes = encoding.decode_charged(marker)?;
    let room = width.saturating_sub(columns(&marker_codes));
    let mut used = 0;
    let kept = rest.iter().take_while(|&&code| {
        used += unicode::width(code);
        used <= room
    });
    let kept = kept.count();
    // Both are one text where an encoding has shifts.
    let mut out = Codes::with_capacity(kept + marker_codes.len())?;
    for &code in rest[..kept].iter().chain(&*marker_codes) {
        out.push(code)?;
    }
    Ok(encoding.encode_charged(&out, substitute)?)
}

/// mb_strcut: a part by bytes, moved to where characters begin. In encodings whose bytes do not tell, as many whole
/// characters as fit.
pub fn cut<'t>(
    text: &'t [u8],
    start: i64,
    length: Option<i64>,
    encoding: &Encoding,
    substitute: Substitute,
) -> Result<Option<Part<'t>>, OutOfMemory> {
    let total = i64::try_from(text.len()).unwrap_or(i64::MAX);
    if start > total {
        return Ok(None);
    }
    let (mut from, mut to) = range(text.len(), start, length);
    // The length is that from where the part was asked for, but counts from where it really begins.
    let wanted = match length.map(usize::try_from) {
        None => text.len(),
        Some(Ok(length)) => length,
        Some(Err(_)) => to - from,
    };
    if encoding.is_utf8() {
        let is_inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
        while from > 0 && is_inside(from) {
            from -= 1;
        }
        to = from.saturating_add(wanted).min(text.len());
        while to > from && is_inside(to) {
            to -= 1;
        }
    } else if let Some(width) = encoding.width() {
        from -= from % width;
        to = from.saturating_add(wanted).min(text.len());
        to -= (to - from) % width;
    } else if let Some(little) = encoding.utf16_is_little() {
        let is_low = |at: usize| {
            let high_byte = text.get(if little { at + 1 } else { at });
            high_byte.is_some_and(|byte| (0xdc..0xe0).contains(byte))
        };
        if text.len() - from < 2 {
            return Ok(Some(Part::Same(b"")));
        }
        from -= from % 2;
        if from == 0 && encoding.has_mark(text) {
            from = 2;
        }
        if from >= 2 && is_low(from) {
            from -= 2;
        }
        to = from.saturating_add(wanted).min(text.len());
        to = to.max(from);
        to -= (to - from) % 2;
        // Half a pair is not left at the end.
        let is_high = |at: usize| {
            let high_byte = text.get(if little { at + 1 } else { at });
            high_byte.is_some_and(|byte| (0xd8..0xdc).contains(byte))
        };
        if to > from && (is_low(to) || is_high(to - 2)) {
            to -= 2;
        }
    } else if let Some(bytes) = encoding.length_by_lead() {
        // Where the characters begin can only be told from the front.
        let boundary = |begin: usize, wanted: usize| {
            let mut at = begin;
            while let Some(&lead) = text.get(at) {
                let next = at + bytes(lead);
                if next > wanted {
                    break;
                }
                at = next;
            }
            at.min(text.len())
        };
        from = boundary(0, from);
        to = from.saturating_add(wanted).min(text.len());
        if to < text.len() {
            to = boundary(from, to);
        }
    } else {
        return Ok(Some(Part::Made(cut_characters(text, from, wanted, encoding, substitute)?)));
    }
    Ok(Some(Part::Same(&text[from..to.max(from)])))
}

/// The characters from byte `from` on of which no more than `room` bytes are written.
fn cut_characters(text: &[u8], from: usize, room: usize, encoding: &Encoding, substitute: Substitute) -> Result<PStrBuilder, OutOfMemory> {
    let codes = encoding.decode_charged(text)?;
    let size = |codes: &[u32]| encoding.encode_charged(codes, substitute).map(|text| text.len());
    // The text in front grows with each character, so the place is found by halving.
    let skipped = partition(codes.len(), |count| Ok(size(&codes[..count])? <= from))?;
    let rest = &codes[skipped..];
    let kept = partition(rest.len(), |count| Ok(size(&rest[..count])? <= room))?;
    encoding.encode_charged(&rest[..kept], substitute)
}

/// The largest number up to `most` for which `holds`, which holds for 0 and then for all up to some number.
fn partition(most: usize, holds: impl Fn(usize) -> Result<bool, OutOfMemory>) -> Result<usize, OutOfMemory> {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if holds(middle)? {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Ok(low)
}

/// What mb_trim removes by default.
pub fn is_trimmed(code: u32) -> bool {
    matches!(
        code,
        0 | 0x09..=0x0d | 0x20 | 0x85 | 0xa0 | 0x1680 | 0x180e | 0x2000..=0x200a | 0x2028 | 0x2029 | 0x202f | 0x205f | 0x3000
    )
}

/// mb_trim, mb_ltrim and mb_rtrim: `characters` `None` for the default.
pub fn trim(
    text: &PStr,
    characters: Option<&[u8]>,
    (left, right): (bool, bool),
    encoding: &Encoding,
    substitute: Substitute,
) -> Result<PStr, OutOfMemory> {
    let listed = characters.map(|characters| encoding.decode_charged(characters)).transpose()?;
    let trimmed = |code: &u32| {
        listed
            .as_ref()
            .map_or_else(|| is_trimmed(*code), |listed| listed.contains(code))
    };
    let codes = encoding.decode_charged(text)?;
    let mut rest = &codes[..];
    while left && rest.first().is_some_and(trimmed) {
        rest = &rest[1..];
    }
    while right && rest.last().is_some_and(trimmed) {
        rest = &rest[..rest.len() - 1];
    }
    if rest.len() == codes.len() {
        Ok(text.clone())
    } else {
        Ok(encoding.encode_charged(rest, substitute)?.finish())
    }
}

/// mb_str_pad: how many characters to add on the left and on the right, taken from `pad` in turn.
pub fn pad(
    text: &[u8],
    length: usize,
    pad: &[u8],
    left: bool,
    right: bool,
    encoding: &Encoding,
) -> Result<PStrBuilder, OutOfMemory> {
    let fill = length.saturating_sub(self::length(text, encoding)?);
    let before = match (left, right) {
        (true, true) => fill / 2,
        (true, false) => fill,
        _ => 0,
    };
    let mut out = PStrBuilder::with_capacity(text.len())?;
    pad_side(&mut out, pad, before, encoding)?;
    out.extend(text)?;
    pad_side(&mut out, pad, fill - before, encoding)?;
    Ok(out)
}

/// Characters of `pad` in turn, `count` of them.
fn pad_side(out: &mut PStrBuilder, pad: &[u8], count: usize, encoding: &Encoding) -> Result<(), OutOfMemory> {
    let mut left = count;
    while left > 0 {
        let before = left;
        split(pad, 1, encoding, Substitute::default(), &mut |unit| {
            if left > 0 {
                left -= 1;
                out.extend(unit)?;
            }
            Ok::<(), OutOfMemory>(())
        })?;
        if left == before {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Undoes rawurlencode.
    fn decode(text: &str) -> Vec<u8> {
        let mut parts = text.split('%');
        let mut out = parts.next().unwrap_or("").as_bytes().to_vec();
        for part in parts {
            out.push(u8::from_str_radix(&part[..2], 16).unwrap());
            out.extend_from_slice(&part.as_bytes()[2..]);
        }
        out
    }

    fn run(kind: &str, text: &[u8], a: &[u8], numbers: &[i64]) -> Vec<u8> {
        let utf8 = Encoding::utf8();
        let substitute = Substitute::default();
        let number = |value: Option<usize>| value.map_or("false".into(), |value| value.to_string());
        let found = |search: Search| match position(text, a, numbers[0], search, utf8) {
            Ok(found) => number(found).into_bytes(),
            Err(_) => b"error".to_vec(),
        };
        match kind {
            "strlen" => length(text, utf8).unwrap().to_string().into_bytes(),
            "substr" => substr(text, numbers[0], Some(numbers[1]), utf8, substitute).unwrap().to_vec(),
            "strpos" => found(Search::default()),
            "strrpos" => found(Search {
                last: true,
                fold: false,
            }),
            "stripos" => found(Search {
                last: false,
                fold: true,
            }),
            "strwidth" => width(text, utf8).unwrap().to_string().into_bytes(),
            "count" => count(text, a, utf8).unwrap().to_string().into_bytes(),
            "split" => {
                let mut pieces = Vec::new();
                split(text, numbers[0] as usize, utf8, substitute, &mut |piece| {
                    pieces.push(piece.to_vec());
                    Ok::<(), OutOfMemory>(())
                })
                .unwrap();
                pieces.join(&b'|')
            }
            "strimwidth" => match trim_width(text, numbers[0], numbers[1], a, utf8, substitute) {
                Ok(text) => text.to_vec(),
                Err(_) => b"error".to_vec(),
            },
            "strcut" => cut(text, numbers[0], Some(numbers[1]), utf8, substitute).unwrap().map_or_else(Vec::new, |part| part.to_vec()),
            "trim" => trim(&PStr::new(text), None, (true, true), utf8, substitute).unwrap().as_bytes().to_vec(),
            "trimlist" => trim(&PStr::new(text), Some(a), (true, true), utf8, substitute).unwrap().as_bytes().to_vec(),
            "pad" => pad(text, numbers[0] as usize, "é-".as_bytes(), true, true, utf8).unwrap().to_vec(),
            "valid" => u8::from(utf8.is_valid(text).unwrap()).to_string().into_bytes(),
            "upper" => crate::case::convert_case(text, crate::case::Mode::UPPER, utf8, substitute).unwrap().to_vec(),
            other => panic!("unknown kind {other}"),
        }
    }

    /// Lines of function, text, second text, two numbers and stock PHP's result.
    #[test]
    fn texts_as_php() {
        let mut differences = Vec::new();
        for line in include_str!("../tests/text.tsv").lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let numbers: Vec<i64> = fields[3..5]
                .iter()
                .map(|field| field.parse().unwrap())
                .collect();
            let (text, second) = (decode(fields[1]), decode(fields[2]));
            let found = run(fields[0], &text, &second, &numbers);
            if found != decode(fields[5]) {
                differences.push(format!("{line}\n   found {}", found.escape_ascii()));
            }
        }
        let shown = differences[..differences.len().min(20)].join("\n");
        assert!(
            differences.is_empty(),
            "{} differ\n{shown}",
            differences.len()
        );
    }
}
