//! Prints expressions and statements as PHP prints them: in the message of a failed `assert()`, and for constant
//! expressions in Reflection.
//!
//! The result is PHP's, with its peculiarities: parentheses follow a table of priorities, not the source, and some
//! operators never get them (`throw $a + 1` for `(throw $a) + 1`); concatenated literals are one literal.

mod stmt;

use crate::ast::*;
use crate::lexer::{is_ident, is_ident_start};
use crate::literal;
use crate::stack::Stack;

/// The source of an expression.
pub fn expr(expr: &Expr<'_>) -> Vec<u8> {
    let mut printer = Printer::new();
    printer.expr(expr, 0);
    printer.out
}

/// What names in an expression mean where it stands.
pub trait Names {
    /// A constant's full name.
    fn constant(&self, name: &Name<'_>) -> Vec<u8>;
    /// A class as it is to be written: fully qualified, or `self`, `parent`, `static`.
    fn class(&self, name: &Name<'_>) -> Vec<u8>;
    /// The same before `::CONSTANT`, where PHP leaves the backslash out for classes in no namespace.
    fn constant_class(&self, name: &Name<'_>) -> Vec<u8> {
        let class = self.class(name);
        match class.strip_prefix(b"\\") {
            Some(global) if !global.contains(&b'\\') => global.to_vec(),
            _ => class,
        }
    }
}

/// The source of an expression with all names resolved.
pub fn expr_resolved(expr: &Expr<'_>, names: &dyn Names) -> Vec<u8> {
    let mut printer = Printer::new();
    printer.names = Some(names);
    printer.expr(expr, 0);
    printer.out
}

/// The source of a type.
pub fn type_name(ty: &Type<'_>) -> Vec<u8> {
    let mut printer = Printer::new();
    printer.type_name(ty);
    printer.out
}

struct Printer<'n> {
    names: Option<&'n dyn Names>,
    out: Vec<u8>,
    indent: usize,
    stack: Stack,
}

/// Text and priorities of a binary operator: its own, and what its operands must have to stand without parentheses.
fn binary(op: BinaryOp) -> (&'static str, u16, u16, u16) {
    use BinaryOp as B;
    match op {
        B::Or => (" || ", 120, 120, 121),
        B::And => (" && ", 130, 130, 131),
        B::Xor => (" xor ", 40, 40, 41),
        B::BitOr => (" | ", 140, 140, 141),
        B::BitXor => (" ^ ", 150, 150, 151),
        B::BitAnd => (" & ", 160, 160, 161),
        B::Equal => (" == ", 170, 171, 171),
        B::NotEqual => (" != ", 170, 171, 171),
        B::Identical => (" === ", 170, 171, 171),
        B::NotIdentical => (" !== ", 170, 171, 171),
        B::Less => (" < ", 180, 181, 181),
        B::LessEqual => (" <= ", 180, 181, 181),
        B::Greater => (" > ", 180, 181, 181),
        B::GreaterEqual => (" >= ", 180, 181, 181),
        B::Spaceship => (" <=> ", 180, 181, 181),
        B::Concat => (" . ", 185, 185, 186),
        B::ShiftLeft => (" << ", 190, 190, 191),
        B::ShiftRight => (" >> ", 190, 190, 191),
        B::Add => (" + ", 200, 200, 201),
        B::Sub => (" - ", 200, 200, 201),
        B::Mul => (" * ", 210, 210, 211),
        B::Div => (" / ", 210, 210, 211),
        B::Mod => (" % ", 210, 210, 211),
        B::Pow => (" ** ", 250, 251, 250),
        B::Coalesce => (" ?? ", 110, 111, 110),
    }
}

const ASSIGN: u16 = 90;
const UNARY: u16 = 240;
const POSTFIX: u16 = 260;
const CLONE: u16 = 270;

impl<'n> Printer<'n> {
    fn new() -> Self {
        Printer { names: None, out: Vec::new(), indent: 0, stack: Stack::here() }
    }

    /// Runs `print` one level deeper, with enough stack.
    fn nested(&mut self, print: impl FnOnce(&mut Self)) {
        if !self.stack.is_used_up() {
            return print(self);
        }
        Stack::grow(|stack| {
            let outer = std::mem::replace(&mut self.stack, stack);
            print(self);
            self.stack = outer;
        });
    }

    fn put(&mut self, text: impl AsRef<[u8]>) {
        self.out.extend_from_slice(text.as_ref());
    }

    fn line(&mut self) {
        for _ in 0..self.indent {
            self.put("    ");
        }
    }

