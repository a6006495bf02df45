//! Linked classes: immutable once linked; what PHP code can change of a class (static properties, evaluated constants) is in
//! the instance's [`ClassState`](crate::link::ClassState).

use crate::desc::{ClassDesc, ClassHooks};
use crate::function::FnPtr;
use indexmap::IndexMap;
use jumbo_bytecode::types::Type;
use jumbo_bytecode::unit::{Attribute, ClassDecl, ConstExpr, Unit, class_flags, member_flags};
use jumbo_value::{ClassHead, PStr, Raw};
use std::hash::BuildHasherDefault;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;

/// Members by name.
pub type Names<T> = IndexMap<Box<[u8]>, T, BuildHasherDefault<NameHasher>>;

pub use jumbo_bytecode::hash::NameHasher;

/// The number of the next static property's slot.
pub fn next_static_number() -> u32 {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// A linked class. `head` is what `jumbo-value` sees of it and must stand first.
#[repr(C)]
pub struct Class {
    pub head: ClassHead,
    pub name: PStr,
    pub lower: PStr,
    /// Link-table handle of its name.
    pub handle: u32,
    /// [`class_flags`].
    pub flags: u32,
    pub parent: Option<ClassPtr>,
    /// All interfaces, inherited ones included, in PHP's order.
    pub interfaces: Vec<ClassPtr>,
    pub traits: Vec<ClassPtr>,
    pub constants: Names<ClassConst>,
    /// Instance properties by name, inherited ones included (a private one of a parent too: then `accessible` says no).
    pub properties: Names<Property>,
    /// Instance properties by slot: the default of each slot and the property that owns it.
    pub slots: Vec<SlotInfo>,
    /// The defaults of all slots when none needs evaluation: what a new object starts with.
    pub known_defaults: Option<Box<[Raw]>>,
    pub static_properties: Names<StaticProperty>,
    /// Static properties declared here (storage in this class's state); inherited ones point at the parent's.
    pub static_count: u32,
    /// By lower-cased name, inherited ones included.
    pub methods: Names<FnPtr>,
    pub magic: Magic,
    pub iteration: Iteration,
    /// Behaviour of the nearest builtin ancestor.
    pub hooks: &'static ClassHooks,
    /// Enum: backing type mask.
    pub enum_backing: u32,
    pub source: ClassSource,
}

/// Where a class comes from.
pub enum ClassSource {
    Builtin(&'static ClassDesc),
    User { unit: UnitRef, decl: NonNull<ClassDecl> },
}

/// A unit without a count of it: a class is a part of the unit that declares it, and an instance holds the units of all classes that it has
/// ([`Cx::hold_unit`](crate::Cx::hold_unit)).
pub struct UnitRef(ManuallyDrop<Arc<Unit>>);

impl UnitRef {
    /// # Safety
    /// Whoever follows it holds the unit.
    pub unsafe fn new(unit: &Arc<Unit>) -> UnitRef {
        // SAFETY: a second handle on the same count, which is never dropped.
        UnitRef(ManuallyDrop::new(unsafe { std::ptr::read(unit) }))
    }
    pub fn copy(&self) -> UnitRef {
        // SAFETY: as for this one.
        unsafe { UnitRef::new(&self.0) }
    }
}

impl Deref for UnitRef {
    type Target = Arc<Unit>;
    fn deref(&self) -> &Arc<Unit> {
        &self.0
    }
}

/// How `foreach` goes over objects of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Iteration {
    /// Visible properties.
    Properties,
    /// Calls current(), next(), …
    Iterator,
    /// Calls getIterator() first.
    Aggregate,
    /// The class's own `hooks.iterate`.
    Native,
}

/// The magic methods, found at linking.
#[derive(Clone, Copy, Default)]
pub struct Magic {
    pub constructor: Option<FnPtr>,
    pub destructor: Option<FnPtr>,
    pub clone: Option<FnPtr>,
    pub get: Option<FnPtr>,
    pub set: Option<FnPtr>,
    pub isset: Option<FnPtr>,
    pub unset: Option<FnPtr>,
    pub call: Option<FnPtr>,
    pub call_static: Option<FnPtr>,
    pub to_string: Option<FnPtr>,
    pub invoke: Option<FnPtr>,
    pub debug_info: Option<FnPtr>,
    pub serialize: Option<FnPtr>,
    pub unserialize: Option<FnPtr>,
    // ArrayAccess, Countable, Iterator: the methods that opcodes call.
    pub offset_get: Option<FnPtr>,
    pub offset_set: Option<FnPtr>,
    pub offset_exists: Option<FnPtr>,
    pub offset_unset: Option<FnPtr>,
    pub count: Option<FnPtr>,
}

pub struct ClassConst {
    pub name: PStr,
    /// [`member_flags`].
    pub flags: u32,
    pub ty: Option<Type>,
    pub value: ConstSource,
    /// Class that declares it: its scope evaluates the value, its state keeps it.
    pub class: ClassPtr,
    pub attributes: NonNullSlice<Attribute>,
    pub doc_comment: Option<PStr>,
}

/// The attributes of a class's member.
fn attributes_of(list: &NonNullSlice<Attribute>) -> &[Attribute] {
    match list {
        // SAFETY: a part of the class's unit.
        Some(list) => unsafe { list.as_ref() },
        None => &[],
    }
}

impl ClassConst {
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    pub fn attributes(&self) -> &[Attribute] {
        attributes_of(&self.attributes)
    }
}

/// A value that is known, or an expression of a unit.
pub enum ConstSource {
    Known(Raw),
    Expr { unit: UnitRef, expr: NonNull<ConstExpr> },
    /// Pure enum case.
    Case,
}

impl ConstSource {
    /// The value, when it needs no evaluation.
    pub fn known(&self) -> Option<jumbo_value::Value> {
        match self {
            // SAFETY: known values are immortal, so that a handle on them needs no count.
            ConstSource::Known(raw) => Some(unsafe { raw.into_value() }),
            ConstSource::Expr { .. } | ConstSource::Case => None,
        }
    }
}

/// A slice in a unit that the class keeps alive (empty for builtins).
pub type NonNullSlice<T> = Option<NonNull<[T]>>;

pub struct Property {
    pub name: PStr,
    pub flags: u32,
    pub ty: Option<Type>,
    /// Slot in the object; `u32::MAX` for a virtual (hooked) property.
    pub slot: u32,
    pub class: ClassPtr,
    pub get_hook: Option<FnPtr>,
    pub set_hook: Option<FnPtr>,
    /// False: a parent's private property, not visible by this name here.
    pub accessible: bool,
    pub attributes: NonNullSlice<Attribute>,
    pub doc_comment: Option<PStr>,
}

impl Property {
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    pub fn is_virtual(&self) -> bool {
        self.slot == u32::MAX
    }
    pub fn attributes(&self) -> &[Attribute] {
        attributes_of(&self.attributes)
    }
    pub fn has_hooks(&self) -> bool {
        self.get_hook.is_some() || self.set_hook.is_some()
    }
    /// The key under which (array) casts and serialize show it: `\0*\0name`, `\0Class\0name`.
    pub fn mangled(&self) -> PStr {
        mangle(self.flags, self.class, &self.name)
    }
}

/// A property's name with its visibility: `name`, `\0*\0name` (protected), `\0Class\0name` (private).
pub fn mangle(flags: u32, class: ClassPtr, name: &PStr) -> PStr {
    match flags & member_flags::VISIBILITY {
        member_flags::PRIVATE => PStr::concat(&[b"\0", class.name.as_bytes(), b"\0", name.as_bytes()]),
        member_flags::PROTECTED => PStr::concat(&[b"\0*\0", name.as_bytes()]),
        _ => name.clone(),
    }
}

/// The parts of a mangled name: the plain name, and the class of a private property (`*` for a protected one).
pub fn unmangle(name: &[u8]) -> (&[u8], Option<&[u8]>) {
    let Some(rest) = name.strip_prefix(b"\0") else { return (name, None) };
    let mut ends = rest.iter().enumerate().filter(|(_, b)| **b == 0).map(|(at, _)| at);
    match (ends.next(), ends.next()) {
        // What makes the name of an anonymous class unique stands behind a NUL of its own.
        (Some(end), Some(unique)) => (&rest[unique + 1..], Some(&rest[..end])),
        (Some(end), None) => (&rest[end + 1..], Some(&rest[..end])),
        (None, _) => (name, None),
    }
}

pub struct SlotInfo {
    pub default: ConstSource,
    /// Name, flags and type of the property that lives there (privates of parents included).
    pub name: PStr,
    pub flags: u32,
    pub ty: Option<Type>,
    pub class: ClassPtr,
}

pub struct StaticProperty {
    pub name: PStr,
    pub flags: u32,
    pub ty: Option<Type>,
    pub class: ClassPtr,
    /// Index in the state of `class`.
    pub index: u32,
    /// Number of the slot in the process, by which instances find their slot without a search ([`ClassStates::slots`](crate::link::ClassStates)).
    pub number: u32,
    pub default: ConstSource,
    pub attributes: NonNullSlice<Attribute>,
    pub doc_comment: Option<PStr>,
}

impl StaticProperty {
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    pub fn attributes(&self) -> &[Attribute] {
        attributes_of(&self.attributes)
    }
}

// SAFETY: immutable after linking; everything inside is immortal or owned by units that are Send + Sync.
unsafe impl Send for Class {}
// SAFETY: as above.
unsafe impl Sync for Class {}

impl Class {
    #[inline(always)]
    pub fn id(&self) -> u32 {
        self.head.id
    }
    #[inline]
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// Is there no `offsetGet`, or one that is not written in PHP, so that the hooks for offsets may answer in its place?
    pub fn reads_offsets_natively(&self) -> bool {
        self.magic.offset_get.is_none_or(|f| f.desc().is_some())
    }
    pub fn is_interface(&self) -> bool {
        self.is(class_flags::INTERFACE)
    }
    pub fn is_enum(&self) -> bool {
        self.is(class_flags::ENUM)
    }
    /// `instanceof`: is it `other`, or does it extend or implement it?
    pub fn is_a(&self, other: ClassPtr) -> bool {
        if std::ptr::eq(self, other.as_ptr()) {
            return true;
        }
        if other.is_interface() {
            return self.interfaces.contains(&other);
        }
        let mut class = self.parent;
        while let Some(c) = class {
            if c == other {
                return true;
            }
            class = c.parent;
        }
        false
    }
    pub fn method(&self, lower: &[u8]) -> Option<FnPtr> {
        self.methods.get(lower).copied()
    }
    /// `class`, `interface`, `trait`, `enum`, as messages say it.
    pub fn kind_word(&self) -> &'static str {
        if self.is(class_flags::INTERFACE) {
            "interface"
        } else if self.is(class_flags::TRAIT) {
            "trait"
        } else if self.is(class_flags::ENUM) {
            "enum"
        } else {
            "class"
        }
    }
    /// File and line of the declaration of a user class.
    pub fn place(&self) -> Option<(PStr, u32)> {
        match &self.source {
            ClassSource::User { unit, .. } => Some((unit.file.clone(), self.decl()?.line_start)),
            ClassSource::Builtin(_) => None,
        }
    }
    /// The unit that declares a user class.
    pub fn unit(&self) -> Option<&Arc<Unit>> {
        match &self.source {
            ClassSource::User { unit, .. } => Some(unit),
            ClassSource::Builtin(_) => None,
        }
    }
    /// The descriptor of a builtin class.
    pub fn desc(&self) -> Option<&'static ClassDesc> {
        match &self.source {
            ClassSource::Builtin(desc) => Some(desc),
            ClassSource::User { .. } => None,
        }
    }
    pub fn decl(&self) -> Option<&ClassDecl> {
        match &self.source {
            // SAFETY: the declaration is a part of the class's unit.
            ClassSource::User { decl, .. } => Some(unsafe { decl.as_ref() }),
            ClassSource::Builtin(_) => None,
        }
    }
}

