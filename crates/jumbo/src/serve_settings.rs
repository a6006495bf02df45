//! The settings of `jumbo serve`: one table for the options of the command line and the keys of the TOML file.
//!
//! `--in-flight-max 500` on the command line is `in_flight_max = 500` in the file; the table `[php]` of the file holds php.ini
//! directives. The command line comes after the file, whatever their order.

use jumbo_server::{ListenAddress, ServerConfig};
use std::fmt::Write;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::Duration;

/// Everything that `jumbo serve` is told.
pub struct Serve {
    pub config: ServerConfig,
    pub terminate_after: Option<Duration>,
    /// How long a compiled file is trusted before its time stamp is looked at again; None: for ever.
    /// How long compiled files are trusted; `Some(None)`: for ever; None: as php.ini says (`opcache.validate_timestamps`,
    /// `opcache.revalidate_freq`).
    pub revalidate_ms: Option<Option<u64>>,
    /// Scripts may open SQLite databases on file systems that may not answer.
    pub sqlite_on_mounts: bool,
    /// php.ini directives, in order.
    pub php: Vec<(Vec<u8>, Vec<u8>)>,
    pub no_ini: bool,
    pub ini_path: Option<Vec<u8>>,
    /// Only the settings are to be checked.
    pub test: bool,
    /// The program that was here before has left its sockets.
    pub handed_over: bool,
    /// Addresses were given: the default one is gone.
    listen_given: bool,
}

impl Default for Serve {
    fn default() -> Serve {
        let config = ServerConfig { listen: vec![ListenAddress::Tcp(([127, 0, 0, 1], 8000).into())], ..ServerConfig::default() };
        Serve {
            config,
            terminate_after: None,
            revalidate_ms: None,
            sqlite_on_mounts: false,
            php: Vec::new(),
            no_ini: false,
            ini_path: None,
            test: false,
            handed_over: false,
            listen_given: false,
        }
    }
}

type Result<T> = std::result::Result<T, String>;

/// One setting.
struct Setting {
    /// As an option; a TOML key has `_` for `-`.
    name: &'static str,
    /// What its value is; empty: a switch (a boolean in the file).
    value: &'static str,
    help: &'static str,
    set: fn(&mut Serve, &str) -> Result<()>,
}

macro_rules! settings {
    ($($name:literal $value:literal $help:literal => |$s:ident, $v:ident| $set:expr;)*) => {
        &[$(Setting { name: $name, value: $value, help: $help, set: |$s, $v| { $set; Ok(()) } },)*]
    };
}

