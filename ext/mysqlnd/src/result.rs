//! Results: columns, and rows that are read at once (buffered) or one by one (unbuffered).
//!
//! Rows are kept as the server sent them, in strings of the request heap, and decoded when they are fetched.
//!
//! # Invariants
//! - An unbuffered result reads from its connection only while that connection's `stream` is its own number: a later result cannot be
//!   mistaken for it. Dropping one leaves rows behind; the connection skips them before its next command.

use crate::connection::{Connection, Shared, State, lock};
use crate::packet::{ColumnDefinition, column_flag, kind};
use crate::row::{self, Malformed};
use jumbo_abi::{Cx, Key, PArray, PStr, Res, Value};
use jumbo_value::{HeapCharge, OutOfMemory};
use std::rc::Rc;
use std::sync::LazyLock;

/// A column, with its name as a key of arrays.
pub struct Column {
    pub definition: ColumnDefinition,
    pub name: PStr,
    pub key: Key,
    /// Counts the texts of the definition.
    _charge: HeapCharge,
}

impl Column {
    pub fn new(definition: ColumnDefinition) -> Result<Column, OutOfMemory> {
        let charge = HeapCharge::new(size_of::<Column>() + definition.text_bytes())?;
        let name = PStr::new(&definition.name);
        let key = Key::from_str(&name);
        Ok(Column { definition, name, key, _charge: charge })
    }
    pub fn is_unsigned(&self) -> bool {
        self.definition.flags & column_flag::UNSIGNED != 0
    }
}

#[derive(Default)]
pub struct Columns(pub Vec<Column>);

impl Columns {
    pub fn push(&mut self, column: Column) {
        self.0.push(column);
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How values stand in rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Text { native_numbers: bool },
    Binary,
}

enum Rows {
    Buffered { rows: Vec<PStr>, at: usize },
    Unbuffered { connection: Shared, stream: u64, count: usize, done: bool },
    /// Only columns.
    None,
}

pub struct ResultSet {
    pub columns: Rc<Columns>,
    pub form: Form,
    rows: Rows,
    statistics: Option<Rc<crate::stats::Statistics>>,
    /// Lengths of the values of the row that was fetched last.
    pub lengths: Option<Vec<usize>>,
    pub field: usize,
}

/// What fetching gives.
pub enum Fetched {
    Row(Vec<Value>),
    End,
    /// The connection has the error.
    Failed,
    Malformed(Malformed),
}

/// All rows of the pending result, in request memory. `None`: an error.
pub fn read_all(cx: &mut Cx, connection: &mut Connection, binary: bool) -> Res<Option<Vec<PStr>>> {
    let mut rows = Vec::new();
    let (fetched, buffered) = if binary {
        ("rows_fetched_from_server_ps", "rows_buffered_from_client_ps")
    } else {
        ("rows_fetched_from_server_normal", "rows_buffered_from_client_normal")
    };
    loop {
        match connection.read_row(cx)? {
            Some(true) => {
                rows.push(PStr::new(&connection.packet));
                connection.statistics.one(fetched);
                connection.statistics.one(buffered);
            }
            Some(false) => break,
            None => return Ok(None),
        }
        cx.check()?;
    }
    connection.outcome.affected = rows.len() as u64;
    Ok(Some(rows))
}

impl ResultSet {
    /// Reads all rows of the connection's pending result. `None`: there is no result, or an error.
    pub fn store(cx: &mut Cx, connection: &mut Connection) -> Res<Option<ResultSet>> {
        let Some(columns) = connection.pending.clone() else { return Ok(None) };
        if connection.state != State::Rows {
            return Ok(None);
        }
        connection.statistics.one("buffered_sets");
        let rows = read_all(cx, connection, false)?;
        Ok(rows.map(|rows| ResultSet {
            columns,
            form: Form::Text { native_numbers: connection.options.native_numbers },
            rows: Rows::Buffered { rows, at: 0 },
            statistics: Some(connection.statistics.clone()),
            lengths: None,
            field: 0,
        }))
    }

