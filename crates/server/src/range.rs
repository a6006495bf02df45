//! The Range header (RFC 9110, section 14) for byte ranges of a file.

/// More ranges than this in one request are no download but an attack: the whole file is sent.
const RANGES_MAX: usize = 32;

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ranges {
    /// No usable Range header: the whole file.
    Whole,
    /// First and last byte of each, within the file, in the order asked for.
    Parts(Vec<(u64, u64)>),
    Unsatisfiable,
}

/// Reads a Range field for a file of `len` bytes.
pub(crate) fn parse(field: &[u8], len: u64) -> Ranges {
    let Some(list) = field
        .get(6..)
        .filter(|_| field[..6].eq_ignore_ascii_case(b"bytes="))
    else {
        return Ranges::Whole;
    };
    let mut parts = Vec::new();
    let mut total = 0u64;
    for (count, item) in list.split(|&b| b == b',').enumerate() {
        let item = item.trim_ascii();
        let Some(dash) = memchr::memchr(b'-', item) else {
            return Ranges::Whole;
        };
        let (first, last) = (&item[..dash], &item[dash + 1..]);
        let range = match (first.is_empty(), last.is_empty()) {
            (true, true) => return Ranges::Whole,
            (true, false) => match number(last) {
                None => return Ranges::Whole,
                Some(0) => None,
                Some(suffix) if len > 0 => Some((len.saturating_sub(suffix), len - 1)),
                Some(_) => None,
            },
            (false, open) => match (
                number(first),
                if open { Some(u64::MAX) } else { number(last) },
            ) {
                (Some(first), Some(last)) if first <= last => {
                    (first < len).then(|| (first, last.min(len - 1)))
                }
                _ => return Ranges::Whole,
            },
        };
        if count >= RANGES_MAX {
            return Ranges::Whole;
        }
        if let Some((first, last)) = range {
            total = total.saturating_add(last - first + 1);
            parts.push((first, last));
        }
    }
    if parts.is_empty() {
        return Ranges::Unsatisfiable;
    }
    // Overlapping ranges must not make an answer larger than the file.
    if total > len {
        Ranges::Whole
    } else {
        Ranges::Parts(parts)
    }
}

/// A decimal number; one that does not fit is as good as the largest.
fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0u64, |n, b| {
        n.saturating_mul(10).saturating_add(u64::from(b - b'0'))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(field: &str, len: u64, expected: Ranges) {
        assert_eq!(parse(field.as_bytes(), len), expected, "{field} of {len}");
    }

    #[test]
    fn ranges() {
        check("bytes=0-4", 10, Ranges::Parts(vec![(0, 4)]));
        check("Bytes=5-", 10, Ranges::Parts(vec![(5, 9)]));
        check("bytes=-3", 10, Ranges::Parts(vec![(7, 9)]));
        check("bytes=-30", 10, Ranges::Parts(vec![(0, 9)]));
        check("bytes=2-300", 10, Ranges::Parts(vec![(2, 9)]));
        check("bytes=0-0, 9-9", 10, Ranges::Parts(vec![(0, 0), (9, 9)]));
        check("bytes=10-", 10, Ranges::Unsatisfiable);
        check("bytes=-0", 10, Ranges::Unsatisfiable);
        check("bytes=0-", 0, Ranges::Unsatisfiable);
        check("bytes=-1", 0, Ranges::Unsatisfiable);
        check("bytes=99999999999999999999999-", 10, Ranges::Unsatisfiable);
        check("bytes=3-1", 10, Ranges::Whole);
        check("bytes=x-1", 10, Ranges::Whole);
        check("bytes=-", 10, Ranges::Whole);
        check("bytes=", 10, Ranges::Whole);
        check("lines=1-2", 10, Ranges::Whole);
        check("by", 10, Ranges::Whole);
        check("bytes=0-9,0-9", 10, Ranges::Whole);
        check(
            &format!("bytes={}", vec!["0-0"; 33].join(",")),
            1000,
            Ranges::Whole,
        );
    }
}
