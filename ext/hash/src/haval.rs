//! HAVAL with three, four and five passes, of 128 to 256 bits.

use crate::algorithms::State;

/// The initial state, and the constants of the passes after the first: the fraction of pi.
const START: [u32; 8] = [
    0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344, 0xA409_3822, 0x299F_31D0, 0x082E_FA98, 0xEC4E_6C89,
];
const PASS_CONSTANTS: [[u32; 32]; 4] = [
    [
        0x4528_21E6, 0x38D0_1377, 0xBE54_66CF, 0x34E9_0C6C, 0xC0AC_29B7, 0xC97C_50DD, 0x3F84_D5B5, 0xB547_0917,
        0x9216_D5D9, 0x8979_FB1B, 0xD131_0BA6, 0x98DF_B5AC, 0x2FFD_72DB, 0xD01A_DFB7, 0xB8E1_AFED, 0x6A26_7E96,
        0xBA7C_9045, 0xF12C_7F99, 0x24A1_9947, 0xB391_6CF7, 0x0801_F2E2, 0x858E_FC16, 0x6369_20D8, 0x7157_4E69,
        0xA458_FEA3, 0xF493_3D7E, 0x0D95_748F, 0x728E_B658, 0x718B_CD58, 0x8215_4AEE, 0x7B54_A41D, 0xC25A_59B5,
    ],
    [
        0x9C30_D539, 0x2AF2_6013, 0xC5D1_B023, 0x2860_85F0, 0xCA41_7918, 0xB8DB_38EF, 0x8E79_DCB0, 0x603A_180E,
        0x6C9E_0E8B, 0xB01E_8A3E, 0xD715_77C1, 0xBD31_4B27, 0x78AF_2FDA, 0x5560_5C60, 0xE655_25F3, 0xAA55_AB94,
        0x5748_9862, 0x63E8_1440, 0x55CA_396A, 0x2AAB_10B6, 0xB4CC_5C34, 0x1141_E8CE, 0xA154_86AF, 0x7C72_E993,
        0xB3EE_1411, 0x636F_BC2A, 0x2BA9_C55D, 0x7418_31F6, 0xCE5C_3E16, 0x9B87_931E, 0xAFD6_BA33, 0x6C24_CF5C,
    ],
    [
        0x7A32_5381, 0x2895_8677, 0x3B8F_4898, 0x6B4B_B9AF, 0xC4BF_E81B, 0x6628_2193, 0x61D8_09CC, 0xFB21_A991,
        0x487C_AC60, 0x5DEC_8032, 0xEF84_5D5D, 0xE985_75B1, 0xDC26_2302, 0xEB65_1B88, 0x2389_3E81, 0xD396_ACC5,
        0x0F6D_6FF3, 0x83F4_4239, 0x2E0B_4482, 0xA484_2004, 0x69C8_F04A, 0x9E1F_9B5E, 0x21C6_6842, 0xF6E9_6C9A,
        0x670C_9C61, 0xABD3_88F0, 0x6A51_A0D2, 0xD854_2F68, 0x960F_A728, 0xAB51_33A3, 0x6EEF_0B6C, 0x137A_3BE4,
    ],
    [
        0xBA3B_F050, 0x7EFB_2A98, 0xA1F1_651D, 0x39AF_0176, 0x66CA_593E, 0x8243_0E88, 0x8CEE_8619, 0x456F_9FB4,
        0x7D84_A5C3, 0x3B8B_5EBE, 0xE06F_75D8, 0x85C1_2073, 0x401A_449F, 0x56C1_6AA6, 0x4ED3_AA62, 0x363F_7706,
        0x1BFE_DF72, 0x429B_023D, 0x37D0_D724, 0xD00A_1248, 0xDB0F_EAD3, 0x49F1_C09B, 0x0753_72C9, 0x8099_1B7B,
        0x25D4_79D8, 0xF6E8_DEF7, 0xE3FE_501A, 0xB679_4C3B, 0x976C_E0BD, 0x04C0_06BA, 0xC1A9_4FB6, 0x409F_60C4,
    ],
];

