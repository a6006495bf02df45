//! `glob://pattern`: a folder of the names that a pattern stands for.

use crate::plain::Folder;
use jumbo_abi::stream::{Failure, OpenOptions, Opened, Stream, Tried, Wrapper, WrapperDesc};
use jumbo_abi::{Cx, PResource, PStr};
use std::rc::Rc;

pub struct Glob;

pub const WRAPPER: WrapperDesc = WrapperDesc { scheme: "glob", make: || Rc::new(Glob) };

impl Wrapper for Glob {
    fn label(&self) -> &'static str {
        "glob"
    }
    fn open(&self, _cx: &mut Cx, _path: &[u8], _mode: &[u8], _options: &OpenOptions) -> Tried<Opened> {
        Ok(Err(Failure::message("wrapper does not support stream open")))
    }
    fn open_folder(&self, cx: &mut Cx, path: &[u8], _context: Option<&PResource>) -> Tried<Rc<dyn Stream>> {
        let pattern = path.get(b"glob://".len()..).unwrap_or_default();
        let found = crate::dir::paths(cx, pattern, 0)?;
        let mut names = Vec::new();
        for name in found {
            // Entries that open_basedir hides are passed over.
            if jumbo_abi::stream::allowed(cx, &name, true)? {
                names.push(PStr::new(crate::path::base(&name)));
            }
        }
        Ok(Ok(Rc::new(Folder::of(names)) as Rc<dyn Stream>))
    }
}
