//! Places: what can stand left of an assignment. A place is prepared first (all expressions in it are evaluated, in source
//! order) and fetched later, as PHP does: `$a[i()][j()] = v()` calls i, j, v and only then touches `$a`.

use crate::Result;
use crate::builder::{Dest, Label, Operand};
use crate::konst::Const;
use crate::unit::Compiler;
use jumbo_bytecode::Op;
use jumbo_bytecode::op::NONE;
use jumbo_bytecode::unit::{ClassRef, LiveKind, func_flags};
use jumbo_syntax::ast::{self, Expr, ExprKind, Ident, IdentKind};

/// A class that an instruction names, or the operand that names it when it runs.
#[derive(Clone)]
pub struct ClassOperand {
    pub class: ClassRef,
    /// [`Operand::None`] unless `class` is DYNAMIC.
    pub value: Operand,
}

/// A prepared place.
#[derive(Clone)]
pub enum Place {
    Cv(u16),
    This,
    /// Not a variable: the result of a call or of another expression.
    Value(Operand),
    /// `$$name`
    Named(Operand),
    /// A superglobal, or `$GLOBALS[name]`.
    Global(Operand),
    /// `$GLOBALS` itself.
    Globals,
    /// The key is `None` for `[]`. As that of a property, its line is the one where the key ends, wherever it is fetched.
    Dim(Box<Place>, Operand, u32),
    Prop(Box<Place>, Operand, u32),
    Static(ClassOperand, Operand),
}

/// What a place is fetched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fetch {
    Read,
    /// In silence: `isset`, `??`.
    Quiet,
    Write,
    ReadWrite,
    Unset,
    /// Preparing only: read or written, as the callee wants.
    Argument,
}

impl Fetch {
    pub fn is_write(self) -> bool {
        !matches!(self, Fetch::Read | Fetch::Quiet | Fetch::Argument)
    }
}

/// Is it a variable, property, element or static property?
pub fn is_place(e: &Expr<'_>) -> bool {
    matches!(
        e.kind,
        ExprKind::Var(_)
            | ExprKind::VarVar(_)
            | ExprKind::Index { .. }
            | ExprKind::Prop(_)
            | ExprKind::StaticProp(_)
    )
}

/// A call, which `f(...)` is not.
pub fn is_call(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Call(call) => !call.args.first_class_callable,
        ExprKind::MethodCall(call) => !call.args.first_class_callable,
        ExprKind::StaticCall(call) => !call.args.first_class_callable,
        _ => false,
    }
}

pub fn is_this(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::Var(b"this"))
}

/// The array of all global variables, which exists as a value only.
pub fn is_globals(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::Var(b"GLOBALS"))
}

/// Does the name mean the same everywhere: a superglobal or `$GLOBALS`?
pub fn is_auto_global(name: &[u8]) -> bool {
    name == b"GLOBALS" || is_superglobal(name)
}

/// Variables that are global everywhere.
pub fn is_superglobal(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 8] = [
        b"_GET",
        b"_POST",
        b"_SERVER",
        b"_ENV",
        b"_COOKIE",
        b"_FILES",
        b"_REQUEST",
        b"_SESSION",
    ];
    NAMES.contains(&name)
}

/// The next inner member of a chain that one `?->` ends as a whole.
fn chain_base<'a>(e: &Expr<'a>) -> Option<&'a Expr<'a>> {
    match e.kind {
        ExprKind::Index { base, .. } => Some(base),
        ExprKind::Prop(&ast::Prop { object, .. })
        | ExprKind::MethodCall(&ast::MethodCall { object, .. }) => Some(object),
        ExprKind::StaticProp(&ast::StaticProp {
            class: ast::ClassRef::Expr(e),
            ..
        })
        | ExprKind::StaticCall(&ast::StaticCall {
            class: ast::ClassRef::Expr(e),
            ..
        })
        | ExprKind::ClassConst(&ast::ClassConst {
            class: ast::ClassRef::Expr(e),
            ..
        }) => Some(e),
        _ => None,
    }
}

/// Does the chain that ends in `e` contain a `?->`?
pub fn has_nullsafe(e: &Expr<'_>) -> bool {
    has_nullsafe_on(e, |_| true)
}

/// May the chain that ends in `e` be left at a `?->`? At `$this?->` it cannot.
pub fn may_be_cut(e: &Expr<'_>) -> bool {
    has_nullsafe_on(e, |object| !is_this(object))
}

