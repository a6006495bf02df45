//! Names: namespaces, `use` tables, resolution, link-table handles.

use crate::unit::Compiler;
use crate::Result;
use jumbo_bytecode::hash::NameMap;
use jumbo_bytecode::names::{CLASSES, CONSTANTS, FUNCTIONS};
use jumbo_bytecode::types::ClassName;
use jumbo_bytecode::unit::ClassRef;
use jumbo_syntax::ast::{Name, NameKind, UseItem, UseKind};
use jumbo_value::PStr;

/// Namespace and imports in force.
#[derive(Default)]
pub struct Namespace {
    /// As written; empty in the global namespace.
    pub name: Vec<u8>,
    /// By lower-cased alias.
    classes: NameMap<Vec<u8>, Vec<u8>>,
    /// By lower-cased alias.
    functions: NameMap<Vec<u8>, Vec<u8>>,
    /// By alias.
    constants: NameMap<Vec<u8>, Vec<u8>>,
}

/// A resolved function or constant name.
pub struct Resolved {
    pub name: Vec<u8>,
    /// The global name to try when there is none in the namespace.
    pub fallback: Option<Vec<u8>>,
}

pub fn lower(bytes: &[u8]) -> Vec<u8> {
    bytes.to_ascii_lowercase()
}

/// The handle's name of a constant: its namespace lower-cased, itself as it is.
fn constant_key(name: &[u8]) -> Vec<u8> {
    match name.iter().rposition(|&b| b == b'\\') {
        Some(at) => {
            let mut key = lower(&name[..at]);
            key.extend_from_slice(&name[at..]);
            key
        }
        None => name.to_vec(),
    }
}

pub fn constant_handle(name: &[u8]) -> u32 {
    CONSTANTS.handle(&constant_key(name))
}

pub fn function_handle(name: &[u8]) -> u32 {
    FUNCTIONS.handle(&lower(name))
}

/// A class name with its handle.
pub fn class_name(name: &[u8]) -> ClassName {
    let lower = lower(name);
    ClassName {
        name: PStr::immortal(name),
        handle: CLASSES.handle_as(name),
        lower: PStr::immortal(&lower),
    }
}

/// Names that no class may have; also what types mean by them.
pub fn is_reserved_class_name(name: &[u8]) -> bool {
    const RESERVED: [&[u8]; 17] = [
        b"bool",
        b"false",
        b"float",
        b"int",
        b"null",
        b"parent",
        b"self",
        b"static",
        b"string",
        b"true",
        b"void",
        b"never",
        b"iterable",
        b"object",
        b"mixed",
        b"array",
        b"callable",
    ];
    RESERVED.iter().any(|r| r.eq_ignore_ascii_case(name))
}

impl Namespace {
    pub fn new(name: Vec<u8>) -> Namespace {
        Namespace {
            name,
            ..Namespace::default()
        }
    }

    /// `name` inside this namespace.
    pub fn prefixed(&self, name: &[u8]) -> Vec<u8> {
        if self.name.is_empty() {
            name.to_vec()
        } else {
            [self.name.as_slice(), b"\\", name].concat()
        }
    }

    /// A qualified name through the class imports of its first part.
    fn through_imports(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let at = bytes.iter().position(|&b| b == b'\\')?;
        let target = self.classes.get(&lower(&bytes[..at]))?;
        Some([target.as_slice(), &bytes[at..]].concat())
    }

    pub fn class(&self, name: &Name<'_>) -> Vec<u8> {
        match name.kind {
            NameKind::FullyQualified => name.bytes.to_vec(),
            NameKind::Relative => self.prefixed(name.bytes),
            NameKind::Unqualified => match self.classes.get(&lower(name.bytes)) {
                Some(target) => target.clone(),
                None => self.prefixed(name.bytes),
            },
            NameKind::Qualified => self
                .through_imports(name.bytes)
                .unwrap_or_else(|| self.prefixed(name.bytes)),
        }
    }

    fn resolve(&self, name: &Name<'_>, import: Option<&Vec<u8>>) -> Resolved {
        let name = match name.kind {
            NameKind::FullyQualified => name.bytes.to_vec(),
            NameKind::Relative => self.prefixed(name.bytes),
            NameKind::Qualified => self
                .through_imports(name.bytes)
                .unwrap_or_else(|| self.prefixed(name.bytes)),
            NameKind::Unqualified => match import {
                Some(target) => target.clone(),
                None if self.name.is_empty() => name.bytes.to_vec(),
                None => {
                    return Resolved {
                        name: self.prefixed(name.bytes),
                        fallback: Some(name.bytes.to_vec()),
                    };
                }
            },
        };
        Resolved {
            name,
            fallback: None,
        }
    }

    pub fn function(&self, name: &Name<'_>) -> Resolved {
        // `exit` and `die` are keywords that mean one function, whatever the namespace.
        if name.is(b"exit") || name.is(b"die") {
            return Resolved {
                name: b"exit".to_vec(),
                fallback: None,
            };
        }
        self.resolve(name, self.functions.get(&lower(name.bytes)))
    }

    pub fn constant(&self, name: &Name<'_>) -> Resolved {
        self.resolve(name, self.constants.get(name.bytes))
    }

    /// Is this class alias imported, and to what?
    pub fn imported_class(&self, alias: &[u8]) -> Option<&[u8]> {
        self.classes.get(&lower(alias)).map(Vec::as_slice)
    }

