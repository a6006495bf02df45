//! Plain files, and everything else behind a descriptor: pipes, terminals, the process's standard streams.

use jumbo_abi::open_file::OpenFile;
use crate::wait::{self, For};
use jumbo_abi::stream::{
    FileStat, Failure, Lock, Metadata, OpenOptions, Opened, Read, Stream, Tried, Whence, Wrapper, WrapperDesc, allowed, expand, has_nul,
    path_buf,
};
use jumbo_abi::mounts::Mount;
use jumbo_abi::{Cx, PResource, PStr, Res, blocking};
use rustix::fs::{FlockOperation, OFlags};
use rustix::io::Errno;
use std::any::Any;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// What an opened file is.
type Kind = io::Result<std::fs::FileType>;

/// A stream over a descriptor.
pub struct Plain {
    file: OpenFile,
    seekable: bool,
    /// A read or write may have to wait.
    may_wait: bool,
    /// What the descriptor is not open for (`O_WRONLY`, `O_RDONLY`) fails at once: it would never become ready.
    reads: bool,
    writes: bool,
    blocking: Cell<bool>,
    timeout: Cell<Option<Duration>>,
    timed_out: Cell<bool>,
    /// One of the process's own outputs: what the script has printed comes out first.
    terminal: bool,
    /// Removed when the stream is closed (`tmpfile`).
    temporary: Option<PathBuf>,
}

impl Plain {
    pub fn new(file: File) -> Plain {
        let kind = file.metadata().map(|m| m.file_type());
        Plain::of_kind(file, kind, None)
    }
    fn of_kind(file: File, kind: Kind, mount: Option<Mount>) -> Plain {
        let regular = kind.as_ref().is_ok_and(|t| t.is_file() || t.is_dir() || t.is_block_device());
        let seekable = regular || kind.is_ok_and(|t| t.is_char_device()) && (&file).stream_position().is_ok();
        let access = rustix::fs::fcntl_getfl(&file).map_or(OFlags::RDWR, |flags| flags & OFlags::RWMODE);
        Plain {
            file: OpenFile::new(file, mount),
            seekable,
            may_wait: !regular,
            reads: access != OFlags::WRONLY,
            writes: access != OFlags::RDONLY,
            blocking: Cell::new(true),
            timeout: Cell::new(None),
            timed_out: Cell::new(false),
            terminal: false,
            temporary: None,
        }
    }
    pub fn temporary(cx: &Cx, file: File, path: PathBuf) -> Plain {
        let mut plain = Plain::new(file);
        plain.file.mount = blocking::mount_of(cx, &path);
        plain.temporary = Some(path);
        plain
    }
    /// The process's standard output or error output.
    pub fn terminal(file: File) -> Plain {
        let mut plain = Plain::new(file);
        plain.terminal = true;
        plain
    }
    pub fn file(&self) -> &File {
        self.file.get()
    }
    /// A read of a file whose file system may not answer.
    fn read_elsewhere(&self, cx: &mut Cx, buffer: &mut [u8]) -> io::Result<Read> {
        let wanted = buffer.len().min(ELSEWHERE_BYTES_MAX);
        let bytes = self.file.ask(cx, move |file| {
            let mut bytes = vec![0; wanted];
            let len = uninterrupted(|| (&*file).read(&mut bytes))?;
            bytes.truncate(len);
            io::Result::Ok(bytes)
        })?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(Read { len: bytes.len(), eof: bytes.is_empty() && wanted > 0 })
    }
    /// Waits as the stream's settings want. False: not ready, and the caller must not block.
    fn ready(&self, cx: &mut Cx, what: For) -> Res<bool> {
        let open = if what == For::Writing { self.writes } else { self.reads };
        if !self.may_wait || !open {
            return Ok(true);
        }
        if !self.blocking.get() {
            return Ok(wait::ready(std::os::fd::AsFd::as_fd(self.file()), what));
        }
        let ready = wait::until_ready(cx, self.file(), what, self.timeout.get())?;
        self.timed_out.set(!ready);
        Ok(ready)
    }
}

/// What another thread reads or writes at once, in a buffer of its own.
const ELSEWHERE_BYTES_MAX: usize = 256 << 10;

/// Again, when a signal came in between.
fn uninterrupted<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        if let Some(path) = self.temporary.take() {
            blocking::detached(self.file.mount, move || drop(std::fs::remove_file(path)));
        }
    }
}

