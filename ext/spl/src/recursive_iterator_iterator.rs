//! RecursiveIteratorIterator: goes through a tree of RecursiveIterators as through a list.
//!
//! A stack of levels, each an iterator and what is to be done next on it. Hazard: each step may run PHP code that moves this very
//! iterator: the stack is looked at anew after each.

use crate::support::{overridden, truth};
use jumbo_abi::desc::NativeIterator;
use jumbo_abi::{ClassHooks, ClassPtr, Cx, PObject, PStr, Res, Stop, Value};
use jumbo_value::Native;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const LEAVES_ONLY: i64 = 0;
const SELF_FIRST: i64 = 1;
const CHILD_FIRST: i64 = 2;
const CATCH_GET_CHILD: i64 = 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Rewound: look whether there is an element.
    Start,
    /// Move on first.
    Next,
    /// Look whether the element has children.
    Test,
    /// Show the element itself.
    Own,
    /// Go into the children.
    Children,
}

struct Level {
    steps: Rc<dyn NativeIterator>,
    object: Value,
    step: Cell<Step>,
}

/// Methods that PHP code has overridden: only these are called.
#[derive(Clone, Copy, Default)]
struct Overrides {
    begin_iteration: bool,
    end_iteration: bool,
    call_has_children: bool,
    call_get_children: bool,
    begin_children: bool,
    end_children: bool,
    next_element: bool,
}

pub(crate) struct State {
    levels: RefCell<Vec<Level>>,
    mode: Cell<i64>,
    pub flags: Cell<i64>,
    /// -1: none.
    max_depth: Cell<i64>,
    in_iteration: Cell<bool>,
    overrides: Cell<Overrides>,
    /// RecursiveTreeIterator: the parts of the prefix, and the postfix.
    pub tree: RefCell<[PStr; 7]>,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        for level in self.levels.borrow().iter() {
            visit(&level.object);
            level.steps.trace(visit);
        }
    }
    fn clear(&mut self) {
        drop(self.levels.take());
    }
}

pub static HOOKS: ClassHooks = ClassHooks {
    create: Some(create),
    uncloneable: true,
    iterate: Some(iterate),
    delegate: Some(delegate),
    ..ClassHooks::NONE
};

fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    let part = |text: &str| PStr::new(text.as_bytes());
    let state = State {
        levels: RefCell::default(),
        mode: Cell::new(LEAVES_ONLY),
        flags: Cell::new(0),
        max_depth: Cell::new(-1),
        in_iteration: Cell::new(false),
        overrides: Cell::default(),
        tree: RefCell::new([part(""), part("| "), part("  "), part("|-"), part("\\-"), part(""), part("")]),
    };
    // A new object has no state yet.
    let _ = object.set_native(Box::new(state));
    Ok(())
}

fn not_ready(cx: &mut Cx, this: &PObject) -> Stop {
    let text = [b"The ".as_slice(), ClassPtr::of(this).name.as_bytes(), b" instance wasn't initialized properly"].concat();
    cx.throw_error(text)
}

/// The state of a constructed iterator.
pub(crate) fn state<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o State> {
    match this.native::<State>() {
        Some(state) if !state.levels.borrow().is_empty() => Ok(state),
        _ => Err(not_ready(cx, this)),
    }
}

fn delegate(cx: &mut Cx, this: &PObject) -> Res<Option<PObject>> {
    let state = state(cx, this)?;
    Ok(state.object(state.depth()))
}

impl State {
    pub fn depth(&self) -> usize {
        self.levels.borrow().len().saturating_sub(1)
    }
    pub fn object(&self, level: usize) -> Option<PObject> {
        self.levels.borrow().get(level)?.object.as_object().cloned()
    }
    pub fn steps(&self, level: usize) -> Option<Rc<dyn NativeIterator>> {
        self.levels.borrow().get(level).map(|l| l.steps.clone())
    }
    fn step(&self) -> Step {
        self.levels.borrow().last().map_or(Step::Start, |l| l.step.get())
    }
    fn set_step(&self, step: Step) {
        if let Some(level) = self.levels.borrow().last() {
            level.step.set(step);
        }
    }
    fn pop(&self) {
        let level = self.levels.borrow_mut().pop();
        drop(level);
    }
    /// The result of something whose exceptions CATCH_GET_CHILD forgets; None: one was forgotten.
    fn caught<T>(&self, cx: &mut Cx, result: Res<T>) -> Res<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Thrown) if self.flags.get() & CATCH_GET_CHILD != 0 => {
                drop(cx.exception.take());
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    }
    /// This level is still the last one: code that ran meanwhile did not move the whole iterator.
    fn stands(&self, depth: usize, steps: &Rc<dyn NativeIterator>) -> bool {
        self.depth() == depth && self.steps(depth).is_some_and(|now| Rc::ptr_eq(&now, steps))
    }
    fn may_descend(&self) -> bool {
        let max = self.max_depth.get();
        max == -1 || max > self.depth() as i64
    }
}

