//! The PHP extension crate: session.
//!
//! | module | owns |
//! |---|---|
//! | `state` | what one instance's session is; diagnostics in the words of the phase |
//! | `session` | the life of a session: start, read, write, regenerate, destroy; the session_* functions |
//! | `parameters` | the functions that read and change parameters: name, id, paths, cookie, cache |
//! | `store` | which handler keeps the data, and calls of it |
//! | `files` | the handler `files`, with its lock |
//! | `user` | handlers written in PHP |
//! | `session_handler` | the class SessionHandler: the built-in handler for PHP code to extend |
//! | `serializer` | the formats php, php_binary and php_serialize |
//! | `head` | the session's cookie and the cache limiter's headers |
//! | `settings` | checks of new values of the settings |
//!
//! `$_SESSION` is a reference that the extension holds too: a program that unsets the variable does not unset the session's data.
//! Every call of a handler may run PHP code: the state is looked at anew afterwards.
#![forbid(unsafe_code)]

pub mod files;
mod generated;
pub mod head;
pub mod parameters;
pub mod progress;
pub mod serializer;
pub mod session;
pub mod session_handler;
pub mod settings;
pub mod state;
pub mod store;
pub mod user;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "session",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    request_start: Some(session::request_start),
    request_end: Some(session::request_end),
    ..jumbo_abi::Extension::EMPTY
};
