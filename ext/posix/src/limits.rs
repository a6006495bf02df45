//! Resource limits, and the variables of the system and of its files.

use crate::functions::{LastError, file_descriptor, may_change, outcome, path};
use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value};
use nix::errno::Errno;
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, setrlimit};
use nix::unistd::{PathconfVar, SysconfVar};

/// The limits by their names in PHP, in its order.
const NAMES: [(&str, Resource); 10] = [
    ("core", Resource::RLIMIT_CORE),
    ("data", Resource::RLIMIT_DATA),
    ("stack", Resource::RLIMIT_STACK),
    ("totalmem", Resource::RLIMIT_AS),
    ("rss", Resource::RLIMIT_RSS),
    ("maxproc", Resource::RLIMIT_NPROC),
    ("memlock", Resource::RLIMIT_MEMLOCK),
    ("cpu", Resource::RLIMIT_CPU),
    ("filesize", Resource::RLIMIT_FSIZE),
    ("openfiles", Resource::RLIMIT_NOFILE),
];

/// A limit by its number (`POSIX_RLIMIT_…`).
fn numbered(n: i64) -> Option<Resource> {
    use Resource::*;
    let all = [
        RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_RSS, RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_MEMLOCK, RLIMIT_AS,
        RLIMIT_LOCKS, RLIMIT_SIGPENDING, RLIMIT_MSGQUEUE, RLIMIT_NICE, RLIMIT_RTPRIO, RLIMIT_RTTIME,
    ];
    all.into_iter().find(|r| *r as i64 == n)
}

fn shown(limit: u64) -> Value {
    if limit == RLIM_INFINITY { Value::bytes(b"unlimited") } else { Value::from(i64::try_from(limit).unwrap_or(i64::MAX)) }
}

pub fn posix_getrlimit(cx: &mut Cx, resource: Option<i64>) -> OrFalse<PArray> {
    if let Some(n) = resource {
        let limits = numbered(n).ok_or(Errno::EINVAL).and_then(getrlimit);
        return match limits {
            Ok((soft, hard)) => OrFalse(Some(PArray::from_values([shown(soft), shown(hard)]))),
            Err(error) => {
                cx.state::<LastError>().0 = error as i32;
                OrFalse(None)
            }
        };
    }
    let mut array = PArray::new();
    for (name, resource) in NAMES {
        match getrlimit(resource) {
            Ok((soft, hard)) => {
                array.set_bytes(format!("soft {name}").as_bytes(), shown(soft));
                array.set_bytes(format!("hard {name}").as_bytes(), shown(hard));
            }
            Err(error) => {
                cx.state::<LastError>().0 = error as i32;
                return OrFalse(None);
            }
        }
    }
    OrFalse(Some(array))
}

pub fn posix_setrlimit(cx: &mut Cx, resource: i64, soft_limit: i64, hard_limit: i64) -> bool {
    let limit = |n: i64| if n == -1 { RLIM_INFINITY } else { n as u64 };
    let result = may_change()
        .and_then(|()| numbered(resource).ok_or(Errno::EINVAL))
        .and_then(|resource| setrlimit(resource, limit(soft_limit), limit(hard_limit)));
    outcome(cx, result)
}

pub fn posix_sysconf(_cx: &mut Cx, conf_id: i64) -> i64 {
    use SysconfVar::*;
    let all = [ARG_MAX, CHILD_MAX, CLK_TCK, PAGE_SIZE, _NPROCESSORS_CONF, _NPROCESSORS_ONLN];
    let value = all.into_iter().find(|v| *v as i64 == conf_id).map(nix::unistd::sysconf);
    value.and_then(Result::ok).flatten().unwrap_or(-1)
}

/// The variable of a file system by its number (`POSIX_PC_…`).
fn variable(n: i64) -> Option<PathconfVar> {
    use PathconfVar::*;
    let all = [
        LINK_MAX, MAX_CANON, MAX_INPUT, NAME_MAX, PATH_MAX, PIPE_BUF, _POSIX_CHOWN_RESTRICTED, _POSIX_NO_TRUNC, POSIX_ALLOC_SIZE_MIN, SYMLINK_MAX,
    ];
    all.into_iter().find(|v| *v as i64 == n)
}

fn pathconf(cx: &mut Cx, path: &[u8], name: i64) -> OrFalse<i64> {
    let result = variable(name).ok_or(Errno::EINVAL).and_then(|variable| nix::unistd::pathconf(path, variable));
    match result {
        Ok(value) => OrFalse(value),
        Err(error) => {
            cx.state::<LastError>().0 = error as i32;
            OrFalse(None)
        }
    }
}

pub fn posix_pathconf(cx: &mut Cx, name: &PStr, variable: i64) -> Res<OrFalse<i64>> {
    if name.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    let full = path(cx, name, 1)?;
    Ok(pathconf(cx, &full, variable))
}

pub fn posix_fpathconf(cx: &mut Cx, descriptor: &Value, variable: i64) -> Res<OrFalse<i64>> {
    let is_int = matches!(descriptor.view_deref(), jumbo_abi::View::Int(_) | jumbo_abi::View::Resource(_));
    if !is_int && jumbo_value::number::parse_numeric(descriptor.deref().as_bytes().unwrap_or(b"")).is_none() {
        let kind = jumbo_abi::args::type_name(descriptor);
        return Err(cx.arg_type_error(1, [b"must be of type int|resource, ".as_slice(), &kind, b" given"].concat()));
    }
    let Some(fd) = file_descriptor(cx, descriptor, true)? else { return Ok(OrFalse(None)) };
    if std::fs::read_link(format!("/proc/self/fd/{fd}")).is_err() {
        cx.state::<LastError>().0 = Errno::EBADF as i32;
        return Ok(OrFalse(None));
    }
    Ok(pathconf(cx, format!("/proc/self/fd/{fd}").as_bytes(), variable))
}
