//! Packets of the protocol: what the server sends, decoded; numbers of commands, capabilities, states and types.
//!
//! Everything decodes from bytes that nobody has checked (see [`crate::wire`]): what does not fit is `Short`, never a panic.

use crate::wire::{Reader, Short, Tried};

/// Numbers of commands.
pub mod command {
    pub const QUIT: u8 = 0x01;
    pub const INIT_DB: u8 = 0x02;
    pub const QUERY: u8 = 0x03;
    pub const REFRESH: u8 = 0x07;
    pub const STATISTICS: u8 = 0x09;
    pub const PROCESS_KILL: u8 = 0x0c;
    pub const DEBUG: u8 = 0x0d;
    pub const PING: u8 = 0x0e;
    pub const CHANGE_USER: u8 = 0x11;
    pub const STMT_PREPARE: u8 = 0x16;
    pub const STMT_EXECUTE: u8 = 0x17;
    pub const STMT_SEND_LONG_DATA: u8 = 0x18;
    pub const STMT_CLOSE: u8 = 0x19;
    pub const STMT_RESET: u8 = 0x1a;
    pub const SET_OPTION: u8 = 0x1b;
    pub const STMT_FETCH: u8 = 0x1c;
}

/// What client and server can.
pub mod capability {
    pub const LONG_PASSWORD: u32 = 1;
    pub const FOUND_ROWS: u32 = 2;
    pub const LONG_FLAG: u32 = 4;
    pub const CONNECT_WITH_DB: u32 = 8;
    pub const NO_SCHEMA: u32 = 0x10;
    pub const COMPRESS: u32 = 0x20;
    pub const LOCAL_FILES: u32 = 0x80;
    pub const IGNORE_SPACE: u32 = 0x100;
    pub const PROTOCOL_41: u32 = 0x200;
    pub const INTERACTIVE: u32 = 0x400;
    pub const SSL: u32 = 0x800;
    pub const TRANSACTIONS: u32 = 0x2000;
    pub const SECURE_CONNECTION: u32 = 0x8000;
    pub const MULTI_STATEMENTS: u32 = 0x1_0000;
    pub const MULTI_RESULTS: u32 = 0x2_0000;
    pub const PS_MULTI_RESULTS: u32 = 0x4_0000;
    pub const PLUGIN_AUTH: u32 = 0x8_0000;
    pub const CONNECT_ATTRS: u32 = 0x10_0000;
    pub const PLUGIN_AUTH_LENENC: u32 = 0x20_0000;
    pub const CAN_HANDLE_EXPIRED_PASSWORDS: u32 = 0x40_0000;
}

/// The server's state after a command.
pub mod status {
    pub const IN_TRANS: u16 = 1;
    pub const AUTOCOMMIT: u16 = 2;
    pub const MORE_RESULTS: u16 = 8;
    pub const NO_GOOD_INDEX_USED: u16 = 16;
    pub const NO_INDEX_USED: u16 = 32;
    pub const CURSOR_EXISTS: u16 = 64;
    pub const LAST_ROW_SENT: u16 = 128;
    pub const NO_BACKSLASH_ESCAPES: u16 = 512;
    pub const QUERY_WAS_SLOW: u16 = 2048;
    pub const PS_OUT_PARAMS: u16 = 4096;
}

/// Types of columns and parameters.
pub mod kind {
    pub const DECIMAL: u8 = 0;
    pub const TINY: u8 = 1;
    pub const SHORT: u8 = 2;
    pub const LONG: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const DOUBLE: u8 = 5;
    pub const NULL: u8 = 6;
    pub const TIMESTAMP: u8 = 7;
    pub const LONGLONG: u8 = 8;
    pub const INT24: u8 = 9;
    pub const DATE: u8 = 10;
    pub const TIME: u8 = 11;
    pub const DATETIME: u8 = 12;
    pub const YEAR: u8 = 13;
    pub const NEWDATE: u8 = 14;
    pub const BIT: u8 = 16;
    pub const VECTOR: u8 = 242;
    pub const JSON: u8 = 245;
    pub const NEWDECIMAL: u8 = 246;
    pub const ENUM: u8 = 247;
    pub const SET: u8 = 248;
    pub const TINY_BLOB: u8 = 249;
    pub const MEDIUM_BLOB: u8 = 250;
    pub const LONG_BLOB: u8 = 251;
    pub const BLOB: u8 = 252;
    pub const VAR_STRING: u8 = 253;
    pub const STRING: u8 = 254;
    pub const GEOMETRY: u8 = 255;
}

