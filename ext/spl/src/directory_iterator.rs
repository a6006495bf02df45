//! DirectoryIterator, and the folder that it and its subclasses read.

use crate::spl_file_info::{self, State, extension_of, not_initialized, state};
use jumbo_abi::stream::{self, Stream, StreamHandle};
use jumbo_abi::{ClassHooks, Cx, PArray, PObject, PResource, PStr, Res, Value, mask};
use std::rc::Rc;

/// Where entries come from.
#[derive(Clone)]
enum Source {
    /// An open folder.
    Stream(PResource),
    /// What a pattern gave: whole names; and the pattern.
    Glob(PArray, PStr),
}

/// A folder that is being read, and the entry that was read last.
pub(crate) struct Folder {
    source: Source,
    path: PStr,
    /// Name of the entry; empty at the end.
    entry: PStr,
    index: i64,
    pub flags: i64,
    /// RecursiveDirectoryIterator: the way from the root to this folder.
    pub sub_path: PStr,
    /// What current() made of the entry.
    pub made: Value,
}

pub const SKIP_DOTS: i64 = 0x1000;

pub static HOOKS: ClassHooks = ClassHooks { cast: Some(cast), ..ClassHooks::NONE };

/// Entries as text are their names alone.
fn cast(cx: &mut Cx, this: &PObject, wanted: u32) -> Res<Option<Value>> {
    if wanted & mask::STRING == 0 {
        return Ok(None);
    }
    get_filename(cx, this).map(|name| Some(Value::from(name)))
}

impl Folder {
    pub fn is_dot(&self) -> bool {
        matches!(self.entry.as_bytes(), b"." | b"..")
    }
    pub fn entry(&self) -> PStr {
        self.entry.clone()
    }
    /// The folder; for a pattern that of the entry.
    pub fn path(&self) -> PStr {
        self.path.clone()
    }
    pub fn pathname(&self) -> Option<PStr> {
        if self.entry.is_empty() {
            return None;
        }
        if self.path.is_empty() {
            return Some(self.entry.clone());
        }
        Some(PStr::concat(&[self.path.as_bytes(), b"/", self.entry.as_bytes()]))
    }
    pub fn glob_shown(&self) -> Value {
        match &self.source {
            Source::Glob(_, pattern) => Value::from(PStr::concat2(b"glob://", pattern.as_bytes())),
            Source::Stream(_) => Value::from(false),
        }
    }
    pub fn glob_count(&self) -> Option<usize> {
        match &self.source {
            Source::Glob(names, _) => Some(names.len()),
            Source::Stream(_) => None,
        }
    }
    /// A clone reads from the start on its own; None: this source cannot be read twice.
    pub fn copied(&self) -> Option<Folder> {
        Some(Folder {
            source: self.source.clone(),
            path: self.path.clone(),
            entry: self.entry.clone(),
            index: self.index,
            flags: self.flags,
            sub_path: self.sub_path.clone(),
            made: Value::null(),
        })
    }
}

/// Runs `f` with the open folder.
pub(crate) fn with<R>(cx: &mut Cx, this: &PObject, f: impl FnOnce(&mut Folder) -> R) -> Res<R> {
    match &mut *state(cx, this)?.folder.borrow_mut() {
        Some(folder) => Ok(f(folder)),
        None => Err(not_initialized(cx)),
    }
}

/// The stream behind an open folder.
fn behind(resource: &PResource) -> Option<Rc<dyn Stream>> {
    resource.native::<StreamHandle>().map(|handle| handle.stream().clone())
}

/// Reads the next entry, whatever it is.
fn read_raw(cx: &mut Cx, state: &State) -> Res<PStr> {
    let (source, index) = match &*state.folder.borrow() {
        Some(folder) => (folder.source.clone(), folder.index),
        None => return Ok(PStr::empty()),
    };
    let entry = match source {
        Source::Stream(resource) => match behind(&resource) {
            Some(stream) => stream.read_entry(cx)?.unwrap_or_default(),
            None => PStr::empty(),
        },
        Source::Glob(names, _) => {
            let name = names.get_int(index).and_then(Value::as_str).cloned().unwrap_or_default();
            let at = name.as_bytes().iter().rposition(|b| *b == b'/');
            if let Some(folder) = &mut *state.folder.borrow_mut() {
                match at {
                    Some(at) => folder.path = name.slice(0, at),
                    // At the end there is no entry that has a folder.
                    None if name.is_empty() => folder.path = PStr::empty(),
                    None => {}
                }
            }
            at.map_or_else(|| name.clone(), |at| name.slice(at + 1, name.len()))
        }
    };
    if let Some(folder) = &mut *state.folder.borrow_mut() {
        folder.entry = entry.clone();
        folder.made = Value::null();
    }
    Ok(entry)
}

