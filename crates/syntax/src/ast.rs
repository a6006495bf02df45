//! The syntax tree of one PHP file.
//!
//! Everything is `Copy` and lives in a bump arena (`'a`): nodes are references, lists are slices, names and string
//! literals are byte slices, borrowed from the source where no escape had to be replaced. Nothing here has a `Drop`.
//!
//! The tree is what PHP's own parser accepts, before any check of the compiler: `break $x`, `list()` without elements,
//! duplicate modifiers across groups, writing to an expression and so on are the compiler's to refuse, unless PHP
//! refuses them while parsing.
//!
//! `line` is the line that PHP gives to the corresponding node, which is what its opcodes, and so its diagnostics and
//! stack traces, show: for a node with operands it is the line of its first operand. Calls carry a second line, because
//! PHP attributes a method call to the line of the method's name.
//!
//! Hazard: consumers recurse. The parser refuses nesting beyond [`MAX_DEPTH`](crate::MAX_DEPTH), chains of left-associative
//! operators and of `->` included, so a consumer that grows its stack, or has enough of it, is safe.

pub use jumbo_base::Span;

/// One parsed file.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    pub stmts: &'a [Stmt<'a>],
    pub source: &'a [u8],
    /// Line at which the file ends (the line of PHP's implicit `return 1`).
    pub end_line: u32,
    /// Offset of the first byte after `__halt_compiler();`, if there is one.
    pub halt_offset: Option<u32>,
    /// Warnings and deprecations that PHP raises for the text itself, in source order. The compiler raises them.
    pub diagnostics: &'a [Diagnostic<'a>],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosticKind {
    /// `E_DEPRECATED`
    Deprecated,
    /// `E_COMPILE_WARNING`, shown as "Warning".
    CompileWarning,
}

#[derive(Clone, Copy, Debug)]
pub struct Diagnostic<'a> {
    pub kind: DiagnosticKind,
    pub message: &'a [u8],
    pub line: u32,
}

// ---------------------------------------------------------------------------------------------------------------------
// Names, types, modifiers

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// `Foo`
    Unqualified,
    /// `Foo\Bar`
    Qualified,
    /// `\Foo\Bar`
    FullyQualified,
    /// `namespace\Foo`
    Relative,
}

/// A name as written, not resolved. `self` and `parent` are unqualified names too; `static` never is a `Name`.
#[derive(Clone, Copy, Debug)]
pub struct Name<'a> {
    pub kind: NameKind,
    /// Without the leading `\` or `namespace\`.
    pub bytes: &'a [u8],
    pub line: u32,
}

impl Name<'_> {
    /// Is it this unqualified name, in any case? (`self`, `parent`, `true`, `compact`...)
    pub fn is(&self, lower: &[u8]) -> bool {
        self.kind == NameKind::Unqualified && self.bytes.eq_ignore_ascii_case(lower)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Type<'a> {
    pub kind: TypeKind<'a>,
    pub line: u32,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum TypeKind<'a> {
    Array,
    Callable,
    Static,
    /// Every other name: `int`, `mixed`, `null`, `self`, class names.
    Name(Name<'a>),
    Nullable(&'a Type<'a>),
    Union(&'a [Type<'a>]),
    Intersection(&'a [Type<'a>]),
}

/// A set of modifiers. Two visibilities at once are refused by the parser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers(pub u16);

impl Modifiers {
    pub const NONE: Modifiers = Modifiers(0);
    pub const PUBLIC: Modifiers = Modifiers(1 << 0);
    pub const PROTECTED: Modifiers = Modifiers(1 << 1);
    pub const PRIVATE: Modifiers = Modifiers(1 << 2);
    pub const STATIC: Modifiers = Modifiers(1 << 3);
    pub const ABSTRACT: Modifiers = Modifiers(1 << 4);
    pub const FINAL: Modifiers = Modifiers(1 << 5);
    pub const READONLY: Modifiers = Modifiers(1 << 6);
    pub const PUBLIC_SET: Modifiers = Modifiers(1 << 7);
    pub const PROTECTED_SET: Modifiers = Modifiers(1 << 8);
    pub const PRIVATE_SET: Modifiers = Modifiers(1 << 9);
    /// The three read visibilities.
    pub const VISIBILITY: Modifiers = Modifiers(0b111);
    /// The three write visibilities of PHP 8.4.
    pub const SET_VISIBILITY: Modifiers = Modifiers(0b111 << 7);

