//! The part of `ReflectionClass` that is about lazy objects.

use crate::state;
use crate::text;
use jumbo_abi::lazy::{Lazy, SKIP_DESTRUCTOR, SKIP_INITIALIZATION_ON_SERIALIZE};
use jumbo_abi::{Callable, ClassPtr, Cx, PObject, Res, Value};

fn invalid_options(cx: &mut Cx, argument: u32) -> jumbo_abi::Stop {
    let function = cx.active_function_name();
    state::exception(cx, text!(function, format!("(): Argument #{argument} ($options) contains invalid flags")))
}

fn new_lazy(cx: &mut Cx, this: &PObject, initializer: &Callable, options: i64, proxy: bool) -> Res<Value> {
    let class = state::class(cx, this)?;
    if options & !(SKIP_INITIALIZATION_ON_SERIALIZE | SKIP_DESTRUCTOR) != 0 {
        return Err(invalid_options(cx, 2));
    }
    if options & SKIP_DESTRUCTOR != 0 {
        let function = cx.active_function_name();
        let text = text!(function, "(): Argument #2 ($options) does not accept ReflectionClass::SKIP_DESTRUCTOR");
        return Err(state::exception(cx, text));
    }
    cx.engine().lazy(cx, Lazy::New { class, initializer, proxy, options })
}

fn reset(cx: &mut Cx, this: &PObject, object: &PObject, initializer: &Callable, options: i64, proxy: bool) -> Res<()> {
    let class = state::class(cx, this)?;
    check_instance(cx, class, object)?;
    if options & !(SKIP_INITIALIZATION_ON_SERIALIZE | SKIP_DESTRUCTOR) != 0 {
        return Err(invalid_options(cx, 3));
    }
    cx.engine().lazy(cx, Lazy::Reset { class, object, initializer, proxy, options }).map(drop)
}

fn check_instance(cx: &mut Cx, class: ClassPtr, object: &PObject) -> Res<()> {
    let own = ClassPtr::of(object);
    if own.is_a(class) {
        return Ok(());
    }
    Err(cx.arg_type_error(1, text!("must be of type ", class.name.as_bytes(), ", ", own.name.as_bytes(), " given")))
}

pub fn new_lazy_ghost(cx: &mut Cx, this: &PObject, initializer: &Callable, options: i64) -> Res<Value> {
    new_lazy(cx, this, initializer, options, false)
}

pub fn new_lazy_proxy(cx: &mut Cx, this: &PObject, factory: &Callable, options: i64) -> Res<Value> {
    new_lazy(cx, this, factory, options, true)
}

pub fn reset_as_lazy_ghost(cx: &mut Cx, this: &PObject, object: &PObject, initializer: &Callable, options: i64) -> Res<()> {
    reset(cx, this, object, initializer, options, false)
}

pub fn reset_as_lazy_proxy(cx: &mut Cx, this: &PObject, object: &PObject, factory: &Callable, options: i64) -> Res<()> {
    reset(cx, this, object, factory, options, true)
}

pub fn initialize_lazy_object(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    check_instance(cx, class, object)?;
    cx.engine().lazy(cx, Lazy::Initialize(object))
}

pub fn is_uninitialized_lazy_object(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    check_instance(cx, class, object)?;
    cx.engine().lazy(cx, Lazy::IsUninitialized(object))
}

pub fn mark_lazy_object_as_initialized(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    check_instance(cx, class, object)?;
    cx.engine().lazy(cx, Lazy::MarkInitialized(object))
}

pub fn get_lazy_initializer(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<Value> {
    let class = state::class(cx, this)?;
    check_instance(cx, class, object)?;
    cx.engine().lazy(cx, Lazy::Initializer(object))
}
