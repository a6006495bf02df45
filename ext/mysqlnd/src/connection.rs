//! A connection: its state, commands and their answers. Signing in is in [`crate::sign_in`], rows are in [`crate::result`], statements in
//! [`crate::statement`].
//!
//! # Invariants
//! - The server answers one command at a time. `state` says what may be done now; a command at the wrong time is the error 2014 and sends
//!   nothing. A connection on which bytes were lost is `Gone` and stays so: every command is the error 2006 then.
//! - Nothing here runs PHP code, but reading a file for LOAD DATA LOCAL, opening a socket and waiting may. Whoever holds a connection
//!   borrows it with [`lock`], which says so when it is in use: then the command is out of sync too.
//! - Warnings are collected in `diagnostics`; the extension that uses the client raises them when it holds no borrow any more.

use crate::charset::{self, Charset};
use crate::error::{self, ErrorInfo, code};
use crate::options::Options;
use crate::packet::{Answer, BadColumn, ColumnDefinition, Done, End, ServerError, command, status};
use crate::result::{Column, Columns};
use crate::stats::Statistics;
use crate::transport::{Lost, Transport};
use crate::wire::Reader;
use jumbo_abi::{Cx, PStr, Res};
use jumbo_value::{HeapCharge, OutOfMemory};
use std::cell::{RefCell, RefMut};
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not connected yet.
    New,
    Ready,
    /// A query was sent, its answer is not read.
    QuerySent,
    /// Columns were read, rows follow.
    Rows,
    /// Another result of the same query follows.
    MoreResults,
    /// Closed, or the server has gone.
    Gone,
}

/// What the last command did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// `u64::MAX`: an error, or rows that are not all read.
    pub affected: u64,
    pub insert_id: u64,
    pub status: u16,
    pub warnings: u16,
}

/// No count of affected rows.
pub const NO_COUNT: u64 = u64::MAX;

pub struct Connection {
    pub state: State,
    pub(crate) transport: Option<Transport>,
    pub error: ErrorInfo,
    pub outcome: Outcome,
    pub info: Option<Vec<u8>>,
    pub field_count: usize,
    pub options: Options,
    pub capabilities: u32,
    pub server_capabilities: u32,
    pub charset: &'static Charset,
    pub server_version: Vec<u8>,
    pub host_info: Vec<u8>,
    pub protocol: u8,
    pub thread: u32,
    pub(crate) scramble: Vec<u8>,
    pub(crate) auth_method: Vec<u8>,
    pub(crate) sign_in_as: crate::options::SignInAs,
    pub statistics: Rc<Statistics>,
    /// Warnings to be raised.
    pub diagnostics: Vec<String>,
    /// Columns of a result whose rows nobody has asked for yet.
    pub(crate) pending: Option<Rc<Columns>>,
    /// The pending result is one of a prepared statement.
    pub(crate) pending_is_binary: bool,
    /// Number of the result whose rows are being read now.
    pub(crate) stream: u64,
    /// The rows that follow belong to nobody any more.
    pub(crate) abandoned: bool,
    /// All results that follow belong to nobody any more.
    pub(crate) abandoned_all: bool,
    /// Commands without an answer that wait for the next one (closing of statements).
    pub(crate) closing: Vec<u32>,
    pub multi_statements: bool,
    /// The last query of the script, which sets it (for messages about indexes).
    pub last_query: PStr,
    pub packet: Vec<u8>,
    packet_charge: HeapCharge,
    init_charge: HeapCharge,
}

pub type Shared = Rc<RefCell<Connection>>;

/// The connection, unless it is in use further up the stack.
pub fn lock(shared: &Shared) -> Option<RefMut<'_, Connection>> {
    shared.try_borrow_mut().ok()
}

