//! `ReflectionExtension`. Several parts of the registry may make one extension (`standard`).

use crate::state::{self, Func, NAME, Reflected};
use crate::text::{self as texts, Text};
use crate::text;
use jumbo_abi::registry;
use jumbo_abi::{ClassPtr, Cx, Extension, PArray, PObject, PStr, Res, Value};

type Parts = &'static [&'static Extension];

pub fn __construct(cx: &mut Cx, this: &PObject, name: &PStr) -> Res<()> {
    let Some(parts) = state::parts_of(&name.to_string_lossy()) else {
        return Err(state::exception(cx, text!("Extension \"", name.as_bytes(), "\" does not exist")));
    };
    this.set_slot(NAME, Value::from(shown_name(parts)));
    state::set(this, Reflected::Extension(parts));
    Ok(())
}

fn shown_name(parts: Parts) -> &'static str {
    parts.first().map_or("", |e| e.name)
}

fn functions(parts: Parts) -> Vec<jumbo_abi::FnPtr> {
    let all = &registry::get().functions;
    let declared = |f: &jumbo_abi::FnPtr| {
        f.desc().is_some_and(|d| parts.iter().any(|e| e.functions.iter().any(|x| std::ptr::eq(x, d))))
    };
    all.iter().copied().filter(declared).collect()
}

fn classes(parts: Parts) -> Vec<ClassPtr> {
    let found = parts.iter().flat_map(|e| e.classes).filter_map(|c| {
        registry::get().classes.get(c.name.to_ascii_lowercase().as_bytes()).copied()
    });
    found.collect()
}

fn constants(parts: Parts) -> Vec<(&'static [u8], Value, bool)> {
    let names = parts.iter().flat_map(|e| e.constants);
    names
        .filter_map(|c| registry::get().constants.get(c.name.as_bytes()).map(|k| (c.name.as_bytes(), k.value(), c.deprecated)))
        .collect()
}

/// A setting as it is now.
struct Setting {
    name: Vec<u8>,
    value: Option<Vec<u8>>,
    access: u32,
    /// What it was before the script changed it.
    original: Option<Vec<u8>>,
}

fn settings(cx: &Cx, parts: Parts) -> Vec<Setting> {
    let name = shown_name(parts);
    let own = cx.ini.iter().filter(|(_, e)| e.extension == name);
    own.map(|(n, e)| Setting {
        name: n.to_vec(),
        value: e.value.as_ref().map(|v| v.to_vec()),
        access: e.access,
        original: e.original.as_ref().map(|o| o.as_ref().map(|v| v.to_vec()).unwrap_or_default()),
    })
    .collect()
}

pub fn get_name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(PStr::new(shown_name(state::extension(cx, this)?).as_bytes()))
}

pub fn get_version(cx: &mut Cx, this: &PObject) -> Res<Option<PStr>> {
    let parts = state::extension(cx, this)?;
    Ok(parts.first().map(|e| PStr::new(e.version.as_bytes())))
}

pub fn get_functions(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let parts = state::extension(cx, this)?;
    let mut list = PArray::new();
    for f in functions(parts) {
        let object = state::make_func(cx, Func::of(f))?;
        list.set_bytes(&f.name.as_bytes().to_ascii_lowercase(), object);
    }
    Ok(list)
}

pub fn get_constants(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let parts = state::extension(cx, this)?;
    let mut list = PArray::new();
    for (name, value, _) in constants(parts) {
        list.set_bytes(name, value);
    }
    Ok(list)
}

pub fn get_ini_entries(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let parts = state::extension(cx, this)?;
    let mut list = PArray::new();
    for Setting { name, value, .. } in settings(cx, parts) {
        list.set_bytes(&name, value.map_or(Value::null(), Value::from));
    }
    Ok(list)
}

pub fn get_classes(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let parts = state::extension(cx, this)?;
    let mut list = PArray::new();
    for class in classes(parts) {
        let object = state::make_class(cx, class)?;
        list.set_str(&class.name, object);
    }
    Ok(list)
}

