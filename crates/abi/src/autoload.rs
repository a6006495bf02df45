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

/// The same autoloader: function, object, class, and the name that a magic method is called by.
pub fn same(a: &Callable, b: &Callable) -> bool {
    a.function == b.function && a.this == b.this && a.class == b.class && a.closure == b.closure && a.magic_name == b.magic_name
}

impl Autoloaders {
    /// Where the autoloader stands.
    pub fn position(&self, loader: &Callable) -> Option<usize> {
        self.list.iter().position(|c| same(c, loader))
    }

    /// Where the one to be asked next stands, after `loader`, which stood at `at` when it was called.
    pub fn after(&self, at: usize, loader: &Callable) -> usize {
        if self.list.get(at).is_some_and(|c| same(c, loader)) { at + 1 } else { self.position(loader).map_or(at, |at| at + 1) }
    }
}
