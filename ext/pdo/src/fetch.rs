//! Fetch modes: how a row becomes a PHP value.

use crate::connection::settled;
use crate::driver::{Orientation, ParamType};
use crate::error::{ErrorMode, raise};
use crate::pdo_row;
use crate::statement::{Stmt, call_constructor};
use jumbo_abi::{Callable, ClassPtr, Cx, Key, PArray, PObject, PStr, Res, Stop, Value, View};
use std::rc::Rc;

pub const DEFAULT: i64 = 0;
pub const LAZY: i64 = 1;
pub const ASSOC: i64 = 2;
pub const NUM: i64 = 3;
pub const BOTH: i64 = 4;
pub const OBJ: i64 = 5;
pub const BOUND: i64 = 6;
pub const COLUMN: i64 = 7;
pub const CLASS: i64 = 8;
pub const INTO: i64 = 9;
pub const FUNC: i64 = 10;
pub const NAMED: i64 = 11;
pub const KEY_PAIR: i64 = 12;
/// The first number that is none.
const END: i64 = 13;
const FLAGS: i64 = 0xFFFF_0000u32 as i64;
pub const GROUP: i64 = 0x0001_0000;
pub const UNIQUE: i64 = 0x0003_0000;
pub const CLASSTYPE: i64 = 0x0004_0000;
pub const SERIALIZE: i64 = 0x0008_0000;
pub const PROPS_LATE: i64 = 0x0010_0000;

/// A mode with what it needs.
#[derive(Clone)]
pub struct FetchConfig {
    /// With its flags.
    pub mode: i64,
    /// None: the first, or the second when rows are grouped by the first.
    pub column: Option<usize>,
    pub class: Option<ClassPtr>,
    /// Arguments of the class's constructor: an array, or null.
    pub args: Value,
    /// The object of FETCH_INTO, or null.
    pub into: Value,
    pub function: Option<Callable>,
}

impl Default for FetchConfig {
    fn default() -> FetchConfig {
        FetchConfig { mode: BOTH, column: None, class: None, args: Value::null(), into: Value::null(), function: None }
    }
}

impl FetchConfig {
    fn plain(&self) -> i64 {
        self.mode & !FLAGS
    }
    fn has(&self, flag: i64) -> bool {
        self.mode & flag == flag
    }
}

/// Checks a mode; `argument` is its number in the running method.
pub fn check_mode(cx: &mut Cx, default: i64, mode: i64, argument: u32, fetch_all: bool) -> Res<()> {
    let plain = mode & !FLAGS;
    if mode < 0 || plain > END {
        return Err(cx.arg_value_error(argument, "must be a bitmask of PDO::FETCH_* constants"));
    }
    let (mode, plain) = if plain == DEFAULT { (default, default & !FLAGS) } else { (mode, plain) };
    match plain {
        FUNC if !fetch_all => return Err(cx.value_error("Can only use PDO::FETCH_FUNC in PDOStatement::fetchAll()")),
        FUNC => {}
        LAZY if fetch_all => return Err(cx.arg_value_error(argument, "cannot be PDO::FETCH_LAZY in PDOStatement::fetchAll()")),
        CLASS => {}
        _ => {
            if mode & SERIALIZE == SERIALIZE {
                return Err(cx.arg_value_error(argument, "must use PDO::FETCH_SERIALIZE with PDO::FETCH_CLASS"));
            }
            if mode & CLASSTYPE == CLASSTYPE {
                return Err(cx.arg_value_error(argument, "must use PDO::FETCH_CLASSTYPE with PDO::FETCH_CLASS"));
            }
            if plain >= END {
                return Err(cx.arg_value_error(argument, "must be a bitmask of PDO::FETCH_* constants"));
            }
        }
    }
    if plain == CLASS && mode & SERIALIZE == SERIALIZE {
        cx.deprecated("The PDO::FETCH_SERIALIZE mode is deprecated")?;
    }
    Ok(())
}

