//! Functions at run time: what a call frame points at, for PHP code and builtins alike.

use crate::desc::FnDesc;
use crate::ClassPtr;
use jumbo_bytecode::Insn;
use jumbo_bytecode::types::{Type, mask};
use jumbo_bytecode::unit::{FunctionProto, Unit, func_flags};
use jumbo_value::{PStr, Raw};
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::Arc;

/// A callable body with the scope it runs in. The first fields are what a call needs, in one cache line.
#[repr(C)]
pub struct Function {
    /// First instruction; null for builtins and abstract methods.
    pub code: *const Insn,
    pub literals: *const Raw,
    pub flags: u32,
    pub registers: u16,
    pub first_temp: u16,
    /// Declared parameters, the variadic one not counted.
    pub params: u32,
    pub required: u32,
    /// Bit per parameter that is passed by reference; the variadic one covers all bits from its own upwards.
    pub by_ref: u64,
    pub entry: Entry,
    /// Class whose scope the body runs in.
    pub scope: Option<ClassPtr>,
    pub body: Body,
    /// As PHP shows it (method name without class).
    pub name: PStr,
    /// Number of this function's static variables in the instance's table; no number comes back while the process lives.
    pub id: u64,
    /// Class that declared it first (for messages and prototypes), trait methods: the using class.
    pub prototype: Option<FnPtr>,
    /// Types of builtins' parameters in the form that checks use (user functions have them in the prototype of their body).
    pub param_types: Box<[Option<Type>]>,
    pub return_type: Option<Type>,
}

/// What a call looks at when the number of arguments is the usual one. Sizes are in bytes from the start of the frame.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The number of arguments with which nothing remains to be done but to run the code: no type to check, no default to fill in, nothing to
    /// collect. `u32::MAX`: there is always something to be done.
    pub plain_args: u32,
    /// Where the parameters end.
    pub args_end: u32,
    /// Where the variables end.
    pub cvs_end: u32,
    /// Where the frame ends.
    pub frame_end: u32,
    /// With so many arguments, and up to `more_args` more, only their types remain to be looked at. `NO_COUNT`: there is more to it.
    pub least_args: u32,
    pub more_args: u32,
    /// The kinds of values that parameters take as they are: [`Entry::KIND_BITS`] bits each, from the lowest on. (Objects of a class are
    /// not among them.)
    pub kinds: u64,
}

impl Entry {
    /// Flags of a function that keep it from the plain way into it.
    pub const NOT_PLAIN: u32 = func_flags::BUILTIN | func_flags::GENERATOR | func_flags::VARIADIC
        | func_flags::ABSTRACT | func_flags::BY_REF_PARAMS | func_flags::DEPRECATED | func_flags::CLOSURE;

    /// Of functions that are not PHP code.
    pub const NATIVE: Entry =
        Entry { plain_args: u32::MAX, args_end: 0, cvs_end: 0, frame_end: 0, least_args: Entry::NO_COUNT, more_args: 0, kinds: 0 };

    pub const KIND_BITS: u32 = 10;
    const NO_COUNT: u32 = 1 << 31;

    fn of(proto: &FunctionProto) -> Entry {
        const SLOT: u32 = size_of::<Raw>() as u32;
        let params = proto.params.len() as u32;
        let is_plain = proto.flags & (Entry::NOT_PLAIN | func_flags::TYPED_PARAMS) == 0 && params == proto.required;
        let by_kinds = proto.flags & Entry::NOT_PLAIN == 0 && params * Entry::KIND_BITS <= u64::BITS;
        let kinds_of = |ty: &Option<Type>| u64::from(ty.as_ref().map_or(mask::MIXED, |ty| ty.mask & mask::MIXED));
        Entry {
            least_args: if by_kinds { proto.required } else { Entry::NO_COUNT },
            more_args: if by_kinds { params - proto.required } else { 0 },
            kinds: if by_kinds { proto.params.iter().rev().fold(0, |kinds, param| kinds << Entry::KIND_BITS | kinds_of(&param.ty)) } else { 0 },
            plain_args: if is_plain { params } else { u32::MAX },
            args_end: (jumbo_bytecode::FRAME_HEADER as u32 + params) * SLOT,
            cvs_end: proto.first_temp as u32 * SLOT,
            frame_end: proto.registers as u32 * SLOT,
        }
    }
}

