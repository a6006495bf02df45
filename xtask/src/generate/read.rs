//! Reads one stub file: jumbo-syntax parses it, and this turns the tree into the [`model`](super::model). Everything that a
//! stub may not contain is an error with file and line.

use super::model::{Class, Constant, ConstantValue, Expr, Function, Ini, Param, Property, Stub, Type};
use crate::Failure;
use jumbo_syntax::{Arena, ParseOptions, ast, parse};
use std::path::Path;

/// Tags that PHP documentation uses and that mean nothing here.
const IGNORED_TAGS: &[&str] = &["param", "return", "var", "see", "link", "throws", "since", "ini", "internal"];

struct Reader<'p> {
    path: &'p Path,
    source: &'static [u8],
    namespace: &'static str,
    class: Option<&'static str>,
    stub: Stub,
}

/// A tag of a documentation comment: `@name rest`.
struct Tag {
    name: String,
    rest: String,
}

/// The tags of documentation comments.
struct Tags(Vec<Tag>);

impl Tags {
    fn of(doc: Option<&[u8]>) -> Tags {
        let text = String::from_utf8_lossy(doc.unwrap_or_default()).into_owned();
        let lines = text.lines().filter_map(|line| {
            let line = line.trim().trim_start_matches('/').trim_start_matches('*').trim_end_matches("*/").trim();
            let tag = line.strip_prefix('@')?;
            let (name, rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            Some(Tag { name: name.to_owned(), rest: rest.trim().to_owned() })
        });
        Tags(lines.collect())
    }
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|tag| tag.name == name)
    }
    fn value(&self, name: &str) -> Option<String> {
        self.0.iter().find(|tag| tag.name == name).map(|tag| tag.rest.clone())
    }
}

/// Reads the stub file at `path`.
pub fn read(path: &Path) -> Result<Stub, Failure> {
    // The trees of all stubs live to the end of the command: constants of one are looked up from others.
    let source: &'static [u8] = Vec::leak(std::fs::read(path).map_err(|e| Failure::io(path, &e))?);
    let arena: &'static Arena = Box::leak(Box::new(Arena::new()));
    let file = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let module = file.strip_suffix(".stub.php").unwrap_or(file).to_owned();
    let program = parse(arena, source, ParseOptions::default()).map_err(|e| {
        Failure::new(format!("{}:{}: {}", path.display(), e.line, String::from_utf8_lossy(&e.message)))
    })?;
    let stub = Stub {
        path: path.to_owned(),
        module,
        functions: Vec::new(),
        classes: Vec::new(),
        constants: Vec::new(),
        ini: Vec::new(),
    };
    let mut reader = Reader { path, source, namespace: "", class: None, stub };
    reader.stmts(program.stmts)?;
    reader.ini()?;
    Ok(reader.stub)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn leak(text: String) -> &'static str {
    String::leak(text)
}

