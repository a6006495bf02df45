//! Writes the Rust files of one extension: descriptors as constants, one file per stub, and the tables in `mod.rs`.

use super::adapter::{adapter, byte_literal, float_literal, int_literal};
use super::fold::{Constants, Folded};
use super::model::{Class, Constant, ConstantValue, Expr, Function, Param, Stub, Type};
use crate::Failure;
use std::collections::HashMap;
use std::fmt::Write;

/// Rust paths of all functions and methods, for `@alias`.
pub struct Targets(HashMap<String, String>);

impl Targets {
    pub fn of<'a>(stubs: impl Iterator<Item = &'a Stub>) -> Targets {
        let mut paths = HashMap::new();
        for stub in stubs {
            for f in &stub.functions {
                paths.insert(f.name.to_ascii_lowercase(), function_path(stub, f));
            }
            for class in &stub.classes {
                for f in &class.methods {
                    paths.insert(format!("{}::{}", class.name, f.name).to_ascii_lowercase(), method_path(class, f));
                }
            }
        }
        Targets(paths)
    }
}

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

fn identifier(name: String) -> String {
    if KEYWORDS.contains(&&*name) { format!("{name}_") } else { name }
}

/// `bazQux` → `baz_qux`, `PDOStatement` → `pdo_statement`, `__toString` → `__to_string`.
fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (at, &c) in chars.iter().enumerate() {
        if c.is_ascii_uppercase() {
            let before = at.checked_sub(1).and_then(|b| chars.get(b)).copied().unwrap_or('_');
            let ends_run = before.is_ascii_uppercase() && chars.get(at + 1).is_some_and(char::is_ascii_lowercase);
            if before.is_ascii_lowercase() || before.is_ascii_digit() || ends_run {
                out.push('_');
            }
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

fn last_segment(name: &str) -> &str {
    name.rsplit('\\').next().unwrap_or(name)
}

fn function_path(stub: &Stub, f: &Function) -> String {
    let own = || format!("crate::{}::{}", stub.module, identifier(last_segment(&f.name).to_ascii_lowercase()));
    f.rust.clone().unwrap_or_else(own)
}

fn method_path(class: &Class, f: &Function) -> String {
    let module = || format!("crate::{}", identifier(snake(last_segment(&class.name))));
    let own = || format!("{}::{}", class.rust.clone().unwrap_or_else(module), identifier(snake(&f.name)));
    f.rust.clone().unwrap_or_else(own)
}

/// The name of a constant of the generated file.
fn constant_name(prefix: &str, name: &str) -> String {
    let clean: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    format!("{prefix}_{clean}")
}

fn flags(module: &str, flags: &[&str]) -> String {
    match flags {
        [] => "0".to_owned(),
        _ => flags.iter().map(|f| format!("{module}::{f}")).collect::<Vec<_>>().join(" | "),
    }
}

fn type_desc(ty: &Option<Type>) -> String {
    let Some(ty) = ty else { return "None".to_owned() };
    let of = match &*ty.classes {
        [] => format!("TypeDesc::simple({})", flags("mask", &ty.kinds)),
        classes => format!("TypeDesc::of({}, &{classes:?})", flags("mask", &ty.kinds)),
    };
    format!("Some({of}{})", if ty.nullable_syntax { ".nullable()" } else { "" })
}

fn param_desc(param: &Param) -> String {
    let mut out = format!("ParamDesc::new({:?}, {})", param.name, type_desc(&param.ty));
    if param.by_ref {
        out.push_str(".by_ref()");
    }
    if param.prefer_ref {
        out.push_str(".prefer_ref()");
    }
    if param.variadic {
        out.push_str(".variadic()");
    }
    if param.sensitive {
        out.push_str(".sensitive()");
    }
    if let Some(default) = &param.default {
        let text = match default.text {
            unknown if unknown.eq_ignore_ascii_case("unknown") => "None".to_owned(),
            text => format!("Some({:?})", text.strip_prefix('\\').unwrap_or(text)),
        };
        let _ = write!(out, ".optional({text})");
    }
    out
}

fn function_desc(f: &Function, adapter: &str) -> String {
    let params: Vec<String> = f.params.iter().map(param_desc).collect();
    let required = f.params.iter().take_while(|p| p.default.is_none() && !p.variadic).count();
    format!(
        "FnDesc {{ name: {:?}, params: &[{}], required: {required}, ret: {}, tentative: {}, flags: {}, effects: {}, \
         call: {adapter}, attributes: &{:?} }}",
        f.name,
        params.join(", "),
        type_desc(&f.ret),
        f.tentative,
        flags("func_flags", &f.flags),
        flags("effects", &f.effects),
        f.attributes,
    )
}

fn const_value(value: &Folded) -> Result<String, String> {
    Ok(match value {
        Folded::Null => "ConstValue::Null".to_owned(),
        Folded::Bool(b) => format!("ConstValue::Bool({b})"),
        Folded::Int(i) => format!("ConstValue::Int({})", int_literal(*i)),
        Folded::Float(f) => format!("ConstValue::Float({})", float_literal(*f)),
        Folded::Str(s) => format!("ConstValue::Str({})", byte_literal(s)),
        Folded::EmptyArray => "ConstValue::EmptyArray".to_owned(),
        Folded::Unknown => return Err("its value is not known: use @computed".to_owned()),
    })
}

struct Emitter<'a> {
    stub: &'a Stub,
    constants: &'a Constants,
    targets: &'a Targets,
}

impl Emitter<'_> {
    fn located<T>(&self, line: u32, what: &str, result: Result<T, String>) -> Result<T, Failure> {
        result.map_err(|e| Failure::new(format!("{}:{line}: {what}: {e}", self.stub.path.display())))
    }

    fn target(&self, f: &Function, own: String) -> Result<String, Failure> {
        match &f.alias {
            None => Ok(own),
            Some(alias) => {
                let found = self.targets.0.get(&alias.to_ascii_lowercase()).cloned();
                self.located(f.line, &f.name, found.ok_or_else(|| format!("@alias {alias}: no stub declares it")))
            }
        }
    }

    fn constant(&self, c: &Constant) -> Result<String, Failure> {
        let value = match &c.value {
            ConstantValue::Expr(expr) => {
                let folded = self.constants.fold(expr).and_then(|v| const_value(&v));
                self.located(c.line, &c.name, folded)?
            }
            ConstantValue::Computed(path) => format!("ConstValue::Computed({path})"),
            ConstantValue::Case => "ConstValue::Null".to_owned(),
        };
        let mut out = format!("ConstDesc::new({:?}, {value})", c.name);
        if !c.flags.is_empty() {
            let _ = write!(out, ".flags({})", flags("member_flags", &c.flags));
        }
        if c.ty.is_some() {
            let _ = write!(out, ".typed({})", type_desc(&c.ty));
        }
        if c.deprecated {
            out.push_str(".deprecated()");
        }
        Ok(out)
    }

    fn property_default(&self, default: &Option<Expr>, name: &str) -> Result<String, Failure> {
        let Some(expr) = default else { return Ok("None".to_owned()) };
        let folded = self.constants.fold(expr).and_then(|v| const_value(&v));
        Ok(format!("Some({})", self.located(expr.line, name, folded)?))
    }

    fn class(&self, class: &Class, out: &mut String) -> Result<String, Failure> {
        let module = identifier(snake(&class.name.replace('\\', "_")));
        let mut adapters = String::new();
        let mut methods = Vec::new();
        for f in &class.methods {
            let name = identifier(snake(&f.name));
            if f.is_abstract {
                methods.push(function_desc(f, "args::abstract_method"));
                continue;
            }
            let target = self.target(f, method_path(class, f))?;
            let text = adapter(&name, f, Some(&class.name), &target, self.constants);
            adapters.push_str(&self.located(f.line, &format!("{}::{}", class.name, f.name), text)?);
            methods.push(function_desc(f, &format!("{module}::{name}")));
        }
        if !adapters.is_empty() {
            let _ = writeln!(out, "mod {module} {{\nuse super::*;\n{adapters}}}\n");
        }
        let constants: Vec<String> = class.constants.iter().map(|c| self.constant(c)).collect::<Result<_, _>>()?;
        let mut properties = Vec::new();
        for p in &class.properties {
            properties.push(format!(
                "PropDesc {{ name: {:?}, flags: {}, ty: {}, default: {} }}",
                p.name,
                flags("member_flags", &p.flags),
                type_desc(&p.ty),
                self.property_default(&p.default, &p.name)?
            ));
        }
        let item = constant_name("CLASS", &class.name);
        let _ = writeln!(
            out,
            "pub(super) const {item}: ClassDesc = ClassDesc {{ name: {:?}, parent: {:?}, interfaces: &{:?}, flags: {}, \
             constants: &[{}], properties: &[{}], methods: &[{}], enum_backing: {}, hooks: {}, attributes: &{:?} }};\n",
            class.name,
            class.parent,
            class.interfaces,
            flags("class_flags", &class.flags),
            constants.join(", "),
            properties.join(", "),
            methods.join(", "),
            class.backing.map_or_else(|| "0".to_owned(), |kind| format!("mask::{kind}")),
            class.hooks.as_ref().map_or_else(|| "&ClassHooks::NONE".to_owned(), |path| format!("&{path}")),
            class.attributes,
        );
        Ok(item)
    }
}

