//! dns_*: questions to the system's name servers (RFC 1035), by UDP with EDNS0.
//!
//! Answers come from the network: every length and pointer in them is checked, and a chain of pointers ends.

use jumbo_abi::{Cx, OrFalse, PArray, PRef, PStr, Res, Value};
use jumbo_ext_files::wait::{self, For};
use std::hash::BuildHasher;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::time::Duration;

/// PHP's bit, the protocol's number and the name of each type, in the order in which a mask is asked for.
const TYPES: &[(i64, u16, &str)] = &[
    (1, 1, "A"),
    (2, 2, "NS"),
    (16, 5, "CNAME"),
    (32, 6, "SOA"),
    (2048, 12, "PTR"),
    (4096, 13, "HINFO"),
    (8192, 257, "CAA"),
    (16384, 15, "MX"),
    (32768, 16, "TXT"),
    (33_554_432, 33, "SRV"),
    (67_108_864, 35, "NAPTR"),
    (134_217_728, 28, "AAAA"),
    (16_777_216, 38, "A6"),
];
const ANY_BIT: i64 = 268_435_456;
const ANY: u16 = 255;
const ALL_BITS: i64 = 251_721_779;

const ATTEMPTS: usize = 2;
const TIMEOUT: Duration = Duration::from_secs(5);
/// What the servers may send at once.
const MAX_ANSWER: usize = 4096;

/// The name servers of /etc/resolv.conf.
fn servers() -> Vec<SocketAddr> {
    let text = std::fs::read_to_string("/etc/resolv.conf").unwrap_or_default();
    let named = text.lines().filter_map(|l| l.trim().strip_prefix("nameserver")?.trim().parse::<IpAddr>().ok());
    let found: Vec<SocketAddr> = named.take(3).map(|ip| SocketAddr::new(ip, 53)).collect();
    if found.is_empty() { vec![SocketAddr::from(([127, 0, 0, 1], 53))] } else { found }
}

fn question(id: u16, name: &[u8], kind: u16) -> Option<Vec<u8>> {
    // Recursion is wanted; one question, one additional record.
    let mut out = vec![(id >> 8) as u8, id as u8, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1];
    let name = name.strip_suffix(b".").unwrap_or(name);
    for label in name.split(|b| *b == b'.') {
        let length = u8::try_from(label.len()).ok().filter(|n| (1..=63).contains(n))?;
        out.push(length);
        out.extend_from_slice(label);
    }
    out.extend_from_slice(&[0, (kind >> 8) as u8, kind as u8, 0, 1]);
    // OPT: the size of answers that are welcome.
    out.extend_from_slice(&[0, 0, 41, (MAX_ANSWER >> 8) as u8, MAX_ANSWER as u8, 0, 0, 0, 0, 0, 0]);
    Some(out)
}

/// The answer to a question. None: nobody answers.
fn ask(cx: &mut Cx, name: &[u8], kind: u16) -> Res<Option<Vec<u8>>> {
    let id = std::hash::RandomState::new().hash_one(std::time::Instant::now()) as u16;
    let Some(query) = question(id, name, kind) else { return Ok(None) };
    for _ in 0..ATTEMPTS {
        for server in servers() {
            let local: SocketAddr =
                if server.is_ipv4() { (Ipv4Addr::UNSPECIFIED, 0).into() } else { (Ipv6Addr::UNSPECIFIED, 0).into() };
            let Ok(socket) = UdpSocket::bind(local) else { continue };
            let sent = socket.set_nonblocking(true).and_then(|()| socket.connect(server)).and_then(|()| socket.send(&query));
            if sent.is_err() || !wait::until_ready(cx, &socket, For::Reading, Some(TIMEOUT))? {
                continue;
            }
            let mut buffer = vec![0; MAX_ANSWER];
            if let Ok(length) = socket.recv(&mut buffer) {
                buffer.truncate(length);
                if buffer.get(..2) == query.get(..2) {
                    return Ok(Some(buffer));
                }
            }
        }
    }
    Ok(None)
}

