//! What extensions reach of the engine: [`jumbo_abi::Engine`], and the life of one request.

use crate::frame::Frame;
use crate::vm::Vm;
use crate::{closure, convert, errors, include, inspect, iteration, lookup, objects, symbols, types};
use jumbo_abi::desc::Purpose;
use jumbo_abi::engine::{BacktraceOptions, CallableCheck};
use jumbo_abi::request::{CallSite, Ticks};
use jumbo_abi::{Callable, ClassPtr, Cx, Engine, FnPtr, Level, Res, Stop, Type, func_flags};
use jumbo_bytecode::unit::{Attribute, IncludeKind, Unit};
use jumbo_value::{Key, KeyRef, PArray, PObject, PRef, PStr, Value};
use std::sync::Arc;

/// The one engine.
pub struct Interpreter;

/// The engine of the registry.
pub static INTERPRETER: Interpreter = Interpreter;

/// Runs the tick functions. One that runs already, since it has ticks itself, is left out.
pub fn run_ticks(cx: &mut Cx, statements: u32) -> Res<()> {
    let ticks = cx.state::<Ticks>();
    ticks.count += 1;
    if ticks.count < statements {
        return Ok(());
    }
    ticks.count = 0;
    let mut at = 0;
    while let Some(tick) = cx.state::<Ticks>().functions.get_mut(at) {
        if !tick.running {
            tick.running = true;
            let (id, callable, args) = (tick.id, tick.callable.clone(), tick.args.clone());
            let blocked = crate::fiber::block_switches(cx, true);
            let result = cx.call(&callable, &args);
            crate::fiber::block_switches(cx, blocked);
            // It may have unregistered itself or others.
            let functions = &mut cx.state::<Ticks>().functions;
            if let Some(tick) = functions.iter_mut().find(|t| t.id == id) {
                tick.running = false;
            }
            result?;
        }
        at += 1;
    }
    Ok(())
}

/// Writes a line to the error log: `error_log`'s file, or the standard error stream.
pub fn log(cx: &mut Cx, text: &[u8]) {
    log_pieces(cx, &[text]);
}

/// As [`log`], of a line in pieces: none of them is copied, since one may be a string of any size.
pub fn log_pieces(cx: &mut Cx, pieces: &[&[u8]]) {
    cx.sync_output();
    let path = cx.ini.str("error_log").to_vec();
    let to_stderr = |stamp: &[u8]| write_stderr(&[&[stamp], pieces, &[b"\n"]].concat());
    if path.is_empty() || path == b"syslog" {
        return to_stderr(b"");
    }
    use std::os::unix::ffi::OsStrExt;
    let full = include::normalize(&cx.cwd, &path);
    use std::os::unix::fs::OpenOptionsExt;
    let mode = u32::from_str_radix(&String::from_utf8_lossy(cx.ini.str("error_log_mode")), 8).unwrap_or(0o644);
    // A pipe that nobody reads, or not quickly enough, does not hold the script up: the line goes where it can be read.
    let how = std::fs::OpenOptions::new().append(true).create(true).mode(mode).custom_flags(libc::O_NONBLOCK).clone();
    let file = how.open(std::ffi::OsStr::from_bytes(&full));
    // A log that cannot be written has nowhere to complain to but the standard error stream.
    let stamp = stamp(cx);
    let written = file.and_then(|mut file| write_pieces(&mut file, &[&[&*stamp], pieces, &[b"\n"]].concat()));
    if written.is_err() {
        to_stderr(&stamp);
    }
}