impl Connection {
    pub fn new(statistics: Statistics) -> Connection {
        Connection {
            state: State::New,
            transport: None,
            error: ErrorInfo::default(),
            outcome: Outcome::default(),
            info: None,
            field_count: 0,
            options: Options::default(),
            capabilities: 0,
            server_capabilities: 0,
            charset: charset::by_number(8).expect("latin1 is in the table"),
            server_version: Vec::new(),
            host_info: Vec::new(),
            protocol: 0,
            thread: 0,
            scramble: Vec::new(),
            auth_method: Vec::new(),
            sign_in_as: Default::default(),
            statistics: Rc::new(statistics),
            diagnostics: Vec::new(),
            pending: None,
            pending_is_binary: false,
            stream: 0,
            abandoned: false,
            abandoned_all: false,
            closing: Vec::new(),
            multi_statements: false,
            last_query: PStr::empty(),
            packet: Vec::new(),
            packet_charge: HeapCharge::none(),
            init_charge: HeapCharge::none(),
        }
    }

    pub fn warn(&mut self, text: impl Into<String>) {
        self.diagnostics.push(text.into());
    }
    pub fn own_error(&mut self, code: u32, text: impl AsRef<[u8]>) {
        self.error.set_own(code, text);
        self.outcome.affected = NO_COUNT;
    }
    pub(crate) fn server_error(&mut self, error: ServerError) {
        self.error.set(error);
        self.outcome.affected = NO_COUNT;
    }
    fn out_of_sync(&mut self) {
        self.own_error(code::OUT_OF_SYNC, error::OUT_OF_SYNC);
    }
    pub(crate) fn gone(&mut self) {
        if self.state != State::Gone && self.state != State::New {
            self.statistics.one("disconnect_close");
            self.statistics.less("active_connections");
        }
        self.drop_transport();
        self.own_error(code::SERVER_GONE, error::SERVER_GONE);
    }
    fn drop_transport(&mut self) {
        self.state = State::Gone;
        self.transport = None;
        self.pending = None;
        self.closing.clear();
        self.abandoned = false;
        self.abandoned_all = false;
    }
    pub fn is_open(&self) -> bool {
        self.transport.is_some()
    }
    /// Does the server say that another result follows this one?
    pub fn has_more_results(&self) -> bool {
        self.is_open() && self.outcome.status & status::MORE_RESULTS != 0
    }
    /// Does the server take backslashes in strings as escapes?
    pub fn backslash_escapes(&self) -> bool {
        self.outcome.status & status::NO_BACKSLASH_ESCAPES == 0
    }
    pub fn descriptor(&self) -> Option<std::os::fd::RawFd> {
        self.transport.as_ref().map(Transport::raw_fd)
    }
    /// The answer to a query that was sent has begun to arrive.
    pub fn is_answered(&self) -> bool {
        self.transport.as_ref().is_none_or(Transport::is_readable)
    }

    // ---- packets

    /// The next packet into `self.packet`. False: the connection is gone, the error is set.
    pub(crate) fn receive(&mut self, cx: &mut Cx) -> Res<bool> {
        let Some(transport) = &mut self.transport else {
            self.gone();
            return Ok(false);
        };
        let mut packet = std::mem::take(&mut self.packet);
        let before = transport.received;
        let read = transport.read_packet(cx, &mut packet, &mut self.packet_charge);
        let bytes = transport.received - before;
        self.packet = packet;
        match read? {
            Ok(packets) => {
                let packets = packets as u64;
                self.statistics.add("bytes_received", bytes);
                self.statistics.add("packets_received", packets);
                self.statistics.add("protocol_overhead_in", 4 * packets);
                Ok(true)
            }
            Err(lost) => {
                match lost {
                    Lost::Gone => {}
                    Lost::TooLarge => self.warn("Packet is larger than anything a server sends"),
                    Lost::OutOfOrder { expected, received, size } => {
                        self.warn(format!("Packets out of order. Expected {expected} received {received}. Packet size={size}"));
                    }
                }
                self.gone();
                Ok(false)
            }
        }
    }

    pub(crate) fn send(&mut self, cx: &mut Cx, content: &[u8]) -> Res<bool> {
        self.send_parts(cx, &[], content)
    }

    /// [`Connection::send`] of a short first part and the rest.
    fn send_parts(&mut self, cx: &mut Cx, first: &[u8], content: &[u8]) -> Res<bool> {
        let sent = match &mut self.transport {
            Some(transport) => transport.write_packet(cx, first, content)?,
            None => Err(Lost::Gone),
        };
        match sent {
            Ok((packets, bytes)) => {
                self.statistics.add("bytes_sent", bytes as u64);
                self.statistics.add("packets_sent", packets as u64);
                self.statistics.add("protocol_overhead_out", 4 * packets as u64);
                Ok(true)
            }
            Err(_) => {
                self.gone();
                Ok(false)
            }
        }
    }

