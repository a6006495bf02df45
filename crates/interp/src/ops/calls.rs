//! Calls: resolving callees, passing arguments, entering functions, running builtins, returning.

use super::operand;
use crate::frame::{Frame, flags};
use crate::vm::{Vm, object_clone};
use crate::{cold, despite, generator, lookup, next, op, tri, types};
use jumbo_abi::function::Entry;
use jumbo_abi::{ClassPtr, FnPtr, Function, Level, Res, func_flags};
use jumbo_bytecode::unit::ClassRef;
use jumbo_bytecode::{FRAME_HEADER, Insn, NONE, THIS};
use jumbo_value::{Key, PArray, PObject, PRef, PStr, Raw, Value, tag};
use std::ptr;

op! {
    InitFn(pc, fp, vm, lits) {
        let handle = (*pc.add(1)).0;
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        if let Some(f) = (*(*vm).cx).functions.get(handle as u32) {
            init(nf, *f);
            next!(pc, fp, vm, lits, 2)
        }
        cold!(pc, fp, vm, lits, {
            let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
            tri!(init_named_slow(vm, fp, pc, nf, (*pc.add(1)).0), pc, fp, vm);
            next!(pc, fp, vm, lits, 2)
        })
    }

    JmpFn(pc, fp, vm, lits) {
        if (*(*vm).cx).functions.get((*pc.add(2)).0 as u32).is_some() {
            crate::jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
        }
        next!(pc, fp, vm, lits, 3)
    }

    InitDyn(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        save(vm, fp, pc);
        let callee = tri!(operand::take_callee(vm, fp, lits, (*pc).b()), pc, fp, vm);
        tri!(lookup::init_dynamic(vm, fp, nf, callee), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    InitUser(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        save(vm, fp, pc);
        let callee = tri!(operand::take_checked(vm, fp, lits, (*pc).b()), pc, fp, vm);
        tri!(lookup::init_user(vm, nf, callee, (*pc).c() != 0), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    InitMethod(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let b = (*pc).b();
        let cache = (*pc.add(1)).0;
        let object = operand::object(fp, lits, b);
        if !object.is_null() && (cache >> 32) as u32 == (*object).class_id && cache != 0 {
            let class = (*object).class.cast::<jumbo_abi::Class>();
            let method = method_at(class, cache as u32);
            if !operand::is_temp(fp, b) && !method.is(func_flags::STATIC) {
                (*object).header.add_ref();
                init_on_this(nf, method, object, class);
                next!(pc, fp, vm, lits, 2)
            }
            return init_method_of_temporary(pc, fp, vm, lits);
        }
        cold!(pc, fp, vm, lits, {
            let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
            if method_of_other_class(fp, lits, pc, nf) {
                next!(pc, fp, vm, lits, 2)
            }
            save(vm, fp, pc);
            tri!(lookup::init_method(vm, fp, lits, pc, nf), pc, fp, vm);
            if jumbo_value::Heap::current_has_dying() {
                tri!(destruct_object_of_static(vm, nf), pc, fp, vm);
            }
            next!(pc, fp, vm, lits, 2)
        })
    }

    InitMethodThis(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let cache = (*pc.add(1)).0;
        let object = (*fp).this;
        if !object.is_null() && (cache >> 32) as u32 == (*object).class_id && cache != 0 {
            let class = (*object).class.cast::<jumbo_abi::Class>();
            let method = method_at(class, cache as u32);
            if !method.is(func_flags::STATIC) {
                (*object).header.add_ref();
                init_on_this(nf, method, object, class);
                next!(pc, fp, vm, lits, 2)
            }
        }
        cold!(pc, fp, vm, lits, {
            let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
            if method_of_other_class(fp, lits, pc, nf) {
                next!(pc, fp, vm, lits, 2)
            }
            save(vm, fp, pc);
            tri!(lookup::init_method(vm, fp, lits, pc, nf), pc, fp, vm);
            next!(pc, fp, vm, lits, 2)
        })
    }

    InitStaticCall(pc, fp, vm, lits) {
        let reference = ClassRef((*pc.add(1)).0 as u32);
        let class = lookup::quick_class(vm, fp, reference, (*pc).b());
        let mut cache = (*pc.add(2)).0;
        if !class.is_null() && (cache >> 32) as u32 != (*class).head.id {
            cache = crate::sites::find(pc.add(2), (*class).head.id);
        }
        if !class.is_null() && cache != 0 && (cache >> 32) as u32 == (*class).head.id {
            let method = method_at(class, cache as u32);
            if method.is(func_flags::STATIC) && (reference.0 < ClassRef::FIRST_SPECIAL || (*fp).this.is_null()) {
                let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
                init(nf, method);
                // `self::` and `static::` keep the called class; a scope without one is called by itself.
                let called = if reference.0 < ClassRef::FIRST_SPECIAL || (*fp).class.is_null() { class } else { (*fp).class };
                (*nf).class = called;
                next!(pc, fp, vm, lits, 3)
            }
        }
        cold!(pc, fp, vm, lits, {
            let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
            save(vm, fp, pc);
            tri!(lookup::init_static(vm, fp, lits, pc, nf), pc, fp, vm);
            next!(pc, fp, vm, lits, 3)
        })
    }

    New(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let nf = Frame::slot(fp, (*pc).b()).cast::<Frame>();
        let has_constructor = tri!(lookup::init_new(vm, fp, lits, pc, nf), pc, fp, vm);
        if has_constructor {
            next!(pc, fp, vm, lits, 3)
        }
        crate::jump!(pc, fp, vm, lits, (*pc.add(2)).0 as u32 as i32)
    }

    JmpArgRef(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        if (*(*nf).func).is_by_ref((*pc).b() as u32) {
            crate::jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
        }
        next!(pc, fp, vm, lits, 2)
    }

    ArgVar(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let n = (*pc).b();
        let from = Frame::slot(fp, (*pc).c());
        let to = Frame::cv(nf, n as usize);
        if (*(*nf).func).by_ref == 0 {
            let value = *from;
            if value.tag != tag::UNDEF && value.tag != tag::REF {
                value.add_ref();
                *to = value;
                next!(pc, fp, vm, lits, 1)
            }
        }
        cold!(pc, fp, vm, lits, {
            let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
            let n = (*pc).b();
            let to = Frame::cv(nf, n as usize);
            save(vm, fp, pc);
            tri!(arg_var_slow(vm, fp, nf, n, (*pc).c(), to), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    ArgCall(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let n = (*pc).b();
        let value = operand::take(fp, lits, (*pc).c());
        let to = Frame::cv(nf, n as usize);
        *to = value;
        if (*(*nf).func).by_ref == 0 && value.tag != tag::REF {
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
            let n = (*pc).b();
            let to = Frame::cv(nf, n as usize);
            save(vm, fp, pc);
            tri!(arg_call_slow(vm, (*nf).func, n, to), pc, fp, vm);
            next!(pc, fp, vm, lits, 1)
        })
    }

    ArgVal(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let (n, c) = ((*pc).b(), (*pc).c());
        let value = *operand::peek(fp, lits, c);
        if (*(*nf).func).by_ref == 0 && value.tag != tag::UNDEF && value.tag != tag::REF {
            if !operand::is_temp(fp, c) {
                value.add_ref();
            }
            *Frame::cv(nf, n as usize) = value;
            next!(pc, fp, vm, lits, 1)
        }
        cold!(pc, fp, vm, lits, {
            let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
            let n = (*pc).b();
            save(vm, fp, pc);
            // The value is taken first: a refused one ends here.
            let value = Value::from_raw(tri!(operand::take_checked(vm, fp, lits, (*pc).c()), pc, fp, vm));
            if (*(*nf).func).by_ref != 0
                && let Err(stop) = arg_val_check(vm, nf, n)
            {
                drop(value);
                return crate::unwind::unwind(stop, pc, fp, vm);
            }
            *Frame::cv(nf, n as usize) = value.into_raw();
            next!(pc, fp, vm, lits, 1)
        })
    }

    ArgUser(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let n = (*pc).b();
        save(vm, fp, pc);
        let value = tri!(operand::take_checked(vm, fp, lits, (*pc).c()), pc, fp, vm);
        *Frame::cv(nf, n as usize) = value;
        if (*(*nf).func).by_ref != 0 {
            tri!(arg_user_check(vm, (*nf).func, n, Frame::cv(nf, n as usize)), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }

    JmpArgRefNamed(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        if named_is_by_ref(&*(*nf).func, &Value::from_raw_borrowed(*lits.add((*pc).b() as usize))) {
            crate::jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
        }
        next!(pc, fp, vm, lits, 2)
    }

    Call(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let nargs = (*pc).b() as u32;
        (*nf).call_pc = pc;
        (*nf).prev = fp;
        (*nf).nargs = nargs;
        (*nf).result = (*pc).c() as u32;
        let func = &*(*nf).func;
        if nargs == func.entry.plain_args && (*nf).flags & flags::MAGIC == 0 && has_room(vm, nf, func) && !super::jumps::is_interrupted(vm) {
            return enter_plainly(vm, nf, func, func.entry.args_end);
        }
        return call_by_kinds(pc, fp, vm, nf);
    }

    CallArray(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        save(vm, fp, pc);
        (*nf).call_pc = pc;
        (*nf).prev = fp;
        (*nf).result = (*pc).c() as u32;
        let args = operand::take(fp, lits, (*pc).b());
        if super::jumps::is_interrupted(vm)
            && let Err(stop) = super::jumps::interrupted(vm)
        {
            drop_frame_parts(nf);
            args.release();
            return crate::unwind::unwind(stop, pc, fp, vm);
        }
        let moved = match place_array_args(vm, nf, Value::from_raw(args)) {
            Ok(nf) => nf,
            Err(stop) => return crate::unwind::unwind(stop, pc, fp, vm),
        };
        return call_slow(pc, fp, vm, moved);
    }

    CallUserArray(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        save(vm, fp, pc);
        (*nf).call_pc = pc;
        (*nf).prev = fp;
        (*nf).result = (*pc).c() as u32;
        let moved = match place_user_args(vm, fp, lits, (*pc).b(), nf) {
            Ok(nf) => nf,
            Err(stop) => return crate::unwind::unwind(stop, pc, fp, vm),
        };
        return call_slow(pc, fp, vm, moved);
    }

    CallBuiltin(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let number = (*pc.add(1)).0 as u32 as usize;
        let registry = jumbo_abi::registry::get();
        if let Some(leaf) = *registry.leaves.get_unchecked(number) {
            (*vm).pc = pc;
            let (first, count) = (Frame::cv(nf, 0), (*pc).b() as usize);
            let value = leaf(Vm::cx(vm), std::slice::from_raw_parts(first.cast::<Value>(), count));
            if value.tag != tag::UNDEF {
                for n in 0..count {
                    (*first.add(n)).release();
                }
                let result = (*pc).c();
                if result != NONE && !jumbo_value::Heap::current_has_dying() {
                    *Frame::slot(fp, result) = value;
                    next!(pc, fp, vm, lits, 2)
                }
                tri!(finish_leaf(vm, fp, pc, value), pc, fp, vm);
                next!(pc, fp, vm, lits, 2)
            }
        }
        let func = *registry.functions.get_unchecked(number);
        nf.write(Frame::of_builtin(func, fp, pc, (*pc).b(), (*pc).c()));
        return call_builtin(pc, fp, vm, nf, 2);
    }

    CallableFromFrame(pc, fp, vm, lits) {
        let nf = Frame::slot(fp, (*pc).b()).cast::<Frame>();
        save(vm, fp, pc);
        let closure = tri!(crate::closure::from_frame(vm, nf), pc, fp, vm);
        *Frame::slot(fp, (*pc).a()) = closure;
        next!(pc, fp, vm, lits, 1)
    }

    ArgPush(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let value = tri!(operand::take_checked(vm, fp, lits, (*pc).c()), pc, fp, vm);
        let array = Frame::slot(fp, (*pc).b());
        if (*(*nf).func).by_ref != 0 {
            tri!(pushed_value_check(vm, nf, array, value), pc, fp, vm);
        }
        arg_push(array, value);
        next!(pc, fp, vm, lits, 1)
    }

    ArgPushCall(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let array = Frame::slot(fp, (*pc).b());
        let value = tri!(pushed_result(vm, fp, lits, (*nf).func, array, (*pc).c()), pc, fp, vm);
        arg_push(array, value);
        next!(pc, fp, vm, lits, 1)
    }

    ArgPushVar(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let array = Frame::slot(fp, (*pc).b());
        let n = jumbo_value::array::raw::count((*array).bits as *const _);
        let value = tri!(arg_place(vm, fp, (*(*nf).func).is_by_ref(n), (*pc).c()), pc, fp, vm);
        arg_push(array, value);
        next!(pc, fp, vm, lits, 1)
    }

    ArgNamed(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let name = *lits.add((*pc.add(1)).0 as u32 as usize);
        tri!(named_check(vm, fp, pc, name), pc, fp, vm);
        let value = tri!(named_value(vm, fp, lits, pc, name), pc, fp, vm);
        tri!(arg_named(vm, Frame::slot(fp, (*pc).b()), name, value), pc, fp, vm);
        next!(pc, fp, vm, lits, 2)
    }

    ArgNamedVar(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let name = *lits.add((*pc.add(1)).0 as usize);
        tri!(named_check(vm, fp, pc, name), pc, fp, vm);
        let by_ref = named_is_by_ref(&*(*nf).func, &Value::from_raw_borrowed(name));
        let value = tri!(arg_place(vm, fp, by_ref, (*pc).c()), pc, fp, vm);
        tri!(arg_named(vm, Frame::slot(fp, (*pc).b()), name, value), pc, fp, vm);
        next!(pc, fp, vm, lits, 2)
    }

    ArgSpread(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let c = (*pc).c();
        if (*(*nf).func).by_ref != 0 && c & jumbo_bytecode::LITERAL == 0 && !operand::is_temp(fp, c) {
            reference_elements((*nf).func, Frame::slot(fp, (*pc).b()), Frame::slot(fp, c));
        }
        tri!(arg_spread(vm, nf, Frame::slot(fp, (*pc).b()), operand::take_value(vm, fp, lits, c)), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    JmpPassed(pc, fp, vm, lits) {
        if (*Frame::slot(fp, (*pc).a())).tag != tag::UNDEF {
            crate::jump!(pc, fp, vm, lits, (*pc.add(1)).0 as u32 as i32)
        }
        next!(pc, fp, vm, lits, 2)
    }

    VerifyParam(pc, fp, vm, lits) {
        save(vm, fp, pc);
        tri!(types::check_param(vm, fp, (*pc).b() as usize, Frame::slot(fp, (*pc).a())), pc, fp, vm);
        next!(pc, fp, vm, lits, 1)
    }

    VerifyReturn(pc, fp, vm, lits) {
        let (a, kinds) = ((*pc).a(), (*pc).b());
        if a != NONE && u32::from(kinds).wrapping_shr((*Frame::slot(fp, a)).kind_byte().into()) & 1 != 0 {
            next!(pc, fp, vm, lits, 1)
        }
        return verify_return(pc, fp, vm, lits);
    }

    VerifyNever(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let stop = never_returned(vm, fp);
        return crate::unwind::unwind(stop, pc, fp, vm);
    }

    Return(pc, fp, vm, lits) {
        let cvs = (*(*fp).func).first_temp - FRAME_HEADER;
        return plain_return::<true>(pc, fp, vm, lits, *operand::peek(fp, lits, (*pc).a()), cvs);
    }

    ReturnReg(pc, fp, vm, lits) {
        return plain_return::<false>(pc, fp, vm, lits, Frame::load(Frame::slot(fp, (*pc).a())), (*pc).b());
    }

    ReturnLit(pc, fp, vm, lits) {
        return plain_return::<false>(pc, fp, vm, lits, *lits.add(((*pc).a() & !jumbo_bytecode::LITERAL) as usize), (*pc).b());
    }

    ReturnMethodReg(pc, fp, vm, lits) {
        return plain_return::<true>(pc, fp, vm, lits, Frame::load(Frame::slot(fp, (*pc).a())), (*pc).b());
    }

    ReturnMethodLit(pc, fp, vm, lits) {
        return plain_return::<true>(pc, fp, vm, lits, *lits.add(((*pc).a() & !jumbo_bytecode::LITERAL) as usize), (*pc).b());
    }

    ReturnRef(pc, fp, vm, lits) {
        save(vm, fp, pc);
        let mut value = tri!(return_ref(vm, fp, lits, pc), pc, fp, vm);
        if is_result_unused(fp) {
            std::mem::replace(&mut value, Raw::NULL).release();
        }
        return do_return(pc, fp, vm, value);
    }
}

/// VerifyReturn of what is not of the kinds that the type takes in any case.
#[inline(never)]
unsafe fn verify_return(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let (a, variable) = ((*pc).a(), (*pc).c());
        let fits = a != NONE
            && (*(*fp).func).proto_unchecked().return_type.as_ref().is_some_and(|ty| types::plainly_fits(vm, ty, *Frame::slot(fp, a)));
        if !fits {
            save(vm, fp, pc);
            tri!(types::check_return(vm, fp, Frame::slot(fp, a)), pc, fp, vm);
        }
        if variable != NONE && (*Frame::slot(fp, variable)).is_undef() {
            // What the check has read, the return reads again.
            save(vm, fp, pc);
            tri!(operand::undefined(vm, fp, variable), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 1)
    }
}

#[inline(always)]
pub(crate) unsafe fn save(vm: *mut Vm, fp: *mut Frame, pc: *const Insn) {
    // SAFETY: the machine is live.
    unsafe {
        (*vm).pc = pc;
        (*vm).fp = fp;
    }
}

/// Fills the header parts of a prepared frame that Call does not write.
#[inline(always)]
pub(crate) unsafe fn init(nf: *mut Frame, func: FnPtr) {
    // SAFETY: `nf` is in the caller's temporaries.
    unsafe {
        (*nf).prepare(func, ptr::null_mut(), ptr::null());
    }
}

/// InitMethod and InitMethodThis whose cache is for another class, which was met here before.
#[inline(never)]
unsafe fn method_of_other_class(fp: *mut Frame, lits: *const Raw, pc: *const Insn, nf: *mut Frame) -> bool {
    // SAFETY: as the handlers.
    unsafe {
        let on_this = (*pc).op() == jumbo_bytecode::Op::InitMethodThis;
        let b = if on_this { THIS } else { (*pc).b() };
        let object = operand::object(fp, lits, b);
        if object.is_null() {
            return false;
        }
        let index = if on_this || (*pc).c() & jumbo_bytecode::LITERAL != 0 {
            match crate::sites::find(pc.add(1), (*object).class_id) {
                0 => return false,
                cache => cache as u32,
            }
        } else {
            let name = (*Frame::slot(fp, (*pc).c())).deref();
            if !name.is_string() || operand::is_temp(fp, (*pc).c()) {
                return false;
            }
            match crate::sites::find_named(pc, (*object).class_id, name.as_str()) {
                None => return false,
                Some(index) => index,
            }
        };
        let class = (*object).class.cast::<jumbo_abi::Class>();
        let method = method_at(class, index);
        init_on_object(nf, method, operand::take_object_of(fp, b, object), class);
        true
    }
}

/// InitMethod, when the cache has answered, for an object in a temporary or a static method.
#[inline(never)]
unsafe fn init_method_of_temporary(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let b = (*pc).b();
        let object = operand::object(fp, lits, b);
        let class = (*object).class.cast::<jumbo_abi::Class>();
        let method = method_at(class, (*pc.add(1)).0 as u32);
        init_on_object(nf, method, operand::take_object(fp, b, object), class);
        if jumbo_value::Heap::current_has_dying() {
            save(vm, fp, pc);
            tri!(destruct_object_of_static(vm, nf), pc, fp, vm);
        }
        next!(pc, fp, vm, lits, 2)
    }
}

/// A static method was called on an object that nobody else has: it ends before the arguments are evaluated.
#[cold]
#[inline(never)]
unsafe fn destruct_object_of_static(vm: *mut Vm, nf: *mut Frame) -> Res<()> {
    // SAFETY: the frame is prepared, without arguments; it is not alive yet when a destructor throws.
    unsafe {
        let result = crate::objects::run_destructors(Vm::cx(vm));
        if result.is_err() {
            release_prepared(nf, 0);
        }
        result
    }
}

/// As [`init`], for an instance method on an object whose count the frame takes over.
#[inline(always)]
unsafe fn init_on_this(nf: *mut Frame, func: FnPtr, object: *mut jumbo_value::ObjHeader, class: *const jumbo_abi::Class) {
    // SAFETY: `nf` is in the caller's temporaries.
    unsafe {
        (*nf).prepare(func, object, class);
    }
}

/// As [`init_on_this`], for any method.
#[inline(always)]
pub(crate) unsafe fn init_on_object(nf: *mut Frame, func: FnPtr, object: *mut jumbo_value::ObjHeader, class: *const jumbo_abi::Class) {
    // SAFETY: as above.
    unsafe {
        init_on_this(nf, func, object, class);
        if (*func.as_ptr()).flags & func_flags::STATIC != 0 {
            (*nf).this = ptr::null_mut();
            drop(PObject::from_ptr(object));
        }
    }
}

#[cold]
#[inline(never)]
unsafe fn init_named_slow(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, nf: *mut Frame, handles: u64) -> Res<()> {
    // SAFETY: the machine is live.
    unsafe {
        save(vm, fp, pc);
        let cx = Vm::cx(vm);
        let fallback = (handles >> 32) as u32;
        if fallback != u32::MAX
            && let Some(f) = cx.functions.get(fallback)
        {
            init(nf, *f);
            return Ok(());
        }
        let name = Value::from_raw_borrowed(*(*(*fp).func).literals.add((*pc).b() as usize));
        let name = name.as_str().map_or(&b""[..], |s| s.as_bytes());
        Err(cx.throw_error([b"Call to undefined function ".as_slice(), name, b"()"].concat()))
    }
}

#[cold]
#[inline(never)]
unsafe fn arg_var_slow(vm: *mut Vm, fp: *mut Frame, nf: *mut Frame, n: u16, register: u16, to: *mut Raw) -> Res<()> {
    // SAFETY: as the handler; the arguments before this one are in place.
    unsafe {
        let from = Frame::slot(fp, register);
        let func = (*nf).func;
        if (*func).by_ref != 0
            && (*from).is_undef()
            && let Some(first) = value_for_reference(nf, n)
        {
            // The call would have refused that one; here comes what would be seen before: a warning, or a variable that is null from now on.
            return Err(not_by_reference(vm, func, first));
        }
        if (*func).is_by_ref(n as u32) {
            *to = operand::make_ref(from);
            return Ok(());
        }
        *to = operand::copy_checked(vm, fp, register)?;
        Ok(())
    }
}

#[cold]
#[inline(never)]
unsafe fn arg_call_slow(vm: *mut Vm, func: *const Function, n: u16, to: *mut Raw) -> Res<()> {
    // SAFETY: as the handler.
    unsafe {
        if (*func).is_by_ref(n as u32) {
            if (*to).tag == tag::REF {
                return Ok(());
            }
            *to = PRef::new(Value::from_raw(*to)).into_raw();
            if prefers_ref(func, n) {
                return Ok(());
            }
            return Vm::cx(vm).raise(Level::Notice, b"Only variables should be passed by reference");
        }
        let value = Value::from_raw(*to);
        *to = value.copy_deref().into_raw();
        Ok(())
    }
}

#[inline(never)]
pub(crate) unsafe fn prefers_ref(func: *const Function, n: u16) -> bool {
    // SAFETY: a frame's function is live.
    unsafe {
        (*func).desc().is_some_and(|d| d.params.get(n as usize).or(d.params.last()).is_some_and(|p| p.prefer_ref))
    }
}

#[cold]
#[inline(never)]
unsafe fn arg_val_check(vm: *mut Vm, nf: *mut Frame, n: u16) -> Res<()> {
    // SAFETY: as the handler; the arguments before this one are in place.
    unsafe {
        let func = (*nf).func;
        if !(*func).is_by_ref(n as u32) || prefers_ref(func, n) {
            return Ok(());
        }
        // An earlier one that the call would have refused is told of instead.
        let first = value_for_reference(nf, n).unwrap_or(n);
        Err(not_by_reference(vm, func, first))
    }
}

/// The first one of `count` arguments in the slots of a prepared frame that is a plain value for a parameter by reference.
#[cold]
#[inline(never)]
unsafe fn value_for_reference(nf: *mut Frame, count: u16) -> Option<u16> {
    // SAFETY: the arguments are in place; whoever passes a variable to such a parameter made a reference of it.
    unsafe {
        let func = (*nf).func;
        (0..count)
            .find(|&n| (*func).is_by_ref(n as u32) && (*Frame::cv(nf, n as usize)).tag != tag::REF && !prefers_ref(func, n))
    }
}

/// ` ($name)` of parameter `n`, which the arguments that a variadic one collects have not.
fn shown_param(func: &Function, n: usize) -> Vec<u8> {
    let collected = func.is(func_flags::VARIADIC) && n as u32 >= func.params;
    match func.param_name(n) {
        [] => Vec::new(),
        _ if collected => Vec::new(),
        name => [b" ($".as_slice(), name, b")"].concat(),
    }
}

/// `f(): Argument #1 ($x) could not be passed by reference`
#[cold]
#[inline(never)]
unsafe fn not_by_reference(vm: *mut Vm, func: *const Function, n: u16) -> jumbo_abi::Stop {
    // SAFETY: as the handlers.
    unsafe {
        let mut text = (*func).display_name();
        text.extend_from_slice(format!("(): Argument #{}", n + 1).as_bytes());
        text.extend_from_slice(&shown_param(&*func, n as usize));
        text.extend_from_slice(b" could not be passed by reference");
        Vm::cx(vm).throw_error(text)
    }
}

/// A value handed to a parameter by reference: a warning, and a reference that nobody else has.
#[cold]
#[inline(never)]
unsafe fn arg_user_check(vm: *mut Vm, func: *const Function, n: u16, slot: *mut Raw) -> Res<()> {
    // SAFETY: as the handler. Until the warning is over the value is held here.
    unsafe {
        if !(*func).is_by_ref(n as u32) || prefers_ref(func, n) {
            return Ok(());
        }
        let reference = Value::from(PRef::new(Value::from_raw(*slot)));
        (*slot).tag = tag::NULL;
        must_be_reference(vm, func, n)?;
        *slot = reference.into_raw();
        Ok(())
    }
}

/// Warning: `f(): Argument #1 ($x) must be passed by reference, value given`
#[cold]
#[inline(never)]
pub(crate) unsafe fn must_be_reference(vm: *mut Vm, func: *const Function, n: u16) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let mut text = (*func).display_name();
        text.extend_from_slice(format!("(): Argument #{}", n as u32 + 1).as_bytes());
        text.extend_from_slice(&shown_param(&*func, n as usize));
        text.extend_from_slice(b" must be passed by reference, value given");
        Vm::cx(vm).raise(Level::Warning, &text)
    }
}

/// The arguments of `call_user_func_array`, placed.
#[inline(never)]
unsafe fn place_user_args(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, o: u16, nf: *mut Frame) -> Res<*mut Frame> {
    // SAFETY: as the handlers; on an error the frame is released.
    unsafe {
        let args = match operand::take_value(vm, fp, lits, o) {
            Ok(args) => args,
            Err(stop) => {
                drop_frame_parts(nf);
                return Err(stop);
            }
        };
        let Some(array) = args.as_array() else {
            drop_frame_parts(nf);
            let given = jumbo_abi::args::type_name(&args);
            let text = [b"call_user_func_array(): Argument #2 ($args) must be of type array, ".as_slice(), &given, b" given"].concat();
            return Err(Vm::cx(vm).type_error(text));
        };
        let func = (*nf).func;
        if (*nf).flags & flags::MAGIC == 0
            && let Err(stop) = warn_of_values(vm, func, array)
        {
            drop_frame_parts(nf);
            return Err(stop);
        }
        place_array_args(vm, nf, args)
    }
}

/// Values that an array of arguments, named ones too, hands to parameters by reference: they are made references that nobody sees, with a
/// warning.
///
/// # Safety
/// The machine and the function are live; the array is held.
pub(crate) unsafe fn warn_of_values(vm: *mut Vm, func: *const Function, array: &PArray) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        if (*func).by_ref == 0 {
            return Ok(());
        }
        let mut next = 0u32;
        for (key, value) in array {
            let position = match key {
                jumbo_value::KeyRef::Str(name) => named_ref_position(&*func, &Value::from(name)),
                jumbo_value::KeyRef::Int(_) => {
                    next = next.saturating_add(1);
                    Some(next - 1).filter(|&n| (*func).is_by_ref(n))
                }
            };
            if let Some(n) = position.and_then(|n| u16::try_from(n).ok())
                && value.as_ref().is_none()
                && !prefers_ref(func, n)
            {
                must_be_reference(vm, func, n)?;
            }
        }
        Ok(())
    }
}

/// The plain way into a function whose parameters have types.
#[inline(never)]
unsafe fn call_typed(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, nf: *mut Frame) -> *const Insn {
    // SAFETY: as the Call handler, which has looked at the rest.
    unsafe {
        let func = &*(*nf).func;
        if !plainly_typed(vm, func, nf) {
            return call_slow(pc, fp, vm, nf);
        }
        enter_plainly(vm, nf, func, args_end((*nf).nargs))
    }
}

/// Does the frame fit into what the stack has already?
#[inline(always)]
unsafe fn has_room(vm: *mut Vm, nf: *mut Frame, func: &Function) -> bool {
    // SAFETY: only numbers are looked at.
    unsafe { (nf as usize).wrapping_sub((*vm).stack_base) + (func.entry.frame_end as usize) < (*vm).stack_charged }
}

/// A Call of what has parameters with types or defaults that take the arguments as they are; the rest is [`call_with_care`]'s.
#[inline(never)]
unsafe fn call_by_kinds(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, nf: *mut Frame) -> *const Insn {
    // SAFETY: as the Call handler.
    unsafe {
        let func = &*(*nf).func;
        let nargs = (*nf).nargs;
        if nargs.wrapping_sub(func.entry.least_args) > func.entry.more_args {
            return call_with_care(pc, fp, vm, nf);
        }
        if (*nf).flags & flags::MAGIC != 0 || !has_room(vm, nf, func) || super::jumps::is_interrupted(vm) {
            return call_with_care(pc, fp, vm, nf);
        }
        let (mut kinds, mut argument) = (func.entry.kinds, Frame::cv(nf, 0));
        let end = argument.add(nargs as usize);
        while argument < end {
            if kinds.wrapping_shr((*argument).kind_byte().into()) & 1 == 0 {
                return call_typed(pc, fp, vm, nf);
            }
            kinds >>= Entry::KIND_BITS;
            argument = argument.add(1);
        }
        enter_plainly(vm, nf, func, args_end(nargs))
    }
}

/// A Call of what has parameters with types or defaults, or of a builtin; the rest is a safepoint and [`call_slow`]'s.
#[inline(never)]
unsafe fn call_with_care(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, nf: *mut Frame) -> *const Insn {
    // SAFETY: as the Call handler.
    unsafe {
        let (func, nargs) = (&*(*nf).func, (*nf).nargs);
        let is_magic = (*nf).flags & flags::MAGIC != 0;
        if takes_plainly(func, nargs) && !is_magic && has_room(vm, nf, func) && !super::jumps::is_interrupted(vm) {
            if func.flags & func_flags::CLOSURE == 0 {
                if func.flags & func_flags::TYPED_PARAMS != 0 {
                    return call_typed(pc, fp, vm, nf);
                }
                return enter_plainly(vm, nf, func, args_end(nargs));
            }
            if is_plainly_entered(vm, nf) {
                return enter_closure(vm, nf);
            }
        } else if func.flags & func_flags::BUILTIN != 0 && !is_magic && func.by_ref == 0 {
            return call_builtin_apart(pc, fp, vm, nf);
        } else if collects_plainly(func, nf) && !is_magic && has_room(vm, nf, func) && !super::jumps::is_interrupted(vm) {
            if collected_fits(vm, func, nf) {
                return enter_variadic(vm, nf);
            }
        } else if takes_references(func, nf) && !is_magic && has_room(vm, nf, func) && !super::jumps::is_interrupted(vm) && plainly_typed(vm, func, nf) {
            return enter_plainly(vm, nf, func, args_end(nargs));
        }
        call_at_safepoint(pc, fp, vm, nf)
    }
}

/// The plain way into a closure.
#[inline(never)]
unsafe fn enter_closure(vm: *mut Vm, nf: *mut Frame) -> *const Insn {
    // SAFETY: as the Call handler, which has looked at the rest.
    unsafe {
        set_variables(nf, (*nf).nargs);
        let func = &*(*nf).func;
        (*vm).fp = nf;
        crate::dispatch::dispatch(func.code, nf, vm, func.literals)
    }
}

/// Where the slots of `nargs` arguments end, in bytes from the start of the frame.
#[inline(always)]
fn args_end(nargs: u32) -> u32 {
    (FRAME_HEADER as u32 + nargs) * size_of::<Raw>() as u32
}

/// Runs a PHP function whose arguments are in place: the variables from byte `undefined` of the frame on are undefined.
#[inline(always)]
unsafe fn enter_plainly(vm: *mut Vm, nf: *mut Frame, func: &Function, undefined: u32) -> *const Insn {
    // SAFETY: as the Call handler, which has looked at the rest.
    unsafe {
        undefine(nf, func, undefined);
        (*vm).fp = nf;
        crate::dispatch::dispatch(func.code, nf, vm, func.literals)
    }
}

/// Does the PHP function take so many arguments as they are: all by value, none missing, none too many?
#[inline(always)]
fn takes_plainly(func: &Function, nargs: u32) -> bool {
    func.flags & (Entry::NOT_PLAIN & !func_flags::CLOSURE) == 0 && nargs <= func.params && nargs >= func.required
}

/// As [`takes_plainly`], for a variadic function.
#[inline(always)]
unsafe fn collects_plainly(func: &Function, nf: *mut Frame) -> bool {
    // SAFETY: a prepared frame.
    unsafe {
        func.flags & Entry::NOT_PLAIN == func_flags::VARIADIC && (*nf).nargs >= func.required && !(*nf).has_extra()
    }
}

/// Do all arguments of a variadic function fit as they are?
#[inline(never)]
unsafe fn collected_fits(vm: *mut Vm, func: &Function, nf: *mut Frame) -> bool {
    // SAFETY: a prepared frame of a PHP function, with its arguments in place.
    unsafe {
        let params = &func.proto_unchecked().params;
        (0..(*nf).nargs as usize).all(|n| {
            let value = *Frame::cv(nf, n);
            let ty = params.get(n.min(func.params as usize)).and_then(|param| param.ty.as_ref());
            value.tag != tag::REF && ty.is_none_or(|ty| types::plainly_fits(vm, ty, value))
        })
    }
}

/// The plain way into a variadic function.
#[inline(never)]
unsafe fn enter_variadic(vm: *mut Vm, nf: *mut Frame) -> *const Insn {
    // SAFETY: as the Call handler, which has looked at the rest.
    unsafe {
        collect(nf);
        let func = &*(*nf).func;
        (*vm).fp = nf;
        crate::dispatch::dispatch(func.code, nf, vm, func.literals)
    }
}

/// The last parameter of a variadic function collects what is beyond the declared ones; the other variables are undefined.
#[inline(never)]
unsafe fn collect(nf: *mut Frame) {
    // SAFETY: as the Call handler; the arguments move into the array.
    unsafe {
        let func = &*(*nf).func;
        let (nargs, params) = ((*nf).nargs, func.params);
        let collecting = Frame::cv(nf, params as usize);
        let is_any = nargs > params;
        let array = if is_any { PArray::from_raw_slots(std::slice::from_raw_parts(collecting, (nargs - params) as usize)) } else { PArray::new() };
        undefine(nf, func, args_end(if is_any { params } else { nargs }));
        if func.flags & func_flags::VARIADIC_WRITTEN != 0 {
            remember_collected(nf, &array);
        }
        *collecting = array.into_raw();
    }
}

/// Arguments stay what they were, and as long as the call lasts, also when the variable that has them is written.
#[inline(never)]
unsafe fn remember_collected(nf: *mut Frame, array: &PArray) {
    // SAFETY: the frame is live.
    unsafe { (*nf).extra_mut().named = Some(array.clone()) };
}

/// As [`takes_plainly`], for a function with parameters by reference, which have their references.
#[inline(never)]
unsafe fn takes_references(func: &Function, nf: *mut Frame) -> bool {
    // SAFETY: a prepared frame with its arguments in place.
    unsafe {
        let nargs = (*nf).nargs;
        let is_plain = func.flags & (Entry::NOT_PLAIN & !func_flags::BY_REF_PARAMS) == 0 && nargs <= func.params && nargs >= func.required;
        is_plain && (0..nargs).all(|n| ((*Frame::cv(nf, n as usize)).tag == tag::REF) == func.is_by_ref(n))
    }
}

/// Can native code call the function with so many arguments in a frame at `nf` without more ado: are they taken plainly, is there room, does
/// nothing ask for a safepoint?
///
/// # Safety
/// The machine is live.
#[inline]
pub(crate) unsafe fn is_plain_callback(vm: *mut Vm, nf: *mut Frame, func: FnPtr, nargs: u32) -> bool {
    // SAFETY: as promised.
    unsafe {
        let func = &*func.as_ptr();
        takes_plainly(func, nargs) && has_room(vm, nf, func) && !super::jumps::is_interrupted(vm)
    }
}

/// Is there nothing to convert before the frame can run?
///
/// # Safety
/// A prepared frame of a PHP function, with its arguments in place.
#[inline]
pub(crate) unsafe fn is_plainly_entered(vm: *mut Vm, nf: *mut Frame) -> bool {
    // SAFETY: as promised.
    unsafe {
        let func = &*(*nf).func;
        func.flags & func_flags::TYPED_PARAMS == 0 || plainly_typed(vm, func, nf)
    }
}

/// Makes the variables behind the arguments undefined, and gives a closure what it has captured.
///
/// # Safety
/// As [`is_plainly_entered`].
#[inline]
pub(crate) unsafe fn set_variables(nf: *mut Frame, nargs: u32) {
    // SAFETY: as promised.
    unsafe {
        let func = &*(*nf).func;
        undefine(nf, func, args_end(nargs));
        if func.flags & func_flags::CLOSURE != 0 {
            crate::closure::bind_captured(nf);
        }
    }
}

/// The variables from byte `from` of the frame on become undefined.
#[inline(always)]
unsafe fn undefine(nf: *mut Frame, func: &Function, from: u32) {
    // SAFETY: the slots are the frame's.
    unsafe {
        let mut cv = nf.byte_add(from as usize).cast::<Raw>();
        let stop = nf.byte_add(func.entry.cvs_end as usize).cast::<Raw>();
        while cv < stop {
            (*cv).tag = tag::UNDEF;
            cv = cv.add(1);
        }
    }
}

/// Do the arguments fit as they are? Nothing is converted, nothing is loaded.
#[inline]
unsafe fn plainly_typed(vm: *mut Vm, func: &Function, nf: *mut Frame) -> bool {
    // SAFETY: a prepared frame of a PHP function, with its arguments in place.
    unsafe {
        let params = &func.proto_unchecked().params;
        for (n, param) in params.iter().enumerate().take((*nf).nargs as usize) {
            let Some(ty) = &param.ty else { continue };
            if types::plainly_fits(vm, ty, (*Frame::cv(nf, n)).deref()) {
                continue;
            }
            return false;
        }
        true
    }
}

/// A call is a safepoint. The prepared frame lies in the caller's temporaries: what runs now has its frames behind it.
#[inline(never)]
unsafe fn call_at_safepoint(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, nf: *mut Frame) -> *const Insn {
    // SAFETY: as the Call handler.
    unsafe {
        if super::jumps::is_interrupted(vm) {
            save(vm, fp, pc);
            if let Err(stop) = super::jumps::interrupted(vm) {
                release_prepared(nf, (*nf).nargs);
                return crate::unwind::unwind(stop, pc, fp, vm);
            }
        }
        call_slow(pc, fp, vm, nf)
    }
}

/// What a function of type `never` throws that comes to its end.
#[cold]
#[inline(never)]
unsafe fn never_returned(vm: *mut Vm, fp: *mut Frame) -> jumbo_abi::Stop {
    // SAFETY: as the handler.
    unsafe {
        let function = (*fp).function();
        let name = function.display_name();
        let word: &[u8] = if function.scope.is_some() { b"method" } else { b"function" };
        Vm::cx(vm).type_error([&name[..], b"(): never-returning ", word, b" must not implicitly return"].concat())
    }
}

#[cold]
#[inline(never)]
unsafe fn abstract_called(vm: *mut Vm, nf: *mut Frame) -> jumbo_abi::Stop {
    // SAFETY: as the Call handler.
    unsafe {
        let name = (*nf).function().display_name();
        Vm::cx(vm).throw_error([b"Cannot call abstract method ".as_slice(), &name, b"()"].concat())
    }
}

/// Everything but the plain way into a PHP function.
#[inline(never)]
unsafe fn call_slow(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, nf: *mut Frame) -> *const Insn {
    // SAFETY: as the Call handler.
    unsafe {
        save(vm, fp, pc);
        let func = (*nf).function();
        let mut nf = nf;
        if func.by_ref != 0
            && (*pc).op() == jumbo_bytecode::Op::Call
            && (*nf).flags & flags::MAGIC == 0
            && let Some(n) = value_for_reference(nf, (*nf).nargs.min(u16::MAX as u32) as u16)
        {
            let stop = not_by_reference(vm, func.as_ptr(), n);
            release_prepared(nf, (*nf).nargs);
            return crate::unwind::unwind(stop, pc, fp, vm);
        }
        if (*nf).flags & flags::MAGIC != 0 {
            // The name and the array need two slots, which a frame in a generator's memory may not have.
            match Vm::room(vm, nf, func.registers as usize) {
                Ok(true) => {}
                Ok(false) => nf = move_to_stack(vm, nf),
                Err(stop) => {
                    release_prepared(nf, (*nf).nargs);
                    return crate::unwind::unwind(stop, pc, fp, vm);
                }
            }
            repack_magic(nf);
        }
        if func.flags & func_flags::BUILTIN != 0 {
            return call_builtin(pc, fp, vm, nf, 1);
        }
        if func.code.is_null() {
            let stop = abstract_called(vm, nf);
            release_prepared(nf, (*nf).nargs);
            return crate::unwind::unwind(stop, pc, fp, vm);
        }
        match Vm::room(vm, nf, func.registers as usize) {
            Ok(true) => {}
            Ok(false) => nf = move_to_stack(vm, nf),
            Err(stop) => {
                release_prepared(nf, (*nf).nargs);
                return crate::unwind::unwind(stop, pc, fp, vm);
            }
        }
        if let Err(stop) = enter(vm, nf) {
            (*vm).fp = fp;
            return crate::unwind::unwind(stop, pc, fp, vm);
        }
        (*vm).fp = nf;
        crate::dispatch::dispatch(func.code, nf, vm, func.literals)
    }
}

/// The arguments of a call that goes through `__call` or `__callStatic` become the name and an array.
#[inline(never)]
unsafe fn repack_magic(nf: *mut Frame) {
    // SAFETY: a prepared frame with its arguments in place; the slots behind the header hold at least two values, since a frame has room for
    // its function's registers or is moved to where it has.
    unsafe {
        let Some(extra) = (*nf).extra_opt_mut() else { return };
        let name = extra.magic_name.clone().unwrap_or_default();
        let named = extra.named.take();
        let mut values = PArray::with_capacity((*nf).nargs as usize);
        for n in 0..(*nf).nargs as usize {
            // References are here only when `call_user_func_array` hands them on; `__call` may do the same.
            values.append(Value::from_raw(*Frame::cv(nf, n)));
        }
        if let Some(named) = named {
            for (k, v) in &named {
                values.set(k.to_key(), v.clone());
            }
        }
        *Frame::cv(nf, 0) = name.into_raw();
        *Frame::cv(nf, 1) = values.into_raw();
        (*nf).nargs = 2;
        (*nf).flags &= !flags::MAGIC;
    }
}

/// A frame prepared in a generator's own memory moves to the stack, where it has room.
#[inline(never)]
unsafe fn move_to_stack(vm: *mut Vm, nf: *mut Frame) -> *mut Frame {
    // SAFETY: header and arguments are copied bit by bit; the old place is not used any more.
    unsafe {
        let to = Vm::top(vm);
        ptr::copy_nonoverlapping(nf.cast::<Raw>(), to.cast::<Raw>(), FRAME_HEADER as usize + (*nf).nargs as usize);
        to
    }
}

/// Makes a prepared frame ready to run its code: argument count and types, extra arguments, unset variables, captured ones.
/// On an error the frame is released.
///
/// # Safety
/// `nf` has its header and `nargs` arguments, and room for its function's registers; `vm.fp` is the caller.
pub unsafe fn enter(vm: *mut Vm, nf: *mut Frame) -> Res<()> {
    // SAFETY: as promised.
    unsafe {
        let func = (*nf).function();
        let nargs = (*nf).nargs;
        let variadic = func.flags & func_flags::VARIADIC != 0;
        if nargs > func.params {
            let surplus = (func.params..nargs).map(|n| Value::from_raw(*Frame::cv(nf, n as usize)));
            if variadic && func.is_by_ref(func.params) {
                // The references stay arguments as well, as long as the call lasts.
                let references: Vec<Value> = surplus.map(|v| if v.is_ref() { v } else { Value::from(PRef::new(v)) }).collect();
                *Frame::cv(nf, func.params as usize) = PArray::from_values(references.iter().cloned()).into_raw();
                (*nf).extra_mut().args = references;
            } else if variadic {
                *Frame::cv(nf, func.params as usize) = PArray::from_values(surplus.map(Value::into_deref)).into_raw();
            } else {
                (*nf).extra_mut().args = surplus.collect();
            }
        }
        let first_unset = if variadic && nargs > func.params { func.params + 1 } else { nargs.min(func.params) };
        let stop = Frame::slot(nf, func.first_temp);
        let mut cv = Frame::cv(nf, first_unset as usize);
        while cv < stop {
            (*cv).tag = tag::UNDEF;
            cv = cv.add(1);
        }
        if variadic && nargs <= func.params {
            *Frame::cv(nf, func.params as usize) = PArray::new().into_raw();
        }
        if variadic && let Some(named) = (*nf).extra_opt_mut().and_then(|e| e.named.take()) {
            let slot = Frame::cv(nf, func.params as usize);
            let mut all = Value::from_raw(*slot).as_array().cloned().unwrap_or_default();
            for (k, v) in &named {
                let mut v = v.clone();
                if func.is_by_ref(func.params) {
                    if v.as_ref().is_none() {
                        v = Value::from(PRef::new(v));
                    }
                    (*nf).extra_mut().args.push(v.clone());
                }
                all.set(k.to_key(), v);
            }
            *slot = all.into_raw();
        }
        if nargs < func.required && (0..func.required).any(|n| (*Frame::cv(nf, n as usize)).tag == tag::UNDEF) {
            // Arguments that were passed are looked at first.
            let stop = match func.flags & func_flags::TYPED_PARAMS != 0 {
                true => types::check_args(vm, nf).err(),
                false => None,
            };
            let stop = stop.unwrap_or_else(|| too_few(vm, nf));
            release_entered(vm, nf);
            return Err(stop);
        }
        if func.flags & func_flags::CLOSURE != 0 {
            crate::closure::bind_captured(nf);
        }
        if func.flags & func_flags::TYPED_PARAMS != 0
            && let Err(stop) = types::check_args(vm, nf)
        {
            release_entered(vm, nf);
            return Err(stop);
        }
        if func.flags & func_flags::VARIADIC_WRITTEN != 0 {
            remember_collected(nf, &(*Frame::cv(nf, func.params as usize)).as_value().as_array().cloned().unwrap_or_default());
        }
        if func.flags & func_flags::DEPRECATED != 0
            && let Err(stop) = crate::attributes::raise_deprecated(vm, nf)
        {
            release_entered(vm, nf);
            return Err(stop);
        }
        Ok(())
    }
}

/// The error is raised in the callee's frame, so that its trace shows the call.
#[cold]
unsafe fn too_few(vm: *mut Vm, nf: *mut Frame) -> jumbo_abi::Stop {
    // SAFETY: as `enter`.
    unsafe {
        let func = (*nf).function();
        let mut text = b"Too few arguments to function ".to_vec();
        text.extend_from_slice(&func.display_name());
        text.extend_from_slice(format!("(), {} passed", (*nf).nargs).as_bytes());
        if let Some((file, line)) = crate::types::caller_place(vm, nf) {
            text.extend_from_slice(b" in ");
            text.extend_from_slice(file.as_bytes());
            text.extend_from_slice(format!(" on line {line}").as_bytes());
        }
        // A variadic parameter is not among those that may be left out.
        text.extend_from_slice(if func.params > func.required { b" and at least ".as_slice() } else { b" and exactly " });
        text.extend_from_slice(format!("{} expected", func.required).as_bytes());
        crate::types::throw_in_callee(vm, nf, "ArgumentCountError", &text)
    }
}

/// Releases a frame that was entered but whose code never ran.
#[inline(never)]
unsafe fn release_entered(vm: *mut Vm, nf: *mut Frame) {
    // SAFETY: CVs are initialised.
    unsafe {
        let caller = (*vm).fp;
        let func = (*nf).function();
        for n in 0..(func.first_temp - FRAME_HEADER) as usize {
            (*Frame::cv(nf, n)).release();
        }
        drop_frame_parts(nf);
        (*vm).fp = caller;
    }
}

/// Releases a frame between Init and Call with `n` arguments in place.
pub unsafe fn release_prepared(nf: *mut Frame, n: u32) {
    // SAFETY: as said.
    unsafe {
        for i in 0..n as usize {
            (*Frame::cv(nf, i)).release();
        }
        drop_frame_parts(nf);
    }
}

/// Releases what a frame's header owns.
pub unsafe fn drop_frame_parts(nf: *mut Frame) {
    // SAFETY: the frame is at its end.
    unsafe {
        if !(*nf).this.is_null() {
            drop(PObject::from_ptr((*nf).this));
            (*nf).this = ptr::null_mut();
        }
        if (*nf).has_extra() {
            (*nf).drop_extra();
        }
    }
}

/// Gives the caller the result of its call at `call`. False: nobody wanted it, and its destructor threw (`vm.stop` is set).
#[inline(always)]
unsafe fn store_result(vm: *mut Vm, call: *const Insn, fp: *mut Frame, result: u32, value: Raw) -> bool {
    // SAFETY: the register is one of the caller's temporaries, empty now.
    unsafe {
        if result != NONE as u32 {
            *Frame::slot(fp, result as u16) = value;
            return true;
        }
        if !value.is_counted() {
            return true;
        }
        discard_result(vm, call, fp, value)
    }
}

/// Releases the result of a call that is not used.
#[inline(never)]
unsafe fn discard_result(vm: *mut Vm, call: *const Insn, fp: *mut Frame, value: Raw) -> bool {
    // SAFETY: as `store_result`.
    unsafe {
        save(vm, fp, call);
        match super::moves::release_checked(vm, value) {
            Ok(()) => true,
            Err(stop) => {
                (*vm).stop = Some(stop);
                false
            }
        }
    }
}

/// Calls a builtin in place and goes on behind the call, `words` further.
#[inline(always)]
unsafe fn call_builtin(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, nf: *mut Frame, words: usize) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        (*vm).pc = pc;
        let is_done = if is_plain_builtin_call(nf) { call_plain_builtin(vm, fp, nf) } else { call_builtin_inner(vm, fp, nf) };
        if !is_done {
            return crate::unwind::unwind_pending(pc, fp, vm);
        }
        crate::dispatch::dispatch(pc.add(words), fp, vm, (*(*fp).func).literals)
    }
}

/// [`call_builtin`] behind a Call, apart from its handler: that one is a leaf function for the sake of PHP functions.
#[inline(never)]
unsafe fn call_builtin_apart(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, nf: *mut Frame) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe { call_builtin(pc, fp, vm, nf, 1) }
}

/// A builtin of a frame that [`is_plain_builtin_call`]. False: `vm.stop` says why.
#[inline(never)]
unsafe fn call_plain_builtin(vm: *mut Vm, fp: *mut Frame, nf: *mut Frame) -> bool {
    // SAFETY: as the handlers.
    unsafe {
        let answer = run_plain_builtin(vm, nf);
        finish_builtin(vm, fp, nf, answer)
    }
}

#[inline(never)]
unsafe fn call_builtin_inner(vm: *mut Vm, fp: *mut Frame, nf: *mut Frame) -> bool {
    // SAFETY: as the handlers.
    unsafe {
        let answer = run_builtin(vm, nf);
        finish_builtin(vm, fp, nf, answer)
    }
}

/// Goes back to the caller of a builtin, with what it answered.
#[inline(always)]
unsafe fn finish_builtin(vm: *mut Vm, fp: *mut Frame, nf: *mut Frame, answer: Res<Value>) -> bool {
    // SAFETY: as the handlers.
    unsafe {
        let result = (*nf).result;
        (*vm).fp = fp;
        match answer {
            Ok(value) => {
                // A builtin may hand out a reference only to a caller that wants one.
                let raw = if value.as_ref().is_some() && (*nf).flags & flags::WANTS_REF == 0 { value.into_deref() } else { value };
                store_result(vm, (*nf).call_pc, fp, result, raw.into_raw())
            }
            Err(stop) => {
                (*vm).stop = Some(stop);
                false
            }
        }
    }
}

/// Are the first `nargs` parameters all by value?
#[inline(always)]
fn takes_values(func: &Function, nargs: u32) -> bool {
    func.by_ref == 0 || nargs < 64 && func.by_ref & ((1 << nargs) - 1) == 0
}

/// Is there nothing to be looked at before the builtin runs: by-value parameters, a fitting number of arguments, no object?
#[inline(always)]
unsafe fn is_plain_builtin_call(nf: *mut Frame) -> bool {
    // SAFETY: a prepared frame.
    unsafe {
        let (func, nargs) = (&*(*nf).func, (*nf).nargs);
        (*nf).flags == 0
            && (*nf).this.is_null()
            && takes_values(func, nargs)
            && func.flags & func_flags::DEPRECATED == 0
            && nargs >= func.required
            && (nargs <= func.params || func.flags & func_flags::VARIADIC != 0)
    }
}

/// [`run_builtin`] where [`is_plain_builtin_call`].
#[inline(always)]
unsafe fn run_plain_builtin(vm: *mut Vm, nf: *mut Frame) -> Res<Value> {
    // SAFETY: as `run_builtin`.
    unsafe {
        let desc = (*nf).function().desc().expect("a builtin function has a descriptor");
        let cx = Vm::cx(vm);
        (*vm).fp = nf;
        let args = std::slice::from_raw_parts_mut(Frame::cv(nf, 0).cast::<Value>(), (*nf).nargs as usize);
        let strict = crate::vm::caller_is_strict((*nf).prev);
        let mut call = jumbo_abi::Call { args, this: None, class: (*nf).static_class(), desc, strict };
        let answer = (desc.call)(cx, &mut call);
        for n in 0..(*nf).nargs as usize {
            (*Frame::cv(nf, n)).release();
        }
        if jumbo_value::Heap::current_has_dying() {
            destruct_after_builtin(vm, nf)?;
        }
        answer
    }
}

/// The end of a leaf with whose arguments something died, or whose result nobody wants.
#[cold]
#[inline(never)]
unsafe fn finish_leaf(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, value: Raw) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        save(vm, fp, pc);
        let value = value.into_value();
        if (*pc).c() == NONE {
            drop(value);
            return crate::objects::run_destructors(Vm::cx(vm));
        }
        crate::objects::run_destructors(Vm::cx(vm))?;
        *Frame::slot(fp, (*pc).c()) = value.into_raw();
        Ok(())
    }
}

/// What died with the arguments and the result of a builtin is destructed where the call is, which is over: traces neither show it nor
/// look at its arguments.
#[cold]
#[inline(never)]
unsafe fn destruct_after_builtin(vm: *mut Vm, nf: *mut Frame) -> Res<()> {
    // SAFETY: the builtin's frame, whose arguments are released.
    unsafe {
        (*nf).nargs = 0;
        let caller = (*nf).prev;
        if !caller.is_null() && (*caller).is_user() {
            (*vm).fp = caller;
            (*vm).pc = (*nf).call_pc;
        }
        // A frame with arguments out of an array stands behind its caller's, where those of the destructors are built now.
        let header = ptr::read(nf);
        let result = crate::objects::run_destructors(Vm::cx(vm));
        ptr::write(nf, header);
        result
    }
}

/// Does the builtin work on its caller's variables or arguments, so that it can only be called by its name?
#[inline(never)]
fn looks_at_caller(desc: &jumbo_abi::FnDesc) -> bool {
    desc.effects & jumbo_abi::desc::effects::NEEDS_SYMBOLS != 0 || matches!(desc.name, "func_get_args" | "func_get_arg" | "func_num_args")
}

/// The arguments that are references to typed properties, with what they hold. Instead of arrays, which a builtin is to change in place,
/// empty ones.
#[inline(never)]
unsafe fn typed_arguments(nf: *mut Frame) -> Vec<(PRef, Value)> {
    // SAFETY: a prepared frame with its arguments in place.
    unsafe {
        let mut typed = Vec::new();
        for n in 0..(*nf).nargs as usize {
            let slot = Frame::cv(nf, n);
            if types::typed_reference(slot).is_none() {
                continue;
            }
            if let Some(reference) = (*slot).copied().into_value().as_ref() {
                let held = reference.get();
                let before = if held.is_array() { Value::from(PArray::new()) } else { held };
                typed.push((reference.clone(), before));
            }
        }
        typed
    }
}

/// Variadic builtins that hand named arguments on to what they call.
const HANDS_ON_NAMED: &[&str] = &[
    "call_user_func",
    "forward_static_call",
    "register_shutdown_function",
    "register_tick_function",
    "__invoke",
    "call",
    "invoke",
    "newInstance",
    "start",
    "__call",
    "__callStatic",
    // The stand-ins for hooks say themselves what they refuse.
    "get",
    "set",
];

/// Runs a builtin whose frame is in place; releases the frame. `vm.fp` is the builtin's frame meanwhile; the caller restores it.
///
/// # Safety
/// `nf` has header and arguments.
#[inline]
pub unsafe fn run_builtin(vm: *mut Vm, nf: *mut Frame) -> Res<Value> {
    // SAFETY: as promised.
    unsafe {
        let func = (*nf).function();
        let desc = func.desc().expect("a builtin function has a descriptor");
        let cx = Vm::cx(vm);
        let nargs = (*nf).nargs;
        // The diagnostic is the caller's: the builtin does not run yet.
        let deprecation = if func.flags & func_flags::DEPRECATED != 0 { crate::attributes::raise_deprecated(vm, nf) } else { Ok(()) };
        (*vm).fp = nf;
        let mut answer = if let Err(stop) = deprecation {
            Err(stop)
        } else if nargs < func.required || (nargs > func.params && func.flags & func_flags::VARIADIC == 0) {
            Err(types::builtin_count_error(cx, func, nargs))
        } else if (*nf).extra_ref().is_some_and(|e| e.named.is_some()) && !HANDS_ON_NAMED.contains(&desc.name) {
            let text = [func.display_name().as_slice(), b"() does not accept unknown named parameters"].concat();
            Err(cx.throw("ArgumentCountError", text))
        } else if (*nf).flags & (flags::DYNAMIC | flags::ENTRY) != 0 && looks_at_caller(desc) {
            Err(cx.throw_error(format!("Cannot call {}() dynamically", desc.name)))
        } else {
            let typed = if func.by_ref == 0 { Vec::new() } else { typed_arguments(nf) };
            let mut call = Vm::builtin_call(nf);
            let mut answer = (desc.call)(cx, &mut call);
            for (reference, before) in typed {
                if answer.is_ok()
                    && let Err(stop) = types::written_by_builtin(vm, &reference, before)
                {
                    answer = Err(stop);
                }
            }
            answer
        };
        for i in 0..nargs as usize {
            (*Frame::cv(nf, i)).release();
        }
        if !(*nf).this.is_null() || (*nf).has_extra() {
            drop_frame_parts(nf);
        }
        if jumbo_value::Heap::current_has_dying()
            && let Err(stop) = destruct_after_builtin(vm, nf)
        {
            answer = Err(stop);
        }
        answer
    }
}

/// The plain end of a frame of `cvs` variables that hold nothing counted; else [`return_sharing`]. `METHOD`: there may be a `$this`.
#[inline(always)]
unsafe fn plain_return<const METHOD: bool>(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw, value: Raw, cvs: u16) -> *const Insn {
    // SAFETY: as the handlers.
    unsafe {
        let this = if METHOD { (*fp).this } else { ptr::null_mut() };
        let result = (*fp).result;
        // One test after the other: each is a branch of its own to the same place.
        if (*fp).flags != 0 {
            return return_releasing(pc, fp, vm, lits);
        }
        if value.tag == tag::UNDEF || value.tag == tag::REF {
            return return_releasing(pc, fp, vm, lits);
        }
        if METHOD && !this.is_null() {
            if !(*this).header.is_shared() {
                return return_releasing(pc, fp, vm, lits);
            }
        }
        let mut cv = Frame::cv(fp, 0);
        let stop = cv.add(cvs as usize);
        while cv < stop {
            if (*cv).is_counted() {
                return return_sharing(pc, fp, vm, lits);
            }
            cv = cv.add(1);
        }
        let (caller, call) = ((*fp).prev, (*fp).call_pc);
        if result != NONE as u32 {
            *Frame::slot(caller, result as u16) = value;
        } else if value.is_counted() {
            return return_releasing(pc, fp, vm, lits);
        }
        if METHOD && !this.is_null() {
            (*this).header.drop_shared();
        }
        (*vm).fp = caller;
        crate::dispatch::dispatch(call.add(1), caller, vm, (*(*caller).func).literals)
    }
}

/// [`plain_return`] from a frame whose variables hold something: if others hold all of it too, nothing dies with the frame; else [`return_releasing`].
#[inline(never)]
unsafe fn return_sharing(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as `plain_return`, which has looked at the flags, at the value and at `$this`.
    unsafe {
        let mut from = operand::peek(fp, lits, (*pc).a());
        let value = Frame::load(from);
        let (result, this) = ((*fp).result, (*fp).this);
        let mut cv = Frame::cv(fp, 0);
        let stop = Frame::slot(fp, (*(*fp).func).first_temp);
        if result == NONE as u32 && value.is_counted() {
            // Nobody takes it: a variable ends in its turn, a temporary here, if that is all.
            if from >= stop.cast_const() {
                return return_releasing(pc, fp, vm, lits);
            }
            from = ptr::null();
        }
        while cv < stop {
            // The variable that is returned gives its value away.
            if (*cv).is_counted() && !ptr::eq(cv, from) {
                if !(*cv).is_shared() {
                    return return_releasing(pc, fp, vm, lits);
                }
                (*cv).header().drop_shared();
                (*cv).tag = tag::UNDEF;
            }
            cv = cv.add(1);
        }
        let (caller, call) = ((*fp).prev, (*fp).call_pc);
        if result != NONE as u32 {
            *Frame::slot(caller, result as u16) = value;
        }
        if !this.is_null() {
            (*this).header.drop_shared();
        }
        (*vm).fp = caller;
        crate::dispatch::dispatch(call.add(1), caller, vm, (*(*caller).func).literals)
    }
}

/// Does nobody take what the frame of a function returns?
unsafe fn is_result_unused(fp: *mut Frame) -> bool {
    // SAFETY: the frame is live.
    unsafe { (*fp).result == NONE as u32 && (*fp).flags & (flags::ENTRY | flags::INCLUDED) == 0 || (*fp).is(flags::CONSTRUCTOR) }
}

/// Return from a frame that owns something, or whose result is not used.
#[inline(never)]
unsafe fn return_releasing(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, lits: *const Raw) -> *const Insn {
    // SAFETY: as the handler.
    unsafe {
        let a = (*pc).a();
        let value;
        if a & jumbo_bytecode::LITERAL != 0 {
            value = *lits.add((a & !jumbo_bytecode::LITERAL) as usize);
        } else {
            let slot = Frame::slot(fp, a);
            let held = *slot;
            if held.tag != tag::UNDEF && is_result_unused(fp) {
                // A variable ends in its turn, a temporary before the variables.
                value = Raw::NULL;
                if operand::is_temp(fp, a) {
                    (*slot).tag = tag::UNDEF;
                    held.release();
                }
            } else if held.tag == tag::REF || held.tag == tag::UNDEF {
                save(vm, fp, pc);
                value = tri!(operand::take_checked(vm, fp, lits, a), pc, fp, vm);
            } else if (*fp).is(flags::INCLUDED) && !operand::is_temp(fp, a) {
                // Others may know the variable by its name.
                value = held.copied();
            } else {
                // A variable of a frame that ends gives its value away.
                value = held;
                (*slot).tag = tag::UNDEF;
            }
        }
        do_return(pc, fp, vm, value)
    }
}

/// Ends the running PHP frame with `value`.
#[inline(always)]
pub(super) unsafe fn do_return(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, value: Raw) -> *const Insn {
    // SAFETY: all CVs are initialised; temporaries are dead here.
    unsafe {
        let func = &*(*fp).func;
        let has_parts = (*fp).flags & !flags::ENTRY != 0;
        if has_parts && ((*fp).flags & !flags::ENTRY != flags::EXTRA || !(*fp).has_lone_closure()) || func.is(func_flags::VARIADIC) {
            return return_slow(pc, fp, vm, value);
        }
        let mut cv = Frame::cv(fp, 0);
        let stop = Frame::slot(fp, func.first_temp);
        while cv < stop {
            (*cv).release();
            cv = cv.add(1);
        }
        if !(*fp).this.is_null() {
            drop(PObject::from_ptr((*fp).this));
        }
        if has_parts {
            (*fp).drop_extra();
        }
        if jumbo_value::Heap::current_has_dying() {
            return return_dying(fp, vm, value);
        }
        let caller = (*fp).prev;
        (*vm).fp = caller;
        let call = (*fp).call_pc;
        if (*fp).is(flags::ENTRY) {
            return leave_run(vm, call, value);
        }
        if !store_result(vm, call, caller, (*fp).result, value) {
            return crate::unwind::unwind_pending(call, caller, vm);
        }
        crate::dispatch::dispatch(call.add(1), caller, vm, (*(*caller).func).literals)
    }
}

/// Where the caller takes what the frame returns; nobody takes what a constructor does.
#[inline(always)]
unsafe fn taken_result(fp: *mut Frame) -> u32 {
    // SAFETY: the frame is live.
    unsafe { if (*fp).is(flags::CONSTRUCTOR) { NONE as u32 } else { (*fp).result } }
}

/// Releases the variables and `$this` of a frame without other parts. What the last parameter of a variadic function has collected ends after
/// the variables, as PHP's frame has it beside them.
#[inline(always)]
unsafe fn release_variables(fp: *mut Frame) {
    // SAFETY: the variables are initialised, and dead afterwards.
    unsafe {
        let func = &*(*fp).func;
        let mut cv = Frame::cv(fp, 0);
        let stop = Frame::slot(fp, func.first_temp);
        let collected = if func.is(func_flags::VARIADIC) { Frame::cv(fp, func.params as usize) } else { stop };
        while cv < stop {
            if cv != collected {
                (*cv).release();
            }
            cv = cv.add(1);
        }
        if collected < stop {
            (*collected).release();
        }
        if !(*fp).this.is_null() {
            drop(PObject::from_ptr((*fp).this));
        }
    }
}

/// Return when objects with destructors died with the frame.
#[cold]
#[inline(never)]
unsafe fn return_dying(fp: *mut Frame, vm: *mut Vm, value: Raw) -> *const Insn {
    // SAFETY: as `do_return`, with the frame released.
    unsafe {
        let caller = (*fp).prev;
        let call = (*fp).call_pc;
        let result = taken_result(fp);
        (*vm).fp = caller;
        (*vm).pc = call;
        let is_entry = (*fp).is(flags::ENTRY);
        if let Err(stop) = crate::objects::run_destructors(Vm::cx(vm)) {
            value.release();
            if is_entry {
                (*vm).stop = Some(stop);
                return ptr::null();
            }
            return crate::unwind::unwind(stop, call, caller, vm);
        }
        if is_entry {
            return leave_run(vm, call, value);
        }
        if !store_result(vm, call, caller, result, value) {
            return crate::unwind::unwind_pending(call, caller, vm);
        }
        crate::dispatch::dispatch(call.add(1), caller, vm, (*(*caller).func).literals)
    }
}

/// Ends the running loop with the value of its frame, which native code at `call` has called.
#[inline(always)]
unsafe fn leave_run(vm: *mut Vm, call: *const Insn, value: Raw) -> *const Insn {
    // SAFETY: the machine is live.
    unsafe {
        (*vm).pc = call;
        (*vm).result = value;
        ptr::null()
    }
}

/// At the GeneratorCreate `pc` of a frame: the frame moves into a generator, with which the call returns.
///
/// # Safety
/// `fp` is the running frame, of a generator function, on the stack.
#[inline(never)]
pub(super) unsafe fn return_generator(pc: *const Insn, fp: *mut Frame, vm: *mut Vm) -> *const Insn {
    // SAFETY: as promised; the frame is not looked at any more when it has moved.
    unsafe {
        let (frame_flags, caller, call) = ((*fp).flags, (*fp).prev, (*fp).call_pc);
        let result = if frame_flags & flags::CONSTRUCTOR != 0 { NONE as u32 } else { (*fp).result };
        let value = generator::create(vm, fp, pc).into_raw();
        (*vm).fp = caller;
        if frame_flags & flags::ENTRY != 0 {
            return leave_run(vm, call, value);
        }
        if !store_result(vm, call, caller, result, value) {
            return crate::unwind::unwind_pending(call, caller, vm);
        }
        crate::dispatch::dispatch(call.add(1), caller, vm, (*(*caller).func).literals)
    }
}

/// Return from frames with flags: constructors, included files, those with rare parts other than a closure; and of variadic functions.
#[inline(never)]
unsafe fn return_slow(pc: *const Insn, fp: *mut Frame, vm: *mut Vm, value: Raw) -> *const Insn {
    // SAFETY: as `do_return`.
    unsafe {
        let frame_flags = (*fp).flags;
        let caller = (*fp).prev;
        let call = (*fp).call_pc;
        let result = taken_result(fp);
        if frame_flags & !(flags::ENTRY | flags::CONSTRUCTOR) == 0 {
            release_variables(fp);
        } else {
            crate::unwind::release_frame(fp);
        }
        (*vm).fp = caller;
        (*vm).pc = call;
        if jumbo_value::Heap::current_has_dying()
            && let Err(stop) = crate::objects::run_destructors(Vm::cx(vm))
        {
            value.release();
            if frame_flags & flags::ENTRY != 0 {
                (*vm).stop = Some(stop);
                return ptr::null();
            }
            return crate::unwind::unwind(stop, call, caller, vm);
        }
        if frame_flags & flags::ENTRY != 0 {
            return leave_run(vm, call, value);
        }
        if !store_result(vm, call, caller, result, value) {
            return crate::unwind::unwind_pending(call, caller, vm);
        }
        let _ = pc;
        crate::dispatch::dispatch(call.add(1), caller, vm, (*(*caller).func).literals)
    }
}

#[inline(never)]
unsafe fn return_ref(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let a = (*pc).a();
        let kind = (*pc).b();
        if kind == 2 && (*Frame::slot(fp, a)).tag == tag::REF {
            return Ok(*Frame::slot(fp, a));
        }
        if kind != 0 {
            let value = operand::take_value(vm, fp, lits, a)?;
            // Whatever it is, the caller gets a reference.
            let reference = Value::from(PRef::new(value));
            Vm::cx(vm).raise(Level::Notice, b"Only variable references should be returned by reference")?;
            return Ok(reference.into_raw());
        }
        let slot = operand::place(fp, a);
        let reference = operand::make_ref(slot);
        if a >= (*(*fp).func).first_temp && a != THIS {
            (*Frame::slot(fp, a)).release();
        }
        Ok(reference)
    }
}

