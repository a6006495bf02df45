//! Replacement within strings, layout of text, and measures of likeness.

use crate::pure::replace::{self, Translator};
use crate::pure::{compare, metaphone as sounds, shape};
use jumbo_abi::{Cx, PArray, PRef, PStr, Res, Type, Value, View, Work, mask};
use jumbo_value::{HeapVec, OutOfMemory, PStrBuilder};

pub fn str_replace(cx: &mut Cx, search: &Value, replace: &Value, subject: &Value, count: Option<&PRef>) -> Res<Value> {
    replace_all(cx, search, replace, subject, count, replace::replace)
}

pub fn str_ireplace(cx: &mut Cx, search: &Value, replace: &Value, subject: &Value, count: Option<&PRef>) -> Res<Value> {
    replace_all(cx, search, replace, subject, count, replace::replace_ignoring_case)
}

type ReplaceOne = fn(&[u8], &[u8], &[u8]) -> Result<Option<(PStr, usize)>, OutOfMemory>;

fn replace_all(
    cx: &mut Cx,
    search: &Value,
    with: &Value,
    subject: &Value,
    count: Option<&PRef>,
    one: ReplaceOne,
) -> Res<Value> {
    if !search.is_array() && with.is_array() {
        return Err(cx.arg_type_error(2, "must be of type string when argument #1 ($search) is a string"));
    }
    let mut total = 0;
    let result = replace_everywhere(cx, search, with, subject, &mut total, one);
    // Also when a conversion has failed, which keeps none of the others from being made.
    if let Some(count) = count {
        count.set(Value::from(total));
    }
    cx.unless_thrown(result?)
}

fn replace_everywhere(cx: &mut Cx, search: &Value, with: &Value, subject: &Value, total: &mut usize, one: ReplaceOne) -> Res<Value> {
    let View::Array(subjects) = subject.view_deref() else {
        let s = cx.text_despite(subject)?;
        return replace_in(cx, search, with, s, total, one).map(Value::from);
    };
    let mut result = PArray::with_capacity(subjects.len());
    for (key, value) in subjects.entries() {
        let s = cx.text_despite(&value)?;
        result.set(key, Value::from(replace_in(cx, search, with, s, total, one)?));
    }
    Ok(Value::from(result))
}

fn replace_in(cx: &mut Cx, search: &Value, with: &Value, subject: PStr, total: &mut usize, one: ReplaceOne) -> Res<PStr> {
    if subject.is_empty() {
        return Ok(subject);
    }
    let mut replace_once = |subject: &mut PStr, search: &[u8], with: &[u8]| {
        if let Some((new, n)) = one(subject, search, with)? {
            *subject = new;
            *total += n;
        }
        Res::Ok(())
    };
    let mut subject = subject;
    let View::Array(searches) = search.view_deref() else {
        let (search, with) = (cx.text_despite(search)?, cx.text_despite(with)?);
        replace_once(&mut subject, &search, &with)?;
        return Ok(subject);
    };
    let fixed = if with.is_array() { None } else { Some(cx.text_despite(with)?) };
    let mut replacements = with.as_array().map(|list| list.values());
    for value in searches.values() {
        // Replacements are used up in step with the search strings, also with empty ones.
        let replacement = replacements.as_mut().and_then(Iterator::next).map(Value::copy_deref);
        let value = value.copy_deref();
        let search = cx.text_despite(&value)?;
        let with = match (&fixed, replacement) {
            (Some(fixed), _) => fixed.clone(),
            (None, Some(value)) => cx.text_despite(&value)?,
            (None, None) => PStr::empty(),
        };
        if search.is_empty() {
            continue;
        }
        replace_once(&mut subject, &search, &with)?;
        if subject.is_empty() {
            break;
        }
    }
    Ok(subject)
}

pub fn strtr(cx: &mut Cx, string: &PStr, from: &Value, to: Option<&Value>) -> Res<PStr> {
    let Some(to) = to else {
        let View::Array(pairs) = from.view_deref() else {
            let given = jumbo_abi::args::type_name(from);
            return Err(cx.arg_type_error(2, [b"must be of type array, ".as_slice(), &given, b" given"].concat()));
        };
        if string.is_empty() {
            return Ok(PStr::empty());
        }
        if pairs.values().any(|v| v.deref().is_array() || v.deref().is_object()) {
            let pairs = pairs.clone();
            return translate_converting(cx, string, &pairs);
        }
        let list = replacements(cx, pairs, |cx, value| cx.to_string(value.deref()))?;
        let new = match &list[..] {
            [] => None,
            [(key, with)] => replace::replace(string, key, with)?.map(|(new, _)| new),
            list => Translator::new(list.iter().map(|(k, v)| (k.as_bytes(), v.as_bytes())))?.translate(string)?,
        };
        return Ok(new.unwrap_or_else(|| string.clone()));
    };
    // With three arguments both are texts, whatever the signature says; they are looked at in their order.
    let from = text_argument(cx, from, 2, "$from", "array|string", "string")?;
    let to = text_argument(cx, to, 3, "$to", "?string", "string")?;
    Ok(replace::translate_bytes(string, &from, &to)?.unwrap_or_else(|| string.clone()))
}

