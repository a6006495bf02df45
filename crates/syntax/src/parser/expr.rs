//! Expressions: operators by precedence climbing, and what starts an expression.
//!
//! Two of PHP's rules are not about precedence: an assignment binds to the bare variable on its left, however strong the
//! operator before it (`!$a = 1`), and operators like `print`, `yield` or `fn` may stand as the operand of a stronger
//! operator and then take everything to their right that is stronger than they are.

use crate::ast::*;
use crate::literal::{self, Number};
use crate::parser::postfix::Deref;
use crate::parser::{Parser, Res};
use crate::{SyntaxError, SyntaxErrorKind};
use crate::token::TokenKind as T;

/// Binding powers, weakest first, as PHP's manual lists them.
mod power {
    pub const ANY: u8 = 0;
    pub const OR: u8 = 2;
    pub const XOR: u8 = 3;
    pub const AND: u8 = 4;
    pub const PRINT: u8 = 5;
    pub const YIELD: u8 = 6;
    pub const DOUBLE_ARROW: u8 = 7;
    pub const YIELD_FROM: u8 = 8;
    pub const ASSIGN: u8 = 9;
    pub const TERNARY: u8 = 10;
    pub const COALESCE: u8 = 11;
    pub const BOOLEAN_OR: u8 = 12;
    pub const BOOLEAN_AND: u8 = 13;
    pub const BIT_OR: u8 = 14;
    pub const BIT_XOR: u8 = 15;
    pub const BIT_AND: u8 = 16;
    pub const EQUALITY: u8 = 17;
    pub const COMPARISON: u8 = 18;
    pub const CONCAT: u8 = 19;
    pub const SHIFT: u8 = 20;
    pub const ADD: u8 = 21;
    pub const MUL: u8 = 22;
    pub const NOT: u8 = 23;
    pub const INSTANCEOF: u8 = 24;
    pub const UNARY: u8 = 25;
    pub const POW: u8 = 26;
    pub const CLONE: u8 = 27;
}

/// Binding power and operator of a plain binary operator.
#[inline(always)]
fn binary(kind: T) -> Option<(u8, BinaryOp)> {
    use BinaryOp as B;
    Some(match kind {
        T::LogicalOr => (power::OR, B::Or),
        T::LogicalXor => (power::XOR, B::Xor),
        T::LogicalAnd => (power::AND, B::And),
        T::Coalesce => (power::COALESCE, B::Coalesce),
        T::BooleanOr => (power::BOOLEAN_OR, B::Or),
        T::BooleanAnd => (power::BOOLEAN_AND, B::And),
        T::Pipe => (power::BIT_OR, B::BitOr),
        T::Caret => (power::BIT_XOR, B::BitXor),
        T::Amp | T::AmpVar => (power::BIT_AND, B::BitAnd),
        T::IsEqual => (power::EQUALITY, B::Equal),
        T::IsNotEqual => (power::EQUALITY, B::NotEqual),
        T::IsIdentical => (power::EQUALITY, B::Identical),
        T::IsNotIdentical => (power::EQUALITY, B::NotIdentical),
        T::Spaceship => (power::EQUALITY, B::Spaceship),
        T::Less => (power::COMPARISON, B::Less),
        T::IsSmallerOrEqual => (power::COMPARISON, B::LessEqual),
        T::Greater => (power::COMPARISON, B::Greater),
        T::IsGreaterOrEqual => (power::COMPARISON, B::GreaterEqual),
        T::Dot => (power::CONCAT, B::Concat),
        T::Sl => (power::SHIFT, B::ShiftLeft),
        T::Sr => (power::SHIFT, B::ShiftRight),
        T::Plus => (power::ADD, B::Add),
        T::Minus => (power::ADD, B::Sub),
        T::Star => (power::MUL, B::Mul),
        T::Slash => (power::MUL, B::Div),
        T::Percent => (power::MUL, B::Mod),
        T::Pow => (power::POW, B::Pow),
        _ => return None,
    })
}

