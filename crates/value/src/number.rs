//! Numbers and text: PHP's numeric strings, integer casts, and how floats are printed.

/// What a string is worth as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    pub fn to_f64(self) -> f64 {
        match self {
            Number::Int(i) => i as f64,
            Number::Float(f) => f,
        }
    }
    pub fn to_i64(self) -> i64 {
        match self {
            Number::Int(i) => i,
            Number::Float(f) => float_to_int(f),
        }
    }
}

/// A string read as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numeric {
    pub number: Number,
    /// Something other than white space follows the number ("123abc").
    pub trailing: bool,
    /// Written as an integer, but too large for one: 1 or -1.
    pub overflow: i8,
}

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Does `s` begin as a number may, so that it could be numeric?
#[inline(always)]
pub fn starts_like_number(s: &[u8]) -> bool {
    s.first().is_some_and(|&b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.') || is_space(b))
}

/// Reads the number at the start of `s` (leading white space allowed). None: it does not start with one.
pub fn parse_prefix(s: &[u8]) -> Option<Numeric> {
    let start = s.iter().position(|&b| !is_space(b))?;
    let mut i = start;
    let negative = s[i] == b'-';
    if matches!(s[i], b'-' | b'+') {
        i += 1;
    }
    let digits = i;
    while s.get(i).is_some_and(u8::is_ascii_digit) {
        i += 1;
    }
    let int_end = i;
    let mut is_float = false;
    if s.get(i) == Some(&b'.') && (int_end > digits || s.get(i + 1).is_some_and(u8::is_ascii_digit)) {
        is_float = true;
        i += 1;
        while s.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
    }
    if int_end == digits && !is_float {
        return None;
    }
    if matches!(s.get(i), Some(b'e' | b'E')) {
        let mut j = i + 1;
        if matches!(s.get(j), Some(b'-' | b'+')) {
            j += 1;
        }
        if s.get(j).is_some_and(u8::is_ascii_digit) {
            is_float = true;
            while s.get(j).is_some_and(u8::is_ascii_digit) {
                j += 1;
            }
            i = j;
        }
    }
    let trailing = s[i..].iter().any(|&b| !is_space(b));
    let mut overflow = 0;
    let number = if is_float {
        Number::Float(parse_float(&s[start..i]))
    } else {
        // PHP compares what stands there with the digits of the least int, up to the end of the string.
        match parse_int(&s[digits..int_end], negative).filter(|n| *n != i64::MIN || int_end == s.len()) {
            Some(n) => Number::Int(n),
            None => {
                overflow = if negative { -1 } else { 1 };
                Number::Float(parse_float(&s[start..i]))
            }
        }
    };
    Some(Numeric { number, trailing, overflow })
}

/// The number of a string that is numeric as a whole (white space around it allowed).
pub fn parse_numeric(s: &[u8]) -> Option<Number> {
    // Most strings that are asked about are no numbers: the first byte tells.
    match s.first()? {
        b'0'..=b'9' | b'-' | b'+' | b'.' | b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => {}
        _ => return None,
    }
    parse_prefix(s).filter(|n| !n.trailing).map(|n| n.number)
}

fn parse_int(digits: &[u8], negative: bool) -> Option<i64> {
    let mut n: i64 = 0;
    for &d in digits {
        let d = (d - b'0') as i64;
        n = n.checked_mul(10)?;
        n = if negative { n.checked_sub(d)? } else { n.checked_add(d)? };
    }
    Some(n)
}

/// The value of a decimal float literal that was scanned already.
pub fn parse_float(s: &[u8]) -> f64 {
    // Only ASCII digits, sign, point and exponent come here.
    std::str::from_utf8(s).ok().and_then(|s| s.parse().ok()).unwrap_or(0.0)
}

/// `(int)` of a string: the number at its start; what is out of range stops at the limits, infinity gives 0.
pub fn str_to_int(s: &[u8]) -> i64 {
    if let Some(n) = few_digits(s) {
        return n;
    }
    match parse_prefix(s) {
        Some(Numeric { number: Number::Int(i), .. }) => i,
        Some(Numeric { number: Number::Float(f), .. }) if f.is_finite() => float_to_int_capped(f),
        Some(_) => 0,
        None => 0,
    }
}

/// The number of a string of nothing but digits, so few that none is too many.
#[inline]
fn few_digits(s: &[u8]) -> Option<i64> {
    if s.is_empty() || s.len() > 18 {
        return None;
    }
    s.iter().try_fold(0i64, |n, byte| byte.is_ascii_digit().then(|| n * 10 + i64::from(byte - b'0')))
}

/// `(float)` of a string.
pub fn str_to_float(s: &[u8]) -> f64 {
    match parse_prefix(s).map(|n| n.number) {
        // An int has no negative zero, a float read from the same text has.
        Some(Number::Int(0)) if s.iter().find(|&&b| !is_space(b)) == Some(&b'-') => -0.0,
        Some(n) => n.to_f64(),
        None => 0.0,
    }
}

/// Is the float, truncated, one of `i64`'s? NaN is not.
#[inline]
pub fn in_int_range(f: f64) -> bool {
    (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&f)
}

/// `(int)` of a float: truncated; out of range it wraps modulo 2^64, NaN and infinities give 0.
#[inline]
pub fn float_to_int(f: f64) -> i64 {
    if in_int_range(f) {
        f as i64
    } else {
        float_to_int_wrapping(f)
    }
}

#[cold]
fn float_to_int_wrapping(f: f64) -> i64 {
    if !f.is_finite() {
        return 0;
    }
    const TWO_64: f64 = 18_446_744_073_709_551_616.0;
    let mut m = f.trunc() % TWO_64;
    if m < 0.0 {
        m += TWO_64;
    }
    // Exact: a float of this size is a multiple of a power of two.
    m as u64 as i64
}

/// As [`float_to_int`], but stops at the limits.
pub fn float_to_int_capped(f: f64) -> i64 {
    // `as` saturates and maps NaN to 0.
    f as i64
}

/// The float is an integer that `i64` holds exactly.
pub fn float_is_int(f: f64) -> bool {
    f.trunc() == f && in_int_range(f)
}

/// Appends a float as `echo` does for `precision` (14 by default; -1 or 17: see [`float_repr`]).
pub fn write_float(out: &mut Vec<u8>, f: f64, precision: i64) {
    if f.is_nan() {
        return out.extend_from_slice(b"NAN");
    }
    if f.is_infinite() {
        return out.extend_from_slice(if f > 0.0 { b"INF" } else { b"-INF" });
    }
    if f == 0.0 {
        return out.extend_from_slice(if f.is_sign_negative() { b"-0" } else { b"0" });
    }
    let (digits, point) = if precision < 0 { shortest_digits(f.abs()) } else { rounded_digits(f.abs(), precision.clamp(1, 500) as usize) };
    let limit = if precision < 0 { 17 } else { precision.max(1) };
    if f < 0.0 {
        out.push(b'-');
    }
    if point > limit as i32 || point < -3 {
        // d.dddE+xx; at least one digit behind the point.
        out.push(digits[0]);
        out.push(b'.');
        if digits.len() > 1 { out.extend_from_slice(&digits[1..]) } else { out.push(b'0') }
        let e = point - 1;
        out.extend_from_slice(if e < 0 { b"E-" } else { b"E+" });
        out.extend_from_slice(e.unsigned_abs().to_string().as_bytes());
    } else if point <= 0 {
        out.extend_from_slice(b"0.");
        out.resize(out.len() + point.unsigned_abs() as usize, b'0');
        out.extend_from_slice(&digits);
    } else {
        let point = point as usize;
        let head = digits.len().min(point);
        out.extend_from_slice(&digits[..head]);
        out.resize(out.len() + point - head, b'0');
        if digits.len() > point {
            out.push(b'.');
            out.extend_from_slice(&digits[point..]);
        }
    }
}

/// A float as a string conversion gives it.
pub fn float_to_string(f: f64, precision: i64) -> Vec<u8> {
    let mut out = Vec::with_capacity(24);
    write_float(&mut out, f, precision);
    out
}

/// As var_dump and var_export show it: with `serialize_precision`; `.0` is added when `keep_fraction`.
pub fn float_repr(f: f64, serialize_precision: i64, keep_fraction: bool) -> Vec<u8> {
    let mut out = float_to_string(f, serialize_precision);
    if keep_fraction && f.is_finite() && !out.iter().any(|b| matches!(b, b'.' | b'E')) {
        out.extend_from_slice(b".0");
    }
    out
}

/// The shortest digits that read back as `f > 0`, and where the point stands (value = 0.digits × 10^point).
pub fn shortest_digits(f: f64) -> (Vec<u8>, i32) {
    let (mut digits, point) = split_exponential(&format!("{f:e}"));
    if digits.last().is_some_and(|last| *last % 2 == 1) && is_half(f, digits.len(), point) {
        // Two neighbours are equally near: PHP takes the even one, if that one reads back as `f` (floats are nearer to each other below a power of two).
        let mut even = digits.clone();
        if let Some(last) = even.last_mut() {
            *last -= 1;
        }
        let text = format!("0.{}e{point}", String::from_utf8_lossy(&even));
        if text.parse() == Ok(f) {
            digits = even;
        }
    }
    (digits, point)
}

/// Does `f`, whose point is behind digit `point`, lie in the middle between two numbers of `n` digits?
fn is_half(f: f64, n: usize, point: i32) -> bool {
    // Numbers of up to 15 digits are further apart than normal floats: one of them stands beside a float because it is the float, or nearly so.
    if n <= 15 && f.is_normal() {
        return false;
    }
    // Then one digit more says all of it, which takes a lowest bit that is worth a power of ten at that place.
    let (fraction, exponent) = (f.to_bits() & ((1 << 52) - 1), (f.to_bits() >> 52 & 0x7ff) as i32);
    let lowest = exponent.max(1) - 1075 + if fraction == 0 { 52 } else { fraction.trailing_zeros() as i32 };
    if lowest < point - n as i32 - 1 {
        return false;
    }
    let (exact, _) = split_exponential(&format!("{f:.*e}", n + 20));
    exact.get(n) == Some(&b'5') && exact.iter().skip(n + 1).all(|digit| *digit == b'0')
}

/// `f > 0` rounded to `n` significant digits, trailing zeros removed.
pub fn rounded_digits(f: f64, n: usize) -> (Vec<u8>, i32) {
    let (mut digits, point) = split_exponential(&format!("{f:.*e}", n - 1));
    while digits.len() > 1 && digits.last() == Some(&b'0') {
        digits.pop();
    }
    (digits, point)
}

fn split_exponential(s: &str) -> (Vec<u8>, i32) {
    let (mantissa, exponent) = s.split_once('e').unwrap_or((s, "0"));
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    (digits, exponent.parse::<i32>().unwrap_or(0) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_php_prints_them() {
        for (f, p14, repr) in [
            (1e14, "1.0E+14", "100000000000000.0"),
            (1e16, "1.0E+16", "10000000000000000.0"),
            (1e17, "1.0E+17", "1.0E+17"),
            (123456789012345.678, "1.2345678901235E+14", "123456789012345.67"),
            (0.1 + 0.2, "0.3", "0.30000000000000004"),
            (1e-5, "1.0E-5", "1.0E-5"),
            (0.0001, "0.0001", "0.0001"),
            (-0.0, "-0", "-0.0"),
            (7.0, "7", "7.0"),
            (1e15 + 0.25, "1.0E+15", "1000000000000000.2"),
            (1e15 + 0.75, "1.0E+15", "1000000000000000.8"),
            (-1.5, "-1.5", "-1.5"),
            (5.9604644775390625e-8, "5.9604644775391E-8", "5.960464477539063E-8"),
        ] {
            assert_eq!(float_to_string(f, 14), p14.as_bytes());
            assert_eq!(float_repr(f, -1, true), repr.as_bytes());
        }
    }

    #[test]
    fn numeric_strings() {
        assert_eq!(parse_numeric(b" 12 "), Some(Number::Int(12)));
        assert_eq!(parse_numeric(b"1."), Some(Number::Float(1.0)));
        assert_eq!(parse_numeric(b"."), None);
        assert_eq!(parse_numeric(b"1e"), None);
        assert_eq!(parse_numeric(b"+.5e-3 \n"), Some(Number::Float(0.0005)));
        assert_eq!(str_to_int(b"12abc"), 12);
        assert_eq!(str_to_int(b"9999999999999999999"), i64::MAX);
        assert_eq!(str_to_int(b"-1e1000"), 0);
        assert!(str_to_float(b" -0x").is_sign_negative());
        assert_eq!(float_to_int(1e19), -8446744073709551616);
        assert_eq!(float_to_int(-1.9e19), -553255926290448384);
    }
}
