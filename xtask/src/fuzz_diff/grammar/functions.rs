//! Functions, closures, and calls of what the program declares.
//!
//! Ranks keep calls from going in circles: function N has rank N + 1, method `mN` has [`METHOD_RANK`] + N in every class, and a body calls
//! what has a higher rank than itself. Closures call nothing of the program's, so they may be called from anywhere.

use super::super::rng::choose;
use super::super::tree::{List, Node, Part, Sort, block, commas, element, expr, stmt};
use super::{Body, Focus, Generator, RANK_MAX, Scope, Type};

pub const METHOD_RANK: usize = 50;

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub ty: Option<(&'static str, Type)>,
    pub by_reference: bool,
    pub has_default: bool,
    pub variadic: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Plain,
    /// Loops over local variables: what the optimiser works on.
    Loops,
    Generator,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub returns: Option<(&'static str, Type)>,
    pub kind: Kind,
    pub by_reference: bool,
}

pub const DECLARED_TYPES: &[(&str, Type)] = &[
    ("int", Type::Int),
    ("int", Type::Int),
    ("float", Type::Float),
    ("string", Type::Str),
    ("bool", Type::Bool),
    ("array", Type::Arr),
    ("?int", Type::Int),
    ("?string", Type::Str),
    ("int|string", Type::Str),
    ("int|float", Type::Int),
    ("mixed", Type::Any),
    ("callable", Type::Callable),
    ("iterable", Type::Arr),
    ("object", Type::Obj),
    ("int|false", Type::Int),
    ("float|string", Type::Float),
    ("bool|int|null", Type::Bool),
    ("\\Closure", Type::Callable),
    ("\\Countable|array", Type::Arr),
    ("\\Stringable|string", Type::Str),
    ("\\Traversable|array", Type::Arr),
];
const PARAMETER_NAMES: &[&str] = &["x", "y", "z"];

impl Generator<'_> {
    pub fn parameters(&mut self, most: usize, plain: bool) -> Vec<Parameter> {
        let count = self.rng.below(most + 1);
        let mut has_default = false;
        let mut all: Vec<Parameter> = (0..count)
            .map(|n| {
                has_default |= self.rng.percent(30);
                let by_reference = !plain && self.rng.percent(15);
                let ty = if self.rng.percent(if plain { 75 } else { 60 }) { Some(self.rng.one(DECLARED_TYPES)) } else { None };
                let ty = if plain { ty.filter(|(_, ty)| !matches!(ty, Type::Obj | Type::Callable)) } else { ty };
                Parameter { name: PARAMETER_NAMES[n], ty, by_reference, has_default, variadic: false }
            })
            .collect();
        if let Some(last) = all.last_mut()
            && self.rng.percent(10)
        {
            last.variadic = true;
            last.has_default = false;
        }
        all
    }

    /// The text of a parameter list; `promote` makes properties of them.
    pub fn parameter_list(&mut self, parameters: &[Parameter], promote: bool) -> List {
        let items = parameters
            .iter()
            .map(|parameter| {
                let mut text = String::new();
                if promote && !parameter.variadic && self.rng.percent(30) {
                    text.push_str(self.rng.one(&["public ", "protected ", "private "]));
                }
                // What has no null in it cannot have null as its default, and `callable` is no property's type.
                let ty = parameter.ty.filter(|(name, _)| !(promote && name.contains("callable")));
                if let Some((name, _)) = ty {
                    text.push_str(name);
                    text.push(' ');
                }
                if parameter.by_reference {
                    text.push('&');
                }
                if parameter.variadic {
                    text.push_str("...");
                }
                text.push('$');
                text.push_str(parameter.name);
                if parameter.has_default {
                    let default = self.default_for(ty);
                    return element!("§ = §", text, default);
                }
                Node::text(Sort::Element, text)
            })
            .collect();
        commas(items, 0)
    }

    /// A literal that the declared type takes as it is.
    pub fn default_for(&mut self, ty: Option<(&'static str, Type)>) -> Node {
        match ty {
            None => self.constant(Type::Any, 1),
            Some((name, _)) if name.starts_with('?') || name.contains("null") => Node::text(Sort::Expression, "null"),
            Some((_, Type::Obj)) => Node::text(Sort::Expression, "new \\stdClass"),
            Some(("\\Closure" | "callable", _)) => Node::text(Sort::Expression, "null"),
            Some((_, ty)) => self.literal_for(ty),
        }
    }

    fn literal_for(&mut self, ty: Type) -> Node {
        match ty {
            Type::Arr => Node::text(Sort::Expression, self.rng.one(&["[]", "[1, 2]", "['a' => 1]"])),
            // An int is a float's default, but a float is not an int's.
            ty => self.literal(ty, 0),
        }
    }

    pub fn plan_functions(&mut self, count: usize) {
        for n in 0..count {
            let kind = match self.focus {
                Focus::Loops => choose!(self.rng; 8 => Kind::Loops, 1 => Kind::Plain, 1 => Kind::Generator),
                _ => choose!(self.rng; 3 => Kind::Loops, 5 => Kind::Plain, 3 => Kind::Generator),
            };
            let plain = kind == Kind::Loops;
            let parameters = self.parameters(3, plain);
            let returns = if kind == Kind::Plain && self.rng.percent(40) { Some(self.rng.one(DECLARED_TYPES)) } else { None };
            let by_reference = kind == Kind::Plain && self.rng.percent(8);
            self.functions.push(Function { name: format!("f{n}"), parameters, returns, kind, by_reference });
        }
    }

    pub fn function_declarations(&mut self) -> Vec<Node> {
        (0..self.functions.len())
            .map(|n| {
                let function = self.functions[n].clone();
                let mut scope = Scope::new(if function.kind == Kind::Generator { Body::Generator } else { Body::Function });
                scope.rank = n + 1;
                scope.returns = Some(function.returns.map_or(Type::Any, |(_, ty)| ty));
                let parameters = self.parameter_list(&function.parameters, false);
                let body = self.function_body(scope, &function.parameters, function.kind);
                let by_reference = if function.by_reference { "&" } else { "" };
                match function.returns {
                    Some((ty, _)) => stmt!("function §§(§): § §", by_reference, function.name, parameters, ty, body),
                    None => stmt!("function §§(§) §", by_reference, function.name, parameters, body),
                }
            })
            .collect()
    }

    /// Statements in a scope of their own, whose parameters are there.
    pub fn function_body(&mut self, mut scope: Scope, parameters: &[Parameter], kind: Kind) -> List {
        for parameter in parameters {
            let ty = if parameter.variadic { Type::Arr } else { parameter.ty.map_or(Type::Any, |(_, ty)| ty) };
            scope.variables.push((parameter.name, ty));
        }
        let was_plain = self.plain;
        self.plain = kind == Kind::Loops;
        let outer_budget = self.budget;
        self.budget = self.budget.min(if self.plain { 110 } else { 70 }).max(12);
        let granted = self.budget;
        let made = self.within(scope, |this| {
            let mut all = Vec::new();
            if kind == Kind::Loops {
                // Variables that begin with one type, a loop that may change them, and all of them in the end.
                for _ in 0..this.rng.between(1, 4) {
                    let (name, ty) = (this.target(), this.rng.one(super::SCALARS));
                    let value = if this.rng.percent(15) { this.literal(Type::Arr, 1) } else { this.literal(ty, 0) };
                    this.holds(name, ty);
                    all.push(stmt!("$§ = §;", name, value));
                }
                for _ in 0..this.rng.between(1, 2) {
                    all.push(this.loop_statement(3));
                }
                let more = this.rng.below(3);
                all.extend(this.statements(more, 1));
                all.push(this.return_everything());
            } else {
                let count = this.rng.between(1, 5);
                all.extend(this.statements(count, 2));
                if this.scope.returns.is_some() && (kind != Kind::Generator || this.rng.percent(40)) {
                    all.push(this.return_statement(2));
                }
            }
            if kind == Kind::Generator {
                all.push(stmt!("yield §;", this.yielded()));
            }
            all
        });
        self.plain = was_plain;
        self.budget = outer_budget - (granted - self.budget);
        block(made)
    }

    /// Arguments for these parameters: mostly right, now and then too few, too many, by name, spread, or of the wrong kind.
    pub fn arguments(&mut self, parameters: &[Parameter], d: usize) -> List {
        let d = d.min(2);
        let mut items = Vec::new();
        let missing = if self.rng.percent(4) { 1 } else { 0 };
        let named_from = if self.rng.percent(8) { self.rng.below(parameters.len().max(1)) } else { usize::MAX };
        for (n, parameter) in parameters.iter().take(parameters.len().saturating_sub(missing)).enumerate() {
            if parameter.has_default && self.rng.percent(30) {
                if named_from < n {
                    continue;
                }
                break;
            }
            let ty = parameter.ty.map_or(Type::Any, |(_, ty)| ty);
            let value = if parameter.by_reference && self.rng.percent(90) { self.place_read(d) } else { self.expr(ty, d) };
            items.push(if n >= named_from && !parameter.variadic { element!("§: §", parameter.name, value) } else { element!("§", value) });
            if parameter.variadic {
                for _ in 0..self.rng.below(3) {
                    if named_from == usize::MAX {
                        items.push(self.element_of(ty, d));
                    }
                }
            }
        }
        if named_from == usize::MAX && self.rng.percent(4) {
            items.push(self.element_of(Type::Any, d));
        }
        if named_from == usize::MAX && self.rng.percent(4) {
            let spread = self.expr(Type::Arr, d);
            items.push(element!("...§", spread));
        }
        commas(items, 0)
    }

    /// A call of one of the program's functions, by one of the ways there are.
    pub fn call(&mut self, d: usize) -> Node {
        let from = self.scope.rank.min(self.functions.len());
        if from >= self.functions.len() || self.scope.body == Body::Magic {
            return self.leaf(Type::Any, 0);
        }
        let n = from + self.rng.below(self.functions.len() - from);
        let function = self.functions[n].clone();
        let arguments = self.arguments(&function.parameters, d);
        if function.kind == Kind::Generator && self.rng.percent(70) {
            return expr!("iterator_to_array(§(§), false)", function.name, arguments);
        }
        choose!(self.rng;
            12 => expr!("§(§)", function.name, arguments),
            1 => {
                let Part::List(first) = Part::from(arguments) else { return self.leaf(Type::Any, 0) };
                let items = std::iter::once(Node::text(Sort::Element, format!("__NAMESPACE__ . '\\{}'", function.name))).chain(first.items).collect();
                expr!("call_user_func(§)", commas(items, 1))
            },
            1 => expr!("§(...)(§)", function.name, arguments),
        )
    }

    /// A call of what an expression holds.
    pub fn call_value(&mut self, d: usize) -> Node {
        if self.scope.body == Body::Magic {
            return self.leaf(Type::Any, 0);
        }
        let arguments = (0..self.rng.below(3)).map(|_| self.element_of(Type::Any, d.min(1))).collect();
        if self.has_variable(Type::Callable) && self.rng.percent(70) {
            let callee = self.variable(Type::Callable);
            return expr!("§(§)", callee, commas(arguments, 0));
        }
        let callee = self.callable(d.min(2));
        expr!("(§)(§)", callee, commas(arguments, 0))
    }

    pub fn callable(&mut self, d: usize) -> Node {
        let callable_functions = self.scope.rank < self.functions.len() && self.scope.body != Body::Magic;
        choose!(self.rng;
            5 => self.arrow_function(d),
            5 => self.closure(d),
            2 => self.literal(Type::Callable, 0),
            if callable_functions { 3 } else { 0 } => {
                let n = self.scope.rank + self.rng.below(self.functions.len() - self.scope.rank);
                expr!("§(...)", self.functions[n].name.clone())
            },
            2 => self.method_reference(d),
        )
    }

    fn arrow_function(&mut self, d: usize) -> Node {
        let parameters = self.parameters(2, false);
        let list = self.parameter_list(&parameters, false);
        let mut scope = self.closure_scope();
        // The variables around are seen, by value.
        scope.variables.extend(self.scope.variables.iter().copied());
        scope.variables.extend(parameters.iter().map(|p| (p.name, p.ty.map_or(Type::Any, |(_, ty)| ty))));
        let value = self.within(scope, |this| this.expr(Type::Any, d.min(2)));
        let form = if self.rng.percent(85) { "fn(§) => §" } else { "fn&(§) => §" };
        expr!("(§)", expr!(form, list, value))
    }

    fn closure_scope(&self) -> Scope {
        let mut scope = Scope::new(Body::Function);
        scope.rank = RANK_MAX;
        scope.class = self.scope.class;
        scope.is_static = self.scope.is_static;
        scope.nest = 1;
        scope
    }

    fn closure(&mut self, d: usize) -> Node {
        let parameters = self.parameters(2, false);
        let list = self.parameter_list(&parameters, false);
        let mut scope = self.closure_scope();
        let mut uses = Vec::new();
        let mut bound: Vec<(&'static str, Type)> = self.scope.variables.clone();
        bound.retain(|(name, _)| parameters.iter().all(|p| p.name != *name));
        bound.truncate(self.rng.below(3));
        for (name, ty) in bound {
            let by_reference = if self.rng.percent(45) { "&" } else { "" };
            uses.push(element!("§$§", by_reference, name));
            scope.variables.push((name, ty));
        }
        let kind = if self.rng.percent(12) { Kind::Generator } else { Kind::Plain };
        if kind == Kind::Generator {
            scope.body = Body::Generator;
        }
        self.budget -= 2;
        let body = if d == 0 || self.budget < 0 {
            let value = self.within(scope, |this| this.expr(Type::Any, 1));
            block(vec![stmt!("return §;", value)])
        } else {
            self.function_body(scope, &parameters, kind)
        };
        let head = if self.scope.class.is_none() && self.rng.percent(10) { "static " } else { "" };
        if uses.is_empty() {
            expr!("§function (§) §", head, list, body)
        } else {
            expr!("§function (§) use (§) §", head, list, commas(uses, 1), body)
        }
    }
}
