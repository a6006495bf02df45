//! The command line, as a shell sees it: output, standard error and exit status. What is expected is what `php` 8.4 does.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn jumbo() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jumbo"));
    command.env("PHP_INI_SCAN_DIR", "").env_remove("PHPRC");
    command
}

/// A folder for a test's files, emptied at its start.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    // It may not be there yet.
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder for temporary files");
    path
}

fn run(command: &mut Command, input: &[u8]) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // A script need not read its input.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    child.wait_with_output().expect("the program ends")
}

#[track_caller]
fn check(args: &[&str], stdout: &str, status: i32) {
    let output = run(jumbo().arg("-n").args(args), b"");
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout, "stderr: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(status));
}

#[test]
fn code() {
    check(&["-r", "echo 1 + 2;"], "3", 0);
    check(&["-r", "exit(3);"], "", 3);
    check(&["-r", "exit('bye');"], "bye", 0);
    check(&["-r", "echo $argc, $argv[0], $argv[1];", "--", "-x"], "2Standard input code-x", 0);
    check(&["-r", "echo __FILE__;"], "Command line code", 0);
    check(&["-d", "precision=3", "-dprecision=5", "-r", "echo 1/3;"], "0.33333", 0);
    check(&["-d", "precision", "-r", "echo ini_get('precision');"], "1", 0);
}

#[test]
fn errors() {
    check(
        &["-r", "throw new Exception('x');"],
        "PHP Fatal error:  Uncaught Exception: x in Command line code:1\nStack trace:\n#0 {main}\n  thrown in Command line code on line 1\n"
            .replace("PHP Fatal error:  ", "\nFatal error: ")
            .as_str(),
        255,
    );
    check(&["-r", "foo("], "\nParse error: Unclosed '(' in Command line code on line 1\n", 255);
    for args in [["-n", "nofile.php"].as_slice(), &["-n", "-l", "nofile.php"]] {
        let output = run(jumbo().args(args), b"");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "Could not open input file: nofile.php\n");
        assert_eq!((output.stdout.as_slice(), output.status.code()), (b"".as_slice(), Some(1)));
    }
}

#[test]
fn files() {
    let folder = folder("cli-files");
    std::fs::write(folder.join("a.php"), "#!/usr/bin/env php\n<?php foreach ($argv as $a) echo $a, ','; echo $_SERVER['SCRIPT_NAME'];").expect("written");
    std::fs::write(folder.join("bad.php"), "<?php f( ;").expect("written");
    let of = |args: &[&str]| run(jumbo().arg("-n").args(args).current_dir(&folder), b"").stdout;
    let text = |args: &[&str]| String::from_utf8_lossy(&of(args)).into_owned();
    assert_eq!(text(&["a.php", "x", "-d", "y", "--", "z"]), "a.php,x,-d,y,--,z,a.php");
    assert_eq!(text(&["-f", "a.php", "--", "-z"]), "a.php,-z,a.php");
    assert_eq!(text(&["-l", "a.php"]), "No syntax errors detected in a.php\n");
    let message = "\nParse error: syntax error, unexpected token \";\" in bad.php on line 1\nErrors parsing bad.php\n";
    assert_eq!(text(&["-l", "bad.php"]), message);
}

/// `-l` checks every file; the last one that is not in order decides the exit status.
#[test]
fn several_files_are_checked() {
    let folder = folder("cli-lint");
    std::fs::write(folder.join("good.php"), "<?php f();").expect("written");
    std::fs::write(folder.join("bad.php"), "<?php f( ;").expect("written");
    let good = "No syntax errors detected in good.php\n";
    let bad = "\nParse error: syntax error, unexpected token \";\" in bad.php on line 1\nErrors parsing bad.php\n";
    let missing = "Could not open input file: none.php\n";
    for (files, stdout, stderr, status) in [
        (["good.php", "bad.php"].as_slice(), [good, bad].concat(), "", 255),
        (&["bad.php", "good.php"], [bad, good].concat(), "", 255),
        (&["good.php", "good.php"], good.repeat(2), "", 0),
        (&["none.php", "good.php"], good.to_owned(), missing, 1),
        (&["bad.php", "none.php"], bad.to_owned(), missing, 1),
        (&["none.php", "bad.php"], bad.to_owned(), missing, 255),
        (&["."], "No syntax errors detected in .\n".to_owned(), "", 0),
    ] {
        let output = run(jumbo().args(["-n", "-l"]).args(files).current_dir(&folder), b"");
        assert_eq!(String::from_utf8_lossy(&output.stdout), stdout, "{files:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), stderr, "{files:?}");
        assert_eq!(output.status.code(), Some(status), "{files:?}");
    }
    check(&[folder.to_str().expect("text")], "", 0);
}

/// A memory_limit that no script could run with is refused with a warning, and the script runs.
#[test]
fn memory_limits_that_are_none() {
    let show = "echo ini_get('memory_limit'), ' ', get_cfg_var('memory_limit');";
    let failed = |bytes: u32| {
        format!("\nWarning: Failed to set memory limit to {bytes} bytes (Current memory usage is 2097152 bytes) in Unknown on line 0\n")
    };
    check(&["-d", "memory_limit=1M", "-r", show], &format!("{}128M 1M", failed(1 << 20)), 0);
    let invalid = "\nWarning: Invalid \"memory_limit\" setting. Invalid quantity \"abc\": no valid leading digits, interpreting as \"0\" \
                   for backwards compatibility in Unknown on line 0\n";
    check(&["-d", "memory_limit=abc", "-r", show], &format!("{invalid}{}128M abc", failed(0)), 0);
    check(&["-d", "memory_limit=1M", "-d", "memory_limit=2M", "-r", show], "2M 2M", 0);
    check(&["-d", "memory_limit=-1", "-r", show], "-1 -1", 0);
    let output = run(jumbo().args(["-n", "-d", "memory_limit=1M", "-d", "display_errors=0", "-d", "log_errors=1", "-r", show]), b"");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "128M 1M");
    assert_eq!(String::from_utf8_lossy(&output.stderr), format!("PHP {}", failed(1 << 20).trim_start().replace(": ", ":  ")));
}