    /// The packet is none that the protocol has: the connection cannot be used any more.
    pub(crate) fn malformed(&mut self) {
        // A warning tells what is wrong; there is no error with a number for it.
        self.drop_transport();
        self.outcome.affected = NO_COUNT;
    }

    // ---- commands

    /// May a command be sent now? Reads what belongs to nobody, sends what waits.
    pub(crate) fn begin(&mut self, cx: &mut Cx) -> Res<bool> {
        self.settle(cx)?;
        match self.state {
            State::Ready => {}
            State::New | State::Gone => {
                self.error.clear();
                self.own_error(code::SERVER_GONE, error::SERVER_GONE);
                return Ok(false);
            }
            State::QuerySent | State::Rows | State::MoreResults => {
                self.error.clear();
                self.out_of_sync();
                return Ok(false);
            }
        }
        self.error.clear();
        self.outcome.affected = 0;
        self.pending = None;
        Ok(true)
    }

    /// Reads what belongs to nobody, sends what waits.
    fn settle(&mut self, cx: &mut Cx) -> Res<()> {
        if (self.abandoned || self.abandoned_all) && self.state == State::Rows {
            self.skip_rows(cx)?;
        }
        if std::mem::take(&mut self.abandoned_all) {
            self.skip_results(cx)?;
        }
        if self.state == State::Ready {
            for id in std::mem::take(&mut self.closing) {
                self.send_close(cx, id)?;
            }
        }
        Ok(())
    }

    fn send_close(&mut self, cx: &mut Cx, id: u32) -> Res<()> {
        let [a, b, c, d] = id.to_le_bytes();
        if let Some(transport) = &mut self.transport {
            transport.restart();
        }
        self.statistics.one("com_stmt_close");
        self.send(cx, &[command::STMT_CLOSE, a, b, c, d]).map(drop)
    }

    /// A prepared statement is of no use any more.
    pub fn close_statement(&mut self, cx: &mut Cx, id: u32) -> Res<()> {
        self.closing.push(id);
        if self.state == State::Ready { self.settle(cx) } else { Ok(()) }
    }

    /// As [`close_statement`](Self::close_statement), where nobody may wait: what cannot be sent at once waits for the next command.
    pub(crate) fn close_statement_quietly(&mut self, id: u32) {
        let [a, b, c, d] = id.to_le_bytes();
        let sent = match &mut self.transport {
            Some(transport) if self.state == State::Ready => transport.try_send(&[command::STMT_CLOSE, a, b, c, d]),
            _ => Some(false),
        };
        match sent {
            Some(true) => self.statistics.one("com_stmt_close"),
            Some(false) => self.closing.push(id),
            // A part of it has left: the connection is of no use any more.
            None => self.drop_transport(),
        }
    }

    /// Sends a command when one may be sent.
    pub(crate) fn command(&mut self, cx: &mut Cx, number: u8, argument: &[u8]) -> Res<bool> {
        if !self.begin(cx)? {
            return Ok(false);
        }
        self.send_command(cx, number, argument)
    }

    pub(crate) fn send_command(&mut self, cx: &mut Cx, number: u8, argument: &[u8]) -> Res<bool> {
        if let Some(transport) = &mut self.transport {
            transport.restart();
        }
        self.statistics.one("packets_sent_command");
        if let Some(name) = counter_of(number) {
            self.statistics.one(name);
        }
        self.send_parts(cx, &[number], argument)
    }

    /// A command whose answer is that it is done, or an error.
    fn simple(&mut self, cx: &mut Cx, number: u8, argument: &[u8]) -> Res<bool> {
        let insert_id = self.outcome.insert_id;
        if !self.command(cx, number, argument)? || !self.receive(cx)? {
            return Ok(false);
        }
        let fine = self.done_or_error()?;
        // Only queries change it.
        self.outcome.insert_id = insert_id;
        Ok(fine)
    }

