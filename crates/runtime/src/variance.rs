//! Compatibility of overriding members: parameters contravariant, return types covariant, properties and constants by their types.
//!
//! Runs when the class is complete and bound. Classes that a comparison needs are loaded; when one cannot be, PHP says so.
//!
//! Classes may load each other. As in PHP, a first look at a class collects the names that its comparisons miss ([`Wanted`], one queue for
//! all classes that are being linked); they are loaded one by one, and what is linked meanwhile and is not ready itself takes over the rest
//! of the queue. A class waits in [`Delayed`] as long as what it needs is on its way; whoever is linked next looks at those that wait.

use crate::link::{Checks, Fail, Linking, RaiseAt, class_name, shown};
use crate::text;
use jumbo_abi::class::ClassSource;
use jumbo_abi::{ClassPtr, Cx, FnPtr, Level, Res, Stop, Type, func_flags, mask, member_flags};
use jumbo_bytecode::types::ClassName;
use jumbo_bytecode::unit::ConstExpr;
use jumbo_value::{PStr, View};
use std::collections::VecDeque;
use std::sync::Arc;

/// A comparison to make when a class is complete. Members are named: they are looked up in the class and the parent.
pub enum Obligation {
    /// `shown`: the two as messages name them (trait methods by their trait).
    Method { child: FnPtr, parent: FnPtr, shown: (FnPtr, FnPtr) },
    Property { name: Box<[u8]>, parent: ClassPtr },
    StaticProperty { name: Box<[u8]>, parent: ClassPtr },
    /// The parameter of a property's own set hook takes what the property is.
    SetHook { name: Box<[u8]> },
    Constant { name: Box<[u8]>, parent: ClassPtr },
}

/// Classes that comparisons looked at: they hold again while these names are bound to the same classes.
#[derive(Default)]
pub struct Consulted {
    /// By the handles of their names, by id.
    classes: Vec<(u32, u32)>,
    /// The class whose loading ended with an exception.
    pub failed: Option<Vec<u8>>,
    /// Names of classes that were not there, where they were not to be loaded; it has been tried by now.
    missing: Vec<Vec<u8>>,
}

/// Names of classes to load for comparisons that wait, in the order in which they were missed.
#[derive(Default)]
struct Wanted {
    names: VecDeque<Vec<u8>>,
    /// How many classes are loading them.
    loading: usize,
}

/// Runs what finds the relatives of a class, which is not there for its loaders then and not loaded again, as if it were being loaded. An
/// exception ends the program when another class waits for this one by now.
pub fn beginning<T>(cx: &mut Cx, lower: &[u8], shown: &[u8], raise: RaiseAt, work: impl FnOnce(&mut Cx) -> Linking<T>) -> Linking<T> {
    let waiting = cx.state::<Delayed>().0.len();
    cx.autoloaders.running.push(lower.into());
    let result = work(cx);
    let running = &mut cx.autoloaders.running;
    if let Some(at) = running.iter().rposition(|r| **r == *lower) {
        running.remove(at);
    }
    match result {
        Err(Fail::Stop(Stop::Thrown)) if cx.state::<Delayed>().0.len() > waiting => {
            Err(Fail::Stop(during(cx, &text!(shown, " with variance dependencies"), raise, Stop::Thrown)))
        }
        result => result,
    }
}

impl Consulted {
    pub fn same_in(&self, cx: &Cx) -> bool {
        self.classes.iter().all(|&(handle, id)| cx.classes.get(handle).is_some_and(|class| class.id() == id))
    }
}

/// Result of a comparison.
#[derive(Clone, PartialEq, Eq)]
enum Fits {
    Yes,
    No,
    /// A class that is not there.
    Unknown(Vec<u8>),
}

/// A class that is bound already cannot be taken back: the exception that came in between ends the program. `what`: the class, and what
/// was being done.
pub fn during(cx: &mut Cx, what: &[u8], raise: RaiseAt, stop: Stop) -> Stop {
    let Stop::Thrown = stop else { return stop };
    let Some(exception) = cx.exception.take() else { return stop };
    let told = |cx: &mut Cx| -> Res<()> {
        let text = cx.call_method(&exception, b"__tostring", &[])?;
        let file = cx.call_method(&exception, b"getfile", &[])?;
        let line = cx.call_method(&exception, b"getline", &[])?;
        let text = text!("During inheritance of ", what, ": Uncaught ", text.as_bytes().unwrap_or_default());
        raise(cx, Level::Error, &text, PStr::new(file.as_bytes().unwrap_or_default()), line.as_int().unwrap_or_default() as u32)
    };
    match told(cx) {
        Ok(()) => Stop::Fatal,
        Err(stop) => stop,
    }
}

