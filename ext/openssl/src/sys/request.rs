//! Certificate signing requests, and certificates made from them.

use super::x509::{NamePart, name_parts};
use super::{Bio, Certificate, Config, Digest, Key, Number, handle, raw, text_arg};
use std::ffi::{c_int, c_long, c_ulong};
use std::ptr::{null, null_mut};

handle!(
    /// A request.
    Request, raw::X509_REQ, raw::X509_REQ_free
);
handle!(Text, raw::ASN1_STRING, raw::ASN1_STRING_free);
handle!(Integer, raw::ASN1_INTEGER, raw::ASN1_INTEGER_free);

/// Which kinds of strings may be used (`string_mask` of openssl.cnf).
#[derive(Clone, Copy)]
pub struct Mask(c_ulong);

impl Mask {
    /// The library's default: UTF-8.
    pub const DEFAULT: Mask = Mask(raw::B_ASN1_UTF8STRING);

    /// None: no such mask.
    pub fn parse(text: &[u8]) -> Option<Mask> {
        let mask = match text {
            b"nombstr" => !(raw::B_ASN1_BMPSTRING | raw::B_ASN1_UTF8STRING),
            b"pkix" => !raw::B_ASN1_T61STRING,
            b"utf8only" => raw::B_ASN1_UTF8STRING,
            b"default" => 0xffff_ffff,
            _ => {
                let number = std::str::from_utf8(text.strip_prefix(b"MASK:")?).ok()?;
                match number.strip_prefix("0x") {
                    Some(hex) => c_ulong::from_str_radix(hex, 16).ok()?,
                    None => number.parse().ok()?,
                }
            }
        };
        Some(Mask(mask))
    }

    /// A text in the first kind of string that the field allows. The library's function for this has one mask for the whole process.
    fn text(self, nid: c_int, text: &[u8]) -> Option<Text> {
        let len = c_int::try_from(text.len()).ok()?;
        let mut made = null_mut();
        // SAFETY: the table's entries are static; the text has its length; the library makes the string.
        unsafe {
            let entry = raw::ASN1_STRING_TABLE_get(nid);
            let done = if entry.is_null() {
                raw::ASN1_mbstring_copy(&mut made, text.as_ptr(), len, raw::MBSTRING_UTF8, raw::DIRSTRING_TYPE & self.0)
            } else {
                let free = (*entry).flags & raw::STABLE_NO_MASK != 0;
                let mask = if free { (*entry).mask } else { (*entry).mask & self.0 };
                raw::ASN1_mbstring_ncopy(&mut made, text.as_ptr(), len, raw::MBSTRING_UTF8, mask, (*entry).minsize, (*entry).maxsize)
            };
            let made = Text::own(made)?;
            (done >= 0).then_some(made)
        }
    }
}

impl Request {
    pub fn read(bio: &Bio) -> Option<Request> {
        // SAFETY: nulls: a new request, no password.
        Request::own(unsafe { raw::PEM_read_bio_X509_REQ(bio.ptr(), null_mut(), None, null_mut()) })
    }
    pub fn new() -> Option<Request> {
        // SAFETY: the request is ours.
        unsafe {
            let request = Request::own(raw::X509_REQ_new())?;
            (raw::X509_REQ_set_version(request.ptr(), 0) == 1).then_some(request)
        }
    }
    pub fn write(&self, bio: &Bio) -> bool {
        // SAFETY: both live.
        unsafe { raw::PEM_write_bio_X509_REQ(bio.ptr(), self.ptr()) == 1 }
    }
    pub fn print(&self, bio: &Bio) -> bool {
        // SAFETY: both live.
        unsafe { raw::X509_REQ_print(bio.ptr(), self.ptr()) == 1 }
    }
    pub fn subject(&self) -> Vec<NamePart> {
        // SAFETY: the name belongs to the request.
        unsafe { name_parts(raw::X509_REQ_get_subject_name(self.ptr())) }
    }
    pub fn public_key(&self) -> Option<Key> {
        // SAFETY: the key is counted for us.
        Key::own(unsafe { raw::X509_REQ_get_pubkey(self.ptr()) })
    }
    pub fn set_public_key(&self, key: &Key) -> bool {
        // SAFETY: both live.
        unsafe { raw::X509_REQ_set_pubkey(self.ptr(), key.ptr()) == 1 }
    }
    pub fn verify(&self, key: &Key) -> i64 {
        // SAFETY: both live.
        i64::from(unsafe { raw::X509_REQ_verify(self.ptr(), key.ptr()) })
    }
    pub fn sign(&self, key: &Key, digest: Option<Digest>) -> bool {
        // SAFETY: both live; null: the key has a digest of its own.
        unsafe { raw::X509_REQ_sign(self.ptr(), key.ptr(), digest.map_or(null(), Digest::ptr)) > 0 }
    }
    pub fn subject_len(&self) -> usize {
        // SAFETY: the name belongs to the request.
        usize::try_from(unsafe { raw::X509_NAME_entry_count(raw::X509_REQ_get_subject_name(self.ptr())) }).unwrap_or(0)
    }
    pub fn subject_has(&self, nid: c_int) -> bool {
        // SAFETY: the name belongs to the request.
        unsafe { raw::X509_NAME_get_index_by_NID(raw::X509_REQ_get_subject_name(self.ptr()), nid, -1) >= 0 }
    }
    pub fn add_to_subject(&self, nid: c_int, text: &[u8], mask: Mask) -> bool {
        let Some(text) = mask.text(nid, text) else { return false };
        // SAFETY: the name belongs to the request; kind, data and length are those of the string.
        unsafe {
            raw::X509_NAME_add_entry_by_NID(
                raw::X509_REQ_get_subject_name(self.ptr()),
                nid,
                raw::ASN1_STRING_type(text.ptr()),
                raw::ASN1_STRING_get0_data(text.ptr()).cast_mut(),
                raw::ASN1_STRING_length(text.ptr()),
                -1,
                0,
            ) == 1
        }
    }
    pub fn add_attribute(&self, nid: c_int, text: &[u8], mask: Mask) -> bool {
        let Some(text) = mask.text(nid, text) else { return false };
        // SAFETY: kind, data and length are those of the string.
        unsafe {
            raw::X509_REQ_add1_attr_by_NID(
                self.ptr(),
                nid,
                raw::ASN1_STRING_type(text.ptr()),
                raw::ASN1_STRING_get0_data(text.ptr()),
                raw::ASN1_STRING_length(text.ptr()),
            ) == 1
        }
    }
    /// Asks for the extensions of a section.
    pub fn add_extensions(&self, config: &Config, section: &[u8]) -> bool {
        let Some(section) = text_arg(section) else { return false };
        // SAFETY: the context is filled before it is used, and all that it points to lives for the call.
        unsafe {
            let mut context = std::mem::zeroed::<raw::X509V3_CTX>();
            raw::X509V3_set_ctx(&mut context, null_mut(), null_mut(), self.ptr(), null_mut(), 0);
            raw::X509V3_set_nconf(&mut context, config.ptr());
            raw::X509V3_EXT_REQ_add_nconf(config.ptr(), &mut context, section.as_ptr(), self.ptr()) == 1
        }
    }
}

