//! Constant expressions: evaluation at compile time where PHP's result cannot depend on anything else, and the check of
//! what may stand in one.

use crate::Result;
use crate::konst::{Const, ConstArray, ConstKey};
use crate::unit::Compiler;
use jumbo_bytecode::unit::ConstExpr;
use jumbo_syntax::ast::{
    self, ArrayElement, ArrayExpr, ArraySyntax, BinaryOp, ClassRef, Expr, ExprKind, Ident, IdentKind,
    StringPart, UnaryOp,
};
use jumbo_value::PStr;
use std::rc::Rc;

impl<'a> Compiler<'a, '_> {
    /// The value of an expression if it is known now. Emits no code.
    pub fn const_eval(&mut self, e: &'a Expr<'a>) -> Result<Option<Const>> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.const_eval_inner(e))
    }

    fn const_eval_inner(&mut self, e: &'a Expr<'a>) -> Result<Option<Const>> {
        Ok(match e.kind {
            ExprKind::Int(i) => Some(Const::Int(i)),
            ExprKind::Float(f) => Some(Const::Float(f)),
            ExprKind::String(s) => Some(Const::str(s)),
            ExprKind::MagicConst(which) => self.magic_value(which, e.line),
            ExprKind::Const(name) => self.constant_value(&name),
            ExprKind::ClassName(class) => {
                self.class_name_value(class)?.map(|name| Const::str(&name))
            }
            ExprKind::ClassConst(&ast::ClassConst { class: ClassRef::Name(class), name: Ident { kind: IdentKind::Name(name), .. } }) => {
                // As in PHP, which leaves arrays of arrays where they are.
                let value = self.class_constant(&class, name).filter(Const::is_flat);
                self.constants_folded.set(self.constants_folded.get() + u32::from(value.is_some()));
                value
            }
            ExprKind::Array(array) => self.const_array(array)?,
            ExprKind::Index { base, index: Some(index) } => match self.const_eval(index)? {
                Some(key) => self.const_eval(base)?.and_then(|of| crate::fold::element(&of, &key)),
                None => None,
            },
            ExprKind::Unary { op, expr } if op != UnaryOp::Silence => self
                .const_eval(expr)?
                .and_then(|value| crate::fold::unary(op, &value)),
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                let or = op == BinaryOp::Or;
                match self.const_eval(left)? {
                    Some(value) if value.to_bool() == or => Some(Const::Bool(or)),
                    Some(_) => self
                        .const_eval(right)?
                        .map(|value| Const::Bool(value.to_bool())),
                    None => None,
                }
            }
            ExprKind::Binary {
                op: BinaryOp::Coalesce,
                left,
                right,
            } => match self.const_eval(left)? {
                Some(Const::Null) => self.const_eval(right)?,
                other => other,
            },
            ExprKind::Binary { op, left, right } => {
                // The right operand first: it is the shallow one in long chains.
                let Some(b) = self.const_eval(right)? else {
                    return Ok(None);
                };
                let Some(a) = self.const_eval(left)? else {
                    return Ok(None);
                };
                crate::fold::binary(op, &a, &b)
            }
            ExprKind::Ternary {
                cond,
                then,
                otherwise,
            } if !matches!(cond.kind, ExprKind::Ternary { .. }) => match self.const_eval(cond)? {
                Some(value) => match (value.to_bool(), then) {
                    (true, Some(then)) => self.const_eval(then)?,
                    (true, None) => Some(value),
                    (false, _) => self.const_eval(otherwise)?,
                },
                None => None,
            },
            _ => None,
        })
    }

    /// A constant of the class that is being compiled, or of one before it. A trait's `self` is another class, and so may be that of a closure.
    /// A large one stays where it is: what is made of it might be made of it again, and be larger than what all code says.
    fn class_constant(&self, class: &ast::Name<'_>, name: &[u8]) -> Option<Const> {
        const SIZE_MAX: usize = 16 << 10;
        let is_small = |value: &&Const| match value {
            Const::Array(array) => array.elements <= SIZE_MAX,
            Const::Str(text) => text.len() <= SIZE_MAX,
            _ => true,
        };
        self.known_class_constant(class, name).filter(is_small).cloned()
    }

    fn known_class_constant(&self, class: &ast::Name<'_>, name: &[u8]) -> Option<&Const> {
        let own = self.class.as_ref().filter(|own| !own.is_trait);
        if class.is(b"self") {
            return own.filter(|_| !self.in_closure())?.constants.get(name);
        }
        let lowered = crate::names::lower(&self.namespace.class(class));
        match own.filter(|own| crate::names::lower(&own.name) == lowered) {
            Some(own) => own.constants.get(name),
            None => self.class_constants.get(&lowered)?.get(name),
        }
    }

    fn const_array(&mut self, array: &'a ArrayExpr<'a>) -> Result<Option<Const>> {
        if array.syntax == ArraySyntax::List {
            return Ok(None);
        }
        let held = self.held;
        let result = self.const_array_held(array);
        if let Ok(None) = result {
            self.held = held;
        }
        result
    }

    /// The same, with what its elements take in [`Compiler::held`].
    fn const_array_held(&mut self, array: &'a ArrayExpr<'a>) -> Result<Option<Const>> {
        const ELEMENT_BYTES: usize = 160;
        const KEY_BYTES: usize = 192;
        const ARRAY_BYTES: usize = 192;
        self.held += ARRAY_BYTES;
        let mut result = ConstArray::default();
        // Errors of compilation, if all the rest is constant.
        let mut refused: Option<String> = None;
        for element in array.elements {
            self.held += ELEMENT_BYTES;
            self.check_memory()?;
            if let ArrayElement::Spread(inner) = *element {
                let Some(value) = self.const_eval(inner)? else { return Ok(None) };
                let Const::Array(from) = value else {
                    let given = match value {
                        Const::Bool(true) => "true",
                        Const::Bool(false) => "false",
                        value => value.type_name(),
                    };
                    refused.get_or_insert_with(|| format!("Only arrays and Traversables can be unpacked, {given} given"));
                    continue;
                };
                for (key, value) in &from.entries {
                    self.held += ELEMENT_BYTES;
                    self.check_memory()?;
                    match key {
                        ConstKey::Str(_) => result.set(key.clone(), value.clone()),
                        // Found when the code runs.
                        ConstKey::Int(_) if !result.push(value.clone()) => return Ok(None),
                        ConstKey::Int(_) => {}
                    }
                }
                continue;
            }
            let ArrayElement::Item {
                key,
                value,
                by_ref: false,
            } = *element
            else {
                return Ok(None);
            };
            let Some(value) = self.const_eval(value)? else {
                return Ok(None);
            };
            match key {
                None => {
                    // What cannot be appended is an error when the code runs.
                    if !result.push(value) {
                        return Ok(None);
                    }
                }
                Some(key) => {
                    self.held += KEY_BYTES;
                    let Some(key) = self.const_eval(key)? else {
                        return Ok(None);
                    };
                    if matches!(key, Const::Array(_)) {
                        refused.get_or_insert_with(|| "Illegal offset type".to_owned());
                        continue;
                    }
                    let Some(key) = crate::fold::key(&key) else {
                        if refused.is_some() {
                            continue;
                        }
                        return Ok(None);
                    };
                    result.set(key, value);
                }
            }
        }
        if let Some(message) = refused {
            return self.error(message);
        }
        Ok(Some(Const::Array(Rc::new(result))))
    }

    /// A constant expression of a declaration: its value, or a function that computes it.
    pub fn constant_expr(&mut self, e: &'a Expr<'a>) -> Result<ConstExpr> {
        self.check_constant_expression(e)?;
        match self.const_eval(e)? {
            Some(value) => Ok(ConstExpr::Literal(value.to_raw())),
            None => self.thunk_expr(e),
        }
    }

    /// An expression as Reflection shows it.
    pub fn expr_text(&self, e: &Expr<'_>) -> PStr {
        PStr::immortal(&jumbo_syntax::export::expr_resolved(e, &self.namespace))
    }

    pub fn thunk_expr(&mut self, e: &'a Expr<'a>) -> Result<ConstExpr> {
        let function = self.thunk(e)?;
        Ok(ConstExpr::Thunk {
            function,
            text: self.expr_text(e),
        })
    }

    /// Refuses what PHP does not allow in constant expressions.
    pub fn check_constant_expression(&mut self, e: &'a Expr<'a>) -> Result<()> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.check_constant_inner(e))
    }

    fn check_constant_inner(&mut self, e: &'a Expr<'a>) -> Result<()> {
        let line = self.f.b.line;
        match e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::MagicConst(_)
            | ExprKind::Const(_) => Ok(()),
            ExprKind::Array(array) => {
                for element in array.elements {
                    match *element {
                        ArrayElement::Skipped => {
                            return self.error("Cannot use empty array elements in arrays");
                        }
                        ArrayElement::Spread(e) => self.check_constant_expression(e)?,
                        ArrayElement::Item { key, value, by_ref } => {
                            if by_ref {
                                return self
                                    .error("Constant expression contains invalid operations");
                            }
                            if let Some(key) = key {
                                self.check_constant_expression(key)?;
                            }
                            self.check_constant_expression(value)?;
                        }
                    }
                }
                Ok(())
            }
            ExprKind::Unary {
                op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::BitNot,
                expr,
            } => self.check_constant_expression(expr),
            ExprKind::Binary { left, right, .. } => {
                self.check_constant_expression(left)?;
                self.check_constant_expression(right)
            }
            ExprKind::Ternary {
                cond,
                then,
                otherwise,
            } => {
                self.check_constant_expression(cond)?;
                if let Some(then) = then {
                    self.check_constant_expression(then)?;
                }
                self.check_constant_expression(otherwise)
            }
            ExprKind::Index { base, index } => {
                let Some(index) = index else {
                    return self.error("Cannot use [] for reading");
                };
                self.check_constant_expression(base)?;
                self.check_constant_expression(index)
            }
            ExprKind::ClassConst(&ast::ClassConst { class, name }) => {
                match class {
                    ClassRef::Static(_) => {
                        return self.error("\"static::\" is not allowed in compile-time constants");
                    }
                    ClassRef::Expr(e) => {
                        if matches!(self.const_eval(e)?, Some(value) if !matches!(value, Const::Str(_))) {
                            return self.error("Class name must be a valid object or a string");
                        }
                        return self.error("Dynamic class names are not allowed in compile-time class constant references");
                    }
                    ClassRef::Name(_) => {}
                }
                match name.kind {
                    IdentKind::Name(_) => Ok(()),
                    IdentKind::Expr(e) => self.check_constant_expression(e),
                }
            }
            ExprKind::ClassName(class) => match class {
                ClassRef::Static(_) => self
                    .error("static::class cannot be used for compile-time class name resolution"),
                ClassRef::Expr(_) => {
                    self.error("(expression)::class cannot be used in constant expressions")
                }
                ClassRef::Name(_) => Ok(()),
            },
            ExprKind::Prop(&ast::Prop { object, name, .. }) => {
                self.check_constant_expression(object)?;
                match name.kind {
                    IdentKind::Name(_) => Ok(()),
                    IdentKind::Expr(e) => self.check_constant_expression(e),
                }
            }
            ExprKind::New(&ast::New { class, args }) => {
                if !self.f.allow_new {
                    self.f.b.line = line;
                    return self.error("New expressions are not supported in this context");
                }
                match class {
                    ClassRef::Name(_) => {}
                    ClassRef::Static(_) => {
                        return self.error("\"static\" is not allowed in compile-time constants");
                    }
                    ClassRef::Expr(_) => {
                        return self.error("Cannot use dynamic class name in constant expression");
                    }
                }
                for arg in args.items {
                    if arg.spread {
                        return self
                            .error("Argument unpacking in constant expressions is not supported");
                    }
                    self.check_constant_expression(arg.value)?;
                }
                Ok(())
            }
            ExprKind::NewAnonymous(_) => {
                self.error("Cannot use anonymous class in constant expression")
            }
            ExprKind::Interpolated(parts) => {
                for part in parts {
                    if let StringPart::Expr(e) = part {
                        self.check_constant_expression(e)?;
                    }
                }
                Ok(())
            }
            _ => self.error("Constant expression contains invalid operations"),
        }
    }
}