/// Reads the next entry that is shown.
pub(crate) fn read(cx: &mut Cx, state: &State) -> Res<()> {
    loop {
        read_raw(cx, state)?;
        let skipped = match &*state.folder.borrow() {
            Some(folder) => folder.flags & SKIP_DOTS != 0 && folder.is_dot(),
            None => false,
        };
        if !skipped {
            return Ok(());
        }
    }
}

/// Opens a folder or a pattern: what all constructors do.
pub(crate) fn open(cx: &mut Cx, this: &PObject, directory: &PStr, flags: i64, glob: bool) -> Res<()> {
    if stream::has_nul(directory.as_bytes()) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    if directory.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let state = state(cx, this)?;
    if state.folder.borrow().is_some() {
        return Err(cx.throw_error("Directory object is already initialized"));
    }
    let bytes = directory.as_bytes();
    let pattern = bytes.strip_prefix(b"glob://").or(glob.then_some(bytes));
    let (source, path) = match pattern {
        Some(pattern) => {
            let found = cx.call_builtin("glob", &[Value::bytes(pattern)])?;
            let path = pattern.iter().rposition(|b| *b == b'/').map_or(&b""[..], |at| &pattern[..at]);
            (Source::Glob(found.as_array().cloned().unwrap_or_default(), PStr::new(pattern)), PStr::new(path))
        }
        None => {
            let opened = cx.throwing_warnings("UnexpectedValueException", |cx| stream::open_folder(cx, bytes, None))?;
            let Some(resource) = opened else {
                let text = [b"Failed to open directory \"".as_slice(), bytes, b"\""].concat();
                return Err(cx.throw("UnexpectedValueException", text));
            };
            let mut path = bytes;
            while path.len() > 1 && path.ends_with(b"/") {
                path = &path[..path.len() - 1];
            }
            (Source::Stream(resource), PStr::new(path))
        }
    };
    let folder = Folder { source, path, entry: PStr::empty(), index: 0, flags, sub_path: PStr::empty(), made: Value::null() };
    *state.folder.borrow_mut() = Some(folder);
    read(cx, state)
}

pub fn __construct(cx: &mut Cx, this: &PObject, directory: &PStr) -> Res<()> {
    open(cx, this, directory, 0, false)
}

pub fn get_filename(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    with(cx, this, |folder| folder.entry())
}

pub fn get_extension(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    with(cx, this, |folder| extension_of(folder.entry.as_bytes()))
}

pub fn get_basename(cx: &mut Cx, this: &PObject, suffix: &PStr) -> Res<Value> {
    let name = get_filename(cx, this)?;
    cx.call_builtin("basename", &[Value::from(name), Value::from(suffix.clone())])
}

pub fn is_dot(cx: &mut Cx, this: &PObject) -> Res<bool> {
    with(cx, this, |folder| folder.is_dot())
}

pub fn rewind(cx: &mut Cx, this: &PObject) -> Res<()> {
    let source = with(cx, this, |folder| {
        folder.index = 0;
        folder.source.clone()
    })?;
    if let Source::Stream(resource) = source
        && let Some(stream) = behind(&resource)
    {
        stream.rewind_entries(cx)?;
    }
    let state = state(cx, this)?;
    read(cx, state)
}

pub fn valid(cx: &mut Cx, this: &PObject) -> Res<bool> {
    with(cx, this, |folder| !folder.entry.is_empty())
}

pub fn key(cx: &mut Cx, this: &PObject) -> Res<i64> {
    with(cx, this, |folder| folder.index)
}

pub fn current(cx: &mut Cx, this: &PObject) -> Res<Value> {
    with(cx, this, |_| Value::from(this.clone()))
}

pub fn next(cx: &mut Cx, this: &PObject) -> Res<()> {
    with(cx, this, |folder| folder.index += 1)?;
    let state = state(cx, this)?;
    read(cx, state)
}

pub fn seek(cx: &mut Cx, this: &PObject, offset: i64) -> Res<()> {
    if with(cx, this, |folder| folder.index > offset)? {
        cx.call_method(this, b"rewind", &[])?;
    }
    while with(cx, this, |folder| folder.index < offset)? {
        if !crate::support::ask(cx, this, b"valid")? {
            return Err(cx.throw("OutOfBoundsException", format!("Seek position {offset} is out of range")));
        }
        cx.call_method(this, b"next", &[])?;
    }
    Ok(())
}

pub fn __to_string(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    get_filename(cx, this)
}

/// The whole name of the entry.
pub(crate) fn pathname(cx: &mut Cx, this: &PObject) -> Res<PStr> {
    Ok(spl_file_info::pathname(cx, this)?.unwrap_or_default())
}