/// Flags of columns.
pub mod column_flag {
    pub const UNSIGNED: u16 = 32;
    pub const ZEROFILL: u16 = 64;
    pub const NUM: u16 = 32768;
}

/// An error as the server tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerError {
    pub code: u32,
    pub state: [u8; 5],
    pub message: Vec<u8>,
}

/// The state of no error.
pub const NO_ERROR: [u8; 5] = *b"00000";
/// The state of errors that have none of their own.
pub const UNKNOWN_STATE: [u8; 5] = *b"HY000";

/// A packet that begins with 255, after that byte.
pub fn server_error(mut reader: Reader<'_>) -> ServerError {
    let code = reader.u16().map_or(2027, u32::from);
    let mut state = UNKNOWN_STATE;
    if reader.peek() == Some(b'#') {
        let mut after = reader;
        if let Ok(Some(found)) = after.array::<6>().map(|marked| marked[1..].try_into().ok()) {
            state = found;
            reader = after;
        }
    }
    ServerError { code, state, message: reader.rest().to_vec() }
}

/// What the server says first.
#[derive(Debug, Default)]
pub struct Greeting {
    pub protocol: u8,
    pub version: Vec<u8>,
    pub thread: u32,
    pub scramble: Vec<u8>,
    pub capabilities: u32,
    pub charset: u8,
    pub status: u16,
    pub plugin: Vec<u8>,
}

/// Lengths of the two parts of the scramble.
const SCRAMBLE_HEAD: usize = 8;
const SCRAMBLE: usize = 20;

impl Greeting {
    pub fn decode(packet: &[u8]) -> Tried<Result<Greeting, ServerError>> {
        let mut reader = Reader::new(packet);
        let protocol = reader.u8()?;
        if protocol == 255 {
            return Ok(Err(server_error(reader)));
        }
        let version = reader.until_nul().to_vec();
        let thread = reader.u32()?;
        let mut scramble = reader.take(SCRAMBLE_HEAD)?.to_vec();
        reader.skip(1)?;
        let low = reader.u16()?;
        let mut greeting =
            Greeting { protocol, version, thread, capabilities: u32::from(low), plugin: b"mysql_native_password".to_vec(), ..Greeting::default() };
        // Servers before 4.1 end here.
        if reader.left() == 0 {
            greeting.scramble = scramble;
            return Ok(Ok(greeting));
        }
        greeting.charset = reader.u8()?;
        greeting.status = reader.u16()?;
        let high = reader.u16()?;
        greeting.capabilities |= u32::from(high) << 16;
        let data_len = usize::from(reader.u8()?);
        reader.skip(10)?;
        let tail = data_len.saturating_sub(SCRAMBLE_HEAD).max(13).min(reader.left());
        scramble.extend_from_slice(reader.take(tail)?);
        // What follows the scramble is a NUL.
        scramble.truncate(SCRAMBLE);
        greeting.scramble = scramble;
        if greeting.capabilities & capability::PLUGIN_AUTH != 0 {
            greeting.plugin = reader.until_nul().to_vec();
        }
        Ok(Ok(greeting))
    }
}

/// A command was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    pub affected: u64,
    pub insert_id: u64,
    pub status: u16,
    pub warnings: u16,
    pub info: Vec<u8>,
}

impl Done {
    /// After the first byte, 0.
    pub fn decode(reader: &mut Reader<'_>) -> Tried<Done> {
        let affected = reader.number()?.unwrap_or(0);
        let insert_id = reader.number()?.unwrap_or(0);
        let status = reader.u16()?;
        let warnings = reader.u16()?;
        // The message has a length of its own, which some servers leave out when there is none.
        let info = match reader.left() {
            0 => Vec::new(),
            _ => reader.text()?.unwrap_or_default().to_vec(),
        };
        Ok(Done { affected, insert_id, status, warnings, info })
    }
}

