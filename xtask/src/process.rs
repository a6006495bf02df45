//! Runs one child process under limits: wall time, address space, amount of output.
//!
//! Invariants: a child leads its own process group and the whole group is killed when a limit is exceeded, before the
//! child is reaped, so that the group's number cannot have been given to someone else. Output is read on a thread of
//! its own, because a child that is killed may leave a grandchild holding the pipe.
//!
//! Hazard: the closure that runs between fork and exec may only make async-signal-safe calls.

use std::ffi::{CString, OsString};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// A child that prints more than this is killed: no test prints that much, an endless loop does.
const OUTPUT_BYTES_MAX: usize = 64 << 20;

/// Where a stream of the child goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Stderr {
    /// Into the same pipe as standard output, in the order written.
    Merged,
    /// Nowhere.
    Null,
}

/// A process to run.
#[derive(Clone)]
pub struct Job {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// The whole environment: nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
    /// Working directory, as seen inside `chroot` if there is one.
    pub cwd: PathBuf,
    pub chroot: Option<PathBuf>,
    pub stdin: Vec<u8>,
    pub stdout_captured: bool,
    pub stderr: Stderr,
    pub wall_max: Duration,
    /// RLIMIT_AS in bytes; 0 means no limit.
    pub address_space_max: u64,
}

/// How a process ended.
pub struct Outcome {
    pub output: Vec<u8>,
    pub exit: Exit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
    TimedOut,
    TooMuchOutput,
}

impl std::fmt::Display for Exit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(signal) => write!(f, "signal {signal}"),
            Exit::TimedOut => write!(f, "time limit exceeded"),
            Exit::TooMuchOutput => write!(f, "more than {} MiB of output", OUTPUT_BYTES_MAX >> 20),
        }
    }
}

enum Event {
    /// The pipe is at its end, or the output limit is reached (`true`).
    Output(Vec<u8>, bool),
}

impl Job {
    /// Starts the process, feeds and reads it, and waits for its end.
    pub fn run(&self) -> io::Result<Outcome> {
        let started = Instant::now();
        let (mut reader, writer) = io::pipe()?;
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear().envs(self.env.iter().map(|(k, v)| (k, v)));
        command.process_group(0);
        // A pipe even when empty: scripts can tell it from a file.
        command.stdin(Stdio::piped());
        match self.stderr {
            Stderr::Merged => command.stderr(writer.try_clone()?),
            Stderr::Null => command.stderr(Stdio::null()),
        };
        if self.stdout_captured {
            command.stdout(writer);
        } else {
            command.stdout(Stdio::null());
            drop(writer);
        }
        self.limit(&mut command)?;
        let mut child = command.spawn()?;
        // The command holds our ends of the pipe; they must be closed for the reader to see its end.
        drop(command);

        if let Some(mut stdin) = child.stdin.take() {
            let bytes = self.stdin.clone();
            if !bytes.is_empty() {
                // A child that does not read its input closes the pipe: that is its right, and no error of the test.
                thread::spawn(move || drop(stdin.write_all(&bytes)));
            }
        }
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let mut output = Vec::new();
            let mut chunk = [0_u8; 16 << 10];
            let mut overflow = false;
            loop {
                match reader.read(&mut chunk) {
                    Ok(0) | Err(_) => break,
                    Ok(n) => output.extend_from_slice(&chunk[..n]),
                }
                if output.len() > OUTPUT_BYTES_MAX {
                    overflow = true;
                    break;
                }
            }
            // The receiver is gone only when the run was given up.
            drop(sender.send(Event::Output(output, overflow)));
        });

        let group = child.id();
        let (output, broken) = match receiver.recv_timeout(self.wall_max) {
            Ok(Event::Output(output, false)) => (output, None),
            Ok(Event::Output(output, true)) => {
                kill_group(group);
                (output, Some(Exit::TooMuchOutput))
            }
            Err(_) => {
                kill_group(group);
                let output = receiver.recv_timeout(Duration::from_secs(2)).map(|Event::Output(output, _)| output);
                (output.unwrap_or_default(), Some(Exit::TimedOut))
            }
        };
        // A child may close its output and live on: it still has the rest of its time, no more.
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if broken.is_none() && started.elapsed() > self.wall_max {
                kill_group(group);
            }
            thread::sleep(Duration::from_micros(200));
        };
        // What the child started and left behind (servers of tests) ends with it.
        kill_group(group);
        let exit = broken.unwrap_or(match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, Some(signal)) => Exit::Signal(signal),
            (None, None) => Exit::Code(-1),
        });
        Ok(Outcome { output, exit })
    }

    /// Arranges what happens between fork and exec: limits, then chroot, then the working directory.
    fn limit(&self, command: &mut Command) -> io::Result<()> {
        let root = self.chroot.as_ref().map(|root| CString::new(root.as_os_str().as_bytes())).transpose()?;
        let cwd = CString::new(self.cwd.as_os_str().as_bytes())?;
        let address_space = self.address_space_max;
        let child_setup = move || {
            let limit = |which, bytes| {
                let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
                // SAFETY: `limit` is a valid rlimit for the duration of the call.
                match unsafe { libc::setrlimit(which, &limit) } {
                    0 => Ok(()),
                    _ => Err(io::Error::last_os_error()),
                }
            };
            // Nothing that runs for ever outlives the runner, however that one ends.
            // SAFETY: prctl with this option has no memory effects.
            if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0 {
                return Err(io::Error::last_os_error());
            }
            limit(libc::RLIMIT_CORE, 0)?;
            if address_space != 0 {
                limit(libc::RLIMIT_AS, address_space)?;
            }
            if let Some(root) = &root {
                // SAFETY: `root` is a NUL-terminated string.
                if unsafe { libc::chroot(root.as_ptr()) } != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
            // SAFETY: `cwd` is a NUL-terminated string.
            match unsafe { libc::chdir(cwd.as_ptr()) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        };
        // SAFETY: the closure makes only the system calls prctl, setrlimit, chroot and chdir, all async-signal-safe, and
        // allocates nothing (`last_os_error` only reads errno).
        unsafe { command.pre_exec(child_setup) };
        Ok(())
    }
}

/// CPU time, user and system, of all children that have ended and were waited for.
pub fn children_cpu() -> Duration {
    // SAFETY: an all-zero `rusage` is a value of it, and the call fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    let of = |time: libc::timeval| Duration::from_micros(time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64);
    of(usage.ru_utime) + of(usage.ru_stime)
}

fn kill_group(group: u32) {
    let Ok(group) = libc::pid_t::try_from(group) else { return };
    // SAFETY: kill has no memory effects here; the group's leader is our child and not yet reaped, so the number is
    // still its own. A group that is gone already is no error.
    unsafe { libc::kill(-group, libc::SIGKILL) };
}

/// Gives this process a mount table of its own, so that mounts made here are seen by nobody else and end with it.
/// Must be called before threads are started. An error means: not privileged.
pub fn private_mounts() -> io::Result<()> {
    // SAFETY: unshare has no memory effects.
    if unsafe { libc::unshare(libc::CLONE_NEWNS) } != 0 {
        return Err(io::Error::last_os_error());
    }
    mount(&["--make-rprivate", "/"])
}

/// Runs mount(8); its own words become the error.
pub fn mount<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> io::Result<()> {
    let output = Command::new("mount").args(args).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
}
