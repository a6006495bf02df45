//! SplFileObject and SplTempFileObject: an open file as lines, or as records of CSV.

use crate::spl_file_info::{set_name, state};
use crate::support::overridden;
use jumbo_abi::stream::{self, OpenOptions, StreamHandle};
use jumbo_abi::{ClassHooks, ClassPtr, Cx, PArray, PObject, PRef, PResource, PStr, Res, Stop, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const DROP_NEW_LINE: i64 = 1;
const READ_AHEAD: i64 = 2;
const SKIP_EMPTY: i64 = 4;
const READ_CSV: i64 = 8;

/// The open file and where reading stands.
pub(crate) struct File {
    resource: PResource,
    pub mode: PStr,
    /// The line that was read last; null: none.
    line: RefCell<Value>,
    /// Its text, when the line is a record of CSV.
    text: RefCell<Option<PStr>>,
    number: Cell<i64>,
    flags: Cell<i64>,
    max_len: Cell<i64>,
    /// Separator, enclosure, escape.
    csv: RefCell<(PStr, PStr, PStr)>,
    /// The escape character is one that setCsvControl was given.
    escape_is_set: Cell<bool>,
}

pub static HOOKS: ClassHooks = ClassHooks { uncloneable: true, ..ClassHooks::NONE };

impl File {
    pub fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.line.borrow());
    }
    pub fn csv_control(&self) -> (PStr, PStr, PStr) {
        self.csv.borrow().clone()
    }
    fn has(&self, flag: i64) -> bool {
        self.flags.get() & flag != 0
    }
    fn free_line(&self) {
        drop(self.text.take());
        drop(self.line.take());
    }
    fn has_line(&self) -> bool {
        !self.line.borrow().is_null()
    }
    fn value(&self) -> Value {
        Value::from(self.resource.clone())
    }
    fn at_end(&self, cx: &mut Cx) -> bool {
        self.resource.native::<StreamHandle>().is_none_or(|handle| handle.at_end(cx))
    }
}

/// The open file of an object.
fn file(cx: &mut Cx, this: &PObject) -> Res<Rc<File>> {
    match &*state(cx, this)?.file.borrow() {
        Some(file) => Ok(file.clone()),
        None => Err(cx.throw_error("Object not initialized")),
    }
}

fn name_of(cx: &mut Cx, this: &PObject) -> PStr {
    state(cx, this).ok().and_then(|s| s.name.borrow().clone()).unwrap_or_default()
}

fn open(cx: &mut Cx, this: &PObject, name: &[u8], mode: &PStr, use_include_path: bool, context: Option<&Value>) -> Res<()> {
    let state = state(cx, this)?;
    let context = match context.filter(|c| !c.deref().is_null()) {
        Some(value) => value.deref().as_resource().cloned(),
        None => None,
    };
    let options = OpenOptions { use_include_path, context, ..OpenOptions::default() };
    let opened = cx.throwing_warnings("RuntimeException", |cx| stream::open(cx, name, mode.as_bytes(), &options))?;
    let Some(resource) = opened else {
        let text = [b"Cannot open file '".as_slice(), name, b"'"].concat();
        return Err(cx.throw("RuntimeException", text));
    };
    if let Some(handle) = resource.native::<StreamHandle>() {
        handle.owned.set(true);
    }
    let file = File {
        resource,
        mode: mode.clone(),
        line: RefCell::default(),
        text: RefCell::default(),
        number: Cell::new(0),
        flags: Cell::new(state.early_flags.get()),
        max_len: Cell::new(0),
        csv: RefCell::new((PStr::new(b","), PStr::new(b"\""), PStr::new(b"\\"))),
        escape_is_set: Cell::new(false),
    };
    *state.file.borrow_mut() = Some(Rc::new(file));
    Ok(())
}

fn refuse_second(cx: &mut Cx, this: &PObject) -> Res<()> {
    if state(cx, this)?.file.borrow().is_some() {
        return Err(cx.throw_error("Cannot call constructor twice"));
    }
    Ok(())
}