/// A linked class that lives as long as the instance that uses it. Two pointers are equal when they are the same class.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct ClassPtr(NonNull<Class>);

impl ClassPtr {
    /// # Safety
    /// `ptr` must point at a class that outlives the instance.
    #[inline(always)]
    pub unsafe fn from_ptr(ptr: *const Class) -> ClassPtr {
        // SAFETY: promised by the caller.
        ClassPtr(unsafe { NonNull::new_unchecked(ptr.cast_mut()) })
    }
    pub fn leak(class: Class) -> ClassPtr {
        ClassPtr(NonNull::from(Box::leak(Box::new(class))))
    }
    #[inline(always)]
    pub fn as_ptr(self) -> *const Class {
        self.0.as_ptr()
    }
    /// The class of an object.
    #[inline(always)]
    pub fn of(object: &jumbo_value::PObject) -> ClassPtr {
        // SAFETY: objects are only made with heads that are the first field of a linked class.
        unsafe { ClassPtr::from_ptr(object.class().cast()) }
    }
}

impl ClassPtr {
    /// The class for as long as the instance lives: for references into it that outlast this handle.
    #[inline(always)]
    pub fn get<'a>(self) -> &'a Class {
        // SAFETY: the contract of `ClassPtr::from_ptr`; nothing outlives the instance but what its own memory holds.
        unsafe { &*self.as_ptr() }
    }
}

impl Deref for ClassPtr {
    type Target = Class;
    #[inline(always)]
    fn deref(&self) -> &Class {
        // SAFETY: the contract of `ClassPtr::from_ptr`.
        unsafe { self.0.as_ref() }
    }
}

// SAFETY: the class itself is Sync.
unsafe impl Send for ClassPtr {}
// SAFETY: as above.
unsafe impl Sync for ClassPtr {}

impl std::fmt::Debug for ClassPtr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", String::from_utf8_lossy(self.name.as_bytes()))
    }
}
