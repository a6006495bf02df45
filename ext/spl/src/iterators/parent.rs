//! ParentIterator: elements that have children.

pub use super::recursive_filter::{__construct, has_children as accept};
