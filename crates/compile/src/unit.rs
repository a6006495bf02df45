//! The state of one file's compilation: functions under construction, the class around them, declarations so far.

use crate::builder::{FunctionBuilder, Operand};
use crate::konst::Const;
use crate::names::Namespace;
use crate::{CompileError, Options, Result, SourceKind};
use jumbo_bytecode::hash::{NameMap, NameSet};
use jumbo_bytecode::{FRAME_HEADER, Insn, Kind, Op, insn};
use jumbo_bytecode::unit::{ClassDecl, ClosureUse, FunctionProto, StaticVar, Unit, func_flags};
use jumbo_syntax::ast::{Expr, ExprKind, Program};
use jumbo_value::PStr;

/// What `break`, `continue`, `return` and `goto` must undo on their way out, innermost last.
pub enum Scope {
    /// A loop or switch, with the jumps that leave it.
    Loop(crate::loops::LoopScope),
    /// A try body or catch clause with a finally block.
    Finally(crate::try_::FinallyScope),
    /// The inside of a finally block, which keeps its state in this temporary.
    InFinally {
        temp: u16,
        owns_return: bool,
        id: u32,
    },
}

/// The function that is being compiled.
#[derive(Default)]
pub struct FunctionState<'a> {
    pub b: FunctionBuilder,
    pub flags: u32,
    pub scopes: Vec<Scope>,
    pub scope_ids: u32,
    pub statics: Vec<StaticVar>,
    pub static_names: NameSet<Vec<u8>>,
    pub return_type: Option<jumbo_bytecode::types::Type>,
    pub uses: Vec<ClosureUse>,
    /// So many of the first variables are parameters.
    pub params: u16,
    /// Name for `__FUNCTION__`.
    pub name: Vec<u8>,
    /// The property of a hook, for `parent::$x::get()` and `__PROPERTY__`.
    pub hook_property: Option<Vec<u8>>,
    pub hook_name: Vec<u8>,
    pub labels: NameMap<&'a [u8], crate::try_::GotoLabel>,
    pub gotos: Vec<crate::try_::Goto<'a>>,
    /// Temporary that keeps a `return` value while finally blocks run.
    pub return_temp: Option<u16>,
    /// Open chains of `?->`: the jumps of each that end it with null.
    pub chains: Vec<crate::builder::Label>,
    /// `new` may stand in the constant expression at hand.
    pub allow_new: bool,
    /// Inside a constant expression.
    pub in_constant: bool,
    /// Inside the first value of a static variable: constants of the class itself are replaced by their values, which Reflection sees.
    pub in_static: bool,
    /// Inside a case that PHP's compiler looks into early: the line that computed constants have there.
    pub folded_line: Option<u32>,
    pub is_closure: bool,
    /// Main code, or an arrow function or closure outside of any function.
    pub is_main: bool,
}

/// The class that is being compiled.
pub struct ClassState {
    pub name: Vec<u8>,
    pub has_parent: bool,
    pub is_trait: bool,
    pub is_anonymous: bool,
    pub is_readonly: bool,
    pub parent_name: Option<Vec<u8>>,
    /// The constants so far whose values are known.
    pub constants: NameMap<Vec<u8>, Const>,
}

/// A function that is declared at top level.
pub struct DeclaredFunction {
    pub line: u32,
    /// Its end has been reached: it is known to the calls behind.
    pub is_compiled: bool,
}

