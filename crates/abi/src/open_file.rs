//! An open file, which may be of a file system that does not answer.

use crate::mounts::Mount;
use crate::{Cx, blocking};
use std::fs::File;
use std::sync::Arc;

/// An open file. One of a file system that may not answer is used by other threads, and closed by them.
#[derive(Debug)]
pub struct OpenFile {
    /// None while it is dropped.
    file: Option<Arc<File>>,
    pub mount: Option<Mount>,
}

impl OpenFile {
    pub fn new(file: File, mount: Option<Mount>) -> OpenFile {
        OpenFile { file: Some(Arc::new(file)), mount }
    }
    pub fn get(&self) -> &Arc<File> {
        match &self.file {
            Some(file) => file,
            None => unreachable!("only dropping takes it"),
        }
    }
    /// Does something with it that may take as long as its file system does.
    pub fn ask<T: Send + 'static>(&self, cx: &mut Cx, ask: impl FnOnce(&File) -> T + Send + 'static) -> T {
        if self.mount.is_none() {
            return ask(self.get());
        }
        let file = self.get().clone();
        blocking::on(cx, self.mount, move || ask(&file))
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        if let Some(mount) = self.mount {
            let file = self.file.take();
            blocking::detached(Some(mount), move || drop(file));
        }
    }
}
