//! The algorithms of the string functions, on bytes: nothing here knows the context of a call or diagnostics. What grows with the input is
//! collected in the request heap, and is an error when that has no more.
//!
//! What a function would warn about or throw is returned in its error type, with PHP's text; the builtins bind it.

pub mod bcrypt;
pub mod charlist;
pub mod compare;
pub mod csv;
pub mod des;
pub mod digest;
pub mod encode;
pub mod escape;
pub mod format;
pub mod hebrew;
pub mod html;
pub mod metaphone;
pub mod number;
pub mod pack;
pub mod password;
pub mod query;
pub mod replace;
pub mod scan;
pub mod shape;
pub mod tags;
pub mod url;
pub mod words;

#[cfg(test)]
mod testdata;