/// An argument as a string parameter takes it, where the signature says `declared`, and messages about wrong types `wanted`.
pub(crate) fn text_argument(cx: &mut Cx, value: &Value, n: u32, name: &str, declared: &str, wanted: &str) -> Res<PStr> {
    if let Some(text) = value.deref().as_str() {
        return Ok(text.clone());
    }
    let strict = cx.engine().is_called_strictly(cx);
    let mut content = value.copy_deref();
    if content.is_null() && !strict {
        cx.deprecated(format!("Passing null to parameter #{n} ({name}) of type {declared} is deprecated"))?;
        return Ok(PStr::empty());
    }
    let is_text = cx.engine().coerce(cx, &mut content, &Type::of_mask(mask::STRING), None, strict)?;
    match content.as_str() {
        Some(text) if is_text => Ok(text.clone()),
        _ => {
            let given = jumbo_abi::args::type_name(value);
            Err(cx.arg_type_error(n, [b"must be of type ".as_slice(), wanted.as_bytes(), b", ", &given, b" given"].concat()))
        }
    }
}

/// What strtr's array says is replaced, with what `replacement` makes of its values. Warns of an empty key, which is left out.
fn replacements<T>(cx: &mut Cx, pairs: &PArray, mut replacement: impl FnMut(&mut Cx, &Value) -> Res<T>) -> Res<HeapVec<(PStr, T)>> {
    let mut list = HeapVec::with_capacity(pairs.len())?;
    for (key, value) in pairs.entries() {
        let key = key.as_ref().to_str();
        let with = replacement(cx, &value)?;
        if key.is_empty() {
            cx.warning("Ignoring replacement of empty string")?;
        } else {
            list.push((key, with))?;
        }
    }
    Ok(list)
}

/// strtr with replacements whose conversion warns or runs PHP code: each is converted where its key is found, as PHP does, also when one
/// has thrown; one pair alone is converted in any case.
fn translate_converting(cx: &mut Cx, string: &PStr, pairs: &PArray) -> Res<PStr> {
    let mut list = replacements(cx, pairs, |_, value| Ok(value.copy_deref()))?;
    if let ([(key, value)], 1) = (&list[..], pairs.len()) {
        let with = cx.to_string(value)?;
        return Ok(replace::replace(string, key, &with)?.map_or_else(|| string.clone(), |(new, _)| new));
    }
    list.sort_by_key(|(key, _)| std::cmp::Reverse(key.len()));
    let (mut out, mut at) = (PStrBuilder::with_capacity(string.len())?, 0);
    while let Some(byte) = string.get(at) {
        match list.iter().find(|(key, _)| string[at..].starts_with(key.as_bytes())) {
            Some((key, value)) => {
                out.extend(&cx.text_despite(value)?)?;
                at += key.len();
            }
            None => {
                out.push(*byte)?;
                at += 1;
            }
        }
    }
    cx.unless_thrown(out.finish())
}

pub fn nl2br(_cx: &mut Cx, string: &PStr, use_xhtml: bool) -> Res<PStr> {
    Ok(shape::nl2br(string, use_xhtml)?.unwrap_or_else(|| string.clone()))
}

pub fn wordwrap(cx: &mut Cx, string: &PStr, width: i64, line_break: &PStr, cut_long_words: bool) -> Res<PStr> {
    if string.is_empty() {
        return Ok(PStr::empty());
    }
    if line_break.is_empty() {
        return Err(cx.arg_value_error(3, "must not be empty"));
    }
    if width == 0 && cut_long_words {
        return Err(cx.arg_value_error(4, "cannot be true when argument #2 ($width) is 0"));
    }
    let mut out = PStrBuilder::with_capacity(string.len())?;
    let mut first = true;
    shape::wordwrap(string, width, line_break, cut_long_words, |line| {
        if !std::mem::replace(&mut first, false) {
            out.extend(line_break)?;
        }
        out.extend(&string[line])
    })?;
    Ok(out.finish())
}

