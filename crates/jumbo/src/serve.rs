//! `jumbo serve` and `-S`: the application server.

use crate::cli::{self, complain};
use crate::info::PHP_VERSION;
use crate::options::Options;
use crate::serve_settings::{self, Serve};
use crate::settings;
use crate::web::{input, site::PhpSite};
use jumbo_server::{ListenAddress, Server, ServerConfig};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;

/// Settings of a served site that differ from PHP's built-in ones, as php.ini-production has them.
const SERVE_DEFAULTS: &[(&str, &str)] =
    &[("display_errors", "0"), ("log_errors", "1"), ("variables_order", "GPCS"), ("request_order", "GP")];

/// `jumbo serve`.
pub fn run(arguments: &[Vec<u8>]) -> i32 {
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
    let revalidate_ms = serve.revalidate_ms.unwrap_or_else(|| settings::revalidate_ms(&sources.settings));
    cli::start("fpm-fcgi", &sources, revalidate_ms);
    let Serve { config, terminate_after, .. } = serve;
    listen(config, PhpSite { terminate_after }, |address| format!("Jumbo serves {address}"))
}

/// `-S`: PHP's development server.
pub fn development(options: &Options, address: &[u8]) -> i32 {
    let listen: ListenAddress = match std::str::from_utf8(address).map_err(|e| e.to_string()).and_then(str::parse) {
        Ok(listen) => listen,
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
        listen: vec![listen],
        document_root: root,
        router_script: options.file.as_deref().map(|f| PathBuf::from(OsStr::from_bytes(f))),
        server_software: format!("PHP/{PHP_VERSION} (Development Server)"),
        path_cache_ms: 0,
        ..ServerConfig::development()
    };
    listen_with(config, |address| format!("PHP {PHP_VERSION} Development Server ({address}) started"))
}

/// What is to be said about the settings goes into the log: no request is to blame.
pub fn tell_startup_warnings() {
    for text in jumbo_engine::startup_warnings() {
        eprintln!("PHP Warning:  {} in Unknown on line 0", String::from_utf8_lossy(text));
    }
}

fn listen_with(config: ServerConfig, banner: impl Fn(&str) -> String) -> i32 {
    listen(config, PhpSite { terminate_after: None }, banner)
}

/// Serves until a signal ends it.
fn listen(mut config: ServerConfig, site: PhpSite, banner: impl Fn(&str) -> String) -> i32 {
    tell_startup_warnings();
    config.input = input::limits();
    let server = match Server::bind(config, Arc::new(site)) {
        Ok(server) => server,
        Err(e) => return complain(&e.to_string()),
    };
    for address in server.addresses() {
        let shown = match address {
            ListenAddress::Tcp(tcp) => format!("http://{tcp}"),
            other => other.to_string(),
        };
        eprintln!("{}", banner(&shown));
    }
    match server.run_until_signal() {
        Ok(()) => 0,
        Err(e) => complain(&e.to_string()),
    }
}
