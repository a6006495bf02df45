//! What the last question about a name that is no plain file gave: `is_file`, `filesize` and their like ask a wrapper once for one name,
//! until something happens to plain files, as with PHP. Plain files are always looked at anew; one that is found takes the place of
//! what is kept.

use super::{FileStat, Tried, Wrapper};
use crate::Cx;
use std::rc::Rc;

const KIND: i64 = 0o170_000;
const SYMLINK: i64 = 0o120_000;

type Entry = Option<(Box<[u8]>, FileStat)>;

#[derive(Default)]
struct StatCache {
    stat: Entry,
    lstat: Entry,
}

impl StatCache {
    fn keep(&mut self, link: bool, stat: &FileStat, entry: Entry) {
        if link {
            self.lstat.clone_from(&entry);
        }
        // Without a link both questions have one answer.
        if !link || stat.mode & KIND != SYMLINK {
            self.stat = entry;
        }
    }
}

/// Something has happened to plain files, or the script wants to ask anew.
pub fn forget_stats(cx: &mut Cx) {
    *cx.state::<StatCache>() = StatCache::default();
}

/// What a wrapper says about a name, or has said. `rest` is the name as the wrapper wants it.
pub fn ask_stat(cx: &mut Cx, wrapper: &Rc<dyn Wrapper>, name: &[u8], rest: &[u8], link: bool, quiet: bool) -> Tried<FileStat> {
    if wrapper.is_plain() {
        let found = wrapper.stat(cx, rest, link, quiet)?;
        if let Ok(stat) = &found {
            cx.state::<StatCache>().keep(link, stat, None);
        }
        return Ok(found);
    }
    let kept = cx.state::<StatCache>();
    let kept = if link { &kept.lstat } else { &kept.stat };
    if let Some((_, stat)) = kept.as_ref().filter(|(of, _)| **of == *name) {
        return Ok(Ok(*stat));
    }
    let found = wrapper.stat_of_name(cx, rest, link, quiet)?;
    if let Ok(stat) = &found {
        cx.state::<StatCache>().keep(link, stat, Some((name.into(), *stat)));
    }
    Ok(found)
}
