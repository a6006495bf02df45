//! `cargo xtask phpt`: runs PHP's own .phpt tests under Jumbo, or under stock PHP, and compares with the committed
//! results. These are facts about one version of PHP; tests of another version run, but are not judged by them.
//!
//! The tests write beside themselves and into /tmp. As root the source tree is therefore covered by an overlay and
//! /tmp by a fresh file system, in a mount table private to this run: runs do not disturb each other and leave nothing
//! behind. Without privileges the tests run in place, one run at a time.

mod case;
mod conformance;
mod expect;
mod run_tests;
mod schedule;
mod section;

use crate::asan;
use crate::engine::{Engine, Sapi};
use crate::process::{self, Stderr};
use crate::test::{self, Mode};
use crate::{Failure, Verdict, mariadb, oracle, repository};
use case::{Case, Context, Report, Status};
use conformance::{Conformance, folder_of, php_version};
use section::Phpt;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const HELP: &str = "\
cargo xtask phpt [OPTIONS] [PATHS...]

Runs PHP's .phpt tests. PATHS are files or folders in PHP's source tree ($JUMBO_PHP_SRC, default .work/php-src);
without any: the folders whose stock results are committed. For ext/mysqli and ext/pdo_mysql MariaDB is started if it is installed.

  --engine jumbo|stock   who runs them (default jumbo)
  --binary PATH          this Jumbo binary; nothing is built ($JUMBO_BINARY does the same)
  --profile NAME         build profile of Jumbo (default dev)
  --jobs N               how many at a time (default: cores)
  --filter TEXT          only tests with TEXT in their path
  --all                  under Jumbo, also tests that stock does not pass
  --update               write the results into conformance/
  --lenient              tests that pass unexpectedly are shown, and are no failure
  --list fail|lost|won   print these tests, nothing else
  --run-tests            also run PHP's own runner on Jumbo (as root), and print where its verdicts differ from ours
  --asan                 the binary (--binary, or built as `test --asan` builds it) reports what AddressSanitizer finds; only that counts
  --modes LIST           only the tests recorded as passing, in these modes (those of `cargo xtask test`); whatever fails
                         there and is not in conformance/stress-exceptions.txt is named
  --why                  count what the failing tests complain about, most frequent first
  --verbose              print differences of failing tests
";

/// Their tests need a server.
const DATABASE_FOLDERS: &[&str] = &["ext/mysqli", "ext/pdo_mysql"];

/// How many complaints `--why` prints.
const SYMPTOMS_MAX: usize = 60;

/// How many tests of one kind are named after a run; more say nothing.
const NAMES_MAX: usize = 1000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Fail,
    Lost,
    Won,
}

struct Options {
    paths: Vec<String>,
    stock: bool,
    binary: Option<PathBuf>,
    profile: String,
    jobs: usize,
    filter: Option<String>,
    all: bool,
    update: bool,
    lenient: bool,
    list: Option<List>,
    modes: Vec<Mode>,
    why: bool,
    run_tests: bool,
    asan: bool,
    verbose: bool,
}

