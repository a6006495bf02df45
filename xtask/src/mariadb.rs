//! `cargo xtask mariadb`: a MariaDB server of the project's own, for the tests of mysqli and pdo_mysql.
//!
//! It listens on 127.0.0.1 only, keeps everything below `.work/mariadb` (or `$JUMBO_MARIADB_DIR`) and is no service of the machine.
//! While it runs (`cargo xtask phpt` starts it for its own run when it is installed), `cargo xtask phpt` hands its address to both engines in the variables that PHP's tests read. Stock PHP in its
//! chroot reaches the port; sockets in the file system are not visible there, so no test is told of the socket.

use crate::{Failure, Verdict, repository};
use std::ffi::OsString;
use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const HELP: &str = "\
cargo xtask mariadb start     installs MariaDB if it is missing (as root, from the distribution), makes an empty database folder
                              if there is none, and starts the server ($JUMBO_MARIADB_PORT, default 33306)
cargo xtask mariadb stop      stops it
cargo xtask mariadb reset     stops it and forgets its data
cargo xtask mariadb env       prints the variables that tests read, for `eval`
";

const DEFAULT_PORT: u16 = 33306;
const START_WAIT_MAX: Duration = Duration::from_secs(60);

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    let words: Vec<_> = arguments.iter().map(|a| a.to_string_lossy()).collect();
    match words.iter().map(AsRef::as_ref).collect::<Vec<&str>>().as_slice() {
        ["start"] => start(),
        ["stop"] => stop(),
        ["reset"] => {
            stop()?;
            let folder = folder();
            match fs::remove_dir_all(&folder) {
                Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Failure::io(&folder, &e)),
                _ => Ok(Verdict::Fine),
            }
        }
        ["env"] => {
            let variables = test_environment();
            variables.iter().for_each(|(name, value)| println!("export {name}='{value}'"));
            Ok(Verdict::fine_if(!variables.is_empty()))
        }
        _ => {
            print!("{HELP}");
            Ok(Verdict::fine_if(words.first().is_some_and(|w| w == "--help")))
        }
    }
}

fn folder() -> PathBuf {
    std::env::var_os("JUMBO_MARIADB_DIR").map_or_else(|| repository().join(".work/mariadb"), PathBuf::from)
}

fn wanted_port() -> u16 {
    std::env::var("JUMBO_MARIADB_PORT").ok().and_then(|p| p.parse().ok()).unwrap_or(DEFAULT_PORT)
}

/// The port of the server that runs, if one does.
pub fn running_port() -> Option<u16> {
    let port = fs::read_to_string(folder().join("port")).ok()?.trim().parse().ok()?;
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    TcpStream::connect_timeout(&address, Duration::from_secs(2)).ok().map(|_| port)
}

/// What PHP's tests read to find the server; empty when none runs.
pub fn test_environment() -> Vec<(String, String)> {
    let Some(port) = running_port() else { return Vec::new() };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    vec![
        pair("MYSQL_TEST_HOST", "127.0.0.1"),
        pair("MYSQL_TEST_PORT", &port.to_string()),
        pair("MYSQL_TEST_USER", "root"),
        pair("MYSQL_TEST_PASSWD", ""),
        pair("MYSQL_TEST_DB", "test"),
        pair("PDO_MYSQL_TEST_DSN", &format!("mysql:host=127.0.0.1;port={port};dbname=test")),
        pair("PDO_MYSQL_TEST_HOST", "127.0.0.1"),
        pair("PDO_MYSQL_TEST_PORT", &port.to_string()),
        pair("PDO_MYSQL_TEST_DB", "test"),
        pair("PDO_MYSQL_TEST_USER", "root"),
        pair("PDO_MYSQL_TEST_PASS", ""),
    ]
}

/// A server that ends with the run that needed it.
pub struct Running(());

impl Drop for Running {
    fn drop(&mut self) {
        if let Err(failure) = stop() {
            eprintln!("mariadb: {failure:?}");
        }
    }
}

/// Starts the server when MariaDB is installed and it does not run yet; what is returned stops it.
pub fn for_a_run() -> Result<Option<Running>, Failure> {
    if running_port().is_some() || program("mariadbd").is_none() {
        return Ok(None);
    }
    start()?;
    Ok(Some(Running(())))
}