/// The operator of a compound assignment.
fn compound(kind: T) -> Option<BinaryOp> {
    use BinaryOp as B;
    Some(match kind {
        T::PlusEqual => B::Add,
        T::MinusEqual => B::Sub,
        T::MulEqual => B::Mul,
        T::DivEqual => B::Div,
        T::ConcatEqual => B::Concat,
        T::ModEqual => B::Mod,
        T::AndEqual => B::BitAnd,
        T::OrEqual => B::BitOr,
        T::XorEqual => B::BitXor,
        T::SlEqual => B::ShiftLeft,
        T::SrEqual => B::ShiftRight,
        T::PowEqual => B::Pow,
        T::CoalesceEqual => B::Coalesce,
        _ => return None,
    })
}

/// Is it what PHP's grammar calls a variable: something that assignment may have on its left?
pub(super) fn is_variable(expr: &Expr<'_>) -> bool {
    !expr.paren
        && matches!(
            expr.kind,
            ExprKind::Var(_)
                | ExprKind::VarVar(_)
                | ExprKind::Index { .. }
                | ExprKind::Prop(_)
                | ExprKind::StaticProp(_)
                | ExprKind::MethodCall(_)
                | ExprKind::StaticCall(_)
        )
        || matches!(expr.kind, ExprKind::Call(call) if !expr.paren && !is_exit(call))
}

/// `exit` parses like a call, but is an operand of its own kind.
fn is_exit(call: &Call<'_>) -> bool {
    matches!(call.callee, Callee::Name(name) if name.kind == NameKind::Unqualified
        && (name.bytes.eq_ignore_ascii_case(b"exit") || name.bytes.eq_ignore_ascii_case(b"die")))
}

/// May a token start an expression?
pub(super) fn starts_expr(kind: T) -> bool {
    matches!(
        kind,
        T::Variable
            | T::Dollar
            | T::Ident
            | T::NameFq
            | T::NameQualified
            | T::NameRelative
            | T::LNumber
            | T::DNumber
            | T::ConstString
            | T::DoubleQuote
            | T::Backquote
            | T::StartHeredoc
            | T::OpenParen
            | T::OpenBracket
            | T::Plus
            | T::Minus
            | T::Not
            | T::Tilde
            | T::At
            | T::Inc
            | T::Dec
            | T::IntCast
            | T::DoubleCast
            | T::StringCast
            | T::ArrayCast
            | T::ObjectCast
            | T::BoolCast
            | T::UnsetCast
            | T::Attribute
            | T::Array
            | T::List
            | T::Static
            | T::Function
            | T::Fn
            | T::New
            | T::Clone
            | T::Include
            | T::IncludeOnce
            | T::Require
            | T::RequireOnce
            | T::Eval
            | T::Isset
            | T::Empty
            | T::Exit
            | T::Readonly
            | T::Match
            | T::Throw
            | T::Print
            | T::Yield
            | T::YieldFrom
            | T::MagicClass
            | T::MagicTrait
            | T::MagicFunction
            | T::MagicMethod
            | T::MagicProperty
            | T::MagicLine
            | T::MagicFile
            | T::MagicDir
            | T::MagicNamespace
    )
}

impl<'a> Parser<'a> {
    #[inline(always)]
    pub(super) fn make(&self, kind: ExprKind<'a>, line: u32, start: u32) -> Expr<'a> {
        Expr { kind, line, span: self.span_from(start), paren: false }
    }

    #[inline]
    pub(super) fn expr(&mut self) -> Res<Expr<'a>> {
        self.expr_above(power::ANY)
    }

    /// An expression in the arena.
    #[inline]
    pub(super) fn expr_ref(&mut self) -> Res<&'a Expr<'a>> {
        let expr = self.expr()?;
        Ok(self.alloc(expr))
    }

