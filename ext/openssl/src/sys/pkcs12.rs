//! PKCS#12 files: a key, its certificate and others, behind a password.

use super::x509::Chain;
use super::{Bio, Certificate, Key, handle, raw, text_arg};
use std::ptr::{null, null_mut};

handle!(
    /// What such a file holds, still encrypted.
    Pkcs12, raw::PKCS12, raw::PKCS12_free
);

/// What was in a file.
pub struct Contents {
    pub key: Option<Key>,
    pub certificate: Option<Certificate>,
    pub others: Vec<Certificate>,
}

impl Pkcs12 {
    pub fn read(bio: &Bio) -> Option<Pkcs12> {
        // SAFETY: null asks for a new one.
        Pkcs12::own(unsafe { raw::d2i_PKCS12_bio(bio.ptr(), null_mut()) })
    }
    pub fn write(&self, bio: &Bio) -> bool {
        // SAFETY: both live.
        unsafe { raw::i2d_PKCS12_bio(bio.ptr(), self.ptr()) == 1 }
    }
    /// A password ends at its first NUL, as in C.
    pub fn create(password: &[u8], name: Option<&[u8]>, key: &Key, certificate: &Certificate, others: Option<&Chain>) -> Option<Pkcs12> {
        let password = text_arg(jumbo_value::string::up_to_nul(password))?;
        let name = name.and_then(text_arg);
        let others = others.map_or(null_mut(), Chain::ptr);
        // SAFETY: all live for the call; zeros ask for defaults.
        Pkcs12::own(unsafe {
            let name = name.as_ref().map_or(null(), |n| n.as_ptr());
            raw::PKCS12_create(password.as_ptr(), name, key.ptr(), certificate.ptr(), others, 0, 0, 0, 0, 0)
        })
    }
    pub fn open(&self, password: &[u8]) -> Option<Contents> {
        let password = text_arg(jumbo_value::string::up_to_nul(password))?;
        let (mut key, mut certificate, mut others) = (null_mut(), null_mut(), null_mut());
        // SAFETY: the library makes all three.
        let done = unsafe { raw::PKCS12_parse(self.ptr(), password.as_ptr(), &mut key, &mut certificate, &mut others) };
        let contents = Contents {
            key: Key::own(key),
            certificate: Certificate::own(certificate),
            others: Chain::own(others).map(|c| c.certificates()).unwrap_or_default(),
        };
        (done == 1).then_some(contents)
    }
}
