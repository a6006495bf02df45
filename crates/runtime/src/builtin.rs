//! Builtins: turns the descriptors of extensions into the process's [`Registry`], and binds them in the link tables of an instance.
//!
//! Everything made here is immortal: functions and classes are leaked once per process.

use crate::linked::Reserved;
use crate::inherit::{self, class_type, next_class_id, next_function_id};
use indexmap::IndexMap;
use jumbo_abi::class::{ClassConst, ClassSource, ConstSource, Names, Property, SlotInfo, StaticProperty};
use jumbo_abi::function::{Body, Entry};
use jumbo_abi::ini::IniTable;
use jumbo_abi::link::LinkTable;
use jumbo_abi::registry::{self, Constant, Registry};
use jumbo_abi::{
    Class, ClassDesc, ClassHooks, ClassPtr, ConstDesc, ConstValue, Cx, Engine, Extension, FnDesc, FnPtr, Function, Type, TypeDesc,
    class_flags, func_flags, member_flags,
};
use jumbo_bytecode::names::{CLASSES, CONSTANTS, FUNCTIONS};
use jumbo_value::hash::BuildBytesHasher;
use jumbo_value::{ClassHead, PStr, Raw, Value, View};
use std::collections::HashMap;
use std::ptr;
use std::sync::OnceLock;

/// The form that checks use.
pub fn type_of(desc: &TypeDesc) -> Type {
    Type {
        mask: desc.mask,
        classes: desc.classes.iter().map(|c| class_type(c.as_bytes())).collect(),
        nullable_syntax: desc.nullable_syntax,
        ..Type::default()
    }
}

/// A builtin function or method as calls see it.
pub fn function_of(desc: &'static FnDesc, scope: Option<ClassPtr>) -> Function {
    let mut by_ref = 0u64;
    let mut variadic = desc.flags & func_flags::VARIADIC != 0;
    let mut typed = false;
    for (n, p) in desc.params.iter().enumerate() {
        if (p.by_ref || p.prefer_ref) && n < 64 {
            by_ref |= if p.variadic { !0u64 << n } else { 1 << n };
        }
        variadic |= p.variadic;
        typed |= p.ty.is_some();
    }
    let mut flags = desc.flags | func_flags::BUILTIN;
    if scope.is_some() && flags & (func_flags::PUBLIC | func_flags::PROTECTED | func_flags::PRIVATE) == 0 {
        flags |= func_flags::PUBLIC;
    }
    if variadic {
        flags |= func_flags::VARIADIC;
    }
    if by_ref != 0 {
        flags |= func_flags::BY_REF_PARAMS;
    }
    if typed {
        flags |= func_flags::TYPED_PARAMS;
    }
    if scope.is_some() && desc.name.eq_ignore_ascii_case("__construct") {
        flags |= func_flags::CONSTRUCTOR;
    }
    let declared = desc.params.iter().filter(|p| !p.variadic).count() as u32;
    Function {
        code: ptr::null(),
        literals: ptr::null(),
        flags,
        registers: 0,
        first_temp: jumbo_bytecode::FRAME_HEADER,
        params: declared,
        required: desc.required,
        by_ref,
        entry: Entry::NATIVE,
        scope,
        body: Body::Builtin(desc),
        name: PStr::immortal(desc.name.as_bytes()),
        id: next_function_id(),
        prototype: None,
        param_types: desc.params.iter().map(|p| p.ty.as_ref().map(type_of)).collect(),
        return_type: desc.ret.as_ref().map(type_of),
    }
}

