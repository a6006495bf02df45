//! The verifier: what every function's code must fulfil. The interpreter trusts verified code: it does not check indices.

use crate::insn::{Kind, Op, walk};
use crate::op::{FRAME_HEADER, LITERAL, NONE, THIS};
use crate::unit::{FunctionProto, Unit};

/// Checks all code of a unit; the error names function, word and reason.
pub fn unit(unit: &Unit) -> Result<(), String> {
    function(unit, &unit.main).map_err(|e| format!("main: {e}"))?;
    for (n, f) in unit.functions.iter().enumerate() {
        function(unit, f).map_err(|e| format!("function {n} {:?}: {e}", String::from_utf8_lossy(f.name.as_bytes())))?;
    }
    Ok(())
}

/// Checks one function.
pub fn function(unit: &Unit, f: &FunctionProto) -> Result<(), String> {
    if f.first_temp as usize != FRAME_HEADER as usize + f.cvs.len() || f.registers < f.first_temp {
        return Err("register counts do not fit".into());
    }
    let starts: crate::hash::NameSet<usize> = walk(&f.code).map(|(at, _)| at).collect();
    let mut last = None;
    for (at, insn) in walk(&f.code) {
        if Op::from_u16(insn.opcode()).is_none() {
            return Err(format!("{at}: no opcode {}", insn.opcode()));
        }
        let info = insn.op().info();
        if at + insn.op().words() > f.code.len() {
            return Err(format!("{at}: truncated"));
        }
        for (kind, value) in insn.operands() {
            let ok = match kind {
                Kind::D => value >= f.first_temp && value < f.registers,
                Kind::R => value >= FRAME_HEADER && value < f.registers,
                Kind::Q => value == NONE || (value >= FRAME_HEADER && value < f.registers),
                Kind::V => value == NONE || (value >= FRAME_HEADER && value < f.first_temp),
                Kind::P | Kind::W => value == THIS || value == NONE || (value >= FRAME_HEADER && value < f.registers),
                Kind::O if value & LITERAL != 0 => ((value & !LITERAL) as usize) < f.literals.len(),
                Kind::O => value == NONE || value == THIS || (value >= FRAME_HEADER && value < f.registers),
                Kind::L => (value as usize) < f.literals.len(),
                Kind::F => value >= f.first_temp && value + FRAME_HEADER <= f.registers,
                Kind::bcJ => starts.contains(&((at as i64 + insn.jump() as i64) as usize)),
                _ => true,
            };
            if !ok {
                return Err(format!("{at}: {insn:?}: operand {kind:?} {value} is out of range"));
            }
        }
        for (i, kind) in info.ext.iter().enumerate() {
            let word = f.code[at + 1 + i].0;
            if *kind == Kind::J && !starts.contains(&((at as i64 + word as u32 as i32 as i64) as usize)) {
                return Err(format!("{at}: {insn:?}: jump to nowhere"));
            }
        }
        match insn.op() {
            Op::Lit if insn.bc() as usize >= f.literals.len() => return Err(format!("{at}: literal {}", insn.bc())),
            Op::Closure | Op::DeclareFunction if insn.bc() as usize >= unit.functions.len() => {
                return Err(format!("{at}: function {}", insn.bc()));
            }
            Op::DeclareClass | Op::DeclareAnonClass if insn.bc() as usize >= unit.classes.len() => {
                return Err(format!("{at}: class {}", insn.bc()));
            }
            _ => {}
        }
        last = Some(insn.op());
    }
    match last {
        Some(Op::Return | Op::ReturnReg | Op::ReturnLit | Op::ReturnMethodReg | Op::ReturnMethodLit | Op::ReturnRef | Op::GeneratorReturn | Op::Jmp | Op::Loop | Op::Throw | Op::ThrowError | Op::MatchError | Op::VerifyNever | Op::FastRet) => crate::verify_temps::function(f),
        _ => Err("code runs off its end".into()),
    }
}
