//! The PHP extension crate: random.
//!
//! The engines and the algorithms on top of them give the numbers that stock PHP gives for the same seed; programs
//! rely on that. Only `functions`, `engines` and `randomizer` know PHP values.
//!
//! | module | owns |
//! |---|---|
//! | `engine` | the [`Engine`] interface, the secure engine, lcg_value |
//! | `mt19937`, `xoshiro`, `pcg` | the seeded engines |
//! | `range` | uniform integers |
//! | `float` | uniform floats in an interval |
//! | `pick` | shuffling, picking keys, bytes |
//! | `instance` | the generator that mt_rand, shuffle, array_rand and str_shuffle of one instance share |
//! | `functions` | mt_rand, random_int and the other functions |
//! | `engines`, `randomizer` | the classes |
#![forbid(unsafe_code)]

pub mod engine;
pub mod engines;
pub mod float;
pub mod functions;
mod generated;
pub mod instance;
pub mod mt19937;
pub mod pcg;
pub mod pick;
pub mod randomizer;
pub mod range;
pub mod xoshiro;

pub use engine::{Engine, Generated, RandomError};

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "random",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};

#[cfg(test)]
mod tests;
