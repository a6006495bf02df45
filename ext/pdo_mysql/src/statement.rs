//! Statements: sent as text (emulation), or prepared by the server.
//!
//! # Invariants
//! What is being read is taken out of its cell while the client works, so that whoever comes back here meanwhile finds nothing, not a borrow.

use crate::driver::{rows, sql_error, work};
use jumbo_abi::stream::StreamHandle;
use jumbo_abi::{Cx, PArray, PStr, Value, View};
use jumbo_ext_mysqlnd::connection::{Shared, lock};
use jumbo_ext_mysqlnd::error::ErrorInfo;
use jumbo_ext_mysqlnd::packet::kind;
use jumbo_ext_mysqlnd::result::{Column, Columns, Fetched, ResultSet};
use jumbo_ext_mysqlnd::statement::{Parameter as Sent, Statement as Prepared};
use jumbo_ext_pdo::driver::{Executed, Failure, Orientation, ParamType, Parameter, Statement, Tried};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Flags of columns that metadata names.
const FLAGS: &[(u16, &str)] = &[(1, "not_null"), (2, "primary_key"), (8, "multiple_key"), (4, "unique_key"), (16, "blob")];

pub struct MysqlStatement {
    shared: Shared,
    buffered: bool,
    /// Names of columns are told with their table.
    table_names: Rc<Cell<bool>>,
    prepared: RefCell<Option<Prepared>>,
    is_prepared: bool,
    set: RefCell<Option<ResultSet>>,
    columns: RefCell<Option<Rc<Columns>>>,
    row: RefCell<Vec<Value>>,
}

impl MysqlStatement {
    pub fn emulated(shared: &Shared, buffered: bool, table_names: &Rc<Cell<bool>>) -> MysqlStatement {
        MysqlStatement {
            shared: shared.clone(),
            buffered,
            table_names: table_names.clone(),
            prepared: RefCell::default(),
            is_prepared: false,
            set: RefCell::default(),
            columns: RefCell::default(),
            row: RefCell::default(),
        }
    }
    pub fn prepared(shared: &Shared, buffered: bool, table_names: &Rc<Cell<bool>>, statement: Prepared) -> MysqlStatement {
        let columns = statement.columns.clone();
        let mut new = MysqlStatement::emulated(shared, buffered, table_names);
        new.is_prepared = true;
        new.prepared.replace(Some(statement));
        new.columns.replace(columns);
        new
    }

    /// Works with the prepared statement, which is out of its cell meanwhile.
    fn with_prepared<T>(&self, cx: &mut Cx, run: impl FnOnce(&mut Cx, &mut Prepared) -> Tried<T>) -> Tried<T> {
        let Some(mut statement) = self.prepared.take() else {
            let mut busy = ErrorInfo::default();
            busy.set_own(jumbo_ext_mysqlnd::error::code::OUT_OF_SYNC, jumbo_ext_mysqlnd::error::OUT_OF_SYNC);
            return Err(sql_error(&self.shared, &busy));
        };
        let result = run(cx, &mut statement);
        self.prepared.replace(Some(statement));
        result
    }

    /// Forgets rows and the results that follow.
    fn forget(&self, cx: &mut Cx) -> Tried<()> {
        let before = (self.set.take(), self.row.take());
        drop(before);
        if self.is_prepared {
            return self.with_prepared(cx, |cx, s| {
                s.free_result(cx)?;
                while s.has_more_results() && s.next_result(cx)? {
                    s.free_result(cx)?;
                }
                Ok(())
            });
        }
        work(cx, &self.shared, |cx, c| {
            if self.columns.borrow().is_some() {
                c.drain(cx)?;
            }
            Ok(true)
        })
    }

    /// What the text query has brought.
    fn take_text_result(&self, cx: &mut Cx) -> Tried<Executed> {
        let (has_rows, affected) = lock(&self.shared).map_or((false, 0), |c| (c.field_count > 0, c.outcome.affected));
        if !has_rows {
            self.columns.replace(None);
            return Ok(Executed { columns: Vec::new(), rows: rows(affected) });
        }
        let set = if self.buffered {
            let mut set = None;
            work(cx, &self.shared, |cx, c| {
                set = ResultSet::store(cx, c)?;
                Ok(set.is_some())
            })?;
            set
        } else {
            ResultSet::use_rows(&self.shared)
        };
        Ok(self.keep(set))
    }

    fn names(&self, columns: &Columns) -> Vec<PStr> {
        let with_table = self.table_names.get();
        let name = |c: &Column| if with_table { PStr::concat(&[&c.definition.table, b".", c.name.as_bytes()]) } else { c.name.clone() };
        columns.0.iter().map(name).collect()
    }

