//! `try`, `goto`, and the way out of scopes: finally blocks, iterators, kept values.
//!
//! A `return` inside a try with a finally block keeps its value in one temporary of the outermost such try, which is null
//! from the try's start on, so that the live range over the whole try is right on every path.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::konst::Const;
use crate::loops::Held;
use crate::unit::{Compiler, Scope};
use jumbo_bytecode::Op;
use jumbo_bytecode::op::NONE;
use jumbo_bytecode::unit::{LiveKind, TryRegion};
use jumbo_syntax::ast::Try;

pub struct FinallyScope {
    /// Jumps to the finally block.
    pub entry: Label,
    pub temp: u16,
    /// This try made the temporary for `return` values.
    pub owns_return: bool,
    pub id: u32,
}

/// A label of `goto`, with the scopes around it.
pub struct GotoLabel {
    place: u32,
    scopes: Vec<u32>,
    /// Those of `scopes` that are finally blocks.
    finally_scopes: Vec<u32>,
}

/// A `goto` whose label may come later: the code that leaves each scope is removed where the label is inside of it.
pub struct Goto<'a> {
    label: &'a [u8],
    jump: Label,
    line: u32,
    /// Scope, first word, last word of the code that leaves it; innermost first.
    leaves: Vec<(u32, u32, u32)>,
    finally_scopes: Vec<u32>,
}

