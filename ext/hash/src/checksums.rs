//! Checksums that are not cryptographic, in the forms and byte orders that PHP gives them.

use crate::algorithms::State;

macro_rules! state {
    ($name:ty) => {
        impl State for $name {
            fn update(&mut self, data: &[u8]) {
                self.feed(data);
            }

            fn finish(self: Box<Self>) -> Vec<u8> {
                self.digest()
            }

            fn copy(&self) -> Box<dyn State> {
                Box::new(self.clone())
            }
        }
    };
}

/// Adler-32 (RFC 1950).
#[derive(Clone)]
pub struct Adler32 {
    low: u32,
    high: u32,
}

impl Default for Adler32 {
    fn default() -> Self {
        Adler32 { low: 1, high: 0 }
    }
}

impl Adler32 {
    fn feed(&mut self, data: &[u8]) {
        // As many bytes as can be summed up before 32 bits overflow.
        for chunk in data.chunks(5552) {
            for &byte in chunk {
                self.low += u32::from(byte);
                self.high += self.low;
            }
            self.low %= 65521;
            self.high %= 65521;
        }
    }

    fn digest(self) -> Vec<u8> {
        (self.high << 16 | self.low).to_be_bytes().to_vec()
    }
}

state!(Adler32);

/// The CRC of Ethernet and ZIP.
#[derive(Clone, Default)]
pub struct Crc32b(crc32fast::Hasher);

impl Crc32b {
    fn feed(&mut self, data: &[u8]) {
        self.0.update(data);
    }

    fn digest(self) -> Vec<u8> {
        self.0.finalize().to_be_bytes().to_vec()
    }
}

state!(Crc32b);

const fn reflected_table(polynomial: u32) -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = value >> 1 ^ if value & 1 != 0 { polynomial } else { 0 };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}

const fn straight_table(polynomial: u32) -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut value = (index as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            value = value << 1
                ^ if value & 0x8000_0000 != 0 {
                    polynomial
                } else {
                    0
                };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}

static CASTAGNOLI: [u32; 256] = reflected_table(0x82f6_3b78);
static BZIP2: [u32; 256] = straight_table(0x04c1_1db7);

/// The other two CRCs: bzip2's ("crc32", with its bytes reversed) and Castagnoli's ("crc32c").
#[derive(Clone)]
pub struct Crc {
    value: u32,
    reflected: bool,
}

impl Crc {
    pub fn bzip2() -> Crc {
        Crc {
            value: u32::MAX,
            reflected: false,
        }
    }

    pub fn castagnoli() -> Crc {
        Crc {
            value: u32::MAX,
            reflected: true,
        }
    }

    fn feed(&mut self, data: &[u8]) {
        for &byte in data {
            self.value = if self.reflected {
                self.value >> 8 ^ CASTAGNOLI[usize::from(self.value as u8 ^ byte)]
            } else {
                self.value << 8 ^ BZIP2[usize::from((self.value >> 24) as u8 ^ byte)]
            };
        }
    }

    fn digest(self) -> Vec<u8> {
        let value = !self.value;
        if self.reflected {
            value.to_be_bytes().to_vec()
        } else {
            value.to_le_bytes().to_vec()
        }
    }
}

state!(Crc);

/// Fowler-Noll-Vo in 32 bits; `1a` folds the byte in before it multiplies.
#[derive(Clone)]
pub struct Fnv32 {
    value: u32,
    folds_first: bool,
}

impl Fnv32 {
    pub fn new(folds_first: bool) -> Self {
        Fnv32 {
            value: 0x811c_9dc5,
            folds_first,
        }
    }

    fn feed(&mut self, data: &[u8]) {
        const PRIME: u32 = 0x0100_0193;
        for &byte in data {
            self.value = if self.folds_first {
                (self.value ^ u32::from(byte)).wrapping_mul(PRIME)
            } else {
                self.value.wrapping_mul(PRIME) ^ u32::from(byte)
            };
        }
    }

    fn digest(self) -> Vec<u8> {
        self.value.to_be_bytes().to_vec()
    }
}

state!(Fnv32);

/// Fowler-Noll-Vo in 64 bits.
#[derive(Clone)]
pub struct Fnv64 {
    value: u64,
    folds_first: bool,
}

