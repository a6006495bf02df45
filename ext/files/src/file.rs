//! fopen and what works on its result; whole files at once.

use jumbo_abi::stream::{
    self, Failure, Lock, OpenOptions, Opened, StreamHandle, Whence, context_argument, default_context, stream_argument,
};
use jumbo_abi::{Cx, OrFalse, PArray, PRef, PResource, PStr, Res, Value, View, blocking};
use jumbo_value::resource::NativeRef;
use std::rc::Rc;

/// Argument `n`, a path.
pub fn path_argument(cx: &mut Cx, path: &PStr, n: u32) -> Res<()> {
    stream::path_argument(cx, path.as_bytes(), n)
}

/// The context of an argument; the default one when none is given.
pub fn context_of(cx: &mut Cx, context: Option<&Value>, n: u32) -> Res<Option<PResource>> {
    match context_argument(cx, context, n)? {
        Some(context) => Ok(Some(context)),
        None => Ok(Some(default_context(cx))),
    }
}

/// Opens a name as a builtin's argument `n` gives it.
pub fn open_argument(cx: &mut Cx, name: &PStr, n: u32, mode: &[u8], include_path: bool, context: Option<PResource>) -> Res<Option<PResource>> {
    path_argument(cx, name, n)?;
    let options = OpenOptions { quiet: false, use_include_path: include_path, context, for_include: false };
    stream::open(cx, name.as_bytes(), mode, &options)
}

/// The handle of a resource that was just opened.
pub fn handle_of(resource: &PResource) -> Option<NativeRef<StreamHandle>> {
    resource.native::<StreamHandle>()
}

/// Ends a stream that a builtin opened for itself.
pub fn finish(cx: &mut Cx, resource: &PResource) -> Res<()> {
    if let Some(handle) = handle_of(resource) {
        handle.close(cx)?;
    }
    resource.close();
    Ok(())
}

pub fn fopen(cx: &mut Cx, filename: &PStr, mode: &PStr, use_include_path: bool, context: Option<&Value>) -> Res<Value> {
    let context = context_of(cx, context, 4)?;
    Ok(match open_argument(cx, filename, 1, mode.as_bytes(), use_include_path, context)? {
        Some(resource) => Value::from(resource),
        None => Value::from(false),
    })
}

pub fn fclose(cx: &mut Cx, stream: &Value) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    if handle.owned.get() {
        let id = stream.deref().as_resource().map_or(0, |r| r.id());
        cx.warning(format_args!("{id} is not a valid stream resource"))?;
        return Ok(false);
    }
    handle.close(cx)?;
    drop(handle);
    if let Some(resource) = stream.deref().as_resource() {
        resource.close();
        crate::process::stream_closed(cx, resource)?;
    }
    Ok(true)
}

pub fn fread(cx: &mut Cx, stream: &Value, length: i64) -> Res<OrFalse<PStr>> {
    let handle = stream_argument(cx, stream, 1)?;
    if length <= 0 {
        return Err(cx.arg_value_error(2, "must be greater than 0"));
    }
    Ok(OrFalse(handle.read(cx, length as usize)?))
}

pub fn fwrite(cx: &mut Cx, stream: &Value, data: &PStr, length: Option<i64>) -> Res<OrFalse<i64>> {
    let bytes = match length {
        Some(n) => &data.as_bytes()[..data.len().min(usize::try_from(n).unwrap_or(0))],
        None => data.as_bytes(),
    };
    if bytes.is_empty() && stream.deref().as_resource().is_some() {
        // The stream is not even looked at when there is nothing to write.
        return Ok(OrFalse(Some(0)));
    }
    let handle = stream_argument(cx, stream, 1)?;
    Ok(OrFalse(handle.write(cx, bytes)?.map(|n| n as i64)))
}

