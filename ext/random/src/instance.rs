//! The instance's own generator, which mt_rand, shuffle, array_rand and str_shuffle share.

use crate::engine::Secure;
use crate::mt19937::{Mode, Mt19937};
use crate::pick;
use jumbo_abi::{Cx, Res};

/// Absent until the first number is asked for: then it is seeded by chance.
#[derive(Default)]
struct Shared(Option<Mt19937>);

/// The generator of this instance.
pub fn shared(cx: &mut Cx) -> &mut Mt19937 {
    cx.state::<Shared>().0.get_or_insert_with(|| Mt19937::new(chance(), Mode::Standard))
}

/// `mt_srand`.
pub fn seed(cx: &mut Cx, seed: u32, mode: Mode) {
    cx.state::<Shared>().0 = Some(Mt19937::new(seed, mode));
}

/// A seed that cannot be foreseen; the time when the system has no randomness.
pub fn chance() -> u32 {
    let mut bytes = [0; 4];
    match Secure::fill(&mut bytes) {
        Ok(()) => u32::from_le_bytes(bytes),
        Err(_) => std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |t| t.subsec_nanos()),
    }
}

/// How many things are moved between two safepoints.
pub const PLACES_MAX: usize = 16 << 10;

/// Shuffles `count` things with the instance's generator: `swap` exchanges two of them. PHP code may run in between.
#[inline]
pub fn shuffle(cx: &mut Cx, count: usize, swap: impl FnMut(usize, usize)) -> Res<()> {
    if count > PLACES_MAX {
        return shuffle_many(cx, count, swap);
    }
    pick::shuffle(shared(cx), count, swap).map_err(|_| crate::functions::no_randomness(cx))
}

/// [`shuffle`] of more than [`PLACES_MAX`].
#[cold]
pub fn shuffle_many(cx: &mut Cx, count: usize, mut swap: impl FnMut(usize, usize)) -> Res<()> {
    let mut end = count;
    while end > 1 {
        let start = end.saturating_sub(PLACES_MAX).max(1);
        if pick::shuffle_places(shared(cx), start..end, &mut swap).is_err() {
            return Err(crate::functions::no_randomness(cx));
        }
        end = start;
        if end > 1 {
            cx.check()?;
        }
    }
    Ok(())
}