/// Takes the iterator over: the root of the tree.
pub(crate) fn construct(cx: &mut Cx, this: &PObject, root: &PObject, mode: i64, flags: i64) -> Res<()> {
    let recursive = cx.builtin_class(b"recursiveiterator");
    if !ClassPtr::of(root).is_a(recursive) {
        return Err(cx.throw("InvalidArgumentException", "An instance of RecursiveIterator or IteratorAggregate creating it is required"));
    }
    let steps = Rc::from(cx.traverse(root)?);
    let Some(state) = this.native::<State>() else { return Err(not_ready(cx, this)) };
    let class = ClassPtr::of(this);
    state.overrides.set(Overrides {
        begin_iteration: overridden(class, b"beginiteration"),
        end_iteration: overridden(class, b"enditeration"),
        call_has_children: overridden(class, b"callhaschildren"),
        call_get_children: overridden(class, b"callgetchildren"),
        begin_children: overridden(class, b"beginchildren"),
        end_children: overridden(class, b"endchildren"),
        next_element: overridden(class, b"nextelement"),
    });
    state.mode.set(mode);
    state.flags.set(flags);
    state.max_depth.set(-1);
    state.in_iteration.set(false);
    let level = Level { steps, object: Value::from(root.clone()), step: Cell::new(Step::Start) };
    let old = state.levels.replace(vec![level]);
    drop(old);
    Ok(())
}

/// The iterator that an IteratorAggregate gives, or the argument itself.
pub(crate) fn root_of(cx: &mut Cx, iterator: &PObject) -> Res<PObject> {
    let aggregate = cx.builtin_class(b"iteratoraggregate");
    if !ClassPtr::of(iterator).is_a(aggregate) {
        return Ok(iterator.clone());
    }
    let given = cx.call_method(iterator, b"getiterator", &[])?;
    match given.deref().as_object() {
        Some(object) if ClassPtr::of(object).is_a(cx.builtin_class(b"traversable")) => Ok(object.clone()),
        _ => {
            let class = ClassPtr::of(iterator);
            let text = [class.name.as_bytes(), b"::getIterator() must return an object that implements Traversable"].concat();
            Err(cx.throw("LogicException", text))
        }
    }
}

pub fn __construct(cx: &mut Cx, this: &PObject, iterator: &PObject, mode: i64, flags: i64) -> Res<()> {
    let root = root_of(cx, iterator)?;
    construct(cx, this, &root, mode, flags)
}

