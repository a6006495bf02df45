//! Signatures of magic methods.

use crate::link::{Builder, Linking, fatal};
use crate::text;
use jumbo_abi::{FnPtr, Type, func_flags, mask};

/// What a magic method must look like.
struct Rule {
    name: &'static [u8],
    args: Option<u32>,
    is_static: Option<bool>,
    ret: Option<u32>,
    ret_text: &'static str,
    params: &'static [(u32, &'static str)],
}

const fn rule(name: &'static [u8], args: u32, ret: Option<u32>, ret_text: &'static str, params: &'static [(u32, &'static str)]) -> Rule {
    Rule { name, args: Some(args), is_static: Some(false), ret, ret_text, params }
}

const STR: (u32, &str) = (mask::STRING, "string");
const ARR: (u32, &str) = (mask::ARRAY, "array");

static RULES: &[Rule] = &[
    Rule { name: b"__construct", args: None, is_static: Some(false), ret: None, ret_text: "", params: &[] },
    Rule { name: b"__destruct", args: Some(0), is_static: Some(false), ret: None, ret_text: "", params: &[] },
    Rule { name: b"__clone", args: Some(0), is_static: Some(false), ret: Some(mask::VOID), ret_text: "void", params: &[] },
    rule(b"__get", 1, None, "", &[STR]),
    rule(b"__set", 2, Some(mask::VOID), "void", &[STR]),
    rule(b"__isset", 1, Some(mask::BOOL), "bool", &[STR]),
    rule(b"__unset", 1, Some(mask::VOID), "void", &[STR]),
    rule(b"__call", 2, None, "", &[STR, ARR]),
    Rule { name: b"__callstatic", args: Some(2), is_static: Some(true), ret: None, ret_text: "", params: &[STR, ARR] },
    rule(b"__tostring", 0, Some(mask::STRING), "string", &[]),
    rule(b"__debuginfo", 0, Some(mask::ARRAY | mask::NULL), "?array", &[]),
    rule(b"__serialize", 0, Some(mask::ARRAY), "array", &[]),
    rule(b"__unserialize", 1, Some(mask::VOID), "void", &[ARR]),
    Rule { name: b"__set_state", args: Some(1), is_static: Some(true), ret: Some(mask::OBJECT), ret_text: "object", params: &[ARR] },
    Rule { name: b"__invoke", args: None, is_static: Some(false), ret: None, ret_text: "", params: &[] },
    rule(b"__sleep", 0, Some(mask::ARRAY), "array", &[]),
    rule(b"__wakeup", 0, Some(mask::VOID), "void", &[]),
];

fn return_fits(ty: &Type, wanted: u32) -> bool {
    if ty.mask & mask::NEVER != 0 {
        return true;
    }
    if wanted & mask::OBJECT != 0 {
        return ty.mask & !(mask::OBJECT | mask::STATIC) == 0;
    }
    ty.classes.is_empty() && ty.intersections.is_empty() && ty.mask & !wanted == 0
}

/// Checks one method of the class being linked.
pub fn check(b: &Builder, lower: &[u8], f: FnPtr) -> Linking<()> {
    let Some(rule) = RULES.iter().find(|r| r.name == lower) else { return Ok(()) };
    let line = b.line_of(f);
    let (class, name) = (b.shown(), f.name.as_bytes());
    let Some(proto) = f.proto() else { return Ok(()) };
    if let Some(args) = rule.args {
        if proto.params.len() as u32 != args {
            if args == 0 {
                return fatal(text!("Method ", class, "::", name, "() cannot take arguments"), line);
            }
            let plural = if args == 1 { "" } else { "s" };
            return fatal(text!("Method ", class, "::", name, "() must take exactly ", args.to_string(), " argument", plural), line);
        }
        if proto.params.iter().any(|p| p.by_ref) {
            return fatal(text!("Method ", class, "::", name, "() cannot take arguments by reference"), line);
        }
        if proto.params.iter().any(|p| p.variadic) {
            return fatal(text!("Method ", class, "::", name, "() does not accept variadic arguments"), line);
        }
    }
    match rule.is_static {
        Some(true) if !f.is(func_flags::STATIC) => return fatal(text!("Method ", class, "::", name, "() must be static"), line),
        Some(false) if f.is(func_flags::STATIC) && lower != b"__invoke" => {
            return fatal(text!("Method ", class, "::", name, "() cannot be static"), line);
        }
        _ => {}
    }
    for (n, (wanted, shown)) in rule.params.iter().enumerate() {
        if let Some(ty) = proto.params.get(n).and_then(|p| p.ty.as_ref())
            && ty.mask & wanted != *wanted
        {
            let pname = f.param_name(n);
            return fatal(
                text!(class, "::", name, "(): Parameter #", (n + 1).to_string(), " ($", pname, ") must be of type ", shown, " when declared"),
                line,
            );
        }
    }
    if let Some(ty) = &proto.return_type {
        if matches!(lower, b"__construct" | b"__destruct") {
            return fatal(text!("Method ", class, "::", name, "() cannot declare a return type"), line);
        }
        if let Some(wanted) = rule.ret
            && !return_fits(ty, wanted)
        {
            return fatal(text!(class, "::", name, "(): Return type must be ", rule.ret_text, " when declared"), line);
        }
    }
    Ok(())
}
