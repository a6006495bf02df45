//! Processes, identities, files, and what the system says of itself.

pub use crate::accounts::{posix_getgrgid, posix_getgrnam, posix_getlogin, posix_getpwnam, posix_getpwuid};
pub use crate::limits::{posix_fpathconf, posix_getrlimit, posix_pathconf, posix_setrlimit, posix_sysconf};
use jumbo_abi::stream::{self, StreamHandle};
use jumbo_abi::{Cx, Level, OrFalse, PArray, PStr, Res, Value, View};
use nix::errno::Errno;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::Signal;
use nix::sys::stat::{Mode, SFlag, makedev};
use nix::sys::time::TimeValLike;
use nix::unistd::{self, AccessFlags, Gid, Pid, Uid};
use std::ffi::CString;

/// The number of the last error of this extension's functions.
#[derive(Default)]
pub struct LastError(pub i32);

/// True when it worked; else the error is kept.
pub fn outcome(cx: &mut Cx, result: nix::Result<()>) -> bool {
    match result {
        Ok(()) => true,
        Err(error) => {
            cx.state::<LastError>().0 = error as i32;
            false
        }
    }
}

/// The number, or false with the error kept.
fn number(cx: &mut Cx, result: nix::Result<Pid>) -> OrFalse<i64> {
    match result {
        Ok(pid) => OrFalse(Some(i64::from(pid.as_raw()))),
        Err(error) => {
            cx.state::<LastError>().0 = error as i32;
            OrFalse(None)
        }
    }
}

/// May this instance change the process? Only when it is alone in it.
pub fn may_change() -> nix::Result<()> {
    if jumbo_abi::request::SAPI.get().is_none_or(|sapi| *sapi == "cli") { Ok(()) } else { Err(Errno::EPERM) }
}

// PHP hands the low 32 bits of ids on.

pub fn uid(id: i64) -> Uid {
    Uid::from_raw(id as u32)
}

pub fn gid(id: i64) -> Gid {
    Gid::from_raw(id as u32)
}

fn pid(id: i64) -> Pid {
    Pid::from_raw(id as i32)
}

/// A path that argument `n` says, made absolute.
pub fn path(cx: &mut Cx, name: &PStr, n: u32) -> Res<Vec<u8>> {
    if stream::has_nul(name.as_bytes()) {
        return Err(cx.arg_value_error(n, "must not contain any null bytes"));
    }
    if name.is_empty() {
        return Ok(Vec::new());
    }
    Ok(std::os::unix::ffi::OsStringExt::into_vec(stream::path_buf(cx, name.as_bytes()).into_os_string()))
}

// ---- errors

pub fn posix_errno(cx: &mut Cx) -> i64 {
    i64::from(cx.state::<LastError>().0)
}

pub fn posix_get_last_error(cx: &mut Cx) -> i64 {
    posix_errno(cx)
}

pub fn posix_strerror(_cx: &mut Cx, error_code: i64) -> PStr {
    PStr::new(&stream::os_error_text(&std::io::Error::from_raw_os_error(error_code as i32)))
}

// ---- identities

pub fn posix_getuid(_cx: &mut Cx) -> i64 {
    i64::from(unistd::getuid().as_raw())
}

pub fn posix_geteuid(_cx: &mut Cx) -> i64 {
    i64::from(unistd::geteuid().as_raw())
}

pub fn posix_getgid(_cx: &mut Cx) -> i64 {
    i64::from(unistd::getgid().as_raw())
}

pub fn posix_getegid(_cx: &mut Cx) -> i64 {
    i64::from(unistd::getegid().as_raw())
}

pub fn posix_setuid(cx: &mut Cx, user_id: i64) -> bool {
    let result = may_change().and_then(|()| unistd::setuid(uid(user_id)));
    outcome(cx, result)
}

pub fn posix_seteuid(cx: &mut Cx, user_id: i64) -> bool {
    let result = may_change().and_then(|()| unistd::seteuid(uid(user_id)));
    outcome(cx, result)
}

pub fn posix_setgid(cx: &mut Cx, group_id: i64) -> bool {
    let result = may_change().and_then(|()| unistd::setgid(gid(group_id)));
    outcome(cx, result)
}

pub fn posix_setegid(cx: &mut Cx, group_id: i64) -> bool {
    let result = may_change().and_then(|()| unistd::setegid(gid(group_id)));
    outcome(cx, result)
}

pub fn posix_initgroups(cx: &mut Cx, username: &PStr, group_id: i64) -> bool {
    let Some(name) = CString::new(username.as_bytes()).ok().filter(|n| !n.is_empty()) else { return false };
    let result = may_change().and_then(|()| unistd::initgroups(&name, gid(group_id)));
    outcome(cx, result)
}

pub fn posix_getgroups(cx: &mut Cx) -> OrFalse<PArray> {
    match unistd::getgroups() {
        Ok(groups) => OrFalse(Some(groups.iter().map(|g| Value::from(i64::from(g.as_raw()))).collect())),
        Err(error) => {
            cx.state::<LastError>().0 = error as i32;
            OrFalse(None)
        }
    }
}