/// Writes it all, in one call of the system where that takes it all: a line stays whole beside those of others.
fn write_pieces(to: &mut dyn std::io::Write, pieces: &[&[u8]]) -> std::io::Result<()> {
    use std::io::{ErrorKind, IoSlice};
    let mut slices: Vec<IoSlice> = pieces.iter().filter(|piece| !piece.is_empty()).map(|piece| IoSlice::new(piece)).collect();
    let mut rest = slices.as_mut_slice();
    while !rest.is_empty() {
        match to.write_vectored(rest) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => IoSlice::advance_slices(&mut rest, count),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// When a line was logged: `[21-Nov-2026 18:45:00 UTC] `, in the instance's time zone.
fn stamp(cx: &mut Cx) -> Vec<u8> {
    let now = cx.call_builtin("date", &[Value::from("d-M-Y H:i:s e")]);
    let text = now.ok().and_then(|now| now.as_bytes().map(<[u8]>::to_vec));
    text.map_or_else(Vec::new, |text| [b"[".as_slice(), &text, b"] "].concat())
}

pub fn write_stderr(pieces: &[&[u8]]) {
    // A closed standard error stream leaves nobody to tell.
    let _ = write_pieces(&mut std::io::stderr().lock(), pieces);
}

/// The frame that called the running builtin (or runs itself).
fn caller(cx: &Cx) -> Option<*mut Frame> {
    let vm = Vm::of(cx);
    if vm.is_null() {
        return None;
    }
    // SAFETY: the machine is live.
    let fp = unsafe { errors::user_frame(vm) };
    (!fp.is_null()).then_some(fp)
}

impl Engine for Interpreter {
    fn call(&self, cx: &mut Cx, callable: &Callable, args: &[Value]) -> Res<Value> {
        if jumbo_value::Heap::current_has_dying() {
            // What the builtin has let go of since its last callback ends before the next one.
            objects::run_destructors(cx)?;
        }
        let vm = Vm::of(cx);
        if let Some(name) = &callable.magic_name {
            let list = PArray::from_values(args.iter().map(Value::copy_deref));
            let args = [Value::from(name), Value::from(list)];
            // SAFETY: the machine is live.
            return unsafe {
                Vm::call_function(vm, callable.function, callable.this.as_ref(), callable.class, &args, Some(callable)).map(Value::into_deref)
            };
        }
        // SAFETY: the machine is live.
        unsafe {
            Vm::call_function(vm, callable.function, callable.this.as_ref(), callable.class, args, Some(callable))
        }
    }

    fn call_from(&self, cx: &mut Cx, callable: &Callable, args: &PArray, site: CallSite) -> Res<Value> {
        // SAFETY: the machine is live.
        let frame = unsafe { (*Vm::of(cx)).fp };
        cx.state::<errors::CallSites>().0.push((frame, site));
        let answer = self.call_with_array(cx, callable, args);
        cx.state::<errors::CallSites>().0.pop();
        answer
    }

    fn call_with_array(&self, cx: &mut Cx, callable: &Callable, args: &PArray) -> Res<Value> {
        let vm = Vm::of(cx);
        if let (Some(name), false) = (&callable.magic_name, args.is_list()) {
            // Named arguments stay named in the array that `__call` gets.
            let mut all = PArray::with_capacity(args.len());
            for (key, value) in args {
                match key {
                    KeyRef::Int(_) if all.iter().next_back().is_some_and(|(k, _)| matches!(k, KeyRef::Str(_))) => {
                        return Err(cx.throw_error(b"Cannot use positional argument after named argument"));
                    }
                    KeyRef::Int(_) => {
                        all.append(value.clone());
                    }
                    KeyRef::Str(_) => {
                        all.set(key.to_key(), value.clone());
                    }
                }
            }
            let values = [Value::from(name.clone()), Value::from(all)];
            return self.call_function(cx, callable.function, callable.this.as_ref(), callable.class, &values);
        }
        if args.is_list() {
            let list: Vec<Value> = args.values().cloned().collect();
            return self.call(cx, callable, &list);
        }
        // SAFETY: the machine and the function are live.
        unsafe { crate::ops::calls::warn_of_values(vm, callable.function.as_ptr(), args)? };
        // SAFETY: the frame is built on top of the running one.
        unsafe {
            Vm::check_native_depth(vm)?;
            cx.check()?;
            let nf = Vm::top(vm);
            if !Vm::room(vm, nf, callable.function.registers as usize + args.len() + 8)? {
                return Err(cx.throw_error(b"Cannot call a function here"));
            }
            Vm::init_frame(vm, nf, callable.function, callable.this.as_ref(), callable.class);
            (*nf).set_closure_of(callable);
            let nf = crate::ops::calls::place_array_args(vm, nf, Value::from(args.clone()))?;
            Vm::run_frame(vm, nf)
        }
    }

    fn call_function(&self, cx: &mut Cx, function: FnPtr, this: Option<&PObject>, class: Option<ClassPtr>, args: &[Value]) -> Res<Value> {
        // SAFETY: the machine is live.
        unsafe { Vm::call_function(Vm::of(cx), function, this, class, args, None) }
    }

    fn resolve_callable(&self, cx: &mut Cx, value: &Value, check: CallableCheck) -> Res<Result<Callable, Vec<u8>>> {
        lookup::resolve_callable(cx, value, check)
    }
    fn named_arguments(&self, cx: &Cx) -> Option<PArray> {
        let vm = Vm::of(cx);
        // SAFETY: the machine is live, and so is the running frame.
        unsafe { (*(*vm).fp).extra_ref().and_then(|e| e.named.clone()) }
    }
    fn callable_name(&self, cx: &mut Cx, value: &Value) -> PStr {
        lookup::callable_name(cx, value)
    }
    fn raise(&self, cx: &mut Cx, level: Level, message: &[u8]) -> Res<()> {
        errors::raise(cx, level, message)
    }
    fn throw_new(&self, cx: &mut Cx, class: ClassPtr, message: &[u8], code: i64) -> Stop {
        errors::throw_new(cx, class, message, code)
    }
    fn throw_object(&self, cx: &mut Cx, object: PObject) -> Stop {
        errors::throw_object(cx, object)
    }
    fn fill_throwable(&self, cx: &mut Cx, object: &PObject) -> Res<()> {
        errors::fill_throwable(cx, object)
    }
    fn throwable_to_string(&self, cx: &mut Cx, object: &PObject) -> Res<PStr> {
        errors::throwable_to_string(cx, object)
    }
    fn trace_to_string(&self, cx: &mut Cx, trace: &PArray) -> Res<PStr> {
        Ok(PStr::new(&errors::trace_to_string(cx, trace)?))
    }
    fn find_class(&self, cx: &mut Cx, name: &[u8], autoload: bool) -> Res<Option<ClassPtr>> {
        lookup::find_class(cx, name, autoload)
    }
    fn instantiate(&self, cx: &mut Cx, class: ClassPtr, args: &[Value]) -> Res<PObject> {
        lookup::instantiate(cx, class, args)
    }
    fn new_object(&self, cx: &mut Cx, class: ClassPtr) -> Res<PObject> {
        lookup::new_object(cx, class)
    }
    fn clone_object(&self, cx: &mut Cx, object: &PObject) -> Res<PObject> {
        objects::clone(cx, object)
    }
    fn class_constant(&self, cx: &mut Cx, class: ClassPtr, name: &[u8]) -> Res<Option<Value>> {
        crate::class_constants::find(cx, class, name)
    }
    fn evaluate_class(&self, cx: &mut Cx, class: ClassPtr) -> Res<()> {
        crate::class_constants::evaluate_class(cx, class)
    }
    fn constant(&self, cx: &mut Cx, name: &[u8]) -> Res<Option<Value>> {
        lookup::constant(cx, name)
    }
    fn static_property(&self, cx: &mut Cx, class: ClassPtr, name: &[u8]) -> Res<Option<Value>> {
        crate::class_constants::static_property(cx, class, name)
    }
    fn set_static_property(&self, cx: &mut Cx, class: ClassPtr, name: &[u8], value: Value) -> Res<()> {
        crate::class_constants::set_static_property(cx, class, name, value)
    }
    fn read_property(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<Value> {
        objects::read(cx, object, name, scope, false)
    }
    fn write_property(&self, cx: &mut Cx, object: &PObject, name: &PStr, value: Value, scope: Option<ClassPtr>) -> Res<()> {
        objects::write(cx, object, name, value, scope).map(drop)
    }
    fn property_reference(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<Value> {
        crate::iteration::reference_to(cx, object, name, scope)
    }
    fn unset_property(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<()> {
        objects::unset(cx, object, name, scope)
    }
    fn has_property(&self, cx: &mut Cx, object: &PObject, name: &PStr, empty: bool, scope: Option<ClassPtr>) -> Res<bool> {
        objects::has(cx, object, name, empty, scope)
    }
    fn property_exists(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<bool> {
        objects::exists(cx, object, name, scope)
    }
    fn properties(&self, cx: &mut Cx, object: &PObject, purpose: Purpose) -> Res<PArray> {
        objects::table(cx, object, purpose)
    }
    fn plain_properties(&self, object: &PObject) -> PArray {
        objects::plain_table(object)
    }
    fn internal_iterator(&self, cx: &mut Cx, native: Box<dyn jumbo_abi::desc::NativeIterator>) -> PObject {
        crate::builtin::internal_iterator::of_native(cx, native)
    }
    fn property_position(&self, object: &PObject) -> usize {
        crate::weak::property_position(object)
    }
    fn set_property_position(&self, object: &PObject, position: usize) {
        crate::weak::set_property_position(object, position);
    }
    fn visible_properties(&self, cx: &mut Cx, object: &PObject, scope: Option<ClassPtr>, hooks: bool) -> Res<PArray> {
        objects::visible_table(cx, object, scope, hooks)
    }
    fn to_string(&self, cx: &mut Cx, value: &Value) -> Res<PStr> {
        convert::to_string(cx, value)
    }
    fn object_cast(&self, cx: &mut Cx, object: &PObject, wanted: u32) -> Res<Value> {
        use jumbo_abi::mask;
        let value = Value::from(object.clone());
        Ok(match wanted {
            mask::STRING => Value::from(convert::to_string(cx, &value)?),
            mask::INT => Value::from(convert::to_int(cx, &value)?),
            mask::FLOAT => Value::from(convert::to_float(cx, &value)?),
            mask::ARRAY => Value::from(convert::to_array(cx, &value)?),
            _ => Value::from(objects::truth(cx, object)?),
        })
    }
    fn compare(&self, cx: &mut Cx, a: &Value, b: &Value) -> Res<i32> {
        convert::compare(cx, a, b)
    }
    fn loose_equals(&self, cx: &mut Cx, a: &Value, b: &Value) -> Res<bool> {
        convert::equals(cx, a, b)
    }
    fn coerce(&self, cx: &mut Cx, value: &mut Value, ty: &Type, scope: Option<ClassPtr>, strict: bool) -> Res<bool> {
        types::coerce(cx, value, ty, scope, strict)
    }
    fn iterate(&self, cx: &mut Cx, value: &Value, each: &mut dyn FnMut(&mut Cx, &Value, &Value) -> Res<bool>) -> Res<()> {
        iteration::iterate(cx, value, each)
    }
    fn traverse(&self, cx: &mut Cx, object: &PObject) -> Res<Box<dyn jumbo_abi::desc::NativeIterator>> {
        crate::traverse::traverse(cx, object)
    }
    fn include(&self, cx: &mut Cx, path: &PStr, kind: IncludeKind) -> Res<Value> {
        include::include(cx, path, kind)
    }
    fn compile_file(&self, cx: &mut Cx, path: &PStr) -> Res<bool> {
        include::compile_file(cx, path)
    }
    fn included_files(&self, cx: &mut Cx) -> Vec<PStr> {
        cx.state::<include::Included>().files.keys().map(|path| PStr::new(path)).collect()
    }
    fn resolve_include(&self, cx: &mut Cx, path: &[u8]) -> Option<Vec<u8>> {
        include::resolve(cx, path)
    }
    fn array_key(&self, cx: &mut Cx, value: &Value) -> Res<Key> {
        crate::dim::key(cx, value, crate::dim::KeyUse::Access)
    }
    fn eval(&self, cx: &mut Cx, code: &PStr, place: &[u8]) -> Res<Value> {
        include::eval(cx, code, (!place.is_empty()).then_some(place))
    }
    fn active_named_args(&self, cx: &Cx) -> Option<PArray> {
        let vm = Vm::of(cx);
        if vm.is_null() {
            return None;
        }
        // SAFETY: the machine is live; the running frame is the builtin's.
        unsafe {
            let fp = (*vm).fp;
            if fp.is_null() || (*fp).func.is_null() { None } else { (*fp).extra_ref().and_then(|e| e.named.clone()) }
        }
    }
    fn active_function(&self, cx: &Cx) -> Option<FnPtr> {
        let vm = Vm::of(cx);
        if vm.is_null() {
            return None;
        }
        // SAFETY: the machine is live.
        unsafe {
            let fp = (*vm).fp;
            if fp.is_null() || (*fp).func.is_null() { None } else { Some((*fp).function()) }
        }
    }
    fn active_construct(&self, cx: &Cx) -> Option<&'static str> {
        let vm = Vm::of(cx);
        if vm.is_null() {
            return None;
        }
        // SAFETY: the machine is live; the running frame of PHP code is at an instruction of its own.
        unsafe {
            let (fp, pc) = ((*vm).fp, (*vm).pc);
            let in_include = !fp.is_null() && (*fp).is_user() && !pc.is_null() && (*pc).op() == jumbo_bytecode::Op::Include;
            in_include.then(|| crate::include::word_of((*pc).c()))
        }
    }
    fn is_direct_call(&self, cx: &Cx) -> bool {
        let vm = Vm::of(cx);
        // SAFETY: the machine is live, and so is the frame on top.
        unsafe { !vm.is_null() && !(*vm).fp.is_null() && !(*(*vm).fp).func.is_null() && errors::is_direct_call((*vm).fp) }
    }
    fn is_frameless_call(&self, cx: &Cx) -> bool {
        let vm = Vm::of(cx);
        // SAFETY: as above.
        unsafe { !vm.is_null() && !(*vm).fp.is_null() && !(*(*vm).fp).func.is_null() && errors::is_frameless_call((*vm).fp) }
    }
    fn result_is_used(&self, cx: &Cx) -> bool {
        let vm = Vm::of(cx);
        if vm.is_null() {
            return true;
        }
        // SAFETY: the machine is live; the running builtin's frame is on top. A frame that native code made hands its result there.
        unsafe {
            let fp = (*vm).fp;
            fp.is_null() || (*fp).flags & crate::frame::flags::ENTRY != 0 || (*fp).result != u32::from(jumbo_bytecode::NONE)
        }
    }
    fn backtrace(&self, cx: &mut Cx, options: BacktraceOptions) -> PArray {
        errors::backtrace(cx, options)
    }
    fn caller_scope(&self, cx: &Cx) -> Option<ClassPtr> {
        // SAFETY: the frame is live.
        caller(cx).and_then(|fp| unsafe { (*fp).scope() })
    }
    fn caller_static_class(&self, cx: &Cx) -> Option<ClassPtr> {
        // SAFETY: the frame is live.
        caller(cx).and_then(|fp| unsafe { (*fp).static_class() })
    }
    fn caller_this(&self, cx: &Cx) -> Option<PObject> {
        // SAFETY: the frame is live.
        caller(cx).and_then(|fp| unsafe { crate::ops::calls::this_of(fp) })
    }
    fn caller_function(&self, cx: &Cx) -> Option<FnPtr> {
        // SAFETY: the frame is live.
        caller(cx).map(|fp| unsafe { (*fp).function() })
    }
    fn caller_args(&self, cx: &mut Cx) -> Option<Vec<Value>> {
        let fp = caller(cx)?;
        // SAFETY: the frame is live.
        unsafe {
            if (*fp).function().is(func_flags::MAIN) {
                return None;
            }
            // Named arguments of a variadic function are none of func_get_args().
            let args = errors::arguments(fp);
            Some(args.iter().filter(|(k, _)| matches!(k, KeyRef::Int(_))).map(|(_, v)| v.clone()).collect())
        }
    }
    fn caller_arg_count(&self, cx: &Cx) -> Option<u32> {
        let fp = caller(cx)?;
        // SAFETY: the frame is live.
        unsafe { if (*fp).function().is(func_flags::MAIN) { None } else { Some((*fp).nargs) } }
    }
    fn caller_file(&self, cx: &Cx) -> PStr {
        // SAFETY: the frame is live.
        caller(cx).map_or_else(PStr::empty, |fp| unsafe { errors::file_of(fp) })
    }
    fn caller_line(&self, cx: &Cx) -> u32 {
        // SAFETY: the frame is live.
        caller(cx).map_or(0, |fp| unsafe { errors::line_of(Vm::of(cx), fp) })
    }
    fn caller_strict(&self, cx: &Cx) -> bool {
        let vm = Vm::of(cx);
        // SAFETY: the frames are live.
        unsafe { !vm.is_null() && crate::vm::caller_is_strict((*vm).fp) }
    }
    fn is_called_strictly(&self, cx: &Cx) -> bool {
        let vm = Vm::of(cx);
        // SAFETY: the frames are live.
        unsafe {
            if vm.is_null() || (*vm).fp.is_null() {
                return false;
            }
            let fp = (*vm).fp;
            crate::vm::caller_is_strict(if (*fp).is_user() { fp } else { (*fp).prev })
        }
    }
    fn caller_variables(&self, cx: &mut Cx) -> PArray {
        match caller(cx) {
            // SAFETY: the frame is live.
            Some(fp) => unsafe { symbols::table_of(Vm::of(cx), fp).to_array(true) },
            None => self.globals(cx),
        }
    }
    fn caller_variable(&self, cx: &mut Cx, name: &[u8]) -> Option<Value> {
        let fp = caller(cx)?;
        // SAFETY: the frame is live.
        unsafe {
            let slot = symbols::table_of(Vm::of(cx), fp).find(name);
            if slot.is_null() { None } else { Some((*slot).copied().into_value()) }
        }
    }
    fn set_caller_variable(&self, cx: &mut Cx, name: &PStr, value: Value) -> Res<()> {
        let vm = Vm::of(cx);
        // SAFETY: the frame is live.
        unsafe {
            let table = match caller(cx) {
                Some(fp) => symbols::table_of(vm, fp),
                None => (*vm).globals.clone(),
            };
            types::assign(vm, table.slot(name), value.into_raw())
        }
    }
    fn caller_variable_ref(&self, cx: &mut Cx, name: &PStr) -> PRef {
        let vm = Vm::of(cx);
        // SAFETY: the frame is live.
        unsafe {
            let table = match caller(cx) {
                Some(fp) => symbols::table_of(vm, fp),
                None => (*vm).globals.clone(),
            };
            let reference = crate::ops::operand::make_ref(table.slot(name)).into_value();
            reference.as_ref().cloned().unwrap_or_else(|| PRef::new(Value::null()))
        }
    }
    fn bind_caller_variable(&self, cx: &mut Cx, name: &PStr, reference: &PRef) {
        let vm = Vm::of(cx);
        // SAFETY: the frame is live; the slot owns its value, which is exchanged before the old one is released.
        unsafe {
            let table = match caller(cx) {
                Some(fp) => symbols::table_of(vm, fp),
                None => (*vm).globals.clone(),
            };
            let old = table.slot(name).replace(Value::from(reference.clone()).into_raw());
            drop(old.into_value());
        }
    }
    fn global(&self, cx: &mut Cx, name: &[u8]) -> Option<Value> {
        // SAFETY: the machine is live.
        unsafe {
            let slot = (*Vm::of(cx)).globals.find(name);
            if slot.is_null() { None } else { Some((*slot).deref().copied().into_value()) }
        }
    }
    fn set_global(&self, cx: &mut Cx, name: &PStr, value: Value) {
        // SAFETY: the machine is live.
        unsafe {
            let slot = jumbo_value::Raw::deref_slot((*Vm::of(cx)).globals.slot(name));
            let old = std::mem::replace(&mut *slot, value.into_raw());
            old.release();
        }
    }
    fn bind_global(&self, cx: &mut Cx, name: &PStr, reference: &PRef) {
        // SAFETY: the machine is live; the slot owns its value, which is exchanged before the old one is released.
        unsafe {
            let slot = (*Vm::of(cx)).globals.slot(name);
            let old = std::mem::replace(&mut *slot, Value::from(reference.clone()).into_raw());
            drop(old.into_value());
        }
    }
    fn globals(&self, cx: &mut Cx) -> PArray {
        // SAFETY: the machine is live.
        unsafe { (*Vm::of(cx)).globals.to_array(true) }
    }
    fn log(&self, cx: &mut Cx, text: &[u8]) {
        log(cx, text);
    }
    fn run_pending_destructors(&self, cx: &mut Cx) -> Res<()> {
        objects::run_destructors(cx)
    }
    fn collect_cycles(&self, cx: &mut Cx) -> Res<usize> {
        crate::gc::collect(cx)
    }
    fn stack_is_low(&self, cx: &Cx) -> bool {
        let vm = Vm::of(cx);
        // SAFETY: the machine, if there is one, is live while builtins run.
        !vm.is_null() && unsafe { Vm::native_stack_is_low(vm) }
    }
    fn interrupted(&self, cx: &mut Cx) -> Res<()> {
        crate::limits::interrupted(cx)
    }
    fn set_time_limit(&self, cx: &mut Cx, seconds: u64) {
        crate::limits::set(cx, seconds);
    }
    fn count_cpu_time(&self, cx: &mut Cx, used: std::time::Duration) {
        crate::limits::count(cx, used);
    }
    fn suspend(&self, cx: &mut Cx) {
        crate::coroutine::suspend(cx);
    }
    fn param_default(&self, cx: &mut Cx, function: FnPtr, n: usize) -> Res<Option<Value>> {
        crate::class_constants::param_default(cx, function, n)
    }
    fn attribute_args(&self, cx: &mut Cx, unit: &Arc<Unit>, attribute: &Attribute, scope: Option<ClassPtr>) -> Res<Vec<(Key, Value)>> {
        crate::attributes::attribute_args(cx, unit, attribute, scope)
    }
    fn evaluate(&self, cx: &mut Cx, source: &jumbo_abi::class::ConstSource, scope: ClassPtr) -> Res<Value> {
        crate::class_constants::default_of(cx, source, scope)
    }
    fn raw_property(&self, cx: &mut Cx, object: &PObject, class: ClassPtr, name: &PStr) -> Res<Value> {
        inspect::raw_property(cx, object, class, name)
    }
    fn set_raw_property(&self, cx: &mut Cx, object: &PObject, class: ClassPtr, name: &PStr, value: Value) -> Res<()> {
        inspect::set_raw_property(cx, object, class, name, value)
    }
    fn property_is_initialized(&self, cx: &mut Cx, object: &PObject, name: &PStr, scope: Option<ClassPtr>) -> Res<bool> {
        inspect::property_is_initialized(cx, object, name, scope)
    }
    fn closure_info(&self, closure: &PObject) -> Option<jumbo_abi::inspect::ClosureInfo> {
        inspect::closure_info(closure)
    }
    fn static_variables(&self, cx: &mut Cx, function: FnPtr, closure: Option<&PObject>) -> PArray {
        inspect::static_variables(cx, function, closure)
    }
    fn generator_info(&self, cx: &mut Cx, generator: &PObject) -> Option<jumbo_abi::inspect::GeneratorInfo> {
        crate::generator::inspect::info(cx, generator)
    }
    fn generator_trace(&self, cx: &mut Cx, generator: &PObject, options: BacktraceOptions) -> PArray {
        crate::generator::inspect::trace(cx, generator, options)
    }
    fn fiber_info(&self, cx: &mut Cx, fiber: &PObject, options: BacktraceOptions) -> jumbo_abi::inspect::FiberInfo {
        crate::fiber::inspect::info(cx, fiber, options)
    }
    fn lazy(&self, cx: &mut Cx, what: jumbo_abi::lazy::Lazy<'_>) -> Res<Value> {
        crate::lazy::ask(cx, what)
    }
    fn make_closure(&self, cx: &mut Cx, callable: &Callable) -> Res<PObject> {
        closure::make_closure(cx, callable)
    }
}
