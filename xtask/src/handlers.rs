//! `cargo xtask handlers`: checks in the optimised binary that handlers follow each other by jumps.
//!
//! The interpreter relies on tail calls: a handler that *calls* the next one leaves its frame on the native stack, and a PHP loop
//! through it ends in a stack overflow. The compiler gives no promise about it, so the machine code is looked at: no function of the
//! interpreter may call through the dispatch table, or call a function that ends in a jump through it, except those that start a loop of their
//! own.

use crate::engine::{Engine, Sapi};
use crate::{Failure, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::process::Command;

const HELP: &str = "\
cargo xtask handlers [OPTIONS]

Disassembles the optimised binary (x86-64) and fails when a handler calls the next one instead of jumping to it.

  --binary PATH    this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
";

/// Functions that run handlers in a loop of their own, by their place in the crate.
const LOOPS: &[&str] = &["vm2Vm", "7include8run_unit", "9generator3run17h", "9generator13run_unwinding", "5fiber", "8dispatch8run_loop"];

/// Fewer jumps through the table mean that the binary is not what this check understands.
const JUMPS_MIN: usize = 200;

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    use lexopt::prelude::*;
    let mut binary = None;
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("binary") => binary = Some(parser.value()?.into()),
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(Verdict::Fine);
            }
            _ => return Err(argument.unexpected().into()),
        }
    }
    if !cfg!(target_arch = "x86_64") {
        println!("left out: only x86-64 code is understood");
        return Ok(Verdict::Fine);
    }
    let jumbo = Engine::jumbo(binary, "release")?;
    let path = jumbo.program(Sapi::Cli);
    let output = Command::new("objdump")
        .args(["-d", "--no-show-raw-insn", "-M", "intel"])
        .arg(path)
        .output()
        .map_err(|e| Failure::new(format!("objdump (package binutils) does not run: {e}")))?;
    if !output.status.success() {
        return Err(Failure::new(String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut function = "";
    let mut jumps = 0;
    let mut calls = BTreeSet::new();
    // Functions that go on in the next handler, and who jumps to and who calls which function.
    let mut going_on = BTreeSet::new();
    let (mut jumpers, mut callers) = (BTreeMap::<&str, BTreeSet<&str>>::new(), BTreeMap::<&str, BTreeSet<&str>>::new());
    for line in text.lines() {
        if line.ends_with(">:") {
            function = line.split_once('<').map_or("", |(_, name)| name.trim_end_matches(">:"));
            continue;
        }
        if !function.contains("jumbo_interp") {
            continue;
        }
        let target = || line.rsplit_once('<').map(|(_, name)| name.trim_end_matches('>')).filter(|name| !name.contains('+') && *name != function);
        if let Some(target) = target() {
            let map = if line.contains("call ") { &mut callers } else { &mut jumpers };
            map.entry(target).or_default().insert(function);
        }
        // The dispatch table is the only table of function pointers that the crate indexes.
        if !line.contains("*8]") {
            continue;
        }
        if line.contains("jmp ") {
            jumps += 1;
            going_on.insert(function);
        } else if line.contains("call ") && !LOOPS.iter().any(|part| function.contains(part)) {
            calls.insert(function);
        }
    }
    for function in &calls {
        println!("{function} calls the next handler");
    }
    let mut open: Vec<&str> = going_on.iter().copied().collect();
    while let Some(function) = open.pop() {
        open.extend(jumpers.get(function).into_iter().flatten().copied().filter(|jumper| going_on.insert(jumper)));
        for caller in callers.get(function).into_iter().flatten().filter(|caller| !LOOPS.iter().any(|part| caller.contains(part))) {
            println!("{caller} calls {function}, which goes on in the next handler");
            calls.insert(caller);
        }
    }
    println!("{jumps} jumps to the next handler, {} functions that call it", calls.len());
    if jumps < JUMPS_MIN {
        return Err(Failure::new(format!("fewer than {JUMPS_MIN} jumps through the dispatch table: was this built with --release?")));
    }
    Ok(Verdict::fine_if(calls.is_empty()))
}