// ---- processes

pub fn posix_getpid(_cx: &mut Cx) -> i64 {
    i64::from(unistd::getpid().as_raw())
}

pub fn posix_getppid(_cx: &mut Cx) -> i64 {
    i64::from(unistd::getppid().as_raw())
}

pub fn posix_getpgrp(_cx: &mut Cx) -> i64 {
    i64::from(unistd::getpgrp().as_raw())
}

pub fn posix_getpgid(cx: &mut Cx, process_id: i64) -> OrFalse<i64> {
    number(cx, unistd::getpgid(Some(pid(process_id))))
}

pub fn posix_getsid(cx: &mut Cx, process_id: i64) -> OrFalse<i64> {
    number(cx, unistd::getsid(Some(pid(process_id))))
}

/// -1 when it failed, as the system says it.
pub fn posix_setsid(cx: &mut Cx) -> i64 {
    match may_change().and_then(|()| unistd::setsid()) {
        Ok(pid) => i64::from(pid.as_raw()),
        Err(error) => {
            cx.state::<LastError>().0 = error as i32;
            -1
        }
    }
}

pub fn posix_setpgid(cx: &mut Cx, process_id: i64, process_group_id: i64) -> bool {
    let result = may_change().and_then(|()| unistd::setpgid(pid(process_id), pid(process_group_id)));
    outcome(cx, result)
}

pub fn posix_kill(cx: &mut Cx, process_id: i64, signal: i64) -> bool {
    let signal = match signal {
        0 => Ok(None),
        n => i32::try_from(n).map_err(|_| Errno::EINVAL).and_then(Signal::try_from).map(Some),
    };
    let result = signal.and_then(|signal| nix::sys::signal::kill(pid(process_id), signal));
    outcome(cx, result)
}

pub fn posix_times(cx: &mut Cx) -> OrFalse<PArray> {
    /// Ticks are hundredths of a second.
    const TICK_US: i64 = 10_000;
    let (Ok(own), Ok(children)) = (getrusage(UsageWho::RUSAGE_SELF), getrusage(UsageWho::RUSAGE_CHILDREN)) else {
        cx.state::<LastError>().0 = Errno::EFAULT as i32;
        return OrFalse(None);
    };
    let up = std::fs::read_to_string("/proc/uptime").ok().and_then(|t| t.split(' ').next().and_then(|s| s.parse::<f64>().ok()));
    let mut array = PArray::new();
    array.set_bytes(b"ticks", (up.unwrap_or(0.0) * 100.0) as i64);
    array.set_bytes(b"utime", own.user_time().num_microseconds() / TICK_US);
    array.set_bytes(b"stime", own.system_time().num_microseconds() / TICK_US);
    array.set_bytes(b"cutime", children.user_time().num_microseconds() / TICK_US);
    array.set_bytes(b"cstime", children.system_time().num_microseconds() / TICK_US);
    OrFalse(Some(array))
}

// ---- the system

pub fn posix_uname(cx: &mut Cx) -> OrFalse<PArray> {
    use std::os::unix::ffi::OsStrExt;
    match nix::sys::utsname::uname() {
        Ok(name) => {
            let mut array = PArray::new();
            array.set_bytes(b"sysname", Value::bytes(name.sysname().as_bytes()));
            array.set_bytes(b"nodename", Value::bytes(name.nodename().as_bytes()));
            array.set_bytes(b"release", Value::bytes(name.release().as_bytes()));
            array.set_bytes(b"version", Value::bytes(name.version().as_bytes()));
            array.set_bytes(b"machine", Value::bytes(name.machine().as_bytes()));
            array.set_bytes(b"domainname", Value::bytes(name.domainname().as_bytes()));
            OrFalse(Some(array))
        }
        Err(error) => {
            cx.state::<LastError>().0 = error as i32;
            OrFalse(None)
        }
    }
}

/// Always this name on Linux.
pub fn posix_ctermid(_cx: &mut Cx) -> OrFalse<PStr> {
    OrFalse(Some(PStr::from("/dev/tty")))
}

pub fn posix_getcwd(cx: &mut Cx) -> OrFalse<PStr> {
    OrFalse(Some(PStr::new(&cx.cwd.clone())))
}

// ---- files

pub fn posix_mkfifo(cx: &mut Cx, filename: &PStr, permissions: i64) -> Res<bool> {
    let path = path(cx, filename, 1)?;
    let result = unistd::mkfifo(path.as_slice(), Mode::from_bits_truncate(permissions as u32));
    Ok(outcome(cx, result))
}

pub fn posix_mknod(cx: &mut Cx, filename: &PStr, flags: i64, major: i64, minor: i64) -> Res<bool> {
    let path = path(cx, filename, 1)?;
    let bits = flags as u32;
    let kind = SFlag::from_bits_truncate(bits & SFlag::S_IFMT.bits());
    let device = if kind == SFlag::S_IFCHR || kind == SFlag::S_IFBLK {
        if major == 0 {
            return Err(cx.arg_value_error(3, "cannot be 0 for the POSIX_S_IFCHR and POSIX_S_IFBLK modes"));
        }
        makedev(major as u64, minor as u64)
    } else {
        0
    };
    let result = nix::sys::stat::mknod(path.as_slice(), kind, Mode::from_bits_truncate(bits), device);
    Ok(outcome(cx, result))
}

