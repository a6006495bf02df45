//! stream_*: contents, metadata, settings, waiting for several streams.

use crate::wait::{self, For};
use jumbo_abi::stream::{self, STREAM, StreamHandle, Whence, stream_argument};
use jumbo_abi::{Cx, OrFalse, PArray, PRef, PResource, PStr, Res, Value};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Copies to the end of a stream, or `limit` bytes. Gives the number of bytes.
pub fn copy(cx: &mut Cx, from: &StreamHandle, to: &StreamHandle, limit: Option<usize>) -> Res<usize> {
    let mut total = 0;
    loop {
        let left = limit.map_or(usize::MAX, |l| l - total);
        if left == 0 {
            return Ok(total);
        }
        let Some(bytes) = from.read(cx, left.min(65_536))? else { return Ok(total) };
        if bytes.is_empty() {
            return Ok(total);
        }
        let mut rest = bytes.as_bytes();
        while !rest.is_empty() {
            match to.write(cx, rest)? {
                None | Some(0) => return Ok(total),
                Some(n) => {
                    total += n.min(rest.len());
                    rest = &rest[n.min(rest.len())..];
                }
            }
        }
        cx.check()?;
    }
}

pub fn stream_get_contents(cx: &mut Cx, stream: &Value, length: Option<i64>, offset: i64) -> Res<OrFalse<PStr>> {
    let limit = match length {
        Some(n) if n < -1 => return Err(cx.arg_value_error(2, "must be greater than or equal to -1")),
        Some(-1) | None => None,
        Some(n) => Some(n as usize),
    };
    let handle = stream_argument(cx, stream, 1)?;
    if offset >= 0 {
        let here = handle.position();
        let moved = if offset > here && !handle.stream().seekable() {
            handle.seek(cx, offset - here, Whence::Current)?
        } else if offset == here {
            true
        } else {
            handle.seek(cx, offset, Whence::Set)?
        };
        if !moved {
            cx.warning(format_args!("Failed to seek to position {offset} in the stream"))?;
            return Ok(OrFalse::FALSE);
        }
    }
    Ok(OrFalse(Some(handle.read_all(cx, limit)?.unwrap_or_else(PStr::empty))))
}

pub fn stream_copy_to_stream(cx: &mut Cx, from: &Value, to: &Value, length: Option<i64>, offset: i64) -> Res<OrFalse<i64>> {
    let source = stream_argument(cx, from, 1)?;
    let target = stream_argument(cx, to, 2)?;
    if offset > 0 && !source.seek(cx, offset, Whence::Set)? {
        cx.warning(format_args!("Failed to seek to position {offset} in the stream"))?;
        return Ok(OrFalse::FALSE);
    }
    let limit = length.and_then(|n| usize::try_from(n).ok());
    Ok(OrFalse(Some(copy(cx, &source, &target, limit)? as i64)))
}

pub fn stream_get_line(cx: &mut Cx, stream: &Value, length: i64, ending: &PStr) -> Res<OrFalse<PStr>> {
    if length < 0 {
        return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
    }
    let limit = if length == 0 { None } else { Some(length as usize) };
    let handle = stream_argument(cx, stream, 1)?;
    if ending.is_empty() {
        return Ok(OrFalse(handle.read(cx, limit.unwrap_or(8192))?.filter(|s| !s.is_empty())));
    }
    Ok(OrFalse(handle.read_until(cx, ending.as_bytes(), limit, false)?))
}

pub fn stream_get_meta_data(cx: &mut Cx, stream: &Value) -> Res<PArray> {
    let handle = stream_argument(cx, stream, 1)?;
    let mut out = PArray::new();
    let behind = handle.stream().clone();
    behind.metadata(&mut out);
    if !matches!(behind.kind(), "TEMP" | "RFC2397") {
        out.set_bytes(b"timed_out", behind.timed_out());
        out.set_bytes(b"blocked", handle.blocked.get());
        out.set_bytes(b"eof", handle.at_end(cx));
    }
    let data = handle.wrapper_data.borrow().clone();
    if !data.is_undef() && !data.is_null() {
        out.set_bytes(b"wrapper_data", data);
    }
    if !handle.wrapper_type.is_empty() {
        out.set_bytes(b"wrapper_type", PStr::new(handle.wrapper_type.as_bytes()));
    }
    out.set_bytes(b"stream_type", PStr::new(behind.kind().as_bytes()));
    out.set_bytes(b"mode", PStr::new(&handle.mode));
    out.set_bytes(b"unread_bytes", handle.unread() as i64);
    out.set_bytes(b"seekable", behind.seekable());
    if let Some(uri) = &handle.uri {
        out.set_bytes(b"uri", uri.clone());
    }
    Ok(out)
}

