//! Traits: their methods, properties and constants become members of the using class.

use crate::inherit::next_function_id;
use crate::link::{Builder, Fail, Linking, NewProperty, add_property, class_name, fatal};
use crate::text;
use crate::variance::Obligation;
use indexmap::IndexMap;
use jumbo_abi::class::{ClassConst, ConstSource};
use jumbo_abi::{despite, ClassPtr, Cx, FnPtr, Function, Level, class_flags, func_flags, member_flags};
use jumbo_bytecode::types::ClassName;
use jumbo_bytecode::unit::{PropertyDecl, TraitAdaptation};
use jumbo_value::PStr;

/// What a property of a trait and the class's own of the same name may differ in.
const UNCOMPARED: u32 = member_flags::FINAL | member_flags::PROMOTED;

const VISIBILITY: u32 = func_flags::PUBLIC | func_flags::PROTECTED | func_flags::PRIVATE;

/// Adds the methods of all used traits: before the parent's are inherited.
pub fn bind_methods(cx: &mut Cx, b: &mut Builder) -> Linking<()> {
    if b.class.traits.is_empty() {
        return Ok(());
    }
    let traits = b.class.traits.clone();
    let excluded = check_adaptations(cx, b, &traits)?;
    let mut origins: IndexMap<Vec<u8>, ClassPtr> = IndexMap::new();
    for (n, &t) in traits.iter().enumerate() {
        for (lower, &f) in &t.methods {
            for a in &b.decl.adaptations {
                let TraitAdaptation::Alias { class, method, alias: Some(alias), flags } = a else { continue };
                if method.as_bytes().eq_ignore_ascii_case(lower) && class.as_ref().is_none_or(|c| c.handle == t.handle) {
                    add_method(b, &mut origins, t, f, alias, *flags)?;
                }
            }
            if excluded.iter().any(|(name, at)| *at == n && name.eq_ignore_ascii_case(lower)) {
                continue;
            }
            let mut flags = 0;
            for a in &b.decl.adaptations {
                let TraitAdaptation::Alias { class, method, alias: None, flags: f } = a else { continue };
                if method.as_bytes().eq_ignore_ascii_case(lower) && class.as_ref().is_none_or(|c| c.handle == t.handle) {
                    flags = *f;
                }
            }
            add_method(b, &mut origins, t, f, &f.name, flags)?;
        }
    }
    Ok(())
}

/// Adds the constants and properties of all used traits: after the parent's were inherited. May run PHP code.
pub fn bind_data(cx: &mut Cx, b: &mut Builder) -> Linking<()> {
    let traits = b.class.traits.clone();
    for &t in &traits {
        constants(cx, b, t)?;
    }
    for &t in &traits {
        properties(cx, b, t)?;
    }
    Ok(())
}

fn find_trait(cx: &mut Cx, b: &Builder, traits: &[ClassPtr], name: &ClassName) -> Linking<usize> {
    if let Some(n) = traits.iter().position(|t| t.handle == name.handle) {
        return Ok(n);
    }
    let text = match cx.find_class(name.name.as_bytes(), true)? {
        None => text!("Could not find trait ", name.name.as_bytes()),
        Some(c) if !c.is(class_flags::TRAIT) => {
            text!("Class ", class_name(c), " is not a trait, Only traits may be used in 'as' and 'insteadof' statements")
        }
        Some(c) => text!("Required Trait ", class_name(c), " wasn't added to ", b.name()),
    };
    Err(Fail::Fatal(Level::CompileError, text, b.line()))
}

