//! Linking: a declared class ([`ClassDecl`]) becomes a [`Class`] with everything that it inherits, uses and implements.
//!
//! Order as in PHP: own members, trait members, the parent's, the interfaces'. Checks that compare types (and so may load classes)
//! are collected on the way and made when the class is complete and bound, so that classes that mention each other can be loaded
//! (see [`crate::variance`]). A linked class is a part of the unit that declares it, and is taken again when parent, interfaces and traits are
//! the same; its type checks are made again unless all classes that they looked at are the same too.
//!
//! A class goes with its unit, or when it is in the way and one of its parent, interfaces and traits is gone: an instance that has it has
//! those too, and holds the units of all that it has, so nobody has it then. Of what is gone only ids are asked, which never come back.

use crate::inherit::{self, UNINITIALIZED_SLOT, next_class_id, next_function_id};
use crate::linked::{self, Linked, OwnFunctions, Reserved};
use crate::{parts, traits};
use crate::variance::{self, Checked, Consulted, Obligation};
use jumbo_abi::class::{ClassConst, ClassSource, ConstSource, Iteration, Names, Property, SlotInfo, StaticProperty, UnitRef};
use jumbo_abi::{Class, ClassPtr, Cx, FnPtr, Function, Level, Res, Stop, class_flags, func_flags, member_flags};
use jumbo_bytecode::types::ClassName;
use jumbo_bytecode::unit::{Attribute, ClassDecl, ConstExpr, FunctionProto, PropertyDecl, Unit};
use jumbo_value::{ClassHead, PStr, Raw};
use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard};

/// Raises a diagnostic at a place: the engine's.
pub type RaiseAt = fn(&mut Cx, Level, &[u8], PStr, u32) -> Res<()>;

/// What ends a linking.
pub enum Fail {
    /// Something was raised or thrown already.
    Stop(Stop),
    /// A fatal error to raise at this line.
    Fatal(Level, Vec<u8>, u32),
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Fail {
        Fail::Stop(stop)
    }
}

pub type Linking<T> = Result<T, Fail>;

/// E_COMPILE_ERROR at a line of the class's file.
pub fn fatal<T>(message: impl Into<Vec<u8>>, line: u32) -> Linking<T> {
    Err(Fail::Fatal(Level::CompileError, message.into(), line))
}

/// Joins message parts.
#[macro_export]
macro_rules! text {
    ($($part:expr),* $(,)?) => {{
        let mut text: Vec<u8> = Vec::new();
        $(text.extend_from_slice(AsRef::<[u8]>::as_ref(&$part));)*
        text
    }};
}

/// A class under construction.
pub struct Builder<'a> {
    pub unit: &'a Arc<Unit>,
    pub decl: &'a ClassDecl,
    /// Where it will be; not to be followed yet.
    pub me: ClassPtr,
    pub class: Class,
    pub obligations: Vec<Obligation>,
    /// (level, message, line) to raise when it is complete.
    pub notices: Vec<(Level, Vec<u8>, u32)>,
    /// Methods taken from traits, with the trait's own: messages show that one.
    pub shown: Vec<(FnPtr, FnPtr)>,
    /// What is made for the class.
    pub functions: OwnFunctions,
}

impl Builder<'_> {
    pub fn name(&self) -> &[u8] {
        self.decl.name.as_bytes()
    }
    /// Name as messages show it: anonymous classes end at their NUL.
    pub fn shown(&self) -> &[u8] {
        shown(self.decl.name.as_bytes())
    }
    pub fn line(&self) -> u32 {
        self.decl.line_start
    }
    /// The function that messages show for this one.
    pub fn original(&self, f: FnPtr) -> FnPtr {
        self.shown.iter().rev().find(|(new, _)| *new == f).map_or(f, |(_, old)| *old)
    }
    /// Line of a function of this class, for messages.
    pub fn line_of(&self, f: FnPtr) -> u32 {
        f.proto().map_or(self.line(), |p| p.line_start)
    }
}

/// A class name as messages show it (C strings there end at the NUL).
pub fn shown(name: &[u8]) -> &[u8] {
    jumbo_value::string::up_to_nul(name)
}

pub fn class_name(class: ClassPtr) -> Vec<u8> {
    shown(class.name.as_bytes()).to_vec()
}

/// By ids: 0 is no class.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    /// The declaration's place in memory.
    decl: usize,
    parent: u32,
    /// Interfaces and traits.
    others: Vec<u32>,
}

impl Key {
    /// Are all classes there that it names?
    fn is_alive(&self) -> bool {
        (self.parent == 0 || linked::is_alive(self.parent)) && self.others.iter().all(|&id| linked::is_alive(id))
    }
}

/// What is left to do when a class is bound.
pub struct Checks {
    /// Abstract members that are missing: said after the comparisons of those that are there.
    pub missing: Option<(Vec<u8>, u32)>,
    pub obligations: Vec<Obligation>,
    /// (level, message, line) to raise.
    pub notices: Vec<(Level, Vec<u8>, u32)>,
}

struct Known {
    linked: Linked,
    checks: Arc<Checks>,
    /// None: not checked through, or there is something to say each time.
    consulted: Option<Consulted>,
}

/// The linked classes of a unit.
#[derive(Default)]
pub struct Classes(Mutex<HashMap<Key, Known>>);

