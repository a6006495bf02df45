//! The cycle collector: trial deletion over possible roots (Bacon and Rajan, as PHP specifies it).
//!
//! A counted array or object whose count is decremented to something else than zero may be the rest of a garbage cycle, and
//! is put into the root buffer. A collection subtracts, from everything reachable from the roots, the counts that come from inside; what
//! then has none left is garbage. Garbage objects whose destructor has not been called are kept, with everything they reach; the engine
//! calls their destructors one by one, and a second step looks again.
//!
//! The value of a weak map is held by the map and its key together: its count is given back only when both live, see [`WeakEdges`].
//!
//! Invariants: while counts are being subtracted each visited count carries [`BIAS`], so that a native `trace` that clones a value
//! for a moment frees nothing. Counts are exact, so nothing else than the roots needs to be known. Immortal and frozen things (negative count) are
//! never visited.

use crate::header::{DESTRUCTED, GC_COLOUR_MASK, GC_COLOUR_SHIFT, GC_SLOT_COUNT, GC_SLOT_MASK, GC_SLOT_SHIFT, Header, NOT_COLLECTABLE, WEAKLY_REFERENCED};
use crate::heap::{Heap, owner, pending};
use crate::object::{self, ObjHeader, PObject};
use crate::raw::{Kind, Raw};
use crate::reference::RefHeader;
use std::cell::{Cell, RefCell};
use crate::hash::WordMap;
use std::ptr::NonNull;

/// Roots at which a collection is first asked for, and the steps in which that changes.
const THRESHOLD_DEFAULT: usize = 10_001;
const THRESHOLD_STEP: usize = 10_000;
const THRESHOLD_MAX: usize = 1_000_000_000;
/// A collection that finds less than this was not worth it: the threshold rises.
const THRESHOLD_TRIGGER: usize = 100;

/// Added to the counts of everything under trial.
const BIAS: i32 = 1 << 29;

const COLOUR_GREY: u32 = 1 << GC_COLOUR_SHIFT;
/// Reachable from an object whose destructor must run first.
const COLOUR_KEPT: u32 = 2 << GC_COLOUR_SHIFT;

/// Its destructor is called next.
const COLOUR_DUE: u32 = 3 << GC_COLOUR_SHIFT;

/// What `gc_status()` reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct GcStatus {
    pub running: bool,
    pub runs: usize,
    pub collected: usize,
    pub threshold: usize,
    pub roots: usize,
    pub buffer_size: usize,
}

/// The collector's part of a heap.
pub(crate) struct Collector {
    /// Null: a free place.
    roots: RefCell<Vec<*mut Header>>,
    free: RefCell<Vec<u32>>,
    count: Cell<usize>,
    threshold: Cell<usize>,
    /// Place of the root that made the buffer full: a collection has been asked for, and roots from there on come after it.
    late: Cell<usize>,
    enabled: Cell<bool>,
    /// A step is going on: 1 counting (nothing is buffered), 2 freeing.
    phase: Cell<u8>,
    /// A collection is going on, its destructors included.
    active: Cell<bool>,
    runs: Cell<usize>,
    collected: Cell<usize>,
}

impl Collector {
    pub fn new() -> Collector {
        Collector {
            roots: RefCell::new(Vec::new()),
            free: RefCell::new(Vec::new()),
            count: Cell::new(0),
            threshold: Cell::new(THRESHOLD_DEFAULT),
            late: Cell::new(usize::MAX),
            enabled: Cell::new(true),
            phase: Cell::new(0),
            active: Cell::new(false),
            runs: Cell::new(0),
            collected: Cell::new(0),
        }
    }
    pub fn reset(&self) {
        self.roots.borrow_mut().clear();
        self.free.borrow_mut().clear();
        self.count.set(0);
        self.threshold.set(THRESHOLD_DEFAULT);
        self.late.set(usize::MAX);
        self.phase.set(0);
        self.active.set(false);
        self.runs.set(0);
        self.collected.set(0);
    }

