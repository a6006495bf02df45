//! Random\Engine\PcgOneseq128XslRr64.

use crate::engine::{Engine, Generated};
use std::convert::Infallible;

const FACTOR: u128 = (2_549_297_995_355_413_924 << 64) | 4_865_540_595_714_422_341;
const INCREMENT: u128 = (6_364_136_223_846_793_005 << 64) | 1_442_695_040_888_963_407;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PcgOneseq128XslRr64 {
    state: u128,
}

impl PcgOneseq128XslRr64 {
    /// An integer seed is its 64 bits, the high half zero; a 16-byte one gives the high half first.
    pub fn new(seed: u128) -> Self {
        let mut generator = PcgOneseq128XslRr64 { state: 0 };
        generator.step();
        generator.state = generator.state.wrapping_add(seed);
        generator.step();
        generator
    }

    pub fn from_state(state: u128) -> Self {
        PcgOneseq128XslRr64 { state }
    }

    pub fn state(&self) -> u128 {
        self.state
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(FACTOR).wrapping_add(INCREMENT);
    }

    pub fn next_u64(&mut self) -> u64 {
        self.step();
        let (high, low) = ((self.state >> 64) as u64, self.state as u64);
        (high ^ low).rotate_right((high >> 58) as u32)
    }

    /// As `advance` outputs, in logarithmic time.
    pub fn jump(&mut self, advance: u64) {
        let (mut factor, mut increment) = (FACTOR, INCREMENT);
        let (mut total_factor, mut total_increment) = (1u128, 0u128);
        let mut left = advance;
        while left > 0 {
            if left & 1 != 0 {
                total_factor = total_factor.wrapping_mul(factor);
                total_increment = total_increment.wrapping_mul(factor).wrapping_add(increment);
            }
            increment = factor.wrapping_add(1).wrapping_mul(increment);
            factor = factor.wrapping_mul(factor);
            left >>= 1;
        }
        self.state = total_factor
            .wrapping_mul(self.state)
            .wrapping_add(total_increment);
    }
}

impl Engine for PcgOneseq128XslRr64 {
    type Error = Infallible;

    fn generate(&mut self) -> Result<Generated, Infallible> {
        Ok(Generated {
            value: self.next_u64(),
            bytes: 8,
        })
    }
}
