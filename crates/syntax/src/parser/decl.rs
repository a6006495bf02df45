//! Functions, closures, parameters, types and attributes.

use crate::ast::*;
use crate::parser::{Parser, Res};
use crate::token::{Token, TokenKind as T};

/// What may follow an attribute in an expression.
pub(super) const CLOSURE_OR_ATTRIBUTE: &str = r##""function" or "fn" or "static" or "#[""##;

impl<'a> Parser<'a> {
    /// The `&` of a function that returns by reference.
    pub(super) fn eat_ampersand(&mut self) -> bool {
        if self.at(T::Amp) || self.at(T::AmpVar) {
            self.advance();
            return true;
        }
        false
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Attributes

    /// One or more `#[...]`.
    pub(super) fn attributes(&mut self) -> Res<&'a [AttributeGroup<'a>]> {
        let mut groups = Vec::new();
        while self.at(T::Attribute) {
            self.advance();
            let mut attributes = Vec::new();
            loop {
                let name = self.class_name()?;
                let args = if self.at(T::OpenParen) { Some(self.args()?) } else { None };
                self.push(&mut attributes, Attribute { name, args, line: name.line });
                if !self.eat(T::Comma) || self.at(T::CloseBracket) {
                    break;
                }
            }
            self.expect(T::CloseBracket)?;
            let item = AttributeGroup { attributes: self.slice(&attributes) };
            self.push(&mut groups, item);
        }
        Ok(self.slice(&groups))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Functions

    /// Parses a body or parameters with the `yield` mark of an outer function put aside. Returns whether there was a `yield`.
    pub(super) fn in_function<V>(&mut self, parse: impl FnOnce(&mut Self) -> Res<V>) -> Res<(V, bool)> {
        let outer = std::mem::replace(&mut self.has_yield, false);
        let value = parse(self)?;
        let is_generator = std::mem::replace(&mut self.has_yield, outer);
        Ok((value, is_generator))
    }

    /// A named function from its name on.
    pub(super) fn function_rest(
        &mut self,
        keyword: Token,
        returns_ref: bool,
        attributes: &'a [AttributeGroup<'a>],
    ) -> Res<Function<'a>> {
        self.note_name();
        let name = self.take_text();
        let doc = self.take_doc();
        self.expect(T::OpenParen)?;
        let params = self.params()?;
        let return_type = self.return_type()?;
        let (body, is_generator) = self.in_function(|p| p.block())?;
        Ok(Function {
            kind: FunctionKind::Function,
            name,
            modifiers: Modifiers::NONE,
            returns_ref,
            params: Some(params),
            uses: &[],
            return_type,
            body: FunctionBody::Block(body),
            is_generator,
            attributes,
            doc,
            start_line: keyword.line,
            end_line: self.prev_line,
            span: self.span_from(keyword.span.start),
        })
    }

    /// `: type`
    pub(super) fn return_type(&mut self) -> Res<Option<&'a Type<'a>>> {
        if !self.eat(T::Colon) {
            return Ok(None);
        }
        let ty = self.type_expr(true, "")?;
        Ok(Some(self.alloc(ty)))
    }

    /// A closure or arrow function in an expression, from `#[` on.
    pub(super) fn attributed_closure(&mut self, start: u32) -> Res<Expr<'a>> {
        let attributes = self.attributes()?;
        if !matches!(self.kind(), T::Function | T::Fn | T::Static) {
            return Err(self.unexpected(CLOSURE_OR_ATTRIBUTE));
        }
        self.closure_with(start, attributes)
    }

    /// A closure or arrow function after its attributes.
    pub(super) fn closure_with(&mut self, start: u32, attributes: &'a [AttributeGroup<'a>]) -> Res<Expr<'a>> {
        let is_static = self.eat(T::Static);
        if !self.at(T::Function) && !self.at(T::Fn) {
            return Err(self.unexpected(r#""function" or "fn""#));
        }
        self.closure(start, is_static, attributes)
    }

    /// A closure or arrow function, from `function` or `fn` on.
    pub(super) fn closure(
        &mut self,
        start: u32,
        is_static: bool,
        attributes: &'a [AttributeGroup<'a>],
    ) -> Res<Expr<'a>> {
        let keyword = self.advance();
        let returns_ref = self.eat_ampersand();
        if keyword.kind == T::Fn {
            return self.arrow_rest(start, keyword.line, is_static, returns_ref, attributes);
        }
        self.closure_rest(start, keyword.line, is_static, returns_ref, attributes)
    }

    /// A closure from its parameters on.
    pub(super) fn closure_rest(
        &mut self,
        start: u32,
        start_line: u32,
        is_static: bool,
        returns_ref: bool,
        attributes: &'a [AttributeGroup<'a>],
    ) -> Res<Expr<'a>> {
        let doc = self.take_doc();
        self.expect(T::OpenParen)?;
        let params = self.params()?;
        let uses = self.closure_uses()?;
        let return_type = self.return_type()?;
        let (body, is_generator) = self.in_function(|p| p.block())?;
        let function = Function {
            kind: FunctionKind::Closure,
            name: b"{closure}",
            modifiers: if is_static { Modifiers::STATIC } else { Modifiers::NONE },
            returns_ref,
            params: Some(params),
            uses,
            return_type,
            body: FunctionBody::Block(body),
            is_generator,
            attributes,
            doc,
            start_line,
            end_line: self.prev_line,
            span: self.span_from(start),
        };
        Ok(self.make(ExprKind::Closure(self.alloc(function)), start_line, start))
    }

    fn arrow_rest(
        &mut self,
        start: u32,
        start_line: u32,
        is_static: bool,
        returns_ref: bool,
        attributes: &'a [AttributeGroup<'a>],
    ) -> Res<Expr<'a>> {
        let doc = self.take_doc();
        self.expect(T::OpenParen)?;
        let params = self.params()?;
        let return_type = self.return_type()?;
        self.expect(T::DoubleArrow)?;
        let (body, is_generator) = self.in_function(|p| p.expr_ref())?;
        let function = Function {
            kind: FunctionKind::Arrow,
            name: b"{closure}",
            modifiers: if is_static { Modifiers::STATIC } else { Modifiers::NONE },
            returns_ref,
            params: Some(params),
            uses: &[],
            return_type,
            body: FunctionBody::Expr(body),
            is_generator,
            attributes,
            doc,
            start_line,
            // PHP has read the token after the body by then.
            end_line: self.lexer.line(),
            span: self.span_from(start),
        };
        Ok(self.make(ExprKind::Closure(self.alloc(function)), start_line, start))
    }

    fn closure_uses(&mut self) -> Res<&'a [ClosureUse<'a>]> {
        if !self.eat(T::Use) {
            return Ok(&[]);
        }
        self.expect(T::OpenParen)?;
        let mut uses = Vec::new();
        let mut expecting = r#"variable or "&" or amp"#;
        loop {
            let by_ref = self.eat_ampersand();
            if by_ref {
                expecting = "variable";
            }
            let name = self.expect_or(T::Variable, expecting)?;
            let item = ClosureUse { name: &self.text(name.span)[1..], by_ref, line: name.line };
            self.push(&mut uses, item);
            if !self.eat(T::Comma) || self.at(T::CloseParen) {
                break;
            }
            // After a comma PHP's parser is ready for the end only.
            expecting = "\")\"";
        }
        self.expect(T::CloseParen)?;
        Ok(self.slice(&uses))
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Parameters

    /// Parameters after the opening bracket, the closing one included.
    pub(super) fn params(&mut self) -> Res<&'a [Param<'a>]> {
        if self.eat(T::CloseParen) {
            return Ok(&[]);
        }
        let mut params = Vec::with_capacity(4);
        loop {
            let param = self.nested(|p| p.param())?;
            self.push(&mut params, param);
            if !self.eat(T::Comma) || self.at(T::CloseParen) {
                break;
            }
        }
        self.expect(T::CloseParen)?;
        Ok(self.slice(&params))
    }

    fn param(&mut self) -> Res<Param<'a>> {
        let start = self.tok.span.start;
        let attributes = if self.at(T::Attribute) { self.attributes()? } else { &[] };
        let list = self.modifier_list();
        let modifiers = self.modifiers(&list, super::class::Target::Parameter)?;
        let ty = match self.kind() {
            T::Variable | T::AmpVar | T::Ellipsis => None,
            kind if starts_type(kind) => {
                let ty = self.type_expr(false, "variable")?;
                Some(self.alloc(ty))
            }
            _ => None,
        };
        let by_ref = self.eat(T::AmpVar);
        let variadic = self.eat(T::Ellipsis);
        let name = self.expect(T::Variable)?;
        let doc = self.take_doc();
        let default = if self.eat(T::Assign) { Some(self.expr_ref()?) } else { None };
        let hooks = if self.at(T::OpenBrace) { Some(self.property_hooks()?) } else { None };
        Ok(Param {
            name: &self.text(name.span)[1..],
            ty,
            by_ref,
            variadic,
            default,
            modifiers,
            hooks,
            attributes,
            doc,
            line: name.line,
            span: self.span_from(start),
        })
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Types

    /// A type; `static` only where `allow_static`. `expecting` is what PHP names when there is none.
    pub(super) fn type_expr(&mut self, allow_static: bool, expecting: &str) -> Res<Type<'a>> {
        let (start, line) = (self.tok.span.start, self.tok.line);
        if self.eat(T::Question) {
            let inner = self.simple_type(allow_static, "")?;
            let kind = TypeKind::Nullable(self.alloc(inner));
            return Ok(Type { kind, line, span: self.span_from(start) });
        }
        let grouped = self.at(T::OpenParen);
        let first = self.union_element(allow_static, expecting)?;
        match self.kind() {
            T::Pipe => {}
            // A group is only an element of a union.
            _ if grouped => return Err(self.unexpected_but(T::Pipe)),
            T::Amp => {
                let mut types = vec![first];
                while self.eat(T::Amp) {
                    let item = self.simple_type(allow_static, "")?;
                    self.push(&mut types, item);
                }
                let kind = TypeKind::Intersection(self.slice(&types));
                return Ok(Type { kind, line, span: self.span_from(start) });
            }
            _ => return Ok(first),
        }
        let mut types = vec![first];
        while self.eat(T::Pipe) {
            let item = self.union_element(allow_static, "")?;
            self.push(&mut types, item);
        }
        let kind = TypeKind::Union(self.slice(&types));
        Ok(Type { kind, line, span: self.span_from(start) })
    }

    /// A simple type or `(A&B)`.
    fn union_element(&mut self, allow_static: bool, expecting: &str) -> Res<Type<'a>> {
        if !self.at(T::OpenParen) {
            return self.simple_type(allow_static, expecting);
        }
        let tok = self.advance();
        let mut types = vec![self.simple_type(allow_static, "")?];
        if !self.at(T::Amp) {
            return Err(self.unexpected("amp"));
        }
        while self.eat(T::Amp) {
            let item = self.simple_type(allow_static, "")?;
            self.push(&mut types, item);
        }
        self.expect_or(T::CloseParen, "amp or \")\"")?;
        let kind = TypeKind::Intersection(self.slice(&types));
        Ok(Type { kind, line: tok.line, span: self.span_from(tok.span.start) })
    }

    fn simple_type(&mut self, allow_static: bool, expecting: &str) -> Res<Type<'a>> {
        let (start, line) = (self.tok.span.start, self.tok.line);
        let kind = match self.kind() {
            T::Array => {
                self.advance();
                TypeKind::Array
            }
            T::Callable => {
                self.advance();
                TypeKind::Callable
            }
            T::Static if allow_static => {
                self.advance();
                TypeKind::Static
            }
            T::Ident | T::NameFq | T::NameQualified | T::NameRelative => TypeKind::Name(self.name()),
            _ => return Err(self.unexpected(expecting)),
        };
        Ok(Type { kind, line, span: self.span_from(start) })
    }
}

/// May a token start a type (`static` aside)?
pub(super) fn starts_type(kind: T) -> bool {
    matches!(
        kind,
        T::Array | T::Callable | T::Ident | T::NameFq | T::NameQualified | T::NameRelative | T::Question | T::OpenParen
    )
}
