//! Request bodies that never end.

use crate::attack::Wrong;
use crate::attack::client::Client;
use crate::attack::server::{Server, Start};
use std::fs;
use std::path::Path;

const REQUESTS: usize = 40;
const FIELD_BYTES: usize = 4 << 20;
/// What the server's memory may grow by while it keeps REQUESTS times FIELD_BYTES.
const GROWTH_KIB_MAX: u64 = 48 << 10;

/// Unfinished multipart fields: they are kept on disk, and are whole once they end.
pub fn body_memory(binary: &Path) -> Result<(), Wrong> {
    let server = Start::new(binary).options(&["--body-memory-bytes-max", "4M"]).start()?;
    server.must_be_sound()?;
    let before = resident_kib(&server)?;
    let start = "--b\r\nContent-Disposition: form-data; name=\"field\"\r\n\r\n";
    let end = "\r\n--b--\r\n";
    let head = format!(
        "POST /site/post.php HTTP/1.1\r\nHost: attack.test\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: {}\r\n\r\n{start}",
        start.len() + FIELD_BYTES + end.len()
    );
    let field: Vec<u8> = (0..FIELD_BYTES).map(|n| b'a' + (n % 23) as u8).collect();
    let mut clients = Vec::new();
    for _ in 0..REQUESTS {
        let mut client = Client::connect(server.address)?;
        client.send(head.as_bytes()).and_then(|()| client.send(&field)).map_err(|e| format!("cannot send: {e}"))?;
        clients.push(client);
    }
    let growth = resident_kib(&server)?.saturating_sub(before);
    if growth > GROWTH_KIB_MAX {
        return Err(format!("{REQUESTS} unfinished requests of {FIELD_BYTES} bytes have made the server grow by {growth} KiB"));
    }
    for client in clients.iter_mut().take(3) {
        client.send(end.as_bytes()).map_err(|e| format!("cannot send: {e}"))?;
        let answer = client.answer(false)?;
        if answer.status != 200 || answer.body != format!("{FIELD_BYTES} abcdefg\n").into_bytes() {
            return Err(format!("a field that was kept on disk is not whole\n{}", answer.shown()));
        }
    }
    server.must_be_sound()
}

fn resident_kib(server: &Server) -> Result<u64, Wrong> {
    let text = fs::read_to_string(format!("/proc/{}/status", server.id())).map_err(|e| format!("the server's memory: {e}"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).and_then(|rest| rest.trim().strip_suffix("kB"));
    line.and_then(|number| number.trim().parse().ok()).ok_or_else(|| "the server's memory is not told".to_owned())
}
