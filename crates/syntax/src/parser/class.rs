//! Classes, interfaces, traits, enums and their members.
//!
//! PHP checks modifiers when it knows what they belong to, in the order in which they are written; so does this.

use crate::SyntaxErrorKind;
use crate::ast::*;
use crate::parser::decl::starts_type;
use crate::parser::{Parser, Res};
use crate::token::{Token, TokenKind as T};

/// What a list of modifiers belongs to: decides which are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Property,
    Method,
    Constant,
    Parameter,
    Hook,
}

impl Target {
    /// PHP's words for it, with the article.
    fn words(self) -> &'static str {
        match self {
            Target::Property => "a property",
            Target::Method => "a method",
            Target::Constant => "a class constant",
            Target::Parameter => "a parameter",
            Target::Hook => "a property hook",
        }
    }

    fn allowed(self) -> Modifiers {
        let visibility = Modifiers::VISIBILITY;
        let others = Modifiers::STATIC.with(Modifiers::ABSTRACT).with(Modifiers::FINAL);
        match self {
            Target::Property => visibility.with(Modifiers::SET_VISIBILITY).with(others).with(Modifiers::READONLY),
            Target::Method => visibility.with(others),
            Target::Constant => visibility.with(Modifiers::FINAL),
            Target::Parameter => visibility.with(Modifiers::SET_VISIBILITY).with(Modifiers::READONLY),
            Target::Hook => Modifiers::FINAL,
        }
    }
}

fn modifier(kind: T) -> Option<Modifiers> {
    Some(match kind {
        T::Public => Modifiers::PUBLIC,
        T::Protected => Modifiers::PROTECTED,
        T::Private => Modifiers::PRIVATE,
        T::Static => Modifiers::STATIC,
        T::Abstract => Modifiers::ABSTRACT,
        T::Final => Modifiers::FINAL,
        T::Readonly => Modifiers::READONLY,
        T::PublicSet => Modifiers::PUBLIC_SET,
        T::ProtectedSet => Modifiers::PROTECTED_SET,
        T::PrivateSet => Modifiers::PRIVATE_SET,
        _ => return None,
    })
}

const CLASS_OR_MODIFIER: &str = r#""abstract" or "final" or "readonly" or "class""#;
const HOOK_BODY: &str = r#""=>" or ";" or "{""#;

impl<'a> Parser<'a> {
    // -----------------------------------------------------------------------------------------------------------------
    // Modifiers

    /// The modifiers at the current token, unchecked.
    pub(super) fn modifier_list(&mut self) -> Vec<T> {
        let mut list = Vec::new();
        while modifier(self.kind()).is_some() {
            list.push(self.advance().kind);
        }
        list
    }

    /// The modifiers as a set, or PHP's error.
    pub(super) fn modifiers(&mut self, list: &[T], target: Target) -> Res<Modifiers> {
        let mut flags = Modifiers::NONE;
        for &kind in list {
            let Some(flag) = modifier(kind) else { continue };
            if !target.allowed().has(flag) {
                let message = format!("Cannot use the {} modifier on {}", kind.text(), target.words());
                return Err(self.compile_error(message));
            }
            let message = if (Modifiers::VISIBILITY.has(flag) && flags.has(Modifiers::VISIBILITY))
                || (Modifiers::SET_VISIBILITY.has(flag) && flags.has(Modifiers::SET_VISIBILITY))
            {
                "Multiple access type modifiers are not allowed".to_string()
            } else if flags.has(flag) {
                format!("Multiple {} modifiers are not allowed", kind.text())
            } else {
                flags = flags.with(flag);
                if !(flags.has(Modifiers::ABSTRACT) && flags.has(Modifiers::FINAL)) {
                    continue;
                }
                let what = if target == Target::Property { "an abstract property" } else { "an abstract method" };
                format!("Cannot use the final modifier on {what}")
            };
            return Err(self.compile_error(message));
        }
        Ok(flags)
    }

