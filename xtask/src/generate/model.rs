//! What a stub file declares, freed of syntax: the input of [`emit`](super::emit).

use jumbo_syntax::ast;
use std::path::PathBuf;

/// One stub file.
pub struct Stub {
    pub path: PathBuf,
    /// `string` of `string.stub.php`: name of the Rust module of its functions.
    pub module: String,
    pub functions: Vec<Function>,
    pub classes: Vec<Class>,
    pub constants: Vec<Constant>,
    pub ini: Vec<Ini>,
}

/// A declared type: the kinds as names of `jumbo_bytecode::types::mask`, and classes by resolved name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Type {
    pub kinds: Vec<&'static str>,
    pub classes: Vec<String>,
    pub nullable_syntax: bool,
}

impl Type {
    pub fn nullable(&self) -> bool {
        self.kinds.iter().any(|k| *k == "NULL" || *k == "MIXED")
    }
    /// The one kind besides null, when there is just one.
    pub fn single(&self) -> Option<&'static str> {
        let mut kinds = self.kinds.iter().filter(|k| **k != "NULL");
        match (kinds.next(), kinds.next(), self.classes.is_empty()) {
            (Some(kind), None, true) => Some(kind),
            _ => None,
        }
    }
    /// The one class besides null.
    pub fn single_class(&self) -> Option<&str> {
        match (&*self.classes, self.kinds.iter().all(|k| *k == "NULL")) {
            ([class], true) => Some(class),
            _ => None,
        }
    }
}

pub struct Param {
    pub name: String,
    pub ty: Option<Type>,
    pub by_ref: bool,
    /// `@prefer-ref $name`
    pub prefer_ref: bool,
    /// `@absent $name`
    pub absent: bool,
    /// `@unchecked $name`
    pub unchecked: bool,
    /// `@resource $name`
    pub resource: bool,
    /// `@number $name`
    pub number: bool,
    /// `@not-null $name`
    pub not_null: bool,
    pub sensitive: bool,
    pub variadic: bool,
    pub default: Option<Expr>,
}

/// A constant expression with the place and names that it is resolved with.
#[derive(Clone, Copy)]
pub struct Expr {
    pub expr: &'static ast::Expr<'static>,
    pub text: &'static str,
    pub namespace: &'static str,
    pub class: Option<&'static str>,
    pub line: u32,
}

pub struct Function {
    /// As PHP shows it, with its namespace.
    pub name: String,
    pub params: Vec<Param>,
    pub ret: Option<Type>,
    pub flags: Vec<&'static str>,
    pub effects: Vec<&'static str>,
    pub tentative: bool,
    /// `@all-or-none`
    pub all_or_none: bool,
    pub is_static: bool,
    pub is_abstract: bool,
    pub attributes: Vec<String>,
    /// `@rust path`
    pub rust: Option<String>,
    /// `@alias other` or `@alias Class::method`
    pub alias: Option<String>,
    pub line: u32,
}

pub struct Class {
    pub name: String,
    pub parent: Option<String>,
    pub interfaces: Vec<String>,
    pub flags: Vec<&'static str>,
    pub constants: Vec<Constant>,
    pub properties: Vec<Property>,
    pub methods: Vec<Function>,
    /// Kind of an enum's backing type.
    pub backing: Option<&'static str>,
    /// `@hooks path`
    pub hooks: Option<String>,
    /// `@rust path`: the module of its methods.
    pub rust: Option<String>,
    pub attributes: Vec<String>,
}

pub struct Constant {
    pub name: String,
    pub value: ConstantValue,
    pub ty: Option<Type>,
    pub flags: Vec<&'static str>,
    pub deprecated: bool,
    pub line: u32,
}

pub enum ConstantValue {
    Expr(Expr),
    /// `@computed path`
    Computed(String),
    /// A case of an enum without backing.
    Case,
}

pub struct Property {
    pub name: String,
    pub flags: Vec<&'static str>,
    pub ty: Option<Type>,
    pub default: Option<Expr>,
}

pub struct Ini {
    pub name: String,
    pub default: Option<String>,
    pub access: &'static str,
    pub on_change: Option<String>,
}
