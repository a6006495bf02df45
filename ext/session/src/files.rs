//! The save handler `files`: one file a session, locked from read to close.
//!
//! The lock is tried without blocking and waited for through the instance, so that two requests of one session on one executor follow
//! each other. The setting `session.save_path` is `[DEPTH;[MODE;]]FOLDER`: `DEPTH` levels of folders named by the id's first characters.

use crate::state::{raise, warning};
use jumbo_abi::{Cx, Level, PStr, Res, blocking};
use jumbo_abi::open_file::OpenFile;
use jumbo_ext_files::wait;
use jumbo_value::{HeapCharge, PStrBuilder};
use rustix::fs::{FlockOperation, Timespec, Timestamps, UTIME_NOW};
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Longest path that the system takes.
const PATH_MAX: usize = 4096;

/// What the handler has open.
#[derive(Default)]
pub struct Files {
    folder: Vec<u8>,
    depth: usize,
    mode: u32,
    current: Option<(Vec<u8>, OpenFile)>,
}

/// Characters that an id may have.
pub fn valid_id(id: &[u8]) -> bool {
    !id.is_empty() && id.len() <= 256 && id.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b','))
}

/// The number at the start of a text, 0 when there is none. None: it is negative or too large.
fn leading_number(text: &[u8], radix: u32) -> Option<u32> {
    let text = text.trim_ascii_start();
    if text.first() == Some(&b'-') {
        return None;
    }
    let mut number = 0u32;
    for b in text {
        let Some(digit) = char::from(*b).to_digit(radix) else { break };
        number = number.checked_mul(radix)?.checked_add(digit)?;
    }
    Some(number)
}

fn os_text(e: &std::io::Error) -> String {
    let number = e.raw_os_error().unwrap_or(0);
    let text = e.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    format!("{text} ({number})")
}

impl Files {
    /// Takes the folder over; nothing is opened yet.
    pub fn open(&mut self, cx: &mut Cx, save_path: &[u8]) -> Res<bool> {
        self.close();
        let parts: Vec<&[u8]> = save_path.splitn(3, |&b| b == b';').collect();
        let (depth, mode, folder) = match parts.as_slice() {
            [depth, mode, folder] => (*depth, *mode, *folder),
            [depth, folder] => (*depth, b"600".as_slice(), *folder),
            _ => (b"0".as_slice(), b"600".as_slice(), save_path),
        };
        let Some(depth) = leading_number(depth, 10) else {
            warning(cx, "The first parameter in session.save_path is invalid")?;
            return Ok(false);
        };
        let Some(mode) = leading_number(mode, 8).filter(|m| *m <= 0o7777) else {
            warning(cx, "The second parameter in session.save_path is invalid")?;
            return Ok(false);
        };
        self.depth = depth as usize;
        self.mode = mode;
        self.folder = if folder.is_empty() { jumbo_ext_files::file::temporary_folder(cx).to_vec() } else { folder.to_vec() };
        Ok(true)
    }

    pub fn close(&mut self) {
        // Closing the file gives the lock up.
        self.current = None;
    }

    fn path(&self, id: &[u8]) -> Option<Vec<u8>> {
        if id.len() <= self.depth || self.folder.len() + id.len() + 2 * self.depth + 8 > PATH_MAX {
            return None;
        }
        let mut path = self.folder.clone();
        for letter in &id[..self.depth] {
            path.extend_from_slice(&[b'/', *letter]);
        }
        path.extend_from_slice(b"/sess_");
        path.extend_from_slice(id);
        Some(path)
    }

