//! `ReflectionClass`: the class itself, its members, and making objects of it. Lazy objects are in [`crate::reflection_class_lazy`].

use crate::attributes::{self, Attributes, target};
use crate::members::{self, modifiers as m};
use crate::state::{self, Declared, Func, NAME, Prop, Reflected};
use crate::text::{self as texts, Text};
use crate::text;
use jumbo_abi::class::{ClassConst, ClassSource};
use jumbo_abi::{
    Callable, ClassPtr, Cx, FnPtr, OrFalse, PArray, PObject, PStr, Res, Value, class_flags, member_flags,
};
use jumbo_bytecode::unit::TraitAdaptation;

pub use crate::reflection_class_lazy::{
    get_lazy_initializer, initialize_lazy_object, is_uninitialized_lazy_object, mark_lazy_object_as_initialized, new_lazy_ghost,
    new_lazy_proxy, reset_as_lazy_ghost, reset_as_lazy_proxy,
};

pub fn __construct(cx: &mut Cx, this: &PObject, object_or_class: &Value) -> Res<()> {
    let class = state::class_of_argument(cx, object_or_class, -1)?;
    // Only a ReflectionObject is about the object.
    let about_object = ClassPtr::of(this).is_a(cx.builtin_class(b"reflectionobject"));
    let object = object_or_class.as_object().filter(|_| about_object).map(|o| Value::from(o.clone()));
    state::set(this, Reflected::Class { class, object });
    this.set_slot(NAME, Value::from(&class.name));
    Ok(())
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    let object = state::class_object(cx, this)?;
    let mut out = Text::new();
    texts::class(cx, class, object.as_ref().and_then(Value::as_object), 0, &mut out)?;
    Ok(Value::from(out.finish()?))
}

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(state::class(cx, this)?.name.clone())
}

pub fn is_internal(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(matches!(state::class(cx, this)?.source, ClassSource::Builtin(_)))
}

pub fn is_user_defined(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(!is_internal(cx, this)?)
}

pub fn is_anonymous(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class(cx, this)?.is(class_flags::ANONYMOUS))
}

const NOT_INSTANTIABLE: u32 =
    class_flags::INTERFACE | class_flags::TRAIT | class_flags::ENUM | class_flags::ABSTRACT | class_flags::HAS_ABSTRACT;

pub fn is_instantiable(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let class = state::class(cx, this)?;
    let public = class.magic.constructor.is_none_or(|f| members::of_method(f.flags) & m::PUBLIC != 0);
    Ok(!class.is(NOT_INSTANTIABLE) && public)
}

pub fn is_cloneable(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let class = state::class(cx, this)?;
    if class.is(NOT_INSTANTIABLE) || class.hooks.uncloneable {
        return Ok(false);
    }
    if let Some(clone) = class.magic.clone {
        return Ok(members::of_method(clone.flags) & m::PUBLIC != 0);
    }
    // Builtin classes whose state cannot be copied say so by refusing a `new` without constructor, too.
    Ok(class.hooks.create.is_none() || class.hooks.not_instantiable.is_none())
}

pub fn get_file_name(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    Ok(state::or_false(class.unit().map(|u| &u.file)))
}

pub fn get_start_line(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    Ok(state::or_false(class.decl().map(|d| d.line_start as i64)))
}

pub fn get_end_line(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    Ok(state::or_false(class.decl().map(|d| d.line_end as i64)))
}

pub fn get_doc_comment(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    Ok(state::or_false(class.decl().and_then(|d| d.doc_comment.as_ref())))
}

pub fn get_constructor(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let class = state::class(cx, this)?;
    class.magic.constructor.map(|f| state::make_func(cx, Func::method(f, class))).transpose()
}

// ---- methods

/// `__invoke` of the Closure that the object was made from.
fn invoke_method(cx: &mut Cx, this: &PObject, class: ClassPtr) -> Res<Option<Func>> {
    if class != cx.builtin_class(b"closure") {
        return Ok(None);
    }
    let object = state::class_object(cx, this)?;
    if let Some(closure) = object.as_ref().and_then(Value::as_object) {
        return Ok(Func::invoke_of(cx, closure));
    }
    // The class alone has the method too: one without parameters. The constructor has none either.
    Ok(class.magic.constructor.map(|f| Func { class: Some(class), invoke: true, ..Func::of(f) }))
}

