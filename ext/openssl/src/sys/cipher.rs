//! Symmetric ciphers.

use super::{Key, handle, raw, text_arg};
use jumbo_abi::work::UNITS;
use jumbo_abi::{Res, Work};
use jumbo_value::PStrBuilder;
use std::ffi::{c_int, c_uchar};
use std::ptr::{NonNull, null, null_mut};

/// A cipher algorithm. The library's own objects, which live as long as the process.
#[derive(Clone, Copy)]
pub struct Cipher(NonNull<raw::EVP_CIPHER>);

handle!(
    /// A computation.
    Context, raw::EVP_CIPHER_CTX, raw::EVP_CIPHER_CTX_free
);

impl Cipher {
    pub fn by_name(name: &[u8]) -> Option<Cipher> {
        let name = text_arg(name)?;
        // SAFETY: the name ends with NUL.
        NonNull::new(unsafe { raw::EVP_get_cipherbyname(name.as_ptr()) }.cast_mut()).map(Cipher)
    }
    pub(super) fn ptr(self) -> *const raw::EVP_CIPHER {
        self.0.as_ptr()
    }
    pub fn iv_length(self) -> usize {
        // SAFETY: the algorithm lives.
        usize::try_from(unsafe { raw::EVP_CIPHER_get_iv_length(self.ptr()) }).unwrap_or(0)
    }
    pub fn key_length(self) -> usize {
        // SAFETY: the algorithm lives.
        usize::try_from(unsafe { raw::EVP_CIPHER_get_key_length(self.ptr()) }).unwrap_or(0)
    }
    pub fn block_size(self) -> usize {
        // SAFETY: the algorithm lives.
        usize::try_from(unsafe { raw::EVP_CIPHER_get_block_size(self.ptr()) }).unwrap_or(0)
    }
    fn flags(self) -> u64 {
        // SAFETY: the algorithm lives.
        unsafe { raw::EVP_CIPHER_get_flags(self.ptr()) as u64 }
    }
    fn mode(self) -> c_int {
        // SAFETY: the algorithm lives.
        unsafe { raw::EVP_CIPHER_get_mode(self.ptr()) }
    }
    /// Authenticates what it encrypts: has a tag.
    pub fn is_aead(self) -> bool {
        self.flags() & raw::EVP_CIPH_FLAG_AEAD_CIPHER != 0
    }
    /// Takes the data in one piece, whose length it must know first.
    pub fn is_single_run(self) -> bool {
        self.mode() == raw::EVP_CIPH_CCM_MODE
    }
    /// May the data come in pieces? The other modes know only whole ones.
    fn takes_pieces(self) -> bool {
        matches!(self.mode(), raw::EVP_CIPH_STREAM_CIPHER..=raw::EVP_CIPH_GCM_MODE | raw::EVP_CIPH_OCB_MODE)
    }
    pub fn is_ocb(self) -> bool {
        self.mode() == raw::EVP_CIPH_OCB_MODE
    }

    /// Begins a computation without key and initialisation vector.
    pub fn begin(self, encrypt: bool) -> Option<Context> {
        // SAFETY: nulls stand for what comes later.
        unsafe {
            let context = Context::own(raw::EVP_CIPHER_CTX_new())?;
            let done = raw::EVP_CipherInit_ex(context.ptr(), self.ptr(), null_mut(), null(), null(), c_int::from(encrypt));
            (done == 1).then_some(context)
        }
    }

