//! `php://` and `data:`.

use crate::memory::Memory;
use crate::plain::{Plain, open_options};
use jumbo_abi::request::Body;
use jumbo_abi::stream::{self, Failure, OpenOptions, Opened, Read, Stream, StreamHandle, Tried, Whence, Wrapper, WrapperDesc};
use jumbo_abi::{Cx, PArray, PResource, PStr, Res, Stop, Value};
use std::any::Any;
use std::fs::File;
use std::os::fd::RawFd;
use std::rc::Rc;

pub struct Php;
pub struct Data;

pub const PHP: WrapperDesc = WrapperDesc { scheme: "php", make: || Rc::new(Php) };
/// Longer than what begins any name of php://.
const NAME_MAX: usize = 32;

pub const DATA: WrapperDesc = WrapperDesc { scheme: "data", make: || Rc::new(Data) };

/// php://output: into the output buffers.
struct Output;

impl Stream for Output {
    fn kind(&self) -> &'static str {
        "Output"
    }
    fn read(&self, _cx: &mut Cx, _buffer: &mut [u8]) -> Tried<Read> {
        Ok(Ok(Read { len: 0, eof: true }))
    }
    fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Tried<usize> {
        cx.write(bytes)?;
        Ok(Ok(bytes.len()))
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// php://filter: the stream of its resource, seen through filters that the inner handle runs.
struct Filtered {
    resource: PResource,
}

impl Filtered {
    fn handle(&self) -> Result<jumbo_value::resource::NativeRef<StreamHandle>, Failure> {
        self.resource.native::<StreamHandle>().ok_or(Failure::Reported)
    }
}

impl Stream for Filtered {
    fn kind(&self) -> &'static str {
        self.handle().map_or("STDIO", |h| h.stream().kind())
    }
    fn read(&self, cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read> {
        let handle = match self.handle() {
            Ok(h) => h,
            Err(e) => return Ok(Err(e)),
        };
        match handle.read(cx, buffer.len())? {
            Some(got) => {
                let len = got.len().min(buffer.len());
                buffer[..len].copy_from_slice(&got.as_bytes()[..len]);
                Ok(Ok(Read { len, eof: len == 0 && handle.at_end(cx) }))
            }
            None => Ok(Err(Failure::Reported)),
        }
    }
    fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Tried<usize> {
        match self.handle() {
            Ok(h) => Ok(h.write(cx, bytes)?.ok_or(Failure::Reported)),
            Err(e) => Ok(Err(e)),
        }
    }
    fn seek(&self, cx: &mut Cx, offset: i64, whence: Whence) -> Tried<i64> {
        match self.handle() {
            Ok(h) => Ok(if h.seek(cx, offset, whence)? { Ok(h.position()) } else { Err(Failure::Reported) }),
            Err(e) => Ok(Err(e)),
        }
    }
    fn seekable(&self) -> bool {
        self.handle().is_ok_and(|h| h.stream().seekable())
    }
    fn flush(&self, cx: &mut Cx) -> Res<bool> {
        match self.handle() {
            Ok(h) => h.flush(cx),
            Err(_) => Ok(false),
        }
    }
    fn close(&self, cx: &mut Cx) -> Res<()> {
        if let Ok(handle) = self.handle() {
            handle.close(cx)?;
        }
        self.resource.close();
        Ok(())
    }
    fn must_close(&self) -> bool {
        true
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A new descriptor for one that the process has. (The original stays open whatever the script closes.)
pub fn duplicate(number: RawFd) -> std::io::Result<File> {
    let owned = match number {
        0 => rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?,
        1 => rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?,
        2 => rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stderr(), 3)?,
        n => {
            let path = format!("/proc/self/fd/{n}");
            let how = std::fs::OpenOptions::new().read(true).write(true).open(&path);
            return how.or_else(|_| File::open(&path)).or_else(|_| File::options().write(true).open(&path));
        }
    };
    Ok(File::from(owned))
}

/// The stream over one of the standard descriptors.
pub fn standard(number: RawFd, file: File) -> Rc<dyn Stream> {
    Rc::new(if number == 0 { Plain::new(file) } else { Plain::terminal(file) })
}

fn is_writable(mode: &[u8]) -> bool {
    mode.contains(&b'+') || mode.first() != Some(&b'r')
}

impl Wrapper for Php {
    fn label(&self) -> &'static str {
        "PHP"
    }
    fn open(&self, cx: &mut Cx, path: &[u8], mode: &[u8], options: &OpenOptions) -> Tried<Opened> {
        let name = path.get("php://".len()..).unwrap_or_default();
        // No name is longer than its first part.
        let lower = name[..name.len().min(NAME_MAX)].to_ascii_lowercase();
        // As PHP does, wherever the letter stands: `a` appends, `w` and `+` write, and every other mode reads alone.
        let (writable, shown) = match mode {
            m if m.contains(&b'a') => (true, "a+b"),
            m if m.iter().any(|b| matches!(b, b'w' | b'+')) => (true, "w+b"),
            _ => (false, "rb"),
        };
        let memory = |kind| {
            let memory = Memory::new(kind, b"", writable)?;
            Ok::<_, Stop>(if shown == "a+b" { memory.appending() } else { memory })
        };
        let opened = |stream: Rc<dyn Stream>| Ok(Ok(Opened { mode: Some(shown), ..Opened::new(stream) }));
        let temporary = |max: usize| opened(Rc::new(crate::temp::Temp::new(memory("TEMP")?, max)));
        // The server's own descriptors are none of a request's business.
        let on_command_line = crate::plain::on_command_line();
        // `php` itself is local, but what a client or another process sends runs no more than the answer of a URL does. An
        // include does not open what gives it without allow_url_include, and php://filter passes on that it is for one.
        let runs_foreign_code = options.for_include && !cx.ini.bool("allow_url_include");
        let barred = || Ok(Err(Failure::message("operation failed")));
        match lower.as_slice() {
            b"memory" => opened(Rc::new(memory("MEMORY")?)),
            b"temp" => temporary(crate::temp::DEFAULT_MAX),
            // Whatever follows: `php://temp,` is one too.
            n if n.starts_with(b"temp") => {
                if let Some(max) = n.strip_prefix(b"temp/maxmemory:".as_slice())
                    && max.first() == Some(&b'-')
                {
                    return Err(cx.arg_value_error(2, "must be greater than or equal to 0"));
                }
                let max = n.starts_with(b"temp/maxmemory:").then(|| {
                    let digits = &name["temp/maxmemory:".len()..];
                    let len = digits.iter().take_while(|b| b.is_ascii_digit()).count();
                    std::str::from_utf8(&digits[..len]).ok()?.parse().ok()
                });
                temporary(max.flatten().unwrap_or(crate::temp::DEFAULT_MAX))
            }
            b"output" => Ok(Ok(Opened { mode: Some("wb"), ..Opened::new(Rc::new(Output)) })),
            b"input" | b"stdin" if runs_foreign_code => barred(),
            b"input" => {
                let body = Memory::new("Input", &cx.state::<Body>().bytes, false)?;
                Ok(Ok(Opened { mode: Some("rb"), ..Opened::new(Rc::new(body)) }))
            }
            b"stdin" | b"stdout" | b"stderr" => {
                let number = match lower.as_slice() {
                    b"stdin" => 0,
                    b"stdout" => 1,
                    _ => 2,
                };
                Ok(match duplicate(number) {
                    Ok(file) => Ok(Opened::new(standard(number, file))),
                    Err(e) => Err(e.into()),
                })
            }
            n if n.starts_with(b"fd/") => {
                let digits = &name[3..];
                let number: Option<RawFd> = std::str::from_utf8(digits).ok().and_then(|d| d.parse().ok());
                if !on_command_line {
                    return Ok(Err(Failure::message("Direct access to file descriptors is only available from command-line PHP")));
                }
                if runs_foreign_code {
                    return barred();
                }
                if number.is_some_and(|n| n < 0) {
                    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(1024);
                    return Ok(Err(Failure::message(format_args!("The file descriptors must be non-negative numbers smaller than {most}"))));
                }
                let Some(number) = number else {
                    return Ok(Err(Failure::message("php://fd/ stream must be specified in the form php://fd/<orig fd>")));
                };
                if open_options(mode).is_none() {
                    return Ok(Err(Failure::message([b"`".as_slice(), mode, b"' is not a valid mode for fopen"])));
                }
                Ok(match duplicate(number) {
                    Ok(file) => Ok(Opened::new(Rc::new(Plain::new(file)))),
                    Err(e) => {
                        let e = if matches!(e.raw_os_error(), Some(2) | None) { std::io::Error::from_raw_os_error(9) } else { e };
                        let (text, number) = (stream::os_error_text(&e), number.to_string());
                        let code = e.raw_os_error().unwrap_or(9).to_string();
                        Err(Failure::message([
                            b"Error duping file descriptor ".as_slice(),
                            number.as_bytes(),
                            b"; possibly it doesn't exist: [",
                            code.as_bytes(),
                            b"]: ",
                            &text,
                        ]))
                    }
                })
            }
            n if n.starts_with(b"filter/") => open_filtered(cx, &name[b"filter".len()..], mode, options),
            _ => {
                // Whoever opens it, quietly or not, is told.
                cx.warning("Invalid php:// URL specified")?;
                Ok(Err(Failure::message("operation failed")))
            }
        }
    }
}

/// `/read=a|b/write=c/resource=name`.
fn open_filtered(cx: &mut Cx, spec: &[u8], mode: &[u8], options: &OpenOptions) -> Tried<Opened> {
    // `spec` begins with the slash behind `filter`.
    let marker = b"/resource=".as_slice();
    let Some(at) = memchr::memmem::find(spec, marker) else {
        return Err(cx.throw_error("No URL resource specified"));
    };
    let target = &spec[at + marker.len()..];
    // Without filters in front of it, PHP takes the parts of `resource=name` itself for names of filters.
    let filters = if at == 0 { spec } else { &spec[..at] };
    // What is included is looked for as any included file.
    // Only about a scheme that nobody knows there is a word.
    if stream::scheme_of(target).is_some() {
        stream::locate(cx, target, false)?;
    }
    let inner = OpenOptions { quiet: true, use_include_path: options.use_include_path || options.for_include, ..options.clone() };
    let Some(resource) = stream::open(cx, target, mode, &inner)? else { return Ok(Err(Failure::message("operation failed"))) };
    let Some(handle) = resource.native::<StreamHandle>() else { return Ok(Err(Failure::Reported)) };
    let reads = mode.first() == Some(&b'r') || mode.contains(&b'+');
    for part in filters.split(|b| *b == b'/').filter(|p| !p.is_empty()) {
        let (list, reads, writes) = if let Some(list) = strip(part, b"read=") {
            (list, true, false)
        } else if let Some(list) = strip(part, b"write=") {
            (list, false, true)
        } else {
            (part, reads, is_writable(mode))
        };
        for name in list.split(|b| *b == b'|').filter(|n| !n.is_empty()) {
            let name = jumbo_ext_strings::pure::url::raw_url_decode(name)?;
            for write in [false, true] {
                if !(if write { writes } else { reads }) {
                    continue;
                }
                match crate::filters::make(cx, &name, &Value::null(), &resource)? {
                    Some(slot) => handle.add_filter(slot, write, false),
                    None => {
                        let text = [b"Unable to create filter (".as_slice(), &name, b")"];
                        cx.warning(text)?;
                    }
                }
            }
        }
    }
    drop(handle);
    let filtered: Rc<dyn Stream> = Rc::new(Filtered { resource });
    Ok(Ok(Opened::new(filtered)))
}

fn strip<'a>(part: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    let head = part.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &part[prefix.len()..])
}