    /// Takes `self.packet` as the answer of a simple command.
    pub(crate) fn done_or_error(&mut self) -> Res<bool> {
        let packet = std::mem::take(&mut self.packet);
        let mut reader = Reader::new(&packet);
        let fine = match reader.u8() {
            Ok(0) => match Done::decode(&mut reader) {
                Ok(done) => {
                    self.statistics.add("bytes_received_ok_packet", packet.len() as u64 + 4);
                    self.statistics.one("packets_received_ok");
                    self.take_done(done);
                    true
                }
                Err(_) => {
                    self.malformed();
                    false
                }
            },
            Ok(255) => {
                self.server_error(crate::packet::server_error(reader));
                false
            }
            Ok(254) => {
                if let Ok(end) = End::decode(&packet) {
                    self.statistics.one("packets_received_eof");
                    self.outcome.status = end.status;
                    self.outcome.warnings = end.warnings;
                }
                true
            }
            _ => {
                self.malformed();
                false
            }
        };
        self.packet = packet;
        Ok(fine)
    }

    pub(crate) fn take_done(&mut self, done: Done) {
        self.outcome = Outcome { affected: done.affected, insert_id: done.insert_id, status: done.status, warnings: done.warnings };
        self.info = (!done.info.is_empty()).then_some(done.info);
    }

    pub fn ping(&mut self, cx: &mut Cx) -> Res<bool> {
        self.simple(cx, command::PING, b"")
    }
    pub fn select_database(&mut self, cx: &mut Cx, name: &[u8]) -> Res<bool> {
        let fine = self.simple(cx, command::INIT_DB, name)?;
        if fine {
            self.sign_in_as.database = name.to_vec();
        }
        Ok(fine)
    }
    pub fn refresh(&mut self, cx: &mut Cx, flags: u8) -> Res<bool> {
        self.simple(cx, command::REFRESH, &[flags])
    }
    pub fn debug_info(&mut self, cx: &mut Cx) -> Res<bool> {
        self.simple(cx, command::DEBUG, b"")
    }
    /// Ends a thread of the server. One that ends itself gets no answer.
    pub fn kill(&mut self, cx: &mut Cx, thread: u32) -> Res<bool> {
        if thread != self.thread {
            return self.simple(cx, command::PROCESS_KILL, &thread.to_le_bytes());
        }
        let sent = self.command(cx, command::PROCESS_KILL, &thread.to_le_bytes())?;
        if sent {
            self.statistics.less("active_connections");
            self.drop_transport();
        }
        Ok(sent)
    }
    pub fn set_multi_statements(&mut self, cx: &mut Cx, on: bool) -> Res<bool> {
        let fine = self.simple(cx, command::SET_OPTION, &u16::from(!on).to_le_bytes())?;
        if fine {
            self.multi_statements = on;
        }
        Ok(fine)
    }
    /// The server's line about itself.
    pub fn server_statistics(&mut self, cx: &mut Cx) -> Res<Option<Vec<u8>>> {
        if !self.command(cx, command::STATISTICS, b"")? || !self.receive(cx)? {
            return Ok(None);
        }
        if self.packet.first() == Some(&255) {
            self.done_or_error()?;
            return Ok(None);
        }
        Ok(Some(self.packet.clone()))
    }

    // ---- queries

    /// Sends a query and reads its answer up to the first row. The result, if there is one, is pending then.
    pub fn query(&mut self, cx: &mut Cx, sql: &[u8]) -> Res<bool> {
        if !self.send_query(cx, sql)? {
            return Ok(false);
        }
        self.read_answer(cx)
    }

    pub fn send_query(&mut self, cx: &mut Cx, sql: &[u8]) -> Res<bool> {
        let sent = self.command(cx, command::QUERY, sql)?;
        if sent {
            self.state = State::QuerySent;
            self.outcome.insert_id = 0;
        }
        Ok(sent)
    }

    /// The answer to a query that was sent.
    pub fn read_answer(&mut self, cx: &mut Cx) -> Res<bool> {
        self.read_answer_as(cx, false)
    }

