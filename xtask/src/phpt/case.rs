//! Runs one .phpt test under one engine, the way PHP's own runner does: same settings, same environment, scripts
//! written beside the test file and removed afterwards.

use super::section::{Phpt, normalised, replaced};
use crate::engine::{Engine, Sapi};
use crate::process::{Exit, Stderr};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The settings PHP's runner gives to every test, seen on its command line.
const SETTINGS: &[(&str, &str)] = &[
    ("output_handler", ""),
    ("open_basedir", ""),
    ("disable_functions", ""),
    ("output_buffering", "Off"),
    ("error_reporting", "30719"),
    ("display_errors", "1"),
    ("display_startup_errors", "1"),
    ("log_errors", "0"),
    ("html_errors", "0"),
    ("track_errors", "0"),
    ("report_memleaks", "1"),
    ("report_zend_debug", "0"),
    ("docref_root", ""),
    ("docref_ext", ".html"),
    ("error_prepend_string", ""),
    ("error_append_string", ""),
    ("auto_prepend_file", ""),
    ("auto_append_file", ""),
    ("ignore_repeated_errors", "0"),
    ("precision", "14"),
    ("serialize_precision", "-1"),
    ("memory_limit", "128M"),
    ("opcache.fast_shutdown", "0"),
    ("opcache.file_update_protection", "0"),
    ("opcache.revalidate_freq", "0"),
    ("opcache.jit_hot_loop", "1"),
    ("opcache.jit_hot_func", "1"),
    ("opcache.jit_hot_return", "1"),
    ("opcache.jit_hot_side_exit", "1"),
    ("opcache.jit_max_root_traces", "100000"),
    ("opcache.jit_max_side_traces", "100000"),
    ("opcache.jit_max_exit_counters", "100000"),
    ("opcache.protect_memory", "1"),
    ("zend.assertions", "1"),
    ("zend.exception_ignore_args", "0"),
    ("zend.exception_string_param_max_len", "15"),
    ("short_open_tag", "0"),
    ("date.timezone", "UTC"),
    ("session.auto_start", "0"),
    ("zlib.output_compression", "Off"),
];

/// A test to run: the file, and the environment that a redirecting test adds to it.
#[derive(Clone)]
pub struct Case {
    /// Relative to the source tree; for a redirected test `REDIRECTING: TEST`.
    pub name: String,
    pub file: PathBuf,
    pub extra_env: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Pass,
    Fail,
    Skip,
    /// Fails, and the test says that it does.
    Xfail,
}

pub struct Report {
    pub status: Status,
    /// Why it was skipped or failed, in one line.
    pub reason: String,
    /// The difference, for a failure.
    pub difference: String,
    /// What the engine complained about in a failing test: its first fatal error or panic, else the reason.
    pub symptom: String,
}

impl Report {
    pub fn new(status: Status, reason: impl Into<String>) -> Report {
        let reason = reason.into();
        Report { status, symptom: reason.clone(), reason, difference: String::new() }
    }
}

/// What all tests of a run share.
pub struct Context {
    pub engine: Engine,
    /// The source tree, also the working directory of every test.
    pub sources: PathBuf,
    /// What tests call as `php-cgi`.
    pub cgi: Option<PathBuf>,
    /// Extensions of the engine in lower case, where they are known.
    pub extensions: Option<HashSet<String>>,
    /// Whether SKIPIF decides; without, the test is known to be runnable from stock's committed result.
    pub ask_skipif: bool,
    /// Where the tests of database extensions find their server.
    pub database: Vec<(String, String)>,
}

/// Names and values of ini settings.
type Settings = Vec<(String, Vec<u8>)>;

/// A file that exists as long as this value.
struct Script(PathBuf);

impl Script {
    fn write(path: PathBuf, text: &[u8]) -> Result<Script, Report> {
        // An old file may be read-only or a link: a new one is made.
        drop(fs::remove_file(&path));
        match fs::write(&path, text) {
            Ok(()) => Ok(Script(path)),
            Err(e) => Err(Report::new(Status::Fail, format!("cannot write {}: {e}", path.display()))),
        }
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        // The test may have removed it itself.
        drop(fs::remove_file(&self.0));
    }
}