static SETTINGS: &[Setting] = settings! {
    "listen" "ADDRESS" "where to listen: 127.0.0.1:8000, :80, unix:/run/jumbo.sock; may be repeated" => |s, v| s.listen(v)?;
    "root" "DIR" "the document root" => |s, v| s.config.document_root = PathBuf::from(v);
    "index" "NAMES" "files that answer for a directory, separated by commas" => |s, v| s.config.index = list(v);
    "front-controller" "PATH" "the script for paths that name no file; empty: none" => |s, v| s.config.front_controller = some(v);
    "follow-symlinks" "" "serve what symbolic links point to outside the document root" => |s, v| s.config.follow_symlinks = flag(v)?;
    "private-files" "PATTERNS" "names of files that are not served, separated by commas, * and ? in them; + before the first adds to the default (docs/serve.md); empty: none" => |s, v| s.private_files(v);
    "path-cache-ms" "MS" "how long the file system's word about a path is believed" => |s, v| s.config.path_cache_ms = number(v)?;
    "revalidate-ms" "MS" "how long compiled files are trusted; `never` to look: until the server ends (default: php.ini's opcache.revalidate_freq)" => |s, v| s.revalidate_ms = Some(if v == "never" { None } else { Some(number(v)?) });
    "executors" "N" "threads that run scripts; 0: one per core" => |s, v| s.config.executors = number(v)?;
    "backlog" "N" "connections that the system may hold" => |s, v| s.config.backlog = number(v)?;
    "reuse-port" "" "one listening socket per executor" => |s, v| s.config.reuse_port = flag(v)?;
    "connections-max" "N" "connections at once; by default what the limit of descriptors allows, three quarters of it and at most 20000" => |s, v| s.config.connections_max = Some(number(v)?);
    "in-flight-max" "N" "requests that have begun, those included that wait for a database or the like" => |s, v| s.config.in_flight_max = number(v)?;
    "memory-max" "BYTES" "resident memory of the process, beyond which the largest request is ended; 0: no limit; default: nine tenths of the control group's or the machine's" => |s, v| s.config.memory_bytes_max = size(v)?;
    "queue-len-max" "N" "requests that may wait to begin" => |s, v| s.config.queue_len_max = number(v)?;
    "queue-wait-ms-max" "MS" "how long they may wait; then 503" => |s, v| s.config.queue_wait_ms_max = number(v)?;
    "head-bytes-max" "BYTES" "the size of a request's head" => |s, v| s.config.head_bytes_max = size(v)?;
    "header-fields-max" "N" "the number of its header fields" => |s, v| s.config.header_fields_max = number(v)?;
    "head-timeout-ms" "MS" "how long a head may take to arrive" => |s, v| s.config.head_timeout_ms = number(v)?;
    "body-bytes-max" "BYTES" "the size of a request's body" => |s, v| s.config.body_bytes_max = size(v)?;
    "body-memory-bytes-max" "BYTES" "what the bodies of all requests may have in memory until their scripts begin; more is on disk" => |s, v| s.config.body_memory_bytes_max = size(v)?;
    "body-timeout-ms" "MS" "between two pieces of a body" => |s, v| s.config.body_timeout_ms = number(v)?;
    "send-timeout-ms" "MS" "how long a client may take nothing of an answer" => |s, v| s.config.send_timeout_ms = number(v)?;
    "keep-alive-timeout-ms" "MS" "between two requests of a connection; 0: no keep-alive" => |s, v| s.config.keep_alive_timeout_ms = number(v)?;
    "terminate-after-ms" "MS" "a request that takes longer is ended; 0: never" => |s, v| s.terminate_after = after(v)?;
    "sqlite-on-mounts" "" "scripts may open SQLite databases on network and FUSE file systems; one that does not answer holds up all that use SQLite" => |s, v| s.sqlite_on_mounts = flag(v)?;
    "stop-timeout-ms" "MS" "how long a stop waits for requests in flight" => |s, v| s.config.stop_timeout_ms = number(v)?;
    "access-log" "FILE" "log of requests, in the combined format; - is standard output" => |s, v| s.config.access_log = some(v).map(PathBuf::from);
    "health-path" "PATH" "this path says that the server serves, whatever its scripts do; empty: none" => |s, v| s.config.health_path = some(v);
    "server-name" "NAME" "SERVER_NAME; else the host that the client names" => |s, v| s.config.server_name = some(v);
    "server-header" "TEXT" "the Server field of answers; empty: none" => |s, v| s.config.server_header = v.to_owned();
};

impl Serve {
    fn listen(&mut self, address: &str) -> Result<()> {
        if !std::mem::replace(&mut self.listen_given, true) {
            self.config.listen.clear();
        }
        self.config.listen.push(address.parse()?);
        Ok(())
    }

