//! PHP's command line: the options of `php`, as its getopt reads them.
//!
//! Short options may be joined (`-nr code`), their value may be attached (`-dname=value`) or follow. Reading stops at the script's
//! name, at `--`, or at `-`: everything after it belongs to the script.

use std::collections::VecDeque;

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Mode {
    /// Run a file, or standard input when there is none.
    #[default]
    Run,
    /// `-r`
    Code(Vec<u8>),
    /// `-l`
    Lint,
    /// `-i`
    Info,
    /// `-m`
    Modules,
    /// `-v`
    Version,
    /// `-h`
    Help,
    /// `--ini`
    IniFiles,
    /// `-S`
    Serve(Vec<u8>),
}

/// The command line of `php`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub mode: Mode,
    /// The script to run; None: standard input.
    pub file: Option<Vec<u8>>,
    /// What follows the script.
    pub args: Vec<Vec<u8>>,
    /// `-d`, in order: name and value as written.
    pub settings: Vec<(Vec<u8>, Vec<u8>)>,
    /// `-c`
    pub ini_path: Option<Vec<u8>>,
    /// `-n`
    pub no_ini: bool,
    /// `-t`
    pub document_root: Option<Vec<u8>>,
    /// `-q`: no headers (CGI).
    pub quiet: bool,
}

/// A message for standard error; the usage follows it.
pub type Wrong = String;

/// Options that take a value.
const WITH_VALUE: &[u8] = b"cdfrtSzBREF";
/// Options without one; `a` and friends are named below where they are refused.
const WITHOUT_VALUE: &[u8] = b"aehHilmnqsvwCP";

/// Reads the arguments that follow the program's name.
pub fn parse(args: impl IntoIterator<Item = Vec<u8>>) -> Result<Options, Wrong> {
    let mut args: VecDeque<Vec<u8>> = args.into_iter().collect();
    let mut options = Options::default();
    let mut number = 0;
    let mut from_option = false;
    let mut ended = false;
    while let Some(arg) = args.front() {
        if arg == b"--" {
            args.pop_front();
            ended = true;
            break;
        }
        if arg.first() != Some(&b'-') || arg.len() == 1 {
            break;
        }
        let Some(arg) = args.pop_front() else { break };
        number += 1;
        if let Some(name) = arg.strip_prefix(b"--") {
            long(name, &mut options, number)?;
            continue;
        }
        let mut at = 1;
        while let Some(&letter) = arg.get(at) {
            at += 1;
            if WITH_VALUE.contains(&letter) {
                let value = match arg.get(at..) {
                    // PHP lets a value be attached with `=` or `:`.
                    Some([b'=' | b':', rest @ ..]) => rest.to_vec(),
                    Some(rest) if !rest.is_empty() => rest.to_vec(),
                    _ => args.pop_front().ok_or_else(|| {
                        format!("Error in argument {number}, char {at}: no argument for option {}", char::from(letter))
                    })?,
                };
                number += 1;
                valued(letter, value, &mut options, &mut from_option)?;
                break;
            }
            if !WITHOUT_VALUE.contains(&letter) {
                return Err(format!("Error in argument {number}, char {at}: option not found {}", char::from(letter)));
            }
            plain(letter, &mut options)?;
        }
    }
    if !from_option && !ended && !matches!(options.mode, Mode::Code(_)) {
        match args.front() {
            // `-` is standard input.
            Some(name) if name == b"-" => {
                args.pop_front();
            }
            Some(_) => options.file = args.pop_front(),
            None => {}
        }
    } else if !ended && from_option && args.front().is_some_and(|a| a == b"--") {
        args.pop_front();
    }
    options.args = args.into();
    Ok(options)
}

