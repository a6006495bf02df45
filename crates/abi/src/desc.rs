//! Descriptors: what an extension declares, made from its stubs by `cargo xtask gen`. All of it is `'static` data; Reflection,
//! named arguments, coercion, the compiler and the JIT read the same descriptor.

use crate::args::Call;
use crate::{ClassPtr, Cx, Res};
pub use jumbo_bytecode::unit::BinaryOp as Operator;
use jumbo_value::{PArray, PObject, PRef, Raw, Value};

/// An adapter: arguments in place, see [`Call`].
pub type BuiltinFn = fn(&mut Cx, &mut Call) -> Res<Value>;

#[derive(Debug)]
pub struct TypeDesc {
    /// Bits of [`jumbo_bytecode::types::mask`].
    pub mask: u32,
    pub classes: &'static [&'static str],
    /// Written `?T`.
    pub nullable_syntax: bool,
}

impl TypeDesc {
    pub const fn simple(mask: u32) -> TypeDesc {
        TypeDesc::of(mask, &[])
    }
    pub const fn of(mask: u32, classes: &'static [&'static str]) -> TypeDesc {
        TypeDesc { mask, classes, nullable_syntax: false }
    }
    /// Written `?T`.
    pub const fn nullable(self) -> TypeDesc {
        TypeDesc { nullable_syntax: true, ..self }
    }
}

#[derive(Debug)]
pub struct ParamDesc {
    pub name: &'static str,
    pub ty: Option<TypeDesc>,
    pub by_ref: bool,
    pub prefer_ref: bool,
    pub variadic: bool,
    /// `#[SensitiveParameter]`: backtraces hide it.
    pub sensitive: bool,
    /// Optional without a known default has `optional` true and this absent.
    pub optional: bool,
    /// Default as source text, for Reflection.
    pub default: Option<&'static str>,
}

impl ParamDesc {
    /// A required parameter by value.
    pub const fn new(name: &'static str, ty: Option<TypeDesc>) -> ParamDesc {
        ParamDesc { name, ty, by_ref: false, prefer_ref: false, variadic: false, sensitive: false, optional: false, default: None }
    }
    pub const fn by_ref(self) -> ParamDesc {
        ParamDesc { by_ref: true, ..self }
    }
    pub const fn prefer_ref(self) -> ParamDesc {
        ParamDesc { prefer_ref: true, ..self }
    }
    pub const fn variadic(self) -> ParamDesc {
        ParamDesc { variadic: true, optional: true, ..self }
    }
    pub const fn sensitive(self) -> ParamDesc {
        ParamDesc { sensitive: true, ..self }
    }
    /// With the text of its default, if it has one.
    pub const fn optional(self, default: Option<&'static str>) -> ParamDesc {
        ParamDesc { optional: true, default, ..self }
    }
}

pub struct FnDesc {
    pub name: &'static str,
    pub params: &'static [ParamDesc],
    pub required: u32,
    pub ret: Option<TypeDesc>,
    /// The return type is tentative (a method that user classes may override without it).
    pub tentative: bool,
    /// [`jumbo_bytecode::unit::func_flags`]: visibility, static, abstract, final, deprecated, returns-ref, variadic.
    pub flags: u32,
    pub effects: u32,
    pub call: BuiltinFn,
    /// Attributes as source text (`Deprecated(since: '8.1')`).
    pub attributes: &'static [&'static str],
}

/// Facts for the compiler.
pub mod effects {
    /// Same result for the same scalar arguments, nothing else happens.
    pub const FOLDABLE: u32 = 1;
    /// Looks at its caller's variables or frame.
    pub const NEEDS_SYMBOLS: u32 = 2;
}

