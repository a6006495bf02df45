//! Digests, PBKDF2, random bytes.

use super::{handle, raw, text_arg};
use jumbo_abi::{Res, Work};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{NonNull, null, null_mut};

/// A digest algorithm. The library's own objects, which live as long as the process.
#[derive(Clone, Copy)]
pub struct Digest(NonNull<raw::EVP_MD>);

handle!(
    /// A digest over data that comes in pieces.
    DigestContext, raw::EVP_MD_CTX, raw::EVP_MD_CTX_free
);

// SAFETY: nobody writes to an algorithm.
unsafe impl Send for Digest {}

impl Digest {
    pub fn by_name(name: &[u8]) -> Option<Digest> {
        let name = text_arg(name)?;
        // SAFETY: the name ends with NUL.
        NonNull::new(unsafe { raw::EVP_get_digestbyname(name.as_ptr()) }.cast_mut()).map(Digest)
    }
    pub(super) fn ptr(self) -> *const raw::EVP_MD {
        self.0.as_ptr()
    }

    pub fn of(self, data: &[u8], work: &mut Work) -> Res<Option<Vec<u8>>> {
        // SAFETY: null or a new context, which begins with the algorithm.
        let context = unsafe { DigestContext::own(raw::EVP_MD_CTX_new()) };
        let Some(context) = context.filter(|c| unsafe { raw::EVP_DigestInit_ex(c.ptr(), self.ptr(), null_mut()) } == 1) else { return Ok(None) };
        let mut done = 1;
        // SAFETY: the data has its length.
        work.pieces(data, |piece| done &= unsafe { raw::EVP_DigestUpdate(context.ptr(), piece.as_ptr().cast(), piece.len()) })?;
        let mut out = [0; raw::EVP_MAX_MD_SIZE as usize];
        let mut len = 0;
        // SAFETY: the buffer takes the longest digest.
        done &= unsafe { raw::EVP_DigestFinal_ex(context.ptr(), out.as_mut_ptr(), &mut len) };
        Ok((done == 1).then(|| out[..(len as usize).min(out.len())].to_vec()))
    }

    pub fn pbkdf2(self, password: &[u8], salt: &[u8], iterations: c_int, key_length: usize) -> Option<Vec<u8>> {
        let mut key = vec![0; key_length];
        let (password_len, salt_len) = (c_int::try_from(password.len()).ok()?, c_int::try_from(salt.len()).ok()?);
        let key_len = c_int::try_from(key_length).ok()?;
        // SAFETY: all lengths are those of the buffers.
        let done = unsafe {
            raw::PKCS5_PBKDF2_HMAC(
                password.as_ptr().cast(),
                password_len,
                salt.as_ptr(),
                salt_len,
                iterations,
                self.ptr(),
                key_len,
                key.as_mut_ptr(),
            )
        };
        (done == 1).then_some(key)
    }
}

/// Random bytes for keys.
pub fn random(buffer: &mut [u8]) -> bool {
    let Ok(len) = c_int::try_from(buffer.len()) else { return false };
    // SAFETY: the buffer has `len` bytes.
    unsafe { raw::RAND_bytes(buffer.as_mut_ptr(), len) == 1 }
}

struct Names {
    aliases: bool,
    names: Vec<Vec<u8>>,
}

unsafe extern "C" fn note_name(name: *const raw::OBJ_NAME, to: *mut c_void) {
    // SAFETY: the library passes an entry of its table, and what `digest_names` gave it.
    unsafe {
        let (entry, to) = (&*name, &mut *to.cast::<Names>());
        if to.aliases || entry.alias == 0 {
            to.names.push(CStr::from_ptr(entry.name).to_bytes().to_vec());
        }
    }
}

/// Names of digests in the library's table.
pub fn digest_names(aliases: bool) -> Vec<Vec<u8>> {
    let mut found = Names { aliases, names: Vec::new() };
    // SAFETY: the callback gets the list, which lives for the call.
    unsafe { raw::OBJ_NAME_do_all_sorted(raw::OBJ_NAME_TYPE_MD_METH, note_name, (&raw mut found).cast()) };
    found.names
}

unsafe extern "C" fn add_name(name: *const c_char, to: *mut c_void) {
    // SAFETY: the library passes a text, and what the caller gave it.
    unsafe { (*to.cast::<Vec<Vec<u8>>>()).push(CStr::from_ptr(name).to_bytes().to_ascii_lowercase()) };
}

unsafe extern "C" fn add_cipher(cipher: *mut raw::EVP_CIPHER, to: *mut c_void) {
    // SAFETY: the library passes a cipher, and what `cipher_names` gave it.
    unsafe { add_name(raw::EVP_CIPHER_get0_name(cipher), to) };
}

unsafe extern "C" fn add_cipher_names(cipher: *mut raw::EVP_CIPHER, to: *mut c_void) {
    // SAFETY: as above.
    unsafe { raw::EVP_CIPHER_names_do_all(cipher, add_name, to) };
}

/// Names of the ciphers that there really are.
pub fn cipher_names(aliases: bool) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = Vec::new();
    let each = if aliases { add_cipher_names } else { add_cipher };
    // SAFETY: null is the default library context; the callback gets the list, which lives for the call.
    unsafe { raw::EVP_CIPHER_do_all_provided(null_mut(), each, (&raw mut names).cast()) };
    names.sort();
    names
}

/// Short names of the elliptic curves.
pub fn curve_names() -> Vec<Vec<u8>> {
    // SAFETY: first the number is asked for, then as many entries are filled; names are static.
    unsafe {
        let count = raw::EC_get_builtin_curves(null_mut(), 0);
        let mut curves = vec![raw::EC_builtin_curve { nid: 0, comment: null() }; count];
        let count = raw::EC_get_builtin_curves(curves.as_mut_ptr(), count).min(curves.len());
        curves[..count].iter().filter_map(|c| super::borrowed_text(raw::OBJ_nid2sn(c.nid))).collect()
    }
}
