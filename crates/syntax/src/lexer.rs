//! The lexer: bytes to PHP's tokens, one at a time.
//!
//! It follows PHP's lexical states (inline HTML, PHP, inside double quotes, backquotes and heredocs, `"$a[...]"` offsets, member
//! names after `->`), and PHP's rule that the bracket stack is checked here, so that "Unclosed '('" wins over a syntax error.
//! It never allocates per token; values (escapes, numbers) are decoded by the parser from the token's span.
//!
//! Invariants: spans are in order and inside the source; `line` is the line *after* the last token, which is where PHP
//! reports an unexpected token.

use jumbo_base::Span;
use memchr::{memchr, memchr_iter, memmem};

use crate::token::{Token, TokenKind, keyword};
use crate::{SyntaxError, SyntaxErrorKind};

const IDENT_START: u8 = 1;
const IDENT: u8 = 2;
const SPACE: u8 = 4;
const DIGIT: u8 = 8;
const HEX: u8 = 16;

/// Classes of bytes, several bits each.
static CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut b = 0usize;
    while b < 256 {
        let c = b as u8;
        let mut class = 0;
        if c.is_ascii_alphabetic() || c == b'_' || c >= 0x80 {
            class |= IDENT_START | IDENT;
        }
        if c.is_ascii_digit() {
            class |= IDENT | DIGIT | HEX;
        }
        if c.is_ascii_hexdigit() {
            class |= HEX;
        }
        if c == b' ' || c == b'\t' || c == b'\n' || c == b'\r' {
            class |= SPACE;
        }
        table[b] = class;
        b += 1;
    }
    table
};

/// May `byte` start an identifier?
#[inline(always)]
pub fn is_ident_start(byte: u8) -> bool {
    CLASS[byte as usize] & IDENT_START != 0
}

/// May `byte` continue an identifier?
#[inline(always)]
pub fn is_ident(byte: u8) -> bool {
    CLASS[byte as usize] & IDENT != 0
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Html,
    Php,
    DoubleQuotes,
    Backquote,
    Heredoc,
    Nowdoc,
    /// Inside the brackets of `"$a[...]"`.
    VarOffset,
    /// After `->`.
    Property,
    /// After `"${`.
    VarName,
}

/// What the lexer hands out and checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LexMode {
    /// Only what the parser needs; `?>` is `;`, `<?=` is `echo`; errors end it.
    Parser,
    /// Everything, white space and comments included, nothing is an error: `token_get_all()`.
    Tokenizer,
    /// Everything, but with the parser's errors: for `token_get_all(TOKEN_PARSE)`.
    TokenizerStrict,
}

pub struct Lexer<'s> {
    src: &'s [u8],
    pos: usize,
    line: u32,
    mode: Mode,
    lex_mode: LexMode,
    modes: Vec<Mode>,
    brackets: Vec<(u8, u32)>,
    heredocs: Vec<Span>,
    /// The heredoc's text starts here: its closing label may follow at once.
    heredoc_start: bool,
    /// `?>` swallowed a newline, which PHP counts only with the next token.
    pending_newline: bool,
    /// Some `\r` stands alone and counts as a newline.
    lone_cr: bool,
    /// The last doc comment that no declaration has taken.
    pub doc: Option<Span>,
    pub error: Option<SyntaxError>,
}

impl<'s> Lexer<'s> {
    pub fn new(src: &'s [u8], lex_mode: LexMode, start_in_php: bool, first_line: u32) -> Self {
        let lone_cr = memchr_iter(b'\r', src).any(|at| src.get(at + 1) != Some(&b'\n'));
        Lexer {
            src,
            pos: 0,
            line: first_line.max(1),
            mode: if start_in_php { Mode::Php } else { Mode::Html },
            lex_mode,
            modes: Vec::new(),
            brackets: Vec::new(),
            heredocs: Vec::new(),
            heredoc_start: false,
            pending_newline: false,
            lone_cr,
            doc: None,
            error: None,
        }
    }

    /// Skips a first line that starts with `#!`. Call before the first token.
    pub fn skip_shebang(&mut self) {
        if self.src.starts_with(b"#!") {
            let end = memchr(b'\n', self.src).map_or(self.src.len(), |at| at + 1);
            self.pos = end;
            self.line += 1;
        }
    }

    /// Skips the rest of the source: nothing behind `__halt_compiler();` is PHP.
    pub fn stop(&mut self) {
        self.pos = self.src.len();
    }

    /// The line after the last token.
    #[inline(always)]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Offset of the first byte that no token has taken.
    pub fn offset(&self) -> usize {
        self.pos
    }

    #[inline(always)]
    fn at(&self, pos: usize) -> u8 {
        match self.src.get(pos) {
            Some(&byte) => byte,
            None => 0,
        }
    }

    #[inline(always)]
    fn token(&self, kind: TokenKind, start: usize, line: u32) -> Token {
        Token { kind, span: Span::new(start as u32, self.pos as u32), line }
    }