/// Goes on to the next element to show.
fn advance(cx: &mut Cx, this: &PObject, state: &State) -> Res<()> {
    let own = state.overrides.get();
    loop {
        let depth = state.depth();
        let (Some(steps), Some(object)) = (state.steps(depth), state.object(depth)) else { return Ok(()) };
        let mut step = state.step();
        if step == Step::Next {
            let moved = steps.next(cx);
            state.caught(cx, moved)?;
            if !state.stands(depth, &steps) {
                return Ok(());
            }
            step = Step::Start;
        }
        if step == Step::Start {
            let there = steps.valid(cx)?;
            if !state.stands(depth, &steps) {
                return Ok(());
            }
            if !there {
                // This level is done.
                if depth == 0 {
                    return Ok(());
                }
                if own.end_children {
                    let result = cx.call_method(this, b"endchildren", &[]);
                    state.caught(cx, result)?;
                }
                if state.depth() > 0 {
                    state.pop();
                }
                continue;
            }
            state.set_step(Step::Test);
            step = Step::Test;
        }
        match step {
            Step::Test => {
                let answer =
                    if own.call_has_children { cx.call_method(this, b"callhaschildren", &[]) } else { cx.call_method(&object, b"haschildren", &[]) };
                if let Some(answer) = state.caught(cx, answer)?
                    && truth(cx, &answer)?
                {
                    if state.may_descend() {
                        state.set_step(if state.mode.get() == SELF_FIRST { Step::Own } else { Step::Children });
                        continue;
                    }
                    // Too deep to go into the children: what is no leaf is left out.
                    if state.mode.get() == LEAVES_ONLY {
                        state.set_step(Step::Next);
                        continue;
                    }
                }
                if own.next_element {
                    let result = cx.call_method(this, b"nextelement", &[]);
                    state.caught(cx, result)?;
                }
                state.set_step(Step::Next);
                return Ok(());
            }
            Step::Own => {
                if own.next_element && matches!(state.mode.get(), SELF_FIRST | CHILD_FIRST) {
                    let result = cx.call_method(this, b"nextelement", &[]);
                    state.caught(cx, result)?;
                }
                state.set_step(if state.mode.get() == SELF_FIRST { Step::Children } else { Step::Next });
                return Ok(());
            }
            Step::Children => {
                let children =
                    if own.call_get_children { cx.call_method(this, b"callgetchildren", &[]) } else { cx.call_method(&object, b"getchildren", &[]) };
                let Some(children) = state.caught(cx, children)? else {
                    state.set_step(Step::Next);
                    continue;
                };
                let recursive = cx.builtin_class(b"recursiveiterator");
                let Some(children) = children.deref().as_object().filter(|o| ClassPtr::of(o).is_a(recursive)).cloned() else {
                    let text = "Objects returned by RecursiveIterator::getChildren() must implement RecursiveIterator";
                    return Err(cx.throw("UnexpectedValueException", text));
                };
                state.set_step(if state.mode.get() == CHILD_FIRST { Step::Own } else { Step::Next });
                let inner: Rc<dyn NativeIterator> = Rc::from(cx.traverse(&children)?);
                let level = Level { steps: inner.clone(), object: Value::from(children), step: Cell::new(Step::Start) };
                state.levels.borrow_mut().push(level);
                inner.rewind(cx)?;
                if own.begin_children {
                    let result = cx.call_method(this, b"beginchildren", &[]);
                    state.caught(cx, result)?;
                }
            }
            Step::Start | Step::Next => {}
        }
        if cx.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            cx.engine().interrupted(cx)?;
        }
    }
}

fn start(cx: &mut Cx, this: &PObject, state: &State) -> Res<()> {
    let own = state.overrides.get();
    while state.depth() > 0 {
        state.pop();
        if own.end_children {
            cx.call_method(this, b"endchildren", &[])?;
        }
    }
    state.set_step(Step::Start);
    if let Some(steps) = state.steps(0) {
        steps.rewind(cx)?;
    }
    if own.begin_iteration && !state.in_iteration.get() {
        cx.call_method(this, b"beginiteration", &[])?;
    }
    state.in_iteration.set(true);
    advance(cx, this, state)
}

fn is_valid(cx: &mut Cx, this: &PObject, state: &State) -> Res<bool> {
    let mut level = state.depth() + 1;
    while level > 0 {
        level -= 1;
        if let Some(steps) = state.steps(level)
            && steps.valid(cx)?
        {
            return Ok(true);
        }
    }
    if state.overrides.get().end_iteration && state.in_iteration.get() {
        cx.call_method(this, b"enditeration", &[])?;
    }
    state.in_iteration.set(false);
    Ok(false)
}

