//! Properties of the classes: computed when they are read, read-only, and there only while the object is in the right state.

use crate::link::{Mysqli, Status, count, error_list, held, link_of, look, not_initialized, text};
use crate::{mysqli_driver, mysqli_result, mysqli_stmt, mysqli_warning};
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassPtr, Cx, Level, PArray, PObject, Res, Stop, Value};
use jumbo_ext_mysqlnd::{CLIENT_INFO, CLIENT_VERSION};

/// Makes the declared properties of a new object ones without a value, so that reading them asks the hooks.
pub fn hide(object: &PObject, count: u32) {
    for slot in 0..count.min(object.slot_count()) {
        object.set_slot(slot, Value::UNDEF);
    }
}

/// What a reader of one class gives: `None`: it has no such property.
pub type Reader = fn(&mut Cx, &PObject, &[u8]) -> Res<Option<Value>>;

/// `prop_has` of a reader: a property that cannot be read now is not set.
pub fn has(cx: &mut Cx, object: &PObject, name: &[u8], empty: bool, read: Reader) -> Res<Option<bool>> {
    let Some(value) = quietly(cx, object, name, read)? else { return Ok(None) };
    let Some(value) = value else { return Ok(Some(false)) };
    Ok(Some(if empty { jumbo_value::convert::to_bool(&value) } else { !value.is_null() }))
}

/// The outer `None`: no such property; the inner one: it cannot be read now.
fn quietly(cx: &mut Cx, object: &PObject, name: &[u8], read: Reader) -> Res<Option<Option<Value>>> {
    let before = cx.exception.take();
    let result = read(cx, object, name);
    Ok(match result {
        Ok(found) => {
            cx.exception = before;
            found.map(Some)
        }
        Err(Stop::Thrown) => {
            cx.exception = before;
            Some(None)
        }
        Err(stop) => return Err(stop),
    })
}

/// What var_dump shows: all that can be read now.
pub fn debug(cx: &mut Cx, object: &PObject, purpose: Purpose, names: &[&str], read: Reader) -> Res<Option<PArray>> {
    if purpose != Purpose::Debug {
        return Ok(None);
    }
    let mut shown = PArray::new();
    for name in names {
        if let Some(Some(value)) = quietly(cx, object, name.as_bytes(), read)? {
            shown.set_sym(name.as_bytes(), value);
        }
    }
    Ok(Some(shown))
}

/// `prop_write`: these properties are not written.
pub fn refuse_write(cx: &mut Cx, object: &PObject, name: &[u8], names: &[&str]) -> Res<bool> {
    if !names.iter().any(|known| known.as_bytes() == name) {
        return Ok(false);
    }
    let class = ClassPtr::of(object).name.clone();
    Err(cx.throw_error([b"Cannot write read-only property ".as_slice(), class.as_bytes(), b"::$", name].concat()))
}

fn not_yet(cx: &mut Cx) -> Stop {
    cx.throw_error("Property access is not allowed yet")
}

pub const LINK: &[&str] = &[
    "affected_rows", "client_info", "client_version", "connect_errno", "connect_error", "errno", "error", "error_list", "field_count",
    "host_info", "info", "insert_id", "server_info", "server_version", "sqlstate", "protocol_version", "thread_id", "warning_count",
];

pub fn read_link(cx: &mut Cx, object: &PObject, name: &[u8]) -> Res<Option<Value>> {
    if !LINK.iter().any(|known| known.as_bytes() == name) {
        return Ok(None);
    }
    match name {
        b"client_info" => return Ok(Some(text(CLIENT_INFO.as_bytes()))),
        b"client_version" => return Ok(Some(Value::from(CLIENT_VERSION))),
        b"connect_errno" => return Ok(Some(Value::from(i64::from(cx.state::<Mysqli>().connect_errno)))),
        b"connect_error" => {
            let error = cx.state::<Mysqli>().connect_error.clone();
            return Ok(Some(error.map_or(Value::null(), |e| text(&e))));
        }
        _ => {}
    }
    let found = link_of(object);
    if found.is_none() && matches!(name, b"affected_rows" | b"error_list") {
        return Err(not_yet(cx));
    }
    let link = held(cx, object, found)?;
    if link.status.get() < Status::Connected && !matches!(name, b"errno" | b"error") {
        return Err(not_yet(cx));
    }
    let value = look(&link.shared, |c| match name {
        b"affected_rows" => count(c.outcome.affected),
        b"errno" => Value::from(i64::from(c.error.code)),
        b"error" => text(&c.error.message),
        b"error_list" => Value::from(error_list(&c.error)),
        b"field_count" => Value::from(c.field_count as i64),
        b"host_info" => text(&c.host_info),
        b"info" => c.info.as_ref().map_or(Value::null(), |i| text(i)),
        b"insert_id" => count(c.outcome.insert_id),
        b"server_info" => text(&c.server_version),
        b"server_version" => Value::from(c.server_version_number()),
        b"sqlstate" => text(&c.error.state),
        b"protocol_version" => Value::from(i64::from(c.protocol)),
        b"thread_id" => Value::from(i64::from(c.thread)),
        _ => Value::from(i64::from(c.outcome.warnings)),
    });
    Ok(Some(value.unwrap_or(Value::null())))
}

