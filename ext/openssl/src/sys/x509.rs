//! Certificates and names.

use super::{Bio, Digest, Key, Number, borrowed_text, handle, owned_text, raw};
use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

handle!(
    /// A certificate.
    Certificate, raw::X509, raw::X509_free
);

/// A part of a name: its short and its long kind, and its text as UTF-8 (None: it has no text).
pub struct NamePart {
    pub short: Vec<u8>,
    pub long: Vec<u8>,
    pub text: Option<Vec<u8>>,
}

/// A point in time as a certificate has it.
pub struct Time {
    /// None: of a kind that is no time.
    pub generalized: Option<bool>,
    pub text: Vec<u8>,
}

/// What a certificate may be used for.
pub struct Purpose {
    pub id: i64,
    pub short: Vec<u8>,
    pub long: Vec<u8>,
    pub as_subject: bool,
    pub as_authority: bool,
}

/// The bytes of a string of the library.
///
/// # Safety
/// `string` is null or lives for the call.
pub(super) unsafe fn string_bytes(string: *const raw::ASN1_STRING) -> Vec<u8> {
    if string.is_null() {
        return Vec::new();
    }
    // SAFETY: the contract; the library says how many bytes there are.
    unsafe {
        let (data, len) = (raw::ASN1_STRING_get0_data(string), usize::try_from(raw::ASN1_STRING_length(string)).unwrap_or(0));
        if data.is_null() { Vec::new() } else { std::slice::from_raw_parts(data, len).to_vec() }
    }
}

/// The number of an object: `1.2.840.10045.3.1.7`.
///
/// # Safety
/// `object` is null or lives for the call.
pub(super) unsafe fn object_number(object: *const raw::ASN1_OBJECT) -> Option<Vec<u8>> {
    let mut buffer = [0u8; 256];
    // SAFETY: the contract; the buffer has the length that is said.
    let len = unsafe { raw::OBJ_obj2txt(buffer.as_mut_ptr().cast(), buffer.len() as c_int, object, 1) };
    let len = usize::try_from(len).ok().filter(|n| *n > 0)?;
    Some(buffer[..len.min(buffer.len() - 1)].to_vec())
}

/// The parts of a name.
///
/// # Safety
/// `name` is null or lives for the call.
pub(super) unsafe fn name_parts(name: *const raw::X509_NAME) -> Vec<NamePart> {
    let mut parts = Vec::new();
    // SAFETY: the contract; entries belong to the name, texts of objects are static.
    unsafe {
        for at in 0..raw::X509_NAME_entry_count(name) {
            let entry = raw::X509_NAME_get_entry(name, at);
            if entry.is_null() {
                continue;
            }
            let nid = raw::OBJ_obj2nid(raw::X509_NAME_ENTRY_get_object(entry));
            let data = raw::X509_NAME_ENTRY_get_data(entry);
            let text = if raw::ASN1_STRING_type(data) == raw::V_ASN1_UTF8STRING {
                Some(string_bytes(data))
            } else {
                let mut utf8 = null_mut();
                let len = raw::ASN1_STRING_to_UTF8(&mut utf8, data);
                usize::try_from(len).ok().filter(|_| !utf8.is_null()).map(|len| {
                    let copy = std::slice::from_raw_parts(utf8, len).to_vec();
                    raw::CRYPTO_free(utf8.cast(), c"jumbo".as_ptr(), 0);
                    copy
                })
            };
            let short = borrowed_text(raw::OBJ_nid2sn(nid)).unwrap_or_default();
            let long = borrowed_text(raw::OBJ_nid2ln(nid)).unwrap_or_default();
            parts.push(NamePart { short, long, text });
        }
    }
    parts
}