impl Reader<'_> {
    fn error<T>(&self, line: u32, message: impl std::fmt::Display) -> Result<T, Failure> {
        Err(Failure::new(format!("{}:{line}: {message}", self.path.display())))
    }

    fn tags(&self, doc: Option<&[u8]>, line: u32, known: &[&str]) -> Result<Tags, Failure> {
        let tags = Tags::of(doc);
        match tags.0.iter().find(|t| !known.contains(&&*t.name) && !IGNORED_TAGS.contains(&&*t.name)) {
            Some(tag) => self.error(line, format!("@{} means nothing here (known: {})", tag.name, known.join(", "))),
            None => Ok(tags),
        }
    }

    fn stmts(&mut self, stmts: &'static [ast::Stmt<'static>]) -> Result<(), Failure> {
        for stmt in stmts {
            match stmt.kind {
                ast::StmtKind::Nop => {}
                ast::StmtKind::InlineHtml(html) if html.trim_ascii().is_empty() => {}
                ast::StmtKind::Declare { body: None, .. } => {}
                ast::StmtKind::Namespace { name, body } => {
                    self.namespace = leak(name.map_or_else(String::new, |n| text(n.bytes)));
                    if let Some(body) = body {
                        self.stmts(body)?;
                        self.namespace = "";
                    }
                }
                ast::StmtKind::Const(items) => {
                    for item in items {
                        let name = self.qualify(item.name);
                        let constant = self.constant(name, item, None, Vec::new(), false)?;
                        self.stub.constants.push(constant);
                    }
                }
                ast::StmtKind::Function(f) => {
                    let function = self.function(f)?;
                    self.stub.functions.push(function);
                }
                ast::StmtKind::Class(c) => {
                    let class = self.class(c)?;
                    self.stub.classes.push(class);
                }
                _ => return self.error(stmt.line, "a stub contains only functions, classes and constants"),
            }
        }
        Ok(())
    }

    fn qualify(&self, name: &[u8]) -> String {
        if self.namespace.is_empty() { text(name) } else { format!("{}\\{}", self.namespace, text(name)) }
    }

    fn class_name(&self, name: &ast::Name) -> String {
        match name.kind {
            ast::NameKind::FullyQualified => text(name.bytes),
            _ if name.is(b"self") || name.is(b"parent") => text(name.bytes),
            _ => self.qualify(name.bytes),
        }
    }

    fn expr(&self, expr: &'static ast::Expr<'static>) -> Expr {
        let text = std::str::from_utf8(expr.span.text(self.source)).unwrap_or("");
        Expr { expr, text, namespace: self.namespace, class: self.class, line: expr.line }
    }

    fn constant(
        &self,
        name: String,
        item: &ast::ConstItem<'static>,
        ty: Option<Type>,
        flags: Vec<&'static str>,
        deprecated: bool,
    ) -> Result<Constant, Failure> {
        let tags = self.tags(item.doc, item.line, &["computed", "deprecated", "cvalue"])?;
        let value = match tags.value("computed") {
            Some(path) if !path.is_empty() => ConstantValue::Computed(path),
            Some(_) => return self.error(item.line, "@computed needs the path of a Rust function"),
            None => ConstantValue::Expr(self.expr(item.value)),
        };
        let deprecated = deprecated || tags.has("deprecated");
        Ok(Constant { name, value, ty, flags, deprecated, line: item.line })
    }

    fn ty(&self, ty: &ast::Type) -> Result<Type, Failure> {
        let mut out = Type::default();
        self.add_type(ty, &mut out)?;
        Ok(out)
    }

    fn add_type(&self, ty: &ast::Type, out: &mut Type) -> Result<(), Failure> {
        match ty.kind {
            ast::TypeKind::Array => out.kinds.push("ARRAY"),
            ast::TypeKind::Callable => out.kinds.push("CALLABLE"),
            ast::TypeKind::Static => out.kinds.push("STATIC"),
            ast::TypeKind::Nullable(inner) => {
                self.add_type(inner, out)?;
                out.kinds.push("NULL");
                out.nullable_syntax = true;
            }
            ast::TypeKind::Union(parts) => {
                for part in parts {
                    self.add_type(part, out)?;
                }
            }
            ast::TypeKind::Intersection(_) => return self.error(ty.line, "intersection types are not supported in stubs"),
            ast::TypeKind::Name(name) => {
                let kinds: &[&'static str] = match (name.kind, &*name.bytes.to_ascii_lowercase()) {
                    (ast::NameKind::Unqualified, lower) => match lower {
                        b"int" => &["INT"],
                        b"float" => &["FLOAT"],
                        b"string" => &["STRING"],
                        b"bool" => &["BOOL"],
                        b"false" => &["FALSE"],
                        b"true" => &["TRUE"],
                        b"null" => &["NULL"],
                        b"object" => &["OBJECT"],
                        b"mixed" => &["MIXED"],
                        b"void" => &["VOID"],
                        b"never" => &["NEVER"],
                        b"iterable" => &["ITERABLE", "ARRAY"],
                        b"resource" => {
                            return self.error(ty.line, "resource is no type: leave the parameter without one");
                        }
                        _ => &[],
                    },
                    _ => &[],
                };
                if kinds.is_empty() {
                    out.classes.push(self.class_name(&name));
                } else {
                    out.kinds.extend(kinds);
                }
            }
        }
        Ok(())
    }

    fn attributes(&self, groups: &[ast::AttributeGroup]) -> Vec<String> {
        let all = groups.iter().flat_map(|g| g.attributes);
        let shown = all.map(|attribute| {
            let name = self.class_name_of_attribute(&attribute.name);
            let Some(args) = &attribute.args else { return name };
            let args: Vec<String> = args
                .items
                .iter()
                .map(|arg| {
                    let value = text(arg.value.span.text(self.source));
                    arg.name.map_or_else(|| value.clone(), |name| format!("{}: {value}", text(name)))
                })
                .collect();
            format!("{name}({})", args.join(", "))
        });
        shown.collect()
    }

    /// Attributes of builtins are PHP's own: the global name is meant even inside a namespace.
    fn class_name_of_attribute(&self, name: &ast::Name) -> String {
        text(name.bytes)
    }

    fn function(&self, f: &'static ast::Function<'static>) -> Result<Function, Failure> {
        let line = f.start_line;
        let known = [
            "foldable",
            "needs-symbols",
            "tentative-return-type",
            "all-or-none",
            "deprecated",
            "rust",
            "alias",
            "name",
            "prefer-ref",
            "absent",
            "unchecked",
            "resource",
            "number",
            "not-null",
        ];
        let tags = self.tags(f.doc, line, &known)?;
        let is_method = f.kind == ast::FunctionKind::Method;
        let name = match tags.value("name") {
            Some(name) => name,
            None if is_method => text(f.name),
            None => self.qualify(f.name),
        };
        let named = |tag: &str| -> Vec<String> {
            tags.0.iter().filter(|t| t.name == tag).map(|t| t.rest.trim_start_matches('$').to_owned()).collect()
        };
        let (prefer_ref, absent, unchecked) = (named("prefer-ref"), named("absent"), named("unchecked"));
        let (resource, number, not_null) = (named("resource"), named("number"), named("not-null"));
        let mut params = Vec::new();
        for p in f.params.unwrap_or_default() {
            let name = text(p.name);
            let ty = p.ty.map(|t| self.ty(t)).transpose()?;
            if let (Some(ty), Some(default)) = (&ty, p.default)
                && matches!(default.kind, ast::ExprKind::Const(n) if n.is(b"null"))
                && !ty.nullable()
            {
                return self.error(p.line, format!("${name} has the default null, but not the type"));
            }
            params.push(Param {
                prefer_ref: prefer_ref.contains(&name),
                absent: absent.contains(&name),
                unchecked: unchecked.contains(&name),
                resource: resource.contains(&name),
                number: number.contains(&name),
                not_null: not_null.contains(&name),
                sensitive: self.attributes(p.attributes).iter().any(|a| a == "SensitiveParameter"),
                name,
                ty,
                by_ref: p.by_ref,
                variadic: p.variadic,
                default: p.default.map(|d| self.expr(d)),
            });
        }
        if let Some(unknown) = prefer_ref.iter().chain(&absent).chain(&unchecked).chain(&resource).chain(&number).chain(&not_null).find(|name| params.iter().all(|p| p.name != **name)) {
            return self.error(line, format!("${unknown}: no such parameter"));
        }
        let modifiers = f.modifiers;
        let attributes = self.attributes(f.attributes);
        let mut flags = Vec::new();
        if is_method {
            flags.push(visibility(modifiers));
        }
        let is_static = modifiers.has(ast::Modifiers::STATIC);
        let in_interface = is_method && matches!(f.body, ast::FunctionBody::None);
        let is_abstract = modifiers.has(ast::Modifiers::ABSTRACT) || in_interface;
        for (on, flag) in [
            (is_static, "STATIC"),
            (is_abstract, "ABSTRACT"),
            (modifiers.has(ast::Modifiers::FINAL), "FINAL"),
            (f.returns_ref, "RETURNS_REF"),
            (params.iter().any(|p| p.variadic), "VARIADIC"),
            (params.iter().any(|p| p.ty.is_some()), "TYPED_PARAMS"),
            (params.iter().any(|p| p.by_ref || p.prefer_ref), "BY_REF_PARAMS"),
            (tags.has("all-or-none"), "ALL_OR_NONE"),
            (tags.has("deprecated") || attributes.iter().any(|a| a.starts_with("Deprecated")), "DEPRECATED"),
        ] {
            if on {
                flags.push(flag);
            }
        }
        let mut effects = Vec::new();
        if tags.has("foldable") {
            effects.push("FOLDABLE");
        }
        if tags.has("needs-symbols") {
            effects.push("NEEDS_SYMBOLS");
        }
        Ok(Function {
            name,
            params,
            ret: f.return_type.map(|t| self.ty(t)).transpose()?,
            flags,
            effects,
            tentative: tags.has("tentative-return-type"),
            all_or_none: tags.has("all-or-none"),
            is_static,
            is_abstract,
            attributes,
            rust: tags.value("rust"),
            alias: tags.value("alias"),
            line,
        })
    }

    fn class(&mut self, c: &'static ast::Class<'static>) -> Result<Class, Failure> {
        let line = c.start_line;
        let tags = self.tags(c.doc, line, &["hooks", "rust", "strict-properties", "not-serializable", "deprecated"])?;
        let name = self.qualify(c.name);
        self.class = Some(leak(name.clone()));
        let attributes = self.attributes(c.attributes);
        let mut flags = vec!["BUILTIN"];
        for (on, flag) in [
            (c.modifiers.has(ast::Modifiers::ABSTRACT), "ABSTRACT"),
            (c.modifiers.has(ast::Modifiers::FINAL) || c.kind == ast::ClassKind::Enum, "FINAL"),
            (c.modifiers.has(ast::Modifiers::READONLY), "READONLY"),
            (c.kind == ast::ClassKind::Interface, "INTERFACE"),
            (c.kind == ast::ClassKind::Trait, "TRAIT"),
            (c.kind == ast::ClassKind::Enum, "ENUM"),
            (attributes.iter().any(|a| a == "AllowDynamicProperties"), "ALLOW_DYNAMIC"),
            (tags.has("strict-properties"), "NO_DYNAMIC"),
            (tags.has("not-serializable"), "NOT_SERIALIZABLE"),
        ] {
            if on {
                flags.push(flag);
            }
        }
        let mut class = Class {
            name,
            parent: c.extends.map(|n| self.class_name(&n)),
            interfaces: c.implements.iter().map(|n| self.class_name(n)).collect(),
            flags,
            constants: Vec::new(),
            properties: Vec::new(),
            methods: Vec::new(),
            backing: match c.backing_type.map(|t| self.ty(t)).transpose()? {
                None => None,
                Some(ty) => match ty.single() {
                    Some(kind @ ("INT" | "STRING")) => Some(kind),
                    _ => return self.error(line, "an enum is backed by int or string"),
                },
            },
            hooks: tags.value("hooks"),
            rust: tags.value("rust"),
            attributes,
        };
        for member in c.members {
            self.member(member, &mut class)?;
        }
        self.class = None;
        Ok(class)
    }

    fn member(&self, member: &'static ast::Member<'static>, class: &mut Class) -> Result<(), Failure> {
        match member.kind {
            ast::MemberKind::Const(c) => {
                let deprecated = self.attributes(c.attributes).iter().any(|a| a.starts_with("Deprecated"));
                let ty = c.ty.map(|t| self.ty(t)).transpose()?;
                for item in c.items {
                    let constant =
                        self.constant(text(item.name), item, ty.clone(), member_flags(c.modifiers), deprecated)?;
                    class.constants.push(constant);
                }
            }
            ast::MemberKind::Case(case) => class.constants.push(Constant {
                name: text(case.name),
                value: case.value.map_or(ConstantValue::Case, |v| ConstantValue::Expr(self.expr(v))),
                ty: None,
                flags: vec!["PUBLIC", "ENUM_CASE"],
                deprecated: false,
                line: member.line,
            }),
            ast::MemberKind::Property(p) => {
                let ty = p.ty.map(|t| self.ty(t)).transpose()?;
                for item in p.items {
                    let tags = self.tags(item.doc, item.line, &["virtual"])?;
                    let mut flags = member_flags(p.modifiers);
                    if tags.has("virtual") {
                        flags.push("VIRTUAL");
                    }
                    class.properties.push(Property {
                        name: text(item.name),
                        flags,
                        ty: ty.clone(),
                        default: item.default.map(|d| self.expr(d)),
                    });
                }
            }
            ast::MemberKind::Method(f) => class.methods.push(self.function(f)?),
            ast::MemberKind::TraitUse(_) => return self.error(member.line, "builtin classes use no traits"),
        }
        Ok(())
    }

    /// `@ini` lines stand in comments anywhere in the file.
    fn ini(&mut self) -> Result<(), Failure> {
        let source = String::from_utf8_lossy(self.source).into_owned();
        for (at, line) in source.lines().enumerate() {
            let line = line.trim().trim_start_matches('/').trim_start_matches('*').trim_end_matches("*/").trim();
            let Some(rest) = line.strip_prefix("@ini ") else { continue };
            match parse_ini(rest.trim()) {
                Ok(ini) => self.stub.ini.push(ini),
                Err(message) => return self.error(at as u32 + 1, message),
            }
        }
        Ok(())
    }
}