    /// `abstract`, `final` and `readonly` before `class`.
    fn class_modifiers(&mut self, anonymous: bool) -> Res<Modifiers> {
        let mut flags = Modifiers::NONE;
        loop {
            let kind = self.kind();
            if !matches!(kind, T::Abstract | T::Final | T::Readonly) {
                return Ok(flags);
            }
            let flag = modifier(kind).unwrap_or_default();
            self.advance();
            if anonymous && kind != T::Readonly {
                let message = format!("Cannot use the {} modifier on an anonymous class", kind.text());
                return Err(self.compile_error(message));
            }
            if flags.has(flag) {
                return Err(self.compile_error(format!("Multiple {} modifiers are not allowed", kind.text())));
            }
            flags = flags.with(flag);
            if flags.has(Modifiers::ABSTRACT) && flags.has(Modifiers::FINAL) {
                return Err(self.compile_error("Cannot use the final modifier on an abstract class"));
            }
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Classes

    /// A class, interface, trait or enum, from its modifiers or keyword on.
    pub(super) fn class_declaration(&mut self, attributes: &'a [AttributeGroup<'a>]) -> Res<Class<'a>> {
        let start = self.tok.span.start;
        let modifiers = self.class_modifiers(false)?;
        if !modifiers.is_empty() && !self.at(T::Class) {
            return Err(self.unexpected(CLASS_OR_MODIFIER));
        }
        let keyword = self.advance();
        let kind = match keyword.kind {
            T::Interface => ClassKind::Interface,
            T::Trait => ClassKind::Trait,
            T::Enum => ClassKind::Enum,
            _ => ClassKind::Class,
        };
        let name = self.expect(T::Ident)?;
        let mut extends = None;
        let mut implements: &[Name] = &[];
        let mut backing_type = None;
        match kind {
            ClassKind::Class => {
                if self.eat(T::Extends) {
                    extends = Some(self.class_name()?);
                }
                if self.eat(T::Implements) {
                    implements = self.class_name_list()?;
                }
            }
            ClassKind::Interface => {
                if self.eat(T::Extends) {
                    implements = self.class_name_list()?;
                }
            }
            ClassKind::Enum => {
                if self.eat(T::Colon) {
                    let ty = self.type_expr(true, "")?;
                    backing_type = Some(self.alloc(ty));
                }
                if self.eat(T::Implements) {
                    implements = self.class_name_list()?;
                }
            }
            ClassKind::Trait | ClassKind::AnonymousClass => {}
        }
        let doc = self.take_doc();
        let members = self.members()?;
        Ok(Class {
            kind,
            name: self.text(name.span),
            modifiers,
            extends,
            implements,
            backing_type,
            members,
            attributes,
            doc,
            start_line: keyword.line,
            end_line: self.prev_line,
            span: self.span_from(start),
        })
    }