    fn private_files(&mut self, patterns: &str) {
        match patterns.strip_prefix('+') {
            Some(more) => self.config.private_files.extend(list(more)),
            None => self.config.private_files = list(patterns),
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let setting = SETTINGS.iter().find(|s| s.name == name).ok_or_else(|| format!("there is no setting {name:?}: see jumbo serve --help"))?;
        (setting.set)(self, value).map_err(|why| format!("{name}: {why}"))
    }

    /// Reads a TOML file.
    fn file(&mut self, text: &str) -> Result<()> {
        let table: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
        for (key, value) in &table {
            match (key.as_str(), value) {
                ("php", toml::Value::Table(php)) => {
                    for (name, value) in php {
                        self.php.push((name.clone().into_bytes(), directive(name, value)?));
                    }
                }
                (_, toml::Value::Array(values)) if !matches!(key.as_str(), "index" | "private_files") => {
                    for value in values {
                        self.set(&key.replace('_', "-"), &scalar(key, value)?)?;
                    }
                }
                (_, toml::Value::Array(values)) => {
                    let names: Result<Vec<String>> = values.iter().map(|v| scalar(key, v)).collect();
                    self.set(&key.replace('_', "-"), &names?.join(","))?;
                }
                _ => self.set(&key.replace('_', "-"), &scalar(key, value)?)?,
            }
        }
        Ok(())
    }
}

fn scalar(key: &str, value: &toml::Value) -> Result<String> {
    match value {
        toml::Value::String(s) => Ok(s.clone()),
        toml::Value::Integer(n) => Ok(n.to_string()),
        toml::Value::Boolean(b) => Ok(b.to_string()),
        other => Err(format!("{key}: a {} is not understood here", other.type_str())),
    }
}

/// A directive's value as `-d` would have it.
fn directive(key: &str, value: &toml::Value) -> Result<Vec<u8>> {
    Ok(match value {
        toml::Value::Boolean(b) => if *b { "1" } else { "0" }.into(),
        toml::Value::Float(f) => f.to_string().into_bytes(),
        other => scalar(key, other)?.into_bytes(),
    })
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N> {
    text.replace('_', "").parse().map_err(|_| format!("{text:?} is not a number that fits"))
}

/// Bytes, with PHP's suffixes K, M and G.
fn size<N: TryFrom<u64>>(text: &str) -> Result<N> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let bytes = number::<u64>(digits)?.checked_mul(1 << shift);
    bytes.and_then(|n| N::try_from(n).ok()).ok_or_else(|| format!("{text:?} is too large"))
}

fn after(text: &str) -> Result<Option<Duration>> {
    let ms = number(text)?;
    Ok((ms != 0).then(|| Duration::from_millis(ms)))
}

fn flag(text: &str) -> Result<bool> {
    match text {
        "true" | "on" | "yes" | "1" => Ok(true),
        "false" | "off" | "no" | "0" => Ok(false),
        _ => Err(format!("{text:?} is neither true nor false")),
    }
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn list(text: &str) -> Vec<String> {
    text.split(',').map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect()
}

/// Reads the command line; None: help is wanted.
pub fn parse(arguments: &[Vec<u8>]) -> Result<Option<Serve>> {
    let mut serve = Serve::default();
    let mut given: Vec<(String, String)> = Vec::new();
    let mut directives = Vec::new();
    let mut config_file = None;
    let mut arguments = arguments.iter();
    let mut root = None;
    while let Some(argument) = arguments.next() {
        let text = std::str::from_utf8(argument).map_err(|_| "an argument is not UTF-8".to_owned())?;
        let mut next = |name: &str| {
            let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
            String::from_utf8(value.clone()).map_err(|_| format!("the value of {name} is not UTF-8"))
        };
        match text {
            "-h" | "--help" => return Ok(None),
            "-n" => serve.no_ini = true,
            "--test" => serve.test = true,
            jumbo_server::HANDED_OVER => serve.handed_over = true,
            "-c" => serve.ini_path = Some(next("-c")?.into_bytes()),
            "-d" => directives.push(next("-d")?),
            "--config" => config_file = Some(next("--config")?),
            _ => match text.strip_prefix("--") {
                Some(option) => {
                    let (name, value) = match option.split_once('=') {
                        Some((name, value)) => (name, Some(value.to_owned())),
                        None => (option, None),
                    };
                    let switch = SETTINGS.iter().any(|s| s.name == name && s.value.is_empty());
                    let value = match value {
                        Some(value) => value,
                        None if switch => "true".to_owned(),
                        None => next(text)?,
                    };
                    given.push((name.to_owned(), value));
                }
                None if text.starts_with('-') => return Err(format!("there is no option {text}: see jumbo serve --help")),
                None => {
                    if root.replace(PathBuf::from(std::ffi::OsString::from_vec(argument.clone()))).is_some() {
                        return Err("one folder can be served, not two".into());
                    }
                }
            },
        }
    }
    if let Some(path) = config_file {
        let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {path}: {e}"))?;
        serve.file(&text).map_err(|why| format!("{path}: {why}"))?;
    }
    for (name, value) in given {
        serve.set(&name, &value)?;
    }
    for directive in directives {
        let (name, value) = directive.split_once('=').unwrap_or((&directive, "1"));
        serve.php.push((name.as_bytes().to_vec(), value.as_bytes().to_vec()));
    }
    if let Some(root) = root {
        serve.config.document_root = root;
    }
    Ok(Some(serve))
}

/// The help text, out of the table.
pub fn help() -> String {
    let mut text = String::from(
        "\
jumbo serve [DIR] [OPTIONS]     serves the site in DIR (here, when there is none)

  -d NAME=VALUE                 set a php.ini directive
  -c FILE|DIR                   where php.ini is
  -n                            read no php.ini
  --config FILE                 read a TOML file: these settings with _ for -, and php.ini directives in [php]
  --test                        check all settings and end: status 0 if they are in order

",
    );
    let defaults = Serve::default();
    for setting in SETTINGS {
        let option = format!("--{} {}", setting.name, setting.value);
        // Writing into a String does not fail.
        let _ = writeln!(text, "  {option:<29} {}", setting.help);
    }
    let _ = writeln!(
        text,
        "\nSIGTERM, SIGINT and SIGQUIT stop the server when requests in flight have ended; SIGHUP and SIGUSR2 do so and begin anew, with\n\
         settings read again and the program as it is then, on the same sockets: no connection is refused; SIGUSR1 opens log files anew.\n\
         \nWithout options: {} requests in flight on {}, bodies of up to {} MiB.",
        defaults.config.in_flight_max,
        defaults.config.listen[0],
        defaults.config.body_bytes_max >> 20
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(args: &[&str]) -> Result<Option<Serve>> {
        parse(&args.iter().map(|a| a.as_bytes().to_vec()).collect::<Vec<_>>())
    }

    #[test]
    fn options() {
        let serve = of(&["public", "--listen", ":81", "--body-bytes-max=2M", "--follow-symlinks", "-d", "a=b"]).unwrap().unwrap();
        assert_eq!(serve.config.listen.len(), 1);
        assert_eq!(serve.config.body_bytes_max, 2 << 20);
        assert!(serve.config.follow_symlinks);
        assert_eq!(serve.php, [(b"a".to_vec(), b"b".to_vec())]);
        assert_eq!(serve.config.document_root, PathBuf::from("public"));
        assert!(of(&["--help"]).unwrap().is_none());
    }

    #[test]
    fn mistakes() {
        assert!(of(&["--nothing", "1"]).err().is_some_and(|e| e.contains("no setting")));
        assert!(of(&["--backlog"]).err().is_some_and(|e| e.contains("needs a value")));
        assert!(of(&["--backlog", "x"]).is_err());
        assert!(of(&["--body-bytes-max", "99999999999G"]).is_err());
        assert!(of(&["a", "b"]).is_err());
    }

    #[test]
    fn file() {
        let mut serve = Serve::default();
        let text = "listen = [\":81\", \"unix:/x\"]\nin_flight_max = 5\nindex = [\"a.php\"]\n[php]\nmemory_limit = \"64M\"\nexpose_php = false\n";
        serve.file(text).unwrap();
        assert_eq!(serve.config.listen.len(), 2);
        assert_eq!(serve.config.in_flight_max, 5);
        assert_eq!(serve.php.len(), 2);
        serve.file("private_files = [\"+*.x\", \"*.y\"]").unwrap();
        assert!(serve.config.private_files.ends_with(&["*.x".to_owned(), "*.y".to_owned()]) && serve.config.private_files.len() > 10);
        serve.file("private_files = []").unwrap();
        assert!(serve.config.private_files.is_empty());
        assert!(serve.file("nope = 1").is_err());
        assert!(serve.file("in_flight_max = {}").is_err());
    }
}
