//! AST to bytecode: name resolution, constant folding, code generation; knows nothing of the interpreter.
//!
//! - [`builder`]: one function's registers, literals, code, jumps and live ranges.
//! - [`unit`]: the state of one file's compilation, and functions nested in each other.
//! - [`names`]: namespaces, imports, link-table handles.
//! - [`expr`], [`operators`], [`call`], [`lvalue`], [`assign`]: expressions.
//! - [`kinds`]: what PHP's compiler makes of expressions, as far as programs see it.
//! - [`stmt`], [`loops`], [`switch`], [`try_`]: statements.
//! - [`function`], [`class`], [`property`], [`types`], [`attributes`], [`checks`]: declarations.
//! - [`konst`], [`fold`], [`constexpr`]: values known at compile time.
//! - [`optimize`]: what is known of variables, and what follows from it.
//! - [`specialize`]: the last pass, which chooses specialised instructions.
//!
//! Order of evaluation is PHP's: operands that are variables are read by the instruction that uses them, not where they
//! stand; the parts of a place (`$a[i()][j()]`) are evaluated before the place itself is fetched.
#![forbid(unsafe_code)]

mod assign;
mod attributes;
mod builder;
mod call;
mod captures;
mod checks;
mod class;
mod constexpr;
mod expr;
mod fold;
mod function;
mod kinds;
mod konst;
mod loops;
mod lvalue;
mod names;
mod operators;
mod optimize;
mod property;
mod specialize;
mod stmt;
mod switch;
mod try_;
mod types;
mod unit;

use jumbo_bytecode::unit::{Unit, World};
use jumbo_syntax::ast::Program;

/// What is being compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A file: `__FILE__` is [`Options::file`].
    File,
    /// The argument of `eval`: [`Options::file`] is PHP's `FILE(LINE) : eval()'d code`.
    Eval,
}

/// What the compiler must know besides the tree.
pub struct Options<'w> {
    /// Full path, as PHP shows it.
    pub file: &'w [u8],
    /// `__DIR__` of code whose [`file`](Self::file) names no folder: the working directory.
    pub directory: &'w [u8],
    pub world: &'w dyn World,
    pub kind: SourceKind,
    /// Compile `assert()` calls (`zend.assertions` is not -1).
    pub assertions: bool,
    /// `declare(encoding=…)` means something (`zend.multibyte`).
    pub multibyte: bool,
    /// Bytes that the code, and what the compiler holds while it makes it, may take; None: as many as they need.
    pub memory_max: Option<usize>,
}

/// The error that ends compilation: "PHP Fatal error:  MESSAGE in FILE on line N".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    pub message: Vec<u8>,
    pub line: u32,
    /// What was to be raised until then: level, message, line.
    pub warnings: Vec<(u32, Vec<u8>, u32)>,
    /// There is no such error of PHP: the code would take so many bytes, more than [`Options::memory_max`].
    pub memory: Option<usize>,
}

impl CompileError {
    fn fatal(message: impl Into<Vec<u8>>, line: u32) -> CompileError {
        CompileError { message: message.into(), line, warnings: Vec::new(), memory: None }
    }
}

type Result<T> = std::result::Result<T, CompileError>;

/// Compiles one file.
pub fn compile(program: &Program<'_>, options: &Options<'_>) -> Result<Unit> {
    unit::compile(program, options)
}
