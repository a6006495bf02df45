//! debug_zval_dump: values with their counts.
//!
//! A literal is immortal here and has no count; it is shown with the count that it has in stock PHP, where the literal table
//! and the argument hold it.

use crate::var::{
    Path, extend_all, flush, flush_piece, is_uninitialized_lazy, lazy_prefix, pad, property_label, show_bytes, show_uninitialized,
    uninitialized_properties,
};
use jumbo_abi::class::mangle;
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, KeyRef, PArray, PObject, Res, Value, View};
use jumbo_value::{PStrBuilder, number};

pub fn debug_zval_dump(cx: &mut Cx, value: &Value, values: &[Value]) -> Res<()> {
    for v in std::iter::once(value).chain(values) {
        let mut out = PStrBuilder::new();
        dump(cx, &mut out, v, 0, &mut Path::default())?;
        cx.write(&out)?;
    }
    Ok(())
}

fn count(n: i32) -> i32 {
    if n < 0 { 2 } else { n }
}

fn dump(cx: &mut Cx, out: &mut PStrBuilder, value: &Value, indent: usize, path: &mut Path) -> Res<()> {
    cx.check_stack()?;
    pad(out, indent)?;
    if let Some(reference) = value.as_ref() {
        let reference = reference.clone();
        // Without the handle that was just taken.
        write!(out, "reference refcount({}) {{\n", count(reference.ref_count()) - 1)?;
        if path.enter(reference.as_ptr() as usize)? {
            dump(cx, out, &reference.get(), indent + 2, path)?;
            path.leave();
        } else {
            pad(out, indent + 2)?;
            out.extend(b"*RECURSION*\n")?;
        }
        pad(out, indent)?;
        out.extend(b"}\n")?;
        return Ok(());
    }
    match value.view() {
        View::Undef | View::Null => out.extend(b"NULL\n")?,
        View::Bool(b) => out.extend(if b { b"bool(true)\n" } else { b"bool(false)\n" })?,
        View::Int(i) => write!(out, "int({i})\n")?,
        View::Float(f) => {
            out.extend(b"float(")?;
            out.extend(&number::float_to_string(f, cx.serialize_precision))?;
            out.extend(b")\n")?;
        }
        View::Str(s) => {
            write!(out, "string({}) \"", s.len())?;
            show_bytes(cx, out, s)?;
            if s.is_immortal() {
                out.extend(b"\" interned\n")?;
            } else {
                write!(out, "\" refcount({})\n", s.ref_count())?;
            }
        }
        View::Resource(r) => {
            let kind = if r.is_closed() { "Unknown" } else { r.type_name() };
            write!(out, "resource({}) of type ({kind}) refcount({})\n", r.id(), count(r.ref_count()))?;
        }
        View::Array(a) => dump_array(cx, out, a, indent, path)?,
        View::Object(o) => dump_object(cx, out, o, indent, path)?,
        View::Ref(_) => {}
    }
    flush_piece(cx, out)
}

fn dump_array(cx: &mut Cx, out: &mut PStrBuilder, a: &PArray, indent: usize, path: &mut Path) -> Res<()> {
    if a.is_empty() {
        out.extend(b"array(0) interned {\n")?;
    } else {
        if !path.enter(a.as_ptr() as usize)? {
            out.extend(b"*RECURSION*\n")?;
            return Ok(());
        }
        let packed = if a.is_packed() { " packed" } else { "" };
        write!(out, "array({}){packed} refcount({}){{\n", a.len(), count(a.ref_count()))?;
        for (k, v) in a {
            pad(out, indent + 2)?;
            match k {
                KeyRef::Int(i) => write!(out, "[{i}]=>\n")?,
                KeyRef::Str(s) => extend_all(out, &[b"[\"", s.as_bytes(), b"\"]=>\n"])?,
            }
            dump(cx, out, v, indent + 2, path)?;
        }
        path.leave();
    }
    pad(out, indent)?;
    out.extend(b"}\n")?;
    Ok(())
}

fn dump_object(cx: &mut Cx, out: &mut PStrBuilder, o: &PObject, indent: usize, path: &mut Path) -> Res<()> {
    let class = ClassPtr::of(o);
    if !path.enter(o.as_ptr() as usize)? {
        out.extend(b"*RECURSION*\n")?;
        return Ok(());
    }
    let refs = count(o.ref_count());
    flush(cx, out)?;
    let properties = cx.properties(o, Purpose::Debug)?;
    let prefix = lazy_prefix(cx, o)?;
    extend_all(out, &[prefix, b"object(", class.name.as_bytes()])?;
    write!(out, ")#{} ({}) refcount({refs}){{\n", o.id(), properties.len())?;
    // A proxy shows its real instance alone.
    let proxy = prefix.starts_with(b"lazy proxy") && !is_uninitialized_lazy(cx, o);
    let custom = class.hooks.properties.is_some() || proxy;
    let mut missing = if custom { Vec::new() } else { uninitialized_properties(class, o) }.into_iter().peekable();
    for (k, v) in &properties {
        if let KeyRef::Str(s) = k
            && !custom
        {
            // Uninitialised properties stand where they were declared.
            let place = class.slots.iter().position(|slot| mangle(slot.flags, slot.class, &slot.name) == *s);
            while let Some((_, name, ty)) = missing.next_if(|m| m.0 < place.unwrap_or(usize::MAX)) {
                show_uninitialized(out, &name, &ty, indent)?;
            }
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
