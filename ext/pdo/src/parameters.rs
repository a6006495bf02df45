//! Bound parameters and columns, and the text of emulated statements.

use crate::connection::settled;
use crate::driver::{ParamType, Parameter};
use crate::error::raise;
use crate::scanner::{self, Token};
use crate::statement::{Binding, Stmt};
use jumbo_abi::stream::StreamHandle;
use jumbo_abi::{Cx, Level, PStr, Res, Value, View};
use jumbo_value::{HeapCharge, convert};
use std::rc::Rc;

/// A parameter with what PHP code called it.
pub struct BoundParameter {
    pub parameter: Parameter,
    /// From 0; -1 for a name, as `debugDumpParams` shows it.
    pub number: i64,
}

pub struct BoundColumn {
    /// From 0; absent while there is no column of that name.
    pub position: Option<usize>,
    pub name: Option<PStr>,
    /// The reference that each fetch writes to.
    pub target: Value,
    pub kind: ParamType,
}

/// What a parameter or column is called by: argument #1 of `bindParam`, `bindValue`, `bindColumn`.
pub enum Called {
    /// From 0.
    Number(usize),
    Name(PStr),
}

/// Reads argument #1 of the binding methods.
pub fn called(cx: &mut Cx, value: &Value) -> Res<Called> {
    match value.view_deref() {
        View::Int(n) => match usize::try_from(n) {
            Ok(n) if n > 0 => Ok(Called::Number(n - 1)),
            _ => Err(cx.arg_value_error(1, "must be greater than or equal to 1")),
        },
        View::Str(s) if s.is_empty() => Err(cx.arg_value_error(1, "must not be empty")),
        View::Str(s) => Ok(Called::Name(s.clone())),
        _ => Err(cx.arg_type_error(1, "must be of type string|int")),
    }
}

/// Binds a parameter. False: refused, which was reported.
#[expect(clippy::too_many_arguments, reason = "the arguments of bindParam")]
pub fn bind(
    cx: &mut Cx,
    s: &Rc<Stmt>,
    called: Called,
    value: Value,
    type_number: i64,
    max_length: i64,
    driver_options: Value,
) -> Res<bool> {
    let kind = ParamType::of(type_number);
    convert_bound(cx, &value, kind, max_length)?;
    let value = if value.is_ref() { value } else { converted(cx, value, kind, max_length)? };
    let (mut position, name) = match called {
        Called::Number(n) => (Some(n), None),
        Called::Name(n) if n.as_bytes().starts_with(b":") => (None, Some(n)),
        Called::Name(n) => (None, Some(PStr::concat(&[b":", n.as_bytes()]))),
    };
    let number = position.map_or(-1, |p| p as i64);
    if let Binding::Positional(names) = &s.binding {
        if let Some(name) = &name {
            position = names.iter().position(|n| n.as_ref().is_some_and(|n| n.as_bytes() == name.as_bytes()));
            if position.is_none() {
                // Where there is no placeholder at all there is no name to look for.
                let text = if names.is_empty() { "" } else { "parameter was not defined" };
                raise(cx, &s.db, &s.error, *b"HY093", text)?;
                return Ok(false);
            }
        } else if position.is_some_and(|p| p >= names.len()) {
            raise(cx, &s.db, &s.error, *b"HY093", "")?;
            return Ok(false);
        }
    }
    let parameter = Parameter { position, name, kind, type_number, value, max_length, driver_options };
    let answer = s.driver.check_parameter(cx, &parameter);
    if settled(cx, &s.db, &s.error, answer)?.is_none() {
        return Ok(false);
    }
    // A name that stands in several places is the first one's: a database that knows positions alone misses the others.
    let new = BoundParameter { parameter, number };
    let old = {
        let mut bound = s.parameters.borrow_mut();
        let same = bound.iter_mut().find(|b| {
            b.parameter.position == new.parameter.position
                && (new.parameter.position.is_some()
                    || b.parameter.name.as_ref().map(PStr::as_bytes) == new.parameter.name.as_ref().map(PStr::as_bytes))
        });
        match same {
            Some(place) => Some(std::mem::replace(place, new)),
            None => {
                bound.push(new);
                None
            }
        }
    };
    drop(old);
    Ok(true)
}