fn options(arguments: Vec<OsString>) -> Result<Option<Options>, Failure> {
    use lexopt::prelude::*;
    let mut options = Options {
        paths: Vec::new(),
        stock: false,
        binary: None,
        profile: "dev".to_owned(),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        filter: None,
        all: false,
        update: false,
        lenient: false,
        list: None,
        modes: Vec::new(),
        why: false,
        run_tests: false,
        asan: false,
        verbose: false,
    };
    let mut parser = lexopt::Parser::from_args(arguments);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("engine") => {
                options.stock = match parser.value()?.string()?.as_str() {
                    "stock" => true,
                    "jumbo" => false,
                    other => return Err(Failure::new(format!("no engine {other:?}: jumbo or stock"))),
                }
            }
            Long("binary") => options.binary = Some(parser.value()?.into()),
            Long("profile") => options.profile = parser.value()?.string()?,
            Long("release") => options.profile = "release".to_owned(),
            Long("jobs") | Short('j') => options.jobs = parser.value()?.parse()?,
            Long("filter") => options.filter = Some(parser.value()?.string()?),
            Long("all") => options.all = true,
            Long("lenient") => options.lenient = true,
            Long("update") => options.update = true,
            Long("run-tests") => options.run_tests = true,
            Long("asan") => options.asan = true,
            Long("modes") => options.modes = test::modes(&parser.value()?.string()?)?,
            Long("why") => options.why = true,
            Long("verbose") | Short('v') => options.verbose = true,
            Long("list") => {
                options.list = Some(match parser.value()?.string()?.as_str() {
                    "fail" => List::Fail,
                    "lost" => List::Lost,
                    "won" => List::Won,
                    other => return Err(Failure::new(format!("no list {other:?}: fail, lost or won"))),
                });
            }
            Long("help") | Short('h') => {
                print!("{HELP}");
                return Ok(None);
            }
            Value(path) => options.paths.push(path.string()?),
            _ => return Err(argument.unexpected().into()),
        }
    }
    Ok(Some(options))
}

pub fn run(arguments: Vec<OsString>) -> Result<Verdict, Failure> {
    let Some(options) = options(arguments)? else { return Ok(Verdict::Fine) };
    let sources = oracle::php_sources();
    let sources = fs::canonicalize(&sources).map_err(|e| {
        Failure::new(format!("{}: {e}; unpack PHP's sources with `cargo xtask oracle sources`", sources.display()))
    })?;
    let mut conformance = Conformance::read(&repository())?;
    let mut paths = if options.paths.is_empty() {
        conformance.stock.folders.keys().cloned().collect()
    } else {
        options.paths.clone()
    };
    let needs_database = |path: &String| DATABASE_FOLDERS.iter().any(|folder| path.trim_start_matches("./").starts_with(folder));
    // Until the end of the run.
    let _database = if paths.iter().any(needs_database) { mariadb::for_a_run()? } else { None };
    if paths.iter().any(needs_database) && mariadb::running_port().is_none() {
        eprintln!("phpt: without MariaDB (`cargo xtask mariadb start`) the tests of {} are left out", DATABASE_FOLDERS.join(", "));
        paths.retain(|path| !needs_database(path));
    }
    // The engine is built before mounts hide anything.
    let jumbo =
        if options.stock { None } else { Some(Engine::jumbo(binary_of(&options)?, &options.profile)?) };
    let reports = if options.asan { Some(asan::Reports::new()?) } else { None };
    let guard = isolate(&sources, jumbo.as_ref())?;
    let engine = match jumbo {
        Some(engine) => match &reports {
            Some(reports) => engine.reporting_to(reports.folder()),
            None => engine,
        },
        None if guard.is_some() => return Err(Failure::new("stock PHP runs in a chroot, which needs root")),
        None => Engine::stock(&[&sources])?,
    };

    let cgi = match (options.stock, &guard) {
        (true, _) => Some(engine.program(Sapi::Cgi).to_path_buf()),
        (false, None) => cgi_program(&engine)?,
        (false, Some(_)) => None,
    };
    let ask_skipif = options.stock || options.all;
    let mut context = Context { engine, sources, cgi, extensions: None, ask_skipif, database: mariadb::test_environment() };
    // Redirecting tests are asked which ones they stand for.
    context.extensions = Some(extensions(&context)?);
    let mut cases = collect(&context, &paths)?;
    if let Some(filter) = &options.filter {
        cases.retain(|case| case.name.contains(filter.as_str()));
    }
    if !options.modes.is_empty() && !options.stock {
        return Ok(Verdict::fine_if(stress(&context, &conformance, &cases, &options)));
    }
    let (results, skipped) = if options.stock {
        (run_cases(&context, cases, options.jobs, &HashSet::new()), 0)
    } else {
        run_jumbo(&context, &conformance, cases, &options)
    };

    if let Some(reports) = &reports {
        let found = reports.all()?;
        found.iter().for_each(|report| println!("ASAN {report}"));
        println!("{} tests, {} reports ({})", results.len(), found.len(), reports.folder().display());
        return Ok(Verdict::fine_if(found.is_empty()));
    }
    if options.run_tests && !options.stock {
        let theirs = run_tests::verdicts(context.engine.program(Sapi::Cli), &context.sources, &paths, options.jobs)?;
        return Ok(Verdict::fine_if(run_tests::compare(&results, &theirs)?));
    }
    if options.stock {
        finish_stock(&context, &options, &mut conformance, &results)
    } else {
        finish_jumbo(&context, &options, &mut conformance, &results, skipped)
    }
}

