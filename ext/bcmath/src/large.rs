//! Calculations with numbers of very many digits, in steps: between them other scripts have their turn, and one that is to end does.
//!
//! The library calculates in one go what takes it some ten milliseconds; that is a step. Longer calculations are taken apart here, by the methods of
//! Karatsuba (products), Burnikel and Ziegler (quotients), and by halves (decimal digits, powers). All are exact.

use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::ops::{BitTest, DivRem, SquareRoot};
use jumbo_abi::work::UNITS;
use jumbo_abi::{Res, Work};
use jumbo_value::PStrBuilder;
use std::ops::Shl;

/// Bits of the numbers of a step.
const STEP_BITS: usize = 1 << 20;
/// Decimal digits of a step, somewhat fewer than so many bits have.
const STEP_DIGITS: usize = 300_000;

fn step<T: Send + 'static>(work: &mut Work, calculate: impl FnOnce() -> T + Send + 'static) -> Res<T> {
    let result = work.compute(calculate);
    work.spend(UNITS)?;
    Ok(result)
}

/// The bits above `n`, and those below.
fn split(number: &UBig, n: usize) -> (UBig, UBig) {
    let (low, high) = number.clone().split_bits(n);
    (high, low)
}

/// `a * b`
pub fn mul(work: &mut Work, a: &UBig, b: &UBig) -> Res<UBig> {
    let (a, b) = if a.bit_len() < b.bit_len() { (b, a) } else { (a, b) };
    if b.bit_len() <= STEP_BITS / 1024 || a.bit_len() <= STEP_BITS {
        let (a, b) = (a.clone(), b.clone());
        return step(work, move || a * b);
    }
    let half = a.bit_len() / 2;
    let (a1, a0) = split(a, half);
    if b.bit_len() <= half {
        return Ok((mul(work, &a1, b)? << half) + mul(work, &a0, b)?);
    }
    let (b1, b0) = split(b, half);
    let (high, low) = (mul(work, &a1, &b1)?, mul(work, &a0, &b0)?);
    let middle = mul(work, &(a1 + a0), &(b1 + b0))? - &high - &low;
    Ok((high << (2 * half)) + (middle << half) + low)
}

/// Quotient and rest; `b` is not zero.
pub fn div_rem(work: &mut Work, a: &UBig, b: &UBig) -> Res<(UBig, UBig)> {
    let n = b.bit_len();
    if a.bit_len() <= n + STEP_BITS {
        return short_div_rem(work, a, b);
    }
    // Pieces of as many bits as the divisor has, or a step.
    let size = n.max(STEP_BITS);
    let pieces = a.bit_len().div_ceil(size);
    let (mut quotient, mut rest) = (UBig::ZERO, UBig::ZERO);
    for piece in (0..pieces).rev() {
        let mut digit = a >> (piece * size);
        digit.clear_high_bits(size);
        let whole = (rest << size) + digit;
        let (q, r) = if size == n { two_by_one(work, &whole, b, n)? } else { short_div_rem(work, &whole, b)? };
        quotient = (quotient << size) + q;
        rest = r;
    }
    Ok((quotient, rest))
}

fn short_div_rem(work: &mut Work, a: &UBig, b: &UBig) -> Res<(UBig, UBig)> {
    let (a, b) = (a.clone(), b.clone());
    step(work, move || a.div_rem(b))
}

/// `a / b` where `b` has `n` bits and the quotient no more.
fn two_by_one(work: &mut Work, a: &UBig, b: &UBig, n: usize) -> Res<(UBig, UBig)> {
    if a.bit_len() <= n + STEP_BITS {
        return short_div_rem(work, a, b);
    }
    let odd = n % 2;
    let (a, b, n) = (a << odd, b << odd, n + odd);
    let half = n / 2;
    let (b1, b0) = split(&b, half);
    let (high, low) = split(&a, n);
    let (a1, a0) = split(&low, half);
    let (q1, rest) = three_by_two(work, &high, &a1, &b, &b1, &b0, half)?;
    let (q0, rest) = three_by_two(work, &rest, &a0, &b, &b1, &b0, half)?;
    Ok(((q1 << half) + q0, rest >> odd))
}

