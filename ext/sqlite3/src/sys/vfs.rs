//! Names of files: SQLite's own VFS, but relative names are relative to the working directory of the instance that runs.

use libsqlite3_sys as ffi;
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;

thread_local! {
    /// Working directory of the instance that is inside SQLite.
    static FOLDER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Names are made absolute with this folder from now on.
pub fn set_folder(folder: &[u8]) {
    FOLDER.with(|f| {
        let mut f = f.borrow_mut();
        if *f != folder {
            f.clear();
            f.extend_from_slice(folder);
        }
    });
}

struct Original(*mut ffi::sqlite3_vfs);
// SAFETY: SQLite's own VFS is static and never written after SQLite has started.
unsafe impl Send for Original {}
// SAFETY: as above.
unsafe impl Sync for Original {}

static ORIGINAL: OnceLock<Original> = OnceLock::new();

/// Makes our VFS the default one, once. False: SQLite has none, or does not start.
pub fn install() -> bool {
    let original = ORIGINAL.get_or_init(|| {
        // SAFETY: starts SQLite and asks for its default; what is registered is leaked and so lives for ever.
        unsafe {
            if !super::memory::install() || ffi::sqlite3_initialize() != ffi::SQLITE_OK {
                return Original(std::ptr::null_mut());
            }
            let original = ffi::sqlite3_vfs_find(std::ptr::null());
            if !original.is_null() {
                let mut own = *original;
                own.pNext = std::ptr::null_mut();
                own.zName = c"jumbo".as_ptr();
                own.xFullPathname = Some(full_path);
                if ffi::sqlite3_vfs_register(Box::into_raw(Box::new(own)), 1) != ffi::SQLITE_OK {
                    return Original(std::ptr::null_mut());
                }
            }
            Original(original)
        }
    });
    !original.0.is_null()
}

/// `xFullPathname`.
///
/// # Safety
/// Called by SQLite: a NUL-terminated name, and room for `len` bytes.
unsafe extern "C" fn full_path(_vfs: *mut ffi::sqlite3_vfs, name: *const c_char, len: c_int, out: *mut c_char) -> c_int {
    let Some(original) = ORIGINAL.get().map(|o| o.0).filter(|o| !o.is_null()) else { return ffi::SQLITE_CANTOPEN };
    // SAFETY: SQLite passes a NUL-terminated name and room for `len` bytes; the original VFS is static.
    unsafe {
        let Some(next) = (*original).xFullPathname else { return ffi::SQLITE_CANTOPEN };
        let given = CStr::from_ptr(name).to_bytes();
        if given.starts_with(b"/") {
            return next(original, name, len, out);
        }
        let full = FOLDER.with(|f| {
            let folder = f.borrow();
            let slash: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
            super::c_string(&[folder.as_slice(), slash, given].concat())
        });
        next(original, full.as_ptr(), len, out)
    }
}
