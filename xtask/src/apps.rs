//! `cargo xtask apps`: whole sites, driven through HTTP. The drivers are the python programs of tests/sites.

use crate::engine::{Engine, Sapi};
use crate::{Failure, Verdict, mariadb, oracle, repository};
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const HELP: &str = "\
cargo xtask apps [OPTIONS] [SITE...]

Drives sites through HTTP and checks every answer. SITE: guestbook (without a name, that one alone), database, dokuwiki, wordpress.

  guestbook   examples/guestbook under `jumbo serve`, checked by tests/sites/guestbook.py
  database    500 requests at once on a MariaDB server that takes 50 connections, and one that dies (tests/sites/database.py)
  dokuwiki    Debian's package under stock PHP and under Jumbo, with the same requests; answers must be equal after the
  wordpress   normalisation that tests/sites/NAME.py declares. As root, with `cargo xtask oracle install` done; the packages
              are downloaded to .work/NAME once. WordPress needs `cargo xtask mariadb start`

  --binary PATH    this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
  --profile NAME   build profile of Jumbo (default dev)
  --keep FOLDER    leave what was installed there (dokuwiki, wordpress)
  --show N         lines to show of a difference (dokuwiki, wordpress; default 20)
";

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    use lexopt::prelude::*;
    let (mut sites, mut binary, mut profile) = (Vec::new(), None, "dev".to_owned());
    let mut more: Vec<OsString> = Vec::new();
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("binary") => binary = Some(parser.value()?.into()),
            Long("profile") => profile = parser.value()?.string()?,
            Long("keep") => more.extend(["--keep".into(), parser.value()?]),
            Long("show") => more.extend(["--show".into(), parser.value()?]),
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(Verdict::Fine);
            }
            Value(site) => sites.push(site.string()?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    if sites.is_empty() {
        sites.push("guestbook".to_owned());
    }
    let engine = Engine::jumbo(binary, &profile)?;
    let binary = engine.program(Sapi::Cli);
    let mut fine = true;
    for site in sites {
        fine &= match site.as_str() {
            "guestbook" => guestbook(binary)?,
            "database" => passes(driver("database.py").arg("--binary").arg(binary))?,
            "dokuwiki" => twins("dokuwiki", binary, &more)?,
            "wordpress" => {
                let port = mariadb::running_port().ok_or_else(|| Failure::new("start a server first: cargo xtask mariadb start"))?;
                let mut more = more.clone();
                more.extend(["--database-port".into(), port.to_string().into()]);
                twins("wordpress", binary, &more)?
            }
            _ => return Err(Failure::new(HELP)),
        };
    }
    Ok(Verdict::fine_if(fine))
}

fn driver(name: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg("-B").arg(repository().join("tests/sites").join(name));
    command
}

fn passes(command: &mut Command) -> Result<bool, Failure> {
    Ok(command.status().map_err(|e| Failure::new(format!("cannot run python3: {e}")))?.success())
}

/// A site under stock PHP and under Jumbo.
fn twins(name: &str, binary: &Path, more: &[OsString]) -> Result<bool, Failure> {
    let packages = repository().join(".work").join(name);
    let mut command = driver(&format!("{name}.py"));
    command.arg("--binary").arg(binary).arg("--oracle").arg(oracle::root()).arg("--packages").arg(packages).args(more);
    passes(&mut command)
}

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It is over either way: a server that cannot be killed has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn guestbook(binary: &Path) -> Result<bool, Failure> {
    let site = repository().join("examples/guestbook/public");
    let data = fresh_folder()?;
    let child = Command::new(binary)
        .args(["serve".as_ref(), site.as_os_str(), "-n".as_ref(), "--listen".as_ref(), "127.0.0.1:0".as_ref()])
        .env("GUESTBOOK_DATA", &data)
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| Failure::io(binary, &e))?;
    let mut server = Server(child);
    // The first line names the address: the system has chosen the port.
    let mut line = String::new();
    if let Some(errors) = server.0.stderr.take() {
        let mut errors = BufReader::new(errors);
        errors.read_line(&mut line).map_err(|e| Failure::new(format!("the server says nothing: {e}")))?;
        // What it logs later is shown as it comes.
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::stderr()));
    }
    let Some(address) = line.split_whitespace().find(|word| word.starts_with("http://")) else {
        return Err(Failure::new(format!("the server does not start: {line}")));
    };
    let good = passes(driver("guestbook.py").arg(address));
    drop(server);
    fs::remove_dir_all(&data).map_err(|e| Failure::io(&data, &e))?;
    good
}

fn fresh_folder() -> Result<PathBuf, Failure> {
    let folder = std::env::temp_dir().join(format!("jumbo-guestbook-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|e| Failure::io(&folder, &e))?;
    Ok(folder)
}