impl Certificate {
    pub fn read(bio: &Bio) -> Option<Certificate> {
        // SAFETY: nulls: a new certificate, no password.
        Certificate::own(unsafe { raw::PEM_read_bio_X509(bio.ptr(), null_mut(), None, null_mut()) })
    }
    /// All certificates of a PEM text.
    pub fn read_all(bio: &Bio) -> Vec<Certificate> {
        let mut found = Vec::new();
        while let Some(certificate) = Certificate::read(bio) {
            found.push(certificate);
        }
        found
    }
    pub fn share(&self) -> Certificate {
        // SAFETY: the certificate lives; the count goes up for the new handle.
        unsafe { raw::X509_up_ref(self.ptr()) };
        Certificate::own(self.ptr()).expect("a handle is not null")
    }
    pub fn write(&self, bio: &Bio) -> bool {
        // SAFETY: both live.
        unsafe { raw::PEM_write_bio_X509(bio.ptr(), self.ptr()) == 1 }
    }
    /// As text for people.
    pub fn print(&self, bio: &Bio) -> bool {
        // SAFETY: both live.
        unsafe { raw::X509_print(bio.ptr(), self.ptr()) == 1 }
    }
    pub fn public_key(&self) -> Option<Key> {
        // SAFETY: the certificate lives; the key is counted for us.
        Key::own(unsafe { raw::X509_get_pubkey(self.ptr()) })
    }
    pub fn has_private_key(&self, key: &Key) -> bool {
        // SAFETY: both live.
        unsafe { raw::X509_check_private_key(self.ptr(), key.ptr()) == 1 }
    }
    pub fn verify(&self, key: &Key) -> i64 {
        // SAFETY: both live.
        i64::from(unsafe { raw::X509_verify(self.ptr(), key.ptr()) })
    }
    pub fn fingerprint(&self, digest: Digest) -> Option<Vec<u8>> {
        let mut out = [0; raw::EVP_MAX_MD_SIZE as usize];
        let mut len = 0;
        // SAFETY: the buffer takes the longest digest.
        let done = unsafe { raw::X509_digest(self.ptr(), digest.ptr(), out.as_mut_ptr(), &mut len) };
        (done == 1).then(|| out[..(len as usize).min(out.len())].to_vec())
    }
    pub fn subject(&self) -> Vec<NamePart> {
        // SAFETY: the name belongs to the certificate.
        unsafe { name_parts(raw::X509_get_subject_name(self.ptr())) }
    }
    pub fn issuer(&self) -> Vec<NamePart> {
        // SAFETY: the name belongs to the certificate.
        unsafe { name_parts(raw::X509_get_issuer_name(self.ptr())) }
    }
    /// The subject in one line: `/C=BR/CN=x`.
    pub fn subject_line(&self) -> Vec<u8> {
        // SAFETY: the name belongs to the certificate; the text is allocated for us.
        unsafe { owned_text(raw::X509_NAME_oneline(raw::X509_get_subject_name(self.ptr()), null_mut(), 0)).unwrap_or_default() }
    }
    /// The bytes of the subject's common name, as the certificate has them.
    pub fn common_name(&self) -> Option<Vec<u8>> {
        // SAFETY: name, entry and data belong to the certificate.
        unsafe {
            let name = raw::X509_get_subject_name(self.ptr());
            let at = raw::X509_NAME_get_index_by_NID(name, raw::NID_commonName, -1);
            let entry = raw::X509_NAME_get_entry(name, at);
            (at >= 0 && !entry.is_null()).then(|| string_bytes(raw::X509_NAME_ENTRY_get_data(entry)))
        }
    }
    pub fn subject_hash(&self) -> u64 {
        // SAFETY: the certificate lives.
        unsafe { raw::X509_subject_name_hash(self.ptr()) as u64 }
    }
    pub fn version(&self) -> i64 {
        // SAFETY: the certificate lives.
        unsafe { raw::X509_get_version(self.ptr()) as i64 }
    }
    /// The serial number as the library shows it (decimal, or hexadecimal when it is long), and in hexadecimal.
    pub fn serial(&self) -> (Vec<u8>, Vec<u8>) {
        // SAFETY: the number belongs to the certificate; texts and the copy are ours.
        unsafe {
            let serial = raw::X509_get_serialNumber(self.ptr());
            let shown = owned_text(raw::i2s_ASN1_INTEGER(null_mut(), serial)).unwrap_or_default();
            let hex = Number::own(raw::ASN1_INTEGER_to_BN(serial, null_mut())).and_then(|n| n.to_hex());
            (shown, hex.unwrap_or_default())
        }
    }
    /// From when and until when it is valid.
    pub fn validity(&self) -> [Time; 2] {
        // SAFETY: the times belong to the certificate. Times are strings of the library.
        unsafe {
            [raw::X509_getm_notBefore(self.ptr()), raw::X509_getm_notAfter(self.ptr())].map(|time| {
                let string: *const raw::ASN1_STRING = time.cast();
                let generalized = match raw::ASN1_STRING_type(string) {
                    raw::V_ASN1_UTCTIME => Some(false),
                    raw::V_ASN1_GENERALIZEDTIME => Some(true),
                    _ => None,
                };
                Time { generalized, text: string_bytes(string) }
            })
        }
    }
    /// A name that a file of keys has given it.
    pub fn alias(&self) -> Option<Vec<u8>> {
        let mut len = 0;
        // SAFETY: the text belongs to the certificate, and is as long as is said.
        unsafe {
            let text = raw::X509_alias_get0(self.ptr(), &mut len);
            let len = usize::try_from(len).ok()?;
            (!text.is_null()).then(|| std::slice::from_raw_parts(text, len).to_vec())
        }
    }
    /// The kind of signature: short name, long name, number.
    pub fn signature_kind(&self) -> (Vec<u8>, Vec<u8>, i64) {
        // SAFETY: names are static.
        unsafe {
            let nid = raw::X509_get_signature_nid(self.ptr());
            let short = borrowed_text(raw::OBJ_nid2sn(nid)).unwrap_or_default();
            (short, borrowed_text(raw::OBJ_nid2ln(nid)).unwrap_or_default(), i64::from(nid))
        }
    }
    pub fn purposes(&self) -> Vec<Purpose> {
        // SAFETY: purposes and their names are static.
        unsafe {
            let mut found = Vec::new();
            for at in 0..raw::X509_PURPOSE_get_count() {
                let purpose = raw::X509_PURPOSE_get0(at);
                if purpose.is_null() {
                    continue;
                }
                let id = raw::X509_PURPOSE_get_id(purpose);
                found.push(Purpose {
                    id: i64::from(id),
                    short: borrowed_text(raw::X509_PURPOSE_get0_sname(purpose)).unwrap_or_default(),
                    long: borrowed_text(raw::X509_PURPOSE_get0_name(purpose)).unwrap_or_default(),
                    as_subject: raw::X509_check_purpose(self.ptr(), id, 0) != 0,
                    as_authority: raw::X509_check_purpose(self.ptr(), id, 1) != 0,
                });
            }
            found
        }
    }
    /// Extensions as text. None: one could not be read.
    pub fn extensions(&self) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        let mut found = Vec::new();
        // SAFETY: extensions and their parts belong to the certificate.
        unsafe {
            for at in 0..raw::X509_get_ext_count(self.ptr()) {
                let extension = raw::X509_get_ext(self.ptr(), at);
                if extension.is_null() {
                    continue;
                }
                let object = raw::X509_EXTENSION_get_object(extension);
                let nid = raw::OBJ_obj2nid(object);
                let name = if nid == raw::NID_undef { object_number(object) } else { borrowed_text(raw::OBJ_nid2sn(nid)) };
                let bio = Bio::memory()?;
                let text = if nid == raw::NID_subject_alt_name {
                    print_alternative_names(&bio, extension)?;
                    bio.take()
                } else if raw::X509V3_EXT_print(bio.ptr(), extension, 0, 0) == 1 {
                    bio.take()
                } else {
                    string_bytes(raw::X509_EXTENSION_get_data(extension).cast())
                };
                found.push((name.unwrap_or_default(), text));
            }
        }
        Some(found)
    }
    /// The alternative names of the subject.
    pub fn alternative_names(&self) -> Vec<AlternativeName> {
        // SAFETY: the list is made for us, and freed.
        unsafe {
            let names: *mut raw::OPENSSL_STACK = raw::X509_get_ext_d2i(self.ptr(), raw::NID_subject_alt_name, null_mut(), null_mut()).cast();
            if names.is_null() {
                return Vec::new();
            }
            let mut found = Vec::new();
            for at in 0..raw::OPENSSL_sk_num(names) {
                let name: *const raw::GENERAL_NAME = raw::OPENSSL_sk_value(names, at).cast();
                match (*name).type_ {
                    raw::GEN_DNS => found.push(AlternativeName::Dns(string_bytes((*name).d.cast()))),
                    raw::GEN_IPADD => found.push(AlternativeName::Address(string_bytes((*name).d.cast()))),
                    _ => {}
                }
            }
            raw::GENERAL_NAMES_free(names.cast());
            found
        }
    }
}