impl Classes {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Known>> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// What a declaration names, found.
struct Relatives {
    parent: Option<ClassPtr>,
    interfaces: Vec<ClassPtr>,
    traits: Vec<ClassPtr>,
}

/// Can the class be linked without loading anything? (Early binding.)
pub fn is_ready(cx: &Cx, decl: &ClassDecl) -> bool {
    let known = |c: &ClassName| cx.classes.get(c.handle).is_some();
    decl.parent.iter().all(known) && decl.interfaces.iter().all(known) && decl.traits.iter().all(known)
}

/// Links a class and binds its name in the instance.
pub fn link(cx: &mut Cx, unit: &Arc<Unit>, decl: &ClassDecl, raise: RaiseAt) -> Res<ClassPtr> {
    finish(cx, unit, raise, |cx| link_inner(cx, unit, decl, raise, true)).map(|(class, _)| class)
}

/// As [`link`] before the declaration is reached, without loading anything. False: its checks need classes that are not there yet.
pub fn link_early(cx: &mut Cx, unit: &Arc<Unit>, decl: &ClassDecl, raise: RaiseAt) -> Res<bool> {
    finish(cx, unit, raise, |cx| link_inner(cx, unit, decl, raise, false)).map(|(_, bound)| bound)
}

/// The class, and whether its name is bound.
type Bound = (ClassPtr, bool);

fn finish(cx: &mut Cx, unit: &Arc<Unit>, raise: RaiseAt, work: impl FnOnce(&mut Cx) -> Linking<Bound>) -> Res<Bound> {
    match work(cx) {
        Ok(linked) => Ok(linked),
        Err(Fail::Stop(stop)) => Err(stop),
        Err(Fail::Fatal(level, message, line)) => match raise(cx, level, &message, place_of(unit, level), line) {
            Err(stop) => Err(stop),
            Ok(()) => Err(Stop::Fatal),
        },
    }
}

fn link_inner(cx: &mut Cx, unit: &Arc<Unit>, decl: &ClassDecl, raise: RaiseAt, load: bool) -> Linking<Bound> {
    if let Some(other) = cx.classes.get(decl.handle).copied() {
        return fatal(redeclared(other), decl.line_start);
    }
    let relatives = if load && !is_ready(cx, decl) {
        variance::beginning(cx, decl.lower.as_bytes(), shown(decl.name.as_bytes()), raise, |cx| find_relatives(cx, decl))?
    } else {
        find_relatives(cx, decl)?
    };
    if let Some(other) = cx.classes.get(decl.handle).copied() {
        return fatal(redeclared(other), decl.line_start);
    }
    let key = Key {
        decl: std::ptr::from_ref(decl) as usize,
        parent: relatives.parent.map_or(0, |class| class.id()),
        others: relatives.interfaces.iter().chain(&relatives.traits).map(|class| class.id()).collect(),
    };
    let classes = parts::classes(unit);
    let known = classes.lock().get(&key).map(|c| (c.linked.class(), c.checks.clone(), c.consulted.as_ref().is_some_and(|s| s.same_in(cx))));
    let (class, checks) = match known {
        Some((class, _, true)) => {
            bind(cx, unit, decl, class);
            return variance::delayed(cx, Checked::Fits, raise).map(|()| (class, true));
        }
        Some((class, checks, false)) => (class, checks),
        None => {
            let (linked, checks) = build(cx, unit, decl, relatives)?;
            if let Some(other) = cx.classes.get(decl.handle).copied() {
                return fatal(redeclared(other), decl.line_start);
            }
            let mut classes = classes.lock();
            classes.retain(|other, _| other.decl != key.decl || other.is_alive());
            // Another thread may have linked it meanwhile.
            let known = classes.entry(key.clone()).or_insert_with(|| Known { linked, checks: Arc::new(checks), consulted: None });
            (known.linked.class(), known.checks.clone())
        }
    };
    bind(cx, unit, decl, class);
    let mut consulted = Consulted::default();
    let checked = match (variance::check(cx, class, &checks, &mut consulted, raise, load), consulted.failed.take()) {
        (Err(Fail::Stop(stop)), Some(loading)) => {
            let what = text!(class_name(class), ", while autoloading ", loading);
            return Err(Fail::Stop(variance::during(cx, &what, raise, stop)));
        }
        (checked, _) => checked?,
    };
    if checked == Checked::Unready && !load {
        cx.classes.unbind(decl.handle);
        return Ok((class, false));
    }
    if let Some((message, line)) = &checks.missing {
        return Err(Fail::Fatal(Level::Error, message.clone(), *line));
    }
    for (level, message, line) in &checks.notices {
        if let Err(stop) = raise(cx, *level, message, unit.file.clone(), *line) {
            let doing: &[u8] = if *level == Level::Deprecated { b", while implementing Serializable" } else { b"" };
            return Err(Fail::Stop(variance::during(cx, &text!(class_name(class), doing), raise, stop)));
        }
    }
    if checked == Checked::Fits && checks.notices.is_empty() {
        if let Some(known) = classes.lock().get_mut(&key) {
            known.consulted = Some(consulted);
        }
    }
    variance::delayed(cx, checked, raise)?;
    Ok((class, true))
}

/// The class has its name from now on. What its parent has evaluated already it inherits as it is.
fn bind(cx: &mut Cx, unit: &Arc<Unit>, decl: &ClassDecl, class: ClassPtr) {
    cx.hold_unit(unit);
    cx.classes.bind(decl.handle, class);
    if class.known_defaults.is_some() {
        return;
    }
    if let Some(parent) = class.parent
        && cx.class_state(parent).defaults_ready
    {
        let values = cx.class_state(parent).defaults.clone();
        cx.class_state(class).inherited_defaults = values;
    }
}

/// Core errors name no file.
fn place_of(unit: &Unit, level: Level) -> PStr {
    if level == Level::CoreError { PStr::new(b"Unknown") } else { unit.file.clone() }
}

/// `Cannot redeclare class A (previously declared in FILE:LINE)`.
pub fn redeclared(other: ClassPtr) -> Vec<u8> {
    match &other.source {
        ClassSource::User { unit, .. } => {
            let line = other.decl().map_or(0, |d| d.line_start);
            let place = format!(":{line})");
            text!("Cannot redeclare ", other.kind_word(), " ", shown(other.name.as_bytes()), " (previously declared in ", unit.file.as_bytes(), place)
        }
        ClassSource::Builtin(_) => text!("Cannot redeclare ", other.kind_word(), " ", shown(other.name.as_bytes())),
    }
}

fn find_relatives(cx: &mut Cx, decl: &ClassDecl) -> Linking<Relatives> {
    let name = shown(decl.name.as_bytes());
    let line = decl.line_start;
    let parent = match &decl.parent {
        None => None,
        Some(p) => {
            let Some(class) = cx.find_class(p.name.as_bytes(), true)? else {
                return Err(Fail::Stop(cx.throw_error(text!("Class \"", p.name.as_bytes(), "\" not found"))));
            };
            Some(class)
        }
    };
    let mut traits = Vec::new();
    for t in &decl.traits {
        let found = match cx.find_class(t.name.as_bytes(), true) {
            Err(Stop::Thrown) => return Err(trait_not_fetched(cx, line)),
            found => found?,
        };
        let Some(class) = found else {
            return Err(Fail::Fatal(Level::Error, text!("Trait \"", t.name.as_bytes(), "\" not found"), line));
        };
        if !class.is(class_flags::TRAIT) {
            return Err(Fail::Fatal(Level::Error, text!(name, " cannot use ", class_name(class), " - it is not a trait"), line));
        }
        if !traits.contains(&class) {
            traits.push(class);
        }
    }
    if let Some(parent) = parent {
        check_parent(decl, parent)?;
    }
    let mut interfaces: Vec<ClassPtr> = Vec::new();
    for i in &decl.interfaces {
        let Some(class) = cx.find_class(i.name.as_bytes(), true)? else {
            return Err(Fail::Stop(cx.throw_error(text!("Interface \"", i.name.as_bytes(), "\" not found"))));
        };
        if !class.is_interface() {
            let verb = if decl.flags & class_flags::INTERFACE != 0 { " cannot implement " } else { " cannot implement " };
            return Err(Fail::Fatal(Level::Error, text!(name, verb, class_name(class), " - it is not an interface"), line));
        }
        if interfaces.contains(&class) {
            let word = if decl.flags & class_flags::INTERFACE != 0 { "Interface" } else if decl.flags & class_flags::ENUM != 0 { "Enum" } else { "Class" };
            return fatal(text!(word, " ", name, " cannot implement previously implemented interface ", class_name(class)), line);
        }
        interfaces.push(class);
    }
    Ok(Relatives { parent, interfaces, traits })
}

/// An autoloader has thrown. For parents and interfaces the exception goes on, for traits it ends the program.
fn trait_not_fetched(cx: &mut Cx, line: u32) -> Fail {
    let Some(exception) = cx.exception.take() else { return Fail::Stop(Stop::Thrown) };
    match cx.call_method(&exception, b"__tostring", &[]) {
        Ok(text) => Fail::Fatal(Level::Error, text!("During class fetch: Uncaught ", text.as_bytes().unwrap_or_default()), line),
        Err(stop) => Fail::Stop(stop),
    }
}

fn check_parent(decl: &ClassDecl, parent: ClassPtr) -> Linking<()> {
    let name = shown(decl.name.as_bytes());
    let line = decl.line_start;
    let parent_name = class_name(parent);
    let refuse = |what: &str| fatal(text!("Class ", name, " cannot extend ", what, " ", &parent_name), line);
    if parent.is_interface() {
        return refuse("interface");
    }
    if parent.is(class_flags::TRAIT) {
        return refuse("trait");
    }
    if parent.is(class_flags::FINAL) {
        return refuse(if parent.is_enum() { "final class" } else { "final class" });
    }
    let (own, its) = (decl.flags & class_flags::READONLY != 0, parent.is(class_flags::READONLY));
    if own != its {
        let (a, b) = if own { ("Readonly class ", " cannot extend non-readonly class ") } else { ("Non-readonly class ", " cannot extend readonly class ") };
        return fatal(text!(a, name, b, &parent_name), line);
    }
    Ok(())
}

type Built = (Linked, Checks);

fn build(cx: &mut Cx, unit: &Arc<Unit>, decl: &ClassDecl, relatives: Relatives) -> Linking<Built> {
    let memory = Reserved::new();
    let parent = relatives.parent;
    let class = Class {
        head: ClassHead { id: next_class_id(), slot_count: 0, flags: 0 },
        name: decl.name.clone(),
        lower: decl.lower.clone(),
        handle: decl.handle,
        flags: decl.flags & !class_flags::HAS_ABSTRACT,
        parent,
        interfaces: Vec::new(),
        traits: relatives.traits,
        constants: Names::default(),
        properties: Names::default(),
        slots: Vec::new(),
        known_defaults: None,
        static_properties: Names::default(),
        static_count: 0,
        methods: Names::default(),
        magic: Default::default(),
        iteration: Iteration::Properties,
        hooks: parent.map_or(&NO_HOOKS, |p| p.hooks),
        enum_backing: decl.enum_backing,
        // SAFETY: the class becomes a part of the unit.
        source: ClassSource::User { unit: unsafe { UnitRef::new(unit) }, decl: NonNull::from(decl) },
    };
    let (obligations, notices, shown) = (Vec::new(), Vec::new(), Vec::new());
    let mut b = Builder { unit, decl, me: memory.ptr(), class, obligations, notices, shown, functions: OwnFunctions::new() };
    if let Some(parent) = parent {
        b.class.slots = parent.slots.iter().map(inherit::copy_slot).collect();
    }
    if b.class.is_enum() {
        let me = b.me;
        inherit::enum_properties(&mut b.class, me, decl.enum_backing);
    }
    own_constants(&mut b);
    own_properties(&mut b)?;
    own_methods(&mut b)?;
    if !b.class.is(class_flags::ABSTRACT | class_flags::ENUM)
        && let Some((message, line)) = check_abstract(&mut b)
    {
        // It declares abstract members itself, whatever it inherits.
        return Err(Fail::Fatal(Level::Error, message, line));
    }
    if b.class.is_enum() {
        for name in [&b"cases"[..], b"from", b"tryfrom"] {
            if (name == b"cases" || decl.enum_backing != 0)
                && let Some(m) = b.class.methods.get(name)
            {
                return fatal(text!("Cannot redeclare ", b.name(), "::", m.name.as_bytes(), "()"), b.line_of(*m));
            }
        }
    }
    if !b.class.traits.is_empty() {
        traits::bind_methods(cx, &mut b)?;
    }
    let mut direct = relatives.interfaces;
    if b.class.methods.contains_key(&b"__tostring"[..])
        && !b.class.is(class_flags::TRAIT)
        && let Some(stringable) = cx.find_class(b"Stringable", false)?
        && !direct.contains(&stringable)
        && decl.lower.as_bytes() != b"stringable"
    {
        // A trait's `__toString` makes the class Stringable as one of its own does.
        direct.push(stringable);
    }
    if b.class.is_enum() {
        crate::enums::add_methods(&mut b.class, b.me, |function| b.functions.add(function));
        check_enum(&b)?;
    }
    if let Some(parent) = parent {
        inherit_parent(&mut b, parent)?;
    }
    traits::bind_data(cx, &mut b)?;
    interfaces(&mut b, &direct)?;
    inherit::find_magic(&mut b.class);
    check_magic_methods(&b)?;
    check_overrides(&b)?;
    check_interface_rules(&mut b)?;
    let missing = check_abstract(&mut b);
    b.class.head.slot_count = b.class.slots.len() as u32;
    inherit::find_known_defaults(&mut b.class);
    let Builder { class, obligations, notices, functions, .. } = b;
    let linked = Linked::new(memory.fill(class), functions);
    let class = linked.class();
    for ancestor in class.parent.into_iter().chain(class.interfaces.iter().copied()) {
        if let Some(check) = ancestor.hooks.on_inherit
            && ancestor.is(class_flags::BUILTIN)
            && !class.is(class_flags::INTERFACE | class_flags::ABSTRACT)
            && let Err(message) = check(cx, class)
        {
            return Err(Fail::Fatal(Level::Error, message.into_bytes(), decl.line_start));
        }
    }
    Ok((linked, Checks { missing, obligations, notices }))
}

static NO_HOOKS: jumbo_abi::ClassHooks = jumbo_abi::ClassHooks::NONE;

// ---- own members

fn attributes(list: &[Attribute]) -> Option<NonNull<[Attribute]>> {
    (!list.is_empty()).then(|| NonNull::from(list))
}

/// The value of a declaration's expression.
pub fn source(unit: &Arc<Unit>, expr: &ConstExpr) -> ConstSource {
    match expr {
        ConstExpr::Literal(raw) => ConstSource::Known(*raw),
        // SAFETY: it becomes a part of a class of this unit, or of one that has such a class as an ancestor.
        ConstExpr::Thunk { .. } => ConstSource::Expr { unit: unsafe { UnitRef::new(unit) }, expr: NonNull::from(expr) },
    }
}

fn own_constants(b: &mut Builder) {
    for c in &b.decl.constants {
        let value = match &c.value {
            Some(expr) => source(b.unit, expr),
            None => ConstSource::Case,
        };
        let constant = ClassConst {
            name: c.name.clone(),
            flags: c.flags,
            ty: c.ty.clone(),
            value,
            class: b.me,
            attributes: attributes(&c.attributes),
            doc_comment: c.doc_comment.clone(),
        };
        b.class.constants.insert(c.name.as_bytes().into(), constant);
    }
}

fn own_properties(b: &mut Builder) -> Linking<()> {
    let decl = b.decl;
    for p in &decl.properties {
        let default = match &p.default {
            Some(expr) => source(b.unit, expr),
            None if p.ty.is_some() => ConstSource::Known(UNINITIALIZED_SLOT),
            None => ConstSource::Known(Raw::NULL),
        };
        let (get, set) = (hook(b, p, p.get_hook), hook(b, p, p.set_hook));
        if set.is_some() {
            b.obligations.push(Obligation::SetHook { name: p.name.as_bytes().into() });
        }
        add_property(b, NewProperty { decl: p, default, get, set, line: p.line })?;
    }
    Ok(())
}

fn proto(unit: &Unit, number: u32) -> Option<&FunctionProto> {
    unit.functions.get(number as usize)
}

fn hook(b: &mut Builder, p: &PropertyDecl, number: Option<u32>) -> Option<FnPtr> {
    let proto = proto(b.unit, number?)?;
    let mut f = Function::user(b.unit.clone(), proto, Some(b.me), next_function_id());
    if f.flags & (func_flags::PUBLIC | func_flags::PROTECTED | func_flags::PRIVATE) == 0 {
        f.flags |= func_flags::PUBLIC;
    }
    if p.flags & member_flags::FINAL != 0 {
        f.flags |= func_flags::FINAL;
    }
    if f.flags & func_flags::ABSTRACT != 0 {
        f.code = std::ptr::null();
    }
    Some(b.functions.add(f))
}

/// A property to add: declared here or in a trait.
pub struct NewProperty<'p> {
    pub decl: &'p PropertyDecl,
    pub default: ConstSource,
    pub get: Option<FnPtr>,
    pub set: Option<FnPtr>,
    pub line: u32,
}

