//! One match at a time, and the walk over all matches of a subject.
//!
//! Nothing is allocated for a match: room for offsets is leased from a pool of the thread, and goes back when the
//! [`Matcher`] is dropped. Several matchers may be alive at once on a thread (a callback of preg_replace_callback
//! that matches something itself), each with its own room. Limits and the JIT's stack are leased for each match, in which other
//! scripts of the thread may have their turn.

use crate::regex::Regex;
use crate::sys;
use jumbo_abi::{Cx, Stop};
use std::cell::{Cell, RefCell};

/// The ini settings that bear on matching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// `pcre.backtrack_limit`
    pub backtrack_limit: u32,
    /// `pcre.recursion_limit`
    pub recursion_limit: u32,
    /// `pcre.jit`
    pub jit: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            backtrack_limit: 1_000_000,
            recursion_limit: 100_000,
            jit: true,
        }
    }
}

/// Why a match could not be tried to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatchError {
    Internal,
    BacktrackLimit,
    RecursionLimit,
    BadUtf8,
    BadUtf8Offset,
    JitStackLimit,
    /// What a safepoint said.
    Stopped(Stop),
    /// A `\K` in a lookahead moved the match's start behind its end. PHP warns "Get subpatterns list failed" and
    /// leaves `preg_last_error()` alone.
    Subpatterns,
}

impl MatchError {
    fn from_pcre(code: i32) -> MatchError {
        match code {
            sys::PCRE2_ERROR_MATCHLIMIT => MatchError::BacktrackLimit,
            sys::PCRE2_ERROR_DEPTHLIMIT => MatchError::RecursionLimit,
            sys::PCRE2_ERROR_BADUTFOFFSET => MatchError::BadUtf8Offset,
            sys::PCRE2_ERROR_JIT_STACKLIMIT => MatchError::JitStackLimit,
            sys::PCRE2_ERROR_UTF8_ERR21..=sys::PCRE2_ERROR_UTF8_ERR1 => MatchError::BadUtf8,
            _ => MatchError::Internal,
        }
    }

    /// The value of `preg_last_error()` after it.
    pub fn code(self) -> i64 {
        match self {
            MatchError::Subpatterns | MatchError::Stopped(_) => 0,
            MatchError::Internal => 1,
            MatchError::BacktrackLimit => 2,
            MatchError::RecursionLimit => 3,
            MatchError::BadUtf8 => 4,
            MatchError::BadUtf8Offset => 5,
            MatchError::JitStackLimit => 6,
        }
    }
}

/// What `preg_last_error_msg()` says for a value of `preg_last_error()`.
pub fn error_message(code: i64) -> &'static str {
    match code {
        0 => "No error",
        1 => "Internal error",
        2 => "Backtrack limit exhausted",
        3 => "Recursion limit exhausted",
        4 => "Malformed UTF-8 characters, possibly incorrectly encoded",
        5 => "The offset did not correspond to the beginning of a valid UTF-8 code point",
        6 => "JIT stack limit exhausted",
        _ => "Unknown error",
    }
}

/// Offset pairs that a pooled block of match data has room for.
const POOLED_PAIRS: u32 = 32;
/// How many blocks a thread keeps.
const POOLED_BLOCKS_MAX: usize = 16;

/// What a match needs besides its [`sys::MatchData`].
struct Context {
    context: sys::MatchContext,
    /// What its limits are set to.
    limits: (u32, u32),
}

thread_local! {
    /// The thread's context, unless a match has it: one that waits inside another match, or while that is suspended, makes one of its own.
    static CONTEXT: Cell<Option<Box<Context>>> = const { Cell::new(None) };
    static BLOCKS: RefCell<Vec<sys::MatchData>> = const { RefCell::new(Vec::new()) };
}

impl Context {
    #[inline]
    fn take(settings: &Settings) -> Result<Box<Context>, MatchError> {
        let limits = (settings.backtrack_limit, settings.recursion_limit);
        let mut taken = match CONTEXT.take() {
            Some(context) if context.limits == limits => return Ok(context),
            Some(context) => context,
            None => Box::new(Context { context: sys::MatchContext::new().ok_or(MatchError::Internal)?, limits }),
        };
        taken.context.set_limits(limits.0, limits.1);
        taken.limits = limits;
        Ok(taken)
    }
}

