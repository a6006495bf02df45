//! Decimal numbers of any length: an integer and how many of its digits stand behind the point.
//!
//! All results are cut towards zero where digits are lost, as bc does. Hazard: a few characters can ask for gigabytes (scales and exponents up
//! to 2^31), so what grows with them is charged to the request before it is made.

use jumbo_value::heap::{Heap, too_large};
use jumbo_value::{OutOfMemory, PStrBuilder};
use jumbo_value::PStr;
use dashu_int::fast_div::ConstDivisor;
use dashu_int::ops::{BitTest, DivRem, SquareRoot, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig};
use jumbo_abi::Work;
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

/// Digits from which a computation is not made between the turns of other scripts.
const LONG: u64 = 5_000;

/// Computes with numbers of so many digits altogether: long ones on a thread of their own. They are charged while that lasts.
fn computed<T: Send + 'static>(work: &mut Work, digits: u64, computation: impl FnOnce() -> T + Send + 'static) -> T {
    if digits < LONG {
        return computation();
    }
    let _charge = Charge::digits(digits);
    work.compute(computation)
}

fn pow10(n: u32) -> IBig {
    IBig::from(10).pow(n as usize)
}

/// `digits * 10^n`
fn shifted(digits: &IBig, n: u32) -> IBig {
    if n == 0 || is_zero(digits) { digits.clone() } else { digits * pow10(n) }
}

fn is_zero(digits: &IBig) -> bool {
    digits.is_zero()
}

/// Decimal digits of a number, at most.
fn digit_count(digits: &impl BitTest) -> u64 {
    digits.bit_len() as u64 * 31 / 100 + 1
}

/// The decimal digits, without a sign.
fn shown(work: &mut Work, digits: &IBig) -> String {
    let digits = digits.clone().unsigned_abs();
    computed(work, digit_count(&digits), move || digits.to_string())
}