    /// `class(args) extends ... { }` after `new` and attributes.
    pub(super) fn anonymous_class(&mut self, attributes: &'a [AttributeGroup<'a>]) -> Res<NewAnonymous<'a>> {
        let start = self.tok.span.start;
        let modifiers = self.class_modifiers(true)?;
        let keyword = self.expect(T::Class)?;
        let args = if self.at(T::OpenParen) { self.args()? } else { Args::default() };
        let extends = if self.eat(T::Extends) { Some(self.class_name()?) } else { None };
        let implements = if self.eat(T::Implements) { self.class_name_list()? } else { &[] };
        let doc = self.take_doc();
        let members = self.members()?;
        let class = Class {
            kind: ClassKind::AnonymousClass,
            name: b"",
            modifiers,
            extends,
            implements,
            backing_type: None,
            members,
            attributes,
            doc,
            start_line: keyword.line,
            end_line: self.prev_line,
            span: self.span_from(start),
        };
        Ok(NewAnonymous { class: self.alloc(class), args })
    }

    fn class_name_list(&mut self) -> Res<&'a [Name<'a>]> {
        let mut names = vec![self.class_name()?];
        while self.eat(T::Comma) {
            let item = self.class_name()?;
            self.push(&mut names, item);
        }
        Ok(self.slice(&names))
    }

    /// `{ members }`
    fn members(&mut self) -> Res<&'a [Member<'a>]> {
        self.expect(T::OpenBrace)?;
        // A `yield` in a default or in an attribute is no business of the function around.
        let (members, _) = self.in_function(|p| {
            let mut members = Vec::new();
            while !p.at(T::CloseBrace) {
                let member = p.nested(|p| p.member())?;
                p.push(&mut members, member);
            }
            Ok(p.slice(&members))
        })?;
        self.advance();
        Ok(members)
    }

    fn member(&mut self) -> Res<Member<'a>> {
        let (start, line) = (self.tok.span.start, self.tok.line);
        if self.at(T::Use) {
            let node = self.trait_use()?;
            let kind = MemberKind::TraitUse(self.alloc(node));
            return Ok(Member { kind, line, span: self.span_from(start) });
        }
        let attributes = if self.at(T::Attribute) { self.attributes()? } else { &[] };
        let kind = match self.kind() {
            T::Case => {
                let node = self.enum_case(attributes)?;
                MemberKind::Case(self.alloc(node))
            }
            T::Var => {
                self.advance();
                self.properties(Modifiers::NONE, attributes)?
            }
            _ => {
                let list = self.modifier_list();
                match self.kind() {
                    T::Const => {
                        let modifiers = self.modifiers(&list, Target::Constant)?;
                        let node = self.class_consts(modifiers, attributes)?;
                        MemberKind::Const(self.alloc(node))
                    }
                    T::Function => {
                        let modifiers = self.modifiers(&list, Target::Method)?;
                        let keyword = self.advance();
                        let node = self.method(keyword, modifiers, attributes)?;
                        MemberKind::Method(self.alloc(node))
                    }
                    _ if list.is_empty() => return Err(self.unexpected_but(T::Function)),
                    _ => {
                        let modifiers = self.modifiers(&list, Target::Property)?;
                        self.properties(modifiers, attributes)?
                    }
                }
            }
        };
        Ok(Member { kind, line, span: self.span_from(start) })
    }

    fn enum_case(&mut self, attributes: &'a [AttributeGroup<'a>]) -> Res<EnumCase<'a>> {
        // PHP looks for the comment before it reads the name.
        let doc = self.take_doc();
        self.advance();
        let name = self.identifier()?;
        let value = if self.eat(T::Assign) { Some(self.expr_ref()?) } else { None };
        self.expect(T::Semicolon)?;
        Ok(EnumCase { name: self.text(name.span), value, attributes, doc })
    }

    /// A member's name: any identifier, keywords included.
    fn identifier(&mut self) -> Res<Token> {
        if !self.kind().is_identifier() {
            return Err(self.unexpected(""));
        }
        if self.at(T::Echo) && self.text(self.tok.span) == b"<?=" {
            let line = self.lexer.line();
            return Err(self.fail("Cannot use \"<?=\" as an identifier", line, SyntaxErrorKind::Parse));
        }
        self.note_name();
        Ok(self.advance())
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Constants and properties

    fn class_consts(&mut self, modifiers: Modifiers, attributes: &'a [AttributeGroup<'a>]) -> Res<ClassConsts<'a>> {
        self.advance();
        let mut ty = None;
        // `const array = 1` names a constant, `const array A = 1` has a type.
        let (byte, next) = self.lexer.peek_bytes();
        let named = self.kind().is_identifier() && byte == b'=' && !matches!(next, b'=' | b'>');
        if !named {
            if !starts_type(self.kind()) && !self.at(T::Static) {
                let name = self.identifier()?;
                // A keyword that is no type can only be the name.
                if name.kind.is_semi_reserved() {
                    return Err(self.unexpected_but(T::Assign));
                }
            }
            let node = self.type_expr(true, "")?;
            ty = Some(self.alloc(node));
            if !self.kind().is_identifier() {
                return Err(self.unexpected(""));
            }
        }
        let mut items = Vec::new();
        loop {
            let name = self.identifier()?;
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
        Ok(ClassConsts { modifiers, ty, items: self.slice(&items), attributes })
    }


    fn properties(&mut self, modifiers: Modifiers, attributes: &'a [AttributeGroup<'a>]) -> Res<MemberKind<'a>> {
        let mut ty = None;
        if starts_type(self.kind()) {
            let node = self.type_expr(false, "variable")?;
            ty = Some(self.alloc(node));
        }
        let mut items = Vec::with_capacity(1);
        loop {
            let name = self.expect(T::Variable)?;
            let doc = self.take_doc();
            let default = if self.eat(T::Assign) { Some(self.expr_ref()?) } else { None };
            let mut item =
                PropertyItem { name: &self.text(name.span)[1..], default, hooks: None, doc, line: name.line };
            if items.is_empty() && self.at(T::OpenBrace) {
                item.hooks = Some(self.property_hooks()?);
                self.push(&mut items, item);
                break;
            }
            self.push(&mut items, item);
            if !self.eat(T::Comma) {
                self.end_of_list()?;
                break;
            }
        }
        let node = Properties { modifiers, ty, items: self.slice(&items), attributes };
        Ok(MemberKind::Property(self.alloc(node)))
    }

    /// `{ get; set($value) { ... } }`
    pub(super) fn property_hooks(&mut self) -> Res<&'a [Function<'a>]> {
        self.expect(T::OpenBrace)?;
        let mut hooks = Vec::with_capacity(2);
        while !self.at(T::CloseBrace) {
            let hook = self.nested(|p| p.property_hook())?;
            self.push(&mut hooks, hook);
        }
        self.advance();
        Ok(self.slice(&hooks))
    }

    fn property_hook(&mut self) -> Res<Function<'a>> {
        let start = self.tok.span.start;
        let attributes = if self.at(T::Attribute) { self.attributes()? } else { &[] };
        let list = self.modifier_list();
        let modifiers = self.modifiers(&list, Target::Hook)?;
        let returns_ref = self.eat_ampersand();
        let name = self.expect(T::Ident)?;
        let doc = self.take_doc();
        let params = if self.eat(T::OpenParen) { Some(self.params()?) } else { None };
        let (body, is_generator) = self.in_function(|p| match p.kind() {
            T::Semicolon => {
                p.advance();
                Ok(FunctionBody::None)
            }
            T::OpenBrace => Ok(FunctionBody::Block(p.block()?)),
            T::DoubleArrow => {
                p.advance();
                let expr = p.expr_ref()?;
                p.expect_quiet(T::Semicolon)?;
                Ok(FunctionBody::Expr(expr))
            }
            _ => Err(p.unexpected(HOOK_BODY)),
        })?;
        Ok(Function {
            kind: FunctionKind::Hook,
            name: self.text(name.span),
            modifiers,
            returns_ref,
            params,
            uses: &[],
            return_type: None,
            body,
            is_generator,
            attributes,
            doc,
            start_line: name.line,
            end_line: self.prev_line,
            span: self.span_from(start),
        })
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Methods and traits

    /// A method after the keyword `function`.
    fn method(
        &mut self,
        keyword: Token,
        modifiers: Modifiers,
        attributes: &'a [AttributeGroup<'a>],
    ) -> Res<Function<'a>> {
        let returns_ref = self.eat_ampersand();
        let name = self.identifier()?;
        let doc = self.take_doc();
        self.expect(T::OpenParen)?;
        let params = self.params()?;
        let return_type = self.return_type()?;
        let (body, is_generator) = self.in_function(|p| match p.kind() {
            T::Semicolon => {
                p.advance();
                Ok(FunctionBody::None)
            }
            T::OpenBrace => Ok(FunctionBody::Block(p.block()?)),
            _ => Err(p.unexpected(r#"";" or "{""#)),
        })?;
        Ok(Function {
            kind: FunctionKind::Method,
            name: self.text(name.span),
            modifiers,
            returns_ref,
            params: Some(params),
            uses: &[],
            return_type,
            body,
            is_generator,
            attributes,
            doc,
            start_line: keyword.line,
            end_line: self.prev_line,
            span: self.span_from(keyword.span.start),
        })
    }

    fn trait_use(&mut self) -> Res<TraitUse<'a>> {
        self.advance();
        let traits = self.class_name_list()?;
        let mut adaptations = Vec::new();
        match self.kind() {
            T::Semicolon => {
                self.advance();
            }
            T::OpenBrace => {
                self.advance();
                while !self.at(T::CloseBrace) {
                    let adaptation = self.trait_adaptation()?;
                    self.expect(T::Semicolon)?;
                    self.push(&mut adaptations, adaptation);
                }
                self.advance();
            }
            _ => return Err(self.unexpected(r#""," or ";" or "{""#)),
        }
        Ok(TraitUse { traits, adaptations: self.slice(&adaptations) })
    }

    fn trait_adaptation(&mut self) -> Res<TraitAdaptation<'a>> {
        let line = self.tok.line;
        let kind = self.kind();
        let mut trait_name = None;
        let method = if matches!(kind, T::NameFq | T::NameQualified | T::NameRelative) {
            trait_name = Some(self.name());
            self.expect(T::PaamayimNekudotayim)?;
            self.identifier()?
        } else {
            let first = self.identifier()?;
            if matches!(kind, T::Ident | T::Static) && self.at(T::PaamayimNekudotayim) {
                if kind == T::Static {
                    // It was a class, not a name.
                    self.keyword_names.pop();
                }
                self.advance();
                let name = Name { kind: NameKind::Unqualified, bytes: self.text(first.span), line };
                trait_name = Some(name);
                self.identifier()?
            } else {
                if !self.at(T::As) {
                    let expecting = if matches!(kind, T::Ident | T::Static) { "\"::\"" } else { "\"as\"" };
                    return Err(self.unexpected(expecting));
                }
                first
            }
        };
        let method = self.text(method.span);
        if let Some(trait_name) = trait_name
            && self.eat(T::Insteadof)
        {
            let insteadof = self.class_name_list()?;
            return Ok(TraitAdaptation::Precedence { trait_name, method, insteadof, line });
        }
        self.expect(T::As)?;
        let mut modifiers = Modifiers::NONE;
        let mut alias = None;
        let kind = self.kind();
        if modifier(kind).is_some() {
            self.advance();
            modifiers = self.modifiers(&[kind], Target::Method)?;
            if self.kind().is_identifier() {
                self.note_name();
            alias = Some(self.take_text());
            }
        } else if kind == T::Ident || kind.is_reserved_non_modifier() {
            self.note_name();
            alias = Some(self.take_text());
        } else {
            return Err(self.unexpected(""));
        }
        Ok(TraitAdaptation::Alias { trait_name, method, modifiers, alias, line })
    }
}
