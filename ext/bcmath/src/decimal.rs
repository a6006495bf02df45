//! Decimal numbers of any length: an integer and how many of its digits stand behind the point.
//!
//! All results are cut towards zero where digits are lost, as bc does. Hazard: a few characters can ask for gigabytes (scales and exponents up
//! to 2^31), so what grows with them is charged to the request before it is made.

use crate::large;
use jumbo_value::heap::too_large;
use jumbo_value::{HeapCharge, PStr, PStrBuilder};
use dashu_int::fast_div::ConstDivisor;
use dashu_int::ops::{BitTest, DivRem, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig};
use jumbo_abi::{Message, Res, Work};
use std::cmp::Ordering;

/// `digits / 10^scale`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    pub digits: IBig,
    pub scale: u32,
}

/// How `round` treats what it cuts off (`RoundingMode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    HalfAwayFromZero,
    HalfTowardsZero,
    HalfEven,
    HalfOdd,
    TowardsZero,
    AwayFromZero,
    NegativeInfinity,
    PositiveInfinity,
}

impl Rounding {
    /// Of a case of the enum.
    pub fn named(name: &[u8]) -> Option<Rounding> {
        Some(match name {
            b"HalfAwayFromZero" => Rounding::HalfAwayFromZero,
            b"HalfTowardsZero" => Rounding::HalfTowardsZero,
            b"HalfEven" => Rounding::HalfEven,
            b"HalfOdd" => Rounding::HalfOdd,
            b"TowardsZero" => Rounding::TowardsZero,
            b"AwayFromZero" => Rounding::AwayFromZero,
            b"NegativeInfinity" => Rounding::NegativeInfinity,
            b"PositiveInfinity" => Rounding::PositiveInfinity,
            _ => return None,
        })
    }
}

/// What a calculation with so many digits takes for each of them: the numbers, what is calculated from them, and their digits as text.
const DIGIT_BYTES: u64 = 4;

/// The memory of a calculation with so many decimal digits altogether, to be charged before it is made.
fn charge_of(digits: u64) -> Res<HeapCharge> {
    let bytes = usize::try_from(digits.saturating_mul(DIGIT_BYTES)).unwrap_or(usize::MAX);
    if bytes > isize::MAX as usize {
        too_large(bytes);
    }
    Ok(HeapCharge::new(bytes)?)
}

/// Digits from which a calculation is not made between the turns of other scripts.
const LONG: u64 = 5_000;

fn multiplied(work: &mut Work, a: &IBig, b: &IBig) -> Res<IBig> {
    let digits = digit_count(a) + digit_count(b);
    if digits < LONG {
        return Ok(a * b);
    }
    let _charge = charge_of(digits)?;
    let product = large::mul(work, &a.unsigned_abs(), &b.unsigned_abs())?;
    Ok(IBig::from_parts(a.sign() * b.sign(), product))
}

/// The quotient cut towards zero, and the rest.
fn divided(work: &mut Work, a: &IBig, b: &IBig) -> Res<(IBig, IBig)> {
    let digits = digit_count(a) + digit_count(b);
    if digits < LONG {
        return Ok(a.div_rem(b));
    }
    let _charge = charge_of(digits)?;
    let (quotient, rest) = large::div_rem(work, &a.unsigned_abs(), &b.unsigned_abs())?;
    Ok((IBig::from_parts(a.sign() * b.sign(), quotient), IBig::from_parts(a.sign(), rest)))
}

fn pow10(work: &mut Work, n: u32) -> Res<IBig> {
    if u64::from(n) < LONG {
        return Ok(IBig::from(10).pow(n as usize));
    }
    let _charge = charge_of(u64::from(n))?;
    Ok(large::pow(work, &UBig::from(10u8), n as usize)?.into())
}

/// `digits * 10^n`
fn shifted(work: &mut Work, digits: &IBig, n: u32) -> Res<IBig> {
    if n == 0 || is_zero(digits) {
        return Ok(digits.clone());
    }
    let _charge = if u64::from(n) < LONG { HeapCharge::none() } else { charge_of(u64::from(n))? };
    let power = pow10(work, n)?;
    multiplied(work, digits, &power)
}

