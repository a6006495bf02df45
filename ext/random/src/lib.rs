//! The PHP extension crate: random.
//!
//! The engines and the algorithms on top of them give the numbers that stock PHP gives for the same seed; programs
//! rely on that. Nothing here knows PHP values.
//!
//! | module | owns |
//! |---|---|
//! | `engine` | the [`Engine`] interface, the secure engine, lcg_value |
//! | `mt19937`, `xoshiro`, `pcg` | the seeded engines |
//! | `range` | uniform integers |
//! | `float` | uniform floats in an interval |
//! | `pick` | shuffling, picking keys, bytes |
#![forbid(unsafe_code)]

pub mod engine;
pub mod float;
pub mod mt19937;
pub mod pcg;
pub mod pick;
pub mod range;
pub mod xoshiro;

pub use engine::{Engine, Generated, RandomError};

#[cfg(test)]
mod tests;
