//! PHP arrays: ordered maps, copied on write.
//!
//! [`PArray`] is the counted handle with a safe API; [`raw`] has the unchecked paths of the interpreter. The representation is in
//! [`storage`]. Hazard: a position (`u32`) is an index into storage; it stays good across writes to values, appends and removals,
//! but not across growth of an array with holes: ask anew after each change of the array.

mod immortal;
pub mod iterators;
pub mod raw;
pub(crate) mod storage;

pub use storage::ArrayHeader;
pub(crate) use storage::{free, trace};

use crate::header::{Header, counted_handle};
use crate::raw::{Kind, Raw, tag};
use crate::string::{PStr, numeric_key};
use crate::value::Value;
use std::ptr::{self, NonNull};
use storage::FULL;

/// An array key as PHP stores it: a string here is never a decimal integer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Int(i64),
    Str(PStr),
}

/// A borrowed key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRef<'a> {
    Int(i64),
    Str(&'a PStr),
}

impl Key {
    /// The key of a string offset: decimal integers become ints.
    #[allow(clippy::should_implement_trait)]
    pub fn from_str(s: &PStr) -> Key {
        numeric_key(s.as_bytes()).map_or_else(|| Key::Str(s.clone()), Key::Int)
    }
    /// As [`Key::from_str`], from bytes.
    pub fn from_bytes(s: &[u8]) -> Key {
        numeric_key(s).map_or_else(|| Key::Str(PStr::new(s)), Key::Int)
    }
    #[allow(clippy::should_implement_trait)]
    pub fn as_ref(&self) -> KeyRef<'_> {
        match self {
            Key::Int(i) => KeyRef::Int(*i),
            Key::Str(s) => KeyRef::Str(s),
        }
    }
    pub fn to_value(&self) -> Value {
        self.as_ref().to_value()
    }
}

impl From<i64> for Key {
    fn from(i: i64) -> Key {
        Key::Int(i)
    }
}
impl From<PStr> for Key {
    /// The string as it is, without looking whether it is a number.
    fn from(s: PStr) -> Key {
        Key::Str(s)
    }
}

impl<'a> KeyRef<'a> {
    /// As [`Key::from_str`].
    #[allow(clippy::should_implement_trait)]
    pub fn from_str(s: &'a PStr) -> KeyRef<'a> {
        numeric_key(s.as_bytes()).map_or(KeyRef::Str(s), KeyRef::Int)
    }
    pub fn to_key(self) -> Key {
        match self {
            KeyRef::Int(i) => Key::Int(i),
            KeyRef::Str(s) => Key::Str(s.clone()),
        }
    }
    pub fn to_value(self) -> Value {
        match self {
            KeyRef::Int(i) => Value::from(i),
            KeyRef::Str(s) => Value::from(s.clone()),
        }
    }
    /// The key as text.
    pub fn to_str(self) -> PStr {
        match self {
            KeyRef::Int(i) => PStr::new(i.to_string().as_bytes()),
            KeyRef::Str(s) => s.clone(),
        }
    }
}

/// No element can be appended: the largest int key is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextElementOccupied;

/// A counted array.
#[repr(transparent)]
pub struct PArray(NonNull<ArrayHeader>);

struct EmptyArray(ArrayHeader);
// SAFETY: immortal and never written.
unsafe impl Sync for EmptyArray {}
static EMPTY: EmptyArray = EmptyArray(ArrayHeader {
    header: Header::immortal(Kind::Array, 0),
    data: ptr::null_mut(),
    used: 0,
    count: 0,
    cap: 0,
    flags: storage::PACKED,
    next_free: i64::MIN,
    pos: 0,
    mask: 0,
});

impl PArray {
    /// The empty array; allocates nothing.
    #[inline]
    pub fn new() -> PArray {
        PArray(NonNull::from(&EMPTY.0))
    }

    /// An empty array with room for `n` elements appended in order.
    pub fn with_capacity(n: usize) -> PArray {
        if n == 0 {
            return PArray::new();
        }
        let a = storage::new_header();
        // SAFETY: fresh and owned; the handle owns it before its storage grows.
        unsafe {
            let array = PArray(NonNull::new_unchecked(a));
            storage::grow_packed(a, n as u64);
            array
        }
    }

    /// As [`PArray::with_capacity`], for string keys.
    pub fn with_hash_capacity(n: usize) -> PArray {
        if n == 0 {
            return PArray::new();
        }
        let a = storage::new_header();
        // SAFETY: as above.
        unsafe {
            let array = PArray(NonNull::new_unchecked(a));
            storage::to_hash(a, n.min(u32::MAX as usize) as u32);
            array
        }
    }

