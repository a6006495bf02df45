//! `jumbo-bench`: the benchmark as a program of its own, which is built without the engine. `jumbo bench` is the same.

#![forbid(unsafe_code)]

fn main() {
    std::process::exit(jumbo_bench::command_line(std::env::args_os().skip(1).collect(), None));
}