/// Checks `insteadof` and `as` rules; returns the excluded (method, trait number) pairs.
fn check_adaptations(cx: &mut Cx, b: &Builder, traits: &[ClassPtr]) -> Linking<Vec<(Vec<u8>, usize)>> {
    let mut excluded: Vec<(Vec<u8>, usize)> = Vec::new();
    for a in &b.decl.adaptations {
        match a {
            TraitAdaptation::Precedence { class, method, excluded: others } => {
                let chosen = find_trait(cx, b, traits, class)?;
                let lower = method.as_bytes().to_ascii_lowercase();
                let Some(&t) = traits.get(chosen) else { continue };
                if !t.methods.contains_key(lower.as_slice()) {
                    let text = text!("A precedence rule was defined for ", class_name(t), "::", method.as_bytes(), " but this method does not exist");
                    return fatal(text, b.line());
                }
                for other in others {
                    let at = find_trait(cx, b, traits, other)?;
                    let Some(&o) = traits.get(at) else { continue };
                    if at == chosen {
                        let text = text!(
                            "Inconsistent insteadof definition. The method ", method.as_bytes(), " is to be used from ", class_name(t), ", but ",
                            class_name(t), " is also on the exclude list"
                        );
                        return fatal(text, b.line());
                    }
                    if excluded.iter().any(|(n, e)| *e == at && *n == lower) {
                        let text = text!(
                            "Failed to evaluate a trait precedence (", method.as_bytes(), "). Method of trait ", class_name(o),
                            " was defined to be excluded multiple times"
                        );
                        return fatal(text, b.line());
                    }
                    excluded.push((lower.clone(), at));
                }
            }
            TraitAdaptation::Alias { class: Some(class), method, .. } => {
                let at = find_trait(cx, b, traits, class)?;
                let Some(&t) = traits.get(at) else { continue };
                if !t.methods.contains_key(method.as_bytes().to_ascii_lowercase().as_slice()) {
                    return fatal(text!("An alias was defined for ", class_name(t), "::", method.as_bytes(), " but this method does not exist"), b.line());
                }
            }
            TraitAdaptation::Alias { class: None, method, alias, .. } => {
                let lower = method.as_bytes().to_ascii_lowercase();
                let mut having = traits.iter().filter(|t| t.methods.contains_key(lower.as_slice()));
                match (having.next(), having.next()) {
                    (None, _) => {
                        let text = match alias {
                            Some(alias) => {
                                text!("An alias (", alias.as_bytes(), ") was defined for method ", method.as_bytes(), "(), but this method does not exist")
                            }
                            None => {
                                text!("The modifiers of the trait method ", method.as_bytes(), "() are changed, but this method does not exist. Error")
                            }
                        };
                        return fatal(text, b.line());
                    }
                    (Some(x), Some(y)) => {
                        let (x, y, m) = (class_name(*x), class_name(*y), method.as_bytes());
                        let text = text!(
                            "An alias was defined for method ", m, "(), which exists in both ", x, " and ", y, ". Use ", x, "::", m, " or ", y, "::", m,
                            " to resolve the ambiguity"
                        );
                        return fatal(text, b.line());
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(excluded)
}

/// A trait's function in the scope of the using class.
fn rescope(b: &Builder, f: FnPtr, name: &PStr, flags: u32) -> Function {
    let body = f.body.clone();
    let mut new = f.flags | func_flags::FROM_TRAIT;
    if flags & VISIBILITY != 0 {
        new = new & !VISIBILITY | flags & VISIBILITY;
    }
    new |= flags & func_flags::FINAL;
    if name.as_bytes().eq_ignore_ascii_case(b"__construct") {
        new |= func_flags::CONSTRUCTOR;
    } else {
        new &= !func_flags::CONSTRUCTOR;
    }
    Function {
        code: f.code,
        literals: f.literals,
        flags: new,
        registers: f.registers,
        first_temp: f.first_temp,
        params: f.params,
        required: f.required,
        by_ref: f.by_ref,
        entry: f.entry,
        scope: Some(b.me),
        body,
        name: name.clone(),
        id: next_function_id(),
        prototype: None,
        param_types: f.param_types.clone(),
        return_type: f.return_type.clone(),
    }
}

fn rescoped(b: &mut Builder, f: FnPtr, name: &PStr, flags: u32) -> FnPtr {
    let new = rescope(b, f, name, flags);
    let new = b.functions.add(new);
    b.shown.push((new, f));
    new
}

fn add_method(b: &mut Builder, origins: &mut IndexMap<Vec<u8>, ClassPtr>, from: ClassPtr, f: FnPtr, name: &PStr, flags: u32) -> Linking<()> {
    let lower = name.as_bytes().to_ascii_lowercase();
    if let Some(existing) = b.class.methods.get(lower.as_slice()).copied() {
        match origins.get(&lower) {
            None => {
                // The class's own method wins; an abstract one of the trait demands its signature.
                if f.is(func_flags::ABSTRACT) {
                    let wanted = rescoped(b, f, name, flags);
                    demand(b, existing, wanted)?;
                }
                return Ok(());
            }
            Some(_) if existing.is(func_flags::ABSTRACT) => {
                let wanted = rescoped(b, f, name, flags);
                demand(b, wanted, existing)?;
                if f.is(func_flags::ABSTRACT) {
                    return Ok(());
                }
            }
            Some(_) if f.is(func_flags::ABSTRACT) => {
                let wanted = rescoped(b, f, name, flags);
                return demand(b, existing, wanted);
            }
            Some(origin) => {
                // The same code by two ways is no conflict.
                let code = |f: FnPtr| f.proto().map_or(std::ptr::null(), std::ptr::from_ref);
                if code(existing) == code(f) {
                    return Ok(());
                }
                let text = text!(
                    "Trait method ", class_name(from), "::", f.name.as_bytes(), " has not been applied as ", b.name(), "::", name.as_bytes(),
                    ", because of collision with ", class_name(*origin), "::", existing.name.as_bytes()
                );
                return fatal(text, b.line());
            }
        }
    }
    let function = rescope(b, f, name, flags);
    if flags & func_flags::FINAL != 0 && function.flags & func_flags::PRIVATE != 0 && !name.as_bytes().eq_ignore_ascii_case(b"__construct") {
        let text = b"Private methods cannot be final as they are never overridden by other classes".to_vec();
        let line = b.decl.line_start;
        b.notices.push((Level::CompileWarning, text, line));
    }
    origins.insert(lower.clone(), from);
    let function = b.functions.add(function);
    b.shown.push((function, f));
    b.class.methods.insert(lower.into(), function);
    Ok(())
}

/// An abstract trait method demands that `mine` has its signature; visibility is not asked for.
pub fn demand(b: &mut Builder, mine: FnPtr, wanted: FnPtr) -> Linking<()> {
    if mine.is(func_flags::STATIC) != wanted.is(func_flags::STATIC) {
        let origin = b.original(wanted).scope.map_or_else(Vec::new, class_name);
        let (a, c) = if mine.is(func_flags::STATIC) { ("non static", "static") } else { ("static", "non static") };
        let text = text!("Cannot make ", a, " method ", origin, "::", mine.name.as_bytes(), "() ", c, " in class ", b.name());
        return fatal(text, b.line_of(mine));
    }
    let shown = (b.original(mine), b.original(wanted));
    b.obligations.push(Obligation::Method { child: mine, parent: wanted, shown });
    Ok(())
}

/// Are the values the same that two definitions of one member give? What must be evaluated is evaluated, unless it names the class, which
/// is not complete yet. Where that throws they are not, and the exception waits to be told of along with what follows from it.
fn same_value(cx: &mut Cx, t: ClassPtr, x: &ConstSource, y: &ConstSource) -> Linking<bool> {
    if [x, y].into_iter().any(names_class) || [x, y].into_iter().all(|source| matches!(source, ConstSource::Known(_) | ConstSource::Case)) {
        return Ok(same_source(x, y));
    }
    let mut values = Vec::new();
    for source in [x, y] {
        match source {
            ConstSource::Known(raw) if raw.is_undef() => return Ok(false),
            ConstSource::Case => return Ok(false),
            ConstSource::Known(_) => values.extend(source.known()),
            ConstSource::Expr { .. } => match despite(cx.engine().evaluate(cx, source, t))? {
                Some(value) => values.push(value),
                None => return Ok(false),
            },
        }
    }
    match values.as_slice() {
        [a, b] => Ok(cx.identical(a, b)?),
        _ => Ok(false),
    }
}

/// Does the expression name the class that it belongs to?
fn names_class(source: &ConstSource) -> bool {
    let ConstSource::Expr { expr, .. } = source else { return false };
    // SAFETY: a part of the unit, which the instance holds.
    let jumbo_bytecode::unit::ConstExpr::Thunk { text, .. } = (unsafe { expr.as_ref() }) else { return false };
    let text = text.as_bytes().to_ascii_lowercase();
    [b"self".as_slice(), b"static", b"parent", b"__class__"].into_iter().any(|word| text.windows(word.len()).any(|w| w == word))
}

fn same_source(x: &ConstSource, y: &ConstSource) -> bool {
    match (x, y) {
        (ConstSource::Known(x), ConstSource::Known(y)) => {
            if x.is_undef() || y.is_undef() {
                return x.is_undef() == y.is_undef();
            }
            // SAFETY: literals of units are immortal.
            let (x, y) = unsafe { (x.into_value(), y.into_value()) };
            // What a unit has as a literal contains no references.
            jumbo_value::compare::identical(&x, &y) == Ok(true)
        }
        (ConstSource::Expr { expr: x, .. }, ConstSource::Expr { expr: y, .. }) => {
            // SAFETY: parts of units, which the instance holds.
            let (x, y) = unsafe { (x.as_ref(), y.as_ref()) };
            match (x, y) {
                (jumbo_bytecode::unit::ConstExpr::Thunk { text: x, .. }, jumbo_bytecode::unit::ConstExpr::Thunk { text: y, .. }) => x.as_bytes() == y.as_bytes(),
                _ => false,
            }
        }
        (ConstSource::Case, ConstSource::Case) => true,
        _ => false,
    }
}

fn same_type(x: &Option<jumbo_abi::Type>, y: &Option<jumbo_abi::Type>) -> bool {
    match (x, y) {
        (None, None) => true,
        (Some(x), Some(y)) => x.mask == y.mask && x.display().eq_ignore_ascii_case(&y.display()),
        _ => false,
    }
}

fn constants(cx: &mut Cx, b: &mut Builder, t: ClassPtr) -> Linking<()> {
    for (name, c) in &t.constants {
        if let Some(own) = b.class.constants.get(name) {
            if own.flags & member_flags::ENUM_CASE != 0 {
                let text = text!(
                    "Cannot use trait ", class_name(t), ", because ", class_name(t), "::", name, " conflicts with enum case ", b.name(), "::", name
                );
                return fatal(text, b.line());
            }
            if own.flags != c.flags || !same_type(&own.ty, &c.ty) || !same_value(cx, t, &own.value, &c.value)? {
                let first = first_definition(b, own.class, t, |u| u.constants.contains_key(name));
                let text = text!(
                    first, " and ", class_name(t), " define the same constant (", name, ") in the composition of ", b.name(),
                    ". However, the definition differs and is considered incompatible. Class was composed"
                );
                return fatal(text, b.line());
            }
            continue;
        }
        let constant = ClassConst {
            name: c.name.clone(),
            flags: c.flags,
            ty: c.ty.clone(),
            value: crate::inherit::copy_source(&c.value),
            class: b.me,
            attributes: c.attributes,
            doc_comment: c.doc_comment.clone(),
        };
        b.class.constants.insert(name.clone(), constant);
    }
    Ok(())
}

/// Who defined a member first: another trait, the class itself, or an ancestor.
fn first_definition(b: &Builder, class: ClassPtr, t: ClassPtr, has: impl Fn(ClassPtr) -> bool) -> Vec<u8> {
    if class != b.me {
        return class_name(class);
    }
    let before = b.class.traits.iter().copied().take_while(|u| *u != t).find(|u| has(*u));
    before.map_or_else(|| b.name().to_vec(), class_name)
}

/// What a trait says of one property, static or not.
struct TraitProperty {
    decl: PropertyDecl,
    default: ConstSource,
    get: Option<FnPtr>,
    set: Option<FnPtr>,
    attributes: jumbo_abi::class::NonNullSlice<jumbo_bytecode::unit::Attribute>,
}

fn properties(cx: &mut Cx, b: &mut Builder, t: ClassPtr) -> Linking<()> {
    let plain = |name: &PStr, flags: u32, ty: &Option<jumbo_abi::Type>, doc: &Option<PStr>| PropertyDecl {
        name: name.clone(),
        flags,
        ty: ty.clone(),
        default: None,
        get_hook: None,
        set_hook: None,
        attributes: Vec::new(),
        doc_comment: doc.clone(),
        line: b.decl.line_start,
    };
    let mut all: Vec<TraitProperty> = Vec::new();
    for p in t.properties.values() {
        let default = match t.slots.get(p.slot as usize) {
            Some(slot) => crate::inherit::copy_source(&slot.default),
            None => ConstSource::Known(jumbo_value::Raw::NULL),
        };
        let flags = if p.is_virtual() { p.flags | member_flags::VIRTUAL } else { p.flags };
        all.push(TraitProperty { decl: plain(&p.name, flags, &p.ty, &p.doc_comment), default, get: p.get_hook, set: p.set_hook, attributes: p.attributes });
    }
    for p in t.static_properties.values() {
        let decl = plain(&p.name, p.flags | member_flags::STATIC, &p.ty, &p.doc_comment);
        all.push(TraitProperty { decl, default: crate::inherit::copy_source(&p.default), get: None, set: None, attributes: p.attributes });
    }
    // In the order of their declarations, static ones among the others.
    if let Some(decl) = t.decl() {
        all.sort_by_key(|p| decl.properties.iter().position(|declared| declared.name == p.decl.name).unwrap_or(usize::MAX));
    }
    for p in all {
        let name = p.decl.name.clone();
        let is_static = p.decl.flags & member_flags::STATIC != 0;
        if b.class.is_enum() {
            return fatal(text!("Enum ", b.name(), " cannot include properties"), b.line());
        }
        if b.class.is(class_flags::READONLY) && p.decl.flags & member_flags::READONLY == 0 {
            let text = text!("Readonly class ", b.name(), " cannot use trait with a non-readonly property ", class_name(t), "::$", name.as_bytes());
            return fatal(text, b.line());
        }
        let own = b.class.properties.get(name.as_bytes()).filter(|q| q.class == b.me || q.flags & member_flags::PRIVATE == 0);
        let own_static = b.class.static_properties.get(name.as_bytes()).filter(|q| q.class == b.me || q.flags & member_flags::PRIVATE == 0);
        let owner = own.map(|q| q.class).or(own_static.map(|q| q.class)).unwrap_or(b.me);
        let inherited = owner != b.me;
        let existing = match (own, own_static) {
            (Some(own), _) => {
                let default = b.class.slots.get(own.slot as usize).map(|s| &s.default);
                let hooks = own.has_hooks() || p.get.is_some() || p.set.is_some();
                let equal = match default {
                    Some(default) if !hooks => same_value(cx, t, default, &p.default)?,
                    _ => false,
                };
                let same = !is_static
                    && own.flags & !UNCOMPARED == p.decl.flags & !UNCOMPARED
                    && same_type(&own.ty, &p.decl.ty)
                    && equal;
                Some((same, hooks))
            }
            (_, Some(own)) => {
                let same = is_static && own.flags & !UNCOMPARED == p.decl.flags & !UNCOMPARED && same_type(&own.ty, &p.decl.ty) && same_value(cx, t, &own.default, &p.default)?;
                Some((same, false))
            }
            (None, None) => None,
        };
        match existing {
            // A static one of an ancestor is shared no more.
            Some((true, _)) if !(is_static && inherited) => continue,
            Some((true, _)) => {}
            Some((false, hooks)) => {
                let first = first_definition(b, owner, t, |u| {
                    u.properties.contains_key(name.as_bytes()) || u.static_properties.contains_key(name.as_bytes())
                });
                let text = if hooks {
                    text!(
                        first, " and ", class_name(t), " define the same hooked property ($", name.as_bytes(), ") in the composition of ", b.name(),
                        ". Conflict resolution between hooked properties is currently not supported. Class was composed"
                    )
                } else {
                    text!(
                        first, " and ", class_name(t), " define the same property ($", name.as_bytes(), ") in the composition of ", b.name(),
                        ". However, the definition differs and is considered incompatible. Class was composed"
                    )
                };
                return fatal(text, b.line());
            }
            None => {}
        }
        let mut rescoped = |f: Option<FnPtr>| {
            let function = f.map(|f| rescope(b, f, &f.name, 0));
            function.map(|function| b.functions.add(function))
        };
        let (get, set) = (rescoped(p.get), rescoped(p.set));
        let line = b.line();
        add_property(b, NewProperty { decl: &p.decl, default: p.default, get, set, line })?;
        if is_static {
            if let Some(own) = b.class.static_properties.get_mut(name.as_bytes()) {
                own.attributes = p.attributes;
            }
        } else if let Some(own) = b.class.properties.get_mut(name.as_bytes()) {
            own.attributes = p.attributes;
        }
    }
    Ok(())
}