impl Fnv64 {
    pub fn new(folds_first: bool) -> Self {
        Fnv64 {
            value: 0xcbf2_9ce4_8422_2325,
            folds_first,
        }
    }

    fn feed(&mut self, data: &[u8]) {
        const PRIME: u64 = 0x0100_0000_01b3;
        for &byte in data {
            self.value = if self.folds_first {
                (self.value ^ u64::from(byte)).wrapping_mul(PRIME)
            } else {
                self.value.wrapping_mul(PRIME) ^ u64::from(byte)
            };
        }
    }

    fn digest(self) -> Vec<u8> {
        self.value.to_be_bytes().to_vec()
    }
}

state!(Fnv64);

/// Jenkins's one-at-a-time hash.
#[derive(Clone, Default)]
pub struct Jenkins(u32);

impl Jenkins {
    fn feed(&mut self, data: &[u8]) {
        for &byte in data {
            self.0 = self.0.wrapping_add(u32::from(byte));
            self.0 = self.0.wrapping_add(self.0 << 10);
            self.0 ^= self.0 >> 6;
        }
    }

    fn digest(self) -> Vec<u8> {
        let mut value = self.0;
        value = value.wrapping_add(value << 3);
        value ^= value >> 11;
        value.wrapping_add(value << 15).to_be_bytes().to_vec()
    }
}

state!(Jenkins);

/// The three forms of MurmurHash3.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// 32 bits
    A,
    /// 128 bits out of 32-bit words
    C,
    /// 128 bits out of 64-bit words
    F,
}

/// MurmurHash3 (Appleby, public domain).
#[derive(Clone)]
pub struct Murmur3 {
    form: Form,
    /// Form A uses the first, form F the first two.
    words: [u64; 4],
    pending: Vec<u8>,
    length: u64,
}

fn mix32(mut value: u32) -> u32 {
    value = (value ^ value >> 16).wrapping_mul(0x85eb_ca6b);
    value = (value ^ value >> 13).wrapping_mul(0xc2b2_ae35);
    value ^ value >> 16
}

