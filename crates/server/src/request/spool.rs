//! Where request bodies stay until their scripts begin: in memory while they are small, in unnamed files otherwise.
//!
//! What all bodies together have in memory is counted ([`BodyMemory`]), since clients decide how many there are and how slowly they
//! arrive. When it is too much, even smaller ones go to files, and what cannot is refused.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use jumbo_abi::mounts::Mount;
use jumbo_abi::open_file::OpenFile;

use super::InputLimits;
use super::body::RawBody;
use super::uploads::TemporaryFile;

/// A body this small stays in memory however much others have there: a file costs as much.
const SMALL_BYTES: usize = 4 << 10;

/// What bodies have in memory that are being received or wait for their scripts to begin, all together.
#[derive(Debug)]
pub struct BodyMemory {
    used: AtomicUsize,
    max: usize,
}

impl BodyMemory {
    pub fn new(bytes_max: usize) -> Arc<BodyMemory> {
        Arc::new(BodyMemory { used: AtomicUsize::new(0), max: bytes_max })
    }
}

/// The part of one body; given back when this goes.
#[derive(Debug)]
pub struct Charge {
    all: Arc<BodyMemory>,
    bytes: usize,
}

impl Charge {
    pub(super) fn new(all: &Arc<BodyMemory>) -> Charge {
        Charge { all: all.clone(), bytes: 0 }
    }

    /// The body now has so many bytes in memory. False: all together have too much.
    pub(super) fn set(&mut self, bytes: usize) -> bool {
        let before = std::mem::replace(&mut self.bytes, bytes);
        let used = if bytes >= before {
            self.all.used.fetch_add(bytes - before, Ordering::Relaxed) + (bytes - before)
        } else {
            self.all.used.fetch_sub(before - bytes, Ordering::Relaxed) - (before - bytes)
        };
        used <= self.all.max || bytes <= SMALL_BYTES
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.all.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// There is no room for a body now; later there may be.
pub(super) fn no_room() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "request bodies have all the memory that body_memory_bytes_max gives them")
}

/// Bytes in their order, in memory up to a size and in an unnamed file from there on.
#[derive(Debug)]
pub(super) struct Spool {
    memory: Vec<u8>,
    memory_bytes_max: usize,
    folder: Option<PathBuf>,
    /// The file's file system, if it may not answer.
    mount: Option<Mount>,
    file: Option<OpenFile>,
    len: u64,
    charge: Charge,
}

impl Spool {
    pub(super) fn new(limits: &InputLimits) -> Spool {
        Spool {
            memory: Vec::new(),
            memory_bytes_max: limits.body_memory_bytes_max,
            folder: limits.upload_tmp_dir.clone(),
            mount: limits.mount(),
            file: None,
            len: 0,
            charge: Charge::new(&limits.body_memory),
        }
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The file system that may have to be asked for so many bytes more, if it may not answer.
    pub(super) fn far(&self, bytes: usize) -> Option<Mount> {
        let stays_in_memory = self.file.is_none() && self.memory.len() + bytes <= self.memory_bytes_max.min(SMALL_BYTES);
        if stays_in_memory { None } else { self.mount }
    }

    /// The file system to ask for what is here, if it may not answer.
    pub(super) fn is_far(&self) -> Option<Mount> {
        self.file.as_ref().and_then(|file| file.mount)
    }

    /// A copy in memory.
    pub(super) fn brought_near(&self) -> io::Result<Spool> {
        let charge = Charge::new(&self.charge.all);
        let memory = self.read(0..self.len)?;
        Ok(Spool { memory, memory_bytes_max: usize::MAX, folder: None, mount: None, file: None, len: self.len, charge })
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> io::Result<Range<u64>> {
        let from = self.len;
        if self.file.is_none() && self.memory.len() + bytes.len() > self.memory_bytes_max {
            self.spill()?;
        }
        match &self.file {
            Some(file) => written(file, bytes)?,
            None => {
                self.memory.extend_from_slice(bytes);
                if !self.charge.set(self.memory.capacity()) {
                    self.spill()?;
                }
            }
        }
        self.len += bytes.len() as u64;
        Ok(from..self.len)
    }

    fn spill(&mut self) -> io::Result<()> {
        let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
        let file = TemporaryFile::create(&folder, self.mount)?.unlink()?;
        written(&file, &self.memory)?;
        self.memory = Vec::new();
        self.charge.set(0);
        self.file = Some(file);
        Ok(())
    }

    pub(super) fn read(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let at = |offset: u64| usize::try_from(offset).map_err(io::Error::other);
        match &self.file {
            None => {
                let bytes = self.memory.get(at(range.start)?..at(range.end)?);
                bytes.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
            Some(file) => {
                let mut bytes = vec![0; at(range.end - range.start)?];
                file.get().read_exact_at(&mut bytes, range.start)?;
                Ok(bytes)
            }
        }
    }

    pub(super) fn into_raw(self) -> RawBody {
        match self.file {
            Some(file) => RawBody::File { file: Arc::new(file), len: self.len },
            None if self.memory.is_empty() => RawBody::Empty,
            None => RawBody::Memory { bytes: Bytes::from(self.memory), charge: Arc::new(self.charge) },
        }
    }
}

fn written(file: &OpenFile, bytes: &[u8]) -> io::Result<()> {
    let mut file: &File = file.get();
    file.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_shared_by_all_bodies() {
        let limits = InputLimits { body_memory: BodyMemory::new(10_000), ..InputLimits::default() };
        let used = || limits.body_memory.used.load(Ordering::Relaxed);
        let mut first = Spool::new(&limits);
        let kept = first.append(&[1; 9_000]).unwrap();
        assert!(first.file.is_none() && used() >= 9_000);
        let mut second = Spool::new(&limits);
        let spilled = second.append(&[2; 5_000]).unwrap();
        assert!(second.file.is_some() && used() < 10_000);
        let mut third = Spool::new(&limits);
        third.append(&[3; 100]).unwrap();
        assert!(third.file.is_none(), "a small body stays in memory");
        let more = second.append(&[4; 10]).unwrap();
        assert_eq!(first.read(kept).unwrap(), [1; 9_000]);
        assert_eq!(second.read(spilled).unwrap(), [2; 5_000]);
        assert_eq!(second.read(more).unwrap(), [4; 10]);
        let raw = first.into_raw();
        assert!(used() >= 9_000);
        drop((raw, second, third));
        assert_eq!(used(), 0);
    }
}
