//! UTF-7 (RFC 2152) and its form in IMAP (RFC 3501).

use crate::encoding::BAD;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Utf7 {
    Mail,
    Imap,
}

/// What decoding found.
pub struct Decoded {
    pub codes: Vec<u32>,
    /// Whether it is well-formed: characters that UTF-7 does not allow as they are decode all the same.
    pub valid: bool,
}

impl Utf7 {
    fn shift(self) -> u8 {
        match self {
            Utf7::Mail => b'+',
            Utf7::Imap => b'&',
        }
    }

    fn digit(self, byte: u8) -> Option<u32> {
        Some(match byte {
            b'A'..=b'Z' => u32::from(byte - b'A'),
            b'a'..=b'z' => u32::from(byte - b'a') + 26,
            b'0'..=b'9' => u32::from(byte - b'0') + 52,
            b'+' => 62,
            b'/' if self == Utf7::Mail => 63,
            b',' if self == Utf7::Imap => 63,
            _ => return None,
        })
    }

    /// Whether a character is written as it is.
    fn is_direct(self, code: u32) -> bool {
        let Ok(byte) = u8::try_from(code) else { return false };
        match self {
            Utf7::Mail => {
                byte.is_ascii_alphanumeric() || matches!(byte, 0 | b'\t' | b'\n' | b'\r' | b' ' | b'\'' | b'(' | b')' | b',' | b'-' | b'.' | b'/' | b':' | b'?')
            }
            Utf7::Imap => (0x20..0x7f).contains(&byte),
        }
    }

    /// Whether a character may follow encoded ones without the closing `-`.
    fn closes(self, code: u32) -> bool {
        self == Utf7::Mail && self.is_direct(code) && u8::try_from(code).is_ok_and(|byte| byte != b'-' && self.digit(byte).is_none() || byte == b'/')
    }

    /// Characters that decoding takes as they are without complaint.
    fn is_allowed(self, byte: u8) -> bool {
        match self {
            Utf7::Mail => matches!(byte, 0 | b'\t' | b'\n' | b'\r' | 0x20..=0x7d) && byte != b'\\',
            Utf7::Imap => (0x20..0x7f).contains(&byte),
        }
    }

    pub fn decode(self, text: &[u8]) -> Decoded {
        let mut found = Decoded { codes: Vec::with_capacity(text.len()), valid: true };
        let mut rest = text;
        while let Some((&byte, tail)) = rest.split_first() {
            rest = tail;
            if byte == self.shift() {
                rest = self.encoded(rest, &mut found);
            } else if byte >= 0x80 || (self == Utf7::Imap && !self.is_allowed(byte)) {
                found.codes.push(BAD);
                found.valid = false;
            } else {
                found.valid &= self.is_allowed(byte);
                found.codes.push(u32::from(byte));
            }
        }
        found
    }

    /// What follows the shift character; returns what is left to read.
    fn encoded<'t>(self, text: &'t [u8], found: &mut Decoded) -> &'t [u8] {
        if let Some(tail) = text.strip_prefix(b"-") {
            found.codes.push(u32::from(self.shift()));
            return tail;
        }
        let digits = text.iter().take_while(|&&byte| self.digit(byte).is_some()).count();
        let (body, rest) = text.split_at(digits);
        let mut high: Option<u32> = None;
        let (mut bits, mut count) = (0u32, 0);
        let before = found.codes.len();
        for &byte in body {
            bits = bits << 6 | self.digit(byte).unwrap_or(0);
            count += 6;
            if count < 16 {
                continue;
            }
            count -= 16;
            let unit = bits >> count & 0xffff;
            bits &= (1 << count) - 1;
            match (high.take(), unit) {
                (Some(first), 0xdc00..=0xdfff) => found.codes.push(0x1_0000 + ((first & 0x3ff) << 10) + (unit & 0x3ff)),
                (pending, _) => {
                    if pending.is_some() {
                        found.codes.push(BAD);
                    }
                    match unit {
                        0xd800..=0xdbff => high = Some(unit),
                        0xdc00..=0xdfff => found.codes.push(BAD),
                        // IMAP wants characters that may stand as they are to do so.
                        _ if self == Utf7::Imap && self.is_direct(unit) && unit != u32::from(b'&') => found.codes.push(BAD),
                        _ => found.codes.push(unit),
                    }
                }
            }
        }
        // A character cut short, or bits left over that are not nothing.
        let mut broken = count >= 6 || bits != 0;
        // Half of a pair with nothing behind it is one error, whatever follows.
        let alone = high.is_some() && count == 0;
        if high.is_some() {
            found.codes.push(BAD);
        }
        let rest = match rest.split_first() {
            Some((b'-', tail)) => {
                broken |= self == Utf7::Imap && digits == 0;
                tail
            }
            Some((&byte, tail)) if self == Utf7::Imap || byte >= 0x80 => {
                // The character that should have been the end is lost.
                broken = true;
                tail
            }
            None => {
                broken |= self == Utf7::Imap;
                rest
            }
            Some((&byte, _)) => {
                found.valid &= digits > 0 && self.is_allowed(byte);
                rest
            }
        };
        if broken && !alone {
            found.codes.push(BAD);
        }
        found.valid &= !found.codes[before..].contains(&BAD);
        rest
    }
}

/// Writes UTF-7.
pub struct Encoder {
    form: Utf7,
    inside: bool,
    bits: u32,
    count: u32,
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

impl Encoder {
    pub fn new(form: Utf7) -> Encoder {
        Encoder { form, inside: false, bits: 0, count: 0 }
    }

    fn digit(&self, number: u32, out: &mut Vec<u8>) {
        let digit = DIGITS[(number & 63) as usize];
        out.push(if digit == b'/' && self.form == Utf7::Imap { b',' } else { digit });
    }

    /// Ends what is encoded.
    fn close(&mut self, out: &mut Vec<u8>) {
        if self.count > 0 {
            self.digit(self.bits << (6 - self.count), out);
        }
        (self.inside, self.bits, self.count) = (false, 0, 0);
    }

    pub fn push(&mut self, code: u32, out: &mut Vec<u8>) -> bool {
        if char::from_u32(code).is_none() {
            return false;
        }
        if self.form.is_direct(code) {
            if self.inside {
                self.close(out);
                if !self.form.closes(code) {
                    out.push(b'-');
                }
            }
            out.push(code as u8);
            if code == u32::from(b'&') && self.form == Utf7::Imap {
                out.push(b'-');
            }
            return true;
        }
        if !self.inside {
            out.push(self.form.shift());
            self.inside = true;
        }
        let mut units = [0; 2];
        if let Some(character) = char::from_u32(code) {
            for &mut unit in character.encode_utf16(&mut units) {
                self.bits = self.bits << 16 | u32::from(unit);
                self.count += 16;
                while self.count >= 6 {
                    self.count -= 6;
                    self.digit(self.bits >> self.count, out);
                }
                self.bits &= (1 << self.count) - 1;
            }
        }
        true
    }

    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if self.inside {
            self.close(out);
            out.push(b'-');
        }
    }
}
