//! SQLite's memory, which counts against memory_limit.
//!
//! Every block stands behind a head that says how large it is and to which request it was charged. A block that is refused makes SQLite
//! stop with SQLITE_NOMEM; [`super::Database::enter`] then ends the request, as a refused block of the request heap does. Blocks of
//! persistent connections outlive the request they were charged to, and are not charged to the ones after it.

use jumbo_value::Heap;
use libsqlite3_sys as ffi;
use std::alloc::{Layout, alloc, dealloc, realloc};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;

/// What stands before a block. Its size keeps blocks aligned for everything.
#[repr(C, align(16))]
struct Head {
    /// Bytes of the block, without the head.
    bytes: usize,
    /// What the heap gave for the charge.
    charge: u64,
}

const HEAD_BYTES: usize = size_of::<Head>();

thread_local! {
    static REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Was memory refused since this was asked last?
pub fn take_refused() -> bool {
    REFUSED.replace(false)
}

/// After a call outside of [`super::Database::enter`], with no frame of SQLite on the stack: unwinds when memory was refused, as an allocation
/// of the request heap does.
pub fn unwind_if_refused() {
    if take_refused() {
        Heap::unwind_refusal();
    }
}

/// Before SQLite is started. False: it has been.
pub fn install() -> bool {
    let methods = ffi::sqlite3_mem_methods {
        xMalloc: Some(take),
        xFree: Some(give),
        xRealloc: Some(resize),
        xSize: Some(size),
        xRoundup: Some(round_up),
        xInit: Some(start),
        xShutdown: Some(stop),
        pAppData: ptr::null_mut(),
    };
    // SAFETY: the option takes a pointer to these methods, which SQLite copies.
    unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const methods) == ffi::SQLITE_OK }
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.checked_add(HEAD_BYTES)?, align_of::<Head>()).ok()
}

fn charge(bytes: usize) -> Option<u64> {
    let charge = Heap::try_charge_library(bytes.saturating_add(HEAD_BYTES)).ok();
    if charge.is_none() {
        REFUSED.set(true);
    }
    charge
}

/// # Safety
/// Called by SQLite.
unsafe extern "C" fn take(bytes: c_int) -> *mut c_void {
    let Some((bytes, layout)) = usize::try_from(bytes).ok().and_then(|bytes| Some((bytes, layout(bytes)?))) else { return ptr::null_mut() };
    let Some(charge) = charge(bytes) else { return ptr::null_mut() };
    // SAFETY: the layout is not empty; the head fits in front of the block.
    unsafe {
        let head = alloc(layout).cast::<Head>();
        if head.is_null() {
            Heap::uncharge_library(bytes + HEAD_BYTES, charge);
            return ptr::null_mut();
        }
        head.write(Head { bytes, charge });
        head.add(1).cast()
    }
}

/// # Safety
/// Called by SQLite with a block of [`take`] or [`resize`], once, or null.
unsafe extern "C" fn give(block: *mut c_void) {
    if block.is_null() {
        return;
    }
    // SAFETY: SQLite gives back what `take` or `resize` gave it, once.
    unsafe {
        let head = block.cast::<Head>().sub(1);
        let Head { bytes, charge } = head.read();
        Heap::uncharge_library(bytes + HEAD_BYTES, charge);
        if let Some(layout) = layout(bytes) {
            dealloc(head.cast(), layout);
        }
    }
}

/// # Safety
/// Called by SQLite with a block of [`take`] or of this, which it uses no more.
unsafe extern "C" fn resize(block: *mut c_void, bytes: c_int) -> *mut c_void {
    // SAFETY: SQLite passes a block of its own, and never a size below one.
    unsafe {
        let head = block.cast::<Head>().sub(1);
        let Head { bytes: before, charge: old } = head.read();
        let Some((bytes, new_layout)) = usize::try_from(bytes).ok().and_then(|bytes| Some((bytes, layout(bytes)?))) else { return ptr::null_mut() };
        let (Some(layout), Some(charge)) = (layout(before), charge(bytes)) else { return ptr::null_mut() };
        let moved = realloc(head.cast(), layout, new_layout.size()).cast::<Head>();
        if moved.is_null() {
            Heap::uncharge_library(bytes + HEAD_BYTES, charge);
            return ptr::null_mut();
        }
        Heap::uncharge_library(before + HEAD_BYTES, old);
        moved.write(Head { bytes, charge });
        moved.add(1).cast()
    }
}

/// # Safety
/// Called by SQLite with a block of [`take`] or [`resize`], or null.
unsafe extern "C" fn size(block: *mut c_void) -> c_int {
    if block.is_null() {
        return 0;
    }
    // SAFETY: a block of SQLite's own.
    let bytes = unsafe { (*block.cast::<Head>().sub(1)).bytes };
    c_int::try_from(bytes).unwrap_or(c_int::MAX)
}

/// # Safety
/// Called by SQLite.
unsafe extern "C" fn round_up(bytes: c_int) -> c_int {
    bytes.saturating_add(7) & !7
}

/// # Safety
/// Called by SQLite.
unsafe extern "C" fn start(_data: *mut c_void) -> c_int {
    ffi::SQLITE_OK
}

/// # Safety
/// Called by SQLite.
unsafe extern "C" fn stop(_data: *mut c_void) {}
