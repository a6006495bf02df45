//! mb_ereg and its relatives: regular expressions of Oniguruma, in the encoding of mb_regex_encoding().
//!
//! Offsets are bytes. Text that is malformed in its encoding is never searched: Oniguruma trusts the lengths of characters.

use crate::encoding::Encoding;
use jumbo_value::{HeapCharge, OutOfMemory, PStrBuilder};
use jumbo_abi::{Callable, Cx, OrFalse, PArray, PRef, PStr, Res, Stop, Value};
use onig::{EncodedBytes, MatchParam, Regex, RegexOptions, Region, SearchOptions, Syntax};
use onig_sys::OnigEncoding;
use std::collections::HashMap;
use std::rc::Rc;

/// Options of an expression: flags, and the letter of its syntax.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Options {
    flags: u32,
    syntax: u8,
}

impl Options {
    fn regex(self) -> RegexOptions {
        RegexOptions::from_bits_truncate(self.flags as _)
    }
    fn has(self, option: RegexOptions) -> bool {
        self.regex().contains(option)
    }
    fn syntax(self) -> &'static Syntax {
        match self.syntax {
            b'j' => Syntax::java(),
            b'u' => Syntax::gnu_regex(),
            b'g' => Syntax::grep(),
            b'c' => Syntax::emacs(),
            b'z' => Syntax::perl(),
            b'b' => Syntax::posix_basic(),
            b'd' => Syntax::posix_extended(),
            _ => Syntax::ruby(),
        }
    }
    fn text(self) -> Vec<u8> {
        let mut out = Vec::new();
        let (multi, single) = (RegexOptions::REGEX_OPTION_MULTILINE, RegexOptions::REGEX_OPTION_SINGLELINE);
        for (option, letter) in [(RegexOptions::REGEX_OPTION_IGNORECASE, b'i'), (RegexOptions::REGEX_OPTION_EXTEND, b'x')] {
            if self.has(option) {
                out.push(letter);
            }
        }
        match (self.has(multi), self.has(single)) {
            (true, true) => out.push(b'p'),
            (true, false) => out.push(b'm'),
            (false, true) => out.push(b's'),
            (false, false) => {}
        }
        for (option, letter) in [(RegexOptions::REGEX_OPTION_FIND_LONGEST, b'l'), (RegexOptions::REGEX_OPTION_FIND_NOT_EMPTY, b'n')] {
            if self.has(option) {
                out.push(letter);
            }
        }
        out.push(self.syntax);
        out
    }
}

/// Reads a text of option letters.
fn parse_options(cx: &mut Cx, text: &[u8]) -> Res<Options> {
    let mut flags = RegexOptions::REGEX_OPTION_NONE;
    let mut syntax = b'r';
    for &letter in text {
        match letter {
            b'i' => flags |= RegexOptions::REGEX_OPTION_IGNORECASE,
            b'x' => flags |= RegexOptions::REGEX_OPTION_EXTEND,
            b'm' => flags |= RegexOptions::REGEX_OPTION_MULTILINE,
            b's' => flags |= RegexOptions::REGEX_OPTION_SINGLELINE,
            b'p' => flags |= RegexOptions::REGEX_OPTION_MULTILINE | RegexOptions::REGEX_OPTION_SINGLELINE,
            b'l' => flags |= RegexOptions::REGEX_OPTION_FIND_LONGEST,
            b'n' => flags |= RegexOptions::REGEX_OPTION_FIND_NOT_EMPTY,
            b'j' | b'u' | b'g' | b'c' | b'r' | b'z' | b'b' | b'd' => syntax = letter,
            _ => return Err(cx.value_error([b"Option \"".as_slice(), &[letter], b"\" is not supported"])),
        }
    }
    Ok(Options { flags: flags.bits() as u32, syntax })
}

