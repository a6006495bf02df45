//! Functions about classes and objects.

use jumbo_abi::class::ConstSource;
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, Level, OrFalse, PArray, PObject, PStr, Res, Value, View, class_flags, func_flags, member_flags, registry};
use jumbo_value::Heap;

pub fn get_class(cx: &mut Cx, object: Option<&PObject>) -> Res<PStr> {
    if let Some(object) = object {
        return Ok(ClassPtr::of(object).name.clone());
    }
    match cx.caller_scope() {
        Some(class) => {
            cx.raise(Level::Deprecated, b"Calling get_class() without arguments is deprecated")?;
            Ok(class.name.clone())
        }
        None => Err(cx.throw_error("get_class() without arguments must be called from within a class")),
    }
}

pub fn get_called_class(cx: &mut Cx) -> Res<PStr> {
    match cx.engine().caller_static_class(cx) {
        Some(class) => Ok(class.name.clone()),
        None => Err(cx.throw_error("get_called_class() must be called from within a class")),
    }
}

pub fn get_parent_class(cx: &mut Cx, object_or_class: Option<&Value>) -> Res<OrFalse<PStr>> {
    let class = match object_or_class.map(Value::view) {
        None => {
            cx.raise(Level::Deprecated, b"Calling get_parent_class() without arguments is deprecated")?;
            cx.caller_scope()
        }
        Some(_) => Some(object_or_class_name(cx, object_or_class)?),
    };
    Ok(OrFalse(class.and_then(|c| c.parent).map(|p| p.name.clone())))
}

fn is_a_class(cx: &mut Cx, value: &Value, class: &PStr, allow_string: bool, only_subclass: bool) -> Res<bool> {
    let own = match value.view() {
        View::Object(o) => ClassPtr::of(o),
        View::Str(name) if allow_string => match cx.find_class(name.as_bytes(), true)? {
            Some(own) => own,
            None => return Ok(false),
        },
        _ => return Ok(false),
    };
    // The other class is not autoloaded: nothing is an instance of a class that does not exist.
    let other = cx.find_class(class.as_bytes(), false)?;
    Ok(other.is_some_and(|other| own.is_a(other) && !(only_subclass && own == other)))
}

pub fn is_subclass_of(cx: &mut Cx, object_or_class: &Value, class: &PStr, allow_string: bool) -> Res<bool> {
    is_a_class(cx, object_or_class, class, allow_string, true)
}

pub fn is_a(cx: &mut Cx, object_or_class: &Value, class: &PStr, allow_string: bool) -> Res<bool> {
    is_a_class(cx, object_or_class, class, allow_string, false)
}

/// Whether a member of `owner` with these flags is visible from `scope`.
fn visible(flags: u32, owner: ClassPtr, scope: Option<ClassPtr>) -> bool {
    if flags & member_flags::PRIVATE != 0 {
        return scope == Some(owner);
    }
    if flags & member_flags::PROTECTED != 0 {
        return scope.is_some_and(|scope| scope.is_a(owner) || owner.is_a(scope));
    }
    true
}

/// Whatever is given is converted as a cast converts it.
pub fn get_class_vars(cx: &mut Cx, class: &Value) -> Res<PArray> {
    let class = cx.to_string(class)?;
    let Some(found) = cx.find_class(class.as_bytes(), true)? else {
        let message = [b"must be a valid class name, ".as_slice(), class.as_bytes(), b" given"];
        return Err(cx.arg_type_error(1, message));
    };
    let scope = cx.caller_scope();
    let mut vars = PArray::new();
    // Defaults that are expressions are evaluated by making an object.
    let evaluated = found.slots.iter().any(|s| !matches!(s.default, ConstSource::Known(_)));
    let sample = if evaluated { Some(cx.new_object(found)?) } else { None };
    for property in found.properties.values() {
        if property.is_virtual() || !property.accessible || !visible(property.flags, property.class, scope) {
            continue;
        }
        let value = match (&sample, found.slots.get(property.slot as usize).map(|s| &s.default)) {
            (Some(object), _) => object.slot(property.slot),
            (None, Some(source)) => source.known().unwrap_or_default(),
            (None, None) => continue,
        };
        // A typed property without default is null here.
        let value = if value.is_undef() { Value::null() } else { value.copy_deref() };
        vars.set_str(&property.name, value);
    }
    for property in found.get().static_properties.values().filter(|p| visible(p.flags, p.class, scope)) {
        // What it was declared with, not what it holds now.
        let value = cx.engine().evaluate(cx, &property.default, property.class)?;
        vars.set_str(&property.name, if value.is_undef() { Value::null() } else { value });
    }
    Ok(vars)
}

