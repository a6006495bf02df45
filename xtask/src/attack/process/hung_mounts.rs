//! File systems that do not answer any more: scripts that use them wait and can be ended, everything else goes on.

use super::signals::Folder;
use crate::attack::Wrong;
use crate::attack::client::Client;
use crate::attack::fuse::{self, BIG_BYTES, CONTENT, FileServer, OWN_MOUNTS};
use crate::attack::server::{Server, Start, wait_for};
use crate::attack::{self, client};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
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

/// Bytes of a body that does not stay in memory.
const BODY_BYTES: usize = 300 << 10;

fn post(server: &Server, how: &str, content_type: &str, body: &[u8]) -> Result<Client, Wrong> {
    let mut client = Client::connect(server.address)?;
    let head = format!(
        "POST /site/afar.php?how={how}&path=x HTTP/1.1\r\nHost: attack.test\r\nConnection: close\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    client.send(head.as_bytes()).and_then(|()| client.send(body)).map_err(|e| format!("cannot send: {e}"))?;
    Ok(client)
}

/// Bodies and uploads are kept there: those who send them wait, and nobody else; what is left behind is deleted by other threads too.
pub fn hung_mount_bodies(binary: &Path) -> Result<(), Wrong> {
    if !is_possible("hung_mount_bodies") {
        return Ok(());
    }
    let folder = Folder::new("hung-bodies")?;
    let far = folder.0.join("far");
    let setting = format!("upload_tmp_dir={}", far.display());
    let server = fuse::start(binary, &["-d", &setting, "--in-flight-max", "3", "--stop-timeout-ms", "300"])?;
    let fuse = mounted(&server, &far)?;
    let raw = vec![b'r'; BODY_BYTES];
    let multipart = |name: &str| {
        let head = format!("--b\r\nContent-Disposition: form-data; name=\"f\"{name}\r\n\r\n");
        [head.as_bytes(), &vec![b'u'; BODY_BYTES], b"\r\n--b--\r\n"].concat()
    };
    let (upload, field) = (multipart("; filename=\"f\""), multipart(""));
    let form = "multipart/form-data; boundary=b";
    let said_of_upload = format!("\"0 {} 01d734f0\"", far.display()).replace('/', "\\/");
    let bodies = [
        ("body", "text/plain", &raw, format!("\"{BODY_BYTES} 57bc8621\"")),
        ("upload", form, &upload, said_of_upload),
        ("field", form, &field, BODY_BYTES.to_string()),
    ];
    for (number, (how, content_type, body, expected)) in bodies.iter().enumerate() {
        must_say(post(&server, how, content_type, body)?, how, expected)?;
        wait_for("the end of the temporary file", || (fuse.unlinked() > number).then_some(()))?;
        if fuse.last_asker() != "blocking" {
            return Err(format!("{how}: the file system was asked by the thread {:?}", fuse.last_asker()));
        }
    }
    for (how, content_type, body, expected) in &bodies {
        fuse.hang();
        let client = post(&server, how, content_type, body)?;
        wait_for("the file system's being asked", || (fuse.held() > 0).then_some(())).map_err(|why| format!("{how}: {why}"))?;
        must_say(post(&server, "field", "application/x-www-form-urlencoded", b"f=small")?, "a small body", "5")?;
        server.must_be_sound().map_err(|why| format!("while {how} waits: {why}"))?;
        fuse.go_on();
        must_say(client, how, expected)?;
    }
    // Kept before its script begins, and to be read when it does.
    let go = folder.0.join("go");
    let more = format!("&go={}", go.display());
    let holders = [(); 3].map(|()| begin(&server, "is_file", &folder.0.join("none"), &more));
    let client = post(&server, "body", "text/plain", &raw)?;
    let unlinked = fuse.unlinked();
    wait_for("the body in its file", || (fuse.unlinked() > unlinked || fuse.is_written(BODY_BYTES)).then_some(()))?;
    fuse.hang();
    folder.write("go", "")?;
    for holder in holders {
        must_say(holder?, "is_file", "false")?;
    }
    wait_for("the reading of the body", || (fuse.held() > 0).then_some(()))?;
    server.must_be_sound().map_err(|why| format!("while a body is read: {why}"))?;
    fuse.go_on();
    must_say(client, "body", &bodies[0].3)?;
    fuse.hang();
    // Clients that are gone.
    drop(post(&server, "upload", form, &upload)?);
    let _cut_off = post(&server, "body", "text/plain", &raw)?;
    wait_for("the file system's being asked", || (fuse.held() > 0).then_some(()))?;
    server.must_be_sound()?;
    server.signal("TERM")?;
    wait_for("the server's end", || server.is_zombie().then_some(()))?;
    fuse.go_on();
    server.must_end().map(drop)
}

/// A MySQL server for one connection: everything is fine, and `LOAD DATA` asks for the file of this name. What it got.
fn database_server(listener: &TcpListener, name: &str) -> io::Result<Vec<u8>> {
    fn packet(stream: &mut TcpStream) -> io::Result<(u8, Vec<u8>)> {
        let mut head = [0; 4];
        stream.read_exact(&mut head)?;
        let mut payload = vec![0; usize::from(head[0]) | usize::from(head[1]) << 8 | usize::from(head[2]) << 16];
        stream.read_exact(&mut payload)?;
        Ok((head[3], payload))
    }
    fn send(stream: &mut TcpStream, number: u8, payload: &[u8]) -> io::Result<()> {
        let length = u32::try_from(payload.len()).map_err(io::Error::other)?.to_le_bytes();
        stream.write_all(&[&[length[0], length[1], length[2], number], payload].concat())
    }
    const FINE: &[u8] = &[0, 0, 0, 2, 0, 0, 0];
    let (mut stream, _) = listener.accept()?;
    // Protocol, version, number of the connection, salt, capabilities (4.1, LOCAL, plugins), character set, status.
    let greeting: &[&[u8]] = &[
        b"\x0a8.0.0\0\x01\0\0\0saltsalt\0",
        &[0x8d, 0xa2, 45, 2, 0, 0x0b, 0, 21],
        &[0; 10],
        b"saltsaltsalt\0mysql_native_password\0",
    ];
    send(&mut stream, 0, &greeting.concat())?;
    let (number, _) = packet(&mut stream)?;
    send(&mut stream, number + 1, FINE)?;
    let mut got = Vec::new();
    loop {
        let (mut number, command) = packet(&mut stream)?;
        match command.first() {
            // COM_QUIT
            None | Some(1) => return Ok(got),
            Some(3) if command[1..].starts_with(b"LOAD DATA") => {
                send(&mut stream, number + 1, &[b"\xfb", name.as_bytes()].concat())?;
                loop {
                    let (behind, part) = packet(&mut stream)?;
                    number = behind;
                    if part.is_empty() {
                        break;
                    }
                    got.extend(part);
                }
                send(&mut stream, number + 1, FINE)?;
            }
            _ => send(&mut stream, number + 1, FINE)?,
        }
    }
}

/// LOAD DATA LOCAL INFILE, with the folder that it is allowed to.
pub fn hung_mount_infile(binary: &Path) -> Result<(), Wrong> {
    if !is_possible("hung_mount_infile") {
        return Ok(());
    }
    let folder = Folder::new("hung-infile")?;
    let server = fuse::start(binary, &[])?;
    let far = folder.0.join("far");
    let fuse = mounted(&server, &far)?;
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| format!("the database server: {e}"))?;
    let port = listener.local_addr().map_err(|e| e.to_string())?.port();
    let file = far.join("d").join("file");
    let name = file.display().to_string();
    fuse.hang();
    let database = std::thread::spawn(move || database_server(&listener, &name));
    let client = begin(&server, "infile", &file, &format!("&port={port}"))?;
    wait_for("the file system's being asked", || (fuse.held() > 0).then_some(()))?;
    if fuse.last_asker() != "blocking" {
        return Err(format!("the file system was asked by the thread {:?}", fuse.last_asker()));
    }
    server.must_be_sound()?;
    fuse.go_on();
    must_say(client, "infile", "\"sent\"")?;
    match database.join() {
        Ok(Ok(got)) if got == CONTENT.as_bytes() => server.must_be_sound(),
        got => Err(format!("the database server got {got:?}")),
    }
}

