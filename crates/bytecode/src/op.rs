//! The opcode table: every opcode stands here once, with its operands and its meaning.
//!
//! The table feeds the [`Op`] enum, the names and operand kinds that the disassembler and the verifier use, and
//! (through [`for_each_op!`](crate::for_each_op)) the interpreter's handler table: an opcode without a handler does not compile.
//!
//! # Instructions
//! An instruction is one 64-bit word: `op: u16, a: u16, b: u16, c: u16` (low half first), followed by 0 to 2 extra words
//! (`ext1`, `ext2`), whose number is fixed by the opcode. `bc` is the 32-bit value in `b` (low) and `c` (high).
//! Jump targets are `i32`, counted in words from the first word of the jumping instruction.
//!
//! # Operand kinds
//! | kind | meaning |
//! |---|---|
//! | `D` | destination temporary: holds nothing before, a value after |
//! | `R` | as `D`, or a CV of which type inference has found that it holds nothing counted here |
//! | `O` | value operand: bit 15 set → literal (`index & 0x7fff`), else a register. A **temporary is consumed** (moved or released); a CV is only read, and warns when undefined |
//! | `P` | register that is read or used in place and stays as it is (a temporary is not consumed) |
//! | `V` | a CV (compiled variable) |
//! | `W` | container place: a CV, a temporary with a PTR (made by a `Fetch…W` opcode), a temporary that holds a counted reference or a value (an object; an array of `foreach` by reference), or [`THIS`]; temporaries are consumed |
//! | `L` | literal index |
//! | `F` | base of a call frame in this frame's temporaries: `FRAME_HEADER` slots, then one slot an argument |
//! | `N` | number |
//! | `Q` | optional destination temporary: [`NONE`] when the result is not used |
//! | `Rs` `Os` `Ps` `Vs` `Ls` | register or literal index of a specialised form, doubled: eight times it is the distance in bytes, which an address can scale by. [`Insn::operands`](crate::Insn::operands) gives plain ones |
//! | `_` | unused, 0 |
//!
//! A register is an index of 16-byte slots from the frame's start: slots `0..FRAME_HEADER` are the header, then come the CVs
//! (parameters first), then the temporaries. `bc:J` is a jump in `b`,`c`; `bc:N` a number there.
//! Extra words: `J` jump (low 32 bits), `H` link-table handle(s) (low 32 bits; the fallback, for names in a namespace, high 32 bits,
//! `u32::MAX` for none), `K` class reference ([`ClassRef`](crate::unit::ClassRef) in the low 32 bits), `C` inline cache (an atomic word that starts as 0), `N` number,
//! `Q` register or [`NONE`].

/// No register: an unused result, an absent key (`$a[] =`), an absent variable.
pub const NONE: u16 = 0x7fff;
/// As a container or object operand: `$this`.
pub const THIS: u16 = 0x7ffe;
/// Set in an `O` operand that names a literal.
pub const LITERAL: u16 = 0x8000;
/// Slots that the frame header takes: return pc, caller's frame; function, this; static class, argument count and flags; result slot, extra.
pub const FRAME_HEADER: u16 = 4;