pub fn chunk_split(cx: &mut Cx, string: &PStr, length: i64, separator: &PStr) -> Res<PStr> {
    match usize::try_from(length) {
        Ok(length) if length > 0 => {
            Ok(shape::chunk_split(string, length, separator)?)
        }
        _ => Err(cx.arg_value_error(2, "must be greater than 0")),
    }
}

pub fn str_rot13(_cx: &mut Cx, string: &PStr) -> PStr {
    let turn = |b: u8, base: u8| (b - base + 13) % 26 + base;
    PStr::build(string.len(), |out| {
        for (to, &b) in out.iter_mut().zip(string.iter()) {
            *to = match b {
                b'a'..=b'z' => turn(b, b'a'),
                b'A'..=b'Z' => turn(b, b'A'),
                _ => b,
            };
        }
    })
}

fn check_alphanumeric(cx: &mut Cx, string: &PStr) -> Res<()> {
    if string.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    if !string.iter().all(u8::is_ascii_alphanumeric) {
        return Err(cx.arg_value_error(1, "must be composed only of alphanumeric ASCII characters"));
    }
    Ok(())
}

pub fn str_increment(cx: &mut Cx, string: &PStr) -> Res<PStr> {
    check_alphanumeric(cx, string)?;
    let mut out = string.clone();
    // A carry out of the first place puts one more before it, of its own kind.
    let mut carry = None;
    for b in out.make_mut().iter_mut().rev() {
        let (next, over) = match *b {
            b'z' => (b'a', Some(b'a')),
            b'Z' => (b'A', Some(b'A')),
            b'9' => (b'0', Some(b'1')),
            other => (other + 1, None),
        };
        *b = next;
        carry = over;
        if carry.is_none() {
            break;
        }
    }
    Ok(match carry {
        Some(first) => PStr::concat2(&[first], &out),
        None => out,
    })
}

pub fn str_decrement(cx: &mut Cx, string: &PStr) -> Res<PStr> {
    check_alphanumeric(cx, string)?;
    // A leading place may vanish ("10" to "9"); what is below the least of its length, or has a zero in front, is out of range.
    let out_of_range = |cx: &mut Cx| {
        let message = PStr::concat(&[b"\"", string, b"\" is out of decrement range"]);
        Err(cx.arg_value_error(1, &message))
    };
    if string.byte_at(0) == Some(b'0') {
        return out_of_range(cx);
    }
    let mut out = string.clone();
    let mut borrow = true;
    for b in out.make_mut().iter_mut().rev() {
        let (next, under) = match *b {
            b'a' => (b'z', true),
            b'A' => (b'Z', true),
            b'0' => (b'9', true),
            other => (other - 1, false),
        };
        *b = next;
        borrow = under;
        if !borrow {
            break;
        }
    }
    if borrow {
        if out.len() == 1 {
            return out_of_range(cx);
        }
        return Ok(out.slice(1, out.len()));
    }
    let loses_place = out.len() > 1 && out.first() == Some(&b'0') && string.byte_at(0) == Some(b'1');
    Ok(if loses_place { out.slice(1, out.len()) } else { out })
}

pub fn similar_text(cx: &mut Cx, string1: &PStr, string2: &PStr, percent: Option<&PRef>) -> Res<i64> {
    let similar = compare::similar_text(string1, string2, &mut Work::new(cx))?;
    if let Some(percent) = percent {
        percent.set(Value::from(compare::similar_percent(similar, string1.len(), string2.len())));
    }
    Ok(similar as i64)
}

pub fn levenshtein(
    cx: &mut Cx,
    string1: &PStr,
    string2: &PStr,
    insertion_cost: i64,
    replacement_cost: i64,
    deletion_cost: i64,
) -> Res<i64> {
    compare::levenshtein(string1, string2, insertion_cost, replacement_cost, deletion_cost, &mut Work::new(cx))
}

pub fn soundex(_cx: &mut Cx, string: &PStr) -> PStr {
    PStr::new(&compare::soundex(string))
}

pub fn metaphone(cx: &mut Cx, string: &PStr, max_phonemes: i64) -> Res<PStr> {
    match usize::try_from(max_phonemes) {
        Ok(max) => {
            // The room for the phonemes is asked for first, and may be more than memory_limit allows.
            cx.check_room(max)?;
            // The word ends at its first NUL byte.
            let word = jumbo_value::string::up_to_nul(string);
            Ok(sounds::metaphone(word, max)?)
        }
        Err(_) => Err(cx.arg_value_error(2, "must be greater than or equal to 0")),
    }
}
