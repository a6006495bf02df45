//! What variables and temporaries hold: sets of types, and constants, for each place in the code.
//!
//! A forward analysis over basic blocks that starts from "nothing reaches this" and follows only branches that can be taken
//! (conditional constant propagation); of code that is compact. Variables that may become references know nothing: any code may write those.

use jumbo_bytecode::hash::NameMap;
use super::body::{Body, jumps, within};
use super::inline::ByValue;
use crate::fold;
use crate::konst::{Const, ConstId};
use jumbo_bytecode::op::{FRAME_HEADER, LITERAL, NONE, THIS};
use jumbo_bytecode::unit::{BinaryOp, CastKind, func_flags};
use jumbo_bytecode::{Insn, Kind, Op};
use jumbo_syntax::ast;
use std::cell::RefCell;

/// Sets of types.
pub mod types {
    pub const UNDEF: u16 = 1;
    pub const NULL: u16 = 1 << 1;
    pub const BOOL: u16 = 1 << 2;
    pub const INT: u16 = 1 << 3;
    pub const FLOAT: u16 = 1 << 4;
    pub const STRING: u16 = 1 << 5;
    /// An array that came from a literal: no objects are in it.
    pub const LITERAL_ARRAY: u16 = 1 << 6;
    pub const ARRAY: u16 = 1 << 7;
    /// Objects and resources.
    pub const OBJECT: u16 = 1 << 8;
    /// A reference, or a place.
    pub const REF: u16 = 1 << 9;
    pub const ANY: u16 = (1 << 10) - 1;
    /// What reading gives.
    pub const VALUE: u16 = ANY & !UNDEF & !REF;
    pub const NUMBER: u16 = INT | FLOAT;
    /// Not counted: may be overwritten without a look.
    pub const SCALAR: u16 = UNDEF | NULL | BOOL | INT | FLOAT;
    /// Releasing it runs no code.
    pub const PLAIN: u16 = SCALAR | STRING | LITERAL_ARRAY;
}
use types::*;

/// What is known of one register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact {
    pub types: u16,
    /// Number in [`Facts::constants`].
    pub constant: Option<u32>,
}

impl Fact {
    const ANY: Fact = Fact {
        types: ANY,
        constant: None,
    };
    const fn of(types: u16) -> Fact {
        Fact {
            types,
            constant: None,
        }
    }
    fn join(self, other: Fact) -> Fact {
        let constant = if self.constant == other.constant {
            self.constant
        } else {
            None
        };
        Fact {
            types: self.types | other.types,
            constant,
        }
    }
    pub fn is(self, types: u16) -> bool {
        self.types & !types == 0
    }
    /// As an operand's value: what an undefined variable gives is null.
    fn read(self) -> Fact {
        let null = if self.types & UNDEF != 0 { NULL } else { 0 };
        let types = if self.types & REF != 0 {
            VALUE
        } else {
            self.types & !UNDEF | null
        };
        Fact {
            types,
            constant: self.constant,
        }
    }
}

/// What is known of all registers, by number.
pub type State = Vec<Fact>;

/// Instructions that are executed in a row.
pub struct Block {
    pub start: usize,
    /// Behind the last instruction.
    pub end: usize,
    pub next: Vec<usize>,
}

/// The facts of one function.
pub struct Facts {
    pub blocks: Vec<Block>,
    /// At the start of each block; `None`: never reached.
    pub entry: Vec<Option<State>>,
    pool: RefCell<Pool>,
    /// By CV number: only this function's code can read or write it.
    pub tracked: Vec<bool>,
}

/// The constants that facts speak of.
#[derive(Default)]
struct Pool {
    constants: Vec<Const>,
    ids: NameMap<ConstId, u32>,
}

