//! `jumbo bench calibrate`: do the generator's figures agree with wrk's? On nginx, a static file, and on a PHP page, in turns.
//!
//! The server gets the first half of the cores, the generators the others. On shared cores the lighter generator would leave the server more of
//! them and find a higher figure, which would be true and no question of measuring.

use crate::engines::{Engine, Options, Server, machine_cores, with_affinity};
use crate::load::{self, Load, Pace};
use crate::place::{Place, tail};
use crate::progress::Progress;
use crate::sanity;
use crate::session::Settings;
use crate::stats::{Ratio, paired_ratio};
use crate::targets::{self, Target};
use serde_json::{Value, json};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far the ratio may be from 1.
pub const DIFFERENCE_MAX: f64 = 0.03;

/// Clients of both: enough to keep a server busy, few enough that both generators are not.
const CLIENTS: usize = 32;

/// What the comparison shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Agree,
    /// The confidence interval is wider than the difference that is looked for.
    TooNoisy,
    Differ,
}

/// Their requests a second are within [`DIFFERENCE_MAX`]; they are not; or these runs cannot tell.
fn verdict(ratio: &Ratio) -> Verdict {
    let near = |v: f64| (v - 1.0).abs() <= DIFFERENCE_MAX;
    match ratio.interval {
        _ if near(ratio.ratio) => Verdict::Agree,
        Some((low, high)) if low > 1.0 + DIFFERENCE_MAX || high < 1.0 - DIFFERENCE_MAX => Verdict::Differ,
        _ => Verdict::TooNoisy,
    }
}

/// Measures; the figures, and the worst verdict on them.
pub fn run(settings: &Settings, place: &Place, options: &Options, stop: &AtomicBool) -> Result<(Value, Verdict), String> {
    let wrk = place.program("wrk").map(|path| place.host(path)).filter(|_| place.root().is_none());
    let clients = settings.clients.unwrap_or(CLIENTS);
    let hello = targets::find("hello", &[])?.remove(0);
    let cores: Vec<usize> = (0..machine_cores()).collect();
    let (of_server, of_generator) = cores.split_at(cores.len() / 2);
    let apart = (!of_server.is_empty()).then_some((of_server, of_generator));
    let options = Options { cores: apart.map(|(server, _)| server.to_vec()).or(options.cores.clone()), ..options.clone() };
    let of_generator = apart.map(|(_, generator)| generator);
    let pairs: [(Target, &str); 2] = [(targets::calibration(), "nginx"), (hello, "fpm")];
    let planned = 2.0 * (settings.runs as f64 * 2.0 * settings.duration.as_secs_f64() + 2.0);
    let mut progress = Progress::new(planned, settings.quiet);
    let (mut found, mut worst) = (Vec::new(), Verdict::Agree);
    for (target, name) in pairs {
        let engine = Engine::parse(name)?;
        let site = target.prepare(place, &engine)?;
        let first = target.pages[0].request("bench.test");
        let (server, _) = Server::start(&engine, place, &site, &options, &first, stop)?;
        let checked = sanity::check(&server, &target, None, settings.timeout)?;
        let load = Load {
            address: server.address,
            requests: &checked.requests,
            clients,
            threads: settings.threads,
            pace: Pace::Closed,
            duration: settings.duration,
            timeout: settings.timeout,
            stop,
        };
        with_affinity(of_generator, || load::run(&load))??;
        progress.done(2.0);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let (mut ours_p50, mut theirs_p50) = (Vec::new(), Vec::new());
        for number in 0..settings.runs {
            // Whoever is second may find a warmer machine: they take turns in that too.
            for turn in 0..2 {
                if stop.load(Ordering::Relaxed) {
                    return Err("interrupted".into());
                }
                let we = (number + turn) % 2 == 0;
                progress.step(&format!("{name}: {} run {} of {}", if we { "jumbo bench" } else { "wrk" }, number + 1, settings.runs));
                if we {
                    let outcome = with_affinity(of_generator, || load::run(&load))??;
                    if outcome.failed() > 0 {
                        return Err(format!("{name}: failed requests: {:?}", outcome.examples));
                    }
                    ours.push(outcome.requests_per_second());
                    ours_p50.push(outcome.latency_ns.value_at_quantile(0.5) as f64 / 1e6);
                } else {
                    let url = format!("http://{}{}", server.address, target.pages[0].path);
                    let arguments = wrk_arguments(clients, settings, &url);
                    // wrk of the place, or of the machine.
                    let mut command = match &wrk {
                        Some(path) => Command::new(path),
                        None => Command::new("wrk"),
                    };
                    let output = with_affinity(of_generator, || match command.args(&arguments).output() {
                        Ok(output) => Ok(output),
                        Err(_) => place.command(&[], "wrk", &arguments)?.output().map_err(|e| format!("wrk: {e}: `jumbo bench setup`")),
                    })??;
                    let text = String::from_utf8_lossy(&output.stdout).into_owned();
                    let (rate, p50) = parse_wrk(&text).ok_or_else(|| format!("wrk: {}", tail(&[output.stdout, output.stderr].concat(), 300)))?;
                    theirs.push(rate);
                    theirs_p50.push(p50);
                }
                progress.done(settings.duration.as_secs_f64());
            }
        }
        let ratio = paired_ratio(&ours, &theirs).ok_or("no runs")?;
        let p50 = paired_ratio(&ours_p50, &theirs_p50).ok_or("no runs")?;
        worst = worst.max(verdict(&ratio));
        let describe = |r| crate::summary::describe_ratio(r);
        found.push(json!({"server": name, "target": target.name, "clients": clients, "ours": ours, "wrk": theirs, "requests_per_second": describe(&ratio), "latency_p50": describe(&p50)}));
    }
    Ok((Value::Array(found), worst))
}

