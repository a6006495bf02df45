//! `--run-tests`: PHP's own runner, which stock PHP runs in the oracle's chroot, tests Jumbo there; its verdicts are compared with
//! ours, test by test. It asks Jumbo for its extensions, runs SKIPIF, and finds php-cgi by its environment.

use super::{Results, Status};
use crate::Failure;
use crate::engine::{Engine, Sapi};
use crate::process::{self, Stderr};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Far more than the whole suite takes.
const WALL_MAX: Duration = Duration::from_secs(4 * 3600);
/// Where Jumbo stands in the chroot: under the names by which it answers as `php` and as `php-cgi`.
const FOLDER: &str = "/tmp/jumbo-bin";

/// The verdicts of PHP's runner about Jumbo (`jumbo`), by test. Mounts are private already.
pub fn verdicts(jumbo: &Path, sources: &Path, paths: &[String], jobs: usize) -> Result<BTreeMap<String, String>, Failure> {
    let stock = Engine::stock(&[sources])?;
    let Engine::Stock { root } = &stock else { return Err(Failure::new("no stock PHP")) };
    let tmp = root.join("tmp");
    process::mount(&["-t", "tmpfs", "-o", "mode=1777,size=50%", "tmpfs", &tmp.to_string_lossy()])
        .map_err(|e| Failure::new(format!("cannot cover {}: {e}", tmp.display())))?;
    let folder = root.join(FOLDER.trim_start_matches('/'));
    let cannot = |e: std::io::Error| Failure::io(&folder, &e);
    fs::create_dir_all(&folder).map_err(cannot)?;
    fs::copy(jumbo, folder.join("php")).map_err(cannot)?;
    std::os::unix::fs::symlink("php", folder.join("php-cgi")).map_err(cannot)?;

    let mut args: Vec<OsString> = vec!["-d".into(), "memory_limit=-1".into(), sources.join("run-tests.php").into()];
    args.extend(["-p", &format!("{FOLDER}/php"), "-q", "--no-color", "--no-progress", "-W", "/tmp/verdicts"].map(OsString::from));
    args.push(format!("-j{jobs}").into());
    args.extend(paths.iter().map(OsString::from));
    let mut job = stock.job(Sapi::Cli, args, sources);
    job.env.push(("NO_INTERACTION".into(), "1".into()));
    job.env.push(("TEST_PHP_CGI_EXECUTABLE".into(), format!("{FOLDER}/php-cgi").into()));
    job.stderr = Stderr::Merged;
    job.wall_max = WALL_MAX;
    job.address_space_max = 0;
    let outcome = job.run().map_err(|e| Failure::new(format!("cannot run run-tests.php: {e}")))?;
    let list = tmp.join("verdicts");
    let Ok(text) = fs::read_to_string(&list) else {
        return Err(Failure::new(format!("run-tests.php: {}\n{}", outcome.exit, String::from_utf8_lossy(&outcome.output))));
    };
    Ok(parse(&text, sources))
}

/// Lines of `STATUS TAB FILE`, or `STATUS FILE`; files are absolute or relative to the source tree.
fn parse(text: &str, sources: &Path) -> BTreeMap<String, String> {
    let mut verdicts = BTreeMap::new();
    for line in text.lines() {
        let Some((status, file)) = line.split_once(char::is_whitespace) else { continue };
        let file = Path::new(file.trim());
        let name = file.strip_prefix(sources).unwrap_or(file).to_string_lossy();
        verdicts.insert(name.trim_start_matches("./").to_owned(), status.to_owned());
    }
    verdicts
}

/// Tests about which the two runners may rightly disagree, one a line: its name, a colon, and why.
const EXPLAINED: &str = "conformance/run-tests.txt";

/// Prints where the verdicts differ; whether they agree, but for what [`EXPLAINED`] explains.
pub fn compare(results: &Results, theirs: &BTreeMap<String, String>) -> Result<bool, Failure> {
    let path = crate::repository().join(EXPLAINED);
    let text = fs::read_to_string(&path).map_err(|e| Failure::io(&path, &e))?;
    let explained: BTreeMap<&str, &str> = text.lines().filter_map(|line| line.split_once(": ")).collect();
    let (mut passed, mut also_passed, mut differ, mut known) = (0, 0, 0, 0);
    for (case, report) in results {
        let Some(verdict) = theirs.get(&case.name) else {
            println!("NOT RUN by run-tests.php: {}", case.name);
            differ += 1;
            continue;
        };
        let ours = report.status == Status::Pass;
        passed += usize::from(ours);
        also_passed += usize::from(verdict == "PASSED");
        if ours != (verdict == "PASSED") {
            if let Some(why) = explained.get(case.name.as_str()) {
                println!("EXPLAINED {}: {why}", case.name);
                known += 1;
                continue;
            }
            println!("DIFFERS {}: run-tests.php says {verdict}, we say {:?} ({})", case.name, report.status, report.reason);
            differ += 1;
        }
    }
    println!("{} tests: {passed} passed here, {also_passed} under run-tests.php, {differ} verdicts differ, {known} explained in {EXPLAINED}", results.len());
    Ok(differ == 0)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use std::path::Path;

    #[test]
    fn lines() {
        let verdicts = parse("PASSED\t/src/Zend/tests/a.phpt\nFAILED ext/b.phpt\n", Path::new("/src"));
        assert_eq!(verdicts["Zend/tests/a.phpt"], "PASSED");
        assert_eq!(verdicts["ext/b.phpt"], "FAILED");
    }
}
