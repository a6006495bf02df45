//! Decimal numbers of any length: an integer and how many of its digits stand behind the point.
//!
//! All results are cut towards zero where digits are lost, as bc does. Hazard: a few characters can ask for gigabytes (scales and exponents up
//! to 2^31), so what grows with them is charged to the request before it is made.

use jumbo_value::heap::{Heap, too_large};
use jumbo_value::{OutOfMemory, PStrBuilder};
use jumbo_value::PStr;
use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;

/// `digits / 10^scale`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    pub digits: BigInt,
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

/// Memory that a computation holds, counted in the request's heap as long as this lives.
struct Charge(usize);

impl Charge {
    fn new(bytes: usize) -> Charge {
        if bytes > isize::MAX as usize {
            too_large(bytes);
        }
        Heap::charge_current(bytes);
        Charge(bytes)
    }
    /// For a number of so many decimal digits and what is computed from it.
    fn digits(count: u64) -> Charge {
        Charge::new(usize::try_from(count).unwrap_or(usize::MAX))
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        Heap::uncharge_current(self.0);
    }
}

fn pow10(n: u32) -> BigInt {
    BigInt::from(10).pow(n)
}

/// `digits * 10^n`
fn shifted(digits: &BigInt, n: u32) -> BigInt {
    if n == 0 || is_zero(digits) { digits.clone() } else { digits * pow10(n) }
}

fn is_zero(digits: &BigInt) -> bool {
    digits.sign() == Sign::NoSign
}

/// Decimal digits of a number, at most.
fn digit_count(digits: &BigInt) -> u64 {
    digits.bits() * 31 / 100 + 1
}

