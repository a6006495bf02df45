//! The verifier's second half: what temporaries hold, on every path.
//!
//! A forward walk over the code keeps the set of temporaries that hold something. Every path into a word must bring the same
//! set; a consumed temporary must hold something, a destination nothing; and at every instruction the live ranges must be
//! exactly what would have to be released if it threw. So a leak, a double release or a wrong live range in the compiler's
//! output is found here, before any program runs into it.

use crate::insn::{Insn, Kind, Op};
use crate::op::{FRAME_HEADER, LITERAL, NONE, THIS};
use crate::unit::FunctionProto;

/// A set of registers, by number.
#[derive(Clone, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn new(registers: u16) -> Set {
        Set(vec![0; (registers as usize).div_ceil(64)])
    }
    fn has(&self, r: u16) -> bool {
        self.0.get(r as usize / 64).is_some_and(|w| w >> (r % 64) & 1 != 0)
    }
    fn insert(&mut self, r: u16) {
        if let Some(w) = self.0.get_mut(r as usize / 64) {
            *w |= 1 << (r % 64);
        }
    }
    fn remove(&mut self, r: u16) {
        if let Some(w) = self.0.get_mut(r as usize / 64) {
            *w &= !(1 << (r % 64));
        }
    }
    fn names(&self, first_temp: u16) -> Vec<String> {
        let all = 0..self.0.len() as u16 * 64;
        all.filter(|&r| self.has(r)).map(|r| format!("t{}", r.wrapping_sub(first_temp))).collect()
    }
}

struct Walk<'f> {
    f: &'f FunctionProto,
    states: Vec<Option<Set>>,
    work: Vec<usize>,
    /// Temporaries of FastCall, which are outside of all this.
    finally_temps: Vec<u16>,
}

/// Checks one function, whose words are already known to be well-formed.
pub fn function(f: &FunctionProto) -> Result<(), String> {
    if f.code.is_empty() {
        return Ok(());
    }
    let finally_temps = f.tries.iter().map(|t| t.finally_temp).filter(|&t| t != NONE).collect();
    let mut walk = Walk { f, states: vec![None; f.code.len()], work: vec![0], finally_temps };
    walk.states[0] = Some(Set::new(f.registers));
    for t in &f.tries {
        for entry in [t.catch, t.finally] {
            if entry != u32::MAX {
                walk.reach(entry as usize, walk.live_at(entry), entry as usize)?;
            }
        }
    }
    while let Some(at) = walk.work.pop() {
        walk.step(at)?;
    }
    Ok(())
}

