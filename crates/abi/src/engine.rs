//! The engine behind [`Cx`]: what builtins reach through it. One implementation, in `jumbo-interp` on top of `jumbo-runtime`.

use crate::{Callable, ClassPtr, Cx, FnPtr, Level, Res, Stop};
use jumbo_value::{Key, PArray, PObject, PStr, Value};

/// Options of a backtrace.
#[derive(Clone, Copy, Debug)]
pub struct BacktraceOptions {
    pub with_object: bool,
    pub with_args: bool,
    /// 0: no limit.
    pub limit: usize,
    /// Frames to leave out at the top.
    pub skip: usize,
}

/// How a callable is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallableCheck {
    /// Exists and may be called from here.
    Full,
    /// Only its form (`is_callable($x, true)`).
    SyntaxOnly,
}

/// Everything that needs the interpreter, the class linker or the compiler. See the methods of [`Cx`] for the meaning: it
/// forwards to these.
pub trait Engine: Send + Sync {
    fn call(&self, cx: &mut Cx, callable: &Callable, args: &[Value]) -> Res<Value>;
    /// With named arguments: string keys of `args` are names.
    /// As [`call_with_array`](Engine::call_with_array), as if code at this place made the call: the constructor of an attribute.
    fn call_from(&self, cx: &mut Cx, callable: &Callable, args: &PArray, site: crate::request::CallSite) -> Res<Value>;
    fn call_with_array(&self, cx: &mut Cx, callable: &Callable, args: &PArray) -> Res<Value>;
    fn call_function(&self, cx: &mut Cx, function: FnPtr, this: Option<&PObject>, class: Option<ClassPtr>, args: &[Value]) -> Res<Value>;
    /// `Err(message)`: why it is no callable, as PHP says it.
    fn resolve_callable(&self, cx: &mut Cx, value: &Value, check: CallableCheck) -> Res<Result<Callable, Vec<u8>>>;
    /// The named arguments of the running builtin that are none of its parameters.
    fn named_arguments(&self, cx: &Cx) -> Option<PArray>;
    /// The name `is_callable` gives it (`Foo::bar`, `Closure::__invoke`).
    fn callable_name(&self, cx: &mut Cx, value: &Value) -> PStr;

    fn raise(&self, cx: &mut Cx, level: Level, message: &[u8]) -> Res<()>;
    fn throw_new(&self, cx: &mut Cx, class: ClassPtr, message: &[u8], code: i64) -> Stop;
    fn throw_object(&self, cx: &mut Cx, object: PObject) -> Stop;

    /// Fills file, line and trace of a new Throwable.
    fn fill_throwable(&self, cx: &mut Cx, object: &PObject) -> Res<()>;
    /// What `__toString` of Exception and Error gives.
    fn throwable_to_string(&self, cx: &mut Cx, object: &PObject) -> Res<PStr>;
    /// A trace as getTraceAsString gives it: lines `#0 …`, the last one `#n {main}`.
    fn trace_to_string(&self, cx: &mut Cx, trace: &PArray) -> Res<PStr>;

    fn find_class(&self, cx: &mut Cx, name: &[u8], autoload: bool) -> Res<Option<ClassPtr>>;
    fn instantiate(&self, cx: &mut Cx, class: ClassPtr, args: &[Value]) -> Res<PObject>;
    /// A new object whose constructor is not called.
    fn new_object(&self, cx: &mut Cx, class: ClassPtr) -> Res<PObject>;
    fn clone_object(&self, cx: &mut Cx, object: &PObject) -> Res<PObject>;
    /// Evaluates what a class has to evaluate: constants, defaults, initial values of static properties.
    fn evaluate_class(&self, cx: &mut Cx, class: ClassPtr) -> Res<()>;
    fn class_constant(&self, cx: &mut Cx, class: ClassPtr, name: &[u8]) -> Res<Option<Value>>;
    fn constant(&self, cx: &mut Cx, name: &[u8]) -> Res<Option<Value>>;
    fn static_property(&self, cx: &mut Cx, class: ClassPtr, name: &[u8]) -> Res<Option<Value>>;
    fn set_static_property(&self, cx: &mut Cx, class: ClassPtr, name: &[u8], value: Value) -> Res<()>;