/// What every generated file may use; not each uses all.
const HEAD: &str = "\
#![allow(unused_imports, clippy::all)]

use jumbo_abi::desc::{PropDesc, effects, ini_access};
use jumbo_abi::{
    Call, ClassDesc, ClassHooks, ConstDesc, ConstValue, Cx, FnDesc, IniDesc, PArray, PStr, ParamDesc, Res, Ret,
    TypeDesc, Value, args, class_flags, func_flags, mask, member_flags,
};

";

/// The files of an extension: name and unformatted text.
pub fn extension(stubs: &[Stub], constants: &Constants, targets: &Targets) -> Result<Vec<(String, String)>, Failure> {
    let mut files = Vec::new();
    let (mut functions, mut classes, mut const_names, mut inis) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut modules = String::new();
    for stub in stubs {
        let emitter = Emitter { stub, constants, targets };
        let file = identifier(stub.module.clone());
        let stub_name = stub.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let mut out = format!("//! Generated by `cargo xtask gen` from `stubs/{stub_name}`; do not edit.\n\n{HEAD}");
        for f in &stub.functions {
            let name = identifier(last_segment(&f.name).to_ascii_lowercase());
            // An alias that PHP's syntax does not allow as a name is none of Rust either.
            let name = name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
            let target = emitter.target(f, function_path(stub, f))?;
            let text = adapter(&name, f, None, &target, constants).map(|t| t.replacen("pub(super) fn", "fn", 1));
            out.push_str(&emitter.located(f.line, &f.name, text)?);
            let item = constant_name("FN", &f.name);
            let _ = writeln!(out, "pub(super) const {item}: FnDesc = {};\n", function_desc(f, &name));
            functions.push(format!("{file}::{item}"));
        }
        for class in &stub.classes {
            let item = emitter.class(class, &mut out)?;
            classes.push(format!("{file}::{item}"));
        }
        for c in &stub.constants {
            let item = constant_name("CONST", &c.name);
            let _ = writeln!(out, "pub(super) const {item}: ConstDesc = {};", emitter.constant(c)?);
            const_names.push(format!("{file}::{item}"));
        }
        for ini in &stub.ini {
            let item = constant_name("INI", &ini.name);
            let on_change = ini.on_change.as_ref().map_or_else(|| "None".to_owned(), |path| format!("Some({path})"));
            let _ = writeln!(
                out,
                "pub(super) const {item}: IniDesc = IniDesc {{ name: {:?}, default: {:?}, access: ini_access::{}, on_change: {on_change} }};",
                ini.name, ini.default, ini.access
            );
            inis.push(format!("{file}::{item}"));
        }
        files.push((format!("{}.rs", stub.module), out));
        let _ = writeln!(modules, "mod {file};");
    }
    let table = |name: &str, ty: &str, items: &[String]| {
        format!("pub static {name}: &[{ty}] = &[{}];\n\n", items.join(",\n"))
    };
    let text = format!(
        "//! Generated by `cargo xtask gen` from `stubs/`; do not edit. The tables of the extension.\n\n{modules}\n\
         use jumbo_abi::{{ClassDesc, ConstDesc, FnDesc, IniDesc}};\n\n{}{}{}{}",
        table("FUNCTIONS", "FnDesc", &functions),
        table("CLASSES", "ClassDesc", &classes),
        table("CONSTANTS", "ConstDesc", &const_names),
        table("INI", "IniDesc", &inis),
    );
    files.push(("mod.rs".to_owned(), text));
    Ok(files)
}