/// The order in which a pass takes the words of a block.
const ORDERS: [[u8; 32]; 5] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31],
    [5, 14, 26, 18, 11, 28, 7, 16, 0, 23, 20, 22, 1, 10, 4, 8, 30, 3, 21, 9, 17, 24, 29, 6, 19, 12, 15, 13, 2, 25, 31, 27],
    [19, 9, 4, 20, 28, 17, 8, 22, 29, 14, 25, 12, 24, 30, 16, 26, 31, 15, 7, 3, 1, 0, 18, 27, 13, 6, 21, 10, 23, 11, 5, 2],
    [24, 4, 0, 14, 2, 7, 28, 23, 26, 6, 30, 20, 18, 25, 19, 3, 22, 11, 31, 21, 8, 27, 12, 9, 1, 29, 5, 15, 17, 10, 16, 13],
    [27, 3, 21, 26, 17, 11, 20, 29, 19, 0, 12, 7, 13, 8, 31, 10, 5, 9, 14, 30, 18, 6, 28, 24, 2, 23, 16, 22, 4, 1, 25, 15],
];

const BLOCK_BYTES: usize = 128;

/// Which words of the step's window are the function's arguments, from its seventh to its first.
const ARGUMENTS_3: [[u8; 7]; 3] = [[1, 0, 3, 5, 6, 2, 4], [4, 2, 1, 0, 5, 3, 6], [6, 1, 2, 3, 4, 5, 0]];
const ARGUMENTS_4: [[u8; 7]; 4] = [[2, 6, 1, 4, 5, 3, 0], [3, 5, 2, 0, 1, 6, 4], [1, 4, 3, 6, 0, 2, 5], [6, 4, 0, 5, 2, 1, 3]];
const ARGUMENTS_5: [[u8; 7]; 5] = [[3, 4, 1, 0, 5, 2, 6], [6, 2, 1, 0, 3, 4, 5], [2, 6, 0, 4, 3, 1, 5], [1, 5, 3, 2, 0, 4, 6], [2, 5, 0, 6, 4, 3, 1]];

fn mix(pass: usize, [x6, x5, x4, x3, x2, x1, x0]: [u32; 7]) -> u32 {
    match pass {
        0 => x1 & x4 ^ x2 & x5 ^ x3 & x6 ^ x0 & x1 ^ x0,
        1 => {
            x1 & x2 & x3 ^ x2 & x4 & x5 ^ x1 & x2 ^ x1 & x4 ^ x2 & x6 ^ x3 & x5 ^ x4 & x5 ^ x0 & x2 ^ x0
        }
        2 => x1 & x2 & x3 ^ x1 & x4 ^ x2 & x5 ^ x3 & x6 ^ x0 & x3 ^ x0,
        3 => {
            let cubes = x1 & x2 & x3 ^ x2 & x4 & x5 ^ x3 & x4 & x6;
            let squares = x1 & x4 ^ x2 & x6 ^ x3 & x4 ^ x3 & x5 ^ x3 & x6 ^ x4 & x5 ^ x4 & x6 ^ x0 & x4;
            cubes ^ squares ^ x0
        }
        _ => x1 & x4 ^ x2 & x5 ^ x3 & x6 ^ x0 & x1 & x2 & x3 ^ x0 & x5 ^ x0,
    }
}

fn compress(state: &mut [u32; 8], block: &[u8; BLOCK_BYTES], arguments: &[[u8; 7]]) {
    let mut words = [0; 32];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    let before = *state;
    for (pass, (arguments, order)) in arguments.iter().zip(&ORDERS).enumerate() {
        for (step, &word) in order.iter().enumerate() {
            // The window moves through the state backwards, one word each step.
            let at = |n: usize| n.wrapping_sub(step) % 8;
            let mixed = mix(pass, arguments.map(|n| state[at(n.into())]));
            let constant = pass.checked_sub(1).map_or(0, |n| PASS_CONSTANTS[n][step]);
            state[at(7)] = mixed
                .rotate_right(7)
                .wrapping_add(state[at(7)].rotate_right(11))
                .wrapping_add(words[usize::from(word)])
                .wrapping_add(constant);
        }
    }
    for (word, before) in state.iter_mut().zip(before) {
        *word = word.wrapping_add(before);
    }
}

/// A running computation.
#[derive(Clone)]
pub struct Haval {
    state: [u32; 8],
    arguments: &'static [[u8; 7]],
    digest_bytes: usize,
    block: [u8; BLOCK_BYTES],
    /// How much of the block is filled.
    filled: usize,
    bytes: u64,
}

