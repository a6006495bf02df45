//! Folders: reading them, glob, the working directory.

use crate::file::{context_of, path_argument};
use crate::path::{fnm, matches};
use jumbo_abi::stream::{self, StreamHandle, os_error_text, stream_argument_as};
use jumbo_abi::{Cx, Message, OrFalse, PArray, PObject, PResource, PStr, Res, Value, blocking};
use jumbo_value::resource::NativeRef;
use jumbo_value::{HeapCharge, PStrBuilder};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// The folder that was opened last: what the functions without an argument mean.
#[derive(Default)]
struct LastFolder(Option<PResource>);

fn open(cx: &mut Cx, directory: &PStr, context: Option<&Value>) -> Res<Option<PResource>> {
    path_argument(cx, directory, 1)?;
    let context = context_of(cx, context, 2)?;
    let folder = stream::open_folder(cx, directory.as_bytes(), context.as_ref())?;
    if folder.is_some() {
        cx.state::<LastFolder>().0 = folder.clone();
    }
    Ok(folder)
}

pub fn opendir(cx: &mut Cx, directory: &PStr, context: Option<&Value>) -> Res<Value> {
    Ok(open(cx, directory, context)?.map_or(Value::from(false), Value::from))
}

pub fn dir(cx: &mut Cx, directory: &PStr, context: Option<&Value>) -> Res<OrFalse<PObject>> {
    let Some(resource) = open(cx, directory, context)? else { return Ok(OrFalse::FALSE) };
    let class = cx.builtin_class(b"directory");
    let object = cx.new_object(class)?;
    object.set_slot(0, Value::from(directory.clone()));
    object.set_slot(1, Value::from(resource));
    Ok(OrFalse(Some(object)))
}

/// The folder of an argument that may be absent.
fn folder_argument(cx: &mut Cx, value: Option<&Value>) -> Res<(PResource, NativeRef<StreamHandle>)> {
    let value = match value.filter(|v| !v.deref().is_null()) {
        Some(value) => {
            if value.deref().as_resource().is_none() {
                let given = jumbo_abi::args::type_name(value);
                return Err(cx.arg_type_error(1, [b"must be of type resource or null, ".as_slice(), &given, b" given"]));
            }
            value.copy_deref()
        }
        None => match cx.state::<LastFolder>().0.clone() {
            Some(resource) => Value::from(resource),
            None => return Err(cx.type_error("No resource supplied")),
        },
    };
    let handle = stream_argument_as(cx, &value, 1, "Directory")?;
    if !handle.stream().is_folder() {
        return Err(cx.arg_type_error(1, "must be a valid Directory resource"));
    }
    match value.as_resource() {
        Some(resource) => Ok((resource.clone(), handle)),
        None => Err(cx.type_error("No resource supplied")),
    }
}

pub fn readdir(cx: &mut Cx, dir_handle: Option<&Value>) -> Res<OrFalse<PStr>> {
    let (_, handle) = folder_argument(cx, dir_handle)?;
    let folder = handle.stream().clone();
    Ok(OrFalse(folder.read_entry(cx)?))
}

pub fn rewinddir(cx: &mut Cx, dir_handle: Option<&Value>) -> Res<()> {
    let (_, handle) = folder_argument(cx, dir_handle)?;
    let folder = handle.stream().clone();
    folder.rewind_entries(cx)
}

pub fn closedir(cx: &mut Cx, dir_handle: Option<&Value>) -> Res<()> {
    let (resource, handle) = folder_argument(cx, dir_handle)?;
    handle.close(cx)?;
    drop(handle);
    resource.close();
    let last = cx.state::<LastFolder>();
    if last.0.as_ref() == Some(&resource) {
        last.0 = None;
    }
    Ok(())
}

pub fn scandir(cx: &mut Cx, directory: &PStr, sorting_order: i64, context: Option<&Value>) -> Res<OrFalse<PArray>> {
    path_argument(cx, directory, 1)?;
    if directory.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let context = context_of(cx, context, 3)?;
    let Some(resource) = stream::open_folder(cx, directory.as_bytes(), context.as_ref())? else {
        if !stream::allowed(cx, directory.as_bytes(), true)? {
            cx.warning("(errno 1): Operation not permitted")?;
            return Ok(OrFalse::FALSE);
        }
        let full = stream::path_buf(cx, directory.as_bytes());
        let why = blocking::at(cx, &full, |full| std::fs::read_dir(full).err());
        match why {
            Some(e) => {
                let code = e.raw_os_error().unwrap_or(0).to_string();
                cx.warning([b"(errno ".as_slice(), code.as_bytes(), b"): ", &os_error_text(&e)])?;
            }
            None => cx.warning("(errno 0): Success")?,
        }
        return Ok(OrFalse::FALSE);
    };
    let Some(handle) = resource.native::<StreamHandle>() else { return Ok(OrFalse::FALSE) };
    let folder = handle.stream().clone();
    let mut names = Vec::new();
    while let Some(name) = folder.read_entry(cx)? {
        names.push(name);
    }
    handle.close(cx)?;
    drop(handle);
    resource.close();
    match sorting_order {
        0 => names.sort_by(|a, b| a.as_bytes().cmp(b.as_bytes())),
        2 => {}
        _ => names.sort_by(|a, b| b.as_bytes().cmp(a.as_bytes())),
    }
    Ok(OrFalse(Some(names.into_iter().map(Value::from).collect())))
}

