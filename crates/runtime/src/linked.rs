//! Memory of linked classes, and which of them are there.

use jumbo_abi::{Class, ClassPtr, FnPtr, Function};
use std::collections::HashSet;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr::NonNull;
use std::sync::{LazyLock, Mutex, MutexGuard};

/// Ids of the classes that are there. Ids never come back.
static ALIVE: LazyLock<Mutex<HashSet<u32>>> = LazyLock::new(Mutex::default);

fn alive() -> MutexGuard<'static, HashSet<u32>> {
    ALIVE.lock().unwrap_or_else(|e| e.into_inner())
}

/// Is there a class with this id?
pub fn is_alive(id: u32) -> bool {
    alive().contains(&id)
}

/// How many classes there are, builtin ones included.
pub fn count() -> usize {
    alive().len()
}

/// Something at an address that others know.
pub struct Owned<T>(NonNull<T>);

impl<T> Owned<T> {
    pub fn new(value: T) -> Owned<T> {
        Owned(NonNull::from(Box::leak(Box::new(value))))
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: it was a box; whoever knows the address lets go of it before this.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

// SAFETY: as a box.
unsafe impl<T: Send> Send for Owned<T> {}
// SAFETY: as a box.
unsafe impl<T: Sync> Sync for Owned<T> {}

/// Memory of a class that is being built: members point at it before it is filled.
pub struct Reserved(NonNull<Class>);

impl Reserved {
    pub fn new() -> Reserved {
        Reserved(NonNull::from(Box::leak(Box::<Class>::new_uninit())).cast())
    }
    /// Not to be followed before [`fill`](Self::fill).
    pub fn ptr(&self) -> ClassPtr {
        // SAFETY: nobody follows the pointer before it is filled.
        unsafe { ClassPtr::from_ptr(self.0.as_ptr()) }
    }
    pub fn fill(self, class: Class) -> Owned<Class> {
        alive().insert(class.id());
        let memory = ManuallyDrop::new(self).0;
        // SAFETY: the memory is a box's, which nobody reads yet.
        unsafe { memory.write(class) };
        Owned(memory)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        // SAFETY: a box that was not filled.
        drop(unsafe { Box::from_raw(self.0.cast::<MaybeUninit<Class>>().as_ptr()) });
    }
}

impl Owned<Class> {
    /// A class that stays as long as the process: a builtin one.
    pub fn leak(self) -> ClassPtr {
        let class = ManuallyDrop::new(self).0;
        // SAFETY: it is filled, and never freed.
        unsafe { ClassPtr::from_ptr(class.as_ptr()) }
    }
}

/// A function that a class is given. It has no count of its unit, which the class's instance holds.
pub struct OwnFunctions(Vec<Owned<Function>>);

impl OwnFunctions {
    pub fn new() -> OwnFunctions {
        OwnFunctions(Vec::new())
    }
    /// Takes a function of a unit that everybody holds who has the class.
    pub fn add(&mut self, mut function: Function) -> FnPtr {
        // SAFETY: the unit is the class's own, or that of a trait or an ancestor: whoever has a class holds them all.
        unsafe { function.uncount() };
        let function = Owned::new(function);
        // SAFETY: it lives as long as the class.
        let ptr = unsafe { FnPtr::from_ptr(function.0.as_ptr()) };
        self.0.push(function);
        ptr
    }
}

/// A linked class and the functions that were made for it, until it is dropped.
pub struct Linked {
    class: Owned<Class>,
    _functions: OwnFunctions,
}

impl Linked {
    pub fn new(class: Owned<Class>, functions: OwnFunctions) -> Linked {
        Linked { class, _functions: functions }
    }
    pub fn class(&self) -> ClassPtr {
        // SAFETY: it lives as long as this; whoever takes the pointer holds the unit whose part this is.
        unsafe { ClassPtr::from_ptr(self.class.0.as_ptr()) }
    }
}

impl Drop for Linked {
    fn drop(&mut self) {
        alive().remove(&self.class().id());
    }
}
