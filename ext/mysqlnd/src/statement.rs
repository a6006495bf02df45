//! Prepared statements: preparing, executing with parameters, reading their rows in the binary form.
//!
//! # Invariants
//! - A statement's unbuffered rows are those of its connection's `stream` while the numbers agree (as in [`crate::result`]).
//! - Its errors are its own; those of the connection that they came from stay there too.

use crate::connection::{Connection, NO_COUNT, Outcome, Shared, State, lock};
use crate::error::{self, ErrorInfo, code};
use crate::packet::{Prepared, command, kind, status};
use crate::result::{Columns, Fetched, Form, ResultSet, read_all};
use crate::row;
use crate::wire::{Reader, put_text};
use jumbo_abi::{Cx, PStr, Res};
use jumbo_value::HeapCharge;
use std::rc::Rc;

/// A value of a parameter.
#[derive(Clone, Debug)]
pub enum Parameter {
    Null,
    Int(i64),
    Double(f64),
    Text(PStr),
    /// Was sent before, in parts.
    Sent,
}

enum Rows {
    None,
    /// The server has begun to send them; nobody has said how they are wanted.
    Waiting { stream: u64 },
    Unbuffered { stream: u64 },
    Buffered { rows: Vec<PStr>, at: usize },
    /// The server keeps them, and sends some at a time.
    Cursor { rows: Vec<PStr>, at: usize, last: bool },
    Done,
}

pub struct Statement {
    connection: Shared,
    pub id: u32,
    pub is_prepared: bool,
    /// It was prepared once, if perhaps not with what it was prepared with last.
    pub was_prepared: bool,
    pub is_executed: bool,
    pub parameter_count: usize,
    pub columns: Option<Rc<Columns>>,
    pub error: ErrorInfo,
    pub outcome: Outcome,
    rows: Rows,
    row_count: u64,
    pub update_max_length: bool,
    pub use_cursor: bool,
    pub prefetch_rows: u32,
    executions: u32,
    /// Parameters of which parts were sent.
    long_data: Vec<bool>,
}

/// Flag of an execution whose rows the server is to keep.
const CURSOR_READ_ONLY: u8 = 1;
/// Types of parameters have this bit when they are unsigned; none is here.
const SIGNED: u8 = 0;

impl Statement {
    pub fn new(connection: Shared) -> Statement {
        Statement {
            connection,
            id: 0,
            is_prepared: false,
            was_prepared: false,
            is_executed: false,
            parameter_count: 0,
            columns: None,
            error: ErrorInfo::default(),
            outcome: Outcome::default(),
            rows: Rows::None,
            row_count: 0,
            update_max_length: false,
            use_cursor: false,
            prefetch_rows: 1,
            executions: 0,
            long_data: Vec::new(),
        }
    }

    pub fn connection(&self) -> &Shared {
        &self.connection
    }
    pub fn field_count(&self) -> usize {
        self.columns.as_ref().map_or(0, |c| c.len())
    }
    fn own_error(&mut self, code: u32, text: &str) {
        self.error.clear();
        self.error.set_own(code, text);
    }
    pub fn out_of_sync(&mut self) {
        self.own_error(code::OUT_OF_SYNC, error::OUT_OF_SYNC);
    }

    /// Runs `f` with the connection; false, with an error, when it is in use. What fails leaves its error in the statement too.
    fn with(&mut self, cx: &mut Cx, f: impl FnOnce(&mut Cx, &mut Connection, &mut Statement) -> Res<bool>) -> Res<bool> {
        let shared = self.connection.clone();
        let Some(mut connection) = lock(&shared) else {
            self.out_of_sync();
            return Ok(false);
        };
        let fine = f(cx, &mut connection, self)?;
        if !fine && self.error.code == 0 {
            self.error = connection.error.clone();
            self.outcome.affected = NO_COUNT;
        }
        Ok(fine)
    }

    /// Reads or forgets what the last execution left.
    fn flush(&mut self, cx: &mut Cx, connection: &mut Connection) -> Res<()> {
        if let Rows::Waiting { stream } | Rows::Unbuffered { stream } = self.rows
            && connection.stream == stream
        {
            connection.skip_rows(cx)?;
        }
        self.rows = Rows::None;
        Ok(())
    }

