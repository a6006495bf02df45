//! A file system that answers or does not, as wished: a FUSE server (`/dev/fuse`, include/uapi/linux/fuse.h) for one mount in the mount
//! namespace of a server under attack. Its root has whatever name is asked for: folders if the name
//! begins with `d`, large files if it begins with `big`, else files; there is nothing whose
//! name begins with `php`, and what is made under such a name is the one file that can be written and read.

use super::Wrong;
use super::server::{Server, Start};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What every file has.
pub const CONTENT: &str = "<?php return 'from afar';";

/// A large file has so many spaces.
pub const BIG_BYTES: usize = 300 << 10;

/// Shell commands before a server that has mounts of its own.
pub const OWN_MOUNTS: &str = "exec unshare -m --propagation private \"$0\" serve \"$@\"";

const LOOKUP: u32 = 1;
const FORGET: u32 = 2;
const GETATTR: u32 = 3;
const UNLINK: u32 = 10;
const OPEN: u32 = 14;
const READ: u32 = 15;
const WRITE: u32 = 16;
const STATFS: u32 = 17;
const RELEASE: u32 = 18;
const FLUSH: u32 = 25;
const INIT: u32 = 26;
const OPENDIR: u32 = 27;
const READDIR: u32 = 28;
const RELEASEDIR: u32 = 29;
const CREATE: u32 = 35;
const INTERRUPT: u32 = 36;
const BATCH_FORGET: u32 = 42;
/// Several names of one folder may be asked for at a time.
const PARALLEL_DIROPS: u32 = 1 << 18;
const ENOENT: i32 = 2;
const ENOSYS: i32 = 38;

const ROOT: u64 = 1;
const FOLDER: u64 = 2;
const FILE: u64 = 3;
const BIG: u64 = 4;
const WRITTEN: u64 = 5;

/// Bytes of a request's head.
const HEAD_BYTES: usize = 40;

struct Request {
    opcode: u32,
    id: u64,
    node: u64,
    /// The thread that asks.
    thread: u32,
    body: Vec<u8>,
}

#[derive(Default)]
struct State {
    is_hung: bool,
    /// What was asked and not answered.
    held: Vec<Request>,
    last_thread: u32,
    /// The name of the file that was made last, while it has one, and what was written into it.
    written_name: Option<Vec<u8>>,
    written: Vec<u8>,
    unlinked: usize,
}