/// Runs `case`; every fault, the test file's own included, becomes a report.
pub fn run(context: &Context, case: &Case, phpt: &Phpt) -> Report {
    try_run(context, case, phpt).unwrap_or_else(|report| report)
}

fn try_run(context: &Context, case: &Case, phpt: &Phpt) -> Result<Report, Report> {
    if phpt.has("PHPDBG") {
        return Ok(Report::new(Status::Skip, "needs phpdbg"));
    }
    if phpt.has("REDIRECTTEST") {
        return Ok(Report::new(Status::Skip, "stands for other tests, which this engine cannot name"));
    }
    if let Some(known) = &context.extensions {
        for extension in phpt.lines("EXTENSIONS") {
            if !known.contains(&extension.to_ascii_lowercase()) {
                return Ok(Report::new(Status::Skip, format!("needs extension {extension}")));
            }
        }
    }
    let sapi = if phpt.is_web() { Sapi::Cgi } else { Sapi::Cli };
    let folder = case.file.parent().unwrap_or(Path::new("/"));
    let stem = case.file.with_extension("");
    let beside = |suffix: &str| {
        let mut name = stem.clone().into_os_string();
        name.push(suffix);
        PathBuf::from(name)
    };
    let settings = settings(phpt, folder);

    let mut xfail = phpt.get("XFAIL").map(|text| String::from_utf8_lossy(text.trim_ascii()).into_owned());
    if context.ask_skipif
        && let Some(code) = phpt.filled("SKIPIF")
    {
        let script = Script::write(beside(".skip.php"), code)?;
        match skipif(context, case, phpt, sapi, &script.0)? {
            Precondition::Run => {}
            Precondition::Skip(reason) => return Ok(Report::new(Status::Skip, reason)),
            Precondition::Xfail(reason) => xfail = Some(reason),
        }
    }

    let script = Script::write(beside(".php"), phpt.get("FILE").unwrap_or_default())?;
    let result = execute(context, case, phpt, sapi, &settings, &script.0);
    drop(script);
    if let Some(code) = phpt.filled("CLEAN") {
        let script = Script::write(beside(".clean.php"), code)?;
        let mut job = context.engine.job(Sapi::Cli, command_line(&default_settings(), &script.0), &context.sources);
        job.env.extend(environment(context, case, phpt, &script.0));
        // What it prints is of no interest, and nor is its failure: the next tests will tell.
        drop(job.run());
    }

    let report = result?;
    Ok(match (report.status, xfail) {
        (Status::Fail, Some(reason)) => Report { status: Status::Xfail, reason, ..report },
        _ => report,
    })
}