impl Decimal {
    pub fn zero() -> Decimal {
        Decimal { digits: BigInt::ZERO, scale: 0 }
    }
    pub fn from_int(n: i64) -> Decimal {
        Decimal { digits: BigInt::from(n), scale: 0 }
    }
    /// A sign, digits, a point and digits, each of which may be missing. None: anything else.
    pub fn parse(text: &[u8]) -> Option<Decimal> {
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
            return None;
        }
        let scale = u32::try_from(fraction.len()).ok()?;
        let all = [whole, fraction].concat();
        let digits = if all.is_empty() { BigInt::ZERO } else { BigInt::parse_bytes(&all, 10)? };
        Some(Decimal { digits: if negative { -digits } else { digits }, scale })
    }
    pub fn is_zero(&self) -> bool {
        is_zero(&self.digits)
    }
    pub fn is_negative(&self) -> bool {
        self.digits.sign() == Sign::Minus
    }
    /// Is there anything but zeros behind the point?
    pub fn has_fraction(&self) -> bool {
        self.scale > 0 && !is_zero(&(&self.digits % pow10(self.scale)))
    }
    /// Cut to so many digits behind the point; never longer than before.
    pub fn cut(self, scale: u32) -> Decimal {
        if self.scale <= scale {
            return self;
        }
        let digits = if u64::from(self.scale - scale) > digit_count(&self.digits) + 1 {
            BigInt::ZERO
        } else {
            self.digits / pow10(self.scale - scale)
        };
        Decimal { digits, scale }
    }
    /// Without zeros at the end, but with at least so many digits behind the point.
    pub fn trimmed(self, least: u32) -> Decimal {
        let Decimal { mut digits, mut scale } = self;
        if is_zero(&digits) {
            return Decimal { digits, scale: scale.min(least) };
        }
        let text = digits.to_str_radix(10);
        let zeros = text.bytes().rev().take_while(|b| *b == b'0').count();
        let drop = u32::try_from(zeros).unwrap_or(u32::MAX).min(scale.saturating_sub(least));
        if drop > 0 {
            digits /= pow10(drop);
            scale -= drop;
        }
        Decimal { digits, scale }
    }
    /// With exactly so many digits behind the point, cut or filled with zeros. Zero has no sign.
    pub fn text(&self, scale: u32) -> Result<PStr, OutOfMemory> {
        let cut;
        let this = if self.scale > scale {
            cut = self.clone().cut(scale);
            &cut
        } else {
            self
        };
        let digits = this.digits.magnitude().to_str_radix(10);
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
    fn aligned(&self, other: &Decimal) -> (BigInt, BigInt, u32) {
        let scale = self.scale.max(other.scale);
        (shifted(&self.digits, scale - self.scale), shifted(&other.digits, scale - other.scale), scale)
    }
    pub fn add(&self, other: &Decimal) -> Decimal {
        let (a, b, scale) = self.aligned(other);
        Decimal { digits: a + b, scale }
    }
    pub fn sub(&self, other: &Decimal) -> Decimal {
        let (a, b, scale) = self.aligned(other);
        Decimal { digits: a - b, scale }
    }
    pub fn mul(&self, other: &Decimal) -> Decimal {
        Decimal { digits: &self.digits * &other.digits, scale: self.scale.saturating_add(other.scale) }
    }
    /// None: division by zero.
    pub fn div(&self, other: &Decimal, scale: u32) -> Option<Decimal> {
        if other.is_zero() {
            return None;
        }
        if self.is_zero() {
            return Some(Decimal { digits: BigInt::ZERO, scale });
        }
        let _charge = Charge::digits(u64::from(scale) + u64::from(other.scale));
        let (up, down) = (u64::from(scale) + u64::from(other.scale), u64::from(self.scale));
        let digits = if up >= down {
            shifted(&self.digits, u32::try_from(up - down).unwrap_or(u32::MAX)) / &other.digits
        } else {
            &self.digits / shifted(&other.digits, u32::try_from(down - up).unwrap_or(u32::MAX))
        };
        Some(Decimal { digits, scale })
    }
    /// Quotient without a fraction, and the rest, which has the sign of `self`. None: division by zero.
    pub fn div_mod(&self, other: &Decimal) -> Option<(Decimal, Decimal)> {
        if other.is_zero() {
            return None;
        }
        let (a, b, scale) = self.aligned(other);
        let quotient = &a / &b;
        let rest = a - &quotient * b;
        Some((Decimal { digits: quotient, scale: 0 }, Decimal { digits: rest, scale }))
    }
    /// `self` to the power of an exponent that is not negative, in full.
    pub fn pow(&self, exponent: u64) -> Decimal {
        if exponent == 0 {
            return Decimal::from_int(1);
        }
        let scale = u64::from(self.scale).saturating_mul(exponent);
        if self.is_zero() {
            return Decimal { digits: BigInt::ZERO, scale: u32::try_from(scale).unwrap_or(u32::MAX) };
        }
        if self.digits.magnitude().bits() == 1 {
            // One, with a sign.
            let digits = if exponent % 2 == 0 { BigInt::from(1) } else { self.digits.clone() };
            if self.scale == 0 {
                return Decimal { digits, scale: 0 };
            }
        }
        let bytes = self.digits.bits().saturating_mul(exponent) / 8;
        let _charge = Charge::digits(bytes.saturating_add(scale));
        let (Ok(exponent), Ok(scale)) = (u32::try_from(exponent), u32::try_from(scale)) else { too_large(usize::MAX >> 1) };
        Decimal { digits: self.digits.pow(exponent), scale }
    }
    /// `self` to the power of `-exponent`, to so many digits. None: zero has none.
    pub fn pow_negative(&self, exponent: u64, scale: u32) -> Option<Decimal> {
        if self.is_zero() {
            return None;
        }
        // A power so large that nothing is left of its inverse need not be computed.
        let magnitude = self.digits.bits().saturating_sub(1).saturating_mul(3) / 10;
        let whole = magnitude.saturating_sub(u64::from(self.scale) + 1);
        if self.scale == 0 && whole.saturating_mul(exponent) > u64::from(scale) + 1 {
            return Some(Decimal { digits: BigInt::ZERO, scale });
        }
        Decimal::from_int(1).div(&self.pow(exponent), scale)
    }
    /// The square root to so many digits; `self` is not negative.
    pub fn sqrt(&self, scale: u32) -> Decimal {
        let _charge = Charge::digits(u64::from(scale) * 2);
        // sqrt(d / 10^s) = sqrt(d * 10^(2r - s)) / 10^r, with 2r at least s.
        let places = scale.max(self.scale.div_ceil(2));
        let digits = shifted(&self.digits, (places.saturating_mul(2)).saturating_sub(self.scale)).sqrt();
        Decimal { digits, scale: places }.cut(scale)
    }
    pub fn compare(&self, other: &Decimal) -> Ordering {
        if self.scale == other.scale {
            return self.digits.cmp(&other.digits);
        }
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }
    pub fn floor(&self) -> Decimal {
        self.round(0, Rounding::NegativeInfinity)
    }
    pub fn ceil(&self) -> Decimal {
        self.round(0, Rounding::PositiveInfinity)
    }
    /// Rounded to `precision` digits behind the point (before it when negative).
    pub fn round(&self, precision: i32, mode: Rounding) -> Decimal {
        let places = u32::try_from(precision).unwrap_or(0);
        let cut = i64::from(self.scale) - i64::from(precision);
        let Ok(cut) = u32::try_from(cut) else { return Decimal { digits: self.digits.clone(), scale: self.scale } };
        if cut == 0 {
            return self.clone();
        }
        let tiny = u64::from(cut) > digit_count(&self.digits) + 1;
        let (quotient, rest, half) = if tiny {
            (BigInt::ZERO, self.digits.clone(), Ordering::Less)
        } else {
            let unit = pow10(cut);
            let (quotient, rest) = (&self.digits / &unit, &self.digits % &unit);
            let doubled: BigInt = BigInt::from(rest.magnitude().clone()) * 2;
            let half = doubled.cmp(&unit);
            (quotient, rest, half)
        };
        let negative = self.is_negative();
        let odd = quotient.magnitude().bit(0);
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
            let _charge = Charge::digits(u64::from(precision.unsigned_abs()));
            return Decimal { digits: shifted(&digits, precision.unsigned_abs()), scale: 0 };
        }
        Decimal { digits, scale: places }
    }
    /// The integer it is; None: it has a fraction, or does not fit.
    pub fn to_i64(&self) -> Option<i64> {
        i64::try_from(&self.clone().cut(0).digits).ok()
    }
}

