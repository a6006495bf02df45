//! Where the servers under test live: the system itself, or a Debian in a chroot that `jumbo bench setup` has made.
//!
//! Everything under test sees the same paths, [`WORK`] above all: so pages that show paths are equal between engines, and each engine can have a
//! copy of a site of its own (a wiki writes) at the same place, by a mount namespace of its own. Paths as the servers see them are called
//! *inside* here, paths of the machine *host*.
//!
//! Started processes end with this one: they are told to by the kernel (`setpriv --pdeathsig`), and by [`Server`](crate::engines::Server)'s drop.
//! Nothing of the machine is changed outside of the chroot, [`WORK`], and the namespaces of the processes.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of everything that is made for benchmarks, as the servers see it.
pub const WORK: &str = "/srv/jumbo-bench";

/// Where `jumbo bench setup` puts its chroot, unless it is told otherwise.
pub const CHROOT: &str = "/opt/jumbo-bench";

/// What is seen at a path inside.
#[derive(Debug, Clone)]
pub struct Mount {
    pub host: PathBuf,
    pub inside: PathBuf,
}

#[derive(Debug, Clone)]
pub struct Place {
    /// The chroot; None: the system.
    root: Option<PathBuf>,
    is_superuser: bool,
}

const SEARCH: &[&str] = &["usr/local/sbin", "usr/local/bin", "usr/sbin", "usr/bin", "sbin", "bin"];

/// Makes the mounts in a namespace of its own, then becomes the program.
const ENTER: &str = r#"set -e
root=$1; shift
while [ "$1" != -- ]; do mount --bind "$1" "$root$2"; shift 2; done
shift
if [ -n "$root" ]; then exec chroot "$root" "$@"; else cd /; exec "$@"; fi"#;

impl Place {
    /// The chroot that is named; else the usual one, when it is there; else the system.
    pub fn find(root: Option<&Path>) -> Result<Place, String> {
        let root = match root {
            Some(root) if root == Path::new("/") => None,
            Some(root) if root.join("usr/bin").is_dir() => Some(root.to_path_buf()),
            Some(root) => return Err(format!("{}: no system there; `jumbo bench setup --root {0}` makes one", root.display())),
            None => Some(PathBuf::from(CHROOT)).filter(|root| root.join("usr/bin").is_dir()),
        };
        let place = Place { root, is_superuser: rustix::process::geteuid().is_root() };
        if place.root.is_some() && !place.is_superuser {
            return Err("the servers live in a chroot: run as root, or with `--root /` to use what the system has".into());
        }
        Ok(place)
    }

