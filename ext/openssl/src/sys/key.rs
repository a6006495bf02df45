//! Asymmetric keys: reading, writing, making, and what is done with them.

use super::digest::DigestContext;
use super::{Bio, Cipher, Digest, handle, raw, text_arg};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

handle!(
    /// A key, with or without its private part.
    Key, raw::EVP_PKEY, raw::EVP_PKEY_free
);

handle!(KeyContext, raw::EVP_PKEY_CTX, raw::EVP_PKEY_CTX_free);

/// What a key is for. Numbers are those of `OPENSSL_KEYTYPE_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Rsa = 0,
    Dsa = 1,
    Dh = 2,
    Ec = 3,
    X25519 = 4,
    Ed25519 = 5,
    X448 = 6,
    Ed448 = 7,
}

impl Kind {
    pub const ALL: [Kind; 8] = [Kind::Rsa, Kind::Dsa, Kind::Dh, Kind::Ec, Kind::X25519, Kind::Ed25519, Kind::X448, Kind::Ed448];

    pub fn of_number(number: i64) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| *kind as i64 == number)
    }
    /// The name of the fields' array in PHP.
    pub fn field(self) -> &'static str {
        match self {
            Kind::Rsa => "rsa",
            Kind::Dsa => "dsa",
            Kind::Dh => "dh",
            Kind::Ec => "ec",
            Kind::X25519 => "x25519",
            Kind::Ed25519 => "ed25519",
            Kind::X448 => "x448",
            Kind::Ed448 => "ed448",
        }
    }
    pub(super) fn library_name(self) -> &'static CStr {
        match self {
            Kind::Rsa => c"RSA",
            Kind::Dsa => c"DSA",
            Kind::Dh => c"DH",
            Kind::Ec => c"EC",
            Kind::X25519 => c"X25519",
            Kind::Ed25519 => c"ED25519",
            Kind::X448 => c"X448",
            Kind::Ed448 => c"ED448",
        }
    }
    /// Keys that are plain bytes: the library's number of the kind.
    pub(super) fn raw_number(self) -> Option<c_int> {
        match self {
            Kind::X25519 => Some(raw::EVP_PKEY_X25519),
            Kind::Ed25519 => Some(raw::EVP_PKEY_ED25519),
            Kind::X448 => Some(raw::EVP_PKEY_X448),
            Kind::Ed448 => Some(raw::EVP_PKEY_ED448),
            _ => None,
        }
    }
}

/// RSA's operations with the key of one side.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    PrivateEncrypt,
    PrivateDecrypt,
    PublicEncrypt,
    PublicDecrypt,
}

// SAFETY: kinds of functions; whoever calls one says why it may.
type Init = unsafe extern "C" fn(*mut raw::EVP_PKEY_CTX) -> c_int;
type Run = unsafe extern "C" fn(*mut raw::EVP_PKEY_CTX, *mut u8, *mut usize, *const u8, usize) -> c_int;

/// Gives the library a password.
unsafe extern "C" fn give_password(buffer: *mut c_char, size: c_int, _writing: c_int, password: *mut c_void) -> c_int {
    let room = usize::try_from(size).unwrap_or(0);
    // SAFETY: `password` is what the callers below pass: a slice that lives for the call; the buffer has `size` bytes.
    unsafe {
        let password = *password.cast::<&[u8]>();
        let len = password.len().min(room);
        std::ptr::copy_nonoverlapping(password.as_ptr(), buffer.cast::<u8>(), len);
        len as c_int
    }
}

// SAFETY: the library counts references to a key atomically, and locks what it caches in it.
unsafe impl Send for Key {}

