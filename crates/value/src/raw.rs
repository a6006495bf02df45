//! A value as two plain words, counted explicitly: what the interpreter and native code work with.
//!
//! Invariants: both words are always loaded and stored as two `u64` (a 16-byte load of two halves stored apart stalls). The low
//! byte of the tag is the [`Kind`]; [`COUNTED`] says that the payload has a count to keep. Hazard: `Raw` is `Copy` and owns
//! nothing by itself; every function that counts says so.

use crate::header::Header;
use crate::{ArrayHeader, ObjHeader, PArray, PObject, PRef, PResource, PStr, RefHeader};

/// What a value is. The order is a contract: everything up to `False` is falsy, everything from `String` to `Ref` is a pointer.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Undef = 0,
    Null = 1,
    False = 2,
    True = 3,
    Int = 4,
    Float = 5,
    String = 6,
    Array = 7,
    Object = 8,
    Resource = 9,
    Ref = 10,
    /// Constant expression that is not evaluated yet (engine internal).
    ConstAst = 11,
    /// Any pointer (engine internal).
    Ptr = 12,
}

/// The payload is counted.
pub const COUNTED: u64 = 0x100;

/// Tag words, for code that compares whole words.
pub mod tag {
    use super::{COUNTED, Kind};
    pub const UNDEF: u64 = Kind::Undef as u64;
    pub const NULL: u64 = Kind::Null as u64;
    pub const FALSE: u64 = Kind::False as u64;
    pub const TRUE: u64 = Kind::True as u64;
    pub const INT: u64 = Kind::Int as u64;
    pub const FLOAT: u64 = Kind::Float as u64;
    /// Immortal string.
    pub const STRING: u64 = Kind::String as u64;
    pub const STRING_COUNTED: u64 = STRING | COUNTED;
    /// Immortal array.
    pub const ARRAY: u64 = Kind::Array as u64;
    pub const ARRAY_COUNTED: u64 = ARRAY | COUNTED;
    pub const OBJECT: u64 = Kind::Object as u64 | COUNTED;
    pub const RESOURCE: u64 = Kind::Resource as u64 | COUNTED;
    pub const REF: u64 = Kind::Ref as u64 | COUNTED;
    pub const CONST_AST: u64 = Kind::ConstAst as u64;
    pub const PTR: u64 = Kind::Ptr as u64;
}

/// Two words: tag and payload.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Raw {
    pub tag: u64,
    pub bits: u64,
}

const _: () = assert!(size_of::<Raw>() == 16 && align_of::<Raw>() == 8);

impl Raw {
    pub const UNDEF: Raw = Raw { tag: tag::UNDEF, bits: 0 };
    pub const NULL: Raw = Raw { tag: tag::NULL, bits: 0 };
    pub const FALSE: Raw = Raw { tag: tag::FALSE, bits: 0 };
    pub const TRUE: Raw = Raw { tag: tag::TRUE, bits: 0 };

    #[inline(always)]
    pub const fn int(i: i64) -> Raw {
        Raw { tag: tag::INT, bits: i as u64 }
    }
    #[inline(always)]
    pub const fn float(f: f64) -> Raw {
        Raw { tag: tag::FLOAT, bits: f.to_bits() }
    }
    #[inline(always)]
    pub const fn bool(b: bool) -> Raw {
        Raw { tag: tag::FALSE + b as u64, bits: 0 }
    }
    /// The count of the handle moves into the words.
    #[inline(always)]
    pub fn string(s: PStr) -> Raw {
        s.into_raw()
    }
    #[inline(always)]
    pub fn array(a: PArray) -> Raw {
        a.into_raw()
    }
    #[inline(always)]
    pub fn object(o: PObject) -> Raw {
        o.into_raw()
    }
    #[inline(always)]
    pub fn reference(r: PRef) -> Raw {
        r.into_raw()
    }
    #[inline(always)]
    pub fn resource(r: PResource) -> Raw {
        r.into_raw()
    }
    /// Engine-internal pointer.
    #[inline(always)]
    pub fn ptr<T>(p: *const T) -> Raw {
        Raw { tag: tag::PTR, bits: p as u64 }
    }

