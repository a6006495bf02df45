//! Uniform integers by rejection, exactly as PHP draws them.

use crate::engine::{ATTEMPTS_MAX, Engine, RandomError, gather};

/// A number between `min` and `max`, both included; `min` is not above `max`.
pub fn range<E: Engine>(engine: &mut E, min: i64, max: i64) -> Result<i64, RandomError<E::Error>> {
    let span = max.wrapping_sub(min).cast_unsigned();
    let offset = match u32::try_from(span) {
        Ok(span) => u64::from(up_to_u32(engine, span)?),
        Err(_) => up_to_u64(engine, span)?,
    };
    Ok(min.wrapping_add(offset.cast_signed()))
}

/// A number from 0 to `max`, out of 32 bits at a time.
fn up_to_u32<E: Engine>(engine: &mut E, max: u32) -> Result<u32, RandomError<E::Error>> {
    let mut draw = || gather(engine, 4).map(|bits| bits as u32);
    let bits = draw()?;
    let Some(count) = max.checked_add(1) else {
        return Ok(bits);
    };
    if count.is_power_of_two() {
        return Ok(bits & max);
    }
    let limit = u32::MAX - u32::MAX % count - 1;
    reject(bits, limit, draw).map(|bits| bits % count)
}

/// A number from 0 to `max`, out of 64 bits at a time.
pub(crate) fn up_to_u64<E: Engine>(engine: &mut E, max: u64) -> Result<u64, RandomError<E::Error>> {
    let mut draw = || gather(engine, 8);
    let bits = draw()?;
    let Some(count) = max.checked_add(1) else {
        return Ok(bits);
    };
    if count.is_power_of_two() {
        return Ok(bits & max);
    }
    let limit = u64::MAX - u64::MAX % count - 1;
    reject(bits, limit, draw).map(|bits| bits % count)
}

/// Draws again while the bits are above `limit`.
fn reject<T: PartialOrd, E>(
    mut bits: T,
    limit: T,
    mut draw: impl FnMut() -> Result<T, RandomError<E>>,
) -> Result<T, RandomError<E>> {
    let mut attempts = 0;
    while bits > limit {
        attempts += 1;
        if attempts > ATTEMPTS_MAX {
            return Err(RandomError::Attempts);
        }
        bits = draw()?;
    }
    Ok(bits)
}