/// Where execution goes from the instruction at `at` but on to the next; and whether it may go on to the next.
pub fn successors(body: &Body<'_>, at: usize) -> (Vec<usize>, bool) {
    let insn = body.code[at];
    let target = |offset: i32| (at as i64 + offset as i64) as usize;
    let mut to: Vec<usize> = jumps(&body.code, at).map(|j| target(j.offset)).collect();
    let falls = match insn.op() {
        Op::Return
        | Op::ReturnRef
        | Op::GeneratorReturn
        | Op::Throw
        | Op::ThrowError
        | Op::MatchError
        | Op::VerifyNever
        | Op::FastRet
        | Op::Jmp
        | Op::Loop => false,
        Op::Switch => {
            if let Some(table) = body.proto.switches.get(insn.bc() as usize) {
                let offsets = table
                    .ints
                    .values()
                    .chain(table.strings.values())
                    .copied()
                    .chain(table.default);
                to.extend(offsets.map(target));
            }
            true
        }
        _ => true,
    };
    (to, falls)
}

impl Facts {
    /// `None` when the function is too large.
    pub fn of(body: &Body<'_>, by_value: &ByValue, largest: usize) -> Option<Facts> {
        let blocks = blocks(body);
        if blocks.len() * body.proto.registers as usize > largest {
            return None;
        }
        let mut facts = Facts {
            entry: vec![None; blocks.len()],
            blocks,
            pool: RefCell::default(),
            tracked: tracked(body, by_value),
        };
        facts.entry[0] = Some(at_entry(body));
        let starts: NameMap<usize, usize> = facts
            .blocks
            .iter()
            .enumerate()
            .map(|(n, b)| (b.start, n))
            .collect();
        let mut work = vec![0];
        while let Some(n) = work.pop() {
            let Some(mut state) = facts.entry[n].clone() else {
                continue;
            };
            let (mut at, end) = (facts.blocks[n].start, facts.blocks[n].end);
            let mut last = at;
            while at < end {
                last = at;
                at += body.code[at].op().words();
                if at < end {
                    facts.step(body, last, &mut state);
                }
            }
            // The last instruction decides where to go with what was known before it.
            let ways = facts.ways(body, last, &state);
            facts.step(body, last, &mut state);
            for target in ways {
                let Some(&to) = starts.get(&target) else {
                    continue;
                };
                let joined = match &facts.entry[to] {
                    None => state.clone(),
                    Some(old) => old.iter().zip(&state).map(|(a, b)| a.join(*b)).collect(),
                };
                if facts.entry[to].as_ref() != Some(&joined) {
                    facts.entry[to] = Some(joined);
                    work.push(to);
                }
            }
        }
        Some(facts)
    }

    /// What is known before the instruction at `at` of block `n`; `None`: it is never reached.
    pub fn state_before(&self, body: &Body<'_>, n: usize, at: usize) -> Option<State> {
        let mut state = self.entry[n].clone()?;
        let mut place = self.blocks[n].start;
        while place < at {
            self.step(body, place, &mut state);
            place += body.code[place].op().words();
        }
        Some(state)
    }

    /// Where the last instruction of a block can go.
    fn ways(&self, body: &Body<'_>, at: usize, state: &State) -> Vec<usize> {
        let (mut to, falls) = successors(body, at);
        let insn = body.code[at];
        let next = at + insn.op().words();
        if let Some(jumps) = self.decided(body, at, state) {
            return if jumps { to } else { vec![next] };
        }
        if falls {
            to.push(next);
        }
        to
    }

    /// A conditional jump whose condition is known: does it jump?
    pub fn decided(&self, body: &Body<'_>, at: usize, state: &State) -> Option<bool> {
        let insn = body.code[at];
        let (operand, when) = match insn.op() {
            Op::JmpZ => (insn.a(), false),
            Op::JmpNZ => (insn.a(), true),
            Op::JmpZBool => (insn.b(), false),
            Op::JmpNZBool | Op::JmpTrueKeep => (insn.b(), true),
            _ => return None,
        };
        // What a temporary holds must be taken, which its own instruction does.
        if body.is_temp(operand) {
            return None;
        }
        let fact = self.operand(body, state, operand);
        Some(self.value(fact)?.to_bool() == when)
    }

