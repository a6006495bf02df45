//! Strings to arrays and back: implode, explode, strtok and their relatives.

use crate::pure::csv::Dialect;
use crate::pure::words;
use crate::replace::text_argument;
use crate::string::charlist;
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value, View};
use jumbo_value::{PStrBuilder, convert};
use memchr::memmem;

/// Direct calls are an opcode in PHP, which takes the separator as it is when there is nothing else, and wants a string before an array
/// is asked for.
pub fn implode(cx: &mut Cx, separator: &Value, array: Option<&Value>) -> Res<PStr> {
    match (separator.as_str(), array.map_or(separator, Value::deref).as_array()) {
        (Some(separator), Some(pieces)) if array.is_some() => return join_pieces(cx, separator, pieces),
        (None, Some(pieces)) if array.is_none() => return join_pieces(cx, b"", pieces),
        _ => {}
    }
    let is_opcode = cx.active_function_name().as_slice() == b"implode" && cx.engine().is_frameless_call(cx);
    let text = match separator.view_deref() {
        View::Array(_) if !is_opcode => None,
        _ if is_opcode && array.is_none() => None,
        _ => Some(text_argument(cx, separator, 1, "$separator", "array|string", if is_opcode { "string" } else { "array|string" })?),
    };
    let pieces = match array.map(Value::view_deref) {
        Some(View::Array(pieces)) => Some(pieces),
        None | Some(View::Null | View::Undef) => None,
        Some(_) => {
            let given = array.map_or_else(Vec::new, jumbo_abi::args::type_name);
            return Err(cx.arg_type_error(2, [b"must be of type ?array, ".as_slice(), &given, b" given"].concat()));
        }
    };
    match (text, pieces, separator.view_deref()) {
        (Some(text), Some(pieces), _) => join_pieces(cx, &text, pieces),
        (None, None, View::Array(pieces)) => join_pieces(cx, b"", pieces),
        (None, Some(_), _) => Err(cx.arg_type_error(1, "must be of type string, array given")),
        (_, None, _) => {
            let function = cx.active_function_name();
            let text = b"(): If argument #1 ($separator) is of type string, argument #2 ($array) must be of type array, null given";
            Err(cx.type_error([function.as_slice(), text].concat()))
        }
    }
}

/// Joins the values. A conversion may run PHP code, which cannot change `pieces`: the caller holds a count of it.
pub(crate) fn join_pieces(cx: &mut Cx, separator: &[u8], pieces: &PArray) -> Res<PStr> {
    if pieces.len() == 1
        && let Some(value) = pieces.values().next()
    {
        let value = value.copy_deref();
        return cx.to_string(&value);
    }
    // A conversion that throws does not keep the others from being made.
    let mut out = PStrBuilder::with_capacity(pieces.len().saturating_mul(separator.len() + 8))?;
    let mut first = true;
    for value in pieces.values() {
        if !first {
            out.extend(separator)?;
        }
        first = false;
        match value.view_deref() {
            View::Str(s) => out.extend(s)?,
            View::Int(i) => {
                let mut buffer = [0; 20];
                out.extend(convert::write_int(&mut buffer, i))?;
            }
            _ => {
                let value = value.copy_deref();
                let s = cx.text_despite(&value)?;
                out.extend(&s)?;
            }
        }
    }
    cx.unless_thrown(out.finish())
}

pub fn explode(cx: &mut Cx, separator: &PStr, string: &PStr, limit: i64) -> Res<PArray> {
    if separator.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let mut pieces = PArray::new();
    let mut at = 0;
    if let Ok(limit) = usize::try_from(limit) {
        let mut left = limit.max(1);
        let mut push = |end: usize| {
            left -= 1;
            if left == 0 {
                return false;
            }
            pieces.append(string.slice(at, end));
            at = end + separator.len();
            true
        };
        if let [byte] = separator.as_bytes() {
            for end in memchr::memchr_iter(*byte, string) {
                if !push(end) {
                    break;
                }
            }
        } else {
            for end in memmem::find_iter(string, separator.as_bytes()) {
                if !push(end) {
                    break;
                }
            }
        }
        pieces.append(string.slice(at, string.len()));
        return Ok(pieces);
    }
    // A negative limit leaves out that many pieces at the end.
    let drop = usize::try_from(limit.unsigned_abs()).unwrap_or(usize::MAX);
    let count = (memmem::find_iter(string, separator.as_bytes()).count() + 1).saturating_sub(drop);
    for end in memmem::find_iter(string, separator.as_bytes()).take(count) {
        pieces.append(string.slice(at, end));
        at = end + separator.len();
    }
    Ok(pieces)
}

