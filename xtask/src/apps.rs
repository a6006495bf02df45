//! `cargo xtask apps`: whole sites, driven through HTTP. The drivers are the python programs of tests/sites.

use crate::engine::{Engine, Sapi};
use crate::{Failure, Verdict, mariadb, oracle, repository};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

const HELP: &str = "\
cargo xtask apps [OPTIONS] [SITE...]

Drives sites through HTTP and checks every answer; without a name all of them, with a table at the end.

  guestbook   examples/guestbook under `jumbo serve`, checked by tests/sites/guestbook.py
  database    500 requests at once on a MariaDB server that takes 50 connections, one that dies, writers of one SQLite database (tests/sites/database.py)
  dokuwiki    Debian's package under stock PHP and under Jumbo, with the same requests; answers must be equal after the
              normalisation that tests/sites/dokuwiki.py declares. The same for:
  wordpress   WordPress on MariaDB: needs `cargo xtask mariadb start`, as database does; without a name they are left out while it does not run
  symfony     an application on Symfony 6.4 with Doctrine's DBAL on SQLite (tests/sites/symfony), pages and console
  laravel     an application on Laravel 10 with Eloquent on SQLite (tests/sites/laravel), pages and console
  composer    Composer: what it prints and the files it writes, installing from local repositories
  phpunit     suites of Symfony's components and of PHPUnit: each test ends alike

All but guestbook need root and `cargo xtask oracle install`; packages are downloaded to .work/SITE once.

  --binary PATH    this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
  --profile NAME   build profile of Jumbo (default dev)
  --keep FOLDER    leave what was installed in FOLDER/SITE
  --show N         lines to show of a difference (default 20)
  --update         write the outcome into conformance/apps.md, a line for each site that ran
";

/// Sites that are compared with stock PHP, each by the program tests/sites/NAME.py.
const COMPARED: &[&str] = &["dokuwiki", "wordpress", "symfony", "laravel", "composer", "phpunit"];

/// What needs a MariaDB server of the project's own.
const WITH_DATABASE: &[&str] = &["database", "wordpress"];

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    use lexopt::prelude::*;
    let (mut sites, mut binary, mut profile) = (Vec::new(), None, "dev".to_owned());
    let (mut keep, mut more, mut update) = (None::<PathBuf>, Vec::<OsString>::new(), false);
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("binary") => binary = Some(parser.value()?.into()),
            Long("profile") => profile = parser.value()?.string()?,
            Long("keep") => keep = Some(parser.value()?.into()),
            Long("update") => update = true,
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
        let all = ["guestbook", "database"].into_iter().chain(COMPARED.iter().copied());
        sites.extend(all.filter(|site| mariadb::running_port().is_some() || !WITH_DATABASE.contains(site)).map(str::to_owned));
    }
    if sites.iter().any(|site| !matches!(site.as_str(), "guestbook" | "database") && !COMPARED.contains(&site.as_str())) {
        return Err(Failure::new(HELP));
    }
    let engine = Engine::jumbo(binary, &profile)?;
    let binary = engine.program(Sapi::Cli);
    let (mut fine, mut table, mut lines) = (true, Vec::new(), BTreeMap::new());
    for site in &sites {
        println!("== {site}");
        let started = Instant::now();
        let Outcome { good, summary, known } = match site.as_str() {
            "guestbook" => Outcome { good: guestbook(binary)?, summary: "answers are as they must be".to_owned(), known: Vec::new() },
            "database" => {
                let status = driver("database.py").arg("--binary").arg(binary).status().map_err(|e| cannot_run(&e))?;
                let summary = "requests wait for connections and for locks, and outlive a server's death".to_owned();
                Outcome { good: status.success(), summary, known: Vec::new() }
            }
            "wordpress" => {
                let port = mariadb::running_port().ok_or_else(|| Failure::new("start a server first: cargo xtask mariadb start"))?;
                let mut more = more.clone();
                more.extend(["--database-port".into(), port.to_string().into()]);
                compared(site, binary, keep.as_deref(), &more)?
            }
            _ => compared(site, binary, keep.as_deref(), &more)?,
        };
        fine &= good;
        let outcome = if good { summary.clone() } else { format!("**wrong**: {summary}") };
        lines.insert(site.clone(), format!("{outcome} | {} |", known.join("; ")));
        table.push(format!("{} {site:<10} {:>4} s  {summary}", if good { "fine " } else { "WRONG" }, started.elapsed().as_secs()));
    }
    println!("\n{}", table.join("\n"));
    if update {
        record(lines)?;
    }
    Ok(Verdict::fine_if(fine))
}