/// Calls `$m!` with the whole table: `Name [operand kinds of a b c] [kinds of extra words] "doc"`.
#[macro_export]
macro_rules! for_each_op {
    ($m:ident) => {
        $m! {
            // ---- moves and variables
            /// Does nothing.
            Nop [_ _ _] [];
            /// `a` = literal `bc` (32-bit index).
            Lit [D bcN _] [];
            /// `a` = value of `b`: a CV is dereferenced and counted (undefined: warning, null), a temporary is moved.
            Move [D O _] [];
            /// As `Move`, for a piece of a concatenation: what is no scalar becomes a string at once, before the next piece is evaluated.
            /// `c` = 1: the first operand of `.`, which becomes one when the second one has been read, if the next instruction reads that.
            MoveStr [D O N] [];
            /// `a` = `b` like `Move`, but an undefined CV gives null in silence (`??`, `isset` chains).
            MoveQuiet [D O _] [];
            /// `a` = copy of temporary `b`, which stays.
            Dup [D P _] [];
            /// Releases temporary `a`. `bc`: 0, or how far ahead the loop ends that is left early here: an exception of a destructor belongs there.
            Free [O bcN _] [];
            /// `$a = b`; result of the expression in `c`.
            Assign [V O Q] [];
            /// `a = &b`: `b` is a CV, a PTR temporary, or a temporary with a counted reference (MakeRef); result in `c`. Makes both one reference.
            AssignRef [W W Q] [];
            /// As AssignRef, where `b` is the result of a function call: notice "Only variables should be assigned by reference" unless it is a reference.
            AssignRefCall [W O Q] [];
            /// `unset($a)`.
            UnsetCv [V _ _] [];
            /// `a` = bool: `$b` is set and not null.
            IssetCv [D V _] [];
            /// `a` = bool: `empty($b)`.
            EmptyCv [D V _] [];
            /// `a` = `$this`; Error "Using $this when not in object context" if there is none.
            This [D _ _] [];
            /// `a` = bool: `isset($this)`.
            IssetThis [D _ _] [];
            /// Increments (`b`=0) or decrements (`b`=1) CV `a`; no result.
            IncCv [V N _] [];
            /// `a` = `++$b` / `--$b` (`c` = 0/1).
            PreIncCv [D V N] [];
            /// `a` = `$b++` / `$b--` (`c` = 0/1).
            PostIncCv [D V N] [];
            /// `$a op= b`, `c` = BinaryOp; result in ext1.
            AssignOpCv [V O N] [Q];
            /// Makes CV `b` a reference (if it is not yet) and puts the counted reference into `a` (used for by-reference arguments, closures' `use (&$x)`, array elements).
            MakeRef [D W _] [];

            // ---- variables by name
            /// `a` = `$$b`.
            VarR [D O _] [];
            /// `a` = `$$b`, null in silence when missing.
            VarIs [D O _] [];
            /// `a` = PTR to `$$b`, created as null when missing.
            VarW [D O _] [];
            /// `a` = PTR to `$$b`, warning and null when missing.
            VarRW [D O _] [];
            /// `unset($$a)`.
            VarUnset [O _ _] [];
            /// `a` = isset(`$$b`) (`c`=0) or empty (`c`=1).
            VarIsset [D O N] [];
            /// `a` = global variable named `b` (superglobals, `$GLOBALS['b']`).
            GlobalR [D O _] [C];
            GlobalIs [D O _] [];
            GlobalW [D O _] [];
            GlobalRW [D O _] [];
            GlobalUnset [O _ _] [];
            GlobalIsset [D O N] [];
            /// `a` = copy of the whole global symbol table (`$GLOBALS` read as a value).
            Globals [D _ _] [];
            /// `global $x`: CV `a` becomes a reference to the global named by literal `b`.
            BindGlobal [V L _] [C];
            /// `static $x`: if static number `b` of this function is initialised, binds CV `a` to it and jumps to ext1.
            BindStatic [V N _] [J];
            /// Initialises static number `b` with `c` and binds CV `a` to it.
            InitStatic [V N O] [];

            // ---- arithmetic, generic forms
            Add [D O O] [];
            Sub [D O O] [];
            Mul [D O O] [];
            Div [D O O] [];
            Mod [D O O] [];
            Pow [D O O] [];
            Concat [D O O] [];
            BitAnd [D O O] [];
            BitOr [D O O] [];
            BitXor [D O O] [];
            Shl [D O O] [];
            Shr [D O O] [];
            BoolXor [D O O] [];
            Identical [D O O] [];
            NotIdentical [D O O] [];
            Equal [D O O] [];
            NotEqual [D O O] [];
            /// `a` = `b < c` (`>` is written with its operands' registers swapped, after both were evaluated in source order).
            Less [D O O] [];
            LessEqual [D O O] [];
            Spaceship [D O O] [];
            Not [D O _] [];
            BitNot [D O _] [];
            /// `a` = (bool) `b`.
            Bool [D O _] [];
            /// `a` = cast of `b` to CastKind `c`.
            Cast [D O N] [];
            /// Concatenates the `c` consecutive temporaries from `b` (all consumed) into `a`, with one allocation.
            ConcatN [D P N] [];
            /// `$a .= b` in place; result in `c`.
            AssignConcat [V O Q] [];

            // ---- jumps
            Jmp [_ bcJ _] [];
            /// Backward jump of a loop: a safepoint.
            Loop [_ bcJ _] [];
            JmpZ [O bcJ _] [];
            JmpNZ [O bcJ _] [];
            /// `a` = (bool) `b`; jumps to ext1 when false (`&&`).
            JmpZBool [D O _] [J];
            /// `a` = (bool) `b`; jumps to ext1 when true (`||`).
            JmpNZBool [D O _] [J];
            /// Jumps when temporary or CV `a` is not null; it stays. When it is null and a temporary it is released (`??`).
            JmpNotNull [P bcJ _] [];
            /// Jumps when `a` is null (or an undefined CV); it stays, unless null and temporary (nullsafe chains).
            JmpNull [P bcJ _] [];
            /// `?:`: when `b` is true `a` = `b` and jumps to ext1, else falls through with `b` consumed.
            JmpTrueKeep [D O _] [J];
            /// Jump table number `bc` of this function, keyed by `a` (an int, or a string for string tables), which stays; other types fall through to the comparisons that follow.
            Switch [P bcN _] [];
            /// UnhandledMatchError for `a`, which stays: what passes by releases it in its turn.
            MatchError [P _ _] [];
            /// Loose comparison of `switch`: `a` = `b == c`, where `b` stays.
            Case [D P O] [];
            /// As Case with `===` (`match`).
            CaseStrict [D P O] [];

            // ---- arrays
            /// `a` = new array with room for `b` elements.
            NewArray [D N _] [];
            /// `a` = new array like literal `b`, an array: the values that are not known yet are null there.
            ArrayOf [D L _] [];
            /// Position `c` of the array under construction in temporary `a` gets `b`.
            ArrayPut [P O N] [];
            /// Appends `b` to the array under construction in temporary `a`.
            ArrayPush [P O _] [];
            /// `a[b] = c` in the array under construction.
            ArraySet [P O O] [];
            /// Appends the spread of `b` (array or Traversable; `c` = 1, in constant expressions: array).
            ArraySpread [P O N] [];
            /// `a` = `b[c]`, read with PHP's warnings.
            DimR [D O O] [];
            /// As DimR, without warnings (`??`, inner part of isset).
            DimIs [D O O] [];
            /// As DimR, where the container `b` stays: `list()`. Null in silence when `b` is not an array or ArrayAccess.
            ListDim [D P O] [];
            /// Notice "Attempting to set reference to non referenceable value" unless temporary `a`, which stays, holds a reference.
            CheckListRef [P _ _] [];
            /// `a` = PTR to `b[c]`, created when missing; `c` may be NONE (append).
            DimW [D W O] [];
            /// As DimW, with the warning for a missing key (`$a[k] op=`, `++`).
            DimRW [D W O] [];
            /// `a` = PTR to `b[c]` for unset, without creation; NULL value when missing.
            DimUnset [D W O] [];
            /// `a[b] = c`; `b` may be NONE.
            AssignDim [W O O] [];
            /// `a[b] = c`, result in ext1.
            AssignDimRes [W O O] [Q];
            /// `a[b] op= c`: ext1 = result register (low 16 bits), BinaryOp (bits 16..).
            AssignDimOp [W O O] [N];
            /// `unset(a[b])`.
            UnsetDim [W O _] [];
            /// `a` = isset(`b[c]`).
            IssetDim [D O O] [];
            /// `a` = empty(`b[c]`).
            EmptyDim [D O O] [];

            // ---- through a PTR temporary
            /// `*a = b`; result in `c`.
            AssignPtr [W O Q] [];
            /// `*a op= b`, `c` = BinaryOp, result in ext1.
            AssignOpPtr [W O N] [Q];
            /// ext1 = 0 `++x`, 1 `--x`, 2 `x++`, 3 `x--` on `*b`; result in `a` (NONE: unused).
            IncPtr [Q W _] [N];
            /// `a` = value that PTR `b` points at, counted.
            ReadPtr [D W _] [];

            // ---- properties
            /// `a` = `b->c`.
            PropR [D O O] [C];
            /// As PropR, in silence (`??`, isset chains).
            PropIs [D O O] [C];
            /// `a` = PTR to `b->c` for writing (auto-creation of dynamic properties; magic `__get` by reference).
            PropW [D W O] [C];
            PropRW [D W O] [C];
            PropUnset [D W O] [C];
            /// `a->b = c`; ext2 = result.
            AssignProp [W O O] [C Q];
            /// `a->b op= c`; ext2 = result (low 16 bits), BinaryOp (bits 16..).
            AssignPropOp [W O O] [C N];
            /// `a->b = &c`; ext2 = result.
            AssignPropRef [W O W] [C Q];
            /// ext2 as ext1 of IncPtr, on `b->c`; result in `a`.
            IncProp [Q W O] [C N];
            UnsetProp [W O _] [];
            IssetProp [D O O] [C];
            EmptyProp [D O O] [C];
            /// `a` = static property named `c`; class: ext1, or register `b` when ext1 is ClassRef::DYNAMIC. ext2: cache.
            StaticR [D O O] [K C];
            StaticIs [D O O] [K C];
            /// `a` = PTR to the static property.
            StaticW [D O O] [K C];
            StaticRW [D O O] [K C];
            StaticIsset [D O O] [K C];
            StaticEmpty [D O O] [K C];
            /// Error "Attempt to unset static property".
            StaticUnset [_ O O] [K C];

            // ---- constants and classes
            /// `a` = constant with handles ext1; literal `b` is its name as written (for the message).
            Const [D L _] [H];
            /// `a` = class constant named `c` (literal or value); class: ext1 or register `b`. Also enum cases. ext2: cache.
            ClassConst [D O O] [K C];
            /// `a` = the class that `b` is or names, as an operand of an instruction whose class is [`ClassRef::DYNAMIC`](crate::unit::ClassRef::DYNAMIC).
            FetchClass [D O _] [];
            /// `a` = name of the class: `X::class`, `static::class`; `$obj::class` with the object in `b` and ext1 DYNAMIC.
            ClassName [D O _] [K];
            /// `const NAME = value;`: literal `a` is the name, `b` the value.
            DeclareConst [L O _] [];
            /// Declares function number `bc` of the unit.
            DeclareFunction [_ bcN _] [];
            /// Declares (links and binds) class number `bc` of the unit; error when its name is taken.
            DeclareClass [_ bcN _] [];
            /// As DeclareClass for an anonymous class: does nothing when it is there already. `a` = PTR to the class.
            DeclareAnonClass [D bcN _] [];
            /// `a` = bool: `b` instanceof class ext1, or the class named by or of `c` when DYNAMIC.
            InstanceOf [D O O] [K C];
            /// `a` = closure of function number `bc` of the unit, bound to this scope and `$this` unless static.
            Closure [D bcN _] [];
            /// Gives closure temporary `a` its captured variable number `c`: value or reference `b` (MakeRef'd by the compiler).
            BindUse [P O N] [];
            /// As BindUse by value, for arrow functions: when CV `b` is undefined the captured variable stays undefined, in silence.
            BindUseImplicit [P V N] [];
            /// `a` = clone `b`.
            Clone [D O _] [];

            // ---- calls. Init… resolves the callee into frame `a`; arguments go to the slots behind the frame's header; Call runs it.
            /// Function by link-table handles ext1; literal `b` = name as written.
            InitFn [F L N] [H];
            /// Jumps to ext1 when there is a function of link-table handle ext2: one of the namespace, in the place of the builtin that is called otherwise.
            JmpFn [_ _ _] [J H];
            /// Callee is the value `b` (string, array, closure, invokable). `c` = number of arguments.
            InitDyn [F O N] [];
            /// As InitDyn for `call_user_func` (`c` = 0) and `call_user_func_array` (`c` = 1): what is no callable is a TypeError of that function.
            InitUser [F O N] [];
            /// Method `c` of object `b` (NONE-terminated `THIS` for `$this`). ext1: cache.
            InitMethod [F O O] [C];
            /// Static method named `c`; class: ext1 or register `b`. Also `parent::f()`, forwarding calls. ext2: cache. `parent::$x::get()` in a hook has
            /// the name `$x::get` and the class PARENT: the parent's hook, or a plain read or write of the property when it has none.
            InitStaticCall [F O O] [K C];
            /// `a` = new object of class ext1 (or register `c` when DYNAMIC, which may hold the PTR of an anonymous class); frame `b` gets its constructor; without one jumps to ext2 (low 32 bits) behind the call; where that jump is 0 the arguments have effects and are evaluated all the same: the frame then gets a function that takes and drops anything.
            New [D F O] [K J];
            /// Jumps when parameter number `b` (from 0) of the callee of frame `a` is by reference.
            JmpArgRef [F N _] [J];
            /// Jumps when the callee of frame `a` takes the argument named by literal `b` by reference.
            JmpArgRefNamed [F L _] [J];
            /// Argument `b` of frame `a` is CV `c`: by value or by reference, as the callee wants it.
            ArgVar [F N V] [];
            /// Argument `b` of frame `a` is the function-call result in temporary `c` (which may be the argument's own slot): by value, or with the notice "Only variables should be passed by reference".
            ArgCall [F N O] [];
            /// Argument `b` of frame `a` is value `c` that is no variable: Error when the callee wants a reference.
            ArgVal [F N O] [];
            /// Argument `b` of frame `a` is value `c`, which `call_user_func` hands on: a parameter by reference gets a warning and a reference to it.
            ArgUser [F N O] [];
            /// Calls frame `a` with `b` arguments in place; result in `c`. A slot of a by-reference parameter that holds no reference was given a
            /// value that is no variable: Error "…(): Argument #1 ($x) could not be passed by reference".
            Call [F N Q] [];
            /// Calls builtin function number ext1 (low 32 bits) with the `b` arguments of frame `a` (no Init before). High 32 bits: 1 if the name could
            /// have meant a function of a namespace, so that PHP makes no opcode of the call.
            CallBuiltin [F N Q] [N];
            /// Appends value `c`, which is no variable, to the argument array in temporary `b` for frame `a` (calls with spread or named arguments):
            /// Error when the callee wants a reference.
            ArgPush [F P O] [];
            /// As ArgPush for the result of a function call, with the notice of ArgCall.
            ArgPushCall [F P O] [];
            /// As ArgPush for place `c`, by reference when the callee wants it there.
            ArgPushVar [F P W] [];
            /// Named argument: literal ext1 (low 32 bits; high 32 bits: 1 for the result of a call).
            ArgNamed [F P O] [N];
            ArgNamedVar [F P W] [N];
            /// Spreads `c` (array or Traversable, string keys are names).
            ArgSpread [F P O] [];
            /// Calls frame `a` with the argument array in `b`; result in `c`.
            CallArray [F O Q] [];
            /// As CallArray for `call_user_func_array`: values for parameters by reference get a warning.
            CallUserArray [F O Q] [];
            /// First-class callable: `a` = Closure of the callee resolved in frame `b`.
            CallableFromFrame [D F _] [];

            // ---- function entry and end
            /// Optional parameter: jumps to ext1 when CV `a` was passed.
            JmpPassed [V _ _] [J];
            /// Checks and coerces CV `a` (parameter number `b`, from 0) against its declared type, for defaults that need it.
            VerifyParam [V N _] [];
            /// Checks and coerces temporary `a` against the declared return type, in place; values of the kinds in mask `b` fit. `a` = NONE at
            /// the end of a function: TypeError "none returned". `c`: the variable that it was moved from, which is read once more; or NONE.
            VerifyReturn [P N O] [];
            /// End of a function that must not return: TypeError.
            VerifyNever [_ _ _] [];
            Return [O _ _] [];
            /// Return by reference of place `a`; `b`=1: `a` is a plain value (notice "Only variable references should be returned by reference"); `b`=2: the result of a call, which may be a reference (else the notice).
            ReturnRef [W N _] [];
            /// `a` = `yield c => b` (NONE: absent); `a` gets what is sent.
            Yield [Q O O] [];
            /// As Yield, in a generator by reference: `b` is a place.
            YieldRef [Q W O] [];
            /// `a` = `yield from b`.
            YieldFrom [Q O _] [];
            /// In a generator function, behind its parameters: the frame moves into a generator, with which the call returns. Begun, the generator goes on
            /// behind this instruction.
            GeneratorCreate [_ _ _] [];
            GeneratorReturn [O _ _] [];

            // ---- loops over arrays and objects: an iterator takes two temporaries, `a` and `a + 1`
            /// Starts `foreach` by value over `b`; when there is nothing to iterate jumps to ext1, which is behind the loop's IterFree: `a` and `a + 1` hold nothing then.
            IterInit [D O _] [J];
            /// Starts `foreach` by reference over place `b`; the jump is as in IterInit.
            IterInitRef [D W _] [J];
            /// Next element: assigns the value to CV `b`, then the key to `c` (CV, or NONE); when done jumps to ext1, the loop's IterFree.
            IterNext [P V Q] [J];
            /// As IterNext, value into temporary `b` and key into temporary `c`.
            IterNextTmp [P D Q] [J];
            /// As IterNextTmp, for a pattern, whose targets may write to what the element refers to: a reference stays one.
            IterNextList [P D Q] [J];
            /// As IterNext, `b` becomes a reference to the element.
            IterNextRef [P V Q] [J];
            /// As IterNextTmp: `b` gets a PTR-free reference value.
            IterNextRefTmp [P D Q] [J];
            /// Ends the iteration and releases it. `bc`: as in Free.
            IterFree [P bcN _] [];

            // ---- exceptions
            Throw [O _ _] [];
            /// Entry of a catch clause: when the pending exception is an instance of class ext1, takes it, assigns it to CV `a` (or NONE)
            /// and goes on, else jumps to ext2; `b` = 1: last clause, unwinds further instead.
            Catch [Q N _] [K J];
            /// Calls the finally block at `bc`: keeps the return place in temporary `a`.
            FastCall [D bcJ _] [];
            /// End of a finally block: rethrows the exception kept in `a`, or continues behind the FastCall.
            FastRet [P _ _] [];
            /// `return`, `break` out of a finally block: forgets the exception kept in `a`.
            DiscardException [P _ _] [];

            // ---- the rest
            Echo [O _ _] [];
            /// include family: `c` = IncludeKind.
            Include [D O N] [];
            /// Starts `@`: `a` keeps the error level.
            BeginSilence [D _ _] [];
            EndSilence [P _ _] [];
            /// `declare(ticks)`: `a` statements were passed.
            Ticks [N _ _] [];
            /// Jumps when assertions are off.
            AssertCheck [_ bcJ _] [];
            /// Throws Error with the message in literal `a` (errors that PHP raises when the code is reached).
            ThrowError [L _ _] [];
            /// Error when `a`, whose property a constant expression reads next, is an object and no enum case.
            CheckEnum [P _ _] [];

            // ---- specialised forms: never written by the compiler itself, chosen by `specialize`
            /// Move of a CV.
            MoveCv [D O _] [];
            /// Return of a register, or of a literal, from a function without `$this` and symbol table; `b`: its CVs.
            ReturnReg [O N _] [];
            ReturnLit [O N _] [];
            /// The same where there may be a `$this`.
            ReturnMethodReg [O N _] [];
            ReturnMethodLit [O N _] [];
            /// `RR`: both operands are registers; `RL`: the second is the index of a literal, an int. Temporaries are consumed.
            AddRR [Rs Os Os] [];
            AddRL [Rs Os Ls] [];
            SubRR [Rs Os Os] [];
            SubRL [Rs Os Ls] [];
            MulRR [Rs Os Os] [];
            MulRL [Rs Os Ls] [];
            /// `$a = b + c` with the result stored straight into the CV.
            AddV [V O O] [];
            SubV [V O O] [];
            MulV [V O O] [];
            AddVRR [Vs Os Os] [];
            SubVRR [Vs Os Os] [];
            MulVRR [Vs Os Os] [];
            AddVRL [Vs Os Ls] [];
            SubVRL [Vs Os Ls] [];
            MulVRL [Vs Os Ls] [];
            /// Both operands are floats, as type inference has found.
            AddFRR [Rs Os Os] [];
            AddFRL [Rs Os Ls] [];
            SubFRR [Rs Os Os] [];
            SubFRL [Rs Os Ls] [];
            MulFRR [Rs Os Os] [];
            MulFRL [Rs Os Ls] [];
            DivV [V O O] [];
            ModV [V O O] [];
            BitAndV [V O O] [];
            BitOrV [V O O] [];
            BitXorV [V O O] [];
            ShlV [V O O] [];
            ShrV [V O O] [];
            ConcatV [V O O] [];
            DimRV [V O O] [];
            /// `$a = literal`, which is not counted.
            AssignLit [Vs Ls _] [];
            /// `$a = $b`.
            AssignVar [V P _] [];
            /// `a = b`, where `b` holds nothing counted and is defined, as type inference has found.
            CopyScalar [Rs Os _] [];
            /// `$a = temporary b`.
            AssignTmp [V O _] [];
            IncInt [Vs _ _] [];
            DecInt [Vs _ _] [];
            /// Compare and jump: ext1 = jump.
            JmpLess [O O _] [J];
            JmpNotLess [O O _] [J];
            JmpLessEqual [O O _] [J];
            JmpNotLessEqual [O O _] [J];
            JmpEqual [O O _] [J];
            JmpNotEqual [O O _] [J];
            /// `c` = 1: an undefined variable, of which a comparison before has told, is null in silence; the other operand is not null.
            JmpIdentical [O O N] [J];
            JmpNotIdentical [O O _] [J];
            /// Conditional jumps back to a loop's start: safepoints, as Loop.
            LoopZ [O bcJ _] [];
            LoopNZ [O bcJ _] [];
            LoopLess [O O _] [J];
            LoopNotLess [O O _] [J];
            LoopLessEqual [O O _] [J];
            LoopNotLessEqual [O O _] [J];
            LoopEqual [O O _] [J];
            LoopNotEqual [O O _] [J];
            LoopIdentical [O O N] [J];
            LoopNotIdentical [O O _] [J];
            /// The same for two registers, and for a register and a literal.
            JmpLessRR [Os Os _] [J];
            JmpNotLessRR [Os Os _] [J];
            JmpLessEqualRR [Os Os _] [J];
            JmpNotLessEqualRR [Os Os _] [J];
            JmpLessRL [Os Ls _] [J];
            JmpNotLessRL [Os Ls _] [J];
            JmpLessEqualRL [Os Ls _] [J];
            JmpNotLessEqualRL [Os Ls _] [J];
            /// `LR`: a literal and a register (`$x > 0` is `0 < $x`). The literal in `RL` and `LR` of orders is an int.
            JmpLessLR [Ls Os _] [J];
            JmpNotLessLR [Ls Os _] [J];
            JmpLessEqualLR [Ls Os _] [J];
            JmpNotLessEqualLR [Ls Os _] [J];
            JmpEqualRL [Os Ls _] [J];
            JmpNotEqualRL [Os Ls _] [J];
            JmpIdenticalRL [Os Ls N] [J];
            JmpNotIdenticalRL [Os Ls _] [J];
            LoopLessRR [Os Os _] [J];
            LoopLessRL [Os Ls _] [J];
            LoopLessEqualRR [Os Os _] [J];
            LoopLessEqualRL [Os Ls _] [J];
            /// `$a++` in front of the LoopLess… of `$a` and `b`, both in one step.
            IncLoopLessRR [Vs Ps _] [];
            IncLoopLessRL [Vs Ls _] [];
            IncLoopLessEqualRR [Vs Ps _] [];
            IncLoopLessEqualRL [Vs Ls _] [];
            LoopLessLR [Ls Os _] [J];
            LoopLessEqualLR [Ls Os _] [J];
            /// `a` = `b[c]`, both registers that stay owned by their variables or literals (packed or literal-key fast path).
            DimRR [D P P] [];
            /// AssignDim of a variable whose key is a register; the value is one, too, or a literal.
            AssignDimRR [V O O] [];
            AssignDimRL [V O O] [];
            DimRL [D P L] [];
            /// AssignDim and AssignDimOp of an element of a variable.
            AssignDimCv [V O O] [];
            AssignDimOpCv [V O O] [N];
            /// `a` = `$this->c`.
            PropThis [D _ L] [C];
            AssignPropThis [_ L O] [C Q];
            InitMethodThis [F _ L] [C];
            /// Builtins that became opcodes.
            FuncNumArgs [D _ _] [];
            Strlen [D O _] [];
            Count [D O _] [];
            /// `a` = bool: the kind of `b` is in the mask `c` (bit per Kind): is_int, is_string, …
            TypeCheck [D O N] [];
        }
    };
}