pub fn fgets(cx: &mut Cx, stream: &Value, length: Option<i64>) -> Res<OrFalse<PStr>> {
    let handle = stream_argument(cx, stream, 1)?;
    let limit = match length {
        Some(n) if n <= 0 => return Err(cx.arg_value_error(2, "must be greater than 0")),
        // One byte is PHP's for the end of the string.
        Some(1) => return Ok(OrFalse::FALSE),
        Some(n) => Some(n as usize - 1),
        None => None,
    };
    Ok(OrFalse(handle.read_line(cx, limit)?))
}

pub fn fgetc(cx: &mut Cx, stream: &Value) -> Res<OrFalse<PStr>> {
    let handle = stream_argument(cx, stream, 1)?;
    Ok(OrFalse(handle.read_byte(cx)?.map(PStr::single_byte)))
}

pub fn feof(cx: &mut Cx, stream: &Value) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    Ok(handle.at_end(cx))
}

pub fn fflush(cx: &mut Cx, stream: &Value) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    handle.flush(cx)
}

pub fn fseek(cx: &mut Cx, stream: &Value, offset: i64, whence: i64) -> Res<i64> {
    let handle = stream_argument(cx, stream, 1)?;
    let whence = match whence {
        0 => Whence::Set,
        1 => Whence::Current,
        2 => Whence::End,
        _ => return Ok(-1),
    };
    Ok(if handle.seek(cx, offset, whence)? { 0 } else { -1 })
}

pub fn ftell(cx: &mut Cx, stream: &Value) -> Res<OrFalse<i64>> {
    let handle = stream_argument(cx, stream, 1)?;
    Ok(OrFalse(Some(handle.position())))
}

pub fn rewind(cx: &mut Cx, stream: &Value) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    handle.seek(cx, 0, Whence::Set)
}

pub fn ftruncate(cx: &mut Cx, stream: &Value, size: i64) -> Res<bool> {
    if size < 0 {
        return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
    }
    let handle = stream_argument(cx, stream, 1)?;
    if !handle.stream().can_truncate() {
        cx.warning("Can't truncate this stream!")?;
        return Ok(false);
    }
    let stream = handle.stream().clone();
    stream.truncate(cx, size)
}

pub fn fstat(cx: &mut Cx, stream: &Value) -> Res<OrFalse<PArray>> {
    let handle = stream_argument(cx, stream, 1)?;
    Ok(OrFalse(handle.stat(cx)?.map(|s| crate::stat::to_array(&s))))
}

pub fn flock(cx: &mut Cx, stream: &Value, operation: i64, would_block: Option<&PRef>) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    let lock = match operation & 3 {
        1 => Lock::Shared,
        2 => Lock::Exclusive,
        3 => Lock::Unlock,
        _ => return Err(cx.arg_value_error(2, "must be one of LOCK_SH, LOCK_EX, or LOCK_UN")),
    };
    if let Some(r) = would_block {
        r.set(Value::from(0i64));
    }
    let wait = operation & 4 == 0;
    let behind = handle.stream().clone();
    match behind.lock(cx, lock, wait)? {
        Ok(()) => Ok(true),
        Err(Failure::Os(e)) => {
            if e.kind() == std::io::ErrorKind::WouldBlock
                && let Some(r) = would_block
            {
                r.set(Value::from(1i64));
            }
            Ok(false)
        }
        Err(_) => Ok(false),
    }
}

fn sync(cx: &mut Cx, stream: &Value, data_only: bool) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    let behind = handle.stream().clone();
    match behind.sync(cx, data_only)? {
        Ok(()) => Ok(true),
        Err(Failure::Unsupported) => {
            cx.warning("Can't fsync this stream!")?;
            Ok(false)
        }
        Err(_) => Ok(false),
    }
}

pub fn fsync(cx: &mut Cx, stream: &Value) -> Res<bool> {
    sync(cx, stream, false)
}

pub fn fdatasync(cx: &mut Cx, stream: &Value) -> Res<bool> {
    sync(cx, stream, true)
}

/// Copies the rest of a stream to the output.
pub fn pass_through(cx: &mut Cx, handle: &StreamHandle) -> Res<i64> {
    let mut total = 0;
    loop {
        match handle.read(cx, 65_536)? {
            Some(bytes) if !bytes.is_empty() => {
                total += bytes.len() as i64;
                cx.write(bytes.as_bytes())?;
            }
            _ => return Ok(total),
        }
    }
}

