//! Class mysqli_result, and the functions that take such an object first.

use crate::link::{arg, bare_warning, held, link, look, on, raise_warnings, report_info, text};
use crate::mysqli;
use crate::properties;
use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{ClassHooks, Cx, OrFalse, PArray, PObject, Res, Value, View, class_flags};
use jumbo_ext_mysqlnd::result::{Column, Columns, Fetched, ResultSet, row_array};
use jumbo_value::Native;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    uncloneable: true,
    properties: Some(|cx, object, purpose| properties::debug(cx, object, purpose, properties::RESULT, properties::read_result)),
    prop_read: Some(properties::read_result),
    prop_write: Some(|cx, object, name, _| properties::refuse_write(cx, object, name, properties::RESULT)),
    prop_has: Some(|cx, object, name, empty| properties::has(cx, object, name, empty, properties::read_result)),
    iterate: Some(iterate),
    ..ClassHooks::NONE
};

/// The native state: none when it is not constructed or was freed.
#[derive(Default)]
struct State {
    set: RefCell<Option<ResultSet>>,
    /// The connection of an unbuffered result: its error is why a row cannot be fetched.
    connection: RefCell<Option<jumbo_ext_mysqlnd::connection::Shared>>,
}

impl Native for State {}

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State::default()));
    properties::hide(object, properties::RESULT.len() as u32);
    Ok(())
}

pub fn new_object(cx: &mut Cx, set: ResultSet) -> Res<PObject> {
    let class = cx.builtin_class(b"mysqli_result");
    let object = cx.new_object(class)?;
    put(&object, set);
    Ok(object)
}

fn put(object: &PObject, set: ResultSet) {
    if let Some(state) = object.native::<State>() {
        state.connection.replace(set.connection().cloned());
        let before = state.set.replace(Some(set));
        drop(before);
    }
}

/// Something of the result; `None`: there is none.
pub fn looked_at<T>(object: &PObject, ask: impl FnOnce(&ResultSet) -> T) -> Option<T> {
    let set = object.native::<State>()?.set.try_borrow().ok()?;
    set.as_ref().map(ask)
}

/// Works with the result, or an Error when there is none.
fn with<T>(cx: &mut Cx, object: &PObject, work: impl FnOnce(&mut Cx, &mut ResultSet) -> Res<T>) -> Res<T> {
    let state = object.native::<State>();
    let mut guard = state.and_then(|s| s.set.try_borrow_mut().ok());
    match guard.as_mut().and_then(|g| g.as_mut()) {
        Some(set) => work(cx, set),
        None => {
            drop(guard);
            held(cx, object, None)
        }
    }
}

pub fn __construct(cx: &mut Cx, this: &PObject, mysql: &PObject, result_mode: i64) -> Res<()> {
    let link = link(cx, mysql)?;
    let set = match result_mode {
        0 => on(cx, &link.shared, None, ResultSet::store)?,
        1 => ResultSet::use_rows(&link.shared),
        _ => return Err(cx.arg_value_error(2, "must be either MYSQLI_STORE_RESULT or MYSQLI_USE_RESULT")),
    };
    match set {
        Some(set) => {
            put(this, set);
            Ok(())
        }
        None => mysqli::report_no_result(cx, &link),
    }
}

pub fn free(cx: &mut Cx, this: &PObject) -> Res<()> {
    let taken = this.native::<State>().and_then(|s| s.set.try_borrow_mut().ok()?.take());
    let mut set = held(cx, this, taken)?;
    set.finish(cx)
}
pub fn close(cx: &mut Cx, this: &PObject) -> Res<()> {
    free(cx, this)
}
pub fn free_result(cx: &mut Cx, this: &PObject) -> Res<()> {
    free(cx, this)
}

// ---- rows

