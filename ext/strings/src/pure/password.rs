//! password_hash, password_verify, password_get_info, password_needs_rehash, crypt, uniqid.
//!
//! Some forms take as long as their settings say, or as the password's length squared: they count their work.

use crate::pure::{bcrypt, des};
use argon2::{Algorithm, Argon2, Params, Version};
use digest::Digest;
use jumbo_abi::{Res, Stop, Work};
use jumbo_value::{HeapCharge, OutOfMemory, PStr, PStrBuilder};
use sha2::{Sha256, Sha512};

/// Units of work of a digest of nothing.
const UNITS_OF_DIGEST: usize = 64;

/// How a password is to be hashed, with the options that PHP takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hashing {
    /// `PASSWORD_BCRYPT`, "2y"
    Bcrypt { cost: u32 },
    /// `PASSWORD_ARGON2I` and `PASSWORD_ARGON2ID`
    Argon2 {
        id: bool,
        memory_kib: u32,
        passes: u32,
        threads: u32,
    },
}

impl Hashing {
    pub const BCRYPT: Hashing = Hashing::Bcrypt { cost: 12 };
    pub const ARGON2I: Hashing = Hashing::Argon2 {
        id: false,
        memory_kib: 65536,
        passes: 4,
        threads: 1,
    };
    pub const ARGON2ID: Hashing = Hashing::Argon2 {
        id: true,
        memory_kib: 65536,
        passes: 4,
        threads: 1,
    };

    /// What password_get_info calls the algorithm: its number and its name.
    pub fn name(&self) -> (&'static str, &'static str) {
        match self {
            Hashing::Bcrypt { .. } => ("2y", "bcrypt"),
            Hashing::Argon2 { id: false, .. } => ("argon2i", "argon2i"),
            Hashing::Argon2 { id: true, .. } => ("argon2id", "argon2id"),
        }
    }

    /// What a hash was made with; `None` for what PHP calls unknown.
    pub fn of_hash(hash: &[u8]) -> Option<Hashing> {
        if hash.starts_with(b"$2y$") && hash.len() == 60 {
            return Some(Hashing::Bcrypt {
                cost: decimal(hash.get(4..6)?)?,
            });
        }
        let (id, rest) = match hash.strip_prefix(b"$argon2id$") {
            Some(rest) => (true, rest),
            None => (false, hash.strip_prefix(b"$argon2i$")?),
        };
        let parameters = rest
            .split(|&byte| byte == b'$')
            .find(|part| part.starts_with(b"m="))?;
        let mut hashing = [65536, 4, 1];
        for parameter in parameters.split(|&byte| byte == b',') {
            let value = decimal(parameter.get(2..)?)?;
            match parameter.first()? {
                b'm' => hashing[0] = value,
                b't' => hashing[1] = value,
                b'p' => hashing[2] = value,
                _ => return None,
            }
        }
        let [memory_kib, passes, threads] = hashing;
        Some(Hashing::Argon2 {
            id,
            memory_kib,
            passes,
            threads,
        })
    }

    /// The ValueError for options that are out of range.
    fn check(&self) -> Result<(), PasswordError> {
        let text = match *self {
            Hashing::Bcrypt { cost } if !(4..=31).contains(&cost) => {
                return Err(PasswordError::Value(format!(
                    "Invalid bcrypt cost parameter specified: {cost}"
                )));
            }
            Hashing::Argon2 { memory_kib, .. } if memory_kib < 8 => {
                "Memory cost is outside of allowed memory range"
            }
            Hashing::Argon2 { passes: 0, .. } => "Time cost is outside of allowed time range",
            Hashing::Argon2 { threads, .. } if threads == 0 || threads > 0xff_ffff => {
                "Invalid number of threads"
            }
            _ => return Ok(()),
        };
        Err(PasswordError::Value(text.to_string()))
    }
}