pub struct Compiler<'a, 'w> {
    pub options: &'w Options<'w>,
    pub namespace: Namespace,
    pub has_bracketed_namespaces: Option<bool>,
    pub in_namespace_block: bool,
    pub f: FunctionState<'a>,
    pub outer: Vec<FunctionState<'a>>,
    pub class: Option<ClassState>,
    pub functions: Vec<Option<FunctionProto>>,
    /// The literals of each function; they move into the functions when all code is final.
    pub literals: Vec<Vec<Const>>,
    pub classes: Vec<Option<ClassDecl>>,
    pub strict_types: bool,
    pub hoisted_functions: Vec<u32>,
    pub hoisted_classes: Vec<jumbo_bytecode::unit::Hoisted>,
    /// The values that are known of public constants of the classes so far that are bound when the file is compiled, by lowered name.
    pub class_constants: NameMap<Vec<u8>, NameMap<Vec<u8>, Const>>,
    pub halt_offset: Option<u64>,
    pub diagnostics: Vec<(u32, Vec<u8>, u32)>,
    /// How many constants were replaced by their values so far.
    pub constants_folded: std::cell::Cell<u32>,
    /// Functions declared at top level, by lower-cased name.
    pub declared_functions: NameMap<Vec<u8>, DeclaredFunction>,
    pub declared_classes: NameSet<Vec<u8>>,
    pub declared_constants: NameSet<Vec<u8>>,
    /// Functions and classes declared since the namespace began, conditional ones too: imports may not take their names.
    pub seen_functions: NameSet<Vec<u8>>,
    pub seen_classes: NameSet<Vec<u8>>,
    /// Numbers of classes whose name another class of the file took before.
    pub duplicate_classes: NameSet<u32>,
    /// Nesting below the top level: declarations are conditional where it is not 0.
    pub nesting: u32,
    pub anonymous_classes: u32,
    /// Functions are called by name: the code is the less likely one of two.
    pub by_name: bool,
    /// `declare(ticks=N)` is in force.
    pub ticks: u16,
    /// A hook that was compiled reads or writes its own property: it has storage.
    pub hook_backed: bool,
    /// Type of the property whose hook is compiled next.
    pub hook_type: Option<jumbo_bytecode::types::Type>,
    /// Bytes that are held besides the function at hand, about: finished functions, arrays that are literals, members of classes.
    pub held: usize,
}

