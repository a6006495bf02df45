//! What builtins may return.

use crate::Res;
use jumbo_value::{PArray, PObject, PStr, Value};

/// A result of a builtin.
pub trait Ret {
    fn ret(self) -> Res<Value>;
}

/// `T|false`.
pub struct OrFalse<T>(pub Option<T>);

impl<T> OrFalse<T> {
    pub const FALSE: OrFalse<T> = OrFalse(None);
}

macro_rules! plain {
    ($($t:ty),*) => {
        $(impl Ret for $t {
            #[inline]
            fn ret(self) -> Res<Value> {
                Ok(Value::from(self))
            }
        })*
    };
}
plain!(PStr, PArray, PObject, i64, f64, bool);

impl Ret for Value {
    #[inline]
    fn ret(self) -> Res<Value> {
        Ok(self)
    }
}
impl Ret for () {
    #[inline]
    fn ret(self) -> Res<Value> {
        Ok(Value::null())
    }
}
impl<T: Ret> Ret for Option<T> {
    #[inline]
    fn ret(self) -> Res<Value> {
        self.map_or(Ok(Value::null()), Ret::ret)
    }
}
impl<T: Ret> Ret for OrFalse<T> {
    #[inline]
    fn ret(self) -> Res<Value> {
        self.0.map_or(Ok(Value::from(false)), Ret::ret)
    }
}
impl<T: Ret> Ret for Res<T> {
    #[inline]
    fn ret(self) -> Res<Value> {
        self?.ret()
    }
}