pub fn str_split(cx: &mut Cx, string: &PStr, length: i64) -> Res<PArray> {
    let Some(length) = usize::try_from(length).ok().filter(|&l| l > 0) else {
        return Err(cx.arg_value_error(2, "must be greater than 0"));
    };
    Ok(PArray::from_values(string.chunks(length).map(|piece| match piece {
        [byte] => Value::from(PStr::single_byte(*byte)),
        _ => Value::bytes(piece),
    })))
}

/// What strtok goes on with.
#[derive(Default)]
struct Tokens {
    string: Option<PStr>,
    at: usize,
}

pub fn strtok(cx: &mut Cx, string: &PStr, token: Option<&PStr>) -> Res<OrFalse<PStr>> {
    let delimiters = match token {
        None => string,
        Some(token) => {
            *cx.state::<Tokens>() = Tokens { string: Some(string.clone()), at: 0 };
            token
        }
    };
    let state = cx.state::<Tokens>();
    let Some(string) = state.string.clone() else {
        cx.warning("Both arguments must be provided when starting tokenization")?;
        return Ok(OrFalse::FALSE);
    };
    let set = crate::pure::charlist::ByteSet::literal(delimiters);
    let rest = string.get(state.at..).unwrap_or_default();
    if rest.is_empty() {
        return Ok(OrFalse::FALSE);
    }
    let Some(skip) = rest.iter().position(|&b| !set.contains(b)) else {
        *state = Tokens::default();
        return Ok(OrFalse::FALSE);
    };
    let start = state.at + skip;
    let end = rest[skip..].iter().position(|&b| set.contains(b)).map_or(string.len(), |n| start + n);
    state.at = end + 1;
    Ok(OrFalse(Some(string.slice(start, end))))
}

pub fn str_word_count(cx: &mut Cx, string: &PStr, format: i64, characters: Option<&PStr>) -> Res<Value> {
    let extra = match characters {
        Some(list) => charlist(cx, list)?,
        None => crate::pure::charlist::ByteSet::EMPTY,
    };
    let words = words::words(string, &extra);
    match format {
        0 => Ok(Value::from(words.count())),
        1 => Ok(Value::from(PArray::from_values(words.map(|w| Value::from(string.slice(w.start, w.end)))))),
        2 => {
            let mut result = PArray::new();
            for w in words {
                result.set_int(w.start as i64, string.slice(w.start, w.end));
            }
            Ok(Value::from(result))
        }
        _ => Err(cx.arg_value_error(2, "must be a valid format value")),
    }
}

pub fn count_chars(cx: &mut Cx, string: &PStr, mode: i64) -> Res<Value> {
    if !(0..=4).contains(&mode) {
        return Err(cx.arg_value_error(2, "must be between 0 and 4 (inclusive)"));
    }
    let mut counts = [0i64; 256];
    for &b in string.iter() {
        counts[usize::from(b)] += 1;
    }
    if mode >= 3 {
        let bytes = (0..=255u8).filter(|&b| (counts[usize::from(b)] != 0) == (mode == 3));
        let mut out = PStrBuilder::new();
        bytes.into_iter().try_for_each(|byte| out.push(byte))?;
        return Ok(Value::from(out.finish()));
    }
    let mut result = PArray::new();
    for (byte, &count) in counts.iter().enumerate() {
        if mode == 0 || (count != 0) == (mode == 1) {
            result.set_int(byte as i64, count);
        }
    }
    Ok(Value::from(result))
}

/// The one byte that an argument of the CSV functions must be.
pub fn csv_byte(cx: &mut Cx, n: u32, s: &PStr) -> Res<u8> {
    match s.as_bytes() {
        [byte] => Ok(*byte),
        _ => Err(cx.arg_value_error(n, "must be a single character")),
    }
}

/// The escape argument of the CSV functions, `n`-th of the running one; leaving it out is deprecated.
pub fn csv_escape(cx: &mut Cx, n: u32, s: Option<&PStr>) -> Res<Option<u8>> {
    match s.map(|s| s.as_bytes()) {
        None => {
            cx.deprecated("the $escape parameter must be provided as its default value will change")?;
            Ok(Some(b'\\'))
        }
        Some([]) => Ok(None),
        Some([byte]) => Ok(Some(*byte)),
        Some(_) => Err(cx.arg_value_error(n, "must be empty or a single character")),
    }
}

/// The fields of a line as PHP's array: that of a blank line has one null.
pub fn csv_fields(fields: Option<PArray>) -> PArray {
    fields.unwrap_or_else(|| PArray::from_values([Value::null()]))
}

pub fn str_getcsv(cx: &mut Cx, string: &PStr, separator: &PStr, enclosure: &PStr, escape: Option<&PStr>) -> Res<PArray> {
    let delimiter = csv_byte(cx, 2, separator)?;
    let enclosure = csv_byte(cx, 3, enclosure)?;
    let escape = csv_escape(cx, 4, escape)?;
    let dialect = Dialect { delimiter, enclosure, escape };
    Ok(csv_fields(dialect.read(string, || Res::Ok(None))?))
}
