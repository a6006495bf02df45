//! Numbers as text: number_format, and the `%f`, `%e` and `%g` forms that sprintf is made of.
//!
//! PHP prints the exact decimal expansion of a double, correctly rounded, which is what Rust's formatting does too.

/// `value` with `decimals` digits after the point, without sign for negative zero's sake: the caller has it.
pub fn fixed(value: f64, decimals: usize) -> String {
    format!("{:.*}", decimals, value.abs())
}

/// `value` as `1.5e+3`: PHP writes no leading zeros in the exponent.
pub fn exponential(value: f64, decimals: usize, upper: bool) -> String {
    let text = format!("{:.*e}", decimals, value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if exponent.starts_with('-') { "" } else { "+" };
    format!(
        "{mantissa}{}{sign}{exponent}",
        if upper { 'E' } else { 'e' }
    )
}

/// `value` with `precision` significant digits, in whichever form is shorter, as `%g` and echo write it.
/// `value` is finite; its sign is the caller's.
pub fn general(value: f64, precision: usize, upper: bool) -> String {
    let value = value.abs();
    if value == 0.0 {
        return "0".to_string();
    }
    let precision = precision.max(1);
    let text = format!("{:.*e}", precision - 1, value);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    general_digits(digits.trim_end_matches('0'), exponent, precision, upper)
}

/// The shortest text that reads back as `value`, laid out as `%.17g` would be (precision -1 in PHP's settings).
pub fn general_shortest(value: f64, upper: bool) -> String {
    let value = value.abs();
    if value == 0.0 {
        return "0".to_string();
    }
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    general_digits(&digits, exponent, 17, upper)
}

fn general_digits(digits: &str, exponent: i32, precision: usize, upper: bool) -> String {
    let point = exponent + 1;
    let precision = i32::try_from(precision).unwrap_or(i32::MAX);
    if point < -3 || point > precision {
        let (first, rest) = digits.split_at(digits.len().min(1));
        let rest = if rest.is_empty() { "0" } else { rest };
        let sign = if exponent < 0 { '-' } else { '+' };
        let letter = if upper { 'E' } else { 'e' };
        return format!("{first}.{rest}{letter}{sign}{}", exponent.unsigned_abs());
    }
    if point <= 0 {
        let zeros = "0".repeat(usize::try_from(-point).unwrap_or(0));
        return format!("0.{zeros}{digits}");
    }
    let point = usize::try_from(point).unwrap_or(0);
    if digits.len() <= point {
        return format!("{digits}{}", "0".repeat(point - digits.len()));
    }
    let (whole, fraction) = digits.split_at(point);
    format!("{whole}.{fraction}")
}

/// PHP 8.4's `round()` in its default mode: half away from zero, where a value counts as half when the decimal
/// number half-way, divided back, is not greater than it.
pub fn round_half_up(value: f64, places: i64) -> f64 {
    if !value.is_finite() || value == 0.0 {
        return value;
    }
    let places = places.clamp(-400, 400) as i32;
    let exponent = 10f64.powi(places.abs());
    if exponent.is_infinite() {
        // More digits than a double has, either way.
        return if places > 0 { value } else { 0.0 };
    }
    let scaled = if places >= 0 {
        value * exponent
    } else {
        value / exponent
    };
    if scaled.abs() >= 1e16 {
        return value;
    }
    let back = |scaled: f64| {
        if places >= 0 {
            scaled / exponent
        } else {
            scaled * exponent
        }
    };
    let whole = scaled.trunc();
    let half = if value >= 0.0 { 0.5 } else { -0.5 };
    let is_half = if value >= 0.0 {
        value >= back(whole + half)
    } else {
        value <= back(whole + half)
    };
    // The product may have been rounded onto the next whole number; then it is what is meant.
    let rounded = if is_half { whole + 2.0 * half } else { whole };
    if places.abs() < 23 {
        return back(rounded);
    }
    format!("{rounded:.0}e{}", -places).parse().unwrap_or(value)
}

/// number_format of an int, whose digits are all exact.
pub fn number_format_int(value: i64, decimals: i64, point: &[u8], separator: &[u8]) -> Vec<u8> {
    let mut rounded = i128::from(value);
    if decimals < 0 {
        // Beyond 10^19 every int rounds to zero.
        let places = u32::try_from(-decimals.max(-20)).unwrap_or(20);
        let unit = 10i128.pow(places);
        rounded = (rounded.abs() + unit / 2) / unit * unit * rounded.signum();
    }
    let decimals = usize::try_from(decimals.clamp(0, 1 << 20)).unwrap_or(0);
    group(
        rounded < 0,
        &rounded.unsigned_abs().to_string(),
        &"0".repeat(decimals),
        point,
        separator,
    )
}

/// number_format of a float.
pub fn number_format(value: f64, decimals: i64, point: &[u8], separator: &[u8]) -> Vec<u8> {
    let value = round_half_up(value, decimals);
    let decimals = usize::try_from(decimals.clamp(0, 1 << 20)).unwrap_or(0);
    if !value.is_finite() {
        // PHP drops the sign of negative infinity.
        return if value.is_nan() {
            b"nan".to_vec()
        } else {
            b"inf".to_vec()
        };
    }
    let text = fixed(value, decimals);
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let negative = value < 0.0 && text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    group(negative, whole, fraction, point, separator)
}

fn group(negative: bool, whole: &str, fraction: &str, point: &[u8], separator: &[u8]) -> Vec<u8> {
    let separators = whole.len().saturating_sub(1) / 3;
    let mut out = Vec::with_capacity(
        1 + whole.len() + separators * separator.len() + point.len() + fraction.len(),
    );
    if negative {
        out.push(b'-');
    }
    for (index, digit) in whole.bytes().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.extend_from_slice(separator);
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.extend_from_slice(point);
        out.extend_from_slice(fraction.as_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, number, rows, show};

    #[test]
    fn formats_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/number_format.tsv")) {
            let [value, decimals, point, separator, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = match value.strip_prefix(b"i") {
                Some(digits) if digits != b"nf" => {
                    number_format_int(number(digits), number(decimals), point, separator)
                }
                _ => number_format(number(value), number(decimals), point, separator),
            };
            samples.check(
                show(&found),
                show(expected),
                format!("{} {}", show(value), show(decimals)),
            );
        }
    }

    #[test]
    fn rounds_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/round.tsv")) {
            let [value, places, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = round_half_up(number(value), number(places));
            samples.check(
                format!("{found:?}"),
                format!("{:?}", number::<f64>(expected)),
                format!("{} {}", show(value), show(places)),
            );
        }
    }

    #[test]
    fn shortest() {
        assert_eq!(general_shortest(0.1, false), "0.1");
        assert_eq!(general_shortest(1e15, false), "1000000000000000");
        assert_eq!(general_shortest(1e25, true), "1.0E+25");
        assert_eq!(general_shortest(-1.5e-7, true), "1.5E-7");
    }
}
