//! php://temp: in memory until it is larger than `maxmemory`, then in a temporary file.

use crate::memory::Memory;
use crate::plain::Plain;
use jumbo_abi::stream::{FileStat, Read, Stream, Tried, Whence};
use jumbo_abi::{Cx, Res};
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// What `php://temp` keeps in memory when it does not say otherwise.
pub const DEFAULT_MAX: usize = 2 << 20;

pub struct Temp {
    /// A [`Memory`], later a [`Plain`].
    behind: RefCell<Rc<dyn Stream>>,
    max: usize,
}

impl Temp {
    pub fn new(memory: Memory, max: usize) -> Temp {
        Temp { behind: RefCell::new(Rc::new(memory)), max }
    }
    fn behind(&self) -> Rc<dyn Stream> {
        self.behind.borrow().clone()
    }

    /// Moves the content to a file when `more` bytes do not fit any longer. What cannot be moved stays in memory.
    fn make_room(&self, cx: &mut Cx, more: usize) -> Res<()> {
        let behind = self.behind();
        let Some(memory) = behind.as_any().downcast_ref::<Memory>() else { return Ok(()) };
        if memory.len().max(memory.position().saturating_add(more)) <= self.max {
            return Ok(());
        }
        self.move_to_file(cx, memory)
    }

    /// A duplicate of the descriptor of the file that has the content from now on. None: it cannot be moved there.
    pub fn file(&self, cx: &mut Cx) -> Res<Option<std::fs::File>> {
        if let Some(memory) = self.behind().as_any().downcast_ref::<Memory>() {
            self.move_to_file(cx, memory)?;
        }
        let behind = self.behind();
        Ok(behind.as_any().downcast_ref::<Plain>().and_then(|plain| plain.file().try_clone().ok()))
    }

    fn move_to_file(&self, cx: &mut Cx, memory: &Memory) -> Res<()> {
        let folder = crate::file::temporary_folder(cx);
        let path = jumbo_abi::stream::path_buf(cx, &folder);
        let Ok((file, path)) = crate::file::create_temporary(cx, &path, b"php") else { return Ok(()) };
        let plain = Plain::temporary(cx, file, path);
        let mut done = true;
        memory.with_bytes(|bytes| {
            use std::io::Write;
            done = plain.file().write_all(bytes).is_ok();
        });
        if done && plain.seek(cx, memory.position() as i64, Whence::Set)?.is_ok() {
            *self.behind.borrow_mut() = Rc::new(plain);
        }
        Ok(())
    }
}

impl Stream for Temp {
    fn kind(&self) -> &'static str {
        let behind = self.behind();
        if behind.as_any().is::<Memory>() { "TEMP" } else { behind.kind() }
    }
    fn read(&self, cx: &mut Cx, buffer: &mut [u8]) -> Tried<Read> {
        let behind = self.behind();
        let read = behind.read(cx, buffer)?;
        // A short read shows the end, unlike with php://memory.
        let short = behind.as_any().is::<Memory>();
        Ok(read.map(|read| Read { eof: read.eof || short && read.len < buffer.len(), ..read }))
    }
    fn write(&self, cx: &mut Cx, bytes: &[u8]) -> Tried<usize> {
        self.make_room(cx, bytes.len())?;
        self.behind().write(cx, bytes)
    }
    fn seek(&self, cx: &mut Cx, offset: i64, whence: Whence) -> Tried<i64> {
        self.behind().seek(cx, offset, whence)
    }
    fn seekable(&self) -> bool {
        true
    }
    fn flush(&self, cx: &mut Cx) -> Res<bool> {
        self.behind().flush(cx)
    }
    fn close(&self, cx: &mut Cx) -> Res<()> {
        self.behind().close(cx)
    }
    fn stat(&self, cx: &mut Cx) -> Tried<FileStat> {
        self.behind().stat(cx)
    }
    fn can_truncate(&self) -> bool {
        true
    }
    fn truncate(&self, cx: &mut Cx, size: i64) -> Res<bool> {
        self.behind().truncate(cx, size)
    }
    fn set_blocking(&self, cx: &mut Cx, blocking: bool) -> Res<Option<bool>> {
        self.behind().set_blocking(cx, blocking)
    }
    fn greedy(&self) -> bool {
        true
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