pub fn add_property(b: &mut Builder, new: NewProperty) -> Linking<()> {
    let NewProperty { decl: p, default, get, set, line } = new;
    let name = &p.name;
    let key: Box<[u8]> = name.as_bytes().into();
    let mut flags = p.flags;
    if flags & member_flags::VISIBILITY == 0 {
        flags |= member_flags::PUBLIC;
    }
    // Readonly properties may be written by the class and its heirs; `private(set)` makes them final.
    if flags & member_flags::READONLY != 0
        && flags & (member_flags::PUBLIC_SET | member_flags::PROTECTED_SET | member_flags::PRIVATE_SET) == 0
        && flags & member_flags::PUBLIC != 0
    {
        flags |= member_flags::PROTECTED_SET;
    }
    if flags & member_flags::PRIVATE_SET != 0 && flags & member_flags::PRIVATE == 0 {
        flags |= member_flags::FINAL;
    }
    if flags & member_flags::STATIC != 0 {
        let index = b.class.static_count;
        b.class.static_count += 1;
        let property = StaticProperty {
            name: name.clone(),
            flags,
            ty: p.ty.clone(),
            class: b.me,
            index,            number: jumbo_abi::class::next_static_number(),
            default,
            attributes: attributes(&p.attributes),
            doc_comment: p.doc_comment.clone(),
        };
        b.class.static_properties.insert(key, property);
        return Ok(());
    }
    let inherited = b.class.parent.as_ref().and_then(|c| c.properties.get(name.as_bytes()));
    let inherited = inherited.filter(|q| q.flags & member_flags::PRIVATE == 0).map(inherit::copy_property);
    let parent_slot = inherited.as_ref().map_or(u32::MAX, |q| q.slot);
    // A property that shares a backed parent's slot is backed too.
    let is_virtual = flags & member_flags::VIRTUAL != 0 && parent_slot == u32::MAX;
    if is_virtual && p.default.is_some() && b.class.parent.is_some() {
        return fatal(text!("Cannot specify default value for virtual hooked property ", b.name(), "::$", name.as_bytes()), line);
    }
    if !is_virtual
        && flags & member_flags::VIRTUAL != 0
        && set.is_some()
        && get.is_some_and(|f| f.is(func_flags::RETURNS_REF))
    {
        let text = text!("Get hook of backed property ", b.name(), "::", name.as_bytes(), " with set hook may not return by reference");
        return fatal(text, line);
    }
    let slot = if is_virtual {
        u32::MAX
    } else {
        flags &= !member_flags::VIRTUAL;
        let info = SlotInfo { default, name: name.clone(), flags, ty: p.ty.clone(), class: b.me };
        match b.class.slots.get_mut(parent_slot as usize) {
            Some(slot) => {
                *slot = info;
                parent_slot
            }
            None => {
                b.class.slots.push(info);
                b.class.slots.len() as u32 - 1
            }
        }
    };
    let property = Property {
        name: name.clone(),
        flags,
        ty: p.ty.clone(),
        slot,
        class: b.me,
        get_hook: get,
        set_hook: set,
        accessible: true,
        attributes: attributes(&p.attributes),
        doc_comment: p.doc_comment.clone(),
    };
    let _ = line;
    b.class.properties.insert(key, property);
    Ok(())
}