fn has_nullsafe_on(mut e: &Expr<'_>, counts: impl Fn(&Expr<'_>) -> bool) -> bool {
    loop {
        if let ExprKind::Prop(&ast::Prop { object, nullsafe: true, .. }) | ExprKind::MethodCall(&ast::MethodCall { object, nullsafe: true, .. }) = e.kind
            && counts(object)
        {
            return true;
        }
        match chain_base(e) {
            Some(base) => e = base,
            None => return false,
        }
    }
}

impl<'a> Compiler<'a, '_> {
    /// Evaluates the expressions inside a place.
    pub fn prepare(&mut self, e: &'a Expr<'a>, mode: Fetch) -> Result<Place> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.prepare_inner(e, mode))
    }

    fn prepare_inner(&mut self, e: &'a Expr<'a>, mode: Fetch) -> Result<Place> {
        self.f.b.line = e.line;
        match e.kind {
            ExprKind::Var(name) => Ok(self.variable(name)),
            ExprKind::VarVar(inner) => {
                if let ExprKind::String(name) = inner.kind {
                    return Ok(self.variable(name));
                }
                self.f.flags |= func_flags::SYMBOL_TABLE;
                Ok(Place::Named(self.expr(inner, Dest::Any)?))
            }
            ExprKind::Index { base, index } => {
                if let (ExprKind::Var(b"GLOBALS"), Some(index)) = (&base.kind, index) {
                    return Ok(Place::Global(self.expr(index, Dest::Any)?));
                }
                if index.is_none()
                    && matches!(base.kind, ExprKind::Var(b"GLOBALS"))
                    && mode.is_write()
                {
                    let unset = mode == Fetch::Unset;
                    return self.error(if unset {
                        "Cannot use [] for unsetting"
                    } else {
                        "Cannot append to $GLOBALS"
                    });
                }
                if index.is_some_and(|key| !ast::is_literal(key)) {
                    self.ask_for_this(base);
                }
                let base = self.prepare_base(base, mode)?;
                let key = match index {
                    Some(index) => {
                        self.check_this(&base, index);
                        self.expr(index, Dest::Any)?
                    }
                    None => {
                        match mode {
                            Fetch::Read | Fetch::Quiet => {
                                return self.error("Cannot use [] for reading");
                            }
                            Fetch::Unset => return self.error("Cannot use [] for unsetting"),
                            _ => {}
                        }
                        Operand::None
                    }
                };
                Ok(Place::Dim(Box::new(base), key, self.f.b.line))
            }
            ExprKind::Prop(&ast::Prop {
                object,
                name,
                nullsafe,
            }) => {
                if matches!(name.kind, IdentKind::Expr(_)) {
                    self.ask_for_this(object);
                }
                let mut base = self.prepare_base(object, mode)?;
                if let IdentKind::Expr(name) = name.kind {
                    self.check_this(&base, name);
                }
                if nullsafe {
                    if mode.is_write() {
                        return self.error("Can't use nullsafe operator in write context");
                    }
                    if !matches!(base, Place::This) {
                        let value = self.fetch(base, mode)?;
                        self.warn_undefined(&value, mode);
                        base = Place::Value(self.jump_if_null(value));
                    }
                }
                let checked = if self.f.in_constant && !matches!(base, Place::This) {
                    let value = self.fetch(base, mode)?;
                    let register = self.f.b.in_temp(value, Dest::Any);
                    base = Place::Value(Operand::Tmp(register));
                    Some(register)
                } else {
                    None
                };
                self.f.b.line = name.line;
                let mut name = self.property_name(&name)?;
                if let Some(register) = checked {
                    // The name is a string before the object is looked at.
                    if !matches!(name, Operand::Lit(_)) {
                        let d = self.f.b.dest(Dest::Any);
                        let b = self.f.b.o(name);
                        let kind = jumbo_bytecode::unit::CastKind::String as u16;
                        self.f.b.emit(Op::Cast, d, b, kind);
                        self.f.b.start_live(d, LiveKind::Value);
                        name = Operand::Tmp(d);
                    }
                    self.f.b.emit(Op::CheckEnum, register, 0, 0);
                }
                if let (Place::This, Operand::Lit(Const::Str(name)), Some(hooked)) =
                    (&base, &name, &self.f.hook_property)
                    && name.as_ref() == hooked.as_slice()
                {
                    self.hook_backed = true;
                }
                Ok(Place::Prop(Box::new(base), name, self.f.b.line))
            }
            ExprKind::StaticProp(&ast::StaticProp { class, name }) => {
                let mut class = self.class_operand(&class)?;
                if mode.is_write() && matches!(class.value, Operand::Cv(_) | Operand::Tmp(_)) {
                    // The class is looked for before the value that is written is evaluated.
                    let b = self.f.b.o(class.value);
                    let d = self.f.b.dest(Dest::Any);
                    self.f.b.emit(Op::ClassName, d, b, 0);
                    self.f.b.word(ClassRef::OF_VALUE.0 as u64);
                    self.f.b.start_live(d, LiveKind::Value);
                    class.value = Operand::Tmp(d);
                }
                let name = self.property_name(&name)?;
                Ok(Place::Static(class, name))
            }
            _ => Ok(Place::Value(self.expr(e, Dest::Any)?)),
        }
    }

    /// A place that is the container of another one.
    fn prepare_base(&mut self, e: &'a Expr<'a>, mode: Fetch) -> Result<Place> {
        if is_place(e) {
            return self.prepare(e, mode);
        }
        if mode.is_write() && !is_call(e) {
            self.f.b.line = e.line;
            return self.error("Cannot use temporary expression in write context");
        }
        Ok(Place::Value(self.expr_in_chain(e, Dest::Any)?))
    }

    /// Outside of classes and in static methods `$this` may be missing: PHP finds out before it evaluates a name or key, and the value that
    /// is written to `$this->p`. (Closures, which mostly have one, find out when they use it.)
    pub fn check_this(&mut self, place: &Place, value: &Expr<'_>) {
        let mut root = place;
        while let Place::Dim(base, ..) | Place::Prop(base, ..) = root {
            root = base;
        }
        if !self.f.is_closure && matches!(root, Place::This) && !ast::is_literal(value) {
            self.ask_where_missing();
        }
    }

    /// Before a key or name inside of `$this` is evaluated.
    pub fn ask_for_this(&mut self, base: &Expr<'_>) {
        if crate::assign::root_variable(base) == Some(b"this") {
            self.ask_where_missing();
        }
    }

    fn ask_where_missing(&mut self) {
        let is_static = self.f.flags & func_flags::STATIC != 0;
        if self.f.is_main || self.class.is_none() || is_static {
            self.f.flags |= func_flags::USES_THIS;
            let this = self.f.b.nullary_op(Op::This, Dest::Any);
            self.f.b.free(this);
        }
    }

    /// Before `?->`: an undefined variable is read, with the warning, though the chain ends there.
    pub fn warn_undefined(&mut self, value: &Operand, mode: Fetch) {
        if let (Operand::Cv(register), false) = (value, mode == Fetch::Quiet) {
            self.f.b.emit(Op::Free, *register, 0, 0);
        }
    }

    /// `?->`: leaves the innermost open chain when `value` is null.
    pub fn jump_if_null(&mut self, value: Operand) -> Operand {
        let value = match value {
            Operand::Cv(_) | Operand::Tmp(_) => value,
            other => Operand::Tmp(self.f.b.in_temp(other, Dest::Any)),
        };
        if let (Operand::Cv(register) | Operand::Tmp(register), Some(mut label)) =
            (&value, self.f.chains.pop())
        {
            self.f.b.jump(Op::JmpNull, *register, &mut label);
            self.f.chains.push(label);
        }
        value
    }

    /// Runs `compile` as one chain: a `?->` in it that meets null gives `null` as the result of the whole.
    pub fn chain(
        &mut self,
        dest: Dest,
        null: Const,
        compile: impl FnOnce(&mut Self, Dest) -> Result<Operand>,
    ) -> Result<Operand> {
        let before = self.f.b.snapshot();
        let dest = if dest == Dest::Void {
            dest
        } else {
            Dest::Reg(self.f.b.dest(dest))
        };
        self.f.chains.push(Label::default());
        let result = compile(self, dest);
        let ends = self.f.chains.pop().unwrap_or_default();
        let result = result?;
        match dest {
            Dest::Reg(register) => {
                let register = self.f.b.in_temp(result, Dest::Reg(register));
                let mut over = Label::default();
                self.f.b.jump(Op::Jmp, 0, &mut over);
                let after = self.f.b.snapshot();
                self.f.b.restore(&before);
                self.f.b.bind(ends);
                let index = self.f.b.literal(&null);
                self.f.b.emit_bc(Op::Lit, register, index);
                self.f.b.restore(&after);
                self.f.b.bind(over);
                Ok(Operand::Tmp(register))
            }
            _ => {
                self.f.b.free(result);
                self.f.b.bind(ends);
                Ok(Operand::None)
            }
        }
    }

    pub fn variable(&mut self, name: &'a [u8]) -> Place {
        match name {
            b"this" => {
                self.f.flags |= func_flags::USES_THIS;
                Place::This
            }
            b"GLOBALS" => Place::Globals,
            _ if is_superglobal(name) => Place::Global(Operand::Lit(Const::str(name))),
            _ => Place::Cv(self.f.b.cv(name)),
        }
    }

    pub fn member_name(&mut self, name: &Ident<'a>) -> Result<Operand> {
        match name.kind {
            IdentKind::Name(name) => Ok(Operand::Lit(Const::str(name))),
            IdentKind::Expr(e) => self.expr(e, Dest::Any),
        }
    }

    /// The name of a property: a constant array becomes one when the file is compiled, but for one that a condition chooses.
    fn property_name(&mut self, name: &Ident<'a>) -> Result<Operand> {
        if let IdentKind::Expr(e) = name.kind
            && !matches!(e.kind, ExprKind::Ternary { .. } | ExprKind::Binary { op: ast::BinaryOp::Coalesce, .. })
            && let Some(Const::Array(_)) = self.const_eval(assigned(e))?
        {
            if !std::ptr::eq(assigned(e), e) {
                self.expr_void(e)?;
            }
            let line = self.f.b.line;
            self.warn(2, b"Array to string conversion".to_vec(), line);
            return Ok(Operand::Lit(Const::str(b"Array")));
        }
        self.f.b.line = name.line;
        self.member_name(name)
    }

    pub fn class_operand(&mut self, class: &ast::ClassRef<'a>) -> Result<ClassOperand> {
        let fixed = |class| ClassOperand {
            class,
            value: Operand::None,
        };
        match class {
            ast::ClassRef::Name(name) => Ok(fixed(self.class_ref(name)?)),
            ast::ClassRef::Static(line) => {
                if self.f.in_constant {
                    self.f.b.line = *line;
                    return self.error("\"static\" is not allowed in compile-time constants");
                }
                self.check_class_keyword(b"static", *line)?;
                Ok(fixed(ClassRef::STATIC))
            }
            ast::ClassRef::Expr(e) => {
                // A literal string may name the class as well.
                if let ExprKind::String(name) = e.kind
                    && !name.is_empty()
                {
                    let name = name.strip_prefix(b"\\").unwrap_or(name);
                    return Ok(fixed(ClassRef(jumbo_bytecode::names::CLASSES.handle_as(name))));
                }
                let value = if is_this(e) {
                    self.f.flags |= func_flags::USES_THIS;
                    Operand::This
                } else if is_place(e) {
                    self.place_value_in_chain(e)?
                } else {
                    self.expr_in_chain(e, Dest::Any)?
                };
                if let Operand::Lit(value) = &value {
                    let Const::Str(name) = value else {
                        return self.error("Illegal class name");
                    };
                    let name = name.strip_prefix(b"\\".as_slice()).unwrap_or(name);
                    return Ok(fixed(ClassRef(jumbo_bytecode::names::CLASSES.handle_as(name))));
                }
                let value = match value {
                    Operand::Lit(_) => {
                        Operand::Tmp(self.f.b.in_temp(value, Dest::Any))
                    }
                    other => other,
                };
                Ok(ClassOperand {
                    class: ClassRef::DYNAMIC,
                    value,
                })
            }
        }
    }

    /// A place read as part of an open chain.
    fn place_value_in_chain(&mut self, e: &'a Expr<'a>) -> Result<Operand> {
        let place = self.prepare(e, Fetch::Read)?;
        self.fetch(place, Fetch::Read)
    }

    /// Reads, or fetches for writing. The result of a write fetch is a `W` operand.
    pub fn fetch(&mut self, place: Place, mode: Fetch) -> Result<Operand> {
        self.fetch_to(place, mode, Dest::Any)
    }

    pub fn fetch_to(&mut self, place: Place, mode: Fetch, dest: Dest) -> Result<Operand> {
        let dest = if dest == Dest::Void { Dest::Any } else { dest };
        match place {
            Place::Cv(register) => Ok(Operand::Cv(register)),
            Place::This if mode.is_write() => Ok(Operand::This),
            Place::This => Ok(self.f.b.nullary_op(Op::This, dest)),
            Place::Value(value) => Ok(value),
            Place::Named(name) => {
                let op = match mode {
                    Fetch::Read | Fetch::Argument => Op::VarR,
                    Fetch::Quiet => Op::VarIs,
                    Fetch::Write | Fetch::Unset => Op::VarW,
                    Fetch::ReadWrite => Op::VarRW,
                };
                Ok(self.f.b.value_op(op, dest, name, Operand::None))
            }
            Place::Global(name) => {
                let op = match mode {
                    Fetch::Read | Fetch::Argument => Op::GlobalR,
                    Fetch::Quiet => Op::GlobalIs,
                    Fetch::Write | Fetch::Unset => Op::GlobalW,
                    Fetch::ReadWrite => Op::GlobalRW,
                };
                Ok(self.f.b.value_op(op, dest, name, Operand::None))
            }
            Place::Globals => {
                if mode.is_write() {
                    return self.error(
                        "$GLOBALS can only be modified using the $GLOBALS[$name] = $value syntax",
                    );
                }
                Ok(self.f.b.nullary_op(Op::Globals, dest))
            }
            Place::Dim(base, key, line) => {
                let op = match mode {
                    Fetch::Read | Fetch::Argument => Op::DimR,
                    Fetch::Quiet => Op::DimIs,
                    Fetch::Write => Op::DimW,
                    Fetch::ReadWrite => Op::DimRW,
                    Fetch::Unset => Op::DimUnset,
                };
                let base = self.container(*base, mode)?;
                Ok(self.fetch_op(op, dest, base, key, line))
            }
            Place::Prop(base, name, line) => {
                let op = match mode {
                    Fetch::Read | Fetch::Argument => Op::PropR,
                    Fetch::Quiet => Op::PropIs,
                    Fetch::Write => Op::PropW,
                    Fetch::ReadWrite => Op::PropRW,
                    Fetch::Unset => Op::PropUnset,
                };
                let base = self.object(*base, mode)?;
                Ok(self.fetch_op(op, dest, base, name, line))
            }
            Place::Static(class, name) => {
                let op = match mode {
                    Fetch::Read | Fetch::Argument => Op::StaticR,
                    Fetch::Quiet => Op::StaticIs,
                    Fetch::Write | Fetch::Unset => Op::StaticW,
                    Fetch::ReadWrite => Op::StaticRW,
                };
                Ok(self.class_member_op(op, dest, class, name))
            }
        }
    }

    /// The instruction that fetches an element or a property, on its own line.
    fn fetch_op(&mut self, op: Op, dest: Dest, base: Operand, key: Operand, line: u32) -> Operand {
        let after = std::mem::replace(&mut self.f.b.line, line);
        let value = self.f.b.value_op(op, dest, base, key);
        self.f.b.line = after;
        value
    }

    /// An instruction `[D O O] [K C]` on a member of a class.
    pub fn class_member_op(
        &mut self,
        op: Op,
        dest: Dest,
        class: ClassOperand,
        name: Operand,
    ) -> Operand {
        let d = self.f.b.dest(dest);
        let b = self.f.b.o(class.value);
        let c = self.f.b.o(name);
        self.f.b.emit(op, d, b, c);
        self.f.b.word(class.class.0 as u64);
        self.f.b.word(0);
        self.f.b.start_live(d, LiveKind::Value);
        Operand::Tmp(d)
    }

    /// The container of an element.
    pub fn container(&mut self, base: Place, mode: Fetch) -> Result<Operand> {
        let write = mode.is_write();
        if matches!(base, Place::Globals) && write {
            return self
                .error("$GLOBALS can only be modified using the $GLOBALS[$name] = $value syntax");
        }
        let operand = self.fetch(base, mode)?;
        Ok(if write {
            self.writable(operand)
        } else {
            operand
        })
    }

    /// The object of a property.
    pub fn object(&mut self, base: Place, mode: Fetch) -> Result<Operand> {
        if matches!(base, Place::This) {
            return Ok(Operand::This);
        }
        let operand = self.fetch(base, mode)?;
        Ok(if mode.is_write() {
            self.writable(operand)
        } else {
            operand
        })
    }

    /// `W` operands are registers: a literal base of a write goes through a temporary.
    fn writable(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Lit(_) => Operand::Tmp(self.f.b.in_temp(operand, Dest::Any)),
            other => other,
        }
    }

    /// The value of a place.
    pub fn place_value(&mut self, e: &'a Expr<'a>, mode: Fetch, dest: Dest) -> Result<Operand> {
        if has_nullsafe(e) {
            return self.chain(dest, Const::Null, |c, dest| {
                let place = c.prepare(e, mode)?;
                c.fetch_to(place, mode, dest)
            });
        }
        let place = self.prepare(e, mode)?;
        self.fetch_to(place, mode, dest)
    }

    /// Refuses what cannot be written to.
    pub fn check_writable(&mut self, e: &Expr<'_>) -> Result<()> {
        self.f.b.line = e.line;
        if is_place(e) {
            if has_nullsafe(e) {
                return self.error("Can't use nullsafe operator in write context");
            }
            if self.is_on_value(e) {
                return self.error("Cannot use result of built-in function in write context");
            }
            return Ok(());
        }
        match e.kind {
            ExprKind::Call(_) => self.error("Can't use function return value in write context"),
            ExprKind::MethodCall(_) | ExprKind::StaticCall(_) => {
                self.error("Can't use method return value in write context")
            }
            _ => self.error("Cannot use temporary expression in write context"),
        }
    }

    /// Copies the temporaries of a place, so that it can be used twice.
    pub fn duplicate(&mut self, place: &Place) -> Place {
        let b = &mut self.f.b;
        match place {
            Place::Cv(_) | Place::This | Place::Globals => place.clone(),
            Place::Value(o) => Place::Value(b.duplicate(o)),
            Place::Named(o) => Place::Named(b.duplicate(o)),
            Place::Global(o) => Place::Global(b.duplicate(o)),
            Place::Dim(base, key, line) => {
                let base = self.duplicate(base);
                Place::Dim(Box::new(base), self.f.b.duplicate(key), *line)
            }
            Place::Prop(base, name, line) => {
                let base = self.duplicate(base);
                Place::Prop(Box::new(base), self.f.b.duplicate(name), *line)
            }
            Place::Static(class, name) => {
                let value = b.duplicate(&class.value);
                Place::Static(
                    ClassOperand {
                        class: class.class,
                        value,
                    },
                    b.duplicate(name),
                )
            }
        }
    }

    /// Releases the temporaries of a place that is not used after all.
    pub fn free_place(&mut self, place: Place) {
        match place {
            Place::Cv(_) | Place::This | Place::Globals => {}
            Place::Value(o) | Place::Named(o) | Place::Global(o) => self.f.b.free(o),
            Place::Dim(base, o, _) | Place::Prop(base, o, _) => {
                self.f.b.free(o);
                self.free_place(*base);
            }
            Place::Static(class, o) => {
                self.f.b.free(o);
                self.f.b.free(class.value);
            }
        }
    }

    /// `isset(e)` or `empty(e)`.
    pub fn isset(&mut self, e: &'a Expr<'a>, empty: bool, dest: Dest) -> Result<Operand> {
        self.f.b.line = e.line;
        if !is_place(e) {
            if empty {
                let value = self.expr(e, Dest::Any)?;
                if let Operand::Lit(value) = &value {
                    return Ok(Operand::Lit(Const::Bool(!value.to_bool())));
                }
                return Ok(self.f.b.value_op(Op::Not, dest, value, Operand::None));
            }
            return self.error("Cannot use isset() on the result of an expression (you can use \"null !== expression\" instead)");
        }
        if has_nullsafe(e) {
            return self.chain(dest, Const::Bool(empty), |c, dest| {
                let place = c.prepare(e, Fetch::Quiet)?;
                c.isset_place(place, empty, dest)
            });
        }
        let place = self.prepare(e, Fetch::Quiet)?;
        self.isset_place(place, empty, dest)
    }

    fn isset_place(&mut self, place: Place, empty: bool, dest: Dest) -> Result<Operand> {
        let pick = |isset, is_empty| if empty { is_empty } else { isset };
        Ok(match place {
            Place::Cv(register) => self.f.b.value_op(
                pick(Op::IssetCv, Op::EmptyCv),
                dest,
                Operand::Cv(register),
                Operand::None,
            ),
            Place::This if empty => {
                // `empty($this)`: an object is never empty.
                let set = self.f.b.nullary_op(Op::IssetThis, Dest::Any);
                self.f.b.value_op(Op::Not, dest, set, Operand::None)
            }
            Place::This => self.f.b.nullary_op(Op::IssetThis, dest),
            Place::Named(name) => self.isset_named(Op::VarIsset, name, empty, dest),
            Place::Global(name) => self.isset_named(Op::GlobalIsset, name, empty, dest),
            Place::Globals => Operand::Lit(Const::Bool(!empty)),
            Place::Dim(base, key, _) => {
                let base = self.container(*base, Fetch::Quiet)?;
                self.f
                    .b
                    .value_op(pick(Op::IssetDim, Op::EmptyDim), dest, base, key)
            }
            Place::Prop(base, name, _) => {
                let base = self.object(*base, Fetch::Quiet)?;
                self.f
                    .b
                    .value_op(pick(Op::IssetProp, Op::EmptyProp), dest, base, name)
            }
            Place::Static(class, name) => {
                self.class_member_op(pick(Op::StaticIsset, Op::StaticEmpty), dest, class, name)
            }
            Place::Value(value) => self.f.b.value_op(Op::Not, dest, value, Operand::None),
        })
    }

    fn isset_named(&mut self, op: Op, name: Operand, empty: bool, dest: Dest) -> Operand {
        let d = self.f.b.dest(dest);
        let b = self.f.b.o(name);
        self.f.b.emit(op, d, b, empty as u16);
        self.f.b.start_live(d, LiveKind::Value);
        Operand::Tmp(d)
    }

    /// `unset(e)`.
    pub fn unset(&mut self, e: &'a Expr<'a>) -> Result<()> {
        if is_this(e) {
            self.f.b.line = e.line;
            return self.error("Cannot unset $this");
        }
        self.check_writable(e)?;
        match self.prepare(e, Fetch::Unset)? {
            Place::Cv(register) => {
                self.f.b.emit(Op::UnsetCv, register, 0, 0);
            }
            Place::Named(name) => {
                let a = self.f.b.o(name);
                self.f.b.emit(Op::VarUnset, a, 0, 0);
            }
            Place::Global(name) => {
                let a = self.f.b.o(name);
                self.f.b.emit(Op::GlobalUnset, a, 0, 0);
            }
            Place::Dim(base, key, _) => {
                let base = self.container(*base, Fetch::Unset)?;
                let a = self.f.b.o(base);
                let b = self.f.b.o(key);
                self.f.b.emit(Op::UnsetDim, a, b, 0);
            }
            Place::Prop(base, name, _) => {
                let base = self.object(*base, Fetch::Unset)?;
                let a = self.f.b.o(base);
                let b = self.f.b.o(name);
                self.f.b.emit(Op::UnsetProp, a, b, 0);
            }
            Place::Static(class, name) => {
                let b = self.f.b.o(class.value);
                let c = self.f.b.o(name);
                self.f.b.emit(Op::StaticUnset, 0, b, c);
                self.f.b.word(class.class.0 as u64);
                self.f.b.word(0);
            }
            Place::Globals | Place::This | Place::Value(_) => {
                return self.error(
                    "$GLOBALS can only be modified using the $GLOBALS[$name] = $value syntax",
                );
            }
        }
        Ok(())
    }

    /// The value of an argument or captured variable by reference: a counted reference in a temporary.
    pub fn make_ref(&mut self, place: Place, dest: Dest) -> Result<Operand> {
        let source = self.fetch(place, Fetch::Write)?;
        let d = self.f.b.dest(dest);
        let b = self.f.b.o(source);
        debug_assert_ne!(b, NONE);
        self.f.b.emit(Op::MakeRef, d, b, 0);
        self.f.b.start_live(d, LiveKind::Value);
        Ok(Operand::Tmp(d))
    }
}

impl crate::builder::FunctionBuilder {
    /// A second owner of an operand's value.
    pub fn duplicate(&mut self, operand: &Operand) -> Operand {
        match operand {
            Operand::Tmp(register) => {
                let d = self.temp();
                self.emit(Op::Dup, d, *register, 0);
                self.start_live(d, LiveKind::Value);
                Operand::Tmp(d)
            }
            other => other.clone(),
        }
    }
}

/// The value of a list assignment, which is the value that was assigned: a constant one stays a constant.
fn assigned<'s, 'a>(e: &'s Expr<'a>) -> &'s Expr<'a> {
    match e.kind {
        ExprKind::Assign { target: Expr { kind: ExprKind::Array(_), .. }, value } => value,
        _ => e,
    }
}
