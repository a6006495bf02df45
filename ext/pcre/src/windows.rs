//! How a match on a long subject is looked for: in windows of places where it may begin, with a safepoint between them.
//!
//! PCRE2 cannot be interrupted, and its match limit counts anew at every place where a match may begin, so a pattern that reads on to the end
//! from each of them holds a core for as long as the subject is long, squared. A window is small enough to take milliseconds. How much one takes
//! is measured, but nothing except the moments of safepoints depends on that.

use std::time::Duration;

/// What is left of a subject is long when it has more bytes than this. Up to here the worst patterns take a fraction of a second.
pub(crate) const LONG_BYTES: usize = 16 << 10;

/// A window that is not measured may read so many bytes at the most, if every place reads to the end of the subject.
const FIRST_READS: usize = 1 << 22;
/// No window may read more, except where larger windows were seen to take no longer.
const READS_MAX: usize = 1 << 30;
/// Windows this small cost more in calls than in matching.
const STARTS_MIN: usize = 64;
const STARTS_FIRST_MAX: usize = 4096;

/// What a window should take.
const TARGET: Duration = Duration::from_millis(4);
/// A window that takes this long is worth a try whether a larger one takes longer.
const NOTICEABLE: Duration = Duration::from_micros(100);
const FACTOR: usize = 4;
const FLAT_FACTOR: usize = 16;
/// After so many windows of one size another is tried.
const REPEATED_MAX: u32 = 16;

/// The first of so many matches of a walk is measured from its first window.
const MEASURED_OF: u32 = 8;

/// The size of windows, which the matches of a walk share.
#[derive(Default)]
pub(crate) struct Windows {
    /// Places in the next window; 0 before the first.
    starts: usize,
    /// A window of another size, and what it took.
    other: Option<(usize, Duration)>,
    /// How many windows had the same size.
    repeated: u32,
    matches: u32,
}

impl Windows {
    /// A match begins, with so many bytes before it. Is its first window worth measuring?
    pub(crate) fn begin(&mut self, left: usize) -> bool {
        self.matches = self.matches.wrapping_add(1);
        let first = (FIRST_READS / left).clamp(1, STARTS_FIRST_MAX);
        if self.starts == 0 {
            self.starts = first;
        }
        self.matches.is_multiple_of(MEASURED_OF)
    }

    pub(crate) fn starts(&self) -> usize {
        self.starts
    }

    /// A window had to be left because its effort was limited: fewer places shall share the next try.
    pub(crate) fn shrink(&mut self) {
        self.starts = (self.starts / FACTOR).max(1);
    }

    /// A window has passed. Its time is known if it was measured, and `left` bytes are before the next one.
    pub(crate) fn passed(&mut self, took: Option<Duration>, left: usize) {
        let most = (READS_MAX / left.max(1)).max(STARTS_MIN);
        let Some(took) = took else {
            // The first window of a match: the next one is measured.
            self.starts = self.starts.min(most);
            return;
        };
        let size = self.starts;
        let flat = self.other.is_some_and(|(other, before)| is_flat((size, took), (other, before)));
        let next = if flat {
            // What it takes is not the places' doing: something is read on to the end once in every window.
            size.saturating_mul(FLAT_FACTOR)
        } else if took < NOTICEABLE || took <= TARGET && size < most {
            size.saturating_mul(FACTOR).min(most)
        } else if self.other.is_none() || self.repeated >= REPEATED_MAX {
            // Only another size tells.
            size.saturating_mul(FACTOR)
        } else if took > TARGET * 2 {
            (size / FACTOR).max(1)
        } else {
            size
        };
        if next >= size.saturating_mul(2) || next < size / 2 {
            self.other = Some((size, took));
            self.repeated = 0;
        } else {
            self.repeated = self.repeated.saturating_add(1);
        }
        self.starts = next;
    }
}

/// Of two windows of different sizes: is at least half of what the first took independent of its size?
fn is_flat((size, took): (usize, Duration), (other, before): (usize, Duration)) -> bool {
    if took < NOTICEABLE || size == other {
        return false;
    }
    let (small, large) = if size < other { ((size, took), (other, before)) } else { ((other, before), (size, took)) };
    let each = large.1.saturating_sub(small.1).as_nanos() / (large.0 - small.0) as u128;
    each.saturating_mul(size as u128) * 2 <= took.as_nanos()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many windows a subject takes of which each window costs `base` microseconds and each place `each`, and the longest of them.
    fn run(bytes: usize, base: u64, each: u64) -> (usize, Duration) {
        let mut windows = Windows::default();
        windows.begin(bytes);
        let (mut left, mut count, mut longest) = (bytes, 0, Duration::ZERO);
        while left > windows.starts() {
            let took = Duration::from_micros(base) + Duration::from_nanos(each).saturating_mul(windows.starts() as u32);
            longest = longest.max(took);
            left -= windows.starts();
            windows.passed((count > 0).then_some(took), left);
            count += 1;
        }
        (count, longest)
    }

    #[test]
    fn cheap_places_need_few_windows() {
        let (count, _) = run(1 << 20, 0, 5);
        assert!((9..6000).contains(&count), "{count}");
    }

    #[test]
    fn places_that_read_to_the_end_are_few_in_a_window() {
        let (count, longest) = run(1 << 16, 0, 400_000);
        assert!(count > 2000 && longest < Duration::from_millis(200), "{count} {longest:?}");
    }

    #[test]
    fn what_every_window_repeats_is_not_repeated_often() {
        for base in [150, 3_000, 60_000] {
            let (count, _) = run(20 << 20, base, 3);
            assert!(count < 1000, "{base}: {count}");
        }
    }
}