fn count_error(cx: &mut Cx, how: &str, expected: usize, given: usize, plural: bool) -> Stop {
    let s = if plural { "s" } else { "" };
    let text = [
        cx.active_function_name().as_slice(),
        format!("() expects {how} {expected} argument{s} for the fetch mode provided, {given} given").as_bytes(),
    ].concat();
    cx.throw("ArgumentCountError", text)
}

fn argument_type(cx: &mut Cx, n: usize, wanted: &str, value: &Value) -> Stop {
    let given = jumbo_abi::args::type_name(value);
    let text = [
        cx.active_function_name().as_slice(),
        format!("(): Argument #{n} must be of type {wanted}, ").as_bytes(),
        &given,
        b" given",
    ].concat();
    cx.type_error(text)
}

/// A column's number as argument `n`.
fn column_argument(cx: &mut Cx, value: &Value, n: usize) -> Res<usize> {
    let Some(column) = value.deref().as_int() else { return Err(argument_type(cx, n, "int", value)) };
    match usize::try_from(column) {
        Ok(column) => Ok(column),
        Err(_) => {
            let text = [cx.active_function_name().as_slice(), format!("(): Argument #{n} must be greater than or equal to 0").as_bytes()].concat();
            Err(cx.value_error(text))
        }
    }
}

/// A class as argument `n`.
fn class_argument(cx: &mut Cx, value: &Value, n: usize) -> Res<ClassPtr> {
    let Some(name) = value.deref().as_str().cloned() else { return Err(argument_type(cx, n, "string", value)) };
    match cx.find_class(name.as_bytes(), true)? {
        Some(class) => Ok(class),
        None => {
            let text = [cx.active_function_name().as_slice(), format!("(): Argument #{n} must be a valid class").as_bytes()].concat();
            Err(cx.type_error(text))
        }
    }
}

/// Arguments for constructors of fetched objects have no names, whatever their keys are.
pub fn positional(args: &PArray) -> PArray {
    if args.is_list() { args.clone() } else { args.values().cloned().collect() }
}

/// Arguments of a constructor as argument `n`: an array with elements, or null.
fn constructor_argument(cx: &mut Cx, value: Option<&Value>, n: usize) -> Res<Value> {
    let Some(value) = value else { return Ok(Value::null()) };
    match value.view_deref() {
        View::Null => Ok(Value::null()),
        View::Array(a) if a.is_empty() => Ok(Value::null()),
        View::Array(a) => Ok(Value::from(positional(a))),
        _ => Err(argument_type(cx, n, "?array", value)),
    }
}

/// `setFetchMode`, and the arguments of `query` from the mode on. `before`: the number of the mode's argument.
pub fn set_mode(cx: &mut Cx, s: &Rc<Stmt>, mode: i64, args: &[Value], before: usize) -> Res<()> {
    let mut config = FetchConfig { mode, ..FetchConfig::default() };
    check_mode(cx, s.db.fetch_mode.get(), mode, before as u32, false)?;
    let given = before + args.len();
    let exactly = |cx: &mut Cx, n: usize| match args.len() == n {
        true => Ok(()),
        false => Err(count_error(cx, "exactly", before + n, given, true)),
    };
    match config.plain() {
        COLUMN => {
            exactly(cx, 1)?;
            config.column = Some(column_argument(cx, &args[0], before + 1)?);
        }
        CLASS if config.has(CLASSTYPE) => {
            exactly(cx, 0)?;
            config.class = Some(cx.builtin_class(b"stdclass"));
        }
        CLASS => {
            if args.is_empty() {
                return Err(count_error(cx, "at least", before + 1, given, true));
            }
            if args.len() > 2 {
                return Err(count_error(cx, "at most", before + 2, given, true));
            }
            let class = class_argument(cx, &args[0], before + 1)?;
            config.args = constructor_argument(cx, args.get(1), before + 2)?;
            config.class = Some(class);
        }
        INTO => {
            exactly(cx, 1)?;
            if args[0].deref().as_object().is_none() {
                return Err(argument_type(cx, before + 1, "object", &args[0]));
            }
            config.into = args[0].copy_deref();
        }
        DEFAULT => {
            exactly(cx, 0)?;
            config.mode = s.db.fetch_mode.get();
        }
        _ => exactly(cx, 0)?,
    }
    let old = s.fetch.replace(Rc::new(config));
    drop(old);
    Ok(())
}

