//! The PHP extension crate: openssl.
//!
//! | module | owns |
//! |---|---|
//! | `sys` | calling OpenSSL: all that is unsafe |
//! | `errors` | the script's queue of errors |
//! | `arguments` | arguments that name a key, a certificate or a file |
//! | `cipher`, `digest` | symmetric encryption, envelopes; digests, PBKDF2, random bytes |
//! | `key`, `sign` | keys; what is done with them |
//! | `options` | openssl.cnf and the arrays that override it |
//! | `x509`, `csr` | certificates; requests for them |
//! | `tls_options`, `tls_stream` | the options of stream contexts; TLS over sockets |
//! | `pkcs7`, `cms`, `pkcs12`, `spki` | messages, key files, signed public keys |
//!
//! # Invariant
//! Whatever may have left errors in the library's queue is followed by [`errors::store`] before the script goes on: the library's queue
//! belongs to the thread, and other instances run on it.
#![deny(unsafe_code)]

pub mod arguments;
pub mod cipher;
pub mod cms;
pub mod csr;
pub mod digest;
pub mod errors;
#[rustfmt::skip]
mod generated;
pub mod key;
pub mod options;
pub mod pkcs12;
pub mod pkcs7;
pub mod sign;
pub mod spki;
#[allow(unsafe_code)]
pub mod sys;
mod tls_options;
mod tls_stream;
pub mod x509;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "openssl",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    info: Some(info),
    wrappers: &[jumbo_ext_net::http::WRAPPER_HTTPS],
    services: &[&tls_stream::CRYPTO],
    ..jumbo_abi::Extension::EMPTY
};

fn info(_cx: &mut jumbo_abi::Cx) -> Vec<(String, String)> {
    let version = String::from_utf8_lossy(&sys::version_text()).into_owned();
    vec![
        ("OpenSSL support".to_owned(), "enabled".to_owned()),
        ("OpenSSL Library Version".to_owned(), version.clone()),
        ("OpenSSL Header Version".to_owned(), version),
        ("Openssl default config".to_owned(), options::default_path().to_string_lossy().into_owned()),
    ]
}

pub fn version_text() -> jumbo_abi::Value {
    jumbo_abi::Value::from(jumbo_abi::PStr::immortal(&sys::version_text()))
}

pub fn version_number() -> jumbo_abi::Value {
    jumbo_abi::Value::from(sys::version_number())
}