    /// Room for `n` elements of which the first has this key: packed where PHP would begin it so.
    pub fn with_capacity_from(n: usize, first: i64) -> PArray {
        let size = n.max(8).next_power_of_two() as u64;
        if (first as u64) < size { PArray::with_capacity(n) } else { PArray::with_hash_capacity(n) }
    }

    /// Marks an array that PHP builds as a hash table, as `unserialize` does, even if its keys are those of a list: the key that `[]`
    /// uses never goes back.
    pub fn mark_hashed(&mut self) {
        if self.head().cap != 0 {
            self.separate();
            // SAFETY: owned after separation.
            unsafe { (*self.as_ptr()).flags |= storage::HASHED }
        }
    }

    /// A list of the values in some slots.
    ///
    /// # Safety
    /// The values' counts become the list's.
    pub unsafe fn from_raw_slots(values: &[Raw]) -> PArray {
        let array = PArray::with_capacity(values.len());
        let head = array.as_ptr();
        if values.is_empty() {
            return array;
        }
        // SAFETY: a fresh packed array with room for them; the counts move, by contract.
        unsafe {
            (*head).packed().copy_from_nonoverlapping(values.as_ptr(), values.len());
            (*head).used = values.len() as u32;
            (*head).count = values.len() as u32;
            (*head).next_free = values.len() as i64;
        }
        array
    }

    /// A list of the values.
    pub fn from_values(values: impl IntoIterator<Item = Value>) -> PArray {
        let values = values.into_iter();
        let mut array = PArray::with_capacity(values.size_hint().0);
        let head = array.as_ptr();
        let mut values = values;
        // SAFETY: a fresh array, owned here (with no capacity the shared empty one, which is not written): what fits is stored
        // directly, counted at once because `values` may panic.
        unsafe {
            while (*head).used < (*head).cap
                && let Some(v) = values.next()
            {
                (*head).packed().add((*head).used as usize).write(v.into_raw());
                (*head).used += 1;
                (*head).count += 1;
                (*head).next_free = (*head).used as i64;
            }
        }
        for v in values {
            array.append(v);
        }
        array
    }

    pub fn from_entries(entries: impl IntoIterator<Item = (Key, Value)>) -> PArray {
        let mut array = PArray::new();
        for (k, v) in entries {
            array.set(k, v);
        }
        array
    }