/// The next row's values, with its columns. `Err`: what a fetching function returns instead.
fn next(cx: &mut Cx, this: &PObject) -> Res<Result<(Rc<Columns>, Vec<Value>), Value>> {
    let (fetched, columns) = with(cx, this, |cx, set| {
        let columns = set.columns.clone();
        set.fetch(cx).map(|f| (f, columns))
    })?;
    Ok(match fetched {
        Fetched::Row(values) => Ok((columns, values)),
        Fetched::End => Err(Value::null()),
        Fetched::Failed => {
            let shared = this.native::<State>().and_then(|s| s.connection.borrow().clone());
            if let Some(shared) = shared {
                raise_warnings(cx, &shared)?;
                if let Some(error) = look(&shared, |c| c.error.clone()) {
                    report_info(cx, &error)?;
                }
            }
            Err(Value::FALSE)
        }
        Fetched::Malformed(why) => {
            cx.warning(why.message())?;
            Err(Value::FALSE)
        }
    })
}

fn next_array(cx: &mut Cx, this: &PObject, by_number: bool, by_name: bool) -> Res<Value> {
    Ok(match next(cx, this)? {
        Ok((columns, values)) => Value::from(row_array(&columns, values, by_number, by_name)),
        Err(instead) => instead,
    })
}

pub fn fetch_row(cx: &mut Cx, this: &PObject) -> Res<Value> {
    next_array(cx, this, true, false)
}
pub fn fetch_assoc(cx: &mut Cx, this: &PObject) -> Res<Value> {
    next_array(cx, this, false, true)
}

const ASSOC: i64 = 1;
const NUM: i64 = 2;

fn check_mode(cx: &mut Cx, mode: i64) -> Res<()> {
    if (ASSOC..=ASSOC | NUM).contains(&mode) {
        return Ok(());
    }
    Err(cx.arg_value_error(arg(cx, 1), "must be one of MYSQLI_NUM, MYSQLI_ASSOC, or MYSQLI_BOTH"))
}

pub fn fetch_array(cx: &mut Cx, this: &PObject, mode: i64) -> Res<Value> {
    with(cx, this, |_, _| Ok(()))?;
    check_mode(cx, mode)?;
    next_array(cx, this, mode & NUM != 0, mode & ASSOC != 0)
}

pub fn fetch_all(cx: &mut Cx, this: &PObject, mode: i64) -> Res<PArray> {
    with(cx, this, |_, _| Ok(()))?;
    check_mode(cx, mode)?;
    let mut all = PArray::new();
    while let Ok((columns, values)) = next(cx, this)? {
        all.append(row_array(&columns, values, mode & NUM != 0, mode & ASSOC != 0));
    }
    Ok(all)
}

pub fn fetch_column(cx: &mut Cx, this: &PObject, column: i64) -> Res<Value> {
    let fields = with(cx, this, |_, set| Ok(set.columns.len()))?;
    if column < 0 {
        return Err(cx.arg_value_error(arg(cx, 1), "must be greater than or equal to 0"));
    }
    let Some(at) = usize::try_from(column).ok().filter(|n| *n < fields) else {
        return Err(cx.arg_value_error(arg(cx, 1), "must be less than the number of fields for this result set"));
    };
    Ok(match next(cx, this)? {
        Ok((_, values)) => values.into_iter().nth(at).unwrap_or(Value::FALSE),
        Err(_) => Value::FALSE,
    })
}

pub fn fetch_object(cx: &mut Cx, this: &PObject, class: &Value, constructor_args: &Value) -> Res<Value> {
    let class = &cx.to_string(class)?;
    let constructor_args = &match constructor_args.view_deref() {
        View::Array(list) => list.clone(),
        _ => {
            let given = jumbo_abi::args::type_name(constructor_args);
            return Err(cx.arg_type_error(arg(cx, 2), [b"must be of type array, ".as_slice(), &given, b" given"].concat()));
        }
    };
    let Some(found) = cx.find_class(class.as_bytes(), true)? else {
        let text = [b"must be a valid class name, ".as_slice(), class.as_bytes(), b" given"].concat();
        return Err(cx.arg_type_error(arg(cx, 1), text));
    };
    let bar = class_flags::INTERFACE | class_flags::TRAIT | class_flags::ABSTRACT | class_flags::ENUM;
    if found.flags & bar != 0 {
        let text = [b"Class ".as_slice(), found.name.as_bytes(), b" cannot be instantiated"].concat();
        return Err(cx.throw_error(text));
    }
    if found.magic.constructor.is_none() && !constructor_args.is_empty() {
        let head = b"must be empty when the specified class (".as_slice();
        let text = [head, found.name.as_bytes(), b") does not have a constructor"].concat();
        return Err(cx.arg_value_error(arg(cx, 2), text));
    }
    let (columns, values) = match next(cx, this)? {
        Ok(row) => row,
        Err(instead) => return Ok(instead),
    };
    let object = cx.new_object(found)?;
    for (column, value) in columns.0.iter().zip(values) {
        // A property that the class does not declare is added without a word about it.
        if found.magic.set.is_none() && found.properties.get(column.name.as_bytes()).is_none() && !found.is(class_flags::NO_DYNAMIC) {
            object.update_dynamic(|table| table.set_sym(column.name.as_bytes(), value));
        } else {
            cx.write_property(&object, column.name.as_bytes(), value)?;
        }
    }
    if let Some(constructor) = found.magic.constructor {
        let callable = jumbo_abi::Callable {
            function: constructor,
            this: Some(object.clone()),
            class: Some(found),
            closure: None,
            magic_name: None,
            value: Value::from(object.clone()),
        };
        cx.call_with_array(&callable, constructor_args)?;
    }
    Ok(Value::from(object))
}

