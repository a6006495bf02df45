//! json_encode.

use crate::json::{Error, PARTIAL_OUTPUT};
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, KeyRef, PArray, PObject, Stop, Value, View};
use jumbo_ext_strings::pure::html::next_utf8;
use jumbo_value::number::{self, Number};
use jumbo_value::{OutOfMemory, PStrBuilder};

const HEX_TAG: i64 = 1;
const HEX_AMP: i64 = 2;
const HEX_APOS: i64 = 4;
const HEX_QUOT: i64 = 8;
const FORCE_OBJECT: i64 = 16;
const NUMERIC_CHECK: i64 = 32;
const UNESCAPED_SLASHES: i64 = 64;
const PRETTY_PRINT: i64 = 128;
const UNESCAPED_UNICODE: i64 = 256;
const PRESERVE_ZERO_FRACTION: i64 = 1024;
const UNESCAPED_LINE_TERMINATORS: i64 = 2048;
const INVALID_UTF8_IGNORE: i64 = 1_048_576;
const INVALID_UTF8_SUBSTITUTE: i64 = 2_097_152;

/// Why encoding ends early.
pub enum Abort {
    Stop(Stop),
    Error(Error),
}

impl From<Stop> for Abort {
    fn from(stop: Stop) -> Abort {
        Abort::Stop(stop)
    }
}

impl From<OutOfMemory> for Abort {
    fn from(refused: OutOfMemory) -> Abort {
        Abort::Stop(refused.into())
    }
}

/// Objects whose jsonSerialize() runs: a json_encode() in there does not begin with them anew.
#[derive(Default)]
struct Serializing(Vec<usize>);

/// One encoding.
pub struct Encoder {
    pub out: PStrBuilder,
    /// The last error that partial output passed over.
    pub error: Error,
    flags: i64,
    depth: i64,
    /// Addresses of the arrays and objects being encoded.
    path: Vec<usize>,
}

impl Encoder {
    pub fn new(flags: i64, depth: i64) -> Encoder {
        Encoder { out: PStrBuilder::new(), error: Error::None, flags, depth, path: Vec::new() }
    }
    fn is(&self, flag: i64) -> bool {
        self.flags & flag != 0
    }
    /// An error: ends the encoding, unless partial output is wanted, which gets `instead`.
    fn fail(&mut self, error: Error, instead: &[u8]) -> Result<(), Abort> {
        if !self.is(PARTIAL_OUTPUT) {
            return Err(Abort::Error(error));
        }
        self.error = error;
        self.out.extend(instead)?;
        Ok(())
    }

    pub fn value(&mut self, cx: &mut Cx, value: &Value, level: usize) -> Result<(), Abort> {
        match value.view_deref() {
            View::Undef | View::Null | View::Ref(_) => self.out.extend(b"null")?,
            View::Bool(b) => self.out.extend(if b { b"true" } else { b"false" })?,
            View::Int(i) => self.out.push_int(i)?,
            View::Float(f) => return self.float(cx, f),
            View::Str(s) => {
                let s = s.clone();
                return self.string(cx, s.as_bytes());
            }
            View::Array(a) => {
                let a = a.clone();
                let as_object = self.is(FORCE_OBJECT) || !a.is_list();
                return self.table(cx, &a, a.as_ptr() as usize, as_object, level);
            }
            View::Object(o) => {
                let o = o.clone();
                return self.object(cx, &o, level);
            }
            View::Resource(_) => return self.fail(Error::UnsupportedType, b"null"),
        }
        Ok(())
    }

    fn float(&mut self, cx: &Cx, f: f64) -> Result<(), Abort> {
        if !f.is_finite() {
            return self.fail(Error::InfOrNan, b"0");
        }
        let mut text = number::float_to_string(f, cx.serialize_precision);
        text.make_ascii_lowercase();
        if self.is(PRESERVE_ZERO_FRACTION) && !text.iter().any(|b| matches!(b, b'.' | b'e')) {
            text.extend_from_slice(b".0");
        }
        self.out.extend(&text)?;
        Ok(())
    }

