//! What is declared in an instance, by name: functions, classes and constants, builtin ones included.

use crate::{ClassPtr, Cx, FnPtr};
use jumbo_bytecode::names::{CLASSES, CONSTANTS, FUNCTIONS};
use jumbo_value::{Heap, PStr, Value};

/// What a defined constant counts against memory_limit, besides its value.
const CONSTANT_BYTES: usize = 128;

/// The name under which a constant is kept: no leading backslash, the namespace in lower case.
fn constant_key(name: &[u8]) -> Vec<u8> {
    let name = name.strip_prefix(b"\\").unwrap_or(name);
    let mut key = name.to_vec();
    if let Some(end) = key.iter().rposition(|&b| b == b'\\') {
        key[..end].make_ascii_lowercase();
    }
    key
}

fn lower(name: &[u8]) -> Vec<u8> {
    name.strip_prefix(b"\\").unwrap_or(name).to_ascii_lowercase()
}

impl Cx {
    /// A function by name, in any case, with or without leading backslash.
    pub fn find_function(&self, name: &[u8]) -> Option<FnPtr> {
        self.functions.get(FUNCTIONS.find(&lower(name))?).copied()
    }
    /// Functions that PHP code declared, in this order: lower-cased name and function.
    pub fn user_functions(&self) -> Vec<(PStr, FnPtr)> {
        self.functions.iter().map(|(handle, f)| (FUNCTIONS.name(handle), *f)).collect()
    }
    /// Classes, interfaces, traits and enums that PHP code declared, with aliases, in the order of declaration: lower-cased name and class.
    pub fn user_classes(&self) -> Vec<(PStr, ClassPtr)> {
        self.classes.iter().map(|(handle, c)| (CLASSES.name(handle), *c)).collect()
    }
    /// A class that is declared now, without autoloading.
    pub fn declared_class(&self, name: &[u8]) -> Option<ClassPtr> {
        self.classes.get(CLASSES.find(&lower(name))?).copied()
    }
    /// Gives a class one more name. False: the name is taken.
    pub fn alias_class(&mut self, class: ClassPtr, alias: &[u8]) -> bool {
        let handle = CLASSES.handle(&lower(alias));
        if self.classes.get(handle).is_some() {
            return false;
        }
        self.classes.bind(handle, class);
        true
    }
    /// Constants that PHP code or the request defined, in this order: name and value.
    pub fn user_constants(&self) -> Vec<(PStr, Value)> {
        self.constants.iter().map(|(handle, v)| (CONSTANTS.name(handle), v.clone())).collect()
    }
    pub fn constant_is_defined(&self, name: &[u8]) -> bool {
        CONSTANTS.find(&constant_key(name)).is_some_and(|handle| self.constants.get_any(handle).is_some())
    }
    /// Defines a deprecated global constant anew (`SID`), which stays until [`forget_constant`](Cx::forget_constant). One that the script has
    /// defined gets the value, and is not deprecated.
    pub fn replace_deprecated_constant(&mut self, name: &[u8], value: Value) {
        let handle = CONSTANTS.handle(&constant_key(name));
        match self.constants.get(handle) {
            Some(_) => self.constants.bind(handle, value),
            None => self.constants.bind_deprecated(handle, value),
        }
    }
    pub fn forget_constant(&mut self, name: &[u8]) {
        if let Some(handle) = CONSTANTS.find(&constant_key(name)) {
            self.constants.unbind(handle);
        }
    }
    /// Defines a global constant. False: the name is taken.
    pub fn define_constant(&mut self, name: &[u8], value: Value) -> bool {
        let handle = CONSTANTS.handle(&constant_key(name));
        if self.constants.get_any(handle).is_some() {
            return false;
        }
        self.bind_constant(handle, value);
        true
    }
    /// Binds the name of a constant, which counts against memory_limit: there may be any number of them.
    pub fn bind_constant(&mut self, handle: u32, value: Value) {
        Heap::charge_current(CONSTANT_BYTES);
        self.constants.bind(handle, value);
    }
}