pub fn posix_access(cx: &mut Cx, filename: &PStr, flags: i64) -> Res<bool> {
    let path = path(cx, filename, 1)?;
    if path.is_empty() {
        cx.state::<LastError>().0 = Errno::EIO as i32;
        return Ok(false);
    }
    let result = unistd::access(path.as_slice(), AccessFlags::from_bits_truncate(flags as i32));
    Ok(outcome(cx, result))
}

pub fn posix_eaccess(cx: &mut Cx, filename: &PStr, flags: i64) -> Res<bool> {
    let path = path(cx, filename, 1)?;
    // A name that is too long has no absolute form.
    if path.is_empty() || path.len() >= nix::libc::PATH_MAX as usize {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let result = unistd::eaccess(path.as_slice(), AccessFlags::from_bits_truncate(flags as i32));
    Ok(outcome(cx, result))
}

/// The number behind a stream or an int. None: there is none, and `warns` decides whether that was told.
pub fn file_descriptor(cx: &mut Cx, value: &Value, warns: bool) -> Res<Option<i64>> {
    let value = value.deref();
    if let View::Resource(resource) = value.view() {
        let resource = resource.clone();
        let Some(handle) = resource.native::<StreamHandle>() else {
            let text = [cx.active_function_name().as_slice(), b"(): supplied resource is not a valid stream resource"].concat();
            return Err(cx.type_error(text));
        };
        let behind = handle.stream().clone();
        let fd = behind.descriptor(cx)?;
        if fd.is_none() {
            cx.warning(format!("Could not use stream of type '{}'", behind.kind()))?;
        }
        return Ok(fd.map(i64::from));
    }
    Ok(Some(match value.view() {
        View::Int(i) => i,
        View::Bool(b) => i64::from(b),
        View::Null | View::Undef => {
            let text = [
                cx.active_function_name().as_slice(),
                b"(): Passing null to parameter #1 ($file_descriptor) of type int is deprecated",
            ]
            .concat();
            cx.raise(Level::Deprecated, &text)?;
            0
        }
        View::Float(f) => {
            if !jumbo_value::number::float_is_int(f) {
                cx.deprecated_fraction(value, f)?;
            }
            jumbo_value::number::float_to_int(f)
        }
        View::Str(s) if jumbo_value::number::parse_numeric(s.as_bytes()).is_some() => {
            let n = jumbo_value::number::parse_numeric(s.as_bytes()).map_or(0.0, |n| n.to_f64());
            if !jumbo_value::number::float_is_int(n) {
                cx.deprecated_fraction(value, n)?;
            }
            jumbo_value::convert::to_int(value)
        }
        _ => {
            if warns {
                let kind = jumbo_abi::args::type_name(value);
                let head = b"Argument #1 ($file_descriptor) must be of type int|resource, ".as_slice();
                cx.warning([head, &kind, b" given"].concat())?;
            }
            return Ok(None);
        }
    }))
}

/// The terminal that a descriptor is.
fn terminal(cx: &mut Cx, fd: i64) -> Option<Vec<u8>> {
    use std::os::unix::ffi::OsStringExt;
    let name = i32::try_from(fd).ok().filter(|fd| *fd >= 0).and_then(|fd| std::fs::read_link(format!("/proc/self/fd/{fd}")).ok());
    let Some(name) = name else {
        cx.state::<LastError>().0 = Errno::EBADF as i32;
        return None;
    };
    let name = name.into_os_string().into_vec();
    let number = name.strip_prefix(b"/dev/tty").map(<[u8]>::to_vec);
    let is_terminal = name.starts_with(b"/dev/pts/") || number.is_some() || name == b"/dev/console";
    if !is_terminal {
        cx.state::<LastError>().0 = Errno::ENOTTY as i32;
    }
    is_terminal.then_some(name)
}

pub fn posix_isatty(cx: &mut Cx, descriptor: &Value) -> Res<bool> {
    match file_descriptor(cx, descriptor, true)? {
        Some(fd) => Ok(terminal(cx, fd).is_some()),
        None => Ok(false),
    }
}

pub fn posix_ttyname(cx: &mut Cx, descriptor: &Value) -> Res<OrFalse<PStr>> {
    let Some(fd) = file_descriptor(cx, descriptor, true)? else { return Ok(OrFalse(None)) };
    if !(0..=i64::from(i32::MAX)).contains(&fd) {
        cx.warning(format!("Argument #1 ($file_descriptor) must be between 0 and {}", i32::MAX))?;
        return Ok(OrFalse(None));
    }
    Ok(OrFalse(terminal(cx, fd).map(|name| PStr::new(&name))))
}