pub fn fpassthru(cx: &mut Cx, stream: &Value) -> Res<i64> {
    let handle = stream_argument(cx, stream, 1)?;
    pass_through(cx, &handle)
}

pub fn readfile(cx: &mut Cx, filename: &PStr, use_include_path: bool, context: Option<&Value>) -> Res<OrFalse<i64>> {
    let context = context_of(cx, context, 3)?;
    let Some(resource) = open_argument(cx, filename, 1, b"rb", use_include_path, context)? else { return Ok(OrFalse::FALSE) };
    let mut total = 0;
    if let Some(handle) = handle_of(&resource) {
        total = pass_through(cx, &handle)?;
    }
    finish(cx, &resource)?;
    Ok(OrFalse(Some(total)))
}

pub fn file_get_contents(
    cx: &mut Cx,
    filename: &PStr,
    use_include_path: bool,
    context: Option<&Value>,
    offset: i64,
    length: Option<i64>,
) -> Res<OrFalse<PStr>> {
    path_argument(cx, filename, 1)?;
    let limit = match length {
        Some(n) if n < 0 => return Err(cx.arg_value_error(5, "must be greater than or equal to 0")),
        Some(n) => Some(n as usize),
        None => None,
    };
    let context = context_of(cx, context, 3)?;
    let Some(resource) = open_argument(cx, filename, 1, b"rb", use_include_path, context)? else { return Ok(OrFalse::FALSE) };
    let Some(handle) = handle_of(&resource) else { return Ok(OrFalse::FALSE) };
    set_response_headers(cx, &handle);
    if offset != 0 && !handle.seek(cx, offset, if offset > 0 { Whence::Set } else { Whence::End })? {
        cx.warning(format_args!("Failed to seek to position {offset} in the stream"))?;
        drop(handle);
        finish(cx, &resource)?;
        return Ok(OrFalse::FALSE);
    }
    let content = handle.read_all(cx, limit)?;
    drop(handle);
    finish(cx, &resource)?;
    Ok(OrFalse(Some(content.unwrap_or_else(PStr::empty))))
}

/// `$http_response_header` of the calling function, for streams that have headers.
pub fn set_response_headers(cx: &mut Cx, handle: &StreamHandle) {
    if handle.wrapper_type != "http" {
        return;
    }
    let headers = handle.wrapper_data.borrow().clone();
    if headers.as_array().is_some() {
        // It is a plain local variable: assigning to it can fail only where a typed reference refuses an array.
        let _ = cx.engine().set_caller_variable(cx, &PStr::new(b"http_response_header"), headers);
    }
}

const USE_INCLUDE_PATH: i64 = 1;
const IGNORE_NEW_LINES: i64 = 2;
const SKIP_EMPTY_LINES: i64 = 4;
const APPEND: i64 = 8;
const NO_DEFAULT_CONTEXT: i64 = 16;
const LOCK_EX: i64 = 2;

