//! Numbers as text: the `%f`, `%e` and `%g` forms that sprintf is made of.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest() {
        assert_eq!(general_shortest(0.1, false), "0.1");
        assert_eq!(general_shortest(1e15, false), "1000000000000000");
        assert_eq!(general_shortest(1e25, true), "1.0E+25");
        assert_eq!(general_shortest(-1.5e-7, true), "1.5E-7");
    }
}
