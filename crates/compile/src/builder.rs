//! The builder of one function: registers, temporaries, literals, code, jumps, lines and live ranges.
//!
//! While a function is being compiled the number of its CVs is not known, so temporaries are written as
//! `TEMP_BASE + n`; [`FunctionBuilder::finish`] moves them behind the CVs.
//!
//! Invariants: a destination is allocated before the operands that its instruction consumes are given back, so no
//! instruction reads and writes one temporary. A call frame lies above every temporary in use, and its result below
//! it: a callee's frame may overlay everything from the frame's base on.

use crate::CompileError;
use crate::konst::{Const, ConstId};
use jumbo_bytecode::hash::NameMap;
use jumbo_bytecode::op::{FRAME_HEADER, LITERAL, NONE, THIS};
use jumbo_bytecode::unit::{FunctionProto, LiveKind, LiveRange, SwitchTable, TryRegion};
use jumbo_bytecode::{Insn, Kind, Op, insn};
use jumbo_value::PStr;

/// First number of temporaries while building.
const TEMP_BASE: u16 = 0x4000;
/// CVs and temporaries each have this much room.
const MAX_REGISTERS: usize = 0x3f00;

/// Equal arrays of so many elements are one literal; to compare larger ones takes as much memory as they do.
const SHARED_ELEMENTS_MAX: usize = 1024;

/// What an expression compiled to.
#[derive(Clone, Debug)]
pub enum Operand {
    /// No value (an unused result, an absent key).
    None,
    Lit(Const),
    Cv(u16),
    /// A temporary, owned by whoever holds the operand.
    Tmp(u16),
    /// `$this` as the object of a member access.
    This,
}

/// Where a result shall go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dest {
    /// The value is not used.
    Void,
    /// Any operand.
    Any,
    /// A temporary that the caller has allocated.
    Reg(u16),
}

#[derive(Clone, Copy, Default)]
struct Temp {
    used: bool,
    /// Used for ever.
    reserved: bool,
    live: Option<(u32, LiveKind)>,
}

/// Forward jumps to one place.
#[derive(Default, Debug)]
pub struct Label {
    /// Instruction word, and the word that holds the jump (the same for jumps in `b` and `c`).
    patches: Vec<(u32, u32)>,
}

/// Which temporaries hold something, at a point where code branches.
pub struct Snapshot {
    live: Vec<(u16, LiveKind)>,
    used: Vec<bool>,
}

#[derive(Default)]
pub struct FunctionBuilder {
    code: Vec<Insn>,
    lines: Vec<(u32, u32)>,
    /// Line of the instructions that are emitted next.
    pub line: u32,
    literals: Vec<Const>,
    literal_ids: NameMap<ConstId, u32>,
    pub cvs: Vec<Vec<u8>>,
    cv_ids: NameMap<Vec<u8>, u16>,
    /// The targets of assignments whose values are being compiled, if nothing has named them before.
    pub fresh_targets: Vec<u16>,
    temps: Vec<Temp>,
    live: Vec<LiveRange>,
    pub tries: Vec<TryRegion>,
    pub switches: Vec<SwitchTable>,
    too_large: bool,
    /// See [`FunctionBuilder::wide_temp`].
    wide: Vec<u16>,
    /// The live ranges that ended last, at one place.
    ended: Vec<LiveRange>,
    wide_next: usize,
    /// The last word that a label was bound to.
    bound_at: u32,
    /// Word of the last instruction.
    last: u32,
}

impl FunctionBuilder {
    /// Bytes that the function takes so far and while it is finished, about.
    pub fn memory(&self) -> usize {
        const WORD: usize = 80;
        const LITERAL: usize = 160;
        const RANGE: usize = 3 * size_of::<LiveRange>();
        self.code.len() * WORD + self.literals.len() * LITERAL + self.live.len() * RANGE + self.lines.len() * 24 + self.cvs.len() * LITERAL
    }

    // ---- registers

    /// The CV of this name, made when it is new.
    pub fn cv(&mut self, name: &[u8]) -> u16 {
        if let Some(&cv) = self.cv_ids.get(name) {
            return cv;
        }
        if self.cvs.len() >= MAX_REGISTERS {
            self.too_large = true;
            return FRAME_HEADER;
        }
        let cv = FRAME_HEADER + self.cvs.len() as u16;
        self.cvs.push(name.to_vec());
        self.cv_ids.insert(name.to_vec(), cv);
        cv
    }

