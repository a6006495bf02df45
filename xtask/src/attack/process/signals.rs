//! Signals that operators and their tools send.

use super::stopping::{begin_slow_script, must_finish};
use crate::attack::Wrong;
use crate::attack::client;
use crate::attack::server::{Server, Start, wait_for};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// A folder of its own that goes when this is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Result<Folder, Wrong> {
        let path = std::env::temp_dir().join(format!("jumbo-attack-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(Folder(path))
    }

    pub fn write(&self, name: &str, text: &str) -> Result<PathBuf, Wrong> {
        let path = self.0.join(name);
        fs::write(&path, text).map(|()| path.clone()).map_err(|e| format!("{}: {e}", path.display()))
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // In the folder for temporary files: what cannot be removed now is removed some day.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// None of these signals ends the server: SIGHUP, SIGUSR1, SIGUSR2, SIGPIPE, also several at once.
pub fn all(binary: &Path) -> Result<(), Wrong> {
    let server = Start::new(binary).start()?;
    let process = server.id();
    for names in [&["USR1"][..], &["PIPE"], &["HUP"], &["USR2"], &["HUP", "USR1", "HUP", "USR2"]] {
        for name in names {
            server.signal(name)?;
        }
        server.must_be_sound()?;
    }
    match server.id() == process && server.ended().is_none() {
        true => Ok(()),
        false => Err("the process is another one".to_owned()),
    }
}

/// A reload: settings are read anew, what is in flight finishes with the old ones, and no connection is refused meanwhile.
pub fn reload(binary: &Path) -> Result<(), Wrong> {
    let folder = Folder::new("reload")?;
    folder.write("which.php", "<?php echo ini_get('user_agent');")?;
    fs::create_dir_all(folder.0.join("site")).map_err(|e| e.to_string())?;
    fs::copy(crate::attack::folder().join("site/slow.php"), folder.0.join("site/slow.php")).map_err(|e| e.to_string())?;
    let settings = folder.write("serve.toml", "[php]\nuser_agent = \"before\"\n")?;
    for signal in ["HUP", "USR2"] {
        folder.write("serve.toml", "[php]\nuser_agent = \"before\"\n")?;
        let server = Start::new(binary).root(&folder.0).options(&[Path::new("--config"), &settings]).start()?;
        must_say(&server, "before")?;
        folder.write("serve.toml", "[php]\nuser_agent = \"after\"\n")?;
        let in_flight = begin_slow_script(&server)?;
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let asking = scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    client::get(server.address, "/which.php").map_err(|why| format!("during the reload: {why}"))?;
                }
                Ok(())
            });
            let reloaded = server.signal(signal).and_then(|()| must_finish(in_flight)).and_then(|()| {
                wait_for("the new settings", || client::get(server.address, "/which.php").ok().filter(|said| said == "after"))
            });
            is_over.store(true, Ordering::Relaxed);
            let asked = asking.join().unwrap_or_else(|_| Err("the client panicked".to_owned()));
            reloaded.and(asked)
        })
        .map_err(|why: Wrong| format!("SIG{signal}: {why}"))?;
    }
    Ok(())
}

fn must_say(server: &Server, text: &str) -> Result<(), Wrong> {
    match client::get(server.address, "/which.php")? {
        said if said == text => Ok(()),
        said => Err(format!("it says {said:?} and not {text:?}")),
    }
}

/// Settings that are not in order are no reason to stop: the server says so and goes on.
pub fn reload_refused(binary: &Path) -> Result<(), Wrong> {
    let folder = Folder::new("refused")?;
    let settings = folder.write("serve.toml", "in_flight_max = 100\n")?;
    let server = Start::new(binary).options(&[Path::new("--config"), &settings]).start()?;
    folder.write("serve.toml", "in_flight_max = \"many\"\n")?;
    server.signal("HUP")?;
    server.must_log(b"the server goes on as it is")?;
    server.must_log(b"in-flight-max")?;
    server.must_be_sound()
}

/// SIGUSR1 after a log was renamed: lines go to a new file of the old name.
pub fn reopen_logs(binary: &Path) -> Result<(), Wrong> {
    let folder = Folder::new("logs")?;
    let log = folder.0.join("access.log");
    let server = Start::new(binary).options(&[Path::new("--access-log"), &log]).start()?;
    client::get(server.address, "/site/alive.txt?before")?;
    wait_for("a line of the log", || folder.read("access.log").contains("?before").then_some(()))?;
    fs::rename(&log, folder.0.join("access.log.1")).map_err(|e| e.to_string())?;
    server.signal("USR1")?;
    wait_for("a new file", || log.exists().then_some(()))?;
    client::get(server.address, "/site/alive.txt?after")?;
    wait_for("a line of the new log", || folder.read("access.log").contains("?after").then_some(()))?;
    match folder.read("access.log.1").contains("?before") {
        true => server.must_be_sound(),
        false => Err("the renamed log has lost its line".to_owned()),
    }
}
