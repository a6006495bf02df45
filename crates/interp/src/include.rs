//! include, require, eval: finding files, running their units in the including scope.

use crate::frame::{Frame, flags};
use crate::vm::Vm;
use crate::{errors, symbols};
use jumbo_abi::stream;
use jumbo_abi::units::{Invalid, InvalidKind, UnitError};
use jumbo_abi::{ClassPtr, Cx, FnPtr, Function, Level, Res, Stop, registry};
use jumbo_bytecode::unit::{IncludeKind, Unit};
use jumbo_bytecode::{FRAME_HEADER, NONE};
use jumbo_value::hash::{BuildBytesHasher, WordMap};
use jumbo_value::{Heap, PStr, Raw, Value, tag};
use std::sync::Arc;

/// Files that were included, by resolved path, in order.
#[derive(Default)]
pub struct Included {
    pub files: indexmap::IndexMap<Box<[u8]>, (), BuildBytesHasher>,
}

/// Functions of units' top-level code that runs in the scope of a class, made once per scope and instance.
#[derive(Default)]
struct MainFunctions(WordMap<(*const Unit, *const jumbo_abi::Class), Box<Function>>);


/// `include`, `eval`, … of a running file frame.
///
/// # Safety
/// `fp` is a live frame of an included unit.
pub unsafe fn kind_name(fp: *mut Frame) -> &'static str {
    // SAFETY: as promised: `_pad` keeps the number of the kind.
    match unsafe { (*fp)._pad } {
        1 => "include_once",
        2 => "require",
        3 => "require_once",
        4 => "eval",
        _ => "include",
    }
}

/// The path without `.`, `..` and doubled slashes, made absolute with `cwd`. Symbolic links stay.
pub fn normalize(cwd: &[u8], path: &[u8]) -> Vec<u8> {
    let full = if path.starts_with(b"/") { path.to_vec() } else { [cwd, b"/", path].concat() };
    if is_normal(&full) {
        return full;
    }
    let mut normal = Vec::with_capacity(full.len());
    for part in full.split(|&b| b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => normal.truncate(memchr::memrchr(b'/', &normal).unwrap_or(0)),
            _ => {
                normal.push(b'/');
                normal.extend_from_slice(part);
            }
        }
    }
    if normal.is_empty() {
        normal.push(b'/');
    }
    normal
}

/// Is there nothing to leave out of an absolute path? (May say no where there is not.)
fn is_normal(path: &[u8]) -> bool {
    // A slash at the end has nothing behind it, which is not normal either.
    memchr::memchr_iter(b'/', path).all(|at| !matches!(path.get(at + 1), None | Some(b'/' | b'.')))
}

/// Finds a file as include does: absolute, relative to the working directory (`./`), else along include_path and the including
/// script's own folder.
pub fn resolve(cx: &mut Cx, path: &[u8]) -> Option<Vec<u8>> {
    if path.is_empty() || path.contains(&0) {
        return None;
    }
    let path = path.strip_prefix(b"file://".as_slice()).unwrap_or(path);
    if path.starts_with(b"/") || path.starts_with(b"./") || path.starts_with(b"../") {
        return existing(cx, path);
    }
    let include_path = cx.ini.str("include_path").to_vec();
    for folder in include_path.split(|&b| b == b':') {
        if let Some(full) = existing(cx, &[folder, b"/", path].concat()) {
            return Some(full);
        }
    }
    let vm = Vm::of(cx);
    // SAFETY: the machine is live.
    let script = unsafe {
        let fp = errors::user_frame(vm);
        if fp.is_null() { None } else { Some(errors::file_of(fp)) }
    };
    let script = script?;
    let folder = script.as_bytes().iter().rposition(|&b| b == b'/').map(|n| &script.as_bytes()[..n])?;
    existing(cx, &[folder, b"/", path].concat())
}

