//! The unit: what one file (or one `eval`) compiles to. Immutable once published, and shared by all threads.
//!
//! Invariants: every string and array in a unit is immortal (uncounted tags, hashes computed); nothing in it is written after
//! publication except the inline-cache words inside the code, which are atomics.

use crate::insn::Insn;
use crate::types::Type;
use jumbo_value::{PStr, Raw};
use std::any::Any;
use std::sync::OnceLock;

/// Counts the units that are gone; see [`retired`].
#[derive(Debug, Default)]
pub struct Life(());

static RETIRED: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

impl Drop for Life {
    fn drop(&mut self) {
        RETIRED.fetch_add(1, std::sync::atomic::Ordering::Release);
    }
}

/// How many units are gone: while the number stays, an address of code means what it meant.
pub fn retired() -> u32 {
    RETIRED.load(std::sync::atomic::Ordering::Acquire)
}

/// One compiled file.
pub struct Unit {
    /// Tells the world when the code goes.
    pub life: Life,
    /// Full path as PHP shows it (`__FILE__`).
    pub file: PStr,
    /// Top-level code.
    pub main: FunctionProto,
    /// All functions, closures, methods' thunks and constant-expression thunks that instructions and declarations name by number.
    pub functions: Vec<FunctionProto>,
    pub classes: Vec<ClassDecl>,
    /// `declare(strict_types=1)`.
    pub strict_types: bool,
    /// Numbers of `functions` that are declared when the file is entered (top-level, unconditional).
    pub hoisted_functions: Vec<u32>,
    /// Numbers of `classes` to bind early when the file is entered: no interfaces, no traits, and no parent or a parent that is known then.
    /// Those without a parent have no DeclareClass. One that cannot be bound
    /// early stays for its DeclareClass instruction, which does nothing for a class that was bound early in the same inclusion.
    pub hoisted_classes: Vec<Hoisted>,
    /// Byte offset behind `__halt_compiler();`.
    pub halt_offset: Option<u64>,
    /// Warnings and deprecations that compiling raised: (PHP error level, message, line), shown each time the unit is compiled.
    pub diagnostics: Vec<(u32, Vec<u8>, u32)>,
    /// What the runtime makes once of the unit, for all instances; opaque here. It goes with the unit, and does not hold it.
    pub runtime: OnceLock<Box<dyn Any + Send + Sync>>,
}

/// A class to bind early.
#[derive(Clone, Copy, Debug)]
pub struct Hoisted {
    /// Its place in [`Unit::classes`].
    pub number: u32,
    /// So many of [`Unit::diagnostics`] come before its own: PHP binds it as soon as it is compiled.
    pub diagnostics_before: usize,
}

// SAFETY: see the module's invariants: shared parts are immortal and unwritten, cache words are accessed atomically.
unsafe impl Send for Unit {}
// SAFETY: as above.
unsafe impl Sync for Unit {}

/// Function flags.
pub mod func_flags {
    pub const STATIC: u32 = 1 << 0;
    pub const ABSTRACT: u32 = 1 << 1;
    pub const FINAL: u32 = 1 << 2;
    pub const PUBLIC: u32 = 1 << 3;
    pub const PROTECTED: u32 = 1 << 4;
    pub const PRIVATE: u32 = 1 << 5;
    pub const RETURNS_REF: u32 = 1 << 6;
    pub const GENERATOR: u32 = 1 << 7;
    pub const VARIADIC: u32 = 1 << 8;
    pub const CLOSURE: u32 = 1 << 9;
    pub const ARROW: u32 = 1 << 10;
    /// Has at least one parameter with a type.
    pub const TYPED_PARAMS: u32 = 1 << 11;
    /// Contains `$$`, include, eval, extract, compact, get_defined_vars: gets a symbol table that points at its slots.
    pub const SYMBOL_TABLE: u32 = 1 << 12;
    /// Names `$this`: such a closure cannot be unbound. What closures within it name does not count, nor what needs an object without
    /// naming it (`parent::method()`, `$$name`).
    pub const USES_THIS: u32 = 1 << 13;
    /// Code of a file or eval, not a function.
    pub const MAIN: u32 = 1 << 14;
    /// A constant expression (default, constant, attribute argument): runs in the scope of its class.
    pub const THUNK: u32 = 1 << 15;
    /// Calls func_get_args and friends.
    pub const USES_ARGS: u32 = 1 << 16;
    pub const DEPRECATED: u32 = 1 << 17;
    /// A property hook.
    pub const HOOK: u32 = 1 << 18;
    /// Some parameter is by reference.
    pub const BY_REF_PARAMS: u32 = 1 << 19;
    pub const STRICT_TYPES: u32 = 1 << 20;
    /// Return type needs a check (set when VerifyReturn is in the code).
    pub const TYPED_RETURN: u32 = 1 << 21;
    pub const CONSTRUCTOR: u32 = 1 << 22;
    /// An instance of a builtin (set at run time, never in a unit).
    pub const BUILTIN: u32 = 1 << 23;
    /// Came from a trait.
    pub const FROM_TRAIT: u32 = 1 << 24;
    /// Has an `#[\Override]`, checked at linking.
    pub const OVERRIDE: u32 = 1 << 25;
    /// The variable that collects arguments may be written to: what was passed is kept apart.
    pub const VARIADIC_WRITTEN: u32 = 1 << 26;
    /// A builtin that takes all of its parameters or none.
    pub const ALL_OR_NONE: u32 = 1 << 27;
}

