//! Programs: exec and its family, popen, proc_open.
//!
//! Children get the instance's environment and working directory. Waiting for one never blocks an executor: the end of a
//! process is a descriptor that becomes readable.

use crate::plain::Plain;
use crate::wait::{self, For};
use command_fds::{CommandFdExt, FdMapping};
use jumbo_ext_misc::settings::environment;
use jumbo_abi::stream::{self, Opened, StreamHandle, os_error_text, stream_argument};
use jumbo_abi::{Cx, Message, Key, OrFalse, PArray, PRef, PResource, PStr, Res, Value};
use jumbo_value::PStrBuilder;
use jumbo_value::object::Native;
use jumbo_value::resource::NativeRef;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::rc::Rc;

/// Children of `popen`, by the number of their stream's resource.
#[derive(Default)]
struct Piped(HashMap<i64, Child>);

const PROCESS: &str = "process";

/// Native state of a resource of type "process".
struct Process {
    child: RefCell<Option<Child>>,
    pid: u32,
    command: PStr,
    pipes: RefCell<Vec<PResource>>,
    /// Known since somebody asked for it: the system tells only once.
    ended: Cell<Option<ExitStatus>>,
    told: Cell<bool>,
}

impl Native for Process {}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            abandon(child);
        }
    }
}

/// Waits for a child that nobody asks for any more, elsewhere: it must not stay a zombie.
fn abandon(mut child: Child) {
    if !matches!(child.try_wait(), Ok(Some(_))) {
        // When no thread can be had, the child stays a zombie until the process ends.
        let _ = std::thread::Builder::new().spawn(move || child.wait());
    }
}

/// Waits for the end of a child.
pub fn wait_for(cx: &mut Cx, child: &mut Child) -> Res<Option<ExitStatus>> {
    let pid = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid
        && !matches!(child.try_wait(), Ok(Some(_)))
        && let Ok(fd) = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty())
    {
        wait::until_ready(cx, &fd, For::Reading, None)?;
    }
    wait::until_some(cx, |_| {
        Ok(match child.try_wait() {
            Ok(Some(status)) => Some(Some(status)),
            Ok(None) => None,
            Err(_) => Some(None),
        })
    })
}

/// What PHP's functions give for the end of a process: its exit status, or the signal.
fn code(status: Option<ExitStatus>) -> i64 {
    status.map_or(-1, |s| i64::from(s.code().or(s.signal()).unwrap_or(-1)))
}

/// The longest argument or variable that the system gives a new process, which refuses to start one otherwise.
const ARGUMENT_MAX: usize = 128 << 10;
/// More than all of them together may have.
const ARGUMENTS_MAX: usize = 8 << 20;

/// As much of an argument as the system needs to refuse what it would refuse of the whole; the rest is not copied. None: there is more
/// than enough already.
fn copied<'a>(argument: &'a [u8], left: &mut usize) -> Option<&'a OsStr> {
    // Each has a NUL and a pointer of its own.
    *left = left.checked_sub(1 + size_of::<usize>())?;
    let len = argument.len().min(ARGUMENT_MAX + 1).min(*left);
    *left -= len;
    Some(OsStr::from_bytes(&argument[..len]))
}

fn copied_pair<'a>(name: &'a [u8], value: &'a [u8], left: &mut usize) -> Option<(&'a OsStr, &'a OsStr)> {
    Some((copied(name, left)?, copied(value, left)?))
}

/// A command with the instance's environment and working directory.
fn prepare(cx: &mut Cx, program: &[u8], arguments: &[&[u8]]) -> Command {
    // The child may write to the same terminal.
    crate::plain::flush_terminal(cx);
    let mut left = ARGUMENTS_MAX;
    let mut command = Command::new(copied(program, &mut left).unwrap_or_default());
    command.args(arguments.iter().map_while(|a| copied(a, &mut left)));
    command.env_clear();
    command.envs(environment(cx).map_while(|(name, value)| copied_pair(name, value, &mut left)));
    command.current_dir(OsStr::from_bytes(&cx.cwd));
    command
}

