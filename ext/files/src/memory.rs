//! Streams in memory: php://memory, data:, php://input; php://temp while it is small.

use jumbo_abi::stream::{FileStat, Failure, Read, Stream, Tried, Whence};
use jumbo_abi::{Cx, PArray, Res};
use jumbo_value::{HeapCharge, OutOfMemory};
use std::any::Any;
use std::cell::{Cell, RefCell};

/// Bytes with a position.
pub struct Memory {
    kind: &'static str,
    data: RefCell<Vec<u8>>,
    at: Cell<usize>,
    writable: bool,
    append: bool,
    /// What `data` takes, for the instance's memory limit.
    charge: RefCell<HeapCharge>,
    /// Fields of the metadata that only data: has.
    extra: Option<PArray>,
}

impl Memory {
    pub fn new(kind: &'static str, data: &[u8], writable: bool) -> Result<Memory, OutOfMemory> {
        let charge = RefCell::new(HeapCharge::new(data.len())?);
        Ok(Memory { kind, data: RefCell::new(data.to_vec()), at: Cell::new(0), writable, append: false, charge, extra: None })
    }
    pub fn appending(mut self) -> Memory {
        self.append = true;
        self
    }
    pub fn with_metadata(mut self, extra: PArray) -> Memory {
        self.extra = Some(extra);
        self
    }
    pub fn len(&self) -> usize {
        self.data.borrow().len()
    }
    pub fn is_empty(&self) -> bool {
        self.data.borrow().is_empty()
    }
    pub fn position(&self) -> usize {
        self.at.get()
    }
    /// The content, for those who run no PHP code meanwhile.
    pub fn with_bytes(&self, run: impl FnOnce(&[u8])) {
        run(&self.data.borrow());
    }
}

impl Stream for Memory {
    fn kind(&self) -> &'static str {
        self.kind
    }
    fn read(&self, _cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read> {
        let data = self.data.borrow();
        let rest = data.get(self.at.get()..).unwrap_or_default();
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        self.at.set(self.at.get() + len);
        Ok(Ok(Read { len, eof: len == 0 && !buffer.is_empty() }))
    }
    fn write(&self, _cx: &mut Cx, bytes: &[u8]) -> Tried<usize> {
        if !self.writable {
            return Ok(Err(Failure::Reported));
        }
        {
            let mut data = self.data.borrow_mut();
            let at = if self.append { data.len() } else { self.at.get() };
            let end = at.saturating_add(bytes.len());
            let more = end.saturating_sub(data.len());
            self.charge.borrow_mut().reserve(&mut data, more)?;
            if at > data.len() {
                data.resize(at, 0);
            }
            let over = (data.len() - at).min(bytes.len());
            data[at..at + over].copy_from_slice(&bytes[..over]);
            data.extend_from_slice(&bytes[over..]);
            self.at.set(at + bytes.len());
        }
        Ok(Ok(bytes.len()))
    }
    fn seek(&self, _cx: &mut Cx, offset: i64, whence: Whence) -> Tried<i64> {
        let base = match whence {
            Whence::Set => 0,
            Whence::Current => self.at.get() as i64,
            Whence::End => self.data.borrow().len() as i64,
        };
        // Far beyond what memory could ever hold is refused here, not at the next write.
        match base.checked_add(offset).filter(|to| (0..1 << 46).contains(to)) {
            Some(to) => {
                self.at.set(to as usize);
                Ok(Ok(to))
            }
            None => Ok(Err(Failure::Reported)),
        }
    }
    fn seekable(&self) -> bool {
        true
    }
    fn stat(&self, _cx: &mut Cx) -> Tried<FileStat> {
        Ok(Ok(FileStat {
            dev: 12,
            mode: if self.writable { 0o100_666 } else { 0o100_444 },
            nlink: 1,
            rdev: -1,
            size: self.data.borrow().len() as i64,
            blksize: -1,
            blocks: -1,
            ..FileStat::default()
        }))
    }
    fn can_truncate(&self) -> bool {
        true
    }
    fn truncate(&self, _cx: &mut Cx, size: i64) -> Res<bool> {
        if !self.writable {
            return Ok(false);
        }
        let Some(size) = usize::try_from(size).ok().filter(|s| *s < 1 << 46) else { return Ok(false) };
        {
            let mut data = self.data.borrow_mut();
            let more = size.saturating_sub(data.len());
            self.charge.borrow_mut().reserve(&mut data, more)?;
            data.resize(size, 0);
        }
        // The place does not stay behind the end.
        self.at.set(self.at.get().min(size));
        Ok(true)
    }
    fn set_blocking(&self, _cx: &mut Cx, _blocking: bool) -> Res<Option<bool>> {
        Ok(Some(true))
    }
    fn greedy(&self) -> bool {
        true
    }
    fn metadata(&self, to: &mut PArray) {
        if let Some(extra) = &self.extra {
            for (key, value) in extra.iter() {
                to.set(key.to_key(), value.copy_deref());
            }
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