pub fn get_object_vars(cx: &mut Cx, object: &PObject) -> Res<PArray> {
    let scope = cx.caller_scope();
    cx.engine().visible_properties(cx, object, scope, true)
}

pub fn get_mangled_object_vars(cx: &mut Cx, object: &PObject) -> Res<PArray> {
    if jumbo_abi::ClassPtr::of(object).hooks.properties.is_some() {
        // What the class shows as its properties is not asked for, but what it has.
        return Ok(cx.engine().plain_properties(object));
    }
    cx.properties(object, Purpose::ArrayCast)
}

pub fn get_class_methods(cx: &mut Cx, object_or_class: &Value) -> Res<PArray> {
    let class = object_or_class_name(cx, Some(object_or_class))?;
    let scope = cx.caller_scope();
    let methods = class.methods.values().filter(|m| {
        // Closures have theirs when it is asked for.
        if class.lower.as_bytes() == b"closure" && m.name.as_bytes() == b"__invoke" {
            return false;
        }
        let flags = if m.is(func_flags::PRIVATE) {
            member_flags::PRIVATE
        } else if m.is(func_flags::PROTECTED) {
            member_flags::PROTECTED
        } else {
            member_flags::PUBLIC
        };
        visible(flags, m.scope.unwrap_or(class), scope)
    });
    Ok(PArray::from_values(methods.map(|m| Value::from(&m.name))))
}

/// The class that the first argument means, which must be an object or the name of a class.
fn object_or_class_name(cx: &mut Cx, value: Option<&Value>) -> Res<ClassPtr> {
    let class = match value.map(Value::view) {
        Some(View::Object(o)) => Some(ClassPtr::of(o)),
        Some(View::Str(name)) => cx.find_class(name.as_bytes(), true)?,
        _ => None,
    };
    match class {
        Some(class) => Ok(class),
        None => {
            let given = value.map_or_else(|| b"null".to_vec(), jumbo_abi::args::type_name);
            let message = [b"must be an object or a valid class name, ".as_slice(), &given, b" given"];
            Err(cx.arg_type_error(1, message))
        }
    }
}

/// The class that an `object|string` argument without a declared type means. None: no such class.
fn class_of_argument(cx: &mut Cx, value: &Value) -> Res<Option<ClassPtr>> {
    match value.view() {
        View::Object(o) => Ok(Some(ClassPtr::of(o))),
        View::Str(name) => cx.find_class(name.as_bytes(), true),
        _ => {
            let given = String::from_utf8_lossy(&jumbo_abi::args::type_name(value)).into_owned();
            Err(cx.arg_type_error(1, format_args!("must be of type object|string, {given} given")))
        }
    }
}

pub fn method_exists(cx: &mut Cx, object_or_class: &Value, method: &PStr) -> Res<bool> {
    let Some(class) = class_of_argument(cx, object_or_class)? else { return Ok(false) };
    let lower = method.as_bytes().to_ascii_lowercase();
    Ok(match class.method(&lower) {
        // A class does not have the private methods of its parents, its objects do.
        Some(m) => object_or_class.is_object() || !m.is(func_flags::PRIVATE) || m.scope == Some(class),
        None => {
            if class.hooks.opaque
                && let (Some(refuse), Some(object)) = (class.hooks.delegate, object_or_class.as_object())
            {
                refuse(cx, object)?;
            }
            class.lower.as_bytes() == b"closure" && lower == b"__invoke"
        }
    })
}

pub fn property_exists(cx: &mut Cx, object_or_class: &Value, property: &PStr) -> Res<bool> {
    let Some(class) = class_of_argument(cx, object_or_class)? else { return Ok(false) };
    let name = property.as_bytes();
    if let Some(p) = class.properties.get(name)
        && (p.flags & member_flags::PRIVATE == 0 || p.class == class)
    {
        return Ok(true);
    }
    if let Some(p) = class.static_properties.get(name)
        && (p.flags & member_flags::PRIVATE == 0 || p.class == class)
    {
        return Ok(true);
    }
    match object_or_class.as_object() {
        // A private property of a parent, seen from the parent.
        Some(_) if own_private(cx, class, name) => Ok(true),
        Some(object) => {
            if let Some(hook) = class.hooks.prop_exists
                && let Some(answer) = hook(cx, object, name)?
            {
                return Ok(answer);
            }
            if object.dynamic().is_some_and(|d| d.get_str(property).is_some()) {
                return Ok(true);
            }
            if class.hooks.prop_read.is_none() {
                return Ok(false);
            }
            cx.engine().has_property(cx, object, property, false, Some(class))
        }
        _ => Ok(false),
    }
}