/// The iterator that is gone over now.
fn running(cx: &mut Cx, this: &PObject) -> Res<Rc<dyn NativeIterator>> {
    let state = state(cx, this)?;
    match state.steps(state.depth()) {
        Some(steps) => Ok(steps),
        None => Err(not_ready(cx, this)),
    }
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    let state = state(cx, this)?;
    start(cx, this, state)
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let state = state(cx, this)?;
    is_valid(cx, this, state)
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<Value> {
    running(cx, this)?.key(cx).map(Value::into_deref)
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    running(cx, this)?.current(cx).map(Value::into_deref)
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    let state = state(cx, this)?;
    advance(cx, this, state)
}

pub fn get_depth(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(state(cx, this)?.depth() as i64)
}

pub fn get_sub_iterator(cx: &mut Cx, this: &PObject, level: Option<i64>) -> Res<Value> {
    let state = state(cx, this)?;
    let level = match level {
        None => state.depth(),
        Some(level) => match usize::try_from(level) {
            Ok(level) => level,
            Err(_) => return Ok(Value::null()),
        },
    };
    Ok(state.object(level).map_or(Value::null(), Value::from))
}

pub fn get_inner_iterator(cx: &mut Cx, this: &PObject) -> Res<Value> {
    get_sub_iterator(cx, this, None)
}

pub fn begin_iteration(_cx: &mut Cx, _this: &PObject) {}
pub fn end_iteration(_cx: &mut Cx, _this: &PObject) {}
pub fn begin_children(_cx: &mut Cx, _this: &PObject) {}
pub fn end_children(_cx: &mut Cx, _this: &PObject) {}
pub fn next_element(_cx: &mut Cx, _this: &PObject) {}

pub fn call_has_children(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let state = state(cx, this)?;
    match state.object(state.depth()) {
        Some(object) => crate::support::ask(cx, &object, b"haschildren"),
        None => Ok(false),
    }
}

pub fn call_get_children(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let state = state(cx, this)?;
    match state.object(state.depth()) {
        Some(object) => cx.call_method(&object, b"getchildren", &[]).map(Value::into_deref),
        None => Ok(Value::null()),
    }
}

pub fn set_max_depth(cx: &mut Cx, this: &PObject, max_depth: i64) -> Res<()> {
    let state = state(cx, this)?;
    if max_depth < -1 {
        return Err(cx.arg_value_error(1, "must be greater than or equal to -1"));
    }
    state.max_depth.set(max_depth.min(i64::from(i32::MAX)));
    Ok(())
}

pub fn get_max_depth(cx: &mut Cx, this: &PObject) -> Res<Value> {
    Ok(match state(cx, this)?.max_depth.get() {
        -1 => Value::from(false),
        depth => Value::from(depth),
    })
}

/// `foreach`: the iterator itself moves.
struct Walk(Value);

impl Walk {
    fn with<R: Default>(&self, cx: &mut Cx, f: impl FnOnce(&mut Cx, &PObject) -> Res<R>) -> Res<R> {
        match self.0.as_object() {
            Some(object) => f(cx, object),
            None => Ok(R::default()),
        }
    }
}

impl Native for Walk {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.0);
    }
    fn clear(&mut self) {
        drop(self.0.take());
    }
}

fn iterate(cx: &mut Cx, this: &PObject, by_ref: bool) -> Res<Box<dyn NativeIterator>> {
    if by_ref {
        return Err(cx.throw_error("An iterator cannot be used with foreach by reference"));
    }
    if this.native::<State>().is_none_or(|s| s.levels.borrow().is_empty()) {
        return Err(cx.throw_error("Object is not initialized"));
    }
    Ok(Box::new(Walk(Value::from(this.clone()))))
}

impl NativeIterator for Walk {
    fn rewind(&self, cx: &mut Cx) -> Res<()> {
        self.with(cx, rewind)
    }
    fn valid(&self, cx: &mut Cx) -> Res<bool> {
        self.with(cx, valid)
    }
    fn current(&self, cx: &mut Cx) -> Res<Value> {
        self.with(cx, |cx, this| {
            let tree = cx.builtin_class(b"recursivetreeiterator");
            if ClassPtr::of(this).is_a(tree) { crate::recursive_tree_iterator::current(cx, this) } else { current(cx, this) }
        })
    }
    fn key(&self, cx: &mut Cx) -> Res<Value> {
        self.with(cx, |cx, this| {
            let tree = cx.builtin_class(b"recursivetreeiterator");
            if ClassPtr::of(this).is_a(tree) { crate::recursive_tree_iterator::key(cx, this) } else { key(cx, this) }
        })
    }
    fn next(&self, cx: &mut Cx) -> Res<()> {
        self.with(cx, next)
    }
}
