//! Persistent connections: leased from the executor's pool, given back at the end of the request.
//!
//! Within a request, equal data source, user, password and key give the same connection, as in PHP. Between requests it is reset
//! ([`Connection::park`]); attributes start anew.

use crate::connection::Db;
use crate::driver::Connection;
use jumbo_abi::{Cx, Res};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Connections of one key that an executor keeps.
const KEPT_PER_KEY: usize = 16;

thread_local! {
    static POOL: RefCell<HashMap<Vec<u8>, Vec<Rc<dyn Connection>>>> = RefCell::default();
}

/// The persistent connections of this instance.
#[derive(Default)]
struct Leased {
    by_key: Vec<(Vec<u8>, Rc<Db>)>,
}

/// What tells one persistent connection from another.
pub fn key(driver: &str, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = driver.as_bytes().to_vec();
    for part in parts {
        key.extend_from_slice(format!(":{}:", part.len()).as_bytes());
        key.extend_from_slice(part);
    }
    key
}

/// The connection that this request has already. One whose server has gone is forgotten.
pub fn leased(cx: &mut Cx, key: &[u8]) -> Option<Rc<Db>> {
    let db = cx.state::<Leased>().by_key.iter().find(|(k, _)| k == key).map(|(_, db)| db.clone())?;
    if db.connection.alive(cx) {
        return Some(db);
    }
    cx.state::<Leased>().by_key.retain(|(_, other)| !Rc::ptr_eq(other, &db));
    None
}

/// A connection of an earlier request whose server is still there.
pub fn take(cx: &mut Cx, key: &[u8]) -> Option<Rc<dyn Connection>> {
    loop {
        let connection = POOL.with(|p| p.borrow_mut().get_mut(key)?.pop())?;
        if connection.alive(cx) {
            return Some(connection);
        }
    }
}

pub fn keep(cx: &mut Cx, key: Vec<u8>, db: Rc<Db>) {
    cx.state::<Leased>().by_key.push((key, db));
}

/// Gives the request's connections back.
pub fn request_end(cx: &mut Cx) -> Res<()> {
    for (key, db) in std::mem::take(&mut cx.state::<Leased>().by_key) {
        drop(db.statement_class.take());
        if !db.connection.park(cx) {
            continue;
        }
        POOL.with(|p| {
            let mut pool = p.borrow_mut();
            let kept = pool.entry(key).or_default();
            if kept.len() < KEPT_PER_KEY {
                kept.push(db.connection.clone());
            }
        });
    }
    Ok(())
}