    fn constant(&self, value: &Const) -> Fact {
        let types = match value {
            Const::Null => NULL,
            Const::Bool(_) => BOOL,
            Const::Int(_) => INT,
            Const::Float(_) => FLOAT,
            Const::Str(_) => STRING,
            Const::Array(_) => LITERAL_ARRAY,
        };
        let id = value.id();
        let Pool { constants, ids } = &mut *self.pool.borrow_mut();
        let number = *ids.entry(id).or_insert_with(|| {
            constants.push(value.clone());
            constants.len() as u32 - 1
        });
        Fact {
            types,
            constant: Some(number),
        }
    }

    /// What an `O` or `P` operand holds, undefined and reference included.
    pub fn operand(&self, body: &Body<'_>, state: &State, operand: u16) -> Fact {
        if operand & LITERAL != 0 {
            return match body.literals.get((operand & !LITERAL) as usize) {
                Some(value) => self.constant(value),
                None => Fact::ANY,
            };
        }
        if operand == NONE || operand == THIS {
            Fact::ANY
        } else {
            self.register(state, operand)
        }
    }

    pub fn register(&self, state: &State, register: u16) -> Fact {
        let known = state.get(register as usize).copied().unwrap_or(Fact::ANY);
        match self
            .tracked
            .get(register.wrapping_sub(FRAME_HEADER) as usize)
        {
            Some(false) => Fact::ANY,
            _ => known,
        }
    }

    pub fn value(&self, fact: Fact) -> Option<Const> {
        self.pool
            .borrow()
            .constants
            .get(fact.constant? as usize)
            .cloned()
    }

    fn set(&self, state: &mut State, register: u16, fact: Fact) {
        if register == NONE || register == THIS {
            return;
        }
        if let Some(slot) = state.get_mut(register as usize) {
            *slot = fact;
        }
    }

