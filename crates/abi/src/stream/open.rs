//! Names: which wrapper opens one, where a path leads (working directory, include_path, open_basedir), and opening.

use super::{Failure, Opened, STREAM, Stream, StreamHandle, Streams, Tried, Wrapper};
use crate::{Cx, Level, Message, PResource, PStr, Res, Value};
use crate::blocking;
use jumbo_value::PStrBuilder;
use jumbo_value::resource::NativeRef;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// How a stream is opened.
#[derive(Clone, Default)]
pub struct OpenOptions {
    /// No warning when it fails.
    pub quiet: bool,
    pub use_include_path: bool,
    pub context: Option<PResource>,
    /// `include`: needs allow_url_include.
    pub for_include: bool,
}

pub fn has_nul(path: &[u8]) -> bool {
    path.contains(&0)
}

/// Paths beyond this, twice what the system takes, are not copied.
const COPIED_MAX: usize = 2 * LONGEST_PATH;

/// What stands for them: a name that is longer than the system takes, too, so that it says the same of it.
const TOO_LONG: [u8; 300] = {
    let mut name = [b'x'; 300];
    name[0] = b'/';
    name
};

/// A path made absolute with the instance's working directory. `.` and `..` stay: the system resolves them.
pub fn absolute(cx: &Cx, path: &[u8]) -> Vec<u8> {
    if path.len() > COPIED_MAX {
        return TOO_LONG.to_vec();
    }
    if path.starts_with(b"/") {
        return path.to_vec();
    }
    let mut full = Vec::with_capacity(cx.cwd.len() + 1 + path.len());
    full.extend_from_slice(&cx.cwd);
    if !full.ends_with(b"/") {
        full.push(b'/');
    }
    full.extend_from_slice(path);
    full
}

/// As [`absolute`], for the system's functions.
pub fn path_buf(cx: &Cx, path: &[u8]) -> PathBuf {
    PathBuf::from(std::ffi::OsString::from_vec(absolute(cx, path)))
}

/// Argument `n` (from 1), a path: NUL bytes are a ValueError.
pub fn path_argument(cx: &mut Cx, path: &[u8], n: u32) -> Res<()> {
    if has_nul(path) {
        return Err(cx.arg_value_error(n, "must not contain any null bytes"));
    }
    Ok(())
}

/// How many symbolic links may lie on a way, as for the system.
const LINKS_MAX: u32 = 40;

/// The way that opening takes: absolute, without `..`. As the system goes it, except that `..` after a folder that is not there leads
/// back to where that would be. An error: there is a file where a folder must be.
pub fn expand(cx: &mut Cx, path: &[u8]) -> io::Result<PathBuf> {
    let full = path_buf(cx, path);
    if memchr::memmem::find(path, b"..").is_none() {
        return Ok(full);
    }
    let mut way = blocking::at(cx, &full, |full| {
        let mut left = LINKS_MAX;
        walk(PathBuf::new(), full, false, &mut left)
    })?;
    if path.ends_with(b"/") || path.ends_with(b"/.") {
        // What stands there must be a folder.
        way.push("");
    }
    Ok(way)
}

/// Where a path leads in the end: without `..` and without symbolic links, also those that lead to what does not exist.
fn real_way(cx: &mut Cx, path: &[u8]) -> io::Result<PathBuf> {
    let full = path_buf(cx, path);
    blocking::at(cx, &full, |full| {
        let mut left = LINKS_MAX;
        walk(PathBuf::new(), full, true, &mut left)
    })
}

/// Goes on from `at` along `path`; `follow`: every symbolic link is replaced by its target, otherwise only those that `..` comes after.
fn walk(mut at: PathBuf, path: &Path, follow: bool, left: &mut u32) -> io::Result<PathBuf> {
    for part in path.components() {
        match part {
            Component::ParentDir => {
                at = target(at, left)?;
                if std::fs::symlink_metadata(&at).is_ok_and(|m| !m.is_dir()) {
                    return Err(io::ErrorKind::NotADirectory.into());
                }
                at.pop();
            }
            Component::CurDir => {}
            part => {
                at.push(part);
                if follow {
                    at = target(at, left)?;
                }
            }
        }
    }
    Ok(at)
}

/// What a path means if its last part is a symbolic link; a circle of links stays as it is.
fn target(at: PathBuf, left: &mut u32) -> io::Result<PathBuf> {
    match std::fs::read_link(&at) {
        Ok(target) if *left > 0 => {
            *left -= 1;
            let folder = at.parent().map(Path::to_path_buf).unwrap_or_default();
            walk(folder, &target, true, left)
        }
        _ => Ok(at),
    }
}

/// What `PHP_MAXPATHLEN` says.
const LONGEST_PATH: usize = 4096;

/// Does open_basedir let the script use this path? Otherwise a warning is given.
pub fn allowed(cx: &mut Cx, path: &[u8], quiet: bool) -> Res<bool> {
    match restriction(cx, path)? {
        None => Ok(true),
        Some(text) => {
            if !quiet {
                cx.warning(text)?;
            }
            Ok(false)
        }
    }
}

