//! `ReflectionObject`.

use crate::reflection_class;
use jumbo_abi::{Cx, PObject, Res, Value};

pub fn __construct(cx: &mut Cx, this: &PObject, object: &PObject) -> Res<()> {
    reflection_class::__construct(cx, this, &Value::from(object.clone()))
}