pub fn getcwd(cx: &mut Cx) -> PStr {
    PStr::new(&cx.cwd)
}

/// The root folder is the process's, which serves other requests too: nobody may change it, as if the user had not the right.
pub fn chroot(cx: &mut Cx, directory: &PStr) -> Res<bool> {
    path_argument(cx, directory, 1)?;
    cx.warning("Operation not permitted (errno 1)")?;
    Ok(false)
}

pub fn chdir(cx: &mut Cx, directory: &PStr) -> Res<bool> {
    path_argument(cx, directory, 1)?;
    if !stream::allowed(cx, directory.as_bytes(), false)? {
        return Ok(false);
    }
    let full = stream::path_buf(cx, directory.as_bytes());
    let found = blocking::at(cx, &full, |full| {
        let real = std::fs::canonicalize(full)?;
        rustix::fs::access(&real, rustix::fs::Access::EXEC_OK)?;
        if real.is_dir() { Ok(real) } else { Err(std::io::Error::from(rustix::io::Errno::NOTDIR)) }
    });
    match found {
        Ok(real) => {
            cx.cwd = crate::plain::path_bytes(real);
            jumbo_abi::stream::forget_stats(cx);
            Ok(true)
        }
        Err(e) => {
            let code = e.raw_os_error().unwrap_or(0).to_string();
            cx.warning([os_error_text(&e).as_slice(), b" (errno ", code.as_bytes(), b")"])?;
            Ok(false)
        }
    }
}

const ERR: i64 = 1;
const MARK: i64 = 2;
const NOSORT: i64 = 4;
const NOCHECK: i64 = 16;
const NOESCAPE: i64 = 64;
const BRACE: i64 = 1024;
const ONLYDIR: i64 = 8192;
const KNOWN: i64 = ERR | MARK | NOSORT | NOCHECK | NOESCAPE | BRACE | ONLYDIR;

pub fn glob(cx: &mut Cx, pattern: &PStr, flags: i64) -> Res<OrFalse<PArray>> {
    path_argument(cx, pattern, 1)?;
    if flags & !KNOWN != 0 {
        cx.warning("At least one of the passed flags is invalid or not supported on this platform")?;
        return Ok(OrFalse::FALSE);
    }
    if pattern.len() >= PATTERN_MAX {
        cx.warning(format_args!("Pattern exceeds the maximum allowed length of {PATTERN_MAX} characters"))?;
        return Ok(OrFalse::FALSE);
    }
    let mut found = paths(cx, pattern.as_bytes(), flags)?;
    if !cx.ini.str("open_basedir").is_empty() {
        let mut kept = Vec::new();
        let any = !found.is_empty();
        for name in found {
            if stream::allowed(cx, &name, true)? {
                kept.push(name);
            }
        }
        // What exists and may not be seen is a failure, nothing at all is not.
        if kept.is_empty() && any {
            return Ok(OrFalse::FALSE);
        }
        found = kept;
    }
    Ok(OrFalse(Some(found.into_iter().map(Value::from).collect())))
}

/// What `PHP_MAXPATHLEN` says.
const PATTERN_MAX: usize = 4096;

/// The names that a pattern stands for. One that is too long is no way to any file.
pub fn paths(cx: &mut Cx, pattern: &[u8], flags: i64) -> Res<Vec<PStr>> {
    let mut all = Vec::new();
    if pattern.len() < PATTERN_MAX {
        each_of_braces(cx, pattern, flags, &mut all)?;
    }
    if all.is_empty() && flags & NOCHECK != 0 {
        all.push(PStr::new(pattern));
    }
    Ok(all)
}

/// The names of the patterns of `{a,b{c,d}}`, in order. A few letters stand for any number of patterns, so one is made at a time.
fn each_of_braces(cx: &mut Cx, pattern: &[u8], flags: i64, all: &mut Vec<PStr>) -> Res<()> {
    cx.check()?;
    cx.check_stack()?;
    let Some((open, cuts)) = (if flags & BRACE != 0 { first_braces(pattern) } else { None }) else {
        let start = all.len();
        expand(cx, pattern, flags, all)?;
        if flags & NOSORT == 0 {
            all[start..].sort();
        }
        return Ok(());
    };
    let Some(close) = cuts.last() else { return Ok(()) };
    for cut in cuts.windows(2) {
        let one = [&pattern[..open], &pattern[cut[0] + 1..cut[1]], &pattern[close + 1..]].to_str()?;
        each_of_braces(cx, &one, flags, all)?;
    }
    Ok(())
}

