//! OpenSSL itself: every call of the C library is in this folder, behind types that own what they hold.
//!
//! | module | owns |
//! |---|---|
//! | `raw` | declarations: those of `openssl-sys`, and what it lacks |
//! | `bio` | memory and files as the library reads and writes them |
//! | `digest`, `cipher` | digests, PBKDF2, random bytes; symmetric ciphers |
//! | `key`, `key_data` | asymmetric keys: reading, writing, making, using; keys from and into numbers |
//! | `config` | openssl.cnf files |
//! | `x509`, `request` | certificates; certificate signing requests |
//! | `store` | trusted certificates and checking chains |
//! | `message`, `pkcs12`, `spki` | PKCS#7 and CMS messages, PKCS#12 files, signed public keys |
//! | `tls` | a TLS connection between two memory buffers |
//!
//! # Invariants
//! - Nothing here waits for the network, and no callback of the library runs PHP code.
//! - The library's error queue belongs to the thread. A caller takes the queue ([`take_errors`]) before the script can wait, so that
//!   no other instance of the thread sees its errors.
//! - A handle is never null, and counts for one reference of the library.

pub mod bio;
pub mod cipher;
pub mod config;
pub mod digest;
pub mod key;
pub mod key_data;
pub mod message;
pub mod pkcs12;
mod raw;
pub mod request;
pub mod spki;
pub mod store;
pub mod tls;
pub mod x509;

pub use bio::Bio;
pub use cipher::Cipher;
pub use config::Config;
pub use digest::Digest;
pub use key::Key;
pub use request::Request;
pub use x509::Certificate;

use std::ffi::{CStr, CString, c_char};

/// Declares a type that owns one reference to an object of the library.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty, $free:path) => {
        $(#[$doc])*
        pub struct $name(std::ptr::NonNull<$raw>);

        impl $name {
            /// Takes over what a function of the library has made.
            #[allow(dead_code)]
            pub(in crate::sys) fn own(made: *mut $raw) -> Option<$name> {
                std::ptr::NonNull::new(made).map($name)
            }
            #[allow(dead_code)]
            pub(in crate::sys) fn ptr(&self) -> *mut $raw {
                self.0.as_ptr()
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle owns one reference, and is not used afterwards.
                unsafe { $free(self.ptr()) };
            }
        }
    };
}
pub(in crate::sys) use handle;

handle!(
    /// A number of any size.
    Number, raw::BIGNUM, raw::BN_clear_free
);

impl Number {
    pub fn of(bytes: &[u8]) -> Option<Number> {
        let len = std::ffi::c_int::try_from(bytes.len()).ok()?;
        // SAFETY: the bytes are there for the call; null asks for a new number.
        Number::own(unsafe { raw::BN_bin2bn(bytes.as_ptr(), len, std::ptr::null_mut()) })
    }
    /// From hexadecimal digits; None when there are others.
    pub fn of_hex(text: &[u8]) -> Option<Number> {
        let text = text_arg(text)?;
        let mut number = std::ptr::null_mut();
        // SAFETY: the text ends with NUL; the library makes the number.
        let used = unsafe { raw::BN_hex2bn(&mut number, text.as_ptr()) };
        let number = Number::own(number)?;
        (usize::try_from(used) == Ok(text.as_bytes().len())).then_some(number)
    }
    pub fn to_bytes(&self) -> Vec<u8> {
        // SAFETY: the number lives; the buffer has as many bytes as the library says that it needs.
        unsafe {
            let mut out = vec![0; usize::try_from((raw::BN_num_bits(self.ptr()) + 7) / 8).unwrap_or(0)];
            raw::BN_bn2bin(self.ptr(), out.as_mut_ptr());
            out
        }
    }
    /// The digits in the given notation; `None` when memory is short.
    fn shown(&self, show: unsafe extern "C" fn(*const raw::BIGNUM) -> *mut c_char) -> Option<Vec<u8>> {
        // SAFETY: the number lives; the text is the library's, copied and given back.
        unsafe { owned_text(show(self.ptr())) }
    }
    pub fn to_hex(&self) -> Option<Vec<u8>> {
        self.shown(raw::BN_bn2hex)
    }
}

/// Copies a text that the library has allocated, and frees it.
///
/// # Safety
/// `text` is null or a string of the library that nobody else frees.
unsafe fn owned_text(text: *mut c_char) -> Option<Vec<u8>> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the contract.
    unsafe {
        let copy = CStr::from_ptr(text).to_bytes().to_vec();
        raw::CRYPTO_free(text.cast(), c"jumbo".as_ptr(), 0);
        Some(copy)
    }
}

/// A text that the library keeps.
///
/// # Safety
/// `text` is null or a string that lives for the call.
unsafe fn borrowed_text(text: *const c_char) -> Option<Vec<u8>> {
    // SAFETY: the contract.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes().to_vec())
}

/// Bytes as the library takes a text; None when there is a NUL in them.
pub fn text_arg(bytes: &[u8]) -> Option<CString> {
    CString::new(bytes).ok()
}

/// Prepares the library; to be called before anything else, any number of times.
pub fn init() {
    openssl_sys::init();
}

/// Takes all errors out of the thread's queue, the oldest first.
pub fn take_errors() -> Vec<u64> {
    let mut codes = Vec::new();
    loop {
        // SAFETY: no arguments.
        match unsafe { raw::ERR_get_error() } {
            0 => return codes,
            code => codes.push(code as u64),
        }
    }
}

/// `error:0480006C:PEM routines::no start line`.
pub fn error_text(code: u64) -> Vec<u8> {
    let mut buffer = [0u8; 256];
    // SAFETY: the buffer has as many bytes as are said; the library ends the text with NUL.
    unsafe {
        raw::ERR_error_string_n(code as std::ffi::c_ulong, buffer.as_mut_ptr().cast(), buffer.len());
    }
    jumbo_value::string::up_to_nul(&buffer).to_vec()
}

/// Why the library refused, without number and library.
pub fn error_reason(code: u64) -> (u32, u32) {
    // The library's number stands above the 23 bits of the reason.
    (((code >> 23) & 0xff) as u32, (code & 0x7f_ffff) as u32)
}

/// The version at run time: `OpenSSL 3.5.5 27 Jan 2026`.
pub fn version_text() -> Vec<u8> {
    // SAFETY: the text is static.
    unsafe { borrowed_text(raw::OpenSSL_version(0)).unwrap_or_default() }
}

pub fn version_number() -> i64 {
    // SAFETY: no arguments.
    unsafe { raw::OpenSSL_version_num() as i64 }
}