/// Binding converts a variable at once to what its type says.
fn convert_bound(cx: &mut Cx, value: &Value, kind: ParamType, max_length: i64) -> Res<()> {
    let Some(reference) = value.as_ref() else { return Ok(()) };
    let before = reference.get();
    let unchanged = before.is_null();
    if unchanged {
        return Ok(());
    }
    let after = converted(cx, before, kind, max_length)?;
    if let Some(reference) = value.as_ref() {
        reference.set(after);
    }
    Ok(())
}

fn converted(cx: &mut Cx, value: Value, kind: ParamType, max_length: i64) -> Res<Value> {
    Ok(match kind {
        ParamType::Str if max_length <= 0 && !value.is_null() => Value::from(cx.to_string(&value)?),
        ParamType::Int if value.is_bool() => Value::from(i64::from(value.is_true())),
        ParamType::Bool if value.is_int() => Value::from(value.as_int() != Some(0)),
        _ => value,
    })
}

/// `(int)`, with the warning about objects.
pub fn to_int(cx: &mut Cx, value: &Value) -> Res<i64> {
    match value.view_deref() {
        View::Object(o) => {
            let class = jumbo_abi::ClassPtr::of(o).name.clone();
            let text = [b"Object of class ".as_slice(), class.as_bytes(), b" could not be converted to int"].concat();
            cx.raise(Level::Warning, &text)?;
            Ok(1)
        }
        View::Resource(r) => Ok(r.id()),
        _ => Ok(convert::to_int(value.deref())),
    }
}

/// What a parameter is when it is sent.
pub enum Bound {
    Null,
    Int(i64),
    Bool(bool),
    Str(PStr),
    Lob(PStr),
    /// Not a stream where one is needed, or a type that the driver does not have.
    Unsupported,
}

/// The value of a parameter as its type wants it; a variable bound by reference is converted along, as in PHP.
pub fn to_send(cx: &mut Cx, parameter: &Parameter) -> Res<Bound> {
    let value = parameter.value.copy_deref();
    if parameter.kind == ParamType::Null || (value.is_null() && parameter.kind != ParamType::Stmt) {
        return Ok(Bound::Null);
    }
    let (bound, converted) = match parameter.kind {
        ParamType::Int | ParamType::Bool => {
            let i = to_int(cx, &value)?;
            (if parameter.kind == ParamType::Int { Bound::Int(i) } else { Bound::Bool(i != 0) }, Value::from(i))
        }
        ParamType::Lob => {
            let text = match value.as_resource() {
                Some(resource) => match resource.native::<StreamHandle>() {
                    Some(handle) => handle.read_all(cx, None)?.unwrap_or_default(),
                    None => return Ok(Bound::Unsupported),
                },
                None => cx.to_string(&value)?,
            };
            (Bound::Lob(text.clone()), Value::from(text))
        }
        ParamType::Stmt => return Ok(Bound::Unsupported),
        ParamType::Str | ParamType::Null => {
            let text = cx.to_string(&value)?;
            (Bound::Str(text.clone()), Value::from(text))
        }
    };
    if let Some(reference) = parameter.value.as_ref() {
        reference.set(converted);
    }
    Ok(bound)
}