impl<'a> Compiler<'a, '_> {
    pub fn next_scope_id(&mut self) -> u32 {
        self.f.scope_ids += 1;
        self.f.scope_ids
    }

    fn scope_id(scope: &Scope) -> u32 {
        match scope {
            Scope::Loop(s) => s.id,
            Scope::Finally(s) => s.id,
            Scope::InFinally { id, .. } => *id,
        }
    }

    /// Emits what leaving scope number `n` takes. The caller restores the builder's state behind its jump.
    pub fn leave_scope(&mut self, n: usize, returning: bool) {
        match self.f.scopes.get_mut(n) {
            Some(Scope::Loop(scope)) => {
                // The loop is over then: its release may throw, and no `catch` inside of it is meant.
                let (op, register) = match scope.held {
                    Held::Nothing => return,
                    Held::Iterator(register) => {
                        self.f.b.release_block(register, 2);
                        (Op::IterFree, register)
                    }
                    Held::Value(register) => {
                        self.f.b.release(register);
                        (Op::Free, register)
                    }
                };
                self.f.b.jump(op, register, &mut scope.end);
            }
            Some(Scope::Finally(scope)) => {
                let mut entry = std::mem::take(&mut scope.entry);
                let (temp, owns_return) = (scope.temp, scope.owns_return);
                self.f.b.jump(Op::FastCall, temp, &mut entry);
                if let Some(Scope::Finally(scope)) = self.f.scopes.get_mut(n) {
                    scope.entry = entry;
                }
                if owns_return && !returning {
                    self.free_return_temp();
                }
            }
            Some(&mut Scope::InFinally {
                temp, owns_return, ..
            }) => {
                self.f.b.emit(Op::DiscardException, temp, 0, 0);
                if owns_return && !returning {
                    self.free_return_temp();
                }
            }
            None => {}
        }
    }

    fn free_return_temp(&mut self) {
        if let Some(register) = self.f.return_temp {
            self.f.b.free(Operand::Tmp(register));
        }
    }

    /// Leaves all scopes and returns `value`. The caller restores the builder's state.
    ///
    /// `verify`: the value is a reference, whose content finally blocks may change: its type is checked after them.
    pub fn leave_and_return(&mut self, op: Op, value: Operand, plain: u16, verify: bool) -> Result<()> {
        let through_finally = self.f.scopes.iter().any(|s| matches!(s, Scope::Finally(_)));
        let kept = if through_finally {
            self.f.return_temp
        } else {
            None
        };
        // A reference stays one (`Move` would take what it refers to).
        let moving = if op == Op::ReturnRef { Op::MoveQuiet } else { Op::Move };
        let mut value = match (kept, value) {
            (Some(kept), value) => {
                let register = self.f.b.in_temp(value, Dest::Any);
                // The value of a return that this one replaces; it is released last, because that may run a destructor.
                let old = self.f.b.temp();
                self.f.b.end_live(kept);
                self.f.b.emit(moving, old, kept, 0);
                self.f.b.start_live(old, LiveKind::Value);
                if op == Op::ReturnRef {
                    // As it is: a reference stays one.
                    self.f.b.emit(Op::Dup, kept, register, 0);
                    self.f.b.start_live(kept, LiveKind::Value);
                    self.f.b.free(Operand::Tmp(register));
                } else {
                    self.f.b.release(register);
                    self.f.b.emit(Op::Move, kept, register, 0);
                    self.f.b.start_live(kept, LiveKind::Value);
                }
                self.f.b.free(Operand::Tmp(old));
                Operand::Tmp(kept)
            }
            (None, Operand::Lit(value)) => Operand::Lit(value),
            (None, value) => value,
        };
        if self
            .f
            .scopes
            .iter()
            .any(|s| matches!(s, Scope::InFinally { .. }))
            && let Operand::Cv(_) = value
        {
            value = Operand::Tmp(self.f.b.in_temp(value, Dest::Any));
        }
        for n in (0..self.f.scopes.len()).rev() {
            self.leave_scope(n, kept.is_some());
        }
        let value = match value {
            Operand::Lit(_) if op == Op::ReturnRef => {
                Operand::Tmp(self.f.b.in_temp(value, Dest::Any))
            }
            other => other,
        };
        if verify && let Operand::Tmp(register) = value {
            self.verify_return(register, jumbo_bytecode::NONE);
        }
        let a = self.f.b.o(value);
        self.f.b.emit(op, a, plain, 0);
        Ok(())
    }

    pub fn try_(&mut self, try_: &'a Try<'a>) -> Result<()> {
        if try_.catches.is_empty() && try_.finally.is_none() {
            return self.error("Cannot use try without catch or finally");
        }
        let region = self.f.b.tries.len();
        self.f.b.tries.push(TryRegion {
            start: 0,
            catch: u32::MAX,
            finally: u32::MAX,
            finally_end: u32::MAX,
            finally_temp: NONE,
        });
        let mut owns_return = false;
        let mut finally_temp = NONE;
        if try_.finally.is_some() {
            finally_temp = self.f.b.own_temp();
            if self.f.return_temp.is_none() {
                owns_return = true;
                let register = self.f.b.in_temp(Operand::Lit(Const::Null), Dest::Any);
                self.f.return_temp = Some(register);
            }
            let id = self.next_scope_id();
            self.f.scopes.push(Scope::Finally(FinallyScope {
                entry: Label::default(),
                temp: finally_temp,
                owns_return,
                id,
            }));
        }
        let start = self.f.b.here();
        self.nested(try_.body)?;
        let mut end = Label::default();
        let mut catch = u32::MAX;
        if !try_.catches.is_empty() {
            self.f.b.jump(Op::Jmp, 0, &mut end);
            catch = self.f.b.here();
            let clauses = try_.catches.len();
            for (n, clause) in try_.catches.iter().enumerate() {
                self.f.b.line = clause.line;
                let variable = match clause.var {
                    Some(b"this") => return self.error("Cannot re-assign $this"),
                    Some(name) => self.f.b.cv(name),
                    None => NONE,
                };
                let mut matched = Label::default();
                let mut next = Label::default();
                let types = clause.types.len();
                for (k, name) in clause.types.iter().enumerate() {
                    if name.is(b"static") {
                        return self.error("Bad class name in the catch statement");
                    }
                    let class = self.class_ref(name)?;
                    let last = n + 1 == clauses && k + 1 == types;
                    self.f.b.bind(std::mem::take(&mut next));
                    let at = self.f.b.emit(Op::Catch, variable, last as u16, 0);
                    self.f.b.word(class.0 as u64);
                    if last {
                        self.f.b.word(0);
                    } else {
                        self.f.b.jump_word(at, &mut next);
                    }
                    if k + 1 < types {
                        self.f.b.jump(Op::Jmp, 0, &mut matched);
                    }
                }
                self.f.b.bind(matched);
                self.nested(clause.body)?;
                if n + 1 < clauses {
                    self.f.b.jump(Op::Jmp, 0, &mut end);
                }
                self.f.b.bind(next);
            }
        }
        self.f.b.bind(end);
        let (mut finally, mut finally_end) = (u32::MAX, u32::MAX);
        if let Some(body) = try_.finally {
            let mut entry = match self.f.scopes.pop() {
                Some(Scope::Finally(scope)) => scope.entry,
                _ => Label::default(),
            };
            self.f.b.line = try_.finally_line;
            let mut after = Label::default();
            self.f.b.jump(Op::FastCall, finally_temp, &mut entry);
            self.f.b.jump(Op::Jmp, 0, &mut after);
            finally = self.f.b.here();
            self.f.b.bind(entry);
            let id = self.next_scope_id();
            self.f.scopes.push(Scope::InFinally {
                temp: finally_temp,
                owns_return,
                id,
            });
            self.nested(body)?;
            self.f.scopes.pop();
            self.f.b.emit(Op::FastRet, finally_temp, 0, 0);
            finally_end = self.f.b.here();
            self.f.b.bind(after);
            if owns_return {
                self.free_return_temp();
                self.f.return_temp = None;
            }
        }
        self.f.b.tries[region] = TryRegion {
            start,
            catch,
            finally,
            finally_end,
            finally_temp,
        };
        Ok(())
    }

    pub fn label(&mut self, name: &'a [u8]) -> Result<()> {
        if self.f.labels.contains_key(name) {
            return self.error([b"Label '", name, b"' already defined"].concat());
        }
        let place = self.f.b.here();
        let scopes = self.f.scopes.iter().map(Self::scope_id).collect();
        let in_finally = self
            .f
            .scopes
            .iter()
            .filter(|s| matches!(s, Scope::InFinally { .. }));
        let finally_scopes = in_finally.map(Self::scope_id).collect();
        self.f.labels.insert(
            name,
            GotoLabel {
                place,
                scopes,
                finally_scopes,
            },
        );
        // Something to jump to, should nothing follow.
        self.f.b.emit(Op::Nop, 0, 0, 0);
        Ok(())
    }

    pub fn goto_(&mut self, label: &'a [u8]) -> Result<()> {
        let before = self.f.b.snapshot();
        let line = self.f.b.line;
        let mut leaves = Vec::new();
        let mut finally_scopes = Vec::new();
        for n in (0..self.f.scopes.len()).rev() {
            let id = Self::scope_id(&self.f.scopes[n]);
            if let Scope::InFinally { .. } = self.f.scopes[n] {
                finally_scopes.push(id);
            }
            let start = self.f.b.here();
            self.leave_scope(n, false);
            leaves.push((id, start, self.f.b.here()));
        }
        let mut jump = Label::default();
        self.f.b.jump(Op::Jmp, 0, &mut jump);
        self.f.b.restore(&before);
        self.f.gotos.push(Goto {
            label,
            jump,
            line,
            leaves,
            finally_scopes,
        });
        Ok(())
    }

    /// Resolves the function's gotos at its end.
    pub fn finish_gotos(&mut self) -> Result<()> {
        for goto in std::mem::take(&mut self.f.gotos) {
            self.f.b.line = goto.line;
            let Some(label) = self.f.labels.get(goto.label) else {
                return self.error([b"'goto' to undefined label '", goto.label, b"'"].concat());
            };
            let inside = |id: u32| goto.leaves.iter().any(|&(scope, ..)| scope == id);
            if !label.scopes.iter().all(|&id| inside(id)) {
                let into_finally = label
                    .scopes
                    .iter()
                    .any(|id| !inside(*id) && label.finally_scopes.contains(id));
                return self.error(if into_finally {
                    "jump into a finally block is disallowed"
                } else {
                    "'goto' into loop or switch statement is disallowed"
                });
            }
            let left: Vec<(u32, u32, u32)> = goto.leaves;
            let (place, scopes) = (label.place, label.scopes.clone());
            for (id, start, end) in left {
                if scopes.contains(&id) {
                    self.f.b.erase(start, end);
                } else if goto.finally_scopes.contains(&id) {
                    return self.error("jump out of a finally block is disallowed");
                }
            }
            self.f.b.bind_to(goto.jump, place);
        }
        Ok(())
    }
}