    /// Takes what came after the request of the collection out of the buffer, and holds it: that collection leaves it alone.
    fn take_late(&self) -> Late {
        let from = self.late.replace(usize::MAX);
        let mut roots = self.roots.borrow_mut();
        let mut late = if from < roots.len() { roots.split_off(from) } else { Vec::new() };
        late.retain(|root| !root.is_null());
        self.count.set(self.count.get() - late.len());
        for &root in &late {
            // SAFETY: what is freed leaves the buffer first, so roots are alive.
            unsafe {
                (*root).unset(GC_SLOT_MASK);
                (*root).add_ref();
            }
        }
        self.free.borrow_mut().retain(|&place| (place as usize) < from);
        Late(late)
    }

    /// Empties the buffer.
    fn take_roots(&self) -> Vec<*mut Header> {
        self.free.borrow_mut().clear();
        self.count.set(0);
        self.late.set(usize::MAX);
        let mut roots = std::mem::take(&mut *self.roots.borrow_mut());
        roots.retain(|root| !root.is_null());
        for &root in &roots {
            // SAFETY: what is freed leaves the buffer first, so roots are alive.
            unsafe { (*root).unset(GC_SLOT_MASK) };
        }
        roots
    }
}

/// Possible roots that a collection does not look at, held meanwhile; they are roots again afterwards.
struct Late(Vec<*mut Header>);

impl Drop for Late {
    fn drop(&mut self) {
        for &root in &self.0 {
            // SAFETY: the count taken by `take_late` is given up here.
            unsafe { Header::release(root) };
        }
    }
}

/// Buffers what may be the rest of a garbage cycle. Called when a count was decremented, but not to zero.
///
/// # Safety
/// `this` is alive, not buffered, collectable.
#[cold]
#[inline(never)]
pub(crate) unsafe fn possible_root(this: *mut Header) {
    let mut this = this;
    // SAFETY: alive, by contract; a reference keeps its content alive; only heap things have positive counts.
    unsafe {
        if (*this).kind_byte() == Kind::Ref as u8 {
            let Some(inner) = collectable((*this.cast::<RefHeader>()).value) else { return };
            if (*inner).has(GC_SLOT_MASK) || (*inner).kind_byte() == Kind::Ref as u8 {
                return;
            }
            this = inner;
        }
        let heap = owner(NonNull::new_unchecked(this.cast()));
        let gc = &heap.gc;
        if gc.phase.get() == 1 {
            return;
        }
        let mut roots = gc.roots.borrow_mut();
        let count = gc.count.get() + 1;
        gc.count.set(count);
        if count >= gc.threshold.get() && gc.enabled.get() && gc.late.get() == usize::MAX {
            gc.late.set(roots.len());
            heap.request_collection();
        }
        // What comes after the request stands behind its place.
        let place = if gc.late.get() == usize::MAX { gc.free.borrow_mut().pop() } else { None };
        let index = match place {
            Some(index) => {
                roots[index as usize] = this;
                index as usize
            }
            None => {
                if roots.try_reserve(1).is_err() {
                    // The system has no more memory: if this was the last way into a cycle, that stays until the request ends.
                    gc.count.set(count - 1);
                    return;
                }
                roots.push(this);
                roots.len() - 1
            }
        };
        (*this).set(((index % GC_SLOT_COUNT) as u32 + 1) << GC_SLOT_SHIFT);
    }
}

/// Takes a thing that is about to be freed out of the buffer.
///
/// # Safety
/// `this` is alive and buffered.
pub(crate) unsafe fn forget(this: *mut Header) {
    // SAFETY: alive, by contract.
    let (gc, header) = unsafe { (&owner(NonNull::new_unchecked(this.cast())).gc, &*this) };
    let mut roots = gc.roots.borrow_mut();
    let mut index = ((header.info.get() & GC_SLOT_MASK) >> GC_SLOT_SHIFT) as usize - 1;
    // Only the place modulo GC_SLOT_COUNT is known; the pointer tells which one it is.
    while let Some(root) = roots.get_mut(index) {
        if *root == this {
            *root = std::ptr::null_mut();
            gc.free.borrow_mut().push(index as u32);
            gc.count.set(gc.count.get() - 1);
            break;
        }
        index += GC_SLOT_COUNT;
    }
    header.unset(GC_SLOT_MASK);
}

