//! The preg_* functions: what matches look like as PHP's arrays, and `preg_last_error()` of each instance.
//!
//! Callbacks may match, replace and change settings themselves: settings are read once for each call, a matcher has its own
//! room for offsets, and subjects are held while they are walked over.

use crate::matcher::{self, MatchError, Matcher, Settings, Subject, Walk};
use crate::regex::Regex;
use crate::replace::{self, Output, ReplaceError, Template};
use crate::split::{self, SplitFlags};
use jumbo_abi::{Callable, Cx, Key, OrFalse, PArray, PRef, PStr, Res, Value, View, despite};
use jumbo_value::{OutOfMemory, PStrBuilder};
use std::sync::Arc;

const PATTERN_ORDER: i64 = 1;
const SET_ORDER: i64 = 2;
const OFFSET_CAPTURE: i64 = 256;
const UNMATCHED_AS_NULL: i64 = 512;

/// What an instance remembers.
#[derive(Default)]
struct State {
    last_error: i64,
    /// The ini settings; absent until read, and after a change.
    settings: Option<Settings>,
    /// The last long subject that was matched from within and was valid. Held, so that nothing else has its address.
    valid_utf8: Option<PStr>,
}

impl Output for PStrBuilder {
    fn append(&mut self, bytes: &[u8]) -> Result<(), OutOfMemory> {
        self.extend(bytes)
    }
}

pub fn pcre_version() -> Value {
    Value::from(crate::library_version())
}

/// Number `n` of the version, which reads `10.46 2025-08-27`.
fn version_part(n: usize) -> Value {
    let version = crate::library_version();
    let number = version.split([' ', '.']).nth(n).and_then(|part| part.parse::<i64>().ok());
    Value::from(number.unwrap_or(0))
}

pub fn pcre_version_major() -> Value {
    version_part(0)
}

pub fn pcre_version_minor() -> Value {
    version_part(1)
}

/// A setting changes: it is read again at its next use.
pub fn settings_changed(cx: &mut Cx, _value: &[u8]) -> bool {
    cx.state::<State>().settings = None;
    true
}

/// Clears the error of the last call, and gives the settings.
fn begin(cx: &mut Cx) -> Settings {
    let state = cx.state::<State>();
    state.last_error = 0;
    if let Some(settings) = state.settings {
        return settings;
    }
    let limit = |cx: &Cx, name: &str| u32::try_from(cx.ini.int(name)).unwrap_or(u32::MAX);
    let settings = Settings {
        backtrack_limit: limit(cx, "pcre.backtrack_limit"),
        recursion_limit: limit(cx, "pcre.recursion_limit"),
        jit: cx.ini.bool("pcre.jit"),
    };
    cx.state::<State>().settings = Some(settings);
    settings
}

/// The compiled pattern; None after PHP's warning.
fn compile(cx: &mut Cx, pattern: &[u8]) -> Res<Option<Arc<Regex>>> {
    match Regex::compile(pattern) {
        Ok(regex) => {
            if let Some(warning) = regex.take_jit_warning() {
                cx.warning(warning)?;
            }
            Ok(Some(regex))
        }
        Err(error) => {
            cx.state::<State>().last_error = MatchError::Internal.code();
            cx.warning(error.message())?;
            Ok(None)
        }
    }
}

/// Remembers why a match failed.
fn failed(cx: &mut Cx, error: MatchError) -> Res<()> {
    if let MatchError::Stopped(stop) = error {
        return Err(stop);
    }
    cx.state::<State>().last_error = error.code();
    if error == MatchError::Subpatterns {
        cx.warning("Get subpatterns list failed")?;
    }
    Ok(())
}

/// One group as an array shows it.
fn group_value(subject: &PStr, span: Option<(usize, usize)>, flags: i64) -> Value {
    let text = match span {
        Some((start, end)) => Value::from(subject.slice(start, end)),
        None if flags & UNMATCHED_AS_NULL != 0 => Value::null(),
        None => Value::empty_string(),
    };
    if flags & OFFSET_CAPTURE == 0 {
        return text;
    }
    let offset = span.map_or(-1, |(start, _)| start as i64);
    Value::from(PArray::from_values([text, Value::from(offset)]))
}

