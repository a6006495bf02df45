//! Shuffling, picking keys, and bytes: shuffle, str_shuffle, array_rand, and the methods of Random\Randomizer.

use crate::engine::{ATTEMPTS_MAX, Engine, RandomError};
use crate::range::range;
use std::ops::Range;

/// The index drawn from 0 up to `last`.
fn index<E: Engine>(engine: &mut E, last: usize) -> Result<usize, RandomError<E::Error>> {
    // A count of things in memory fits an i64, and the result is at most `last`.
    let last = i64::try_from(last).unwrap_or(i64::MAX);
    range(engine, 0, last).map(|index| usize::try_from(index).unwrap_or(0))
}

/// Shuffles `count` things by swapping two of them at a time: shuffle, str_shuffle, shuffleArray, shuffleBytes.
pub fn shuffle<E: Engine>(
    engine: &mut E,
    count: usize,
    mut swap: impl FnMut(usize, usize),
) -> Result<(), RandomError<E::Error>> {
    for last in (1..count).rev() {
        let other = index(engine, last)?;
        if other != last {
            swap(last, other);
        }
    }
    Ok(())
}

/// The part of [`shuffle`] that swaps what is at these places, the last of them first.
pub fn shuffle_places<E: Engine>(
    engine: &mut E,
    places: Range<usize>,
    mut swap: impl FnMut(usize, usize),
) -> Result<(), RandomError<E::Error>> {
    for last in places.rev() {
        let other = index(engine, last)?;
        if other != last {
            swap(last, other);
        }
    }
    Ok(())
}

/// Picks `wanted` (1 to `count`) of `count` places, in order: array_rand and pickArrayKeys, for arrays without holes.
pub fn pick<E: Engine>(
    engine: &mut E,
    count: usize,
    wanted: usize,
) -> Result<Vec<usize>, RandomError<E::Error>> {
    if count == 0 || wanted == 0 {
        return Ok(Vec::new());
    }
    if wanted == 1 {
        return Ok(vec![index(engine, count - 1)?]);
    }
    // The smaller part is drawn: what is taken, or what is left.
    let draws_rest = wanted > count / 2;
    let mut left = if draws_rest {
        count.saturating_sub(wanted)
    } else {
        wanted
    };
    let mut drawn = vec![false; count];
    let mut attempts = 0;
    while left > 0 {
        let place = index(engine, count - 1)?;
        if drawn[place] {
            attempts += 1;
            if attempts > ATTEMPTS_MAX {
                return Err(RandomError::Attempts);
            }
        } else {
            drawn[place] = true;
            left -= 1;
            attempts = 0;
        }
    }
    Ok((0..count)
        .filter(|&place| drawn[place] != draws_rest)
        .collect())
}

/// Randomizer::getBytes fills `out`: what is left of an output is dropped.
pub fn bytes<E: Engine>(engine: &mut E, out: &mut [u8]) -> Result<(), RandomError<E::Error>> {
    let mut rest = out;
    while !rest.is_empty() {
        let generated = engine.generate().map_err(RandomError::Engine)?;
        let (piece, tail) = rest.split_at_mut(generated.bytes.clamp(1, 8).min(rest.len()));
        piece.copy_from_slice(&generated.value.to_le_bytes()[..piece.len()]);
        rest = tail;
    }
    Ok(())
}

/// Randomizer::getBytesFromString fills `out`; `source` is not empty.
pub fn bytes_from_string<E: Engine>(
    engine: &mut E,
    source: &[u8],
    out: &mut [u8],
) -> Result<(), RandomError<E::Error>> {
    let Some(last) = source.len().checked_sub(1) else {
        return Ok(());
    };
    if last > 0xff {
        for place in out {
            *place = source[index(engine, last)?];
        }
        return Ok(());
    }
    // Each byte of an output is cut to the bits that are needed, and rejected when it is too great.
    let mask = (last + 1).next_power_of_two() - 1;
    let (mut attempts, mut at) = (0, 0);
    while at < out.len() {
        let generated = engine.generate().map_err(RandomError::Engine)?;
        let wanted = generated.bytes.clamp(1, 8);
        for byte in &generated.value.to_le_bytes()[..wanted] {
            match source.get(usize::from(*byte) & mask) {
                Some(&picked) => {
                    attempts = 0;
                    out[at] = picked;
                    at += 1;
                    if at == out.len() {
                        break;
                    }
                }
                None => {
                    attempts += 1;
                    if attempts > ATTEMPTS_MAX {
                        return Err(RandomError::Attempts);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Randomizer::nextInt: an output without its lowest bit.
pub fn next_int<E: Engine>(engine: &mut E) -> Result<i64, RandomError<E::Error>> {
    let generated = engine.generate().map_err(RandomError::Engine)?;
    Ok((generated.value >> 1).cast_signed())
}
