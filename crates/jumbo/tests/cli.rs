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
    check(&["nofile.php"], "Could not open input file: nofile.php\n", 1);
    check(&["-l", "nofile.php"], "Could not open input file: nofile.php\n", 1);
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