    fn keep(&self, set: Option<ResultSet>) -> Executed {
        let Some(set) = set else { return Executed::default() };
        let executed = Executed { columns: self.names(&set.columns), rows: if self.buffered { rows(set.row_count()) } else { 0 } };
        self.columns.replace(Some(set.columns.clone()));
        let before = self.set.replace(Some(set));
        drop(before);
        executed
    }

    /// What an execution of the prepared statement has brought.
    fn take_prepared_result(&self, cx: &mut Cx, statement: &mut Prepared) -> Tried<Executed> {
        let Some(columns) = statement.columns.clone().filter(|_| statement.has_waiting_rows()) else {
            self.columns.replace(None);
            return Ok(Executed { columns: Vec::new(), rows: rows(statement.outcome.affected) });
        };
        if self.buffered {
            return match statement.result(cx)? {
                Some(set) => Ok(self.keep(Some(set))),
                None => Err(sql_error(&self.shared, &statement.error)),
            };
        }
        let executed = Executed { columns: self.names(&columns), rows: 0 };
        self.columns.replace(Some(columns));
        Ok(executed)
    }
}

/// A parameter as the client sends it: as the value is, whatever its type was said to be. Binding has converted it; a variable may be something
/// else by now.
fn sent(cx: &mut Cx, parameter: &Parameter) -> Tried<Sent> {
    let value = parameter.value.copy_deref();
    if parameter.kind == ParamType::Null {
        return Ok(Sent::Null);
    }
    Ok(match value.view() {
        View::Null => Sent::Null,
        View::Int(n) => Sent::Int(n),
        View::Bool(b) => Sent::Int(i64::from(b)),
        View::Float(f) => Sent::Double(f),
        View::Str(text) => Sent::Text(text.clone()),
        View::Resource(resource) if parameter.kind == ParamType::Lob => match resource.native::<StreamHandle>() {
            Some(handle) => {
                let text = handle.read_all(cx, None)?.unwrap_or_default();
                // A variable that was bound is what was read from then on.
                if let Some(reference) = parameter.value.as_ref() {
                    reference.set(Value::from(text.clone()));
                }
                Sent::Text(text)
            }
            None => return Err(Failure::Pdo(*b"HY105", "Expected a stream resource".to_owned())),
        },
        _ => Sent::Text(cx.to_string(&value)?),
    })
}