    fn newline(&mut self, level: usize) -> Result<(), OutOfMemory> {
        if self.is(PRETTY_PRINT) {
            self.out.push(b'\n')?;
            self.out.fill(b' ', level * 4)?;
        }
        Ok(())
    }

    fn table(&mut self, cx: &mut Cx, a: &PArray, address: usize, as_object: bool, level: usize) -> Result<(), Abort> {
        if self.path.contains(&address) && !a.is_empty() {
            return self.fail(Error::Recursion, b"null");
        }
        let (open, close) = if as_object { (b'{', b'}') } else { (b'[', b']') };
        self.out.push(open)?;
        if level as i64 >= self.depth || cx.engine().stack_is_low(cx) {
            if !self.is(PARTIAL_OUTPUT) {
                return Err(Abort::Error(Error::Depth));
            }
            self.error = Error::Depth;
        }
        self.path.push(address);
        let mut first = true;
        for (k, v) in a {
            if as_object && let KeyRef::Str(s) = k && s.as_bytes().first() == Some(&0) && !s.is_empty() && self.path_is_object(address) {
                continue;
            }
            if !first {
                self.out.push(b',')?;
            }
            first = false;
            self.newline(level + 1)?;
            if as_object {
                match k {
                    KeyRef::Int(i) => {
                        self.out.push(b'"')?;
                        self.out.push_int(i)?;
                        self.out.push(b'"')?;
                    }
                    KeyRef::Str(s) => {
                        let kept = self.flags;
                        // Keys are never taken for numbers.
                        self.flags &= !NUMERIC_CHECK;
                        let start = self.out.len();
                        let before = self.error;
                        self.error = Error::None;
                        let done = self.string(cx, s.as_bytes());
                        self.flags = kept;
                        done?;
                        if self.error == Error::None {
                            self.error = before;
                        } else {
                            // A name that cannot be shown is empty in partial output.
                            self.out.truncate(start);
                            self.out.extend(b"\"\"")?;
                        }
                    }
                }
                self.out.extend(if self.is(PRETTY_PRINT) { b": " } else { b":" })?;
            }
            self.value(cx, v, level + 1)?;
        }
        self.path.pop();
        if !first {
            self.newline(level)?;
        }
        self.out.push(close)?;
        Ok(())
    }

    /// Mangled names of hidden properties are left out of objects; arrays keep such keys.
    fn path_is_object(&self, address: usize) -> bool {
        address & 1 != 0
    }

    fn object(&mut self, cx: &mut Cx, o: &PObject, level: usize) -> Result<(), Abort> {
        let class = ClassPtr::of(o);
        let address = o.as_ptr() as usize;
        let serializable = cx.find_class(b"jsonserializable", false)?;
        if serializable.is_some_and(|c| class.is_a(c)) {
            if self.path.contains(&address) || cx.state::<Serializing>().0.contains(&address) {
                return self.fail(Error::Recursion, b"null");
            }
            if cx.engine().stack_is_low(cx) {
                return self.fail(Error::Depth, b"null");
            }
            self.path.push(address);
            cx.state::<Serializing>().0.push(address);
            let inner = cx.call_method(o, b"jsonserialize", &[]);
            cx.state::<Serializing>().0.pop();
            let inner = inner?;
            let result = match inner.as_object() {
                // An object that returns itself is encoded by its properties.
                Some(same) if *same == *o => {
                    self.path.pop();
                    return self.properties(cx, o, level);
                }
                _ => self.value(cx, &inner, level),
            };
            self.path.pop();
            return result;
        }
        if class.is_enum() {
            if class.enum_backing == 0 {
                return self.fail(Error::NonBackedEnum, b"0");
            }
            let backing = o.slot(1);
            return self.value(cx, &backing, level);
        }
        self.properties(cx, o, level)
    }