/// The header of an array, object or reference that takes part in collection.
///
/// # Safety
/// The value is alive.
#[inline(always)]
unsafe fn collectable(raw: Raw) -> Option<*mut Header> {
    let kind = raw.kind_byte();
    if raw.is_counted() && (kind == Kind::Array as u8 || kind == Kind::Object as u8 || kind == Kind::Ref as u8) {
        // SAFETY: counted, so it points at a living header.
        let header = unsafe { raw.header() };
        if header.rc.get() >= 0 && !header.has(NOT_COLLECTABLE) {
            return Some(raw.as_ptr());
        }
    }
    None
}

/// Calls `visit` for each count that `node` holds on something collectable.
///
/// # Safety
/// `node` is alive and is not changed by `visit`.
unsafe fn children(node: *mut Header, mut visit: impl FnMut(*mut Header)) {
    // SAFETY: the kind says what the node is; everything it holds is alive.
    unsafe {
        let mut value = |raw: Raw| {
            if let Some(child) = collectable(raw) {
                visit(child);
            }
        };
        match (*node).kind_byte() {
            k if k == Kind::Array as u8 => crate::array::trace(node.cast(), &mut |slot: *mut Raw| value(*slot)),
            k if k == Kind::Ref as u8 => value((*node.cast::<RefHeader>()).value),
            k if k == Kind::Object as u8 => {
                let this = node.cast::<ObjHeader>();
                let slots = object::slots_of(this);
                for i in 0..(*this).slot_count as usize {
                    value(*slots.add(i));
                }
                let table = (*this).dynamic;
                if !table.is_null() {
                    value(Raw { tag: (*table.cast::<Header>()).tag(), bits: table as u64 });
                }
                if let Some(native) = &(*this).native {
                    native.trace(&mut |held| value(held.raw()));
                }
            }
            _ => {}
        }
    }
}

/// Counts that weak maps hold on values whose map or key was visited, by map and key.
#[derive(Default)]
struct WeakEdges {
    maps: WordMap<usize, *mut Header>,
    /// The value, and whether its count was given back.
    values: WordMap<(usize, u32), (*mut Header, bool)>,
}

/// Calls `visit` with map, key and value of every entry of weak maps that `node` is a part of, as a map or as a key.
///
/// # Safety
/// As [`children`].
unsafe fn weak_entries(node: *mut Header, mut visit: impl FnMut(usize, u32, *mut Header)) {
    // SAFETY: as promised.
    unsafe {
        if (*node).kind_byte() != Kind::Object as u8 {
            return;
        }
        let this = node.cast::<ObjHeader>();
        if let Some(native) = &(*this).native
            && let Some(map) = native.weak_map()
        {
            native.trace_weak(&mut |key, value| {
                if let Some(value) = collectable(value.raw()) {
                    visit(map, key, value);
                }
            });
        }
        if (*node).has(WEAKLY_REFERENCED) {
            let heap = owner(NonNull::new_unchecked(node.cast()));
            let key = (*this).id;
            heap.weak_values(key, &mut |map, value| {
                if let Some(value) = collectable(value.raw()) {
                    visit(map, key, value);
                }
            });
        }
    }
}

