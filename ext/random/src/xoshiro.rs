//! Random\Engine\Xoshiro256StarStar.

use crate::engine::{Engine, Generated};
use std::convert::Infallible;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Xoshiro256StarStar {
    state: [u64; 4],
}

impl Xoshiro256StarStar {
    /// An integer seed is spread by SplitMix64.
    pub fn new(seed: i64) -> Self {
        let mut mixer = seed.cast_unsigned();
        let state = std::array::from_fn(|_| {
            mixer = mixer.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = mixer;
            bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            bits ^ bits >> 31
        });
        Xoshiro256StarStar { state }
    }

    /// A 32-byte seed, or a state; `None` when it is all zeros, which would stay so.
    pub fn from_state(state: [u64; 4]) -> Option<Self> {
        (state != [0; 4]).then_some(Xoshiro256StarStar { state })
    }

    pub fn state(&self) -> [u64; 4] {
        self.state
    }

    pub fn next_u64(&mut self) -> u64 {
        let [_, second, ..] = self.state;
        let output = second.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let state = &mut self.state;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= second << 17;
        state[3] = state[3].rotate_left(45);
        output
    }

    fn leap(&mut self, polynomial: [u64; 4]) {
        let mut sum = [0u64; 4];
        for word in polynomial {
            for bit in 0..64 {
                if word >> bit & 1 != 0 {
                    for (sum, state) in sum.iter_mut().zip(self.state) {
                        *sum ^= state;
                    }
                }
                self.next_u64();
            }
        }
        self.state = sum;
    }

    /// As 2^128 outputs.
    pub fn jump(&mut self) {
        self.leap([
            0x180e_c6d3_3cfd_0aba,
            0xd5a6_1266_f0c9_392c,
            0xa958_2618_e03f_c9aa,
            0x39ab_dc45_29b1_661c,
        ]);
    }

    /// As 2^192 outputs.
    pub fn jump_long(&mut self) {
        self.leap([
            0x76e1_5d3e_fefd_cbbf,
            0xc500_4e44_1c52_2fb3,
            0x7771_0069_854e_e241,
            0x3910_9bb0_2acb_e635,
        ]);
    }
}

impl Engine for Xoshiro256StarStar {
    type Error = Infallible;

    fn generate(&mut self) -> Result<Generated, Infallible> {
        Ok(Generated {
            value: self.next_u64(),
            bytes: 8,
        })
    }
}
