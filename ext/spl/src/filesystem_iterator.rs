//! FilesystemIterator, RecursiveDirectoryIterator and GlobIterator.

use crate::directory_iterator::{self, open, pathname, with};
use crate::spl_file_info::{info_class, new_info, state};
use jumbo_abi::{Cx, PObject, PStr, Res, Value};

const CURRENT_MODE: i64 = 0xf0;
const CURRENT_AS_PATHNAME: i64 = 32;
const CURRENT_AS_SELF: i64 = 16;
const KEY_MODE: i64 = 0xf00;
const KEY_AS_FILENAME: i64 = 256;
const OTHER_MODE: i64 = 0x7000;

pub fn __construct(cx: &mut Cx, this: &PObject, directory: &PStr, flags: i64) -> Res<()> {
    open(cx, this, directory, flags, false)
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    directory_iterator::rewind(cx, this)
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let (flags, entry) = with(cx, this, |folder| (folder.flags, folder.entry()))?;
    if flags & KEY_MODE & KEY_AS_FILENAME != 0 { Ok(entry) } else { pathname(cx, this) }
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let (flags, made) = with(cx, this, |folder| (folder.flags, folder.made.clone()))?;
    if flags & CURRENT_MODE & CURRENT_AS_PATHNAME != 0 {
        return pathname(cx, this).map(Value::from);
    }
    if flags & CURRENT_MODE & CURRENT_AS_SELF != 0 {
        return Ok(Value::from(this.clone()));
    }
    if !made.is_null() {
        return Ok(made);
    }
    let name = pathname(cx, this)?;
    if name.is_empty() {
        return Ok(Value::null());
    }
    let class = info_class(cx, this)?;
    let info = Value::from(new_info(cx, this, class, &name)?);
    let old = with(cx, this, |folder| std::mem::replace(&mut folder.made, info.clone()))?;
    drop(old);
    Ok(info)
}

pub fn get_flags(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with(cx, this, |folder| folder.flags & (KEY_MODE | CURRENT_MODE | OTHER_MODE))
}

pub fn set_flags(cx: &mut Cx, this: &PObject, flags: i64) -> Res<()> {
    let settable = KEY_MODE | CURRENT_MODE | OTHER_MODE;
    with(cx, this, |folder| folder.flags = folder.flags & !settable | flags & settable)
}

/// RecursiveDirectoryIterator.
pub mod recursive {
    use super::*;

    const FOLLOW_SYMLINKS: i64 = 0x4000;

    pub fn __construct(cx: &mut Cx, this: &PObject, directory: &PStr, flags: i64) -> Res<()> {
        open(cx, this, directory, flags, false)
    }

    pub fn has_children(cx: &mut Cx, this: &PObject, allow_links: bool) -> Res<bool> {
        let (dot, flags) = with(cx, this, |folder| (folder.is_dot(), folder.flags))?;
        if dot {
            return Ok(false);
        }
        let name = pathname(cx, this)?;
        let kind = |stat: Option<jumbo_abi::stream::FileStat>| stat.map_or(0, |s| s.mode & 0o170_000);
        if !allow_links && flags & FOLLOW_SYMLINKS == 0 {
            return Ok(kind(crate::spl_file_info::try_stat(cx, &name, true)?) == 0o040_000);
        }
        Ok(kind(crate::spl_file_info::try_stat(cx, &name, false)?) == 0o040_000)
    }

    pub fn get_children(cx: &mut Cx, this: &PObject) -> Res<Value> {
        let name = pathname(cx, this)?;
        let (flags, below) = with(cx, this, |folder| (folder.flags, sub_pathname(folder)))?;
        let class = jumbo_abi::ClassPtr::of(this);
        let child = cx.instantiate(class, &[Value::from(name), Value::from(flags)])?;
        if child.native::<crate::spl_file_info::State>().is_some_and(|s| s.folder.borrow().is_some()) {
            with(cx, &child, |folder| folder.sub_path = below)?;
            crate::spl_file_info::inherit_classes(this, &child);
        }
        Ok(Value::from(child))
    }

    fn sub_pathname(folder: &directory_iterator::Folder) -> PStr {
        if folder.sub_path.is_empty() {
            folder.entry()
        } else {
            PStr::concat(&[folder.sub_path.as_bytes(), b"/", folder.entry().as_bytes()])
        }
    }

    pub fn get_sub_path(cx: &mut Cx, this: &PObject) -> Res<PStr> {
        with(cx, this, |folder| folder.sub_path.clone())
    }

    pub fn get_sub_pathname(cx: &mut Cx, this: &PObject) -> Res<PStr> {
        with(cx, this, |folder| sub_pathname(folder))
    }
}

/// GlobIterator.
pub mod glob {
    use super::*;

    pub fn __construct(cx: &mut Cx, this: &PObject, pattern: &PStr, flags: i64) -> Res<()> {
        open(cx, this, pattern, flags, true)
    }

    pub fn count(cx: &mut Cx, this: &PObject) -> Res<i64> {
        state(cx, this)?;
        Ok(with(cx, this, |folder| folder.glob_count())?.unwrap_or(0) as i64)
    }
}
