//! The hash algorithms by PHP's names, and contexts that take data piece by piece.

use crate::checksums;
use crate::haval::Haval;
use crate::snefru::Snefru;
use crate::tiger4::Tiger4;
use digest::Digest;
use std::hash::Hasher as _;
use twox_hash::{XxHash3_64, XxHash3_128, XxHash32, XxHash64};

/// A running computation.
pub(crate) trait State {
    fn update(&mut self, data: &[u8]);
    fn finish(self: Box<Self>) -> Vec<u8>;
    fn copy(&self) -> Box<dyn State>;
}

/// A cryptographic digest, cut to its first bytes where PHP's form is shorter.
#[derive(Clone)]
struct Cut<D> {
    digest: D,
    bytes: usize,
}

impl<D: Digest + Clone + 'static> State for Cut<D> {
    fn update(&mut self, data: &[u8]) {
        self.digest.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let digest = self.digest.finalize();
        digest.as_slice().iter().copied().take(self.bytes).collect()
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

fn digest<D: Digest + Clone + 'static>(_: &Options<'_>) -> Box<dyn State> {
    cut::<D>(usize::MAX)
}

fn cut<D: Digest + Clone + 'static>(bytes: usize) -> Box<dyn State> {
    Box::new(Cut {
        digest: D::new(),
        bytes,
    })
}

macro_rules! xxhash_state {
    ($hasher:ty, $finish:expr) => {
        impl State for $hasher {
            fn update(&mut self, data: &[u8]) {
                self.write(data);
            }

            fn finish(self: Box<Self>) -> Vec<u8> {
                let finish: fn(&$hasher) -> Vec<u8> = $finish;
                finish(&self)
            }

            fn copy(&self) -> Box<dyn State> {
                Box::new(self.clone())
            }
        }
    };
}

xxhash_state!(XxHash32, |hasher| hasher.finish_32().to_be_bytes().to_vec());
xxhash_state!(XxHash64, |hasher| hasher.finish().to_be_bytes().to_vec());
xxhash_state!(XxHash3_64, |hasher| hasher.finish().to_be_bytes().to_vec());

/// The 128-bit hasher has `write` and `finish_128` of its own, without `std::hash::Hasher`.
impl State for XxHash3_128 {
    fn update(&mut self, data: &[u8]) {
        self.write(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        self.finish_128().to_be_bytes().to_vec()
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

/// hash()'s `$options`: what murmur and xxh take.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'o> {
    pub seed: Option<i64>,
    pub secret: Option<&'o [u8]>,
}

impl Options<'_> {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(0).cast_unsigned()
    }
}

/// The shortest secret that xxh3 and xxh128 take.
const SECRET_BYTES_MIN: usize = 136;