/// What cannot be written makes the exit status 255, and ends the script.
#[test]
fn output_that_fails() {
    let to_full = |args: &[&str]| {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full is there");
        let output = jumbo().arg("-n").args(args).stdout(full).stdin(Stdio::null()).stderr(Stdio::piped()).output();
        let output = output.expect("the program ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(to_full(&["-r", "echo 1; exit(3);"]), (Some(255), String::new()));
    assert_eq!(to_full(&["-r", "exit(3);"]), (Some(3), String::new()));
    assert_eq!(to_full(&["-r", "while (true) { echo 1; }"]), (Some(255), String::new()));
    assert_eq!(
        to_full(&["-r", "ignore_user_abort(true); for ($i = 0; $i < 1e5; $i++) echo 1; fwrite(STDERR, connection_status());"]),
        (Some(255), "1".to_owned())
    );
    assert_eq!(to_full(&["-m"]), (Some(255), String::new()));
    assert_eq!(to_full(&["-v"]), (Some(0), String::new()));
}

/// PHP code learns which files its settings are from.
#[test]
fn files_of_settings() {
    let folder = folder("cli-settings");
    let ini = folder.join("php.ini");
    let scanned = folder.join("scanned");
    std::fs::create_dir_all(&scanned).expect("made");
    std::fs::write(&ini, "precision=7\n").expect("written");
    std::fs::write(scanned.join("b.ini"), "x=1\n").expect("written");
    std::fs::write(scanned.join("a.ini"), "memory_limit=99M\n").expect("written");
    let code = "echo json_encode([php_ini_loaded_file(), php_ini_scanned_files(), get_cfg_var('cfg_file_path'), ini_get('cfg_file_path'), \
                get_cfg_var('x'), ini_get('x'), get_cfg_var('memory_limit'), get_cfg_var('include_path')], JSON_UNESCAPED_SLASHES);";
    let show = |command: &mut Command| String::from_utf8_lossy(&run(command.args(["-r", code]), b"").stdout).into_owned();
    let (path, list) = (ini.display(), scanned.display());
    assert_eq!(
        show(jumbo().arg("-c").arg(&ini).env("PHP_INI_SCAN_DIR", &scanned)),
        format!("[\"{path}\",\"{list}/a.ini,\\n{list}/b.ini\\n\",\"{path}\",false,\"1\",false,\"99M\",false]")
    );
    assert_eq!(show(jumbo().arg("-c").arg(&ini)), format!("[\"{path}\",false,\"{path}\",false,false,false,false,false]"));
    // Relative paths are made whole.
    for name in ["scanned/../php.ini", "./php.ini", "."] {
        let shown = show(jumbo().arg("-c").arg(name).current_dir(&folder));
        assert_eq!(shown, format!("[\"{path}\",false,\"{path}\",false,false,false,false,false]"));
    }
    assert_eq!(show(jumbo().arg("-n")), "[false,false,false,false,false,false,false,false]");
}

/// Programs take constants of signals for handlers of signals, which only the extension pcntl has.
#[test]
fn no_signals_without_pcntl() {
    let code = "echo json_encode([extension_loaded('pcntl'), function_exists('pcntl_signal'), defined('SIGUSR1'), defined('SIGINT')]);";
    assert_eq!(run(jumbo().args(["-n", "-r", code]), b"").stdout, b"[false,false,false,false]");
}

#[test]
fn standard_input() {
    let output = run(jumbo().args(["-n", "--", "q"]), b"<?php echo __FILE__, $argv[1];");
    assert_eq!(output.stdout, b"Standard input codeq");
}

#[test]
fn wrong_options() {
    let output = run(jumbo().args(["-n", "-Q"]), b"");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("Error in argument 2, char 2: option not found Q"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn ini_files() {
    let folder = folder("cli-ini");
    std::fs::write(folder.join("php.ini"), "precision = 4\nmemory_limit = 64M\n").expect("written");
    std::fs::create_dir(folder.join("more")).expect("made");
    std::fs::write(folder.join("more/a.ini"), "precision = 5\n").expect("written");
    let script = "echo ini_get('precision'), ini_get('memory_limit');";
    let with_file = run(jumbo().arg("-c").arg(folder.join("php.ini")).args(["-r", script]), b"");
    assert_eq!(String::from_utf8_lossy(&with_file.stdout), "464M");
    let scanned = run(jumbo().env("PHPRC", &folder).env("PHP_INI_SCAN_DIR", folder.join("more")).args(["-r", script]), b"");
    assert_eq!(String::from_utf8_lossy(&scanned.stdout), "564M");
    let none = run(jumbo().env("PHPRC", &folder).args(["-n", "-r", script]), b"");
    assert_eq!(String::from_utf8_lossy(&none.stdout), "14128M");
}

#[test]
fn time_limit() {
    let output = run(jumbo().args(["-n", "-d", "max_execution_time=1", "-r", "$i = 0; while (true) { $i++; }"]), b"");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "\nFatal error: Maximum execution time of 1 second exceeded in Command line code on line 1\n"
    );
    assert_eq!(output.status.code(), Some(255));
}

#[test]
fn version() {
    let output = run(jumbo().arg("-v"), b"");
    assert!(output.stdout.starts_with(b"PHP 8.4."));
}

/// One CGI request.
fn cgi(variables: &[(&str, &str)], input: &[u8]) -> String {
    let mut command = jumbo();
    command.args(["--cgi", "-n", "-d", "html_errors=0"]).env_clear().env("REDIRECT_STATUS", "1");
    let output = run(command.envs(variables.iter().copied()), input);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn cgi_requests() {
    let folder = folder("cli-cgi");
    let path = |name: &str, code: &str| {
        let path = folder.join(name);
        std::fs::write(&path, code).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    };
    let script = path("vars.php", "<?php echo $_GET['b'][0], $_COOKIE['c'], $_POST['p'] ?? '-', $_REQUEST['a'], $_SERVER['argv'][0] ?? '';");
    let get = [("SCRIPT_FILENAME", script.as_str()), ("QUERY_STRING", "a=1&b[]=2"), ("HTTP_COOKIE", "c=1; c=2"), ("REQUEST_METHOD", "GET")];
    let head = "X-Powered-By: PHP/8.4.24\r\nContent-type: text/html; charset=UTF-8\r\n\r\n";
    assert_eq!(cgi(&get, b""), format!("{head}21-1a=1&b[]=2"));
    let post = [
        ("SCRIPT_FILENAME", script.as_str()),
        ("QUERY_STRING", "a=1&b[]=2"),
        ("HTTP_COOKIE", "c=3"),
        ("REQUEST_METHOD", "POST"),
        ("CONTENT_TYPE", "application/x-www-form-urlencoded"),
        ("CONTENT_LENGTH", "3"),
    ];
    assert_eq!(cgi(&post, b"p=7"), format!("{head}2371a=1&b[]=2"));
    let script = path("head.php", "<?php header('HTTP/1.1 404 Gone fishing'); header('X-A: b'); echo 'x';");
    let head = "Status: 404 Gone fishing\r\nX-Powered-By: PHP/8.4.24\r\nX-A: b\r\nContent-type: text/html; charset=UTF-8\r\n\r\n";
    assert_eq!(cgi(&[("SCRIPT_FILENAME", script.as_str())], b""), format!("{head}x"));
    let missing = cgi(&[("SCRIPT_FILENAME", "/nowhere.php")], b"");
    assert!(missing.starts_with("Status: 404 Not Found\r\n") && missing.ends_with("\r\n\r\nNo input file specified.\n"));
}

/// Data so deep that stock PHP crashes on it: these builtins throw an Error instead.
#[test]
fn deep_data() {
    let code = "$deep = [1]; for ($i = 0; $i < 50000; $i++) { $deep = [$deep]; }
        foreach ([fn() => array_walk_recursive($deep, fn() => 1), fn() => filter_var($deep, FILTER_DEFAULT, FILTER_REQUIRE_ARRAY)] as $f)
        try { $f(); echo 'through '; } catch (Error $e) { echo get_class($e), ' '; }";
    let output = run(jumbo().args(["-n", "-d", "memory_limit=-1", "-r", code]), b"");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.split_whitespace().all(|word| word == "Error" || word == "through") && text.split_whitespace().count() == 2, "{text}");
}