/// A subject, remembering whether it is valid UTF-8 as a whole, so that a walk over it asks once.
pub struct Subject<'s> {
    bytes: &'s [u8],
    utf8: Cell<Option<bool>>,
}

impl<'s> Subject<'s> {
    pub fn new(bytes: &'s [u8]) -> Self {
        Subject {
            bytes,
            utf8: Cell::new(None),
        }
    }

    pub fn bytes(&self) -> &'s [u8] {
        self.bytes
    }

    /// It is known to be valid UTF-8.
    pub fn set_valid(&self) {
        self.utf8.set(Some(true));
    }

    pub fn is_utf8(&self) -> bool {
        self.utf8.get().unwrap_or_else(|| {
            let valid = std::str::from_utf8(self.bytes).is_ok();
            self.utf8.set(Some(valid));
            valid
        })
    }

    /// Whether a match in UTF mode may start at `offset` without PCRE2 checking anything.
    fn is_char_start(&self, offset: usize) -> bool {
        self.bytes
            .get(offset)
            .is_none_or(|byte| byte & 0xc0 != 0x80)
    }
}

/// Matches one pattern, and holds the offsets of the last match.
pub struct Matcher<'r> {
    regex: &'r Regex,
    settings: Settings,
    /// `Some` until dropped, or until a match was abandoned.
    data: Option<sys::MatchData>,
    /// A match is under way, or was left by unwinding: the data is good for nothing else.
    is_matching: bool,
    count: usize,
}

impl Drop for Matcher<'_> {
    fn drop(&mut self) {
        if let Some(data) = self.data.take()
            && data.pairs() == POOLED_PAIRS as usize
            && !self.is_matching
        {
            // A script may be ended with its thread.
            _ = BLOCKS.try_with(|blocks| {
                let blocks = &mut blocks.borrow_mut();
                if blocks.len() < POOLED_BLOCKS_MAX {
                    blocks.push(data);
                }
            });
        }
    }
}

impl<'r> Matcher<'r> {
    pub fn new(regex: &'r Regex, settings: &Settings) -> Result<Matcher<'r>, MatchError> {
        let pairs = u32::try_from(regex.group_count()).map_err(|_| MatchError::Internal)?;
        let pooled = if pairs <= POOLED_PAIRS {
            BLOCKS.with_borrow_mut(Vec::pop)
        } else {
            None
        };
        let data = match pooled {
            Some(data) => data,
            None => sys::MatchData::new(pairs.max(POOLED_PAIRS)).ok_or(MatchError::Internal)?,
        };
        Ok(Matcher {
            regex,
            settings: *settings,
            data: Some(data),
            is_matching: false,
            count: 0,
        })
    }

    pub fn regex(&self) -> &'r Regex {
        self.regex
    }

    /// Looks for a match at or after `offset`. `true` when there is one; its groups can be asked for until the next
    /// call. There are safepoints of `cx` inside.
    pub fn exec(&mut self, cx: Option<&mut Cx>, subject: &Subject<'_>, offset: usize) -> Result<bool, MatchError> {
        self.exec_with(cx, subject, offset, 0)
    }

    /// Looks for a match that starts at `offset` and is not empty: the second try after an empty match.
    pub fn exec_not_empty(&mut self, cx: Option<&mut Cx>, subject: &Subject<'_>, offset: usize) -> Result<bool, MatchError> {
        self.exec_with(cx, subject, offset, sys::PCRE2_NOTEMPTY_ATSTART | sys::PCRE2_ANCHORED)
    }

    fn exec_with(&mut self, cx: Option<&mut Cx>, subject: &Subject<'_>, offset: usize, mut options: u32) -> Result<bool, MatchError> {
        self.count = 0;
        if offset > subject.bytes.len() {
            return Err(MatchError::Internal);
        }
        // Where the whole subject is not valid PCRE2 itself looks, which finds nothing wrong before what a
        // lookbehind can reach from `offset`, and knows which error it is.
        if !self.regex.is_utf() || (subject.is_utf8() && subject.is_char_start(offset)) {
            options |= sys::PCRE2_NO_UTF_CHECK;
        }
        if !self.settings.jit {
            options |= sys::PCRE2_NO_JIT;
        }
        let context = Context::take(&self.settings)?;
        let data = self.data.as_mut().ok_or(MatchError::Internal)?;
        self.is_matching = true;
        let answer = data.exec(cx, &self.regex.code, &context.context, subject.bytes, offset, options);
        self.is_matching = false;
        let answer = match answer {
            Ok(answer) => answer,
            Err(stop) => {
                self.data = None;
                return Err(MatchError::Stopped(stop));
            }
        };
        CONTEXT.set(Some(context));
        self.matched(answer)
    }

