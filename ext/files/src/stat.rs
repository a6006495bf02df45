//! What a name stands for: existence, kind, permissions, times.

use jumbo_abi::stream::{self, Failure, FileStat};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value, blocking};
use rustix::fs::Access;

const KIND: i64 = 0o170_000;
const DIRECTORY: i64 = 0o040_000;
const REGULAR: i64 = 0o100_000;
const SYMLINK: i64 = 0o120_000;

/// stat's array: the numbers by index, then by name.
pub fn to_array(s: &FileStat) -> PArray {
    let fields: [(&[u8], i64); 13] = [
        (b"dev", s.dev),
        (b"ino", s.ino),
        (b"mode", s.mode),
        (b"nlink", s.nlink),
        (b"uid", s.uid),
        (b"gid", s.gid),
        (b"rdev", s.rdev),
        (b"size", s.size),
        (b"atime", s.atime),
        (b"mtime", s.mtime),
        (b"ctime", s.ctime),
        (b"blksize", s.blksize),
        (b"blocks", s.blocks),
    ];
    let mut out = PArray::with_hash_capacity(26);
    for (at, (_, n)) in fields.iter().enumerate() {
        out.set_int(at as i64, *n);
    }
    for (name, n) in fields {
        out.set_sym(name, n);
    }
    out
}

/// The stat of a name past what is kept, without a word when there is none.
pub fn quiet(cx: &mut Cx, name: &[u8], link: bool) -> Res<Option<FileStat>> {
    if name.is_empty() || stream::has_nul(name) {
        return Ok(None);
    }
    let Some((wrapper, rest)) = stream::locate(cx, name, true)? else { return Ok(None) };
    // About open_basedir there is always a word.
    if wrapper.is_plain() && !stream::allowed(cx, rest, false)? {
        return Ok(None);
    }
    Ok(wrapper.stat(cx, rest, link, true)?.ok())
}

/// The stat of a name for a question with yes and no. `exists`: nothing else is asked, which PHP does without a stat of plain files.
fn tested(cx: &mut Cx, name: &[u8], link: bool, exists: bool) -> Res<Option<FileStat>> {
    if name.is_empty() || stream::has_nul(name) {
        return Ok(None);
    }
    let Some((wrapper, rest)) = stream::locate(cx, name, true)? else { return Ok(None) };
    // About open_basedir there is always a word.
    if wrapper.is_plain() && !stream::allowed(cx, rest, false)? {
        return Ok(None);
    }
    if exists && wrapper.is_plain() {
        return Ok(wrapper.stat(cx, rest, link, true)?.ok());
    }
    Ok(stream::ask_stat(cx, &wrapper, name, rest, link, true)?.ok())
}

/// The stat of a name, with a warning when there is none.
pub fn loud(cx: &mut Cx, name: &[u8], link: bool) -> Res<Option<FileStat>> {
    if name.is_empty() {
        return Ok(None);
    }
    if stream::has_nul(name) {
        cx.warning("Filename contains null byte")?;
        return Ok(None);
    }
    let Some((wrapper, rest)) = stream::locate(cx, name, false)? else { return Ok(None) };
    match stream::ask_stat(cx, &wrapper, name, rest, link, false)? {
        Ok(stat) => Ok(Some(stat)),
        Err(Failure::Reported) if wrapper.is_plain() => Ok(None),
        Err(_) => {
            let what: &[u8] = if link { b"Lstat" } else { b"stat" };
            cx.warning([what, b" failed for ", name])?;
            Ok(None)
        }
    }
}

pub fn file_exists(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    Ok(tested(cx, filename.as_bytes(), false, true)?.is_some())
}
pub fn is_file(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    Ok(tested(cx, filename.as_bytes(), false, false)?.is_some_and(|s| s.mode & KIND == REGULAR))
}
pub fn is_dir(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    Ok(tested(cx, filename.as_bytes(), false, false)?.is_some_and(|s| s.mode & KIND == DIRECTORY))
}
pub fn is_link(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    Ok(tested(cx, filename.as_bytes(), true, false)?.is_some_and(|s| s.mode & KIND == SYMLINK))
}

