//! Declarations of the C library: those of `openssl-sys`, and those that it lacks. Names are the library's.
#![allow(non_camel_case_types)]

pub use openssl_sys::*;
use std::ffi::{c_char, c_int, c_long, c_uchar, c_ulong, c_void};

#[repr(C)]
pub struct OBJ_NAME {
    pub kind: c_int,
    pub alias: c_int,
    pub name: *const c_char,
    pub data: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct EC_builtin_curve {
    pub nid: c_int,
    pub comment: *const c_char,
}

#[repr(C)]
pub struct CONF_VALUE {
    pub section: *mut c_char,
    pub name: *mut c_char,
    pub value: *mut c_char,
}

#[repr(C)]
pub struct ASN1_STRING_TABLE {
    pub nid: c_int,
    pub minsize: c_long,
    pub maxsize: c_long,
    pub mask: c_ulong,
    pub flags: c_ulong,
}

#[repr(C)]
pub struct NETSCAPE_SPKAC {
    pub pubkey: *mut X509_PUBKEY,
    pub challenge: *mut ASN1_STRING,
}

/// Its first part alone: the rest belongs to the library.
#[repr(C)]
pub struct NETSCAPE_SPKI {
    pub spkac: *mut NETSCAPE_SPKAC,
    rest: [u8; 0],
}

pub const OBJ_NAME_TYPE_MD_METH: c_int = 1;
/// The key of a certificate as it is stored.
pub enum X509_PUBKEY {}

pub const BIO_C_SET_BUF_MEM_EOF_RETURN: c_int = 130;
pub const BIO_CTRL_RESET: c_int = 1;
pub const BIO_CTRL_PENDING: c_int = 10;
pub const B_ASN1_PRINTABLESTRING: c_ulong = 0x2;
pub const B_ASN1_T61STRING: c_ulong = 0x4;
pub const B_ASN1_BMPSTRING: c_ulong = 0x800;
pub const B_ASN1_UTF8STRING: c_ulong = 0x2000;
pub const DIRSTRING_TYPE: c_ulong = B_ASN1_PRINTABLESTRING | B_ASN1_T61STRING | B_ASN1_BMPSTRING | B_ASN1_UTF8STRING;
pub const EVP_CIPH_STREAM_CIPHER: c_int = 0;
pub const EVP_CIPH_GCM_MODE: c_int = 0x6;
pub const EVP_CIPH_CCM_MODE: c_int = 0x7;
pub const EVP_CIPH_OCB_MODE: c_int = 0x10003;
pub const EVP_CIPH_FLAG_AEAD_CIPHER: c_ulong = 0x20_0000;
pub const EVP_CTRL_AEAD_SET_IVLEN: c_int = 0x9;
pub const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
pub const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;
pub const EVP_MAX_IV_LENGTH: usize = 16;
pub const X509_L_FILE_LOAD: c_int = 1;
pub const X509_L_ADD_DIR: c_int = 2;
pub const CTX_TEST: c_int = 1;
pub const STABLE_NO_MASK: c_ulong = 2;

// SAFETY: the signatures are those of the headers of OpenSSL 3.5.
unsafe extern "C" {
    pub fn ERR_error_string_n(e: c_ulong, buf: *mut c_char, len: usize);
    pub fn ERR_set_mark() -> c_int;
    pub fn ERR_pop_to_mark() -> c_int;
    pub fn ERR_clear_last_mark() -> c_int;
    pub fn OBJ_NAME_do_all_sorted(kind: c_int, each: unsafe extern "C" fn(*const OBJ_NAME, *mut c_void), arg: *mut c_void);
    pub fn EVP_CIPHER_do_all_provided(
        libctx: *mut OSSL_LIB_CTX,
        each: unsafe extern "C" fn(*mut EVP_CIPHER, *mut c_void),
        arg: *mut c_void,
    );
    pub fn EVP_CIPHER_names_do_all(
        cipher: *const EVP_CIPHER,
        each: unsafe extern "C" fn(*const c_char, *mut c_void),
        arg: *mut c_void,
    ) -> c_int;
    pub fn EC_get_builtin_curves(r: *mut EC_builtin_curve, nitems: usize) -> usize;
    pub fn NCONF_load(conf: *mut CONF, file: *const c_char, eline: *mut c_long) -> c_int;
    pub fn NCONF_get_string(conf: *const CONF, group: *const c_char, name: *const c_char) -> *mut c_char;
    pub fn NCONF_get_section(conf: *const CONF, section: *const c_char) -> *mut c_void;
    pub fn X509V3_EXT_add_nconf(conf: *mut CONF, ctx: *mut X509V3_CTX, section: *const c_char, cert: *mut X509) -> c_int;
    pub fn X509V3_EXT_REQ_add_nconf(conf: *mut CONF, ctx: *mut X509V3_CTX, section: *const c_char, req: *mut X509_REQ) -> c_int;
    pub fn ASN1_STRING_TABLE_get(nid: c_int) -> *const ASN1_STRING_TABLE;
    pub fn NETSCAPE_SPKI_new() -> *mut NETSCAPE_SPKI;
    pub fn NETSCAPE_SPKI_free(spki: *mut NETSCAPE_SPKI);
    pub fn NETSCAPE_SPKI_set_pubkey(spki: *mut NETSCAPE_SPKI, key: *mut EVP_PKEY) -> c_int;
    pub fn NETSCAPE_SPKI_sign(spki: *mut NETSCAPE_SPKI, key: *mut EVP_PKEY, md: *const EVP_MD) -> c_int;
    pub fn NETSCAPE_SPKI_verify(spki: *mut NETSCAPE_SPKI, key: *mut EVP_PKEY) -> c_int;
    pub fn NETSCAPE_SPKI_b64_decode(text: *const c_char, len: c_int) -> *mut NETSCAPE_SPKI;
    pub fn NETSCAPE_SPKI_b64_encode(spki: *mut NETSCAPE_SPKI) -> *mut c_char;
    pub fn d2i_CMS_bio(bio: *mut BIO, cms: *mut *mut CMS_ContentInfo) -> *mut CMS_ContentInfo;
    pub fn PEM_read_bio_CMS(
        bio: *mut BIO,
        out: *mut *mut CMS_ContentInfo,
        callback: pem_password_cb,
        user_data: *mut c_void,
    ) -> *mut CMS_ContentInfo;
    pub fn PEM_write_bio_CMS(bio: *mut BIO, cms: *const CMS_ContentInfo) -> c_int;
    pub fn i2d_CMS_bio_stream(out: *mut BIO, cms: *mut CMS_ContentInfo, data: *mut BIO, flags: c_int) -> c_int;
    pub fn PEM_write_bio_CMS_stream(out: *mut BIO, cms: *mut CMS_ContentInfo, data: *mut BIO, flags: c_int) -> c_int;
    pub fn SMIME_write_CMS(out: *mut BIO, cms: *mut CMS_ContentInfo, data: *mut BIO, flags: c_int) -> c_int;
    pub fn CMS_get0_signers(cms: *mut CMS_ContentInfo) -> *mut stack_st_X509;
    pub fn CMS_get1_certs(cms: *mut CMS_ContentInfo) -> *mut stack_st_X509;
    pub fn CMS_get1_crls(cms: *mut CMS_ContentInfo) -> *mut stack_st_X509_CRL;
    pub fn PEM_write_bio_X509_CRL(bio: *mut BIO, list: *const X509_CRL) -> c_int;
    pub fn d2i_PKCS12_bio(bio: *mut BIO, p12: *mut *mut PKCS12) -> *mut PKCS12;
    pub fn i2s_ASN1_INTEGER(method: *mut c_void, number: *const ASN1_INTEGER) -> *mut c_char;
    pub fn ASN1_INTEGER_new() -> *mut ASN1_INTEGER;
    pub fn ASN1_INTEGER_set_int64(a: *mut ASN1_INTEGER, r: i64) -> c_int;
    pub fn ASN1_mbstring_copy(out: *mut *mut ASN1_STRING, text: *const c_uchar, len: c_int, form: c_int, mask: c_ulong) -> c_int;
    pub fn ASN1_mbstring_ncopy(
        out: *mut *mut ASN1_STRING,
        text: *const c_uchar,
        len: c_int,
        form: c_int,
        mask: c_ulong,
        minsize: c_long,
        maxsize: c_long,
    ) -> c_int;
    pub fn BIO_new_file(name: *const c_char, mode: *const c_char) -> *mut BIO;
    pub fn BIO_up_ref(bio: *mut BIO) -> c_int;
    pub fn EC_GROUP_new_from_params(params: *const OSSL_PARAM, libctx: *mut OSSL_LIB_CTX, propq: *const c_char) -> *mut EC_GROUP;
    pub fn EVP_CIPHER_get0_name(cipher: *const EVP_CIPHER) -> *const c_char;
    pub fn EVP_CIPHER_get_mode(cipher: *const EVP_CIPHER) -> c_int;
    pub fn EVP_CipherFinal_ex(ctx: *mut EVP_CIPHER_CTX, out: *mut c_uchar, len: *mut c_int) -> c_int;
    pub fn EVP_PKEY_CTX_set_group_name(ctx: *mut EVP_PKEY_CTX, name: *const c_char) -> c_int;
    pub fn EVP_PKEY_get_base_id(key: *const EVP_PKEY) -> c_int;
    pub fn GENERAL_NAMES_free(names: *mut stack_st_GENERAL_NAME);
    pub fn GENERAL_NAME_print(out: *mut BIO, name: *mut GENERAL_NAME) -> c_int;
    pub fn OBJ_txt2nid(text: *const c_char) -> c_int;
    pub fn PEM_read_bio_Parameters(bio: *mut BIO, out: *mut *mut EVP_PKEY) -> *mut EVP_PKEY;
    pub fn SSL_CTX_set_default_passwd_cb(ctx: *mut SSL_CTX, callback: pem_password_cb);
    pub fn SSL_CTX_set_default_passwd_cb_userdata(ctx: *mut SSL_CTX, user_data: *mut c_void);
    pub fn X509_NAME_oneline(name: *const X509_NAME, buffer: *mut c_char, size: c_int) -> *mut c_char;
    pub fn X509_PUBKEY_get(key: *mut X509_PUBKEY) -> *mut EVP_PKEY;
    pub fn X509_PURPOSE_get_count() -> c_int;
    pub fn X509_PURPOSE_get0_name(purpose: *const X509_PURPOSE) -> *mut c_char;
    pub fn X509_PURPOSE_get0_sname(purpose: *const X509_PURPOSE) -> *mut c_char;
    pub fn X509_STORE_CTX_set_purpose(ctx: *mut X509_STORE_CTX, purpose: c_int) -> c_int;
    pub fn X509_check_private_key(certificate: *const X509, key: *const EVP_PKEY) -> c_int;
    pub fn X509_check_purpose(certificate: *mut X509, id: c_int, ca: c_int) -> c_int;
    pub fn SSL_peek(ssl: *mut SSL, buffer: *mut c_void, count: c_int) -> c_int;
}
