//! mb_convert_kana: between half-width and full-width forms, and between hiragana and katakana.

/// What mb_convert_kana's mode asks for, a bit a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mode(u32);

const LETTERS: &[u8] = b"AaRrNnSsKkHhCcVMm";

/// Letters that contradict each other, in the order in which PHP finds them.
const CONTRADICTIONS: [(u8, u8); 17] = [
    (b'A', b'a'),
    (b'A', b'r'),
    (b'A', b'n'),
    (b'R', b'a'),
    (b'R', b'r'),
    (b'N', b'a'),
    (b'N', b'n'),
    (b'S', b's'),
    (b'K', b'k'),
    (b'H', b'h'),
    (b'H', b'K'),
    (b'C', b'c'),
    (b'M', b'm'),
    (b'h', b'C'),
    (b'h', b'c'),
    (b'k', b'C'),
    (b'k', b'c'),
];

/// Why a mode is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadMode {
    Letter(u8),
    Together(u8, u8),
}

impl Mode {
    pub fn parse(letters: &[u8]) -> Result<Mode, BadMode> {
        let mut mode = Mode::default();
        for &letter in letters {
            match LETTERS.iter().position(|known| *known == letter) {
                Some(bit) => mode.0 |= 1 << bit,
                None => return Err(BadMode::Letter(letter)),
            }
        }
        let refused = CONTRADICTIONS.iter().find(|(one, other)| mode.has(*one) && mode.has(*other));
        match refused {
            Some(&(one, other)) => Err(BadMode::Together(one, other)),
            None => Ok(mode),
        }
    }

    fn has(self, letter: u8) -> bool {
        LETTERS.iter().position(|known| *known == letter).is_some_and(|bit| self.0 & 1 << bit != 0)
    }
}

/// Full-width katakana of the half-width forms from U+FF61, as offsets from U+3000.
#[rustfmt::skip]
const KATAKANA: [u8; 63] = [
    0x02, 0x0c, 0x0d, 0x01, 0xfb, 0xf2, 0xa1, 0xa3, 0xa5, 0xa7, 0xa9, 0xe3, 0xe5, 0xe7, 0xc3, 0xfc, 0xa2, 0xa4, 0xa6, 0xa8, 0xaa, 0xab, 0xad,
    0xaf, 0xb1, 0xb3, 0xb5, 0xb7, 0xb9, 0xbb, 0xbd, 0xbf, 0xc1, 0xc4, 0xc6, 0xc8, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xd2, 0xd5, 0xd8, 0xdb,
    0xde, 0xdf, 0xe0, 0xe1, 0xe2, 0xe4, 0xe6, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed, 0xef, 0xf3, 0x9b, 0x9c,
];

const VOICED: u32 = 0xff9e;
const SEMI_VOICED: u32 = 0xff9f;

/// The full-width form of half-width kana.
fn full(code: u32) -> Option<u32> {
    let index = code.checked_sub(0xff61)?;
    KATAKANA.get(index as usize).map(|&offset| 0x3000 + u32::from(offset))
}

/// The voiced or semi-voiced form of full-width katakana, after `mark`.
fn marked(katakana: u32, mark: Option<&u32>) -> Option<u32> {
    match (mark, katakana) {
        (Some(&VOICED), 0x30a6) => Some(0x30f4),
        (Some(&VOICED), 0x30ab..=0x30c1) if katakana % 2 == 1 => Some(katakana + 1),
        (Some(&VOICED), 0x30c4 | 0x30c6 | 0x30c8) => Some(katakana + 1),
        (Some(&VOICED), 0x30cf..=0x30db) if katakana.is_multiple_of(3) => Some(katakana + 1),
        (Some(&SEMI_VOICED), 0x30cf..=0x30db) if katakana.is_multiple_of(3) => Some(katakana + 2),
        _ => None,
    }
}

/// The half-width forms of a full-width katakana letter or mark.
fn half(katakana: u32) -> Option<(u32, Option<u32>)> {
    let find = |katakana: u32| {
        let offset = u8::try_from(katakana.checked_sub(0x3000)?).ok()?;
        let index = KATAKANA.iter().position(|known| *known == offset)?;
        Some(0xff61 + index as u32)
    };
    match katakana {
        0x30ee => Some((0xff9c, None)),
        0x30f0 => Some((0xff72, None)),
        0x30f1 => Some((0xff74, None)),
        _ => {
            let alone = find(katakana).map(|code| (code, None));
            let voiced = |back: u32, mark: u32| {
                let base = katakana.checked_sub(back)?;
                (marked(base, Some(&mark)) == Some(katakana)).then(|| find(base).map(|code| (code, Some(mark)))).flatten()
            };
            let u = || (katakana == 0x30f4).then_some((0xff73, Some(VOICED)));
            alone.or_else(|| voiced(1, VOICED)).or_else(|| voiced(2, SEMI_VOICED)).or_else(u)
        }
    }
}