pub fn file_put_contents(cx: &mut Cx, filename: &PStr, data: &Value, flags: i64, context: Option<&Value>) -> Res<OrFalse<i64>> {
    path_argument(cx, filename, 1)?;
    let source = match data.view_deref() {
        View::Resource(_) => Some(stream_argument(cx, data, 2)?),
        _ => None,
    };
    let context = match context_argument(cx, context, 4)? {
        None if flags & NO_DEFAULT_CONTEXT == 0 => Some(default_context(cx)),
        other => other,
    };
    let mut mode: &[u8] = if flags & APPEND != 0 { b"ab" } else { b"wb" };
    let lock = flags & LOCK_EX != 0;
    if lock {
        // The file must not be emptied before it is locked.
        let plain = stream::locate(cx, filename.as_bytes(), true)?.is_some_and(|(w, _)| w.is_plain());
        let is_url = filename.as_bytes().windows(3).any(|w| w == b"://");
        if is_url && !plain {
            cx.warning("Exclusive locks may only be set for regular files")?;
            return Ok(OrFalse::FALSE);
        }
        if flags & APPEND == 0 {
            mode = b"cb";
        }
    }
    let Some(resource) = open_argument(cx, filename, 1, mode, flags & USE_INCLUDE_PATH != 0, context)? else {
        return Ok(OrFalse::FALSE);
    };
    let Some(handle) = handle_of(&resource) else { return Ok(OrFalse::FALSE) };
    let behind = handle.stream().clone();
    if lock {
        if !behind.can_lock() || behind.lock(cx, Lock::Exclusive, true)?.is_err() {
            drop(handle);
            finish(cx, &resource)?;
            cx.warning("Exclusive locks are not supported for this stream")?;
            return Ok(OrFalse::FALSE);
        }
        if flags & APPEND == 0 {
            behind.truncate(cx, 0)?;
        }
    }
    let written = put(cx, &handle, data, source.as_deref());
    drop(handle);
    finish(cx, &resource)?;
    cx.unless_thrown(OrFalse(written?))
}

/// What a conversion throws waits for the end: the other pieces are written.
fn put(cx: &mut Cx, handle: &StreamHandle, data: &Value, source: Option<&StreamHandle>) -> Res<Option<i64>> {
    if let Some(source) = source {
        return crate::streams::copy(cx, source, handle, None).map(|n| Some(n as i64));
    }
    let mut total = 0;
    match data.view_deref() {
        View::Array(list) => {
            let list = list.clone();
            for value in list.values() {
                let text = cx.text_despite(value)?;
                if !write_piece(cx, handle, text.as_bytes())? {
                    return Ok(None);
                }
                total += text.len() as i64;
            }
        }
        View::Object(object) if !is_stringable(object) => return Ok(None),
        _ => {
            let text = cx.to_string(data.deref())?;
            if !write_piece(cx, handle, text.as_bytes())? {
                return Ok(None);
            }
            total = text.len() as i64;
        }
    }
    Ok(Some(total))
}

fn is_stringable(object: &jumbo_abi::PObject) -> bool {
    jumbo_abi::ClassPtr::of(object).method(b"__tostring").is_some()
}

/// Writes all of it; a warning says how much was written when it is less.
fn write_piece(cx: &mut Cx, handle: &StreamHandle, bytes: &[u8]) -> Res<bool> {
    if bytes.is_empty() {
        return Ok(true);
    }
    let Some(written) = handle.write(cx, bytes)? else { return Ok(false) };
    if written != bytes.len() {
        cx.warning(format_args!("Only {written} of {} bytes written, possibly out of free disk space", bytes.len()))?;
        return Ok(false);
    }
    Ok(true)
}

pub fn file(cx: &mut Cx, filename: &PStr, flags: i64, context: Option<&Value>) -> Res<OrFalse<PArray>> {
    path_argument(cx, filename, 1)?;
    let known = USE_INCLUDE_PATH | IGNORE_NEW_LINES | SKIP_EMPTY_LINES | NO_DEFAULT_CONTEXT;
    if flags & !known != 0 {
        return Err(cx.arg_value_error(2, "must be a valid flag value"));
    }
    let context = match context_argument(cx, context, 3)? {
        None if flags & NO_DEFAULT_CONTEXT == 0 => Some(default_context(cx)),
        other => other,
    };
    let Some(resource) = open_argument(cx, filename, 1, b"rb", flags & USE_INCLUDE_PATH != 0, context)? else {
        return Ok(OrFalse::FALSE);
    };
    let Some(handle) = handle_of(&resource) else { return Ok(OrFalse::FALSE) };
    set_response_headers(cx, &handle);
    let content = handle.read_all(cx, None)?.unwrap_or_else(PStr::empty);
    drop(handle);
    finish(cx, &resource)?;
    let mut lines = PArray::new();
    let mut rest = content.as_bytes();
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let mut line = &rest[..end];
        rest = &rest[end..];
        if flags & IGNORE_NEW_LINES != 0 {
            line = line.strip_suffix(b"\n").unwrap_or(line);
            // A carriage return before it belongs to the line end.
            line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() && flags & SKIP_EMPTY_LINES != 0 {
                continue;
            }
        }
        lines.append(PStr::new(line));
    }
    Ok(OrFalse(Some(lines)))
}