/// What an instance has set and searches.
struct State {
    /// None: the internal encoding.
    encoding: Option<&'static Encoding>,
    options: Options,
    cache: HashMap<(PStr, Options, &'static str), Rc<Expression>>,
    /// What those take, about.
    cache_bytes: usize,
    /// Of mb_ereg_search: the text, where the next search begins, the expression, the groups of the last match.
    text: Option<PStr>,
    position: usize,
    expression: Option<Rc<Expression>>,
    groups: Option<Groups>,
}

impl Default for State {
    fn default() -> State {
        let flags = RegexOptions::REGEX_OPTION_MULTILINE | RegexOptions::REGEX_OPTION_SINGLELINE;
        State {
            encoding: None,
            options: Options { flags: flags.bits() as u32, syntax: b'r' },
            cache: HashMap::new(),
            cache_bytes: 0,
            text: None,
            position: 0,
            expression: None,
            groups: None,
        }
    }
}

/// Expressions that one instance keeps compiled at most, and what they may take together.
const CACHE_MAX: usize = 512;
const CACHE_BYTES_MAX: usize = 8 << 20;

/// A compiled expression, which the library keeps in memory of its own.
struct Expression {
    regex: Regex,
    /// It asks where a search began, or for the longest match of all: a search is no match at one place after the other.
    has_one_start: bool,
    _charge: HeapCharge,
}

impl std::ops::Deref for Expression {
    type Target = Regex;
    fn deref(&self) -> &Regex {
        &self.regex
    }
}

/// About what an expression takes at most, as measured: a few hundred bytes for each of its own, and the ranges of a class of characters,
/// which two letters stand for.
fn compiled_bytes(pattern: &[u8]) -> usize {
    const BYTES: usize = 256;
    const CLASS_BYTES: usize = 16 << 10;
    let has_set = memchr::memchr(b'[', pattern).is_some();
    let is_class = |pair: &&[u8]| match **pair {
        [b'\\', b'p' | b'P'] | [b'[', b':'] => true,
        [b'\\', letter] => has_set && letter.is_ascii_alphabetic(),
        _ => false,
    };
    let classes = pattern.windows(2).filter(is_class).count();
    pattern.len().saturating_mul(BYTES).saturating_add(classes.saturating_mul(CLASS_BYTES))
}

fn encoding(cx: &mut Cx) -> &'static Encoding {
    match cx.state::<State>().encoding {
        Some(encoding) => encoding,
        None => {
            let internal = crate::settings::settings(cx).internal;
            if library_encoding(internal).is_some() { internal } else { Encoding::utf8() }
        }
    }
}

/// The library's encoding of this name.
fn library_encoding(encoding: &Encoding) -> Option<OnigEncoding> {
    Some(match encoding.name {
        "UTF-8" => &raw mut onig_sys::OnigEncodingUTF8,
        "UTF-16" | "UTF-16BE" => &raw mut onig_sys::OnigEncodingUTF16_BE,
        "UTF-16LE" => &raw mut onig_sys::OnigEncodingUTF16_LE,
        "UCS-4" | "UTF-32" | "UCS-4BE" | "UTF-32BE" => &raw mut onig_sys::OnigEncodingUTF32_BE,
        "UCS-4LE" | "UTF-32LE" => &raw mut onig_sys::OnigEncodingUTF32_LE,
        "EUC-JP" | "eucJP-win" => &raw mut onig_sys::OnigEncodingEUC_JP,
        "SJIS" | "SJIS-win" | "CP932" => &raw mut onig_sys::OnigEncodingSJIS,
        "BIG-5" => &raw mut onig_sys::OnigEncodingBIG5,
        "EUC-CN" => &raw mut onig_sys::OnigEncodingEUC_CN,
        "EUC-TW" => &raw mut onig_sys::OnigEncodingEUC_TW,
        "EUC-KR" => &raw mut onig_sys::OnigEncodingEUC_KR,
        "KOI8-R" => &raw mut onig_sys::OnigEncodingKOI8_R,
        "ASCII" => &raw mut onig_sys::OnigEncodingASCII,
        "ISO-8859-1" => &raw mut onig_sys::OnigEncodingISO_8859_1,
        "ISO-8859-2" => &raw mut onig_sys::OnigEncodingISO_8859_2,
        "ISO-8859-3" => &raw mut onig_sys::OnigEncodingISO_8859_3,
        "ISO-8859-4" => &raw mut onig_sys::OnigEncodingISO_8859_4,
        "ISO-8859-5" => &raw mut onig_sys::OnigEncodingISO_8859_5,
        "ISO-8859-6" => &raw mut onig_sys::OnigEncodingISO_8859_6,
        "ISO-8859-7" => &raw mut onig_sys::OnigEncodingISO_8859_7,
        "ISO-8859-8" => &raw mut onig_sys::OnigEncodingISO_8859_8,
        "ISO-8859-9" => &raw mut onig_sys::OnigEncodingISO_8859_9,
        "ISO-8859-10" => &raw mut onig_sys::OnigEncodingISO_8859_10,
        "ISO-8859-13" => &raw mut onig_sys::OnigEncodingISO_8859_13,
        "ISO-8859-14" => &raw mut onig_sys::OnigEncodingISO_8859_14,
        "ISO-8859-15" => &raw mut onig_sys::OnigEncodingISO_8859_15,
        "ISO-8859-16" => &raw mut onig_sys::OnigEncodingISO_8859_16,
        _ => return None,
    })
}