/// A program that runs Jumbo as `php-cgi` runs: it stands in the folder for temporary files, which is this run's own (None: it is not).
fn cgi_program(engine: &Engine) -> Result<Option<PathBuf>, Failure> {
    use std::os::unix::fs::PermissionsExt;
    let path = PathBuf::from("/tmp/php-cgi");
    if path.exists() || engine.program(Sapi::Cli).starts_with("/tmp") {
        return Ok(None);
    }
    let text = format!("#!/bin/sh\nexec '{}' --cgi \"$@\"\n", engine.program(Sapi::Cli).display());
    fs::write(&path, text).map_err(|e| Failure::io(&path, &e))?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(|e| Failure::io(&path, &e))?;
    Ok(Some(path))
}

/// The binary that is asked for; None: that of the profile.
fn binary_of(options: &Options) -> Result<Option<PathBuf>, Failure> {
    match &options.binary {
        None if options.asan => asan::build().map(Some),
        given => Ok(given.clone()),
    }
}

type Results = Vec<(Case, Report)>;

fn run_cases(context: &Context, cases: Vec<Case>, jobs: usize, expected_pass: &HashSet<String>) -> Results {
    let reports = schedule::run(context, &cases, jobs, expected_pass);
    cases.into_iter().zip(reports).collect()
}

/// Runs what stock passes (or everything), without SKIPIF where stock's result is known: it ran there.
fn run_jumbo(
    context: &Context,
    conformance: &Conformance,
    cases: Vec<Case>,
    options: &Options,
) -> (Results, usize) {
    let mut skipped = 0;
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    let mut expected_pass = HashSet::new();
    for case in cases {
        match conformance.stock.status(&case.name) {
            Some(Status::Pass) => {
                let failing = conformance.jumbo.get(folder_of(&case.name));
                if failing.is_some_and(|failing| !failing.contains(&case.name)) {
                    expected_pass.insert(case.name.clone());
                }
                known.push(case);
            }
            Some(_) if !options.all => skipped += 1,
            _ => unknown.push(case),
        }
    }
    let mut results = run_cases(
        &Context {
            engine: context.engine.clone(),
            sources: context.sources.clone(),
            cgi: context.cgi.clone(),
            extensions: None,
            ask_skipif: false,
            database: context.database.clone(),
        },
        known,
        options.jobs,
        &expected_pass,
    );
    if !unknown.is_empty() {
        let context = Context {
            engine: context.engine.clone(),
            sources: context.sources.clone(),
            cgi: context.cgi.clone(),
            extensions: None,
            ask_skipif: true,
            database: context.database.clone(),
        };
        results.extend(run_cases(&context, unknown, options.jobs, &HashSet::new()));
    }
    (results, skipped)
}

/// Runs what is recorded as passing in each of the modes asked for; whether all pass there.
fn stress(context: &Context, conformance: &Conformance, cases: &[Case], options: &Options) -> bool {
    let mut fine = true;
    for (mode, environment) in &options.modes {
        let wanted = |case: &&Case| conformance.jumbo_passes(&case.name);
        let excepted = |case: &&Case| !conformance.is_stress_exception(mode, &case.name);
        let stressed = |case: &Case| {
            let mut case = case.clone();
            case.extra_env.extend(environment.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())));
            case
        };
        let cases: Vec<Case> = cases.iter().filter(wanted).filter(excepted).map(stressed).collect();
        let names = cases.iter().map(|case| case.name.clone()).collect();
        let results = run_cases(context, cases, options.jobs, &names);
        for (case, report) in results.iter().filter(|(_, report)| report.status == Status::Fail) {
            fine = false;
            if options.list == Some(List::Fail) {
                println!("{}", case.name);
            } else if options.verbose {
                println!("FAIL {} in mode {mode} ({})\n{}", case.name, report.reason, report.difference);
            } else {
                println!("FAIL {} in mode {mode} ({})", case.name, report.symptom);
            }
        }
        println!("Mode {mode}:");
        totals(&results, 0);
    }
    fine
}

