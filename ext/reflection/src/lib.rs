//! The Reflection extension: objects that describe classes, functions, parameters, properties, types, attributes, and what runs.
//!
//! Each object keeps what it stands for in its native state ([`state`]); the facts are read from linked classes, functions and
//! descriptors when they are asked for. What needs the running engine goes through [`jumbo_abi::Engine`]. The texts of `__toString`
//! are in [`text`].
#![forbid(unsafe_code)]

pub mod attributes;
mod generated;
pub mod members;
pub mod reflection;
pub mod reflection_attribute;
pub mod reflection_class;
pub mod reflection_class_constant;
pub mod reflection_class_lazy;
pub mod reflection_constant;
pub mod reflection_enum;
pub mod reflection_enum_backed_case;
pub mod reflection_enum_unit_case;
pub mod reflection_extension;
pub mod reflection_fiber;
pub mod reflection_function;
pub mod reflection_function_abstract;
pub mod reflection_generator;
pub mod reflection_intersection_type;
pub mod reflection_method;
pub mod reflection_named_type;
pub mod reflection_object;
pub mod reflection_parameter;
pub mod reflection_property;
pub mod reflection_reference;
pub mod reflection_type;
pub mod reflection_union_type;
pub mod reflection_zend_extension;
pub mod state;
pub mod text;

/// The extension.
pub static EXTENSION: jumbo_abi::Extension = jumbo_abi::Extension {
    name: "Reflection",
    functions: generated::FUNCTIONS,
    classes: generated::CLASSES,
    constants: generated::CONSTANTS,
    ini: generated::INI,
    ..jumbo_abi::Extension::EMPTY
};
