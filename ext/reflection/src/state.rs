//! What a Reflection object stands for: its native state, and how objects are made for it.
//!
//! A constructor may be called again, and a subclass may not call it at all: the state is absent until it has run.

use jumbo_abi::class::{ClassConst, Property, StaticProperty};
use jumbo_abi::{Class, ClassHooks, ClassPtr, Cx, Extension, FnPtr, PArray, PObject, PStr, Res, Stop, Type, Value, func_flags, registry};
use jumbo_bytecode::unit::{Attribute, Unit};
use jumbo_value::Native;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// Joins message parts.
#[macro_export]
macro_rules! text {
    ($($part:expr),* $(,)?) => {{
        let mut text: Vec<u8> = Vec::new();
        $(text.extend_from_slice(AsRef::<[u8]>::as_ref(&$part));)*
        text
    }};
}

/// A function or method.
#[derive(Clone)]
pub struct Func {
    pub function: FnPtr,
    /// The class whose method it is shown as: the declaring one. None for functions.
    pub class: Option<ClassPtr>,
    /// The class that the method was asked for, which may have inherited it.
    pub reflected: Option<ClassPtr>,
    /// The Closure object, when it is one.
    pub closure: Option<Value>,
    /// The `__invoke` of a Closure, which is a method of the builtin class.
    pub invoke: bool,
    /// Name of a call that goes through `__call`.
    pub magic_name: Option<PStr>,
}

impl Func {
    pub fn of(function: FnPtr) -> Func {
        Func { function, class: None, reflected: None, closure: None, invoke: false, magic_name: None }
    }
    pub fn method(function: FnPtr, class: ClassPtr) -> Func {
        Func { class: Some(function.scope.unwrap_or(class)), reflected: Some(class), ..Func::of(function) }
    }
    /// What a Closure object runs.
    pub fn of_closure(cx: &Cx, closure: &PObject) -> Option<Func> {
        let info = cx.engine().closure_info(closure)?;
        Some(Func {
            closure: Some(Value::from(closure.clone())),
            magic_name: info.callable.magic_name.clone(),
            ..Func::of(info.callable.function)
        })
    }
    /// A Closure's `__invoke`.
    pub fn invoke_of(cx: &Cx, closure: &PObject) -> Option<Func> {
        let class = cx.builtin_class(b"closure");
        Some(Func { class: Some(class), invoke: true, ..Func::of_closure(cx, closure)? })
    }
    pub fn get(&self) -> &'static jumbo_abi::Function {
        self.function.get()
    }
    pub fn name(&self) -> PStr {
        if self.invoke {
            return PStr::new(b"__invoke");
        }
        self.magic_name.clone().unwrap_or_else(|| self.function.name.clone())
    }
    pub fn is(&self, flag: u32) -> bool {
        self.function.is(flag)
    }
    /// Flags as a method has them: `__invoke` is public whatever the closure is.
    pub fn method_flags(&self) -> u32 {
        if self.invoke { func_flags::PUBLIC } else { self.function.flags }
    }
    pub fn closure(&self) -> Option<&PObject> {
        self.closure.as_ref().and_then(Value::as_object)
    }
    pub fn is_closure(&self) -> bool {
        self.closure.is_some()
    }
    /// Shown as PHP's own, not as the program's.
    pub fn is_internal(&self) -> bool {
        self.invoke || self.function.desc().is_some()
    }
    /// The unit that declares it.
    pub fn unit(&self) -> Option<&'static Arc<Unit>> {
        if self.invoke { None } else { self.get().unit() }
    }
}

/// A property: declared in `class`'s table (instance or static), or dynamic.
#[derive(Clone)]
pub struct Prop {
    pub class: ClassPtr,
    pub name: PStr,
    pub dynamic: bool,
}

