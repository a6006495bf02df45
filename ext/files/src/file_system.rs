//! Changing the file system: names, links, permissions, times; uploaded files.

use crate::file::{context_of, finish, handle_of, open_argument, path_argument};
use crate::plain::{Umask, at_both, account_number, path_bytes, process_umask};
use jumbo_abi::request::UploadedFiles;
use jumbo_abi::stream::{self, Failure, Metadata, Wrapper, os_error_text};
use jumbo_abi::{Cx, Level, Message, OrFalse, PArray, PStr, Res, Value, blocking};
use rustix::fs::{AtFlags, CWD};
use std::rc::Rc;

/// The wrapper of an argument and the name as it wants it.
fn wrapper_of<'n>(cx: &mut Cx, name: &'n PStr) -> Res<Option<(Rc<dyn Wrapper>, &'n [u8])>> {
    stream::finish_deferred(cx)?;
    stream::locate(cx, name.as_bytes(), false)
}

/// True, or a warning about one or two names. `verb`: what an unsupporting wrapper does not do.
fn settle(cx: &mut Cx, result: Result<(), Failure>, names: Option<&[u8]>, wrapper: &dyn Wrapper, unsupported: &str) -> Res<bool> {
    match result {
        Ok(()) => return Ok(true),
        Err(Failure::Reported) => {}
        Err(Failure::Unsupported) => {
            let label = if wrapper.label().is_empty() { "Wrapper" } else { wrapper.label() };
            cx.warning(format_args!("{label} {unsupported}"))?;
        }
        Err(failure) => {
            let text = failure.text();
            match names {
                Some(names) => stream::report(cx, Level::Warning, names, &text)?,
                None => cx.warning(text)?,
            }
        }
    }
    Ok(false)
}

pub fn unlink(cx: &mut Cx, filename: &PStr, context: Option<&Value>) -> Res<bool> {
    path_argument(cx, filename, 1)?;
    let context = context_of(cx, context, 2)?;
    let Some((wrapper, rest)) = wrapper_of(cx, filename)? else {
        cx.warning("Unable to locate stream wrapper")?;
        return Ok(false);
    };
    let result = wrapper.unlink(cx, &rest, context.as_ref())?;
    settle(cx, result, Some(filename.as_bytes()), &*wrapper, "does not allow unlinking")
}

pub fn rename(cx: &mut Cx, from: &PStr, to: &PStr, context: Option<&Value>) -> Res<bool> {
    path_argument(cx, from, 1)?;
    path_argument(cx, to, 2)?;
    let Some((wrapper, source)) = wrapper_of(cx, from)? else {
        cx.warning("Unable to locate stream wrapper")?;
        return Ok(false);
    };
    let is_other = match wrapper_of(cx, to)? {
        Some((other, target)) if other.label() == wrapper.label() && other.is_plain() == wrapper.is_plain() => {
            let context = context_of(cx, context, 3)?;
            let result = wrapper.rename(cx, &source, &target, context.as_ref())?;
            let names = [from.as_bytes(), b",", to.as_bytes()].to_str()?;
            return settle(cx, result, Some(&names), &*wrapper, "wrapper does not support renaming");
        }
        other => other,
    };
    if is_other.is_some() {
        let label = wrapper.label();
        if wrapper.is_plain() {
            cx.warning("Cannot rename a file across wrapper types")?;
        } else {
            cx.warning(format_args!("{label} wrapper does not support renaming"))?;
        }
    }
    Ok(false)
}

pub fn mkdir(cx: &mut Cx, directory: &PStr, permissions: i64, recursive: bool, context: Option<&Value>) -> Res<bool> {
    path_argument(cx, directory, 1)?;
    let context = context_of(cx, context, 4)?;
    let Some((wrapper, rest)) = wrapper_of(cx, directory)? else { return Ok(false) };
    let result = wrapper.mkdir(cx, &rest, permissions as u32, recursive, context.as_ref())?;
    if matches!(result, Err(Failure::Unsupported)) {
        return Ok(false);
    }
    settle(cx, result, None, &*wrapper, "")
}

pub fn rmdir(cx: &mut Cx, directory: &PStr, context: Option<&Value>) -> Res<bool> {
    path_argument(cx, directory, 1)?;
    let context = context_of(cx, context, 2)?;
    let Some((wrapper, rest)) = wrapper_of(cx, directory)? else { return Ok(false) };
    let result = wrapper.rmdir(cx, &rest, context.as_ref())?;
    if matches!(result, Err(Failure::Unsupported)) {
        return Ok(false);
    }
    settle(cx, result, Some(directory.as_bytes()), &*wrapper, "")
}

