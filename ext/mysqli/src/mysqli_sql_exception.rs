//! Class mysqli_sql_exception.

use jumbo_abi::{Cx, PObject, Res, Value};

pub fn get_sql_state(cx: &mut Cx, this: &PObject) -> Res<Value> {
    cx.read_property(this, b"sqlstate")
}
