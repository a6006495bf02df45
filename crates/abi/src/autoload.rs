//! The autoloaders of one instance: what `spl_autoload_register` keeps and the class lookup calls.

use crate::Callable;

/// State of an instance (see [`Cx::state`](crate::Cx::state)).
#[derive(Default)]
pub struct Autoloaders {
    /// In the order in which they are asked.
    pub list: Vec<Callable>,
    /// Lower-cased names being loaded now: one that is asked for again meanwhile is simply not found.
    pub running: Vec<Box<[u8]>>,
}
