//! The class php_user_filter, which user filters extend.

use jumbo_abi::{Cx, PObject, PRef, Value};

/// A filter that does nothing is an error (PSFS_ERR_FATAL).
pub fn filter(_cx: &mut Cx, _this: &PObject, _in: &Value, _out: &Value, _consumed: &PRef, _closing: bool) -> i64 {
    0
}

pub fn on_create(_cx: &mut Cx, _this: &PObject) -> bool {
    true
}

pub fn on_close(_cx: &mut Cx, _this: &PObject) {}
