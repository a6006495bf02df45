//! One match at a time, and the walk over all matches of a subject.
//!
//! Nothing is allocated for a match: room for offsets is leased from a pool of the thread, and goes back when the
//! [`Matcher`] is dropped. Several matchers may be alive at once on a thread (a callback of preg_replace_callback
//! that matches something itself), each with its own room; the JIT stack is shared, because it is in use only
//! inside `exec`.

use crate::regex::Regex;
use crate::sys;
use crate::windows::{LONG_BYTES, Windows};
use jumbo_abi::{Cx, Stop};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The ini settings that bear on matching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// `pcre.backtrack_limit`
    pub backtrack_limit: u32,
    /// `pcre.recursion_limit`
    pub recursion_limit: u32,
    /// `pcre.jit`
    pub jit: bool,
    /// CPU time that the request may still use. Looked at only between the tries of a match that needs more than
    /// [`FIRST_TRY`] allows.
    pub time_left: Option<Duration>,
}

/// A match with a higher `pcre.backtrack_limit` than this is tried with this limit first, then with [`NEXT_TRY`] times as much, and so
/// on: PCRE2 cannot be interrupted (its JIT code on a coroutine's stack even less), so in between the time limit is looked at. Stock PHP's
/// default is not above it.
const FIRST_TRY: u32 = 1_000_000;
const NEXT_TRY: u32 = 3;
/// On a long subject a match is first tried with less, since what the limit counts may each read to the end of it: so many bytes together, but
/// never with less than the minimum.
const EFFORT_READS_MAX: usize = 1 << 30;
const EFFORT_MIN: u32 = 1000;

impl Default for Settings {
    fn default() -> Self {
        Settings {
            backtrack_limit: 1_000_000,
            recursion_limit: 100_000,
            jit: true,
            time_left: None,
        }
    }
}

/// The thread's CPU time: nothing else runs on it during a match.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
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
    /// max_execution_time is over.
    TimeIsUp,
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
            MatchError::Internal | MatchError::TimeIsUp => 1,
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

struct Thread {
    context: sys::MatchContext,
    /// What the context's limits are set to.
    limits: Cell<(u32, u32)>,
    pool: RefCell<Vec<sys::MatchData>>,
}

thread_local! {
    static THREAD: RefCell<Option<Rc<Thread>>> = const { RefCell::new(None) };
}

impl Thread {
    #[inline]
    fn limit(&self, matches: u32, depth: u32) {
        let limits = (matches, depth);
        if self.limits.get() != limits {
            self.context.set_limits(matches, depth);
            self.limits.set(limits);
        }
    }
}

fn thread() -> Result<Rc<Thread>, MatchError> {
    THREAD.with_borrow_mut(|slot| match slot {
        Some(thread) => Ok(Rc::clone(thread)),
        None => {
            let context = sys::MatchContext::new().ok_or(MatchError::Internal)?;
            // No limit equals this pair, so the first match sets its own.
            let limits = Cell::new((0, 0));
            context.set_limits(0, 0);
            Ok(Rc::clone(slot.insert(Rc::new(Thread {
                context,
                limits,
                pool: RefCell::default(),
            }))))
        }
    })
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
    thread: Rc<Thread>,
    /// `Some` until dropped.
    data: Option<sys::MatchData>,
    count: usize,
    /// Absent until a subject is long.
    long: Option<Box<Long>>,
}

/// What the matches of a walk over a long subject share.
struct Long {
    windows: Windows,
    /// The limit of backtracking that a match is tried with.
    effort: u32,
}

impl Drop for Matcher<'_> {
    fn drop(&mut self) {
        if let Some(data) = self.data.take()
            && data.pairs() == POOLED_PAIRS as usize
            && let Ok(mut pool) = self.thread.pool.try_borrow_mut()
            && pool.len() < POOLED_BLOCKS_MAX
        {
            pool.push(data);
        }
    }
}

impl<'r> Matcher<'r> {
    pub fn new(regex: &'r Regex, settings: &Settings) -> Result<Matcher<'r>, MatchError> {
        let thread = thread()?;
        let pairs = u32::try_from(regex.group_count()).map_err(|_| MatchError::Internal)?;
        let pooled = if pairs <= POOLED_PAIRS {
            thread.pool.borrow_mut().pop()
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
            thread,
            data: Some(data),
            count: 0,
            long: None,
        })
    }