    /// Prints with parentheses if the operator's priority is too low for its place.
    fn bracketed(&mut self, own: u16, place: u16, print: impl FnOnce(&mut Self)) {
        if place > own {
            self.put("(");
            print(self);
            self.put(")");
        } else {
            print(self);
        }
    }

    fn expr(&mut self, expr: &Expr<'_>, place: u16) {
        self.nested(|p| p.expr_kind(expr, place));
    }

    fn prefix(&mut self, text: &str, own: u16, operand: u16, expr: &Expr<'_>, place: u16) {
        self.bracketed(own, place, |p| {
            p.put(text);
            p.expr(expr, operand);
        });
    }

    fn function_like(&mut self, name: &str, expr: &Expr<'_>) {
        self.put(name);
        self.put("(");
        self.expr(expr, 0);
        self.put(")");
    }

    fn operator(&mut self, text: &str, own: u16, left: (&Expr<'_>, u16), right: (&Expr<'_>, u16), place: u16) {
        self.bracketed(own, place, |p| {
            p.expr(left.0, left.1);
            p.put(text);
            p.expr(right.0, right.1);
        });
    }

    fn expr_kind(&mut self, expr: &Expr<'_>, place: u16) {
        match expr.kind {
            ExprKind::Int(value) => self.put(value.to_string()),
            ExprKind::Float(value) => self.put(float(value)),
            ExprKind::String(text) => self.string(text),
            ExprKind::Interpolated(parts) => {
                self.put("\"");
                self.parts(parts, b'"');
                self.put("\"");
            }
            ExprKind::ShellExec(parts) => {
                self.put("`");
                self.parts(parts, b'`');
                self.put("`");
            }
            ExprKind::MagicConst(magic) => self.put(magic_name(magic)),
            ExprKind::Const(name) => match self.names {
                Some(names) => self.put(names.constant(&name)),
                None => self.name(&name),
            },
            ExprKind::Array(array) => {
                self.put("[");
                for (index, element) in array.elements.iter().enumerate() {
                    if index > 0 {
                        self.put(", ");
                    }
                    self.element(element);
                }
                self.put("]");
            }
            ExprKind::Var(name) => self.var(name),
            ExprKind::VarVar(inner) => self.var_var(inner),
            ExprKind::Index { base, index } => {
                self.expr(base, POSTFIX);
                self.put("[");
                if let Some(index) = index {
                    self.expr(index, 0);
                }
                self.put("]");
            }
            ExprKind::Prop(prop) => {
                self.expr(prop.object, 0);
                self.put(if prop.nullsafe { "?->" } else { "->" });
                self.member(&prop.name);
            }
            ExprKind::StaticProp(prop) => {
                self.class_ref(&prop.class);
                self.put("::");
                match prop.name.kind {
                    IdentKind::Name(name) => self.var(name),
                    IdentKind::Expr(inner) => self.var_var(inner),
                }
            }
            ExprKind::ClassConst(constant) => {
                match (&constant.class, self.names) {
                    (ClassRef::Name(name), Some(names)) => self.put(names.constant_class(name)),
                    _ => self.class_ref(&constant.class),
                }
                self.put("::");
                self.static_member(&constant.name);
            }
            ExprKind::ClassName(class) => {
                self.class_ref(class);
                self.put("::class");
            }
            ExprKind::Call(call) => {
                match call.callee {
                    Callee::Name(name) if name.is(b"exit") || name.is(b"die") => self.put("\\exit"),
                    Callee::Name(name) => self.name(&name),
                    Callee::Expr(callee) => self.name_expr(callee),
                }
                self.args(&call.args);
            }
            ExprKind::MethodCall(call) => {
                self.expr(call.object, 0);
                self.put(if call.nullsafe { "?->" } else { "->" });
                self.member(&call.name);
                self.args(&call.args);
            }
            ExprKind::StaticCall(call) => {
                self.class_ref(&call.class);
                self.put("::");
                self.static_member(&call.name);
                self.args(&call.args);
            }
            ExprKind::New(new) => {
                self.put("new ");
                self.class_ref(&new.class);
                self.args(&new.args);
            }
            ExprKind::NewAnonymous(new) => {
                self.put("new ");
                self.inline_attributes(new.class.attributes);
                self.put("class");
                if !new.args.items.is_empty() || new.args.first_class_callable {
                    self.args(&new.args);
                }
                self.class_tail(new.class);
            }
            ExprKind::Closure(function) => self.closure(function),
            ExprKind::Unary { op, expr } => {
                let text = match op {
                    UnaryOp::Plus => "+",
                    UnaryOp::Minus => "-",
                    UnaryOp::Not => "!",
                    UnaryOp::BitNot => "~",
                    UnaryOp::Silence => "@",
                };
                self.prefix(text, UNARY, UNARY + 1, expr, place);
            }
            ExprKind::Binary { op: BinaryOp::Concat, .. } if folded(expr).is_some() => {
                if let Some(text) = folded(expr) {
                    self.string(&text);
                }
            }
            ExprKind::Binary { op, left, right } => {
                let (text, own, l, r) = binary(op);
                self.operator(text, own, (left, l), (right, r), place);
            }
            ExprKind::Cast { kind, expr } => {
                let text = match kind {
                    CastKind::Int => "(int)",
                    CastKind::Float => "(double)",
                    CastKind::String => "(string)",
                    CastKind::Array => "(array)",
                    CastKind::Object => "(object)",
                    CastKind::Bool => "(bool)",
                };
                self.prefix(text, UNARY, UNARY + 1, expr, place);
            }
            ExprKind::Assign { target, value } => {
                self.operator(" = ", ASSIGN, (target, ASSIGN + 1), (value, ASSIGN), place);
            }
            ExprKind::AssignRef { target, value } => {
                self.operator(" =& ", ASSIGN, (target, ASSIGN + 1), (value, ASSIGN), place);
            }
            ExprKind::AssignOp { op, target, value } => {
                let text = format!(" {}= ", binary(op).0.trim());
                self.operator(&text, ASSIGN, (target, ASSIGN + 1), (value, ASSIGN), place);
            }
            ExprKind::PreInc(expr) => self.prefix("++", UNARY, 230, expr, place),
            ExprKind::PreDec(expr) => self.prefix("--", UNARY, 230, expr, place),
            ExprKind::PostInc(expr) => self.postfix("++", expr, place),
            ExprKind::PostDec(expr) => self.postfix("--", expr, place),
            ExprKind::Ternary { cond, then, otherwise } => self.bracketed(100, place, |p| {
                p.expr(cond, 100);
                match then {
                    Some(then) => {
                        p.put(" ? ");
                        p.expr(then, 101);
                        p.put(" : ");
                    }
                    None => p.put(" ?: "),
                }
                p.expr(otherwise, 101);
            }),
            ExprKind::Instanceof { expr, class } => {
                self.expr(expr, 0);
                self.put(" instanceof ");
                self.class_ref(class);
            }
            ExprKind::Isset(vars) => {
                let own = if vars.len() > 1 { 130 } else { u16::MAX };
                self.bracketed(own, place, |p| {
                    for (index, var) in vars.iter().enumerate() {
                        if index > 0 {
                            p.put(" && ");
                        }
                        p.function_like("isset", var);
                    }
                });
            }
            ExprKind::Empty(expr) => self.function_like("empty", expr),
            ExprKind::Include { kind, expr } => {
                let name = match kind {
                    IncludeKind::Include => "include",
                    IncludeKind::IncludeOnce => "include_once",
                    IncludeKind::Require => "require",
                    IncludeKind::RequireOnce => "require_once",
                    IncludeKind::Eval => "eval",
                };
                self.function_like(name, expr);
            }
            ExprKind::Print(expr) => self.prefix("print ", 60, 61, expr, place),
            ExprKind::Clone(expr) => self.prefix("clone ", CLONE, CLONE + 1, expr, place),
            ExprKind::Throw(expr) => {
                self.put("throw ");
                self.expr(expr, 0);
            }
            ExprKind::Yield { key, value } => self.bracketed(70, place, |p| {
                p.put("yield ");
                if let Some(value) = value {
                    if let Some(key) = key {
                        p.expr(key, 70);
                        p.put(" => ");
                    }
                    p.expr(value, 70);
                }
            }),
            ExprKind::YieldFrom(expr) => self.prefix("yield from ", 85, 86, expr, place),
            ExprKind::Match { subject, arms } => self.match_expr(subject, arms),
        }
    }