    #[inline(always)]
    pub const fn kind_byte(self) -> u8 {
        self.tag as u8
    }
    #[inline(always)]
    pub fn kind(self) -> Kind {
        let byte = self.kind_byte();
        debug_assert!(byte <= Kind::Ptr as u8, "tag {:#x}", self.tag);
        // SAFETY: tags are only made from kinds (contract of everything that writes `tag`).
        unsafe { std::mem::transmute::<u8, Kind>(byte) }
    }
    #[inline(always)]
    pub const fn is(self, kind: Kind) -> bool {
        self.tag as u8 == kind as u8
    }
    #[inline(always)]
    pub const fn is_undef(self) -> bool {
        self.is(Kind::Undef)
    }
    /// Null itself, not an undefined slot.
    #[inline(always)]
    pub const fn is_null(self) -> bool {
        self.is(Kind::Null)
    }
    /// Null or undefined.
    #[inline(always)]
    pub const fn is_nullish(self) -> bool {
        self.kind_byte() <= Kind::Null as u8
    }
    #[inline(always)]
    pub const fn is_bool(self) -> bool {
        self.tag & !1 == tag::FALSE
    }
    #[inline(always)]
    pub const fn is_true(self) -> bool {
        self.is(Kind::True)
    }
    #[inline(always)]
    pub const fn is_false(self) -> bool {
        self.is(Kind::False)
    }
    #[inline(always)]
    pub const fn is_int(self) -> bool {
        self.tag == tag::INT
    }
    #[inline(always)]
    pub const fn is_float(self) -> bool {
        self.tag == tag::FLOAT
    }
    #[inline(always)]
    pub const fn is_string(self) -> bool {
        self.is(Kind::String)
    }
    #[inline(always)]
    pub const fn is_array(self) -> bool {
        self.is(Kind::Array)
    }
    #[inline(always)]
    pub const fn is_object(self) -> bool {
        self.is(Kind::Object)
    }
    #[inline(always)]
    pub const fn is_resource(self) -> bool {
        self.is(Kind::Resource)
    }
    #[inline(always)]
    pub const fn is_ref(self) -> bool {
        self.is(Kind::Ref)
    }
    #[inline(always)]
    pub const fn is_counted(self) -> bool {
        self.tag & COUNTED != 0
    }

    /// The payload as an integer; meaningful for `Int`.
    #[inline(always)]
    pub const fn as_int(self) -> i64 {
        self.bits as i64
    }
    /// The payload as a float; meaningful for `Float`.
    #[inline(always)]
    pub const fn as_float(self) -> f64 {
        f64::from_bits(self.bits)
    }
    /// The payload as a pointer.
    #[inline(always)]
    pub const fn as_ptr<T>(self) -> *mut T {
        self.bits as *mut T
    }
    #[inline(always)]
    pub const fn str_ptr(self) -> *mut crate::StrHeader {
        self.as_ptr()
    }
    #[inline(always)]
    pub const fn array_ptr(self) -> *mut ArrayHeader {
        self.as_ptr()
    }
    #[inline(always)]
    pub const fn object_ptr(self) -> *mut ObjHeader {
        self.as_ptr()
    }
    #[inline(always)]
    pub const fn ref_ptr(self) -> *mut RefHeader {
        self.as_ptr()
    }

    /// # Safety
    /// The kind is `String` and the string outlives the result.
    #[inline(always)]
    pub unsafe fn as_str(&self) -> &PStr {
        debug_assert!(self.is_string());
        // SAFETY: the kind says that the payload is such a pointer.
        unsafe { PStr::from_slot(&self.bits) }
    }
    /// # Safety
    /// The kind is `Array` and the array outlives the result.
    #[inline(always)]
    pub unsafe fn as_array(&self) -> &PArray {
        debug_assert!(self.is_array());
        // SAFETY: as above.
        unsafe { PArray::from_slot(&self.bits) }
    }
    /// # Safety
    /// The kind is `Object` and the object outlives the result.
    #[inline(always)]
    pub unsafe fn as_object(&self) -> &PObject {
        debug_assert!(self.is_object());
        // SAFETY: as above.
        unsafe { PObject::from_slot(&self.bits) }
    }
    /// # Safety
    /// The kind is `Resource` and the resource outlives the result.
    #[inline(always)]
    pub unsafe fn as_resource(&self) -> &PResource {
        debug_assert!(self.is_resource());
        // SAFETY: as above.
        unsafe { PResource::from_slot(&self.bits) }
    }
    /// # Safety
    /// The kind is `Ref` and the reference outlives the result.
    #[inline(always)]
    pub unsafe fn as_reference(&self) -> &PRef {
        debug_assert!(self.is_ref());
        // SAFETY: as above.
        unsafe { PRef::from_slot(&self.bits) }
    }
    /// The words seen as a value, without counting.
    ///
    /// # Safety
    /// The words are a valid value for as long as the result lives.
    #[inline(always)]
    pub unsafe fn as_value(&self) -> &crate::Value {
        // SAFETY: `Value` is transparent over `Raw`.
        unsafe { &*(self as *const Raw).cast::<crate::Value>() }
    }
    /// # Safety
    /// The payload points at a living counted (or immortal) thing.
    #[inline(always)]
    pub unsafe fn header<'a>(self) -> &'a Header {
        // SAFETY: by contract; all of them start with a header.
        unsafe { &*self.as_ptr::<Header>() }
    }

