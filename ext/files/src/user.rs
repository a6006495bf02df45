//! Wrappers and streams that are objects of user classes (`stream_wrapper_register`).

use crate::streams::{Cast, Descriptor};
use jumbo_abi::stream::{FileStat, Failure, Lock, Metadata, OpenOptions, Opened, Read, Stream, StreamHandle, Tried, Whence, Wrapper};
use jumbo_abi::{ClassPtr, Cx, PArray, PObject, PRef, PResource, PStr, Res, Value};
use std::any::Any;
use std::rc::Rc;
use std::time::Duration;

/// `wrapper_type` of user wrappers.
pub const LABEL: &str = "user-space";

pub struct UserWrapper {
    class: ClassPtr,
    is_url: bool,
}

impl UserWrapper {
    pub fn new(class: ClassPtr, is_url: bool) -> UserWrapper {
        UserWrapper { class, is_url }
    }

    /// A new object of the class, with its context.
    fn object(&self, cx: &mut Cx, context: Option<&PResource>) -> Res<PObject> {
        let object = cx.new_object(self.class)?;
        let context = context.cloned().map_or(Value::null(), Value::from);
        cx.write_property(&object, b"context", context)?;
        if self.class.method(b"__construct").is_some() {
            cx.call_method(&object, b"__construct", &[])?;
        }
        Ok(object)
    }

    /// Calls a method that answers with a boolean.
    fn ask(&self, cx: &mut Cx, context: Option<&PResource>, method: &str, args: &[Value]) -> Tried<()> {
        let object = self.object(cx, context)?;
        match invoke(cx, &object, method, args)? {
            Some(answer) if jumbo_value::convert::to_bool(answer.deref()) => Ok(Ok(())),
            Some(_) => Ok(Err(Failure::Reported)),
            None => {
                missing(cx, &object, method, "")?;
                Ok(Err(Failure::Reported))
            }
        }
    }
}

/// Calls a method if the class has it (or `__call`).
fn invoke(cx: &mut Cx, object: &PObject, method: &str, args: &[Value]) -> Res<Option<Value>> {
    let class = ClassPtr::of(object);
    let lower = method.to_ascii_lowercase();
    if class.method(lower.as_bytes()).is_some() {
        return cx.call_method(object, lower.as_bytes(), args).map(Some);
    }
    if class.method(b"__call").is_some() {
        let list: PArray = args.iter().map(Value::copy_deref).collect();
        let call = [Value::from(PStr::new(method.as_bytes())), Value::from(list)];
        return cx.call_method(object, b"__call", &call).map(Some);
    }
    Ok(None)
}

fn missing(cx: &mut Cx, object: &PObject, method: &str, more: &str) -> Res<()> {
    let class = ClassPtr::of(object);
    cx.warning([class.name.as_bytes(), b"::", method.as_bytes(), b" is not implemented!", more.as_bytes()])
}

fn text(bytes: &[u8]) -> Value {
    Value::from(PStr::new(bytes))
}

fn stat_from(value: &Value) -> Option<FileStat> {
    let list = value.deref().as_array()?.clone();
    let get = |name: &[u8]| list.get_bytes(name).map_or(0, |v| jumbo_value::convert::to_int(v.deref()));
    Some(FileStat {
        dev: get(b"dev"),
        ino: get(b"ino"),
        mode: get(b"mode"),
        nlink: get(b"nlink"),
        uid: get(b"uid"),
        gid: get(b"gid"),
        rdev: get(b"rdev"),
        size: get(b"size"),
        atime: get(b"atime"),
        mtime: get(b"mtime"),
        ctime: get(b"ctime"),
        blksize: get(b"blksize"),
        blocks: get(b"blocks"),
    })
}

const USE_PATH: i64 = 1;
const REPORT_ERRORS: i64 = 8;
/// USE_PATH, STREAM_OPEN_FOR_INCLUDE and STREAM_OPEN_FOR_ZEND_STREAM.
const FOR_INCLUDE: i64 = 1 | 0x80 | 0x1_0000;

/// Flags of `url_stat`: PHP's STREAM_URL_STAT_LINK and STREAM_URL_STAT_QUIET, and one that it has no name for.
const STAT_LINK: i64 = 1;
const STAT_QUIET: i64 = 2;
const STAT_IGNORE_OPEN_BASEDIR: i64 = 4;

impl UserWrapper {
    fn url_stat(&self, cx: &mut Cx, path: &[u8], flags: i64) -> Tried<FileStat> {
        let object = self.object(cx, None)?;
        match invoke(cx, &object, "url_stat", &[text(path), Value::from(flags)])? {
            Some(answer) => Ok(stat_from(&answer).ok_or(Failure::message("url_stat failed"))),
            None => {
                missing(cx, &object, "url_stat", "")?;
                Ok(Err(Failure::message("url_stat failed")))
            }
        }
    }
}

