//! Demands of typed properties on references to them, kept for the life of the instance, one per property.

use crate::types::TypeSource;
use jumbo_abi::Cx;
use jumbo_abi::class::Property;
use std::collections::HashMap;

#[derive(Default)]
struct Sources(HashMap<*const Property, Box<TypeSource>>);

/// The demand of a property, as the opaque pointer that references carry; null for an untyped one.
pub fn of(cx: &mut Cx, p: &Property) -> *const () {
    let Some(source) = crate::objects::type_source(p) else { return std::ptr::null() };
    let entry = cx.state::<Sources>().0.entry(std::ptr::from_ref(p)).or_insert_with(|| Box::new(source));
    std::ptr::from_ref::<TypeSource>(entry).cast()
}
