//! The builtin classes that only the interpreter can implement: Closure, Generator, Fiber, WeakReference, WeakMap, InternalIterator.
//!
//! Their descriptors are written by hand, in the form that `cargo xtask gen` makes for extensions.

mod closure;
mod fiber;
mod generator;
pub mod internal_iterator;
mod weak;

use jumbo_abi::desc::BuiltinFn;
use jumbo_abi::{ClassDesc, ClassHooks, Extension, FnDesc, ParamDesc, TypeDesc, class_flags, func_flags, mask};

static CLASSES: [ClassDesc; 8] = [
    closure::CLOSURE,
    generator::GENERATOR,
    generator::CLOSED_GENERATOR_EXCEPTION,
    fiber::FIBER,
    fiber::FIBER_ERROR,
    weak::WEAK_REFERENCE,
    weak::WEAK_MAP,
    internal_iterator::INTERNAL_ITERATOR,
];

/// The interpreter's part of the extension Core.
pub static INTERP_CORE: Extension =
    Extension { name: "Core", classes: &CLASSES, request_end: Some(crate::weak::request_end), ..Extension::EMPTY };

/// A type that the mask alone decides.
const fn of(mask: u32) -> Option<TypeDesc> {
    Some(TypeDesc { mask, classes: &[], nullable_syntax: false })
}
/// `?T` of a builtin kind.
const fn nullable(mask: u32) -> Option<TypeDesc> {
    Some(TypeDesc { mask: mask | mask::NULL, classes: &[], nullable_syntax: true })
}
const fn class(classes: &'static [&'static str]) -> Option<TypeDesc> {
    Some(TypeDesc { mask: 0, classes, nullable_syntax: false })
}
const fn nullable_class(classes: &'static [&'static str]) -> Option<TypeDesc> {
    Some(TypeDesc { mask: mask::NULL, classes, nullable_syntax: true })
}

const fn param(name: &'static str, ty: Option<TypeDesc>) -> ParamDesc {
    ParamDesc::new(name, ty)
}
const fn optional(name: &'static str, ty: Option<TypeDesc>, default: &'static str) -> ParamDesc {
    ParamDesc::new(name, ty).optional(Some(default))
}
const fn variadic(name: &'static str, ty: Option<TypeDesc>) -> ParamDesc {
    ParamDesc::new(name, ty).variadic()
}

const fn function(
    name: &'static str,
    flags: u32,
    params: &'static [ParamDesc],
    required: u32,
    ret: Option<TypeDesc>,
    call: BuiltinFn,
) -> FnDesc {
    FnDesc { name, params, required, ret, tentative: false, flags, effects: 0, call, attributes: &[] }
}
/// A public method.
const fn method(name: &'static str, params: &'static [ParamDesc], required: u32, ret: Option<TypeDesc>, call: BuiltinFn) -> FnDesc {
    function(name, func_flags::PUBLIC, params, required, ret, call)
}
/// A public static method.
const fn static_method(
    name: &'static str,
    params: &'static [ParamDesc],
    required: u32,
    ret: Option<TypeDesc>,
    call: BuiltinFn,
) -> FnDesc {
    function(name, func_flags::PUBLIC | func_flags::STATIC, params, required, ret, call)
}

/// Final, without dynamic properties, not serialisable.
const SEALED: u32 = class_flags::FINAL | class_flags::NO_DYNAMIC | class_flags::NOT_SERIALIZABLE;

const fn sealed(
    name: &'static str,
    interfaces: &'static [&'static str],
    methods: &'static [FnDesc],
    hooks: &'static ClassHooks,
) -> ClassDesc {
    ClassDesc {
        name,
        parent: None,
        interfaces,
        flags: SEALED,
        constants: &[],
        properties: &[],
        methods,
        enum_backing: 0,
        hooks,
        attributes: &[],
    }
}
