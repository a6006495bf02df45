//! Lexer, AST and parser of PHP 8.4, with PHP's own syntax errors; knows nothing of values and bytecode.

#![forbid(unsafe_code)]

pub mod ast;
pub mod export;
pub mod ini;
mod lexer;
pub mod literal;
mod parser;
pub mod stack;
mod token;
mod tokenize;

pub use parser::{memory_of, parse};
pub use lexer::{LexMode, Lexer};
pub use tokenize::{Tokens, tokenize, tokenize_parsed};
pub use token::{Show, Token, TokenKind};

use bumpalo::Bump;

/// Nesting beyond this is refused, so that consumers of the tree can bound their recursion.
pub const MAX_DEPTH: u32 = 50_000;

/// What differs between files, `eval` and the tokenizer.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// The source starts in PHP mode, as in `eval`.
    pub start_in_php: bool,
    /// Line of the first byte; 0 means 1.
    pub first_line: u32,
    /// Skip a first line that starts with `#!` (the main script of the command line).
    pub skip_shebang: bool,
    /// `<?` opens PHP code (the setting `short_open_tag`).
    pub short_tags: bool,
    /// Bytes that the tree may take; None: as many as it needs.
    pub memory_max: Option<usize>,
}

/// The error that ends parsing: PHP throws it as `ParseError` with this message and line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Without the `PHP Parse error: ` prefix; PHP's own words.
    pub message: Vec<u8>,
    pub line: u32,
    pub kind: SyntaxErrorKind,
}

/// How PHP reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// A `ParseError` exception.
    Parse,
    /// A fatal compile error ("Fatal error: ..."), which cannot be caught.
    Compile,
    /// The tree would take more than [`ParseOptions::memory_max`]: these bytes.
    Memory(usize),
}

/// Names the arena in signatures.
pub type Arena = Bump;
