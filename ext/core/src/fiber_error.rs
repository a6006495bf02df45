//! FiberError, which only the engine creates.

use jumbo_abi::{Cx, PObject, Res};

pub fn __construct(cx: &mut Cx, _this: &PObject) -> Res<()> {
    Err(cx.throw_error("The \"FiberError\" class is reserved for internal use and cannot be manually instantiated"))
}