/// One fetched row.
pub struct Row {
    pub value: Value,
    /// What rows are grouped by.
    pub group: Option<Value>,
}

/// A column of the current row, with the attributes of the connection applied.
pub fn column(cx: &mut Cx, s: &Stmt, n: usize, wanted: Option<ParamType>) -> Res<Value> {
    let answer = s.driver.column(cx, n, wanted);
    let Some(mut value) = settled(cx, &s.db, &s.error, answer)? else { return Ok(Value::null()) };
    if !value.is_null()
        && let Some(wanted) = wanted
    {
        value = match wanted {
            ParamType::Null => Value::null(),
            ParamType::Int => Value::from(jumbo_value::convert::to_int(&value)),
            ParamType::Bool => Value::from(jumbo_value::convert::to_bool(&value)),
            ParamType::Str if !value.is_resource() => Value::from(cx.to_string(&value)?),
            ParamType::Lob => match value.as_str() {
                Some(text) => lob(cx, text.clone())?,
                None => value,
            },
            _ => value,
        };
    }
    if s.db.stringify.get() {
        value = match value.view() {
            View::Int(_) | View::Float(_) => Value::from(cx.to_string(&value)?),
            View::Bool(b) => Value::from(if b { b"1" } else { b"0" }),
            _ => value,
        };
    }
    Ok(match s.db.nulls.get() {
        1 if value.as_str().is_some_and(PStr::is_empty) => Value::null(),
        2 if value.is_null() => Value::empty_string(),
        _ => value,
    })
}

/// A large object as a stream that reads it.
fn lob(cx: &mut Cx, text: PStr) -> Res<Value> {
    let memory = jumbo_ext_files::memory::Memory::new("MEMORY", text.as_bytes(), false)?;
    let opened = jumbo_abi::stream::Opened::new(Rc::new(memory));
    Ok(Value::from(jumbo_abi::stream::to_resource(cx, opened, b"rb", None, "PHP")))
}

/// Goes to the next row and writes the bound columns. False: there is none.
fn advance(cx: &mut Cx, s: &Rc<Stmt>, orientation: Orientation, offset: i64, bind: bool) -> Res<bool> {
    if !s.executed.get() {
        return Ok(false);
    }
    let answer = s.driver.fetch(cx, orientation, offset);
    if settled(cx, &s.db, &s.error, answer)? != Some(true) {
        return Ok(false);
    }
    if bind {
        let bound: Vec<(usize, Value, ParamType)> =
            s.bound_columns.borrow().iter().filter_map(|b| Some((b.position?, b.target.clone(), b.kind))).collect();
        for (n, target, kind) in bound {
            if n >= s.names().len() {
                return Err(cx.value_error("Invalid column index"));
            }
            let value = column(cx, s, n, Some(kind))?;
            if let Some(reference) = target.as_ref() {
                let old = reference.replace(value);
                drop(old);
            }
        }
    }
    Ok(true)
}

/// Checks what a mode needs before any row is asked for. False: something is missing, which was reported.
pub fn prepare(cx: &mut Cx, s: &Rc<Stmt>, config: &FetchConfig) -> Res<bool> {
    match config.plain() {
        CLASS if config.class.is_some_and(|c| c.magic.constructor.is_none()) && config.args.as_array().is_some_and(|a| !a.is_empty()) => {
            Err(cx.throw_error("User-supplied statement does not accept constructor arguments"))
        }
        FUNC if config.function.is_none() => {
            raise(cx, &s.db, &s.error, *b"HY000", "No fetch function specified")?;
            Ok(false)
        }
        _ => Ok(true),
    }
}

fn general(cx: &mut Cx, s: &Stmt, message: &str) -> Res<Option<Row>> {
    raise(cx, &s.db, &s.error, *b"HY000", message)?;
    Ok(None)
}

