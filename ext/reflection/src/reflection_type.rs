//! `ReflectionType`, and which of its subclasses a type is.

use crate::state::{self, Reflected};
use jumbo_abi::{Cx, PArray, PObject, PStr, Res, Type, Value, mask};
use jumbo_bytecode::types::{ClassName, ClassPart};
use std::rc::Rc;

/// What a type is, apart from being nullable.
enum Form {
    Named,
    Union,
    Intersection,
}

/// The builtin kinds of a mask without null, in the order in which PHP writes them.
const KINDS: [(u32, &str); 13] = [
    (mask::STATIC, "static"),
    (mask::CALLABLE, "callable"),
    (mask::OBJECT, "object"),
    (mask::ARRAY, "array"),
    (mask::STRING, "string"),
    (mask::INT, "int"),
    (mask::FLOAT, "float"),
    (mask::BOOL, "bool"),
    (mask::FALSE, "false"),
    (mask::TRUE, "true"),
    (mask::RESOURCE, "resource"),
    (mask::VOID, "void"),
    (mask::NEVER, "never"),
];

/// The kinds that a mask has, each with its bits; `bool` is one.
fn kinds(all: u32) -> Vec<(u32, &'static str)> {
    let mut left = all;
    let mut found = Vec::new();
    for (bits, name) in KINDS {
        if left & bits == bits {
            found.push((bits, name));
            left &= !bits;
        }
    }
    found
}

/// `iterable` and nothing else but null.
fn is_iterable(ty: &Type) -> bool {
    ty.classes.is_empty() && ty.intersections.is_empty() && ty.mask & !mask::NULL == mask::ITERABLE | mask::ARRAY
}

fn is_mixed(ty: &Type) -> bool {
    ty.mask & mask::MIXED == mask::MIXED
}

fn form(ty: &Type) -> Form {
    if ty.intersections.len() == 1 && ty.classes.is_empty() && ty.mask == 0 {
        return Form::Intersection;
    }
    if is_mixed(ty) || is_iterable(ty) {
        return Form::Named;
    }
    let iterable = (ty.mask & mask::ITERABLE != 0) as usize;
    let parts = ty.classes.len() + kinds(ty.mask & !mask::NULL & !mask::ITERABLE).len() + iterable;
    if parts > 1 || !ty.intersections.is_empty() { Form::Union } else { Form::Named }
}

/// The object for a type.
pub fn make(cx: &mut Cx, ty: &Type) -> Res<PObject> {
    let class: &[u8] = match form(ty) {
        Form::Named => b"reflectionnamedtype",
        Form::Union => b"reflectionuniontype",
        Form::Intersection => b"reflectionintersectiontype",
    };
    state::make(cx, class, Reflected::Type(Rc::new(ty.clone())))
}

pub fn make_optional(cx: &mut Cx, ty: Option<&Type>) -> Res<Option<PObject>> {
    ty.map(|ty| make(cx, ty)).transpose()
}

fn of_class(class: &ClassName) -> Type {
    Type { classes: vec![class.clone()], ..Type::default() }
}

/// The alternatives of a union, each as a type.
pub fn alternatives(ty: &Type) -> Vec<Type> {
    let mut types: Vec<Type> = ty
        .class_parts()
        .map(|part| match part {
            ClassPart::Class(class) => of_class(class),
            ClassPart::Intersection(group) => Type { intersections: vec![group.to_vec()], ..Type::default() },
        })
        .collect();
    let mut bits = ty.mask & !mask::NULL;
    if bits & mask::ITERABLE != 0 {
        bits &= !mask::ITERABLE;
        types.push(of_class(&traversable()));
    }
    types.extend(kinds(bits).into_iter().map(|(bits, _)| Type::of_mask(bits)));
    if ty.allows_null() {
        types.push(Type::of_mask(mask::NULL));
    }
    types
}

fn traversable() -> ClassName {
    ClassName {
        name: PStr::immortal(b"Traversable"),
        lower: PStr::immortal(b"traversable"),
        handle: jumbo_bytecode::names::CLASSES.handle(b"traversable"),
    }
}

/// The members of an intersection, each as a type.
pub fn members(ty: &Type) -> Vec<Type> {
    ty.intersections.first().map(|group| group.iter().map(of_class).collect()).unwrap_or_default()
}

/// A named type without its question mark.
pub fn plain_name(ty: &Type) -> Vec<u8> {
    if is_iterable(ty) {
        return b"iterable".to_vec();
    }
    if is_mixed(ty) || (ty.mask == mask::NULL && ty.classes.is_empty()) {
        return ty.display();
    }
    Type { mask: ty.mask & !mask::NULL, ..ty.clone() }.display()
}

/// Only builtin kinds: no class.
pub fn is_builtin(ty: &Type) -> bool {
    // `static` stands for a class.
    ty.classes.is_empty() && ty.intersections.is_empty() && ty.mask & mask::STATIC == 0
}

pub fn list(cx: &mut Cx, types: Vec<Type>) -> Res<PArray> {
    let mut array = PArray::new();
    for ty in types {
        array.append(make(cx, &ty)?);
    }
    Ok(array)
}

pub fn allows_null(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::ty(cx, this)?.allows_null())
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let ty = state::ty(cx, this)?;
    if is_iterable(&ty) {
        return Ok(Value::from(if ty.allows_null() { "?iterable" } else { "iterable" }));
    }
    Ok(Value::from(ty.display()))
}
