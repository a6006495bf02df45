//! The parser: recursive descent for statements and declarations, precedence climbing for expressions.
//!
//! PHP's own parser is generated (LALR), and its messages name up to four expected tokens, which depend on that parser's
//! states. Here each place that can fail says what PHP says there; an empty list where PHP names nothing.
//!
//! Invariant: `tok` is the one token of lookahead, and the lexer has gone no further, so the lexer's line is where PHP
//! reports an unexpected token. A failure of the lexer is the token `Error`, which fits nowhere: every path ends in
//! `unexpected`, which then returns the lexer's own error.

mod class;
mod decl;
mod expr;
mod postfix;
mod stmt;
mod strings;

use bumpalo::Bump;
use jumbo_base::Span;

use crate::ast::*;
use crate::lexer::{LexMode, Lexer};
use crate::stack::Stack;
use crate::token::{Show, Token, TokenKind as T};
use crate::{MAX_DEPTH, ParseOptions, SyntaxError, SyntaxErrorKind};

/// The error itself stands in the parser: results stay small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

pub(crate) type Res<T> = Result<T, Failed>;

/// How deep parsing may recurse. PHP's parser stack has a limit too, with this error.
const MAX_NESTING: u32 = 10_000;

pub(crate) struct Parser<'a> {
    arena: &'a Bump,
    src: &'a [u8],
    lexer: Lexer<'a>,
    tok: Token,
    /// Where the last taken token ends, and the line there.
    prev_end: u32,
    prev_line: u32,
    depth: u32,
    stack: Stack,
    /// The function being parsed contains `yield`.
    has_yield: bool,
    error: Option<SyntaxError>,
    diagnostics: Vec<Diagnostic<'a>>,
    /// Where keywords serve as names: what `token_get_all(TOKEN_PARSE)` shows as `T_STRING`.
    keyword_names: Vec<u32>,
    /// An error that counts only if there is no syntax error.
    refused: Option<SyntaxError>,
    memory_max: Option<usize>,
    /// Bytes that the lists took that functions have under construction, about.
    own_lists: usize,
    /// Offset in the source at which it is looked at next how much memory the tree takes.
    memory_look: u32,
    /// Where the first token of the argument being parsed ends, if it is a keyword: it might have been the argument's name.
    arg_keyword_end: u32,
    // Lists under construction: a list remembers where it starts and takes its tail, so that nothing is allocated twice.
    exprs: Vec<Expr<'a>>,
    stmts: Vec<Stmt<'a>>,
    args: Vec<Arg<'a>>,
    elements: Vec<ArrayElement<'a>>,
    parts: Vec<StringPart<'a>>,
}

/// So many bytes of source are parsed between two looks at the memory that the tree takes.
const MEMORY_LOOK_BYTES: u32 = 4096;

/// Bytes that are in use in an arena.
pub fn memory_of(arena: &Bump) -> usize {
    arena.allocated_bytes().saturating_sub(arena.chunk_capacity())
}

/// Parses a whole file.
pub fn parse<'a>(arena: &'a Bump, source: &'a [u8], options: ParseOptions) -> Result<Program<'a>, SyntaxError> {
    parse_with_names(arena, source, options).map(|(program, _)| program)
}

/// Parses a whole file, and says also where keywords serve as names (offsets, in order).
pub(crate) fn parse_with_names<'a>(
    arena: &'a Bump,
    source: &'a [u8],
    options: ParseOptions,
) -> Result<(Program<'a>, Vec<u32>), SyntaxError> {
    if source.len() > u32::MAX as usize / 2 {
        return Err(SyntaxError {
            message: b"File is too large".to_vec(),
            line: 1,
            kind: SyntaxErrorKind::Compile,
        });
    }
    let mut lexer = Lexer::new(source, LexMode::Parser, options.start_in_php, options.first_line);
    lexer.short_tags = options.short_tags;
    if options.skip_shebang {
        lexer.skip_shebang();
    }
    let first = lexer.line();
    let tok = lexer.next_token();
    let mut parser = Parser {
        arena,
        src: source,
        lexer,
        tok,
        prev_end: 0,
        prev_line: first,
        depth: 0,
        stack: Stack::here(),
        diagnostics: Vec::new(),
        keyword_names: Vec::new(),
        has_yield: false,
        error: None,
        refused: None,
        memory_max: options.memory_max,
        own_lists: 0,
        memory_look: if options.memory_max.is_some() { MEMORY_LOOK_BYTES } else { u32::MAX },
        arg_keyword_end: u32::MAX,
        exprs: Vec::with_capacity(64),
        stmts: Vec::with_capacity(64),
        args: Vec::with_capacity(64),
        elements: Vec::with_capacity(64),
        parts: Vec::with_capacity(16),
    };
    match parser.program() {
        Ok(program) => match parser.refused {
            None => Ok((program, parser.keyword_names)),
            Some(error) => Err(error),
        },
        Err(Failed) => Err(parser.error.take().unwrap_or_else(|| SyntaxError {
            message: b"syntax error".to_vec(),
            line: parser.lexer.line(),
            kind: SyntaxErrorKind::Parse,
        })),
    }
}