impl Wrapper for UserWrapper {
    fn label(&self) -> &'static str {
        LABEL
    }
    fn is_url(&self) -> bool {
        self.is_url
    }
    fn open(&self, cx: &mut Cx, path: &[u8], mode: &[u8], options: &OpenOptions) -> Tried<Opened> {
        let object = self.object(cx, options.context.as_ref())?;
        let mut flags = 0;
        if options.use_include_path {
            flags |= USE_PATH;
        }
        if options.for_include {
            flags |= FOR_INCLUDE;
        }
        let opened_path = PRef::new(Value::null());
        let args = [text(path), text(mode), Value::from(flags), Value::from(opened_path.clone())];
        let class = self.class.name.as_bytes();
        match invoke(cx, &object, "stream_open", &args)? {
            Some(answer) if jumbo_value::convert::to_bool(answer.deref()) => {
                let opened_path = opened_path.get().as_str().cloned();
                let wrapper_data = Value::from(object.clone());
                let stream: Rc<dyn Stream> = Rc::new(UserStream { object, folder: false });
                Ok(Ok(Opened { wrapper_data, opened_path, ..Opened::new(stream) }))
            }
            Some(_) => Ok(Err(Failure::message([b"\"".as_slice(), class, b"::stream_open\" call failed"]))),
            None => Ok(Err(Failure::message([b"\"".as_slice(), class, b"::stream_open\" is not implemented!"]))),
        }
    }
    fn stat(&self, cx: &mut Cx, path: &[u8], link: bool, quiet: bool) -> Tried<FileStat> {
        self.url_stat(cx, path, if link { STAT_LINK } else { 0 } | if quiet { STAT_QUIET } else { 0 })
    }
    fn stat_of_name(&self, cx: &mut Cx, path: &[u8], link: bool, quiet: bool) -> Tried<FileStat> {
        let flags = if link { STAT_LINK } else { 0 } | if quiet { STAT_QUIET } else { 0 };
        self.url_stat(cx, path, flags | STAT_IGNORE_OPEN_BASEDIR)
    }
    fn unlink(&self, cx: &mut Cx, path: &[u8], context: Option<&PResource>) -> Tried<()> {
        self.ask(cx, context, "unlink", &[text(path)])
    }
    fn rename(&self, cx: &mut Cx, from: &[u8], to: &[u8], context: Option<&PResource>) -> Tried<()> {
        self.ask(cx, context, "rename", &[text(from), text(to)])
    }
    fn mkdir(&self, cx: &mut Cx, path: &[u8], mode: u32, recursive: bool, context: Option<&PResource>) -> Tried<()> {
        let options = i64::from(recursive) | REPORT_ERRORS;
        self.ask(cx, context, "mkdir", &[text(path), Value::from(i64::from(mode)), Value::from(options)])
    }
    fn rmdir(&self, cx: &mut Cx, path: &[u8], context: Option<&PResource>) -> Tried<()> {
        self.ask(cx, context, "rmdir", &[text(path), Value::from(REPORT_ERRORS)])
    }
    fn open_folder(&self, cx: &mut Cx, path: &[u8], context: Option<&PResource>) -> Tried<Rc<dyn Stream>> {
        let object = self.object(cx, context)?;
        let class = self.class.name.as_bytes();
        match invoke(cx, &object, "dir_opendir", &[text(path), Value::from(0i64)])? {
            Some(answer) if jumbo_value::convert::to_bool(answer.deref()) => {
                let stream: Rc<dyn Stream> = Rc::new(UserStream { object, folder: true });
                Ok(Ok(stream))
            }
            _ => Ok(Err(Failure::message([b"\"".as_slice(), class, b"::dir_opendir\" call failed"]))),
        }
    }
    fn set_metadata(&self, cx: &mut Cx, path: &[u8], metadata: &Metadata, context: Option<&PResource>) -> Tried<()> {
        let (option, value) = match metadata {
            Metadata::Touch(times) => {
                let list = times.map_or_else(PArray::new, |(m, a)| PArray::from_values([Value::from(m), Value::from(a)]));
                (1i64, Value::from(list))
            }
            Metadata::OwnerName(name) => (2, Value::from(name.clone())),
            Metadata::Owner(id) => (3, Value::from(*id)),
            Metadata::GroupName(name) => (4, Value::from(name.clone())),
            Metadata::Group(id) => (5, Value::from(*id)),
            Metadata::Mode(mode) => (6, Value::from(i64::from(*mode))),
        };
        self.ask(cx, context, "stream_metadata", &[text(path), Value::from(option), value])
    }
}

