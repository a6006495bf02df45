//! Names of files: SQLite's own VFS, but relative names are relative to the working directory of the instance that runs,
//! and those on file systems that may not answer are refused where other scripts would have to wait with this one: SQLite asks about files
//! while it holds a lock of the whole process.

use jumbo_abi::{Cx, mounts};
use libsqlite3_sys as ffi;
use std::cell::{Cell, RefCell};
use std::ffi::{CStr, OsStr, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static OPENS_FAR: AtomicBool = AtomicBool::new(false);

/// Whether databases on file systems that may not answer are opened although others wait.
pub fn set_opens_far(opens: bool) {
    OPENS_FAR.store(opens, Ordering::Relaxed);
}

thread_local! {
    /// Working directory of the instance that is inside SQLite.
    static FOLDER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// Others wait while this instance is inside SQLite.
    static IS_SHARED: Cell<bool> = const { Cell::new(false) };
    /// The name that was refused last.
    static REFUSED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// This instance is inside SQLite from now on.
pub fn enter(cx: &Cx) {
    FOLDER.with_borrow_mut(|folder| {
        if *folder != cx.cwd {
            folder.clone_from(&cx.cwd);
        }
    });
    IS_SHARED.set(cx.shares_its_thread());
}

/// What to say about the name that was refused last, once.
pub fn take_refusal() -> Option<Vec<u8>> {
    let name = REFUSED.take();
    (!name.is_empty()).then(|| {
        let why: &[u8] = b" is on a network or FUSE file system, which may stop answering and all scripts that use SQLite with it; \
            put the database on a local disk, or start the server with --sqlite-on-mounts";
        [&name, why].concat()
    })
}

/// Whether a file may be opened; if not, that is remembered.
fn is_permitted(full: &CStr) -> bool {
    let name = full.to_bytes();
    let is_refused = IS_SHARED.get() && !OPENS_FAR.load(Ordering::Relaxed) && mounts::remote(Path::new(OsStr::from_bytes(name))).is_some();
    if is_refused {
        REFUSED.set(name.to_vec());
    }
    !is_refused
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
        let given = CStr::from_ptr(name);
        if given.to_bytes().starts_with(b"/") {
            return if is_permitted(given) { next(original, name, len, out) } else { ffi::SQLITE_CANTOPEN };
        }
        let given = given.to_bytes();
        let full = FOLDER.with(|f| {
            let folder = f.borrow();
            let slash: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
            super::c_string(&[folder.as_slice(), slash, given].concat())
        });
        if is_permitted(&full) { next(original, full.as_ptr(), len, out) } else { ffi::SQLITE_CANTOPEN }
    }
}
