//! What `-v`, `-m` and `--ini` print.

use crate::settings::{DEFAULT_FOLDER, Sources};
use jumbo_abi::{Extension, registry};
use std::fmt::Write;

/// The version of PHP that Jumbo is compatible with.
pub const PHP_VERSION: &str = Extension::EMPTY.version;

/// The text of `-v`. Tools look for `PHP 8.4.x (cli)` at its beginning.
pub fn version(sapi: &str) -> String {
    format!("PHP {PHP_VERSION} ({sapi}) (NTS)\nJumbo v{}\n", env!("CARGO_PKG_VERSION"))
}

/// The text of `-m`: extensions by name, whatever their case.
pub fn modules() -> String {
    let mut names: Vec<&str> = registry::get().extensions.iter().map(|e| e.name).collect();
    names.sort_by_key(|n| n.to_ascii_lowercase());
    names.dedup();
    let mut text = String::from("[PHP Modules]\n");
    for name in names {
        text.push_str(name);
        text.push('\n');
    }
    text.push_str("\n[Zend Modules]\nZend OPcache\n\n");
    text
}

/// The text of `--ini`.
pub fn ini_files(sources: &Sources) -> String {
    let none = || "(none)".to_owned();
    let loaded = sources.loaded.as_ref().map_or_else(none, |p| p.display().to_string());
    let folders: Vec<String> = sources.scanned_folders.iter().map(|p| p.display().to_string()).collect();
    let files: Vec<String> = sources.scanned.iter().map(|p| p.display().to_string()).collect();
    let or_none = |list: Vec<String>, by: &str| if list.is_empty() { none() } else { list.join(by) };
    let mut text = String::new();
    // Writing into a String does not fail.
    let _ = writeln!(text, "Configuration File (php.ini) Path: {DEFAULT_FOLDER}");
    let _ = writeln!(text, "Loaded Configuration File:         {loaded}");
    let _ = writeln!(text, "Scan for additional .ini files in: {}", or_none(folders, ":"));
    let _ = writeln!(text, "Additional .ini files parsed:      {}", or_none(files, ",\n"));
    text
}
