//! Calls: functions, methods, `new`, argument passing, first-class callables.
//!
//! The callee is resolved into a frame first, then each argument goes straight into its slot. Whether a parameter is by
//! reference is known only for builtins; for other callees variables are passed through `ArgVar`, and places through
//! `JmpArgRef` with one sequence for each way.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::kinds::{self, FormatPiece};
use crate::konst::Const;
use crate::lvalue::{ClassOperand, Fetch, Place, has_nullsafe, is_globals, is_place, is_this, may_be_cut};
use crate::names::{Resolved, function_handle, lower};
use crate::unit::Compiler;
use jumbo_bytecode::Op;
use jumbo_bytecode::op::FRAME_HEADER;
use jumbo_bytecode::types::mask;
use jumbo_bytecode::unit::{BuiltinInfo, CastKind, ClassRef, LiveKind, func_flags};
use jumbo_syntax::ast::{self, Arg, Args, Callee, Class, Expr, ExprKind, Ident, IdentKind};

/// How much of the source may stand twice in a function's code for one call.
const REPEATED_NODES_MAX: u32 = 24;

/// What is known of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passing {
    Value,
    Reference,
    PreferReference,
}

fn passing(info: &BuiltinInfo, position: usize) -> Passing {
    let last = (info.params as usize).saturating_sub(1);
    if info.variadic && position >= last && info.variadic_by_ref {
        return Passing::Reference;
    }
    let bit = if info.variadic {
        position.min(last)
    } else {
        position
    };
    if bit < 64 && info.by_ref >> bit & 1 != 0 {
        Passing::Reference
    } else if bit < 64 && info.prefer_ref >> bit & 1 != 0 {
        Passing::PreferReference
    } else {
        Passing::Value
    }
}

fn type_check_mask(name: &[u8]) -> Option<u32> {
    Some(match name {
        b"is_null" => mask::NULL,
        b"is_bool" => mask::BOOL,
        b"is_int" | b"is_integer" | b"is_long" => mask::INT,
        b"is_float" | b"is_double" => mask::FLOAT,
        b"is_string" => mask::STRING,
        b"is_array" => mask::ARRAY,
        b"is_object" => mask::OBJECT,
        _ => return None,
    })
}

/// With more arguments than these a call takes them from an array: their slots would leave too few registers for the rest.
const IN_SLOTS_MAX: usize = 4096;

/// Needs the argument array: spread or named arguments, or very many.
fn is_dynamic(args: &Args<'_>) -> bool {
    args.items.len() > IN_SLOTS_MAX || args.items.iter().any(|a| a.spread || a.name.is_some())
}