/// Runs the script itself and compares.
fn execute(
    context: &Context,
    case: &Case,
    phpt: &Phpt,
    sapi: Sapi,
    settings: &Settings,
    script: &Path,
) -> Result<Report, Report> {
    let engine = &context.engine;
    let mut job = engine.job(sapi, command_line(settings, script), &context.sources);
    job.env.extend(environment(context, case, phpt, script));
    job.stderr = Stderr::Merged;
    if let Some(captured) = phpt.get("CAPTURE_STDIO") {
        let captured = String::from_utf8_lossy(captured).to_ascii_uppercase();
        job.stdout_captured = captured.contains("STDOUT");
        job.stderr = if captured.contains("STDERR") { Stderr::Merged } else { Stderr::Null };
    }
    if let Some(input) = phpt.get("STDIN") {
        job.stdin = input.to_vec();
    }
    if let Some(request) = Request::of(phpt) {
        job.env.extend(request.env);
        job.stdin = request.body;
    }
    if let Some(arguments) = phpt.filled("ARGS") {
        // The arguments are a piece of shell: quotes and escapes in it mean what they mean there.
        let arguments = String::from_utf8_lossy(arguments.trim_ascii()).into_owned();
        let mut args: Vec<OsString> = vec!["-c".into(), format!("exec \"$0\" \"$@\" -- {arguments}").into()];
        args.push(job.program.into_os_string());
        args.append(&mut job.args);
        job.args = args;
        job.program = "/bin/sh".into();
    }
    let outcome = job.run().map_err(|e| Report::new(Status::Fail, format!("cannot run the engine: {e}")))?;

    let mut output = outcome.output;
    let mut headers = Vec::new();
    if sapi == Sapi::Cgi
        && let Some((head, body)) = split_headers(&output)
    {
        headers = head.to_vec();
        output = body.to_vec();
    }
    if let Exit::Signal(signal) = outcome.exit {
        output.extend_from_slice(format!("\n\nTermsig={signal}\n").as_bytes());
    }
    let output = normalised(&output);
    let expectation = phpt.expectation();
    let mut reason = String::new();
    match expectation.matches(&output) {
        Ok(true) => {}
        Ok(false) => reason = "output differs".to_owned(),
        Err(fault) => reason = format!("cannot compare: {fault}"),
    }
    for line in phpt.lines("EXPECTHEADERS") {
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        let found = header(&headers, name.trim());
        if found.as_deref() != Some(value.trim()) {
            reason = format!("header {line:?} expected, found {:?}", found.unwrap_or_default());
        }
    }
    match outcome.exit {
        Exit::TimedOut | Exit::TooMuchOutput => reason = outcome.exit.to_string(),
        Exit::Signal(_) if !reason.is_empty() => reason = outcome.exit.to_string(),
        Exit::Signal(_) | Exit::Code(_) => {}
    }
    if reason.is_empty() {
        return Ok(Report::new(Status::Pass, ""));
    }
    let difference = expectation.difference(&output);
    let symptom = symptom(&output).unwrap_or_else(|| reason.clone());
    Ok(Report { status: Status::Fail, reason, difference, symptom })
}

/// The first line of the output that tells of an error which ends a script, without the place where it happened.
fn symptom(output: &[u8]) -> Option<String> {
    const SIGNS: &[&str] = &["Fatal error: ", "Parse error: ", "panicked at "];
    let text = String::from_utf8_lossy(output);
    let mut lines = text.lines();
    let line = lines.find(|line| SIGNS.iter().any(|sign| line.contains(sign)))?;
    // A panic states its place first and its message on the next line.
    let next = lines.next().unwrap_or_default();
    let line = if line.contains("panicked at ") { format!("{line} {next}") } else { line.to_owned() };
    let end = line.find(" in /").unwrap_or(line.len());
    Some(line[..end].trim().to_owned())
}

enum Precondition {
    Run,
    Skip(String),
    Xfail(String),
}

/// Runs SKIPIF, whose first word of output says what to do.
fn skipif(
    context: &Context,
    case: &Case,
    phpt: &Phpt,
    sapi: Sapi,
    script: &Path,
) -> Result<Precondition, Report> {
    // The test's own settings are not for SKIPIF.
    let mut settings = default_settings();
    settings.push(("display_startup_errors".to_owned(), b"0".to_vec()));
    let mut args: Vec<OsString> = command_line(&settings, script);
    if sapi == Sapi::Cgi {
        args.insert(0, "-q".into());
    }
    let mut job = context.engine.job(sapi, args, &context.sources);
    job.env.extend(environment(context, case, phpt, script));
    job.stderr = Stderr::Merged;
    let outcome = job.run().map_err(|e| Report::new(Status::Fail, format!("cannot run SKIPIF: {e}")))?;
    let mut output = outcome.output.as_slice();
    if sapi == Sapi::Cgi
        && let Some((_, body)) = split_headers(output)
    {
        output = body;
    }
    let text = String::from_utf8_lossy(output.trim_ascii()).into_owned();
    let lower = text.to_ascii_lowercase();
    let reason = |word: &str| {
        let rest = text.get(word.len()..).unwrap_or_default().trim_start_matches([' ', ':', ',', '-']);
        rest.lines().next().unwrap_or_default().trim().to_owned()
    };
    if lower.starts_with("skip") {
        return Ok(Precondition::Skip(reason("skip")));
    }
    if lower.starts_with("xfail") {
        return Ok(Precondition::Xfail(reason("xfail")));
    }
    // These only tell PHP's runner how to report or to cache.
    if text.is_empty() || ["info", "warn", "flaky", "nocache"].iter().any(|word| lower.starts_with(word)) {
        return Ok(Precondition::Run);
    }
    Err(Report::new(Status::Fail, format!("SKIPIF printed {:?}", text.lines().next().unwrap_or_default())))
}

