//! mt_rand and its relatives, random_int, random_bytes, lcg_value.

use crate::engine::{CombinedLcg, NoRandomness, RandomError, Secure};
use crate::mt19937::Mode;
use crate::{instance, range};
use jumbo_abi::{Cx, Level, PStr, Res, Stop};

/// The system has no randomness.
pub fn no_randomness(cx: &mut Cx) -> Stop {
    cx.throw("Random\\RandomException", Secure::MESSAGE)
}

/// Fills `bytes` with the system's randomness.
pub fn secure_bytes(cx: &mut Cx, bytes: &mut [u8]) -> Res<()> {
    Secure::fill(bytes).map_err(|NoRandomness| no_randomness(cx))
}

/// The mode of a seed; that of old PHP versions is deprecated.
pub(crate) fn mode(cx: &mut Cx, mode: i64) -> Res<Mode> {
    if mode != 1 {
        return Ok(Mode::Standard);
    }
    cx.raise(Level::Deprecated, b"The MT_RAND_PHP variant of Mt19937 is deprecated")?;
    Ok(Mode::Php)
}

pub fn mt_srand(cx: &mut Cx, seed: Option<i64>, mode_number: i64) -> Res<()> {
    let mode = mode(cx, mode_number)?;
    let seed = seed.map_or_else(instance::chance, |seed| seed as u32);
    instance::seed(cx, seed, mode);
    Ok(())
}

pub fn getrandmax(_cx: &mut Cx) -> i64 {
    2_147_483_647
}

pub fn mt_rand(cx: &mut Cx, min: Option<i64>, max: Option<i64>) -> Res<i64> {
    let Some((min, max)) = min.zip(max) else { return Ok(instance::shared(cx).next_positive()) };
    if max < min {
        return Err(cx.arg_value_error(2, "must be greater than or equal to argument #1 ($min)"));
    }
    Ok(instance::shared(cx).next_in(min, max))
}

pub fn rand(cx: &mut Cx, min: Option<i64>, max: Option<i64>) -> Res<i64> {
    match min.zip(max) {
        None => Ok(instance::shared(cx).next_positive()),
        Some((from, to)) => Ok(instance::shared(cx).next_in_any_order(from, to)),
    }
}

pub fn random_bytes(cx: &mut Cx, length: i64) -> Res<PStr> {
    let Some(length) = usize::try_from(length).ok().filter(|&l| l > 0) else {
        return Err(cx.arg_value_error(1, "must be greater than 0"));
    };
    let mut filled = Ok(());
    let bytes = PStr::build(length, |out| filled = Secure::fill(out));
    filled.map_err(|NoRandomness| no_randomness(cx))?;
    Ok(bytes)
}

pub fn random_int(cx: &mut Cx, min: i64, max: i64) -> Res<i64> {
    if min > max {
        return Err(cx.arg_value_error(1, "must be less than or equal to argument #2 ($max)"));
    }
    range::range(&mut Secure, min, max).map_err(|error| match error {
        RandomError::Engine(NoRandomness) => no_randomness(cx),
        RandomError::Attempts => cx.throw("Random\\BrokenRandomEngineError", RandomError::<Stop>::ATTEMPTS_MESSAGE),
    })
}

/// The state of lcg_value in an instance.
#[derive(Default)]
struct Lcg(Option<CombinedLcg>);

pub fn lcg_value(cx: &mut Cx) -> Res<f64> {
    let seeded = match cx.state::<Lcg>().0 {
        Some(lcg) => Ok(lcg),
        None => CombinedLcg::seeded(),
    };
    let mut lcg = seeded.map_err(|NoRandomness| no_randomness(cx))?;
    let value = lcg.next_value();
    cx.state::<Lcg>().0 = Some(lcg);
    Ok(value)
}
