//! Signed public keys with a challenge: what browsers sent for the element `keygen`.

use super::{Digest, Key, handle, owned_text, raw};
use std::ffi::c_int;

handle!(
    /// A signed public key.
    Spki, raw::NETSCAPE_SPKI, raw::NETSCAPE_SPKI_free
);

/// Which step failed.
pub enum Failed {
    Memory,
    Challenge,
    Key,
    Sign,
}

impl Spki {
    pub fn new(key: &Key, challenge: &[u8], digest: Digest) -> Result<Spki, Failed> {
        let len = c_int::try_from(challenge.len()).map_err(|_| Failed::Challenge)?;
        // SAFETY: a new object has its part with the challenge; the text has its length.
        unsafe {
            let spki = Spki::own(raw::NETSCAPE_SPKI_new()).ok_or(Failed::Memory)?;
            if raw::ASN1_STRING_set((*(*spki.ptr()).spkac).challenge, challenge.as_ptr().cast(), len) != 1 {
                return Err(Failed::Challenge);
            }
            if raw::NETSCAPE_SPKI_set_pubkey(spki.ptr(), key.ptr()) != 1 {
                return Err(Failed::Key);
            }
            if raw::NETSCAPE_SPKI_sign(spki.ptr(), key.ptr(), digest.ptr()) <= 0 {
                return Err(Failed::Sign);
            }
            Ok(spki)
        }
    }
    pub fn decode(text: &[u8]) -> Option<Spki> {
        let len = c_int::try_from(text.len()).ok()?;
        // SAFETY: the text has its length. Zero would ask the library to look for the end.
        (len > 0).then(|| Spki::own(unsafe { raw::NETSCAPE_SPKI_b64_decode(text.as_ptr().cast(), len) })).flatten()
    }
    pub fn encode(&self) -> Option<Vec<u8>> {
        // SAFETY: the text is made for us.
        unsafe { owned_text(raw::NETSCAPE_SPKI_b64_encode(self.ptr())) }
    }
    pub fn public_key(&self) -> Option<Key> {
        // SAFETY: the part belongs to the object; the key is counted for us.
        Key::own(unsafe { raw::X509_PUBKEY_get((*(*self.ptr()).spkac).pubkey) })
    }
    pub fn verify(&self, key: &Key) -> bool {
        // SAFETY: both live.
        unsafe { raw::NETSCAPE_SPKI_verify(self.ptr(), key.ptr()) > 0 }
    }
    pub fn challenge(&self) -> Vec<u8> {
        // SAFETY: the part belongs to the object.
        unsafe { super::x509::string_bytes((*(*self.ptr()).spkac).challenge) }
    }
}