fn default_settings() -> Settings {
    SETTINGS.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect()
}

/// The default settings, overridden and followed by the test's own.
fn settings(phpt: &Phpt, folder: &Path) -> Settings {
    let mut all = default_settings();
    for (name, value) in phpt.pairs("INI") {
        let value = replaced(&value, "{PWD}", folder.as_os_str().as_bytes());
        let value = mail_command(replaced(&value, "{TMP}", b"/tmp"));
        let repeatable = name == "extension" || name == "zend_extension";
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some(setting) if !repeatable => setting.1 = value,
            _ => all.push((name, value)),
        }
    }
    all
}

/// `{MAIL:file}` stands for a mail program that writes into the file.
fn mail_command(value: Vec<u8>) -> Vec<u8> {
    let Some(file) = value.strip_prefix(b"{MAIL:").and_then(|rest| rest.strip_suffix(b"}")) else { return value };
    [b"tee ", file, b" >/dev/null"].concat()
}

fn command_line(settings: &Settings, script: &Path) -> Vec<OsString> {
    let mut args = Vec::with_capacity(settings.len() * 2 + 2);
    for (name, value) in settings {
        args.push("-d".into());
        args.push(OsString::from_vec([name.as_bytes(), b"=", value].concat()));
    }
    args.push("-f".into());
    args.push(script.as_os_str().to_owned());
    args
}

/// What PHP's runner puts into the environment, and the test's own variables.
fn environment(context: &Context, case: &Case, phpt: &Phpt, script: &Path) -> Vec<(OsString, OsString)> {
    let extra: Vec<String> = SETTINGS.iter().map(|(name, value)| format!("-d \"{name}={value}\"")).collect();
    let cli = context.engine.program(Sapi::Cli).to_string_lossy();
    let trimmed = |name| OsString::from_vec(phpt.get(name).unwrap_or_default().trim_ascii().to_vec());
    let mut env: Vec<(OsString, OsString)> = vec![
        ("REDIRECT_STATUS".into(), "1".into()),
        ("REQUEST_METHOD".into(), "GET".into()),
        ("PATH_TRANSLATED".into(), script.into()),
        ("SCRIPT_FILENAME".into(), script.into()),
        ("TEMP".into(), "/tmp".into()),
        ("NO_INTERACTION".into(), "1".into()),
        ("SKIP_ONLINE_TESTS".into(), "1".into()),
        ("SKIP_IO_CAPTURE_TESTS".into(), "1".into()),
        ("TEST_PHP_EXECUTABLE".into(), cli.as_ref().into()),
        ("TEST_PHP_EXECUTABLE_ESCAPED".into(), format!("'{cli}'").into()),
        ("TEST_PHP_EXTRA_ARGS".into(), extra.join(" ").into()),
        ("TEST_PHPDBG_EXECUTABLE_ESCAPED".into(), "''".into()),
    ];
    if let Some(cgi) = &context.cgi {
        let cgi = cgi.to_string_lossy();
        env.push(("TEST_PHP_CGI_EXECUTABLE".into(), cgi.as_ref().into()));
        env.push(("TEST_PHP_CGI_EXECUTABLE_ESCAPED".into(), format!("'{cgi}'").into()));
    }
    for (variable, section) in [("QUERY_STRING", "GET"), ("HTTP_COOKIE", "COOKIE")] {
        if phpt.has(section) {
            env.push((variable.into(), trimmed(section)));
        }
    }
    let folder = case.file.parent().unwrap_or(Path::new("/"));
    for (name, value) in phpt.pairs("ENV") {
        // PHP's runner does not pass variables without a value.
        if !value.is_empty() {
            let value = replaced(&value, "{PWD}", folder.as_os_str().as_bytes());
            env.push((name.into(), OsString::from_vec(value)));
        }
    }
    env.extend(context.database.iter().map(|(name, value)| (name.into(), value.into())));
    env.extend(case.extra_env.iter().map(|(name, value)| (name.into(), value.into())));
    env
}