/// The two kinds of declared properties.
#[derive(Clone, Copy)]
pub enum Declared {
    Instance(&'static Property),
    Static(&'static StaticProperty),
}

impl Declared {
    pub fn find(class: ClassPtr, name: &[u8]) -> Option<Declared> {
        let class: &'static Class = class.get();
        match class.properties.get(name) {
            Some(p) => Some(Declared::Instance(p)),
            None => class.static_properties.get(name).map(Declared::Static),
        }
    }
    pub fn flags(self) -> u32 {
        match self {
            Declared::Instance(p) => p.flags,
            Declared::Static(p) => p.flags | jumbo_abi::member_flags::STATIC,
        }
    }
    pub fn class(self) -> ClassPtr {
        match self {
            Declared::Instance(p) => p.class,
            Declared::Static(p) => p.class,
        }
    }
    pub fn name(self) -> &'static PStr {
        match self {
            Declared::Instance(p) => &p.name,
            Declared::Static(p) => &p.name,
        }
    }
    pub fn ty(self) -> Option<&'static Type> {
        match self {
            Declared::Instance(p) => p.ty.as_ref(),
            Declared::Static(p) => p.ty.as_ref(),
        }
    }
    pub fn doc_comment(self) -> Option<&'static PStr> {
        match self {
            Declared::Instance(p) => p.doc_comment.as_ref(),
            Declared::Static(p) => p.doc_comment.as_ref(),
        }
    }
    pub fn attributes(self) -> &'static [Attribute] {
        match self {
            Declared::Instance(p) => p.attributes(),
            Declared::Static(p) => p.attributes(),
        }
    }
}

impl Prop {
    pub fn declared(&self) -> Option<Declared> {
        if self.dynamic { None } else { Declared::find(self.class, self.name.as_bytes()) }
    }
    /// The class that declares it.
    pub fn owner(&self) -> ClassPtr {
        self.declared().map_or(self.class, Declared::class)
    }
    pub fn flags(&self) -> u32 {
        self.declared().map_or(jumbo_abi::member_flags::PUBLIC, Declared::flags)
    }
}

/// One attribute of something.
#[derive(Clone)]
pub struct Attr {
    pub source: AttrSource,
    /// `Attribute::TARGET_*`
    pub target: u32,
    pub scope: Option<ClassPtr>,
    pub repeated: bool,
}

#[derive(Clone)]
pub enum AttrSource {
    User { unit: Arc<Unit>, attribute: &'static Attribute },
    /// Source text of a builtin's attribute: `Deprecated(since: '8.1')`.
    Builtin(&'static str),
}

/// What an object of a Reflection class stands for.
#[derive(Clone)]
pub enum Reflected {
    Class { class: ClassPtr, object: Option<Value> },
    Function(Func),
    Parameter { of: Func, index: usize },
    Property(Prop),
    ClassConstant { class: ClassPtr, name: PStr },
    /// A global constant by its full name.
    Constant(PStr),
    Type(Rc<Type>),
    Attribute(Rc<Attr>),
    Extension(&'static [&'static Extension]),
    ZendExtension,
    /// A generator or fiber.
    Running(Value),
    /// A reference in an array.
    Reference(Value),
}

impl Reflected {
    fn value(&self) -> Option<&Value> {
        match self {
            Reflected::Class { object, .. } => object.as_ref(),
            Reflected::Function(f) | Reflected::Parameter { of: f, .. } => f.closure.as_ref(),
            Reflected::Running(v) | Reflected::Reference(v) => Some(v),
            _ => None,
        }
    }
}

/// Native state of all Reflection objects.
#[derive(Default)]
struct Holder(RefCell<Option<Reflected>>);

impl Native for Holder {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Some(value) = self.0.borrow().as_ref().and_then(Reflected::value) {
            visit(value);
        }
    }
    fn clear(&mut self) {
        *self.0.get_mut() = None;
    }
}

/// Of all classes here that have state.
pub static HOOKS: ClassHooks = ClassHooks { create: Some(create), uncloneable: true, ..ClassHooks::NONE };

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    let first = object.set_native(Box::new(Holder::default()));
    debug_assert!(first.is_ok(), "a new object has no native state");
    Ok(())
}

/// Body of the private methods that nobody can call.
pub fn nothing(_cx: &mut Cx, _this: &PObject) {}

/// Sets what the object stands for.
pub fn set(object: &PObject, what: Reflected) {
    if let Some(holder) = object.native::<Holder>() {
        let old = holder.0.replace(Some(what));
        drop(old);
    }
}

/// What the object stands for.
pub fn of(cx: &mut Cx, object: &PObject) -> Res<Reflected> {
    match object.native::<Holder>().and_then(|h| h.0.borrow().clone()) {
        Some(what) => Ok(what),
        None => Err(cx.throw_error("Internal error: Failed to retrieve the reflection object")),
    }
}

