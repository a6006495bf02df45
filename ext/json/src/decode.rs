//! json_decode: a recursive parser with a depth limit; PHP's error codes.

use crate::json::Error;
use jumbo_abi::{Cx, Key, PArray, PStr, Res, Value};
use jumbo_value::{OutOfMemory, PStrBuilder, number};

const BIGINT_AS_STRING: i64 = 2;
pub const INVALID_UTF8_IGNORE: i64 = 1_048_576;
const INVALID_UTF8_SUBSTITUTE: i64 = 2_097_152;

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    arrays: bool,
    depth: usize,
    flags: i64,
}

enum Fail {
    Error(Error),
    Stop(jumbo_abi::Stop),
}

impl From<jumbo_abi::Stop> for Fail {
    fn from(stop: jumbo_abi::Stop) -> Fail {
        Fail::Stop(stop)
    }
}

impl From<OutOfMemory> for Fail {
    fn from(refused: OutOfMemory) -> Fail {
        Fail::Stop(refused.into())
    }
}

/// Parses a document. The outer result is PHP's own errors (memory, exceptions), the inner one JSON's.
pub fn decode(cx: &mut Cx, text: &[u8], arrays: bool, depth: usize, flags: i64) -> Res<Result<Value, Error>> {
    let mut parser = Parser { text, at: 0, arrays, depth, flags };
    let result = parser.value(cx, 0).and_then(|v| {
        parser.space();
        if parser.at < text.len() { Err(parser.unexpected()) } else { Ok(v) }
    });
    match result {
        Ok(v) => Ok(Ok(v)),
        Err(Fail::Error(e)) => Ok(Err(e)),
        Err(Fail::Stop(stop)) => Err(stop),
    }
}