// ---- argument arrays

#[inline(never)]
unsafe fn arg_push(array: *mut Raw, value: Raw) {
    // SAFETY: the temporary holds the argument array under construction.
    unsafe {
        let a = jumbo_value::array::raw::separate(array);
        let slot = jumbo_value::array::raw::push_slot(a);
        if slot.is_null() { value.release() } else { *slot = value }
    }
}

/// Number of the argument that is appended to the array next; `None`: more than a parameter list has.
unsafe fn next_position(array: *mut Raw) -> Option<u16> {
    // SAFETY: as `arg_push`.
    unsafe { u16::try_from(jumbo_value::array::raw::count((*array).bits as *const _)).ok() }
}

/// A value that is no variable is refused for a parameter by reference, and ends.
#[cold]
#[inline(never)]
unsafe fn pushed_value_check(vm: *mut Vm, nf: *mut Frame, array: *mut Raw, value: Raw) -> Res<()> {
    // SAFETY: as the handler; the value is the caller's until it is pushed.
    unsafe {
        let func = (*nf).func;
        match next_position(array) {
            Some(n) if (*nf).flags & flags::MAGIC == 0 && (*func).is_by_ref(n as u32) && !prefers_ref(func, n) => {
                let stop = not_by_reference(vm, func, n);
                value.release();
                Err(stop)
            }
            _ => Ok(()),
        }
    }
}

