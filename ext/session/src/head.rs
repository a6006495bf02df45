//! What a session adds to the response's head: its cookie and the cache limiter's headers.

use crate::state::{headers_sent, of, warning};
use jumbo_abi::{Cx, Res};
use jumbo_ext_misc::head::{add, http_date};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::time::{SystemTime, UNIX_EPOCH};

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64)
}

/// Sends the cookie with the session's id, instead of one that was set before. False: it is too late.
pub fn send_cookie(cx: &mut Cx) -> Res<bool> {
    if headers_sent(cx) {
        warning(cx, "Session cookie cannot be sent after headers have already been sent")?;
        return Ok(false);
    }
    let Some(id) = of(cx).id.clone() else { return Ok(false) };
    let mut start = b"Set-Cookie: ".to_vec();
    start.extend_from_slice(cx.ini.str("session.name"));
    start.push(b'=');
    let mut line = start.clone();
    for b in id {
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.') {
            line.push(b);
        } else {
            line.extend_from_slice(format!("%{b:02X}").as_bytes());
        }
    }
    let lifetime = cx.ini.int("session.cookie_lifetime");
    if lifetime > 0 {
        line.extend_from_slice(format!("; expires={}; Max-Age={lifetime}", http_date(now().saturating_add(lifetime))).as_bytes());
    }
    for (setting, label) in [("session.cookie_path", b"; path=".as_slice()), ("session.cookie_domain", b"; domain=")] {
        let value = cx.ini.str(setting);
        if !value.is_empty() {
            line.extend_from_slice(label);
            line.extend_from_slice(value);
        }
    }
    if cx.ini.bool("session.cookie_secure") {
        line.extend_from_slice(b"; secure");
    }
    if cx.ini.bool("session.cookie_httponly") {
        line.extend_from_slice(b"; HttpOnly");
    }
    let same_site = cx.ini.str("session.cookie_samesite");
    if !same_site.is_empty() {
        line.extend_from_slice(b"; SameSite=");
        line.extend_from_slice(same_site);
    }
    cx.output.head.headers.retain(|h| !h.starts_with(&start));
    add(cx, &line, false)?;
    Ok(true)
}

/// The time of the main script's file, for caches.
fn last_modified(cx: &mut Cx) -> Option<String> {
    let files = cx.engine().included_files(cx);
    let modified = std::fs::metadata(OsStr::from_bytes(files.first()?.as_bytes())).ok()?.modified().ok()?;
    let seconds = modified.duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(format!("Last-Modified: {}", http_date(i64::try_from(seconds).ok()?)))
}

/// The headers that `session.cache_limiter` asks for. False: it is too late for them.
pub fn limit_cache(cx: &mut Cx) -> Res<bool> {
    let limiter = cx.ini.str("session.cache_limiter").to_vec();
    if limiter.is_empty() {
        return Ok(true);
    }
    if headers_sent(cx) {
        warning(cx, "Session cache limiter cannot be sent after headers have already been sent")?;
        return Ok(false);
    }
    let seconds = cx.ini.int("session.cache_expire").saturating_mul(60);
    const LONG_AGO: &str = "Expires: Thu, 19 Nov 1981 08:52:00 GMT";
    let mut lines: Vec<String> = Vec::new();
    match limiter.as_slice() {
        b"nocache" => {
            lines.push(LONG_AGO.into());
            lines.push("Cache-Control: no-store, no-cache, must-revalidate".into());
            lines.push("Pragma: no-cache".into());
        }
        b"private" | b"private_no_expire" => {
            if limiter == b"private" {
                lines.push(LONG_AGO.into());
            }
            lines.push(format!("Cache-Control: private, max-age={seconds}"));
            lines.extend(last_modified(cx));
        }
        b"public" => {
            lines.push(format!("Expires: {}", http_date(now().saturating_add(seconds))));
            lines.push(format!("Cache-Control: public, max-age={seconds}"));
            lines.extend(last_modified(cx));
        }
        // An unknown name limits nothing.
        _ => {}
    }
    for line in lines {
        add(cx, line.as_bytes(), true)?;
    }
    Ok(true)
}