impl WeakEdges {
    /// The first time that `node` is seen: `enter` gets each value whose count is to be subtracted.
    unsafe fn subtract(&mut self, node: *mut Header, mut enter: impl FnMut(*mut Header)) {
        // SAFETY: as `children`.
        unsafe {
            if (*node).kind_byte() == Kind::Object as u8
                && let Some(map) = (*node.cast::<ObjHeader>()).native.as_ref().and_then(|n| n.weak_map())
            {
                self.maps.insert(map, node);
            }
            weak_entries(node, |map, key, value| {
                if let std::collections::hash_map::Entry::Vacant(place) = self.values.entry((map, key)) {
                    place.insert((value, false));
                    enter(value);
                }
            });
        }
    }
    /// `node` lives: `give_back` gets each value that it holds together with something else that lives.
    unsafe fn give_back(&mut self, node: *mut Header, mut give_back: impl FnMut(*mut Header)) {
        // SAFETY: as `children`; objects that maps name are alive.
        unsafe {
            let heap = owner(NonNull::new_unchecked(node.cast()));
            let mut due = Vec::new();
            weak_entries(node, |map, key, _| due.push((map, key)));
            for (map, key) in due {
                let lives = |header: Option<*mut Header>| header.is_none_or(|h| colour(&*h) != COLOUR_GREY);
                let both = lives(self.maps.get(&map).copied()) && lives(heap.object_ptr(key).map(<*mut ObjHeader>::cast));
                if let Some((value, given)) = self.values.get_mut(&(map, key)).filter(|v| both && !v.1) {
                    *given = true;
                    give_back(*value);
                }
            }
        }
    }
    /// Counts that nobody got back.
    fn rest(&self) -> impl Iterator<Item = *mut Header> + '_ {
        self.values.values().filter(|(_, given)| !given).map(|(value, _)| *value)
    }
}

fn colour(header: &Header) -> u32 {
    header.info.get() & GC_COLOUR_MASK
}
fn set_colour(header: &Header, colour: u32) {
    header.info.set(header.info.get() & !GC_COLOUR_MASK | colour);
}
fn add(header: &Header, n: i32) {
    header.rc.set(header.rc.get().wrapping_add(n));
}

/// Everything reachable from the roots that only the roots' cycles hold. Counts and colours are as before afterwards, except
/// that the garbage is still grey.
///
/// # Safety
/// The roots are alive.
unsafe fn find_garbage(roots: &[*mut Header]) -> Vec<*mut Header> {
    let mut seen: Vec<*mut Header> = Vec::with_capacity(roots.len() * 2);
    // SAFETY: everything reachable is alive: nothing is freed before this function ends.
    unsafe {
        let enter = |node: *mut Header, seen: &mut Vec<*mut Header>| {
            if colour(&*node) == 0 {
                set_colour(&*node, COLOUR_GREY);
                add(&*node, BIAS);
                seen.push(node);
            }
        };
        for &root in roots {
            enter(root, &mut seen);
        }
        let mut at = 0;
        let mut weak = WeakEdges::default();
        while let Some(&node) = seen.get(at) {
            let mut subtract = |child: *mut Header| {
                enter(child, &mut seen);
                add(&*child, -1);
            };
            children(node, &mut subtract);
            weak.subtract(node, &mut subtract);
            at += 1;
        }
        // What has counts from outside lives, and everything it reaches.
        let mut live: Vec<*mut Header> = Vec::new();
        for &node in &seen {
            if colour(&*node) == COLOUR_GREY && (*node).rc.get() > BIAS {
                set_colour(&*node, 0);
                live.push(node);
                while let Some(node) = live.pop() {
                    let mut give_back = |child: *mut Header| {
                        add(&*child, 1);
                        if colour(&*child) == COLOUR_GREY {
                            set_colour(&*child, 0);
                            live.push(child);
                        }
                    };
                    children(node, &mut give_back);
                    weak.give_back(node, &mut give_back);
                }
            }
        }
        for value in weak.rest() {
            add(&*value, 1);
        }
        let garbage: Vec<*mut Header> = seen.iter().copied().filter(|&node| colour(&*node) == COLOUR_GREY).collect();
        for &node in &garbage {
            children(node, |child| add(&*child, 1));
        }
        for &node in &seen {
            add(&*node, -BIAS);
        }
        garbage
    }
}

/// An object whose destructor is due, with its place in the root buffer: it may be freed, and destructed, before its turn.
type Due = (usize, *mut Header);