impl Stream for Plain {
    fn kind(&self) -> &'static str {
        "STDIO"
    }
    fn read(&self, cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read> {
        if !self.ready(cx, For::Reading)? {
            return Ok(Ok(Read { len: 0, eof: false }));
        }
        jumbo_abi::stream::forget_stats(cx);
        if self.file.mount.is_some() {
            return Ok(self.read_elsewhere(cx, buffer).map_err(Failure::Os));
        }
        loop {
            match self.file().read(buffer) {
                Ok(len) => return Ok(Ok(Read { len, eof: len == 0 && !buffer.is_empty() })),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                // A terminal whose other side has gone.
                Err(e) if e.raw_os_error() == Some(5) && self.may_wait => return Ok(Ok(Read { len: 0, eof: true })),
                Err(e) => return Ok(Err(e.into())),
            }
        }
    }
    fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Tried<usize> {
        if self.terminal {
            flush_terminal(cx);
        }
        if !self.ready(cx, For::Writing)? {
            return Ok(Err(io::Error::from(io::ErrorKind::WouldBlock).into()));
        }
        jumbo_abi::stream::forget_stats(cx);
        // A pipe that is ready takes this much without blocking.
        let bytes = if self.may_wait { &bytes[..bytes.len().min(4096)] } else { bytes };
        if self.file.mount.is_some() {
            let bytes = bytes[..bytes.len().min(ELSEWHERE_BYTES_MAX)].to_vec();
            return Ok(self.file.ask(cx, move |file| uninterrupted(|| (&*file).write(&bytes))).map_err(Failure::Os));
        }
        Ok(uninterrupted(|| self.file().write(bytes)).map_err(Failure::Os))
    }
    fn close(&self, cx: &mut Cx) -> Res<()> {
        if self.file.mount.is_some() {
            // What is written here leaves for the server when a descriptor is closed, whichever, and who opens the file after this sees it.
            self.file.ask(cx, |file| drop(file.try_clone()));
        }
        Ok(())
    }
    fn seek(&self, cx: &mut Cx, offset: i64, whence: Whence) -> Tried<i64> {
        let to = match whence {
            Whence::Set => match u64::try_from(offset) {
                Ok(n) => SeekFrom::Start(n),
                Err(_) => return Ok(Err(io::Error::from(io::ErrorKind::InvalidInput).into())),
            },
            Whence::Current => SeekFrom::Current(offset),
            Whence::End => SeekFrom::End(offset),
        };
        Ok(self.file.ask(cx, move |file| (&*file).seek(to)).map(|n| n as i64).map_err(Failure::Os))
    }
    fn seekable(&self) -> bool {
        self.seekable
    }
    fn stat(&self, cx: &mut Cx) -> Tried<FileStat> {
        Ok(self.file.ask(cx, File::metadata).map(|m| stat_of(&m)).map_err(Failure::Os))
    }
    fn can_truncate(&self) -> bool {
        true
    }
    fn truncate(&self, cx: &mut Cx, size: i64) -> Res<bool> {
        Ok(u64::try_from(size).is_ok_and(|size| self.file.ask(cx, move |file| file.set_len(size)).is_ok()))
    }
    fn can_lock(&self) -> bool {
        true
    }
    fn lock(&self, cx: &mut Cx, lock: Lock, wait: bool) -> Tried<()> {
        let operation = match lock {
            Lock::Shared => FlockOperation::NonBlockingLockShared,
            Lock::Exclusive => FlockOperation::NonBlockingLockExclusive,
            Lock::Unlock => FlockOperation::NonBlockingUnlock,
        };
        wait::until_some(cx, |cx| {
            Ok(match self.file.ask(cx, move |file| rustix::fs::flock(file, operation)) {
                Ok(()) => Some(Ok(())),
                Err(e) if wait && e == rustix::io::Errno::WOULDBLOCK => None,
                Err(e) => Some(Err(io::Error::from(e).into())),
            })
        })
    }
    fn set_blocking(&self, _cx: &mut Cx, blocking: bool) -> Res<Option<bool>> {
        self.blocking.set(blocking);
        let result = rustix::fs::fcntl_getfl(self.file()).and_then(|mut flags| {
            flags.set(OFlags::NONBLOCK, !blocking);
            rustix::fs::fcntl_setfl(self.file(), flags)
        });
        Ok(Some(result.is_ok()))
    }
    fn set_write_buffer(&self, _cx: &mut Cx, _size: usize) -> Res<bool> {
        // Writes are never buffered here.
        Ok(false)
    }
    fn timed_out(&self) -> bool {
        self.timed_out.get()
    }
    fn sync(&self, cx: &mut Cx, data_only: bool) -> Tried<()> {
        let result = self.file.ask(cx, move |file| if data_only { file.sync_data() } else { file.sync_all() });
        Ok(result.map_err(Failure::Os))
    }
    fn descriptor(&self, _cx: &mut Cx) -> Res<Option<RawFd>> {
        Ok(Some(self.file().as_raw_fd()))
    }
    fn greedy(&self) -> bool {
        !self.may_wait
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// On the command line: what the script has printed so far leaves the process, before somebody else writes to the same place.
pub fn flush_terminal(cx: &mut Cx) {
    if on_command_line() {
        cx.flush_sink();
    }
}

pub use jumbo_abi::request::on_command_line;

/// An open folder.
pub struct Folder {
    entries: Vec<PStr>,
    at: Cell<usize>,
}

impl Folder {
    /// The entries as the system gives them, `.` and `..` first.
    pub fn open(cx: &mut Cx, path: &Path) -> io::Result<Folder> {
        let names = blocking::at(cx, path, |path| std::fs::read_dir(path)?.map(|e| e.map(|e| e.file_name())).collect::<io::Result<Vec<_>>>())?;
        let mut entries = vec![PStr::new(b"."), PStr::new(b"..")];
        entries.extend(names.iter().map(|name| PStr::new(name.as_bytes())));
        Ok(Folder::of(entries))
    }
    pub fn of(entries: Vec<PStr>) -> Folder {
        Folder { entries, at: Cell::new(0) }
    }
}

impl Stream for Folder {
    fn kind(&self) -> &'static str {
        "dir"
    }
    fn read(&self, _cx: &mut Cx, _buffer: &mut [u8]) -> Tried<Read> {
        Ok(Ok(Read { len: 0, eof: true }))
    }
    fn write(&self, _cx: &mut Cx, _bytes: &[u8]) -> Tried<usize> {
        Ok(Err(Failure::Reported))
    }
    fn seekable(&self) -> bool {
        true
    }
    fn seek(&self, _cx: &mut Cx, offset: i64, whence: Whence) -> Tried<i64> {
        // As with rewinddir(), only from the start.
        match (usize::try_from(offset), whence) {
            (Ok(at), Whence::Set) => {
                self.at.set(at);
                Ok(Ok(offset))
            }
            _ => Ok(Err(Failure::Reported)),
        }
    }
    fn read_entry(&self, _cx: &mut Cx) -> Res<Option<PStr>> {
        let at = self.at.get();
        self.at.set(at + 1);
        Ok(self.entries.get(at).cloned())
    }
    fn rewind_entries(&self, _cx: &mut Cx) -> Res<()> {
        self.at.set(0);
        Ok(())
    }
    fn is_folder(&self) -> bool {
        true
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

pub fn stat_of(m: &std::fs::Metadata) -> FileStat {
    FileStat {
        dev: m.dev() as i64,
        ino: m.ino() as i64,
        mode: i64::from(m.mode()),
        nlink: m.nlink() as i64,
        uid: i64::from(m.uid()),
        gid: i64::from(m.gid()),
        rdev: m.rdev() as i64,
        size: m.size() as i64,
        atime: m.atime(),
        mtime: m.mtime(),
        ctime: m.ctime(),
        blksize: m.blksize() as i64,
        blocks: m.blocks() as i64,
    }
}

/// How `fopen`'s mode opens a file. None: no mode of PHP's.
pub fn open_options(mode: &[u8]) -> Option<std::fs::OpenOptions> {
    let mut options = File::options();
    match mode.first()? {
        b'r' => options.read(true),
        b'w' => options.write(true).create(true).truncate(true),
        b'a' => options.append(true).create(true),
        b'x' => options.write(true).create_new(true),
        b'c' => options.write(true).create(true),
        _ => return None,
    };
    if mode.contains(&b'+') {
        options.read(true);
        if mode[0] != b'a' {
            options.write(true);
        }
    }
    let mut flags = 0;
    if mode.contains(&b'n') {
        flags |= OFlags::NONBLOCK.bits() as i32;
    }
    options.custom_flags(flags).mode(0o666);
    Some(options)
}

/// Opens a file, for which nobody else on this thread has to wait: a FIFO waits for the other side, which may be a request of the same
/// executor. Regular files open at once, and do not mind what they are opened with.
fn open_waiting(cx: &mut Cx, mut how: std::fs::OpenOptions, path: &Path, mode: &[u8]) -> Tried<(File, Kind)> {
    let nonblocking = mode.contains(&b'n');
    how.custom_flags(OFlags::NONBLOCK.bits() as i32);
    let umask = cx.state::<Umask>().0.filter(|_| mode[0] != b'r');
    let open = move |how: &std::fs::OpenOptions, path: &Path| -> io::Result<(File, Kind)> {
        let is_new = umask.is_some() && !path.exists();
        let file = how.open(path)?;
        if let Some(mask) = umask.filter(|_| is_new) {
            let _ = file.set_permissions(std::fs::Permissions::from_mode(0o666 & !mask));
        }
        let kind = file.metadata().map(|m| m.file_type());
        Ok((file, kind))
    };
    let is_fifo = |path: &Path| std::fs::metadata(path).is_ok_and(|m| m.file_type().is_fifo());
    let opened = wait::until_some(cx, |cx| {
        let how = how.clone();
        Ok(match blocking::at(cx, path, move |path| open(&how, path)) {
            // Nobody reads: no event tells when somebody will.
            Err(e) if !nonblocking && e.raw_os_error() == Some(Errno::NXIO.raw_os_error()) && blocking::at(cx, path, is_fifo) => None,
            // A lease of the file is being given back.
            Err(e) if !nonblocking && e.kind() == io::ErrorKind::WouldBlock => None,
            result => Some(result),
        })
    })?;
    let (file, kind) = match opened {
        Ok(opened) => opened,
        Err(e) => return Ok(Err(e.into())),
    };
    if !nonblocking && let Ok(found) = &kind && !found.is_file() && !found.is_dir() {
        if found.is_fifo() && mode.first() == Some(&b'r') && !mode.contains(&b'+') {
            wait::until_written_to(cx, &file)?;
        }
        // The flag belongs to the opened file, which children may get. Reading and writing ask before whether they would block.
        if let Ok(flags) = rustix::fs::fcntl_getfl(&file)
            && let Err(e) = rustix::fs::fcntl_setfl(&file, flags - OFlags::NONBLOCK)
        {
            return Ok(Err(io::Error::from(e).into()));
        }
    }
    Ok(Ok((file, kind)))
}

/// The instance's umask, when the script has set one: what the process's makes of a new file is put right afterwards.
#[derive(Default)]
pub struct Umask(pub Option<u32>);

/// The process's umask.
pub fn process_umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("Umask:"));
    line.and_then(|l| u32::from_str_radix(l.trim(), 8).ok()).unwrap_or(0o022)
}

/// The plain files' wrapper.
pub struct PlainFiles;

pub const WRAPPER: WrapperDesc = WrapperDesc { scheme: "file", make: || Rc::new(PlainFiles) };

fn refused<T>() -> Tried<T> {
    Ok(Err(io::Error::from_raw_os_error(rustix::io::Errno::PERM.raw_os_error()).into()))
}

impl Wrapper for PlainFiles {
    fn label(&self) -> &'static str {
        "plainfile"
    }
    fn is_plain(&self) -> bool {
        true
    }
    fn open(&self, cx: &mut Cx, path: &[u8], mode: &[u8], _options: &OpenOptions) -> Tried<Opened> {
        let Some(how) = open_options(mode) else {
            return Ok(Err(Failure::message([b"`".as_slice(), mode, b"' is not a valid mode for fopen"])));
        };
        // About open_basedir there is always a word.
        if !allowed(cx, path, false)? {
            return refused();
        }
        // PHP looks for the way before it opens: behind a file, or where links lead in a circle, there is nothing.
        let nothing = || Ok(Err(io::Error::from_raw_os_error(Errno::NOENT.raw_os_error()).into()));
        let Ok(full) = expand(cx, path) else { return nothing() };
        match open_waiting(cx, how, &full, mode)? {
            Ok((file, kind)) => {
                jumbo_abi::stream::forget_stats(cx);
                let opened_path = Some(PStr::new(full.as_os_str().as_bytes()));
                let plain = Plain::of_kind(file, kind, blocking::mount_of(cx, &full));
                plain.blocking.set(!mode.contains(&b'n'));
                Ok(Ok(Opened { opened_path, ..Opened::new(Rc::new(plain)) }))
            }
            Err(Failure::Os(e)) if [Errno::NOTDIR, Errno::LOOP].iter().any(|no| e.raw_os_error() == Some(no.raw_os_error())) => nothing(),
            Err(failure) => Ok(Err(failure)),
        }
    }
    fn stat(&self, cx: &mut Cx, path: &[u8], link: bool, quiet: bool) -> Tried<FileStat> {
        if has_nul(path) {
            return Ok(Err(Failure::Reported));
        }
        if !allowed(cx, path, quiet)? {
            return Ok(Err(Failure::Reported));
        }
        let full = path_buf(cx, path);
        let found = blocking::at(cx, &full, move |full| if link { std::fs::symlink_metadata(full) } else { std::fs::metadata(full) });
        Ok(found.map(|m| stat_of(&m)).map_err(Failure::Os))
    }
    fn unlink(&self, cx: &mut Cx, path: &[u8], _context: Option<&PResource>) -> Tried<()> {
        if !allowed(cx, path, false)? {
            return Ok(Err(Failure::Reported));
        }
        let full = path_buf(cx, path);
        let result = blocking::at(cx, &full, |full| std::fs::remove_file(full));
        Ok(changed(cx, result))
    }
    fn rename(&self, cx: &mut Cx, from: &[u8], to: &[u8], _context: Option<&PResource>) -> Tried<()> {
        if !allowed(cx, from, false)? || !allowed(cx, to, false)? {
            return Ok(Err(Failure::Reported));
        }
        let (from, to) = (path_buf(cx, from), path_buf(cx, to));
        let result = at_both(cx, &from, &to, |from, to| match std::fs::rename(from, to) {
            // To another file system: copy, then remove.
            Err(e) if e.kind() == io::ErrorKind::CrossesDevices && !from.is_dir() => std::fs::copy(from, to).and_then(|_| std::fs::remove_file(from)),
            result => result,
        });
        Ok(changed(cx, result))
    }
    fn mkdir(&self, cx: &mut Cx, path: &[u8], mode: u32, recursive: bool, _context: Option<&PResource>) -> Tried<()> {
        if !allowed(cx, path, false)? {
            return Ok(Err(Failure::Reported));
        }
        let full = path_buf(cx, path);
        let umask = cx.state::<Umask>().0;
        Ok(blocking::at(cx, &full, move |full| make_folder(full, mode, umask, recursive)).map_err(Failure::Os))
    }
    fn rmdir(&self, cx: &mut Cx, path: &[u8], _context: Option<&PResource>) -> Tried<()> {
        if !allowed(cx, path, false)? {
            return Ok(Err(Failure::Reported));
        }
        let full = path_buf(cx, path);
        let result = blocking::at(cx, &full, |full| std::fs::remove_dir(full));
        Ok(changed(cx, result))
    }
    fn open_folder(&self, cx: &mut Cx, path: &[u8], _context: Option<&PResource>) -> Tried<Rc<dyn Stream>> {
        if !allowed(cx, path, false)? {
            return refused();
        }
        let full = path_buf(cx, path);
        Ok(match Folder::open(cx, &full) {
            Ok(folder) => Ok(Rc::new(folder)),
            Err(e) => Err(e.into()),
        })
    }
    fn set_metadata(&self, cx: &mut Cx, path: &[u8], metadata: &Metadata, _context: Option<&PResource>) -> Tried<()> {
        if !allowed(cx, path, false)? {
            return Ok(Err(Failure::Reported));
        }
        let full = path_buf(cx, path);
        let done = match metadata {
            Metadata::Touch(times) => touch(cx, path, &full, *times),
            Metadata::Mode(mode) => {
                let mode = std::fs::Permissions::from_mode(*mode & 0o7777);
                blocking::at(cx, &full, move |full| std::fs::set_permissions(full, mode)).map_err(Failure::Os)
            }
            Metadata::Owner(id) => own(cx, &full, Some(*id as u32), None),
            Metadata::Group(id) => own(cx, &full, None, Some(*id as u32)),
            Metadata::OwnerName(name) => match account_number(b"/etc/passwd", name) {
                Some(id) => own(cx, &full, Some(id), None),
                None => Err(Failure::message([b"Unable to find uid for ".as_slice(), name])),
            },
            Metadata::GroupName(name) => match account_number(b"/etc/group", name) {
                Some(id) => own(cx, &full, None, Some(id)),
                None => Err(Failure::message([b"Unable to find gid for ".as_slice(), name])),
            },
        };
        if done.is_ok() {
            jumbo_abi::stream::forget_stats(cx);
        }
        Ok(done)
    }
}