    /// As `flush`, with the other results of a procedure.
    fn flush_all(&mut self, cx: &mut Cx, connection: &mut Connection) -> Res<()> {
        let streamed = matches!(self.rows, Rows::Waiting { .. } | Rows::Unbuffered { .. } | Rows::Done);
        self.flush(cx, connection)?;
        if streamed {
            connection.skip_results(cx)?;
        }
        Ok(())
    }

    pub fn prepare(&mut self, cx: &mut Cx, sql: &[u8]) -> Res<bool> {
        self.error.clear();
        self.with(cx, |cx, connection, this| {
            this.flush_all(cx, connection)?;
            if std::mem::take(&mut this.is_prepared) {
                connection.close_statement(cx, this.id)?;
            }
            this.columns = None;
            this.is_executed = false;
            if !connection.command(cx, command::STMT_PREPARE, sql)? || !connection.receive(cx)? {
                return Ok(false);
            }
            let packet = std::mem::take(&mut connection.packet);
            let mut reader = Reader::new(&packet);
            let first = reader.u8();
            let prepared = Prepared::decode(&mut reader);
            connection.packet = packet;
            let prepared = match (first, prepared) {
                (Ok(0), Ok(prepared)) => prepared,
                (Ok(255), _) => return connection.done_or_error(),
                _ => {
                    connection.malformed();
                    return Ok(false);
                }
            };
            connection.statistics.one("packets_received_prepare_response");
            connection.outcome.warnings = prepared.warnings;
            if prepared.parameters > 0 {
                let Some(_) = connection.read_columns(cx, usize::from(prepared.parameters))? else { return Ok(false) };
                let Some(_) = connection.read_end(cx)? else { return Ok(false) };
            }
            if prepared.columns > 0 {
                let Some(columns) = connection.read_columns(cx, usize::from(prepared.columns))? else { return Ok(false) };
                let Some(end) = connection.read_end(cx)? else { return Ok(false) };
                connection.outcome.status = end.status;
                this.columns = Some(Rc::new(columns));
            }
            this.id = prepared.id;
            this.parameter_count = usize::from(prepared.parameters);
            this.long_data = vec![false; this.parameter_count];
            this.outcome = Outcome { status: connection.outcome.status, warnings: prepared.warnings, ..Outcome::default() };
            this.is_prepared = true;
            this.was_prepared = true;
            this.executions = 0;
            Ok(true)
        })
    }

    /// A part of a parameter that is sent before the execution. There is no answer.
    pub fn send_long_data(&mut self, cx: &mut Cx, parameter: usize, data: &[u8]) -> Res<bool> {
        self.error.clear();
        let Ok(number) = u16::try_from(parameter) else { return Ok(false) };
        if parameter >= self.parameter_count {
            self.own_error(code::INVALID_PARAMETER, "Invalid parameter number");
            return Ok(false);
        }
        self.with(cx, |cx, connection, this| {
            let _charge = HeapCharge::for_vec::<u8>(data.len())?;
            let mut argument = this.id.to_le_bytes().to_vec();
            argument.extend_from_slice(&number.to_le_bytes());
            argument.extend_from_slice(data);
            if !connection.command(cx, command::STMT_SEND_LONG_DATA, &argument)? {
                return Ok(false);
            }
            if let Some(sent) = this.long_data.get_mut(parameter) {
                *sent = true;
            }
            // The server is silent unless it has closed the connection over what it was sent.
            if connection.is_stale() && connection.receive(cx)? {
                connection.done_or_error()?;
                return Ok(false);
            }
            Ok(connection.is_open())
        })
    }

    pub fn execute(&mut self, cx: &mut Cx, parameters: &[Parameter]) -> Res<bool> {
        self.error.clear();
        if !self.is_prepared {
            self.own_error(code::NO_PREPARE, "Statement not prepared");
            return Ok(false);
        }
        self.with(cx, |cx, connection, this| {
            this.flush_all(cx, connection)?;
            let given = parameters.iter().map(|p| if let Parameter::Text(text) = p { text.len() } else { 0 });
            let _charge = HeapCharge::for_vec::<u8>(given.sum())?;
            let argument = this.execution(parameters);
            this.long_data.fill(false);
            if !connection.command(cx, command::STMT_EXECUTE, &argument)? {
                return Ok(false);
            }
            connection.state = State::QuerySent;
            connection.outcome.insert_id = 0;
            this.executions = this.executions.saturating_add(1);
            let fine = connection.read_answer_as(cx, true)?;
            this.take_answer(connection, fine);
            Ok(fine)
        })
    }

