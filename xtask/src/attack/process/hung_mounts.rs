//! File systems that do not answer any more: scripts that use them wait and can be ended, everything else goes on.

use super::signals::Folder;
use crate::attack::Wrong;
use crate::attack::client::Client;
use crate::attack::fuse::{self, BIG_BYTES, CONTENT, FileServer, OWN_MOUNTS};
use crate::attack::server::{Server, Start, wait_for};
use crate::attack::{self, client};
use std::fs;
use std::path::Path;

/// Threads that one file system may hold (`jumbo_abi::blocking`).
const THREADS_OF_ONE_MAX: usize = 32;

/// What `site/afar.php` does, with which name, and what it says while the file system answers. What takes a lock of a folder in the
/// kernel comes last: behind it nobody gets through to the file system.
const ACTIONS: &[(&str, &str, &str)] = &[
    ("is_file", "a", "true"),
    ("filesize", "b", "25"),
    ("is_readable", "c", "true"),
    ("open", "e", "true"),
    ("contents", "f", "\"<?php return 'from afar';\""),
    ("include", "g.php", "\"from afar\""),
    ("require_once", "h.php", "\"from afar\""),
    ("error_log", "i", "false"),
    ("session", "s", "false"),
    ("hash_file", "j", "\"d73ab952\""),
    ("scandir", "d1", "[\".\",\"..\"]"),
    ("opendir", "d2", "true"),
    ("glob", "d3", "[]"),
    ("iterator", "d4", "0"),
    ("chdir", "d5", "true"),
    ("space", "d6", "true"),
    ("chmod", "k", "false"),
    ("touch", "l", "false"),
    ("rename", "m", "true"),
    ("unlink", "n", "false"),
    ("mkdir", "o", "false"),
    ("rmdir", "d7", "false"),
    ("symlink", "p", "false"),
];

/// What it does with a file that was opened before, and what it says.
const OPENED: &[(&str, &str)] = &[("read", "\"<?php return 'from afar';\""), ("fstat", "25"), ("close", "true"), ("lock", "true"), ("leave", "\"left open\"")];

fn begin(server: &Server, how: &str, path: &Path, more: &str) -> Result<Client, Wrong> {
    let mut client = Client::connect(server.address)?;
    let head = format!("GET /site/afar.php?how={how}&path={}{more} HTTP/1.1\r\nHost: attack.test\r\nConnection: close\r\n\r\n", path.display());
    client.send(head.as_bytes()).map_err(|e| format!("cannot send: {e}"))?;
    wait_for("the script's beginning", || client.has_begun_to_answer().ok().filter(|begun| *begun)).map_err(|why| format!("{how}: {why}"))?;
    Ok(client)
}

fn must_say(mut client: Client, how: &str, expected: &str) -> Result<(), Wrong> {
    let body = client.answer(false).map_err(|why| format!("{how}: {why}"))?.body;
    let said = String::from_utf8_lossy(&body).into_owned();
    // Warnings may come before.
    match said.starts_with("begun\n") && said.ends_with(&format!("{expected}\n")) {
        true => Ok(()),
        false => Err(format!("{how}: the script says {said:?} and not {expected:?}")),
    }
}

/// Mounts a file system where the server sees it, which has then noticed that by itself.
fn mounted(server: &Server, at: &Path) -> Result<FileServer, Wrong> {
    let fuse = FileServer::mount(server, at)?;
    let mut number = 0;
    wait_for("the server's noticing of the mount", || {
        number += 1;
        let asked = begin(server, "is_file", &at.join(format!("notice{number}")), "").and_then(|client| must_say(client, "is_file", "true"));
        match asked {
            Ok(()) => (fuse.last_asker() == "blocking").then_some(Ok(())),
            Err(why) => Some(Err(why)),
        }
    })??;
    Ok(fuse)
}

fn is_possible(name: &str) -> bool {
    let is_possible = fuse::is_possible();
    if !is_possible {
        println!("      process/{name} needs root and /dev/fuse: nothing was tried");
    }
    is_possible
}