    pub fn imported_function(&self, alias: &[u8]) -> Option<&[u8]> {
        self.functions.get(&lower(alias)).map(Vec::as_slice)
    }

    pub fn imported_constant(&self, alias: &[u8]) -> Option<&[u8]> {
        self.constants.get(alias).map(Vec::as_slice)
    }
}

impl<'a> Compiler<'a, '_> {
    /// `use …;`
    pub fn use_item(&mut self, item: &UseItem<'_>) -> Result<()> {
        let (table, key, word): (_, Vec<u8>, &str);
        let last = item
            .name
            .rsplit(|&b| b == b'\\')
            .next()
            .unwrap_or(item.name);
        let alias = item.alias.unwrap_or(last);
        let shown = item.alias.unwrap_or(last);
        if item.alias.is_none() && self.namespace.name.is_empty() && !item.name.contains(&b'\\') {
            // PHP warns for `use A;` in the global namespace, which does nothing.
            if item.kind == UseKind::Class && alias.eq_ignore_ascii_case(b"strict") {
                return Err(self.error_at(
                    item.line,
                    "You seem to be trying to use a different language...",
                ));
            }
            let message = format!(
                "The use statement with non-compound name '{}' has no effect",
                String::from_utf8_lossy(shown)
            );
            self.warn(2, message.into_bytes(), item.line);
        }
        if item.kind == UseKind::Class && is_reserved_class_name(alias) {
            return Err(self.error_bytes(
                item.line,
                [
                    b"Cannot use ".as_slice(),
                    item.name,
                    b" as ",
                    shown,
                    b" because '",
                    shown,
                    b"' is a special class name",
                ]
                .concat(),
            ));
        }
        // A name that this file declares itself may not be imported for something else.
        let declared = self.namespace.prefixed(alias);
        let (declared_here, same) = match item.kind {
            UseKind::Class => (
                self.seen_classes.contains(&lower(&declared)),
                lower(&declared) == lower(item.name),
            ),
            UseKind::Function => (
                self.seen_functions.contains(&lower(&declared)),
                lower(&declared) == lower(item.name),
            ),
            UseKind::Const => (
                self.declared_constants.contains(&declared),
                declared == item.name,
            ),
        };
        (table, key, word) = match item.kind {
            UseKind::Class => (&mut self.namespace.classes, lower(alias), ""),
            UseKind::Function => (&mut self.namespace.functions, lower(alias), "function "),
            UseKind::Const => (&mut self.namespace.constants, alias.to_vec(), "const "),
        };
        if (declared_here && !same) || table.contains_key(&key) {
            let message = [
                b"Cannot use ",
                word.as_bytes(),
                item.name,
                b" as ",
                shown,
                b" because the name is already in use",
            ]
            .concat();
            return Err(self.error_bytes(item.line, message));
        }
        table.insert(key, item.name.to_vec());
        Ok(())
    }

    /// What a class name in code means; `self` and `parent` stay special where the class is not fixed.
    pub fn class_ref(&mut self, name: &Name<'_>) -> Result<ClassRef> {
        if name.is(b"self") {
            self.check_class_keyword(b"self", name.line)?;
            return Ok(ClassRef::SELF);
        }
        if name.is(b"parent") {
            self.check_class_keyword(b"parent", name.line)?;
            return Ok(ClassRef::PARENT);
        }
        if name.kind == NameKind::FullyQualified
            && (name.bytes.eq_ignore_ascii_case(b"self")
                || name.bytes.eq_ignore_ascii_case(b"parent")
                || name.bytes.eq_ignore_ascii_case(b"static"))
        {
            let message = [b"'\\", name.bytes, b"' is an invalid class name"].concat();
            return Err(self.error_bytes(name.line, message));
        }
        let resolved = self.namespace.class(name);
        Ok(ClassRef(CLASSES.handle_as(&resolved)))
    }

    /// `self`, `parent` and `static` need a class, unless the code may get one later (closures, files, traits).
    pub fn check_class_keyword(&self, keyword: &[u8], line: u32) -> Result<()> {
        match &self.class {
            Some(class) => {
                if keyword == b"parent"
                    && !class.has_parent
                    && !class.is_trait
                    && !self.in_closure()
                    && !self.f.in_constant
                {
                    return Err(self.error_at(line, "Cannot use \"parent\" when current class scope has no parent"));
                }
                Ok(())
            }
            None if self.scope_may_come_later() || self.f.in_constant => Ok(()),
            None => Err(self.error_bytes(line, [b"Cannot use \"", keyword, b"\" when no class scope is active"].concat())),
        }
    }
}

/// Names in the texts of constant expressions.
impl jumbo_syntax::export::Names for Namespace {
    fn constant(&self, name: &Name<'_>) -> Vec<u8> {
        // An unqualified name is looked up in the namespace first.
        let literal = [&b"true"[..], b"false", b"null"].iter().any(|l| name.is(l));
        if literal { name.bytes.to_vec() } else { Namespace::constant(self, name).name }
    }
    fn class(&self, name: &Name<'_>) -> Vec<u8> {
        if [&b"self"[..], b"parent", b"static"].iter().any(|l| name.is(l)) {
            return name.bytes.to_vec();
        }
        [b"\\".as_slice(), &Namespace::class(self, name)].concat()
    }
}