pub fn stream_set_blocking(cx: &mut Cx, stream: &Value, enable: bool) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    let behind = handle.stream().clone();
    let done = behind.set_blocking(cx, enable)?.unwrap_or(false);
    if done {
        handle.blocked.set(enable);
    }
    Ok(done)
}

pub fn stream_set_timeout(cx: &mut Cx, stream: &Value, seconds: i64, microseconds: i64) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    let behind = handle.stream().clone();
    let seconds = u64::try_from(seconds).unwrap_or(0);
    let timeout = Duration::from_secs(seconds).saturating_add(Duration::from_micros(u64::try_from(microseconds).unwrap_or(0)));
    behind.set_timeout(cx, timeout)
}

pub fn stream_set_write_buffer(cx: &mut Cx, stream: &Value, size: i64) -> Res<i64> {
    let handle = stream_argument(cx, stream, 1)?;
    let behind = handle.stream().clone();
    Ok(if behind.set_write_buffer(cx, usize::try_from(size).unwrap_or(0))? { 0 } else { -1 })
}

pub fn stream_set_read_buffer(cx: &mut Cx, stream: &Value, size: i64) -> Res<i64> {
    let handle = stream_argument(cx, stream, 1)?;
    // Unbuffered: every read asks for what the script wants, one byte at the least.
    handle.chunk_size.set(if size <= 0 { 1 } else { 8192 });
    Ok(0)
}

pub fn stream_set_chunk_size(cx: &mut Cx, stream: &Value, size: i64) -> Res<i64> {
    if size <= 0 {
        return Err(cx.arg_value_error(2, "must be greater than 0"));
    }
    if size > i64::from(i32::MAX) {
        return Err(cx.arg_value_error(2, "is too large"));
    }
    let handle = stream_argument(cx, stream, 1)?;
    Ok(handle.chunk_size.replace(size as usize) as i64)
}

/// What a descriptor is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    Select,
    /// To be handed to a child.
    Descriptor,
    /// To be looked at, without a word when there is none.
    Look,
}

/// What stands for a stream where a descriptor is wanted.
pub enum Descriptor {
    /// A duplicate: the stream may go while it is used.
    File(std::fs::File),
    /// Data in memory, which can be read and written at any time.
    Memory,
}

/// The descriptor of a stream. None: it has none; a warning was given, unless it was only to be looked at.
pub fn descriptor_of(cx: &mut Cx, handle: &StreamHandle, cast: Cast) -> Res<Option<Descriptor>> {
    let behind = handle.stream().clone();
    let found = if let Some(plain) = behind.as_any().downcast_ref::<crate::plain::Plain>() {
        plain.file().try_clone().ok().map(Descriptor::File)
    } else if let Some(socket) = behind.as_any().downcast_ref::<crate::socket::Socket>() {
        socket.duplicate().map(Descriptor::File)
    } else if let Some(temp) = behind.as_any().downcast_ref::<crate::temp::Temp>() {
        match cast {
            Cast::Select => Some(Descriptor::Memory),
            Cast::Descriptor => temp.file(cx)?.map(Descriptor::File),
            Cast::Look => None,
        }
    } else if behind.as_any().is::<crate::memory::Memory>() && behind.kind() == "RFC2397" && cast == Cast::Select {
        // With PHP the content of a data: URL lies in a php://temp.
        Some(Descriptor::Memory)
    } else if let Some(user) = behind.as_any().downcast_ref::<crate::user::UserStream>() {
        match cast {
            Cast::Look => match user.descriptor(cx, handle, Cast::Select, false)? {
                None => user.descriptor(cx, handle, Cast::Descriptor, false)?,
                found => found,
            },
            _ => user.descriptor(cx, handle, cast, true)?,
        }
    } else {
        None
    };
    if found.is_none() && cast != Cast::Look {
        let kind = handle.stream().kind();
        let wanted = if cast == Cast::Select { "select()able descriptor" } else { "File Descriptor" };
        cx.warning(format_args!("Cannot represent a stream of type {kind} as a {wanted}"))?;
    }
    Ok(found)
}