fn mismatch(cx: &mut Cx) -> Stop {
    cx.throw_error("Internal error: Failed to retrieve the reflection object")
}

macro_rules! getter {
    ($(#[$doc:meta])* $name:ident, $pattern:pat => $result:expr, $ty:ty) => {
        $(#[$doc])*
        pub fn $name(cx: &mut Cx, object: &PObject) -> Res<$ty> {
            match of(cx, object)? {
                $pattern => Ok($result),
                _ => Err(mismatch(cx)),
            }
        }
    };
}

getter!(class, Reflected::Class { class, .. } => class, ClassPtr);
getter!(
    /// The object that a ReflectionObject (or ReflectionClass) was made from.
    class_object, Reflected::Class { object, .. } => object, Option<Value>
);
getter!(func, Reflected::Function(f) => f, Func);
getter!(parameter, Reflected::Parameter { of, index } => (of, index), (Func, usize));
getter!(property, Reflected::Property(p) => p, Prop);
getter!(constant, Reflected::Constant(name) => name, PStr);
getter!(ty, Reflected::Type(ty) => ty, Rc<Type>);
getter!(attribute, Reflected::Attribute(a) => a, Rc<Attr>);
getter!(extension, Reflected::Extension(e) => e, &'static [&'static Extension]);
getter!(running, Reflected::Running(v) => v, Value);
getter!(reference, Reflected::Reference(v) => v, Value);

/// The constant that a ReflectionClassConstant stands for.
pub fn class_constant(cx: &mut Cx, object: &PObject) -> Res<&'static ClassConst> {
    if let Reflected::ClassConstant { class, name } = of(cx, object)?
        && let Some(c) = class.get().constants.get(name.as_bytes())
    {
        return Ok(c);
    }
    Err(mismatch(cx))
}

/// Slots of the declared properties.
pub const NAME: u32 = 0;
pub const CLASS: u32 = 1;

/// An object of the class of that lower-cased name.
pub fn make(cx: &mut Cx, class: &[u8], what: Reflected) -> Res<PObject> {
    let class = cx.builtin_class(class);
    let object = cx.new_object(class)?;
    set(&object, what);
    Ok(object)
}

fn make_named(cx: &mut Cx, class: &[u8], what: Reflected, name: &PStr) -> Res<PObject> {
    let object = make(cx, class, what)?;
    object.set_slot(NAME, Value::from(name));
    Ok(object)
}

fn make_member(cx: &mut Cx, class: &[u8], what: Reflected, name: &PStr, owner: ClassPtr) -> Res<PObject> {
    let object = make_named(cx, class, what, name)?;
    object.set_slot(CLASS, Value::from(&owner.name));
    Ok(object)
}

pub fn make_class(cx: &mut Cx, class: ClassPtr) -> Res<PObject> {
    let kind: &[u8] = if class.is_enum() { b"reflectionenum" } else { b"reflectionclass" };
    make_named(cx, kind, Reflected::Class { class, object: None }, &class.name.clone())
}

/// A ReflectionFunction, or a ReflectionMethod for a method.
pub fn make_func(cx: &mut Cx, f: Func) -> Res<PObject> {
    let name = f.name();
    match f.class {
        Some(owner) => make_member(cx, b"reflectionmethod", Reflected::Function(f), &name, owner),
        None => make_named(cx, b"reflectionfunction", Reflected::Function(f), &name),
    }
}

pub fn make_property(cx: &mut Cx, p: Prop) -> Res<PObject> {
    let (name, owner) = (p.name.clone(), p.owner());
    make_member(cx, b"reflectionproperty", Reflected::Property(p), &name, owner)
}

/// A constant of `class` as a ReflectionClassConstant or a class below it.
pub fn make_constant(cx: &mut Cx, kind: &[u8], class: ClassPtr, c: &ClassConst) -> Res<PObject> {
    make_member(cx, kind, Reflected::ClassConstant { class, name: c.name.clone() }, &c.name, c.class)
}

/// A ReflectionParameter.
pub fn make_parameter(cx: &mut Cx, of: Func, index: usize) -> Res<PObject> {
    let name = PStr::new(of.function.param_name(index));
    make_named(cx, b"reflectionparameter", Reflected::Parameter { of, index }, &name)
}