/// Creates an empty file with a name of its own.
pub fn create_temporary(cx: &mut Cx, folder: &std::path::Path, prefix: &[u8]) -> std::io::Result<(std::fs::File, std::path::PathBuf)> {
    let prefix = prefix.to_vec();
    blocking::at(cx, folder, move |folder| create_in(folder, &prefix))
}

fn create_in(folder: &std::path::Path, prefix: &[u8]) -> std::io::Result<(std::fs::File, std::path::PathBuf)> {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::OpenOptionsExt;
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for _ in 0..1000 {
        let mut name = prefix.to_vec();
        // The state of a new hasher is random. As in stock PHP, 13 characters without capitals come first.
        for (count, used) in [(13, 36), (6, letters.len() as u64)] {
            let mut seed = std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), std::time::Instant::now());
            for _ in 0..count {
                name.push(letters[letters.len() - 1 - (seed % used) as usize]);
                seed /= used;
            }
        }
        let path = folder.join(std::ffi::OsStr::from_bytes(&name));
        match std::fs::File::options().read(true).write(true).create_new(true).mode(0o600).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(std::io::Error::from(std::io::ErrorKind::AlreadyExists))
}

/// Where temporary files go.
pub fn temporary_folder(cx: &mut Cx) -> PStr {
    let set = PStr::new(cx.ini.str("sys_temp_dir"));
    let folder = if !set.is_empty() {
        set
    } else {
        jumbo_ext_misc::settings::environment_variable(cx, b"TMPDIR").filter(|d| !d.is_empty()).unwrap_or_else(|| PStr::new(b"/tmp"))
    };
    if folder.len() > 1 { folder.strip_suffix(b"/").map(PStr::new).unwrap_or(folder) } else { folder }
}

pub fn tmpfile(cx: &mut Cx) -> Res<Value> {
    let folder = temporary_folder(cx);
    match create_temporary(cx, &stream::path_buf(cx, &folder), b"php") {
        Ok((file, path)) => {
            let name = crate::plain::path_bytes(path.clone());
            let opened = Opened::new(Rc::new(crate::plain::Plain::temporary(cx, file, path)));
            Ok(Value::from(stream::to_resource(cx, opened, b"r+b", Some(&name), "plainfile")))
        }
        Err(_) => Ok(Value::from(false)),
    }
}

pub fn tempnam(cx: &mut Cx, directory: &PStr, prefix: &PStr) -> Res<OrFalse<PStr>> {
    path_argument(cx, directory, 1)?;
    path_argument(cx, prefix, 2)?;
    // Without a folder it is the system's that is used.
    let used = if directory.is_empty() { temporary_folder(cx) } else { directory.clone() };
    if !stream::allowed(cx, &used, false)? {
        return Ok(OrFalse::FALSE);
    }
    let base = crate::path::base(prefix.as_bytes());
    let base = &base[..base.len().min(63)];
    let wanted = stream::path_buf(cx, directory.as_bytes());
    let wanted = blocking::at(cx, &wanted, |wanted| wanted.canonicalize()).unwrap_or(wanted);
    let made = if directory.is_empty() { Err(std::io::ErrorKind::NotFound.into()) } else { create_temporary(cx, &wanted, base) };
    let made = match made {
        Ok(made) => Ok(made),
        Err(_) => {
            let folder = temporary_folder(cx);
            let made = create_temporary(cx, &stream::path_buf(cx, &folder), base);
            if made.is_ok() && !directory.is_empty() {
                cx.notice("file created in the system's temporary directory")?;
            }
            made
        }
    };
    Ok(OrFalse(made.ok().map(|(_, path)| PStr::new(&crate::plain::path_bytes(path)))))
}
