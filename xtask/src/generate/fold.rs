//! Values of constant expressions in stubs: literals, operators, and constants that any stub declares.

use super::model::{ConstantValue, Expr, Stub};
use jumbo_syntax::ast::{BinaryOp, ClassRef, ExprKind, IdentKind, NameKind, UnaryOp};
use std::cell::RefCell;
use std::collections::HashMap;

#[derive(Clone, Debug, PartialEq)]
pub enum Folded {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Vec<u8>),
    EmptyArray,
    /// Known only when the process runs: a computed constant, an enum case, UNKNOWN.
    Unknown,
}

enum Entry {
    Expr(Expr),
    Known(Folded),
    /// Its expression is being folded.
    Busy,
}

/// All constants by name (`NAME`, `ns\NAME`, `class::NAME` with the class in lower case).
pub struct Constants {
    entries: RefCell<HashMap<String, Entry>>,
    parents: HashMap<String, Vec<String>>,
}

fn class_key(class: &str, name: &str) -> String {
    format!("{}::{name}", class.to_ascii_lowercase())
}

impl Constants {
    pub fn of<'a>(stubs: impl Iterator<Item = &'a Stub>) -> Constants {
        let mut entries = HashMap::new();
        let mut parents: HashMap<String, Vec<String>> = HashMap::new();
        let entry = |value: &ConstantValue| match value {
            ConstantValue::Expr(expr) => Entry::Expr(*expr),
            ConstantValue::Computed(_) | ConstantValue::Case => Entry::Known(Folded::Unknown),
        };
        for stub in stubs {
            for c in &stub.constants {
                entries.insert(c.name.clone(), entry(&c.value));
            }
            for class in &stub.classes {
                let above = class.parent.iter().chain(&class.interfaces).cloned().collect();
                parents.insert(class.name.to_ascii_lowercase(), above);
                for c in &class.constants {
                    let value = if c.flags.contains(&"ENUM_CASE") { Entry::Known(Folded::Unknown) } else { entry(&c.value) };
                    entries.insert(class_key(&class.name, &c.name), value);
                }
            }
        }
        Constants { entries: RefCell::new(entries), parents }
    }

    fn lookup(&self, key: &str) -> Option<Result<Folded, String>> {
        let expr = match self.entries.borrow_mut().get_mut(key)? {
            Entry::Known(value) => return Some(Ok(value.clone())),
            Entry::Busy => return Some(Err(format!("constant {key} is defined by itself"))),
            entry @ Entry::Expr(_) => match std::mem::replace(entry, Entry::Busy) {
                Entry::Expr(expr) => expr,
                Entry::Known(_) | Entry::Busy => return None,
            },
        };
        let value = self.fold(&expr);
        let keep = value.clone().unwrap_or(Folded::Unknown);
        self.entries.borrow_mut().insert(key.to_owned(), Entry::Known(keep));
        Some(value)
    }

    fn class_constant(&self, class: &str, name: &str) -> Option<Result<Folded, String>> {
        if let Some(found) = self.lookup(&class_key(class, name)) {
            return Some(found);
        }
        let above = self.parents.get(&class.to_ascii_lowercase())?;
        above.iter().find_map(|parent| self.class_constant(parent, name))
    }

    pub fn fold(&self, e: &Expr) -> Result<Folded, String> {
        let of = |expr| self.fold(&Expr { expr, ..*e });
        match e.expr.kind {
            ExprKind::Int(i) => Ok(Folded::Int(i)),
            ExprKind::Float(f) => Ok(Folded::Float(f)),
            ExprKind::String(s) => Ok(Folded::Str(s.to_vec())),
            ExprKind::Array(a) if a.elements.is_empty() => Ok(Folded::EmptyArray),
            ExprKind::Array(_) => Ok(Folded::Unknown),
            ExprKind::Const(name) => {
                let shown = String::from_utf8_lossy(name.bytes).into_owned();
                if name.kind == NameKind::Unqualified {
                    match &*shown.to_ascii_lowercase() {
                        "null" => return Ok(Folded::Null),
                        "true" => return Ok(Folded::Bool(true)),
                        "false" => return Ok(Folded::Bool(false)),
                        "unknown" => return Ok(Folded::Unknown),
                        "inf" => return Ok(Folded::Float(f64::INFINITY)),
                        "nan" => return Ok(Folded::Float(f64::NAN)),
                        _ => {}
                    }
                }
                let qualified = format!("{}\\{shown}", e.namespace);
                let found = match name.kind {
                    NameKind::FullyQualified => None,
                    _ if e.namespace.is_empty() => None,
                    _ => self.lookup(&qualified),
                };
                found
                    .or_else(|| self.lookup(&shown))
                    .unwrap_or_else(|| Err(format!("constant {shown} is in no stub")))
            }
            ExprKind::ClassConst(c) => {
                let (ClassRef::Name(class), IdentKind::Name(name)) = (c.class, c.name.kind) else {
                    return Err("a class constant is written Class::NAME".to_owned());
                };
                let shown = String::from_utf8_lossy(class.bytes).into_owned();
                let class = match (class.is(b"self"), e.class) {
                    (true, Some(own)) => own.to_owned(),
                    _ if class.kind == NameKind::FullyQualified || e.namespace.is_empty() => shown,
                    _ => format!("{}\\{shown}", e.namespace),
                };
                let name = String::from_utf8_lossy(name).into_owned();
                self.class_constant(&class, &name)
                    .unwrap_or_else(|| Err(format!("constant {class}::{name} is in no stub")))
            }
            ExprKind::ClassName(ClassRef::Name(class)) => Ok(Folded::Str(class.bytes.to_vec())),
            ExprKind::Unary { op, expr } => unary(op, of(expr)?),
            ExprKind::Binary { op, left, right } => binary(op, of(left)?, of(right)?),
            _ => Err("this expression is not supported in stubs".to_owned()),
        }
    }
}

