//! The execution context: one per instance, passed to everything that may run PHP code, raise an error or wait.

use crate::autoload::Autoloaders;
use crate::desc::Purpose;
use crate::engine::{BacktraceOptions, CallableCheck};
use crate::ini::IniTable;
use crate::link::{ClassState, ClassStates, LinkTable};
use crate::output::Output;
use crate::registry;
use crate::message::with_whole;
use crate::{Callable, ClassPtr, Engine, FnPtr, Level, Message, Res, Stop, despite, mask};
use jumbo_bytecode::unit::Unit;
use jumbo_value::convert;
use jumbo_value::hash::WordMap;
use jumbo_value::{OutOfMemory, PArray, PObject, PStr, PStrBuilder, Value};
use std::any::{Any, TypeId};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::Waker;

/// One instance's context.
pub struct Cx {
    /// Set by timers and other threads; tested at loop back edges and calls.
    pub interrupt: Arc<AtomicBool>,
    /// Set by another thread, with `interrupt`: the process has no more memory, and this request had the most of it.
    pub ended_for_memory: Arc<AtomicBool>,
    pub functions: LinkTable<FnPtr>,
    pub classes: LinkTable<ClassPtr>,
    pub constants: LinkTable<Value>,
    /// The exception that `Stop::Thrown` speaks of.
    pub exception: Option<PObject>,
    pub exit_status: i32,
    /// error_reporting, as `@` and the setting left it.
    pub error_level: u32,
    /// ini `precision`, kept at hand.
    pub precision: i64,
    pub serialize_precision: i64,
    pub class_states: ClassStates,
    /// Units of which the instance has functions or classes, by address, until everything else is gone.
    units: WordMap<usize, Arc<Unit>>,
    pub output: Output,
    pub ini: IniTable,
    /// State of the interpreter (frames); its type is the interpreter's affair.
    pub vm: *mut (),
    /// State of the runtime (includes, units, shutdown functions, error handlers).
    pub runtime: Option<Box<dyn Any>>,
    pub waker: Waker,
    /// Timer of the executor that runs the instance.
    pub timer: Option<crate::wait::Timer>,
    /// Working directory of the instance (the process's is never changed).
    pub cwd: Vec<u8>,
    /// C libraries that are being called and may call PHP code back: fibers cannot be switched meanwhile, because such calls must end in
    /// reverse order. Waiting is possible, unwinding is caught and goes on outside.
    pub foreign_frames: u32,
    /// Asked for classes that are not there.
    pub autoloaders: Autoloaders,
    states: WordMap<TypeId, Box<dyn Any>>,
}

impl Cx {
    pub fn new() -> Cx {
        Cx {
            interrupt: Arc::new(AtomicBool::new(false)),
            ended_for_memory: Arc::new(AtomicBool::new(false)),
            functions: LinkTable::default(),
            classes: LinkTable::default(),
            constants: LinkTable::default(),
            exception: None,
            exit_status: 0,
            error_level: Level::ALL,
            precision: 14,
            serialize_precision: -1,
            class_states: ClassStates::default(),
            units: WordMap::default(),
            output: Output::default(),
            ini: registry::try_get().map_or_else(IniTable::default, |r| r.ini.clone()),
            vm: std::ptr::null_mut(),
            runtime: None,
            waker: Waker::noop().clone(),
            timer: None,
            cwd: std::env::current_dir().map(|d| std::os::unix::ffi::OsStringExt::into_vec(d.into_os_string())).unwrap_or_else(|_| b"/".to_vec()),
            foreign_frames: 0,
            autoloaders: Autoloaders::default(),
            states: WordMap::default(),
        }
    }

