//! The optimiser: passes over finished code, before [`specialize`](crate::specialize) chooses instruction forms.
//!
//! - [`inline`]: calls of functions that only return a literal become that literal.
//! - [`facts`]: which types and constants variables and temporaries hold at each place.
//! - [`rewrite`]: constants in place of what computes them, branches that are decided.
//! - [`dead`]: stores that nobody reads.
//! - [`typed`]: instructions for operands of known type.
//! - [`peel`]: loops whose variables begin with another type than they go on with.
//! - [`body`]: the code under change, and how it is moved together again.
//!
//! All but the first look only at functions with a loop whose variables nobody else can see: no symbol table, no generator, no `try`. What
//! a program can observe stays: warnings, exceptions, and the moment at which a destructor runs (a store is only dropped where what it
//! overwrites cannot hold an object).

mod body;
mod dead;
mod facts;
mod inline;
mod peel;
mod rewrite;
mod typed;

use crate::konst::Const;
use body::Body;
use jumbo_bytecode::unit::{ClassDecl, FunctionProto, func_flags};

/// What a file declares, as far as calls within it depend on it.
pub struct Declarations<'d> {
    pub classes: &'d [ClassDecl],
    pub hoisted_functions: &'d [u32],
    pub hoisted_classes: &'d [jumbo_bytecode::unit::Hoisted],
}

/// Facts are kept for each register and block: code beyond this product is left as it is.
const LARGEST: usize = 200_000;
/// So many loops of a function are entered through a copy of their condition.
const MOST_PEELED: usize = 8;
/// One round uncovers work for the next; loops of real programs are done after two.
const ROUNDS: usize = 4;

/// Optimises the functions of one file; `literals` and `main_literals` are theirs.
pub fn unit(
    functions: &mut [FunctionProto],
    literals: &mut [Vec<Const>],
    main: &mut FunctionProto,
    main_literals: &mut Vec<Const>,
    declarations: &Declarations<'_>,
) {
    let trivial = inline::Trivial::find(functions, literals, declarations);
    if !trivial.is_empty() {
        let classes = inline::classes_of_functions(functions.len(), declarations);
        for (n, (proto, literals)) in functions.iter_mut().zip(literals.iter_mut()).enumerate() {
            inline::calls(
                Body::new(proto, literals),
                &trivial,
                classes.get(n).copied().flatten(),
            );
        }
        inline::calls(Body::new(main, main_literals), &trivial, None);
    }
    if functions.iter().any(eligible) {
        let by_value = inline::by_value(functions, declarations);
        for (proto, literals) in functions.iter_mut().zip(literals.iter_mut()).filter(|(proto, _)| eligible(proto)) {
            function(proto, literals, &by_value);
        }
    }
}

fn eligible(proto: &FunctionProto) -> bool {
    const OPEN: u32 =
        func_flags::SYMBOL_TABLE | func_flags::MAIN | func_flags::GENERATOR | func_flags::THUNK;
    proto.flags & OPEN == 0
        && proto.tries.is_empty()
        && body::has_loop(&proto.code)
}

fn function(proto: &mut FunctionProto, literals: &mut Vec<Const>, by_value: &inline::ByValue) {
    let (mut round, mut peeled) = (1, 0);
    loop {
        let mut body = Body::new(proto, literals);
        let facts = facts::Facts::of(&body, by_value, LARGEST);
        if round == 1 && peeled < MOST_PEELED && facts.as_ref().is_some_and(|facts| peel::entry(&mut body, facts)) {
            body.finish();
            peeled += 1;
            continue;
        }
        let changed = facts.as_ref().is_some_and(|facts| {
            // What is known stays true while constants take the place of what computes them.
            let rewritten = rewrite::constants(&mut body, facts);
            dead::stores(&mut body, facts) | rewritten
        });
        let is_last = !changed || round == ROUNDS;
        if let Some(facts) = facts.filter(|_| is_last) {
            typed::forms(&mut body, &facts);
        }
        body.finish();
        if is_last {
            break;
        }
        round += 1;
    }
}