    /// The answer to a query or (`binary`) to an execution that was sent.
    pub(crate) fn read_answer_as(&mut self, cx: &mut Cx, binary: bool) -> Res<bool> {
        if self.state != State::QuerySent {
            self.error.clear();
            self.out_of_sync();
            return Ok(false);
        }
        self.pending = None;
        self.info = None;
        loop {
            if !self.receive(cx)? {
                return Ok(false);
            }
            let packet = std::mem::take(&mut self.packet);
            let answer = Answer::decode(&packet);
            self.packet = packet;
            match answer {
                Ok(Answer::Done(done)) => {
                    self.statistics.one("non_result_set_queries");
                    self.statistics.add(if binary { "rows_affected_ps" } else { "rows_affected_normal" }, done.affected);
                    self.statistics.one("packets_received_ok");
                    self.take_done(done);
                    self.field_count = 0;
                    self.after_result();
                    return Ok(true);
                }
                Ok(Answer::Error(error)) => {
                    self.server_error(error);
                    // An error ends a query of several statements.
                    self.outcome.status &= !status::MORE_RESULTS;
                    self.state = State::Ready;
                    return Ok(false);
                }
                Ok(Answer::LocalInfile(name)) => {
                    let fine = crate::infile::send_file(self, cx, &name)?;
                    if !self.receive(cx)? {
                        return Ok(false);
                    }
                    let answered = self.done_or_error()?;
                    self.statistics.one("non_result_set_queries");
                    self.field_count = 0;
                    if self.is_open() {
                        if answered {
                            self.after_result();
                        } else {
                            self.state = State::Ready;
                        }
                    }
                    return Ok(fine && answered);
                }
                Ok(Answer::Columns(count)) => {
                    self.statistics.one("result_set_queries");
                    self.statistics.one("packets_received_rset_header");
                    return self.read_result_head(cx, count, binary);
                }
                Err(_) => {
                    self.bad_answer();
                    return Ok(false);
                }
            }
        }
    }

    /// An answer that is none.
    pub(crate) fn bad_answer(&mut self) {
        let packet = &self.packet;
        // What is wrong is mostly a message that is longer than its packet.
        let over = packet.first() == Some(&0) && packet.len() >= 8;
        if over {
            let claimed = packet.get(7).map_or(0, |n| usize::from(*n));
            let past = claimed.saturating_sub(packet.len().saturating_sub(8));
            self.warn(format!("RSET_HEADER packet additional data length is past {past} bytes the packet size"));
        }
        self.warn("Error reading result set's header");
        self.malformed();
    }

    /// Reads the columns of a result; rows follow then.
    pub(crate) fn read_result_head(&mut self, cx: &mut Cx, count: usize, binary: bool) -> Res<bool> {
        let Some(columns) = self.read_columns(cx, count)? else { return Ok(false) };
        let Some(end) = self.read_end(cx)? else { return Ok(false) };
        self.outcome.status = end.status;
        self.outcome.warnings = end.warnings;
        self.outcome.affected = NO_COUNT;
        self.field_count = count;
        self.pending = Some(Rc::new(columns));
        self.pending_is_binary = binary;
        self.stream += 1;
        self.abandoned = false;
        self.state = State::Rows;
        Ok(true)
    }

    pub(crate) fn read_columns(&mut self, cx: &mut Cx, count: usize) -> Res<Option<Columns>> {
        let mut columns = Columns::default();
        for _ in 0..count {
            if !self.receive(cx)? {
                return Ok(None);
            }
            self.statistics.one("packets_received_rset_field_meta");
            self.statistics.add("bytes_received_rset_field_meta_packet", self.packet.len() as u64 + 4);
            match ColumnDefinition::decode(&self.packet) {
                Ok(definition) => columns.push(Column::new(definition)?),
                Err(bad) => {
                    match bad {
                        BadColumn::Default => self.warn("Protocol error. Server sent default for unsupported field list (mysqlnd_wireprotocol.c:1186)"),
                        BadColumn::Fixed => self.warn("Protocol error. Server sent false length. Expected 12"),
                        BadColumn::Short => self.warn("Premature end of data (mysqlnd_wireprotocol.c:1206)"),
                    }
                    self.malformed();
                    return Ok(None);
                }
            }
        }
        Ok(Some(columns))
    }

