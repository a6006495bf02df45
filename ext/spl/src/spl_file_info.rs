//! SplFileInfo, and the native state that all file classes share.
//!
//! One state serves a name (SplFileInfo), a folder that is being read (DirectoryIterator and its family) and an open file (SplFileObject):
//! what a class does not need stays empty.

use crate::directory_iterator::Folder;
use crate::spl_file_object::File;
use crate::support::debug_table;
use jumbo_abi::stream::{self, FileStat};
use jumbo_abi::{ClassHooks, ClassPtr, Cx, OrFalse, PArray, PObject, PStr, Res, Stop, Value, mask};
use jumbo_value::Native;
use std::cell::{Cell, RefCell};

#[derive(Default)]
pub(crate) struct State {
    /// The name as it was given; None: the constructor has not run.
    pub name: RefCell<Option<PStr>>,
    /// The folder part of the name.
    pub path: RefCell<PStr>,
    info_class: Cell<Option<ClassPtr>>,
    file_class: Cell<Option<ClassPtr>>,
    pub folder: RefCell<Option<Folder>>,
    pub file: RefCell<Option<std::rc::Rc<File>>>,
    /// Flags that were set before a file was open.
    pub early_flags: Cell<i64>,
}

impl Native for State {
    fn trace(&self, visit: &mut dyn FnMut(&Value)) {
        if let Some(file) = &*self.file.borrow() {
            file.trace(visit);
        }
        if let Some(folder) = &*self.folder.borrow() {
            visit(&folder.made);
        }
    }
    fn clone_native(&self) -> Option<Box<dyn Native>> {
        let folder = match &*self.folder.borrow() {
            Some(folder) => Some(folder.copied()?),
            None => None,
        };
        Some(Box::new(State {
            name: self.name.clone(),
            path: self.path.clone(),
            info_class: self.info_class.clone(),
            file_class: self.file_class.clone(),
            folder: RefCell::new(folder),
            file: RefCell::default(),
            early_flags: self.early_flags.clone(),
        }))
    }
    fn clear(&mut self) {
        drop(self.file.take());
        drop(self.folder.take());
    }
}

pub static HOOKS: ClassHooks = ClassHooks { create: Some(create), cast: Some(cast), ..ClassHooks::NONE };

pub(crate) fn create(_cx: &mut Cx, object: &PObject) -> Res<()> {
    // A new object has no state yet.
    let _ = object.set_native(Box::new(State::default()));
    Ok(())
}

fn cast(cx: &mut Cx, this: &PObject, wanted: u32) -> Res<Option<Value>> {
    if wanted & mask::STRING == 0 {
        return Ok(None);
    }
    Ok(pathname(cx, this)?.map(Value::from))
}

pub(crate) fn state<'o>(cx: &mut Cx, this: &'o PObject) -> Res<&'o State> {
    match this.native::<State>() {
        Some(state) => Ok(state),
        None => Err(not_initialized(cx)),
    }
}

pub(crate) fn not_initialized(cx: &mut Cx) -> Stop {
    cx.throw_error("Object not initialized")
}

/// Splits a name off its trailing slashes and remembers its folder.
pub(crate) fn set_name(state: &State, name: &[u8]) {
    let mut name = name;
    while name.len() > 1 && name.ends_with(b"/") {
        name = &name[..name.len() - 1];
    }
    let path = name.iter().rposition(|b| *b == b'/').map_or(&b""[..], |at| &name[..at]);
    *state.path.borrow_mut() = PStr::new(path);
    *state.name.borrow_mut() = Some(PStr::new(name));
}

/// The whole name; None: there is none (the folder is at its end).
pub(crate) fn pathname(cx: &mut Cx, this: &PObject) -> Res<Option<PStr>> {
    let state = state(cx, this)?;
    if let Some(folder) = &*state.folder.borrow() {
        return Ok(folder.pathname());
    }
    Ok(state.name.borrow().clone())
}

/// The whole name of an object whose constructor has run.
fn name(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    match pathname(cx, this)? {
        Some(name) => Ok(name),
        None if state(cx, this)?.folder.borrow().is_some() => Ok(PStr::empty()),
        None => Err(not_initialized(cx)),
    }
}