fn own_methods(b: &mut Builder) -> Linking<()> {
    for &number in &b.decl.methods {
        let Some(proto) = proto(b.unit, number) else { continue };
        let mut f = Function::user(b.unit.clone(), proto, Some(b.me), next_function_id());
        if f.flags & (func_flags::PUBLIC | func_flags::PROTECTED | func_flags::PRIVATE) == 0 {
            f.flags |= func_flags::PUBLIC;
        }
        if f.flags & func_flags::ABSTRACT != 0 {
            f.code = std::ptr::null();
        }
        if f.name.as_bytes().eq_ignore_ascii_case(b"__construct") {
            f.flags |= func_flags::CONSTRUCTOR;
        }
        let lower = proto.name.as_bytes().to_ascii_lowercase();
        let method = b.functions.add(f);
        b.class.methods.insert(lower.into(), method);
    }
    Ok(())
}

// ---- the parent's members

fn visibility_rank(flags: u32) -> u32 {
    if flags & member_flags::PRIVATE != 0 {
        2
    } else if flags & member_flags::PROTECTED != 0 {
        1
    } else {
        0
    }
}

pub fn method_rank(flags: u32) -> u32 {
    if flags & func_flags::PRIVATE != 0 {
        2
    } else if flags & func_flags::PROTECTED != 0 {
        1
    } else {
        0
    }
}