impl Key {
    pub fn read_private(bio: &Bio, password: Option<&[u8]>) -> Option<Key> {
        let mut password = password.unwrap_or_default();
        // SAFETY: the callback gets the password, which lives for the call.
        Key::own(unsafe { raw::PEM_read_bio_PrivateKey(bio.ptr(), null_mut(), Some(give_password), (&raw mut password).cast()) })
    }
    pub fn read_public(bio: &Bio) -> Option<Key> {
        let mut password: &[u8] = &[];
        // SAFETY: the callback gets the password, which lives for the call.
        Key::own(unsafe { raw::PEM_read_bio_PUBKEY(bio.ptr(), null_mut(), Some(give_password), (&raw mut password).cast()) })
    }
    /// Another handle of the same key.
    pub fn share(&self) -> Key {
        // SAFETY: the key lives; the count goes up for the new handle.
        unsafe { raw::EVP_PKEY_up_ref(self.ptr()) };
        Key::own(self.ptr()).expect("a handle is not null")
    }
    /// Writes the private key, encrypted when a cipher is given.
    pub fn write_private(&self, bio: &Bio, encryption: Option<(Cipher, &[u8])>) -> bool {
        let (cipher, password) = encryption.map_or((null(), &[][..]), |(cipher, password)| (cipher.ptr(), password));
        let Ok(len) = c_int::try_from(password.len()) else { return false };
        let text = if cipher.is_null() { null() } else { password.as_ptr() };
        // SAFETY: the password has its length; without a cipher there is none.
        unsafe { raw::PEM_write_bio_PrivateKey(bio.ptr(), self.ptr(), cipher, text, len, None, null_mut()) == 1 }
    }
    pub fn write_public(&self, bio: &Bio) -> bool {
        // SAFETY: both live.
        unsafe { raw::PEM_write_bio_PUBKEY(bio.ptr(), self.ptr()) == 1 }
    }
    /// The key without its private part.
    pub fn public_part(&self) -> Option<Key> {
        let bio = Bio::memory()?;
        if self.write_public(&bio) { Key::read_public(&bio) } else { None }
    }
    pub fn bits(&self) -> i64 {
        // SAFETY: the key lives.
        i64::from(unsafe { raw::EVP_PKEY_get_bits(self.ptr()) })
    }
    /// Bytes of the longest signature or encrypted key.
    pub(super) fn size(&self) -> usize {
        // SAFETY: the key lives.
        usize::try_from(unsafe { raw::EVP_PKEY_get_size(self.ptr()) }).unwrap_or(0)
    }
    /// None: of a kind that PHP has no name for.
    pub fn kind(&self) -> Option<Kind> {
        // SAFETY: the key lives.
        match unsafe { raw::EVP_PKEY_get_base_id(self.ptr()) } {
            raw::EVP_PKEY_RSA => Some(Kind::Rsa),
            raw::EVP_PKEY_DSA => Some(Kind::Dsa),
            raw::EVP_PKEY_DH => Some(Kind::Dh),
            raw::EVP_PKEY_EC | raw::EVP_PKEY_SM2 => Some(Kind::Ec),
            raw::EVP_PKEY_X25519 => Some(Kind::X25519),
            raw::EVP_PKEY_ED25519 => Some(Kind::Ed25519),
            raw::EVP_PKEY_X448 => Some(Kind::X448),
            raw::EVP_PKEY_ED448 => Some(Kind::Ed448),
            // SAFETY: the key lives, the name ends with NUL.
            _ => (unsafe { raw::EVP_PKEY_is_a(self.ptr(), c"SM2".as_ptr()) } == 1).then_some(Kind::Ec),
        }
    }
    /// Does the key sign without a digest of its own choice?
    pub fn signs_without_digest(&self) -> bool {
        matches!(self.kind(), Some(Kind::Ed25519 | Kind::Ed448))
    }

    /// Makes a new key. `bits` is of no meaning for kinds of a fixed size; `curve`: of elliptic curves.
    pub fn generate(kind: Kind, bits: c_int, curve: Option<&[u8]>) -> Option<Key> {
        // SAFETY: the contexts live, names end with NUL; the library makes the keys.
        unsafe {
            let name = if curve == Some(b"SM2") { c"SM2" } else { kind.library_name() };
            let context = KeyContext::own(raw::EVP_PKEY_CTX_new_from_name(null_mut(), name.as_ptr(), null()))?;
            let context = match kind {
                Kind::Dsa | Kind::Dh => {
                    // The numbers that all keys of a group share come first.
                    let set = if kind == Kind::Dsa { raw::EVP_PKEY_CTX_set_dsa_paramgen_bits } else { raw::EVP_PKEY_CTX_set_dh_paramgen_prime_len };
                    if raw::EVP_PKEY_paramgen_init(context.ptr()) != 1 || set(context.ptr(), bits) != 1 {
                        return None;
                    }
                    let mut shared = null_mut();
                    raw::EVP_PKEY_paramgen(context.ptr(), &mut shared);
                    let shared = Key::own(shared)?;
                    KeyContext::own(raw::EVP_PKEY_CTX_new(shared.ptr(), null_mut()))?
                }
                _ => context,
            };
            if raw::EVP_PKEY_keygen_init(context.ptr()) != 1 {
                return None;
            }
            let set = match (kind, curve) {
                (Kind::Rsa, _) => raw::EVP_PKEY_CTX_set_rsa_keygen_bits(context.ptr(), bits) == 1,
                (Kind::Ec, Some(curve)) => {
                    let curve = text_arg(curve)?;
                    raw::EVP_PKEY_CTX_set_group_name(context.ptr(), curve.as_ptr()) == 1
                }
                (Kind::Ec, None) => false,
                _ => true,
            };
            if !set {
                return None;
            }
            let mut key = null_mut();
            raw::EVP_PKEY_keygen(context.ptr(), &mut key);
            Key::own(key)
        }
    }

