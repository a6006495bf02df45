//! Signed and encrypted messages: PKCS#7 and its successor CMS.

use super::x509::Chain;
use super::store::Store;
use super::{Bio, Certificate, Cipher, Key, handle, raw};
use std::ffi::{c_int, c_uint};
use std::ptr::null_mut;

handle!(
    /// A PKCS#7 message.
    Pkcs7, raw::PKCS7, raw::PKCS7_free
);
handle!(
    /// A CMS message.
    Cms, raw::CMS_ContentInfo, raw::CMS_ContentInfo_free
);

/// How a message is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Der,
    Smime,
    Pem,
}

fn list(chain: Option<&Chain>) -> *mut raw::stack_st_X509 {
    chain.map_or(null_mut(), Chain::ptr)
}

fn place(bio: Option<&Bio>) -> *mut raw::BIO {
    bio.map_or(null_mut(), Bio::ptr)
}

impl Pkcs7 {
    /// A message, and its content when that stands outside.
    pub fn read_smime(bio: &Bio) -> Option<(Pkcs7, Option<Bio>)> {
        let mut content = null_mut();
        // SAFETY: the library makes the message and the content.
        let message = Pkcs7::own(unsafe { raw::SMIME_read_PKCS7(bio.ptr(), &mut content) });
        let content = Bio::own(content);
        Some((message?, content))
    }
    pub fn read_pem(bio: &Bio) -> Option<Pkcs7> {
        // SAFETY: nulls: a new message, no password.
        Pkcs7::own(unsafe { raw::PEM_read_bio_PKCS7(bio.ptr(), null_mut(), None, null_mut()) })
    }
    pub fn sign(certificate: &Certificate, key: &Key, others: Option<&Chain>, data: &Bio, flags: c_int) -> Option<Pkcs7> {
        // SAFETY: all live for the call.
        Pkcs7::own(unsafe { raw::PKCS7_sign(certificate.ptr(), key.ptr(), list(others), data.ptr(), flags) })
    }
    pub fn encrypt(to: &Chain, data: &Bio, cipher: Cipher, flags: c_int) -> Option<Pkcs7> {
        // SAFETY: all live for the call.
        Pkcs7::own(unsafe { raw::PKCS7_encrypt(to.ptr(), data.ptr(), cipher.ptr(), flags) })
    }
    pub fn write_smime(&self, out: &Bio, data: &Bio, flags: c_int) -> bool {
        // SAFETY: all live for the call.
        unsafe { raw::SMIME_write_PKCS7(out.ptr(), self.ptr(), data.ptr(), flags) == 1 }
    }
    pub fn write_pem(&self, out: &Bio) -> bool {
        // SAFETY: both live.
        unsafe { raw::PEM_write_bio_PKCS7(out.ptr(), self.ptr()) == 1 }
    }
    pub fn decrypt(&self, key: &Key, certificate: &Certificate, out: &Bio, flags: c_int) -> bool {
        // SAFETY: all live for the call.
        unsafe { raw::PKCS7_decrypt(self.ptr(), key.ptr(), certificate.ptr(), out.ptr(), flags) == 1 }
    }
    pub fn verify(&self, others: Option<&Chain>, store: &Store, content: Option<&Bio>, out: Option<&Bio>, flags: c_int) -> bool {
        // SAFETY: all live for the call.
        unsafe { raw::PKCS7_verify(self.ptr(), list(others), store.ptr(), place(content), place(out), flags) == 1 }
    }
    pub fn signers(&self, others: Option<&Chain>, flags: c_int) -> Option<Vec<Certificate>> {
        // SAFETY: the list is ours, its certificates belong to the message.
        unsafe {
            let signers = raw::PKCS7_get0_signers(self.ptr(), list(others), flags);
            if signers.is_null() {
                return None;
            }
            let copies = Chain::copy(signers);
            raw::OPENSSL_sk_free(signers.cast());
            Some(copies)
        }
    }
    /// The certificates of a signed message, and its revocation lists as PEM. None: of another kind.
    pub fn contents(&self) -> Option<(Vec<Certificate>, Vec<Vec<u8>>)> {
        // SAFETY: the kind says which part of the union is there; lists belong to the message.
        unsafe {
            let message = &*self.ptr();
            if message.d.ptr.is_null() {
                return None;
            }
            let (certificates, lists) = match raw::OBJ_obj2nid(message.type_) {
                raw::NID_pkcs7_signed => ((*message.d.sign).cert, (*message.d.sign).crl),
                raw::NID_pkcs7_signedAndEnveloped => {
                    ((*message.d.signed_and_enveloped).cert, (*message.d.signed_and_enveloped).crl)
                }
                _ => return Some((Vec::new(), Vec::new())),
            };
            Some((Chain::copy(certificates), revocation_lists(lists)))
        }
    }
}