fn buffer<'a>(text: &'a [u8], encoding: &Encoding) -> EncodedBytes<'a> {
    let library = library_encoding(encoding).unwrap_or(&raw mut onig_sys::OnigEncodingUTF8);
    EncodedBytes::from_parts(text, library)
}

/// Positions of the groups of one match, the whole one first; and the groups' names.
#[derive(Clone)]
struct Groups {
    at: Vec<Option<(usize, usize)>>,
    names: Vec<(Vec<u8>, Vec<u32>)>,
}

impl Groups {
    fn whole(&self) -> (usize, usize) {
        self.at.first().copied().flatten().unwrap_or((0, 0))
    }
    fn text<'t>(&self, n: usize, text: &'t [u8]) -> Option<&'t [u8]> {
        let (from, to) = (*self.at.get(n)?)?;
        text.get(from..to)
    }
    fn array(&self, text: &[u8]) -> PArray {
        let value = |n: usize| self.text(n, text).map_or(Value::from(false), |t| Value::from(PStr::new(t)));
        let mut array: PArray = (0..self.at.len()).map(value).collect();
        for (name, numbers) in &self.names {
            // Of several groups of one name the last that matched counts.
            let found = numbers.iter().rev().find(|n| self.text(**n as usize, text).is_some()).or(numbers.last());
            if let Some(n) = found {
                array.set_bytes(name, value(*n as usize));
            }
        }
        array
    }
}

fn compile(cx: &mut Cx, pattern: &PStr, options: Options) -> Res<Option<Rc<Expression>>> {
    let encoding = encoding(cx);
    if !encoding.is_valid(pattern)? {
        cx.warning(format_args!("Pattern is not valid under {} encoding", encoding.name))?;
        return Ok(None);
    }
    let key = (pattern.clone(), options, encoding.name);
    if let Some(known) = cx.state::<State>().cache.get(&key) {
        return Ok(Some(known.clone()));
    }
    let bytes = compiled_bytes(pattern);
    let charge = HeapCharge::new(bytes)?;
    match Regex::with_options_and_encoding(buffer(pattern, encoding), options.regex(), options.syntax()) {
        Ok(regex) => {
            let has_one_start = options.has(RegexOptions::REGEX_OPTION_FIND_LONGEST) || memchr::memmem::find(pattern, b"\\G").is_some();
            let expression = Rc::new(Expression { regex, has_one_start, _charge: charge });
            let state = cx.state::<State>();
            if state.cache.len() >= CACHE_MAX || state.cache_bytes + bytes > CACHE_BYTES_MAX {
                state.cache.clear();
                state.cache_bytes = 0;
            }
            state.cache_bytes += bytes;
            state.cache.insert(key, expression.clone());
            Ok(Some(expression))
        }
        Err(e) => {
            cx.warning(format_args!("mbregex compile err: {}", e.description()))?;
            Ok(None)
        }
    }
}