    #[inline(always)]
    fn take(&mut self, kind: TokenKind, len: usize) -> Token {
        let start = self.pos;
        self.pos += len;
        self.token(kind, start, self.line)
    }

    /// Adds the newlines of `from..to`.
    fn count_lines(&mut self, from: usize, to: usize) {
        self.line += self.newlines(from, to);
    }

    fn newlines(&self, from: usize, to: usize) -> u32 {
        let Some(text) = self.src.get(from..to) else { return 0 };
        let mut count = memchr_iter(b'\n', text).count();
        if self.lone_cr {
            count += memchr_iter(b'\r', text).filter(|at| self.at(from + at + 1) != b'\n').count();
        }
        count as u32
    }

    fn strict(&self) -> bool {
        self.lex_mode != LexMode::Tokenizer
    }

    /// Ends the stream with an error at the current line.
    #[cold]
    fn fail(&mut self, message: impl Into<Vec<u8>>) -> Token {
        if self.error.is_none() {
            self.error = Some(SyntaxError { message: message.into(), line: self.line, kind: SyntaxErrorKind::Parse });
        }
        self.token(TokenKind::Error, self.pos, self.line)
    }

    fn push_mode(&mut self, mode: Mode) {
        self.modes.push(self.mode);
        self.mode = mode;
    }

    fn pop_mode(&mut self) {
        if let Some(mode) = self.modes.pop() {
            self.mode = mode;
        }
    }

    #[inline(always)]
    fn open_bracket(&mut self, bracket: u8) {
        self.brackets.push((bracket, self.line));
    }

    /// The token of a closing bracket, or the error if it does not match.
    #[inline]
    fn close_bracket(&mut self, kind: TokenKind, bracket: u8) -> Token {
        let open = self.brackets.pop();
        if self.strict() {
            let Some((open, line)) = open else {
                return self.fail(format!("Unmatched '{}'", bracket as char));
            };
            let fits = matches!((open, bracket), (b'{', b'}') | (b'[', b']') | (b'(', b')'));
            if !fits {
                let place = if line != self.line { format!(" on line {line}") } else { String::new() };
                return self.fail(format!(
                    "Unclosed '{}'{place} does not match '{}'",
                    open as char, bracket as char
                ));
            }
        }
        self.take(kind, 1)
    }

    fn end(&mut self) -> Token {
        if self.strict()
            && let Some(&(open, line)) = self.brackets.last()
        {
            let place = if line != self.line { format!(" on line {line}") } else { String::new() };
            return self.fail(format!("Unclosed '{}'{place}", open as char));
        }
        self.token(TokenKind::End, self.pos, self.line)
    }

    /// The next token. After `End` or `Error` it returns the same again.
    #[inline]
    pub fn next_token(&mut self) -> Token {
        if self.pending_newline {
            self.pending_newline = false;
            self.line += 1;
        }
        loop {
            if self.pos >= self.src.len() {
                return self.end();
            }
            let token = match self.mode {
                Mode::Php => self.php(),
                Mode::Html => self.html(),
                Mode::DoubleQuotes | Mode::Backquote => self.quoted(),
                Mode::Heredoc => self.heredoc(),
                Mode::Nowdoc => self.nowdoc(),
                Mode::VarOffset => Some(self.var_offset()),
                Mode::Property => self.property(),
                Mode::VarName => self.var_name(),
            };
            if let Some(token) = token {
                return token;
            }
        }
    }