    pub fn is_superuser(&self) -> bool {
        self.is_superuser
    }

    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The folder of benchmarks inside: without root's rights it cannot be in /srv.
    pub fn work(&self) -> PathBuf {
        if self.is_superuser {
            return PathBuf::from(WORK);
        }
        std::env::var_os("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")))
            .unwrap_or_else(std::env::temp_dir)
            .join("jumbo-bench")
    }

    /// Keeps a second session out of the folders, sockets and cores of this one, as long as the file lives.
    pub fn lock(&self) -> Result<fs::File, String> {
        let path = self.host(self.work()).join("lock");
        make_folder(path.parent().unwrap_or(&path))?;
        let file = fs::File::create(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        file.try_lock().map_err(|_| format!("another jumbo bench is at work here ({})", path.display()))?;
        Ok(file)
    }

    /// A path inside, as the machine sees it.
    pub fn host(&self, inside: impl AsRef<Path>) -> PathBuf {
        let inside = inside.as_ref();
        self.root.as_ref().map_or_else(|| inside.to_path_buf(), |root| root.join(inside.strip_prefix("/").unwrap_or(inside)))
    }

    /// A program inside.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        if name.starts_with('/') {
            return self.host(name).is_file().then(|| PathBuf::from(name));
        }
        SEARCH.iter().map(|folder| Path::new("/").join(folder).join(name)).find(|path| self.host(path).is_file())
    }

    /// The command for a program inside that sees `mounts`; the points where they are mounted are made.
    pub fn command(&self, mounts: &[Mount], program: &str, arguments: &[String]) -> Result<Command, String> {
        let mut line: Vec<String> = Vec::new();
        // Not on all systems, and a convenience only.
        if Path::new("/usr/bin/setpriv").exists() {
            line.extend(["setpriv", "--pdeathsig", "TERM", "--"].map(str::to_owned));
        }
        if self.root.is_some() || !mounts.is_empty() {
            if !self.is_superuser {
                return Err("a copy of the site for each server needs mount namespaces: run as root".into());
            }
            let root = self.root.as_ref().map(|root| root.display().to_string()).unwrap_or_default();
            line.extend(["unshare", "-m", "sh", "-c", ENTER, "sh"].map(str::to_owned));
            line.push(root.clone());
            if !root.is_empty() {
                for system in ["/proc", "/dev"] {
                    line.extend([system.to_owned(), system.to_owned()]);
                }
            }
            for mount in mounts {
                self.make_mount_point(mount)?;
                line.extend([mount.host.display().to_string(), mount.inside.display().to_string()]);
            }
            line.push("--".into());
        }
        line.push(program.to_owned());
        line.extend(arguments.iter().cloned());
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).env_clear().stdin(Stdio::null());
        // One locale, time zone and search path for all.
        for (name, value) in [("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"), ("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("HOME", "/root")] {
            command.env(name, value);
        }
        Ok(command)
    }

    fn make_mount_point(&self, mount: &Mount) -> Result<(), String> {
        let point = self.host(&mount.inside);
        if point.exists() {
            return Ok(());
        }
        if mount.host.is_dir() {
            return make_folder(&point);
        }
        make_folder(point.parent().unwrap_or(&point))?;
        fs::write(&point, "").map_err(|e| format!("{}: {e}", point.display()))
    }

    /// Runs a program inside to its end; its output.
    pub fn run(&self, mounts: &[Mount], program: &str, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        let mut command = self.command(mounts, program, &arguments)?;
        command.env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("{program}: {e}"))?;
        let writer = child.stdin.take().map(|mut stdin| {
            let input = input.to_vec();
            // A program that does not read all its input has its reasons.
            std::thread::spawn(move || drop(stdin.write_all(&input)))
        });
        let output = child.wait_with_output().map_err(|e| format!("{program}: {e}"))?;
        if let Some(writer) = writer {
            let _ = writer.join();
        }
        if output.status.success() {
            return Ok(output.stdout);
        }
        let mut said = output.stderr;
        said.extend_from_slice(&output.stdout);
        let head: String = String::from_utf8_lossy(&said).chars().take(300).collect();
        Err(format!("{program}: {}: {head} … {}", output.status, tail(&said, 300)))
    }
}

/// The end of a program's output, for a message.
pub fn tail(text: &[u8], characters_max: usize) -> String {
    let text = String::from_utf8_lossy(text);
    let text = text.trim_end();
    let skip = text.chars().count().saturating_sub(characters_max);
    text.chars().skip(skip).collect()
}

pub fn make_folder(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|e| format!("{}: {e}", path.display()))
}

pub fn write_file(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    make_folder(path.parent().unwrap_or(path))?;
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

/// Copies a folder with owners, links and times.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    remove_folder(to)?;
    make_folder(to.parent().unwrap_or(to))?;
    let output = Command::new("cp").arg("-a").arg(from).arg(to).output().map_err(|e| format!("cp: {e}"))?;
    if output.status.success() { Ok(()) } else { Err(format!("cp: {}", tail(&output.stderr, 300))) }
}

pub fn remove_folder(path: &Path) -> Result<(), String> {
    match fs::remove_dir_all(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(format!("{}: {e}", path.display())),
        _ => Ok(()),
    }
}