impl<'a> Parser<'a> {
    // -----------------------------------------------------------------------------------------------------------------
    // Tokens

    #[inline(always)]
    fn kind(&self) -> T {
        self.tok.kind
    }

    #[inline(always)]
    fn advance(&mut self) -> Token {
        let tok = self.tok;
        self.prev_end = tok.span.end;
        self.prev_line = self.lexer.line();
        self.tok = self.lexer.next_token();
        if self.tok.span.end >= self.memory_look {
            self.check_memory();
        }
        tok
    }

    /// A tree that takes more memory than it may is a failure of the lexer.
    #[cold]
    fn check_memory(&mut self) {
        self.memory_look = self.tok.span.end.saturating_add(MEMORY_LOOK_BYTES);
        let held = self.memory();
        if self.memory_max.is_some_and(|max| held > max) {
            let kind = SyntaxErrorKind::Memory(held);
            self.lexer.error = Some(SyntaxError { message: b"Out of memory".to_vec(), line: self.lexer.line(), kind });
            self.tok.kind = T::Error;
            self.memory_look = u32::MAX;
        }
    }

    /// Bytes that the tree takes, with the lists under construction as large as they may be when it is looked at again.
    fn memory(&self) -> usize {
        fn list<V>(list: &Vec<V>) -> usize {
            let grows = list.len() + MEMORY_LOOK_BYTES as usize > list.capacity();
            // A list that ends is copied into the arena.
            (list.capacity() * if grows { 3 } else { 1 } + list.len()) * size_of::<V>()
        }
        let lists = list(&self.exprs) + list(&self.stmts) + list(&self.args) + list(&self.elements) + list(&self.parts);
        memory_of(self.arena) + self.own_lists + lists + list(&self.diagnostics) + list(&self.keyword_names)
    }

    #[inline(always)]
    fn at(&self, kind: T) -> bool {
        self.tok.kind == kind
    }

    /// Takes the token if it is of this kind.
    #[inline(always)]
    fn eat(&mut self, kind: T) -> bool {
        if self.tok.kind == kind {
            self.advance();
            return true;
        }
        false
    }

    /// Takes a token of this kind, or fails and names `expecting` (which may be empty).
    #[inline(always)]
    fn expect_or(&mut self, kind: T, expecting: &str) -> Res<Token> {
        if self.tok.kind == kind {
            return Ok(self.advance());
        }
        Err(self.unexpected(expecting))
    }

    /// Takes a token of this kind, or fails and names it as the only one expected.
    #[inline(always)]
    fn expect(&mut self, kind: T) -> Res<Token> {
        if self.tok.kind == kind {
            return Ok(self.advance());
        }
        Err(self.unexpected_but(kind))
    }

    /// Takes a token of this kind where PHP would have gone on with an expression, and so names nothing.
    #[inline(always)]
    fn expect_quiet(&mut self, kind: T) -> Res<Token> {
        self.expect_or(kind, "")
    }

