//! The PHP extension crate: files and streams of the standard extension.
//!
//! The traits stand in `jumbo_abi::stream`; here are the plain files, memory, `php://`, `data:`, user classes as streams and
//! filters, sockets, and the functions. Every path of a script goes through `jumbo_abi::stream::{absolute, allowed}`.
#![forbid(unsafe_code)]

pub mod context;
pub mod dir;
pub mod directory;
pub mod file;
pub mod file_system;
pub mod filters;
pub mod format;
#[rustfmt::skip]
mod generated;
pub mod glob;
pub mod image;
pub mod iptc;
pub mod memory;
pub mod meta_tags;
pub mod path;
pub mod php;
pub mod php_user_filter;
pub mod plain;
pub mod process;
pub mod socket;
pub mod stat;
pub mod streams;
pub mod temp;
pub mod user;
pub mod user_filter;
pub mod wait;
pub mod wrappers;

use jumbo_abi::stream::{Opened, StreamHandle, WrapperDesc, finish_deferred, to_resource};
use jumbo_abi::{Cx, Extension, Res, Value};

pub static EXTENSION: Extension = Extension {
    name: "standard",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    wrappers: WRAPPERS,
    filters: filters::FILTERS,
    request_end: Some(request_end),
    ..Extension::EMPTY
};

const WRAPPERS: &[WrapperDesc] = &[php::PHP, plain::WRAPPER, glob::WRAPPER, php::DATA];

/// Streams that need PHP code to end, ended in order; children waited for.
fn request_end(cx: &mut Cx) -> Res<()> {
    // Errors of these last calls have been reported; nothing of the request is left that could see them.
    let _ = finish_deferred(cx);
    for resource in jumbo_value::heap::Heap::current().live_resources() {
        if let Some(handle) = resource.native::<StreamHandle>() {
            let _ = handle.close(cx);
        }
    }
    let _ = process::finish_all(cx);
    Ok(())
}

/// The constants STDIN, STDOUT and STDERR of the command line.
pub fn define_std_streams(cx: &mut Cx) {
    for (name, number, mode) in [("STDIN", 0, b"rb"), ("STDOUT", 1, b"wb"), ("STDERR", 2, b"wb")] {
        let Ok(file) = php::duplicate(number) else { continue };
        let uri = format!("php://{}", name.to_ascii_lowercase());
        let opened = Opened::new(php::standard(number, file));
        let resource = to_resource(cx, opened, mode, Some(uri.as_bytes()), "PHP");
        cx.define_constant(name.as_bytes(), Value::from(resource));
    }
}