/// `base^exponent mod modulus` of numbers without fractions; the sign is that of the power. The modulus is not zero, the exponent not negative.
pub fn pow_mod(base: &Decimal, exponent: &Decimal, modulus: &Decimal) -> Decimal {
    let [base, exponent, modulus] = [base, exponent, modulus].map(|d| d.clone().cut(0).digits);
    let power = base.magnitude().modpow(exponent.magnitude(), modulus.magnitude());
    let negative = base.sign() == Sign::Minus && exponent.magnitude().bit(0);
    let power = BigInt::from(power);
    Decimal { digits: if negative { -power } else { power }, scale: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text.as_bytes()).expect("a number")
    }

    #[test]
    fn parses_what_bc_parses() {
        for (text, scale) in [("", 0), ("-", 0), (".", 0), ("1.", 0), ("+1.50", 2), (".5", 1)] {
            assert_eq!(number(text).scale, scale, "{text}");
        }
        for text in [" 1", "1e1", "1,1", "a", "1 ", "--1", "1.1.1"] {
            assert!(Decimal::parse(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn sqrt_is_cut() {
        assert_eq!(number("2").sqrt(3).digits, BigInt::from(1414));
        assert_eq!(number("0.09").sqrt(0).digits, BigInt::from(0));
        assert_eq!(number("0.000009").sqrt(1).digits, BigInt::from(0));
    }

    #[test]
    fn rounds_by_mode() {
        let cases = [("2.5", Rounding::HalfEven, 2), ("-2.5", Rounding::HalfAwayFromZero, -3), ("-0.1", Rounding::NegativeInfinity, -1)];
        for (text, mode, want) in cases {
            assert_eq!(number(text).round(0, mode).digits, BigInt::from(want), "{text}");
        }
    }
}