/// How the comparisons of a class ended, when not with an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Checked {
    Fits,
    /// Something was raised.
    Noticed,
    /// Not before other classes had been loaded.
    Waited,
    /// A class is missing that may be there later.
    Unready,
}

/// What all comparisons of one class have in common.
struct Context<'a> {
    class: ClassPtr,
    consulted: &'a mut Consulted,
    raise: RaiseAt,
    /// Classes may be loaded.
    load: bool,
    unready: bool,
}

/// Classes whose comparisons wait for a class that is being loaded.
#[derive(Default)]
struct Delayed(Vec<(ClassPtr, Arc<Checks>)>);

struct Checker<'a> {
    cx: &'a mut Cx,
    consulted: &'a mut Consulted,
    load: bool,
}

/// A parameter or return value as comparisons see it.
struct Shape {
    types: Vec<Option<Type>>,
    by_ref: Vec<bool>,
    names: Vec<Vec<u8>>,
    defaults: Vec<Option<Vec<u8>>>,
    variadic: bool,
    required: usize,
    ret: Option<Type>,
    tentative: bool,
    returns_ref: bool,
}

fn shape(f: FnPtr) -> Shape {
    match (f.proto(), f.desc()) {
        (Some(p), _) => Shape {
            types: p.params.iter().map(|p| p.ty.clone()).collect(),
            by_ref: p.params.iter().map(|p| p.by_ref).collect(),
            names: p.params.iter().map(|p| p.name.as_bytes().to_vec()).collect(),
            defaults: p.params.iter().enumerate().map(|(n, p)| default_text(p.default.as_ref(), n >= p_required(f) && !p.variadic)).collect(),
            variadic: f.is(func_flags::VARIADIC),
            required: f.required as usize,
            // `__toString` has its return type even when it is not written.
            ret: match &p.return_type {
                None if f.scope.is_some() && f.name.as_bytes().eq_ignore_ascii_case(b"__tostring") => Some(Type::of_mask(mask::STRING)),
                written => written.clone(),
            },
            tentative: false,
            returns_ref: f.is(func_flags::RETURNS_REF),
        },
        (None, Some(d)) => Shape {
            types: f.param_types.to_vec(),
            by_ref: d.params.iter().map(|p| p.by_ref || p.prefer_ref).collect(),
            names: d.params.iter().map(|p| p.name.as_bytes().to_vec()).collect(),
            defaults: d
                .params
                .iter()
                .enumerate()
                .map(|(n, p)| {
                    (n >= d.required as usize && !p.variadic).then(|| p.default.map_or_else(|| b"<default>".to_vec(), |t| t.as_bytes().to_vec()))
                })
                .collect(),
            variadic: f.is(func_flags::VARIADIC),
            required: f.required as usize,
            ret: f.return_type.clone(),
            tentative: d.tentative,
            returns_ref: f.is(func_flags::RETURNS_REF),
        },
        (None, None) => Shape {
            types: Vec::new(),
            by_ref: Vec::new(),
            names: Vec::new(),
            defaults: Vec::new(),
            variadic: false,
            required: 0,
            ret: None,
            tentative: false,
            returns_ref: false,
        },
    }
}

fn p_required(f: FnPtr) -> usize {
    f.required as usize
}