    /// The content of an execution's packet.
    fn execution(&self, parameters: &[Parameter]) -> Vec<u8> {
        let mut out = self.id.to_le_bytes().to_vec();
        out.push(if self.use_cursor { CURSOR_READ_ONLY } else { 0 });
        out.extend_from_slice(&1u32.to_le_bytes());
        if parameters.is_empty() {
            return out;
        }
        let mut nulls = vec![0u8; parameters.len().div_ceil(8)];
        for (n, _) in parameters.iter().enumerate().filter(|(_, p)| matches!(p, Parameter::Null)) {
            if let Some(byte) = nulls.get_mut(n / 8) {
                *byte |= 1 << (n % 8);
            }
        }
        out.extend_from_slice(&nulls);
        // Types follow.
        out.push(1);
        for parameter in parameters {
            let number = match parameter {
                Parameter::Null => kind::NULL,
                Parameter::Int(_) => kind::LONGLONG,
                Parameter::Double(_) => kind::DOUBLE,
                Parameter::Text(_) => kind::VAR_STRING,
                Parameter::Sent => kind::LONG_BLOB,
            };
            out.extend_from_slice(&[number, SIGNED]);
        }
        for parameter in parameters {
            match parameter {
                Parameter::Null | Parameter::Sent => {}
                Parameter::Int(n) => out.extend_from_slice(&n.to_le_bytes()),
                Parameter::Double(n) => out.extend_from_slice(&n.to_le_bytes()),
                Parameter::Text(text) => put_text(&mut out, text.as_bytes()),
            }
        }
        out
    }

    /// Was part of this parameter sent?
    pub fn has_long_data(&self, parameter: usize) -> bool {
        self.long_data.get(parameter).copied().unwrap_or(false)
    }

    fn take_answer(&mut self, connection: &mut Connection, fine: bool) {
        self.outcome = connection.outcome;
        self.row_count = 0;
        self.is_executed = fine;
        self.rows = Rows::None;
        if !fine {
            return;
        }
        match connection.pending.take() {
            None => {
                if connection.field_count == 0 {
                    self.columns = None;
                }
            }
            Some(columns) => {
                self.columns = Some(columns);
                if self.use_cursor && connection.outcome.status & status::CURSOR_EXISTS != 0 {
                    connection.after_result();
                    self.rows = Rows::Cursor { rows: Vec::new(), at: 0, last: false };
                } else {
                    self.rows = Rows::Waiting { stream: connection.stream };
                }
            }
        }
    }

    /// Has the execution given rows that nobody has asked for yet?
    pub fn has_waiting_rows(&self) -> bool {
        matches!(self.rows, Rows::Waiting { .. } | Rows::Cursor { .. })
    }
    pub fn is_buffered(&self) -> bool {
        matches!(self.rows, Rows::Buffered { .. })
    }
    pub fn row_count(&self) -> u64 {
        match &self.rows {
            Rows::Buffered { rows, .. } => rows.len() as u64,
            Rows::Done => self.row_count,
            _ => 0,
        }
    }

    /// All rows that are still to come.
    fn take_all(&mut self, cx: &mut Cx) -> Res<Option<Vec<PStr>>> {
        let mut all = None;
        self.with(cx, |cx, connection, this| {
            match std::mem::replace(&mut this.rows, Rows::None) {
                Rows::Waiting { stream } | Rows::Unbuffered { stream } if connection.stream == stream && connection.state == State::Rows => {
                    all = read_all(cx, connection, true)?;
                }
                Rows::Cursor { mut rows, at, mut last } => {
                    rows.drain(..at.min(rows.len()));
                    while !last {
                        match this.fetch_more(cx, connection)? {
                            Some((more, done)) => {
                                rows.extend(more);
                                last = done;
                            }
                            None => return Ok(false),
                        }
                    }
                    all = Some(rows);
                }
                _ => {
                    this.out_of_sync();
                    return Ok(false);
                }
            }
            if let Some(rows) = &all {
                this.outcome = connection.outcome;
                this.outcome.affected = rows.len() as u64;
                connection.outcome.affected = rows.len() as u64;
            }
            Ok(all.is_some())
        })?;
        Ok(all)
    }