/// Asks about two paths, of which one may be of a file system that may not answer.
pub fn at_both<T: Send + 'static>(cx: &mut Cx, from: &Path, to: &Path, ask: impl FnOnce(&Path, &Path) -> T + Send + 'static) -> T {
    match blocking::mount_of(cx, from).or_else(|| blocking::mount_of(cx, to)) {
        None => ask(from, to),
        mount => {
            let (from, to) = (from.to_path_buf(), to.to_path_buf());
            blocking::on(cx, mount, move || ask(&from, &to))
        }
    }
}

fn make_folder(full: &Path, mode: u32, umask: Option<u32>, recursive: bool) -> io::Result<()> {
    let make = |path: &Path| -> io::Result<()> {
        std::fs::DirBuilder::new().mode(mode).create(path)?;
        if let Some(mask) = umask {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode & 0o7777 & !mask))?;
        }
        Ok(())
    };
    if !recursive {
        return make(full);
    }
    if full.exists() {
        return Err(Errno::EXIST.into());
    }
    let full = lexical(full);
    let missing: Vec<_> = full.ancestors().take_while(|p| !p.exists()).collect();
    for folder in missing.into_iter().rev() {
        match make(folder) {
            Ok(()) => {}
            // Somebody else was quicker.
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() && folder != full => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

/// The result of a change to plain files, after which nothing is kept about any name.
fn changed(cx: &mut Cx, result: io::Result<()>) -> Result<(), Failure> {
    if result.is_ok() {
        jumbo_abi::stream::forget_stats(cx);
    }
    result.map_err(Failure::Os)
}

/// `.`, `..` and doubled slashes resolved by their text alone, as a recursive mkdir does.
fn lexical(path: &Path) -> PathBuf {
    let mut out = PathBuf::from("/");
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            std::path::Component::Normal(name) => out.push(name),
            _ => {}
        }
    }
    out
}

