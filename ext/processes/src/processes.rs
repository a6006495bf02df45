//! fork, waiting for children, signals to other processes, and who this process is.
//!
//! Only a script on the command line is a process of its own: elsewhere nothing is forked, and no child is waited for.

use jumbo_abi::request::SAPI;
use jumbo_abi::{Cx, OrFalse, PArray, PRef, PStr, Res, Value};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::time::Duration;

/// The number of the last error.
#[derive(Default)]
struct LastError(i64);

fn failed(cx: &mut Cx, error: nix::Error) {
    cx.state::<LastError>().0 = i64::from(error as i32);
}

fn on_command_line() -> bool {
    SAPI.get().is_some_and(|sapi| *sapi == "cli")
}

pub fn pcntl_fork(cx: &mut Cx) -> Res<i64> {
    match cx.fork() {
        Some(pid) if pid >= 0 => Ok(i64::from(pid)),
        found => {
            let code = found.map_or(nix::Error::ENOSYS as i32, |negative| -negative);
            cx.state::<LastError>().0 = i64::from(code);
            let why = nix::Error::from_raw(code).desc();
            cx.warning(format!("Error {code}: {why}"))?;
            Ok(-1)
        }
    }
}

/// The status of a child as the system packs it.
fn packed(status: WaitStatus) -> Option<(Pid, i64)> {
    const CORE_DUMPED: i64 = 0x80;
    const STOPPED: i64 = 0x7f;
    const CONTINUED: i64 = 0xffff;
    Some(match status {
        WaitStatus::Exited(pid, code) => (pid, i64::from(code) << 8),
        WaitStatus::Signaled(pid, signal, dumped) => (pid, signal as i64 | if dumped { CORE_DUMPED } else { 0 }),
        WaitStatus::Stopped(pid, signal) => (pid, (signal as i64) << 8 | STOPPED),
        WaitStatus::Continued(pid) => (pid, CONTINUED),
        _ => return None,
    })
}

/// How long to sleep between two looks at a child.
const LOOK_AGAIN: Duration = Duration::from_millis(2);

fn wait_for(cx: &mut Cx, process: i64, status: &PRef, flags: i64, usage: Option<&PRef>) -> Res<i64> {
    let (Ok(process), true) = (i32::try_from(process), on_command_line()) else {
        failed(cx, nix::Error::ECHILD);
        return Ok(-1);
    };
    let flags = WaitPidFlag::from_bits_truncate(flags as i32);
    if let Some(usage) = usage {
        usage.set(Value::from(PArray::new()));
    }
    loop {
        match waitpid(Pid::from_raw(process), Some(flags | WaitPidFlag::WNOHANG)) {
            Ok(found) => {
                if let Some((pid, code)) = packed(found) {
                    status.set(Value::from(code));
                    return Ok(i64::from(pid.as_raw()));
                }
                if flags.contains(WaitPidFlag::WNOHANG) {
                    status.set(Value::from(0));
                    return Ok(0);
                }
            }
            Err(nix::Error::EINTR) => {}
            Err(e) => {
                failed(cx, e);
                return Ok(-1);
            }
        }
        cx.sleep(LOOK_AGAIN);
        cx.check()?;
    }
}

pub fn pcntl_waitpid(cx: &mut Cx, process_id: i64, status: &PRef, flags: i64, resource_usage: Option<&PRef>) -> Res<i64> {
    wait_for(cx, process_id, status, flags, resource_usage)
}

pub fn pcntl_wait(cx: &mut Cx, status: &PRef, flags: i64, resource_usage: Option<&PRef>) -> Res<i64> {
    wait_for(cx, -1, status, flags, resource_usage)
}

fn signal_of(status: i64) -> i64 {
    status & 0x7f
}

pub fn pcntl_wifexited(_cx: &mut Cx, status: i64) -> bool {
    signal_of(status) == 0
}

pub fn pcntl_wifstopped(_cx: &mut Cx, status: i64) -> bool {
    status & 0xff == 0x7f
}

pub fn pcntl_wifcontinued(_cx: &mut Cx, status: i64) -> bool {
    status == 0xffff
}

pub fn pcntl_wifsignaled(_cx: &mut Cx, status: i64) -> bool {
    (1..0x7f).contains(&signal_of(status))
}

pub fn pcntl_wexitstatus(_cx: &mut Cx, status: i64) -> OrFalse<i64> {
    OrFalse(Some(status >> 8 & 0xff))
}

pub fn pcntl_wtermsig(_cx: &mut Cx, status: i64) -> OrFalse<i64> {
    OrFalse(Some(signal_of(status)))
}

pub fn pcntl_wstopsig(_cx: &mut Cx, status: i64) -> OrFalse<i64> {
    OrFalse(Some(status >> 8 & 0xff))
}

/// The alarm is the process's, so it is the command line's alone.
pub fn pcntl_alarm(_cx: &mut Cx, seconds: i64) -> i64 {
    if !on_command_line() {
        return 0;
    }
    let before = match u32::try_from(seconds) {
        Ok(seconds @ 1..) => nix::unistd::alarm::set(seconds),
        _ => nix::unistd::alarm::cancel(),
    };
    before.map_or(0, i64::from)
}

pub fn pcntl_get_last_error(cx: &mut Cx) -> i64 {
    cx.state::<LastError>().0
}

pub fn pcntl_strerror(_cx: &mut Cx, error_code: i64) -> PStr {
    let code = i32::try_from(error_code).unwrap_or(-1);
    let error = std::io::Error::from_raw_os_error(code);
    PStr::new(&jumbo_abi::stream::os_error_text(&error))
}