/// Revocation lists as PEM.
///
/// # Safety
/// `lists` is null or a list of them that lives for the call.
unsafe fn revocation_lists(lists: *const raw::stack_st_X509_CRL) -> Vec<Vec<u8>> {
    let lists: *const raw::OPENSSL_STACK = lists.cast();
    if lists.is_null() {
        return Vec::new();
    }
    // SAFETY: the contract.
    unsafe {
        let pem = |at| {
            let bio = Bio::memory()?;
            (raw::PEM_write_bio_X509_CRL(bio.ptr(), raw::OPENSSL_sk_value(lists, at).cast()) == 1).then(|| bio.take())
        };
        (0..raw::OPENSSL_sk_num(lists)).filter_map(pem).collect()
    }
}

unsafe extern "C" fn free_list(list: *mut std::ffi::c_void) {
    // SAFETY: the stack holds a count of each.
    unsafe { raw::X509_CRL_free(list.cast()) };
}

impl Cms {
    /// A message, and its content when that stands outside.
    pub fn read(bio: &Bio, encoding: Encoding) -> Option<(Cms, Option<Bio>)> {
        let mut content = null_mut();
        // SAFETY: the library makes the message and the content.
        let message = Cms::own(unsafe {
            match encoding {
                Encoding::Der => raw::d2i_CMS_bio(bio.ptr(), null_mut()),
                Encoding::Pem => raw::PEM_read_bio_CMS(bio.ptr(), null_mut(), None, null_mut()),
                Encoding::Smime => raw::SMIME_read_CMS(bio.ptr(), &mut content),
            }
        });
        let content = Bio::own(content);
        Some((message?, content))
    }
    pub fn write(&self, out: &Bio, data: &Bio, encoding: Encoding, flags: c_int) -> bool {
        // SAFETY: all live for the call.
        unsafe {
            match encoding {
                Encoding::Der => raw::i2d_CMS_bio_stream(out.ptr(), self.ptr(), data.ptr(), flags) == 1,
                Encoding::Pem => raw::PEM_write_bio_CMS_stream(out.ptr(), self.ptr(), data.ptr(), flags) == 1,
                Encoding::Smime => raw::SMIME_write_CMS(out.ptr(), self.ptr(), data.ptr(), flags) == 1,
            }
        }
    }
    pub fn write_pem(&self, out: &Bio) -> bool {
        // SAFETY: both live.
        unsafe { raw::PEM_write_bio_CMS(out.ptr(), self.ptr()) == 1 }
    }
    pub fn sign(certificate: &Certificate, key: &Key, others: Option<&Chain>, data: &Bio, flags: c_uint) -> Option<Cms> {
        // SAFETY: all live for the call.
        Cms::own(unsafe { raw::CMS_sign(certificate.ptr(), key.ptr(), list(others), data.ptr(), flags) })
    }
    pub fn encrypt(to: &Chain, data: &Bio, cipher: Cipher, flags: c_uint) -> Option<Cms> {
        // SAFETY: all live for the call.
        Cms::own(unsafe { raw::CMS_encrypt(to.ptr(), data.ptr(), cipher.ptr(), flags) })
    }
    pub fn decrypt(&self, key: &Key, certificate: &Certificate, out: &Bio, flags: c_uint) -> bool {
        // SAFETY: all live for the call.
        unsafe { raw::CMS_decrypt(self.ptr(), key.ptr(), certificate.ptr(), null_mut(), out.ptr(), flags) == 1 }
    }
    pub fn verify(&self, others: Option<&Chain>, store: &Store, content: Option<&Bio>, out: Option<&Bio>, flags: c_uint) -> bool {
        // SAFETY: all live for the call.
        unsafe { raw::CMS_verify(self.ptr(), list(others), store.ptr(), place(content), place(out), flags) == 1 }
    }
    pub fn signers(&self) -> Option<Vec<Certificate>> {
        // SAFETY: the list is ours, its certificates belong to the message.
        unsafe {
            let signers = raw::CMS_get0_signers(self.ptr());
            if signers.is_null() {
                return None;
            }
            let copies = Chain::copy(signers);
            raw::OPENSSL_sk_free(signers.cast());
            Some(copies)
        }
    }
    /// Certificates and revocation lists as PEM.
    pub fn contents(&self) -> (Vec<Certificate>, Vec<Vec<u8>>) {
        // SAFETY: both lists are made for us, with a count of each entry.
        unsafe {
            let certificates = Chain::own(raw::CMS_get1_certs(self.ptr()));
            let lists = raw::CMS_get1_crls(self.ptr());
            let shown = revocation_lists(lists);
            if !lists.is_null() {
                raw::OPENSSL_sk_pop_free(lists.cast(), Some(free_list));
            }
            (certificates.map(|c| c.certificates()).unwrap_or_default(), shown)
        }
    }
}