    /// Opens and locks the file of a session, unless it is open already.
    fn lock(&mut self, cx: &mut Cx, id: &[u8]) -> Res<bool> {
        if self.current.as_ref().is_some_and(|(open, _)| open == id) {
            return Ok(true);
        }
        self.close();
        if !valid_id(id) {
            warning(cx, "Session ID is too long or contains illegal characters. Only the A-Z, a-z, 0-9, \"-\", and \",\" characters are allowed")?;
            return Ok(false);
        }
        let Some(path) = self.path(id) else {
            warning(
                cx,
                format!("Failed to create session data file path. Too short session ID, invalid save_path or path length exceeds {PATH_MAX} characters"),
            )?;
            return Ok(false);
        };
        let full = absolute(cx, &path);
        // The process's umask has nothing to do with the instance's.
        let mask = u32::try_from(jumbo_ext_files::file_system::umask(cx, None)).unwrap_or(0o077);
        let mode = self.mode;
        let file = match blocking::at(cx, &full, move |full| open_or_create(full, mode, mask)) {
            Ok(file) => OpenFile::new(file, blocking::mount_of(cx, &full)),
            Err(e) => {
                let text = [b"open(".as_slice(), &path, b", O_RDWR) failed: ", os_text(&e).as_bytes()].concat();
                warning(cx, text)?;
                return Ok(false);
            }
        };
        wait::until_some(cx, |cx| {
            Ok(match file.ask(cx, |file| rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive)) {
                Err(e) if e == rustix::io::Errno::WOULDBLOCK || e == rustix::io::Errno::INTR => None,
                // As in PHP: a file system without locks is used without.
                _ => Some(()),
            })
        })?;
        self.current = Some((id.to_vec(), file));
        Ok(true)
    }

    /// The data of a session: empty for a new one. None: reported.
    pub fn read(&mut self, cx: &mut Cx, id: &[u8]) -> Res<Option<PStr>> {
        if !self.lock(cx, id)? {
            return Ok(None);
        }
        let Some((_, file)) = &self.current else { return Ok(None) };
        let len = file.ask(cx, |file| file.metadata()).map_or(0, |about| about.len());
        // Nobody else writes the file: it is locked.
        let room = usize::try_from(len).unwrap_or(usize::MAX);
        let _charge = HeapCharge::for_vec::<u8>(room)?;
        let read = file.ask(cx, move |mut file| {
            let mut data = Vec::new();
            data.try_reserve_exact(room).map_err(|_| io::ErrorKind::OutOfMemory)?;
            file.seek(SeekFrom::Start(0)).and_then(|_| file.take(len).read_to_end(&mut data)).map(|_| data)
        });
        match read {
            Ok(data) => {
                let mut text = PStrBuilder::new();
                text.extend(&data)?;
                Ok(Some(text.finish()))
            }
            Err(e) => {
                warning(cx, format!("Read failed: {}", os_text(&e)))?;
                Ok(None)
            }
        }
    }

    pub fn write(&mut self, cx: &mut Cx, id: &[u8], data: &[u8]) -> Res<bool> {
        if !self.lock(cx, id)? {
            return Ok(false);
        }
        let Some((_, file)) = &self.current else { return Ok(false) };
        let _charge = HeapCharge::for_vec::<u8>(data.len())?;
        let data = data.to_vec();
        let written = file.ask(cx, move |mut file| {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&data)?;
            file.set_len(data.len() as u64)
        });
        match written {
            Ok(()) => Ok(true),
            Err(e) => {
                warning(cx, format!("Write failed: {}", os_text(&e)))?;
                Ok(false)
            }
        }
    }

    /// Renews the time of an unchanged session.
    pub fn touch(&mut self, cx: &mut Cx, id: &[u8], data: &[u8]) -> Res<bool> {
        let now = Timespec { tv_sec: 0, tv_nsec: UTIME_NOW };
        let touched = match &self.current {
            Some((open, file)) if open == id => {
                file.ask(cx, move |file| rustix::fs::futimens(file, &Timestamps { last_access: now, last_modification: now })).is_ok()
            }
            _ => false,
        };
        if touched { Ok(true) } else { self.write(cx, id, data) }
    }

    pub fn destroy(&mut self, cx: &mut Cx, id: &[u8]) -> Res<bool> {
        let Some(path) = Some(id).filter(|id| valid_id(id)).and_then(|id| self.path(id)) else { return Ok(false) };
        self.close();
        let full = absolute(cx, &path);
        // A file that is gone already is as good.
        Ok(match blocking::at(cx, &full, |full| std::fs::remove_file(full)) {
            Ok(()) => true,
            Err(e) => e.kind() == std::io::ErrorKind::NotFound,
        })
    }

    /// Deletes what is older than `max_lifetime` seconds; folders of deeper levels are left to a job of the system, as in PHP.
    pub fn gc(&mut self, cx: &mut Cx, max_lifetime: i64) -> Res<Option<i64>> {
        if self.depth > 0 {
            return Ok(Some(0));
        }
        let folder = absolute(cx, &self.folder);
        let names = match blocking::at(cx, &folder, session_files) {
            Ok(names) => names,
            Err(e) => {
                let text = [b"ps_files_cleanup_dir: opendir(".as_slice(), &self.folder, b") failed: ", os_text(&e).as_bytes()].concat();
                raise(cx, Level::Notice, text)?;
                return Ok(None);
            }
        };
        let lifetime = Duration::from_secs(u64::try_from(max_lifetime).unwrap_or(0));
        let mut deleted = 0;
        for name in names {
            cx.check()?;
            let is_deleted = blocking::at(cx, &folder.join(name), move |path| {
                let modified = std::fs::symlink_metadata(path).and_then(|m| m.modified()).ok();
                let age = modified.and_then(|time| SystemTime::now().duration_since(time).ok());
                age.is_some_and(|age| age > lifetime) && std::fs::remove_file(path).is_ok()
            });
            deleted += i64::from(is_deleted);
        }
        Ok(Some(deleted))
    }

    pub fn exists(&mut self, cx: &mut Cx, id: &[u8]) -> bool {
        let Some(path) = Some(id).filter(|id| valid_id(id)).and_then(|id| self.path(id)) else { return false };
        let full = absolute(cx, &path);
        blocking::at(cx, &full, Path::exists)
    }
}

/// The file of a session, with the permissions of `session.save_path` if it is new.
fn open_or_create(full: &Path, mode: u32, mask: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match options.open(full) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let file = options.create(true).truncate(false).mode(mode & 0o600).open(full)?;
            let _ = rustix::fs::fchmod(&file, rustix::fs::Mode::from_bits_truncate(mode & !mask));
            Ok(file)
        }
        opened => opened,
    }
}

/// The names of what looks like the file of a session.
fn session_files(folder: &Path) -> io::Result<Vec<OsString>> {
    let names = std::fs::read_dir(folder)?.flatten().map(|entry| entry.file_name());
    Ok(names.filter(|name| name.as_bytes().starts_with(b"sess_")).collect())
}

/// Relative folders are those of the instance's working directory.
fn absolute(cx: &Cx, path: &[u8]) -> PathBuf {
    Path::new(OsStr::from_bytes(&cx.cwd)).join(OsStr::from_bytes(path))
}
