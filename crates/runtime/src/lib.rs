//! Class linking, include and autoload, ini, output buffers, streams and resources; knows nothing of HTTP or of any extension.
//!
//! - [`builtin`]: descriptors of extensions become the registry.
//! - [`link`]: a declared class becomes a linked one.
//! - [`inherit`]: what both share.

pub mod builtin;
pub mod enums;
pub mod functions;
pub mod inherit;
pub mod link;
mod magic;
mod traits;
pub mod variance;