/// `(high, low) / (b1, b0)`, where `low`, `b1` and `b0` have `n` bits.
fn three_by_two(work: &mut Work, high: &UBig, low: &UBig, b: &UBig, b1: &UBig, b0: &UBig, n: usize) -> Res<(UBig, UBig)> {
    let (mut quotient, rest) = if (high >> n) == *b1 {
        (UBig::ones(n), high + b1 - (b1 << n))
    } else {
        two_by_one(work, high, b1, n)?
    };
    let mut rest = (rest << n) + low;
    let taken = mul(work, &quotient, b0)?;
    // The quotient is too large by two at most.
    while rest < taken {
        rest += b;
        quotient -= 1u8;
    }
    Ok((quotient, rest - taken))
}

/// `base ^ exponent`
pub fn pow(work: &mut Work, base: &UBig, exponent: usize) -> Res<UBig> {
    if base.bit_len().saturating_mul(exponent) <= STEP_BITS {
        let base = base.clone();
        return step(work, move || base.pow(exponent));
    }
    if exponent == 1 {
        return Ok(base.clone());
    }
    let half = pow(work, base, exponent / 2)?;
    let square = mul(work, &half, &half)?;
    if exponent % 2 == 0 { Ok(square) } else { mul(work, &square, base) }
}

/// `base ^ exponent` modulo a number. A step has as many of the exponent's bits as fit into it.
pub fn pow_mod(work: &mut Work, base: &UBig, exponent: &UBig, modulus: UBig) -> Res<UBig> {
    let words = modulus.bit_len() / 64 + 1;
    let bits = (STEP_PRODUCTS / words.saturating_mul(words)).clamp(1, exponent.bit_len().max(1));
    let base = div_rem(work, base, &modulus)?.1;
    let mut power = UBig::ONE;
    for piece in (0..exponent.bit_len().div_ceil(bits)).rev() {
        let mut part = exponent >> (piece * bits);
        part.clear_high_bits(bits);
        let (base, modulus, before) = (base.clone(), modulus.clone(), power);
        power = step(work, move || {
            let ring = ConstDivisor::new(modulus);
            let raised = ring.reduce(before).pow(&UBig::ONE.shl(bits));
            (raised * ring.reduce(base).pow(&part)).residue()
        })?;
    }
    Ok(power)
}

/// Products of two words in a step, about ten milliseconds.
const STEP_PRODUCTS: usize = 4 << 20;

/// The integer root.
pub fn sqrt(work: &mut Work, number: &UBig) -> Res<UBig> {
    if number.bit_len() <= STEP_BITS {
        let number = number.clone();
        return step(work, move || number.sqrt());
    }
    // Newton's method, with twice as many bits of the root in each round (Python's math.isqrt).
    let c = (number.bit_len() - 1) / 2;
    let (mut root, mut bits) = (UBig::ONE, 0);
    for shift in (0..c.bit_len()).rev() {
        let before = bits;
        bits = c >> shift;
        let (quotient, _) = div_rem(work, &(number >> (2 * c - before - bits + 1)), &root)?;
        root = (root << (bits - before - 1)) + quotient;
    }
    if mul(work, &root, &root)? > *number {
        root -= 1u8;
    }
    Ok(root)
}

/// `10 ^ (STEP_DIGITS * 2^n)` for each `n`, up to a number of so many digits.
fn powers(work: &mut Work, digits: usize) -> Res<Vec<UBig>> {
    let mut powers = Vec::new();
    let mut count = STEP_DIGITS;
    while count < digits {
        let next = match powers.last() {
            Some(last) => mul(work, last, last)?,
            None => step(work, || UBig::from(10u8).pow(STEP_DIGITS))?,
        };
        powers.push(next);
        count = count.saturating_mul(2);
    }
    Ok(powers)
}

/// The number that decimal digits say. None: there is something else among them.
pub fn parse(work: &mut Work, digits: &[u8]) -> Res<Option<UBig>> {
    let powers = powers(work, digits.len())?;
    parse_below(work, digits, &powers)
}

