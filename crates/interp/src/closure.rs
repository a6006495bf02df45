//! Closures: their state, binding, and the ways one is made (`function () {}`, `f(...)`, `Closure::fromCallable`).
//!
//! A closure's code in a scope is a [`Function`] of its own per (prototype, scope), kept by the instance. A closure made from a function or
//! method that exists by itself is called *fake*, as in PHP: it shares that function's static variables and cannot change its scope.
//! Invariant: captured variables and static variables are reached through cells, since objects are shared.

use crate::frame::{Frame, flags};
use crate::vm::{Vm, object_clone};
use jumbo_abi::{Callable, ClassPtr, Cx, FnPtr, Function, Level, Res, class_flags, func_flags};
use jumbo_bytecode::unit::{FunctionProto, Unit};
use jumbo_value::hash::WordMap;
use jumbo_value::{Native, PArray, PObject, PRef, PStr, Raw, Value};
use std::cell::{RefCell, UnsafeCell};
use std::ptr;
use std::sync::{Arc, OnceLock};

/// Native state of a Closure object.
pub struct ClosureState {
    pub function: FnPtr,
    /// `$this`, or null.
    this: Value,
    /// Called class (late static binding).
    pub class: Option<ClassPtr>,
    captured: RefCell<Vec<Value>>,
    /// Static variables of this closure; fake closures use the function's.
    statics: UnsafeCell<Box<[Value]>>,
    pub fake: bool,
    /// Calls go through `__call` or `__callStatic` with this name.
    pub magic_name: Option<PStr>,
}

impl ClosureState {
    pub fn this(&self) -> Option<&PObject> {
        self.this.as_object()
    }
    /// Values of the captured variables, in the order of the prototype's `uses`.
    pub fn captured(&self) -> Vec<Value> {
        self.captured.borrow().clone()
    }
    /// The static variables of this closure (none of fake ones): references, or UNDEF when not reached yet.
    pub fn static_values(&self) -> Vec<Value> {
        // SAFETY: no reference into the table is kept across this copy.
        unsafe { (*self.statics.get()).to_vec() }
    }
    fn copied_statics(&self) -> Box<[Value]> {
        // SAFETY: no reference into the table is kept across this copy.
        let table = unsafe { &*self.statics.get() };
        table.iter().map(|v| if v.is_undef() { Value::undef() } else { Value::from(PRef::new(v.copy_deref())) }).collect()
    }
    fn copy(&self) -> ClosureState {
        ClosureState {
            function: self.function,
            this: self.this.clone(),
            class: self.class,
            captured: RefCell::new(self.captured.borrow().clone()),
            statics: UnsafeCell::new(self.copied_statics()),
            fake: self.fake,
            magic_name: self.magic_name.clone(),
        }
    }
}

impl Native for ClosureState {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.this);
        for v in self.captured.borrow().iter() {
            visit(v);
        }
        // SAFETY: the collector runs no PHP code while it traces.
        for v in unsafe { &*self.statics.get() } {
            visit(v);
        }
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        Some(Box::new(self.copy()))
    }
    fn clear(&mut self) {
        self.this = Value::null();
        self.captured.get_mut().clear();
        for v in self.statics.get_mut().iter_mut() {
            *v = Value::undef();
        }
    }
}

/// Functions made for closures of this instance: by prototype and scope.
#[derive(Default)]
struct ClosureFunctions {
    #[allow(clippy::vec_box)]
    by_place: WordMap<(usize, usize), Box<Function>>,
    /// Function, scope → the same function in that scope.
    rescoped: WordMap<(usize, usize), Box<Function>>,
}

/// The class Closure.
pub fn closure_class(cx: &Cx) -> ClassPtr {
    static CLASS: OnceLock<ClassPtr> = OnceLock::new();
    *CLASS.get_or_init(|| cx.builtin_class(b"closure"))
}

fn scope_key(scope: Option<ClassPtr>) -> usize {
    scope.map_or(0, |c| c.as_ptr() as usize)
}