/// The array of one match: groups after the last that took part are left out, unless they are wanted as null.
fn match_array(matcher: &Matcher<'_>, subject: &PStr, flags: i64) -> PArray {
    let regex = matcher.regex();
    let count = if flags & UNMATCHED_AS_NULL != 0 { regex.group_count() } else { matcher.count() };
    let mut array = PArray::with_capacity(count);
    for group in 0..count {
        let value = group_value(subject, matcher.group(group), flags);
        match regex.group_name(group) {
            None => array.append(value),
            Some(name) => {
                // Of groups with one name the last that took part has it.
                if matcher.group(group).is_some() || array.get_bytes(name).is_none() {
                    array.set_bytes(name, value.clone());
                }
                array.set_int(group as i64, value);
            }
        }
    }
    if let Some(mark) = matcher.mark() {
        array.set_bytes(b"MARK", mark);
    }
    array
}

/// An offset that has no opposite is refused before anything is done.
fn check_offset(cx: &mut Cx, offset: i64) -> Res<()> {
    if offset == i64::MIN {
        return Err(cx.arg_value_error(5, format!("must be greater than {}", i64::MIN)));
    }
    Ok(())
}

/// Where matching starts; None when that is behind the end.
fn start_offset(subject: &PStr, offset: i64) -> Option<usize> {
    let start = if offset < 0 { (offset.saturating_add(subject.len() as i64)).max(0) } else { offset };
    usize::try_from(start).ok().filter(|&start| start <= subject.len())
}

/// The subject to be matched from `start`. Programs that walk over a long text, asking again and again from further on,
/// have it checked for valid UTF-8 once.
fn subject_at<'s>(cx: &mut Cx, regex: &Regex, subject: &'s PStr, start: usize) -> Subject<'s> {
    const REMEMBERED_BYTES_MIN: usize = 1024;
    let bytes = Subject::new(subject);
    if !regex.is_utf() || start == 0 || subject.len() < REMEMBERED_BYTES_MIN {
        return bytes;
    }
    let known = cx.state::<State>().valid_utf8.as_ref().is_some_and(|valid| valid.ptr_eq(subject));
    if known {
        bytes.set_valid();
    } else if bytes.is_utf8() {
        cx.state::<State>().valid_utf8 = Some(subject.clone());
    }
    bytes
}

/// Matches are none from when the pattern is known to be one.
fn empty(matches: Option<&PRef>) {
    if let Some(matches) = matches {
        matches.set(Value::from(PArray::new()));
    }
}