pub const RESULT: &[&str] = &["current_field", "field_count", "lengths", "num_rows", "type"];

pub fn read_result(cx: &mut Cx, object: &PObject, name: &[u8]) -> Res<Option<Value>> {
    if !RESULT.iter().any(|known| known.as_bytes() == name) {
        return Ok(None);
    }
    let found = mysqli_result::looked_at(object, |set| match name {
        b"current_field" => Value::from(set.field as i64),
        b"field_count" => Value::from(set.columns.len() as i64),
        b"lengths" => set.lengths.as_ref().map_or(Value::null(), |l| Value::from(mysqli_result::lengths_array(l))),
        b"num_rows" => count(set.row_count()),
        _ => Value::from(i64::from(set.is_unbuffered())),
    });
    match found {
        Some(value) => Ok(Some(value)),
        None if matches!(name, b"lengths" | b"type") => Err(not_yet(cx)),
        None => held(cx, object, None).map(Some),
    }
}

pub const STATEMENT: &[&str] =
    &["affected_rows", "insert_id", "num_rows", "param_count", "field_count", "errno", "error", "error_list", "sqlstate", "id"];

pub fn read_statement(cx: &mut Cx, object: &PObject, name: &[u8]) -> Res<Option<Value>> {
    if !STATEMENT.iter().any(|known| known.as_bytes() == name) {
        return Ok(None);
    }
    let always = matches!(name, b"errno" | b"error" | b"error_list" | b"sqlstate");
    let found = mysqli_stmt::looked_at(object, |s| {
        if !s.was_prepared && !always {
            return None;
        }
        Some(match name {
            b"affected_rows" => count(s.outcome.affected),
            b"insert_id" => count(s.outcome.insert_id),
            b"num_rows" => count(s.row_count()),
            b"param_count" => Value::from(s.parameter_count as i64),
            b"field_count" => Value::from(s.field_count() as i64),
            b"errno" => Value::from(i64::from(s.error.code)),
            b"error" => text(&s.error.message),
            b"error_list" => Value::from(error_list(&s.error)),
            b"sqlstate" => text(&s.error.state),
            _ => Value::from(i64::from(s.id)),
        })
    });
    match found {
        Some(Some(value)) => Ok(Some(value)),
        Some(None) => Err(not_yet(cx)),
        None if matches!(name, b"affected_rows" | b"error_list" | b"id") => Err(not_yet(cx)),
        None => held(cx, object, None).map(Some),
    }
}

pub const WARNING: &[&str] = &["message", "sqlstate", "errno"];

pub fn read_warning(cx: &mut Cx, object: &PObject, name: &[u8]) -> Res<Option<Value>> {
    if !WARNING.iter().any(|known| known.as_bytes() == name) {
        return Ok(None);
    }
    match mysqli_warning::current(object) {
        Some(warning) => Ok(Some(match name {
            b"message" => text(&warning.message),
            b"sqlstate" => text(&warning.state),
            _ => Value::from(i64::from(warning.code)),
        })),
        None => Err(not_initialized(cx, object)),
    }
}

pub const DRIVER: &[&str] = &["client_info", "client_version", "report_mode"];

pub fn read_driver(cx: &mut Cx, _object: &PObject, name: &[u8]) -> Res<Option<Value>> {
    Ok(match name {
        b"client_info" => Some(text(CLIENT_INFO.as_bytes())),
        b"client_version" => Some(Value::from(CLIENT_VERSION)),
        b"driver_version" => {
            cx.raise(Level::Deprecated, b"The driver_version property is deprecated")?;
            Some(Value::from(mysqli_driver::VERSION))
        }
        b"report_mode" => Some(Value::from(cx.state::<Mysqli>().report_mode)),
        _ => None,
    })
}