impl Decimal {
    pub fn zero() -> Decimal {
        Decimal { digits: IBig::ZERO, scale: 0 }
    }
    pub fn from_int(n: i64) -> Decimal {
        Decimal { digits: IBig::from(n), scale: 0 }
    }
    /// A sign, digits, a point and digits, each of which may be missing. None: anything else.
    pub fn parse(work: &mut Work, text: &[u8]) -> Option<Decimal> {
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
        let all = String::from_utf8([whole, fraction].concat()).ok()?;
        let digits = if all.is_empty() { UBig::ZERO } else { computed(work, all.len() as u64, move || UBig::from_str_radix(&all, 10)).ok()? };
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        Some(Decimal { digits: IBig::from_parts(sign, digits), scale })
    }
    pub fn is_zero(&self) -> bool {
        is_zero(&self.digits)
    }
    pub fn is_negative(&self) -> bool {
        self.digits.sign() == Sign::Negative
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
            IBig::ZERO
        } else {
            self.digits / pow10(self.scale - scale)
        };
        Decimal { digits, scale }
    }
    /// Without zeros at the end, but with at least so many digits behind the point.
    pub fn trimmed(self, work: &mut Work, least: u32) -> Decimal {
        let Decimal { mut digits, mut scale } = self;
        if is_zero(&digits) {
            return Decimal { digits, scale: scale.min(least) };
        }
        let text = shown(work, &digits);
        let zeros = text.bytes().rev().take_while(|b| *b == b'0').count();
        let drop = u32::try_from(zeros).unwrap_or(u32::MAX).min(scale.saturating_sub(least));
        if drop > 0 {
            digits /= pow10(drop);
            scale -= drop;
        }
        Decimal { digits, scale }
    }
    /// With exactly so many digits behind the point, cut or filled with zeros. Zero has no sign.
    pub fn text(&self, work: &mut Work, scale: u32) -> Result<PStr, OutOfMemory> {
        let cut;
        let this = if self.scale > scale {
            cut = self.clone().cut(scale);
            &cut
        } else {
            self
        };
        let digits = shown(work, &this.digits);
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
    fn aligned(&self, other: &Decimal) -> (IBig, IBig, u32) {
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
    pub fn mul(&self, work: &mut Work, other: &Decimal) -> Decimal {
        let (a, b) = (self.digits.clone(), other.digits.clone());
        let digits = computed(work, digit_count(&a) + digit_count(&b), move || a * b);
        Decimal { digits, scale: self.scale.saturating_add(other.scale) }
    }
    /// None: division by zero.
    pub fn div(&self, work: &mut Work, other: &Decimal, scale: u32) -> Option<Decimal> {
        if other.is_zero() {
            return None;
        }
        if self.is_zero() {
            return Some(Decimal { digits: IBig::ZERO, scale });
        }
        let (up, down) = (u64::from(scale) + u64::from(other.scale), u64::from(self.scale));
        let (a, b) = (self.digits.clone(), other.digits.clone());
        let digits = computed(work, digit_count(&a) + digit_count(&b) + up.abs_diff(down), move || {
            let places = u32::try_from(up.abs_diff(down)).unwrap_or(u32::MAX);
            if up >= down { shifted(&a, places) / b } else { a / shifted(&b, places) }
        });
        Some(Decimal { digits, scale })
    }
    /// Quotient without a fraction, and the rest, which has the sign of `self`. None: division by zero.
    pub fn div_mod(&self, work: &mut Work, other: &Decimal) -> Option<(Decimal, Decimal)> {
        if other.is_zero() {
            return None;
        }
        let (a, b, scale) = self.aligned(other);
        let (quotient, rest) = computed(work, digit_count(&a) + digit_count(&b), move || a.div_rem(b));
        Some((Decimal { digits: quotient, scale: 0 }, Decimal { digits: rest, scale }))
    }
    /// `self` to the power of an exponent that is not negative, in full.
    pub fn pow(&self, work: &mut Work, exponent: u64) -> Decimal {
        if exponent == 0 {
            return Decimal::from_int(1);
        }
        let scale = u64::from(self.scale).saturating_mul(exponent);
        if self.is_zero() {
            return Decimal { digits: IBig::ZERO, scale: u32::try_from(scale).unwrap_or(u32::MAX) };
        }
        if self.digits.bit_len() == 1 {
            // One, with a sign.
            let digits = if exponent % 2 == 0 { IBig::from(1) } else { self.digits.clone() };
            if self.scale == 0 {
                return Decimal { digits, scale: 0 };
            }
        }
        let bytes = (self.digits.bit_len() as u64).saturating_mul(exponent) / 8;
        let (Ok(power), Ok(scale)) = (u32::try_from(exponent), u32::try_from(scale)) else { too_large(usize::MAX >> 1) };
        let base = self.digits.clone();
        let digits = computed(work, bytes.saturating_add(u64::from(scale)), move || base.pow(power as usize));
        Decimal { digits, scale }
    }
    /// `self` to the power of `-exponent`, to so many digits. None: zero has none.
    pub fn pow_negative(&self, work: &mut Work, exponent: u64, scale: u32) -> Option<Decimal> {
        if self.is_zero() {
            return None;
        }
        // A power so large that nothing is left of its inverse need not be computed.
        let magnitude = (self.digits.bit_len() as u64).saturating_sub(1).saturating_mul(3) / 10;
        let whole = magnitude.saturating_sub(u64::from(self.scale) + 1);
        if self.scale == 0 && whole.saturating_mul(exponent) > u64::from(scale) + 1 {
            return Some(Decimal { digits: IBig::ZERO, scale });
        }
        let power = self.pow(work, exponent);
        Decimal::from_int(1).div(work, &power, scale)
    }
    /// The square root to so many digits; `self` is not negative.
    pub fn sqrt(&self, work: &mut Work, scale: u32) -> Decimal {
        // sqrt(d / 10^s) = sqrt(d * 10^(2r - s)) / 10^r, with 2r at least s.
        let places = scale.max(self.scale.div_ceil(2));
        let shift = places.saturating_mul(2).saturating_sub(self.scale);
        let square = self.digits.clone();
        let digits = computed(work, digit_count(&square) + u64::from(shift), move || shifted(&square, shift).unsigned_abs().sqrt());
        Decimal { digits: digits.into(), scale: places }.cut(scale)
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
            (IBig::ZERO, self.digits.clone(), Ordering::Less)
        } else {
            let unit = pow10(cut);
            let (quotient, rest) = (&self.digits / &unit, &self.digits % &unit);
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
pub fn pow_mod(work: &mut Work, base: &Decimal, exponent: &Decimal, modulus: &Decimal) -> Decimal {
    let [base, exponent, modulus] = [base, exponent, modulus].map(|d| d.clone().cut(0).digits);
    let sign = if exponent.bit(0) { base.sign() } else { Sign::Positive };
    let [base, exponent, modulus] = [base, exponent, modulus].map(IBig::unsigned_abs);
    if modulus.is_one() {
        return Decimal::zero();
    }
    // It takes as many steps as the exponent has bits.
    let digits = digit_count(&modulus) * digit_count(&exponent);
    let power = computed(work, digits, move || ConstDivisor::new(modulus).reduce(base).pow(&exponent).residue());
    Decimal { digits: IBig::from_parts(sign, power), scale: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Decimal {
        Decimal::parse(&mut Work::uninterrupted(), text.as_bytes()).expect("a number")
    }

    #[test]
    fn parses_what_bc_parses() {
        for (text, scale) in [("", 0), ("-", 0), (".", 0), ("1.", 0), ("+1.50", 2), (".5", 1)] {
            assert_eq!(number(text).scale, scale, "{text}");
        }
        for text in [" 1", "1e1", "1,1", "a", "1 ", "--1", "1.1.1"] {
            assert!(Decimal::parse(&mut Work::uninterrupted(), text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn sqrt_is_cut() {
        assert_eq!(number("2").sqrt(&mut Work::uninterrupted(), 3).digits, IBig::from(1414));
        assert_eq!(number("0.09").sqrt(&mut Work::uninterrupted(), 0).digits, IBig::from(0));
        assert_eq!(number("0.000009").sqrt(&mut Work::uninterrupted(), 1).digits, IBig::from(0));
    }

    #[test]
    fn rounds_by_mode() {
        let cases = [("2.5", Rounding::HalfEven, 2), ("-2.5", Rounding::HalfAwayFromZero, -3), ("-0.1", Rounding::NegativeInfinity, -1)];
        for (text, mode, want) in cases {
            assert_eq!(number(text).round(0, mode).digits, IBig::from(want), "{text}");
        }
    }
}
