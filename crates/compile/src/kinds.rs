//! What PHP's compiler makes of an expression: a plain value or the result of a call. Programs see it where results are passed by
//! reference, and in the order in which operands stand in messages.
//!
//! Facts as stock PHP's opcache prints them (`opcache.opt_debug_level=0x10000`).

use crate::lvalue::is_call;
use crate::names::lower;
use crate::unit::Compiler;
use jumbo_bytecode::unit::CastKind;
use jumbo_syntax::ast::{self, Args, ArrayElement, Callee, ClassRef, Expr, ExprKind, Ident, IdentKind, StringPart, UnaryOp};

/// Builtins that PHP calls "frameless" with so many arguments: variables among the arguments are read when all have been evaluated, and
/// the result is a plain value.
pub fn is_frameless(lowered: &[u8], count: usize) -> bool {
    match lowered {
        b"dechex" | b"is_numeric" => count == 1,
        b"class_exists" | b"dirname" | b"implode" | b"trim" => count == 1 || count == 2,
        b"max" | b"min" | b"preg_match" | b"property_exists" | b"str_contains" | b"str_starts_with" => count == 2,
        b"in_array" | b"strpos" | b"strstr" | b"strtr" | b"substr" => count == 2 || count == 3,
        b"preg_replace" | b"str_replace" => count == 3,
        _ => false,
    }
}

/// Does it read variables when all arguments have been evaluated?
pub fn reads_late(lowered: &[u8], count: usize) -> bool {
    is_frameless(lowered, count) || lowered == b"array_key_exists" && count == 2
}

/// Builtins that are opcodes in PHP with these arguments, whose result is a plain value.
fn is_opcode(lowered: &[u8], args: &Args<'_>) -> bool {
    match lowered {
        b"func_num_args" | b"func_get_args" | b"get_called_class" => args.items.is_empty(),
        b"get_class" => args.items.len() <= 1,
        b"strlen" | b"is_null" | b"is_bool" | b"is_long" | b"is_int" | b"is_integer" | b"is_double" | b"is_float" | b"is_string" | b"is_array"
        | b"is_object" | b"is_resource" | b"is_scalar" | b"boolval" | b"intval" | b"floatval" | b"doubleval" | b"strval" | b"count" | b"sizeof"
        | b"gettype" => args.items.len() == 1,
        b"array_key_exists" => args.items.len() == 2,
        b"defined" => matches!(args.items, [arg] if matches!(arg.value.kind, ExprKind::String(_))),
        b"sprintf" => concatenation(args).is_some(),
        _ => false,
    }
}

/// Builtins that PHP's compiler computes: what they give is no place, but no result that could not be written into either.
fn is_computed(lowered: &[u8], args: &Args<'_>) -> bool {
    match (lowered, args.items) {
        (b"ord", [arg]) => matches!(arg.value.kind, ExprKind::String(_)),
        (b"chr", [arg]) => matches!(arg.value.kind, ExprKind::Int(_)),
        _ => false,
    }
}

/// A piece of a concatenation that `sprintf` stands for.
pub enum FormatPiece {
    Text(Vec<u8>),
    /// The next argument, as a string or an int.
    Argument(CastKind),
}

/// What `sprintf` of a literal that has nothing but `%s` and `%d` is made of; such a call is no call in PHP.
pub fn concatenation(args: &Args<'_>) -> Option<Vec<FormatPiece>> {
    let [format, rest @ ..] = args.items else { return None };
    let ExprKind::String(format) = format.value.kind else { return None };
    let (mut pieces, mut text, mut arguments) = (Vec::new(), Vec::new(), 0);
    let mut bytes = format.iter();
    while let Some(&byte) = bytes.next() {
        let kind = match byte {
            b'%' => match bytes.next() {
                Some(b's') => CastKind::String,
                Some(b'd') => CastKind::Int,
                Some(b'%') => {
                    text.push(b'%');
                    continue;
                }
                _ => return None,
            },
            _ => {
                text.push(byte);
                continue;
            }
        };
        if !text.is_empty() {
            pieces.push(FormatPiece::Text(std::mem::take(&mut text)));
        }
        pieces.push(FormatPiece::Argument(kind));
        arguments += 1;
    }
    if !text.is_empty() {
        pieces.push(FormatPiece::Text(text));
    }
    (arguments == rest.len()).then_some(pieces)
}

