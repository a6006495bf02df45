//! Symbol tables: variables by name, for global code, included files, and functions that use `$$x`, extract, compact, eval or include.
//!
//! While a frame that shares a table runs, the table's entries for its CVs point at the frame's slots; when it ends the values move
//! into the table. One table may be shared by nested frames (an included file and its includer): then an entry points at the slot of
//! the innermost frame that has the variable, and the outer frame's slot is a reference to nothing: UNDEF until it gets the value back.
//!
//! A frame gets its table when somebody asks for it ([`table_of`]); but an included file with variables of its own is connected with its
//! includer's when it starts.

use crate::frame::{Frame, flags};
use crate::vm::Vm;
use crate::errors;
use indexmap::IndexMap;
use jumbo_value::{PArray, PStr, Raw, Value, tag};
use jumbo_abi::class::NameHasher;
use jumbo_abi::func_flags;
use std::cell::RefCell;
use std::hash::BuildHasherDefault;
use std::rc::Rc;

/// Where a variable lives now.
enum Entry {
    /// In the table itself.
    Own(Box<Raw>),
    /// In a running frame's slot; behind it the slots of outer frames that wait for it.
    Slot(Vec<*mut Raw>),
}

/// Variables by name.
pub struct SymbolTable {
    entries: RefCell<IndexMap<Box<[u8]>, (PStr, Entry), BuildHasherDefault<NameHasher>>>,
    /// Slots of removed variables that a suspended instruction may still write to.
    removed: RefCell<Vec<Box<Raw>>>,
}

impl SymbolTable {
    #[allow(clippy::new_without_default)]
    pub fn new() -> SymbolTable {
        SymbolTable { entries: RefCell::new(IndexMap::default()), removed: RefCell::new(Vec::new()) }
    }

    /// Calls `visit` with the variables that stand in the table itself, not in a frame: for the collector.
    pub fn trace_own(&self, visit: &mut dyn FnMut(Raw)) {
        for (_, entry) in self.entries.borrow().values() {
            if let Entry::Own(value) = entry {
                visit(**value);
            }
        }
    }

    /// The slot of a variable, or null. UNDEF slots count as missing.
    pub fn find(&self, name: &[u8]) -> *mut Raw {
        match self.entries.borrow_mut().get_mut(name) {
            None => std::ptr::null_mut(),
            Some((_, entry)) => {
                let slot = entry.slot();
                // SAFETY: entries point at live slots.
                if unsafe { (*slot).is_undef() } { std::ptr::null_mut() } else { slot }
            }
        }
    }

    /// Where a variable stands in the table, for [`find_at`](SymbolTable::find_at).
    pub fn position(&self, name: &[u8]) -> Option<usize> {
        self.entries.borrow().get_index_of(name)
    }

    /// As [`find`](SymbolTable::find), if the variable of this name stands at `position`; null also when it does not.
    pub fn find_at(&self, position: usize, name: &PStr) -> *mut Raw {
        match self.entries.borrow_mut().get_index_mut(position) {
            Some((_, (own, entry))) if *own == *name => {
                let slot = entry.slot();
                // SAFETY: entries point at live slots.
                if unsafe { (*slot).is_undef() } { std::ptr::null_mut() } else { slot }
            }
            _ => std::ptr::null_mut(),
        }
    }

    /// The slot of a variable, made (UNDEF) when missing.
    pub fn slot(&self, name: &PStr) -> *mut Raw {
        let mut entries = self.entries.borrow_mut();
        if let Some((_, entry)) = entries.get_mut(name.as_bytes()) {
            return entry.slot();
        }
        let mut own = Box::new(Raw::UNDEF);
        let slot: *mut Raw = &mut *own;
        entries.insert(name.as_bytes().into(), (name.clone(), Entry::Own(own)));
        slot
    }

    /// Takes a variable's value out: `unset`.
    pub fn remove(&self, name: &[u8]) -> Option<Value> {
        let slot = self.find(name);
        if slot.is_null() {
            return None;
        }
        // SAFETY: a live slot; its value is taken over.
        unsafe {
            let value = *slot;
            (*slot).tag = tag::UNDEF;
            let mut entries = self.entries.borrow_mut();
            if matches!(entries.get(name), Some((_, Entry::Own(_))))
                && let Some((_, Entry::Own(own))) = entries.shift_remove(name).map(|(n, e)| (n, e))
                && jumbo_value::Heap::current().is_pinned(slot as usize, size_of::<Raw>())
            {
                self.removed.borrow_mut().push(own);
            }
            Some(Value::from_raw(value))
        }
    }

    /// All variables that are set; references are kept when `keep_refs`.
    pub fn to_array(&self, keep_refs: bool) -> PArray {
        let mut array = PArray::new();
        for (name, entry) in self.entries.borrow_mut().values_mut() {
            // SAFETY: live slots.
            unsafe {
                let raw = *entry.slot();
                if raw.is_undef() {
                    continue;
                }
                let value = raw.copied().into_value();
                let single = raw.is_ref() && raw.header().rc.get() <= 2;
                let value = if keep_refs && !single { value } else { value.into_deref() };
                array.set(jumbo_value::Key::from_str(name), value);
            }
        }
        array
    }

    pub fn names(&self) -> Vec<PStr> {
        self.entries.borrow().values().map(|(n, _)| n.clone()).collect()
    }

