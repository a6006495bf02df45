//! The adapter of one builtin: Rust text that takes the arguments of a call by the rules of the signature (see the table in
//! [`generate`](super)) and calls the typed function.
//!
//! An adapter first coerces all arguments in order, which may raise errors; only then does it borrow them, because borrows
//! of the arguments cannot live across anything that changes them.

use super::fold::{Constants, Folded};
use super::model::{Function, Param, Type};
use std::fmt::Write;

/// How an argument reaches the function.
enum Kind {
    /// Passed by value: the name of its function in `args`.
    Scalar(&'static str),
    /// Checked in place and borrowed: check (without `_or_null`), accessor (without `opt_`), text of extra arguments.
    Borrowed(&'static str, &'static str, String),
    Callable,
    /// Decided by the descriptor's type.
    Union,
    Mixed,
    Ref,
    PreferRef,
}

fn kind(param: &Param, class: Option<&str>) -> Kind {
    if param.by_ref {
        return Kind::Ref;
    }
    if param.prefer_ref {
        return Kind::PreferRef;
    }
    if param.unchecked || param.number {
        return Kind::Mixed;
    }
    let Some(ty) = &param.ty else { return Kind::Mixed };
    match ty.single() {
        Some("INT") => return Kind::Scalar("int"),
        Some("FLOAT") => return Kind::Scalar("float"),
        Some("BOOL") => return Kind::Scalar("bool"),
        Some("STRING") => return Kind::Borrowed("string", "str_at", String::new()),
        Some("ARRAY") => return Kind::Borrowed("array", "array_at", String::new()),
        Some("OBJECT") => return Kind::Borrowed("object", "object_at", String::new()),
        Some("CALLABLE") => return Kind::Callable,
        Some("MIXED") => return Kind::Mixed,
        _ => {}
    }
    match ty.single_class() {
        Some(name) => {
            let name = if name.eq_ignore_ascii_case("self") { class.unwrap_or(name) } else { name };
            Kind::Borrowed("instance", "object_at", format!(", {name:?}"))
        }
        None => Kind::Union,
    }
}

/// What stands for an argument that is not given.
enum Absent {
    /// It is always given.
    Never,
    /// `None`
    None,
    Value(Folded),
}

fn absent(param: &Param, constants: &Constants) -> Result<Absent, String> {
    let Some(default) = &param.default else { return Ok(Absent::Never) };
    Ok(match constants.fold(default)? {
        _ if param.absent => Absent::None,
        Folded::Null | Folded::Unknown => Absent::None,
        value => Absent::Value(value),
    })
}

/// A Rust literal of bytes.
pub fn byte_literal(bytes: &[u8]) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}

pub fn float_literal(f: f64) -> String {
    if f.is_nan() {
        "f64::NAN".to_owned()
    } else if f.is_infinite() {
        if f > 0.0 { "f64::INFINITY" } else { "f64::NEG_INFINITY" }.to_owned()
    } else {
        format!("{f:?}")
    }
}

pub fn int_literal(i: i64) -> String {
    if i == i64::MIN { "i64::MIN".to_owned() } else { i.to_string() }
}

fn scalar_default(kind: &str, value: &Folded) -> Result<String, String> {
    Ok(match (kind, value) {
        ("int", Folded::Int(i)) => int_literal(*i),
        ("float", Folded::Float(f)) => float_literal(*f),
        ("float", Folded::Int(i)) => float_literal(*i as f64),
        ("bool", Folded::Bool(b)) => b.to_string(),
        _ => return Err(format!("a default of {value:?} does not fit {kind}")),
    })
}

/// A default as a `Value` expression.
fn value_default(value: &Folded) -> String {
    match value {
        Folded::Null | Folded::Unknown => "Value::null()".to_owned(),
        Folded::Bool(b) => format!("Value::from({b})"),
        Folded::Int(i) => format!("Value::from({}_i64)", int_literal(*i)).replace("MIN_i64", "MIN"),
        Folded::Float(f) => format!("Value::from({})", float_literal(*f)),
        Folded::Str(s) => format!("Value::bytes({})", byte_literal(s)),
        Folded::EmptyArray => "Value::empty_array()".to_owned(),
    }
}