/// The absolute path of a file, if there is one. `..` behind a symbolic link is the parent of where the link leads, so that
/// these paths stay as they are for the system.
fn existing(cx: &mut Cx, path: &[u8]) -> Option<Vec<u8>> {
    let units = registry::get().units;
    if memchr::memmem::find(path, b"..").is_none() {
        let full = normalize(&cx.cwd, path);
        return units.is_file(cx, &full).then_some(full);
    }
    let full = stream::absolute(cx, path);
    if units.is_file(cx, &full) {
        return Some(full);
    }
    let full = stream::expand(cx, path).ok()?.into_os_string().into_encoded_bytes();
    units.is_file(cx, &full).then_some(full)
}

/// The Include opcode.
///
/// # Safety
/// The running frame is live; `pc` was saved.
pub unsafe fn include_from(vm: *mut Vm, path: Value, kind: IncludeKind) -> Res<Value> {
    // SAFETY: as promised.
    let cx = unsafe { Vm::cx(vm) };
    let text = cx.to_string(&path)?;
    if kind == IncludeKind::Eval {
        return eval(cx, &text, None);
    }
    include(cx, &text, kind)
}

fn words(kind: IncludeKind) -> (&'static str, u32) {
    match kind {
        IncludeKind::Include => ("include", 0),
        IncludeKind::IncludeOnce => ("include_once", 1),
        IncludeKind::Require => ("require", 2),
        IncludeKind::RequireOnce => ("require_once", 3),
        IncludeKind::Eval => ("eval", 4),
    }
}

/// What an Include instruction of this kind is called.
pub fn word_of(kind: u16) -> &'static str {
    words(IncludeKind::from_u16(kind).unwrap_or(IncludeKind::Include)).0
}

/// Includes a file in the scope of the running PHP frame.
pub fn include(cx: &mut Cx, path: &PStr, kind: IncludeKind) -> Res<Value> {
    let once = matches!(kind, IncludeKind::IncludeOnce | IncludeKind::RequireOnce);
    let (word, number) = words(kind);
    if stream::scheme_of(path.as_bytes()).is_some_and(|scheme| !scheme.eq_ignore_ascii_case(b"file")) {
        return include_stream(cx, path, kind);
    }
    if path.contains(&0) {
        // Its name ends there, as far as the message goes.
        let shown = jumbo_value::string::up_to_nul(path.as_bytes());
        return not_included(cx, shown, word, kind);
    }
    let Some(full) = resolve(cx, path.as_bytes()) else {
        return cannot_open(cx, path, word, b"No such file or directory", kind);
    };
    let real = registry::get().units.real_path(cx, &full);
    if once && cx.state::<Included>().files.contains_key(&*real) {
        return Ok(Value::from(true));
    }
    if let Some(text) = stream::restriction(cx, &real)? {
        cx.raise(Level::Warning, &[word.as_bytes(), b"(): ", &text].concat())?;
        let text = [word.as_bytes(), b"(", &real, b"): Failed to open stream: Operation not permitted"].concat();
        cx.raise(Level::Warning, &text)?;
        return not_included(cx, path.as_bytes(), word, kind);
    }
    match registry::get().units.file(cx, &real) {
        Ok(Some(unit)) => {
            cx.state::<Included>().files.insert(real.into(), ());
            run_unit(cx, unit, number, true)
        }
        // Stock opens a pipe or a device, closes it when it sees what it is, and tells an error that was not.
        Ok(None) => cannot_open(cx, path, word, b"Success", kind),
        Err(UnitError::Unreadable(why)) => cannot_open(cx, path, word, why.as_bytes(), kind),
        Err(UnitError::Invalid(why)) => Err(invalid(cx, &why, &real)),
    }
}