/// An open stream or folder of a user class.
pub struct UserStream {
    object: PObject,
    folder: bool,
}

impl UserStream {
    /// The descriptor of the stream that `stream_cast` gives for this one, which is behind `handle`.
    pub fn descriptor(&self, cx: &mut Cx, handle: &StreamHandle, cast: Cast, report: bool) -> Res<Option<Descriptor>> {
        const FOR_SELECT: i64 = 3;
        const AS_STDIO: i64 = 0;
        if self.folder {
            return Ok(None);
        }
        let wanted = if cast == Cast::Select { FOR_SELECT } else { AS_STDIO };
        let Some(answer) = invoke(cx, &self.object, "stream_cast", &[Value::from(wanted)])? else {
            if report {
                missing(cx, &self.object, "stream_cast", "")?;
            }
            return Ok(None);
        };
        let answer = answer.deref();
        if !jumbo_value::convert::to_bool(answer) {
            return Ok(None);
        }
        let why = match answer.as_resource().and_then(|r| r.native::<StreamHandle>()) {
            None => "must return a stream resource",
            Some(other) if Rc::ptr_eq(other.stream(), handle.stream()) => "must not return itself",
            Some(other) => {
                // Each stream may give another one of its kind.
                cx.check_stack()?;
                return crate::streams::descriptor_of(cx, &other, cast);
            }
        };
        if report {
            cx.warning([self.class().name.as_bytes(), b"::stream_cast ", why.as_bytes()])?;
        }
        Ok(None)
    }
    fn has(&self, lower: &[u8]) -> bool {
        let class = ClassPtr::of(&self.object);
        class.method(lower).is_some() || class.method(b"__call").is_some()
    }
    fn class(&self) -> ClassPtr {
        ClassPtr::of(&self.object)
    }
}