    #[inline(always)]
    fn text(&self, span: Span) -> &'a [u8] {
        span.text(self.src)
    }

    /// Takes a token and returns its text.
    #[inline(always)]
    fn take_text(&mut self) -> &'a [u8] {
        let tok = self.advance();
        self.text(tok.span)
    }

    /// The current token is a name; remembers it if it is a keyword too.
    #[inline]
    fn note_name(&mut self) {
        if self.tok.kind.is_semi_reserved() {
            self.keyword_names.push(self.tok.span.start);
        }
    }

    #[inline(always)]
    fn span_from(&self, start: u32) -> Span {
        Span::new(start, self.prev_end)
    }

    /// The doc comment that stands before this place and that no declaration has taken yet.
    fn take_doc(&mut self) -> Option<&'a [u8]> {
        let span = self.lexer.doc.take()?;
        Some(self.text(span))
    }

    #[inline(always)]
    fn alloc<V: Copy>(&self, value: V) -> &'a V {
        self.arena.alloc(value)
    }

    /// Adds to a list of the function's own: it grows by doubling, and is copied into the arena at its end.
    #[inline(always)]
    fn push<V>(&mut self, list: &mut Vec<V>, item: V) {
        self.own_lists += 4 * size_of::<V>();
        list.push(item);
    }

    #[inline(always)]
    fn slice<V: Copy>(&self, values: &[V]) -> &'a [V] {
        if values.is_empty() { &[] } else { self.arena.alloc_slice_copy(values) }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Errors

    #[cold]
    fn fail(&mut self, message: impl Into<Vec<u8>>, line: u32, kind: SyntaxErrorKind) -> Failed {
        if self.error.is_none() {
            // What the lexer met first wins.
            let error = self.lexer.error.take();
            self.error = Some(error.unwrap_or_else(|| SyntaxError { message: message.into(), line, kind }));
        }
        Failed
    }

    /// PHP's `CompileError`, raised while parsing.
    #[cold]
    fn compile_error(&mut self, message: impl Into<Vec<u8>>) -> Failed {
        let line = self.lexer.line();
        self.fail(message, line, SyntaxErrorKind::Compile)
    }

    #[cold]
    fn unexpected_but(&mut self, kind: T) -> Failed {
        let text = kind.text();
        let expecting = match kind.show() {
            Show::Token => format!("\"{text}\""),
            Show::Value | Show::Words => text.to_string(),
        };
        self.unexpected(&expecting)
    }

    /// The syntax error at the current token.
    #[cold]
    fn unexpected(&mut self, expecting: &str) -> Failed {
        let mut message = b"syntax error, unexpected ".to_vec();
        let kind = self.tok.kind;
        // A bad escape is found by PHP's lexer, so it comes first.
        if kind == T::ConstString && self.const_string(self.tok.span).is_err() {
            return Failed;
        }
        let text = self.text(self.tok.span);
        match kind.show() {
            _ if kind == T::BadCharacter => {
                message.extend(format!("character 0x{:02X}", text.first().unwrap_or(&0)).bytes());
            }
            Show::Token => message.extend(format!("token \"{}\"", kind.text()).bytes()),
            Show::Words => message.extend(kind.text().bytes()),
            Show::Value => {
                // PHP takes off the first quote (but knows no prefixes), cuts at the end of the line, then takes off the
                // last quote.
                let (words, value) = match (kind, text.first()) {
                    (T::ConstString, Some(b'\'')) => ("single-quoted string", &text[1..]),
                    (T::ConstString, Some(b'"')) => ("double-quoted string", &text[1..]),
                    (T::Encapsed, Some(b'\'')) => (kind.text(), &text[1..]),
                    _ => (kind.text(), text),
                };
                let value = value.split(|&byte| byte == b'\n').next().unwrap_or(value);
                let value = value.strip_suffix(b"\"").or(value.strip_suffix(b"'")).unwrap_or(value);
                message.extend(words.bytes());
                message.extend(b" \"");
                // PHP cuts what is longer than 30 bytes and an ellipsis.
                if value.len() > 33 {
                    message.extend(&value[..30]);
                    message.extend(b"...");
                } else {
                    message.extend(value);
                }
                message.push(b'"');
            }
        }
        let expecting = if self.argument_name_fits() { "\":\"" } else { expecting };
        if !expecting.is_empty() {
            message.extend(b", expecting ");
            message.extend(expecting.bytes());
        }
        let line = self.lexer.line();
        self.fail(message, line, SyntaxErrorKind::Parse)
    }

    /// Does the error stand right after a keyword that starts an argument? Then PHP would have liked a colon.
    #[cold]
    fn argument_name_fits(&self) -> bool {
        self.prev_end == self.arg_keyword_end
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Depth

    /// Runs `parse` one level deeper, with enough stack.
    #[inline(always)]
    fn nested<V>(&mut self, parse: impl FnOnce(&mut Self) -> Res<V>) -> Res<V> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            let line = self.lexer.line();
            return Err(self.fail("memory exhausted", line, SyntaxErrorKind::Parse));
        }
        let result = if self.stack.is_used_up() {
            Stack::grow(|stack| {
                let outer = std::mem::replace(&mut self.stack, stack);
                let result = parse(self);
                self.stack = outer;
                result
            })
        } else {
            parse(self)
        };
        self.depth -= 1;
        result
    }

    /// Bounds chains (`a + b + c`, `a->b()->c()`), which parse in a loop but make a deep tree.
    #[inline(always)]
    fn check_chain(&mut self, length: u32) -> Res<()> {
        if length > MAX_DEPTH {
            let line = self.lexer.line();
            return Err(self.fail("memory exhausted", line, SyntaxErrorKind::Parse));
        }
        Ok(())
    }
}
