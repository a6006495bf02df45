//! A value as a counted handle with Clone and Drop: what extensions and the runtime work with.
//!
//! Invariant: [`Value`] is transparent over [`Raw`] and owns one count of what it points at. Hazard: [`Value::deref`] and
//! [`Value::view`] borrow from what the value refers to; assigning to the same reference while such a borrow lives would
//! invalidate it. The payload is a word whose pointers have exposed provenance; handles seen through a value (`as_str`, …) are
//! that word read as a pointer, which Miri is spared (`from_slot`). Whatever may run PHP code takes `&mut Cx`, and borrows of PHP values must not be kept across that.

use crate::raw::{Kind, Raw};
use crate::{PArray, PObject, PRef, PResource, PStr};

/// An owned PHP value.
#[repr(transparent)]
pub struct Value(Raw);

/// A value taken apart, borrowed.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    Undef,
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(&'a PStr),
    Array(&'a PArray),
    Object(&'a PObject),
    Resource(&'a PResource),
    Ref(&'a PRef),
}

impl Value {
    pub const NULL: Value = Value(Raw::NULL);
    pub const UNDEF: Value = Value(Raw::UNDEF);
    pub const TRUE: Value = Value(Raw::TRUE);
    pub const FALSE: Value = Value(Raw::FALSE);

    #[inline(always)]
    pub const fn null() -> Value {
        Value::NULL
    }
    #[inline(always)]
    pub const fn undef() -> Value {
        Value::UNDEF
    }
    #[inline(always)]
    pub const fn int(i: i64) -> Value {
        Value(Raw::int(i))
    }
    #[inline(always)]
    pub const fn float(f: f64) -> Value {
        Value(Raw::float(f))
    }
    #[inline(always)]
    pub const fn bool(b: bool) -> Value {
        Value(Raw::bool(b))
    }
    /// A string of these bytes.
    #[inline]
    pub fn bytes(bytes: &[u8]) -> Value {
        PStr::new(bytes).into()
    }
    /// `""`, which allocates nothing.
    pub fn empty_string() -> Value {
        PStr::empty().into()
    }
    /// `[]`, which allocates nothing.
    pub fn empty_array() -> Value {
        PArray::new().into()
    }

    /// # Safety
    /// The words are a valid value and the caller gives one count of it to the handle.
    #[inline(always)]
    pub const unsafe fn from_raw(raw: Raw) -> Value {
        Value(raw)
    }
    /// The words seen as a value that is not counted: dropping it gives nothing back.
    ///
    /// # Safety
    /// The words are a valid value for as long as the result is used; it must not be moved out of its wrapper.
    #[inline(always)]
    pub const unsafe fn from_raw_borrowed(raw: Raw) -> std::mem::ManuallyDrop<Value> {
        std::mem::ManuallyDrop::new(Value(raw))
    }
    /// The words; the count moves out with them.
    #[inline(always)]
    pub fn into_raw(self) -> Raw {
        let raw = self.0;
        std::mem::forget(self);
        raw
    }
    /// The words; the handle keeps its count.
    #[inline(always)]
    pub const fn raw(&self) -> Raw {
        self.0
    }
    /// The place of the words, for code that writes into it.
    #[inline(always)]
    pub fn as_raw_mut(&mut self) -> *mut Raw {
        &raw mut self.0
    }

    #[inline(always)]
    pub fn kind(&self) -> Kind {
        self.0.kind()
    }
    #[inline(always)]
    pub fn is_undef(&self) -> bool {
        self.0.is_undef()
    }
    /// Null or undefined.
    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.0.is_nullish()
    }
    #[inline(always)]
    pub fn is_bool(&self) -> bool {
        self.0.is_bool()
    }
    #[inline(always)]
    pub fn is_true(&self) -> bool {
        self.0.is_true()
    }
    #[inline(always)]
    pub fn is_false(&self) -> bool {
        self.0.is_false()
    }
    #[inline(always)]
    pub fn is_int(&self) -> bool {
        self.0.is_int()
    }
    #[inline(always)]
    pub fn is_float(&self) -> bool {
        self.0.is_float()
    }
    #[inline(always)]
    pub fn is_string(&self) -> bool {
        self.0.is_string()
    }
    #[inline(always)]
    pub fn is_array(&self) -> bool {
        self.0.is_array()
    }
    #[inline(always)]
    pub fn is_object(&self) -> bool {
        self.0.is_object()
    }
    #[inline(always)]
    pub fn is_resource(&self) -> bool {
        self.0.is_resource()
    }
    #[inline(always)]
    pub fn is_ref(&self) -> bool {
        self.0.is_ref()
    }

    #[inline(always)]
    pub fn as_bool(&self) -> Option<bool> {
        self.is_bool().then(|| self.is_true())
    }
    #[inline(always)]
    pub fn as_int(&self) -> Option<i64> {
        self.is_int().then(|| self.0.as_int())
    }
    #[inline(always)]
    pub fn as_float(&self) -> Option<f64> {
        self.is_float().then(|| self.0.as_float())
    }
    #[inline(always)]
    pub fn as_str(&self) -> Option<&PStr> {
        // SAFETY: the kind was tested, and the value keeps its payload alive.
        self.is_string().then(|| unsafe { self.0.as_str() })
    }
    /// Bytes of a string value.
    #[inline(always)]
    pub fn as_bytes(&self) -> Option<&[u8]> {
        self.as_str().map(PStr::as_bytes)
    }
    #[inline(always)]
    pub fn as_array(&self) -> Option<&PArray> {
        // SAFETY: as in `as_str`.
        self.is_array().then(|| unsafe { self.0.as_array() })
    }
    /// The array handle inside, for changes in place (copy on write is up to the array's own methods). Its tag follows what
    /// the handle becomes when the guard goes.
    #[inline]
    pub fn as_array_mut(&mut self) -> Option<ArrayMut<'_>> {
        if !self.is_array() {
            return None;
        }
        let raw = std::mem::replace(&mut self.0, Raw::NULL);
        // SAFETY: the kind was tested; the count moves into the handle and comes back when the guard is dropped.
        let array = unsafe { PArray::from_ptr(raw.array_ptr()) };
        Some(ArrayMut { slot: self, array: std::mem::ManuallyDrop::new(array) })
    }
    #[inline(always)]
    pub fn as_object(&self) -> Option<&PObject> {
        // SAFETY: as in `as_str`.
        self.is_object().then(|| unsafe { self.0.as_object() })
    }
    #[inline(always)]
    pub fn as_resource(&self) -> Option<&PResource> {
        // SAFETY: as in `as_str`.
        self.is_resource().then(|| unsafe { self.0.as_resource() })
    }
    /// The PHP reference in this value, if it is one.
    #[inline(always)]
    pub fn as_ref(&self) -> Option<&PRef> {
        // SAFETY: as in `as_str`.
        self.is_ref().then(|| unsafe { self.0.as_reference() })
    }

    /// The content of a reference, otherwise the value itself. Hazard: see the module.
    #[allow(clippy::should_implement_trait)]
    #[inline(always)]
    pub fn deref(&self) -> &Value {
        if self.is_ref() {
            // SAFETY: the kind was tested; the reference is alive while this value is.
            unsafe { (*self.0.ref_ptr()).value.as_value() }
        } else {
            self
        }
    }
    /// An owned copy of [`Value::deref`].
    #[inline(always)]
    pub fn copy_deref(&self) -> Value {
        self.deref().clone()
    }
    /// A copy for another array: a reference that nobody else holds is only its content.
    #[inline]
    pub fn copy_element(&self) -> Value {
        match self.as_ref() {
            Some(reference) if reference.ref_count() == 1 => reference.get(),
            _ => self.clone(),
        }
    }
    /// Owned content of a reference, otherwise the value itself.
    #[inline]
    pub fn into_deref(self) -> Value {
        if self.is_ref() { self.deref().clone() } else { self }
    }

    /// Takes the value apart; does not follow references.
    #[inline]
    pub fn view(&self) -> View<'_> {
        // SAFETY: each arm has tested the kind; the value keeps its payload alive.
        unsafe {
            match self.kind() {
                Kind::Null => View::Null,
                Kind::False => View::Bool(false),
                Kind::True => View::Bool(true),
                Kind::Int => View::Int(self.0.as_int()),
                Kind::Float => View::Float(self.0.as_float()),
                Kind::String => View::Str(self.0.as_str()),
                Kind::Array => View::Array(self.0.as_array()),
                Kind::Object => View::Object(self.0.as_object()),
                Kind::Resource => View::Resource(self.0.as_resource()),
                Kind::Ref => View::Ref(self.0.as_reference()),
                // Engine-internal kinds have no meaning outside of the engine.
                Kind::Undef | Kind::ConstAst | Kind::Ptr => View::Undef,
            }
        }
    }
    /// [`Value::view`] of what it refers to: never [`View::Ref`].
    #[inline]
    pub fn view_deref(&self) -> View<'_> {
        self.deref().view()
    }

    /// Leaves null (not undefined) behind.
    #[inline(always)]
    pub fn take(&mut self) -> Value {
        std::mem::replace(self, Value::NULL)
    }
    /// Assigns as PHP does: into the reference if the value is one.
    #[inline]
    pub fn assign(&mut self, value: Value) {
        match self.as_ref() {
            Some(reference) => reference.set(value),
            None => *self = value,
        }
    }
    /// Turns the value into a reference (if it is none yet) and returns that: `&$x`.
    #[inline]
    pub fn make_ref(&mut self) -> PRef {
        if let Some(reference) = self.as_ref() {
            return reference.clone();
        }
        let content = if self.is_undef() { Value::NULL } else { self.take() };
        let reference = PRef::new(content);
        *self = Value::from(reference.clone());
        reference
    }

    /// The name of the type as `gettype` gives it; references are followed.
    pub fn type_name(&self) -> &'static str {
        match self.view_deref() {
            View::Undef | View::Null | View::Ref(_) => "NULL",
            View::Bool(_) => "boolean",
            View::Int(_) => "integer",
            View::Float(_) => "double",
            View::Str(_) => "string",
            View::Array(_) => "array",
            View::Object(_) => "object",
            View::Resource(r) if r.is_closed() => "resource (closed)",
            View::Resource(_) => "resource",
        }
    }
}