impl Stream for UserStream {
    fn kind(&self) -> &'static str {
        if self.folder { "user-space-dir" } else { "user-space" }
    }
    fn read(&self, cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read> {
        let count = buffer.len();
        let Some(answer) = invoke(cx, &self.object, "stream_read", &[Value::from(count as i64)])? else {
            missing(cx, &self.object, "stream_read", "")?;
            return Ok(Err(Failure::Reported));
        };
        let mut len = 0;
        let failed = answer.deref().is_false();
        if !failed {
            let data = cx.to_string(answer.deref())?;
            len = data.len().min(count);
            if data.len() > count {
                let [more, read, max] = [data.len() - count, data.len(), count].map(|n| n.to_string());
                cx.warning([
                    self.class().name.as_bytes(),
                    b"::stream_read - read ",
                    more.as_bytes(),
                    b" bytes more data than requested (",
                    read.as_bytes(),
                    b" read, ",
                    max.as_bytes(),
                    b" max) - excess data will be lost",
                ])?;
            }
            buffer[..len].copy_from_slice(&data.as_bytes()[..len]);
        }
        let eof = match invoke(cx, &self.object, "stream_eof", &[])? {
            Some(answer) => jumbo_value::convert::to_bool(answer.deref()),
            None => {
                missing(cx, &self.object, "stream_eof", " Assuming EOF")?;
                true
            }
        };
        if failed && !eof {
            return Ok(Err(Failure::Reported));
        }
        Ok(Ok(Read { len, eof }))
    }
    fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Tried<usize> {
        let Some(answer) = invoke(cx, &self.object, "stream_write", &[text(bytes)])? else {
            missing(cx, &self.object, "stream_write", "")?;
            return Ok(Err(Failure::Reported));
        };
        if answer.deref().is_false() {
            return Ok(Err(Failure::Reported));
        }
        let count = jumbo_value::convert::to_int(answer.deref());
        let count = usize::try_from(count).unwrap_or(0);
        if count > bytes.len() {
            let [more, written, max] = [count - bytes.len(), count, bytes.len()].map(|n| n.to_string());
            cx.warning([
                self.class().name.as_bytes(),
                b"::stream_write wrote ",
                more.as_bytes(),
                b" bytes more data than requested (",
                written.as_bytes(),
                b" written, ",
                max.as_bytes(),
                b" max)",
            ])?;
        }
        Ok(Ok(count.min(bytes.len())))
    }
    fn seek(&self, cx: &mut Cx, offset: i64, whence: Whence) -> Tried<i64> {
        let whence = match whence {
            Whence::Set => 0i64,
            Whence::Current => 1,
            Whence::End => 2,
        };
        match invoke(cx, &self.object, "stream_seek", &[Value::from(offset), Value::from(whence)])? {
            Some(answer) if jumbo_value::convert::to_bool(answer.deref()) => {}
            _ => return Ok(Err(Failure::Reported)),
        }
        match invoke(cx, &self.object, "stream_tell", &[])? {
            Some(at) => Ok(Ok(jumbo_value::convert::to_int(at.deref()))),
            None => {
                missing(cx, &self.object, "stream_tell", "")?;
                Ok(Err(Failure::Reported))
            }
        }
    }
    fn seekable(&self) -> bool {
        self.has(b"stream_seek")
    }
    fn flush(&self, cx: &mut Cx) -> Res<bool> {
        if self.folder {
            return Ok(true);
        }
        let answer = invoke(cx, &self.object, "stream_flush", &[])?;
        Ok(answer.is_some_and(|v| jumbo_value::convert::to_bool(v.deref())))
    }
    fn close(&self, cx: &mut Cx) -> Res<()> {
        invoke(cx, &self.object, if self.folder { "dir_closedir" } else { "stream_close" }, &[])?;
        Ok(())
    }
    fn must_close(&self) -> bool {
        true
    }
    fn stat(&self, cx: &mut Cx) -> Tried<FileStat> {
        match invoke(cx, &self.object, "stream_stat", &[])? {
            Some(answer) => Ok(stat_from(&answer).ok_or(Failure::Reported)),
            None => {
                missing(cx, &self.object, "stream_stat", "")?;
                Ok(Err(Failure::Reported))
            }
        }
    }
    fn can_truncate(&self) -> bool {
        self.has(b"stream_truncate")
    }
    fn truncate(&self, cx: &mut Cx, size: i64) -> Res<bool> {
        let Some(answer) = invoke(cx, &self.object, "stream_truncate", &[Value::from(size)])? else { return Ok(false) };
        match answer.deref().as_bool() {
            Some(done) => Ok(done),
            None => {
                cx.warning([self.class().name.as_bytes(), b"::stream_truncate did not return a boolean!"])?;
                Ok(false)
            }
        }
    }
    fn can_lock(&self) -> bool {
        self.has(b"stream_lock")
    }
    fn lock(&self, cx: &mut Cx, lock: Lock, wait: bool) -> Tried<()> {
        let operation = match lock {
            Lock::Shared => 1i64,
            Lock::Exclusive => 2,
            Lock::Unlock => 3,
        };
        let operation = operation | if wait { 0 } else { 4 };
        match invoke(cx, &self.object, "stream_lock", &[Value::from(operation)])? {
            Some(answer) if jumbo_value::convert::to_bool(answer.deref()) => Ok(Ok(())),
            Some(_) => Ok(Err(Failure::Reported)),
            None => {
                missing(cx, &self.object, "stream_lock", "")?;
                Ok(Err(Failure::Reported))
            }
        }
    }
    fn set_blocking(&self, cx: &mut Cx, blocking: bool) -> Res<Option<bool>> {
        self.set_option(cx, 1, i64::from(blocking), Value::null()).map(Some)
    }
    fn set_timeout(&self, cx: &mut Cx, timeout: Duration) -> Res<bool> {
        self.set_option(cx, 4, timeout.as_secs() as i64, Value::from(i64::from(timeout.subsec_micros())))
    }
    fn asked_for_size(&self) -> bool {
        true
    }
    fn set_read_buffer(&self, cx: &mut Cx, size: usize) -> Res<bool> {
        self.set_option(cx, 2, 0, Value::from(size as i64))
    }
    fn set_write_buffer(&self, cx: &mut Cx, size: usize) -> Res<bool> {
        let mode = if size == 0 { 0 } else { 2 };
        self.set_option(cx, 3, mode, Value::from(size as i64))
    }
    fn read_entry(&self, cx: &mut Cx) -> Res<Option<PStr>> {
        match invoke(cx, &self.object, "dir_readdir", &[])? {
            Some(answer) if answer.deref().is_false() => Ok(None),
            Some(answer) => cx.to_string(answer.deref()).map(Some),
            None => {
                missing(cx, &self.object, "dir_readdir", "")?;
                Ok(None)
            }
        }
    }
    fn rewind_entries(&self, cx: &mut Cx) -> Res<()> {
        invoke(cx, &self.object, "dir_rewinddir", &[])?;
        Ok(())
    }
    fn is_folder(&self) -> bool {
        self.folder
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl UserStream {
    fn set_option(&self, cx: &mut Cx, option: i64, first: i64, second: Value) -> Res<bool> {
        match invoke(cx, &self.object, "stream_set_option", &[Value::from(option), Value::from(first), second])? {
            Some(answer) => Ok(jumbo_value::convert::to_bool(answer.deref())),
            None => {
                missing(cx, &self.object, "stream_set_option", "")?;
                Ok(false)
            }
        }
    }
}
