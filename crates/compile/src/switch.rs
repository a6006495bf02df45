//! `switch` and `match`, with jump tables for literal cases.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::konst::Const;
use crate::loops::Held;
use crate::unit::Compiler;
use jumbo_bytecode::{NONE, Op};
use jumbo_bytecode::unit::{LiveKind, SwitchTable};
use jumbo_syntax::ast::{Expr, ExprKind, MatchArm, SwitchCase, UnaryOp};

/// Fewer cases are compared one by one, as in PHP.
const TABLE_MIN_INTS: usize = 5;
const TABLE_MIN_STRINGS: usize = 2;

/// Literals of all cases, if all are ints or all are strings that a table can stand for.
enum TableKeys {
    Ints(Vec<i64>),
    Strings(Vec<std::rc::Rc<[u8]>>),
    None,
}

/// The cases that PHP's compiler looks at before it compiles them: what it computes then has the line of the subject, but for literals.
#[derive(Clone, Copy)]
struct Early {
    /// So many of the first ones are constants.
    computed: usize,
    /// One that is none, whose parts may be.
    looked_into: Option<usize>,
}

impl<'a> Compiler<'a, '_> {
    fn table_keys(&mut self, conds: &[&'a Expr<'a>], strict: bool) -> Result<TableKeys> {
        const CASE_BYTES: usize = 384;
        self.held += conds.len() * CASE_BYTES;
        self.check_memory()?;
        let (mut ints, mut strings) = (Vec::new(), Vec::new());
        for cond in conds {
            match self.const_eval(cond)? {
                Some(Const::Int(i)) => ints.push(i),
                // A numeric string is loosely equal to other strings.
                Some(Const::Str(s)) if strict || !crate::fold::is_numeric(&s) => strings.push(s),
                _ => return Ok(TableKeys::None),
            }
        }
        Ok(if strings.is_empty() && ints.len() >= TABLE_MIN_INTS {
            TableKeys::Ints(ints)
        } else if ints.is_empty() && strings.len() >= TABLE_MIN_STRINGS {
            TableKeys::Strings(strings)
        } else {
            TableKeys::None
        })
    }

    /// Are all of them ints or strings when PHP compiles them? It replaces constants of the class itself by their values.
    fn are_keys(&mut self, conds: &[&'a Expr<'a>]) -> Result<bool> {
        let outer = std::mem::replace(&mut self.f.in_static, true);
        let mut others = conds.iter().map(|cond| self.const_eval(cond)).filter(|value| !matches!(value, Ok(Some(Const::Int(_) | Const::Str(_)))));
        let other = others.next();
        self.f.in_static = outer;
        match other {
            Some(Err(stop)) => Err(stop),
            other => Ok(other.is_none()),
        }
    }

    /// What PHP looks at when it looks for a jump table.
    fn seen_early(&mut self, conds: &[&'a Expr<'a>], strict: bool) -> Result<Early> {
        let mut is_string = None;
        for (n, cond) in conds.iter().enumerate() {
            let fits = match self.const_eval(cond)? {
                None => return Ok(Early { computed: n, looked_into: Some(n) }),
                Some(Const::Int(_)) => strict || !is_string.replace(false).unwrap_or(false),
                Some(Const::Str(s)) => strict || is_string.replace(true).unwrap_or(true) && !crate::fold::is_numeric(&s),
                Some(_) => false,
            };
            if !fits {
                return Ok(Early { computed: n + 1, looked_into: None });
            }
        }
        Ok(Early { computed: conds.len(), looked_into: None })
    }

    /// Compiles the condition of case `number`. What is computed early has the line of the subject, what is not has its `own`.
    fn case_condition(&mut self, cond: &'a Expr<'a>, own: u32, subject: u32, number: usize, early: Early) -> Result<Operand> {
        let is_literal = matches!(cond.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_));
        let computed = number < early.computed;
        let line = if computed && !is_literal { subject } else { own };
        self.f.b.line = line;
        let outer = std::mem::replace(&mut self.f.folded_line, (early.looked_into == Some(number)).then_some(subject));
        let value = self.expr(cond, Dest::Any);
        self.f.folded_line = outer;
        let value = value?;
        if line == subject && computed {
            self.f.b.line = line;
        }
        Ok(value)
    }

    /// The register of a subject, and what must be released at the end.
    fn subject(&mut self, subject: &'a Expr<'a>) -> Result<(u16, Held)> {
        Ok(match self.expr(subject, Dest::Any)? {
            Operand::Cv(register) => (register, Held::Nothing),
            other => {
                let register = self.f.b.in_temp(other, Dest::Any);
                (register, Held::Value(register))
            }
        })
    }

    /// Compares the subject with one case and jumps when it is the one. `told`: see
    /// [`compare_again_and_jump`](Self::compare_again_and_jump).
    #[allow(clippy::too_many_arguments)]
    fn case(
        &mut self,
        op: Op,
        fused: Op,
        subject: u16,
        held: Held,
        value: Operand,
        told: bool,
        entry: &mut Label,
    ) {
        if let Held::Nothing = held {
            // A variable is not consumed by comparing it.
            return self.compare_again_and_jump(fused, Operand::Cv(subject), value, told, entry);
        }
        let d = self.f.b.temp();
        let c = self.f.b.o(value);
        self.f.b.emit(op, d, subject, c);
        self.f.b.release(d);
        self.f.b.jump(Op::JmpNZ, d, entry);
    }

    /// Case `number` of `match (true)`, or of `match (false)`: jumps when the condition is that.
    fn true_case(&mut self, cond: &'a Expr<'a>, truth: bool, subject_line: u32, number: usize, early: Early, entry: &mut Label) -> Result<()> {
        if number >= early.computed && is_boolean(cond) {
            self.f.b.line = cond.line;
            let outer = std::mem::replace(&mut self.f.folded_line, (early.looked_into == Some(number)).then_some(subject_line));
            let compiled = self.condition(cond, truth, entry);
            self.f.folded_line = outer;
            return compiled;
        }
        let value = self.case_condition(cond, cond.line, subject_line, number, early)?;
        match value {
            Operand::Lit(Const::Bool(value)) if value == truth => {
                self.f.b.jump(Op::Jmp, 0, entry);
            }
            Operand::Lit(_) => {}
            value => self.compare_again_and_jump(Op::JmpIdentical, value, Operand::Lit(Const::Bool(truth)), false, entry),
        }
        Ok(())
    }

    fn switch_table(&mut self, subject: u16) -> (u32, usize) {
        let number = self.f.b.switches.len();
        self.f.b.switches.push(SwitchTable {
            ints: Default::default(),
            strings: Default::default(),
            default: None,
        });
        let at = self.f.b.emit_bc(Op::Switch, subject, number as u32);
        (at, number)
    }

    pub fn switch(&mut self, subject: &'a Expr<'a>, cases: &'a [SwitchCase<'a>]) -> Result<()> {
        if cases.iter().filter(|c| c.cond.is_none()).count() > 1 {
            let second = cases.iter().filter(|c| c.cond.is_none()).nth(1);
            self.f.b.line = second.map_or(self.f.b.line, |c| c.line);
            return self.error("Switch statements may only contain one default clause");
        }
        let (register, held) = self.subject(subject)?;
        let conds: Vec<&'a Expr<'a>> = cases.iter().filter_map(|c| c.cond).collect();
        let keys = self.table_keys(&conds, false)?;
        let table = match keys {
            TableKeys::None => None,
            _ => Some(self.switch_table(register)),
        };
        self.push_loop(held, true);
        let mut entries: Vec<Label> = cases.iter().map(|_| Label::default()).collect();
        let (subject_line, early) = (self.f.b.line, self.seen_early(&conds, false)?);
        let mut number = 0;
        for (n, case) in cases.iter().enumerate() {
            let Some(cond) = case.cond else { continue };
            let value = self.case_condition(cond, case.line, subject_line, number, early)?;
            number += 1;
            self.case(
                Op::Case,
                Op::JmpEqual,
                register,
                held,
                value,
                false,
                &mut entries[n],
            );
        }
        let mut default = Label::default();
        self.f.b.jump(Op::Jmp, 0, &mut default);
        let default_case = cases.iter().position(|c| c.cond.is_none());
        let mut places = Vec::with_capacity(cases.len());
        for (n, case) in cases.iter().enumerate() {
            places.push(self.f.b.here());
            self.f.b.bind(std::mem::take(&mut entries[n]));
            if default_case == Some(n) {
                self.f.b.bind(std::mem::take(&mut default));
            }
            self.nested(case.body)?;
        }
        let (leave, _) = self.pop_loop();
        let end = self.f.b.here();
        self.f.b.bind(default);
        self.f.b.bind(leave);
        if let Some((at, number)) = table {
            let offset = |place: u32| (place as i64 - at as i64) as i32;
            let table = &mut self.f.b.switches[number];
            table.default = Some(offset(default_case.map_or(end, |n| places[n])));
            let targets = cases
                .iter()
                .zip(&places)
                .filter(|(c, _)| c.cond.is_some())
                .map(|(_, &place)| place);
            fill(table, &keys, targets.map(offset));
        }
        match held {
            Held::Value(register) => self.f.b.free(Operand::Tmp(register)),
            // The table may jump here: there must be an instruction.
            _ => {
                self.f.b.emit(Op::Nop, 0, 0, 0);
            }
        }
        Ok(())
    }

    pub fn match_(
        &mut self,
        subject: &'a Expr<'a>,
        arms: &'a [MatchArm<'a>],
        dest: Dest,
    ) -> Result<Operand> {
        let defaults: Vec<&MatchArm<'_>> = arms.iter().filter(|a| a.conds.is_none()).collect();
        if let Some(second) = defaults.get(1) {
            self.f.b.line = second.line;
            return self.error("Match expressions may only contain one default arm");
        }
        let result = if dest == Dest::Void {
            dest
        } else {
            Dest::Reg(self.f.b.dest(dest))
        };
        let line = self.f.b.line;
        let conds: Vec<&'a Expr<'a>> = arms.iter().filter_map(|a| a.conds).flatten().collect();
        let literal = self.are_keys(&conds)?;
        // `match (true)` jumps on its conditions.
        let truth = match self.const_eval(subject)? {
            Some(Const::Bool(truth)) if !literal => Some(truth),
            _ => None,
        };
        let (register, held) = match truth {
            Some(_) => (NONE, Held::Nothing),
            None => self.subject(subject)?,
        };
        let keys = self.table_keys(&conds, true)?;
        let table = match keys {
            TableKeys::None => None,
            _ => Some(self.switch_table(register)),
        };
        let mut entries: Vec<Label> = arms.iter().map(|_| Label::default()).collect();
        // PHP has a table when all conditions are literal, and then the line of the error is the one where the subject ends.
        let mut conds_end = line;
        let (subject_line, early) = (self.f.b.line, self.seen_early(&conds, true)?);
        let mut number = 0;
        // With a table every other value goes to the default: the comparisons would find nothing.
        if table.is_none() {
            for (n, arm) in arms.iter().enumerate() {
                for cond in arm.conds.unwrap_or(&[]) {
                    if let Some(truth) = truth {
                        self.true_case(cond, truth, subject_line, number, early, &mut entries[n])?;
                        number += 1;
                        conds_end = self.f.b.line;
                        continue;
                    }
                    let value = self.case_condition(cond, cond.line, subject_line, number, early)?;
                    // PHP, which has a table then, reads a variable that nobody has set once only.
                    let told = literal && number > 0;
                    number += 1;
                    // The comparison has the line of its condition.
                    conds_end = self.f.b.line;
                    if literal {
                        // PHP, which has a table then, reads a variable once only, where the subject stands.
                        self.f.b.line = subject_line;
                    }
                    self.case(
                        Op::CaseStrict,
                        Op::JmpIdentical,
                        register,
                        held,
                        value,
                        told,
                        &mut entries[n],
                    );
                }
            }
            self.f.b.line = line;
        }
        let mut default = Label::default();
        self.f.b.jump(Op::Jmp, 0, &mut default);
        let default_arm = arms.iter().position(|a| a.conds.is_none());
        let mut end = Label::default();
        let at_arm = self.f.b.snapshot();
        let mut places = Vec::with_capacity(arms.len());
        for (n, arm) in arms.iter().enumerate() {
            self.f.b.restore(&at_arm);
            places.push(self.f.b.here());
            self.f.b.bind(std::mem::take(&mut entries[n]));
            if default_arm == Some(n) {
                self.f.b.bind(std::mem::take(&mut default));
            }
            match result {
                Dest::Reg(register) => self.expr_to(arm.body, register)?,
                _ => self.expr_void(arm.body)?,
            }
            // The subject lives as long as its arm.
            if let Held::Value(register) = held {
                self.f.b.free(Operand::Tmp(register));
            }
            self.f.b.jump(Op::Jmp, 0, &mut end);
        }
        self.f.b.restore(&at_arm);
        let unmatched = self.f.b.here();
        if default_arm.is_none() {
            self.f.b.bind(default);
            let is_literal_subject = matches!(subject.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_));
            let end_line = self.f.b.line;
            self.f.b.line = match (literal, is_literal_subject) {
                (true, true) => line,
                (true, false) => subject_line,
                (false, _) => conds_end,
            };
            match truth {
                Some(truth) => {
                    let register = self.f.b.in_temp(Operand::Lit(Const::Bool(truth)), Dest::Any);
                    self.f.b.emit(Op::MatchError, register, 0, 0);
                    self.f.b.release(register);
                }
                None => {
                    self.f.b.emit(Op::MatchError, register, 0, 0);
                }
            }
            self.f.b.line = end_line;
        }
        if let Some((at, number)) = table {
            let offset = |place: u32| (place as i64 - at as i64) as i32;
            let table = &mut self.f.b.switches[number];
            table.default = Some(offset(default_arm.map_or(unmatched, |n| places[n])));
            let targets = arms.iter().zip(&places).flat_map(|(arm, &place)| {
                std::iter::repeat_n(place, arm.conds.map_or(0, <[_]>::len))
            });
            fill(table, &keys, targets.map(offset));
        }
        if let Held::Value(register) = held {
            self.f.b.release(register);
        }
        self.f.b.bind(end);
        Ok(match result {
            Dest::Reg(register) => {
                self.f.b.start_live(register, LiveKind::Value);
                Operand::Tmp(register)
            }
            _ => Operand::None,
        })
    }
}

/// The first of equal keys wins.
fn fill(table: &mut SwitchTable, keys: &TableKeys, targets: impl Iterator<Item = i32>) {
    match keys {
        TableKeys::Ints(ints) => {
            for (&key, target) in ints.iter().zip(targets) {
                table.ints.entry(key).or_insert(target);
            }
        }
        TableKeys::Strings(strings) => {
            for (key, target) in strings.iter().zip(targets) {
                table.strings.entry(key.as_ref().into()).or_insert(target);
            }
        }
        TableKeys::None => {}
    }
}

/// Is the value true or false in any case?
fn is_boolean(e: &Expr<'_>) -> bool {
    use jumbo_syntax::ast::BinaryOp::{And, Equal, Greater, GreaterEqual, Identical, Less, LessEqual, NotEqual, NotIdentical, Or};
    match e.kind {
        ExprKind::Unary { op: UnaryOp::Not, .. } | ExprKind::Isset(_) => true,
        ExprKind::Binary { op, .. } => {
            matches!(op, And | Or | Identical | NotIdentical | Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
        }
        _ => false,
    }
}