pub enum Body {
    /// `unit` is counted unless the function is a part of the unit: see [`Function::of_unit`].
    User { unit: ManuallyDrop<Arc<Unit>>, is_counted: bool, proto: NonNull<FunctionProto> },
    Builtin(&'static FnDesc),
}

impl Clone for Body {
    /// With a count of the unit.
    fn clone(&self) -> Body {
        match self {
            Body::User { unit, proto, .. } => Body::User { unit: ManuallyDrop::new(Arc::clone(unit)), is_counted: true, proto: *proto },
            Body::Builtin(desc) => Body::Builtin(desc),
        }
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        if let Body::User { unit, is_counted: true, .. } = self {
            // SAFETY: the count is this body's, which is not used any more.
            unsafe { ManuallyDrop::drop(unit) };
        }
    }
}

// SAFETY: a function is immutable after linking; its unit is Send + Sync, its strings are immortal.
unsafe impl Send for Function {}
// SAFETY: as above.
unsafe impl Sync for Function {}

impl Function {
    /// The function of `proto` (a part of `unit`) in scope `scope`.
    pub fn user(unit: Arc<Unit>, proto: &FunctionProto, scope: Option<ClassPtr>, id: u64) -> Function {
        let mut by_ref = 0u64;
        for (n, p) in proto.params.iter().enumerate().take(64) {
            if p.by_ref {
                by_ref |= if p.variadic { !0u64 << n } else { 1 << n };
            }
        }
        let variadic = proto.flags & func_flags::VARIADIC != 0;
        Function {
            code: proto.code.as_ptr(),
            literals: proto.literals.as_ptr(),
            flags: proto.flags,
            registers: proto.registers,
            first_temp: proto.first_temp,
            params: proto.params.len() as u32 - variadic as u32,
            required: proto.required,
            by_ref,
            entry: Entry::of(proto),
            scope,
            body: Body::User { proto: NonNull::from(proto), unit: ManuallyDrop::new(unit), is_counted: true },
            name: proto.name.clone(),
            id,
            prototype: None,
            param_types: Box::default(),
            return_type: None,
        }
    }

    /// As [`Function::user`], without a scope and without a count of the unit.
    ///
    /// # Safety
    /// The function goes with the unit, and whoever has a pointer to it holds the unit.
    pub unsafe fn of_unit(unit: &Arc<Unit>, proto: &FunctionProto, id: u64) -> Function {
        let mut function = Function::user(unit.clone(), proto, None, id);
        // SAFETY: promised by the caller.
        unsafe { function.uncount() };
        function
    }

    /// Gives back the count of the unit.
    ///
    /// # Safety
    /// As [`Function::of_unit`].
    pub unsafe fn uncount(&mut self) {
        if let Body::User { unit, is_counted: is_counted @ true, .. } = &mut self.body {
            *is_counted = false;
            // SAFETY: the count was this function's; the handle is good as long as the unit, by contract.
            unsafe { Arc::decrement_strong_count(Arc::as_ptr(unit)) };
        }
    }

