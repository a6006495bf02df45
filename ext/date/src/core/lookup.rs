//! The words PHP's date language knows: months, days, units, ordinals.

/// Full English month names.
pub const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
];
/// Full English day names, Sunday first.
pub const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const ROMAN: [&str; 12] = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii"];

/// A month by name, abbreviation (`sept` too) or Roman numeral.
pub fn month(word: &[u8]) -> Option<i64> {
    let full = MONTHS.iter().position(|m| {
        word.eq_ignore_ascii_case(m.as_bytes()) || word.eq_ignore_ascii_case(&m.as_bytes()[..3])
    });
    let index = full
        .or_else(|| word.eq_ignore_ascii_case(b"sept").then_some(8))
        .or_else(|| ROMAN.iter().position(|m| word.eq_ignore_ascii_case(m.as_bytes())))?;
    Some(index as i64 + 1)
}

/// A day of the week (0 is Sunday) by full name, plural, or abbreviation.
pub fn weekday(word: &[u8]) -> Option<i64> {
    let lower = word.to_ascii_lowercase();
    for (i, day) in DAYS.iter().enumerate() {
        let full = day.to_ascii_lowercase();
        let full = full.as_bytes();
        if lower == full || lower == full[..3] || lower.strip_suffix(b"s").is_some_and(|l| l == full) {
            return Some(i as i64);
        }
    }
    match lower.as_slice() {
        b"tues" => Some(2),
        b"wednes" => Some(3),
        b"thur" | b"thurs" => Some(4),
        _ => None,
    }
}

/// What a unit word counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Microseconds times the number.
    Microseconds(i64),
    Second,
    Minute,
    Hour,
    /// Days times the number.
    Days(i64),
    Month,
    Year,
    /// Working days.
    Weekdays,
    /// A day of the week.
    Weekday(i64),
}

/// A unit by its word.
pub fn unit(word: &[u8]) -> Option<Unit> {
    let lower = word.to_ascii_lowercase();
    // The sign of micro is two bytes of UTF-8, which have no ASCII lower case.
    let micro = "\u{b5}s".as_bytes();
    let (word, plural) = match lower.strip_suffix(b"s") {
        Some(stem) if lower != b"ms" && lower != micro => (stem, true),
        _ => (lower.as_slice(), false),
    };
    Some(match word {
        b"ms" | b"msec" | b"millisecond" => Unit::Microseconds(1000),
        b"usec" | b"microsecond" => Unit::Microseconds(1),
        w if w == micro || w == "\u{b5}sec".as_bytes() => Unit::Microseconds(1),
        b"sec" | b"second" => Unit::Second,
        b"min" | b"minute" => Unit::Minute,
        b"hour" => Unit::Hour,
        b"day" => Unit::Days(1),
        b"week" => Unit::Days(7),
        b"fortnight" | b"forthnight" => Unit::Days(14),
        b"month" => Unit::Month,
        b"year" => Unit::Year,
        b"weekday" => Unit::Weekdays,
        w if plural => Unit::Weekday(weekday(&lower).or_else(|| weekday(w))?),
        w => Unit::Weekday(weekday(w)?),
    })
}

/// An ordinal or `next`, `last`, `previous`, `this`: its amount, and the weekday behaviour it brings (see `Relative`).
pub fn ordinal(word: &[u8]) -> Option<(i64, u8)> {
    const NUMBERS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
    ];
    if let Some(i) = NUMBERS.iter().position(|n| word.eq_ignore_ascii_case(n.as_bytes())) {
        return Some((i as i64 + 1, 0));
    }
    match word.to_ascii_lowercase().as_slice() {
        b"next" => Some((1, 0)),
        b"last" | b"previous" => Some((-1, 0)),
        b"this" => Some((0, 1)),
        _ => None,
    }
}