/// Everything that a script can do there waits alone, on one executor, and goes on when the file system does.
pub fn hung_mount(binary: &Path) -> Result<(), Wrong> {
    if !is_possible("hung_mount") {
        return Ok(());
    }
    let folder = Folder::new("hung")?;
    let server = fuse::start(binary, &[])?;
    let far = folder.0.join("far");
    let fuse = mounted(&server, &far)?;
    for (how, name, expected) in ACTIONS {
        must_say(begin(&server, how, &far.join(name), "")?, how, expected)?;
        if fuse.last_asker() != "blocking" {
            return Err(format!("{how}: the file system was asked by the thread {:?}", fuse.last_asker()));
        }
    }
    let go = folder.0.join("go");
    let more = format!("&go={}", go.display());
    let mut waiting = Vec::new();
    for (how, expected) in OPENED {
        waiting.push((*how, *expected, begin(&server, how, &far.join(how), &more)?));
    }
    fuse.hang();
    folder.write("go", "")?;
    // By a link of a local folder, and by way of one.
    std::os::unix::fs::symlink(&far, folder.0.join("link")).map_err(|e| format!("symlink: {e}"))?;
    waiting.push(("is_file", "true", begin(&server, "is_file", &folder.0.join("link/x"), "")?));
    server.must_be_sound().map_err(|why| format!("while files wait: {why}"))?;
    for (how, name, expected) in ACTIONS {
        waiting.push((*how, *expected, begin(&server, how, &far.join(name).with_extension("php"), "")?));
        server.must_be_sound().map_err(|why| format!("while {how} waits: {why}"))?;
    }
    if fuse.held() == 0 {
        return Err("nobody waits for the file system".to_owned());
    }
    fuse.go_on();
    for (how, expected, client) in waiting {
        // The compiled file is trusted for a while, so it is not asked for at all.
        must_say(client, how, expected)?;
    }
    server.must_be_sound()
}

/// Requests end while their threads hang, by the time limit and with the server; what the threads bring later is thrown away.
pub fn hung_mount_ended(binary: &Path) -> Result<(), Wrong> {
    if !is_possible("hung_mount_ended") {
        return Ok(());
    }
    let folder = Folder::new("hung-ended")?;
    let server = fuse::start(binary, &["--terminate-after-ms", "1000"])?;
    let far = folder.0.join("far");
    let fuse = mounted(&server, &far)?;
    fuse.hang();
    for (how, name) in [("is_file", "a"), ("contents", "b"), ("include", "c.php"), ("scandir", "d1")] {
        let mut client = begin(&server, how, &far.join(name), "")?;
        // What the script has begun to say is cut off.
        if client.answer(false).is_ok() {
            return Err(format!("{how} was answered by a file system that does not answer"));
        }
        server.must_log(b"a request took longer than 1000 ms and was ended")?;
        server.forget_log();
    }
    server.must_be_sound()?;
    if fuse.held() == 0 {
        return Err("no thread hangs".to_owned());
    }
    fuse.go_on();
    must_say(begin(&server, "contents", &far.join("again"), "")?, "contents", &format!("\"{CONTENT}\""))?;
    server.must_be_sound()?;
    fuse.hang();
    let _cut_off = begin(&server, "is_file", &far.join("last"), "")?;
    server.signal("TERM")?;
    // All its other threads end; the system itself keeps the one that hangs.
    wait_for("the server's end", || server.is_zombie().then_some(()))?;
    fuse.go_on();
    server.must_end().map(drop)
}

/// One file system that hangs has not all the threads: another one is served, and what waits for a thread gets one in the end.
pub fn hung_mount_threads(binary: &Path) -> Result<(), Wrong> {
    if !is_possible("hung_mount_threads") {
        return Ok(());
    }
    let folder = Folder::new("hung-threads")?;
    let server = fuse::start(binary, &["--keep-alive-timeout-ms", "60000"])?;
    let (far, other) = (folder.0.join("far"), folder.0.join("other"));
    let fuse = mounted(&server, &far)?;
    let _other = mounted(&server, &other)?;
    fuse.hang();
    let mut waiting = Vec::new();
    for number in 0..THREADS_OF_ONE_MAX + 8 {
        waiting.push(begin(&server, "is_file", &far.join(format!("x{number}")), "")?);
    }
    wait_for("all threads of the file system", || (fuse.held() == THREADS_OF_ONE_MAX).then_some(()))?;
    must_say(begin(&server, "contents", &other.join("x"), "")?, "contents", &format!("\"{CONTENT}\""))?;
    server.must_be_sound()?;
    let threads = fs::read_dir(format!("/proc/{}/task", server.id())).map_err(|e| e.to_string())?.flatten();
    let named = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
    let count = threads.map(named).filter(|name| name.trim() == "blocking").count();
    if fuse.held() != THREADS_OF_ONE_MAX || count > THREADS_OF_ONE_MAX + 2 {
        return Err(format!("{} questions wait for the file system, and there are {count} threads", fuse.held()));
    }
    fuse.go_on();
    for client in waiting {
        must_say(client, "is_file", "true")?;
    }
    server.must_be_sound()
}

