//! Replacement templates (`\1`, `$1`, `${12}`) and the core of preg_replace, preg_filter and preg_replace_callback.

use crate::matcher::{MatchError, Matcher, Settings, Subject, Walk};
use crate::regex::Regex;
use jumbo_abi::Cx;
use jumbo_value::{HeapCharge, OutOfMemory, PStr, PStrBuilder};
use std::ops::Range;

/// Where results are written: the caller's string builder.
pub trait Output {
    fn append(&mut self, bytes: &[u8]) -> Result<(), OutOfMemory>;
}

#[cfg(test)]
impl Output for Vec<u8> {
    fn append(&mut self, bytes: &[u8]) -> Result<(), OutOfMemory> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(Range<usize>),
    Group(u8),
}

/// A replacement, parsed once for all matches.
pub struct Template {
    literals: PStr,
    pieces: Vec<Piece>,
    _charge: HeapCharge,
}

/// Most templates have no more pieces.
const PIECES: usize = 4;

/// A template that is not whole yet.
struct Parts {
    literals: PStrBuilder,
    pieces: Vec<Piece>,
    charge: HeapCharge,
}

impl Parts {
    fn push(&mut self, piece: Piece) -> Result<(), OutOfMemory> {
        if self.pieces.is_empty() {
            self.pieces.reserve(PIECES);
        } else if self.pieces.len() == self.pieces.capacity() {
            self.charge.reserve(&mut self.pieces, 1)?;
        }
        self.pieces.push(piece);
        Ok(())
    }

    fn end_literal(&mut self, start: &mut usize) -> Result<(), OutOfMemory> {
        let end = self.literals.len();
        if *start < end {
            self.push(Piece::Literal(*start..end))?;
            *start = end;
        }
        Ok(())
    }
}

/// The group that `text` refers to (it begins with `\` or `$`), and how many bytes the reference has.
fn group_reference(text: &[u8]) -> Option<(u8, usize)> {
    let braced = text.starts_with(b"${");
    let digits_at = if braced { 2 } else { 1 };
    let digit = |at: usize| {
        text.get(at)
            .filter(|byte| byte.is_ascii_digit())
            .map(|byte| byte - b'0')
    };
    let mut group = digit(digits_at)?;
    let mut at = digits_at + 1;
    if let Some(second) = digit(at) {
        group = group * 10 + second;
        at += 1;
    }
    if braced {
        if text.get(at) != Some(&b'}') {
            return None;
        }
        at += 1;
    }
    Some((group, at))
}

impl Template {
    pub fn parse(text: &[u8]) -> Result<Template, OutOfMemory> {
        let mut template = Parts {
            literals: PStrBuilder::with_capacity(text.len())?,
            pieces: Vec::new(),
            charge: HeapCharge::none(),
        };
        let mut piece_start = 0;
        let mut at = 0;
        while let Some(&byte) = text.get(at) {
            if byte == b'\\' || byte == b'$' {
                if let Some((group, length)) = group_reference(&text[at..]) {
                    template.end_literal(&mut piece_start)?;
                    template.push(Piece::Group(group))?;
                    at += length;
                    continue;
                }
                // A backslash that refers to nothing escapes a backslash or a dollar sign, and stays otherwise.
                if byte == b'\\' && matches!(text.get(at + 1), Some(b'\\' | b'$')) {
                    at += 1;
                }
            }
            let plain = text[at + 1..].iter().position(|byte| matches!(byte, b'\\' | b'$'));
            let end = plain.map_or(text.len(), |plain| at + 1 + plain);
            template.literals.extend(&text[at..end])?;
            at = end;
        }
        template.end_literal(&mut piece_start)?;
        let Parts { literals, pieces, charge } = template;
        Ok(Template { literals: literals.finish(), pieces, _charge: charge })
    }

    /// Writes the replacement of the matcher's last match.
    pub fn expand(&self, matcher: &Matcher<'_>, subject: &Subject<'_>, out: &mut impl Output) -> Result<(), OutOfMemory> {
        for piece in &self.pieces {
            match piece {
                Piece::Literal(range) => out.append(&self.literals[range.clone()])?,
                Piece::Group(group) => out.append(matcher.text(subject, usize::from(*group)))?,
            }
        }
        Ok(())
    }
}

/// What stopped a replacement: the match, or the caller's callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplaceError<E> {
    Match(MatchError),
    /// The result had no room.
    Memory(OutOfMemory),
    Callback(E),
}

