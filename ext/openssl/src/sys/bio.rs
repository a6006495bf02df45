//! Memory and files as the library reads and writes them.

use super::{handle, raw, text_arg};
use std::ffi::{CStr, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

handle!(
    /// Where the library reads from or writes to.
    Bio, raw::BIO, raw::BIO_free_all
);

impl Bio {
    /// Reads a copy of the bytes.
    pub fn reader(bytes: &[u8]) -> Option<Bio> {
        let bio = Bio::memory()?;
        bio.put(bytes).then_some(bio)
    }

    /// An empty buffer.
    pub fn memory() -> Option<Bio> {
        // SAFETY: the method is static.
        Bio::own(unsafe { raw::BIO_new(raw::BIO_s_mem()) })
    }

    /// A file; why it cannot be opened stands in the error queue.
    pub fn file(path: &Path, mode: &CStr) -> Option<Bio> {
        let path = text_arg(path.as_os_str().as_bytes())?;
        // SAFETY: both texts end with NUL.
        Bio::own(unsafe { raw::BIO_new_file(path.as_ptr(), mode.as_ptr()) })
    }

    /// Writes all bytes.
    pub fn put(&self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            let len = c_int::try_from(bytes.len()).unwrap_or(c_int::MAX);
            // SAFETY: `len` bytes are there.
            let written = unsafe { raw::BIO_write(self.ptr(), bytes.as_ptr().cast(), len) };
            let Some(rest) = usize::try_from(written).ok().filter(|n| *n > 0).and_then(|n| bytes.get(n..)) else { return false };
            bytes = rest;
        }
        true
    }

    /// Reads up to the buffer's length; 0: nothing is there.
    pub fn get(&self, buffer: &mut [u8]) -> usize {
        let len = c_int::try_from(buffer.len()).unwrap_or(c_int::MAX);
        // SAFETY: the buffer has `len` bytes.
        usize::try_from(unsafe { raw::BIO_read(self.ptr(), buffer.as_mut_ptr().cast(), len) }).unwrap_or(0)
    }

    /// Everything that is left.
    pub fn take(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut piece = [0; 4096];
        loop {
            match self.get(&mut piece) {
                0 => return out,
                n => out.extend_from_slice(&piece[..n]),
            }
        }
    }

    /// Bytes that are waiting in a buffer.
    pub fn pending(&self) -> usize {
        // SAFETY: asks for a number, and passes nothing.
        usize::try_from(unsafe { raw::BIO_ctrl(self.ptr(), raw::BIO_CTRL_PENDING, 0, std::ptr::null_mut()) }).unwrap_or(0)
    }

    /// The file's content is on its way to the disk.
    pub fn flush(&self) -> bool {
        // SAFETY: passes nothing.
        unsafe { raw::BIO_ctrl(self.ptr(), raw::BIO_CTRL_FLUSH, 0, std::ptr::null_mut()) == 1 }
    }

    /// Goes back to the start of a file or of read-only memory.
    pub fn rewind(&self) {
        // SAFETY: passes nothing.
        unsafe { raw::BIO_ctrl(self.ptr(), raw::BIO_CTRL_RESET, 0, std::ptr::null_mut()) };
    }
}