fn path(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let state = state(cx, this)?;
    if let Some(folder) = &*state.folder.borrow() {
        return Ok(folder.path());
    }
    Ok(state.path.borrow().clone())
}

/// The last part of the name.
fn filename(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let (name, path) = (name(cx, this)?, path(cx, this)?);
    Ok(if !path.is_empty() && path.len() < name.len() { name.slice(path.len() + 1, name.len()) } else { name })
}

/// What follows the last dot.
pub(crate) fn extension_of(name: &[u8]) -> PStr {
    let base = name.iter().rposition(|b| *b == b'/').map_or(name, |at| &name[at + 1..]);
    base.iter().rposition(|b| *b == b'.').map_or_else(PStr::empty, |at| PStr::new(&base[at + 1..]))
}

pub fn __construct(cx: &mut Cx, this: &PObject, filename: &PStr) -> Res<()> {
    if stream::has_nul(filename.as_bytes()) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    set_name(state(cx, this)?, filename.as_bytes());
    Ok(())
}

pub fn get_path(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    path(cx, this)
}

pub fn get_filename(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    filename(cx, this)
}

pub fn get_extension(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    let name = filename(cx, this)?;
    Ok(extension_of(name.as_bytes()))
}

pub fn get_basename(cx: &mut Cx, this: &PObject, suffix: &PStr) -> Res<Value> {
    let name = filename(cx, this)?;
    cx.call_builtin("basename", &[Value::from(name), Value::from(suffix.clone())])
}

pub fn get_pathname(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    name(cx, this)
}

// ---- what the file system knows

/// The numbers of `stat`. None: there is no such file.
pub(crate) fn try_stat(cx: &mut Cx, name: &PStr, link: bool) -> Res<Option<FileStat>> {
    if name.is_empty() || stream::has_nul(name.as_bytes()) {
        return Ok(None);
    }
    let Some((wrapper, rest)) = stream::locate(cx, name.as_bytes(), true)? else { return Ok(None) };
    Ok(stream::ask_stat(cx, &wrapper, name.as_bytes(), rest, link, true)?.ok())
}

/// None: there is no name.
fn stat(cx: &mut Cx, this: &PObject, link: bool) -> Res<Option<FileStat>> {
    let name = name(cx, this)?;
    if name.is_empty() {
        return Ok(None);
    }
    match try_stat(cx, &name, link)? {
        Some(stat) => Ok(Some(stat)),
        None => {
            let what: &[u8] = if link { b"(): Lstat failed for " } else { b"(): stat failed for " };
            let text = [cx.active_function_name().as_slice(), what, name.as_bytes()].concat();
            Err(cx.throw("RuntimeException", text))
        }
    }
}

macro_rules! numbers {
    ($($function:ident $field:ident;)*) => {
        $(pub fn $function(cx: &mut Cx, this: &PObject) -> Res<OrFalse<i64>> {
            Ok(OrFalse(stat(cx, this, false)?.map(|s| s.$field)))
        })*
    };
}
numbers! {
    get_perms mode;
    get_inode ino;
    get_size size;
    get_owner uid;
    get_group gid;
    get_a_time atime;
    get_m_time mtime;
    get_c_time ctime;
}

const KIND: i64 = 0o170_000;
const FOLDER: i64 = 0o040_000;
const REGULAR: i64 = 0o100_000;
const LINK: i64 = 0o120_000;

pub fn get_type(cx: &mut Cx, this: &PObject) -> Res<OrFalse<PStr>> {
    let Some(stat) = stat(cx, this, true)? else { return Ok(OrFalse(None)) };
    let kind = match stat.mode & KIND {
        LINK => "link",
        FOLDER => "dir",
        REGULAR => "file",
        0o060_000 => "block",
        0o020_000 => "char",
        0o010_000 => "fifo",
        0o140_000 => "socket",
        _ => "unknown",
    };
    Ok(OrFalse(Some(PStr::from(kind))))
}

fn is_kind(cx: &mut Cx, this: &PObject, kind: i64, link: bool) -> Res<bool> {
    let name = name(cx, this)?;
    Ok(try_stat(cx, &name, link)?.is_some_and(|s| s.mode & KIND == kind))
}