/// Fetches a row as the mode says. `all`: for `fetchAll`, where rows may be grouped by their first column.
pub fn row(
    cx: &mut Cx,
    s: &Rc<Stmt>,
    config: &FetchConfig,
    orientation: Orientation,
    offset: i64,
    all: bool,
) -> Res<Option<Row>> {
    let mode = config.plain();
    if !advance(cx, s, orientation, offset, mode != LAZY)? {
        return Ok(None);
    }
    let names = s.names();
    let grouped = all && config.has(GROUP);
    match mode {
        BOUND => return Ok(if grouped { None } else { Some(Row { value: Value::from(true), group: None }) }),
        LAZY => return Ok(Some(Row { value: Value::from(pdo_row::of(cx, s)?), group: None })),
        COLUMN => return one_column(cx, s, config, grouped, names.len()),
        KEY_PAIR => {
            if names.len() != 2 {
                return general(cx, s, "PDO::FETCH_KEY_PAIR fetch mode requires the result set to contain exactly 2 columns.");
            }
            let key = column(cx, s, 0, None)?;
            let value = column(cx, s, 1, None)?;
            let mut pair = PArray::new();
            let key = match key.view() {
                View::Int(i) => Key::Int(i),
                _ => Key::from_str(&cx.to_string(&key)?),
            };
            pair.set(key, value);
            return Ok(Some(Row { value: Value::from(pair), group: None }));
        }
        _ => {}
    }
    let mut from = 0;
    let mut object = None;
    let mut class = None;
    match mode {
        OBJ => {
            // A plain object is its table of properties.
            let mut table = PArray::with_hash_capacity(names.len());
            let mut group = None;
            for (n, name) in names.iter().enumerate() {
                let value = column(cx, s, n, None)?;
                if grouped && n == 0 {
                    group = Some(value);
                    continue;
                }
                table.set(Key::Str(name.name.clone()), value);
            }
            let standard = cx.builtin_class(b"stdclass");
            let object = cx.new_object(standard)?;
            let none = object.set_dynamic(Some(table));
            drop(none);
            return Ok(Some(Row { value: Value::from(object), group }));
        }
        CLASS => {
            class = config.class;
            if config.has(CLASSTYPE) {
                from = 1;
                let name = column(cx, s, 0, None)?;
                if !name.is_null() {
                    let name = cx.to_string(&name)?;
                    let found = cx.find_class(name.as_bytes(), true)?;
                    class = Some(found.unwrap_or_else(|| cx.builtin_class(b"stdclass")));
                }
            }
            let Some(class) = class else { return general(cx, s, "No fetch class specified") };
            if config.has(SERIALIZE) {
                return unserialized(cx, s, class, from);
            }
            object = Some(instance(cx, class)?);
            if config.has(PROPS_LATE)
                && let Some(object) = &object
            {
                construct(cx, class, object, config)?;
            }
        }
        INTO => match config.into.as_object() {
            Some(into) => object = Some(into.clone()),
            None => return general(cx, s, "No fetch-into object specified."),
        },
        FUNC if config.function.is_none() => return general(cx, s, "No fetch function specified"),
        _ => {}
    }
    let mut group = None;
    if grouped {
        group = Some(column(cx, s, from, None)?);
        from += 1;
    }
    let mut list = match mode {
        NUM => PArray::with_capacity(names.len()),
        ASSOC | NAMED => PArray::with_hash_capacity(names.len()),
        BOTH => PArray::with_hash_capacity(2 * names.len()),
        _ => PArray::new(),
    };
    let mut called = Vec::new();
    for n in from..names.len() {
        let value = column(cx, s, n, None)?;
        let Some(name) = names.get(n) else { break };
        match (mode, &object) {
            (_, Some(object)) => {
                let scope = if mode == CLASS { class } else { None };
                cx.engine().write_property(cx, object, &name.name, value, scope)?;
            }
            (FUNC, _) => called.push(value),
            (NUM, _) => list.append(value),
            (NAMED, _) => {
                let key = name.key.clone();
                if !list.contains(&key) {
                    list.set(key, value);
                    continue;
                }
                list.with_slot(&key, |slot| {
                    if let Some(mut several) = slot.as_array_mut() {
                        several.append(value.clone());
                        return;
                    }
                    let first = slot.take();
                    *slot = Value::from(PArray::from_values([first, value.clone()]));
                });
            }
            (BOTH, _) => {
                list.set(name.key.clone(), value.clone());
                if !list.contains(&Key::Int(n as i64)) {
                    list.set_int(n as i64, value);
                }
            }
            _ => list.set(name.key.clone(), value),
        }
    }
    let value = match (mode, object) {
        (CLASS, Some(object)) => {
            if !config.has(PROPS_LATE)
                && let Some(class) = class
            {
                construct(cx, class, &object, config)?;
            }
            Value::from(object)
        }
        (_, Some(object)) => Value::from(object),
        (FUNC, None) => match &config.function {
            Some(function) => cx.call(function, &called)?,
            None => Value::null(),
        },
        _ => Value::from(list),
    };
    Ok(Some(Row { value, group }))
}

