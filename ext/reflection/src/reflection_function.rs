//! `ReflectionFunction`.

use crate::state::{self, Func, NAME, Reflected};
use crate::text::{self as texts, Text};
use crate::text;
use jumbo_abi::{Callable, Cx, PArray, PObject, Res, Value, func_flags};

pub fn __construct(cx: &mut Cx, this: &PObject, function: &Value) -> Res<()> {
    let found = match function.as_object() {
        Some(closure) => Func::of_closure(cx, closure),
        None => {
            let name = cx.to_string(function)?;
            match cx.find_function(name.as_bytes()) {
                Some(f) => Some(Func::of(f)),
                None => return Err(state::exception(cx, text!("Function ", name.as_bytes(), "() does not exist"))),
            }
        }
    };
    let Some(f) = found else { return Err(cx.arg_type_error(1, "must be of type Closure|string")) };
    this.set_slot(NAME, Value::from(f.name()));
    state::set(this, Reflected::Function(f));
    Ok(())
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let f = state::func(cx, this)?;
    let mut out = Text::new();
    texts::function(cx, &f, None, 0, &mut out)?;
    Ok(Value::from(out.finish()?))
}

pub fn is_anonymous(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let f = state::func(cx, this)?;
    Ok(f.is(func_flags::CLOSURE) && f.closure().and_then(|c| cx.engine().closure_info(c)).is_none_or(|info| !info.fake))
}

/// No function can be disabled and reflected.
pub fn is_disabled(_cx: &mut Cx, _this: &PObject) -> bool {
    false
}

/// What a call of the function calls.
pub fn callable(cx: &Cx, f: &Func) -> Callable {
    match f.closure().and_then(|c| cx.engine().closure_info(c)) {
        Some(info) => info.callable,
        None => Callable { function: f.function, this: None, class: None, closure: None, magic_name: None, value: Value::from(f.name()) },
    }
}

pub fn invoke(cx: &mut Cx, this: &PObject, args: &[Value]) -> Res<Value> {
    let f = state::func(cx, this)?;
    let callable = callable(cx, &f);
    let args = state::all_arguments(cx, args);
    cx.call_with_array(&callable, &args).map(Value::into_deref)
}

pub fn invoke_args(cx: &mut Cx, this: &PObject, args: &PArray) -> Res<Value> {
    let f = state::func(cx, this)?;
    let callable = callable(cx, &f);
    cx.call_with_array(&callable, args).map(Value::into_deref)
}

pub fn get_closure(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let f = state::func(cx, this)?;
    if let Some(closure) = f.closure() {
        return Ok(closure.clone());
    }
    let callable = callable(cx, &f);
    cx.engine().make_closure(cx, &callable)
}