/// May the code for it stand twice in a function? `nodes` is what may be repeated, and goes down.
pub fn is_repeatable(e: &Expr<'_>, nodes: &mut u32) -> bool {
    let Some(left) = nodes.checked_sub(1) else { return false };
    *nodes = left;
    let mut is = |e: &Expr<'_>| is_repeatable(e, nodes);
    match e.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::MagicConst(_) | ExprKind::Const(_) | ExprKind::Var(_) => true,
        ExprKind::Interpolated(parts) => parts.iter().all(|part| match part {
            StringPart::Literal(_) => true,
            StringPart::Expr(e) => is(e),
        }),
        ExprKind::Array(array) => array.elements.iter().all(|element| match *element {
            ArrayElement::Skipped => true,
            ArrayElement::Item { key, value, .. } => key.is_none_or(&mut is) && is(value),
            ArrayElement::Spread(e) => is(e),
        }),
        ExprKind::StaticProp(prop) => class(&prop.class).is_none_or(&mut is) && name(&prop.name).is_none_or(is),
        ExprKind::ClassConst(constant) => class(&constant.class).is_none_or(&mut is) && name(&constant.name).is_none_or(is),
        ExprKind::ClassName(of) => class(of).is_none_or(is),
        ExprKind::Index { base, index } => is(base) && index.is_none_or(is),
        ExprKind::Prop(prop) => is(prop.object) && name(&prop.name).is_none_or(is),
        ExprKind::Call(call) => matches!(call.callee, Callee::Name(_)) && call.args.items.iter().all(|arg| is(arg.value)),
        ExprKind::MethodCall(call) => is(call.object) && name(&call.name).is_none_or(&mut is) && call.args.items.iter().all(|arg| is(arg.value)),
        ExprKind::StaticCall(call) => {
            class(&call.class).is_none_or(&mut is) && name(&call.name).is_none_or(&mut is) && call.args.items.iter().all(|arg| is(arg.value))
        }
        ExprKind::Unary { expr, .. } | ExprKind::Cast { expr, .. } | ExprKind::Empty(expr) => is(expr),
        ExprKind::Binary { left, right, .. } => is(left) && is(right),
        ExprKind::Ternary { cond, then, otherwise } => is(cond) && then.is_none_or(&mut is) && is(otherwise),
        ExprKind::Isset(list) => list.iter().all(is),
        _ => false,
    }
}

/// The expression that names a class, if one does.
fn class<'a>(class: &ClassRef<'a>) -> Option<&'a Expr<'a>> {
    match *class {
        ClassRef::Expr(e) => Some(e),
        ClassRef::Name(_) | ClassRef::Static(_) => None,
    }
}

/// The expression that names a member, if one does.
fn name<'a>(ident: &Ident<'a>) -> Option<&'a Expr<'a>> {
    match ident.kind {
        IdentKind::Expr(e) => Some(e),
        IdentKind::Name(_) => None,
    }
}

/// Calls that PHP makes as opcodes have the line where the last argument ends.
pub fn ends_with_its_arguments(lowered: &[u8], args: &Args<'_>) -> bool {
    match lowered {
        b"array_key_exists" | b"sprintf" | b"intval" | b"floatval" | b"doubleval" | b"strval" | b"boolval" | b"sizeof" => is_opcode(lowered, args),
        b"get_class" => args.items.len() == 1,
        _ => false,
    }
}

/// A name in quotes is as good as a qualified one.
pub fn name_in_quotes(text: &[u8], line: u32) -> ast::Name<'_> {
    ast::Name { kind: ast::NameKind::FullyQualified, bytes: text.strip_prefix(b"\\").unwrap_or(text), line }
}

impl Compiler<'_, '_> {
    /// A direct call of a builtin for which something holds.
    fn is_direct_call(&self, name: &ast::Name<'_>, args: &Args<'_>, holds: impl FnOnce(&[u8]) -> bool) -> bool {
        let resolved = self.namespace.function(name);
        resolved.fallback.is_none()
            && !args.first_class_callable
            && args.items.iter().all(|arg| !arg.spread && arg.name.is_none())
            && holds(&lower(&resolved.name))
    }

    /// Does PHP compile the call for a "frameless" builtin and for a function of the namespace, and say everything of the arguments twice?
    pub fn is_compiled_twice(&self, name: &ast::Name<'_>, args: &Args<'_>) -> bool {
        let resolved = self.namespace.function(name);
        resolved.fallback.is_some_and(|builtin| is_frameless(&lower(&builtin), args.items.len()))
            && !args.first_class_callable
            && args.items.iter().all(|arg| !arg.spread && arg.name.is_none())
    }

    /// A call of a builtin whose result nothing can be written into.
    fn is_value_call(&self, name: &ast::Name<'_>, args: &Args<'_>) -> bool {
        self.is_direct_call(name, args, |lowered| is_frameless(lowered, args.items.len()) || is_opcode(lowered, args))
    }

    /// A call of a builtin that gives a plain value.
    fn is_value(&self, name: &ast::Name<'_>, args: &Args<'_>) -> bool {
        self.is_value_call(name, args) || self.is_direct_call(name, args, |lowered| is_computed(lowered, args))
    }

    /// Is it the result of something, which may be a reference? A parameter by reference takes it, with a notice if it is none.
    pub fn is_result(&self, e: &Expr<'_>) -> bool {
        match e.kind {
            ExprKind::Call(&ast::Call { callee: Callee::Name(name), args }) if self.is_value(&name, &args) => false,
            ExprKind::Call(&ast::Call { callee: Callee::Expr(&Expr { kind: ExprKind::String(text), line, .. }), args })
                if self.is_value(&name_in_quotes(text, line), &args) =>
            {
                false
            }
            ExprKind::Unary { op: UnaryOp::Silence, expr } => self.is_result(expr),
            ExprKind::New(_) | ExprKind::NewAnonymous(_) | ExprKind::Include { .. } | ExprKind::ShellExec(_) | ExprKind::Yield { .. } => true,
            _ => is_call(e),
        }
    }

    /// Is the place an element of such a call's plain result?
    pub fn is_on_value(&self, mut e: &Expr<'_>) -> bool {
        loop {
            match e.kind {
                ExprKind::Index { base, .. } => e = base,
                ExprKind::Prop(&ast::Prop { object, .. }) => e = object,
                ExprKind::Call(&ast::Call { callee: Callee::Name(name), args }) => return self.is_value_call(&name, &args),
                _ => return false,
            }
        }
    }
}
