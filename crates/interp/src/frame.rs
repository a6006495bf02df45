//! Call frames: a header of [`FRAME_HEADER`] slots, then CVs, temporaries, and at the end the frames of calls being prepared.
//!
//! A callee's frame overlays the caller's temporaries: its header and arguments are written in place while arguments are evaluated,
//! so a call copies nothing. Generator frames live in memory of their own.

use jumbo_abi::{Callable, Class, ClassPtr, FnPtr, Function};
use jumbo_bytecode::{FRAME_HEADER, Insn, NONE};
use jumbo_value::{ObjHeader, PObject, Raw, Value};
use std::mem::ManuallyDrop;

/// The header of a frame; slots follow.
#[repr(C)]
pub struct Frame {
    /// The caller's instruction that made this call (a Call opcode, or whatever ran PHP code on the side when ENTRY is set).
    pub call_pc: *const Insn,
    pub prev: *mut Frame,
    pub func: *const Function,
    /// `$this`, counted; null for none.
    pub this: *mut ObjHeader,
    /// Called class (late static binding); null outside classes.
    pub class: *const Class,
    /// Arguments passed in slots.
    pub nargs: u32,
    pub flags: u32,
    /// Register of the caller that gets the result.
    pub result: u32,
    pub _pad: u32,
    /// What few frames need, with [`flags::EXTRA`]: an `Extra`, or the closure that runs (with [`OF_CLOSURE`] added to the address) when
    /// nothing else is there; null for none. Owned.
    extra: *mut Extra,
}

/// In the address of a frame's rare part: it is but the Closure object.
const OF_CLOSURE: usize = 1;

const _: () = assert!(size_of::<Frame>() == FRAME_HEADER as usize * size_of::<Raw>());

pub mod flags {
    /// Its end ends the running `run`: called from native code.
    pub const ENTRY: u32 = 1;
    /// A constructor: its result is dropped.
    pub const CONSTRUCTOR: u32 = 2;
    /// The callee's name went through `__call`/`__callStatic`: `extra.magic_name` has it.
    pub const MAGIC: u32 = 4;
    /// The frame belongs to a generator.
    pub const GENERATOR: u32 = 8;
    /// A file's code: shares the symbol table of the including frame.
    pub const INCLUDED: u32 = 16;
    /// Its function is a by-reference returning one called for its reference.
    pub const WANTS_REF: u32 = 32;
    /// Slots are set up by the callee's callee (placeholder frame of a running builtin).
    pub const BUILTIN: u32 = 64;
    /// Generator frame that is being destroyed: only finally blocks run.
    pub const CLOSING: u32 = 128;
    /// The callee was named by a value: builtins that look at their caller's variables refuse.
    pub const DYNAMIC: u32 = 256;
    /// `extra` is there.
    pub const EXTRA: u32 = 1024;
    /// Called as `$closure->__invoke()`: traces show that call too.
    pub const INVOKED: u32 = 2048;
    /// A generator's frame that a `foreach` in the frame below runs, instead of ENTRY.
    pub const STEPPED: u32 = 4096;
    /// It has not been called yet (the call's deprecation is being raised): traces do not show it.
    pub const ENTERING: u32 = 512;
}

/// Rarely needed parts of a frame, in the order in which they end with it.
pub struct Extra {
    pub symbols: Option<std::rc::Rc<crate::symbols::SymbolTable>>,
    /// Named arguments that a variadic function collects; of one that has been entered and may write to the variable that collects them,
    /// all arguments that it has collected.
    pub named: Option<jumbo_value::PArray>,
    /// Arguments beyond the declared parameters, those that a variadic parameter collects by reference among them.
    pub args: Vec<Value>,
    /// The Closure that runs (its static variables).
    pub closure: Option<PObject>,
    pub magic_name: Option<jumbo_value::PStr>,
    /// Generator frames: the generator, and where frames of its callees go.
    pub generator: *mut (),
    pub top: *mut Raw,
    /// Included file: its unit.
    pub unit: Option<std::sync::Arc<jumbo_bytecode::unit::Unit>>,
}

