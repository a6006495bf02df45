//! `--stub-from-signatures`: stub text from a file of signatures, one JSON object a line (kinds function, class, method,
//! property, class_constant; fields as Reflection names them).

use crate::{Failure, Verdict};
use serde_json::Value;
use std::path::Path;

fn str<'a>(v: &'a Value, key: &str) -> Option<&'a str> {
    v[key].as_str()
}

/// Prints the functions and classes of `extension` (`-`: of any) that are among `names` (empty: all).
pub fn print(file: &Path, extension: &str, names: &[String]) -> Result<Verdict, Failure> {
    let text = std::fs::read_to_string(file).map_err(|e| Failure::io(file, &e))?;
    let mut all = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let object: Value = serde_json::from_str(line)
            .map_err(|e| Failure::new(format!("{}:{}: {e}", file.display(), at + 1)))?;
        all.push(object);
    }
    let wanted = |v: &Value| {
        let of_extension = extension == "-" || str(v, "ext").is_some_and(|e| e.eq_ignore_ascii_case(extension));
        let name = str(v, "name").unwrap_or("");
        of_extension && (names.is_empty() || names.iter().any(|n| n.eq_ignore_ascii_case(name)))
    };
    println!("<?php\n");
    let mut count = 0;
    for f in all.iter().filter(|v| str(v, "kind") == Some("function") && wanted(v)) {
        println!("{}\n", function(f, "", false));
        count += 1;
    }
    for class in all.iter().filter(|v| str(v, "kind") == Some("class") && wanted(v)) {
        print_class(class, &all);
        count += 1;
    }
    if count == 0 {
        return Err(Failure::new(format!("nothing of extension {extension} matches")));
    }
    Ok(Verdict::Fine)
}

fn class_type(ty: &str, namespaced: bool) -> String {
    // Inside a namespace a global class needs its backslash.
    let lower = ["int", "float", "string", "bool", "array", "object", "mixed", "callable", "iterable", "void", "never", "null", "false", "true", "static", "self"];
    if !namespaced {
        return ty.to_owned();
    }
    let parts = ty.split('|').map(|part| {
        let (mark, name) = part.strip_prefix('?').map_or(("", part), |name| ("?", name));
        if lower.contains(&name) { part.to_owned() } else { format!("{mark}\\{name}") }
    });
    parts.collect::<Vec<_>>().join("|")
}

fn function(f: &Value, modifiers: &str, no_body: bool) -> String {
    let full = str(f, "name").unwrap_or("?");
    let namespaced = f["class"].as_str().unwrap_or(full).contains('\\');
    let name = full.rsplit('\\').next().unwrap_or(full);
    let mut doc = Vec::new();
    let mut params = Vec::new();
    for p in f["params"].as_array().into_iter().flatten() {
        let mut text = String::new();
        if p["attributes"].as_array().is_some_and(|a| a.iter().any(|a| a.to_string().contains("SensitiveParameter"))) {
            text.push_str("#[SensitiveParameter] ");
        }
        if let Some(ty) = str(p, "type") {
            text.push_str(&class_type(ty, namespaced));
            text.push(' ');
        }
        if p["byref"].as_bool() == Some(true) {
            text.push('&');
        }
        if p["variadic"].as_bool() == Some(true) {
            text.push_str("...");
        }
        text.push('$');
        text.push_str(str(p, "name").unwrap_or("?"));
        if p["optional"].as_bool() == Some(true) && p["variadic"].as_bool() != Some(true) {
            let default = str(p, "default").filter(|d| *d != "<default>").unwrap_or("UNKNOWN");
            text.push_str(&format!(" = {default}"));
        }
        params.push(text);
    }
    let (ret, tentative) = match (str(f, "return"), str(f, "tentative_return")) {
        (Some(ret), _) => (format!(": {}", class_type(ret, namespaced)), false),
        (None, Some(ret)) => (format!(": {}", class_type(ret, namespaced)), true),
        (None, None) => (String::new(), false),
    };
    if tentative {
        doc.push("@tentative-return-type");
    }
    if f["deprecated"].as_bool() == Some(true) {
        doc.push("@deprecated");
    }
    let indent = if modifiers.is_empty() { "" } else { "    " };
    let doc = match doc.len() {
        0 => String::new(),
        1 => format!("{indent}/** {} */\n", doc[0]),
        _ => format!("{indent}/**\n{indent} * {}\n{indent} */\n", doc.join(&format!("\n{indent} * "))),
    };
    let end = if no_body { ";" } else { " {}" };
    let modifiers = if modifiers.is_empty() { String::new() } else { format!("{indent}{modifiers} ") };
    format!("{doc}{modifiers}function {name}({}){ret}{end}", params.join(", "))
}

