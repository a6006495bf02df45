//! Byte strings, spans, identifiers, arenas and diagnostics shared by every crate; knows nothing of PHP values.
#![forbid(unsafe_code)]

mod span;

pub use span::Span;
