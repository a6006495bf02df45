//! How much memory a unit's tables take.
//!
//! Strings and literal arrays are immortal and shared by all units: they are not counted.

use crate::types::Type;
use crate::unit::{Attribute, ClassDecl, FunctionProto, Param, SwitchTable, Unit};

impl Unit {
    /// Bytes of the unit and of the tables that only it has.
    pub fn table_bytes(&self) -> usize {
        size_of::<Unit>()
            + function(&self.main)
            + self.functions.iter().map(|f| size_of::<FunctionProto>() + function(f)).sum::<usize>()
            + self.classes.iter().map(|c| size_of::<ClassDecl>() + class(c)).sum::<usize>()
            + list(&self.hoisted_functions)
            + list(&self.hoisted_classes)
            + list(&self.diagnostics)
            + self.diagnostics.iter().map(|d| d.1.len()).sum::<usize>()
    }
}

fn list<T>(items: &[T]) -> usize {
    size_of_val(items)
}

fn function(f: &FunctionProto) -> usize {
    list(&f.params)
        + f.params.iter().map(parameter).sum::<usize>()
        + f.return_type.as_ref().map_or(0, type_of)
        + list(&f.cvs)
        + list(&f.code)
        + list(&f.literals)
        + list(&f.lines)
        + list(&f.tries)
        + list(&f.live)
        + list(&f.switches)
        + f.switches.iter().map(switch).sum::<usize>()
        + list(&f.statics)
        + list(&f.uses)
        + attributes(&f.attributes)
}

fn switch(s: &SwitchTable) -> usize {
    let strings = s.strings.iter().map(|(text, target)| text.len() + size_of_val(text) + size_of_val(target));
    s.ints.len() * size_of::<(i64, i32)>() + strings.sum::<usize>()
}

fn type_of(ty: &Type) -> usize {
    list(&ty.classes) + list(&ty.intersections) + ty.intersections.iter().map(|i| list(i)).sum::<usize>() + list(&ty.classes_before)
}

fn parameter(p: &Param) -> usize {
    p.ty.as_ref().map_or(0, type_of) + attributes(&p.attributes)
}

fn attributes(all: &[Attribute]) -> usize {
    list(all) + all.iter().map(|a| list(&a.args)).sum::<usize>()
}

fn class(c: &ClassDecl) -> usize {
    list(&c.interfaces)
        + list(&c.traits)
        + list(&c.adaptations)
        + list(&c.constants)
        + c.constants.iter().map(|k| k.ty.as_ref().map_or(0, type_of) + attributes(&k.attributes)).sum::<usize>()
        + list(&c.properties)
        + c.properties.iter().map(|p| p.ty.as_ref().map_or(0, type_of) + attributes(&p.attributes)).sum::<usize>()
        + list(&c.methods)
        + attributes(&c.attributes)
}