    /// Does it contain one of `other`'s?
    pub const fn has(self, other: Modifiers) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn with(self, other: Modifiers) -> Modifiers {
        Modifiers(self.0 | other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// `#[A, B(1)]`
#[derive(Clone, Copy, Debug)]
pub struct AttributeGroup<'a> {
    pub attributes: &'a [Attribute<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    pub name: Name<'a>,
    /// `None` without parentheses. Never a first-class callable (the compiler refuses it: keep the flag in view).
    pub args: Option<Args<'a>>,
    pub line: u32,
}

// ---------------------------------------------------------------------------------------------------------------------
// Statements

#[derive(Clone, Copy, Debug)]
pub struct Stmt<'a> {
    pub kind: StmtKind<'a>,
    pub line: u32,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum StmtKind<'a> {
    /// `;`, and the `?>` that ends nothing.
    Nop,
    /// `{ ... }`: declarations in it are still top-level ones, as in PHP.
    Block(&'a [Stmt<'a>]),
    Expr(&'a Expr<'a>),
    /// One `echo a, b;` or `<?= a, b ?>`.
    Echo(&'a [Expr<'a>]),
    InlineHtml(&'a [u8]),
    If { branches: &'a [IfBranch<'a>], otherwise: Option<&'a [Stmt<'a>]> },
    While { cond: &'a Expr<'a>, body: &'a [Stmt<'a>] },
    DoWhile { body: &'a [Stmt<'a>], cond: &'a Expr<'a> },
    For { init: &'a [Expr<'a>], cond: &'a [Expr<'a>], step: &'a [Expr<'a>], body: &'a [Stmt<'a>] },
    Foreach(&'a Foreach<'a>),
    Switch { subject: &'a Expr<'a>, cases: &'a [SwitchCase<'a>] },
    Break(Option<&'a Expr<'a>>),
    Continue(Option<&'a Expr<'a>>),
    Return(Option<&'a Expr<'a>>),
    /// Each is a `Var` or `VarVar`.
    Global(&'a [Expr<'a>]),
    StaticVars(&'a [StaticVar<'a>]),
    /// One `unset(a, b)`.
    Unset(&'a [Expr<'a>]),
    Try(&'a Try<'a>),
    Declare { directives: &'a [Directive<'a>], body: Option<&'a [Stmt<'a>]> },
    /// `name` is `None` for `namespace { }`; `body` is `None` for `namespace A;`, whose scope is the rest of the file.
    Namespace { name: Option<Name<'a>>, body: Option<&'a [Stmt<'a>]> },
    /// Group uses are flattened: each item has its full name.
    Use(&'a [UseItem<'a>]),
    Const(&'a [ConstItem<'a>]),
    Function(&'a Function<'a>),
    /// Class, interface, trait or enum with a name.
    Class(&'a Class<'a>),
    Goto(&'a [u8]),
    Label(&'a [u8]),
    /// `offset` is that of the first byte of data.
    HaltCompiler { offset: u32 },
}

#[derive(Clone, Copy, Debug)]
pub struct IfBranch<'a> {
    pub cond: &'a Expr<'a>,
    pub body: &'a [Stmt<'a>],
    pub line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Foreach<'a> {
    pub subject: &'a Expr<'a>,
    pub key: Option<&'a Expr<'a>>,
    /// A variable-like expression, or an `Array` to destructure into.
    pub value: &'a Expr<'a>,
    pub by_ref: bool,
    pub body: &'a [Stmt<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct SwitchCase<'a> {
    /// `None` for `default`.
    pub cond: Option<&'a Expr<'a>>,
    pub body: &'a [Stmt<'a>],
    pub line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct StaticVar<'a> {
    pub name: &'a [u8],
    pub default: Option<&'a Expr<'a>>,
    pub line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Try<'a> {
    pub body: &'a [Stmt<'a>],
    pub catches: &'a [Catch<'a>],
    pub finally: Option<&'a [Stmt<'a>]>,
    /// Line of `finally`'s block; 0 without one.
    pub finally_line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Catch<'a> {
    pub types: &'a [Name<'a>],
    pub var: Option<&'a [u8]>,
    pub body: &'a [Stmt<'a>],
    pub line: u32,
}

