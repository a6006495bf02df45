//! Mt19937: mt_rand() and Random\Engine\Mt19937.

use crate::engine::{Engine, Generated};
use std::convert::Infallible;

const WORDS: usize = 624;
const MIDDLE: usize = 397;

/// Which sequence a seed gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// `MT_RAND_MT19937`
    Standard,
    /// `MT_RAND_PHP`: the sequence of PHP before 7.1, which twists with the wrong bit.
    Php,
}

/// The generator. Seeding does not twist: the first output does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mt19937 {
    words: Box<[u32; WORDS]>,
    /// How many words were given out since the last twist.
    used: usize,
    mode: Mode,
}

impl Mt19937 {
    /// Only the low 32 bits of a PHP seed count.
    pub fn new(seed: u32, mode: Mode) -> Mt19937 {
        let mut words = Box::new([0u32; WORDS]);
        let mut last = seed;
        for (index, word) in words.iter_mut().enumerate() {
            if index > 0 {
                last = (last ^ last >> 30)
                    .wrapping_mul(1_812_433_253)
                    .wrapping_add(index as u32);
            }
            *word = last;
        }
        let mut generator = Mt19937 {
            words,
            used: 0,
            mode,
        };
        generator.twist();
        generator
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    fn twist(&mut self) {
        let words = &mut *self.words;
        for index in 0..WORDS {
            let (this, next) = (words[index], words[(index + 1) % WORDS]);
            let mixed = this & 0x8000_0000 | next & 0x7fff_ffff;
            let low = if self.mode == Mode::Standard {
                next
            } else {
                this
            };
            let magic = if low & 1 != 0 { 0x9908_b0df } else { 0 };
            words[index] = words[(index + MIDDLE) % WORDS] ^ mixed >> 1 ^ magic;
        }
        self.used = 0;
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.used >= WORDS {
            self.twist();
        }
        let mut bits = self.words[self.used];
        self.used += 1;
        bits ^= bits >> 11;
        bits ^= bits << 7 & 0x9d2c_5680;
        bits ^= bits << 15 & 0xefc6_0000;
        bits ^ bits >> 18
    }

    /// mt_rand() and rand() without arguments.
    pub fn next_positive(&mut self) -> i64 {
        i64::from(self.next_u32() >> 1)
    }

    /// mt_rand($min, $max) and, with this engine, Randomizer::getInt; `min` is not above `max`. The old mode scales,
    /// and is not uniform. Everything else (shuffle, array_rand) is uniform in both modes.
    pub fn next_in(&mut self, min: i64, max: i64) -> i64 {
        match self.mode {
            Mode::Standard => self.uniform(min, max),
            Mode::Php => self.scaled(min, max),
        }
    }

    /// rand($min, $max), in either order.
    pub fn next_in_any_order(&mut self, from: i64, to: i64) -> i64 {
        if to < from {
            self.next_in(to, from)
        } else {
            self.next_in(from, to)
        }
    }

    fn uniform(&mut self, min: i64, max: i64) -> i64 {
        // 50 rejections in a row mean a probability below 2^-50 here.
        crate::range::range(self, min, max).unwrap_or(min)
    }

    fn scaled(&mut self, min: i64, max: i64) -> i64 {
        scale(self.next_u32() >> 1, min, max)
    }

    /// The state that Random\Engine\Mt19937 serialises: words, words given out, mode.
    pub fn state(&self) -> (&[u32; WORDS], usize, Mode) {
        (&self.words, self.used, self.mode)
    }

    /// The generator of a state; `None` when it is not one.
    pub fn from_state(words: [u32; WORDS], used: usize, mode: Mode) -> Option<Mt19937> {
        (used <= WORDS).then(|| Mt19937 {
            words: Box::new(words),
            used,
            mode,
        })
    }
}

/// 31 bits brought into the range as PHP before 7.1 did.
pub(crate) fn scale(number: u32, min: i64, max: i64) -> i64 {
    let offset = (max as f64 - min as f64 + 1.0) * (f64::from(number) / (2_147_483_647.0 + 1.0));
    min.wrapping_add((offset as u64).cast_signed())
}

impl Engine for Mt19937 {
    type Error = Infallible;

    fn generate(&mut self) -> Result<Generated, Infallible> {
        Ok(Generated {
            value: u64::from(self.next_u32()),
            bytes: 4,
        })
    }
}
