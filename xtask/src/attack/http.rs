//! Raw requests: `tests/attack/http/NAME.http`.
//!
//! A line `> text` is sent with CRLF behind it, `>> text` as it is; both know the escapes of [`case`](super::case). `repeat N: text` sends
//! the text N times as lines, with `%` replaced by the number; `pause` waits for a moment, so that what follows comes in another
//! packet. `#` begins a comment. Everything is sent at once, on one connection, then the answers are read.

use super::Wrong;
use super::case::{Facts, unescape};
use super::client::Client;
use super::server::Server;
use std::time::Duration;

pub struct RawCase {
    pub facts: Facts,
    pieces: Vec<Vec<u8>>,
}

pub fn parse(text: &str) -> Result<RawCase, Wrong> {
    let mut case = RawCase { facts: Facts::default(), pieces: vec![Vec::new()] };
    for (number, line) in text.lines().enumerate() {
        case.line(line).map_err(|why| format!("line {}: {why}", number + 1))?;
    }
    case.facts = case.facts.whole()?;
    Ok(case)
}

impl RawCase {
    fn line(&mut self, line: &str) -> Result<(), Wrong> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if line == "pause" {
            self.pieces.push(Vec::new());
        } else if let Some(bytes) = line.strip_prefix(">>") {
            let bytes = unescape(bytes.strip_prefix(' ').unwrap_or(bytes))?;
            self.send(&bytes);
        } else if let Some(text) = line.strip_prefix('>') {
            let bytes = unescape(text.strip_prefix(' ').unwrap_or(text))?;
            self.send(&bytes);
            self.send(b"\r\n");
        } else if let Some((count, text)) = line.strip_prefix("repeat ").and_then(|rest| rest.split_once(": ")) {
            let count: usize = count.parse().map_err(|_| format!("{count:?} is no count"))?;
            for n in 0..count {
                let bytes = unescape(&text.replace('%', &n.to_string()))?;
                self.send(&bytes);
                self.send(b"\r\n");
            }
        } else if !self.facts.take(line)? {
            return Err(format!("{line:?} is no line of a case"));
        }
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.extend_from_slice(bytes);
        }
    }
}

pub fn attack(case: &RawCase, server: &Server) -> Result<(), Wrong> {
    let mut client = Client::connect(server.address)?;
    for (n, piece) in case.pieces.iter().enumerate() {
        if n > 0 {
            std::thread::sleep(Duration::from_millis(100));
        }
        if client.send(piece).is_err() {
            // Refused before its end: the answer says why.
            break;
        }
    }
    let to_head = case.pieces[0].starts_with(b"HEAD ");
    for (n, expected) in case.facts.answers.iter().enumerate() {
        let answer = client.answer(to_head && n == 0).map_err(|why| format!("answer {}: {why}", n + 1))?;
        expected.check(&answer).map_err(|why| format!("answer {}: {why}", n + 1))?;
    }
    if case.facts.closed {
        client.must_be_closed()?;
    }
    case.facts.log.iter().try_for_each(|text| server.must_log(text))
}