/// The result of a call, for the argument array: what a function has returned by reference stays one for a parameter by reference.
#[inline(never)]
unsafe fn pushed_result(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, func: *const Function, array: *mut Raw, o: u16) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let wanted = if (*func).by_ref == 0 { None } else { next_position(array).filter(|&n| (*func).is_by_ref(n as u32)) };
        let Some(n) = wanted else { return operand::take_checked(vm, fp, lits, o) };
        let value = Value::from_raw(operand::take(fp, lits, o));
        if !prefers_ref(func, n) && value.as_ref().is_none() {
            Vm::cx(vm).raise(Level::Notice, b"Only variables should be passed by reference")?;
        }
        Ok(value.into_raw())
    }
}

#[inline(never)]
unsafe fn arg_named(vm: *mut Vm, array: *mut Raw, name: Raw, value: Raw) -> Res<()> {
    // SAFETY: as above; the name is a literal.
    unsafe {
        let name = Value::from_raw_borrowed(name);
        let Some(name) = name.as_str() else { return Ok(()) };
        let handle: &mut Value = &mut *array.cast();
        let duplicate = handle.as_array().is_some_and(|a| a.get_str(name).is_some());
        if duplicate {
            value.release();
            return Err(named_overwrites(vm, name));
        }
        let mut args = std::mem::take(handle).as_array().cloned().unwrap_or_default();
        args.set_str(name, Value::from_raw(value));
        *handle = Value::from(args);
        Ok(())
    }
}