/// `ticks=1` of a `declare`.
#[derive(Clone, Copy, Debug)]
pub struct Directive<'a> {
    pub name: &'a [u8],
    pub value: &'a Expr<'a>,
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UseKind {
    Class,
    Function,
    Const,
}

#[derive(Clone, Copy, Debug)]
pub struct UseItem<'a> {
    pub kind: UseKind,
    /// Full name without leading `\` (group prefix included).
    pub name: &'a [u8],
    /// As written after `as`.
    pub alias: Option<&'a [u8]>,
    pub line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct ConstItem<'a> {
    pub name: &'a [u8],
    pub value: &'a Expr<'a>,
    pub doc: Option<&'a [u8]>,
    pub line: u32,
}

// ---------------------------------------------------------------------------------------------------------------------
// Functions and classes

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    Function,
    Method,
    Closure,
    Arrow,
    Hook,
}

#[derive(Clone, Copy, Debug)]
pub enum FunctionBody<'a> {
    /// `;` instead of a body.
    None,
    Block(&'a [Stmt<'a>]),
    /// `=> expr` of an arrow function or a property hook.
    Expr(&'a Expr<'a>),
}

/// Function, method, closure, arrow function or property hook.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    pub kind: FunctionKind,
    /// `{closure}` for closures and arrow functions; the hook's name (`get`, `set`, as written) for hooks.
    pub name: &'a [u8],
    /// Of methods and hooks; `STATIC` for static closures.
    pub modifiers: Modifiers,
    /// `function &f()`
    pub returns_ref: bool,
    /// `None` only for hooks written without a parameter list.
    pub params: Option<&'a [Param<'a>]>,
    pub uses: &'a [ClosureUse<'a>],
    pub return_type: Option<&'a Type<'a>>,
    pub body: FunctionBody<'a>,
    /// The body contains `yield` (not counting nested functions).
    pub is_generator: bool,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc: Option<&'a [u8]>,
    pub start_line: u32,
    pub end_line: u32,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct Param<'a> {
    pub name: &'a [u8],
    pub ty: Option<&'a Type<'a>>,
    pub by_ref: bool,
    pub variadic: bool,
    pub default: Option<&'a Expr<'a>>,
    /// Not empty: a promoted property.
    pub modifiers: Modifiers,
    /// Also makes it a promoted property, when present.
    pub hooks: Option<&'a [Function<'a>]>,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc: Option<&'a [u8]>,
    pub line: u32,
    pub span: Span,
}

