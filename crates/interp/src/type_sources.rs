//! Demands of typed properties on references to them, kept for the life of the instance.

use crate::types::TypeSource;
use jumbo_abi::Cx;
use jumbo_abi::class::Property;
use jumbo_value::PRef;
use std::collections::HashMap;

/// By property, and by what the reference was bound to before (null: nothing).
#[derive(Default)]
struct Sources(HashMap<(*const Property, *const ()), Box<TypeSource>>);

fn entry(cx: &mut Cx, p: &Property, before: *const ()) -> Option<&'static TypeSource> {
    let mut source = crate::objects::type_source(p)?;
    // SAFETY: what references carry is made here or for static properties, and lives as long as the instance.
    source.also = unsafe { before.cast::<TypeSource>().as_ref() };
    let entry = cx.state::<Sources>().0.entry((std::ptr::from_ref(p), before)).or_insert_with(|| Box::new(source));
    let source: *const TypeSource = &**entry;
    // SAFETY: boxed, and kept until the instance ends.
    unsafe { source.as_ref() }
}

/// The demand of a property alone; None for an untyped one.
pub fn of(cx: &mut Cx, p: &Property) -> Option<&'static TypeSource> {
    entry(cx, p, std::ptr::null())
}

/// Binds a reference to a property, besides what others it is bound to already.
pub fn bind(cx: &mut Cx, reference: &PRef, p: &Property) {
    let before = reference.type_source();
    // A reference that only its variable and the caller have is bound to nothing any more.
    let before = if reference.ref_count() > 2 { before } else { std::ptr::null() };
    // SAFETY: as in `entry`.
    let known = unsafe { before.cast::<TypeSource>().as_ref() };
    let own = of(cx, p);
    let bound = std::iter::successors(known, |s| s.also).any(|s| own.is_some_and(|o| s.class == o.class && s.name == o.name));
    let source = if bound { known } else { entry(cx, p, before) };
    reference.set_type_source(source.map_or(std::ptr::null(), |s| std::ptr::from_ref(s).cast()));
}
