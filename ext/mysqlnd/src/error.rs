//! Errors as the client keeps them: of a connection or a statement, the last one and the list since the last command.

use crate::packet::{NO_ERROR, ServerError, UNKNOWN_STATE};

/// Numbers of the client's own errors.
pub mod code {
    pub const CONNECTION: u32 = 2002;
    pub const SERVER_GONE: u32 = 2006;
    pub const OUT_OF_SYNC: u32 = 2014;
    pub const CANNOT_FIND_CHARSET: u32 = 2019;
    pub const MALFORMED: u32 = 2027;
    pub const NO_PREPARE: u32 = 2030;
    pub const PARAMS_NOT_BOUND: u32 = 2031;
    pub const INVALID_PARAMETER: u32 = 2034;
    pub const NO_RESULT_SET: u32 = 2053;
    pub const UNKNOWN_METHOD: u32 = 2054;
    pub const NOT_IMPLEMENTED: u32 = 2055;
    pub const INVALID_BUFFER_USE: u32 = 2035;
    pub const SSL: u32 = 2026;
    pub const INFILE_FORBIDDEN: u32 = 2068;
}

pub const SERVER_GONE: &str = "MySQL server has gone away";
pub const OUT_OF_SYNC: &str = "Commands out of sync; you can't run this command now";

/// The last error (code 0: none) and all since the last command began.
#[derive(Clone, Debug)]
pub struct ErrorInfo {
    pub code: u32,
    pub state: [u8; 5],
    pub message: Vec<u8>,
    pub list: Vec<ServerError>,
}

impl Default for ErrorInfo {
    fn default() -> ErrorInfo {
        ErrorInfo { code: 0, state: NO_ERROR, message: Vec::new(), list: Vec::new() }
    }
}

impl ErrorInfo {
    pub fn clear(&mut self) {
        *self = ErrorInfo::default();
    }
    pub fn set(&mut self, error: ServerError) {
        self.code = error.code;
        self.state = error.state;
        self.message.clone_from(&error.message);
        self.list.push(error);
    }
    /// An error of the client's own.
    pub fn set_own(&mut self, code: u32, message: impl AsRef<[u8]>) {
        self.set(ServerError { code, state: UNKNOWN_STATE, message: message.as_ref().to_vec() });
    }
}