/// A default as PHP shows it in declarations.
fn default_text(default: Option<&ConstExpr>, optional: bool) -> Option<Vec<u8>> {
    let default = match default {
        Some(d) => d,
        None => return optional.then(|| b"<default>".to_vec()),
    };
    if !optional {
        return None;
    }
    Some(match default {
        ConstExpr::Thunk { text, .. } => {
            let plain = text.as_bytes().iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\\' | b':'));
            // The text marks fully qualified names, which declarations do not show.
            let text = text.as_bytes();
            if plain { text.strip_prefix(b"\\").unwrap_or(text).to_vec() } else { b"<expression>".to_vec() }
        }
        ConstExpr::Literal(raw) => {
            // SAFETY: a literal of a unit, immortal.
            let value = unsafe { raw.into_value() };
            match value.view() {
                View::Undef | View::Null => b"null".to_vec(),
                View::Bool(true) => b"true".to_vec(),
                View::Bool(false) => b"false".to_vec(),
                View::Int(i) => i.to_string().into_bytes(),
                View::Float(f) => jumbo_value::number::float_to_string(f, 14).to_vec(),
                View::Str(s) => {
                    let head = s.as_bytes().get(..10).unwrap_or(s.as_bytes());
                    text!("'", head, if s.len() > 10 { "..." } else { "" }, "'")
                }
                View::Array(a) if a.is_empty() => b"[]".to_vec(),
                View::Array(_) => b"[...]".to_vec(),
                _ => b"<expression>".to_vec(),
            }
        }
    })
}

/// `Scope::name(int $a, ...): string`, with `self` and `parent` resolved.
fn declaration(f: FnPtr, scope: ClassPtr, shown: ClassPtr) -> Vec<u8> {
    let s = shape(f);
    let mut out = Vec::new();
    if s.returns_ref {
        out.extend_from_slice(b"& ");
    }
    out.extend_from_slice(&class_name(shown));
    out.extend_from_slice(b"::");
    out.extend_from_slice(f.name.as_bytes());
    out.push(b'(');
    for (n, ty) in s.types.iter().enumerate() {
        if n > 0 {
            out.extend_from_slice(b", ");
        }
        if let Some(ty) = ty {
            out.extend_from_slice(&resolved(ty, scope).display());
            out.push(b' ');
        }
        if s.by_ref.get(n).is_some_and(|r| *r) {
            out.push(b'&');
        }
        if s.variadic && n + 1 == s.types.len() {
            out.extend_from_slice(b"...");
        }
        out.push(b'$');
        out.extend_from_slice(s.names.get(n).map_or(b"", |x| x.as_slice()));
        if let Some(Some(default)) = s.defaults.get(n) {
            out.extend_from_slice(b" = ");
            out.extend_from_slice(default);
        }
    }
    out.push(b')');
    if let Some(ret) = &s.ret {
        out.extend_from_slice(b": ");
        out.extend_from_slice(&resolved(ret, scope).display());
    }
    out
}

/// `self` and `parent` replaced by the classes they mean.
pub fn resolved(ty: &Type, scope: ClassPtr) -> Type {
    let mut ty = ty.clone();
    let resolve = |c: &mut ClassName| {
        let class = match c.lower.as_bytes() {
            b"self" => Some(scope),
            b"parent" => scope.parent,
            _ => None,
        };
        if let Some(class) = class {
            *c = ClassName { name: PStr::immortal(shown(class.name.as_bytes())), lower: class.lower.clone(), handle: class.handle };
        }
    };
    ty.classes.iter_mut().for_each(resolve);
    ty.intersections.iter_mut().flatten().for_each(resolve);
    ty
}