    #[inline]
    fn head(&self) -> &ArrayHeader {
        // SAFETY: the handle holds a count.
        unsafe { self.0.as_ref() }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.head().count as usize
    }
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.head().count == 0
    }
    #[inline]
    pub fn is_packed(&self) -> bool {
        self.head().is_packed()
    }
    /// Where the elements stand in the storage, in their order.
    pub fn positions(&self) -> impl Iterator<Item = u32> {
        let head = self.head();
        // SAFETY: positions below `used` are initialised.
        (0..head.used).filter(|&at| !unsafe { (*head.value_ptr(at)).is_undef() })
    }
    /// Keys are 0, 1, 2 … in order.
    pub fn is_list(&self) -> bool {
        let head = self.head();
        if head.is_packed() && head.used == head.count {
            return true;
        }
        self.iter().enumerate().all(|(n, (k, _))| matches!(k, KeyRef::Int(i) if i == n as i64))
    }
    #[inline]
    pub fn same(&self, other: &PArray) -> bool {
        self.0 == other.0
    }
    /// Nobody else holds it: writes happen in place.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.head().header.is_unique()
    }

    // ---- reading

    fn value_at(&self, at: u32) -> &Value {
        // SAFETY: `at` is a live position; Value is transparent over Raw.
        unsafe { &*self.head().value_ptr(at).cast::<Value>() }
    }
    #[inline]
    pub fn get_int(&self, key: i64) -> Option<&Value> {
        // SAFETY: the array is live.
        unsafe { storage::find_int(self.head(), key) }.map(|at| self.value_at(at))
    }
    /// By string key, as it is.
    #[inline]
    pub fn get_str(&self, key: &PStr) -> Option<&Value> {
        // SAFETY: both are live.
        unsafe { storage::find_str(self.head(), key.as_ptr()) }.map(|at| self.value_at(at))
    }
    /// By string key, as it is.
    pub fn get_bytes(&self, key: &[u8]) -> Option<&Value> {
        // SAFETY: the array is live.
        unsafe { storage::find_bytes(self.head(), crate::hash_bytes(key), key) }.map(|at| self.value_at(at))
    }
    /// By string offset: a decimal integer means the int key.
    pub fn get_sym(&self, key: &[u8]) -> Option<&Value> {
        match numeric_key(key) {
            Some(i) => self.get_int(i),
            None => self.get_bytes(key),
        }
    }
    pub fn get(&self, key: &Key) -> Option<&Value> {
        self.get_ref(key.as_ref())
    }
    pub fn get_ref(&self, key: KeyRef<'_>) -> Option<&Value> {
        match key {
            KeyRef::Int(i) => self.get_int(i),
            KeyRef::Str(s) => self.get_str(s),
        }
    }
    pub fn contains(&self, key: &Key) -> bool {
        self.get(key).is_some()
    }

    fn position(&self, key: KeyRef<'_>) -> Option<u32> {
        // SAFETY: array and key are live.
        unsafe {
            match key {
                KeyRef::Int(i) => storage::find_int(self.head(), i),
                KeyRef::Str(s) => storage::find_str(self.head(), s.as_ptr()),
            }
        }
    }

    // ---- positions

    fn live(&self, at: u32) -> bool {
        // SAFETY: `at < used` is checked first.
        at < self.head().used && unsafe { (*self.head().value_ptr(at)).tag != tag::UNDEF }
    }
    /// First live position from `at` on.
    pub fn seek(&self, mut at: u32) -> Option<u32> {
        while at < self.head().used {
            if self.live(at) {
                return Some(at);
            }
            at += 1;
        }
        None
    }
    pub fn first(&self) -> Option<u32> {
        self.seek(0)
    }
    pub fn last(&self) -> Option<u32> {
        (0..self.head().used).rev().find(|&at| self.live(at))
    }
    pub fn next(&self, at: u32) -> Option<u32> {
        self.seek(at.checked_add(1)?)
    }
    pub fn prev(&self, at: u32) -> Option<u32> {
        (0..at.min(self.head().used)).rev().find(|&at| self.live(at))
    }
    /// The element at a position; None when there is none any more.
    pub fn at(&self, at: u32) -> Option<(KeyRef<'_>, &Value)> {
        if !self.live(at) {
            return None;
        }
        let head = self.head();
        let key = if head.is_packed() {
            KeyRef::Int(at as i64)
        } else {
            // SAFETY: a live bucket; PStr is transparent over the key's pointer.
            unsafe {
                let b = &*head.buckets().add(at as usize);
                if b.key.is_null() { KeyRef::Int(b.h as i64) } else { KeyRef::Str(&*(&raw const b.key).cast::<PStr>()) }
            }
        };
        Some((key, self.value_at(at)))
    }
    /// The internal pointer (`current()`, `next()`): None past the end.
    pub fn internal_position(&self) -> Option<u32> {
        self.seek(self.head().pos)
    }
    /// Moves the internal pointer; None: past the end.
    pub fn set_internal_position(&mut self, at: Option<u32>) {
        if self.head().cap == 0 {
            return;
        }
        self.separate();
        // SAFETY: owned after separation.
        unsafe { (*self.as_ptr()).pos = at.unwrap_or((*self.as_ptr()).used) }
    }

    pub fn iter(&self) -> Iter<'_> {
        Iter { array: self, front: 0, back: self.head().used }
    }
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.iter().map(|(_, v)| v)
    }
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = KeyRef<'_>> {
        self.iter().map(|(k, _)| k)
    }

    // ---- writing

    /// Makes this handle the only one of its array, copying when others hold it.
    #[inline]
    pub fn separate(&mut self) {
        if !self.is_unique() {
            self.separate_slow();
        }
    }
    #[cold]
    #[inline(never)]
    fn separate_slow(&mut self) {
        // SAFETY: the copy belongs to this handle; the old count is given back by Drop of the old handle.
        unsafe {
            let copy = storage::duplicate(self.as_ptr());
            *self = PArray(NonNull::new_unchecked(copy));
        }
    }

    /// Pointer to the value of a key, inserted as null when missing. Good until the next change of the array.
    fn slot(&mut self, key: KeyRef<'_>) -> *mut Raw {
        self.separate();
        // SAFETY: owned after separation.
        unsafe {
            match key {
                KeyRef::Int(i) => raw::find_or_insert_int(self.as_ptr(), i),
                KeyRef::Str(s) => raw::find_or_insert_str(self.as_ptr(), s.as_ptr()),
            }
        }
    }
    fn put(&mut self, key: KeyRef<'_>, value: Value) {
        let slot = self.slot(key);
        // SAFETY: a live slot; the old value is released after the new one is in place.
        unsafe {
            let old = slot.replace(value.into_raw());
            drop(Value::from_raw(old));
        }
    }
    /// Sets an element. A reference in the slot is replaced, not written through: see [`PArray::with_slot`].
    pub fn set(&mut self, key: Key, value: Value) {
        self.put(key.as_ref(), value);
    }
    pub fn set_int(&mut self, key: i64, value: impl Into<Value>) {
        self.put(KeyRef::Int(key), value.into());
    }
    /// By string key, as it is.
    pub fn set_str(&mut self, key: &PStr, value: impl Into<Value>) {
        self.put(KeyRef::Str(key), value.into());
    }
    /// By string key, as it is.
    pub fn set_bytes(&mut self, key: &[u8], value: impl Into<Value>) {
        self.put(KeyRef::Str(&PStr::new(key)), value.into());
    }
    /// By string offset: a decimal integer means the int key.
    pub fn set_sym(&mut self, key: &[u8], value: impl Into<Value>) {
        self.set(Key::from_bytes(key), value.into());
    }
    /// Appends; the error says that the largest key is taken.
    pub fn push(&mut self, value: Value) -> Result<(), NextElementOccupied> {
        self.separate();
        // SAFETY: owned after separation; the slot takes over the value.
        unsafe {
            let slot = raw::push_slot(self.as_ptr());
            if slot.is_null() {
                return Err(NextElementOccupied);
            }
            *slot = value.into_raw();
        }
        Ok(())
    }
    /// Appends to an array that the caller built and that so cannot be full.
    pub fn append(&mut self, value: impl Into<Value>) {
        let pushed = self.push(value.into());
        debug_assert!(pushed.is_ok());
    }
    /// Runs `f` on the value of a key, inserted as null when missing. `f` must not touch this array (it cannot: it is borrowed).
    pub fn with_slot<R>(&mut self, key: &Key, f: impl FnOnce(&mut Value) -> R) -> R {
        let slot = self.slot(key.as_ref());
        // SAFETY: the array is uniquely borrowed while `f` runs.
        f(unsafe { &mut *slot.cast::<Value>() })
    }
    /// Runs `f` on the value at a position, if it is live.
    pub fn with_value_at<R>(&mut self, at: u32, f: impl FnOnce(&mut Value) -> R) -> Option<R> {
        if !self.live(at) {
            return None;
        }
        self.separate();
        // SAFETY: separation keeps positions; uniquely borrowed while `f` runs.
        Some(f(unsafe { &mut *self.head().value_ptr(at).cast::<Value>() }))
    }
    pub fn remove(&mut self, key: &Key) -> Option<Value> {
        self.remove_ref(key.as_ref())
    }
    pub fn remove_ref(&mut self, key: KeyRef<'_>) -> Option<Value> {
        let at = self.position(key)?;
        Some(self.remove_at(at))
    }
    pub fn remove_bytes(&mut self, key: &[u8]) -> Option<Value> {
        // SAFETY: the array is live.
        let at = unsafe { storage::find_bytes(self.head(), crate::hash_bytes(key), key) }?;
        Some(self.remove_at(at))
    }
    fn remove_at(&mut self, at: u32) -> Value {
        self.separate();
        // SAFETY: owned; separation keeps positions.
        unsafe { Value::from_raw(storage::take_at(self.as_ptr(), at)) }
    }
    /// `array_pop`: takes the last element; the next free key goes back.
    pub fn pop(&mut self) -> Option<Value> {
        let at = self.last()?;
        let key = self.at(at).map(|(k, _)| k.to_key());
        let value = self.remove_at(at);
        // SAFETY: owned after removal.
        unsafe {
            let head = &mut *self.as_ptr();
            if let Some(Key::Int(i)) = key
                && head.next_free == i.saturating_add(1)
            {
                head.next_free = i;
                head.flags &= !FULL;
            }
            head.pos = 0;
        }
        Some(value)
    }
    /// `array_shift`: takes the first element and numbers the int keys anew.
    pub fn shift(&mut self) -> Option<Value> {
        let at = self.first()?;
        if self.is_packed() {
            self.separate();
            // SAFETY: owned; the remaining values move down by one.
            return unsafe {
                let head = &mut *self.as_ptr();
                let value = *head.packed().add(at as usize);
                if head.flags & storage::ITERATED != 0 {
                    iterators::moved(head, head, &|behind| behind.saturating_sub(1));
                }
                let (mut to, before) = (0, head.used);
                for from in at + 1..head.used {
                    let v = *head.packed().add(from as usize);
                    if v.tag != tag::UNDEF {
                        *head.packed().add(to as usize) = v;
                        to += 1;
                    }
                }
                // What a vacated slot held has moved: nobody may find it there again.
                for at in to..before {
                    (*head.packed().add(at as usize)).tag = tag::UNDEF;
                }
                head.used = to;
                head.count = to;
                head.next_free = to as i64;
                head.pos = 0;
                Some(Value::from_raw(value))
            };
        }
        let old = std::mem::take(self);
        let first = old.at(at).map(|(_, v)| v.clone());
        *self = PArray::with_hash_capacity(old.len());
        for (k, v) in old.iter().skip(1) {
            match k {
                KeyRef::Int(_) => self.append(v.clone()),
                KeyRef::Str(s) => self.set_str(s, v.clone()),
            }
        }
        old.replaced_by(self, |behind| behind.saturating_sub(1));
        first
    }
    /// `new` will stand where this array stood: loops by reference over it go on there. `to` says how many elements of `new` a loop has
    /// behind it that has `n` of this array's behind it.
    pub fn replaced_by(&self, new: &PArray, to: impl Fn(u32) -> u32) {
        if self.head().flags & storage::ITERATED != 0 && new.head().cap != 0 {
            iterators::moved(self.as_ptr(), new.as_ptr(), &to);
        }
    }
    pub fn clear(&mut self) {
        *self = PArray::new();
    }
    /// The key that `[]` would use.
    pub fn next_free_index(&self) -> Option<i64> {
        let head = self.head();
        if head.flags & FULL != 0 {
            return None;
        }
        Some(if head.next_free == i64::MIN { 0 } else { head.next_free })
    }
    pub fn set_next_free_index(&mut self, n: i64) {
        if self.head().cap == 0 {
            return;
        }
        self.separate();
        // SAFETY: owned after separation.
        unsafe { (*self.as_ptr()).next_free = n }
    }
    /// The elements that there are now, whatever becomes of the array meanwhile: the iterator holds a count of it.
    pub fn entries(&self) -> Entries {
        Entries { array: self.clone(), front: 0 }
    }
    /// Keeps the elements for which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(KeyRef<'_>, &Value) -> bool) {
        let gone: Vec<u32> =
            (0..self.head().used).filter(|&at| self.at(at).is_some_and(|(k, v)| !keep(k, v))).collect();
        for at in gone {
            self.remove_at(at);
        }
    }
}