fn find_method(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<Option<Func>> {
    let class = state::class(cx, this)?;
    let lower = name.as_bytes().to_ascii_lowercase();
    if lower == b"__invoke"
        && let Some(invoke) = invoke_method(cx, this, class)?
    {
        return Ok(Some(invoke));
    }
    Ok(class.method(&lower).map(|f| Func::method(f, class)))
}

pub fn has_method(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<bool> {
    let class = state::class(cx, this)?;
    let closure = class == cx.builtin_class(b"closure") && name.as_bytes().eq_ignore_ascii_case(b"__invoke");
    Ok(closure || find_method(cx, this, name)?.is_some())
}

pub fn get_method(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<PObject> {
    match find_method(cx, this, name)? {
        Some(f) => state::make_func(cx, f),
        None => {
            let class = state::class(cx, this)?;
            Err(state::exception(cx, text!("Method ", class.name.as_bytes(), "::", name.as_bytes(), "() does not exist")))
        }
    }
}

pub fn get_methods(cx: &mut Cx, this: &PObject, filter: Option<i64>) -> Res<PArray> {
    let class = state::class(cx, this)?;
    let mut list = PArray::new();
    for f in texts::methods_of(class) {
        if members::passes(filter, members::of_method(f.flags)) {
            list.append(state::make_func(cx, Func::method(f, class))?);
        }
    }
    if let Some(invoke) = invoke_method(cx, this, class)?
        && members::passes(filter, m::PUBLIC)
    {
        list.append(state::make_func(cx, invoke)?);
    }
    Ok(list)
}

// ---- properties

/// A declared property that is not a parent's private one, or a dynamic one of the object.
pub fn find_property(class: ClassPtr, object: Option<&PObject>, name: &PStr) -> Option<Prop> {
    if let Some(declared) = Declared::find(class, name.as_bytes())
        && (declared.flags() & member_flags::PRIVATE == 0 || declared.class() == class)
    {
        return Some(Prop { class, name: name.clone(), dynamic: false });
    }
    let dynamic = object.and_then(PObject::dynamic).is_some_and(|t| t.get_str(name).is_some());
    dynamic.then(|| Prop { class, name: name.clone(), dynamic: true })
}

fn own_object(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    Ok(state::class_object(cx, this)?.as_ref().and_then(Value::as_object).cloned())
}

pub fn has_property(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<bool> {
    let class = state::class(cx, this)?;
    let object = own_object(cx, this)?;
    Ok(find_property(class, object.as_ref(), name).is_some())
}

pub fn get_property(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<PObject> {
    let class = state::class(cx, this)?;
    let object = own_object(cx, this)?;
    if let Some(p) = find_property(class, object.as_ref(), name) {
        return state::make_property(cx, p);
    }
    // `Class::name`: the property as a class further up has it.
    let bytes = name.as_bytes();
    if let Some(at) = bytes.windows(2).position(|w| w == b"::") {
        let (of, own) = (&bytes[..at], PStr::new(&bytes[at + 2..]));
        let Some(base) = cx.find_class(of, true)? else { return Err(state::no_such_class(cx, of, -1)) };
        if !class.is_a(base) {
            let text = text!("Fully qualified property name ", base.name.as_bytes(), "::$", own.as_bytes(), " does not specify a base class of ", class.name.as_bytes());
            return Err(state::exception_with_code(cx, text, -1));
        }
        if let Some(p) = find_property(base, None, &own) {
            return state::make_property(cx, p);
        }
        return Err(state::exception(cx, text!("Property ", base.name.as_bytes(), "::$", own.as_bytes(), " does not exist")));
    }
    Err(state::exception(cx, text!("Property ", class.name.as_bytes(), "::$", bytes, " does not exist")))
}

pub fn get_properties(cx: &mut Cx, this: &PObject, filter: Option<i64>) -> Res<PArray> {
    let class = state::class(cx, this)?;
    let mut list = PArray::new();
    for p in texts::properties_of(class) {
        if members::passes(filter, members::of_member(p.flags())) {
            list.append(state::make_property(cx, p)?);
        }
    }
    if let Some(object) = own_object(cx, this)?
        && members::passes(filter, m::PUBLIC)
    {
        for name in texts::dynamic_names(&object) {
            if texts::is_dynamic_name(class, &name) {
                list.append(state::make_property(cx, Prop { class, name, dynamic: true })?);
            }
        }
    }
    Ok(list)
}

// ---- constants

fn constants_of(class: ClassPtr, filter: Option<i64>) -> Vec<&'static ClassConst> {
    class.get().constants.values().filter(|c| members::passes(filter, members::of_member(c.flags))).collect()
}

pub fn has_constant(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<bool> {
    Ok(state::class(cx, this)?.constants.contains_key(name.as_bytes()))
}

pub fn get_constants(cx: &mut Cx, this: &PObject, filter: Option<i64>) -> Res<PArray> {
    let class = state::class(cx, this)?;
    let mut list = PArray::new();
    for c in constants_of(class, filter) {
        let value = cx.engine().class_constant(cx, class, c.name.as_bytes())?.unwrap_or_default();
        list.set_str(&c.name, value);
    }
    Ok(list)
}

pub fn get_reflection_constants(cx: &mut Cx, this: &PObject, filter: Option<i64>) -> Res<PArray> {
    let class = state::class(cx, this)?;
    let mut list = PArray::new();
    for c in constants_of(class, filter) {
        list.append(state::make_constant(cx, b"reflectionclassconstant", class, c)?);
    }
    Ok(list)
}

pub fn get_constant(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<Value> {
    let class = state::class(cx, this)?;
    // A constant that is wrong somewhere makes the whole table unusable, as PHP evaluates all of it.
    for c in constants_of(class, None) {
        cx.engine().class_constant(cx, class, c.name.as_bytes())?;
    }
    Ok(cx.engine().class_constant(cx, class, name.as_bytes())?.unwrap_or(Value::FALSE))
}

pub fn get_reflection_constant(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<OrFalse<PObject>> {
    let class = state::class(cx, this)?;
    match class.get().constants.get(name.as_bytes()) {
        Some(c) => Ok(OrFalse(Some(state::make_constant(cx, b"reflectionclassconstant", class, c)?))),
        None => Ok(OrFalse::FALSE),
    }
}

// ---- relatives

fn classes_by_name(cx: &mut Cx, classes: &[ClassPtr]) -> Res<PArray> {
    let mut list = PArray::new();
    for class in classes {
        let object = state::make_class(cx, *class)?;
        list.set_str(&class.name, object);
    }
    Ok(list)
}

fn names(classes: &[ClassPtr]) -> PArray {
    PArray::from_values(classes.iter().map(|c| Value::from(&c.name)))
}

pub fn get_interfaces(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let class = state::class(cx, this)?;
    classes_by_name(cx, &class.get().interfaces)
}

pub fn get_interface_names(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    Ok(names(&state::class(cx, this)?.interfaces))
}

pub fn is_interface(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class(cx, this)?.is_interface())
}

pub fn get_traits(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let class = state::class(cx, this)?;
    classes_by_name(cx, &class.get().traits)
}

pub fn get_trait_names(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    Ok(names(&state::class(cx, this)?.traits))
}

pub fn get_trait_aliases(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let class = state::class(cx, this)?;
    let mut list = PArray::new();
    for adaptation in class.decl().map(|d| d.adaptations.as_slice()).unwrap_or_default() {
        let TraitAdaptation::Alias { class: named, method, alias: Some(alias), .. } = adaptation else { continue };
        let lower = method.as_bytes().to_ascii_lowercase();
        let owner = match named {
            Some(named) => Some(named.name.clone()),
            None => class.traits.iter().find(|t| t.methods.contains_key(lower.as_slice())).map(|t| t.name.clone()),
        };
        let Some(owner) = owner else { continue };
        list.set_str(alias, PStr::concat(&[owner.as_bytes(), b"::", method.as_bytes()]));
    }
    Ok(list)
}

pub fn is_trait(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class(cx, this)?.is(class_flags::TRAIT))
}

pub fn is_enum(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class(cx, this)?.is_enum())
}

pub fn is_abstract(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class(cx, this)?.is(class_flags::ABSTRACT | class_flags::HAS_ABSTRACT))
}

pub fn is_final(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(is_final_class(state::class(cx, this)?))
}

fn is_final_class(class: ClassPtr) -> bool {
    // Enums are final without saying so, but for builtin ones, which PHP does not mark.
    if class.is_enum() { !class.is(class_flags::BUILTIN) } else { class.is(class_flags::FINAL) }
}

pub fn is_read_only(cx: &mut Cx, this: &PObject) -> Res<bool> {
    Ok(state::class(cx, this)?.is(class_flags::READONLY))
}

pub fn get_modifiers(cx: &mut Cx, this: &PObject) -> Res<i64> {
    let class = state::class(cx, this)?;
    let mut bits = 0;
    if class.is(class_flags::ABSTRACT) {
        bits |= m::EXPLICIT_ABSTRACT_CLASS;
    }
    if is_final_class(class) {
        bits |= m::FINAL;
    }
    if class.is(class_flags::READONLY) {
        bits |= m::READONLY_CLASS;
    }
    Ok(bits)
}

pub fn is_instance(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<bool> {
    let class = state::class(cx, this)?;
    Ok(ClassPtr::of(object).is_a(class))
}

pub fn get_parent_class(cx: &mut Cx, this: &PObject) -> Res<OrFalse<PObject>> {
    let parent = state::class(cx, this)?.parent;
    Ok(OrFalse(parent.map(|p| state::make_class(cx, p)).transpose()?))
}

/// The class that a `ReflectionClass|string` argument means.
fn other_class(cx: &mut Cx, value: &Value, kind: &str) -> Res<ClassPtr> {
    if let Some(object) = value.as_object() {
        return state::class(cx, object);
    }
    let name = cx.to_string(value)?;
    match cx.find_class(name.as_bytes(), true)? {
        Some(class) => Ok(class),
        None => Err(state::exception(cx, text!(kind, " \"", name.as_bytes(), "\" does not exist"))),
    }
}

pub fn is_subclass_of(cx: &mut Cx, this: &PObject, class: &Value) -> Res<bool> {
    let own = state::class(cx, this)?;
    let other = other_class(cx, class, "Class")?;
    Ok(own != other && own.is_a(other))
}

pub fn implements_interface(cx: &mut Cx, this: &PObject, interface: &Value) -> Res<bool> {
    let own = state::class(cx, this)?;
    let other = other_class(cx, interface, "Interface")?;
    if !other.is_interface() {
        return Err(state::exception(cx, text!(other.name.as_bytes(), " is not an interface")));
    }
    Ok(own.is_a(other))
}

pub fn is_iterable(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let class = state::class(cx, this)?;
    let traversable = class.interfaces.iter().any(|i| i.lower.as_bytes() == b"traversable");
    Ok(!class.is(NOT_INSTANTIABLE) && traversable)
}

pub fn is_iterateable(cx: &mut Cx, this: &PObject) -> Res<bool> {
    is_iterable(cx, this)
}

pub fn get_extension(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let class = state::class(cx, this)?;
    match state::extension_of_class(class) {
        Some(name) => state::make_extension(cx, name),
        None => Ok(None),
    }
}

pub fn get_extension_name(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    Ok(state::or_false(state::extension_of_class(class)))
}

pub fn in_namespace(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let class = state::class(cx, this)?;
    Ok(!state::namespace_of(class.name.as_bytes()).is_empty())
}

pub fn get_namespace_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let class = state::class(cx, this)?;
    Ok(PStr::new(state::namespace_of(class.name.as_bytes())))
}

pub fn get_short_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let class = state::class(cx, this)?;
    Ok(PStr::new(state::short_name(class.name.as_bytes())))
}

pub fn get_attributes(cx: &mut Cx, this: &PObject, name: Option<&PStr>, flags: i64) -> Res<PArray> {
    let class = state::class(cx, this)?.get();
    let found = match (class.unit(), class.decl(), class.desc()) {
        (Some(unit), Some(decl), _) => Attributes::User(unit, &decl.attributes),
        (_, _, Some(desc)) => Attributes::Builtin(desc.attributes),
        _ => Attributes::None,
    };
    let scope = state::class(cx, this)?;
    attributes::list(cx, found, Some(scope), target::CLASS, name, flags)
}

// ---- new objects

/// Calls the constructor with arguments whose string keys are names.
fn construct(cx: &mut Cx, class: ClassPtr, args: &PArray) -> Res<PObject> {
    if let Some(message) = class.hooks.not_instantiable {
        return Err(cx.throw_error(message));
    }
    let object = cx.new_object(class)?;
    let Some(constructor) = class.magic.constructor else {
        if args.is_empty() {
            return Ok(object);
        }
        let text = text!("Class ", class.name.as_bytes(), " does not have a constructor, so you cannot pass any constructor arguments");
        return Err(state::exception(cx, text));
    };
    if members::of_method(constructor.flags) & m::PUBLIC == 0 {
        object.mark_destructed();
        return Err(state::exception(cx, text!("Access to non-public constructor of class ", class.name.as_bytes())));
    }
    match call(cx, constructor, &object, class, args) {
        Ok(()) => Ok(object),
        Err(stop) => {
            // A constructor that failed: the destructor must not run.
            object.mark_destructed();
            Err(stop)
        }
    }
}

/// Calls a method with arguments whose string keys are names.
pub fn call(cx: &mut Cx, method: FnPtr, object: &PObject, class: ClassPtr, args: &PArray) -> Res<()> {
    let callable = Callable {
        function: method,
        this: Some(object.clone()),
        class: Some(class),
        closure: None,
        magic_name: None,
        value: Value::null(),
    };
    cx.call_with_array(&callable, args).map(drop)
}

pub fn new_instance(cx: &mut Cx, this: &PObject, args: &[Value]) -> Res<PObject> {
    let class = state::class(cx, this)?;
    let args = state::all_arguments(cx, args);
    construct(cx, class, &args)
}

pub fn new_instance_args(cx: &mut Cx, this: &PObject, args: &PArray) -> Res<PObject> {
    let class = state::class(cx, this)?;
    construct(cx, class, args)
}

pub fn new_instance_without_constructor(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let class = state::class(cx, this)?;
    let hooks = class.hooks;
    let has_own_objects = hooks.create.is_some() || hooks.not_instantiable.is_some() || hooks.uncloneable;
    if class.is(class_flags::BUILTIN) && class.is(class_flags::FINAL) && has_own_objects {
        let text = text!(
            "Class ", class.name.as_bytes(), " is an internal class marked as final that cannot be instantiated without invoking its constructor"
        );
        return Err(state::exception(cx, text));
    }
    cx.new_object(class)
}

// ---- statics and defaults

pub fn get_static_properties(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let class = state::class(cx, this)?;
    // PHP evaluates all constant expressions of the class first, and shows what is wrong with them.
    for slot in &class.get().slots {
        cx.engine().evaluate(cx, &slot.default, slot.class)?;
    }
    let mut list = PArray::new();
    for p in class.get().static_properties.values() {
        if p.is(member_flags::PRIVATE) && p.class != class {
            continue;
        }
        // Typed ones without a value are not there.
        if let Some(value) = cx.engine().static_property(cx, class, p.name.as_bytes())? {
            list.set_str(&p.name, value);
        }
    }
    Ok(list)
}

pub fn get_static_property_value(cx: &mut Cx, this: &PObject, name: &PStr, default: Option<&Value>) -> Res<Value> {
    let class = state::class(cx, this)?;
    match class.get().static_properties.get(name.as_bytes()) {
        Some(_) => match cx.engine().static_property(cx, class, name.as_bytes())? {
            Some(value) => Ok(value),
            None => Err(uninitialized_static(cx, class, name)),
        },
        None => match default {
            Some(value) => Ok(value.clone()),
            None => Err(state::exception(cx, text!("Property ", class.name.as_bytes(), "::$", name.as_bytes(), " does not exist"))),
        },
    }
}

pub fn uninitialized_static(cx: &mut Cx, class: ClassPtr, name: &PStr) -> jumbo_abi::Stop {
    let owner = class.static_properties.get(name.as_bytes()).map_or(class, |p| p.class);
    cx.throw_error(text!("Typed static property ", owner.name.as_bytes(), "::$", name.as_bytes(), " must not be accessed before initialization"))
}

pub fn set_static_property_value(cx: &mut Cx, this: &PObject, name: &PStr, value: &Value) -> Res<()> {
    let class = state::class(cx, this)?;
    if !class.static_properties.contains_key(name.as_bytes()) {
        return Err(state::exception(cx, text!("Class ", class.name.as_bytes(), " does not have a property named ", name.as_bytes())));
    }
    cx.engine().set_static_property(cx, class, name.as_bytes(), value.clone())
}

pub fn get_default_properties(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let class = state::class(cx, this)?;
    let mut list = PArray::new();
    let (statics, instance): (Vec<Prop>, Vec<Prop>) =
        texts::properties_of(class).into_iter().partition(|p| p.flags() & member_flags::STATIC != 0);
    for p in statics.into_iter().chain(instance) {
        let Some(declared) = p.declared() else { continue };
        let value = match declared {
            Declared::Instance(q) if q.is(member_flags::PROMOTED) && q.ty.is_none() => Some(Value::null()),
            _ => texts::property_default(cx, declared)?,
        };
        if let Some(value) = value {
            list.set_str(&p.name, value);
        }
    }
    Ok(list)
}

