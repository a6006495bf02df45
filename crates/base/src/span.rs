//! Byte ranges within one source file.

/// A half-open byte range of a source file. Files are limited to 4 GiB, so 32 bits suffice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const fn new(start: u32, end: u32) -> Self {
        Span { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, end: Span) -> Self {
        Span { start: self.start.min(end.start), end: self.end.max(end.end) }
    }

    /// The bytes of `source` that the span covers; empty when the span is not of this source.
    pub fn text(self, source: &[u8]) -> &[u8] {
        source.get(self.start as usize..self.end as usize).unwrap_or(b"")
    }
}
