//! Class mysqli_warning: the warnings of the last query, one after the other.

use crate::link::{Link, held, look, on};
use crate::properties;
use jumbo_abi::{ClassHooks, Cx, PObject, Res, Value};
use jumbo_ext_mysqlnd::packet::{ServerError, UNKNOWN_STATE};
use jumbo_ext_mysqlnd::result::{Fetched, ResultSet};
use jumbo_value::{HeapCharge, Native};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    uncloneable: true,
    properties: Some(|cx, object, purpose| properties::debug(cx, object, purpose, properties::WARNING, properties::read_warning)),
    prop_read: Some(properties::read_warning),
    prop_write: Some(|cx, object, name, _| properties::refuse_write(cx, object, name, properties::WARNING)),
    prop_has: Some(|cx, object, name, empty| properties::has(cx, object, name, empty, properties::read_warning)),
    ..ClassHooks::NONE
};

struct State {
    list: RefCell<Vec<ServerError>>,
    /// Counts their texts.
    charge: RefCell<HeapCharge>,
    at: Cell<usize>,
}

impl Native for State {}

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State { list: RefCell::default(), charge: RefCell::new(HeapCharge::none()), at: Cell::new(0) }));
    properties::hide(object, properties::WARNING.len() as u32);
    Ok(())
}

/// The warning at which the object stands.
pub fn current(object: &PObject) -> Option<ServerError> {
    let state = object.native::<State>()?;
    state.list.borrow().get(state.at.get()).cloned()
}

/// Asks the server for the warnings of the last query: an object, or false when there are none.
pub fn of_link(cx: &mut Cx, link: &Rc<Link>) -> Res<Value> {
    if look(&link.shared, |c| c.outcome.warnings == 0).unwrap_or(true) {
        return Ok(Value::FALSE);
    }
    let (mut list, mut charge, mut bytes) = (Vec::new(), HeapCharge::none(), 0);
    let set = on(cx, &link.shared, None, |cx, c| {
        if !c.query(cx, b"SHOW WARNINGS")? {
            return Ok(None);
        }
        ResultSet::store(cx, c)
    })?;
    let Some(mut set) = set else { return Ok(Value::FALSE) };
    while let Fetched::Row(values) = set.fetch(cx)? {
        // Level, number, text.
        let code = values.get(1).map_or(0, jumbo_value::convert::to_int);
        bytes += size_of::<ServerError>() + values.get(2).and_then(|v| v.as_str()).map_or(0, |s| s.len());
        charge.resize(bytes)?;
        let message = values.get(2).and_then(|v| v.as_str().map(|s| s.as_bytes().to_vec())).unwrap_or_default();
        list.push(ServerError { code: u32::try_from(code).unwrap_or(0), state: UNKNOWN_STATE, message });
    }
    if list.is_empty() {
        return Ok(Value::FALSE);
    }
    let class = cx.builtin_class(b"mysqli_warning");
    let object = cx.new_object(class)?;
    if let Some(state) = object.native::<State>() {
        state.list.replace(list);
        drop(state.charge.replace(charge));
    }
    Ok(Value::from(object))
}

/// Only the extension makes such objects.
pub fn __construct(_cx: &mut Cx, _this: &PObject) -> Res<()> {
    Ok(())
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let state = this.native::<State>();
    let state = held(cx, this, state)?;
    let more = state.at.get() + 1 < state.list.borrow().len();
    if more {
        state.at.set(state.at.get() + 1);
    }
    Ok(more)
}
