//! Lexing strings, heredocs and interpolation, and what follows `->`.

use jumbo_base::Span;

use super::{DIGIT, HEX, Lexer, Mode, is_ident, is_ident_start};
use crate::token::TokenKind;

impl Lexer<'_> {
    /// `'...'`, with a prefix `b` of length `prefix`.
    pub(super) fn single_quoted(&mut self, prefix: usize) -> TokenKind {
        let start = self.pos;
        let mut pos = start + prefix + 1;
        // Most strings are short: look at some bytes before calling for help.
        let near = self.src.get(pos..(pos + 24).min(self.src.len())).unwrap_or(b"");
        pos += near.iter().position(|&byte| matches!(byte, b'\'' | b'\\')).unwrap_or(near.len());
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
        kind
    }

    /// `"..."` without interpolation as one token, otherwise only its first quote.
    pub(super) fn double_quoted(&mut self, prefix: usize) -> TokenKind {
        let start = self.pos;
        let mut pos = start + prefix + 1;
        while let Some(&byte) = self.src.get(pos) {
            match byte {
                b'"' => {
                    self.pos = pos + 1;
                    self.count_lines(start, self.pos);
                    return TokenKind::ConstString;
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
    fn interpolation(&mut self) -> Option<TokenKind> {
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

    pub(super) fn quoted(&mut self) -> Option<TokenKind> {
        let start = self.pos;
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
        Some(TokenKind::Encapsed)
    }

    /// `<<<LABEL` and its newline, from `start` (which may be at a `b`), or `None`.
    pub(super) fn heredoc_label(&mut self, start: usize) -> Option<TokenKind> {
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
        self.pos = pos;
        self.line += 1;
        self.mode = if quote == b'\'' { Mode::Nowdoc } else { Mode::Heredoc };
        self.heredocs.push(label);
        self.heredoc_start = true;
        Some(TokenKind::StartHeredoc)
    }

    /// Is the closing label of the innermost heredoc at the start of a line at `pos`? Where it ends.
    fn heredoc_end_at(&self, pos: usize) -> Option<usize> {
        let label = self.heredocs.last()?.text(self.src);
        let mut at = pos;
        while matches!(self.at(at), b' ' | b'\t') {
            at += 1;
        }
        let end = at + label.len();
        // At the very end of the source PHP does not see the label.
        (self.src.get(at..end)? == label && !is_ident(*self.src.get(end)?)).then_some(end)
    }

    /// The end token, if the closing label starts the text.
    fn heredoc_end(&mut self) -> Option<TokenKind> {
        let start = self.pos;
        let end = self.heredoc_end_at(start)?;
        self.pos = end;
        self.heredocs.pop();
        self.mode = Mode::Php;
        self.heredoc_start = false;
        Some(TokenKind::EndHeredoc)
    }

    pub(super) fn heredoc(&mut self) -> Option<TokenKind> {
        let start = self.pos;
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
        Some(TokenKind::Encapsed)
    }

    pub(super) fn nowdoc(&mut self) -> Option<TokenKind> {
        let start = self.pos;
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
        Some(TokenKind::Encapsed)
    }

    pub(super) fn var_offset(&mut self) -> TokenKind {
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
            return T::NumString;
        }
        if is_ident_start(byte) {
            self.pos = self.ident_end(start);
            return T::Ident;
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
                return T::Encapsed;
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

    pub(super) fn property(&mut self) -> Option<TokenKind> {
        let start = self.pos;
        let byte = self.src[start];
        if is_ident_start(byte) {
            self.pos = self.ident_end(start);
            self.pop_mode();
            return Some(TokenKind::Ident);
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

    pub(super) fn var_name(&mut self) -> Option<TokenKind> {
        let start = self.pos;
        self.mode = Mode::Php;
        if is_ident_start(self.src[start]) {
            let end = self.ident_end(start);
            if matches!(self.at(end), b'[' | b'}') {
                self.pos = end;
                return Some(TokenKind::StringVarname);
            }
        }
        None
    }
}