fn one_column(cx: &mut Cx, s: &Stmt, config: &FetchConfig, grouped: bool, count: usize) -> Res<Option<Row>> {
    let exactly_grouped = grouped && config.mode & UNIQUE == GROUP;
    let n = config.column.unwrap_or(usize::from(grouped));
    if n >= count {
        return Err(cx.value_error("Invalid column index"));
    }
    // Rows grouped by a given column have the first one as value; rows that are unique by the first one the given one.
    let (value, group) = match config.column {
        Some(given) if exactly_grouped && given != 0 => (0, given),
        _ => (n, 0),
    };
    let value = column(cx, s, value, None)?;
    let group = if grouped { Some(column(cx, s, group, None)?) } else { None };
    Ok(Some(Row { value, group }))
}

fn instance(cx: &mut Cx, class: ClassPtr) -> Res<PObject> {
    cx.new_object(class)
}

fn construct(cx: &mut Cx, class: ClassPtr, object: &PObject, config: &FetchConfig) -> Res<()> {
    let Some(constructor) = class.magic.constructor else { return Ok(()) };
    let args = config.args.as_array().cloned().unwrap_or_default();
    call_constructor(cx, constructor, object, &args).map(drop)
}

/// FETCH_SERIALIZE: the object is made by the class's own `unserialize()`.
fn unserialized(cx: &mut Cx, s: &Stmt, class: ClassPtr, at: usize) -> Res<Option<Row>> {
    let value = column(cx, s, at, None)?;
    let text = cx.to_string(&value)?;
    let Some(method) = class.method(b"unserialize") else {
        return general(cx, s, "cannot unserialize class");
    };
    let object = cx.new_object(class)?;
    cx.call_function(method, Some(&object), Some(class), &[Value::from(text)])?;
    Ok(Some(Row { value: Value::from(object), group: None }))
}

/// Makes elements that the constructor takes by reference references, so that they keep their changes from row to row.
fn share_references(class: Option<ClassPtr>, args: &Value) -> Value {
    let (Some(constructor), Some(list)) = (class.and_then(|c| c.magic.constructor), args.as_array()) else { return args.clone() };
    let mut list = list.clone();
    for n in 0..list.len() as u32 {
        if constructor.is_by_ref(n) && list.get_int(i64::from(n)).is_some() {
            list.with_slot(&Key::Int(i64::from(n)), |slot| drop(slot.make_ref()));
        }
    }
    Value::from(list)
}

