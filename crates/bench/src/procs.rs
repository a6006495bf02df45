//! What a server costs: CPU time and memory of all its processes, from /proc.
//!
//! A server is a tree: the processes that were started and all below them. CPU time is user and system time of the living, with what they have
//! counted of children that have ended. Memory is the proportional set size (a page shared by n processes counts 1/n for each) and the
//! private part, from smaps_rollup: added up over a tree neither counts a shared page twice, as the resident set does.
//!
//! A process that ends while it is read is left out: reading /proc is never an error.

use std::collections::BTreeMap;
use std::fs;
use std::ops::{Add, Sub};

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    pub user_seconds: f64,
    pub system_seconds: f64,
}

impl Usage {
    pub fn seconds(self) -> f64 {
        self.user_seconds + self.system_seconds
    }
}

impl Add for Usage {
    type Output = Usage;
    fn add(self, other: Usage) -> Usage {
        Usage { user_seconds: self.user_seconds + other.user_seconds, system_seconds: self.system_seconds + other.system_seconds }
    }
}

impl Sub for Usage {
    type Output = Usage;
    fn sub(self, other: Usage) -> Usage {
        Usage { user_seconds: self.user_seconds - other.user_seconds, system_seconds: self.system_seconds - other.system_seconds }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Memory {
    pub pss_bytes: u64,
    pub private_bytes: u64,
    pub processes: usize,
    pub threads: u64,
}

impl Memory {
    /// The larger of each: the peak over samples.
    pub fn max(self, other: Memory) -> Memory {
        Memory {
            pss_bytes: self.pss_bytes.max(other.pss_bytes),
            private_bytes: self.private_bytes.max(other.private_bytes),
            processes: self.processes.max(other.processes),
            threads: self.threads.max(other.threads),
        }
    }
}

/// The fields of /proc/PID/stat after the name, which may itself contain spaces and parentheses.
fn stat(pid: u32) -> Option<Vec<u64>> {
    let text = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let after = memchr::memrchr(b')', &text)? + 1;
    let fields = std::str::from_utf8(text.get(after..)?).ok()?;
    // The first is the state, a letter; it counts as 0 here.
    Some(fields.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect())
}

/// The processes and all below them.
pub fn tree(roots: &[u32]) -> Vec<u32> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Some(parent) = stat(pid).and_then(|fields| fields.get(1).copied()) else { continue };
        children.entry(parent as u32).or_default().push(pid);
    }
    let mut found = Vec::new();
    let mut open = roots.to_vec();
    while let Some(pid) = open.pop() {
        if !found.contains(&pid) {
            found.push(pid);
            open.extend(children.get(&pid).into_iter().flatten());
        }
    }
    found.sort_unstable();
    found
}

fn ticks_per_second() -> f64 {
    rustix::param::clock_ticks_per_second() as f64
}

/// CPU time of the processes of a tree.
pub fn usage(pids: &[u32]) -> Usage {
    let mut sum = Usage::default();
    for fields in pids.iter().filter_map(|&pid| stat(pid)) {
        // utime, stime, cutime, cstime: fields 14 to 17 of the file, whose third is our first.
        let field = |number: usize| fields.get(number - 3).copied().unwrap_or(0) as f64 / ticks_per_second();
        sum = sum + Usage { user_seconds: field(14) + field(16), system_seconds: field(15) + field(17) };
    }
    sum
}

pub fn memory(pids: &[u32]) -> Memory {
    let mut sum = Memory::default();
    for &pid in pids {
        let Ok(text) = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) else { continue };
        sum.processes += 1;
        sum.threads += stat(pid).and_then(|fields| fields.get(20 - 3).copied()).unwrap_or(1);
        for line in text.lines() {
            let mut words = line.split_whitespace();
            let (Some(name), Some(kib)) = (words.next(), words.next().and_then(|v| v.parse::<u64>().ok())) else { continue };
            match name {
                "Pss:" => sum.pss_bytes += kib * 1024,
                "Private_Clean:" | "Private_Dirty:" => sum.private_bytes += kib * 1024,
                _ => {}
            }
        }
    }
    sum
}

/// Time that all cores have spent working, and all time: from /proc/stat.
pub fn machine_seconds() -> (f64, f64) {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let numbers: Vec<f64> = text.lines().next().unwrap_or("").split_whitespace().skip(1).filter_map(|v| v.parse().ok()).collect();
    // user nice system idle iowait irq softirq steal; guests are within user.
    let all: f64 = numbers.iter().take(8).sum();
    let idle: f64 = numbers.iter().skip(3).take(2).sum();
    ((all - idle) / ticks_per_second(), all / ticks_per_second())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_tree_counts_its_children_and_what_they_used() {
        // A shell that uses CPU time in a child that ends, and then has a child that sleeps.
        let script = "sh -c 'i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done'; sleep 30 & echo ready; wait";
        let mut shell = Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(shell.stdout.take().unwrap()), &mut line).unwrap();
        let pids = tree(&[shell.id()]);
        assert_eq!(pids.len(), 2, "the shell and its sleep");
        assert!(usage(&pids).seconds() >= 0.02, "{:?}", usage(&pids));
        let memory = memory(&pids);
        assert_eq!(memory.processes, 2);
        assert!(memory.pss_bytes > 50_000 && memory.private_bytes > 0 && memory.pss_bytes >= memory.private_bytes, "{memory:?}");
        for pid in pids {
            let _ = Command::new("kill").arg(pid.to_string()).status();
        }
        shell.wait().unwrap();
    }

    #[test]
    fn what_is_not_there_is_left_out() {
        assert_eq!(tree(&[u32::MAX]), [u32::MAX]);
        assert_eq!(usage(&[u32::MAX]), Usage::default());
        assert_eq!(memory(&[u32::MAX]), Memory::default());
    }
}
