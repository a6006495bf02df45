//! The session of one instance.

use crate::files::Files;
use crate::user::UserHandler;
use jumbo_abi::{Cx, Level, PArray, PRef, PStr, Res, Value};

/// A state of the instance (`cx.state::<Session>()`).
#[derive(Default)]
pub struct Session {
    /// Between start and close.
    pub active: bool,
    pub id: Option<Vec<u8>>,
    /// What `$_SESSION` was bound to at the start.
    pub vars: Option<PRef>,
    /// The data as it was read: unchanged data is not written again (`session.lazy_write`).
    pub read_data: Option<PStr>,
    pub send_cookie: bool,
    /// The id came from elsewhere than a cookie: the constant SID shows it.
    pub define_sid: bool,
    /// Where session_start was called.
    pub started_at: Option<(PStr, u32)>,
    /// The handler has been opened, and not closed since.
    pub open: bool,
    pub files: Files,
    pub user: Option<UserHandler>,
    /// The built-in handler that was in force before a user handler was set.
    pub parent_is_files: bool,
    /// SessionHandler has opened the built-in handler.
    pub parent_open: bool,
    /// A user handler's method runs.
    pub in_handler: bool,
    /// The script is over: diagnostics say so.
    pub ending: bool,
    /// session_write_close waits among the shutdown functions.
    pub closes_at_shutdown: bool,
}

pub fn of(cx: &mut Cx) -> &mut Session {
    cx.state::<Session>()
}

/// A diagnostic in the name of the running function, or of the phase of the request when none runs.
pub fn raise(cx: &mut Cx, level: Level, message: impl AsRef<[u8]>) -> Res<()> {
    let mut text = cx.active_function_name();
    if text.is_empty() {
        let ending = of(cx).ending;
        text.extend_from_slice(if ending { b"PHP Request Shutdown: ".as_slice() } else { b"PHP Request Startup: " });
    } else {
        text.extend_from_slice(b"(): ");
    }
    text.extend_from_slice(message.as_ref());
    cx.raise(level, &text)
}

pub fn warning(cx: &mut Cx, message: impl AsRef<[u8]>) -> Res<()> {
    raise(cx, Level::Warning, message)
}

/// The response's head is on its way, so that no cookie can follow.
pub fn headers_sent(cx: &Cx) -> bool {
    cx.output.head.sent
}

/// `$_SESSION` as the session sees it; None when a program has put something else than an array there.
pub fn variables(cx: &mut Cx) -> Option<PArray> {
    let vars = of(cx).vars.clone()?;
    vars.with(|v| v.as_array().cloned())
}

/// A new, empty `$_SESSION`.
pub fn bind_variables(cx: &mut Cx, content: PArray) {
    let reference = PRef::new(Value::from(content));
    let engine = cx.engine();
    engine.bind_global(cx, &PStr::new(b"_SESSION"), &reference);
    let old = of(cx).vars.replace(reference);
    drop(old);
}