/// The value of a declared constant.
#[derive(Clone, Copy, Debug)]
pub enum ConstValue {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(&'static [u8]),
    EmptyArray,
    /// Depends on the process (PHP_OS, PHP_BINARY, …): computed once at start.
    Computed(fn() -> Value),
    /// A constant expression that the declaration could not fold (name of another constant).
    Alias(&'static str),
}

pub struct ConstDesc {
    pub name: &'static str,
    pub value: ConstValue,
    pub flags: u32,
    pub ty: Option<TypeDesc>,
    pub deprecated: bool,
}

impl ConstDesc {
    /// A global constant.
    pub const fn new(name: &'static str, value: ConstValue) -> ConstDesc {
        ConstDesc { name, value, flags: 0, ty: None, deprecated: false }
    }
    /// A class constant's [`jumbo_bytecode::unit::member_flags`].
    pub const fn flags(self, flags: u32) -> ConstDesc {
        ConstDesc { flags, ..self }
    }
    pub const fn typed(self, ty: Option<TypeDesc>) -> ConstDesc {
        ConstDesc { ty, ..self }
    }
    pub const fn deprecated(self) -> ConstDesc {
        ConstDesc { deprecated: true, ..self }
    }
}

pub struct PropDesc {
    pub name: &'static str,
    pub flags: u32,
    pub ty: Option<TypeDesc>,
    /// None: uninitialised (typed) or null (untyped).
    pub default: Option<ConstValue>,
}

pub struct ClassDesc {
    pub name: &'static str,
    pub parent: Option<&'static str>,
    pub interfaces: &'static [&'static str],
    /// [`jumbo_bytecode::unit::class_flags`].
    pub flags: u32,
    pub constants: &'static [ConstDesc],
    pub properties: &'static [PropDesc],
    pub methods: &'static [FnDesc],
    /// Enum: backing type mask; cases are constants with `member_flags::ENUM_CASE`.
    pub enum_backing: u32,
    pub hooks: &'static ClassHooks,
    pub attributes: &'static [&'static str],
}

/// Why an object's properties are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Debug,
    ArrayCast,
    Serialize,
    VarExport,
    Json,
    /// `get_mangled_object_vars`: what casts add is left out.
    Vars,
}

/// Position of a native iteration (`foreach` over a builtin class that PHP iterates without calling methods).
pub trait NativeIterator: jumbo_value::Native {
    fn rewind(&self, cx: &mut Cx) -> Res<()>;
    fn valid(&self, cx: &mut Cx) -> Res<bool>;
    fn current(&self, cx: &mut Cx) -> Res<Value>;
    fn key(&self, cx: &mut Cx) -> Res<Value>;
    fn next(&self, cx: &mut Cx) -> Res<()>;
    /// Forgets a current element that is kept from an earlier [`current`](Self::current): the next one is asked for anew.
    fn invalidate(&self) {}
}