    pub(crate) fn read_end(&mut self, cx: &mut Cx) -> Res<Option<End>> {
        if !self.receive(cx)? {
            return Ok(None);
        }
        self.statistics.one("packets_received_eof");
        if End::is(&self.packet)
            && let Ok(end) = End::decode(&self.packet)
        {
            return Ok(Some(end));
        }
        if self.packet.first() == Some(&255) {
            self.done_or_error()?;
            if self.is_open() {
                self.state = State::Ready;
            }
        } else {
            self.malformed();
        }
        Ok(None)
    }

    /// A result or an answer is read to its end: what follows?
    pub(crate) fn after_result(&mut self) {
        self.pending = None;
        self.abandoned = false;
        self.state = if self.outcome.status & status::MORE_RESULTS != 0 { State::MoreResults } else { State::Ready };
    }

    /// The next row into `self.packet`. `None`: an error; false: that was the last one.
    pub(crate) fn read_row(&mut self, cx: &mut Cx) -> Res<Option<bool>> {
        if !self.receive(cx)? {
            return Ok(None);
        }
        if End::is(&self.packet) {
            self.statistics.one("packets_received_eof");
            let end = End::decode(&self.packet).unwrap_or_default();
            self.outcome.status = end.status;
            self.outcome.warnings = end.warnings;
            self.after_result();
            return Ok(Some(false));
        }
        if self.packet.first() == Some(&255) {
            self.done_or_error()?;
            if self.is_open() {
                self.outcome.status &= !status::MORE_RESULTS;
                self.after_result();
            }
            return Ok(None);
        }
        self.statistics.one("packets_received_rset_row");
        self.statistics.add("bytes_received_rset_row_packet", self.packet.len() as u64 + 4);
        Ok(Some(true))
    }

    /// Reads the rest of the rows for nobody.
    pub fn skip_rows(&mut self, cx: &mut Cx) -> Res<()> {
        let binary = self.pending_is_binary;
        let counter = if binary { "rows_skipped_ps" } else { "rows_skipped_normal" };
        let fetched = if binary { "rows_fetched_from_server_ps" } else { "rows_fetched_from_server_normal" };
        self.statistics.one(if binary { "flushed_ps_sets" } else { "flushed_normal_sets" });
        while self.state == State::Rows {
            match self.read_row(cx)? {
                Some(true) => {
                    self.statistics.one(counter);
                    self.statistics.one(fetched);
                    if !binary {
                        self.statistics.one("rows_fetched_from_client_normal_unbuffered");
                    }
                }
                Some(false) | None => break,
            }
        }
        Ok(())
    }

    /// Goes on to the next result of a query of several statements.
    pub fn next_result(&mut self, cx: &mut Cx) -> Res<bool> {
        self.next_result_as(cx, false)
    }

    pub(crate) fn next_result_as(&mut self, cx: &mut Cx, binary: bool) -> Res<bool> {
        if self.state == State::Rows && self.pending.is_some() {
            // Nobody has asked for the rows of this one.
            self.skip_rows(cx)?;
        }
        if self.state != State::MoreResults {
            self.error.clear();
            if matches!(self.state, State::Rows | State::QuerySent) {
                self.out_of_sync();
            }
            return Ok(false);
        }
        self.error.clear();
        self.outcome.affected = NO_COUNT;
        self.state = State::QuerySent;
        self.read_answer_as(cx, binary)
    }

    /// The rows that are to be read now, if there are any, for nobody.
    pub fn skip_rows_if_any(&mut self, cx: &mut Cx) -> Res<()> {
        if self.state == State::Rows { self.skip_rows(cx) } else { Ok(()) }
    }

    /// Reads everything that follows the last query for nobody.
    pub fn drain(&mut self, cx: &mut Cx) -> Res<()> {
        self.skip_rows_if_any(cx)?;
        self.skip_results(cx)
    }

    /// Reads all results that follow for nobody.
    pub(crate) fn skip_results(&mut self, cx: &mut Cx) -> Res<()> {
        while self.state == State::MoreResults && self.next_result(cx)? {
            if self.state == State::Rows {
                self.skip_rows(cx)?;
            }
        }
        Ok(())
    }