impl Param<'_> {
    pub fn is_promoted(&self) -> bool {
        !self.modifiers.is_empty() || self.hooks.is_some()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct ClosureUse<'a> {
    pub name: &'a [u8],
    pub by_ref: bool,
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClassKind {
    Class,
    AnonymousClass,
    Interface,
    Trait,
    Enum,
}

#[derive(Clone, Copy, Debug)]
pub struct Class<'a> {
    pub kind: ClassKind,
    /// Empty for an anonymous class.
    pub name: &'a [u8],
    /// `ABSTRACT`, `FINAL`, `READONLY`.
    pub modifiers: Modifiers,
    pub extends: Option<Name<'a>>,
    /// Of an interface: the interfaces that it extends.
    pub implements: &'a [Name<'a>],
    /// `enum A: int`
    pub backing_type: Option<&'a Type<'a>>,
    pub members: &'a [Member<'a>],
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc: Option<&'a [u8]>,
    pub start_line: u32,
    pub end_line: u32,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    pub kind: MemberKind<'a>,
    pub line: u32,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum MemberKind<'a> {
    Const(&'a ClassConsts<'a>),
    Property(&'a Properties<'a>),
    Method(&'a Function<'a>),
    TraitUse(&'a TraitUse<'a>),
    Case(&'a EnumCase<'a>),
}

/// `final public const int A = 1, B = 2;`
#[derive(Clone, Copy, Debug)]
pub struct ClassConsts<'a> {
    pub modifiers: Modifiers,
    pub ty: Option<&'a Type<'a>>,
    pub items: &'a [ConstItem<'a>],
    pub attributes: &'a [AttributeGroup<'a>],
}

/// `public int $a = 1, $b;`
#[derive(Clone, Copy, Debug)]
pub struct Properties<'a> {
    /// Empty for `var`.
    pub modifiers: Modifiers,
    pub ty: Option<&'a Type<'a>>,
    pub items: &'a [PropertyItem<'a>],
    pub attributes: &'a [AttributeGroup<'a>],
}

#[derive(Clone, Copy, Debug)]
pub struct PropertyItem<'a> {
    pub name: &'a [u8],
    pub default: Option<&'a Expr<'a>>,
    /// `Some(&[])` for `$a {}`.
    pub hooks: Option<&'a [Function<'a>]>,
    pub doc: Option<&'a [u8]>,
    pub line: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct TraitUse<'a> {
    pub traits: &'a [Name<'a>],
    pub adaptations: &'a [TraitAdaptation<'a>],
}

#[derive(Clone, Copy, Debug)]
pub enum TraitAdaptation<'a> {
    /// `A::f insteadof B, C;`
    Precedence { trait_name: Name<'a>, method: &'a [u8], insteadof: &'a [Name<'a>], line: u32 },
    /// `A::f as protected g;`
    Alias { trait_name: Option<Name<'a>>, method: &'a [u8], modifiers: Modifiers, alias: Option<&'a [u8]>, line: u32 },
}

#[derive(Clone, Copy, Debug)]
pub struct EnumCase<'a> {
    pub name: &'a [u8],
    pub value: Option<&'a Expr<'a>>,
    pub attributes: &'a [AttributeGroup<'a>],
    pub doc: Option<&'a [u8]>,
}

// ---------------------------------------------------------------------------------------------------------------------
// Expressions

