//! Uniform floats: Randomizer::nextFloat, and getFloat by the gamma-section method (Goualard, "Drawing random
//! floating-point numbers from an interval", 2022), in which all results are equally far apart.

use crate::engine::{Engine, RandomError, gather};
use crate::range::up_to_u64;

/// Random\IntervalBoundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    ClosedOpen,
    ClosedClosed,
    OpenClosed,
    OpenOpen,
}

/// A float in [0, 1) with 53 random bits.
pub fn next_float<E: Engine>(engine: &mut E) -> Result<f64, RandomError<E::Error>> {
    let bits = gather(engine, 8)?;
    Ok((bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64))
}

/// The greater of the two distances between floats at the ends of the interval.
fn spacing(min: f64, max: f64) -> f64 {
    if min.abs() > max.abs() {
        min.next_up() - min
    } else {
        max - max.next_down()
    }
}

/// How many steps of `step` lead from `min` to `max`, rounded up, with the rounding of the division made good.
fn steps(min: f64, max: f64, step: f64) -> u64 {
    let sum = max / step - min / step;
    let error = if min.abs() <= max.abs() {
        -min / step - (sum - max / step)
    } else {
        max / step - (sum + min / step)
    };
    let ceiling = sum.ceil();
    if sum == ceiling {
        ceiling as u64 + u64::from(error > 0.0)
    } else {
        ceiling as u64
    }
}

/// `base + count * step` without the product overflowing or rounding early.
fn walk(base: f64, count: u64, step: f64) -> f64 {
    let (quarters, rest) = (count >> 2, count & 3);
    4.0 * (base * 0.25 + quarters as f64 * step) + rest as f64 * step
}

/// A float between `min` and `max`, which are finite. `None` when the interval has no float to give (PHP throws "The
/// given interval is empty, there are no floats between argument #1 ($min) and argument #2 ($max)").
pub fn float_in<E: Engine>(
    engine: &mut E,
    min: f64,
    max: f64,
    boundary: Boundary,
) -> Result<Option<f64>, RandomError<E::Error>> {
    if max < min || max == min && boundary != Boundary::ClosedClosed {
        return Ok(None);
    }
    if max == min {
        return Ok(Some(min));
    }
    let step = spacing(min, max);
    let count = steps(min, max, step);
    // How many places there are, and which of them is the first counted from the larger end.
    let (places, first) = match boundary {
        Boundary::ClosedOpen => (Some(count), 1),
        Boundary::ClosedClosed => (count.checked_add(1), 0),
        Boundary::OpenClosed => (Some(count), 0),
        Boundary::OpenOpen => (count.checked_sub(1), 1),
    };
    let last = match places {
        Some(0) => return Ok(None),
        Some(places) => places - 1,
        None if boundary == Boundary::OpenOpen => return Ok(None),
        None => u64::MAX,
    };
    let place = first + up_to_u64(engine, last)?;
    Ok(Some(if min.abs() <= max.abs() {
        let is_end =
            place == count && matches!(boundary, Boundary::ClosedOpen | Boundary::ClosedClosed);
        if is_end { min } else { walk(max, place, -step) }
    } else {
        match boundary {
            Boundary::ClosedOpen => walk(min, place - 1, step),
            Boundary::ClosedClosed if place == count => max,
            Boundary::OpenClosed if place == count - 1 => max,
            Boundary::OpenClosed => walk(min, place + 1, step),
            Boundary::ClosedClosed | Boundary::OpenOpen => walk(min, place, step),
        }
    }))
}