pub fn __construct(cx: &mut Cx, this: &PObject, filename: &PStr, mode: &PStr, use_include_path: bool, context: Option<&Value>) -> Res<()> {
    refuse_second(cx, this)?;
    let name = filename.as_bytes();
    if stream::has_nul(name) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    if name.is_empty() {
        return Err(cx.throw("RuntimeException", "SplFileObject::__construct(): Argument #1 ($filename) cannot be empty"));
    }
    let folder = crate::spl_file_info::try_stat(cx, filename, false)?.is_some_and(|s| s.mode & 0o170_000 == 0o040_000);
    if folder {
        return Err(cx.throw("LogicException", "Cannot use SplFileObject with directories"));
    }
    // What the include path leads to is the file's name.
    let found = if use_include_path { cx.engine().resolve_include(cx, name) } else { None };
    set_name(state(cx, this)?, found.as_deref().unwrap_or(name));
    let result = open(cx, this, name, mode, use_include_path, context);
    if result.is_err() {
        // A file that could not be opened leaves no name behind.
        *state(cx, this)?.name.borrow_mut() = None;
    }
    result
}

/// SplTempFileObject.
pub mod temporary {
    use super::*;

    pub fn __construct(cx: &mut Cx, this: &PObject, max_memory: Option<i64>) -> Res<()> {
        refuse_second(cx, this)?;
        let name = match max_memory {
            None => "php://temp".to_owned(),
            Some(n) if n < 0 => "php://memory".to_owned(),
            Some(n) => format!("php://temp/maxmemory:{n}"),
        };
        let state = state(cx, this)?;
        *state.name.borrow_mut() = Some(PStr::new(name.as_bytes()));
        *state.path.borrow_mut() = PStr::empty();
        open(cx, this, name.as_bytes(), &PStr::new(b"wb"), false, None)
    }
}

// ---- lines

fn cannot_read(cx: &mut Cx, this: &PObject) -> Stop {
    let name = name_of(cx, this);
    cx.throw("RuntimeException", [b"Cannot read from file ".as_slice(), name.as_bytes()].concat())
}

/// Reads one line as it stands in the file. False: the end (an exception unless `silent`).
fn read_plain(cx: &mut Cx, this: &PObject, file: &File, silent: bool, add: i64, csv: bool) -> Res<bool> {
    file.free_line();
    if file.at_end(cx) {
        return if silent { Ok(false) } else { Err(cannot_read(cx, this)) };
    }
    let limit = usize::try_from(file.max_len.get()).ok().filter(|n| *n > 0);
    let line = match file.resource.native::<StreamHandle>() {
        Some(handle) => handle.read_line(cx, limit)?,
        None => None,
    };
    let mut line = line.unwrap_or_default();
    if !csv && file.has(DROP_NEW_LINE) {
        let bytes = line.as_bytes();
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if bytes.len() != line.len() {
            line = PStr::new(bytes);
        }
    }
    *file.line.borrow_mut() = Value::from(line);
    file.number.set(file.number.get().saturating_add(add));
    Ok(true)
}

/// Reads one record. False: the end.
fn read_csv(cx: &mut Cx, this: &PObject, file: &File, control: &(PStr, PStr, PStr), silent: bool) -> Res<bool> {
    let mut add = i64::from(file.has_line());
    file.free_line();
    loop {
        if file.at_end(cx) {
            return if silent { Ok(false) } else { Err(cannot_read(cx, this)) };
        }
        let (separator, enclosure, escape) = control.clone();
        let mut text = match file.resource.native::<StreamHandle>() {
            Some(handle) => handle.read_line(cx, None)?.unwrap_or_default(),
            None => PStr::empty(),
        };
        let is_break = file.has(READ_CSV) && file.has(DROP_NEW_LINE) && matches!(text.as_bytes(), b"\n" | b"\r\n");
        if file.has(SKIP_EMPTY) && (text.is_empty() || is_break) {
            // Passed over, and counted.
            file.number.set(file.number.get().saturating_add(add));
            add = 1;
            continue;
        }
        // An open enclosure goes on in the next line.
        let quote = enclosure.as_bytes().first().copied();
        while let Some(quote) = quote
            && text.as_bytes().iter().filter(|b| **b == quote).count() % 2 == 1
            && !file.at_end(cx)
        {
            let more = match file.resource.native::<StreamHandle>() {
                Some(handle) => handle.read_line(cx, None)?.unwrap_or_default(),
                None => break,
            };
            text = PStr::concat2(text.as_bytes(), more.as_bytes());
        }
        let bytes = text.as_bytes();
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let record = if bytes.is_empty() {
            Value::from(PArray::from_values([Value::null()]))
        } else {
            let args = [Value::bytes(bytes), Value::from(separator), Value::from(enclosure), Value::from(escape)];
            cx.call_builtin("str_getcsv", &args)?
        };
        *file.line.borrow_mut() = record;
        *file.text.borrow_mut() = Some(text);
        file.number.set(file.number.get().saturating_add(add));
        return Ok(true);
    }
}

