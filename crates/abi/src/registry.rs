//! What the process offers to every instance: extensions with their functions, classes and constants. Built once at start.

use crate::desc::{ConstDesc, Extension, Leaf};
use crate::function::FnPtr;
use crate::ini::IniTable;
use crate::{ClassPtr, Engine};
use indexmap::IndexMap;
use jumbo_value::hash::BuildBytesHasher;
use jumbo_value::{Raw, Value};
use std::sync::OnceLock;

pub struct Registry {
    pub extensions: Vec<&'static Extension>,
    /// Number for `CallBuiltin` → function.
    pub functions: Vec<FnPtr>,
    /// Number for `CallBuiltin` → a shorter way into the function.
    pub leaves: Vec<Option<Leaf>>,
    /// By lower-cased name: number.
    pub function_names: IndexMap<Box<[u8]>, u32, BuildBytesHasher>,
    /// Builtin classes by lower-cased name.
    pub classes: IndexMap<Box<[u8]>, ClassPtr, BuildBytesHasher>,
    /// stdClass, of which casts make objects.
    pub plain_class: Option<ClassPtr>,
    /// Builtin constants: immortal values.
    pub constants: IndexMap<Box<[u8]>, Constant, BuildBytesHasher>,
    /// Settings with their defaults, and what php.ini and the command line set.
    pub ini: IniTable,
    pub engine: &'static dyn Engine,
    pub units: &'static dyn crate::units::UnitProvider,
}

pub struct Constant {
    pub value: Raw,
    pub desc: &'static ConstDesc,
    pub extension: &'static str,
}

impl Constant {
    pub fn value(&self) -> Value {
        // SAFETY: the value is immortal: a handle on it needs no count.
        unsafe { self.value.into_value() }
    }
}

// SAFETY: values are immortal and never written.
unsafe impl Send for Registry {}
// SAFETY: as above.
unsafe impl Sync for Registry {}

impl Registry {
    /// What extensions offer as a `T`, in their order.
    pub fn services<T: std::any::Any>(&self) -> impl Iterator<Item = &'static T> {
        self.extensions.iter().flat_map(|e| e.services).filter_map(|s| s.downcast_ref::<T>())
    }
}

static REGISTRY: OnceLock<Registry> = OnceLock::new();

/// Sets the registry of the process; false: it was set before.
pub fn install(registry: Registry) -> bool {
    REGISTRY.set(registry).is_ok()
}

/// The registry. Nothing that executes PHP exists before it is installed.
pub fn get() -> &'static Registry {
    REGISTRY.get().expect("the engine installs the registry before anything runs")
}

pub fn try_get() -> Option<&'static Registry> {
    REGISTRY.get()
}

/// An immortal value of the registry as a handle.
pub fn value_of(raw: Raw) -> jumbo_value::Value {
    // SAFETY: values of the registry are immortal: handles of them neither count nor free.
    unsafe { jumbo_value::Value::from_raw(raw) }
}