#[derive(Clone, Copy, Debug)]
pub struct Expr<'a> {
    pub kind: ExprKind<'a>,
    pub line: u32,
    pub span: Span,
    /// It stood in parentheses (which are not part of `span`). PHP asks for them in nested ternaries, in `new (expr)`, and
    /// treats `f((g()))` as by value.
    pub paren: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum ExprKind<'a> {
    Int(i64),
    Float(f64),
    /// A literal, escapes replaced; heredocs without interpolation included.
    String(&'a [u8]),
    /// `"a $b"` and heredocs: at least one part is an expression.
    Interpolated(&'a [StringPart<'a>]),
    /// Backticks.
    ShellExec(&'a [StringPart<'a>]),
    MagicConst(MagicConst),
    /// A constant by name, `true`, `false` and `null` included.
    Const(Name<'a>),
    Array(&'a ArrayExpr<'a>),

    /// `$name` (without the dollar), `$this` included.
    Var(&'a [u8]),
    /// `$$x`, `${expr}`
    VarVar(&'a Expr<'a>),
    /// `$a[index]`; `None` for `$a[]`.
    Index { base: &'a Expr<'a>, index: Option<&'a Expr<'a>> },
    Prop(&'a Prop<'a>),
    StaticProp(&'a StaticProp<'a>),
    /// `A::B`, `A::{expr}`
    ClassConst(&'a ClassConst<'a>),
    /// `A::class`, `$object::class`
    ClassName(&'a ClassRef<'a>),

    /// `f()`, `exit()`, `die` (the parser makes `exit` without parentheses a call without arguments).
    Call(&'a Call<'a>),
    MethodCall(&'a MethodCall<'a>),
    StaticCall(&'a StaticCall<'a>),
    New(&'a New<'a>),
    NewAnonymous(&'a NewAnonymous<'a>),
    /// Closure or arrow function.
    Closure(&'a Function<'a>),

    Unary { op: UnaryOp, expr: &'a Expr<'a> },
    Binary { op: BinaryOp, left: &'a Expr<'a>, right: &'a Expr<'a> },
    Cast { kind: CastKind, expr: &'a Expr<'a> },
    /// `target` is variable-like, or an `Array` to destructure into.
    Assign { target: &'a Expr<'a>, value: &'a Expr<'a> },
    AssignRef { target: &'a Expr<'a>, value: &'a Expr<'a> },
    /// `.=` and so on, `??=` with `BinaryOp::Coalesce`.
    AssignOp { op: BinaryOp, target: &'a Expr<'a>, value: &'a Expr<'a> },
    PreInc(&'a Expr<'a>),
    PreDec(&'a Expr<'a>),
    PostInc(&'a Expr<'a>),
    PostDec(&'a Expr<'a>),
    /// `then` is `None` for `?:`.
    Ternary { cond: &'a Expr<'a>, then: Option<&'a Expr<'a>>, otherwise: &'a Expr<'a> },
    Instanceof { expr: &'a Expr<'a>, class: &'a ClassRef<'a> },
    Isset(&'a [Expr<'a>]),
    Empty(&'a Expr<'a>),
    Include { kind: IncludeKind, expr: &'a Expr<'a> },
    Print(&'a Expr<'a>),
    Clone(&'a Expr<'a>),
    Throw(&'a Expr<'a>),
    Yield { key: Option<&'a Expr<'a>>, value: Option<&'a Expr<'a>> },
    YieldFrom(&'a Expr<'a>),
    Match { subject: &'a Expr<'a>, arms: &'a [MatchArm<'a>] },
}

#[derive(Clone, Copy, Debug)]
pub enum StringPart<'a> {
    Literal(&'a [u8]),
    Expr(&'a Expr<'a>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MagicConst {
    /// `__LINE__`: the line of the node.
    Line,
    File,
    Dir,
    Namespace,
    Class,
    Trait,
    Function,
    Method,
    Property,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArraySyntax {
    /// `array(...)`
    Long,
    /// `[...]`
    Short,
    /// `list(...)`
    List,
}

/// An array literal, or a pattern to destructure into.
#[derive(Clone, Copy, Debug)]
pub struct ArrayExpr<'a> {
    pub syntax: ArraySyntax,
    pub elements: &'a [ArrayElement<'a>],
}

#[derive(Clone, Copy, Debug)]
pub enum ArrayElement<'a> {
    /// Nothing between two commas: allowed only in patterns ("Cannot use empty array elements in arrays" elsewhere, by
    /// the compiler). A trailing comma makes none; `list(,)` has one.
    Skipped,
    Item { key: Option<&'a Expr<'a>>, value: &'a Expr<'a>, by_ref: bool },
    Spread(&'a Expr<'a>),
}

/// `$a->b`, `$a?->b`
#[derive(Clone, Copy, Debug)]
pub struct Prop<'a> {
    pub object: &'a Expr<'a>,
    pub name: Ident<'a>,
    pub nullsafe: bool,
}

