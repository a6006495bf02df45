//! The functions of the mhash library, on PHP's own algorithms.

use crate::algorithms::{Algorithm, Options};
use crate::keyed;
use jumbo_abi::{Cx, OrFalse, PStr, Res, Work};

/// mhash's number and name, and our algorithm.
const ALGORITHMS: &[(i64, &str, &str)] = &[
    (0, "CRC32", "crc32"),
    (1, "MD5", "md5"),
    (2, "SHA1", "sha1"),
    (3, "HAVAL256", "haval256,3"),
    (5, "RIPEMD160", "ripemd160"),
    (7, "TIGER", "tiger192,3"),
    (8, "GOST", "gost"),
    (9, "CRC32B", "crc32b"),
    (10, "HAVAL224", "haval224,3"),
    (11, "HAVAL192", "haval192,3"),
    (12, "HAVAL160", "haval160,3"),
    (13, "HAVAL128", "haval128,3"),
    (14, "TIGER128", "tiger128,3"),
    (15, "TIGER160", "tiger160,3"),
    (16, "MD4", "md4"),
    (17, "SHA256", "sha256"),
    (18, "ADLER32", "adler32"),
    (19, "SHA224", "sha224"),
    (20, "SHA512", "sha512"),
    (21, "SHA384", "sha384"),
    (22, "WHIRLPOOL", "whirlpool"),
    (23, "RIPEMD128", "ripemd128"),
    (24, "RIPEMD256", "ripemd256"),
    (25, "RIPEMD320", "ripemd320"),
    (27, "SNEFRU256", "snefru256"),
    (28, "MD2", "md2"),
    (29, "FNV132", "fnv132"),
    (30, "FNV1A32", "fnv1a32"),
    (31, "FNV164", "fnv164"),
    (32, "FNV1A64", "fnv1a64"),
    (33, "JOAAT", "joaat"),
    (34, "CRC32C", "crc32c"),
    (35, "MURMUR3A", "murmur3a"),
    (36, "MURMUR3C", "murmur3c"),
    (37, "MURMUR3F", "murmur3f"),
    (38, "XXH32", "xxh32"),
    (39, "XXH64", "xxh64"),
    (40, "XXH3", "xxh3"),
    (41, "XXH128", "xxh128"),
];

/// How much of a salt counts; a shorter one is filled up with zeros.
const SALT_BYTES: usize = 8;

fn known(number: i64) -> Option<(&'static str, &'static str)> {
    ALGORITHMS.iter().find(|a| a.0 == number).map(|a| (a.1, a.2))
}

fn algorithm(number: i64) -> Option<&'static Algorithm> {
    known(number).and_then(|(_, name)| Algorithm::find(name.as_bytes()))
}

pub fn mhash(cx: &mut Cx, algo: i64, data: &PStr, key: Option<&PStr>) -> Res<OrFalse<PStr>> {
    let Some(algorithm) = algorithm(algo) else { return Ok(OrFalse(None)) };
    let digest = match key {
        None => {
            let mut context = algorithm.plain(&Options::default());
            Work::new(cx).pieces(data, |piece| context.update(piece))?;
            context.finish()
        }
        Some(key) => match keyed::long_hmac(algorithm, data, key, &mut Work::new(cx)) {
            Some(digest) => digest?,
            None => return Err(cx.arg_value_error(1, "must be a valid cryptographic hashing algorithm")),
        },
    };
    Ok(OrFalse(Some(PStr::new(&digest))))
}

/// The highest number.
pub fn mhash_count(_cx: &mut Cx) -> i64 {
    ALGORITHMS.last().map_or(0, |a| a.0)
}

/// The size of the digest, whatever the name says.
pub fn mhash_get_block_size(_cx: &mut Cx, algo: i64) -> OrFalse<i64> {
    OrFalse(algorithm(algo).map(|a| a.digest_bytes as i64))
}

pub fn mhash_get_hash_name(_cx: &mut Cx, algo: i64) -> OrFalse<PStr> {
    OrFalse(known(algo).map(|(name, _)| PStr::new(name.as_bytes())))
}

/// OpenPGP's salted key: digests of more and more zeros, the salt and the password, one after the other.
pub fn mhash_keygen_s2k(cx: &mut Cx, algo: i64, password: &PStr, salt: &PStr, length: i64) -> Res<OrFalse<PStr>> {
    // PHP keeps the length in 32 bits.
    let Some(bytes) = usize::try_from(length as i32).ok().filter(|&n| n > 0) else {
        return Err(cx.arg_value_error(4, "must be a greater than 0"));
    };
    let Some(algorithm) = algorithm(algo) else { return Ok(OrFalse(None)) };
    let mut padded = [0; SALT_BYTES];
    for (to, from) in padded.iter_mut().zip(salt.as_bytes()) {
        *to = *from;
    }
    let mut work = Work::new(cx);
    let mut zeros = algorithm.plain(&Options::default());
    let mut made = Ok(());
    let key = PStr::build(bytes, |key| {
        made = key.chunks_mut(algorithm.digest_bytes).try_for_each(|part| {
            let mut context = zeros.clone();
            context.update(&padded);
            work.pieces(password, |piece| context.update(piece))?;
            part.copy_from_slice(context.finish().get(..part.len()).unwrap_or_default());
            zeros.update(&[0]);
            work.spend(4 * padded.len())
        });
    });
    made.map(|()| OrFalse(Some(key)))
}