/// A document root of its own with what the cases need, and in it a folder for the mount.
fn site_with_mount(name: &str) -> Result<Folder, Wrong> {
    let folder = Folder::new(name)?;
    for path in ["site", "far"] {
        fs::create_dir_all(folder.0.join(path)).map_err(|e| format!("{path}: {e}"))?;
    }
    for file in ["site/alive.txt", "site/alive.php", "site/afar.php"] {
        fs::copy(attack::folder().join(file), folder.0.join(file)).map_err(|e| format!("{file}: {e}"))?;
    }
    Ok(folder)
}

fn ask(server: &Server, target: &str) -> Result<Client, Wrong> {
    let mut client = Client::connect(server.address)?;
    let head = format!("GET {target} HTTP/1.1\r\nHost: attack.test\r\nConnection: close\r\n\r\n");
    client.send(head.as_bytes()).map_err(|e| format!("cannot send: {e}"))?;
    Ok(client)
}

/// Parts of the site are there: who wants them waits, whatever they are, and nobody else; the wait for a thread has an end, and so has
/// the server.
pub fn hung_mount_static(binary: &Path) -> Result<(), Wrong> {
    if !is_possible("hung_mount_static") {
        return Ok(());
    }
    let folder = site_with_mount("hung-static")?;
    let options = ["--executors", "1", "--queue-wait-ms-max", "300", "--stop-timeout-ms", "300", "--keep-alive-timeout-ms", "60000"];
    let server = Start::new(binary).root(&folder.0).before(OWN_MOUNTS).options(&options).start()?;
    let fuse = mounted(&server, &folder.0.join("far"))?;
    let big = " ".repeat(BIG_BYTES);
    // Small, large, scripts, an index file, a name behind a script's.
    let targets = |mark: &str| {
        [("", ".txt", CONTENT), ("big", ".txt", big.as_str()), ("x", ".php", ""), ("d", "/", ""), ("y", ".php/z", ""), ("do", "/z.txt", CONTENT)]
            .map(|(before, behind, content)| (format!("/far/{before}{mark}{behind}"), content))
    };
    for (target, content) in targets("1") {
        let said = client::get(server.address, &target)?;
        if said != content || fuse.last_asker() != "blocking" {
            return Err(format!("{target}: {} bytes, and the thread {:?} asked the file system", said.len(), fuse.last_asker()));
        }
    }
    fuse.hang();
    let mut waiting = Vec::new();
    // What was found before is remembered.
    for (target, content) in targets("2") {
        let held = fuse.held();
        waiting.push((content, ask(&server, &target)?));
        wait_for("the file system's being asked", || (fuse.held() > held).then_some(())).map_err(|why| format!("{target}: {why}"))?;
        server.must_be_sound().map_err(|why| format!("while {target} waits: {why}"))?;
    }
    fuse.go_on();
    for (content, mut client) in waiting {
        let answer = client.answer(false)?;
        if answer.status != 200 || answer.body != content.as_bytes() {
            return Err(format!("{} bytes were expected from the file system that answers again\n{}", content.len(), answer.shown()));
        }
    }
    fuse.hang();
    // Clients that go away leave their threads behind, and nothing else.
    let mut clients = Vec::new();
    for number in 0..THREADS_OF_ONE_MAX {
        clients.push(ask(&server, &format!("/far/i{number}.txt"))?);
    }
    wait_for("all threads of the file system", || (fuse.held() == THREADS_OF_ONE_MAX).then_some(()))?;
    clients.truncate(3);
    let answer = client::request(server.address, "GET", "/far/j.txt")?;
    if answer.status != 503 || answer.header("Retry-After").is_none() {
        return Err(format!("no thread is left, and the answer is\n{}", answer.shown()));
    }
    server.must_log(b"jumbo: /far/j.txt: the network or FUSE file system that this is on does not answer")?;
    server.must_be_sound()?;
    server.signal("TERM")?;
    wait_for("the server's end", || server.is_zombie().then_some(()))?;
    fuse.go_on();
    server.must_end().map(drop)
}