/// A duplicate of the descriptor that a child gets. None: a warning was given.
pub fn duplicate_of(cx: &mut Cx, handle: &StreamHandle) -> Res<Option<std::fs::File>> {
    Ok(match descriptor_of(cx, handle, Cast::Descriptor)? {
        Some(Descriptor::File(file)) => Some(file),
        _ => None,
    })
}

pub fn stream_isatty(cx: &mut Cx, stream: &Value) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    let found = descriptor_of(cx, &handle, Cast::Look)?;
    Ok(matches!(found, Some(Descriptor::File(file)) if rustix::termios::isatty(&file)))
}

pub fn stream_is_local(cx: &mut Cx, stream: &Value) -> Res<bool> {
    if stream.deref().as_resource().is_some() {
        let handle = stream_argument(cx, stream, 1)?;
        return Ok(!matches!(handle.wrapper_type, "http" | "ftp" | "RFC2397"));
    }
    let name = cx.to_string(stream.deref())?;
    Ok(stream::locate(cx, name.as_bytes(), true)?.is_some_and(|(w, _)| !w.is_url()))
}

pub fn stream_supports_lock(cx: &mut Cx, stream: &Value) -> Res<bool> {
    let handle = stream_argument(cx, stream, 1)?;
    Ok(handle.stream().can_lock())
}