    /// The state behind the instruction at `at`.
    pub fn step(&self, body: &Body<'_>, at: usize, state: &mut State) {
        let insn = body.code[at];
        let (a, b, c) = (insn.a(), insn.b(), insn.c());
        if let Some(result) = self.result(body, at, state) {
            self.set(state, a, result);
            if insn.op() == Op::Assign {
                self.set(state, c, result);
            }
            return;
        }
        match insn.op() {
            // The value that stands in the variable before (`$x++`) or after.
            Op::PostIncCv | Op::PreIncCv => {
                let old = self.register(state, b);
                let new = incremented(old);
                self.set(state, b, new);
                self.set(
                    state,
                    a,
                    if insn.op() == Op::PreIncCv {
                        new
                    } else {
                        old.read()
                    },
                );
                return;
            }
            Op::AssignConcat => {
                self.set(state, a, Fact::of(STRING | OBJECT));
                self.set(state, c, Fact::of(STRING | OBJECT));
                return;
            }
            Op::AssignOpCv => {
                let (x, y) = (self.register(state, a), self.operand(body, state, b));
                let result = match BinaryOp::from_u16(c) {
                    Some(op) => Fact::of(arithmetic(op, x, y)),
                    None => Fact::ANY,
                };
                self.set(state, a, result);
                self.set(state, body.code[at + 1].0 as u16, result);
                return;
            }
            Op::UnsetCv => {
                self.set(state, a, Fact::of(UNDEF));
                return;
            }
            Op::IterNext => {
                // At the end of the loop nothing was assigned.
                let keep =
                    |state: &State, r: u16| state.get(r as usize).copied().unwrap_or(Fact::ANY);
                for register in [b, c] {
                    if register != NONE {
                        let joined = keep(state, register).join(Fact::of(VALUE));
                        self.set(state, register, joined);
                    }
                }
                return;
            }
            _ => {}
        }
        // Whatever else writes a register leaves something unknown there.
        let info = insn.op().info();
        for (kind, register) in insn.operands() {
            match kind {
                Kind::D | Kind::Q | Kind::W => self.set(state, register, Fact::ANY),
                Kind::V if !reads_only(insn, register) => self.set(state, register, Fact::ANY),
                Kind::P
                    if matches!(
                        insn.op(),
                        Op::ArrayPut
                            | Op::ArrayPush
                            | Op::ArraySet
                            | Op::ArraySpread
                            | Op::VerifyReturn
                            | Op::ArgPush
                            | Op::ArgPushVar
                            | Op::ArgNamed
                            | Op::ArgNamedVar
                            | Op::ArgSpread
                    ) =>
                {
                    self.set(state, register, Fact::ANY);
                }
                Kind::F => {
                    for register in register..body.proto.registers {
                        // Arguments that are already there stay; calls overwrite the rest of their frame.
                        if matches!(
                            insn.op(),
                            Op::Call | Op::CallBuiltin | Op::CallArray | Op::CallUserArray
                        ) {
                            self.set(state, register, Fact::ANY);
                        }
                    }
                }
                _ => {}
            }
        }
        for (n, kind) in info.ext.iter().enumerate() {
            if matches!(kind, Kind::Q | Kind::N) {
                let register = body.code[at + 1 + n].0 as u16;
                if *kind == Kind::Q || matches!(insn.op(), Op::AssignDimOp | Op::AssignPropOp) {
                    self.set(state, register, Fact::ANY);
                }
            }
        }
        match insn.op() {
            Op::Call | Op::CallBuiltin | Op::CallArray | Op::CallUserArray => {
                self.set(state, c, Fact::ANY)
            }
            Op::ArgVar | Op::ArgVal | Op::ArgCall | Op::ArgUser => {
                self.set(state, a + FRAME_HEADER + b, Fact::ANY)
            }
            Op::IterInit | Op::IterInitRef => self.set(state, a + 1, Fact::ANY),
            _ => {}
        }
    }

    /// What the instruction puts into its register `a`, where the rules say more than "anything".
    pub fn result(&self, body: &Body<'_>, at: usize, state: &State) -> Option<Fact> {
        let insn = body.code[at];
        let (a, b, c) = (insn.a(), insn.b(), insn.c());
        Some(match insn.op() {
            Op::Lit => {
                let value = body.literals.get(insn.bc() as usize)?.clone();
                self.constant(&value)
            }
            Op::Move | Op::MoveQuiet | Op::Dup | Op::Assign => self.operand(body, state, b).read(),
            Op::IncCv => incremented(self.register(state, a)),
            Op::FuncNumArgs | Op::Strlen | Op::Count => Fact::of(INT),
            Op::TypeCheck
            | Op::IssetCv
            | Op::EmptyCv
            | Op::IssetThis
            | Op::InstanceOf
            | Op::IssetDim
            | Op::EmptyDim
            | Op::IssetProp
            | Op::EmptyProp
            | Op::BoolXor
            | Op::Case
            | Op::CaseStrict => Fact::of(BOOL),
            Op::ConcatN | Op::ClassName => Fact::of(STRING),
            Op::NewArray | Op::ArrayOf => Fact::of(ARRAY),
            Op::Cast => Fact::of(match CastKind::from_u16(c)? {
                CastKind::Int => INT,
                CastKind::Float => FLOAT,
                CastKind::String => STRING,
                CastKind::Array => ARRAY,
                CastKind::Object => OBJECT,
                CastKind::Bool => BOOL,
                CastKind::Unset => NULL,
            }),
            Op::Not | Op::Bool => {
                let fact = self.operand(body, state, b);
                match self.value(fact).map(|v| v.to_bool()) {
                    Some(truth) => self.constant(&Const::Bool(truth != (insn.op() == Op::Not))),
                    None => Fact::of(BOOL),
                }
            }
            // Defined on the way of the jump alone; what is there on the other way is not read.
            Op::JmpZBool | Op::JmpNZBool => Fact::of(BOOL),
            Op::JmpTrueKeep => self.operand(body, state, b).read(),
            Op::DimR | Op::DimIs | Op::DimRV => {
                let (x, y) = (self.operand(body, state, b), self.operand(body, state, c));
                match self.element(x, y) {
                    Some(value) => self.constant(&value),
                    None => Fact::of(VALUE),
                }
            }
            op => {
                let operands = || (self.operand(body, state, b), self.operand(body, state, c));
                if let Some(comparison) = comparison(op) {
                    let (x, y) = operands();
                    return Some(self.folded(comparison, x, y).unwrap_or(Fact::of(BOOL)));
                }
                let (operator, written) = binary(op)?;
                let (x, y) = operands();
                self.folded(written, x, y)
                    .unwrap_or_else(|| Fact::of(arithmetic(operator, x, y)))
            }
        })
    }