impl Checker<'_> {
    fn class(&mut self, name: &ClassName) -> Res<Option<ClassPtr>> {
        let found = match self.cx.classes.get(name.handle).copied() {
            Some(c) => Some(c),
            None if self.load && !self.consulted.missing.iter().any(|tried| tried == name.name.as_bytes()) => match self.cx.find_class(name.name.as_bytes(), true) {
                Ok(found) => found,
                Err(stop) => {
                    self.consulted.failed = Some(name.name.as_bytes().to_vec());
                    return Err(stop);
                }
            },
            None => {
                if !self.consulted.missing.iter().any(|known| known == name.name.as_bytes()) {
                    self.consulted.missing.push(name.name.as_bytes().to_vec());
                }
                None
            }
        };
        if let Some(class) = found
            && !self.consulted.classes.contains(&(name.handle, class.id()))
        {
            self.consulted.classes.push((name.handle, class.id()));
        }
        Ok(found)
    }

    /// Is every value of class `sub` a value of class `sup`?
    fn class_is(&mut self, sub: &ClassName, sup: &ClassName) -> Res<Fits> {
        if sub.handle == sup.handle || sub.lower.as_bytes() == sup.lower.as_bytes() {
            return Ok(Fits::Yes);
        }
        let Some(a) = self.class(sub)? else {
            // Both are loaded before PHP says that one is missing.
            self.class(sup)?;
            return Ok(Fits::Unknown(sub.name.as_bytes().to_vec()));
        };
        // Its ancestors are loaded, so the other one need not be.
        let by_name = a.handle == sup.handle
            || a.interfaces.iter().any(|i| i.handle == sup.handle)
            || std::iter::successors(a.parent, |c| c.parent).any(|c| c.handle == sup.handle);
        if by_name {
            return Ok(Fits::Yes);
        }
        match self.class(sup)? {
            Some(b) if a.is_a(b) => Ok(Fits::Yes),
            Some(_) => Ok(Fits::No),
            None => Ok(Fits::Unknown(sup.name.as_bytes().to_vec())),
        }
    }

    /// One class (or intersection) of the subtype against the whole supertype.
    fn group_fits(&mut self, group: &[ClassName], sup: &Type, static_of: Option<ClassPtr>) -> Res<Fits> {
        let _ = static_of;
        if sup.mask & mask::OBJECT != 0 {
            // Any class will do, but it must be there.
            let mut missing = None;
            for c in group {
                if self.class(c)?.is_some() {
                    return Ok(Fits::Yes);
                }
                missing.get_or_insert_with(|| c.name.as_bytes().to_vec());
            }
            return Ok(missing.map_or(Fits::Yes, Fits::Unknown));
        }
        let mut unknown = None;
        if sup.mask & mask::ITERABLE != 0 {
            for c in group {
                let traversable = crate::inherit::class_type(b"Traversable");
                match self.class_is(c, &traversable)? {
                    Fits::Yes => return Ok(Fits::Yes),
                    Fits::Unknown(u) => {
                        unknown.get_or_insert(u);
                    }
                    Fits::No => {}
                }
            }
        }
        if sup.mask & mask::CALLABLE != 0 && group.iter().any(|c| c.lower.as_bytes() == b"closure") {
            return Ok(Fits::Yes);
        }
        let singles = sup.classes.iter().map(std::slice::from_ref);
        for wanted in singles.chain(sup.intersections.iter().map(Vec::as_slice)) {
            let mut all = Fits::Yes;
            for w in wanted {
                let mut any = Fits::No;
                for c in group {
                    match self.class_is(c, w)? {
                        Fits::Yes => {
                            any = Fits::Yes;
                            break;
                        }
                        Fits::Unknown(u) => any = Fits::Unknown(u),
                        Fits::No => {}
                    }
                }
                if any != Fits::Yes {
                    all = any;
                    break;
                }
            }
            match all {
                Fits::Yes => return Ok(Fits::Yes),
                Fits::Unknown(u) => unknown = Some(u),
                Fits::No => {}
            }
        }
        Ok(unknown.map_or(Fits::No, Fits::Unknown))
    }

    /// Is `sub` (in scope `sub_scope`) a subtype of `sup`?
    fn subtype(&mut self, sub: &Type, sub_scope: ClassPtr, sup: &Type, sup_scope: ClassPtr) -> Res<Fits> {
        let (sub, sup) = (resolved(sub, sub_scope), resolved(sup, sup_scope));
        let mixed = |m: u32| m & mask::MIXED == mask::MIXED;
        if mixed(sup.mask) {
            return Ok(if sub.mask & mask::VOID != 0 { Fits::No } else { Fits::Yes });
        }
        if sub.mask & mask::NEVER != 0 {
            return Ok(Fits::Yes);
        }
        let mut rest = sub.mask & !sup.mask & !mask::ITERABLE;
        if sub.mask & mask::ITERABLE != 0 && sup.mask & mask::ITERABLE == 0 {
            // Traversable|array.
            let traversable = [crate::inherit::class_type(b"Traversable")];
            match self.group_fits(&traversable, &sup, None)? {
                Fits::Yes => {}
                other => return Ok(other),
            }
        }
        if rest & mask::STATIC != 0 {
            // The class itself stands for static.
            let itself =
                [ClassName { name: PStr::immortal(sub_scope.name.as_bytes()), lower: sub_scope.lower.clone(), handle: sub_scope.handle }];
            match self.group_fits(&itself, &sup, Some(sub_scope))? {
                Fits::Yes => rest &= !mask::STATIC,
                other => return Ok(other),
            }
        }
        if rest != 0 {
            return Ok(Fits::No);
        }
        let mut result = Fits::Yes;
        let singles = sub.classes.iter().map(std::slice::from_ref);
        for group in singles.chain(sub.intersections.iter().map(Vec::as_slice)) {
            match self.group_fits(group, &sup, None)? {
                Fits::Yes => {}
                Fits::No => return Ok(Fits::No),
                unknown => result = unknown,
            }
        }
        Ok(result)
    }

    /// Parameters and by-reference marks, without the return type.
    fn arguments(&mut self, child: &Shape, cs: ClassPtr, parent: &Shape, ps: ClassPtr) -> Res<Fits> {
        if parent.required < child.required || (parent.returns_ref && !child.returns_ref) || (parent.variadic && !child.variadic) {
            return Ok(Fits::No);
        }
        let declared = |s: &Shape| s.types.len() - usize::from(s.variadic);
        let (c, p) = (declared(child), declared(parent));
        if !child.variadic && c < p {
            return Ok(Fits::No);
        }
        let count = if parent.variadic && child.variadic { c.max(p) + 1 } else { p };
        let at = |s: &Shape, n: usize| if s.variadic { n.min(s.types.len() - 1) } else { n };
        let mut result = Fits::Yes;
        for n in 0..count {
            let (ci, pi) = (at(child, n), at(parent, n));
            if child.by_ref.get(ci) != parent.by_ref.get(pi) {
                return Ok(Fits::No);
            }
            let Some(Some(ct)) = child.types.get(ci) else { continue };
            let fits = match parent.types.get(pi).and_then(Option::as_ref) {
                None if ct.mask & mask::MIXED == mask::MIXED => Fits::Yes,
                None => Fits::No,
                Some(pt) => self.subtype(pt, ps, ct, cs)?,
            };
            match fits {
                Fits::Yes => {}
                Fits::No => return Ok(Fits::No),
                unknown => result = unknown,
            }
        }
        Ok(result)
    }

    fn returns(&mut self, child: &Shape, cs: ClassPtr, parent: &Shape, ps: ClassPtr) -> Res<Fits> {
        match (&child.ret, &parent.ret) {
            (_, None) => Ok(Fits::Yes),
            (None, Some(_)) => Ok(Fits::No),
            (Some(c), Some(p)) => self.subtype(c, cs, p, ps),
        }
    }
}

