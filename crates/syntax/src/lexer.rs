//! The lexer: bytes to PHP's tokens, one at a time.
//!
//! It follows PHP's lexical states (inline HTML, PHP, inside double quotes, backquotes and heredocs, `"$a[...]"` offsets, member
//! names after `->`), and PHP's rule that the bracket stack is checked here, so that "Unclosed '('" wins over a syntax error.
//! It never allocates per token; values (escapes, numbers) are decoded by the parser from the token's span.
//!
//! Invariants: spans are in order and inside the source; `line` is the line *after* the last token, which is where PHP
//! reports an unexpected token.

mod strings;

use jumbo_base::Span;
use memchr::{memchr, memchr_iter, memmem};

use crate::literal::{self, Number};
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
    /// Where the token being lexed starts, and its line.
    start: usize,
    start_line: u32,
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
    /// `<?` opens PHP code (the setting `short_open_tag`).
    pub short_tags: bool,
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
            start: 0,
            start_line: 0,
            mode: if start_in_php { Mode::Php } else { Mode::Html },
            lex_mode,
            modes: Vec::new(),
            brackets: Vec::new(),
            heredocs: Vec::new(),
            heredoc_start: false,
            pending_newline: false,
            lone_cr,
            short_tags: false,
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
    fn take(&mut self, kind: TokenKind, len: usize) -> TokenKind {
        self.pos += len;
        kind
    }

    /// Adds the newlines of `from..to`.
    fn count_lines(&mut self, from: usize, to: usize) {
        self.line += self.newlines(from, to);
    }

    #[inline]
    fn newlines(&self, from: usize, to: usize) -> u32 {
        let Some(text) = self.src.get(from..to) else { return 0 };
        // Most strings are short: a call costs more than they do.
        let mut count = if text.len() < 32 {
            text.iter().filter(|&&byte| byte == b'\n').count()
        } else {
            memchr_iter(b'\n', text).count()
        };
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
    fn fail(&mut self, message: impl Into<Vec<u8>>) -> TokenKind {
        if self.error.is_none() {
            self.error = Some(SyntaxError { message: message.into(), line: self.line, kind: SyntaxErrorKind::Parse });
        }
        TokenKind::Error
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
    fn close_bracket(&mut self, kind: TokenKind, bracket: u8) -> TokenKind {
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

    fn end(&mut self) -> TokenKind {
        if self.strict()
            && let Some(&(open, line)) = self.brackets.last()
        {
            let place = if line != self.line { format!(" on line {line}") } else { String::new() };
            return self.fail(format!("Unclosed '{}'{place}", open as char));
        }
        TokenKind::End
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
                (self.start, self.start_line) = (self.pos, self.line);
                let kind = self.end();
                return self.made(kind);
            }
            // Kept outside of what the states return: a token built in memory piece by piece and read as a whole stalls.
            (self.start, self.start_line) = (self.pos, self.line);
            let kind = match self.mode {
                Mode::Php => self.php(),
                Mode::Html => self.html(),
                Mode::DoubleQuotes | Mode::Backquote => self.quoted(),
                Mode::Heredoc => self.heredoc(),
                Mode::Nowdoc => self.nowdoc(),
                Mode::VarOffset => Some(self.var_offset()),
                Mode::Property => self.property(),
                Mode::VarName => self.var_name(),
            };
            if let Some(kind) = kind {
                return self.made(kind);
            }
        }
    }

    #[inline(always)]
    fn made(&self, kind: TokenKind) -> Token {
        Token { kind, span: Span::new(self.start as u32, self.pos as u32), line: self.start_line }
    }

    /// A token that the parser never sees: `None` in its mode.
    #[inline]
    fn trivia(&self, kind: TokenKind) -> Option<TokenKind> {
        (self.lex_mode != LexMode::Parser).then_some(kind)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Inline HTML

    /// Length of the opening tag at `pos` (with the white space it swallows) and its kind.
    fn open_tag(&self, pos: usize) -> Option<(usize, TokenKind)> {
        let rest = self.src.get(pos..)?;
        if rest.starts_with(b"<?=") {
            return Some((3, TokenKind::OpenTagWithEcho));
        }
        let short = (self.short_tags && rest.starts_with(b"<?")).then_some((2, TokenKind::OpenTag));
        if !rest.get(..5).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<?php")) {
            return short;
        }
        match rest.get(5) {
            None => Some((5, TokenKind::OpenTag)),
            Some(b' ' | b'\t' | b'\n') => Some((6, TokenKind::OpenTag)),
            Some(b'\r') if rest.get(6) == Some(&b'\n') => Some((7, TokenKind::OpenTag)),
            Some(b'\r') => Some((6, TokenKind::OpenTag)),
            Some(_) => short,
        }
    }

    fn html(&mut self) -> Option<TokenKind> {
        let start = self.pos;
        if let Some((len, kind)) = self.open_tag(start) {
            self.pos += len;
            self.count_lines(start, self.pos);
            self.mode = Mode::Php;
            if kind == TokenKind::OpenTagWithEcho && self.lex_mode == LexMode::Parser {
                return Some(TokenKind::Echo);
            }
            return self.trivia(kind);
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
        Some(TokenKind::InlineHtml)
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
                    let Some(end) = self.comment_end(pos + 2) else { return pos };
                    pos = end;
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

    /// Where a `/*` comment ends whose text starts at `from`. A `/` is rarer in comments than a `*`.
    fn comment_end(&self, from: usize) -> Option<usize> {
        let mut pos = from;
        loop {
            let at = pos + memchr(b'/', self.src.get(pos..)?)?;
            if at > from && self.src[at - 1] == b'*' {
                return Some(at + 1);
            }
            pos = at + 1;
        }
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
    fn php(&mut self) -> Option<TokenKind> {
        use TokenKind as T;
        let mut start = self.pos;
        let mut byte = self.src[start];
        let mut class = CLASS[byte as usize];
        if class & SPACE != 0 {
            if self.lex_mode != LexMode::Parser || self.lone_cr {
                return self.whitespace();
            }
            loop {
                self.line += (byte == b'\n') as u32;
                start += 1;
                match self.src.get(start) {
                    Some(&next) => byte = next,
                    None => {
                        self.pos = start;
                        return None;
                    }
                }
                class = CLASS[byte as usize];
                if class & SPACE == 0 {
                    break;
                }
            }
            self.pos = start;
            (self.start, self.start_line) = (start, self.line);
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
                    T::NameFq
                } else {
                    self.take(T::NsSeparator, 1)
                }
            }
            _ => return Some(self.take(T::BadCharacter, 1)),
        })
    }

    #[inline]
    fn whitespace(&mut self) -> Option<TokenKind> {
        let start = self.pos;
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
        self.trivia(TokenKind::Whitespace)
    }

    fn line_comment(&mut self) -> Option<TokenKind> {
        let start = self.pos;
        self.pos = self.line_comment_end(start);
        self.trivia(TokenKind::Comment)
    }

    fn block_comment(&mut self) -> Option<TokenKind> {
        let (start, line) = (self.pos, self.line);
        let is_doc = self.at(start + 2) == b'*' && CLASS[self.at(start + 3) as usize] & SPACE != 0;
        let from = if is_doc { start + 3 } else { start + 2 };
        match self.comment_end(from) {
            Some(end) => self.pos = end,
            None => {
                self.pos = self.src.len();
                if self.strict() {
                    let token = self.fail(format!("Unterminated comment starting line {line}"));
                    return Some(token);
                }
                let kind = if is_doc { TokenKind::DocComment } else { TokenKind::Comment };
                return self.trivia(kind);
            }
        }
        self.count_lines(start, self.pos);
        if is_doc {
            self.doc = Some(Span::new(start as u32, self.pos as u32));
            return self.trivia(TokenKind::DocComment);
        }
        self.trivia(TokenKind::Comment)
    }

    fn close_tag(&mut self) -> TokenKind {
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
        if self.lex_mode == LexMode::Parser { TokenKind::Semicolon } else { TokenKind::CloseTag }
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
    fn variable(&mut self) -> TokenKind {
        let start = self.pos;
        self.pos = self.ident_end(start + 1);
        TokenKind::Variable
    }

    #[inline]
    fn word(&mut self) -> TokenKind {
        use TokenKind as T;
        let start = self.pos;
        if self.name_tail(start) {
            let relative = self.src.get(start..start + 10).is_some_and(|text| text.eq_ignore_ascii_case(b"namespace\\"));
            return if relative { T::NameRelative } else { T::NameQualified };
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
        let Some(kind) = keyword(word) else { return T::Ident };
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
                    return T::YieldFrom;
                }
            }
            T::Enum => {
                let after = self.skip_trivia(self.pos);
                if after == self.pos || !is_ident_start(self.at(after)) {
                    return T::Ident;
                }
                // A prefix is enough for PHP: no enum can be called `extendsFoo`.
                let starts = |word: &[u8]| {
                    self.src.get(after..after + word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word))
                };
                if starts(b"extends") || starts(b"implements") {
                    return T::Ident;
                }
            }
            T::Public | T::Protected | T::Private
                if self.src.get(self.pos..self.pos + 5).is_some_and(|text| text.eq_ignore_ascii_case(b"(set)")) =>
            {
                self.pos += 5;
                return match kind {
                    T::Public => T::PublicSet,
                    T::Protected => T::ProtectedSet,
                    _ => T::PrivateSet,
                };
            }
            _ => {}
        }
        kind
    }

    fn open_paren(&mut self) -> TokenKind {
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

    fn number(&mut self) -> TokenKind {
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
                return self.integer_kind(start);
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
        if float { T::DNumber } else { self.integer_kind(start) }
    }

    /// The kind of the integer literal that ends here: what does not fit is a float.
    fn integer_kind(&self, start: usize) -> TokenKind {
        // The shortest that does not fit is a decimal of 19 digits, or hexadecimal with 16 after its prefix.
        if self.pos - start < 18 {
            return TokenKind::LNumber;
        }
        match literal::integer(&self.src[start..self.pos]) {
            Number::Int(_) => TokenKind::LNumber,
            Number::Float(_) => TokenKind::DNumber,
        }
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