/// Compiles a file without running it (`opcache_compile_file`).
pub fn compile_file(cx: &mut Cx, path: &PStr) -> Res<bool> {
    const WORD: &str = "opcache_compile_file";
    if path.is_empty() {
        return Err(cx.value_error("Path must not be empty"));
    }
    let why = match resolve(cx, path.as_bytes()) {
        None => b"No such file or directory".to_vec(),
        Some(full) => {
            let real = registry::get().units.real_path(cx, &full);
            match stream::restriction(cx, &real)? {
                Some(text) => {
                    cx.raise(Level::Warning, &[WORD.as_bytes(), b"(): ", &text].concat())?;
                    b"Operation not permitted".to_vec()
                }
                None => match registry::get().units.file(cx, &real) {
                    Ok(Some(_)) => return Ok(true),
                    Ok(None) => b"Success".to_vec(),
                    Err(UnitError::Unreadable(why)) => why.into_bytes(),
                    Err(UnitError::Invalid(why)) if why.kind == InvalidKind::Fatal => {
                        // What would be a fatal error for who includes the file is none here.
                        let place = format!(" on line {}", why.line);
                        let text = [b"Zend OPcache could not compile file ".as_slice(), &real, b": ", &why.message, place.as_bytes()].concat();
                        cx.raise(Level::Warning, &text)?;
                        return Ok(false);
                    }
                    Err(UnitError::Invalid(why)) => return Err(invalid(cx, &why, &real)),
                },
            }
        }
    };
    cannot_open(cx, path, WORD, &why, IncludeKind::Include)?;
    Ok(false)
}

/// Includes what a stream wrapper gives for a URL.
#[cold]
fn include_stream(cx: &mut Cx, path: &PStr, kind: IncludeKind) -> Res<Value> {
    let once = matches!(kind, IncludeKind::IncludeOnce | IncludeKind::RequireOnce);
    let (word, number) = words(kind);
    if once && cx.state::<Included>().files.contains_key(path.as_bytes()) {
        return Ok(Value::from(true));
    }
    stream::finish_deferred(cx)?;
    let scheme = stream::scheme_of(path.as_bytes()).unwrap_or_default().to_ascii_lowercase();
    let Some((wrapper, rest)) = stream::locate(cx, path.as_bytes(), true)? else {
        return cannot_open(cx, path, word, b"no suitable wrapper could be found", kind);
    };
    if wrapper.is_plain() {
        // Nobody knows the scheme: the name is that of a file after all. PHP says so when it looks for it and when it opens it.
        let text = [
            word.as_bytes(),
            b"(): Unable to find the wrapper \"",
            &scheme,
            b"\" - did you forget to enable it when you configured PHP?",
        ]
        .concat();
        cx.raise(Level::Warning, &text)?;
        cx.raise(Level::Warning, &text)?;
        return cannot_open(cx, path, word, b"No such file or directory", kind);
    }
    let barred = ["allow_url_fopen", "allow_url_include"].into_iter().find(|setting| wrapper.is_url() && !cx.ini.bool(setting));
    if let Some(setting) = barred {
        let text =
            [word.as_bytes(), b"(): ", &scheme, b":// wrapper is disabled in the server configuration by ", setting.as_bytes(), b"=0"].concat();
        cx.raise(Level::Warning, &text)?;
        return cannot_open(cx, path, word, b"no suitable wrapper could be found", kind);
    }
    let options = stream::OpenOptions { for_include: true, ..stream::OpenOptions::default() };
    let opened = match wrapper.open(cx, rest, b"rb", &options)? {
        Ok(opened) => opened,
        Err(failure) => return cannot_open(cx, path, word, &failure.text(), kind),
    };
    let resource = stream::to_resource(cx, opened, b"rb", Some(path.as_bytes()), wrapper.label());
    let Some(handle) = resource.native::<stream::StreamHandle>() else {
        return cannot_open(cx, path, word, b"operation failed", kind);
    };
    let source = handle.read_source(cx);
    handle.close(cx)?;
    let Some(source) = source? else {
        // It was opened: about reading there is a word of the stream's own, if any.
        return not_included(cx, path.as_bytes(), word, kind);
    };
    match registry::get().units.code(cx, source.as_bytes(), path.as_bytes(), true) {
        Ok(unit) => {
            cx.state::<Included>().files.insert(path.as_bytes().into(), ());
            run_unit(cx, unit, number, true)
        }
        Err(UnitError::Unreadable(why)) => cannot_open(cx, path, word, why.as_bytes(), kind),
        Err(UnitError::Invalid(why)) => Err(invalid(cx, &why, path.as_bytes())),
    }
}

