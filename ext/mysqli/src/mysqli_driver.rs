//! Class mysqli_driver: the instance's report mode, and what the client is.

use crate::link::Mysqli;
use crate::properties;
use jumbo_abi::{ClassHooks, Cx, PObject, Res, Value};

/// As PHP's `driver_version` has been for a long time.
pub const VERSION: i64 = 101009;

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    uncloneable: true,
    properties: Some(|cx, object, purpose| properties::debug(cx, object, purpose, properties::DRIVER, properties::read_driver)),
    prop_read: Some(properties::read_driver),
    prop_write: Some(write),
    prop_has: Some(|cx, object, name, empty| match name {
        b"driver_version" => Ok(Some(false)),
        _ => properties::has(cx, object, name, empty, properties::read_driver),
    }),
    ..ClassHooks::NONE
};

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    properties::hide(object, 4);
    Ok(())
}

fn write(cx: &mut Cx, object: &PObject, name: &[u8], value: &Value) -> Res<bool> {
    if name != b"report_mode" {
        return properties::refuse_write(cx, object, name, &["client_info", "client_version", "driver_version"]);
    }
    let is_int = matches!(value.view_deref(), jumbo_abi::View::Int(_));
    let strict = cx.engine().is_called_strictly(cx);
    let Some(mode) = as_int(value).filter(|_| is_int || !strict) else {
        let given = jumbo_abi::args::type_name(value);
        let text = [b"Cannot assign ".as_slice(), &given, b" to property mysqli_driver::$report_mode of type int"].concat();
        return Err(cx.type_error(text));
    };
    cx.state::<Mysqli>().report_mode = mode;
    Ok(true)
}

/// The int that a value is for a property of that type.
fn as_int(value: &Value) -> Option<i64> {
    use jumbo_abi::View;
    use jumbo_value::number::{self, Number};
    match value.view_deref() {
        View::Int(n) => Some(n),
        View::Bool(b) => Some(i64::from(b)),
        View::Float(f) if number::float_is_int(f) => Some(f as i64),
        View::Str(s) => match number::parse_prefix(s.as_bytes()) {
            Some(p) if !p.trailing => match p.number {
                Number::Int(n) => Some(n),
                Number::Float(f) => number::float_is_int(f).then_some(f as i64),
            },
            _ => None,
        },
        _ => None,
    }
}