    fn folded(&self, op: ast::BinaryOp, x: Fact, y: Fact) -> Option<Fact> {
        let value = fold::binary(op, &self.value(x)?, &self.value(y)?)?;
        // Long strings and arrays are cheaper to make than to keep.
        let small = match &value {
            Const::Str(s) => s.len() <= 64,
            Const::Array(_) => false,
            _ => true,
        };
        small.then(|| self.constant(&value))
    }

    /// `x[y]` where both are known and the element is there.
    fn element(&self, x: Fact, y: Fact) -> Option<Const> {
        fold::element(&self.value(x)?, &self.value(y)?)
    }

    /// Can the operand be looked at without an effect: is it a variable that has a value, or a value with whose end nothing happens?
    fn is_quiet(&self, body: &Body<'_>, state: &State, o: u16) -> bool {
        let stays = o & LITERAL == 0 && o < body.proto.first_temp && self.register(state, o).types & UNDEF == 0;
        stays || self.operand(body, state, o).is(PLAIN & !UNDEF)
    }

    /// Has the instruction no effect but its result (in a temporary, or in a variable whose old value runs no code when it goes)?
    pub fn is_pure(&self, body: &Body<'_>, at: usize, state: &State) -> bool {
        let insn = body.code[at];
        let (a, b, c) = (insn.a(), insn.b(), insn.c());
        let op = insn.op();
        if op.info().a == Kind::V && !self.register(state, a).is(PLAIN) {
            return false;
        }
        const COMPUTES: u16 = NULL | BOOL | INT | FLOAT;
        match op {
            Op::Lit | Op::FuncNumArgs | Op::NewArray | Op::ArrayOf | Op::IssetThis => true,
            Op::IssetCv => true,
            Op::EmptyCv | Op::MoveQuiet => self.operand(body, state, b).is(PLAIN),
            Op::TypeCheck => self.is_quiet(body, state, b),
            Op::Move | Op::Assign | Op::Not | Op::Bool => {
                self.operand(body, state, b).is(PLAIN & !UNDEF)
            }
            Op::Cast => self.operand(body, state, b).is((SCALAR | STRING) & !UNDEF),
            Op::Strlen => self.operand(body, state, b).is(STRING),
            Op::IncCv => self.register(state, a).is(NUMBER),
            Op::DimR | Op::DimIs | Op::DimRV => {
                let (x, y) = (self.operand(body, state, b), self.operand(body, state, c));
                self.element(x, y).is_some()
            }
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::AddV
            | Op::SubV
            | Op::MulV
            | Op::Less
            | Op::LessEqual
            | Op::Equal
            | Op::NotEqual
            | Op::Spaceship => {
                self.operand(body, state, b).is(COMPUTES)
                    && self.operand(body, state, c).is(COMPUTES)
            }
            Op::BitAnd | Op::BitOr | Op::BitXor | Op::BitAndV | Op::BitOrV | Op::BitXorV => {
                self.operand(body, state, b).is(INT) && self.operand(body, state, c).is(INT)
            }
            Op::Identical | Op::NotIdentical => self.is_quiet(body, state, b) && self.is_quiet(body, state, c),
            Op::Concat | Op::ConcatV => {
                const TEXT: u16 = NULL | BOOL | INT | STRING;
                self.operand(body, state, b).is(TEXT) && self.operand(body, state, c).is(TEXT)
            }
            _ => false,
        }
    }
}