    /// What PCRE2's answer means.
    #[inline]
    fn matched(&mut self, answer: i32) -> Result<bool, MatchError> {
        let data = self.data.as_ref().ok_or(MatchError::Internal)?;
        if answer == sys::PCRE2_ERROR_NOMATCH {
            return Ok(false);
        }
        self.count = usize::try_from(answer)
            .map_err(|_| MatchError::from_pcre(answer))?
            .min(data.pairs());
        if self.count == 0 {
            return Err(MatchError::Internal);
        }
        let (start, end) = self.span();
        if end < start {
            self.count = 0;
            return Err(MatchError::Subpatterns);
        }
        Ok(true)
    }

    /// How many groups the last match reports: the last one that took part, plus 1. 0 when nothing matched.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Start and end of group `group` in the last match, when it took part.
    #[inline]
    pub fn group(&self, group: usize) -> Option<(usize, usize)> {
        if group >= self.count {
            return None;
        }
        let offsets = self.data.as_ref()?.offsets();
        let (start, end) = (*offsets.get(group * 2)?, *offsets.get(group * 2 + 1)?);
        // A `\K` can make a group end before it starts, only in patterns that refer to it from a lookahead.
        (start != usize::MAX).then_some((start, end.max(start)))
    }

    /// Start and end of the whole of the last match.
    #[inline]
    pub fn span(&self) -> (usize, usize) {
        match self.data.as_ref().map(sys::MatchData::offsets) {
            Some([start, end, ..]) => (*start, *end),
            _ => (0, 0),
        }
    }

    /// The bytes of group `group`; empty when it took no part.
    pub fn text<'s>(&self, subject: &Subject<'s>, group: usize) -> &'s [u8] {
        let bytes = subject.bytes;
        self.group(group)
            .and_then(|(start, end)| bytes.get(start..end))
            .unwrap_or_default()
    }

    /// The `(*MARK)` that the last match passed, or the last failed one did.
    pub fn mark(&self) -> Option<&[u8]> {
        self.data.as_ref()?.mark(&self.regex.code)
    }
}

/// What a walk does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Find,
    /// The last match was empty: first look for one here that is not, as Perl's `/g` does.
    FindNotEmpty,
    End,
}

/// The walk over all matches of a subject, as preg_match_all and preg_replace do it.
pub struct Walk<'w, 'r, 's> {
    pub matcher: &'w mut Matcher<'r>,
    pub subject: &'w Subject<'s>,
    offset: usize,
    step: Step,
}

impl<'w, 'r, 's> Walk<'w, 'r, 's> {
    pub fn new(matcher: &'w mut Matcher<'r>, subject: &'w Subject<'s>, offset: usize) -> Self {
        Walk {
            matcher,
            subject,
            offset,
            step: Step::Find,
        }
    }

    /// Goes to the next match; `false` when there is none. Its groups are in `matcher`.
    pub fn advance(&mut self, mut cx: Option<&mut Cx>) -> Result<bool, MatchError> {
        loop {
            let found = match self.step {
                Step::End => return Ok(false),
                Step::Find => self.matcher.exec(cx.as_deref_mut(), self.subject, self.offset),
                Step::FindNotEmpty => self.matcher.exec_not_empty(cx.as_deref_mut(), self.subject, self.offset),
            };
            match found {
                Err(error) => {
                    self.step = Step::End;
                    return Err(error);
                }
                Ok(true) => {
                    let (start, end) = self.matcher.span();
                    self.offset = end;
                    self.step = if start == end {
                        Step::FindNotEmpty
                    } else {
                        Step::Find
                    };
                    return Ok(true);
                }
                Ok(false)
                    if self.step == Step::FindNotEmpty
                        && self.offset < self.subject.bytes.len() =>
                {
                    self.offset += self.matcher.regex.char_len(self.subject.bytes, self.offset);
                    self.step = Step::Find;
                }
                Ok(false) => self.step = Step::End,
            }
        }
    }
}

