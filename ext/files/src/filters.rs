//! Stream filters of the standard extension, and finding a filter by name.

use jumbo_abi::stream::{Filter, FilterDesc, FilterSlot, Streams};
use jumbo_abi::{Cx, PResource, PStr, Res, Value};
use jumbo_ext_strings::pure::encode;
use jumbo_value::{OutOfMemory, PStrBuilder};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub const FILTERS: &[FilterDesc] = &[
    FilterDesc { name: "string.rot13", make: |_, _, _| Ok(Some(Rc::new(Bytewise(rot13)))) },
    FilterDesc { name: "string.toupper", make: |_, _, _| Ok(Some(Rc::new(Bytewise(|b| b.to_ascii_uppercase())))) },
    FilterDesc { name: "string.tolower", make: |_, _, _| Ok(Some(Rc::new(Bytewise(|b| b.to_ascii_lowercase())))) },
    FilterDesc { name: "convert.*", make: convert },
    FilterDesc { name: "consumed", make: |_, _, _| Ok(Some(Rc::new(Bytewise(|b| b)))) },
    FilterDesc { name: "dechunk", make: |_, _, _| Ok(Some(Rc::new(Dechunk::default()))) },
];

/// Makes a filter by name. None: there is none, or it refused; a warning was given.
pub fn make(cx: &mut Cx, name: &[u8], params: &Value, stream: &PResource) -> Res<Option<Rc<FilterSlot>>> {
    // The name itself, then what it begins with up to each of its dots, the longest first.
    let mut pattern = PStrBuilder::with_capacity(name.len() + 2)?;
    pattern.extend(name)?;
    pattern.as_mut_bytes().make_ascii_lowercase();
    let mut end = name.len();
    loop {
        let class = cx.state::<Streams>().user_filters.get(pattern.as_bytes()).cloned();
        if let Some(class) = class {
            return match crate::user_filter::make(cx, name, &class, params, stream)? {
                None => refused(cx, name),
                made => Ok(made),
            };
        }
        let extensions = jumbo_abi::registry::try_get().map_or(&[][..], |r| &r.extensions);
        let found = extensions.iter().flat_map(|e| e.filters).find(|f| f.name.as_bytes() == pattern.as_bytes());
        if let Some(desc) = found {
            return match (desc.make)(cx, name, params)? {
                None => refused(cx, name),
                Some(filter) => Ok(Some(Rc::new(FilterSlot { name: PStr::new(name), filter }))),
            };
        }
        let Some(dot) = name[..end].iter().rposition(|b| *b == b'.') else { break };
        pattern.truncate(dot);
        pattern.extend(b".*")?;
        end = dot;
        cx.check()?;
    }
    cx.warning([b"Unable to locate filter \"".as_slice(), name, b"\""])?;
    Ok(None)
}

/// Somebody makes filters of such names, but not this one.
fn refused(cx: &mut Cx, name: &[u8]) -> Res<Option<Rc<FilterSlot>>> {
    cx.warning([b"Unable to create or locate filter \"".as_slice(), name, b"\""])?;
    Ok(None)
}

/// Names in the order of `stream_get_filters`.
pub fn names(cx: &mut Cx) -> Vec<PStr> {
    let extensions = jumbo_abi::registry::try_get().map_or(&[][..], |r| &r.extensions);
    let mut list: Vec<PStr> = extensions.iter().flat_map(|e| e.filters).map(|f| PStr::new(f.name.as_bytes())).collect();
    list.extend(cx.state::<Streams>().user_filters.keys().map(|k| PStr::new(k)));
    list
}

fn rot13(b: u8) -> u8 {
    match b {
        b'a'..=b'z' => (b - b'a' + 13) % 26 + b'a',
        b'A'..=b'Z' => (b - b'A' + 13) % 26 + b'A',
        _ => b,
    }
}

/// Each byte by itself.
struct Bytewise(fn(u8) -> u8);