/// Why open_basedir does not let the script use this path; None: it does.
pub fn restriction(cx: &mut Cx, path: &[u8]) -> Res<Option<PStr>> {
    let setting = cx.ini.str("open_basedir");
    if setting.is_empty() {
        return Ok(None);
    }
    let setting = PStr::new(setting);
    if path.len() >= LONGEST_PATH {
        let text = format!("File name is longer than the maximum allowed path length on this platform ({LONGEST_PATH}): ");
        return Ok(Some([text.as_bytes(), path].to_str()?));
    }
    // Where a way goes on behind a file there is nothing to allow.
    if let Ok(real) = real_way(cx, path) {
        for dir in setting.split(|b| *b == b':').filter(|d| !d.is_empty()) {
            // As paths, so that whole names are compared.
            if real_way(cx, dir).is_ok_and(|base| real.starts_with(base)) {
                return Ok(None);
            }
        }
    }
    let text = [b"open_basedir restriction in effect. File(".as_slice(), path, b") is not within the allowed path(s): (", &setting, b")"];
    Ok(Some(text.to_str()?))
}

/// A message about one name: `function(name): message`.
pub fn report(cx: &mut Cx, level: Level, name: &[u8], message: impl Message) -> Res<()> {
    let mut text = PStrBuilder::new();
    text.extend(&cx.active_function_name())?;
    text.push(b'(')?;
    text.extend(name)?;
    text.extend(b"): ")?;
    message.append_to(&mut text)?;
    cx.raise(level, text.finish())
}

/// The scheme of a name that is a URL.
pub fn scheme_of(path: &[u8]) -> Option<&[u8]> {
    let len = path.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')).count();
    let (scheme, rest) = path.split_at(len);
    let is_url = len > 1 && rest.starts_with(b"://") || rest.starts_with(b":") && scheme.eq_ignore_ascii_case(b"data");
    is_url.then_some(scheme)
}

/// The wrapper of a name, and the name as it wants it. `quiet`: no warning about an unknown scheme.
pub fn locate<'p>(cx: &mut Cx, path: &'p [u8], quiet: bool) -> Res<Option<(Rc<dyn Wrapper>, &'p [u8])>> {
    if let Some(scheme) = scheme_of(path) {
        let lower = scheme.to_ascii_lowercase();
        let found = cx.state::<Streams>().wrappers().get(lower.as_slice()).cloned();
        match found {
            Some(wrapper) if lower != b"file" || !wrapper.is_plain() => return Ok(Some((wrapper, path))),
            Some(wrapper) => {
                let mut rest = &path[b"file://".len()..];
                if rest.len() >= 10 && rest[..10].eq_ignore_ascii_case(b"localhost/") {
                    rest = &rest[9..];
                }
                if !rest.starts_with(b"/") {
                    if !quiet {
                        let text = [b"Remote host file access not supported, ".as_slice(), path];
                        cx.warning(text)?;
                    }
                    return Ok(None);
                }
                return Ok(Some((wrapper, rest)));
            }
            None if lower == b"file" => {
                if !quiet {
                    cx.warning("file:// wrapper is disabled in the server configuration")?;
                }
                return Ok(None);
            }
            None => {
                if !quiet {
                    let text = [b"Unable to find the wrapper \"".as_slice(), scheme, b"\" - did you forget to enable it when you configured PHP?"];
                    cx.warning(text)?;
                }
            }
        }
    }
    let plain = cx.state::<Streams>().wrappers().get(b"file".as_slice()).cloned();
    if plain.is_none() && !quiet {
        cx.warning("file:// wrapper is disabled in the server configuration")?;
    }
    Ok(plain.map(|w| (w, path)))
}

/// Schemes in the order of `stream_get_wrappers`.
pub fn list_wrappers(cx: &mut Cx) -> Vec<PStr> {
    cx.state::<Streams>().wrappers().keys().map(|k| PStr::new(k)).collect()
}

/// The file that a relative path means by include_path and the folder of the running script; None: there is none.
pub fn resolve_include_path(cx: &mut Cx, path: &[u8]) -> Option<Vec<u8>> {
    if path.len() > COPIED_MAX {
        return None;
    }
    let exists = |cx: &mut Cx, p: &[u8]| blocking::at(cx, Path::new(OsStr::from_bytes(p)), |p| std::fs::canonicalize(p)).ok();
    if scheme_of(path).is_some() {
        return None;
    }
    if path.starts_with(b"/") || path.starts_with(b"./") || path.starts_with(b"../") {
        let full = absolute(cx, path);
        return exists(cx, &full).map(|p| p.into_os_string().into_vec());
    }
    let list = cx.ini.str("include_path").to_vec();
    for folder in list.split(|b| *b == b':') {
        let full = absolute(cx, &[folder, b"/", path].concat());
        if let Some(real) = exists(cx, &full) {
            return Some(real.into_os_string().into_vec());
        }
    }
    let script = cx.engine().caller_file(cx);
    let folder = script.as_bytes().iter().rposition(|b| *b == b'/').map(|at| &script.as_bytes()[..at])?;
    exists(cx, &[folder, b"/", path].concat()).map(|p| p.into_os_string().into_vec())
}

