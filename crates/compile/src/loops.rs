//! Loops, `break` and `continue`, and what leaving a loop must release.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::lvalue::{Fetch, Place, is_place, is_this};
use crate::unit::{Compiler, Scope};
use jumbo_bytecode::Op;
use jumbo_bytecode::op::NONE;
use jumbo_bytecode::unit::LiveKind;
use jumbo_syntax::ast::{Expr, ExprKind, Foreach, Stmt, StmtKind};

/// What a loop or `switch` keeps in temporaries while it runs.
#[derive(Clone, Copy)]
pub enum Held {
    Nothing,
    Iterator(u16),
    Value(u16),
}

pub struct LoopScope {
    /// Where `break` goes: before the release of what is held.
    pub leave: Label,
    pub next: Label,
    /// The end of the loop, for the ways out that release what is held themselves.
    pub end: Label,
    pub held: Held,
    pub is_switch: bool,
    /// Number of the scope in its function, for `goto`.
    pub id: u32,
}

impl<'a> Compiler<'a, '_> {
    pub fn push_loop(&mut self, held: Held, is_switch: bool) {
        let id = self.next_scope_id();
        self.f.scopes.push(Scope::Loop(LoopScope {
            leave: Label::default(),
            next: Label::default(),
            end: Label::default(),
            held,
            is_switch,
            id,
        }));
    }

    pub fn pop_loop(&mut self) -> (Label, Label) {
        match self.f.scopes.pop() {
            Some(Scope::Loop(scope)) => {
                self.f.b.bind_end(scope.end);
                (scope.leave, scope.next)
            }
            other => {
                // Scopes are strictly nested; anything else is a defect in this module.
                debug_assert!(other.is_none(), "scope is no loop");
                Default::default()
            }
        }
    }

    /// Binds `continue` of the loop that is innermost now.
    fn bind_next(&mut self) {
        if let Some(Scope::Loop(scope)) = self.f.scopes.last_mut() {
            let label = std::mem::take(&mut scope.next);
            self.f.b.bind(label);
        }
    }

    pub fn while_(&mut self, cond: &'a Expr<'a>, body: &'a [Stmt<'a>]) -> Result<()> {
        self.push_loop(Held::Nothing, false);
        let mut test = Label::default();
        self.f.b.jump(Op::Jmp, 0, &mut test);
        let top = self.f.b.here();
        self.nested(body)?;
        self.bind_next();
        self.f.b.bind(test);
        self.loop_test(cond, top)
    }

    /// The test at a loop's bottom, and the loop's end. Backward jumps become safepoints in `specialize`.
    fn loop_test(&mut self, cond: &'a Expr<'a>, top: u32) -> Result<()> {
        let mut again = Label::default();
        self.condition(cond, true, &mut again)?;
        self.f.b.bind_to(again, top);
        let (leave, _) = self.pop_loop();
        self.f.b.bind(leave);
        Ok(())
    }

    pub fn do_while(&mut self, body: &'a [Stmt<'a>], cond: &'a Expr<'a>) -> Result<()> {
        self.push_loop(Held::Nothing, false);
        let top = self.f.b.here();
        self.nested(body)?;
        self.bind_next();
        self.loop_test(cond, top)
    }

    pub fn for_(
        &mut self,
        init: &'a [Expr<'a>],
        cond: &'a [Expr<'a>],
        step: &'a [Expr<'a>],
        body: &'a [Stmt<'a>],
    ) -> Result<()> {
        for e in init {
            self.expr_void(e)?;
        }
        self.push_loop(Held::Nothing, false);
        let mut test = Label::default();
        if !cond.is_empty() {
            self.f.b.jump(Op::Jmp, 0, &mut test);
        }
        let top = self.f.b.here();
        self.nested(body)?;
        self.bind_next();
        for e in step {
            self.expr_void(e)?;
        }
        self.f.b.bind(test);
        if let [others @ .., last] = cond {
            for e in others {
                self.expr_void(e)?;
            }
            return self.loop_test(last, top);
        }
        self.f.b.jump_back(Op::Loop, 0, top);
        let (leave, _) = self.pop_loop();
        self.f.b.bind(leave);
        Ok(())
    }

    pub fn foreach(&mut self, foreach: &'a Foreach<'a>) -> Result<()> {
        let line = self.f.b.line;
        if is_this(foreach.value) || foreach.key.is_some_and(|k| is_this(k)) {
            return self.error("Cannot re-assign $this");
        }
        if let Some(key) = foreach.key {
            if let ExprKind::Array(_) = key.kind {
                return self.error("Cannot use list as key element");
            }
            self.check_writable(key)?;
        }
        let pattern = match foreach.value.kind {
            ExprKind::Array(pattern) => Some(pattern),
            _ => {
                self.check_writable(foreach.value)?;
                None
            }
        };
        self.f.b.line = line;
        // A pattern with references iterates by reference itself.
        let pattern_refs = pattern.is_some_and(|p| crate::assign::pattern_has_refs(p));
        let by_ref = foreach.by_ref || pattern_refs;
        let iterator;
        let mut empty = Label::default();
        if by_ref
            && is_place(foreach.subject)
            && !is_this(foreach.subject)
            && !crate::lvalue::has_nullsafe(foreach.subject)
        {
            let place = self.prepare(foreach.subject, Fetch::Write)?;
            iterator = self.f.b.block(2);
            let source = self.fetch(place, Fetch::Write)?;
            let b = self.f.b.o(source);
            let at = self.f.b.emit(Op::IterInitRef, iterator, b, 0);
            self.f.b.jump_word(at, &mut empty);
        } else {
            let subject = self.expr(foreach.subject, Dest::Any)?;
            let subject = match subject {
                // By reference over a value: the iterator owns a copy.
                other if by_ref => Operand::Tmp(self.f.b.in_temp(other, Dest::Any)),
                other => other,
            };
            iterator = self.f.b.block(2);
            let b = self.f.b.o(subject);
            let at = self.f.b.emit(
                if by_ref {
                    Op::IterInitRef
                } else {
                    Op::IterInit
                },
                iterator,
                b,
                0,
            );
            self.f.b.jump_word(at, &mut empty);
        }
        self.f.b.start_live(iterator, LiveKind::Iterator);
        self.push_loop(Held::Iterator(iterator), false);
        let top = self.f.b.here();
        let mut done = Label::default();
        // The steps have the line where the subject ended, as in PHP.
        let simple = match foreach.value.kind {
            ExprKind::Var(name) => match self.variable(name) {
                Place::Cv(register) => Some(register),
                _ => None,
            },
            _ => None,
        };
        let simple_key = match foreach.key.map(|k| k.kind) {
            None => Some(NONE),
            Some(ExprKind::Var(name)) => match self.variable(name) {
                Place::Cv(register) => Some(register),
                _ => None,
            },
            _ => None,
        };
        match (simple, simple_key) {
            (Some(value), Some(key)) => {
                let op = if by_ref {
                    Op::IterNextRef
                } else {
                    Op::IterNext
                };
                let at = self.f.b.emit(op, iterator, value, key);
                self.f.b.jump_word(at, &mut done);
            }
            _ => {
                let value = self.f.b.temp();
                let key = foreach.key.map(|_| self.f.b.temp());
                let op = match pattern {
                    _ if by_ref => Op::IterNextRefTmp,
                    Some(_) => Op::IterNextList,
                    None => Op::IterNextTmp,
                };
                let at = self.f.b.emit(op, iterator, value, key.unwrap_or(NONE));
                self.f.b.jump_word(at, &mut done);
                self.f.b.start_live(value, LiveKind::Value);
                if let Some(key) = key {
                    self.f.b.start_live(key, LiveKind::Value);
                }
                match pattern {
                    Some(pattern) => {
                        self.destructure(pattern, Operand::Tmp(value), by_ref)?;
                        self.f.b.free(Operand::Tmp(value));
                    }
                    None if by_ref => {
                        let place = self.prepare(foreach.value, Fetch::Write)?;
                        self.assign_counted_ref(place, Operand::Tmp(value))?;
                    }
                    None => {
                        let place = self.prepare(foreach.value, Fetch::Write)?;
                        self.assign_to(place, Operand::Tmp(value), Dest::Void)?;
                    }
                }
                if let (Some(register), Some(e)) = (key, foreach.key) {
                    let place = self.prepare(e, Fetch::Write)?;
                    self.assign_to(place, Operand::Tmp(register), Dest::Void)?;
                }
            }
        }
        self.nested(foreach.body)?;
        self.bind_next();
        self.f.b.line = line;
        self.f.b.jump_back(Op::Loop, 0, top);
        let (leave, _) = self.pop_loop();
        self.f.b.bind(done);
        self.f.b.bind(leave);
        self.f.b.release_block(iterator, 2);
        self.f.b.emit(Op::IterFree, iterator, 0, 0);
        self.f.b.bind(empty);
        Ok(())
    }

    /// `if (cond) break;` and `if (cond) continue;` of the innermost loop: one conditional jump. False when it is not that.
    pub fn conditional_break(&mut self, cond: &'a Expr<'a>, body: &'a [Stmt<'a>]) -> Result<bool> {
        let [only] = body else { return Ok(false) };
        let is_continue = match only.kind {
            StmtKind::Break(None) => false,
            StmtKind::Continue(None) => true,
            _ => return Ok(false),
        };
        let Some(Scope::Loop(scope)) = self.f.scopes.last_mut() else {
            return Ok(false);
        };
        if scope.is_switch || self.ticks != 0 {
            return Ok(false);
        }
        let mut label = std::mem::take(if is_continue {
            &mut scope.next
        } else {
            &mut scope.leave
        });
        let compiled = self.condition(cond, true, &mut label);
        if let Some(Scope::Loop(scope)) = self.f.scopes.last_mut() {
            *(if is_continue {
                &mut scope.next
            } else {
                &mut scope.leave
            }) = label;
        }
        compiled.map(|()| true)
    }

    pub fn break_(&mut self, depth: Option<&'a Expr<'a>>, is_continue: bool) -> Result<()> {
        let word = if is_continue { "continue" } else { "break" };
        let levels = match depth.map(|e| e.kind) {
            None => 1,
            Some(ExprKind::Int(n)) if n >= 1 => n as u64,
            Some(ExprKind::Int(_)) => {
                return self.error(format!("'{word}' operator accepts only positive integers"));
            }
            Some(_) => {
                return self.error(format!(
                    "'{word}' operator with non-integer operand is no longer supported"
                ));
            }
        };
        let loops = self
            .f
            .scopes
            .iter()
            .filter(|s| matches!(s, Scope::Loop(_)))
            .count() as u64;
        let total = loops;
        if total == 0 {
            return self.error(format!("'{word}' not in the 'loop' or 'switch' context"));
        }
        if levels > total {
            let plural = if levels == 1 { "" } else { "s" };
            return self.error(format!("Cannot '{word}' {levels} level{plural}"));
        }
        // Position of the target among the scopes.
        let mut left = levels;
        let target = self
            .f
            .scopes
            .iter()
            .enumerate()
            .rev()
            .find_map(|(n, scope)| {
                if let Scope::Loop(_) = scope {
                    left -= 1;
                }
                (left == 0).then_some(n)
            });
        let Some(target) = target else { return Ok(()) };
        let crosses_finally = self.f.scopes[target..]
            .iter()
            .any(|s| matches!(s, Scope::InFinally { .. }));
        if crosses_finally {
            return self.error("jump out of a finally block is disallowed");
        }
        let to_switch = matches!(&self.f.scopes[target], Scope::Loop(s) if s.is_switch);
        if is_continue && to_switch {
            self.warn_continue_switch(levels, total);
        }
        let before = self.f.b.snapshot();
        for n in (target + 1..self.f.scopes.len()).rev() {
            self.leave_scope(n, false);
        }
        if let Some(Scope::Loop(scope)) = self.f.scopes.get_mut(target) {
            let to_next = is_continue && !scope.is_switch;
            let mut label = std::mem::take(if to_next {
                &mut scope.next
            } else {
                &mut scope.leave
            });
            self.f.b.jump(Op::Jmp, 0, &mut label);
            if let Some(Scope::Loop(scope)) = self.f.scopes.get_mut(target) {
                *(if to_next {
                    &mut scope.next
                } else {
                    &mut scope.leave
                }) = label;
            }
        }
        self.f.b.restore(&before);
        Ok(())
    }

    fn warn_continue_switch(&mut self, levels: u64, loops: u64) {
        let line = self.f.b.line;
        let hint = |n: u64| format!(". Did you mean to use \"continue {n}\"?");
        let message = if levels == 1 {
            let tail = if loops > 1 { hint(2) } else { String::new() };
            format!("\"continue\" targeting switch is equivalent to \"break\"{tail}")
        } else {
            let tail = if loops > levels {
                hint(levels + 1)
            } else {
                String::new()
            };
            format!(
                "\"continue {levels}\" targeting switch is equivalent to \"break {levels}\"{tail}"
            )
        };
        self.warn(2, message.into_bytes(), line);
    }

    /// Assigns a counted reference (`foreach … as &$this->x`).
    fn assign_counted_ref(&mut self, place: Place, source: Operand) -> Result<()> {
        self.assign_ref_from(place, source, Dest::Void)?;
        Ok(())
    }
}
