//! DatePeriod.
//!
//! The native state holds the moments that iterating works with; the declared properties show them as objects, which
//! a program cannot assign to.

use crate::core::interval::{Interval, IsoPeriod};
use crate::core::time::Time;
use crate::moment::{invalid_data, out_of_range, restore_properties};
use crate::state::{builtin_ancestor, uninitialized};
use crate::{date_interval, state};
use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{ClassHooks, ClassPtr, Cx, Level, Message, PArray, PObject, PStr, Res, Stop, Value, View};
use jumbo_value::object::Native;
use jumbo_value::string::up_to_nul;
use std::cell::{Cell, RefCell};

/// Slots of the declared properties.
mod slots {
    pub const START: u32 = 0;
    pub const CURRENT: u32 = 1;
    pub const END: u32 = 2;
    pub const INTERVAL: u32 = 3;
    pub const RECURRENCES: u32 = 4;
    pub const INCLUDE_START_DATE: u32 = 5;
    pub const INCLUDE_END_DATE: u32 = 6;
}

const EXCLUDE_START_DATE: i64 = 1;
const INCLUDE_END_DATE: i64 = 2;
/// As many recurrences as fit into 32 bits, less what is added to them.
const RECURRENCES_LIMIT: i64 = 2_147_483_640;

#[derive(Clone)]
struct Period {
    /// Absent in a period that was restored without one.
    start: Option<Time>,
    /// Class of the start, which `getStartDate()` and `getEndDate()` give.
    class: ClassPtr,
    current: Option<Time>,
    end: Option<Time>,
    interval: Interval,
    /// With what the included ends add.
    recurrences: i64,
    include_start: bool,
    include_end: bool,
}

#[derive(Clone, Default)]
struct State(RefCell<Option<Period>>);

impl Native for State {
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        Some(Box::new(self.clone()))
    }
}

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(|_, object| {
        // A new object has no state yet.
        let _ = object.set_native(Box::new(State::default()));
        Ok(())
    }),
    iterate: Some(|cx, object, by_ref| {
        if by_ref {
            return Err(cx.throw_error("An iterator cannot be used with foreach by reference"));
        }
        Ok(walk(object))
    }),
    ..ClassHooks::NONE
};

fn period_of(cx: &mut Cx, object: &PObject) -> Res<Period> {
    let period = object.native::<State>().and_then(|state| state.0.borrow().clone());
    period.ok_or_else(|| uninitialized(cx, object))
}

/// Takes a period over: the state, and the objects that show it.
fn become_period(cx: &mut Cx, object: &PObject, period: Period) -> Res<()> {
    let shown = |cx: &mut Cx, time: &Option<Time>| match time {
        Some(time) => state::create(cx, period.class, time.clone()).map(Value::from),
        None => Ok(Value::null()),
    };
    let start = shown(cx, &period.start)?;
    let current = shown(cx, &period.current)?;
    let end = shown(cx, &period.end)?;
    // Of a relative string the units alone are shown.
    let interval = date_interval::create(cx, &period.interval)?;
    object.set_slot(slots::START, start);
    object.set_slot(slots::CURRENT, current);
    object.set_slot(slots::END, end);
    object.set_slot(slots::INTERVAL, Value::from(interval));
    object.set_slot(slots::RECURRENCES, Value::from(period.recurrences));
    object.set_slot(slots::INCLUDE_START_DATE, Value::from(period.include_start));
    object.set_slot(slots::INCLUDE_END_DATE, Value::from(period.include_end));
    if let Some(state) = object.native::<State>() {
        state.0.replace(Some(period));
    }
    Ok(())
}

/// What the arguments of a constructor say.
struct Given {
    start: Time,
    class: ClassPtr,
    end: Option<Time>,
    interval: Interval,
    recurrences: i64,
    options: i64,
}

