//! What visitors and operators are told when something fails.

use super::signals::Folder;
use crate::attack::Wrong;
use crate::attack::client;
use crate::attack::server::{Start, wait_for};
use std::path::Path;
use std::process::{Command, Stdio};

/// An uncaught exception in production: a page with a number that the error log has too, and the fields of the script.
pub fn error_page(binary: &Path) -> Result<(), Wrong> {
    let folder = Folder::new("errors")?;
    folder.write("thrown.php", "<?php header('X-Kept: yes'); header('Content-Type: application/json'); throw new Exception('secret');")?;
    let log = format!("error_log={}", folder.0.join("error.log").display());
    let server = Start::new(binary).root(&folder.0).options(&["-d", &log]).start()?;
    let answer = client::request(server.address, "GET", "/thrown.php?a=b")?;
    let body = String::from_utf8_lossy(&answer.body).into_owned();
    let number = body.split("under the number ").nth(1).and_then(|rest| rest.split('.').next());
    let number = number.ok_or_else(|| format!("the page has no number\n{}", answer.shown()))?;
    let is_page = answer.status == 500
        && answer.header("X-Kept") == Some("yes")
        && answer.header("Content-Type") == Some("text/html; charset=utf-8")
        && !body.contains("secret");
    if !is_page {
        return Err(format!("this is no such page\n{}", answer.shown()));
    }
    let line = format!("error page {number} for GET /thrown.php?a=b: Uncaught Exception: secret");
    wait_for("the number in the error log", || folder.read("error.log").contains(&line).then_some(()))
}

/// `--access-log -`: lines on standard output.
pub fn access_log_stdout(binary: &Path) -> Result<(), Wrong> {
    let folder = Folder::new("stdout")?;
    let before = format!("exec >'{}'", folder.0.join("out").display());
    let server = Start::new(binary).before(&before).options(&["--access-log", "-"]).start()?;
    client::get(server.address, "/site/alive.txt?seen")?;
    wait_for("a line on standard output", || folder.read("out").contains("GET /site/alive.txt?seen HTTP/1.1\" 200").then_some(()))
}

/// Settings that cannot be: the server says what is wrong with which, and does not start.
pub fn refused_starts(binary: &Path) -> Result<(), Wrong> {
    let file = crate::attack::folder().join("site/alive.php");
    let cases: &[(&[&str], &str)] = &[
        (&[&file.to_string_lossy()], "alive.php is a file"),
        (&["/nowhere"], "document root /nowhere: No such file"),
        (&["--header-fields-max", "33000"], "header_fields_max is 33000"),
        (&["--access-log", "/nowhere/log"], "access log /nowhere/log"),
        (&["--handed-over"], "--handed-over is for the server itself alone"),
    ];
    for (options, expected) in cases {
        let mut command = Command::new("timeout");
        command.arg("30").arg(binary).args(["serve", "-n", "--listen", "127.0.0.1:0"]).args(*options).stdin(Stdio::null());
        let output = command.output().map_err(|e| format!("cannot run it: {e}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(1) || !said.contains(expected) {
            return Err(format!("with {options:?} it ends with {} and says {said:?}, not {expected:?}", output.status));
        }
    }
    Ok(())
}