impl Default for PArray {
    fn default() -> PArray {
        PArray::new()
    }
}

counted_handle!(PArray, ArrayHeader);

impl std::fmt::Debug for PArray {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Elements in order.
pub struct Iter<'a> {
    array: &'a PArray,
    front: u32,
    back: u32,
}

impl<'a> Iterator for Iter<'a> {
    type Item = (KeyRef<'a>, &'a Value);
    fn next(&mut self) -> Option<Self::Item> {
        while self.front < self.back {
            let at = self.front;
            self.front += 1;
            if let Some(entry) = self.array.at(at) {
                return Some(entry);
            }
        }
        None
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        let all = self.array.len();
        (if self.front == 0 && self.back == self.array.head().used { all } else { 0 }, Some(all))
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        while self.back > self.front {
            self.back -= 1;
            if let Some(entry) = self.array.at(self.back) {
                return Some(entry);
            }
        }
        None
    }
}

/// See [`PArray::entries`].
#[derive(Clone, Default)]
pub struct Entries {
    array: PArray,
    front: u32,
}

impl Iterator for Entries {
    type Item = (Key, Value);
    fn next(&mut self) -> Option<(Key, Value)> {
        while self.front < self.array.head().used {
            self.front += 1;
            if let Some((key, value)) = self.array.at(self.front - 1) {
                return Some((key.to_key(), value.clone()));
            }
        }
        None
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.array.len()))
    }
}

impl<'a> IntoIterator for &'a PArray {
    type Item = (KeyRef<'a>, &'a Value);
    type IntoIter = Iter<'a>;
    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl FromIterator<Value> for PArray {
    fn from_iter<T: IntoIterator<Item = Value>>(iter: T) -> PArray {
        PArray::from_values(iter)
    }
}