fn rank_word(rank: u32) -> &'static str {
    ["public", "protected", "private"][rank.min(2) as usize]
}

fn or_weaker(rank: u32) -> &'static str {
    if rank == 0 { "" } else { " or weaker" }
}

fn inherit_parent(b: &mut Builder, parent: ClassPtr) -> Linking<()> {
    b.class.flags |= parent.flags & (class_flags::ALLOW_DYNAMIC | class_flags::NO_DYNAMIC | class_flags::NOT_SERIALIZABLE);
    b.class.interfaces.extend(&parent.interfaces);
    for (name, p) in &parent.properties {
        match b.class.properties.get(name) {
            None if b.class.static_properties.contains_key(name) => {
                if p.flags & member_flags::PRIVATE == 0 {
                    return fatal(text!("Cannot redeclare non static ", class_name(p.class), "::$", name, " as static ", b.name(), "::$", name), b.line());
                }
                // Its slot stays, without a name here.
            }
            None => {
                b.class.properties.insert(name.clone(), inherit::inherited_property(p));
            }
            Some(_) if p.flags & member_flags::PRIVATE != 0 => {}
            Some(own) => {
                let merged = check_property(b, own, p)?;
                if let Some(property) = merged
                    && let Some(own) = b.class.properties.get_mut(name)
                {
                    own.get_hook = own.get_hook.or(property.0);
                    own.set_hook = own.set_hook.or(property.1);
                }
                b.obligations.push(Obligation::Property { name: name.clone(), parent });
            }
        }
    }
    for (name, p) in &parent.static_properties {
        match b.class.static_properties.get(name) {
            None if b.class.properties.get(name).is_some_and(|q| q.class == b.me) => {
                if p.flags & member_flags::PRIVATE == 0 {
                    return fatal(text!("Cannot redeclare static ", class_name(p.class), "::$", name, " as non static ", b.name(), "::$", name), b.line());
                }
            }
            None => {
                b.class.static_properties.insert(name.clone(), inherit::copy_static(p));
            }
            Some(_) if p.flags & member_flags::PRIVATE != 0 => {}
            Some(own) => {
                let (mine, theirs) = (visibility_rank(own.flags), visibility_rank(p.flags));
                if p.flags & member_flags::FINAL != 0 {
                    return fatal(text!("Cannot override final property ", class_name(p.class), "::$", name), b.line());
                }
                if mine > theirs {
                    return fatal(
                        text!("Access level to ", b.name(), "::$", name, " must be ", rank_word(theirs), " (as in class ", class_name(parent), ")", or_weaker(theirs)),
                        b.line(),
                    );
                }
                b.obligations.push(Obligation::StaticProperty { name: name.clone(), parent });
            }
        }
    }
    for (name, c) in &parent.constants {
        if c.flags & member_flags::PRIVATE != 0 {
            continue;
        }
        match b.class.constants.get(name) {
            None => {
                b.class.constants.insert(name.clone(), inherit::copy_const(c));
            }
            Some(own) => {
                check_constant(b, own, c, parent)?;
                b.obligations.push(Obligation::Constant { name: name.clone(), parent });
            }
        }
    }
    for (name, &theirs) in &parent.methods {
        match b.class.methods.get(name).copied() {
            None => {
                b.class.methods.insert(name.clone(), theirs);
            }
            Some(mine) if mine.is(func_flags::ABSTRACT) && mine.is(func_flags::FROM_TRAIT) && !theirs.is(func_flags::ABSTRACT) => {
                // What the trait demands, the parent has.
                traits::demand(b, theirs, mine)?;
                b.class.methods.insert(name.clone(), theirs);
            }
            Some(mine) => override_method(b, name, mine, theirs)?,
        }
    }
    Ok(())
}

type Hooks = (Option<FnPtr>, Option<FnPtr>);

