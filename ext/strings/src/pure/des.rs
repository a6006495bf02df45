//! DES as `crypt` uses it: the traditional form with a salt of two characters, and the extended one (`_`, a count and a longer salt).
//!
//! The tables are the standard's (FIPS 46-3), which numbers bits from the most significant; where they are applied, bits stand in arrays, one a byte. Rounds work on words.

use jumbo_abi::{Res, Work};
use std::sync::LazyLock;

#[rustfmt::skip]
const INITIAL: [u8; 64] = [
    58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4, 62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
    57, 49, 41, 33, 25, 17, 9, 1, 59, 51, 43, 35, 27, 19, 11, 3, 61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7,
];
#[rustfmt::skip]
const FINAL: [u8; 64] = [
    40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31, 38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45, 13, 53, 21, 61, 29,
    36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27, 34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9, 49, 17, 57, 25,
];
#[rustfmt::skip]
const PERMUTATION: [u8; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
];
#[rustfmt::skip]
const KEY_CHOICE_1: [u8; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];
#[rustfmt::skip]
const KEY_CHOICE_2: [u8; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];
const SHIFTS: [usize; 16] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];
#[rustfmt::skip]
const BOXES: [[u8; 64]; 8] = [
    [14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7, 0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8,
     4, 1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0, 15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13],
    [15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10, 3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5,
     0, 14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15, 13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9],
    [10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8, 13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1,
     13, 6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7, 1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12],
    [7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15, 13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9,
     10, 6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4, 3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14],
    [2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9, 14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6,
     4, 2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14, 11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3],
    [12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11, 10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8,
     9, 14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6, 4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13],
    [4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1, 13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6,
     1, 4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2, 6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12],
    [13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7, 1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2,
     7, 11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8, 2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11],
];

fn permuted<const N: usize>(bits: &[u8], order: &[u8; N]) -> [u8; N] {
    order.map(|number| bits.get(usize::from(number) - 1).copied().unwrap_or(0))
}

fn bits_of(block: [u8; 8]) -> [u8; 64] {
    std::array::from_fn(|at| block[at / 8] >> (7 - at % 8) & 1)
}

fn bytes_of(bits: [u8; 64]) -> [u8; 8] {
    std::array::from_fn(|at| bits[at * 8..at * 8 + 8].iter().fold(0, |byte, bit| byte << 1 | bit))
}

fn word_of(bits: &[u8]) -> u32 {
    bits.iter().fold(0, |word, bit| word << 1 | u32::from(*bit))
}

/// The keys of the sixteen rounds, in halves of 24 bits.
fn schedule(key: [u8; 8]) -> [[u32; 2]; 16] {
    let mut halves = permuted(&bits_of(key), &KEY_CHOICE_1);
    SHIFTS.map(|shift| {
        halves[..28].rotate_left(shift);
        halves[28..].rotate_left(shift);
        let chosen = permuted(&halves, &KEY_CHOICE_2);
        [word_of(&chosen[..24]), word_of(&chosen[24..])]
    })
}

/// What each box makes of six bits, permuted already.
static MIXED: LazyLock<[[u32; 64]; 8]> = LazyLock::new(|| {
    std::array::from_fn(|number| {
        std::array::from_fn(|six| {
            let (row, column) = (six >> 4 & 2 | six & 1, six >> 1 & 15);
            let value = BOXES[number][row * 16 + column];
            let mut chosen = [0u8; 32];
            for at in 0..4 {
                chosen[number * 4 + at] = value >> (3 - at) & 1;
            }
            word_of(&permuted(&chosen, &PERMUTATION))
        })
    })
});

/// Units of work of an encryption: its rounds, each of eight boxes.
const UNITS_OF_ENCRYPTION: usize = 16 * 8;