fn function_for(cx: &mut Cx, unit: &Arc<Unit>, proto: &FunctionProto, scope: Option<ClassPtr>) -> FnPtr {
    let functions = cx.state::<ClosureFunctions>();
    let id = functions.by_place.len() as u64;
    let function = functions
        .by_place
        .entry((ptr::from_ref(proto) as usize, scope_key(scope)))
        // Ids of closures stand apart from those of declared functions: their static variables are in the closure.
        .or_insert_with(|| Box::new(Function::user(unit.clone(), proto, scope, u64::MAX - id)));
    // SAFETY: boxed, and kept until the instance ends.
    unsafe { FnPtr::new(function) }
}

/// The code of `function` in another scope.
fn in_scope(cx: &mut Cx, function: FnPtr, scope: Option<ClassPtr>) -> FnPtr {
    if function.scope == scope {
        return function;
    }
    let (Some(unit), Some(proto)) = (function.unit().cloned(), function.proto()) else { return function };
    if function.flags & func_flags::CLOSURE != 0 && function.flags == proto.flags {
        return function_for(cx, &unit, proto, scope);
    }
    let functions = cx.state::<ClosureFunctions>();
    let made = functions.rescoped.entry((function.as_ptr() as usize, scope_key(scope))).or_insert_with(|| {
        let mut copy = Function::user(unit, proto, scope, function.id);
        copy.flags = function.flags;
        copy.name = function.name.clone();
        copy.prototype = function.prototype;
        Box::new(copy)
    });
    // SAFETY: boxed, and kept until the instance ends.
    unsafe { FnPtr::new(made) }
}

fn new_object(cx: &Cx, state: ClosureState) -> PObject {
    // SAFETY: builtin classes live as long as the process.
    let object = unsafe { PObject::alloc(&raw const (*closure_class(cx).as_ptr()).head) };
    let first = object.set_native(Box::new(state));
    debug_assert!(first.is_ok(), "a new object has no native state");
    object
}

/// The state of a Closure object.
pub fn state(object: &PObject) -> Option<&ClosureState> {
    object.native::<ClosureState>()
}

/// [`state`] of what is known to be a Closure; none of one whose memory is being freed.
///
/// # Safety
/// The object is a Closure.
#[inline]
unsafe fn state_of_closure(object: &PObject) -> Option<&ClosureState> {
    // SAFETY: only `new_object` makes Closures, with this state; their class is final.
    object.native_any().map(|native| unsafe { &*ptr::from_ref(native).cast::<ClosureState>() })
}

/// `function () {}` and `fn () => …`: closure number `number` of the running function's unit, bound to its scope and `$this`.
///
/// # Safety
/// `fp` is the running frame, of PHP code.
pub unsafe fn create(vm: *mut Vm, fp: *mut Frame, number: u32) -> Res<Raw> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let function = (*fp).function();
        let unit = function.unit().cloned();
        let Some((unit, proto)) = unit.as_ref().and_then(|u| u.functions.get(number as usize).map(|p| (u, p))) else {
            return Err(cx.throw_error(b"Closure of an unknown function"));
        };
        let scope = (*fp).scope();
        let is_static = proto.flags & func_flags::STATIC != 0;
        let this = if is_static || (*fp).this.is_null() { Value::null() } else { Value::from(object_clone((*fp).this)) };
        let class = (*fp).static_class();
        let function = function_for(cx, unit, proto, scope);
        let statics = crate::statics::fresh(proto);
        let captured = proto.uses.iter().map(|_| Value::undef()).collect();
        let object = new_object(cx, ClosureState {
            function,
            this,
            class,
            captured: RefCell::new(captured),
            statics: UnsafeCell::new(statics),
            fake: false,
            magic_name: None,
        });
        Ok(object.into_raw())
    }
}

/// Gives the closure in `slot` its captured variable number `n` (UNDEF for a missing variable of an arrow function).
///
/// # Safety
/// `slot` holds a Closure object.
pub unsafe fn bind_use(slot: *mut Raw, n: u16, value: Value) {
    // SAFETY: as promised.
    unsafe {
        if let Some(state) = (*slot).as_value().as_object().and_then(state)
            && let Some(place) = state.captured.borrow_mut().get_mut(n as usize)
        {
            *place = value;
        }
    }
}