/// The end of a list of columns or rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct End {
    pub warnings: u16,
    pub status: u16,
}

impl End {
    /// Is a packet the end of rows? A row may begin with 254 too, but is longer then.
    pub fn is(packet: &[u8]) -> bool {
        packet.first() == Some(&254) && packet.len() < 9
    }
    /// The whole packet; old servers send its first byte alone.
    pub fn decode(packet: &[u8]) -> Tried<End> {
        let mut reader = Reader::new(packet);
        reader.skip(1)?;
        if reader.left() == 0 {
            return Ok(End::default());
        }
        Ok(End { warnings: reader.u16()?, status: reader.u16()? })
    }
}

/// What the answer to a query begins with.
#[derive(Debug)]
pub enum Answer {
    Done(Done),
    Error(ServerError),
    /// The server wants this file's content.
    LocalInfile(Vec<u8>),
    /// So many columns follow.
    Columns(usize),
}

impl Answer {
    pub fn decode(packet: &[u8]) -> Tried<Answer> {
        let mut reader = Reader::new(packet);
        match reader.peek().ok_or(Short)? {
            0 => {
                reader.skip(1)?;
                Done::decode(&mut reader).map(Answer::Done)
            }
            255 => {
                reader.skip(1)?;
                Ok(Answer::Error(server_error(reader)))
            }
            251 => {
                reader.skip(1)?;
                Ok(Answer::LocalInfile(reader.rest().to_vec()))
            }
            _ => match reader.number()? {
                // No server has more columns than this.
                Some(n @ 1..=0xffff) => Ok(Answer::Columns(n as usize)),
                _ => Err(Short),
            },
        }
    }
}

/// A column of a result, as the server describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnDefinition {
    pub catalog: Vec<u8>,
    pub db: Vec<u8>,
    pub table: Vec<u8>,
    pub org_table: Vec<u8>,
    pub name: Vec<u8>,
    pub org_name: Vec<u8>,
    pub charset: u16,
    pub length: u32,
    pub kind: u8,
    pub flags: u16,
    pub decimals: u8,
    pub default: Option<Vec<u8>>,
}

impl ColumnDefinition {
    pub fn text_bytes(&self) -> usize {
        let texts = [&self.catalog, &self.db, &self.table, &self.org_table, &self.name, &self.org_name];
        texts.iter().map(|text| text.len()).sum::<usize>() + self.default.as_ref().map_or(0, Vec::len)
    }
}

/// Why a column's description is no good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadColumn {
    Short,
    /// The fixed part does not have its length.
    Fixed,
    /// The default value is longer than the packet.
    Default,
}

impl From<Short> for BadColumn {
    fn from(_: Short) -> BadColumn {
        BadColumn::Short
    }
}

impl ColumnDefinition {
    pub fn decode(packet: &[u8]) -> Result<ColumnDefinition, BadColumn> {
        let mut reader = Reader::new(packet);
        let mut text = || reader.text().map(|t| t.unwrap_or_default().to_vec());
        let (catalog, db, table) = (text()?, text()?, text()?);
        let (org_table, name, org_name) = (text()?, text()?, text()?);
        if reader.u8()? != 12 {
            return Err(BadColumn::Fixed);
        }
        let charset = reader.u16()?;
        let length = reader.u32()?;
        let kind = reader.u8()?;
        let mut flags = reader.u16()?;
        let decimals = reader.u8()?;
        reader.skip(2)?;
        // Only the answer to COM_FIELD_LIST has a default.
        let default = match reader.left() {
            0 => None,
            _ => reader.text().map_err(|_| BadColumn::Default)?.map(<[u8]>::to_vec),
        };
        let number = matches!(kind, self::kind::DECIMAL..=self::kind::INT24 | self::kind::YEAR | self::kind::NEWDECIMAL);
        let number = number && (kind != self::kind::TIMESTAMP || length == 14 || length == 8);
        if number {
            flags |= column_flag::NUM;
        }
        Ok(ColumnDefinition { catalog, db, table, org_table, name, org_name, charset, length, kind, flags, decimals, default })
    }
}

/// A statement is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prepared {
    pub id: u32,
    pub columns: u16,
    pub parameters: u16,
    pub warnings: u16,
}