fn is_zero(digits: &IBig) -> bool {
    digits.is_zero()
}

/// Decimal digits of a number, at most.
fn digit_count(digits: &impl BitTest) -> u64 {
    digits.bit_len() as u64 * 31 / 100 + 1
}

/// The decimal digits, without a sign.
fn shown(work: &mut Work, digits: &IBig) -> Res<PStr> {
    let number = digits.unsigned_abs();
    let count = digit_count(&number);
    if count < LONG {
        return Ok(PStr::new(number.to_string().as_bytes()));
    }
    let _charge = charge_of(count)?;
    let mut out = PStrBuilder::with_capacity(usize::try_from(count).unwrap_or(usize::MAX))?;
    large::put_digits(work, &number, &mut out)?;
    Ok(out.finish())
}

impl Decimal {
    pub fn zero() -> Decimal {
        Decimal { digits: IBig::ZERO, scale: 0 }
    }
    pub fn from_int(n: i64) -> Decimal {
        Decimal { digits: IBig::from(n), scale: 0 }
    }
    /// A sign, digits, a point and digits, each of which may be missing. None: anything else.
    pub fn parse(work: &mut Work, text: &[u8]) -> Res<Option<Decimal>> {
        let (negative, rest) = match text.first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let point = rest.iter().position(|b| *b == b'.');
        let (whole, fraction) = match point {
            Some(at) => (&rest[..at], &rest[at + 1..]),
            None => (rest, &b""[..]),
        };
        if !whole.iter().chain(fraction).all(u8::is_ascii_digit) {
            return Ok(None);
        }
        let Ok(scale) = u32::try_from(fraction.len()) else { return Ok(None) };
        let count = (whole.len() + fraction.len()) as u64;
        let _charge = if count < LONG { HeapCharge::none() } else { charge_of(count)? };
        let joined;
        let all = match fraction {
            [] => whole,
            _ => {
                joined = [whole, fraction].to_str()?;
                joined.as_bytes()
            }
        };
        let digits = match count {
            0 => Some(UBig::ZERO),
            short if short < LONG => std::str::from_utf8(all).ok().and_then(|all| UBig::from_str_radix(all, 10).ok()),
            _ => large::parse(work, all)?,
        };
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        Ok(digits.map(|digits| Decimal { digits: IBig::from_parts(sign, digits), scale }))
    }
    pub fn is_zero(&self) -> bool {
        is_zero(&self.digits)
    }
    pub fn is_negative(&self) -> bool {
        self.digits.sign() == Sign::Negative
    }
    /// Is there anything but zeros behind the point?
    pub fn has_fraction(&self, work: &mut Work) -> Res<bool> {
        if self.scale == 0 || self.is_zero() {
            return Ok(false);
        }
        if u64::from(self.scale) > digit_count(&self.digits) {
            return Ok(true);
        }
        let unit = pow10(work, self.scale)?;
        Ok(!is_zero(&divided(work, &self.digits, &unit)?.1))
    }
    /// Cut to so many digits behind the point; never longer than before.
    pub fn cut(self, work: &mut Work, scale: u32) -> Res<Decimal> {
        if self.scale <= scale {
            return Ok(self);
        }
        let digits = if u64::from(self.scale - scale) > digit_count(&self.digits) + 1 {
            IBig::ZERO
        } else {
            let unit = pow10(work, self.scale - scale)?;
            divided(work, &self.digits, &unit)?.0
        };
        Ok(Decimal { digits, scale })
    }
    /// Without zeros at the end, but with at least so many digits behind the point.
    pub fn trimmed(self, work: &mut Work, least: u32) -> Res<Decimal> {
        let Decimal { mut digits, mut scale } = self;
        if is_zero(&digits) {
            return Ok(Decimal { digits, scale: scale.min(least) });
        }
        let text = shown(work, &digits)?;
        let zeros = text.iter().rev().take_while(|b| **b == b'0').count();
        let drop = u32::try_from(zeros).unwrap_or(u32::MAX).min(scale.saturating_sub(least));
        if drop > 0 {
            let unit = pow10(work, drop)?;
            digits = divided(work, &digits, &unit)?.0;
            scale -= drop;
        }
        Ok(Decimal { digits, scale })
    }
    /// With exactly so many digits behind the point, cut or filled with zeros. Zero has no sign.
    pub fn text(&self, work: &mut Work, scale: u32) -> Res<PStr> {
        let cut;
        let this = if self.scale > scale {
            cut = self.clone().cut(work, scale)?;
            &cut
        } else {
            self
        };
        let digits = shown(work, &this.digits)?;
        let own = this.scale as usize;
        let whole = digits.len().saturating_sub(own);
        let mut out = PStrBuilder::with_capacity(digits.len().max(own) + 3 + (scale as usize - own))?;
        if this.is_negative() {
            out.push(b'-')?;
        }
        if whole == 0 {
            out.push(b'0')?;
        } else {
            out.extend(&digits.as_bytes()[..whole])?;
        }
        if scale > 0 {
            out.push(b'.')?;
            out.fill(b'0', own.saturating_sub(digits.len()))?;
            out.extend(&digits.as_bytes()[whole..])?;
            out.fill(b'0', scale as usize - own)?;
        }
        Ok(out.finish())
    }
    /// Both with the same scale.
    fn aligned(&self, work: &mut Work, other: &Decimal) -> Res<(IBig, IBig, u32)> {
        let scale = self.scale.max(other.scale);
        Ok((shifted(work, &self.digits, scale - self.scale)?, shifted(work, &other.digits, scale - other.scale)?, scale))
    }
    pub fn add(&self, work: &mut Work, other: &Decimal) -> Res<Decimal> {
        let (a, b, scale) = self.aligned(work, other)?;
        Ok(Decimal { digits: a + b, scale })
    }
    pub fn sub(&self, work: &mut Work, other: &Decimal) -> Res<Decimal> {
        let (a, b, scale) = self.aligned(work, other)?;
        Ok(Decimal { digits: a - b, scale })
    }
    pub fn mul(&self, work: &mut Work, other: &Decimal) -> Res<Decimal> {
        let digits = multiplied(work, &self.digits, &other.digits)?;
        Ok(Decimal { digits, scale: self.scale.saturating_add(other.scale) })
    }
    /// None: division by zero.
    pub fn div(&self, work: &mut Work, other: &Decimal, scale: u32) -> Res<Option<Decimal>> {
        if other.is_zero() {
            return Ok(None);
        }
        if self.is_zero() {
            return Ok(Some(Decimal { digits: IBig::ZERO, scale }));
        }
        let (up, down) = (u64::from(scale) + u64::from(other.scale), u64::from(self.scale));
        let places = u32::try_from(up.abs_diff(down)).unwrap_or(u32::MAX);
        let digits = if up >= down {
            let dividend = shifted(work, &self.digits, places)?;
            divided(work, &dividend, &other.digits)?.0
        } else {
            let divisor = shifted(work, &other.digits, places)?;
            divided(work, &self.digits, &divisor)?.0
        };
        Ok(Some(Decimal { digits, scale }))
    }
    /// Quotient without a fraction, and the rest, which has the sign of `self`. None: division by zero.
    pub fn div_mod(&self, work: &mut Work, other: &Decimal) -> Res<Option<(Decimal, Decimal)>> {
        if other.is_zero() {
            return Ok(None);
        }
        let (a, b, scale) = self.aligned(work, other)?;
        let (quotient, rest) = divided(work, &a, &b)?;
        Ok(Some((Decimal { digits: quotient, scale: 0 }, Decimal { digits: rest, scale })))
    }
    /// `self` to the power of an exponent that is not negative, in full.
    pub fn pow(&self, work: &mut Work, exponent: u64) -> Res<Decimal> {
        if exponent == 0 {
            return Ok(Decimal::from_int(1));
        }
        let scale = u64::from(self.scale).saturating_mul(exponent);
        if self.is_zero() {
            return Ok(Decimal { digits: IBig::ZERO, scale: u32::try_from(scale).unwrap_or(u32::MAX) });
        }
        if self.digits.bit_len() == 1 {
            // One, with a sign.
            let digits = if exponent % 2 == 0 { IBig::from(1) } else { self.digits.clone() };
            if self.scale == 0 {
                return Ok(Decimal { digits, scale: 0 });
            }
        }
        let count = (self.digits.bit_len() as u64).saturating_mul(exponent) / 100 * 31;
        let (Ok(power), Ok(scale)) = (u32::try_from(exponent), u32::try_from(scale)) else { too_large(usize::MAX >> 1) };
        let digits = if count < LONG {
            self.digits.pow(power as usize)
        } else {
            let _charge = charge_of(count.saturating_add(u64::from(scale)))?;
            let sign = if exponent % 2 == 0 { Sign::Positive } else { self.digits.sign() };
            IBig::from_parts(sign, large::pow(work, &(&self.digits).unsigned_abs(), power as usize)?)
        };
        Ok(Decimal { digits, scale })
    }
    /// `self` to the power of `-exponent`, to so many digits. None: zero has none.
    pub fn pow_negative(&self, work: &mut Work, exponent: u64, scale: u32) -> Res<Option<Decimal>> {
        if self.is_zero() {
            return Ok(None);
        }
        // A power so large that nothing is left of its inverse need not be computed.
        let magnitude = (self.digits.bit_len() as u64).saturating_sub(1).saturating_mul(3) / 10;
        let whole = magnitude.saturating_sub(u64::from(self.scale) + 1);
        if self.scale == 0 && whole.saturating_mul(exponent) > u64::from(scale) + 1 {
            return Ok(Some(Decimal { digits: IBig::ZERO, scale }));
        }
        let power = self.pow(work, exponent)?;
        Decimal::from_int(1).div(work, &power, scale)
    }
    /// The square root to so many digits; `self` is not negative.
    pub fn sqrt(&self, work: &mut Work, scale: u32) -> Res<Decimal> {
        // sqrt(d / 10^s) = sqrt(d * 10^(2r - s)) / 10^r, with 2r at least s.
        let places = scale.max(self.scale.div_ceil(2));
        let shift = places.saturating_mul(2).saturating_sub(self.scale);
        let square = shifted(work, &self.digits, shift)?.unsigned_abs();
        let count = digit_count(&square);
        let digits = if count < LONG {
            square.sqrt()
        } else {
            let _charge = charge_of(count)?;
            large::sqrt(work, &square)?
        };
        Decimal { digits: digits.into(), scale: places }.cut(work, scale)
    }
    pub fn compare(&self, work: &mut Work, other: &Decimal) -> Res<Ordering> {
        if self.scale == other.scale {
            return Ok(self.digits.cmp(&other.digits));
        }
        let (a, b, _) = self.aligned(work, other)?;
        Ok(a.cmp(&b))
    }
    pub fn floor(&self, work: &mut Work) -> Res<Decimal> {
        self.round(work, 0, Rounding::NegativeInfinity)
    }
    pub fn ceil(&self, work: &mut Work) -> Res<Decimal> {
        self.round(work, 0, Rounding::PositiveInfinity)
    }
    /// Rounded to `precision` digits behind the point (before it when negative).
    pub fn round(&self, work: &mut Work, precision: i32, mode: Rounding) -> Res<Decimal> {
        let places = u32::try_from(precision).unwrap_or(0);
        let cut = i64::from(self.scale) - i64::from(precision);
        let Ok(cut) = u32::try_from(cut) else { return Ok(self.clone()) };
        if cut == 0 {
            return Ok(self.clone());
        }
        let tiny = u64::from(cut) > digit_count(&self.digits) + 1;
        let (quotient, rest, half) = if tiny {
            (IBig::ZERO, self.digits.clone(), Ordering::Less)
        } else {
            let unit = pow10(work, cut)?;
            let (quotient, rest) = divided(work, &self.digits, &unit)?;
            let doubled: IBig = IBig::from(rest.clone().unsigned_abs()) * 2;
            let half = doubled.cmp(&unit);
            (quotient, rest, half)
        };
        let negative = self.is_negative();
        let odd = quotient.bit(0);
        let away = !is_zero(&rest)
            && match mode {
                Rounding::HalfAwayFromZero => half != Ordering::Less,
                Rounding::HalfTowardsZero => half == Ordering::Greater,
                Rounding::HalfEven => half == Ordering::Greater || half == Ordering::Equal && odd,
                Rounding::HalfOdd => half == Ordering::Greater || half == Ordering::Equal && !odd,
                Rounding::TowardsZero => false,
                Rounding::AwayFromZero => true,
                Rounding::NegativeInfinity => negative,
                Rounding::PositiveInfinity => !negative,
            };
        let digits = match (away, negative) {
            (false, _) => quotient,
            (true, false) => quotient + 1,
            (true, true) => quotient - 1,
        };
        if precision < 0 && !is_zero(&digits) {
            return Ok(Decimal { digits: shifted(work, &digits, precision.unsigned_abs())?, scale: 0 });
        }
        Ok(Decimal { digits, scale: places })
    }
    /// The integer it is; None: it has a fraction, or does not fit.
    pub fn to_i64(&self, work: &mut Work) -> Res<Option<i64>> {
        Ok(i64::try_from(&self.clone().cut(work, 0)?.digits).ok())
    }
}

