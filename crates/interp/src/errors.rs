//! Diagnostics and exceptions: raising, traces, the user's handlers, and what is shown when nothing handles them.

use crate::frame::{Frame, flags};
use crate::trace_words::WORDS;
use crate::vm::Vm;
use jumbo_abi::engine::BacktraceOptions;
use jumbo_abi::request::CallSite;
pub use jumbo_abi::throwable::{Handlers, slots};
use jumbo_abi::{ClassPtr, Cx, Level, Message, Res, Stop, func_flags};
use jumbo_bytecode::Op;
use jumbo_value::{HeapCharge, OutOfMemory, PArray, PObject, PStr, PStrBuilder, Value, View};

/// Frame whose code runs now or called the running builtin, from `fp` down; null when there is none.
///
/// # Safety
/// The machine is live.
pub unsafe fn user_frame(vm: *mut Vm) -> *mut Frame {
    // SAFETY: as promised.
    unsafe { user_frame_from((*vm).fp) }
}

/// The same, looked for from a frame on.
///
/// # Safety
/// `fp` is a live frame or null.
pub unsafe fn user_frame_from(fp: *mut Frame) -> *mut Frame {
    // SAFETY: frames below a live one are live.
    unsafe {
        let mut fp = fp;
        while !fp.is_null() && (!(*fp).is_user() || is_plain_constant((*fp).function())) {
            fp = (*fp).prev;
        }
        fp
    }
}

/// Frame whose place messages and exceptions have: while an expression of a class is evaluated they stand there, whatever code it calls;
/// else that of [`user_frame`].
///
/// # Safety
/// The machine is live.
unsafe fn place_frame(vm: *mut Vm) -> *mut Frame {
    // SAFETY: frames below a live one are live.
    unsafe {
        if crate::class_constants::is_evaluating(Vm::cx(vm)) {
            let (mut fp, mut above) = ((*vm).fp, std::ptr::null_mut::<Frame>());
            while !fp.is_null() {
                if !(*fp).func.is_null() && is_expression_of_class((*fp).function()) {
                    if !loads_class(above) {
                        return fp;
                    }
                    break;
                }
                (above, fp) = (fp, (*fp).prev);
            }
        }
        user_frame(vm)
    }
}

fn is_expression_of_class(function: jumbo_abi::FnPtr) -> bool {
    function.is(func_flags::THUNK) && function.scope.is_some() && !is_plain_constant(function)
}

/// Is this what a constant expression has called an autoloader of the class that it names? That one forgets the expression.
///
/// # Safety
/// `above` is the frame that the expression's has called, or null.
unsafe fn loads_class(above: *mut Frame) -> bool {
    // SAFETY: as promised; the caller's code is live.
    unsafe {
        !above.is_null()
            && !(*above).function().is(func_flags::THUNK)
            && !(*above).call_pc.is_null()
            && (*(*above).call_pc).op() == jumbo_bytecode::Op::ClassConst
    }
}

/// Name of the function of a constant expression that is but the name of a constant: its evaluation is an affair of the code that asks.
pub const PLAIN_CONSTANT: &[u8] = b"";

fn is_plain_constant(function: jumbo_abi::FnPtr) -> bool {
    function.is(func_flags::THUNK) && function.name.as_bytes() == PLAIN_CONSTANT
}

/// Line that a frame stands at.
///
/// # Safety
/// `fp` is a live frame of PHP code.
pub unsafe fn line_of(vm: *mut Vm, fp: *mut Frame) -> u32 {
    // SAFETY: the pc of a frame that is not on top is kept by the frame above it.
    unsafe {
        let pc = if fp == (*vm).fp {
            (*vm).pc
        } else {
            let mut above = (*vm).fp;
            while !above.is_null() && (*above).prev != fp {
                above = (*above).prev;
            }
            if above.is_null() { std::ptr::null() } else { (*above).call_pc }
        };
        line_at(fp, pc)
    }
}

/// Line of the instruction at `pc` in a frame's code.
///
/// # Safety
/// `fp` is a live frame of PHP code; `pc` is null or was its place at some time.
pub unsafe fn line_at(fp: *mut Frame, pc: *const jumbo_bytecode::Insn) -> u32 {
    // SAFETY: `pc` is in the frame's code or null.
    unsafe {
        let proto = (*(*fp).func).proto_unchecked();
        if pc.is_null() {
            return proto.line_start;
        }
        let at = (pc as usize).wrapping_sub(proto.code.as_ptr() as usize) / size_of::<jumbo_bytecode::Insn>();
        if at < proto.code.len() { proto.line_at(at as u32) } else { proto.line_start }
    }
}

/// File of a frame of PHP code.
///
/// # Safety
/// `fp` is a live frame of PHP code.
pub unsafe fn file_of(fp: *mut Frame) -> PStr {
    // SAFETY: as promised.
    unsafe { (*(*fp).func).unit().map_or_else(PStr::empty, |u| u.file.clone()) }
}

/// Raises a diagnostic: the user's handler, then PHP's own display and log. Errors that end the request give `Err(Fatal)`.
pub fn raise(cx: &mut Cx, level: Level, message: &[u8]) -> Res<()> {
    let vm = Vm::of(cx);
    // SAFETY: the machine is live.
    let (file, line) = unsafe {
        let fp = if vm.is_null() { std::ptr::null_mut() } else { place_frame(vm) };
        if fp.is_null() { (PStr::new(b"Unknown"), 0) } else { (file_of(fp), line_of(vm, fp)) }
    };
    raise_at(cx, level, message, file, line)
}

