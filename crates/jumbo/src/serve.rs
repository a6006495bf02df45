//! `jumbo serve` and `-S`: the application server.

use crate::cli::{self, complain};
use crate::info::PHP_VERSION;
use crate::options::Options;
use crate::serve_settings::{self, Serve};
use crate::settings;
use crate::web::{input, site::PhpSite};
use jumbo_server::request::{BodyMemory, InputLimits};
use jumbo_server::{Ended, InheritedSocket, ListenAddress, Server, ServerConfig, Signals};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Settings of a served site that differ from PHP's built-in ones, as php.ini-production has them.
const SERVE_DEFAULTS: &[(&str, &str)] =
    &[("display_errors", "0"), ("log_errors", "1"), ("variables_order", "GPCS"), ("request_order", "GP")];

/// `jumbo serve`.
pub fn run(arguments: &[Vec<u8>]) -> i32 {
    // First of all: until then a signal that asks for a restart would end the process.
    let signals = match Signals::catch(true) {
        Ok(signals) => signals,
        Err(why) => return complain(&format!("cannot wait for signals: {why}")),
    };
    let serve = match serve_settings::parse(arguments) {
        Ok(Some(serve)) => serve,
        Ok(None) => {
            cli::print(serve_settings::help().as_bytes());
            return 0;
        }
        Err(why) => return complain(&why),
    };
    let options = Options { settings: serve.php.clone(), no_ini: serve.no_ini, ini_path: serve.ini_path.clone(), ..Options::default() };
    let sources = match settings::collect(&options, "php-fpm-fcgi.ini", SERVE_DEFAULTS, &[("html_errors", "1")]) {
        Ok(sources) => sources,
        Err(why) => return complain(&why),
    };
    if serve.test {
        return match Server::check(&serve.config) {
            Ok(()) => {
                eprintln!("jumbo: the settings are in order");
                0
            }
            Err(why) => complain(&why.to_string()),
        };
    }
    let inherited = match serve.handed_over.then(jumbo_server::receive_sockets).transpose() {
        Ok(sockets) => sockets.unwrap_or_default(),
        Err(why) => return complain(&why.to_string()),
    };
    match jumbo_server::raise_limit() {
        // Set here alone, so it is not set yet.
        Ok(Some(before)) => drop(jumbo_abi::request::CHILDREN_FILES_LIMIT.set(before)),
        Ok(None) => {}
        Err(why) => eprintln!("jumbo: the limit of descriptors stays as it is: {why}"),
    }
    // By its name: it may be another program there when the server begins anew.
    let program = std::env::current_exe();
    let revalidate_ms = serve.revalidate_ms.unwrap_or_else(|| settings::revalidate_ms(&sources.settings));
    cli::start("fpm-fcgi", &sources, revalidate_ms);
    jumbo_ext_sqlite3::sys::set_opens_far(serve.sqlite_on_mounts);
    let Serve { config, terminate_after, .. } = serve;
    let may_restart = || match &program {
        Ok(program) => test_restart(program),
        Err(why) => Err(format!("the name of this program is unknown: {why}")),
    };
    let ended = listen(config, PhpSite { terminate_after, error_pages: true }, inherited, signals, &may_restart, |address| format!("Jumbo serves {address}"));
    match (ended, program) {
        (Ok(Ended::Restart(handover)), Ok(program)) => {
            eprintln!("Jumbo begins anew");
            let error = handover.exec(&program, std::env::args_os().skip(1).collect());
            complain(&format!("cannot start {}: {error}", program.display()))
        }
        (Ok(_), _) => 0,
        (Err(why), _) => complain(&why),
    }
}

/// Whether the program, as it is now, would start with the settings as they are now.
fn test_restart(program: &Path) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1).filter(|argument| argument != jumbo_server::HANDED_OVER)).arg("--test");
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("cannot run {}: {e}", program.display()))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// `-S`: PHP's development server.
pub fn development(options: &Options, address: &[u8]) -> i32 {
    let address: ListenAddress = match std::str::from_utf8(address).map_err(|e| e.to_string()).and_then(str::parse) {
        Ok(address) => address,
        Err(why) => return complain(&why),
    };
    let sources = match settings::collect(options, "php-cli-server.ini", settings::CLI_DEFAULTS, &[("max_execution_time", "0")]) {
        Ok(sources) => sources,
        Err(why) => return complain(&why),
    };
    cli::start("cli-server", &sources, Some(0));
    let root = options.document_root.as_deref().map_or_else(|| PathBuf::from("."), |r| PathBuf::from(OsStr::from_bytes(r)));
    if !root.is_dir() {
        return complain(&format!("Directory {} does not exist.", root.display()));
    }
    let config = ServerConfig {
        listen: vec![address],
        document_root: root,
        router_script: options.file.as_deref().map(|f| PathBuf::from(OsStr::from_bytes(f))),
        server_software: format!("PHP/{PHP_VERSION} (Development Server)"),
        path_cache_ms: 0,
        ..ServerConfig::development()
    };
    let signals = match Signals::catch(false) {
        Ok(signals) => signals,
        Err(why) => return complain(&format!("cannot wait for signals: {why}")),
    };
    // Its folder is often one of another machine's, and nobody else waits.
    jumbo_ext_sqlite3::sys::set_opens_far(true);
    let never = || Err("this server does not begin anew".to_owned());
    let banner = |address: &str| format!("PHP {PHP_VERSION} Development Server ({address}) started");
    match listen(config, PhpSite { terminate_after: None, error_pages: false }, Vec::new(), signals, &never, banner) {
        Ok(_) => 0,
        Err(why) => complain(&why),
    }
}

/// What is to be said about the settings goes into the log: no request is to blame.
pub fn tell_startup_warnings() {
    for text in jumbo_engine::startup_warnings() {
        eprintln!("PHP Warning:  {} in Unknown on line 0", String::from_utf8_lossy(text));
    }
}

/// Serves until a signal ends it.
fn listen(
    mut config: ServerConfig,
    site: PhpSite,
    inherited: Vec<InheritedSocket>,
    signals: Signals,
    may_restart: &dyn Fn() -> Result<(), String>,
    banner: impl Fn(&str) -> String,
) -> Result<Ended, String> {
    tell_startup_warnings();
    let body_memory = BodyMemory::new(config.body_memory_bytes_max);
    config.input = InputLimits { body_memory, has_other_threads: true, ..input::limits() };
    let server = Server::bind_with(config, Arc::new(site), inherited).map_err(|e| e.to_string())?;
    for address in server.addresses() {
        let shown = match address {
            ListenAddress::Tcp(tcp) => format!("http://{tcp}"),
            other => other.to_string(),
        };
        eprintln!("{}", banner(&shown));
    }
    server.run_until_signal(signals, may_restart).map_err(|e| e.to_string())
}