impl<'a> Compiler<'a, '_> {
    /// Looks at the memory that the code takes so far: wherever it may grow without a bound.
    #[inline]
    pub fn check_memory(&self) -> Result<()> {
        match self.options.memory_max {
            Some(max) if self.held + self.f.b.memory() > max => Err(self.out_of_memory()),
            _ => Ok(()),
        }
    }

    #[cold]
    fn out_of_memory(&self) -> CompileError {
        let memory = Some(self.held + self.f.b.memory());
        CompileError { memory, ..self.error_at(self.f.b.line, "Out of memory") }
    }

    pub fn error_at(&self, line: u32, message: &str) -> CompileError {
        CompileError::fatal(message, line)
    }

    pub fn error_bytes(&self, line: u32, message: Vec<u8>) -> CompileError {
        CompileError::fatal(message, line)
    }

    /// The error at the line that is being compiled.
    pub fn error<T>(&self, message: impl AsRef<[u8]>) -> Result<T> {
        Err(CompileError::fatal(message.as_ref(), self.f.b.line))
    }

    pub fn warn(&mut self, level: u32, message: Vec<u8>, line: u32) {
        self.diagnostics.push((level, message, line));
    }

    /// `self` in a closure or at file level may get a class when the code runs.
    pub fn scope_may_come_later(&self) -> bool {
        self.f.is_main || self.in_closure()
    }

    pub fn in_closure(&self) -> bool {
        self.f.is_closure
    }

    /// Starts a nested function; the enclosing one waits.
    pub fn enter_function(&mut self) {
        let state = std::mem::take(&mut self.f);
        self.f.b.line = state.b.line;
        self.outer.push(state);
    }

    /// Ends the nested function and returns its state.
    pub fn leave_function(&mut self) -> FunctionState<'a> {
        let outer = self.outer.pop().unwrap_or_default();
        std::mem::replace(&mut self.f, outer)
    }

    /// A place in the unit's table of functions, filled later.
    pub fn reserve_function(&mut self) -> u32 {
        self.functions.push(None);
        self.literals.push(Vec::new());
        (self.functions.len() - 1) as u32
    }

    pub fn proto(&self, name: &[u8], line_start: u32, line_end: u32) -> FunctionProto {
        FunctionProto {
            name: PStr::immortal(name),
            flags: if self.strict_types {
                func_flags::STRICT_TYPES
            } else {
                0
            },
            params: Vec::new(),
            required: 0,
            return_type: None,
            cvs: Vec::new(),
            first_temp: 0,
            registers: 0,
            code: Box::default(),
            literals: Box::default(),
            lines: Vec::new(),
            tries: Vec::new(),
            live: Vec::new(),
            switches: Vec::new(),
            statics: Vec::new(),
            uses: Vec::new(),
            attributes: Vec::new(),
            doc_comment: None,
            line_start,
            line_end,
        }
    }

    /// Moves the compiled state into its prototype, all but the literals, which come back.
    fn finish_state(&self, state: FunctionState<'a>, proto: &mut FunctionProto) -> Result<Vec<Const>> {
        proto.flags |= state.flags;
        proto.statics = state.statics;
        proto.uses = state.uses;
        proto.return_type = state.return_type;
        let literals = state.b.finish(proto)?;
        if writes_variadic(proto) {
            proto.flags |= func_flags::VARIADIC_WRITTEN;
        }
        Ok(literals)
    }

    /// Ends function number `number`, whose prototype its declaration goes on to use.
    pub fn finish_function(&mut self, number: u32, state: FunctionState<'a>, proto: &mut FunctionProto) -> Result<()> {
        const FUNCTION_BYTES: usize = 1024;
        self.held += state.b.memory() + FUNCTION_BYTES;
        self.literals[number as usize] = self.finish_state(state, proto)?;
        self.check_memory()
    }

    /// Compiles `expr` as a function of its own that returns its value.
    pub fn thunk(&mut self, expr: &'a Expr<'a>) -> Result<u32> {
        let number = self.reserve_function();
        let in_closure = self.f.is_closure;
        self.enter_function();
        // Where `self` is not known, it is not known in its attributes and defaults either.
        self.f.is_closure = in_closure;
        self.f.flags = func_flags::THUNK;
        self.f.in_constant = true;
        self.f.b.line = expr.line;
        let result = self.expr(expr, crate::builder::Dest::Any);
        if let Ok(value) = &result {
            let value = value.clone();
            let a = self.f.b.o(value);
            self.f.b.emit(Op::Return, a, 0, 0);
        }
        let state = self.leave_function();
        result?;
        // The value of another constant is no expression: it does not show in traces.
        let name: &[u8] = if matches!(expr.kind, ExprKind::Const(_)) { b"" } else { b"[constant expression]" };
        let mut proto = self.proto(name, expr.line, expr.line);
        self.finish_function(number, state, &mut proto)?;
        self.functions[number as usize] = Some(proto);
        Ok(number)
    }
}


/// What the parser says without refusing the program: the lexer's warnings come before what PHP finds while it compiles.
fn parser_diagnostics(program: &jumbo_syntax::ast::Program<'_>) -> Vec<(u32, Vec<u8>, u32)> {
    use jumbo_syntax::ast::DiagnosticKind::{CompileWarning, Deprecated};
    const E_COMPILE_WARNING: u32 = 128;
    const E_DEPRECATED: u32 = 8192;
    let of = |kind, level| {
        program.diagnostics.iter().filter(move |d| d.kind == kind).map(move |d| (level, d.message.to_vec(), d.line))
    };
    of(CompileWarning, E_COMPILE_WARNING).chain(of(Deprecated, E_DEPRECATED)).collect()
}