pub fn copy(cx: &mut Cx, from: &PStr, to: &PStr, context: Option<&Value>) -> Res<bool> {
    path_argument(cx, from, 1)?;
    path_argument(cx, to, 2)?;
    let context = context_of(cx, context, 3)?;
    if stream::locate(cx, from.as_bytes(), true)?.is_some_and(|(w, _)| w.is_plain()) && !stream::allowed(cx, from.as_bytes(), false)? {
        return Ok(false);
    }
    let kind = |mode: i64| mode & 0o170_000;
    if let Some(source) = crate::stat::quiet(cx, from.as_bytes(), false)? {
        if kind(source.mode) == 0o040_000 {
            cx.warning("The first argument to copy() function cannot be a directory")?;
            return Ok(false);
        }
        // Opening the target is what complains about open_basedir.
        let reachable = match stream::locate(cx, to.as_bytes(), true)? {
            Some((wrapper, rest)) if wrapper.is_plain() => stream::allowed(cx, rest, true)?,
            _ => true,
        };
        if reachable && let Some(target) = crate::stat::quiet(cx, to.as_bytes(), false)? {
            if kind(target.mode) == 0o040_000 {
                cx.warning("The second argument to copy() function cannot be a directory")?;
                return Ok(false);
            }
            // A file is not copied onto itself.
            if source.ino != 0 && (source.dev, source.ino) == (target.dev, target.ino) {
                return Ok(false);
            }
        }
    }
    let Some(source) = open_argument(cx, from, 1, b"rb", false, context.clone())? else { return Ok(false) };
    let Some(target) = open_argument(cx, to, 2, b"wb", false, context)? else {
        finish(cx, &source)?;
        return Ok(false);
    };
    let mut fine = false;
    if let (Some(a), Some(b)) = (handle_of(&source), handle_of(&target)) {
        fine = crate::streams::copy(cx, &a, &b, None).map(|_| true)?;
    }
    finish(cx, &source)?;
    finish(cx, &target)?;
    Ok(fine)
}

/// A plain path of an argument, or None after open_basedir's warning.
fn plain_path(cx: &mut Cx, path: &PStr, n: u32) -> Res<Option<std::path::PathBuf>> {
    path_argument(cx, path, n)?;
    if !stream::allowed(cx, path.as_bytes(), false)? {
        return Ok(None);
    }
    Ok(Some(stream::path_buf(cx, path.as_bytes())))
}

fn done(cx: &mut Cx, result: std::io::Result<()>) -> Res<bool> {
    if let Err(e) = &result {
        cx.warning(os_error_text(e))?;
    }
    Ok(result.is_ok())
}

pub fn symlink(cx: &mut Cx, target: &PStr, link: &PStr) -> Res<bool> {
    path_argument(cx, target, 1)?;
    path_argument(cx, link, 2)?;
    let at = crate::path::plain(&stream::path_buf(cx, link.as_bytes()));
    // The target is kept as written: it is relative to the link.
    use std::os::unix::ffi::OsStrExt;
    let meant = match at.parent() {
        Some(folder) if !target.as_bytes().starts_with(b"/") => folder.join(std::ffi::OsStr::from_bytes(target.as_bytes())),
        _ => std::path::PathBuf::from(std::ffi::OsStr::from_bytes(target.as_bytes())),
    };
    if !stream::allowed(cx, &path_bytes(crate::path::plain(&meant)), false)? || !stream::allowed(cx, &path_bytes(at.clone()), false)? {
        return Ok(false);
    }
    let target = std::ffi::OsStr::from_bytes(target.as_bytes()).to_owned();
    let result = blocking::at(cx, &at, move |at| std::os::unix::fs::symlink(target, at));
    done(cx, result)
}

/// As [`plain_path`], with the whole path in the warning.
fn full_path(cx: &mut Cx, path: &PStr, n: u32) -> Res<Option<std::path::PathBuf>> {
    path_argument(cx, path, n)?;
    if path.is_empty() {
        cx.warning("No such file or directory")?;
        return Ok(None);
    }
    let full = PStr::new(&path_bytes(crate::path::plain(&stream::path_buf(cx, path.as_bytes()))));
    plain_path(cx, &full, n)
}

pub fn link(cx: &mut Cx, target: &PStr, link: &PStr) -> Res<bool> {
    let Some(from) = full_path(cx, target, 1)? else { return Ok(false) };
    let Some(to) = full_path(cx, link, 2)? else { return Ok(false) };
    let result = at_both(cx, &from, &to, |from, to| std::fs::hard_link(from, to));
    done(cx, result)
}

