//! The temporary files of one request's uploads.
//!
//! They are deleted when the request ends, unless the script took them with `move_uploaded_file()`: whoever
//! implements that calls [`Uploads::release`] after the rename. Only files registered here are uploads
//! (`is_uploaded_file`), whatever a client claims.

use std::collections::hash_map::RandomState;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jumbo_abi::blocking;
use jumbo_abi::mounts::Mount;
use jumbo_abi::open_file::OpenFile;

/// An uploaded file, and its file system if that may not answer.
#[derive(Debug)]
struct Upload {
    path: PathBuf,
    mount: Option<Mount>,
}

impl Upload {
    fn is(&self, path: &[u8]) -> bool {
        self.path.as_os_str().as_bytes() == path
    }
}

/// The uploaded files that still lie in their temporary folder.
#[derive(Debug, Default)]
pub struct Uploads {
    paths: Mutex<Vec<Upload>>,
}

impl Uploads {
    /// Whether `path` is an uploaded file of this request that nobody has moved.
    pub fn contains(&self, path: &[u8]) -> bool {
        self.lock().iter().any(|upload| upload.is(path))
    }

    /// The file has been moved: it is no upload any more, and is not deleted. Says whether it was one.
    pub fn release(&self, path: &[u8]) -> bool {
        let mut paths = self.lock();
        let before = paths.len();
        paths.retain(|upload| !upload.is(path));
        paths.len() != before
    }

    pub(super) fn add(&self, path: PathBuf, mount: Option<Mount>) {
        self.lock().push(Upload { path, mount });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Upload>> {
        self.paths.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Uploads {
    fn drop(&mut self) {
        for Upload { path, mount } in self.paths.get_mut().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // The script may have deleted it already; and nobody is left to tell about another failure.
            blocking::detached(mount, move || drop(std::fs::remove_file(path)));
        }
    }
}

/// A file that is deleted when it is dropped, unless it was kept.
#[derive(Debug)]
pub(super) struct TemporaryFile {
    file: OpenFile,
    path: Option<PathBuf>,
}

impl TemporaryFile {
    /// Creates a file that only this user can read, under a name nobody can foresee.
    /// `mount`: if that may not answer. This call waits for it all the same, what comes at the end is left to other threads.
    pub(super) fn create(folder: &Path, mount: Option<Mount>) -> io::Result<TemporaryFile> {
        for _ in 0..16 {
            let path = folder.join(format!("php{}", random_name()));
            match OpenOptions::new()
                .read(true)
                .write(true)
                .create_new(true)
                .mode(0o600)
                .open(&path)
            {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
                Ok(file) => {
                    return Ok(TemporaryFile {
                        file: OpenFile::new(file, mount),
                        path: Some(path),
                    });
                }
            }
        }
        Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "no free name for a temporary file",
        ))
    }

    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut file: &File = self.file.get();
        file.write_all(bytes)
    }

    /// Leaves the file in its folder; whoever takes the path deletes it.
    pub(super) fn keep(mut self) -> PathBuf {
        self.path.take().unwrap_or_default()
    }

    /// Takes the name away and leaves the open file.
    pub(super) fn unlink(self) -> io::Result<OpenFile> {
        Ok(OpenFile::new(self.file.get().try_clone()?, self.file.mount))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            // A leftover in the temporary folder is not the client's concern.
            blocking::detached(self.file.mount, move || drop(std::fs::remove_file(path)));
        }
    }
}

fn random_name() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz012345";
    let mut name = String::with_capacity(24);
    for _ in 0..2 {
        // Each RandomState has its own keys, derived from the system's randomness.
        let mut bits = RandomState::new().build_hasher().finish();
        for _ in 0..12 {
            name.push(char::from(LETTERS[(bits & 31) as usize]));
            bits >>= 5;
        }
    }
    name
}
