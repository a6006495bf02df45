//! Where ini settings come from: php.ini, the folder of further files, the interface's own, and `-d`, in PHP's order.

use crate::options::Options;
use jumbo_abi::ini;
use jumbo_engine::ini_file;
use jumbo_interp::include::normalize;
use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The folder that has php.ini when nothing else is said.
pub const DEFAULT_FOLDER: &str = "/etc/jumbo";
/// Its folder of further files.
pub const DEFAULT_SCAN_FOLDER: &str = "/etc/jumbo/conf.d";

/// The settings, and which files they are from.
#[derive(Debug, Default)]
pub struct Sources {
    pub loaded: Option<PathBuf>,
    pub scanned_folders: Vec<PathBuf>,
    pub scanned: Vec<PathBuf>,
    pub settings: Vec<(Vec<u8>, Vec<u8>)>,
}

/// What the command line interface has different from PHP's defaults, before php.ini.
pub const CLI_DEFAULTS: &[(&str, &str)] = &[("display_errors", "1")];
/// And what php.ini cannot change there.
pub const CLI_FIXED: &[(&str, &str)] =
    &[("html_errors", "0"), ("implicit_flush", "1"), ("output_buffering", "0"), ("max_execution_time", "0"), ("max_input_time", "-1")];

/// Collects all settings for an interface: `defaults`, the files, `fixed`, `-d`.
pub fn collect(options: &Options, sapi_file: &str, defaults: &[(&str, &str)], fixed: &[(&str, &str)]) -> Result<Sources, String> {
    let mut sources = Sources::default();
    add(&mut sources.settings, defaults);
    if !options.no_ini {
        php_ini(options, sapi_file, &mut sources)?;
        scan(&mut sources)?;
    } else if let Some(path) = options.ini_path.as_deref().map(path_of).filter(|p| p.is_file()) {
        // A file that is named is read all the same.
        read(&path, &mut sources.settings)?;
        sources.loaded = Some(path);
    }
    // Programs are told the whole path, as they would not know what it is relative to.
    if let (Some(path), Ok(folder)) = (&mut sources.loaded, std::env::current_dir()) {
        *path = path_of(&normalize(folder.as_os_str().as_bytes(), path.as_os_str().as_bytes()));
    }
    add(&mut sources.settings, fixed);
    for (name, value) in &options.settings {
        sources.settings.push((name.clone(), command_line_value(value)));
    }
    Ok(sources)
}

fn add(settings: &mut Vec<(Vec<u8>, Vec<u8>)>, more: &[(&str, &str)]) {
    settings.extend(more.iter().map(|(n, v)| (n.as_bytes().to_vec(), v.as_bytes().to_vec())));
}

/// A value after `-d name=`: written like a line of php.ini when it begins with a letter, a digit or a quote; else taken as it is.
fn command_line_value(text: &[u8]) -> Vec<u8> {
    match text.first() {
        Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'"' | b'\'') => ini_file::value(text),
        _ => text.to_vec(),
    }
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

fn php_ini(options: &Options, sapi_file: &str, sources: &mut Sources) -> Result<(), String> {
    let mut folders = Vec::new();
    match options.ini_path.as_deref().map(path_of) {
        Some(path) if path.is_file() => {
            read(&path, &mut sources.settings)?;
            sources.loaded = Some(path);
            return Ok(());
        }
        Some(folder) => folders.push(folder),
        None => {
            folders.extend(std::env::var_os("PHPRC").filter(|p| !p.is_empty()).map(PathBuf::from));
            folders.push(PathBuf::from(DEFAULT_FOLDER));
        }
    }
    for folder in folders {
        if folder.is_file() {
            read(&folder, &mut sources.settings)?;
            sources.loaded = Some(folder);
            return Ok(());
        }
        for name in [sapi_file, "php.ini"] {
            let path = folder.join(name);
            if path.is_file() {
                read(&path, &mut sources.settings)?;
                sources.loaded = Some(path);
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The `.ini` files of `PHP_INI_SCAN_DIR` (folders separated by colons; an empty one is the default), by name.
fn scan(sources: &mut Sources) -> Result<(), String> {
    let list = std::env::var_os("PHP_INI_SCAN_DIR").map(OsStringExt::into_vec);
    let folders: Vec<PathBuf> = match &list {
        None => vec![PathBuf::from(DEFAULT_SCAN_FOLDER)],
        Some(list) if list.is_empty() => Vec::new(),
        Some(list) => list
            .split(|&b| b == b':')
            .map(|part| if part.is_empty() { PathBuf::from(DEFAULT_SCAN_FOLDER) } else { path_of(part) })
            .collect(),
    };
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut files: Vec<PathBuf> = entries
            .filter_map(|e| e.ok().map(|e| e.path()))
            .filter(|p| p.extension().is_some_and(|e| e == "ini") && p.is_file())
            .collect();
        files.sort();
        for file in &files {
            read(file, &mut sources.settings)?;
        }
        sources.scanned.extend(files);
        sources.scanned_folders.push(folder);
    }
    Ok(())
}

fn read(path: &Path, into: &mut Vec<(Vec<u8>, Vec<u8>)>) -> Result<(), String> {
    let text = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let (settings, error) = ini_file::parse(&text);
    into.extend(settings);
    if let Some(error) = error {
        eprintln!("PHP:  {} in {} on line {}", error.message, path.display(), error.line);
    }
    Ok(())
}

/// The last word of the settings about one of them.
fn last<'s>(settings: &'s [(Vec<u8>, Vec<u8>)], name: &[u8]) -> Option<&'s [u8]> {
    settings.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value.as_slice())
}