/// # Safety
/// The machine is live.
#[inline(never)]
unsafe fn named_overwrites(vm: *mut Vm, name: &PStr) -> jumbo_abi::Stop {
    let text = [b"Named parameter $".as_slice(), name.as_bytes(), b" overwrites previous argument"].concat();
    // SAFETY: the machine is live.
    unsafe { Vm::cx(vm).throw_error(text) }
}

/// Value or reference of a place, for an argument array.
#[inline(never)]
unsafe fn arg_place(vm: *mut Vm, fp: *mut Frame, by_ref: bool, register: u16) -> Res<Raw> {
    // SAFETY: as the handlers.
    unsafe {
        if by_ref {
            let value = operand::make_ref(operand::place(fp, register));
            operand::free_place(fp, register);
            return Ok(value);
        }
        if register < (*(*fp).func).first_temp {
            return operand::copy_checked(vm, fp, register);
        }
        let value = operand::place(fp, register).read().deref();
        value.add_ref();
        operand::free_place(fp, register);
        Ok(value)
    }
}

fn named_is_by_ref(func: &Function, name: &Value) -> bool {
    named_ref_position(func, name).is_some()
}

/// Number of the parameter by reference that an argument of this name goes to.
fn named_ref_position(func: &Function, name: &Value) -> Option<u32> {
    let name = name.as_str()?;
    match (0..func.params).find(|&n| func.param_name(n as usize) == name.as_bytes()) {
        Some(n) => func.is_by_ref(n).then_some(n),
        None => (func.is(func_flags::VARIADIC) && func.is_by_ref(func.params)).then_some(func.params),
    }
}

