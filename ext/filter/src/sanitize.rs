//! The filters that change text.

use jumbo_ext_strings::pure::tags::strip_tags;
use jumbo_value::{OutOfMemory, PStr};

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

fn strip(text: &[u8], flags: Flags) -> Vec<u8> {
    text.iter().copied().filter(|b| !flags.strips(*b)).collect()
}

/// Bytes that `which` names become numeric character references.
fn encode(text: &[u8], which: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for b in text {
        if which(*b) {
            out.extend_from_slice(format!("&#{b};").as_bytes());
        } else {
            out.push(*b);
        }
    }
    out
}

pub fn raw(text: &[u8], flags: Flags) -> Vec<u8> {
    encode(&strip(text, flags), |b| flags.encodes(b))
}

/// Tags go, quotes are encoded.
pub fn string(text: &[u8], flags: Flags) -> Result<PStr, OutOfMemory> {
    let quotes = !flags.has(NO_ENCODE_QUOTES);
    let encoded = encode(&strip(text, flags), |b| quotes && matches!(b, b'"' | b'\'') || flags.encodes(b));
    // White space may follow the start of a tag here.
    let mut tight = Vec::with_capacity(encoded.len());
    for b in encoded {
        if !(b.is_ascii_whitespace() && tight.last() == Some(&b'<')) {
            tight.push(b);
        }
    }
    strip_tags(&tight, b"")
}

pub fn encoded(text: &[u8], flags: Flags) -> Vec<u8> {
    let mut out = Vec::new();
    for b in strip(text, flags) {
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_') {
            out.push(b);
        } else {
            out.extend_from_slice(format!("%{b:02X}").as_bytes());
        }
    }
    out
}

pub fn special_chars(text: &[u8], flags: Flags) -> Vec<u8> {
    encode(&strip(text, flags), |b| matches!(b, b'"' | b'\'' | b'<' | b'>' | b'&') || b < 32 || flags.has(ENCODE_HIGH) && b >= 127)
}

fn keep(text: &[u8], which: impl Fn(u8) -> bool) -> Vec<u8> {
    text.iter().copied().filter(|b| which(*b)).collect()
}

pub fn email(text: &[u8]) -> Vec<u8> {
    keep(text, |b| b.is_ascii_alphanumeric() || b"!#$%&'*+-=?^_`{|}~@.[]".contains(&b))
}

pub fn url(text: &[u8]) -> Vec<u8> {
    keep(text, crate::validate::is_url_byte)
}

pub fn number_int(text: &[u8]) -> Vec<u8> {
    keep(text, |b| b.is_ascii_digit() || matches!(b, b'+' | b'-'))
}

pub fn number_float(text: &[u8], flags: Flags) -> Vec<u8> {
    keep(text, |b| {
        b.is_ascii_digit()
            || matches!(b, b'+' | b'-')
            || b == b'.' && flags.has(ALLOW_FRACTION)
            || b == b',' && flags.has(ALLOW_THOUSAND)
            || matches!(b, b'e' | b'E') && flags.has(ALLOW_SCIENTIFIC)
    })
}
