//! Statements.

use super::super::rng::choose;
use super::super::tree::{List, Node, Part, Sort, block, commas, element, stmt};
use super::expressions::COMPOUND;
use super::{Body, Generator, Type};

impl Generator<'_> {
    /// `count` statements of nesting depth at most `d`.
    pub fn statements(&mut self, count: usize, d: usize) -> Vec<Node> {
        let mut all = Vec::new();
        for _ in 0..count {
            all.push(self.statement(d));
        }
        all
    }

    fn inner(&mut self, d: usize) -> List {
        let count = self.rng.between(1, 3);
        block(self.statements(count, d))
    }

    pub fn statement(&mut self, d: usize) -> Node {
        self.budget -= 1;
        let spent = self.budget < 0;
        if self.scope.body == Body::Main && d >= 3 && self.rng.percent(60) {
            return self.guarded(d - 1);
        }
        let library = if self.focus == super::Focus::Library { 60 } else { 2 };
        let rich = usize::from(!self.plain);
        let nested = if d == 0 || spent { 0 } else { 1 };
        let loops = if nested == 1 && self.may_loop() { if self.plain { 12 } else { 8 } } else { 0 };
        choose!(self.rng;
            24 => self.assignment(),
            10 => self.compound(),
            5 => {
                let place = self.place_read(2);
                stmt!(self.rng.one(&["§++;", "§--;", "++§;", "--§;"]), place)
            },
            if self.plain { 5 } else { 14 } => self.show(),
            8 * nested => self.if_statement(d),
            loops => self.loop_statement(d),
            3 * nested => self.switch_statement(d),
            3 * nested * rich => self.try_statement(d),
            2 => {
                let place = self.place_read(2);
                stmt!("unset(§);", place)
            },
            if self.plain { 1 } else { 4 } => {
                let (name, of) = (self.target(), self.reference(2));
                self.holds(name, Type::Any);
                stmt!("$§ = &§;", name, of)
            },
            2 * rich => {
                let (place, of) = (self.place(2), self.reference(2));
                stmt!("§ = &§;", place, of)
            },
            2 * rich => {
                let pattern = self.pattern(1);
                let value = self.expr(Type::Arr, 2);
                stmt!("§ = §;", pattern, value)
            },
            if self.scope.loops > 0 { 4 } else { 0 } => self.jump(),
            if self.scope.may_return { 2 } else { 0 } => self.return_statement(3),
            5 * rich => {
                // A generator that nobody takes is never made by stock PHP, which object numbers show.
                let (call, name) = (self.expression_statement(), self.target());
                self.holds(name, Type::Any);
                stmt!("$§ = §;", name, call)
            },
            if matches!(self.scope.body, Body::Main | Body::Magic) || self.plain { 0 } else { 1 } => {
                let name = self.target();
                self.holds(name, Type::Any);
                choose!(self.rng;
                    1 => stmt!("global $§;", name),
                    1 => {
                        let value = self.constant(Type::Any, 1);
                        stmt!("static $§ = §;", name, value)
                    },
                )
            },
            1 * rich => {
                let value = self.throw_expression(2);
                stmt!("§;", value)
            },
            1 * rich => {
                let array = self.expr(Type::Arr, 2);
                stmt!("extract(§);", array)
            },
            3 * rich * usize::from(matches!(self.scope.body, Body::Main)) => self.drive_generator(),
            2 * rich * usize::from(matches!(self.scope.body, Body::Main)) => self.drive_fiber(),
            if matches!(self.scope.body, Body::Generator) { 12 } else { 0 } => {
                let value = self.yield_expression(2);
                stmt!("§;", value)
            },
            if matches!(self.scope.body, Body::Fiber) { 10 } else { 0 } => {
                let value = self.expr(Type::Any, 2);
                stmt!("var_dump(Fiber::suspend(§));", value)
            },
            library * usize::from(self.scope.body == Body::Main) => self.library_statement(),
        )
    }

    fn expression_statement(&mut self) -> Node {
        if self.scope.body == Body::Magic { self.expr(Type::Any, 2) } else { choose!(self.rng; 1 => self.call(2), 1 => self.method_call(2)) }
    }

    /// What goes wrong is told, and the program goes on.
    pub fn guarded(&mut self, d: usize) -> Node {
        let statements = self.inner(d);
        let form = choose!(self.rng;
            5 => "try § catch (\\Throwable $t) { echo $t::class, ': ', $t->getMessage(), ' @', $t->getLine(), \"\\n\"; }",
            1 => "try § catch (\\Throwable $t) { echo $t->getTraceAsString(), \"\\n\"; }",
        );
        stmt!(form, statements)
    }

    fn assignment(&mut self) -> Node {
        let ty = self.any_type();
        if self.rng.percent(70) {
            let name = self.target();
            let value = self.expr(ty, 3);
            self.holds(name, ty);
            return stmt!("$§ = §;", name, value);
        }
        let (place, value) = (self.place(2), self.expr(ty, 3));
        stmt!("§ = §;", place, value)
    }

    fn compound(&mut self) -> Node {
        let operator = self.rng.one(COMPOUND);
        let ty = match operator {
            ".=" => Type::Str,
            "??=" => Type::Any,
            "+=" if self.rng.percent(20) => Type::Arr,
            "/=" => Type::Float,
            _ => Type::Int,
        };
        let place = match operator {
            _ if self.rng.percent(60) => self.variable(ty),
            "??=" => self.place_read(2),
            _ => self.place(2),
        };
        let value = self.expr(ty, 2);
        stmt!("§ § §;", place, operator, value)
    }

    fn show(&mut self) -> Node {
        let value: Part = self.part(Type::Any, 3);
        let form = choose!(self.rng;
            8 => "var_dump(§);",
            4 => "echo §, \"\\n\";",
            1 => "print_r(§);",
            1 => "var_export(§);",
            1 => "echo json_encode(§), \"\\n\";",
            1 => "echo serialize(§), \"\\n\";",
            1 => "var_dump(unserialize(serialize(§)));",
            1 => "var_dump((array) §);",
        );
        stmt!(form, value)
    }

    fn if_statement(&mut self, d: usize) -> Node {
        let d = d - 1;
        let test = self.expr(Type::Bool, 3);
        let then = self.inner(d);
        choose!(self.rng;
            3 => stmt!("if (§) §", test, then),
            3 => {
                let other = self.inner(d);
                stmt!("if (§) § else §", test, then, other)
            },
            1 => {
                let (second, middle, other) = (self.expr(Type::Bool, 2), self.inner(d), self.inner(d));
                stmt!("if (§) § elseif (§) § else §", test, then, second, middle, other)
            },
        )
    }

    fn switch_statement(&mut self, d: usize) -> Node {
        let d = d - 1;
        let of = self.any_type();
        let subject = self.expr(of, 2);
        self.scope.loops += 1;
        let mut cases = Vec::new();
        for _ in 0..self.rng.between(1, 4) {
            let body = self.inner(d);
            let end = if self.rng.percent(60) { "break;" } else { "" };
            if self.rng.percent(15) && cases.iter().all(|case: &Node| !case.print().starts_with("default")) {
                cases.push(element!("default: § §", body, end));
            } else {
                let value = if self.rng.percent(80) { self.literal(of, 0) } else { self.expr(of, 2) };
                cases.push(element!("case §: § §", value, body, end));
            }
        }
        self.scope.loops -= 1;
        stmt!("switch (§) §", subject, block(cases))
    }

    fn try_statement(&mut self, d: usize) -> Node {
        let d = d - 1;
        let body = self.inner(d);
        let class = self.rng.one(&["\\Exception", "\\Error", "\\TypeError", "\\Throwable", "\\RuntimeException | \\TypeError", "\\ErrorException"]);
        // A jump out of `finally` is an error of compilation.
        let finally = |generator: &mut Self| {
            let (loops, may_return) = (generator.scope.loops, generator.scope.may_return);
            generator.scope.loops = 0;
            generator.scope.may_return = may_return && generator.rng.percent(50);
            let made = generator.inner(d);
            generator.scope.loops = loops;
            generator.scope.may_return = may_return;
            made
        };
        choose!(self.rng;
            4 => {
                let handler = self.inner(d);
                stmt!("try § catch (§ $x) §", body, class, handler)
            },
            2 => {
                let (handler, last) = (self.inner(d), finally(self));
                stmt!("try § catch (§ $x) § finally §", body, class, handler, last)
            },
            2 => {
                let last = finally(self);
                stmt!("try § finally §", body, last)
            },
        )
    }

    fn jump(&mut self) -> Node {
        let word = self.rng.one(&["break", "continue"]);
        let level = self.rng.between(1, self.scope.loops);
        let jump = if level == 1 { format!("{word};") } else { format!("{word} {level};") };
        let test = self.expr(Type::Bool, 2);
        stmt!("if (§) §", test, Node::text(Sort::Statement, jump))
    }

    pub fn return_statement(&mut self, d: usize) -> Node {
        match self.scope.returns {
            Some(ty) => {
                let value = self.expr(ty, d);
                stmt!("return §;", value)
            }
            None => Node::text(Sort::Statement, "return;"),
        }
    }

    /// What all local variables hold, for functions that are looked at through their result.
    pub fn return_everything(&mut self) -> Node {
        let names: Vec<&str> = self.scope.variables.iter().map(|(name, _)| *name).collect();
        let items = names.iter().map(|name| element!("'§' => $§ ?? 'none'", *name, *name)).collect();
        stmt!("return [§];", commas(items, 0))
    }
}