/// Messages below this size are not looked at, whatever the limit.
const SHORT_BYTES: usize = 64 << 10;

/// A message as a string of the request heap.
fn copied(message: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut text = PStrBuilder::with_capacity(message.len())?;
    text.extend(message)?;
    Ok(text.finish())
}

/// A message with anonymous classes' names as PHP shows them: up to their NUL, without the place behind it.
pub fn shown(message: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    const MARK: &[u8] = b"@anonymous\0";
    if !message.contains(&0) {
        return message.into();
    }
    let mut out = Vec::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.windows(MARK.len()).position(|w| w == MARK) {
        let (before, behind) = rest.split_at(at + MARK.len());
        out.extend_from_slice(&before[..before.len() - 1]);
        // The place ends with `$` and a number in hexadecimal digits.
        let end = behind.iter().position(|&b| b == b'$').map_or(behind.len(), |d| {
            d + 1 + behind[d + 1..].iter().take_while(|b| b.is_ascii_hexdigit()).count()
        });
        rest = &behind[end..];
    }
    out.extend_from_slice(rest);
    out.into()
}

/// As [`raise`], at a place.
pub fn raise_at(cx: &mut Cx, level: Level, message: &[u8], file: PStr, line: u32) -> Res<()> {
    let result = match level {
        // What the program says itself is said as it is.
        Level::UserError | Level::UserWarning | Level::UserNotice => raise_text(cx, level, message, file, line),
        _ => raise_text(cx, level, &shown(message), file, line),
    };
    if let Err(Stop::Fatal) = result {
        // No destructor is called any more, not for what goes while the stack is unwound either.
        jumbo_value::Heap::current().mark_all_destructed();
    }
    result
}

/// As [`raise_at`], with the message as it is.
fn raise_text(cx: &mut Cx, level: Level, message: &[u8], file: PStr, line: u32) -> Res<()> {
    if !level.is_fatal() && crate::despite::is_despite(cx) {
        return Err(Stop::Thrown);
    }
    let file = if file.is_empty() { PStr::new(b"Unknown") } else { file };
    if matches!(level, Level::Warning | Level::UserWarning)
        && let Some(class) = cx.warnings_thrown_as()
    {
        return Err(cx.throw(class, message));
    }
    if level.is_fatal()
        && let Some(exception) = cx.exception.take()
    {
        // The request ends with the exception still on its way, which is told of before.
        let handler = cx.state::<Handlers>().error.take();
        let told = report_as(cx, exception, Level::Warning);
        cx.state::<Handlers>().error = handler;
        told?;
    }
    let is_thrown = cx.exception.is_some();
    let handler = cx.state::<Handlers>();
    let wants = |mask: u32| mask & level as u32 != 0 && !uncatchable(level);
    if is_thrown && handler.error.as_ref().is_some_and(|(_, mask)| wants(*mask)) {
        // No PHP code runs while an exception is on its way: the handler is not asked, and nothing is told.
        return Ok(());
    }
    // While it runs there is no handler, unless it sets another one, which then stays.
    let user = handler.error.take_if(|(_, mask)| wants(*mask));
    if let Some((callable, mask)) = user {
        let args = [
            Value::from(level as u32 as i64),
            Value::from(copied(message)?),
            Value::from(file.clone()),
            Value::from(line as i64),
        ];
        let stacked = cx.state::<Handlers>().error_stack.len();
        let answer = cx.call(&callable, &args);
        let handlers = cx.state::<Handlers>();
        // restore_error_handler() inside the handler took it out of force.
        if handlers.error_stack.len() >= stacked {
            handlers.error.get_or_insert((callable, mask));
        } else {
            drop(callable);
            crate::objects::run_destructors(cx)?;
        }
        match answer?.view() {
            View::Bool(false) => {}
            _ => return if level.is_fatal() && level != Level::UserError && level != Level::RecoverableError { fatal(cx) } else { Ok(()) },
        }
    }
    if is_repeated(cx, message, &file, line) {
        return if level.is_fatal() { fatal(cx) } else { Ok(()) };
    }
    let state = cx.state::<Handlers>();
    state.last_error = None;
    let text = copied(message)?;
    cx.state::<Handlers>().last_error = Some((level as u32, text, file.clone(), line));
    if cx.error_level & level as u32 != 0 || (level.is_fatal() && cx.error_level & level as u32 != 0) {
        show(cx, level.label(), message, file.as_bytes(), line)?;
    }
    if level.is_fatal() {
        return fatal(cx);
    }
    Ok(())
}

/// Is it the last message again, and shall it not be shown again (ignore_repeated_errors, ignore_repeated_source)?
fn is_repeated(cx: &mut Cx, message: &[u8], file: &PStr, line: u32) -> bool {
    if !cx.ini.bool("ignore_repeated_errors") {
        return false;
    }
    let any_place = cx.ini.bool("ignore_repeated_source");
    let last = &cx.state::<Handlers>().last_error;
    last.as_ref().is_some_and(|(_, m, f, l)| m.as_bytes() == message && (any_place || (f.as_bytes() == file.as_bytes() && *l == line)))
}

fn fatal(cx: &mut Cx) -> Res<()> {
    cx.exit_status = 255;
    // Visitors are not told; but no success is claimed either, as long as the response's head can still be changed.
    if !cx.output.head.sent && !displays(cx.ini.str("display_errors")) {
        let head = &mut cx.output.head;
        head.hides_failure = true;
        if matches!(head.status, 0 | 200) {
            head.status = 500;
        }
    }
    Err(Stop::Fatal)
}