/// `count` encryptions, with bits of the expansion swapped as `salt` says.
fn encrypt(block: [u8; 8], key: [u8; 8], salt: u32, count: u32, work: &mut Work) -> Res<[u8; 8]> {
    let keys = schedule(key);
    let mixed = &*MIXED;
    // The first bit of the salt is for the first bits of the halves, which are the highest.
    let salt = salt.reverse_bits() >> 8;
    let bits = permuted(&bits_of(block), &INITIAL);
    let (mut left, mut right) = (word_of(&bits[..32]), word_of(&bits[32..]));
    for _ in 0..count {
        for key in &keys {
            // Six bits of each group of four and its neighbours.
            let turned = right.rotate_right(1);
            let six = |group: u32| turned.rotate_left(group * 4) >> 26;
            let high = six(0) << 18 | six(1) << 12 | six(2) << 6 | six(3);
            let low = six(4) << 18 | six(5) << 12 | six(6) << 6 | six(7);
            let swapped = (high ^ low) & salt;
            let (high, low) = (high ^ swapped ^ key[0], low ^ swapped ^ key[1]);
            let of = |number: usize| {
                let half = if number < 4 { high } else { low };
                mixed[number][(half >> (18 - number % 4 * 6) & 63) as usize]
            };
            let next = left ^ (0..8).fold(0, |word, number| word | of(number));
            (left, right) = (right, next);
        }
        // The halves are not exchanged after the last round.
        (left, right) = (right, left);
        work.spend(UNITS_OF_ENCRYPTION)?;
    }
    let joined = u64::from(left) << 32 | u64::from(right);
    Ok(bytes_of(permuted(&bits_of(joined.to_be_bytes()), &FINAL)))
}

const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A number of six bits a character, the first the lowest; `None` for other characters.
fn number(text: &[u8]) -> Option<u32> {
    text.iter().rev().try_fold(0, |number, byte| {
        let digit = DIGITS.iter().position(|known| known == byte)?;
        Some(number << 6 | digit as u32)
    })
}

fn written(block: [u8; 8]) -> impl Iterator<Item = u8> {
    let bits = bits_of(block);
    (0..11).map(move |group| {
        let value = (0..6).fold(0, |value, at| value << 1 | bits.get(group * 6 + at).copied().unwrap_or(0));
        DIGITS[usize::from(value)]
    })
}

/// Characters as a key: seven bits each, in the upper ones. A NUL ends the text.
fn key_of(text: &[u8]) -> [u8; 8] {
    std::array::from_fn(|at| text.get(at).copied().unwrap_or(0) << 1)
}

/// The traditional crypt: `setting` begins with two characters of salt.
pub fn traditional(password: &[u8], setting: &[u8], work: &mut Work) -> Res<Option<Vec<u8>>> {
    const ROUNDS: u32 = 25;
    let Some(salt_text) = setting.get(..2) else { return Ok(None) };
    let Some(salt) = number(salt_text) else { return Ok(None) };
    let text = password.split(|byte| *byte == 0).next().unwrap_or_default();
    let block = encrypt([0; 8], key_of(text), salt, ROUNDS, work)?;
    Ok(Some(salt_text.iter().copied().chain(written(block)).collect()))
}

/// The text, the count and the salt of the extended form's setting.
fn extended_setting(setting: &[u8]) -> Option<(&[u8], u32, u32)> {
    let head = setting.get(..9).filter(|head| head[0] == b'_')?;
    let count = number(&head[1..5]).filter(|count| *count > 0)?;
    Some((head, count, number(&head[5..9])?))
}

/// The extended crypt: `_`, four characters of count, four of salt.
pub fn extended(password: &[u8], setting: &[u8], work: &mut Work) -> Res<Option<Vec<u8>>> {
    let Some((head, count, salt)) = extended_setting(setting) else { return Ok(None) };
    let text = password.split(|byte| *byte == 0).next().unwrap_or_default();
    let mut key = key_of(text);
    for part in text.chunks(8).skip(1) {
        let next = key_of(part);
        let mixed = encrypt(key, key, 0, 1, work)?;
        key = std::array::from_fn(|at| mixed[at] ^ next[at]);
    }
    let block = encrypt([0; 8], key, salt, count, work)?;
    Ok(Some(head.iter().copied().chain(written(block)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traditional(password: &[u8], setting: &[u8]) -> Option<Vec<u8>> {
        super::traditional(password, setting, &mut Work::uninterrupted()).unwrap()
    }

    fn extended(password: &[u8], setting: &[u8]) -> Option<Vec<u8>> {
        super::extended(password, setting, &mut Work::uninterrupted()).unwrap()
    }

    #[test]
    fn hashes_as_php() {
        let check = |found: Option<Vec<u8>>, wanted: &str| assert_eq!(String::from_utf8(found.unwrap()).unwrap(), wanted);
        check(traditional(b"rasmuslerdorf", b"rl"), "rl.3StKT.4T8M");
        check(extended(b"rasmuslerdorf", b"_J9..rasm"), "_J9..rasmBYk8r9AiWNc");
        assert_eq!(traditional(b"x", b"!a"), None);
        assert_eq!(extended(b"x", b"_....rasm"), None);
    }
}
