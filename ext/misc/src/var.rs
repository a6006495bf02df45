//! var_dump, var_export, print_r: values as text.
//!
//! Recursion is found by the addresses of the arrays and objects that are being shown, so shared and frozen values are never marked.

use jumbo_abi::class::{mangle, unmangle};
use jumbo_abi::desc::Purpose;
use jumbo_abi::lazy::Lazy;
use jumbo_abi::{ClassPtr, Cx, KeyRef, Level, PArray, PObject, PStr, Res, Type, Value, View};
use jumbo_value::{HeapVec, OutOfMemory, PStrBuilder, number};

/// Arrays and objects being shown, outermost first.
#[derive(Default)]
pub(crate) struct Path(pub(crate) HeapVec<usize>);

impl Path {
    /// False: it is being shown already.
    pub(crate) fn enter(&mut self, address: usize) -> Result<bool, OutOfMemory> {
        if self.0.contains(&address) {
            return Ok(false);
        }
        self.0.push(address)?;
        Ok(true)
    }
    pub(crate) fn leave(&mut self) {
        self.0.pop();
    }
}

pub fn var_dump(cx: &mut Cx, value: &Value, values: &[Value]) -> Res<()> {
    for v in std::iter::once(value).chain(values) {
        let mut out = PStrBuilder::new();
        dump(cx, &mut out, v, 0, &mut Path::default())?;
        cx.write(&out)?;
    }
    Ok(())
}

pub(crate) fn pad(out: &mut PStrBuilder, n: usize) -> Result<(), OutOfMemory> {
    out.fill(b' ', n)
}

pub(crate) fn extend_all(out: &mut PStrBuilder, parts: &[&[u8]]) -> Result<(), OutOfMemory> {
    parts.iter().try_for_each(|part| out.extend(part))
}

/// What is shown leaves in pieces of this size: showing a value takes no more memory than that.
const PIECE_BYTES: usize = 32 << 10;

/// Writes what is shown so far when it is a piece.
pub(crate) fn flush_piece(cx: &mut Cx, out: &mut PStrBuilder) -> Res<()> {
    if out.len() < PIECE_BYTES {
        return Ok(());
    }
    cx.check()?;
    cx.write(out)?;
    out.clear();
    Ok(())
}

/// A string that is shown as it is.
pub(crate) fn show_bytes(cx: &mut Cx, out: &mut PStrBuilder, bytes: &[u8]) -> Res<()> {
    if bytes.len() < PIECE_BYTES {
        return Ok(out.extend(bytes)?);
    }
    flush(cx, out)?;
    cx.write(bytes)
}

/// Flushes what is shown so far when PHP code is about to run, so that its own output comes in order.
pub(crate) fn flush(cx: &mut Cx, out: &mut PStrBuilder) -> Res<()> {
    let text = std::mem::take(out);
    cx.write(&text)
}

fn dump(cx: &mut Cx, out: &mut PStrBuilder, value: &Value, indent: usize, path: &mut Path) -> Res<()> {
    pad(out, indent)?;
    if cx.engine().stack_is_low(cx) {
        out.extend(b"nesting level too deep")?;
        return Ok(());
    }
    let recursion = match value.view_deref() {
        View::Array(a) => !a.is_empty() && path.0.contains(&(a.as_ptr() as usize)),
        View::Object(o) => path.0.contains(&(o.as_ptr() as usize)),
        _ => false,
    };
    // A reference that nothing else shares is shown as the plain value.
    if !recursion && value.as_ref().is_some_and(|r| r.ref_count() > 1) {
        out.push(b'&')?;
    }
    match value.view_deref() {
        View::Undef | View::Null => out.extend(b"NULL\n")?,
        View::Bool(b) => out.extend(if b { b"bool(true)\n" } else { b"bool(false)\n" })?,
        View::Int(i) => {
            out.extend(b"int(")?;
            out.push_int(i)?;
            out.extend(b")\n")?;
        }
        View::Float(f) => {
            out.extend(b"float(")?;
            out.extend(&number::float_to_string(f, cx.serialize_precision))?;
            out.extend(b")\n")?;
        }
        View::Str(s) => {
            write!(out, "string({}) \"", s.len())?;
            let s = s.clone();
            show_bytes(cx, out, &s)?;
            out.extend(b"\"\n")?;
        }
        View::Resource(r) => {
            let kind = if r.is_closed() { "Unknown" } else { r.type_name() };
            write!(out, "resource({}) of type ({kind})\n", r.id())?;
        }
        View::Array(a) => {
            let a = a.clone();
            dump_array(cx, out, &a, indent, path)?;
        }
        View::Object(o) => {
            let o = o.clone();
            dump_object(cx, out, &o, indent, path)?;
        }
        View::Ref(_) => {}
    }
    flush_piece(cx, out)
}

