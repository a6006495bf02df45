//! Headers of mail: encoded words (RFC 2047).

use crate::charset::{Charset, ConversionError, Failure, convert};
use crate::functions::{check_length, name_or_internal, pair, report, report_conversion, wrong_encoding};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Stop, Value, Work};
use jumbo_ext_strings::pure::encode::{base64_decode, base64_encode};
use jumbo_value::{OutOfMemory, PStrBuilder};

const STRICT: i64 = 1;
const CONTINUE_ON_ERROR: i64 = 2;

// ---- encoding

/// Bytes that may stand in an encoded word as they are.
fn is_plain(byte: u8) -> bool {
    (0x21..0x7f).contains(&byte) && !matches!(byte, b'=' | b'?' | b'_')
}

/// Bytes that the end of a word in base64 keeps free for going back to the first state of an encoding.
const RESERVED: usize = 4;

pub fn iconv_mime_encode(cx: &mut Cx, field_name: &PStr, field_value: &PStr, options: &PArray) -> Res<OrFalse<PStr>> {
    let option = |name: &[u8]| options.get_bytes(name).map(Value::copy_deref);
    let text = |cx: &mut Cx, name: &[u8]| match option(name) {
        Some(value) => cx.to_string(&value).map(Some),
        None => Ok(None),
    };
    let base64 = !option(b"scheme").is_some_and(|v| v.as_bytes().is_some_and(|s| matches!(s.first(), Some(b'Q' | b'q'))));
    let from = text(cx, b"input-charset")?.map_or_else(|| name_or_internal(cx, None), |n| n.as_bytes().to_vec());
    if !check_length(cx, &from)? {
        return Ok(OrFalse(None));
    }
    let to = text(cx, b"output-charset")?.map_or_else(|| name_or_internal(cx, None), |n| n.as_bytes().to_vec());
    if !check_length(cx, &to)? {
        return Ok(OrFalse(None));
    }
    let line_len = option(b"line-length").map_or(76, |v| jumbo_value::convert::to_int(&v));
    let line_break = text(cx, b"line-break-chars")?.map_or_else(|| b"\r\n".to_vec(), |b| b.as_bytes().to_vec());
    let Some((source, target)) = pair(cx, &from, &to)? else { return Ok(OrFalse(None)) };
    let codes = match source.decode(field_value.as_bytes())? {
        (codes, None) => codes,
        (_, Some(failure)) => {
            report(cx, failure)?;
            return Ok(OrFalse(None));
        }
    };
    let line_len = usize::try_from(line_len).unwrap_or(0);
    // The charset's own name, without flags.
    let shown = to.split(|b| *b == b'/').next().unwrap_or_default().to_vec();
    // A name of other characters than ASCII's is left out.
    let mut head = PStrBuilder::new();
    if field_name.is_ascii() {
        head.extend(field_name)?;
    }
    head.extend(b": ")?;
    let words = Words { line_len, line_break: &line_break, charset: &shown, base64 };
    match words.encode(&target, &codes, head) {
        Ok(Some(text)) => Ok(OrFalse(Some(text.finish()))),
        Ok(None) => {
            cx.warning("Buffer length exceeded")?;
            Ok(OrFalse(None))
        }
        Err(failure) => {
            report_conversion(cx, failure)?;
            Ok(OrFalse(None))
        }
    }
}

struct Words<'a> {
    line_len: usize,
    line_break: &'a [u8],
    charset: &'a [u8],
    base64: bool,
}