/// Steps back that one place of a text may take at most, whatever `mbstring.regex_retry_limit` says: a fifth of a second, in which nothing else
/// runs on the core.
const PLACE_RETRIES_MAX: u32 = 20_000_000;

/// Steps back after which a search goes on place by place, with a safepoint at each.
const SEARCH_RETRIES_MAX: u32 = 1_000_000;

fn limits(cx: &Cx) -> MatchParam {
    let limit = |name| u32::try_from(cx.ini.int(name)).ok().filter(|n| *n > 0);
    let mut param = MatchParam::default();
    if let Some(n) = limit("mbstring.regex_stack_limit") {
        param.set_match_stack_limit(n);
    }
    if let Some(n) = limit("mbstring.regex_retry_limit") {
        param.set_retry_limit_in_match(n.min(PLACE_RETRIES_MAX));
    }
    param
}

/// Searches from a place on. Inside, Err: the library's complaint.
fn search(cx: &mut Cx, expression: &Expression, encoding: &Encoding, text: &[u8], from: usize) -> Res<Result<Option<Groups>, String>> {
    const OVER: i32 = onig_sys::ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER;
    let regex = &expression.regex;
    let mut region = Region::new();
    let mut param = limits(cx);
    crate::sys::limit_search(&mut param, if expression.has_one_start { PLACE_RETRIES_MAX } else { SEARCH_RETRIES_MAX });
    let bytes = buffer(text, encoding);
    let mut found = regex.search_with_param(bytes, from, text.len(), SearchOptions::SEARCH_OPTION_NONE, Some(&mut region), param);
    if found.as_ref().is_err_and(|why| why.code() == OVER) && !expression.has_one_start {
        let mut at = from;
        found = loop {
            cx.check()?;
            region.clear();
            let bytes = buffer(text, encoding);
            let here = regex.match_with_param(bytes, at, SearchOptions::SEARCH_OPTION_NONE, Some(&mut region), limits(cx));
            if !matches!(here, Ok(None)) || at >= text.len() {
                break here;
            }
            at = (at + character_bytes(encoding, &text[at..])).min(text.len());
        };
    }
    Ok(match found {
        Err(e) => Err(e.description().to_owned()),
        Ok(None) => Ok(None),
        Ok(Some(_)) => {
            let at = (0..region.len()).map(|n| region.pos(n)).collect();
            let mut names = Vec::new();
            regex.foreach_name(|name, numbers| {
                names.push((name.as_bytes().to_vec(), numbers.to_vec()));
                true
            });
            Ok(Some(Groups { at, names }))
        }
    })
}

/// How many bytes the first character of a well-formed text has.
fn character_bytes(encoding: &Encoding, text: &[u8]) -> usize {
    if let Some(width) = encoding.width() {
        return width;
    }
    if let Some(is_little) = encoding.utf16_is_little() {
        let high = text.get(usize::from(is_little)).copied().unwrap_or(0);
        return if matches!(high, 0xd8..=0xdb) { 4 } else { 2 };
    }
    encoding.length_by_lead().zip(text.first()).map_or(1, |(length, &lead)| length(lead))
}

fn search_failure(cx: &mut Cx, place: &str, why: &str) -> Res<()> {
    cx.warning(format_args!("mbregex search failure in {place}(): {why}"))
}

/// An optional argument of options, or the default ones.
fn options_or_default(cx: &mut Cx, options: Option<&PStr>) -> Res<Options> {
    match options {
        Some(text) => parse_options(cx, text.as_bytes()),
        None => Ok(cx.state::<State>().options),
    }
}

