//! Values outside of any request: immutable, shared by all threads.
//!
//! Scalars, strings and plain arrays are kept as they are. What has an identity (objects, references) is kept serialised, because a
//! request must get one of its own; `__sleep` and `__wakeup` run.

use jumbo_abi::{Cx, Key, KeyRef, PArray, PStr, Res, Value, View};
use std::sync::Arc;

#[derive(Clone)]
pub enum Stored {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Str(Arc<[u8]>),
    Array(Arc<Elements>),
    /// As serialize() writes it.
    Serialized(Arc<[u8]>),
}

pub struct Elements {
    entries: Vec<(StoredKey, Stored)>,
    /// The key that `[]` gives next.
    next: Option<i64>,
}

enum StoredKey {
    Int(i64),
    Str(Box<[u8]>),
}

/// Arrays in arrays beyond this are left to serialize(), which knows its own limits.
const DEPTH_MAX: u32 = 64;

/// Why a value is not copied as it is.
enum Refused {
    /// It has an identity, or something in it has.
    NotPlain,
    /// It takes more than the cache may.
    NoRoom,
}

fn take(left: &mut usize, bytes: usize) -> Result<(), Refused> {
    *left = left.checked_sub(bytes).ok_or(Refused::NoRoom)?;
    Ok(())
}

/// A copy of what has no identity, of at most `left` bytes, which are counted down: what a script holds once may stand in an array many times.
fn plain(value: &Value, depth: u32, left: &mut usize) -> Result<Stored, Refused> {
    Ok(match value.view() {
        View::Null => Stored::Null,
        View::Bool(b) => Stored::Bool(b),
        View::Int(i) => Stored::Int(i),
        View::Float(f) => Stored::Float(f),
        View::Str(s) => {
            take(left, s.len())?;
            Stored::Str(s.as_bytes().into())
        }
        View::Array(array) if depth < DEPTH_MAX => {
            take(left, array.len().saturating_mul(size_of::<(StoredKey, Stored)>()))?;
            let mut entries = Vec::with_capacity(array.len());
            for (key, value) in array.iter() {
                let key = match key {
                    KeyRef::Int(i) => StoredKey::Int(i),
                    KeyRef::Str(s) => {
                        take(left, s.len())?;
                        StoredKey::Str(s.as_bytes().into())
                    }
                };
                entries.push((key, plain(value, depth + 1, left)?));
            }
            Stored::Array(Arc::new(Elements { entries, next: array.next_free_index() }))
        }
        _ => return Err(Refused::NotPlain),
    })
}

impl Stored {
    /// A copy of a value. None: it cannot be kept, of which the script was told, or takes more than `bytes_max`.
    pub fn of(cx: &mut Cx, value: &Value, bytes_max: usize) -> Res<Option<Stored>> {
        let value = value.copy_deref();
        if value.is_resource() {
            cx.warning("Cannot store resources in apcu cache")?;
            return Ok(None);
        }
        let mut left = bytes_max;
        match plain(&value, 0, &mut left) {
            Ok(stored) => return Ok(Some(stored)),
            Err(Refused::NoRoom) => return Ok(None),
            Err(Refused::NotPlain) => {}
        }
        let text = cx.call_builtin("serialize", &[value])?;
        Ok(text.as_bytes().filter(|bytes| bytes.len() <= bytes_max).map(|bytes| Stored::Serialized(bytes.into())))
    }

    /// The value in the request that asks.
    pub fn value(&self, cx: &mut Cx) -> Res<Value> {
        match self {
            Stored::Serialized(bytes) => cx.call_builtin("unserialize", &[Value::from(PStr::new(bytes))]),
            plain => Ok(plain.copy()),
        }
    }

    fn copy(&self) -> Value {
        match self {
            Stored::Null | Stored::Serialized(_) => Value::null(),
            Stored::Bool(b) => Value::from(*b),
            Stored::Int(i) => Value::from(*i),
            Stored::Float(f) => Value::from(*f),
            Stored::Str(s) => Value::from(PStr::new(s)),
            Stored::Array(elements) => {
                let entries = elements.entries.iter().map(|(key, value)| {
                    let key = match key {
                        StoredKey::Int(i) => Key::Int(*i),
                        StoredKey::Str(s) => Key::Str(PStr::new(s)),
                    };
                    (key, value.copy())
                });
                let mut array = PArray::new();
                for (key, value) in entries {
                    array.set(key, value);
                }
                if let Some(next) = elements.next
                    && array.next_free_index() != Some(next)
                {
                    array.set_next_free_index(next);
                }
                Value::from(array)
            }
        }
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        match self {
            Stored::Str(s) | Stored::Serialized(s) => s.len(),
            Stored::Array(elements) => {
                let of = |(key, value): &(StoredKey, Stored)| {
                    let key = if let StoredKey::Str(s) = key { s.len() } else { 0 };
                    std::mem::size_of::<(StoredKey, Stored)>() + key + value.bytes()
                };
                std::mem::size_of::<Elements>() + elements.entries.iter().map(of).sum::<usize>()
            }
            _ => 0,
        }
    }
}