impl Filter for Bytewise {
    fn filter(&self, _cx: &mut Cx, input: &[u8], _closing: bool, output: &mut PStrBuilder) -> Res<bool> {
        output.extend(input)?;
        output.as_mut_bytes().iter_mut().for_each(|b| *b = (self.0)(*b));
        Ok(true)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn option(params: &Value, name: &[u8]) -> Option<Value> {
    Some(params.deref().as_array()?.get_bytes(name)?.copy_deref())
}

fn convert(_cx: &mut Cx, name: &[u8], params: &Value) -> Res<Option<Rc<dyn Filter>>> {
    let length = option(params, b"line-length").map_or(0, |v| jumbo_value::convert::to_int(&v));
    let breaks = option(params, b"line-break-chars").and_then(|v| v.as_str().cloned());
    let lines = Lines {
        length: usize::try_from(length).unwrap_or(0),
        breaks: breaks.unwrap_or_else(|| PStr::from("\r\n")),
        column: Cell::new(0),
    };
    Ok(match name.to_ascii_lowercase().as_slice() {
        b"convert.base64-encode" => Some(Rc::new(Base64Encode { rest: RefCell::default(), lines })),
        b"convert.base64-decode" => Some(Rc::new(Base64Decode::default())),
        b"convert.quoted-printable-encode" => {
            let on = |name: &[u8]| option(params, name).is_some_and(|v| jumbo_value::convert::to_bool(&v));
            let binary = on(b"binary");
            Some(Rc::new(QuotedEncode {
                // Without a length of lines there are none.
                keep_breaks: lines.length > 0 && !binary,
                lines,
                binary,
                force_first: on(b"force-encode-first"),
                rest: RefCell::default(),
            }))
        }
        b"convert.quoted-printable-decode" => Some(Rc::new(QuotedDecode::default())),
        _ => None,
    })
}

/// Breaks output into lines of a length; 0: not at all.
struct Lines {
    length: usize,
    breaks: PStr,
    column: Cell<usize>,
}

struct Base64Encode {
    rest: RefCell<PStrBuilder>,
    lines: Lines,
}

impl Filter for Base64Encode {
    fn filter(&self, _cx: &mut Cx, input: &[u8], closing: bool, output: &mut PStrBuilder) -> Res<bool> {
        let mut data = self.rest.take();
        data.extend(input)?;
        let whole = if closing { data.len() } else { data.len() / 3 * 3 };
        self.rest.borrow_mut().extend(&data[whole..])?;
        data.truncate(whole);
        if self.lines.length == 0 {
            for group in data.chunks(3) {
                output.extend(&encode::base64_group(group))?;
            }
            return Ok(true);
        }
        for byte in data.chunks(3).flat_map(encode::base64_group) {
            if self.lines.column.get() == self.lines.length {
                output.extend(&self.lines.breaks)?;
                self.lines.column.set(0);
            }
            output.push(byte)?;
            self.lines.column.set(self.lines.column.get() + 1);
        }
        Ok(true)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[derive(Default)]
struct Base64Decode {
    rest: RefCell<PStrBuilder>,
}

impl Filter for Base64Decode {
    fn filter(&self, cx: &mut Cx, input: &[u8], closing: bool, output: &mut PStrBuilder) -> Res<bool> {
        let mut data = self.rest.take();
        let is_digit = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
        for byte in input {
            if is_digit(byte) {
                data.push(*byte)?;
            } else if !byte.is_ascii_whitespace() {
                cx.warning("Stream filter (convert.base64-decode): invalid byte sequence")?;
                return Ok(false);
            }
        }
        // The padding ends one text; another may follow.
        let mut at = 0;
        while data.len() - at >= 4 {
            let group = &data[at..at + 4];
            output.extend(&encode::base64_decode(group, false)?.unwrap_or_default())?;
            at += 4;
        }
        if closing {
            output.extend(&encode::base64_decode(&data[at..], false)?.unwrap_or_default())?;
            at = data.len();
        }
        self.rest.borrow_mut().extend(&data[at..])?;
        Ok(true)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct QuotedEncode {
    lines: Lines,
    /// Line ends pass as they are.
    keep_breaks: bool,
    /// White space is encoded.
    binary: bool,
    force_first: bool,
    rest: RefCell<PStrBuilder>,
}

impl QuotedEncode {
    /// May white space stand as it is before `behind`? Not at the end of a line; the last byte is not looked at, as in stock.
    fn keeps_space(&self, behind: &[u8]) -> bool {
        if self.binary {
            return false;
        }
        if !self.keep_breaks {
            return true;
        }
        let mut matched = 0;
        for byte in &behind[..behind.len().saturating_sub(1)] {
            if self.lines.breaks.get(matched) == Some(byte) {
                matched += 1;
                if matched == self.lines.breaks.len() {
                    return false;
                }
            } else if matched != 0 || !matches!(byte, b' ' | b'\t') {
                return true;
            }
        }
        false
    }
    fn put(&self, piece: &[u8], output: &mut PStrBuilder) -> Result<(), OutOfMemory> {
        if self.lines.length > 0 && self.lines.column.get() + piece.len() > self.lines.length.saturating_sub(1) {
            output.push(b'=')?;
            output.extend(&self.lines.breaks)?;
            self.lines.column.set(0);
        }
        output.extend(piece)?;
        self.lines.column.set(self.lines.column.get() + piece.len());
        Ok(())
    }
}

impl Filter for QuotedEncode {
    fn filter(&self, _cx: &mut Cx, input: &[u8], closing: bool, output: &mut PStrBuilder) -> Res<bool> {
        let mut data = self.rest.take();
        data.extend(input)?;
        let mut at = 0;
        while at < data.len() {
            let rest = &data[at..];
            if self.keep_breaks && !self.lines.breaks.is_empty() {
                if rest.starts_with(&self.lines.breaks) {
                    output.extend(&self.lines.breaks)?;
                    self.lines.column.set(0);
                    at += self.lines.breaks.len();
                    continue;
                }
                if !closing && self.lines.breaks.starts_with(rest) {
                    break;
                }
            }
            let byte = rest[0];
            let plain = matches!(byte, 33..=60 | 62..=126) || matches!(byte, b' ' | b'\t') && self.keeps_space(&data[at + 1..]);
            if plain && !(self.force_first && self.lines.column.get() == 0) {
                self.put(&[byte], output)?;
            } else {
                const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
                self.put(&[b'=', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]], output)?;
            }
            at += 1;
        }
        self.rest.borrow_mut().extend(&data[at..])?;
        Ok(true)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[derive(Default)]
struct QuotedDecode {
    rest: RefCell<PStrBuilder>,
}

impl Filter for QuotedDecode {
    fn filter(&self, cx: &mut Cx, input: &[u8], closing: bool, output: &mut PStrBuilder) -> Res<bool> {
        let mut data = self.rest.take();
        data.extend(input)?;
        let mut at = 0;
        while at < data.len() {
            if data[at] != b'=' {
                output.push(data[at])?;
                at += 1;
                continue;
            }
            let digit = |i: usize| data.get(i).and_then(|b| (*b as char).to_digit(16)).map(|d| d as u8);
            match (data.get(at + 1), data.get(at + 2)) {
                (Some(b'\n'), _) => at += 2,
                (Some(b'\r'), Some(b'\n')) => at += 3,
                (Some(_), Some(_)) => match (digit(at + 1), digit(at + 2)) {
                    (Some(high), Some(low)) => {
                        output.push(high << 4 | low)?;
                        at += 3;
                    }
                    _ => {
                        cx.warning("Stream filter (convert.quoted-printable-decode): invalid byte sequence")?;
                        return Ok(false);
                    }
                },
                _ if closing => at = data.len(),
                _ => break,
            }
        }
        self.rest.borrow_mut().extend(&data[at..])?;
        Ok(true)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Takes the chunked transfer encoding of HTTP apart.
#[derive(Default)]
struct Dechunk {
    pending: RefCell<PStrBuilder>,
    /// Bytes of the running chunk that are still to come.
    left: Cell<usize>,
    after_chunk: Cell<bool>,
    /// The last chunk was seen, or the data is not chunked: the rest passes or is dropped.
    finished: Cell<bool>,
    broken: Cell<bool>,
}

impl Filter for Dechunk {
    fn filter(&self, _cx: &mut Cx, input: &[u8], _closing: bool, output: &mut PStrBuilder) -> Res<bool> {
        if self.broken.get() {
            output.extend(input)?;
            return Ok(true);
        }
        let mut data = self.pending.take();
        data.extend(input)?;
        let mut at = 0;
        while at < data.len() && !self.finished.get() {
            if self.left.get() > 0 {
                let n = self.left.get().min(data.len() - at);
                output.extend(&data[at..at + n])?;
                at += n;
                self.left.set(self.left.get() - n);
                self.after_chunk.set(self.left.get() == 0);
                continue;
            }
            let Some(end) = data[at..].iter().position(|b| *b == b'\n').map(|n| at + n) else { break };
            let line = data[at..end].trim_ascii();
            if self.after_chunk.get() && line.is_empty() {
                self.after_chunk.set(false);
                at = end + 1;
                continue;
            }
            let digits = line.split(|b| *b == b';').next().unwrap_or_default().trim_ascii();
            let size = std::str::from_utf8(digits).ok().and_then(|d| usize::from_str_radix(d, 16).ok());
            match size {
                Some(0) => self.finished.set(true),
                Some(n) => self.left.set(n),
                None => {
                    self.broken.set(true);
                    output.extend(&data[at..])?;
                    return Ok(true);
                }
            }
            at = end + 1;
        }
        if !self.finished.get() {
            self.pending.borrow_mut().extend(&data[at..])?;
        }
        Ok(true)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