/// A name that a certificate is valid for.
pub enum AlternativeName {
    Dns(Vec<u8>),
    /// The bytes of an IP address.
    Address(Vec<u8>),
}

/// Prints alternative names with all their bytes: the library stops at a NUL.
///
/// # Safety
/// The extension lives, and is one of alternative names.
unsafe fn print_alternative_names(bio: &Bio, extension: *mut raw::X509_EXTENSION) -> Option<()> {
    // SAFETY: the contract; the list is made for us, and freed.
    unsafe {
        let names: *mut raw::OPENSSL_STACK = raw::X509V3_EXT_d2i(extension).cast();
        if names.is_null() {
            return None;
        }
        let count = raw::OPENSSL_sk_num(names);
        for at in 0..count {
            let name: *mut raw::GENERAL_NAME = raw::OPENSSL_sk_value(names, at).cast();
            let head: Option<&[u8]> = match (*name).type_ {
                raw::GEN_EMAIL => Some(b"email:"),
                raw::GEN_DNS => Some(b"DNS:"),
                raw::GEN_URI => Some(b"URI:"),
                _ => None,
            };
            match head {
                Some(head) => {
                    bio.put(head);
                    bio.put(&string_bytes((*name).d.cast()));
                }
                // The library's own words for the others.
                None => {
                    raw::GENERAL_NAME_print(bio.ptr(), name);
                }
            }
            if at + 1 < count {
                bio.put(b", ");
            }
        }
        raw::GENERAL_NAMES_free(names.cast());
    }
    Some(())
}

