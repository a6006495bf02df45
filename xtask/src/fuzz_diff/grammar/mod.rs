//! The grammar: a typed generator of PHP programs that are valid, end, and print the same each time.
//!
//! - A scope knows which variables there are and what they probably hold. Types make expressions do something; they are wrong on
//!   purpose now and then, because conversions and their complaints are half of the language.
//! - Programs end: loops count with variables that nothing else writes, callables have ranks and bodies call higher ranks only, bodies of
//!   magic methods call nothing of the program's, and a budget bounds the whole.
//! - Nothing depends on time, addresses or chance. Object numbers are deterministic and stay.
//!
//! One file a subject: [`values`] (literals), [`expressions`], [`places`] (what can be assigned), [`statements`], [`loops`],
//! [`functions`], [`coroutines`] (generators, fibers), [`classes`], [`members`], [`library`] (builtins by their signatures).

mod classes;
mod coroutines;
mod expressions;
mod functions;
pub mod library;
mod loops;
mod members;
mod places;
mod statements;
mod values;

use super::Focus;
use super::rng::{Rng, choose};
use super::tree::{Form, List, Node, Part, Sort, stmt};
use classes::Class;
use functions::Function;
use library::Library;
use members::Shape;

/// What a value probably is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Any,
    Null,
    Bool,
    Int,
    Float,
    Str,
    Arr,
    Obj,
    Callable,
    Iter,
}

const TYPES: &[Type] = &[
    Type::Int,
    Type::Int,
    Type::Float,
    Type::Str,
    Type::Str,
    Type::Arr,
    Type::Arr,
    Type::Bool,
    Type::Null,
    Type::Obj,
    Type::Callable,
];
const SCALARS: &[Type] = &[Type::Int, Type::Int, Type::Int, Type::Float, Type::Str, Type::Str, Type::Bool, Type::Null];

/// What a body is the body of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Body {
    Main,
    Function,
    Generator,
    Fiber,
    /// May call nothing of the program's.
    Magic,
}

pub(super) struct Scope {
    body: Body,
    /// Variables that have been assigned, with what they probably hold.
    variables: Vec<(&'static str, Type)>,
    /// The class whose body this is; `$this` is there unless `is_static`.
    class: Option<usize>,
    is_static: bool,
    /// Callables of a lower or equal rank are out of bounds.
    rank: usize,
    /// Loops and switches around, for `break` and `continue`.
    loops: usize,
    /// Loops within loops cost time.
    nest: usize,
    /// What `return` gives: `None` for nothing at all.
    returns: Option<Type>,
    may_return: bool,
}

impl Scope {
    fn new(body: Body) -> Scope {
        Scope {
            body,
            variables: Vec::new(),
            class: None,
            is_static: false,
            rank: 0,
            loops: 0,
            nest: 0,
            returns: Some(Type::Any),
            may_return: body != Body::Main,
        }
    }
}

/// The names that programs use; few, so that they meet.
const VARIABLES: &[&str] = &["a", "b", "c", "d", "e", "f", "g", "h"];
/// Above the rank of every callable.
const RANK_MAX: usize = 100;

pub struct Generator<'l> {
    rng: Rng,
    library: &'l Library,
    focus: Focus,
    /// Nodes that may still be made; leaves only when it is spent.
    budget: isize,
    shape: Shape,
    classes: Vec<Class>,
    functions: Vec<Function>,
    scope: Scope,
    /// Loop counters and other names that must be fresh.
    fresh: usize,
    /// Code for the optimiser: local variables, scalars, loops, no handlers.
    plain: bool,
}

/// A whole program.
pub fn program(mut rng: Rng, focus: Focus, library: &Library) -> Node {
    let focus = match focus {
        Focus::All => choose!(rng; 55 => Focus::Language, 25 => Focus::Loops, 20 => Focus::Library),
        focus => focus,
    };
    let budget = match focus {
        Focus::Library => rng.between(40, 120),
        _ => rng.between(60, 320),
    } as isize;
    let mut generator = Generator {
        rng,
        library,
        focus,
        budget,
        shape: Shape::default(),
        classes: Vec::new(),
        functions: Vec::new(),
        scope: Scope::new(Body::Main),
        fresh: 0,
        plain: false,
    };
    generator.whole()
}

impl Generator<'_> {
    fn whole(&mut self) -> Node {
        let mut head = Vec::new();
        if self.rng.percent(15) {
            head.push(Node::text(Sort::Statement, "declare(strict_types=1);"));
        }
        if self.rng.percent(8) {
            head.push(Node::text(Sort::Statement, "namespace N;"));
        }
        let (classes, functions, statements) = match self.focus {
            Focus::Library => (self.rng.below(2), self.rng.below(2), self.rng.between(3, 8)),
            Focus::Loops => (self.rng.below(2), self.rng.between(1, 4), self.rng.between(2, 6)),
            _ => (self.rng.below(5), self.rng.below(5), self.rng.between(4, 14)),
        };
        self.shape = self.make_shape();
        self.plan_functions(functions);
        let mut declarations = self.class_declarations(classes);
        declarations.extend(self.function_declarations());
        let mut main = Vec::new();
        if self.rng.percent(8) {
            main.push(self.error_handler());
        }
        self.budget = self.budget.max(40);
        main.extend(self.statements(statements, 3));
        main.push(self.show_everything());
        let mut items = head;
        if self.rng.percent(70) {
            items.extend(declarations);
            items.extend(main);
        } else {
            items.extend(main);
            items.extend(declarations);
        }
        stmt!("<?php\n§\n", List { items, form: Form::Lines, least: 0 })
    }

    /// What the global variables hold in the end.
    fn show_everything(&mut self) -> Node {
        let names: Vec<&str> = self.scope.variables.iter().map(|(name, _)| *name).collect();
        if names.is_empty() {
            return Node::text(Sort::Statement, "echo \"end\\n\";");
        }
        let variables = names.iter().map(|name| Node::text(Sort::Expression, format!("${name}"))).collect();
        stmt!("var_dump(§);", super::tree::commas(variables, 1))
    }

    fn error_handler(&mut self) -> Node {
        let template = choose!(self.rng;
            3 => "set_error_handler(function ($n, $m, $f, $l) { echo \"[$n] $m @$l\\n\"; return true; });",
            2 => "set_error_handler(function ($n, $m) { throw new ErrorException($m, $n); });",
            1 => "set_error_handler(fn($n, $m) => false);",
        );
        Node::text(Sort::Statement, template)
    }

    /// Generates with another scope in place.
    fn within<T>(&mut self, scope: Scope, make: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope, scope);
        let made = make(self);
        self.scope = outer;
        made
    }

    fn any_type(&mut self) -> Type {
        if self.plain { self.rng.one(SCALARS) } else { self.rng.one(TYPES) }
    }

    fn concrete(&mut self, ty: Type) -> Type {
        if ty == Type::Any { self.any_type() } else { ty }
    }

    fn fresh(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    fn part(&mut self, ty: Type, d: usize) -> Part {
        Part::Node(self.expr(ty, d.saturating_sub(1)))
    }
}
