//! What every enum has without declaring it: `cases()`, `from()`, `tryFrom()`.

use crate::builtin::function_of;
use jumbo_abi::args::{self, Call};
use jumbo_abi::{Function, Class, ClassPtr, Cx, FnDesc, FnPtr, ParamDesc, Res, Stop, TypeDesc, despite, func_flags, mask, member_flags};
use jumbo_value::{PArray, PStr, Value, View};

const STATIC_METHOD: u32 = func_flags::PUBLIC | func_flags::STATIC;

macro_rules! backed {
    ($name:ident, $method:literal, $ret:expr, $call:path) => {
        static $name: FnDesc = FnDesc {
            name: $method,
            // As BackedEnum declares it.
            params: &[ParamDesc::new("value", Some(TypeDesc::simple(mask::INT | mask::STRING)))],
            required: 1,
            ret: Some(TypeDesc { mask: mask::STATIC | $ret, classes: &[], nullable_syntax: $ret != 0 }),
            tentative: false,
            flags: STATIC_METHOD,
            effects: 0,
            call: $call,
            attributes: &[],
        };
    };
}

static CASES: FnDesc = FnDesc {
    name: "cases",
    params: &[],
    required: 0,
    ret: Some(TypeDesc { mask: mask::ARRAY, classes: &[], nullable_syntax: false }),
    tentative: false,
    flags: STATIC_METHOD,
    effects: 0,
    call: cases,
    attributes: &[],
};
backed!(FROM_INT, "from", 0, from_int);
backed!(FROM_STRING, "from", 0, from_string);
backed!(TRY_FROM_INT, "tryFrom", mask::NULL, try_from_int);
backed!(TRY_FROM_STRING, "tryFrom", mask::NULL, try_from_string);

/// Adds the methods to an enum that is being linked; `keep` takes what is made for it.
pub fn add_methods(class: &mut Class, me: ClassPtr, mut keep: impl FnMut(Function) -> FnPtr) {
    let mut add = |lower: &[u8], desc: &'static FnDesc| {
        let mut function = function_of(desc, Some(me));
        // Builtin enums are made before there is a registry, and have their interfaces already.
        let interface: &[u8] = if lower == b"cases" { b"unitenum" } else { b"backedenum" };
        let own = class.interfaces.iter().copied().find(|i| i.lower.as_bytes() == interface);
        let declared = || jumbo_abi::registry::try_get().and_then(|r| r.classes.get(interface).copied());
        function.prototype = own.or_else(declared).and_then(|i| i.method(lower));
        class.methods.insert(lower.into(), keep(function));
    };
    add(b"cases", &CASES);
    match class.enum_backing {
        mask::INT => {
            add(b"from", &FROM_INT);
            add(b"tryfrom", &TRY_FROM_INT);
        }
        mask::STRING => {
            add(b"from", &FROM_STRING);
            add(b"tryfrom", &TRY_FROM_STRING);
        }
        _ => {}
    }
}

/// The enum whose method runs.
fn enum_of(cx: &Cx, call: &Call) -> Option<ClassPtr> {
    cx.engine().active_function(cx).and_then(|f| f.scope).or(call.class)
}

fn cases(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let mut list = PArray::new();
    let Some(class) = enum_of(cx, call) else { return Ok(Value::from(list)) };
    for c in class.constants.values() {
        if c.flags & member_flags::ENUM_CASE != 0
            && let Some(case) = cx.engine().class_constant(cx, class, c.name.as_bytes())?
        {
            list.append(case);
        }
    }
    Ok(Value::from(list))
}

/// The case with a backing value.
fn find(cx: &mut Cx, call: &Call, value: &Value) -> Res<Option<Value>> {
    let Some(class) = enum_of(cx, call) else { return Ok(None) };
    if cx.class_state(class).cases.is_none() {
        let cases = cases_by_value(cx, class)?;
        cx.class_state(class).cases = Some(cases);
    }
    let Some(cases) = &cx.class_state(class).cases else { return Ok(None) };
    Ok(match value.view() {
        View::Int(n) => cases.get_int(n),
        View::Str(text) => cases.get_str(text),
        _ => None,
    }
    .cloned())
}

fn cases_by_value(cx: &mut Cx, class: ClassPtr) -> Res<PArray> {
    if class.decl().is_some() {
        cx.engine().evaluate_class(cx, class)?;
    }
    let mut cases = PArray::new();
    for c in class.constants.values().filter(|c| c.flags & member_flags::ENUM_CASE != 0) {
        let Some(case) = cx.engine().class_constant(cx, class, c.name.as_bytes())? else { continue };
        let Some(object) = case.as_object() else { continue };
        match object.slot(1).view() {
            View::Int(n) => cases.set_int(n, case.clone()),
            View::Str(text) => cases.set_str(text, case.clone()),
            _ => {}
        }
    }
    Ok(cases)
}

fn from(cx: &mut Cx, call: &mut Call, value: Value, quiet: bool) -> Res<Value> {
    if let Some(case) = find(cx, call, &value)? {
        return cx.unless_thrown(case);
    }
    if quiet {
        return cx.unless_thrown(Value::null());
    }
    let shown = match value.view() {
        View::Str(s) => [b"\"".as_slice(), s.as_bytes(), b"\""].concat(),
        View::Int(i) => i.to_string().into_bytes(),
        _ => Vec::new(),
    };
    let name = enum_of(cx, call).map_or_else(Vec::new, |c| c.name.as_bytes().to_vec());
    Err(cx.value_error([shown.as_slice(), b" is not a valid backing value for enum ", &name].concat()))
}

/// The parameter's type in messages: that of the interface's declaration, whatever backs the enum.
const SHOWN: &str = "string|int";

fn int_value(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    match call.args[0].view() {
        View::Int(i) => Ok(Value::from(i)),
        View::Null if !call.strict => args::int_slow(cx, call, 0, SHOWN).map(Value::from),
        _ => args::int(cx, call, 0).map(Value::from),
    }
}

/// What is no string is converted to an int first, if one can hold it, and that to a string.
fn string_value(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    if call.strict {
        args::string(cx, call, 0)?;
        return Ok(call.args[0].clone());
    }
    match call.args[0].view_deref() {
        View::Float(x) if !jumbo_value::number::in_int_range(x) => {
            args::string_slow(cx, call, 0, SHOWN)?;
            Ok(call.args[0].clone())
        }
        View::Null | View::Bool(_) | View::Int(_) | View::Float(_) => match despite(args::int_slow(cx, call, 0, SHOWN))? {
            Some(number) => Ok(Value::from(PStr::new(number.to_string().as_bytes()))),
            // A handler has thrown: what is no int for that is taken for a string.
            None if call.args[0].as_float().is_some() => {
                args::string_slow(cx, call, 0, SHOWN)?;
                Ok(call.args[0].clone())
            }
            None => Err(Stop::Thrown),
        },
        _ => {
            args::string_slow(cx, call, 0, SHOWN)?;
            Ok(call.args[0].clone())
        }
    }
}

fn from_int(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let value = int_value(cx, call)?;
    from(cx, call, value, false)
}
fn try_from_int(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let value = int_value(cx, call)?;
    from(cx, call, value, true)
}
fn from_string(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let value = string_value(cx, call)?;
    from(cx, call, value, false)
}
fn try_from_string(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    let value = string_value(cx, call)?;
    from(cx, call, value, true)
}
