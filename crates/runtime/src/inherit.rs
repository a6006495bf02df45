//! Parts of linking that builtin and user classes share: ids, memory, copies of inherited members, magic methods, interface order.

use jumbo_abi::class::{ClassConst, ConstSource, Iteration, Magic, Property, SlotInfo, StaticProperty};
use jumbo_abi::{Class, ClassPtr, Type, mask, member_flags};
use jumbo_bytecode::names::CLASSES;
use jumbo_bytecode::types::ClassName;
use jumbo_value::{ClassHead, PStr, Raw, tag};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A typed property that never had a value: UNDEF with a mark that tells it from an unset one.
pub const UNINITIALIZED_SLOT: Raw = Raw { tag: tag::UNDEF, bits: 1 };

/// Ids start at 1: 0 is the empty inline cache.
pub fn next_class_id() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

static NEXT_FUNCTION_ID: AtomicU64 = AtomicU64::new(1);

/// Numbers of functions, under which instances keep their static variables. Every request takes new ones: 32 bits would come round within
/// hours, and a function would find another one's variables.
pub fn next_function_id() -> u64 {
    NEXT_FUNCTION_ID.fetch_add(1, Ordering::Relaxed)
}

/// Leaves out numbers, for tests of what happens after a long time.
pub fn skip_function_ids(count: u64) {
    NEXT_FUNCTION_ID.fetch_add(count, Ordering::Relaxed);
}

/// A class name in a type.
pub fn class_type(name: &[u8]) -> ClassName {
    let lower = name.to_ascii_lowercase();
    ClassName { name: PStr::immortal(name), handle: CLASSES.handle(&lower), lower: PStr::immortal(&lower) }
}

/// The handle's name of a constant: its namespace lower-cased, itself as it is.
pub fn constant_key(name: &[u8]) -> Vec<u8> {
    match name.iter().rposition(|&b| b == b'\\') {
        Some(at) => {
            let mut key = name[..at].to_ascii_lowercase();
            key.extend_from_slice(&name[at..]);
            key
        }
        None => name.to_vec(),
    }
}

pub fn copy_source(source: &ConstSource) -> ConstSource {
    match source {
        ConstSource::Known(raw) => ConstSource::Known(*raw),
        ConstSource::Expr { unit, expr } => ConstSource::Expr { unit: unit.copy(), expr: *expr },
        ConstSource::Case => ConstSource::Case,
    }
}

pub fn copy_const(c: &ClassConst) -> ClassConst {
    ClassConst {
        name: c.name.clone(),
        flags: c.flags,
        ty: c.ty.clone(),
        value: copy_source(&c.value),
        class: c.class,
        attributes: c.attributes,
        doc_comment: c.doc_comment.clone(),
    }
}

pub fn copy_slot(s: &SlotInfo) -> SlotInfo {
    SlotInfo { default: copy_source(&s.default), name: s.name.clone(), flags: s.flags, ty: s.ty.clone(), class: s.class }
}

pub fn copy_static(p: &StaticProperty) -> StaticProperty {
    StaticProperty {
        name: p.name.clone(),
        flags: p.flags,
        ty: p.ty.clone(),
        class: p.class,
        index: p.index,
        number: p.number,
        default: copy_source(&p.default),
        attributes: p.attributes,
        doc_comment: p.doc_comment.clone(),
    }
}

pub fn copy_property(p: &Property) -> Property {
    Property {
        name: p.name.clone(),
        flags: p.flags,
        ty: p.ty.clone(),
        slot: p.slot,
        class: p.class,
        get_hook: p.get_hook,
        set_hook: p.set_hook,
        accessible: p.accessible,
        attributes: p.attributes,
        doc_comment: p.doc_comment.clone(),
    }
}

/// A parent's property as a subclass has it: a private one is there, but not by its name.
pub fn inherited_property(p: &Property) -> Property {
    let mut p = copy_property(p);
    p.accessible &= p.flags & member_flags::PRIVATE == 0;
    p
}

/// Appends interfaces, each once: PHP's order has those that the class names before the ones that these extend, of each from its end.
pub fn add_interfaces(list: &mut Vec<ClassPtr>, direct: &[ClassPtr]) {
    let extended = direct.iter().flat_map(|i| i.get().interfaces.iter().rev());
    for &i in direct.iter().chain(extended) {
        if !list.contains(&i) {
            list.push(i);
        }
    }
}