/// As [`Groups::array`]; mb_ereg() takes empty groups for such that did not take part.
fn taking_part(groups: &Groups) -> Groups {
    let at = groups.at.iter().enumerate().map(|(n, at)| at.filter(|(from, to)| n == 0 || from < to)).collect();
    Groups { at, names: groups.names.clone() }
}

fn ereg(cx: &mut Cx, pattern: &PStr, string: &PStr, matches: Option<&PRef>, ignore_case: bool) -> Res<bool> {
    if pattern.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    if let Some(matches) = matches {
        matches.set(Value::empty_array());
    }
    let encoding = encoding(cx);
    if !encoding.is_valid(string.as_bytes())? {
        return Ok(false);
    }
    let mut options = cx.state::<State>().options;
    if ignore_case {
        options.flags |= RegexOptions::REGEX_OPTION_IGNORECASE.bits() as u32;
    }
    let Some(regex) = compile(cx, pattern, options)? else { return Ok(false) };
    match search(cx, &regex, encoding, string.as_bytes(), 0)? {
        Ok(Some(groups)) => {
            if let Some(matches) = matches {
                // Groups that matched nothing are false, empty ones too.
                let mut found = taking_part(&groups).array(string.as_bytes());
                for (key, value) in found.entries() {
                    if value.as_bytes().is_some_and(<[u8]>::is_empty) {
                        found.set(key, Value::from(false));
                    }
                }
                matches.set(Value::from(found));
            }
            Ok(true)
        }
        // A search that was given up found nothing, and nobody is told.
        Ok(None) | Err(_) => Ok(false),
    }
}

pub fn mb_ereg(cx: &mut Cx, pattern: &PStr, string: &PStr, matches: Option<&PRef>) -> Res<bool> {
    ereg(cx, pattern, string, matches, false)
}

pub fn mb_eregi(cx: &mut Cx, pattern: &PStr, string: &PStr, matches: Option<&PRef>) -> Res<bool> {
    ereg(cx, pattern, string, matches, true)
}

/// What stands for a match.
enum Replacement<'a> {
    Text(&'a [u8]),
    Callback(&'a Callable),
}

/// The replacement with `\1`, `\k<name>` and `\k'name'` filled in.
fn expand(template: &[u8], groups: &Groups, text: &[u8], out: &mut PStrBuilder) -> Result<(), OutOfMemory> {
    let mut rest = template;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend(&rest[..at])?;
        rest = &rest[at..];
        let (number, length) = match rest.get(1) {
            Some(digit @ b'0'..=b'9') => (Some(usize::from(digit - b'0')), 2),
            Some(b'k') => named_reference(rest, groups).map_or((None, 1), |(n, length)| (Some(n), length)),
            _ => (None, 1),
        };
        match number.filter(|n| *n < groups.at.len()) {
            Some(n) => out.extend(groups.text(n, text).unwrap_or_default())?,
            None => out.extend(&rest[..length])?,
        }
        rest = &rest[length..];
    }
    out.extend(rest)
}

/// `\k<name>` at the start of a text: the group and the length.
fn named_reference(text: &[u8], groups: &Groups) -> Option<(usize, usize)> {
    let close = match text.get(2)? {
        b'<' => b'>',
        b'\'' => b'\'',
        _ => return None,
    };
    let end = 3 + text[3..].iter().position(|b| *b == close)?;
    let name = &text[3..end];
    let number = match std::str::from_utf8(name).ok().and_then(|n| n.parse::<usize>().ok()) {
        Some(n) => n,
        None => {
            let numbers = &groups.names.iter().find(|(n, _)| n == name)?.1;
            *numbers.iter().rev().find(|n| groups.at.get(**n as usize).is_some_and(Option::is_some)).or(numbers.last())? as usize
        }
    };
    Some((number, end + 1))
}