fn decimal(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PasswordError {
    /// A ValueError with this text.
    Value(String),
    /// The system gave no randomness, or no memory.
    Failed,
    /// The script ends here.
    Stopped(Stop),
}

impl From<Stop> for PasswordError {
    fn from(stop: Stop) -> Self {
        PasswordError::Stopped(stop)
    }
}

impl From<OutOfMemory> for PasswordError {
    fn from(refused: OutOfMemory) -> Self {
        PasswordError::Stopped(refused.into())
    }
}

/// password_hash.
pub fn hash(password: &[u8], hashing: Hashing, work: &mut Work) -> Result<Vec<u8>, PasswordError> {
    hashing.check()?;
    let mut salt = [0u8; 16];
    getrandom::fill(&mut salt).map_err(|_| PasswordError::Failed)?;
    match hashing {
        Hashing::Bcrypt { cost } => {
            if password.contains(&0) {
                let text = "Bcrypt password must not contain null character";
                return Err(PasswordError::Value(text.to_string()));
            }
            Ok(bcrypt_hash(password, cost, salt, b"2y", work)?)
        }
        Hashing::Argon2 {
            id,
            memory_kib,
            passes,
            threads,
        } => {
            let digest = argon2(password, &salt, hashing, 32, work)?.ok_or(PasswordError::Failed)?;
            let name = if id { "argon2id" } else { "argon2i" };
            let mut out =
                format!("${name}$v=19$m={memory_kib},t={passes},p={threads}$").into_bytes();
            out.extend_from_slice(&unpadded(&salt)?);
            out.push(b'$');
            out.extend_from_slice(&unpadded(&digest)?);
            Ok(out)
        }
    }
}

fn unpadded(data: &[u8]) -> Result<PStr, OutOfMemory> {
    let text = super::encode::base64_encode(data)?;
    let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
    Ok(text.slice(0, text.len() - padding))
}

fn argon2(password: &[u8], salt: &[u8], hashing: Hashing, bytes: usize, work: &mut Work) -> Result<Option<Vec<u8>>, OutOfMemory> {
    let Hashing::Argon2 {
        id,
        memory_kib,
        passes,
        threads,
    } = hashing
    else {
        return Ok(None);
    };
    let Ok(parameters) = Params::new(memory_kib, passes, threads, Some(bytes)) else { return Ok(None) };
    let _charge = HeapCharge::new((memory_kib as usize).saturating_mul(1024).saturating_add(password.len()))?;
    let algorithm = if id {
        Algorithm::Argon2id
    } else {
        Algorithm::Argon2i
    };
    let (password, salt) = (password.to_vec(), salt.to_vec());
    Ok(work.compute(move || {
        let mut out = vec![0; bytes];
        Argon2::new(algorithm, Version::V0x13, parameters)
            .hash_password_into(&password, &salt, &mut out)
            .ok()?;
        Some(out)
    }))
}

/// password_verify.
pub fn verify(password: &[u8], hash: &[u8], work: &mut Work) -> Res<bool> {
    if hash.starts_with(b"$argon2") {
        return Ok(verify_argon2(password, hash, work)?);
    }
    match crypt(password, hash, work) {
        Ok(found) => Ok(found.len() >= 13 && same(&found, hash)),
        Err(CryptError::BadSalt) => Ok(false),
        Err(CryptError::Stopped(stop)) => Err(stop),
    }
}

fn verify_argon2(password: &[u8], hash: &[u8], work: &mut Work) -> Result<bool, OutOfMemory> {
    let mut parts = hash.rsplit(|&byte| byte == b'$');
    let (Some(hashing), Some(expected), Some(salt)) = (Hashing::of_hash(hash), parts.next(), parts.next()) else {
        return Ok(false);
    };
    let decode = |text| super::encode::base64_decode(text, true);
    let (Some(expected), Some(salt)) = (decode(expected)?, decode(salt)?) else { return Ok(false) };
    Ok(argon2(password, &salt, hashing, expected.len(), work)?.is_some_and(|found| same(&found, &expected)))
}

/// Takes as long whatever differs.
fn same(found: &[u8], expected: &[u8]) -> bool {
    found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .fold(0, |sum, (a, b)| sum | (a ^ b))
            == 0
}

const CRYPT_DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BCRYPT_DIGITS: &[u8; 64] =
    b"./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Why crypt() has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CryptError {
    /// The salt is malformed: crypt() returns `*0`, or `*1` when the salt is `*0`.
    BadSalt,
    /// The script ends here.
    Stopped(Stop),
}