fn dump_array(cx: &mut Cx, out: &mut PStrBuilder, a: &PArray, indent: usize, path: &mut Path) -> Res<()> {
    if !a.is_empty() && !path.enter(a.as_ptr() as usize)? {
        out.extend(b"*RECURSION*\n")?;
        return Ok(());
    }
    write!(out, "array({}) {{\n", a.len())?;
    for (k, v) in a {
        pad(out, indent + 2)?;
        match k {
            KeyRef::Int(i) => write!(out, "[{i}]=>\n")?,
            KeyRef::Str(s) => extend_all(out, &[b"[\"", s.as_bytes(), b"\"]=>\n"])?,
        }
        dump(cx, out, v, indent + 2, path)?;
    }
    if !a.is_empty() {
        path.leave();
    }
    pad(out, indent)?;
    out.extend(b"}\n")?;
    Ok(())
}

/// Properties for debugging: what `__debugInfo` says, else the class's or the plain table.
pub fn debug_properties(cx: &mut Cx, object: &PObject) -> Res<(PArray, bool)> {
    let class = ClassPtr::of(object);
    if let Some(method) = class.magic.debug_info {
        let answer = match cx.call_function(method, Some(object), Some(class), &[]) {
            // No array comes of an exception, which is told of with that error.
            Err(jumbo_abi::Stop::Thrown) => Value::undef(),
            answer => answer?,
        };
        return match answer.view_deref() {
            View::Array(a) => Ok((a.clone(), true)),
            View::Null => Ok((PArray::new(), true)),
            _ => Err(cx.fatal(b"__debuginfo() must return an array")),
        };
    }
    let custom = class.hooks.properties.is_some();
    Ok((cx.properties(object, Purpose::Debug)?, custom))
}

/// `is_name`: integers are names of properties, which are strings.
pub(crate) fn property_label(out: &mut PStrBuilder, key: KeyRef<'_>, is_name: bool) -> Result<(), OutOfMemory> {
    match key {
        KeyRef::Int(i) if is_name => write!(out, "[\"{i}\"]=>\n")?,
        KeyRef::Int(i) => write!(out, "[{i}]=>\n")?,
        KeyRef::Str(s) => {
            let (name, class) = unmangle(s.as_bytes());
            out.extend(b"[\"")?;
            out.extend(name)?;
            match class {
                None => out.extend(b"\"]=>\n")?,
                Some(b"*") => out.extend(b"\":protected]=>\n")?,
                Some(c) => extend_all(out, &[b"\":\"", c, b"\":private]=>\n"])?,
            }
        }
    }
    Ok(())
}

fn dump_object(cx: &mut Cx, out: &mut PStrBuilder, o: &PObject, indent: usize, path: &mut Path) -> Res<()> {
    let class = ClassPtr::of(o);
    if class.is_enum() {
        let case = o.slot(0);
        let name = case.as_bytes().unwrap_or(b"");
        extend_all(out, &[b"enum(", class.name.as_bytes(), b"::", name, b")\n"])?;
        return Ok(());
    }
    if !path.enter(o.as_ptr() as usize)? {
        out.extend(b"*RECURSION*\n")?;
        return Ok(());
    }
    if class.magic.debug_info.is_some() {
        flush(cx, out)?;
    }
    let (properties, custom) = debug_properties(cx, o)?;
    let prefix = lazy_prefix(cx, o)?;
    // A proxy shows its real instance alone.
    let custom = custom || properties.get_bytes(b"instance").is_some_and(|_| prefix.starts_with(b"lazy proxy") && !is_uninitialized_lazy(cx, o));
    // What makes an anonymous class unique stands behind a NUL, and is not shown.
    let shown = jumbo_value::string::up_to_nul(class.name.as_bytes());
    extend_all(out, &[prefix, b"object(", shown])?;
    write!(out, ")#{} ({}) {{\n", o.id(), properties.len())?;
    let uninitialized: Vec<(usize, PStr, Type)> = if custom { Vec::new() } else { uninitialized_properties(class, o) };
    let mut missing = uninitialized.into_iter().peekable();
    let mut at = 0usize;
    for (k, v) in &properties {
        // Uninitialised properties stand where they were declared.
        if !custom {
            let place = match k {
                KeyRef::Str(s) => class.slots.iter().position(|slot| mangle(slot.flags, slot.class, &slot.name) == *s),
                KeyRef::Int(_) => None,
            };
            at = place.unwrap_or(usize::MAX);
        }
        while let Some((_, name, ty)) = missing.next_if(|m| m.0 < at) {
            show_uninitialized(out, &name, &ty, indent)?;
        }
        pad(out, indent + 2)?;
        property_label(out, k, !custom)?;
        dump(cx, out, v, indent + 2, path)?;
    }
    for (_, name, ty) in missing {
        show_uninitialized(out, &name, &ty, indent)?;
    }
    path.leave();
    pad(out, indent)?;
    out.extend(b"}\n")?;
    Ok(())
}

