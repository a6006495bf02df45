//! Comparing text: similar_text, levenshtein, soundex, natural order, version_compare.

use jumbo_abi::work::UNITS;
use jumbo_abi::{Res, Work};
use jumbo_value::string::up_to_nul;
use jumbo_value::{HeapVec, OutOfMemory, PStr, PStrBuilder};
use std::cmp::Ordering;

/// similar_text: the length of the longest common part, plus the same of what is left and right of it.
pub fn similar_text(first: &[u8], second: &[u8], work: &mut Work) -> Res<usize> {
    let mut sum = 0;
    let mut open = HeapVec::new();
    open.push((first, second))?;
    while let Some((first, second)) = open.pop() {
        let (at_first, at_second, length) = longest_common(first, second, work)?;
        if length > 0 {
            sum += length;
            open.push((&first[..at_first], &second[..at_second]))?;
            open.push((&first[at_first + length..], &second[at_second + length..]))?;
        }
    }
    Ok(sum)
}

/// The first longest common substring: where it is in both, and its length.
fn longest_common(
    first: &[u8],
    second: &[u8],
    work: &mut Work,
) -> Res<(usize, usize, usize)> {
    let mut best = (0, 0, 0);
    for at_first in 0..first.len() {
        if first.len() - at_first <= best.2 {
            break;
        }
        let rest = &first[at_first..];
        let mut compared = 0;
        for at_second in 0..second.len() {
            if second.len() - at_second <= best.2 {
                break;
            }
            let length = common_start(rest, &second[at_second..], work)?;
            if length > best.2 {
                best = (at_first, at_second, length);
            }
            compared += 1 + length;
            if compared >= UNITS {
                work.spend(compared)?;
                compared = 0;
            }
        }
        work.spend(compared)?;
    }
    Ok(best)
}

/// How many bytes are the same at the start. Only what goes beyond some units of work is counted as such.
#[inline]
fn common_start(first: &[u8], second: &[u8], work: &mut Work) -> Res<usize> {
    let same = |first: &[u8], second: &[u8]| first.iter().zip(second).take_while(|(a, b)| a == b).count();
    let mut length = same(&first[..first.len().min(UNITS)], second);
    while length > 0 && length % UNITS == 0 && length < first.len().min(second.len()) {
        work.spend(UNITS)?;
        let first = &first[length..];
        let more = same(&first[..first.len().min(UNITS)], &second[length..]);
        length += more;
        if more == 0 {
            break;
        }
    }
    Ok(length)
}

/// The percentage that similar_text gives by reference.
pub fn similar_percent(similar: usize, first_len: usize, second_len: usize) -> f64 {
    if first_len + second_len == 0 {
        return 0.0;
    }
    similar as f64 * 2.0 * 100.0 / (first_len + second_len) as f64
}

/// levenshtein, with a cost for each operation.
pub fn levenshtein(first: &[u8], second: &[u8], insert: i64, replace: i64, delete: i64, work: &mut Work) -> Res<i64> {
    let times =
        |count: usize, cost: i64| i64::try_from(count).unwrap_or(i64::MAX).wrapping_mul(cost);
    if first.is_empty() {
        return Ok(times(second.len(), insert));
    }
    if second.is_empty() {
        return Ok(times(first.len(), delete));
    }
    let mut before = HeapVec::collect((0..=second.len()).map(|count| times(count, insert)))?;
    let mut now = HeapVec::filled(0, second.len() + 1)?;
    for &a in first {
        now[0] = before[0].wrapping_add(delete);
        for start in (0..second.len()).step_by(UNITS) {
            let end = second.len().min(start + UNITS);
            for index in start..end {
                let replaced = before[index].wrapping_add(if a == second[index] { 0 } else { replace });
                let deleted = before[index + 1].wrapping_add(delete);
                let inserted = now[index].wrapping_add(insert);
                now[index + 1] = replaced.min(deleted).min(inserted);
            }
            work.spend(end - start)?;
        }
        std::mem::swap(&mut before, &mut now);
    }
    Ok(before[second.len()])
}

/// soundex: a letter and three digits, filled up with zeros.
pub fn soundex(text: &[u8]) -> [u8; 4] {
    // The digit of each letter; 0 for vowels, H and W, which part equal digits.
    const DIGITS: &[u8; 26] = b"01230120022455012623010202";
    let mut out = [b'0'; 4];
    let mut length = 0;
    let mut last = b'-';
    for letter in text
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .map(u8::to_ascii_uppercase)
    {
        if length == 4 {
            break;
        }
        let digit = DIGITS[usize::from(letter - b'A')];
        if length == 0 {
            out[0] = letter;
            length = 1;
            last = digit;
        } else if digit != last {
            last = digit;
            if digit != b'0' {
                out[length] = digit;
                length += 1;
            }
        }
    }
    out
}