impl Walk<'_> {
    fn live_at(&self, at: u32) -> Set {
        let mut set = Set::new(self.f.registers);
        for range in self.f.live.iter().filter(|r| r.start <= at && at < r.end) {
            set.insert(range.register);
        }
        set
    }

    fn reach(&mut self, to: usize, state: Set, from: usize) -> Result<(), String> {
        let Some(slot) = self.states.get_mut(to) else { return Err(format!("{from}: runs off the end")) };
        match slot {
            None => {
                *slot = Some(state);
                self.work.push(to);
                Ok(())
            }
            Some(old) if *old == state => Ok(()),
            Some(old) => Err(format!(
                "{from} -> {to}: brings {:?}, another path {:?}",
                state.names(self.f.first_temp),
                old.names(self.f.first_temp)
            )),
        }
    }

    fn is_temp(&self, r: u16) -> bool {
        r >= self.f.first_temp && r < THIS && !self.finally_temps.contains(&r)
    }

    fn take(&self, state: &mut Set, r: u16, at: usize) -> Result<(), String> {
        if self.is_temp(r) {
            if !state.has(r) {
                return Err(format!("{at}: t{} holds nothing", r - self.f.first_temp));
            }
            state.remove(r);
        }
        Ok(())
    }

    fn put(&self, state: &mut Set, r: u16, at: usize) -> Result<(), String> {
        if self.is_temp(r) {
            if state.has(r) {
                return Err(format!("{at}: t{} holds something already", r - self.f.first_temp));
            }
            state.insert(r);
        }
        Ok(())
    }

    fn extra(&self, at: usize, n: usize) -> u64 {
        self.f.code.get(at + n).map_or(0, |w| w.0)
    }

    fn target(&self, at: usize, word: u64) -> usize {
        (at as i64 + word as u32 as i32 as i64) as usize
    }

    fn step(&mut self, at: usize) -> Result<(), String> {
        let Some(mut state) = self.states[at].clone() else { return Ok(()) };
        let insn: Insn = self.f.code[at];
        let op = insn.op();
        let info = op.info();
        let next = at + op.words();
        let operands = insn.operands();
        // What the instruction consumes.
        for (kind, value) in operands {
            match kind {
                Kind::O if value & LITERAL == 0 => self.take(&mut state, value, at)?,
                Kind::W => self.take(&mut state, value, at)?,
                Kind::P if self.is_temp(value) && op != Op::ConcatN && !state.has(value) => {
                    return Err(format!("{at}: t{} is used and holds nothing", value - self.f.first_temp));
                }
                _ => {}
            }
        }
        match op {
            Op::ConcatN => {
                for r in insn.b()..insn.b().saturating_add(insn.c()) {
                    self.take(&mut state, r, at)?;
                }
            }
            Op::Call => {
                self.take(&mut state, insn.a(), at)?;
                for n in 0..insn.b() {
                    self.take(&mut state, insn.a() + FRAME_HEADER + n, at)?;
                }
            }
            Op::CallBuiltin => {
                for n in 0..insn.b() {
                    self.take(&mut state, insn.a() + FRAME_HEADER + n, at)?;
                }
            }
            Op::CallArray | Op::CallUserArray => self.take(&mut state, insn.a(), at)?,
            Op::CallableFromFrame => self.take(&mut state, insn.b(), at)?,
            Op::IterFree | Op::EndSilence => self.take(&mut state, insn.a(), at)?,
            _ => {}
        }
        let live = self.live_at(at as u32);
        // Erased ways out (`goto`) leave holes in the ranges, where nothing can throw.
        if live != state && !matches!(op, Op::Nop | Op::Jmp | Op::Loop) {
            return Err(format!(
                "{at} {}: live ranges {:?}, held {:?}",
                info.name,
                live.names(self.f.first_temp),
                state.names(self.f.first_temp)
            ));
        }
        self.after(at, insn, op, state, next)
    }

    /// Results, and where execution goes.
    fn after(&mut self, at: usize, insn: Insn, op: Op, mut state: Set, next: usize) -> Result<(), String> {
        let (a, b, c) = (insn.a(), insn.b(), insn.c());
        match op {
            Op::JmpTrueKeep | Op::JmpZBool | Op::JmpNZBool => {
                let to = self.target(at, self.extra(at, 1));
                self.reach(next, state.clone(), at)?;
                self.put(&mut state, a, at)?;
                return self.reach(to, state, at);
            }
            Op::JmpNotNull | Op::JmpNull => {
                let to = self.target(at, insn.bc() as u64);
                let mut released = state.clone();
                released.remove(a);
                let (jump, go_on) = if op == Op::JmpNotNull { (state, released) } else { (released, state) };
                self.reach(to, jump, at)?;
                return self.reach(next, go_on, at);
            }
            Op::IterInit | Op::IterInitRef => {
                let to = self.target(at, self.extra(at, 1));
                self.reach(to, state.clone(), at)?;
                self.put(&mut state, a, at)?;
                return self.reach(next, state, at);
            }
            Op::IterNextTmp | Op::IterNextList | Op::IterNextRefTmp => {
                let to = self.target(at, self.extra(at, 1));
                self.reach(to, state.clone(), at)?;
                self.put(&mut state, b, at)?;
                if c != NONE {
                    self.put(&mut state, c, at)?;
                }
                return self.reach(next, state, at);
            }
            Op::New => {
                let offset = self.extra(at, 2) as u32;
                self.put(&mut state, a, at)?;
                if offset != 0 {
                    self.reach(self.target(at, offset as u64), state.clone(), at)?;
                }
                self.put(&mut state, b, at)?;
                return self.reach(next, state, at);
            }
            Op::Catch => {
                // The class did not match: the next clause; the last one unwinds instead.
                if b == 0 {
                    self.reach(self.target(at, self.extra(at, 2)), state.clone(), at)?;
                }
                return self.reach(next, state, at);
            }
            Op::FastCall => {
                self.reach(self.target(at, insn.bc() as u64), state.clone(), at)?;
                return self.reach(next, state, at);
            }
            Op::Switch => {
                if let Some(table) = self.f.switches.get(insn.bc() as usize) {
                    let targets: Vec<i32> =
                        table.ints.values().chain(table.strings.values()).copied().chain(table.default).collect();
                    for offset in targets {
                        self.reach(self.target(at, offset as u32 as u64), state.clone(), at)?;
                    }
                }
                return self.reach(next, state, at);
            }
            Op::ArgVar | Op::ArgVal | Op::ArgCall | Op::ArgUser => self.put(&mut state, a + FRAME_HEADER + b, at)?,
            Op::InitFn | Op::InitDyn | Op::InitUser | Op::InitMethod | Op::InitStaticCall | Op::InitMethodThis => {
                self.put(&mut state, a, at)?;
            }
            Op::Return | Op::ReturnReg | Op::ReturnLit | Op::ReturnMethodReg | Op::ReturnMethodLit | Op::ReturnRef | Op::GeneratorReturn => {
                if state != Set::new(self.f.registers) {
                    return Err(format!("{at}: returns with {:?}", state.names(self.f.first_temp)));
                }
                return Ok(());
            }
            Op::Throw | Op::ThrowError | Op::MatchError | Op::VerifyNever | Op::FastRet => return Ok(()),
            Op::Jmp | Op::Loop => return self.reach(self.target(at, insn.bc() as u64), state, at),
            _ => {}
        }
        let info = op.info();
        for (kind, value) in insn.operands() {
            if matches!(kind, Kind::D | Kind::R) || kind == Kind::Q && value != NONE {
                self.put(&mut state, value, at)?;
            }
        }
        for (n, kind) in info.ext.iter().enumerate() {
            let word = self.extra(at, n + 1);
            let packed = matches!(op, Op::AssignDimOp | Op::AssignDimOpCv | Op::AssignPropOp) && *kind == Kind::N;
            if (*kind == Kind::Q || packed) && word as u16 != NONE {
                self.put(&mut state, word as u16, at)?;
            }
            if *kind == Kind::J {
                self.reach(self.target(at, word), state.clone(), at)?;
            }
        }
        if info.b == Kind::bcJ {
            self.reach(self.target(at, insn.bc() as u64), state.clone(), at)?;
        }
        self.reach(next, state, at)
    }
}