fn finish_stock(
    context: &Context,
    options: &Options,
    conformance: &mut Conformance,
    results: &Results,
) -> Result<Verdict, Failure> {
    print_failures(options, results);
    if options.update {
        let mut counts = BTreeMap::new();
        for (case, _) in results {
            let folder = folder_of(&case.name);
            if !counts.contains_key(folder) {
                let all = collect(context, &[folder.to_owned()])?;
                let run = results.iter().filter(|(case, _)| folder_of(&case.name) == folder).count();
                if run < all.len() && !conformance.stock.folders.contains_key(folder) {
                    return Err(Failure::new(format!("--update needs all of {folder} the first time")));
                }
                counts.insert(folder.to_owned(), all.len());
            }
        }
        let rows: Vec<_> =
            results.iter().map(|(case, r)| (case.name.as_str(), r.status, r.reason.as_str())).collect();
        conformance.update_stock(&counts, &rows);
        conformance.stock.version = sources_version(context)?;
        conformance.write_stock()?;
    }
    totals(results, 0);
    let failed = results.iter().any(|(_, report)| report.status == Status::Fail);
    Ok(Verdict::fine_if(options.update || !failed))
}

fn finish_jumbo(
    context: &Context,
    options: &Options,
    conformance: &mut Conformance,
    results: &Results,
    skipped: usize,
) -> Result<Verdict, Failure> {
    let (mut lost, mut won, mut unrecorded) = (0, 0, 0);
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    for (case, report) in results {
        if conformance.stock.status(&case.name) != Some(Status::Pass) {
            continue;
        }
        // Stock passes it: skipping it, or calling it an expected failure, is failing.
        let passes = report.status == Status::Pass;
        rows.push((case.name.as_str(), if passes { Status::Pass } else { Status::Fail }));
        let known = conformance.jumbo.get(folder_of(&case.name)).map(|failing| !failing.contains(&case.name));
        match (known, passes) {
            // A folder that was never recorded expects nothing.
            (None, true) => unrecorded += 1,
            (Some(false), true) => {
                won += 1;
                lines.push((List::Won, case, report));
            }
            (Some(true), false) => {
                lost += 1;
                lines.push((List::Lost, case, report));
            }
            _ => {}
        }
    }
    match options.list {
        None | Some(List::Fail) => print_failures(options, results),
        Some(wanted) => {
            for (_, case, _) in lines.iter().filter(|(list, ..)| *list == wanted) {
                println!("{}", case.name);
            }
        }
    }
    if options.list.is_none() && !options.update {
        for (_, case, _) in lines.iter().filter(|(list, ..)| *list == List::Won).take(NAMES_MAX) {
            println!("WON {}", case.name);
        }
        for (_, case, report) in lines.iter().filter(|(list, ..)| *list == List::Lost).take(NAMES_MAX) {
            println!("LOST {} ({})", case.name, report.reason);
        }
    }
    let version = sources_version(context)?;
    let comparable = version == conformance.stock.version;
    if !comparable {
        println!(
            "The sources are of PHP {version}, the committed results of PHP {}: differences are shown, not judged.",
            conformance.stock.version
        );
    }
    if options.update {
        if !comparable {
            return Err(Failure::new("first renew stock's results: --engine stock --update"));
        }
        conformance.update_jumbo(&rows)?;
    } else if options.list.is_none() && won > 0 {
        println!("{won} tests pass that were expected to fail: record them with --update");
    }
    if unrecorded > 0 && options.list.is_none() && !options.update {
        println!("{unrecorded} tests pass in folders that are not recorded yet (--update does it)");
    }
    if options.why {
        print_symptoms(results);
    }
    if lost > 0 && options.list.is_none() && !options.update {
        println!("{lost} tests fail that passed before");
    }
    totals(results, skipped);
    Ok(Verdict::fine_if(options.update || !comparable || (lost == 0 && (won == 0 || options.lenient))))
}