/// The serial number of a new certificate.
pub enum Serial {
    Number(i64),
    /// Hexadecimal digits.
    Hex(Vec<u8>),
}

impl Serial {
    fn make(&self) -> Option<Integer> {
        // SAFETY: the number is ours, or made for us.
        unsafe {
            match self {
                Serial::Number(number) => {
                    let integer = Integer::own(raw::ASN1_INTEGER_new())?;
                    (raw::ASN1_INTEGER_set_int64(integer.ptr(), *number) == 1).then_some(integer)
                }
                Serial::Hex(hex) => {
                    let number = Number::of_hex(hex)?;
                    Integer::own(raw::BN_to_ASN1_INTEGER(number.ptr(), null_mut()))
                }
            }
        }
    }
}

/// A certificate that is not signed yet.
pub struct Draft(Certificate);

impl Draft {
    /// For the subject of a request, valid from now on. `issuer` None: its own.
    pub fn new(request: &Request, key: &Key, issuer: Option<&Certificate>, days: i64, serial: &Serial) -> Option<Draft> {
        let serial = serial.make()?;
        // SAFETY: the certificate is ours; names and times belong to their certificates.
        unsafe {
            let made = Certificate::own(raw::X509_new())?;
            let seconds = c_long::try_from(days.checked_mul(86_400)?).ok()?;
            let done = raw::X509_set_version(made.ptr(), 2) == 1
                && raw::X509_set_serialNumber(made.ptr(), serial.ptr()) == 1
                && raw::X509_set_subject_name(made.ptr(), raw::X509_REQ_get_subject_name(request.ptr())) == 1
                && raw::X509_set_issuer_name(made.ptr(), raw::X509_get_subject_name(issuer.unwrap_or(&made).ptr())) == 1
                && !raw::X509_gmtime_adj(raw::X509_getm_notBefore(made.ptr()), 0).is_null()
                && !raw::X509_gmtime_adj(raw::X509_getm_notAfter(made.ptr()), seconds).is_null()
                && raw::X509_set_pubkey(made.ptr(), key.ptr()) == 1;
            done.then_some(Draft(made))
        }
    }
    pub fn add_extensions(&self, request: &Request, issuer: Option<&Certificate>, config: &Config, section: &[u8]) -> bool {
        let Some(section) = text_arg(section) else { return false };
        // SAFETY: the context is filled before it is used, and all that it points to lives for the call.
        unsafe {
            let mut context = std::mem::zeroed::<raw::X509V3_CTX>();
            let issuer = issuer.unwrap_or(&self.0).ptr();
            raw::X509V3_set_ctx(&mut context, issuer, self.0.ptr(), request.ptr(), null_mut(), 0);
            raw::X509V3_set_nconf(&mut context, config.ptr());
            raw::X509V3_EXT_add_nconf(config.ptr(), &mut context, section.as_ptr(), self.0.ptr()) == 1
        }
    }
    pub fn sign(self, key: &Key, digest: Option<Digest>) -> Option<Certificate> {
        // SAFETY: both live; null: the key has a digest of its own.
        let done = unsafe { raw::X509_sign(self.0.ptr(), key.ptr(), digest.map_or(null(), Digest::ptr)) };
        (done > 0).then_some(self.0)
    }
}
