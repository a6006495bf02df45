//! syslog(): messages to the system's log, by its socket. Prefix and facility are the instance's.

use jumbo_abi::{Cx, PStr};
use std::os::unix::net::UnixDatagram;

const SOCKET: &str = "/dev/log";
const USER: i64 = 8;
const PID: i64 = 1;
const PERROR: i64 = 32;

struct Log {
    prefix: Vec<u8>,
    flags: i64,
    facility: i64,
}

impl Default for Log {
    fn default() -> Log {
        Log { prefix: b"php".to_vec(), flags: 0, facility: USER }
    }
}

pub fn openlog(cx: &mut Cx, prefix: &PStr, flags: i64, facility: i64) -> bool {
    *cx.state::<Log>() = Log { prefix: prefix.as_bytes().to_vec(), flags, facility };
    true
}

pub fn closelog(cx: &mut Cx) -> bool {
    *cx.state::<Log>() = Log::default();
    true
}

/// Control characters as syslog.filter says: all are shown, none, or those beyond ASCII too.
fn filtered(line: &[u8], filter: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    for &b in line {
        let shown = match filter {
            b"raw" | b"all" => true,
            b"ascii" => (0x20..0x7f).contains(&b),
            // no-ctrl
            _ => b >= 0x20 && b != 0x7f,
        };
        if shown {
            out.push(b);
        } else {
            out.extend_from_slice(format!("\\x{b:02x}").as_bytes());
        }
    }
    out
}

pub fn syslog(cx: &mut Cx, priority: i64, message: &PStr) -> bool {
    let filter = cx.ini.str("syslog.filter").to_vec();
    let log = cx.state::<Log>();
    let (prefix, flags) = (log.prefix.clone(), log.flags);
    let priority = if priority & !7 == 0 { priority | log.facility } else { priority };
    let tag = if flags & PID != 0 { [prefix, format!("[{}]", std::process::id()).into_bytes()].concat() } else { prefix };
    let lines: Vec<&[u8]> = if filter == b"raw" { vec![message.as_bytes()] } else { message.as_bytes().split(|b| *b == b'\n').collect() };
    let socket = UnixDatagram::unbound().ok();
    for line in lines {
        let text = [&tag, b": ".as_slice(), &filtered(line, &filter)].concat();
        if flags & PERROR != 0 {
            use std::io::Write;
            // A closed standard error stream loses the copy.
            let _ = std::io::stderr().write_all(&[text.as_slice(), b"\n"].concat());
        }
        if let Some(socket) = &socket {
            // Nobody listens: the message is lost, as with the C library. The executor is not kept waiting.
            let _ = socket.set_nonblocking(true);
            let _ = socket.send_to(&[format!("<{}>", priority & 0x3ff).as_bytes(), &text].concat(), SOCKET);
        }
    }
    true
}