fn print_failures(options: &Options, results: &Results) {
    for (case, report) in results {
        if report.status != Status::Fail {
            continue;
        }
        if options.verbose {
            println!("FAIL {} ({})\n{}", case.name, report.reason, report.difference);
        } else if options.list == Some(List::Fail) {
            println!("{}", case.name);
        } else if options.stock {
            println!("FAIL {} ({})", case.name, report.reason);
        }
    }
}

/// How many failing tests share a complaint: where the next piece of work pays most.
fn print_symptoms(results: &Results) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, report) in results.iter().filter(|(_, report)| report.status == Status::Fail) {
        *counts.entry(&report.symptom).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(symptom, count)| (std::cmp::Reverse(count), symptom));
    for (symptom, count) in counts.iter().take(SYMPTOMS_MAX) {
        println!("{count:>6}  {symptom}");
    }
    if counts.len() > SYMPTOMS_MAX {
        let rest: usize = counts[SYMPTOMS_MAX..].iter().map(|(_, count)| count).sum();
        println!("{rest:>6}  for {} other reasons", counts.len() - SYMPTOMS_MAX);
    }
}

fn totals(results: &Results, skipped: usize) {
    let count = |status| results.iter().filter(|(_, report)| report.status == status).count();
    let xfail = count(Status::Xfail);
    let (passed, failed) = (count(Status::Pass), count(Status::Fail));
    let skipped = skipped + count(Status::Skip);
    let xfail = if xfail == 0 { String::new() } else { format!(", {xfail} failed as expected") };
    println!("{passed} passed, {failed} failed, {skipped} skipped{xfail}");
}

/// Covers the source tree and /tmp; without privileges takes a lock that the caller holds for the run.
fn isolate(sources: &Path, jumbo: Option<&Engine>) -> Result<Option<File>, Failure> {
    let covered = process::private_mounts().and_then(|()| {
        let scratch = std::env::temp_dir().join("jumbo-phpt");
        fs::create_dir_all(&scratch)?;
        process::mount(&["-t", "tmpfs", "-o", "size=50%", "tmpfs", &scratch.to_string_lossy()])?;
        fs::create_dir_all(scratch.join("upper"))?;
        fs::create_dir_all(scratch.join("work"))?;
        let overlay = format!(
            "lowerdir={0},upperdir={1}/upper,workdir={1}/work",
            sources.to_string_lossy(),
            scratch.to_string_lossy()
        );
        process::mount(&["-t", "overlay", "-o", &overlay, "overlay", &sources.to_string_lossy()])
    });
    if let Err(reason) = covered {
        eprintln!("phpt: no private mounts ({reason}); tests run in place");
        let path = sources.join(".jumbo-phpt.lock");
        let lock = File::create(&path).map_err(|e| Failure::io(&path, &e))?;
        lock.lock().map_err(|e| Failure::io(&path, &e))?;
        return Ok(Some(lock));
    }
    let tmp = match jumbo {
        Some(engine) => {
            let needed = [sources, engine.program(Sapi::Cli)];
            if needed.iter().any(|path| path.starts_with("/tmp")) {
                return Ok(None);
            }
            PathBuf::from("/tmp")
        }
        None => oracle::root().join("tmp"),
    };
    process::mount(&["-t", "tmpfs", "-o", "mode=1777,size=50%", "tmpfs", &tmp.to_string_lossy()])
        .map_err(|e| Failure::new(format!("cannot cover {}: {e}", tmp.display())))?;
    Ok(None)
}

