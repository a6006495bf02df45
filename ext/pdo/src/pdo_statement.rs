//! The class PDOStatement.

use crate::driver::{Orientation, ParamType};
use crate::error::{LastError, raise};
use crate::fetch::{self, FetchConfig};
use crate::parameters::{self, BoundColumn, Called};
use crate::statement::{self, Binding, StatementState, Stmt};
use crate::connection::settled;
use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{ClassHooks, Cx, KeyRef, OrFalse, PArray, PObject, PRef, PStr, Res, Value};
use jumbo_value::{Native, PStrBuilder};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub static HOOKS: ClassHooks =
    ClassHooks { create: Some(create), uncloneable: true, iterate: Some(iterate), ..ClassHooks::NONE };

/// Slot of `$queryString`.
pub const QUERY_STRING: u32 = 0;

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(StatementState::default()));
    Ok(())
}

fn start(cx: &mut Cx, this: &PObject) -> Res<Rc<Stmt>> {
    let s = statement::of(cx, this)?;
    LastError::clear(&s.error);
    Ok(s)
}

pub fn bind_column(
    cx: &mut Cx,
    this: &PObject,
    column: &Value,
    variable: &PRef,
    kind: i64,
    _max_length: i64,
    _options: Option<&Value>,
) -> Res<bool> {
    let s = statement::of(cx, this)?;
    let (position, name) = match parameters::called(cx, column)? {
        Called::Number(n) => (Some(n), None),
        Called::Name(name) => {
            let names = s.names();
            let found = names.iter().position(|n| n.as_bytes() == name.as_bytes());
            if found.is_none() && !names.is_empty() {
                let text = [b"Did not find column name '".as_slice(), name.as_bytes(), b"' in the defined columns; it will not be bound"];
                raise(cx, &s.db, &s.error, *b"HY000", text.concat())?;
            }
            (found, Some(name))
        }
    };
    let new = BoundColumn { position, name, target: Value::from(variable.clone()), kind: ParamType::of(kind) };
    let old = {
        let mut bound = s.bound_columns.borrow_mut();
        let same = bound.iter().position(|b| match (&b.name, &new.name) {
            (Some(a), Some(b)) => a.as_bytes() == b.as_bytes(),
            (None, None) => b.position == new.position,
            _ => false,
        });
        match same {
            Some(at) => Some(std::mem::replace(&mut bound[at], new)),
            None => {
                bound.push(new);
                None
            }
        }
    };
    drop(old);
    Ok(true)
}

pub fn bind_param(
    cx: &mut Cx,
    this: &PObject,
    param: &Value,
    variable: &PRef,
    kind: i64,
    max_length: i64,
    options: Option<&Value>,
) -> Res<bool> {
    let s = statement::of(cx, this)?;
    let called = parameters::called(cx, param)?;
    parameters::bind(cx, &s, called, Value::from(variable.clone()), kind, max_length, options.cloned().unwrap_or_default())
}

pub fn bind_value(cx: &mut Cx, this: &PObject, param: &Value, value: &Value, kind: i64) -> Res<bool> {
    let s = statement::of(cx, this)?;
    let called = parameters::called(cx, param)?;
    parameters::bind(cx, &s, called, value.copy_deref(), kind, 0, Value::null())
}

pub fn close_cursor(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let s = start(cx, this)?;
    let answer = s.driver.close_cursor(cx);
    let done = settled(cx, &s.db, &s.error, answer)?.is_some();
    if done {
        s.executed.set(false);
    }
    Ok(done)
}

pub fn column_count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(statement::of(cx, this)?.names().len() as i64)
}

pub fn debug_dump_params(cx: &mut Cx, this: &PObject) -> Res<Option<bool>> {
    let s = statement::of(cx, this)?;
    let mut text = PStrBuilder::new();
    write!(text, "SQL: [{}] ", s.query.len())?;
    text.extend(&s.query)?;
    text.push(b'\n')?;
    if let Some(sent) = s.sent.borrow().as_ref() {
        write!(text, "Sent SQL: [{}] ", sent.len())?;
        text.extend(sent.as_bytes())?;
        text.push(b'\n')?;
    }
    {
        let bound = s.parameters.borrow();
        write!(text, "Params:  {}\n", bound.len())?;
        for b in bound.iter() {
            let name = b.parameter.name.as_ref().map(PStr::as_bytes).unwrap_or_default();
            match &b.parameter.name {
                Some(_) => {
                    write!(text, "Key: Name: [{}] ", name.len())?;
                    text.extend(name)?;
                    text.push(b'\n')?;
                }
                None => write!(text, "Key: Position #{}:\n", b.number)?,
            }
            let number = b.parameter.position.map_or(-1, |p| p as i64);
            write!(text, "paramno={number}\nname=[{}] \"", name.len())?;
            text.extend(name)?;
            write!(text, "\"\nis_param=1\nparam_type={}\n", b.parameter.type_number)?;
        }
    }
    cx.write(&text)?;
    Ok(None)
}

