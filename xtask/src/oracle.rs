//! `cargo xtask oracle`: stock PHP in a chroot, made by tools/oracle.sh, which has the whole logic.

use crate::{Failure, Verdict, repository};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// The chroot's folder, by the same rule as in tools/oracle.sh.
pub fn root() -> PathBuf {
    std::env::var_os("ORACLE_ROOT").map_or_else(|| PathBuf::from("/opt/php-oracle"), PathBuf::from)
}

/// PHP's unpacked source package, which holds the .phpt tests: `$JUMBO_PHP_SRC`, or .work/php-src.
pub fn php_sources() -> PathBuf {
    std::env::var_os("JUMBO_PHP_SRC").map_or_else(|| repository().join(".work/php-src"), PathBuf::from)
}

/// Runs the script with `arguments`, in the caller's folder.
pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    let script = repository().join("tools/oracle.sh");
    let arguments = if arguments.is_empty() { vec!["install".into()] } else { arguments };
    let status = Command::new(&script).args(arguments).status().map_err(|e| Failure::io(&script, &e))?;
    Ok(Verdict::fine_if(status.success()))
}
