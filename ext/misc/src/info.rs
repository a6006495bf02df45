//! What the process and the instance are: versions, memory, names.

use jumbo_abi::{Cx, OrFalse, PArray, PStr, Res, Value, registry};
use jumbo_value::Heap;

/// The PHP version that is implemented.
pub const VERSION: &str = "8.4.24";

pub fn phpversion(_cx: &mut Cx, extension: Option<&PStr>) -> OrFalse<PStr> {
    let Some(name) = extension else { return OrFalse(Some(PStr::new(VERSION.as_bytes()))) };
    let found = registry::get().extensions.iter().find(|e| e.name.as_bytes().eq_ignore_ascii_case(name.as_bytes()));
    OrFalse(found.map(|e| PStr::new(e.version.as_bytes())))
}

pub fn php_sapi_name(_cx: &mut Cx) -> PStr {
    PStr::new(jumbo_abi::request::SAPI.get().copied().unwrap_or("cli").as_bytes())
}

fn kernel(file: &str) -> String {
    std::fs::read_to_string(format!("/proc/sys/kernel/{file}")).map_or_else(|_| String::new(), |s| s.trim().to_owned())
}

pub fn php_uname(cx: &mut Cx, mode: &PStr) -> Res<PStr> {
    let machine = std::env::consts::ARCH.to_owned();
    let text = match mode.as_bytes() {
        b"s" => "Linux".to_owned(),
        b"n" => kernel("hostname"),
        b"r" => kernel("osrelease"),
        b"v" => kernel("version"),
        b"m" => machine,
        b"a" => format!("Linux {} {} {} {machine}", kernel("hostname"), kernel("osrelease"), kernel("version")),
        m if m.len() == 1 => return Err(cx.arg_value_error(1, "must be one of \"a\", \"m\", \"n\", \"r\", \"s\", or \"v\"")),
        _ => return Err(cx.arg_value_error(1, "must be a single character")),
    };
    Ok(PStr::new(text.as_bytes()))
}

pub fn sys_get_temp_dir(cx: &mut Cx) -> PStr {
    let set = cx.ini.str("sys_temp_dir");
    if !set.is_empty() {
        return PStr::new(set);
    }
    match crate::settings::environment_variable(cx, b"TMPDIR") {
        Some(dir) if !dir.is_empty() => PStr::new(dir.strip_suffix(b"/").unwrap_or(&dir)),
        _ => PStr::new(b"/tmp"),
    }
}

pub fn getmypid(_cx: &mut Cx) -> i64 {
    i64::from(std::process::id())
}

pub fn get_current_user(cx: &mut Cx) -> PStr {
    crate::settings::environment_variable(cx, b"USER").unwrap_or_else(|| PStr::new(b"root"))
}

pub fn php_ini_loaded_file(cx: &mut Cx) -> OrFalse<PStr> {
    OrFalse(cx.ini.configuration().loaded_file.as_deref().map(PStr::new))
}

pub fn php_ini_scanned_files(cx: &mut Cx) -> OrFalse<PStr> {
    let files = &cx.ini.configuration().scanned_files;
    let lines = [files.join(b",\n".as_slice()), b"\n".to_vec()];
    OrFalse((!files.is_empty()).then(|| PStr::new(&lines.concat())))
}

pub fn memory_get_usage(_cx: &mut Cx, real_usage: bool) -> i64 {
    let heap = Heap::current();
    (if real_usage { heap.real_usage() } else { heap.usage() }) as i64
}

pub fn memory_get_peak_usage(_cx: &mut Cx, real_usage: bool) -> i64 {
    let heap = Heap::current();
    (if real_usage { heap.real_peak() } else { heap.peak() }) as i64
}

pub fn memory_reset_peak_usage(_cx: &mut Cx) {
    Heap::current().reset_peak();
}

pub fn error_log(cx: &mut Cx, message: &PStr, message_type: i64, destination: Option<&PStr>, _headers: Option<&PStr>) -> Res<bool> {
    if let Some(path) = destination {
        jumbo_abi::stream::path_argument(cx, path.as_bytes(), 3)?;
    }
    match message_type {
        3 => {
            let Some(path) = destination else { return Ok(false) };
            let options = jumbo_abi::stream::OpenOptions::default();
            let Some(resource) = jumbo_abi::stream::open(cx, path.as_bytes(), b"a", &options)? else { return Ok(false) };
            let Some(handle) = resource.native::<jumbo_abi::stream::StreamHandle>() else { return Ok(false) };
            let written = handle.write(cx, message.as_bytes());
            handle.close(cx)?;
            Ok(written? == Some(message.len()))
        }
        1 => {
            cx.warning("Mail is not available as a destination")?;
            Ok(false)
        }
        2 => Err(cx.value_error("TCP/IP option is not available for error logging")),
        _ => {
            cx.engine().log(cx, message.as_bytes());
            Ok(true)
        }
    }
}

pub fn sys_getloadavg(_cx: &mut Cx) -> OrFalse<PArray> {
    let Ok(text) = std::fs::read_to_string("/proc/loadavg") else { return OrFalse::FALSE };
    let values: PArray = text.split(' ').take(3).filter_map(|n| n.parse::<f64>().ok()).map(Value::from).collect();
    OrFalse(Some(values))
}

pub fn gethostname(_cx: &mut Cx) -> PStr {
    PStr::new(kernel("hostname").as_bytes())
}
