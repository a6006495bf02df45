//! Generators and fibers: making them, and driving them by hand.

use super::super::rng::choose;
use super::super::tree::{Node, Sort, block, commas, element, expr, stmt};
use super::functions::Kind;
use super::{Body, Generator, RANK_MAX, Scope, Type};

impl Generator<'_> {
    /// What makes a generator.
    pub fn generator_call(&mut self, d: usize) -> Node {
        let from = self.scope.rank;
        let generators: Vec<usize> =
            (from..self.functions.len()).filter(|&n| self.functions[n].kind == Kind::Generator).collect();
        if !generators.is_empty() && self.scope.body != Body::Magic && self.rng.percent(75) {
            let n = self.rng.one(&generators);
            let function = self.functions[n].clone();
            let arguments = self.arguments(&function.parameters, d);
            return expr!("§(§)", function.name, arguments);
        }
        let mut scope = Scope::new(Body::Generator);
        scope.rank = RANK_MAX;
        scope.nest = 1;
        if d == 0 || self.budget < 0 {
            return Node::text(Sort::Expression, "(function () { yield 1; return yield 2; })()");
        }
        let body = self.function_body(scope, &[], Kind::Generator);
        expr!("(function () §)()", body)
    }

    pub fn yielded(&mut self) -> Node {
        self.expr(Type::Any, 1)
    }

    /// Always in parentheses.
    pub fn yield_expression(&mut self, d: usize) -> Node {
        let d = d.min(2);
        choose!(self.rng;
            6 => {
                let value = self.expr(Type::Any, d);
                expr!("(yield §)", value)
            },
            2 => {
                let (key, value) = (self.key(d), self.expr(Type::Any, d));
                expr!("(yield § => §)", key, value)
            },
            1 => Node::text(Sort::Expression, "(yield)"),
            3 => {
                let source = if d == 0 { self.literal(Type::Arr, 0) } else { self.iterable(d - 1) };
                expr!("(yield from §)", source)
            },
        )
    }

    /// Steps through a generator by its methods.
    pub fn drive_generator(&mut self) -> Node {
        let name = self.target();
        self.holds(name, Type::Obj);
        let generator = self.generator_call(2);
        let steps = (0..self.rng.between(2, 6))
            .map(|_| {
                choose!(self.rng;
                    4 => stmt!("var_dump($§->current());", name),
                    2 => stmt!("var_dump($§->key());", name),
                    3 => stmt!("$§->next();", name),
                    3 => {
                        let value = self.expr(Type::Any, 1);
                        stmt!("var_dump($§->send(§));", name, value)
                    },
                    1 => {
                        let message = self.literal(Type::Str, 0);
                        stmt!("var_dump($§->throw(new \\LogicException(§)));", name, message)
                    },
                    1 => stmt!("$§->rewind();", name),
                    1 => stmt!("var_dump($§->valid());", name),
                    1 => stmt!("var_dump($§->getReturn());", name),
                    1 => stmt!("foreach ($§ as $k => $v) { var_dump($k, $v); }", name),
                    1 => stmt!("unset($§);", name),
                )
            })
            .collect();
        stmt!("$§ = §;\ntry § catch (\\Throwable $t) { echo $t::class, ': ', $t->getMessage(), \"\\n\"; }", name, generator, block(steps))
    }

    /// A fiber that is resumed until it ends, or for some rounds.
    pub fn drive_fiber(&mut self) -> Node {
        let number = self.fresh();
        let mut scope = Scope::new(Body::Fiber);
        scope.rank = self.scope.rank;
        scope.nest = 1;
        let mut uses = Vec::new();
        if let Some(&(name, ty)) = self.scope.variables.first() {
            let by_reference = if self.rng.percent(50) { "&" } else { "" };
            uses.push(element!("§$§", by_reference, name));
            scope.variables.push((name, ty));
        }
        let parameters = self.parameters(2, false);
        let list = self.parameter_list(&parameters, false);
        let arguments = self.arguments(&parameters, 1);
        let body = self.function_body(scope, &parameters, Kind::Plain);
        let uses = if uses.is_empty() { Node::text(Sort::Element, "") } else { element!("use (§)", commas(uses, 1)) };
        let resumed = self.expr(Type::Any, 1);
        let step = choose!(self.rng;
            5 => expr!("$fiber§->resume(§)", number, resumed),
            1 => expr!("$fiber§->throw(new \\RuntimeException('into'))", number),
        );
        stmt!(
            "$fiber§ = new \\Fiber(function (§) § §);\ntry {\nvar_dump($fiber§->start(§));\nfor ($i§ = 0; $i§ < 4 && $fiber§->isSuspended(); $i§++) var_dump(§);\n\
             if ($fiber§->isTerminated()) var_dump($fiber§->getReturn());\n} catch (\\Throwable $t) { echo $t::class, ': ', $t->getMessage(), \"\\n\"; }",
            number, list, uses, body, number, arguments, number, number, number, number, step, number, number
        )
    }
}
