//! PDORow: the current row of a statement, whose columns are read when they are asked for (`PDO::FETCH_LAZY`).

use crate::fetch;
use crate::statement::Stmt;
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassHooks, Cx, Key, PArray, PObject, PStr, Res, Value, View};
use jumbo_value::Native;
use std::rc::Rc;

pub static HOOKS: ClassHooks = ClassHooks {
    not_instantiable: None,
    create: Some(create),
    uncloneable: true,
    dim_read: Some(dim_read),
    dim_write: Some(dim_write),
    dim_has: Some(dim_has),
    dim_unset: Some(dim_unset),
    prop_read: Some(prop_read),
    prop_write: Some(prop_write),
    prop_has: Some(prop_has),
    prop_unset: Some(prop_unset),
    prop_place: Some(prop_place),
    properties: Some(properties),
    ..ClassHooks::NONE
};

/// The statement's text: no column, whatever the columns are called.
const QUERY_STRING: &[u8] = b"queryString";

/// The statement's values are reported by its own object; the row keeps only the driver's side of it.
struct RowState {
    stmt: Rc<Stmt>,
}

impl Native for RowState {}

fn create(cx: &mut Cx, _object: &PObject) -> Res<()> {
    if std::mem::take(&mut cx.state::<Making>().0) {
        return Ok(());
    }
    Err(crate::error::plain(cx, "You may not create a PDORow manually"))
}

/// A row is being made by a fetch.
#[derive(Default)]
struct Making(bool);

/// The row of a statement.
pub fn of(cx: &mut Cx, s: &Rc<Stmt>) -> Res<PObject> {
    let class = cx.builtin_class(b"pdorow");
    cx.state::<Making>().0 = true;
    let object = cx.new_object(class)?;
    // A new object has no state yet.
    let _ = object.set_native(Box::new(RowState { stmt: s.clone() }));
    Ok(object)
}

fn stmt(this: &PObject) -> Option<Rc<Stmt>> {
    this.native::<RowState>().map(|r| r.stmt.clone())
}

/// A column by its number (also as text) or name; `queryString` is the statement's text.
fn read(cx: &mut Cx, this: &PObject, offset: &Value) -> Res<Option<Value>> {
    let Some(s) = stmt(this) else { return Ok(None) };
    let names = s.names();
    let number = match offset.view_deref() {
        View::Int(i) => Some(i),
        View::Str(t) => jumbo_value::string::numeric_key(t.as_bytes()),
        _ => None,
    };
    if let Some(number) = number {
        return match usize::try_from(number) {
            Ok(n) if n < names.len() => fetch::column(cx, &s, n, None).map(Some),
            _ => Ok(None),
        };
    }
    let name = cx.to_string(offset)?;
    if name.as_bytes() == QUERY_STRING {
        return Ok(Some(Value::from(s.query.clone())));
    }
    match names.iter().position(|n| n.as_bytes() == name.as_bytes()) {
        Some(n) => fetch::column(cx, &s, n, None).map(Some),
        None => Ok(None),
    }
}

fn dim_read(cx: &mut Cx, this: &PObject, offset: Option<&Value>) -> Res<Value> {
    match offset {
        Some(offset) => Ok(read(cx, this, offset)?.unwrap_or_default()),
        None => Err(cx.throw_error("Cannot append to PDORow offset")),
    }
}

fn dim_write(cx: &mut Cx, _this: &PObject, offset: Option<&Value>, _value: &Value) -> Res<()> {
    Err(cx.throw_error(if offset.is_some() { "Cannot write to PDORow offset" } else { "Cannot append to PDORow offset" }))
}

fn has(cx: &mut Cx, this: &PObject, offset: &Value, empty: bool) -> Res<bool> {
    let out_of_range = |s: &Stmt, n: i64| usize::try_from(n).map_or(true, |n| n >= s.names().len());
    let number = match offset.view_deref() {
        View::Int(i) => Some(i),
        View::Str(t) => jumbo_value::string::numeric_key(t.as_bytes()),
        _ => None,
    };
    if let (Some(n), Some(s)) = (number, stmt(this))
        && out_of_range(&s, n)
    {
        return Ok(false);
    }
    if offset.deref().as_bytes() == Some(QUERY_STRING) {
        return Ok(false);
    }
    let value = read(cx, this, offset)?.unwrap_or_default();
    Ok(if empty { jumbo_value::convert::to_bool(&value) } else { !value.is_null() })
}

fn dim_has(cx: &mut Cx, this: &PObject, offset: &Value, empty: bool) -> Res<bool> {
    has(cx, this, offset, empty)
}

fn dim_unset(cx: &mut Cx, _this: &PObject, _offset: &Value) -> Res<()> {
    Err(cx.throw_error("Cannot unset PDORow offset"))
}

fn prop_read(cx: &mut Cx, this: &PObject, name: &[u8]) -> Res<Option<Value>> {
    Ok(Some(read(cx, this, &Value::bytes(name))?.unwrap_or_default()))
}

fn prop_write(cx: &mut Cx, _this: &PObject, _name: &[u8], _value: &Value) -> Res<bool> {
    Err(cx.throw_error("Cannot write to PDORow property"))
}

fn prop_has(cx: &mut Cx, this: &PObject, name: &[u8], empty: bool) -> Res<Option<bool>> {
    has(cx, this, &Value::bytes(name), empty).map(Some)
}

/// What is written into is a copy.
fn prop_place(cx: &mut Cx, this: &PObject, name: &[u8]) -> Res<Option<Value>> {
    prop_read(cx, this, name)
}

fn prop_unset(cx: &mut Cx, _this: &PObject, _name: &[u8]) -> Res<bool> {
    Err(cx.throw_error("Cannot unset PDORow property"))
}

fn properties(cx: &mut Cx, this: &PObject, purpose: Purpose) -> Res<Option<PArray>> {
    let mut table = PArray::new();
    if purpose != Purpose::Debug {
        return Ok(Some(table));
    }
    let Some(s) = stmt(this) else { return Ok(Some(table)) };
    table.set(Key::Str(PStr::new(QUERY_STRING)), Value::from(s.query.clone()));
    for (n, name) in s.names().iter().enumerate().filter(|(_, name)| name.as_bytes() != QUERY_STRING) {
        let value = fetch::column(cx, &s, n, None)?;
        table.set(Key::Str(name.name.clone()), value);
    }
    Ok(Some(table))
}