/// What stands before a lazy object: `lazy ghost `, `lazy proxy `.
pub(crate) fn lazy_prefix(cx: &mut Cx, o: &PObject) -> Res<&'static [u8]> {
    let kind = cx.engine().lazy(cx, Lazy::Kind(o))?;
    Ok(match kind.as_bytes() {
        None => b"",
        Some(b"ghost") => b"lazy ghost ",
        Some(_) => b"lazy proxy ",
    })
}

pub(crate) fn is_uninitialized_lazy(cx: &mut Cx, o: &PObject) -> bool {
    cx.engine().lazy(cx, Lazy::IsUninitialized(o)).is_ok_and(|v| v.is_true())
}

/// Typed properties without a value: slot, mangled name, type.
pub(crate) fn uninitialized_properties(class: ClassPtr, o: &PObject) -> Vec<(usize, PStr, Type)> {
    class
        .slots
        .iter()
        .enumerate()
        .filter(|(n, _)| o.slot(*n as u32).is_undef())
        .filter_map(|(n, s)| Some((n, mangle(s.flags, s.class, &s.name), s.ty.clone()?)))
        .collect()
}

pub(crate) fn show_uninitialized(out: &mut PStrBuilder, name: &PStr, ty: &Type, indent: usize) -> Result<(), OutOfMemory> {
    pad(out, indent + 2)?;
    property_label(out, KeyRef::Str(name), true)?;
    pad(out, indent + 2)?;
    out.extend(b"uninitialized(")?;
    out.extend(&ty.display())?;
    out.extend(b")\n")
}

pub use crate::dump::debug_zval_dump;

// ---- print_r

pub fn print_r(cx: &mut Cx, value: &Value, to_string: bool) -> Res<Value> {
    let mut out = PStrBuilder::new();
    human(cx, &mut out, value, 0, &mut Path::default())?;
    if to_string {
        return Ok(Value::from(out.finish()));
    }
    cx.write(&out)?;
    Ok(Value::from(true))
}

fn human(cx: &mut Cx, out: &mut PStrBuilder, value: &Value, indent: usize, path: &mut Path) -> Res<()> {
    cx.check_stack()?;
    match value.view_deref() {
        View::Array(a) => {
            let a = a.clone();
            out.extend(b"Array\n")?;
            if !a.is_empty() && !path.enter(a.as_ptr() as usize)? {
                out.extend(b" *RECURSION*")?;
                return Ok(());
            }
            human_table(cx, out, &a, false, indent, path)?;
            if !a.is_empty() {
                path.leave();
            }
        }
        View::Object(o) => {
            let o = o.clone();
            let class = ClassPtr::of(&o);
            out.extend(jumbo_value::string::up_to_nul(class.name.as_bytes()))?;
            if class.is_enum() {
                out.extend(b" Enum")?;
                match class.enum_backing {
                    0 => {}
                    m if m & jumbo_abi::mask::INT != 0 => out.extend(b":int")?,
                    _ => out.extend(b":string")?,
                }
                out.push(b'\n')?;
            } else {
                out.extend(b" Object\n")?;
            }
            if !path.enter(o.as_ptr() as usize)? {
                out.extend(b" *RECURSION*")?;
                return Ok(());
            }
            // All of it is shown at the end, after what `__debugInfo` prints.
            let (properties, _) = debug_properties(cx, &o)?;
            human_table(cx, out, &properties, true, indent, path)?;
            path.leave();
        }
        _ => {
            let text = cx.to_string(value.deref())?;
            out.extend(text.as_bytes())?;
        }
    }
    Ok(())
}

/// `names`: the keys are names of properties.
fn human_table(
    cx: &mut Cx,
    out: &mut PStrBuilder,
    table: &PArray,
    names: bool,
    indent: usize,
    path: &mut Path,
) -> Res<()> {
    pad(out, indent)?;
    out.extend(b"(\n")?;
    for (k, v) in table {
        pad(out, indent + 4)?;
        out.push(b'[')?;
        match k {
            KeyRef::Int(i) => out.push_int(i)?,
            KeyRef::Str(s) if !names => out.extend(s.as_bytes())?,
            KeyRef::Str(s) => {
                let (name, class) = unmangle(s.as_bytes());
                out.extend(name)?;
                match class {
                    None => {}
                    Some(b"*") => out.extend(b":protected")?,
                    Some(c) => extend_all(out, &[b":", c, b":private"])?,
                }
            }
        }
        out.extend(b"] => ")?;
        human(cx, out, v, indent + 8, path)?;
        out.push(b'\n')?;
    }
    pad(out, indent)?;
    out.extend(b")\n")?;
    Ok(())
}

