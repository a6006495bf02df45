//! bcrypt (Provos and Mazières, "A Future-Adaptable Password Scheme") over Blowfish. The highest cost takes hours, so the loop counts
//! its work.

use blowfish::Blowfish;
use jumbo_abi::{Res, Work};

/// Bytes of a password that count, and those of the digest that are kept.
const KEY_BYTES: usize = 72;
const DIGEST_BYTES: usize = 23;
/// Encryptions when a key is expanded, and units of work of each: its rounds.
const UNITS_OF_EXPANSION: usize = 521 * 16;

/// The digest of a password without NUL; the cost is the logarithm of the number of rounds, at most 31.
pub fn digest(password: &[u8], cost: u32, salt: [u8; 16], work: &mut Work) -> Res<[u8; DIGEST_BYTES]> {
    // The NUL that ends the password is a part of the key if there is room.
    let key = password.iter().copied().chain([0]).take(KEY_BYTES).collect::<Vec<_>>();
    let mut state = Blowfish::bc_init_state();
    state.salted_expand_key(&salt, &key);
    for _ in 0..1u64 << cost {
        state.bc_expand_key(&key);
        state.bc_expand_key(&salt);
        work.spend(2 * UNITS_OF_EXPANSION)?;
    }
    let mut text = *b"OrpheanBeholderScryDoubt";
    for block in text.chunks_exact_mut(8) {
        let (left, right) = block.split_at_mut(4);
        let word = |bytes: &[u8]| bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
        let mut words = [word(left), word(right)];
        for _ in 0..64 {
            words = state.bc_encrypt(words);
        }
        left.copy_from_slice(&words[0].to_be_bytes());
        right.copy_from_slice(&words[1].to_be_bytes());
    }
    Ok(std::array::from_fn(|at| text[at]))
}
