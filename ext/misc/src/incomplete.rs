//! Objects of `__PHP_Incomplete_Class`, which stand for objects of classes that were not there when `unserialize` ran. They keep what they
//! hold, for `serialize`, casts and dumps; a program that looks at it through a property hears a warning, and one that writes a property or
//! calls a method gets an Error.

use crate::serialize::INCOMPLETE_NAME;
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassHooks, Cx, Level, Message, PObject, PStr, Res, Value};

pub const HOOKS: ClassHooks = ClassHooks {
    opaque: true,
    prop_read: Some(|cx, object, _| {
        warn(cx, object)?;
        Ok(Some(Value::null()))
    }),
    prop_write: Some(|cx, object, _, _| Err(refused(cx, object, "modify a property")?)),
    prop_has: Some(|cx, object, _, _| {
        warn(cx, object)?;
        Ok(Some(false))
    }),
    prop_exists: Some(|cx, object, _| {
        warn(cx, object)?;
        Ok(Some(false))
    }),
    prop_unset: Some(|cx, object, _| Err(refused(cx, object, "modify a property")?)),
    prop_place: Some(|cx, object, _| Err(refused(cx, object, "modify a property")?)),
    delegate: Some(|cx, object| Err(refused(cx, object, "call a method")?)),
    ..ClassHooks::NONE
};

/// What the script tried, and the class that was missing.
fn text(cx: &mut Cx, object: &PObject, tried: &str) -> Res<PStr> {
    let table = cx.properties(object, Purpose::Serialize)?;
    let name = table.get_bytes(INCOMPLETE_NAME).and_then(|name| name.deref().as_str().cloned());
    let text = [
        b"The script tried to ".as_slice(),
        tried.as_bytes(),
        b" on an incomplete object. Please ensure that the class definition \"",
        name.as_ref().map_or(b"unknown".as_slice(), |name| name.as_bytes()),
        b"\" of the object you are trying to operate on was loaded _before_ unserialize() gets called or provide an autoloader to load the class definition",
    ];
    Ok(text.to_str()?)
}

fn warn(cx: &mut Cx, object: &PObject) -> Res<()> {
    let text = text(cx, object, "access a property")?;
    // No builtin runs: the message names the function of the script, and its file's code by `main`.
    let function = cx.active_function_name();
    let function = if function.is_empty() { b"main".as_slice() } else { &function };
    cx.raise(Level::Warning, [function, b"(): ", &text])
}

fn refused(cx: &mut Cx, object: &PObject, tried: &str) -> Res<jumbo_abi::Stop> {
    let text = text(cx, object, tried)?;
    Ok(cx.throw_error(text))
}
