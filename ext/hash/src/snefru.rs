//! Snefru with eight passes, of 256 bits (PHP's `snefru` and `snefru256` are the same).

use crate::algorithms::State;
use crate::snefru_tables::BOXES;

const BLOCK_BYTES: usize = 32;
/// Bits of each of a pass's four rotations, to the right.
const ROTATIONS: [u32; 4] = [16, 8, 16, 24];

#[derive(Clone)]
pub(crate) struct Snefru {
    state: [u32; 8],
    /// The start of a block.
    pending: Vec<u8>,
    bits: u64,
}

impl Snefru {
    pub(crate) fn new() -> Snefru {
        Snefru { state: [0; 8], pending: Vec::new(), bits: 0 }
    }

    fn compress(&mut self, words: [u32; 8]) {
        let mut mixed = [0u32; 16];
        mixed[..8].copy_from_slice(&self.state);
        mixed[8..].copy_from_slice(&words);
        for boxes in BOXES.chunks_exact(2) {
            for rotation in ROTATIONS {
                for at in 0..16 {
                    let entry = boxes[at / 2 % 2][(mixed[at] & 0xff) as usize];
                    mixed[(at + 1) % 16] ^= entry;
                    mixed[(at + 15) % 16] ^= entry;
                }
                for word in &mut mixed {
                    *word = word.rotate_right(rotation);
                }
            }
        }
        for (word, mixed) in self.state.iter_mut().zip(mixed.iter().rev()) {
            *word ^= mixed;
        }
    }

    fn block(&mut self, block: &[u8]) {
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        }
        self.compress(words);
    }
}

impl State for Snefru {
    fn update(&mut self, data: &[u8]) {
        self.bits = self.bits.wrapping_add((data.len() as u64).wrapping_mul(8));
        let mut data = data;
        if !self.pending.is_empty() {
            let (start, rest) = data.split_at(data.len().min(BLOCK_BYTES - self.pending.len()));
            self.pending.extend_from_slice(start);
            data = rest;
            if self.pending.len() < BLOCK_BYTES {
                return;
            }
            let block = std::mem::take(&mut self.pending);
            self.block(&block);
        }
        let blocks = data.chunks_exact(BLOCK_BYTES);
        self.pending.extend_from_slice(blocks.remainder());
        for block in blocks {
            self.block(block);
        }
    }

    fn finish(mut self: Box<Self>) -> Vec<u8> {
        if !self.pending.is_empty() {
            let mut block = std::mem::take(&mut self.pending);
            block.resize(BLOCK_BYTES, 0);
            self.block(&block);
        }
        let bits = self.bits;
        self.compress([0, 0, 0, 0, 0, 0, (bits >> 32) as u32, bits as u32]);
        self.state.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}