    /// The variable, if the code has named it.
    pub fn known_cv(&self, name: &[u8]) -> Option<u16> {
        self.cv_ids.get(name).copied()
    }

    /// Has the code named the variable before? As the target of an assignment whose value is being compiled it has not.
    pub fn has_cv(&self, name: &[u8]) -> bool {
        self.known_cv(name).is_some_and(|cv| !self.fresh_targets.contains(&cv))
    }

    /// An unused temporary.
    pub fn temp(&mut self) -> u16 {
        let n = match self.temps.iter().position(|t| !t.used) {
            Some(n) => n,
            None => {
                self.temps.push(Temp::default());
                self.temps.len() - 1
            }
        };
        self.take(n)
    }

    /// A temporary that is used for nothing else in the function (the state of a finally block).
    pub fn own_temp(&mut self) -> u16 {
        self.temps.push(Temp::default());
        self.take(self.temps.len() - 1)
    }

    /// The next of the temporaries that bring literals to the instruction that follows. They hold nothing else: the other operands of the
    /// instruction have been given back by now, and are still there.
    fn wide_temp(&mut self) -> u16 {
        const COUNT: usize = 4;
        if self.wide.len() < COUNT {
            let register = self.own_temp();
            if let Some(temp) = self.temp_mut(register) {
                temp.reserved = true;
            }
            self.wide.push(register);
            return register;
        }
        self.wide_next = (self.wide_next + 1) % COUNT;
        self.wide[self.wide_next]
    }

    fn take(&mut self, n: usize) -> u16 {
        if n >= MAX_REGISTERS {
            self.too_large = true;
            return TEMP_BASE;
        }
        self.temps[n].used = true;
        TEMP_BASE + n as u16
    }

    /// `count` consecutive temporaries above all that are in use.
    pub fn block(&mut self, count: usize) -> u16 {
        let start = self.temps.iter().rposition(|t| t.used).map_or(0, |n| n + 1);
        if start + count >= MAX_REGISTERS {
            self.too_large = true;
            return TEMP_BASE;
        }
        if self.temps.len() < start + count {
            self.temps.resize(start + count, Temp::default());
        }
        for n in start..start + count {
            self.temps[n].used = true;
        }
        TEMP_BASE + start as u16
    }

    pub fn is_temp(&self, register: u16) -> bool {
        (TEMP_BASE..THIS).contains(&register)
    }

    fn temp_mut(&mut self, register: u16) -> Option<&mut Temp> {
        self.temps
            .get_mut(register.checked_sub(TEMP_BASE)? as usize)
    }

    /// Gives back temporary `register`, which holds nothing from the next instruction on.
    pub fn release(&mut self, register: u16) {
        self.end_live(register);
        if let Some(temp) = self.temp_mut(register) {
            temp.used = false;
        }
    }

    /// Gives back a block of temporaries.
    pub fn release_block(&mut self, start: u16, count: usize) {
        for n in 0..count {
            self.release(start + n as u16);
        }
    }

    /// Gives back the block of a call, which the next instruction makes: until here its slots have held arguments.
    pub fn release_call(&mut self, frame: u16, args: usize) {
        for n in 0..args {
            self.is_argument(frame, frame + jumbo_bytecode::FRAME_HEADER + n as u16);
        }
        self.release_block(frame, jumbo_bytecode::FRAME_HEADER as usize + args);
    }

    /// What `register` holds is an argument of the call at `frame`.
    pub fn is_argument(&mut self, frame: u16, register: u16) {
        if let Some(Temp { live: Some((_, kind @ LiveKind::Value)), .. }) = self.temp_mut(register) {
            *kind = LiveKind::Argument(frame);
        }
    }

    /// The register for a result: the caller's, or a new temporary.
    pub fn dest(&mut self, dest: Dest) -> u16 {
        match dest {
            Dest::Reg(register) => register,
            _ => self.temp(),
        }
    }

    // ---- live ranges

    /// From the next instruction on `register` holds something that must be cleaned up.
    pub fn start_live(&mut self, register: u16, kind: LiveKind) {
        self.end_live(register);
        let at = self.here();
        if let Some(temp) = self.temp_mut(register) {
            temp.live = Some((at, kind));
        }
    }