pub fn preg_match(
    cx: &mut Cx,
    pattern: &PStr,
    subject: &PStr,
    matches: Option<&PRef>,
    flags: i64,
    offset: i64,
) -> Res<OrFalse<i64>> {
    let settings = begin(cx);
    let Some(regex) = compile(cx, pattern)? else { return Ok(OrFalse::FALSE) };
    check_offset(cx, offset)?;
    empty(matches);
    if flags & 0xff != 0 {
        return Err(cx.arg_value_error(4, "must be a PREG_* constant"));
    }
    let mut array = PArray::new();
    let start = start_offset(subject, offset);
    let bytes = subject_at(cx, &regex, subject, start.unwrap_or(0));
    let found = match start {
        None => Err(MatchError::Internal),
        Some(start) => Matcher::new(&regex, &settings).and_then(|mut matcher| {
            let found = matcher.exec(Some(&mut *cx), &bytes, start)?;
            if matches.is_some() {
                if found {
                    array = match_array(&matcher, subject, flags);
                } else if let Some(mark) = matcher.mark() {
                    array.set_bytes(b"MARK", mark);
                }
            }
            Ok(found)
        }),
    };
    if let Some(matches) = matches {
        matches.set(Value::from(array));
    }
    match found {
        Ok(found) => Ok(OrFalse(Some(i64::from(found)))),
        Err(error) => {
            failed(cx, error)?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn preg_match_all(
    cx: &mut Cx,
    pattern: &PStr,
    subject: &PStr,
    matches: Option<&PRef>,
    flags: i64,
    offset: i64,
) -> Res<OrFalse<i64>> {
    let settings = begin(cx);
    let Some(regex) = compile(cx, pattern)? else { return Ok(OrFalse::FALSE) };
    check_offset(cx, offset)?;
    empty(matches);
    let order = match flags & 0xff {
        0 => PATTERN_ORDER,
        order @ (PATTERN_ORDER | SET_ORDER) => order,
        _ => return Err(cx.arg_value_error(4, "must be a PREG_* constant")),
    };
    let mut all = All { order, flags, sets: PArray::new(), columns: Vec::new(), marks: PArray::new() };
    if order == PATTERN_ORDER && matches.is_some() {
        all.columns.resize_with(regex.group_count(), PArray::new);
    }
    let mut count = 0i64;
    let ended = match start_offset(subject, offset) {
        None => Err(MatchError::Internal),
        Some(start) => (|| {
            let mut matcher = Matcher::new(&regex, &settings)?;
            let bytes = Subject::new(subject);
            let mut walk = Walk::new(&mut matcher, &bytes, start);
            while walk.advance(Some(&mut *cx))? {
                if matches.is_some() {
                    all.add(walk.matcher, subject, count);
                }
                count += 1;
            }
            Ok(())
        })(),
    };
    // A start outside of the text leaves the list empty.
    if let Some(matches) = matches
        && !matches!(ended, Err(MatchError::Internal))
    {
        matches.set(Value::from(all.finish(&regex)));
    }
    match ended {
        Ok(()) => Ok(OrFalse(Some(count))),
        Err(error) => {
            failed(cx, error)?;
            Ok(OrFalse::FALSE)
        }
    }
}

/// What preg_match_all collects.
struct All {
    order: i64,
    flags: i64,
    /// SET_ORDER: an array for each match.
    sets: PArray,
    /// PATTERN_ORDER: an array for each group.
    columns: Vec<PArray>,
    marks: PArray,
}

impl All {
    fn add(&mut self, matcher: &Matcher<'_>, subject: &PStr, number: i64) {
        if self.order == SET_ORDER {
            self.sets.append(match_array(matcher, subject, self.flags));
            return;
        }
        for (group, column) in self.columns.iter_mut().enumerate() {
            column.append(group_value(subject, matcher.group(group), self.flags));
        }
        if let Some(mark) = matcher.mark() {
            self.marks.set_int(number, mark);
        }
    }

    fn finish(self, regex: &Regex) -> PArray {
        if self.order == SET_ORDER {
            return self.sets;
        }
        let mut array = PArray::with_capacity(self.columns.len());
        for (group, column) in self.columns.into_iter().enumerate() {
            match regex.group_name(group) {
                None => array.append(column),
                Some(name) => {
                    array.set_bytes(name, column.clone());
                    array.set_int(group as i64, column);
                }
            }
        }
        if !self.marks.is_empty() {
            array.set_bytes(b"MARK", self.marks);
        }
        array
    }
}

// ---- replacing

/// What comes in the place of matches.
enum With<'a> {
    Template(&'a Template),
    Callback(&'a Callable, i64),
}

/// `subject` with the matches of one pattern replaced; None when that failed (the error is remembered).
fn replace_one(cx: &mut Cx, pattern: &PStr, with: &With<'_>, subject: &PStr, limit: i64, total: &mut i64) -> Res<Option<PStr>> {
    let settings = begin(cx);
    let Some(regex) = compile(cx, pattern)? else { return Ok(None) };
    // -1 means all, and so does any negative number.
    let limit = usize::try_from(limit).ok();
    let mut out = PStrBuilder::new();
    let found = match with {
        With::Template(template) => replace::replace(Some(&mut *cx), &regex, &settings, subject, limit, template, &mut out),
        With::Callback(callback, flags) => replace::replace_with(Some(&mut *cx), &regex, &settings, subject, limit, &mut out, |cx, matcher, _, out| {
            let Some(cx) = cx else { return Ok(()) };
            // A match whose callback has thrown stays, and so do those behind it: they are counted, but the callback is not called.
            let answer = if cx.exception.is_none() {
                let groups = Value::from(match_array(matcher, subject, *flags));
                despite(cx.call(callback, &[groups]))?
            } else {
                None
            };
            match answer {
                Some(answer) => out.append(&cx.text_despite(&answer)?)?,
                None => {
                    let (start, end) = matcher.span();
                    out.append(subject.get(start..end).unwrap_or_default())?;
                }
            }
            Ok(())
        }),
    };
    match found {
        Ok(0) => Ok(Some(subject.clone())),
        Ok(count) => {
            *total += count as i64;
            Ok(Some(out.finish()))
        }
        Err(ReplaceError::Callback(stop)) => Err(stop),
        Err(ReplaceError::Memory(refused)) => Err(refused.into()),
        Err(ReplaceError::Match(error)) => {
            failed(cx, error)?;
            Ok(None)
        }
    }
}

/// The arguments of preg_replace and preg_filter, converted once.
struct Rules {
    patterns: Vec<PStr>,
    templates: Templates,
}

enum Templates {
    /// One for all patterns.
    One(Template),
    Each(Vec<Template>),
}

/// Does the conversion to a string say nothing and run nothing?
fn is_plain(value: &Value) -> bool {
    !matches!(value.view_deref(), View::Array(_) | View::Object(_))
}

/// Rules whose conversion warns or runs PHP code: pattern and replacement are converted where they are used, for each subject anew.
fn apply_converting(cx: &mut Cx, patterns: &PArray, replacement: &Value, subject: PStr, limit: i64, total: &mut i64) -> Res<Option<PStr>> {
    let list = replacement.as_array().cloned();
    let fixed = if list.is_some() { None } else { Some(Template::parse(&cx.to_string(replacement)?)?) };
    let mut with = list.as_ref().map(|list| list.values());
    let mut subject = subject;
    for value in patterns.values() {
        // What a pattern throws keeps nobody from looking at its replacement.
        let pattern = cx.text_despite(&value.copy_deref())?;
        let next = with.as_mut().and_then(Iterator::next).map(Value::copy_deref);
        let own;
        let template = match &fixed {
            Some(fixed) => fixed,
            None => {
                let text = next.map_or_else(|| Ok(PStr::empty()), |value| cx.text_despite(&value))?;
                own = Template::parse(&text)?;
                &own
            }
        };
        cx.unless_thrown(())?;
        match replace_one(cx, &pattern, &With::Template(template), &subject, limit, total)? {
            Some(new) => subject = new,
            None => return Ok(None),
        }
    }
    Ok(Some(subject))
}

impl Rules {
    fn new(cx: &mut Cx, pattern: &Value, replacement: &Value) -> Res<Rules> {
        let View::Array(list) = pattern.view_deref() else {
            let template = Template::parse(&cx.to_string(replacement)?)?;
            return Ok(Rules { patterns: vec![cx.to_string(pattern)?], templates: Templates::One(template) });
        };
        let mut patterns = Vec::with_capacity(list.len());
        let mut each = Vec::new();
        let mut with = replacement.as_array().map(|list| list.values());
        let fixed = if replacement.is_array() { None } else { Some(Template::parse(&cx.to_string(replacement)?)?) };
        for value in list.values() {
            let value = value.copy_deref();
            patterns.push(cx.to_string(&value)?);
            if fixed.is_none() {
                let next = with.as_mut().and_then(Iterator::next).map(Value::copy_deref);
                let text = next.map_or_else(|| Ok(PStr::empty()), |value| cx.to_string(&value))?;
                each.push(Template::parse(&text)?);
            }
        }
        let templates = fixed.map_or(Templates::Each(each), Templates::One);
        Ok(Rules { patterns, templates })
    }

    fn apply(&self, cx: &mut Cx, subject: PStr, limit: i64, total: &mut i64) -> Res<Option<PStr>> {
        let mut subject = subject;
        for (n, pattern) in self.patterns.iter().enumerate() {
            let template = match &self.templates {
                Templates::One(template) => template,
                Templates::Each(each) => &each[n],
            };
            match replace_one(cx, pattern, &With::Template(template), &subject, limit, total)? {
                Some(new) => subject = new,
                None => return Ok(None),
            }
        }
        Ok(Some(subject))
    }
}

/// Runs `one` over a subject or each of an array of them. With `changed_only` subjects without a match are left out. An exception does not
/// keep the texts of those behind it from being taken; what `one` does for them then is its affair, and runs no PHP code.
fn over_subjects(
    cx: &mut Cx,
    subject: &Value,
    changed_only: bool,
    total: &mut i64,
    mut one: impl FnMut(&mut Cx, PStr, &mut i64) -> Res<Option<PStr>>,
) -> Res<Value> {
    let View::Array(subjects) = subject.view_deref() else {
        let subject = cx.to_string(subject)?;
        let new = one(cx, subject, total)?;
        return cx.unless_thrown(if changed_only && *total == 0 { Value::null() } else { Value::from(new) });
    };
    let mut result = PArray::new();
    for (key, value) in subjects.entries() {
        let before = *total;
        if cx.exception.is_none() {
            cx.check()?;
        }
        let subject = cx.text_despite(&value)?;
        if let Some(Some(new)) = despite(one(cx, subject, total))?
            && (!changed_only || *total > before)
        {
            result.set(key, Value::from(new));
        }
    }
    cx.unless_thrown(Value::from(result))
}

fn replaced(
    cx: &mut Cx,
    pattern: &Value,
    replacement: &Value,
    subject: &Value,
    limit: i64,
    count: Option<&PRef>,
    changed_only: bool,
) -> Res<Value> {
    if replacement.is_array() && !pattern.is_array() {
        return Err(cx.arg_type_error(1, "must be of type array when argument #2 ($replacement) is an array, string given"));
    }
    let mut total = 0;
    let plain = |value: &Value| value.as_array().is_none_or(|list| list.values().all(is_plain));
    let result = match pattern.as_array() {
        Some(patterns) if !plain(pattern) || !plain(replacement) => {
            let (patterns, replacement) = (patterns.clone(), replacement.clone());
            over_subjects(cx, subject, changed_only, &mut total, |cx, subject, total| {
                apply_converting(cx, &patterns, &replacement, subject, limit, total)
            })
        }
        _ => {
            let rules = Rules::new(cx, pattern, replacement)?;
            over_subjects(cx, subject, changed_only, &mut total, |cx, subject, total| {
                cx.unless_thrown(())?;
                rules.apply(cx, subject, limit, total)
            })
        }
    };
    // Also when a conversion has failed.
    if let Some(count) = count {
        count.set(Value::from(total));
    }
    result
}

pub fn preg_replace(
    cx: &mut Cx,
    pattern: &Value,
    replacement: &Value,
    subject: &Value,
    limit: i64,
    count: Option<&PRef>,
) -> Res<Value> {
    replaced(cx, pattern, replacement, subject, limit, count, false)
}

pub fn preg_filter(
    cx: &mut Cx,
    pattern: &Value,
    replacement: &Value,
    subject: &Value,
    limit: i64,
    count: Option<&PRef>,
) -> Res<Value> {
    replaced(cx, pattern, replacement, subject, limit, count, true)
}

pub fn preg_replace_callback(
    cx: &mut Cx,
    pattern: &Value,
    callback: &Callable,
    subject: &Value,
    limit: i64,
    count: Option<&PRef>,
    flags: i64,
) -> Res<Value> {
    let patterns: Vec<Value> = match pattern.view_deref() {
        View::Array(list) => list.values().map(Value::copy_deref).collect(),
        _ => vec![pattern.copy_deref()],
    };
    let mut total = 0;
    let with = With::Callback(callback, flags);
    let result = over_subjects(cx, subject, false, &mut total, |cx, mut subject, total| {
        for pattern in &patterns {
            // One after the other: those behind one that is no pattern are not looked at.
            let pattern = cx.text_despite(pattern)?;
            match replace_one(cx, &pattern, &with, &subject, limit, total)? {
                Some(new) => subject = new,
                None => return Ok(None),
            }
        }
        Ok(Some(subject))
    });
    if let Some(count) = count {
        count.set(Value::from(total));
    }
    result
}

pub fn preg_replace_callback_array(
    cx: &mut Cx,
    pattern: &PArray,
    subject: &Value,
    limit: i64,
    count: Option<&PRef>,
    flags: i64,
) -> Res<Value> {
    let mut total = 0;
    let mut subject = subject.copy_deref();
    for (key, value) in pattern.entries() {
        let Ok(callback) = cx.resolve_callable(value.deref())? else {
            return Err(cx.arg_type_error(1, "must contain only valid callbacks"));
        };
        let Key::Str(pattern) = key else {
            return Err(cx.arg_type_error(1, "must contain only string patterns as keys"));
        };
        let with = With::Callback(&callback, flags);
        subject = over_subjects(cx, &subject, false, &mut total, |cx, subject, total| {
            replace_one(cx, &pattern, &with, &subject, limit, total)
        })?;
        if subject.is_null() {
            break;
        }
    }
    if let Some(count) = count.filter(|_| !subject.is_null()) {
        count.set(Value::from(total));
    }
    Ok(subject)
}

// ---- the rest

pub fn preg_split(cx: &mut Cx, pattern: &PStr, subject: &PStr, limit: i64, flags: i64) -> Res<OrFalse<PArray>> {
    let settings = begin(cx);
    let Some(regex) = compile(cx, pattern)? else { return Ok(OrFalse::FALSE) };
    let with_offsets = flags & 4 != 0;
    let mut result = PArray::new();
    let how = SplitFlags { no_empty: flags & 1 != 0, delim_capture: flags & 2 != 0 };
    let ended = split::split(Some(&mut *cx), &regex, &settings, subject, limit, how, |span| {
        let text = span.map_or_else(PStr::empty, |(start, end)| subject.slice(start, end));
        if with_offsets {
            let offset = span.map_or(-1, |(start, _)| start as i64);
            result.append(PArray::from_values([Value::from(text), Value::from(offset)]));
        } else {
            result.append(text);
        }
    });
    match ended {
        Ok(()) => Ok(OrFalse(Some(result))),
        // Of this one only the other functions speak.
        Err(MatchError::Subpatterns) => Ok(OrFalse::FALSE),
        Err(error) => {
            failed(cx, error)?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn preg_grep(cx: &mut Cx, pattern: &PStr, array: &PArray, flags: i64) -> Res<OrFalse<PArray>> {
    let settings = begin(cx);
    let Some(regex) = compile(cx, pattern)? else { return Ok(OrFalse::FALSE) };
    let invert = flags & 1 != 0;
    let mut result = PArray::new();
    for (key, value) in array.entries() {
        if cx.exception.is_none() {
            cx.check()?;
        }
        let subject = cx.text_despite(&value)?;
        match matcher::is_match(Some(&mut *cx), &regex, &settings, &subject) {
            Ok(found) => {
                // References stay what they are.
                if found != invert {
                    result.set(key, value);
                }
            }
            Err(error) => {
                failed(cx, error)?;
                break;
            }
        }
    }
    cx.unless_thrown(OrFalse(Some(result)))
}

pub fn preg_quote(_cx: &mut Cx, str: &PStr, delimiter: Option<&PStr>) -> Res<PStr> {
    let delimiter = delimiter.and_then(|d| d.byte_at(0));
    Ok(crate::quote::quote(str, delimiter)?.map_or_else(|| str.clone(), PStrBuilder::finish))
}

pub fn preg_last_error(cx: &mut Cx) -> i64 {
    cx.state::<State>().last_error
}

pub fn preg_last_error_msg(cx: &mut Cx) -> PStr {
    let code = cx.state::<State>().last_error;
    PStr::from(matcher::error_message(code))
}