/// A property that overrides the parent's; returns the hooks that it takes over.
fn check_property(b: &Builder, own: &Property, p: &Property) -> Linking<Option<Hooks>> {
    let (name, line) = (p.name.as_bytes(), b.line());
    let (me, parent) = (b.name(), class_name(p.class));
    if p.flags & member_flags::FINAL != 0 {
        return fatal(text!("Cannot override final property ", parent, "::$", name), line);
    }
    let abstract_parent = p.flags & member_flags::ABSTRACT != 0;
    let (mine, theirs) = (own.is(member_flags::READONLY), p.is(member_flags::READONLY));
    if mine != theirs && !(abstract_parent && mine) {
        let (a, c) = if theirs { ("readonly", "non-readonly") } else { ("non-readonly", "readonly") };
        return fatal(text!("Cannot redeclare ", a, " property ", parent, "::$", name, " as ", c, " ", me, "::$", name), line);
    }
    let (mine, theirs) = (visibility_rank(own.flags), visibility_rank(p.flags));
    if mine > theirs {
        return fatal(
            text!("Access level to ", me, "::$", name, " must be ", rank_word(theirs), " (as in class ", parent, ")", or_weaker(theirs)),
            line,
        );
    }
    let set_rank = |flags: u32| {
        if flags & member_flags::PRIVATE_SET != 0 {
            2
        } else if flags & member_flags::PROTECTED_SET != 0 {
            1
        } else {
            visibility_rank(flags)
        }
    };
    let (mine, theirs) = (set_rank(own.flags), set_rank(p.flags));
    // A parent that cannot be written promises nothing about writing.
    let may_lack_set = (abstract_parent || p.is_virtual() || (p.get_hook.is_some() && b.class.parent.is_some_and(|c| is_virtual_in(c, p)))) && p.set_hook.is_none();
    if mine > theirs && !may_lack_set && own.set_hook.is_some() | !own.is_virtual() {
        let word = ["omitted", "protected(set)", "private(set)"][theirs as usize];
        return fatal(
            text!("Set access level of ", me, "::$", name, " must be ", word, " (as in class ", parent, ")", if theirs == 0 { "" } else { " or weaker" }),
            line,
        );
    }
    for (own, p) in [(own.get_hook, p.get_hook), (own.set_hook, p.set_hook)] {
        if let (Some(own), Some(p)) = (own, p)
            && p.is(func_flags::FINAL)
        {
            return fatal(text!("Cannot override final property hook ", parent, "::", p.name.as_bytes(), "()"), b.line_of(own));
        }
    }
    // A hook that is not overridden stays; an abstract one is implemented by a property with storage of its own.
    if !p.has_hooks() {
        // A type where the parent has none needs no classes to be refused, and so comes before what is wrong with later properties.
        if p.ty.is_none() && own.ty.is_some() && !abstract_parent && !p.is_virtual() {
            return fatal(text!("Type of ", me, "::$", name, " must not be defined (as in class ", parent, ")"), line);
        }
        return Ok(None);
    }
    let take = |own: Option<FnPtr>, theirs: Option<FnPtr>, lacks: bool| match (own, theirs) {
        (None, Some(f)) if !f.is(func_flags::ABSTRACT) || lacks => Some(f),
        _ => None,
    };
    let lacks = own_lacks(b, p);
    // What can be written once only is no place for whatever is set.
    let lacks_set = lacks || own.is(member_flags::READONLY);
    Ok(Some((take(own.get_hook, p.get_hook, lacks), take(own.set_hook, p.set_hook, lacks_set))))
}

/// Was the property virtual where it was declared? (Inherited storage makes `is_virtual` false.)
fn is_virtual_in(class: ClassPtr, p: &Property) -> bool {
    class.properties.get(p.name.as_bytes()).is_some_and(Property::is_virtual)
}

/// A virtual redeclaration does not by itself implement an abstract hook that it leaves out.
fn own_lacks(b: &Builder, p: &Property) -> bool {
    b.class.properties.get(p.name.as_bytes()).is_some_and(|own| own.is_virtual())
}

fn check_constant(b: &Builder, own: &ClassConst, c: &ClassConst, parent: ClassPtr) -> Linking<()> {
    let name = c.name.as_bytes();
    if own.class != b.me {
        return Ok(());
    }
    let (mine, theirs) = (visibility_rank(own.flags), visibility_rank(c.flags));
    if mine > theirs {
        let text = text!(
            "Access level to ", b.name(), "::", name, " must be ", rank_word(theirs), " (as in ", parent.kind_word(), " ", class_name(parent), ")", or_weaker(theirs)
        );
        return fatal(text, b.line());
    }
    if c.flags & member_flags::FINAL != 0 {
        return fatal(text!(b.name(), "::", name, " cannot override final constant ", class_name(c.class), "::", name), b.line());
    }
    Ok(())
}

/// Rules for a method that overrides another.
pub fn override_method(b: &mut Builder, lower: &[u8], mine: FnPtr, theirs: FnPtr) -> Linking<()> {
    // Builtin methods of an enum fit their interface by construction.
    if mine == theirs || mine.desc().is_some() {
        return Ok(());
    }
    let line = b.line_of(mine);
    // Against an interface a trait's method is already the class's; against a parent's it is still the trait's.
    let from_interface = theirs.scope.is_some_and(|s| s != b.me && s.is_interface());
    let scope = |f: FnPtr| -> Vec<u8> {
        let f = if from_interface { f } else { b.original(f) };
        match f.scope {
            Some(c) if c == b.me => b.shown().to_vec(),
            Some(c) => class_name(c),
            None => Vec::new(),
        }
    };
    let private_only = func_flags::PRIVATE | func_flags::ABSTRACT | func_flags::CONSTRUCTOR;
    if theirs.flags & private_only == func_flags::PRIVATE {
        return Ok(());
    }
    let name = mine.name.as_bytes();
    if theirs.is(func_flags::FINAL) {
        return fatal(text!("Cannot override final method ", scope(theirs), "::", theirs.name.as_bytes(), "()"), line);
    }
    if mine.is(func_flags::STATIC) != theirs.is(func_flags::STATIC) {
        let message = if mine.is(func_flags::STATIC) {
            text!("Cannot make non static method ", scope(theirs), "::", name, "() static in class ", scope(mine))
        } else {
            text!("Cannot make static method ", scope(theirs), "::", name, "() non static in class ", scope(mine))
        };
        return fatal(message, line);
    }
    if mine.is(func_flags::ABSTRACT) && !theirs.is(func_flags::ABSTRACT) {
        return fatal(text!("Cannot make non abstract method ", scope(theirs), "::", name, "() abstract in class ", scope(mine)), line);
    }
    let prototype = theirs.prototype.unwrap_or(theirs);
    let mut compared = theirs;
    if theirs.is(func_flags::CONSTRUCTOR) {
        if !prototype.is(func_flags::ABSTRACT) {
            return Ok(());
        }
        compared = if theirs.is(func_flags::ABSTRACT) { theirs } else { prototype };
    }
    let (m, t) = (method_rank(mine.flags), method_rank(theirs.flags));
    if m > t {
        let text = text!(
            "Access level to ", scope(mine), "::", name, "() must be ", rank_word(t), " (as in class ", scope(compared), ")", or_weaker(t)
        );
        return fatal(text, line);
    }
    let shown = (if from_interface { mine } else { b.original(mine) }, compared);
    let mut mine = mine;
    let fresh = mine.scope == Some(b.me) && mine.prototype.is_none();
    if fresh || (from_interface && mine.prototype != Some(prototype)) {
        // Of several interfaces the last one counts, for an inherited method too: a copy with the prototype takes its place.
        let f = Function {
            code: mine.code,
            literals: mine.literals,
            flags: mine.flags,
            registers: mine.registers,
            first_temp: mine.first_temp,
            params: mine.params,
            required: mine.required,
            by_ref: mine.by_ref,
            entry: mine.entry,
            scope: mine.scope,
            body: mine.body.clone(),
            name: mine.name.clone(),
            id: mine.id,
            prototype: Some(prototype),
            param_types: mine.param_types.clone(),
            return_type: mine.return_type.clone(),
        };
        let original = b.original(mine);
        mine = b.functions.add(f);
        b.shown.push((mine, original));
        b.class.methods.insert(lower.into(), mine);
    }
    b.obligations.push(Obligation::Method { child: mine, parent: compared, shown });
    Ok(())
}