    fn postfix(&mut self, text: &str, expr: &Expr<'_>, place: u16) {
        self.bracketed(POSTFIX, place, |p| {
            p.expr(expr, UNARY + 1);
            p.put(text);
        });
    }

    fn match_expr(&mut self, subject: &Expr<'_>, arms: &[MatchArm<'_>]) {
        self.put("match (");
        self.expr(subject, 0);
        self.put(") {\n");
        self.indent += 1;
        for arm in arms {
            self.line();
            match arm.conds {
                None => self.put("default"),
                Some(conds) => self.list(conds),
            }
            self.put(" => ");
            self.expr(arm.body, 0);
            self.put(",\n");
        }
        self.indent -= 1;
        self.line();
        self.put("}");
    }

    fn list(&mut self, exprs: &[Expr<'_>]) {
        for (index, expr) in exprs.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            self.expr(expr, 0);
        }
    }

    fn element(&mut self, element: &ArrayElement<'_>) {
        match *element {
            ArrayElement::Skipped => {}
            ArrayElement::Spread(value) => {
                self.put("...");
                self.expr(value, 80);
            }
            ArrayElement::Item { key, value, by_ref } => {
                if let Some(key) = key {
                    self.expr(key, 80);
                    self.put(" => ");
                }
                if by_ref {
                    self.put("&");
                }
                self.expr(value, 80);
            }
        }
    }