impl From<Stop> for CryptError {
    fn from(stop: Stop) -> Self {
        CryptError::Stopped(stop)
    }
}

impl CryptError {
    /// What crypt() returns instead.
    pub fn text(salt: &[u8]) -> &'static [u8] {
        if salt.starts_with(b"*0") {
            b"*1"
        } else {
            b"*0"
        }
    }
}

/// crypt. Passwords end at NUL, as in C.
pub fn crypt(password: &[u8], salt: &[u8], work: &mut Work) -> Result<Vec<u8>, CryptError> {
    let password = memchr::memchr(0, password).map_or(password, |end| &password[..end]);
    if salt.starts_with(b"$2") {
        return crypt_bcrypt(password, salt, work);
    }
    if let Some(salt) = salt.strip_prefix(b"$1$") {
        return Ok(crypt_md5(password, salt, work)?);
    }
    if let Some(salt) = salt.strip_prefix(b"$5$") {
        return crypt_sha::<Sha256>(password, salt, b"$5$", &SHA256_ORDER, work);
    }
    if let Some(salt) = salt.strip_prefix(b"$6$") {
        return crypt_sha::<Sha512>(password, salt, b"$6$", &SHA512_ORDER, work);
    }
    let hash = match salt {
        [b'_', ..] => des::extended(password, salt, work),
        _ => des::traditional(password, salt, work),
    };
    hash?.ok_or(CryptError::BadSalt)
}

/// bcrypt's own base64: most significant bits first.
fn bcrypt_digits(data: &[u8], digits: usize, out: &mut Vec<u8>) {
    let bit = |index: usize| {
        data.get(index / 8)
            .map_or(0, |byte| byte >> (7 - index % 8) & 1)
    };
    out.extend((0..digits).map(|digit| {
        let value = (0..6).fold(0, |value, offset| value << 1 | bit(digit * 6 + offset));
        BCRYPT_DIGITS[usize::from(value)]
    }));
}

fn bcrypt_hash(
    password: &[u8],
    cost: u32,
    salt: [u8; 16],
    version: &[u8],
    work: &mut Work,
) -> Res<Vec<u8>> {
    let digest = bcrypt::digest(password, cost, salt, work)?;
    let mut out = b"$".to_vec();
    out.extend_from_slice(version);
    out.extend_from_slice(format!("${cost:02}$").as_bytes());
    bcrypt_digits(&salt, 22, &mut out);
    bcrypt_digits(&digest, 31, &mut out);
    Ok(out)
}

fn crypt_bcrypt(password: &[u8], setting: &[u8], work: &mut Work) -> Result<Vec<u8>, CryptError> {
    let (version, cost, salt) = bcrypt_setting(password, setting).ok_or(CryptError::BadSalt)?;
    Ok(bcrypt_hash(password, cost, salt, version, work)?)
}

/// Version, cost and salt of a setting.
fn bcrypt_setting<'s>(password: &[u8], setting: &'s [u8]) -> Option<(&'s [u8], u32, [u8; 16])> {
    let version = setting.get(1..3)?;
    // 2x is a form with a sign error, which only bites beyond ASCII.
    let known = matches!(version, b"2a" | b"2b" | b"2y") || version == b"2x" && password.is_ascii();
    if !known || setting.get(3) != Some(&b'$') || setting.get(6) != Some(&b'$') {
        return None;
    }
    let cost = decimal(setting.get(4..6)?).filter(|cost| (4..=31).contains(cost))?;
    let mut salt = [0u8; 16];
    for (index, digit) in setting.get(7..29)?.iter().enumerate() {
        let value = BCRYPT_DIGITS.iter().position(|known| known == digit)?;
        for bit in 0..6 {
            let at = index * 6 + bit;
            if value >> (5 - bit) & 1 != 0
                && let Some(byte) = salt.get_mut(at / 8)
            {
                *byte |= 0x80 >> (at % 8);
            }
        }
    }
    Some((version, cost, salt))
}