fn wrk_arguments(clients: usize, settings: &Settings, url: &str) -> Vec<String> {
    let seconds = settings.duration.as_secs().max(1);
    vec![format!("-t{}", settings.threads.min(clients)), format!("-c{clients}"), format!("-d{seconds}s"), "--latency".into(), "-H".into(), "Host: bench.test".into(), url.to_owned()]
}

/// Requests a second and the median latency in milliseconds; none when wrk saw failures.
fn parse_wrk(text: &str) -> Option<(f64, f64)> {
    if text.contains("Non-2xx") || text.contains("Socket errors") {
        return None;
    }
    let value = |name: &str| text.lines().find_map(|line| line.trim().strip_prefix(name)).map(str::trim);
    let p50 = value("50%")?;
    let (number, scale) = match p50 {
        p if p.ends_with("us") => (p.trim_end_matches("us"), 1e-3),
        p if p.ends_with("ms") => (p.trim_end_matches("ms"), 1.0),
        p => (p.trim_end_matches('s'), 1e3),
    };
    Some((value("Requests/sec:")?.parse().ok()?, number.parse::<f64>().ok()? * scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_neither_agreement_nor_difference() {
        let told = |ratio, low, high| verdict(&Ratio { n: 5, ratio, interval: Some((low, high)) });
        assert_eq!(told(1.02, 0.9, 1.2), Verdict::Agree);
        assert_eq!(told(1.10, 1.05, 1.15), Verdict::Differ);
        assert_eq!(told(0.80, 0.7, 0.9), Verdict::Differ);
        assert_eq!(told(1.10, 0.8, 1.4), Verdict::TooNoisy);
    }

    #[test]
    fn wrk_output() {
        let text = "  Latency Distribution\n     50%  512.00us\n     99%    2.11ms\n  1000 requests in 1.00s, 1.00MB read\nRequests/sec:  12345.67\n";
        assert_eq!(parse_wrk(text), Some((12345.67, 0.512)));
        assert_eq!(parse_wrk(&text.replace("512.00us", "1.50s")), Some((12345.67, 1500.0)));
        assert_eq!(parse_wrk(&format!("{text}  Non-2xx or 3xx responses: 3\n")), None);
        assert_eq!(parse_wrk(""), None);
    }
}