pub fn is_file(cx: &mut Cx, this: &PObject) -> Res<bool> {
    is_kind(cx, this, REGULAR, false)
}
pub fn is_dir(cx: &mut Cx, this: &PObject) -> Res<bool> {
    is_kind(cx, this, FOLDER, false)
}
pub fn is_link(cx: &mut Cx, this: &PObject) -> Res<bool> {
    is_kind(cx, this, LINK, true)
}

/// One of the functions that ask what may be done with a file.
fn may(cx: &mut Cx, this: &PObject, function: &str) -> Res<bool> {
    let name = name(cx, this)?;
    cx.call_builtin(function, &[Value::from(name)]).map(|answer| answer.is_true())
}
pub fn is_writable(cx: &mut Cx, this: &PObject) -> Res<bool> {
    may(cx, this, "is_writable")
}
pub fn is_readable(cx: &mut Cx, this: &PObject) -> Res<bool> {
    may(cx, this, "is_readable")
}
pub fn is_executable(cx: &mut Cx, this: &PObject) -> Res<bool> {
    may(cx, this, "is_executable")
}

pub fn get_link_target(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let name = name(cx, this)?;
    if name.is_empty() {
        return Err(cx.value_error("Filename must not be empty"));
    }
    let full = stream::path_buf(cx, name.as_bytes());
    match jumbo_abi::blocking::at(cx, &full, |full| std::fs::read_link(full)) {
        Ok(target) => Ok(Value::from(std::os::unix::ffi::OsStringExt::into_vec(target.into_os_string()))),
        Err(error) => {
            let why = stream::os_error_text(&error);
            let text = [b"Unable to read link ".as_slice(), name.as_bytes(), b", error: ", &why].concat();
            Err(cx.throw("RuntimeException", text))
        }
    }
}

pub fn get_real_path(cx: &mut Cx, this: &PObject) -> Res<Value> {
    let name = name(cx, this)?;
    cx.call_builtin("realpath", &[Value::from(name)])
}

// ---- other objects

/// A class that must be or extend `base`; `n`: number of the argument.
fn class_named(cx: &mut Cx, class: &PStr, base: &[u8], n: u32) -> Res<ClassPtr> {
    class_named_or(cx, class, base, n, b"")
}

/// As `class_named`, with what else may be given.
fn class_named_or(cx: &mut Cx, class: &PStr, base: &[u8], n: u32, or: &[u8]) -> Res<ClassPtr> {
    let base = cx.builtin_class(base);
    match cx.find_class(class.as_bytes(), true)? {
        Some(found) if found.is_a(base) => Ok(found),
        _ => Err(cx.arg_type_error(
            n,
            [b"must be a class name derived from ".as_slice(), base.name.as_bytes(), or, b", ", class.as_bytes(), b" given"].concat(),
        )),
    }
}

/// The class of what getFileInfo and current() make.
pub(crate) fn info_class(cx: &mut Cx, this: &PObject) -> Res<ClassPtr> {
    let own = state(cx, this)?.info_class.get();
    Ok(own.unwrap_or_else(|| cx.builtin_class(b"splfileinfo")))
}

/// An object of `class` for a name, its classes as those of `this`.
pub(crate) fn new_info(cx: &mut Cx, this: &PObject, class: ClassPtr, name: &PStr) -> Res<PObject> {
    let own = cx.builtin_class(b"splfileinfo");
    let constructor = class.magic.constructor;
    let info = if class == own || constructor.is_some_and(|f| f.scope == Some(own)) {
        let info = cx.new_object(class)?;
        set_name(state(cx, &info)?, name.as_bytes());
        info
    } else {
        cx.instantiate(class, &[Value::from(name.clone())])?
    };
    inherit_classes(this, &info);
    Ok(info)
}

/// setInfoClass and setFileClass hold for the objects that are made, too.
pub(crate) fn inherit_classes(from: &PObject, to: &PObject) {
    if let (Some(from), Some(to)) = (from.native::<State>(), to.native::<State>()) {
        to.info_class.set(from.info_class.get());
        to.file_class.set(from.file_class.get());
    }
}