/// Refuses a named argument that the function has no parameter for, or has it already, before its value is read.
#[inline(never)]
unsafe fn named_check(vm: *mut Vm, fp: *mut Frame, pc: *const Insn, name: Raw) -> Res<()> {
    // SAFETY: as the handler; the name is a literal.
    unsafe {
        let nf = Frame::slot(fp, (*pc).a()).cast::<Frame>();
        let func = (*nf).function();
        let name = Value::from_raw_borrowed(name);
        let Some(name) = name.as_str() else { return Ok(()) };
        let args = Frame::slot(fp, (*pc).b());
        let stop = match (0..func.params).find(|&n| func.param_name(n as usize) == name.as_bytes()) {
            Some(n) if (*args).is_array() && n < (*args).as_array().keys().filter(|key| matches!(key, jumbo_value::KeyRef::Int(_))).count() as u32 => {
                named_overwrites(vm, name)
            }
            None if !takes_any_name(nf) => Vm::cx(vm).throw_error([b"Unknown named parameter $".as_slice(), name.as_bytes()].concat()),
            _ => return Ok(()),
        };
        operand::consume(fp, (*pc).c());
        Err(stop)
    }
}

/// Are arguments of any name collected, or is there nothing that could refuse them?
unsafe fn takes_any_name(nf: *mut Frame) -> bool {
    // SAFETY: a prepared frame.
    unsafe {
        let func = (*nf).function();
        func.is(func_flags::VARIADIC) && func != lookup::nothing() || (*nf).is(flags::MAGIC)
    }
}

