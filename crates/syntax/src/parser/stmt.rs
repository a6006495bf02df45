//! Statements.

use crate::SyntaxErrorKind;
use crate::ast::*;
use crate::parser::expr::{is_variable, starts_expr};
use crate::parser::decl::CLOSURE_OR_ATTRIBUTE;
use crate::parser::{Parser, Res};
use crate::token::TokenKind as T;

/// Where a statement stands decides what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Of the file or of a namespace: everything.
    Top,
    /// In a block: declarations, but no `use`, `const` or `namespace`.
    Inner,
    /// After `if (...)` and the like: no declarations.
    Single,
}

const CASE_OR_BRACE: &str = r#""case" or "default" or "}""#;
const CASE_OR_END: &str = r#""endswitch" or "case" or "default""#;

impl<'a> Parser<'a> {
    pub(super) fn program(&mut self) -> Res<Program<'a>> {
        let mut halt_offset = None;
        let base = self.stmts.len();
        while !self.at(T::End) {
            let stmt = self.statement(Place::Top, "end of file")?;
            self.stmts.push(stmt);
            if let StmtKind::HaltCompiler { offset } = stmt.kind {
                halt_offset = Some(offset);
                break;
            }
        }
        let stmts = self.take_stmts(base);
        let diagnostics = self.slice(&self.diagnostics);
        Ok(Program { stmts, source: self.src, end_line: self.lexer.line(), halt_offset, diagnostics })
    }

    fn take_stmts(&mut self, base: usize) -> &'a [Stmt<'a>] {
        let stmts = self.slice(&self.stmts[base..]);
        self.stmts.truncate(base);
        stmts
    }

    /// Statements of a block up to a token that `ends` it; `expecting` is what PHP names when another comes.
    fn inner_statements(&mut self, ends: fn(T) -> bool, expecting: &str) -> Res<&'a [Stmt<'a>]> {
        let base = self.stmts.len();
        while !ends(self.kind()) {
            let stmt = self.statement(Place::Inner, expecting)?;
            self.stmts.push(stmt);
        }
        Ok(self.take_stmts(base))
    }

    /// `{ ... }`, whose opening brace is the current token or an error.
    pub(super) fn block(&mut self) -> Res<&'a [Stmt<'a>]> {
        self.expect(T::OpenBrace)?;
        let stmts = self.inner_statements(|kind| kind == T::CloseBrace, "")?;
        self.expect_quiet(T::CloseBrace)?;
        Ok(stmts)
    }

    /// The single statement after `if (...)` and the like, as a list.
    fn body(&mut self) -> Res<&'a [Stmt<'a>]> {
        let stmt = self.statement(Place::Single, "")?;
        Ok(match stmt.kind {
            StmtKind::Block(stmts) => stmts,
            _ => self.slice(&[stmt]),
        })
    }

    /// A single statement, or `: ... end;`.
    fn body_or_alternative(&mut self, end: T, ends: fn(T) -> bool) -> Res<&'a [Stmt<'a>]> {
        if !self.eat(T::Colon) {
            return self.body();
        }
        let stmts = self.inner_statements(ends, "")?;
        self.expect(end)?;
        self.expect(T::Semicolon)?;
        Ok(stmts)
    }

    #[inline]
    fn stmt(&self, kind: StmtKind<'a>, line: u32, start: u32) -> Stmt<'a> {
        Stmt { kind, line, span: self.span_from(start) }
    }

    fn statement(&mut self, place: Place, expecting: &str) -> Res<Stmt<'a>> {
        self.nested(|p| p.statement_here(place, expecting))
    }

    fn statement_here(&mut self, place: Place, expecting: &str) -> Res<Stmt<'a>> {
        let (start, line) = (self.tok.span.start, self.tok.line);
        match self.kind() {
            T::Variable => self.expression_statement(),
            T::Semicolon => {
                self.advance();
                Ok(self.stmt(StmtKind::Nop, line, start))
            }
            T::InlineHtml => {
                let text = self.take_text();
                Ok(self.stmt(StmtKind::InlineHtml(text), line, start))
            }
            T::OpenBrace => {
                let stmts = self.block()?;
                Ok(self.stmt(StmtKind::Block(stmts), line, start))
            }
            T::Ident if self.label_follows() => {
                let name = self.take_text();
                self.advance();
                Ok(self.stmt(StmtKind::Label(name), line, start))
            }
            T::If => self.if_statement(),
            T::Echo => {
                self.advance();
                let list = self.plain_list()?;
                self.end_of_list()?;
                let line = list.first().map_or(line, |expr| expr.line);
                Ok(self.stmt(StmtKind::Echo(list), line, start))
            }
            T::Return => {
                self.advance();
                let value = self.optional_expr(T::Semicolon)?;
                self.expect(T::Semicolon)?;
                Ok(self.stmt(StmtKind::Return(value), value.map_or(line, |expr| expr.line), start))
            }
            T::Break | T::Continue => {
                let is_break = self.advance().kind == T::Break;
                let level = self.optional_expr(T::Semicolon)?;
                self.expect(T::Semicolon)?;
                let kind = if is_break { StmtKind::Break(level) } else { StmtKind::Continue(level) };
                Ok(self.stmt(kind, line, start))
            }
            T::While => {
                self.advance();
                let cond = self.condition()?;
                let body = self.body_or_alternative(T::Endwhile, |kind| kind == T::Endwhile)?;
                Ok(self.stmt(StmtKind::While { cond, body }, cond.line, start))
            }
            T::Do => {
                self.advance();
                let body = self.body()?;
                self.expect(T::While)?;
                let cond = self.condition()?;
                self.expect(T::Semicolon)?;
                let line = body.first().map_or(line, |stmt| stmt.line);
                Ok(self.stmt(StmtKind::DoWhile { body, cond }, line, start))
            }
            T::For => self.for_statement(),
            T::Foreach => self.foreach_statement(),
            T::Switch => self.switch_statement(),
            T::Try => self.try_statement(),
            T::Global => self.global_statement(),
            T::Static if self.variable_follows() => self.static_vars(),
            T::Unset => self.unset_statement(),
            T::Goto => {
                self.advance();
                let label = self.expect(T::Ident)?;
                self.expect(T::Semicolon)?;
                Ok(self.stmt(StmtKind::Goto(self.text(label.span)), line, start))
            }
            T::Declare => self.declare_statement(),
            T::Function if place != Place::Single => self.function_statement(&[]),
            T::Attribute => self.attributed_statement(place),
            T::Readonly if self.lexer.peek_bytes().0 == b'(' => self.expression_statement(),
            T::Class | T::Abstract | T::Final | T::Readonly | T::Trait | T::Interface | T::Enum
                if place != Place::Single =>
            {
                let class = self.class_declaration(&[])?;
                Ok(self.stmt(StmtKind::Class(self.alloc(class)), class.start_line, start))
            }
            T::Use if place == Place::Top => self.use_statement(),
            T::Const if place == Place::Top => {
                self.advance();
                let items = self.const_items()?;
                Ok(self.stmt(StmtKind::Const(items), line, start))
            }
            T::Namespace if place == Place::Top => self.namespace_statement(),
            T::HaltCompiler if place != Place::Single => self.halt_compiler(place),
            kind if starts_expr(kind) => self.expression_statement(),
            _ => Err(self.unexpected(expecting)),
        }
    }

    fn label_follows(&self) -> bool {
        let (byte, next) = self.lexer.peek_bytes();
        byte == b':' && next != b':'
    }

    fn expression_statement(&mut self) -> Res<Stmt<'a>> {
        let expr = self.expr()?;
        self.end_expression_statement(expr)
    }

    pub(super) fn end_expression_statement(&mut self, expr: Expr<'a>) -> Res<Stmt<'a>> {
        self.expect_quiet(T::Semicolon)?;
        Ok(Stmt { kind: StmtKind::Expr(self.alloc(expr)), line: expr.line, span: self.span_from(expr.span.start) })
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Small lists

    /// Expressions with commas between them, no trailing comma.
    fn plain_list(&mut self) -> Res<&'a [Expr<'a>]> {
        let base = self.exprs.len();
        loop {
            let expr = self.expr()?;
            self.exprs.push(expr);
            if !self.eat(T::Comma) {
                break;
            }
        }
        let list = self.slice(&self.exprs[base..]);
        self.exprs.truncate(base);
        Ok(list)
    }

    /// The `;` where a `,` would do too.
    pub(super) fn end_of_list(&mut self) -> Res<()> {
        self.expect_or(T::Semicolon, r#""," or ";""#)?;
        Ok(())
    }

    pub(super) fn optional_expr(&mut self, end: T) -> Res<Option<&'a Expr<'a>>> {
        if self.at(end) {
            return Ok(None);
        }
        if !starts_expr(self.kind()) {
            return Err(self.unexpected_but(end));
        }
        Ok(Some(self.expr_ref()?))
    }

    /// `(expr)`
    fn condition(&mut self) -> Res<&'a Expr<'a>> {
        self.expect(T::OpenParen)?;
        let cond = self.expr_ref()?;
        self.expect_quiet(T::CloseParen)?;
        Ok(cond)
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Control flow

    fn if_statement(&mut self) -> Res<Stmt<'a>> {
        let start = self.advance().span.start;
        let cond = self.condition()?;
        let alternative = self.eat(T::Colon);
        let ends = |kind| matches!(kind, T::Elseif | T::Else | T::Endif);
        let mut branches = Vec::with_capacity(1);
        let body = if alternative { self.inner_statements(ends, "")? } else { self.body()? };
        self.push(&mut branches, IfBranch { cond, body, line: cond.line });
        while self.eat(T::Elseif) {
            let cond = self.condition()?;
            let body = if alternative {
                self.expect(T::Colon)?;
                self.inner_statements(ends, "")?
            } else {
                self.body()?
            };
            self.push(&mut branches, IfBranch { cond, body, line: cond.line });
        }
        let mut otherwise = None;
        if self.eat(T::Else) {
            otherwise = Some(if alternative {
                self.expect(T::Colon)?;
                self.inner_statements(|kind| kind == T::Endif, "")?
            } else {
                let stmt = self.statement(Place::Single, "")?;
                match stmt.kind {
                    // `else { if ... }` keeps its block, to be told from `else if`.
                    StmtKind::Block([Stmt { kind: StmtKind::If { .. }, .. }]) => self.slice(&[stmt]),
                    StmtKind::Block(stmts) => stmts,
                    _ => self.slice(&[stmt]),
                }
            });
        }
        if alternative {
            self.expect(T::Endif)?;
            self.expect(T::Semicolon)?;
        }
        let branches = self.slice(&branches);
        Ok(self.stmt(StmtKind::If { branches, otherwise }, cond.line, start))
    }

    /// One of the three parts of a `for`, up to `end`, which is taken.
    fn for_part(&mut self, end: T) -> Res<&'a [Expr<'a>]> {
        if self.eat(end) {
            return Ok(&[]);
        }
        if !starts_expr(self.kind()) {
            return Err(self.unexpected_but(end));
        }
        let list = self.plain_list()?;
        self.expect(end)?;
        Ok(list)
    }

    fn for_statement(&mut self) -> Res<Stmt<'a>> {
        let tok = self.advance();
        self.expect(T::OpenParen)?;
        let init = self.for_part(T::Semicolon)?;
        let cond = self.for_part(T::Semicolon)?;
        let step = self.for_part(T::CloseParen)?;
        let body = self.body_or_alternative(T::Endfor, |kind| kind == T::Endfor)?;
        let line = [init, cond, step].iter().find_map(|list| list.first()).map_or(tok.line, |expr| expr.line);
        Ok(self.stmt(StmtKind::For { init, cond, step, body }, line, tok.span.start))
    }

    fn foreach_statement(&mut self) -> Res<Stmt<'a>> {
        let start = self.advance().span.start;
        self.expect(T::OpenParen)?;
        let subject = self.expr_ref()?;
        self.expect_quiet(T::As)?;
        let (mut value, mut by_ref) = self.foreach_variable(r#""=>" or ")""#, true)?;
        let mut key = None;
        if self.eat(T::DoubleArrow) {
            if by_ref {
                let line = value.line;
                return Err(self.fail("Key element cannot be a reference", line, SyntaxErrorKind::Compile));
            }
            key = Some(value);
            (value, by_ref) = self.foreach_variable("\")\"", false)?;
        }
        self.expect_quiet(T::CloseParen)?;
        let body = self.body_or_alternative(T::Endforeach, |kind| kind == T::Endforeach)?;
        let foreach = Foreach { subject, key, value, by_ref, body };
        Ok(self.stmt(StmtKind::Foreach(self.alloc(foreach)), subject.line, start))
    }

    /// What `foreach` assigns to. PHP's messages differ after `list(...)`.
    fn foreach_variable(&mut self, after_list: &str, key_may_follow: bool) -> Res<(&'a Expr<'a>, bool)> {
        let by_ref = matches!(self.kind(), T::Amp | T::AmpVar);
        if by_ref {
            self.advance();
        }
        let is_end = |p: &Self| p.at(T::CloseParen) || (key_may_follow && p.at(T::DoubleArrow));
        if !by_ref && self.at(T::List) {
            let list = self.list_pattern()?;
            if !is_end(self) {
                return Err(self.unexpected(after_list));
            }
            return Ok((self.alloc(list), false));
        }
        let expr = self.variable_or_array()?;
        let pattern = !by_ref
            && !expr.paren
            && matches!(expr.kind, ExprKind::Array(array) if array.syntax == ArraySyntax::Short);
        if (!pattern && !is_variable(&expr)) || !is_end(self) {
            return Err(self.not_a_variable(&expr));
        }
        Ok((self.alloc(expr), by_ref))
    }

    fn switch_statement(&mut self) -> Res<Stmt<'a>> {
        let start = self.advance().span.start;
        let subject = self.condition()?;
        let braces = self.at(T::OpenBrace);
        if !braces && !self.at(T::Colon) {
            return Err(self.unexpected(r#"":" or "{""#));
        }
        self.advance();
        let (end, expecting) = if braces { (T::CloseBrace, CASE_OR_BRACE) } else { (T::Endswitch, CASE_OR_END) };
        self.eat(T::Semicolon);
        let mut cases = Vec::new();
        while !self.at(end) {
            let line = self.tok.line;
            let cond = match self.kind() {
                T::Case => {
                    self.advance();
                    let cond = self.expr_ref()?;
                    if !self.at(T::Colon) && !self.at(T::Semicolon) {
                        return Err(self.unexpected(""));
                    }
                    Some(cond)
                }
                T::Default => {
                    self.advance();
                    if !self.at(T::Colon) && !self.at(T::Semicolon) {
                        return Err(self.unexpected(r#"":" or ";""#));
                    }
                    None
                }
                _ => return Err(self.unexpected(expecting)),
            };
            self.advance();
            let body = if braces {
                self.inner_statements(|kind| matches!(kind, T::Case | T::Default | T::CloseBrace), expecting)?
            } else {
                self.inner_statements(|kind| matches!(kind, T::Case | T::Default | T::Endswitch), expecting)?
            };
            self.push(&mut cases, SwitchCase { cond, body, line: cond.map_or(line, |expr| expr.line) });
        }
        self.advance();
        if !braces {
            self.expect(T::Semicolon)?;
        }
        let cases = self.slice(&cases);
        Ok(self.stmt(StmtKind::Switch { subject, cases }, subject.line, start))
    }

    fn try_statement(&mut self) -> Res<Stmt<'a>> {
        let tok = self.advance();
        let body = self.block()?;
        let mut catches = Vec::new();
        while self.at(T::Catch) {
            let line = self.advance().line;
            self.expect(T::OpenParen)?;
            let mut types = vec![self.class_name()?];
            while self.eat(T::Pipe) {
                let item = self.class_name()?;
                self.push(&mut types, item);
            }
            let var = if self.at(T::Variable) { Some(&self.take_text()[1..]) } else { None };
            self.expect(T::CloseParen)?;
            let body = self.block()?;
            let line = types.first().map_or(line, |name| name.line);
            let item = Catch { types: self.slice(&types), var, body, line };
            self.push(&mut catches, item);
        }
        let mut finally = None;
        let mut finally_line = 0;
        if self.eat(T::Finally) {
            finally_line = self.tok.line;
            finally = Some(self.block()?);
        }
        let line = body.first().map_or(tok.line, |stmt| stmt.line);
        let node = Try { body, catches: self.slice(&catches), finally, finally_line };
        Ok(self.stmt(StmtKind::Try(self.alloc(node)), line, tok.span.start))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Variables

    fn global_statement(&mut self) -> Res<Stmt<'a>> {
        let tok = self.advance();
        let base = self.exprs.len();
        loop {
            if !self.at(T::Variable) && !self.at(T::Dollar) {
                return Err(self.unexpected(r#"variable or "$""#));
            }
            let var = self.simple_variable()?;
            self.exprs.push(var);
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.end_of_list()?;
        let vars = self.slice(&self.exprs[base..]);
        self.exprs.truncate(base);
        Ok(self.stmt(StmtKind::Global(vars), tok.line, tok.span.start))
    }

    fn static_vars(&mut self) -> Res<Stmt<'a>> {
        let tok = self.advance();
        let mut vars = Vec::new();
        loop {
            let name = self.expect(T::Variable)?;
            let default = if self.eat(T::Assign) { Some(self.expr_ref()?) } else { None };
            let item = StaticVar { name: &self.text(name.span)[1..], default, line: name.line };
            self.push(&mut vars, item);
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.end_of_list()?;
        let vars = self.slice(&vars);
        Ok(self.stmt(StmtKind::StaticVars(vars), tok.line, tok.span.start))
    }

    fn unset_statement(&mut self) -> Res<Stmt<'a>> {
        let tok = self.advance();
        self.expect(T::OpenParen)?;
        let base = self.exprs.len();
        loop {
            if self.exprs.len() > base && !starts_expr(self.kind()) {
                return Err(self.unexpected_but(T::CloseParen));
            }
            let var = self.variable()?;
            if !self.at(T::Comma) && !self.at(T::CloseParen) {
                return Err(self.not_a_variable(&var));
            }
            self.exprs.push(var);
            if !self.eat(T::Comma) || self.at(T::CloseParen) {
                break;
            }
        }
        self.expect(T::CloseParen)?;
        self.expect(T::Semicolon)?;
        let vars = self.slice(&self.exprs[base..]);
        self.exprs.truncate(base);
        let line = vars.first().map_or(tok.line, |var| var.line);
        Ok(self.stmt(StmtKind::Unset(vars), line, tok.span.start))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // declare, namespace, use, const, __halt_compiler

    fn declare_statement(&mut self) -> Res<Stmt<'a>> {
        let tok = self.advance();
        self.expect(T::OpenParen)?;
        let mut directives = Vec::new();
        loop {
            let name = self.expect(T::Ident)?;
            self.expect(T::Assign)?;
            let value = self.expr_ref()?;
            let item = Directive { name: self.text(name.span), value, line: name.line };
            self.push(&mut directives, item);
            if !self.eat(T::Comma) {
                break;
            }
        }
        let refused = |constants: bool| {
            directives.iter().filter(|d| d.name.eq_ignore_ascii_case(b"encoding")).any(|d| match d.value.kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) => false,
                ExprKind::Const(_) => constants,
                _ => true,
            })
        };
        if self.at(T::CloseParen) && refused(false) {
            return Err(self.compile_error("Encoding must be a literal"));
        }
        self.expect_or(T::CloseParen, r#""," or ")""#)?;
        // A whole statement with a constant is refused when it is compiled, behind the warnings about those before it.
        if !self.at(T::Semicolon) && refused(true) {
            return Err(self.compile_error("Encoding must be a literal"));
        }
        let body = if self.eat(T::Semicolon) {
            None
        } else {
            Some(self.body_or_alternative(T::Enddeclare, |kind| kind == T::Enddeclare)?)
        };
        let directives = self.slice(&directives);
        Ok(self.stmt(StmtKind::Declare { directives, body }, tok.line, tok.span.start))
    }

    fn namespace_statement(&mut self) -> Res<Stmt<'a>> {
        let tok = self.advance();
        let mut name = None;
        if self.kind().is_identifier() || self.at(T::NameQualified) {
            self.note_name();
            name = Some(self.name());
            // A comment on the namespace is none on what it declares first.
            self.take_doc();
        }
        let mut body = None;
        if name.is_none() || !self.eat(T::Semicolon) {
            self.expect(T::OpenBrace)?;
            let base = self.stmts.len();
            while !self.at(T::CloseBrace) {
                let stmt = self.statement(Place::Top, "")?;
                if let StmtKind::HaltCompiler { .. } = stmt.kind {
                    // The rest is not read, so the brace has no end.
                    self.lexer.stop();
                    self.advance();
                    return Err(self.unexpected(""));
                }
                self.stmts.push(stmt);
            }
            self.advance();
            body = Some(self.take_stmts(base));
        }
        Ok(self.stmt(StmtKind::Namespace { name, body }, tok.line, tok.span.start))
    }

    fn use_kind(&mut self) -> Option<UseKind> {
        let kind = match self.kind() {
            T::Function => UseKind::Function,
            T::Const => UseKind::Const,
            _ => return None,
        };
        self.advance();
        Some(kind)
    }

    fn use_statement(&mut self) -> Res<Stmt<'a>> {
        const NAME: &str = "identifier or fully qualified name or namespaced name";
        let tok = self.advance();
        let kind = self.use_kind();
        let mut expecting = if kind.is_some() { NAME } else { "" };
        let mut items = Vec::new();
        loop {
            if !matches!(self.kind(), T::Ident | T::NameQualified | T::NameFq) {
                return Err(self.unexpected(expecting));
            }
            let name = self.name();
            if items.is_empty() && self.eat(T::NsSeparator) {
                self.use_group(name, kind, &mut items)?;
                self.expect(T::Semicolon)?;
                break;
            }
            let alias = self.use_alias()?;
            self.push(&mut items, UseItem { kind: kind.unwrap_or(UseKind::Class), name: name.bytes, alias, line: name.line });
            expecting = NAME;
            if !self.eat(T::Comma) {
                self.end_of_list()?;
                break;
            }
        }
        let items = self.slice(&items);
        Ok(self.stmt(StmtKind::Use(items), tok.line, tok.span.start))
    }

    fn use_alias(&mut self) -> Res<Option<&'a [u8]>> {
        if !self.eat(T::As) {
            return Ok(None);
        }
        let alias = self.expect(T::Ident)?;
        Ok(Some(self.text(alias.span)))
    }

    /// `{A, function b as c}` after `use Prefix\`.
    fn use_group(&mut self, prefix: Name<'a>, kind: Option<UseKind>, items: &mut Vec<UseItem<'a>>) -> Res<()> {
        self.expect(T::OpenBrace)?;
        loop {
            let mut expecting = match kind {
                Some(_) => "identifier or namespaced name",
                None => r#"identifier or namespaced name or "function" or "const""#,
            };
            let mut item_kind = kind;
            if kind.is_none() {
                item_kind = self.use_kind();
                if item_kind.is_some() {
                    expecting = "identifier or namespaced name";
                }
            }
            if !matches!(self.kind(), T::Ident | T::NameQualified) {
                if !items.is_empty() && item_kind == kind {
                    expecting = "\"}\"";
                }
                return Err(self.unexpected(expecting));
            }
            let name = self.name();
            let alias = self.use_alias()?;
            let full: Vec<u8> = [prefix.bytes, b"\\", name.bytes].concat();
            let item_kind = item_kind.unwrap_or(UseKind::Class);
            let item = UseItem { kind: item_kind, name: self.slice(&full), alias, line: name.line };
            self.push(items, item);
            if !self.eat(T::Comma) || self.at(T::CloseBrace) {
                break;
            }
        }
        self.expect(T::CloseBrace)?;
        Ok(())
    }

    fn const_items(&mut self) -> Res<&'a [ConstItem<'a>]> {
        let mut items = Vec::new();
        loop {
            let name = self.expect(T::Ident)?;
            let doc = self.take_doc();
            self.expect(T::Assign)?;
            let value = self.expr_ref()?;
            let item = ConstItem { name: self.text(name.span), value, doc, line: name.line };
            self.push(&mut items, item);
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.end_of_list()?;
        Ok(self.slice(&items))
    }

    fn halt_compiler(&mut self, place: Place) -> Res<Stmt<'a>> {
        let tok = self.advance();
        self.expect(T::OpenParen)?;
        self.expect(T::CloseParen)?;
        if !self.at(T::Semicolon) {
            return Err(self.unexpected("\";\""));
        }
        if place != Place::Top {
            return Err(self.compile_error("__HALT_COMPILER() can only be used from the outermost scope"));
        }
        // The data begins after this token, and nothing behind it is PHP: do not look at it.
        let offset = self.tok.span.end;
        self.prev_end = offset;
        Ok(self.stmt(StmtKind::HaltCompiler { offset }, tok.line, tok.span.start))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Declarations

    /// `function f() {}`, or a closure that starts an expression statement.
    fn function_statement(&mut self, attributes: &'a [AttributeGroup<'a>]) -> Res<Stmt<'a>> {
        let tok = self.advance();
        let start = tok.span.start;
        let returns_ref = self.eat_ampersand();
        if self.at(T::Ident) || self.at(T::Readonly) {
            let function = self.function_rest(tok, returns_ref, attributes)?;
            return Ok(self.stmt(StmtKind::Function(self.alloc(function)), tok.line, start));
        }
        let closure = self.closure_rest(start, tok.line, false, returns_ref, attributes)?;
        let expr = self.expr_after(closure)?;
        self.end_expression_statement(expr)
    }

    fn attributed_statement(&mut self, place: Place) -> Res<Stmt<'a>> {
        let start = self.tok.span.start;
        let attributes = self.attributes()?;
        match self.kind() {
            T::Function if place != Place::Single => self.function_statement(attributes),
            T::Class | T::Abstract | T::Final | T::Readonly | T::Trait | T::Interface | T::Enum
                if place != Place::Single =>
            {
                let class = self.class_declaration(attributes)?;
                Ok(self.stmt(StmtKind::Class(self.alloc(class)), class.start_line, start))
            }
            T::Function | T::Fn | T::Static => {
                let closure = self.closure_with(start, attributes)?;
                let expr = self.expr_after(closure)?;
                self.end_expression_statement(expr)
            }
            _ if place == Place::Single => Err(self.unexpected(CLOSURE_OR_ATTRIBUTE)),
            _ => Err(self.unexpected("")),
        }
    }
}