/// What `fetchAll` is asked for.
fn all_config(cx: &mut Cx, s: &Rc<Stmt>, mode: i64, args: &[Value]) -> Res<FetchConfig> {
    let own = s.fetch.borrow().clone();
    let mut config = match mode & !FLAGS {
        DEFAULT => FetchConfig { mode: own.mode & !FLAGS | (own.mode & FLAGS) | (mode & FLAGS), ..FetchConfig::clone(&own) },
        _ => FetchConfig { mode, ..FetchConfig::default() },
    };
    let given = args.len() + 1;
    if args.len() > 2 {
        let text = [cx.active_function_name().as_slice(), format!("() expects at most 3 arguments, {given} given").as_bytes()].concat();
        return Err(cx.throw("ArgumentCountError", text));
    }
    // Whatever the mode, a third argument must be one for constructors.
    let constructor = constructor_argument(cx, args.get(1), 3)?;
    match mode & !FLAGS {
        CLASS => {
            config.args = constructor;
            config.class = match args.first() {
                Some(class) => Some(class_argument(cx, class, 2)?),
                None => Some(cx.builtin_class(b"stdclass")),
            };
        }
        FUNC => {
            let [function] = args else {
                let text = [
                    cx.active_function_name().as_slice(),
                    format!("() expects exactly 2 argument for PDO::FETCH_FUNC, {given} given").as_bytes(),
                ].concat();
                return Err(cx.throw("ArgumentCountError", text));
            };
            if function.deref().is_null() {
                let text = [cx.active_function_name().as_slice(), b"(): Argument #2 must be a callable, null given"].concat();
                return Err(cx.type_error(text));
            }
            match cx.resolve_callable(&function.copy_deref())? {
                Ok(function) => config.function = Some(function),
                Err(why) => return Err(cx.type_error(why)),
            }
        }
        COLUMN => {
            if args.len() > 1 {
                let text = [cx.active_function_name().as_slice(), format!("() expects at most 2 arguments for the fetch mode provided, {given} given").as_bytes()].concat();
                return Err(cx.throw("ArgumentCountError", text));
            }
            config.column = match args.first() {
                Some(column) => Some(column_argument(cx, column, 2)?),
                None => None,
            };
        }
        plain => {
            if !args.is_empty() {
                return Err(count_error(cx, "exactly", 1, given, false));
            }
            if plain == INTO {
                config.into = own.into.clone();
            }
        }
    }
    config.args = share_references(config.class, &config.args);
    Ok(config)
}

/// `fetchAll`.
pub fn all(cx: &mut Cx, s: &Rc<Stmt>, mode: i64, args: &[Value]) -> Res<PArray> {
    let default = s.fetch.borrow().mode;
    check_mode(cx, default, mode, 1, true)?;
    let config = all_config(cx, s, mode, args)?;
    let mut rows = PArray::new();
    if !prepare(cx, s, &config)? {
        report_again(cx, s)?;
        return Ok(rows);
    }
    // What `setFetchMode` says about groups holds for no list.
    let asked = mode & GROUP != 0;
    let grouped = asked && config.has(GROUP) && config.plain() != KEY_PAIR;
    while let Some(row) = row(cx, s, &config, Orientation::Next, 0, asked)? {
        if config.plain() == KEY_PAIR {
            for (key, value) in row.value.as_array().cloned().iter().flatten() {
                rows.set(key.to_key(), value.clone());
            }
            continue;
        }
        if !grouped {
            rows.append(row.value);
            continue;
        }
        let group = row.group.unwrap_or_default();
        let key = Key::from_str(&cx.to_string(&group)?);
        if config.has(UNIQUE) {
            rows.set(key, row.value);
            continue;
        }
        if !rows.contains(&key) {
            rows.set(key.clone(), Value::empty_array());
        }
        rows.with_slot(&key, |slot| {
            if let Some(mut list) = slot.as_array_mut() {
                list.append(row.value.clone());
            }
        });
    }
    report_again(cx, s)?;
    Ok(rows)
}

/// In warning mode PHP reports an error of PDO's own a second time, without its text.
pub fn report_again(cx: &mut Cx, s: &Stmt) -> Res<()> {
    let own = s.error.borrow().message.is_none();
    if own && s.db.error_mode.get() == ErrorMode::Warning {
        return crate::error::report(cx, &s.db, &s.error);
    }
    Ok(())
}
