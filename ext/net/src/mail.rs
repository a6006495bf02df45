//! mail(): a message handed to the program of `sendmail_path`.
//!
//! What goes into the head is checked so that no line can be smuggled in: receiver and subject lose their control characters,
//! headers are refused.

use jumbo_abi::{Cx, KeyRef, PArray, PStr, Res, Stop, Value, View};
use jumbo_ext_files::process::feed_shell;
use jumbo_value::{OutOfMemory, PStrBuilder};

/// Headers that stand once.
const SINGLE: &[&str] = &["orig-date", "from", "sender", "reply-to", "bcc", "cc", "message-id", "references", "in-reply-to"];

pub fn mail(cx: &mut Cx, to: &PStr, subject: &PStr, message: &PStr, headers: &Value, params: &PStr) -> Res<bool> {
    for (n, text) in [(1, to), (2, subject), (3, message)] {
        if text.as_bytes().contains(&0) {
            return Err(cx.arg_value_error(n, "must not contain any null bytes"));
        }
    }
    let headers = match headers.view_deref() {
        View::Array(list) => {
            let list = list.clone();
            build_headers(cx, &list)?
        }
        View::Str(text) => {
            if text.as_bytes().contains(&0) {
                return Err(cx.arg_value_error(4, "must not contain any null bytes"));
            }
            let len = text.as_bytes().trim_ascii_end().len();
            text.slice(0, len)
        }
        _ => PStr::empty(),
    };
    if params.as_bytes().contains(&0) {
        return Err(cx.arg_value_error(5, "must not contain any null bytes"));
    }
    if malformed(&headers) {
        cx.warning("Multiple or malformed newlines found in additional_header")?;
        return Ok(false);
    }
    let (to, subject) = (one_line(to.as_bytes())?, one_line(subject.as_bytes())?);
    log(cx, &to, &headers, &subject)?;
    let end: &[u8] = if cx.ini.bool("mail.mixed_lf_and_crlf") { b"\n" } else { b"\r\n" };
    let mut text = PStrBuilder::new();
    for part in [b"To: ".as_slice(), &to, end, b"Subject: ", &subject, end] {
        text.extend(part)?;
    }
    if cx.ini.bool("mail.add_x_header") {
        let owner = jumbo_ext_misc::process::getmyuid(cx);
        let file = cx.engine().caller_file(cx);
        let name = jumbo_ext_files::path::base(file.as_bytes());
        write!(text, "X-PHP-Originating-Script: {owner}:")?;
        text.extend(name)?;
        text.extend(end)?;
    }
    if !headers.is_empty() {
        text.extend(&headers)?;
        text.extend(end)?;
    }
    for part in [end, message.as_bytes(), end] {
        text.extend(part)?;
    }
    let mut command = cx.ini.str("sendmail_path").to_vec();
    if command.is_empty() {
        cx.warning("Could not execute mail delivery program 'sendmail_path'")?;
        return Ok(false);
    }
    let forced = cx.ini.str("mail.force_extra_parameters").to_vec();
    let extra = if forced.is_empty() { params.clone() } else { PStr::new(&forced) };
    if !extra.is_empty() {
        let escaped = jumbo_ext_strings::encode::escapeshellcmd(cx, &extra)?;
        command.push(b' ');
        command.extend_from_slice(escaped.as_bytes());
    }
    /// Try again later: the message is in the queue.
    const TEMPORARY_FAILURE: i64 = 75;
    match feed_shell(cx, &command, &text)? {
        Some(status) => Ok(status == 0 || status == TEMPORARY_FAILURE),
        None => {
            cx.warning([b"Could not execute mail delivery program '".as_slice(), &command, b"'"].concat())?;
            Ok(false)
        }
    }
}

/// A receiver or subject: trimmed at the end, control characters made spaces, apart from folded lines.
fn one_line(text: &[u8]) -> Result<PStr, OutOfMemory> {
    let mut line = PStrBuilder::new();
    line.extend(text.trim_ascii_end())?;
    let out = line.as_mut_bytes();
    let mut at = 0;
    while at < out.len() {
        if out[at] == b'\r' && out.get(at + 1) == Some(&b'\n') && matches!(out.get(at + 2), Some(b' ' | b'\t')) {
            at += 2;
            while matches!(out.get(at), Some(b' ' | b'\t')) {
                at += 1;
            }
            continue;
        }
        if out[at].is_ascii_control() {
            out[at] = b' ';
        }
        at += 1;
    }
    Ok(line.finish())
}

/// Empty lines, a line end at the end, or a beginning that is no header's.
fn malformed(headers: &[u8]) -> bool {
    let Some(first) = headers.first() else { return false };
    if !(33..=126).contains(first) || *first == b':' {
        return true;
    }
    let mut at = 0;
    while let Some(&byte) = headers.get(at) {
        let next = headers.get(at + 1).copied();
        match byte {
            b'\r' => {
                let after = headers.get(at + 2).copied();
                if matches!(next, None | Some(b'\r')) || next == Some(b'\n') && matches!(after, None | Some(b'\n' | b'\r')) {
                    return true;
                }
                at += 2;
            }
            b'\n' => {
                if matches!(next, None | Some(b'\r' | b'\n')) {
                    return true;
                }
                at += 2;
            }
            _ => at += 1,
        }
    }
    false
}