/// What a builtin class does differently from a plain one. Inherited by subclasses. Every field absent: a plain class.
pub struct ClassHooks {
    /// Attaches the native state to a new object (before its constructor).
    pub create: Option<fn(&mut Cx, &PObject) -> Res<()>>,
    /// `new` from PHP is refused with this message.
    pub not_instantiable: Option<&'static str>,
    /// `clone` is refused ("Trying to clone an uncloneable object of class X").
    pub uncloneable: bool,
    /// After the native state and the slots were copied, before `__clone`.
    pub after_clone: Option<fn(&mut Cx, old: &PObject, new: &PObject) -> Res<()>>,
    /// `==`, `<=>`: Some(-1, 0, 1), or None for uncomparable.
    pub compare: Option<fn(&mut Cx, &PObject, &PObject) -> Res<Option<i32>>>,
    /// As `compare`, with what is neither an object, nor null or a bool (objects are true then); None: uncomparable.
    pub compare_with: Option<fn(&mut Cx, &PObject, &Value) -> Res<Option<i32>>>,
    /// `x op y` where one is an object of the class; None: the class has no such operator, or not for these operands.
    pub operate: Option<fn(&mut Cx, Operator, &Value, &Value) -> Res<Option<Value>>>,
    /// Cast to another kind (mask bit of the wanted kind); None: as a plain object.
    pub cast: Option<fn(&mut Cx, &PObject, wanted: u32) -> Res<Option<Value>>>,
    /// `count()` without calling a method.
    pub count: Option<fn(&mut Cx, &PObject) -> Res<Option<i64>>>,
    /// `$obj[k]` (offset absent: `[]`) when the class is not ArrayAccess through user methods.
    pub dim_read: Option<fn(&mut Cx, &PObject, offset: Option<&Value>) -> Res<Value>>,
    /// The same for `??`, and for what is inside of the element: null where there is none. None: `dim_has` is asked, and then `dim_read`.
    pub dim_read_quiet: Option<fn(&mut Cx, &PObject, &Value) -> Res<Value>>,
    pub dim_write: Option<fn(&mut Cx, &PObject, offset: Option<&Value>, &Value) -> Res<()>>,
    /// `empty` true: empty(), else isset().
    pub dim_has: Option<fn(&mut Cx, &PObject, &Value, empty: bool) -> Res<bool>>,
    /// An `offsetExists` in PHP alone answers `empty()`, too: `offsetGet` is not asked then.
    pub dim_has_alone: bool,
    pub dim_unset: Option<fn(&mut Cx, &PObject, &Value) -> Res<()>>,
    /// The element as a place for writing into it (`$obj[k][] = 1`, `&$obj[k]`): a reference, or an object. `None`: reading is all
    /// there is, and writing into what was read has no effect. `creates`: an element that is not there becomes one (`unset($obj[k][l])` wants none).
    pub dim_place: Option<fn(&mut Cx, &PObject, offset: Option<&Value>, creates: bool) -> Res<Option<Value>>>,
    /// `$obj[k] = &$variable`: the element is that reference from now on. None: the class keeps no references.
    pub dim_bind: Option<fn(&mut Cx, &PObject, offset: &Value, &PRef) -> Res<()>>,
    /// Properties as var_dump, (array), serialize and friends show them; None: the plain ones.
    pub properties: Option<fn(&mut Cx, &PObject, Purpose) -> Res<Option<PArray>>>,
    /// The hooks for properties are asked before the dynamic properties that an object has.
    pub opaque: bool,
    /// Reads a property that has no slot (virtual native properties); None: as a plain object.
    pub prop_read: Option<fn(&mut Cx, &PObject, name: &[u8]) -> Res<Option<Value>>>,
    /// Asked before a dynamic property of that name is written, be it new or not. True: the write was taken.
    pub prop_write: Option<fn(&mut Cx, &PObject, name: &[u8], &Value) -> Res<bool>>,
    /// Does writing a property that has no slot count as creating it, although it can be read? Then `__set` or the diagnostics of a new
    /// dynamic property come before `prop_write`. None: no.
    pub prop_is_new: Option<fn(&PObject, name: &[u8]) -> bool>,
    /// `isset` (`empty` true: `!empty`) of a property that has no slot; None: as a plain object.
    pub prop_has: Option<fn(&mut Cx, &PObject, name: &[u8], empty: bool) -> Res<Option<bool>>>,
    /// `property_exists` for a property that is not declared; None: as a plain object.
    pub prop_exists: Option<fn(&mut Cx, &PObject, name: &[u8]) -> Res<Option<bool>>>,
    /// True: the property was unset.
    pub prop_unset: Option<fn(&mut Cx, &PObject, name: &[u8]) -> Res<bool>>,
    /// Are the properties of this object its own, so that the hooks for properties have nothing to say? None: no.
    pub prop_plain: Option<fn(&PObject) -> bool>,
    /// As `dim_place`, for a property that has no slot.
    pub prop_place: Option<fn(&mut Cx, &PObject, name: &[u8]) -> Res<Option<Value>>>,
    /// As `dim_bind`, for a property that has no slot. True: it is bound.
    pub prop_bind: Option<fn(&mut Cx, &PObject, name: &[u8], &PRef) -> Res<bool>>,
    /// `foreach` over the object; bool: by reference.
    pub iterate: Option<fn(&mut Cx, &PObject, bool) -> Res<Box<dyn NativeIterator>>>,
    /// The object whose methods are called when this one's class does not have a method (iterators that wrap another one).
    pub delegate: Option<fn(&mut Cx, &PObject) -> Res<Option<PObject>>>,
    /// Called when a class implements or extends this one at linking: may refuse with an error message.
    pub on_inherit: Option<fn(&mut Cx, ClassPtr) -> Result<(), String>>,
}

