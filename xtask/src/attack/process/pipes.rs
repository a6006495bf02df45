//! FIFOs: opening one waits for the other side, and only the script that opens it.

use super::signals::Folder;
use crate::attack::Wrong;
use crate::attack::client::Client;
use crate::attack::server::{Server, Start, wait_for};
use std::fs;
use std::path::Path;
use std::process::Command;

/// How `site/fifo.php` reads, what another process writes, and what the script says.
const READING: &[(&str, &str, &str)] = &[
    ("read", "content\n", "begun\ncontent\n"),
    ("fopen", "content\n", "begun\ncontent\n"),
    ("lines", "one\ntwo\n", "begun\none\ntwo\n"),
];

/// How it writes, what it says, and how what another process reads begins.
const WRITING: &[(&str, &str, &str)] =
    &[("write", "begun\n8\n", "written\n"), ("error_log", "begun\nlogged\n", "written\n"), ("copy", "begun\ncopied\n", "<?php\n")];

fn begin(server: &Server, how: &str, fifo: &Path) -> Result<Client, Wrong> {
    let mut client = Client::connect(server.address)?;
    let head = format!("GET /site/fifo.php?how={how}&fifo={} HTTP/1.1\r\nHost: attack.test\r\nConnection: close\r\n\r\n", fifo.display());
    client.send(head.as_bytes()).map_err(|e| format!("cannot send: {e}"))?;
    wait_for("the script's beginning", || client.has_begun_to_answer().ok().filter(|begun| *begun))?;
    Ok(client)
}

fn must_say(client: &mut Client, how: &str, expected: &str) -> Result<(), Wrong> {
    let body = client.answer(false)?.body;
    match body == expected.as_bytes() {
        true => Ok(()),
        false => Err(format!("{how}: the script says {:?} and not {expected:?}", String::from_utf8_lossy(&body))),
    }
}

/// Scripts of one executor open FIFOs in all ways while others run, and meet the other side whenever it comes.
pub fn pipes(binary: &Path) -> Result<(), Wrong> {
    let folder = Folder::new("pipes")?;
    let fifo = |name: &str| -> Result<std::path::PathBuf, Wrong> {
        let path = folder.0.join(name);
        let made = Command::new("mkfifo").arg(&path).status().map_err(|e| format!("mkfifo: {e}"))?;
        if made.success() { Ok(path) } else { Err("mkfifo failed".to_owned()) }
    };
    let server = Start::new(binary).options(&["--executors", "1"]).start()?;
    let mut waiting = Vec::new();
    for (how, ..) in READING {
        let path = fifo(how)?;
        waiting.push(begin(&server, how, &path)?);
        server.must_be_sound().map_err(|why| format!("while {how} waits: {why}"))?;
    }
    for (how, ..) in WRITING {
        let path = fifo(how)?;
        waiting.push(begin(&server, how, &path)?);
        server.must_be_sound().map_err(|why| format!("while {how} waits: {why}"))?;
    }
    let mut waiting = waiting.into_iter();
    for ((how, text, expected), client) in READING.iter().zip(&mut waiting) {
        fs::write(folder.0.join(how), text).map_err(|e| format!("cannot write for {how}: {e}"))?;
        must_say(&mut { client }, how, expected)?;
    }
    for ((how, expected, text), client) in WRITING.iter().zip(&mut waiting) {
        let read = fs::read_to_string(folder.0.join(how)).map_err(|e| format!("cannot read from {how}: {e}"))?;
        if !read.starts_with(text) {
            return Err(format!("{how} writes {read:?} and not {text:?}"));
        }
        must_say(&mut { client }, how, expected)?;
    }
    // Both sides are scripts of this executor.
    let path = fifo("both")?;
    let mut reader = begin(&server, "read", &path)?;
    let mut writer = begin(&server, "write", &path)?;
    must_say(&mut writer, "write", "begun\n8\n")?;
    must_say(&mut reader, "read", "begun\nwritten\n")?;
    // Nobody waits any more for what a client that has gone began; the next reader gets what is written.
    server.must_be_sound()
}