    /// Encrypts for several keys with a fresh key and initialisation vector: the data, the key encrypted for each, the vector.
    pub fn seal(self, data: &[u8], keys: &[&Key]) -> Option<(Vec<u8>, Vec<Vec<u8>>, Vec<u8>)> {
        let data_len = c_int::try_from(data.len()).ok()?;
        let mut encrypted: Vec<Vec<u8>> = keys.iter().map(|key| vec![0; key.size()]).collect();
        let mut places: Vec<*mut c_uchar> = encrypted.iter_mut().map(|e| e.as_mut_ptr()).collect();
        let mut lengths = vec![0; keys.len()];
        let mut pointers: Vec<_> = keys.iter().map(|key| key.ptr()).collect();
        let mut iv = vec![0; self.iv_length().max(raw::EVP_MAX_IV_LENGTH)];
        let mut out = vec![0; data.len() + self.block_size() + SLACK];
        let (mut first, mut last) = (0, 0);
        // SAFETY: each key has a place as long as the library says that it needs; `out` takes all blocks.
        unsafe {
            let context = Context::own(raw::EVP_CIPHER_CTX_new())?;
            let done = raw::EVP_EncryptInit_ex(context.ptr(), self.ptr(), null_mut(), null(), null()) == 1
                && raw::EVP_SealInit(
                    context.ptr(),
                    self.ptr(),
                    places.as_mut_ptr(),
                    lengths.as_mut_ptr(),
                    iv.as_mut_ptr(),
                    pointers.as_mut_ptr(),
                    c_int::try_from(keys.len()).ok()?,
                ) > 0
                && raw::EVP_EncryptUpdate(context.ptr(), out.as_mut_ptr(), &mut first, data.as_ptr(), data_len) == 1
                && raw::EVP_SealFinal(context.ptr(), out.as_mut_ptr().add(usize::try_from(first).ok()?), &mut last) == 1;
            if !done {
                return None;
            }
        }
        out.truncate(usize::try_from(first + last).ok()?);
        for (key, len) in encrypted.iter_mut().zip(lengths) {
            key.truncate(usize::try_from(len).ok()?);
        }
        iv.truncate(self.iv_length());
        Some((out, encrypted, iv))
    }

    /// The other side of [`seal`](Self::seal).
    pub fn open(self, data: &[u8], encrypted_key: &[u8], iv: Option<&[u8]>, key: &Key) -> Option<Vec<u8>> {
        let (data_len, key_len) = (c_int::try_from(data.len()).ok()?, c_int::try_from(encrypted_key.len()).ok()?);
        if iv.is_some_and(|iv| iv.len() < self.iv_length()) {
            return None;
        }
        let mut out = vec![0; data.len() + self.block_size() + SLACK];
        let (mut first, mut last) = (0, 0);
        // SAFETY: the vector is as long as the cipher's; `out` takes all blocks.
        unsafe {
            let context = Context::own(raw::EVP_CIPHER_CTX_new())?;
            let iv = iv.map_or(null(), <[u8]>::as_ptr);
            let done = raw::EVP_OpenInit(context.ptr(), self.ptr(), encrypted_key.as_ptr(), key_len, iv, key.ptr()) > 0
                && raw::EVP_DecryptUpdate(context.ptr(), out.as_mut_ptr(), &mut first, data.as_ptr(), data_len) == 1
                && raw::EVP_OpenFinal(context.ptr(), out.as_mut_ptr().add(usize::try_from(first).ok()?), &mut last) == 1;
            if !done || first + last == 0 {
                return None;
            }
        }
        out.truncate(usize::try_from(first + last).ok()?);
        Some(out)
    }
}

/// Room beyond data and one block: what key wrapping adds.
const SLACK: usize = 32;