/// Rows that are not all here cannot be counted or gone back to.
fn refuse_unbuffered(cx: &mut Cx) -> jumbo_abi::Stop {
    let name = cx.active_function_name();
    cx.throw_error([name.as_slice(), b"() cannot be used in MYSQLI_USE_RESULT mode"].concat())
}

pub fn data_seek(cx: &mut Cx, this: &PObject, offset: i64) -> Res<bool> {
    let unbuffered = with(cx, this, |_, set| Ok(set.is_unbuffered()))?;
    let Ok(to) = u64::try_from(offset) else {
        return Err(cx.arg_value_error(arg(cx, 1), "must be greater than or equal to 0"));
    };
    if unbuffered {
        return Err(refuse_unbuffered(cx));
    }
    with(cx, this, |_, set| Ok(to < set.row_count() && set.seek(to)))
}

pub fn num_rows(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let (count, open) = with(cx, this, |_, set| Ok((set.row_count(), set.is_unbuffered() && !set.is_at_end())))?;
    if open {
        return Err(refuse_unbuffered(cx));
    }
    Ok(crate::link::count(count))
}

pub fn lengths_array(lengths: &[usize]) -> PArray {
    lengths.iter().map(|n| Value::from(*n as i64)).collect()
}

pub fn fetch_lengths(cx: &mut Cx, this: &PObject) -> Res<OrFalse<PArray>> {
    with(cx, this, |_, set| Ok(OrFalse(set.lengths.as_ref().map(|l| lengths_array(l)))))
}

// ---- columns

fn field_object(cx: &mut Cx, column: &Column) -> Res<PObject> {
    let class = cx.builtin_class(b"stdclass");
    let object = cx.new_object(class)?;
    let definition = &column.definition;
    object.update_dynamic(|table| {
        table.set_sym(b"name", column.name.clone());
        table.set_sym(b"orgname", text(&definition.org_name));
        table.set_sym(b"table", text(&definition.table));
        table.set_sym(b"orgtable", text(&definition.org_table));
        table.set_sym(b"def", text(definition.default.as_deref().unwrap_or_default()));
        table.set_sym(b"db", text(&definition.db));
        table.set_sym(b"catalog", text(&definition.catalog));
        // The client does not look for it: 0 since PHP 8.1.
        table.set_sym(b"max_length", 0i64);
        table.set_sym(b"length", i64::from(definition.length));
        table.set_sym(b"charsetnr", i64::from(definition.charset));
        table.set_sym(b"flags", i64::from(definition.flags));
        table.set_sym(b"type", i64::from(definition.kind));
        table.set_sym(b"decimals", i64::from(definition.decimals));
    });
    Ok(object)
}

pub fn fetch_field(cx: &mut Cx, this: &PObject) -> Res<OrFalse<PObject>> {
    let (columns, at) = with(cx, this, |_, set| {
        let at = set.field;
        if at < set.columns.len() {
            set.field += 1;
        }
        Ok((set.columns.clone(), at))
    })?;
    match columns.0.get(at) {
        Some(column) => field_object(cx, column).map(|o| OrFalse(Some(o))),
        None => Ok(OrFalse::FALSE),
    }
}

