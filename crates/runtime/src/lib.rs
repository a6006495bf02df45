//! Class linking, include and autoload, ini, output buffers, streams and resources; knows nothing of HTTP or of any extension.
//!
//! - [`builtin`]: descriptors of extensions become the registry.
//! - [`link`]: a declared class becomes a linked one.
//! - [`inherit`]: what both share.
//! - [`parts`]: what is made of a unit once for all instances.

pub mod builtin;
pub mod enums;
pub mod inherit;
pub mod link;
pub mod linked;
mod magic;
pub mod parts;
mod traits;
pub mod variance;