    fn properties(&mut self, cx: &mut Cx, o: &PObject, level: usize) -> Result<(), Abort> {
        let class = ClassPtr::of(o);
        let table = if class.hooks.properties.is_some() {
            cx.properties(o, Purpose::Json)?
        } else {
            cx.engine().visible_properties(cx, o, None, true)?
        };
        // The low bit tells objects from arrays in the path.
        self.table(cx, &table, o.as_ptr() as usize | 1, true, level)
    }

    fn string(&mut self, cx: &mut Cx, s: &[u8]) -> Result<(), Abort> {
        if self.is(NUMERIC_CHECK)
            && let Some(n) = number::parse_numeric(s).filter(|n| n.to_f64().is_finite())
        {
            match n {
                Number::Int(i) => self.out.push_int(i)?,
                Number::Float(f) => return self.float(cx, f),
            }
            return Ok(());
        }
        let start = self.out.len();
        self.out.push(b'"')?;
        let mut rest = s;
        while !rest.is_empty() {
            // Runs of bytes that need no change are copied at once.
            let plain = crate::plain::encoded(rest);
            self.out.extend(&rest[..plain])?;
            rest = &rest[plain..];
            let Some(&b) = rest.first() else { break };
            if b < 0x80 {
                self.ascii(b)?;
                rest = &rest[1..];
                continue;
            }
            let (character, n) = next_utf8(rest);
            match character {
                Some(c) => {
                    let line_end = matches!(c, 0x2028 | 0x2029) && !self.is(UNESCAPED_LINE_TERMINATORS);
                    if self.is(UNESCAPED_UNICODE) && !line_end {
                        self.out.extend(&rest[..n])?;
                    } else if c >= 0x10000 {
                        let c = c - 0x10000;
                        self.unit(0xd800 + (c >> 10))?;
                        self.unit(0xdc00 + (c & 0x3ff))?;
                    } else {
                        self.unit(c)?;
                    }
                    rest = &rest[n..];
                }
                None => {
                    if self.is(INVALID_UTF8_SUBSTITUTE) {
                        let text: &[u8] = if self.is(UNESCAPED_UNICODE) { "\u{fffd}".as_bytes() } else { b"\\ufffd" };
                        self.out.extend(text)?;
                    } else if !self.is(INVALID_UTF8_IGNORE) {
                        self.out.truncate(start);
                        return self.fail(Error::Utf8, b"null");
                    }
                    rest = &rest[n.clamp(1, rest.len())..];
                }
            }
        }
        self.out.push(b'"')?;
        Ok(())
    }

    /// A UTF-16 code unit by its number.
    fn unit(&mut self, unit: u32) -> Result<(), OutOfMemory> {
        let digit = |shift: u32| b"0123456789abcdef"[(unit >> shift & 15) as usize];
        self.out.extend(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)])
    }

    fn ascii(&mut self, b: u8) -> Result<(), OutOfMemory> {
        let text: &[u8] = match b {
            b'"' if self.is(HEX_QUOT) => b"\\u0022",
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'/' if !self.is(UNESCAPED_SLASHES) => b"\\/",
            b'<' if self.is(HEX_TAG) => b"\\u003C",
            b'>' if self.is(HEX_TAG) => b"\\u003E",
            b'&' if self.is(HEX_AMP) => b"\\u0026",
            b'\'' if self.is(HEX_APOS) => b"\\u0027",
            8 => b"\\b",
            12 => b"\\f",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0..0x20 => return self.unit(b.into()),
            _ => return self.out.push(b),
        };
        self.out.extend(text)
    }
}

/// The character at the start of `s` and its length; None: malformed.
pub fn decode_utf8(s: &[u8]) -> Option<(u32, usize)> {
    let n = match s.first()? {
        0..0x80 => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let text = std::str::from_utf8(s.get(..n)?).ok()?;
    text.chars().next().map(|c| (c as u32, n))
}
