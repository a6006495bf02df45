//! Stream contexts: options by wrapper, and parameters.

use super::{CONTEXT, StreamHandle, Streams};
use crate::{Cx, PArray, PResource, Res, Value};
use jumbo_value::object::Native;
use std::cell::RefCell;

/// Native state of a resource of type "stream-context".
#[derive(Default)]
pub struct Context {
    /// By wrapper, then by name.
    pub options: RefCell<PArray>,
    pub notification: RefCell<Option<Value>>,
}

impl Native for Context {}

impl Context {
    pub fn option(&self, wrapper: &[u8], name: &[u8]) -> Option<Value> {
        let options = self.options.borrow();
        Some(options.get_bytes(wrapper)?.deref().as_array()?.get_bytes(name)?.copy_deref())
    }
    pub fn set_option(&self, wrapper: &[u8], name: &[u8], value: Value) {
        let mut options = self.options.borrow_mut();
        let mut of_wrapper = options.get_bytes(wrapper).and_then(|v| v.deref().as_array().cloned()).unwrap_or_default();
        of_wrapper.set_bytes(name, value);
        options.set_bytes(wrapper, of_wrapper);
    }
}

pub fn new_context() -> PResource {
    PResource::new(CONTEXT, Box::new(Context::default()))
}

/// The instance's default context, made when first asked for.
pub fn default_context(cx: &mut Cx) -> PResource {
    cx.state::<Streams>().default_context.get_or_insert_with(new_context).clone()
}

/// An argument `$context`: null or absent means none (the default context, if one was made).
pub fn context_argument(cx: &mut Cx, value: Option<&Value>, n: u32) -> Res<Option<PResource>> {
    let Some(value) = value.filter(|v| !v.deref().is_null()) else {
        return Ok(cx.state::<Streams>().default_context.clone());
    };
    let Some(resource) = value.deref().as_resource() else {
        let given = crate::args::type_name(value);
        return Err(cx.arg_type_error(n, [b"must be of type resource or null, ".as_slice(), &given, b" given"].concat()));
    };
    if resource.native::<Context>().is_some() {
        return Ok(Some(resource.clone()));
    }
    // A stream stands for its context.
    if let Some(handle) = resource.native::<StreamHandle>() {
        return Ok(Some(handle.context_or_new()));
    }
    let function = cx.active_function_name();
    Err(cx.type_error([function.as_slice(), b"(): supplied resource is not a valid Stream-Context resource"].concat()))
}
