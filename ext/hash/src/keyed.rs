//! HMAC, HKDF (RFC 5869) and PBKDF2 (RFC 8018) over any cryptographic algorithm.

use crate::algorithms::{Algorithm, Context, Options};
use jumbo_abi::{Res, Work};
use jumbo_value::PStrBuilder;

/// A keyed digest over data that comes in pieces; cloning it is hash_copy().
#[derive(Clone)]
pub struct Hmac {
    inner: Context,
    outer: Context,
}

impl Hmac {
    /// `None` when the algorithm is not cryptographic (PHP: "must be a valid cryptographic hashing algorithm").
    pub fn new(algorithm: &'static Algorithm, key: &[u8]) -> Option<Hmac> {
        let mut block = if key.len() > algorithm.block_bytes? {
            algorithm.hash(key)
        } else {
            key.to_vec()
        };
        block.resize(algorithm.block_bytes?, 0);
        let start = |pad: u8| {
            let mut context = algorithm.plain(&Options::default());
            context.update(&block.iter().map(|byte| byte ^ pad).collect::<Vec<_>>());
            context
        };
        Some(Hmac {
            inner: start(0x36),
            outer: start(0x5c),
        })
    }

    pub fn algorithm(&self) -> &'static Algorithm {
        self.inner.algorithm()
    }

    pub fn update(&mut self, data: &[u8]) {
        self.inner.update(data);
    }

    pub fn finish(self) -> Vec<u8> {
        let Hmac { inner, mut outer } = self;
        outer.update(&inner.finish());
        outer.finish()
    }

    fn of(mut self, pieces: &[&[u8]]) -> Vec<u8> {
        for piece in pieces {
            self.update(piece);
        }
        self.finish()
    }
}

/// A short HMAC.
pub fn hmac(algorithm: &'static Algorithm, data: &[u8], key: &[u8]) -> Option<Vec<u8>> {
    Some(Hmac::new(algorithm, key)?.of(&[data]))
}

/// hash_hmac of any length.
pub fn long_hmac(
    algorithm: &'static Algorithm,
    data: &[u8],
    key: &[u8],
    work: &mut Work,
) -> Option<Res<Vec<u8>>> {
    let mut hmac = Hmac::new(algorithm, key)?;
    let fed = work.pieces(data, |piece| hmac.update(piece));
    Some(fed.map(|()| hmac.finish()))
}

/// hash_hkdf; `length` 0 asks for a digest's length, and must not be above 255 digests.
pub fn hkdf(
    algorithm: &'static Algorithm,
    key: &[u8],
    length: usize,
    info: &[u8],
    salt: &[u8],
) -> Option<Vec<u8>> {
    let length = if length == 0 {
        algorithm.digest_bytes
    } else {
        length
    };
    let extracted = hmac(algorithm, key, salt)?;
    let keyed = Hmac::new(algorithm, &extracted)?;
    let mut out = Vec::with_capacity(length + algorithm.digest_bytes);
    let mut last = Vec::new();
    let mut counter = 0u8;
    while out.len() < length {
        counter = counter.checked_add(1)?;
        last = keyed.clone().of(&[&last, info, &[counter]]);
        out.extend_from_slice(&last);
    }
    out.truncate(length);
    Some(out)
}

/// hash_pbkdf2's raw bytes.
pub fn pbkdf2(
    algorithm: &'static Algorithm,
    password: &[u8],
    salt: &[u8],
    iterations: u64,
    length: usize,
    work: &mut Work,
) -> Option<Res<PStrBuilder>> {
    let keyed = Hmac::new(algorithm, password)?;
    let mut out = PStrBuilder::new();
    // An iteration hashes a digest twice, and copies two states; the slowest algorithms take ten times as long for a byte.
    let units_of_iteration = 4 * algorithm.block_bytes?;
    let mut block = 0u32;
    while out.len() < length {
        block = block.checked_add(1)?;
        let mut last = keyed.clone().of(&[salt, &block.to_be_bytes()]);
        let mut sum = last.clone();
        let mut worked = work.spend(salt.len() + units_of_iteration);
        for _ in 1..iterations {
            if worked.is_err() {
                break;
            }
            last = keyed.clone().of(&[&last]);
            sum.iter_mut()
                .zip(&last)
                .for_each(|(sum, last)| *sum ^= last);
            worked = work.spend(units_of_iteration);
        }
        if let Err(stop) = worked.and_then(|()| Ok(out.extend(&sum)?)) {
            return Some(Err(stop));
        }
    }
    out.truncate(length);
    Some(Ok(out))
}

/// hash_equals: takes as long whatever differs.
pub fn equals(known: &[u8], user: &[u8]) -> bool {
    known.len() == user.len() && known.iter().zip(user).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::tests::hex;

    #[test]
    fn keyed_as_php() {
        for line in include_str!("../tests/mac.tsv").lines() {
            let [kind, name, key, salt, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("bad line {line}");
            };
            let Some(algorithm) = Algorithm::find(name.as_bytes()) else {
                continue;
            };
            let (key, salt) = (key.as_bytes(), salt.as_bytes());
            let found = match kind {
                "hmac" => hex(&hmac(algorithm, salt, key).unwrap()),
                // PHP counts hexadecimal digits.
                "pbkdf2" => hex(
                    &pbkdf2(algorithm, key, salt, 3, 45, &mut Work::uninterrupted())
                        .unwrap()
                        .unwrap(),
                ),
                "hkdf" => hex(&hkdf(algorithm, key, 50, b"info", salt).unwrap()),
                "hkdf0" => hex(&hkdf(algorithm, key, 0, b"", b"").unwrap()),
                other => panic!("unknown kind {other}"),
            };
            assert_eq!(found, expected, "{line}");
        }
        assert!(hmac(Algorithm::find(b"crc32").unwrap(), b"", b"").is_none());
        assert!(equals(b"abc", b"abc") && !equals(b"abc", b"abd") && !equals(b"abc", b"ab"));
    }
}
