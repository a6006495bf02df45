//! Scripts: `tests/attack/scripts/NAME.php`, requested once. What must come of it stands in comments `// expect: 200` (the lines
//! of [`case`](super::case)) at the beginning; comments that are no such line say why the case exists.
//!
//! `// beside: /site/alive.txt` is requested while the script runs, and must be answered with 200 before the script has
//! been: for scripts that hold an executor. Such a script ends by itself only much later, or not at all (`options: --terminate-after-ms`).

use super::case::Facts;
use super::client::{self, Client};
use super::server::Server;
use super::Wrong;
use std::time::Duration;

pub fn parse(text: &str) -> Result<Facts, Wrong> {
    let mut facts = Facts::default();
    for line in text.lines().skip(1).map_while(|line| line.strip_prefix("//")) {
        facts.take(line.trim())?;
    }
    facts.whole()
}

pub fn attack(name: &str, facts: &Facts, server: &Server) -> Result<(), Wrong> {
    let mut client = Client::connect(server.address)?;
    let query = facts.query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
    let method = facts.method.as_deref().unwrap_or("GET");
    let head = format!("{method} /{name}.php{query} HTTP/1.1\r\nHost: attack.test\r\nConnection: close\r\n\r\n");
    client.send(head.as_bytes()).map_err(|e| format!("cannot send: {e}"))?;
    for target in &facts.beside {
        // The script should have begun by then; where it has not, the case is only less sharp.
        std::thread::sleep(Duration::from_millis(200));
        client::get(server.address, target).map_err(|why| format!("beside the script: {why}"))?;
        if client.has_begun_to_answer()? {
            return Err(format!("{target} was answered after the script, not beside it"));
        }
    }
    for expected in &facts.answers {
        expected.check(&client.answer(method == "HEAD")?)?;
    }
    if facts.closed {
        client.must_be_closed()?;
    }
    facts.log.iter().try_for_each(|text| server.must_log(text))
}