    /// Says to the server that nothing more will come, and forgets it.
    pub fn close(&mut self, explicit: bool) {
        if let Some(transport) = &mut self.transport {
            self.statistics.one("com_quit");
            transport.farewell(&[command::QUIT]);
            self.statistics.less("active_connections");
            self.statistics.one(if explicit { "explicit_close" } else { "implicit_close" });
            if !matches!(self.state, State::Ready | State::New) {
                self.statistics.one("in_middle_of_command_close");
            }
        }
        self.drop_transport();
    }

    pub fn set_charset(&mut self, cx: &mut Cx, name: &[u8]) -> Res<bool> {
        let Some(charset) = charset::by_name(name) else {
            self.error.clear();
            self.own_error(code::CANNOT_FIND_CHARSET, "Invalid character set was provided");
            return Ok(false);
        };
        let fine = self.query(cx, &[b"SET NAMES ".as_slice(), charset.name.as_bytes()].concat())?;
        if fine {
            self.charset = charset;
        }
        Ok(fine)
    }

    /// Can somebody else use it later? Rows that are still to come are skipped then.
    pub fn is_reusable(&self) -> bool {
        self.is_open() && matches!(self.state, State::Ready | State::Rows | State::MoreResults)
    }
    /// Nobody wants what is still to come: the next command skips it.
    pub fn abandon(&mut self) {
        self.pending = None;
        self.stream += 1;
        self.abandoned_all = matches!(self.state, State::Rows | State::MoreResults);
    }
    /// Another command for after signing in. There may be any number of them.
    pub fn add_init_command(&mut self, sql: Vec<u8>) -> Result<(), OutOfMemory> {
        let before: usize = self.options.init_commands.iter().map(Vec::len).sum();
        self.init_charge.resize(before + sql.len())?;
        self.options.init_commands.push(sql);
        Ok(())
    }

    /// Forgets everything that belongs to the instance that used it.
    pub fn forget_instance(&mut self) {
        self.abandon();
        self.options = Options::default();
        self.error.clear();
        self.diagnostics.clear();
        self.info = None;
        self.packet = Vec::new();
        self.packet_charge = HeapCharge::none();
        self.init_charge = HeapCharge::none();
        self.last_query = PStr::empty();
    }
    /// Forgets what belongs to the instance that used it, but its options.
    pub fn forget_results(&mut self) {
        let options = std::mem::take(&mut self.options);
        self.forget_instance();
        self.options = options;
    }
    /// The server has closed the connection meanwhile.
    pub fn is_stale(&self) -> bool {
        self.transport.as_ref().is_none_or(|t| !self.abandoned_all && t.is_stale())
    }
    /// The server's number, as its version says it: 50744 for 5.7.44.
    pub fn server_version_number(&self) -> i64 {
        let text = String::from_utf8_lossy(&self.server_version).into_owned();
        let mut parts = text.split('.').map(|part| {
            let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<i64>().unwrap_or(0).min(99_999)
        });
        let mut next = || parts.next().unwrap_or(0);
        next() * 10_000 + next() * 100 + next()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.close(false);
    }
}

fn counter_of(number: u8) -> Option<&'static str> {
    Some(match number {
        command::QUIT => "com_quit",
        command::INIT_DB => "com_init_db",
        command::QUERY => "com_query",
        command::REFRESH => "com_refresh",
        command::STATISTICS => "com_statistics",
        command::PROCESS_KILL => "com_process_kill",
        command::DEBUG => "com_debug",
        command::PING => "com_ping",
        command::CHANGE_USER => "com_change_user",
        command::STMT_PREPARE => "com_stmt_prepare",
        command::STMT_EXECUTE => "com_stmt_execute",
        command::STMT_SEND_LONG_DATA => "com_stmt_send_long_data",
        command::STMT_CLOSE => "com_stmt_close",
        command::STMT_RESET => "com_stmt_reset",
        command::SET_OPTION => "com_stmt_set_option",
        command::STMT_FETCH => "com_stmt_fetch",
        _ => return None,
    })
}
