//! Operands with a tail: names, variables, `new`, and the `[...]`, `->`, `::` and `(...)` that may follow them.
//!
//! What may follow depends on what stands before: `1[0]` is an error, `A[0]` is not; `A::B` can be dereferenced but
//! not called; `new A` can have a tail only with arguments.

use crate::ast::*;
use crate::lexer::is_ident_start;
use crate::parser::expr::starts_expr;
use crate::parser::{Parser, Res};
use crate::token::TokenKind as T;

/// Which tails an operand may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Deref {
    None,
    /// `[`, `->`: constants.
    Members,
    /// And `::`: class constants.
    Static,
    /// And `(`: variables, calls, parentheses, strings, arrays.
    All,
}

const MEMBER_NAME: &str = r#"identifier or variable or "{" or "$""#;
const SIMPLE_VARIABLE: &str = r#"variable or "{" or "$""#;

impl<'a> Parser<'a> {
    /// An operand that may have a tail, with its tail.
    pub(super) fn postfix_operand(&mut self) -> Res<Expr<'a>> {
        let (start, line) = (self.tok.span.start, self.tok.line);
        let (expr, deref) = match self.kind() {
            T::Variable | T::Dollar => (self.simple_variable()?, Deref::All),
            T::Ident | T::NameFq | T::NameQualified | T::NameRelative => {
                let name = self.name();
                match self.kind() {
                    T::OpenParen => {
                        let args = self.args()?;
                        let call = Call { callee: Callee::Name(name), args };
                        (self.make(ExprKind::Call(self.alloc(call)), line, start), Deref::All)
                    }
                    T::PaamayimNekudotayim => {
                        self.advance();
                        self.static_member(ClassRef::Name(name), line, start)?
                    }
                    _ => (self.make(ExprKind::Const(name), line, start), Deref::Members),
                }
            }
            T::Static => {
                self.advance();
                return self.static_access(start, line);
            }
            T::OpenParen => {
                self.advance();
                let mut inner = self.expr()?;
                self.expect_quiet(T::CloseParen)?;
                inner.paren = true;
                (inner, Deref::All)
            }
            T::OpenBracket => {
                self.advance();
                (self.array_elements(T::CloseBracket, ArraySyntax::Short, start, line)?, Deref::All)
            }
            T::Array => {
                self.advance();
                self.expect(T::OpenParen)?;
                (self.array_elements(T::CloseParen, ArraySyntax::Long, start, line)?, Deref::All)
            }
            T::ConstString => {
                let span = self.tok.span;
                let value = self.const_string(span)?;
                self.advance();
                (self.make(ExprKind::String(value), line, start), Deref::All)
            }
            T::DoubleQuote => {
                let parts = self.double_quotes()?;
                // An unterminated string is an error before, so there is an interpolation: or PHP made it plain.
                let kind = match parts {
                    [] => ExprKind::String(b""),
                    [StringPart::Literal(text)] => ExprKind::String(text),
                    _ => ExprKind::Interpolated(parts),
                };
                (self.make(kind, line, start), Deref::All)
            }
            T::New => self.new_expr()?,
            T::Readonly => {
                // A function may be called `readonly`.
                self.note_name();
                let name = self.name();
                if !self.at(T::OpenParen) {
                    return Err(self.unexpected_but(T::OpenParen));
                }
                let call = Call { callee: Callee::Name(name), args: self.args()? };
                (self.make(ExprKind::Call(self.alloc(call)), line, start), Deref::All)
            }
            kind => {
                let magic = match kind {
                    T::MagicClass => MagicConst::Class,
                    T::MagicTrait => MagicConst::Trait,
                    T::MagicFunction => MagicConst::Function,
                    T::MagicMethod => MagicConst::Method,
                    T::MagicProperty => MagicConst::Property,
                    T::MagicLine => MagicConst::Line,
                    T::MagicFile => MagicConst::File,
                    T::MagicDir => MagicConst::Dir,
                    T::MagicNamespace => MagicConst::Namespace,
                    _ => return Err(self.unexpected("")),
                };
                self.advance();
                (self.make(ExprKind::MagicConst(magic), line, start), Deref::Members)
            }
        };
        self.postfix(expr, deref)
    }

    /// What follows the keyword `static` in an expression, closures aside.
    pub(super) fn static_access(&mut self, start: u32, line: u32) -> Res<Expr<'a>> {
        self.expect(T::PaamayimNekudotayim)?;
        let (expr, deref) = self.static_member(ClassRef::Static(line), line, start)?;
        self.postfix(expr, deref)
    }

    /// The tail of an operand.
    #[inline]
    pub(super) fn postfix(&mut self, mut expr: Expr<'a>, mut deref: Deref) -> Res<Expr<'a>> {
        let mut chain = 0;
        loop {
            let (line, start) = (expr.line, if expr.paren { expr.span.start.saturating_sub(1) } else { expr.span.start });
            match self.kind() {
                T::OpenBracket if deref >= Deref::Members => {
                    self.advance();
                    let index = self.optional_expr(T::CloseBracket)?;
                    self.expect(T::CloseBracket)?;
                    expr = self.make(ExprKind::Index { base: self.alloc(expr), index }, line, start);
                }
                T::ObjectOperator | T::NullsafeObjectOperator if deref >= Deref::Members => {
                    let nullsafe = self.advance().kind == T::NullsafeObjectOperator;
                    let name = self.property_name()?;
                    let object = self.alloc(expr);
                    expr = if self.at(T::OpenParen) {
                        let args = self.args()?;
                        let call = MethodCall { object, name, args, nullsafe };
                        self.make(ExprKind::MethodCall(self.alloc(call)), line, start)
                    } else {
                        let prop = Prop { object, name, nullsafe };
                        self.make(ExprKind::Prop(self.alloc(prop)), line, start)
                    };
                }
                T::OpenParen if deref == Deref::All => {
                    // The line of such a call, and of what is taken from its result, is that of the parenthesis.
                    let line = self.lexer.line();
                    let args = self.args()?;
                    let call = Call { callee: Callee::Expr(self.alloc(expr)), args };
                    expr = self.make(ExprKind::Call(self.alloc(call)), line, start);
                }
                T::PaamayimNekudotayim if deref >= Deref::Static => {
                    self.advance();
                    let class = ClassRef::Expr(self.alloc(expr));
                    (expr, deref) = self.static_member(class, line, start)?;
                    continue;
                }
                _ => return Ok(expr),
            }
            deref = Deref::All;
            chain += 1;
            self.check_chain(chain)?;
        }
    }

    /// What follows `::`.
    fn static_member(&mut self, class: ClassRef<'a>, line: u32, start: u32) -> Res<(Expr<'a>, Deref)> {
        let name_line = self.tok.line;
        let kind = self.kind();
        if kind.is_identifier() {
            self.note_name();
            let bytes = self.take_text();
            let name = Ident { kind: IdentKind::Name(bytes), line: name_line };
            if self.at(T::OpenParen) {
                return self.static_call(class, name, line, start);
            }
            if kind == T::Class {
                return Ok((self.make(ExprKind::ClassName(self.alloc(class)), line, start), Deref::Static));
            }
            let constant = ClassConst { class, name };
            return Ok((self.make(ExprKind::ClassConst(self.alloc(constant)), line, start), Deref::Static));
        }
        match kind {
            T::Variable | T::Dollar => {
                let var = self.simple_variable()?;
                if self.at(T::OpenParen) {
                    let name = Ident { kind: IdentKind::Expr(self.alloc(var)), line: name_line };
                    return self.static_call(class, name, line, start);
                }
                let name = Ident { kind: static_prop_name(&var), line: name_line };
                let prop = StaticProp { class, name };
                Ok((self.make(ExprKind::StaticProp(self.alloc(prop)), line, start), Deref::All))
            }
            T::OpenBrace => {
                self.advance();
                let expr = self.expr_ref()?;
                self.expect_quiet(T::CloseBrace)?;
                let name = Ident { kind: IdentKind::Expr(expr), line: expr.line };
                if self.at(T::OpenParen) {
                    return self.static_call(class, name, line, start);
                }
                let constant = ClassConst { class, name };
                Ok((self.make(ExprKind::ClassConst(self.alloc(constant)), line, start), Deref::Static))
            }
            _ => Err(self.unexpected("")),
        }
    }

    fn static_call(&mut self, class: ClassRef<'a>, name: Ident<'a>, line: u32, start: u32) -> Res<(Expr<'a>, Deref)> {
        let args = self.args()?;
        let call = StaticCall { class, name, args };
        Ok((self.make(ExprKind::StaticCall(self.alloc(call)), line, start), Deref::All))
    }

    /// The name after `->`.
    fn property_name(&mut self) -> Res<Ident<'a>> {
        let line = self.tok.line;
        let kind = match self.kind() {
            T::Ident => IdentKind::Name(self.take_text()),
            T::Variable | T::Dollar => {
                let var = self.simple_variable()?;
                IdentKind::Expr(self.alloc(var))
            }
            T::OpenBrace => {
                self.advance();
                let expr = self.expr_ref()?;
                self.expect_quiet(T::CloseBrace)?;
                return Ok(Ident { kind: IdentKind::Expr(expr), line: expr.line });
            }
            _ => return Err(self.unexpected(MEMBER_NAME)),
        };
        Ok(Ident { kind, line })
    }

    /// `$a`, `$$a`, `${expr}`
    pub(super) fn simple_variable(&mut self) -> Res<Expr<'a>> {
        let tok = self.tok;
        let start = tok.span.start;
        if tok.kind == T::Variable {
            self.advance();
            return Ok(self.make(ExprKind::Var(&self.text(tok.span)[1..]), tok.line, start));
        }
        self.advance();
        let inner = match self.kind() {
            T::Variable | T::Dollar => self.nested(|p| p.simple_variable())?,
            T::OpenBrace => {
                self.advance();
                let inner = self.expr()?;
                self.expect_quiet(T::CloseBrace)?;
                inner
            }
            _ => return Err(self.unexpected(SIMPLE_VARIABLE)),
        };
        Ok(self.make(ExprKind::VarVar(self.alloc(inner)), inner.line, start))
    }

    /// The name at the current token, which is one.
    #[inline(always)]
    pub(super) fn name(&mut self) -> Name<'a> {
        let tok = self.advance();
        let text = self.text(tok.span);
        let (kind, bytes) = match tok.kind {
            T::NameFq => (NameKind::FullyQualified, &text[1..]),
            T::NameQualified => (NameKind::Qualified, text),
            T::NameRelative => (NameKind::Relative, &text[b"namespace\\".len()..]),
            _ => (NameKind::Unqualified, text),
        };
        Name { kind, bytes, line: tok.line }
    }

    /// A class's name; `static` is one for PHP's parser (the compiler refuses it).
    pub(super) fn class_name(&mut self) -> Res<Name<'a>> {
        match self.kind() {
            T::Ident | T::NameFq | T::NameQualified | T::NameRelative | T::Static => Ok(self.name()),
            _ => Err(self.unexpected("")),
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Arguments

    /// `(...)` of a call, from the bracket on.
    #[inline]
    pub(super) fn args(&mut self) -> Res<Args<'a>> {
        self.advance();
        if self.eat(T::CloseParen) {
            return Ok(Args::default());
        }
        let base = self.args.len();
        loop {
            let line = self.tok.line;
            let kind = self.kind();
            let arg = if kind == T::Ellipsis {
                self.advance();
                if self.args.len() == base && self.at(T::CloseParen) {
                    self.advance();
                    return Ok(Args { items: &[], first_class_callable: true });
                }
                let value = self.expr_ref()?;
                Arg { name: None, value, spread: true, line: value.line }
            } else if kind.is_identifier() && self.is_argument_name() {
                self.note_name();
                let name = self.take_text();
                self.advance();
                let value = self.expr_ref()?;
                Arg { name: Some(name), value, spread: false, line }
            } else if kind.is_semi_reserved() && !starts_expr(kind) {
                self.advance();
                return Err(self.unexpected_but(T::Colon));
            } else if self.args.len() > base && !starts_expr(kind) {
                return Err(self.unexpected_but(T::CloseParen));
            } else {
                if kind.is_semi_reserved() && goes_on_before_colon(kind) {
                    self.arg_keyword_end = self.tok.span.end;
                }
                let value = self.expr_ref()?;
                Arg { name: None, value, spread: false, line: value.line }
            };
            self.args.push(arg);
            if !self.eat(T::Comma) || self.at(T::CloseParen) {
                break;
            }
        }
        self.expect(T::CloseParen)?;
        let items = self.slice(&self.args[base..]);
        self.args.truncate(base);
        Ok(Args { items, first_class_callable: false })
    }

    /// Does a single colon follow the identifier at the current token?
    #[inline]
    fn is_argument_name(&self) -> bool {
        let (byte, next) = self.lexer.peek_bytes();
        byte == b':' && next != b':'
    }

    // -----------------------------------------------------------------------------------------------------------------
    // new, instanceof

    fn new_expr(&mut self) -> Res<(Expr<'a>, Deref)> {
        let start = self.advance().span.start;
        let attributes = if self.at(T::Attribute) { self.attributes()? } else { &[] };
        if matches!(self.kind(), T::Class | T::Abstract | T::Final | T::Readonly) {
            let new = self.anonymous_class(attributes)?;
            let line = new.class.start_line;
            return Ok((self.make(ExprKind::NewAnonymous(self.alloc(new)), line, start), Deref::All));
        }
        if !attributes.is_empty() {
            return Err(self.unexpected_but(T::Class));
        }
        let class = self.class_reference("\"class\"")?;
        let line = match class {
            ClassRef::Name(name) => name.line,
            ClassRef::Static(line) => line,
            ClassRef::Expr(expr) => expr.line,
        };
        let (args, deref) = if self.at(T::OpenParen) {
            (self.args()?, Deref::All)
        } else {
            (Args::default(), Deref::None)
        };
        Ok((self.make(ExprKind::New(self.alloc(New { class, args })), line, start), deref))
    }

    /// What follows `new` and `instanceof`: a name, `(expr)`, or a variable without calls.
    pub(super) fn class_reference(&mut self, expecting: &str) -> Res<ClassRef<'a>> {
        let (start, line) = (self.tok.span.start, self.tok.line);
        let mut expr = match self.kind() {
            T::Ident | T::NameFq | T::NameQualified | T::NameRelative => {
                let name = self.name();
                if !self.at(T::PaamayimNekudotayim) {
                    return Ok(ClassRef::Name(name));
                }
                self.class_reference_static_prop(ClassRef::Name(name), line, start)?
            }
            T::Static => {
                self.advance();
                if !self.at(T::PaamayimNekudotayim) {
                    return Ok(ClassRef::Static(line));
                }
                self.class_reference_static_prop(ClassRef::Static(line), line, start)?
            }
            T::OpenParen => {
                self.advance();
                let mut inner = self.expr()?;
                self.expect_quiet(T::CloseParen)?;
                inner.paren = true;
                return Ok(ClassRef::Expr(self.alloc(inner)));
            }
            T::Variable | T::Dollar => self.simple_variable()?,
            _ => return Err(self.unexpected(expecting)),
        };
        let mut chain = 0;
        loop {
            chain += 1;
            self.check_chain(chain)?;
            match self.kind() {
                T::OpenBracket => {
                    self.advance();
                    let index = self.optional_expr(T::CloseBracket)?;
                    self.expect(T::CloseBracket)?;
                    expr = self.make(ExprKind::Index { base: self.alloc(expr), index }, line, start);
                }
                T::ObjectOperator | T::NullsafeObjectOperator => {
                    let nullsafe = self.advance().kind == T::NullsafeObjectOperator;
                    let name = self.property_name()?;
                    let prop = Prop { object: self.alloc(expr), name, nullsafe };
                    expr = self.make(ExprKind::Prop(self.alloc(prop)), line, start);
                }
                T::PaamayimNekudotayim => {
                    let class = ClassRef::Expr(self.alloc(expr));
                    expr = self.class_reference_static_prop(class, line, start)?;
                }
                _ => return Ok(ClassRef::Expr(self.alloc(expr))),
            }
        }
    }

    fn class_reference_static_prop(&mut self, class: ClassRef<'a>, line: u32, start: u32) -> Res<Expr<'a>> {
        self.advance();
        let name_line = self.tok.line;
        if !self.at(T::Variable) && !self.at(T::Dollar) {
            return Err(self.unexpected(r#"variable or "$""#));
        }
        let var = self.simple_variable()?;
        let prop = StaticProp { class, name: Ident { kind: static_prop_name(&var), line: name_line } };
        Ok(self.make(ExprKind::StaticProp(self.alloc(prop)), line, start))
    }

    /// Does `$name` follow the current token?
    pub(super) fn variable_follows(&self) -> bool {
        let (byte, next) = self.lexer.peek_bytes();
        byte == b'$' && is_ident_start(next)
    }
}

/// Must more follow this keyword in an expression? (PHP has no more use for a colon after the others.)
fn goes_on_before_colon(kind: T) -> bool {
    !matches!(kind, T::Fn | T::Function | T::Exit | T::Yield)
        && !(T::MagicClass as u8..=T::MagicNamespace as u8).contains(&(kind as u8))
}

/// The name of a static property, of the variable that stands after `::`.
fn static_prop_name<'a>(var: &Expr<'a>) -> IdentKind<'a> {
    match var.kind {
        ExprKind::Var(name) => IdentKind::Name(name),
        ExprKind::VarVar(inner) => IdentKind::Expr(inner),
        // `simple_variable` makes nothing else.
        _ => IdentKind::Name(b""),
    }
}
