//! openssl.cnf files.

use super::{borrowed_text, handle, raw, text_arg};
use std::ffi::{CString, c_long};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{null, null_mut};

handle!(
    /// A file's settings.
    Config, raw::CONF, raw::NCONF_free
);

impl Config {
    /// Reads a file; why it cannot be read stands in the error queue.
    pub fn load(path: &Path) -> Option<Config> {
        let path = text_arg(path.as_os_str().as_bytes())?;
        let mut line: c_long = 0;
        // SAFETY: null is the default form; the path ends with NUL.
        unsafe {
            let config = Config::own(raw::NCONF_new(null_mut()))?;
            (raw::NCONF_load(config.ptr(), path.as_ptr(), &mut line) > 0).then_some(config)
        }
    }

    /// A setting; of the whole file without a section. A missing one leaves no error in the queue.
    pub fn get(&self, section: Option<&[u8]>, name: &str) -> Option<Vec<u8>> {
        let section: Option<CString> = match section {
            Some(section) => Some(text_arg(section)?),
            None => None,
        };
        let name = text_arg(name.as_bytes())?;
        // SAFETY: the texts end with NUL; the answer belongs to the settings.
        unsafe {
            raw::ERR_set_mark();
            let text = raw::NCONF_get_string(self.ptr(), section.as_ref().map_or(null(), |s| s.as_ptr()), name.as_ptr());
            if text.is_null() {
                raw::ERR_pop_to_mark();
            } else {
                raw::ERR_clear_last_mark();
            }
            borrowed_text(text)
        }
    }

    /// Names and values of a section, in order.
    pub fn section(&self, name: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        let name = text_arg(name)?;
        // SAFETY: the section and its texts belong to the settings.
        unsafe {
            let list: *const raw::OPENSSL_STACK = raw::NCONF_get_section(self.ptr(), name.as_ptr()).cast();
            if list.is_null() {
                return None;
            }
            let mut found = Vec::new();
            for at in 0..raw::OPENSSL_sk_num(list) {
                let entry: *const raw::CONF_VALUE = raw::OPENSSL_sk_value(list, at).cast();
                found.push((borrowed_text((*entry).name)?, borrowed_text((*entry).value)?));
            }
            Some(found)
        }
    }

    /// Does the section describe extensions of certificates?
    pub fn describes_extensions(&self, section: &[u8]) -> bool {
        let Some(section) = text_arg(section) else { return false };
        // SAFETY: the context is filled before it is used; nulls stand for what a test does not need.
        unsafe {
            let mut context = std::mem::zeroed::<raw::X509V3_CTX>();
            raw::X509V3_set_ctx(&mut context, null_mut(), null_mut(), null_mut(), null_mut(), raw::CTX_TEST);
            raw::X509V3_set_nconf(&mut context, self.ptr());
            raw::X509V3_EXT_add_nconf(self.ptr(), &mut context, section.as_ptr(), null_mut()) == 1
        }
    }
}

/// Makes a number known under a name. It stays known: the library has one table.
pub fn add_object(name: &[u8], number: &[u8]) -> bool {
    let (Some(name), Some(number)) = (text_arg(name), text_arg(number)) else { return false };
    // SAFETY: the texts end with NUL.
    unsafe {
        raw::OBJ_txt2nid(number.as_ptr()) != raw::NID_undef && raw::OBJ_txt2nid(name.as_ptr()) != raw::NID_undef
            || raw::OBJ_create(number.as_ptr(), name.as_ptr(), name.as_ptr()) != raw::NID_undef
    }
}