#[cold]
fn cannot_open(cx: &mut Cx, path: &PStr, word: &str, why: &[u8], kind: IncludeKind) -> Res<Value> {
    let text = [word.as_bytes(), b"(", path.as_bytes(), b"): Failed to open stream: ", why].concat();
    cx.raise(Level::Warning, &text)?;
    not_included(cx, path.as_bytes(), word, kind)
}

/// The last word about a file that cannot be included.
#[cold]
fn not_included(cx: &mut Cx, path: &[u8], word: &str, kind: IncludeKind) -> Res<Value> {
    let include_path = cx.ini.str("include_path").to_vec();
    let required = matches!(kind, IncludeKind::Require | IncludeKind::RequireOnce);
    let verb: &[u8] = if required { b"Failed opening required '" } else { b"Failed opening '" };
    let end: &[u8] = if required { b"' (include_path='" } else { b"' for inclusion (include_path='" };
    if required {
        return Err(cx.throw_error([verb, path, end, &include_path, b"')"].concat()));
    }
    let text = [word.as_bytes(), b"(): ", verb, path, end, &include_path, b"')"].concat();
    cx.raise(Level::Warning, &text)?;
    Ok(Value::from(false))
}

/// A file or code that cannot be compiled: ParseError, CompileError, or a fatal error.
pub fn invalid(cx: &mut Cx, why: &Invalid, file: &[u8]) -> Stop {
    let (message, line) = (why.message.as_slice(), why.line);
    for (level, message, line) in &why.warnings {
        if let Some(level) = Level::from_u32(*level)
            && let Err(stop) = errors::raise_at(cx, level, message, PStr::new(file), *line)
        {
            return stop;
        }
    }
    let class = match why.kind {
        InvalidKind::Parse => cx.builtin_class(b"parseerror"),
        InvalidKind::Thrown => cx.builtin_class(b"compileerror"),
        InvalidKind::Memory(bytes) => return jumbo_value::heap::refuse_size(bytes).into(),
        InvalidKind::Fatal => {
            return match errors::raise_at(cx, Level::CompileError, message, PStr::new(file), line) {
                Err(stop) => stop,
                Ok(()) => Stop::Fatal,
            };
        }
    };
    match cx.new_object(class) {
        Ok(object) => {
            object.set_slot(errors::slots::MESSAGE, Value::from(PStr::new(message)));
            object.set_slot(errors::slots::FILE, Value::from(PStr::new(file)));
            object.set_slot(errors::slots::LINE, Value::from(line as i64));
            cx.throw_object(object)
        }
        Err(stop) => stop,
    }
}

/// eval in the scope of the running PHP frame; `place` overrides what `__FILE__` shows.
pub fn eval(cx: &mut Cx, code: &PStr, place: Option<&[u8]>) -> Res<Value> {
    if code.is_empty() {
        // There is nothing to run, and so nothing that could return null.
        return Ok(Value::from(false));
    }
    let vm = Vm::of(cx);
    // SAFETY: the machine is live.
    let name = unsafe {
        let fp = errors::user_frame(vm);
        match place {
            Some(p) => p.to_vec(),
            None if fp.is_null() => b"eval()'d code".to_vec(),
            None => {
                let line = errors::line_of(vm, fp);
                [errors::file_of(fp).as_bytes(), format!("({line}) : eval()'d code").as_bytes()].concat()
            }
        }
    };
    match registry::get().units.code(cx, code.as_bytes(), &name, false) {
        Ok(unit) => run_evaluated(cx, unit, code.len()),
        Err(UnitError::Invalid(why)) => Err(invalid(cx, &why, &name)),
        Err(UnitError::Unreadable(why)) => Err(cx.throw_error(why)),
    }
}