/// File and line of a function for messages.
fn place(f: FnPtr, class: ClassPtr) -> (PStr, u32) {
    match (f.unit(), f.proto()) {
        (Some(unit), Some(proto)) => (unit.file.clone(), proto.line_start),
        _ => class_place(class),
    }
}

fn class_place(class: ClassPtr) -> (PStr, u32) {
    match &class.source {
        ClassSource::User { unit, .. } => (unit.file.clone(), class.decl().map_or(0, |d| d.line_start)),
        ClassSource::Builtin(_) => (PStr::empty(), 0),
    }
}

fn has_attribute(f: FnPtr, lower: &[u8]) -> bool {
    f.proto().is_some_and(|p| p.attributes.iter().any(|a| a.name.lower.as_bytes() == lower))
}

/// Makes the collected comparisons.
pub fn check(
    cx: &mut Cx,
    class: ClassPtr,
    checks: &Arc<Checks>,
    consulted: &mut Consulted,
    raise: RaiseAt,
    load: bool,
) -> Linking<Checked> {
    // Nothing is said about a class that cannot be bound early: that comes when it is declared.
    if !load && matches!(compare(cx, class, checks, consulted, |_, _, _, _, _| Ok(()), false), Ok((_, true))) {
        return Ok(Checked::Unready);
    }
    let looked = if load { load_wanted(cx, class, checks, consulted)? } else { Looked::Ready };
    if looked == Looked::Done {
        return Ok(Checked::Waited);
    }
    let (noticed, unready) = compare(cx, class, checks, consulted, raise, load)?;
    if !unready && looked == Looked::Waited {
        return Ok(Checked::Waited);
    }
    if !unready {
        return Ok(if noticed { Checked::Noticed } else { Checked::Fits });
    }
    if load {
        cx.state::<Delayed>().0.push((class, checks.clone()));
    }
    Ok(Checked::Unready)
}

/// What a first look at the comparisons of a class found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Looked {
    /// Everything is there.
    Ready,
    /// Something was not, or a relative waits: it has been tried to load.
    Waited,
    /// So it was, and the comparisons have been made meanwhile.
    Done,
}

