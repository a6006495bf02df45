//! Folders: reading them, glob, the working directory.

use crate::file::{context_of, path_argument};
use crate::path::{fnm, matches};
use jumbo_abi::stream::{self, StreamHandle, os_error_text, stream_argument_as};
use jumbo_abi::{Cx, OrFalse, PArray, PObject, PResource, PStr, Res, Value, blocking};
use jumbo_value::resource::NativeRef;
use std::os::unix::ffi::OsStringExt;
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
        let (code, text) = why.map_or((0, b"Success".to_vec()), |e| (e.raw_os_error().unwrap_or(0), os_error_text(&e)));
        cx.warning([format!("(errno {code}): ").as_bytes(), &text])?;
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
            let code = e.raw_os_error().unwrap_or(0);
            cx.warning([os_error_text(&e).as_slice(), format!(" (errno {code})").as_bytes()])?;
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
    Ok(OrFalse(Some(found.iter().map(|n| Value::from(PStr::new(n))).collect())))
}

/// The names that a pattern stands for.
pub fn paths(cx: &mut Cx, pattern: &[u8], flags: i64) -> Res<Vec<Vec<u8>>> {
    let patterns = if flags & BRACE != 0 { braces(pattern) } else { vec![pattern.to_vec()] };
    let mut all = Vec::new();
    for one in patterns {
        let start = all.len();
        expand(cx, &one, flags, &mut all)?;
        if flags & NOSORT == 0 {
            all[start..].sort();
        }
    }
    if all.is_empty() && flags & NOCHECK != 0 {
        all.push(pattern.to_vec());
    }
    Ok(all)
}

/// The patterns of `{a,b{c,d}}`, in order.
fn braces(pattern: &[u8]) -> Vec<Vec<u8>> {
    let Some(open) = pattern.iter().position(|b| *b == b'{') else { return vec![pattern.to_vec()] };
    let (mut depth, mut close, mut cuts) = (0, None, vec![open]);
    for (at, byte) in pattern.iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    close = Some(at);
                    break;
                }
            }
            b',' if depth == 1 => cuts.push(at),
            _ => {}
        }
    }
    let Some(close) = close else { return vec![pattern.to_vec()] };
    cuts.push(close);
    let mut out = Vec::new();
    for cut in cuts.windows(2) {
        let piece = [&pattern[..open], &pattern[cut[0] + 1..cut[1]], &pattern[close + 1..]].concat();
        out.extend(braces(&piece));
    }
    out
}

fn is_magic(part: &[u8]) -> bool {
    part.iter().any(|b| matches!(b, b'*' | b'?' | b'['))
}

fn unescape(part: &[u8], flags: i64) -> Vec<u8> {
    if flags & NOESCAPE != 0 {
        return part.to_vec();
    }
    let mut out = Vec::with_capacity(part.len());
    let mut bytes = part.iter();
    while let Some(byte) = bytes.next() {
        out.push(if *byte == b'\\' { *bytes.next().unwrap_or(byte) } else { *byte });
    }
    out
}

fn is_folder(cx: &mut Cx, name: &[u8]) -> bool {
    let full = stream::path_buf(cx, name);
    blocking::at(cx, &full, Path::is_dir)
}

/// What a folder has, as far as it can be read.
fn names_in(folder: &Path) -> std::io::Result<Vec<Vec<u8>>> {
    Ok(std::fs::read_dir(folder)?.flatten().map(|e| e.file_name().into_vec()).collect())
}

fn expand(cx: &mut Cx, pattern: &[u8], flags: i64, out: &mut Vec<Vec<u8>>) -> Res<()> {
    let root: &[u8] = if pattern.starts_with(b"/") { b"/" } else { b"" };
    let mut found = vec![root.to_vec()];
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
                        name.push(b'/');
                    }
                }
            }
            continue;
        }
        let join = |base: &[u8], name: &[u8]| {
            let slash: &[u8] = if base.is_empty() || base.ends_with(b"/") { b"" } else { b"/" };
            [base, slash, name].concat()
        };
        let mut next = Vec::new();
        for base in &found {
            if !is_magic(part) {
                next.push(join(base, &unescape(part, flags)));
                continue;
            }
            let folder: &[u8] = if base.is_empty() { b"." } else { base };
            let full = stream::path_buf(cx, folder);
            let Ok(mut names) = blocking::at(cx, &full, names_in) else { continue };
            // The system's glob sees these two as well.
            names.push(b".".to_vec());
            names.push(b"..".to_vec());
            for name in names {
                if matches(part, &name, fnm::PERIOD | escape) {
                    next.push(join(base, &name));
                }
            }
        }
        only_literal &= !is_magic(part);
        found = next;
        if !last && is_magic(part) {
            found.retain(|f| is_folder(cx, f));
        }
        cx.check()?;
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
            name.push(b'/');
        }
        out.push(name);
    }
    Ok(())
}