fn replace(
    cx: &mut Cx,
    pattern: &PStr,
    with: &Replacement<'_>,
    string: &PStr,
    options: Option<&PStr>,
    ignore_case: bool,
) -> Res<Value> {
    let encoding = encoding(cx);
    let text = string.as_bytes();
    if !encoding.is_valid(text)? {
        return Ok(Value::null());
    }
    let mut options = options_or_default(cx, options)?;
    if ignore_case {
        options.flags |= RegexOptions::REGEX_OPTION_IGNORECASE.bits() as u32;
    }
    let Some(regex) = compile(cx, pattern, options)? else { return Ok(Value::from(false)) };
    let mut out = PStrBuilder::new();
    let mut at = 0;
    loop {
        let groups = match search(cx, &regex, encoding, text, at)? {
            Ok(Some(groups)) => groups,
            Ok(None) => break,
            Err(why) => {
                search_failure(cx, "php_mbereg_replace_exec", &why)?;
                return Ok(Value::from(false));
            }
        };
        let (from, to) = groups.whole();
        out.extend(text.get(at..from).unwrap_or_default())?;
        match with {
            Replacement::Text(template) => expand(template, &groups, text, &mut out)?,
            Replacement::Callback(callback) => {
                let answer = cx.call(callback, &[Value::from(groups.array(text))])?;
                let answer = cx.to_string(answer.deref())?;
                out.extend(answer.as_bytes())?;
            }
        }
        if at < to {
            at = to;
        } else {
            // An empty match: one byte on, as stock.
            if let Some(&byte) = text.get(at) {
                out.push(byte)?;
            }
            at += 1;
        }
        if at > text.len() {
            break;
        }
        cx.check()?;
    }
    out.extend(text.get(at..).unwrap_or_default())?;
    Ok(Value::from(out.finish()))
}

pub fn mb_ereg_replace(cx: &mut Cx, pattern: &PStr, replacement: &PStr, string: &PStr, options: Option<&PStr>) -> Res<Value> {
    replace(cx, pattern, &Replacement::Text(replacement.as_bytes()), string, options, false)
}

pub fn mb_eregi_replace(cx: &mut Cx, pattern: &PStr, replacement: &PStr, string: &PStr, options: Option<&PStr>) -> Res<Value> {
    replace(cx, pattern, &Replacement::Text(replacement.as_bytes()), string, options, true)
}

pub fn mb_ereg_replace_callback(cx: &mut Cx, pattern: &PStr, callback: &Callable, string: &PStr, options: Option<&PStr>) -> Res<Value> {
    replace(cx, pattern, &Replacement::Callback(callback), string, options, false)
}

pub fn mb_split(cx: &mut Cx, pattern: &PStr, string: &PStr, limit: i64) -> Res<OrFalse<PArray>> {
    let encoding = encoding(cx);
    let text = string.as_bytes();
    if !encoding.is_valid(text)? {
        return Ok(OrFalse::FALSE);
    }
    let options = cx.state::<State>().options;
    let Some(regex) = compile(cx, pattern, options)? else { return Ok(OrFalse::FALSE) };
    let mut left = if limit > 0 { limit - 1 } else { limit };
    let mut array = PArray::new();
    let (mut chunk, mut at) = (0, 0);
    while left != 0 && at < text.len() {
        let groups = match search(cx, &regex, encoding, text, at)? {
            Ok(Some(groups)) => groups,
            Ok(None) => break,
            Err(why) => {
                search_failure(cx, "mbsplit", &why)?;
                return Ok(OrFalse::FALSE);
            }
        };
        let (from, to) = groups.whole();
        if at < to {
            if from >= text.len() || from < chunk {
                break;
            }
            array.append(PStr::new(&text[chunk..from]));
            left = left.wrapping_sub(1);
            (chunk, at) = (to, to);
        } else {
            at += 1;
        }
        cx.check()?;
    }
    array.append(PStr::new(text.get(chunk..).unwrap_or_default()));
    Ok(OrFalse(Some(array)))
}

