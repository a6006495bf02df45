//! What can be assigned to: variables, elements, properties, static properties.

use super::super::rng::choose;
use super::super::tree::{Node, Sort, expr};
use super::{Body, Generator, Type, VARIABLES};

impl Generator<'_> {
    /// A variable that probably holds `ty`; now and then one that is not there.
    pub fn variable_name(&mut self, ty: Type) -> &'static str {
        let wanted: Vec<&'static str> =
            self.scope.variables.iter().filter(|(_, has)| ty == Type::Any || *has == ty).map(|(name, _)| *name).collect();
        if !wanted.is_empty() && self.rng.percent(95) {
            return self.rng.one(&wanted);
        }
        let any: Vec<&'static str> = self.scope.variables.iter().map(|(name, _)| *name).collect();
        if !any.is_empty() && self.rng.percent(85) { self.rng.one(&any) } else { self.rng.one(VARIABLES) }
    }

    pub fn variable(&mut self, ty: Type) -> Node {
        let name = self.variable_name(ty);
        Node::text(Sort::Expression, format!("${name}"))
    }

    pub fn has_variable(&self, ty: Type) -> bool {
        self.scope.variables.iter().any(|(_, has)| *has == ty)
    }

    /// A variable to be written.
    pub fn target(&mut self) -> &'static str {
        if !self.scope.variables.is_empty() && self.rng.percent(25) {
            let at = self.rng.below(self.scope.variables.len());
            return self.scope.variables[at].0;
        }
        let few = if self.plain { 6 } else { VARIABLES.len() };
        VARIABLES[self.rng.below(few)]
    }

    /// The variable holds this from now on.
    pub fn holds(&mut self, name: &'static str, ty: Type) {
        match self.scope.variables.iter_mut().find(|(known, _)| *known == name) {
            Some(known) => known.1 = ty,
            None => self.scope.variables.push((name, ty)),
        }
    }

    /// Something that can be written, which is not a plain variable always.
    pub fn place(&mut self, d: usize) -> Node {
        self.place_or_end(d, 5)
    }

    /// A place that can be read too: the end of an array (`$a[]`) is refused by the compiler, and with it the whole program.
    pub fn place_read(&mut self, d: usize) -> Node {
        let end = usize::from(self.rng.percent(4));
        self.place_or_end(d, end)
    }

    /// `end` is the weight of `$a[]`.
    fn place_or_end(&mut self, d: usize, end: usize) -> Node {
        self.budget -= 1;
        let d = d.saturating_sub(1);
        let objects = if self.plain || self.classes.is_empty() { 0 } else { 12 };
        let this = if self.scope.class.is_some() && !self.scope.is_static { 20 } else { 0 };
        let rare = if self.plain { 0 } else { 1 };
        choose!(self.rng;
            40 => {
                let name = self.target();
                if !self.scope.variables.iter().any(|(known, _)| *known == name) {
                    self.holds(name, Type::Any);
                }
                Node::text(Sort::Expression, format!("${name}"))
            },
            14 => {
                let (array, key) = (self.variable(Type::Arr), self.key(d));
                expr!("§[§]", array, key)
            },
            end => {
                let array = self.variable(Type::Arr);
                expr!("§[]", array)
            },
            5 => {
                let (array, key, inner) = (self.variable(Type::Arr), self.key(d), self.key(d));
                expr!("§[§][§]", array, key, inner)
            },
            rare => {
                let name = self.variable(Type::Str);
                expr!("${§}", name)
            },
            rare => {
                let name = self.target();
                expr!("$GLOBALS['§']", name)
            },
            objects => {
                let object = self.variable(Type::Obj);
                let property = self.property_name();
                if self.rng.percent(25) {
                    let key = self.key(d);
                    expr!("§->§[§]", object, property, key)
                } else {
                    expr!("§->§", object, property)
                }
            },
            objects / 3 => self.static_property(),
            this => {
                let property = self.property_name();
                if self.rng.percent(25) {
                    let key = self.key(d);
                    expr!("$this->§[§]", property, key)
                } else {
                    expr!("$this->§", property)
                }
            },
        )
    }

    /// A place that `&` may take: no call, no `$this`.
    pub fn reference(&mut self, d: usize) -> Node {
        if self.scope.body == Body::Main && self.rng.percent(3) {
            let property = self.static_property();
            return property;
        }
        self.place(d)
    }

    pub fn static_property(&mut self) -> Node {
        let class = self.class_reference();
        expr!("§::$§", class, self.rng.one(&["s0", "s1"]))
    }

    /// `[$a, 'k' => $b]`, to be assigned to.
    pub fn pattern(&mut self, d: usize) -> Node {
        let form = if self.rng.percent(80) { "[§]" } else { "list(§)" };
        self.pattern_of(form, d)
    }

    /// All levels have one form, but for a mistake now and then.
    fn pattern_of(&mut self, form: &str, d: usize) -> Node {
        use super::super::tree::{commas, element};
        let keyed = self.rng.percent(35);
        let count = self.rng.between(1, 3);
        let items = (0..count)
            .map(|_| {
                let place = match (d > 0 && self.rng.percent(12), self.rng.percent(97)) {
                    (true, true) => self.pattern_of(form, d - 1),
                    (true, false) => self.pattern(d - 1),
                    (false, _) => self.place(1),
                };
                if keyed {
                    let key = self.key(0);
                    element!("§ => §", key, place)
                } else {
                    element!("§", place)
                }
            })
            .collect();
        expr!(form, commas(items, 1))
    }
}