/// May this process do that? Of names that are no plain files the mode bits tell, to root as to everybody.
fn access(cx: &mut Cx, name: &[u8], how: Access, bits: i64) -> Res<bool> {
    if name.is_empty() || stream::has_nul(name) {
        return Ok(false);
    }
    let Some((wrapper, rest)) = stream::locate(cx, name, true)? else { return Ok(false) };
    if wrapper.is_plain() {
        if !stream::allowed(cx, rest, false)? {
            return Ok(false);
        }
        let full = stream::path_buf(cx, rest);
        return Ok(blocking::at(cx, &full, move |full| rustix::fs::access(full, how)).is_ok());
    }
    let Ok(stat) = stream::ask_stat(cx, &wrapper, name, rest, false, true)? else { return Ok(false) };
    let is_own_group = |id: i64| {
        let is = |group: rustix::process::Gid| i64::from(group.as_raw()) == id;
        is(rustix::process::getgid()) || rustix::process::getgroups().is_ok_and(|all| all.into_iter().any(is))
    };
    let mine = if stat.uid == i64::from(rustix::process::getuid().as_raw()) {
        0o700
    } else if is_own_group(stat.gid) {
        0o070
    } else {
        0o007
    };
    Ok(stat.mode & bits & mine != 0)
}

pub fn is_readable(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    access(cx, filename.as_bytes(), Access::READ_OK, 0o444)
}
pub fn is_writable(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    access(cx, filename.as_bytes(), Access::WRITE_OK, 0o222)
}
pub fn is_executable(cx: &mut Cx, filename: &PStr) -> Res<bool> {
    access(cx, filename.as_bytes(), Access::EXEC_OK, 0o111)
}

pub fn stat(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<PArray>> {
    Ok(OrFalse(loud(cx, filename.as_bytes(), false)?.map(|s| to_array(&s))))
}
pub fn lstat(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<PArray>> {
    Ok(OrFalse(loud(cx, filename.as_bytes(), true)?.map(|s| to_array(&s))))
}

fn field(cx: &mut Cx, name: &PStr, get: fn(&FileStat) -> i64) -> Res<OrFalse<i64>> {
    Ok(OrFalse(loud(cx, name.as_bytes(), false)?.map(|s| get(&s))))
}
pub fn filemtime(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<i64>> {
    field(cx, filename, |s| s.mtime)
}
pub fn fileatime(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<i64>> {
    field(cx, filename, |s| s.atime)
}
pub fn filectime(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<i64>> {
    field(cx, filename, |s| s.ctime)
}
pub fn filesize(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<i64>> {
    field(cx, filename, |s| s.size)
}
pub fn fileperms(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<i64>> {
    field(cx, filename, |s| s.mode)
}
pub fn fileowner(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<i64>> {
    field(cx, filename, |s| s.uid)
}
pub fn filegroup(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<i64>> {
    field(cx, filename, |s| s.gid)
}
pub fn fileinode(cx: &mut Cx, filename: &PStr) -> Res<OrFalse<i64>> {
    field(cx, filename, |s| s.ino)
}

pub fn filetype(cx: &mut Cx, filename: &PStr) -> Res<Value> {
    let Some(stat) = loud(cx, filename.as_bytes(), true)? else { return Ok(Value::from(false)) };
    let name: &[u8] = match stat.mode & KIND {
        SYMLINK => b"link",
        REGULAR => b"file",
        DIRECTORY => b"dir",
        0o010_000 => b"fifo",
        0o020_000 => b"char",
        0o060_000 => b"block",
        0o140_000 => b"socket",
        other => {
            cx.notice(format_args!("Unknown file type ({other})"))?;
            b"unknown"
        }
    };
    Ok(Value::from(PStr::new(name)))
}

/// Whatever the name, all is forgotten.
pub fn clearstatcache(cx: &mut Cx, _clear_realpath_cache: bool, filename: &PStr) -> Res<()> {
    crate::file::path_argument(cx, filename, 2)?;
    stream::forget_stats(cx);
    Ok(())
}