// ---- interfaces

fn interfaces(b: &mut Builder, direct: &[ClassPtr]) -> Linking<()> {
    let before = b.class.interfaces.len();
    let is_interface = b.class.is_interface();
    inherit::add_interfaces(&mut b.class.interfaces, direct);
    // An interface gets the members of those that it extends as a class does.
    let _ = is_interface;
    for at in 0..b.class.interfaces.len() {
        let Some(&i) = b.class.interfaces.get(at) else { break };
        for (name, c) in &i.constants {
            match b.class.constants.get(name) {
                None => {
                    b.class.constants.insert(name.clone(), inherit::copy_const(c));
                }
                Some(own) if own.class == c.class => {}
                Some(own) if own.class != b.me => {
                    // Inherited from elsewhere: allowed only when the other one overrides this one.
                    let overrides = own.class.is_a(c.class) || (at < before);
                    if !overrides {
                        let kind = if is_interface { "Interface" } else if b.class.is_enum() { "Enum" } else { "Class" };
                        let text = text!(
                            kind, " ", b.name(), " inherits both ", class_name(own.class), "::", name, " and ", class_name(c.class), "::", name, ", which is ambiguous"
                        );
                        return fatal(text, b.line());
                    }
                }
                Some(own) => {
                    check_constant(b, own, c, i)?;
                    b.obligations.push(Obligation::Constant { name: name.clone(), parent: i });
                }
            }
        }
        if at < before && !b.class.methods.values().any(|m| m.scope == Some(b.me)) && b.class.traits.is_empty() {
            // Nothing new against an interface that the parent implements already.
            continue;
        }
        for (name, &theirs) in &i.methods {
            match b.class.methods.get(name).copied() {
                None => {
                    b.class.methods.insert(name.clone(), theirs);
                }
                Some(mine) if mine.scope == theirs.scope => {}
                Some(mine) if at < before && mine.scope != Some(b.me) => {}
                // The parent's method stands for that of its interface, but for constructors, which override abstract ones only.
                Some(mine) if at < before && !mine.is(func_flags::CONSTRUCTOR) && b.class.parent.is_some_and(|p| p.method(name).is_some()) => {}
                Some(mine) => {
                    if mine.scope.is_some_and(|s| s != b.me && s.is_interface() && s.is_a(i)) {
                        continue;
                    }
                    override_method(b, name, mine, theirs)?
                }
            }
        }
        for (name, p) in &i.properties {
            match b.class.properties.get(name) {
                None => {
                    b.class.properties.insert(name.clone(), inherit::copy_property(p));
                }
                Some(own) if own.class == p.class => {}
                Some(own) => {
                    let merged = check_property(b, own, p)?;
                    if let Some((get, set)) = merged
                        && let Some(own) = b.class.properties.get_mut(name)
                    {
                        own.get_hook = own.get_hook.or(get);
                        own.set_hook = own.set_hook.or(set);
                    }
                    b.obligations.push(Obligation::Property { name: name.clone(), parent: i });
                }
            }
        }
    }
    Ok(())
}

// ---- rules

fn check_enum(b: &Builder) -> Linking<()> {
    const FORBIDDEN: [&[u8]; 13] = [
        b"__construct", b"__destruct", b"__clone", b"__sleep", b"__wakeup", b"__get", b"__set", b"__unset", b"__isset", b"__tostring",
        b"__debuginfo", b"__serialize", b"__unserialize",
    ];
    for name in FORBIDDEN {
        if let Some(m) = b.class.methods.get(name) {
            return fatal(text!("Enum ", b.name(), " cannot include magic method ", m.name.as_bytes()), b.line());
        }
    }
    if let Some(m) = b.class.methods.get(&b"__set_state"[..]) {
        return fatal(text!("Enum ", b.name(), " cannot include magic method ", m.name.as_bytes()), b.line());
    }
    Ok(())
}

fn check_overrides(b: &Builder) -> Linking<()> {
    if b.class.is(class_flags::TRAIT) {
        return Ok(());
    }
    for (name, m) in &b.class.methods {
        if m.scope != Some(b.me) || !m.is(func_flags::OVERRIDE) {
            continue;
        }
        // A constructor overrides abstract ones only.
        let overridable = |p: FnPtr| match p.is(func_flags::CONSTRUCTOR) {
            true => p.is(func_flags::ABSTRACT) || p.prototype.is_some_and(|q| q.is(func_flags::ABSTRACT)),
            false => !p.is(func_flags::PRIVATE) || p.is(func_flags::ABSTRACT),
        };
        let in_parent = b.class.parent.and_then(|p| p.method(name)).is_some_and(overridable);
        let in_interface = b.class.interfaces.iter().any(|i| i.methods.contains_key(name));
        let own = !m.is(func_flags::FROM_TRAIT);
        let in_trait = own && b.class.traits.iter().any(|t| t.method(name).is_some_and(|p| p.is(func_flags::ABSTRACT)));
        if !in_parent && !in_interface && !in_trait {
            return fatal(text!(b.name(), "::", m.name.as_bytes(), "() has #[\\Override] attribute, but no matching parent method exists"), b.line_of(*m));
        }
    }
    check_hook_overrides(b)
}