pub fn mb_ereg_match(cx: &mut Cx, pattern: &PStr, string: &PStr, options: Option<&PStr>) -> Res<bool> {
    let options = options_or_default(cx, options)?;
    let encoding = encoding(cx);
    if !encoding.is_valid(string.as_bytes())? {
        return Ok(false);
    }
    let Some(regex) = compile(cx, pattern, options)? else { return Ok(false) };
    let found = regex.match_with_param(
        buffer(string.as_bytes(), encoding),
        0,
        SearchOptions::SEARCH_OPTION_NONE,
        None,
        limits(cx),
    );
    Ok(matches!(found, Ok(Some(_))))
}

pub fn mb_ereg_search_init(cx: &mut Cx, string: &PStr, pattern: Option<&PStr>, options: Option<&PStr>) -> Res<bool> {
    if pattern.is_some_and(|p| p.is_empty()) {
        return Err(cx.arg_value_error(2, "must not be empty"));
    }
    // A bad option does not keep the search from being prepared.
    let options = options_or_default(cx, options);
    if let Some(pattern) = pattern {
        let flags = options.as_ref().map_or_else(|_| cx.state::<State>().options, |options| *options);
        let regex = compile(cx, pattern, flags)?;
        let fine = regex.is_some();
        cx.state::<State>().expression = regex;
        if !fine {
            return options.map(|_| false);
        }
    }
    let valid = encoding(cx).is_valid(string.as_bytes())?;
    let state = cx.state::<State>();
    state.text = Some(string.clone());
    state.position = if valid { 0 } else { string.len() };
    state.groups = None;
    options.map(|_| valid)
}

/// One step of mb_ereg_search: the groups and the text.
fn step(cx: &mut Cx, pattern: Option<&PStr>, options: Option<&PStr>) -> Res<Option<(Groups, PStr)>> {
    // Of several reasons to refuse the last one counts, and a bad option is the first of them.
    let options = options_or_default(cx, options);
    if let Some(pattern) = pattern {
        let flags = options.as_ref().map_or_else(|_| cx.state::<State>().options, |options| *options);
        let regex = compile(cx, pattern, flags)?;
        let fine = regex.is_some();
        let state = cx.state::<State>();
        state.expression = regex;
        if !fine {
            state.groups = None;
            return Ok(None);
        }
    }
    let state = cx.state::<State>();
    let (expression, text, at) = (state.expression.clone(), state.text.clone(), state.position);
    let missing = |cx: &mut Cx, what: &str| -> Stop { cx.throw_error(format_args!("No {what} was provided")) };
    let Some(regex) = expression else { return Err(missing(cx, "pattern")) };
    let Some(text) = text else { return Err(missing(cx, "string")) };
    options?;
    let encoding = encoding(cx);
    let found = if at > text.len() { Ok(None) } else { search(cx, &regex, encoding, text.as_bytes(), at)? };
    match found {
        Ok(Some(groups)) => {
            let end = groups.whole().1;
            let state = cx.state::<State>();
            state.position = if at <= end { end } else { at + 1 };
            state.groups = Some(groups.clone());
            Ok(Some((groups, text)))
        }
        Ok(None) => {
            let state = cx.state::<State>();
            state.position = text.len();
            state.groups = None;
            Ok(None)
        }
        Err(why) => {
            cx.state::<State>().groups = None;
            search_failure(cx, "mbregex_search", &why)?;
            Ok(None)
        }
    }
}

pub fn mb_ereg_search(cx: &mut Cx, pattern: Option<&PStr>, options: Option<&PStr>) -> Res<bool> {
    Ok(step(cx, pattern, options)?.is_some())
}

pub fn mb_ereg_search_pos(cx: &mut Cx, pattern: Option<&PStr>, options: Option<&PStr>) -> Res<OrFalse<PArray>> {
    Ok(OrFalse(step(cx, pattern, options)?.map(|(groups, _)| {
        let (from, to) = groups.whole();
        PArray::from_values([Value::from(from as i64), Value::from(to as i64 - from as i64)])
    })))
}

