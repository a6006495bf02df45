//! The class APCUIterator: the entries that there were when it was made.

use crate::apcu::enabled;
use crate::cache::cache;
use crate::stored::Stored;
use jumbo_abi::{ClassHooks, Cx, PArray, PObject, PStr, Res, Value};
use jumbo_value::{HeapCharge, Native};
use std::cell::{Cell, RefCell};
use std::collections::HashSet;

pub static HOOKS: ClassHooks = ClassHooks { create: Some(create), uncloneable: true, ..ClassHooks::NONE };

/// Bits of the format.
mod format {
    pub const TYPE: i64 = 1;
    pub const KEY: i64 = 2;
    pub const VALUE: i64 = 4;
    pub const NUM_HITS: i64 = 8;
    pub const MTIME: i64 = 16;
    pub const CTIME: i64 = 32;
    pub const DTIME: i64 = 64;
    pub const ATIME: i64 = 128;
    pub const REFCOUNT: i64 = 256;
    pub const MEM_SIZE: i64 = 512;
    pub const TTL: i64 = 1024;
}

const LIST_ACTIVE: i64 = 1;
const LIST_DELETED: i64 = 2;

/// One entry as it was.
struct Item {
    key: Vec<u8>,
    value: Stored,
    hits: i64,
    modified: i64,
    created: i64,
    accessed: i64,
    bytes: i64,
    ttl: i64,
}

#[derive(Default)]
struct State {
    ready: Cell<bool>,
    format: Cell<i64>,
    /// Of deleted entries there are none.
    deleted: Cell<bool>,
    items: RefCell<Vec<Item>>,
    charge: RefCell<HeapCharge>,
    at: Cell<usize>,
}

impl Native for State {}

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::<State>::default());
    Ok(())
}

/// The state of an iterator whose constructor has run.
fn state<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o State> {
    match this.native::<State>().filter(|state| state.ready.get()) {
        Some(state) => Ok(state),
        None => Err(cx.throw_error("Trying to use uninitialized APCUIterator")),
    }
}

/// Tells `each` the keys that an iterator goes over. False: the object is none.
pub fn each_key(object: &PObject, mut each: impl FnMut(&[u8])) -> bool {
    let Some(state) = object.native::<State>() else { return false };
    state.items.borrow().iter().for_each(|item| each(&item.key));
    true
}

/// The entries that the search is for, and their charge.
fn search_for(cx: &mut Cx, search: Option<&Value>) -> Res<(Vec<Item>, HeapCharge)> {
    let search = search.map(Value::copy_deref);
    let mut charge = HeapCharge::none();
    let (mut bytes, mut charged) = (0, Ok(()));
    let found = cache().collect(|key, entry| {
        bytes += key.len() + size_of::<Item>();
        charged = charged.and_then(|()| charge.resize(bytes));
        charged.ok()?;
        Some(Item {
            key: key.to_vec(),
            value: entry.value.clone(),
            hits: entry.hits as i64,
            modified: entry.modified,
            created: entry.created,
            accessed: entry.accessed,
            bytes: entry.bytes as i64,
            ttl: entry.ttl,
        })
    });
    charged?;
    let mut items: Vec<Item> = found.into_iter().flatten().collect();
    if let Some(list) = search.as_ref().and_then(Value::as_array) {
        let _names = HeapCharge::for_vec::<(&[u8], usize)>(list.len())?;
        let wanted: HashSet<&[u8]> = list.values().filter_map(|v| v.deref().as_bytes()).collect();
        items.retain(|item| wanted.contains(item.key.as_slice()));
    } else if let Some(pattern) = search.as_ref().and_then(Value::as_str).filter(|pattern| !pattern.is_empty()) {
        let mut matching = Vec::new();
        for item in items {
            let arguments = [Value::from(pattern.clone()), Value::from(PStr::new(&item.key))];
            let matched = cx.call_builtin("preg_match", &arguments)?;
            if matched.is_false() {
                let text = [b"APCUIterator::__construct(): Could not compile regular expression: ".as_slice(), pattern.as_bytes()];
                return Err(cx.fatal(&text));
            }
            if matched.as_int() == Some(1) {
                matching.push(item);
            }
        }
        items = matching;
    }
    items.shrink_to_fit();
    charge.resize(items.iter().map(|item| item.key.len() + size_of::<Item>()).sum())?;
    Ok((items, charge))
}