impl Words<'_> {
    /// Length of `text` as a part of a word.
    fn cost(&self, text: &[u8]) -> usize {
        if self.base64 { text.len() } else { text.iter().map(|b| if is_plain(*b) { 1 } else { 3 }).sum() }
    }
    /// The whole header. None: a line is too short for anything.
    fn encode(&self, target: &Charset, codes: &[u32], head: PStrBuilder) -> Result<Option<PStrBuilder>, ConversionError> {
        let name = self.charset.len();
        if self.line_len < name + 13 {
            return Ok(None);
        }
        let mut out = head;
        let mut left = self.line_len.saturating_sub(out.len());
        let mut at = 0;
        loop {
            if left < name + if self.base64 { 14 } else { 13 } {
                out.extend(self.line_break)?;
                out.push(b' ')?;
                left = self.line_len - 1;
            }
            // `=?charset?B?` and `?=` around the text.
            let room = left.saturating_sub(name + 5 + 2);
            let room = if self.base64 { (room / 4 * 3).saturating_sub(RESERVED) } else { room };
            let mut end = at;
            let mut word = PStrBuilder::new();
            while end < codes.len() {
                let longer = target.encode(&codes[at..=end])?;
                // Going back to the first state is what room is reserved for.
                let text = longer.strip_suffix(b"\x1b(B").filter(|_| self.base64).unwrap_or(&longer);
                if self.cost(text) > room {
                    break;
                }
                word = longer;
                end += 1;
            }
            if end == at && at < codes.len() {
                return Ok(None);
            }
            out.extend(b"=?")?;
            out.extend(self.charset)?;
            if self.base64 {
                out.extend(b"?B?")?;
                out.extend(&base64_encode(&word)?)?;
            } else {
                out.extend(b"?Q?")?;
                for &byte in word.as_bytes() {
                    if is_plain(byte) {
                        out.push(byte)?;
                    } else {
                        write!(out, "={byte:02X}")?;
                    }
                }
            }
            out.extend(b"?=")?;
            at = end;
            if at >= codes.len() {
                return Ok(Some(out));
            }
            out.extend(self.line_break)?;
            out.push(b' ')?;
            left = self.line_len - 1;
        }
    }
}

// ---- decoding

/// An encoded word: charset, bytes, and its length in the header.
struct Word {
    charset: Vec<u8>,
    bytes: PStr,
    len: usize,
}

/// The encoded word that stands at the start. None: it is malformed.
fn word(text: &[u8]) -> Result<Option<Word>, OutOfMemory> {
    let Some((charset, scheme, body, len)) = word_parts(text) else { return Ok(None) };
    let bytes = match scheme {
        b'B' | b'b' => match base64_decode(body, false)? {
            Some(bytes) => bytes,
            None => return Ok(None),
        },
        b'Q' | b'q' => quoted(body)?,
        _ => return Ok(None),
    };
    Ok(Some(Word { charset: charset.to_vec(), bytes, len }))
}

/// The charset, the letter for the transfer encoding, the text and the length of an encoded word.
fn word_parts(text: &[u8]) -> Option<(&[u8], u8, &[u8], usize)> {
    let rest = text.strip_prefix(b"=?")?;
    let end = rest.iter().position(|b| *b == b'?')?;
    // `charset*language`
    if rest[..end].iter().any(|b| matches!(b, b'\r' | b'\n')) {
        return None;
    }
    let charset = without_language(&rest[..end]);
    let scheme = rest.get(end + 1)?;
    if rest.get(end + 2) != Some(&b'?') || charset.is_empty() {
        return None;
    }
    let body = &rest[end + 3..];
    let stop = body.iter().position(|b| *b == b'?')?;
    if body.get(stop + 1) != Some(&b'=') {
        return None;
    }
    Some((charset, *scheme, &body[..stop], 2 + end + 3 + stop + 2))
}

/// Does an encoded word begin here whose text goes on to the end of all?
fn unended(text: &[u8]) -> bool {
    let mut parts = text.splitn(5, |b| *b == b'?');
    let (_, charset, scheme, body) = (parts.next(), parts.next(), parts.next(), parts.next());
    let known = charset.is_some_and(|charset| Charset::find(without_language(charset)).is_some());
    known && matches!(scheme, Some([b'B' | b'b' | b'Q' | b'q'])) && body.is_some() && parts.next().is_none()
}

/// The charset of `charset*language`.
fn without_language(name: &[u8]) -> &[u8] {
    name.split(|b| *b == b'*').next().unwrap_or_default()
}

/// Quoted-printable text, where an underscore is a space.
fn quoted(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len())?;
    let mut at = 0;
    let digit = |at: usize| text.get(at).and_then(|b| (*b as char).to_digit(16));
    while let Some(&byte) = text.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'=', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8)?;
                at += 3;
                continue;
            }
            (b'_', ..) => out.push(b' ')?,
            _ => out.push(byte)?,
        }
        at += 1;
    }
    Ok(out.finish())
}

/// What is wrong with a header.
enum Wrong {
    Malformed,
    Charset,
    Text(Failure),
    Memory(OutOfMemory),
    /// What a safepoint said.
    Stopped(Stop),
}

impl From<Stop> for Wrong {
    fn from(stop: Stop) -> Wrong {
        Wrong::Stopped(stop)
    }
}

