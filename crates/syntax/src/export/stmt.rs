//! Statements, functions and classes, for closures and anonymous classes inside expressions.

use super::Printer;
use crate::ast::*;

impl Printer<'_> {
    /// ` {`, the statements, and `}` without what follows.
    fn block(&mut self, stmts: &[Stmt<'_>]) {
        self.put(" {\n");
        self.indent += 1;
        self.stmts(stmts);
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    fn stmts(&mut self, stmts: &[Stmt<'_>]) {
        for stmt in stmts {
            self.nested(|p| p.stmt(stmt));
        }
    }

    /// A line that ends with a semicolon.
    fn simple(&mut self, print: impl FnOnce(&mut Self)) {
        self.line();
        print(self);
        self.put(";\n");
    }

    fn keyword_expr(&mut self, keyword: &str, expr: Option<&Expr<'_>>) {
        self.simple(|p| {
            p.put(keyword);
            if let Some(expr) = expr {
                p.put(" ");
                p.expr(expr, 0);
            }
        });
    }

    fn stmt(&mut self, stmt: &Stmt<'_>) {
        match stmt.kind {
            StmtKind::Nop => {}
            StmtKind::Block(stmts) => self.stmts(stmts),
            StmtKind::Expr(expr) => self.simple(|p| p.expr(expr, 0)),
            StmtKind::Echo(exprs) => exprs.iter().for_each(|expr| self.keyword_expr("echo", Some(expr))),
            StmtKind::InlineHtml(text) => self.simple(|p| {
                p.put("echo ");
                p.string(text);
            }),
            StmtKind::If { branches, otherwise } => {
                self.line();
                self.if_chain(branches, otherwise);
            }
            StmtKind::While { cond, body } => {
                self.line();
                self.head("while", cond);
                self.block(body);
                self.put("\n");
            }
            StmtKind::DoWhile { body, cond } => {
                self.line();
                self.put("do");
                self.block(body);
                self.put(" ");
                self.head("while", cond);
                self.put(";\n");
            }
            StmtKind::For { init, cond, step, body } => {
                self.line();
                self.put("for (");
                self.list(init);
                self.put(";");
                for (part, end) in [(cond, ";"), (step, ")")] {
                    if !part.is_empty() {
                        self.put(" ");
                        self.list(part);
                    }
                    self.put(end);
                }
                self.block(body);
                self.put("\n");
            }
            StmtKind::Foreach(foreach) => {
                self.line();
                self.put("foreach (");
                self.expr(foreach.subject, 0);
                self.put(" as ");
                if let Some(key) = foreach.key {
                    self.expr(key, 0);
                    self.put(" => ");
                }
                if foreach.by_ref {
                    self.put("&");
                }
                self.expr(foreach.value, 0);
                self.put(")");
                self.block(foreach.body);
                self.put("\n");
            }
            StmtKind::Switch { subject, cases } => self.switch(subject, cases),
            StmtKind::Break(level) => self.keyword_expr("break", level),
            StmtKind::Continue(level) => self.keyword_expr("continue", level),
            StmtKind::Return(value) => self.keyword_expr("return", value),
            StmtKind::Global(vars) => vars.iter().for_each(|var| self.keyword_expr("global", Some(var))),
            StmtKind::StaticVars(vars) => {
                for var in vars {
                    self.simple(|p| {
                        p.put("static ");
                        p.var(var.name);
                        p.default(var.default);
                    });
                }
            }
            StmtKind::Unset(vars) => vars.iter().for_each(|var| self.simple(|p| p.function_like("unset", var))),
            StmtKind::Try(node) => self.try_stmt(node),
            StmtKind::Declare { directives, body } => {
                self.line();
                self.put("declare(");
                for (index, directive) in directives.iter().enumerate() {
                    self.comma(index);
                    self.put(directive.name);
                    self.put(" = ");
                    self.expr(directive.value, 0);
                }
                self.put(")");
                match body {
                    None => self.put(";\n"),
                    Some(body) => {
                        self.block(body);
                        self.put("\n");
                    }
                }
            }
            StmtKind::Namespace { name, body } => {
                self.line();
                self.put("namespace");
                if let Some(name) = name {
                    self.put(" ");
                    self.name(&name);
                }
                match body {
                    None => self.put(";\n"),
                    Some(body) => {
                        self.block(body);
                        self.put("\n");
                    }
                }
            }
            StmtKind::Use(items) => {
                for item in items {
                    self.simple(|p| {
                        p.put(match item.kind {
                            UseKind::Class => "use ",
                            UseKind::Function => "use function ",
                            UseKind::Const => "use const ",
                        });
                        p.put(item.name);
                        if let Some(alias) = item.alias {
                            p.put(" as ");
                            p.put(alias);
                        }
                    });
                }
            }
            StmtKind::Const(items) => self.simple(|p| {
                p.put("const ");
                p.const_items(items);
            }),
            StmtKind::Function(function) => {
                self.attribute_lines(function.attributes);
                self.line();
                self.put(if function.returns_ref { "function &" } else { "function " });
                self.put(function.name);
                self.signature(function);
                self.function_body(function);
                self.put("\n");
            }
            StmtKind::Class(class) => self.class(class),
            StmtKind::Goto(label) => self.simple(|p| {
                p.put("goto ");
                p.put(label);
            }),
            StmtKind::Label(label) => {
                self.line();
                self.put(label);
                self.put(":\n");
            }
            StmtKind::HaltCompiler { .. } => self.simple(|p| p.put("__HALT_COMPILER()")),
        }
    }

    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.put(", ");
        }
    }

    fn head(&mut self, keyword: &str, cond: &Expr<'_>) {
        self.put(keyword);
        self.put(" (");
        self.expr(cond, 0);
        self.put(")");
    }

    fn default(&mut self, value: Option<&Expr<'_>>) {
        if let Some(value) = value {
            self.put(" = ");
            self.expr(value, 0);
        }
    }

    fn if_chain(&mut self, branches: &[IfBranch<'_>], otherwise: Option<&[Stmt<'_>]>) {
        for (index, branch) in branches.iter().enumerate() {
            self.head(if index == 0 { "if" } else { " elseif" }, branch.cond);
            self.block(branch.body);
        }
        match otherwise {
            None => self.put("\n"),
            Some([Stmt { kind: StmtKind::If { branches, otherwise }, .. }]) => {
                self.put(" else ");
                self.if_chain(branches, *otherwise);
            }
            Some(body) => {
                self.put(" else");
                self.block(body);
                self.put("\n");
            }
        }
    }

    fn switch(&mut self, subject: &Expr<'_>, cases: &[SwitchCase<'_>]) {
        self.line();
        self.head("switch", subject);
        self.put(" {\n");
        self.indent += 1;
        for case in cases {
            self.line();
            match case.cond {
                None => self.put("default"),
                Some(cond) => {
                    self.put("case ");
                    self.expr(cond, 0);
                }
            }
            self.put(":\n");
            self.indent += 1;
            self.stmts(case.body);
            self.indent -= 1;
        }
        self.indent -= 1;
        self.line();
        self.put("}\n");
    }

    fn try_stmt(&mut self, node: &Try<'_>) {
        self.line();
        self.put("try");
        self.block(node.body);
        for catch in node.catches {
            self.put(" catch (");
            self.names(catch.types, "|");
            if let Some(var) = catch.var {
                self.put(" ");
                self.var(var);
            }
            self.put(")");
            self.block(catch.body);
        }
        if let Some(finally) = node.finally {
            self.put(" finally");
            self.block(finally);
        }
        self.put("\n");
    }

    fn names(&mut self, names: &[Name<'_>], separator: &str) {
        for (index, name) in names.iter().enumerate() {
            if index > 0 {
                self.put(separator);
            }
            self.name(name);
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Functions

    fn attribute_group(&mut self, group: &AttributeGroup<'_>) {
        self.put("#[");
        for (index, attribute) in group.attributes.iter().enumerate() {
            self.comma(index);
            self.name(&attribute.name);
            if let Some(args) = &attribute.args {
                self.args(args);
            }
        }
        self.put("]");
    }

    pub(super) fn inline_attributes(&mut self, groups: &[AttributeGroup<'_>]) {
        for group in groups {
            self.attribute_group(group);
            self.put(" ");
        }
    }

    fn attribute_lines(&mut self, groups: &[AttributeGroup<'_>]) {
        for group in groups {
            self.line();
            self.attribute_group(group);
            self.put("\n");
        }
    }

    pub(super) fn closure(&mut self, function: &Function<'_>) {
        self.inline_attributes(function.attributes);
        if function.modifiers.has(Modifiers::STATIC) {
            self.put("static ");
        }
        if function.kind == FunctionKind::Arrow {
            self.put("fn");
        } else {
            self.put("function ");
        }
        if function.returns_ref {
            self.put("&");
        }
        self.signature(function);
        match function.body {
            FunctionBody::Expr(body) => {
                self.put(" => ");
                self.expr(body, 0);
            }
            FunctionBody::Block(body) => self.block(body),
            FunctionBody::None => {}
        }
    }

    fn signature(&mut self, function: &Function<'_>) {
        self.params(function.params.unwrap_or(&[]));
        for (index, used) in function.uses.iter().enumerate() {
            self.put(if index == 0 { " use(" } else { ", " });
            if used.by_ref {
                self.put("&");
            }
            self.var(used.name);
        }
        if !function.uses.is_empty() {
            self.put(")");
        }
        if let Some(ty) = function.return_type {
            self.put(": ");
            self.type_name(ty);
        }
    }

    fn params(&mut self, params: &[Param<'_>]) {
        self.put("(");
        for (index, param) in params.iter().enumerate() {
            self.comma(index);
            self.inline_attributes(param.attributes);
            self.visibility(param.modifiers);
            if let Some(ty) = param.ty {
                self.type_name(ty);
                self.put(" ");
            }
            if param.by_ref {
                self.put("&");
            }
            if param.variadic {
                self.put("...");
            }
            self.var(param.name);
            self.default(param.default);
            if let Some(hooks) = param.hooks {
                self.hooks(hooks);
            }
        }
        self.put(")");
    }

    /// The body of a named function or method, with the line's end.
    fn function_body(&mut self, function: &Function<'_>) {
        match function.body {
            FunctionBody::None => self.put(";\n"),
            FunctionBody::Block(body) => {
                self.block(body);
                self.put("\n");
            }
            FunctionBody::Expr(body) => {
                self.put(" => ");
                self.expr(body, 0);
                self.put(";\n");
            }
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Classes

    fn visibility(&mut self, modifiers: Modifiers) {
        for (flag, text) in [
            (Modifiers::PUBLIC, "public "),
            (Modifiers::PROTECTED, "protected "),
            (Modifiers::PRIVATE, "private "),
            (Modifiers::PUBLIC_SET, "public(set) "),
            (Modifiers::PROTECTED_SET, "protected(set) "),
            (Modifiers::PRIVATE_SET, "private(set) "),
        ] {
            if modifiers.has(flag) {
                self.put(text);
            }
        }
    }

    /// Members without visibility are public.
    fn member_visibility(&mut self, modifiers: Modifiers) {
        if !modifiers.has(Modifiers::VISIBILITY) {
            self.put("public ");
        }
        self.visibility(modifiers);
    }

    fn class(&mut self, class: &Class<'_>) {
        self.attribute_lines(class.attributes);
        self.line();
        for (flag, text) in
            [(Modifiers::FINAL, "final "), (Modifiers::ABSTRACT, "abstract "), (Modifiers::READONLY, "readonly ")]
        {
            if class.modifiers.has(flag) {
                self.put(text);
            }
        }
        self.put(match class.kind {
            ClassKind::Class | ClassKind::AnonymousClass => "class ",
            ClassKind::Interface => "interface ",
            ClassKind::Trait => "trait ",
            ClassKind::Enum => "enum ",
        });
        self.put(class.name);
        if let Some(ty) = class.backing_type {
            self.put(": ");
            self.type_name(ty);
        }
        self.class_tail(class);
        self.put("\n\n");
    }

    /// What follows the name, up to the closing brace.
    pub(super) fn class_tail(&mut self, class: &Class<'_>) {
        if let Some(parent) = &class.extends {
            self.put(" extends ");
            self.name(parent);
        }
        if !class.implements.is_empty() {
            self.put(" implements ");
            self.names(class.implements, ", ");
        }
        self.put(" {\n");
        self.indent += 1;
        for member in class.members {
            self.member_decl(member);
        }
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    fn const_items(&mut self, items: &[ConstItem<'_>]) {
        for (index, item) in items.iter().enumerate() {
            self.comma(index);
            self.put(item.name);
            self.default(Some(item.value));
        }
    }

    fn member_decl(&mut self, member: &Member<'_>) {
        match member.kind {
            MemberKind::Const(consts) => {
                self.attribute_lines(consts.attributes);
                self.simple(|p| {
                    p.member_visibility(consts.modifiers);
                    p.put("const ");
                    if let Some(ty) = consts.ty {
                        p.type_name(ty);
                        p.put(" ");
                    }
                    p.const_items(consts.items);
                });
            }
            MemberKind::Property(properties) => self.properties(properties),
            MemberKind::Method(method) => {
                self.attribute_lines(method.attributes);
                self.line();
                self.member_visibility(method.modifiers);
                for (flag, text) in
                    [(Modifiers::STATIC, "static "), (Modifiers::ABSTRACT, "abstract "), (Modifiers::FINAL, "final ")]
                {
                    if method.modifiers.has(flag) {
                        self.put(text);
                    }
                }
                self.put(if method.returns_ref { "function &" } else { "function " });
                self.put(method.name);
                self.signature(method);
                self.function_body(method);
                self.put("\n");
            }
            MemberKind::TraitUse(node) => self.trait_use(node),
            MemberKind::Case(case) => {
                self.attribute_lines(case.attributes);
                self.simple(|p| {
                    p.put("case ");
                    p.put(case.name);
                    p.default(case.value);
                });
            }
        }
    }

    fn properties(&mut self, properties: &Properties<'_>) {
        self.attribute_lines(properties.attributes);
        self.line();
        self.member_visibility(properties.modifiers);
        if properties.modifiers.has(Modifiers::STATIC) {
            self.put("static ");
        }
        if properties.modifiers.has(Modifiers::READONLY) {
            self.put("readonly ");
        }
        if let Some(ty) = properties.ty {
            self.type_name(ty);
            self.put(" ");
        }
        let mut hooked = false;
        for (index, item) in properties.items.iter().enumerate() {
            self.comma(index);
            self.var(item.name);
            self.default(item.default);
            if let Some(hooks) = item.hooks {
                self.hooks(hooks);
                hooked = true;
            }
        }
        self.put(if hooked { "\n" } else { ";\n" });
    }

    fn hooks(&mut self, hooks: &[Function<'_>]) {
        self.put(" {\n");
        self.indent += 1;
        for hook in hooks {
            self.attribute_lines(hook.attributes);
            self.line();
            if hook.modifiers.has(Modifiers::FINAL) {
                self.put("final ");
            }
            if hook.returns_ref {
                self.put("&");
            }
            self.put(hook.name);
            if let Some(params) = hook.params {
                self.params(params);
            }
            self.function_body(hook);
        }
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    fn trait_use(&mut self, node: &TraitUse<'_>) {
        self.line();
        self.put("use ");
        self.names(node.traits, ", ");
        if node.adaptations.is_empty() {
            self.put(";\n");
            return;
        }
        self.put(" {\n");
        self.indent += 1;
        for adaptation in node.adaptations {
            self.simple(|p| match adaptation {
                TraitAdaptation::Precedence { trait_name, method, insteadof, .. } => {
                    p.name(trait_name);
                    p.put("::");
                    p.put(method);
                    p.put(" insteadof ");
                    p.names(insteadof, ", ");
                }
                TraitAdaptation::Alias { trait_name, method, modifiers, alias, .. } => {
                    if let Some(name) = trait_name {
                        p.name(name);
                        p.put("::");
                    }
                    p.put(method);
                    p.put(" as");
                    for (flag, text) in [
                        (Modifiers::PUBLIC, " public"),
                        (Modifiers::PROTECTED, " protected"),
                        (Modifiers::PRIVATE, " private"),
                        (Modifiers::STATIC, " static"),
                        (Modifiers::ABSTRACT, " abstract"),
                        (Modifiers::FINAL, " final"),
                    ] {
                        if modifiers.has(flag) {
                            p.put(text);
                        }
                    }
                    if let Some(alias) = alias {
                        p.put(" ");
                        p.put(alias);
                    }
                }
            });
        }
        self.indent -= 1;
        self.line();
        self.put("}\n");
    }
}
