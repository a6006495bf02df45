//! The PHP extension crate: apcu, a cache of values that all requests of the server share.
//!
//! | module | owns |
//! |---|---|
//! | `cache` | the entries, in parts with a lock each; limits and statistics |
//! | `stored` | values outside of any request, and the way in and out |
//! | `apcu` | the functions |
//! | `apcu_iterator` | the class APCUIterator |
#![forbid(unsafe_code)]

pub mod apcu;
pub mod apcu_iterator;
mod cache;
#[rustfmt::skip]
mod generated;
mod stored;

/// The extension. Its version is that of the interface.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "apcu",
    version: "5.1.24",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    info: Some(info),
    ..jumbo_abi::Extension::EMPTY
};

fn info(cx: &mut jumbo_abi::Cx) -> Vec<(String, String)> {
    let enabled = if apcu::enabled(cx) { "Enabled" } else { "Disabled" };
    vec![("APCu Support".to_owned(), enabled.to_owned()), ("Version".to_owned(), EXTENSION.version.to_owned())]
}
