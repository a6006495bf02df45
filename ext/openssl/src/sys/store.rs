//! Trusted certificates, and checking certificates against them.

use super::x509::Chain;
use super::{Certificate, handle, raw, text_arg};
use std::ffi::{c_int, c_long};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

handle!(
    /// Trusted certificates.
    Store, raw::X509_STORE, raw::X509_STORE_free
);
handle!(StoreContext, raw::X509_STORE_CTX, raw::X509_STORE_CTX_free);

/// Where systems keep openssl.cnf and trusted certificates. The library's own place comes last: it is built here, and few have it.
const AREAS: [&str; 4] = ["/usr/lib/ssl", "/etc/pki/tls", "/etc/ssl", "/usr/local/ssl"];

/// The system's folder of OpenSSL's files.
pub fn area() -> &'static Path {
    let is_area = |area: &&&str| Path::new(area).join("openssl.cnf").exists() || Path::new(area).join("certs").exists();
    Path::new(AREAS.iter().find(is_area).copied().unwrap_or("/usr/local/ssl"))
}

/// The system's file of trusted certificates.
pub fn default_file() -> PathBuf {
    area().join("cert.pem")
}

/// The system's folder of trusted certificates.
pub fn default_folder() -> PathBuf {
    area().join("certs")
}

impl Store {
    pub fn new() -> Option<Store> {
        // SAFETY: no arguments.
        Store::own(unsafe { raw::X509_STORE_new() })
    }

    fn lookup(&self, folder: bool, command: c_int, path: &Path) -> bool {
        let Some(path) = text_arg(path.as_os_str().as_bytes()) else { return false };
        // SAFETY: the method is static, the lookup belongs to the store, the path ends with NUL.
        unsafe {
            let method = if folder { raw::X509_LOOKUP_hash_dir() } else { raw::X509_LOOKUP_file() };
            let lookup = raw::X509_STORE_add_lookup(self.ptr(), method);
            !lookup.is_null()
                && raw::X509_LOOKUP_ctrl(lookup, command, path.as_ptr(), c_long::from(raw::X509_FILETYPE_PEM), null_mut()) == 1
        }
    }
    /// Trusts the certificates of a file.
    pub fn add_file(&self, path: &Path) -> bool {
        self.lookup(false, raw::X509_L_FILE_LOAD, path)
    }
    /// Trusts the certificates of a folder whose files are named by hash.
    pub fn add_folder(&self, path: &Path) -> bool {
        self.lookup(true, raw::X509_L_ADD_DIR, path)
    }
    pub fn add(&self, certificate: &Certificate) -> bool {
        // SAFETY: both live; the store counts the certificate.
        unsafe { raw::X509_STORE_add_cert(self.ptr(), certificate.ptr()) == 1 }
    }
    /// Trusts what the system trusts. `$SSL_CERT_FILE` and `$SSL_CERT_DIR` say otherwise.
    pub fn add_defaults(&self, file: bool, folder: bool) {
        let place = |variable: &str, default: PathBuf| std::env::var_os(variable).map_or(default, PathBuf::from);
        if file {
            let path = place("SSL_CERT_FILE", default_file());
            if path.exists() {
                self.add_file(&path);
            }
        }
        if folder {
            self.add_folder(&place("SSL_CERT_DIR", default_folder()));
        }
    }

    /// 1: the certificate is trusted, and may be used for the purpose; 0: not; less: it could not be checked. `purpose` negative: any.
    pub fn check(&self, certificate: &Certificate, untrusted: Option<&Chain>, purpose: c_int) -> i64 {
        // SAFETY: all live for the call; the context is ours.
        unsafe {
            let Some(context) = StoreContext::own(raw::X509_STORE_CTX_new()) else { return 0 };
            let untrusted = untrusted.map_or(null_mut(), Chain::ptr);
            if raw::X509_STORE_CTX_init(context.ptr(), self.ptr(), certificate.ptr(), untrusted) != 1
                || (purpose >= 0 && raw::X509_STORE_CTX_set_purpose(context.ptr(), purpose) != 1)
            {
                return 0;
            }
            i64::from(raw::X509_verify_cert(context.ptr()))
        }
    }
}