fn uncatchable(level: Level) -> bool {
    matches!(
        level,
        Level::Error | Level::Parse | Level::CoreError | Level::CoreWarning | Level::CompileError | Level::CompileWarning
    )
}

/// What `display_errors` says about the output; `stdout` is a way to say yes.
fn displays(setting: &[u8]) -> bool {
    jumbo_abi::ini::parse_bool(setting) || setting.eq_ignore_ascii_case(b"stdout")
}

/// Displays and logs a message as display_errors, html_errors and log_errors say.
pub fn show(cx: &mut Cx, label: &str, message: &[u8], file: &[u8], line: u32) -> Res<()> {
    let line_text = line.to_string();
    if cx.ini.bool("log_errors") {
        let text = [b"PHP ".as_slice(), label.as_bytes(), b":  ", message, b" in ", file, b" on line ", line_text.as_bytes()];
        crate::engine::log_pieces(cx, &text);
    }
    let display = cx.ini.str("display_errors");
    if display.eq_ignore_ascii_case(b"stderr") {
        crate::engine::write_stderr(&[label.as_bytes(), b": ", message, b" in ", file, b" on line ", line_text.as_bytes(), b"\n"]);
        return Ok(());
    }
    if !displays(display) {
        return Ok(());
    }
    let is_html = cx.ini.bool("html_errors");
    let shown_bytes = if is_html { escaped_len(message).saturating_mul(2) } else { message.len() };
    let around = cx.ini.str("error_prepend_string").len() + cx.ini.str("error_append_string").len();
    // The text is made here, and escaped before. A short one needs no look at the limit, which may be what it tells of.
    let _charge = match shown_bytes + around {
        0..SHORT_BYTES => HeapCharge::none(),
        long => HeapCharge::new(long)?,
    };
    let (prepend, append) = (cx.ini.str("error_prepend_string"), cx.ini.str("error_append_string"));
    let text = if is_html {
        [
            prepend,
            b"<br />\n<b>".as_slice(),
            label.as_bytes(),
            b"</b>:  ",
            &escape(message),
            b" in <b>",
            &escape(file),
            b"</b> on line <b>",
            line_text.as_bytes(),
            b"</b><br />\n",
            append,
        ]
        .concat()
    } else {
        [prepend, b"\n".as_slice(), label.as_bytes(), b": ", message, b" in ", file, b" on line ", line_text.as_bytes(), b"\n", append].concat()
    };
    cx.write(&text)
}

/// What a byte becomes in HTML, if not itself.
fn entity(byte: u8) -> Option<&'static [u8]> {
    Some(match byte {
        b'&' => b"&amp;",
        b'<' => b"&lt;",
        b'>' => b"&gt;",
        b'"' => b"&quot;",
        b'\'' => b"&#039;",
        _ => return None,
    })
}

fn escaped_len(text: &[u8]) -> usize {
    text.iter().map(|b| entity(*b).map_or(1, <[u8]>::len)).sum()
}

fn escape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(escaped_len(text));
    for &b in text {
        match entity(b) {
            Some(entity) => out.extend_from_slice(entity),
            None => out.push(b),
        }
    }
    out
}

/// Creates an exception of a class and throws it.
pub fn throw_new(cx: &mut Cx, class: ClassPtr, message: &[u8], code: i64) -> Stop {
    let text = match copied(&shown(message)) {
        Ok(text) => text,
        Err(refused) => return refused.into(),
    };
    match cx.new_object(class) {
        Ok(object) => {
            object.set_slot(slots::MESSAGE, Value::from(text));
            if code != 0 {
                object.set_slot(slots::CODE, Value::from(code));
            }
            throw_object(cx, object)
        }
        Err(stop) => stop,
    }
}

/// Makes an exception the pending one. One that was pending already becomes its last `previous`.
pub fn throw_object(cx: &mut Cx, object: PObject) -> Stop {
    if let Some(before) = cx.exception.take()
        && !crate::fiber::is_graceful_exit(&before)
    {
        chain(cx, &object, before);
    }
    cx.exception = Some(object);
    Stop::Thrown
}

/// Slot of a Throwable's property: builtin ones have fixed slots.
fn get(object: &PObject, slot: u32) -> Value {
    object.slot(slot).copy_deref()
}

/// An exception and its previous ones, each once.
fn chain_of(exception: &PObject) -> Vec<PObject> {
    let mut chain = vec![exception.clone()];
    while let Some(previous) = chain.last().and_then(|e| get(e, slots::PREVIOUS).as_object().cloned()) {
        if chain.contains(&previous) {
            break;
        }
        chain.push(previous);
    }
    chain
}

/// Appends `before` to the end of the chain of previous exceptions of `new`.
pub fn chain(_cx: &mut Cx, new: &PObject, before: PObject) {
    // What unwinds a destroyed fiber is no Throwable: it is forgotten when a real one comes.
    if *new == before || crate::fiber::is_graceful_exit(&before) || crate::fiber::is_graceful_exit(new) {
        return;
    }
    // Do the chains meet? Then nothing is appended: it would be a circle.
    let known = chain_of(&before);
    let own = chain_of(new);
    if own.iter().any(|e| known.contains(e)) {
        return;
    }
    let Some(last) = own.last() else { return };
    last.set_slot(slots::PREVIOUS, Value::from(before));
}

