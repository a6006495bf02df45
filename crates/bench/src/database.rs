//! MariaDB for the sites that need one: each server under test has its own, on a copy of the same data, so that its cost is counted apart and
//! what one site writes the other does not see.
//!
//! It listens on a unix socket alone, at the same path inside for all ([`socket`]); the folder is that of the server's mount namespace.

use crate::engines::{DATABASE, end_group};
use crate::place::{Mount, Place, make_folder, tail};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

const WAIT_MAX: Duration = Duration::from_secs(120);

/// The folder of data and socket, inside.
pub fn folder(place: &Place) -> PathBuf {
    place.work().join("db")
}

/// The socket, inside.
pub fn socket(place: &Place) -> PathBuf {
    folder(place).join("db.sock")
}

fn arguments(place: &Place) -> Vec<String> {
    let folder = folder(place);
    let folder = folder.display();
    vec![
        "--no-defaults".into(),
        "--user=root".into(),
        format!("--datadir={folder}/data"),
        format!("--socket={folder}/db.sock"),
        format!("--pid-file={folder}/db.pid"),
        "--skip-networking".into(),
        "--skip-name-resolve".into(),
        "--innodb-buffer-pool-size=256M".into(),
        "--innodb-flush-log-at-trx-commit=2".into(),
        "--max-connections=1000".into(),
        "--character-set-server=utf8mb4".into(),
        // Before version 12 the query cache is off by default; said here, because it would answer for the engines.
        "--query-cache-type=0".into(),
    ]
}

fn wait(place: &Place, host_folder: &Path, mounts: &[Mount]) -> Result<(), String> {
    let until = Instant::now() + WAIT_MAX;
    loop {
        if host_folder.join("db.sock").exists() && query(place, mounts, "SELECT 1").is_ok() {
            return Ok(());
        }
        if Instant::now() > until {
            return Err("MariaDB does not start".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Starts the database of a server. `data` is the host's folder that is mounted at [`folder`]; `spawn` starts a process of the server.
pub fn start(
    data: &Path, place: &Place, mounts: &[Mount], spawn: impl FnOnce(&'static str, &str, &[String]) -> Result<(), String>,
) -> Result<(), String> {
    let program = place.program("mariadbd").ok_or("no mariadbd here: `jumbo bench setup` installs it")?;
    let _ = std::fs::remove_file(data.join("db.sock"));
    spawn(DATABASE, &program.display().to_string(), &arguments(place))?;
    wait(place, data, mounts)
}

/// Runs SQL; what the client prints.
pub fn query(place: &Place, mounts: &[Mount], sql: &str) -> Result<Vec<u8>, String> {
    let socket = format!("--socket={}", socket(place).display());
    place.run(mounts, "mariadb", &["--no-defaults", "--user=root", &socket, "--batch", "--skip-column-names"], sql.as_bytes())
}

/// A database for the time of an installation.
pub struct Temporary {
    child: Child,
}

impl Temporary {
    /// Makes a new data folder in `host_folder` (mounted at [`folder`] by `mounts`) and serves it.
    pub fn create(place: &Place, host_folder: &Path, mounts: &[Mount]) -> Result<Temporary, String> {
        let program = place.program("mariadbd").ok_or("no mariadbd here: `jumbo bench setup` installs it")?;
        make_folder(host_folder)?;
        let data = format!("--datadir={}/data", folder(place).display());
        let install = ["--no-defaults", "--user=root", "--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve", "--force", &data];
        place.run(mounts, "mariadb-install-db", &install, b"")?;
        let log = host_folder.join("db.log");
        let file = File::create(&log).map_err(|e| e.to_string())?;
        let mut command = place.command(mounts, &program.display().to_string(), &arguments(place))?;
        command.stdout(file.try_clone().map_err(|e| e.to_string())?).stderr(file).process_group(0);
        let child = command.spawn().map_err(|e| format!("mariadbd: {e}"))?;
        let database = Temporary { child };
        wait(place, host_folder, mounts).map_err(|why| format!("{why}: {}", tail(&std::fs::read(&log).unwrap_or_default(), 500)))?;
        Ok(database)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        end_group(&mut self.child);
    }
}