fn u16_at(text: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(text.get(at..at.checked_add(2)?)?.try_into().ok()?))
}
fn u32_at(text: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(text.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// A name, and the place behind it.
fn name_at(text: &[u8], start: usize) -> Option<(Vec<u8>, usize)> {
    let (mut at, mut behind) = (start, None);
    let mut out: Vec<u8> = Vec::new();
    // As many steps as a name can have labels.
    for _ in 0..128 {
        let length = *text.get(at)? as usize;
        if length == 0 {
            return Some((out, behind.unwrap_or(at + 1)));
        }
        if length & 0xc0 == 0xc0 {
            behind = behind.or(Some(at + 2));
            at = usize::from(u16_at(text, at)? & 0x3fff);
            continue;
        }
        if !out.is_empty() {
            out.push(b'.');
        }
        out.extend_from_slice(text.get(at + 1..at + 1 + length)?);
        at += 1 + length;
    }
    None
}

/// A text with its length before it, and the place behind.
fn text_at(text: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let length = *text.get(at)? as usize;
    Some((text.get(at + 1..at + 1 + length)?, at + 1 + length))
}

struct Record {
    kind: u16,
    array: PArray,
}

/// One record at a place, and the place behind it.
fn record_at(text: &[u8], at: usize, raw: bool) -> Option<(Option<Record>, usize)> {
    let (host, at) = name_at(text, at)?;
    let (kind, class, ttl, length) = (u16_at(text, at)?, u16_at(text, at + 2)?, u32_at(text, at + 4)?, u16_at(text, at + 8)? as usize);
    let data = at + 10;
    let end = data + length;
    let content = text.get(data..end)?;
    let known = TYPES.iter().find(|t| t.1 == kind);
    if class != 1 || known.is_none() && !raw {
        return Some((None, end));
    }
    let mut array = PArray::new();
    let string = |bytes: &[u8]| Value::from(PStr::new(bytes));
    array.set_bytes(b"host", string(&host));
    array.set_bytes(b"class", string(b"IN"));
    array.set_bytes(b"ttl", i64::from(ttl));
    if raw {
        array.set_bytes(b"type", i64::from(kind));
        array.set_bytes(b"data", string(content));
        return Some((Some(Record { kind, array }), end));
    }
    array.set_bytes(b"type", string(known?.2.as_bytes()));
    match kind {
        1 => {
            let four: [u8; 4] = content.try_into().ok()?;
            array.set_bytes(b"ip", string(Ipv4Addr::from(four).to_string().as_bytes()));
        }
        28 => {
            let sixteen: [u8; 16] = content.try_into().ok()?;
            array.set_bytes(b"ipv6", string(Ipv6Addr::from(sixteen).to_string().as_bytes()));
        }
        2 | 5 | 12 => array.set_bytes(b"target", string(&name_at(text, data)?.0)),
        15 => {
            array.set_bytes(b"pri", i64::from(u16_at(text, data)?));
            array.set_bytes(b"target", string(&name_at(text, data + 2)?.0));
        }
        16 => {
            let (mut at, mut whole, mut entries) = (data, Vec::new(), PArray::new());
            while at < end {
                let (piece, next) = text_at(text, at)?;
                whole.extend_from_slice(piece);
                entries.append(string(piece));
                at = next;
            }
            array.set_bytes(b"txt", string(&whole));
            array.set_bytes(b"entries", entries);
        }
        13 => {
            let (cpu, next) = text_at(text, data)?;
            array.set_bytes(b"cpu", string(cpu));
            array.set_bytes(b"os", string(text_at(text, next)?.0));
        }
        6 => {
            let (mname, next) = name_at(text, data)?;
            let (rname, next) = name_at(text, next)?;
            array.set_bytes(b"mname", string(&mname));
            array.set_bytes(b"rname", string(&rname));
            for (n, name) in ["serial", "refresh", "retry", "expire", "minimum-ttl"].iter().enumerate() {
                array.set_bytes(name.as_bytes(), i64::from(u32_at(text, next + n * 4)?));
            }
        }
        33 => {
            for (n, name) in ["pri", "weight", "port"].iter().enumerate() {
                array.set_bytes(name.as_bytes(), i64::from(u16_at(text, data + n * 2)?));
            }
            array.set_bytes(b"target", string(&name_at(text, data + 6)?.0));
        }
        35 => {
            array.set_bytes(b"order", i64::from(u16_at(text, data)?));
            array.set_bytes(b"pref", i64::from(u16_at(text, data + 2)?));
            let mut at = data + 4;
            for name in ["flags", "services", "regex"] {
                let (piece, next) = text_at(text, at)?;
                array.set_bytes(name.as_bytes(), string(piece));
                at = next;
            }
            array.set_bytes(b"replacement", string(&name_at(text, at)?.0));
        }
        257 => {
            array.set_bytes(b"flags", i64::from(*content.first()?));
            let (tag, next) = text_at(text, data + 1)?;
            array.set_bytes(b"tag", string(tag));
            array.set_bytes(b"value", string(text.get(next..end)?));
        }
        _ => return Some((None, end)),
    }
    Some((Some(Record { kind, array }), end))
}

/// The records of an answer: of the answer itself, of the name servers, additional ones. What is malformed ends the list.
fn records(text: &[u8], raw: bool) -> [Vec<Record>; 3] {
    let mut out = [Vec::new(), Vec::new(), Vec::new()];
    let Some(questions) = u16_at(text, 4) else { return out };
    let mut at = 12;
    for _ in 0..questions {
        match name_at(text, at) {
            Some((_, behind)) => at = behind + 4,
            None => return out,
        }
    }
    for (n, list) in out.iter_mut().enumerate() {
        for _ in 0..u16_at(text, 6 + n * 2).unwrap_or(0) {
            let Some((record, behind)) = record_at(text, at, raw) else { return out };
            list.extend(record);
            at = behind;
        }
    }
    out
}

fn check_name(cx: &mut Cx, hostname: &PStr) -> Res<()> {
    if hostname.as_bytes().contains(&0) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    Ok(())
}

pub fn dns_check_record(cx: &mut Cx, hostname: &PStr, kind: &PStr) -> Res<bool> {
    if hostname.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    check_name(cx, hostname)?;
    let upper = kind.as_bytes().to_ascii_uppercase();
    let number = match TYPES.iter().find(|t| t.2.as_bytes() == upper) {
        Some(found) => found.1,
        None if upper == b"ANY" => ANY,
        None => return Err(cx.arg_value_error(2, "must be a valid DNS record type")),
    };
    let Some(answer) = ask(cx, hostname.as_bytes(), number)? else { return Ok(false) };
    Ok(u16_at(&answer, 6).unwrap_or(0) > 0)
}

pub fn dns_get_mx(cx: &mut Cx, hostname: &PStr, hosts: &PRef, weights: Option<&PRef>) -> Res<bool> {
    let (mut names, mut numbers) = (PArray::new(), PArray::new());
    hosts.set(Value::empty_array());
    if let Some(weights) = weights {
        weights.set(Value::empty_array());
    }
    check_name(cx, hostname)?;
    let Some(answer) = ask(cx, hostname.as_bytes(), 15)? else { return Ok(false) };
    let [found, ..] = records(&answer, false);
    for record in found.iter().filter(|r| r.kind == 15) {
        if let (Some(target), Some(weight)) = (record.array.get_bytes(b"target"), record.array.get_bytes(b"pri")) {
            names.append(target.clone());
            numbers.append(weight.clone());
        }
    }
    let any = !names.is_empty();
    hosts.set(Value::from(names));
    if let Some(weights) = weights {
        weights.set(Value::from(numbers));
    }
    Ok(any)
}

pub fn dns_get_record(
    cx: &mut Cx,
    hostname: &PStr,
    kind: i64,
    authoritative: Option<&PRef>,
    additional: Option<&PRef>,
    raw: bool,
) -> Res<OrFalse<PArray>> {
    for list in [authoritative, additional].into_iter().flatten() {
        list.set(Value::empty_array());
    }
    let numbers: Vec<u16> = if raw {
        match u16::try_from(kind).ok().filter(|n| *n > 0) {
            Some(number) => vec![number],
            None => {
                let text = "must be between 1 and 65535 when argument #5 ($raw) is true";
                return Err(cx.arg_value_error(2, text));
            }
        }
    } else if kind & !ALL_BITS != 0 && kind != ANY_BIT {
        return Err(cx.arg_value_error(2, "must be a DNS_* constant"));
    } else if kind == ANY_BIT {
        vec![ANY]
    } else {
        TYPES.iter().filter(|t| kind & t.0 != 0).map(|t| t.1).collect()
    };
    check_name(cx, hostname)?;
    let mut lists = [PArray::new(), PArray::new(), PArray::new()];
    let mut answered = numbers.is_empty();
    for number in numbers {
        let Some(answer) = ask(cx, hostname.as_bytes(), number)? else { continue };
        answered = true;
        let found = records(&answer, raw);
        for (n, (list, records)) in lists.iter_mut().zip(found).enumerate() {
            for record in records {
                // Of the answer itself only what was asked for; the others complete it.
                if n > 0 || number == ANY || record.kind == number {
                    list.append(record.array);
                }
            }
        }
    }
    if !answered {
        let can_be_asked = question(0, hostname.as_bytes(), 1).is_some();
        cx.warning(if can_be_asked { "A temporary server error occurred." } else { "An unexpected server failure occurred." })?;
        return Ok(OrFalse::FALSE);
    }
    let [answers, servers, others] = lists;
    if let Some(list) = authoritative {
        list.set(Value::from(servers));
    }
    if let Some(list) = additional {
        list.set(Value::from(others));
    }
    Ok(OrFalse(Some(answers)))
}
