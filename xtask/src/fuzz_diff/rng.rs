//! The source of chance: small, seeded, the same on every machine.
//!
//! Invariant: program N of seed S depends on nothing but (S, N), so any program of a run can be made again alone.

/// SplitMix64: every seed is a good one.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64, program: u64) -> Rng {
        let mut rng = Rng(seed ^ program.wrapping_mul(0xd134_2543_de82_ef95));
        rng.next();
        rng
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 when there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        if limit == 0 { 0 } else { ((self.next() >> 16) % limit as u64) as usize }
    }

    /// From `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// One of the arms, by weight: `choose!(rng; 3 => this, 1 => that)`. Only the arm taken is evaluated.
macro_rules! choose {
    ($rng:expr; $($weight:expr => $value:expr),+ $(,)?) => {{
        let mut left: usize = $rng.below(0 $(+ $weight)+);
        #[allow(unused_assignments)]
        loop {
            $(
                if left < $weight {
                    break $value;
                }
                left -= $weight;
            )+
        }
    }};
}
pub(crate) use choose;
