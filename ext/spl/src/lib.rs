//! The PHP extension crate: SPL.
//!
//! | module | owns |
//! |---|---|
//! | `functions` | spl_*, iterator_*, class_* |
//! | `array_object`, `array_iterator`, `recursive_array_iterator` | arrays behind objects |
//! | `spl_doubly_linked_list` | lists, queues, stacks |
//! | `heap`, `spl_heap`, `spl_priority_queue` | heaps |
//! | `spl_fixed_array`, `spl_object_storage`, `multiple_iterator` | what their names say |
//! | `iterators` | IteratorIterator and its family |
//! | `recursive_iterator_iterator`, `recursive_tree_iterator` | trees as lists |
//! | `spl_file_info`, `directory_iterator`, `filesystem_iterator`, `spl_file_object` | names, folders, open files |
//! | `support` | offsets, members, serialisation: what they have in common |
#![forbid(unsafe_code)]

pub mod array_iterator;
pub mod array_object;
pub mod directory_iterator;
pub mod filesystem_iterator;
pub mod functions;
mod generated;
pub mod heap;
pub mod iterators;
pub mod multiple_iterator;
pub mod recursive_array_iterator;
pub mod recursive_iterator_iterator;
pub mod recursive_tree_iterator;
pub mod spl_doubly_linked_list;
pub mod spl_file_info;
pub mod spl_file_object;
pub mod spl_fixed_array;
pub mod spl_heap;
pub mod spl_object_storage;
pub mod spl_priority_queue;
pub mod support;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "SPL",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