/// The value of a named argument that is no variable.
#[inline(never)]
unsafe fn named_value(vm: *mut Vm, fp: *mut Frame, lits: *const Raw, pc: *const Insn, name: Raw) -> Res<Raw> {
    // SAFETY: as the handler.
    unsafe {
        let func = (*Frame::slot(fp, (*pc).a()).cast::<Frame>()).func;
        let position = if (*func).by_ref == 0 { None } else { named_ref_position(&*func, &Value::from_raw_borrowed(name)) };
        let of_call = (*pc.add(1)).0 >> 32 != 0;
        // What a function returned by reference stays one.
        let value =
            if of_call && position.is_some() { operand::take(fp, lits, (*pc).c()) } else { operand::take_checked(vm, fp, lits, (*pc).c())? };
        match position.and_then(|n| u16::try_from(n).ok()) {
            Some(n) if !prefers_ref(func, n) && value.tag != tag::REF => {
                if of_call {
                    let value = Value::from_raw(value);
                    Vm::cx(vm).raise(Level::Notice, b"Only variables should be passed by reference")?;
                    return Ok(value.into_raw());
                }
                let stop = not_by_reference(vm, func, n);
                value.release();
                Err(stop)
            }
            _ => Ok(value),
        }
    }
}

/// `f(...$array)`: the elements that go to parameters by reference become references in the variable's array.
#[cold]
#[inline(never)]
unsafe fn reference_elements(func: *const Function, args: *mut Raw, variable: *mut Raw) {
    // SAFETY: as the handler; separation leaves the array to the variable alone.
    unsafe {
        let slot = Raw::deref_slot(variable);
        if !(*slot).is_array() {
            return;
        }
        let mut n = jumbo_value::array::raw::count((*args).bits as *const _);
        let count = jumbo_value::array::raw::count((*slot).array_ptr());
        let names = |at: u32| jumbo_value::array::raw::key_at((*slot).array_ptr(), at as _).is_string();
        if !(n..n + count).any(|n| (*func).is_by_ref(n)) && !(0..count).any(|at| names(at)) {
            return;
        }
        let array = jumbo_value::array::raw::separate(slot);
        for at in 0..jumbo_value::array::raw::used(array) {
            let element = jumbo_value::array::raw::slot_at(array, at);
            if (*element).tag == tag::UNDEF {
                continue;
            }
            let key = jumbo_value::array::raw::key_at(array, at);
            if key.is_string() {
                if named_is_by_ref(&*func, &Value::from_raw_borrowed(key)) {
                    operand::make_ref(element).release();
                }
                continue;
            }
            if (*func).is_by_ref(n) {
                operand::make_ref(element).release();
            }
            n += 1;
        }
    }
}