impl Prepared {
    /// After the first byte, 0.
    pub fn decode(reader: &mut Reader<'_>) -> Tried<Prepared> {
        let id = reader.u32()?;
        let columns = reader.u16()?;
        let parameters = reader.u16()?;
        let warnings = match reader.left() {
            0..3 => 0,
            _ => {
                reader.skip(1)?;
                reader.u16()?
            }
        };
        Ok(Prepared { id, columns, parameters, warnings })
    }
}

/// What the server answers while the client signs in.
#[derive(Debug, PartialEq, Eq)]
pub enum SignIn {
    Done(Done),
    Error(ServerError),
    /// Another method, with its data; without a name: that of servers before 4.1.
    Switch(Option<(Vec<u8>, Vec<u8>)>),
    /// Data of the method.
    More(Vec<u8>),
}

impl SignIn {
    pub fn decode(packet: &[u8]) -> Tried<SignIn> {
        let mut reader = Reader::new(packet);
        match reader.u8()? {
            0 => Done::decode(&mut reader).map(SignIn::Done),
            1 => Ok(SignIn::More(reader.rest().to_vec())),
            254 if reader.left() == 0 => Ok(SignIn::Switch(None)),
            254 => {
                let name = reader.until_nul().to_vec();
                Ok(SignIn::Switch(Some((name, reader.rest().to_vec()))))
            }
            255 => Ok(SignIn::Error(server_error(reader))),
            _ => Err(Short),
        }
    }
}

/// Decodes bytes as every packet there is: what fuzzers call.
pub fn decode_all(bytes: &[u8]) {
    let _ = Greeting::decode(bytes);
    let _ = Answer::decode(bytes);
    let _ = ColumnDefinition::decode(bytes);
    let _ = SignIn::decode(bytes);
    let _ = End::is(bytes).then(|| End::decode(bytes));
    let _ = Prepared::decode(&mut Reader::new(bytes));
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREETING: &[u8] = b"\x0a5.5.5-10.11.6-MariaDB\0\x0b\0\0\0abcdefgh\0\xfe\xf7\x08\x02\0\xff\x81\x15\0\0\0\0\0\0\x1d\0\0\0ijklmnopqrst\0mysql_native_password\0";

    #[test]
    fn greeting() {
        let greeting = Greeting::decode(GREETING).unwrap().unwrap();
        assert_eq!(greeting.version, b"5.5.5-10.11.6-MariaDB");
        assert_eq!(greeting.thread, 11);
        assert_eq!(greeting.scramble, b"abcdefghijklmnopqrst");
        assert_eq!(greeting.plugin, b"mysql_native_password");
        assert_eq!(greeting.charset, 8);
    }

    #[test]
    fn cut_anywhere() {
        let column = b"\x03def\x04test\x01t\x01t\x02id\x02id\x0c\x3f\0\x0b\0\0\0\x03\x03\x50\0\0\0";
        assert_eq!(ColumnDefinition::decode(column).unwrap().name, b"id");
        for packet in [GREETING, column.as_slice(), b"\0\x01\x02\x02\0\0\0\x03abc", b"\xff\x10\x04#42000text"] {
            for end in 0..packet.len() {
                decode_all(&packet[..end]);
            }
        }
    }

    #[test]
    fn answers() {
        let done = Answer::decode(b"\0\x01\x02\x02\0\x03\0\x03abc").unwrap();
        let Answer::Done(done) = done else { panic!("{done:?}") };
        assert_eq!(done, Done { affected: 1, insert_id: 2, status: 2, warnings: 3, info: b"abc".to_vec() });
        let Answer::Error(error) = Answer::decode(b"\xff\x10\x04#42000text").unwrap() else { panic!() };
        assert_eq!(error, ServerError { code: 1040, state: *b"42000", message: b"text".to_vec() });
        assert!(matches!(Answer::decode(b"\xfb/etc/passwd"), Ok(Answer::LocalInfile(f)) if f == b"/etc/passwd"));
        assert!(matches!(Answer::decode(b"\x02"), Ok(Answer::Columns(2))));
        assert!(Answer::decode(b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff").is_err());
        assert!(Answer::decode(b"").is_err());
    }
}