    /// The instruction that comes next takes what `register` holds.
    pub fn end_live(&mut self, register: u16) {
        let end = self.here();
        let Some(temp) = self.temp_mut(register) else {
            return;
        };
        let Some((start, kind)) = temp.live.take() else { return };
        let range = LiveRange { start, end, register, kind };
        if start < end {
            self.live.push(range);
        }
        self.ended.retain(|other| other.end == end);
        self.ended.push(range);
    }

    /// What was to be taken by the next instruction is taken by the one after it: one that brings a literal has come between.
    fn extend_ended(&mut self, before: u32) {
        let after = self.here();
        for range in self.ended.iter_mut().filter(|range| range.end == before) {
            let known = self.live.iter_mut().rev().find(|r| (r.register, r.start, r.end) == (range.register, range.start, before));
            range.end = after;
            match known {
                Some(known) => known.end = after,
                None => self.live.push(*range),
            }
        }
    }

    /// The state of the temporaries, to be restored where another branch starts.
    pub fn snapshot(&self) -> Snapshot {
        let live = self.temps.iter().enumerate();
        Snapshot {
            live: live
                .filter_map(|(n, t)| Some((TEMP_BASE + n as u16, t.live?.1)))
                .collect(),
            used: self.temps.iter().map(|t| t.used).collect(),
        }
    }

