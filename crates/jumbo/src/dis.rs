//! `jumbo dis`: the bytecode of a file, as text.

use crate::cli::{complain, print};
use crate::options::Options;
use crate::settings;
use jumbo_abi::units::UnitError;
use jumbo_engine::units::{self, Modes};
use jumbo_compile::SourceKind;
use std::os::unix::ffi::OsStrExt;

/// Prints the bytecode of each file.
pub fn run(files: &[Vec<u8>]) -> i32 {
    if files.is_empty() {
        return complain("dis needs a file: jumbo dis FILE…");
    }
    let sources = match settings::collect(&Options { no_ini: true, ..Options::default() }, "php-cli.ini", &[], &[]) {
        Ok(sources) => sources,
        Err(why) => return complain(&why),
    };
    crate::cli::start("cli", &sources, None);
    let files = files.to_vec();
    crate::cli::on_big_stack(move || files.iter().map(|f| one(f)).max().unwrap_or(0))
}

fn one(file: &[u8]) -> i32 {
    let shown = String::from_utf8_lossy(file).into_owned();
    let source = match std::fs::read(std::ffi::OsStr::from_bytes(file)) {
        Ok(source) => source,
        Err(e) => return complain(&format!("cannot read {shown}: {e}")),
    };
    match units::compile(&source, units::Place { file, directory: b"." }, SourceKind::File, false, true, Modes { assertions: true, multibyte: false, short_tags: true, memory_max: None }) {
        Ok(unit) => {
            print(jumbo_bytecode::dis::unit(&unit).as_bytes());
            0
        }
        Err(UnitError::Invalid(why)) => complain(&format!("{} in {shown} on line {}", String::from_utf8_lossy(&why.message), why.line)),
        Err(UnitError::Unreadable(why)) => complain(&format!("cannot read {shown}: {why}")),
    }
}