/// strnatcmp, or strnatcasecmp when `fold_case`.
pub fn natural(first: &[u8], second: &[u8], fold_case: bool) -> Ordering {
    if first.is_empty() || second.is_empty() {
        return first.len().cmp(&second.len());
    }
    let (mut a, mut b) = (0, 0);
    let byte = |text: &[u8], at: usize| text.get(at).copied().unwrap_or(0);
    let is_space = |byte: u8| matches!(byte, b' ' | b'\t'..=b'\r');
    // Zeros that lead the whole text count only as a number's own zero.
    let skip_zeros = |text: &[u8], mut at: usize| {
        while byte(text, at) == b'0' && byte(text, at + 1).is_ascii_digit() {
            at += 1;
        }
        at
    };
    a = skip_zeros(first, a);
    b = skip_zeros(second, b);
    loop {
        while is_space(byte(first, a)) {
            a += 1;
        }
        while is_space(byte(second, b)) {
            b += 1;
        }
        let (mut left, mut right) = (byte(first, a), byte(second, b));
        if left.is_ascii_digit() && right.is_ascii_digit() {
            let fractional = left == b'0' || right == b'0';
            let compared = if fractional {
                compare_fraction(first, &mut a, second, &mut b)
            } else {
                compare_number(first, &mut a, second, &mut b)
            };
            if compared != Ordering::Equal {
                return compared;
            }
            match (a >= first.len(), b >= second.len()) {
                (true, true) => return Ordering::Equal,
                (true, false) => return Ordering::Less,
                (false, true) => return Ordering::Greater,
                (false, false) => {}
            }
            (left, right) = (byte(first, a), byte(second, b));
        }
        if fold_case {
            left = left.to_ascii_uppercase();
            right = right.to_ascii_uppercase();
        }
        if left != right {
            return left.cmp(&right);
        }
        a += 1;
        b += 1;
        match (a >= first.len(), b >= second.len()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
    }
}

/// Compares two runs of digits as numbers: the longer is greater, else the first difference decides.
fn compare_number(first: &[u8], a: &mut usize, second: &[u8], b: &mut usize) -> Ordering {
    let mut bias = Ordering::Equal;
    loop {
        let left = first.get(*a).filter(|byte| byte.is_ascii_digit());
        let right = second.get(*b).filter(|byte| byte.is_ascii_digit());
        match (left, right) {
            (None, None) => return bias,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(left), Some(right)) if bias == Ordering::Equal => bias = left.cmp(right),
            _ => {}
        }
        *a += 1;
        *b += 1;
    }
}

/// Compares two runs of digits as what follows a decimal point: from the left, digit by digit.
fn compare_fraction(first: &[u8], a: &mut usize, second: &[u8], b: &mut usize) -> Ordering {
    loop {
        let left = first.get(*a).filter(|byte| byte.is_ascii_digit());
        let right = second.get(*b).filter(|byte| byte.is_ascii_digit());
        match (left, right) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(left), Some(right)) if left != right => return left.cmp(right),
            _ => {}
        }
        *a += 1;
        *b += 1;
    }
}

/// version_compare's order. Parts are compared while both have one; an empty part ends that.
pub fn version(first: &[u8], second: &[u8]) -> Result<Ordering, OutOfMemory> {
    if first.is_empty() || second.is_empty() {
        return Ok(first.len().min(1).cmp(&second.len().min(1)));
    }
    let (first, second) = (canonical_version(first)?, canonical_version(second)?);
    let next = |rest: &[u8]| memchr::memchr(b'.', rest);
    let (mut left, mut right) = (&first[..], &second[..]);
    let (mut left_goes_on, mut right_goes_on) = (true, true);
    while !left.is_empty() && !right.is_empty() && left_goes_on && right_goes_on {
        let (left_dot, right_dot) = (next(left), next(right));
        let compared = version_part(
            &left[..left_dot.unwrap_or(left.len())],
            &right[..right_dot.unwrap_or(right.len())],
        );
        if compared != Ordering::Equal {
            return Ok(compared);
        }
        left_goes_on = left_dot.is_some();
        right_goes_on = right_dot.is_some();
        left = left_dot.map_or(left, |dot| &left[dot + 1..]);
        right = right_dot.map_or(right, |dot| &right[dot + 1..]);
    }
    // What goes on with a number is newer; with a form, as that form is to a number.
    let is_number = |part: &[u8]| part.first().is_some_and(u8::is_ascii_digit);
    Ok(match (left_goes_on, right_goes_on) {
        (true, _) if is_number(left) => Ordering::Greater,
        (true, _) => version(left, b"#N#")?,
        (false, true) if is_number(right) => Ordering::Less,
        (false, true) => version(b"#N#", right)?,
        (false, false) => Ordering::Equal,
    })
}

fn version_part(left: &[u8], right: &[u8]) -> Ordering {
    let is_number = |part: &[u8]| part.first().is_some_and(u8::is_ascii_digit);
    match (is_number(left), is_number(right)) {
        (true, true) => saturating_number(left).cmp(&saturating_number(right)),
        (false, false) => version_form(left).cmp(&version_form(right)),
        (true, false) => version_form(b"#N#").cmp(&version_form(right)),
        (false, true) => version_form(left).cmp(&version_form(b"#N#")),
    }
}