/// Databases there are not opened, unless the server's owner wants it.
pub fn hung_mount_sqlite(binary: &Path) -> Result<(), Wrong> {
    if !is_possible("hung_mount_sqlite") {
        return Ok(());
    }
    let folder = Folder::new("hung-sqlite")?;
    let far = folder.0.join("far");
    let server = fuse::start(binary, &[])?;
    let fuse = mounted(&server, &far)?;
    fuse.hang();
    for (how, name) in [("sqlite3", "a"), ("pdo", "b"), ("uri", "c"), ("attach", "e")] {
        let said = begin(&server, how, &far.join(name), "")?.answer(false).map_err(|why| format!("{how}: {why}"))?.body;
        let said = String::from_utf8_lossy(&said).into_owned();
        if !said.contains("is on a network or FUSE file system") || !said.contains("--sqlite-on-mounts") || fuse.held() != 0 {
            return Err(format!("{how}: the script says {said:?}"));
        }
        server.must_be_sound()?;
    }
    drop((fuse, server));
    let server = fuse::start(binary, &["--sqlite-on-mounts"])?;
    let _fuse = mounted(&server, &far)?;
    for (how, name) in [("sqlite3", "a"), ("pdo", "b")] {
        must_say(begin(&server, how, &far.join(name), "")?, how, "\"opened\"")?;
    }
    server.must_be_sound()
}
