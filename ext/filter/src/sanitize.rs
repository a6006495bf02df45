//! The filters that change text.

use jumbo_ext_strings::pure::tags::strip_tags;
use jumbo_value::{OutOfMemory, PStr, PStrBuilder};

/// The flags that most of these filters know.
#[derive(Clone, Copy)]
pub struct Flags(pub i64);

pub const STRIP_LOW: i64 = 4;
pub const STRIP_HIGH: i64 = 8;
pub const ALLOW_FRACTION: i64 = 4096;
pub const ALLOW_THOUSAND: i64 = 8192;
pub const ALLOW_SCIENTIFIC: i64 = 16384;
pub const STRIP_BACKTICK: i64 = 512;
pub const ENCODE_LOW: i64 = 16;
pub const ENCODE_HIGH: i64 = 32;
pub const ENCODE_AMP: i64 = 64;
pub const NO_ENCODE_QUOTES: i64 = 128;

impl Flags {
    pub fn has(self, flag: i64) -> bool {
        self.0 & flag != 0
    }
    fn strips(self, b: u8) -> bool {
        b < 32 && self.has(STRIP_LOW) || b >= 127 && self.has(STRIP_HIGH) || b == b'`' && self.has(STRIP_BACKTICK)
    }
    fn encodes(self, b: u8) -> bool {
        b < 32 && self.has(ENCODE_LOW) || b >= 127 && self.has(ENCODE_HIGH) || b == b'&' && self.has(ENCODE_AMP)
    }
}

/// What is not stripped; bytes that `which` names become numeric character references.
fn encode(text: &[u8], flags: Flags, which: impl Fn(u8) -> bool) -> Result<PStrBuilder, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len())?;
    for &b in text {
        if flags.strips(b) {
            continue;
        }
        if which(b) {
            out.extend(b"&#")?;
            out.push_int(i64::from(b))?;
            out.push(b';')?;
        } else {
            out.push(b)?;
        }
    }
    Ok(out)
}

pub fn raw(text: &[u8], flags: Flags) -> Result<PStr, OutOfMemory> {
    Ok(encode(text, flags, |b| flags.encodes(b))?.finish())
}

/// Tags go, quotes are encoded.
pub fn string(text: &[u8], flags: Flags) -> Result<PStr, OutOfMemory> {
    let quotes = !flags.has(NO_ENCODE_QUOTES);
    let mut tight = encode(text, flags, |b| quotes && matches!(b, b'"' | b'\'') || flags.encodes(b))?;
    // White space may follow the start of a tag here.
    let mut kept = 0;
    let bytes = tight.as_mut_bytes();
    for at in 0..bytes.len() {
        let byte = bytes[at];
        if !(byte.is_ascii_whitespace() && kept > 0 && bytes[kept - 1] == b'<') {
            bytes[kept] = byte;
            kept += 1;
        }
    }
    tight.truncate(kept);
    strip_tags(&tight, b"")
}

pub fn encoded(text: &[u8], flags: Flags) -> Result<PStr, OutOfMemory> {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    let mut out = PStrBuilder::with_capacity(text.len())?;
    for &b in text.iter().filter(|b| !flags.strips(**b)) {
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_') {
            out.push(b)?;
        } else {
            out.extend(&[b'%', DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]])?;
        }
    }
    Ok(out.finish())
}

pub fn special_chars(text: &[u8], flags: Flags) -> Result<PStr, OutOfMemory> {
    let which = |b| matches!(b, b'"' | b'\'' | b'<' | b'>' | b'&') || b < 32 || flags.has(ENCODE_HIGH) && b >= 127;
    Ok(encode(text, flags, which)?.finish())
}

fn keep(text: &[u8], which: impl Fn(u8) -> bool) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::with_capacity(text.len())?;
    for &b in text.iter().filter(|b| which(**b)) {
        out.push(b)?;
    }
    Ok(out.finish())
}

pub fn email(text: &[u8]) -> Result<PStr, OutOfMemory> {
    keep(text, |b| b.is_ascii_alphanumeric() || b"!#$%&'*+-=?^_`{|}~@.[]".contains(&b))
}

pub fn url(text: &[u8]) -> Result<PStr, OutOfMemory> {
    keep(text, crate::validate::is_url_byte)
}

pub fn number_int(text: &[u8]) -> Result<PStr, OutOfMemory> {
    keep(text, |b| b.is_ascii_digit() || matches!(b, b'+' | b'-'))
}

pub fn number_float(text: &[u8], flags: Flags) -> Result<PStr, OutOfMemory> {
    keep(text, |b| {
        b.is_ascii_digit()
            || matches!(b, b'+' | b'-')
            || b == b'.' && flags.has(ALLOW_FRACTION)
            || b == b',' && flags.has(ALLOW_THOUSAND)
            || matches!(b, b'e' | b'E') && flags.has(ALLOW_SCIENTIFIC)
    })
}
