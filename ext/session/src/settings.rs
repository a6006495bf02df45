//! Checks of new values of the session's settings.
//!
//! A check that refuses says so in a warning. When the program's error handler throws at that, the exception waits in `Cx`, where who
//! changed the setting finds it.

use crate::serializer;
use crate::state::{headers_sent, of, raise, warning};
use crate::store::Store;
use jumbo_abi::ini::{parse_bool, parse_quantity};
use jumbo_abi::{Cx, Level, Res};
use std::sync::atomic::{AtomicBool, Ordering};

/// Reports; what comes of it waits in `Cx`. The value is refused.
fn refuse(cx: &mut Cx, message: impl AsRef<[u8]>) -> bool {
    let _ = warning(cx, message);
    false
}

/// Reports a deprecated value, which is taken.
fn deprecate(cx: &mut Cx, message: &str) {
    let _ = raise(cx, Level::Deprecated, message);
}

/// Settings stay while a session is active and when headers are gone.
pub fn plain(cx: &mut Cx, _value: &[u8]) -> bool {
    if of(cx).active {
        return refuse(cx, "Session ini settings cannot be changed when a session is active");
    }
    if headers_sent(cx) && !of(cx).ending {
        return refuse(cx, "Session ini settings cannot be changed after headers have already been sent");
    }
    true
}

/// What a name may not be: it stands in cookies and variables.
fn bad_name(name: &[u8]) -> bool {
    name.is_empty() || jumbo_value::number::parse_numeric(name).is_some() || name.iter().any(|b| b"\0=,;.[ \t\r\n\x0b\x0c".contains(b))
}

fn bad_name_text(name: &[u8]) -> Vec<u8> {
    [
        b"session.name \"".as_slice(),
        name,
        b"\" must not be numeric, empty, contain null bytes or any of the following characters \"=,;.[ \\t\\r\\n\\013\\014\"",
    ]
    .concat()
}

pub fn name(cx: &mut Cx, value: &[u8]) -> bool {
    plain(cx, value) && (!bad_name(value) || refuse(cx, bad_name_text(value)))
}

pub fn save_handler(cx: &mut Cx, value: &[u8]) -> bool {
    if !plain(cx, value) {
        return false;
    }
    match Store::named(value) {
        Some(Store::Files) => true,
        Some(Store::User) => refuse(cx, "Session save handler \"user\" cannot be set by ini_set()"),
        None => refuse(cx, [b"Session save handler \"".as_slice(), value, b"\" cannot be found"].concat()),
    }
}

pub fn serialize_handler(cx: &mut Cx, value: &[u8]) -> bool {
    plain(cx, value)
        && (serializer::named(value).is_some()
            || refuse(cx, [b"Serialization handler \"".as_slice(), value, b"\" cannot be found"].concat()))
}

pub fn save_path(cx: &mut Cx, value: &[u8]) -> bool {
    plain(cx, value) && !value.contains(&0)
}

pub fn cookie_lifetime(cx: &mut Cx, value: &[u8]) -> bool {
    plain(cx, value) && (parse_quantity(value) >= 0 || refuse(cx, "CookieLifetime cannot be negative"))
}

pub fn gc_probability(cx: &mut Cx, value: &[u8]) -> bool {
    plain(cx, value) && (parse_quantity(value) >= 0 || refuse(cx, "session.gc_probability must be greater than or equal to 0"))
}

pub fn gc_divisor(cx: &mut Cx, value: &[u8]) -> bool {
    plain(cx, value) && (parse_quantity(value) > 0 || refuse(cx, "session.gc_divisor must be greater than 0"))
}

fn length_in_range(value: &[u8]) -> bool {
    (22..=256).contains(&parse_quantity(value))
}

pub fn sid_length(cx: &mut Cx, value: &[u8]) -> bool {
    if !plain(cx, value) {
        return false;
    }
    if value != b"32" {
        deprecate(cx, "session.sid_length INI setting is deprecated");
    }
    length_in_range(value) || refuse(cx, "session.configuration \"session.sid_length\" must be between 22 and 256")
}

pub fn sid_bits_per_character(cx: &mut Cx, value: &[u8]) -> bool {
    if !plain(cx, value) {
        return false;
    }
    if value != b"4" {
        deprecate(cx, "session.sid_bits_per_character INI setting is deprecated");
    }
    (4..=6).contains(&parse_quantity(value)) || refuse(cx, "session.configuration \"session.sid_bits_per_character\" must be between 4 and 6")
}

