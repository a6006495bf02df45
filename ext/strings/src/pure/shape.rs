//! Laying out text: str_pad, chunk_split, wordwrap, nl2br, strrev, ucwords, str_repeat's and substr's rules.

use super::charlist::ByteSet;
use jumbo_value::{OutOfMemory, PStr, PStrBuilder};
use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PadSide {
    Left,
    Right,
    Both,
}

/// chunk_split. `length` is at least 1.
pub fn chunk_split(text: &[u8], length: usize, end: &[u8]) -> Result<PStr, OutOfMemory> {
    if text.is_empty() {
        return Ok(PStr::new(end));
    }
    let length = length.max(1);
    let mut out = PStrBuilder::with_capacity(text.len().saturating_add(text.len().div_ceil(length).saturating_mul(end.len())))?;
    for chunk in text.chunks(length) {
        out.extend(chunk)?;
        out.extend(end)?;
    }
    Ok(out.finish())
}

/// wordwrap: gives `each` the lines of the result, which stand with breaks between them. Texts for what is not allowed: `$break` empty, or `$width` 0 with `$cut_long_words`, are the caller's
/// ValueErrors.
pub fn wordwrap(
    text: &[u8],
    width: i64,
    line_break: &[u8],
    cut: bool,
    mut each: impl FnMut(Range<usize>) -> Result<(), OutOfMemory>,
) -> Result<(), OutOfMemory> {
    if line_break.is_empty() || width == 0 && cut {
        return each(0..text.len());
    }
    // A break at the very end counts only where PHP replaces spaces in place.
    let in_place = line_break.len() == 1 && !cut;
    let too_long =
        |from: usize, to: usize| i64::try_from(to - from).is_ok_and(|length| length >= width);
    // The line that is being read began at `line`; the last space in it that a break may replace is at `space`.
    let (mut line, mut space) = (0, 0);
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        if byte == line_break[0]
            && text[at..].starts_with(line_break)
            && (in_place || at + line_break.len() < text.len())
        {
            // The text breaks here by itself.
            each(line..at)?;
            at += line_break.len() - 1;
            line = at + 1;
            space = line;
        } else if byte == b' ' {
            if too_long(line, at) {
                each(line..at)?;
                line = at + 1;
            }
            space = at;
        } else if too_long(line, at) && cut && line >= space {
            each(line..at)?;
            line = at;
            space = at;
        } else if too_long(line, at) && line < space {
            each(line..space)?;
            line = space + 1;
            space = line;
        }
        at += 1;
    }
    each(line.min(text.len())..text.len())
}

/// nl2br. `None` when there are no line ends.
pub fn nl2br(text: &[u8], xhtml: bool) -> Result<Option<PStr>, OutOfMemory> {
    if memchr::memchr2(b'\n', b'\r', text).is_none() {
        return Ok(None);
    }
    let tag: &[u8] = if xhtml { b"<br />" } else { b"<br>" };
    let mut out = PStrBuilder::with_capacity(text.len() + 8 * tag.len())?;
    let mut rest = text;
    while let Some(at) = memchr::memchr2(b'\n', b'\r', rest) {
        let length = match rest[at..] {
            [b'\n', b'\r', ..] | [b'\r', b'\n', ..] => 2,
            _ => 1,
        };
        out.extend(&rest[..at])?;
        out.extend(tag)?;
        out.extend(&rest[at..at + length])?;
        rest = &rest[at + length..];
    }
    out.extend(rest)?;
    Ok(Some(out.finish()))
}

/// What ucwords takes as the ends of words by default.
pub const UCWORDS_DELIMITERS: ByteSet = ByteSet::literal(b" \t\r\n\x0c\x0b");

/// ucwords, in place.
pub fn ucwords(text: &mut [u8], delimiters: &ByteSet) {
    let mut at_start = true;
    for byte in text {
        if at_start {
            *byte = byte.to_ascii_uppercase();
        }
        at_start = delimiters.contains(*byte);
    }
}

/// The part that `substr($text, $offset, $length)` means, for `length` `None` to the end.
pub fn substr_range(text_len: usize, offset: i64, length: Option<i64>) -> std::ops::Range<usize> {
    let total = i64::try_from(text_len).unwrap_or(i64::MAX);
    let start = if offset < 0 {
        (total.saturating_add(offset)).max(0)
    } else {
        offset.min(total)
    };
    let end = match length {
        None => total,
        Some(length) if length < 0 => total.saturating_add(length).max(start),
        Some(length) => start.saturating_add(length).min(total),
    };
    // Both are between 0 and the length.
    start as usize..end as usize
}

/// What is wrong with an offset or length given to a function that does not clamp them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeError {
    Offset,
    Length,
}

/// The part that substr_count and substr_compare look at: both must lie in the text.
pub fn strict_range(
    text_len: usize,
    offset: i64,
    length: Option<i64>,
) -> Result<std::ops::Range<usize>, RangeError> {
    let total = i64::try_from(text_len).unwrap_or(i64::MAX);
    let start = if offset < 0 {
        offset.saturating_add(total)
    } else {
        offset
    };
    if !(0..=total).contains(&start) {
        return Err(RangeError::Offset);
    }
    let length = match length {
        None => total - start,
        Some(length) if length < 0 => length.saturating_add(total - start),
        Some(length) => length,
    };
    if !(0..=total - start).contains(&length) {
        return Err(RangeError::Length);
    }
    Ok(start as usize..(start + length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, number, rows, show};

    #[test]
    fn wraps_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/wordwrap.tsv")) {
            let [text, width, line_break, cut, expected] = &row[..] else {
                panic!("bad row")
            };
            let mut lines = Vec::new();
            wordwrap(text, number(width), line_break, cut == b"1", |line| {
                lines.push(&text[line]);
                Ok(())
            })?;
            let found = lines.join(line_break.as_slice());
            samples.check(
                show(&found),
                show(expected),
                format!("{} {} {}", show(text), show(width), show(cut)),
            );
        }
        Ok(())
    }

    #[test]
    fn shapes() -> Result<(), OutOfMemory> {
        assert_eq!(chunk_split(b"abcde", 2, b"\n")?, b"ab\ncd\ne\n");
        assert_eq!(chunk_split(b"", 2, b"\n")?, b"\n");
        assert_eq!(
            nl2br(b"a\r\nb\n\rc\n\nd\r", true)?.unwrap(),
            b"a<br />\r\nb<br />\n\rc<br />\n<br />\nd<br />\r"
        );
        assert_eq!(nl2br(b"ab", true)?, None);
        let mut words = b"hello big-world".to_vec();
        ucwords(&mut words, &UCWORDS_DELIMITERS);
        assert_eq!(words, b"Hello Big-world");
        assert_eq!(substr_range(3, -5, None), 0..3);
        assert_eq!(substr_range(3, -2, Some(-1)), 1..2);
        assert_eq!(substr_range(3, 2, Some(-2)), 2..2);
        assert_eq!(substr_range(3, i64::MIN, Some(i64::MAX)), 0..3);
        assert_eq!(strict_range(5, -5, Some(2)), Ok(0..2));
        assert_eq!(strict_range(5, 6, None), Err(RangeError::Offset));
        assert_eq!(strict_range(5, 2, Some(4)), Err(RangeError::Length));
        Ok(())
    }
}