    /// The connection's pending result, whose rows are read as they are fetched.
    pub fn use_rows(shared: &Shared) -> Option<ResultSet> {
        let mut connection = lock(shared)?;
        let columns = connection.pending.take()?;
        if connection.state != State::Rows {
            return None;
        }
        connection.statistics.one("unbuffered_sets");
        Some(ResultSet {
            columns,
            form: Form::Text { native_numbers: connection.options.native_numbers },
            rows: Rows::Unbuffered { connection: shared.clone(), stream: connection.stream, count: 0, done: false },
            statistics: Some(connection.statistics.clone()),
            lengths: None,
            field: 0,
        })
    }

    pub fn of_rows(columns: Rc<Columns>, form: Form, rows: Vec<PStr>, statistics: Rc<crate::stats::Statistics>) -> ResultSet {
        ResultSet { columns, form, rows: Rows::Buffered { rows, at: 0 }, statistics: Some(statistics), lengths: None, field: 0 }
    }
    /// Columns without rows.
    pub fn of_columns(columns: Rc<Columns>) -> ResultSet {
        ResultSet { columns, form: Form::Binary, rows: Rows::None, statistics: None, lengths: None, field: 0 }
    }

    /// The connection from which rows are read.
    pub fn connection(&self) -> Option<&Shared> {
        match &self.rows {
            Rows::Unbuffered { connection, .. } => Some(connection),
            _ => None,
        }
    }
    pub fn is_unbuffered(&self) -> bool {
        matches!(self.rows, Rows::Unbuffered { .. })
    }
    /// Unbuffered: rows so far, when all were read, else 0.
    pub fn row_count(&self) -> u64 {
        match &self.rows {
            Rows::Buffered { rows, .. } => rows.len() as u64,
            Rows::Unbuffered { count, done, .. } => if *done { *count as u64 } else { 0 },
            Rows::None => 0,
        }
    }
    /// Rows left are there.
    pub fn is_at_end(&self) -> bool {
        match &self.rows {
            Rows::Buffered { rows, at } => *at >= rows.len(),
            Rows::Unbuffered { done, .. } => *done,
            Rows::None => true,
        }
    }
    pub fn seek(&mut self, to: u64) -> bool {
        match &mut self.rows {
            Rows::Buffered { rows, at } if to < rows.len() as u64 => {
                *at = to as usize;
                true
            }
            Rows::Buffered { rows, at } => {
                *at = rows.len();
                false
            }
            _ => false,
        }
    }

    /// The bytes of the next row. `Err`: there is none, or it failed.
    fn next_row(&mut self, cx: &mut Cx) -> Res<Result<PStr, Fetched>> {
        match &mut self.rows {
            Rows::None => Ok(Err(Fetched::End)),
            Rows::Buffered { rows, at } => match rows.get(*at) {
                Some(row) => {
                    *at += 1;
                    Ok(Ok(row.clone()))
                }
                None => Ok(Err(Fetched::End)),
            },
            Rows::Unbuffered { connection, stream, count, done } => {
                if *done {
                    return Ok(Err(Fetched::End));
                }
                let Some(mut connection) = lock(connection) else { return Ok(Err(Fetched::Failed)) };
                if connection.stream != *stream || connection.state != State::Rows {
                    // Somebody has taken the rows or closed the connection.
                    *done = true;
                    if connection.state == State::Gone {
                        connection.error.clear();
                        connection.own_error(crate::error::code::OUT_OF_SYNC, crate::error::OUT_OF_SYNC);
                        return Ok(Err(Fetched::Failed));
                    }
                    return Ok(Err(Fetched::End));
                }
                match connection.read_row(cx)? {
                    Some(true) => {
                        *count += 1;
                        connection.statistics.one("rows_fetched_from_server_normal");
                        Ok(Ok(PStr::new(&connection.packet)))
                    }
                    Some(false) => {
                        *done = true;
                        connection.outcome.affected = *count as u64;
                        Ok(Err(Fetched::End))
                    }
                    None => {
                        *done = true;
                        Ok(Err(Fetched::Failed))
                    }
                }
            }
        }
    }

