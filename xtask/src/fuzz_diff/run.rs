//! Runs many programs in one process of each engine.
//!
//! A driver, the same for both, forks once for each program; the child includes the program at file scope, with no variable, object or
//! class of the driver's around. So programs cannot see each other, object numbers begin at 1, and starting an engine is paid once for a
//! batch. Between programs the driver prints a mark with the way the child ended.

use super::Failure;
use crate::engine::{Engine, Sapi};
use crate::process::{self, Stderr};
use crate::test::SETTINGS;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A program that runs longer is not compared: within a batch, where it costs others' time, and alone.
const ALARM_S: u32 = 1;
const ALARM_ALONE_S: u32 = 3;
/// What stock PHP runs with: the extensions whose functions programs call. All that are installed make a fork four times dearer.
const STOCK_EXTENSIONS: &[&str] = &["ctype", "mbstring", "bcmath", "calendar"];
const SIGALRM: i32 = 14;
/// Of one batch; far above what it takes.
const WALL_MAX: Duration = Duration::from_secs(600);
const MARK: &[u8] = b"\n\x01\x02";

/// What a program did under one engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    pub output: Vec<u8>,
    /// The exit code, or minus the signal.
    pub status: i32,
}

impl Ending {
    pub fn timed_out(&self) -> bool {
        self.status == -SIGALRM
    }
}

/// What a program did under both engines; `None` when the batch broke before it.
pub struct Pair {
    pub stock: Option<Ending>,
    pub jumbo: Option<Ending>,
}

impl Pair {
    /// Programs that take too long under stock PHP are not judged.
    pub fn differs(&self) -> bool {
        match (&self.stock, &self.jumbo) {
            (Some(stock), jumbo) => !stock.timed_out() && jumbo.as_ref() != Some(stock),
            (None, _) => false,
        }
    }
}

#[derive(Clone)]
pub struct Runner {
    stock: Engine,
    jumbo: Engine,
    /// Private to one thread.
    folder: PathBuf,
}

impl Runner {
    pub fn new(stock: &Engine, jumbo: &Engine, folder: &Path) -> Result<Runner, Failure> {
        fs::create_dir_all(folder).map_err(|e| Failure::io(folder, &e))?;
        Ok(Runner { stock: stock.clone(), jumbo: jumbo.clone(), folder: folder.to_path_buf() })
    }

    /// Runs each of `programs` under both engines.
    pub fn pairs(&self, programs: &[String]) -> Result<Vec<Pair>, Failure> {
        for (number, program) in programs.iter().enumerate() {
            self.write(&format!("p{number}.php"), program)?;
        }
        let seconds = if programs.len() == 1 { ALARM_ALONE_S } else { ALARM_S };
        self.write("driver.php", &driver(programs.len(), seconds, &[]))?;
        let stock = self.endings(&self.stock, programs.len(), Stderr::Null)?;
        // What is not compared need not be run.
        let skip: Vec<usize> =
            (0..stock.len()).filter(|&n| stock[n].as_ref().is_some_and(Ending::timed_out)).collect();
        self.write("driver.php", &driver(programs.len(), seconds, &skip))?;
        let jumbo = self.endings(&self.jumbo, programs.len(), Stderr::Null)?;
        Ok(stock.into_iter().zip(jumbo).map(|(stock, jumbo)| Pair { stock, jumbo }).collect())
    }

    /// Runs one program alone.
    pub fn pair(&self, program: &str) -> Result<Pair, Failure> {
        let mut pairs = self.pairs(&[program.to_owned()])?;
        pairs.pop().ok_or_else(|| Failure::new("a batch of one has no result"))
    }

    /// What Jumbo prints with its standard error, where a panic leaves its words.
    pub fn jumbo_with_stderr(&self, program: &str) -> Result<Option<Ending>, Failure> {
        self.write("p0.php", program)?;
        self.write("driver.php", &driver(1, ALARM_ALONE_S, &[]))?;
        Ok(self.endings(&self.jumbo, 1, Stderr::Merged)?.pop().flatten())
    }

    /// What one engine prints for a PHP program that is run directly.
    pub fn output(&self, stock: bool, program: &str) -> Result<Vec<u8>, Failure> {
        self.write("asked.php", program)?;
        let engine = if stock { &self.stock } else { &self.jumbo };
        self.start(engine, "asked.php", Stderr::Null)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.folder.join(name);
        fs::write(&path, text).map_err(|e| Failure::io(&path, &e))
    }

    fn start(&self, engine: &Engine, script: &str, stderr: Stderr) -> Result<Vec<u8>, Failure> {
        let mut args: Vec<OsString> = Vec::new();
        if engine.is_stock() {
            args.push("-n".into());
            args.extend(STOCK_EXTENSIONS.iter().flat_map(|name| ["-d".into(), format!("extension={name}").into()]));
        }
        for setting in SETTINGS {
            args.extend(["-d".into(), setting.into()]);
        }
        args.push(script.into());
        let mut job = engine.job(Sapi::Cli, args, &self.folder);
        job.wall_max = WALL_MAX;
        job.stderr = stderr;
        let outcome = job.run().map_err(|e| Failure::new(format!("cannot run {}: {e}", engine.name())))?;
        if matches!(outcome.exit, process::Exit::TooMuchOutput) {
            // Alone, each of the programs but one will do.
            return Ok(Vec::new());
        }
        Ok(outcome.output)
    }

    fn endings(&self, engine: &Engine, count: usize, stderr: Stderr) -> Result<Vec<Option<Ending>>, Failure> {
        let output = self.start(engine, "driver.php", stderr)?;
        let mut endings = Vec::with_capacity(count);
        let mut rest = output.as_slice();
        while endings.len() < count {
            let Some(at) = rest.windows(MARK.len()).position(|window| window == MARK) else { break };
            let after = &rest[at + MARK.len()..];
            let line_end = after.iter().position(|&b| b == b'\n').unwrap_or(after.len());
            let status = std::str::from_utf8(&after[..line_end]).ok().and_then(|text| text.parse().ok());
            let Some(status) = status else { break };
            endings.push(Some(Ending { output: rest[..at].to_vec(), status }));
            rest = after.get(line_end + 1..).unwrap_or_default();
        }
        endings.resize(count, None);
        Ok(endings)
    }
}

/// `skip`: programs that are not run.
fn driver(count: usize, seconds: u32, skip: &[usize]) -> String {
    format!(
        r#"<?php
function fuzz_diff_fork(): int {{
    for ($i = 0; $i < {count}; $i++) {{
        if (in_array($i, {skip:?})) {{
            echo "\n\x01\x02-14\n";
            continue;
        }}
        $child = pcntl_fork();
        if ($child === 0) {{
            pcntl_alarm({seconds});
            return $i;
        }}
        pcntl_waitpid($child, $status);
        echo "\n\x01\x02", pcntl_wifsignaled($status) ? -pcntl_wtermsig($status) : pcntl_wexitstatus($status), "\n";
    }}
    exit;
}}
include __DIR__ . '/p' . fuzz_diff_fork() . '.php';
"#
    )
}