/// `++` and `--`.
fn incremented(old: Fact) -> Fact {
    if old.is(NUMBER) {
        Fact::of(if old.types & INT != 0 { NUMBER } else { FLOAT })
    } else {
        Fact::of(VALUE)
    }
}

/// The types of an operator's result.
fn arithmetic(op: BinaryOp, x: Fact, y: Fact) -> u16 {
    let numbers = x.is(NUMBER) && y.is(NUMBER);
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Pow => {
            if !numbers {
                VALUE
            } else if op != BinaryOp::Pow && (x.is(FLOAT) || y.is(FLOAT)) {
                FLOAT
            } else {
                NUMBER
            }
        }
        BinaryOp::Concat => STRING | OBJECT,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor if !numbers => VALUE,
        _ if numbers => INT,
        _ => VALUE,
    }
}

fn comparison(op: Op) -> Option<ast::BinaryOp> {
    Some(match op {
        Op::Less => ast::BinaryOp::Less,
        Op::LessEqual => ast::BinaryOp::LessEqual,
        Op::Equal => ast::BinaryOp::Equal,
        Op::NotEqual => ast::BinaryOp::NotEqual,
        Op::Identical => ast::BinaryOp::Identical,
        Op::NotIdentical => ast::BinaryOp::NotIdentical,
        _ => return None,
    })
}

/// The operator of an arithmetic instruction, as the interpreter and as the source names it.
fn binary(op: Op) -> Option<(BinaryOp, ast::BinaryOp)> {
    Some(match op {
        Op::Add | Op::AddV => (BinaryOp::Add, ast::BinaryOp::Add),
        Op::Sub | Op::SubV => (BinaryOp::Sub, ast::BinaryOp::Sub),
        Op::Mul | Op::MulV => (BinaryOp::Mul, ast::BinaryOp::Mul),
        Op::Div | Op::DivV => (BinaryOp::Div, ast::BinaryOp::Div),
        Op::Mod | Op::ModV => (BinaryOp::Mod, ast::BinaryOp::Mod),
        Op::BitAnd | Op::BitAndV => (BinaryOp::BitAnd, ast::BinaryOp::BitAnd),
        Op::BitOr | Op::BitOrV => (BinaryOp::BitOr, ast::BinaryOp::BitOr),
        Op::BitXor | Op::BitXorV => (BinaryOp::BitXor, ast::BinaryOp::BitXor),
        Op::Shl | Op::ShlV => (BinaryOp::Shl, ast::BinaryOp::ShiftLeft),
        Op::Shr | Op::ShrV => (BinaryOp::Shr, ast::BinaryOp::ShiftRight),
        Op::Concat | Op::ConcatV => (BinaryOp::Concat, ast::BinaryOp::Concat),
        _ => return None,
    })
}

/// `V` operands that are looked at and stay as they are.
fn reads_only(insn: Insn, register: u16) -> bool {
    match insn.op() {
        Op::IssetCv | Op::EmptyCv | Op::BindUseImplicit => register == insn.b(),
        Op::ArgVar => true,
        _ => false,
    }
}

