//! mb_convert_case, mb_strtoupper, mb_strtolower, mb_ucfirst, mb_lcfirst.

use crate::encoding::{BAD, Encoding, Substitute, Codes};
use jumbo_value::{OutOfMemory, PStrBuilder};
use crate::text;
use crate::unicode::{Case, is_case_ignorable, is_cased};

/// mb_convert_case's mode: `MB_CASE_UPPER` (0) to `MB_CASE_FOLD_SIMPLE` (7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mode {
    pub case: Case,
    /// One code point for one.
    pub simple: bool,
}

impl Mode {
    pub const UPPER: Mode = Mode {
        case: Case::Upper,
        simple: false,
    };
    pub const LOWER: Mode = Mode {
        case: Case::Lower,
        simple: false,
    };

    /// `None` for a number that is no mode.
    pub fn from_number(number: i64) -> Option<Mode> {
        let case = match number & 3 {
            0 => Case::Upper,
            1 => Case::Lower,
            2 => Case::Title,
            _ => Case::Fold,
        };
        (0..8).contains(&number).then_some(Mode {
            case,
            simple: number >= 4,
        })
    }
}

const SIGMA: u32 = 0x3a3;
const SMALL_SIGMA: u32 = 0x3c3;
const FINAL_SIGMA: u32 = 0x3c2;

/// So many characters before a sigma count.
const LOOK_BACK: usize = 64;

/// Whether the sigma at `at` ends a word.
fn is_final(codes: &[u32], at: usize) -> bool {
    let matters = |code: &&u32| !is_case_ignorable(**code);
    codes[..at]
        .iter()
        .rev()
        .take(LOOK_BACK)
        .find(matters)
        .is_some_and(|&code| is_cased(code))
        && !codes[at + 1..]
            .iter()
            .find(matters)
            .is_some_and(|&code| is_cased(code))
}

/// The code points of `codes` in another case.
pub fn convert_codes(codes: &[u32], mode: Mode) -> Result<Codes, OutOfMemory> {
    let mut out = Codes::with_capacity(codes.len())?;
    let mut in_word = false;
    for (at, &code) in codes.iter().enumerate() {
        if code == BAD {
            out.push(BAD)?;
            in_word = false;
            continue;
        }
        let case = match mode.case {
            Case::Title if in_word => Case::Lower,
            case => case,
        };
        if mode.simple {
            out.push(case.simple(code))?;
        } else if code == SIGMA && case == Case::Lower {
            out.push(if is_final(codes, at) {
                FINAL_SIGMA
            } else {
                SMALL_SIGMA
            })?;
        } else {
            let mut pushed = Ok(());
            case.full(code, &mut |code| {
                if pushed.is_ok() {
                    pushed = out.push(code);
                }
            });
            pushed?;
        }
        if !is_case_ignorable(code) {
            in_word = is_cased(code);
        }
    }
    Ok(out)
}

/// Where the usual mapping would pair i and I, Turkish has letters of its own: those are put there before.
fn turkish(codes: &mut [u32], mode: Mode) {
    const DOTTED_CAPITAL: u32 = 0x130;
    const DOTLESS_SMALL: u32 = 0x131;
    let mut first = true;
    for code in codes {
        let case = match mode.case {
            Case::Title if first => Case::Upper,
            Case::Title => Case::Lower,
            case => case,
        };
        first = !is_cased(*code);
        *code = match (case, *code) {
            (Case::Upper, 0x69) => DOTTED_CAPITAL,
            (Case::Lower | Case::Fold, DOTTED_CAPITAL) => 0x69,
            (Case::Lower | Case::Fold, 0x49) => DOTLESS_SMALL,
            (_, other) => other,
        };
    }
}

/// mb_convert_case.
pub fn convert_case(
    text: &[u8],
    mode: Mode,
    encoding: &Encoding,
    substitute: Substitute,
) -> Result<PStrBuilder, OutOfMemory> {
    if text.is_ascii() && encoding.is_utf8() && mode.case != Case::Title {
        let mut out = PStrBuilder::with_capacity(text.len())?;
        out.extend(text)?;
        if mode.case == Case::Upper {
            out.as_mut_bytes().make_ascii_uppercase();
        } else {
            out.as_mut_bytes().make_ascii_lowercase();
        }
        return Ok(out);
    }
    let mut codes = encoding.decode_charged(text)?;
    if encoding.is_turkish() {
        turkish(&mut codes, mode);
    }
    let converted = convert_codes(&codes, mode)?;
    drop(codes);
    encoding.encode_charged(&converted, substitute)
}

/// mb_ucfirst, and mb_lcfirst with [`Case::Lower`]: the first character converted, before the others as mb_substr takes them. Nothing when
/// the first one stays: the string is as it was, malformed or not.
pub fn convert_first(
    text: &[u8],
    case: Case,
    encoding: &Encoding,
    substitute: Substitute,
) -> Result<Option<PStrBuilder>, OutOfMemory> {
    let first = text::substr(text, 0, Some(1), encoding, substitute)?;
    let mode = Mode { case, simple: false };
    let mut out = convert_case(&first, mode, encoding, substitute)?;
    if *first == *out {
        return Ok(None);
    }
    out.extend(&text::substr(text, 1, None, encoding, substitute)?)?;
    Ok(Some(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of text, stock PHP's results of the eight modes, mb_ucfirst and mb_lcfirst.
    #[test]
    fn cases_as_php() {
        let utf8 = Encoding::utf8();
        for line in include_str!("../tests/case.tsv").lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let text = fields[0].as_bytes();
            for (number, expected) in (0..8).zip(&fields[1..9]) {
                let mode = Mode::from_number(number).unwrap();
                let found = convert_case(text, mode, utf8, Substitute::default()).unwrap().to_vec();
                assert_eq!(
                    String::from_utf8(found).unwrap(),
                    *expected,
                    "{} in mode {number}",
                    fields[0]
                );
            }
            let first = |case| {
                let converted = convert_first(text, case, utf8, Substitute::default()).unwrap().map(|new| new.to_vec());
                String::from_utf8(converted.unwrap_or_else(|| text.to_vec())).unwrap()
            };
            assert_eq!(
                (first(Case::Title).as_str(), first(Case::Lower).as_str()),
                (fields[9], fields[10])
            );
        }
    }
}