fn program(name: &str) -> Option<PathBuf> {
    let places = ["/usr/sbin", "/usr/bin", "/usr/local/bin"].into_iter().map(|f| Path::new(f).join(name));
    places.into_iter().find(|path| path.exists())
}

fn command(program: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let fault = |e: String| Failure::new(format!("{}: {e}", program.display()));
    let output = Command::new(program)
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .output()
        .map_err(|e| fault(e.to_string()))?;
    if output.status.success() { Ok(()) } else { Err(fault(String::from_utf8_lossy(&output.stderr).into_owned())) }
}

fn install() -> Result<PathBuf, Failure> {
    if let Some(server) = program("mariadbd") {
        return Ok(server);
    }
    let apt = program("apt-get").ok_or_else(|| Failure::new("install MariaDB's server (mariadbd) first"))?;
    // The distribution must not start it as a service.
    let policy = Path::new("/usr/sbin/policy-rc.d");
    let ours = !policy.exists();
    if ours {
        fs::write(policy, "#!/bin/sh\nexit 101\n").map_err(|e| Failure::io(policy, &e))?;
        command(Path::new("/bin/chmod"), &["+x", "/usr/sbin/policy-rc.d"])?;
    }
    command(&apt, &["update", "-qq"])?;
    let done = command(&apt, &["install", "-y", "-qq", "--no-install-recommends", "mariadb-server"]);
    if ours {
        fs::remove_file(policy).map_err(|e| Failure::io(policy, &e))?;
    }
    done?;
    program("mariadbd").ok_or_else(|| Failure::new("MariaDB was installed, but there is no mariadbd"))
}

fn start() -> Result<Verdict, Failure> {
    if let Some(port) = running_port() {
        println!("MariaDB runs on port {port}");
        return Ok(Verdict::Fine);
    }
    let server = install()?;
    let folder = folder();
    let data = folder.join("data");
    fs::create_dir_all(&folder).map_err(|e| Failure::io(&folder, &e))?;
    // As root it must be said that root is meant: the folder is the project's, whoever that is.
    let user = format!("--user={}", std::env::var("USER").unwrap_or_else(|_| "root".to_owned()));
    let data_argument = format!("--datadir={}", data.display());
    if !data.join("mysql").exists() {
        let make = program("mariadb-install-db").ok_or_else(|| Failure::new("there is no mariadb-install-db"))?;
        command(&make, &["--no-defaults", &user, &data_argument, "--auth-root-authentication-method=normal"])?;
    }
    let port = wanted_port();
    let log_path = folder.join("log");
    let log = fs::File::create(&log_path).map_err(|e| Failure::io(&log_path, &e))?;
    let log_too = log.try_clone().map_err(|e| Failure::io(&log_path, &e))?;
    Command::new(&server)
        .args(["--no-defaults", &user, &data_argument, "--bind-address=127.0.0.1", "--local-infile=1"])
        .args(["--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M", "--performance-schema=OFF"])
        .args([format!("--port={port}"), format!("--socket={}", folder.join("socket").display())])
        .arg(format!("--pid-file={}", folder.join("pid").display()))
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(log_too)
        // Ctrl-C in the terminal is not meant for it.
        .process_group(0)
        .spawn()
        .map_err(|e| Failure::io(&server, &e))?;
    let port_file = folder.join("port");
    fs::write(&port_file, port.to_string()).map_err(|e| Failure::io(&port_file, &e))?;
    let started = Instant::now();
    while started.elapsed() < START_WAIT_MAX {
        if running_port().is_some() {
            println!("MariaDB runs on port {port}, socket {}", folder.join("socket").display());
            return Ok(Verdict::Fine);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Err(Failure::new(format!("MariaDB does not answer on port {port}: see {}", log_path.display())))
}

fn stop() -> Result<Verdict, Failure> {
    if running_port().is_none() {
        return Ok(Verdict::Fine);
    }
    let admin = program("mariadb-admin").ok_or_else(|| Failure::new("there is no mariadb-admin"))?;
    let socket = format!("--socket={}", folder().join("socket").display());
    command(&admin, &["--no-defaults", "--user=root", &socket, "shutdown"])?;
    Ok(Verdict::Fine)
}
