//! Clients that do not wait for their answers. What scripts see of it is php-fpm's behaviour, taken from php-fpm 8.4.

use super::signals::Folder;
use crate::attack::Wrong;
use crate::attack::client::Client;
use crate::attack::server::{Start, wait_for};
use std::path::Path;
use std::time::Duration;

/// What `site/gone.php` notes, by its query.
const EXPECTED: &[(&str, &str)] = &[
    ("how=nothing", "little 00\nend 00\nshutdown 00\n"),
    ("how=flush", "little 00\nshutdown 11\n"),
    ("how=much", "little 00\nshutdown 11\n"),
    ("how=buffer", "little 00\nbuffered 00\nshutdown 11\n"),
    ("how=flush&ignore=1", "little 00\nflushed 11\nend 11\nshutdown 11\n"),
    ("how=much&ignore=1", "little 00\nmuch 11\nend 11\nshutdown 11\n"),
];

/// A script learns of it when a write fails, which is at a flush or after 8 KiB, and `ignore_user_abort()` holds.
pub fn client_gone(binary: &Path) -> Result<(), Wrong> {
    let server = Start::new(binary).start()?;
    let folder = Folder::new("gone")?;
    for (number, (query, expected)) in EXPECTED.iter().enumerate() {
        let notes = folder.0.join(number.to_string());
        let mut client = Client::connect(server.address)?;
        let head = format!("GET /site/gone.php?{query}&notes={} HTTP/1.1\r\nHost: attack.test\r\n\r\n", notes.display());
        client.send(head.as_bytes()).map_err(|e| format!("cannot send: {e}"))?;
        wait_for("the script's beginning", || client.has_begun_to_answer().ok().filter(|begun| *begun))?;
        drop(client);
        // The server should have noticed by then.
        std::thread::sleep(Duration::from_millis(300));
        folder.write(&format!("{number}.go"), "")?;
        let said = wait_for("the script's end", || Some(folder.read(&number.to_string())).filter(|said| said.contains("shutdown")))?;
        if said != *expected {
            return Err(format!("{query}: the script notes\n{said}and not\n{expected}"));
        }
    }
    server.must_be_sound()
}