impl Extra {
    fn new() -> Extra {
        Extra {
            args: Vec::new(),
            symbols: None,
            closure: None,
            magic_name: None,
            named: None,
            generator: std::ptr::null_mut(),
            top: std::ptr::null_mut(),
            unit: None,
        }
    }
}

impl Frame {
    /// The lowest frame of a stack, which runs nothing.
    pub const BOTTOM: Frame = Frame {
        call_pc: std::ptr::null(),
        prev: std::ptr::null_mut(),
        func: std::ptr::null(),
        this: std::ptr::null_mut(),
        class: std::ptr::null(),
        nargs: 0,
        flags: flags::BUILTIN,
        result: NONE as u32,
        _pad: 0,
        extra: std::ptr::null_mut(),
    };
    /// The header of a call of a builtin function, from `prev` at `call_pc`.
    #[inline(always)]
    pub fn of_builtin(func: FnPtr, prev: *mut Frame, call_pc: *const Insn, nargs: u16, result: u16) -> Frame {
        Frame { call_pc, prev, func: func.as_ptr(), nargs: u32::from(nargs), flags: 0, result: u32::from(result), ..Frame::BOTTOM }
    }
    /// # Safety
    /// `this` is a frame with at least `n + 1` slots.
    #[inline(always)]
    pub unsafe fn slot(this: *mut Frame, n: u16) -> *mut Raw {
        // SAFETY: as promised.
        unsafe { this.cast::<Raw>().add(n as usize) }
    }
    /// The slot of a doubled operand.
    ///
    /// # Safety
    /// As [`Frame::slot`] of its half.
    #[inline(always)]
    pub unsafe fn doubled(this: *mut Frame, o: u16) -> *mut Raw {
        // SAFETY: as promised.
        unsafe { this.byte_add(o as usize * 8).cast::<Raw>() }
    }
    /// The value in a slot, read word by word: a read of both words at once would have to wait until the instruction before, which wrote
    /// them one by one, is through.
    ///
    /// # Safety
    /// The slot is live.
    #[inline(always)]
    pub unsafe fn load(slot: *const Raw) -> Raw {
        // SAFETY: as promised.
        let Raw { tag, bits } = unsafe { *slot };
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        let bits = {
            let word: u64;
            // SAFETY: no instruction; it keeps the compiler from joining the two reads.
            unsafe { std::arch::asm!("/* {0} */", inlateout(reg) bits => word, options(pure, nomem, nostack, preserves_flags)) };
            word
        };
        Raw { tag, bits }
    }
    /// # Safety
    /// `this` is a frame; `n` an argument or CV number.
    #[inline(always)]
    pub unsafe fn cv(this: *mut Frame, n: usize) -> *mut Raw {
        // SAFETY: as promised.
        unsafe { this.cast::<Raw>().add(FRAME_HEADER as usize + n) }
    }
    #[inline(always)]
    pub fn function(&self) -> FnPtr {
        // SAFETY: a frame's function outlives it.
        unsafe { FnPtr::from_ptr(self.func) }
    }
    /// Class whose scope the code runs in.
    #[inline(always)]
    pub fn scope(&self) -> Option<ClassPtr> {
        // SAFETY: as above.
        unsafe { (*self.func).scope }
    }
    #[inline(always)]
    pub fn static_class(&self) -> Option<ClassPtr> {
        if self.class.is_null() {
            None
        } else {
            // SAFETY: classes outlive frames.
            Some(unsafe { ClassPtr::from_ptr(self.class) })
        }
    }
    pub fn is(&self, flag: u32) -> bool {
        self.flags & flag != 0
    }
    /// The header of a frame that has not been called yet, but for who calls it.
    #[inline(always)]
    pub fn prepare(&mut self, func: FnPtr, this: *mut ObjHeader, class: *const Class) {
        self.func = func.as_ptr();
        self.this = this;
        self.class = class;
        self.flags = 0;
        self.extra = std::ptr::null_mut();
    }
    /// The rare part, made when it is missing.
    pub fn extra_mut(&mut self) -> &mut Extra {
        if self.extra.addr() & OF_CLOSURE != 0 || self.extra.is_null() {
            let closure = self.take_closure();
            self.flags |= flags::EXTRA;
            self.extra = Box::into_raw(Box::new(Extra { closure, ..Extra::new() }));
        }
        // SAFETY: owned by this frame.
        unsafe { &mut *self.extra }
    }
    pub fn extra_ref(&self) -> Option<&Extra> {
        if self.extra.addr() & OF_CLOSURE != 0 {
            return None;
        }
        // SAFETY: owned by this frame.
        unsafe { self.extra.as_ref() }
    }
    /// The rare part, if there is one.
    pub fn extra_opt_mut(&mut self) -> Option<&mut Extra> {
        if self.extra.addr() & OF_CLOSURE != 0 {
            return None;
        }
        // SAFETY: owned by this frame.
        unsafe { self.extra.as_mut() }
    }
    /// The address of the closure that is the whole rare part, or null.
    #[inline(always)]
    fn lone_closure(&self) -> *mut ObjHeader {
        if self.extra.addr() & OF_CLOSURE == 0 { std::ptr::null_mut() } else { self.extra.map_addr(|at| at & !OF_CLOSURE).cast() }
    }
    /// The Closure that runs; its count is the frame's.
    pub fn closure(&self) -> Option<ManuallyDrop<PObject>> {
        let mut closure = self.lone_closure();
        if closure.is_null() {
            closure = self.extra_ref()?.closure.as_ref()?.as_ptr();
        }
        // SAFETY: the frame's count is borrowed.
        Some(ManuallyDrop::new(unsafe { PObject::from_ptr(closure) }))
    }
    pub fn set_closure(&mut self, closure: PObject) {
        if self.extra.is_null() {
            self.flags |= flags::EXTRA;
            self.extra = closure.into_ptr().cast::<Extra>().map_addr(|at| at | OF_CLOSURE);
        } else {
            self.extra_mut().closure = Some(closure);
        }
    }
    /// The closure that a callable calls, if it is one.
    pub fn set_closure_of(&mut self, callable: &Callable) {
        let Some(closure) = &callable.closure else { return };
        self.set_closure(closure.clone());
        if let Some(name) = &callable.magic_name {
            self.extra_mut().magic_name = Some(name.clone());
        }
        if callable.value.is_array() {
            // `[$closure, '__invoke']`
            self.flags |= flags::INVOKED;
        }
    }
    fn take_closure(&mut self) -> Option<PObject> {
        let closure = self.lone_closure();
        if closure.is_null() {
            return None;
        }
        self.extra = std::ptr::null_mut();
        // SAFETY: the frame's count is taken over.
        Some(unsafe { PObject::from_ptr(closure) })
    }
    pub fn has_extra(&self) -> bool {
        !self.extra.is_null()
    }
    /// Does the frame own a closure, and nothing else that is rare?
    #[inline(always)]
    pub fn has_lone_closure(&self) -> bool {
        self.extra.addr() & OF_CLOSURE != 0
    }
    /// Releases the rare part.
    pub fn drop_extra(&mut self) {
        if self.take_closure().is_none() && !self.extra.is_null() {
            // SAFETY: owned by this frame.
            drop(unsafe { Box::from_raw(self.extra) });
            self.extra = std::ptr::null_mut();
        }
        self.flags &= !flags::EXTRA;
    }
    /// Is it a frame of PHP code (with line numbers)?
    pub fn is_user(&self) -> bool {
        // SAFETY: a frame's function outlives it.
        !self.func.is_null() && unsafe { !(*self.func).code.is_null() }
    }
}
