//! Jewish dates in Hebrew letters (ISO 8859-8), which are numerals too.

use crate::days::{Date, is_jewish_leap};

const ALAFIM_GERESH: i64 = 2;
const ALAFIM: i64 = 4;
const GERESHAYIM: i64 = 8;

/// Letters of 1 to 9, 10 to 90, 100 to 400.
const ONES: &[u8; 9] = b"\xe0\xe1\xe2\xe3\xe4\xe5\xe6\xe7\xe8";
const TENS: &[u8; 9] = b"\xe9\xeb\xec\xee\xf0\xf1\xf2\xf4\xf6";
const HUNDREDS: &[u8; 4] = b"\xf7\xf8\xf9\xfa";

fn letter(letters: &[u8], n: i64) -> Option<u8> {
    letters.get(usize::try_from(n - 1).ok()?).copied()
}

/// A number of up to four digits.
fn numeral(n: i64, flags: i64) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = n;
    if rest >= 1000 {
        out.extend(letter(ONES, rest / 1000));
        if flags & ALAFIM_GERESH != 0 {
            out.push(b'\'');
        }
        if flags & ALAFIM != 0 {
            out.extend_from_slice(b" \xe0\xec\xf4\xe9\xed ");
        }
        rest %= 1000;
    }
    let start = out.len();
    while rest >= 400 {
        out.push(HUNDREDS[3]);
        rest -= 400;
    }
    if rest >= 100 {
        out.extend(letter(HUNDREDS, rest / 100));
        rest %= 100;
    }
    if rest == 15 || rest == 16 {
        // Not written as 10 and 5 or 6, which are parts of a name of God.
        out.extend(letter(ONES, 9));
        rest -= 9;
    }
    if rest >= 10 {
        out.extend(letter(TENS, rest / 10));
        rest %= 10;
    }
    if rest > 0 {
        out.extend(letter(ONES, rest));
    }
    if flags & GERESHAYIM != 0 {
        match out.len() - start {
            0 => {}
            1 => out.push(b'\''),
            _ => out.insert(out.len() - 1, b'"'),
        }
    }
    out
}

fn month_name(date: Date) -> &'static [u8] {
    match (date.month, is_jewish_leap(date.year)) {
        (1, _) => b"\xfa\xf9\xf8\xe9",
        (2, _) => b"\xe7\xf9\xe5\xef",
        (3, _) => b"\xeb\xf1\xec\xe5",
        (4, _) => b"\xe8\xe1\xfa",
        (5, _) => b"\xf9\xe1\xe8",
        (6, true) => b"\xe0\xe3\xf8 \xe0'",
        (7, true) => b"\xe0\xe3\xf8 \xe1'",
        (6 | 7, false) => b"\xe0\xe3\xf8",
        (8, _) => b"\xf0\xe9\xf1\xef",
        (9, _) => b"\xe0\xe9\xe9\xf8",
        (10, _) => b"\xf1\xe9\xe5\xef",
        (11, _) => b"\xfa\xee\xe5\xe6",
        (12, _) => b"\xe0\xe1",
        (13, _) => b"\xe0\xec\xe5\xec",
        _ => b"",
    }
}

/// Day, month and year. The year has at most four digits.
pub fn date(date: Date, flags: i64) -> Vec<u8> {
    [numeral(date.day, flags).as_slice(), b" ", month_name(date), b" ", &numeral(date.year, flags)].concat()
}
