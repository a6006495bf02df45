//! Call and property sites that meet several classes.
//!
//! The inline cache of an instruction is one word: one class. What it loses when another class comes along is kept here, in a table of
//! the thread, by instruction and class: a cache word that was right for a class at an instruction stays right as long as the code
//! lives. When code goes ([`jumbo_bytecode::unit::retired`]), its addresses may be used again, so the whole table is forgotten.

use jumbo_bytecode::Insn;
use jumbo_bytecode::unit::retired;
use jumbo_value::PStr;
use jumbo_value::string::StrHeader;
use std::cell::RefCell;

const ENTRIES: usize = 4096;
const NAMED: usize = 512;

#[derive(Clone, Copy)]
struct Entry {
    at: usize,
    word: u64,
}

/// What an instruction found under a name that its code does not know.
#[derive(Clone, Copy)]
struct Named {
    at: usize,
    class: u32,
    index: u32,
    /// Immortal.
    name: *const StrHeader,
}

struct Sites {
    entries: Box<[Entry; ENTRIES]>,
    named: Box<[Named; NAMED]>,
    retired: u32,
}

impl Sites {
    fn new() -> Sites {
        Sites { entries: Box::new([NOTHING; ENTRIES]), named: Box::new([NO_NAME; NAMED]), retired: retired() }
    }
    fn forget_retired(&mut self) {
        let now = retired();
        if self.retired != now {
            self.entries.fill(NOTHING);
            self.named.fill(NO_NAME);
            self.retired = now;
        }
    }
}

const NOTHING: Entry = Entry { at: 0, word: 0 };
const NO_NAME: Named = Named { at: 0, class: 0, index: 0, name: std::ptr::null() };

thread_local! {
    static SITES: RefCell<Sites> = RefCell::new(Sites::new());
}

fn place(at: usize, class: u32) -> usize {
    ((at >> 3) ^ (class as usize).wrapping_mul(0x9e5)) % ENTRIES
}

/// Keeps the cache word of the cache at `at` for the class it speaks of.
pub fn keep(at: *const Insn, word: u64) {
    SITES.with_borrow_mut(|sites| {
        sites.forget_retired();
        sites.entries[place(at as usize, (word >> 32) as u32)] = Entry { at: at as usize, word };
    });
}

/// The word that the cache at `at` had for a class; 0: none is known.
#[inline(never)]
pub fn find(at: *const Insn, class: u32) -> u64 {
    SITES.with_borrow(|sites| {
        let entry = sites.entries[place(at as usize, class)];
        let right = entry.at == at as usize && (entry.word >> 32) as u32 == class && sites.retired == retired();
        if right { entry.word } else { 0 }
    })
}

/// Keeps what the instruction at `at` has found under `name`, a name of the class's own: a position in one of its tables.
pub fn keep_named(at: *const Insn, class: u32, name: &PStr, index: usize) {
    let Ok(index) = u32::try_from(index) else { return };
    if !name.is_immortal() {
        return;
    }
    SITES.with_borrow_mut(|sites| {
        sites.forget_retired();
        sites.named[place(at as usize, class) % NAMED] = Named { at: at as usize, class, index, name: name.as_ptr() };
    });
}

/// What the instruction at `at` found last time, if that was in this class under this name.
#[inline(never)]
pub fn find_named(at: *const Insn, class: u32, name: &PStr) -> Option<u32> {
    SITES.with_borrow(|sites| {
        let known = sites.named[place(at as usize, class) % NAMED];
        if known.at != at as usize || known.class != class || sites.retired != retired() {
            return None;
        }
        // SAFETY: the name that was kept is immortal, the other one is live.
        unsafe { jumbo_value::string::same_short(known.name, name.as_ptr()) }.filter(|same| *same).map(|_| known.index)
    })
}
