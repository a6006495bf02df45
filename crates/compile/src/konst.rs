//! Values known at compile time, and their way into a unit as immortal literals.
//!
//! They are the compiler's own type, because folding must work without a request heap; the rules of PHP that folding
//! needs (numeric strings, float to string) are those of `jumbo-value`.

use jumbo_value::{Key, PArray, PStr, Raw, Value, View};
use std::rc::Rc;

#[derive(Clone, Debug)]
pub enum Const {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Rc<[u8]>),
    Array(Rc<ConstArray>),
}

/// Key of an array element.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstKey {
    Int(i64),
    Str(Rc<[u8]>),
}

/// An insertion-ordered array with PHP's rule for the next free index.
#[derive(Clone, Debug, Default)]
pub struct ConstArray {
    pub entries: Vec<(ConstKey, Const)>,
    /// Where the keys stand; none as long as they are 0, 1, 2, …
    index: Option<jumbo_bytecode::hash::NameMap<ConstKey, usize>>,
    /// How many elements it has, with those of the arrays in it.
    pub elements: usize,
    /// `None` until an int key was used.
    next: Option<i64>,
    /// The next index would overflow.
    full: bool,
}

/// Identity of a literal: floats by their bits, so that `-0.0`, `0.0` and NaN stay apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstId {
    Null,
    Bool(bool),
    Int(i64),
    Float(u64),
    Str(Rc<[u8]>),
    Array(Vec<(ConstKey, ConstId)>),
}

impl Const {
    pub fn str(bytes: &[u8]) -> Const {
        Const::Str(bytes.into())
    }

    /// No array, or one without arrays inside.
    pub fn is_flat(&self) -> bool {
        match self {
            Const::Array(array) => !array.entries.iter().any(|(_, value)| matches!(value, Const::Array(_))),
            _ => true,
        }
    }

    pub fn has_nan(&self) -> bool {
        match self {
            Const::Float(f) => f.is_nan(),
            Const::Array(a) => a.entries.iter().any(|(_, v)| v.has_nan()),
            _ => false,
        }
    }

    pub fn id(&self) -> ConstId {
        match self {
            Const::Null => ConstId::Null,
            Const::Bool(b) => ConstId::Bool(*b),
            Const::Int(i) => ConstId::Int(*i),
            Const::Float(f) => ConstId::Float(f.to_bits()),
            Const::Str(s) => ConstId::Str(s.clone()),
            Const::Array(a) => {
                ConstId::Array(a.entries.iter().map(|(k, v)| (k.clone(), v.id())).collect())
            }
        }
    }

    /// The immortal literal.
    pub fn to_raw(&self) -> Raw {
        self.to_value().into_raw()
    }

    pub fn to_value(&self) -> Value {
        match self {
            Const::Null => Value::null(),
            Const::Bool(b) => Value::from(*b),
            Const::Int(i) => Value::from(*i),
            Const::Float(f) => Value::from(*f),
            Const::Str(s) => Value::from(PStr::immortal(s)),
            Const::Array(a) => {
                let entries = a.entries.iter().map(|(key, value)| {
                    let key = match key {
                        ConstKey::Int(i) => Key::Int(*i),
                        ConstKey::Str(s) => Key::Str(PStr::immortal(s)),
                    };
                    (key, value.to_value())
                });
                Value::from(PArray::immortal(entries.collect()))
            }
        }
    }

    /// A constant of the world (an immortal scalar).
    pub fn from_value(value: &Value) -> Option<Const> {
        Some(match value.view() {
            View::Null => Const::Null,
            View::Bool(b) => Const::Bool(b),
            View::Int(i) => Const::Int(i),
            View::Float(f) => Const::Float(f),
            View::Str(s) => Const::str(s.as_bytes()),
            _ => return None,
        })
    }

    pub fn to_bool(&self) -> bool {
        match self {
            Const::Null => false,
            Const::Bool(b) => *b,
            Const::Int(i) => *i != 0,
            Const::Float(f) => *f != 0.0,
            Const::Str(s) => !s.is_empty() && s.as_ref() != b"0",
            Const::Array(a) => !a.entries.is_empty(),
        }
    }

    /// PHP's name of the value's type in messages about declarations.
    pub fn type_name(&self) -> &'static str {
        match self {
            Const::Null => "null",
            Const::Bool(_) => "bool",
            Const::Int(_) => "int",
            Const::Float(_) => "float",
            Const::Str(_) => "string",
            Const::Array(_) => "array",
        }
    }
}

impl ConstArray {
    /// Sets a key that is already normalised.
    pub fn set(&mut self, key: ConstKey, value: Const) {
        if let ConstKey::Int(i) = key
            && self.next.is_none_or(|next| i >= next)
        {
            match i.checked_add(1) {
                Some(next) => self.next = Some(next),
                None => {
                    self.next = Some(i);
                    self.full = true;
                }
            }
        }
        self.elements += 1;
        if let Const::Array(array) = &value {
            self.elements += array.elements;
        }
        let end = self.entries.len();
        if self.index.is_none() && key != ConstKey::Int(end as i64) && self.position(&key).is_none() {
            self.index = Some(self.entries.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)).collect());
        }
        match self.position(&key) {
            Some(at) => self.entries[at].1 = value,
            None => {
                if let Some(index) = &mut self.index {
                    index.insert(key.clone(), end);
                }
                self.entries.push((key, value));
            }
        }
    }

    fn position(&self, key: &ConstKey) -> Option<usize> {
        match (&self.index, key) {
            (Some(index), key) => index.get(key).copied(),
            (None, ConstKey::Int(at)) => usize::try_from(*at).ok().filter(|&at| at < self.entries.len()),
            (None, ConstKey::Str(_)) => None,
        }
    }

    /// Appends; false when the next index is taken.
    pub fn push(&mut self, value: Const) -> bool {
        if self.full {
            return false;
        }
        self.set(ConstKey::Int(self.next.unwrap_or(0)), value);
        true
    }

    pub fn get(&self, key: &ConstKey) -> Option<&Const> {
        self.position(key).map(|at| &self.entries[at].1)
    }
}
