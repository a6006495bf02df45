//! Which paths lead to file systems that may not answer: those whose server is another machine or another process.
//!
//! The table of mounts is read when it is first needed; a thread waits for the system to say that it has changed. Where there is no such
//! file system, asking costs one load. Where there are some, a path is followed component by component, so that links into such a file
//! system are seen and the file system itself is not asked; what was found is kept for a while.

use jumbo_value::hash::BuildBytesHasher;
use rustix::time::{ClockId, clock_gettime};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Once, PoisonError, RwLock};
use std::time::Duration;

/// A file system that may not answer, by the number of its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mount(u64);

#[cfg(test)]
impl Mount {
    pub(crate) fn of_number(number: u64) -> Mount {
        Mount(number)
    }
}

/// Types of file systems whose server is elsewhere. Everything that begins with `fuse` is one too.
const REMOTE_TYPES: &[&str] = &[
    "9p", "afs", "autofs", "beegfs", "ceph", "cifs", "coda", "gfs2", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs",
    "pvfs2", "smb3", "smbfs", "virtiofs",
];

/// What is mounted there is the system's own, as `binfmt_misc`, an `autofs` on most machines.
const SYSTEM_FOLDERS: &[&str] = &["/dev", "/proc", "/sys"];

/// By mount point. The file system of the root is none of these whatever its type: the program itself comes from there.
type Table = HashMap<PathBuf, Mount>;

static TABLE: RwLock<Option<Table>> = RwLock::new(None);
/// Even: there are no remote file systems. Odd: there are. Another number with each table.
static GENERATION: AtomicU64 = AtomicU64::new(0);
static START: Once = Once::new();

/// How long it is trusted where a path leads: somebody may replace a folder by a link into a remote file system.
const TRUST: Duration = Duration::from_secs(10);
/// Paths that a thread remembers; with one more it forgets all.
const KNOWN_MAX: usize = 4096;

#[derive(Default)]
struct Known {
    generation: u64,
    paths: HashMap<Box<[u8]>, (Duration, Option<Mount>), BuildBytesHasher>,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// Whether there are file systems that may not answer at all.
pub fn are_there_remote() -> bool {
    START.call_once(start);
    GENERATION.load(Ordering::Acquire) % 2 == 1
}

/// The file system that an absolute path leads to, if it is one that may not answer.
#[inline]
pub fn remote(path: &Path) -> Option<Mount> {
    START.call_once(start);
    let generation = GENERATION.load(Ordering::Acquire);
    if generation % 2 == 0 { None } else { look_up(path, generation) }
}

#[cold]
fn look_up(path: &Path, generation: u64) -> Option<Mount> {
    // To a few milliseconds, which is quicker.
    let now = Duration::try_from(clock_gettime(ClockId::MonotonicCoarse)).unwrap_or_default();
    let name = path.as_os_str().as_bytes();
    KNOWN.with_borrow_mut(|known| {
        if known.generation != generation || known.paths.len() >= KNOWN_MAX {
            known.paths.clear();
            known.generation = generation;
        }
        if let Some((since, found)) = known.paths.get(name)
            && now.saturating_sub(*since) < TRUST
        {
            return *found;
        }
        let found = TABLE.read().unwrap_or_else(PoisonError::into_inner).as_ref().and_then(|table| follow(table, path));
        known.paths.insert(name.into(), (now, found));
        found
    })
}

/// How many symbolic links may lie on a way, as for the system.
const LINKS_MAX: u32 = 40;

/// Goes along a path until it enters one of the mounts, without asking what is mounted there.
fn follow(table: &Table, path: &Path) -> Option<Mount> {
    let parts = |path: &Path| -> Vec<OsString> {
        path.components().filter(|c| matches!(c, Component::ParentDir | Component::Normal(_))).map(|c| c.as_os_str().to_owned()).collect()
    };
    let mut at = PathBuf::from("/");
    let mut ahead = VecDeque::from(parts(path));
    let mut links_left = LINKS_MAX;
    while let Some(part) = ahead.pop_front() {
        if part == ".." {
            at.pop();
            continue;
        }
        at.push(part);
        if let Some(mount) = table.get(&at) {
            return Some(*mount);
        }
        if let Ok(target) = std::fs::read_link(&at) {
            links_left = links_left.checked_sub(1)?;
            at.pop();
            if target.is_absolute() {
                at = PathBuf::from("/");
            }
            for part in parts(&target).into_iter().rev() {
                ahead.push_front(part);
            }
        }
    }
    None
}

fn start() {
    let Ok(mut file) = File::open("/proc/self/mountinfo") else { return };
    read(&mut file);
    // Without the thread what is mounted later counts as local.
    let _ = std::thread::Builder::new().name("mounts".into()).stack_size(256 << 10).spawn(move || watch(file));
}

fn watch(mut file: File) {
    use rustix::event::{PollFd, PollFlags, poll};
    loop {
        let mut list = [PollFd::from_borrowed_fd(file.as_fd(), PollFlags::PRI)];
        if poll(&mut list, None).is_err() {
            std::thread::sleep(Duration::from_secs(1));
        }
        read(&mut file);
    }
}

fn read(file: &mut File) {
    let mut text = Vec::new();
    if file.rewind().and_then(|()| file.read_to_end(&mut text)).is_err() {
        return;
    }
    let table = parse(&text);
    let has_any = !table.is_empty();
    let mut kept = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    if kept.as_ref() != Some(&table) {
        *kept = Some(table);
        let next = GENERATION.load(Ordering::Relaxed) + 1;
        GENERATION.store(next + u64::from((next % 2 == 1) != has_any), Ordering::Release);
    }
}

/// The remote mounts of a text as `/proc/self/mountinfo` has it (proc(5)): number, parent, device, root, mount point, options, optional
/// fields, `-`, type. What is mounted over another hides it.
fn parse(text: &[u8]) -> Table {
    let mut table = Table::new();
    for line in text.split(|b| *b == b'\n') {
        let mut fields = line.split(|b| *b == b' ');
        let (Some(device), Some(point)) = (fields.nth(2), fields.nth(1)) else { continue };
        let Some(kind) = fields.skip_while(|f| *f != b"-").nth(1) else { continue };
        let point = PathBuf::from(OsString::from_vec(unescaped(point)));
        if is_remote(kind) && point != Path::new("/") && !SYSTEM_FOLDERS.iter().any(|folder| point.starts_with(folder)) {
            table.insert(point, Mount(number_of(device)));
        } else {
            table.remove(&point);
        }
    }
    table
}

fn is_remote(kind: &[u8]) -> bool {
    // The layers of a container without privileges are on local disks, and their server is part of what runs the container.
    kind.starts_with(b"fuse") && kind != b"fuse.fuse-overlayfs" && kind != b"fusectl" || REMOTE_TYPES.iter().any(|t| t.as_bytes() == kind)
}

/// `major:minor` as one number.
fn number_of(device: &[u8]) -> u64 {
    let text = OsStr::from_bytes(device).to_string_lossy();
    let (major, minor) = text.split_once(':').unwrap_or((&text, "0"));
    major.parse::<u64>().unwrap_or(0) << 32 | minor.parse::<u64>().unwrap_or(0)
}

/// Spaces, tabs, line ends and backslashes are written as three octal digits.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, behind)) = rest.split_first() {
        let code = behind.get(..3).filter(|_| *first == b'\\').and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        out.push(code.unwrap_or(*first));
        rest = if code.is_some() { &behind[3..] } else { behind };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"\
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
28 27 0:40 / /srv/far rw,relatime shared:5 master:1 - nfs4 server:/x rw
29 27 0:41 / /srv/with\\040space rw - fuse.sshfs host: rw
30 27 0:42 / /srv/hidden rw - cifs //host/x rw
31 30 0:43 / /srv/hidden rw - tmpfs none rw
32 27 0:44 / /srv/layers rw - fuse.fuse-overlayfs none rw
";

