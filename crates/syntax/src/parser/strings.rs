//! Strings with interpolation: double quotes, backquotes, heredocs and nowdocs.

use crate::SyntaxErrorKind;
use crate::ast::*;
use crate::literal::{self, Indentation, Number};
use crate::parser::{Failed, Parser, Res};
use crate::token::TokenKind as T;

const VARIABLE_GOES_ON: &str = r#""->" or "?->" or "[""#;

/// A part before its escapes are replaced.
#[derive(Clone, Copy)]
enum RawPart<'a> {
    Literal(Span),
    Expr(&'a Expr<'a>),
}

impl<'a> Parser<'a> {
    /// The value of a whole quoted string token.
    pub(super) fn const_string(&mut self, span: Span) -> Res<&'a [u8]> {
        let text = self.text(span);
        let quote = text.last().copied().unwrap_or(b'"');
        let prefix = text.iter().take_while(|&&byte| byte != quote).count();
        let start = prefix + 1;
        let raw = text.get(start..text.len().saturating_sub(1)).unwrap_or(b"");
        if quote == b'\'' {
            return Ok(literal::single_quoted(self.arena, raw));
        }
        self.unescape(raw, span.start as usize + start, b'"')
    }

    /// Replaces escapes; `offset` is where `raw` stands in the source before any indentation was removed.
    fn unescape(&mut self, raw: &'a [u8], offset: usize, quote: u8) -> Res<&'a [u8]> {
        let mut overflows = Vec::new();
        match literal::double_quoted(self.arena, raw, quote, &mut overflows) {
            Ok(value) => {
                for at in overflows {
                    let mut message = b"Octal escape sequence overflow ".to_vec();
                    message.extend(&raw[at..at + 4]);
                    message.extend(b" is greater than \\377");
                    let line = self.line_at(offset + at);
                    self.diagnose(DiagnosticKind::CompileWarning, &message, line);
                }
                Ok(value)
            }
            Err(error) => Err(self.fail_at(error.message, offset + error.offset)),
        }
    }

    /// An error at an offset behind the current token: its line is counted back.
    #[cold]
    fn fail_at(&mut self, message: impl Into<Vec<u8>>, offset: usize) -> Failed {
        let line = self.line_at(offset);
        self.fail(message, line, SyntaxErrorKind::Parse)
    }

    /// The line of an offset behind the current token.
    #[cold]
    fn line_at(&self, offset: usize) -> u32 {
        let between = self.src.get(offset..self.lexer.offset()).unwrap_or(b"");
        let newlines = between.iter().filter(|&&byte| byte == b'\n').count();
        self.lexer.line().saturating_sub(newlines as u32)
    }

    #[cold]
    fn diagnose(&mut self, kind: DiagnosticKind, message: &[u8], line: u32) {
        let message = self.slice(message);
        self.diagnostics.push(Diagnostic { kind, message, line });
    }

    /// `"..."` with interpolation, from its first quote on.
    pub(super) fn double_quotes(&mut self) -> Res<&'a [StringPart<'a>]> {
        self.advance();
        self.quoted_parts(
            T::DoubleQuote,
            b'"',
            r#"variable or string content or "${" or "{$""#,
            r#"variable or "${" or "{$""#,
            "",
        )
    }

    /// `` `...` ``
    pub(super) fn backquotes(&mut self) -> Res<&'a [StringPart<'a>]> {
        self.advance();
        self.quoted_parts(T::Backquote, b'`', "\"`\"", "\"`\"", "\"`\"")
    }

    /// The parts up to `end`, which is taken. The messages differ before the first part, after a first literal, and later.
    fn quoted_parts(
        &mut self,
        end: T,
        quote: u8,
        first: &str,
        after_literal: &str,
        later: &str,
    ) -> Res<&'a [StringPart<'a>]> {
        let base = self.parts.len();
        while !self.at(end) {
            if self.at(T::Encapsed) {
                // Before the lexer goes on: a bad escape comes before what it may meet.
                let span = self.tok.span;
                let text = self.unescape(self.text(span), span.start as usize, quote)?;
                self.advance();
                self.parts.push(StringPart::Literal(text));
                continue;
            }
            let part = match self.string_part()? {
                Some(RawPart::Expr(expr)) => StringPart::Expr(expr),
                Some(RawPart::Literal(_)) | None => {
                    let expecting = match self.parts[base..] {
                        [] => first,
                        [StringPart::Literal(_)] => after_literal,
                        _ => later,
                    };
                    return Err(self.unexpected(expecting));
                }
            };
            self.parts.push(part);
        }
        self.advance();
        let parts = self.slice(&self.parts[base..]);
        self.parts.truncate(base);
        Ok(parts)
    }

    /// One literal or interpolation; `None` if something else follows.
    fn string_part(&mut self) -> Res<Option<RawPart<'a>>> {
        match self.kind() {
            T::Encapsed => {
                let tok = self.advance();
                Ok(Some(RawPart::Literal(tok.span)))
            }
            T::Variable => {
                let expr = self.simple_interpolation()?;
                Ok(Some(RawPart::Expr(self.alloc(expr))))
            }
            T::CurlyOpen => {
                self.advance();
                let expr = self.variable()?;
                self.expect_or(T::CloseBrace, VARIABLE_GOES_ON)?;
                Ok(Some(RawPart::Expr(self.alloc(expr))))
            }
            T::DollarOpenCurly => {
                let open = self.advance();
                let expr = self.braced_name(open.span.start)?;
                Ok(Some(RawPart::Expr(self.alloc(expr))))
            }
            _ => Ok(None),
        }
    }

    /// `${name}`, `${name[index]}`, `${expr}` in a string, after the `${`.
    fn braced_name(&mut self, start: u32) -> Res<Expr<'a>> {
        const NAME: &[u8] = b"Using ${var} in strings is deprecated, use {$var} instead";
        const EXPR: &[u8] = b"Using ${expr} (variable variables) in strings is deprecated, use {${expr}} instead";
        let line = self.tok.line;
        if !self.at(T::StringVarname) {
            let inner = self.expr()?;
            self.diagnose(DiagnosticKind::Deprecated, EXPR, inner.line);
            self.expect_quiet(T::CloseBrace)?;
            return Ok(self.make(ExprKind::VarVar(self.alloc(inner)), inner.line, start));
        }
        self.diagnose(DiagnosticKind::Deprecated, NAME, line);
        let name = self.take_text();
        let var = self.make(ExprKind::Var(name), line, start);
        if !self.at(T::OpenBracket) {
            self.expect(T::CloseBrace)?;
            return Ok(var);
        }
        self.advance();
        let index = self.expr()?;
        self.expect_quiet(T::CloseBracket)?;
        self.expect(T::CloseBrace)?;
        let kind = ExprKind::Index { base: self.alloc(var), index: Some(self.alloc(index)) };
        Ok(self.make(kind, line, start))
    }

    /// `$a`, `$a[...]`, `$a->b`, `$a?->b` in a string.
    fn simple_interpolation(&mut self) -> Res<Expr<'a>> {
        let tok = self.advance();
        let start = tok.span.start;
        let var = self.make(ExprKind::Var(&self.text(tok.span)[1..]), tok.line, start);
        match self.kind() {
            T::OpenBracket => {
                self.advance();
                let index = self.string_offset()?;
                self.expect(T::CloseBracket)?;
                let kind = ExprKind::Index { base: self.alloc(var), index: Some(self.alloc(index)) };
                Ok(self.make(kind, tok.line, start))
            }
            T::ObjectOperator | T::NullsafeObjectOperator => {
                let nullsafe = self.advance().kind == T::NullsafeObjectOperator;
                let name = self.expect(T::Ident)?;
                let ident = Ident { kind: IdentKind::Name(self.text(name.span)), line: name.line };
                let prop = Prop { object: self.alloc(var), name: ident, nullsafe };
                Ok(self.make(ExprKind::Prop(self.alloc(prop)), tok.line, start))
            }
            _ => Ok(var),
        }
    }

    /// The index in `"$a[...]"`.
    fn string_offset(&mut self) -> Res<Expr<'a>> {
        let (start, line) = (self.tok.span.start, self.tok.line);
        let kind = match self.kind() {
            T::Ident => ExprKind::String(self.take_text()),
            T::Variable => ExprKind::Var(&self.take_text()[1..]),
            T::NumString => {
                let text = self.take_text();
                match plain_index(text) {
                    Some(value) => ExprKind::Int(value),
                    None => ExprKind::String(text),
                }
            }
            T::Minus => {
                self.advance();
                let number = self.expect(T::NumString)?;
                let text = self.text(number.span);
                match plain_index(text) {
                    Some(value) if value != 0 => ExprKind::Int(-value),
                    // `-0` and what is no index stay strings, sign included.
                    _ => {
                        let with_sign: Vec<u8> = [b"-", text].concat();
                        ExprKind::String(self.slice(&with_sign))
                    }
                }
            }
            _ => return Err(self.unexpected(r#""-" or identifier or variable or number"#)),
        };
        Ok(self.make(kind, line, start))
    }

    /// A heredoc or nowdoc, from its start token on.
    pub(super) fn heredoc(&mut self) -> Res<ExprKind<'a>> {
        let open = self.advance();
        let nowdoc = self.text(open.span).contains(&b'\'');
        let mut raw = Vec::new();
        while !self.at(T::EndHeredoc) {
            match self.string_part()? {
                Some(part) => raw.push(part),
                None => {
                    let expecting = match raw.as_slice() {
                        [RawPart::Literal(_)] => r#"variable or heredoc end or "${" or "{$""#,
                        _ => "",
                    };
                    return Err(self.unexpected(expecting));
                }
            }
        }
        let end = self.tok;
        let indentation = self.heredoc_indentation(end.span, open.span)?;
        // The newline before the closing label is not part of the text.
        if let Some(RawPart::Literal(span)) = raw.last_mut() {
            let text = span.text(self.src);
            if text.ends_with(b"\r\n") {
                span.end -= 2;
            } else if matches!(text.last(), Some(b'\n' | b'\r')) {
                span.end -= 1;
            }
        }
        let base = self.parts.len();
        let mut at_line_start = true;
        for (index, part) in raw.iter().enumerate() {
            match *part {
                RawPart::Expr(expr) => {
                    if at_line_start && indentation.width > 0 {
                        let message = literal::indentation_error(indentation.width);
                        // (Where the text begins with an interpolation, PHP gives no file and line 0: a defect.)
                        return Err(self.fail_at(message, expr.span.start as usize));
                    }
                    at_line_start = false;
                    self.parts.push(StringPart::Expr(expr));
                }
                RawPart::Literal(span) => {
                    let before_expr = index + 1 < raw.len();
                    let start = span.start as usize;
                    let text = self.text(span);
                    let text = match literal::dedent(self.arena, text, indentation, at_line_start, before_expr) {
                        Ok(text) => text,
                        Err((message, offset)) => return Err(self.fail_at(message, start + offset)),
                    };
                    let text = if nowdoc { text } else { self.unescape(text, start, 0)? };
                    // A part that ends with a newline leaves nothing before what follows: the part itself checks that.
                    at_line_start = false;
                    if before_expr && indentation.width > 0 && matches!(span.text(self.src).last(), Some(b'\n' | b'\r')) {
                        let message = literal::indentation_error(indentation.width);
                        return Err(self.fail_at(message, span.end as usize));
                    }
                    if !text.is_empty() {
                        self.parts.push(StringPart::Literal(text));
                    }
                }
            }
        }
        let kind = match self.parts[base..] {
            [] => ExprKind::String(b""),
            [StringPart::Literal(text)] => ExprKind::String(text),
            _ => ExprKind::Interpolated(self.slice(&self.parts[base..])),
        };
        self.parts.truncate(base);
        self.advance();
        Ok(kind)
    }

    fn heredoc_indentation(&mut self, end: Span, open: Span) -> Res<Indentation> {
        let text = self.text(end);
        let width = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let tabs = text[..width].contains(&b'\t');
        if tabs && text[..width].contains(&b' ') {
            // PHP notices when it looks ahead from the start of the text.
            return Err(self.fail_at("Invalid indentation - tabs and spaces cannot be mixed", open.end as usize));
        }
        Ok(Indentation { width, tabs })
    }
}

/// The digits of `"$a[12]"` as an integer key, unless PHP keeps them as a string.
fn plain_index(text: &[u8]) -> Option<i64> {
    if !text.iter().all(u8::is_ascii_digit) || (text.len() > 1 && text[0] == b'0') {
        return None;
    }
    match literal::integer(text) {
        Number::Int(value) => Some(value),
        Number::Float(_) => None,
    }
}