/// A number of arguments as an operand, which is as good as exact: nobody declares so many parameters.
fn count_hint(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// May anything happen when the argument is evaluated, but for warnings of undefined variables?
fn has_effects(e: &Expr<'_>) -> bool {
    !matches!(
        e.kind,
        ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::Const(_) | ExprKind::MagicConst(_)
    )
}

/// The arguments in the order in which they are evaluated. `reads_late`: variables come last.
fn in_order<'s, 'a>(args: &'s Args<'a>, reads_late: bool) -> impl Iterator<Item = (usize, &'s Arg<'a>)> {
    let reads_late = reads_late && args.items.iter().any(|arg| has_effects(arg.value));
    let is_late = move |arg: &Arg<'_>| reads_late && matches!(arg.value.kind, ExprKind::Var(_)) && !is_this(arg.value);
    let late = args.items.iter().enumerate().filter(move |(_, arg)| is_late(arg));
    args.items.iter().enumerate().filter(move |(_, arg)| !is_late(arg)).chain(late)
}

/// Are the arguments that it takes by reference places?
fn takes_places_by_reference(info: &BuiltinInfo, args: &Args<'_>) -> bool {
    args.items.iter().enumerate().all(|(i, arg)| match passing(info, i) {
        Passing::Reference => is_place(arg.value) && !has_nullsafe(arg.value) && !is_this(arg.value),
        _ => true,
    })
}

/// What is known of a callee whose arguments are compiled.
#[derive(Clone, Copy, Default)]
struct Known {
    /// It may be a builtin that reads variables among its arguments last.
    reads_late: bool,
    /// It is a function that stands before the call.
    is_compiled: bool,
}

impl Known {
    /// A plain variable for who knows what has the line of the first argument, as in PHP.
    fn line_of_variable(self, args: &Args<'_>, arg: &Arg<'_>) -> u32 {
        match args.items.first() {
            Some(first) if !self.is_compiled => first.value.line,
            _ => arg.value.line,
        }
    }
}

/// Does a string name a function, no method?
fn is_function_name(text: &[u8]) -> bool {
    !text.is_empty() && !text.contains(&b':')
}

impl<'a> Compiler<'a, '_> {
    pub fn call(
        &mut self,
        e: &'a Expr<'a>,
        callee: &Callee<'a>,
        args: &Args<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        self.check_args(args)?;
        match callee {
            Callee::Name(name) => {
                if let Some(special) = Self::special_name(name) {
                    match special.as_slice() {
                        b"compact" | b"extract" | b"parse_str" | b"get_defined_vars"
                        | b"mb_parse_str" => {
                            self.f.flags |= func_flags::SYMBOL_TABLE;
                        }
                        b"func_get_args" | b"func_get_arg" | b"func_num_args" => {
                            self.f.flags |= func_flags::USES_ARGS
                        }
                        b"assert" if !args.first_class_callable => {
                            return self.assert(e, name, args, dest);
                        }
                        _ => {}
                    }
                }
                let said = self.diagnostics.len();
                let result = self.call_named(e, name, args, None, dest)?;
                if self.diagnostics.len() > said && self.is_compiled_twice(name, args) {
                    self.diagnostics.extend_from_within(said..);
                }
                Ok(result)
            }
            Callee::Expr(Expr { kind: ExprKind::String(text), line, .. }) if is_function_name(text) => {
                self.call(e, &Callee::Name(kinds::name_in_quotes(text, *line)), args, dest)
            }
            Callee::Expr(inner) => {
                let d = if dest == Dest::Void {
                    dest
                } else {
                    Dest::Reg(self.f.b.dest(dest))
                };
                let callee = self.expr(inner, Dest::Any)?;
                let slots = self.slots(args);
                let frame = self.f.b.block(slots);
                let b = self.f.b.o(callee);
                self.f
                    .b
                    .emit(Op::InitDyn, frame, b, count_hint(args.items.len()));
                self.f.b.start_live(frame, LiveKind::Frame);
                self.finish_call(frame, args, e.line, d)
            }
        }
    }

    /// Temporaries of a call's frame.
    fn slots(&self, args: &Args<'_>) -> usize {
        FRAME_HEADER as usize
            + if is_dynamic(args) {
                0
            } else {
                args.items.len()
            }
    }

    fn check_args(&mut self, args: &Args<'a>) -> Result<()> {
        let (mut named, mut spread) = (false, false);
        for arg in args.items {
            self.f.b.line = arg.line;
            if arg.spread {
                if named {
                    return self.error("Cannot use argument unpacking after named arguments");
                }
                spread = true;
            } else if arg.name.is_some() {
                named = true;
            } else if named {
                return self.error("Cannot use positional argument after named argument");
            } else if spread {
                return self.error("Cannot use positional argument after argument unpacking");
            }
        }
        Ok(())
    }

    /// A function by name; `extra` is an argument that stands not in the source (the text of an assertion).
    fn call_named(
        &mut self,
        e: &'a Expr<'a>,
        name: &ast::Name<'a>,
        args: &Args<'a>,
        extra: Option<Const>,
        dest: Dest,
    ) -> Result<Operand> {
        let resolved = self.namespace.function(name);
        if resolved.fallback.is_none()
            && !args.first_class_callable
            && !is_dynamic(args)
            && extra.is_none()
        {
            let lowered = lower(&resolved.name);
            if args.items.is_empty() && lowered == b"func_num_args" && !self.f.is_main && !self.f.in_constant {
                return Ok(self.f.b.nullary_op(Op::FuncNumArgs, dest));
            }
            // A function that is disabled is no opcode either.
            if let [arg] = args.items
                && self.options.world.builtin_function(&lowered).is_some()
                && let Some(result) = self.call_as_opcode(&lowered, arg, dest)?
            {
                return Ok(result);
            }
            if lowered == b"sprintf"
                && !self.f.in_constant
                && self.options.world.builtin_function(&lowered).is_some()
                && let Some(pieces) = kinds::concatenation(args)
            {
                return self.sprintf(pieces, args, dest);
            }
            if let Some(info) = self.options.world.builtin_function(&lowered) {
                match (lowered.as_slice(), args.items) {
                    (b"call_user_func", [callee, rest @ ..]) => {
                        return self.call_user_func(e, callee, rest, dest);
                    }
                    (b"call_user_func_array", [callee, list]) => {
                        return self.call_user_func_array(e, callee, list, dest);
                    }
                    _ => {}
                }
                if info.needs_symbols {
                    self.f.flags |= func_flags::SYMBOL_TABLE;
                }
                if takes_places_by_reference(&info, args) {
                    return self.call_builtin(e, &info, args, &lowered, None, dest);
                }
            }
        }
        let d = if dest == Dest::Void {
            dest
        } else {
            Dest::Reg(self.f.b.dest(dest))
        };
        let Some(builtin) = self.builtin_of_fallback(&resolved, args).filter(|_| extra.is_none()) else {
            return self.call_by_name(e, &resolved, args, extra, d);
        };
        // Two calls: what the name means is known when the code runs.
        let (mut by_name, mut end) = (Label::default(), Label::default());
        self.f.b.line = e.line;
        let at = self.f.b.emit(Op::JmpFn, 0, 0, 0);
        self.f.b.jump_word(at, &mut by_name);
        self.f.b.word(function_handle(&resolved.name) as u64);
        let before = self.f.b.snapshot();
        let result = self.call_fallback(e, &builtin, args, d)?;
        let ended = self.f.b.line;
        self.f.b.jump(Op::Jmp, 0, &mut end);
        let after = self.f.b.snapshot();
        self.f.b.restore(&before);
        self.f.b.bind(by_name);
        let said = self.diagnostics.len();
        // Inside of this one, calls are as rare as it is.
        let outer = std::mem::replace(&mut self.by_name, true);
        self.call_by_name(e, &resolved, args, None, d)?;
        self.by_name = outer;
        self.diagnostics.truncate(said);
        self.f.b.line = ended;
        self.f.b.restore(&after);
        self.f.b.bind(end);
        Ok(result)
    }

    /// The builtin that a name in a namespace most likely means, if it may be called without its name.
    fn builtin_of_fallback(&self, resolved: &Resolved, args: &Args<'a>) -> Option<(Vec<u8>, BuiltinInfo)> {
        let lowered = lower(resolved.fallback.as_ref()?);
        if self.by_name || args.first_class_callable || is_dynamic(args) || self.f.in_constant {
            return None;
        }
        let info = self.options.world.builtin_function(&lowered)?;
        let mut nodes = REPEATED_NODES_MAX;
        let repeatable = args.items.iter().all(|arg| kinds::is_repeatable(arg.value, &mut nodes));
        (repeatable && !info.needs_symbols && takes_places_by_reference(&info, args)).then_some((lowered, info))
    }

    /// Calls the builtin as PHP calls what it finds by name: with its frame, and with the lines of such a call.
    fn call_fallback(&mut self, e: &'a Expr<'a>, (lowered, info): &(Vec<u8>, BuiltinInfo), args: &Args<'a>, dest: Dest) -> Result<Operand> {
        let known = Known { reads_late: kinds::reads_late(lowered, args.items.len()), is_compiled: false };
        if let [arg] = args.items
            && dest != Dest::Void
            && let Some(kinds) = type_check_mask(lowered)
        {
            if matches!(arg.value.kind, ExprKind::Var(_)) {
                self.f.b.line = known.line_of_variable(args, arg);
            }
            return self.type_check(arg, kinds, dest);
        }
        self.call_builtin(e, info, args, lowered, Some(known), dest)
    }

    /// A function by name, which is looked for when the code runs.
    fn call_by_name(&mut self, e: &'a Expr<'a>, resolved: &Resolved, args: &Args<'a>, extra: Option<Const>, d: Dest) -> Result<Operand> {
        let count = args.items.len() + extra.is_some() as usize;
        let frame = self.f.b.block(self.slots(args) + extra.is_some() as usize);
        let handle = function_handle(&resolved.name) as u64;
        let fallback = resolved
            .fallback
            .as_ref()
            .map_or(u32::MAX, |n| function_handle(n)) as u64;
        let literal = self.f.b.literal_l(&Const::str(&resolved.name));
        self.f.b.line = e.line;
        self.f.b.emit(Op::InitFn, frame, literal, count_hint(count));
        self.f.b.word(handle | fallback << 32);
        self.f.b.start_live(frame, LiveKind::Frame);
        if let Some(text) = extra {
            return self.finish_call_with(frame, args, text, e.line, d);
        }
        // In a namespace the builtin is the likelier one of the two that the name may mean.
        let reads_late = resolved.fallback.as_ref().is_some_and(|name| kinds::reads_late(&lower(name), args.items.len()));
        let is_compiled = resolved.fallback.is_none() && self.declared_functions.get(&lower(&resolved.name)).is_some_and(|f| f.is_compiled);
        self.finish_call_of(frame, args, Known { reads_late, is_compiled }, e.line, d)
    }

    /// `call_user_func($f, …)`: the callee is called from here, without a frame in between.
    fn call_user_func(&mut self, e: &'a Expr<'a>, callee: &Arg<'a>, rest: &'a [Arg<'a>], dest: Dest) -> Result<Operand> {
        let d = if dest == Dest::Void {
            dest
        } else {
            Dest::Reg(self.f.b.dest(dest))
        };
        let callee = self.user_callee(e, callee)?;
        let frame = self.f.b.block(FRAME_HEADER as usize + rest.len());
        let b = self.f.b.o(callee);
        self.f.b.emit(Op::InitUser, frame, b, 0);
        self.f.b.start_live(frame, LiveKind::Frame);
        let (q, result) = self.f.b.result(d);
        for (n, arg) in rest.iter().enumerate() {
            let slot = frame + FRAME_HEADER + n as u16;
            let value = self.expr(arg.value, Dest::Reg(slot))?;
            let c = match value {
                // The value is in its slot already.
                Operand::Tmp(register) if register == slot => {
                    self.f.b.end_live(slot);
                    slot
                }
                other => self.f.b.o(other),
            };
            self.f.b.emit(Op::ArgUser, frame, n as u16, c);
            self.f.b.start_live(slot, LiveKind::Value);
        }
        self.f.b.release_call(frame, rest.len());
        self.f.b.emit(Op::Call, frame, rest.len() as u16, q);
        self.f.b.defined(&result);
        Ok(result)
    }

    /// The callee of such a call, which has the line where its last argument ends; a literal callee is no argument there.
    fn user_callee(&mut self, e: &'a Expr<'a>, callee: &Arg<'a>) -> Result<Operand> {
        let value = self.expr(callee.value, Dest::Any)?;
        if matches!(value, Operand::Lit(_)) {
            self.f.b.line = e.line;
        }
        Ok(value)
    }

    fn call_user_func_array(&mut self, e: &'a Expr<'a>, callee: &Arg<'a>, list: &Arg<'a>, dest: Dest) -> Result<Operand> {
        let d = if dest == Dest::Void {
            dest
        } else {
            Dest::Reg(self.f.b.dest(dest))
        };
        let callee = self.user_callee(e, callee)?;
        let frame = self.f.b.block(FRAME_HEADER as usize);
        let b = self.f.b.o(callee);
        self.f.b.emit(Op::InitUser, frame, b, 1);
        self.f.b.start_live(frame, LiveKind::Frame);
        let (q, result) = self.f.b.result(d);
        let list = self.expr(list.value, Dest::Any)?;
        let b = self.f.b.o(list);
        self.f.b.release_block(frame, FRAME_HEADER as usize);
        self.f.b.emit(Op::CallUserArray, frame, b, q);
        self.f.b.defined(&result);
        Ok(result)
    }

    /// Builtins that are opcodes.
    fn call_as_opcode(
        &mut self,
        name: &[u8],
        arg: &Arg<'a>,
        dest: Dest,
    ) -> Result<Option<Operand>> {
        let op = match name {
            b"strlen" => Op::Strlen,
            // `sizeof` has its own name in messages.
            b"count" => Op::Count,
            _ => {
                let Some(kinds) = type_check_mask(name) else {
                    return Ok(None);
                };
                return self.type_check(arg, kinds, dest).map(Some);
            }
        };
        let value = self.expr(arg.value, Dest::Any)?;
        if let (Op::Strlen, Operand::Lit(Const::Str(s))) = (op, &value) {
            return Ok(Some(Operand::Lit(Const::Int(s.len() as i64))));
        }
        Ok(Some(self.f.b.value_op(op, dest, value, Operand::None)))
    }

    /// `is_int` and the like.
    fn type_check(&mut self, arg: &Arg<'a>, kinds: u32, dest: Dest) -> Result<Operand> {
        let value = self.expr(arg.value, Dest::Any)?;
        let d = self.f.b.dest(dest);
        let b = self.f.b.o(value);
        self.f.b.emit(Op::TypeCheck, d, b, kinds as u16);
        self.f.b.start_live(d, LiveKind::Value);
        Ok(Operand::Tmp(d))
    }

    /// Of an `in_array` that PHP makes an opcode, because nothing but a lookup is left of it: is it strict? Its third argument, a literal or a
    /// constant of any type, is none to be refused then.
    fn literal_strictness(&mut self, args: &Args<'a>) -> Result<Option<bool>> {
        let [_, list, strict] = args.items else { return Ok(None) };
        if !matches!(list.value.kind, ExprKind::Array(_))
            || !matches!(strict.value.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::Const(_))
        {
            return Ok(None);
        }
        let (Some(Const::Array(list)), Some(strict)) = (self.const_eval(list.value)?, self.const_eval(strict.value)?) else { return Ok(None) };
        let strict = strict.to_bool();
        let is_key = |value: &Const| match value {
            Const::Str(text) => strict || !crate::fold::is_numeric(text),
            Const::Int(_) => strict,
            _ => false,
        };
        Ok(list.entries.iter().all(|(_, value)| is_key(value)).then_some(strict))
    }

    /// `sprintf` as a concatenation: all arguments are evaluated, then variables are read and values converted one after the other.
    fn sprintf(&mut self, pieces: Vec<FormatPiece>, args: &Args<'a>, dest: Dest) -> Result<Operand> {
        if pieces.iter().all(|piece| matches!(piece, FormatPiece::Text(_))) {
            let text = pieces.into_iter().next().map_or(Vec::new(), |piece| match piece {
                FormatPiece::Text(text) => text,
                FormatPiece::Argument(_) => Vec::new(),
            });
            return Ok(Operand::Lit(Const::str(&text)));
        }
        let result = self.f.b.dest(dest);
        let block = self.f.b.block(pieces.len());
        let mut waiting = Vec::new();
        let mut values = args.items.iter().skip(1);
        for (slot, piece) in (block..).zip(&pieces) {
            if let FormatPiece::Argument(kind) = piece
                && let Some(arg) = values.next()
            {
                let value = self.expr(arg.value, Dest::Reg(slot))?;
                let register = match value {
                    Operand::Cv(register) => register,
                    other => self.f.b.in_temp(other, Dest::Reg(slot)),
                };
                waiting.push((slot, *kind, register));
            }
        }
        for (slot, kind, register) in waiting {
            self.f.b.end_live(slot);
            match kind {
                CastKind::String => self.f.b.emit(Op::MoveStr, slot, register, 0),
                kind => self.f.b.emit(Op::Cast, slot, register, kind as u16),
            };
            self.f.b.start_live(slot, LiveKind::Value);
        }
        for (slot, piece) in (block..).zip(&pieces) {
            if let FormatPiece::Text(text) = piece {
                self.f.b.in_temp(Operand::Lit(Const::str(text)), Dest::Reg(slot));
            }
        }
        self.f.b.release_block(block, pieces.len());
        self.f.b.emit(Op::ConcatN, result, block, pieces.len() as u16);
        self.f.b.start_live(result, LiveKind::Value);
        Ok(Operand::Tmp(result))
    }

    /// `by_name`: PHP finds the function by name.
    fn call_builtin(
        &mut self,
        e: &'a Expr<'a>,
        info: &BuiltinInfo,
        args: &Args<'a>,
        lowered: &[u8],
        by_name: Option<Known>,
        dest: Dest,
    ) -> Result<Operand> {
        if let (b"in_array", [_, list] | [_, list, _]) = (lowered, args.items) {
            // PHP looks first whether the list is a constant.
            self.const_eval(list.value)?;
        }
        let (q, result) = self.f.b.result(dest);
        let slots = FRAME_HEADER as usize + args.items.len();
        let frame = self.f.b.block(slots);
        let reads_late = kinds::reads_late(lowered, args.items.len());
        for (i, arg) in in_order(args, reads_late) {
            let slot = frame + FRAME_HEADER + i as u16;
            let by_ref = match passing(info, i) {
                Passing::Value => false,
                Passing::Reference => true,
                Passing::PreferReference => {
                    is_place(arg.value)
                        && !has_nullsafe(arg.value)
                        && !is_this(arg.value)
                        && !is_globals(arg.value)
                }
            };
            if by_ref {
                let place = self.prepare(arg.value, Fetch::Write)?;
                self.make_ref(place, Dest::Reg(slot))?;
            } else if let Some(known) = by_name {
                if matches!(arg.value.kind, ExprKind::Var(_)) {
                    self.f.b.line = known.line_of_variable(args, arg);
                }
                self.expr_to(arg.value, slot)?;
            } else if i == 2
                && lowered == b"in_array"
                && let Some(strict) = self.literal_strictness(args)?
            {
                self.f.b.in_temp(Operand::Lit(Const::Bool(strict)), Dest::Reg(slot));
            } else if reads_late && matches!(arg.value.kind, ExprKind::Var(_)) {
                let value = self.expr(arg.value, Dest::Any)?;
                let line = if kinds::ends_with_its_arguments(lowered, args) { self.f.b.line } else { e.line };
                let ended = std::mem::replace(&mut self.f.b.line, line);
                self.f.b.in_temp(value, Dest::Reg(slot));
                self.f.b.line = ended;
            } else {
                self.expr_to(arg.value, slot)?;
            }
        }
        let ended = self.f.b.line;
        if by_name.is_some() || !kinds::ends_with_its_arguments(lowered, args) {
            self.f.b.line = e.line;
        }
        self.f.b.release_call(frame, args.items.len());
        self.f
            .b
            .emit(Op::CallBuiltin, frame, args.items.len() as u16, q);
        self.f.b.word(info.id as u64 | (by_name.is_some() as u64) << 32);
        self.f.b.line = ended;
        self.f.b.defined(&result);
        Ok(result)
    }

    /// Passes the arguments to an initialised frame and calls it. `dest` is Void or a register below the frame.
    fn finish_call(&mut self, frame: u16, args: &Args<'a>, line: u32, dest: Dest) -> Result<Operand> {
        self.finish_call_of(frame, args, Known::default(), line, dest)
    }

    /// As [`finish_call`](Self::finish_call), of a callee of which something is known.
    fn finish_call_of(&mut self, frame: u16, args: &Args<'a>, known: Known, line: u32, dest: Dest) -> Result<Operand> {
        if args.first_class_callable {
            let d = self.f.b.dest(dest);
            self.f.b.release_block(frame, FRAME_HEADER as usize);
            self.f.b.emit(Op::CallableFromFrame, d, frame, 0);
            self.f.b.start_live(d, LiveKind::Value);
            return Ok(Operand::Tmp(d));
        }
        let (q, result) = self.f.b.result(dest);
        if is_dynamic(args) {
            self.argument_array(frame, args, None, known, line, q)?;
        } else {
            let last_effect = args.items.iter().rposition(|arg| has_effects(arg.value)).unwrap_or(0);
            for (i, arg) in in_order(args, known.reads_late) {
                if matches!(arg.value.kind, ExprKind::Var(_)) {
                    self.f.b.line = known.line_of_variable(args, arg);
                }
                self.argument(frame, i, arg.value, i < last_effect, line)?;
            }
            // The call has a line of its own; what follows goes on where the last argument ended, as in PHP.
            let ended = std::mem::replace(&mut self.f.b.line, line);
            self.f.b.release_call(frame, args.items.len());
            self.f.b.emit(Op::Call, frame, args.items.len() as u16, q);
            self.f.b.line = ended;
        }
        self.f.b.defined(&result);
        Ok(result)
    }

    fn finish_call_with(
        &mut self,
        frame: u16,
        args: &Args<'a>,
        text: Const,
        line: u32,
        dest: Dest,
    ) -> Result<Operand> {
        let (q, result) = self.f.b.result(dest);
        if is_dynamic(args) {
            self.argument_array(frame, args, Some((b"description", text)), Known::default(), line, q)?;
            self.f.b.defined(&result);
            return Ok(result);
        }
        let count = args.items.len();
        for (i, arg) in args.items.iter().enumerate() {
            self.argument(frame, i, arg.value, false, line)?;
        }
        self.f.b.in_temp(
            Operand::Lit(text),
            Dest::Reg(frame + FRAME_HEADER + count as u16),
        );
        self.f.b.line = line;
        self.f.b.release_call(frame, count + 1);
        self.f.b.emit(Op::Call, frame, count as u16 + 1, q);
        self.f.b.defined(&result);
        Ok(result)
    }

    /// One argument of a callee that is not known. `at_once`: what follows has effects, so a value for a by-reference parameter is
    /// refused here; otherwise the call itself does it, on its `line`, which costs nothing.
    fn argument(&mut self, frame: u16, position: usize, e: &'a Expr<'a>, at_once: bool, line: u32) -> Result<()> {
        let slot = frame + FRAME_HEADER + position as u16;
        let n = position as u16;
        if let Some(variable) = reference_result(e) {
            self.expr_void(e)?;
            return self.argument(frame, position, variable, at_once, line);
        }
        if self.is_result(e) {
            let value = self.expr(e, Dest::Reg(slot))?;
            let value = self.in_slot(value, slot);
            if matches!(value, Operand::Lit(_)) {
                let c = self.f.b.o(value);
                self.f.b.emit(Op::ArgVal, frame, n, c);
                self.f.b.start_live(slot, LiveKind::Value);
                return Ok(());
            }
            // The result is in its slot already; this decides about the notice for by-reference parameters.
            self.f.b.end_live(slot);
            self.f.b.emit(Op::ArgCall, frame, n, slot);
            self.f.b.start_live(slot, LiveKind::Value);
            return Ok(());
        }
        // `f($b = &$a)`: the variable is passed, when it is wanted by reference.
        if let ExprKind::AssignRef { target, value } = e.kind
            && matches!(target.kind, ExprKind::Var(name) if name != b"GLOBALS")
            && !is_this(target)
        {
            let result = self.assign_ref(target, value, Dest::Void)?;
            self.f.b.free(result);
            return self.argument(frame, position, target, at_once, line);
        }
        if is_place(e) && !has_nullsafe(e) && !is_this(e) && !matches!(e.kind, ExprKind::Var(b"GLOBALS")) {
            let on_value = self.is_on_value(e) || is_on_constant(e);
            let before = self.f.b.line;
            let place = self.prepare(e, Fetch::Argument)?;
            if let Place::Cv(register) = place {
                self.f.b.line = before;
                self.f.b.emit(Op::ArgVar, frame, n, register);
                self.f.b.start_live(slot, LiveKind::Value);
                return Ok(());
            }
            let mut by_ref = Label::default();
            let mut end = Label::default();
            let at = self.f.b.emit(Op::JmpArgRef, frame, n, 0);
            self.f.b.jump_word(at, &mut by_ref);
            let prepared = self.f.b.snapshot();
            if place_appends(&place) {
                self.throw_error("Cannot use [] for reading");
                self.free_place(place.clone());
                self.f.b.in_temp(Operand::None, Dest::Reg(slot));
            } else {
                let value = self.fetch_to(place.clone(), Fetch::Read, Dest::Reg(slot))?;
                self.f.b.in_temp(value, Dest::Reg(slot));
            }
            self.f.b.jump(Op::Jmp, 0, &mut end);
            let after = self.f.b.snapshot();
            self.f.b.restore(&prepared);
            self.f.b.bind(by_ref);
            if on_value || place_on_literal(&place) {
                self.throw_error("Cannot use temporary expression in write context");
                self.free_place(place);
                self.f.b.in_temp(Operand::None, Dest::Reg(slot));
            } else {
                self.make_ref(place, Dest::Reg(slot))?;
            }
            self.f.b.restore(&after);
            self.f.b.bind(end);
            self.f.b.start_live(slot, LiveKind::Value);
            return Ok(());
        }
        let value = self.expr(e, Dest::Reg(slot))?;
        // What is refused has the line where it ends, which need not be the one of the call.
        let at_once = at_once || self.f.b.line != line;
        if is_this(e) && !matches!(value, Operand::Lit(_)) {
            // `$this` goes by reference too: to a reference that nobody else has.
            self.f.b.in_temp(value, Dest::Reg(slot));
            let (mut by_ref, mut end) = (Label::default(), Label::default());
            let at = self.f.b.emit(Op::JmpArgRef, frame, n, 0);
            self.f.b.jump_word(at, &mut by_ref);
            self.f.b.jump(Op::Jmp, 0, &mut end);
            let after = self.f.b.snapshot();
            self.f.b.bind(by_ref);
            self.f.b.end_live(slot);
            self.f.b.emit(Op::MakeRef, slot, slot, 0);
            self.f.b.start_live(slot, LiveKind::Value);
            self.f.b.restore(&after);
            self.f.b.bind(end);
            return Ok(());
        }
        if let Operand::Lit(_) = value {
            let c = self.f.b.o(value);
            self.f.b.emit(Op::ArgVal, frame, n, c);
            self.f.b.start_live(slot, LiveKind::Value);
        } else {
            self.f.b.in_temp(value, Dest::Reg(slot));
            if at_once {
                self.f.b.end_live(slot);
                self.f.b.emit(Op::ArgVal, frame, n, slot);
                self.f.b.start_live(slot, LiveKind::Value);
            }
        }
        Ok(())
    }

    /// Moves a value that is no literal into its slot.
    fn in_slot(&mut self, value: Operand, slot: u16) -> Operand {
        match value {
            Operand::Lit(_) => value,
            other => Operand::Tmp(self.f.b.in_temp(other, Dest::Reg(slot))),
        }
    }

    /// Error that PHP raises only when the code runs.
    pub fn throw_error(&mut self, message: &str) {
        let a = self.f.b.literal_l(&Const::str(message.as_bytes()));
        self.f.b.emit(Op::ThrowError, a, 0, 0);
    }

    /// Spread and named arguments.
    fn argument_array(&mut self, frame: u16, args: &Args<'a>, extra: Option<(&[u8], Const)>, known: Known, line: u32, q: u16) -> Result<()> {
        let array = self.f.b.temp();
        self.f
            .b
            .emit(Op::NewArray, array, count_hint(args.items.len()), 0);
        self.f.b.start_live(array, LiveKind::Value);
        for arg in args.items {
            let name = match arg.name {
                Some(name) => Some(self.f.b.literal(&Const::str(name)) as u64),
                None => None,
            };
            if arg.spread {
                let value = self.expr(arg.value, Dest::Any)?;
                let c = self.f.b.o(value);
                self.f.b.emit(Op::ArgSpread, frame, array, c);
                continue;
            }
            let e = arg.value;
            if is_place(e) && !has_nullsafe(e) && !is_this(e) {
                let place = self.prepare(e, Fetch::Argument)?;
                if let Place::Cv(register) = place {
                    self.f.b.line = known.line_of_variable(args, arg);
                    self.emit_pushed(
                        Op::ArgPushVar,
                        Op::ArgNamedVar,
                        frame,
                        array,
                        register,
                        name,
                    );
                    continue;
                }
                let position = args
                    .items
                    .iter()
                    .position(|a| std::ptr::eq(a, arg))
                    .unwrap_or(0);
                let (mut by_ref, mut end) = (Label::default(), Label::default());
                let at = match arg.name {
                    Some(name) => {
                        let literal = self.f.b.literal_l(&Const::str(name));
                        self.f.b.emit(Op::JmpArgRefNamed, frame, literal, 0)
                    }
                    None => self.f.b.emit(Op::JmpArgRef, frame, count_hint(position), 0),
                };
                self.f.b.jump_word(at, &mut by_ref);
                let prepared = self.f.b.snapshot();
                if place_appends(&place) {
                    self.throw_error("Cannot use [] for reading");
                    self.free_place(place.clone());
                } else {
                    let value = self.fetch(place.clone(), Fetch::Read)?;
                    let c = self.f.b.o(value);
                    self.emit_pushed(Op::ArgPush, Op::ArgNamed, frame, array, c, name);
                }
                self.f.b.jump(Op::Jmp, 0, &mut end);
                let after = self.f.b.snapshot();
                self.f.b.restore(&prepared);
                self.f.b.bind(by_ref);
                let value = self.make_ref(place, Dest::Any)?;
                let c = self.f.b.o(value);
                self.emit_pushed(Op::ArgPushVar, Op::ArgNamedVar, frame, array, c, name);
                self.f.b.restore(&after);
                self.f.b.bind(end);
                continue;
            }
            let value = self.expr(e, Dest::Any)?;
            let c = self.f.b.o(value.clone());
            let is_result = self.is_result(e);
            let name = name.map(|literal| literal | (is_result as u64) << 32);
            let push = if is_result && !matches!(value, Operand::Lit(_)) { Op::ArgPushCall } else { Op::ArgPush };
            self.emit_pushed(push, Op::ArgNamed, frame, array, c, name);
        }
        if let Some((name, value)) = extra {
            let name = self.f.b.literal(&Const::str(name)) as u64;
            let c = self.f.b.o(Operand::Lit(value));
            self.emit_pushed(Op::ArgPush, Op::ArgNamed, frame, array, c, Some(name));
        }
        let ended = std::mem::replace(&mut self.f.b.line, line);
        self.f.b.is_argument(frame, array);
        self.f.b.release(array);
        self.f.b.release_block(frame, FRAME_HEADER as usize);
        self.f.b.emit(Op::CallArray, frame, array, q);
        self.f.b.line = ended;
        Ok(())
    }

    fn emit_pushed(
        &mut self,
        push: Op,
        named: Op,
        frame: u16,
        array: u16,
        c: u16,
        name: Option<u64>,
    ) {
        match name {
            Some(name) => {
                self.f.b.emit(named, frame, array, c);
                self.f.b.word(name);
            }
            None => {
                self.f.b.emit(push, frame, array, c);
            }
        }
    }

    pub fn method_call(
        &mut self,
        object: &'a Expr<'a>,
        name: &Ident<'a>,
        args: &Args<'a>,
        nullsafe: bool,
        dest: Dest,
    ) -> Result<Operand> {
        if args.first_class_callable && (nullsafe && !is_this(object) || may_be_cut(object)) {
            return self.error("Cannot combine nullsafe operator with Closure creation");
        }
        self.check_args(args)?;
        let d = if dest == Dest::Void {
            dest
        } else {
            Dest::Reg(self.f.b.dest(dest))
        };
        if matches!(name.kind, IdentKind::Expr(_)) {
            self.ask_for_this(object);
        }
        let mut receiver = if is_this(object) {
            self.f.flags |= func_flags::USES_THIS;
            Operand::This
        } else if is_place(object) {
            let place = self.prepare(object, Fetch::Read)?;
            self.fetch(place, Fetch::Read)?
        } else {
            self.expr_in_chain(object, Dest::Any)?
        };
        if nullsafe && !matches!(receiver, Operand::This) {
            self.warn_undefined(&receiver, Fetch::Read);
            receiver = self.jump_if_null(receiver);
        }
        let method = self.method_name(name)?;
        let slots = self.slots(args);
        let frame = self.f.b.block(slots);
        self.f.b.line = name.line;
        let b = self.f.b.o(receiver);
        let c = self.f.b.o(method);
        self.f.b.emit(Op::InitMethod, frame, b, c);
        self.f.b.word(0);
        self.f.b.start_live(frame, LiveKind::Frame);
        self.finish_call(frame, args, name.line, d)
    }

    fn method_name(&mut self, name: &Ident<'a>) -> Result<Operand> {
        let name = self.member_name(name)?;
        if let Operand::Lit(value) = &name
            && !matches!(value, Const::Str(_))
        {
            return self.error("Method name must be a string");
        }
        Ok(name)
    }

    pub fn static_call(
        &mut self,
        class: &ast::ClassRef<'a>,
        name: &Ident<'a>,
        args: &Args<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        self.check_args(args)?;
        let d = if dest == Dest::Void {
            dest
        } else {
            Dest::Reg(self.f.b.dest(dest))
        };
        let (class, method) = match self.parent_hook(class, name, args)? {
            Some(hook) => (
                ClassOperand {
                    class: ClassRef::PARENT,
                    value: Operand::None,
                },
                hook,
            ),
            None => (self.class_operand(class)?, self.method_name(name)?),
        };
        let slots = self.slots(args);
        let frame = self.f.b.block(slots);
        self.f.b.line = name.line;
        let b = self.f.b.o(class.value);
        let c = self.f.b.o(method);
        self.f.b.emit(Op::InitStaticCall, frame, b, c);
        self.f.b.word(class.class.0 as u64);
        self.f.b.word(0);
        self.f.b.start_live(frame, LiveKind::Frame);
        self.finish_call(frame, args, name.line, d)
    }

    /// `parent::$property::get()`: the parent's hook, as a method named `$property::get`.
    fn parent_hook(
        &mut self,
        class: &ast::ClassRef<'a>,
        name: &Ident<'a>,
        args: &Args<'a>,
    ) -> Result<Option<Operand>> {
        let ast::ClassRef::Expr(inner) = class else {
            return Ok(None);
        };
        if inner.paren {
            return Ok(None);
        }
        let ExprKind::StaticProp(&ast::StaticProp {
            class: ast::ClassRef::Name(parent),
            name: property,
        }) = inner.kind
        else {
            return Ok(None);
        };
        let IdentKind::Name(hook) = &name.kind else {
            return Ok(None);
        };
        // `parent::${'x'}::get()`: only a name that is known now can be that of the hook's property.
        let computed;
        let property: &[u8] = match &property.kind {
            IdentKind::Name(property) => property,
            IdentKind::Expr(e) => match self.const_eval(e)? {
                Some(Const::Str(s)) => {
                    computed = s.to_vec();
                    &computed
                }
                Some(Const::Int(i)) => {
                    computed = i.to_string().into_bytes();
                    &computed
                }
                _ => return Ok(None),
            },
        };
        if !parent.is(b"parent")
            || !(hook.eq_ignore_ascii_case(b"get") || hook.eq_ignore_ascii_case(b"set"))
        {
            return Ok(None);
        }
        if self.class.is_none() {
            return self.error("Cannot use \"parent\" when no class scope is active");
        }
        let hook = lower(hook);
        let shown = |compiler: &Self, text: &[u8]| {
            compiler.error::<Option<Operand>>(
                [
                    b"Must not use parent::$".as_slice(),
                    property,
                    b"::",
                    &hook,
                    b"() ",
                    text,
                ]
                .concat(),
            )
        };
        let Some(current) = self.f.hook_property.clone() else {
            return shown(self, b"outside a property hook");
        };
        if current != property {
            return shown(
                self,
                &[b"in a different property ($".as_slice(), &current, b")"].concat(),
            );
        }
        if lower(&self.f.hook_name) != hook {
            return shown(
                self,
                &[
                    b"in a different property hook (".as_slice(),
                    &self.f.hook_name,
                    b")",
                ]
                .concat(),
            );
        }
        if args.first_class_callable {
            return self.error("Cannot create Closure for parent property hook call");
        }
        Ok(Some(Operand::Lit(Const::str(
            &[b"$".as_slice(), property, b"::", &hook].concat(),
        ))))
    }

    pub fn new_object(
        &mut self,
        class: &ast::ClassRef<'a>,
        args: &Args<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        if args.first_class_callable {
            return self.error("Cannot create Closure for new expression");
        }
        let line = self.f.b.line;
        self.check_args(args)?;
        let d = self.f.b.dest(dest);
        let class = match class {
            ast::ClassRef::Expr(e) if !matches!(e.kind, ExprKind::String(_)) => {
                let value = self.expr(e, Dest::Any)?;
                ClassOperand {
                    class: ClassRef::DYNAMIC,
                    value,
                }
            }
            other => self.class_operand(other)?,
        };
        self.new_of(d, class, args, line)
    }

    pub fn new_anonymous(
        &mut self,
        class: &'a Class<'a>,
        args: &Args<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        if args.first_class_callable {
            return self.error("Cannot create Closure for new expression");
        }
        let line = self.f.b.line;
        self.check_args(args)?;
        let (number, _) = self.class_declaration(class)?;
        let d = self.f.b.dest(dest);
        let pointer = self.f.b.temp();
        self.f.b.line = line;
        self.f.b.emit_bc(Op::DeclareAnonClass, pointer, number);
        let class = ClassOperand {
            class: ClassRef::DYNAMIC,
            value: Operand::Tmp(pointer),
        };
        self.new_of(d, class, args, line)
    }

    fn new_of(
        &mut self,
        d: u16,
        class: ClassOperand,
        args: &Args<'a>,
        line: u32,
    ) -> Result<Operand> {
        let slots = self.slots(args);
        let frame = self.f.b.block(slots);
        let c = self.f.b.o(class.value);
        self.f.b.line = line;
        let at = self.f.b.emit(Op::New, d, frame, c);
        self.f.b.word(class.class.0 as u64);
        let mut end = Label::default();
        // Arguments with effects are evaluated even when there is no constructor: no jump then.
        let is_literal = |a: &Arg<'_>| matches!(a.value.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::MagicConst(_));
        let effects = !args.items.iter().all(is_literal) || is_dynamic(args);
        if effects {
            self.f.b.word(0);
        } else {
            self.f.b.jump_word(at, &mut end);
        }
        self.f.b.start_live(d, LiveKind::NewObject);
        self.f.b.start_live(frame, LiveKind::Frame);
        self.finish_call(frame, args, line, Dest::Void)?;
        self.f.b.bind(end);
        self.f.b.start_live(d, LiveKind::Value);
        Ok(Operand::Tmp(d))
    }

    fn assert(
        &mut self,
        e: &'a Expr<'a>,
        name: &ast::Name<'a>,
        args: &Args<'a>,
        dest: Dest,
    ) -> Result<Operand> {
        let resolved = self.namespace.function(name);
        let is_builtin = lower(&resolved.name) == b"assert" || resolved.fallback.is_some();
        if !is_builtin {
            return self.call_named(e, name, args, None, dest);
        }
        if !self.options.assertions {
            return Ok(Operand::Lit(Const::Bool(true)));
        }
        let d = if dest == Dest::Void {
            dest
        } else {
            Dest::Reg(self.f.b.dest(dest))
        };
        let before = self.f.b.snapshot();
        let mut off = Label::default();
        self.f.b.jump(Op::AssertCheck, 0, &mut off);
        let text = match args.items {
            [only] if !only.spread => {
                let shown = jumbo_syntax::export::expr(only.value);
                let label = only.name.map_or_else(Vec::new, |name| [name, b": "].concat());
                Some(Const::str(&[b"assert(".as_slice(), &label, &shown, b")"].concat()))
            }
            _ => None,
        };
        let result = self.call_named(e, name, args, text, d)?;
        match d {
            Dest::Reg(register) => {
                self.f.b.in_temp(result, d);
                let mut over = Label::default();
                self.f.b.jump(Op::Jmp, 0, &mut over);
                let after = self.f.b.snapshot();
                self.f.b.restore(&before);
                self.f.b.bind(off);
                self.f.b.in_temp(Operand::Lit(Const::Bool(true)), d);
                self.f.b.restore(&after);
                self.f.b.bind(over);
                Ok(Operand::Tmp(register))
            }
            _ => {
                self.f.b.free(result);
                self.f.b.bind(off);
                Ok(Operand::None)
            }
        }
    }
}

/// Is it an element of a constant? (A property of one belongs to an object.)
fn is_on_constant(mut e: &Expr<'_>) -> bool {
    let mut element = false;
    loop {
        match e.kind {
            ExprKind::Index { base, .. } => (e, element) = (base, true),
            ExprKind::Prop(&ast::Prop { object, .. }) => (e, element) = (object, false),
            ExprKind::Const(_) | ExprKind::ClassConst(_) => return element,
            _ => return false,
        }
    }
}

/// The variable that holds what an expression makes a reference of, when to name it again has no effects: arguments by reference get it.
fn reference_result<'a>(e: &Expr<'a>) -> Option<&'a Expr<'a>> {
    let variable = match e.kind {
        ExprKind::AssignRef { target, .. } => target,
        ExprKind::Assign { target: &Expr { kind: ExprKind::Array(pattern), .. }, value } if crate::assign::pattern_has_refs(pattern) => value,
        _ => return None,
    };
    matches!(variable.kind, ExprKind::Var(_)).then_some(variable)
}

/// `f($a[])`: fine by reference only.
fn place_appends(place: &Place) -> bool {
    match place {
        Place::Dim(base, key, _) => matches!(key, Operand::None) || place_appends(base),
        Place::Prop(base, ..) => place_appends(base),
        _ => false,
    }
}

/// An element of something that is no variable: fine by value only.
fn place_on_literal(place: &Place) -> bool {
    match place {
        Place::Dim(base, ..) | Place::Prop(base, ..) => {
            matches!(**base, Place::Value(Operand::Lit(_)) | Place::Globals)
                || place_on_literal(base)
        }
        Place::Globals => true,
        _ => false,
    }
}