/// Fills file, line and trace of a new Throwable: the `create` hook of Exception and Error.
pub fn fill_throwable(cx: &mut Cx, object: &PObject) -> Res<()> {
    let vm = Vm::of(cx);
    // SAFETY: the machine is live.
    unsafe {
        let fp = place_frame(vm);
        if !fp.is_null() {
            object.set_slot(slots::FILE, Value::from(file_of(fp)));
            object.set_slot(slots::LINE, Value::from(line_of(vm, fp) as i64));
        } else {
            object.set_slot(slots::FILE, Value::from(PStr::new(b"[no active file]")));
            object.set_slot(slots::LINE, Value::from(0i64));
        }
    }
    let with_args = !cx.ini.bool("zend.exception_ignore_args");
    let trace = backtrace(cx, BacktraceOptions { with_object: false, with_args, limit: 0, skip: 0 });
    let function = trace.get_int(0).and_then(Value::as_array).and_then(|entry| entry.get_str(&WORDS.function)).and_then(Value::as_bytes);
    // SAFETY: the machine is live.
    if function == Some(CONSTANT_EXPRESSION)
        && let Some((file, line)) = unsafe { constant_place(vm) }
    {
        object.set_slot(slots::FILE, Value::from(file));
        object.set_slot(slots::LINE, Value::from(line as i64));
    }
    object.set_slot(slots::TRACE, Value::from(trace));
    Ok(())
}

/// What traces call the evaluation of a constant expression.
const CONSTANT_EXPRESSION: &[u8] = b"[constant expression]";

/// Where the constant expression is that is evaluated: whatever is thrown meanwhile has its place, also in the functions that it calls.
///
/// # Safety
/// The machine is live.
unsafe fn constant_place(vm: *mut Vm) -> Option<(PStr, u32)> {
    // SAFETY: frames below the running one are live.
    unsafe {
        let (mut fp, mut pc) = ((*vm).fp, (*vm).pc);
        while !fp.is_null() {
            let func = (*fp).func;
            if !func.is_null() && (*func).is(func_flags::THUNK) && !(*func).name.is_empty() {
                return Some((file_of(fp), line_at(fp, pc)));
            }
            (fp, pc) = ((*fp).prev, (*fp).call_pc);
        }
    }
    None
}

/// Is this a call of a builtin that PHP compiles to opcodes, known when the code was compiled? Such a call is none in traces: what it
/// calls stands in its place. (In a namespace the name may mean another function until it runs, and the call is shown.)
///
/// # Safety
/// The frame is live.
unsafe fn is_compiled_call(fp: *mut Frame) -> bool {
    // SAFETY: promised by the caller; the place of a call is in its caller's code.
    unsafe {
        let caller = (*fp).prev;
        !(*fp).is_user()
            && (*fp).function().scope.is_none()
            && match (*fp).function().name.as_bytes() {
                b"call_user_func" | b"call_user_func_array" => true,
                b"count" | b"sizeof" | b"strlen" | b"strval" | b"intval" | b"boolval" | b"floatval" | b"doubleval" | b"gettype" => (*fp).nargs == 1,
                b"get_class" => (*fp).nargs <= 1,
                b"get_called_class" => (*fp).nargs == 0,
                b"func_num_args" | b"func_get_args" => (*fp).nargs == 0 && !caller.is_null() && !(*caller).func.is_null() && !(*caller).function().is(func_flags::MAIN),
                b"array_key_exists" => (*fp).nargs == 2,
                _ => false,
            }
            && is_direct_call(fp)
    }
}

/// Is this a call of a builtin by its name, with its arguments written out?
///
/// # Safety
/// The frame is live.
pub unsafe fn is_direct_call(fp: *mut Frame) -> bool {
    // SAFETY: promised by the caller; the place of a call is in its caller's code.
    unsafe {
        let caller = (*fp).prev;
        !(*fp).is_user()
            && !caller.is_null()
            && !(*caller).func.is_null()
            && (*caller).is_user()
            && !(*fp).call_pc.is_null()
            && match (*(*fp).call_pc).op() {
                Op::CallBuiltin => (*(*fp).call_pc.add(1)).0 >> 32 == 0,
                op => matches!(op, Op::Count | Op::Strlen),
            }
    }
}

/// As [`is_direct_call`], or is it one that found the builtin because the namespace has no function of that name? PHP finds its "frameless"
/// functions so as well, but not those that are opcodes.
///
/// # Safety
/// The frame is live.
pub unsafe fn is_frameless_call(fp: *mut Frame) -> bool {
    // SAFETY: promised by the caller.
    unsafe {
        let caller = (*fp).prev;
        is_direct_call(fp)
            || !(*fp).is_user()
                && !caller.is_null()
                && !(*caller).func.is_null()
                && (*caller).is_user()
                && !(*fp).call_pc.is_null()
                && !(*fp).is(flags::DYNAMIC)
                && matches!((*(*fp).call_pc).op(), Op::Call | Op::CallBuiltin)
    }
}

/// The call stack as debug_backtrace shows it: one entry a call, innermost first.
pub fn backtrace(cx: &mut Cx, options: BacktraceOptions) -> PArray {
    let vm = Vm::of(cx);
    if vm.is_null() {
        return PArray::new();
    }
    // SAFETY: the frames of the machine are live.
    unsafe { backtrace_from(cx, (*vm).fp, std::ptr::null_mut(), options) }
}

