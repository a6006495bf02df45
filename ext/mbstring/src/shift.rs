//! Encodings with shift states: the ISO-2022 family and HZ.
//!
//! A character set is chosen by an escape sequence and stays until the next. Sets are numbered as in the tables: the number
//! of the set above 16 bits of character.

use crate::encoding::BAD;
use crate::kana;
use crate::table::{self, Decoded, NONE, Table};

/// Which encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    Jis,
    Iso2022Jp,
    Iso2022JpMs,
    Iso2022Jp2004,
    Kddi,
    Cp50220,
    Cp50221,
    Cp50222,
    Iso2022Kr,
    Hz,
}

const ASCII: u32 = 0;
const LATIN: u32 = 1;
const KANA: u32 = 2;
const KANJI: u32 = 3;
const SUPPLEMENT: u32 = 4;
const PLANE_1: u32 = 5;
const PLANE_2: u32 = 6;
const USER_DEFINED: u32 = 7;
const KOREAN: u32 = 8;
const CHINESE: u32 = 9;

const ESC: u8 = 0x1b;
const SHIFT_OUT: u8 = 0x0e;
const SHIFT_IN: u8 = 0x0f;

impl Shift {
    fn table(self) -> &'static Table {
        table::find(match self {
            Shift::Jis => "jis",
            Shift::Iso2022Jp => "iso-2022-jp",
            Shift::Iso2022JpMs => "iso-2022-jp-ms",
            Shift::Iso2022Jp2004 => "iso-2022-jp-2004",
            Shift::Kddi => "iso-2022-jp-mobile-kddi",
            Shift::Cp50220 => "cp50220",
            Shift::Cp50221 => "cp50221",
            Shift::Cp50222 => "cp50222",
            Shift::Iso2022Kr => "iso-2022-kr",
            Shift::Hz => "hz",
        })
    }

    /// The newer decoders swallow a wrong escape sequence; the older show what follows the escape.
    fn swallows(self) -> bool {
        matches!(self, Shift::Iso2022JpMs | Shift::Iso2022Jp2004 | Shift::Kddi)
    }

    /// The last byte that may begin a character of two bytes.
    fn last_lead(self) -> u8 {
        match self {
            Shift::Cp50220 | Shift::Cp50221 | Shift::Cp50222 => 0x97,
            Shift::Iso2022JpMs | Shift::Kddi => 0x7f,
            _ => 0x7e,
        }
    }

    /// The set that an escape sequence without its escape chooses: `(B` and the like.
    fn set(self, sequence: &[u8]) -> Option<u32> {
        let older = !self.swallows();
        let plain = self != Shift::Iso2022Jp2004;
        Some(match sequence {
            b"(B" => ASCII,
            b"(J" if plain => LATIN,
            b"(H" if older => LATIN,
            b"(I" if plain => KANA,
            b"$B" => KANJI,
            b"$@" | b"$(@" | b"$(B" if plain => KANJI,
            b"$(D" if older => SUPPLEMENT,
            b"$(Q" if self == Shift::Iso2022Jp2004 => PLANE_1,
            b"$(P" if self == Shift::Iso2022Jp2004 => PLANE_2,
            b"$(?" if self == Shift::Iso2022JpMs => USER_DEFINED,
            _ => return None,
        })
    }

    pub fn decode(self, text: &[u8]) -> Vec<u32> {
        match self {
            Shift::Iso2022Kr => decode_korean(self.table(), text),
            Shift::Hz => decode_hz(self.table(), text),
            _ => self.decode_japanese(text),
        }
    }

    /// What mb_check_encoding asks beyond that everything can be decoded: the older encodings end in ASCII, and ISO-2022-JP does without
    /// what only JIS has.
    pub fn is_proper(self, text: &[u8]) -> bool {
        if !matches!(self, Shift::Jis | Shift::Iso2022Jp) {
            return true;
        }
        let only_jis = self == Shift::Iso2022Jp;
        let (mut plain, mut shifted) = (true, false);
        let mut rest = text;
        while let Some((&byte, tail)) = rest.split_first() {
            rest = tail;
            match byte {
                SHIFT_OUT | SHIFT_IN if only_jis => return false,
                SHIFT_OUT if !plain => return false,
                SHIFT_OUT => (plain, shifted) = (false, true),
                SHIFT_IN if !shifted => return false,
                SHIFT_IN => (plain, shifted) = (true, false),
                0xa1..=0xdf if only_jis => return false,
                // Kana end with a shift.
                ESC if shifted => return false,
                ESC => {
                    let known: &[&[u8]] = &[b"(B", b"(J", b"$@", b"$B"];
                    if only_jis && !known.iter().any(|sequence| rest.starts_with(sequence)) {
                        return false;
                    }
                    plain = rest.starts_with(b"(B") || rest.starts_with(b"(H");
                }
                _ => {}
            }
        }
        plain
    }

    fn decode_japanese(self, text: &[u8]) -> Vec<u32> {
        let table = self.table();
        let mut codes = Vec::with_capacity(text.len());
        let mut set = ASCII;
        let mut rest = text;
        while let Some((&byte, tail)) = rest.split_first() {
            rest = tail;
            match byte {
                ESC => rest = self.escape(rest, &mut set, &mut codes),
                SHIFT_OUT if !self.swallows() => set = KANA,
                SHIFT_IN if !self.swallows() => set = ASCII,
                0x21..=0x5f if set == KANA => push(table, KANA << 16 | u32::from(byte), &mut codes),
                0x21.. if set >= KANJI && byte <= self.last_lead() => match rest.split_first() {
                    Some((&second, tail)) => {
                        rest = tail;
                        push(table, set << 16 | u32::from(byte) << 8 | u32::from(second), &mut codes);
                    }
                    None => codes.push(BAD),
                },
                0x20..0x80 if set == LATIN => push(table, LATIN << 16 | u32::from(byte), &mut codes),
                0..0x80 => codes.push(u32::from(byte)),
                0xa1..=0xdf if self != Shift::Iso2022Jp2004 => codes.push(0xfec0 + u32::from(byte)),
                _ => codes.push(BAD),
            }
        }
        codes
    }

    /// What follows an escape; returns what is left to read.
    fn escape<'t>(self, rest: &'t [u8], set: &mut u32, codes: &mut Vec<u32>) -> &'t [u8] {
        for length in 2..=3 {
            if let Some(found) = rest.get(..length).and_then(|sequence| self.set(sequence)) {
                *set = found;
                return &rest[length..];
            }
        }
        codes.push(BAD);
        // How much of it looks like an escape sequence.
        let known = match rest {
            [b'$', b'(', ..] => 2,
            [b'$' | b'(', ..] => 1,
            _ => 0,
        };
        if self.swallows() {
            return &rest[rest.len().min(known + 1)..];
        }
        if rest.len() == known {
            return &[];
        }
        codes.extend(rest[..known].iter().map(|&byte| u32::from(byte)));
        &rest[known..]
    }
}