/// The whole adapter function.
pub fn adapter(
    name: &str,
    function: &Function,
    class: Option<&str>,
    target: &str,
    constants: &Constants,
) -> Result<String, String> {
    let (mut checks, mut borrows, mut arguments) = (String::new(), String::new(), Vec::new());
    if class.is_some() {
        arguments.push(if function.is_static { "call.called_class()" } else { "args::this_at(call)" }.to_owned());
    }
    if function.all_or_none {
        let _ = writeln!(checks, "args::all_or_none(cx, call, {})?;", function.params.len());
    }
    for (n, param) in function.params.iter().enumerate() {
        let one = if param.variadic {
            variadic(n, param, class, &mut checks);
            format!("args::rest(call.args, {n})")
        } else {
            argument(n, param, class, absent(param, constants)?, &mut checks, &mut borrows)
                .map_err(|e| format!("${}: {e}", param.name))?
        };
        arguments.push(one);
    }
    let call = if arguments.iter().any(|a| a.contains("call")) || !checks.is_empty() { "call" } else { "_call" };
    Ok(format!(
        "pub(super) fn {name}(cx: &mut Cx, {call}: &mut Call) -> Res<Value> {{\n{checks}{borrows}Ret::ret({target}(cx{}{}))\n}}\n",
        if arguments.is_empty() { "" } else { ", " },
        arguments.join(", "),
    ))
}

/// Writes the checks of a variadic parameter's arguments.
fn variadic(n: usize, param: &Param, class: Option<&str>, checks: &mut String) {
    let nullable = param.ty.as_ref().is_some_and(Type::nullable);
    let check = match kind(param, class) {
        Kind::Ref => "args::reference(call, n);".to_owned(),
        Kind::PreferRef => return,
        Kind::Mixed => "args::mixed(call, n);".to_owned(),
        Kind::Borrowed(check, _, extra) if !nullable => format!("args::{check}(cx, call, n{extra})?;"),
        Kind::Scalar(check) if !nullable => format!("args::{check}(cx, call, n)?;"),
        Kind::Borrowed(..) | Kind::Scalar(_) | Kind::Callable | Kind::Union => "args::union(cx, call, n)?;".to_owned(),
    };
    let _ = writeln!(checks, "for n in {n}..call.args.len() {{ {check} }}");
}