/// As [`add_interfaces`] for one interface of a builtin class: what an interface or parent has is taken over from its end.
pub fn add_builtin_interface(list: &mut Vec<ClassPtr>, interface: ClassPtr) {
    if !list.contains(&interface) {
        list.push(interface);
    }
    add_reversed(list, &interface.interfaces);
}

/// The interfaces of a builtin parent or interface.
pub fn add_reversed(list: &mut Vec<ClassPtr>, inherited: &[ClassPtr]) {
    for &i in inherited.iter().rev() {
        if !list.contains(&i) {
            list.push(i);
        }
    }
}

/// `name`, and `value` of a backed enum.
pub fn enum_properties(class: &mut Class, me: ClassPtr, backing: u32) {
    let mut add = |name: &[u8], ty: u32| {
        let ty = Some(Type::of_mask(ty));
        let name = PStr::immortal(name);
        let flags = member_flags::PUBLIC | member_flags::READONLY | member_flags::PROTECTED_SET;
        let slot = class.slots.len() as u32;
        class.slots.push(SlotInfo {
            default: ConstSource::Known(UNINITIALIZED_SLOT),
            name: name.clone(),
            flags,
            ty: ty.clone(),
            class: me,
        });
        let property = Property {
            name: name.clone(),
            flags,
            ty,
            slot,
            class: me,
            get_hook: None,
            set_hook: None,
            accessible: true,
            attributes: None,
            doc_comment: None,
        };
        class.properties.insert(name.as_bytes().into(), property);
    };
    add(b"name", mask::STRING);
    if backing != 0 {
        add(b"value", backing);
    }
}

fn implements(class: &Class, lower: &[u8]) -> bool {
    class.lower.as_bytes() == lower || class.interfaces.iter().any(|i| i.lower.as_bytes() == lower)
}

/// Fills in what is derived from the method table: magic methods, how `foreach` goes, the destructor's mark.
pub fn find_magic(class: &mut Class) {
    let get = |name: &[u8]| class.methods.get(name).copied();
    let array_access = implements(class, b"arrayaccess");
    let dims = |name: &[u8]| if array_access { get(name) } else { None };
    let magic = Magic {
        constructor: get(b"__construct"),
        destructor: get(b"__destruct"),
        clone: get(b"__clone"),
        get: get(b"__get"),
        set: get(b"__set"),
        isset: get(b"__isset"),
        unset: get(b"__unset"),
        call: get(b"__call"),
        call_static: get(b"__callstatic"),
        to_string: get(b"__tostring"),
        invoke: get(b"__invoke"),
        debug_info: get(b"__debuginfo"),
        serialize: get(b"__serialize"),
        unserialize: get(b"__unserialize"),
        offset_get: dims(b"offsetget"),
        offset_set: dims(b"offsetset"),
        offset_exists: dims(b"offsetexists"),
        offset_unset: dims(b"offsetunset"),
        count: if implements(class, b"countable") { get(b"count") } else { None },
    };
    let user = |names: &[&[u8]]| names.iter().any(|n| get(n).is_some_and(|m| m.desc().is_none()));
    let iterator = implements(class, b"iterator");
    let aggregate = implements(class, b"iteratoraggregate");
    let iteration = if class.hooks.iterate.is_some()
        && !(iterator && user(&[b"current", b"key", b"next", b"rewind", b"valid"]))
        && !(aggregate && user(&[b"getiterator"]))
    {
        Iteration::Native
    } else if iterator {
        Iteration::Iterator
    } else if aggregate {
        Iteration::Aggregate
    } else {
        Iteration::Properties
    };
    class.magic = magic;
    class.iteration = iteration;
    if class.magic.destructor.is_some() {
        class.head.flags |= ClassHead::HAS_DESTRUCTOR;
    }
}

/// Collects the defaults of the slots when all of them are known.
pub fn find_known_defaults(class: &mut Class) {
    let known = |s: &SlotInfo| match s.default {
        ConstSource::Known(raw) => Some(raw),
        _ => None,
    };
    // What a class computes is computed, and may fail, when its first object is made: constants and static properties included.
    let computed = |source: &ConstSource| matches!(source, ConstSource::Expr { .. });
    if class.constants.values().any(|c| computed(&c.value)) || class.static_properties.values().any(|p| computed(&p.default)) {
        class.known_defaults = None;
        return;
    }
    class.known_defaults = class.slots.iter().map(known).collect();
}