fn blocks(body: &Body<'_>) -> Vec<Block> {
    let places = body.places();
    let mut starts = vec![false; body.code.len() + 1];
    starts[0] = true;
    for &at in &places {
        let (to, falls) = successors(body, at);
        let next = at + body.code[at].op().words();
        if !to.is_empty() || !falls {
            starts[next.min(body.code.len())] = true;
        }
        for target in to {
            starts[target.min(body.code.len())] = true;
        }
    }
    let bounds: Vec<usize> = (0..body.code.len()).filter(|&at| starts[at]).collect();
    bounds
        .iter()
        .enumerate()
        .map(|(n, &start)| {
            let end = bounds.get(n + 1).copied().unwrap_or(body.code.len());
            let last = within(&places, start, end).last().copied().unwrap_or(start);
            let (mut to, falls) = successors(body, last);
            if falls {
                to.push(last + body.code[last].op().words());
            }
            let next = to
                .iter()
                .filter_map(|&t| bounds.binary_search(&t).ok())
                .collect();
            Block { start, end, next }
        })
        .collect()
}

/// What registers hold when the function begins.
fn at_entry(body: &Body<'_>) -> State {
    let mut state = vec![Fact::ANY; body.proto.registers as usize];
    let given = body.proto.params.len();
    for (n, fact) in state
        .iter_mut()
        .skip(FRAME_HEADER as usize)
        .enumerate()
        .take(body.proto.cvs.len())
    {
        let captured = body.proto.uses.iter().any(|u| u.cv as usize == n);
        if n >= given && !captured {
            *fact = Fact::of(UNDEF);
        }
    }
    state
}

/// The CVs that cannot become references.
fn tracked(body: &Body<'_>, by_value: &ByValue) -> Vec<bool> {
    let mut tracked = vec![true; body.proto.cvs.len()];
    let escape = |register: u16, tracked: &mut Vec<bool>| {
        if let Some(slot) = register
            .checked_sub(FRAME_HEADER)
            .and_then(|n| tracked.get_mut(n as usize))
        {
            *slot = false;
        }
    };
    for (n, param) in body.proto.params.iter().enumerate() {
        tracked[n] = !param.by_ref;
    }
    for capture in &body.proto.uses {
        escape(capture.cv + FRAME_HEADER, &mut tracked);
    }
    // Frames whose callee takes everything by value, by their register.
    let mut plain_frames: Vec<u16> = Vec::new();
    for at in body.places() {
        let insn = body.code[at];
        let written_in_place = matches!(
            insn.op(),
            Op::DimW
                | Op::DimRW
                | Op::DimUnset
                | Op::AssignDim
                | Op::AssignDimRes
                | Op::AssignDimOp
                | Op::UnsetDim
                | Op::PropW
                | Op::PropRW
                | Op::PropUnset
                | Op::AssignProp
                | Op::AssignPropOp
                | Op::IncProp
                | Op::UnsetProp
        );
        match insn.op() {
            Op::InitFn
                if body
                    .code
                    .get(at + 1)
                    .is_some_and(|w| by_value.contains(&(w.0 as u32))) =>
            {
                plain_frames.push(insn.a())
            }
            Op::InitFn
            | Op::InitDyn
            | Op::InitUser
            | Op::InitMethod
            | Op::InitStaticCall
            | Op::New => {
                let frame = if insn.op() == Op::New {
                    insn.b()
                } else {
                    insn.a()
                };
                plain_frames.retain(|f| *f != frame);
            }
            Op::ArgVar if !plain_frames.contains(&insn.a()) => escape(insn.c(), &mut tracked),
            Op::BindGlobal | Op::BindStatic | Op::InitStatic => escape(insn.a(), &mut tracked),
            Op::IterNextRef => {
                escape(insn.b(), &mut tracked);
                escape(insn.c(), &mut tracked);
            }
            _ => {}
        }
        for (kind, register) in insn.operands() {
            if kind == Kind::W && !written_in_place {
                escape(register, &mut tracked);
            }
        }
    }
    let open = func_flags::USES_ARGS;
    if body.proto.flags & open != 0 {
        tracked
            .iter_mut()
            .take(body.proto.params.len())
            .for_each(|t| *t = false);
    }
    tracked
}
