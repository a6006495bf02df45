//! The code of one function under change: instructions are replaced or removed where they stand, then [`Body::finish`] moves
//! the rest together and mends all that names a word: jumps, lines, live ranges, jump tables.

use crate::konst::{Const, ConstId};
use jumbo_bytecode::hash::NameMap;
use jumbo_bytecode::op::LITERAL;
use jumbo_bytecode::unit::{FunctionProto, LiveRange};
use jumbo_bytecode::{Insn, Kind, Op, insn};

/// A function whose code is being changed.
pub struct Body<'f> {
    pub proto: &'f mut FunctionProto,
    pub code: Vec<Insn>,
    pub literals: &'f mut Vec<Const>,
    ids: NameMap<ConstId, u16>,
    removed: Vec<bool>,
    changed: bool,
}

/// Does the code have a backward jump?
pub fn has_loop(code: &[Insn]) -> bool {
    insn::walk(code).any(|(at, _)| jumps(code, at).any(|j| j.offset < 0))
}

/// The places from word `start` to before `end`.
pub fn within(places: &[usize], start: usize, end: usize) -> &[usize] {
    let from = places.partition_point(|at| *at < start);
    let to = places.partition_point(|at| *at < end);
    &places[from..to.max(from)]
}

/// A jump: the word that holds it (0: the instruction itself) and its offset.
pub struct Jump {
    pub word: usize,
    pub offset: i32,
}

/// The jumps in the instruction at `at`, without jump tables.
pub fn jumps(code: &[Insn], at: usize) -> impl Iterator<Item = Jump> + '_ {
    let insn = code[at];
    let info = insn.op().info();
    let own = (info.b == Kind::bcJ).then(|| Jump {
        word: 0,
        offset: insn.jump(),
    });
    let extra = info
        .ext
        .iter()
        .enumerate()
        .filter(|(_, kind)| **kind == Kind::J)
        .filter_map(move |(n, _)| {
            let offset = code.get(at + 1 + n)?.0 as u32 as i32;
            // `New` without arguments that have effects says 0 for "no jump".
            (offset != 0).then_some(Jump {
                word: n + 1,
                offset,
            })
        });
    own.into_iter().chain(extra)
}