impl Context {
    fn control(&self, what: c_int, number: c_int, place: *mut u8) -> bool {
        // SAFETY: `place` is null, or has `number` bytes; so says each caller.
        unsafe { raw::EVP_CIPHER_CTX_ctrl(self.ptr(), what, number, place.cast()) == 1 }
    }
    pub fn set_iv_length(&self, len: usize) -> bool {
        c_int::try_from(len).is_ok_and(|len| self.control(raw::EVP_CTRL_AEAD_SET_IVLEN, len, null_mut()))
    }
    pub fn set_tag_length(&self, len: usize) -> bool {
        c_int::try_from(len).is_ok_and(|len| self.control(raw::EVP_CTRL_AEAD_SET_TAG, len, null_mut()))
    }
    /// The tag that decryption expects.
    pub fn set_tag(&self, tag: &[u8]) -> bool {
        let mut tag = tag.to_vec();
        c_int::try_from(tag.len()).is_ok_and(|len| self.control(raw::EVP_CTRL_AEAD_SET_TAG, len, tag.as_mut_ptr()))
    }
    pub fn tag(&self, len: usize) -> Option<Vec<u8>> {
        let mut tag = vec![0; len];
        let len = c_int::try_from(len).ok()?;
        self.control(raw::EVP_CTRL_AEAD_GET_TAG, len, tag.as_mut_ptr()).then_some(tag)
    }
    pub fn set_key_length(&self, len: usize) -> bool {
        // SAFETY: the computation lives.
        c_int::try_from(len).is_ok_and(|len| unsafe { raw::EVP_CIPHER_CTX_set_key_length(self.ptr(), len) } == 1)
    }
    pub fn set_padding(&self, padding: bool) {
        // SAFETY: the computation lives.
        unsafe { raw::EVP_CIPHER_CTX_set_padding(self.ptr(), c_int::from(padding)) };
    }
    /// Key and initialisation vector. False when the key is shorter than the cipher's, too.
    pub fn set_key(&self, key: &[u8], iv: &[u8], encrypt: bool) -> bool {
        // SAFETY: the computation lives; key and vector are at least as long as it now expects them.
        unsafe {
            let key_length = usize::try_from(raw::EVP_CIPHER_CTX_get_key_length(self.ptr())).unwrap_or(usize::MAX);
            let iv_length = usize::try_from(raw::EVP_CIPHER_CTX_get_iv_length(self.ptr())).unwrap_or(usize::MAX);
            if key.len() < key_length || iv.len() < iv_length {
                return false;
            }
            raw::EVP_CipherInit_ex(self.ptr(), null(), null_mut(), key.as_ptr(), iv.as_ptr(), c_int::from(encrypt)) == 1
        }
    }
    /// Tells the length of the data that follow.
    pub fn announce(&self, len: usize) -> bool {
        let (Ok(len), mut out) = (c_int::try_from(len), 0) else { return false };
        // SAFETY: without buffers only the length is taken.
        unsafe { raw::EVP_CipherUpdate(self.ptr(), null_mut(), &mut out, null(), len) == 1 }
    }
    /// Data that are authenticated, not encrypted.
    pub fn add_authenticated(&self, data: &[u8]) -> bool {
        let (Ok(len), mut out) = (c_int::try_from(data.len()), 0) else { return false };
        // SAFETY: the data has its length; there is no output.
        unsafe { raw::EVP_CipherUpdate(self.ptr(), null_mut(), &mut out, data.as_ptr(), len) == 1 }
    }
    /// All data. `finish`: with the last block.
    pub fn run(&self, cipher: Cipher, data: &[u8], finish: bool, work: &mut Work) -> Res<Option<PStrBuilder>> {
        let room = cipher.block_size() + SLACK;
        let mut out = PStrBuilder::new();
        out.resize(data.len() + room, 0)?;
        let bytes = out.as_mut_bytes();
        let piece_bytes = if cipher.takes_pieces() { UNITS } else { data.len() };
        let (mut rest, mut at) = (data, 0);
        // Without data the cipher is told so, too.
        loop {
            let (piece, more) = rest.split_at(rest.len().min(piece_bytes));
            let mut written = 0;
            let Ok(len) = c_int::try_from(piece.len()) else { return Ok(None) };
            // SAFETY: `out` has room from `at` on for the data from here on, one block, and what key wrapping adds: what is written is never
            // more than was given.
            let done = unsafe { raw::EVP_CipherUpdate(self.ptr(), bytes.as_mut_ptr().add(at), &mut written, piece.as_ptr(), len) };
            let Ok(written) = usize::try_from(written) else { return Ok(None) };
            if done != 1 {
                return Ok(None);
            }
            at += written;
            rest = more;
            if rest.is_empty() {
                break;
            }
            work.spend(UNITS)?;
        }
        if finish {
            let mut written = 0;
            // SAFETY: `out` has room for one block behind the data.
            let done = unsafe { raw::EVP_CipherFinal_ex(self.ptr(), bytes.as_mut_ptr().add(at), &mut written) };
            let Ok(written) = usize::try_from(written) else { return Ok(None) };
            if done != 1 {
                return Ok(None);
            }
            at += written;
        }
        out.truncate(at);
        Ok(Some(out))
    }
}
