//! HashContext: a computation that takes data piece by piece. It ends with hash_final(), and is then good for nothing.

use crate::algorithms::{Algorithm, Context};
use crate::keyed::Hmac;
use jumbo_abi::work::UNITS;
use jumbo_abi::{ClassHooks, Cx, PArray, PObject, Res, Stop};
use jumbo_value::object::Native;
use std::cell::RefCell;

#[derive(Clone)]
pub(crate) enum Running {
    Plain(Context),
    Keyed(Hmac),
}

#[derive(Clone, Default)]
pub(crate) struct State {
    algorithm: Option<&'static Algorithm>,
    /// Absent before it is started, and when it has ended.
    running: Option<Running>,
    /// Stays when it has ended.
    keyed: bool,
}

impl State {
    pub fn new(algorithm: &'static Algorithm, running: Option<Running>) -> State {
        let keyed = matches!(running, Some(Running::Keyed(_)));
        State { algorithm: Some(algorithm), running, keyed }
    }
}

struct Holder(RefCell<State>);

impl Native for Holder {
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        Some(Box::new(Holder(RefCell::new(self.0.borrow().clone()))))
    }
}

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(Holder(RefCell::default())));
    Ok(())
}

fn after_clone(cx: &mut Cx, old: &PObject, _new: &PObject) -> Res<()> {
    match holder(cx, old)?.0.borrow().running {
        Some(_) => Ok(()),
        None => Err(cx.throw_error("Cannot clone a finalized HashContext")),
    }
}

pub static HOOKS: ClassHooks = ClassHooks { create: Some(create), after_clone: Some(after_clone), ..ClassHooks::NONE };

fn finalized(cx: &mut Cx) -> Stop {
    cx.arg_type_error(1, "must be a valid, non-finalized HashContext")
}

fn holder<'o>(cx: &mut Cx, object: &'o PObject) -> Res<&'o Holder> {
    object.native::<Holder>().ok_or_else(|| finalized(cx))
}

pub(crate) fn fill(cx: &mut Cx, object: &PObject, state: State) -> Res<()> {
    *holder(cx, object)?.0.borrow_mut() = state;
    Ok(())
}

/// Feeds data, in pieces when it is long. PHP code that runs between them (a destructor) may end the context.
pub(crate) fn update(cx: &mut Cx, object: &PObject, data: &[u8]) -> Res<()> {
    let mut rest = data;
    while let Some((piece, more)) = rest.split_at_checked(UNITS) {
        update_piece(cx, object, piece)?;
        cx.check()?;
        rest = more;
    }
    update_piece(cx, object, rest)
}

fn update_piece(cx: &mut Cx, object: &PObject, data: &[u8]) -> Res<()> {
    match &mut holder(cx, object)?.0.borrow_mut().running {
        Some(Running::Plain(context)) => context.update(data),
        Some(Running::Keyed(hmac)) => hmac.update(data),
        None => return Err(finalized(cx)),
    }
    Ok(())
}

pub(crate) fn finish(cx: &mut Cx, object: &PObject) -> Res<Vec<u8>> {
    let running = holder(cx, object)?.0.borrow_mut().running.take();
    match running {
        Some(Running::Plain(context)) => Ok(context.finish()),
        Some(Running::Keyed(hmac)) => Ok(hmac.finish()),
        None => Err(finalized(cx)),
    }
}

pub(crate) fn copy(cx: &mut Cx, object: &PObject) -> Res<State> {
    let state = holder(cx, object)?.0.borrow().clone();
    if state.running.is_none() {
        return Err(finalized(cx));
    }
    Ok(state)
}

pub fn __construct(_cx: &mut Cx, _this: &PObject) {}

/// The inner states of the algorithms' crates cannot be taken out, so no context is serialised; PHP refuses some as well.
pub fn __serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let state = holder(cx, this)?.0.borrow().clone();
    Err(match state.algorithm {
        _ if state.keyed => cx.throw("Exception", "HashContext with HASH_HMAC option cannot be serialized"),
        Some(algorithm) => cx.throw("Exception", format_args!("HashContext for algorithm \"{}\" cannot be serialized", algorithm.name)),
        None => cx.throw("Exception", "HashContext is already finalized"),
    })
}

pub fn __unserialize(cx: &mut Cx, _this: &PObject, _data: &PArray) -> Res<()> {
    Err(cx.throw("Exception", "Incomplete or ill-formed serialization data"))
}

pub fn __debug_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let mut info = PArray::new();
    if let Some(algorithm) = holder(cx, this)?.0.borrow().algorithm {
        info.set_bytes(b"algo", algorithm.name);
    }
    Ok(info)
}