impl<'f> Body<'f> {
    pub fn new(proto: &'f mut FunctionProto, literals: &'f mut Vec<Const>) -> Body<'f> {
        let code = std::mem::take(&mut proto.code).into_vec();
        let removed = vec![false; code.len()];
        Body {
            proto,
            code,
            literals,
            ids: NameMap::default(),
            removed,
            changed: false,
        }
    }

    /// The index of a literal, added when it is new; `None` when the table is full.
    pub fn literal(&mut self, value: &Const) -> Option<u16> {
        if self.ids.is_empty() {
            self.ids = self
                .literals
                .iter()
                .enumerate()
                .rev()
                .map(|(n, c)| (c.id(), n as u16))
                .collect();
        }
        let id = value.id();
        if let Some(&index) = self.ids.get(&id) {
            return Some(index);
        }
        let index = u16::try_from(self.literals.len())
            .ok()
            .filter(|n| *n < jumbo_bytecode::NONE)?;
        self.literals.push(value.clone());
        self.ids.insert(id, index);
        Some(index)
    }

    pub fn is_removed(&self, at: usize) -> bool {
        self.removed[at]
    }

    /// Takes the instruction at `at` out.
    pub fn remove(&mut self, at: usize) {
        let words = self.code[at].op().words();
        self.removed[at..at + words].fill(true);
        self.changed = true;
    }

    /// Puts another instruction, not longer, in the place of the one at `at`.
    pub fn replace(&mut self, at: usize, insn: Insn) {
        let (old, new) = (self.code[at].op().words(), insn.op().words());
        debug_assert!(new <= old);
        self.removed[at + new..at + old].fill(true);
        self.code[at] = insn;
        self.changed = true;
    }

    /// Puts two instructions of one word in the place of one of two words.
    pub fn replace_by_two(&mut self, at: usize, first: Insn, second: Insn) {
        debug_assert!(
            self.code[at].op().words() == 2 && first.op().words() == 1 && second.op().words() == 1
        );
        (self.code[at], self.code[at + 1]) = (first, second);
        self.changed = true;
    }

    /// The instructions that are not removed.
    pub fn places(&self) -> Vec<usize> {
        let mut places = Vec::new();
        let mut at = 0;
        while at < self.code.len() {
            if self.removed[at] {
                at += 1;
                continue;
            }
            places.push(at);
            at += self.code[at].op().words();
        }
        places
    }

    pub fn is_cv(&self, register: u16) -> bool {
        (jumbo_bytecode::FRAME_HEADER..self.proto.first_temp).contains(&register)
    }

    pub fn is_temp(&self, register: u16) -> bool {
        register & LITERAL == 0 && (self.proto.first_temp..jumbo_bytecode::THIS).contains(&register)
    }

    /// The temporaries that an instruction takes as values.
    pub fn taken(&self, insn: Insn) -> Vec<u16> {
        let operands = insn.operands().into_iter();
        operands.filter(|&(kind, o)| kind == Kind::O && self.is_temp(o)).map(|(_, o)| o).collect()
    }

    /// The live range of a temporary that the instruction at `def` gives and the one at `last` takes.
    pub fn take_live(&mut self, register: u16, def: usize, last: usize) -> bool {
        let start = (def + self.code[def].op().words()) as u32;
        let found = self
            .proto
            .live
            .iter()
            .position(|r| r.register == register && r.start == start && r.end == last as u32);
        match found {
            Some(n) => {
                self.proto.live.remove(n);
                true
            }
            // Defined and taken by neighbours: it is never alive before an instruction that could throw.
            None => start == last as u32,
        }
    }

    /// Puts the code back into the function, moved together.
    pub fn finish(mut self) {
        if self.changed {
            self.compact();
        }
        self.proto.live.sort_by_key(LiveRange::release_order);
        self.proto.code = std::mem::take(&mut self.code).into_boxed_slice();
    }

    fn compact(&mut self) {
        let mut new = Vec::with_capacity(self.code.len() + 1);
        let mut next = 0u32;
        for removed in &self.removed {
            new.push(next);
            next += !removed as u32;
        }
        new.push(next);
        self.relocate(|word| new.get(word as usize).copied().unwrap_or(word));
        let removed = &self.removed;
        let mut at = 0;
        self.code.retain(|_| {
            at += 1;
            !removed[at - 1]
        });
    }

    /// In place of the `Jmp` at `at`: a copy of the words `from..to`, which are executed in a row and end with a jump, and a `Jmp` to `to`. False: temporaries
    /// live across the bounds of what would be copied, and nothing was done.
    pub fn enter_through_copy(&mut self, at: usize, from: usize, to: usize) -> bool {
        let inside = |r: &LiveRange| from <= r.start as usize && r.end as usize <= to;
        let around = |r: &LiveRange| r.start as usize <= from && to <= r.end as usize;
        let apart = |r: &LiveRange| r.end as usize <= from || to <= r.start as usize;
        if !self.proto.live.iter().all(|r| inside(r) || around(r) || apart(r)) {
            return false;
        }
        let grown = (to - from) as u32;
        let moved = |word: u32| if word as usize <= at { word } else { word + grown };
        let copy_of = |word: u32| word - from as u32 + at as u32;
        let (line_here, line_there) = (self.line_at(at), self.line_at(from));
        let live: Vec<LiveRange> = self.proto.live.iter().filter(|r| inside(r)).map(|r| LiveRange { start: copy_of(r.start), end: copy_of(r.end), ..*r }).collect();
        let lines: Vec<(u32, u32)> = self.proto.lines.iter().filter(|(word, _)| (from + 1..to).contains(&(*word as usize))).map(|&(word, line)| (copy_of(word), line)).collect();
        self.relocate(moved);
        // The copy jumps where the original does.
        let mut copy = self.code[from..to].to_vec();
        let mut place = from;
        while place < to {
            for jump in jumps(&self.code, place).collect::<Vec<_>>() {
                let offset = jump.offset + (moved(place as u32) - copy_of(place as u32)) as i32;
                set_offset(&mut copy, place - from, jump.word, offset);
            }
            place += self.code[place].op().words();
        }
        let rest = moved(to as u32) - (at as u32 + grown);
        copy.push(Insn::with_bc(Op::Jmp, 0, rest));
        self.code.splice(at..=at, copy);
        self.removed = vec![false; self.code.len()];
        self.proto.live.extend(live);
        // What stands in the copy's place keeps the copied lines, what follows has its own again.
        self.proto.lines.retain(|(word, _)| *word as usize != at);
        self.proto.lines.push((at as u32, line_there));
        self.proto.lines.extend(lines);
        let behind = at as u32 + grown;
        if !self.proto.lines.iter().any(|(word, _)| *word == behind) {
            self.proto.lines.push((behind, line_here));
        }
        self.proto.lines.sort_unstable();
        true
    }

    fn line_at(&self, word: usize) -> u32 {
        let after = self.proto.lines.partition_point(|(start, _)| *start as usize <= word);
        after.checked_sub(1).map_or(0, |n| self.proto.lines[n].1)
    }

    /// Writes all that names a word as it will be when the code has been moved.
    fn relocate(&mut self, moved: impl Fn(u32) -> u32) {
        let offset = |at: usize, offset: i32| {
            let target = (at as i64 + offset as i64) as u32;
            (moved(target) as i64 - moved(at as u32) as i64) as i32
        };
        for at in self.places() {
            let insn = self.code[at];
            for jump in jumps(&self.code, at).collect::<Vec<_>>() {
                let offset = offset(at, jump.offset);
                set_offset(&mut self.code, at, jump.word, offset);
            }
            match insn.op() {
                // How far ahead the loop ends.
                Op::Free | Op::IterFree if insn.bc() != 0 => {
                    let target = offset(at, insn.jump()) as u32;
                    self.code[at] = Insn::with_bc(insn.op(), insn.a(), target);
                }
                Op::Switch => {
                    if let Some(table) = self.proto.switches.get_mut(insn.bc() as usize) {
                        table.ints.values_mut().for_each(|o| *o = offset(at, *o));
                        table.strings.values_mut().for_each(|o| *o = offset(at, *o));
                        table.default = table.default.map(|o| offset(at, o));
                    }
                }
                _ => {}
            }
        }
        for range in &mut self.proto.live {
            (range.start, range.end) = (moved(range.start), moved(range.end));
        }
        self.proto.live.retain(|r| r.start < r.end);
        for region in &mut self.proto.tries {
            for word in [
                &mut region.start,
                &mut region.catch,
                &mut region.finally,
                &mut region.finally_end,
            ] {
                if *word != u32::MAX {
                    *word = moved(*word);
                }
            }
        }
        // Of lines that now begin at one word the last one holds.
        let mut lines: Vec<(u32, u32)> = Vec::with_capacity(self.proto.lines.len());
        for &(word, line) in &self.proto.lines {
            let word = moved(word);
            if lines.last().is_some_and(|&(w, _)| w == word) {
                lines.pop();
            }
            lines.push((word, line));
        }
        self.proto.lines = lines;
    }
}

/// Writes the offset of a jump that [`jumps`] found in word `word` of the instruction at `at`.
fn set_offset(code: &mut [Insn], at: usize, word: usize, offset: i32) {
    let target = offset as u32 as u64;
    let place = &mut code[at + word];
    place.0 = match word {
        0 => place.0 & 0xffff_ffff | target << 32,
        _ => place.0 & !0xffff_ffff | target,
    };
}
