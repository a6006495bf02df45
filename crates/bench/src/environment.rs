//! The machine that figures come from: saved with them, because without it they say nothing.

use serde_json::{Map, Value, json};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn line_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.split_once(':').filter(|(n, _)| n.trim() == name)).map(|(_, value)| value.trim())
}

/// Everything that is known to change figures.
pub fn capture() -> Value {
    let cpu = read("/proc/cpuinfo").unwrap_or_default();
    let memory = read("/proc/meminfo").unwrap_or_default();
    let system = read("/etc/os-release").unwrap_or_default();
    let pretty = system.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).map(|v| v.trim_matches('"'));
    let mut settings = Map::new();
    for (name, path) in [
        ("governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        ("turbo_off", "/sys/devices/system/cpu/intel_pstate/no_turbo"),
        ("boost", "/sys/devices/system/cpu/cpufreq/boost"),
        ("smt", "/sys/devices/system/cpu/smt/control"),
        ("transparent_hugepage", "/sys/kernel/mm/transparent_hugepage/enabled"),
        ("somaxconn", "/proc/sys/net/core/somaxconn"),
        ("swappiness", "/proc/sys/vm/swappiness"),
        ("clocksource", "/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        ("aslr", "/proc/sys/kernel/randomize_va_space"),
    ] {
        // What cannot be read stands there as null: the reader sees that it is not known.
        settings.insert(name.to_owned(), json!(read(path)));
    }
    let vulnerabilities: Map<String, Value> = fs::read_dir("/sys/devices/system/cpu/vulnerabilities")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let text = fs::read_to_string(entry.path()).ok()?;
            // Those that cost time.
            text.starts_with("Mitigation").then(|| (entry.file_name().to_string_lossy().into_owned(), json!(text.trim())))
        })
        .collect();
    json!({
        "cpu": line_of(&cpu, "model name").or(line_of(&cpu, "Processor")),
        "cores": super::engines::machine_cores(),
        "cpu_mhz": line_of(&cpu, "cpu MHz"),
        "hypervisor": cpu.lines().any(|line| line.starts_with("flags") && line.split_whitespace().any(|flag| flag == "hypervisor")),
        "memory": line_of(&memory, "MemTotal"),
        "memory_available": line_of(&memory, "MemAvailable"),
        "swap": line_of(&memory, "SwapTotal"),
        "system": pretty,
        "kernel": read("/proc/sys/kernel/osrelease"),
        "load_before": read("/proc/loadavg"),
        "settings": settings,
        "mitigations": vulnerabilities,
        "bench_version": env!("CARGO_PKG_VERSION"),
        "bench_profile": if cfg!(debug_assertions) { "debug" } else { "optimised" },
    })
}

/// Load of the last minute.
pub fn load_average() -> f64 {
    read("/proc/loadavg").and_then(|text| text.split_whitespace().next().and_then(|v| v.parse().ok())).unwrap_or(0.0)
}

/// Now, as RFC 3339 has it, in UTC.
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    rfc3339(seconds)
}

fn rfc3339(seconds: u64) -> String {
    // The civil calendar from days, by eras of 400 years that begin in March (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let rest = seconds % 86_400;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00Z");
        assert_eq!(rfc3339(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(rfc3339(1_767_225_599), "2025-12-31T23:59:59Z");
    }

    #[test]
    fn the_machine_is_described() {
        let found = capture();
        assert!(found["cores"].as_u64().is_some_and(|n| n > 0));
        assert!(found["kernel"].is_string() && found["memory"].is_string());
    }
}