fn initialize(cx: &mut Cx, this: &PObject, given: Given) -> Res<()> {
    let Given { start, class, end, interval, recurrences, options } = given;
    if end.is_none() && !(1..RECURRENCES_LIMIT).contains(&recurrences) {
        return Err(malformed(cx, &format_args!("Recurrence count must be greater or equal to 1 and lower than {RECURRENCES_LIMIT}")));
    }
    let include_start = options & EXCLUDE_START_DATE == 0;
    let include_end = options & INCLUDE_END_DATE != 0;
    let recurrences = recurrences + i64::from(include_start) + i64::from(include_end);
    if recurrences >= RECURRENCES_LIMIT {
        let (name, limit) = (cx.active_function_name(), RECURRENCES_LIMIT.to_string());
        let what = b"(): Recurrence count must be greater or equal to 1 and lower than ".as_slice();
        let message = [&name, what, limit.as_bytes(), b" (including options)"];
        return Err(cx.throw("DateMalformedStringException", message));
    }
    let period = Period { start: Some(start), class, current: None, end, interval, recurrences, include_start, include_end };
    become_period(cx, this, period)
}

#[cold]
fn malformed(cx: &mut Cx, message: &dyn Message) -> Stop {
    match message.to_str() {
        Ok(text) => {
            let text = [&cx.active_function_name(), b"(): ".as_slice(), &text];
            cx.throw("DateMalformedPeriodStringException", text)
        }
        Err(refused) => refused.into(),
    }
}

fn from_iso(cx: &mut Cx, class: &[u8], text: &PStr, options: i64) -> Res<Given> {
    let shown = up_to_nul(text.as_bytes());
    let Some(iso) = IsoPeriod::parse(text.as_bytes()) else {
        let message = [b"Unknown or bad format (".as_slice(), shown, b")"];
        return Err(cx.throw("DateMalformedPeriodStringException", message));
    };
    let missing = |cx: &mut Cx, what: &str| {
        malformed(cx, &[b"ISO interval must contain ".as_slice(), what.as_bytes(), b", \"", shown, b"\" given"])
    };
    let Some(start) = iso.start else { return Err(missing(cx, "a start date")) };
    let Some(interval) = iso.interval else { return Err(missing(cx, "an interval")) };
    if iso.end.is_none() && iso.recurrences == 0 {
        return Err(missing(cx, "an end date or a recurrence count"));
    }
    let class = cx.builtin_class(class);
    Ok(Given { start, class, end: iso.end, interval, recurrences: iso.recurrences, options })
}

pub fn create_from_iso8601_string(cx: &mut Cx, class: ClassPtr, specification: &PStr, options: i64) -> Res<PObject> {
    // A class without instances is refused first.
    let object = cx.new_object(class)?;
    let given = from_iso(cx, b"datetimeimmutable", specification, options)?;
    initialize(cx, &object, given)?;
    Ok(object)
}

/// An argument that may be taken for an int.
fn int_argument(value: &Value) -> Option<i64> {
    match value.view_deref() {
        View::Int(n) => Some(n),
        View::Bool(b) => Some(i64::from(b)),
        View::Float(f) if jumbo_value::number::float_is_int(f) => Some(jumbo_value::number::float_to_int(f)),
        View::Str(s) => match jumbo_value::number::parse_numeric(s.as_bytes())? {
            jumbo_value::number::Number::Int(n) => Some(n),
            jumbo_value::number::Number::Float(_) => None,
        },
        _ => None,
    }
}

pub fn __construct(
    cx: &mut Cx,
    this: &PObject,
    start: Option<&Value>,
    interval: Option<&Value>,
    end: Option<&Value>,
    options: Option<&Value>,
) -> Res<()> {
    let class_of = |value: &Value| value.deref().as_object().map(ClassPtr::of);
    let is_a = |cx: &Cx, value: &Value, class: &[u8]| class_of(value).is_some_and(|own| own.is_a(cx.builtin_class(class)));
    let options_given = match options {
        Some(value) => int_argument(value),
        None => Some(0),
    };
    let absent = Value::UNDEF;
    let start = start.unwrap_or(&absent);
    if let (Some(from), Some(interval), Some(end), Some(options)) = (start.deref().as_object(), interval, end, options_given)
        && is_a(cx, start, b"datetimeinterface")
        && let Some(span) = interval.deref().as_object()
        && is_a(cx, interval, b"dateinterval")
    {
        let mut until = None;
        let mut recurrences = 0;
        let matches = match end.view_deref() {
            View::Object(object) if is_a(cx, end, b"datetimeinterface") => {
                until = Some(state::time_of(cx, object)?);
                true
            }
            View::Null => {
                cx.deprecated("Passing null to parameter #3 ($end) of type int is deprecated")?;
                true
            }
            _ => int_argument(end).map(|n| recurrences = n).is_some(),
        };
        if matches {
            let class = ClassPtr::of(from);
            let start = state::time_of(cx, from)?;
            let interval = date_interval::interval_of(cx, span)?;
            let given = Given { start, class, end: until, interval, recurrences, options };
            return initialize(cx, this, given);
        }
    } else if end.is_none()
        && options.is_none()
        && matches!(start.view_deref(), View::Str(_) | View::Int(_) | View::Float(_) | View::Bool(_) | View::Null)
        && let Some(options) = interval.map_or(Some(0), int_argument)
    {
        if start.deref().is_null() {
            cx.deprecated("Passing null to parameter #1 ($start) of type string is deprecated")?;
        }
        let text = cx.to_string(start.deref())?;
        let message = b"Calling DatePeriod::__construct(string $isostr, int $options = 0) is deprecated, use DatePeriod::createFromISO8601String() instead";
        cx.raise(Level::Deprecated, message)?;
        let given = from_iso(cx, b"datetime", &text, options)?;
        return initialize(cx, this, given);
    }
    let message = "DatePeriod::__construct() accepts (DateTimeInterface, DateInterval, int [, int]), or (DateTimeInterface, DateInterval, DateTime [, int]), or (string [, int]) as arguments";
    Err(cx.type_error(message))
}