pub fn fetch_fields(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let columns = with(cx, this, |_, set| Ok(set.columns.clone()))?;
    let mut all = PArray::new();
    for column in &columns.0 {
        all.append(field_object(cx, column)?);
    }
    Ok(all)
}

/// A column's number, checked.
fn field_at(cx: &mut Cx, index: i64, count: usize) -> Res<usize> {
    if index < 0 {
        return Err(cx.arg_value_error(arg(cx, 1), "must be greater than or equal to 0"));
    }
    match usize::try_from(index).ok().filter(|n| *n < count) {
        Some(n) => Ok(n),
        None => Err(cx.arg_value_error(arg(cx, 1), "must be less than the number of fields for this result set")),
    }
}

pub fn fetch_field_direct(cx: &mut Cx, this: &PObject, index: i64) -> Res<OrFalse<PObject>> {
    let columns = with(cx, this, |_, set| Ok(set.columns.clone()))?;
    let at = field_at(cx, index, columns.len())?;
    match columns.0.get(at) {
        Some(column) => field_object(cx, column).map(|o| OrFalse(Some(o))),
        None => Ok(OrFalse::FALSE),
    }
}

pub fn field_seek(cx: &mut Cx, this: &PObject, index: i64) -> Res<bool> {
    let count = with(cx, this, |_, set| Ok(set.columns.len()))?;
    let at = field_at(cx, index, count)?;
    with(cx, this, |_, set| {
        set.field = at;
        Ok(true)
    })
}

pub fn field_tell(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with(cx, this, |_, set| Ok(set.field as i64))
}

pub fn num_fields(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with(cx, this, |_, set| Ok(set.columns.len() as i64))
}

// ---- foreach

pub fn get_iterator(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let native = iterate(cx, this, false)?;
    Ok(cx.engine().internal_iterator(cx, native))
}

fn iterate(cx: &mut Cx, this: &PObject, by_ref: bool) -> Res<Box<dyn NativeIterator>> {
    if by_ref {
        return Err(cx.throw_error("An iterator cannot be used with foreach by reference"));
    }
    with(cx, this, |_, _| Ok(()))?;
    Ok(Box::new(Rows { result: Value::from(this.clone()), current: RefCell::new(None), key: Cell::new(0) }))
}

/// A `foreach` over a result.
struct Rows {
    result: Value,
    current: RefCell<Option<Value>>,
    key: Cell<i64>,
}

impl Native for Rows {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.result);
        if let Some(current) = &*self.current.borrow() {
            visit(current);
        }
    }
    fn clear(&mut self) {
        self.result = Value::null();
        self.current.replace(None);
    }
}

impl Rows {
    fn step(&self, cx: &mut Cx) -> Res<()> {
        let row = match self.result.as_object() {
            Some(object) => {
                let object = object.clone();
                next_array(cx, &object, false, true)?
            }
            None => Value::null(),
        };
        let old = self.current.replace(row.as_array().is_some().then_some(row));
        drop(old);
        Ok(())
    }
}

impl NativeIterator for Rows {
    fn rewind(&self, cx: &mut Cx) -> Res<()> {
        let Some(object) = self.result.as_object().cloned() else { return Ok(()) };
        let exhausted = with(cx, &object, |_, set| {
            if set.is_unbuffered() {
                return Ok(set.is_at_end());
            }
            set.seek(0);
            Ok(false)
        })?;
        if exhausted {
            bare_warning(cx, "Data fetched with MYSQLI_USE_RESULT can be iterated only once")?;
        }
        self.key.set(0);
        self.step(cx)
    }
    fn valid(&self, _cx: &mut Cx) -> Res<bool> {
        Ok(self.current.borrow().is_some())
    }
    fn current(&self, _cx: &mut Cx) -> Res<Value> {
        Ok(self.current.borrow().clone().unwrap_or(Value::null()))
    }
    fn key(&self, _cx: &mut Cx) -> Res<Value> {
        Ok(Value::from(self.key.get()))
    }
    fn next(&self, cx: &mut Cx) -> Res<()> {
        self.key.set(self.key.get() + 1);
        self.step(cx)
    }
}
