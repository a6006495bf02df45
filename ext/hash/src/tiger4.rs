//! Tiger with four passes; the form with three is the crate's.

use crate::algorithms::State;
use std::sync::LazyLock;

const START: [u64; 3] = [0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, 0xF096_A5B4_C3B2_E187];
const BLOCK_BYTES: usize = 64;

type Tables = [[u64; 256]; 4];

/// The tables, made as the authors made them: by the hash function itself.
static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    const SEED: &[u8; BLOCK_BYTES] = b"Tiger - A Fast New Hash Function, by Ross Anderson and Eli Biham";
    let mut tables: Box<Tables> = Box::new([[0; 256]; 4]);
    for table in tables.iter_mut() {
        for (entry, byte) in table.iter_mut().zip(0..=u8::MAX) {
            *entry = u64::from_le_bytes([byte; 8]);
        }
    }
    let mut state = START;
    let mut next = 0;
    for _ in 0..5 {
        for entry in 0..256 {
            for table in 0..4 {
                if next % 3 == 0 {
                    compress(&mut state, SEED, &tables, 3);
                }
                for (column, other) in state[next % 3].to_le_bytes().into_iter().enumerate() {
                    let (a, b) = (tables[table][entry], tables[table][usize::from(other)]);
                    let differing = (a ^ b) & 0xFF << (8 * column);
                    tables[table][entry] ^= differing;
                    // An entry that is exchanged with itself differs nowhere.
                    tables[table][usize::from(other)] ^= differing;
                }
                next += 1;
            }
        }
    }
    tables
});

/// One pass; `turn` says which word of the state comes first.
fn pass(state: &mut [u64; 3], words: &[u64; 8], factor: u64, turn: usize, t: &Tables) {
    for (n, word) in words.iter().enumerate() {
        let at = |k: usize| (turn + n + k) % 3;
        state[at(2)] ^= word;
        let c = state[at(2)].to_le_bytes().map(usize::from);
        let even = t[0][c[0]] ^ t[1][c[2]] ^ t[2][c[4]] ^ t[3][c[6]];
        let odd = t[3][c[1]] ^ t[2][c[3]] ^ t[1][c[5]] ^ t[0][c[7]];
        state[at(0)] = state[at(0)].wrapping_sub(even);
        state[at(1)] = state[at(1)].wrapping_add(odd).wrapping_mul(factor);
    }
}

fn schedule(x: &mut [u64; 8]) {
    x[0] = x[0].wrapping_sub(x[7] ^ 0xA5A5_A5A5_A5A5_A5A5);
    x[1] ^= x[0];
    x[2] = x[2].wrapping_add(x[1]);
    x[3] = x[3].wrapping_sub(x[2] ^ !x[1] << 19);
    x[4] ^= x[3];
    x[5] = x[5].wrapping_add(x[4]);
    x[6] = x[6].wrapping_sub(x[5] ^ !x[4] >> 23);
    x[7] ^= x[6];
    x[0] = x[0].wrapping_add(x[7]);
    x[1] = x[1].wrapping_sub(x[0] ^ !x[7] << 19);
    x[2] ^= x[1];
    x[3] = x[3].wrapping_add(x[2]);
    x[4] = x[4].wrapping_sub(x[3] ^ !x[2] >> 23);
    x[5] ^= x[4];
    x[6] = x[6].wrapping_add(x[5]);
    x[7] = x[7].wrapping_sub(x[6] ^ 0x0123_4567_89AB_CDEF);
}

fn compress(state: &mut [u64; 3], block: &[u8; BLOCK_BYTES], tables: &Tables, passes: usize) {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<8>().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    let mut s = *state;
    // The words of the state change their places from pass to pass.
    for (n, factor) in [5, 7, 9, 9].into_iter().enumerate().take(passes) {
        if n > 0 {
            schedule(&mut words);
        }
        pass(&mut s, &words, factor, [0, 2, 1, 0][n], tables);
    }
    if passes == 4 {
        s = [s[2], s[0], s[1]];
    }
    *state = [s[0] ^ state[0], s[1].wrapping_sub(state[1]), s[2].wrapping_add(state[2])];
}

/// A running computation.
#[derive(Clone)]
pub struct Tiger4 {
    state: [u64; 3],
    digest_bytes: usize,
    block: [u8; BLOCK_BYTES],
    /// How much of the block is filled.
    filled: usize,
    bytes: u64,
}

impl Tiger4 {
    pub fn new(digest_bytes: usize) -> Self {
        Tiger4 { state: START, digest_bytes, block: [0; BLOCK_BYTES], filled: 0, bytes: 0 }
    }

    fn take(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            let (now, later) = data.split_at(data.len().min(BLOCK_BYTES - self.filled));
            self.block[self.filled..self.filled + now.len()].copy_from_slice(now);
            self.filled += now.len();
            data = later;
            if self.filled == BLOCK_BYTES {
                compress(&mut self.state, &self.block, &TABLES, 4);
                self.filled = 0;
            }
        }
    }
}

impl State for Tiger4 {
    fn update(&mut self, data: &[u8]) {
        self.bytes = self.bytes.wrapping_add(data.len() as u64);
        self.take(data);
    }

    fn finish(mut self: Box<Self>) -> Vec<u8> {
        const LENGTH_BYTES: usize = 8;
        let length = self.bytes.wrapping_mul(8);
        self.take(&[1]);
        let zeros = (2 * BLOCK_BYTES - LENGTH_BYTES - self.filled) % BLOCK_BYTES;
        self.take(&[0; BLOCK_BYTES][..zeros]);
        self.take(&length.to_le_bytes());
        self.state.iter().flat_map(|word| word.to_le_bytes()).take(self.digest_bytes).collect()
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}