/// The tests at `paths`, sorted, with redirecting tests replaced by those they stand for.
fn collect(context: &Context, paths: &[String]) -> Result<Vec<Case>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        let path = context.sources.join(path.trim_start_matches("./"));
        let metadata = fs::metadata(&path).map_err(|e| Failure::io(&path, &e))?;
        if metadata.is_dir() {
            walk(&path, &mut files).map_err(|e| Failure::io(&path, &e))?;
        } else {
            files.push(path);
        }
    }
    files.sort();
    files.dedup();
    let mut cases = Vec::new();
    for file in files {
        let name = relative(&context.sources, &file);
        match Phpt::read(&file) {
            Ok(phpt) if phpt.has("REDIRECTTEST") => cases.extend(redirected(context, &name, &phpt)?),
            // An invalid test is reported as such when it runs.
            _ => cases.push(Case { name, file, extra_env: Vec::new() }),
        }
    }
    Ok(cases)
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "phpt") {
            files.push(path);
        }
    }
    Ok(())
}

fn relative(sources: &Path, file: &Path) -> String {
    file.strip_prefix(sources).unwrap_or(file).to_string_lossy().into_owned()
}

/// REDIRECTTEST holds PHP code that returns an array: ENV for the tests, and TESTS, the folder they stand in. The
/// engine itself evaluates it; where it cannot, the redirecting test stays in the list and fails as invalid.
fn redirected(context: &Context, name: &str, phpt: &Phpt) -> Result<Vec<Case>, Failure> {
    let itself = || vec![Case { name: name.to_owned(), file: context.sources.join(name), extra_env: Vec::new() }];
    let Some(known) = &context.extensions else { return Ok(itself()) };
    if phpt.lines("EXTENSIONS").iter().any(|extension| !known.contains(&extension.to_ascii_lowercase())) {
        return Ok(itself());
    }
    let code = String::from_utf8_lossy(phpt.get("REDIRECTTEST").unwrap_or_default()).into_owned();
    let script = format!("echo json_encode((function () {{ {code} }})());");
    let mut job = context.engine.job(Sapi::Cli, vec!["-r".into(), script.into()], &context.sources);
    job.stderr = Stderr::Null;
    let outcome = job.run().map_err(|e| Failure::new(format!("{name}: {e}")))?;
    let Ok(answer) = serde_json::from_slice::<serde_json::Value>(&outcome.output) else { return Ok(itself()) };
    let Some(folder) = answer["TESTS"].as_str() else { return Ok(itself()) };
    let mut extra_env = Vec::new();
    for (key, value) in answer["ENV"].as_object().into_iter().flatten() {
        extra_env.push((key.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)));
    }
    let mut files = Vec::new();
    walk(&context.sources.join(folder), &mut files).map_err(|e| Failure::new(format!("{name}: {folder}: {e}")))?;
    files.sort();
    let case = |file: PathBuf| Case {
        name: format!("{name}: {}", relative(&context.sources, &file)),
        file,
        extra_env: extra_env.clone(),
    };
    Ok(files.into_iter().map(case).collect())
}

/// The engine's extensions, in lower case.
fn extensions(context: &Context) -> Result<HashSet<String>, Failure> {
    let job = context.engine.job(Sapi::Cli, vec!["-m".into()], &context.sources);
    let outcome = job.run().map_err(|e| Failure::new(format!("cannot run the engine: {e}")))?;
    let text = String::from_utf8_lossy(&outcome.output).to_ascii_lowercase();
    // Tests call opcache by its short name.
    let names = text.lines().map(|line| line.trim().trim_start_matches("zend "));
    Ok(names.filter(|name| !name.is_empty() && !name.starts_with('[')).map(str::to_owned).collect())
}

/// The version of PHP that the sources are of, as their list of changes begins with it.
fn sources_version(context: &Context) -> Result<String, Failure> {
    let path = context.sources.join("NEWS");
    let text = fs::read(&path).map_err(|e| Failure::io(&path, &e))?;
    let text = String::from_utf8_lossy(&text);
    let version = text.lines().take(5).find_map(php_version);
    version.map(str::to_owned).ok_or_else(|| Failure::new(format!("{} names no version", path.display())))
}