/// One function, method, closure, file body or constant expression.
pub struct FunctionProto {
    /// As PHP shows it: `foo`, `Ns\foo`, `{closure:Ns\foo():12}`, method name; `{main}`-less for files (empty).
    pub name: PStr,
    pub flags: u32,
    pub params: Vec<Param>,
    /// Parameters before the first optional one.
    pub required: u32,
    pub return_type: Option<Type>,
    /// Names of the CVs, parameters first; CV `n` lives in register `FRAME_HEADER + n`.
    pub cvs: Vec<PStr>,
    /// First temporary register: `FRAME_HEADER + cvs.len()`.
    pub first_temp: u16,
    /// Registers in all (header, CVs, temporaries, outgoing call frames).
    pub registers: u16,
    pub code: Box<[Insn]>,
    /// Literals: immortal.
    pub literals: Box<[Raw]>,
    /// (first word, line), ascending.
    pub lines: Vec<(u32, u32)>,
    /// Outer ones before inner ones.
    pub tries: Vec<TryRegion>,
    /// Sorted by start; inner ones after outer ones.
    pub live: Vec<LiveRange>,
    pub switches: Vec<SwitchTable>,
    /// Static variables: name, and the constant expression's value when it is a literal (else null until InitStatic).
    pub statics: Vec<StaticVar>,
    /// Captured variables of a closure: CV number and by reference.
    pub uses: Vec<ClosureUse>,
    pub attributes: Vec<Attribute>,
    pub doc_comment: Option<PStr>,
    pub line_start: u32,
    pub line_end: u32,
}

pub struct Param {
    pub name: PStr,
    pub ty: Option<Type>,
    pub by_ref: bool,
    pub variadic: bool,
    pub default: Option<ConstExpr>,
    /// The default as Reflection shows it, when its value is known but is written with constants.
    pub default_text: Option<PStr>,
    /// Promoted constructor parameter: member flags, see [`member_flags`].
    pub promoted: Option<u32>,
    pub attributes: Vec<Attribute>,
}

pub struct StaticVar {
    pub name: PStr,
    /// UNDEF: not initialised until InitStatic; else the variable is initialised from the start.
    pub initial: Raw,
}

pub struct ClosureUse {
    /// Number of the CV (its register is `FRAME_HEADER + cv`).
    pub cv: u16,
    pub by_ref: bool,
    pub name: PStr,
}

/// A value that may need evaluation at run time.
pub enum ConstExpr {
    Literal(Raw),
    /// Number in [`Unit::functions`] of a thunk that returns the value, and the expression as PHP prints it (Reflection, messages).
    Thunk { function: u32, text: PStr },
}

#[derive(Clone, Copy, Debug)]
pub struct TryRegion {
    /// Words `start..end` are protected by `catch` (end = first word of the first Catch).
    pub start: u32,
    /// First Catch instruction, or `u32::MAX`.
    pub catch: u32,
    /// First word of the finally block, or `u32::MAX`; the region protected by it is `start..finally`.
    pub finally: u32,
    /// Behind the FastRet.
    pub finally_end: u32,
    /// Temporary of FastCall/FastRet.
    pub finally_temp: u16,
}

/// Words `start..end` during which a temporary must be cleaned when an exception passes. One life of a temporary may be several
/// ranges (a `break` or `return` releases it on its way out, and the code behind it has it again), so "alive at both places" asks for
/// any range of the register.
#[derive(Clone, Copy, Debug)]
pub struct LiveRange {
    pub start: u32,
    pub end: u32,
    pub register: u16,
    pub kind: LiveKind,
}