pub fn mb_ereg_search_regs(cx: &mut Cx, pattern: Option<&PStr>, options: Option<&PStr>) -> Res<OrFalse<PArray>> {
    Ok(OrFalse(step(cx, pattern, options)?.map(|(groups, text)| groups.array(text.as_bytes()))))
}

pub fn mb_ereg_search_getregs(cx: &mut Cx) -> OrFalse<PArray> {
    let state = cx.state::<State>();
    match (&state.groups, &state.text) {
        (Some(groups), Some(text)) => OrFalse(Some(groups.array(text.as_bytes()))),
        _ => OrFalse::FALSE,
    }
}

pub fn mb_ereg_search_getpos(cx: &mut Cx) -> i64 {
    cx.state::<State>().position as i64
}

pub fn mb_ereg_search_setpos(cx: &mut Cx, offset: i64) -> Res<bool> {
    let length = cx.state::<State>().text.as_ref().map(|t| t.len());
    let place = match length {
        Some(length) if offset < 0 => offset.saturating_add(length as i64),
        _ => offset,
    };
    match usize::try_from(place).ok().filter(|at| length.is_none_or(|length| *at <= length)) {
        Some(at) => {
            cx.state::<State>().position = at;
            Ok(true)
        }
        None => Err(cx.arg_value_error(1, "is out of range")),
    }
}

pub fn mb_regex_set_options(cx: &mut Cx, options: Option<&PStr>) -> Res<PStr> {
    let before = cx.state::<State>().options;
    if let Some(text) = options {
        let new = parse_options(cx, text.as_bytes())?;
        cx.state::<State>().options = new;
    }
    Ok(PStr::new(&before.text()))
}

/// The encodings of regular expressions, and what they are called there, beside ISO-8859.
const SHOWN: [(&str, &str); 20] = [
    ("UCS-4", "UCS-4"),
    ("UCS-4LE", "UCS-4LE"),
    ("UTF-32", "UCS-4"),
    ("UTF-32BE", "UCS-4"),
    ("UTF-32LE", "UCS-4LE"),
    ("UTF-16", "UTF-16"),
    ("UTF-16BE", "UTF-16"),
    ("UTF-16LE", "UTF-16LE"),
    ("UTF-8", "UTF-8"),
    ("ASCII", "ASCII"),
    ("EUC-JP", "EUC-JP"),
    ("SJIS", "SJIS"),
    ("eucJP-win", "EUC-JP"),
    ("CP932", "SJIS"),
    ("SJIS-win", "SJIS"),
    ("EUC-CN", "EUC-CN"),
    ("EUC-TW", "EUC-TW"),
    ("BIG-5", "BIG5"),
    ("EUC-KR", "EUC-KR"),
    ("KOI8-R", "KOI8R"),
];

pub fn mb_regex_encoding(cx: &mut Cx, name: Option<&PStr>) -> Res<Value> {
    let Some(name) = name else {
        let own = encoding(cx).name;
        let name = SHOWN.iter().find(|(name, _)| *name == own).map_or(own, |(_, shown)| shown);
        return Ok(Value::from(PStr::new(name.as_bytes())));
    };
    // The names of units of bytes are no names of encodings there.
    let is_unit = name.get(..4).is_some_and(|head| head.eq_ignore_ascii_case(b"byte"));
    let known = |e: &&Encoding| !is_unit && library_encoding(e).is_some() && (SHOWN.iter().any(|(name, _)| *name == e.name) || e.name.starts_with("ISO-8859-"));
    match Encoding::find(jumbo_value::string::up_to_nul(name)).filter(known) {
        Some(encoding) => {
            cx.state::<State>().encoding = Some(encoding);
            Ok(Value::from(true))
        }
        None => {
            let message = [b"must be a valid encoding, \"".as_slice(), name.as_bytes(), b"\" given"];
            Err(cx.arg_value_error(1, message))
        }
    }
}
