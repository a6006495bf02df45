//! Stream contexts: stream_context_create and friends.

use jumbo_abi::stream::{Context, StreamHandle, default_context, new_context};
use jumbo_abi::{Cx, PArray, PResource, PStr, Res, Value};
use jumbo_value::resource::NativeRef;

/// Options by wrapper must be arrays of arrays; merged into what is there.
fn set_options(cx: &mut Cx, context: &Context, options: &PArray) -> Res<()> {
    for (wrapper, of_wrapper) in options.clone().iter() {
        let (jumbo_abi::KeyRef::Str(wrapper), Some(list)) = (wrapper, of_wrapper.deref().as_array()) else {
            return Err(cx.value_error("Options should have the form [\"wrappername\"][\"optionname\"] = $value"));
        };
        for (name, value) in list.iter() {
            context.set_option(wrapper.as_bytes(), name.to_str().as_bytes(), value.copy_deref());
        }
    }
    Ok(())
}

fn set_params(cx: &mut Cx, context: &Context, params: &PArray) -> Res<()> {
    if let Some(notification) = params.get_bytes(b"notification") {
        *context.notification.borrow_mut() = Some(notification.copy_deref());
    }
    if let Some(options) = params.get_bytes(b"options") {
        match options.deref().as_array() {
            Some(options) => set_options(cx, context, options)?,
            None => return Err(cx.type_error("Invalid stream/context parameter")),
        }
    }
    Ok(())
}

fn native(resource: &PResource) -> Option<NativeRef<Context>> {
    resource.native::<Context>()
}

pub fn stream_context_create(cx: &mut Cx, options: Option<&PArray>, params: Option<&PArray>) -> Res<Value> {
    let resource = new_context();
    if let Some(context) = native(&resource) {
        if let Some(options) = options {
            set_options(cx, &context, options)?;
        }
        if let Some(params) = params {
            set_params(cx, &context, params)?;
        }
    }
    Ok(Value::from(resource))
}

/// The context that an argument is or has.
fn of_argument(cx: &mut Cx, value: &Value) -> Res<PResource> {
    let Some(resource) = value.deref().as_resource() else {
        let given = jumbo_abi::args::type_name(value);
        return Err(cx.arg_type_error(1, [b"must be of type resource, ".as_slice(), &given, b" given"]));
    };
    if native(resource).is_some() {
        return Ok(resource.clone());
    }
    if let Some(handle) = resource.native::<StreamHandle>() {
        return Ok(handle.context_or_new());
    }
    Err(cx.arg_type_error(1, "must be a valid stream/context"))
}

pub fn stream_context_get_options(cx: &mut Cx, stream_or_context: &Value) -> Res<PArray> {
    let resource = of_argument(cx, stream_or_context)?;
    Ok(native(&resource).map(|c| c.options.borrow().clone()).unwrap_or_default())
}

pub fn stream_context_set_option(
    cx: &mut Cx,
    context: &Value,
    wrapper_or_options: &Value,
    option_name: Option<&PStr>,
    value: Option<&Value>,
) -> Res<bool> {
    let resource = of_argument(cx, context)?;
    let Some(context) = native(&resource) else { return Ok(true) };
    if option_name.is_none() && value.is_none() {
        let text = b"Calling stream_context_set_option() with 2 arguments is deprecated, use stream_context_set_options() instead";
        cx.raise(jumbo_abi::Level::Deprecated, text)?;
    }
    if let Some(options) = wrapper_or_options.deref().as_array() {
        if option_name.is_some() {
            return Err(cx.arg_value_error(3, "must be null when argument #2 ($wrapper_or_options) is an array"));
        }
        if value.is_some() {
            return Err(cx.arg_value_error(4, "cannot be provided when argument #2 ($wrapper_or_options) is an array"));
        }
        set_options(cx, &context, options)?;
        return Ok(true);
    }
    let Some(name) = option_name else {
        return Err(cx.arg_value_error(3, "cannot be null when argument #2 ($wrapper_or_options) is a string"));
    };
    let Some(value) = value else {
        return Err(cx.arg_value_error(4, "must be provided when argument #2 ($wrapper_or_options) is a string"));
    };
    let wrapper = cx.to_string(wrapper_or_options.deref())?;
    context.set_option(wrapper.as_bytes(), name.as_bytes(), value.copy_deref());
    Ok(true)
}

pub fn stream_context_set_options(cx: &mut Cx, context: &Value, options: &PArray) -> Res<bool> {
    let resource = of_argument(cx, context)?;
    if let Some(context) = native(&resource) {
        set_options(cx, &context, options)?;
    }
    Ok(true)
}

pub fn stream_context_get_params(cx: &mut Cx, context: &Value) -> Res<PArray> {
    let resource = of_argument(cx, context)?;
    let mut out = PArray::new();
    if let Some(context) = native(&resource) {
        if let Some(notification) = context.notification.borrow().clone() {
            out.set_bytes(b"notification", notification);
        }
        out.set_bytes(b"options", context.options.borrow().clone());
    }
    Ok(out)
}

pub fn stream_context_set_params(cx: &mut Cx, context: &Value, params: &PArray) -> Res<bool> {
    let resource = of_argument(cx, context)?;
    if let Some(context) = native(&resource) {
        set_params(cx, &context, params)?;
    }
    Ok(true)
}

pub fn stream_context_get_default(cx: &mut Cx, options: Option<&PArray>) -> Res<Value> {
    let resource = default_context(cx);
    if let (Some(context), Some(options)) = (native(&resource), options) {
        set_options(cx, &context, options)?;
    }
    Ok(Value::from(resource))
}

pub fn stream_context_set_default(cx: &mut Cx, options: &PArray) -> Res<Value> {
    stream_context_get_default(cx, Some(options))
}