/// `#[Override]` on a property's hooks.
fn check_hook_overrides(b: &Builder) -> Linking<()> {
    for (name, p) in b.class.properties.iter().filter(|(_, p)| p.class == b.me) {
        for (hook, is_get) in [(p.get_hook, true), (p.set_hook, false)] {
            let Some(hook) = hook.filter(|h| h.scope == Some(b.me) && h.is(func_flags::OVERRIDE)) else { continue };
            // A property above with a value of its own has both, in effect.
            let matches = |q: &Property| {
                q.flags & member_flags::PRIVATE == 0
                    && (if is_get { q.get_hook.is_some() } else { q.set_hook.is_some() } || !q.is_virtual())
            };
            let in_parent = b.class.parent.as_ref().and_then(|c| c.properties.get(name)).is_some_and(matches);
            let in_interface = b.class.interfaces.iter().any(|i| i.properties.get(name).is_some_and(matches));
            if !in_parent && !in_interface {
                let word = if is_get { "get" } else { "set" };
                let text = text!(b.name(), "::$", name, "::", word, "() has #[\\Override] attribute, but no matching parent method exists");
                return fatal(text, b.line_of(hook));
            }
        }
    }
    Ok(())
}

fn check_magic_methods(b: &Builder) -> Linking<()> {
    for (name, m) in &b.class.methods {
        if m.scope == Some(b.me) && name.starts_with(b"__") {
            crate::magic::check(b, name, *m)?;
        }
    }
    Ok(())
}

fn check_interface_rules(b: &mut Builder) -> Linking<()> {
    if b.class.is_interface() {
        return Ok(());
    }
    let has = |lower: &[u8]| b.class.interfaces.iter().any(|i| i.lower.as_bytes() == lower);
    let error = |message: Vec<u8>| Err(Fail::Fatal(Level::Error, message, b.line()));
    let name = b.shown();
    let kind = if b.class.is_enum() { "Enum " } else { "Class " };
    if has(b"traversable") && !b.class.is(class_flags::ABSTRACT) && !has(b"iterator") && !has(b"iteratoraggregate") {
        let message = text!(kind, name, " must implement interface Traversable as part of either Iterator or IteratorAggregate");
        return Err(Fail::Fatal(Level::CoreError, message, 0));
    }
    if has(b"iterator") && has(b"iteratoraggregate") {
        return error(text!(kind, name, " cannot implement both Iterator and IteratorAggregate at the same time"));
    }
    let from_builtin = |lower: &[u8]| b.class.parent.is_some_and(|p| p.interfaces.iter().any(|i| i.lower.as_bytes() == lower));
    if has(b"throwable") && !from_builtin(b"throwable") {
        let instead = if b.class.is_enum() { "" } else { ", extend Exception or Error instead" };
        return error(text!(kind, name, " cannot implement interface Throwable", instead));
    }
    if has(b"datetimeinterface") && !from_builtin(b"datetimeinterface") {
        return error(text!("DateTimeInterface can't be implemented by user classes"));
    }
    if !b.class.is_enum() && (has(b"unitenum") || has(b"backedenum")) {
        let which = if has(b"backedenum") { "BackedEnum" } else { "UnitEnum" };
        return error(text!("Non-enum class ", name, " cannot implement interface ", which));
    }
    if b.class.is_enum() && b.class.enum_backing == 0 && has(b"backedenum") {
        return error(text!("Non-backed enum ", name, " cannot implement interface BackedEnum"));
    }
    if has(b"serializable") {
        let modern = b.class.methods.contains_key(&b"__serialize"[..]) && b.class.methods.contains_key(&b"__unserialize"[..]);
        if !modern && !b.class.is(class_flags::ABSTRACT) {
            let message = text!(
                name,
                " implements the Serializable interface, which is deprecated. Implement __serialize() and __unserialize() instead (or in addition, if support for old PHP versions is necessary)"
            );
            b.notices.push((Level::Deprecated, message, b.decl.line_start));
        }
        if b.class.is_enum() {
            let message = text!("Enum ", b.decl.name.as_bytes(), " cannot implement the Serializable interface");
            b.notices.push((Level::Error, message, b.decl.line_start));
        }
    }
    Ok(())
}

fn abstract_members(b: &Builder) -> Vec<Vec<u8>> {
    let mut missing = Vec::new();
    for m in b.class.methods.values() {
        if m.is(func_flags::ABSTRACT) {
            let scope = match m.scope {
                Some(c) if c == b.me => b.shown().to_vec(),
                Some(c) => class_name(c),
                None => Vec::new(),
            };
            missing.push(text!(scope, "::", m.name.as_bytes()));
        }
    }
    for p in b.class.properties.values() {
        for hook in [p.get_hook, p.set_hook].into_iter().flatten() {
            if hook.is(func_flags::ABSTRACT) {
                let scope = match hook.scope {
                    Some(c) if c == b.me => b.shown().to_vec(),
                    Some(c) => class_name(c),
                    None => Vec::new(),
                };
                missing.push(text!(scope, "::", hook.name.as_bytes()));
            }
        }
    }
    missing
}

/// The error about abstract members that must be implemented, with its line.
fn check_abstract(b: &mut Builder) -> Option<(Vec<u8>, u32)> {
    let missing = abstract_members(b);
    if missing.is_empty() {
        return None;
    }
    b.class.flags |= class_flags::HAS_ABSTRACT;
    if b.class.is(class_flags::INTERFACE | class_flags::TRAIT) {
        return None;
    }
    let missing = if b.class.is(class_flags::ABSTRACT) {
        // A private one can never be implemented below.
        let private: Vec<Vec<u8>> = b
            .class
            .methods
            .values()
            .filter(|m| m.is(func_flags::ABSTRACT) && m.is(func_flags::PRIVATE) && m.scope == Some(b.me))
            .map(|m| text!(b.shown(), "::", m.name.as_bytes()))
            .collect();
        if private.is_empty() {
            return None;
        }
        private
    } else {
        missing
    };
    let plural = if missing.len() == 1 { "" } else { "s" };
    let mut list: Vec<u8> = missing.iter().take(3).map(Vec::as_slice).collect::<Vec<_>>().join(&b", "[..]);
    if missing.len() > 3 {
        list.extend_from_slice(b", ...");
    }
    let number = missing.len().to_string();
    let text = if b.class.is(class_flags::ABSTRACT) {
        text!("Class ", b.shown(), " must implement ", number, " abstract private method", plural, " (", list, ")")
    } else if b.class.is_enum() {
        text!("Enum ", b.shown(), " must implement ", number, " abstract private method", plural, " (", list, ")")
    } else {
        text!(
            "Class ", b.shown(), " contains ", number, " abstract method", plural,
            " and must therefore be declared abstract or implement the remaining methods (", list, ")"
        )
    };
    Some((text, b.line()))
}