impl<E> From<MatchError> for ReplaceError<E> {
    fn from(error: MatchError) -> Self {
        ReplaceError::Match(error)
    }
}

impl<E> From<OutOfMemory> for ReplaceError<E> {
    fn from(error: OutOfMemory) -> Self {
        ReplaceError::Memory(error)
    }
}

/// Replaces up to `limit` matches (`None`: all) with what `callback` writes, and returns how many there were. With 0
/// nothing has been written to `out`: the result is the subject itself.
pub fn replace_with<O: Output, E>(
    mut cx: Option<&mut Cx>,
    regex: &Regex,
    settings: &Settings,
    subject: &[u8],
    limit: Option<usize>,
    out: &mut O,
    mut callback: impl FnMut(Option<&mut Cx>, &Matcher<'_>, &Subject<'_>, &mut O) -> Result<(), E>,
) -> Result<usize, ReplaceError<E>> {
    let subject = Subject::new(subject);
    let mut matcher = Matcher::new(regex, settings)?;
    let mut walk = Walk::new(&mut matcher, &subject, 0);
    let mut copied = 0;
    let mut count = 0;
    while limit.is_none_or(|limit| count < limit) && walk.advance(cx.as_deref_mut())? {
        count += 1;
        let (start, end) = walk.matcher.span();
        // With `\K` in a lookbehind a match may start before the last one's end.
        out.append(subject.bytes().get(copied..start).unwrap_or_default())?;
        callback(cx.as_deref_mut(), walk.matcher, &subject, out).map_err(ReplaceError::Callback)?;
        copied = end.max(copied);
    }
    if count > 0 {
        out.append(subject.bytes().get(copied..).unwrap_or_default())?;
    }
    Ok(count)
}

/// [`replace_with`] for a template.
pub fn replace<E>(
    cx: Option<&mut Cx>,
    regex: &Regex,
    settings: &Settings,
    subject: &[u8],
    limit: Option<usize>,
    template: &Template,
    out: &mut impl Output,
) -> Result<usize, ReplaceError<E>> {
    let expand = |_: Option<&mut Cx>, matcher: &Matcher<'_>, subject: &Subject<'_>, out: &mut _| template.expand(matcher, subject, out);
    replace_with(cx, regex, settings, subject, limit, out, expand).map_err(|error| match error {
        ReplaceError::Match(error) => ReplaceError::Match(error),
        ReplaceError::Memory(error) | ReplaceError::Callback(error) => ReplaceError::Memory(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        pattern: &str,
        template: &str,
        subject: &str,
        limit: Option<usize>,
        expected: &str,
        count: usize,
    ) {
        let regex = Regex::compile(pattern.as_bytes()).unwrap();
        let heap = jumbo_value::Heap::new();
        let _guard = heap.enter();
        let template = Template::parse(template.as_bytes()).unwrap();
        let mut out = Vec::new();
        let found = replace::<()>(
            None,
            &regex,
            &Settings::default(),
            subject.as_bytes(),
            limit,
            &template,
            &mut out,
        );
        assert_eq!(
            (found, String::from_utf8(out).unwrap().as_str()),
            (Ok(count), expected)
        );
    }

    #[test]
    fn templates() {
        let all = r"[\1|$2|${1}|\0|$10|\{1}|\\1|\$1|$|\|${1|$a|${01}|$001]\";
        check(
            "/(a)(b)?/",
            all,
            "ab",
            None,
            r"[a|b|a|ab||\{1}|\1|$1|$|\|${1|$a|a|ab1]\",
            1,
        );
        check("/x/", "", "axbx", Some(1), "abx", 1);
        check("/x*/", "-", "abxc", None, "-a-b--c-", 5);
        check("/z/", "-", "abc", None, "", 0);
    }

    #[test]
    fn callbacks_may_match_themselves_and_stop() {
        let regex = Regex::compile(b"/\\w/").unwrap();
        let mut out = Vec::new();
        let settings = Settings::default();
        let found = replace_with(
            None,
            &regex,
            &settings,
            b"a b c",
            None,
            &mut out,
            |_, matcher, subject, out| {
                let letter = matcher.text(subject, 0);
                let digit = Regex::compile(b"/c/").unwrap();
                if crate::matcher::is_match(None, &digit, &settings, letter) == Ok(true) {
                    return Err("stop");
                }
                out.extend_from_slice(&letter.to_ascii_uppercase());
                Ok(())
            },
        );
        assert_eq!(
            (found, out),
            (Err(ReplaceError::Callback("stop")), b"A B ".to_vec())
        );
    }
}