fn shell(cx: &mut Cx, line: &[u8]) -> Res<Command> {
    Ok(match jumbo_abi::request::CHILDREN_FILES_LIMIT.get() {
        None => prepare(cx, b"/bin/sh", &[b"-c", line]),
        Some(limit) => {
            let limit = limit.to_string();
            let limited = [b"ulimit -Sn ".as_slice(), limit.as_bytes(), b"; exec /bin/sh -c \"$0\""].to_str()?;
            prepare(cx, b"/bin/sh", &[b"-c", &limited, line])
        }
    })
}

fn command_argument(cx: &mut Cx, command: &PStr) -> Res<()> {
    if command.is_empty() {
        return Err(cx.arg_value_error(1, "must not be empty"));
    }
    if stream::has_nul(command.as_bytes()) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    Ok(())
}

/// Runs a line of the shell, gives each piece of its output to `each`, and waits for its end. None: it could not be run.
fn run(cx: &mut Cx, line: &PStr, each: &mut dyn FnMut(&mut Cx, &[u8]) -> Res<()>) -> Res<Option<i64>> {
    command_argument(cx, line)?;
    let mut command = shell(cx, line.as_bytes())?;
    let child = command.stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        cx.warning([b"Unable to fork [".as_slice(), line.as_bytes(), b"]"])?;
        return Ok(None);
    };
    let result = match child.stdout.take() {
        Some(output) => read_to_end(cx, File::from(OwnedFd::from(output)), each),
        None => Ok(()),
    };
    if let Err(stop) = result {
        abandon(child);
        return Err(stop);
    }
    let status = wait_for(cx, &mut child)?;
    Ok(Some(code(status)))
}

/// Gives a shell command its input, waits for it, and says how it ended. None: it could not be started. Its outputs are the
/// process's own.
pub fn feed_shell(cx: &mut Cx, line: &[u8], input: &[u8]) -> Res<Option<i64>> {
    use std::io::Write;
    let mut command = shell(cx, line)?;
    let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else { return Ok(None) };
    if let Some(pipe) = child.stdin.take() {
        let pipe = File::from(OwnedFd::from(pipe));
        // A pipe that is ready takes this much without blocking.
        for piece in input.chunks(4096) {
            if let Err(stop) = wait::until_ready(cx, &pipe, For::Writing, None) {
                abandon(child);
                return Err(stop);
            }
            // A child that does not read its input to the end is judged by its exit status.
            if (&pipe).write_all(piece).is_err() {
                break;
            }
        }
    }
    let status = wait_for(cx, &mut child)?;
    Ok(Some(code(status)))
}

fn read_to_end(cx: &mut Cx, output: File, each: &mut dyn FnMut(&mut Cx, &[u8]) -> Res<()>) -> Res<()> {
    use std::io::Read;
    let mut buffer = vec![0; 8192];
    loop {
        wait::until_ready(cx, &output, For::Reading, None)?;
        match (&output).read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => each(cx, &buffer[..n])?,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return Ok(()),
        }
    }
}

fn trim_end(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|b| !matches!(b, b' ' | b'\t'..=b'\r')).map_or(0, |at| at + 1);
    &line[..end]
}

/// The lines of a command's output, without what is white at their ends.
fn lines(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    let text = text.strip_suffix(b"\n").map_or((!text.is_empty()).then_some(text), Some);
    text.into_iter().flat_map(|text| text.split(|b| *b == b'\n')).map(trim_end)
}

pub fn exec(cx: &mut Cx, command: &PStr, output: Option<&PRef>, result_code: Option<&PRef>) -> Res<OrFalse<PStr>> {
    let mut text = PStrBuilder::new();
    let status = run(cx, command, &mut |_, bytes| {
        text.extend(bytes)?;
        Ok(())
    })?;
    let Some(status) = status else { return Ok(OrFalse::FALSE) };
    if let Some(r) = output {
        // Lines are added to what the array has.
        let mut list = match r.take().as_array() {
            Some(list) => list.clone(),
            None => PArray::new(),
        };
        for line in lines(&text) {
            cx.check()?;
            list.append(PStr::new(line));
        }
        r.set(Value::from(list));
    }
    if let Some(r) = result_code {
        r.set(Value::from(status));
    }
    Ok(OrFalse(Some(PStr::new(lines(&text).next_back().unwrap_or_default()))))
}