fn saturating_number(digits: &[u8]) -> i64 {
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0i64, |number, digit| {
        number
            .saturating_mul(10)
            .saturating_add(i64::from(digit - b'0'))
    })
}

/// The rank of a form such as `beta`; what PHP does not know ranks lowest.
fn version_form(part: &[u8]) -> i32 {
    const FORMS: [(&[u8], i32); 11] = [
        (b"dev", 0),
        (b"alpha", 1),
        (b"a", 1),
        (b"beta", 2),
        (b"b", 2),
        (b"RC", 3),
        (b"rc", 3),
        (b"#", 4),
        (b"pl", 5),
        (b"p", 5),
        (b"", -1),
    ];
    FORMS
        .iter()
        .find(|(name, _)| !name.is_empty() && part.starts_with(name))
        .map_or(-1, |(_, rank)| *rank)
}

/// The version with a dot between numbers and words, and for `-`, `_` and `+`.
fn canonical_version(text: &[u8]) -> Result<PStr, OutOfMemory> {
    if text[0] == b'#' {
        return Ok(PStr::new(text));
    }
    let is_special = |byte: u8| matches!(byte, b'-' | b'_' | b'+');
    let is_word = |byte: u8| !byte.is_ascii_digit() && byte != b'.';
    let mut out = PStrBuilder::with_capacity(text.len())?;
    out.push(text[0])?;
    let mut last = text[0];
    for &byte in &text[1..] {
        let dot = |out: &mut PStrBuilder| if out.last() == Some(&b'.') { Ok(()) } else { out.push(b'.') };
        let changes =
            is_word(last) && byte.is_ascii_digit() || last.is_ascii_digit() && is_word(byte);
        if is_special(byte) {
            dot(&mut out)?;
        } else if changes {
            dot(&mut out)?;
            out.push(byte)?;
        } else if byte.is_ascii_alphanumeric() {
            out.push(byte)?;
        } else {
            dot(&mut out)?;
        }
        last = byte;
    }
    if out.last() == Some(&b'.') {
        out.pop();
    }
    Ok(out.finish())
}

/// What the third argument of version_compare asks; `None` for an operator that PHP does not know.
pub fn version_operator(operator: &[u8], order: Ordering) -> Option<bool> {
    Some(match operator {
        b"<" | b"lt" => order.is_lt(),
        b"<=" | b"le" => order.is_le(),
        b">" | b"gt" => order.is_gt(),
        b">=" | b"ge" => order.is_ge(),
        b"=" | b"==" | b"eq" => order.is_eq(),
        b"!=" | b"<>" | b"ne" => order.is_ne(),
        _ => return None,
    })
}

/// strcoll in the locale "C": the difference of the first bytes that differ. A NUL byte ends a string.
pub fn collate(a: &[u8], b: &[u8]) -> i64 {
    let (a, b) = (up_to_nul(a), up_to_nul(b));
    let byte = |text: &[u8], at: usize| i64::from(text.get(at).copied().unwrap_or(0));
    (0..a.len().max(b.len())).map(|at| byte(a, at) - byte(b, at)).find(|difference| *difference != 0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, number, rows, show};

    #[test]
    fn compares_as_php() -> Result<(), OutOfMemory> {
        let mut samples = Samples::default();
        let work = &mut Work::uninterrupted();
        for row in rows(include_str!("../../tests/data/compare.tsv")) {
            let [kind, a, b, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = match &kind[..] {
                b"similar" => similar_text(a, b, work).unwrap() as i64,
                b"levenshtein" => levenshtein(a, b, 1, 1, 1, work).unwrap(),
                b"levenshtein235" => levenshtein(a, b, 2, 3, 5, work).unwrap(),
                b"natural" => natural(a, b, false) as i64,
                b"naturalcase" => natural(a, b, true) as i64,
                b"version" => version(a, b)? as i64,
                other => panic!("unknown kind {}", show(other)),
            };
            samples.check(
                found,
                number::<i64>(expected),
                format!("{} {} {}", show(kind), show(a), show(b)),
            );
        }
        Ok(())
    }

    #[test]
    fn long_common_starts() {
        let work = &mut Work::uninterrupted();
        for length in [0, 1, UNITS - 1, UNITS, UNITS + 1, 2 * UNITS] {
            let same = vec![b'a'; length];
            assert_eq!(common_start(&same, &same, work), Ok(length));
            assert_eq!(common_start(&[&same[..], b"x"].concat(), &[&same[..], b"yz"].concat(), work), Ok(length));
            assert_eq!(similar_text(&same, &same, work), Ok(length));
        }
    }

    #[test]
    fn sounds_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/soundex.tsv")) {
            let [text, expected] = &row[..] else {
                panic!("bad row")
            };
            samples.check(
                show(&soundex(text)),
                show(expected),
                format!("{}", show(text)),
            );
        }
    }
}