    fn args(&mut self, args: &Args<'_>) {
        self.put("(");
        if args.first_class_callable {
            self.put("...");
        }
        for (index, arg) in args.items.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            if let Some(name) = arg.name {
                self.put(name);
                self.put(": ");
            }
            if arg.spread {
                self.put("...");
            }
            self.expr(arg.value, 0);
        }
        self.put(")");
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Names and variables

    fn name(&mut self, name: &Name<'_>) {
        match name.kind {
            NameKind::FullyQualified => self.put("\\"),
            NameKind::Relative => self.put("namespace\\"),
            NameKind::Unqualified | NameKind::Qualified => {}
        }
        self.put(name.bytes);
    }

    fn class_ref(&mut self, class: &ClassRef<'_>) {
        match class {
            ClassRef::Name(name) => match self.names {
                Some(names) => self.put(names.class(name)),
                None => self.name(name),
            },
            ClassRef::Static(_) => self.put("static"),
            ClassRef::Expr(expr) => self.name_expr(expr),
        }
    }

    /// An expression where a name could stand: a literal string is a fully qualified name then.
    fn name_expr(&mut self, expr: &Expr<'_>) {
        match folded(expr) {
            Some(name) => {
                self.put("\\");
                self.put(name);
            }
            _ => self.expr(expr, 0),
        }
    }

    fn var(&mut self, name: &[u8]) {
        if is_name(name) {
            self.put("$");
            self.put(name);
        } else {
            self.put("${");
            self.put(name);
            self.put("}");
        }
    }

    fn var_var(&mut self, inner: &Expr<'_>) {
        match inner.kind {
            ExprKind::String(name) => self.var(name),
            ExprKind::Var(_) | ExprKind::VarVar(_) => {
                self.put("$");
                self.expr(inner, 0);
            }
            _ => {
                self.put("${");
                self.expr(inner, 0);
                self.put("}");
            }
        }
    }

    fn plain_name(&mut self, name: &[u8]) {
        if is_name(name) {
            self.put(name);
        } else {
            self.put("{");
            self.put(name);
            self.put("}");
        }
    }

    /// The name after `->`.
    fn member(&mut self, name: &Ident<'_>) {
        match name.kind {
            IdentKind::Name(name) => self.plain_name(name),
            IdentKind::Expr(expr) => match expr.kind {
                ExprKind::String(name) => self.plain_name(name),
                ExprKind::Var(_) | ExprKind::VarVar(_) => self.expr(expr, 0),
                _ => {
                    self.put("{");
                    self.expr(expr, 0);
                    self.put("}");
                }
            },
        }
    }

    /// The name after `::`: PHP leaves the braces out.
    fn static_member(&mut self, name: &Ident<'_>) {
        match name.kind {
            IdentKind::Name(name) => self.plain_name(name),
            IdentKind::Expr(expr) => match expr.kind {
                ExprKind::String(name) => self.plain_name(name),
                _ => self.expr(expr, 0),
            },
        }
    }

