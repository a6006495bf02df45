//! mb_check_encoding and mb_detect_encoding.

use crate::encoding::{BAD, Encoding};
use jumbo_value::OutOfMemory;

/// How unlikely a character is in text that people write. PHP weighs in the same manner with a table of its own; the
/// classes here are coarser, so a choice between encodings that are all valid may differ.
fn demerits(code: u32) -> u64 {
    match code {
        BAD => 1000,
        0x21..=0x2f => 6,
        0x00..=0x08 | 0x0b | 0x0e..=0x1f | 0x7f..=0x9f => 30,
        // What Latin letters are mistaken for.
        0xa1..=0xbf | 0xd7 | 0xf7 => 8,
        0xe000..=0xf8ff | 0xfff0..=0xffff => 30,
        // Scripts of few texts: rare ideographs, Yi and what stands around it, Ethiopic, Cherokee and Canadian syllabics.
        0x3400..=0x4dbf | 0xa000..=0xabff | 0x1200..=0x16ff => 30,
        0x1_0000.. => 40,
        _ => 1,
    }
}

/// The encoding that a byte order mark at the start tells.
fn marked(text: &[u8]) -> Option<&'static str> {
    match text {
        [0xef, 0xbb, 0xbf, ..] => Some("UTF-8"),
        [0xfe, 0xff, ..] => Some("UTF-16BE"),
        [0xff, 0xfe, ..] => Some("UTF-16LE"),
        _ => None,
    }
}

/// How much more a candidate weighs for each one before it, when their order says which is more likely.
const ORDER: f64 = 0.3;

/// The encoding of `candidates` that all of `texts` are in. In strict mode only those in which all of them are well-formed;
/// otherwise, when none is, the one with the fewest errors. `ordered`: those first in the list are the more likely.
pub fn detect(
    texts: &[&[u8]],
    candidates: &[&'static Encoding],
    strict: bool,
    ordered: bool,
) -> Result<Option<&'static Encoding>, OutOfMemory> {
    let known: Vec<&'static Encoding> = candidates.iter().copied().filter(|candidate| candidate.is_detected()).collect();
    let candidates = known.as_slice();
    let Some(&first) = candidates.first() else { return Ok(None) };
    if texts.iter().all(|text| text.is_empty()) {
        return Ok(Some(first));
    }
    let mark = texts.first().and_then(|text| marked(text));
    let mut best: Option<(usize, f64, &'static Encoding)> = None;
    for (at, &candidate) in candidates.iter().enumerate() {
        let (mut errors, mut weight) = (0, 0);
        for text in texts {
            let mut bad = 0;
            candidate.pieces(text, |codes| {
                bad += codes.iter().filter(|&&code| code == BAD).count();
                weight += codes.iter().copied().map(demerits).sum::<u64>();
            })?;
            errors += if bad == 0 && !candidate.is_valid(text)? { 1 } else { bad };
        }
        if strict && errors > 0 {
            continue;
        }
        if mark == Some(candidate.name) && errors == 0 {
            return Ok(Some(candidate));
        }
        let factor = if ordered { 1.0 + ORDER * at as f64 / candidates.len() as f64 } else { 1.0 };
        let weight = weight as f64 * factor;
        if best.is_none_or(|(known_errors, known, _)| (errors, weight) < (known_errors, known)) {
            best = Some((errors, weight, candidate));
        }
    }
    Ok(best.map(|(_, _, encoding)| encoding))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_questions() {
        let list = |names: &[&str]| -> Vec<&'static Encoding> {
            names
                .iter()
                .map(|name| Encoding::find(name.as_bytes()).unwrap())
                .collect()
        };
        let detect = |text: &[u8], names: &[&str], strict| {
            detect(&[text], &list(names), strict, true).unwrap().map(|found| found.name)
        };
        assert_eq!(
            detect("é".as_bytes(), &["ASCII", "UTF-8"], true),
            Some("UTF-8")
        );
        assert_eq!(detect(b"abc", &["ASCII", "UTF-8"], true), Some("ASCII"));
        assert_eq!(
            detect(b"\xe9t\xe9", &["UTF-8", "ISO-8859-1"], true),
            Some("ISO-8859-1")
        );
        assert_eq!(detect(b"\xff", &["ASCII", "UTF-8"], true), None);
        assert_eq!(
            detect("Äé".as_bytes(), &["ISO-8859-1", "UTF-8"], true),
            Some("UTF-8")
        );
    }
}