impl Haval {
    /// With three passes, four, or (any other number) five.
    pub fn new(passes: u32, digest_bytes: usize) -> Self {
        let arguments: &[[u8; 7]] = match passes {
            3 => &ARGUMENTS_3,
            4 => &ARGUMENTS_4,
            _ => &ARGUMENTS_5,
        };
        Haval { state: START, arguments, digest_bytes, block: [0; BLOCK_BYTES], filled: 0, bytes: 0 }
    }

    fn take(&mut self, mut data: &[u8]) {
        while !data.is_empty() {
            let (now, later) = data.split_at(data.len().min(BLOCK_BYTES - self.filled));
            self.block[self.filled..self.filled + now.len()].copy_from_slice(now);
            self.filled += now.len();
            data = later;
            if self.filled == BLOCK_BYTES {
                compress(&mut self.state, &self.block, self.arguments);
                self.filled = 0;
            }
        }
    }

    /// Adds the last words into the ones that the digest keeps.
    fn fold(&mut self) {
        let s = self.state;
        let added: &[u32] = match self.digest_bytes {
            16 => &[
                (s[7] & 0xFF) << 24 | (s[6] & 0xFF00_0000 | s[5] & 0x00FF_0000 | s[4] & 0xFF00) >> 8,
                (s[7] & 0xFF00 | s[6] & 0xFF) << 16 | (s[5] & 0xFF00_0000 | s[4] & 0x00FF_0000) >> 16,
                (s[7] & 0x00FF_0000 | s[6] & 0xFF00 | s[5] & 0xFF) << 8 | s[4] >> 24,
                s[7] & 0xFF00_0000 | s[6] & 0x00FF_0000 | s[5] & 0xFF00 | s[4] & 0xFF,
            ],
            20 => &[
                (s[7] & 0x3F | s[6] & 0xFE00_0000 | s[5] & 0x01F8_0000).rotate_right(19),
                (s[7] & 0xFC0 | s[6] & 0x3F | s[5] & 0xFE00_0000).rotate_right(25),
                s[7] & 0x0007_F000 | s[6] & 0xFC0 | s[5] & 0x3F,
                (s[7] & 0x01F8_0000 | s[6] & 0x0007_F000 | s[5] & 0xFC0) >> 6,
                (s[7] & 0xFE00_0000 | s[6] & 0x01F8_0000 | s[5] & 0x0007_F000) >> 12,
            ],
            24 => &[
                (s[7] & 0x1F | s[6] & 0xFC00_0000).rotate_right(26),
                s[7] & 0x3E0 | s[6] & 0x1F,
                (s[7] & 0xFC00 | s[6] & 0x3E0) >> 5,
                (s[7] & 0x001F_0000 | s[6] & 0xFC00) >> 10,
                (s[7] & 0x03E0_0000 | s[6] & 0x001F_0000) >> 16,
                (s[7] & 0xFC00_0000 | s[6] & 0x03E0_0000) >> 21,
            ],
            28 => &[
                s[7] >> 27,
                s[7] >> 22 & 31,
                s[7] >> 18 & 15,
                s[7] >> 13 & 31,
                s[7] >> 9 & 15,
                s[7] >> 4 & 31,
                s[7] & 15,
            ],
            _ => &[],
        };
        for (word, added) in self.state.iter_mut().zip(added) {
            *word = word.wrapping_add(*added);
        }
    }
}

impl State for Haval {
    fn update(&mut self, data: &[u8]) {
        self.bytes = self.bytes.wrapping_add(data.len() as u64);
        self.take(data);
    }

    fn finish(mut self: Box<Self>) -> Vec<u8> {
        // The end: a bit, zeros, then version, passes and size of the digest, and the length of the data.
        const TAIL_BYTES: usize = 10;
        let bits = self.digest_bytes * 8;
        let length = self.bytes.wrapping_mul(8);
        self.take(&[1]);
        let zeros = (2 * BLOCK_BYTES - TAIL_BYTES - self.filled) % BLOCK_BYTES;
        self.take(&[0; BLOCK_BYTES][..zeros]);
        self.take(&[((bits & 3) << 6 | self.arguments.len() << 3 | 1) as u8, (bits >> 2) as u8]);
        self.take(&length.to_le_bytes());
        self.fold();
        self.state.iter().flat_map(|word| word.to_le_bytes()).take(self.digest_bytes).collect()
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}