    #[test]
    fn remote_mounts_are_found() {
        let table = parse(TEXT);
        let mut points: Vec<_> = table.keys().map(|p| p.to_string_lossy().into_owned()).collect();
        points.sort();
        assert_eq!(points, ["/srv/far", "/srv/with space"]);
        assert_eq!(table[Path::new("/srv/far")], Mount(40));
    }

    #[test]
    fn the_system_is_local() {
        assert!(parse(b"34 22 0:30 / /proc/sys/fs/binfmt_misc rw - autofs systemd-1 rw\n").is_empty());
        assert!(parse(b"1 0 0:5 / / rw - virtiofs root rw\n").is_empty());
    }

    #[test]
    fn ways_lead_there() {
        let table = parse(TEXT);
        for (path, is_there) in [
            ("/srv/far", true),
            ("/srv/far/", true),
            ("/srv/far/a/b", true),
            ("/srv/./x/..//far/a", true),
            ("/srv/farther", false),
            ("/srv", false),
            ("/srv/hidden/a", false),
            ("/srv/with space/a", true),
        ] {
            assert_eq!(follow(&table, Path::new(path)).is_some(), is_there, "{path}");
        }
    }

    #[test]
    fn links_lead_there() {
        let folder = std::env::temp_dir().join(format!("jumbo-mounts-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("d")).unwrap();
        std::os::unix::fs::symlink("/srv/far/x", folder.join("d/absolute")).unwrap();
        std::os::unix::fs::symlink("d/../d/absolute", folder.join("relative")).unwrap();
        std::os::unix::fs::symlink("circle", folder.join("circle")).unwrap();
        let table = parse(TEXT);
        assert!(follow(&table, &folder.join("d/absolute/y")).is_some());
        assert!(follow(&table, &folder.join("relative")).is_some());
        assert!(follow(&table, &folder.join("d/absolute/../y")).is_some());
        assert!(follow(&table, &folder.join("circle/y")).is_none());
        assert!(follow(&table, &folder.join("d")).is_none());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