/// Copies captured variables into the frame of a closure that is about to run.
///
/// # Safety
/// The frame's CVs are initialised; its function is a closure's.
pub unsafe fn bind_captured(nf: *mut Frame) {
    // SAFETY: as promised; captured CVs are no parameters, so they are UNDEF.
    unsafe {
        let proto = (*(*nf).func).proto_unchecked();
        if proto.uses.is_empty() {
            return;
        }
        let Some(closure) = (*nf).closure() else { return };
        let Some(state) = state_of_closure(&closure) else { return };
        for (item, value) in proto.uses.iter().zip(state.captured.borrow().iter()) {
            let value = if item.by_ref { value.clone() } else { value.copy_deref() };
            *Frame::cv(nf, item.cv as usize) = value.into_raw();
        }
    }
}

/// Prepares a frame for a call of a closure.
///
/// # Safety
/// `nf` is a frame in the caller's temporaries.
pub unsafe fn init_closure(nf: *mut Frame, closure: &PObject) {
    // SAFETY: as promised.
    unsafe {
        let Some(state) = state(closure) else { return };
        let this = state.this().map_or(ptr::null_mut(), |o| o.clone().into_ptr());
        (*nf).prepare(state.function, this, state.class.map_or(ptr::null(), |c| c.as_ptr()));
        (*nf).set_closure(closure.clone());
        if let Some(name) = &state.magic_name {
            (*nf).extra_mut().magic_name = Some(name.clone());
            (*nf).flags |= flags::MAGIC;
        }
    }
}

/// What a Closure object calls.
pub fn callable(closure: &PObject) -> Option<Callable> {
    let state = state(closure)?;
    Some(Callable {
        function: state.function,
        this: state.this().cloned(),
        class: state.class,
        closure: Some(closure.clone()),
        magic_name: state.magic_name.clone(),
        value: Value::from(closure.clone()),
    })
}

/// `f(...)`: the Closure of the callee that was resolved into `nf`, which is released.
///
/// # Safety
/// `nf` is a prepared frame without arguments.
pub unsafe fn from_frame(vm: *mut Vm, nf: *mut Frame) -> Res<Raw> {
    // SAFETY: as promised.
    unsafe {
        let cx = Vm::cx(vm);
        let of_closure = (*nf).closure().map(|c| PObject::clone(&c));
        let object = match of_closure {
            Some(closure) => closure,
            None => {
                let this = if (*nf).this.is_null() { None } else { Some(object_clone((*nf).this)) };
                let name = (*nf).extra_ref().and_then(|e| e.magic_name.clone());
                fake(cx, (*nf).function(), this, (*nf).static_class(), name)
            }
        };
        crate::ops::calls::drop_frame_parts(nf);
        Ok(object.into_raw())
    }
}

fn fake(cx: &Cx, function: FnPtr, this: Option<PObject>, class: Option<ClassPtr>, magic_name: Option<PStr>) -> PObject {
    let class = class.or(this.as_ref().map(ClassPtr::of)).or(function.scope);
    new_object(cx, ClosureState {
        function,
        this: this.map_or(Value::null(), Value::from),
        class,
        captured: RefCell::new(Vec::new()),
        statics: UnsafeCell::default(),
        fake: true,
        magic_name,
    })
}

/// `Closure::fromCallable`: a Closure itself stays what it is.
pub fn make_closure(cx: &mut Cx, callable: &Callable) -> Res<PObject> {
    if let Some(closure) = &callable.closure {
        return Ok(closure.clone());
    }
    Ok(fake(cx, callable.function, callable.this.clone(), callable.class, callable.magic_name.clone()))
}

/// The static variables of a closure; none for fake ones, which use their function's.
///
/// # Safety
/// The object is a Closure.
pub unsafe fn statics(closure: &PObject) -> Option<*mut Value> {
    // SAFETY: as promised.
    let state = unsafe { state_of_closure(closure) }?;
    if state.fake {
        return None;
    }
    // SAFETY: the table does not move while the closure lives.
    Some(unsafe { (*state.statics.get()).as_mut_ptr() })
}