/// The extension that declares something, found by the place of its descriptor.
pub fn extension_of(found: impl Fn(&Extension) -> bool) -> Option<&'static str> {
    registry::get().extensions.iter().find(|e| found(e)).map(|e| e.name)
}

pub fn extension_of_class(class: ClassPtr) -> Option<&'static str> {
    let desc = class.desc()?;
    extension_of(|e| e.classes.iter().any(|c| std::ptr::eq(c, desc)))
}

pub fn extension_of_func(f: &Func) -> Option<&'static str> {
    if f.invoke {
        return None;
    }
    let desc = f.function.desc()?;
    if let Some(class) = f.function.scope {
        return extension_of_class(class);
    }
    extension_of(|e| e.functions.iter().any(|d| std::ptr::eq(d, desc)))
}

/// A ReflectionExtension by name; the registry may have several parts of that name.
pub fn make_extension(cx: &mut Cx, name: &str) -> Res<Option<PObject>> {
    let Some(parts) = parts_of(name) else { return Ok(None) };
    let shown = parts.first().map_or(name, |e| e.name);
    make_named(cx, b"reflectionextension", Reflected::Extension(parts), &PStr::new(shown.as_bytes())).map(Some)
}

/// The parts of an extension, kept for the life of the process.
pub fn parts_of(name: &str) -> Option<&'static [&'static Extension]> {
    use std::collections::HashMap;
    use std::sync::{LazyLock, Mutex};
    type Parts = HashMap<String, &'static [&'static Extension]>;
    static PARTS: LazyLock<Mutex<Parts>> = LazyLock::new(Mutex::default);
    let key = name.to_ascii_lowercase();
    let mut known = PARTS.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(parts) = known.get(&key) {
        return Some(parts);
    }
    let parts: Vec<&'static Extension> = registry::get().extensions.iter().copied().filter(|e| e.name.eq_ignore_ascii_case(name)).collect();
    if parts.is_empty() {
        return None;
    }
    let parts: &'static [&'static Extension] = Box::leak(parts.into_boxed_slice());
    known.insert(key, parts);
    Some(parts)
}

/// A ReflectionException.
pub fn exception(cx: &mut Cx, message: impl jumbo_abi::Message) -> Stop {
    cx.throw("ReflectionException", message)
}

/// A ReflectionException with the code that constructors of classes use.
pub fn exception_with_code(cx: &mut Cx, message: impl AsRef<[u8]>, code: i64) -> Stop {
    let class = cx.builtin_class(b"reflectionexception");
    cx.engine().throw_new(cx, class, message.as_ref(), code)
}

pub fn no_such_class(cx: &mut Cx, name: &[u8], code: i64) -> Stop {
    exception_with_code(cx, text!("Class \"", name, "\" does not exist"), code)
}

/// The class that an `object|string` argument means.
pub fn class_of_argument(cx: &mut Cx, value: &Value, code: i64) -> Res<ClassPtr> {
    if let Some(object) = value.as_object() {
        return Ok(ClassPtr::of(object));
    }
    let name = cx.to_string(value)?;
    match cx.find_class(name.as_bytes(), true)? {
        Some(class) => Ok(class),
        None => Err(no_such_class(cx, name.as_bytes(), code)),
    }
}

/// The arguments of a variadic method of Reflection, with those that were given by name.
pub fn all_arguments(cx: &Cx, args: &[Value]) -> PArray {
    let mut all = PArray::from_values(args.iter().cloned());
    if let Some(named) = cx.engine().active_named_args(cx) {
        for (key, value) in named.entries() {
            all.set(key, value);
        }
    }
    all
}

/// What stands before the last backslash.
pub fn namespace_of(name: &[u8]) -> &[u8] {
    name.iter().rposition(|&b| b == b'\\').map_or(&[], |at| &name[..at])
}

/// What stands behind the last backslash.
pub fn short_name(name: &[u8]) -> &[u8] {
    name.iter().rposition(|&b| b == b'\\').map_or(name, |at| &name[at + 1..])
}

/// `string|false`
pub fn or_false(value: Option<impl Into<Value>>) -> Value {
    value.map_or(Value::FALSE, Into::into)
}