/// `base^exponent mod modulus` of numbers without fractions; the sign is that of the power. The modulus is not zero, the exponent not negative.
pub fn pow_mod(work: &mut Work, base: &Decimal, exponent: &Decimal, modulus: &Decimal) -> Res<Decimal> {
    let base = base.clone().cut(work, 0)?.digits;
    let exponent = exponent.clone().cut(work, 0)?.digits;
    let modulus = modulus.clone().cut(work, 0)?.digits.unsigned_abs();
    let sign = if exponent.bit(0) { base.sign() } else { Sign::Positive };
    let (base, exponent) = (base.unsigned_abs(), exponent.unsigned_abs());
    if modulus.is_one() {
        return Ok(Decimal::zero());
    }
    // It takes as many steps as the exponent has bits.
    let steps = digit_count(&modulus).saturating_mul(digit_count(&exponent));
    let power = if steps < LONG {
        ConstDivisor::new(modulus).reduce(base).pow(&exponent).residue()
    } else {
        let _charge = charge_of(digit_count(&modulus).saturating_mul(4).saturating_add(digit_count(&base)))?;
        large::pow_mod(work, &base, &exponent, modulus)?
    };
    Ok(Decimal { digits: IBig::from_parts(sign, power), scale: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(&mut Work::uninterrupted(), text.as_bytes()).unwrap().expect("a number")
    }

    #[test]
    fn parses_what_bc_parses() {
        for (text, scale) in [("", 0), ("-", 0), (".", 0), ("1.", 0), ("+1.50", 2), (".5", 1)] {
            assert_eq!(number(text).scale, scale, "{text}");
        }
        for text in [" 1", "1e1", "1,1", "a", "1 ", "--1", "1.1.1"] {
            assert!(Decimal::parse(&mut Work::uninterrupted(), text.as_bytes()).unwrap().is_none(), "{text}");
        }
    }

    #[test]
    fn sqrt_is_cut() {
        assert_eq!(number("2").sqrt(&mut Work::uninterrupted(), 3).unwrap().digits, IBig::from(1414));
        assert_eq!(number("0.09").sqrt(&mut Work::uninterrupted(), 0).unwrap().digits, IBig::from(0));
        assert_eq!(number("0.000009").sqrt(&mut Work::uninterrupted(), 1).unwrap().digits, IBig::from(0));
    }

    #[test]
    fn rounds_by_mode() {
        let cases = [("2.5", Rounding::HalfEven, 2), ("-2.5", Rounding::HalfAwayFromZero, -3), ("-0.1", Rounding::NegativeInfinity, -1)];
        for (text, mode, want) in cases {
            assert_eq!(number(text).round(&mut Work::uninterrupted(), 0, mode).unwrap().digits, IBig::from(want), "{text}");
        }
    }
}
