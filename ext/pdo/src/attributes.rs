//! Attributes that are the same for all drivers, and the conversions of their values.

use crate::connection::{Db, StatementClass, settled};
use crate::error::{ErrorMode, LastError, raise, report};
use crate::fetch;
use jumbo_abi::{ClassPtr, Cx, PArray, Res, Value, View, func_flags};
use jumbo_value::number;

pub const AUTOCOMMIT: i64 = 0;
pub const TIMEOUT: i64 = 2;
pub const ERRMODE: i64 = 3;
pub const SERVER_VERSION: i64 = 4;
pub const CLIENT_VERSION: i64 = 5;
pub const CASE: i64 = 8;
pub const CURSOR: i64 = 10;
pub const ORACLE_NULLS: i64 = 11;
pub const PERSISTENT: i64 = 12;
pub const STATEMENT_CLASS: i64 = 13;
pub const DRIVER_NAME: i64 = 16;
pub const STRINGIFY_FETCHES: i64 = 17;
pub const DEFAULT_FETCH_MODE: i64 = 19;
pub const EMULATE_PREPARES: i64 = 20;
pub const DEFAULT_STR_PARAM: i64 = 21;
/// Numbers from here on are the drivers' own.
pub const DRIVER_SPECIFIC: i64 = 1000;

/// An attribute's value that must be an int.
pub fn int(cx: &mut Cx, value: &Value) -> Res<i64> {
    match value.view_deref() {
        View::Int(i) => return Ok(i),
        View::Bool(b) => return Ok(i64::from(b)),
        View::Str(s) => {
            if let Some(p) = number::parse_prefix(s.as_bytes()).filter(|p| !p.trailing)
                && let number::Number::Int(i) = p.number
            {
                return Ok(i);
            }
        }
        _ => {}
    }
    wrong_type(cx, value, "int")
}

/// An attribute's value that must be a bool.
pub fn bool(cx: &mut Cx, value: &Value) -> Res<bool> {
    match value.view_deref() {
        View::Bool(b) => Ok(b),
        View::Int(i) => Ok(i != 0),
        _ => wrong_type(cx, value, "bool"),
    }
}

fn wrong_type<T>(cx: &mut Cx, value: &Value, wanted: &str) -> Res<T> {
    let given = jumbo_abi::args::type_name(value);
    let text = [b"Attribute value must be of type ".as_slice(), wanted.as_bytes(), b" for selected attribute, ", &given, b" given"];
    Err(cx.type_error(text.concat()))
}

/// `PDO::ATTR_STATEMENT_CLASS`: a class and arguments for its constructor.
pub fn statement_class(cx: &mut Cx, value: &Value) -> Res<StatementClass> {
    let given = jumbo_abi::args::type_name(value);
    let Some(array) = value.deref().as_array().cloned() else {
        return Err(cx.type_error([b"PDO::ATTR_STATEMENT_CLASS value must be of type array, ".as_slice(), &given, b" given"].concat()));
    };
    let Some(name) = array.get_int(0).map(Value::copy_deref) else {
        return Err(cx.value_error("PDO::ATTR_STATEMENT_CLASS value must be an array with the format array(classname, constructor_args)"));
    };
    let class = match name.as_str() {
        Some(name) => cx.find_class(name.as_bytes(), true)?,
        None => None,
    };
    let Some(class) = class else {
        return Err(cx.type_error("PDO::ATTR_STATEMENT_CLASS class must be a valid class"));
    };
    if !class.is_a(cx.builtin_class(b"pdostatement")) {
        return Err(cx.type_error("PDO::ATTR_STATEMENT_CLASS class must be derived from PDOStatement"));
    }
    if class.magic.constructor.is_some_and(|c| !c.is(func_flags::PRIVATE) && !c.is(func_flags::PROTECTED)) {
        return Err(cx.type_error("User-supplied statement class cannot have a public constructor"));
    }
    let args = array.get_int(1).map_or(Value::null(), Value::copy_deref);
    if !args.is_null() && !args.is_array() {
        // What the message names is the array of both, as in PHP.
        return Err(cx.type_error("PDO::ATTR_STATEMENT_CLASS constructor_args must be of type ?array, array given"));
    }
    Ok(StatementClass { class, args })
}