/// May `closure` be bound to this object and scope? Warns when not.
fn may_bind(cx: &mut Cx, state: &ClosureState, this: Option<&PObject>, scope: Option<ClassPtr>) -> Res<bool> {
    let function = state.function;
    let text: Vec<u8> = if let Some(this) = this {
        match function.scope {
            _ if function.is(func_flags::STATIC) => b"Cannot bind an instance to a static closure".to_vec(),
            Some(own) if state.fake && !ClassPtr::of(this).is_a(own) => [
                b"Cannot bind method ".as_slice(),
                own.name.as_bytes(),
                b"::",
                function.name.as_bytes(),
                b"() to object of class ",
                ClassPtr::of(this).name.as_bytes(),
            ]
            .concat(),
            _ => Vec::new(),
        }
    } else if state.fake && function.scope.is_some() && !function.is(func_flags::STATIC) {
        b"Cannot unbind $this of method".to_vec()
    } else if !state.fake && state.this().is_some() && function.is(func_flags::USES_THIS) {
        b"Cannot unbind $this of closure using $this".to_vec()
    } else {
        Vec::new()
    };
    if !text.is_empty() {
        cx.raise(Level::Warning, &text)?;
        return Ok(false);
    }
    if let Some(scope) = scope
        && Some(scope) != function.scope
        && scope.is(class_flags::BUILTIN)
        && scope != closure_class(cx)
    {
        let text = [b"Cannot bind closure to scope of internal class ".as_slice(), scope.name.as_bytes()].concat();
        cx.raise(Level::Warning, &text)?;
        return Ok(false);
    }
    if state.fake && scope != function.scope {
        let from: &[u8] = if function.scope.is_none() { b"function" } else { b"method" };
        cx.raise(Level::Warning, &[b"Cannot rebind scope of closure created from ".as_slice(), from].concat())?;
        return Ok(false);
    }
    Ok(true)
}

/// A copy of `closure` in another scope and with another `$this`, without checks.
fn rebound(cx: &mut Cx, state: &ClosureState, this: Option<PObject>, scope: Option<ClassPtr>) -> PObject {
    // To a builtin function neither means anything.
    let is_free = state.function.proto().is_none() && state.function.scope.is_none();
    let (this, scope) = if is_free { (None, None) } else { (this, scope) };
    let class = this.as_ref().map(ClassPtr::of).or(scope);
    // An object without a scope: PHP takes the class Closure itself.
    let scope = if scope.is_none() && this.is_some() { Some(closure_class(cx)) } else { scope };
    let function = in_scope(cx, state.function, scope);
    let mut copy = state.copy();
    copy.function = function;
    copy.class = class;
    copy.this = this.map_or(Value::null(), Value::from);
    new_object(cx, copy)
}

/// `Closure::bind`. `scope`: the argument as given (a class name, an object, null), absent for the default.
pub fn bind(cx: &mut Cx, closure: &PObject, this: Option<&PObject>, scope: Option<&Value>) -> Res<Option<PObject>> {
    let Some(state) = state(closure) else { return Ok(None) };
    let scope = match scope {
        None => state.function.scope,
        Some(v) => match v.view_deref() {
            jumbo_value::View::Object(o) => Some(ClassPtr::of(o)),
            jumbo_value::View::Null | jumbo_value::View::Undef => None,
            _ => {
                let name = cx.to_string(v)?;
                if name.as_bytes().eq_ignore_ascii_case(b"static") {
                    state.function.scope
                } else {
                    match cx.find_class(name.as_bytes(), true)? {
                        Some(class) => Some(class),
                        None => {
                            cx.raise(Level::Warning, &[b"Class \"".as_slice(), name.as_bytes(), b"\" not found"].concat())?;
                            return Ok(None);
                        }
                    }
                }
            }
        },
    };
    if !may_bind(cx, state, this, scope)? {
        return Ok(None);
    }
    Ok(Some(rebound(cx, state, this.cloned(), scope)))
}

