//! `ReflectionConstant`: a global constant.

use crate::state::{self, NAME, Reflected};
use crate::text::{self as texts, Text};
use crate::text;
use jumbo_abi::registry::{self, Constant};
use jumbo_abi::{Cx, PObject, PStr, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<()> {
    let class_constant = name.as_bytes().windows(2).any(|w| w == b"::");
    if class_constant || cx.engine().constant(cx, name.as_bytes())?.is_none() {
        return Err(state::exception(cx, text!("Constant \"", name.as_bytes(), "\" does not exist")));
    }
    state::set(this, Reflected::Constant(name.clone()));
    this.set_slot(NAME, Value::from(name));
    Ok(())
}

/// The name without leading backslash.
fn plain(name: &PStr) -> &[u8] {
    name.as_bytes().strip_prefix(b"\\").unwrap_or(name.as_bytes())
}

fn builtin(name: &[u8]) -> Option<&'static Constant> {
    registry::get().constants.get(name)
}

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let name = state::constant(cx, this)?;
    Ok(PStr::new(plain(&name)))
}

pub fn get_namespace_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let name = state::constant(cx, this)?;
    Ok(PStr::new(state::namespace_of(plain(&name))))
}

pub fn get_short_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let name = state::constant(cx, this)?;
    Ok(PStr::new(state::short_name(plain(&name))))
}

pub fn get_value(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let name = state::constant(cx, this)?;
    Ok(cx.engine().constant(cx, name.as_bytes())?.unwrap_or_default())
}

pub fn is_deprecated(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let name = state::constant(cx, this)?;
    Ok(builtin(plain(&name)).is_some_and(|c| c.desc.deprecated))
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let name = state::constant(cx, this)?;
    let value = get_value(cx, this)?;
    let declared = builtin(plain(&name));
    let mut out = Text::new();
    texts::constant(cx, plain(&name), &value, declared.is_some(), declared.is_some_and(|c| c.desc.deprecated), 0, &mut out)?;
    Ok(Value::from(out.finish()?))
}