/// What is wrong with the options; PHP throws an Error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionError {
    SeedAndSecret(&'static str),
    SecretTooShort(&'static str, usize),
}

impl OptionError {
    pub fn message(&self) -> String {
        match self {
            OptionError::SeedAndSecret(name) => {
                format!("{name}: Only one of seed or secret is to be passed for initialization")
            }
            OptionError::SecretTooShort(name, bytes) => {
                format!(
                    "{name}: Secret length must be >= {SECRET_BYTES_MIN} bytes, {bytes} bytes passed"
                )
            }
        }
    }
}

/// Data up to this length is hashed by other means than longer data, and the crate's running form takes the secret for
/// the longer ones only.
const SHORT_BYTES_MAX: usize = 240;

/// xxh3 or xxh128 with a secret.
#[derive(Clone)]
struct Secret<H> {
    secret: Box<[u8]>,
    short: Vec<u8>,
    running: H,
    oneshot: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
}

impl<H: State + Clone + 'static> State for Secret<H> {
    fn update(&mut self, data: &[u8]) {
        let room = (SHORT_BYTES_MAX + 1).saturating_sub(self.short.len());
        self.short.extend_from_slice(&data[..data.len().min(room)]);
        self.running.update(data);
    }

    fn finish(self: Box<Self>) -> Vec<u8> {
        let short = (self.short.len() <= SHORT_BYTES_MAX)
            .then(|| (self.oneshot)(&self.secret, &self.short));
        short
            .flatten()
            .unwrap_or_else(|| Box::new(self.running).finish())
    }

    fn copy(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

fn xxh3(options: &Options<'_>) -> Box<dyn State> {
    let with_secret = options.secret.and_then(|secret| {
        let running = XxHash3_64::with_seed_and_secret(0, secret).ok()?;
        let oneshot = |secret: &[u8], data: &[u8]| {
            Some(
                XxHash3_64::oneshot_with_secret(secret, data)
                    .ok()?
                    .to_be_bytes()
                    .to_vec(),
            )
        };
        Some(Secret {
            secret: secret.into(),
            short: Vec::new(),
            running,
            oneshot,
        })
    });
    match with_secret {
        Some(state) => Box::new(state),
        None => Box::new(XxHash3_64::with_seed(options.seed())),
    }
}

fn xxh128(options: &Options<'_>) -> Box<dyn State> {
    let with_secret = options.secret.and_then(|secret| {
        let running = XxHash3_128::with_seed_and_secret(0, secret).ok()?;
        let oneshot = |secret: &[u8], data: &[u8]| {
            Some(
                XxHash3_128::oneshot_with_secret(secret, data)
                    .ok()?
                    .to_be_bytes()
                    .to_vec(),
            )
        };
        Some(Secret {
            secret: secret.into(),
            short: Vec::new(),
            running,
            oneshot,
        })
    });
    match with_secret {
        Some(state) => Box::new(state),
        None => Box::new(XxHash3_128::with_seed(options.seed())),
    }
}

/// An algorithm.
pub struct Algorithm {
    pub name: &'static str,
    /// How many bytes HMAC fills its key up to; `None` for what is no cryptographic hash and has no HMAC.
    pub block_bytes: Option<usize>,
    pub digest_bytes: usize,
    start: fn(&Options<'_>) -> Box<dyn State>,
}

const fn cryptographic(
    name: &'static str,
    block_bytes: usize,
    digest_bytes: usize,
    start: fn(&Options<'_>) -> Box<dyn State>,
) -> Algorithm {
    Algorithm {
        name,
        block_bytes: Some(block_bytes),
        digest_bytes,
        start,
    }
}

const fn checksum(
    name: &'static str,
    digest_bytes: usize,
    start: fn(&Options<'_>) -> Box<dyn State>,
) -> Algorithm {
    Algorithm {
        name,
        block_bytes: None,
        digest_bytes,
        start,
    }
}

/// All algorithms, in the order of hash_algos().
pub static ALGORITHMS: &[Algorithm] = &[
    cryptographic("md2", 16, 16, digest::<md2::Md2>),
    cryptographic("md4", 64, 16, digest::<md4::Md4>),
    cryptographic("md5", 64, 16, digest::<md5::Md5>),
    cryptographic("sha1", 64, 20, digest::<sha1::Sha1>),
    cryptographic("sha224", 64, 28, digest::<sha2::Sha224>),
    cryptographic("sha256", 64, 32, digest::<sha2::Sha256>),
    cryptographic("sha384", 128, 48, digest::<sha2::Sha384>),
    cryptographic("sha512/224", 128, 28, digest::<sha2::Sha512_224>),
    cryptographic("sha512/256", 128, 32, digest::<sha2::Sha512_256>),
    cryptographic("sha512", 128, 64, digest::<sha2::Sha512>),
    cryptographic("sha3-224", 144, 28, digest::<sha3::Sha3_224>),
    cryptographic("sha3-256", 136, 32, digest::<sha3::Sha3_256>),
    cryptographic("sha3-384", 104, 48, digest::<sha3::Sha3_384>),
    cryptographic("sha3-512", 72, 64, digest::<sha3::Sha3_512>),
    cryptographic("ripemd128", 64, 16, digest::<ripemd::Ripemd128>),
    cryptographic("ripemd160", 64, 20, digest::<ripemd::Ripemd160>),
    cryptographic("ripemd256", 64, 32, digest::<ripemd::Ripemd256>),
    cryptographic("ripemd320", 64, 40, digest::<ripemd::Ripemd320>),
    cryptographic("whirlpool", 64, 64, digest::<whirlpool::Whirlpool>),
    cryptographic("tiger128,3", 64, 16, |_| cut::<tiger::Tiger>(16)),
    cryptographic("tiger160,3", 64, 20, |_| cut::<tiger::Tiger>(20)),
    cryptographic("tiger192,3", 64, 24, digest::<tiger::Tiger>),
    cryptographic("tiger128,4", 64, 16, |_| Box::new(Tiger4::new(16))),
    cryptographic("tiger160,4", 64, 20, |_| Box::new(Tiger4::new(20))),
    cryptographic("tiger192,4", 64, 24, |_| Box::new(Tiger4::new(24))),
    cryptographic("snefru", 32, 32, |_| Box::new(Snefru::new())),
    cryptographic("snefru256", 32, 32, |_| Box::new(Snefru::new())),
    cryptographic("gost", 32, 32, digest::<gost94::Gost94Test>),
    cryptographic("gost-crypto", 32, 32, digest::<gost94::Gost94CryptoPro>),
    checksum("adler32", 4, |_| Box::new(checksums::Adler32::default())),
    checksum("crc32", 4, |_| Box::new(checksums::Crc::bzip2())),
    checksum("crc32b", 4, |_| Box::new(checksums::Crc32b::default())),
    checksum("crc32c", 4, |_| Box::new(checksums::Crc::castagnoli())),
    checksum("fnv132", 4, |_| Box::new(checksums::Fnv32::new(false))),
    checksum("fnv1a32", 4, |_| Box::new(checksums::Fnv32::new(true))),
    checksum("fnv164", 8, |_| Box::new(checksums::Fnv64::new(false))),
    checksum("fnv1a64", 8, |_| Box::new(checksums::Fnv64::new(true))),
    checksum("joaat", 4, |_| Box::new(checksums::Jenkins::default())),
    checksum("murmur3a", 4, |options| {
        Box::new(checksums::Murmur3::a(options.seed() as u32))
    }),
    checksum("murmur3c", 16, |options| {
        Box::new(checksums::Murmur3::c(options.seed() as u32))
    }),
    checksum("murmur3f", 16, |options| {
        Box::new(checksums::Murmur3::f(options.seed()))
    }),
    checksum("xxh32", 4, |options| {
        Box::new(XxHash32::with_seed(options.seed() as u32))
    }),
    checksum("xxh64", 8, |options| {
        Box::new(XxHash64::with_seed(options.seed()))
    }),
    checksum("xxh3", 8, xxh3),
    checksum("xxh128", 16, xxh128),
    cryptographic("haval128,3", 128, 16, |_| Box::new(Haval::new(3, 16))),
    cryptographic("haval160,3", 128, 20, |_| Box::new(Haval::new(3, 20))),
    cryptographic("haval192,3", 128, 24, |_| Box::new(Haval::new(3, 24))),
    cryptographic("haval224,3", 128, 28, |_| Box::new(Haval::new(3, 28))),
    cryptographic("haval256,3", 128, 32, |_| Box::new(Haval::new(3, 32))),
    cryptographic("haval128,4", 128, 16, |_| Box::new(Haval::new(4, 16))),
    cryptographic("haval160,4", 128, 20, |_| Box::new(Haval::new(4, 20))),
    cryptographic("haval192,4", 128, 24, |_| Box::new(Haval::new(4, 24))),
    cryptographic("haval224,4", 128, 28, |_| Box::new(Haval::new(4, 28))),
    cryptographic("haval256,4", 128, 32, |_| Box::new(Haval::new(4, 32))),
    cryptographic("haval128,5", 128, 16, |_| Box::new(Haval::new(5, 16))),
    cryptographic("haval160,5", 128, 20, |_| Box::new(Haval::new(5, 20))),
    cryptographic("haval192,5", 128, 24, |_| Box::new(Haval::new(5, 24))),
    cryptographic("haval224,5", 128, 28, |_| Box::new(Haval::new(5, 28))),
    cryptographic("haval256,5", 128, 32, |_| Box::new(Haval::new(5, 32))),
];

impl Algorithm {
    /// The algorithm of a name, in whatever case.
    pub fn find(name: &[u8]) -> Option<&'static Algorithm> {
        ALGORITHMS
            .iter()
            .find(|algorithm| algorithm.name.as_bytes().eq_ignore_ascii_case(name))
    }

    /// A context that has seen nothing.
    pub fn start(&'static self, options: &Options<'_>) -> Result<Context, OptionError> {
        if matches!(self.name, "xxh3" | "xxh128")
            && let Some(secret) = options.secret
        {
            if options.seed.is_some() {
                return Err(OptionError::SeedAndSecret(self.name));
            }
            if secret.len() < SECRET_BYTES_MIN {
                return Err(OptionError::SecretTooShort(self.name, secret.len()));
            }
        }
        Ok(self.plain(options))
    }

    pub(crate) fn plain(&'static self, options: &Options<'_>) -> Context {
        Context {
            algorithm: self,
            state: (self.start)(options),
        }
    }

    /// The digest of `data`.
    pub fn hash(&'static self, data: &[u8]) -> Vec<u8> {
        let mut context = self.plain(&Options::default());
        context.update(data);
        context.finish()
    }
}

/// hash_init()'s computation; cloning it is hash_copy().
pub struct Context {
    algorithm: &'static Algorithm,
    state: Box<dyn State>,
}

impl Clone for Context {
    fn clone(&self) -> Self {
        Context {
            algorithm: self.algorithm,
            state: self.state.copy(),
        }
    }
}

impl Context {
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    pub fn update(&mut self, data: &[u8]) {
        self.state.update(data);
    }

    pub fn finish(self) -> Vec<u8> {
        self.state.finish()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Undoes rawurlencode.
    pub fn decode(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        let mut parts = text.split('%');
        out.extend(parts.next().unwrap_or("").bytes());
        for part in parts {
            out.push(u8::from_str_radix(&part[..2], 16).unwrap());
            out.extend(part[2..].bytes());
        }
        out
    }

    /// Lines of algorithm, data and stock PHP's digest.
    #[test]
    fn digests_as_php() {
        let mut differences = Vec::new();
        let mut known = 0;
        for line in include_str!("../tests/hash.tsv").lines() {
            let [name, data, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("bad line {line}")
            };
            let Some(algorithm) = Algorithm::find(name.as_bytes()) else {
                continue;
            };
            let data = decode(data);
            known += 1;
            // In three pieces, with a copy that goes its own way.
            let mut context = algorithm.start(&Options::default()).unwrap();
            let third = data.len() / 3;
            context.update(&data[..third]);
            let mut copy = context.clone();
            context.update(&data[third..2 * third]);
            context.update(&data[2 * third..]);
            copy.update(b"something else");
            let found = hex(&context.finish());
            if found != expected
                || algorithm.digest_bytes * 2 != expected.len()
                || hex(&algorithm.hash(&data)) != expected
            {
                differences.push(format!(
                    "{name} of {} bytes: found {found}, PHP {expected}",
                    data.len()
                ));
            }
        }
        assert!(
            differences.is_empty(),
            "{} differ\n{}",
            differences.len(),
            differences[..differences.len().min(12)].join("\n")
        );
        assert!(known > 300);
    }

    #[test]
    fn options() {
        let with = |name: &str, seed, secret: Option<&[u8]>| {
            let algorithm = Algorithm::find(name.as_bytes()).unwrap();
            algorithm
                .start(&Options { seed, secret })
                .map(|mut context| {
                    context.update(b"hello world");
                    hex(&context.finish())
                })
        };
        for (name, seed, expected) in [
            ("murmur3a", 1, "4343ed22"),
            ("murmur3a", -1, "4c61fea0"),
            ("murmur3c", 12345678901, "55fd1be0cee162e7da2eaeae345ee24b"),
            ("murmur3f", -1, "38bbc0ec5725928828bb8e9ec97f09b8"),
            ("murmur3f", 4294967296, "82d0e9558bcbd06923afa59bce78ca36"),
            ("murmur3f", 12345678901, "a46c2edf93d264458fc0b33969a9d1f5"),
            ("xxh32", -1, "0157d40c"),
            ("xxh64", 12345678901, "023fce7d2b0df070"),
            ("xxh3", -1, "1543d5b6b053dbf7"),
            ("xxh128", 4294967296, "98d6f5d6389c39bc77831306fde7ebbd"),
        ] {
            assert_eq!(
                with(name, Some(seed), None).as_deref(),
                Ok(expected),
                "{name} {seed}"
            );
        }
        let secret = [b's'; 150];
        assert_eq!(
            with("xxh3", None, Some(&secret)).as_deref(),
            Ok("316c4cd106a1663f")
        );
        assert_eq!(
            with("xxh128", None, Some(&secret)).as_deref(),
            Ok("86b83615f8891638015fe2a27c201a55")
        );
        let text = "xxh3: Secret length must be >= 136 bytes, 1 bytes passed";
        assert_eq!(with("xxh3", None, Some(b"x")).unwrap_err().message(), text);
        let text = "xxh3: Only one of seed or secret is to be passed for initialization";
        assert_eq!(
            with("xxh3", Some(1), Some(b"x")).unwrap_err().message(),
            text
        );
    }
}
