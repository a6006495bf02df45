//! What an arrow function captures: the variables that its expression names, also where the code is dropped when it is compiled.

use crate::lvalue::is_auto_global;
use jumbo_syntax::ast::{
    Args, ArrayElement, Callee, ClassRef, Expr, ExprKind, Function, FunctionBody, FunctionKind, Ident, IdentKind, StringPart,
};

/// The names in the order in which PHP meets them, each once: parameters of the function itself are none, those of arrow functions
/// inside of it are, if they are named there.
pub fn captured<'a>(function: &Function<'a>) -> Vec<&'a [u8]> {
    let mut names = Names(Vec::new());
    names.function(function);
    let params = function.params.unwrap_or(&[]);
    names.0.retain(|name| !params.iter().any(|p| p.name == *name));
    names.0
}

struct Names<'a>(Vec<&'a [u8]>);

impl<'a> Names<'a> {
    fn name(&mut self, name: &'a [u8]) {
        if name != b"this" && !is_auto_global(name) && !self.0.contains(&name) {
            self.0.push(name);
        }
    }

    fn function(&mut self, function: &Function<'a>) {
        match function.body {
            _ if function.kind != FunctionKind::Arrow => function.uses.iter().for_each(|used| self.name(used.name)),
            FunctionBody::Expr(e) => self.expr(e),
            FunctionBody::Block(_) | FunctionBody::None => {}
        }
    }

    fn exprs(&mut self, exprs: &[Expr<'a>]) {
        exprs.iter().for_each(|e| self.expr(e));
    }

    fn maybe(&mut self, e: Option<&Expr<'a>>) {
        if let Some(e) = e {
            self.expr(e);
        }
    }

    fn class(&mut self, class: &ClassRef<'a>) {
        if let ClassRef::Expr(e) = class {
            self.expr(e);
        }
    }

    fn ident(&mut self, ident: &Ident<'a>) {
        if let IdentKind::Expr(e) = ident.kind {
            self.expr(e);
        }
    }

    fn args(&mut self, args: &Args<'a>) {
        args.items.iter().for_each(|arg| self.expr(arg.value));
    }

    fn parts(&mut self, parts: &[StringPart<'a>]) {
        for part in parts {
            if let StringPart::Expr(e) = part {
                self.expr(e);
            }
        }
    }

    fn expr(&mut self, e: &Expr<'a>) {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.expr_inner(e));
    }

    fn expr_inner(&mut self, e: &Expr<'a>) {
        match e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::MagicConst(_) | ExprKind::Const(_) => {}
            ExprKind::Var(name) => self.name(name),
            ExprKind::Interpolated(parts) | ExprKind::ShellExec(parts) => self.parts(parts),
            ExprKind::Array(array) => {
                for element in array.elements {
                    match element {
                        ArrayElement::Skipped => {}
                        ArrayElement::Item { key, value, .. } => {
                            self.expr(value);
                            self.maybe(*key);
                        }
                        ArrayElement::Spread(e) => self.expr(e),
                    }
                }
            }
            ExprKind::Index { base, index } => {
                self.expr(base);
                self.maybe(index);
            }
            ExprKind::Prop(prop) => {
                self.expr(prop.object);
                self.ident(&prop.name);
            }
            ExprKind::StaticProp(prop) => {
                self.class(&prop.class);
                self.ident(&prop.name);
            }
            ExprKind::ClassConst(constant) => {
                self.class(&constant.class);
                self.ident(&constant.name);
            }
            ExprKind::ClassName(class) => self.class(class),
            ExprKind::Call(call) => {
                if let Callee::Expr(callee) = call.callee {
                    self.expr(callee);
                }
                self.args(&call.args);
            }
            ExprKind::MethodCall(call) => {
                self.expr(call.object);
                self.ident(&call.name);
                self.args(&call.args);
            }
            ExprKind::StaticCall(call) => {
                self.class(&call.class);
                self.ident(&call.name);
                self.args(&call.args);
            }
            ExprKind::New(new) => {
                self.class(&new.class);
                self.args(&new.args);
            }
            ExprKind::NewAnonymous(new) => self.args(&new.args),
            ExprKind::Closure(function) => self.function(function),
            ExprKind::Binary { left: first, right: second, .. }
            | ExprKind::Assign { target: first, value: second }
            | ExprKind::AssignRef { target: first, value: second }
            | ExprKind::AssignOp { target: first, value: second, .. } => {
                self.expr(first);
                self.expr(second);
            }
            ExprKind::Ternary { cond, then, otherwise } => {
                self.expr(cond);
                self.maybe(then);
                self.expr(otherwise);
            }
            ExprKind::Instanceof { expr, class } => {
                self.expr(expr);
                self.class(class);
            }
            ExprKind::Isset(exprs) => self.exprs(exprs),
            ExprKind::Yield { key, value } => {
                self.maybe(value);
                self.maybe(key);
            }
            ExprKind::Match { subject, arms } => {
                self.expr(subject);
                for arm in arms {
                    self.exprs(arm.conds.unwrap_or(&[]));
                    self.expr(arm.body);
                }
            }
            ExprKind::VarVar(e)
            | ExprKind::Unary { expr: e, .. }
            | ExprKind::Cast { expr: e, .. }
            | ExprKind::PreInc(e)
            | ExprKind::PreDec(e)
            | ExprKind::PostInc(e)
            | ExprKind::PostDec(e)
            | ExprKind::Empty(e)
            | ExprKind::Include { expr: e, .. }
            | ExprKind::Print(e)
            | ExprKind::Clone(e)
            | ExprKind::Throw(e)
            | ExprKind::YieldFrom(e) => self.expr(e),
        }
    }
}