pub struct FileServer {
    device: Arc<File>,
    state: Arc<Mutex<State>>,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this user may mount such a file system on this machine.
pub fn is_possible() -> bool {
    let opened = File::options().read(true).write(true).open("/dev/fuse").is_ok();
    opened && Command::new("unshare").args(["-m", "true"]).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

/// A server with one executor and mounts of its own.
pub fn start(binary: &Path, options: &[&str]) -> Result<Server, Wrong> {
    Start::new(binary).before(OWN_MOUNTS).options(&["--executors", "1"]).options(options).start()
}

impl FileServer {
    /// Mounts it where `server` alone sees it.
    pub fn mount(server: &Server, at: &Path) -> Result<FileServer, Wrong> {
        let device = File::options().read(true).write(true).open("/dev/fuse").map_err(|e| format!("/dev/fuse: {e}"))?;
        fs::create_dir_all(at).map_err(|e| format!("{}: {e}", at.display()))?;
        let stdin = device.try_clone().map_err(|e| format!("/dev/fuse: {e}"))?;
        let mounted = Command::new("nsenter")
            .args(["-t", &server.id().to_string(), "-m", "mount", "-i", "-t", "fuse", "-o"])
            .args(["fd=0,rootmode=40000,user_id=0,group_id=0", "none"])
            .arg(at)
            .stdin(stdin)
            .status();
        if !mounted.is_ok_and(|status| status.success()) {
            return Err("cannot mount a FUSE file system".to_owned());
        }
        let fuse = FileServer { device: Arc::new(device), state: Arc::default() };
        let (device, state) = (fuse.device.clone(), fuse.state.clone());
        // It ends with the mount, which ends with the server under attack.
        std::thread::spawn(move || serve(&device, &state));
        Ok(fuse)
    }

    pub fn hang(&self) {
        lock(&self.state).is_hung = true;
    }

    /// Answers what has waited, and everything from now on.
    pub fn go_on(&self) {
        let held = {
            let mut state = lock(&self.state);
            state.is_hung = false;
            std::mem::take(&mut state.held)
        };
        held.iter().for_each(|request| answer(&self.device, &self.state, request));
    }

    /// How many questions wait.
    pub fn held(&self) -> usize {
        lock(&self.state).held.len()
    }

    /// Whether the file that was made last has so many bytes.
    pub fn is_written(&self, bytes: usize) -> bool {
        lock(&self.state).written.len() == bytes
    }

    /// How many files have been deleted.
    pub fn unlinked(&self) -> usize {
        lock(&self.state).unlinked
    }

    /// The name of the thread that has asked last.
    pub fn last_asker(&self) -> String {
        let thread = lock(&self.state).last_thread;
        fs::read_to_string(format!("/proc/{thread}/comm")).unwrap_or_default().trim().to_owned()
    }
}

impl Drop for FileServer {
    /// A process does not end while one of its threads waits for an answer.
    fn drop(&mut self) {
        self.go_on();
    }
}

fn serve(device: &File, state: &Mutex<State>) {
    let mut buffer = vec![0; 1 << 20];
    loop {
        let length = match (&*device).read(&mut buffer) {
            Ok(length) => length,
            // A request was withdrawn before it was read.
            Err(e) if matches!(e.raw_os_error(), Some(2 | 4 | 11)) => continue,
            Err(_) => return,
        };
        let Some(request) = parse(&buffer[..length]) else { return };
        let mut now = lock(state);
        if matches!(request.opcode, FORGET | BATCH_FORGET | INTERRUPT) {
            continue;
        }
        // The system closes files by itself, for no thread.
        if request.thread != 0 {
            now.last_thread = request.thread;
        }
        if now.is_hung {
            now.held.push(request);
            continue;
        }
        drop(now);
        answer(device, state, &request);
    }
}

fn parse(bytes: &[u8]) -> Option<Request> {
    let word = |at: usize| Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let long = |at: usize| Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    Some(Request { opcode: word(4)?, id: long(8)?, node: long(16)?, thread: word(32)?, body: bytes.get(HEAD_BYTES..)?.to_vec() })
}

fn answer(device: &File, state: &Mutex<State>, request: &Request) {
    let mut state = lock(state);
    let long = |at: usize| request.body.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_ne_bytes);
    let mut body = Vec::new();
    let mut error = 0;
    // Nothing is believed for any time: each question comes here.
    let push_entry = |body: &mut Vec<u8>, node: u64, written: usize| {
        body.extend(node.to_ne_bytes());
        body.resize(40, 0);
        push_attributes(body, node, written);
    };
    match request.opcode {
        INIT => {
            // Version, readahead, flags, queues, the longest write, the clock's grain; the rest is none.
            for word in [7u32, 31, 0, PARALLEL_DIROPS, 0, 64 << 10, 1] {
                body.extend(word.to_ne_bytes());
            }
            body.resize(64, 0);
        }
        LOOKUP => match request.body.as_slice() {
            name if Some(name) == state.written_name.as_deref() => push_entry(&mut body, WRITTEN, state.written.len()),
            [b'p', b'h', b'p', ..] => error = -ENOENT,
            [b'd', ..] => push_entry(&mut body, FOLDER, 0),
            [b'b', b'i', b'g', ..] => push_entry(&mut body, BIG, 0),
            _ => push_entry(&mut body, FILE, 0),
        },
        CREATE => {
            state.written_name = request.body.get(16..).map(<[u8]>::to_vec);
            state.written.clear();
            push_entry(&mut body, WRITTEN, 0);
            body.extend([0u64, 1].iter().flat_map(|word| word.to_ne_bytes()));
        }
        WRITE if request.node == WRITTEN => {
            let bytes = request.body.get(40..).unwrap_or_default();
            let from = usize::try_from(long(8)).unwrap_or(0);
            let end = (from + bytes.len()).max(state.written.len());
            state.written.resize(end, 0);
            state.written[from..from + bytes.len()].copy_from_slice(bytes);
            body.extend((bytes.len() as u64).to_ne_bytes());
        }
        UNLINK if request.body.starts_with(b"php") => {
            state.unlinked += 1;
            if state.written_name.as_ref() == Some(&request.body) {
                state.written_name = None;
            }
        }
        GETATTR => {
            body.resize(16, 0);
            push_attributes(&mut body, request.node, state.written.len());
        }
        // FOPEN_DIRECT_IO: nothing is kept of what is read.
        OPEN => body.extend([0u64, 1].iter().flat_map(|word| word.to_ne_bytes())),
        OPENDIR => body.resize(16, 0),
        READ => {
            let from = usize::try_from(long(8)).unwrap_or(usize::MAX);
            let wanted = request.body.get(16..20).and_then(|b| b.try_into().ok()).map_or(0, u32::from_ne_bytes) as usize;
            match request.node {
                BIG => body.resize(BIG_BYTES.saturating_sub(from).min(wanted), b' '),
                WRITTEN => body.extend(state.written.iter().skip(from).take(wanted)),
                _ => body.extend(CONTENT.as_bytes().iter().skip(from).take(wanted)),
            }
        }
        STATFS => body.resize(80, 0),
        READDIR | RELEASE | RELEASEDIR | FLUSH => {}
        _ => error = -ENOSYS,
    }
    let length = u32::try_from(16 + body.len()).unwrap_or(0);
    let mut bytes = Vec::with_capacity(16 + body.len());
    bytes.extend(length.to_ne_bytes());
    bytes.extend(error.to_ne_bytes());
    bytes.extend(request.id.to_ne_bytes());
    bytes.extend(body);
    // Who asked may be gone.
    let _ = (&*device).write(&bytes);
}

fn push_attributes(body: &mut Vec<u8>, node: u64, written: usize) {
    let is_folder = matches!(node, ROOT | FOLDER);
    let length = match node {
        BIG => BIG_BYTES,
        WRITTEN => written,
        _ if is_folder => 0,
        _ => CONTENT.len(),
    };
    for long in [node, length as u64, 0, 1, 1, 1] {
        body.extend(long.to_ne_bytes());
    }
    let mode = if is_folder { 0o040_755u32 } else { 0o100_644 };
    for word in [0, 0, 0, mode, 1, 0, 0, 0, 4096, 0] {
        body.extend(word.to_ne_bytes());
    }
}