fn mix64(mut value: u64) -> u64 {
    value = (value ^ value >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    value = (value ^ value >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    value ^ value >> 33
}

const A_FIRST: u32 = 0xcc9e_2d51;
const A_SECOND: u32 = 0x1b87_3593;
const C_FACTORS: [u32; 4] = [0x239b_961b, 0xab0e_9789, 0x38b3_4ae5, 0xa1e3_8b93];
const F_FIRST: u64 = 0x87c3_7b91_1142_53d5;
const F_SECOND: u64 = 0x4cf5_ad43_2745_937f;

impl Murmur3 {
    fn new(form: Form, seed: u32) -> Self {
        Murmur3 {
            form,
            words: [u64::from(seed); 4],
            pending: Vec::new(),
            length: 0,
        }
    }

    pub fn a(seed: u32) -> Self {
        Self::new(Form::A, seed)
    }

    pub fn c(seed: u32) -> Self {
        Self::new(Form::C, seed)
    }

    /// The one form for which PHP takes all 64 bits of the seed.
    pub fn f(seed: u64) -> Self {
        Murmur3 {
            words: [seed; 4],
            ..Self::new(Form::F, 0)
        }
    }

    fn feed(&mut self, data: &[u8]) {
        self.length = self.length.wrapping_add(data.len() as u64);
        let block_bytes = if self.form == Form::A { 4 } else { 16 };
        let mut rest = data;
        if !self.pending.is_empty() {
            let wanted = (block_bytes - self.pending.len()).min(rest.len());
            self.pending.extend_from_slice(&rest[..wanted]);
            rest = &rest[wanted..];
            if self.pending.len() < block_bytes {
                return;
            }
            let block = std::mem::take(&mut self.pending);
            self.block(&block);
        }
        let blocks = rest.chunks_exact(block_bytes);
        let remainder = blocks.remainder();
        for block in blocks {
            self.block(block);
        }
        self.pending.extend_from_slice(remainder);
    }

    /// Takes a whole block.
    fn block(&mut self, block: &[u8]) {
        match self.form {
            Form::A => {
                let word = self.words[0] as u32 ^ scrambled_a(word32(block, 0));
                self.words[0] = u64::from(
                    word.rotate_left(13)
                        .wrapping_mul(5)
                        .wrapping_add(0xe654_6b64),
                );
            }
            Form::C => {
                const ROTATIONS: [u32; 4] = [19, 17, 15, 13];
                const ADDED: [u32; 4] = [0x561c_cd1b, 0x0bca_a747, 0x96cd_1c35, 0x32ac_3b17];
                for index in 0..4 {
                    let mut word =
                        self.words[index] as u32 ^ scrambled_c(index, word32(block, index));
                    word = word
                        .rotate_left(ROTATIONS[index])
                        .wrapping_add(self.words[(index + 1) % 4] as u32);
                    self.words[index] = u64::from(word.wrapping_mul(5).wrapping_add(ADDED[index]));
                }
            }
            Form::F => {
                let mut word = self.words[0] ^ scrambled_f(0, word64(block, 0));
                word = word.rotate_left(27).wrapping_add(self.words[1]);
                self.words[0] = word.wrapping_mul(5).wrapping_add(0x52dc_e729);
                let mut word = self.words[1] ^ scrambled_f(1, word64(block, 1));
                word = word.rotate_left(31).wrapping_add(self.words[0]);
                self.words[1] = word.wrapping_mul(5).wrapping_add(0x3849_5ab5);
            }
        }
    }

    fn digest(mut self) -> Vec<u8> {
        let mut tail = [0u8; 16];
        let length = self.pending.len().min(16);
        tail[..length].copy_from_slice(&self.pending[..length]);
        // Zeros scramble to zero, so words without bytes of the tail stay as they are.
        match self.form {
            Form::A => {
                let word =
                    self.words[0] as u32 ^ scrambled_a(word32(&tail, 0)) ^ self.length as u32;
                mix32(word).to_be_bytes().to_vec()
            }
            Form::C => {
                let mut words = [0u32; 4];
                for (index, word) in words.iter_mut().enumerate() {
                    *word = self.words[index] as u32
                        ^ scrambled_c(index, word32(&tail, index))
                        ^ self.length as u32;
                }
                let spread = |words: &mut [u32; 4]| {
                    words[0] = words[0]
                        .wrapping_add(words[1])
                        .wrapping_add(words[2])
                        .wrapping_add(words[3]);
                    for index in 1..4 {
                        words[index] = words[index].wrapping_add(words[0]);
                    }
                };
                spread(&mut words);
                words = words.map(mix32);
                spread(&mut words);
                words.iter().flat_map(|word| word.to_be_bytes()).collect()
            }
            Form::F => {
                for index in 0..2 {
                    self.words[index] ^= scrambled_f(index, word64(&tail, index)) ^ self.length;
                }
                let [mut first, mut second, ..] = self.words;
                first = first.wrapping_add(second);
                second = second.wrapping_add(first);
                first = mix64(first);
                second = mix64(second);
                first = first.wrapping_add(second);
                second = second.wrapping_add(first);
                [first, second]
                    .iter()
                    .flat_map(|word| word.to_be_bytes())
                    .collect()
            }
        }
    }
}

fn word32(block: &[u8], index: usize) -> u32 {
    block
        .as_chunks::<4>()
        .0
        .get(index)
        .map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn word64(block: &[u8], index: usize) -> u64 {
    block
        .as_chunks::<8>()
        .0
        .get(index)
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

fn scrambled_a(word: u32) -> u32 {
    word.wrapping_mul(A_FIRST)
        .rotate_left(15)
        .wrapping_mul(A_SECOND)
}

fn scrambled_c(index: usize, word: u32) -> u32 {
    const ROTATIONS: [u32; 4] = [15, 16, 17, 18];
    word.wrapping_mul(C_FACTORS[index])
        .rotate_left(ROTATIONS[index])
        .wrapping_mul(C_FACTORS[(index + 1) % 4])
}

fn scrambled_f(index: usize, word: u64) -> u64 {
    if index == 0 {
        word.wrapping_mul(F_FIRST)
            .rotate_left(31)
            .wrapping_mul(F_SECOND)
    } else {
        word.wrapping_mul(F_SECOND)
            .rotate_left(33)
            .wrapping_mul(F_FIRST)
    }
}

state!(Murmur3);