    /// Takes one count, if there is one to take.
    ///
    /// # Safety
    /// The value is alive.
    #[inline(always)]
    pub unsafe fn add_ref(self) {
        if self.is_counted() {
            // SAFETY: counted, so it points at a living header.
            unsafe { self.header() }.add_ref();
        }
    }
    /// Takes one count and returns the words: a copy that owns.
    ///
    /// # Safety
    /// The value is alive.
    #[inline(always)]
    pub unsafe fn copied(self) -> Raw {
        // SAFETY: forwarded.
        unsafe { self.add_ref() };
        self
    }
    /// Gives one count back. May free, and queue destructors; never runs PHP code.
    ///
    /// # Safety
    /// The caller owns one count of the value and does not use it afterwards.
    #[inline(always)]
    pub unsafe fn release(self) {
        if self.is_counted() {
            // SAFETY: counted, and the count is the caller's.
            unsafe { Header::release(self.as_ptr()) };
        }
    }
    /// What the value refers to: the content of a reference, otherwise itself. Not counted.
    ///
    /// # Safety
    /// The value is alive.
    #[inline(always)]
    pub unsafe fn deref(self) -> Raw {
        if self.is_ref() {
            // SAFETY: the kind says what it points at.
            unsafe { (*self.ref_ptr()).value }
        } else {
            self
        }
    }
    /// A counted copy of what the value refers to.
    ///
    /// # Safety
    /// The value is alive.
    #[inline(always)]
    pub unsafe fn copy_deref(self) -> Raw {
        // SAFETY: forwarded; the content is alive while the reference is.
        unsafe { self.deref().copied() }
    }
    /// Where assignments to a slot go: into the reference that it holds, otherwise the slot itself.
    ///
    /// # Safety
    /// `slot` points at a living value.
    #[inline(always)]
    pub unsafe fn deref_slot(slot: *mut Raw) -> *mut Raw {
        // SAFETY: by contract.
        unsafe {
            if (*slot).is_ref() { &raw mut (*(*slot).ref_ptr()).value } else { slot }
        }
    }
    /// As [`deref_slot`](Raw::deref_slot), for a write that asks no typed property; null: it is a reference that is bound to one.
    ///
    /// # Safety
    /// `slot` points at a living value.
    #[inline(always)]
    pub unsafe fn untyped_slot(slot: *mut Raw) -> *mut Raw {
        // SAFETY: by contract.
        unsafe {
            if !(*slot).is_ref() {
                return slot;
            }
            let reference = (*slot).ref_ptr();
            crate::barrier::write_barrier(&(*reference).header);
            if (*reference).type_source.is_null() { &raw mut (*reference).value } else { std::ptr::null_mut() }
        }
    }
    /// Would one holder less leave nothing to do? As [`Header::is_shared`](crate::header::Header::is_shared), and of a reference, too, to what takes no part
    /// in cycles.
    ///
    /// # Safety
    /// The value is counted and alive.
    #[inline(always)]
    pub unsafe fn is_shared(self) -> bool {
        // SAFETY: by contract.
        unsafe {
            let header = self.header();
            let is_leaf = || self.is_ref() && header.rc.get() != 1 && (*self.ref_ptr()).value.kind_byte() <= Kind::String as u8;
            header.is_shared() || is_leaf()
        }
    }
    /// Overwrites a slot with an owned value; the old one is released after the slot is valid again.
    ///
    /// # Safety
    /// `slot` points at an owned value that may be written; the count of `value` moves into it.
    #[inline(always)]
    pub unsafe fn replace_slot(slot: *mut Raw, value: Raw) {
        // SAFETY: by contract.
        unsafe {
            let old = *slot;
            *slot = value;
            old.release();
        }
    }
    /// The owned words as a handle.
    ///
    /// # Safety
    /// The caller owns one count, which moves.
    #[inline(always)]
    pub unsafe fn into_value(self) -> crate::Value {
        // SAFETY: forwarded.
        unsafe { crate::Value::from_raw(self) }
    }
}

impl std::fmt::Debug for Raw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind() {
            Kind::Int => write!(f, "Int({})", self.as_int()),
            Kind::Float => write!(f, "Float({})", self.as_float()),
            Kind::Undef | Kind::Null | Kind::False | Kind::True => write!(f, "{:?}", self.kind()),
            kind => write!(f, "{kind:?}({:#x})", self.bits),
        }
    }
}