    /// With the visibility of `scope`; magic methods included.
    fn read_property(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<Value>;
    fn write_property(&self, cx: &mut Cx, object: &PObject, name: &PStr, value: Value, scope: Option<ClassPtr>) -> Res<()>;
    /// A reference to a property, as `foreach ($object as &$value)` makes it: a typed one keeps its type. What a hook or `__get` returns
    /// instead may be no reference.
    fn property_reference(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<Value>;
    fn unset_property(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<()>;
    /// `empty`: as empty(), else isset().
    fn has_property(&self, cx: &mut Cx, object: &PObject, name: &PStr, empty: bool, scope: Option<ClassPtr>) -> Res<bool>;
    /// Is the property there, whatever its value is? A hook that would answer for it is not asked, nor `__isset`.
    fn property_exists(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<bool>;
    /// All properties with mangled names, as `(array)` gives them; references are kept.
    fn properties(&self, cx: &mut Cx, object: &PObject, purpose: crate::desc::Purpose) -> Res<PArray>;
    /// As `properties`, without asking the class's hooks: what a hook adds to.
    fn plain_properties(&self, object: &PObject) -> PArray;
    /// What `getIterator()` of a builtin class returns: an InternalIterator over its native iteration.
    fn internal_iterator(&self, cx: &mut Cx, native: Box<dyn crate::desc::NativeIterator>) -> PObject;
    /// Where the internal pointer of the object's properties stands (`next($object)`, deprecated): a place in their order.
    fn property_position(&self, object: &PObject) -> usize;
    /// Remembered for as long as the object lives.
    fn set_property_position(&self, object: &PObject, position: usize);
    /// Properties visible from `scope`, by plain name (get_object_vars, foreach). `hooks`: those with a `get` hook have what it returns,
    /// else what they store.
    fn visible_properties(&self, cx: &mut Cx, object: &PObject, scope: Option<ClassPtr>, hooks: bool) -> Res<PArray>;

    fn to_string(&self, cx: &mut Cx, value: &Value) -> Res<PStr>;
    fn object_cast(&self, cx: &mut Cx, object: &PObject, wanted: u32) -> Res<Value>;
    fn compare(&self, cx: &mut Cx, a: &Value, b: &Value) -> Res<i32>;
    fn loose_equals(&self, cx: &mut Cx, a: &Value, b: &Value) -> Res<bool>;
    /// Does `value` fit the type, after coercion by the mode? In place. False: it does not (no error raised).
    fn coerce(&self, cx: &mut Cx, value: &mut Value, ty: &jumbo_bytecode::types::Type, scope: Option<ClassPtr>, strict: bool) -> Res<bool>;

    /// Calls `each` for every element of an array or Traversable until it says false.
    fn iterate(&self, cx: &mut Cx, value: &Value, each: &mut dyn FnMut(&mut Cx, &Value, &Value) -> Res<bool>) -> Res<()>;

    /// The iteration over a Traversable, step by step, as `foreach` goes over it: IteratorAggregate is resolved, builtin classes and
    /// generators are asked without calling methods. Nothing is rewound yet.
    fn traverse(&self, cx: &mut Cx, object: &PObject) -> Res<Box<dyn crate::desc::NativeIterator>>;

    fn include(&self, cx: &mut Cx, path: &PStr, kind: jumbo_bytecode::unit::IncludeKind) -> Res<Value>;
    /// Compiles a file that include would find into the cache, without running or declaring anything of it. False: it cannot be had; a
    /// warning was given.
    fn compile_file(&self, cx: &mut Cx, path: &PStr) -> Res<bool>;
    /// Paths of all included files, the main script first.
    fn included_files(&self, cx: &mut Cx) -> Vec<PStr>;
    /// The file that include would take for a path.
    fn resolve_include(&self, cx: &mut Cx, path: &[u8]) -> Option<Vec<u8>>;
    /// The array key that a value means, with PHP's diagnostics.
    fn array_key(&self, cx: &mut Cx, value: &Value) -> Res<Key>;
    fn eval(&self, cx: &mut Cx, code: &PStr, place: &[u8]) -> Res<Value>;

    /// Named arguments of the running variadic builtin that are none of its parameters.
    fn active_named_args(&self, cx: &Cx) -> Option<PArray>;
    /// The running builtin, or the running PHP function when none runs.
    fn active_function(&self, cx: &Cx) -> Option<FnPtr>;
    /// The language construct that PHP code is running as messages name it: `include` and its kind, which call no function.
    fn active_construct(&self, cx: &Cx) -> Option<&'static str>;
    /// Is the running builtin called by its name in the code? That of some builtins is an opcode in PHP then, with an opcode's words.
    fn is_direct_call(&self, cx: &Cx) -> bool;
    /// As [`is_direct_call`](Engine::is_direct_call), also where the name stands in a namespace: for builtins that PHP calls "frameless".
    fn is_frameless_call(&self, cx: &Cx) -> bool;
    /// Does the caller of the running builtin want its result? Some behave differently when nobody does (`SQLite3::query`).
    fn result_is_used(&self, cx: &Cx) -> bool;

    // The frame that called the running builtin.
    fn backtrace(&self, cx: &mut Cx, options: BacktraceOptions) -> PArray;
    fn caller_scope(&self, cx: &Cx) -> Option<ClassPtr>;
    fn caller_static_class(&self, cx: &Cx) -> Option<ClassPtr>;
    fn caller_this(&self, cx: &Cx) -> Option<PObject>;
    fn caller_function(&self, cx: &Cx) -> Option<FnPtr>;
    fn caller_args(&self, cx: &mut Cx) -> Option<Vec<Value>>;
    /// How many [`caller_args`](Engine::caller_args) there are.
    fn caller_arg_count(&self, cx: &Cx) -> Option<u32>;
    fn caller_file(&self, cx: &Cx) -> PStr;
    fn caller_line(&self, cx: &Cx) -> u32;
    /// Is the code that assigns strict? A builtin's own assignments and calls never are.
    fn caller_strict(&self, cx: &Cx) -> bool;
    /// Was the running builtin called by strict code, or does an operator of strict code run? For arguments that it checks itself.
    fn is_called_strictly(&self, cx: &Cx) -> bool;
    /// Variables of the calling PHP frame, by name; references are kept as such when `by_ref`.
    fn caller_variables(&self, cx: &mut Cx) -> PArray;
    fn caller_variable(&self, cx: &mut Cx, name: &[u8]) -> Option<Value>;
    fn set_caller_variable(&self, cx: &mut Cx, name: &PStr, value: Value) -> Res<()>;
    /// A reference to the caller's variable, created as null when missing.
    fn caller_variable_ref(&self, cx: &mut Cx, name: &PStr) -> jumbo_value::PRef;
    /// Makes the caller's variable the reference (`extract` with EXTR_REFS).
    fn bind_caller_variable(&self, cx: &mut Cx, name: &PStr, reference: &jumbo_value::PRef);
    fn global(&self, cx: &mut Cx, name: &[u8]) -> Option<Value>;
    fn set_global(&self, cx: &mut Cx, name: &PStr, value: Value);
    /// Makes the global variable the reference, whatever it was.
    fn bind_global(&self, cx: &mut Cx, name: &PStr, reference: &jumbo_value::PRef);
    fn globals(&self, cx: &mut Cx) -> PArray;

    /// Writes a line to the error log.
    fn log(&self, cx: &mut Cx, text: &[u8]);
    fn run_pending_destructors(&self, cx: &mut Cx) -> Res<()>;
    fn collect_cycles(&self, cx: &mut Cx) -> Res<usize>;
    /// Native nesting has nearly used up the native stack.
    fn stack_is_low(&self, cx: &Cx) -> bool;
    /// The interrupt flag was seen: time slice, time limit, cancellation, signals.
    fn interrupted(&self, cx: &mut Cx) -> Res<()>;
    /// Lets the instance run for this many seconds of CPU time from now (`set_time_limit`, max_execution_time); 0: without limit.
    fn set_time_limit(&self, cx: &mut Cx, seconds: u64);
    /// So much CPU time was used for the instance on another thread.
    fn count_cpu_time(&self, cx: &mut Cx, used: std::time::Duration);
    /// Suspends the running instance (all its stacks) until it is woken; ends by unwinding when the instance is cancelled.
    fn suspend(&self, cx: &mut Cx);
    /// Evaluates the default of parameter `n` of a user function in its scope (Reflection, named arguments).
    fn param_default(&self, cx: &mut Cx, function: FnPtr, n: usize) -> Res<Option<Value>>;
    fn attribute_args(&self, cx: &mut Cx, unit: &std::sync::Arc<jumbo_bytecode::unit::Unit>, attribute: &jumbo_bytecode::unit::Attribute, scope: Option<ClassPtr>) -> Res<Vec<(Key, Value)>>;
    /// A Closure object of a function (`Closure::fromCallable`, first-class callables, Reflection).
    fn make_closure(&self, cx: &mut Cx, callable: &Callable) -> Res<PObject>;
    /// The value of a default or constant as its class's scope evaluates it; UNDEF for a property that starts uninitialised.
    fn evaluate(&self, cx: &mut Cx, source: &crate::class::ConstSource, scope: ClassPtr) -> Res<Value>;
    /// A declared property of `class` past its hooks: what the slot holds.
    fn raw_property(&self, cx: &mut Cx, object: &PObject, class: ClassPtr, name: &PStr) -> Res<Value>;
    /// Writes a declared property of `class` past its set hook, with its type.
    fn set_raw_property(&self, cx: &mut Cx, object: &PObject, class: ClassPtr, name: &PStr, value: Value) -> Res<()>;
    /// Does the property have a value, null included? Neither hooks nor `__isset` are asked.
    fn property_is_initialized(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<bool>;
    /// What a Closure object is made of.
    fn closure_info(&self, closure: &PObject) -> Option<crate::inspect::ClosureInfo>;
    /// Static variables of a function (of this closure) by name; those that were never reached are null.
    fn static_variables(&self, cx: &mut Cx, function: FnPtr, closure: Option<&PObject>) -> PArray;
    /// None: it is no generator.
    fn generator_info(&self, cx: &mut Cx, generator: &PObject) -> Option<crate::inspect::GeneratorInfo>;
    /// The calls inside a generator, as debug_backtrace shows calls.
    fn generator_trace(&self, cx: &mut Cx, generator: &PObject, options: BacktraceOptions) -> PArray;
    fn fiber_info(&self, cx: &mut Cx, fiber: &PObject, options: BacktraceOptions) -> crate::inspect::FiberInfo;
    /// Everything about lazy objects.
    fn lazy(&self, cx: &mut Cx, what: crate::lazy::Lazy<'_>) -> Res<Value>;
}
