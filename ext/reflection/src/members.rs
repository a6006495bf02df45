//! What class members have in common: PHP's modifier numbers, and filters by them.

use jumbo_abi::{func_flags, member_flags};

/// The numbers that `getModifiers()` gives.
pub mod modifiers {
    pub const PUBLIC: i64 = 1;
    pub const PROTECTED: i64 = 2;
    pub const PRIVATE: i64 = 4;
    pub const STATIC: i64 = 16;
    pub const FINAL: i64 = 32;
    pub const ABSTRACT: i64 = 64;
    pub const EXPLICIT_ABSTRACT_CLASS: i64 = 64;
    pub const READONLY: i64 = 128;
    pub const VIRTUAL: i64 = 512;
    pub const PROTECTED_SET: i64 = 2048;
    pub const PRIVATE_SET: i64 = 4096;
    pub const READONLY_CLASS: i64 = 65536;
}

use modifiers as m;

/// Of a property or class constant.
pub fn of_member(flags: u32) -> i64 {
    let pairs = [
        (member_flags::PUBLIC, m::PUBLIC),
        (member_flags::PROTECTED, m::PROTECTED),
        (member_flags::PRIVATE, m::PRIVATE),
        (member_flags::STATIC, m::STATIC),
        (member_flags::FINAL, m::FINAL),
        (member_flags::ABSTRACT, m::ABSTRACT),
        (member_flags::READONLY, m::READONLY),
        (member_flags::VIRTUAL, m::VIRTUAL),
        (member_flags::PROTECTED_SET, m::PROTECTED_SET),
        (member_flags::PRIVATE_SET, m::PRIVATE_SET),
    ];
    let mut bits: i64 = pairs.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, bit)| bit).sum();
    if flags & member_flags::VISIBILITY == 0 {
        bits |= m::PUBLIC;
    }
    // Writing that is as visible as reading is not said.
    if bits & m::PRIVATE != 0 {
        bits &= !m::PRIVATE_SET;
    }
    if bits & m::PROTECTED != 0 {
        bits &= !m::PROTECTED_SET;
    }
    bits
}

/// Of a method.
pub fn of_method(flags: u32) -> i64 {
    let pairs = [
        (func_flags::PUBLIC, m::PUBLIC),
        (func_flags::PROTECTED, m::PROTECTED),
        (func_flags::PRIVATE, m::PRIVATE),
        (func_flags::STATIC, m::STATIC),
        (func_flags::FINAL, m::FINAL),
        (func_flags::ABSTRACT, m::ABSTRACT),
    ];
    let mut bits: i64 = pairs.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, bit)| bit).sum();
    if bits & (m::PUBLIC | m::PROTECTED | m::PRIVATE) == 0 {
        bits |= m::PUBLIC;
    }
    bits
}

/// The word of a visibility.
pub fn visibility(modifiers: i64) -> &'static str {
    if modifiers & m::PRIVATE != 0 {
        "private"
    } else if modifiers & m::PROTECTED != 0 {
        "protected"
    } else {
        "public"
    }
}

/// Does a filter argument let these modifiers through? None lets all.
pub fn passes(filter: Option<i64>, modifiers: i64) -> bool {
    filter.is_none_or(|filter| filter & modifiers != 0)
}
