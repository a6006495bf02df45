//! The native state of DateTime and DateTimeImmutable.
//!
//! The state exists from the object's creation and is empty until a constructor has run: a subclass may leave its parent's
//! out, and every use of such an object is a DateObjectError.

use crate::core::time::Time;
use jumbo_abi::desc::Purpose;
use jumbo_abi::{ClassHooks, ClassPtr, Cx, PArray, PObject, Res, Stop, class_flags};
use jumbo_value::object::Native;
use std::cell::RefCell;

/// The moment of an object.
#[derive(Clone, Default)]
pub struct Moment(RefCell<Option<Time>>);

impl Native for Moment {
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        Some(Box::new(self.clone()))
    }
}

pub static MOMENT: ClassHooks = ClassHooks {
    create: Some(|_, object| {
        // A new object has no state yet.
        let _ = object.set_native(Box::new(Moment::default()));
        Ok(())
    }),
    compare: Some(compare),
    properties: Some(|cx, object, purpose| Ok(if purpose == Purpose::Vars { None } else { properties(cx, object) })),
    ..ClassHooks::NONE
};

pub static INTERFACE: ClassHooks = ClassHooks {
    on_inherit: Some(|cx, class| {
        let builtin = [b"datetime".as_slice(), b"datetimeimmutable"];
        if builtin.iter().any(|name| class.is_a(cx.builtin_class(name))) {
            return Ok(());
        }
        Err("DateTimeInterface can't be implemented by user classes".into())
    }),
    ..ClassHooks::NONE
};

/// The nearest builtin class of an object's class: itself, or an ancestor.
pub fn builtin_ancestor(class: ClassPtr) -> ClassPtr {
    let mut class = class;
    while let (false, Some(parent)) = (class.is(class_flags::BUILTIN), class.parent) {
        class = parent;
    }
    class
}

/// The error of an object whose class did not call the constructor.
#[cold]
pub fn uninitialized(cx: &mut Cx, object: &PObject) -> Stop {
    let class = ClassPtr::of(object);
    let ancestor = builtin_ancestor(class);
    let inheriting: [&[u8]; 3] = match class == ancestor {
        true => [b""; 3],
        false => [b" (inheriting ", ancestor.name.as_bytes(), b")"],
    };
    let message = [
        b"Object of type ".as_slice(),
        class.name.as_bytes(),
        inheriting[0],
        inheriting[1],
        inheriting[2],
        b" has not been correctly initialized by calling parent::__construct() in its constructor",
    ];
    cx.throw("DateObjectError", message)
}

/// What `read` finds in the moment of an object.
pub fn with<R>(cx: &mut Cx, object: &PObject, read: impl FnOnce(&Time) -> R) -> Res<R> {
    let found = object.native::<Moment>().and_then(|moment| moment.0.borrow().as_ref().map(read));
    found.ok_or_else(|| uninitialized(cx, object))
}

pub fn time_of(cx: &mut Cx, object: &PObject) -> Res<Time> {
    with(cx, object, Time::clone)
}

/// The moment, if the object has one.
pub fn peek(object: &PObject) -> Option<Time> {
    object.native::<Moment>()?.0.borrow().clone()
}

pub fn set(object: &PObject, time: Time) {
    if let Some(moment) = object.native::<Moment>() {
        moment.0.replace(Some(time));
    }
}

/// A new object of a date class, its constructor not called.
pub fn create(cx: &mut Cx, class: ClassPtr, time: Time) -> Res<PObject> {
    let object = cx.new_object(class)?;
    set(&object, time);
    Ok(object)
}

fn compare(cx: &mut Cx, a: &PObject, b: &PObject) -> Res<Option<i32>> {
    let (Some(x), Some(y)) = (a.native::<Moment>(), b.native::<Moment>()) else { return Ok(None) };
    let key = |moment: &Moment| moment.0.borrow().as_ref().map(|t| (t.sse, t.us));
    match (key(x), key(y)) {
        (Some(x), Some(y)) => Ok(Some(x.cmp(&y) as i32)),
        _ => Err(cx.throw("DateObjectError", "Trying to compare an incomplete DateTime or DateTimeImmutable object")),
    }
}

/// Adds the three members that describe a moment.
pub fn describe(array: &mut PArray, time: &Time) {
    array.set_bytes(b"date", crate::core::format::short_text(time, b"x-m-d H:i:s.u"));
    array.set_bytes(b"timezone_type", time.zone.type_number());
    array.set_bytes(b"timezone", jumbo_abi::PStr::new(time.zone.name().as_bytes()));
}

fn properties(cx: &mut Cx, object: &PObject) -> Option<PArray> {
    let time = peek(object)?;
    let mut array = cx.engine().plain_properties(object);
    describe(&mut array, &time);
    Some(array)
}