pub fn readlink(cx: &mut Cx, path: &PStr) -> Res<OrFalse<PStr>> {
    let Some(at) = plain_path(cx, path, 1)? else { return Ok(OrFalse::FALSE) };
    if path.is_empty() {
        cx.warning("No such file or directory")?;
        return Ok(OrFalse::FALSE);
    }
    match blocking::at(cx, &at, |at| std::fs::read_link(at)) {
        Ok(target) => Ok(OrFalse(Some(PStr::new(&path_bytes(target))))),
        Err(e) => {
            cx.warning(os_error_text(&e))?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn linkinfo(cx: &mut Cx, path: &PStr) -> Res<OrFalse<i64>> {
    path_argument(cx, path, 1)?;
    if path.is_empty() {
        cx.warning("No such file or directory")?;
        return Ok(OrFalse(Some(-1)));
    }
    let at = stream::path_buf(cx, path.as_bytes());
    // The folder is what must be allowed.
    let folder = PStr::new(crate::path::folder(path.as_bytes()));
    if !stream::allowed(cx, folder.as_bytes(), false)? {
        return Ok(OrFalse::FALSE);
    }
    match blocking::at(cx, &at, |at| std::fs::symlink_metadata(at)) {
        Ok(meta) => Ok(OrFalse(Some(std::os::unix::fs::MetadataExt::dev(&meta) as i64))),
        Err(e) => {
            cx.warning(os_error_text(&e))?;
            Ok(OrFalse(Some(-1)))
        }
    }
}

pub fn realpath(cx: &mut Cx, path: &PStr) -> Res<OrFalse<PStr>> {
    path_argument(cx, path, 1)?;
    let full = stream::path_buf(cx, path.as_bytes());
    let Ok(real) = blocking::at(cx, &full, |full| std::fs::canonicalize(full)) else { return Ok(OrFalse::FALSE) };
    let real = PStr::new(&path_bytes(real));
    if !stream::allowed(cx, real.as_bytes(), false)? {
        return Ok(OrFalse::FALSE);
    }
    Ok(OrFalse(Some(real)))
}

pub fn realpath_cache_get(_cx: &mut Cx) -> PArray {
    PArray::new()
}

/// There is no such cache.
pub fn realpath_cache_size(_cx: &mut Cx) -> i64 {
    0
}

fn set_metadata(cx: &mut Cx, filename: &PStr, metadata: &Metadata, verb: &str) -> Res<bool> {
    path_argument(cx, filename, 1)?;
    let Some((wrapper, rest)) = wrapper_of(cx, filename)? else { return Ok(false) };
    let result = wrapper.set_metadata(cx, &rest, metadata, None)?;
    if matches!(result, Err(Failure::Unsupported)) {
        if matches!(metadata, Metadata::Touch(times) if times.is_none()) {
            // Opening it for appending touches it too.
            return Ok(match open_argument(cx, filename, 1, b"c", false, None)? {
                Some(resource) => {
                    finish(cx, &resource)?;
                    true
                }
                None => false,
            });
        }
        cx.warning(format_args!("Cannot call {verb}() for a non-standard stream"))?;
        return Ok(false);
    }
    settle(cx, result, None, &*wrapper, "")
}

pub fn touch(cx: &mut Cx, filename: &PStr, mtime: Option<i64>, atime: Option<i64>) -> Res<bool> {
    let times = match (mtime, atime) {
        (None, None) => None,
        (Some(m), a) => Some((m, a.unwrap_or(m))),
        (None, Some(_)) => return Err(cx.arg_value_error(2, "cannot be null when argument #3 ($atime) is an integer")),
    };
    if filename.is_empty() {
        return Ok(false);
    }
    set_metadata(cx, filename, &Metadata::Touch(times), "touch")
}

pub fn chmod(cx: &mut Cx, filename: &PStr, permissions: i64) -> Res<bool> {
    set_metadata(cx, filename, &Metadata::Mode(permissions as u32), "chmod")
}

pub fn chown(cx: &mut Cx, filename: &PStr, user: &Value) -> Res<bool> {
    let metadata = match user.deref().as_str() {
        Some(name) => Metadata::OwnerName(name.clone()),
        None => Metadata::Owner(jumbo_value::convert::to_int(user)),
    };
    set_metadata(cx, filename, &metadata, "chown")
}

pub fn chgrp(cx: &mut Cx, filename: &PStr, group: &Value) -> Res<bool> {
    let metadata = match group.deref().as_str() {
        Some(name) => Metadata::GroupName(name.clone()),
        None => Metadata::Group(jumbo_value::convert::to_int(group)),
    };
    set_metadata(cx, filename, &metadata, "chgrp")
}

/// The number of a user or group argument; None after a warning.
fn account(cx: &mut Cx, who: &Value, file: &[u8], what: &str) -> Res<Option<u32>> {
    let Some(name) = who.deref().as_str() else { return Ok(Some(jumbo_value::convert::to_int(who) as u32)) };
    let found = account_number(file, name.as_bytes());
    if found.is_none() {
        let text = [b"Unable to find ".as_slice(), what.as_bytes(), b" for ", name.as_bytes()];
        cx.warning(text)?;
    }
    Ok(found)
}

pub fn lchown(cx: &mut Cx, filename: &PStr, user: &Value) -> Res<bool> {
    let Some(path) = plain_path(cx, filename, 1)? else { return Ok(false) };
    let Some(id) = account(cx, user, b"/etc/passwd", "uid")? else { return Ok(false) };
    let result = blocking::at(cx, &path, move |path| std::os::unix::fs::lchown(path, Some(id), None));
    done(cx, result)
}

pub fn lchgrp(cx: &mut Cx, filename: &PStr, group: &Value) -> Res<bool> {
    let Some(path) = plain_path(cx, filename, 1)? else { return Ok(false) };
    let Some(id) = account(cx, group, b"/etc/group", "gid")? else { return Ok(false) };
    let result = blocking::at(cx, &path, move |path| std::os::unix::fs::lchown(path, None, Some(id)));
    done(cx, result)
}

/// The instance's umask: the process's is never changed.
pub fn umask(cx: &mut Cx, mask: Option<i64>) -> i64 {
    let old = cx.state::<Umask>().0.unwrap_or_else(process_umask);
    if let Some(mask) = mask {
        cx.state::<Umask>().0 = Some(mask as u32 & 0o777);
    }
    i64::from(old)
}

fn space(cx: &mut Cx, directory: &PStr, get: fn(&rustix::fs::StatVfs) -> u64) -> Res<OrFalse<f64>> {
    let Some(path) = plain_path(cx, directory, 1)? else { return Ok(OrFalse::FALSE) };
    match blocking::at(cx, &path, |path| rustix::fs::statvfs(path)) {
        Ok(stat) => Ok(OrFalse(Some(get(&stat) as f64 * stat.f_frsize as f64))),
        Err(e) => {
            cx.warning(os_error_text(&e.into()))?;
            Ok(OrFalse::FALSE)
        }
    }
}

pub fn disk_free_space(cx: &mut Cx, directory: &PStr) -> Res<OrFalse<f64>> {
    space(cx, directory, |s| s.f_bavail)
}

pub fn disk_total_space(cx: &mut Cx, directory: &PStr) -> Res<OrFalse<f64>> {
    space(cx, directory, |s| s.f_blocks)
}

pub fn is_uploaded_file(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    path_argument(cx, filename, 1)?;
    Ok(was_uploaded(cx, filename))
}

fn was_uploaded(cx: &mut Cx, filename: &PStr) -> bool {
    cx.state::<UploadedFiles>().files.as_ref().is_some_and(|f| f.contains(filename.as_bytes()))
}

pub fn move_uploaded_file(cx: &mut Cx, from: &PStr, to: &PStr) -> Res<bool> {
    if !was_uploaded(cx, from) {
        return Ok(false);
    }
    let Some(target) = plain_path(cx, to, 2)? else { return Ok(false) };
    let source = stream::path_buf(cx, from.as_bytes());
    let moved = at_both(cx, &source, &target, |source, target| {
        std::fs::rename(source, target).or_else(|_| {
            // Another file system.
            std::fs::copy(source, target)?;
            std::fs::remove_file(source)
        })
    });
    match moved {
        Ok(()) => {
            if let Some(files) = &cx.state::<UploadedFiles>().files {
                files.release(from.as_bytes());
            }
            // Uploads are created for their owner alone; the moved file is an ordinary one.
            let mask = cx.state::<Umask>().0.unwrap_or_else(process_umask);
            let mode = rustix::fs::Mode::from_raw_mode(0o666 & !mask);
            if let Err(e) = blocking::at(cx, &target, move |target| rustix::fs::chmodat(CWD, target, mode, AtFlags::empty())) {
                cx.warning(os_error_text(&e.into()))?;
            }
            Ok(true)
        }
        Err(e) => {
            let why = os_error_text(&e);
            stream::report(cx, Level::Warning, to.as_bytes(), [b"Failed to open stream: ".as_slice(), &why])?;
            let text = [b"Unable to move \"".as_slice(), from.as_bytes(), b"\" to \"", to.as_bytes(), b"\""];
            cx.warning(text)?;
            Ok(false)
        }
    }
}
