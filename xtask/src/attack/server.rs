//! A `jumbo serve` process under attack: its start, its log, its end.

use super::{ANSWER_WAIT_MAX, Wrong, case, client, folder};
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How a server is started.
pub struct Start {
    binary: PathBuf,
    root: PathBuf,
    options: Vec<OsString>,
    /// Shell commands before it, such as `ulimit -Sn 1024`.
    before: String,
}

impl Start {
    pub fn new(binary: &Path) -> Start {
        Start { binary: binary.to_path_buf(), root: folder(), options: Vec::new(), before: String::new() }
    }

    pub fn options<S: AsRef<std::ffi::OsStr>>(mut self, options: &[S]) -> Start {
        self.options.extend(options.iter().map(|option| option.as_ref().to_owned()));
        self
    }

    pub fn root(mut self, root: &Path) -> Start {
        self.root = root.to_path_buf();
        self
    }

    pub fn before(mut self, commands: &str) -> Start {
        self.before = format!("{commands}; ");
        self
    }

    /// The process, with its log still in its pipe.
    pub fn spawn(&self) -> Result<Child, Wrong> {
        // The shell becomes the server, so that limits set in it hold and the process is our child.
        Command::new("/bin/sh")
            .arg("-c")
            .arg(format!("{}exec \"$0\" serve \"$@\"", self.before))
            .arg(&self.binary)
            .arg(&self.root)
            .args(["--listen", "127.0.0.1:0", "-n"])
            .args(&self.options)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot start the server: {e}"))
    }

    /// Starts the server and waits until it listens.
    pub fn start(&self) -> Result<Server, Wrong> {
        let mut child = self.spawn()?;
        let log = Arc::new(Mutex::new(Vec::new()));
        if let Some(stderr) = child.stderr.take() {
            let log = log.clone();
            std::thread::spawn(move || {
                let mut lines = BufReader::new(stderr);
                let mut line = Vec::new();
                while lines.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                    log.lock().unwrap_or_else(PoisonError::into_inner).append(&mut line);
                }
            });
        }
        let mut server = Server { child: Mutex::new(child), log, address: ([127, 0, 0, 1], 0).into() };
        server.address = wait_for("the server's start", || {
            if let Some(status) = server.ended() {
                return Some(Err(format!("the server ended at its start, {status}:\n{}", server.log())));
            }
            server.addresses().last().copied().map(Ok)
        })??;
        server.forget_log();
        Ok(server)
    }
}

/// A running server; it is killed when this is dropped.
pub struct Server {
    child: Mutex<Child>,
    log: Arc<Mutex<Vec<u8>>>,
    pub address: SocketAddr,
}

impl Server {
    pub fn id(&self) -> u32 {
        self.child.lock().unwrap_or_else(PoisonError::into_inner).id()
    }

    /// What the server has said since the last case.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&self.log.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }

    pub fn forget_log(&self) {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The addresses that it has said it listens on.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.log().lines().filter_map(|line| line.strip_prefix("Jumbo serves http://")?.parse().ok()).collect()
    }

    pub fn ended(&self) -> Option<ExitStatus> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait().ok().flatten()
    }

    pub fn must_end(&self) -> Result<ExitStatus, Wrong> {
        wait_for("the server's end", || self.ended())
    }

    /// Has its first thread ended? Others may still hang in the system.
    pub fn is_zombie(&self) -> bool {
        std::fs::read_to_string(format!("/proc/{}/stat", self.id())).is_ok_and(|stat| stat.contains(") Z "))
    }

    /// It answers a file and a script, and nothing in it has panicked.
    pub fn must_be_sound(&self) -> Result<(), Wrong> {
        if let Some(status) = self.ended() {
            return Err(format!("the server has ended, {status}"));
        }
        for (target, text) in [("/site/alive.txt", "the file is here"), ("/site/alive.php", "the script runs")] {
            let body = client::get(self.address, target).map_err(|why| format!("after the attack: {why}"))?;
            if !body.contains(text) {
                return Err(format!("after the attack {target} is {body:?}"));
            }
        }
        let log = self.log();
        match log.lines().find(|line| line.contains("internal error") || line.contains("panicked at")) {
            Some(line) => Err(format!("the server has panicked: {line}")),
            None => Ok(()),
        }
    }

    pub fn signal(&self, name: &str) -> Result<(), Wrong> {
        let status = Command::new("/bin/sh").args(["-c", &format!("kill -{name} {}", self.id())]).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            _ => Err(format!("cannot send SIG{name}")),
        }
    }

    /// Waits until the log has this text.
    pub fn must_log(&self, text: &[u8]) -> Result<(), Wrong> {
        let what = format!("the log's line {:?}", String::from_utf8_lossy(text));
        wait_for(&what, || case::contains(self.log().as_bytes(), text).then_some(()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let child = self.child.get_mut().unwrap_or_else(PoisonError::into_inner);
        // It may have ended by itself.
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Asks until there is an answer.
pub fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> Result<T, Wrong> {
    let end = Instant::now() + ANSWER_WAIT_MAX;
    loop {
        if let Some(found) = ask() {
            return Ok(found);
        }
        if Instant::now() > end {
            return Err(format!("waited {} s in vain for {what}", ANSWER_WAIT_MAX.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
