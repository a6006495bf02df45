//! The superglobals of a request: `$_SERVER`, `$_GET`, `$_POST`, `$_COOKIE`, `$_FILES`, `$_REQUEST`, `$_ENV`, and `$argv`, `$argc`.
//!
//! Which of them are filled is a matter of `variables_order`, `request_order` and `register_argc_argv`. Arrays that are made here lie
//! in the current heap: everything runs inside [`Instance::prepare`](crate::Instance::prepare).

use crate::instance::set_global;
use jumbo_abi::Cx;
use jumbo_value::{PArray, Value};
use std::os::unix::ffi::OsStringExt;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a request brings along.
#[derive(Default)]
pub struct Superglobals {
    /// `$_SERVER` without argv and argc.
    pub server: PArray,
    pub get: PArray,
    pub post: PArray,
    pub cookie: PArray,
    pub files: PArray,
    /// `$argv`; absent: made of the query string, as for a web request, where the variables are in `$_SERVER` alone.
    pub argv: Option<Vec<Vec<u8>>>,
    /// The query string of a web request.
    pub query_string: Vec<u8>,
}

impl Superglobals {
    /// Sets the global variables, as the settings of this instance say.
    pub fn install(self, cx: &mut Cx) {
        let order = cx.ini.str("variables_order").to_ascii_uppercase();
        let order = if cx.ini.get(b"variables_order").is_none() { b"EGPCS".to_vec() } else { order };
        let has = |letter: u8| order.contains(&letter);
        let command_line = self.argv.is_some();
        let register = command_line || cx.ini.get(b"register_argc_argv").is_none() || cx.ini.bool("register_argc_argv");
        let argv: Option<PArray> = match self.argv {
            Some(list) => Some(PArray::from_values(list.iter().map(|a| Value::bytes(a)))),
            None if register && !self.query_string.is_empty() => {
                Some(PArray::from_values(self.query_string.split(|&b| b == b'+').map(Value::bytes)))
            }
            None if register => Some(PArray::new()),
            None => None,
        };
        let get = if has(b'G') { self.get } else { PArray::new() };
        let post = if has(b'P') { self.post } else { PArray::new() };
        let cookie = if has(b'C') { self.cookie } else { PArray::new() };
        let request_order = match cx.ini.str("request_order") {
            b"" => order.clone(),
            own => own.to_ascii_uppercase(),
        };
        let mut request = PArray::new();
        for letter in request_order {
            match letter {
                b'G' => merge(&mut request, &get),
                b'P' => merge(&mut request, &post),
                b'C' => merge(&mut request, &cookie),
                _ => {}
            }
        }
        set_global(cx, "_GET", get);
        set_global(cx, "_POST", post);
        set_global(cx, "_COOKIE", cookie);
        set_global(cx, "_FILES", self.files);
        let mut server = if has(b'S') { self.server } else { PArray::new() };
        if let Some(argv) = argv {
            let count = i64::try_from(argv.len()).unwrap_or(i64::MAX);
            if command_line {
                set_global(cx, "argv", argv.clone());
                set_global(cx, "argc", count);
            }
            if has(b'S') {
                server.set_sym(b"argv", argv);
                server.set_sym(b"argc", count);
            }
        }
        set_global(cx, "_SERVER", server);
        let mut environment = PArray::new();
        if has(b'E') {
            for (name, value) in self::environment() {
                environment.set_sym(&name, Value::bytes(&value));
            }
        }
        set_global(cx, "_ENV", environment);
        set_global(cx, "_REQUEST", request);
    }
}

/// Adds the entries of `from`; arrays under one key are merged, anything else is replaced.
fn merge(into: &mut PArray, from: &PArray) {
    for (key, value) in from.entries() {
        let merged = match (into.get(&key).and_then(|v| v.as_array()), value.as_array()) {
            (Some(old), Some(new)) => {
                let mut old = old.clone();
                let new = new.clone();
                merge(&mut old, &new);
                Value::from(old)
            }
            _ => value.clone(),
        };
        into.set(key, merged);
    }
}

/// The process's environment.
pub fn environment() -> Vec<(Vec<u8>, Vec<u8>)> {
    std::env::vars_os().map(|(n, v)| (n.into_vec(), v.into_vec())).collect()
}

/// `$_SERVER` of the command line: the environment, then the script's names and the time; argv and argc follow with `install`.
pub fn cli_server(
    environment: &[(Vec<u8>, Vec<u8>)],
    name: &[u8],
    translated: &[u8],
    received: SystemTime,
) -> PArray {
    let mut server = PArray::new();
    for (variable, value) in environment {
        server.set_sym(variable, Value::bytes(value));
    }
    server.set_sym(b"PHP_SELF", Value::bytes(name));
    server.set_sym(b"SCRIPT_NAME", Value::bytes(name));
    server.set_sym(b"SCRIPT_FILENAME", Value::bytes(translated));
    server.set_sym(b"PATH_TRANSLATED", Value::bytes(translated));
    server.set_sym(b"DOCUMENT_ROOT", Value::empty_string());
    set_time(&mut server, received);
    server
}

/// `REQUEST_TIME_FLOAT` and `REQUEST_TIME`.
pub fn set_time(server: &mut PArray, received: SystemTime) {
    let since = received.duration_since(UNIX_EPOCH).unwrap_or_default();
    server.set_sym(b"REQUEST_TIME_FLOAT", since.as_micros() as f64 / 1e6);
    server.set_sym(b"REQUEST_TIME", i64::try_from(since.as_secs()).unwrap_or(i64::MAX));
}