/// Whether the calling scope is a parent of `class` with a private property of this name.
fn own_private(cx: &Cx, class: ClassPtr, name: &[u8]) -> bool {
    cx.caller_scope().is_some_and(|scope| {
        let private = |flags: u32, owner: ClassPtr| flags & member_flags::PRIVATE != 0 && owner == scope;
        class.is_a(scope)
            && (scope.properties.get(name).is_some_and(|p| private(p.flags, p.class))
                || scope.static_properties.get(name).is_some_and(|p| private(p.flags, p.class)))
    })
}

fn exists(cx: &mut Cx, name: &PStr, autoload: bool, wanted: u32, unwanted: u32) -> Res<bool> {
    let class = cx.find_class(name.as_bytes(), autoload)?;
    Ok(class.is_some_and(|c| (wanted == 0 || c.is(wanted)) && !c.is(unwanted)))
}

pub fn class_exists(cx: &mut Cx, class: &PStr, autoload: bool) -> Res<bool> {
    exists(cx, class, autoload, 0, class_flags::INTERFACE | class_flags::TRAIT)
}

pub fn interface_exists(cx: &mut Cx, interface: &PStr, autoload: bool) -> Res<bool> {
    exists(cx, interface, autoload, class_flags::INTERFACE, 0)
}

pub fn trait_exists(cx: &mut Cx, name: &PStr, autoload: bool) -> Res<bool> {
    exists(cx, name, autoload, class_flags::TRAIT, 0)
}

pub fn enum_exists(cx: &mut Cx, name: &PStr, autoload: bool) -> Res<bool> {
    exists(cx, name, autoload, class_flags::ENUM, 0)
}

/// Names that no class may have.
const RESERVED: &[&[u8]] = &[
    b"bool", b"false", b"float", b"int", b"null", b"parent", b"self", b"static", b"string", b"true", b"void", b"never", b"iterable",
    b"object", b"mixed", b"array", b"callable",
];

/// What a name of a class takes besides its letters, as measured.
const ALIAS_BYTES: usize = 160;

pub fn class_alias(cx: &mut Cx, class: &PStr, alias: &PStr, autoload: bool) -> Res<bool> {
    let Some(found) = cx.find_class(class.as_bytes(), autoload)? else {
        let message = [b"Class \"".as_slice(), class.as_bytes(), b"\" not found"];
        cx.raise(Level::Warning, &message)?;
        return Ok(false);
    };
    let name = alias.as_bytes().strip_prefix(b"\\").unwrap_or(alias.as_bytes());
    let last = name.rsplit(|&b| b == b'\\').next().unwrap_or(name);
    if name == b"_" {
        cx.raise(Level::Deprecated, b"Using \"_\" as a class alias is deprecated since 8.4")?;
    }
    if RESERVED.iter().any(|reserved| last.eq_ignore_ascii_case(reserved)) {
        let message = [b"Cannot use \"".as_slice(), name, b"\" as a class alias as it is reserved"];
        cx.raise(Level::CompileError, &message)?;
    }
    // The name has a place in the process's table, and one in the request's.
    Heap::try_charge_current(name.len() + ALIAS_BYTES)?;
    if cx.alias_class(found, name) {
        return Ok(true);
    }
    let other = cx.declared_class(name);
    let kind = found.kind_word();
    let place = other.and_then(|c| c.place()).map(|(file, line)| {
        [b" (previously declared in ".as_slice(), file.as_bytes(), format!(":{line})").as_bytes()].concat()
    });
    let message =
        [b"Cannot redeclare ".as_slice(), kind.as_bytes(), b" ", alias.as_bytes(), &place.unwrap_or_default()];
    cx.raise(Level::Warning, &message)?;
    Ok(false)
}

/// Names of all declared classes whose kind is `wanted` (0: classes and enums).
fn declared(cx: &mut Cx, wanted: u32) -> PArray {
    let fits = |class: &ClassPtr| {
        if wanted == 0 { !class.is(class_flags::INTERFACE | class_flags::TRAIT) } else { class.is(wanted) }
    };
    let mut names = PArray::new();
    for class in registry::get().classes.values().filter(|c| fits(c)) {
        names.append(&class.name);
    }
    for (name, class) in cx.user_classes().into_iter().filter(|(_, c)| fits(c)) {
        // An alias stands by its own name, of which only the lower-cased form is kept.
        if class.lower == name { names.append(&class.name) } else { names.append(name) }
    }
    names
}

pub fn get_declared_classes(cx: &mut Cx) -> PArray {
    declared(cx, 0)
}

pub fn get_declared_traits(cx: &mut Cx) -> PArray {
    declared(cx, class_flags::TRAIT)
}

pub fn get_declared_interfaces(cx: &mut Cx) -> PArray {
    declared(cx, class_flags::INTERFACE)
}
