//! Users and groups.

use crate::functions::{LastError, gid, uid};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Value};
use nix::unistd::{Group, User};
use std::os::unix::ffi::OsStrExt;

fn user(user: User) -> PArray {
    let mut array = PArray::new();
    array.set_bytes(b"name", Value::bytes(user.name.as_bytes()));
    array.set_bytes(b"passwd", Value::bytes(user.passwd.as_bytes()));
    array.set_bytes(b"uid", i64::from(user.uid.as_raw()));
    array.set_bytes(b"gid", i64::from(user.gid.as_raw()));
    array.set_bytes(b"gecos", Value::bytes(user.gecos.as_bytes()));
    array.set_bytes(b"dir", Value::bytes(user.dir.as_os_str().as_bytes()));
    array.set_bytes(b"shell", Value::bytes(user.shell.as_os_str().as_bytes()));
    array
}

fn group(group: Group) -> PArray {
    let mut array = PArray::new();
    array.set_bytes(b"name", Value::bytes(group.name.as_bytes()));
    array.set_bytes(b"passwd", Value::bytes(group.passwd.as_bytes()));
    let members: PArray = group.mem.iter().map(|m| Value::bytes(m.as_bytes())).collect();
    array.set_bytes(b"members", members);
    array.set_bytes(b"gid", i64::from(group.gid.as_raw()));
    array
}

/// What a lookup found; that there is no such entry is no error.
fn found<T>(cx: &mut Cx, result: nix::Result<Option<T>>, shown: fn(T) -> PArray) -> OrFalse<PArray> {
    match result {
        Ok(entry) => OrFalse(entry.map(shown)),
        Err(error) => {
            cx.state::<LastError>().0 = error as i32;
            OrFalse(None)
        }
    }
}

pub fn posix_getpwnam(cx: &mut Cx, username: &PStr) -> OrFalse<PArray> {
    let Ok(name) = std::str::from_utf8(username.as_bytes()) else { return OrFalse(None) };
    found(cx, User::from_name(name), user)
}

pub fn posix_getpwuid(cx: &mut Cx, user_id: i64) -> OrFalse<PArray> {
    found(cx, User::from_uid(uid(user_id)), user)
}

pub fn posix_getgrnam(cx: &mut Cx, name: &PStr) -> OrFalse<PArray> {
    let Ok(name) = std::str::from_utf8(name.as_bytes()) else { return OrFalse(None) };
    found(cx, Group::from_name(name), group)
}

pub fn posix_getgrgid(cx: &mut Cx, group_id: i64) -> OrFalse<PArray> {
    found(cx, Group::from_gid(gid(group_id)), group)
}

/// The user who logged in, as the kernel keeps it for the session.
pub fn posix_getlogin(cx: &mut Cx) -> OrFalse<PStr> {
    let id = std::fs::read_to_string("/proc/self/loginuid").ok().and_then(|text| text.trim().parse::<u32>().ok());
    let name = id.filter(|id| *id != u32::MAX).and_then(|id| User::from_uid(nix::unistd::Uid::from_raw(id)).ok().flatten());
    if name.is_none() {
        cx.state::<LastError>().0 = nix::errno::Errno::ENXIO as i32;
    }
    OrFalse(name.map(|user| PStr::new(user.name.as_bytes())))
}