/// As [`backtrace`], from the frame `top` to before `bottom`.
///
/// Constant expressions are no calls: what they call stands where the expression is evaluated. As long as one is evaluated, the trace
/// begins with an entry of its own for `[constant expression]`, with the place of the running code. (An autoloader forgets the expression.)
///
/// # Safety
/// The frames from `top` on are live.
pub unsafe fn backtrace_from(cx: &mut Cx, top: *mut Frame, bottom: *mut Frame, options: BacktraceOptions) -> PArray {
    let mut trace = PArray::new();
    // SAFETY: frames are live; arguments are in their slots (parameters may have been reassigned, as in PHP).
    unsafe {
        let mut fp = top;
        let mut skip = options.skip;
        let (mut above, mut in_constant) = (std::ptr::null_mut::<Frame>(), false);
        while !fp.is_null() && fp != bottom {
            if (*fp).func.is_null() {
                // The bottom of a fiber's stack: on with the frame that resumed it.
                fp = (*fp).prev;
                continue;
            }
            let func = (*fp).function();
            let caller = (*fp).prev;
            if func.is(func_flags::THUNK) {
                in_constant |= !func.name.is_empty() && !loads_class(above);
                above = fp;
                fp = caller;
                continue;
            }
            above = fp;
            if (*fp).is(flags::ENTERING) {
                fp = caller;
                continue;
            }
            if skip > 0 {
                skip -= 1;
                fp = caller;
                continue;
            }
            if options.limit != 0 && trace.len() >= options.limit {
                break;
            }
            if is_compiled_call(fp) {
                fp = caller;
                continue;
            }
            let direct = !caller.is_null() && !(*caller).func.is_null() && is_compiled_call(caller);
            let (mut shown, mut call_pc) = if direct { ((*caller).prev, (*caller).call_pc) } else { (caller, (*fp).call_pc) };
            while !shown.is_null()
                && !(*shown).func.is_null()
                && ((*shown).function().is(func_flags::THUNK) || (*shown).is(flags::ENTERING))
            {
                (shown, call_pc) = ((*shown).prev, (*shown).call_pc);
            }
            let place = if !shown.is_null() && !(*shown).func.is_null() && (*shown).is_user() {
                Some((file_of(shown), line_at(shown, call_pc)))
            } else {
                call_site(cx, shown).map(|site| (site.file.clone(), site.line))
            };
            if func.is(func_flags::MAIN) {
                let mut entry = place_entry(place);
                // An included file or eval; the main script itself is no call.
                let Some(kind) = (*fp).extra_ref().and_then(|e| e.unit.as_ref()).map(|_| crate::include::kind_name(fp)) else {
                    fp = caller;
                    continue;
                };
                // The innermost entry has no argument, as PHP takes it from the entry before.
                if (*fp).is(flags::INCLUDED) && kind != "eval" && !trace.is_empty() {
                    let mut args = PArray::new();
                    args.append(file_of(fp));
                    if options.with_args {
                        entry.set_str(&WORDS.args, args);
                    }
                }
                entry.set_str(&WORDS.function, PStr::new(kind.as_bytes()));
                trace.append(entry);
                fp = caller;
                continue;
            }
            let name = magic_name_of(fp);
            let magic_place = if name.is_some() { None } else { place.clone() };
            trace.append(call_entry(cx, fp, magic_place, options));
            if let Some(name) = name
                && (options.limit == 0 || trace.len() < options.limit)
            {
                trace.append(magic_entry(cx, fp, name, place.clone(), options));
            }
            if (*fp).is(flags::INVOKED) && !(*fp).is(flags::GENERATOR) && (options.limit == 0 || trace.len() < options.limit) {
                trace.append(invoke_entry(cx, fp, place, options));
            }
            if !caller.is_null() && (*caller).is_user() && !call_pc.is_null() && (*call_pc).op() == jumbo_bytecode::Op::Include {
                // Called from inside an include that has not got as far as its file (an error handler): it shows as a call.
                let mut entry = place_entry(Some((file_of(caller), line_at(caller, call_pc))));
                entry.set_str(&WORDS.function, PStr::new(crate::include::word_of((*call_pc).c()).as_bytes()));
                trace.append(entry);
            }
            fp = caller;
        }
        let vm = Vm::of(cx);
        if in_constant && top == (*vm).fp {
            let mut entry = place_entry(running_place(vm));
            entry.set_str(&WORDS.function, PStr::new(CONSTANT_EXPRESSION));
            if options.with_args {
                entry.set_str(&WORDS.args, PArray::new());
            }
            let mut whole = PArray::new();
            whole.append(entry);
            for (_, call) in &trace {
                whole.append(call.clone());
            }
            return whole;
        }
    }
    trace
}

/// File and line of the running code that is no constant expression.
///
/// # Safety
/// The machine is live.
unsafe fn running_place(vm: *mut Vm) -> Option<(PStr, u32)> {
    // SAFETY: frames below the running one are live.
    unsafe {
        let (mut fp, mut pc) = ((*vm).fp, (*vm).pc);
        while !fp.is_null() {
            if (*fp).is_user() && !(*fp).function().is(func_flags::THUNK) {
                return Some((file_of(fp), line_at(fp, pc)));
            }
            (fp, pc) = ((*fp).prev, (*fp).call_pc);
        }
    }
    None
}

/// Frames of builtins that call in the name of code elsewhere, innermost last.
#[derive(Default)]
pub struct CallSites(pub Vec<(*mut Frame, CallSite)>);

/// The place in code that a builtin's running call stands for, if it said so.
pub fn call_site(cx: &mut Cx, caller: *mut Frame) -> Option<&CallSite> {
    cx.state::<CallSites>().0.iter().rev().find(|(frame, _)| std::ptr::eq(*frame, caller)).map(|(_, site)| site)
}

