//! Which handler keeps the data of sessions, and calls of it.

use crate::state::of;
use crate::user;
use jumbo_abi::{Cx, PStr, Res};

/// A save handler (`session.save_handler`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Store {
    Files,
    User,
}

impl Store {
    pub fn named(name: &[u8]) -> Option<Store> {
        if name.eq_ignore_ascii_case(b"files") {
            Some(Store::Files)
        } else if name.eq_ignore_ascii_case(b"user") {
            Some(Store::User)
        } else {
            None
        }
    }
    pub fn name(self) -> &'static str {
        match self {
            Store::Files => "files",
            Store::User => "user",
        }
    }
}

/// The handler in force. None: the setting names one that does not exist.
pub fn current(cx: &mut Cx) -> Option<Store> {
    let store = Store::named(cx.ini.str("session.save_handler"))?;
    // `user` cannot be configured: it is set together with its functions.
    if store == Store::User && of(cx).user.is_none() { Some(Store::Files) } else { Some(store) }
}

pub fn open(cx: &mut Cx, store: Store, path: &[u8], name: &[u8]) -> Res<bool> {
    let good = match store {
        Store::Files => {
            let good = of_files(cx, |files, cx| files.open(cx, path))?;
            good
        }
        Store::User => user::open(cx, path, name)?,
    };
    of(cx).open = good;
    Ok(good)
}

/// Closes the handler if it is open.
pub fn close(cx: &mut Cx, store: Store) -> Res<bool> {
    if !std::mem::take(&mut of(cx).open) {
        return Ok(true);
    }
    match store {
        Store::Files => {
            of(cx).files.close();
            Ok(true)
        }
        Store::User => user::close(cx),
    }
}

pub fn read(cx: &mut Cx, store: Store, id: &[u8]) -> Res<Option<PStr>> {
    match store {
        Store::Files => of_files(cx, |files, cx| files.read(cx, id)),
        Store::User => user::read(cx, id),
    }
}

pub fn write(cx: &mut Cx, store: Store, id: &[u8], data: &[u8]) -> Res<bool> {
    match store {
        Store::Files => of_files(cx, |files, cx| files.write(cx, id, data)),
        Store::User => user::write(cx, id, data),
    }
}

pub fn destroy(cx: &mut Cx, store: Store, id: &[u8]) -> Res<bool> {
    match store {
        Store::Files => of_files(cx, |files, cx| files.destroy(cx, id)),
        Store::User => user::destroy(cx, id),
    }
}

/// How many sessions were deleted; None: the handler failed.
pub fn gc(cx: &mut Cx, store: Store, max_lifetime: i64) -> Res<Option<i64>> {
    match store {
        Store::Files => of_files(cx, |files, cx| files.gc(cx, max_lifetime)),
        Store::User => user::gc(cx, max_lifetime),
    }
}

pub fn create_sid(cx: &mut Cx, store: Store) -> Res<Option<Vec<u8>>> {
    match store {
        Store::Files => {
            // An id that is in use already would join two users' sessions.
            for _ in 0..3 {
                let id = new_id(cx)?;
                if !of_files(cx, |files, cx| files.exists(cx, &id)) {
                    return Ok(Some(id));
                }
            }
            Ok(None)
        }
        Store::User => user::create_sid(cx),
    }
}

/// Whether a session of this id exists (strict mode takes no other ones).
pub fn validate(cx: &mut Cx, store: Store, id: &[u8]) -> Res<bool> {
    match store {
        Store::Files => Ok(of_files(cx, |files, cx| files.exists(cx, id))),
        Store::User => user::validate(cx, id),
    }
}

/// Can the handler say whether an id exists?
pub fn knows_ids(cx: &mut Cx, store: Store) -> bool {
    store == Store::Files || user::knows_ids(cx)
}

/// The data has not changed: only its time is renewed.
pub fn update_timestamp(cx: &mut Cx, store: Store, id: &[u8], data: &[u8]) -> Res<bool> {
    match store {
        Store::Files => of_files(cx, |files, cx| files.touch(cx, id, data)),
        Store::User => user::update_timestamp(cx, id, data),
    }
}

/// Runs a part of the files handler, which may wait: its state is out of the instance meanwhile.
pub fn of_files<T>(cx: &mut Cx, run: impl FnOnce(&mut crate::files::Files, &mut Cx) -> T) -> T {
    let mut files = std::mem::take(&mut of(cx).files);
    let result = run(&mut files, cx);
    of(cx).files = files;
    result
}

/// A new random id, as `session.sid_length` and `session.sid_bits_per_character` say.
pub fn new_id(cx: &mut Cx) -> Res<Vec<u8>> {
    let length = usize::try_from(cx.ini.int("session.sid_length")).unwrap_or(32).clamp(22, 256);
    let bits = u32::try_from(cx.ini.int("session.sid_bits_per_character")).unwrap_or(4).clamp(4, 6);
    let mut random = vec![0u8; (length * bits as usize).div_ceil(8)];
    jumbo_ext_random::functions::secure_bytes(cx, &mut random)?;
    Ok(readable(&random, length, bits))
}

/// Bits as characters of a cookie, lowest bits first.
fn readable(random: &[u8], length: usize, bits: u32) -> Vec<u8> {
    const CHARACTERS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-,";
    let (mut window, mut have) = (0u32, 0u32);
    let mut bytes = random.iter();
    let mut id = Vec::with_capacity(length);
    while id.len() < length {
        if have < bits {
            window |= u32::from(bytes.next().copied().unwrap_or(0)) << have;
            have += 8;
        }
        id.push(CHARACTERS[(window & ((1 << bits) - 1)) as usize]);
        window >>= bits;
        have -= bits;
    }
    id
}
