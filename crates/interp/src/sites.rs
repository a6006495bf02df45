//! Call and property sites that meet several classes.
//!
//! The inline cache of an instruction is one word: one class. What it loses when another class comes along is kept here, in a table of
//! the thread, by instruction and class: a cache word that was right for a class at an instruction stays right as long as the code
//! lives. When code goes ([`jumbo_bytecode::unit::retired`]), its addresses may be used again, so the whole table is forgotten.

use jumbo_bytecode::Insn;
use jumbo_bytecode::unit::retired;
use std::cell::RefCell;

const ENTRIES: usize = 4096;

#[derive(Clone, Copy)]
struct Entry {
    at: usize,
    word: u64,
}

struct Sites {
    entries: Box<[Entry; ENTRIES]>,
    retired: u32,
}

const NOTHING: Entry = Entry { at: 0, word: 0 };

thread_local! {
    static SITES: RefCell<Sites> = RefCell::new(Sites { entries: Box::new([NOTHING; ENTRIES]), retired: retired() });
}

fn place(at: usize, class: u32) -> usize {
    ((at >> 3) ^ (class as usize).wrapping_mul(0x9e5)) % ENTRIES
}

/// Keeps the cache word of the cache at `at` for the class it speaks of.
pub fn keep(at: *const Insn, word: u64) {
    SITES.with_borrow_mut(|sites| {
        let now = retired();
        if sites.retired != now {
            sites.entries.fill(NOTHING);
            sites.retired = now;
        }
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