/// Builds the registry of the process.
///
/// # Panics
/// When a class names a parent or interface that no extension declares: a mistake in the stubs.
pub fn build_registry(
    extensions: &[&'static Extension],
    engine: &'static dyn Engine,
    units: &'static dyn jumbo_abi::units::UnitProvider,
) -> Registry {
    let mut registry = Registry {
        extensions: extensions.to_vec(),
        functions: Vec::new(),
        leaves: Vec::new(),
        function_names: IndexMap::default(),
        classes: IndexMap::default(),
        plain_class: None,
        constants: IndexMap::default(),
        ini: IniTable::default(),
        engine,
        units,
    };
    for ext in extensions {
        for desc in ext.functions {
            let lower = desc.name.to_ascii_lowercase();
            let number = registry.functions.len() as u32;
            registry.functions.push(FnPtr::leak(function_of(desc, None)));
            registry.leaves.push(ext.leaves.iter().find(|(name, _)| *name == desc.name).map(|(_, leaf)| *leaf));
            registry.function_names.insert(lower.as_bytes().into(), number);
        }
        for desc in ext.ini {
            registry.ini.declare(desc, ext.name);
        }
    }
    constants(&mut registry, extensions);
    let descs: HashMap<Vec<u8>, &'static ClassDesc, BuildBytesHasher> =
        extensions.iter().flat_map(|e| e.classes).map(|c| (c.name.to_ascii_lowercase().into_bytes(), c)).collect();
    for ext in extensions {
        for desc in ext.classes {
            class(&mut registry, &descs, desc);
        }
    }
    registry.plain_class = registry.classes.get(b"stdclass".as_slice()).copied();
    registry
}

/// Makes a value immortal: scalars, strings and empty arrays only.
fn immortal(value: &Value) -> Raw {
    match value.view() {
        View::Str(s) => PStr::immortal(s.as_bytes()).into_raw(),
        View::Array(a) => {
            let entries = a.iter().map(|(k, v)| {
                let key = match k.to_key() {
                    jumbo_value::Key::Str(s) => jumbo_value::Key::Str(PStr::immortal(s.as_bytes())),
                    int => int,
                };
                // SAFETY: an immortal value needs no count.
                (key, unsafe { immortal(v).into_value() })
            });
            jumbo_value::PArray::immortal(entries.collect()).into_raw()
        }
        View::Object(_) | View::Resource(_) | View::Ref(_) => Raw::NULL,
        _ => value.raw(),
    }
}

/// The value of a constant, without aliases.
fn const_value(value: &ConstValue) -> Option<Raw> {
    Some(match value {
        ConstValue::Null => Raw::NULL,
        ConstValue::Bool(b) => Raw::bool(*b),
        ConstValue::Int(i) => Raw::int(*i),
        ConstValue::Float(f) => Raw::float(*f),
        ConstValue::Str(s) => PStr::immortal(s).into_raw(),
        ConstValue::EmptyArray => Value::empty_array().into_raw(),
        ConstValue::Computed(compute) => immortal(&compute()),
        ConstValue::Alias(_) => return None,
    })
}

fn constants(registry: &mut Registry, extensions: &[&'static Extension]) {
    let mut aliases: Vec<(&'static ConstDesc, &'static str, &'static str)> = Vec::new();
    for ext in extensions {
        for desc in ext.constants {
            match (const_value(&desc.value), &desc.value) {
                (Some(value), _) => {
                    let constant = Constant { value, desc, extension: ext.name };
                    registry.constants.insert(desc.name.as_bytes().into(), constant);
                }
                (None, ConstValue::Alias(target)) => aliases.push((desc, target, ext.name)),
                (None, _) => {}
            }
        }
    }
    // An alias may name another alias: as many rounds as there are aliases at most.
    for _ in 0..aliases.len() + 1 {
        aliases.retain(|&(desc, target, extension)| match registry.constants.get(target.trim_start_matches('\\').as_bytes()) {
            Some(found) => {
                let constant = Constant { value: found.value, desc, extension };
                registry.constants.insert(desc.name.as_bytes().into(), constant);
                false
            }
            None => true,
        });
    }
    for (desc, target, _) in aliases {
        panic!("constant {} is declared as {target}, which no extension declares", desc.name);
    }
}

/// Own hooks before the parent's, field by field.
fn merge_hooks(own: &'static ClassHooks, parent: &'static ClassHooks) -> &'static ClassHooks {
    Box::leak(Box::new(ClassHooks {
        create: own.create.or(parent.create),
        not_instantiable: own.not_instantiable.or(parent.not_instantiable),
        uncloneable: own.uncloneable || parent.uncloneable,
        after_clone: own.after_clone.or(parent.after_clone),
        compare: own.compare.or(parent.compare),
        compare_with: own.compare_with.or(parent.compare_with),
        operate: own.operate.or(parent.operate),
        cast: own.cast.or(parent.cast),
        count: own.count.or(parent.count),
        dim_read: own.dim_read.or(parent.dim_read),
        dim_read_quiet: own.dim_read_quiet.or(parent.dim_read_quiet),
        dim_write: own.dim_write.or(parent.dim_write),
        dim_has: own.dim_has.or(parent.dim_has),
        dim_has_alone: own.dim_has_alone || parent.dim_has_alone,
        dim_unset: own.dim_unset.or(parent.dim_unset),
        dim_place: own.dim_place.or(parent.dim_place),
        dim_bind: own.dim_bind.or(parent.dim_bind),
        properties: own.properties.or(parent.properties),
        opaque: own.opaque || parent.opaque,
        prop_read: own.prop_read.or(parent.prop_read),
        prop_write: own.prop_write.or(parent.prop_write),
        prop_is_new: own.prop_is_new.or(parent.prop_is_new),
        prop_has: own.prop_has.or(parent.prop_has),
        prop_exists: own.prop_exists.or(parent.prop_exists),
        prop_unset: own.prop_unset.or(parent.prop_unset),
        prop_plain: own.prop_plain.or(parent.prop_plain),
        prop_place: own.prop_place.or(parent.prop_place),
        prop_bind: own.prop_bind.or(parent.prop_bind),
        iterate: own.iterate.or(parent.iterate),
        delegate: own.delegate.or(parent.delegate),
        on_inherit: own.on_inherit.or(parent.on_inherit),
    }))
}

fn class(registry: &mut Registry, descs: &HashMap<Vec<u8>, &'static ClassDesc, BuildBytesHasher>, desc: &'static ClassDesc) -> ClassPtr {
    let lower = desc.name.to_ascii_lowercase().into_bytes();
    if let Some(done) = registry.classes.get(lower.as_slice()) {
        return *done;
    }
    let named = |registry: &mut Registry, name: &str| -> ClassPtr {
        let key = name.trim_start_matches('\\').to_ascii_lowercase().into_bytes();
        let Some(found) = descs.get(&key).copied() else {
            panic!("class {} needs class {name}, which no extension declares", desc.name);
        };
        class(registry, descs, found)
    };
    let parent = desc.parent.map(|p| named(registry, p));
    let mut direct: Vec<ClassPtr> = desc.interfaces.iter().map(|i| named(registry, i)).collect();
    if desc.flags & class_flags::ENUM != 0 {
        let marker = named(registry, if desc.enum_backing != 0 { "BackedEnum" } else { "UnitEnum" });
        if !direct.contains(&marker) {
            direct.push(marker);
        }
    }
    let has_text = lower != b"stringable" && desc.methods.iter().any(|m| m.name.eq_ignore_ascii_case("__tostring"));
    let stringable = has_text.then(|| named(registry, "Stringable"));
    let memory = Reserved::new();
    let me = memory.ptr();
    let mut class = Class {
        head: ClassHead { id: next_class_id(), slot_count: 0, flags: 0 },
        name: PStr::immortal(desc.name.as_bytes()),
        lower: PStr::immortal(&lower),
        handle: CLASSES.handle(&lower),
        flags: desc.flags | class_flags::BUILTIN,
        parent,
        interfaces: Vec::new(),
        traits: Vec::new(),
        constants: Names::default(),
        properties: Names::default(),
        slots: Vec::new(),
        known_defaults: None,
        static_properties: Names::default(),
        static_count: 0,
        methods: Names::default(),
        magic: Default::default(),
        iteration: jumbo_abi::class::Iteration::Properties,
        hooks: parent.map_or(desc.hooks, |p| merge_hooks(desc.hooks, p.hooks)),
        enum_backing: desc.enum_backing,
        source: ClassSource::Builtin(desc),
    };
    own_constants(registry, &mut class, me, desc);
    if let Some(parent) = parent {
        for slot in &parent.slots {
            class.slots.push(inherit::copy_slot(slot));
        }
    }
    if desc.flags & class_flags::ENUM != 0 {
        inherit::enum_properties(&mut class, me, desc.enum_backing);
    }
    for p in desc.properties {
        own_property(&mut class, me, p);
    }
    for m in desc.methods {
        let mut function = function_of(m, Some(me));
        function.prototype = prototype_of(m, parent, &direct);
        let function = FnPtr::leak(function);
        if m.flags & func_flags::ABSTRACT != 0 {
            class.flags |= class_flags::HAS_ABSTRACT;
        }
        class.methods.insert(m.name.to_ascii_lowercase().into_bytes().into(), function);
    }
    if let Some(parent) = parent {
        // A builtin class has its parent's constants before its own ones.
        let mut own = std::mem::take(&mut class.constants);
        for (name, c) in parent.constants.iter().filter(|(_, c)| c.flags & member_flags::PRIVATE == 0) {
            let constant = own.shift_remove(name).unwrap_or_else(|| inherit::copy_const(c));
            class.constants.insert(name.clone(), constant);
        }
        class.constants.extend(own);
        for (name, p) in &parent.properties {
            if !class.properties.contains_key(name) {
                class.properties.insert(name.clone(), inherit::inherited_property(p));
            }
        }
        for (name, p) in &parent.static_properties {
            if !class.static_properties.contains_key(name) {
                class.static_properties.insert(name.clone(), inherit::copy_static(p));
            }
        }
        for (name, m) in &parent.methods {
            class.methods.entry(name.clone()).or_insert(*m);
        }
        class.flags |= parent.flags & (class_flags::ALLOW_DYNAMIC | class_flags::NO_DYNAMIC | class_flags::NOT_SERIALIZABLE);
    }
    // A class with a text is Stringable before all else.
    class.interfaces.extend(stringable);
    if let Some(parent) = parent {
        inherit::add_reversed(&mut class.interfaces, &parent.interfaces);
    }
    for i in direct {
        inherit::add_builtin_interface(&mut class.interfaces, i);
    }
    if desc.flags & class_flags::ENUM != 0 {
        crate::enums::add_methods(&mut class, me, FnPtr::leak);
    }
    for i in class.interfaces.clone() {
        for (name, c) in &i.constants {
            if !class.constants.contains_key(name) {
                class.constants.insert(name.clone(), inherit::copy_const(c));
            }
        }
        for (name, m) in &i.methods {
            class.methods.entry(name.clone()).or_insert(*m);
        }
    }
    if class.methods.values().any(|m| m.flags & func_flags::ABSTRACT != 0) {
        class.flags |= class_flags::HAS_ABSTRACT;
    }
    class.head.slot_count = class.slots.len() as u32;
    inherit::find_known_defaults(&mut class);
    inherit::find_magic(&mut class);
    let ptr = memory.fill(class).leak();
    registry.classes.insert(lower.into(), ptr);
    ptr
}

/// The method that a builtin class's method implements or overrides first.
fn prototype_of(method: &FnDesc, parent: Option<ClassPtr>, interfaces: &[ClassPtr]) -> Option<FnPtr> {
    let lower = method.name.to_ascii_lowercase().into_bytes();
    let private_or_constructor = |f: &FnPtr| {
        f.is(func_flags::PRIVATE) || (f.is(func_flags::CONSTRUCTOR) && !f.prototype.unwrap_or(*f).is(func_flags::ABSTRACT))
    };
    let found = parent
        .and_then(|p| p.method(&lower))
        .filter(|f| !private_or_constructor(f))
        .or_else(|| interfaces.iter().find_map(|i| i.method(&lower)))?;
    Some(found.prototype.unwrap_or(found))
}

fn own_constants(registry: &Registry, class: &mut Class, me: ClassPtr, desc: &'static ClassDesc) {
    for c in desc.constants {
        let case = c.flags & member_flags::ENUM_CASE != 0;
        let value = match (&c.value, const_value(&c.value)) {
            (_, Some(_)) if case && desc.enum_backing == 0 => ConstSource::Case,
            (_, Some(raw)) => ConstSource::Known(raw),
            (ConstValue::Alias(target), None) => match alias(registry, class, target) {
                Some(raw) => ConstSource::Known(raw),
                None => panic!("constant {}::{} is declared as {target}, which is not declared before it", desc.name, c.name),
            },
            (_, None) => ConstSource::Known(Raw::NULL),
        };
        let mut flags = c.flags;
        if flags & member_flags::VISIBILITY == 0 {
            flags |= member_flags::PUBLIC;
        }
        if c.deprecated {
            flags |= member_flags::DEPRECATED;
        }
        let constant = ClassConst {
            name: PStr::immortal(c.name.as_bytes()),
            flags,
            ty: c.ty.as_ref().map(type_of),
            value,
            class: me,
            attributes: None,
            doc_comment: None,
        };
        class.constants.insert(c.name.as_bytes().into(), constant);
    }
}

/// `NAME`, `self::NAME` or `Class::NAME`.
fn alias(registry: &Registry, class: &Class, target: &str) -> Option<Raw> {
    let target = target.trim_start_matches('\\');
    let Some((of, name)) = target.split_once("::") else {
        return registry.constants.get(target.as_bytes()).map(|c| c.value);
    };
    let own = of == "self" || of.eq_ignore_ascii_case(&class.name.to_string_lossy());
    let found = if own {
        class.constants.get(name.as_bytes())
    } else {
        registry.classes.get(of.to_ascii_lowercase().as_bytes())?.constants.get(name.as_bytes())
    };
    match found?.value {
        ConstSource::Known(raw) => Some(raw),
        _ => None,
    }
}

fn own_property(class: &mut Class, me: ClassPtr, p: &'static jumbo_abi::desc::PropDesc) {
    let name = PStr::immortal(p.name.as_bytes());
    let ty = p.ty.as_ref().map(type_of);
    let mut flags = p.flags;
    if flags & member_flags::VISIBILITY == 0 {
        flags |= member_flags::PUBLIC;
    }
    let default = match &p.default {
        Some(value) => const_value(value).unwrap_or(Raw::NULL),
        None if ty.is_some() => inherit::UNINITIALIZED_SLOT,
        None => Raw::NULL,
    };
    let key: Box<[u8]> = p.name.as_bytes().into();
    if flags & member_flags::STATIC != 0 {
        let index = class.static_count;
        class.static_count += 1;
        let property = StaticProperty {
            name,
            flags,
            ty,
            class: me,
            index,            number: jumbo_abi::class::next_static_number(),
            default: ConstSource::Known(default),
            attributes: None,
            doc_comment: None,
        };
        class.static_properties.insert(key, property);
        return;
    }
    if flags & member_flags::VIRTUAL != 0 {
        let property = Property {
            name, flags, ty, slot: u32::MAX, class: me, get_hook: None, set_hook: None, accessible: true, attributes: None, doc_comment: None,
        };
        class.properties.insert(key, property);
        return;
    }
    // A redeclared property keeps the parent's slot.
    let parent = class.parent;
    let inherited = parent
        .as_ref()
        .and_then(|c| c.properties.get(p.name.as_bytes()))
        .filter(|q| q.flags & member_flags::PRIVATE == 0 && !q.is_virtual());
    let info = SlotInfo { default: ConstSource::Known(default), name: name.clone(), flags, ty: ty.clone(), class: me };
    let slot = match inherited {
        Some(q) => {
            class.slots[q.slot as usize] = info;
            q.slot
        }
        None => {
            class.slots.push(info);
            class.slots.len() as u32 - 1
        }
    };
    let property =
        Property { name, flags, ty, slot, class: me, get_hook: None, set_hook: None, accessible: true, attributes: None, doc_comment: None };
    class.properties.insert(key, property);
}

/// Link tables with all builtins bound, made once.
struct Tables {
    functions: LinkTable<FnPtr>,
    classes: LinkTable<ClassPtr>,
    constants: LinkTable<Value>,
}

// SAFETY: the values of builtin constants are immortal and never written.
unsafe impl Send for Tables {}
// SAFETY: as above.
unsafe impl Sync for Tables {}

/// Binds all builtins in the link tables of a fresh context.
pub fn bind_builtins(cx: &mut Cx) {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        let registry = registry::get();
        let mut tables =
            Tables { functions: LinkTable::default(), classes: LinkTable::default(), constants: LinkTable::default() };
        for (name, &number) in &registry.function_names {
            if let Some(&f) = registry.functions.get(number as usize) {
                tables.functions.bind_forever(FUNCTIONS.handle(name), f);
            }
        }
        for (name, &class) in &registry.classes {
            tables.classes.bind_forever(CLASSES.handle(name), class);
        }
        for (name, constant) in &registry.constants {
            // SAFETY: an immortal value needs no count.
            let value = unsafe { constant.value.into_value() };
            let handle = CONSTANTS.handle(&inherit::constant_key(name));
            if constant.desc.deprecated {
                tables.constants.bind_deprecated(handle, value);
            } else {
                tables.constants.bind_forever(handle, value);
            }
        }
        tables
    });
    cx.functions = tables.functions.clone();
    cx.classes = tables.classes.clone();
    cx.constants = tables.constants.clone();
}