pub fn get_start_date(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    let period = period_of(cx, this)?;
    match period.start {
        Some(start) => state::create(cx, period.class, start),
        None => Err(uninitialized(cx, this)),
    }
}

/// The period of an object whose constructor need not have run.
fn peek(object: &PObject) -> Option<Period> {
    object.native::<State>()?.0.borrow().clone()
}

pub fn get_end_date(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let Some(period) = peek(this) else { return Ok(None) };
    period.end.map(|end| state::create(cx, period.class, end)).transpose()
}

pub fn get_date_interval(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    period_of(cx, this)?;
    match this.slot(slots::INTERVAL).deref().as_object() {
        Some(interval) => cx.engine().clone_object(cx, interval),
        None => Err(uninitialized(cx, this)),
    }
}

pub fn get_recurrences(_cx: &mut Cx, this: &PObject) -> Option<i64> {
    let period = peek(this)?;
    let given = period.recurrences - i64::from(period.include_start) - i64::from(period.include_end);
    (given != 0).then_some(given)
}

// ---- iteration

/// A running iteration; the moment it stands at is the period's.
struct Walk {
    period: Value,
    index: Cell<i64>,
}

impl Native for Walk {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.period);
    }
    fn clear(&mut self) {
        self.period = Value::null();
    }
}

fn walk(object: &PObject) -> Box<dyn NativeIterator> {
    Box::new(Walk { period: Value::from(object.clone()), index: Cell::new(0) })
}

impl Walk {
    fn object(&self, cx: &mut Cx) -> Res<PObject> {
        match self.period.as_object() {
            Some(object) => Ok(object.clone()),
            None => Err(cx.throw_error("The period has gone")),
        }
    }

    /// The period, and the moment it stands at.
    fn period(&self, cx: &mut Cx) -> Res<(PObject, Period, Time)> {
        let object = self.object(cx)?;
        let place = peek(&object).and_then(|period| Some((period.current.clone().or(period.start.clone())?, period)));
        match place {
            Some((current, period)) => Ok((object, period, current)),
            None => {
                let message = "Object of type DatePeriod has not been correctly initialized by calling parent::__construct() in its constructor";
                Err(cx.throw("DateObjectError", message))
            }
        }
    }

    /// Goes on to the next moment.
    fn advance(&self, cx: &mut Cx) -> Res<()> {
        let (object, period, current) = self.period(cx)?;
        let next = period.interval.add_to(&current).map_err(|_| out_of_range(cx))?;
        let shown = state::create(cx, period.class, next.clone())?;
        set_current(&object, Some(next));
        object.set_slot(slots::CURRENT, Value::from(shown));
        Ok(())
    }
}

fn set_current(object: &PObject, time: Option<Time>) {
    if let Some(state) = object.native::<State>()
        && let Some(period) = &mut *state.0.borrow_mut()
    {
        period.current = time;
    }
}