    /// Moves the variables that stand in slots of abandoned frames into the table, or back to outer frames that wait for them.
    ///
    /// # Safety
    /// The slots that lie in the `bytes` bytes from address `start` can still be read, and no frame there will run again.
    pub unsafe fn take_from(&self, start: usize, bytes: usize) {
        let inside = |slot: *mut Raw| (slot as usize).wrapping_sub(start) < bytes;
        let mut entries = self.entries.borrow_mut();
        for (_, entry) in entries.values_mut() {
            let Entry::Slot(slots) = entry else { continue };
            let top = slots.last().copied().filter(|s| inside(*s));
            slots.retain(|s| !inside(*s));
            let Some(top) = top else { continue };
            // SAFETY: as promised.
            let value = unsafe { std::mem::replace(&mut *top, Raw::UNDEF) };
            match slots.last() {
                // SAFETY: a slot of a frame that is still there.
                Some(&outer) => unsafe { *outer = value },
                None => *entry = Entry::Own(Box::new(value)),
            }
        }
        entries.retain(|_, (_, entry)| match entry {
            Entry::Own(raw) => !raw.is_undef(),
            Entry::Slot(slots) => !slots.is_empty(),
        });
    }

    /// Releases all values: at the end of the request. Values are taken out first, since destructors may look at the table.
    pub fn clear(&self) -> Vec<Value> {
        let mut values = Vec::new();
        for (_, (_, mut entry)) in self.entries.borrow_mut().drain(..) {
            // SAFETY: live slots, whose values are taken over.
            unsafe {
                let slot = entry.slot();
                values.push(Value::from_raw(*slot));
                (*slot).tag = tag::UNDEF;
            }
        }
        values
    }
}

impl Entry {
    fn slot(&mut self) -> *mut Raw {
        match self {
            Entry::Own(raw) => &mut **raw,
            Entry::Slot(slots) => *slots.last().expect("an entry of a running frame has a slot"),
        }
    }
}

/// Connects a frame's CVs with its table: variables that exist come into the slots, and the table points at all of them.
///
/// # Safety
/// The CVs are initialised.
pub unsafe fn attach_to(fp: *mut Frame, table: &Rc<SymbolTable>) {
    // SAFETY: as promised; slots outlive their entries because `detach` runs before the frame ends.
    unsafe {
        let proto = (*(*fp).func).proto_unchecked();
        (*fp).extra_mut().symbols = Some(table.clone());
        let mut entries = table.entries.borrow_mut();
        for (n, name) in proto.cvs.iter().enumerate() {
            let slot = Frame::cv(fp, n);
            match entries.get_mut(name.as_bytes()) {
                Some((_, entry)) => {
                    let old = entry.slot();
                    if (*slot).is_undef() {
                        *slot = *old;
                    } else {
                        (*old).release();
                    }
                    (*old).tag = tag::UNDEF;
                    match entry {
                        Entry::Own(_) => *entry = Entry::Slot(vec![slot]),
                        Entry::Slot(slots) => slots.push(slot),
                    }
                }
                None => {
                    entries.insert(name.as_bytes().into(), (name.clone(), Entry::Slot(vec![slot])));
                }
            }
        }
    }
}

/// Variables that stand in the table of a frame alone, which has ended: they go when this does.
pub struct Rest(Option<Rc<SymbolTable>>);

impl Drop for Rest {
    fn drop(&mut self) {
        let Some(table) = &self.0 else { return };
        for (_, (_, entry)) in table.entries.borrow_mut().drain(..) {
            if let Entry::Own(raw) = entry {
                // SAFETY: the table owned the value.
                drop(unsafe { Value::from_raw(*raw) });
            }
        }
    }
}

/// Ends a frame's part in its table: values go back to the table or to the outer frame's slot. Of a table that nobody else looks at the
/// frame's own slots are released with the frame, before the rest.
///
/// # Safety
/// The frame ends now.
pub unsafe fn detach(fp: *mut Frame) -> Rest {
    // SAFETY: as promised.
    unsafe {
        let Some(table) = (*fp).extra_opt_mut().and_then(|e| e.symbols.take()) else { return Rest(None) };
        if Rc::strong_count(&table) == 1 {
            return Rest(Some(table));
        }
        let proto = (*(*fp).func).proto_unchecked();
        let mut entries = table.entries.borrow_mut();
        for (n, name) in proto.cvs.iter().enumerate() {
            let slot = Frame::cv(fp, n);
            let Some((_, entry)) = entries.get_mut(name.as_bytes()) else { continue };
            if let Entry::Slot(slots) = entry
                && let Some(at) = slots.iter().rposition(|s| *s == slot)
            {
                let was_top = at + 1 == slots.len();
                slots.remove(at);
                if !was_top {
                    continue;
                }
                let value = std::mem::replace(&mut *slot, Raw::UNDEF);
                match slots.last() {
                    Some(&outer) => *outer = value,
                    None => *entry = Entry::Own(Box::new(value)),
                }
            }
        }
        entries.retain(|_, (_, entry)| match entry {
            Entry::Own(raw) => !raw.is_undef(),
            Entry::Slot(_) => true,
        });
        Rest(None)
    }
}

/// The table of a frame: when it has none yet, its includer's if it is a file, else one of its own.
///
/// # Safety
/// `fp` runs PHP code.
pub unsafe fn table_of(vm: *mut Vm, fp: *mut Frame) -> Rc<SymbolTable> {
    // SAFETY: as promised.
    unsafe {
        if fp == (*vm).bottom {
            return (*vm).globals.clone();
        }
        if let Some(table) = (*fp).extra_ref().and_then(|e| e.symbols.clone()) {
            return table;
        }
        let table = match (*(*fp).func).flags & func_flags::MAIN {
            0 => Rc::new(SymbolTable::new()),
            _ => table_of(vm, errors::user_frame_from((*fp).prev)),
        };
        attach_to(fp, &table);
        // From now on the frame must be detached when it ends.
        (*fp).flags |= flags::INCLUDED;
        table
    }
}
