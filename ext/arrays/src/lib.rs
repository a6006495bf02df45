//! The PHP extension crate: arrays of the standard extension.
//!
//! One module per stub file, each owning the functions declared there:
//!
//! | module | owns |
//! |---|---|
//! | `access` | counting, searching, keys, the internal pointer |
//! | `stack` | adding and taking elements in place |
//! | `build` | new arrays out of numbers, keys or one other array |
//! | `merge` | merging and replacing |
//! | `functional` | callbacks over elements |
//! | `sets` | differences, intersections, unique values |
//! | `sort` | sorting; `order` compares, `hybrid` is the algorithm whose sequence of comparisons programs can see |
//! | `symbols` | variables of the calling function |
//!
//! Arguments are borrowed from the caller's frame, which holds a count on them: an array that a callback changes is a
//! copy by then. By-reference arrays are taken out of the reference, changed and put back, and stay in place while
//! PHP code runs.
#![forbid(unsafe_code)]

pub mod access;
pub mod build;
pub mod functional;
mod generated;
mod hybrid;
mod leaves;
pub mod merge;
mod order;
mod range;
pub mod sets;
pub mod sort;
pub mod stack;
pub mod symbols;
mod util;

/// The array functions; the registry merges the parts of "standard".
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "standard",
    functions: generated::FUNCTIONS,
    leaves: leaves::LEAVES,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