/// Crypt's base64: 24 bits from three bytes, least significant digit first.
fn crypt_digits(bytes: [u8; 3], digits: usize, out: &mut Vec<u8>) {
    let mut bits = u32::from(bytes[0]) << 16 | u32::from(bytes[1]) << 8 | u32::from(bytes[2]);
    for _ in 0..digits {
        out.push(CRYPT_DIGITS[(bits & 63) as usize]);
        bits >>= 6;
    }
}

/// The salt up to its end mark, and at most `max` bytes of it.
fn salt_part(salt: &[u8], max: usize) -> &[u8] {
    let end = memchr::memchr(b'$', salt).unwrap_or(salt.len());
    &salt[..end.min(max)]
}

/// The digest of a few parts.
fn digest_of<D: Digest>(
    parts: impl IntoIterator<Item: AsRef<[u8]>>,
    work: &mut Work,
) -> Res<digest::Output<D>> {
    let mut context = D::new();
    for part in parts {
        work.pieces(part.as_ref(), |piece| context.update(piece))?;
    }
    // A last block is hashed, whatever the length.
    work.spend(UNITS_OF_DIGEST)?;
    Ok(context.finalize())
}

/// Poul-Henning Kamp's MD5 form.
fn crypt_md5(password: &[u8], salt: &[u8], work: &mut Work) -> Res<Vec<u8>> {
    use md5::Md5;
    let salt = salt_part(salt, 8);
    let inner = digest_of::<Md5>([password, salt, password], work)?;
    let mut context = Md5::new();
    work.pieces(password, |piece| context.update(piece))?;
    context.update(b"$1$");
    context.update(salt);
    for chunk in password.chunks(16) {
        context.update(&inner[..chunk.len()]);
        work.spend(chunk.len())?;
    }
    let mut bits = password.len();
    while bits > 0 {
        let byte = if bits & 1 != 0 {
            &[0][..]
        } else {
            &password[..1]
        };
        context.update(byte);
        bits >>= 1;
    }
    let mut digest = context.finalize();
    for round in 0..1000 {
        let previous = digest;
        let (first, last) = if round & 1 != 0 {
            (password, &previous[..])
        } else {
            (&previous[..], password)
        };
        let salt = if round % 3 != 0 { salt } else { b"" };
        let middle = if round % 7 != 0 { password } else { b"" };
        digest = digest_of::<Md5>([first, salt, middle, last], work)?;
    }
    let mut out = b"$1$".to_vec();
    out.extend_from_slice(salt);
    out.push(b'$');
    for [a, b, c] in [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]] {
        crypt_digits([digest[a], digest[b], digest[c]], 4, &mut out);
    }
    crypt_digits([0, 0, digest[11]], 2, &mut out);
    Ok(out)
}

/// In which order the digests' bytes are written, three at a time.
#[rustfmt::skip]
const SHA256_ORDER: [[usize; 3]; 10] = [
    [0, 10, 20], [21, 1, 11], [12, 22, 2], [3, 13, 23], [24, 4, 14], [15, 25, 5], [6, 16, 26], [27, 7, 17], [18, 28, 8],
    [9, 19, 29],
];
#[rustfmt::skip]
const SHA512_ORDER: [[usize; 3]; 21] = [
    [0, 21, 42], [22, 43, 1], [44, 2, 23], [3, 24, 45], [25, 46, 4], [47, 5, 26], [6, 27, 48], [28, 49, 7], [50, 8, 29],
    [9, 30, 51], [31, 52, 10], [53, 11, 32], [12, 33, 54], [34, 55, 13], [56, 14, 35], [15, 36, 57], [37, 58, 16],
    [59, 17, 38], [18, 39, 60], [40, 61, 19], [62, 20, 41],
];