    /// Asks the server's cursor for rows. `None`: an error.
    fn fetch_more(&mut self, cx: &mut Cx, connection: &mut Connection) -> Res<Option<(Vec<PStr>, bool)>> {
        let mut argument = self.id.to_le_bytes().to_vec();
        argument.extend_from_slice(&self.prefetch_rows.max(1).to_le_bytes());
        let before = connection.outcome;
        if !connection.command(cx, command::STMT_FETCH, &argument)? {
            return Ok(None);
        }
        connection.outcome = before;
        connection.state = State::Rows;
        let Some(rows) = read_all(cx, connection, true)? else { return Ok(None) };
        let last = connection.outcome.status & status::LAST_ROW_SENT != 0;
        Ok(Some((rows, last)))
    }

    /// Reads all rows, for fetching and seeking. True also when there are none to read.
    pub fn store(&mut self, cx: &mut Cx) -> Res<bool> {
        if self.columns.is_none() {
            return Ok(true);
        }
        if !self.has_waiting_rows() {
            self.out_of_sync();
            return Ok(false);
        }
        let Some(rows) = self.take_all(cx)? else { return Ok(false) };
        if let Some(connection) = lock(&self.connection) {
            connection.statistics.one("ps_buffered_sets");
        }
        self.row_count = rows.len() as u64;
        self.rows = Rows::Buffered { rows, at: 0 };
        Ok(true)
    }

    /// All rows as a result of their own.
    pub fn result(&mut self, cx: &mut Cx) -> Res<Option<ResultSet>> {
        let Some(columns) = self.columns.clone() else { return Ok(None) };
        if !self.has_waiting_rows() {
            self.out_of_sync();
            return Ok(None);
        }
        let Some(rows) = self.take_all(cx)? else { return Ok(None) };
        self.row_count = 0;
        let Some(connection) = lock(&self.connection) else { return Ok(None) };
        connection.statistics.one("ps_buffered_sets");
        Ok(Some(ResultSet::of_rows(columns, Form::Binary, rows, connection.statistics.clone())))
    }

    pub fn seek(&mut self, to: u64) -> bool {
        match &mut self.rows {
            Rows::Buffered { rows, at } => {
                let inside = to < rows.len() as u64;
                *at = if inside { to as usize } else { rows.len() };
                inside
            }
            _ => {
                self.out_of_sync();
                false
            }
        }
    }

    /// The next row.
    pub fn fetch(&mut self, cx: &mut Cx) -> Res<Fetched> {
        let Some(columns) = self.columns.clone() else {
            self.out_of_sync();
            return Ok(Fetched::Failed);
        };
        let counter = match self.rows {
            Rows::Buffered { .. } => "rows_fetched_from_client_ps_buffered",
            Rows::Cursor { .. } => "rows_fetched_from_client_ps_cursor",
            _ => "rows_fetched_from_client_ps_unbuffered",
        };
        let row = match self.next_row(cx)? {
            Ok(row) => row,
            Err(why) => return Ok(why),
        };
        if let Some(connection) = lock(&self.connection) {
            connection.statistics.one(counter);
            connection.statistics.add("bytes_received_real_data_ps", row.len() as u64);
        }
        let mut values = Vec::with_capacity(columns.len());
        Ok(match row::decode(row.as_bytes(), &columns, Form::Binary, &mut values, &mut Vec::new()) {
            Ok(()) => Fetched::Row(values),
            Err(malformed) => Fetched::Malformed(malformed),
        })
    }