    /// An expression of operators at least as strong as `min`.
    fn expr_above(&mut self, min: u8) -> Res<Expr<'a>> {
        self.nested(|p| {
            let left = p.operand()?;
            p.operators(left, min)
        })
    }

    fn operand_ref(&mut self, min: u8) -> Res<&'a Expr<'a>> {
        let expr = self.expr_above(min)?;
        Ok(self.alloc(expr))
    }

    /// Goes on after an operand that the caller has parsed.
    pub(super) fn expr_after(&mut self, left: Expr<'a>) -> Res<Expr<'a>> {
        self.operators(left, power::ANY)
    }

    /// The operators that follow `left`.
    #[inline]
    fn operators(&mut self, mut left: Expr<'a>, min: u8) -> Res<Expr<'a>> {
        let mut non_associative = 0;
        let mut chain = 0;
        loop {
            chain += 1;
            self.check_chain(chain)?;
            let kind = self.kind();
            if let Some((power, op)) = binary(kind) {
                if power < min {
                    return Ok(left);
                }
                if power == non_associative {
                    return Err(self.unexpected(""));
                }
                non_associative = if matches!(power, power::EQUALITY | power::COMPARISON) { power } else { 0 };
                self.advance();
                let right_associative = matches!(power, power::COALESCE | power::POW);
                let right = self.operand_ref(if right_associative { power } else { power + 1 })?;
                let (line, start) = (left.line, left.span.start);
                left = self.make(ExprKind::Binary { op, left: self.alloc(left), right }, line, start);
                if op == BinaryOp::Concat && is_literal(&left) {
                    // A literal that is made here, where PHP has read what follows.
                    left.line = self.lexer.line();
                }
                continue;
            }
            let (line, start) = (left.line, left.span.start);
            match kind {
                T::Assign => {
                    if is_variable(&left) {
                        left = self.assignment(left)?;
                        non_associative = 0;
                        continue;
                    }
                    let destructuring = !left.paren
                        && matches!(left.kind, ExprKind::Array(array) if array.syntax == ArraySyntax::Short);
                    if !destructuring {
                        return Ok(left);
                    }
                    self.advance();
                    let value = self.operand_ref(power::ASSIGN + 1)?;
                    left = self.make(ExprKind::Assign { target: self.alloc(left), value }, line, start);
                }
                T::Question => {
                    if power::TERNARY < min {
                        return Ok(left);
                    }
                    self.advance();
                    let then = if self.at(T::Colon) { None } else { Some(self.expr_ref()?) };
                    self.expect_quiet(T::Colon)?;
                    let otherwise = self.operand_ref(power::TERNARY + 1)?;
                    left = self.make(ExprKind::Ternary { cond: self.alloc(left), then, otherwise }, line, start);
                }
                T::Instanceof => {
                    if power::INSTANCEOF < min {
                        return Ok(left);
                    }
                    self.advance();
                    let class = self.class_reference("")?;
                    let kind = ExprKind::Instanceof { expr: self.alloc(left), class: self.alloc(class) };
                    left = self.make(kind, line, start);
                }
                _ => match compound(kind) {
                    Some(op) if is_variable(&left) => {
                        self.advance();
                        let value = self.operand_ref(power::ASSIGN + 1)?;
                        left = self.make(ExprKind::AssignOp { op, target: self.alloc(left), value }, line, start);
                    }
                    _ => return Ok(left),
                },
            }
            non_associative = 0;
        }
    }

    /// `= value` or `= &variable` after a variable.
    fn assignment(&mut self, target: Expr<'a>) -> Res<Expr<'a>> {
        let (line, start) = (target.line, target.span.start);
        let target = self.alloc(target);
        self.advance();
        if self.at(T::Amp) || self.at(T::AmpVar) {
            self.advance();
            let value = self.variable()?;
            return Ok(self.make(ExprKind::AssignRef { target, value: self.alloc(value) }, line, start));
        }
        let value = self.operand_ref(power::ASSIGN + 1)?;
        Ok(self.make(ExprKind::Assign { target, value }, line, start))
    }

    /// What PHP's grammar calls a variable; anything else fails, in PHP's words.
    pub(super) fn variable(&mut self) -> Res<Expr<'a>> {
        let expr = self.variable_or_array()?;
        if !is_variable(&expr) {
            return Err(self.not_a_variable(&expr));
        }
        Ok(expr)
    }

    pub(super) fn not_a_variable(&mut self, expr: &Expr<'a>) -> crate::parser::Failed {
        match expr.kind {
            // `new A` without arguments can only go on with them.
            ExprKind::New(_) if !expr.paren && self.src.get(self.prev_end as usize - 1) != Some(&b')') => {
                self.unexpected("\"(\"")
            }
            _ => self.unexpected(r#""->" or "?->" or "[""#),
        }
    }

    /// What a variable can start with, and its tail. The caller checks what came out.
    pub(super) fn variable_or_array(&mut self) -> Res<Expr<'a>> {
        match self.kind() {
            T::Variable
            | T::Dollar
            | T::Ident
            | T::NameFq
            | T::NameQualified
            | T::NameRelative
            | T::Static
            | T::OpenParen
            | T::OpenBracket
            | T::Array
            | T::ConstString
            | T::DoubleQuote
            | T::Readonly
            | T::New
            | T::MagicClass
            | T::MagicTrait
            | T::MagicFunction
            | T::MagicMethod
            | T::MagicProperty
            | T::MagicLine
            | T::MagicFile
            | T::MagicDir
            | T::MagicNamespace => self.nested(|p| p.postfix_operand()),
            _ => Err(self.unexpected("")),
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Operands

    /// A prefix operator with its operand, or an operand with everything that may follow it (`->`, `[`, `(`, `::`, `++`).
    #[inline]
    fn operand(&mut self) -> Res<Expr<'a>> {
        let kind = self.kind();
        let (start, line) = (self.tok.span.start, self.tok.line);
        match kind {
            T::Variable => {
                let tok = self.advance();
                let name = &self.text(tok.span)[1..];
                let var = self.make(ExprKind::Var(name), line, start);
                let expr = self.postfix(var, Deref::All)?;
                self.increments(expr)
            }
            T::ConstString => {
                let span = self.tok.span;
                let value = self.const_string(span)?;
                self.advance();
                let expr = self.make(ExprKind::String(value), line, start);
                let expr = self.postfix(expr, Deref::All)?;
                self.increments(expr)
            }
            T::LNumber | T::DNumber => {
                let kind = match literal::number(self.take_text()) {
                    Number::Int(value) => ExprKind::Int(value),
                    Number::Float(value) => ExprKind::Float(value),
                };
                Ok(self.make(kind, line, start))
            }
            T::Ident
            | T::NameFq
            | T::NameQualified
            | T::NameRelative
            | T::Dollar
            | T::OpenParen
            | T::OpenBracket
            | T::Array
            | T::DoubleQuote
            | T::Readonly
            | T::New
            | T::MagicClass
            | T::MagicTrait
            | T::MagicFunction
            | T::MagicMethod
            | T::MagicProperty
            | T::MagicLine
            | T::MagicFile
            | T::MagicDir
            | T::MagicNamespace => {
                let expr = self.postfix_operand()?;
                self.increments(expr)
            }
            T::Static => {
                self.advance();
                if self.at(T::Function) || self.at(T::Fn) {
                    return self.closure(start, true, &[]);
                }
                let expr = self.static_access(start, line)?;
                self.increments(expr)
            }
            T::StartHeredoc => {
                let kind = self.heredoc()?;
                Ok(self.make(kind, line, start))
            }
            T::Backquote => {
                let parts = self.backquotes()?;
                Ok(self.make(ExprKind::ShellExec(parts), line, start))
            }
            T::Plus => self.unary(UnaryOp::Plus, power::UNARY),
            T::Minus => self.unary(UnaryOp::Minus, power::UNARY),
            T::Not => self.unary(UnaryOp::Not, power::NOT),
            T::Tilde => self.unary(UnaryOp::BitNot, power::UNARY),
            T::At => self.unary(UnaryOp::Silence, power::UNARY),
            T::IntCast => self.cast(CastKind::Int),
            T::DoubleCast => self.cast(CastKind::Float),
            T::StringCast => self.cast(CastKind::String),
            T::ArrayCast => self.cast(CastKind::Array),
            T::ObjectCast => self.cast(CastKind::Object),
            T::BoolCast => self.cast(CastKind::Bool),
            T::UnsetCast => {
                self.advance();
                let expr = self.operand_ref(power::UNARY + 1)?;
                // PHP's compiler refuses it, so every syntax error of the file comes first.
                self.refused.get_or_insert_with(|| SyntaxError {
                    message: b"The (unset) cast is no longer supported".to_vec(),
                    line: expr.line,
                    kind: SyntaxErrorKind::Compile,
                });
                Ok(self.make(ExprKind::Cast { kind: CastKind::String, expr }, expr.line, start))
            }
            T::Inc | T::Dec => {
                self.advance();
                let target = self.variable()?;
                let operand = self.alloc(target);
                let node = if kind == T::Inc { ExprKind::PreInc(operand) } else { ExprKind::PreDec(operand) };
                Ok(self.make(node, target.line, start))
            }
            T::List => {
                let target = self.list_pattern()?;
                self.list_assignment(target)
            }
            T::Function | T::Fn => self.closure(start, false, &[]),
            T::Attribute => self.attributed_closure(start),
            T::Clone => self.prefix(power::CLONE + 1, ExprKind::Clone),
            T::Print => self.prefix(power::PRINT + 1, ExprKind::Print),
            T::Throw => self.prefix(power::ANY, ExprKind::Throw),
            T::Include => self.include(IncludeKind::Include),
            T::IncludeOnce => self.include(IncludeKind::IncludeOnce),
            T::Require => self.include(IncludeKind::Require),
            T::RequireOnce => self.include(IncludeKind::RequireOnce),
            T::Eval => {
                self.advance();
                self.expect(T::OpenParen)?;
                let expr = self.expr_ref()?;
                self.expect_quiet(T::CloseParen)?;
                Ok(self.make(ExprKind::Include { kind: IncludeKind::Eval, expr }, expr.line, start))
            }
            T::Isset => {
                self.advance();
                self.expect(T::OpenParen)?;
                let list = self.expr_list()?;
                self.expect(T::CloseParen)?;
                let line = list.first().map_or(line, |first| first.line);
                Ok(self.make(ExprKind::Isset(list), line, start))
            }
            T::Empty => {
                self.advance();
                self.expect(T::OpenParen)?;
                let expr = self.expr_ref()?;
                self.expect_quiet(T::CloseParen)?;
                Ok(self.make(ExprKind::Empty(expr), expr.line, start))
            }
            T::Exit => {
                let bytes = self.take_text();
                let name = Name { kind: NameKind::Unqualified, bytes, line };
                let args = if self.at(T::OpenParen) { self.args()? } else { Args::default() };
                let call = Call { callee: Callee::Name(name), args };
                Ok(self.make(ExprKind::Call(self.alloc(call)), line, start))
            }
            T::Yield => self.yield_expr(),
            T::YieldFrom => {
                self.has_yield = true;
                self.prefix(power::YIELD_FROM + 1, ExprKind::YieldFrom)
            }
            T::Match => self.match_expr(),
            _ => Err(self.unexpected("")),
        }
    }

    /// A prefix operator whose operand is made of operators at least as strong as `min`.
    fn prefix(&mut self, min: u8, node: fn(&'a Expr<'a>) -> ExprKind<'a>) -> Res<Expr<'a>> {
        let start = self.advance().span.start;
        let expr = self.operand_ref(min)?;
        Ok(self.make(node(expr), expr.line, start))
    }

    fn unary(&mut self, op: UnaryOp, power: u8) -> Res<Expr<'a>> {
        let start = self.advance().span.start;
        let expr = self.operand_ref(power + 1)?;
        Ok(self.make(ExprKind::Unary { op, expr }, expr.line, start))
    }

    fn cast(&mut self, kind: CastKind) -> Res<Expr<'a>> {
        let start = self.advance().span.start;
        let expr = self.operand_ref(power::UNARY + 1)?;
        Ok(self.make(ExprKind::Cast { kind, expr }, expr.line, start))
    }

    fn include(&mut self, kind: IncludeKind) -> Res<Expr<'a>> {
        let start = self.advance().span.start;
        let expr = self.operand_ref(power::ANY)?;
        Ok(self.make(ExprKind::Include { kind, expr }, expr.line, start))
    }

    fn yield_expr(&mut self) -> Res<Expr<'a>> {
        let tok = self.advance();
        let start = tok.span.start;
        self.has_yield = true;
        if !starts_expr(self.kind()) {
            return Ok(self.make(ExprKind::Yield { key: None, value: None }, tok.line, start));
        }
        let first = self.operand_ref(power::YIELD + 1)?;
        if !self.eat(T::DoubleArrow) {
            return Ok(self.make(ExprKind::Yield { key: None, value: Some(first) }, first.line, start));
        }
        let value = self.operand_ref(power::DOUBLE_ARROW + 1)?;
        // PHP keeps the value as the first operand.
        Ok(self.make(ExprKind::Yield { key: Some(first), value: Some(value) }, value.line, start))
    }

    /// `++` and `--` after a variable.
    #[inline(always)]
    fn increments(&mut self, expr: Expr<'a>) -> Res<Expr<'a>> {
        let kind = self.kind();
        if kind != T::Inc && kind != T::Dec || !is_variable(&expr) {
            return Ok(expr);
        }
        self.advance();
        let operand = self.alloc(expr);
        let node = if kind == T::Inc { ExprKind::PostInc(operand) } else { ExprKind::PostDec(operand) };
        Ok(self.make(node, expr.line, expr.span.start))
    }

    /// Expressions with commas between them, a trailing comma allowed.
    fn expr_list(&mut self) -> Res<&'a [Expr<'a>]> {
        let base = self.exprs.len();
        loop {
            let expr = self.expr()?;
            self.exprs.push(expr);
            if !self.eat(T::Comma) || !starts_expr(self.kind()) {
                break;
            }
        }
        let list = self.slice(&self.exprs[base..]);
        self.exprs.truncate(base);
        Ok(list)
    }

    fn match_expr(&mut self) -> Res<Expr<'a>> {
        let start = self.advance().span.start;
        self.expect(T::OpenParen)?;
        let subject = self.expr_ref()?;
        self.expect_quiet(T::CloseParen)?;
        self.expect(T::OpenBrace)?;
        let mut arms = Vec::new();
        while !self.at(T::CloseBrace) {
            let line = self.tok.line;
            let conds = if self.eat(T::Default) {
                self.eat(T::Comma);
                None
            } else if starts_expr(self.kind()) {
                let base = self.exprs.len();
                loop {
                    let expr = self.expr()?;
                    self.exprs.push(expr);
                    if !self.eat(T::Comma) || !starts_expr(self.kind()) {
                        break;
                    }
                }
                let list = self.slice(&self.exprs[base..]);
                self.exprs.truncate(base);
                Some(list)
            } else {
                break;
            };
            self.expect(T::DoubleArrow)?;
            let body = self.expr_ref()?;
            let line = conds.and_then(|list: &[Expr]| list.first()).map_or(line, |first| first.line);
            self.push(&mut arms, MatchArm { conds, body, line });
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(T::CloseBrace)?;
        let arms = self.slice(&arms);
        Ok(self.make(ExprKind::Match { subject, arms }, subject.line, start))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Arrays

    /// `list(...)` without what follows.
    pub(super) fn list_pattern(&mut self) -> Res<Expr<'a>> {
        let tok = self.advance();
        self.expect(T::OpenParen)?;
        self.array_elements(T::CloseParen, ArraySyntax::List, tok.span.start, tok.line)
    }

    /// `= value` after `list(...)`, which cannot stand alone.
    pub(super) fn list_assignment(&mut self, target: Expr<'a>) -> Res<Expr<'a>> {
        self.expect(T::Assign)?;
        let value = self.operand_ref(power::ASSIGN + 1)?;
        let (line, start) = (target.line, target.span.start);
        Ok(self.make(ExprKind::Assign { target: self.alloc(target), value }, line, start))
    }

    /// The elements up to `end`, which is taken.
    pub(super) fn array_elements(&mut self, end: T, syntax: ArraySyntax, start: u32, line: u32) -> Res<Expr<'a>> {
        let base = self.elements.len();
        loop {
            if self.at(end) {
                break;
            }
            if self.eat(T::Comma) {
                self.elements.push(ArrayElement::Skipped);
                continue;
            }
            let element = self.array_element(end)?;
            self.elements.push(element);
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.expect(end)?;
        // `list()` has one skipped element in PHP's tree; here it has none.
        let line = match self.elements.get(base) {
            Some(ArrayElement::Item { value, .. } | ArrayElement::Spread(value)) => value.line,
            _ => line,
        };
        let elements = self.slice(&self.elements[base..]);
        self.elements.truncate(base);
        let array = ArrayExpr { syntax, elements };
        Ok(self.make(ExprKind::Array(self.alloc(array)), line, start))
    }

    #[inline]
    fn array_element(&mut self, end: T) -> Res<ArrayElement<'a>> {
        match self.kind() {
            T::Ellipsis => {
                self.advance();
                let value = self.expr_ref()?;
                return Ok(ArrayElement::Spread(value));
            }
            T::Amp | T::AmpVar => return self.ref_element(None),
            kind if !starts_expr(kind) => return Err(self.unexpected_but(end)),
            _ => {}
        }
        let (first, pattern) = self.element_value()?;
        if pattern || !self.at(T::DoubleArrow) {
            return Ok(ArrayElement::Item { key: None, value: first, by_ref: false });
        }
        self.advance();
        if self.at(T::Amp) || self.at(T::AmpVar) {
            return self.ref_element(Some(first));
        }
        let (value, _) = self.element_value()?;
        Ok(ArrayElement::Item { key: Some(first), value, by_ref: false })
    }

    fn ref_element(&mut self, key: Option<&'a Expr<'a>>) -> Res<ArrayElement<'a>> {
        self.advance();
        let value = self.variable()?;
        if !matches!(self.kind(), T::Comma | T::CloseBracket | T::CloseParen) {
            return Err(self.not_a_variable(&value));
        }
        Ok(ArrayElement::Item { key, value: self.alloc(value), by_ref: true })
    }

    /// An element's expression, and whether it is a nested `list(...)` pattern.
    fn element_value(&mut self) -> Res<(&'a Expr<'a>, bool)> {
        if !self.at(T::List) {
            return Ok((self.expr_ref()?, false));
        }
        let target = self.nested(|p| p.list_pattern())?;
        if !self.at(T::Assign) {
            return Ok((self.alloc(target), true));
        }
        let assign = self.list_assignment(target)?;
        let expr = self.expr_after(assign)?;
        Ok((self.alloc(expr), false))
    }
}