pub fn system(cx: &mut Cx, command: &PStr, result_code: Option<&PRef>) -> Res<OrFalse<PStr>> {
    let mut text = PStrBuilder::new();
    let status = run(cx, command, &mut |cx, bytes| {
        text.extend(bytes)?;
        cx.write(bytes)?;
        if cx.output.buffers.is_empty() {
            cx.flush_sink();
        }
        Ok(())
    })?;
    let Some(status) = status else { return Ok(OrFalse::FALSE) };
    if let Some(r) = result_code {
        r.set(Value::from(status));
    }
    Ok(OrFalse(Some(PStr::new(lines(&text).next_back().unwrap_or_default()))))
}

pub fn passthru(cx: &mut Cx, command: &PStr, result_code: Option<&PRef>) -> Res<Value> {
    let status = run(cx, command, &mut |cx, bytes| cx.write(bytes))?;
    let Some(status) = status else { return Ok(Value::from(false)) };
    if let Some(r) = result_code {
        r.set(Value::from(status));
    }
    Ok(Value::null())
}

pub fn shell_exec(cx: &mut Cx, command: &PStr) -> Res<Value> {
    let mut text = PStrBuilder::new();
    let status = run(cx, command, &mut |_, bytes| {
        text.extend(bytes)?;
        Ok(())
    })?;
    Ok(match status {
        None => Value::from(false),
        Some(_) if text.is_empty() => Value::null(),
        Some(_) => Value::from(text.finish()),
    })
}

pub fn popen(cx: &mut Cx, command: &PStr, mode: &PStr) -> Res<Value> {
    if stream::has_nul(command.as_bytes()) {
        return Err(cx.arg_value_error(1, "must not contain any null bytes"));
    }
    let reads = match mode.as_bytes() {
        b"r" | b"rb" => true,
        b"w" | b"wb" => false,
        _ => return Err(cx.arg_value_error(2, "must be one of \"r\", \"rb\", \"w\", or \"wb\"")),
    };
    let mut prepared = shell(cx, command.as_bytes())?;
    if reads {
        prepared.stdout(Stdio::piped());
    } else {
        prepared.stdin(Stdio::piped());
    }
    let mut child = match prepared.spawn() {
        Ok(child) => child,
        Err(e) => {
            let text = [command.as_bytes(), b",", mode.as_bytes()].to_str()?;
            stream::report(cx, jumbo_abi::Level::Warning, &text, &os_error_text(&e))?;
            return Ok(Value::from(false));
        }
    };
    let end = match (child.stdout.take(), child.stdin.take()) {
        (Some(output), _) => OwnedFd::from(output),
        (None, Some(input)) => OwnedFd::from(input),
        (None, None) => return Ok(Value::from(false)),
    };
    let opened = Opened::new(Rc::new(Plain::new(File::from(end))));
    let resource = stream::to_resource(cx, opened, mode.as_bytes(), None, "");
    cx.state::<Piped>().0.insert(resource.id(), child);
    Ok(Value::from(resource))
}

/// A stream was closed: when it led to a child of `popen`, waits for that.
pub fn stream_closed(cx: &mut Cx, resource: &PResource) -> Res<Option<i64>> {
    let table = &mut cx.state::<Piped>().0;
    if table.is_empty() {
        return Ok(None);
    }
    match table.remove(&resource.id()) {
        Some(mut child) => {
            let status = wait_for(cx, &mut child)?;
            Ok(Some(code(status)))
        }
        None => Ok(None),
    }
}

pub fn pclose(cx: &mut Cx, handle: &Value) -> Res<i64> {
    let stream = stream_argument(cx, handle, 1)?;
    stream.close(cx)?;
    drop(stream);
    let Some(resource) = handle.deref().as_resource() else { return Ok(-1) };
    resource.close();
    // What is no process has no status.
    Ok(stream_closed(cx, resource)?.unwrap_or(0))
}

