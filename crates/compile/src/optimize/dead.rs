//! Stores that nobody reads.

use super::body::{Body, within};
use super::facts::{Facts, State};
use jumbo_bytecode::op::{FRAME_HEADER, LITERAL, NONE};
use jumbo_bytecode::{Insn, Kind, Op};

/// A set of CVs.
type Live = Vec<bool>;

/// Takes out stores into variables that are not read afterwards, and results that are dropped at once; true: something changed.
pub fn stores(body: &mut Body<'_>, facts: &Facts) -> bool {
    let at_end = liveness(body, facts);
    let mut changed = false;
    let all = body.places();
    for (n, block) in facts.blocks.iter().enumerate() {
        let Some(mut state) = facts.entry[n].clone() else {
            continue;
        };
        let places = within(&all, block.start, block.end);
        let mut droppable = Vec::with_capacity(places.len());
        for &at in places {
            droppable.push(droppable_store(body, facts, at, &state));
            facts.step(body, at, &mut state);
        }
        let mut live = at_end[n].clone();
        for (&at, drop) in places.iter().zip(&droppable).rev() {
            let insn = body.code[at];
            if let Some(cv) = stored(body, facts, insn)
                && !live[cv]
                && *drop
                && drop_store(body, at)
            {
                changed = true;
                continue;
            }
            effect(body, facts, insn, &mut live);
        }
        changed |= dropped_results(body, facts, n, places);
    }
    changed
}

/// Could this store go if nobody read it: has it no other effect?
fn droppable_store(body: &Body<'_>, facts: &Facts, at: usize, state: &State) -> bool {
    let insn = body.code[at];
    let is_parameter = (insn.a() as usize) < FRAME_HEADER as usize + body.proto.params.len();
    // Stack traces show what parameters hold.
    !is_parameter && facts.is_pure(body, at, state)
}

/// The tracked CV that an instruction writes and does nothing else with.
fn stored(body: &Body<'_>, facts: &Facts, insn: Insn) -> Option<usize> {
    let writes = match insn.op() {
        Op::Assign => insn.c() == NONE,
        Op::IncCv
        | Op::AddV
        | Op::SubV
        | Op::MulV
        | Op::BitAndV
        | Op::BitOrV
        | Op::BitXorV
        | Op::ConcatV
        | Op::DimRV => true,
        _ => false,
    };
    let cv = insn.a().wrapping_sub(FRAME_HEADER) as usize;
    (writes && body.is_cv(insn.a()) && facts.tracked[cv]).then_some(cv)
}

/// Drops a store; a temporary that it takes is released instead.
fn drop_store(body: &mut Body<'_>, at: usize) -> bool {
    let insn = body.code[at];
    match body.taken(insn)[..] {
        [] => body.remove(at),
        [temp] => body.replace(at, Insn::with_bc(Op::Free, temp, 0)),
        _ => return false,
    }
    true
}

/// `t = pure …; free t` in a row.
fn dropped_results(body: &mut Body<'_>, facts: &Facts, block: usize, places: &[usize]) -> bool {
    let Some(mut state) = facts.entry[block].clone() else {
        return false;
    };
    let mut changed = false;
    let places: Vec<usize> = places
        .iter()
        .copied()
        .filter(|&at| !body.is_removed(at))
        .collect();
    for pair in places.windows(2) {
        let (def, free) = (pair[0], pair[1]);
        let (insn, last) = (body.code[def], body.code[free]);
        let info = insn.op().info();
        let fits = last.op() == Op::Free
            && last.a() == insn.a()
            && last.bc() == 0
            && info.a == Kind::D
            && body.is_temp(insn.a());
        if fits && facts.is_pure(body, def, &state) {
            let temps = body.taken(insn);
            if temps.len() <= 1 && body.take_live(insn.a(), def, free) {
                body.remove(free);
                facts.step(body, def, &mut state);
                match temps.first() {
                    None => body.remove(def),
                    Some(&temp) => body.replace(def, Insn::with_bc(Op::Free, temp, 0)),
                }
                changed = true;
                continue;
            }
        }
        if !body.is_removed(def) {
            facts.step(body, def, &mut state);
        }
    }
    changed
}

/// What is live before an instruction, from what is live behind it.
fn effect(body: &Body<'_>, facts: &Facts, insn: Insn, live: &mut Live) {
    let kill = stored(body, facts, insn).filter(|_| insn.op() != Op::IncCv);
    if let Some(cv) = kill {
        live[cv] = false;
    }
    for (n, (kind, register)) in insn.operands()
        .into_iter()
        .enumerate()
    {
        let reads = matches!(kind, Kind::O | Kind::P | Kind::V | Kind::W | Kind::Q)
            && !(n == 0 && kill.is_some());
        if reads && register & LITERAL == 0 && body.is_cv(register) {
            live[(register - FRAME_HEADER) as usize] = true;
        }
    }
}

/// The CVs that are read after the end of each block.
fn liveness(body: &Body<'_>, facts: &Facts) -> Vec<Live> {
    let cvs = body.proto.cvs.len();
    let places = body.places();
    let mut at_start: Vec<Live> = vec![vec![false; cvs]; facts.blocks.len()];
    let mut at_end = at_start.clone();
    let mut changed = true;
    while changed {
        changed = false;
        for n in (0..facts.blocks.len()).rev() {
            let mut live = vec![false; cvs];
            for &next in &facts.blocks[n].next {
                live.iter_mut()
                    .zip(&at_start[next])
                    .for_each(|(l, s)| *l |= s);
            }
            at_end[n].clone_from(&live);
            for &at in within(&places, facts.blocks[n].start, facts.blocks[n].end).iter().rev() {
                effect(body, facts, body.code[at], &mut live);
            }
            if live != at_start[n] {
                at_start[n] = live;
                changed = true;
            }
        }
    }
    at_end
}