/// Where the code is that makes a call with `caller` on top.
///
/// # Safety
/// The frame is the running one, or null.
pub unsafe fn call_place(cx: &mut Cx, caller: *mut Frame) -> Option<(PStr, u32)> {
    // SAFETY: as promised.
    if !caller.is_null() && unsafe { (*caller).is_user() } {
        let engine = cx.engine();
        return Some((engine.caller_file(cx), engine.caller_line(cx)));
    }
    call_site(cx, caller).map(|site| (site.file.clone(), site.line))
}

/// The beginning of the entry of a trace: where the call is, if that is known.
pub(crate) fn place_entry(place: Option<(PStr, u32)>) -> PArray {
    let mut entry = PArray::with_hash_capacity(8);
    if let Some((file, line)) = place {
        entry.set_str(&WORDS.file, file);
        entry.set_str(&WORDS.line, i64::from(line));
    }
    entry
}

/// The entry of a trace for `Closure->__invoke()`, by which the frame of a closure was called.
///
/// # Safety
/// `fp` is a live frame of a function.
unsafe fn invoke_entry(cx: &mut Cx, fp: *mut Frame, place: Option<(PStr, u32)>, options: BacktraceOptions) -> PArray {
    let mut entry = place_entry(place);
    // SAFETY: as promised.
    unsafe {
        entry.set_str(&WORDS.function, PStr::new(b"__invoke"));
        entry.set_str(&WORDS.class, PStr::new(b"Closure"));
        if options.with_object
            && let Some(closure) = (*fp).closure()
        {
            entry.set_str(&WORDS.object, PObject::clone(&closure));
        }
        entry.set_str(&WORDS.kind, PStr::clone(&WORDS.on_object));
        if options.with_args {
            let args = arguments(fp);
            entry.set_str(&WORDS.args, hide_sensitive(cx, (*fp).function(), args));
        }
    }
    entry
}

/// The name of the method that a closure of one that is not there stands for, when it has called `__call` or `__callStatic` in `fp`.
///
/// # Safety
/// `fp` is a live frame.
unsafe fn magic_name_of(fp: *mut Frame) -> Option<PStr> {
    // SAFETY: as promised.
    unsafe {
        let name = (*fp).extra_ref()?.magic_name.as_ref()?;
        ((*fp).closure().is_some() && !(*fp).is(flags::GENERATOR)).then(|| name.clone())
    }
}

/// The entry for the call of such a closure, which shows as a builtin that has called the magic method.
///
/// # Safety
/// `fp` is a live frame of a magic method.
unsafe fn magic_entry(cx: &mut Cx, fp: *mut Frame, name: PStr, place: Option<(PStr, u32)>, options: BacktraceOptions) -> PArray {
    // SAFETY: as promised.
    let mut entry = unsafe { call_entry(cx, fp, place, options) };
    entry.set_str(&WORDS.function, name);
    let passed = entry.get_str(&WORDS.args).and_then(Value::as_array).and_then(|args| args.get_int(1)).map(Value::copy_deref);
    if let Some(passed) = passed {
        entry.set_str(&WORDS.args, passed);
    }
    entry
}

/// The entry of a trace for the call that a frame is. `place`: where it was called.
///
/// # Safety
/// `fp` is a live frame of a function.
pub unsafe fn call_entry(cx: &mut Cx, fp: *mut Frame, place: Option<(PStr, u32)>, options: BacktraceOptions) -> PArray {
    let mut entry = place_entry(place);
    // SAFETY: as promised.
    unsafe {
        let func = (*fp).function();
        entry.set_str(&WORDS.function, func.name.clone());
        if let Some(class) = func.scope.filter(|_| !func.is(func_flags::THUNK)) {
            entry.set_str(&WORDS.class, class.name.clone());
            if !(*fp).this.is_null() {
                if options.with_object {
                    entry.set_str(&WORDS.object, crate::vm::object_clone((*fp).this));
                }
                entry.set_str(&WORDS.kind, PStr::clone(&WORDS.on_object));
            } else {
                entry.set_str(&WORDS.kind, PStr::clone(&WORDS.on_class));
            }
        }
        if options.with_args {
            let args = arguments(fp);
            entry.set_str(&WORDS.args, hide_sensitive(cx, func, args));
        }
    }
    entry
}

/// File and line of the first frame of PHP code from `top` to before `bottom`; `pc` is where `top` stands.
///
/// # Safety
/// The frames from `top` on are live.
pub unsafe fn place_above(top: *mut Frame, pc: *const jumbo_bytecode::Insn, bottom: *mut Frame) -> Option<(PStr, u32)> {
    // SAFETY: as promised.
    unsafe {
        let (mut fp, mut pc) = (top, pc);
        while !fp.is_null() && fp != bottom {
            if (*fp).is_user() {
                return Some((file_of(fp), line_at(fp, pc)));
            }
            pc = (*fp).call_pc;
            fp = (*fp).prev;
        }
    }
    None
}

