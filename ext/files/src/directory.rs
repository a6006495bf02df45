//! The class Directory, which `dir()` gives.

use jumbo_abi::{Cx, OrFalse, PObject, PStr, Res, Value};

/// The resource in `$this->handle`.
fn handle(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let value = this.slot(1);
    if value.deref().as_resource().is_none() {
        return Err(cx.throw_error("Unable to find my handle property"));
    }
    Ok(value.copy_deref())
}

pub fn close(cx: &mut Cx, this: &PObject) -> Res<()> {
    let handle = handle(cx, this)?;
    crate::dir::closedir(cx, Some(&handle))
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    let handle = handle(cx, this)?;
    crate::dir::rewinddir(cx, Some(&handle))
}

pub fn read(cx: &mut Cx, this: &PObject) -> Res<OrFalse<PStr>> {
    let handle = handle(cx, this)?;
    crate::dir::readdir(cx, Some(&handle))
}
