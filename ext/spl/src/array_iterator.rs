//! ArrayIterator: an ArrayObject with a position. All but its constructor is in [`array_object`](crate::array_object).

pub use crate::array_object::{
    __debug_info, __serialize, __unserialize, append, asort, count, current, get_array_copy, get_flags, key, ksort, natcasesort, natsort,
    next, offset_exists, offset_get, offset_set, offset_unset, rewind, seek, serialize, set_flags, uasort, uksort, unserialize, valid,
};
use jumbo_abi::{Cx, PObject, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, array: Option<&Value>, flags: Option<i64>) -> Res<()> {
    crate::array_object::__construct(cx, this, array, flags, None)
}