/// How long compiled files are trusted, in milliseconds, as opcache's settings say it; None: for ever.
pub fn revalidate_ms(settings: &[(Vec<u8>, Vec<u8>)]) -> Option<u64> {
    const DEFAULT_SECONDS: i64 = 2;
    if last(settings, b"opcache.validate_timestamps").is_some_and(|v| !ini::parse_bool(v)) {
        return None;
    }
    let seconds = last(settings, b"opcache.revalidate_freq").map_or(DEFAULT_SECONDS, ini::parse_quantity);
    Some(u64::try_from(seconds).unwrap_or(0).saturating_mul(1000))
}

/// Makes opcache's settings say how long compiled files are trusted, where scripts can see the cache.
pub fn tell_revalidation(settings: &mut Vec<(Vec<u8>, Vec<u8>)>, sapi: &str, revalidate_ms: Option<u64>) {
    if sapi == "cli" && !last(settings, b"opcache.enable_cli").is_some_and(ini::parse_bool) {
        return;
    }
    settings.push((b"opcache.validate_timestamps".to_vec(), if revalidate_ms.is_some() { b"1".to_vec() } else { b"0".to_vec() }));
    if let Some(ms) = revalidate_ms {
        settings.push((b"opcache.revalidate_freq".to_vec(), (ms / 1000).to_string().into_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_in_compiled_files() {
        let with = |pairs: &[(&str, &str)]| revalidate_ms(&pairs.iter().map(|(n, v)| (n.as_bytes().to_vec(), v.as_bytes().to_vec())).collect::<Vec<_>>());
        assert_eq!(with(&[]), Some(2000));
        assert_eq!(with(&[("opcache.revalidate_freq", "60"), ("opcache.revalidate_freq", "5")]), Some(5000));
        assert_eq!(with(&[("opcache.validate_timestamps", "Off"), ("opcache.revalidate_freq", "5")]), None);
        let mut told = Vec::new();
        tell_revalidation(&mut told, "cli", Some(0));
        assert!(told.is_empty());
        tell_revalidation(&mut told, "fpm-fcgi", Some(7000));
        assert_eq!(revalidate_ms(&told), Some(7000));
        tell_revalidation(&mut told, "fpm-fcgi", None);
        assert_eq!(revalidate_ms(&told), None);
    }

    #[test]
    fn command_line_values() {
        assert_eq!(command_line_value(b"On"), b"1");
        assert_eq!(command_line_value(b".:/usr;x"), b".:/usr;x");
        assert_eq!(command_line_value(b"\"a;b\""), b"a;b");
        assert_eq!(command_line_value(b""), b"");
    }

    #[test]
    fn order() {
        let options = Options { no_ini: true, settings: vec![(b"html_errors".to_vec(), b"1".to_vec())], ..Options::default() };
        let sources = collect(&options, "php-cli.ini", CLI_DEFAULTS, CLI_FIXED).expect("no file is read");
        assert_eq!(sources.settings.first(), Some(&(b"display_errors".to_vec(), b"1".to_vec())));
        assert_eq!(sources.settings.last(), Some(&(b"html_errors".to_vec(), b"1".to_vec())));
    }
}