/// The error of what cannot be unpacked into arguments.
#[cold]
fn not_unpackable(cx: &mut jumbo_abi::Cx, value: &Value) -> jumbo_abi::Stop {
    cx.type_error(super::dims::not_unpackable_text(value))
}

#[inline(never)]
unsafe fn arg_spread(vm: *mut Vm, nf: *mut Frame, array: *mut Raw, value: Res<Value>) -> Res<()> {
    // SAFETY: as the handlers.
    unsafe {
        let cx = Vm::cx(vm);
        let value = match value {
            Ok(value) => value,
            Err(stop) => {
                despite::despite(cx, |cx| Err::<(), _>(not_unpackable(cx, &Value::null())));
                return Err(stop);
            }
        };
        let func = (*nf).function();
        let handle: &mut Value = &mut *array.cast();
        if func.by_ref == 0
            && handle.as_array().is_none_or(PArray::is_empty)
            && value.as_array().is_some_and(|list| list.is_list() && !list.values().any(Value::is_ref))
        {
            // A list alone is the arguments.
            *handle = value;
            return Ok(());
        }
        let mut args = std::mem::take(handle).as_array().cloned().unwrap_or_default();
        let mut n = args.len() as u32;
        let result = (|| -> Res<()> {
            let mut named = false;
            let mut positions = args.iter().filter(|(key, _)| matches!(key, jumbo_value::KeyRef::Int(_))).count();
            let mut add = |cx: &mut jumbo_abi::Cx, key: Value, v: Value| -> Res<()> {
                match key.as_str() {
                    Some(name) => {
                        let is_passed = |n: usize| func.param_name(n) == name.as_bytes();
                        if args.get_str(name).is_some() || (0..positions.min(func.params as usize)).any(is_passed) {
                            return Err(named_overwrites(vm, name));
                        }
                        if !takes_any_name(nf) && !(0..func.params as usize).any(|n| func.param_name(n) == name.as_bytes()) {
                            return Err(cx.throw_error([b"Unknown named parameter $".as_slice(), name.as_bytes()].concat()));
                        }
                        named = true;
                        args.set_str(name, v);
                    }
                    None if named => return Err(cx.throw_error(b"Cannot use positional argument after named argument during unpacking")),
                    None => {
                        positions += 1;
                        // Those of an earlier unpacking stand behind.
                        let (mut all, names): (Vec<_>, Vec<_>) = if args.is_list() {
                            (Vec::new(), Vec::new())
                        } else {
                            args.entries().into_iter().partition(|(k, _)| matches!(k, Key::Int(_)))
                        };
                        let position = args.len() - names.len();
                        let value = if func.is_by_ref(position as u32) { v } else { v.into_deref() };
                        if names.is_empty() {
                            args.append(value);
                            return Ok(());
                        }
                        all.push((Key::Int(position as i64), value));
                        args = PArray::new();
                        all.into_iter().chain(names).for_each(|(k, v)| {
                            args.set(k, v);
                        });
                    }
                }
                Ok(())
            };
            if let Some(from) = value.as_array() {
                for (k, v) in from {
                    add(cx, k.to_value(), v.clone())?;
                }
                return Ok(());
            }
            let traversable = value.as_object().is_some_and(|o| crate::iteration::is_traversable(cx, o));
            if !traversable {
                return Err(not_unpackable(cx, &value));
            }
            cx.iterate(&value, &mut |cx, k, v| {
                if k.as_str().is_none() && k.as_int().is_none() {
                    return Err(cx.throw_error(b"Keys must be of type int|string during argument unpacking"));
                }
                let position = if k.as_str().is_some() { named_ref_position(&func, k) } else { func.is_by_ref(n).then_some(n) };
                if let Some(position) = position {
                    let mut text = format!("Cannot pass by-reference argument {} of ", position + 1).into_bytes();
                    text.extend_from_slice(&func.display_name());
                    text.extend_from_slice(b"() by unpacking a Traversable, passing by-value instead");
                    cx.raise(Level::Warning, &text)?;
                }
                n += 1;
                // A name that is a number is a position.
                let key = k.as_str().and_then(|name| name.as_index()).map_or_else(|| k.clone(), Value::from);
                add(cx, key, v.copy_deref())?;
                Ok(true)
            })
        })();
        *handle = Value::from(args);
        result
    }
}

