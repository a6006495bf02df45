//! Nothing that a request changes is seen by the next one: a page prints all the state that PHP code can see, before and after each of
//! the programs in data/isolation/changes, which change it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

struct Server {
    child: Child,
    address: String,
}

impl Server {
    /// One executor: each request gets the instance of the one before.
    fn start(root: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_jumbo"))
            .arg("serve")
            .arg(root)
            .args(["-n", "--listen", "127.0.0.1:0", "--executors", "1", "-d", "session.save_path=/tmp"])
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("the server says where it listens");
        let address = line.trim().rsplit('/').next().unwrap_or_default().to_owned();
        // The pipe must not fill up.
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        Server { child, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("connected");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn state(&self) -> Vec<String> {
        let answer = self.get("/state.php");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        let lines: Vec<String> = body.lines().map(str::to_owned).collect();
        assert!(lines.last().is_some_and(|line| line.starts_with("sqlite:")), "the page of the state is not complete: {body}");
        lines
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which the test has seen then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn nothing_is_left_by_a_request() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/isolation");
    let server = Server::start(&root);
    let fresh = server.state();
    let mut changes: Vec<String> = std::fs::read_dir(root.join("changes"))
        .expect("the folder of changes")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .collect();
    changes.sort();
    assert!(changes.len() > 10);
    let mut left = String::new();
    for change in &changes {
        server.get(&format!("/changes/{change}"));
        let now = server.state();
        for (before, after) in fresh.iter().zip(&now) {
            if before != after {
                left += &format!("after {change}:\n  {before}\n  {after}\n");
            }
        }
        assert_eq!(fresh.len(), now.len(), "after {change}");
    }
    assert!(left.is_empty(), "{left}");
}