    /// A token that the parser never sees: `None` in its mode.
    #[inline]
    fn trivia(&self, kind: TokenKind, start: usize, line: u32) -> Option<Token> {
        (self.lex_mode != LexMode::Parser).then(|| self.token(kind, start, line))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Inline HTML

    /// Length of the opening tag at `pos` (with the white space it swallows) and its kind.
    fn open_tag(&self, pos: usize) -> Option<(usize, TokenKind)> {
        let rest = self.src.get(pos..)?;
        if rest.starts_with(b"<?=") {
            return Some((3, TokenKind::OpenTagWithEcho));
        }
        if !rest.get(..5)?.eq_ignore_ascii_case(b"<?php") {
            return None;
        }
        match rest.get(5) {
            None => Some((5, TokenKind::OpenTag)),
            Some(b' ' | b'\t' | b'\n') => Some((6, TokenKind::OpenTag)),
            Some(b'\r') if rest.get(6) == Some(&b'\n') => Some((7, TokenKind::OpenTag)),
            Some(b'\r') => Some((6, TokenKind::OpenTag)),
            Some(_) => None,
        }
    }

    fn html(&mut self) -> Option<Token> {
        let (start, line) = (self.pos, self.line);
        if let Some((len, kind)) = self.open_tag(start) {
            self.pos += len;
            self.count_lines(start, self.pos);
            self.mode = Mode::Php;
            if kind == TokenKind::OpenTagWithEcho && self.lex_mode == LexMode::Parser {
                return Some(self.token(TokenKind::Echo, start, line));
            }
            return self.trivia(kind, start, line);
        }
        let mut from = start;
        let end = loop {
            let Some(at) = self.src.get(from..).and_then(|rest| memmem::find(rest, b"<?")) else { break self.src.len() };
            if self.open_tag(from + at).is_some() {
                break from + at;
            }
            from += at + 2;
        };
        self.pos = end;
        self.count_lines(start, end);
        Some(self.token(TokenKind::InlineHtml, start, line))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // PHP

    /// The position after white space and comments from `pos` on. Comments are not checked to be closed.
    fn skip_trivia(&self, mut pos: usize) -> usize {
        loop {
            match self.at(pos) {
                b' ' | b'\t' | b'\n' | b'\r' => pos += 1,
                b'#' if self.at(pos + 1) != b'[' => pos = self.line_comment_end(pos),
                b'/' if self.at(pos + 1) == b'/' => pos = self.line_comment_end(pos),
                b'/' if self.at(pos + 1) == b'*' => {
                    let Some(end) = self.src.get(pos + 2..).and_then(|rest| memmem::find(rest, b"*/")) else { return pos };
                    pos += end + 4;
                }
                _ => return pos,
            }
        }
    }

    /// The byte that follows the last token after white space and comments, and the one after it.
    pub fn peek_bytes(&self) -> (u8, u8) {
        let pos = self.skip_trivia(self.pos);
        (self.at(pos), self.at(pos + 1))
    }

    /// Where a `//` or `#` comment ends: before the newline or `?>`.
    fn line_comment_end(&self, mut pos: usize) -> usize {
        while let Some(rest) = self.src.get(pos..) {
            let Some(at) = memchr::memchr3(b'\n', b'\r', b'?', rest) else { break };
            pos += at;
            if self.src[pos] != b'?' || self.at(pos + 1) == b'>' {
                return pos;
            }
            pos += 1;
        }
        self.src.len()
    }

    #[inline]
    fn php(&mut self) -> Option<Token> {
        use TokenKind as T;
        let start = self.pos;
        let byte = self.src[start];
        let class = CLASS[byte as usize];
        if class & SPACE != 0 {
            return self.whitespace();
        }
        if class & IDENT_START != 0 {
            return Some(self.word());
        }
        if class & DIGIT != 0 {
            return Some(self.number());
        }
        let next = self.at(start + 1);
        let third = self.at(start + 2);
        Some(match byte {
            b'$' => {
                if is_ident_start(next) {
                    self.variable()
                } else {
                    self.take(T::Dollar, 1)
                }
            }
            b'\'' => self.single_quoted(0),
            b'"' => self.double_quoted(0),
            b'`' => {
                self.mode = Mode::Backquote;
                self.take(T::Backquote, 1)
            }
            b';' => self.take(T::Semicolon, 1),
            b',' => self.take(T::Comma, 1),
            b'(' => return Some(self.open_paren()),
            b')' => self.close_bracket(T::CloseParen, b')'),
            b'[' => {
                self.open_bracket(b'[');
                self.take(T::OpenBracket, 1)
            }
            b']' => self.close_bracket(T::CloseBracket, b']'),
            b'{' => {
                self.push_mode(Mode::Php);
                self.open_bracket(b'{');
                self.take(T::OpenBrace, 1)
            }
            b'}' => {
                self.doc = None;
                let token = self.close_bracket(T::CloseBrace, b'}');
                self.pop_mode();
                token
            }
            b'-' => match next {
                b'>' => {
                    self.push_mode(Mode::Property);
                    self.take(T::ObjectOperator, 2)
                }
                b'-' => self.take(T::Dec, 2),
                b'=' => self.take(T::MinusEqual, 2),
                _ => self.take(T::Minus, 1),
            },
            b'=' => match (next, third) {
                (b'=', b'=') => self.take(T::IsIdentical, 3),
                (b'=', _) => self.take(T::IsEqual, 2),
                (b'>', _) => self.take(T::DoubleArrow, 2),
                _ => self.take(T::Assign, 1),
            },
            b'.' => match (next, third) {
                (b'.', b'.') => self.take(T::Ellipsis, 3),
                (b'=', _) => self.take(T::ConcatEqual, 2),
                (b'0'..=b'9', _) => self.number(),
                _ => self.take(T::Dot, 1),
            },
            b':' => match next {
                b':' => self.take(T::PaamayimNekudotayim, 2),
                _ => self.take(T::Colon, 1),
            },
            b'/' => match next {
                b'/' => return self.line_comment(),
                b'*' => return self.block_comment(),
                b'=' => self.take(T::DivEqual, 2),
                _ => self.take(T::Slash, 1),
            },
            b'#' => match next {
                b'[' => {
                    self.open_bracket(b'[');
                    self.take(T::Attribute, 2)
                }
                _ => return self.line_comment(),
            },
            b'?' => match (next, third) {
                (b'>', _) => return Some(self.close_tag()),
                (b'-', b'>') => {
                    self.push_mode(Mode::Property);
                    self.take(T::NullsafeObjectOperator, 3)
                }
                (b'?', b'=') => self.take(T::CoalesceEqual, 3),
                (b'?', _) => self.take(T::Coalesce, 2),
                _ => self.take(T::Question, 1),
            },
            b'!' => match (next, third) {
                (b'=', b'=') => self.take(T::IsNotIdentical, 3),
                (b'=', _) => self.take(T::IsNotEqual, 2),
                _ => self.take(T::Not, 1),
            },
            b'&' => match next {
                b'&' => self.take(T::BooleanAnd, 2),
                b'=' => self.take(T::AndEqual, 2),
                _ => {
                    let after = self.skip_trivia(start + 1);
                    let kind = if self.at(after) == b'$'
                        || self.src.get(after..after + 3).is_some_and(|text| text == b"...")
                    {
                        T::AmpVar
                    } else {
                        T::Amp
                    };
                    self.take(kind, 1)
                }
            },
            b'|' => match next {
                b'|' => self.take(T::BooleanOr, 2),
                b'=' => self.take(T::OrEqual, 2),
                _ => self.take(T::Pipe, 1),
            },
            b'+' => match next {
                b'+' => self.take(T::Inc, 2),
                b'=' => self.take(T::PlusEqual, 2),
                _ => self.take(T::Plus, 1),
            },
            b'*' => match (next, third) {
                (b'*', b'=') => self.take(T::PowEqual, 3),
                (b'*', _) => self.take(T::Pow, 2),
                (b'=', _) => self.take(T::MulEqual, 2),
                _ => self.take(T::Star, 1),
            },
            b'<' => match (next, third) {
                (b'=', b'>') => self.take(T::Spaceship, 3),
                (b'=', _) => self.take(T::IsSmallerOrEqual, 2),
                (b'>', _) => self.take(T::IsNotEqual, 2),
                (b'<', b'=') => self.take(T::SlEqual, 3),
                (b'<', b'<') => match self.heredoc_label(start) {
                    Some(token) => token,
                    None => self.take(T::Sl, 2),
                },
                (b'<', _) => self.take(T::Sl, 2),
                _ => self.take(T::Less, 1),
            },
            b'>' => match (next, third) {
                (b'>', b'=') => self.take(T::SrEqual, 3),
                (b'>', _) => self.take(T::Sr, 2),
                (b'=', _) => self.take(T::IsGreaterOrEqual, 2),
                _ => self.take(T::Greater, 1),
            },
            b'%' => match next {
                b'=' => self.take(T::ModEqual, 2),
                _ => self.take(T::Percent, 1),
            },
            b'^' => match next {
                b'=' => self.take(T::XorEqual, 2),
                _ => self.take(T::Caret, 1),
            },
            b'~' => self.take(T::Tilde, 1),
            b'@' => self.take(T::At, 1),
            b'\\' => {
                if is_ident_start(next) {
                    self.pos += 1;
                    self.name_tail(start + 1);
                    self.token(T::NameFq, start, self.line)
                } else {
                    self.take(T::NsSeparator, 1)
                }
            }
            _ => return Some(self.take(T::BadCharacter, 1)),
        })
    }

    #[inline]
    fn whitespace(&mut self) -> Option<Token> {
        let (start, line) = (self.pos, self.line);
        let mut pos = start;
        let mut newlines = 0;
        while let Some(&byte) = self.src.get(pos) {
            if CLASS[byte as usize] & SPACE == 0 {
                break;
            }
            newlines += (byte == b'\n') as u32;
            pos += 1;
        }
        self.pos = pos;
        self.line += if self.lone_cr { self.newlines(start, pos) } else { newlines };
        self.trivia(TokenKind::Whitespace, start, line)
    }

    fn line_comment(&mut self) -> Option<Token> {
        let (start, line) = (self.pos, self.line);
        self.pos = self.line_comment_end(start);
        self.trivia(TokenKind::Comment, start, line)
    }

    fn block_comment(&mut self) -> Option<Token> {
        let (start, line) = (self.pos, self.line);
        let is_doc = self.at(start + 2) == b'*' && CLASS[self.at(start + 3) as usize] & SPACE != 0;
        let from = if is_doc { start + 3 } else { start + 2 };
        match self.src.get(from..).and_then(|rest| memmem::find(rest, b"*/")) {
            Some(at) => self.pos = from + at + 2,
            None => {
                self.pos = self.src.len();
                if self.strict() {
                    let token = self.fail(format!("Unterminated comment starting line {line}"));
                    return Some(token);
                }
                let kind = if is_doc { TokenKind::DocComment } else { TokenKind::Comment };
                return self.trivia(kind, start, line);
            }
        }
        self.count_lines(start, self.pos);
        if is_doc {
            self.doc = Some(Span::new(start as u32, self.pos as u32));
            return self.trivia(TokenKind::DocComment, start, line);
        }
        self.trivia(TokenKind::Comment, start, line)
    }

    fn close_tag(&mut self) -> Token {
        let start = self.pos;
        self.pos += 2;
        match (self.at(self.pos), self.at(self.pos + 1)) {
            (b'\n', _) => {
                self.pos += 1;
                self.pending_newline = true;
            }
            (b'\r', b'\n') => {
                self.pos += 2;
                self.pending_newline = true;
            }
            (b'\r', _) => {
                self.pos += 1;
                self.pending_newline = true;
            }
            _ => {}
        }
        self.mode = Mode::Html;
        let kind = if self.lex_mode == LexMode::Parser { TokenKind::Semicolon } else { TokenKind::CloseTag };
        self.token(kind, start, self.line)
    }

    #[inline(always)]
    fn ident_end(&self, mut pos: usize) -> usize {
        while let Some(&byte) = self.src.get(pos) {
            if !is_ident(byte) {
                break;
            }
            pos += 1;
        }
        pos
    }

    /// Takes `label(\label)*` from `pos` on; says whether there was a separator.
    #[inline(always)]
    fn name_tail(&mut self, pos: usize) -> bool {
        self.pos = self.ident_end(pos);
        let mut qualified = false;
        while self.at(self.pos) == b'\\' && is_ident_start(self.at(self.pos + 1)) {
            qualified = true;
            self.pos = self.ident_end(self.pos + 1);
        }
        qualified
    }

    #[inline(always)]
    fn variable(&mut self) -> Token {
        let start = self.pos;
        self.pos = self.ident_end(start + 1);
        self.token(TokenKind::Variable, start, self.line)
    }

    #[inline]
    fn word(&mut self) -> Token {
        use TokenKind as T;
        let (start, line) = (self.pos, self.line);
        if self.name_tail(start) {
            let relative = self.src.get(start..start + 10).is_some_and(|text| text.eq_ignore_ascii_case(b"namespace\\"));
            return self.token(if relative { T::NameRelative } else { T::NameQualified }, start, line);
        }
        let word = &self.src[start..self.pos];
        if word.len() == 1 && matches!(word[0], b'b' | b'B') {
            match self.at(self.pos) {
                b'\'' => {
                    self.pos = start;
                    return self.single_quoted(1);
                }
                b'"' => {
                    self.pos = start;
                    return self.double_quoted(1);
                }
                b'<' if self.src.get(self.pos..self.pos + 3).is_some_and(|text| text == b"<<<") => {
                    if let Some(token) = self.heredoc_label(start) {
                        return token;
                    }
                }
                _ => {}
            }
        }
        let Some(kind) = keyword(word) else { return self.token(T::Ident, start, line) };
        match kind {
            T::Yield => {
                let after = self.skip_trivia(self.pos);
                if after > self.pos
                    && self.src.get(after..after + 4).is_some_and(|text| text.eq_ignore_ascii_case(b"from"))
                    && !is_ident(self.at(after + 4))
                {
                    let from = self.pos;
                    self.pos = after + 4;
                    self.count_lines(from, self.pos);
                    return self.token(T::YieldFrom, start, line);
                }
            }
            T::Enum => {
                let after = self.skip_trivia(self.pos);
                if after == self.pos || !is_ident_start(self.at(after)) {
                    return self.token(T::Ident, start, line);
                }
                // A prefix is enough for PHP: no enum can be called `extendsFoo`.
                let starts = |word: &[u8]| {
                    self.src.get(after..after + word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word))
                };
                if starts(b"extends") || starts(b"implements") {
                    return self.token(T::Ident, start, line);
                }
            }
            T::Public | T::Protected | T::Private => {
                if self.src.get(self.pos..self.pos + 5).is_some_and(|text| text.eq_ignore_ascii_case(b"(set)")) {
                    self.pos += 5;
                    let kind = match kind {
                        T::Public => T::PublicSet,
                        T::Protected => T::ProtectedSet,
                        _ => T::PrivateSet,
                    };
                    return self.token(kind, start, line);
                }
            }
            _ => {}
        }
        self.token(kind, start, line)
    }

    fn open_paren(&mut self) -> Token {
        let start = self.pos;
        let mut pos = start + 1;
        while matches!(self.at(pos), b' ' | b'\t') {
            pos += 1;
        }
        if self.at(pos).is_ascii_alphabetic() {
            let word_start = pos;
            while self.at(pos).is_ascii_alphabetic() {
                pos += 1;
            }
            let word = &self.src[word_start..pos];
            if word.len() <= 7 {
                while matches!(self.at(pos), b' ' | b'\t') {
                    pos += 1;
                }
                if self.at(pos) == b')'
                    && let Some(kind) = cast(word)
                {
                    if self.strict() && word.eq_ignore_ascii_case(b"real") {
                        return self.fail("The (real) cast has been removed, use (float) instead");
                    }
                    return self.take(kind, pos + 1 - start);
                }
            }
        }
        self.open_bracket(b'(');
        self.take(TokenKind::OpenParen, 1)
    }

    /// Digits with single underscores between them: where they end.
    fn digits(&self, mut pos: usize, class: u8, allowed: impl Fn(u8) -> bool) -> usize {
        let digit = |byte: u8| CLASS[byte as usize] & class != 0 && allowed(byte);
        if !digit(self.at(pos)) {
            return pos;
        }
        pos += 1;
        loop {
            if digit(self.at(pos)) {
                pos += 1;
            } else if self.at(pos) == b'_' && digit(self.at(pos + 1)) {
                pos += 2;
            } else {
                return pos;
            }
        }
    }

    fn number(&mut self) -> Token {
        use TokenKind as T;
        let start = self.pos;
        let first = self.src[start];
        let decimal = |pos| self.digits(pos, DIGIT, |_| true);
        if first == b'0' {
            let end = match self.at(start + 1) | 0x20 {
                b'x' => self.digits(start + 2, HEX, |_| true),
                b'b' => self.digits(start + 2, DIGIT, |byte| byte <= b'1'),
                b'o' => self.digits(start + 2, DIGIT, |byte| byte <= b'7'),
                _ => start,
            };
            if end > start + 2 {
                self.pos = end;
                return self.token(T::LNumber, start, self.line);
            }
        }
        let mut pos = decimal(start);
        let mut float = false;
        if self.at(pos) == b'.' {
            let fraction = decimal(pos + 1);
            if fraction > pos + 1 || pos > start {
                float = true;
                pos = fraction;
            }
        }
        if self.at(pos) | 0x20 == b'e' {
            let sign = matches!(self.at(pos + 1), b'+' | b'-') as usize;
            let exponent = decimal(pos + 1 + sign);
            if exponent > pos + 1 + sign {
                float = true;
                pos = exponent;
            }
        }
        if !float && first == b'0' && self.strict() && self.src[start..pos].iter().any(|&byte| matches!(byte, b'8' | b'9')) {
            return self.fail("Invalid numeric literal");
        }
        self.pos = pos;
        self.token(if float { T::DNumber } else { T::LNumber }, start, self.line)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Strings

    /// `'...'`, with a prefix `b` of length `prefix`.
    fn single_quoted(&mut self, prefix: usize) -> Token {
        let (start, line) = (self.pos, self.line);
        let mut pos = start + prefix + 1;
        let kind = loop {
            let Some(at) = self.src.get(pos..).and_then(|rest| memchr::memchr2(b'\'', b'\\', rest)) else {
                pos = self.src.len();
                break TokenKind::Encapsed;
            };
            pos += at;
            if self.src[pos] == b'\'' {
                pos += 1;
                break TokenKind::ConstString;
            }
            pos += 2;
        };
        self.pos = pos.min(self.src.len());
        if kind == TokenKind::ConstString {
            // PHP does not count the lines of a string that has no end.
            self.count_lines(start, self.pos);
        }
        self.token(kind, start, line)
    }

    /// `"..."` without interpolation as one token, otherwise only its first quote.
    fn double_quoted(&mut self, prefix: usize) -> Token {
        let (start, line) = (self.pos, self.line);
        let mut pos = start + prefix + 1;
        while let Some(&byte) = self.src.get(pos) {
            match byte {
                b'"' => {
                    self.pos = pos + 1;
                    self.count_lines(start, self.pos);
                    return self.token(TokenKind::ConstString, start, line);
                }
                b'\\' => pos += 2,
                b'$' if is_ident_start(self.at(pos + 1)) || self.at(pos + 1) == b'{' => break,
                b'{' if self.at(pos + 1) == b'$' => break,
                _ => pos += 1,
            }
        }
        self.mode = Mode::DoubleQuotes;
        self.take(TokenKind::DoubleQuote, prefix + 1)
    }

    /// What may start at a `$` or `{` inside a string; `None` if it is text.
    fn interpolation(&mut self) -> Option<Token> {
        let start = self.pos;
        let next = self.at(start + 1);
        match self.src[start] {
            b'$' if is_ident_start(next) => {
                let token = self.variable();
                let rest = self.src.get(self.pos..).unwrap_or(b"");
                if rest.first() == Some(&b'[') {
                    self.push_mode(Mode::VarOffset);
                } else if (rest.starts_with(b"->") && rest.get(2).is_some_and(|&byte| is_ident_start(byte)))
                    || (rest.starts_with(b"?->") && rest.get(3).is_some_and(|&byte| is_ident_start(byte)))
                {
                    self.push_mode(Mode::Property);
                }
                Some(token)
            }
            b'$' if next == b'{' => {
                self.push_mode(Mode::VarName);
                self.open_bracket(b'{');
                Some(self.take(TokenKind::DollarOpenCurly, 2))
            }
            b'{' if next == b'$' => {
                self.push_mode(Mode::Php);
                self.open_bracket(b'{');
                Some(self.take(TokenKind::CurlyOpen, 1))
            }
            _ => None,
        }
    }

    fn quoted(&mut self) -> Option<Token> {
        let (start, line) = (self.pos, self.line);
        let quote = if self.mode == Mode::DoubleQuotes { b'"' } else { b'`' };
        if self.src[start] == quote {
            self.mode = Mode::Php;
            return Some(self.take(if quote == b'"' { TokenKind::DoubleQuote } else { TokenKind::Backquote }, 1));
        }
        if let Some(token) = self.interpolation() {
            return Some(token);
        }
        let mut pos = start;
        while let Some(&byte) = self.src.get(pos) {
            match byte {
                _ if byte == quote => break,
                b'\\' => pos += 2,
                b'$' if is_ident_start(self.at(pos + 1)) || self.at(pos + 1) == b'{' => break,
                b'{' if self.at(pos + 1) == b'$' => break,
                _ => pos += 1,
            }
        }
        self.pos = pos.min(self.src.len());
        self.count_lines(start, self.pos);
        Some(self.token(TokenKind::Encapsed, start, line))
    }

    /// `<<<LABEL` and its newline, from `start` (which may be at a `b`), or `None`.
    fn heredoc_label(&mut self, start: usize) -> Option<Token> {
        let mut pos = start + 3 + (self.src[start] != b'<') as usize;
        while matches!(self.at(pos), b' ' | b'\t') {
            pos += 1;
        }
        let quote = self.at(pos);
        let quoted = matches!(quote, b'\'' | b'"');
        pos += quoted as usize;
        if !is_ident_start(self.at(pos)) {
            return None;
        }
        let label = Span::new(pos as u32, self.ident_end(pos) as u32);
        pos = label.end as usize;
        if quoted {
            if self.at(pos) != quote {
                return None;
            }
            pos += 1;
        }
        match (self.at(pos), self.at(pos + 1)) {
            (b'\n', _) => pos += 1,
            (b'\r', b'\n') => pos += 2,
            (b'\r', _) => pos += 1,
            _ => return None,
        }
        let line = self.line;
        self.pos = pos;
        self.line += 1;
        self.mode = if quote == b'\'' { Mode::Nowdoc } else { Mode::Heredoc };
        self.heredocs.push(label);
        self.heredoc_start = true;
        Some(self.token(TokenKind::StartHeredoc, start, line))
    }

    /// Is the closing label of the innermost heredoc at the start of a line at `pos`? Where it ends.
    fn heredoc_end_at(&self, pos: usize) -> Option<usize> {
        let label = self.heredocs.last()?.text(self.src);
        let mut at = pos;
        while matches!(self.at(at), b' ' | b'\t') {
            at += 1;
        }
        let end = at + label.len();
        (self.src.get(at..end)? == label && !is_ident(self.at(end))).then_some(end)
    }

    /// The end token, if the closing label starts the text.
    fn heredoc_end(&mut self) -> Option<Token> {
        let start = self.pos;
        let end = self.heredoc_end_at(start)?;
        self.pos = end;
        self.heredocs.pop();
        self.mode = Mode::Php;
        self.heredoc_start = false;
        Some(self.token(TokenKind::EndHeredoc, start, self.line))
    }

    fn heredoc(&mut self) -> Option<Token> {
        let (start, line) = (self.pos, self.line);
        if (self.heredoc_start || matches!(self.src.get(start.wrapping_sub(1)), Some(b'\n' | b'\r')))
            && let Some(token) = self.heredoc_end()
        {
            return Some(token);
        }
        self.heredoc_start = false;
        if let Some(token) = self.interpolation() {
            return Some(token);
        }
        let mut pos = start;
        while let Some(&byte) = self.src.get(pos) {
            match byte {
                b'\n' | b'\r' => {
                    pos += 1 + (byte == b'\r' && self.at(pos + 1) == b'\n') as usize;
                    if self.heredoc_end_at(pos).is_some() {
                        break;
                    }
                }
                b'\\' if !matches!(self.at(pos + 1), b'\n' | b'\r') => pos += 2,
                b'$' if is_ident_start(self.at(pos + 1)) || self.at(pos + 1) == b'{' => break,
                b'{' if self.at(pos + 1) == b'$' => break,
                _ => pos += 1,
            }
        }
        self.pos = pos.min(self.src.len());
        self.count_lines(start, self.pos);
        Some(self.token(TokenKind::Encapsed, start, line))
    }

    fn nowdoc(&mut self) -> Option<Token> {
        let (start, line) = (self.pos, self.line);
        if let Some(token) = self.heredoc_end() {
            return Some(token);
        }
        let mut pos = start;
        loop {
            let Some(at) = self.src.get(pos..).and_then(|rest| memchr::memchr2(b'\n', b'\r', rest)) else {
                pos = self.src.len();
                break;
            };
            pos += at + 1;
            if self.src[pos - 1] == b'\r' && self.at(pos) == b'\n' {
                pos += 1;
            }
            if self.heredoc_end_at(pos).is_some() {
                break;
            }
        }
        self.pos = pos;
        self.count_lines(start, pos);
        Some(self.token(TokenKind::Encapsed, start, line))
    }

    fn var_offset(&mut self) -> Token {
        use TokenKind as T;
        let start = self.pos;
        let byte = self.src[start];
        if byte.is_ascii_digit() {
            let end = match (byte, self.at(start + 1) | 0x20) {
                (b'0', b'x') => self.digits(start + 2, HEX, |_| true),
                (b'0', b'b') => self.digits(start + 2, DIGIT, |byte| byte <= b'1'),
                (b'0', b'o') => self.digits(start + 2, DIGIT, |byte| byte <= b'7'),
                _ => start,
            };
            self.pos = if end > start + 2 { end } else { self.digits(start, DIGIT, |_| true) };
            return self.token(T::NumString, start, self.line);
        }
        if is_ident_start(byte) {
            self.pos = self.ident_end(start);
            return self.token(T::Ident, start, self.line);
        }
        let kind = match byte {
            b'$' if is_ident_start(self.at(start + 1)) => return self.variable(),
            b']' => {
                self.pop_mode();
                T::CloseBracket
            }
            b' ' | b'\t' | b'\n' | b'\r' | b'\\' | b'\'' | b'#' => {
                // PHP's own trick for a better message: an empty string content.
                self.pop_mode();
                return self.token(T::Encapsed, start, self.line);
            }
            b'[' => T::OpenBracket,
            b'(' => T::OpenParen,
            b')' => T::CloseParen,
            b'{' => T::OpenBrace,
            b'}' => T::CloseBrace,
            b'"' => T::DoubleQuote,
            b'`' => T::Backquote,
            b';' => T::Semicolon,
            b':' => T::Colon,
            b',' => T::Comma,
            b'.' => T::Dot,
            b'|' => T::Pipe,
            b'^' => T::Caret,
            b'&' => T::Ampersand,
            b'+' => T::Plus,
            b'-' => T::Minus,
            b'/' => T::Slash,
            b'*' => T::Star,
            b'=' => T::Assign,
            b'%' => T::Percent,
            b'!' => T::Not,
            b'~' => T::Tilde,
            b'$' => T::Dollar,
            b'<' => T::Less,
            b'>' => T::Greater,
            b'?' => T::Question,
            b'@' => T::At,
            _ => T::BadCharacter,
        };
        self.take(kind, 1)
    }

    fn property(&mut self) -> Option<Token> {
        let start = self.pos;
        let byte = self.src[start];
        if is_ident_start(byte) {
            self.pos = self.ident_end(start);
            self.pop_mode();
            return Some(self.token(TokenKind::Ident, start, self.line));
        }
        match (byte, self.at(start + 1), self.at(start + 2)) {
            (b' ' | b'\t' | b'\n' | b'\r', _, _) => self.whitespace(),
            // Here `#[` is a comment too.
            (b'#', _, _) => self.line_comment(),
            (b'/', b'/', _) => self.line_comment(),
            (b'/', b'*', _) => self.block_comment(),
            (b'-', b'>', _) => Some(self.take(TokenKind::ObjectOperator, 2)),
            (b'?', b'-', b'>') => Some(self.take(TokenKind::NullsafeObjectOperator, 3)),
            _ => {
                self.pop_mode();
                None
            }
        }
    }

    fn var_name(&mut self) -> Option<Token> {
        let start = self.pos;
        self.mode = Mode::Php;
        if is_ident_start(self.src[start]) {
            let end = self.ident_end(start);
            if matches!(self.at(end), b'[' | b'}') {
                self.pos = end;
                return Some(self.token(TokenKind::StringVarname, start, self.line));
            }
        }
        None
    }
}

/// The cast that stands between parentheses as `word`.
fn cast(word: &[u8]) -> Option<TokenKind> {
    use TokenKind as T;
    let mut lower = [0u8; 7];
    let lower = lower.get_mut(..word.len())?;
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    Some(match &*lower {
        b"int" | b"integer" => T::IntCast,
        b"float" | b"double" | b"real" => T::DoubleCast,
        b"string" | b"binary" => T::StringCast,
        b"array" => T::ArrayCast,
        b"object" => T::ObjectCast,
        b"bool" | b"boolean" => T::BoolCast,
        b"unset" => T::UnsetCast,
        _ => return None,
    })
}