/// A value as the file holds it, with quotes when it is no number, name or array.
fn quoted(value: &str) -> String {
    let known = ["true", "false", "null", "[]"].contains(&&*value.to_ascii_lowercase());
    if known || value.parse::<f64>().is_ok() || value.starts_with(['"', '\'']) { value.to_owned() } else { format!("{value:?}") }
}

fn print_class(class: &Value, all: &[Value]) {
    let full = str(class, "name").unwrap_or("?");
    let kind = str(class, "type").unwrap_or("class");
    let (namespace, name) = full.rsplit_once('\\').unwrap_or(("", full));
    if !namespace.is_empty() {
        println!("namespace {namespace} {{");
    }
    let of_class = |wanted: &'static str| {
        all.iter().filter(move |v| str(v, "kind") == Some(wanted) && str(v, "class") == Some(full))
    };
    let list = |key: &str| -> Vec<String> {
        let names = class[key].as_array().into_iter().flatten().filter_map(Value::as_str);
        names.map(|n| class_type(n, !namespace.is_empty())).collect()
    };
    let mut head = String::new();
    if kind == "class" && class["abstract"].as_bool() == Some(true) {
        head.push_str("abstract ");
    }
    if kind == "class" && class["final"].as_bool() == Some(true) {
        head.push_str("final ");
    }
    head.push_str(&format!("{kind} {name}"));
    if let Some(backing) = str(class, "backing") {
        head.push_str(&format!(": {backing}"));
    }
    if let Some(parent) = str(class, "parent") {
        head.push_str(&format!(" extends {}", class_type(parent, !namespace.is_empty())));
    }
    // The list holds inherited interfaces too: only those that no parent and no other of them brings are written.
    let class_named = |name: &str| all.iter().find(|v| str(v, "kind") == Some("class") && str(v, "name") == Some(name));
    let inherited: Vec<&str> = str(class, "parent")
        .into_iter()
        .chain(class["interfaces"].as_array().into_iter().flatten().filter_map(Value::as_str))
        .filter_map(class_named)
        .flat_map(|c| c["interfaces"].as_array().into_iter().flatten().filter_map(Value::as_str))
        .collect();
    let mut interfaces = list("interfaces");
    interfaces.retain(|name| !inherited.contains(&name.trim_start_matches('\\')));
    if !interfaces.is_empty() {
        let word = if kind == "interface" { "extends" } else { "implements" };
        head.push_str(&format!(" {word} {}", interfaces.join(", ")));
    }
    println!("{head}\n{{");
    for c in of_class("class_constant") {
        let name = str(c, "name").unwrap_or("?");
        let value = match &c["value"] {
            Value::String(s) if str(c, "type") == Some("string") => format!("{s:?}"),
            Value::String(s) => quoted(s),
            other => other.to_string(),
        };
        if c["case"].as_bool() == Some(true) || c["case"].is_string() {
            let backed = class["backing"].is_string() && !value.is_empty() && value != "null";
            println!("    case {name}{};", if backed { format!(" = {value}") } else { String::new() });
        } else {
            let visibility = str(c, "visibility").unwrap_or("public");
            let ty = str(c, "type").map_or_else(String::new, |t| format!("{t} "));
            println!("    {visibility} const {ty}{name} = {value};");
        }
    }
    for p in of_class("property") {
        let modifiers = str(p, "modifiers").unwrap_or("public");
        let ty = str(p, "type").map_or_else(String::new, |t| format!("{} ", class_type(t, !namespace.is_empty())));
        let default = str(p, "default").map_or_else(String::new, |d| format!(" = {}", quoted(d)));
        let doc = if p["virtual"].as_bool() == Some(true) { "    /** @virtual */\n" } else { "" };
        println!("{doc}    {modifiers} {ty}${}{default};", str(p, "name").unwrap_or("?"));
    }
    for m in of_class("method") {
        let modifiers = str(m, "modifiers").unwrap_or("public");
        let no_body = kind == "interface" || modifiers.contains("abstract");
        let modifiers = if kind == "interface" { modifiers.replace("abstract ", "") } else { modifiers.to_owned() };
        println!("\n{}", function(m, &modifiers, no_body));
    }
    println!("}}");
    if !namespace.is_empty() {
        println!("}}");
    }
    println!();
}