fn build_headers(cx: &mut Cx, list: &PArray) -> Res<PStr> {
    let mut out = PStrBuilder::new();
    for (key, value) in list {
        cx.check()?;
        let name = match key {
            KeyRef::Int(n) => return Err(cx.type_error(format!("Header name cannot be numeric, {n} given"))),
            KeyRef::Str(name) => name.as_bytes().to_vec(),
        };
        let lower = name.to_ascii_lowercase();
        if lower == b"to" || lower == b"subject" {
            let word = if lower == b"to" { "To" } else { "Subject" };
            return Err(cx.value_error(format!("The additional headers cannot contain the \"{word}\" header")));
        }
        let single = SINGLE.iter().find(|s| s.as_bytes() == lower);
        match (value.view_deref(), single) {
            (View::Str(text), _) => header(cx, &mut out, &name, text.as_bytes())?,
            (View::Array(values), None) => {
                let values = values.clone();
                for (at, value) in &values {
                    if let KeyRef::Str(at) = at {
                        let text = [b"Header \"".as_slice(), &name, b"\" must only contain numeric keys, \"", at.as_bytes(), b"\" found"];
                        return Err(cx.type_error(text.concat()));
                    }
                    let Some(text) = value.deref().as_str() else {
                        let found = jumbo_abi::args::type_name(value);
                        let text = [b"Header \"".as_slice(), &name, b"\" must only contain values of type string, ", &found, b" found"];
                        return Err(cx.type_error(text.concat()));
                    };
                    header(cx, &mut out, &name, text.as_bytes())?;
                }
            }
            (_, single) => {
                let given = jumbo_abi::args::type_name(value);
                let (shown, wanted) = match single {
                    Some(lower) => (lower.as_bytes(), "string"),
                    None => (name.as_slice(), "array|string"),
                };
                let text = [b"Header \"".as_slice(), shown, b"\" must be of type ", wanted.as_bytes(), b", ", &given, b" given"];
                return Err(cx.type_error(text.concat()));
            }
        }
    }
    let len = out.trim_ascii_end().len();
    out.truncate(len);
    Ok(out.finish())
}

fn header(cx: &mut Cx, out: &mut PStrBuilder, name: &[u8], value: &[u8]) -> Res<()> {
    if name.iter().any(|b| !(33..=126).contains(b) || *b == b':') {
        return Err(cx.value_error([b"Header name \"".as_slice(), name, b"\" contains invalid characters"].concat()));
    }
    let refuse = |cx: &mut Cx, what: &str| -> Stop {
        cx.value_error([b"Header \"".as_slice(), name, b"\" contains ", what.as_bytes()].concat())
    };
    let mut at = 0;
    while let Some(&byte) = value.get(at) {
        match byte {
            b'\r' if value.get(at + 1) == Some(&b'\n') => {
                // A folded line goes on with white space.
                if !matches!(value.get(at + 2), Some(b' ' | b'\t')) {
                    return Err(refuse(cx, "CRLF characters that are used as a line separator and are not allowed in the header"));
                }
                at += 3;
                continue;
            }
            b'\r' => return Err(refuse(cx, "CR character that is not allowed in the header")),
            b'\n' => return Err(refuse(cx, "LF character that is not allowed in the header")),
            0 => return Err(refuse(cx, "NULL character that is not allowed in the header")),
            _ => at += 1,
        }
    }
    for part in [name, b": ", value, b"\r\n"] {
        out.extend(part)?;
    }
    cx.check()
}

/// The line in `mail.log`.
fn log(cx: &mut Cx, to: &[u8], headers: &[u8], subject: &[u8]) -> Res<()> {
    let path = cx.ini.str("mail.log").to_vec();
    if path.is_empty() {
        return Ok(());
    }
    let (file, line) = (cx.engine().caller_file(cx), cx.engine().caller_line(cx).to_string());
    let mut text = PStrBuilder::new();
    let is_for_syslog = path == b"syslog";
    if !is_for_syslog {
        let seconds = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
        write!(text, "[{}] ", jumbo_ext_misc::head::log_date(seconds as i64))?;
    }
    for part in [b"mail() on [".as_slice(), file.as_bytes(), b":", line.as_bytes(), b"]: To: ", to, b" -- Headers: ", headers, b" -- Subject: ", subject] {
        text.extend(part)?;
    }
    for byte in text.as_mut_bytes().iter_mut().filter(|byte| matches!(byte, b'\r' | b'\n')) {
        *byte = b' ';
    }
    if is_for_syslog {
        cx.engine().log(cx, &text);
        return Ok(());
    }
    text.push(b'\n')?;
    if let Some(resource) = jumbo_abi::stream::open(cx, &path, b"a", &jumbo_abi::stream::OpenOptions::default())?
        && let Some(handle) = resource.native::<jumbo_abi::stream::StreamHandle>()
    {
        handle.write(cx, &text)?;
        handle.close(cx)?;
    }
    Ok(())
}