    fn next_row(&mut self, cx: &mut Cx) -> Res<Result<PStr, Fetched>> {
        loop {
            match &mut self.rows {
                Rows::None => {
                    self.out_of_sync();
                    return Ok(Err(Fetched::Failed));
                }
                Rows::Done => return Ok(Err(Fetched::End)),
                Rows::Buffered { rows, at } => {
                    let row = rows.get(*at).cloned();
                    *at += usize::from(row.is_some());
                    return Ok(row.ok_or(Fetched::End));
                }
                Rows::Cursor { rows, at, last } => {
                    if let Some(row) = rows.get(*at) {
                        *at += 1;
                        self.row_count += 1;
                        return Ok(Ok(row.clone()));
                    }
                    if *last {
                        self.rows = Rows::Done;
                        return Ok(Err(Fetched::End));
                    }
                    let fine = self.with(cx, |cx, connection, this| {
                        let Some((more, done)) = this.fetch_more(cx, connection)? else { return Ok(false) };
                        this.rows = Rows::Cursor { rows: more, at: 0, last: done };
                        Ok(true)
                    })?;
                    if !fine {
                        return Ok(Err(Fetched::Failed));
                    }
                }
                Rows::Waiting { stream } => {
                    self.rows = Rows::Unbuffered { stream: *stream };
                    if let Some(connection) = lock(&self.connection) {
                        connection.statistics.one("ps_unbuffered_sets");
                    }
                }
                Rows::Unbuffered { stream } => {
                    let stream = *stream;
                    let mut row = None;
                    let fine = self.with(cx, |cx, connection, this| {
                        if connection.state == State::Gone {
                            // Closed meanwhile: there are no more rows.
                            return Ok(true);
                        }
                        if connection.stream != stream || connection.state != State::Rows {
                            this.out_of_sync();
                            return Ok(false);
                        }
                        match connection.read_row(cx)? {
                            Some(true) => {
                                connection.statistics.one("rows_fetched_from_server_ps");
                                row = Some(PStr::new(&connection.packet));
                            }
                            Some(false) => {
                                this.outcome.status = connection.outcome.status;
                                this.outcome.warnings = connection.outcome.warnings;
                            }
                            None => return Ok(false),
                        }
                        Ok(true)
                    })?;
                    if !fine {
                        self.rows = Rows::Done;
                        return Ok(Err(Fetched::Failed));
                    }
                    return Ok(match row {
                        Some(row) => {
                            self.row_count += 1;
                            Ok(row)
                        }
                        None => {
                            self.rows = Rows::Done;
                            Err(Fetched::End)
                        }
                    });
                }
            }
        }
    }

    /// Forgets the rows of the last execution.
    pub fn free_result(&mut self, cx: &mut Cx) -> Res<bool> {
        if !self.is_prepared {
            return Ok(true);
        }
        self.with(cx, |cx, connection, this| {
            connection.error.clear();
            this.flush(cx, connection)?;
            Ok(true)
        })
    }

    pub fn reset(&mut self, cx: &mut Cx) -> Res<bool> {
        self.error.clear();
        self.long_data.fill(false);
        if !self.is_prepared {
            return Ok(true);
        }
        self.with(cx, |cx, connection, this| {
            // Rows that are here already stay.
            if !this.is_buffered() {
                this.flush_all(cx, connection)?;
            }
            let fine = connection.command(cx, command::STMT_RESET, &this.id.to_le_bytes())? && connection.receive(cx)? && connection.done_or_error()?;
            if fine {
                this.outcome = connection.outcome;
                this.is_executed = false;
            }
            Ok(fine)
        })
    }

    pub fn has_more_results(&self) -> bool {
        self.is_executed && lock(&self.connection).is_some_and(|c| c.has_more_results())
    }
    pub fn next_result(&mut self, cx: &mut Cx) -> Res<bool> {
        self.error.clear();
        self.with(cx, |cx, connection, this| {
            if !connection.has_more_results() || !this.is_executed {
                return Ok(false);
            }
            this.flush(cx, connection)?;
            let fine = connection.next_result_as(cx, true)?;
            this.take_answer(connection, fine);
            Ok(fine)
        })
    }

    /// The server forgets the statement.
    pub fn close(&mut self, cx: &mut Cx, explicit: bool) -> Res<()> {
        self.with(cx, |cx, connection, this| {
            connection.error.clear();
            this.flush_all(cx, connection)?;
            if std::mem::take(&mut this.is_prepared) {
                this.count_close(connection, explicit);
                connection.close_statement(cx, this.id)?;
            }
            Ok(true)
        })
        .map(drop)
    }

    fn count_close(&self, connection: &Connection, explicit: bool) {
        let statistics = &connection.statistics;
        statistics.one(if explicit { "explicit_stmt_close" } else { "implicit_stmt_close" });
        match self.executions {
            0 => statistics.one("ps_prepared_never_executed"),
            1 => statistics.one("ps_prepared_once_executed"),
            _ => {}
        }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        if let Some(mut connection) = lock(&self.connection) {
            if let Rows::Waiting { stream } | Rows::Unbuffered { stream } = self.rows
                && connection.stream == stream
                && connection.state == State::Rows
            {
                connection.abandoned_all = true;
            }
            connection.error.clear();
            if self.is_prepared && connection.is_open() {
                self.count_close(&connection, false);
                connection.close_statement_quietly(self.id);
            }
        }
    }
}