/// Where the first braces open, and there, at their commas and where they close.
fn first_braces(pattern: &[u8]) -> Option<(usize, Vec<usize>)> {
    let open = pattern.iter().position(|b| *b == b'{')?;
    let (mut depth, mut cuts) = (0, vec![open]);
    for (at, byte) in pattern.iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    cuts.push(at);
                    return Some((open, cuts));
                }
            }
            b',' if depth == 1 => cuts.push(at),
            _ => {}
        }
    }
    None
}

fn is_magic(part: &[u8]) -> bool {
    part.iter().any(|b| matches!(b, b'*' | b'?' | b'['))
}

fn unescape(part: &[u8], flags: i64) -> Res<PStr> {
    if flags & NOESCAPE != 0 {
        return Ok(PStr::new(part));
    }
    let mut out = PStrBuilder::with_capacity(part.len())?;
    let mut bytes = part.iter();
    while let Some(byte) = bytes.next() {
        out.push(if *byte == b'\\' { *bytes.next().unwrap_or(byte) } else { *byte })?;
    }
    Ok(out.finish())
}

fn is_folder(cx: &mut Cx, name: &[u8]) -> bool {
    let full = stream::path_buf(cx, name);
    blocking::at(cx, &full, Path::is_dir)
}

/// What a folder has, as far as it can be read.
fn names_in(folder: &Path) -> std::io::Result<Vec<OsString>> {
    Ok(std::fs::read_dir(folder)?.flatten().map(|e| e.file_name()).collect())
}

fn join(base: &[u8], name: &[u8]) -> Res<PStr> {
    let slash: &[u8] = if base.is_empty() || base.ends_with(b"/") { b"" } else { b"/" };
    Ok([base, slash, name].to_str()?)
}

fn expand(cx: &mut Cx, pattern: &[u8], flags: i64, out: &mut Vec<PStr>) -> Res<()> {
    let root: &[u8] = if pattern.starts_with(b"/") { b"/" } else { b"" };
    let mut found = vec![PStr::new(root)];
    let parts: Vec<&[u8]> = pattern.split(|b| *b == b'/').collect();
    let escape = if flags & NOESCAPE != 0 { fnm::NOESCAPE } else { 0 };
    let mut only_literal = true;
    for (at, part) in parts.iter().enumerate() {
        let last = at + 1 == parts.len();
        if part.is_empty() {
            // A slash at the end: folders only, and the slash stays.
            if last && at > 0 && parts.len() > 1 && pattern != b"/" {
                found.retain(|f| is_folder(cx, f));
                for name in &mut found {
                    if !name.ends_with(b"/") {
                        *name = [name.as_bytes(), b"/"].to_str()?;
                    }
                }
            }
            continue;
        }
        let mut next = Vec::new();
        for base in &found {
            cx.check()?;
            if !is_magic(part) {
                next.push(join(base, &unescape(part, flags)?)?);
                continue;
            }
            let folder: &[u8] = if base.is_empty() { b"." } else { base };
            let full = stream::path_buf(cx, folder);
            let Ok(names) = blocking::at(cx, &full, names_in) else { continue };
            // Read at once: those of one folder.
            let _charge = HeapCharge::new(names.iter().map(|name| name.len() + size_of::<OsString>()).sum())?;
            // The system's glob sees these two as well.
            for name in names.iter().map(|name| name.as_bytes()).chain([b".".as_slice(), b".."]) {
                if matches(part, name, fnm::PERIOD | escape) {
                    next.push(join(base, name)?);
                }
            }
        }
        only_literal &= !is_magic(part);
        found = next;
        if !last && is_magic(part) {
            found.retain(|f| is_folder(cx, f));
        }
    }
    let last_is_literal = parts.iter().rev().find(|p| !p.is_empty()).is_none_or(|p| !is_magic(p));
    if only_literal || last_is_literal {
        found.retain(|f| {
            let full = stream::path_buf(cx, f);
            !f.is_empty() && blocking::at(cx, &full, |full| std::fs::symlink_metadata(full)).is_ok()
        });
    }
    for mut name in found {
        let is_folder = flags & (MARK | ONLYDIR) != 0 && is_folder(cx, &name);
        if flags & ONLYDIR != 0 && !is_folder {
            continue;
        }
        if flags & MARK != 0 && is_folder && !name.ends_with(b"/") {
            name = [name.as_bytes(), b"/"].to_str()?;
        }
        out.push(name);
    }
    Ok(())
}