/// What a sequence of a set stands for.
fn push(table: &Table, sequence: u32, codes: &mut Vec<u32>) {
    match table.decode(sequence) {
        Decoded::None => codes.push(BAD),
        Decoded::One(code) => codes.push(code),
        Decoded::Several(several) => codes.extend_from_slice(several),
    }
}

fn decode_korean(table: &Table, text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::with_capacity(text.len());
    let mut korean = false;
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match byte {
            ESC => {
                let right = rest.iter().zip(b"$)C").take_while(|(found, wanted)| found == wanted).count();
                rest = &rest[rest.len().min(if right == 3 { 3 } else { right + 1 })..];
                if right < 3 {
                    codes.push(BAD);
                }
            }
            SHIFT_OUT => korean = true,
            SHIFT_IN => korean = false,
            0x21..=0x7e if korean => match rest.split_first() {
                Some((&second, tail)) => {
                    rest = tail;
                    push(table, KOREAN << 16 | u32::from(byte) << 8 | u32::from(second), &mut codes);
                }
                None => codes.push(BAD),
            },
            0..0x80 if !korean => codes.push(u32::from(byte)),
            _ => codes.push(BAD),
        }
    }
    codes
}

fn decode_hz(table: &Table, text: &[u8]) -> Vec<u32> {
    let mut codes = Vec::with_capacity(text.len());
    let mut chinese = false;
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte == b'~' {
            let Some((&second, tail)) = rest.split_first() else { break };
            rest = tail;
            match second {
                b'{' if !chinese => chinese = true,
                b'}' if chinese => chinese = false,
                b'~' if !chinese => codes.push(u32::from(b'~')),
                b'\n' => {}
                _ => codes.push(BAD),
            }
        } else if chinese && matches!(byte, 0x21..=0x29 | 0x30..=0x77) {
            match rest.split_first() {
                Some((&second, tail)) => {
                    rest = tail;
                    push(table, CHINESE << 16 | u32::from(byte) << 8 | u32::from(second), &mut codes);
                }
                None => codes.push(BAD),
            }
        } else {
            codes.push(if chinese || byte >= 0x80 { BAD } else { u32::from(byte) });
        }
    }
    codes
}