fn own(cx: &mut Cx, full: &Path, user: Option<u32>, group: Option<u32>) -> Result<(), Failure> {
    blocking::at(cx, full, move |full| std::os::unix::fs::chown(full, user, group)).map_err(Failure::Os)
}

fn touch(cx: &mut Cx, name: &[u8], full: &Path, times: Option<(i64, i64)>) -> Result<(), Failure> {
    let umask = cx.state::<Umask>().0;
    let made = blocking::at(cx, full, move |full| {
        if full.exists() {
            return Ok(());
        }
        let file = File::options().write(true).create(true).truncate(false).mode(0o666).open(full)?;
        if let Some(mask) = umask {
            let _ = file.set_permissions(std::fs::Permissions::from_mode(0o666 & !mask));
        }
        io::Result::Ok(())
    });
    if let Err(e) = made {
        let why = jumbo_abi::stream::os_error_text(&e);
        return Err(Failure::message([b"Unable to create file ".as_slice(), name, b" because ", &why]));
    }
    let stamp = |seconds: Option<i64>| rustix::fs::Timespec {
        tv_sec: seconds.unwrap_or(0),
        tv_nsec: if seconds.is_some() { 0 } else { rustix::fs::UTIME_NOW },
    };
    let times = rustix::fs::Timestamps {
        last_access: stamp(times.map(|t| t.1)),
        last_modification: stamp(times.map(|t| t.0)),
    };
    blocking::at(cx, full, move |full| rustix::fs::utimensat(rustix::fs::CWD, full, &times, rustix::fs::AtFlags::empty()))
        .map_err(|e| Failure::message([b"Utime failed: ".as_slice(), &jumbo_abi::stream::os_error_text(&e.into())]))
}

/// The number of a user or group in a file of the system's accounts.
pub fn account_number(file: &[u8], name: &[u8]) -> Option<u32> {
    let text = std::fs::read(std::ffi::OsStr::from_bytes(file)).ok()?;
    text.split(|b| *b == b'\n').find_map(|line| {
        let mut fields = line.split(|b| *b == b':');
        (fields.next()? == name).then(|| fields.nth(1))?.and_then(|n| std::str::from_utf8(n).ok()?.parse().ok())
    })
}

/// The bytes of a path.
pub fn path_bytes(path: PathBuf) -> Vec<u8> {
    path.into_os_string().into_vec()
}
