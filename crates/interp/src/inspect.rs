//! What Reflection asks about properties, closures and static variables, past what PHP code may do itself: see
//! [`jumbo_abi::Engine`].

use crate::objects::{self, Found};
use crate::vm::Vm;
use crate::{closure, lazy, statics};
use jumbo_abi::inspect::ClosureInfo;
use jumbo_abi::{ClassPtr, Cx, FnPtr, PArray, PObject, PStr, Res, Value};
use std::ptr;

/// The access that goes past the hooks of one property of one object: it is told once that it runs inside of the hook.
#[derive(Clone, Copy)]
pub struct RawAccess {
    pub object: u32,
    pub property: *const jumbo_abi::class::Property,
}

impl RawAccess {
    pub fn is(&self, object: &PObject, property: &jumbo_abi::class::Property) -> bool {
        self.object == object.id() && ptr::eq(self.property, property)
    }
}

/// Runs `access` on the object (a proxy's real instance) as code inside of the property's hooks would.
fn past_hooks<T>(
    cx: &mut Cx,
    object: &PObject,
    class: ClassPtr,
    name: &PStr,
    writes: bool,
    access: impl FnOnce(&mut Cx, &PObject) -> Res<T>,
) -> Res<T> {
    // The initialiser of a lazy object runs before the mark is set: it is ordinary code.
    let real = lazy::stored(cx, object, name, class)?;
    let object = real.unwrap_or_else(|| object.clone());
    let vm = Vm::of(cx);
    if let Found::Declared(p) = objects::find(ClassPtr::of(&object), name.as_bytes(), Some(class))
        && p.has_hooks()
    {
        if p.is_virtual() {
            let missing = if writes { p.set_hook.is_none() } else { p.get_hook.is_none() };
            if missing {
                let kind: &[u8] = if writes { b" is read-only" } else { b" is write-only" };
                let text = [b"Property ".as_slice(), &objects::member_of(ClassPtr::of(&object), &p.name), kind].concat();
                return Err(cx.throw_error(text));
            }
        }
        // SAFETY: the machine is live.
        unsafe { (*vm).raw_access = Some(RawAccess { object: object.id(), property: ptr::from_ref(p) }) };
    }
    let result = access(cx, &object);
    // SAFETY: as above.
    unsafe { (*vm).raw_access = None };
    result
}

pub fn raw_property(cx: &mut Cx, object: &PObject, class: ClassPtr, name: &PStr) -> Res<Value> {
    past_hooks(cx, object, class, name, false, |cx, object| objects::read(cx, object, name, Some(class), false))
}

pub fn set_raw_property(cx: &mut Cx, object: &PObject, class: ClassPtr, name: &PStr, value: Value) -> Res<()> {
    past_hooks(cx, object, class, name, true, |cx, object| objects::write(cx, object, name, value, Some(class)).map(drop))
}

pub fn property_is_initialized(cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<bool> {
    // No magic method is asked.
    let real = match scope {
        Some(class) => lazy::stored(cx, object, name, class)?,
        None => lazy::whole(cx, object)?,
    };
    Ok(objects::is_initialized(real.as_ref().unwrap_or(object), name, scope))
}

pub fn closure_info(object: &PObject) -> Option<ClosureInfo> {
    let state = closure::state(object)?;
    let names = state.function.proto().map(|p| p.uses.iter().map(|u| u.name.clone()).collect::<Vec<_>>()).unwrap_or_default();
    let captured = names.into_iter().zip(state.captured()).filter(|(_, v)| !v.is_undef()).collect();
    Some(ClosureInfo { callable: closure::callable(object)?, captured, fake: state.fake })
}

pub fn static_variables(cx: &mut Cx, function: FnPtr, object: Option<&PObject>) -> PArray {
    let mut variables = PArray::new();
    let Some(proto) = function.proto() else { return variables };
    let own = object.and_then(closure::state).filter(|s| !s.fake);
    let vm = Vm::of(cx);
    // SAFETY: the machine is live; copies are taken and no reference into a table is kept.
    let table: Vec<Value> = unsafe {
        match (own, (*vm).statics.get(function.id)) {
            (Some(state), _) => state.static_values(),
            (None, Some(table)) => table.to_vec(),
            (None, None) => statics::fresh(proto).into_vec(),
        }
    };
    for (item, value) in proto.statics.iter().zip(table) {
        // A reference that only the table holds (and this copy) is none.
        let shared = value.as_ref().is_some_and(|r| r.ref_count() > 2);
        let value = if value.is_undef() { Value::null() } else if shared { value } else { value.copy_deref() };
        variables.set_str(&item.name, value);
    }
    variables
}