fn long(name: &[u8], options: &mut Options, number: usize) -> Result<(), Wrong> {
    options.mode = match name {
        b"help" | b"usage" => Mode::Help,
        b"version" => Mode::Version,
        b"info" => Mode::Info,
        b"modules" => Mode::Modules,
        b"syntax-check" => Mode::Lint,
        b"ini" => Mode::IniFiles,
        b"no-php-ini" => {
            options.no_ini = true;
            return Ok(());
        }
        b"no-header" => {
            options.quiet = true;
            return Ok(());
        }
        b"rf" | b"rc" | b"re" | b"rz" | b"ri" => {
            return Err(format!("--{} is not available yet: use the Reflection classes", String::from_utf8_lossy(name)));
        }
        _ => return Err(format!("Error in argument {number}, char 2: no argument for option -")),
    };
    Ok(())
}

fn valued(letter: u8, value: Vec<u8>, options: &mut Options, from_option: &mut bool) -> Result<(), Wrong> {
    match letter {
        b'c' => options.ini_path = Some(value),
        b'd' => {
            let (name, value) = match value.iter().position(|&b| b == b'=') {
                Some(at) => (value[..at].to_vec(), value[at + 1..].to_vec()),
                // `-d name` switches it on.
                None => (value, b"1".to_vec()),
            };
            options.settings.push((name, value));
        }
        b'f' => {
            options.file = Some(value);
            *from_option = true;
        }
        b'r' => {
            options.mode = Mode::Code(value);
            *from_option = true;
        }
        b't' => options.document_root = Some(value),
        b'S' => options.mode = Mode::Serve(value),
        // Zend extensions are machine code for another engine.
        b'z' => return Err("-z: Zend extensions cannot be loaded".into()),
        _ => return Err(format!("-{} is not available yet", char::from(letter))),
    }
    Ok(())
}

fn plain(letter: u8, options: &mut Options) -> Result<(), Wrong> {
    match letter {
        b'h' => options.mode = Mode::Help,
        b'i' => options.mode = Mode::Info,
        b'l' => options.mode = Mode::Lint,
        b'm' => options.mode = Mode::Modules,
        b'v' => options.mode = Mode::Version,
        b'n' => options.no_ini = true,
        b'q' => options.quiet = true,
        // Debugger information, hiding of arguments, php-cgi's folder changes: nothing here depends on them.
        b'e' | b'H' | b'C' | b'P' => {}
        _ => return Err(format!("-{} is not available yet", char::from(letter))),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(args: &[&str]) -> Options {
        parse(args.iter().map(|a| a.as_bytes().to_vec())).expect("a good command line")
    }
    fn list(args: &[&str]) -> Vec<Vec<u8>> {
        args.iter().map(|a| a.as_bytes().to_vec()).collect()
    }

    #[test]
    fn script_and_arguments() {
        let o = of(&["-n", "a.php", "x", "-d", "y", "--", "z"]);
        assert_eq!(o.file.as_deref(), Some(&b"a.php"[..]));
        assert_eq!(o.args, list(&["x", "-d", "y", "--", "z"]));
        assert!(o.no_ini);
        assert_eq!(of(&["a.php", "--", "z"]).args, list(&["--", "z"]));
        assert_eq!(of(&["-f", "a.php", "--", "-z"]).args, list(&["-z"]));
        assert_eq!(of(&["-f", "a.php", "z", "--", "y"]).args, list(&["z", "--", "y"]));
        let o = of(&["--", "a.php", "z"]);
        assert_eq!((o.file, o.args), (None, list(&["a.php", "z"])));
        assert_eq!(of(&["-"]).file, None);
    }

    #[test]
    fn attached_values() {
        let o = of(&["-dprecision=3", "-d", "x", "-nr", "echo 1;", "a"]);
        assert_eq!(o.settings, [(b"precision".to_vec(), b"3".to_vec()), (b"x".to_vec(), b"1".to_vec())]);
        assert_eq!(o.mode, Mode::Code(b"echo 1;".to_vec()));
        assert_eq!(o.args, list(&["a"]));
    }

    #[test]
    fn errors() {
        let wrong = |args: &[&str]| parse(args.iter().map(|a| a.as_bytes().to_vec())).expect_err("a bad command line");
        assert_eq!(wrong(&["-n", "-Q"]), "Error in argument 2, char 2: option not found Q");
        assert!(wrong(&["-d"]).ends_with("no argument for option d"));
    }
}