/// Half-width kana as full-width kana, marks joined: mode "KV".
pub fn full_width_kana(codes: &[u32]) -> Vec<u32> {
    convert(codes, Mode::parse(b"KV").unwrap_or_default())
}

/// One character by the rules for ASCII forms.
fn ascii_forms(code: u32, mode: Mode) -> Option<u32> {
    let has = |letter| mode.has(letter);
    Some(match code {
        0x20 if has(b'S') => 0x3000,
        0x22 if has(b'M') => 0x201d,
        0x27 if has(b'M') => 0x2019,
        0x5c | 0xa5 if has(b'M') => 0xffe5,
        0x7e | 0x203e if has(b'M') => 0xffe3,
        0x21 | 0x23..=0x26 | 0x28..=0x5b | 0x5d..=0x7d if has(b'A') => code + 0xfee0,
        0x41..=0x5a | 0x61..=0x7a if has(b'R') => code + 0xfee0,
        0x30..=0x39 if has(b'N') => code + 0xfee0,
        0x3000 if has(b's') => 0x20,
        0x2018 | 0x2019 if has(b'm') => 0x27,
        0x201c | 0x201d if has(b'm') => 0x22,
        0x203e | 0xffe3 if has(b'm') => 0x7e,
        0xff3c | 0xffe5 if has(b'm') => 0x5c,
        0x2212 if has(b'a') => 0x2d,
        0xff01 | 0xff03..=0xff06 | 0xff08..=0xff3b | 0xff3d..=0xff5d if has(b'a') => code - 0xfee0,
        0xff21..=0xff3a | 0xff41..=0xff5a if has(b'r') => code - 0xfee0,
        0xff10..=0xff19 if has(b'n') => code - 0xfee0,
        _ => return None,
    })
}

/// The code points of `codes` as `mode` wants them.
pub fn convert(codes: &[u32], mode: Mode) -> Vec<u32> {
    let has = |letter| mode.has(letter);
    let hiragana = |katakana: u32| if (0x30a1..=0x30f3).contains(&katakana) { katakana - 0x60 } else { katakana };
    let mut out = Vec::with_capacity(codes.len());
    let mut rest = codes;
    while let Some((&code, tail)) = rest.split_first() {
        rest = tail;
        if let Some(form) = ascii_forms(code, mode) {
            out.push(form);
            continue;
        }
        match code {
            0xff61..=0xff9f if has(b'K') || has(b'H') => {
                let katakana = full(code).unwrap_or(code);
                // There is no voiced u in hiragana.
                let joins = has(b'V') && !(has(b'H') && katakana == 0x30a6);
                let joined = if joins { marked(katakana, rest.first()) } else { None };
                if joined.is_some() {
                    rest = &rest[1..];
                }
                let katakana = joined.unwrap_or(katakana);
                out.push(if has(b'H') { hiragana(katakana) } else { katakana });
            }
            0x3041..=0x3093 if has(b'C') => out.push(code + 0x60),
            0x309d | 0x309e if has(b'C') => out.push(code + 0x60),
            0x30a1..=0x30f3 | 0x30fd | 0x30fe if has(b'c') => out.push(code - 0x60),
            0x3041..=0x3093 if has(b'h') => push_half(half(code + 0x60), code, &mut out),
            0x30a1..=0x30f4 if has(b'k') => push_half(half(code), code, &mut out),
            0x3001 | 0x3002 | 0x300c | 0x300d | 0x309b | 0x309c | 0x30fb | 0x30fc if has(b'h') || has(b'k') => {
                push_half(half(code), code, &mut out);
            }
            _ => out.push(code),
        }
    }
    out
}

fn push_half(found: Option<(u32, Option<u32>)>, code: u32, out: &mut Vec<u32>) {
    match found {
        Some((letter, mark)) => {
            out.push(letter);
            out.extend(mark);
        }
        None => out.push(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts() {
        let run = |text: &str, mode: &str| {
            let codes: Vec<u32> = text.chars().map(u32::from).collect();
            let mode = Mode::parse(mode.as_bytes()).unwrap();
            convert(&codes, mode).into_iter().filter_map(char::from_u32).collect::<String>()
        };
        assert_eq!(run("ｶﾞﾊﾟｳﾞﾅﾞ", "KV"), "ガパヴナ゛");
        assert_eq!(run("ガパヴワヵ", "k"), "ｶﾞﾊﾟｳﾞﾜヵ");
        assert_eq!(run("がぱ、", "h"), "ｶﾞﾊﾟ､");
        assert_eq!(run("Ａ１　", "as"), "A1 ");
        assert_eq!(run("ひらカタ", "Cas"), "ヒラカタ");
        assert_eq!(Mode::parse(b"Kk"), Err(BadMode::Together(b'K', b'k')));
        assert_eq!(Mode::parse(b"X"), Err(BadMode::Letter(b'X')));
    }
}