    /// Code that follows is reached with the temporaries as they were at `snapshot`.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.restore_temps(snapshot);
        self.ended.clear();
    }

    fn restore_temps(&mut self, snapshot: &Snapshot) {
        for n in 0..self.temps.len() {
            let register = TEMP_BASE + n as u16;
            let wanted = snapshot
                .live
                .iter()
                .find(|(r, _)| *r == register)
                .map(|&(_, kind)| kind);
            match (self.temps[n].live.map(|(_, k)| k), wanted) {
                (Some(a), Some(b)) if a == b => {}
                (_, Some(kind)) => self.start_live(register, kind),
                (Some(_), None) => self.end_live(register),
                (None, None) => {}
            }
            self.temps[n].used = self.temps[n].reserved || snapshot.used.get(n).copied().unwrap_or(false);
        }
    }

    // ---- literals and operands

    /// Index of a literal in the table; equal literals share one.
    pub fn literal(&mut self, value: &Const) -> u32 {
        let index = self.literals.len() as u32;
        if let Const::Array(array) = value
            && (array.elements > SHARED_ELEMENTS_MAX || value.has_nan())
        {
            // One array equals itself, two with NAN do not.
            self.literals.push(value.clone());
            return index;
        }
        let id = value.id();
        if let Some(&index) = self.literal_ids.get(&id) {
            return index;
        }
        self.literals.push(value.clone());
        self.literal_ids.insert(id, index);
        index
    }

    /// Index of a literal for an `L` operand.
    pub fn literal_l(&mut self, value: &Const) -> u16 {
        let index = self.literal(value);
        if index > u16::MAX as u32 {
            self.too_large = true;
            return 0;
        }
        index as u16
    }

    /// Encodes a consumed operand (`O`): a temporary is given back, and its live range ends at the next instruction.
    pub fn o(&mut self, operand: Operand) -> u16 {
        match operand {
            Operand::None => NONE,
            Operand::This => THIS,
            Operand::Cv(register) => register,
            Operand::Tmp(register) => {
                self.release(register);
                register
            }
            Operand::Lit(value) => {
                let index = self.literal(&value);
                if index < (NONE & !LITERAL) as u32 {
                    return LITERAL | index as u16;
                }
                // A function with more than 32,766 literals: the rest goes through temporaries.
                let register = self.wide_temp();
                let before = self.here();
                self.emit_bc(Op::Lit, register, index);
                self.extend_ended(before);
                register
            }
        }
    }

    /// Puts an operand into a temporary (a `P` or `W` operand that must be a register, and is no CV).
    pub fn in_temp(&mut self, operand: Operand, dest: Dest) -> u16 {
        match operand {
            Operand::Tmp(register) if dest == Dest::Any || dest == Dest::Reg(register) => register,
            Operand::Lit(value) => {
                let register = self.dest(dest);
                let index = self.literal(&value);
                self.emit_bc(Op::Lit, register, index);
                self.start_live(register, LiveKind::Value);
                register
            }
            Operand::None => {
                let register = self.dest(dest);
                let index = self.literal(&Const::Null);
                self.emit_bc(Op::Lit, register, index);
                self.start_live(register, LiveKind::Value);
                register
            }
            Operand::This => {
                let register = self.dest(dest);
                self.emit(Op::This, register, 0, 0);
                self.start_live(register, LiveKind::Value);
                register
            }
            other => {
                let register = self.dest(dest);
                let b = self.o(other);
                self.emit(Op::Move, register, b, 0);
                self.start_live(register, LiveKind::Value);
                register
            }
        }
    }

    /// Releases a value that is not used.
    pub fn free(&mut self, operand: Operand) {
        if let Operand::Tmp(_) = operand {
            let a = self.o(operand);
            self.emit(Op::Free, a, 0, 0);
        }
    }

    // ---- code

    /// Word at which the next instruction will stand.
    pub fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn note_line(&mut self) {
        let here = self.here();
        if self.lines.last().is_none_or(|&(_, line)| line != self.line) {
            self.lines.push((here, self.line));
        }
    }

    /// Emits an instruction; its extra words must follow through [`word`](Self::word).
    /// Is this the instruction that was emitted last?
    pub fn ends_with(&self, op: Op) -> bool {
        self.here() > 0 && self.code.get(self.last as usize).is_some_and(|insn| insn.opcode() == op as u16 && self.last + op.words() as u32 == self.here())
    }

    pub fn emit(&mut self, op: Op, a: u16, b: u16, c: u16) -> u32 {
        self.note_line();
        let at = self.here();
        self.last = at;
        self.code.push(Insn::new(op, a, b, c));
        at
    }

    /// Emits an instruction with a number in `b` and `c`.
    pub fn emit_bc(&mut self, op: Op, a: u16, bc: u32) -> u32 {
        self.note_line();
        let at = self.here();
        self.last = at;
        self.code.push(Insn::with_bc(op, a, bc));
        at
    }

    /// An extra word.
    pub fn word(&mut self, word: u64) {
        self.code.push(Insn(word));
    }

    /// `op` with result temporary `dest`, consuming `b` and `c`.
    pub fn value_op(&mut self, op: Op, dest: Dest, b: Operand, c: Operand) -> Operand {
        let d = self.dest(dest);
        let unary = op.info().c == Kind::_Unused;
        let b = self.o(b);
        let c = if unary { 0 } else { self.o(c) };
        self.emit(op, d, b, c);
        for kind in op.info().ext {
            debug_assert_eq!(*kind, Kind::C, "only caches may follow here");
            self.word(0);
        }
        self.start_live(d, LiveKind::Value);
        Operand::Tmp(d)
    }

    /// `op` with only a result.
    pub fn nullary_op(&mut self, op: Op, dest: Dest) -> Operand {
        let d = self.dest(dest);
        self.emit(op, d, 0, 0);
        self.start_live(d, LiveKind::Value);
        Operand::Tmp(d)
    }

    /// Register for an optional result (`Q`), and the operand to give back after the instruction.
    pub fn result(&mut self, dest: Dest) -> (u16, Operand) {
        match dest {
            Dest::Void => (NONE, Operand::None),
            _ => {
                let register = self.dest(dest);
                (register, Operand::Tmp(register))
            }
        }
    }

    /// Marks a result made by [`result`](Self::result) as live after the instruction just emitted.
    pub fn defined(&mut self, result: &Operand) {
        if let Operand::Tmp(register) = result {
            self.start_live(*register, LiveKind::Value);
        }
    }

    // ---- jumps

    /// Emits a jump with its offset in `b` and `c`.
    pub fn jump(&mut self, op: Op, a: u16, label: &mut Label) -> u32 {
        let at = self.emit_bc(op, a, 0);
        label.patches.push((at, at));
        at
    }

    /// An extra word with a jump of the instruction at `at`.
    pub fn jump_word(&mut self, at: u32, label: &mut Label) {
        let word = self.here();
        self.word(0);
        label.patches.push((at, word));
    }

    /// Binds a label here.
    pub fn bind(&mut self, label: Label) {
        let here = self.here();
        self.bind_to(label, here);
    }

    /// Binds a label to an earlier or later word.
    pub fn bind_to(&mut self, label: Label, target: u32) {
        // A `goto` back says nothing of whether this place is reached.
        if !label.patches.is_empty() && target >= self.here() {
            self.bound_at = target;
        }
        for (insn, word) in label.patches {
            let offset = (target as i64 - insn as i64) as i32 as u32;
            let Some(slot) = self.code.get_mut(word as usize) else {
                continue;
            };
            if insn == word {
                *slot = Insn::with_bc(slot.op(), slot.a(), offset);
            } else {
                *slot = Insn(slot.0 & !0xffff_ffff | offset as u64);
            }
        }
    }

    /// Binds here what only names the place and does not go there.
    pub fn bind_end(&mut self, label: Label) {
        let bound_at = self.bound_at;
        self.bind(label);
        self.bound_at = bound_at;
    }

    /// Emits a jump back to `target`.
    pub fn jump_back(&mut self, op: Op, a: u16, target: u32) {
        let offset = (target as i64 - self.here() as i64) as i32 as u32;
        self.emit_bc(op, a, offset);
    }

    /// Can execution not come here: behind an instruction that never goes on, where no label was bound?
    pub fn is_unreachable(&self) -> bool {
        let here = self.here();
        here > 0
            && self.bound_at != here
            && self.code.get(self.last as usize).is_some_and(|insn| {
                matches!(
                    insn.op(),
                    Op::Return | Op::ReturnRef | Op::GeneratorReturn | Op::Throw
                )
            })
    }

    /// Replaces the one-word instructions in `start..end` by Nop. Jumps in them that are still open stay harmless.
    pub fn erase(&mut self, start: u32, end: u32) {
        for at in start..end {
            if let Some(insn) = self.code.get_mut(at as usize) {
                *insn = Insn::new(Op::Nop, 0, 0, 0);
            }
        }
    }

    // ---- the end

    /// The finished code in `proto`, all but the literals, which come back: the optimiser adds to them.
    pub fn finish(mut self, proto: &mut FunctionProto) -> Result<Vec<Const>, CompileError> {
        if self.too_large {
            let message = "Function is too large: more than 16,000 variables or temporaries, or 65,536 names";
            return Err(CompileError::fatal(message, proto.line_start));
        }
        let first_temp = FRAME_HEADER + self.cvs.len() as u16;
        let fix = |register: u16| {
            if (TEMP_BASE..THIS).contains(&register) {
                register - TEMP_BASE + first_temp
            } else {
                register
            }
        };
        let places: Vec<(usize, Insn)> = insn::walk(&self.code).collect();
        for (at, word) in places {
            let info = word.op().info();
            let operand = |kind: Kind, value: u16| match kind {
                Kind::D | Kind::P | Kind::V | Kind::W | Kind::F | Kind::Q => fix(value),
                Kind::O if value & LITERAL == 0 => fix(value),
                _ => value,
            };
            let fixed = if matches!(info.b, Kind::bcJ | Kind::bcN) {
                Insn::with_bc(word.op(), operand(info.a, word.a()), word.bc())
            } else {
                Insn::new(
                    word.op(),
                    operand(info.a, word.a()),
                    operand(info.b, word.b()),
                    operand(info.c, word.c()),
                )
            };
            self.code[at] = fixed;
            for (i, kind) in info.ext.iter().enumerate() {
                let packed = matches!(
                    (word.op(), kind),
                    (Op::AssignDimOp | Op::AssignPropOp, Kind::N)
                );
                if *kind == Kind::Q || packed {
                    let old = self.code[at + 1 + i].0;
                    self.code[at + 1 + i] = Insn(old & !0xffff | fix(old as u16) as u64);
                }
            }
        }
        for range in &mut self.live {
            range.register = fix(range.register);
            if let LiveKind::Argument(frame) = &mut range.kind {
                *frame = fix(*frame);
            }
        }
        for region in &mut self.tries {
            region.finally_temp = fix(region.finally_temp);
        }
        self.live.sort_by_key(LiveRange::release_order);
        proto.cvs = self.cvs.iter().map(|name| PStr::immortal(name)).collect();
        proto.first_temp = first_temp;
        proto.registers = first_temp + self.temps.len() as u16;
        proto.code = self.code.into_boxed_slice();
        proto.lines = self.lines;
        proto.tries = self.tries;
        proto.live = self.live;
        proto.switches = self.switches;
        Ok(self.literals)
    }
}