/// `Closure::call`: runs it bound to `this` and its class.
pub fn call(cx: &mut Cx, closure: &PObject, this: &PObject, args: &PArray) -> Res<Value> {
    let Some(state) = state(closure) else { return Ok(Value::null()) };
    let scope = Some(ClassPtr::of(this));
    if !may_bind(cx, state, Some(this), scope)? {
        return Ok(Value::null());
    }
    let bound = rebound(cx, state, Some(this.clone()), scope);
    let Some(callable) = callable(&bound) else { return Ok(Value::null()) };
    cx.call_with_array(&callable, args)
}

/// What var_dump shows of a closure.
pub fn debug_info(cx: &mut Cx, closure: &PObject) -> Res<PArray> {
    let mut info = PArray::new();
    let Some(state) = state(closure) else { return Ok(info) };
    let function = state.function;
    let proto = function.proto();
    if state.fake || proto.is_none() {
        let name = match (&state.magic_name, function.scope) {
            (Some(name), Some(class)) => [class.name.as_bytes(), b"::", name.as_bytes()].concat(),
            _ => match function.scope {
                Some(class) => [class.name.as_bytes(), b"::", function.name.as_bytes()].concat(),
                None => function.name.as_bytes().to_vec(),
            },
        };
        info.set_bytes(b"function", PStr::new(&name));
    } else if let (Some(proto), Some(unit)) = (proto, function.unit()) {
        info.set_bytes(b"name", function.name.clone());
        info.set_bytes(b"file", unit.file.clone());
        info.set_bytes(b"line", proto.line_start as i64);
    }
    if let Some(proto) = proto {
        let mut variables = PArray::new();
        for (item, value) in proto.uses.iter().zip(state.captured()) {
            if !value.is_undef() {
                // The closure's own count, and this copy's: nobody else has the reference.
                let alone = value.as_ref().is_some_and(|r| r.ref_count() <= 2);
                variables.set_str(&item.name, if alone { value.copy_deref() } else { value });
            }
        }
        // Copies: showing a value may run PHP code.
        let vm = Vm::of(cx);
        // SAFETY: the machine is live; no reference into a table is kept.
        let table: Vec<Value> = unsafe {
            if state.fake {
                match (*vm).statics.get(function.id) {
                    Some(table) => table.to_vec(),
                    None => crate::statics::fresh(proto).into_vec(),
                }
            } else {
                (*state.statics.get()).to_vec()
            }
        };
        for (item, value) in proto.statics.iter().zip(table) {
            // Not initialised yet: null.
            let shown = if value.is_undef() { Value::null() } else { value.copy_deref() };
            variables.set_str(&item.name, shown);
        }
        if !variables.is_empty() {
            info.set_bytes(b"static", variables);
        }
    }
    if let Some(this) = state.this() {
        info.set_bytes(b"this", this.clone());
    }
    let mut parameters = PArray::new();
    if state.magic_name.is_some() {
        parameters.set_bytes(b"$arguments", PStr::new(b"<optional>"));
    } else {
        let variadic = function.is(func_flags::VARIADIC);
        for n in 0..function.params + variadic as u32 {
            let by_ref: &[u8] = if function.is_by_ref(n) { b"&" } else { b"" };
            let name = [by_ref, b"$", function.param_name(n as usize)].concat();
            let kind: &[u8] = if n < function.required { b"<required>" } else { b"<optional>" };
            parameters.set_str(&PStr::new(&name), PStr::new(kind));
        }
    }
    if !parameters.is_empty() {
        info.set_bytes(b"parameter", parameters);
    }
    Ok(info)
}

/// `==` of two closures: fake ones of the same function and object are equal.
pub fn equal(a: &PObject, b: &PObject) -> bool {
    let (Some(x), Some(y)) = (state(a), state(b)) else { return false };
    a == b
        || (x.fake
            && y.fake
            && x.class == y.class
            && x.this().map(PObject::id) == y.this().map(PObject::id)
            && x.function == y.function
            && x.magic_name == y.magic_name)
}