/// The garbage objects whose destructors must run; they and everything that they reach are taken out of `garbage`. They stand in the
/// root buffer, coloured [`COLOUR_DUE`].
///
/// # Safety
/// `garbage` is alive, complete and grey; the buffer is empty.
unsafe fn due_destructors(gc: &Collector, garbage: &mut Vec<*mut Header>) -> Vec<Due> {
    let mut due: Vec<Due> = Vec::new();
    let mut kept: Vec<*mut Header> = Vec::new();
    // SAFETY: by contract.
    unsafe {
        for &node in garbage.iter() {
            if (*node).kind_byte() != Kind::Object as u8 || (*node).has(DESTRUCTED) {
                continue;
            }
            due.push((0, node));
            if colour(&*node) == COLOUR_GREY {
                set_colour(&*node, COLOUR_KEPT);
                kept.push(node);
            }
            while let Some(node) = kept.pop() {
                let mut keep = |child: *mut Header| {
                    if colour(&*child) == COLOUR_GREY {
                        set_colour(&*child, COLOUR_KEPT);
                        kept.push(child);
                    }
                };
                children(node, &mut keep);
                weak_entries(node, |_, _, value| keep(value));
            }
        }
        garbage.retain(|&node| {
            let keep = colour(&*node) == COLOUR_GREY;
            if !keep {
                set_colour(&*node, 0);
            }
            keep
        });
        let mut roots = gc.roots.borrow_mut();
        for (index, node) in &mut due {
            *index = roots.len();
            roots.push(*node);
            (**node).set(((*index % GC_SLOT_COUNT) as u32 + 1) << GC_SLOT_SHIFT);
            set_colour(&**node, COLOUR_DUE);
        }
        gc.count.set(gc.count.get() + due.len());
    }
    due
}

/// Frees garbage; returns how many arrays and objects that were.
///
/// # Safety
/// Nothing outside of `garbage` holds anything in it, and no destructor is due.
unsafe fn free_garbage(garbage: &[*mut Header]) -> usize {
    let (mut freed, mut tables) = (0, 0);
    // SAFETY: a count of our own on every node keeps all of them until the last loop. Objects and references let go of what they
    // hold first, which cuts every cycle; arrays then go with their last holder.
    unsafe {
        for &node in garbage {
            // PHP counts an object together with its table of dynamic properties.
            if (*node).kind_byte() == Kind::Object as u8 {
                let table = (*node.cast::<ObjHeader>()).dynamic.cast::<Header>();
                if !table.is_null() && colour(&*table) == COLOUR_GREY && (*table).is_unique() {
                    tables += 1;
                }
            }
        }
        for &node in garbage {
            set_colour(&*node, 0);
            (*node).set(NOT_COLLECTABLE);
            (*node).add_ref();
            freed += usize::from((*node).kind_byte() != Kind::Ref as u8);
        }
        for &node in garbage {
            if (*node).has(WEAKLY_REFERENCED) && (*node).kind_byte() == Kind::Object as u8 {
                // A weak map holds what its key alone keeps alive, the key itself perhaps.
                owner(NonNull::new_unchecked(node.cast())).call_weak_hook((*node.cast::<ObjHeader>()).id);
            }
        }
        for &node in garbage {
            match (*node).kind_byte() {
                k if k == Kind::Object as u8 => object::clear(node.cast()),
                k if k == Kind::Ref as u8 => Raw::replace_slot(&raw mut (*node.cast::<RefHeader>()).value, Raw::NULL),
                _ => {}
            }
        }
        for &node in garbage {
            Header::release(node);
        }
    }
    freed - tables
}

impl Heap {
    /// One step of a collection: what was freed, and whose destructors are due.
    fn gc_step(&self) -> (usize, Vec<Due>) {
        let gc = &self.gc;
        if gc.phase.get() != 0 || gc.count.get() == 0 {
            return (0, Vec::new());
        }
        // SAFETY: roots are alive; what is found garbage is held by nobody else.
        unsafe {
            gc.phase.set(1);
            gc.runs.set(gc.runs.get() + 1);
            let roots = gc.take_roots();
            let mut garbage = find_garbage(&roots);
            let due = due_destructors(gc, &mut garbage);
            gc.phase.set(2);
            let freed = free_garbage(&garbage);
            gc.phase.set(0);
            gc.collected.set(gc.collected.get() + freed);
            (freed, due)
        }
    }