pub fn __construct(cx: &mut Cx, this: &PObject, search: Option<&Value>, format: i64, chunk_size: i64, list: i64) -> Res<()> {
    if !enabled(cx) {
        return Err(cx.throw_error("APC must be enabled to use APCUIterator"));
    }
    if chunk_size < 0 {
        return Err(cx.fatal(b"APCUIterator::__construct(): APCUIterator chunk size must be 0 or greater"));
    }
    if list != LIST_ACTIVE && list != LIST_DELETED {
        cx.warning("APCUIterator invalid list type")?;
        return Ok(());
    }
    let (items, charge) = search_for(cx, search)?;
    let Some(state) = this.native::<State>() else { return Ok(()) };
    state.items.replace(items);
    *state.charge.borrow_mut() = charge;
    state.format.set(format);
    state.deleted.set(list == LIST_DELETED);
    state.at.set(0);
    state.ready.set(true);
    Ok(())
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    state(cx, this)?.at.set(0);
    Ok(())
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    let state = state(cx, this)?;
    state.at.set(state.at.get().saturating_add(1));
    Ok(())
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let state = state(cx, this)?;
    Ok(!state.deleted.get() && state.at.get() < state.items.borrow().len())
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<Value> {
    if !valid(cx, this)? {
        return Err(cx.throw_error("Cannot call key() on invalid iterator"));
    }
    let state = state(cx, this)?;
    let key = state.items.borrow().get(state.at.get()).map(|item| PStr::new(&item.key));
    Ok(key.map_or_else(Value::null, Value::from))
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    if !valid(cx, this)? {
        return Err(cx.throw_error("Cannot call current() on invalid iterator"));
    }
    let state = state(cx, this)?;
    let wanted = state.format.get();
    let mut out = PArray::new();
    let value = {
        let items = state.items.borrow();
        let Some(item) = items.get(state.at.get()) else { return Ok(Value::null()) };
        if wanted & format::TYPE != 0 {
            out.set_bytes(b"type", "user");
        }
        if wanted & format::KEY != 0 {
            out.set_bytes(b"key", PStr::new(&item.key));
        }
        // Its place; the value itself may run PHP code.
        if wanted & format::VALUE != 0 {
            out.set_bytes(b"value", Value::null());
        }
        for (bit, name, number) in [
            (format::NUM_HITS, "num_hits", item.hits),
            (format::MTIME, "mtime", item.modified),
            (format::CTIME, "creation_time", item.created),
            (format::DTIME, "deletion_time", 0),
            (format::ATIME, "access_time", item.accessed),
            (format::REFCOUNT, "ref_count", 0),
            (format::MEM_SIZE, "mem_size", item.bytes),
            (format::TTL, "ttl", item.ttl),
        ] {
            if wanted & bit != 0 {
                out.set_bytes(name.as_bytes(), number);
            }
        }
        item.value.clone()
    };
    if wanted & format::VALUE != 0 {
        let value = value.value(cx)?;
        out.set_bytes(b"value", value);
    }
    Ok(Value::from(out))
}

fn total(cx: &mut Cx, this: &PObject, of: impl Fn(&Item) -> i64) -> Res<i64> {
    let state = state(cx, this)?;
    Ok(state.items.borrow().iter().map(of).sum())
}

pub fn get_total_hits(cx: &mut Cx, this: &PObject) -> Res<i64> {
    total(cx, this, |item| item.hits)
}

pub fn get_total_size(cx: &mut Cx, this: &PObject) -> Res<i64> {
    total(cx, this, |item| item.bytes)
}

pub fn get_total_count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    total(cx, this, |_| 1)
}