/// preg_grep's question about one string.
pub fn is_match(cx: Option<&mut Cx>, regex: &Regex, settings: &Settings, subject: &[u8]) -> Result<bool, MatchError> {
    Matcher::new(regex, settings)?.exec(cx, &Subject::new(subject), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(pattern: &str, subject: &[u8]) -> Result<Vec<(usize, usize)>, MatchError> {
        let regex = Regex::compile(pattern.as_bytes()).unwrap();
        let mut matcher = Matcher::new(&regex, &Settings::default())?;
        let subject = Subject::new(subject);
        let mut walk = Walk::new(&mut matcher, &subject, 0);
        let mut spans = Vec::new();
        while walk.advance(None)? {
            spans.push(walk.matcher.span());
        }
        Ok(spans)
    }

    #[test]
    fn walks_over_empty_matches() {
        assert_eq!(
            spans("/x*/", b"xxaxx"),
            Ok(vec![(0, 2), (2, 2), (3, 5), (5, 5)])
        );
        assert_eq!(
            spans("//u", "aé".as_bytes()),
            Ok(vec![(0, 0), (1, 1), (3, 3)])
        );
        assert_eq!(spans("/a|(?=b)/", b"ab"), Ok(vec![(0, 1), (1, 1)]));
        assert_eq!(spans("/z/", b"ab"), Ok(vec![]));
    }

    #[test]
    fn errors_have_php_codes() {
        assert_eq!(spans("/a/u", b"a\x80a"), Err(MatchError::BadUtf8));
        assert_eq!(spans("/(?=ab\\K)a/", b"ab"), Err(MatchError::Subpatterns));
        let regex = Regex::compile(b"/.*\\p{N}/").unwrap();
        let settings = Settings {
            backtrack_limit: 2,
            jit: false,
            ..Settings::default()
        };
        let found = Matcher::new(&regex, &settings)
            .unwrap()
            .exec(None, &Subject::new(b"0123456789aaaaaaaaaa"), 0);
        assert_eq!(found, Err(MatchError::BacktrackLimit));
        assert_eq!(
            error_message(MatchError::BacktrackLimit.code()),
            "Backtrack limit exhausted"
        );
    }

    #[test]
    fn utf8_is_checked_only_where_a_match_can_look() {
        let at = |pattern: &[u8], subject: &[u8], offset| {
            let regex = Regex::compile(pattern).unwrap();
            Matcher::new(&regex, &Settings::default())
                .unwrap()
                .exec(None, &Subject::new(subject), offset)
        };
        assert_eq!(at(b"/a/u", b"\xffa", 1), Ok(true));
        assert_eq!(at(b"/(?<=b)a/u", b"\xffa", 1), Err(MatchError::BadUtf8));
        assert_eq!(
            at(b"/a/u", "éa".as_bytes(), 1),
            Err(MatchError::BadUtf8Offset)
        );
        assert_eq!(at(b"/a/u", b"a", 9), Err(MatchError::Internal));
    }

    #[test]
    fn groups_and_marks() {
        let regex = Regex::compile(b"/(*MARK:foo)x|(y)(z)?(*MARK:bar)/").unwrap();
        let mut matcher = Matcher::new(&regex, &Settings::default()).unwrap();
        let subject = Subject::new(b"-y");
        assert_eq!(matcher.exec(None, &subject, 0), Ok(true));
        assert_eq!(
            (matcher.count(), matcher.group(1), matcher.group(2)),
            (2, Some((1, 2)), None)
        );
        assert_eq!(matcher.text(&subject, 1), b"y");
        assert_eq!(matcher.mark(), Some(&b"bar"[..]));
        // A second matcher in between has its own offsets.
        let mut inner = Matcher::new(&regex, &Settings::default()).unwrap();
        assert_eq!(inner.exec(None, &Subject::new(b"xx"), 1), Ok(true));
        assert_eq!(inner.mark(), Some(&b"foo"[..]));
        assert_eq!(matcher.span(), (1, 2));
    }

    #[test]
    fn many_groups_fit() {
        let pattern = format!("/{}/", "(a)".repeat(100));
        let regex = Regex::compile(pattern.as_bytes()).unwrap();
        let mut matcher = Matcher::new(&regex, &Settings::default()).unwrap();
        assert_eq!(matcher.exec(None, &Subject::new(&[b'a'; 100]), 0), Ok(true));
        assert_eq!(
            (matcher.count(), matcher.group(100)),
            (101, Some((99, 100)))
        );
    }
}
