//! Demands of typed properties on references to them, kept for the life of the instance.
//!
//! A reference carries the newest of its demands, each knows the one before it. Demands end when the property is unset or bound to another
//! reference; when an object ends, its demands are left behind (nobody is told), and count only as long as others hold the reference.

use crate::types::TypeSource;
use jumbo_abi::Cx;
use jumbo_abi::class::{Property, StaticProperty};
use jumbo_value::hash::WordMap;
use jumbo_value::{PRef, Raw};

/// By property, whether several objects are meant, and what the reference was bound to before (null: nothing).
#[derive(Default)]
struct Sources(WordMap<(*const (), bool, *const ()), Box<TypeSource>>);

/// The demand `source` on top of those in `before`.
fn entry(cx: &mut Cx, mut source: TypeSource, before: *const ()) -> &'static TypeSource {
    // SAFETY: what references carry is made here, and lives as long as the instance.
    source.also = unsafe { before.cast::<TypeSource>().as_ref() };
    let entry = cx.state::<Sources>().0.entry((source.declared, source.many, before)).or_insert_with(|| Box::new(source));
    let source: *const TypeSource = &**entry;
    // SAFETY: boxed, and kept until the instance ends.
    unsafe { &*source }
}

fn of_property(p: &Property) -> Option<TypeSource> {
    let declared = std::ptr::from_ref(p).cast();
    Some(TypeSource { ty: p.ty.clone()?, class: p.class, name: p.name.clone(), is_static: false, also: None, declared, many: false })
}

fn of_static_property(p: &StaticProperty) -> Option<TypeSource> {
    let declared = std::ptr::from_ref(p).cast();
    Some(TypeSource { ty: p.ty.clone()?, class: p.class, name: p.name.clone(), is_static: true, also: None, declared, many: false })
}

/// The demand of a property alone; None for an untyped one.
pub fn of(cx: &mut Cx, p: &Property) -> Option<&'static TypeSource> {
    of_property(p).map(|s| entry(cx, s, std::ptr::null()))
}

/// Binds a reference to a property, besides what others it is bound to already. `direct`: it was made of a property itself.
pub fn bind(cx: &mut Cx, reference: &PRef, p: &Property, direct: bool) {
    if let Some(source) = of_property(p) {
        bind_source(cx, reference, source, direct);
    }
}

/// As [`bind`] for a static property.
pub fn bind_static(cx: &mut Cx, reference: &PRef, p: &StaticProperty, direct: bool) {
    if let Some(source) = of_static_property(p) {
        bind_source(cx, reference, source, direct);
    }
}

/// As [`bind`] for a demand that is known.
pub fn bind_source(cx: &mut Cx, reference: &PRef, source: TypeSource, direct: bool) {
    let before = reference.type_source();
    // SAFETY: as in `entry`.
    let known = unsafe { before.cast::<TypeSource>().as_ref() };
    // A reference that only its variable and the caller have is bound to nothing any more, unless a static property holds it.
    let known = known.filter(|k| direct || k.is_static || reference.ref_count() > 2);
    let same = known.and_then(|k| k.all().into_iter().find(|s| s.declared == source.declared).map(|s| s.many));
    let newest = match same {
        Some(true) => known,
        Some(false) if source.is_static => known,
        Some(false) => rebuild(cx, known, source.declared, true),
        None => Some(entry(cx, source, known.map_or(std::ptr::null(), |k| std::ptr::from_ref(k).cast()))),
    };
    reference.set_type_source(newest.map_or(std::ptr::null(), |s| std::ptr::from_ref(s).cast()));
}

/// The demands without the one of `declared`, or with it said to be of several objects.
fn rebuild(cx: &mut Cx, known: Option<&TypeSource>, declared: *const (), many: bool) -> Option<&'static TypeSource> {
    let mut newest: Option<&'static TypeSource> = None;
    for s in known.into_iter().flat_map(TypeSource::all) {
        if s.declared == declared && !many {
            continue;
        }
        let before = newest.map_or(std::ptr::null(), |n| std::ptr::from_ref(n).cast());
        let many = s.many || s.declared == declared;
        let copy = TypeSource { many, ..s.alone() };
        newest = Some(entry(cx, copy, before));
    }
    newest
}

/// The demand of the static property that stands in this slot itself, if it is a typed one that was referenced.
///
/// # Safety
/// The slot is live.
pub unsafe fn of_static_slot(cx: &Cx, slot: *mut Raw) -> Option<&'static TypeSource> {
    // SAFETY: as promised; type sources and classes live as long as the instance.
    unsafe {
        if !(*slot).is_ref() {
            return None;
        }
        let newest: &'static TypeSource = (*slot).as_reference().type_source().cast::<TypeSource>().as_ref()?;
        newest.all().into_iter().find(|s| {
            s.is_static && cx.class_states.slots.get((*s.declared.cast::<StaticProperty>()).number).is_some_and(|own| own.as_ptr() == slot)
        })
    }
}

/// The slot of a property is about to lose what it holds: a reference there is not bound to the property any more.
///
/// # Safety
/// `raw` is live.
pub unsafe fn unbind(cx: &mut Cx, raw: Raw, declared: *const ()) {
    if !raw.is_ref() {
        return;
    }
    // SAFETY: a live reference; type sources live as long as the instance.
    unsafe {
        let reference = raw.as_reference();
        let Some(known) = reference.type_source().cast::<TypeSource>().as_ref() else { return };
        if !known.all().iter().any(|s| s.declared == declared && !s.many) {
            return;
        }
        let newest = rebuild(cx, Some(known), declared, false);
        reference.set_type_source(newest.map_or(std::ptr::null(), |s| std::ptr::from_ref(s).cast()));
    }
}