/// Loads what the comparisons of a class miss.
fn load_wanted(cx: &mut Cx, class: ClassPtr, checks: &Arc<Checks>, consulted: &mut Consulted) -> Linking<Looked> {
    let mut first = Consulted::default();
    // Errors are told by the comparisons that count.
    let looked = compare(cx, class, checks, &mut first, |_, _, _, _, _| Ok(()), false);
    let relatives = class.parent.into_iter().chain(class.interfaces.iter().copied());
    let above_waits = {
        let waiting = &cx.state::<Delayed>().0;
        relatives.into_iter().any(|relative| waiting.iter().any(|(waits, _)| *waits == relative))
    };
    if !matches!(looked, Ok((_, true))) && !above_waits {
        return Ok(Looked::Ready);
    }
    let wanted = &mut cx.state::<Wanted>().names;
    for name in &first.missing {
        if !wanted.contains(name) {
            wanted.push_back(name.clone());
        }
    }
    consulted.missing = first.missing;
    if wanted.is_empty() {
        return Ok(Looked::Waited);
    }
    cx.state::<Delayed>().0.push((class, checks.clone()));
    cx.state::<Wanted>().loading += 1;
    let mut result = Ok(());
    while let Some(name) = cx.state::<Wanted>().names.pop_front() {
        if let Err(stop) = cx.find_class(&name, true) {
            consulted.failed = Some(name);
            result = Err(Fail::Stop(stop));
            break;
        }
    }
    let wanted = cx.state::<Wanted>();
    wanted.loading -= 1;
    if wanted.loading == 0 {
        // After an exception nobody is left who would load the rest.
        wanted.names.clear();
    }
    let waiting = &mut cx.state::<Delayed>().0;
    let place = waiting.iter().position(|(waits, _)| *waits == class);
    if let Some(place) = place {
        waiting.remove(place);
    }
    result.map(|()| if place.is_some() { Looked::Waited } else { Looked::Done })
}

/// The comparisons: was there a notice, and is a class missing that may come?
fn compare(
    cx: &mut Cx,
    class: ClassPtr,
    checks: &Checks,
    consulted: &mut Consulted,
    raise: RaiseAt,
    load: bool,
) -> Linking<(bool, bool)> {
    let mut c = Context { class, consulted, raise, load, unready: false };
    let mut noticed = false;
    for o in &checks.obligations {
        match o {
            Obligation::Method { child, parent, shown } => noticed |= method(cx, &mut c, *child, *parent, *shown)?,
            Obligation::Property { name, parent } => {
                let (Some(own), Some(p)) = (class.properties.get(name), parent.properties.get(name)) else { continue };
                for (own, p) in [(own.get_hook, p.get_hook), (own.set_hook, p.set_hook)] {
                    if let (Some(own), Some(p)) = (own, p)
                        && own != p
                    {
                        method(cx, &mut c, own, p, (own, p))?;
                    }
                }
                if own.set_hook != p.set_hook {
                    set_hook_type(cx, &mut c, own.class, name, &own.ty, own.set_hook)?;
                }
                // A property without a hook of its own takes what it is: the parent's hook must not have promised more.
                if let (None, Some(theirs)) = (own.set_hook, p.set_hook)
                    && let Some(taken) = theirs.proto().and_then(|f| f.params.first()).map(|param| param.ty.clone())
                    && taken.as_ref().map(Type::display) != p.ty.as_ref().map(Type::display)
                {
                    let wanted = taken.clone();
                    let fits = match (&own.ty, &taken) {
                        (None, _) => Fits::Yes,
                        (Some(_), None) => Fits::No,
                        (Some(own_ty), Some(taken)) => {
                            Checker { cx, consulted: c.consulted, load }.subtype(taken, p.class, own_ty, own.class)?
                        }
                    };
                    if fits == Fits::No
                        && let Some(wanted) = wanted
                    {
                        let kind = if parent.is_interface() { "interface" } else { "class" };
                        let text = text!(
                            "Set type of ", class_name(class), "::$", name, " must be supertype of ", resolved(&wanted, p.class).display(),
                            " (as in ", kind, " ", class_name(p.class), ")"
                        );
                        let (file, line) = class_place(class);
                        raise(cx, Level::CompileError, &text, file, line)?;
                    }
                }
                let kind = match (p.is_virtual() || p.is(member_flags::ABSTRACT), p.get_hook.is_some(), p.set_hook.is_some()) {
                    (true, true, false) => Exact::Read,
                    (true, false, true) => Exact::Write,
                    _ => Exact::Both,
                };
                member_type(cx, &mut c, (&own.ty, own.class), (&p.ty, p.class), name, kind)?;
            }
            Obligation::SetHook { name } => {
                let Some(own) = class.properties.get(name) else { continue };
                set_hook_type(cx, &mut c, own.class, name, &own.ty, own.set_hook)?;
            }
            Obligation::StaticProperty { name, parent } => {
                let (Some(own), Some(p)) = (class.static_properties.get(name), parent.static_properties.get(name)) else { continue };
                member_type(cx, &mut c, (&own.ty, own.class), (&p.ty, p.class), name, Exact::Both)?;
            }
            Obligation::Constant { name, parent } => {
                let (Some(own), Some(theirs)) = (class.constants.get(name), parent.constants.get(name)) else { continue };
                let Some(wanted) = &theirs.ty else { continue };
                let fits = match &own.ty {
                    None => Fits::No,
                    Some(ty) => Checker { cx, consulted: c.consulted, load }.subtype(ty, own.class, wanted, theirs.class)?,
                };
                if fits != Fits::Yes && !waits(cx, &mut c, &fits) {
                    let text = text!(
                        "Type of ", class_name(class), "::", name, " must be compatible with ", class_name(theirs.class), "::", name, " of type ",
                        resolved(wanted, theirs.class).display()
                    );
                    let (file, line) = class_place(class);
                    raise(cx, Level::CompileError, &text, file, line)?;
                }
            }
        }
    }
    Ok((noticed, c.unready))
}