impl LiveRange {
    /// Of ranges that meet, which one is released first when an exception passes? Calls that were not made yet, the innermost first, with
    /// their arguments in order; then everything else in the order in which it came about.
    pub fn release_order(&self) -> impl Ord + use<> {
        match self.kind {
            LiveKind::Argument(frame) => (0u8, u32::from(u16::MAX - frame), 0u8, self.register),
            LiveKind::Frame => (0, u32::from(u16::MAX - self.register), 1, self.register),
            _ => (1, self.start, 0, self.register),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveKind {
    /// A value: release it.
    Value,
    /// A value in its place as an argument of the call whose frame begins at this register.
    Argument(u16),
    /// A foreach iterator (two registers).
    Iterator,
    /// `@`: restore the error level.
    Silence,
    /// A call frame between Init and Call: release its object or closure.
    Frame,
    /// A new object whose constructor is being called: release it, and its destructor must not run.
    NewObject,
}

/// Jumps of a `switch` by the value that takes them.
pub type Targets<K> = crate::hash::NameMap<K, i32>;

pub struct SwitchTable {
    pub ints: Targets<i64>,
    pub strings: Targets<Box<[u8]>>,
    /// Jump for an int or string that is not in the table; `None`: fall through to the comparisons.
    pub default: Option<i32>,
}

/// Flags of properties, constants, promoted parameters.
pub mod member_flags {
    pub const PUBLIC: u32 = 1 << 0;
    pub const PROTECTED: u32 = 1 << 1;
    pub const PRIVATE: u32 = 1 << 2;
    pub const STATIC: u32 = 1 << 3;
    pub const READONLY: u32 = 1 << 4;
    pub const FINAL: u32 = 1 << 5;
    pub const ABSTRACT: u32 = 1 << 6;
    pub const PROTECTED_SET: u32 = 1 << 7;
    pub const PRIVATE_SET: u32 = 1 << 8;
    pub const PUBLIC_SET: u32 = 1 << 9;
    pub const PROMOTED: u32 = 1 << 10;
    /// Property with hooks and no storage of its own.
    pub const VIRTUAL: u32 = 1 << 11;
    pub const ENUM_CASE: u32 = 1 << 12;
    pub const DEPRECATED: u32 = 1 << 13;
    pub const VISIBILITY: u32 = PUBLIC | PROTECTED | PRIVATE;
}

/// Class flags.
pub mod class_flags {
    pub const ABSTRACT: u32 = 1 << 0;
    pub const FINAL: u32 = 1 << 1;
    pub const INTERFACE: u32 = 1 << 2;
    pub const TRAIT: u32 = 1 << 3;
    pub const ENUM: u32 = 1 << 4;
    pub const READONLY: u32 = 1 << 5;
    pub const ANONYMOUS: u32 = 1 << 6;
    /// `#[AllowDynamicProperties]`, inherited.
    pub const ALLOW_DYNAMIC: u32 = 1 << 7;
    pub const NO_DYNAMIC: u32 = 1 << 8;
    pub const NOT_SERIALIZABLE: u32 = 1 << 9;
    pub const BUILTIN: u32 = 1 << 10;
    /// Some method is abstract (set explicitly or inherited).
    pub const HAS_ABSTRACT: u32 = 1 << 11;
}

/// A class as declared, before linking.
pub struct ClassDecl {
    /// As written, qualified; `class@anonymous` + NUL + place for anonymous ones.
    pub name: PStr,
    pub lower: PStr,
    pub handle: u32,
    pub flags: u32,
    pub parent: Option<crate::types::ClassName>,
    pub interfaces: Vec<crate::types::ClassName>,
    pub traits: Vec<crate::types::ClassName>,
    pub adaptations: Vec<TraitAdaptation>,
    pub constants: Vec<ConstantDecl>,
    pub properties: Vec<PropertyDecl>,
    /// Numbers in [`Unit::functions`].
    pub methods: Vec<u32>,
    /// Backing type of an enum: `mask::INT` or `mask::STRING`, 0 for a pure one.
    pub enum_backing: u32,
    pub attributes: Vec<Attribute>,
    pub doc_comment: Option<PStr>,
    pub line_start: u32,
    pub line_end: u32,
}

impl ClassDecl {
    /// Can it be declared whatever else is declared: is it there when its file is entered? The parameter of a `set` hook is compared with its property's type, which may need
    /// classes that are not there yet.
    pub fn stands_alone(&self) -> bool {
        self.parent.is_none()
            && self.interfaces.is_empty()
            && self.traits.is_empty()
            && self.properties.iter().all(|p| p.set_hook.is_none() || p.ty.is_none())
    }
}

pub enum TraitAdaptation {
    /// `T::m insteadof A, B;`
    Precedence { class: crate::types::ClassName, method: PStr, excluded: Vec<crate::types::ClassName> },
    /// `[T::]m as [visibility] [alias];`
    Alias { class: Option<crate::types::ClassName>, method: PStr, alias: Option<PStr>, flags: u32 },
}

pub struct ConstantDecl {
    pub name: PStr,
    pub flags: u32,
    pub ty: Option<Type>,
    /// Value of an enum case: its backing value (absent for pure cases).
    pub value: Option<ConstExpr>,
    pub attributes: Vec<Attribute>,
    pub doc_comment: Option<PStr>,
    pub line: u32,
}

pub struct PropertyDecl {
    pub name: PStr,
    pub flags: u32,
    pub ty: Option<Type>,
    /// None: null for untyped ones, uninitialised for typed ones.
    pub default: Option<ConstExpr>,
    /// Hooks: numbers in [`Unit::functions`].
    pub get_hook: Option<u32>,
    pub set_hook: Option<u32>,
    pub attributes: Vec<Attribute>,
    pub doc_comment: Option<PStr>,
    pub line: u32,
}

pub struct Attribute {
    pub name: crate::types::ClassName,
    pub args: Vec<(Option<PStr>, ConstExpr)>,
    pub line: u32,
}

/// A class named by an instruction: special values, else a handle of [`crate::names::CLASSES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassRef(pub u32);

impl ClassRef {
    pub const SELF: ClassRef = ClassRef(u32::MAX);
    pub const PARENT: ClassRef = ClassRef(u32::MAX - 1);
    pub const STATIC: ClassRef = ClassRef(u32::MAX - 2);
    /// In a register: a name, an object, or the PTR of an anonymous class.
    pub const DYNAMIC: ClassRef = ClassRef(u32::MAX - 3);
    /// Of ClassName alone: `__CLASS__`, empty where there is no class.
    pub const MAGIC_CLASS: ClassRef = ClassRef(u32::MAX - 4);
    /// Of ClassName alone: what [`DYNAMIC`](Self::DYNAMIC) names, which may be a name itself.
    pub const OF_VALUE: ClassRef = ClassRef(u32::MAX - 5);
    pub const FIRST_SPECIAL: u32 = u32::MAX - 5;
}

/// Operators of compound assignments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
    Concat,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
}

impl BinaryOp {
    pub const ALL: [BinaryOp; 12] = {
        use BinaryOp::*;
        [Add, Sub, Mul, Div, Mod, Pow, Concat, BitAnd, BitOr, BitXor, Shl, Shr]
    };
    pub fn from_u16(n: u16) -> Option<BinaryOp> {
        Self::ALL.get(n as usize).copied()
    }
    /// As PHP writes it in messages.
    pub fn symbol(self) -> &'static str {
        ["+", "-", "*", "/", "%", "**", ".", "&", "|", "^", "<<", ">>"][self as usize]
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum CastKind {
    Int,
    Float,
    String,
    Array,
    Object,
    Bool,
    Unset,
}

impl CastKind {
    pub fn from_u16(n: u16) -> Option<CastKind> {
        use CastKind::*;
        [Int, Float, String, Array, Object, Bool, Unset].get(n as usize).copied()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum IncludeKind {
    Include,
    IncludeOnce,
    Require,
    RequireOnce,
    Eval,
}

impl IncludeKind {
    pub fn from_u16(n: u16) -> Option<IncludeKind> {
        use IncludeKind::*;
        [Include, IncludeOnce, Require, RequireOnce, Eval].get(n as usize).copied()
    }
}

/// What the compiler may ask about the world it compiles for (builtins are fixed for the life of the process).
pub trait World {
    /// A builtin function by lower-cased name.
    fn builtin_function(&self, lower: &[u8]) -> Option<BuiltinInfo>;
    /// A constant that cannot change: PHP_VERSION, E_ALL, M_PI… Only immortal scalars.
    fn constant(&self, name: &[u8]) -> Option<jumbo_value::Value>;
    /// Kind and name of the builtin class with this lower-cased name: `class stdClass`.
    fn builtin_class(&self, lower: &[u8]) -> Option<Vec<u8>>;
}

#[derive(Clone, Copy, Debug)]
pub struct BuiltinInfo {
    /// Number for CallBuiltin.
    pub id: u32,
    /// Bit per parameter: by reference (the last bit stands for all variadic ones when `variadic_by_ref`).
    pub by_ref: u64,
    /// Bit per parameter: by reference if it can be (`prefer-ref`).
    pub prefer_ref: u64,
    pub variadic: bool,
    pub variadic_by_ref: bool,
    pub required: u32,
    /// Number of declared parameters.
    pub params: u32,
    /// Same result for the same arguments, no effects, no errors on scalars: may be folded.
    pub foldable: bool,
    /// Looks at its caller's variables (compact, extract, func_get_args, …): no specialisation, symbol table needed.
    pub needs_symbols: bool,
}

impl FunctionProto {
    /// Line of the instruction at word `at`.
    pub fn line_at(&self, at: u32) -> u32 {
        match self.lines.binary_search_by_key(&at, |&(word, _)| word) {
            Ok(i) => self.lines[i].1,
            Err(0) => self.line_start,
            Err(i) => self.lines[i - 1].1,
        }
    }
}