/// Ulrich Drepper's SHA-2 forms (https://www.akkadia.org/drepper/SHA-crypt.txt).
fn crypt_sha<D: Digest>(
    password: &[u8],
    setting: &[u8],
    prefix: &[u8],
    order: &[[usize; 3]],
    work: &mut Work,
) -> Result<Vec<u8>, CryptError> {
    let (rounds, salt) = sha_setting(setting).ok_or(CryptError::BadSalt)?;
    let inner = digest_of::<D>([password, salt, password], work)?;
    let mut context = D::new();
    work.pieces(password, |piece| context.update(piece))?;
    context.update(salt);
    for chunk in password.chunks(inner.len()) {
        context.update(&inner[..chunk.len()]);
        work.spend(chunk.len())?;
    }
    let mut bits = password.len();
    while bits > 0 {
        let part = if bits & 1 != 0 { &inner[..] } else { password };
        work.pieces(part, |piece| context.update(piece))?;
        bits >>= 1;
    }
    let mut digest = context.finalize();
    // A digest, over and over up to a length.
    let update_stretched = |context: &mut D, digest: &[u8], length: usize, work: &mut Work| {
        (0..length).step_by(digest.len()).try_for_each(|at| {
            let part = &digest[..digest.len().min(length - at)];
            context.update(part);
            work.spend(part.len())
        })
    };
    let mut context = D::new();
    for _ in 0..password.len() {
        work.pieces(password, |piece| context.update(piece))?;
    }
    let password_digest = context.finalize();
    let mut context = D::new();
    for _ in 0..16 + usize::from(digest[0]) {
        context.update(salt);
    }
    let salt_digest = context.finalize();
    for round in 0..rounds.unwrap_or(5000) {
        let mut context = D::new();
        let is_odd = round & 1 != 0;
        if is_odd {
            update_stretched(&mut context, &password_digest, password.len(), work)?;
        } else {
            context.update(&digest);
        }
        if round % 3 != 0 {
            update_stretched(&mut context, &salt_digest, salt.len(), work)?;
        }
        if round % 7 != 0 {
            update_stretched(&mut context, &password_digest, password.len(), work)?;
        }
        if is_odd {
            context.update(&digest);
        } else {
            update_stretched(&mut context, &password_digest, password.len(), work)?;
        }
        work.spend(UNITS_OF_DIGEST)?;
        digest = context.finalize();
    }
    let mut out = prefix.to_vec();
    if let Some(rounds) = rounds {
        out.extend_from_slice(format!("rounds={rounds}$").as_bytes());
    }
    out.extend_from_slice(salt);
    out.push(b'$');
    for &[a, b, c] in order {
        crypt_digits([digest[a], digest[b], digest[c]], 4, &mut out);
    }
    if digest.len() == 32 {
        crypt_digits([0, digest[31], digest[30]], 3, &mut out);
    } else {
        crypt_digits([0, 0, digest[63]], 2, &mut out);
    }
    Ok(out)
}

/// Rounds, when they are given, and the salt. `rounds=` without a number and `$` behind it is a salt.
fn sha_setting(setting: &[u8]) -> Option<(Option<u32>, &[u8])> {
    let no_rounds = Some((None, salt_part(setting, 16)));
    let Some(rest) = setting.strip_prefix(b"rounds=") else { return no_rounds };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let Some(salt) = rest[digits..].strip_prefix(b"$") else { return no_rounds };
    let rounds = decimal(&rest[..digits]).filter(|rounds| (1000..=999_999_999).contains(rounds))?;
    Some((Some(rounds), salt_part(salt, 16)))
}