/// Makes the comparisons that waited for a class which may be there now: `checked` is how its own ended. One that was ready at once
/// leaves it to those who are loading, if there are any.
pub fn delayed(cx: &mut Cx, checked: Checked, raise: RaiseAt) -> Linking<()> {
    if matches!(checked, Checked::Fits | Checked::Noticed) && cx.state::<Wanted>().loading > 0 {
        return Ok(());
    }
    let waiting = std::mem::take(&mut cx.state::<Delayed>().0);
    for (class, checks) in waiting {
        check(cx, class, &checks, &mut Consulted::default(), raise, true)?;
    }
    Ok(())
}

/// Is the missing class one that may come: not to be loaded now, or being loaded?
fn waits(cx: &mut Cx, c: &mut Context, fits: &Fits) -> bool {
    let Fits::Unknown(missing) = fits else { return false };
    let lower = missing.to_ascii_lowercase();
    let coming = !c.load || cx.autoloaders.running.iter().any(|r| **r == *lower);
    c.unready |= coming;
    coming
}

/// Which way the types of a property must agree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exact {
    Both,
    /// Only read: a subtype will do.
    Read,
    /// Only written: a supertype will do.
    Write,
}

/// A set hook's parameter must be a supertype of its property.
fn set_hook_type(cx: &mut Cx, c: &mut Context, class: ClassPtr, name: &[u8], ty: &Option<Type>, hook: Option<FnPtr>) -> Linking<()> {
    let Some(hook) = hook.filter(|h| h.scope == Some(c.class)) else { return Ok(()) };
    let Some(param) = hook.proto().and_then(|f| f.params.first()) else { return Ok(()) };
    let fits = match (&param.ty, ty) {
        (None, None) => Fits::Yes,
        (Some(p), None) => if p.mask & mask::MIXED == mask::MIXED { Fits::Yes } else { Fits::No },
        (None, Some(t)) => if t.mask & mask::MIXED == mask::MIXED { Fits::Yes } else { Fits::No },
        (Some(p), Some(t)) => Checker { cx, consulted: c.consulted, load: c.load }.subtype(t, class, p, class)?,
    };
    if fits == Fits::Yes || waits(cx, c, &fits) {
        return Ok(());
    }
    let text = text!(
        "Type of parameter $", param.name.as_bytes(), " of hook ", class_name(class), "::$", name, "::set must be compatible with property type"
    );
    let (file, line) = place(hook, class);
    (c.raise)(cx, Level::CompileError, &text, file, line)?;
    Ok(())
}