pub fn compile(program: &Program<'_>, options: &Options<'_>) -> Result<Unit> {
    let compiler = Compiler {
        options,
        namespace: Namespace::default(),
        has_bracketed_namespaces: None,
        in_namespace_block: false,
        f: FunctionState::default(),
        outer: Vec::new(),
        class: None,
        functions: Vec::new(),
        literals: Vec::new(),
        classes: Vec::new(),
        strict_types: false,
        hoisted_functions: Vec::new(),
        hoisted_classes: Vec::new(),
        class_constants: NameMap::default(),
        halt_offset: program.halt_offset.map(u64::from),
        diagnostics: parser_diagnostics(program),
        constants_folded: std::cell::Cell::new(0),
        declared_functions: NameMap::default(),
        declared_classes: NameSet::default(),
        declared_constants: NameSet::default(),
        seen_functions: NameSet::default(),
        seen_classes: NameSet::default(),
        duplicate_classes: NameSet::default(),
        nesting: 0,
        anonymous_classes: 0,
        by_name: false,
        ticks: 0,
        hook_backed: false,
        hook_type: None,
        held: 0,
    };
    compiler.program(program)
}

impl<'a> Compiler<'a, '_> {
    fn program(mut self, program: &Program<'a>) -> Result<Unit> {
        self.f.is_main = true;
        // A file's variables are the includer's: any code may reach them by name.
        self.f.flags = func_flags::MAIN | func_flags::SYMBOL_TABLE;
        self.f.b.line = 1;
        if let Err(mut e) = self.top_level(program.stmts).and_then(|()| self.finish_gotos()) {
            e.warnings = self.diagnostics;
            return Err(e);
        }
        self.f.b.line = program.end_line;
        // A file returns 1 when it does not say otherwise, eval null.
        let value = if self.options.kind == SourceKind::Eval {
            Const::Null
        } else {
            Const::Int(1)
        };
        let a = self.f.b.o(Operand::Lit(value));
        self.f.b.emit(Op::Return, a, 0, 0);
        let state = std::mem::take(&mut self.f);
        let mut main = self.proto(b"", 1, program.end_line);
        let mut main_literals = self.finish_state(state, &mut main)?;
        let mut functions = Vec::with_capacity(self.functions.len());
        for function in self.functions {
            functions.push(function.ok_or_else(unfilled)?);
        }
        let mut classes = Vec::with_capacity(self.classes.len());
        for class in self.classes {
            classes.push(class.ok_or_else(unfilled)?);
        }
        let declarations = crate::optimize::Declarations {
            classes: &classes,
            hoisted_functions: &self.hoisted_functions,
            hoisted_classes: &self.hoisted_classes,
        };
        crate::optimize::unit(&mut functions, &mut self.literals, &mut main, &mut main_literals, &declarations);
        for (proto, literals) in functions.iter_mut().zip(&self.literals).chain([(&mut main, &main_literals)]) {
            crate::specialize::specialize(proto, literals);
            proto.literals = literals.iter().map(Const::to_raw).collect();
        }
        Ok(Unit {
            runtime: std::sync::OnceLock::new(),
            life: Default::default(),
            file: PStr::immortal(self.options.file),
            main,
            functions,
            classes,
            strict_types: self.strict_types,
            hoisted_functions: self.hoisted_functions,
            hoisted_classes: self.hoisted_classes,
            halt_offset: self.halt_offset,
            diagnostics: self.diagnostics,
        })
    }
}

/// A declaration was reserved and never compiled: a defect of the compiler, reported instead of a panic.
fn unfilled() -> CompileError {
    CompileError::fatal("Internal compiler error: declaration without code", 0)
}

/// May the code write to the variable that collects a variadic function's arguments?
fn writes_variadic(proto: &FunctionProto) -> bool {
    let Some(n) = proto.params.iter().position(|p| p.variadic) else { return false };
    let register = FRAME_HEADER + n as u16;
    let is_place = |kind: Kind| matches!(kind, Kind::W | Kind::V | Kind::D | Kind::Q);
    let writes = |insn: Insn| insn.operands().iter().any(|&(kind, operand)| operand == register && is_place(kind));
    proto.flags & func_flags::SYMBOL_TABLE != 0 || insn::walk(&proto.code).any(|(_, insn)| writes(insn))
}