pub fn stream_resolve_include_path(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<PStr>> {
    crate::file::path_argument(cx, filename, 1)?;
    Ok(OrFalse(stream::resolve_include_path(cx, filename.as_bytes()).map(|p| PStr::new(&p))))
}

/// An element of one of stream_select's arrays.
struct Watched {
    key: jumbo_abi::Key,
    stream: Value,
    descriptor: Descriptor,
    /// Data was read ahead of the script.
    is_ahead: bool,
    /// A stream of a user class is asked for its descriptor again when the wait is over.
    is_user: bool,
}

fn watched(cx: &mut Cx, list: &PRef, what: For) -> Res<Vec<Watched>> {
    let mut out = Vec::new();
    let Some(list) = list.get().as_array().cloned() else { return Ok(out) };
    for (key, value) in list.iter() {
        let stream = value.copy_deref();
        let handle = match stream.as_resource().and_then(|r| r.native::<StreamHandle>()) {
            Some(handle) => handle,
            None if stream.as_resource().is_none() => {
                return Err(cx.type_error([cx.active_function_name().as_slice(), b"(): supplied argument is not a valid stream resource"]));
            }
            None => {
                let function = cx.active_function_name();
                return Err(cx.type_error([function.as_slice(), b"(): supplied resource is not a valid stream resource"]));
            }
        };
        let Some(descriptor) = descriptor_of(cx, &handle, Cast::Select)? else { continue };
        let ahead = || handle.unread() > 0 || handle.stream_as::<crate::socket::Socket>().is_some_and(|s| s.ahead());
        let is_ahead = what == For::Reading && ahead();
        let is_user = handle.stream_as::<crate::user::UserStream>().is_some();
        drop(handle);
        out.push(Watched { key: key.to_key(), stream, descriptor, is_ahead, is_user });
    }
    Ok(out)
}

impl Watched {
    fn is_ready(&self, what: For) -> bool {
        match &self.descriptor {
            Descriptor::Memory => what != For::Exceptional,
            Descriptor::File(file) => wait::ready(std::os::fd::AsFd::as_fd(file), what),
        }
    }
}

/// What `keep` keeps of a list, as an array.
fn those(list: &[Watched], keep: impl Fn(&Watched) -> bool) -> PArray {
    let mut out = PArray::new();
    for watched in list.iter().filter(|w| keep(w)) {
        out.set(watched.key.clone(), watched.stream.clone());
    }
    out
}

pub fn stream_select(
    cx: &mut Cx,
    read: &PRef,
    write: &PRef,
    except: &PRef,
    seconds: Option<i64>,
    microseconds: Option<i64>,
) -> Res<OrFalse<i64>> {
    if seconds.is_some_and(|s| s < 0) {
        return Err(cx.arg_value_error(4, "must be greater than or equal to 0"));
    }
    if seconds.is_none() && microseconds.is_some_and(|m| m != 0) {
        return Err(cx.arg_value_error(5, "must be null when argument #4 ($seconds) is null"));
    }
    if microseconds.is_some_and(|m| m < 0) {
        return Err(cx.arg_value_error(5, "must be greater than or equal to 0"));
    }
    let reading = watched(cx, read, For::Reading)?;
    let writing = watched(cx, write, For::Writing)?;
    let exceptional = watched(cx, except, For::Exceptional)?;
    if reading.is_empty() && writing.is_empty() && exceptional.is_empty() {
        return Err(cx.value_error("No stream arrays were passed"));
    }
    let timeout = seconds.map(|s| {
        Duration::from_secs(s as u64).saturating_add(Duration::from_micros(u64::try_from(microseconds.unwrap_or(0)).unwrap_or(0)))
    });
    let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
    let give = |lists: [PArray; 3]| {
        let count: usize = lists.iter().map(PArray::len).sum();
        for (target, ready) in [read, write, except].into_iter().zip(lists) {
            if target.get().as_array().is_some() {
                target.set(Value::from(ready));
            }
        }
        Ok(OrFalse(Some(count as i64)))
    };
    // Where data was read ahead there is nothing to wait for, and PHP looks at nothing else.
    let ahead = those(&reading, |w| w.is_ahead);
    if !ahead.is_empty() {
        return give([ahead, PArray::new(), PArray::new()]);
    }
    let mut lists = [(reading, For::Reading), (writing, For::Writing), (exceptional, For::Exceptional)];
    let mut pause = Duration::from_micros(100);
    loop {
        let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let some_ready = lists.iter().any(|(list, what)| list.iter().any(|w| w.is_ready(*what)));
        if some_ready || left.is_some_and(|l| l.is_zero()) {
            for watched in lists.iter_mut().flat_map(|(list, _)| list).filter(|w| w.is_user) {
                let handle = stream_argument(cx, &watched.stream, 1)?;
                if let Some(descriptor) = descriptor_of(cx, &handle, Cast::Select)? {
                    watched.descriptor = descriptor;
                }
            }
            return give(lists.each_ref().map(|(list, what)| those(list, |w| w.is_ready(*what))));
        }
        cx.check()?;
        let mut all = lists.iter().flat_map(|(list, what)| list.iter().map(|w| (&w.descriptor, *what)));
        if let (Some((Descriptor::File(only), what)), None) = (all.next(), all.next())
            && what != For::Exceptional
        {
            wait::until_ready(cx, only, what, left)?;
            continue;
        }
        cx.sleep(left.map_or(pause, |l| l.min(pause)));
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

pub fn stream_get_transports(_cx: &mut Cx) -> PArray {
    let more = crate::socket::crypto().map_or(&[][..], |c| c.transports).iter().map(|(name, _)| *name);
    ["tcp", "udp", "unix", "udg"].into_iter().chain(more).map(|t| Value::from(PStr::new(t.as_bytes()))).collect()
}

pub fn stream_socket_pair(cx: &mut Cx, domain: i64, kind: i64, protocol: i64) -> Res<Value> {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
    let family = u16::try_from(domain).map(AddressFamily::from_raw);
    let kind = u32::try_from(kind).map(SocketType::from_raw);
    let (Ok(family), Ok(kind)) = (family, kind) else { return Ok(Value::from(false)) };
    let protocol = u32::try_from(protocol).ok().and_then(std::num::NonZeroU32::new).map(rustix::net::Protocol::from_raw);
    match socketpair(family, kind, SocketFlags::CLOEXEC, protocol) {
        Ok((a, b)) => {
            let mut make = |fd: std::os::fd::OwnedFd| {
                let opened = stream::Opened::new(Rc::new(crate::socket::Socket::new(fd, "generic_socket")));
                Value::from(stream::to_resource(cx, opened, b"r+", None, ""))
            };
            let pair = [make(a), make(b)];
            Ok(Value::from(PArray::from_values(pair)))
        }
        Err(e) => {
            let error = std::io::Error::from(e);
            let text = stream::os_error_text(&error);
            let head = format!("Failed to create sockets: [{}]: ", error.raw_os_error().unwrap_or(0));
            cx.warning([head.as_bytes(), &text])?;
            Ok(Value::from(false))
        }
    }
}

/// The type name of stream resources, for those who make some of their own.
pub fn new_stream(cx: &mut Cx, behind: Rc<dyn stream::Stream>, mode: &[u8]) -> PResource {
    let opened = stream::Opened::new(behind);
    let handle = StreamHandle::new(cx, opened, mode, None, "");
    PResource::new(STREAM, Box::new(handle))
}