/// An array taken out of a value to be changed; goes back when dropped.
pub struct ArrayMut<'a> {
    slot: &'a mut Value,
    array: std::mem::ManuallyDrop<PArray>,
}

impl std::ops::Deref for ArrayMut<'_> {
    type Target = PArray;
    #[inline(always)]
    fn deref(&self) -> &PArray {
        &self.array
    }
}
impl std::ops::DerefMut for ArrayMut<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut PArray {
        &mut self.array
    }
}
impl Drop for ArrayMut<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: taken exactly once, here.
        let array = unsafe { std::mem::ManuallyDrop::take(&mut self.array) };
        // The slot holds null, so nothing is released.
        self.slot.0 = array.into_raw();
    }
}

impl Clone for Value {
    #[inline(always)]
    fn clone(&self) -> Value {
        // SAFETY: alive while `self` is.
        Value(unsafe { self.0.copied() })
    }
}

impl Drop for Value {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the handle owns one count.
        unsafe { self.0.release() };
    }
}

impl Default for Value {
    fn default() -> Value {
        Value::NULL
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.view() {
            View::Ref(r) => write!(f, "&{:?}", r.get()),
            view => write!(f, "{view:?}"),
        }
    }
}

impl From<()> for Value {
    #[inline(always)]
    fn from((): ()) -> Value {
        Value::NULL
    }
}
impl From<bool> for Value {
    #[inline(always)]
    fn from(b: bool) -> Value {
        Value::bool(b)
    }
}
macro_rules! from_int {
    ($($t:ty)*) => {$(
        impl From<$t> for Value {
            #[inline(always)]
            fn from(i: $t) -> Value {
                Value::int(i64::from(i))
            }
        }
    )*};
}
from_int!(i8 u8 i16 u16 i32 u32 i64);
impl From<usize> for Value {
    /// Lengths and counts: always within PHP's integers.
    #[inline(always)]
    fn from(n: usize) -> Value {
        Value::int(n as i64)
    }
}
impl From<f64> for Value {
    #[inline(always)]
    fn from(f: f64) -> Value {
        Value::float(f)
    }
}
impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Value {
        Value::bytes(bytes)
    }
}
impl<const N: usize> From<&[u8; N]> for Value {
    fn from(bytes: &[u8; N]) -> Value {
        Value::bytes(bytes)
    }
}
impl From<&str> for Value {
    fn from(s: &str) -> Value {
        Value::bytes(s.as_bytes())
    }
}
impl From<String> for Value {
    fn from(s: String) -> Value {
        Value::bytes(s.as_bytes())
    }
}
impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Value {
        Value::bytes(&bytes)
    }
}
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::NULL, Into::into)
    }
}