/// Writes code points, with the escape sequences that they need.
pub struct ShiftEncoder {
    shift: Shift,
    table: &'static Table,
    set: u32,
}

impl ShiftEncoder {
    pub fn new(shift: Shift) -> ShiftEncoder {
        ShiftEncoder { shift, table: shift.table(), set: ASCII }
    }

    /// What the text begins with.
    pub fn start(&self, out: &mut Vec<u8>) {
        if self.shift == Shift::Iso2022Kr {
            out.extend_from_slice(b"\x1b$)C");
        }
    }

    /// CP50220 writes half-width kana as full-width kana: the code points that are written.
    pub fn prepare(&self, codes: &[u32]) -> Option<Vec<u32>> {
        (self.shift == Shift::Cp50220).then(|| kana::full_width_kana(codes))
    }

    fn choose(&mut self, set: u32, out: &mut Vec<u8>) {
        if self.set == set {
            return;
        }
        let sequence: &[u8] = match (self.shift, self.set, set) {
            (Shift::Iso2022Kr, _, KOREAN) => &[SHIFT_OUT],
            (Shift::Iso2022Kr, ..) => &[SHIFT_IN],
            (Shift::Hz, _, CHINESE) => b"~{",
            (Shift::Hz, ..) => b"~}",
            (Shift::Cp50222, KANA, _) => {
                out.push(SHIFT_IN);
                self.set = ASCII;
                return self.choose(set, out);
            }
            (Shift::Cp50222, ASCII, KANA) => &[SHIFT_OUT],
            (Shift::Cp50222, _, KANA) => b"\x1b(B\x0e",
            (_, _, LATIN) => b"\x1b(J",
            (_, _, KANA) => b"\x1b(I",
            (_, _, KANJI) => b"\x1b$B",
            (_, _, SUPPLEMENT) => b"\x1b$(D",
            (_, _, PLANE_1) => b"\x1b$(Q",
            (_, _, PLANE_2) => b"\x1b$(P",
            (_, _, USER_DEFINED) => b"\x1b$(?",
            _ => b"\x1b(B",
        };
        out.extend_from_slice(sequence);
        self.set = set;
    }

    /// The code point or points at the start of `codes`; how many they were, 0 when the encoding has none for them.
    pub fn push(&mut self, codes: &[u32], out: &mut Vec<u8>) -> usize {
        let (sequence, count) = match (self.table.encode_several(codes), codes.first()) {
            (Some(found), _) => found,
            (None, Some(&code)) => (self.table.encode(code), 1),
            (None, None) => return 0,
        };
        if sequence == NONE {
            return 0;
        }
        let set = sequence >> 16;
        self.choose(set, out);
        match sequence & 0xffff {
            // A code point that ISO-2022-KR writes as it is may have any bytes.
            0x7e | 0x7e7e if self.shift == Shift::Hz && set == ASCII => out.extend_from_slice(b"~~"),
            character => {
                if set >= KANJI {
                    out.push((character >> 8) as u8);
                }
                out.push(character as u8);
            }
        }
        count
    }

    /// What the text ends with.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.choose(ASCII, out);
    }
}