/// Puts an argument array (string keys are names) into the slots of a frame. The frame moves to the top of the stack, where it has room.
///
/// # Safety
/// `nf` is prepared, without arguments; `vm.fp` its caller. On an error it is released.
pub unsafe fn place_array_args(vm: *mut Vm, nf: *mut Frame, args: Value) -> Res<*mut Frame> {
    // SAFETY: as promised.
    unsafe {
        let func = (*nf).function();
        let array = args.as_array().cloned().unwrap_or_default();
        drop(args);
        (*nf).nargs = 0;
        let to = Vm::top(vm);
        let slots = FRAME_HEADER as usize + array.len() + func.params as usize + func.registers as usize + 1;
        match Vm::room(vm, to, slots) {
            Ok(_) => {}
            Err(stop) => {
                drop_frame_parts(nf);
                return Err(stop);
            }
        }
        if to != nf {
            ptr::copy(nf.cast::<Raw>(), to.cast::<Raw>(), FRAME_HEADER as usize);
        }
        let nf = to;
        if (*nf).flags & flags::MAGIC != 0 {
            // All of them, names included, are for the array that the magic method gets.
            let mut rest = PArray::new();
            let mut n = 0u32;
            for (key, value) in &array {
                match key {
                    jumbo_value::KeyRef::Int(_) if !rest.is_empty() => {
                        release_prepared(nf, n);
                        return Err(Vm::cx(vm).throw_error(POSITIONAL_AFTER_NAMED));
                    }
                    jumbo_value::KeyRef::Int(_) => {
                        *Frame::cv(nf, n as usize) = value.clone().into_raw();
                        n += 1;
                    }
                    jumbo_value::KeyRef::Str(name) => rest.set_str(name, value.clone()),
                }
            }
            (*nf).nargs = n;
            if !rest.is_empty() {
                (*nf).extra_mut().named = Some(rest);
            }
            return Ok(nf);
        }
        if func.by_ref == 0 && array.is_list() {
            for (n, value) in array.values().enumerate() {
                *Frame::cv(nf, n) = value.copy_deref().into_raw();
            }
            (*nf).nargs = array.len() as u32;
            return Ok(nf);
        }
        let mut n = 0u32;
        let mut by_name = false;
        let mut named: Option<PArray> = None;
        let mut error: Option<Vec<u8>> = None;
        for (key, value) in &array {
            match key {
                jumbo_value::KeyRef::Int(_) if by_name => {
                    error = Some(POSITIONAL_AFTER_NAMED.to_vec());
                    break;
                }
                jumbo_value::KeyRef::Int(_) => {
                    let value = if func.is_by_ref(n) {
                        match value.as_ref() {
                            Some(r) => Value::from(r.clone()),
                            None => Value::from(PRef::new(value.clone())),
                        }
                    } else {
                        value.copy_deref()
                    };
                    *Frame::cv(nf, n as usize) = value.into_raw();
                    n += 1;
                }
                jumbo_value::KeyRef::Str(name) => {
                    by_name = true;
                    let position = (0..func.params).find(|&p| func.param_name(p as usize) == name.as_bytes());
                    match position {
                        Some(p) => {
                            while n <= p {
                                (*Frame::cv(nf, n as usize)) = Raw::UNDEF;
                                n += 1;
                            }
                            let slot = Frame::cv(nf, p as usize);
                            if (*slot).tag != tag::UNDEF {
                                error = Some([b"Named parameter $".as_slice(), name.as_bytes(), b" overwrites previous argument"].concat());
                                break;
                            }
                            let by_ref = func.is_by_ref(p);
                            *slot = if by_ref && value.as_ref().is_none() {
                                PRef::new(value.clone()).into_raw()
                            } else if by_ref {
                                value.clone().into_raw()
                            } else {
                                value.copy_deref().into_raw()
                            };
                        }
                        None if func.flags & func_flags::VARIADIC != 0 && func != lookup::nothing() => {
                            let value = if func.is_by_ref(func.params) { value.clone() } else { value.copy_deref() };
                            named.get_or_insert_with(PArray::new).set_str(name, value);
                        }
                        None => {
                            error = Some([b"Unknown named parameter $".as_slice(), name.as_bytes()].concat());
                            break;
                        }
                    }
                }
            }
        }
        (*nf).nargs = n;
        if let Some(text) = error {
            release_prepared(nf, n);
            return Err(Vm::cx(vm).throw_error(text));
        }
        if let Some(named) = named {
            (*nf).extra_mut().named = Some(named);
        }
        // A required parameter that a named argument jumped over.
        if let Some(missing) = (0..n.min(func.required)).find(|&p| (*Frame::cv(nf, p as usize)).tag == tag::UNDEF) {
            let mut text = func.display_name();
            text.extend_from_slice(format!("(): Argument #{} (${}) not passed", missing + 1, String::from_utf8_lossy(func.param_name(missing as usize))).as_bytes());
            let stop = throw_in_prepared(vm, nf, &text);
            release_prepared(nf, n);
            return Err(stop);
        }
        // Traces show the defaults of those that may be jumped over, which are literals mostly.
        if let Some(proto) = func.proto() {
            for (p, param) in proto.params.iter().enumerate().take(n.min(func.params) as usize) {
                let slot = Frame::cv(nf, p);
                if (*slot).tag == tag::UNDEF
                    && let Some(jumbo_bytecode::unit::ConstExpr::Literal(value)) = &param.default
                {
                    value.add_ref();
                    *slot = *value;
                }
            }
        }
        // A builtin's optional parameter without a default that PHP code could write.
        if let Some(desc) = func.desc()
            && let Some(p) = (func.required..n.min(func.params)).find(|&p| {
                (*Frame::cv(nf, p as usize)).tag == tag::UNDEF && desc.params.get(p as usize).is_some_and(|d| d.default.is_none() && !d.variadic)
            })
        {
            let mut text = func.display_name();
            let name = String::from_utf8_lossy(func.param_name(p as usize)).into_owned();
            text.extend_from_slice(
                format!("(): Argument #{} (${name}) must be passed explicitly, because the default value is not known", p + 1).as_bytes(),
            );
            release_prepared(nf, n);
            return Err(Vm::cx(vm).throw("ArgumentCountError", text));
        }
        Ok(nf)
    }
}

/// An ArgumentCountError of a frame that is prepared with all of its arguments: its trace shows the call.
///
/// # Safety
/// `nf` has room for its function's registers; `vm.fp` is the caller.
#[cold]
unsafe fn throw_in_prepared(vm: *mut Vm, nf: *mut Frame, text: &[u8]) -> jumbo_abi::Stop {
    // SAFETY: as promised.
    unsafe {
        let func = (*nf).function();
        (*nf).prev = (*vm).fp;
        (*nf).call_pc = (*vm).pc;
        if func.flags & func_flags::VARIADIC != 0 && (*nf).nargs <= func.params && (*nf).is_user() {
            // What the variadic parameter collects is not there yet.
            *Frame::cv(nf, func.params as usize) = Raw::UNDEF;
        }
        crate::types::throw_in_callee(vm, nf, "ArgumentCountError", text)
    }
}

const POSITIONAL_AFTER_NAMED: &[u8] = b"Cannot use positional argument after named argument";

/// A counted clone of a frame's `$this`.
pub unsafe fn this_of(fp: *mut Frame) -> Option<PObject> {
    // SAFETY: the frame is live.
    unsafe { if (*fp).this.is_null() { None } else { Some(object_clone((*fp).this)) } }
}

/// Class named by a reference of an instruction, without DYNAMIC.
pub unsafe fn class_of_ref(vm: *mut Vm, fp: *mut Frame, class: ClassRef) -> Res<ClassPtr> {
    // SAFETY: the frame is live.
    unsafe { lookup::class_ref(vm, fp, class, None) }
}

/// Method number `n` of a class's table (from an inline cache, which was filled from this table).
#[inline(always)]
pub(crate) unsafe fn method_at(class: *const jumbo_abi::Class, n: u32) -> FnPtr {
    // SAFETY: tables of linked classes do not change.
    unsafe { *(*class).methods.get_index(n as usize).unwrap_unchecked().1 }
}