fn read_one(cx: &mut Cx, this: &PObject, file: &File, silent: bool) -> Res<bool> {
    if file.has(READ_CSV) {
        let control = file.csv_control();
        return read_csv(cx, this, file, &control, silent);
    }
    if overridden(ClassPtr::of(this), b"getcurrentline") {
        if file.at_end(cx) {
            return if silent { Ok(false) } else { Err(cannot_read(cx, this)) };
        }
        let line = cx.call_method(this, b"getcurrentline", &[])?.into_deref();
        if file.has_line() {
            file.number.set(file.number.get().saturating_add(1));
            file.free_line();
        }
        if !line.is_string() {
            let kind = jumbo_abi::args::type_name(&line);
            let class = ClassPtr::of(this);
            let text = [class.name.as_bytes(), b"::getCurrentLine(): Return value must be of type string, ", &kind, b" returned"].concat();
            return Err(cx.type_error(text));
        }
        *file.line.borrow_mut() = line;
        return Ok(true);
    }
    let add = i64::from(file.has_line());
    read_plain(cx, this, file, silent, add, false)
}

/// A line that SKIP_EMPTY passes over.
fn is_empty_line(file: &File) -> bool {
    let line = file.line.borrow();
    match (line.as_str(), line.as_array()) {
        (Some(text), _) => text.is_empty(),
        (_, Some(record)) if file.has(READ_CSV) && file.has(DROP_NEW_LINE) => {
            record.is_empty() || record.len() == 1 && record.get_int(0).is_some_and(|v| v.as_str().is_some_and(|s| s.is_empty()))
        }
        (_, Some(record)) => record.is_empty(),
        _ => true,
    }
}

fn read_line(cx: &mut Cx, this: &PObject, file: &File, silent: bool) -> Res<bool> {
    let mut there = read_one(cx, this, file, silent)?;
    while file.has(SKIP_EMPTY) && there && is_empty_line(file) {
        file.free_line();
        there = read_one(cx, this, file, silent)?;
    }
    Ok(there)
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    let file = file(cx, this)?;
    let moved = cx.call_builtin("rewind", &[file.value()])?;
    if moved.is_false() {
        let name = name_of(cx, this);
        return Err(cx.throw("RuntimeException", [b"Cannot rewind file ".as_slice(), name.as_bytes()].concat()));
    }
    file.free_line();
    file.number.set(0);
    if file.has(READ_AHEAD) {
        read_line(cx, this, &file, true)?;
    }
    Ok(())
}

pub fn eof(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let file = file(cx, this)?;
    Ok(file.at_end(cx))
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    let Some(file) = state(cx, this)?.file.borrow().clone() else { return Ok(false) };
    if file.has(READ_AHEAD) {
        return Ok(file.has_line());
    }
    Ok(!file.at_end(cx))
}

pub fn fgets(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let file = file(cx, this)?;
    read_plain(cx, this, &file, false, 1, false)?;
    let line = file.line.borrow().clone();
    cx.to_string(&line)
}

pub fn get_current_line(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    fgets(cx, this)
}

/// The current line, as it stands in the file.
pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let file = file(cx, this)?;
    if !file.has_line() {
        read_line(cx, this, &file, false)?;
    }
    if let Some(text) = &*file.text.borrow() {
        return Ok(text.clone());
    }
    let line = file.line.borrow().clone();
    cx.to_string(&line)
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let file = file(cx, this)?;
    if !file.has_line() {
        read_line(cx, this, &file, true)?;
    }
    let line = file.line.borrow().clone();
    Ok(if line.is_null() { Value::from(false) } else { line })
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(file(cx, this)?.number.get())
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    let file = file(cx, this)?;
    file.free_line();
    if file.has(READ_AHEAD) {
        read_line(cx, this, &file, true)?;
    }
    file.number.set(file.number.get().saturating_add(1));
    Ok(())
}