/// `NAME DEFAULT ACCESS [on_change PATH]`, with DEFAULT as `"text"` or `NULL`.
fn parse_ini(line: &str) -> Result<Ini, String> {
    let usage = "@ini NAME \"DEFAULT\"|NULL ALL|PERDIR|SYSTEM|USER [on_change PATH]";
    let (name, rest) = line.split_once(' ').ok_or(usage)?;
    let rest = rest.trim_start();
    let (default, rest) = if let Some(quoted) = rest.strip_prefix('"') {
        let (value, rest) = quoted.split_once('"').ok_or(usage)?;
        (Some(value.to_owned()), rest)
    } else {
        (None, rest.strip_prefix("NULL").ok_or(usage)?)
    };
    let mut words = rest.split_whitespace();
    let access = match words.next() {
        Some("ALL") => "ALL",
        Some("PERDIR") => "PERDIR | ini_access::SYSTEM",
        Some("SYSTEM") => "SYSTEM",
        Some("USER") => "USER",
        _ => return Err(usage.to_owned()),
    };
    let on_change = match (words.next(), words.next(), words.next()) {
        (None, None, None) => None,
        (Some("on_change"), Some(path), None) => Some(path.to_owned()),
        _ => return Err(usage.to_owned()),
    };
    Ok(Ini { name: name.to_owned(), default, access, on_change })
}

fn visibility(modifiers: ast::Modifiers) -> &'static str {
    if modifiers.has(ast::Modifiers::PRIVATE) {
        "PRIVATE"
    } else if modifiers.has(ast::Modifiers::PROTECTED) {
        "PROTECTED"
    } else {
        "PUBLIC"
    }
}

fn member_flags(modifiers: ast::Modifiers) -> Vec<&'static str> {
    use ast::Modifiers as M;
    let mut flags = vec![visibility(modifiers)];
    for (modifier, flag) in [
        (M::STATIC, "STATIC"),
        (M::READONLY, "READONLY"),
        (M::FINAL, "FINAL"),
        (M::ABSTRACT, "ABSTRACT"),
        (M::PROTECTED_SET, "PROTECTED_SET"),
        (M::PRIVATE_SET, "PRIVATE_SET"),
        (M::PUBLIC_SET, "PUBLIC_SET"),
    ] {
        if modifiers.has(modifier) {
            flags.push(flag);
        }
    }
    flags
}