impl ClassHooks {
    pub const NONE: ClassHooks = ClassHooks {
        create: None,
        not_instantiable: None,
        uncloneable: false,
        after_clone: None,
        compare: None,
        compare_with: None,
        operate: None,
        cast: None,
        count: None,
        dim_read: None,
        dim_read_quiet: None,
        dim_write: None,
        dim_has: None,
        dim_has_alone: false,
        dim_unset: None,
        dim_place: None,
        dim_bind: None,
        properties: None,
        opaque: false,
        prop_read: None,
        prop_write: None,
        prop_is_new: None,
        prop_has: None,
        prop_exists: None,
        prop_unset: None,
        prop_plain: None,
        prop_place: None,
        prop_bind: None,
        iterate: None,
        delegate: None,
        on_inherit: None,
    };
}

/// Where an ini setting may be changed.
pub mod ini_access {
    pub const USER: u32 = 1;
    pub const PERDIR: u32 = 2;
    pub const SYSTEM: u32 = 4;
    pub const ALL: u32 = 7;
}

pub struct IniDesc {
    pub name: &'static str,
    pub default: Option<&'static str>,
    pub access: u32,
    /// Checks a new value and takes it over into native state; false refuses it.
    pub on_change: Option<fn(&mut Cx, &[u8]) -> bool>,
}

/// One PHP extension.
/// A shorter way into a builtin, for the arguments that it usually has: no frame is made for it. It answers what the builtin would, or
/// [`Raw::UNDEF`] for the usual way, and then it has done nothing. It raises and throws nothing, runs no PHP code, does not look at its caller, and
/// takes no time that is worth counting.
pub type Leaf = fn(&mut Cx, &[Value]) -> Raw;

pub struct Extension {
    pub name: &'static str,
    pub version: &'static str,
    pub functions: &'static [FnDesc],
    /// Shorter ways into some of the functions, by their names.
    pub leaves: &'static [(&'static str, Leaf)],
    pub classes: &'static [ClassDesc],
    pub constants: &'static [ConstDesc],
    pub ini: &'static [IniDesc],
    /// Runs before each request's script.
    pub request_start: Option<fn(&mut Cx) -> Res<()>>,
    /// Runs after shutdown functions and destructors, before the heap goes.
    pub request_end: Option<fn(&mut Cx) -> Res<()>>,
    /// Stream wrappers by scheme.
    pub wrappers: &'static [crate::stream::WrapperDesc],
    /// Stream filters by name.
    pub filters: &'static [crate::stream::FilterDesc],
    /// Lines of phpinfo's table.
    pub info: Option<fn(&mut Cx) -> Vec<(String, String)>>,
    /// What it offers to another extension, which knows the type (PDO finds its drivers so): see
    /// [`Registry::services`](crate::registry::Registry::services).
    pub services: &'static [&'static (dyn std::any::Any + Send + Sync)],
}

impl Extension {
    pub const EMPTY: Extension = Extension {
        name: "",
        version: "8.4.24",
        functions: &[],
        leaves: &[],
        classes: &[],
        constants: &[],
        ini: &[],
        request_start: None,
        request_end: None,
        wrappers: &[],
        filters: &[],
        info: None,
        services: &[],
    };
}