impl NativeIterator for Walk {
    fn rewind(&self, cx: &mut Cx) -> Res<()> {
        let (object, period, _) = self.period(cx)?;
        self.index.set(0);
        set_current(&object, period.start);
        if period.include_start { Ok(()) } else { self.advance(cx) }
    }
    fn valid(&self, cx: &mut Cx) -> Res<bool> {
        let (_, period, current) = self.period(cx)?;
        let Some(end) = &period.end else { return Ok(self.index.get() < period.recurrences) };
        let (current, end) = ((current.sse, current.us), (end.sse, end.us));
        Ok(current < end || period.include_end && current == end)
    }
    fn current(&self, cx: &mut Cx) -> Res<Value> {
        let (_, period, current) = self.period(cx)?;
        // Objects are of PHP's own class, whatever the start is.
        let class = builtin_ancestor(period.class);
        state::create(cx, class, current).map(Value::from)
    }
    fn key(&self, _cx: &mut Cx) -> Res<Value> {
        Ok(Value::from(self.index.get()))
    }
    fn next(&self, cx: &mut Cx) -> Res<()> {
        self.index.set(self.index.get().saturating_add(1));
        self.advance(cx)
    }
}

pub fn get_iterator(cx: &mut Cx, this: &PObject) -> Res<PObject> {
    period_of(cx, this)?;
    Ok(cx.engine().internal_iterator(cx, walk(this)))
}

// ---- serialization

const OWN: [&[u8]; 7] =
    [b"start", b"current", b"end", b"interval", b"recurrences", b"include_start_date", b"include_end_date"];

/// The period that the members of a serialized object describe. `None`: they describe none.
fn described(cx: &mut Cx, data: &PArray) -> Res<Option<Period>> {
    let member = |name: &[u8]| data.get_bytes(name).map(Value::copy_deref);
    // `Some(None)`: null.
    let date = |name: &[u8]| match member(name) {
        Some(value) if value.is_null() => Some(None),
        Some(value) => value.as_object().and_then(|object| Some(Some((state::peek(object)?, ClassPtr::of(object))))),
        None => None,
    };
    let interval = member(b"interval");
    let flag = |name: &[u8]| member(name).and_then(|value| value.as_bool());
    let recurrences = member(b"recurrences").and_then(|value| value.as_int());
    let (
        Some(start),
        Some(current),
        Some(end),
        Some(interval),
        Some(recurrences),
        Some(include_start),
        Some(include_end),
    ) = (
        date(b"start"),
        date(b"current"),
        date(b"end"),
        interval.as_ref().and_then(Value::as_object),
        recurrences.filter(|n| (0..=i64::from(i32::MAX)).contains(n)),
        flag(b"include_start_date"),
        flag(b"include_end_date"),
    )
    else {
        return Ok(None);
    };
    let dateinterval = cx.builtin_class(b"dateinterval");
    if !ClassPtr::of(interval).is_a(dateinterval) {
        return Ok(None);
    }
    let interval = date_interval::interval_of(cx, interval)?;
    let class = match &start {
        Some((_, class)) => *class,
        // A period with an end has a start.
        None if end.is_some() => return Ok(None),
        None => cx.builtin_class(b"datetime"),
    };
    let moment = |date: Option<(Time, ClassPtr)>| date.map(|(time, _)| time);
    let (start, current, end) = (moment(start), moment(current), moment(end));
    Ok(Some(Period { start, class, current, end, interval, recurrences, include_start, include_end }))
}

fn restore(cx: &mut Cx, object: &PObject, data: &PArray) -> Res<()> {
    match described(cx, data)? {
        Some(period) => become_period(cx, object, period),
        None => Err(invalid_data(cx, ClassPtr::of(object))),
    }
}

pub fn __serialize(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    period_of(cx, this)?;
    Ok(cx.engine().plain_properties(this))
}

pub fn __unserialize(cx: &mut Cx, this: &PObject, data: &PArray) -> Res<()> {
    restore(cx, this, data)?;
    restore_properties(cx, this, data, &OWN)
}

pub fn __wakeup(cx: &mut Cx, this: &PObject) -> Res<()> {
    let properties = cx.engine().plain_properties(this);
    restore(cx, this, &properties)
}

pub fn __set_state(cx: &mut Cx, _class: ClassPtr, array: &PArray) -> Res<PObject> {
    let class = cx.builtin_class(b"dateperiod");
    let object = cx.new_object(class)?;
    restore(cx, &object, array)?;
    Ok(object)
}