/// The arguments of a call with those of `#[SensitiveParameter]` parameters wrapped, which dumps do not look into.
fn hide_sensitive(cx: &mut Cx, func: jumbo_abi::FnPtr, args: PArray) -> PArray {
    let marked = |n: usize| match (func.proto(), func.desc()) {
        (Some(proto), _) => proto
            .params
            .get(n)
            .is_some_and(|p| p.attributes.iter().any(|a| a.name.lower.as_bytes() == b"sensitiveparameter")),
        (None, Some(desc)) => desc.params.get(n).is_some_and(|p| p.sensitive),
        (None, None) => false,
    };
    let count = func.params as usize + func.is(func_flags::VARIADIC) as usize;
    if !(0..count).any(marked) {
        return args;
    }
    let last = count - 1;
    let mut shown = PArray::new();
    for (key, value) in args.entries() {
        let n = match &key {
            jumbo_value::Key::Int(n) => usize::try_from(*n).unwrap_or(last).min(last),
            jumbo_value::Key::Str(_) => last,
        };
        // Extra arguments of a function that is not variadic belong to no parameter.
        let extra = matches!(&key, jumbo_value::Key::Int(n) if *n as usize > last) && !func.is(func_flags::VARIADIC);
        if extra || !marked(n) {
            shown.set(key, value);
            continue;
        }
        let class = cx.builtin_class(b"sensitiveparametervalue");
        let hidden = match cx.new_object(class) {
            Ok(object) => {
                object.set_slot(0, value);
                Value::from(object)
            }
            // Out of memory: the value is lost rather than shown.
            Err(_) => Value::null(),
        };
        shown.set(key, hidden);
    }
    shown
}

/// A class name as traces show it: what makes an anonymous class unique is left out.
fn class_in_trace(name: &[u8]) -> &[u8] {
    jumbo_value::string::up_to_nul(name)
}

/// Arguments of a frame's call, named ones of a variadic function by name.
///
/// # Safety
/// `fp` is a live frame.
pub unsafe fn arguments(fp: *mut Frame) -> PArray {
    // SAFETY: as promised.
    unsafe {
        let func = (*fp).function();
        let mut args = PArray::new();
        let shown = if (*fp).is_user() { (*fp).nargs.min(func.params) } else { (*fp).nargs };
        for n in 0..shown as usize {
            let mut raw = *Frame::cv(fp, n);
            // While an included file runs, it may have the variable.
            if raw.is_undef()
                && let Some(table) = (*fp).extra_ref().and_then(|e| e.symbols.as_ref())
                && let Some(name) = func.proto().and_then(|p| p.cvs.get(n))
            {
                let slot = table.find(name.as_bytes());
                if !slot.is_null() {
                    raw = *slot;
                }
            }
            let value = if raw.is_undef() { Value::null() } else { raw.deref().copied().into_value() };
            args.append(value);
        }
        if (*fp).is_user() && func.is(func_flags::VARIADIC) {
            let kept = (*fp).extra_ref().and_then(|extra| extra.named.clone()).map(Value::from);
            let rest = kept.unwrap_or_else(|| (*Frame::cv(fp, func.params as usize)).deref().copied().into_value());
            if let Some(rest) = rest.as_array() {
                let mut passed = (*fp).nargs.saturating_sub(func.params);
                for (k, v) in rest {
                    match k {
                        jumbo_value::KeyRef::Str(s) => args.set_str(s, v.copy_deref()),
                        jumbo_value::KeyRef::Int(_) if passed > 0 => {
                            passed -= 1;
                            args.append(v.copy_deref());
                        }
                        jumbo_value::KeyRef::Int(_) => {}
                    }
                }
            }
        } else if let Some(extra) = (*fp).extra_ref() {
            for v in &extra.args {
                args.append(v.copy_deref());
            }
            for (name, v) in extra.named.iter().flatten() {
                args.set(name.to_key(), v.copy_deref());
            }
        }
        args
    }
}

/// A text of a trace's entry. A program may have written to the trace: what is no string is said to be unknown.
fn entry_text(cx: &mut Cx, entry: &PArray, key: &[u8], word: &str, unknown: &[u8]) -> Res<Option<PStr>> {
    let Some(value) = entry.get_bytes(key).map(Value::copy_deref) else { return Ok(None) };
    if let Some(text) = value.as_str() {
        return Ok(Some(text.clone()));
    }
    raise(cx, Level::Warning, format!("{word} is not a string").as_bytes())?;
    Ok(Some(PStr::new(unknown)))
}

/// `#0 file(line): function(args)` lines of a trace array, as getTraceAsString gives them.
pub fn trace_to_string(cx: &mut Cx, trace: &PArray) -> Res<Vec<u8>> {
    let mut out = Vec::new();
    let mut n = 0;
    for (key, entry) in trace {
        let Some(entry) = entry.as_array().cloned() else {
            let frame = key.to_value().as_int().unwrap_or(0);
            raise(cx, Level::Warning, format!("Expected array for frame {frame}").as_bytes())?;
            continue;
        };
        out.extend_from_slice(format!("#{n} ").as_bytes());
        n += 1;
        match entry_text(cx, &entry, b"file", "File name", b"[unknown file]")? {
            Some(file) if file.as_bytes() == b"[unknown file]" => out.extend_from_slice(b"[unknown file]: "),
            Some(file) => {
                out.extend_from_slice(file.as_bytes());
                let line = entry.get_bytes(b"line").and_then(|v| v.as_int()).unwrap_or(0);
                out.extend_from_slice(format!("({line}): ").as_bytes());
            }
            None => out.extend_from_slice(b"[internal function]: "),
        }
        if let Some(class) = entry_text(cx, &entry, b"class", "Value for class", b"[unknown]")? {
            out.extend_from_slice(class_in_trace(class.as_bytes()));
        }
        out.extend_from_slice(entry_text(cx, &entry, b"type", "Value for type", b"[unknown]")?.unwrap_or_default().as_bytes());
        out.extend_from_slice(entry_text(cx, &entry, b"function", "Value for function", b"[unknown]")?.unwrap_or_default().as_bytes());
        out.push(b'(');
        if entry.get_bytes(b"args").is_some_and(|v| v.copy_deref().as_array().is_none()) {
            raise(cx, Level::Warning, b"args element is not an array")?;
        }
        if let Some(args) = entry.get_bytes(b"args").and_then(|v| v.as_array().cloned()) {
            let mut first = true;
            for (k, v) in &args {
                if !first {
                    out.extend_from_slice(b", ");
                }
                first = false;
                if let jumbo_value::KeyRef::Str(name) = k {
                    out.extend_from_slice(name.as_bytes());
                    out.extend_from_slice(b": ");
                }
                crate::display::trace_argument(cx, &mut out, v);
            }
        }
        out.extend_from_slice(b")\n");
    }
    out.extend_from_slice(format!("#{n} {{main}}").as_bytes());
    Ok(out)
}

