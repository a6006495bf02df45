//! Instructions that Jumbo executes for a benchmark, as callgrind counts them: unlike times they do not depend on what else the machine
//! does, so that two commits can be compared by them.

use super::{Benchmark, WALL_MAX, job};
use crate::engine::Engine;
use crate::process::{Exit, Stderr};
use std::path::Path;

const VALGRIND: &str = "/usr/bin/valgrind";
/// How much longer a program may take under callgrind.
const SLOWER: u32 = 10;

/// Instructions of a run of the program, the start of the process included.
pub fn count(benchmark: &Benchmark, jumbo: &Engine) -> Result<u64, String> {
    if !Path::new(VALGRIND).exists() {
        return Err(format!("{VALGRIND} is missing, which counts instructions: install valgrind"));
    }
    let mut job = job(&benchmark.script, jumbo);
    let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"].map(Into::into);
    let program = std::mem::replace(&mut job.program, VALGRIND.into());
    job.args.splice(0..0, options.into_iter().chain([program.into()]));
    job.wall_max = SLOWER * WALL_MAX;
    job.stderr = Stderr::Merged;
    let outcome = job.run().map_err(|e| format!("cannot run valgrind: {e}"))?;
    let text = String::from_utf8_lossy(&outcome.output);
    if outcome.exit != Exit::Code(0) {
        return Err(format!("under valgrind: {}: {}", outcome.exit, text.trim().lines().last().unwrap_or_default()));
    }
    collected(&text).ok_or_else(|| "callgrind told no count".to_owned())
}

/// The number in callgrind's line `==123== Collected : 4567`.
fn collected(text: &str) -> Option<u64> {
    text.lines().rev().find_map(|line| line.split_once("Collected :")?.1.split_whitespace().next()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::collected;

    #[test]
    fn reads_the_count() {
        assert_eq!(collected("x\n==7== Events    : Ir\n==7== Collected : 70123\n==7== \n==7== I   refs:      70,123\n"), Some(70123));
        assert_eq!(collected("no count"), None);
    }
}