/// The body of a request and the variables that describe it.
struct Request {
    body: Vec<u8>,
    env: Vec<(OsString, OsString)>,
}

impl Request {
    fn of(phpt: &Phpt) -> Option<Request> {
        // The test's own variables go before what follows from the body, except for the method of a form.
        let given = |name: &str| phpt.pairs("ENV").iter().any(|(known, value)| known == name && !value.is_empty());
        let mut variables = vec![("REQUEST_METHOD", "POST".to_owned())];
        let mut content_type = "application/x-www-form-urlencoded".to_owned();
        let body;
        if let Some(form) = phpt.filled("POST") {
            body = form.trim_ascii().to_vec();
        } else if let Some(form) = phpt.filled("GZIP_POST") {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            body = encoder.write_all(form.trim_ascii()).and_then(|()| encoder.finish()).ok()?;
            variables.push(("HTTP_CONTENT_ENCODING", "gzip".to_owned()));
        } else if let Some(form) = phpt.filled("DEFLATE_POST") {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            body = encoder.write_all(form.trim_ascii()).and_then(|()| encoder.finish()).ok()?;
            variables.push(("HTTP_CONTENT_ENCODING", "deflate".to_owned()));
        } else {
            let (method, raw) = match phpt.filled("POST_RAW") {
                Some(raw) => ("POST", raw),
                None => ("PUT", phpt.filled("PUT")?),
            };
            variables.clear();
            if !given("REQUEST_METHOD") {
                variables.push(("REQUEST_METHOD", method.to_owned()));
            }
            // The first Content-Type line is the header; every other line is body.
            let mut lines: Vec<&[u8]> = raw.trim_ascii().split(|&b| b == b'\n').collect();
            content_type = String::new();
            let is_type = |line: &&[u8]| line.get(..13).is_some_and(|l| l.eq_ignore_ascii_case(b"content-type:"));
            if !given("CONTENT_TYPE")
                && let Some(at) = lines.iter().position(is_type)
            {
                let value = lines.remove(at).get(13..).unwrap_or_default();
                content_type = String::from_utf8_lossy(value.trim_ascii()).into_owned();
            }
            body = lines.join(&b'\n');
        }
        if !given("CONTENT_TYPE") {
            variables.push(("CONTENT_TYPE", content_type));
        }
        if !given("CONTENT_LENGTH") || !phpt.has("POST") {
            variables.push(("CONTENT_LENGTH", body.len().to_string()));
        }
        let env = variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Some(Request { body, env })
    }
}

/// Splits a CGI response at its first empty line.
fn split_headers(response: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut start = 0;
    for line in response.split_inclusive(|&b| b == b'\n') {
        let end = start + line.len();
        if line == b"\n" || line == b"\r\n" {
            return Some((&response[..start], &response[end..]));
        }
        start = end;
    }
    None
}

/// The value of a header, the last one if it is repeated.
fn header(headers: &[u8], name: &str) -> Option<String> {
    let text = String::from_utf8_lossy(headers);
    text.lines().rev().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.trim().eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::{header, mail_command, split_headers};

    #[test]
    fn cgi_response() {
        let (head, body) = split_headers(b"X-A: b\r\nStatus: 200\r\n\r\na\n\nb").unwrap();
        assert_eq!(body, b"a\n\nb");
        assert_eq!(header(head, "x-a").as_deref(), Some("b"));
        assert_eq!(header(head, "y"), None);
        assert!(split_headers(b"no headers").is_none());
    }

    #[test]
    fn mail() {
        assert_eq!(mail_command(b"{MAIL:/d/m}".to_vec()), b"tee /d/m >/dev/null");
        assert_eq!(mail_command(b"x".to_vec()), b"x");
    }
}