    pub fn engine(&self) -> &'static dyn Engine {
        registry::get().engine
    }

    /// State of an extension in this instance, made at first use and dropped at the end of the request.
    pub fn state<T: Any + Default>(&mut self) -> &mut T {
        self.states
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Box::new(T::default()))
            .downcast_mut()
            .expect("states are kept under their own type")
    }
    /// Keeps the unit until the request is over: the instance gets a function or a class of it.
    pub fn hold_unit(&mut self, unit: &Arc<Unit>) {
        self.units.entry(Arc::as_ptr(unit) as usize).or_insert_with(|| unit.clone());
    }
    /// Lets go of all units: nothing is left in the instance that could lead to their functions and classes.
    pub fn release_units(&mut self) {
        self.units.clear();
    }
    pub fn drop_states(&mut self) {
        self.autoloaders = Autoloaders::default();
        self.states.clear();
    }

    // ---- calling PHP

    pub fn call(&mut self, callable: &Callable, args: &[Value]) -> Res<Value> {
        self.engine().call(self, callable, args)
    }
    /// String keys are named arguments.
    pub fn call_with_array(&mut self, callable: &Callable, args: &PArray) -> Res<Value> {
        self.engine().call_with_array(self, callable, args)
    }
    /// Calls any callable value; throws when it is none.
    pub fn call_value(&mut self, callable: &Value, args: &[Value]) -> Res<Value> {
        match self.engine().resolve_callable(self, callable, CallableCheck::Full)? {
            Ok(c) => self.call(&c, args),
            Err(why) => Err(self.throw_error(why)),
        }
    }
    /// Calls a public method by lower-cased name.
    pub fn call_method(&mut self, object: &PObject, lower_name: &[u8], args: &[Value]) -> Res<Value> {
        let class = ClassPtr::of(object);
        match class.method(lower_name) {
            Some(f) => self.engine().call_function(self, f, Some(object), Some(class), args),
            None => {
                Err(self.throw_error([b"Call to undefined method ".as_slice(), class.name.as_bytes(), b"::", lower_name, b"()"]))
            }
        }
    }
    pub fn call_function(&mut self, function: FnPtr, this: Option<&PObject>, class: Option<ClassPtr>, args: &[Value]) -> Res<Value> {
        self.engine().call_function(self, function, this, class, args)
    }
    /// `Ok(Err(reason))`: why it is none.
    pub fn resolve_callable(&mut self, value: &Value) -> Res<Result<Callable, Vec<u8>>> {
        self.engine().resolve_callable(self, value, CallableCheck::Full)
    }

    /// To be called by builtins that follow nested data: an Error before the native stack is used up.
    pub fn check_stack(&mut self) -> Res<()> {
        if self.engine().stack_is_low(self) {
            return Err(self.throw_error("Maximum call stack size reached. Infinite recursion?"));
        }
        Ok(())
    }

    // ---- errors

    /// A diagnostic without prefix.
    pub fn raise(&mut self, level: Level, message: impl Message) -> Res<()> {
        with_whole(&message, |text| self.engine().raise(self, level, text))?
    }
    /// A warning of the running builtin: `function(): message`.
    pub fn warning(&mut self, message: impl Message) -> Res<()> {
        self.builtin_raise(Level::Warning, &message)
    }
    pub fn notice(&mut self, message: impl Message) -> Res<()> {
        self.builtin_raise(Level::Notice, &message)
    }
    pub fn deprecated(&mut self, message: impl Message) -> Res<()> {
        self.builtin_raise(Level::Deprecated, &message)
    }
    fn builtin_raise(&mut self, level: Level, message: &dyn Message) -> Res<()> {
        let mut text = PStrBuilder::new();
        text.extend(&self.active_function_name())?;
        text.extend(b"(): ")?;
        message.append_to(&mut text)?;
        self.raise(level, text.finish())
    }
    /// `strlen`, `ArrayObject::offsetGet`: the running function as messages name it; empty outside.
    pub fn active_function_name(&self) -> Vec<u8> {
        if let Some(word) = self.engine().active_construct(self) {
            return word.as_bytes().to_vec();
        }
        self.engine().active_function(self).map_or_else(Vec::new, |f| f.display_name())
    }
    /// Runs `f` with warnings thrown as exceptions of a builtin class: constructors of some classes report their failures so. Notices and
    /// deprecations stay what they are.
    pub fn throwing_warnings<T>(&mut self, class: &'static str, f: impl FnOnce(&mut Cx) -> Res<T>) -> Res<T> {
        let before = self.state::<ThrownWarnings>().0.replace(class);
        let result = f(self);
        self.state::<ThrownWarnings>().0 = before;
        result
    }
    /// The class that warnings are thrown as now.
    pub fn warnings_thrown_as(&mut self) -> Option<&'static str> {
        self.state::<ThrownWarnings>().0
    }
    /// Throws a new exception of a builtin class.
    pub fn throw(&mut self, class: &str, message: impl Message) -> Stop {
        let thrown = match self.engine().find_class(self, class.as_bytes(), false) {
            Ok(Some(class)) => with_whole(&message, |text| self.engine().throw_new(self, class, text, 0)),
            Ok(None) => with_whole(&message, |text| self.fatal([b"Class ".as_slice(), class.as_bytes(), b" not found: ", text])),
            Err(stop) => Ok(stop),
        };
        thrown.unwrap_or_else(Stop::from)
    }
    /// Throws an Error.
    pub fn throw_error(&mut self, message: impl Message) -> Stop {
        self.throw("Error", message)
    }
    /// Ends the request with a fatal error.
    pub fn fatal(&mut self, message: impl Message) -> Stop {
        match self.raise(Level::Error, message) {
            Err(stop) => stop,
            Ok(()) => Stop::Fatal,
        }
    }
    pub fn type_error(&mut self, message: impl Message) -> Stop {
        self.throw("TypeError", message)
    }
    pub fn value_error(&mut self, message: impl Message) -> Stop {
        self.throw("ValueError", message)
    }
    pub fn throw_object(&mut self, object: PObject) -> Stop {
        self.engine().throw_object(self, object)
    }
    fn arg_message(&self, n: u32, message: &dyn Message) -> Result<PStr, OutOfMemory> {
        let function = self.engine().active_function(self);
        let mut text = PStrBuilder::new();
        text.extend(&self.active_function_name())?;
        text.push_str("(): Argument #")?;
        text.push_int(i64::from(n))?;
        if let Some(f) = function {
            let name = f.param_name(n as usize - 1);
            let variadic = f.is(jumbo_bytecode::unit::func_flags::VARIADIC) && n > f.params;
            if !name.is_empty() && !variadic {
                text.extend(b" ($")?;
                text.extend(name)?;
                text.push(b')')?;
            }
        }
        text.push(b' ')?;
        message.append_to(&mut text)?;
        Ok(text.finish())
    }
    fn throw_of_arg(&mut self, class: &str, n: u32, message: &dyn Message) -> Stop {
        if self.exception.is_some() {
            return Stop::Thrown;
        }
        match self.arg_message(n, message) {
            Ok(text) => self.throw(class, text),
            Err(refused) => refused.into(),
        }
    }
    /// ValueError `f(): Argument #n ($name) message`; `n` from 1. When an exception is on its way already, nothing is added to it.
    pub fn arg_value_error(&mut self, n: u32, message: impl Message) -> Stop {
        self.throw_of_arg("ValueError", n, &message)
    }
    /// TypeError `f(): Argument #n ($name) message`; `n` from 1. As [`arg_value_error`](Cx::arg_value_error).
    pub fn arg_type_error(&mut self, n: u32, message: impl Message) -> Stop {
        self.throw_of_arg("TypeError", n, &message)
    }
    /// Deprecated: a float with a fraction where an int is wanted.
    pub fn deprecated_fraction(&mut self, value: &Value, f: f64) -> Res<()> {
        let text = jumbo_value::number::float_to_string(f, -1);
        let kind: &[u8] = if value.as_str().is_some() { b"float-string \"" } else { b"float " };
        let end: &[u8] = if value.as_str().is_some() { b"\"" } else { b"" };
        // PHP's message ends the string at a NUL byte.
        let shown = value.as_str().map_or(text.as_slice(), |s| jumbo_value::string::up_to_nul(s.as_bytes()));
        self.raise(Level::Deprecated, [b"Implicit conversion from ".as_slice(), kind, shown, end, b" to int loses precision"])
    }
    pub(crate) fn check_builtin_arg(&mut self, call: &mut crate::Call, n: usize) -> Res<()> {
        let function = self.engine().active_function(self);
        let Some(ty) = function.as_ref().and_then(|f| f.param_types.get(n).or(f.param_types.last())) else { return Ok(()) };
        let Some(ty) = ty else { return Ok(()) };
        let expected = || match ty.mask {
            // Builtins of arrays accept objects, and do not say so.
            m if m == crate::mask::ARRAY | crate::mask::OBJECT && ty.classes.is_empty() => "array".to_string(),
            _ => String::from_utf8_lossy(&ty.display()).into_owned(),
        };
        if call.args[n].is_null() && ty.mask & crate::mask::NULL == 0 && ty.mask & crate::mask::SCALAR != 0 {
            crate::args::null_to_scalar(self, call, n, &expected())?;
            call.args[n] = match ty.mask {
                m if m & crate::mask::INT != 0 => Value::from(0i64),
                m if m & crate::mask::FLOAT != 0 => Value::from(0.0),
                m if m & crate::mask::STRING != 0 => Value::empty_string(),
                _ => Value::FALSE,
            };
            return Ok(());
        }
        // What is called meanwhile sees the argument as it was passed.
        let mut value = call.args[n].clone();
        let fits = self.engine().coerce(self, &mut value, ty, None, call.strict);
        call.args[n] = value;
        if fits? {
            return Ok(());
        }
        Err(crate::args::type_error(self, call, n, &expected()))
    }

    // ---- conversions and comparison

    pub fn to_string(&mut self, value: &Value) -> Res<PStr> {
        match value.as_str() {
            Some(s) => Ok(s.clone()),
            None => self.engine().to_string(self, value),
        }
    }
    /// Text of a value, for builtins that go on to their end although a conversion has thrown, as many of PHP's do: what throws is the
    /// empty string, and the exception waits for [`unless_thrown`](Cx::unless_thrown), which the builtin ends with. Until then no PHP code
    /// runs any more: texts of objects that their methods would give are empty too, warnings are told unless a handler wants them, and a
    /// further exception is chained to the first.
    pub fn text_despite(&mut self, value: &Value) -> Res<PStr> {
        let value = value.deref();
        let is_asked = |class: ClassPtr| class.magic.to_string.is_some() || class.hooks.cast.is_none();
        if self.exception.is_some() && value.as_object().is_some_and(|object| is_asked(ClassPtr::of(object))) {
            return Ok(PStr::empty());
        }
        Ok(match despite(self.to_string(value))? {
            Some(text) => text,
            None if value.is_array() => PStr::new(b"Array"),
            None => PStr::empty(),
        })
    }
    /// `(int)`, as builtins convert what they take as `mixed`: objects answer for themselves, mostly with a warning.
    pub fn to_int(&mut self, value: &Value) -> Res<i64> {
        Ok(match value.deref().as_object().cloned() {
            Some(object) => convert::to_int(&self.engine().object_cast(self, &object, mask::INT)?),
            None => convert::to_int(value.deref()),
        })
    }
    /// `(float)`; see [`to_int`](Cx::to_int).
    pub fn to_float(&mut self, value: &Value) -> Res<f64> {
        Ok(match value.deref().as_object().cloned() {
            Some(object) => convert::to_float(&self.engine().object_cast(self, &object, mask::FLOAT)?),
            None => convert::to_float(value.deref()),
        })
    }
    /// Asks the request heap for the room of a result that is made outside of it: what memory_limit does not allow is PHP's fatal error
    /// before the process takes any memory.
    pub fn check_room(&mut self, bytes: usize) -> Res<()> {
        drop(jumbo_value::PStrBuilder::with_capacity(bytes)?);
        Ok(())
    }
    /// The result of a builtin that went on in spite of exceptions; the exception when there was one.
    pub fn unless_thrown<T>(&self, result: T) -> Res<T> {
        if self.exception.is_some() { Err(Stop::Thrown) } else { Ok(result) }
    }
    /// `<=>`: -1, 0, 1.
    pub fn compare(&mut self, a: &Value, b: &Value) -> Res<i32> {
        self.engine().compare(self, a, b)
    }
    /// `===`; an Error for arrays that contain themselves.
    pub fn identical(&mut self, a: &Value, b: &Value) -> Res<bool> {
        jumbo_value::compare::identical(a, b)
            .map_err(|jumbo_value::compare::ContainsItself| self.throw_error("Nesting level too deep - recursive dependency?"))
    }
    pub fn loose_equals(&mut self, a: &Value, b: &Value) -> Res<bool> {
        self.engine().loose_equals(self, a, b)
    }

    // ---- classes and objects

    /// A class by name (leading backslash allowed, any case).
    pub fn find_class(&mut self, name: &[u8], autoload: bool) -> Res<Option<ClassPtr>> {
        self.engine().find_class(self, name, autoload)
    }
    /// A builtin class that is always there.
    pub fn builtin_class(&self, lower: &[u8]) -> ClassPtr {
        *registry::get().classes.get(lower).expect("a class of a linked extension")
    }
    pub fn instantiate(&mut self, class: ClassPtr, args: &[Value]) -> Res<PObject> {
        self.engine().instantiate(self, class, args)
    }
    pub fn new_object(&mut self, class: ClassPtr) -> Res<PObject> {
        self.engine().new_object(self, class)
    }
    /// A property with the visibility of the object's own class.
    pub fn read_property(&mut self, object: &PObject, name: &[u8]) -> Res<Value> {
        let scope = ClassPtr::of(object);
        self.engine().read_property(self, object, &PStr::new(name), Some(scope))
    }
    pub fn write_property(&mut self, object: &PObject, name: &[u8], value: impl Into<Value>) -> Res<()> {
        let scope = ClassPtr::of(object);
        self.engine().write_property(self, object, &PStr::new(name), value.into(), Some(scope))
    }
    pub fn properties(&mut self, object: &PObject, purpose: Purpose) -> Res<PArray> {
        self.engine().properties(self, object, purpose)
    }
    pub fn iterate(&mut self, value: &Value, each: &mut dyn FnMut(&mut Cx, &Value, &Value) -> Res<bool>) -> Res<()> {
        self.engine().iterate(self, value, each)
    }
    /// See [`Engine::traverse`](crate::Engine::traverse).
    pub fn traverse(&mut self, object: &PObject) -> Res<Box<dyn crate::desc::NativeIterator>> {
        self.engine().traverse(self, object)
    }
    /// Calls a builtin function by its lower-cased name: for builtins that PHP defines by another one (`ArrayObject::asort`).
    pub fn call_builtin(&mut self, lower_name: &str, args: &[Value]) -> Res<Value> {
        let registry = registry::get();
        let found = registry.function_names.get(lower_name.as_bytes()).and_then(|n| registry.functions.get(*n as usize).copied());
        match found {
            Some(f) => self.engine().call_function(self, f, None, None, args),
            None => Err(self.throw_error([b"Call to undefined function ".as_slice(), lower_name.as_bytes(), b"()"])),
        }
    }
    /// What this instance keeps about a class.
    #[inline]
    pub fn class_state(&mut self, class: ClassPtr) -> &mut ClassState {
        self.class_states.get(class.id())
    }

    // ---- frames

    pub fn backtrace(&mut self, options: BacktraceOptions) -> PArray {
        self.engine().backtrace(self, options)
    }
    pub fn caller_scope(&self) -> Option<ClassPtr> {
        self.engine().caller_scope(self)
    }
}

/// See [`Cx::throwing_warnings`].
#[derive(Default)]
struct ThrownWarnings(Option<&'static str>);

impl Default for Cx {
    fn default() -> Cx {
        Cx::new()
    }
}
