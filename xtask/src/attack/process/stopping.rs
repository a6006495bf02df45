//! How the server stops.

use super::signals::Folder;
use crate::attack::Wrong;
use crate::attack::client::Client;
use crate::attack::server::{Server, Start, wait_for};
use std::path::Path;

/// A connection on which a script of some seconds is being answered, as soon as that script has begun.
pub fn begin_slow_script(server: &Server) -> Result<Client, Wrong> {
    let mut client = Client::connect(server.address)?;
    client.send(b"GET /site/slow.php HTTP/1.1\r\nHost: attack.test\r\n\r\n").map_err(|e| e.to_string())?;
    wait_for("the script's beginning", || client.has_begun_to_answer().ok().filter(|begun| *begun))?;
    Ok(client)
}

pub fn must_finish(mut client: Client) -> Result<(), Wrong> {
    let answer = client.answer(false)?;
    match answer.body.ends_with(b"finished\n") {
        true => Ok(()),
        false => Err(format!("the script in flight was cut off\n{}", answer.shown())),
    }
}

/// SIGTERM lets a script in flight finish; the process ends with status 0.
pub fn sigterm(binary: &Path) -> Result<(), Wrong> {
    let server = Start::new(binary).start()?;
    let client = begin_slow_script(&server)?;
    server.signal("TERM")?;
    must_finish(client)?;
    match server.must_end()? {
        status if status.success() => Ok(()),
        status => Err(format!("it ended with {status}")),
    }
}

/// A script that holds its executor for longer than anybody waits: the process ends all the same.
pub fn stop_held(binary: &Path) -> Result<(), Wrong> {
    let folder = Folder::new("held")?;
    folder.write("held.php", "<?php file_put_contents(__DIR__ . '/begun', ''); password_hash('x', PASSWORD_BCRYPT, ['cost' => 31]);")?;
    let server = Start::new(binary).root(&folder.0).options(&["--stop-timeout-ms", "300"]).start()?;
    let mut client = Client::connect(server.address)?;
    client.send(b"GET /held.php HTTP/1.1\r\nHost: attack.test\r\n\r\n").map_err(|e| e.to_string())?;
    wait_for("the script's beginning", || folder.0.join("begun").exists().then_some(()))?;
    server.signal("TERM")?;
    let status = server.must_end()?;
    // Where the builtin can be ended, the stop succeeds.
    if !status.success() {
        server.must_log(b"a script holds an executor")?;
    }
    Ok(())
}