/// `A::$b`; the name is without the dollar, or an expression for `A::$$b` and `A::${expr}`.
#[derive(Clone, Copy, Debug)]
pub struct StaticProp<'a> {
    pub class: ClassRef<'a>,
    pub name: Ident<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct ClassConst<'a> {
    pub class: ClassRef<'a>,
    pub name: Ident<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    pub callee: Callee<'a>,
    pub args: Args<'a>,
}

/// `$a->b()`, `$a?->b()`. Its opcode has the line of `name`.
#[derive(Clone, Copy, Debug)]
pub struct MethodCall<'a> {
    pub object: &'a Expr<'a>,
    pub name: Ident<'a>,
    pub args: Args<'a>,
    pub nullsafe: bool,
}

/// `A::b()`. Its opcode has the line of `name`.
#[derive(Clone, Copy, Debug)]
pub struct StaticCall<'a> {
    pub class: ClassRef<'a>,
    pub name: Ident<'a>,
    pub args: Args<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct New<'a> {
    pub class: ClassRef<'a>,
    pub args: Args<'a>,
}

/// `new class(args) { ... }`
#[derive(Clone, Copy, Debug)]
pub struct NewAnonymous<'a> {
    pub class: &'a Class<'a>,
    pub args: Args<'a>,
}

/// A member's name: written out, or computed.
#[derive(Clone, Copy, Debug)]
pub struct Ident<'a> {
    pub kind: IdentKind<'a>,
    pub line: u32,
}

#[derive(Clone, Copy, Debug)]
pub enum IdentKind<'a> {
    Name(&'a [u8]),
    /// `->$x`, `->{expr}`, `::$f()`, `::{expr}`
    Expr(&'a Expr<'a>),
}

#[derive(Clone, Copy, Debug)]
pub enum ClassRef<'a> {
    /// `self` and `parent` included.
    Name(Name<'a>),
    /// The keyword `static`; its line.
    Static(u32),
    Expr(&'a Expr<'a>),
}

#[derive(Clone, Copy, Debug)]
pub enum Callee<'a> {
    Name(Name<'a>),
    Expr(&'a Expr<'a>),
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Args<'a> {
    pub items: &'a [Arg<'a>],
    /// `f(...)`; `items` is empty then.
    pub first_class_callable: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Arg<'a> {
    /// `name: value`
    pub name: Option<&'a [u8]>,
    pub value: &'a Expr<'a>,
    /// `...value`
    pub spread: bool,
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    /// `@`
    Silence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
    Concat,
    BitOr,
    BitAnd,
    BitXor,
    ShiftLeft,
    ShiftRight,
    /// `&&` and `and`
    And,
    /// `||` and `or`
    Or,
    /// `xor`
    Xor,
    Equal,
    NotEqual,
    Identical,
    NotIdentical,
    Less,
    LessEqual,
    /// Operands are in source order: PHP evaluates left to right, then compares right `<` left.
    Greater,
    GreaterEqual,
    Spaceship,
    Coalesce,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastKind {
    Int,
    Float,
    String,
    Array,
    Object,
    Bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IncludeKind {
    Include,
    IncludeOnce,
    Require,
    RequireOnce,
    Eval,
}

#[derive(Clone, Copy, Debug)]
pub struct MatchArm<'a> {
    /// `None` for `default`.
    pub conds: Option<&'a [Expr<'a>]>,
    pub body: &'a Expr<'a>,
    pub line: u32,
}

// Expressions are copied into slices, so their size matters to the parser's speed.
const _: () = assert!(size_of::<Expr<'static>>() <= 48);

/// A number or string written out, or a concatenation of such, of which PHP's parser makes one.
pub fn is_literal(mut e: &Expr<'_>) -> bool {
    while let ExprKind::Binary { op: BinaryOp::Concat, left, right } = e.kind {
        if !is_literal(right) {
            return false;
        }
        e = left;
    }
    matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_))
}