    /// A key with the same shared numbers as this one.
    pub fn generate_like(&self) -> Option<Key> {
        // SAFETY: the context lives; the library makes the key.
        unsafe {
            let context = KeyContext::own(raw::EVP_PKEY_CTX_new(self.ptr(), null_mut()))?;
            if raw::EVP_PKEY_keygen_init(context.ptr()) != 1 {
                return None;
            }
            let mut key = null_mut();
            raw::EVP_PKEY_keygen(context.ptr(), &mut key);
            Key::own(key)
        }
    }

    pub fn sign(&self, data: &[u8], digest: Option<Digest>) -> Option<Vec<u8>> {
        let digest = digest.map_or(null(), Digest::ptr);
        // SAFETY: first the length is asked for, then as many bytes are given.
        unsafe {
            let context = DigestContext::own(raw::EVP_MD_CTX_new())?;
            let mut len = 0;
            if raw::EVP_DigestSignInit(context.ptr(), null_mut(), digest, null_mut(), self.ptr()) != 1
                || raw::EVP_DigestSign(context.ptr(), null_mut(), &mut len, data.as_ptr(), data.len()) != 1
            {
                return None;
            }
            let mut out = vec![0; len];
            let done = raw::EVP_DigestSign(context.ptr(), out.as_mut_ptr(), &mut len, data.as_ptr(), data.len());
            out.truncate(len);
            (done == 1).then_some(out)
        }
    }

    /// 1: the signature is right; 0: it is not; less: it could not be checked.
    pub fn verify(&self, data: &[u8], signature: &[u8], digest: Option<Digest>) -> i64 {
        let digest = digest.map_or(null(), Digest::ptr);
        // SAFETY: all lengths are those of the buffers.
        unsafe {
            let Some(context) = DigestContext::own(raw::EVP_MD_CTX_new()) else { return -1 };
            if raw::EVP_DigestVerifyInit(context.ptr(), null_mut(), digest, null_mut(), self.ptr()) != 1 {
                return -1;
            }
            i64::from(raw::EVP_DigestVerify(context.ptr(), signature.as_ptr(), signature.len(), data.as_ptr(), data.len()))
        }
    }

    /// RSA with the private or the public key.
    pub fn crypt(&self, operation: Operation, data: &[u8], padding: c_int) -> Option<Vec<u8>> {
        let (init, run): (Init, Run) = match operation {
            Operation::PrivateEncrypt => (raw::EVP_PKEY_sign_init, raw::EVP_PKEY_sign),
            Operation::PrivateDecrypt => (raw::EVP_PKEY_decrypt_init, raw::EVP_PKEY_decrypt),
            Operation::PublicEncrypt => (raw::EVP_PKEY_encrypt_init, raw::EVP_PKEY_encrypt),
            Operation::PublicDecrypt => (raw::EVP_PKEY_verify_recover_init, raw::EVP_PKEY_verify_recover),
        };
        // SAFETY: first the length is asked for, then as many bytes are given.
        unsafe {
            let context = KeyContext::own(raw::EVP_PKEY_CTX_new(self.ptr(), null_mut()))?;
            let mut len = 0;
            if init(context.ptr()) <= 0
                || raw::EVP_PKEY_CTX_set_rsa_padding(context.ptr(), padding) <= 0
                || run(context.ptr(), null_mut(), &mut len, data.as_ptr(), data.len()) <= 0
            {
                return None;
            }
            let mut out = vec![0; len];
            let done = run(context.ptr(), out.as_mut_ptr(), &mut len, data.as_ptr(), data.len());
            out.truncate(len);
            (done > 0).then_some(out)
        }
    }

    /// The secret that this private key and the other side's public key have in common. `length` 0: as long as it is.
    pub fn derive(&self, other: &Key, length: usize) -> Option<Vec<u8>> {
        // SAFETY: first the length is asked for, then at least as many bytes are given.
        unsafe {
            let context = KeyContext::own(raw::EVP_PKEY_CTX_new(self.ptr(), null_mut()))?;
            let mut len = length;
            if raw::EVP_PKEY_derive_init(context.ptr()) <= 0 || raw::EVP_PKEY_derive_set_peer(context.ptr(), other.ptr()) <= 0 {
                return None;
            }
            let mut needed = 0;
            if raw::EVP_PKEY_derive(context.ptr(), null_mut(), &mut needed) <= 0 {
                return None;
            }
            if len == 0 {
                len = needed;
            }
            // A shorter place than the secret is refused by the library, so that it stays within `len`.
            let mut out = vec![0; len];
            if raw::EVP_PKEY_derive(context.ptr(), out.as_mut_ptr(), &mut len) <= 0 {
                return None;
            }
            out.truncate(len);
            Some(out)
        }
    }
}