    pub fn proto(&self) -> Option<&FunctionProto> {
        match &self.body {
            // SAFETY: the prototype is a part of the unit that this function keeps alive.
            Body::User { proto, .. } => Some(unsafe { proto.as_ref() }),
            Body::Builtin(_) => None,
        }
    }
    /// The prototype of a function that is known to be PHP code.
    ///
    /// # Safety
    /// The function is not a builtin.
    #[inline(always)]
    pub unsafe fn proto_unchecked(&self) -> &FunctionProto {
        match &self.body {
            // SAFETY: as in `proto`.
            Body::User { proto, .. } => unsafe { proto.as_ref() },
            // SAFETY: promised by the caller.
            Body::Builtin(_) => unsafe { std::hint::unreachable_unchecked() },
        }
    }
    pub fn unit(&self) -> Option<&Arc<Unit>> {
        match &self.body {
            Body::User { unit, .. } => Some(unit),
            Body::Builtin(_) => None,
        }
    }
    pub fn desc(&self) -> Option<&'static FnDesc> {
        match &self.body {
            Body::Builtin(desc) => Some(desc),
            Body::User { .. } => None,
        }
    }
    #[inline]
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// Is parameter `n` (from 0) by reference?
    #[inline]
    pub fn is_by_ref(&self, n: u32) -> bool {
        self.by_ref >> n.min(63) & 1 != 0
    }
    /// Name of parameter `n`; that of the variadic one for all behind it.
    pub fn param_name(&self, n: usize) -> &[u8] {
        match &self.body {
            Body::User { .. } => {
                self.proto().and_then(|p| p.params.get(n).or(p.params.last())).map_or(b"", |p| p.name.as_bytes())
            }
            Body::Builtin(d) => d.params.get(n).or(d.params.last()).map_or(b"", |p| p.name.as_bytes()),
        }
    }
    /// Parameters in all, the variadic one included.
    pub fn param_count(&self) -> usize {
        match &self.body {
            Body::User { .. } => self.proto().map_or(0, |p| p.params.len()),
            Body::Builtin(d) => d.params.len(),
        }
    }
    /// The declared type of parameter `n`.
    pub fn param_type(&self, n: usize) -> Option<&Type> {
        match self.proto() {
            Some(proto) => proto.params.get(n)?.ty.as_ref(),
            None => self.param_types.get(n)?.as_ref(),
        }
    }
    /// The declared return type, a tentative one included.
    pub fn declared_return_type(&self) -> Option<&Type> {
        match self.proto() {
            Some(proto) => proto.return_type.as_ref(),
            None => self.return_type.as_ref(),
        }
    }
    /// `Class::method` or `function`, as messages show it.
    pub fn display_name(&self) -> Vec<u8> {
        match self.scope {
            Some(class) => {
                [class.name.as_bytes(), b"::", self.name.as_bytes()].concat()
            }
            _ => self.name.as_bytes().to_vec(),
        }
    }
}

/// A function that lives as long as the instance that uses it (registry, linked class, or declared in the instance).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct FnPtr(NonNull<Function>);

impl FnPtr {
    /// # Safety
    /// The function must outlive the instance (or be owned by the registry or a linked class).
    pub unsafe fn new(function: &Function) -> FnPtr {
        FnPtr(NonNull::from(function))
    }
    /// Puts a function into memory that is never freed: for the registry and for functions of units that stay.
    pub fn leak(function: Function) -> FnPtr {
        FnPtr(NonNull::from(Box::leak(Box::new(function))))
    }
    #[inline(always)]
    pub fn as_ptr(self) -> *const Function {
        self.0.as_ptr()
    }
    /// # Safety
    /// As [`FnPtr::new`]; `ptr` must not be null.
    #[inline(always)]
    pub unsafe fn from_ptr(ptr: *const Function) -> FnPtr {
        // SAFETY: promised by the caller.
        FnPtr(unsafe { NonNull::new_unchecked(ptr.cast_mut()) })
    }
}

impl FnPtr {
    /// The function for as long as the instance lives: for references into it that outlast this handle.
    #[inline(always)]
    pub fn get<'a>(self) -> &'a Function {
        // SAFETY: the contract of `FnPtr::new`.
        unsafe { &*self.as_ptr() }
    }
}

impl Deref for FnPtr {
    type Target = Function;
    #[inline(always)]
    fn deref(&self) -> &Function {
        // SAFETY: the contract of `FnPtr::new`.
        unsafe { self.0.as_ref() }
    }
}

// SAFETY: the function itself is Sync.
unsafe impl Send for FnPtr {}
// SAFETY: as above.
unsafe impl Sync for FnPtr {}

impl std::fmt::Debug for FnPtr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", String::from_utf8_lossy(&self.display_name()))
    }
}