fn parse_below(work: &mut Work, digits: &[u8], powers: &[UBig]) -> Res<Option<UBig>> {
    let Some((power, lower)) = powers.split_last() else {
        let Ok(digits) = std::str::from_utf8(digits).map(str::to_owned) else { return Ok(None) };
        return step(work, move || UBig::from_str_radix(&digits, 10).ok());
    };
    let count = STEP_DIGITS << lower.len();
    let Some(at) = digits.len().checked_sub(count).filter(|at| *at > 0) else { return parse_below(work, digits, lower) };
    let (high, low) = digits.split_at(at);
    let (Some(high), Some(low)) = (parse_below(work, high, lower)?, parse_below(work, low, lower)?) else { return Ok(None) };
    Ok(Some(mul(work, &high, power)? + low))
}

/// Appends the decimal digits.
pub fn put_digits(work: &mut Work, number: &UBig, out: &mut PStrBuilder) -> Res<()> {
    let powers = powers(work, number.bit_len() / 3)?;
    put_below(work, number, &powers, false, out)
}

/// `fills`: with as many zeros in front as a number below the last power may have.
fn put_below(work: &mut Work, number: &UBig, powers: &[UBig], fills: bool, out: &mut PStrBuilder) -> Res<()> {
    let Some((power, lower)) = powers.split_last() else {
        let number = number.clone();
        let digits = step(work, move || number.to_string())?;
        if fills {
            out.fill(b'0', STEP_DIGITS - digits.len())?;
        }
        return Ok(out.push_str(&digits)?);
    };
    if !fills && number < power {
        return put_below(work, number, lower, false, out);
    }
    let (high, low) = div_rem(work, number, power)?;
    put_below(work, &high, lower, fills, out)?;
    put_below(work, &low, lower, true, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number of about so many bits, the same each time.
    fn number(bits: usize, seed: u64) -> UBig {
        let mut state = seed;
        let words = (0..bits / 64).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ (state >> 33)
        });
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        UBig::from_le_bytes(&bytes)
    }

    #[test]
    fn as_the_library_calculates() {
        let work = &mut Work::uninterrupted();
        for (a_bits, b_bits) in [(STEP_BITS * 3, STEP_BITS * 3), (STEP_BITS * 5, STEP_BITS + 7000), (STEP_BITS * 4, 640), (STEP_BITS * 2, STEP_BITS / 2)] {
            let (a, b) = (number(a_bits, 1), number(b_bits, 2));
            assert!(mul(work, &a, &b).unwrap() == &a * &b, "{a_bits} {b_bits}");
            assert!(div_rem(work, &a, &b).unwrap() == (&a).div_rem(&b), "{a_bits} {b_bits}");
        }
        let (a, b) = (UBig::ones(STEP_BITS * 6), UBig::ones(STEP_BITS * 3 - 1));
        assert!(div_rem(work, &a, &b).unwrap() == (&a).div_rem(&b));
        let a = number(STEP_BITS * 3, 3);
        assert!(sqrt(work, &a).unwrap() == a.sqrt());
        assert!(sqrt(work, &(&a * &a)).unwrap() == a);
        assert!(sqrt(work, &(&a * &a - 1u8)).unwrap() == &a - 1u8);
        let (base, exponent, modulus) = (number(6400, 4), number(6400, 5), number(4096, 6));
        let expected = ConstDivisor::new(modulus.clone()).reduce(base.clone()).pow(&exponent).residue();
        assert!(pow_mod(work, &base, &exponent, modulus).unwrap() == expected);
        assert!(pow(work, &UBig::from(7u8), 300_001).unwrap() == UBig::from(7u8).pow(300_001));
    }

    #[test]
    fn digits_there_and_back() {
        let work = &mut Work::uninterrupted();
        for text in [format!("1{}", "0".repeat(STEP_DIGITS * 3)), "9".repeat(STEP_DIGITS * 2), "12345678901".repeat(STEP_DIGITS / 5)] {
            let number = parse(work, text.as_bytes()).unwrap().unwrap();
            assert!(number == UBig::from_str_radix(&text, 10).unwrap());
            let mut out = PStrBuilder::new();
            put_digits(work, &number, &mut out).unwrap();
            assert!(out.as_bytes() == text.as_bytes());
        }
        assert!(parse(work, b"1a").unwrap().is_none());
    }
}