fn member_type(
    cx: &mut Cx,
    c: &mut Context,
    own: (&Option<Type>, ClassPtr),
    parent: (&Option<Type>, ClassPtr),
    name: &[u8],
    exact: Exact,
) -> Linking<()> {
    let fits = match (own.0, parent.0) {
        (None, None) => Fits::Yes,
        (Some(_), None) if exact == Exact::Read => Fits::Yes,
        (None, Some(_)) if exact == Exact::Write => Fits::Yes,
        (Some(_), None) | (None, Some(_)) => Fits::No,
        (Some(a), Some(b)) => {
            let mut checker = Checker { cx, consulted: c.consulted, load: c.load };
            let down = if exact == Exact::Write { Fits::Yes } else { checker.subtype(a, own.1, b, parent.1)? };
            let up = if exact == Exact::Read { Fits::Yes } else { checker.subtype(b, parent.1, a, own.1)? };
            match (down, up) {
                (Fits::Yes, Fits::Yes) => Fits::Yes,
                (Fits::Unknown(u), _) | (_, Fits::Unknown(u)) => Fits::Unknown(u),
                _ => Fits::No,
            }
        }
    };
    if fits == Fits::Yes || waits(cx, c, &fits) {
        return Ok(());
    }
    let class = c.class;
    let (file, line) = class_place(class);
    let text = match parent.0 {
        None => text!("Type of ", class_name(class), "::$", name, " must not be defined (as in class ", class_name(parent.1), ")"),
        Some(ty) => {
            let relation = match exact {
                Exact::Both => "",
                Exact::Read => "subtype of ",
                Exact::Write => "supertype of ",
            };
            let kind = if parent.1.is_interface() { "interface" } else { "class" };
            text!(
                "Type of ", class_name(class), "::$", name, " must be ", relation, resolved(ty, parent.1).display(), " (as in ", kind, " ",
                class_name(parent.1), ")"
            )
        }
    };
    (c.raise)(cx, Level::CompileError, &text, file, line)?;
    Ok(())
}

fn method(cx: &mut Cx, ctx: &mut Context, child: FnPtr, parent: FnPtr, shown: (FnPtr, FnPtr)) -> Linking<bool> {
    let (class, raise) = (ctx.class, ctx.raise);
    let (c, p) = (shape(child), shape(parent));
    let child_scope = child.scope.unwrap_or(class);
    let parent_scope = parent.scope.unwrap_or(class);
    let mut checker = Checker { cx, consulted: ctx.consulted, load: ctx.load };
    let arguments = checker.arguments(&c, child_scope, &p, parent_scope)?;
    let returns = if arguments == Fits::Yes { checker.returns(&c, child_scope, &p, parent_scope)? } else { Fits::Yes };
    if arguments == Fits::Yes && returns == Fits::Yes {
        return Ok(false);
    }
    if waits(cx, ctx, &arguments) || waits(cx, ctx, &returns) {
        return Ok(false);
    }
    let (file, line) = place(child, class);
    let named = |f: FnPtr, scope: ClassPtr, shown: FnPtr| declaration(f, scope, shown.scope.unwrap_or(scope));
    let (mine, theirs) = (named(child, child_scope, shown.0), named(parent, parent_scope, shown.1));
    if arguments == Fits::Yes && p.tentative && !(matches!(returns, Fits::Unknown(_)) && !has_attribute(child, b"returntypewillchange")) {
        if has_attribute(child, b"returntypewillchange") {
            return Ok(false);
        }
        let text = text!(
            "Return type of ", mine, " should either be compatible with ", theirs,
            ", or the #[\\ReturnTypeWillChange] attribute should be used to temporarily suppress the notice"
        );
        if let Err(stop) = raise(cx, Level::Deprecated, &text, file, line) {
            return Err(Fail::Stop(during(cx, &class_name(parent_scope), raise, stop)));
        }
        return Ok(true);
    }
    let missing = match (&arguments, &returns) {
        (Fits::Unknown(u), _) | (Fits::Yes, Fits::Unknown(u)) => Some(u),
        _ => None,
    };
    let text = match missing {
        Some(missing) => text!("Could not check compatibility between ", mine, " and ", theirs, ", because class ", missing, " is not available"),
        None => text!("Declaration of ", mine, " must be compatible with ", theirs),
    };
    raise(cx, Level::CompileError, &text, file, line)?;
    Err(Fail::Stop(Stop::Fatal))
}