/// `Exception: message in file:line\nStack trace:\n…` with its previous ones, innermost first: `__toString` of Throwables.
pub fn throwable_to_string(cx: &mut Cx, object: &PObject) -> Res<PStr> {
    let mut parts: Vec<PStr> = Vec::new();
    for e in chain_of(object) {
        let class = ClassPtr::of(&e);
        let message = cx.to_string(&get(&e, slots::MESSAGE))?;
        let file = cx.to_string(&get(&e, slots::FILE))?;
        let line = jumbo_value::convert::to_int(&get(&e, slots::LINE));
        let trace = get(&e, slots::TRACE).as_array().cloned().unwrap_or_default();
        let mut text = PStrBuilder::new();
        text.extend(class_in_trace(class.name.as_bytes()))?;
        if !message.is_empty() {
            text.extend(b": ")?;
            text.extend(message.as_bytes())?;
            let argument = matches!(class.lower.as_bytes(), b"typeerror" | b"argumentcounterror");
            if argument && message.as_bytes().windows(12).any(|w| w == b", called in ") {
                text.extend(b" and defined")?;
            }
        }
        text.extend(b" in ")?;
        text.extend(file.as_bytes())?;
        write!(text, ":{line}\nStack trace:\n")?;
        text.extend(&trace_to_string(cx, &trace)?)?;
        parts.push(text.finish());
    }
    if let [one] = &parts[..] {
        return Ok(one.clone());
    }
    let mut all = PStrBuilder::new();
    for part in parts.iter().rev() {
        if !all.is_empty() {
            all.extend(b"\n\nNext ")?;
        }
        all.extend(part)?;
    }
    Ok(all.finish())
}

/// Reports an exception that nothing caught: the user's exception handler, else PHP's fatal error.
pub fn uncaught(cx: &mut Cx) -> Res<()> {
    let Some(exception) = cx.exception.take() else { return Ok(()) };
    if let Some(handler) = cx.state::<Handlers>().exception.take() {
        // While it runs it stands on the stack of handlers, where it may restore itself.
        cx.state::<Handlers>().exception_stack.push(Some(handler.clone()));
        let answer = cx.call(&handler, &[Value::from(exception.clone())]);
        if matches!(answer, Err(Stop::Thrown)) && cx.state::<Handlers>().exception.is_some() {
            // It has set another one, which is asked about its own exception.
            return uncaught(cx);
        }
        let handlers = cx.state::<Handlers>();
        if handlers.exception.is_none() {
            handlers.exception = handlers.exception_stack.pop().flatten();
        }
        return match answer {
            Ok(_) => Ok(()),
            Err(Stop::Thrown) => report(cx),
            Err(stop) => Err(stop),
        };
    }
    cx.exception = Some(exception);
    report(cx)
}

/// PHP's own report of the pending exception.
pub fn report(cx: &mut Cx) -> Res<()> {
    let Some(exception) = cx.exception.take() else { return Ok(()) };
    cx.exit_status = 255;
    report_as(cx, exception, Level::Error)
}

fn report_as(cx: &mut Cx, exception: PObject, level: Level) -> Res<()> {
    let class = ClassPtr::of(&exception);
    let parse_like = class.lower.as_bytes() == b"parseerror" || class.lower.as_bytes() == b"compileerror";
    let file = cx.to_string(&get(&exception, slots::FILE))?;
    let line = jumbo_value::convert::to_int(&get(&exception, slots::LINE)) as u32;
    if parse_like {
        let message = cx.to_string(&get(&exception, slots::MESSAGE))?;
        let level = if class.lower.as_bytes() == b"parseerror" { Level::Parse } else { Level::Error };
        return swallow_fatal(raise_text(cx, level, &shown(message.as_bytes()), file, line));
    }
    // The builtin methods are called as the user's are: what goes wrong in them shows them in its trace.
    let text = match class.magic.to_string {
        // Where the stack is used up no method can be called any more, not even to say so.
        Some(m) if !cx.engine().stack_is_low(cx) => match cx.call_function(m, Some(&exception), Some(class), &[]) {
            Ok(v) => v.as_str().cloned().unwrap_or_default(),
            Err(Stop::Thrown) if m.proto().is_none() => return report(cx),
            Err(_) => {
                cx.exception = None;
                throwable_to_string(cx, &exception)?
            }
        },
        _ => throwable_to_string(cx, &exception)?,
    };
    let message = [b"Uncaught ".as_slice(), &text, b"\n  thrown"].to_str()?;
    drop(text);
    swallow_fatal(raise_text(cx, level, &message, file, line))
}

fn swallow_fatal(result: Res<()>) -> Res<()> {
    match result {
        Err(Stop::Fatal) => Ok(()),
        other => other,
    }
}

