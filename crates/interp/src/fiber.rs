//! Fibers: coroutines inside an instance, each with a frame stack and a native stack of its own.

/// The fibers of an instance.
#[derive(Default)]
pub struct Fibers {}

/// Unwinds a fiber that is destroyed while suspended.
pub fn destruct(_cx: &mut jumbo_abi::Cx, _object: &jumbo_value::PObject) -> jumbo_abi::Res<()> {
    Ok(())
}
