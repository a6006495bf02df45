//! Expressions by the type they are wanted for.

use super::super::rng::choose;
use super::super::tree::{Node, Sort, commas, element, expr};
use super::{Body, Generator, Type};

const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "%", "**"];
const BITWISE: &[&str] = &["&", "|", "^", "<<", ">>"];
pub const COMPARISONS: &[&str] = &["==", "!=", "===", "!==", "<", "<=", ">", ">=", "<=>"];
pub const COMPOUND: &[&str] = &["+=", "-=", "*=", "/=", "%=", "**=", ".=", "&=", "|=", "^=", "<<=", ">>=", "??="];

impl Generator<'_> {
    pub fn expr(&mut self, ty: Type, d: usize) -> Node {
        self.budget -= 1;
        let wrong = if self.plain { 4 } else { 7 };
        let ty = if self.rng.percent(wrong) { self.any_type() } else { self.concrete(ty) };
        if d == 0 || self.budget < 0 {
            return self.leaf(ty, d);
        }
        if self.rng.percent(if self.plain { 15 } else { 30 }) {
            return self.general(ty, d);
        }
        let d = d - 1;
        match ty {
            Type::Int => self.int(d),
            Type::Float => self.float(d),
            Type::Str => self.string(d),
            Type::Bool => self.bool(d),
            Type::Arr => self.array(d),
            Type::Obj => self.object(d),
            Type::Callable => self.callable(d),
            Type::Iter => self.iterable(d),
            Type::Null | Type::Any => self.leaf(ty, d),
        }
    }

    /// A variable or a literal.
    pub fn leaf(&mut self, ty: Type, d: usize) -> Node {
        let likely = if self.has_variable(ty) { 70 } else { 15 };
        if !self.scope.variables.is_empty() && self.rng.percent(likely) {
            return self.variable(ty);
        }
        if ty == Type::Obj && self.scope.class.is_some() && !self.scope.is_static && self.rng.percent(40) {
            return Node::text(Sort::Expression, "$this");
        }
        self.literal(ty, d.min(1))
    }

    /// Forms that can have any type.
    fn general(&mut self, ty: Type, d: usize) -> Node {
        let d = d - 1;
        let rich = usize::from(!self.plain);
        let calls = if self.scope.body == Body::Magic { 0 } else { 1 };
        choose!(self.rng;
            6 => {
                let (test, yes, no) = (self.expr(Type::Bool, d), self.expr(ty, d), self.expr(ty, d));
                expr!("(§ ? § : §)", test, yes, no)
            },
            3 => {
                let (left, right) = (self.expr(ty, d), self.expr(ty, d));
                expr!("(§ ?: §)", left, right)
            },
            5 => {
                let left = if self.rng.percent(70) { self.fetch(d) } else { self.expr(ty, d) };
                let right = self.expr(ty, d);
                expr!("(§ ?? §)", left, right)
            },
            6 => self.match_expression(ty, d),
            8 => {
                let name = self.target();
                let value = self.expr(ty, d);
                self.holds(name, ty);
                expr!("(§ = §)", format!("${name}"), value)
            },
            4 => {
                let (place, value) = (self.place(d), self.expr(ty, d));
                expr!("(§ = §)", place, value)
            },
            4 => {
                let operator = self.rng.one(COMPOUND);
                let (place, value) = (if operator == "??=" { self.place_read(d) } else { self.place(d) }, self.expr(ty, d));
                expr!("(§ § §)", place, operator, value)
            },
            4 => {
                let place = self.place_read(d);
                let form = self.rng.one(&["§++", "§--", "++§", "--§"]);
                expr!(form, place)
            },
            12 => self.fetch(d),
            10 * rich * calls => self.call(d),
            8 * rich * calls => self.method_call(d),
            3 * rich * calls => self.call_value(d),
            4 * rich => self.static_fetch(d),
            3 => {
                let cast = self.rng.one(&["(int)", "(string)", "(float)", "(bool)", "(array)"]);
                let value = self.expr(Type::Any, d);
                expr!("§ §", cast, value)
            },
            2 * rich => {
                let value = self.expr(ty, d);
                expr!("@§", value)
            },
            1 * rich => {
                let value = self.expr(Type::Any, d);
                expr!("print(§)", value)
            },
            1 * rich => {
                let value = self.expr(Type::Any, d);
                let parts = self.pattern(1);
                expr!("(§ = §)", parts, value)
            },
            1 * rich => self.throw_expression(d),
            1 * rich => {
                let object = self.expr(Type::Obj, d);
                expr!("clone §", object)
            },
            1 * rich => self.evaluated(d),
            if matches!(self.scope.body, Body::Generator) { 12 } else { 0 } => self.yield_expression(d),
            if matches!(self.scope.body, Body::Fiber) { 12 } else { 0 } => {
                let value = self.expr(Type::Any, d);
                expr!("Fiber::suspend(§)", value)
            },
        )
    }

    /// Code given to `eval`, which sees the variables around.
    fn evaluated(&mut self, d: usize) -> Node {
        let value = self.expr(Type::Any, d.min(1));
        let text = value.print().replace('\\', "\\\\").replace('\'', "\\'");
        if text.contains('\n') {
            return value;
        }
        expr!("eval('return §;')", text)
    }

    pub fn throw_expression(&mut self, d: usize) -> Node {
        let class = self.rng.one(&["Exception", "RuntimeException", "LogicException", "TypeError", "ErrorException", "DomainException"]);
        let message = self.expr(Type::Str, d.min(1));
        let template = choose!(self.rng; 3 => "throw new \\§(§)", 1 => "throw new \\§(§, 3)");
        expr!("(§)", expr!(template, class, message))
    }

    fn match_expression(&mut self, ty: Type, d: usize) -> Node {
        let of = self.any_type();
        let subject = if self.rng.percent(25) { Node::text(Sort::Expression, "true") } else { self.expr(of, d) };
        let count = self.rng.between(1, 3);
        let mut arms = Vec::new();
        for _ in 0..count {
            let test = self.expr(of, d.min(1));
            let value = self.expr(ty, d);
            arms.push(if self.rng.percent(20) {
                let other = self.literal(of, 0);
                element!("§, § => §", test, other, value)
            } else {
                element!("§ => §", test, value)
            });
        }
        if self.rng.percent(75) {
            let value = self.expr(ty, d);
            arms.push(element!("default => §", value));
        }
        expr!("match (§) {§}", subject, commas(arms, 0))
    }

    /// Reading an element or a property.
    pub fn fetch(&mut self, d: usize) -> Node {
        let objects = usize::from(!self.plain);
        let this = usize::from(self.scope.class.is_some() && !self.scope.is_static);
        choose!(self.rng;
            10 => {
                let (array, key) = (self.variable(Type::Arr), self.key(d));
                expr!("§[§]", array, key)
            },
            3 => {
                let (array, key, inner) = (self.variable(Type::Arr), self.key(d), self.key(0));
                expr!("§[§][§]", array, key, inner)
            },
            4 => {
                let (string, key) = (self.variable(Type::Str), self.key(d));
                expr!("§[§]", string, key)
            },
            1 => {
                let (array, key) = (self.expr(Type::Arr, d), self.key(0));
                expr!("(§)[§]", array, key)
            },
            6 * objects => {
                let object = self.variable(Type::Obj);
                let property = self.property_name();
                let arrow = self.rng.one(&["->", "->", "->", "?->"]);
                expr!("§§§", object, arrow, property)
            },
            2 * objects => {
                let object = self.variable(Type::Obj);
                let (property, key) = (self.property_name(), self.key(d));
                expr!("§->§[§]", object, property, key)
            },
            10 * this => {
                let property = self.property_name();
                expr!("$this->§", property)
            },
            3 * this => {
                let (property, key) = (self.property_name(), self.key(d));
                expr!("$this->§[§]", property, key)
            },
        )
    }

    fn static_fetch(&mut self, d: usize) -> Node {
        let class = self.class_reference();
        choose!(self.rng;
            4 => self.static_property(),
            3 => expr!("§::§", class, self.rng.one(&["K0", "K1"])),
            1 => expr!("§::class", class),
            1 => {
                let name = self.expr(Type::Str, d.min(1));
                expr!("§::{§}", class, name)
            },
            2 => expr!("§::§", class, self.rng.one(&["A", "B"])),
        )
    }

    /// `left operator right`, mostly in parentheses.
    fn binary(&mut self, operator: &str, left: Type, right: Type, d: usize) -> Node {
        let (left, right) = (self.expr(left, d), self.expr(right, d));
        // Comparisons do not associate and `**`, `.` bind in their own ways: those keep their parentheses.
        if matches!(operator, "+" | "-" | "*" | "%" | "&&" | "||" | "and" | "xor" | "or") && self.rng.percent(15) {
            return expr!("§ § §", left, operator, right);
        }
        expr!("(§ § §)", left, operator, right)
    }

    fn int(&mut self, d: usize) -> Node {
        choose!(self.rng;
            14 => {
                let operator = self.rng.one(ARITHMETIC);
                let right = choose!(self.rng; 8 => Type::Int, 1 => Type::Float, 1 => Type::Str, 1 => Type::Bool);
                self.binary(operator, Type::Int, right, d)
            },
            6 => {
                let operator = self.rng.one(BITWISE);
                self.binary(operator, Type::Int, Type::Int, d)
            },
            3 => {
                let operator = self.rng.one(&["-", "+", "~"]);
                let value = self.expr(Type::Int, d);
                expr!("(§§)", operator, value)
            },
            3 => {
                let value = self.expr(Type::Arr, d);
                expr!("count(§)", value)
            },
            3 => {
                let value = self.expr(Type::Str, d);
                expr!("strlen(§)", value)
            },
            2 => {
                let value = self.expr(Type::Any, d);
                expr!("(int) §", value)
            },
            2 => self.binary("<=>", Type::Any, Type::Any, d),
            2 => {
                let (left, right) = (self.expr(Type::Int, d), self.expr(Type::Int, d));
                expr!("intdiv(§, §)", left, right)
            },
            1 => {
                let value = self.expr(Type::Str, d);
                expr!("ord(§)", value)
            },
            1 => {
                let items = vec![self.element_of(Type::Int, d), self.element_of(Type::Any, d)];
                let function = self.rng.one(&["max", "min"]);
                expr!("§(§)", function, commas(items, 1))
            },
        )
    }

    pub fn element_of(&mut self, ty: Type, d: usize) -> Node {
        let value = self.expr(ty, d);
        element!("§", value)
    }

    fn float(&mut self, d: usize) -> Node {
        choose!(self.rng;
            8 => {
                let operator = self.rng.one(&["+", "-", "*", "/", "**"]);
                let right = choose!(self.rng; 4 => Type::Float, 3 => Type::Int, 1 => Type::Str);
                self.binary(operator, Type::Float, right, d)
            },
            2 => {
                let value = self.expr(Type::Any, d);
                expr!("(float) §", value)
            },
            2 => {
                let value = self.expr(Type::Float, d);
                let function = self.rng.one(&["sqrt", "floor", "round", "abs", "ceil"]);
                expr!("§(§)", function, value)
            },
            1 => {
                let (left, right) = (self.expr(Type::Float, d), self.expr(Type::Float, d));
                expr!("fdiv(§, §)", left, right)
            },
            1 => {
                let (left, right) = (self.expr(Type::Int, d), self.expr(Type::Float, d));
                expr!("fmod(§, §)", left, right)
            },
        )
    }

    fn string(&mut self, d: usize) -> Node {
        choose!(self.rng;
            10 => {
                let other = self.any_type();
                let other = if self.rng.percent(50) { Type::Str } else { other };
                self.binary(".", Type::Str, other, d)
            },
            5 => self.interpolated(d),
            3 => {
                let value = self.expr(Type::Any, d);
                expr!("(string) §", value)
            },
            3 => {
                let (string, key) = (self.variable(Type::Str), self.key(d));
                expr!("§[§]", string, key)
            },
            4 => {
                let function =
                    self.rng.one(&["strtoupper", "strrev", "ucfirst", "trim", "gettype", "get_debug_type", "bin2hex", "json_encode", "serialize"]);
                let ty = if matches!(function, "gettype" | "get_debug_type" | "json_encode" | "serialize") { Type::Any } else { Type::Str };
                let value = self.expr(ty, d);
                expr!("§(§)", function, value)
            },
            2 => {
                let (string, from, length) = (self.expr(Type::Str, d), self.expr(Type::Int, d), self.expr(Type::Int, d));
                expr!("substr(§, §, §)", string, from, length)
            },
            2 => {
                let value = self.expr(Type::Any, d);
                let function = self.rng.one(&["var_export", "print_r"]);
                expr!("§(§, true)", function, value)
            },
            2 => {
                let array = self.expr(Type::Arr, d);
                expr!("implode(',', §)", array)
            },
            2 => {
                let (string, times) = (self.expr(Type::Str, d), self.rng.below(5));
                expr!("str_repeat(§, §)", string, times)
            },
            2 => {
                let format = self.rng.one(&["'%d'", "'%s|%5d'", "'%05.2f'", "'%x'", "'%-6s|'", "'%e'", "'%b'", "'%u'", "'%c'", "'%2$s'"]);
                let items = (0..self.rng.between(1, 2)).map(|_| self.element_of(Type::Any, d)).collect();
                expr!("sprintf(§, §)", format, commas(items, 0))
            },
            1 => Node::text(Sort::Expression, self.rng.one(&["__FUNCTION__", "__CLASS__", "__METHOD__", "__LINE__", "__NAMESPACE__"])),
        )
    }

    /// `"…{$a[1]}…"` and its company.
    fn interpolated(&mut self, d: usize) -> Node {
        let variable = self.variable_name(Type::Any);
        let array = self.variable_name(Type::Arr);
        choose!(self.rng;
            3 => expr!("\"<$§>\"", variable),
            2 => expr!("\"{$§[0]}-$§\"", array, variable),
            1 => expr!("\"$§[k]\"", array),
            1 => expr!("\"$§->p0 {$§->p1}\"", variable, variable),
            2 => {
                let value = self.fetch_simple(d);
                expr!("\"[{§}]\"", value)
            },
        )
    }

    fn fetch_simple(&mut self, _d: usize) -> Node {
        let (array, key) = (self.variable(Type::Arr), self.key(0));
        expr!("§[§]", array, key)
    }

    fn bool(&mut self, d: usize) -> Node {
        let classes = usize::from(!self.plain);
        choose!(self.rng;
            12 => {
                let operator = self.rng.one(COMPARISONS);
                let left = self.any_type();
                let right = if self.rng.percent(55) { left } else { self.any_type() };
                self.binary(operator, left, right, d)
            },
            5 => {
                let operator = self.rng.one(&["&&", "||", "xor", "and", "or"]);
                self.binary(operator, Type::Bool, Type::Bool, d)
            },
            3 => {
                let value = self.expr(Type::Any, d);
                expr!("!§", value)
            },
            4 => {
                let place = self.fetch(d);
                expr!("isset(§)", place)
            },
            2 => {
                let place = self.fetch(d);
                expr!("empty(§)", place)
            },
            3 * classes => {
                let (value, class) = (self.expr(Type::Obj, d), self.class_name());
                expr!("(§ instanceof §)", value, class)
            },
            2 => {
                let (needle, array) = (self.expr(Type::Any, d), self.expr(Type::Arr, d));
                expr!("in_array(§, §)", needle, array)
            },
            2 => {
                let function = self.rng.one(&["is_int", "is_string", "is_array", "is_numeric", "is_callable", "is_null", "is_float", "is_iterable"]);
                let value = self.expr(Type::Any, d);
                expr!("§(§)", function, value)
            },
            1 => {
                let (array, key) = (self.expr(Type::Arr, d), self.key(d));
                expr!("array_key_exists(§, §)", key, array)
            },
        )
    }

    fn array(&mut self, d: usize) -> Node {
        let rich = usize::from(!self.plain);
        choose!(self.rng;
            14 => self.array_literal(d),
            2 => self.binary("+", Type::Arr, Type::Arr, d),
            2 => {
                let value = self.expr(Type::Any, d);
                expr!("(array) §", value)
            },
            4 => {
                let function = self.rng.one(&["array_keys", "array_values", "array_reverse", "array_unique", "array_flip", "array_filter"]);
                let value = self.expr(Type::Arr, d);
                expr!("§(§)", function, value)
            },
            3 => {
                let function = self.rng.one(&["array_merge", "array_diff", "array_intersect_key", "array_replace", "array_combine"]);
                let (left, right) = (self.expr(Type::Arr, d), self.expr(Type::Arr, d));
                expr!("§(§, §)", function, left, right)
            },
            2 => {
                let (from, to) = (self.rng.below(6), self.rng.below(6));
                expr!("range(§, §)", from, to)
            },
            1 => {
                let value = self.expr(Type::Str, d);
                expr!("explode(',', §)", value)
            },
            1 => {
                let (value, length) = (self.expr(Type::Str, d), self.rng.between(1, 3));
                expr!("str_split(§, §)", value, length)
            },
            3 * rich => {
                let (function, array) = (self.expr(Type::Callable, d), self.expr(Type::Arr, d));
                let form = self.rng.one(&["array_map(§, §)", "array_filter(§, §)", "array_walk(§, §)", "array_reduce(§, §)"]);
                if form.starts_with("array_map") { expr!(form, function, array) } else { expr!(form, array, function) }
            },
            1 => {
                let (array, from) = (self.expr(Type::Arr, d), self.expr(Type::Int, d));
                expr!("array_slice(§, §)", array, from)
            },
            1 * rich => {
                let value = self.expr(Type::Iter, d);
                expr!("iterator_to_array(§, §)", value, self.rng.one(&["true", "false"]))
            },
            1 * rich => {
                let value = self.expr(Type::Obj, d);
                expr!("get_object_vars(§)", value)
            },
            if self.plain { 0 } else { 1 } => {
                let (one, two) = (self.rng.one(super::VARIABLES), self.rng.one(super::VARIABLES));
                expr!("compact('§', '§')", one, two)
            },
            if self.plain || self.scope.body == Body::Main { 0 } else { 1 } => {
                Node::text(Sort::Expression, self.rng.one(&["func_get_args()", "get_defined_vars()"]))
            },
        )
    }

    pub fn iterable(&mut self, d: usize) -> Node {
        choose!(self.rng;
            6 => self.expr(Type::Arr, d),
            3 => self.generator_call(d),
            2 => self.expr(Type::Obj, d),
            1 => {
                let array = self.expr(Type::Arr, d);
                expr!("new \\ArrayIterator(§)", array)
            },
        )
    }
}