impl Statement for MysqlStatement {
    fn execute(&self, cx: &mut Cx, sql: Option<&PStr>, parameters: &[Parameter]) -> Tried<Executed> {
        self.forget(cx)?;
        if let Some(sql) = sql.filter(|_| !self.is_prepared) {
            work(cx, &self.shared, |cx, c| c.query(cx, sql.as_bytes()))?;
            return self.take_text_result(cx);
        }
        let expected = self.prepared.borrow().as_ref().map_or(0, |s| s.parameter_count);
        let mut values = vec![None; expected];
        for parameter in parameters {
            let value = sent(cx, parameter)?;
            match parameter.position.and_then(|at| values.get_mut(at)) {
                Some(place) => *place = Some(value),
                None => return Err(Failure::Pdo(*b"HY093", String::new())),
            }
        }
        let Some(values) = values.into_iter().collect::<Option<Vec<Sent>>>() else {
            return Err(Failure::Pdo(*b"HY093", String::new()));
        };
        self.with_prepared(cx, |cx, statement| {
            if !statement.execute(cx, &values)? {
                return Err(sql_error(&self.shared, &statement.error));
            }
            self.take_prepared_result(cx, statement)
        })
    }
    fn fetch(&self, cx: &mut Cx, _orientation: Orientation, _offset: i64) -> Tried<bool> {
        let fetched = match self.set.take() {
            Some(mut set) => {
                let fetched = set.fetch(cx);
                self.set.replace(Some(set));
                fetched?
            }
            None if self.is_prepared && self.columns.borrow().is_some() => self.with_prepared(cx, |cx, s| Ok(s.fetch(cx)?))?,
            None => return Ok(false),
        };
        match fetched {
            Fetched::Row(values) => {
                let before = self.row.replace(values);
                drop(before);
                Ok(true)
            }
            Fetched::End => Ok(false),
            Fetched::Failed => {
                let info = match self.prepared.borrow().as_ref() {
                    Some(s) => s.error.clone(),
                    None => lock(&self.shared).map_or_else(ErrorInfo::default, |c| c.error.clone()),
                };
                if info.code == 0 { Ok(false) } else { Err(sql_error(&self.shared, &info)) }
            }
            Fetched::Malformed(why) => {
                cx.warning(why.message())?;
                Ok(false)
            }
        }
    }
    fn column(&self, _cx: &mut Cx, n: usize, _wanted: Option<ParamType>) -> Tried<Value> {
        Ok(self.row.borrow().get(n).cloned().unwrap_or(Value::null()))
    }
    fn column_meta(&self, _cx: &mut Cx, n: usize) -> Tried<Option<PArray>> {
        let columns = self.columns.borrow().clone();
        let Some(column) = columns.as_ref().and_then(|c| c.0.get(n)) else { return Ok(None) };
        let definition = &column.definition;
        let mut meta = PArray::new();
        if let Some(name) = native_type(definition.kind) {
            meta.set_sym(b"native_type", name);
        }
        let is_int = matches!(
            definition.kind,
            kind::BIT | kind::YEAR | kind::TINY | kind::SHORT | kind::INT24 | kind::LONG | kind::LONGLONG
        );
        meta.set_sym(b"pdo_type", if is_int { 1i64 } else { 2 });
        let mut flags = PArray::new();
        for (_, name) in FLAGS.iter().filter(|(bit, _)| definition.flags & bit != 0) {
            flags.append(*name);
        }
        meta.set_sym(b"flags", flags);
        meta.set_sym(b"table", PStr::new(&definition.table));
        Ok(Some(meta))
    }
    fn column_size(&self, n: usize) -> (i64, i64) {
        let columns = self.columns.borrow().clone();
        columns.as_ref().and_then(|c| c.0.get(n)).map_or((-1, 0), |c| (i64::from(c.definition.length), i64::from(c.definition.decimals)))
    }
    fn has_rowsets(&self) -> bool {
        true
    }
    fn next_rowset(&self, cx: &mut Cx) -> Tried<Option<Executed>> {
        let before = (self.set.take(), self.row.take());
        drop(before);
        if self.is_prepared {
            return self.with_prepared(cx, |cx, s| {
                if !s.has_more_results() {
                    return Ok(None);
                }
                if !s.next_result(cx)? {
                    // There are no rows to be fetched any more.
                    self.columns.replace(None);
                    return Err(sql_error(&self.shared, &s.error));
                }
                self.take_prepared_result(cx, s).map(Some)
            });
        }
        let more = lock(&self.shared).is_some_and(|c| c.has_more_results());
        if !more {
            return Ok(None);
        }
        work(cx, &self.shared, |cx, c| {
            c.skip_rows_if_any(cx)?;
            c.next_result(cx)
        })?;
        self.take_text_result(cx).map(Some)
    }
    fn close_cursor(&self, cx: &mut Cx) -> Tried<()> {
        if self.is_prepared {
            return self.forget(cx);
        }
        let before = (self.set.take(), self.row.take());
        drop(before);
        work(cx, &self.shared, |cx, c| {
            if self.columns.borrow().is_none() {
                return Ok(true);
            }
            c.skip_rows_if_any(cx)?;
            while c.has_more_results() {
                if !c.next_result(cx)? {
                    return Ok(false);
                }
                c.skip_rows_if_any(cx)?;
            }
            Ok(true)
        })
    }
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.row.borrow().iter().for_each(visit);
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for MysqlStatement {
    fn drop(&mut self) {
        // Results that nobody has asked for are nobody's now.
        if !self.is_prepared
            && self.columns.borrow().is_some()
            && let Some(mut c) = lock(&self.shared)
            && c.has_more_results()
        {
            c.abandon();
        }
    }
}

/// The type's name as metadata gives it.
fn native_type(number: u8) -> Option<&'static str> {
    Some(match number {
        kind::STRING => "STRING",
        kind::VAR_STRING => "VAR_STRING",
        kind::TINY => "TINY",
        kind::BIT => "BIT",
        kind::SHORT => "SHORT",
        kind::LONG => "LONG",
        kind::LONGLONG => "LONGLONG",
        kind::INT24 => "INT24",
        kind::FLOAT => "FLOAT",
        kind::DOUBLE => "DOUBLE",
        kind::DECIMAL => "DECIMAL",
        kind::NEWDECIMAL => "NEWDECIMAL",
        kind::GEOMETRY => "GEOMETRY",
        kind::TIMESTAMP => "TIMESTAMP",
        kind::YEAR => "YEAR",
        kind::SET => "SET",
        kind::ENUM => "ENUM",
        kind::DATE => "DATE",
        kind::NEWDATE => "NEWDATE",
        kind::TIME => "TIME",
        kind::DATETIME => "DATETIME",
        kind::TINY_BLOB => "TINY_BLOB",
        kind::MEDIUM_BLOB => "MEDIUM_BLOB",
        kind::LONG_BLOB => "LONG_BLOB",
        kind::BLOB => "BLOB",
        kind::NULL => "NULL",
        _ => return None,
    })
}
