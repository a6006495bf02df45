//! Persistent connections: those that nobody uses now, by what they were opened with.
//!
//! Each executor thread keeps its own, so that a connection never crosses threads and is leased to one instance at a time. A connection comes
//! back without anything of the instance that used it (rows that it did not read are skipped by the next one), and is checked (and reset by the borrower) before it is used again.
//!
//! Connections to one server could be bounded process-wide here: a borrower would wait in [`take`], through `cx.wait`, until another thread
//! gives one back, with a time limit.

use crate::connection::{Connection, Shared};
use std::cell::RefCell;
use std::collections::HashMap;

/// What one thread keeps for one key at most: servers close what is idle for too long anyway.
const IDLE_MAX: usize = 64;

thread_local! {
    static IDLE: RefCell<HashMap<Vec<u8>, Vec<Connection>>> = RefCell::default();
}

/// A connection that is open still, if there is one.
pub fn take(key: &[u8]) -> Option<Connection> {
    IDLE.with(|idle| {
        let mut idle = idle.borrow_mut();
        let list = idle.get_mut(key)?;
        while let Some(connection) = list.pop() {
            if !connection.is_stale() {
                return Some(connection);
            }
        }
        None
    })
}

/// Gives a connection back, when nobody else holds it and it can be used again; otherwise it is closed.
pub fn give_back(key: &[u8], shared: Shared) {
    let Ok(cell) = std::rc::Rc::try_unwrap(shared) else { return };
    let mut connection = cell.into_inner();
    connection.forget_instance();
    if !connection.is_reusable() || connection.is_stale() {
        return;
    }
    // At the end of a thread there is nobody left to use it.
    let _ = IDLE.try_with(|idle| {
        let mut idle = idle.borrow_mut();
        let list = idle.entry(key.to_vec()).or_default();
        if list.len() < IDLE_MAX {
            list.push(connection);
        }
    });
}

/// How many connections wait here.
pub fn idle_count() -> usize {
    IDLE.with(|idle| idle.borrow().values().map(Vec::len).sum())
}