    fn type_name(&mut self, ty: &Type<'_>) {
        let (types, separator) = match ty.kind {
            TypeKind::Array => return self.put("array"),
            TypeKind::Callable => return self.put("callable"),
            TypeKind::Static => return self.put("static"),
            TypeKind::Name(name) => return self.name(&name),
            TypeKind::Nullable(inner) => {
                self.put("?");
                return self.type_name(inner);
            }
            TypeKind::Union(types) => (types, "|"),
            TypeKind::Intersection(types) => (types, "&"),
        };
        for (index, ty) in types.iter().enumerate() {
            if index > 0 {
                self.put(separator);
            }
            self.type_name(ty);
        }
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Strings

    /// A literal: in single quotes, unless control characters ask for escapes.
    fn string(&mut self, text: &[u8]) {
        if text.iter().any(|&byte| byte < b' ') {
            self.put("\"");
            self.escaped(text, b'"');
            self.put("\"");
            return;
        }
        self.put("'");
        for &byte in text {
            if matches!(byte, b'\'' | b'\\') {
                self.put("\\");
            }
            self.out.push(byte);
        }
        self.put("'");
    }

    fn escaped(&mut self, text: &[u8], quote: u8) {
        for &byte in text {
            let escape = match byte {
                b'\n' => b'n',
                b'\r' => b'r',
                b'\t' => b't',
                0x0c => b'f',
                0x0b => b'v',
                0x1b => b'e',
                b'\\' | b'$' => byte,
                _ if byte == quote => byte,
                _ if byte < b' ' => {
                    self.put(format!("\\{byte:03o}"));
                    continue;
                }
                _ => {
                    self.out.push(byte);
                    continue;
                }
            };
            self.put([b'\\', escape]);
        }
    }

    fn parts(&mut self, parts: &[StringPart<'_>], quote: u8) {
        for (index, part) in parts.iter().enumerate() {
            let expr = match part {
                StringPart::Literal(text) => {
                    self.escaped(text, quote);
                    continue;
                }
                StringPart::Expr(expr) => expr,
            };
            let simple = match expr.kind {
                ExprKind::Var(_) => true,
                ExprKind::VarVar(inner) => matches!(inner.kind, ExprKind::String(_)),
                _ => false,
            };
            let goes_on = match parts.get(index + 1) {
                Some(StringPart::Literal(text)) => text.first().is_some_and(|&byte| byte == b'[' || is_ident(byte)),
                _ => false,
            };
            if simple && !goes_on {
                self.expr(expr, 0);
            } else {
                self.put("{");
                self.expr(expr, 0);
                self.put("}");
            }
        }
    }
}

fn is_name(name: &[u8]) -> bool {
    name.first().is_some_and(|&byte| is_ident_start(byte)) && name.iter().all(|&byte| is_ident(byte))
}

fn magic_name(magic: MagicConst) -> &'static str {
    match magic {
        MagicConst::Line => "__LINE__",
        MagicConst::File => "__FILE__",
        MagicConst::Dir => "__DIR__",
        MagicConst::Namespace => "__NAMESPACE__",
        MagicConst::Class => "__CLASS__",
        MagicConst::Trait => "__TRAIT__",
        MagicConst::Function => "__FUNCTION__",
        MagicConst::Method => "__METHOD__",
        MagicConst::Property => "__PROPERTY__",
    }
}

/// The literal that a concatenation of literals is.
fn folded(expr: &Expr<'_>) -> Option<Vec<u8>> {
    // Chains lean to the left: collect the right sides, then the innermost left one decides first.
    let mut rights = Vec::new();
    let mut left = expr;
    while let ExprKind::Binary { op: BinaryOp::Concat, left: inner, right } = left.kind {
        rights.push(right);
        left = inner;
    }
    if rights.is_empty() && !matches!(left.kind, ExprKind::String(_)) {
        return None;
    }
    let mut text = literal_text(left)?;
    for right in rights.iter().rev() {
        text.extend(operand_text(right)?);
    }
    Some(text)
}

/// The text of a right operand: a literal, or a folded concatenation in parentheses.
fn operand_text(expr: &Expr<'_>) -> Option<Vec<u8>> {
    match expr.kind {
        ExprKind::Binary { op: BinaryOp::Concat, left, right } => {
            let mut text = literal_text(left)?;
            text.extend(literal_text(right)?);
            Some(text)
        }
        _ => literal_text(expr),
    }
}

fn literal_text(expr: &Expr<'_>) -> Option<Vec<u8>> {
    match expr.kind {
        ExprKind::String(text) => Some(text.to_vec()),
        ExprKind::Int(value) => Some(value.to_string().into_bytes()),
        ExprKind::Float(value) => Some(literal::float_text(value, 17).into_bytes()),
        _ => None,
    }
}

/// A float as PHP's default `precision` of 14 digits shows it, with a fraction.
fn float(value: f64) -> String {
    let text = literal::float_text(value, 14);
    if value.is_finite() && !text.contains(['.', 'E']) { text + ".0" } else { text }
}