// ---- var_export

pub fn var_export(cx: &mut Cx, value: &Value, to_string: bool) -> Res<Option<PStr>> {
    let mut out = PStrBuilder::new();
    export(cx, &mut out, value, 1, &mut Path::default())?;
    if to_string {
        return Ok(Some(out.finish()));
    }
    cx.write(&out)?;
    Ok(None)
}

/// A string as a PHP literal: single quotes, NUL bytes spelled out.
fn export_string(out: &mut PStrBuilder, s: &[u8]) -> Result<(), OutOfMemory> {
    out.reserve(s.len() + 2)?;
    out.push(b'\'')?;
    for &b in s {
        match b {
            b'\'' | b'\\' => out.extend(&[b'\\', b])?,
            0 => out.extend(b"' . \"\\0\" . '")?,
            _ => out.push(b)?,
        }
    }
    out.push(b'\'')
}

fn circular(cx: &mut Cx) -> Res<()> {
    cx.raise(Level::Warning, b"var_export does not handle circular references")
}

fn export(cx: &mut Cx, out: &mut PStrBuilder, value: &Value, level: usize, path: &mut Path) -> Res<()> {
    cx.check_stack()?;
    match value.view_deref() {
        View::Undef | View::Null | View::Resource(_) => out.extend(b"NULL")?,
        View::Bool(b) => out.extend(if b { b"true" } else { b"false" })?,
        View::Int(i64::MIN) => out.extend(b"-9223372036854775807-1")?,
        View::Int(i) => out.push_int(i)?,
        View::Float(f) => out.extend(&number::float_repr(f, cx.serialize_precision, true))?,
        View::Str(s) => export_string(out, s.as_bytes())?,
        View::Array(a) => {
            let a = a.clone();
            if !a.is_empty() && !path.enter(a.as_ptr() as usize)? {
                out.extend(b"NULL")?;
                return circular(cx);
            }
            if level > 1 {
                out.push(b'\n')?;
                pad(out, (level - 1) * 2)?;
            }
            out.extend(b"array (\n")?;
            for (k, v) in &a {
                pad(out, level * 2)?;
                match k {
                    KeyRef::Int(i) => out.push_int(i)?,
                    KeyRef::Str(s) => export_string(out, s.as_bytes())?,
                }
                out.extend(b" => ")?;
                export(cx, out, v, level + 1, path)?;
                out.extend(b",\n")?;
            }
            if !a.is_empty() {
                path.leave();
            }
            if level > 1 {
                pad(out, (level - 1) * 2)?;
            }
            out.push(b')')?;
        }
        View::Object(o) => {
            let o = o.clone();
            export_object(cx, out, &o, level, path)?;
        }
        View::Ref(_) => {}
    }
    Ok(())
}

fn export_object(cx: &mut Cx, out: &mut PStrBuilder, o: &PObject, level: usize, path: &mut Path) -> Res<()> {
    let class = ClassPtr::of(o);
    if class.is_enum() {
        if level > 1 {
            out.push(b'\n')?;
            pad(out, (level - 1) * 2)?;
        }
        let case = o.slot(0);
        let name = case.as_bytes().unwrap_or(b"");
        extend_all(out, &[b"\\", class.name.as_bytes(), b"::", name])?;
        return Ok(());
    }
    if !path.enter(o.as_ptr() as usize)? {
        out.extend(b"NULL")?;
        return circular(cx);
    }
    if level > 1 {
        out.push(b'\n')?;
        pad(out, (level - 1) * 2)?;
    }
    let properties = cx.properties(o, Purpose::VarExport)?;
    let plain = class.lower.as_bytes() == b"stdclass";
    if plain {
        out.extend(b"(object) array(\n")?;
    } else {
        extend_all(out, &[b"\\", class.name.as_bytes(), b"::__set_state(array(\n"])?;
    }
    for (k, v) in &properties {
        pad(out, (level - 1) * 2 + 3)?;
        match k {
            KeyRef::Int(i) if class.hooks.properties.is_none() => write!(out, "'{i}'")?,
            KeyRef::Int(i) => out.push_int(i)?,
            KeyRef::Str(s) => export_string(out, unmangle(s.as_bytes()).0)?,
        }
        out.extend(b" => ")?;
        export(cx, out, v, level + 1, path)?;
        out.extend(b",\n")?;
    }
    path.leave();
    if level > 1 {
        pad(out, (level - 1) * 2)?;
    }
    out.extend(if plain { b")" } else { b"))" })?;
    Ok(())
}