pub fn get_file_info(cx: &mut Cx, this: &PObject, class: Option<&PStr>) -> Res<PObject> {
    let class = match class {
        Some(class) => class_named_or(cx, class, b"splfileinfo", 1, b" or null")?,
        None => info_class(cx, this)?,
    };
    let name = name(cx, this)?;
    new_info(cx, this, class, &name)
}

pub fn get_path_info(cx: &mut Cx, this: &PObject, class: Option<&PStr>) -> Res<Value> {
    let class = match class {
        Some(class) => class_named_or(cx, class, b"splfileinfo", 1, b" or null")?,
        None => info_class(cx, this)?,
    };
    let name = name(cx, this)?;
    let path = cx.call_builtin("dirname", &[Value::from(name.clone())])?;
    let path = cx.to_string(&path)?;
    if path.is_empty() || name.is_empty() {
        return Ok(Value::null());
    }
    new_info(cx, this, class, &path).map(Value::from)
}

pub fn open_file(cx: &mut Cx, this: &PObject, mode: &PStr, use_include_path: bool, context: Option<&Value>) -> Res<PObject> {
    let own = state(cx, this)?.file_class.get();
    let class = own.unwrap_or_else(|| cx.builtin_class(b"splfileobject"));
    let name = name(cx, this)?;
    let context = context.map(Value::copy_deref).unwrap_or_default();
    if !context.is_null() && context.as_resource().is_none() {
        let kind = jumbo_abi::args::type_name(&context);
        return Err(cx.arg_type_error(3, [b"must be of type resource or null, ".as_slice(), &kind, b" given"].concat()));
    }
    cx.instantiate(class, &[Value::from(name), Value::from(mode.clone()), Value::from(use_include_path), context])
}

pub fn set_file_class(cx: &mut Cx, this: &PObject, class: &PStr) -> Res<()> {
    let class = class_named(cx, class, b"splfileobject", 1)?;
    state(cx, this)?.file_class.set(Some(class));
    Ok(())
}

pub fn set_info_class(cx: &mut Cx, this: &PObject, class: &PStr) -> Res<()> {
    let class = class_named(cx, class, b"splfileinfo", 1)?;
    state(cx, this)?.info_class.set(Some(class));
    Ok(())
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    name(cx, this)
}

pub fn __debug_info(cx: &mut Cx, this: &PObject) -> Res<PArray> {
    let class = ClassPtr::of(this);
    let state = state(cx, this)?;
    let shown = match pathname(cx, this)? {
        Some(name) => Value::from(name),
        None if state.folder.borrow().as_ref().is_some_and(|f| f.glob_count().is_none()) => Value::from(false),
        None => Value::empty_string(),
    };
    let mut native = vec![("pathName", shown.clone())];
    if shown.is_string() {
        native.push(("fileName", Value::from(filename(cx, this).unwrap_or_default())));
    }
    let mut table = debug_table(cx, this, "SplFileInfo", &native)?;
    let mut add = |class: &str, name: &str, value: Value| {
        table.set_str(&PStr::concat(&[b"\0", class.as_bytes(), b"\0", name.as_bytes()]), value);
    };
    if let Some(folder) = &*state.folder.borrow() {
        add("DirectoryIterator", "glob", folder.glob_shown());
        add("RecursiveDirectoryIterator", "subPathName", Value::from(folder.sub_path.clone()));
    } else if class.is_a(cx.builtin_class(b"directoryiterator")) {
        add("DirectoryIterator", "glob", Value::from(false));
        add("RecursiveDirectoryIterator", "subPathName", Value::empty_string());
    }
    if let Some(file) = &*state.file.borrow() {
        add("SplFileObject", "openMode", Value::from(file.mode.clone()));
        let (delimiter, enclosure, _) = file.csv_control();
        add("SplFileObject", "delimiter", Value::from(delimiter));
        add("SplFileObject", "enclosure", Value::from(enclosure));
    }
    Ok(table)
}

pub fn _bad_state_ex(cx: &mut Cx, _this: &PObject) -> Res<()> {
    Err(cx.throw("LogicException", "The parent constructor was not called: the instance is in an invalid state"))
}