impl Parser<'_> {
    fn space(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
    /// The error for the token at hand, which is read first: one that is no token has an error of its own.
    fn unexpected(&mut self) -> Fail {
        Fail::Error(match self.peek() {
            Some(b'"') => match self.string() {
                Err(fail) => return fail,
                Ok(_) => Error::Syntax,
            },
            Some(b) if b < 0x20 => Error::ControlCharacter,
            Some(b) if b >= 0x80 && crate::encode::decode_utf8(&self.text[self.at..]).is_none() => Error::Utf8,
            _ => Error::Syntax,
        })
    }

    fn value(&mut self, cx: &mut Cx, level: usize) -> Result<Value, Fail> {
        self.space();
        match self.peek() {
            Some(b'{') => self.object(cx, level),
            Some(b'[') => self.array(cx, level),
            Some(b'"') => Ok(Value::from(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true", Value::from(true)),
            Some(b'f') => self.word(b"false", Value::from(false)),
            Some(b'n') => self.word(b"null", Value::null()),
            _ => Err(self.unexpected()),
        }
    }

    fn word(&mut self, word: &[u8], value: Value) -> Result<Value, Fail> {
        match self.text.get(self.at..self.at + word.len()) {
            Some(w) if w == word => {
                self.at += word.len();
                Ok(value)
            }
            _ => Err(Fail::Error(Error::Syntax)),
        }
    }

    fn enter(&self, level: usize) -> Result<usize, Fail> {
        // Deep documents are refused long before the native stack ends: PHP code may allow any depth.
        if level + 1 >= self.depth || level > 20_000 { Err(Fail::Error(Error::Depth)) } else { Ok(level + 1) }
    }

    fn array(&mut self, cx: &mut Cx, level: usize) -> Result<Value, Fail> {
        let level = self.enter(level)?;
        self.at += 1;
        let mut array = PArray::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::from(array));
        }
        if self.peek() == Some(b'}') {
            return Err(Fail::Error(Error::StateMismatch));
        }
        loop {
            array.append(self.value(cx, level)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::from(array));
                }
                Some(b'}') => return Err(Fail::Error(Error::StateMismatch)),
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn object(&mut self, cx: &mut Cx, level: usize) -> Result<Value, Fail> {
        let level = self.enter(level)?;
        self.at += 1;
        let mut table = PArray::new();
        // Made when the first member is read, as stock does: numbers of objects are visible.
        let mut object = None;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
        } else if self.peek() == Some(b']') {
            return Err(Fail::Error(Error::StateMismatch));
        } else {
            loop {
                self.space();
                if self.peek() != Some(b'"') {
                    return Err(self.unexpected());
                }
                let key = self.string()?;
                if !self.arrays && key.as_bytes().first() == Some(&0) {
                    return Err(Fail::Error(Error::InvalidPropertyName));
                }
                self.space();
                if self.peek() != Some(b':') {
                    return Err(self.unexpected());
                }
                self.at += 1;
                let value = self.value(cx, level)?;
                if object.is_none() && !self.arrays {
                    let class = cx.builtin_class(b"stdclass");
                    object = Some(cx.new_object(class)?);
                }
                table.set(Key::from_str(&key), value);
                self.space();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b'}') => {
                        self.at += 1;
                        break;
                    }
                    Some(b']') => return Err(Fail::Error(Error::StateMismatch)),
                    _ => return Err(self.unexpected()),
                }
            }
        }
        if self.arrays {
            return Ok(Value::from(table));
        }
        let object = match object {
            Some(object) => object,
            None => {
                let class = cx.builtin_class(b"stdclass");
                cx.new_object(class)?
            }
        };
        if !table.is_empty() {
            object.set_dynamic(Some(table));
        }
        Ok(Value::from(object))
    }

    fn number(&mut self) -> Result<Value, Fail> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.unexpected()),
        }
        let mut is_float = false;
        if self.peek() == Some(b'.') && self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
            is_float = true;
            self.at += 1;
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            let mut at = self.at + 1;
            if matches!(self.text.get(at), Some(b'+' | b'-')) {
                at += 1;
            }
            if self.text.get(at).is_some_and(u8::is_ascii_digit) {
                is_float = true;
                self.at = at;
                self.digits();
            }
        }
        let text = &self.text[start..self.at];
        if !is_float {
            let parsed = std::str::from_utf8(text).ok().and_then(|t| t.parse::<i64>().ok());
            if let Some(n) = parsed {
                return Ok(Value::from(n));
            }
            if self.flags & BIGINT_AS_STRING != 0 {
                return Ok(Value::from(PStr::new(text)));
            }
        }
        Ok(Value::from(number::parse_float(text)))
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn string(&mut self) -> Result<PStr, Fail> {
        self.at += 1;
        let start = self.at;
        // Most strings are plain: no escape, all ASCII.
        self.at += crate::plain::decoded(&self.text[start..]);
        let plain = &self.text[start..self.at];
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(PStr::new(plain));
        }
        let mut out = PStrBuilder::new();
        out.extend(plain)?;
        loop {
            let plain = &self.text[self.at..];
            let plain = &plain[..crate::plain::decoded(plain)];
            out.extend(plain)?;
            self.at += plain.len();
            match self.peek() {
                None => return Err(Fail::Error(Error::ControlCharacter)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out.finish());
                }
                Some(b'\\') => self.escape(&mut out)?,
                Some(b) if b < 0x20 => return Err(Fail::Error(Error::ControlCharacter)),
                Some(_) => match crate::encode::decode_utf8(&self.text[self.at..]) {
                    Some((_, n)) => {
                        out.extend(&self.text[self.at..self.at + n])?;
                        self.at += n;
                    }
                    None if self.flags & INVALID_UTF8_SUBSTITUTE != 0 => {
                        out.extend("\u{fffd}".as_bytes())?;
                        self.at += 1;
                    }
                    None if self.flags & INVALID_UTF8_IGNORE != 0 => self.at += 1,
                    None => return Err(Fail::Error(Error::Utf8)),
                },
            }
        }
    }

    fn hex4(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 4)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }

    fn escape(&mut self, out: &mut PStrBuilder) -> Result<(), Fail> {
        let b = self.text.get(self.at + 1).copied();
        let plain = match b {
            Some(b @ (b'"' | b'\\' | b'/')) => b,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let Some(mut c) = self.hex4(self.at + 2) else { return Err(Fail::Error(Error::Syntax)) };
                self.at += 6;
                if (0xd800..0xdc00).contains(&c) {
                    let low = (self.text.get(self.at..self.at + 2) == Some(b"\\u")).then(|| self.hex4(self.at + 2)).flatten();
                    match low {
                        Some(low @ 0xdc00..0xe000) => {
                            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                            self.at += 6;
                        }
                        _ => return Err(Fail::Error(Error::Utf16)),
                    }
                }
                let Some(c) = char::from_u32(c) else { return Err(Fail::Error(Error::Utf16)) };
                out.extend(c.encode_utf8(&mut [0; 4]).as_bytes())?;
                return Ok(());
            }
            Some(b) if b < 0x20 => return Err(Fail::Error(Error::ControlCharacter)),
            _ => return Err(Fail::Error(Error::Syntax)),
        };
        out.push(plain)?;
        self.at += 2;
        Ok(())
    }
}