/// Sets an attribute. False: it was refused (and reported, if somebody is to know).
pub fn set(cx: &mut Cx, db: &Db, attribute: i64, value: &Value) -> Res<bool> {
    match attribute {
        ERRMODE => {
            let number = int(cx, value)?;
            match ErrorMode::of(number) {
                Some(mode) => db.error_mode.set(mode),
                None => return Err(cx.value_error("Error mode must be one of the PDO::ERRMODE_* constants")),
            }
            Ok(true)
        }
        CASE => {
            let number = int(cx, value)?;
            if !(0..=2).contains(&number) {
                return Err(cx.value_error("Case folding mode must be one of the PDO::CASE_* constants"));
            }
            db.case.set(number);
            Ok(true)
        }
        ORACLE_NULLS => {
            let number = int(cx, value)?;
            db.nulls.set(number & 3);
            Ok(true)
        }
        DEFAULT_FETCH_MODE => {
            if let Some(mode) = value.deref().as_array().and_then(|a| a.get_int(0))
                && let Some(mode) = mode.deref().as_int()
                && matches!(mode, fetch::INTO | fetch::CLASS)
            {
                return Err(cx.value_error("PDO::FETCH_INTO and PDO::FETCH_CLASS cannot be set as the default fetch mode"));
            }
            let mode = match value.deref().as_array() {
                Some(_) => 0,
                None => int(cx, value)?,
            };
            if mode == fetch::DEFAULT {
                return Err(cx.value_error("Fetch mode must be a bitmask of PDO::FETCH_* constants"));
            }
            db.fetch_mode.set(mode);
            Ok(true)
        }
        STRINGIFY_FETCHES => {
            let on = bool(cx, value)?;
            db.stringify.set(on);
            // Drivers may want to know, but need not.
            let answer = db.connection.set_attribute(cx, attribute, value);
            settled(cx, db, &db.error, answer)?;
            Ok(true)
        }
        STATEMENT_CLASS => {
            if db.persistent {
                raise(cx, db, &db.error, *b"HY000", "PDO::ATTR_STATEMENT_CLASS cannot be used with persistent PDO instances")?;
                return Ok(false);
            }
            let class = statement_class(cx, value)?;
            let old = db.statement_class.replace(Some(class));
            drop(old);
            Ok(true)
        }
        _ => {
            let answer = db.connection.set_attribute(cx, attribute, value);
            match settled(cx, db, &db.error, answer)? {
                Some(Some(true)) => Ok(true),
                _ => {
                    report_if_new(cx, db)?;
                    Ok(false)
                }
            }
        }
    }
}

/// A driver that refuses without an error of its own says nothing.
fn report_if_new(cx: &mut Cx, db: &Db) -> Res<()> {
    let none = db.error.borrow().message.is_none();
    if none { Ok(()) } else { report(cx, db, &db.error) }
}

pub fn get(cx: &mut Cx, db: &Db, attribute: i64) -> Res<Value> {
    Ok(match attribute {
        ERRMODE => Value::from(db.error_mode.get() as i64),
        CASE => Value::from(db.case.get()),
        ORACLE_NULLS => Value::from(db.nulls.get()),
        PERSISTENT => Value::from(db.persistent),
        STRINGIFY_FETCHES => Value::from(db.stringify.get()),
        DEFAULT_FETCH_MODE => Value::from(db.fetch_mode.get()),
        DRIVER_NAME => Value::from(db.connection.driver().name),
        STATEMENT_CLASS => {
            let class = db.statement_class.borrow().clone();
            let mut array = PArray::new();
            let plain: ClassPtr = cx.builtin_class(b"pdostatement");
            array.append(class.as_ref().map_or(plain, |c| c.class).name.clone());
            if let Some(args) = class.map(|c| c.args).filter(|a| !a.is_null()) {
                array.append(args);
            }
            Value::from(array)
        }
        _ => {
            let answer = db.connection.attribute(cx, attribute);
            match settled(cx, db, &db.error, answer)? {
                Some(Some(value)) => value,
                Some(None) => {
                    raise(cx, db, &db.error, *b"IM001", "driver does not support that attribute")?;
                    Value::from(false)
                }
                None => Value::from(false),
            }
        }
    })
}

/// Forgets the error of the operation before.
pub fn begin(db: &Db) {
    LastError::clear(&db.error);
}
