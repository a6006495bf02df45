//! Literals, awkward ones first: the ends of ranges, numeric strings that are nearly so, keys that are normalised.

use super::super::rng::choose;
use super::super::tree::{Node, Sort, commas, element, expr};
use super::{Generator, Type};

const INTS: &[&str] = &[
    "0", "1", "2", "3", "-1", "-2", "5", "7", "10", "31", "63", "64", "65", "100", "255", "-128", "0x7F", "0b101", "0o17", "1_000",
    "2147483647", "-2147483648", "4294967296", "PHP_INT_MAX", "PHP_INT_MIN", "9007199254740993", "-7",
];
const SMALL_INTS: &[&str] = &["0", "1", "2", "3", "4", "-1", "-2", "5", "7"];
const FLOATS: &[&str] = &[
    "0.0", "-0.0", "1.5", "-2.5", "0.1", "1e3", "1e100", "-1e-10", "3.0", "NAN", "INF", "-INF", "9.2233720368547758E18", "1e15",
    "0.30000000000000004", "123456789.12345678", "1.7976931348623157e308", "5e-324", "-0.5", "2.5", "1e22", "9223372036854775808",
    "M_PI", "100000000000000000000.0", "PHP_FLOAT_EPSILON",
];
const STRINGS: &[&str] = &[
    "''", "'0'", "'1'", "'-1'", "'12'", "' 12'", "'12 '", "'1.5'", "'1e3'", "'0x1A'", "'12abc'", "'abc'", "'a'", "'b'", "'z'", "'Az'",
    "'Zz9'", "'null'", "'true'", "\"\\0\"", "\"a\\0b\"", "'hello world'", "\"line\\nbreak\"", "'é'", "\"\\xff\"", "'-'", "'.5'", "'1.'",
    "'9223372036854775807'", "'9223372036854775808'", "'1e1000'", "'a,b,c'", "'<b>&\"'", "'%s'", "'%d%%'", "'0.0'", "' '", "\"\\t1\"",
    "'01'", "'p0'", "'k'", "'abcdefghij'", "'Hello'", "'-0'", "\"tab\\t\"", "'\\\\'", "'ABC'", "\"it's\"", "'1_000'", "'INF'", "'+1'",
];
/// Ten letters of which three meet often.
const KEYS: &[&str] =
    &["0", "1", "2", "'a'", "'b'", "'k'", "'1'", "'01'", "-5", "1.7", "true", "false", "null", "''", "'-5'", "PHP_INT_MAX", "' 1'"];

impl Generator<'_> {
    pub fn literal(&mut self, ty: Type, d: usize) -> Node {
        let ty = self.concrete(ty);
        let text = match ty {
            Type::Int if self.rng.percent(60) => self.rng.one(SMALL_INTS),
            Type::Int => self.rng.one(INTS),
            Type::Float => self.rng.one(FLOATS),
            Type::Str => self.rng.one(STRINGS),
            Type::Bool => self.rng.one(&["true", "false"]),
            Type::Null | Type::Any => "null",
            Type::Arr | Type::Iter => return self.array_literal(d),
            Type::Obj => return self.simple_object(),
            Type::Callable => self.rng.one(&["'strlen'", "'strtoupper'", "'abs'", "fn($x) => $x", "'is_int'", "strrev(...)", "'intval'"]),
        };
        Node::text(Sort::Expression, text)
    }

    /// A constant expression: for defaults, constants and properties.
    pub fn constant(&mut self, ty: Type, d: usize) -> Node {
        let ty = self.concrete(ty);
        if d == 0 || self.rng.percent(50) {
            return match ty {
                Type::Arr | Type::Iter => {
                    let items = (0..self.rng.below(4)).map(|_| self.constant_item(d)).collect();
                    expr!("[§]", commas(items, 0))
                }
                Type::Obj | Type::Callable => Node::text(Sort::Expression, "null"),
                _ => self.literal(ty, 0),
            };
        }
        let d = d - 1;
        match ty {
            Type::Int => {
                let operator = self.rng.one(&["+", "-", "*", "|", "&", "^", "<=>", "%"]);
                let (left, right) = (self.constant(Type::Int, d), self.constant(Type::Int, d));
                expr!("(§ § §)", left, operator, right)
            }
            Type::Float => {
                let operator = self.rng.one(&["+", "-", "*", "/"]);
                let (left, right) = (self.constant(Type::Float, d), self.constant(Type::Int, d));
                expr!("(§ § §)", left, operator, right)
            }
            Type::Str => {
                let other = self.rng.one(&[Type::Str, Type::Int]);
                let (left, right) = (self.constant(Type::Str, d), self.constant(other, d));
                expr!("(§ . §)", left, right)
            }
            Type::Bool => {
                let operator = self.rng.one(&["==", "===", "<", "&&", "||", "!=", "xor"]);
                let of = self.rng.one(super::SCALARS);
                let (left, right) = (self.constant(of, d), self.constant(Type::Any, d));
                expr!("(§ § §)", left, operator, right)
            }
            _ => self.constant(ty, 0),
        }
    }

    fn constant_item(&mut self, d: usize) -> Node {
        let value = self.constant(Type::Any, d.saturating_sub(1));
        if self.rng.percent(50) { element!("§ => §", self.rng.one(KEYS), value) } else { element!("§", value) }
    }

    /// `[…]`, with keys, references and spreads.
    pub fn array_literal(&mut self, d: usize) -> Node {
        let count = choose!(self.rng; 1 => 0, 3 => 1, 4 => 2, 4 => 3, 2 => 5);
        let of = self.any_type();
        let keyed = self.rng.percent(35);
        let items = (0..count)
            .map(|_| {
                let ty = if self.rng.percent(70) { of } else { Type::Any };
                let ty = if d == 0 { self.rng.one(super::SCALARS) } else { ty };
                if d > 0 && !self.plain && self.rng.percent(5) {
                    let variable = self.variable(Type::Any);
                    return element!("&§", variable);
                }
                if d > 0 && self.rng.percent(4) {
                    let spread = self.expr(Type::Arr, d - 1);
                    return element!("...§", spread);
                }
                let value = if d == 0 { self.leaf(ty, 0) } else { self.expr(ty, d - 1) };
                if keyed || self.rng.percent(8) {
                    let key = self.key(d);
                    element!("§ => §", key, value)
                } else {
                    element!("§", value)
                }
            })
            .collect();
        expr!("[§]", commas(items, 0))
    }

    /// What stands between the brackets of an array.
    pub fn key(&mut self, d: usize) -> Node {
        if d > 0 && self.rng.percent(35) {
            let ty = choose!(self.rng; 5 => Type::Int, 4 => Type::Str, 1 => Type::Any);
            return self.expr(ty, d - 1);
        }
        let text = if self.rng.percent(75) { self.rng.one(&["0", "1", "2", "'a'", "'b'", "'k'"]) } else { self.rng.one(KEYS) };
        Node::text(Sort::Expression, text)
    }
}