/// What becomes of one descriptor of the child.
enum Plan {
    Use(OwnedFd),
    /// The child's end, and the script's.
    Pipe { child: OwnedFd, own: OwnedFd, own_mode: &'static [u8] },
    Redirect(i64),
}

fn to_text(cx: &mut Cx, value: Option<&Value>, missing: &str) -> Res<PStr> {
    match value {
        Some(value) => {
            let value = value.copy_deref();
            cx.to_string(&value)
        }
        None => Err(cx.value_error(missing)),
    }
}

/// One entry of `$descriptor_spec`. None: a warning was given.
fn plan(cx: &mut Cx, entry: &Value) -> Res<Option<Plan>> {
    if entry.deref().as_resource().is_some() {
        let handle = stream_argument(cx, entry, 2)?;
        return Ok(crate::streams::duplicate_of(cx, &handle)?.map(|f| Plan::Use(OwnedFd::from(f))));
    }
    let Some(list) = entry.deref().as_array().cloned() else {
        return Err(cx.arg_value_error(2, "must only contain arrays and streams"));
    };
    let kind = to_text(cx, list.get_int(0), "Missing handle qualifier")?;
    match kind.as_bytes() {
        b"pipe" => {
            let mode = to_text(cx, list.get_int(1), "Missing mode parameter for 'pipe'")?;
            let Ok((read, write)) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC) else {
                let e = std::io::Error::last_os_error();
                cx.warning([b"Unable to create pipe ".as_slice(), &os_error_text(&e)])?;
                return Ok(None);
            };
            Ok(Some(if mode.as_bytes().first() == Some(&b'w') {
                Plan::Pipe { child: write, own: read, own_mode: b"r" }
            } else {
                Plan::Pipe { child: read, own: write, own_mode: b"w" }
            }))
        }
        b"socket" => {
            use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
            match socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None) {
                Ok((own, child)) => Ok(Some(Plan::Pipe { child, own, own_mode: b"r+" })),
                Err(e) => {
                    cx.warning([b"Unable to create socket pair: ".as_slice(), &os_error_text(&e.into())])?;
                    Ok(None)
                }
            }
        }
        b"file" => {
            let name = to_text(cx, list.get_int(1), "Missing file name parameter for 'file'")?;
            let mode = to_text(cx, list.get_int(2), "Missing mode parameter for 'file'")?;
            let options = stream::OpenOptions::default();
            let Some(resource) = stream::open(cx, name.as_bytes(), mode.as_bytes(), &options)? else { return Ok(None) };
            let file = match resource.native::<StreamHandle>() {
                Some(handle) => crate::streams::duplicate_of(cx, &handle)?,
                None => None,
            };
            crate::file::finish(cx, &resource)?;
            Ok(file.map(|f| Plan::Use(OwnedFd::from(f))))
        }
        b"null" => match File::options().read(true).write(true).open("/dev/null") {
            Ok(file) => Ok(Some(Plan::Use(OwnedFd::from(file)))),
            Err(e) => {
                cx.warning([b"Failed to open /dev/null: ".as_slice(), &os_error_text(&e)])?;
                Ok(None)
            }
        },
        b"redirect" => match list.get_int(1).map(Value::copy_deref) {
            Some(target) => match target.as_int() {
                Some(n) => Ok(Some(Plan::Redirect(n))),
                None => {
                    let given = jumbo_abi::args::type_name(&target);
                    Err(cx.value_error([b"Redirection target must be of type int, ".as_slice(), &given, b" given"]))
                }
            },
            None => Err(cx.value_error("Missing redirection target")),
        },
        b"pty" => {
            cx.warning("PTY (pseudoterminal) not supported on this system")?;
            Ok(None)
        }
        other => {
            let text = [other, b" is not a valid descriptor spec/mode".as_slice()];
            cx.warning(text)?;
            Ok(None)
        }
    }
}