/// A list of certificates, each counted once more.
pub struct Chain(*mut raw::OPENSSL_STACK);

unsafe extern "C" fn free_certificate(certificate: *mut std::ffi::c_void) {
    // SAFETY: the list holds a count of each.
    unsafe { raw::X509_free(certificate.cast()) };
}

impl Chain {
    pub fn new(certificates: &[Certificate]) -> Option<Chain> {
        // SAFETY: no arguments.
        let chain = Chain(unsafe { raw::OPENSSL_sk_new_null() });
        if chain.0.is_null() {
            return None;
        }
        for certificate in certificates {
            // SAFETY: list and certificate live; the list gets a count of its own.
            unsafe {
                raw::X509_up_ref(certificate.ptr());
                if raw::OPENSSL_sk_push(chain.0, certificate.ptr().cast()) == 0 {
                    raw::X509_free(certificate.ptr());
                    return None;
                }
            }
        }
        Some(chain)
    }
    pub(super) fn ptr(&self) -> *mut raw::stack_st_X509 {
        self.0.cast()
    }
    /// The certificates of a list that is not ours, each counted for the caller.
    ///
    /// # Safety
    /// `list` is null or a list of certificates that lives for the call.
    pub(super) unsafe fn copy(list: *const raw::stack_st_X509) -> Vec<Certificate> {
        let list: *const raw::OPENSSL_STACK = list.cast();
        if list.is_null() {
            return Vec::new();
        }
        // SAFETY: the contract.
        unsafe {
            let certificate = |at| {
                let certificate: *mut raw::X509 = raw::OPENSSL_sk_value(list, at).cast();
                raw::X509_up_ref(certificate);
                Certificate::own(certificate)
            };
            (0..raw::OPENSSL_sk_num(list)).filter_map(certificate).collect()
        }
    }
    /// Takes over a list that the library has made.
    pub(super) fn own(list: *mut raw::stack_st_X509) -> Option<Chain> {
        (!list.is_null()).then(|| Chain(list.cast()))
    }
    pub fn certificates(&self) -> Vec<Certificate> {
        // SAFETY: the list is ours.
        unsafe { Chain::copy(self.ptr()) }
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        // SAFETY: the list is ours, with a count of each certificate.
        unsafe { raw::OPENSSL_sk_pop_free(self.0, Some(free_certificate)) };
    }
}

/// Short and long name of the kind of a certificate's part, for `OBJ_txt2nid`.
pub fn object_id(name: &[u8]) -> Option<c_int> {
    let name = super::text_arg(name)?;
    // SAFETY: the name ends with NUL.
    let nid = unsafe { raw::OBJ_txt2nid(name.as_ptr().cast::<c_char>()) };
    (nid != raw::NID_undef).then_some(nid)
}