/// Writes the check and the borrow of one parameter; returns the expression that is passed.
fn argument(
    n: usize,
    param: &Param,
    class: Option<&str>,
    absent: Absent,
    checks: &mut String,
    borrows: &mut String,
) -> Result<String, String> {
    let nullable = param.ty.as_ref().is_some_and(Type::nullable);
    let given = format!("if call.has({n})");
    let optional = !matches!(absent, Absent::Never);
    // Formatting into a String cannot fail.
    let mut check = |text: String| {
        let _ = if optional { writeln!(checks, "{given} {{ {text} }}") } else { writeln!(checks, "{text}") };
    };
    Ok(match kind(param, class) {
        Kind::Scalar(name) => {
            let (plain, or_null) = (format!("args::{name}(cx, call, {n})?"), format!("args::{name}_or_null(cx, call, {n})?"));
            let value = match (nullable, absent) {
                (false, Absent::Never) => plain,
                (false, Absent::None) => format!("{given} {{ Some({plain}) }} else {{ None }}"),
                (false, Absent::Value(v)) => format!("{given} {{ {plain} }} else {{ {} }}", scalar_default(name, &v)?),
                (true, Absent::Never | Absent::None) => or_null,
                (true, Absent::Value(v)) => format!("{given} {{ {or_null} }} else {{ Some({}) }}", scalar_default(name, &v)?),
            };
            let _ = writeln!(checks, "let a{n} = {value};");
            format!("a{n}")
        }
        Kind::Borrowed(name, access, extra) => {
            let or_null = if nullable { "_or_null" } else { "" };
            if param.not_null {
                // A call by name that skips it passes the default, null. Strict types have no word for that.
                let expected = format!("if call.is_null({n}) && !call.strict {{ \"?{name}\" }} else {{ \"{name}\" }}");
                let _ = writeln!(checks, "if call.args.get({n}).is_some_and(|v| v.as_str().is_none()) {{ args::string_slow(cx, call, {n}, {expected})?; }}");
            } else {
                check(format!("args::{name}{or_null}(cx, call, {n}{extra})?;"));
            }
            match (nullable, absent) {
                (false, Absent::Never) => format!("args::{access}(call.args, {n})"),
                (_, Absent::Never | Absent::None) => format!("args::opt_{access}(call.args, {n})"),
                (_, Absent::Value(v)) => {
                    let make = match (name, &v) {
                        ("string", Folded::Str(s)) if s.is_empty() => "PStr::empty()".to_owned(),
                        ("string", Folded::Str(s)) => format!("PStr::new({})", byte_literal(s)),
                        ("array", Folded::EmptyArray) => "PArray::new()".to_owned(),
                        _ => return Err(format!("a default of {v:?} does not fit {name}")),
                    };
                    let (value, default) = if nullable {
                        (format!("args::opt_{access}(call.args, {n})"), format!("Some(&d{n})"))
                    } else {
                        (format!("args::{access}(call.args, {n})"), format!("&d{n}"))
                    };
                    let _ = writeln!(
                        borrows,
                        "let d{n};\nlet a{n} = {given} {{ {value} }} else {{ d{n} = {make}; {default} }};"
                    );
                    format!("a{n}")
                }
            }
        }
        Kind::Callable => {
            let value = match (nullable, absent) {
                (false, Absent::Never) => format!("args::callable(cx, call, {n}, false)?"),
                (true, Absent::Never | Absent::None) => format!("args::callable_or_null(cx, call, {n})?"),
                (false, Absent::None) => {
                    format!("{given} {{ Some(args::callable(cx, call, {n}, false)?) }} else {{ None }}")
                }
                (_, Absent::Value(v)) => return Err(format!("a default of {v:?} does not fit callable")),
            };
            let _ = writeln!(checks, "let a{n} = {value};");
            if nullable || optional { format!("a{n}.as_ref()") } else { format!("&a{n}") }
        }
        Kind::Union | Kind::Mixed => {
            let is_mixed = matches!(kind(param, class), Kind::Mixed);
            check(match is_mixed {
                _ if param.number => format!("args::number(cx, call, {n})?;"),
                true => format!("args::mixed(call, {n});"),
                false => format!("args::union(cx, call, {n})?;"),
            });
            if param.resource {
                let or_null = if optional { " or null" } else { "" };
                let null_passes = if optional { format!("!call.is_null({n}) && ") } else { String::new() };
                check(format!(
                    "if {null_passes}call.args[{n}].as_resource().is_none() {{ return Err(args::type_error(cx, call, {n}, \"resource{or_null}\")); }}"
                ));
            }
            let access = if is_mixed { "given_at" } else { "opt_value_at" };
            match (nullable && !is_mixed, absent) {
                (_, Absent::Never) => format!("args::value_at(call.args, {n})"),
                (_, Absent::None) => format!("args::{access}(call.args, {n})"),
                (nullable, Absent::Value(v)) => {
                    let (value, default) = if nullable {
                        (format!("args::opt_value_at(call.args, {n})"), format!("Some(&d{n})"))
                    } else {
                        (format!("args::value_at(call.args, {n})"), format!("&d{n}"))
                    };
                    let _ = writeln!(
                        borrows,
                        "let d{n};\nlet a{n} = {given} {{ {value} }} else {{ d{n} = {}; {default} }};",
                        value_default(&v)
                    );
                    format!("a{n}")
                }
            }
        }
        Kind::Ref => {
            let typed = param.ty.as_ref().is_some_and(|ty| ty.single() != Some("MIXED"));
            let typed = if typed { format!(" args::check_referenced(cx, call, {n})?;") } else { String::new() };
            check(format!("args::reference(call, {n});{typed}"));
            if optional { format!("args::opt_ref_at(call.args, {n})") } else { format!("args::ref_at(call.args, {n})") }
        }
        Kind::PreferRef => {
            if param.ty.as_ref().is_some_and(|ty| ty.single() != Some("MIXED")) {
                check(format!("args::check_referenced(cx, call, {n})?;"));
            }
            if optional { format!("args::given_at(call.args, {n})") } else { format!("args::value_at(call.args, {n})") }
        }
    })
}