    pub fn fetch(&mut self, cx: &mut Cx) -> Res<Fetched> {
        let row = match self.next_row(cx)? {
            Ok(row) => row,
            Err(why) => {
                self.lengths = None;
                return Ok(why);
            }
        };
        let mut lengths = self.lengths.take().unwrap_or_default();
        let mut values = Vec::with_capacity(self.columns.len());
        if let Err(malformed) = row::decode(row.as_bytes(), &self.columns, self.form, &mut values, &mut lengths) {
            return Ok(Fetched::Malformed(malformed));
        }
        // Lengths are those of text rows; binary rows do not tell any.
        self.lengths = (self.form != Form::Binary).then_some(lengths);
        if let Some(statistics) = &self.statistics {
            statistics.one(match (self.form, &self.rows) {
                (Form::Binary, Rows::Buffered { .. }) => "rows_fetched_from_client_ps_buffered",
                (Form::Binary, _) => "rows_fetched_from_client_ps_unbuffered",
                (_, Rows::Buffered { .. }) => "rows_fetched_from_client_normal_buffered",
                _ => "rows_fetched_from_client_normal_unbuffered",
            });
            if statistics.collect.get() {
                count_values(statistics, &self.columns, self.form, &values);
                let bytes = if self.form == Form::Binary { "bytes_received_real_data_ps" } else { "bytes_received_real_data_normal" };
                statistics.add(bytes, row.len() as u64);
            }
        }
        Ok(Fetched::Row(values))
    }

    /// No row will be fetched any more: unbuffered ones are read and forgotten.
    pub fn finish(&mut self, cx: &mut Cx) -> Res<()> {
        if let Rows::Unbuffered { connection, stream, done, .. } = &mut self.rows
            && !std::mem::replace(done, true)
            && let Some(mut connection) = lock(connection)
            && connection.stream == *stream
        {
            connection.skip_rows(cx)?;
        }
        self.rows = Rows::None;
        Ok(())
    }
}

impl Drop for ResultSet {
    fn drop(&mut self) {
        if let Rows::Unbuffered { connection, stream, done: false, .. } = &self.rows
            && let Some(mut connection) = lock(connection)
            && connection.stream == *stream
        {
            connection.abandoned = true;
        }
    }
}

fn count_values(statistics: &crate::stats::Statistics, columns: &Columns, form: Form, values: &[Value]) {
    let numbers = &VALUE_COUNTERS[usize::from(form == Form::Binary)];
    for (column, value) in columns.0.iter().zip(values) {
        let kind = if value.is_null() { kind::NULL } else { column.definition.kind };
        statistics.add_to(numbers[usize::from(kind)], 1);
    }
}

/// The counters of values in text and in binary rows, by the column's type.
static VALUE_COUNTERS: LazyLock<[[usize; 256]; 2]> = LazyLock::new(|| {
    [("proto_text_fetched_", false), ("proto_binary_fetched_", true)].map(|(head, binary)| {
        let mut numbers = [0; 256];
        for (kind, number) in (0..=u8::MAX).zip(&mut numbers) {
            *number = crate::stats::number(&[head, kind_word(kind, binary)].concat());
        }
        numbers
    })
});

fn kind_word(number: u8, binary: bool) -> &'static str {
    match number {
        kind::TINY => "tinyint",
        kind::SHORT => "short",
        kind::INT24 => "int24",
        kind::LONG => "int",
        kind::LONGLONG => "bigint",
        kind::DECIMAL | kind::NEWDECIMAL => "decimal",
        kind::FLOAT => "float",
        kind::DOUBLE => "double",
        kind::DATE | kind::NEWDATE => "date",
        kind::YEAR => "year",
        kind::TIME => "time",
        kind::DATETIME => "datetime",
        kind::TIMESTAMP => "timestamp",
        kind::STRING | kind::VAR_STRING => "string",
        kind::TINY_BLOB | kind::MEDIUM_BLOB | kind::LONG_BLOB | kind::BLOB => "blob",
        kind::ENUM => "enum",
        kind::SET => "set",
        kind::GEOMETRY => "geometry",
        kind::BIT => "bit",
        kind::NULL => "null",
        kind::JSON if binary => "json",
        _ => "other",
    }
}

/// A row as an array: by number, by name, or both.
pub fn row_array(columns: &Columns, values: Vec<Value>, by_number: bool, by_name: bool) -> PArray {
    if by_number && !by_name {
        return PArray::from_values(values);
    }
    let mut array = PArray::with_hash_capacity(columns.len() * if by_number { 2 } else { 1 });
    for (n, (column, value)) in columns.0.iter().zip(values).enumerate() {
        // A column whose name is a number keeps its place against the position of a later one.
        if by_number && array.get_int(n as i64).is_none() {
            array.set(Key::Int(n as i64), value.clone());
        }
        array.set(column.key.clone(), value);
    }
    array
}