pub fn get_class_names(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let parts = state::extension(cx, this)?;
    Ok(PArray::from_values(classes(parts).iter().map(|c| Value::from(&c.name))))
}

/// Extensions are parts of one program here: none depends on another being loaded.
pub fn get_dependencies(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    state::extension(cx, this)?;
    Ok(PArray::new())
}

pub fn info(cx: &mut Cx, this: &PObject) -> Res<()> {
    let parts = state::extension(cx, this)?;
    let mut out = Text::new();
    out.put("\n").put(shown_name(parts)).put("\n\n");
    let mut lines = Vec::new();
    for part in parts {
        lines.extend(part.info.map(|info| info(cx)).unwrap_or_default());
    }
    if lines.is_empty() {
        lines.push((shown_name(parts).to_owned(), "enabled".to_owned()));
    }
    for (key, value) in lines {
        out.put(key).put(" => ").put(value).put("\n");
    }
    let settings = settings(cx, parts);
    if !settings.is_empty() {
        out.put("\nDirective => Local Value => Master Value\n");
        for Setting { name, value, .. } in settings {
            let value = value.filter(|v| !v.is_empty()).unwrap_or_else(|| b"no value".to_vec());
            out.put(&name).put(" => ").put(&value).put(" => ").put(&value).put("\n");
        }
    }
    out.put("\n");
    cx.write(&out.finish()?)
}

pub fn is_persistent(cx: &mut Cx, this: &PObject) -> Res<bool> {
    state::extension(cx, this)?;
    Ok(true)
}

pub fn is_temporary(cx: &mut Cx, this: &PObject) -> Res<bool> {
    state::extension(cx, this)?;
    Ok(false)
}

fn access_word(access: u32) -> &'static str {
    use jumbo_abi::desc::ini_access as a;
    match access {
        a::ALL => "ALL",
        n if n & a::USER != 0 => "USER",
        n if n & a::PERDIR != 0 => "PERDIR",
        _ => "SYSTEM",
    }
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let parts = state::extension(cx, this)?;
    let name = shown_name(parts);
    let all = &registry::get().extensions;
    let number = all.iter().position(|e| e.name == name).map_or(0, |n| n + 1);
    let version = parts.first().map_or("", |e| e.version);
    let mut out = Text::new();
    out.put("Extension [ <persistent> extension #").number(number).put(" ").put(name).put(" version ").put(version).put(" ] {\n");
    let settings = settings(cx, parts);
    if !settings.is_empty() {
        out.put("\n  - INI {\n");
        for Setting { name, value, access, original } in settings {
            out.put("    Entry [ ").put(&name).put(" <").put(access_word(access)).put("> ]\n");
            out.put("      Current = '").put(value.unwrap_or_default()).put("'\n");
            if let Some(original) = original {
                out.put("      Default = '").put(original).put("'\n");
            }
            out.put("    }\n");
        }
        out.put("  }\n");
    }
    let constants = constants(parts);
    if !constants.is_empty() {
        out.put("\n  - Constants [").number(constants.len()).put("] {\n");
        for (name, value, deprecated) in constants {
            texts::constant(cx, name, &value, true, deprecated, 4, &mut out)?;
        }
        out.put("  }\n");
    }
    let functions = functions(parts);
    if !functions.is_empty() {
        out.put("\n  - Functions {\n");
        for f in functions {
            texts::function(cx, &Func::of(f), None, 4, &mut out)?;
        }
        out.put("  }\n");
    }
    let classes = classes(parts);
    if !classes.is_empty() {
        out.put("\n  - Classes [").number(classes.len()).put("] {\n");
        for (n, class) in classes.into_iter().enumerate() {
            if n > 0 {
                out.put("\n");
            }
            texts::class(cx, class, None, 4, &mut out)?;
        }
        out.put("  }\n");
    }
    out.put("}\n");
    Ok(Value::from(out.finish()?))
}