/// Settings whose other values than the default are on their way out: name, is it such a value, message.
type Outdated = (&'static str, fn(&[u8]) -> bool, &'static str);
const OUTDATED: [Outdated; 7] = [
    ("session.use_only_cookies", |v| !parse_bool(v), "Disabling session.use_only_cookies INI setting is deprecated"),
    ("session.referer_check", |v| !v.is_empty(), "Usage of session.referer_check INI setting is deprecated"),
    ("session.use_trans_sid", parse_bool, "Enabling session.use_trans_sid INI setting is deprecated"),
    ("session.sid_length", |v| v != b"32", "session.sid_length INI setting is deprecated"),
    ("session.sid_bits_per_character", |v| v != b"4", "session.sid_bits_per_character INI setting is deprecated"),
    ("session.trans_sid_hosts", |v| !v.is_empty(), "Usage of session.trans_sid_hosts INI setting is deprecated"),
    (
        "session.trans_sid_tags",
        |v| v != b"a=href,area=href,frame=src,form=",
        "Usage of session.trans_sid_tags INI setting is deprecated",
    ),
];

/// Takes a value of one of [`OUTDATED`].
fn outdated(cx: &mut Cx, name: &str, value: &[u8]) -> bool {
    if !plain(cx, value) {
        return false;
    }
    for (setting, is_outdated, message) in OUTDATED {
        if setting == name && is_outdated(value) {
            deprecate(cx, message);
        }
    }
    true
}

pub fn use_only_cookies(cx: &mut Cx, value: &[u8]) -> bool {
    outdated(cx, "session.use_only_cookies", value)
}
pub fn referer_check(cx: &mut Cx, value: &[u8]) -> bool {
    outdated(cx, "session.referer_check", value)
}
pub fn use_trans_sid(cx: &mut Cx, value: &[u8]) -> bool {
    outdated(cx, "session.use_trans_sid", value)
}
pub fn trans_sid_hosts(cx: &mut Cx, value: &[u8]) -> bool {
    outdated(cx, "session.trans_sid_hosts", value)
}
pub fn trans_sid_tags(cx: &mut Cx, value: &[u8]) -> bool {
    outdated(cx, "session.trans_sid_tags", value)
}

/// What is to be said of the configuration, once in the life of the process, and values in place of configured ones that cannot be.
pub fn at_startup(cx: &mut Cx) -> Res<()> {
    static SAID: AtomicBool = AtomicBool::new(false);
    let first = !SAID.swap(true, Ordering::Relaxed);
    let mut said: Vec<(Level, Vec<u8>)> = Vec::new();
    if first {
        for (name, is_outdated, message) in OUTDATED {
            if is_outdated(cx.ini.str(name)) {
                said.push((Level::Deprecated, message.as_bytes().to_vec()));
            }
        }
    }
    let name = cx.ini.str("session.name").to_vec();
    if bad_name(&name) {
        cx.ini.configure(b"session.name", b"PHPSESSID");
        said.push((Level::Warning, bad_name_text(&name)));
    }
    if Store::named(cx.ini.str("session.save_handler")) == Some(Store::User) {
        cx.ini.configure(b"session.save_handler", b"files");
        said.push((Level::CoreError, b"Session save handler \"user\" cannot be set by ini_set()".to_vec()));
    }
    let frequency = cx.ini.str("session.upload_progress.freq").to_vec();
    let amount = jumbo_value::number::str_to_int(&frequency);
    let wrong = if amount < 0 {
        Some("session.upload_progress.freq must be greater than or equal to 0")
    } else if frequency.ends_with(b"%") && amount > 100 {
        Some("session.upload_progress.freq must be less than or equal to 100%")
    } else {
        None
    };
    if let Some(message) = wrong {
        cx.ini.configure(b"session.upload_progress.freq", b"1%");
        said.push((Level::Warning, message.as_bytes().to_vec()));
    }
    if !first {
        return Ok(());
    }
    let sent = cx.output.head.sent;
    let shown = cx.ini.get(b"display_startup_errors").is_none() || cx.ini.bool("display_startup_errors");
    for (level, message) in said {
        let text = [b"PHP Startup: ".as_slice(), &message].concat();
        if !shown {
            continue;
        }
        // A fatal error of the configuration is reported, and the default is taken.
        if cx.raise(level, &text).is_err() {
            cx.exit_status = 0;
        }
    }
    // On the command line these lines are no part of the script's output: they do not count as sent headers.
    if cx.output.no_headers {
        cx.output.head.sent = sent;
    }
    Ok(())
}