    pub fn regex(&self) -> &'r Regex {
        self.regex
    }

    /// Looks for a match at or after `offset`. `true` when there is one; its groups can be asked for until the next
    /// call. On long subjects there are safepoints of `cx`.
    pub fn exec(&mut self, cx: Option<&mut Cx>, subject: &Subject<'_>, offset: usize) -> Result<bool, MatchError> {
        if subject.bytes.len().saturating_sub(offset) > LONG_BYTES {
            return self.exec_long(cx, subject, offset);
        }
        self.exec_with(subject, offset, 0)
    }

    /// Looks for a match that starts at `offset` and is not empty: the second try after an empty match.
    pub fn exec_not_empty(
        &mut self,
        subject: &Subject<'_>,
        offset: usize,
    ) -> Result<bool, MatchError> {
        self.exec_with(
            subject,
            offset,
            sys::PCRE2_NOTEMPTY_ATSTART | sys::PCRE2_ANCHORED,
        )
    }

    /// [`Matcher::exec`] where a lot of the subject is left.
    #[cold]
    fn exec_long(&mut self, mut cx: Option<&mut Cx>, subject: &Subject<'_>, offset: usize) -> Result<bool, MatchError> {
        let mut check = || cx.as_deref_mut().map_or(Ok(()), Cx::check).map_err(MatchError::Stopped);
        check()?;
        // What is no UTF-8 PCRE2 has to look at as a whole, and is no subject to most patterns.
        let Some(code) = self.regex.windowed().filter(|_| !self.regex.is_utf() || subject.is_utf8() && subject.is_char_start(offset)) else {
            return self.exec_with(subject, offset, 0);
        };
        self.count = 0;
        let mut options = sys::PCRE2_NO_UTF_CHECK;
        if !self.settings.jit {
            options |= sys::PCRE2_NO_JIT;
        }
        let end = subject.bytes.len();
        let most = self.settings.backtrack_limit;
        let long = self.long.get_or_insert_with(|| {
            let reads = u32::try_from(EFFORT_READS_MAX / (end - offset)).unwrap_or(u32::MAX);
            Box::new(Long { windows: Windows::default(), effort: reads.max(EFFORT_MIN).min(most) })
        });
        let mut measured = long.windows.begin(end - offset);
        let mut start = offset;
        let answer = loop {
            let mut last = start.saturating_add(long.windows.starts() - 1).min(end);
            while !subject.is_char_start(last) && self.regex.is_utf() {
                last += 1;
            }
            let began = measured.then(Instant::now);
            self.thread.limit(long.effort, self.settings.recursion_limit);
            self.thread.context.set_offset_limit(last);
            let data = self.data.as_mut().ok_or(MatchError::Internal)?;
            let answer = data.exec(code, &self.thread.context, subject.bytes, start, options);
            self.thread.context.forget_offset_limit();
            let took = began.map(|began| began.elapsed());
            match answer {
                sys::PCRE2_ERROR_NOMATCH if last < end => {
                    start = last + self.regex.char_len(subject.bytes, last);
                    long.windows.passed(took, end - start);
                }
                sys::PCRE2_ERROR_MATCHLIMIT if long.effort < most => {
                    long.effort = long.effort.saturating_mul(NEXT_TRY).min(most);
                    long.windows.shrink();
                }
                answer => {
                    if let Some(took) = took {
                        long.windows.passed(Some(took), end - start);
                    }
                    break answer;
                }
            }
            measured = true;
            check()?;
        };
        self.matched(answer)
    }

    fn exec_with(
        &mut self,
        subject: &Subject<'_>,
        offset: usize,
        mut options: u32,
    ) -> Result<bool, MatchError> {
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
        let data = self.data.as_mut().ok_or(MatchError::Internal)?;
        let most = self.settings.backtrack_limit;
        let mut limit = match self.settings.time_left {
            Some(_) => most.min(FIRST_TRY),
            None => most,
        };
        let mut began = None;
        let answer = loop {
            self.thread.limit(limit, self.settings.recursion_limit);
            let answer = data.exec(
                &self.regex.code,
                &self.thread.context,
                subject.bytes,
                offset,
                options,
            );
            if answer != sys::PCRE2_ERROR_MATCHLIMIT || limit >= most {
                break answer;
            }
            let began = *began.get_or_insert_with(cpu_time);
            if self.settings.time_left.is_some_and(|left| cpu_time().saturating_sub(began) >= left) {
                return Err(MatchError::TimeIsUp);
            }
            limit = limit.saturating_mul(NEXT_TRY).min(most);
        };
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
                Step::FindNotEmpty => self.matcher.exec_not_empty(self.subject, self.offset),
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
    fn a_raised_limit_looks_at_the_time() {
        let regex = Regex::compile(b"/^(a+)+$/").unwrap();
        let text = [b"a".repeat(60), b"b".to_vec()].concat();
        let exec = |time_left| {
            let settings = Settings { backtrack_limit: 2_000_000, time_left, ..Settings::default() };
            Matcher::new(&regex, &settings).unwrap().exec(None, &Subject::new(&text), 0)
        };
        assert_eq!(exec(Some(Duration::ZERO)), Err(MatchError::TimeIsUp));
        assert_eq!(exec(Some(Duration::from_secs(3600))), Err(MatchError::BacktrackLimit));
        assert_eq!(exec(None), Err(MatchError::BacktrackLimit));
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