/// uniqid: seconds and microseconds in hexadecimal, and with `$more_entropy` a number below 10.
pub fn uniqid(
    prefix: &[u8],
    seconds: u64,
    microseconds: u32,
    more_entropy: Option<f64>,
) -> Result<PStr, OutOfMemory> {
    let mut out = PStrBuilder::new();
    out.extend(prefix)?;
    write!(out, "{seconds:08x}{microseconds:05x}")?;
    if let Some(fraction) = more_entropy {
        write!(out, "{:.8}", fraction * 10.0)?;
    }
    Ok(out.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pure::testdata::{Samples, rows, show};

    fn verify(password: &[u8], hash: &[u8]) -> bool {
        super::verify(password, hash, &mut Work::uninterrupted()) == Ok(true)
    }

    fn hash(password: &[u8], hashing: Hashing) -> Result<Vec<u8>, PasswordError> {
        super::hash(password, hashing, &mut Work::uninterrupted())
    }

    #[test]
    fn crypts_as_php() {
        let mut samples = Samples::default();
        for row in rows(include_str!("../../tests/data/crypt.tsv")) {
            let [password, salt, expected] = &row[..] else {
                panic!("bad row")
            };
            let found = match crypt(password, salt, &mut Work::uninterrupted()) {
                Ok(found) => found,
                Err(CryptError::BadSalt) => CryptError::text(salt).to_vec(),
                Err(CryptError::Stopped(stop)) => panic!("{stop:?}"),
            };
            samples.check(show(&found), show(expected), show(salt));
        }
    }

    #[test]
    fn hashes_and_verifies() {
        let cheap = Hashing::Argon2 {
            id: true,
            memory_kib: 64,
            passes: 2,
            threads: 1,
        };
        for hashing in [Hashing::Bcrypt { cost: 4 }, cheap] {
            let hash = hash(b"secret", hashing).unwrap();
            assert!(verify(b"secret", &hash) && !verify(b"Secret", &hash));
            assert_eq!(Hashing::of_hash(&hash), Some(hashing));
        }
        // Hashes that stock PHP made.
        for made in [
            "$argon2id$v=19$m=64,t=2,p=1$dDJRZ1BCZWlCWDVLWTluNQ$+nKiZwuWlx6vJYpmdPpX/3B9ieBf2ins2NpF5TTrAmU",
            "$argon2i$v=19$m=64,t=1,p=1$OExjNHhPUnNNQkExMExDTQ$ll7cWVqfXFkcLYyyXuZhXRLY7E2EF/k0fWqO2WkuwEk",
        ] {
            assert!(verify(b"pw", made.as_bytes()), "{made}");
        }
        assert!(!verify(b"x", b"") && !verify(b"x", b"*0") && !verify(b"x", b"$argon2id$"));
    }

    #[test]
    fn errors_as_php() {
        let check = |password: &[u8], hashing, message: &str| {
            assert_eq!(
                hash(password, hashing),
                Err(PasswordError::Value(message.to_string()))
            );
        };
        check(
            b"a\0b",
            Hashing::BCRYPT,
            "Bcrypt password must not contain null character",
        );
        check(
            b"a",
            Hashing::Bcrypt { cost: 32 },
            "Invalid bcrypt cost parameter specified: 32",
        );
        let argon2 = |memory_kib, passes, threads| Hashing::Argon2 {
            id: true,
            memory_kib,
            passes,
            threads,
        };
        check(
            b"a",
            argon2(1, 4, 1),
            "Memory cost is outside of allowed memory range",
        );
        check(
            b"a",
            argon2(64, 0, 1),
            "Time cost is outside of allowed time range",
        );
        check(b"a", argon2(64, 1, 0), "Invalid number of threads");
        assert_eq!(uniqid(b"x", 0x1234_5678, 0xabc, Some(0.5)), Ok(PStr::new(b"x1234567800abc5.00000000")));
    }
}