pub fn seek(cx: &mut Cx, this: &PObject, line: i64) -> Res<()> {
    let file = file(cx, this)?;
    if line < 0 {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    }
    rewind(cx, this)?;
    for _ in 0..line {
        if !read_line(cx, this, &file, true)? {
            return Ok(());
        }
    }
    if line > 0 && !file.has(READ_AHEAD) {
        file.number.set(file.number.get().saturating_add(1));
        file.free_line();
    }
    Ok(())
}

pub fn set_flags(cx: &mut Cx, this: &PObject, flags: i64) -> Res<()> {
    let state = state(cx, this)?;
    match &*state.file.borrow() {
        Some(file) => file.flags.set(flags),
        None => state.early_flags.set(flags),
    }
    Ok(())
}

pub fn get_flags(cx: &mut Cx, this: &PObject) -> Res<i64> {
    let state = state(cx, this)?;
    let flags = state.file.borrow().as_ref().map_or(state.early_flags.get(), |file| file.flags.get());
    Ok(flags & 15)
}

pub fn set_max_line_len(cx: &mut Cx, this: &PObject, max_length: i64) -> Res<()> {
    if max_length < 0 {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    }
    file(cx, this)?.max_len.set(max_length);
    Ok(())
}

pub fn get_max_line_len(cx: &mut Cx, this: &PObject) -> Res<i64> {
    Ok(file(cx, this)?.max_len.get())
}

pub fn has_children(_cx: &mut Cx, _this: &PObject) -> bool {
    false
}

pub fn get_children(_cx: &mut Cx, _this: &PObject) {}

// ---- CSV

/// The control characters of a call: those given, else the file's. `first`: number of the separator's argument.
fn control(cx: &mut Cx, file: &File, given: [Option<&PStr>; 3], first: u32) -> Res<(PStr, PStr, PStr)> {
    let own = file.csv_control();
    let [separator, enclosure, escape] = given;
    for (n, part) in [(first, separator), (first + 1, enclosure)] {
        if part.is_some_and(|p| p.len() != 1) {
            return Err(cx.arg_value_error(n, "must be a single character"));
        }
    }
    if escape.is_some_and(|e| e.len() > 1) {
        return Err(cx.arg_value_error(first + 2, "must be empty or a single character"));
    }
    Ok((separator.cloned().unwrap_or(own.0), enclosure.cloned().unwrap_or(own.1), escape.cloned().unwrap_or(own.2)))
}

/// Deprecated: nobody has said which escape character is meant.
fn check_escape(cx: &mut Cx, file: &File, escape: Option<&PStr>) -> Res<()> {
    if escape.is_none() && !file.escape_is_set.get() {
        let text = "the $escape parameter must be provided, as its default value will change, either explicitly or via \
                    SplFileObject::setCsvControl()";
        cx.deprecated(text)?;
    }
    Ok(())
}

pub fn fgetcsv(cx: &mut Cx, this: &PObject, separator: Option<&PStr>, enclosure: Option<&PStr>, escape: Option<&PStr>) -> Res<Value> {
    let file = file(cx, this)?;
    let control = control(cx, &file, [separator, enclosure, escape], 1)?;
    check_escape(cx, &file, escape)?;
    if !read_csv(cx, this, &file, &control, true)? {
        return Ok(Value::from(false));
    }
    Ok(file.line.borrow().clone())
}

pub fn fputcsv(
    cx: &mut Cx,
    this: &PObject,
    fields: &PArray,
    separator: Option<&PStr>,
    enclosure: Option<&PStr>,
    escape: Option<&PStr>,
    eol: &PStr,
) -> Res<Value> {
    let file = file(cx, this)?;
    let (separator, enclosure, chosen) = control(cx, &file, [separator, enclosure, escape], 2)?;
    check_escape(cx, &file, escape)?;
    let args = [
        file.value(),
        Value::from(fields.clone()),
        Value::from(separator),
        Value::from(enclosure),
        Value::from(chosen),
        Value::from(eol.clone()),
    ];
    cx.call_builtin("fputcsv", &args)
}