/// The text of an emulated statement with all values in it. None: it cannot be made, which was reported.
pub fn emulated(cx: &mut Cx, s: &Rc<Stmt>, tokens: &[Token]) -> Res<Option<PStr>> {
    let _charge = HeapCharge::for_vec::<(&Token, PStr)>(tokens.len())?;
    let places: Vec<&Token> = tokens.iter().filter(|t| !matches!(t, Token::Escaped { .. })).collect();
    let bound = s.parameters.borrow().len();
    if places.is_empty() {
        if bound > 0 {
            raise(cx, &s.db, &s.error, *b"HY093", "number of bound variables does not match number of tokens")?;
            return Ok(None);
        }
        return Ok(Some(if tokens.is_empty() { s.query.clone() } else { scanner::substitute(s.query.as_bytes(), tokens, &[])? }));
    }
    let named = places.iter().any(|t| matches!(t, Token::Name { .. }));
    if named && places.iter().any(|t| matches!(t, Token::Question { .. })) {
        raise(cx, &s.db, &s.error, *b"HY093", "mixed named and positional parameters")?;
        return Ok(None);
    }
    if bound == 0 {
        raise(cx, &s.db, &s.error, *b"HY093", "no parameters were bound")?;
        return Ok(None);
    }
    // One name may stand in several places; otherwise the numbers must be the same.
    let repeated = named && places.len() > bound && {
        let parameters = s.parameters.borrow();
        places.iter().all(|t| parameters.iter().any(|p| p.parameter.name.as_ref().map(PStr::as_bytes) == name_at(&s.query, t)))
    };
    if bound != places.len() && !repeated {
        raise(cx, &s.db, &s.error, *b"HY093", "number of bound variables does not match number of tokens")?;
        return Ok(None);
    }
    let mut literals = Vec::with_capacity(places.len());
    for (n, token) in places.iter().enumerate() {
        let found = {
            let parameters = s.parameters.borrow();
            let found = match name_at(&s.query, token) {
                Some(name) => parameters.iter().find(|p| p.parameter.name.as_ref().is_some_and(|own| own.as_bytes() == name)),
                None => parameters.iter().find(|p| p.parameter.position == Some(n)),
            };
            found.map(|p| p.parameter.clone())
        };
        let Some(parameter) = found else {
            raise(cx, &s.db, &s.error, *b"HY093", "parameter was not defined")?;
            return Ok(None);
        };
        match literal(cx, s, &parameter)? {
            Some(literal) => literals.push(literal),
            None => return Ok(None),
        }
    }
    Ok(Some(scanner::substitute(s.query.as_bytes(), tokens, &literals)?))
}

/// The name that a placeholder is written with.
fn name_at<'q>(query: &'q PStr, token: &Token) -> Option<&'q [u8]> {
    match token {
        Token::Name { start, end } => query.as_bytes().get(*start..*end),
        _ => None,
    }
}

fn literal(cx: &mut Cx, s: &Rc<Stmt>, parameter: &Parameter) -> Res<Option<PStr>> {
    let value = parameter.value.copy_deref();
    if value.is_null() {
        return Ok(Some(PStr::new(b"NULL")));
    }
    let text = match parameter.kind {
        ParamType::Null => return Ok(Some(PStr::new(b"NULL"))),
        ParamType::Bool => return Ok(Some(PStr::new(if convert::to_bool(&value) { b"1" } else { b"0" }))),
        ParamType::Int => return Ok(Some(PStr::new(to_int(cx, &value)?.to_string().as_bytes()))),
        ParamType::Lob if value.is_resource() => {
            let stream = value.as_resource().and_then(|r| r.native::<StreamHandle>());
            let text = match stream {
                Some(handle) => handle.read_all(cx, None)?,
                None => None,
            };
            match text {
                Some(text) => text,
                None => {
                    raise(cx, &s.db, &s.error, *b"HY105", "Expected a stream resource")?;
                    return Ok(None);
                }
            }
        }
        ParamType::Lob | ParamType::Str | ParamType::Stmt => cx.to_string(&value)?,
    };
    let answer = s.db.connection.quote(cx, text.as_bytes(), parameter.type_number);
    match settled(cx, &s.db, &s.error, answer)? {
        Some(Some(literal)) => Ok(Some(literal)),
        Some(None) => {
            raise(cx, &s.db, &s.error, *b"HY000", "cannot quote a parameter")?;
            Ok(None)
        }
        None => Ok(None),
    }
}