    /// A whole collection (`gc_collect_cycles()`): how many arrays and objects were freed. `destruct` marks an object as destructed
    /// and calls its destructor. Inside of destructors nothing is collected.
    ///
    /// An object that only its own destructor has kept alive is freed by the second step, and counted there, as in PHP.
    pub fn gc_collect(&self, destruct: impl FnMut(&PObject)) -> usize {
        let freed = self.gc_collect_now(destruct);
        // Roots that destructors left have made the buffer full for nobody: the next one will.
        self.gc.late.set(usize::MAX);
        self.lower(pending::GC);
        freed
    }

    fn gc_collect_now(&self, mut destruct: impl FnMut(&PObject)) -> usize {
        /// The collection is over, also when destructors unwind.
        struct Active<'a>(&'a Cell<bool>);
        impl Drop for Active<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }
        let gc = &self.gc;
        if gc.active.replace(true) {
            return 0;
        }
        let _active = Active(&gc.active);
        let mut freed = 0;
        for _ in 0..2 {
            let (more, due) = self.gc_step();
            freed += more;
            if due.is_empty() {
                break;
            }
            for (index, node) in due {
                // SAFETY: while the buffer names the node it is alive; a new object at the same address has no colour.
                unsafe {
                    let there = gc.roots.borrow().get(index) == Some(&node);
                    if !there || colour(&*node) != COLOUR_DUE {
                        continue;
                    }
                    set_colour(&*node, 0);
                    if (*node).has(DESTRUCTED) {
                        continue;
                    }
                    let object = PObject::share(node.cast());
                    destruct(&object);
                    if (*node).is_unique() {
                        // Nobody else has it: garbage without a count, for the next step to find.
                        std::mem::forget(object);
                        if !(*node).has(GC_SLOT_MASK) {
                            possible_root(node);
                        }
                        (*node).rc.set(0);
                    }
                }
            }
        }
        freed
    }

    /// A collection because the root buffer was full ([`pending::GC`]): also adjusts the threshold, as PHP does.
    pub fn gc_collect_requested(&self, destruct: impl FnMut(&PObject)) -> usize {
        let gc = &self.gc;
        if gc.active.get() {
            gc.late.set(usize::MAX);
            self.lower(pending::GC);
            return 0;
        }
        let late = gc.take_late();
        let freed = self.gc_collect(destruct);
        let threshold = gc.threshold.get();
        if freed < THRESHOLD_TRIGGER || gc.count.get() >= threshold {
            if threshold < THRESHOLD_MAX {
                gc.threshold.set((threshold + THRESHOLD_STEP).min(THRESHOLD_MAX));
            }
        } else if threshold > THRESHOLD_DEFAULT {
            gc.threshold.set(threshold - THRESHOLD_STEP);
        }
        drop(late);
        freed
    }

    pub fn gc_enabled(&self) -> bool {
        self.gc.enabled.get()
    }
    /// Whether a full root buffer asks for a collection (`gc_enable`, `gc_disable`).
    pub fn gc_set_enabled(&self, enabled: bool) {
        self.gc.enabled.set(enabled);
        if enabled && self.gc.count.get() >= self.gc.threshold.get() {
            self.request_collection();
        } else if !enabled {
            self.gc.late.set(usize::MAX);
            self.lower(pending::GC);
        }
    }
    /// What was built before the program starts is no garbage: nothing of it needs to be looked at.
    pub fn gc_forget_roots(&self) {
        self.gc.take_roots();
    }
    pub fn gc_status(&self) -> GcStatus {
        let gc = &self.gc;
        GcStatus {
            running: gc.active.get() || gc.phase.get() != 0,
            runs: gc.runs.get(),
            collected: gc.collected.get(),
            threshold: gc.threshold.get(),
            roots: gc.count.get(),
            buffer_size: gc.roots.borrow().capacity().max(16_384),
        }
    }
}