/// A unit that runs once. What it declares keeps it, and counts about as much as it takes; else it goes with its last closure.
fn run_evaluated(cx: &mut Cx, unit: Arc<Unit>, code_bytes: usize) -> Res<Value> {
    /// Of a unit, for a byte of its source.
    const UNIT_BYTES_PER_BYTE: usize = 8;
    const UNIT_BYTES: usize = 1024;
    if !unit.functions.is_empty() || !unit.classes.is_empty() {
        Heap::charge_current(UNIT_BYTES + code_bytes.saturating_mul(UNIT_BYTES_PER_BYTE));
    }
    let result = run_unit(cx, unit.clone(), 4, true);
    // No frame of it is left. (When this is unwound, frames are: then the function stays until the instance ends.)
    cx.state::<MainFunctions>().0.retain(|(of, _), _| *of != Arc::as_ptr(&unit));
    result
}

fn main_function(cx: &mut Cx, unit: &Arc<Unit>, scope: Option<ClassPtr>) -> FnPtr {
    if scope.is_none() {
        return jumbo_runtime::parts::main(unit);
    }
    let key = (Arc::as_ptr(unit), scope.map_or(std::ptr::null(), ClassPtr::as_ptr));
    let functions = cx.state::<MainFunctions>();
    let function = functions.0.entry(key).or_insert_with(|| {
        Box::new(Function::user(unit.clone(), &unit.main, scope, jumbo_runtime::inherit::next_function_id()))
    });
    // SAFETY: the table lives as long as the instance and never drops an entry.
    unsafe { FnPtr::new(function) }
}

/// Runs a unit's top-level code. `shared`: in the variables of the running PHP frame; else in the global ones.
pub fn run_unit(cx: &mut Cx, unit: Arc<Unit>, kind: u32, shared: bool) -> Res<Value> {
    let vm = Vm::of(cx);
    // SAFETY: the frame is built on top of the running one.
    unsafe {
        Vm::check_native_depth(vm)?;
        crate::ops::classes::declare_hoisted(cx, &unit)?;
        let outer = errors::user_frame(vm);
        let (scope, this, class) = if shared && !outer.is_null() {
            ((*outer).scope(), crate::ops::calls::this_of(outer), (*outer).static_class())
        } else {
            (None, None, None)
        };
        let func = main_function(cx, &unit, scope);
        // Each run of a file has static variables of its own.
        (*vm).statics.remove(func.id);
        let nf = Vm::top(vm);
        if !Vm::room(vm, nf, func.registers as usize)? {
            return Err(cx.throw_error(b"Cannot include a file here"));
        }
        Vm::init_frame(vm, nf, func, this.as_ref(), class);
        (*nf).flags |= flags::INCLUDED;
        (*nf)._pad = kind;
        (*nf).result = NONE as u32;
        for n in 0..(func.first_temp - FRAME_HEADER) as usize {
            *Frame::cv(nf, n) = Raw { tag: tag::UNDEF, bits: 0 };
        }
        if shared || kind != u32::MAX {
            (*nf).extra_mut().unit = if kind == u32::MAX { None } else { Some(unit.clone()) };
        }
        if !shared || outer.is_null() {
            symbols::attach_to(nf, &(*vm).globals);
        } else if !unit.main.cvs.is_empty() {
            symbols::attach_to(nf, &symbols::table_of(vm, outer));
        }
        let (fp, pc) = ((*vm).fp, (*vm).pc);
        (*vm).fp = nf;
        (*vm).pc = func.code;
        let result = Vm::run(vm, func.code, nf, func.literals);
        (*vm).fp = fp;
        (*vm).pc = pc;
        result
    }
}