pub fn set_csv_control(cx: &mut Cx, this: &PObject, separator: &PStr, enclosure: &PStr, escape: Option<&PStr>) -> Res<()> {
    let file = file(cx, this)?;
    let backslash = PStr::new(b"\\");
    let control = control(cx, &file, [Some(separator), Some(enclosure), Some(escape.unwrap_or(&backslash))], 1)?;
    if escape.is_none() {
        cx.deprecated("the $escape parameter must be provided as its default value will change")?;
    }
    file.escape_is_set.set(true);
    *file.csv.borrow_mut() = control;
    Ok(())
}

pub fn get_csv_control(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let (separator, enclosure, escape) = file(cx, this)?.csv_control();
    Ok(PArray::from_values([separator, enclosure, escape].map(Value::from)))
}

// ---- the file's functions

/// Calls a file function on the stream.
fn call(cx: &mut Cx, this: &PObject, function: &str, more: &[Value]) -> Res<Value> {
    let file = file(cx, this)?;
    let mut args = vec![file.value()];
    args.extend_from_slice(more);
    cx.call_builtin(function, &args)
}

pub fn fread(cx: &mut Cx, this: &PObject, length: i64) -> Res<Value> {
    file(cx, this)?;
    if length <= 0 {
        return Err(cx.arg_value_error(1, "must be greater than 0"));
    }
    call(cx, this, "fread", &[Value::from(length)])
}

pub fn flock(cx: &mut Cx, this: &PObject, operation: i64, would_block: Option<&PRef>) -> Res<Value> {
    let mut args = vec![Value::from(operation)];
    args.extend(would_block.map(|r| Value::from(r.clone())));
    call(cx, this, "flock", &args)
}

pub fn fflush(cx: &mut Cx, this: &PObject) -> Res<Value> {
    call(cx, this, "fflush", &[])
}

pub fn ftell(cx: &mut Cx, this: &PObject) -> Res<Value> {
    call(cx, this, "ftell", &[])
}

pub fn fseek(cx: &mut Cx, this: &PObject, offset: i64, whence: i64) -> Res<Value> {
    file(cx, this)?.free_line();
    call(cx, this, "fseek", &[Value::from(offset), Value::from(whence)])
}

pub fn fgetc(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let file = file(cx, this)?;
    file.free_line();
    let byte = call(cx, this, "fgetc", &[])?;
    if byte.as_bytes() == Some(b"\n") {
        file.number.set(file.number.get().saturating_add(1));
    }
    Ok(byte)
}

pub fn fpassthru(cx: &mut Cx, this: &PObject) -> Res<Value> {
    call(cx, this, "fpassthru", &[])
}

pub fn fscanf(cx: &mut Cx, this: &PObject, format: &PStr, vars: &[Value]) -> Res<Value> {
    let file = file(cx, this)?;
    file.number.set(file.number.get().saturating_add(1));
    let mut args = vec![Value::from(format.clone())];
    args.extend_from_slice(vars);
    call(cx, this, "fscanf", &args)
}

pub fn fwrite(cx: &mut Cx, this: &PObject, data: &PStr, length: Option<i64>) -> Res<Value> {
    let data = match length {
        Some(length) if length >= 0 => data.slice(0, usize::try_from(length).unwrap_or(usize::MAX).min(data.len())),
        // Negative lengths write nothing.
        Some(_) => PStr::empty(),
        None => data.clone(),
    };
    call(cx, this, "fwrite", &[Value::from(data)])
}

pub fn fstat(cx: &mut Cx, this: &PObject) -> Res<Value> {
    call(cx, this, "fstat", &[])
}

pub fn ftruncate(cx: &mut Cx, this: &PObject, size: i64) -> Res<Value> {
    let file = file(cx, this)?;
    let can = file.resource.native::<StreamHandle>().is_some_and(|handle| handle.stream().can_truncate());
    if !can {
        let name = name_of(cx, this);
        return Err(cx.throw("LogicException", [b"Can't truncate file ".as_slice(), name.as_bytes()].concat()));
    }
    if size < 0 {
        return Err(cx.arg_value_error(1, "must be greater than or equal to 0"));
    }
    call(cx, this, "ftruncate", &[Value::from(size)])
}
