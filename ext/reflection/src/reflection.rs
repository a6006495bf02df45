//! `Reflection`: names of modifiers.

use crate::members::modifiers as m;
use jumbo_abi::{ClassPtr, Cx, PArray};

pub fn get_modifier_names(_cx: &mut Cx, _class: ClassPtr, modifiers: i64) -> PArray {
    let mut names = PArray::new();
    if modifiers & (m::ABSTRACT | m::EXPLICIT_ABSTRACT_CLASS) != 0 {
        names.append("abstract");
    }
    if modifiers & m::FINAL != 0 {
        names.append("final");
    }
    if modifiers & m::VIRTUAL != 0 {
        names.append("virtual");
    }
    // Several visibilities at once are none.
    match modifiers & (m::PUBLIC | m::PROTECTED | m::PRIVATE) {
        m::PUBLIC => names.append("public"),
        m::PRIVATE => names.append("private"),
        m::PROTECTED => names.append("protected"),
        _ => {}
    }
    if modifiers & m::STATIC != 0 {
        names.append("static");
    }
    if modifiers & (m::READONLY | m::READONLY_CLASS) != 0 {
        names.append("readonly");
    }
    names
}