/// How the comparison of a site ended.
struct Outcome {
    good: bool,
    /// The last line that its program prints.
    summary: String,
    /// What differs for a known reason.
    known: Vec<String>,
}

const RECORD_HEAD: &str = "\
# Sites and tools under Jumbo

Whole sites, tools and test suites, unchanged, under stock PHP 8.4 and under Jumbo: the same requests and programs, answers compared byte by byte after
the normalisation that tests/sites declares. Written by `cargo xtask apps --update`, a line for each site that ran.

| site | date | commit | outcome | known differences |
|---|---|---|---|---|
";

/// Writes the lines of the sites that ran into conformance/apps.md; those of others stay.
fn record(lines: BTreeMap<String, String>) -> Result<(), Failure> {
    let path = repository().join("conformance/apps.md");
    let (date, commit) = (crate::said("date", &["-u", "+%F"])?, crate::said("git", &["log", "-1", "--format=%h"])?);
    let mut all = BTreeMap::new();
    match fs::read_to_string(&path) {
        Ok(text) => {
            for line in text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| site |")) {
                let site = line.split('|').nth(1).unwrap_or_default().trim();
                all.insert(site.to_owned(), line.to_owned());
            }
        }
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        Err(e) => return Err(Failure::io(&path, &e)),
    }
    all.extend(lines.into_iter().map(|(site, rest)| {
        let line = format!("| {site} | {date} | {commit} | {rest}");
        (site, line)
    }));
    let text = all.into_values().fold(RECORD_HEAD.to_owned(), |text, line| text + &line + "\n");
    fs::write(&path, text).map_err(|e| Failure::io(&path, &e))
}

fn driver(name: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg("-B").arg(repository().join("tests/sites").join(name));
    command
}

fn cannot_run(error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot run python3: {error}"))
}

/// Runs the comparison of a site.
fn compared(site: &str, binary: &Path, keep: Option<&Path>, more: &[OsString]) -> Result<Outcome, Failure> {
    let packages = repository().join(".work").join(site);
    let mut command = driver(&format!("{site}.py"));
    command.arg("--binary").arg(binary).arg("--oracle").arg(oracle::root()).arg("--packages").arg(packages).args(more);
    if let Some(folder) = keep {
        command.arg("--keep").arg(folder.join(site));
    }
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|e| cannot_run(&e))?;
    let (mut summary, mut known) = (String::new(), Vec::new());
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            let line = line.map_err(|e| cannot_run(&e))?;
            let text = String::from_utf8_lossy(&line);
            println!("{text}");
            if !text.trim().is_empty() {
                summary = text.trim().to_owned();
            }
            if let Some(what) = text.strip_prefix("  known: ") {
                known.push(what.to_owned());
            }
        }
    }
    Ok(Outcome { good: child.wait().map_err(|e| cannot_run(&e))?.success(), summary, known })
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
    let good = driver("guestbook.py").arg(address).status().map(|status| status.success()).map_err(|e| cannot_run(&e));
    drop(server);
    fs::remove_dir_all(&data).map_err(|e| Failure::io(&data, &e))?;
    good
}

fn fresh_folder() -> Result<PathBuf, Failure> {
    let folder = std::env::temp_dir().join(format!("jumbo-guestbook-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|e| Failure::io(&folder, &e))?;
    Ok(folder)
}
