//! Ways to sign in: what the client answers to the server's scramble.
//!
//! - `mysql_native_password`: SHA-1 of the password, hidden by a hash of the scramble.
//! - `caching_sha2_password`: the same with SHA-256; when the server does not remember the password, it wants it in clear over a
//!   channel that nobody reads (a socket of the file system), or encrypted with its RSA key.
//! - `sha256_password`: always the latter.
//! - `mysql_clear_password`: in clear; only over such a channel.

use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use sha1::{Digest, Sha1};
use sha2::Sha256;

pub const NATIVE: &[u8] = b"mysql_native_password";
pub const CACHING_SHA2: &[u8] = b"caching_sha2_password";
pub const SHA256: &[u8] = b"sha256_password";
pub const CLEAR: &[u8] = b"mysql_clear_password";

/// Is this a method that the client knows?
pub fn known(method: &[u8]) -> bool {
    [NATIVE, CACHING_SHA2, SHA256, CLEAR].contains(&method)
}

/// SHA1(password) ^ SHA1(scramble + SHA1(SHA1(password))).
pub fn native(password: &[u8], scramble: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let once = Sha1::digest(password);
    let twice = Sha1::digest(once);
    let mut hash = Sha1::new();
    hash.update(scramble.get(..20).unwrap_or(scramble));
    hash.update(twice);
    once.iter().zip(hash.finalize().iter()).map(|(a, b)| a ^ b).collect()
}

/// SHA256(password) ^ SHA256(SHA256(SHA256(password)) + scramble).
pub fn caching_sha2(password: &[u8], scramble: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let once = Sha256::digest(password);
    let mut hash = Sha256::new();
    hash.update(Sha256::digest(once));
    hash.update(scramble.get(..20).unwrap_or(scramble));
    once.iter().zip(hash.finalize().iter()).map(|(a, b)| a ^ b).collect()
}

/// The password with its NUL, hidden by the scramble, then encrypted with the server's key (PEM). `None`: that is no key, or the password is
/// too long for it, or there is no randomness.
pub fn encrypted(password: &[u8], scramble: &[u8], key_pem: &[u8]) -> Option<Vec<u8>> {
    let scramble = scramble.get(..20).unwrap_or(scramble);
    if scramble.is_empty() {
        return None;
    }
    let plain: Vec<u8> = password.iter().chain(&[0]).zip(scramble.iter().cycle()).map(|(a, b)| a ^ b).collect();
    let (modulus, exponent) = public_key(key_pem)?;
    oaep(&plain, &modulus, &exponent)
}

/// Modulus and exponent of an RSA key in PEM, as SubjectPublicKeyInfo or as PKCS #1.
fn public_key(pem: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = std::str::from_utf8(pem).ok()?;
    let body: String = text.lines().map(str::trim).skip_while(|l| !l.starts_with("-----BEGIN")).skip(1).take_while(|l| !l.starts_with("-----END")).collect();
    let der = base64(body.as_bytes())?;
    let (outer, _) = der_part(&der, 0x30)?;
    let key = match outer.first()? {
        // The algorithm, then the key as a string of bits.
        0x30 => {
            let (_, rest) = der_part(outer, 0x30)?;
            let (bits, _) = der_part(rest, 0x03)?;
            der_part(bits.get(1..)?, 0x30)?.0
        }
        _ => outer,
    };
    let (modulus, rest) = der_part(key, 0x02)?;
    let (exponent, _) = der_part(rest, 0x02)?;
    let bare = |n: &[u8]| n.iter().copied().skip_while(|b| *b == 0).collect::<Vec<u8>>();
    Some((bare(modulus), bare(exponent)))
}

/// The content of an element with this tag, and what follows it.
fn der_part(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[found, first], mut rest) = bytes.split_first_chunk::<2>()?;
    if found != tag {
        return None;
    }
    let mut len = usize::from(first);
    if first >= 0x80 {
        let count = usize::from(first & 0x7f);
        let digits = rest.get(..count).filter(|d| d.len() <= 4)?;
        len = digits.iter().fold(0, |n, d| n << 8 | usize::from(*d));
        rest = rest.get(count..)?;
    }
    (len <= rest.len()).then(|| rest.split_at(len))
}

fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for &c in text.iter().filter(|c| **c != b'=') {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

/// RSAES-OAEP with SHA-1 and no label (RFC 8017, 7.1.1).
fn oaep(plain: &[u8], modulus: &[u8], exponent: &[u8]) -> Option<Vec<u8>> {
    const HASH: usize = 20;
    let size = modulus.len();
    // A key that is not a usual one is refused rather than calculated with for hours.
    if !(64..=2048).contains(&size) || exponent.len() > 8 || plain.len() + 2 * HASH + 2 > size {
        return None;
    }
    let mut block = Sha1::digest(b"").to_vec();
    block.resize(size - HASH - 1 - plain.len() - 1, 0);
    block.push(1);
    block.extend_from_slice(plain);
    let mut seed = [0; HASH];
    getrandom::fill(&mut seed).ok()?;
    mask(&mut block, &seed);
    let mut hidden_seed = seed;
    mask(&mut hidden_seed, &block);
    let message = [&[0], hidden_seed.as_slice(), &block].concat();
    let number = power(&message, exponent, modulus)?;
    let mut out = vec![0; size.checked_sub(number.len())?];
    out.extend_from_slice(&number);
    Some(out)
}

/// `base` to the power `exponent`, modulo `modulus`, which must not be zero; highest bytes first.
fn power(base: &[u8], exponent: &[u8], modulus: &[u8]) -> Option<Box<[u8]>> {
    let modulus = UBig::from_be_bytes(modulus);
    if modulus.is_zero() {
        return None;
    }
    let ring = ConstDivisor::new(modulus);
    Some(ring.reduce(UBig::from_be_bytes(base)).pow(&UBig::from_be_bytes(exponent)).residue().to_be_bytes())
}

/// MGF1 with SHA-1, applied to `target`.
fn mask(target: &mut [u8], seed: &[u8]) {
    for (n, chunk) in target.chunks_mut(20).enumerate() {
        let mut hash = Sha1::new();
        hash.update(seed);
        hash.update((n as u32).to_be_bytes());
        chunk.iter_mut().zip(hash.finalize().iter()).for_each(|(a, b)| *a ^= b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrambles() {
        assert!(native(b"", b"12345678901234567890").is_empty());
        assert_eq!(native(b"secret", b"12345678901234567890").len(), 20);
        assert_eq!(caching_sha2(b"secret", b"12345678901234567890").len(), 32);
    }

    #[test]
    fn keys() {
        assert_eq!(base64(b"AQID").unwrap(), [1, 2, 3]);
        assert_eq!(base64(b"AQI=").unwrap(), [1, 2]);
        assert!(public_key(b"nonsense").is_none());
        assert!(public_key(b"-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----").is_none());
        assert!(der_part(&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff], 0x30).is_none());
        let modulus = [0xf1; 128];
        assert_eq!(oaep(b"text", &modulus, &[1, 0, 1]).unwrap().len(), 128);
        assert!(oaep(&[0; 100], &modulus, &[1, 0, 1]).is_none());
        assert!(oaep(b"text", &[0; 128], &[1, 0, 1]).is_none());
        let mersenne = (u128::MAX >> 1).to_be_bytes();
        let expected = 0x470fd30fea9922d5342d32f6a466d0df_u128;
        assert_eq!(*power(b"a message for the power", &[1, 0, 1], &mersenne).unwrap(), expected.to_be_bytes());
    }
}
