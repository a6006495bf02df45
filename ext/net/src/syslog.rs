//! syslog(): messages to the system's log, by its socket. Prefix and facility are the instance's.

use jumbo_abi::{Cx, PStr, Res};
use jumbo_value::{OutOfMemory, PStrBuilder};
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
fn filtered(out: &mut PStrBuilder, line: &[u8], filter: &[u8]) -> Result<(), OutOfMemory> {
    for &b in line {
        let shown = match filter {
            b"raw" | b"all" => true,
            b"ascii" => (0x20..0x7f).contains(&b),
            // no-ctrl
            _ => b >= 0x20 && b != 0x7f,
        };
        if shown {
            out.push(b)?;
        } else {
            write!(out, "\\x{b:02x}")?;
        }
    }
    Ok(())
}

pub fn syslog(cx: &mut Cx, priority: i64, message: &PStr) -> Res<bool> {
    let filter = cx.ini.str("syslog.filter").to_vec();
    let log = cx.state::<Log>();
    let (prefix, flags) = (log.prefix.clone(), log.flags);
    let priority = if priority & !7 == 0 { priority | log.facility } else { priority };
    let tag = if flags & PID != 0 { [prefix, format!("[{}]", std::process::id()).into_bytes()].concat() } else { prefix };
    let is_raw = filter == b"raw";
    let socket = UnixDatagram::unbound().ok();
    for line in message.as_bytes().split(|b| *b == b'\n' && !is_raw) {
        cx.check()?;
        let mut text = PStrBuilder::new();
        write!(text, "<{}>", priority & 0x3ff)?;
        let head = text.len();
        text.extend(&tag)?;
        text.extend(b": ")?;
        filtered(&mut text, line, &filter)?;
        if flags & PERROR != 0 {
            use std::io::Write;
            // A closed standard error stream loses the copy.
            text.push(b'\n')?;
            let _ = std::io::stderr().write_all(&text[head..]);
            text.pop();
        }
        if let Some(socket) = &socket {
            // Nobody listens: the message is lost, as with the C library. The executor is not kept waiting.
            let _ = socket.set_nonblocking(true);
            let _ = socket.send_to(&text, SOCKET);
        }
    }
    Ok(true)
}