fn unary(op: UnaryOp, value: Folded) -> Result<Folded, String> {
    Ok(match (op, value) {
        (_, Folded::Unknown) => Folded::Unknown,
        (UnaryOp::Minus, Folded::Int(i)) => i.checked_neg().map_or(Folded::Float(-(i as f64)), Folded::Int),
        (UnaryOp::Minus, Folded::Float(f)) => Folded::Float(-f),
        (UnaryOp::Plus, v @ (Folded::Int(_) | Folded::Float(_))) => v,
        (UnaryOp::BitNot, Folded::Int(i)) => Folded::Int(!i),
        (UnaryOp::Not, Folded::Bool(b)) => Folded::Bool(!b),
        (op, value) => return Err(format!("{op:?} of {value:?} is not supported in stubs")),
    })
}

fn binary(op: BinaryOp, left: Folded, right: Folded) -> Result<Folded, String> {
    let int = match (&left, &right) {
        (Folded::Unknown, _) | (_, Folded::Unknown) => return Ok(Folded::Unknown),
        (Folded::Str(a), Folded::Str(b)) if op == BinaryOp::Concat => return Ok(Folded::Str([&**a, &**b].concat())),
        (Folded::Int(a), Folded::Int(b)) => {
            let (a, b) = (*a, *b);
            let shift = u32::try_from(b).ok();
            match op {
                BinaryOp::BitOr => Some(a | b),
                BinaryOp::BitAnd => Some(a & b),
                BinaryOp::BitXor => Some(a ^ b),
                BinaryOp::ShiftLeft => shift.and_then(|s| a.checked_shl(s)),
                BinaryOp::ShiftRight => shift.and_then(|s| a.checked_shr(s)),
                BinaryOp::Add => a.checked_add(b),
                // PHP_INT_MIN is written -9223372036854775807 - 1.
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                _ => None,
            }
        }
        _ => None,
    };
    int.map(Folded::Int).ok_or_else(|| format!("{op:?} of {left:?} and {right:?} is not supported in stubs"))
}