impl Wrapper for Data {
    fn label(&self) -> &'static str {
        "RFC2397"
    }
    fn is_url(&self) -> bool {
        true
    }
    fn open(&self, _cx: &mut Cx, path: &[u8], mode: &[u8], _options: &OpenOptions) -> Tried<Opened> {
        let rest = path.get("data:".len()..).unwrap_or_default();
        let rest = rest.strip_prefix(b"//").unwrap_or(rest);
        let fail = |why: &str| Ok(Err(Failure::message(format_args!("rfc2397: {why}"))));
        let Some(comma) = rest.iter().position(|b| *b == b',') else { return fail("no comma in URL") };
        let (head, body) = (&rest[..comma], &rest[comma + 1..]);
        let mut extra = PArray::new();
        let mut base64 = false;
        if !head.is_empty() {
            let mut parts = head.split(|b| *b == b';');
            let first = parts.next().unwrap_or_default();
            let media_given = first.contains(&b'/');
            if media_given {
                extra.set_bytes(b"mediatype", PStr::new(first));
            } else if head != b";base64" && head != b"base64" {
                // Without a media type there is nothing to have parameters.
                return fail("illegal media type");
            }
            for part in parts {
                if part == b"base64" {
                    base64 = true;
                    continue;
                }
                match part.iter().position(|b| *b == b'=') {
                    // The media type stands under its own name.
                    Some(at) if &part[..at] != b"mediatype" => extra.set_bytes(&part[..at], PStr::new(&part[at + 1..])),
                    Some(_) => {}
                    None => return fail("illegal parameter"),
                }
            }
        }
        extra.set_bytes(b"base64", Value::from(base64));
        let bytes = if base64 {
            let text = jumbo_ext_strings::pure::url::raw_url_decode(body)?;
            match jumbo_ext_strings::pure::encode::base64_decode(&text, true)? {
                Some(bytes) => bytes,
                None => return fail("unable to decode"),
            }
        } else {
            jumbo_ext_strings::pure::url::url_decode(body)?
        };
        let shown = if mode.first() == Some(&b'r') && !mode.contains(&b'+') { Some("r") } else { None };
        let memory = Memory::new("RFC2397", &bytes, false)?.with_metadata(extra);
        Ok(Ok(Opened { mode: shown, ..Opened::new(Rc::new(memory)) }))
    }
}
