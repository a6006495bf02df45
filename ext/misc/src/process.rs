//! The process as scripts see it: resources used, the main script's file, options of the command line.

use crate::getopt::{Long, Options, Parsed};
use jumbo_abi::{Cx, OrFalse, PArray, PRef, PStr, Res, Value, View, despite};
use jumbo_value::HeapVec;
use nix::sys::resource::{UsageWho, getrusage as usage};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;

pub fn getrusage(_cx: &mut Cx, mode: i64) -> OrFalse<PArray> {
    let who = if mode == 1 { UsageWho::RUSAGE_CHILDREN } else { UsageWho::RUSAGE_SELF };
    let Ok(u) = usage(who) else { return OrFalse::FALSE };
    let mut array = PArray::new();
    for (name, value) in [
        ("ru_oublock", u.block_writes()),
        ("ru_inblock", u.block_reads()),
        ("ru_msgsnd", u.ipc_sends()),
        ("ru_msgrcv", u.ipc_receives()),
        ("ru_maxrss", u.max_rss()),
        ("ru_ixrss", u.shared_integral()),
        ("ru_idrss", u.unshared_data_integral()),
        ("ru_minflt", u.minor_page_faults()),
        ("ru_majflt", u.major_page_faults()),
        ("ru_nsignals", u.signals()),
        ("ru_nvcsw", u.voluntary_context_switches()),
        ("ru_nivcsw", u.involuntary_context_switches()),
        ("ru_nswap", u.full_swaps()),
        ("ru_utime.tv_usec", u.user_time().tv_usec()),
        ("ru_utime.tv_sec", u.user_time().tv_sec()),
        ("ru_stime.tv_usec", u.system_time().tv_usec()),
        ("ru_stime.tv_sec", u.system_time().tv_sec()),
    ] {
        array.set_bytes(name.as_bytes(), value);
    }
    OrFalse(Some(array))
}

/// What the system says of the main script's file.
fn main_script(cx: &mut Cx) -> Option<std::fs::Metadata> {
    let path = cx.engine().included_files(cx).into_iter().next()?;
    std::fs::metadata(std::ffi::OsStr::from_bytes(path.as_bytes())).ok()
}

/// The owner of the main script; without one, the process's.
pub fn getmyuid(cx: &mut Cx) -> i64 {
    main_script(cx).map_or_else(|| i64::from(nix::unistd::getuid().as_raw()), |m| i64::from(m.uid()))
}

pub fn getmygid(cx: &mut Cx) -> i64 {
    main_script(cx).map_or_else(|| i64::from(nix::unistd::getgid().as_raw()), |m| i64::from(m.gid()))
}

pub fn getmyinode(cx: &mut Cx) -> OrFalse<i64> {
    OrFalse(main_script(cx).map(|m| m.ino() as i64))
}

pub fn getlastmod(cx: &mut Cx) -> OrFalse<i64> {
    OrFalse(main_script(cx).map(|m| m.mtime()))
}

/// `$_SERVER['argv']`, or the global `$argv`.
fn arguments(cx: &mut Cx) -> Res<Option<HeapVec<PStr>>> {
    let server = cx.engine().global(cx, b"_SERVER");
    let listed = server.as_ref().and_then(|s| s.deref().as_array()?.get_bytes(b"argv").map(Value::copy_deref));
    let listed = match listed {
        Some(v) if v.is_array() => v,
        _ => match cx.engine().global(cx, b"argv") {
            Some(v) => v.into_deref(),
            None => return Ok(None),
        },
    };
    let Some(array) = listed.as_array() else { return Ok(None) };
    let mut texts = HeapVec::with_capacity(array.len())?;
    for (_, value) in array.entries() {
        match despite(cx.to_string(value.deref()))? {
            Some(text) => texts.push(text)?,
            None => return Ok(None),
        }
    }
    Ok(Some(texts))
}

pub fn getopt(cx: &mut Cx, short: &PStr, long: &PArray, rest_index: Option<&PRef>) -> Res<OrFalse<PArray>> {
    if let Some(rest) = rest_index {
        rest.set(Value::from(1i64));
    }
    let Some(arguments) = arguments(cx)? else { return Ok(OrFalse::FALSE) };
    let mut names = HeapVec::with_capacity(long.len())?;
    for (_, value) in long.entries() {
        names.push(cx.text_despite(&value)?)?;
    }
    let long = HeapVec::collect(names.iter().map(|name| Long::parse(name.as_bytes())))?;
    let options = Options { short: Options::parse_short(short.as_bytes())?, long };
    cx.unless_thrown(())?;
    let arguments = HeapVec::collect(arguments.iter().map(|a| a.as_bytes()))?;
    let Parsed { found, rest } = options.parse(&arguments)?;
    let mut result = PArray::new();
    for (name, value) in found {
        let value = value.map_or(Value::from(false), Value::bytes);
        match result.get_sym(name).cloned() {
            None => result.set_sym(name, value),
            Some(before) => {
                let mut list = match before.view() {
                    View::Array(a) => a.clone(),
                    _ => PArray::from_values([before.clone()]),
                };
                list.append(value);
                result.set_sym(name, list);
            }
        }
    }
    if let Some(reference) = rest_index {
        reference.set(Value::from(rest as i64));
    }
    Ok(OrFalse(Some(result)))
}

pub fn ftok(cx: &mut Cx, filename: &PStr, project_id: &PStr) -> Res<i64> {
    if filename.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    if project_id.len() != 1 {
        return Err(cx.arg_value_error(2, "must be a single character"));
    }
    let path = jumbo_abi::stream::path_buf(cx, filename.as_bytes());
    if !jumbo_abi::stream::allowed(cx, filename.as_bytes(), false)? {
        return Ok(-1);
    }
    match jumbo_abi::blocking::at(cx, &path, |path| std::fs::metadata(path)) {
        // As glibc composes it: project, device, inode.
        Ok(m) => {
            let key = (m.ino() & 0xffff) as u32 | ((m.dev() & 0xff) as u32) << 16 | u32::from(project_id.as_bytes()[0]) << 24;
            Ok(i64::from(key as i32))
        }
        Err(e) => {
            cx.warning([b"ftok() failed - ".as_slice(), &jumbo_abi::stream::os_error_text(&e)])?;
            Ok(-1)
        }
    }
}

/// Extensions are part of the program: there is nothing to load.
pub fn dl(cx: &mut Cx, extension_filename: &PStr) -> Res<bool> {
    if extension_filename.len() >= 4096 {
        cx.warning("Filename exceeds the maximum allowed length of 4096 characters")?;
        return Ok(false);
    }
    if extension_filename.as_bytes().contains(&b'/') {
        cx.warning("Temporary module name should contain only filename")?;
        return Ok(false);
    }
    cx.warning("Dynamically loaded extensions aren't enabled")?;
    Ok(false)
}

/// The title that the script gave the process. The process, which serves others too, keeps its own.
#[derive(Default)]
struct Title(Option<PStr>);

pub fn cli_set_process_title(cx: &mut Cx, title: &PStr) -> bool {
    cx.state::<Title>().0 = Some(title.clone());
    true
}

pub fn cli_get_process_title(cx: &mut Cx) -> PStr {
    cx.state::<Title>().0.clone().unwrap_or_else(PStr::empty)
}