pub fn error_code(cx: &mut Cx, this: &PObject) -> Res<Option<PStr>> {
    let s = statement::of(cx, this)?;
    let state = s.error.borrow().state;
    Ok(state.map(|s| PStr::new(&s)))
}

pub fn error_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let s = statement::of(cx, this)?;
    let info = s.error.borrow().info();
    Ok(info)
}

pub fn execute(cx: &mut Cx, this: &PObject, params: Option<&PArray>) -> Res<bool> {
    let s = start(cx, this)?;
    if let Some(params) = params {
        let old = s.parameters.take();
        drop(old);
        for (key, value) in params {
            let called = match key {
                KeyRef::Str(name) => Called::Name(name.clone()),
                KeyRef::Int(n) => match usize::try_from(n) {
                    Ok(n) => Called::Number(n),
                    Err(_) => {
                        raise(cx, &s.db, &s.error, *b"HY093", "")?;
                        return Ok(false);
                    }
                },
            };
            if !parameters::bind(cx, &s, called, value.copy_deref(), 2, 0, Value::null())? {
                return Ok(false);
            }
        }
    }
    statement::execute(cx, &s)
}

pub fn fetch(cx: &mut Cx, this: &PObject, mode: i64, orientation: i64, offset: i64) -> Res<OrFalse<Value>> {
    let s = start(cx, this)?;
    let own = s.fetch.borrow().clone();
    fetch::check_mode(cx, own.mode, mode, 1, false)?;
    let given;
    let config: &FetchConfig = match mode & 0xFFFF {
        fetch::DEFAULT => &own,
        // A class, object or column that was set stays.
        fetch::CLASS | fetch::INTO | fetch::COLUMN => {
            given = FetchConfig { mode, ..FetchConfig::clone(&own) };
            &given
        }
        _ => {
            given = FetchConfig { mode, ..FetchConfig::default() };
            &given
        }
    };
    let orientation = match orientation {
        1 => Orientation::Prior,
        2 => Orientation::First,
        3 => Orientation::Last,
        4 => Orientation::Absolute,
        5 => Orientation::Relative,
        _ => Orientation::Next,
    };
    if !fetch::prepare(cx, &s, config)? {
        fetch::report_again(cx, &s)?;
        return Ok(OrFalse::FALSE);
    }
    match fetch::row(cx, &s, config, orientation, offset, false)? {
        Some(row) => Ok(OrFalse(Some(row.value))),
        None => {
            fetch::report_again(cx, &s)?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn fetch_all(cx: &mut Cx, this: &PObject, mode: i64, args: &[Value]) -> Res<PArray> {
    let s = start(cx, this)?;
    fetch::all(cx, &s, mode, args)
}

pub fn fetch_column(cx: &mut Cx, this: &PObject, column: i64) -> Res<OrFalse<Value>> {
    let s = start(cx, this)?;
    // A negative number is only found out when there is a row.
    let config = FetchConfig { mode: fetch::ASSOC, ..FetchConfig::default() };
    let bound = FetchConfig { mode: fetch::BOUND, ..config };
    if fetch::row(cx, &s, &bound, Orientation::Next, 0, false)?.is_none() {
        return Ok(OrFalse::FALSE);
    }
    let Ok(n) = usize::try_from(column) else {
        return Err(cx.value_error("Column index must be greater than or equal to 0"));
    };
    if n >= s.names().len() {
        return Err(cx.value_error("Invalid column index"));
    }
    fetch::column(cx, &s, n, None).map(|v| OrFalse(Some(v)))
}

pub fn fetch_object(cx: &mut Cx, this: &PObject, class: Option<&PStr>, args: &PArray) -> Res<OrFalse<Value>> {
    let s = start(cx, this)?;
    let class = match class {
        None => cx.builtin_class(b"stdclass"),
        Some(name) => match cx.find_class(name.as_bytes(), true)? {
            Some(class) => class,
            None => return Err(cx.arg_type_error(1, "must be a valid class name, ".to_owned() + &name.to_string_lossy() + " given")),
        },
    };
    let args = if args.is_empty() { Value::null() } else { Value::from(fetch::positional(args)) };
    let config = FetchConfig { mode: fetch::CLASS, class: Some(class), args, ..FetchConfig::default() };
    if !fetch::prepare(cx, &s, &config)? {
        return Ok(OrFalse::FALSE);
    }
    Ok(OrFalse(fetch::row(cx, &s, &config, Orientation::Next, 0, false)?.map(|r| r.value)))
}

pub fn get_attribute(cx: &mut Cx, this: &PObject, name: i64) -> Res<Value> {
    let s = start(cx, this)?;
    let answer = s.driver.attribute(cx, name);
    match settled(cx, &s.db, &s.error, answer)? {
        Some(Some(value)) => return Ok(value),
        Some(None) => {}
        None => return Ok(Value::from(false)),
    }
    if name == crate::attributes::EMULATE_PREPARES {
        return Ok(Value::from(matches!(s.binding, Binding::Emulated(_))));
    }
    let text = if s.driver.has_attributes() { "driver doesn't support getting that attribute" } else { "This driver doesn't support getting attributes" };
    raise(cx, &s.db, &s.error, *b"IM001", text)?;
    Ok(Value::from(false))
}

pub fn set_attribute(cx: &mut Cx, this: &PObject, attribute: i64, value: &Value) -> Res<bool> {
    let s = start(cx, this)?;
    let answer = s.driver.set_attribute(cx, attribute, value);
    match settled(cx, &s.db, &s.error, answer)? {
        Some(Some(done)) => Ok(done),
        Some(None) => {
            raise(cx, &s.db, &s.error, *b"IM001", "This driver doesn't support setting attributes")?;
            Ok(false)
        }
        None => Ok(false),
    }
}

pub fn get_column_meta(cx: &mut Cx, this: &PObject, column: i64) -> Res<OrFalse<PArray>> {
    let s = statement::of(cx, this)?;
    let Ok(n) = usize::try_from(column) else {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    };
    LastError::clear(&s.error);
    if s.names().is_empty() {
        return Ok(OrFalse::FALSE);
    }
    let answer = s.driver.column_meta(cx, n);
    let Some(Some(mut meta)) = settled(cx, &s.db, &s.error, answer)? else { return Ok(OrFalse::FALSE) };
    let names = s.names();
    if let Some(name) = names.get(n) {
        let (len, precision) = s.driver.column_size(n);
        meta.set_sym(b"name", name.name.clone());
        meta.set_sym(b"len", len);
        meta.set_sym(b"precision", precision);
    }
    Ok(OrFalse(Some(meta)))
}

pub fn next_rowset(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let s = statement::of(cx, this)?;
    if !s.driver.has_rowsets() {
        raise(cx, &s.db, &s.error, *b"IM001", "driver does not support multiple rowsets")?;
        return Ok(false);
    }
    LastError::clear(&s.error);
    statement::next_rowset(cx, &s)
}

pub fn row_count(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(statement::of(cx, this)?.rows.get())
}

pub fn set_fetch_mode(cx: &mut Cx, this: &PObject, mode: i64, args: &[Value]) -> Res<bool> {
    let s = start(cx, this)?;
    fetch::set_mode(cx, &s, mode, args, 1)?;
    Ok(true)
}

pub fn get_iterator(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let native = iterate(cx, this, false)?;
    Ok(cx.engine().internal_iterator(cx, native))
}

/// `foreach` over a statement: the rows that are left, in its own mode.
struct Rows {
    /// The statement's object.
    statement: Value,
    row: RefCell<Option<Value>>,
    key: Cell<i64>,
}

impl Native for Rows {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.statement);
        if let Ok(row) = self.row.try_borrow()
            && let Some(row) = &*row
        {
            visit(row);
        }
    }
    fn clear(&mut self) {
        drop(self.statement.take());
        drop(self.row.take());
    }
}

fn iterate(cx: &mut Cx, this: &PObject, by_ref: bool) -> Res<Box<dyn NativeIterator>> {
    if by_ref {
        return Err(cx.throw_error("An iterator cannot be used with foreach by reference"));
    }
    statement::of(cx, this)?;
    Ok(Box::new(Rows { statement: Value::from(this.clone()), row: RefCell::default(), key: Cell::new(-1) }))
}

impl Rows {
    fn step(&self, cx: &mut Cx) -> Res<()> {
        let Some(object) = self.statement.as_object().cloned() else { return Ok(()) };
        let old = self.row.take();
        drop(old);
        let s = statement::of(cx, &object)?;
        LastError::clear(&s.error);
        let config = s.fetch.borrow().clone();
        let row = match fetch::prepare(cx, &s, &config)? {
            true => fetch::row(cx, &s, &config, Orientation::Next, 0, false)?,
            false => None,
        };
        if row.is_none() {
            fetch::report_again(cx, &s)?;
        }
        self.key.set(self.key.get() + 1);
        *self.row.borrow_mut() = row.map(|r| r.value);
        Ok(())
    }
}

impl NativeIterator for Rows {
    fn rewind(&self, cx: &mut Cx) -> Res<()> {
        // A statement goes on where it is: its first row is fetched once.
        if self.key.get() >= 0 { Ok(()) } else { self.step(cx) }
    }
    fn valid(&self, _cx: &mut Cx) -> Res<bool> {
        Ok(self.row.borrow().is_some())
    }
    fn current(&self, _cx: &mut Cx) -> Res<Value> {
        Ok(self.row.borrow().clone().unwrap_or_default())
    }
    fn key(&self, _cx: &mut Cx) -> Res<Value> {
        Ok(if self.row.borrow().is_some() { Value::from(self.key.get()) } else { Value::null() })
    }
    fn next(&self, cx: &mut Cx) -> Res<()> {
        self.step(cx)
    }
}