impl From<OutOfMemory> for Wrong {
    fn from(refused: OutOfMemory) -> Wrong {
        Wrong::Memory(refused)
    }
}

impl From<ConversionError> for Wrong {
    fn from(error: ConversionError) -> Wrong {
        match error {
            ConversionError::Text(failure) => Wrong::Text(failure),
            ConversionError::Memory(refused) => Wrong::Memory(refused),
        }
    }
}

/// What a part of a header costs besides its bytes, in units of [`Work`].
const STEP: usize = 32;

/// Decodes the header that `text` starts with; gives it and the length of what was used.
fn header(work: &mut Work, text: &[u8], to: &Charset, mode: i64) -> Result<(PStrBuilder, usize), Wrong> {
    let (strict, go_on) = (mode & STRICT != 0, mode & CONTINUE_ON_ERROR != 0);
    let ascii = Charset::find(b"ASCII").unwrap_or_else(Charset::utf8);
    let mut out = PStrBuilder::new();
    let mut at = 0;
    // White space that is written when what follows is no encoded word.
    let mut space: Vec<u8> = Vec::new();
    let mut after_word = false;
    // Plain text is ASCII; what is not is left out, or ends it all.
    let copy = |out: &mut PStrBuilder, bytes: &[u8]| -> Result<(), Wrong> {
        match convert(&ascii, to, bytes) {
            Ok(plain) => out.extend(&plain)?,
            Err(ConversionError::Text(_)) if go_on => {
                let mut kept = PStrBuilder::with_capacity(bytes.len())?;
                for run in bytes.split(|byte| !byte.is_ascii()) {
                    kept.extend(run)?;
                }
                out.extend(&convert(&ascii, to, &kept)?)?;
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    };
    let mut counted = 0;
    while at < text.len() {
        work.spend(at - counted + STEP)?;
        counted = at;
        let byte = text[at];
        if byte == b'\r' || byte == b'\n' {
            let next = at + if byte == b'\r' && text.get(at + 1) == Some(&b'\n') { 2 } else { 1 };
            if !matches!(text.get(next), Some(b' ' | b'\t')) {
                // The header ends here.
                copy(&mut out, &space)?;
                return Ok((out, next));
            }
            // A folded line: its white space is one space.
            at = next + text[next..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            space.truncate(space.len() - space.iter().rev().take_while(|b| matches!(b, b' ' | b'\t')).count());
            space.push(b' ');
            continue;
        }
        if byte == b' ' || byte == b'\t' {
            space.push(byte);
            at += 1;
            continue;
        }
        if text[at..].starts_with(b"=?") && !(strict && at > 0 && space.is_empty()) {
            let found = word(&text[at..])?;
            let complete = |w: &Word| !strict || matches!(text.get(at + w.len), None | Some(b' ' | b'\t' | b'\r' | b'\n'));
            match found {
                Some(found) if complete(&found) => {
                    let whole = &text[at..at + found.len];
                    let converted = match Charset::find(&found.charset) {
                        Some(charset) => convert(&charset, to, &found.bytes).map_err(Wrong::from),
                        None => Err(Wrong::Charset),
                    };
                    match converted {
                        Ok(bytes) => {
                            if !after_word {
                                copy(&mut out, &space)?;
                            }
                            out.extend(&bytes)?;
                            after_word = true;
                        }
                        Err(Wrong::Text(_)) if go_on => after_word = false,
                        Err(Wrong::Malformed | Wrong::Charset) if go_on => {
                            copy(&mut out, &space)?;
                            copy(&mut out, whole)?;
                            after_word = false;
                        }
                        Err(wrong) => return Err(wrong),
                    }
                    space.clear();
                    at += found.len;
                    continue;
                }
                Some(found) => {
                    // A word that goes on without white space is none, and neither is what hangs on it.
                    copy(&mut out, &space)?;
                    space.clear();
                    let run = text[at..].iter().take_while(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count().max(found.len);
                    copy(&mut out, &text[at..at + run])?;
                    at += run;
                    after_word = false;
                    continue;
                }
                None if !text[at + 2..].iter().take_while(|b| !matches!(b, b'\r' | b'\n')).any(|b| *b == b'?') => {
                    // A charset that does not end: text, when the line does.
                    let line = text[at..].iter().take_while(|b| !matches!(b, b'\r' | b'\n')).count();
                    if at + line == text.len() && !go_on {
                        return Err(Wrong::Malformed);
                    }
                    copy(&mut out, &space)?;
                    space.clear();
                    if at + line < text.len() {
                        copy(&mut out, &text[at..at + line])?;
                    }
                    at += line;
                    after_word = false;
                    continue;
                }
                None if go_on && unended(&text[at..]) => {
                    // What begins properly and does not end is dropped.
                    copy(&mut out, &space)?;
                    space.clear();
                    at = text.len();
                    continue;
                }
                None if go_on => {
                    if !after_word {
                        copy(&mut out, &space)?;
                    }
                    space.clear();
                    copy(&mut out, b"=?")?;
                    at += 2;
                    after_word = false;
                    continue;
                }
                None => {
                    // The charset is looked up as soon as it has ended.
                    let charset = text[at + 2..].split(|b| *b == b'?').next().unwrap_or_default();
                    let known = Charset::find(without_language(charset)).is_some();
                    return Err(if known { Wrong::Malformed } else { Wrong::Charset });
                }
            }
        }
        let may_be_word = !(strict && at > 0 && space.is_empty());
        if byte == b'=' && at + 1 == text.len() && may_be_word && !go_on {
            // A word begins and does not go on.
            return Err(Wrong::Malformed);
        }
        copy(&mut out, &space)?;
        space.clear();
        let end = at + 1 + text[at + 1..].iter().take_while(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'=')).count();
        copy(&mut out, &text[at..end])?;
        at = end;
        after_word = false;
    }
    copy(&mut out, &space)?;
    Ok((out, at))
}

/// The encoding of the result. None: told.
fn target(cx: &mut Cx, encoding: Option<&PStr>) -> Res<Option<(Charset, Vec<u8>)>> {
    let name = name_or_internal(cx, encoding);
    if !check_length(cx, &name)? {
        return Ok(None);
    }
    match Charset::find(&name) {
        Some(charset) => Ok(Some((charset, name))),
        None => {
            wrong_encoding(cx, b"???", &name)?;
            Ok(None)
        }
    }
}

fn tell(cx: &mut Cx, wrong: Wrong, name: &[u8]) -> Res<()> {
    match wrong {
        Wrong::Malformed => cx.warning("Malformed string"),
        Wrong::Charset => wrong_encoding(cx, b"???", name),
        Wrong::Text(failure) => report(cx, failure),
        Wrong::Memory(refused) => Err(refused.into()),
        Wrong::Stopped(stop) => Err(stop),
    }
}

pub fn iconv_mime_decode(cx: &mut Cx, string: &PStr, mode: i64, encoding: Option<&PStr>) -> Res<OrFalse<PStr>> {
    let Some((charset, name)) = target(cx, encoding)? else { return Ok(OrFalse(None)) };
    match header(&mut Work::new(cx), string.as_bytes(), &charset, mode) {
        Ok((text, _)) => Ok(OrFalse(Some(text.finish()))),
        Err(wrong) => {
            tell(cx, wrong, &name)?;
            Ok(OrFalse(None))
        }
    }
}

pub fn iconv_mime_decode_headers(cx: &mut Cx, headers: &PStr, mode: i64, encoding: Option<&PStr>) -> Res<OrFalse<PArray>> {
    let Some((charset, name)) = target(cx, encoding)? else { return Ok(OrFalse(None)) };
    let mut array = PArray::new();
    let mut rest = headers.as_bytes();
    while !rest.is_empty() {
        let (line, used) = match header(&mut Work::new(cx), rest, &charset, mode) {
            Ok(found) => found,
            Err(wrong) => {
                tell(cx, wrong, &name)?;
                return Ok(OrFalse(None));
            }
        };
        rest = &rest[used.max(1).min(rest.len())..];
        // Many short headers are work too.
        cx.check()?;
        let Some(colon) = line.iter().position(|b| *b == b':') else { continue };
        let key = jumbo_abi::Key::from_str(&PStr::new(&line[..colon]));
        let value = Value::from(PStr::new(line[colon + 1..].trim_ascii_start()));
        match array.get(&key).map(Value::copy_deref) {
            None => array.set(key, value),
            Some(mut old) => {
                // The array gives its list away while that grows: nothing is copied.
                array.set(key.clone(), Value::null());
                if let Some(mut list) = old.as_array_mut() {
                    list.append(value);
                } else {
                    old = Value::from(PArray::from_values([old, value]));
                }
                array.set(key, old);
            }
        }
    }
    Ok(OrFalse(Some(array)))
}
