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
    for (name, value) in &settings.ini {
        built.ini.configure(name, value);
    }
    disable_functions(&mut built);
    if settings.sapi != "fpm-fcgi" {
        // A function of that interface, not of an extension.
        built.function_names.shift_remove(b"fastcgi_finish_request".as_slice());
    }
    registry::install(built)
}