/// A stream resource for what a wrapper (or a function as `tmpfile`) opened.
pub fn to_resource(cx: &mut Cx, opened: Opened, mode: &[u8], uri: Option<&[u8]>, wrapper: &'static str) -> PResource {
    let handle = StreamHandle::new(cx, opened, mode, uri, wrapper);
    PResource::new(STREAM, Box::new(handle))
}

/// Opens a name. None: it cannot be opened; a warning was given unless `quiet`.
pub fn open(cx: &mut Cx, path: &[u8], mode: &[u8], options: &OpenOptions) -> Res<Option<PResource>> {
    super::finish_deferred(cx)?;
    if path.is_empty() {
        return Err(cx.value_error("Path must not be empty"));
    }
    let resolved = if options.use_include_path { resolve_include_path(cx, path) } else { None };
    let name = resolved.as_deref().unwrap_or(path);
    let Some((wrapper, rest)) = locate(cx, name, options.quiet)? else {
        if !options.quiet {
            report(cx, Level::Warning, path, b"Failed to open stream: no suitable wrapper could be found")?;
        }
        return Ok(None);
    };
    if wrapper.is_url() {
        let scheme = scheme_of(path).unwrap_or_default();
        let setting = if !cx.ini.bool("allow_url_fopen") {
            Some("allow_url_fopen")
        } else if options.for_include && !cx.ini.bool("allow_url_include") {
            Some("allow_url_include")
        } else {
            None
        };
        if let Some(setting) = setting {
            if !options.quiet {
                let text = [scheme, b":// wrapper is disabled in the server configuration by ", setting.as_bytes(), b"=0"];
                cx.warning(text)?;
                report(cx, Level::Warning, path, b"Failed to open stream: no suitable wrapper could be found")?;
            }
            return Ok(None);
        }
    }
    // A wrapper may open what stands behind it through here.
    cx.check_stack()?;
    match wrapper.open(cx, rest, mode, options)? {
        Ok(opened) => {
            let resource = to_resource(cx, opened, mode, Some(path), wrapper.label());
            if let Some(handle) = resource.native::<StreamHandle>() {
                handle.set_context(options.context.clone());
            }
            Ok(Some(resource))
        }
        Err(failure) => {
            if !options.quiet {
                report_open_failure(cx, path, b"Failed to open stream: ", &failure)?;
            }
            Ok(None)
        }
    }
}

fn report_open_failure(cx: &mut Cx, path: &[u8], prefix: &[u8], failure: &Failure) -> Res<()> {
    let why = match failure {
        Failure::Reported => return Ok(()),
        Failure::Unsupported => b"wrapper does not support stream open".into(),
        other => other.text(),
    };
    report(cx, Level::Warning, path, [prefix, &why])
}

/// Opens a folder for `readdir`.
pub fn open_folder(cx: &mut Cx, path: &[u8], context: Option<&PResource>) -> Res<Option<PResource>> {
    super::finish_deferred(cx)?;
    if path.is_empty() {
        return Err(cx.value_error("Path must not be empty"));
    }
    let Some((wrapper, rest)) = locate(cx, path, false)? else { return Ok(None) };
    let opened: Tried<Rc<dyn Stream>> = wrapper.open_folder(cx, rest, context);
    match opened? {
        Ok(stream) => {
            let resource = to_resource(cx, Opened::new(stream), b"r", None, wrapper.label());
            if let Some(handle) = resource.native::<StreamHandle>() {
                handle.set_context(context.cloned());
            }
            Ok(Some(resource))
        }
        Err(Failure::Unsupported) => {
            report(cx, Level::Warning, path, b"Failed to open directory: not implemented")?;
            Ok(None)
        }
        Err(failure) => {
            report_open_failure(cx, path, b"Failed to open directory: ", &failure)?;
            Ok(None)
        }
    }
}

/// Argument `n` (from 1) that must be an open stream.
pub fn stream_argument(cx: &mut Cx, value: &Value, n: u32) -> Res<NativeRef<StreamHandle>> {
    stream_argument_as(cx, value, n, "stream")
}

/// An argument that must be an open stream, which the message calls a `kind`.
pub fn stream_argument_as(cx: &mut Cx, value: &Value, n: u32, kind: &str) -> Res<NativeRef<StreamHandle>> {
    let Some(resource) = value.deref().as_resource() else {
        let given = crate::args::type_name(value);
        return Err(cx.arg_type_error(n, [b"must be of type resource, ".as_slice(), &given, b" given"]));
    };
    match resource.native::<StreamHandle>() {
        Some(handle) => Ok(handle),
        None => {
            let function = cx.active_function_name();
            Err(cx.type_error([function.as_slice(), b"(): supplied resource is not a valid ", kind.as_bytes(), b" resource"]))
        }
    }
}
