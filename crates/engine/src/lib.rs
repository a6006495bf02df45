//! One engine out of the compiler, the runtime and the interpreter; takes the list of extensions.
//!
//! - [`start`]: installs the process-wide registry; once, before anything runs.
//! - [`units`]: the unit cache.
//! - [`instance`]: one PHP world, its script and its end.
//! - [`running`]: an instance as a future.
//! - [`memory`]: what requests hold of the process's memory.
//! - [`superglobals`]: `$_SERVER` and the others.
//! - [`fork`]: two processes out of one.
//! - [`ini_file`]: php.ini files.

pub mod fork;
pub mod ini_file;
pub mod instance;
pub mod memory;
pub mod running;
pub mod superglobals;
pub mod units;

use jumbo_abi::{Extension, registry};
use jumbo_abi::ini::{IniTable, parse_quantity_checked};
use jumbo_value::Heap;

pub use instance::{Instance, Outcome, Script};
pub use running::Running;

/// Settings of the process.
#[derive(Default)]
pub struct Settings {
    /// `cli`, `cli-server`, `fpm-fcgi`, …
    pub sapi: &'static str,
    /// Ini settings from php.ini, `-d` and the server, in the order of application.
    pub ini: Vec<(Vec<u8>, Vec<u8>)>,
    /// Units are trusted for this long before their file's time stamp is looked at again, in milliseconds; None: for ever.
    pub revalidate_ms: Option<u64>,
    /// php.ini and the files of the scanned folders that `ini` is from.
    pub loaded_file: Option<Box<[u8]>>,
    pub scanned_files: Vec<Box<[u8]>>,
}

static WARNINGS: std::sync::OnceLock<Vec<Vec<u8>>> = std::sync::OnceLock::new();

/// What is to be said about the settings, once in the life of the process (CLI, CGI) or when the server starts.
pub fn startup_warnings() -> &'static [Vec<u8>] {
    WARNINGS.get().map_or(&[], Vec::as_slice)
}

/// A memory_limit that no request could live with is refused, as it would be in `ini_set()`; the declared one stays. What is said about it.
fn check_memory_limit(ini: &mut IniTable, declared: Option<Box<[u8]>>) -> Vec<Vec<u8>> {
    let mut warnings = Vec::new();
    let (bytes, complaint) = parse_quantity_checked(ini.str("memory_limit"));
    if let Some(complaint) = complaint {
        warnings.push([b"Invalid \"memory_limit\" setting. ".as_slice(), &complaint].concat());
    }
    // Negative numbers are no limit.
    if usize::try_from(bytes).is_ok_and(|limit| limit < Heap::LEAST_BYTES) {
        let text = format!("Failed to set memory limit to {bytes} bytes (Current memory usage is {} bytes)", Heap::LEAST_BYTES);
        warnings.push(text.into_bytes());
        ini.refuse(b"memory_limit", declared);
    }
    warnings
}

/// The functions that `disable_functions` names are not there, for nobody; PHP code may declare its own ones of their names.
fn disable_functions(registry: &mut registry::Registry) {
    let list = registry.ini.str("disable_functions").to_ascii_lowercase();
    for name in list.split(|b| matches!(b, b' ' | b',')) {
        // `exit` is a part of the language.
        if !matches!(name, b"exit" | b"die") {
            registry.function_names.shift_remove(name);
        }
    }
}

/// Installs the registry of the process. False: it was installed before.
pub fn start(extensions: &[&'static Extension], settings: Settings) -> bool {
    // Set once: a second start finds it set, and says so below.
    let _ = jumbo_abi::request::SAPI.set(settings.sapi);
    let mut built = jumbo_runtime::builtin::build_registry(
        extensions,
        &jumbo_interp::engine::INTERPRETER,
        units::provider(settings.revalidate_ms),
    );
    let declared_limit = built.ini.get(b"memory_limit").map(|entry| entry.value.clone());
    for (name, value) in &settings.ini {
        built.ini.configure(name, value);
    }
    built.ini.configured_by(settings.loaded_file, settings.scanned_files);
    if let Some(declared) = declared_limit {
        // Set once, as the registry is.
        let _ = WARNINGS.set(check_memory_limit(&mut built.ini, declared));
    }
    disable_functions(&mut built);
    if settings.sapi != "fpm-fcgi" {
        // A function of that interface, not of an extension.
        built.function_names.shift_remove(b"fastcgi_finish_request".as_slice());
    }
    registry::install(built)
}
