//! One CGI request: its description in the environment, its body on standard input, the answer on standard output.

use crate::cli::{self, complain};
use crate::info::PHP_VERSION;
use crate::options::{self, Mode};
use crate::settings;
use crate::stdout::Stdout;
use crate::web::{head, input, site};
use jumbo_abi::output::Sink;
use jumbo_engine::superglobals::{self, Superglobals};
use jumbo_engine::{Instance, Script};
use jumbo_server::request::{BodyDecoder, DecodedBody, parse_cookies, parse_query};
use jumbo_value::{PArray, Value};
use std::io::Read;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::time::SystemTime;

/// Answers the request. `change_folder`: scripts start in their own folder, unless `-C` is given.
pub fn run(arguments: &[Vec<u8>], change_folder: bool) -> i32 {
    let options = match options::parse(arguments.iter().cloned()) {
        Ok(options) => options,
        Err(why) => return complain(&why),
    };
    let change_folder = change_folder && !arguments.iter().any(|a| a == b"-C");
    let sources = match settings::collect(&options, "php-cgi.ini", &[("display_errors", "1")], &[]) {
        Ok(sources) => sources,
        Err(why) => return complain(&why),
    };
    cli::start("cgi-fcgi", &sources, Some(0));
    let file = options.file.clone();
    cli::on_big_stack(move || match options.mode {
        Mode::Version => {
            cli::print(crate::info::version("cgi-fcgi").as_bytes());
            0
        }
        Mode::Modules => {
            cli::print(crate::info::modules().as_bytes());
            0
        }
        _ => {
            crate::serve::tell_startup_warnings();
            answer(file, options.quiet, change_folder)
        }
    })
}

fn variable(name: &str) -> Vec<u8> {
    std::env::var_os(name).map(OsStringExt::into_vec).unwrap_or_default()
}

/// The script: what the web server says, else the command line.
fn script_file(named: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let is_file = |path: &Vec<u8>| std::fs::metadata(std::ffi::OsStr::from_bytes(path)).is_ok_and(|m| !m.is_dir());
    [variable("PATH_TRANSLATED"), variable("SCRIPT_FILENAME")].into_iter().chain(named).filter(|p| !p.is_empty()).find(is_file)
}

fn answer(named: Option<Vec<u8>>, quiet: bool, change_folder: bool) -> i32 {
    let received = SystemTime::now();
    let Some(file) = script_file(named) else {
        let head = if quiet { String::new() } else { missing_head() };
        cli::print(format!("{head}No input file specified.\n").as_bytes());
        return 0;
    };
    let body = match read_body() {
        Ok(body) => body,
        Err(e) => return complain(&format!("cannot read the request's body: {e}")),
    };
    let mut instance = match Instance::new(Box::new(CgiSink { out: Stdout::new(), quiet })) {
        Ok(instance) => Box::new(instance),
        Err(e) => return complain(&format!("cannot reserve memory: {e}")),
    };
    let prepared = instance.prepare(|cx| {
        if site::expose_php(cx) {
            cx.output.head.headers.push(site::powered_by());
        }
        if change_folder && let Some(end) = file.iter().rposition(|&b| b == b'/') {
            cx.cwd = file[..end.max(1)].to_vec();
        }
        let limits = input::limits();
        let post = body.post.decode(&body.raw, &limits)?;
        let query = variable("QUERY_STRING");
        let get = parse_query(&query, &limits);
        let cookies = parse_cookies(&variable("HTTP_COOKIE"), &limits);
        let globals = Superglobals {
            server: server(received),
            get: input::array(&get.variables),
            post: input::array(&post.variables),
            cookie: input::array(&cookies.variables),
            files: input::array(&body.files),
            argv: None,
            query_string: query,
        };
        globals.install(cx);
        input::attach_body(cx, &variable("CONTENT_TYPE"), &body.raw, body.uploads.clone())?;
        for diagnostics in [&body.diagnostics, &post.diagnostics, &get.diagnostics, &cookies.diagnostics] {
            input::report(cx, diagnostics);
        }
        std::io::Result::Ok(())
    });
    if let Err(e) = prepared {
        return complain(&format!("cannot read the request's body: {e}"));
    }
    cli::run_alone(instance, Script::File(file)).map_or_else(|why| complain(&why), |outcome| outcome.exit_status & 0xff)
}

fn missing_head() -> String {
    format!("Status: 404 Not Found\r\nX-Powered-By: PHP/{PHP_VERSION}\r\nContent-type: text/html; charset=UTF-8\r\n\r\n")
}

/// Reads what CONTENT_LENGTH announces.
fn read_body() -> std::io::Result<DecodedBody> {
    let announced: Option<u64> = std::str::from_utf8(&variable("CONTENT_LENGTH")).ok().and_then(|t| t.trim().parse().ok());
    let limits = input::limits();
    let mut decoder = BodyDecoder::new(&variable("REQUEST_METHOD"), &variable("CONTENT_TYPE"), announced, &limits);
    let mut left = announced.unwrap_or(0);
    let mut stdin = std::io::stdin().lock();
    let mut buffer = vec![0; 64 << 10];
    while left > 0 {
        let want = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let n = stdin.read(&mut buffer[..want])?;
        if n == 0 {
            break;
        }
        decoder.push(&buffer[..n])?;
        left -= n as u64;
    }
    decoder.finish()
}

/// `$_SERVER`: the environment and what PHP adds.
fn server(received: SystemTime) -> PArray {
    let mut server = PArray::new();
    for (name, value) in superglobals::environment() {
        server.set_sym(&name, Value::bytes(&value));
    }
    let php_self = [variable("SCRIPT_NAME"), variable("PATH_INFO")].concat();
    server.set_sym(b"PHP_SELF", Value::bytes(&php_self));
    superglobals::set_time(&mut server, received);
    server
}

/// Standard output with a CGI head before the body.
struct CgiSink {
    out: Stdout,
    quiet: bool,
}

impl Sink for CgiSink {
    fn write(&mut self, bytes: &[u8]) {
        self.out.write(bytes);
    }
    fn flush(&mut self) {
        self.out.flush();
    }
    fn sync(&mut self) {
        self.out.sync();
    }
    fn aborted(&self) -> bool {
        self.out.aborted()
    }
    fn send_headers(&mut self, status: u16, status_line: Option<&[u8]>, headers: &[Vec<u8>]) {
        if self.quiet {
            return;
        }
        let mut text = Vec::new();
        let own = status_line.and_then(head::reason);
        if status != 200 || own.is_some() {
            let standard = http::StatusCode::from_u16(status).ok().and_then(|s| s.canonical_reason());
            text.extend_from_slice(format!("Status: {status}").as_bytes());
            if let Some(reason) = own.or(standard.map(str::as_bytes)) {
                text.push(b' ');
                text.extend_from_slice(reason);
            }
            text.extend_from_slice(b"\r\n");
        }
        for line in headers {
            text.extend_from_slice(line);
            text.extend_from_slice(b"\r\n");
        }
        text.extend_from_slice(b"\r\n");
        self.out.write(&text);
    }
}
