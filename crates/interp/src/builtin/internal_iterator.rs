//! `InternalIterator`: what `getIterator()` of a builtin class returns, an Iterator over its native iteration.

use super::{function, method, of, sealed};
use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{Call, ClassDesc, ClassHooks, Cx, FnDesc, PObject, Res, Value, func_flags, mask};
use jumbo_value::Native;
use std::cell::Cell;

static METHODS: [FnDesc; 6] = [
    function("__construct", func_flags::PRIVATE, &[], 0, None, construct),
    method("current", &[], 0, of(mask::MIXED), current),
    method("key", &[], 0, of(mask::MIXED), key),
    method("next", &[], 0, of(mask::VOID), next),
    method("valid", &[], 0, of(mask::BOOL), valid),
    method("rewind", &[], 0, of(mask::VOID), rewind),
];

static HOOKS: ClassHooks = ClassHooks { uncloneable: true, ..ClassHooks::NONE };

pub const INTERNAL_ITERATOR: ClassDesc = sealed("InternalIterator", &["Iterator"], &METHODS, &HOOKS);

/// Native state: the iteration, which is rewound at its first use.
struct Walk {
    native: Box<dyn NativeIterator>,
    rewound: Cell<bool>,
}

impl Native for Walk {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        self.native.trace(visit);
    }
}

/// An InternalIterator over `native`.
pub fn of_native(cx: &Cx, native: Box<dyn NativeIterator>) -> PObject {
    let class = cx.builtin_class(b"internaliterator");
    // The iteration has a number before the object has one.
    let native = crate::traverse::numbered(native);
    // SAFETY: builtin classes live as long as the process.
    let object = unsafe { PObject::alloc(&raw const (*class.as_ptr()).head) };
    let first = object.set_native(Box::new(Walk { native, rewound: Cell::new(false) }));
    debug_assert!(first.is_ok(), "a new object has no native state");
    object
}

/// Runs `f` with the iteration, rewound before its first use.
fn with<T>(cx: &mut Cx, call: &Call, f: impl FnOnce(&mut Cx, &dyn NativeIterator) -> Res<T>) -> Res<T> {
    let this = call.this();
    let Some(walk) = this.native::<Walk>() else {
        return Err(cx.throw_error(b"The InternalIterator object has not been properly initialized"));
    };
    if !walk.rewound.replace(true) {
        walk.native.rewind(cx)?;
    }
    f(cx, &*walk.native)
}

fn construct(_cx: &mut Cx, _call: &mut Call) -> Res<Value> {
    Ok(Value::null())
}
fn current(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    with(cx, call, |cx, n| if n.valid(cx)? { n.current(cx).map(Value::into_deref) } else { Ok(Value::null()) })
}
fn key(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    with(cx, call, |cx, n| if n.valid(cx)? { n.key(cx) } else { Ok(Value::null()) })
}
fn next(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    with(cx, call, |cx, n| n.next(cx)).map(|()| Value::null())
}
fn valid(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    with(cx, call, |cx, n| n.valid(cx)).map(Value::from)
}
fn rewind(cx: &mut Cx, call: &mut Call) -> Res<Value> {
    with(cx, call, |cx, n| n.rewind(cx)).map(|()| Value::null())
}
