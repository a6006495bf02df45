//! The disassembler: bytecode as text, for `jumbo dis` and for tests of the compiler.

use crate::insn::{Insn, Kind, walk};
use crate::op::{FRAME_HEADER, LITERAL, NONE, THIS};
use crate::unit::{ClassRef, FunctionProto, Unit};
use jumbo_value::View;
use std::fmt::Write;

/// The whole unit: the file's code, then every function.
pub fn unit(unit: &Unit) -> String {
    let mut out = String::new();
    function(&mut out, "main", &unit.main);
    for (number, proto) in unit.functions.iter().enumerate() {
        function(&mut out, &format!("function {number}"), proto);
    }
    out
}

/// One function.
pub fn function(out: &mut String, title: &str, proto: &FunctionProto) {
    let _ = writeln!(
        out,
        "{title} {:?}: {} cvs, {} registers, {} literals, lines {}-{}",
        String::from_utf8_lossy(proto.name.as_bytes()),
        proto.cvs.len(),
        proto.registers,
        proto.literals.len(),
        proto.line_start,
        proto.line_end
    );
    for (at, insn) in walk(&proto.code) {
        let info = insn.op().info();
        let _ = write!(out, "  {at:5} {:4} {:<16}", proto.line_at(at as u32), info.name);
        for (kind, value) in insn.operands() {
            operand(out, proto, at, insn, kind, value);
        }
        for (i, kind) in info.ext.iter().enumerate() {
            let word = proto.code.get(at + 1 + i).map_or(0, |w| w.0);
            extra(out, at, *kind, word);
        }
        out.push('\n');
    }
    for t in &proto.tries {
        let _ = writeln!(out, "  try {t:?}");
    }
    out.push('\n');
}

fn register(out: &mut String, proto: &FunctionProto, r: u16) {
    if r == NONE {
        out.push_str(" -");
    } else if r == THIS {
        out.push_str(" $this");
    } else if r >= FRAME_HEADER && r < proto.first_temp {
        let name = proto.cvs.get((r - FRAME_HEADER) as usize).map_or(&b"?"[..], |n| n.as_bytes());
        let _ = write!(out, " ${}", String::from_utf8_lossy(name));
    } else {
        let _ = write!(out, " t{}", r.wrapping_sub(proto.first_temp));
    }
}

fn literal(out: &mut String, proto: &FunctionProto, index: u32) {
    let Some(raw) = proto.literals.get(index as usize) else {
        let _ = write!(out, " L{index}?");
        return;
    };
    // SAFETY: literals are immortal, so the handle neither counts nor frees.
    let value = unsafe { jumbo_value::Value::from_raw(*raw) };
    match value.view() {
        View::Int(i) => {
            let _ = write!(out, " {i}");
        }
        View::Float(f) => {
            let _ = write!(out, " {f:?}");
        }
        View::Str(s) => {
            let _ = write!(out, " {:?}", String::from_utf8_lossy(s.as_bytes()));
        }
        View::Null => out.push_str(" null"),
        View::Bool(b) => {
            let _ = write!(out, " {b}");
        }
        View::Array(a) => {
            let _ = write!(out, " array({})", a.len());
        }
        _ => out.push_str(" ?"),
    }
    std::mem::forget(value);
}

fn operand(out: &mut String, proto: &FunctionProto, at: usize, insn: Insn, kind: Kind, value: u16) {
    match kind {
        Kind::_Unused => {}
        Kind::L => literal(out, proto, value as u32),
        Kind::N => {
            let _ = write!(out, " #{value}");
        }
        Kind::F => {
            out.push_str(" frame");
            register(out, proto, value);
        }
        Kind::bcJ => {
            let _ = write!(out, " ->{}", at as i64 + insn.jump() as i64);
        }
        Kind::bcN => {
            let _ = write!(out, " #{}", insn.bc());
        }
        Kind::O if value & LITERAL != 0 => literal(out, proto, (value & !LITERAL) as u32),
        _ => register(out, proto, value),
    }
}

fn extra(out: &mut String, at: usize, kind: Kind, word: u64) {
    match kind {
        Kind::J => {
            let _ = write!(out, " ->{}", at as i64 + word as u32 as i32 as i64);
        }
        Kind::K => match ClassRef(word as u32) {
            ClassRef::SELF => out.push_str(" self"),
            ClassRef::PARENT => out.push_str(" parent"),
            ClassRef::STATIC => out.push_str(" static"),
            ClassRef::DYNAMIC => out.push_str(" dynamic"),
            ClassRef(handle) => {
                let _ = write!(out, " {}", String::from_utf8_lossy(crate::names::CLASSES.name(handle).as_bytes()));
            }
        },
        Kind::C => {}
        _ => {
            let _ = write!(out, " x{word:x}");
        }
    }
}