pub fn proc_open(
    cx: &mut Cx,
    command: &Value,
    descriptor_spec: &PArray,
    pipes: &PRef,
    cwd: Option<&PStr>,
    env_vars: Option<&PArray>,
    _options: Option<&PArray>,
) -> Res<Value> {
    let (mut prepared, shown) = match command.deref().as_array() {
        Some(list) => {
            let mut words = Vec::new();
            for word in list.clone().values() {
                let word = cx.to_string(word.deref())?;
                if stream::has_nul(word.as_bytes()) {
                    return Err(cx.value_error("Command array element ".to_string() + &(words.len() + 1).to_string() + " contains a null byte"));
                }
                words.push(word);
            }
            let Some((program, rest)) = words.split_first() else {
                return Err(cx.arg_value_error(1, "must have at least one element"));
            };
            if program.is_empty() {
                return Err(cx.value_error("First element must contain a non-empty program name"));
            }
            let rest: Vec<&[u8]> = rest.iter().map(|w| w.as_bytes()).collect();
            (prepare(cx, program.as_bytes(), &rest), program.clone())
        }
        None => {
            let line = cx.to_string(command.deref())?;
            if stream::has_nul(line.as_bytes()) {
                return Err(cx.arg_value_error(1, "must not contain any null bytes"));
            }
            (shell(cx, line.as_bytes())?, line)
        }
    };
    let mut plans: Vec<(i32, Plan)> = Vec::new();
    for (key, entry) in descriptor_spec.clone().iter() {
        let jumbo_abi::KeyRef::Int(number) = key else {
            return Err(cx.arg_value_error(2, "must be an integer indexed array"));
        };
        let Ok(number) = i32::try_from(number) else { return Ok(Value::from(false)) };
        let Some(plan) = plan(cx, entry)? else { return Ok(Value::from(false)) };
        plans.push((number, plan));
    }
    if let Some(dir) = cwd.filter(|d| !d.is_empty()) {
        prepared.current_dir(stream::path_buf(cx, dir.as_bytes()));
    }
    if let Some(vars) = env_vars {
        prepared.env_clear();
        let mut left = ARGUMENTS_MAX;
        for (key, value) in vars.clone().iter() {
            let text = cx.to_string(value.deref())?;
            let assignment = match key {
                jumbo_abi::KeyRef::Str(name) if !name.is_empty() => Some((name.as_bytes(), text.as_bytes())),
                // A whole assignment.
                _ => memchr::memchr(b'=', &text).map(|at| (&text.as_bytes()[..at], &text.as_bytes()[at + 1..])),
            };
            let Some((name, value)) = assignment else { continue };
            let Some((name, value)) = copied_pair(name, value, &mut left) else { break };
            prepared.env(name, value);
        }
    }
    let mut mappings: Vec<FdMapping> = Vec::new();
    let mut own_ends: Vec<(i32, OwnedFd, &'static [u8])> = Vec::new();
    let mut redirects = Vec::new();
    for (number, plan) in plans {
        match plan {
            Plan::Use(fd) => mappings.push(FdMapping { parent_fd: fd, child_fd: number }),
            Plan::Pipe { child, own, own_mode } => {
                mappings.push(FdMapping { parent_fd: child, child_fd: number });
                own_ends.push((number, own, own_mode));
            }
            Plan::Redirect(target) => redirects.push((number, target)),
        }
    }
    for (number, target) in redirects {
        let found = mappings.iter().find(|m| i64::from(m.child_fd) == target).map(|m| m.parent_fd.try_clone());
        let copy = match (found, target) {
            (Some(copy), _) => copy.ok(),
            // One that the child inherits.
            (None, 0..=2) => crate::php::duplicate(target as i32).ok().map(OwnedFd::from),
            (None, _) => None,
        };
        let Some(fd) = copy else {
            cx.warning(format_args!("Redirection target {target} not found"))?;
            return Ok(Value::from(false));
        };
        mappings.push(FdMapping { parent_fd: fd, child_fd: number });
    }
    if prepared.fd_mappings(mappings).is_err() {
        cx.warning("A descriptor stands twice in the specification")?;
        return Ok(Value::from(false));
    }
    let child = match prepared.spawn() {
        Ok(child) => child,
        Err(e) => {
            cx.warning([b"posix_spawn() failed: ".as_slice(), &os_error_text(&e)])?;
            return Ok(Value::from(false));
        }
    };
    // The command keeps the child's ends open until it is dropped.
    drop(prepared);
    let mut list = PArray::new();
    let mut ends = Vec::new();
    for (number, fd, mode) in own_ends {
        let opened = Opened::new(Rc::new(Plain::new(File::from(fd))));
        let resource = stream::to_resource(cx, opened, mode, None, "");
        ends.push(resource.clone());
        list.set(Key::Int(i64::from(number)), Value::from(resource));
    }
    pipes.set(Value::from(list));
    let process = Process {
        pid: child.id(),
        child: RefCell::new(Some(child)),
        command: shown,
        pipes: RefCell::new(ends),
        ended: Cell::new(None),
        told: Cell::new(false),
    };
    Ok(Value::from(PResource::new(PROCESS, Box::new(process))))
}

fn process_argument(cx: &mut Cx, value: &Value) -> Res<(PResource, NativeRef<Process>)> {
    let Some(resource) = value.deref().as_resource() else {
        let given = jumbo_abi::args::type_name(value);
        return Err(cx.arg_type_error(1, [b"must be of type resource, ".as_slice(), &given, b" given"]));
    };
    match resource.native::<Process>() {
        Some(process) => Ok((resource.clone(), process)),
        None => {
            let function = cx.active_function_name();
            Err(cx.type_error([function.as_slice(), b"(): supplied resource is not a valid process resource"]))
        }
    }
}

/// Closes the pipes, which lets a child that reads come to its end, and waits for it.
fn end(cx: &mut Cx, process: &Process) -> Res<Option<ExitStatus>> {
    for pipe in process.pipes.take() {
        if let Some(handle) = pipe.native::<StreamHandle>() {
            handle.close(cx)?;
        }
        pipe.close();
    }
    if let Some(status) = process.ended.get() {
        process.child.take();
        return Ok(Some(status));
    }
    let Some(mut child) = process.child.take() else { return Ok(None) };
    wait_for(cx, &mut child)
}

pub fn proc_close(cx: &mut Cx, process: &Value) -> Res<i64> {
    let (resource, native) = process_argument(cx, process)?;
    let status = end(cx, &native)?;
    drop(native);
    resource.close();
    // A process that a signal has ended, seen by proc_get_status before, has no status any more.
    Ok(status.map_or(-1, |s| i64::from(s.code().unwrap_or(-1))))
}

pub fn proc_terminate(cx: &mut Cx, process: &Value, signal: i64) -> Res<bool> {
    let (_, native) = process_argument(cx, process)?;
    if native.ended.get().is_some() {
        return Ok(false);
    }
    let pid = i32::try_from(native.pid).ok().and_then(rustix::process::Pid::from_raw);
    let signal = i32::try_from(signal).ok().and_then(rustix::process::Signal::from_named_raw);
    Ok(match (pid, signal) {
        (Some(pid), Some(signal)) => rustix::process::kill_process(pid, signal).is_ok(),
        _ => false,
    })
}

pub fn proc_get_status(cx: &mut Cx, process: &Value) -> Res<PArray> {
    let (_, native) = process_argument(cx, process)?;
    if native.ended.get().is_none()
        && let Some(child) = native.child.borrow_mut().as_mut()
        && let Ok(Some(status)) = child.try_wait()
    {
        native.ended.set(Some(status));
    }
    let status = native.ended.get();
    let first = !native.told.get();
    if status.is_some() {
        native.told.set(true);
    }
    let exit = status.and_then(|s| s.code());
    // A signal is told once; an exit status is kept.
    let signal = status.and_then(|s| s.signal()).filter(|_| first);
    let mut out = PArray::new();
    out.set_bytes(b"command", native.command.clone());
    out.set_bytes(b"pid", i64::from(native.pid));
    out.set_bytes(b"cached", exit.is_some());
    out.set_bytes(b"running", status.is_none());
    out.set_bytes(b"signaled", signal.is_some());
    out.set_bytes(b"stopped", false);
    out.set_bytes(b"exitcode", exit.map_or(-1, i64::from));
    out.set_bytes(b"termsig", signal.map_or(0, i64::from));
    out.set_bytes(b"stopsig", 0i64);
    Ok(out)
}

/// Renicing would change the whole process, which serves other requests too.
pub fn proc_nice(cx: &mut Cx, priority: i64) -> Res<bool> {
    let increment = i32::try_from(priority).unwrap_or(i32::MAX);
    if crate::plain::on_command_line() && (increment == 0 || rustix::process::nice(increment).is_ok()) {
        return Ok(true);
    }
    cx.warning("Only a super user may attempt to increase the priority of a process")?;
    Ok(false)
}

/// At the end of the request: children that are still there are waited for, as PHP does when their resources go.
pub fn finish_all(cx: &mut Cx) -> Res<()> {
    let children: Vec<Child> = cx.state::<Piped>().0.drain().map(|(_, child)| child).collect();
    for mut child in children {
        wait_for(cx, &mut child)?;
    }
    for resource in jumbo_value::heap::Heap::current().live_resources() {
        if let Some(process) = resource.native::<Process>() {
            end(cx, &process)?;
        }
    }
    Ok(())
}
