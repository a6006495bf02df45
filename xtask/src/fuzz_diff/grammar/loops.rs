//! Loops. Each ends: it counts with a variable of its own (`$i1`, …) that nothing else writes, or walks an array that cannot grow under it;
//! a loop by reference or over an object has a counter that stops it.

use super::super::rng::choose;
use super::super::tree::{List, Node, Sort, block, stmt};
use super::{Generator, Type};

/// How many loops may be within each other.
const NEST_MAX: usize = 2;

impl Generator<'_> {
    pub fn may_loop(&self) -> bool {
        self.scope.nest < NEST_MAX
    }

    fn body(&mut self, d: usize) -> List {
        self.scope.loops += 1;
        self.scope.nest += 1;
        let count = self.rng.between(1, 4);
        let statements = self.statements(count, d);
        self.scope.loops -= 1;
        self.scope.nest -= 1;
        block(statements)
    }

    pub fn loop_statement(&mut self, d: usize) -> Node {
        let d = d.saturating_sub(1);
        let limit = if self.scope.nest == 0 { self.rng.between(1, 6) } else { self.rng.between(1, 3) };
        choose!(self.rng;
            8 => self.for_loop(limit, d),
            3 => {
                let counter = self.fresh();
                let body = self.body(d);
                stmt!("$i§ = §;\nwhile ($i§-- > 0) §", counter, limit, counter, body)
            },
            2 => {
                let counter = self.fresh();
                let body = self.body(d);
                stmt!("$i§ = 0;\ndo § while (++$i§ < §);", counter, body, counter, limit)
            },
            2 => {
                let counter = self.fresh();
                let test = self.expr(Type::Bool, 2);
                let body = self.body(d);
                stmt!("for ($i§ = 0; $i§ < § && §; $i§++) §", counter, counter, limit, test, counter, body)
            },
            9 => self.foreach_value(d),
            4 => self.foreach_reference(d),
            if self.plain { 0 } else { 3 } => self.foreach_iterable(d),
        )
    }

    /// Counts up or down, by steps, with a fixed or a computed end; the counter may be read and moved on inside.
    fn for_loop(&mut self, limit: usize, d: usize) -> Node {
        let counter = self.fresh();
        // The body may use the counter, by a variable that takes its value.
        let seen = if self.rng.percent(60) {
            let name = self.target();
            self.holds(name, Type::Int);
            Some(name)
        } else {
            None
        };
        let mut body = self.body(d);
        if let Some(name) = seen {
            let form = self.rng.one(&["$§ = $i§;", "$§ = $i§ * 2;", "$§ = $i§ + 0.5;", "$§ = \"v$i§\";", "$§[] = $i§;", "$§ .= $i§;"]);
            body.items.insert(0, stmt!(form, name, counter));
        }
        if self.rng.percent(8) {
            body.items.push(stmt!("$i§ += 1;", counter));
        }
        let count_up = self.rng.percent(75);
        if count_up {
            let step = self.rng.one(&["$i§++", "++$i§", "$i§ += 2", "$i§ += 1.5"]);
            let step = Node::new(Sort::Element, step, vec![counter.into()]);
            stmt!("for ($i§ = 0; $i§ < §; §) §", counter, counter, limit, step, body)
        } else {
            stmt!("for ($i§ = §; $i§ > 0; $i§--) §", counter, limit, counter, counter, body)
        }
    }

    fn foreach_value(&mut self, d: usize) -> Node {
        let of = self.any_type();
        let source = if self.rng.percent(55) { self.variable(Type::Arr) } else { self.expr(Type::Arr, 2) };
        if self.rng.percent(10) {
            let pattern = self.pattern(1);
            let body = self.body(d);
            return stmt!("foreach (§ as §) §", source, pattern, body);
        }
        let value = self.target();
        self.holds(value, of);
        if self.rng.percent(40) {
            let key = self.target();
            self.holds(key, Type::Int);
            let body = self.body(d);
            return stmt!("foreach (§ as $§ => $§) §", source, key, value, body);
        }
        let body = self.body(d);
        stmt!("foreach (§ as $§) §", source, value, body)
    }

    /// By reference, the array may grow: the loop is stopped after some rounds.
    fn foreach_reference(&mut self, d: usize) -> Node {
        let counter = self.fresh();
        let source = if self.rng.percent(80) { self.variable(Type::Arr) } else { self.place_read(1) };
        let value = self.target();
        let body = self.body(d);
        let key = if self.rng.percent(30) {
            let key = self.target();
            format!("${key} => ")
        } else {
            String::new()
        };
        stmt!("$i§ = 0;\nforeach (§ as §&$§) {\nif (++$i§ > 6) break;\n§\n}", counter, source, key, value, counter, body)
    }

    fn foreach_iterable(&mut self, d: usize) -> Node {
        let counter = self.fresh();
        let source = self.iterable(2);
        let (key, value) = (self.target(), self.target());
        self.holds(value, Type::Any);
        let body = self.body(d);
        stmt!("$i§ = 0;\nforeach (§ as $§ => $§) {\nif (++$i§ > 6) break;\n§\n}", counter, source, key, value, counter, body)
    }
}
