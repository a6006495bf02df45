//! The command line of Jumbo: scripts and PHP's own options, the server, the disassembler.
//!
//! Called as `php` (or `php8.4`) it takes PHP's options alone; called as `php-cgi` it answers one CGI request.

#![forbid(unsafe_code)]

mod cgi;
mod cli;
mod dis;
mod extensions;
mod help;
mod info;
mod options;
mod serve;
mod serve_settings;
mod settings;
mod stdout;
mod stress;
mod web;

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// What is not a request's heap comes from here: units, tables, connections. It gives memory back after a peak, where glibc's arenas stay
/// fragmented.
#[cfg(not(jumbo_asan))]
#[global_allocator]
static ALLOCATOR: jumbo_value::allocator::WithReserve<mimalloc::MiMalloc> = jumbo_value::allocator::WithReserve(mimalloc::MiMalloc);

fn main() {
    jumbo_value::hash::seed(secrets());
    let mut arguments = cli::arguments().into_iter();
    let program = arguments.next().unwrap_or_default();
    let name = program.rsplit(|&b| b == b'/').next().unwrap_or_default();
    let arguments: Vec<Vec<u8>> = arguments.collect();
    let as_php = name.starts_with(b"php");
    std::process::exit(dispatch(as_php, name.starts_with(b"php-cgi"), &arguments));
}

/// Random numbers for the process, from the system.
fn secrets() -> [u64; 3] {
    use std::hash::{BuildHasher, Hasher};
    std::array::from_fn(|n| {
        let mut hasher = std::hash::RandomState::new().build_hasher();
        hasher.write_usize(n);
        hasher.finish()
    })
}

fn dispatch(as_php: bool, as_cgi: bool, arguments: &[Vec<u8>]) -> i32 {
    if as_cgi {
        return cgi::run(arguments, true);
    }
    if !as_php {
        match arguments.first().map(Vec::as_slice) {
            Some(b"dis") => return dis::run(&arguments[1..]),
            Some(b"serve") => return serve::run(&arguments[1..]),
            // It measures this program from outside, over HTTP.
            Some(b"bench") => {
                let arguments = arguments[1..].iter().map(|a| OsString::from_vec(a.clone())).collect();
                return jumbo_bench::command_line(arguments, std::env::current_exe().ok());
            }
            Some(b"--cgi") => return cgi::run(&arguments[1..], false),
            Some(b"--help" | b"-h" | b"help") => {
                cli::print(help::JUMBO.as_bytes());
                return 0;
            }
            _ => {}
        }
    }
    match options::parse(arguments.iter().cloned()) {
        Ok(options) => cli::run(options),
        Err(why) => {
            eprintln!("{why}");
            cli::print(help::PHP_USAGE);
            1
        }
    }
}
